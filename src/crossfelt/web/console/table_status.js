// @ts-check
/** The state of a table for the floor: decks and their age, stub, devices, tray. */

import { fact, h } from "../shared/dom.js";
import { capital, clock, dollars, plain, timeText } from "../shared/format.js";

/** @param {any} table @param {number} now */
export function tableFacts(table, now) {
  return h(
    "dl",
    { class: "facts floor-facts" },
    fact("Round", table.round ? `${table.round}, ${table.doing}` : table.doing),
    fact("Tray", [dollars(table.tray_cents), table.halted && h("span", { class: "tag bad" }, "a fill is due")]),
    table.decks.map((/** @type {any} */ deck) => fact(`Deck ${deck.id}`, deckText(deck, table, now))),
    fact("Stub", [
      table.count_due
        ? h("span", { class: "tag bad" }, "count due this round")
        : `counted every ${table.count_every} rounds; ${Math.max(0, table.rounds_since_count - 1)} since the last count`,
    ]),
    Object.entries(table.devices).map(([device, state]) =>
      fact(
        capital(plain(device)),
        h("span", { class: `tag ${state === "in_use" ? "good" : "bad"}` }, plain(String(state))),
      ),
    ),
    fact("Dealing", `${plain(table.dealing)}, shuffled by ${table.shuffling === "device" ? "device" : "hand"}`),
    table.papers.length > 0 && fact("Documents", h("span", { class: "tag bad" }, `seat ${table.papers.join(", ")}`)),
  );
}

/** The check of the fittings, and each deck with its life, the latest first. @param {any} records */
export function recordFacts(records) {
  const { fittings: found, decks } = records;
  const places = found && [
    ...found.items.map(plain),
    found.variance && `elsewhere: ${found.variance}`,
    found.shoe && `shoe ${found.shoe} ${found.shoe_place}`,
    found.shuffler && `shuffler ${found.shuffler} ${found.shuffler_place}`,
  ];
  return h(
    "dl",
    { class: "facts floor-facts" },
    fact(
      "Fittings",
      found
        ? `${places.filter(Boolean).join(", ")}; checked by ${found.by}, ${timeText(found.at)}`
        : h("span", { class: "tag bad" }, "not checked"),
    ),
    [...decks].reverse().map((deck) => fact(`Deck ${deck.id}`, deckLife(deck))),
  );
}

/** @param {any} deck */
function deckLife(deck) {
  const acts = [...deck.life, ...(deck.last ?? [])];
  return h(
    "details",
    { class: "folded" },
    h(
      "summary",
      null,
      [
        `${deck.back} backs`,
        deck.cover && `${deck.cover} cover card`,
        deck.shuffles === 1 ? "1 shuffle" : `${deck.shuffles ?? 0} shuffles`,
      ]
        .filter(Boolean)
        .join(", "),
    ),
    h(
      "ul",
      null,
      acts.map(({ did, by, at, note }) =>
        h("li", { key: `${did} ${at}` }, `${capital(did)}${note ? ` (${note})` : ""}: ${by}, ${timeText(at)}`),
      ),
    ),
  );
}

/** @param {any} deck @param {any} table @param {number} now */
export function deckText(deck, table, now) {
  const age = deck.in_use_since ? `in use for ${clock(now - deck.in_use_since)}` : plain(deck.stage);
  const due = deck.change_due_at;
  return [
    `${deck.back}, ${age}${deck.id === table.in_play ? ", in play" : ""} `,
    due &&
      (due <= now
        ? h("span", { class: "tag bad" }, "change due")
        : h("span", { class: "quiet" }, `change in ${clock(due - now)}`)),
  ];
}
