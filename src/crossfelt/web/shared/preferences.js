// @ts-check
/** What a person likes: kept in this browser only. */

/**
 * @typedef {{deck: "two" | "four", motion: "auto" | "on" | "off", sound: boolean, text: "100" | "115" | "130", shortcuts: boolean, theme: "auto" | "light" | "dark", coach: boolean}} Settings
 */

const KEY = "crossfelt.settings";
/** @type {Settings} */
const FIRST = { deck: "two", motion: "auto", sound: false, text: "100", shortcuts: true, theme: "auto", coach: false };
const heard = new EventTarget();

/** @returns {Settings} */
function read() {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
}

export const settings = read();

/** @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  apply();
  heard.dispatchEvent(new Event("change"));
}

/** @param {() => void} listener @returns {() => void} */
export function onChange(listener) {
  heard.addEventListener("change", listener);
  return () => heard.removeEventListener("change", listener);
}

export function apply() {
  const { dataset } = document.documentElement;
  dataset.deck = settings.deck;
  dataset.theme = settings.theme;
  dataset.text = settings.text;
  dataset.motion = moves() ? "on" : "off";
}

/** Whether anything may move. */
export function moves() {
  if (settings.motion !== "auto") return settings.motion === "on";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
