// @ts-check
/** The middle of the felt: the dealer's cards and the community cards, each group in its shape. */

import { cardNode } from "../shared/card.js";
import { h } from "../shared/dom.js";
import { capital } from "../shared/format.js";
import { groupsOf, lineOf, playersHands } from "./places.js";
import { cardBack, cardsOf, ownSeat, wagerOf } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */
/** @typedef {import("./places.js").Group} Group */
/** @typedef {import("./places.js").FeltHand} FeltHand */

/** @param {any} game @returns {Group | undefined} */
const crossOf = (game) => groupsOf(game, "community").find((group) => group.shape === "cross");

/** The classes of a board: a cross, or rows of cards with their number, and the longest row or hand. @param {any} game */
export function boardShape(game) {
  if (crossOf(game)) return "board-cross";
  const rows = [...groupsOf(game, "community").map((group) => group.places.length), cards(game, "dealer")].filter(
    Boolean,
  );
  return `board-open rows-${rows.length} across-${Math.max(...rows, cards(game, "seat"))}`;
}

/** @param {any} game @param {Group["owner"]} owner */
const cards = (game, owner) => groupsOf(game, owner).reduce((sum, group) => sum + group.places.length, 0);

/** @param {Page} page */
export function board(page) {
  const { game } = page.state;
  const cross = crossOf(game);
  const rows = groupsOf(game, "community").filter((group) => group !== cross);
  return h(
    "div",
    { class: "board" },
    cross ? crossNode(page, cross) : dealerNode(page),
    rows.map((group) => rowNode(page, group)),
    bankNode(page),
  );
}

/** @param {Page} page */
function bankNode({ state: { view } }) {
  if (!view?.bank) return null;
  return h(
    "p",
    { class: "hand-names" },
    `Seat ${view.bank.seat} holds the bank${view.bank.co_bank ? " with the house" : ""}`,
  );
}

/** One place of a group: its card, or its printed label. @param {Page} page @param {Group} group @param {number} at */
function box(page, group, at) {
  const { view } = page.state;
  const place = group.places[at];
  const card = view?.layout[place];
  return h(
    "div",
    { key: place, class: `box box-${at + 1}`, "data-box": place },
    card
      ? cardNode(card, { back: cardBack(page), "data-place": place })
      : h("span", { class: "box-label" }, group.labels[at] || capital(group.names[at])),
  );
}

/** Community cards in a row. @param {Page} page @param {Group} group */
function rowNode(page, group) {
  return h(
    "div",
    { key: group.id, class: "card-row", role: "group", "aria-label": "Community cards", "data-group": "community" },
    group.places.map((_, at) => box(page, group, at)),
  );
}

// --- the dealer's cards -----------------------------------------------------------------------------------------------

/** The dealer's cards; after a split, the lower hand apart. @param {Page} page */
function dealerNode(page) {
  const { view, game, round } = page.state;
  const groups = groupsOf(game, "dealer");
  if (!groups.length) return null;
  const low = new Set(view?.dealer_low ?? []);
  const back = cardBack(page);
  const places = groups.flatMap((group) => group.places);
  const dealt = places.filter((place) => view?.layout[place]);
  const front = dealt.filter((place) => low.has(view?.layout[place] ?? ""));
  const card = (/** @type {string} */ place) =>
    cardNode(view?.layout[place] ?? "", { key: place, back, "data-place": place });
  return h(
    "div",
    { class: "dealer-cards", role: "group", "aria-label": "Dealer's cards", "data-group": "dealer" },
    !dealt.length && h("span", { class: "box-label" }, "Dealer"),
    h(
      "div",
      { class: "dealer-fans" },
      dealt.length
        ? h("div", { class: "fan" }, dealt.filter((place) => !front.includes(place)).map(card))
        : h(
            "div",
            { class: "fan" },
            places.map((place) => h("span", { key: place, class: "box", "data-box": place })),
          ),
      front.length > 0 && h("div", { class: "fan fan-front" }, front.map(card)),
    ),
    round.dealer && dealt.length > 0 && h("p", { class: "hand-names" }, `Dealer: ${dealerHands(page)}`),
  );
}

/** The names of the dealer's hands, as announced. @param {Page} page */
function dealerHands({ state: { game, round } }) {
  const [split] = game.splits;
  if (!split) return round.dealer;
  const names = round.dealer.split("; ");
  return split.into
    .map((/** @type {any} */ hand, /** @type {number} */ at) => `${hand.title.toLowerCase()} ${names[at]}`)
    .join(", ");
}

// --- the cross ------------------------------------------------------------------------------------------------------

/** @param {Page} page @param {Group} cross */
function crossNode(page, cross) {
  const { view, game, round } = page.state;
  if (!view) return null;
  const back = cardBack(page);
  const dealer = groupsOf(game, "dealer")
    .flatMap((group) => group.places)
    .filter((place) => view.layout[place]);
  const hands = playersHands(game).filter((hand) => hand.places.some((place) => cross.places.includes(place)));
  return h(
    "div",
    { class: "cross", "aria-label": "Community cards", role: "group", "data-group": "community" },
    hands.map((hand) => band(page, hand)),
    dealer.length > 0 &&
      h(
        "div",
        { class: "dealer-hand", role: "group", "aria-label": "Dealer's hand", "data-group": "dealer" },
        dealer.map((place) => cardNode(view.layout[place], { key: place, back, "data-place": place })),
        round.dealer && h("span", { class: "dealer-name" }, `Dealer: ${round.dealer}`),
      ),
    // The rulebook lists a cross as the dealer sees it: the far end is nearest to the player.
    cross.places.map((_, at) => box(page, cross, at)).reverse(),
    hands.map((hand) => handLabel(page, hand)),
  );
}

/** A light band under a line of the cross, bright while the player decides on it. @param {Page} page @param {FeltHand} hand */
function band(page, hand) {
  const line = lineOf(page.state.game, hand);
  return (
    line &&
    h("span", {
      key: `band-${hand.id}`,
      class: `band band-${line}${handsAsked(page).includes(hand.id) ? " lit" : ""}`,
      "aria-hidden": "true",
    })
  );
}

/** Returns the hand that the player has named. @param {any} game @param {Seat | null} seat @returns {string | undefined} */
const namedHand = (game, seat) =>
  Object.values(seat?.choices ?? {}).find((choice) => game.hands.some((/** @type {any} */ hand) => hand.id === choice));

/** Returns the hands that the player decides on, or has named. @param {Page} page @returns {string[]} */
function handsAsked(page) {
  const { state } = page;
  const seat = ownSeat(state);
  const step = state.game.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const named = namedHand(state.game, seat);
  if (named) return [named];
  if (!seat || step?.step !== "decide" || !state.view?.turn.includes(seat.number)) return [];
  const choices = state.allowed.filter((one) => one.command === "choose").map((one) => one.fields?.choice);
  return choices.length ? choices : (wagerOf(state, step.wager)?.lines ?? []);
}

// --- the player's hands -----------------------------------------------------------------------------------------------

/** The player's hands that no line of a cross names, beside the player's cards. @param {Page} page @param {Seat} seat */
export function ownHandLabels(page, seat) {
  const { game } = page.state;
  const cross = crossOf(game);
  const hands = playersHands(game).filter((hand) => !cross || !hand.places.some((at) => cross.places.includes(at)));
  const made = hands.filter((hand) => handMade(page, seat, hand.id) && isStaked(game, seat, hand));
  return made.map((hand) => handLabel(page, hand, made.length > 1));
}

/** The name of a hand, and what it is as it stands. @param {Page} page @param {FeltHand} hand @param {boolean} [titled] */
function handLabel(page, hand, titled = true) {
  const { game } = page.state;
  const seat = ownSeat(page.state);
  const made = seat && handMade(page, seat, hand.id);
  const line = lineOf(game, hand);
  if (!line && (!made || !isStaked(game, seat, hand))) return null;
  const named = namedHand(game, seat);
  const other = named && line && named !== hand.id;
  return h(
    "p",
    {
      key: `label-${hand.id}`,
      class: `line-label line-${line || "hand"}${other ? " other" : ""}`,
      "data-line": hand.id,
    },
    titled && h("span", { class: "print" }, hand.title.replace(/ hand$/, "")),
    made &&
      h(
        "span",
        { class: "line-made" },
        h(
          "b",
          null,
          // A line breaks between words only, never in "ace-high".
          capital(made.name)
            .split(" ")
            .map((word, at) => [h("span", { key: at }, word), " "]),
        ),
        !made.complete && h("small", null, " so far"),
        payText(page, seat?.hands[hand.id]?.pays, hand.id),
      ),
  );
}

/** Returns false for the hand of side bets that the player did not place. @param {any} game @param {Seat} seat @param {FeltHand} hand */
function isStaked(game, seat, hand) {
  const wagers = game.wagers.filter((/** @type {any} */ one) => [...one.lines, ...one.hands].includes(hand.id));
  return !wagers.length || wagers.some((/** @type {any} */ one) => one.stake.of || one.id in seat.placed);
}

/** The odds of a hand as it stands. @param {Page} page @param {string | undefined} paid @param {string} hand */
function payText(page, paid, hand) {
  const { game } = page.state;
  const wager = [...game.wagers].reverse().find((/** @type {any} */ one) => one.pays && one.lines.includes(hand));
  const pays = game.pays
    .find((/** @type {any} */ table) => table.id === wager?.pays)
    ?.lines.find((/** @type {any} */ one) => one.id === paid)?.pays;
  return paid && pays && h("span", { class: "line-pays" }, pays === "push" ? "pushes" : `pays ${pays}`);
}

/**
 * Returns a hand of the player: from the visible cards, or as announced after the dealer has picked them up.
 * @param {Page} page
 * @param {Seat} seat
 * @param {string} hand
 * @returns {{name: string, complete: boolean} | null}
 */
function handMade({ state }, seat, hand) {
  if (seat.hands[hand]) return seat.hands[hand];
  const name = !seat.cards.length && cardsOf(state, seat).length && state.round.hands[seat.number]?.[hand];
  return name ? { name, complete: true } : null;
}
