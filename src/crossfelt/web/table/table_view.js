// @ts-check
/** The whole table page: where we are, the felt, what may be done, and the panels beside it. */

import { CHIPS, chipFace } from "../shared/chips.js";
import { h, wear } from "../shared/dom.js";
import { felt } from "./felt.js";
import { clauseRibbon } from "../shared/clauses.js";
import { panelOf, PANELS } from "./panels.js";
import { wheelSheet } from "./wheel.js";
import { atRisk, mine, netOf, nowWords, option, wagering } from "./state.js";
import { capital, clock, dollars, signed } from "../shared/format.js";

await Promise.all([wear("table/actions.css"), wear("table/panels.css")]);

/** @typedef {import("./table.js").TablePage} Page */

const LINE_WORDS = { joining: "Joining", live: "Live", lost: "Reconnecting", gone: "Gone" };

/** @param {Page} page */
export function whereAmI(page) {
  const { game, view, line } = page.state;
  return [
    h("h1", { class: "table-title" }, game?.title ?? "Table"),
    view && h("span", { class: "round-number" }, `Round ${view.round || 1}`),
    h("span", { class: `line line-${line}`, role: "status" }, h("i", { "aria-hidden": "true" }), LINE_WORDS[line]),
  ];
}

/** @param {Page} page */
export function tablePage(page) {
  const { state, ui } = page;
  if (state.line === "gone")
    return h(
      "section",
      { class: "sheet" },
      h("h2", null, state.successor ? "New rules" : "No table here"),
      h("p", { role: "status" }, capital(state.why), " ", h("a", { href: "/" }, "To the lobby")),
      state.successor &&
        h(
          "p",
          null,
          h(
            "a",
            { class: "button main", href: `/table/${state.successor}${page.role_ === "player" ? "?sit" : ""}` },
            "Join",
          ),
        ),
    );
  if (!state.view || !state.game)
    return h("p", { class: "opening", role: "status" }, state.why || "Walking to the table…");
  return h(
    "div",
    { class: `room${ui.panel ? " with-panel" : ""}` },
    h(
      "section",
      { class: "table", "aria-label": "The table" },
      state.line === "lost" &&
        h(
          "p",
          { class: "lost", role: "alert" },
          `${state.why || "The house does not answer"}. Your bets are safe; this page comes back by itself.`,
        ),
      felt(page),
      rail(page),
    ),
    side(page),
    ui.spun && wheelSheet(page),
    h("div", { class: "flying", "aria-hidden": "true", key: "flying" }),
  );
}

// --- the rail: chips, buttons, balance -----------------------------------------------------------------------------

/** @param {Page} page */
function rail(page) {
  const { state, ui } = page;
  const seat = mine(state);
  return h(
    "section",
    { class: "rail", "aria-label": "Your chips and choices" },
    h(
      "div",
      { class: "rail-words" },
      h(
        "p",
        { class: `now${yours(page) ? " yours" : ""}` },
        h("span", null, ui.ready ? "Your bets are down" : nowWords(state)),
        deadline(state),
      ),
      !ui.notice && wagering(state) && lastRound(page),
    ),
    state.held &&
      h(
        "p",
        { key: "held", class: "notice", role: "status" },
        "The table is held: it goes on when the floor has seen to it.",
        wagering(state) && " Bets can be taken back until then.",
      ),
    ui.notice &&
      h("p", { class: `notice ${ui.noticeKind}`, role: ui.noticeKind === "info" ? "status" : "alert" }, ui.notice),
    h("div", { class: "rail-row" }, wagering(state) && rack(page), buttons(page), purse(page, seat)),
  );
}

/** Whether the table waits for this player. @param {Page} page */
const yours = (page) =>
  page.state.allowed.some(
    (one) =>
      one.seat === mine(page.state)?.number &&
      ["bet", "fold", "choose", "set_hand", "decline_bank", "place_wagers"].includes(one.command),
  );

/** @param {import("./state.js").State} state */
function deadline(state) {
  if (!state.deadline) return null;
  const left = state.deadline - (Date.now() + state.skew);
  return h("span", { class: `deadline${left < 6000 ? " soon" : ""}` }, `${Math.max(0, Math.ceil(left / 1000))} s`);
}

/** @param {Page} page */
function rack(page) {
  return h(
    "div",
    { class: "rack", role: "radiogroup", "aria-label": "Chip to bet with" },
    CHIPS.map((chip, at) =>
      h(
        "button",
        {
          key: chip.name,
          type: "button",
          role: "radio",
          class: "rack-chip",
          "aria-checked": String(at === page.ui.chip),
          "aria-label": `${dollars(chip.cents)} chip`,
          onclick: () => pick(page, at),
        },
        chipFace(chip),
      ),
    ),
  );
}

/** @param {Page} page @param {number} at */
function pick(page, at) {
  page.ui.chip = at;
  page.show();
}

/** @param {Page} page */
function buttons(page) {
  const best = page.ui.panel === "coach" ? bestAction(page) : "";
  return h(
    "div",
    { class: "buttons" },
    page.actions.map((action) =>
      h(
        "button",
        {
          key: action.id,
          type: "button",
          class: `button ${action.kind}${action.id === best ? " advised" : ""}`,
          "data-action": action.id,
          disabled:
            Boolean(action.off) ||
            page.state.line !== "live" ||
            Boolean(page.ui.busy && page.ui.busy !== "place_wagers"),
          onclick: (/** @type {MouseEvent} */ event) => act(page, action, event),
          "aria-keyshortcuts": action.shows,
        },
        h("span", { class: "button-label" }, action.label),
        action.note && h("span", { class: "button-note" }, action.note),
        h("kbd", { "aria-hidden": "true" }, action.shows === "Enter" ? "↵" : action.shows),
      ),
    ),
  );
}

/** Actions that are pressed quickly again and again on purpose. */
const OFTEN = new Set(["double", "undo"]);

/**
 * The second half of a double click answers nothing: the next decision stands where the last one was pressed.
 * @param {Page} page
 * @param {import("./actions.js").Action} action
 * @param {MouseEvent} event
 */
function act(page, action, event) {
  if (event.detail < 2 || OFTEN.has(action.id)) void page.act(action);
}

/** The button of the best choice, once the coach has spoken. @param {Page} page */
function bestAction(page) {
  const best = page.ui.advice?.best;
  if (!best) return "";
  const times = /^(\d)x$/.exec(best);
  return times ? `bet-${times[1]}` : best === "fold" ? "fold" : `choose-${best}`;
}

/** @param {Page} page @param {import("./state.js").Seat | null} seat */
function purse(page, seat) {
  const { state } = page;
  if (!seat)
    return h(
      "p",
      { class: "purse watching" },
      state.you.name ? `Watching as ${state.you.name}` : "Watching",
      " ",
      h("button", { type: "button", class: "door more", onclick: () => page.open("pays") }, "More"),
    );
  const lies = atRisk(seat);
  const net = seat.chips_cents + lies - state.bought;
  return h(
    "div",
    { class: "purse" },
    h(
      "dl",
      { class: "sums" },
      figure("Balance", dollars(seat.chips_cents), "balance"),
      figure("Total bet", dollars(lies), "at-risk"),
      figure("Net", signed(net), net > 0 ? "up" : net < 0 ? "down" : ""),
      figure("Time", clock(Date.now() - state.since), "time"),
    ),
    h(
      "div",
      { class: "doors" },
      door(page, "buy_chips", "Buy in", () => void page.buy(seat.number)),
      door(page, "leave_seat", "Get up", () => void page.leave()),
      h(
        "button",
        {
          key: "more",
          type: "button",
          class: "door more",
          onclick: () => page.open("pays"),
          "aria-label": "Pay tables, coach, log, rounds and words",
        },
        "More",
      ),
    ),
  );
}

/** @param {Page} page @param {string} command @param {string} label @param {() => void} go */
const door = (page, command, label, go) =>
  option(page.state, command) &&
  h(
    "button",
    {
      key: command,
      type: "button",
      class: "door",
      onclick: go,
      title: command === "buy_chips" ? "Buy chips for $500 of play money" : undefined,
    },
    label,
  );

/** @param {string} name @param {any} value @param {string} [kind] */
const figure = (name, value, kind) =>
  h("div", { key: name, class: `figure ${kind ?? ""}` }, h("dt", null, name), h("dd", null, value));

/** What the last round brought, until the next one is dealt. @param {Page} page */
function lastRound(page) {
  const { last, you } = page.state;
  const seat = you.seats[0];
  if (!last || !seat || !last.results[seat]) return null;
  const net = netOf(last, seat);
  const hands = Object.entries(last.hands[seat] ?? {}).map(([line, name]) => `${line} ${name}`);
  const words =
    last.outcome === "void"
      ? "was void: every wager went back"
      : net > 0
        ? `won ${dollars(net)}`
        : net < 0
          ? `lost ${dollars(-net)}`
          : "came out even";
  return h(
    "p",
    { class: `last ${net > 0 ? "up" : net < 0 ? "down" : ""}` },
    h("strong", null, `Round ${last.number} ${words}`),
    hands.length > 0 && h("span", null, hands.map(capital).join(" · ")),
    h("button", { type: "button", class: "link", onclick: () => page.open("rounds") }, "Recall"),
  );
}

// --- beside the table ----------------------------------------------------------------------------------------------

/** @param {Page} page */
function side(page) {
  const { ui } = page;
  const shown = ui.panel || "pays";
  return h(
    "aside",
    { class: `side${ui.panel ? " open" : ""}`, "aria-label": "Pay tables, coach, log and rounds" },
    h(
      "div",
      { class: "side-head" },
      h(
        "div",
        { class: "tabs", role: "tablist" },
        PANELS.map(([name, title, key]) =>
          h(
            "button",
            {
              key: name,
              type: "button",
              role: "tab",
              id: `tab-${name}`,
              "aria-selected": String(shown === name),
              "aria-controls": "panel",
              tabindex: shown === name ? 0 : -1,
              onclick: () => page.open(name),
              onkeydown: (/** @type {KeyboardEvent} */ event) => tabs(page, event, name),
            },
            title,
            h("kbd", { "aria-hidden": "true" }, key),
          ),
        ),
      ),
      ui.panel &&
        h(
          "button",
          { type: "button", class: "close", onclick: () => page.open(ui.panel), "aria-label": "Close the panel" },
          "×",
        ),
    ),
    h(
      "div",
      {
        class: `panel panel-${shown}`,
        id: "panel",
        role: "tabpanel",
        tabindex: 0,
        "aria-label": PANELS.find(([name]) => name === shown)?.[1] ?? "Keys",
      },
      panelOf(page, shown),
      ui.clause && clauseRibbon(page),
    ),
  );
}

/** @param {Page} page @param {KeyboardEvent} event @param {string} name */
function tabs(page, event, name) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = PANELS.findIndex(([one]) => one === name);
  const [next] = PANELS[(at + step + PANELS.length) % PANELS.length];
  page.open(next);
  /** @type {HTMLElement | null} */ (page.querySelector(`#tab-${next}`))?.focus();
  event.preventDefault();
  event.stopPropagation();
}
