// @ts-check
/**
 * Chips before the cards: what a press adds, what the table takes, and how to go back. All of it without side effects.
 */

/** @typedef {import("./state.js").Option} Option */
/** @typedef {import("./state.js").Range} Range */
/** @typedef {Record<string, number>} Wagers */

/**
 * Wagers that must be equal to this one, itself included.
 * @param {Option} option
 * @param {string} wager
 * @returns {string[]}
 */
export const together = (option, wager) => (option.equal ?? []).find((group) => group.includes(wager)) ?? [wager];

/** The amount nearest to what is wanted that the table takes. @param {Range} range @param {number} wanted */
export function fit(range, wanted) {
  if (range.of?.length) return [...range.of].reverse().find((amount) => amount <= wanted) ?? range.min;
  const within = Math.min(range.max, Math.max(range.min, wanted));
  return range.min + Math.floor((within - range.min) / (range.step ?? 1)) * (range.step ?? 1);
}

/**
 * One more chip on a wager; where there is one amount only, that is put down or taken back.
 * @param {Option} option
 * @param {Wagers} wagers
 * @param {string} wager
 * @param {number} cents
 * @returns {Wagers}
 */
export function add(option, wagers, wager, cents) {
  const range = option.ranges?.[wager];
  if (!range) return wagers;
  const lies = wagers[wager] ?? 0;
  const group = together(option, wager);
  if (range.min === range.max && lies) return without(wagers, group);
  const amounts = range.of?.length ? range.of : null;
  const next = amounts ? (amounts.find((amount) => amount > lies) ?? amounts[0]) : fit(range, lies + cents);
  return { ...wagers, ...Object.fromEntries(group.map((one) => [one, next])) };
}

/** @param {Wagers} wagers @param {string[]} group @returns {Wagers} */
export const without = (wagers, group) =>
  Object.fromEntries(Object.entries(wagers).filter(([wager]) => !group.includes(wager)));

/** Takes a wager off again. @param {Option} option @param {Wagers} wagers @param {string} wager @returns {Wagers} */
export const takeOff = (option, wagers, wager) => without(wagers, together(option, wager));

/** @param {Option} option @param {Wagers} wagers @returns {Wagers} */
export function double(option, wagers) {
  return Object.fromEntries(
    Object.entries(wagers).map(([wager, stake]) => [
      wager,
      option.ranges?.[wager] ? fit(option.ranges[wager], 2 * stake) : stake,
    ]),
  );
}

/**
 * The wagers of an earlier round as far as they are on offer now.
 * @param {Option} option
 * @param {Wagers} earlier
 * @returns {Wagers}
 */
export function again(option, earlier) {
  const taken = Object.entries(earlier).filter(([wager]) => option.ranges?.[wager]);
  return Object.fromEntries(
    taken.map(([wager, stake]) => [wager, fit(/** @type {Range} */ (option.ranges?.[wager]), stake)]),
  );
}

/**
 * What is missing before the table takes these wagers: the wagers, in order; none where it does.
 * @param {Option} option
 * @param {Wagers} wagers
 * @returns {string[]}
 */
export const missing = (option, wagers) =>
  Object.keys(option.ranges ?? {}).filter((wager) => !(option.optional ?? []).includes(wager) && !(wager in wagers));

/** @param {Wagers} a @param {Wagers} b */
export function same(a, b) {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
