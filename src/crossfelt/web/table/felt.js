// @ts-check
/** The felt, laid out by the regulation: dealer, cross, other seats and the player's own betting areas. */

import { cardNode } from "../shared/card.js";
import { chipsNode } from "../shared/chips.js";
import { eventSource, showProof } from "../shared/clauses.js";
import { buttonNode, h, loadStylesheet } from "../shared/dom.js";
import { capital, dollars, HIDDEN, limitedText, plain, resultText, signed } from "../shared/format.js";
import { wagersByKey } from "./keys.js";
import "./meter.js";
import { dealerHands, sevenCards } from "./pai_gow.js";
import { CROSS, placeName } from "./places.js";
import { feltPrint, limitPlates, spinPrints } from "./posted.js";
import { seatClock } from "./situation.js";
import { bettingOption, cardBack, cardsOf, netOf, ownSeat, shortName, stakeText, totalBet, wagerOf } from "./state.js";
import { addBot, seatForBot } from "./table_requests.js";
import { tryWheel } from "./wheel.js";

await Promise.all([loadStylesheet("table/felt.css"), loadStylesheet("table/own_seat.css")]);

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */

/** @param {Page} page */
export function felt(page) {
  const { view, game } = page.state;
  if (!view) return null;
  const crossed = game.game !== "pai_gow";
  const own = ownSeat(page.state)?.number;
  const pods = (/** @type {number[]} */ numbers) =>
    numbers
      .filter((number) => number !== own)
      .map((number) => view.seats[number - 1])
      .map((seat) => seat && pod(page, seat));
  return h(
    "div",
    { class: "felt-rail" },
    h(
      "div",
      { class: `felt felt-${game.game}`, onclick: () => page.animator?.finishNow() },
      h(
        "div",
        { class: "layout" },
        dealerSide(page),
        h("div", { class: "pods pods-left" }, pods([6, 5, 4])),
        crossed ? cross(page) : dealerHands(page),
        h("div", { class: "pods pods-right" }, pods([3, 2, 1])),
        ownPlace(page),
      ),
      feltPrint(game),
    ),
  );
}

// --- the dealer's side ----------------------------------------------------------------------------------------------

/** @param {Page} page */
function dealerSide(page) {
  const { state } = page;
  const { view, game } = state;
  const back = cardBack(page);
  const meters = Object.entries(state.meters);
  return h(
    "div",
    { class: "dealer-side" },
    h(
      "div",
      { class: "discards", title: "Discard rack" },
      h("span", { class: `pile pile-${back}`, "data-home": "discards" }),
      h("small", null, "Discards"),
    ),
    h(
      "div",
      { class: "tray", "data-home": "tray", title: "Chip tray" },
      ["ivory", "red", "green", "black", "purple"].map((name) => h("i", { key: name, class: `tube tube-${name}` })),
    ),
    h(
      "div",
      { class: "shoe", title: "Shoe" },
      h("span", { class: `stub stub-${back}`, "data-home": "shoe" }),
      h("small", null, view?.dealing === "hand" ? "Hand" : "Shoe"),
    ),
    (meters.length > 0 || game.posted.limits.length > 0) &&
      h(
        "div",
        { class: "meters" },
        limitPlates(game, () => page.togglePanel?.("pays")),
        meters.map(([id, meter]) =>
          h(
            "div",
            { key: id, class: "meter" },
            h("span", null, meter.title ?? capital(plain(id))),
            h("cf-meter", { cents: meter.amount_cents }),
          ),
        ),
      ),
    h("p", { class: "licensee" }, game.operator),
  );
}

// --- the cross ------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function cross(page) {
  const { view, game, round } = page.state;
  if (!view) return null;
  const back = cardBack(page);
  const dealt = Object.keys(view.layout).length > 0;
  const labelled = game.layout.community_labels.length > 0;
  const dealer = Object.entries(view.layout).filter(([place]) => place.startsWith("dealer_"));
  const lines = game.lines.filter((/** @type {any} */ line) => line.places.includes("hole_1"));
  return h(
    "div",
    { class: "cross", "aria-label": "Community cards", role: "group", "data-group": "community" },
    lines.map((/** @type {any} */ line) => band(page, line)),
    dealer.length > 0 &&
      h(
        "div",
        { class: "dealer-hand", role: "group", "aria-label": "Dealer's hand", "data-group": "dealer" },
        dealer.map(([place, card]) => cardNode(card, { key: place, back, "data-place": place })),
        round.dealer && h("span", { class: "dealer-name" }, `Dealer: ${round.dealer}`),
      ),
    CROSS.map((place) =>
      h(
        "div",
        { key: place, class: `box box-${place}`, "data-box": place },
        !dealt && h("span", { class: "box-label" }, labelled ? printedLabel(place) : capital(placeName(place))),
        dealt && cardNode(view.layout[place] ?? HIDDEN, { back, "data-place": place }),
      ),
    ),
    lines.map((/** @type {any} */ line) => lineLabel(page, line)),
  );
}

/** @param {string} place */
const printedLabel = (place) => (place === "middle" ? "Middle" : place.startsWith("down") ? "Down" : "Across");

/** The direction of a line on the felt; a line of one community card has none. @param {any} line */
const directionOf = ({ places }) =>
  places.includes("across_left") ? "across" : places.includes("down_near") ? "down" : "";

/** A light band under a line of the cross, bright while the player decides on it. @param {Page} page @param {any} line */
function band(page, line) {
  const direction = directionOf(line);
  return (
    direction &&
    h("span", {
      key: `band-${line.id}`,
      class: `band band-${direction}${linesAsked(page).includes(line.id) ? " lit" : ""}`,
      "aria-hidden": "true",
    })
  );
}

/** Returns the lines that the player decides on, or has chosen. @param {Page} page @returns {string[]} */
function linesAsked(page) {
  const { state } = page;
  const seat = ownSeat(state);
  const step = state.game.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  if (seat?.choices.raise) return [seat.choices.raise];
  if (!seat || step?.step !== "decide" || !state.view?.turn.includes(seat.number)) return [];
  const wager = wagerOf(state, step.wager);
  const choices = state.allowed.filter((one) => one.command === "choose").map((one) => one.fields?.choice);
  return [wager?.line, ...(wager?.better_of ?? []), ...choices].filter(Boolean);
}

/** The name of a line, with the player's hand on it as it stands. @param {Page} page @param {any} line */
function lineLabel(page, line) {
  const seat = ownSeat(page.state);
  const hand = seat && handOn(page, seat, line.id);
  const direction = directionOf(line);
  if (!direction && !hand) return null;
  const other = seat?.choices.raise && direction && seat.choices.raise !== line.id;
  return h(
    "p",
    {
      key: `label-${line.id}`,
      class: `line-label line-${direction || "hand"}${other ? " other" : ""}`,
      "data-line": line.id,
    },
    h("span", { class: "print" }, capital(plain(line.id))),
    hand &&
      h(
        "span",
        { class: "line-made" },
        h(
          "b",
          null,
          // A line breaks between words only, never in "ace-high".
          capital(hand.name)
            .split(" ")
            .map((word, at) => [h("span", { key: at }, word), " "]),
        ),
        !hand.complete && h("small", null, " so far"),
        payText(page, seat?.hands[line.id]?.pays, line.id),
      ),
  );
}

// --- the seats ------------------------------------------------------------------------------------------------------

/** @param {Page} page @param {Seat} seat */
function pod(page, seat) {
  const { state } = page;
  const turn = state.view?.turn[0] === seat.number && state.view.turn.length > 0;
  const bet = totalBet(seat);
  const results = state.round.results[seat.number];
  const free =
    page.role_ === "player" &&
    !seat.player &&
    state.allowed.some((one) => one.command === "take_seat" && one.seat === seat.number) &&
    !ownSeat(state);
  const forBot = !seat.player && seatForBot(page) > 0;
  const status = !seat.player ? "free" : seat.status === "folded" ? "folded" : turn ? "turn" : "";
  if (free) {
    return buttonNode(
      [h("span", { class: "pod-number" }, seat.number), h("span", { class: "pod-name" }, "Sit here")],
      () => void page.sit(seat.number),
      { key: `seat${seat.number}`, class: "pod free", "aria-label": `Take seat ${seat.number}` },
    );
  }
  if (forBot) {
    return buttonNode(
      [h("span", { class: "pod-number" }, seat.number), h("span", { class: "pod-name" }, "+ Bot")],
      () => void addBot(page, seat.number),
      { key: `seat${seat.number}`, class: "pod free bot", "aria-label": `Add a bot in seat ${seat.number}` },
    );
  }
  return h(
    "div",
    { key: `seat${seat.number}`, class: `pod ${status}`, "data-seat": seat.number },
    h("span", { class: "pod-number", "aria-hidden": "true" }, seat.number),
    h(
      "span",
      { class: "pod-name", title: seat.player || undefined },
      shortName(seat.player) || "Free",
      turn && h("span", { class: "sr" }, ", to act"),
      seat.status === "folded" && h("small", null, " folded"),
      seatClock(state, seat.number),
    ),
    h(
      "span",
      { class: `pod-cards${cardsOf(state, seat).length > 2 ? " many" : ""}${seat.cards.length ? "" : " collected"}` },
      cardsOf(state, seat).map((card, at) =>
        cardNode(card, { key: at, back: cardBack(page), "data-place": `seat${seat.number}-${at}` }),
      ),
    ),
    bet > 0 && h("span", { class: "pod-bet", "data-bets": seat.number }, dollars(bet)),
    results &&
      bet === 0 &&
      seat.player &&
      h(
        "span",
        {
          class: `pod-net ${netOf(state.round, seat.number) > 0 ? "up" : netOf(state.round, seat.number) < 0 ? "down" : ""}`,
        },
        signed(netOf(state.round, seat.number)),
      ),
  );
}

// --- the player's own place ----------------------------------------------------------------------------------------------

/** @param {Page} page */
function ownPlace(page) {
  const { state } = page;
  const seat = ownSeat(state);
  if (!seat)
    return h(
      "div",
      { class: "place place-empty" },
      h(
        "p",
        null,
        page.role_ !== "player"
          ? `You are watching as ${page.role_}.`
          : state.allowed.some((one) => one.command === "take_seat")
            ? "Take a free seat to play."
            : state.table.dealt_by === "physical"
              ? "This is a live table. The players sit at a physical table; you are watching."
              : "Every seat is taken. You are watching.",
      ),
    );
  return h(
    "div",
    { class: `place${bettingOption(state) ? " betting" : ""}` },
    ownPlate(state, seat),
    areas(page, seat),
    state.game.game === "pai_gow" ? sevenCards(page, seat) : holeCards(page, seat),
  );
}

/** The player's seat in front of the bets. @param {import("./state.js").State} state @param {Seat} seat */
const ownPlate = (state, seat) =>
  h(
    "p",
    { class: `own-plate${state.view?.turn.includes(seat.number) ? " turn" : ""}`, "data-seat": seat.number },
    `Seat ${seat.number} · You`,
    seat.status === "folded" && h("small", null, " folded"),
  );

/** @param {Page} page @param {Seat} seat */
function areas(page, seat) {
  const inRows = new Set(page.state.game.layout.rows.flat());
  return h(
    "div",
    { class: "areas", role: "group", "aria-label": "Your betting areas", "data-group": "bets" },
    areaRows(page, seat).map((row) =>
      h(
        "div",
        { key: row[0], class: `area-row area-row-${row.length}` },
        row.map((wager) => area(page, seat, wager, !inRows.has(wager))),
      ),
    ),
    spinPrints(page.state.game, (wheel) => void tryWheel(page, wheel)),
  );
}

/**
 * Returns the wagers of each row: as the layout prints them, with the optional wagers beside or above the first row.
 * @param {Page} page
 * @param {Seat} seat
 * @returns {string[][]}
 */
function areaRows({ state }, seat) {
  const { game } = state;
  const offered = new Map(game.wagers.map((/** @type {any} */ wager) => [wager.id, wager]));
  /** @type {string[][]} */
  const rows = game.layout.rows
    .map((/** @type {string[]} */ row) => row.filter((wager) => offered.has(wager)))
    .filter((/** @type {string[]} */ row) => row.length);
  const inRows = new Set(rows.flat());
  const beside = [...offered.values()]
    .filter(({ id, opening }) => !inRows.has(id) && (opening || seat.wagers[id]))
    .map(({ id }) => id);
  if (!beside.length) return rows;
  if (rows[0].length === 1) return [[...rows[0], ...beside], ...rows.slice(1)];
  return [beside, ...rows];
}

/** @param {Page} page @param {Seat} seat @param {string} id @param {boolean} [round] */
function area(page, seat, id, round = false) {
  const { state, ui } = page;
  const wager = wagerOf(state, id);
  const open = bettingOption(state);
  const stakes = ui.draft ?? seat.wagers;
  const stake = (open ? stakes : seat.wagers)[id] ?? 0;
  const result = state.round.results[seat.number]?.[id];
  const takes = Boolean(open?.ranges?.[id]);
  const step = state.game.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const asked = step?.step === "decide" && step.wager === id && state.view?.turn.includes(seat.number);
  const key = takes ? keyLabel(page, id) : "";
  const amount = stakeText(state, id, stake);
  const title = shortTitle(wager);
  return buttonNode(
    [
      h("span", { class: "area-title" }, title),
      stake > 0 &&
        (wager.credit_cents ? h("span", { class: "credits" }, amount) : chipsNode(stake, { "data-chips": id })),
      result &&
        h("span", { class: "area-result" }, resultText(result), result.limited > 0 && h("small", null, "limited")),
      key && h("kbd", { "aria-hidden": "true" }, key),
    ],
    () => (result && !takes ? void showProof(eventSource(page.id_, result)) : page.pressArea(id)),
    {
      key: id,
      class: `area${round ? " area-round" : ""}${takes ? " takes" : ""}${asked ? " asked" : ""}${takes && !stake && !open?.optional?.includes(id) ? " needed" : ""}${result ? ` result-${result.result}` : ""}${open && ui.draft && !seat.wagers[id] && stake ? " pending" : ""}`,
      "data-wager": id,
      "aria-disabled": String(!takes && !result),
      "aria-label": `${wager.title}: ${stake ? amount : "no bet"}${result ? `, ${resultText(result)}${result.limited ? `, ${limitedText(result)}` : ""}` : ""}${takes ? ". Press to add a chip" : result ? ". Press for the proof" : ""}`,
      oncontextmenu: (/** @type {Event} */ event) => removeChip(page, event, id),
    },
  );
}

/** @param {Page} page @param {Event} event @param {string} id */
function removeChip(page, event, id) {
  event.preventDefault();
  page.pressArea(id, true);
}

/** @param {Page} page @param {string} wager */
function keyLabel(page, wager) {
  const order = wagersByKey(page);
  const at = order.indexOf(wager);
  if (at < 0) return "";
  return wager === order.find((one) => bettingOption(page.state)?.optional?.includes(one)) ? "B" : String(at + 1);
}

/** @param {any} wager */
function shortTitle(wager) {
  return wager.title
    .replace(/ bet$/, "")
    .replace("Progressive wager on the ", "Progressive: ")
    .replace(/^Pai gow poker wager$/, "Main")
    .replace(" pai gow bonus", "")
    .replace(/ wager$/, "");
}

/** @param {Page} page @param {Seat} seat */
function holeCards(page, seat) {
  const back = cardBack(page);
  const cards = cardsOf(page.state, seat);
  return h(
    "div",
    {
      class: `hole${seat.cards.length ? "" : " collected"}`,
      role: "group",
      "aria-label": "Your cards",
      "data-group": "hand",
    },
    [0, 1].map((at) =>
      h(
        "div",
        { key: at, class: "hole-box" },
        cards[at] && cardNode(cards[at], { back, "data-place": `seat${seat.number}-${at}` }),
      ),
    ),
  );
}

/** The odds of a line as it stands. @param {Page} page @param {string | undefined} paid @param {string} line */
function payText(page, paid, line) {
  const { game } = page.state;
  const wager = [...game.wagers].reverse().find((/** @type {any} */ one) => one.pays && one.lines.includes(line));
  const pays = game.pays
    .find((/** @type {any} */ table) => table.id === wager?.pays)
    ?.lines.find((/** @type {any} */ one) => one.id === paid)?.pays;
  return paid && pays && h("span", { class: "line-pays" }, pays === "push" ? "pushes" : `pays ${pays}`);
}

/**
 * Returns the player's hand on a line: from the visible cards, or as announced after the dealer has picked them up.
 * @param {Page} page
 * @param {Seat} seat
 * @param {string} line
 * @returns {{name: string, complete: boolean} | null}
 */
function handOn({ state }, seat, line) {
  if (seat.hands[line]) return seat.hands[line];
  const name = !seat.cards.length && cardsOf(state, seat).length && state.round.hands[seat.number]?.[line];
  return name ? { name, complete: true } : null;
}
