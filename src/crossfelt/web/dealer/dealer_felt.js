// @ts-check
/** The felt from the dealer's side: the players opposite, the dealer's left on the left. */

import { cardNode } from "../shared/card.js";
import { buttonNode, h } from "../shared/dom.js";
import { capital, dollars, HIDDEN, signed } from "../shared/format.js";
import { groupsOf, placesOf } from "../table/places.js";
import { cardBack, cardsOf, netOf, shortName, shortTitle, stakeText, wagerOf } from "../table/state.js";

/** @typedef {import("./dealer.js").DealerDesk} Page */
/** @typedef {import("../table/state.js").Seat} Seat */

/** @param {Page} page */
export function deskFelt(page) {
  const { state } = page;
  const { game, view } = state;
  if (!view) return null;
  return h(
    "section",
    { key: "felt", class: `desk-felt cloth tint-${game.tint}`, "aria-label": "The felt, from the dealer's side" },
    h(
      "div",
      { class: "desk-seats" },
      view.seats.map((seat) => seatNode(page, seat)),
    ),
    deskBoard(page),
  );
}

/** @param {Page} page @param {Seat} seat */
function seatNode(page, seat) {
  const { state, desk } = page;
  const turn = Boolean(state.view?.turn.length) && state.view?.turn[0] === seat.number;
  // The hand that an exam asks about; a reload has missed the event that showed it.
  const asked = desk?.movements.find((movement) => movement.seat === seat.number && movement.cards);
  const low = asked?.low ?? [];
  const cards = asked?.cards ?? cardsOf(state, seat);
  const hands = low.length ? [low, cards.filter((card) => !low.includes(card))] : [cards];
  const wagers = Object.entries(seat.wagers);
  const results = state.round.results[seat.number];
  const words = [seat.player || "Free", seat.status === "folded" && "folded", turn && "to act"]
    .filter(Boolean)
    .join(", ");
  const inside = [
    h(
      "span",
      { class: "seat-head" },
      h("b", null, seat.number),
      h("span", { class: "seat-name", title: seat.player || undefined }, shortName(seat.player) || "Free"),
    ),
    hands.map((hand, at) =>
      h(
        "span",
        { key: `hand ${at}`, class: `seat-cards${cards.length > 2 ? " many" : ""}` },
        hand.map((card, place) => cardNode(card, { key: place })),
      ),
    ),
    h(
      "span",
      { class: "seat-wagers" },
      wagerLines(state, seat).map(([title, amount]) =>
        h("span", { key: title }, h("i", { title }, title), h("b", null, amount)),
      ),
    ),
    seat.player &&
      !desk?.exam &&
      h(
        "span",
        { class: "seat-foot" },
        results && !wagers.length
          ? h(
              "b",
              { class: netOf(state.round, seat.number) < 0 ? "down" : "up" },
              signed(netOf(state.round, seat.number)),
            )
          : h("span", null, dollars(seat.chips_cents)),
      ),
  ];
  const names = `desk-seat${turn ? " is-turn" : ""}${seat.player ? "" : " is-free"}${seat.status === "folded" ? " is-folded" : ""}`;
  return desk?.live
    ? buttonNode(inside, () => page.startLineForSeat(seat.number), {
        key: seat.number,
        class: names,
        "aria-label": `Seat ${seat.number}: ${words}. Press to enter what the player does`,
      })
    : h(
        "div",
        { key: seat.number, class: names, role: "group", "aria-label": `Seat ${seat.number}: ${words}` },
        inside,
      );
}

/**
 * Returns the wagers of a seat; wagers of one group share a line.
 * @param {import("../table/state.js").State} state
 * @param {Seat} seat
 * @returns {[string, string][]}
 */
function wagerLines(state, seat) {
  /** @type {Map<string, string[]>} */
  const lines = new Map();
  for (const [id, stake] of Object.entries(seat.wagers)) {
    const wager = wagerOf(state, id);
    const title = wager?.group ? capital(wager.group.replace(/s?$/, "s")) : shortTitle(state.game, wager);
    lines.set(title, [...(lines.get(title) ?? []), stakeText(state, id, stake)]);
  }
  return [...lines].map(([title, amounts]) => [
    title,
    amounts.length > 1 ? `${amounts.length}×${amounts[0]}` : amounts[0],
  ]);
}

/** The cards in front of the dealer, each group in its shape: the community's, then the dealer's own. @param {Page} page */
function deskBoard(page) {
  const { view, game } = page.state;
  const back = cardBack(page);
  const place = (/** @type {string} */ name, /** @type {number} */ at) =>
    h(
      "div",
      { key: name, class: `at-${at + 1}` },
      view?.layout[name] ? cardNode(view.layout[name], { back }) : h("span", { class: "slot" }),
    );
  return h(
    "div",
    { class: "desk-board" },
    groupsOf(game, "community").map((group) => {
      const places = group.places.map(place);
      // A cross is listed as the dealer sees it, a row as the players do.
      return group.shape === "cross"
        ? h("div", { key: group.id, class: "desk-cross" }, places)
        : h("div", { key: group.id, class: "desk-row" }, places.reverse());
    }),
    dealerHand(page),
  );
}

/** The dealer's own cards; after a split, the lower hand in front. @param {Page} page */
function dealerHand(page) {
  const { view, game, round } = page.state;
  const back = cardBack(page);
  const cards = placesOf(game, "dealer").flatMap((place) => view?.layout[place] ?? []);
  if (!cards.length) return null;
  const low = view?.dealer_low ?? [];
  return h(
    "div",
    { key: "dealer", class: "desk-dealer" },
    low.length > 0 && h("div", { key: "low", class: "desk-row" }, cardNodes(low, back)),
    h(
      "div",
      { key: "high", class: "desk-row" },
      cardNodes(
        cards.filter((card) => !low.includes(card)),
        back,
      ),
    ),
    round.dealer &&
      h(
        "p",
        { key: "name" },
        `Dealer: ${round.dealer}`,
        low.length > 0 && page.desk?.house_way && h("small", null, `House way: ${page.desk.house_way}`),
      ),
  );
}

/** @param {string[]} cards @param {string} back */
const cardNodes = (cards, back) => cards.map((card, at) => cardNode(card, { key: card === HIDDEN ? at : card, back }));
