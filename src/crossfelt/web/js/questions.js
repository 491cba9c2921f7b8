// @ts-check
/** What a player asks the house beside the game: advice, what a typed line means, a bot for a free seat. */

import { ask } from "./api.js";
import { say } from "./dom.js";
import { mine } from "./state.js";
import { statement } from "./statement.js";
import { problemWords } from "./words.js";

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
    page.ui.panel = panel;
    if (panel === "coach") void advise(page);
    if (panel === "words") say(statement(page.state).join(" "));
    page.show();
  }
}

/** A bot takes a free seat. @param {Page} page @param {number} seat */
export async function addBot(page, seat) {
  try {
    await ask(`/tables/${encodeURIComponent(page.id_ ?? "")}/bots`, "POST", { seat, count: 1 });
  } catch (error) {
    page.tell(/** @type {Error} */ (error).message);
  }
}
