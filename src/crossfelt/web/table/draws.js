// @ts-check
/**
 * Draws from a seed, as in `crossfelt.cards.shuffle` and `crossfelt.cards.player_seeds`, and the check of what wheels, dice
 * and progressive systems show, as in `crossfelt.proof.fair_round`.
 */

import { capital, plain } from "../shared/format.js";
import { bigEndian, bytesOfHex, bytesOfText, joined, shake256 } from "../shared/hashes.js";

/** @typedef {{seat: number, player: string, hash: string, seed: string}} PlayerSeed */
/** @typedef {{what: string, holds: boolean, says: string}} Finding */

export const SEED_BYTES = 48;
/** The cards by rank. */
export const DECK = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit));
/** The positions of a deal to every seat: six seats and the dealer. */
const POSITIONS = 7;
/** The events that show a draw. */
const DRAWN = ["first_hand_chosen", "wheel_spun", "xtreme_spun", "awards_drawn"];

/** A text after its length in two bytes. @param {string} text */
export function sized(text) {
  const bytes = bytesOfText(text);
  return joined(bigEndian(bytes.length, 2), bytes);
}

/** @param {Uint8Array} seed @param {string} label @returns {Generator<number, never>} */
export function* stream(seed, label) {
  for (let block = 0; ; block += 1)
    yield* shake256(136, bytesOfText("crossfelt chance 1"), sized(label), seed, bigEndian(block, 8));
}

/** @param {Iterator<number>} source @param {number} size */
export const take = (source, size) => Uint8Array.from({ length: size }, () => source.next().value ?? 0);

/** A number below a bound; numbers that would favour some results are rejected. @param {number} bound @param {Iterator<number>} source */
function below(bound, source) {
  const size = Math.max(1, Math.ceil(Math.log2(bound) / 8));
  const limit = 256 ** size - (256 ** size % bound);
  for (;;) {
    const number = take(source, size).reduce((sum, byte) => 256 * sum + byte, 0);
    if (number < limit) return number % bound;
  }
}

/** The index of one of the weights. @param {number[]} weights @param {Iterator<number>} source */
function weighted(weights, source) {
  let left = below(
    weights.reduce((sum, weight) => sum + weight, 0),
    source,
  );
  return weights.findIndex((weight) => (left -= weight) < 0);
}

/** The seed that the players' seeds make together. @param {{round_id: string, seeds: PlayerSeed[]}} mixed */
export function mixOf({ round_id, seeds }) {
  const parts = [...seeds]
    .sort((a, b) => a.seat - b.seat)
    .flatMap((one) => [Uint8Array.of(one.seat), sized(one.seed || one.hash)]);
  return shake256(SEED_BYTES, bytesOfText("crossfelt mix 1"), sized(round_id), ...parts);
}

/** The order that is dealt: Fisher and Yates. @template T @param {T[]} order @param {Uint8Array} mix @returns {T[]} */
export function mixedOrder(order, mix) {
  const source = stream(mix, "deck");
  const mixed = [...order];
  for (let left = mixed.length; left > 1; left -= 1) {
    const chosen = below(left, source);
    [mixed[left - 1], mixed[chosen]] = [mixed[chosen], mixed[left - 1]];
  }
  return mixed;
}

/** Draws again what wheels, dice and progressive systems show. @param {any} record @param {any} mixed @returns {Finding[]} */
export function checkDraws({ commitment, opened, events, draws }, mixed) {
  const house = bytesOfHex(opened.values[commitment.labels.indexOf("devices")] ?? "", SEED_BYTES);
  const mix = mixed ? mixOf(mixed) : new Uint8Array(SEED_BYTES);
  const seed = house?.map((byte, at) => byte ^ mix[at]);
  /** @type {Record<string, number>} the draws of each device so far */
  const given = {};
  let bank = 0;
  /** @type {Finding[]} */
  const found = [];
  for (const event of events) {
    if (event.event === "bank_taken") bank = event.seat;
    if (event.event === "bank_returned") bank = 0;
    if (!DRAWN.includes(event.event)) continue;
    let holds = !!seed && (event.event !== "first_hand_chosen" || isCounted(event, bank));
    let said = "";
    for (const [field, device] of devicesOf(event)) {
      given[device] = (given[device] ?? 0) + 1;
      const name = `${event.seq}.${event.n}`;
      const { weights = [] } = draws.find((/** @type {any} */ one) => one.event === name && one.field === field) ?? {};
      holds &&= shows(event[field], field, stream(seed ?? mix, `${device}/${given[device]}`), weights);
      if (weights.length) said += `; weights of ${plain(field)}: ${runsOf(weights)}`;
    }
    const says = holds ? "shows what the seeds draw" : "does NOT show what the seeds draw";
    found.push({ what: capital(plain(event.event)), holds, says: says + said });
  }
  return found;
}

/** The stream of each field that shows a draw. @param {any} event @returns {[string, string][]} */
function devicesOf({ event, seat, dice }) {
  if (event === "first_hand_chosen") return dice?.length ? [["dice", "dice"]] : [["number", "number"]];
  if (event === "wheel_spun") return [["index", `wheel/seat${seat}`]];
  if (event === "xtreme_spun") return ["community", "hot_spot", "prize"].map((field) => [field, `xtreme/${field}`]);
  return ["lucky_seat", "lucky_dealer", "magic_card"].map((field) => [field, field]);
}

/** Says if a field shows the next draw. @param {any} shown @param {string} field @param {Iterator<number>} source @param {number[]} weights */
function shows(shown, field, source, weights) {
  if (field === "dice") return String(shown) === String([6, 6, 6].map((sides) => 1 + below(sides, source)));
  if (field === "number") return shown === 1 + below(POSITIONS, source);
  if (!weights.some((weight) => weight > 0)) return false;
  const drawn = weighted(weights, source);
  if (field === "magic_card") return (shown ?? null) === (drawn ? DECK[drawn - 1] : null);
  return Number(shown ?? 0) === drawn + Number(field === "hot_spot");
}

/** Says if the number follows from the dice, and the position from the number. @param {any} event @param {number} bank */
function isCounted({ number, position, dice }, bank) {
  const total = dice?.length
    ? dice.reduce((/** @type {number} */ sum, /** @type {number} */ die) => sum + die, 0)
    : number;
  return number === total && position === (((bank - number + 1) % POSITIONS) + POSITIONS) % POSITIONS;
}

/** Weights as text, with equal neighbours together. @param {number[]} weights */
function runsOf(weights) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const weight of weights) {
    const last = runs.at(-1);
    if (last?.[0] === weight) last[1] += 1;
    else runs.push([weight, 1]);
  }
  return runs.map(([weight, count]) => (count > 1 ? `${count} × ${weight}` : weight)).join(", ");
}
