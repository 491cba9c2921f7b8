// @ts-check
/** One question of the trainer: the cloth, the answer controls and the verdict. */

import { cardNode } from "../shared/card.js";
import { pileNode } from "../shared/chips.js";
import { buttonNode, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, cardName, cardSymbol, dollars, withStop } from "../shared/format.js";

// The cloth has the colours of the tables' felt.
await loadStylesheet("table/felt.css");

/** @typedef {import("./trainer.js").Trainer} Trainer */

const MANY = 2;
const SHORT = 18;
/** Several cards in a sentence, in the notation of files. */
const CARDS = /\b(?:[2-9TJQKA][shdc]|Jk)(?: (?:[2-9TJQKA][shdc]|Jk)\b)+/g;

/** Returns a sentence with suit symbols. @param {string} text */
const withCardSymbols = (text) => text.replace(CARDS, (cards) => cards.split(" ").map(cardSymbol).join(" "));

/** The cards, chips and notes on the cloth. @param {any} posed */
export function clothNode(posed) {
  const cards = posed.shown.filter((/** @type {any} */ item) => item.type === "cards");
  // The answer controls show the hand to pick from.
  const crosses = cards.filter((/** @type {any} */ item) => item.shape === "cross");
  const hands = cards.filter((/** @type {any} */ item) => item.shape !== "cross" && posed.answer.type !== "pick");
  const chips = posed.shown.filter((/** @type {any} */ item) => item.type === "chips");
  const notes = posed.shown.filter((/** @type {any} */ item) => item.type === "note");
  if (!hands.length && !chips.length && !crosses.length && !notes.length) return null;
  return h(
    "div",
    { key: "cloth", class: `cloth tint-${posed.tint}${hands.length > MANY ? " cloth-many" : ""}` },
    notes.map((/** @type {any} */ note, /** @type {number} */ at) =>
      h("p", { key: `note${at}`, class: "cloth-note" }, withCardSymbols(note.text)),
    ),
    crosses.map(crossNode),
    hands.length > 0 &&
      h(
        "div",
        { key: "hands", class: "cloth-hands" },
        hands.map((/** @type {any} */ hand) =>
          h(
            "figure",
            { key: hand.place, class: "cloth-hand" },
            h("figcaption", null, hand.label),
            h(
              "div",
              { class: "cloth-cards" },
              hand.cards.map((/** @type {string} */ card, /** @type {number} */ at) => cardNode(card, { key: at })),
            ),
          ),
        ),
      ),
    chips.length > 0 && chipsNode(chips),
  );
}

/** A cross as the players see it; its cards begin at the far end from the dealer. @param {any} item */
const crossNode = (item) =>
  h(
    "div",
    { key: item.place, class: "cross" },
    item.cards.map((/** @type {string} */ card, /** @type {number} */ at) =>
      h("div", { key: at, class: `box box-${at + 1}` }, cardNode(card)),
    ),
  );

/** Stakes as piles of chips. @param {any[]} chips */
function chipsNode(chips) {
  const seats = new Set(chips.map((item) => item.seat));
  return h(
    "ul",
    { key: "chips", class: "stakes" },
    chips.map((item, at) =>
      h(
        "li",
        { key: at, class: "stake" },
        h(
          "span",
          { class: "stake-name" },
          seats.size > 1 && item.seat ? `Seat ${item.seat}: ${item.label}` : item.label,
        ),
        h("span", { class: "piles" }, item.chips.map(pileNode)),
        h("strong", null, dollars(item.cents)),
      ),
    ),
  );
}

/** The answer controls. @param {Trainer} page */
export function answerNode(page) {
  const { answer } = page.posed;
  if (answer.type === "choose") return chooseNode(page, answer.options);
  if (answer.type === "amount") return amountNode(page);
  return answer.type === "arrange" ? arrangeNode(page, answer.items) : pickNode(page, answer);
}

/** One press answers; a digit only marks, since it may be the first of two. @param {Trainer} page @param {string[]} options */
function chooseNode(page, options) {
  const { verdict, draft } = page;
  const right = new Set(verdict?.answers ?? []);
  return h(
    "div",
    {
      class: options.every((option) => option.length <= SHORT) ? "choices short" : "choices",
      role: "group",
      "aria-labelledby": "asks",
    },
    options.map((option, at) => {
      const number = at + 1;
      const state = !verdict
        ? ""
        : right.has(String(number))
          ? "is-right"
          : verdict.given === String(number)
            ? "is-wrong"
            : "";
      return buttonNode(
        [h("kbd", { "aria-hidden": "true" }, number), h("span", null, capital(option)), markNode(state)],
        () => void page.answer(String(number)),
        {
          key: number,
          class: `choice ${state}`,
          disabled: Boolean(verdict) || page.busy,
          "aria-pressed": String(draft.chosen === number),
        },
      );
    }),
  );
}

/** @param {string} state */
const markNode = (state) =>
  state &&
  h(
    "span",
    { class: "mark-sign" },
    state === "is-right" ? "✓" : "✗",
    h("span", { class: "mark-text" }, state === "is-right" ? " right" : " your answer"),
  );

/** @param {Trainer} page */
function amountNode(page) {
  return h(
    "div",
    { class: "amount" },
    h("label", { for: "amount" }, "Amount in dollars"),
    h(
      "span",
      { class: "amount-box" },
      h("span", { "aria-hidden": "true" }, "$"),
      h("input", {
        id: "amount",
        type: "text",
        inputmode: "decimal",
        autocomplete: "off",
        maxlength: 20,
        "aria-describedby": "asks",
        "prop:value": page.draft.amount,
        readonly: Boolean(page.verdict),
        oninput: (/** @type {any} */ event) => page.type(event.target.value),
      }),
    ),
    !page.verdict && h("span", { class: "quiet" }, "For example 175 or 17.50. Enter 0 if nothing is paid."),
  );
}

/** Items to press in order; a second press removes an item. @param {Trainer} page @param {string[]} items */
function arrangeNode(page, items) {
  const { order } = page.draft;
  const right = page.verdict?.answers[0].split(" ").map(Number);
  /** @type {number[]} */
  const shown = right ?? items.map((_, at) => at + 1);
  return h(
    "div",
    { class: "arrange", role: "group", "aria-labelledby": "asks" },
    quietText(
      right ? "The right order:" : "Press the items in order, first to last. Press an item again to remove it.",
    ),
    shown.map((number, at) => {
      const place = order.indexOf(number) + 1;
      const state = !right ? "" : place === at + 1 ? "is-right" : "is-wrong";
      return buttonNode(
        [
          h(
            "span",
            { class: place || right ? "order-number" : "order-number free", "aria-hidden": "true" },
            right ? at + 1 : place || "",
          ),
          h(
            "span",
            null,
            h("span", { class: "sr" }, right ? `${at + 1}: ` : place ? `Number ${place}: ` : ""),
            capital(items[number - 1]),
          ),
          right
            ? h("span", { class: "mark-sign" }, state === "is-right" ? "✓" : place ? `✗ your place: ${place}` : "✗")
            : h("kbd", { "aria-hidden": "true" }, number),
        ],
        () => page.place(number),
        { key: number, class: `choice ${state}`, disabled: Boolean(right), "aria-pressed": String(place > 0) },
      );
    }),
  );
}

/** @param {Trainer} page @param {{cards: string[], count: number}} answer */
function pickNode(page, { cards, count }) {
  const right = page.verdict?.answers[0].split(" ");
  return h(
    "div",
    { class: `cloth tint-${page.posed.tint} pick`, role: "group", "aria-labelledby": "asks" },
    h(
      "p",
      { class: "cloth-note" },
      right ? `Low hand: ${right.map(cardName).join(" and ")}` : `Pick ${count} cards for the low hand.`,
    ),
    h(
      "div",
      { class: "cloth-cards" },
      cards.map((card, at) =>
        buttonNode([cardNode(card), h("kbd", { "aria-hidden": "true" }, at + 1)], () => page.pick(card), {
          key: card,
          class: `pick-card ${right?.includes(card) ? "is-right" : ""}`,
          disabled: Boolean(right),
          "aria-pressed": String((right ?? page.draft.picked).includes(card)),
          "aria-label": cardName(card),
        }),
      ),
    ),
  );
}

/** The verdict with its reason and clauses. @param {Trainer} page */
export function verdictNode(page) {
  const { verdict } = page;
  if (!verdict) return null;
  const { explanation: why, pace } = verdict;
  const ordered = ["arrange", "pick"].includes(page.posed.answer.type);
  return h(
    "section",
    {
      key: "verdict",
      class: `verdict ${verdict.right ? "is-right" : "is-wrong"}`,
      "aria-label": "Right answer and reason",
    },
    h(
      "p",
      { class: "verdict-line" },
      h("strong", null, verdict.right ? "Right." : verdict.given === null ? "Missed." : "Wrong."),
      !verdict.right && !ordered && ` The answer is ${withStop(verdict.words)}`,
    ),
    pace &&
      h(
        "p",
        { class: `pace ${pace.in_pace ? "up" : "down"}` },
        `You took ${(pace.millis / 1000).toFixed(1)} seconds. The target is ${pace.seconds} seconds.`,
      ),
    h("p", null, withCardSymbols(why.text)),
    (why.clauses ?? []).map((/** @type {any} */ clause) =>
      h(
        "p",
        { key: clause.id, class: "law" },
        h("strong", null, clause.id),
        h("span", { class: "citation" }, clause.citation),
        clause.says,
      ),
    ),
    (why.readings ?? []).map((/** @type {any} */ reading) =>
      h(
        "p",
        { key: reading.id, class: "law" },
        h("strong", null, reading.id),
        h("span", { class: "citation" }, "adopted reading"),
        reading.says,
      ),
    ),
    why.house_rule && h("p", { class: "law" }, h("strong", null, "House rule"), why.house_rule),
    why.illustrative && quietText("The amount is illustrative. No document prints it."),
    !verdict.right && quietText("This question returns after a few others."),
  );
}
