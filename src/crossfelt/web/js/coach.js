// @ts-check
/** The coach: what every choice is worth, exactly, which is best, and one sentence of why. */

import { h } from "./dom.js";
import { mine } from "./state.js";
import { capital, cardSign, dollars, plain, signed } from "./words.js";

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

/** @param {any} advice */
function actionAdvice(advice) {
  const base = advice.base_cents ?? 0;
  const actions = Object.entries(advice.actions).sort(
    ([, a], [, b]) => /** @type {any} */ (b).ev - /** @type {any} */ (a).ev,
  );
  const span = Math.max(...actions.map(([, value]) => /** @type {any} */ (value).cost), 1e-9);
  return [
    h("p", { class: "best" }, "Best: ", h("strong", null, actionWords(advice.best))),
    advice.reason && h("p", { class: "reason" }, advice.reason),
    h(
      "table",
      { class: "advice" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "Choice"),
          h("th", { scope: "col" }, "Antes"),
          h("th", { scope: "col" }, "Money"),
          h("th", { scope: "col" }, "Costs"),
        ),
      ),
      h(
        "tbody",
        null,
        actions.map(([action, given]) => {
          const value = /** @type {any} */ (given);
          return h(
            "tr",
            { key: action, class: action === advice.best ? "best-row" : undefined },
            h("th", { scope: "row" }, actionWords(action)),
            h("td", null, worth(value.ev)),
            h("td", null, base ? signed(Math.round(value.ev * base)) : ""),
            h(
              "td",
              null,
              value.cost
                ? h(
                    "span",
                    { class: "cost" },
                    h("i", { style: { width: `${Math.max(3, (40 * value.cost) / span)}px` }, "aria-hidden": "true" }),
                    base ? dollars(Math.round(value.cost * base)) : value.cost.toFixed(4),
                  )
                : "best",
            ),
          );
        }),
      ),
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
  const rows = /** @type {[string, any][]} */ (Object.entries(advice.actions))
    .sort(([, a], [, b]) => b.ev - a.ev)
    .slice(0, SHOWN);
  return [
    h("p", { class: "best" }, "Best in front: ", h("strong", null, signs(advice.best))),
    advice.reason && h("p", { class: "reason" }, advice.reason),
    h(
      "table",
      { class: "advice" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "In front"),
          h("th", { scope: "col" }, "Wins"),
          h("th", { scope: "col" }, "Loses"),
          h("th", { scope: "col" }, "Worth"),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map(([low, row], at) =>
          h(
            "tr",
            { key: low, class: at === 0 ? "best-row" : undefined },
            h(
              "th",
              { scope: "row" },
              h("button", { type: "button", class: "link", onclick: () => take(page, low) }, signs(low)),
              row.house_way && h("small", null, " house way"),
            ),
            h("td", null, `${(100 * row.win).toFixed(1)} %`),
            h("td", null, `${(100 * row.lose).toFixed(1)} %`),
            h("td", null, worth(row.ev)),
          ),
        ),
      ),
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
