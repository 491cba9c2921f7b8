// @ts-check
/** The grid of best play for the 169 starting hands: each cell has its choice and value, and explains itself when pressed. */

import { h, loadStylesheet } from "./dom.js";
import { choiceText, capital } from "./format.js";

await loadStylesheet("shared/strategy_grid.css");

/** @typedef {{shares: Record<string, number>, value: number, says: string}} Cell */
/**
 * @typedef {{cells: Record<string, Cell>, own?: string, chosen: string, choose: (hand: string) => void, notes?: Map<string, string>, caption: string}} Grid
 * `own` is the player's hand, `chosen` the explained one; `notes` are more words about marked cells
 */

const RANKS = [..."AKQJT98765432"];
export const FOLD = "fold";

/** Returns the hand of a cell: suited above the diagonal, offsuit below. @param {number} row @param {number} column */
function handAt(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high === low ? high + low : `${high}${low}${column > row ? "s" : "o"}`;
}

/** @param {Grid} grid */
export function strategyGrid(grid) {
  const { cells, notes, caption } = grid;
  const chosen = cells[grid.chosen] ? grid.chosen : (grid.own ?? "AA");
  return h(
    "div",
    { class: "grid-fit" },
    h(
      "table",
      { class: "chart", onkeydown: (/** @type {KeyboardEvent} */ event) => move(event, grid) },
      h("caption", { class: "sr" }, caption),
      h(
        "tbody",
        null,
        RANKS.map((rank, row) =>
          h(
            "tr",
            { key: rank },
            RANKS.map((_, column) => {
              const hand = handAt(row, column);
              return cells[hand] ? cellNode(grid, hand, hand === chosen) : h("td", { key: hand });
            }),
          ),
        ),
      ),
    ),
    legend(cells),
    h(
      "p",
      { class: "cell-says", role: "status" },
      h("strong", null, handText(chosen), chosen === grid.own && ", your hand"),
      `: ${cells[chosen]?.says ?? ""}${notes?.has(chosen) ? ` ${capital(notes.get(chosen) ?? "")}.` : ""}`,
    ),
  );
}

/** @param {Grid} grid @param {string} hand @param {boolean} chosen */
function cellNode({ cells, own, choose, notes }, hand, chosen) {
  const { shares, value } = cells[hand];
  const best = mostFrequent(shares);
  const mixed = shares[best] < 1;
  const note = notes?.get(hand);
  const marks = [mixed ? "mix-share" : `mix-${best}`, hand === own && "own", note && "moved"].filter(Boolean);
  return h(
    "td",
    {
      key: hand,
      class: marks.join(" "),
      style: { "--fold": `${Math.round(100 * (shares[FOLD] ?? 0))}%` },
      title: [`${hand}: ${sharesText(shares)}`, note].filter(Boolean).join("\n"),
    },
    h(
      "button",
      {
        type: "button",
        tabindex: chosen ? 0 : -1,
        "data-hand": hand,
        "aria-pressed": String(chosen),
        onclick: () => choose(hand),
      },
      h("span", null, hand),
      h("b", null, letters(shares)),
      h("small", null, valueText(value)),
      hand === own && h("span", { class: "sr" }, "your hand"),
    ),
  );
}

/** @param {string} choice */
const letter = (choice) => choice[0].toUpperCase();

/** The choice of a cell; with several, how often folding is best. @param {Record<string, number>} shares */
function letters(shares) {
  const choices = Object.keys(shares);
  if (choices.length > 1 && shares[FOLD]) return `${Math.round(100 * shares[FOLD])}%`;
  return choices.map(letter).sort().join("/");
}

/** A value in antes that fits a cell. @param {number} value */
function valueText(value) {
  const size = Math.abs(value);
  return `${value < 0 ? "−" : "+"}${size < 9.95 ? size.toFixed(1) : Math.round(size)}`;
}

/** @param {string} hand */
const handText = (hand) => hand.replace("s", " suited").replace("o", " offsuit");

/** Moves to the next cell with the arrow keys. @param {KeyboardEvent} event @param {Grid} grid */
function move(event, grid) {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
  const cell = /** @type {HTMLElement} */ (event.target).closest("td");
  const row = cell?.closest("tr");
  if (!step || !cell || !row) return;
  const at = Math.min(12, Math.max(0, row.rowIndex + step[0]));
  const to = Math.min(12, Math.max(0, cell.cellIndex + step[1]));
  const next = /** @type {HTMLElement | null} */ (
    row.parentElement?.children[at]?.children[to]?.querySelector("button")
  );
  event.preventDefault();
  event.stopPropagation();
  if (!next) return;
  grid.choose(next.dataset.hand ?? "");
  next.focus();
}

/** Returns the choice that is best most often. @param {Record<string, number>} shares */
export const mostFrequent = (shares) =>
  Object.keys(shares).reduce((best, choice) => (shares[choice] > shares[best] ? choice : best));

/** @param {Record<string, number>} shares */
export const sharesText = (shares) =>
  Object.entries(shares)
    .map(([choice, share]) => (share === 1 ? choiceText(choice) : `${choiceText(choice)} ${Math.round(100 * share)} %`))
    .join(", ");

/** @param {Record<string, Cell>} cells */
function legend(cells) {
  /** @type {Record<string, number>} */
  const counts = {};
  let mixed = 0;
  for (const { shares } of Object.values(cells)) {
    const best = mostFrequent(shares);
    if (shares[best] < 1) mixed += 1;
    else counts[best] = (counts[best] ?? 0) + 1;
  }
  return h(
    "ul",
    { class: "legend" },
    Object.entries(counts).map(([choice, count]) =>
      h(
        "li",
        { key: choice },
        h("i", { class: `mix-${choice}` }),
        `${choiceText(choice)}: ${count} ${count === 1 ? "hand" : "hands"}`,
      ),
    ),
    mixed > 0 &&
      h(
        "li",
        { key: "mixed" },
        h("i", { class: "mix-share" }),
        `${mixed} by suits and open cards; a percentage is how often folding is best`,
      ),
  );
}
