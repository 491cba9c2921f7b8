// @ts-check
/** Pieces that the pages about the record share. */

import { h } from "../shared/dom.js";
import { pressed } from "../shared/step_keys.js";

/** Something that is known, under its title. @param {string} title @param {any} value @param {any} [more] */
export function fact(title, value, more) {
  return h(
    "div",
    { key: title },
    h("dt", null, title),
    value && h("dd", null, value),
    more && h("dd", { class: "quiet" }, more),
  );
}

/**
 * One of several values, to choose from.
 * @param {string} name
 * @param {string} title
 * @param {string[]} values
 * @param {string} now
 * @param {(value: string) => string} words
 * @param {(value: string) => void} pick
 */
export function chosen(name, title, values, now, words, pick) {
  return h(
    "div",
    { key: name, class: "field" },
    h("label", { for: `field-${name}` }, title),
    h(
      "select",
      { id: `field-${name}`, onchange: (/** @type {any} */ event) => pick(event.target.value) },
      values.map((value) => h("option", { key: value, value, "prop:selected": value === now }, words(value))),
    ),
  );
}

/** A stroke goes to the words to look for. @param {HTMLElement} page @param {KeyboardEvent} event */
export function toWords(page, event) {
  if (pressed(event) !== "/") return;
  event.preventDefault();
  /** @type {HTMLElement | null} */ (page.querySelector("#field-text"))?.focus();
}

/** A text whose hashes are told by their first signs. @param {string} text */
export function shortened(text) {
  return text
    .split(/\b([0-9a-f]{64})\b/)
    .map((part, at) => (at % 2 ? h("code", { key: at, title: part }, `${part.slice(0, 12)}…`) : part));
}
