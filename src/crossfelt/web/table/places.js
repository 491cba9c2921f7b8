// @ts-check
/** The places of community cards as a player sees them. The rulebook names them as the dealer sees them. */

import { plain } from "../shared/format.js";

/** @type {Record<string, string>} */
const SEEN_BY_PLAYER = {
  down_near: "top",
  across_right: "left",
  middle: "middle",
  across_left: "right",
  down_far: "bottom",
};

/** The places of the cross, row by row from the top of the screen. */
export const CROSS = Object.keys(SEEN_BY_PLAYER);

/** The name of a place: `across_right` is "left", `dealer_hole_1` "dealer 1". @param {string} place */
export const placeName = (place) => SEEN_BY_PLAYER[place] ?? plain(place).replace(/^dealer (hole|card)/, "dealer");
