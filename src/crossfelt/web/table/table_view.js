// @ts-check
/** The table page: header, felt, action buttons and panels. */

import { chipFace, CHIPS } from "../shared/chips.js";
import { buttonNode, buttonRow, h, loadStylesheet } from "../shared/dom.js";
import { capital, clock, dollars, limitedText, plain, sentence, signed } from "../shared/format.js";
import { laterBets } from "./bets.js";
import { advisedAction, coachOn, coachStrip, currentAdvice } from "./coach.js";
import { settings } from "../shared/preferences.js";
import { felt } from "./felt.js";
import { guideNode } from "./guide.js";
import { clockNode, goneSheet, lostNode, situationNode } from "./situation.js";
import { panelOf, PANELS } from "./panels.js";
import { spinPrints } from "./posted.js";
import { railControls } from "./rail_controls.js";
import { resultNodes } from "./result.js";
import { soundControl } from "./sound.js";
import { bettingOption, netOf, ownOption, ownSeat, statusText, totalBet } from "./state.js";
import { tryWheel, wheelSheet } from "./wheel.js";

await loadStylesheet("table/table_view.css");

/** @typedef {import("./table.js").TablePage} Page */

const CONNECTION_TEXT = { joining: "Connecting", live: "Live", lost: "Reconnecting", gone: "Closed" };

/** @param {Page} page */
export function headerNodes(page) {
  const { game, view, connection } = page.state;
  return [
    h("h1", { class: "table-title" }, game?.title ?? "Table"),
    view && h("span", { class: "round-number" }, `Round ${view.round || 1}`),
    h(
      "span",
      { class: `connection connection-${connection}`, role: "status" },
      h("i", { "aria-hidden": "true" }),
      CONNECTION_TEXT[connection],
    ),
    // On a phone the control lies in the menu: the sound must still end by one press.
    settings.sound && soundControl(),
  ];
}

/** @param {Page} page */
export function tablePage(page) {
  const { state, ui } = page;
  if (state.connection === "gone") return goneSheet(page);
  if (!state.view || !state.game)
    return h("p", { class: "opening", role: "status" }, state.why ? sentence(state.why) : "Connecting to the table…");
  return h(
    "div",
    { class: `room${ui.panel ? " with-panel" : ""}` },
    h("section", { class: "table", "aria-label": "The table" }, lostNode(page), felt(page), rail(page)),
    sidePanel(page),
    ui.spun && wheelSheet(page),
    guideNode(page),
    h("div", { class: "flying", "aria-hidden": "true", key: "flying" }),
  );
}

/**
 * Updates the clocks once a second: the whole page while a clock runs for a player, otherwise the text of the time played.
 * @param {Page} page
 */
export function drawClocks(page) {
  const { state } = page;
  if (document.hidden) return;
  if (state.deadline || state.waiting.some(({ until, skip_at }) => until || skip_at)) page.show();
  const time = page.querySelector(".figure.time dd")?.firstChild;
  if (time) time.nodeValue = clock(Date.now() - state.since);
}

// --- the rail: chips, buttons, balance -----------------------------------------------------------------------------

/** The rail has the same height in every phase; a notice stands in the place of the status. @param {Page} page */
function rail(page) {
  const { state, ui } = page;
  const betting = bettingOption(state);
  return h(
    "section",
    { class: `rail${ownSeat(state) && coachOn(page) ? " coached" : ""}`, "aria-label": "Your chips and choices" },
    h(
      "div",
      { class: "rail-text" },
      ui.result
        ? resultNodes(page)
        : [
            h(
              "p",
              { class: `now${isOwnTurn(page) ? " yours" : ""}` },
              h("span", null, statusText(state, ui.ready)),
              clockNode(state),
            ),
            heldNote(state) ||
              situationNode(page) ||
              foulNote(page) ||
              shortNote(page) ||
              coachStrip(page) ||
              (betting && (lastRound(page) || railPrint(page))),
          ],
    ),
    h("div", { class: "acts", "data-group": "actions" }, betting && rack(page), buttons(page)),
    purse(page, ownSeat(state)),
    railControls(page),
  );
}

/** The triggers of the wheels, where the felt has no room for them. @param {Page} page */
function railPrint(page) {
  const prints = spinPrints(page.state.game, (wheel) => void tryWheel(page, wheel));
  return prints.length > 0 && h("div", { key: "print", class: "rail-print" }, prints);
}

/** @param {import("./state.js").State} state */
const heldNote = (state) =>
  state.held &&
  h(
    "p",
    { key: "held", class: "notice", role: "status" },
    "The floor has stopped this table for now. Play continues when the floor releases it.",
    bettingOption(state) && " Until then you can take your bets back.",
  );

/** @param {Page} page */
function foulNote(page) {
  const way = ownOption(page.state, "set_hand") && page.chosenSetting;
  return (
    way?.foul &&
    h(
      "p",
      { key: "foul", class: "notice", role: "alert" },
      `Foul: the low hand (${way.low_name}) ranks above the high hand (${way.high_name}). A foul hand loses.`,
    )
  );
}

/** Warns when the bets leave too few chips to stay in the round. @param {Page} page */
function shortNote(page) {
  const { state, ui } = page;
  const seat = ownSeat(state);
  if (!seat || !bettingOption(state)) return null;
  const stakes = ui.draft ?? seat.wagers;
  const needed = laterBets(state.game, stakes);
  const left = seat.chips_cents + totalBet(seat) - Object.values(stakes).reduce((sum, stake) => sum + stake, 0);
  return (
    needed > left &&
    h(
      "p",
      { key: "short", class: "notice", role: "status" },
      `These bets leave you ${dollars(left)}. To stay in to the end you need ${dollars(needed)}. Bet less, or buy chips.`,
    )
  );
}

/** Returns true when the table waits for this player. @param {Page} page */
const isOwnTurn = (page) =>
  page.state.allowed.some(
    (one) =>
      one.seat === ownSeat(page.state)?.number &&
      ["bet", "fold", "choose", "set_hand", "decline_bank", "place_wagers"].includes(one.command),
  );

/** @param {Page} page */
function rack(page) {
  return h(
    "div",
    { class: "rack", role: "radiogroup", "aria-label": "Chip to bet with" },
    CHIPS.map((chip, at) =>
      buttonNode(chipFace(chip), () => pickChip(page, at), {
        key: chip.name,
        role: "radio",
        class: "rack-chip",
        "aria-checked": String(at === page.ui.chip),
        "aria-label": `${dollars(chip.cents)} chip`,
      }),
    ),
  );
}

/** @param {Page} page @param {number} at */
function pickChip(page, at) {
  page.ui.chip = at;
  page.show();
}

/** @param {Page} page */
function buttons(page) {
  const best = advisedAction(page);
  return buttonRow(
    page.actions.map((action) =>
      buttonNode(
        [
          h("span", { class: "button-label" }, action.label),
          action.note && h("span", { class: "button-note" }, action.note),
          h("kbd", { "aria-hidden": "true" }, action.keyLabel === "Enter" ? "↵" : action.keyLabel),
        ],
        (/** @type {MouseEvent} */ event) => act(page, action, event),
        {
          key: action.id,
          class: `button ${action.kind}${action.id === best ? " advised" : ""}`,
          "data-action": action.id,
          disabled:
            Boolean(action.disabled) ||
            page.state.connection !== "live" ||
            Boolean(page.ui.busy && page.ui.busy !== "place_wagers"),
          "aria-keyshortcuts": action.keyLabel,
        },
      ),
    ),
  );
}

/** Actions that may be double-clicked. */
const REPEATABLE = new Set(["double", "undo"]);

/**
 * Ignores the second click of a double click, which would answer the next decision.
 * @param {Page} page
 * @param {import("./actions.js").Action} action
 * @param {MouseEvent} event
 */
function act(page, action, event) {
  if (event.detail < 2 || REPEATABLE.has(action.id)) void page.runAction(action);
}

/** @param {Page} page @param {import("./state.js").Seat | null} seat */
function purse(page, seat) {
  const { state } = page;
  if (!seat) return h("p", { class: "purse watching" }, state.you.name ? `Watching as ${state.you.name}` : "Watching");
  const bet = totalBet(seat);
  const net = seat.chips_cents + bet - state.boughtCents;
  return h(
    "dl",
    { class: "purse sums" },
    figure("Balance", h("cf-meter", { cents: seat.chips_cents }), "balance"),
    figure("Total bet", dollars(bet), "at-risk"),
    figure("Net", signed(net), net > 0 ? "up" : net < 0 ? "down" : ""),
    figure("Time", clock(Date.now() - state.since), "time"),
  );
}

/** @param {string} name @param {any} value @param {string} [kind] */
const figure = (name, value, kind) =>
  h("div", { key: name, class: `figure ${kind ?? ""}` }, h("dt", null, name), h("dd", null, value));

/** The result of the last round, until the next deal. @param {Page} page */
function lastRound(page) {
  const { last, you } = page.state;
  const seat = you.seats[0];
  if (!last || !seat || !last.results[seat]) return null;
  const net = netOf(last, seat);
  const cut = [
    ...Object.values(last.results[seat]).map((one) => [one.wager, limitedText(one)]),
    ...last.awards
      .filter((one) => one.seat === seat)
      .map((one) => [one.award, limitedText({ paid: one.cents, limited: one.limited })]),
  ].filter(([, text]) => text);
  const made = Object.entries(last.hands[seat] ?? {});
  const hands = made.map(([hand, name]) => (made.length > 1 ? `${handTitle(page.state.game, hand)} ${name}` : name));
  const result =
    last.outcome === "void"
      ? ": void, every wager was returned"
      : net > 0
        ? `: you won ${dollars(net)}`
        : net < 0
          ? `: you lost ${dollars(-net)}`
          : ": you broke even";
  return h(
    "p",
    { class: `last ${net > 0 ? "up" : net < 0 ? "down" : ""}` },
    h("strong", null, `Round ${last.number}${result}`),
    hands.length > 0 && h("span", null, hands.map(capital).join(" · ")),
    cut.map(([wager, text]) => h("span", { key: wager, class: "limited" }, `${capital(plain(wager))} ${text}`)),
    buttonNode("Show", () => page.togglePanel("rounds"), { class: "link" }),
  );
}

/** The title of a hand before its name. @param {any} game @param {string} id */
const handTitle = (game, id) =>
  (game.hands.find((/** @type {any} */ hand) => hand.id === id)?.title ?? plain(id)).replace(/ hand$/i, "");

// --- beside the table ----------------------------------------------------------------------------------------------

/** @param {Page} page */
function sidePanel(page) {
  const { ui } = page;
  const shown = ui.panel || (currentAdvice(page) ? "coach" : "pays");
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
              onclick: () => page.togglePanel(name),
              onkeydown: (/** @type {KeyboardEvent} */ event) => moveTab(page, event, name),
            },
            title,
            h("kbd", { "aria-hidden": "true" }, key),
          ),
        ),
      ),
      ui.panel &&
        buttonNode("×", () => page.togglePanel(ui.panel), { class: "close", "aria-label": "Close the panel" }),
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
    ),
  );
}

/** @param {Page} page @param {KeyboardEvent} event @param {string} name */
function moveTab(page, event, name) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = PANELS.findIndex(([one]) => one === name);
  const [next] = PANELS[(at + step + PANELS.length) % PANELS.length];
  page.togglePanel(next);
  /** @type {HTMLElement | null} */ (page.querySelector(`#tab-${next}`))?.focus();
  event.preventDefault();
  event.stopPropagation();
}
