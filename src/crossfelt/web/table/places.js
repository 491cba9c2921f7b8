// @ts-check
/** The groups of cards on the felt. Positions follow from a group's shape and the order of its places. */

import { plain } from "../shared/format.js";

/** @typedef {{id: string, owner: "dealer" | "community" | "seat", shape: string, places: string[], names: string[], labels: string[]}} Group */
/** @typedef {{id: string, title: string, places: string[], parts: string[], split: string | null}} FeltHand */

/** @param {any} game @param {Group["owner"]} owner @returns {Group[]} */
export const groupsOf = (game, owner) => game.groups.filter((/** @type {Group} */ group) => group.owner === owner);

/** Returns the places of an owner's cards, in the order of the deal. @param {any} game @param {Group["owner"]} owner */
export const placesOf = (game, owner) => groupsOf(game, owner).flatMap((group) => group.places);

/** Returns the hands that use a player's own cards and have fixed places. @param {any} game @returns {FeltHand[]} */
export function playersHands(game) {
  const own = new Set(placesOf(game, "seat"));
  return game.hands.filter((/** @type {FeltHand} */ hand) => hand.places.some((place) => own.has(place)));
}

/** The name of a place as the player sees it. @param {any} game @param {string} place */
export function placeName(game, place) {
  const group = game.groups.find((/** @type {Group} */ one) => one.places.includes(place));
  return group ? group.names[group.places.indexOf(place)] : plain(place);
}

/** The place of a card on the page; a seat's cards are numbered. @param {any} game @param {string} place @param {number} seat */
export function cardPlace(game, place, seat) {
  const at = placesOf(game, "seat").indexOf(place);
  return at < 0 ? place : `seat${seat}-${at}`;
}

/** The lines of a cross, by the positions of their cards in the order of its places. @type {Record<string, string>} */
const LINES = { "1,2,3": "row", "0,2,4": "column" };

/** The line of the cross that a hand runs along; empty for any other hand. @param {any} game @param {FeltHand} hand */
export function lineOf(game, hand) {
  const cross = groupsOf(game, "community").find((group) => group.shape === "cross");
  const at = cross?.places.flatMap((place, number) => (hand.places.includes(place) ? [number] : [])) ?? [];
  return LINES[at.join()] ?? "";
}
