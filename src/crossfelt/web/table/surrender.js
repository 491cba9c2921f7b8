// @ts-check
/** Surrender: a question that says what it costs, before anything is given up. */

import { buttonNode, buttonRow, draw, h } from "../shared/dom.js";
import { dollars, insideSentence, listText } from "../shared/format.js";
import { ownOption, ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */

/** The cost of a surrender and its effect on each wager, by the rulebook. @param {any} game @param {Record<string, number>} staked */
function surrenderCost(game, staked) {
  const { keeps, barred_by: bars, returns_per_mille: returns } = game.surrender;
  /** @type {any[]} */
  const laid = game.wagers.filter((/** @type {any} */ one) => staked[one.id]);
  const lost = laid.filter((one) => !keeps.includes(one.id));
  const kept = laid.filter((one) => keeps.includes(one.id));
  const barring = game.wagers.filter((/** @type {any} */ one) => bars.includes(one.id));
  const named = (/** @type {any[]} */ some) =>
    listText(some.map((one) => `${insideSentence(one.title)} of ${dollars(staked[one.id])}`));
  const back = lost.reduce((sum, one) => sum + (one.required ? Math.floor((staked[one.id] * returns) / 1000) : 0), 0);
  const lines = [
    `You give up your ${named(lost)}${back ? `; ${dollars(back)} of it comes back` : ""}.`,
    kept.length && `Your ${named(kept)} ${kept.length > 1 ? "stay" : "stays"} in play.`,
    "If you keep your hands, they can still win, push or lose.",
    barring.length &&
      `A hand with one of these cannot be surrendered: ${barring.map((/** @type {any} */ one) => insideSentence(one.title)).join(", ")}.`,
  ];
  return { cost: lost.reduce((sum, one) => sum + staked[one.id], -back), lines: lines.filter(Boolean) };
}

/** Asks, and surrenders only after a second press in another place. @param {Page} page */
export function askSurrender(page) {
  const seat = ownSeat(page.state);
  if (!seat || !ownOption(page.state, "surrender")) return;
  const { lines, cost } = surrenderCost(page.state.game, seat.wagers);
  const dialog = document.createElement("dialog");
  dialog.className = "dialog surrender";
  dialog.setAttribute("aria-labelledby", "surrender-title");
  dialog.addEventListener("close", () => dialog.remove());
  const give = () => {
    dialog.remove();
    // The dealer may have gone on while the question was open.
    if (ownOption(page.state, "surrender")) void page.command({ command: "surrender", seat: seat.number });
  };
  draw(
    dialog,
    h(
      "div",
      { class: "dialog-text" },
      h("h2", { id: "surrender-title" }, "Surrender?"),
      lines.map((line, at) => h("p", { key: at }, line)),
      buttonRow(
        buttonNode("Keep my hands", () => dialog.remove(), { class: "button main", autofocus: true }),
        buttonNode(`Give up ${dollars(cost)}`, give, { class: "button danger", "data-action": "surrender" }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
