// @ts-check
/**
 * The fairness check: did the server deal the cards that it committed to before the bets closed? The check is that of
 * `crossfelt.proof.commitment`. It runs in the browser with the browser's SHA-256 and asks the server nothing.
 */

import { buttonNode, h } from "../shared/dom.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{label: string, value: string, salt: string, path: string[]}} Opening */
/** @typedef {{root: string, labels: string[]}} Commitment */
/** @typedef {{right: string[], wrong: string[]}} Checked */

const VERSION = new TextEncoder().encode("crossfelt commitment 1");
const [LEAF, NODE, ROOT] = [0, 1, 3].map((kind) => Uint8Array.of(kind, ...VERSION));
const utf8 = new TextEncoder();

/** @param {...Uint8Array} parts */
async function hash(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** @param {string} text 64 hexadecimal digits @returns {Uint8Array | null} */
function bytesOf(text) {
  if (!/^[0-9a-f]{64}$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
}

/** @param {number} number @param {number} size */
const bigEndian = (number, size) =>
  Uint8Array.from({ length: size }, (_, at) => (number >>> (8 * (size - 1 - at))) & 255);

/** @param {string} label */
function lengthPrefixed(label) {
  const text = utf8.encode(label);
  return Uint8Array.of(...bigEndian(text.length, 2), ...text);
}

/**
 * Returns true when an opening matches the commitment.
 * @param {Commitment} commitment
 * @param {Opening} opening
 * @returns {Promise<boolean>}
 */
async function verify(commitment, opening) {
  const { labels } = commitment;
  const root = bytesOf(commitment.root);
  const salt = bytesOf(opening.salt);
  const path = opening.path.map(bytesOf);
  const place = labels.indexOf(opening.label);
  const inOrder = labels.every((label, at) => !at || compare(labels[at - 1], label) < 0);
  if (
    !root ||
    !salt ||
    path.includes(null) ||
    place < 0 ||
    !inOrder ||
    2 ** path.length < labels.length ||
    (path.length > 0 && 2 ** (path.length - 1) >= labels.length)
  )
    return false;
  let top = await hash(LEAF, lengthPrefixed(opening.label), salt, utf8.encode(opening.value));
  for (const [height, beside] of path.entries()) {
    const other = /** @type {Uint8Array} */ (beside);
    top = (place >> height) & 1 ? await hash(NODE, other, top) : await hash(NODE, top, other);
  }
  const found = await hash(ROOT, bigEndian(labels.length, 4), ...labels.map(lengthPrefixed), top);
  return found.every((byte, at) => byte === root[at]);
}

/** Compares by code points, in the order that the server uses. @param {string} a @param {string} b */
function compare(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const by = (left[at].codePointAt(0) ?? 0) - (right[at].codePointAt(0) ?? 0);
    if (by) return by;
  }
  return left.length - right.length;
}

/**
 * Checks each opening. A label that is opened twice is wrong: the second card could hide the first.
 * @param {Commitment} commitment
 * @param {Opening[]} openings
 * @returns {Promise<Checked>}
 */
export async function checkOpenings(commitment, openings) {
  const labels = openings.map(({ label }) => label);
  const once = (/** @type {string} */ label) => labels.indexOf(label) === labels.lastIndexOf(label);
  const results = await Promise.all(
    openings.map(async (opening) => ({ opening, holds: (await verify(commitment, opening)) && once(opening.label) })),
  );
  const names = (/** @type {boolean} */ holds) =>
    results.filter((one) => one.holds === holds).map(({ opening }) => `${opening.label} = ${opening.value}`);
  return { right: names(true), wrong: names(false) };
}

/** The result of a check. @param {Checked} checked */
export function fairnessVerdict({ right, wrong }) {
  const fair = right.length > 0 && !wrong.length;
  const faults = wrong.length
    ? `${wrong.length} of ${right.length + wrong.length} openings do not match the commitment: ${wrong.join(", ")}`
    : "This round has no openings to check.";
  return h(
    "p",
    { class: fair ? "fair" : "notice", role: "status" },
    fair ? `Yes: all ${right.length} openings match the published commitment.` : faults,
  );
}

/** The fairness check of one round. @param {Page} page @param {number} round */
export function fairnessSection(page, round) {
  const opened = page.state.reveals[round];
  if (!opened?.commitment) return null;
  const done = page.checks.get(opened);
  return h(
    "section",
    { class: "fairness", key: `fair${round}` },
    h("h4", null, "Were the cards fixed before the bets closed?"),
    !done && buttonNode("Check in this browser", () => void runCheck(page, opened)),
    done && fairnessVerdict(done),
    h("p", { class: "root" }, opened.commitment.root),
    round === 1 && lessonNote(page.state.table.lesson_seed),
  );
}

/** Says that a lesson's deck is fixed. @param {number} seed 0 for a random deck */
export const lessonNote = (seed) =>
  seed > 0 &&
  h(
    "p",
    { key: "lesson", class: "lesson-note" },
    `This was the lesson’s hand. Its deck is fixed and the same for everybody: repeatable seed ${seed}. The decks after it are random.`,
  );

/** @param {Page} page @param {any} opened */
async function runCheck(page, opened) {
  page.checks.set(opened, await checkOpenings(opened.commitment, opened.openings));
  page.show();
}
