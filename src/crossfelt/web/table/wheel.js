// @ts-check
/** The wheel, drawn stop by stop in the rulebook's order. It ends at the stop that the server drew, also shown as text. */

import { buttonNode, draw, h, loadStylesheet } from "../shared/dom.js";
import { dollars, sentence } from "../shared/format.js";
import { ownSeat } from "./state.js";

await loadStylesheet("table/wheel.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{pays_cents?: number, community?: number, position?: number}} Slice */

/**
 * Returns the slices in the order of the face: by printed position, where there is one.
 * @param {Slice[]} slices
 * @returns {{slice: Slice, index: number}[]}
 */
function faceOrder(slices) {
  return slices
    .map((slice, index) => ({ slice, index }))
    .sort((a, b) => (a.slice.position ?? a.index) - (b.slice.position ?? b.index));
}

/** @param {Slice} slice */
const sliceText = (slice) =>
  slice.pays_cents === undefined || slice.pays_cents === null ? "TOP" : dollars(slice.pays_cents);

/** @param {number} turn part of a full turn @param {number} radius @returns {[number, number]} */
const point = (turn, radius) => [
  200 + radius * Math.sin(turn * 2 * Math.PI),
  200 - radius * Math.cos(turn * 2 * Math.PI),
];

export class Wheel extends HTMLElement {
  /** @type {{slices: Slice[], stop: number} | null} */
  #shown = null;

  /** @param {{slices: Slice[], stop: number}} shown */
  set shown(shown) {
    if (this.#shown?.slices === shown.slices && this.#shown.stop === shown.stop) return;
    this.#shown = shown;
    if (this.isConnected) this.show();
  }

  connectedCallback() {
    this.show();
    this.addEventListener("spin", () => this.spin());
  }

  /** The angle that brings the stop to the top. */
  get endAngle() {
    const order = faceOrder(this.#shown?.slices ?? []);
    const place = order.findIndex(({ index }) => index === this.#shown?.stop);
    return -(360 * (place + 0.5)) / Math.max(1, order.length);
  }

  show() {
    const order = faceOrder(this.#shown?.slices ?? []);
    const count = Math.max(1, order.length);
    draw(
      this,
      h(
        "svg",
        { viewBox: "0 0 400 420", role: "img", "aria-label": `A wheel of ${count} stops` },
        h("circle", { cx: 200, cy: 214, r: 194, class: "wheel-shadow" }),
        h("circle", { cx: 200, cy: 206, r: 194, class: "wheel-rim" }),
        h(
          "g",
          { transform: "translate(0 6)" },
          h(
            "g",
            { class: "wheel-face", transform: `rotate(${this.endAngle})` },
            order.map(({ slice, index }, at) => this.slice(slice, index, at, count)),
            order.map((_, at) => peg(at / count)),
          ),
          h("circle", { cx: 200, cy: 200, r: 44, class: "wheel-hub" }),
          h("use", { href: "#mark", x: 178, y: 178, width: 44, height: 44, class: "wheel-mark" }),
        ),
        h("path", { d: "M200 34 182 2h36Z", class: "wheel-pointer" }),
      ),
    );
  }

  /** @param {Slice} slice @param {number} index @param {number} at @param {number} count */
  slice(slice, index, at, count) {
    const [x1, y1] = point(at / count, 180);
    const [x2, y2] = point((at + 1) / count, 180);
    const middle = ((at + 0.5) / count) * 360;
    const top = slice.pays_cents === undefined || slice.pays_cents === null;
    return h(
      "g",
      {
        key: index,
        "data-index": index,
        class: `slice ${top ? "slice-top" : slice.community ? "slice-shared" : at % 2 ? "slice-dark" : "slice-light"}`,
      },
      h("path", { d: `M200 200 L${x1} ${y1} A180 180 0 0 1 ${x2} ${y2}Z` }),
      h(
        "g",
        { transform: `rotate(${middle} 200 200)` },
        h(
          "text",
          {
            x: 200,
            y: 52,
            "text-anchor": "middle",
            transform: `rotate(90 200 52)`,
            dy: 6,
            class: "slice-text",
            "font-size": count > 16 ? 13 : 19,
          },
          sliceText(slice),
        ),
      ),
    );
  }

  /** Spins to the stop. @returns {Animation | undefined} */
  spin() {
    const wheel = this.querySelector(".wheel-face");
    if (!wheel) return undefined;
    const endAngle = this.endAngle;
    return wheel.animate([{ transform: `rotate(${endAngle - 1800}deg)` }, { transform: `rotate(${endAngle}deg)` }], {
      duration: 5200,
      easing: "cubic-bezier(.12,.72,.12,1)",
      fill: "none",
    });
  }
}

/** @param {number} turn */
function peg(turn) {
  const [cx, cy] = point(turn, 181);
  return h("circle", { cx, cy, r: 4, class: "wheel-peg" });
}

customElements.define("cf-wheel", Wheel);

/** The wheel dialog: the wheel, the result as text and the eligible seats. @param {Page} page */
export function wheelSheet(page) {
  const { spun } = page.ui;
  const { game } = page.state;
  const wheels = game.wheels.filter((/** @type {any} */ wheel) => wheel.wager === spun.wager);
  const shown =
    spun.event === "wheel_spun"
      ? [[wheels.find((/** @type {any} */ wheel) => wheel.name === spun.wheel) ?? wheels[0], spun.index, ""]]
      : rings(page, wheels);
  const eligible = Object.keys(spun.stakes)
    .filter((seat) => spun.stakes[seat])
    .map((seat) => (Number(seat) === ownSeat(page.state)?.number ? "you" : `seat ${seat}`));
  return h(
    "div",
    { class: "wheel-sheet", role: "dialog", "aria-modal": "false", "aria-label": "The wheel", key: "wheel" },
    h(
      "div",
      { class: "wheels" },
      shown
        .filter(([wheel]) => wheel)
        .map(([wheel, stop, title]) =>
          h(
            "figure",
            { key: wheel.name },
            title && h("figcaption", null, title),
            h("cf-wheel", { "prop:shown": { slices: wheel.slices, stop } }),
          ),
        ),
    ),
    h(
      "div",
      { role: "status" },
      h("p", { class: "wheel-stop" }, stopText(spun, shown)),
      h("p", { class: "wheel-text" }, sentence(spun.tells)),
    ),
    h(
      "p",
      { class: "quiet" },
      eligible.length ? `Seats with this wager: ${eligible.join(", ")}. ` : "",
      wheels[0]?.illustrative && "The weights of the stops are illustrative. No document prints them.",
    ),
    h(
      "div",
      { class: "buttons" },
      buttonNode([h("span", { class: "button-label" }, "Spin again"), h("kbd", { "aria-hidden": "true" }, "S")], () =>
        page.querySelectorAll("cf-wheel").forEach((wheel) => wheel.dispatchEvent(new Event("spin"))),
      ),
      buttonNode(
        [h("span", { class: "button-label" }, "Back to the table"), h("kbd", { "aria-hidden": "true" }, "Esc")],
        () => closeWheel(page),
        { class: "button main" },
      ),
    ),
  );
}

/**
 * The two rings of an Xtreme spin. Prizes depend on the stake: the community ring shows those of this player's stake.
 * @param {Page} page
 * @param {any[]} wheels
 * @returns {[any, number, string][]}
 */
function rings(page, wheels) {
  const { spun } = page.ui;
  const hot = spun.stakes[spun.hot_spot];
  const own = spun.stakes[ownSeat(page.state)?.number ?? 0] || hot;
  const ringOf = (/** @type {string} */ ring, /** @type {number | undefined} */ cents) =>
    wheels.find((wheel) => wheel.ring === ring && wheel.stake_cents === cents) ??
    wheels.find((wheel) => wheel.ring === ring);
  const whose = spun.hot_spot === ownSeat(page.state)?.number ? "your seat" : `seat ${spun.hot_spot}`;
  return [
    [ringOf("community", own), spun.community, "Community"],
    [ringOf("hot_spot", hot), spun.prize, `Hot spot: ${whose}`],
  ];
}

/** The stop and its prize as text. @param {any} spun @param {any[][]} shown */
function stopText(spun, shown) {
  if (spun.event !== "wheel_spun")
    return shown.map(([wheel, stop, title]) => `${title}: ${prizeText(wheel.slices[stop])}`).join(" · ");
  return `The wheel stops at ${spun.place}: ${spun.meter ? "the jackpot" : dollars(spun.prize_cents)}`;
}

/** @param {Slice} slice */
const prizeText = (slice) => (slice.pays_cents ? dollars(slice.pays_cents) : "the top prize");

/** @param {Page} page */
function closeWheel(page) {
  page.ui.spun = null;
  page.animator?.finishNow();
  page.show();
}
