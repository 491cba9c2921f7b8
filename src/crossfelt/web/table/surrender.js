// @ts-check
/** Surrender: a question that says what it costs, before anything is given up. */

import { buttonNode, draw, h } from "../shared/dom.js";
import { dollars } from "../shared/format.js";
import { ownOption, ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Asks, and surrenders only after a second press in another place. @param {Page} page */
export function askSurrender(page) {
  const seat = ownSeat(page.state);
  if (!seat || !ownOption(page.state, "surrender")) return;
  const cost = page.state.game.wagers
    .filter((/** @type {any} */ wager) => wager.required)
    .reduce((/** @type {number} */ sum, /** @type {any} */ wager) => sum + (seat.wagers[wager.id] ?? 0), 0);
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
      h(
        "p",
        null,
        `You give up your wager of ${dollars(cost)}. If you keep your hands, they can still win, push or lose.`,
      ),
      h(
        "div",
        { class: "buttons" },
        buttonNode("Keep my hands", () => dialog.remove(), { class: "button main", autofocus: true }),
        buttonNode(`Give up ${dollars(cost)}`, give, { class: "button danger", "data-action": "surrender" }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
