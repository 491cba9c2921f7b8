// @ts-check
/** The controls of the laboratory: sliders for odds and weights, and the offered wagers. */

import { h } from "../shared/dom.js";
import { capital, dollars, percent, plain } from "../shared/format.js";

/** @typedef {import("./lab.js").Laboratory} Page */

/** Steps of a slider with a logarithmic scale of weights. */
const STEPS = 1000;
/** Up to these odds, a step is half a unit, such as 3 to 2. */
const SMALL = 10;

/** Returns odds as a number "to 1". @param {string} odds */
function value(odds) {
  const found = /^(\d+) (?:to|for) (\d+)$/.exec(odds);
  return found ? Number(found[1]) / Number(found[2]) : 0;
}

/**
 * Returns odds as a pay table prints them; 0 is a push.
 * @param {number} number
 * @param {string} like odds of the same kind
 */
function oddsText(number, like) {
  if (number === 0) return "push";
  const kind = like.includes(" for ") ? "for" : "to";
  return Number.isInteger(number) ? `${number} ${kind} 1` : `${2 * number} ${kind} 2`;
}

/** Returns the path of a wheel's weights in a submission. @param {any} wheel */
export const weightsName = (wheel) =>
  `wagers.${wheel.wager}.${wheel.ring === "spin" ? "weights" : `${wheel.ring}_weights`}`;

/** @param {Page} page @param {any} table */
export function payControls(page, table) {
  const lines = table.lines.filter((/** @type {any} */ line) => line.odds);
  if (!lines.length) return null;
  return h(
    "table",
    { key: table.id, class: "pays lab-table" },
    h("caption", null, table.title),
    h(
      "tbody",
      null,
      lines.map((/** @type {any} */ line) => payLine(page, table, line)),
    ),
  );
}

/** @param {Page} page @param {any} table @param {any} line */
function payLine(page, table, line) {
  const path = `${table.id}.${line.id}`;
  const odds = page.changes.pay[path] ?? line.odds;
  const printed = value(line.odds);
  return h(
    "tr",
    { key: line.id, class: path in page.changes.pay ? "changed" : undefined },
    h("th", { scope: "row" }, h("label", { for: `odds-${path}` }, capital(line.title))),
    h(
      "td",
      null,
      h("input", {
        id: `odds-${path}`,
        type: "range",
        min: 0,
        max: Math.max(5, Math.ceil(2 * printed)),
        step: printed <= SMALL ? 0.5 : 1,
        "prop:value": String(value(odds)),
        "aria-valuetext": odds,
        oninput: (/** @type {any} */ event) =>
          page.setOdds(path, oddsText(Number(event.target.value), line.odds), line.odds),
      }),
    ),
    h("td", { class: "lab-odds" }, odds, path in page.changes.pay && h("small", null, ` was ${line.odds}`)),
  );
}

/** Slices by their positions on the wheel. @param {any[]} slices @returns {{slice: any, place: number, at: number}[]} */
const inPrintedOrder = (slices) =>
  slices.map((slice, at) => ({ slice, place: slice.position ?? at, at })).sort((one, two) => one.place - two.place);

/** @param {Page} page @param {any} wheel */
export function wheelControls(page, wheel) {
  const weights = page.changes.weights[weightsName(wheel)] ?? wheel.weights;
  const all = weights.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
  const first = page.printed?.result.game.wheels.find((/** @type {any} */ one) => one.name === wheel.name) ?? wheel;
  const ring = wheel.ring === "spin" ? "" : `, ${plain(wheel.ring)} ring`;
  return h(
    "table",
    { key: wheel.name, class: "pays lab-table" },
    h(
      "caption",
      null,
      `${capital(plain(wheel.wager))} ${wheel.letter}${ring}, ${dollars(wheel.stake_cents)} to play`,
      wheel.illustrative && h("small", null, " (illustrative weights)"),
    ),
    h(
      "tbody",
      null,
      inPrintedOrder(wheel.slices).map(({ slice, place, at }) => {
        const id = `weight-${wheel.name}-${at}`;
        const prize = `${place}: ${slice.pays_cents ? dollars(slice.pays_cents) : "top prize"}`;
        return h(
          "tr",
          { key: at, class: weights[at] !== first.weights[at] ? "changed" : undefined },
          h("th", { scope: "row" }, h("label", { for: id }, prize)),
          h("td", null, weightSlider(page, wheel, { id, at, weight: weights[at], all })),
          h("td", { class: "lab-odds", title: `weight ${weights[at]} of ${all}` }, percent(weights[at] / all, 2)),
        );
      }),
    ),
  );
}

/**
 * @param {Page} page
 * @param {any} wheel
 * @param {{id: string, at: number, weight: number, all: number}} of
 */
function weightSlider(page, wheel, { id, at, weight, all }) {
  const set = (/** @type {number} */ to) => page.setWeight(wheel, at, to);
  // On a logarithmic scale a key would often move by less than one, so keys change the weight itself.
  const step = Math.max(1, Math.round(weight / 20));
  /** @type {Record<string, number>} */
  const keys = {
    ArrowRight: weight + step,
    ArrowUp: weight + step,
    ArrowLeft: weight - step,
    ArrowDown: weight - step,
    PageUp: 2 * weight,
    PageDown: weight / 2,
    Home: 1,
    End: all,
  };
  return h("input", {
    id,
    type: "range",
    min: 0,
    max: STEPS,
    "prop:value": String(Math.round((STEPS * Math.log1p(weight)) / Math.log1p(all))),
    "aria-valuetext": `weight ${weight}, ${percent(weight / all, 2)}`,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      set(keys[event.key]);
    },
    oninput: (/** @type {any} */ event) => set(Math.expm1((Number(event.target.value) / STEPS) * Math.log1p(all))),
  });
}

/** The offered wagers and their pay tables. @param {Page} page @param {any[]} options */
export function optionList(page, options) {
  if (!options.length) return null;
  return h(
    "fieldset",
    { key: "options", class: "card lab-options" },
    h("legend", null, "Offered wagers"),
    options.map((option) => {
      const id = `option-${option.path}`;
      const flag = option.of.includes(true);
      const changed = option.path in page.changes.chosen;
      const value = changed ? page.changes.chosen[option.path] : option.value;
      return h(
        "div",
        { key: option.path, class: `lab-option${changed ? " changed" : ""}` },
        flag &&
          h("input", {
            id,
            type: "checkbox",
            "prop:checked": value,
            onchange: (/** @type {any} */ event) => page.choose(option.path, event.target.checked),
          }),
        h("label", { for: id }, option.title),
        !flag &&
          h(
            "select",
            {
              id,
              "prop:value": value,
              onchange: (/** @type {any} */ event) => page.choose(option.path, event.target.value),
            },
            option.of.map((/** @type {string} */ one) =>
              h("option", { key: one, value: one, selected: one === value }, plain(one)),
            ),
          ),
      );
    }),
  );
}
