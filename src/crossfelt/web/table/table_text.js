// @ts-check
/** The table as a few plain sentences: for screen readers, and for whoever likes to read. */

import { atRisk, mine, nowWords, stakeWords, wagerOf } from "./state.js";
import { capital, cardName, clock, dollars, HIDDEN, plain, signed } from "../shared/format.js";

/** @param {import("./state.js").State} state @returns {string[]} */
export function statement(state) {
  const { view, game } = state;
  if (!view || !game) return ["No table yet."];
  const seat = mine(state);
  return [
    `${game.title}. Round ${view.round || 1}. ${nowWords(state)}.`,
    ...(seat ? own(state, seat) : ["You are watching."]),
    onTheLayout(view),
    ...view.seats
      .filter((other) => other.player && other.number !== seat?.number)
      .map((other) => otherSeat(state, other)),
  ].filter(Boolean);
}

/** @param {import("./state.js").State} state @param {import("./state.js").Seat} seat @returns {string[]} */
function own(state, seat) {
  const cards = seat.cards.map(cardName).join(", ");
  const hands = Object.entries(seat.hands).map(
    ([line, hand]) => `${capital(plain(line))}: ${hand.name}${hand.complete ? "" : " so far"}.`,
  );
  const wagers = Object.entries(seat.wagers).map(
    ([wager, stake]) => `${wagerOf(state, wager)?.title ?? plain(wager)} ${stakeWords(state, wager, stake)}`,
  );
  return [
    `You sit in seat ${seat.number} with ${dollars(seat.chips_cents)}; ${dollars(atRisk(seat))} ${atRisk(seat) ? `on the layout: ${wagers.join(", ")}` : "on the layout"}.`,
    `You are ${signed(seat.chips_cents + atRisk(seat) - state.bought)} after ${clock(Date.now() - state.since)}.`,
    cards && `You hold ${cards}. ${hands.join(" ")}`,
  ].filter(Boolean);
}

/** @param {import("./state.js").View} view */
function onTheLayout(view) {
  const places = Object.entries(view.layout);
  if (!places.length) return "No cards are on the table.";
  const shown = places
    .filter(([, card]) => card !== HIDDEN)
    .map(([place, card]) => `${plain(place)} ${cardName(card)}`);
  const down = places.length - shown.length;
  return `On the table: ${[...shown, down ? `${down} face down` : ""].filter(Boolean).join(", ")}.`;
}

/** @param {import("./state.js").State} state @param {import("./state.js").Seat} seat */
function otherSeat(state, seat) {
  const shown = seat.cards
    .filter((card) => card !== HIDDEN)
    .map(cardName)
    .join(", ");
  const doing =
    { in: "in the round", folded: "folded", done: "settled", out: "not in this round" }[seat.status] ?? seat.status;
  return `Seat ${seat.number}, ${seat.player}: ${doing}${atRisk(seat) ? `, ${dollars(atRisk(seat))} bet` : ""}${shown ? `, shows ${shown}` : ""}.`;
}
