// @ts-check
/** Single-key shortcuts, and the keys that step through a list. */

import { settings } from "./preferences.js";

/** Returns the letter or the name of a key; empty while the player types, or when single keys are off. @param {KeyboardEvent} event */
export function shortcutOf(event) {
  if (isTyping(event)) return "";
  if (event.key.length > 1) return event.key;
  return settings.shortcuts ? event.key.toLowerCase() : "";
}

/**
 * Returns the position after J, K, up, down, Home or End; undefined for another key.
 * @param {KeyboardEvent} event
 * @param {number} at
 * @param {number} last
 * @returns {number | undefined}
 */
export function stepTo(event, at, last) {
  /** @type {Record<string, number>} */
  const targets = { j: at + 1, k: at - 1, ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last };
  const to = targets[shortcutOf(event)];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

/** Returns true when a key belongs to a text field or a focused control. @param {KeyboardEvent} event */
export function isTyping(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest?.("input, textarea, select, [contenteditable]")) return true;
  // Enter and Space press the focused control.
  return (
    (event.key === "Enter" || event.key === " ") &&
    Boolean(target.closest?.("button, a, summary, [role=button], [role=tab]"))
  );
}
