// @ts-check
/**
 * The fairness check of a round: receipt, deck, players' seeds, order and cards. It is the check of
 * `crossfelt.proof.fair_round`, and runs in the browser on the record of the round.
 */

import { errorText, requestCached } from "../shared/api.js";
import { buttonNode, h, saveFile } from "../shared/dom.js";
import { HIDDEN } from "../shared/format.js";
import { bigEndian, bytesOfHex, bytesOfText, hexOf, joined, sha256 } from "../shared/hashes.js";
import { checkDraws, DECK, mixedOrder, mixOf, SEED_BYTES, sized, stream, take } from "./draws.js";
import { proofOf } from "./seeds.js";

/** @typedef {{label: string, value: string, salt: string, path: string[]}} Opening */
/** @typedef {{root: string, labels: string[]}} Commitment */
/** @typedef {import("./draws.js").PlayerSeed} PlayerSeed */
/** @typedef {import("./draws.js").Finding} Finding */
/** @typedef {{seat: number, place: string, card: string}} Spot */

const kindOf = (/** @type {number} */ kind) => joined(Uint8Array.of(kind), bytesOfText("crossfelt commitment 1"));
const [LEAF, NODE, FILLING, ROOT] = [0, 1, 2, 3].map(kindOf);
const NOT_FULL = "has a card TWICE, a foreign one, or too few";
const SALT_BYTES = 32;

// --- the commitment, as in crossfelt.proof.commitment ------------------------------------------------------------------

/** @param {string} label @param {Uint8Array} salt @param {string} value */
const leafOf = (label, salt, value) => sha256(LEAF, sized(label), salt, bytesOfText(value));

/** @param {string[]} labels @param {Uint8Array} top */
const rootOf = (labels, top) => hexOf(sha256(ROOT, bigEndian(labels.length, 4), ...labels.map(sized), top));

/** @param {string[]} labels */
const inOrder = (labels) => labels.every((label, at) => !at || labels[at - 1] < label);

/** Returns true when an opening matches the commitment. @param {Commitment} commitment @param {Opening} opening */
function verify({ root, labels }, opening) {
  const salt = bytesOfHex(opening.salt, SALT_BYTES);
  const path = opening.path.map((text) => bytesOfHex(text, SALT_BYTES));
  const place = labels.indexOf(opening.label);
  if (!salt || place < 0 || !inOrder(labels) || path.length !== Math.ceil(Math.log2(labels.length))) return false;
  let top = leafOf(opening.label, salt, opening.value);
  for (const [height, beside] of path.entries()) {
    if (!beside) return false;
    top = (place >> height) & 1 ? sha256(NODE, beside, top) : sha256(NODE, top, beside);
  }
  return rootOf(labels, top) === root;
}

/** Returns true when all values together give the root. @param {Commitment} commitment @param {{salt: string, values: string[]}} opened */
function verifyWhole({ root, labels }, { salt, values }) {
  const seed = bytesOfHex(salt, SEED_BYTES);
  if (!seed || values.length !== labels.length || !labels.length || !inOrder(labels)) return false;
  let level = labels.map((label, at) => leafOf(label, take(stream(seed, `salt/${label}`), SALT_BYTES), values[at]));
  const filling = stream(seed, "filling");
  while (Math.log2(level.length) % 1) level.push(sha256(FILLING, take(filling, SALT_BYTES)));
  while (level.length > 1) level = level.flatMap((left, at) => (at % 2 ? [] : [sha256(NODE, left, level[at + 1])]));
  return rootOf(labels, level[0]) === root;
}

// --- the round ---------------------------------------------------------------------------------------------------------

/** Checks a closed round. @param {any} record with the receipt, where there is one @returns {Promise<Finding[]>} */
export async function checkRound(record) {
  const mixed = record.events.find((/** @type {any} */ { event }) => event === "deck_mixed");
  const dealt = record.events.some(
    (/** @type {any} */ one) => one.event === "cards_dealt" || seenSpots(one).some(({ card }) => card !== HIDDEN),
  );
  return [
    ...(typeof record.root === "string" ? checkRoot(record) : []),
    ...(record.receipt ? await checkReceipt(record) : []),
    ...(record.opened ? checkWhole(record) : []),
    ...checkOpenings(record),
    ...(dealt ? [...checkSeeds(record, mixed), ...checkPlaces(record), ...checkCards(record, mixed)] : []),
    ...(record.opened ? checkDraws(record, mixed) : []),
  ];
}

/** @param {any} record @returns {Finding[]} */
function checkRoot({ root, commitment }) {
  const holds = root === commitment.root;
  const says = holds ? "as noted before your seed was sent" : "is NOT the one noted before your seed was sent";
  return [{ what: "The root:", holds, says }];
}

/** @param {any} record @returns {Promise<Finding[]>} */
async function checkReceipt({ receipt, table, round, commitment }) {
  const same = receipt.table === table && receipt.round === round && receipt.root === commitment.root;
  const named = same ? "names the root of this round" : "names ANOTHER root, table or round";
  const signed = await isSigned(receipt);
  /** @type {Finding[]} */
  const found = [{ what: "Your receipt", holds: same, says: named }];
  if (signed === null)
    return [
      ...found,
      { what: "Its signature", holds: true, says: "was not checked: this browser has no Ed25519 here" },
    ];
  return [...found, { what: "Its signature", holds: signed, says: signed ? "is the house’s" : "is NOT the house’s" }];
}

/** Returns null where the browser cannot tell. @param {any} receipt @returns {Promise<boolean | null>} */
async function isSigned(receipt) {
  const { table, round, root, seat, player, seed_hash, at } = receipt;
  const [raw, signature] = [bytesOfHex(receipt.key, 32), bytesOfHex(receipt.signature, 64)];
  if (!raw || !signature) return false;
  const text = bytesOfText(["crossfelt receipt", table, round, root, seat, player, seed_hash, at].join("\n"));
  try {
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, text);
  } catch {
    return null;
  }
}

/** @param {any} record @returns {Finding[]} */
function checkWhole({ commitment, opened }) {
  const holds = verifyWhole(commitment, opened);
  const deck = opened.values.filter((/** @type {string} */ _, /** @type {number} */ at) =>
    commitment.labels[at]?.startsWith("card/"),
  );
  const full = String([...deck].sort()) === String([...DECK, ...(deck.length > 52 ? ["Jk"] : [])].sort());
  return [
    { what: "The deck", holds, says: holds ? "gives the root that was published" : "does NOT give the root" },
    { what: "The deck", holds: full, says: full ? `has each of ${deck.length} cards once` : NOT_FULL },
  ];
}

/** A label that is opened twice is wrong: the second card could hide the first. @param {any} record @returns {Finding[]} */
function checkOpenings({ commitment, openings }) {
  const labels = openings.map((/** @type {Opening} */ { label }) => label);
  return openings.map((/** @type {Opening} */ one) => {
    const once = labels.indexOf(one.label) === labels.lastIndexOf(one.label);
    const holds = verify(commitment, one) && once;
    return { what: `${one.label} = ${one.value}`, holds, says: holds ? "matches" : "does NOT match" };
  });
}

/** @param {any} record @param {any} mixed @returns {Finding[]} */
function checkSeeds({ events, table, round, receipt, hashes }, mixed) {
  /** @type {Record<number, string>} */
  const sent = {};
  for (const event of events) {
    if (event.event === "bets_locked") break;
    if (event.event !== "wagers_placed") continue;
    if (!Object.keys(event.wagers).length) delete sent[event.seat];
    else if (event.seed_hash) sent[event.seat] = event.seed_hash;
  }
  /** @type {PlayerSeed[]} */
  const seeds = mixed?.seeds ?? [];
  const used = seeds.map(({ seat, hash }) => [seat, hash].join());
  const areThose = (/** @type {Record<number, string>} */ wanted) =>
    String(used.sort()) === String(Object.entries(wanted).map(String).sort());
  const here = !mixed || mixed.round_id === `${table}/${round}`;
  /** @type {Finding[]} */
  const found = seeds
    .filter(({ seed }) => seed)
    .map(({ player, hash, seed }) => {
      const holds = hexOf(sha256(bytesOfText(seed))) === hash;
      const says = holds ? "has the hash that was sent before the cards" : "has ANOTHER hash";
      return { what: `The seed of ${player}`, holds, says };
    });
  if (!areThose(sent) || !here)
    found.push({ what: "The seeds", holds: false, says: "were NOT mixed in as they were sent" });
  if (hashes) {
    const holds = areThose(hashes);
    const says = holds
      ? "those noted before your seed was sent are those that were mixed in"
      : "the house mixed in OTHER seats or hashes than those noted before your seed was sent";
    found.push({ what: "Hashes:", holds, says });
  }
  if (receipt && !seeds.some(({ seat, hash }) => seat === receipt.seat && hash === receipt.seed_hash))
    found.push({ what: "Your receipt", holds: false, says: "names a seed that the house did NOT mix in" });
  return found;
}

/** Compares the order of the deal with the one noted. Dice turn it: they are thrown after the seeds. @param {any} record @returns {Finding[]} */
function checkPlaces({ events, deal_order: noted }) {
  if (!noted) return [];
  const turn = events.find((/** @type {any} */ { event }) => event === "first_hand_chosen")?.position ?? 0;
  const positions = new Set(noted.map((/** @type {[number, string]} */ [seat]) => seat)).size;
  const due = noted.map((/** @type {[number, string]} */ [seat, place]) => {
    if (!turn) return [seat, place];
    const then = (seat + turn) % positions;
    return [then, (then ? "" : "dealer_") + place.replace(/^dealer_/, "")];
  });
  const dealt = events.flatMap((/** @type {any} */ { event, cards }) => (event === "cards_dealt" ? cards : []));
  const holds = String(due) === String(dealt.map((/** @type {any[]} */ [seat, place]) => [seat, place]));
  const says = holds
    ? "went to the places noted before your seed was sent, in that order"
    : "went to OTHER places, or in another order, than noted before your seed was sent";
  return [{ what: "The cards", holds, says }];
}

/** What the checks leave open, because this browser has not kept what they take. @param {any} record */
function gapsOf({ receipt, root, hashes, deal_order, events }) {
  const find = (/** @type {string} */ name) => events.find((/** @type {any} */ { event }) => event === name);
  const mixed = find("deck_mixed");
  const late = (mixed?.seeds ?? []).filter((/** @type {PlayerSeed} */ { seed }) => !seed);
  return [
    !receipt && {
      says: "Receipt: none; compare this root with the one you noted before the bets.",
      unproved: "the deck was fixed before the bets",
    },
    receipt &&
      mixed &&
      root === null && {
        says: "Root: not noted before the seeds were sent; the house may have fixed another deck and signed it later.",
        unproved: "the deck was fixed before the seeds were sent",
      },
    !hashes &&
      mixed && {
        says: "Hashes: not noted before the seeds were sent; the house may have added one later.",
        unproved: "no seed was added later",
      },
    !deal_order &&
      mixed &&
      find("cards_dealt") && {
        says: "Places: not noted before the seeds were sent; the house may have chosen who gets which card.",
        unproved: "each card went where the rules put it",
      },
    find("face_up_card_discarded") && {
      says: "A card: the house took it out as found face up, which moves all cards behind it.",
      unproved: "no card was taken out to move the others",
    },
    !mixed &&
      find("cards_dealt") && {
        says: "Seeds: no player sent one; the house alone has chosen the order of the cards.",
        unproved: "the house did not choose the cards",
      },
    late.length && {
      says: `Seeds: none came from ${late.map((/** @type {PlayerSeed} */ { player }) => player).join(", ")}; the hash took its place.`,
      unproved: "no player kept a seed back to choose between two orders",
    },
  ].filter((gap) => !!gap);
}

/** Compares the cards on the table with the order that was to be dealt. @param {any} record @param {any} mixed @returns {Finding[]} */
function checkCards(record, mixed) {
  const due = dueSpots(record, mixed);
  const seen = record.events.flatMap(seenSpots).filter((/** @type {Spot} */ { card }) => card !== HIDDEN);
  // Where only the seat is known, 0 is the dealer's hand.
  const fits = (/** @type {Spot} */ { seat, place, card }) =>
    due.some(
      (one) =>
        one.seat === seat &&
        one.card === card &&
        (place ? one.place === place : seat > 0 || one.place.startsWith("dealer_")),
    );
  const repeats = (/** @type {string[]} */ all) => new Set(all).size < all.length;
  const shown = record.events.map((/** @type {any} */ event) =>
    seenSpots(event).flatMap(({ card }) => (card === HIDDEN ? [] : [card])),
  );
  const wrong = seen.filter((/** @type {Spot} */ spot) => !fits(spot)).map((/** @type {Spot} */ { card }) => card);
  const count = new Set(seen.map((/** @type {Spot} */ { card }) => card)).size;
  const puts = `${mixed ? "the order, permuted by the seeds," : "the order"} puts them`;
  if (repeats(due.map(({ seat, place }) => `${seat} ${place}`)) || shown.some(repeats))
    return [{ what: "The cards:", holds: false, says: "one place got TWO, or one was shown TWICE at once" }];
  if (wrong.length)
    return [{ what: wrong.join(", "), holds: false, says: `should NOT lie where they lay: ${puts} elsewhere` }];
  return seen.length ? [{ what: `All ${count} cards`, holds: true, says: `lie where ${puts}` }] : [];
}

/** The cards of the deal where the order puts them, as far as they are opened. @param {any} record @param {any} mixed @returns {Spot[]} */
function dueSpots({ commitment, openings, opened, events }, mixed) {
  /** @type {string[]} */
  const labels = commitment.labels.filter((/** @type {string} */ label) => label.startsWith("card/"));
  const house = new Map(openings.map((/** @type {Opening} */ { label, value }) => [label, value]));
  commitment.labels.forEach((/** @type {string} */ label, /** @type {number} */ at) => {
    if (opened) house.set(label, opened.values[at]);
  });
  const found = events
    .filter((/** @type {any} */ { event }) => event === "face_up_card_discarded")
    .map((/** @type {any} */ { card }) => card);
  const order = mixed ? mixedOrder(labels, mixOf(mixed)) : labels;
  const cards = order.map((label) => house.get(label) ?? HIDDEN).filter((card) => !found.includes(card));
  const dealt = events.flatMap((/** @type {any} */ one) => (one.event === "cards_dealt" ? one.cards : []));
  return dealt.map((/** @type {any[]} */ [seat, place], /** @type {number} */ at) => ({
    seat,
    place,
    card: cards[at],
  }));
}

/** The cards that an event shows. @param {any} event @returns {Spot[]} */
function seenSpots({ event, seat, place, card, places, cards = [] }) {
  if (event === "cards_dealt") return cards.map((/** @type {any[]} */ [seat, place, card]) => ({ seat, place, card }));
  if (event === "community_cards_revealed")
    return cards.map((/** @type {string} */ card, /** @type {number} */ at) => ({ seat: 0, place: places[at], card }));
  if (event === "community_card_exposed") return [{ seat: 0, place, card }];
  if (["hand_shown", "hands_exposed", "hand_set", "choice_made"].includes(event))
    return cards.map((/** @type {string} */ card) => ({ seat, place: "", card }));
  if (event === "dealer_hands_set") return cards.map((/** @type {string} */ card) => ({ seat: 0, place: "", card }));
  return [];
}

// --- on the page -------------------------------------------------------------------------------------------------------

/** The checked rounds of this page. @type {Map<string, {record: any, findings: Finding[], problem: string}>} */
const checked = new Map();

/**
 * The fairness check of one round.
 * @param {string} table
 * @param {number} round
 * @param {number} lessonSeed of the table
 * @param {() => void} show draws the page again
 */
export function fairnessSection(table, round, lessonSeed, show) {
  const done = checked.get(`${table}/${round}`);
  return h(
    "section",
    { class: "fairness", key: `fair${table}${round}` },
    h("h3", null, "Could the house choose the cards?"),
    !done && buttonNode("Check in this browser", () => void runCheck(table, round, show)),
    done?.problem && h("p", { class: "notice", role: "alert" }, done.problem),
    done && !done.problem && verdictNode(done.record, done.findings),
    round === 1 && lessonNote(lessonSeed),
  );
}

/** Says that a lesson's deck is fixed. @param {number} seed 0 for a random deck */
const lessonNote = (seed) =>
  seed > 0 &&
  h(
    "p",
    { key: "lesson", class: "lesson-note" },
    `This was the lesson’s hand. Its deck is fixed and the same for everybody: repeatable seed ${seed}. The decks after it are random.`,
  );

/** @param {any} record @param {Finding[]} findings */
function verdictNode(record, findings) {
  if (!record.commitment)
    return h("p", null, "The cards of this table are physical: the house has fixed no order, and no seed permutes it.");
  const wrong = findings.filter(({ holds }) => !holds).length;
  const gaps = gapsOf(record);
  const fair = gaps.length
    ? `All ${findings.length} checks hold, but nothing here shows that ${gaps.map(({ unproved }) => unproved).join(" or that ")}.`
    : `No: all ${findings.length} checks hold.`;
  return [
    h(
      "p",
      { class: wrong ? "notice" : gaps.length ? "" : "fair", role: "status" },
      wrong ? `Yes: ${wrong} of ${findings.length} checks fail.` : findings.length ? fair : "Nothing to check.",
    ),
    h(
      "ul",
      { class: "findings" },
      findings.map(({ what, holds, says }, at) =>
        h("li", { key: at, class: holds ? "" : "wrong" }, `${what} ${says}.`),
      ),
    ),
    gaps.map(({ says }) => h("p", { key: says }, says)),
    h("p", { class: "root" }, `Root ${record.commitment.root}`),
    buttonNode("Save for crossfelt fair", () =>
      saveFile(`${record.table}-${record.round}.json`, JSON.stringify(record)),
    ),
  ];
}

/** @param {string} table @param {number} round @param {() => void} show */
async function runCheck(table, round, show) {
  try {
    const record = await requestCached(`/tables/${encodeURIComponent(table)}/rounds/${round}`);
    const whole = { ...record, table, round, ...proofOf(table, round) };
    const findings = record.commitment ? await checkRound(whole) : [];
    checked.set(`${table}/${round}`, { record: whole, findings, problem: "" });
  } catch (error) {
    checked.set(`${table}/${round}`, { record: null, findings: [], problem: errorText(error) });
  }
  show();
}
