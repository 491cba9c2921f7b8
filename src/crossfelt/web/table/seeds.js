// @ts-check
/**
 * The player's part in the shuffle. With the first wager of a round the page sends the hash of a seed, and after no more
 * bets the seed itself. This browser keeps its seeds, the receipts of the house, and the hashes of all seats and the order
 * of the deal before its seed was sent, for all tabs and after a reload.
 */

import { buttonNode, h, quietText } from "../shared/dom.js";
import { bytesOfText, hexOf, sha256 } from "../shared/hashes.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{table: string, round: number, seat: number, hash: string, seed: string, receipt?: any, hashes?: Record<number, string>, deal_order?: [number, string][]}} Kept */

const STORE = "crossfelt.seeds";
const MOST_KEPT = 60;
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
  if (lies && kept().some(({ hash }) => hash === lies)) return command;
  const seed = typed || hexOf(crypto.getRandomValues(new Uint8Array(32)));
  const hash = hexOf(sha256(bytesOfText(seed)));
  typed = "";
  keep([...kept(), { table: id_, round: view.round, seat: command.seat, hash, seed }]);
  return { ...command, seed_hash: hash };
}

/** Keeps the house's receipt beside the seed. @param {any} receipt */
export function keepReceipt(receipt) {
  keep(kept().map((one) => (one.hash === receipt.seed_hash ? { ...one, receipt } : one)));
}

/** The last receipt for a round, and what was noted before the seed was sent: the hashes of all seats, the order of the deal. @param {string} table @param {number} round */
export function proofOf(table, round) {
  const last = kept().findLast((one) => one.table === table && one.round === round && one.receipt);
  return { receipt: last?.receipt ?? null, hashes: last?.hashes ?? null, deal_order: last?.deal_order ?? null };
}

/**
 * Sends the seeds that the deal waits for, as soon as the server asks: ahead of the messages that wait for a motion.
 * Before, it notes the hashes of all seats and the places of all cards: what the house changes later shows.
 */
export class SeedSender {
  round = 0;
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
    for (const { number, seed_hash } of Object.values(news.seats ?? {})) this.hashes[number] = seed_hash;
    // A restarted server has forgotten the seeds that it had.
    if (!news.seeds_due && message.type !== "resumed") return;
    const isDue = (/** @type {Kept} */ { table, round, seat }) =>
      table === this.table && round === this.round && this.due.includes(seat);
    if (!kept().some(isDue)) return;
    const hashes = Object.fromEntries(this.due.map((seat) => [seat, this.hashes[seat] ?? ""]));
    const note = { hashes, deal_order: this.dealOrder };
    keep(kept().map((one) => (isDue(one) ? { ...note, ...one } : one))); // the first note stays
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
          minlength: 16,
          maxlength: 128,
          placeholder: "16 characters or more",
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
  typed = input.value;
  input.value = "";
  page.show();
}
