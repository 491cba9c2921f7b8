// @ts-check
/** The page “How to play”, drawn from the server's text: sections with pictures, and what each bet does. Every page shares it. */

import { go } from "../main.js";
import { ensureAccount, request } from "../shared/api.js";
import { cardNode } from "../shared/card.js";
import { h, loadStylesheet } from "../shared/dom.js";
import { HIDDEN } from "../shared/format.js";

await loadStylesheet("lobby/how_to_play.css");

/** @typedef {{kind: string, caption: string, groups?: {shape: string, cards: string[], lit: boolean[]}[], own?: string[], high?: string[], low?: string[], rows?: any[][], lines?: [string, string][]}} Picture */
/** @typedef {{sections: {id: string, title: string, text: string[], pictures: Picture[]}[], bets: {id: string, title: string, required: boolean, when: string, text: string[]}[]}} HowToPlay */

/** Opens a lesson: a private table whose first deck is fixed. @param {string} rulebook */
export async function openLesson(rulebook) {
  await ensureAccount();
  const { id } = await request("/tables", "POST", { rulebook, lesson: true });
  go(`/table/${id}?sit`);
}

/** The sections, each with its pictures. @param {HowToPlay} text @param {string} [level] the tag of the headings */
export function howToPlay(text, level = "h3") {
  return h(
    "ol",
    { class: "how" },
    text.sections.map((section) =>
      h(
        "li",
        { key: section.id, class: `how-section how-${section.id}` },
        h(
          "div",
          { class: "how-text" },
          h(level, null, section.title),
          section.text.map((line, at) => h("p", { key: at }, line)),
        ),
        section.pictures.length > 0 &&
          h(
            "div",
            { class: "how-pictures" },
            section.pictures.map((picture, at) => pictureNode(picture, at)),
          ),
      ),
    ),
  );
}

/** The effect of each bet. @param {HowToPlay} text */
export function betTexts(text) {
  return h(
    "dl",
    { class: "bet-texts" },
    text.bets.map((bet) =>
      h(
        "div",
        { key: bet.id },
        h("dt", null, bet.title, h("small", null, ` ${bet.required ? "required" : bet.when.toLowerCase()}`)),
        h("dd", null, bet.text.join(" ")),
      ),
    ),
  );
}

/** @param {Picture} picture @param {number} key */
function pictureNode(picture, key) {
  /** @type {Record<string, (picture: Picture) => any>} */
  const kinds = { cards: cardsPicture, hands: handsPicture, bets: betsPicture, pays: paysPicture };
  return h(
    "figure",
    { key, class: `picture picture-${picture.kind}` },
    kinds[picture.kind]?.(picture),
    h("figcaption", null, picture.caption),
  );
}

/** @param {Picture} picture */
function cardsPicture({ groups = [], own = [] }) {
  return h(
    "div",
    { class: "mini-felt" },
    groups.map(({ shape, cards, lit }, number) =>
      h(
        "div",
        { key: number, class: shape === "cross" ? "mini-cross" : "mini-cards" },
        cards.map((card, at) =>
          h(
            "span",
            { key: at, class: `mini-${at + 1}${lit[at] ? " lit" : ""}` },
            cardNode(lit[at] ? card : HIDDEN, {}),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "mini-own" },
      own.map((card) => h("span", { key: card, class: "lit" }, cardNode(card, {}))),
      own.length > 0 && h("small", null, "yours"),
    ),
  );
}

/** @param {Picture} picture */
function handsPicture({ high = [], low = [] }) {
  return h(
    "div",
    { class: "mini-felt mini-hands" },
    [high, low].map((cards, at) =>
      h(
        "div",
        { key: at, class: "mini-own" },
        cards.map((card) => h("span", { key: card, class: "lit" }, cardNode(card, {}))),
      ),
    ),
  );
}

/** @param {Picture} picture */
function betsPicture({ rows = [] }) {
  return h(
    "div",
    { class: "mini-felt mini-bets" },
    rows.map((row, at) =>
      h(
        "div",
        { key: at, class: "mini-row" },
        row.map((area) =>
          h(
            "span",
            { key: area.id, class: `mini-area${area.required ? " lit" : ""}${area.opening ? "" : " later"}` },
            h("b", null, area.title),
            h("small", null, area.stake),
          ),
        ),
      ),
    ),
  );
}

/** @param {Picture} picture */
function paysPicture({ lines = [] }) {
  return h(
    "dl",
    { class: "mini-pays" },
    lines.map(([hand, pays]) =>
      h("div", { key: hand, class: pays === "push" ? "push" : "" }, h("dt", null, hand), h("dd", null, pays)),
    ),
  );
}
