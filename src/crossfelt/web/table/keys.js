// @ts-check
/** Single-key shortcuts at a table. The settings can turn them off, and they never act in a text field. */

import { CHIPS } from "../shared/chips.js";
import { toggleSound } from "./sound.js";
import { bettingOption, ownOption, ownSeat } from "./state.js";
import { spinAgain } from "./wheel.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Keys that may repeat while held: they only navigate. A key that stakes money needs a new press. */
const REPEATABLE = new Set(["[", "]", "j", "k", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
/** @type {Record<string, string>} */
const PANELS = { a: "coach", p: "pays", l: "log", t: "text", h: "rounds", "?": "help" };

/** Returns the wagers in the order of their keys, required wagers first. @param {Page} page @returns {string[]} */
export function wagersByKey(page) {
  const betting = bettingOption(page.state);
  const ranges = Object.keys(betting?.ranges ?? {});
  const grouped = new Set((betting?.equal ?? []).flatMap((group) => group.slice(1)));
  const required = ranges.filter((wager) => !betting?.optional?.includes(wager) && !grouped.has(wager));
  return [...required, ...ranges.filter((wager) => betting?.optional?.includes(wager))];
}

/**
 * Carries out the action of a key.
 * @param {Page} page
 * @param {KeyboardEvent} event
 * @returns {boolean} true when the key has an action
 */
export function handleKey(page, event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.repeat && !REPEATABLE.has(key)) return false;
  const action = page.actions.find((one) => one.key === key);
  if (action) {
    void page.runAction(action);
    return true;
  }
  if (bettingOption(page.state) && bettingKey(page, key, event.shiftKey)) return true;
  if (ownOption(page.state, "set_hand") && handKey(page, key)) return true;
  if (key === "g" && ownOption(page.state, "surrender")) {
    void import("./surrender.js").then(({ askSurrender }) => askSurrender(page));
    return true;
  }
  if (key === "s" && page.ui.spun) {
    spinAgain(page);
    return true;
  }
  if (key === "m") {
    toggleSound();
    return true;
  }
  if (key === "j" || key === "k") return recallKey(page, key === "j" ? 1 : -1);
  if (!(key in PANELS)) return false;
  page.togglePanel(PANELS[key]);
  return true;
}

/** @param {Page} page @param {string} key @param {boolean} off */
function bettingKey(page, key, off) {
  if (key === "[" || key === "]") {
    page.ui.chip = Math.min(CHIPS.length - 1, Math.max(0, page.ui.chip + (key === "]" ? 1 : -1)));
    page.show();
    return true;
  }
  const wagers = wagersByKey(page);
  const bonus = wagers.find((wager) => bettingOption(page.state)?.optional?.includes(wager));
  const wager = key === "b" ? bonus : wagers[Number(key) - 1];
  if (!wager) return false;
  page.pressArea(wager, off);
  return true;
}

/** Moves between cards with the arrow keys; a digit moves a card to the front hand or back. @param {Page} page @param {string} key */
function handKey(page, key) {
  const cards = /** @type {HTMLElement[]} */ ([...page.querySelectorAll(".to-set button")]);
  const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[key];
  if (step) {
    cards[(at + step + cards.length) % cards.length]?.focus();
    return true;
  }
  const card = ownSeat(page.state)?.cards[Number(key) - 1];
  if (!card) return false;
  page.choose(card);
  return true;
}

/** @param {Page} page @param {number} step */
function recallKey(page, step) {
  if (page.ui.panel !== "rounds") return false;
  page.ui.recall = Math.max(0, page.ui.recall + step);
  page.show();
  return true;
}
