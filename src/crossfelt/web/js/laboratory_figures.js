// @ts-check
/** The figures of a changed game as the laboratory shows and saves them. */

import { h } from "./dom.js";
import { capital, percent, plain } from "./words.js";

/** The number before "to 1". @param {string} odds */
export function value(odds) {
  const found = /^(\d+) (?:to|for) (\d+)$/.exec(odds);
  return found ? Number(found[1]) / Number(found[2]) : 0;
}

/** @param {number} number @param {string} like odds of the same kind */
export const oddsText = (number, like) =>
  number === 0 ? "push" : like.includes(" for ") ? `${number} for 1` : `${number} to 1`;

/** @param {any} solution */
export const headline = (solution) => solution.house_edge.per_initial_wagers ?? Object.values(solution.house_edge)[0];

/** @param {any} solution */
export const headlineUnit = (solution) =>
  "per_initial_wagers" in solution.house_edge
    ? "of the wagers before the cards"
    : plain(Object.keys(solution.house_edge)[0]);

/** @param {any} solution @param {any[]} spins @returns {[string, string][]} */
export function figureRows(solution, spins) {
  /** @type {[string, string][]} */
  const rows = Object.entries(solution.house_edge).map(([unit, edge]) => [
    `House edge ${plain(unit)}`,
    percent(Number(edge), 4),
  ]);
  if (solution.average_total_wagered !== undefined)
    rows.push(["Wagered in a round", solution.average_total_wagered.toFixed(4)]);
  if (solution.standard_deviation !== undefined)
    rows.push(["Standard deviation", solution.standard_deviation.toFixed(4)]);
  if (solution.hit_rate !== undefined) rows.push(["Rounds won", percent(solution.hit_rate)]);
  for (const [bet, told] of Object.entries(solution.side_bets ?? {}))
    rows.push([`${capital(plain(bet))} edge`, percent(/** @type {any} */ (told).house_edge, 3)]);
  for (const spin of spins ?? [])
    rows.push([`${capital(plain(spin.wager))} edge, long run`, percent(spin.house_edge, 3)]);
  return rows;
}

const BEFORE = "folded before";

/** The choices with their shares, and the rounds that never came so far. @param {Record<string, number>} mix */
function withFoldsBefore(mix) {
  const rest = 1 - Object.values(mix).reduce((sum, share) => sum + Number(share), 0);
  return [...Object.entries(mix), .../** @type {[string, number][]} */ (rest > 1e-6 ? [[BEFORE, rest]] : [])];
}

/** How often each choice is best, as bars. @param {any} solution */
export function decisions(solution) {
  const all = Object.entries(solution.decisions ?? {});
  if (!all.length) return null;
  return h(
    "div",
    { class: "mix" },
    h("h2", null, "Best play"),
    all.map(([decision, mix]) =>
      h(
        "div",
        { key: decision, class: "mix-row" },
        h("span", null, capital(plain(decision))),
        h(
          "div",
          {
            class: "mix-bar",
            role: "img",
            "aria-label": withFoldsBefore(/** @type {any} */ (mix))
              .map(([choice, share]) => `${choice} ${percent(Number(share))}`)
              .join(", "),
          },
          withFoldsBefore(/** @type {any} */ (mix)).map(([choice, share]) =>
            h(
              "i",
              {
                key: choice,
                class: choice === BEFORE ? "mix-before" : `mix-${choice}`,
                style: { "flex-grow": String(Math.max(0.004, Number(share))) },
                title: `${choice} ${percent(Number(share))}`,
              },
              Number(share) > 0.12 && h("span", null, `${choice} ${percent(Number(share), 1)}`),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The changes as a submission file. @param {string} book @param {any} told */
export function submissionText(book, told) {
  const lines = [
    `# A Rules Submission from the laboratory. Check it with: crossfelt submission check FILE`,
    `rulebook = "${book}"`,
  ];
  for (const [table, odds] of Object.entries(told.submission.pays ?? {}))
    lines.push(
      "",
      `[pays.${table}]`,
      ...Object.entries(/** @type {any} */ (odds)).map(([hand, text]) => `${hand} = "${text}"`),
    );
  for (const [wager, fields] of Object.entries(told.submission.wagers ?? {}))
    lines.push(
      "",
      `[wagers.${wager}]`,
      ...Object.entries(/** @type {any} */ (fields)).map(([name, weights]) => `${name} = [${weights.join(", ")}]`),
    );
  return `${lines.join("\n")}\n`;
}
