// @ts-check
/** The panels beside the table: pay tables, coach, log, rounds, the table as text, keys. */

import { cardNode } from "../shared/card.js";
import { eventSource, proofButton } from "../shared/clauses.js";
import { h, quietText, tableHead } from "../shared/dom.js";
import { capital, limitedText, plain, resultText, signed } from "../shared/format.js";
import { coachPanel } from "./coach.js";
import { fairnessSection } from "./fairness.js";
import { guideHelp } from "./guide.js";
import { limitNotices, otherNotices, payMarks, spinNotices } from "./posted.js";
import { placeName } from "./places.js";
import { ownSeedForm } from "./seeds.js";
import { netOf, ownSeat, wagerOf } from "./state.js";
import { runTypedLine } from "./table_requests.js";
import { describeTable } from "./table_text.js";
import { tryWheel } from "./wheel.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Name, title and key of each panel. @type {[string, string, string][]} */
export const PANELS = [
  ["pays", "Pays", "P"],
  ["coach", "Coach", "A"],
  ["log", "Log", "L"],
  ["rounds", "Rounds", "H"],
  ["text", "Text", "T"],
];

/** @param {Page} page @param {string} name */
export function panelOf(page, name) {
  /** @type {Record<string, (page: Page) => any>} */
  const panels = {
    pays: paysPanel,
    coach: coachPanel,
    log: logPanel,
    rounds: roundsPanel,
    text: textPanel,
    help: helpPanel,
  };
  return panels[name]?.(page) ?? null;
}

// --- pay tables -----------------------------------------------------------------------------------------------------

/** @param {Page} page */
function paysPanel(page) {
  const { game } = page.state;
  const sign = game.posted.odds_on === "sign";
  return [
    h("h2", null, "Pay tables"),
    h(
      "section",
      { class: sign ? "posted posted-sign" : "posted" },
      sign && h("p", { class: "sign-title" }, "Sign at the table"),
      limitNotices(game),
      groupedPays(game).map((group) => payTable(page, group)),
      otherNotices(game),
      spinNotices(game, false, (wheel) => tryWheel(page, wheel)),
    ),
    quietText(h("a", { href: `/rules/${game.rulebook}` }, "Rules and odds of this game")),
  ];
}

/** Groups the pay tables with the same hands, to show them side by side. @param {any} game @returns {any[][]} */
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
    Object.values(ownSeat(page.state)?.hands ?? {})
      .map((hand) => hand.pays)
      .filter(Boolean),
  );
  return h(
    "table",
    { key: group[0].id, class: "pays" },
    h(
      "caption",
      null,
      group.map((pay) => pay.title.replace(/ \(Table \d+\)/, "")).join(" · "),
      payMarks(page.state.game, group),
    ),
    tableHead(["Hand", ...group.map((pay) => (group.length > 1 ? capital(plain(pay.id)) : "Pays"))]),
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

// --- the log and its clauses ------------------------------------------------------------------------------------------

/** @param {Page} page */
function logPanel(page) {
  const events = [...page.state.log].reverse();
  return [
    h("h2", null, "Log"),
    quietText("Press a line for its proof."),
    h(
      "ol",
      { class: "log" },
      events.map((event, at) => h("li", { key: `${event.seq}.${events.length - at}` }, logEntry(page.id_, event))),
    ),
    !events.length &&
      quietText(
        "Nothing has happened since you opened this page. ",
        h("a", { href: `/history/${page.id_}` }, "Round history"),
      ),
  ];
}

/** An event and what it cites, in one button that opens its proof. @param {string} table @param {import("./state.js").Event_} event */
export function logEntry(table, event) {
  const cited = [...(event.clauses ?? []), ...(event.readings ?? []), ...(event.house_rule ? ["house rule"] : [])];
  return proofButton(
    [h("span", null, event.tells), cited.length > 0 && h("small", null, cited.join(", "))],
    eventSource(table, event),
    { class: "proof-row" },
  );
}

// --- rounds -----------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function roundsPanel(page) {
  const rounds = page.rounds ?? [];
  const at = Math.min(page.ui.recall, Math.max(0, rounds.length - 1));
  const round = rounds[at];
  return [
    h("h2", null, "Rounds"),
    !rounds.length && quietText(page.ui.recalling ? "Loading rounds…" : "No round has been played yet."),
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
              { type: "button", "aria-pressed": String(place === at), onclick: () => selectRound(page, place) },
              `Round ${one.number}`,
              h("span", null, netText(page, one)),
            ),
          ),
        ),
      ),
    round && recallNode(page, round),
    page.state.you.role === "player" && page.state.table.dealt_by !== "physical" && ownSeedForm(page),
    quietText(
      h("a", { href: `/history/${page.id_}` }, "Round history"),
      " · ",
      h("a", { href: `/review/${page.id_}` }, "Review your decisions"),
    ),
  ];
}

/** @param {Page} page @param {import("./state.js").Round} round */
function netText(page, round) {
  const seat = page.state.you.seats[0];
  return seat && round.results[seat] ? signed(netOf(round, seat)) : "";
}

/** @param {Page} page @param {number} place */
function selectRound(page, place) {
  page.ui.recall = place;
  page.show();
}

/** @param {Page} page @param {import("./state.js").Round} round */
function recallNode(page, round) {
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
        h("figure", { key: place }, cardNode(card), h("figcaption", null, placeName(page.state.game, place))),
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
              h(
                "td",
                null,
                proofButton(resultText(result), eventSource(page.id_, result)),
                result.limited > 0 && h("small", null, ` ${limitedText(result)}`),
              ),
            ),
          ),
        ),
      ),
    fairnessSection(page.id_, round.number, page.state.table.lesson_seed, () => page.show()),
  );
}

// --- as text ---------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function textPanel(page) {
  return [
    h("h2", null, "The table as text"),
    h(
      "div",
      { class: "statement" },
      describeTable(page.state).map((line, at) => h("p", { key: at }, line)),
    ),
    h(
      "form",
      { class: "typed", onsubmit: (/** @type {SubmitEvent} */ event) => submit(page, event) },
      h("label", { for: "typed" }, "Type a command"),
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
        h("button", { class: "button", type: "submit" }, "Send"),
      ),
    ),
    quietText(
      "The commands are those of the terminal: ante 10 bonus 5, deal, bet 3, fold, check, house way, set Qs Jd, cards, pays, balance, log, why, help.",
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
  void runTypedLine(page, text);
}

// --- help ---------------------------------------------------------------------------------------------------------------

/** @type {[string, string][]} */
const KEYS = [
  [
    "1 2 3",
    "Before the deal: add a chip to the first, second or third wager (with Shift: remove the wager). On your turn: bet one, two or three times the ante",
  ],
  ["B", "Add a chip to the bonus"],
  ["[ ]", "Smaller or larger chip"],
  ["Enter", "Deal or confirm"],
  ["R X U C", "Rebet, double, undo, clear"],
  ["Space", "Skip the motion; go on from the result"],
  ["S", "Watch the wheel again"],
  ["M", "Sound on or off"],
  ["A P L H T", "Coach, pay tables, log, rounds, text"],
  ["J K", "Step through rounds"],
  ["Esc", "Close the open panel"],
];

/** The keys before the decisions. */
const OPENING_KEYS = 5;

/** The keys of the decisions that this game has. @param {any} game @returns {[string, string][]} */
function decisionKeys(game) {
  /** @type {any[]} */
  const actions = game.script.flatMap((/** @type {any} */ step) => step.actions);
  const has = (/** @type {string} */ form) => actions.some((action) => action.form === form);
  /** @type {string[]} */
  const named = [...new Set(actions.flatMap((action) => action.names))];
  /** @type {[string, string][]} */
  const keys = [["F", "Fold"]];
  if (named.length)
    keys.push([named.map((hand) => hand[0].toUpperCase()).join(" "), capital(named.map(plain).join(", "))]);
  if (has("check")) keys.push(["K", "Check"]);
  if (has("withdraw")) keys.push(["W", "Take the bet back"]);
  if (has("expose")) keys.push(["E D", "Show your hand, or keep it hidden"]);
  if (game.splits.length)
    keys.push(
      [
        "← → Space",
        `Choose cards for the ${game.splits[0].into[1].title.toLowerCase()}; digits choose in the order of the deal`,
      ],
      ["W", "House way: press once to see it, twice to set it"],
    );
  return keys;
}

/** @param {Page} page */
function helpPanel(page) {
  return [
    guideHelp(page),
    h("h2", null, "Keys"),
    h(
      "dl",
      { class: "keys" },
      [...KEYS.slice(0, OPENING_KEYS), ...decisionKeys(page.state.game), ...KEYS.slice(OPENING_KEYS)].map(
        ([key, does]) =>
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
    quietText(
      "You can turn the keys off in the ",
      h("a", { href: "/settings" }, "settings"),
      ". Every action also has a button.",
    ),
  ];
}
