// @ts-check
/** The felt, laid out by the rulebook: dealer, board, other seats and the player's own betting areas. */

import { cardNode } from "../shared/card.js";
import { chipsNode } from "../shared/chips.js";
import { eventSource, showProof } from "../shared/clauses.js";
import { buttonNode, h, loadStylesheet } from "../shared/dom.js";
import { capital, dollars, limitedText, plain, resultText, signed } from "../shared/format.js";
import { board, boardShape, ownHandLabels } from "./board.js";
import { wagersByKey } from "./keys.js";
import "./meter.js";
import { groupsOf } from "./places.js";
import { feltPrint, limitPlates, spinPrints } from "./posted.js";
import { seatClock } from "./situation.js";
import { handsToSet } from "./split.js";
import {
  bettingOption,
  cardBack,
  cardsOf,
  netOf,
  ownSeat,
  shortName,
  shortTitle,
  stakeText,
  totalBet,
  wagerOf,
} from "./state.js";
import { addBot, seatForBot } from "./table_requests.js";
import { tryWheel } from "./wheel.js";

await Promise.all([loadStylesheet("table/felt.css"), loadStylesheet("table/own_seat.css")]);

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */

/** @param {Page} page */
export function felt(page) {
  const { view, game } = page.state;
  if (!view) return null;
  const own = ownSeat(page.state)?.number;
  const numbers = view.seats.map((seat) => seat.number).reverse();
  const right = Math.floor(numbers.length / 2);
  const pods = (/** @type {number[]} */ side) =>
    side.filter((number) => number !== own).map((number) => pod(page, view.seats[number - 1]));
  const marks = [groupsOf(game, "dealer").length > 0 && "against", game.splits.length > 0 && "splits"];
  return h(
    "div",
    { class: "felt-rail" },
    h(
      "div",
      {
        class: ["felt", `tint-${game.tint}`, boardShape(game), ...marks].filter(Boolean).join(" "),
        onclick: () => page.animator?.finishNow(),
      },
      h(
        "div",
        { class: "layout" },
        dealerSide(page),
        h("div", { class: "pods pods-left" }, pods(numbers.slice(0, -right || undefined))),
        board(page),
        h("div", { class: "pods pods-right" }, right ? pods(numbers.slice(-right)) : null),
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
    state.game.splits.length ? handsToSet(page, seat) : ownCards(page, seat),
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
  const title = shortTitle(state.game, wager);
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
      "aria-disabled": String(!takes && !result && !asked),
      "aria-label": `${wager.title}: ${[stake ? amount : result ? "" : "no bet", result ? resultText(result) : "", result?.limited ? limitedText(result) : ""].filter(Boolean).join(", ")}${takes ? ". Press to add a chip" : result ? ". Press for the proof" : ""}`,
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

/** The player's cards, with a box for each card to come. @param {Page} page @param {Seat} seat */
function ownCards(page, seat) {
  const back = cardBack(page);
  const cards = cardsOf(page.state, seat);
  const places = groupsOf(page.state.game, "seat").flatMap((group) => group.places);
  return h(
    "div",
    {
      class: `hole hole-${places.length}${seat.cards.length ? "" : " collected"}`,
      role: "group",
      "aria-label": "Your cards",
      "data-group": "hand",
    },
    h(
      "div",
      { class: "hole-cards" },
      places.map((place, at) =>
        h(
          "div",
          { key: place, class: "hole-box" },
          cards[at] && cardNode(cards[at], { back, "data-place": `seat${seat.number}-${at}` }),
        ),
      ),
    ),
    ownHandLabels(page, seat),
  );
}
