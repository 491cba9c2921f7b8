// @ts-check
/** The result of a round. It stays on the felt until the player's next act: the sum, the hands, the cards that won. */

import { announce, h, loadStylesheet } from "../shared/dom.js";
import { capital, dollars, signed } from "../shared/format.js";
import { cardPlace } from "./places.js";
import { playSound } from "./sound.js";
import { netOf, ownSeat, wagerOf } from "./state.js";

await loadStylesheet("table/result.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {import("./state.js").State} State */

/** @param {number} net @returns {"won" | "lost" | "even"} */
const kindOf = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

/** @param {State} state @param {number} seat @returns {number} */
const netOfSeat = (state, seat) => netOf(state.round, seat);

/** Announces the result, with a sound for a win. @param {State} state @param {number} seat */
export function announceResult(state, seat) {
  const net = netOfSeat(state, seat);
  if (net > 0) playSound("win");
  announce(`${netText(net)}.`);
}

/** @param {number} net */
const netText = (net) =>
  net > 0 ? `You won ${dollars(net)}` : net < 0 ? `You lost ${dollars(-net)}` : "You broke even";

/** The sum and the hands, in the place of the status. @param {Page} page */
export function resultNodes(page) {
  const { state } = page;
  const seat = ownSeat(state);
  if (!seat) return null;
  const net = netOfSeat(state, seat.number);
  const hands = Object.entries(state.round.hands[seat.number] ?? {});
  return h(
    "div",
    { key: "result", class: `result result-${kindOf(net)}` },
    h("strong", { class: "result-sum" }, signed(net)),
    h(
      "span",
      { class: "result-words" },
      h("b", null, netText(net)),
      hands.length > 0 && h("span", null, handsText(state.game, hands)),
      page.ui.verdict && h("span", null, `Your last choice: ${page.ui.verdict.text}`),
    ),
  );
}

/** The hands by their titles; a single hand needs none. @param {any} game @param {[string, string][]} hands */
function handsText(game, hands) {
  const titles = Object.fromEntries(game.hands.map((/** @type {any} */ hand) => [hand.id, hand.title]));
  if (hands.length === 1) return capital(hands[0][1]);
  return hands.map(([id, name]) => `${(titles[id] ?? capital(id)).replace(/ hand$/, "")}: ${name}`).join(" · ");
}

/** The actions of the player at the result. @param {Record<string, number>} lastWagers @returns {import("./actions.js").Action[]} */
export function resultActions(lastWagers) {
  return [
    { id: "next", label: "Next hand", key: "Enter", keyLabel: "Enter", kind: "main" },
    {
      id: "again",
      label: "Same bets",
      note: "deals at once",
      key: "r",
      keyLabel: "R",
      kind: "plain",
      disabled: !Object.keys(lastWagers).length,
    },
  ];
}

/**
 * Returns the places of the cards that won: those of the lines on which a wager was paid. A wager without a line is paid
 * on the player's own cards.
 * @param {State} state
 * @param {number} seat
 * @returns {Set<string>}
 */
export function winningPlaces(state, seat) {
  const { game, round } = state;
  const hands = round.hands[seat] ?? {};
  const ownCards = (round.cards[seat] ?? []).map((_, at) => `seat${seat}-${at}`);
  /** @type {Set<string>} */
  const places = new Set();
  for (const { wager, result, hand } of Object.values(round.results[seat] ?? {})) {
    if (result !== "win") continue;
    const { lines: on } = wagerOf(state, wager);
    const paid = on.filter((/** @type {string} */ line) => on.length === 1 || hands[line] === hand);
    const lines = game.hands.filter((/** @type {any} */ one) => paid.includes(one.id));
    const cards = lines.flatMap((/** @type {any} */ one) =>
      one.places.map((/** @type {string} */ place) => cardPlace(game, place, seat)),
    );
    for (const place of cards.length ? cards : ownCards) places.add(place);
  }
  return places;
}

/** Lifts the cards that won, and dims the others, while the result stands. @param {Page} page */
export function markCards(page) {
  const seat = ownSeat(page.state);
  const won = page.ui.result && seat ? winningPlaces(page.state, seat.number) : new Set();
  for (const card of page.querySelectorAll("cf-card[data-place]")) {
    const place = card.getAttribute("data-place") ?? "";
    card.classList.toggle("lifted", won.has(place));
    card.classList.toggle("dimmed", won.size > 0 && !won.has(place));
  }
}
