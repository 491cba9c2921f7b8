// @ts-check
/**
 * The pace of the table. A player who is alone with bots has the dealer make no pauses, and this page shows the events at
 * the player's own pace. At other tables the dealer's pauses stay, and the pace is that of the motion alone.
 */

import { buttonNode, h } from "../shared/dom.js";
import { capital } from "../shared/format.js";
import { changeSettings, settings } from "../shared/preferences.js";
import { hasCompany, ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */

/** The length of motion and pauses, relative to the normal pace. */
const LENGTHS = { slow: 1.8, normal: 1, fast: 0.15 };
const PACES = /** @type {(keyof typeof LENGTHS)[]} */ (Object.keys(LENGTHS));

/** Returns the factor by which the player's pace lengthens motion. */
export const paceFactor = () => LENGTHS[settings.pace];

/** Returns true when the player is alone with bots at a practice table. @param {import("./state.js").State} state */
export function setsPace(state) {
  const { pace, dealt_by: dealtBy } = state.table;
  return Boolean(ownSeat(state)) && !hasCompany(state) && pace === "practice" && dealtBy === "automatic";
}

/** Steps through the paces. @param {Page} page */
export function paceControl(page) {
  const at = PACES.indexOf(settings.pace);
  const next = PACES[(at + 1) % PACES.length];
  return (
    ownSeat(page.state) &&
    buttonNode(
      [
        h("span", { class: "control-word" }, "Pace:"),
        h("span", { class: "pace-arrows", "aria-hidden": "true" }, "▸".repeat(at + 1)),
        h("span", { class: "pace-word" }, capital(settings.pace)),
      ],
      () => changeSettings({ pace: next }),
      {
        key: "pace",
        class: "control pace",
        "data-control": "pace",
        "aria-label": `Pace: ${settings.pace}. Press for ${next}`,
        title: "Pace of the dealer. Space skips the motion",
      },
    )
  );
}
