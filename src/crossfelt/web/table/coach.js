// @ts-check
/**
 * The coach: the value of each choice and the reasons before it, the verdict after it, and the strategy grid. The server
 * computes every value and writes every sentence.
 */

import { errorText, request } from "../shared/api.js";
import { announce, buttonNode, h, loadStylesheet, quietText, tableHead } from "../shared/dom.js";
import { capital, cardSymbol, choiceText, dollars, signed } from "../shared/format.js";
import { changeSettings, settings } from "../shared/preferences.js";
import { placesOf } from "./places.js";
import { ownSeat } from "./state.js";

await loadStylesheet("table/coach.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("../shared/dom.js").Content} Content */
/**
 * The advice on one decision; `key` names the decision, `loaded` ends when the answer or its failure is there.
 * @typedef {{key: string, waiting: boolean, failed: string, loaded?: Promise<void>, [field: string]: any}} Advice
 */

/** @typedef {{text: string, good: boolean, known: boolean}} Verdict */

/** Settings of a hand that are listed. */
const ROWS_SHOWN = 8;
/** The pace at which the coach is on until the player turns it off, except in a lesson. */
const COACHED_PACE = "practice";
/** Choices that change no bet, so there is no advice on them. */
const NOT_ADVISED = new Set(["expose", "decline"]);
const GONE_ON = "the table has gone on";
const NO_VERDICT = "No verdict: the coach values whole multiples of the first wager";
const DECISIONS = new Set(["bet", "fold", "choose", "set_hand", "set_house_way", "surrender"]);

// --- the switch -------------------------------------------------------------------------------------------------------

/** Returns true when the coach is on. The choice is remembered for each pace. @param {Page} page */
export function coachOn({ state }) {
  const { pace = "", lesson_seed: lesson } = state.table ?? {};
  if (state.game?.no_advice) return false;
  return settings.coach[pace] ?? (pace === COACHED_PACE && !lesson);
}

/** The switch of the coach. @param {Page} page */
export function coachControl(page) {
  if (!ownSeat(page.state)) return null;
  const on = coachOn(page);
  return buttonNode(
    ["Coach", h("i", { class: "switch", "aria-hidden": "true" })],
    releasing(() => switchCoach(page, !on)),
    {
      key: "coach",
      class: "control coach-switch",
      role: "switch",
      "aria-checked": String(on),
      disabled: Boolean(page.state.game?.no_advice),
      title: page.state.game?.no_advice || "Shows the value of each choice before it, and a verdict after it",
    },
  );
}

/**
 * Gives up the focus after a press with the pointer, so that Enter deals again.
 * @param {() => void} go
 * @returns {(event: MouseEvent) => void}
 */
const releasing = (go) => (event) => {
  if (event.detail) /** @type {HTMLElement} */ (event.currentTarget).blur();
  go();
};

/** @param {Page} page @param {boolean} on */
function switchCoach(page, on) {
  page.ui.verdict = null;
  changeSettings({ coach: { ...settings.coach, [page.state.table?.pace ?? ""]: on } });
  announce(on ? "The coach is on." : "The coach is off.");
  void followDecision(page);
}

// --- the decision and its advice --------------------------------------------------------------------------------------

/** Returns a name for the decision that the player has to make; empty without one. @param {Page} page */
function decisionKey({ state }) {
  const seat = ownSeat(state);
  const asked = state.allowed.some(
    (one) =>
      one.seat === seat?.number &&
      ["bet", "fold", "choose", "set_hand"].includes(one.command) &&
      !NOT_ADVISED.has(one.fields?.choice),
  );
  return seat && asked && state.view ? keyOf({ ...state.view, seat: seat.number }) : "";
}

/** @param {{round: number, step: string, seat: number}} decision */
const keyOf = ({ round, step, seat }) => `${round}/${step}/${seat}`;

/** Returns the advice on the decision to make now. @param {Page} page @returns {Advice | null} */
export function currentAdvice(page) {
  const { advice } = page.ui;
  return advice && advice.key === decisionKey(page) ? advice : null;
}

/** Asks for advice when a decision comes up and the coach is on, or its panel open. @param {Page} page */
export async function followDecision(page) {
  const key = decisionKey(page);
  const seat = ownSeat(page.state);
  if (
    !key ||
    !seat ||
    page.state.game.no_advice ||
    page.ui.advice?.key === key ||
    !(coachOn(page) || page.ui.panel === "coach")
  )
    return;
  /** @type {Advice} */
  const advice = { key, waiting: true, failed: "", cell: "" };
  page.ui.advice = advice;
  advice.loaded = loadAdvice(page, advice, seat.number);
  page.show();
  await advice.loaded;
}

/** @param {Page} page @param {Advice} advice @param {number} seat */
async function loadAdvice(page, advice, seat) {
  try {
    const answer = await request("/advice", "POST", { table: page.id_, seat });
    // The table may have gone on before the server read the question.
    if (answer && keyOf(answer) === advice.key) Object.assign(advice, answer);
    else advice.failed = GONE_ON;
  } catch (error) {
    advice.failed = errorText(error);
  }
  advice.waiting = false;
  page.show();
}

/** Returns a value in cents, rounded as the server's sentences are. @param {number} value @param {Advice} advice */
const centsOf = (value, advice) => Math.sign(value) * Math.round(Math.abs(value) * advice.base_cents);

/** Returns the multiple of a bet; undefined for other choices. @param {string} choice */
const timesOf = (choice) => (/^\dx$/.test(choice) ? Number(choice[0]) : undefined);

/** Returns the id of the action that the coach advises. @param {Page} page */
export function advisedAction(page) {
  const best = currentAdvice(page)?.best;
  if (!best) return "";
  const times = timesOf(best);
  return times ? `bet-${times}` : best === "fold" ? "fold" : `choose-${best}`;
}

// --- the verdict ------------------------------------------------------------------------------------------------------

/**
 * Returns the choice that a command makes, with the advice on it and the chips for it; null when there is none.
 * @param {Page} page
 * @param {any} command
 */
export function choiceOf(page, command) {
  const advice = currentAdvice(page);
  const chips = ownSeat(page.state)?.chips_cents ?? 0;
  return advice && DECISIONS.has(command.command) ? { command, advice, chips } : null;
}

/** Shows the verdict on a choice until the next one. @param {Page} page @param {ReturnType<typeof choiceOf>} choice */
export async function judgeChoice(page, choice) {
  if (!choice) return;
  const { advice, command, chips } = choice;
  page.ui.verdict = null;
  page.show();
  await advice.loaded;
  const name = choiceName(command, advice);
  const text = advice.failed
    ? `No verdict: ${advice.failed}`
    : (shortOfBest(advice, name, chips) ?? advice.verdicts[name] ?? NO_VERDICT);
  page.ui.verdict = { text, good: /^(Best|As good)/.test(text), known: !advice.failed && name in advice.verdicts };
  announce(`Coach: ${text}.`);
  page.show();
}

/**
 * Returns the verdict on a choice when the chips were too few for the best one; undefined when they were not.
 * @param {Advice} advice
 * @param {string} name the choice
 * @param {number} chips cents of chips at the choice
 */
function shortOfBest(advice, name, chips) {
  const stake = (timesOf(advice.best) ?? 0) * advice.base_cents;
  const { cost } = advice.actions[name] ?? {};
  if (!cost || stake <= chips) return undefined;
  return `${choiceText(advice.best, advice.titles)} was worth ${dollars(centsOf(cost, advice))} more, but you had ${dollars(chips)} for a bet of ${dollars(stake)}. Buy chips before you choose`;
}

/** Returns the name of a choice in the advice. @param {any} command @param {Advice} advice */
function choiceName(command, advice) {
  const settingWith = (/** @type {(low: string, row: any) => boolean} */ is) =>
    Object.entries(advice.actions ?? {}).find(([low, row]) => is(low, row))?.[0] ?? "foul";
  if (command.command === "bet") return `${command.cents / advice.base_cents}x`;
  if (command.command === "choose") return command.choice;
  if (command.command === "set_house_way") return settingWith((_, row) => row.house_way);
  if (command.command === "set_hand")
    return settingWith((low) => low.split(" ").every((card) => command.low.includes(card)));
  return command.command;
}

/** The verdict on the last choice. @param {Page} page @returns {Content} */
function verdictNode(page) {
  const { verdict } = page.ui;
  if (!verdict) return null;
  const kind = verdict.good ? "good" : verdict.known ? "bad" : "";
  return h("span", { key: "verdict", class: `verdict ${kind}` }, verdict.good && "✓ ", verdict.text);
}

// --- in the rail ------------------------------------------------------------------------------------------------------

/** The values of the choices and the last verdict, in the rail; a press opens the reasons. @param {Page} page */
export function coachStrip(page) {
  const advice = currentAdvice(page);
  if (!ownSeat(page.state) || !coachOn(page) || !(advice || page.ui.verdict)) return null;
  return buttonNode(
    [h("span", { key: "values", class: "coach-values" }, advice && stripValues(advice)), verdictNode(page)],
    releasing(() => page.togglePanel("coach")),
    { key: "coach-strip", class: "coach-strip", "aria-expanded": String(page.ui.panel === "coach") },
  );
}

/** @param {Advice} advice @returns {Content} */
function stripValues(advice) {
  if (advice.waiting) return "Coach: computing…";
  if (advice.failed) return `Coach: ${advice.failed}`;
  const money = (/** @type {string} */ action) => signed(centsOf(advice.actions[action].ev, advice));
  const valueOf = (/** @type {string} */ action) => `${choiceText(action, advice.titles)} ${money(action)}`;
  if (isSetting(advice))
    return h(
      "span",
      { class: "coach-best" },
      `★ Best in front: ${cardsText(advice.best)}, about ${money(advice.best)}`,
    );
  const others = Object.keys(advice.actions).filter((action) => action !== advice.best);
  return [
    h("span", { key: "best", class: "coach-best" }, "★ ", h("span", { class: "sr" }, "Best: "), valueOf(advice.best)),
    others.map((action) => h("span", { key: action }, valueOf(action))),
  ];
}

/** @param {Advice} advice */
const isSetting = (advice) => advice.dealer_hands !== undefined;

// --- the panel --------------------------------------------------------------------------------------------------------

/** @param {Page} page */
export function coachPanel(page) {
  const { advice } = page.ui;
  const head = h("h2", null, "Coach");
  if (!ownSeat(page.state)) return [head, quietText("Take a seat to get advice.")];
  const { no_advice: none } = page.state.game;
  if (none) return [head, quietText(none)];
  if (!advice) return [head, quietText("The coach shows the value of each choice when it is your turn.")];
  if (advice.waiting) return [head, quietText("Computing…")];
  if (advice.failed) return [head, h("p", { class: "notice" }, advice.failed)];
  const now = currentAdvice(page) !== null;
  return [
    head,
    page.ui.verdict && h("p", { key: "last" }, "Your last choice: ", verdictNode(page)),
    !now && h("p", { key: "past", class: "quiet" }, "The decision before:"),
    h(
      "p",
      { class: "best" },
      isSetting(advice) ? "Best low hand: " : "Best: ",
      h("strong", null, isSetting(advice) ? cardsText(advice.best) : choiceText(advice.best, advice.titles)),
    ),
    sentences("Your cards", advice.cards),
    sentences("Why", advice.reasons),
    isSetting(advice) ? settingTable(page, advice, now) : actionTable(page, advice),
    hasGrid(page, advice) && (now || advice.grid) && gridSection(page, advice),
  ];
}

/** @param {string} title @param {string[]} all */
const sentences = (title, all) =>
  h(
    "section",
    { key: title, class: "coach-reasons" },
    h("strong", null, title),
    all.map((sentence, at) => h("p", { key: at }, sentence)),
  );

/** @param {number} antes */
const evText = (antes) => `${antes > 0 ? "+" : antes < 0 ? "−" : ""}${Math.abs(antes).toFixed(4)}`;

/**
 * A table of choices with the best one marked.
 * @param {string[]} columns
 * @param {{key: string, best: boolean, choice: Content, cells: Content[]}[]} rows
 */
const adviceTable = (columns, rows) =>
  h(
    "table",
    { class: "advice" },
    tableHead(columns),
    h(
      "tbody",
      null,
      rows.map(({ key, best, choice, cells }) =>
        h(
          "tr",
          { key, class: best ? "best-row" : undefined },
          h("th", { scope: "row" }, choice),
          cells.map((cell, at) => h("td", { key: at }, cell)),
        ),
      ),
    ),
  );

/** Returns the choices of an advice, best first. @param {Advice} advice @returns {[string, any][]} */
const ranked = (advice) =>
  /** @type {[string, any][]} */ (Object.entries(advice.actions)).sort(([, a], [, b]) => b.ev - a.ev);

/** @param {Page} page @param {Advice} advice */
function actionTable(page, advice) {
  const actions = ranked(advice);
  const span = Math.max(...actions.map(([, value]) => value.cost), 1e-9);
  const cost = (/** @type {any} */ value) =>
    h(
      "span",
      { class: "cost" },
      h("i", { style: { width: `${Math.max(3, (40 * value.cost) / span)}px` }, "aria-hidden": "true" }),
      dollars(centsOf(value.cost, advice)),
    );
  return [
    adviceTable(
      ["Choice", capital(advice.units), "Money", "Cost"],
      actions.map(([action, value]) => ({
        key: action,
        best: action === advice.best,
        choice: choiceText(action, advice.titles),
        cells: [
          evText(value.ev),
          signed(centsOf(value.ev, advice)),
          value.cost ? cost(value) : action === advice.best ? "best" : "equal",
        ],
      })),
    ),
    quietText(
      `Average net result of the whole round with best play afterwards, without optional side bets. Exact: every card that you cannot see is counted.${page.state.game.posted.limits.length ? " The payout limit is not counted." : ""}`,
    ),
  ];
}

/** @param {Page} page @param {Advice} advice @param {boolean} now the hand can still be set */
function settingTable(page, advice, now) {
  const share = (/** @type {number} */ part) => `${(100 * part).toFixed(1)} %`;
  const rows = ranked(advice);
  // Settings of other suits that make the same hands are one row.
  const different = rows.filter(([, row], place) => rows.findIndex(([, other]) => other.hands === row.hands) === place);
  return [
    adviceTable(
      ["Low hand", "Wins", "Loses", "Value", "Money"],
      different.slice(0, ROWS_SHOWN).map(([low, row]) => ({
        key: low,
        best: low === advice.best,
        choice: [
          now ? buttonNode(cardsText(low), () => chooseLow(page, low), { class: "link" }) : cardsText(low),
          row.house_way && h("small", null, " house way"),
        ],
        cells: [share(row.win), share(row.lose), evText(row.ev), signed(centsOf(row.ev, advice))],
      })),
    ),
    quietText(
      `Value in main wagers, after commission. Exact: all ${advice.dealer_hands.toLocaleString("en-US")} dealer hands are counted.`,
    ),
  ];
}

/** @param {string} cards */
const cardsText = (cards) => cards.split(" ").map(cardSymbol).join(" ");

/** @param {Page} page @param {string} low */
function chooseLow(page, low) {
  page.ui.low = low.split(" ");
  page.show();
}

// --- the strategy grid ------------------------------------------------------------------------------------------------

/** Returns true for a decision with two own cards. @param {Page} page @param {Advice} advice */
const hasGrid = (page, advice) => !isSetting(advice) && placesOf(page.state.game, "seat").length === 2;

/** @param {Page} page @param {Advice} advice */
function gridSection(page, advice) {
  return h(
    "details",
    {
      class: "coach-grid",
      key: `grid${advice.key}`,
      ontoggle: (/** @type {Event} */ event) =>
        /** @type {HTMLDetailsElement} */ (event.target).open && void loadGrid(page, advice),
    },
    h("summary", null, "Every hand at this decision"),
    advice.gridFailed && h("p", { class: "notice" }, advice.gridFailed),
    advice.grid
      ? [
          quietText(
            "Your place with any two cards: the best choice, and its value in units of the first wager. Suited hands above the diagonal. Press a hand to read more.",
          ),
          advice.drawGrid({
            ...advice.grid,
            chosen: advice.cell,
            choose: (/** @type {string} */ hand) => {
              advice.cell = hand;
              page.show();
            },
            caption: "Best play at this decision by starting hand",
          }),
        ]
      : !advice.gridFailed && quietText("Computing…"),
  );
}

/** @param {Page} page @param {Advice} advice */
async function loadGrid(page, advice) {
  if (advice.grid) return;
  try {
    advice.gridFailed = "";
    const [answer, { strategyGrid }] = await Promise.all([
      request("/advice", "POST", { table: page.id_, seat: advice.seat, grid: true }),
      import("../shared/strategy_grid.js"),
    ]);
    if (answer && keyOf(answer) === advice.key) Object.assign(advice, { grid: answer, drawGrid: strategyGrid });
    else advice.gridFailed = GONE_ON;
  } catch (error) {
    advice.gridFailed = errorText(error);
  }
  page.show();
}
