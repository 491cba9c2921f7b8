// @ts-check
/** Chips as SVG: `<cf-chips cents="3500">` is a stack with its amount, `chipFace` one chip for the rack. */

import { draw, h } from "./dom.js";
import { dollars } from "./format.js";

/** @typedef {{cents: number, text: string, name: string}} Chip */

/** @type {Chip[]} */
export const CHIPS = [
  { cents: 100, text: "1", name: "ivory" },
  { cents: 500, text: "5", name: "red" },
  { cents: 2500, text: "25", name: "green" },
  { cents: 10000, text: "100", name: "black" },
  { cents: 50000, text: "500", name: "purple" },
];
const TALLEST_STACK = 5;
const CHIP_HEIGHT = 7;
/** The class of a text on a chip by its length. @type {Record<number, string>} */
const TEXT_SIZES = { 1: "", 2: "", 3: " chip-long" };

/** Returns the chips that make an amount, largest first. @param {number} cents @returns {Chip[]} */
function chipsFor(cents) {
  const stack = [];
  for (const chip of [...CHIPS].reverse()) {
    for (; cents >= chip.cents; cents -= chip.cents) stack.push(chip);
  }
  return stack;
}

/** One chip seen from above, 100 by 100. @param {Chip} chip @param {number} [y] @param {string} [text] */
function disc(chip, y = 0, text = chip.text) {
  return h(
    "g",
    { class: `chip chip-${chip.name}`, transform: y ? `translate(0 ${y})` : undefined },
    h("circle", { cx: 50, cy: 53.5, r: 46, class: "chip-side" }),
    h("circle", { cx: 50, cy: 50, r: 46, class: "chip-body" }),
    h("circle", {
      cx: 50,
      cy: 50,
      r: 39.5,
      class: "chip-spots",
      "stroke-dasharray": "20.680 20.680",
      "stroke-dashoffset": "10",
    }),
    h("circle", { cx: 50, cy: 50, r: 31, class: "chip-ring" }),
    text &&
      h(
        "text",
        { x: 50, y: 61, class: `chip-text${TEXT_SIZES[text.length] ?? " chip-longest"}`, "text-anchor": "middle" },
        text,
      ),
    h("circle", { cx: 50, cy: 50, r: 46, fill: "url(#chip-light)" }),
  );
}

/** @param {Chip} chip */
export function chipFace(chip) {
  return h("svg", { viewBox: "0 0 100 104", "aria-hidden": "true", class: "chip-face" }, disc(chip));
}

/** A pile of chips of one value, to be counted. @param {{cents: number, count: number, colour: string}} pile */
export function pileNode({ cents, count, colour }) {
  const chip = { cents, text: cents < 100 ? `${cents}¢` : String(cents / 100), name: colour };
  const shown = Math.min(count, TALLEST_STACK);
  const room = CHIP_HEIGHT * (TALLEST_STACK - 1);
  return h(
    "span",
    { key: cents, class: "chip-pile", role: "img", "aria-label": `${count} of ${dollars(cents)}` },
    h(
      "svg",
      { viewBox: `0 ${-room} 100 ${104 + room}`, "aria-hidden": "true" },
      Array.from({ length: shown }, (_, height) =>
        disc(chip, -CHIP_HEIGHT * height, height === shown - 1 ? chip.text : ""),
      ),
    ),
    count > 1 && h("span", { class: "pile-count", "aria-hidden": "true" }, `×${count}`),
  );
}

class Chips extends HTMLElement {
  static observedAttributes = ["cents"];

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  show() {
    const cents = Number(this.getAttribute("cents") ?? 0);
    const whole = chipsFor(cents);
    const stack = whole.slice(0, TALLEST_STACK).reverse();
    const room = CHIP_HEIGHT * (TALLEST_STACK - 1);
    // The top chip of a stack bears the whole amount, so that no second figure has to stand beside it.
    const sum = dollars(cents).slice(1);
    draw(
      this,
      stack.length > 0 &&
        h(
          "svg",
          { viewBox: `0 ${-room} 100 ${104 + room}`, "aria-hidden": "true" },
          stack.map((chip, height) => disc(chip, -CHIP_HEIGHT * height, height === stack.length - 1 ? sum : "")),
        ),
    );
  }
}

customElements.define("cf-chips", Chips);

/** @param {number} cents @param {Record<string, any>} [props] */
export const chipsNode = (cents, props) => h("cf-chips", { cents, ...props });
