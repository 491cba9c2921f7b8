// @ts-check
/** The figures of a changed game, and a comparison with another setting. */

import { h, tableHead } from "../shared/dom.js";
import { capital, choiceText, dollars, percent, plain } from "../shared/format.js";

/** A figure with its name and its format. @typedef {{name: string, number: number, format: (number: number) => string}} Figure */

/** @param {any} solution */
export const headline = (solution) => solution.house_edge.per_initial_wagers ?? Object.values(solution.house_edge)[0];

/** @param {any} solution */
export const headlineUnit = (solution) =>
  "per_initial_wagers" in solution.house_edge
    ? "of the wagers before the deal"
    : plain(Object.keys(solution.house_edge)[0]);

/** Names the wager that is the unit, such as the ante. @param {any} solution */
export const baseOf = (solution) => solution.unit.replace("one ", "");

/** Names an amount of that wager. @param {any} solution @param {number} cents */
const ofBase = (solution, cents) =>
  `${/^[aeiou]/.test(baseOf(solution)) ? "an" : "a"} ${baseOf(solution)} of ${dollars(cents)}`;

/** Says up to which ante the payout limit leaves the figures as they are. @param {any} solution */
export function holdsTo(solution) {
  const cents = solution.payout_limit.holds_to_ante_cents;
  return cents === null ? "" : `, up to ${ofBase(solution, cents)}`;
}

/** @param {number} digits */
const share = (digits) => (/** @type {number} */ number) => percent(number, digits);
const decimal = (/** @type {number} */ number) => number.toFixed(4);

/** The house edge by the money that it is counted on. @type {Record<string, string>} */
const EDGES = {
  per_initial_wagers: "House edge of the wagers before the deal",
  per_total_wagered: "House edge of all wagers",
};

/** @param {any} game @param {string} wager */
const titleOf = (game, wager) =>
  game.wagers.find((/** @type {any} */ one) => one.id === wager)?.title ?? capital(plain(wager));

/** @param {any} result @returns {Figure[]} */
function figuresOf({ solution, spins, game }) {
  /** @type {[string, number | undefined, (number: number) => string][]} */
  const all = [
    ...Object.entries(solution.house_edge).map(
      ([unit, edge]) =>
        /** @type {[string, number, (number: number) => string]} */ ([
          EDGES[unit] ?? `House edge ${plain(unit).replace("ante", baseOf(solution))}`,
          Number(edge),
          share(4),
        ]),
    ),
    ["Average wager per round", solution.average_total_wagered, decimal],
    ["Standard deviation", solution.standard_deviation, decimal],
    ["Hit rate", solution.hit_rate, share(2)],
  ];
  for (const { ante_cents, same_play, best_play } of solution.at_antes ?? []) {
    const edge = (/** @type {any} */ play) => play && -play.ev.value / solution.initial_wagers;
    all.push([`House edge at ${ofBase(solution, ante_cents)}`, edge(same_play), share(4)]);
    all.push([`The same, best play at that ante`, edge(best_play) ?? undefined, share(4)]);
  }
  for (const [bet, { house_edge }] of Object.entries(solution.side_bets ?? {}))
    all.push([`House edge of ${titleOf(game, bet)}`, house_edge, share(3)]);
  for (const spin of spins)
    all.push([
      `House edge of ${titleOf(game, spin.wager)} at ${dollars(spin.stake_cents)}, long run`,
      spin.house_edge,
      share(3),
    ]);
  return all
    .filter(([, number]) => number !== undefined)
    .map(([name, number, format]) => ({ name, number: Number(number), format }));
}

/** All figures, with a comparison setting and the change. @param {any} result @param {import("./lab.js").Setting | null} comparison */
export function figuresTable(result, comparison) {
  const before = new Map(
    (comparison ? figuresOf(comparison.result) : []).map((figure) => [figure.name, figure.number]),
  );
  return h(
    "table",
    { class: "pays figures" },
    tableHead(comparison ? ["Figure", "Now", comparison.title, "Change"] : ["Figure", "Value"]),
    h(
      "tbody",
      null,
      figuresOf(result).map(({ name, number, format }) => {
        const was = before.get(name);
        return h(
          "tr",
          { key: name },
          h("th", { scope: "row" }, name),
          h("td", null, format(number)),
          comparison && h("td", null, was === undefined ? "" : format(was)),
          comparison && h("td", { class: "moved" }, was === undefined ? "" : changeText(number - was, format)),
        );
      }),
    ),
  );
}

/** Returns the change of a figure as text. @param {number} by @param {(number: number) => string} format */
export function changeText(by, format) {
  const text = format(Math.abs(by));
  return text === format(0) ? "–" : `${by > 0 ? "+" : "−"}${text}`;
}

const FOLDED_EARLIER = "folded earlier";

/** Returns the shares of the choices, with the rounds that folded earlier. @param {Record<string, number>} mix */
function withEarlierFolds(mix) {
  const rest = 1 - Object.values(mix).reduce((sum, one) => sum + Number(one), 0);
  return [...Object.entries(mix), .../** @type {[string, number][]} */ (rest > 1e-6 ? [[FOLDED_EARLIER, rest]] : [])];
}

/** Bars of how often each choice is best. @param {any} result */
export function decisions({ solution, game }) {
  const all = Object.entries(solution.decisions ?? {});
  if (!all.length) return null;
  return h(
    "div",
    { class: "mix" },
    h("h2", null, "Decisions of best play"),
    all.map(([decision, mix]) => {
      const shares = withEarlierFolds(/** @type {any} */ (mix));
      const { titles } =
        game.script.find((/** @type {any} */ step) => step.id.replace(/^decide_/, "") === decision) ?? {};
      const words = (/** @type {[string, number]} */ [choice, one], /** @type {number} */ places = 2) =>
        `${choice === FOLDED_EARLIER ? choice : choiceText(choice, titles)} ${percent(Number(one), places)}`;
      return h(
        "div",
        { key: decision, class: "mix-row" },
        h("span", null, capital(plain(decision))),
        h(
          "div",
          {
            class: "mix-bar",
            role: "img",
            "aria-label": shares.map((one) => words(one)).join(", "),
          },
          shares.map(([choice, one]) =>
            h(
              "i",
              {
                key: choice,
                class: choice === FOLDED_EARLIER ? "mix-before" : `mix-${choice}`,
                style: { "flex-grow": String(Math.max(0.004, Number(one))) },
                title: words([choice, one]),
              },
              Number(one) > 0.14 && h("span", null, words([choice, one], 1)),
            ),
          ),
        ),
      );
    }),
  );
}
