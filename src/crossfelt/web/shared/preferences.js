// @ts-check
/** The player's settings, stored in this browser only. */

/**
 * @typedef {{deck: "two" | "four", motion: "auto" | "on" | "off", pace: "slow" | "normal" | "fast", sound: boolean, text: "100" | "115" | "130", shortcuts: boolean, bank: boolean, theme: "auto" | "light" | "dark", coach: Record<string, boolean>}} Settings
 */

const KEY = "crossfelt.settings";
/** @type {Settings} */
const DEFAULTS = {
  deck: "two",
  motion: "auto",
  pace: "normal",
  sound: false,
  text: "100",
  shortcuts: true,
  bank: false,
  theme: "auto",
  coach: {},
};
const changes = new EventTarget();

/** @returns {Settings} */
function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = load();

/** @param {Partial<Settings>} update */
export function changeSettings(update) {
  Object.assign(settings, update);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser without storage still plays.
  }
  applySettings();
  changes.dispatchEvent(new Event("change"));
}

/** @param {() => void} listener @returns {() => void} */
export function onSettingsChange(listener) {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

export function applySettings() {
  const { dataset } = document.documentElement;
  dataset.deck = settings.deck;
  dataset.theme = settings.theme;
  dataset.text = settings.text;
  dataset.motion = motionAllowed() ? "on" : "off";
}

/** Returns true when animations are on. */
export function motionAllowed() {
  if (settings.motion !== "auto") return settings.motion === "on";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
