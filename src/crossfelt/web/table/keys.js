// @ts-check
/** Single keys at a table. They can be switched off in the settings, and never act while somebody types. */

import { CHIPS } from "../shared/chips.js";
import { mine, option, wagering } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */

/** @param {KeyboardEvent} event */
export function typing(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest?.("input, textarea, select, [contenteditable]")) return true;
  // Enter and Space press what has the focus.
  return (
    (event.key === "Enter" || event.key === " ") &&
    Boolean(target.closest?.("button, a, summary, [role=button], [role=tab]"))
  );
}

/** Keys that may be held down: they look, or choose a chip. Whatever stakes money wants a press of its own. */
const HELD = new Set(["[", "]", "j", "k", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
/** @type {Record<string, string>} */
const PANELS = { a: "coach", p: "pays", l: "log", t: "words", h: "rounds", "?": "help" };

/** Wagers in the order of their keys: those that must be placed first. @param {Page} page @returns {string[]} */
export function byKey(page) {
  const before = wagering(page.state);
  const ranges = Object.keys(before?.ranges ?? {});
  const grouped = new Set((before?.equal ?? []).flatMap((group) => group.slice(1)));
  const required = ranges.filter((wager) => !before?.optional?.includes(wager) && !grouped.has(wager));
  return [...required, ...ranges.filter((wager) => before?.optional?.includes(wager))];
}

/**
 * Does what a key stands for.
 * @param {Page} page
 * @param {KeyboardEvent} event
 * @returns {boolean} whether it stood for anything
 */
export function keyOf(page, event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.repeat && !HELD.has(key)) return false;
  const action = page.actions.find((one) => one.key === key);
  if (action) {
    void page.act(action);
    return true;
  }
  if (wagering(page.state) && betting(page, key, event.shiftKey)) return true;
  if (option(page.state, "set_hand") && setting(page, key)) return true;
  if (key === "s" && page.ui.spun) {
    page.querySelector("cf-wheel")?.dispatchEvent(new Event("spin"));
    return true;
  }
  if (key === "j" || key === "k") return recall(page, key === "j" ? 1 : -1);
  if (!(key in PANELS)) return false;
  page.open(PANELS[key]);
  return true;
}

/** @param {Page} page @param {string} key @param {boolean} off */
function betting(page, key, off) {
  if (key === "[" || key === "]") {
    page.ui.chip = Math.min(CHIPS.length - 1, Math.max(0, page.ui.chip + (key === "]" ? 1 : -1)));
    page.show();
    return true;
  }
  const wagers = byKey(page);
  const bonus = wagers.find((wager) => wagering(page.state)?.optional?.includes(wager));
  const wager = key === "b" ? bonus : wagers[Number(key) - 1];
  if (!wager) return false;
  page.press(wager, off);
  return true;
}

/** Arrows go from card to card, Space takes one to the front or back. @param {Page} page @param {string} key */
function setting(page, key) {
  const cards = /** @type {HTMLElement[]} */ ([...page.querySelectorAll(".seven button")]);
  const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) {
    cards[(at + step + cards.length) % cards.length]?.focus();
    return true;
  }
  const number = Number(key);
  if (number >= 1 && number <= 7) {
    const card = mine(page.state)?.cards[number - 1];
    if (card) page.choose(card);
    return true;
  }
  return false;
}

/** @param {Page} page @param {number} step */
function recall(page, step) {
  if (page.ui.panel !== "rounds") return false;
  page.ui.recall = Math.max(0, page.ui.recall + step);
  page.show();
  return true;
}
