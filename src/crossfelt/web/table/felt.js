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
import { feltPrint, limitPlates } from "./posted.js";
import { seatClock } from "./situation.js";
import { bettingOption, cardBack, cardsOf, netOf, ownSeat, shortName, stakeText, totalBet, wagerOf } from "./state.js";
import { addBot } from "./table_requests.js";

await Promise.all([loadStylesheet("table/felt.css"), loadStylesheet("table/own_seat.css")]);

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */

/**
 * The cross seen from a player's seat: far from the dealer is near the player, the dealer's left is the player's right.
 */
const CROSS = ["down_near", "across_right", "middle", "across_left", "down_far"];
/** The spoken names of the places, in games where the player chooses a line by name. @type {Record<string, string>} */
const PLACE_NAMES = {
  down_near: "bottom",
  across_right: "right",
  middle: "centre",
  across_left: "left",
  down_far: "top",
};

/** @param {Page} page */
export function felt(page) {
  const { view, game } = page.state;
  if (!view) return null;
  const crossed = game.game !== "pai_gow";
  return h(
    "div",
    { class: "felt-rail" },
    h(
      "div",
      { class: `felt felt-${game.game}`, onclick: () => page.animator?.finishNow() },
      dealerSide(page),
      h("div", { class: "pods pods-left" }, pods(page, [6, 5, 4])),
      crossed ? cross(page) : dealerHands(page),
      h("div", { class: "pods pods-right" }, pods(page, [3, 2, 1])),
      ownPlace(page),
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
  const labels = /** @type {string[]} */ (game.layout.community_labels);
  const named = labels.length > 0;
  const dealer = Object.entries(view.layout).filter(([place]) => place.startsWith("dealer_"));
  return h(
    "div",
    { class: `cross${named ? "" : " cross-called"}`, "aria-label": "Community cards", role: "group" },
    dealer.length > 0 &&
      h(
        "div",
        { class: "dealer-hand", role: "group", "aria-label": "Dealer's hand" },
        dealer.map(([place, card]) => cardNode(card, { key: place, back, "data-place": place })),
        round.dealer && h("span", { class: "dealer-name" }, `Dealer: ${round.dealer}`),
      ),
    CROSS.map((place) =>
      h(
        "div",
        { key: place, class: `box box-${place}` },
        !dealt && h("span", { class: "box-label" }, named ? printedLabel(place) : PLACE_NAMES[place]),
        dealt && cardNode(view.layout[place] ?? HIDDEN, { back, "data-place": place }),
      ),
    ),
    named && h("span", { class: "print print-down" }, "Down"),
    named && h("span", { class: "print print-across" }, "Across"),
    !named && h("span", { class: "print print-down" }, "Vertical"),
    !named && h("span", { class: "print print-across" }, "Horizontal"),
    !named && dealt && h("span", { class: "print print-top" }, "top"),
    !named && dealt && h("span", { class: "print print-right" }, "dealer’s right"),
  );
}

/** @param {string} place */
const printedLabel = (place) => (place === "middle" ? "Middle" : place.startsWith("down") ? "Down" : "Across");

// --- the seats ------------------------------------------------------------------------------------------------------

/** @param {Page} page @param {number[]} numbers */
function pods(page, numbers) {
  return numbers.map((number) => page.state.view?.seats[number - 1]).map((seat) => seat && pod(page, seat));
}

/** @param {Page} page @param {Seat} seat */
function pod(page, seat) {
  const { state } = page;
  const turn = state.view?.turn[0] === seat.number && state.view.turn.length > 0;
  const own = ownSeat(state)?.number === seat.number;
  const bet = totalBet(seat);
  const results = state.round.results[seat.number];
  const free =
    page.role_ === "player" &&
    !seat.player &&
    state.allowed.some((one) => one.command === "take_seat" && one.seat === seat.number) &&
    !ownSeat(state);
  const forBot = !seat.player && Boolean(ownSeat(state)) && noOtherPlayers(state) && freeSeatRemains(state);
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
    { key: `seat${seat.number}`, class: `pod ${status}${own ? " own" : ""}`, "data-seat": seat.number },
    h("span", { class: "pod-number", "aria-hidden": "true" }, seat.number),
    h(
      "span",
      { class: "pod-name", title: seat.player || undefined },
      own ? "You" : shortName(seat.player) || "Free",
      turn && h("span", { class: "sr" }, ", to act"),
      seat.status === "folded" && h("small", null, " folded"),
      seatClock(state, seat.number),
    ),
    !own &&
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

/**
 * Returns true at a private table, or when only bots share the table: then the player may add bots.
 * @param {import("./state.js").State} state
 */
function noOtherPlayers(state) {
  const others = state.view?.seats.some((seat) => seat.player && !seat.yours && !/ bot \d$/.test(seat.player));
  return state.table.pace !== "regulated" && (state.table.owner === state.you.name || (!state.table.owner && !others));
}

/**
 * Returns true when a further bot leaves a free seat for another player. A private table needs none.
 * @param {import("./state.js").State} state
 */
function freeSeatRemains(state) {
  const free = state.view?.seats.filter((seat) => !seat.player) ?? [];
  return Boolean(state.table.owner) || free.length > 1;
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
    areas(page, seat),
    state.game.game === "pai_gow" ? sevenCards(page, seat) : holeCards(page, seat),
  );
}

/** @param {Page} page @param {Seat} seat */
function areas(page, seat) {
  const { game } = page.state;
  const offered = new Set(game.wagers.map((/** @type {any} */ wager) => wager.id));
  const rows = game.layout.rows
    .map((/** @type {string[]} */ row) => row.filter((wager) => offered.has(wager)))
    .filter((/** @type {string[]} */ row) => row.length);
  const inRows = new Set(rows.flat());
  const beside = game.wagers
    .map((/** @type {any} */ wager) => wager.id)
    .filter(
      (/** @type {string} */ wager) => !inRows.has(wager) && (wagerOf(page.state, wager).opening || seat.wagers[wager]),
    );
  return h(
    "div",
    { class: "areas", role: "group", "aria-label": "Your betting areas" },
    h(
      "div",
      { class: "area-rows" },
      rows.map((/** @type {string[]} */ row) =>
        h(
          "div",
          { key: row[0], class: `area-row area-row-${row.length}` },
          row.map((wager) => area(page, seat, wager)),
        ),
      ),
    ),
    beside.length > 0 &&
      h(
        "div",
        { class: "area-beside" },
        beside.map((/** @type {string} */ wager) => area(page, seat, wager, game.game !== "pai_gow")),
      ),
  );
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
  const { state } = page;
  const back = cardBack(page);
  const cards = cardsOf(state, seat);
  return h(
    "div",
    { class: "hand" },
    h(
      "div",
      { class: `hole${seat.cards.length ? "" : " collected"}`, role: "group", "aria-label": "Your cards" },
      [0, 1].map((at) =>
        h(
          "div",
          { key: at, class: "hole-box" },
          cards[at] && cardNode(cards[at], { back, "data-place": `seat${seat.number}-${at}` }),
        ),
      ),
    ),
    h(
      "dl",
      { class: "lines" },
      handNames(page, seat).map(([line, name, complete]) =>
        h(
          "div",
          { key: line, class: seat.choices.raise && seat.choices.raise !== line ? "other" : "" },
          h("dt", null, capital(plain(line))),
          h(
            "dd",
            null,
            capital(name),
            !complete && h("small", null, " so far"),
            payText(page, seat.hands[line]?.pays, line),
          ),
        ),
      ),
    ),
  );
}

/** The odds of a line as it stands. @param {Page} page @param {string | undefined} paid @param {string} line */
function payText(page, paid, line) {
  const { game } = page.state;
  const wager = [...game.wagers]
    .reverse()
    .find((/** @type {any} */ one) => one.pays && one.lines.includes(line));
  const pays = game.pays
    .find((/** @type {any} */ table) => table.id === wager?.pays)
    ?.lines.find((/** @type {any} */ one) => one.id === paid)?.pays;
  return paid && pays && h("span", { class: "line-pays" }, pays === "push" ? "pushes" : `pays ${pays}`);
}

/**
 * Returns the player's lines with their hands: from the visible cards, or as announced.
 * @param {Page} page
 * @param {Seat} seat
 * @returns {[string, string, boolean][]}
 */
function handNames(page, seat) {
  const { state } = page;
  const announced = seat.cards.length
    ? []
    : cardsOf(state, seat).length
      ? Object.entries(state.round.hands[seat.number] ?? {})
      : [];
  if (announced.length) return announced.map(([line, name]) => [line, name, true]);
  return state.game.lines
    .filter((/** @type {any} */ line) => seat.hands[line.id] && line.id !== "community")
    .map((/** @type {any} */ line) => [line.id, seat.hands[line.id].name, seat.hands[line.id].complete]);
}
