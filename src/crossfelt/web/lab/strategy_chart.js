// @ts-check
/** Best play as a chart of the 169 starting hands, with what another setting would do otherwise marked and listed. */

import { actionWords } from "../table/coach.js";
import { h } from "../shared/dom.js";
import { percent } from "../shared/format.js";

const RANKS = [..."AKQJT98765432"];
const FOLD = "fold";
/** Hands that are listed where every hand moves a little. */
const LISTED = 16;
/** Shares of the cards beside a hand that are too small to be told. */
const UNTOLD = 0.0005;

/** @typedef {Record<string, number>} Shares */
/** @typedef {{hand: string, was: Shares, now: Shares, by: number}} Change */

/** One suit above the diagonal, two below. @param {number} row @param {number} column */
function handAt(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high === low ? high + low : `${high}${low}${column > row ? "s" : "o"}`;
}

/** Whether each hand has one best choice whatever lies open. @param {Record<string, Shares>} strategy */
const isSure = (strategy) => Object.values(strategy).every((shares) => Object.keys(shares).length === 1);

/**
 * @param {any} told
 * @param {import("./lab.js").Setting | null} beside
 */
export function chart(told, beside) {
  const strategy = /** @type {Record<string, Shares>} */ (told.strategy);
  if (!Object.keys(strategy).length) return null;
  const sure = isSure(strategy);
  const values = told.solution.first_decision ?? {};
  const changed = new Map(changesOf(strategy, beside?.told.strategy ?? strategy).map((one) => [one.hand, one]));
  return h(
    "section",
    { key: "chart", class: "chart-sheet", "aria-label": "Strategy" },
    h("h2", null, sure ? "The across bet, by starting hand" : "How often each starting hand folds"),
    h(
      "p",
      { class: "quiet" },
      sure
        ? "One suit above the diagonal, two suits below. F fold, 1 or 3 the bet in antes."
        : "Percent of the open cards with which folding is best; the rest is raised, down the cross or along it. One suit above the diagonal, two suits below.",
    ),
    h(
      "div",
      { class: "chart-fit" },
      h(
        "table",
        { class: "chart" },
        h("caption", { class: "sr" }, "Best play by starting hand"),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("td", null),
            RANKS.map((rank) => h("th", { key: rank, scope: "col" }, rank)),
          ),
        ),
        h(
          "tbody",
          null,
          RANKS.map((rank, row) =>
            h(
              "tr",
              { key: rank },
              h("th", { scope: "row" }, rank),
              RANKS.map((_, column) => {
                const hand = handAt(row, column);
                return cell(hand, strategy[hand], changed.get(hand), values[hand]?.actions);
              }),
            ),
          ),
        ),
      ),
    ),
    sure && legend(strategy),
    beside && changes([...changed.values()], beside, sure),
  );
}

/**
 * @param {string} hand
 * @param {Shares} shares
 * @param {Change | undefined} change
 * @param {Record<string, number> | undefined} values
 */
function cell(hand, shares, change, values) {
  const best = mostly(shares);
  const folds = shares[FOLD] ?? 0;
  const sure = shares[best] === 1;
  const worth = Object.entries(values ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([choice, ev]) => `${actionWords(choice)} ${ev.toFixed(3)}`);
  return h(
    "td",
    {
      key: hand,
      class: `${sure && best !== "vertical" && best !== "horizontal" ? `mix-${best}` : "mix-share"}${change ? " moved" : ""}`,
      style: { "--fold": `${Math.round(100 * folds)}%` },
      title: [`${hand}: ${sharesWords(shares)}`, change && `was ${sharesWords(change.was)}`, ...worth]
        .filter(Boolean)
        .join("\n"),
    },
    values ? (best === FOLD ? "F" : best[0]) : String(Math.round(100 * folds)),
    change && h("span", { class: "sr" }, `, was ${sharesWords(change.was)}`),
  );
}

/** The choice that is the best most often. @param {Shares} shares */
const mostly = (shares) =>
  Object.keys(shares).reduce((best, choice) => (shares[choice] > shares[best] ? choice : best));

/** @param {Shares} shares */
const sharesWords = (shares) =>
  Object.entries(shares)
    .map(([choice, share]) => (share === 1 ? actionWords(choice) : `${actionWords(choice)} ${percent(share, 1)}`))
    .join(", ");

/** @param {Record<string, Shares>} strategy @param {Record<string, Shares>} before @returns {Change[]} */
function changesOf(strategy, before) {
  return Object.entries(strategy)
    .map(([hand, now]) => {
      const was = before[hand] ?? now;
      const choices = new Set([...Object.keys(now), ...Object.keys(was)]);
      const by = Math.max(...[...choices].map((choice) => Math.abs((now[choice] ?? 0) - (was[choice] ?? 0))));
      return { hand, was, now, by };
    })
    .filter(({ by }) => by > UNTOLD)
    .sort((a, b) => b.by - a.by);
}

/** @param {Record<string, Shares>} strategy */
function legend(strategy) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const shares of Object.values(strategy)) counts[mostly(shares)] = (counts[mostly(shares)] ?? 0) + 1;
  return h(
    "ul",
    { class: "legend" },
    Object.entries(counts).map(([choice, count]) =>
      h("li", { key: choice }, h("i", { class: `mix-${choice}` }), `${actionWords(choice)}: ${count} hands`),
    ),
  );
}

/** @param {Change[]} all @param {import("./lab.js").Setting} beside @param {boolean} sure */
function changes(all, beside, sure) {
  const against = beside.title === "As printed" ? "the game as printed" : "the kept setting";
  if (!all.length)
    return h("p", { class: "quiet", role: "status" }, `No starting hand is played otherwise than in ${against}.`);
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  if (sure) {
    for (const { hand, was, now } of all) {
      const words = `${actionWords(mostly(was))} → ${actionWords(mostly(now))}`;
      groups.set(words, [...(groups.get(words) ?? []), hand]);
    }
  }
  return h(
    "div",
    { class: "chart-changes", role: "status" },
    h("h3", null, `${all.length} ${all.length === 1 ? "hand is" : "hands are"} played otherwise than in ${against}`),
    h(
      "ul",
      null,
      sure
        ? [...groups].map(([words, hands]) =>
            h("li", { key: words }, h("strong", null, `${words}: `), hands.join(", ")),
          )
        : all
            .slice(0, LISTED)
            .map(({ hand, was, now }) =>
              h(
                "li",
                { key: hand, class: "inline" },
                h("strong", null, `${hand} `),
                `folds ${percent(was[FOLD] ?? 0, 1)} → ${percent(now[FOLD] ?? 0, 1)}`,
              ),
            ),
      !sure && all.length > LISTED && h("li", { key: "more", class: "inline" }, `and ${all.length - LISTED} more`),
    ),
  );
}
