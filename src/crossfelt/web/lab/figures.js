// @ts-check
/** The figures of a changed game, beside those of another setting. */

import { h } from "../shared/dom.js";
import { capital, percent, plain } from "../shared/format.js";

/** A figure: its name, its number, and how it is told. @typedef {{name: string, number: number, tell: (number: number) => string}} Figure */

/** @param {any} solution */
export const headline = (solution) => solution.house_edge.per_initial_wagers ?? Object.values(solution.house_edge)[0];

/** @param {any} solution */
export const headlineUnit = (solution) =>
  "per_initial_wagers" in solution.house_edge
    ? "of the wagers before the cards"
    : plain(Object.keys(solution.house_edge)[0]);

/** @param {number} digits */
const share = (digits) => (/** @type {number} */ number) => percent(number, digits);
const decimal = (/** @type {number} */ number) => number.toFixed(4);

/** @param {any} told @returns {Figure[]} */
function figuresOf({ solution, spins }) {
  /** @type {[string, number | undefined, (number: number) => string][]} */
  const all = [
    ...Object.entries(solution.house_edge).map(
      ([unit, edge]) =>
        /** @type {[string, number, (number: number) => string]} */ ([
          `House edge ${plain(unit).replace("ante", solution.unit.replace("one ", ""))}`,
          Number(edge),
          share(4),
        ]),
    ),
    ["Wagered in a round", solution.average_total_wagered, decimal],
    ["Standard deviation", solution.standard_deviation, decimal],
    ["Rounds won", solution.hit_rate, share(2)],
  ];
  for (const [bet, { house_edge }] of Object.entries(solution.side_bets ?? {}))
    all.push([`${capital(plain(bet))} edge`, house_edge, share(3)]);
  for (const spin of spins)
    all.push([`${capital(plain(spin.wager))} at $${spin.stake_cents / 100}, long run`, spin.house_edge, share(3)]);
  return all
    .filter(([, number]) => number !== undefined)
    .map(([name, number, tell]) => ({ name, number: Number(number), tell }));
}

/** Every figure, and where there is another setting, what it was there and by how much it moved. @param {any} told @param {import("./lab.js").Setting | null} beside */
export function figuresTable(told, beside) {
  const before = new Map((beside ? figuresOf(beside.told) : []).map((figure) => [figure.name, figure.number]));
  return h(
    "table",
    { class: "pays figures" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        ["Figure", "Now", ...(beside ? [beside.title, "Change"] : [])].map((title) =>
          h("th", { key: title, scope: "col" }, title),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      figuresOf(told).map(({ name, number, tell }) => {
        const was = before.get(name);
        return h(
          "tr",
          { key: name },
          h("th", { scope: "row" }, name),
          h("td", null, tell(number)),
          beside && h("td", null, was === undefined ? "" : tell(was)),
          beside && h("td", { class: "moved" }, was === undefined ? "" : moved(number - was, tell)),
        );
      }),
    ),
  );
}

/** By how much a figure moved. @param {number} by @param {(number: number) => string} tell */
export function moved(by, tell) {
  const text = tell(Math.abs(by));
  return text === tell(0) ? "–" : `${by > 0 ? "+" : "−"}${text}`;
}

const BEFORE = "folded before";

/** The choices with their shares, and the rounds that never came so far. @param {Record<string, number>} mix */
function withFoldsBefore(mix) {
  const rest = 1 - Object.values(mix).reduce((sum, one) => sum + Number(one), 0);
  return [...Object.entries(mix), .../** @type {[string, number][]} */ (rest > 1e-6 ? [[BEFORE, rest]] : [])];
}

/** How often each choice is best, as bars. @param {any} solution */
export function decisions(solution) {
  const all = Object.entries(solution.decisions ?? {});
  if (!all.length) return null;
  return h(
    "div",
    { class: "mix" },
    h("h2", null, "Decision mix of best play"),
    all.map(([decision, mix]) => {
      const shares = withFoldsBefore(/** @type {any} */ (mix));
      return h(
        "div",
        { key: decision, class: "mix-row" },
        h("span", null, capital(plain(decision))),
        h(
          "div",
          {
            class: "mix-bar",
            role: "img",
            "aria-label": shares.map(([choice, one]) => `${choice} ${percent(Number(one))}`).join(", "),
          },
          shares.map(([choice, one]) =>
            h(
              "i",
              {
                key: choice,
                class: choice === BEFORE ? "mix-before" : `mix-${choice}`,
                style: { "flex-grow": String(Math.max(0.004, Number(one))) },
                title: `${choice} ${percent(Number(one))}`,
              },
              Number(one) > 0.14 && h("span", null, `${choice} ${percent(Number(one), 1)}`),
            ),
          ),
        ),
      );
    }),
  );
}
