// @ts-check
/** The coach: what every choice is worth, exactly, which is best, and one sentence of why. */

import { h } from "../shared/dom.js";
import { mine } from "./state.js";
import { capital, cardSign, dollars, plain, signed } from "../shared/format.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Settings of a hand that are listed. */
const SHOWN = 8;

/** @param {Page} page */
export function coachPanel(page) {
  const { advice } = page.ui;
  const head = h("h2", null, "Coach");
  if (!mine(page.state))
    return [head, h("p", { class: "quiet" }, "Take a seat, and the coach looks over your shoulder.")];
  if (!advice)
    return [head, h("p", { class: "quiet" }, "When there is a bet to make, the coach says what each choice is worth.")];
  if (advice.waiting) return [head, h("p", { class: "quiet" }, "Working it out…")];
  if (advice.failed) return [head, h("p", { class: "notice" }, advice.failed)];
  return [head, advice.unit === "one main wager" ? settingAdvice(page, advice) : actionAdvice(advice)];
}

/** @param {number} antes */
const worth = (antes) => `${antes > 0 ? "+" : antes < 0 ? "−" : ""}${Math.abs(antes).toFixed(4)}`;

/** @param {string} action */
export const actionWords = (action) => (/^\dx$/.test(action) ? `${action[0]}×` : capital(plain(action)));

/**
 * Choices under the names of the columns, the best one marked.
 * @param {string[]} columns
 * @param {{key: string, best: boolean, choice: import("../shared/dom.js").Some, cells: import("../shared/dom.js").Some[]}[]} rows
 */
const adviceTable = (columns, rows) =>
  h(
    "table",
    { class: "advice" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        columns.map((title) => h("th", { key: title, scope: "col" }, title)),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map(({ key, best, choice, cells }) =>
        h(
          "tr",
          { key, class: best ? "best-row" : undefined },
          h("th", { scope: "row" }, choice),
          cells.map((cell, at) => h("td", { key: at }, cell)),
        ),
      ),
    ),
  );

/** The choices of an advice, the best first. @param {any} advice @returns {[string, any][]} */
const ranked = (advice) =>
  /** @type {[string, any][]} */ (Object.entries(advice.actions)).sort(([, a], [, b]) => b.ev - a.ev);

/** @param {any} advice */
function actionAdvice(advice) {
  const base = advice.base_cents ?? 0;
  const actions = ranked(advice);
  const span = Math.max(...actions.map(([, value]) => value.cost), 1e-9);
  const cost = (/** @type {any} */ value) =>
    h(
      "span",
      { class: "cost" },
      h("i", { style: { width: `${Math.max(3, (40 * value.cost) / span)}px` }, "aria-hidden": "true" }),
      base ? dollars(Math.round(value.cost * base)) : value.cost.toFixed(4),
    );
  return [
    h("p", { class: "best" }, "Best: ", h("strong", null, actionWords(advice.best))),
    advice.reason && h("p", { class: "reason" }, advice.reason),
    adviceTable(
      ["Choice", "Antes", "Money", "Costs"],
      actions.map(([action, value]) => ({
        key: action,
        best: action === advice.best,
        choice: actionWords(action),
        cells: [
          worth(value.ev),
          base ? signed(Math.round(value.ev * base)) : "",
          value.cost ? cost(value) : action === advice.best ? "best" : "as good",
        ],
      })),
    ),
    h(
      "p",
      { class: "quiet" },
      "The expected net of the whole round with best play after it, counted over every card that can still come; nothing is estimated.",
    ),
  ];
}

/** @param {Page} page @param {any} advice */
function settingAdvice(page, advice) {
  const base = advice.base_cents ?? 0;
  const share = (/** @type {number} */ part) => `${(100 * part).toFixed(1)} %`;
  return [
    h("p", { class: "best" }, "Best in front: ", h("strong", null, signs(advice.best))),
    advice.reason && h("p", { class: "reason" }, advice.reason),
    adviceTable(
      ["In front", "Wins", "Loses", "Worth", "Money"],
      ranked(advice)
        .slice(0, SHOWN)
        .map(([low, row], at) => ({
          key: low,
          best: at === 0,
          choice: [
            h("button", { type: "button", class: "link", onclick: () => take(page, low) }, signs(low)),
            row.house_way && h("small", null, " house way"),
          ],
          cells: [share(row.win), share(row.lose), worth(row.ev), base ? signed(Math.round(row.ev * base)) : ""],
        })),
    ),
    h(
      "p",
      { class: "quiet" },
      `In main wagers, after commission. ${advice.method === "exact" ? "Every hand the dealer can have." : `Against ${advice.dealer_hands?.toLocaleString("en-US")} hands of the dealer, drawn: the last digits may differ.`}`,
    ),
  ];
}

/** @param {string} cards */
const signs = (cards) => cards.split(" ").map(cardSign).join(" ");

/** @param {Page} page @param {string} low */
function take(page, low) {
  page.ui.low = low.split(" ");
  page.show();
}
