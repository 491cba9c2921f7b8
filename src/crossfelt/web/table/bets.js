// @ts-check
/**
 * Pure functions on wagers before the deal: add a chip, remove, double, repeat.
 */

/** @typedef {import("./state.js").Option} Option */
/** @typedef {import("./state.js").Range} Range */
/** @typedef {Record<string, number>} Wagers */

/**
 * Returns the wagers that must equal this one, itself included.
 * @param {Option} option
 * @param {string} wager
 * @returns {string[]}
 */
const equalGroup = (option, wager) => (option.equal ?? []).find((group) => group.includes(wager)) ?? [wager];

/** Returns the nearest amount that the table accepts. @param {Range} range @param {number} wanted */
function fitRange(range, wanted) {
  if (range.of?.length) return [...range.of].reverse().find((amount) => amount <= wanted) ?? range.min;
  const within = Math.min(range.max, Math.max(range.min, wanted));
  return range.min + Math.floor((within - range.min) / (range.step ?? 1)) * (range.step ?? 1);
}

/**
 * Adds a chip to a wager. A wager with a single amount is placed or removed.
 * @param {Option} option
 * @param {Wagers} wagers
 * @param {string} wager
 * @param {number} cents
 * @returns {Wagers}
 */
export function addChip(option, wagers, wager, cents) {
  const range = option.ranges?.[wager];
  if (!range) return wagers;
  const staked = wagers[wager] ?? 0;
  const group = equalGroup(option, wager);
  if (range.min === range.max && staked) return withoutWagers(wagers, group);
  const amounts = range.of?.length ? range.of : null;
  const next = amounts ? (amounts.find((amount) => amount > staked) ?? amounts[0]) : fitRange(range, staked + cents);
  return { ...wagers, ...Object.fromEntries(group.map((one) => [one, next])) };
}

/** @param {Wagers} wagers @param {string[]} group @returns {Wagers} */
const withoutWagers = (wagers, group) =>
  Object.fromEntries(Object.entries(wagers).filter(([wager]) => !group.includes(wager)));

/** Removes a wager. @param {Option} option @param {Wagers} wagers @param {string} wager @returns {Wagers} */
export const removeWager = (option, wagers, wager) => withoutWagers(wagers, equalGroup(option, wager));

/** @param {Option} option @param {Wagers} wagers @returns {Wagers} */
export function doubleWagers(option, wagers) {
  return Object.fromEntries(
    Object.entries(wagers).map(([wager, stake]) => [
      wager,
      option.ranges?.[wager] ? fitRange(option.ranges[wager], 2 * stake) : stake,
    ]),
  );
}

/**
 * Returns the wagers of an earlier round that are offered now.
 * @param {Option} option
 * @param {Wagers} earlier
 * @returns {Wagers}
 */
export function repeatWagers(option, earlier) {
  const taken = Object.entries(earlier).filter(([wager]) => option.ranges?.[wager]);
  return Object.fromEntries(
    taken.map(([wager, stake]) => [wager, fitRange(/** @type {Range} */ (option.ranges?.[wager]), stake)]),
  );
}

/**
 * Returns the required wagers that are missing, in order.
 * @param {Option} option
 * @param {Wagers} wagers
 * @returns {string[]}
 */
export const missingWagers = (option, wagers) =>
  Object.keys(option.ranges ?? {}).filter((wager) => !(option.optional ?? []).includes(wager) && !(wager in wagers));

/**
 * Returns the least that the bets of the later steps take together.
 * @param {any} game
 * @param {Wagers} wagers
 */
export function laterBets(game, wagers) {
  const base = (/** @type {string} */ of) =>
    wagers[game.wagers.find((/** @type {any} */ one) => (one.group === of || one.id === of) && one.id in wagers)?.id] ??
    0;
  return game.wagers
    .filter((/** @type {any} */ one) => !one.opening && one.stake.of)
    .reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + (one.stake.min ?? 1) * base(one.stake.of), 0);
}

/** @param {Wagers} a @param {Wagers} b */
export function sameWagers(a, b) {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
