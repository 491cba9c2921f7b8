// @ts-check
/** The coach: the exact value of each choice, the best one and the reason. */

import { buttonNode, h, tableHead } from "../shared/dom.js";
import { capital, cardSymbol, dollars, plain, signed } from "../shared/format.js";
import { ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */

/** Settings of a hand that are listed. */
const ROWS_SHOWN = 8;

/** @param {Page} page */
export function coachPanel(page) {
  const { advice } = page.ui;
  const head = h("h2", null, "Coach");
  if (!ownSeat(page.state)) return [head, h("p", { class: "quiet" }, "Take a seat to get advice.")];
  if (!advice)
    return [head, h("p", { class: "quiet" }, "The coach shows the value of each choice when it is your turn.")];
  if (advice.waiting) return [head, h("p", { class: "quiet" }, "Computing…")];
  if (advice.failed) return [head, h("p", { class: "notice" }, advice.failed)];
  return [head, advice.unit === "one main wager" ? settingAdvice(page, advice) : actionAdvice(page, advice)];
}

/** @param {number} antes */
const evText = (antes) => `${antes > 0 ? "+" : antes < 0 ? "−" : ""}${Math.abs(antes).toFixed(4)}`;

/** @param {string} action */
export const actionText = (action) => (/^\dx$/.test(action) ? `${action[0]}×` : capital(plain(action)));

/**
 * A table of choices with the best one marked.
 * @param {string[]} columns
 * @param {{key: string, best: boolean, choice: import("../shared/dom.js").Content, cells: import("../shared/dom.js").Content[]}[]} rows
 */
const adviceTable = (columns, rows) =>
  h(
    "table",
    { class: "advice" },
    tableHead(columns),
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

/** Returns the choices of an advice, best first. @param {any} advice @returns {[string, any][]} */
const ranked = (advice) =>
  /** @type {[string, any][]} */ (Object.entries(advice.actions)).sort(([, a], [, b]) => b.ev - a.ev);

/** @param {Page} page @param {any} advice */
function actionAdvice(page, advice) {
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
    h("p", { class: "best" }, "Best: ", h("strong", null, actionText(advice.best))),
    advice.reason && h("p", { class: "reason" }, advice.reason),
    adviceTable(
      ["Choice", "Antes", "Money", "Cost"],
      actions.map(([action, value]) => ({
        key: action,
        best: action === advice.best,
        choice: actionText(action),
        cells: [
          evText(value.ev),
          base ? signed(Math.round(value.ev * base)) : "",
          value.cost ? cost(value) : action === advice.best ? "best" : "equal",
        ],
      })),
    ),
    h(
      "p",
      { class: "quiet" },
      `Expected net result of the whole round with best play afterwards. Exact: every card that can still come is counted.${page.state.game.posted.limits.length ? " The payout limit is not counted." : ""}`,
    ),
  ];
}

/** @param {Page} page @param {any} advice */
function settingAdvice(page, advice) {
  const base = advice.base_cents ?? 0;
  const share = (/** @type {number} */ part) => `${(100 * part).toFixed(1)} %`;
  return [
    h("p", { class: "best" }, "Best low hand: ", h("strong", null, cardsText(advice.best))),
    advice.reason && h("p", { class: "reason" }, advice.reason),
    adviceTable(
      ["Low hand", "Wins", "Loses", "Value", "Money"],
      ranked(advice)
        .slice(0, ROWS_SHOWN)
        .map(([low, row], at) => ({
          key: low,
          best: at === 0,
          choice: [
            buttonNode(cardsText(low), () => chooseLow(page, low), { class: "link" }),
            row.house_way && h("small", null, " house way"),
          ],
          cells: [share(row.win), share(row.lose), evText(row.ev), base ? signed(Math.round(row.ev * base)) : ""],
        })),
    ),
    h(
      "p",
      { class: "quiet" },
      `Value in main wagers, after commission. ${advice.method === "exact" ? "Exact: every dealer hand is counted." : `Estimated from ${advice.dealer_hands?.toLocaleString("en-US")} random dealer hands. The last digits may vary.`}`,
    ),
  ];
}

/** @param {string} cards */
const cardsText = (cards) => cards.split(" ").map(cardSymbol).join(" ");

/** @param {Page} page @param {string} low */
function chooseLow(page, low) {
  page.ui.low = low.split(" ");
  page.show();
}
