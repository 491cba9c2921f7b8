// @ts-check
/** The table as plain sentences, for screen readers and for reading. */

import { capital, cardName, clock, dollars, HIDDEN, plain, signed } from "../shared/format.js";
import { placeName } from "./places.js";
import { ownSeat, shortName, stakeText, statusText, totalBet, wagerOf } from "./state.js";

/** @param {import("./state.js").State} state @returns {string[]} */
export function describeTable(state) {
  const { view, game } = state;
  if (!view || !game) return ["The table is loading."];
  const seat = ownSeat(state);
  return [
    `${game.title}. Round ${view.round || 1}. ${statusText(state)}.`,
    ...(seat ? ownSeatText(state, seat) : ["You are watching."]),
    layoutText(game, view),
    ...game.posted.limits.map((/** @type {any} */ limit) => `${limit.title}. ${limit.says}`),
    ...view.seats
      .filter((other) => other.player && other.number !== seat?.number)
      .map((other) => otherSeatText(state, other)),
  ].filter(Boolean);
}

/** @param {import("./state.js").State} state @param {import("./state.js").Seat} seat @returns {string[]} */
function ownSeatText(state, seat) {
  const cards = seat.cards.map(cardName).join(", ");
  const hands = Object.entries(seat.hands).map(
    ([line, hand]) => `${capital(plain(line))}: ${hand.name}${hand.complete ? "" : " so far"}.`,
  );
  const wagers = Object.entries(seat.wagers).map(
    ([wager, stake]) => `${wagerOf(state, wager)?.title ?? plain(wager)} ${stakeText(state, wager, stake)}`,
  );
  return [
    `You are in seat ${seat.number} with ${dollars(seat.chips_cents)} in chips. ${totalBet(seat) ? `Your bets total ${dollars(totalBet(seat))}: ${wagers.join(", ")}` : "You have no bets"}.`,
    `Your net result is ${signed(seat.chips_cents + totalBet(seat) - state.boughtCents)} after ${clock(Date.now() - state.since)}.`,
    cards && `You hold ${cards}. ${hands.join(" ")}`,
  ].filter(Boolean);
}

/** @param {any} game @param {import("./state.js").View} view */
function layoutText(game, view) {
  const places = Object.entries(view.layout);
  if (!places.length) return "No cards are on the table.";
  const shown = places
    .filter(([, card]) => card !== HIDDEN)
    .map(([place, card]) => `${placeName(game, place)} ${cardName(card)}`);
  const down = places.length - shown.length;
  return `On the table: ${[...shown, down ? `${down} face down` : ""].filter(Boolean).join(", ")}.`;
}

/** @param {import("./state.js").State} state @param {import("./state.js").Seat} seat */
function otherSeatText(state, seat) {
  const shown = seat.cards
    .filter((card) => card !== HIDDEN)
    .map(cardName)
    .join(", ");
  const doing =
    { in: "in the round", folded: "folded", done: "settled", out: "not in this round" }[seat.status] ?? seat.status;
  return `${shortName(seat.player)}, in seat ${seat.number}: ${doing}${totalBet(seat) ? `, ${dollars(totalBet(seat))} bet` : ""}${shown ? `, shows ${shown}` : ""}.`;
}
