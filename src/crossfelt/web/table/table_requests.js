// @ts-check
/** Requests beside the game: typed commands, earlier rounds, bots. */

import { errorText, request, requestCached } from "../shared/api.js";
import { eventSource, showProof } from "../shared/clauses.js";
import { announce } from "../shared/dom.js";
import { followDecision } from "./coach.js";
import { ownSeat, roundFromEvents } from "./state.js";
import { describeTable } from "./table_text.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Has the server read a typed line, then carries it out. @param {Page} page @param {string} text */
export async function runTypedLine(page, text) {
  const seat = ownSeat(page.state);
  try {
    const meaning = await request("/type", "POST", { table: page.id_, seat: seat?.number ?? null, text });
    if (meaning.problem) page.refuse(meaning.problem);
    else if (meaning.command) await page.command(meaning.command);
    else answerQuestion(page, meaning.ask, meaning.number ?? 1);
  } catch (error) {
    page.notify(errorText(error));
  }
}

/** Answers a typed question from the page. @param {Page} page @param {string} what @param {number} line of the log, from the last */
function answerQuestion(page, what, line) {
  const panel = {
    pays: "pays",
    log: "log",
    ask: "coach",
    coach: "coach",
    help: "text",
    cards: "text",
    balance: "text",
  }[what];
  if (what === "deal") void page.deal();
  else if (what === "quit") void page.leave();
  else if (what === "why") {
    const event = page.state.log.at(-line);
    if (event) void showProof(eventSource(page.id_, event));
    else page.notify("The log has no such line.");
  } else if (panel) {
    Object.assign(page.ui, { panel, notice: "" });
    if (panel === "coach") void followDecision(page);
    if (panel === "text") announce(describeTable(page.state).join(" "));
    page.show();
    // Other panels have no text box to keep the focus.
    if (panel !== "text") /** @type {HTMLElement | null} */ (page.querySelector("#panel"))?.focus();
  }
}

/** The number of earlier rounds that are loaded. */
const ROUNDS_RECALLED = 10;

/** Loads the player's last rounds that this page has not seen. @param {Page} page */
export async function loadEarlierRounds(page) {
  const path = `/tables/${encodeURIComponent(page.id_ ?? "")}/rounds`;
  const { seats, name } = page.state.you;
  const unseen = (/** @type {{round: number}} */ { round }) => !page.rounds.some((one) => one.number === round);
  try {
    /** @type {any[]} */
    const lines = await request(`${path}?last=${ROUNDS_RECALLED}`);
    const own = lines.filter((line) => unseen(line) && (!seats.length || line.players[seats[0]] === name));
    const details = await Promise.all(own.map((line) => requestCached(`${path}/${line.round}`)));
    const rounds = details.filter(unseen).map(({ round, events }) => roundFromEvents(page.state.game, round, events));
    page.rounds = [...page.rounds, ...rounds].sort((a, b) => b.number - a.number);
  } catch (error) {
    page.notify(errorText(error));
  }
  page.ui.recalling = false;
  page.show();
}

/** Adds a bot in a free seat. @param {Page} page @param {number} seat */
export async function addBot(page, seat) {
  try {
    await request(`/tables/${encodeURIComponent(page.id_ ?? "")}/bots`, "POST", { seat, count: 1 });
  } catch (error) {
    page.notify(errorText(error));
  }
}

/** Returns the number of a seat for a bot, or 0 when the player may add none. @param {Page} page */
export function seatForBot({ state }) {
  const free = ownSeat(state) && noOtherPlayers(state) && freeSeatRemains(state);
  return (free && state.view?.seats.find((seat) => !seat.player)?.number) || 0;
}

/**
 * Returns true at a private table, or when only bots share the table: then the player may add bots.
 * @param {import("./state.js").State} state
 */
function noOtherPlayers(state) {
  const others = state.view?.seats.some((seat) => seat.player && !seat.yours && !/ bot \d$/.test(seat.player));
  return state.table.pace !== "regulated" && (state.table.owner === state.you.name || (!state.table.owner && !others));
}

/**
 * Returns true when a further bot leaves a free seat for another player. A private table needs none.
 * @param {import("./state.js").State} state
 */
function freeSeatRemains(state) {
  const free = state.view?.seats.filter((seat) => !seat.player) ?? [];
  return Boolean(state.table.owner) || free.length > 1;
}
