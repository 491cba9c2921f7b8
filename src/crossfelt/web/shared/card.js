// @ts-check
/**
 * `<cf-card card="As" back="red">`: a playing card as SVG. The page never holds the face of a hidden card.
 */

import { draw, h } from "./dom.js";
import { cardName, HIDDEN, JOKER } from "./format.js";

/** Pip positions on a face of 100 by 140. @type {Record<string, string>} */
const PIPS = {
  A: "50,70",
  2: "50,30 50,110",
  3: "50,30 50,70 50,110",
  4: "33,30 67,30 33,110 67,110",
  5: "33,30 67,30 50,70 33,110 67,110",
  6: "33,30 67,30 33,70 67,70 33,110 67,110",
  7: "33,30 67,30 50,50 33,70 67,70 33,110 67,110",
  8: "33,30 67,30 50,50 33,70 67,70 50,90 33,110 67,110",
  9: "33,28 67,28 33,56 67,56 50,70 33,84 67,84 33,112 67,112",
  T: "33,28 67,28 50,42 33,56 67,56 33,84 67,84 50,98 33,112 67,112",
};

/** @param {string} suit @param {number} x centre @param {number} y @param {number} size @param {boolean} [turned] */
function pip(suit, x, y, size, turned) {
  const half = size / 2;
  return h("use", {
    href: `#suit-${suit}`,
    x: x - half,
    y: y - half,
    width: size,
    height: size,
    transform: turned ? `rotate(180 ${x} ${y})` : undefined,
  });
}

/** @param {string} rank @param {string} suit */
function corner(rank, suit) {
  const text = rank === "T" ? "10" : rank;
  return [
    h(
      "text",
      {
        x: 13,
        y: 23,
        class: "index",
        "text-anchor": "middle",
        textLength: rank === "T" ? 19 : undefined,
        lengthAdjust: "spacingAndGlyphs",
      },
      text,
    ),
    pip(suit, 13, 34, 14),
  ];
}

/** @param {string} rank @param {string} suit */
function court(rank, suit) {
  return [
    h("rect", { x: 25, y: 16, width: 50, height: 108, rx: 4, class: "court" }),
    h("path", { d: "M25 70 75 70M25 16 75 124M75 16 25 124", class: "weave" }),
    h("rect", { x: 31, y: 36, width: 38, height: 68, rx: 19, class: "medal" }),
    h("use", { href: "#crown", x: 38, y: 39, width: 24, height: 18 }),
    h("text", { x: 50, y: 88, class: "letter", "text-anchor": "middle" }, rank),
    pip(suit, 34, 26, 12),
    pip(suit, 66, 114, 12, true),
  ];
}

/** The traditional face, for large cards. @param {string} rank @param {string} suit */
function full(rank, suit) {
  const middle = "KQJ".includes(rank)
    ? court(rank, suit)
    : PIPS[rank]
        .split(" ")
        .map((place) => place.split(",").map(Number))
        .map(([x, y]) => pip(suit, x, y, rank === "A" ? 44 : 19, y > 70));
  return h(
    "g",
    { class: "full" },
    corner(rank, suit),
    h("g", { transform: "rotate(180 50 70)" }, corner(rank, suit)),
    middle,
  );
}

/** A large rank and suit, for small cards. @param {string} rank @param {string} suit */
function jumbo(rank, suit) {
  const text = rank === "T" ? "10" : rank;
  return h(
    "g",
    { class: "jumbo" },
    h(
      "text",
      {
        x: 50,
        y: 62,
        class: "jumbo-index",
        "text-anchor": "middle",
        textLength: rank === "T" ? 66 : undefined,
        lengthAdjust: "spacingAndGlyphs",
      },
      text,
    ),
    pip(suit, 50, 102, 52),
  );
}

/** @param {string} card */
function face(card) {
  const paper = h("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" });
  if (card === JOKER) {
    return [
      paper,
      h("use", { href: "#star", x: 24, y: 34, width: 52, height: 52, class: "star" }),
      h("text", { x: 50, y: 112, class: "joker", "text-anchor": "middle" }, "JOKER"),
    ];
  }
  return [paper, full(card[0], card[1]), jumbo(card[0], card[1])];
}

const BACK = [
  h("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "paper" }),
  h("rect", { x: 7, y: 7, width: 86, height: 126, rx: 6, class: "back" }),
  h("rect", { x: 7, y: 7, width: 86, height: 126, rx: 6, fill: "url(#lattice)" }),
  h("use", { href: "#mark", x: 32, y: 52, width: 36, height: 36, class: "back-mark" }),
];

class Card extends HTMLElement {
  static observedAttributes = ["card", "back"];

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  show() {
    const card = this.getAttribute("card") ?? HIDDEN;
    const down = card === HIDDEN;
    const suit = down || card === JOKER ? "joker" : card[1];
    draw(
      this,
      h(
        "svg",
        {
          viewBox: "0 0 100 140",
          role: "img",
          "aria-label": cardName(card),
          class: down ? `face-down back-${this.getAttribute("back") ?? "red"}` : `face suit-${suit}`,
        },
        down ? BACK : face(card),
      ),
    );
  }
}

customElements.define("cf-card", Card);

/** @param {string} card @param {Record<string, any>} [props] */
export const cardNode = (card, props) => h("cf-card", { card, ...props });
