// @ts-check
/** What the dealer's console looks like: what comes next, what went wrong, take and pay, the steps. */

import { cardNode } from "../shared/card.js";
import { pileNode } from "../shared/chips.js";
import { deskFelt } from "./dealer_felt.js";
import { h } from "../shared/dom.js";
import { cites, problemLine } from "../console/staff_page.js";
import { capital, clock, dollars } from "../shared/format.js";

/** @typedef {import("./dealer.js").Dealing} Page */
/** @typedef {import("./dealer.js").Act} Act */
/** @typedef {import("./dealer.js").Movement} Movement */

const LAST_TOLD = 5;
/** @type {Record<string, string>} */
const WAYS = {
  take: "Take",
  pay: "Pay",
  "give back": "Give back",
  leave: "Push: leave it",
  meter: "Paid by the meter",
};

/** @param {Page} page */
export function deskView(page) {
  return h(
    "div",
    { class: `desk${page.desk?.live ? " is-live" : ""}`, "data-settled": String(page.settled) },
    strip(page),
    nowPanel(page),
    page.troubles && troublesPanel(page),
    deskFelt(page),
    movementsPanel(page),
    stepsPanel(page),
    toldPanel(page),
  );
}

/** @param {Page} page */
function strip(page) {
  const { state, desk } = page;
  const { stub } = /** @type {any} */ (desk);
  const left = state.deadline ? state.deadline - (Date.now() + state.skew) : null;
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
    fact("Tray", dollars(state.view?.tray_cents ?? 0)),
    left !== null && fact("Time left", h("strong", { class: left < 5000 ? "is-late" : "" }, clock(left))),
    state.line !== "live" &&
      h(
        "p",
        { class: "notice", role: "status" },
        state.successor
          ? [`${capital(state.why)}. `, h("a", { href: `/console/deal/${state.successor}` }, "Join")]
          : state.line === "joining" && !state.why
            ? "Coming to the table…"
            : `The line is broken; trying again. ${state.why}`,
      ),
  );
}

/** @param {string} name @param {any} value */
const fact = (name, value) => h("div", { key: name }, h("dt", null, name), h("dd", null, value));

// --- now ----------------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function nowPanel(page) {
  const { desk, due, act } = page;
  const others = desk?.acts.filter((one) => one !== act) ?? [];
  const title = due
    ? `${WAYS[due.way]}: seat ${due.seat}, ${due.title}${due.cents ? `, ${dollars(due.cents)}` : ""}`
    : act
      ? act.label
      : desk?.waits;
  const clauses = due ? [...(due.clauses ?? []), ...(due.readings ?? [])] : (act?.clauses ?? []);
  return h(
    "section",
    { key: "now", class: "desk-now card", "aria-labelledby": "now-title" },
    h("p", { class: "kicker" }, due ? "Chips to move" : act ? "Next" : "The table waits"),
    h("h2", { id: "now-title" }, title, " ", cites(clauses, page)),
    due && h("p", { class: "why" }, due.words),
    due && h("div", { class: "piles" }, due.chips?.map(pileNode)),
    !due && slots(page),
    entry(page),
    h(
      "div",
      { role: "alert", class: "desk-refusal" },
      page.refusal && h("p", { class: "notice" }, problemLine(page.refusal, page)),
    ),
    h(
      "div",
      { class: "desk-acts", role: "group", "aria-label": "What else may be done" },
      others.map((one) => actButton(page, one)),
      h(
        "button",
        {
          key: "wrong",
          type: "button",
          class: "button small wrong",
          "aria-expanded": String(Boolean(page.troubles)),
          onclick: () => void page.wrong(),
        },
        "Something went wrong",
        h("kbd", { "aria-hidden": "true" }, "!"),
      ),
    ),
  );
}

/** @param {Page} page @param {Act} act */
function actButton(page, act) {
  return h(
    "button",
    {
      key: act.id,
      type: "button",
      class: "button small",
      "data-act": act.id,
      disabled: page.sending,
      onclick: () => page.press(act),
    },
    act.label,
    act.key && h("kbd", { "aria-hidden": "true" }, act.key.toUpperCase()),
  );
}

/** The places whose cards are to be named, and what has been typed. @param {Page} page */
function slots(page) {
  const need = page.act?.needs?.find((one) => one.field === "cards");
  if (!need)
    return page.act?.needs?.length
      ? h(
          "p",
          { class: "asks-for" },
          capital(page.act.needs.map((one) => one.asks).join("; ")),
          ".",
          stopsTold(page.act.needs),
        )
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

/** @param {import("./dealer.js").Need[]} needs */
function stopsTold(needs) {
  const stops = needs.find((need) => need.stops && Object.keys(need.stops).length)?.stops;
  return stops ? ` From ${Object.keys(stops)[0]} to ${Object.keys(stops).at(-1)}, as printed.` : "";
}

/** @param {Page} page */
function entry(page) {
  const { act, due, line, desk } = page;
  const needs = !due && act?.needs?.length;
  const hint = needs ? example(act) : desk?.live ? "2 fold · 1 ante 10 · 4 Ann 500 · a key" : "a key";
  const label = due ? "Done" : needs ? "Enter" : act ? act.label : "Enter";
  return h(
    "form",
    {
      class: "desk-entry",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        page.next();
      },
    },
    h("label", { for: "line", class: "sr" }, needs ? act.needs?.map((one) => one.asks).join("; ") : "Dealer's line"),
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
      { class: "button main", disabled: page.sending || (!act && !due && !page.text) },
      page.text.trim() ? "Enter" : label,
      h("kbd", { "aria-hidden": "true" }, "↵"),
    ),
    h(
      "p",
      { id: "line-says", class: "line-says", role: "status" },
      line?.problem ? h("span", { class: "bad" }, problemLine(line.problem, page)) : (line?.says ?? ""),
    ),
  );
}

/** What is typed, by example. @param {Act} act */
function example(act) {
  const [need] = act.needs ?? [];
  if (need?.field === "cards")
    return "Kd 10s 4c 2h 9s Ah Qc"
      .split(" ")
      .slice(0, need.count ?? 1)
      .join(" ");
  if (need?.field === "dice") return "3 4 6";
  return need?.field === "count" ? "how many you counted" : "number";
}

// --- what goes wrong ------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function troublesPanel(page) {
  const troubles = page.troubles ?? [];
  return h(
    "section",
    { key: "troubles", class: "card troubles", "aria-labelledby": "troubles-title" },
    h("h2", { id: "troubles-title", tabindex: "-1" }, "What went wrong?"),
    !troubles.length && h("p", { class: "quiet" }, "Nothing that the rulebook knows can go wrong at this point."),
    page.state.table?.dealt_by === "physical" &&
      h(
        "p",
        { class: "quiet" },
        "A card was named wrongly? Call the floor before anything is settled on it: two people put it right at ",
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
          h("p", null, trouble.follows, ". ", rests(page, trouble)),
          trouble.two_people ? callTheFloor(page) : reports(page, trouble),
        ),
      ),
    ),
  );
}

/** @param {Page} page */
const callTheFloor = (page) =>
  page.own
    ? h(
        "p",
        { class: "quiet" },
        "Nobody voids a round that they sit at, or has its cards shown early: play it out, or leave the seat to bots.",
      )
    : h(
        "p",
        { class: "quiet" },
        "Nobody voids a round alone, or shows a card before its time: stop dealing and call the floor, who proposes it at ",
        h("a", { href: `/console/table/${page.table}` }, "the table's page"),
        ".",
      );

/** @param {Page} page @param {import("./dealer.js").Trouble} trouble */
const reports = (page, trouble) =>
  h(
    "div",
    { class: "buttons" },
    trouble.wheres.map((where) =>
      h(
        "button",
        {
          key: where.label,
          type: "button",
          class: "button small",
          onclick: () =>
            void page.report(trouble, where.command, [
              h(
                "p",
                { key: "follows" },
                h("strong", null, "What follows: "),
                trouble.follows,
                ". ",
                rests(page, trouble),
              ),
            ]),
        },
        where.label ? capital(where.label) : "Report",
      ),
    ),
  );

/**
 * What a step or a consequence rests on.
 * @param {Page} page
 * @param {{clauses: string[], readings: string[], house_rule: string}} of
 */
const rests = (page, of) => [
  cites([...of.clauses, ...of.readings], page),
  of.house_rule && h("small", { key: "rule", class: "quiet" }, `House rule: ${of.house_rule}.`),
];

// --- take and pay -------------------------------------------------------------------------------------------------------------

/** @param {Page} page */
function movementsPanel(page) {
  const movements = page.desk?.movements ?? [];
  const done = new Set(page.ticked.ids);
  const { due } = page;
  return h(
    "section",
    { key: "movements", class: "card desk-movements", "aria-labelledby": "movements-title" },
    h("h2", { id: "movements-title" }, "Take and pay"),
    !movements.length &&
      h("p", { class: "quiet" }, "Chips to move are listed here in the order in which they are moved."),
    h(
      "ol",
      null,
      movements.map((movement) =>
        h(
          "li",
          {
            key: movement.id,
            class: `movement way-${movement.way.replace(" ", "-")}${movement === due ? " is-due" : ""}${done.has(movement.id) ? " is-done" : ""}`,
          },
          h(
            "span",
            { class: "what" },
            h("b", null, done.has(movement.id) && h("span", { class: "sr" }, "Done: "), WAYS[movement.way]),
            ` seat ${movement.seat}, ${movement.title}`,
            h("small", null, paid(movement)),
          ),
          h("strong", null, movement.cents ? dollars(movement.cents) : "–"),
          movement === due &&
            h(
              "button",
              {
                key: "tick",
                type: "button",
                class: "button small",
                onclick: () => page.tick(),
                "aria-label": `Done: seat ${movement.seat}, ${movement.title}`,
              },
              "✓",
            ),
        ),
      ),
    ),
  );
}

/** @param {Movement} movement */
function paid(movement) {
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
          place === at && rests(page, step),
        ),
      ),
    ),
  );
}

/** @param {Page} page */
function toldPanel(page) {
  const told = page.state.log.slice(-LAST_TOLD).reverse();
  return (
    told.length > 0 &&
    h(
      "section",
      { key: "told", class: "card desk-told", "aria-labelledby": "told-title" },
      h("h2", { id: "told-title" }, "What happened"),
      h(
        "ol",
        null,
        told.map((event, at) => h("li", { key: `${event.seq} ${at}` }, event.tells)),
      ),
    )
  );
}
