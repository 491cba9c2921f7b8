// @ts-check
/** What stands beside the table: pay tables, coach, log with its clauses, rounds to recall, the table in words. */

import { cardNode } from "../shared/card.js";
import { coachPanel } from "./coach.js";
import { h } from "../shared/dom.js";
import { fairness } from "./fairness.js";
import { typeLine } from "./house_queries.js";
import { mine, netOf, wagerOf } from "./state.js";
import { statement } from "./table_text.js";
import { capital, dollars, plain, resultWords, signed } from "../shared/format.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Name, title and key of each panel. @type {[string, string, string][]} */
export const PANELS = [
  ["pays", "Pays", "P"],
  ["coach", "Coach", "A"],
  ["log", "Log", "L"],
  ["rounds", "Rounds", "H"],
  ["words", "Words", "T"],
];

/** @param {Page} page @param {string} name */
export function panelOf(page, name) {
  /** @type {Record<string, (page: Page) => any>} */
  const panels = {
    pays: paysPanel,
    coach: coachPanel,
    log: logPanel,
    rounds: roundsPanel,
    words: wordsPanel,
    help: helpPanel,
  };
  return panels[name]?.(page) ?? null;
}

// --- pay tables -----------------------------------------------------------------------------------------------------

/** @param {Page} page */
function paysPanel(page) {
  const { game } = page.state;
  return [
    h("h2", null, "What it pays"),
    groupedPays(game).map((group) => payTable(page, group)),
    game.wagers
      .filter((/** @type {any} */ wager) => wager.odds)
      .map((/** @type {any} */ wager) =>
        h("p", { key: `odds-${wager.id}`, class: "quiet" }, `${wager.title}: a win pays ${wager.odds}.`),
      ),
    game.wheels.map((/** @type {any} */ wheel) => wheelPays(wheel)),
    h("p", { class: "quiet" }, h("a", { href: `/rules/${game.rulebook}` }, "Rules and odds of this game")),
  ];
}

/** Tables with the same hands stand side by side. @param {any} game @returns {any[][]} */
export function groupedPays(game) {
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const pay of game.pays) {
    const hands = pay.lines.map((/** @type {any} */ line) => line.id).join();
    groups.set(hands, [...(groups.get(hands) ?? []), pay]);
  }
  return [...groups.values()];
}

/** @param {Page} page @param {any[]} group */
function payTable(page, group) {
  const made = new Set(
    Object.values(mine(page.state)?.hands ?? {})
      .map((hand) => hand.pays)
      .filter(Boolean),
  );
  return h(
    "table",
    { key: group[0].id, class: "pays" },
    h("caption", null, group.map((pay) => pay.title.replace(/ \(Table \d+\)/, "")).join(" · ")),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, "Hand"),
        group.map((pay) => h("th", { key: pay.id, scope: "col" }, group.length > 1 ? capital(plain(pay.id)) : "Pays")),
      ),
    ),
    h(
      "tbody",
      null,
      group[0].lines.map((/** @type {any} */ line, /** @type {number} */ at) =>
        h(
          "tr",
          { key: line.id, class: made.has(line.id) ? "made" : undefined },
          h("th", { scope: "row" }, capital(line.title)),
          group.map((pay) => h("td", { key: pay.id }, pay.lines[at].pays)),
        ),
      ),
    ),
  );
}

/** @param {any} wheel */
function wheelPays(wheel) {
  return h(
    "table",
    { key: wheel.name, class: "pays" },
    h(
      "caption",
      null,
      `${wheel.ring === "spin" ? "Wheel" : `${capital(plain(wheel.ring))} ring`} ${wheel.letter}, ${dollars(wheel.stake_cents)} to play${wheel.illustrative ? " (illustrative weights)" : ""}`,
    ),
    h(
      "tbody",
      null,
      wheel.slices.map((/** @type {any} */ slice, /** @type {number} */ at) =>
        h(
          "tr",
          { key: at },
          h("th", { scope: "row" }, `Stop ${slice.position ?? at}`),
          h("td", null, slice.pays_cents ? dollars(slice.pays_cents) : "Top prize", slice.community ? ", shared" : ""),
        ),
      ),
    ),
  );
}

// --- the log and its clauses ------------------------------------------------------------------------------------------

/** @param {Page} page */
function logPanel(page) {
  const events = [...page.state.log].reverse();
  return [
    h("h2", null, "What happened"),
    h("p", { class: "quiet" }, "Every act names the clause it carries out. Press one to read it."),
    h(
      "ol",
      { class: "log" },
      events.map((event, at) => h("li", { key: `${event.seq}.${events.length - at}` }, logWords(page, event))),
    ),
    !events.length &&
      h(
        "p",
        { class: "quiet" },
        "Nothing since this page was opened. ",
        h("a", { href: `/history/${page.id_}` }, "Every round, step by step"),
      ),
  ];
}

/** An event in words, with the clauses it carries out. @param {Page} page @param {import("./state.js").Event_} event */
export function logWords(page, event) {
  const cited = [...(event.clauses ?? []), ...(event.readings ?? [])];
  return [
    h("span", null, event.tells),
    h(
      "span",
      { class: "cites" },
      cited.map((id) =>
        h("button", { key: id, type: "button", class: "cite", onclick: () => void page.clause(id) }, id),
      ),
      event.house_rule && h("span", { class: "house-rule", title: event.house_rule }, "house rule"),
    ),
  ];
}

// --- rounds -----------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function roundsPanel(page) {
  const rounds = page.rounds ?? [];
  const at = Math.min(page.ui.recall, Math.max(0, rounds.length - 1));
  const round = rounds[at];
  return [
    h("h2", null, "Rounds"),
    !rounds.length &&
      h("p", { class: "quiet" }, page.ui.recalling ? "Looking them up…" : "No round has been played yet."),
    rounds.length > 0 &&
      h(
        "ol",
        { class: "round-list" },
        rounds.map((one, place) =>
          h(
            "li",
            { key: one.number },
            h(
              "button",
              { type: "button", "aria-pressed": String(place === at), onclick: () => pick(page, place) },
              `Round ${one.number}`,
              h("span", null, oneNet(page, one)),
            ),
          ),
        ),
      ),
    round && recall(page, round),
    h(
      "p",
      { class: "quiet" },
      h("a", { href: `/history/${page.id_}` }, "Every round, step by step"),
      " · ",
      h("a", { href: `/review/${page.id_}` }, "Review of your decisions"),
    ),
  ];
}

/** @param {Page} page @param {import("./state.js").Round} round */
function oneNet(page, round) {
  const seat = page.state.you.seats[0];
  return seat && round.results[seat] ? signed(netOf(round, seat)) : "";
}

/** @param {Page} page @param {number} place */
function pick(page, place) {
  page.ui.recall = place;
  page.show();
}

/** @param {Page} page @param {import("./state.js").Round} round */
function recall(page, round) {
  const seat = page.state.you.seats[0];
  const results = seat ? Object.values(round.results[seat] ?? {}) : [];
  const cards = Object.entries(round.layout);
  return h(
    "section",
    { class: "recall", key: `recall${round.number}`, "aria-label": `Recall of round ${round.number}` },
    h("p", { class: "stamp" }, "RECALL"),
    h("h3", null, `Round ${round.number}`),
    h(
      "div",
      { class: "recall-cards" },
      cards.map(([place, card]) =>
        h(
          "figure",
          { key: place },
          cardNode(card),
          h("figcaption", null, plain(place.replace("dealer_card_", "dealer "))),
        ),
      ),
    ),
    seat &&
      round.cards[seat] &&
      h(
        "div",
        { class: "recall-cards" },
        round.cards[seat].map((card, at) => h("figure", { key: at }, cardNode(card), h("figcaption", null, "yours"))),
      ),
    round.dealer && h("p", null, `Dealer: ${round.dealer}`),
    results.length > 0 &&
      h(
        "table",
        { class: "pays" },
        h(
          "tbody",
          null,
          results.map((result) =>
            h(
              "tr",
              { key: result.wager },
              h("th", { scope: "row" }, wagerOf(page.state, result.wager)?.title ?? plain(result.wager)),
              h("td", null, result.hand),
              h("td", null, resultWords(result)),
            ),
          ),
        ),
      ),
    fairness(page, round.number),
  );
}

// --- in words ---------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function wordsPanel(page) {
  return [
    h("h2", null, "The table in words"),
    h(
      "div",
      { class: "statement" },
      statement(page.state).map((line, at) => h("p", { key: at }, line)),
    ),
    h(
      "form",
      { class: "typed", onsubmit: (/** @type {SubmitEvent} */ event) => submit(page, event) },
      h("label", { for: "typed" }, "Type what you want to do"),
      h(
        "div",
        { class: "typed-row" },
        h("input", {
          id: "typed",
          name: "typed",
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: "false",
          maxlength: 200,
          placeholder: "ante 10, bet 3, fold, cards, pays",
        }),
        h("button", { class: "button", type: "submit" }, "Say it"),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      "The same words as in the terminal: ante 10 bonus 5, deal, bet 3, fold, vertical, house way, set Qs Jd, cards, pays, balance, log, why, help.",
    ),
  ];
}

/** @param {Page} page @param {SubmitEvent} event */
function submit(page, event) {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (
    /** @type {HTMLFormElement} */ (event.target).elements.namedItem("typed")
  );
  const text = input.value;
  input.value = "";
  void typeLine(page, text);
}

// --- help ---------------------------------------------------------------------------------------------------------------

/** @type {[string, string][]} */
const KEYS = [
  [
    "1 2 3",
    "before the cards: a chip on the first, second, third wager (Shift takes it back). Your turn: bet one, two or three times the ante",
  ],
  ["B", "a chip on the bonus"],
  ["[ ]", "smaller or larger chip"],
  ["Enter", "deal, or confirm"],
  ["R X U C", "rebet, double, undo, clear"],
  ["F", "fold"],
  ["V H", "vertical, horizontal"],
  ["E D", "show the hand for the three-card wager, or keep it"],
  ["← → Space", "choose cards to set; 1 to 7 as they were dealt"],
  ["W", "house way: shown first, then set"],
  ["S", "spin the wheel"],
  ["A P L H T", "coach, pays, log, rounds, words"],
  ["J K", "step through rounds"],
  ["Esc", "close what is open"],
];

function helpPanel() {
  return [
    h("h2", null, "Keys"),
    h(
      "dl",
      { class: "keys" },
      KEYS.map(([key, does]) =>
        h(
          "div",
          { key },
          h(
            "dt",
            null,
            key.split(" ").map((one) => h("kbd", { key: one }, one)),
          ),
          h("dd", null, does),
        ),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      "Keys can be switched off in the ",
      h("a", { href: "/settings" }, "settings"),
      ". Everything can also be pressed, tapped or typed.",
    ),
  ];
}
