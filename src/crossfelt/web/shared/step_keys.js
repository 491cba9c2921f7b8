// @ts-check
/** Going through something step by step: what keys stand for on every page where one does. */

import { typing } from "../table/keys.js";
import { settings } from "./preferences.js";

/** The letter or the name of a key; nothing while somebody types, or where single keys are switched off. @param {KeyboardEvent} event */
export function pressed(event) {
  if (typing(event)) return "";
  if (event.key.length > 1) return event.key;
  return settings.shortcuts ? event.key.toLowerCase() : "";
}

/**
 * Where a key leads: J and K, up and down, Home and End; undefined where it leads nowhere.
 * @param {KeyboardEvent} event
 * @param {number} at
 * @param {number} last
 * @returns {number | undefined}
 */
export function stepped(event, at, last) {
  /** @type {Record<string, number>} */
  const leads = { j: at + 1, k: at - 1, ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last };
  const to = leads[pressed(event)];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}
