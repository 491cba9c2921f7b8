// @ts-check
/** The chart of best play for the 169 starting hands, with the differences from another setting. */

import { h } from "../shared/dom.js";
import { percent } from "../shared/format.js";
import { actionText } from "../table/coach.js";

const RANKS = [..."AKQJT98765432"];
const FOLD = "fold";
/** The number of hands listed when many change a little. */
const LISTED = 16;
/** Changes of a share below this are not shown. */
const NEGLIGIBLE = 0.0005;

/** @typedef {Record<string, number>} Shares */
/** @typedef {{hand: string, was: Shares, now: Shares, by: number}} Change */

/** Returns the hand of a cell: suited above the diagonal, offsuit below. @param {number} row @param {number} column */
function handAt(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high === low ? high + low : `${high}${low}${column > row ? "s" : "o"}`;
}

/** Returns true when each hand has one best choice for all open cards. @param {Record<string, Shares>} strategy */
const isFixed = (strategy) => Object.values(strategy).every((shares) => Object.keys(shares).length === 1);

/**
 * @param {any} result
 * @param {import("./lab.js").Setting | null} comparison
 */
export function chart(result, comparison) {
  const strategy = /** @type {Record<string, Shares>} */ (result.strategy);
  if (!Object.keys(strategy).length) return null;
  const fixed = isFixed(strategy);
  const values = result.solution.first_decision ?? {};
  const changed = new Map(changesOf(strategy, comparison?.result.strategy ?? strategy).map((one) => [one.hand, one]));
  return h(
    "section",
    { key: "chart", class: "card chart-sheet", "aria-label": "Strategy" },
    h("h2", null, fixed ? "Across bet by starting hand" : "Folding by starting hand"),
    h(
      "p",
      { class: "quiet" },
      fixed
        ? "Suited hands above the diagonal, offsuit hands below. F: fold. 1 or 3: the bet in antes."
        : "The percentage of open cards with which folding is best. All other hands raise, on the vertical or the horizontal line. Suited hands above the diagonal, offsuit hands below.",
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
    fixed && legend(strategy),
    comparison && changes([...changed.values()], comparison, fixed),
  );
}

/**
 * @param {string} hand
 * @param {Shares} shares
 * @param {Change | undefined} change
 * @param {Record<string, number> | undefined} values
 */
function cell(hand, shares, change, values) {
  const best = mostFrequent(shares);
  const folds = shares[FOLD] ?? 0;
  const fixed = shares[best] === 1;
  const worth = Object.entries(values ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([choice, ev]) => `${actionText(choice)} ${ev.toFixed(3)}`);
  return h(
    "td",
    {
      key: hand,
      class: `${fixed && best !== "vertical" && best !== "horizontal" ? `mix-${best}` : "mix-share"}${change ? " moved" : ""}`,
      style: { "--fold": `${Math.round(100 * folds)}%` },
      title: [`${hand}: ${sharesText(shares)}`, change && `was ${sharesText(change.was)}`, ...worth]
        .filter(Boolean)
        .join("\n"),
    },
    values ? (best === FOLD ? "F" : best[0]) : String(Math.round(100 * folds)),
    change && h("span", { class: "sr" }, `, was ${sharesText(change.was)}`),
  );
}

/** Returns the choice that is best most often. @param {Shares} shares */
const mostFrequent = (shares) =>
  Object.keys(shares).reduce((best, choice) => (shares[choice] > shares[best] ? choice : best));

/** @param {Shares} shares */
const sharesText = (shares) =>
  Object.entries(shares)
    .map(([choice, share]) => (share === 1 ? actionText(choice) : `${actionText(choice)} ${percent(share, 1)}`))
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
    .filter(({ by }) => by > NEGLIGIBLE)
    .sort((a, b) => b.by - a.by);
}

/** @param {Record<string, Shares>} strategy */
function legend(strategy) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const shares of Object.values(strategy)) counts[mostFrequent(shares)] = (counts[mostFrequent(shares)] ?? 0) + 1;
  return h(
    "ul",
    { class: "legend" },
    Object.entries(counts).map(([choice, count]) =>
      h("li", { key: choice }, h("i", { class: `mix-${choice}` }), `${actionText(choice)}: ${count} hands`),
    ),
  );
}

/** @param {Change[]} all @param {import("./lab.js").Setting} comparison @param {boolean} fixed */
function changes(all, comparison, fixed) {
  const against = comparison.title === "As printed" ? "the game as printed" : "the kept setting";
  if (!all.length)
    return h("p", { class: "quiet", role: "status" }, `No starting hand is played differently from ${against}.`);
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  if (fixed) {
    for (const { hand, was, now } of all) {
      const words = `${actionText(mostFrequent(was))} → ${actionText(mostFrequent(now))}`;
      groups.set(words, [...(groups.get(words) ?? []), hand]);
    }
  }
  return h(
    "div",
    { class: "chart-changes", role: "status" },
    h("h3", null, `${all.length} ${all.length === 1 ? "hand is" : "hands are"} played differently from ${against}`),
    h(
      "ul",
      null,
      fixed
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
      !fixed && all.length > LISTED && h("li", { key: "more", class: "inline" }, `and ${all.length - LISTED} more`),
    ),
  );
}
