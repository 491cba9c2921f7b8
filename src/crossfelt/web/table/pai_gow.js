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
    { class: "dealer-two", role: "group", "aria-label": "Dealer's hands", "data-group": "dealer" },
    h(
      "div",
      { class: "dealer-fans" },
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
  // The player's own choice stays in sight when the dealer picks up a hand that was never shown.
  const low = [seat.low, state.round.low[seat.number] ?? [], ui.low].find((one) => !setting && one.length) ?? ui.low;
  const back = cardBack(page);
  const shown = state.round.hands[seat.number];
  const way = page.chosenSetting;
  const names = shown ?? (way && { high: way.high_name, low: way.low_name });
  const cards = held.map((card, at) => ({ card, at }));
  if (!held.includes(HIDDEN)) cards.sort((a, b) => byRank(a.card, b.card));
  const one = (/** @type {{card: string, at: number}} */ given) => sevenCard(page, seat, given, setting, back);
  if (!held.length) return null;
  return h(
    "div",
    { class: `seven${setting ? " setting" : ""}`, "data-group": "hand" },
    tray("five", "High, five cards", names?.high, cards.filter(({ card }) => !low.includes(card)).map(one)),
    tray(
      `two${setting && way?.foul ? " foul" : ""}`,
      "Low, two cards",
      names?.low,
      cards.filter(({ card }) => low.includes(card)).map(one),
      setting ? 2 : 0,
    ),
    setting && houseWayNote(page),
  );
}

/**
 * One of the two hands, with empty places for cards to come.
 * @param {string} kind
 * @param {string} title
 * @param {string | undefined} name
 * @param {any[]} cards
 * @param {number} [places]
 */
const tray = (kind, title, name, cards, places = 0) =>
  h(
    "div",
    { class: `tray-${kind}` },
    h("span", { class: "tray-name" }, h("span", null, title), name && h("strong", null, capital(name))),
    h(
      "div",
      { class: "fan" },
      cards,
      Array.from({ length: Math.max(0, places - cards.length) }, (_, at) =>
        h("span", { key: `gap${at}`, class: "gap", "aria-hidden": "true" }),
      ),
    ),
  );

/**
 * @param {Page} page
 * @param {Seat} seat
 * @param {{card: string, at: number}} given
 * @param {boolean} setting
 * @param {string} back
 */
function sevenCard(page, seat, { card, at }, setting, back) {
  const drawn = cardNode(card, { back, "data-place": `seat${seat.number}-${at}` });
  if (!setting || card === HIDDEN) return h("span", { key: card === HIDDEN ? at : card, class: "slot" }, drawn);
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
