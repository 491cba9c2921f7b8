// @ts-check
/** Cards that a player divides into two hands, the higher first. */

import { cardNode } from "../shared/card.js";
import { buttonNode, h, loadStylesheet } from "../shared/dom.js";
import { capital, cardName, HIDDEN } from "../shared/format.js";
import { cardBack, cardsOf, ownOption } from "./state.js";

await loadStylesheet("table/split.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */

const ORDER = "23456789TJQKA";

/** Sorts the joker first, then ace to two. @param {string} a @param {string} b */
const byRank = (a, b) => (b === "Jk" ? 99 : ORDER.indexOf(b[0])) - (a === "Jk" ? 99 : ORDER.indexOf(a[0]));

/** @param {Page} page @param {Seat} seat */
export function handsToSet(page, seat) {
  const { ui, state } = page;
  const [high, front] = state.game.splits[0].into;
  const setting = Boolean(ownOption(state, "set_hand"));
  const held = cardsOf(state, seat);
  // The player's own choice stays in sight when the dealer picks up a hand that was never shown.
  const known = (/** @type {string[]} */ cards) => cards.length > 0 && !cards.includes(HIDDEN);
  const low = [seat.low, state.round.low[seat.number] ?? [], ui.low].find((one) => !setting && known(one)) ?? ui.low;
  const back = cardBack(page);
  const shown = state.round.hands[seat.number];
  const way = page.chosenSetting;
  const names = shown ?? (way && { high: way.high_name, low: way.low_name });
  const cards = held.map((card, at) => ({ card, at }));
  if (!held.includes(HIDDEN)) cards.sort((a, b) => byRank(a.card, b.card));
  const one = (/** @type {{card: string, at: number}} */ given) => cardToSet(page, seat, given, setting, back);
  if (!held.length) return null;
  return h(
    "div",
    { class: `to-set${setting ? " setting" : ""}`, "data-group": "hand" },
    tray("behind", high, names?.high, cards.filter(({ card }) => !low.includes(card)).map(one)),
    tray(
      `front${setting && way?.foul ? " foul" : ""}`,
      front,
      names?.low,
      cards.filter(({ card }) => low.includes(card)).map(one),
      setting ? front.cards : 0,
    ),
    setting && houseWayNote(page),
  );
}

/**
 * One of the two hands, with empty places for cards to come.
 * @param {string} kind
 * @param {{title: string, cards: number}} hand
 * @param {string | undefined} name
 * @param {any[]} cards
 * @param {number} [places]
 */
const tray = (kind, hand, name, cards, places = 0) =>
  h(
    "div",
    { class: `tray-${kind}` },
    h(
      "span",
      { class: "tray-name" },
      h("span", null, `${hand.title}, ${hand.cards} cards`),
      name && h("strong", null, capital(name)),
    ),
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
function cardToSet(page, seat, { card, at }, setting, back) {
  const drawn = cardNode(card, { back, "data-place": `seat${seat.number}-${at}` });
  if (!setting || card === HIDDEN) return h("span", { key: card === HIDDEN ? at : card, class: "slot" }, drawn);
  const inFront = page.ui.low.includes(card);
  const hands = page.state.game.splits[0].into.map((/** @type {any} */ hand) => hand.title.toLowerCase());
  const [here, there] = inFront ? [hands[1], hands[0]] : hands;
  return buttonNode(drawn, () => page.choose(card), {
    key: card,
    class: "slot",
    "aria-pressed": String(inFront),
    "aria-label": `${cardName(card)}, in the ${here}. Press to move it to the ${there}`,
  });
}

/** @param {Page} page */
function houseWayNote(page) {
  const { ways, low } = page.ui;
  if (!ways?.house_way) return null;
  const shown =
    low.length === ways.house_way.length && ways.house_way.every((/** @type {string} */ card) => low.includes(card));
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
