// @ts-check
/** Plots of hold against theory, as SVG: the course of a table, and where a wager stands in its band. */

import { h } from "../shared/dom.js";
import { count, inWords } from "./staff_page.js";
import { dollars, signed } from "../shared/format.js";

const WIDE = 900;
const HIGH = 320;
const LEFT = 104;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;
const TICKS = 5;

/** Steps of one, two or five of a power of ten. @param {number} span */
function step(span) {
  const rough = span / TICKS || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power;
}

/** @param {number} low @param {number} high */
function ticks(low, high) {
  const by = step(high - low);
  const found = [];
  for (let at = Math.ceil(low / by) * by; at <= high; at += by) found.push(at);
  return found;
}

/** The hold of a table after each round, theory, and the bands around it. @param {any} told */
export function coursePlot(told) {
  const nothing = { round: 0, hold_cents: 0, theory_cents: 0, deviation_cents: 0 };
  const course = [nothing, ...told.course];
  const widest = told.bands[told.bands.length - 1];
  const edges = course.flatMap((at) => [
    at.hold_cents,
    at.theory_cents - widest * at.deviation_cents,
    at.theory_cents + widest * at.deviation_cents,
  ]);
  const [low, high] = [Math.min(...edges), Math.max(...edges)];
  const last = course[course.length - 1];
  const x = (/** @type {number} */ round) => LEFT + ((WIDE - LEFT - RIGHT) * round) / (last.round || 1);
  const y = (/** @type {number} */ cents) => TOP + ((HIGH - TOP - BOTTOM) * (high - cents)) / (high - low || 1);
  const line = (/** @type {(at: any) => number} */ of) =>
    course.map((at) => `${x(at.round).toFixed(1)},${y(of(at)).toFixed(1)}`);
  const band = (/** @type {number} */ wide) =>
    [
      ...line((at) => at.theory_cents + wide * at.deviation_cents),
      ...line((at) => at.theory_cents - wide * at.deviation_cents).reverse(),
    ].join(" ");
  const said = `After ${count(last.round)} rounds the hold is ${signed(last.hold_cents)}; theory says ${signed(Math.round(last.theory_cents))}, give or take ${dollars(Math.round(last.deviation_cents))}.`;
  return h(
    "figure",
    { class: "plot" },
    h(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": said },
      [...told.bands]
        .reverse()
        .map((/** @type {number} */ wide) =>
          h("polygon", { key: `band ${wide}`, class: `band band-${wide}`, points: band(wide) }),
        ),
      ticks(low, high).map((at) => [
        h("line", { key: `y ${at}`, class: at ? "tick" : "zero", x1: LEFT, x2: WIDE - RIGHT, y1: y(at), y2: y(at) }),
        h("text", { key: `t ${at}`, class: "plot-text", x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, dollars(at)),
      ]),
      ticks(0, last.round)
        .filter(Number.isInteger)
        .map((at) =>
          h("text", { key: `x ${at}`, class: "plot-text", x: x(at), y: HIGH - 12, "text-anchor": "middle" }, count(at)),
        ),
      h("polyline", { class: "theory", points: line((at) => at.theory_cents).join(" ") }),
      h("polyline", { class: "hold", points: line((at) => at.hold_cents).join(" ") }),
    ),
    h(
      "figcaption",
      { class: "plot-keys" },
      h("span", { class: "key key-hold" }, "Hold"),
      h("span", { class: "key key-theory" }, "Theory, best play"),
      h("span", { class: "key key-band" }, `${inWords(told.bands.map(String))} standard deviations`),
      h("span", { class: "quiet" }, said),
    ),
  );
}

/** Where the hold of a wager lies in the band around its theory. @param {any} wager @param {number[]} bands */
export function bandPlot(wager, bands) {
  const widest = bands[bands.length - 1];
  const reach = Math.max(
    widest * 1.15,
    Math.abs((wager.hold_cents - wager.theory_cents) / (wager.deviation_cents || 1)) * 1.1,
  );
  const x = (/** @type {number} */ deviations) => 110 + (100 * deviations) / reach;
  const at = (wager.hold_cents - wager.theory_cents) / (wager.deviation_cents || 1);
  const said = `Hold ${signed(wager.hold_cents)}, theory ${signed(Math.round(wager.theory_cents))}, standard deviation ${dollars(Math.round(wager.deviation_cents))}`;
  return h(
    "svg",
    { class: "strip", viewBox: "0 0 220 26", role: "img", "aria-label": said },
    [...bands].reverse().map((wide) =>
      h("rect", {
        key: wide,
        class: `band band-${wide}`,
        x: x(-wide),
        y: 6,
        width: x(wide) - x(-wide),
        height: 14,
        rx: 3,
      }),
    ),
    h("line", { class: "theory", x1: x(0), x2: x(0), y1: 3, y2: 23 }),
    h("circle", { class: Math.abs(at) > widest ? "stray" : "spot", cx: x(at), cy: 13, r: 5 }),
  );
}
