// @ts-check
/**
 * The wheel, drawn stop by stop in the rulebook's order. It ends at the stop that the server drew. The page holds nothing
 * of the result before the wheel stops; then the stop is also shown as text.
 */

import { announce, buttonNode, buttonRow, draw, h, loadStylesheet, quietText } from "../shared/dom.js";
import { dollars, sentence } from "../shared/format.js";
import { motionAllowed } from "../shared/preferences.js";
import { playSound } from "./sound.js";
import { ownSeat } from "./state.js";

await loadStylesheet("table/wheel.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{pays_cents?: number | null, community?: number, position?: number}} Slice */
/** @typedef {{slices: Slice[], stop: number, stopped: boolean}} Shown */

const SPIN_MS = 5600;
const SPIN_TURNS = 6;
const SPIN_EASING = "cubic-bezier(.14,.62,.12,1)";
/** Stops from which on the labels are small. */
const MANY_STOPS = 17;
const RIM_LIGHTS = 24;

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
const isTop = (slice) => slice.pays_cents === undefined || slice.pays_cents === null;

/** @param {number} turn part of a full turn @param {number} radius @returns {[number, number]} */
const point = (turn, radius) => [
  200 + radius * Math.sin(turn * 2 * Math.PI),
  200 - radius * Math.cos(turn * 2 * Math.PI),
];

export class Wheel extends HTMLElement {
  /** @type {Shown | null} */
  #shown = null;

  /** @param {Shown} shown */
  set shown(shown) {
    const { slices, stop, stopped } = this.#shown ?? {};
    if (slices === shown.slices && stop === shown.stop && stopped === shown.stopped) return;
    this.#shown = shown;
    if (this.isConnected) this.show();
  }

  connectedCallback() {
    this.show();
    this.addEventListener("spin", () => this.spin());
  }

  get order() {
    return faceOrder(this.#shown?.slices ?? []);
  }

  /** The angle that brings the stop to the pointer. */
  get endAngle() {
    const { order } = this;
    const place = order.findIndex(({ index }) => index === this.#shown?.stop);
    return -(360 * (place + 0.5)) / Math.max(1, order.length);
  }

  show() {
    const { order } = this;
    const count = Math.max(1, order.length);
    const angle = this.#shown?.stopped ? this.endAngle : 0;
    draw(
      this,
      h(
        "svg",
        { viewBox: "0 0 400 424", role: "img", "aria-label": `A wheel of ${count} stops` },
        GRADIENTS,
        h("ellipse", { cx: 200, cy: 226, rx: 190, ry: 192, class: "wheel-shadow" }),
        h("circle", { cx: 200, cy: 212, r: 198, class: "wheel-rim" }),
        h("circle", { cx: 200, cy: 212, r: 184, class: "wheel-bed" }),
        Array.from({ length: RIM_LIGHTS }, (_, at) => rimLight(at / RIM_LIGHTS)),
        h(
          "g",
          { transform: "translate(0 12)" },
          h(
            "g",
            { class: "wheel-face", transform: `rotate(${angle})` },
            order.map(({ slice, index }, at) => this.slice(slice, index, at, count)),
            order.map((_, at) => peg(at / count)),
          ),
          h("circle", { cx: 200, cy: 200, r: 180, class: "wheel-light" }),
          h("circle", { cx: 200, cy: 200, r: 44, class: "wheel-hub" }),
          h("use", { href: "#mark", x: 178, y: 178, width: 44, height: 44, class: "wheel-mark" }),
        ),
        h("path", { d: "M200 46 184 4q16 -8 32 0Z", class: "wheel-pointer" }),
      ),
    );
  }

  /** @param {Slice} slice @param {number} index @param {number} at @param {number} count */
  slice(slice, index, at, count) {
    const [x1, y1] = point(at / count, 180);
    const [x2, y2] = point((at + 1) / count, 180);
    const middle = ((at + 0.5) / count) * 360;
    const kind = isTop(slice) ? "top" : slice.community ? "shared" : at % 2 ? "dark" : "light";
    const many = count >= MANY_STOPS;
    return h(
      "g",
      { key: index, "data-index": index, class: `slice slice-${kind}` },
      h("path", { d: `M200 200 L${x1} ${y1} A180 180 0 0 1 ${x2} ${y2}Z` }),
      // The label begins inside the rim and reads towards the hub, however long the amount is.
      h(
        "text",
        {
          x: 200,
          y: 36,
          transform: `rotate(${middle} 200 200) rotate(90 200 36)`,
          dy: many ? 4 : 7,
          class: `slice-text${many ? " slice-text-small" : ""}`,
        },
        isTop(slice) ? (many ? "TOP" : "TOP PRIZE") : dollars(slice.pays_cents ?? 0),
      ),
    );
  }

  /** Spins to the stop; the pointer ticks at each peg. @returns {Animation | undefined} */
  spin() {
    const face = this.querySelector(".wheel-face");
    if (!face) return undefined;
    const end = this.endAngle;
    const start = this.#shown?.stopped ? end - 360 * SPIN_TURNS : 0;
    const to = this.#shown?.stopped ? end : end + 360 * SPIN_TURNS;
    const spin = face.animate([{ transform: `rotate(${start}deg)` }, { transform: `rotate(${to}deg)` }], {
      duration: SPIN_MS,
      easing: SPIN_EASING,
      fill: "forwards",
    });
    this.tickAtPegs(spin, start, to);
    spin.finished.then(
      () => this.isConnected && this.#shown?.stopped && spin.cancel(),
      () => undefined,
    );
    return spin;
  }

  /** @param {Animation} spin @param {number} start degrees @param {number} to */
  tickAtPegs(spin, start, to) {
    const apart = 360 / Math.max(1, this.order.length);
    const pointer = this.querySelector(".wheel-pointer");
    let last = 0;
    const look = () => {
      const progress = spin.effect?.getComputedTiming().progress ?? 1;
      const pegs = Math.floor(((to - start) * progress) / apart);
      if (pegs !== last) {
        last = pegs;
        playSound("tick");
        pointer?.animate([{ transform: "rotate(13deg)" }, { transform: "none" }], {
          duration: 130,
          easing: "ease-out",
        });
      }
      if (spin.playState === "running" && this.isConnected) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }
}

/** @param {number} turn */
function peg(turn) {
  const [cx, cy] = point(turn, 175);
  return h("circle", { cx, cy, r: 4.5, class: "wheel-peg" });
}

/** @param {number} turn */
function rimLight(turn) {
  const [cx, cy] = point(turn, 191);
  return h("circle", { cx, cy: cy + 12, r: 3, class: "wheel-bulb" });
}

/** The light of rim, slices and hub. */
const GRADIENTS = h(
  "defs",
  null,
  h(
    "linearGradient",
    { id: "wheel-rim", x1: 0, y1: 0, x2: 0.4, y2: 1 },
    stop(0, "#f6dd9a"),
    stop(0.35, "#8d5a24"),
    stop(0.7, "#4d2c10"),
    stop(1, "#b9843a"),
  ),
  sliceGradient("light-slice", "#cdb47c", "#fff3d2"),
  sliceGradient("dark", "#5e0d18", "#c22638"),
  sliceGradient("shared", "#0b3a27", "#23895d"),
  sliceGradient("top", "#a8720f", "#ffd75e"),
  h(
    "radialGradient",
    { id: "wheel-light", cx: 0.34, cy: 0.2, r: 0.95 },
    h("stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.42 }),
    h("stop", { offset: 0.45, "stop-color": "#fff", "stop-opacity": 0 }),
    h("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0.38 }),
  ),
  h("radialGradient", { id: "wheel-hub", cx: 0.36, cy: 0.28, r: 0.9 }, stop(0, "#8a5a2c"), stop(1, "#1f1006")),
);

/** @param {number} offset @param {string} colour */
function stop(offset, colour) {
  return h("stop", { offset, "stop-color": colour });
}

/** @param {string} kind @param {string} hub the colour at the hub @param {string} rim */
function sliceGradient(kind, hub, rim) {
  const at = { id: `wheel-${kind}`, gradientUnits: "userSpaceOnUse", cx: 200, cy: 200, r: 180 };
  return h("radialGradient", at, stop(0.2, hub), stop(1, rim));
}

customElements.define("cf-wheel", Wheel);

// --- the dialog -------------------------------------------------------------------------------------------------------

/** The wheel dialog: the wheel, and after its stop the result as text and the eligible seats. @param {Page} page */
export function wheelSheet(page) {
  const { spun } = page.ui;
  const { game } = page.state;
  const wheels = game.wheels.filter((/** @type {any} */ wheel) => wheel.wager === spun.wager);
  const shown =
    spun.event === "wheel_spun"
      ? [[wheels.find((/** @type {any} */ wheel) => wheel.name === spun.wheel) ?? wheels[0], spun.index, ""]]
      : rings(page, wheels);
  return h(
    "div",
    { class: "wheel-sheet", role: "dialog", "aria-modal": "false", "aria-label": "The wheel", key: "wheel" },
    spun.trial && h("p", { class: "wheel-trial" }, "A trial spin. No money is staked, and none is won."),
    h(
      "div",
      { class: `wheels${spun.stopped ? " stopped" : ""}` },
      shown
        .filter(([wheel]) => wheel)
        .map(([wheel, stop, title]) =>
          h(
            "figure",
            { key: wheel.name },
            title && h("figcaption", null, title),
            h("cf-wheel", { "prop:shown": { slices: wheel.slices, stop, stopped: spun.stopped } }),
          ),
        ),
    ),
    h(
      "div",
      { class: "wheel-result" },
      h("p", { class: "wheel-stop" }, spun.stopped ? stopText(spun, shown) : "The wheel spins"),
      h(
        "p",
        { class: "wheel-text" },
        spun.stopped && spun.tells ? sentence(spun.tells) : triggerText(game, spun.wager),
      ),
    ),
    quietText(
      eligibleText(page, spun.stakes),
      wheels[0]?.illustrative && "The weights of the stops are illustrative. No document prints them.",
    ),
    buttonRow(sheetButtons(page)),
  );
}

/** @param {Page} page */
function sheetButtons(page) {
  const { spun } = page.ui;
  const button = (
    /** @type {string} */ label,
    /** @type {string} */ key,
    /** @type {() => unknown} */ go,
    main = false,
  ) =>
    buttonNode([h("span", { class: "button-label" }, label), h("kbd", { "aria-hidden": "true" }, key)], go, {
      key: label,
      class: `button${main ? " main" : ""}`,
    });
  if (!spun.stopped) return button("Skip", "Space", () => closeWheel(page), true);
  return [
    spun.trial
      ? button("Spin again", "S", () => void tryWheel(page, spun.wheel))
      : button("Watch again", "S", () => spinAgain(page)),
    button("Back to the table", "Esc", () => closeWheel(page), true),
  ];
}

/** Spins once more: a new trial, or the same result again. @param {Page} page */
export function spinAgain(page) {
  const { spun } = page.ui;
  if (!spun?.stopped) return;
  if (spun.trial) void tryWheel(page, spun.wheel);
  else page.querySelectorAll("cf-wheel").forEach((wheel) => wheel.dispatchEvent(new Event("spin")));
}

/** @param {Page} page @param {Record<string, number>} stakes */
function eligibleText(page, stakes) {
  const seats = Object.keys(stakes)
    .filter((seat) => stakes[seat])
    .map((seat) => (Number(seat) === ownSeat(page.state)?.number ? "you" : `seat ${seat}`));
  return seats.length ? `Seats with this wager: ${seats.join(", ")}. ` : "";
}

/** The event that spins the wheels of a wager. @param {any} game @param {string} wager */
const triggerText = (game, wager) =>
  game.posted.spins.find((/** @type {any} */ spin) => spin.wager === wager)?.trigger ?? "";

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
  const [[wheel, stop]] = shown;
  const slice = wheel.slices[stop];
  const prize = spun.trial ? prizeText(slice) : spun.meter ? "the jackpot" : dollars(spun.prize_cents);
  return `The wheel stops on ${prize} (stop ${spun.trial ? (slice.position ?? stop) : spun.place})`;
}

/** @param {Slice} slice */
const prizeText = (slice) => (slice.pays_cents ? dollars(slice.pays_cents) : "the top prize");

/** Closes the dialog; while the wheel spins, shows its stop first. @param {Page} page */
export function closeWheel(page) {
  const { spun } = page.ui;
  if (spun && !spun.stopped && !spun.trial) page.animator?.finishNow();
  else if (spun && !spun.stopped)
    page
      .querySelector(".wheel-face")
      ?.getAnimations()
      .forEach((spin) => spin.finish());
  else {
    page.ui.spun = null;
    page.show();
  }
}

/** Spins a wheel without money, by the weights of its stops. @param {Page} page @param {string} name */
export async function tryWheel(page, name) {
  const wheel = page.state.game.wheels.find((/** @type {any} */ one) => one.name === name);
  if (!wheel) return;
  const trial = {
    event: "wheel_spun",
    trial: true,
    wheel: name,
    wager: wheel.wager,
    index: drawStop(wheel.weights),
    stakes: {},
    stopped: false,
  };
  page.ui.spun = trial;
  page.show();
  const element = /** @type {Wheel | null} */ (page.querySelector("cf-wheel"));
  if (motionAllowed()) await element?.spin()?.finished;
  if (page.ui.spun !== trial) return;
  page.ui.spun = { ...trial, stopped: true };
  page.show();
  announce(`Trial spin. ${stopText(page.ui.spun, [[wheel, trial.index, ""]])}.`);
}

/** @param {number[]} weights */
function drawStop(weights) {
  let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
  return weights.findIndex((weight) => (left -= weight) < 0);
}
