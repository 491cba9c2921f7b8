// @ts-check
/** What a player asks the house beside the game: advice, what a typed line means, a bot for a free seat. */

import { ask, askOnce } from "../shared/api.js";
import { say } from "../shared/dom.js";
import { mine, roundOf } from "./state.js";
import { statement } from "./table_text.js";
import { problemWords } from "../shared/format.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Choices about showing a hand: they change nobody's bets, and nothing is counted for them. */
const SHOWING = new Set(["expose", "decline"]);

/** What each choice is worth, where there is one to make. @param {Page} page */
export async function advise(page) {
  const seat = mine(page.state);
  const asked = page.state.allowed.some(
    (one) =>
      one.seat === seat?.number &&
      ["bet", "fold", "choose", "set_hand"].includes(one.command) &&
      !SHOWING.has(one.fields?.choice),
  );
  if (!seat || !asked) {
    page.ui.advice = null;
    page.show();
    return;
  }
  const step = page.state.view?.step;
  page.ui.advice = { waiting: true };
  page.show();
  try {
    const advice = await ask("/advice", "POST", { table: page.id_, seat: seat.number });
    if (page.state.view?.step === step) page.ui.advice = advice;
  } catch (error) {
    page.ui.advice = { failed: /** @type {Error} */ (error).message };
  }
  page.show();
}

/** What a typed line means, and then does it. @param {Page} page @param {string} text */
export async function typeLine(page, text) {
  const seat = mine(page.state);
  try {
    const told = await ask("/type", "POST", { table: page.id_, seat: seat?.number ?? null, text });
    if (told.problem) page.tell(problemWords(told.problem));
    else if (told.command) await page.command(told.command);
    else answer(page, told.ask);
  } catch (error) {
    page.tell(/** @type {Error} */ (error).message);
  }
}

/** Questions that the page answers itself. @param {Page} page @param {string} what */
function answer(page, what) {
  const panel = {
    pays: "pays",
    log: "log",
    why: "log",
    ask: "coach",
    help: "words",
    cards: "words",
    balance: "words",
  }[what];
  if (what === "deal") void page.deal();
  else if (what === "quit") void page.leave();
  else if (panel) {
    Object.assign(page.ui, { panel, notice: "" });
    if (panel === "coach") void advise(page);
    if (panel === "words") say(statement(page.state).join(" "));
    page.show();
    // The line was typed in a box that another panel does not have.
    if (panel !== "words") /** @type {HTMLElement | null} */ (page.querySelector("#panel"))?.focus();
  }
}

/** Rounds that are asked for when they are recalled. */
const RECALLED = 10;

/** The last rounds of whoever sits here that this page has not seen itself. @param {Page} page */
export async function earlierRounds(page) {
  const path = `/tables/${encodeURIComponent(page.id_ ?? "")}/rounds`;
  const { seats, name } = page.state.you;
  const unseen = (/** @type {{round: number}} */ { round }) => !page.rounds.some((one) => one.number === round);
  try {
    /** @type {any[]} */
    const lines = await ask(`${path}?last=${RECALLED}`);
    const own = lines.filter((line) => unseen(line) && (!seats.length || line.players[seats[0]] === name));
    const told = await Promise.all(own.map((line) => askOnce(`${path}/${line.round}`)));
    for (const { round, commitment, openings } of told) page.take({ type: "opened", round, commitment, openings });
    const rounds = told.filter(unseen).map(({ round, events }) => roundOf(round, events));
    page.rounds = [...page.rounds, ...rounds].sort((a, b) => b.number - a.number);
  } catch (error) {
    page.tell(/** @type {Error} */ (error).message);
  }
  page.ui.recalling = false;
  page.show();
}

/** A bot takes a free seat. @param {Page} page @param {number} seat */
export async function addBot(page, seat) {
  try {
    await ask(`/tables/${encodeURIComponent(page.id_ ?? "")}/bots`, "POST", { seat, count: 1 });
  } catch (error) {
    page.tell(/** @type {Error} */ (error).message);
  }
}
