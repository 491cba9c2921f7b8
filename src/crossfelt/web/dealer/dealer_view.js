// @ts-check
/** The layout of the dealer's desk: next action, irregularities, take and pay, steps, log. */

import { cardNode } from "../shared/card.js";
import { pileNode } from "../shared/chips.js";
import { clauseButtons, problemLine } from "../shared/clauses.js";
import { buttonNode, buttonRow, fact, h, quietText } from "../shared/dom.js";
import { capital, clock, dollars, sentence, withStop } from "../shared/format.js";
import { deskFelt } from "./dealer_felt.js";

/** @typedef {import("./dealer.js").DealerDesk} Page */
/** @typedef {import("./dealer.js").Act} Act */
/** @typedef {import("./dealer.js").Movement} Movement */

const LOG_SHOWN = 5;
/** @type {Record<string, string>} */
const WAYS = {
  take: "Take",
  pay: "Pay",
  "give back": "Give back",
  leave: "Leave (push)",
  meter: "Paid by the meter",
  asked: "What is paid?",
};

/** @param {Page} page */
export function deskView(page) {
  return h(
    "div",
    { class: `desk${page.desk?.live ? " is-live" : ""}`, "data-settled": String(page.settled) },
    statusBar(page),
    examBar(page),
    nowPanel(page),
    page.troubles && troublesPanel(page),
    deskFelt(page),
    movementsPanel(page),
    stepsPanel(page),
    !page.desk?.exam && logPanel(page),
  );
}

/** The exam: its score so far, and the last answer. @param {Page} page */
function examBar(page) {
  const exam = page.desk?.exam;
  // At a public table the dealer works, and people are paid.
  if (!exam && !page.own) return null;
  if (!exam)
    return h(
      "p",
      { key: "exam", class: "desk-exam" },
      buttonNode("Start an exam", () => void page.beginExam(), { class: "button small" }),
    );
  const { last } = exam;
  return h(
    "section",
    { key: "exam", class: "card desk-exam", "aria-label": "Exam" },
    h("strong", null, "Exam"),
    h("span", null, scoreText(exam)),
    last && h("span", { class: `tag ${exam.last_right ? "good" : "bad"}` }, exam.last_right ? "Right" : "Wrong"),
    last &&
      h(
        "span",
        null,
        `Seat ${last.seat}, ${last.title}: ${exam.last_right ? dollars(last.cents) : errorText(last)}. ${last.words}`,
      ),
    buttonNode("End the exam", () => void page.endExam(), { class: "button small" }),
  );
}

/** @param {import("./dealer.js").Exam} exam */
const scoreText = ({ asked, right, millis }) =>
  asked ? `${right} of ${asked} right, ${(millis / asked / 1000).toFixed(1)} s each` : "Nothing asked yet.";

/** @param {import("./dealer.js").ExamMark} mark */
const errorText = ({ given_cents, cents }) =>
  `${given_cents === null ? "not answered" : `you paid ${dollars(given_cents)}`}, right is ${dollars(cents)}`;

/** The result of an exam, with its errors. @param {import("./dealer.js").Exam} exam */
export function examResult(exam) {
  return [
    h("p", { key: "score" }, scoreText(exam)),
    exam.wrong.length > 0 &&
      h(
        "ul",
        { key: "wrong", class: "exam-errors" },
        exam.wrong.map((mark, at) =>
          h(
            "li",
            { key: at },
            `Round ${mark.round}, seat ${mark.seat}, ${mark.title}: ${errorText(mark)}. ${mark.words}`,
          ),
        ),
      ),
  ];
}

/** @param {Page} page */
function statusBar(page) {
  const { state, desk } = page;
  const { stub } = /** @type {any} */ (desk);
  const left = state.deadline ? state.deadline - (Date.now() + state.clockSkew) : null;
  return h(
    "dl",
    { class: "desk-strip" },
    fact("Game", state.game?.title),
    fact("Round", state.view?.round),
    fact("Cards", desk?.live ? "Live" : "Virtual"),
    fact(
      "Stub count",
      stub.due
        ? h("strong", { class: "is-late" }, "due this round")
        : stub.rounds
          ? `round ${stub.rounds} of ${stub.every}`
          : "counted",
    ),
    !desk?.exam && fact("Tray", dollars(state.view?.tray_cents ?? 0)),
    left !== null && fact("Time left", h("strong", { class: left < 5000 ? "is-late" : "" }, clock(left))),
    state.connection !== "live" &&
      h(
        "p",
        { class: "notice", role: "status" },
        state.successor
          ? [`${sentence(state.why)} `, h("a", { href: `/console/deal/${state.successor}` }, "Go to the new table")]
          : state.connection === "joining" && !state.why
            ? "Connecting to the table…"
            : `The connection is lost. Reconnecting… ${state.why ? sentence(state.why) : ""}`,
      ),
  );
}

// --- now ----------------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function nowPanel(page) {
  const { desk, nextMovement, act } = page;
  const others = desk?.acts.filter((one) => one !== act) ?? [];
  const asked = nextMovement?.way === "asked";
  const amount = asked ? nextMovement.stake_cents : nextMovement?.cents;
  const title = nextMovement
    ? `${WAYS[nextMovement.way]}${asked ? "" : ":"} ${asked ? "Seat" : "seat"} ${nextMovement.seat}, ${nextMovement.title}${amount ? `, ${dollars(amount)}` : ""}`
    : act
      ? act.label
      : desk?.waits;
  const clauses = nextMovement
    ? [...(nextMovement.clauses ?? []), ...(nextMovement.readings ?? [])]
    : (act?.clauses ?? []);
  return h(
    "section",
    { key: "now", class: "desk-now card", "aria-labelledby": "now-title" },
    h("p", { class: "kicker" }, asked ? "Exam" : nextMovement ? "Move chips" : act ? "Next" : "Waiting"),
    h("h2", { id: "now-title" }, title, " ", clauseButtons(clauses)),
    nextMovement && h("p", { class: "why" }, nextMovement.words),
    nextMovement && h("div", { class: "piles" }, nextMovement.chips?.map(pileNode)),
    !nextMovement && slots(page),
    lineForm(page),
    h(
      "div",
      { role: "alert", class: "desk-refusal" },
      page.refusal && h("p", { class: "notice" }, problemLine(page.refusal)),
    ),
    h(
      "div",
      { class: "desk-acts", role: "group", "aria-label": "Other actions" },
      others.map((one) => actButton(page, one)),
      buttonNode(
        ["Report an irregularity", h("kbd", { "aria-hidden": "true" }, "!")],
        () => void page.toggleTroubles(),
        { key: "wrong", class: "button small wrong", "aria-expanded": String(Boolean(page.troubles)) },
      ),
    ),
  );
}

/** @param {Page} page @param {Act} act */
function actButton(page, act) {
  return buttonNode(
    [act.label, act.key && h("kbd", { "aria-hidden": "true" }, act.key.toUpperCase())],
    () => page.press(act),
    { key: act.id, class: "button small", "data-act": act.id, disabled: page.sending },
  );
}

/** The places whose cards the dealer must name, and the typed cards. @param {Page} page */
function slots(page) {
  const need = page.act?.needs?.find((one) => one.field === "cards");
  if (!need)
    return page.act?.needs?.length
      ? h("p", { class: "input-hint" }, sentence(page.act.needs.map((one) => one.asks).join("; ")))
      : null;
  const typed = page.line?.cards ?? [];
  return h(
    "ol",
    { class: `slots${need.front ? " has-front" : ""}`, "aria-label": "Cards to name" },
    (need.places ?? []).map((place, at) =>
      h(
        "li",
        {
          key: at,
          class:
            [at < (need.front ?? 0) && "front", at === typed.length && "here"].filter(Boolean).join(" ") || undefined,
        },
        typed[at] ? cardNode(typed[at]) : h("span", { class: "slot" }),
        h("small", null, place),
      ),
    ),
  );
}

/** @param {Page} page */
function lineForm(page) {
  const { act, nextMovement, line, desk } = page;
  const needs = !nextMovement && act?.needs?.length;
  const asked = nextMovement?.way === "asked";
  const hint = asked
    ? "dollars, 0 if nothing is paid"
    : needs
      ? example(act)
      : desk?.live
        ? "2 fold · 1 ante 10 · 4 Ann 500 · or a key"
        : "type a key";
  const label = asked ? "Pay" : nextMovement ? "Done" : needs ? "Enter" : act ? act.label : "Enter";
  return h(
    "form",
    {
      class: "desk-entry",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        page.next();
      },
    },
    h(
      "label",
      { for: "line", class: "sr" },
      asked ? "Payment in dollars" : needs ? act.needs?.map((one) => one.asks).join("; ") : "Dealer's line",
    ),
    h("input", {
      id: "line",
      "prop:value": page.text,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
      maxlength: 200,
      placeholder: hint,
      "aria-describedby": "line-says",
      "aria-invalid": line?.problem ? "true" : undefined,
      oninput: (/** @type {any} */ event) => page.type(event.target.value),
    }),
    h(
      "button",
      { class: "button main", disabled: page.sending || (!act && !nextMovement && !page.text) },
      page.text.trim() && !asked ? "Enter" : label,
      h("kbd", { "aria-hidden": "true" }, "↵"),
    ),
    h(
      "p",
      { id: "line-says", class: "line-says", role: "status" },
      line?.problem ? h("span", { class: "bad" }, problemLine(line.problem)) : (line?.says ?? ""),
    ),
  );
}

/** An example of the input. @param {Act} act */
function example(act) {
  const [need] = act.needs ?? [];
  if (need?.field === "cards")
    return "Kd 10s 4c 2h 9s Ah Qc"
      .split(" ")
      .slice(0, need.count ?? 1)
      .join(" ");
  if (need?.field === "dice") return "3 4 6";
  return need?.field === "count" ? "number of cards" : need?.field === "stop" ? "as printed" : "number";
}

// --- irregularities ------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function troublesPanel(page) {
  const troubles = page.troubles ?? [];
  return h(
    "section",
    { key: "troubles", class: "card troubles", "aria-labelledby": "troubles-title" },
    h("h2", { id: "troubles-title", tabindex: "-1" }, "Irregularities"),
    !troubles.length && quietText("The rulebook has no irregularity for this step."),
    page.state.table?.dealt_by === "physical" &&
      quietText(
        "If you misnamed a card, call the floor before a wager is settled on it. Two people correct it on ",
        h("a", { href: `/console/table/${page.table}` }, "the table's page"),
        ".",
      ),
    h(
      "ul",
      null,
      troubles.map((trouble) =>
        h(
          "li",
          { key: trouble.id },
          h("h3", null, trouble.title),
          h("p", null, `${sentence(trouble.follows)} `, sourceNodes(trouble)),
          trouble.two_people ? callFloorNote(page) : reportButtons(page, trouble),
        ),
      ),
    ),
  );
}

/** @param {Page} page */
const callFloorNote = (page) =>
  page.own
    ? quietText(
        "You cannot void a round or expose cards early at your own table. Finish the round, or leave your seat to a bot.",
      )
    : quietText(
        "A void round or an early exposed card needs two people. Stop dealing and call the floor, who proposes it on ",
        h("a", { href: `/console/table/${page.table}` }, "the table's page"),
        ".",
      );

/** @param {Page} page @param {import("./dealer.js").Trouble} trouble */
const reportButtons = (page, trouble) =>
  buttonRow(
    trouble.wheres.map((where) =>
      buttonNode(
        where.label ? capital(where.label) : "Report",
        () =>
          void page.report(trouble, where.command, [
            h(
              "p",
              { key: "follows" },
              h("strong", null, "Consequence: "),
              `${sentence(trouble.follows)} `,
              sourceNodes(trouble),
            ),
          ]),
        { key: where.label, class: "button small" },
      ),
    ),
  );

/**
 * The clauses, readings and house rule of a step or a consequence.
 * @param {{clauses: string[], readings: string[], house_rule: string}} of
 */
const sourceNodes = (of) => [
  clauseButtons([...of.clauses, ...of.readings]),
  of.house_rule && h("small", { key: "rule", class: "quiet" }, `House rule: ${withStop(of.house_rule)}`),
];

// --- take and pay -------------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function movementsPanel(page) {
  const movements = page.desk?.movements ?? [];
  const done = new Set(page.moved.ids);
  const { nextMovement } = page;
  return h(
    "section",
    { key: "movements", class: "card desk-movements", "aria-labelledby": "movements-title" },
    h("h2", { id: "movements-title" }, "Take and pay"),
    !movements.length && quietText("The chips to move appear here in their order."),
    h(
      "ol",
      null,
      movements.map((movement) =>
        h(
          "li",
          {
            key: movement.id,
            class: `movement way-${movement.way.replace(" ", "-")}${movement === nextMovement ? " is-due" : ""}${done.has(movement.id) ? " is-done" : ""}`,
          },
          h(
            "span",
            { class: "what" },
            h("b", null, done.has(movement.id) && h("span", { class: "sr" }, "Done: "), WAYS[movement.way]),
            ` seat ${movement.seat}, ${movement.title}`,
            h("small", null, movementText(movement)),
          ),
          h("strong", null, movement.cents ? dollars(movement.cents) : "–"),
          movement === nextMovement &&
            movement.way !== "asked" &&
            buttonNode("✓", () => page.markMoved(), {
              key: "tick",
              class: "button small",
              "aria-label": `Done: seat ${movement.seat}, ${movement.title}`,
            }),
        ),
      ),
    ),
  );
}

/** @param {Movement} movement */
function movementText(movement) {
  const parts = [
    movement.hand && capital(movement.hand),
    movement.way === "pay" && movement.odds,
    movement.stake_cents && `on ${dollars(movement.stake_cents)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

// --- the round --------------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function stepsPanel(page) {
  const { desk } = page;
  const steps = desk?.steps ?? [];
  const at = steps.findIndex((step) => step.id === desk?.step);
  return h(
    "details",
    { key: "steps", class: "card desk-steps", open: matchMedia("(min-width: 1000px)").matches },
    h(
      "summary",
      null,
      h("h2", null, "The round"),
      at >= 0 && h("span", { class: "quiet" }, `step ${at + 1} of ${steps.length}`),
    ),
    h(
      "ol",
      null,
      steps.map((step, place) =>
        h(
          "li",
          {
            key: step.id,
            class: place === at ? "is-now" : place < at ? "is-past" : undefined,
            "aria-current": place === at ? "step" : undefined,
          },
          h("span", null, step.title),
          place === at && h("small", { key: "words" }, step.words.join(" ")),
          place === at && sourceNodes(step),
        ),
      ),
    ),
  );
}

/** @param {Page} page */
function logPanel(page) {
  const events = page.state.log.slice(-LOG_SHOWN).reverse();
  return (
    events.length > 0 &&
    h(
      "section",
      { key: "log", class: "card desk-log", "aria-labelledby": "log-title" },
      h("h2", { id: "log-title" }, "Log"),
      h(
        "ol",
        null,
        events.map((event, at) => h("li", { key: `${event.seq} ${at}` }, event.tells)),
      ),
    )
  );
}
