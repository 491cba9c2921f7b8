// @ts-check
/** Pai gow poker: the dealer's seven cards, and the player's seven cards to set in a low and a high hand. */

import { cardNode } from "../shared/card.js";
import { buttonNode, h, loadStylesheet } from "../shared/dom.js";
import { capital, cardName, HIDDEN } from "../shared/format.js";
import { cardBack, cardsOf, ownOption } from "./state.js";

await loadStylesheet("table/pai_gow.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */

/** @param {Page} page */
export function dealerHands(page) {
  const { view, round } = page.state;
  const cards = Object.entries(view?.layout ?? {}).filter(([place]) => place.startsWith("dealer_"));
  const low = new Set(view?.dealer_low ?? []);
  const back = cardBack(page);
  const [front, behind] = [cards.filter(([, card]) => low.has(card)), cards.filter(([, card]) => !low.has(card))];
  const [highName, lowName] = round.dealer.split("; ");
  return h(
    "div",
    { class: "two-hands dealer-two", role: "group", "aria-label": "Dealer's hands" },
    h(
      "div",
      { class: "fan back-five" },
      behind.map(([place, card]) => cardNode(card, { key: place, back, "data-place": place })),
      !cards.length && h("span", { class: "box-label" }, "Dealer"),
    ),
    front.length > 0 &&
      h(
        "div",
        { class: "fan front-two" },
        front.map(([place, card]) => cardNode(card, { key: place, back, "data-place": place })),
      ),
    round.dealer &&
      low.size > 0 &&
      h("p", { class: "hand-names" }, `Dealer: high hand ${highName}, low hand ${lowName}`),
    view?.bank &&
      h(
        "p",
        { class: "hand-names" },
        `Seat ${view.bank.seat} holds the bank${view.bank.co_bank ? " with the house" : ""}`,
      ),
  );
}

const ORDER = "23456789TJQKA";

/** Sorts the joker first, then ace to two. @param {string} a @param {string} b */
const byRank = (a, b) => (b === "Jk" ? 99 : ORDER.indexOf(b[0])) - (a === "Jk" ? 99 : ORDER.indexOf(a[0]));

/** @param {Page} page @param {Seat} seat */
export function sevenCards(page, seat) {
  const { ui, state } = page;
  const setting = Boolean(ownOption(state, "set_hand"));
  const held = cardsOf(state, seat);
  const low = setting ? ui.low : seat.low.length ? seat.low : (state.round.low[seat.number] ?? []);
  const back = cardBack(page);
  const way = page.chosenSetting;
  const cards = held.includes(HIDDEN)
    ? held.map((card, at) => ({ card, at }))
    : held.map((card, at) => ({ card, at })).sort((a, b) => byRank(a.card, b.card));
  const [front, behind] = [
    cards.filter(({ card }) => low.includes(card)),
    cards.filter(({ card }) => !low.includes(card)),
  ];
  const one = (/** @type {{card: string, at: number}} */ given) => sevenCard(page, seat, given, setting, back);
  const done = state.round.hands[seat.number];
  if (!held.length) return null;
  return h(
    "div",
    { class: `two-hands seven${setting ? " setting" : ""}` },
    h(
      "div",
      { class: "tray-five" },
      h(
        "span",
        { class: "tray-name" },
        "High, five cards",
        way && h("strong", null, capital(way.high_name)),
        !setting && done && h("strong", null, capital(done.high)),
      ),
      h("div", { class: "fan" }, behind.map(one)),
    ),
    h(
      "div",
      { class: `tray-two${way?.foul ? " foul" : ""}` },
      h(
        "span",
        { class: "tray-name" },
        "Low, two cards",
        way && h("strong", null, capital(way.low_name)),
        !setting && done && h("strong", null, capital(done.low)),
      ),
      h(
        "div",
        { class: "fan" },
        front.map(one),
        setting &&
          front.length < 2 &&
          Array.from({ length: 2 - front.length }, (_, at) =>
            h("span", { key: `gap${at}`, class: "gap", "aria-hidden": "true" }),
          ),
      ),
    ),
    way?.foul &&
      h(
        "p",
        { class: "foul-text", role: "alert" },
        `Foul: the low hand (${way.low_name}) ranks above the high hand (${way.high_name}). A foul hand loses.`,
      ),
    setting && houseWayNote(page),
  );
}

/**
 * @param {Page} page
 * @param {Seat} seat
 * @param {{card: string, at: number}} given
 * @param {boolean} setting
 * @param {string} back
 */
function sevenCard(page, seat, { card, at }, setting, back) {
  const drawn = cardNode(card, { back, "data-place": `seat${seat.number}-${at}` });
  if (!setting || card === HIDDEN) return h("span", { key: `${card}${at}`, class: "slot" }, drawn);
  const inFront = page.ui.low.includes(card);
  return buttonNode(drawn, () => page.choose(card), {
    key: card,
    class: "slot",
    "aria-pressed": String(inFront),
    "aria-label": `${cardName(card)}, ${inFront ? "in the low hand. Press to move it to the high hand" : "in the high hand. Press to move it to the low hand"}`,
  });
}

/** @param {Page} page */
function houseWayNote(page) {
  const { ways, low } = page.ui;
  if (!ways?.house_way) return null;
  const shown = low.length === 2 && ways.house_way.every((/** @type {string} */ card) => low.includes(card));
  return h(
    "details",
    { class: "house-way" },
    h("summary", null, shown ? "This is the house way: " : "House way: ", ways.rule),
    h(
      "ol",
      null,
      ways.trace.map((/** @type {string} */ line, /** @type {number} */ at) => h("li", { key: at }, line)),
    ),
  );
}
