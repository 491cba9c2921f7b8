// @ts-check
/** Obstacles in the player's way, each in a sentence with the button that helps. */

import { errorText, request } from "../shared/api.js";
import { showProof } from "../shared/clauses.js";
import { buttonNode, h, loadStylesheet } from "../shared/dom.js";
import { dollars, sentence } from "../shared/format.js";
import { bettingOption, deadlineOf, ownOption, ownSeat, secondsLeft, totalBet } from "./state.js";

await loadStylesheet("table/situation.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").State} State */
/** @typedef {{text: string, kind?: string, buttons: [string, () => unknown][]}} Situation */

/** Cents of play money that a player without any takes at one press. */
const FRESH_STAKE = 100000;
const BUY_IN = 50000;

/** The time until the table goes on without an answer. @param {State} state */
export function clockNode(state) {
  const at = deadlineOf(state);
  if (at === null) return null;
  const left = secondsLeft(state, at);
  return h("span", { class: `deadline${left < 6 ? " soon" : ""}` }, `${left} s`);
}

/** The clock at the seat of a player for whom the table waits. @param {State} state @param {number} number */
export function seatClock(state, number) {
  const wait = state.waiting.find((one) => one.seat === number);
  if (!wait || (wait.until === null && !wait.gone)) return null;
  const left = wait.until === null ? "" : `${secondsLeft(state, wait.until)} s`;
  return h("small", { class: "pod-wait" }, [wait.gone ? "offline" : "", left].filter(Boolean).join(", "));
}

/** The sentence and its buttons, in the rail. @param {Page} page */
export function situationNode(page) {
  const found = situationOf(page);
  if (!found) return null;
  return h(
    "div",
    { key: "situation", class: `notice situation ${found.kind ?? ""}`, role: found.kind ? "status" : "alert" },
    h("p", null, found.text),
    found.buttons.map(([label, run]) => buttonNode(label, () => void run(), { key: label, class: "button small" })),
  );
}

/** @param {Page} page @returns {Situation | null} */
function situationOf(page) {
  const { state, ui } = page;
  const seat = ownSeat(state);
  const dismiss = /** @type {[string, () => unknown]} */ (["OK", () => page.dismiss()]);
  if (ui.notice)
    return {
      text: ui.notice,
      kind: ui.noticeKind,
      buttons: [...chipButtons(page, ui.notice), ...whyButtons(page), dismiss],
    };
  if (ui.missed) return { text: ui.missed, kind: "info", buttons: [dismiss] };
  if (!seat || !ownOption(state, "buy_chips") || bettingOption(state)) return null;
  const asked = state.allowed.some((one) => one.command === "fold" && one.seat === seat.number);
  if (asked && !ownOption(state, "bet") && !ownOption(state, "choose"))
    return { text: "You have too few chips for this bet.", kind: "info", buttons: [stakeButton(page)] };
  if (stepKind(state) !== "open_bets" || totalBet(seat)) return null;
  const text = seat.chips_cents
    ? `Your ${dollars(seat.chips_cents)} are too few for a bet at this table.`
    : "You are out of chips.";
  return { text, kind: "info", buttons: [stakeButton(page)] };
}

/** A refusal that cites its rule shows it. @param {Page} page @returns {[string, () => unknown][]} */
function whyButtons({ id_, ui: { problem } }) {
  const cites = [...(problem?.clauses ?? []), ...(problem?.readings ?? [])];
  return problem && (cites.length || problem.house_rule) ? [["Why?", () => showProof({ table: id_, problem })]] : [];
}

/** A refusal for lack of chips offers more. @param {Page} page @param {string} text @returns {[string, () => unknown][]} */
const chipButtons = (page, text) =>
  /chips|balance/.test(text) && ownOption(page.state, "buy_chips") ? [stakeButton(page)] : [];

/** Buys chips from the account; an empty account takes more play money first. @param {Page} page @returns {[string, () => unknown]} */
function stakeButton(page) {
  const { balance } = page.ui;
  if (balance === null) void loadBalance(page);
  if (balance === null || balance >= 100)
    return [
      `Buy in for ${dollars(Math.min(balance ?? BUY_IN, BUY_IN))}`,
      () => page.buyIn(Math.min(balance ?? BUY_IN, BUY_IN)),
    ];
  return [
    `Take ${dollars(FRESH_STAKE)} more play money`,
    async () => {
      await request("/me/deposits", "POST", { cents: FRESH_STAKE, reason: "fresh play money, out of chips" });
      await page.buyIn(FRESH_STAKE);
    },
  ];
}

/** @param {Page} page */
async function loadBalance(page) {
  if (page.loadingBalance) return;
  page.loadingBalance = true;
  try {
    page.ui.balance = (await request("/me")).balance_cents;
  } catch (error) {
    page.notify(errorText(error));
  }
  page.loadingBalance = false;
  page.show();
}

/** @param {State} state */
const stepKind = (state) =>
  state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step)?.step ?? "";

// --- the connection ---------------------------------------------------------------------------------------------

/** The banner while the page reconnects. @param {Page} page */
export function lostNode(page) {
  const { state } = page;
  if (state.connection !== "lost") return null;
  const why = sentence(state.why || "The connection is lost");
  return h(
    "div",
    { class: "lost situation", role: "alert" },
    h("p", null, `${why} Your bets are safe. This page reconnects automatically.`),
    buttonNode("Try now", () => page.connection?.retryNow(), { class: "button small" }),
  );
}

/** The page when the table cannot be shown: it is closed, replaced, private, or the session has ended. @param {Page} page */
export function goneSheet(page) {
  const { why, successor, table } = page.state;
  const expired = /log in/i.test(why);
  const title = successor
    ? "This table has new rules"
    : expired
      ? "Your session has ended"
      : "This table is not available";
  const text = expired ? endedText(page) : sentence(why);
  const playsOn = expired && page.role_ === "player" && !table.owner;
  return h(
    "section",
    { class: "sheet" },
    h("h2", null, title),
    h("p", { role: "status" }, text),
    h(
      "p",
      { class: "buttons" },
      successor &&
        h(
          "a",
          { class: "button main", href: `/table/${successor}${page.role_ === "player" ? "?sit" : ""}` },
          "Go to the new table",
        ),
      playsOn && buttonNode("Play on", () => void page.joinAgain(), { class: "button main" }),
      h("a", { class: `button${successor || playsOn ? "" : " main"}`, href: "/" }, "Back to the lobby"),
    ),
  );
}

/** The end of the session, and what follows from it. @param {Page} page */
function endedText({ role_, state: { table } }) {
  const ended = "You logged out, or 12 hours have passed.";
  if (role_ !== "player") return `${ended} Log in again in the console.`;
  const next = "Your chips go back to your account. A guest goes on with a new account and new play money";
  return `${ended} ${next}${table.owner ? ": open a new private table in the lobby." : "."}`;
}

// --- what the table decided for the player --------------------------------------------------------------------------

/** @type {Record<string, (event: any) => string>} */
const COUNTS_AS = {
  hand_folded: () => "a fold",
  bet_placed: (event) => `the smallest bet, ${dollars(event.cents)}`,
  hand_set: () => "leaving the hand to the house way",
  choice_made: (event) => (event.choice === "expose" ? "showing your hand" : "keeping your hand hidden"),
  bank_declined: () => "declining the bank",
};

/** The loss of a seat, in a sentence. @param {number} [cents] the chips of the seat */
export const seatLost = (cents) =>
  `You have lost your seat: you were away too long, or left it in another window. ${cents === undefined ? "Your chips" : `Your ${dollars(cents)}`} went back to your account.`;

/** Returns what a time-out or a departure did to the player; empty without one. @param {State} before @param {any[]} events @param {boolean} leaving */
export function missedText(before, events, leaving) {
  const own = events.filter((event) => before.you.seats.includes(event.seat));
  const late = own.find((event) => event.timed_out && event.event in COUNTS_AS);
  if (late) return `You did not act in time. The rules count that as ${COUNTS_AS[late.event](late)}.`;
  const left = own.find((event) => event.event === "seat_left");
  if (!left || leaving) return "";
  return seatLost(left.chips_cents);
}
