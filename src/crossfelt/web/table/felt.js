// @ts-check
/** The felt as the regulation lays it out: dealer, cross, the other seats, and this player's own betting areas. */

import { cardNode } from "../shared/card.js";
import { chipsNode } from "../shared/chips.js";
import { h, wear } from "../shared/dom.js";
import { byKey } from "./keys.js";
import "./meter.js";
import { dealerHands, sevenCards } from "./pai_gow.js";
import { addBot } from "./house_queries.js";
import { atRisk, backOf, cardsOf, mine, netOf, stakeWords, wagerOf, wagering } from "./state.js";
import { capital, dollars, HIDDEN, plain, resultWords, signed } from "../shared/format.js";

await Promise.all([wear("table/felt.css"), wear("table/own_seat.css")]);

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").Seat} Seat */

/**
 * The cross seen from a player's seat: what is farthest from the dealer lies nearest to us, the dealer's left is our right.
 */
const CROSS = ["down_near", "across_right", "middle", "across_left", "down_far"];
/** How the dealer calls the places where a line is chosen by name. @type {Record<string, string>} */
const CALLED = { down_near: "bottom", across_right: "right", middle: "centre", across_left: "left", down_far: "top" };

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
      { class: `felt felt-${game.game}`, onclick: () => page.stage?.hurry() },
      dealerSide(page),
      h("div", { class: "pods pods-left" }, pods(page, [6, 5, 4])),
      crossed ? cross(page) : dealerHands(page),
      h("div", { class: "pods pods-right" }, pods(page, [3, 2, 1])),
      place(page),
    ),
  );
}

// --- the dealer's side ----------------------------------------------------------------------------------------------

/** @param {Page} page */
function dealerSide(page) {
  const { state } = page;
  const { view, game } = state;
  const back = backOf(page);
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
    meters.length > 0 &&
      h(
        "div",
        { class: "meters" },
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
  const back = backOf(page);
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
        !dealt && h("span", { class: "box-print" }, named ? printed(place) : CALLED[place]),
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
const printed = (place) => (place === "middle" ? "Middle" : place.startsWith("down") ? "Down" : "Across");

// --- the seats ------------------------------------------------------------------------------------------------------

/** @param {Page} page @param {number[]} numbers */
function pods(page, numbers) {
  return numbers.map((number) => page.state.view?.seats[number - 1]).map((seat) => seat && pod(page, seat));
}

/** @param {Page} page @param {Seat} seat */
function pod(page, seat) {
  const { state } = page;
  const turn = state.view?.turn[0] === seat.number && state.view.turn.length > 0;
  const own = mine(state)?.number === seat.number;
  const lies = atRisk(seat);
  const results = state.round.results[seat.number];
  const free =
    page.role_ === "player" &&
    !seat.player &&
    state.allowed.some((one) => one.command === "take_seat" && one.seat === seat.number) &&
    !mine(state);
  const forBot = !seat.player && Boolean(mine(state)) && alone(state) && seatIsLeft(state);
  const status = !seat.player ? "free" : seat.status === "folded" ? "folded" : turn ? "turn" : "";
  if (free) {
    return h(
      "button",
      {
        key: `seat${seat.number}`,
        type: "button",
        class: "pod free",
        onclick: () => void page.sit(seat.number),
        "aria-label": `Take seat ${seat.number}`,
      },
      h("span", { class: "pod-number" }, seat.number),
      h("span", { class: "pod-name" }, "Sit here"),
    );
  }
  if (forBot) {
    return h(
      "button",
      {
        key: `seat${seat.number}`,
        type: "button",
        class: "pod free bot",
        onclick: () => void addBot(page, seat.number),
        "aria-label": `A bot for seat ${seat.number}`,
      },
      h("span", { class: "pod-number" }, seat.number),
      h("span", { class: "pod-name" }, "+ Bot"),
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
    ),
    !own &&
      h(
        "span",
        { class: `pod-cards${cardsOf(state, seat).length > 2 ? " many" : ""}${seat.cards.length ? "" : " collected"}` },
        cardsOf(state, seat).map((card, at) =>
          cardNode(card, { key: at, back: backOf(page), "data-place": `seat${seat.number}-${at}` }),
        ),
      ),
    lies > 0 && h("span", { class: "pod-bet", "data-bets": seat.number }, dollars(lies)),
    results &&
      lies === 0 &&
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
 * Whether no other person could want a seat: at one's own table, or where nobody else sits but bots.
 * @param {import("./state.js").State} state
 */
function alone(state) {
  const others = state.view?.seats.some((seat) => seat.player && !seat.yours && !/ bot \d$/.test(seat.player));
  return state.table.pace !== "regulated" && (state.table.owner === state.you.name || (!state.table.owner && !others));
}

/**
 * Whether a bot would leave a seat for whoever comes; nobody comes to one's own table.
 * @param {import("./state.js").State} state
 */
function seatIsLeft(state) {
  const free = state.view?.seats.filter((seat) => !seat.player) ?? [];
  return Boolean(state.table.owner) || free.length > 1;
}

/** Bots are called by their seat. @param {string} player */
const shortName = (player) => player.replace(/^.* bot (\d)$/, "Bot $1");

// --- this player's place ----------------------------------------------------------------------------------------------

/** @param {Page} page */
function place(page) {
  const { state } = page;
  const seat = mine(state);
  if (!seat)
    return h(
      "div",
      { class: "place place-empty" },
      h(
        "p",
        null,
        page.role_ !== "player"
          ? `You look on as ${page.role_}.`
          : state.allowed.some((one) => one.command === "take_seat")
            ? "Take a free seat to play, or watch."
            : state.table.dealt_by === "physical"
              ? "A live table. Its players sit at the table itself; you are watching."
              : "Every seat is taken. You are watching.",
      ),
    );
  return h(
    "div",
    { class: `place${wagering(state) ? " betting" : ""}` },
    areas(page, seat),
    state.game.game === "pai_gow" ? sevenCards(page, seat) : hole(page, seat),
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
  const open = wagering(state);
  const lies = ui.draft ?? seat.wagers;
  const stake = (open ? lies : seat.wagers)[id] ?? 0;
  const result = state.round.results[seat.number]?.[id];
  const takes = Boolean(open?.ranges?.[id]);
  const step = state.game.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const asked = step?.step === "decide" && step.wager === id && state.view?.turn.includes(seat.number);
  const key = takes ? keyShown(page, id) : "";
  const amount = stakeWords(state, id, stake);
  const title = shortTitle(wager);
  return h(
    "button",
    {
      key: id,
      type: "button",
      class: `area${round ? " area-round" : ""}${takes ? " takes" : ""}${asked ? " asked" : ""}${result ? ` result-${result.result}` : ""}${open && ui.draft && !seat.wagers[id] && stake ? " pending" : ""}`,
      "data-wager": id,
      "aria-disabled": String(!takes),
      "aria-label": `${wager.title}: ${stake ? amount : "nothing"}${result ? `, ${resultWords(result)}` : ""}${takes ? ". Press to add a chip" : ""}`,
      onclick: () => page.press(id),
      oncontextmenu: (/** @type {Event} */ event) => off(page, event, id),
    },
    h("span", { class: "area-title" }, title),
    stake > 0 &&
      (wager.credit_cents ? h("span", { class: "credits" }, amount) : chipsNode(stake, { "data-chips": id })),
    result && h("span", { class: "area-result" }, resultWords(result)),
    key && h("kbd", { "aria-hidden": "true" }, key),
  );
}

/** @param {Page} page @param {Event} event @param {string} id */
function off(page, event, id) {
  event.preventDefault();
  page.press(id, true);
}

/** @param {Page} page @param {string} wager */
function keyShown(page, wager) {
  const order = byKey(page);
  const at = order.indexOf(wager);
  if (at < 0) return "";
  return wager === order.find((one) => wagering(page.state)?.optional?.includes(one)) ? "B" : String(at + 1);
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
function hole(page, seat) {
  const { state } = page;
  const back = backOf(page);
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
            payWords(page, seat.hands[line]?.pays, line),
          ),
        ),
      ),
    ),
  );
}

/** What a line pays as it is now. @param {Page} page @param {string | undefined} paid @param {string} line */
function payWords(page, paid, line) {
  const { game } = page.state;
  const wager = [...game.wagers]
    .reverse()
    .find((/** @type {any} */ one) => one.pays && (one.line === line || one.better_of.includes(line)));
  const pays = game.pays
    .find((/** @type {any} */ table) => table.id === wager?.pays)
    ?.lines.find((/** @type {any} */ one) => one.id === paid)?.pays;
  return paid && pays && h("span", { class: "line-pays" }, pays === "push" ? "pushes" : `pays ${pays}`);
}

/**
 * The player's lines with what they make: as far as it is seen, or as it was announced.
 * @param {Page} page
 * @param {Seat} seat
 * @returns {[string, string, boolean][]}
 */
function handNames(page, seat) {
  const { state } = page;
  const told = seat.cards.length
    ? []
    : cardsOf(state, seat).length
      ? Object.entries(state.round.hands[seat.number] ?? {})
      : [];
  if (told.length) return told.map(([line, name]) => [line, name, true]);
  return state.game.lines
    .filter((/** @type {any} */ line) => seat.hands[line.id] && line.id !== "community")
    .map((/** @type {any} */ line) => [line.id, seat.hands[line.id].name, seat.hands[line.id].complete]);
}
