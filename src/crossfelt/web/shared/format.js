// @ts-check
/** Money, cards, times, names and problems as text. */

/** @param {number} cents */
export function dollars(cents) {
  const whole = cents % 100 === 0;
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return `${cents < 0 ? "−" : ""}$${text}`;
}

/** @param {number} cents */
export const signed = (cents) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** @type {Record<string, string>} */
const RANKS = {
  A: "Ace",
  K: "King",
  Q: "Queen",
  J: "Jack",
  T: "Ten",
  9: "Nine",
  8: "Eight",
  7: "Seven",
  6: "Six",
  5: "Five",
  4: "Four",
  3: "Three",
  2: "Two",
};
/** @type {Record<string, string>} */
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** @type {Record<string, string>} */
const SYMBOLS = { s: "♠", h: "♥", d: "♦", c: "♣" };
export const HIDDEN = "??";
export const JOKER = "Jk";

/** @param {string} card as `As`, `Jk` or `??` */
export function cardName(card) {
  if (card === HIDDEN) return "Face down";
  return card === JOKER ? "Joker" : `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

/** @param {string} card */
export function cardSymbol(card) {
  if (card === HIDDEN) return "▒▒";
  return card === JOKER ? "Joker" : (card[0] === "T" ? "10" : card[0]) + SYMBOLS[card[1]];
}

/** Returns an identifier with spaces: `five_card_bonus` as "five card bonus". @param {string} name */
export const plain = (name) => name.replaceAll("_", " ");

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A title inside a sentence: "Imperial bonus" in small letters, "Bonus Spin" as it is. @param {string} title */
export const insideSentence = (title) =>
  (title.match(/\b[A-Z]/g) ?? []).length > 1 ? title : title.charAt(0).toLowerCase() + title.slice(1);

/**
 * Returns a choice of a player as its button has it: `3x` as "3×", or by its title.
 * @param {string} choice
 * @param {Record<string, string>} [titles] those of the decision, with that of a bet of one multiple as `bet`
 */
export const choiceText = (choice, titles = {}) =>
  /^\d+x$/.test(choice) ? (titles.bet ?? choice.replace("x", "×")) : (titles[choice] ?? capital(plain(choice)));

/** @param {number} value @param {number} [places] */
export const percent = (value, places = 2) => `${(100 * value).toFixed(places).replace("-", "−")} %`;

/** @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours ? `${hours}:` : ""}${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Returns a text that ends with a full stop. @param {string} text */
export const withStop = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Returns a text with a capital letter and a full stop. @param {string} text */
export const sentence = (text) => capital(withStop(text));

/** @typedef {{code?: string, what?: string, where?: string, value?: any, allowed?: string | null, clauses?: string[], readings?: string[], house_rule?: string}} Problem */

/** A problem with the offending value and the allowed values. @param {Problem} problem */
export function problemSentence({ what = "this is not possible", value, allowed }) {
  const given = value === undefined || value === null || value === "" ? "" : `: ${value}`;
  return `${sentence(given ? what.replace(/\.$/, "") + given : what)}${allowed ? ` Allowed: ${withStop(allowed)}` : ""}`;
}

/** A problem as one line of text, with its clauses. @param {Problem} problem */
export function problemText(problem) {
  const clauses = problem.clauses?.length ? ` [${problem.clauses.join(", ")}]` : "";
  return problemSentence({ ...problem, value: undefined }) + clauses;
}

/** The result of a wager. @param {import("../table/state.js").Result} result */
export function resultText(result) {
  if (result.result === "win") return signed(result.paid - result.commission);
  return { push: "push", lose: "lost", forfeit: "forfeited", returned: "returned" }[result.result] ?? result.result;
}

/** A payment that the payout limit has cut. @param {{paid: number, limited: number}} result */
export const limitedText = ({ paid, limited }) =>
  limited > 0 ? `limited to ${dollars(paid)} by the payout limit; ${dollars(limited)} is not paid` : "";

/** A date and time with the name of its zone. @param {number} ms */
export const timeText = (ms) =>
  new Date(ms).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });

/** @param {number} number */
export const countText = (number) => number.toLocaleString("en-US");

/** @param {string[]} names */
export const listText = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

/**
 * Returns round values for the ticks of an axis, in steps of 1, 2 or 5 times a power of ten.
 * @param {number} low
 * @param {number} high
 * @param {number} parts about this many steps
 * @param {number} [smallest] the smallest step
 */
export function axisTicks(low, high, parts, smallest = 0) {
  const rough = Math.max(smallest, (high - low) / parts) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}
