// @ts-check
/** The strategy grid of a changed game, with the differences from another setting. */

import { h, quietText } from "../shared/dom.js";
import { choiceText, percent } from "../shared/format.js";
import { FOLD, mostFrequent, sharesText, strategyGrid } from "../shared/strategy_grid.js";
import { baseOf } from "./figures.js";

/** The number of hands listed when many change a little. */
const LISTED = 16;
/** Changes of a share below this are not shown. */
const NEGLIGIBLE = 0.0005;

/** @typedef {Record<string, number>} Shares */
/** @typedef {Record<string, import("../shared/strategy_grid.js").Cell>} Cells */
/** @typedef {{hand: string, was: Shares, now: Shares, by: number}} Change */

/** Returns true when each hand has one best choice for all open cards. @param {Cells} cells */
const isFixed = (cells) => Object.values(cells).every(({ shares }) => Object.keys(shares).length === 1);

/** @param {import("./lab.js").Laboratory} page */
export function chart(page) {
  const { result, comparison } = page;
  const cells = /** @type {Cells} */ (result.grid);
  if (!Object.keys(cells).length) return null;
  const fixed = isFixed(cells);
  const changed = changesOf(cells, comparison?.result.grid ?? cells);
  return h(
    "section",
    { key: "chart", class: "card chart-sheet", "aria-label": "Strategy" },
    h("h2", null, fixed ? "First bet by starting hand" : "First choice by starting hand"),
    quietText(
      `Suited hands above the diagonal, offsuit hands below. Each cell has the best choice and its value in ${baseOf(result.solution)}s. Press one to read more.`,
    ),
    strategyGrid({
      cells,
      chosen: page.cell,
      choose: (hand) => {
        page.cell = hand;
        page.show();
      },
      notes: new Map(changed.map(({ hand, was }) => [hand, `was ${sharesText(was)}`])),
      caption: "Best play by starting hand",
    }),
    comparison && changes(changed, comparison, fixed),
  );
}

/** @param {Cells} cells @param {Cells} before @returns {Change[]} */
function changesOf(cells, before) {
  return Object.entries(cells)
    .map(([hand, { shares: now }]) => {
      const was = before[hand]?.shares ?? now;
      const choices = new Set([...Object.keys(now), ...Object.keys(was)]);
      const by = Math.max(...[...choices].map((choice) => Math.abs((now[choice] ?? 0) - (was[choice] ?? 0))));
      return { hand, was, now, by };
    })
    .filter(({ by }) => by > NEGLIGIBLE)
    .sort((a, b) => b.by - a.by);
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
      const words = `${choiceText(mostFrequent(was))} → ${choiceText(mostFrequent(now))}`;
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
