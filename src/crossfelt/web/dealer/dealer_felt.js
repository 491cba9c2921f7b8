// @ts-check
/** The felt from the dealer's side: the players opposite, the dealer's left on the left. */

import { cardNode } from "../shared/card.js";
import { buttonNode, h } from "../shared/dom.js";
import { capital, dollars, HIDDEN, signed } from "../shared/format.js";
import { cardBack, cardsOf, netOf, shortName, stakeText, wagerOf } from "../table/state.js";

/** @typedef {import("./dealer.js").DealerDesk} Page */
/** @typedef {import("../table/state.js").Seat} Seat */

/** The cross as the dealer sees it. */
const CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"];

/** @param {Page} page */
export function deskFelt(page) {
  const { state } = page;
  const { game, view } = state;
  if (!view) return null;
  return h(
    "section",
    { key: "felt", class: `desk-felt cloth felt-${game.game}`, "aria-label": "The felt, from the dealer's side" },
    h(
      "div",
      { class: "desk-seats" },
      view.seats.map((seat) => seatNode(page, seat)),
    ),
    game.game === "pai_gow" ? dealerSeven(page) : cross(page),
  );
}

/** @param {Page} page @param {Seat} seat */
function seatNode(page, seat) {
  const { state, desk } = page;
  const turn = Boolean(state.view?.turn.length) && state.view?.turn[0] === seat.number;
  const cards = cardsOf(state, seat);
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
    h(
      "span",
      { class: `seat-cards${cards.length > 2 ? " many" : ""}` },
      cards.map((card, at) => cardNode(card, { key: at })),
    ),
    h(
      "span",
      { class: "seat-wagers" },
      wagerLines(state, seat).map(([title, amount]) =>
        h("span", { key: title }, h("i", { title }, title), h("b", null, amount)),
      ),
    ),
    seat.player &&
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
    const title = wager?.group ? `${capital(wager.group)}s` : shortTitle(wager?.title ?? id);
    lines.set(title, [...(lines.get(title) ?? []), stakeText(state, id, stake)]);
  }
  return [...lines].map(([title, amounts]) => [
    title,
    amounts.length > 1 ? `${amounts.length}×${amounts[0]}` : amounts[0],
  ]);
}

/** @param {string} title */
const shortTitle = (title) =>
  title
    .replace(/ (bet|wager)$/, "")
    .replace("Progressive wager on the ", "Prog. ")
    .replace(/^Pai gow poker$/, "Main");

/** @param {Page} page */
function cross(page) {
  const { view, round } = page.state;
  const layout = view?.layout ?? {};
  const back = cardBack(page);
  const dealer = Object.entries(layout).filter(([place]) => place.startsWith("dealer_"));
  return h(
    "div",
    { class: "desk-cross" },
    CROSS.map((place) =>
      h(
        "div",
        { key: place, class: `at-${place}` },
        layout[place] ? cardNode(layout[place], { back }) : h("span", { class: "slot" }),
      ),
    ),
    dealer.length > 0 &&
      h(
        "div",
        { key: "dealer", class: "desk-dealer" },
        dealer.map(([place, card]) => cardNode(card, { key: place, back })),
        round.dealer && h("span", null, `Dealer: ${round.dealer}`),
      ),
  );
}

/** @param {Page} page */
function dealerSeven(page) {
  const { view, round } = page.state;
  const cards = Object.values(view?.layout ?? {});
  const low = view?.dealer_low ?? [];
  const behind = cards.filter((card) => card === HIDDEN || !low.includes(card));
  return h(
    "div",
    { class: "desk-seven" },
    low.length > 0 &&
      h(
        "div",
        { key: "low", class: "seven-front" },
        low.map((card) => cardNode(card, { key: card })),
      ),
    h(
      "div",
      { key: "high", class: "seven-behind" },
      behind.map((card, at) => cardNode(card, { key: at })),
    ),
    round.dealer &&
      low.length > 0 &&
      h(
        "p",
        { key: "name" },
        `Dealer: ${round.dealer}`,
        page.desk?.house_way && h("small", null, `House way: ${page.desk.house_way}`),
      ),
  );
}
