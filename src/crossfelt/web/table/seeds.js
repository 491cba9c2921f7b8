// @ts-check
/**
 * The player's part in the shuffle. With the first wager of a round the page sends the hash of a seed, and after no more
 * bets the seed itself. This browser keeps its seeds, the receipts of the house, and the root, the hashes of all seats and
 * the order of the deal before its seed was sent, for all tabs and after a reload.
 */

import { buttonNode, h, quietText } from "../shared/dom.js";
import { bytesOfText, hexOf, sha256 } from "../shared/hashes.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{table: string, round: number, seat: number, hash: string, seed: string, receipt?: any, root?: string, hashes?: Record<number, string>, deal_order?: [number, string][]}} Kept */

const STORE = "crossfelt.seeds";
const MOST_KEPT = 60;
/** The texts that the server takes. */
const SEED_TEXT = "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{16,128}";
/** The seeds of this page, where the browser keeps nothing. @type {Kept[]} */
let memory = [];
/** The seed that the player has typed for the next round. */
let typed = "";

/** @returns {Kept[]} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "null") ?? memory;
  } catch {
    return memory;
  }
}

/** @param {Kept[]} all */
function keep(all) {
  memory = all.slice(-MOST_KEPT);
  try {
    localStorage.setItem(STORE, JSON.stringify(memory));
  } catch {
    // A browser that keeps nothing: the seeds last as long as the page.
  }
}

/** Adds the hash of a seed to the first wager of a round. @param {Page} page @param {any} command */
export function withSeed({ id_, state }, command) {
  const { view } = state;
  if (command.command !== "place_wagers" || !Object.keys(command.wagers).length || !view) return command;
  const lies = view.seats.find((seat) => seat.number === command.seat)?.seed_hash;
  // The house knows the seeds of other rounds.
  const isThis = (/** @type {Kept} */ { table, round, seat }) =>
    table === id_ && round === view.round && seat === command.seat;
  if (lies && kept().some((one) => isThis(one) && one.hash === lies)) return command;
  const seed = typed || hexOf(crypto.getRandomValues(new Uint8Array(32)));
  const hash = hexOf(sha256(bytesOfText(seed)));
  typed = "";
  keep([...kept(), { table: id_, round: view.round, seat: command.seat, hash, seed }]);
  return { ...command, seed_hash: hash };
}

/** Keeps the house's receipt beside the seed; the first one stays. @param {any} receipt */
export function keepReceipt(receipt) {
  const isFor = (/** @type {Kept} */ { table, round, hash }) =>
    table === receipt.table && round === receipt.round && hash === receipt.seed_hash;
  keep(kept().map((one) => (isFor(one) ? { receipt, ...one } : one)));
}

/** The last receipt for a round, and what was noted before the seed was sent. @param {string} table @param {number} round */
export function proofOf(table, round) {
  const own = kept().filter((one) => one.table === table && one.round === round);
  const {
    receipt = null,
    root = null,
    hashes = null,
    deal_order = null,
  } = own.findLast((one) => one.receipt) ?? own.at(-1) ?? {};
  return { receipt, root, hashes, deal_order };
}

/**
 * Sends the seeds that the deal waits for, as soon as the server asks: ahead of the messages that wait for a motion.
 * Before, it notes the root, the hashes of all seats and the places of all cards: what the house changes later shows.
 */
export class SeedSender {
  /** False while the messages of a lost connection are still to come. */
  live = false;
  round = 0;
  /** Of the commitment. */
  root = "";
  /** @type {number[]} */
  due = [];
  /** The hash of each seat. @type {Record<number, string>} */
  hashes = {};
  /** The seat and place of each card to come. @type {[number, string][]} */
  dealOrder = [];

  /** @param {string} table @param {(message: any) => unknown} send */
  constructor(table, send) {
    this.table = table;
    this.send = send;
  }

  /** @param {any} message */
  receive(message) {
    const news = message.view ?? message.patch ?? {};
    this.round = news.round ?? this.round;
    this.due = news.seeds_due ?? this.due;
    this.dealOrder = news.deal_order ?? this.dealOrder;
    // The proofs of the last round bring its commitment, perhaps after that of this one.
    if (message.type !== "opened") this.root = message.commitment?.root ?? this.root;
    for (const { number, seed_hash } of Object.values(news.seats ?? {})) this.hashes[number] = seed_hash;
    // A restarted server has forgotten the seeds that it had.
    if (!this.live || (!news.seeds_due && message.type !== "resumed")) return;
    const isDue = (/** @type {Kept} */ { table, round, seat }) =>
      table === this.table && round === this.round && this.due.includes(seat);
    if (!kept().some(isDue)) return;
    const hashes = Object.fromEntries(this.due.map((seat) => [seat, this.hashes[seat] ?? ""]));
    const noteOf = (/** @type {Kept} */ { seat, hash }) => ({
      root: this.root,
      hashes: { ...hashes, [seat]: hash },
      deal_order: this.dealOrder,
    });
    keep(kept().map((one) => (isDue(one) ? { ...noteOf(one), ...one } : one))); // the first note stays
    for (const { round, seat, seed } of kept().filter(isDue)) void this.send({ type: "seed", round, seat, seed });
  }
}

/** The player's own seed for the next round. @param {Page} page */
export function ownSeedForm(page) {
  return h(
    "details",
    { class: "own-seed", key: "own-seed" },
    h("summary", null, "Your part in the shuffle"),
    quietText(
      "With your first wager this page sends the hash of a fresh random seed. After no more bets it sends the seed, and the seeds of all players permute the cards. So the house cannot choose them. You may type a seed that nobody can guess.",
    ),
    h(
      "form",
      { class: "typed", onsubmit: (/** @type {SubmitEvent} */ event) => takeTyped(page, event) },
      h("label", { for: "own-seed" }, "Your own seed for the next round"),
      h(
        "div",
        { class: "typed-row" },
        h("input", {
          id: "own-seed",
          name: "own-seed",
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: "false",
          required: true,
          pattern: SEED_TEXT,
          title: "16 to 128 letters, digits, spaces and signs",
          placeholder: "16 characters or more",
          oninput: (/** @type {any} */ { target }) => target.setCustomValidity(""),
        }),
        h("button", { class: "button", type: "submit" }, "Use it"),
      ),
    ),
    typed && h("p", { key: "typed", role: "status" }, "Your next first wager takes this seed:"),
    typed && h("p", { key: "seed", class: "root" }, typed),
    typed &&
      buttonNode("Use a random one", () => {
        typed = "";
        page.show();
      }),
  );
}

/** @param {Page} page @param {SubmitEvent} event */
function takeTyped(page, event) {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (
    /** @type {HTMLFormElement} */ (event.target).elements.namedItem("own-seed")
  );
  if (kept().some(({ seed }) => seed === input.value)) {
    input.setCustomValidity("You have used this seed before, so the house knows it. Type another.");
    input.reportValidity();
    return;
  }
  typed = input.value;
  input.value = "";
  page.show();
}
