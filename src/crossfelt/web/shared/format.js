// @ts-check
/** Money, cards and names in words. */

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
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
export const HIDDEN = "??";
export const JOKER = "Jk";

/** @param {string} card as `As`, `Jk` or `??` */
export function cardName(card) {
  if (card === HIDDEN) return "Face down";
  return card === JOKER ? "Joker" : `${RANKS[card[0]]} of ${SUITS[card[1]]}`;
}

/** @param {string} card */
export function cardSign(card) {
  if (card === HIDDEN) return "▒▒";
  return card === JOKER ? "Joker" : (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];
}

/** @param {string} name as a file spells it: `five_card_bonus` */
export const plain = (name) => name.replaceAll("_", " ");

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} value @param {number} [places] */
export const percent = (value, places = 2) => `${(100 * value).toFixed(places).replace("-", "−")} %`;

/** @param {number} ms */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours ? `${hours}:` : ""}${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * A refusal of the house in one sentence.
 * @param {{what?: string, value?: any, allowed?: string | null, clauses?: string[]}} problem
 */
export function problemWords(problem) {
  const allowed = problem.allowed ? ` Allowed: ${problem.allowed}.` : "";
  const clauses = problem.clauses?.length ? ` [${problem.clauses.join(", ")}]` : "";
  return `${capital(problem.what ?? "not possible")}.${allowed}${clauses}`;
}

/** What became of a wager. @param {import("../table/state.js").Result} result */
export function resultWords(result) {
  if (result.result === "win") return signed(result.paid - result.commission);
  return { push: "push", lose: "lost", forfeit: "given up", returned: "returned" }[result.result] ?? result.result;
}
