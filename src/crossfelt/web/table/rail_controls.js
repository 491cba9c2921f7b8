// @ts-check
/**
 * The small controls of the rail. On a wide screen they stand in the rail; on a phone one button opens them as a menu.
 * A control is a function of the page that returns a node, or nothing when it does not apply. Its buttons have the class
 * `control`; buttons of one choice stand together in a `control-group`.
 */

import { buttonNode, h } from "../shared/dom.js";
import { openInvite } from "../shared/invite.js";
import { coachControl } from "./coach.js";
import { ownOption, ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {(page: Page) => import("../shared/dom.js").Content} Control */

/** How the table is played: coach, pace, sound, help. @type {Control[]} */
const PLAY_CONTROLS = [coachControl, panelsControl, helpControl];
/** The player's seat and chips. @type {Control[]} */
const SEAT_CONTROLS = [
  (page) =>
    seatControl(page, "buy_chips", "Buy chips", "Buy chips for $500 of play money", (seat) => page.buyChips(seat)),
  (page) =>
    ownSeat(page.state) &&
    page.state.table.pace !== "regulated" &&
    buttonNode("Invite", () => void openInvite(page.id_), { key: "invite", class: "control" }),
  (page) => seatControl(page, "leave_seat", "Leave seat", undefined, () => page.leave()),
];

/** @param {Page} page */
export function railControls(page) {
  const { ui } = page;
  const set = (/** @type {boolean} */ open) => {
    ui.menu = open;
    page.show();
  };
  return h(
    "div",
    { key: "controls", class: `controls${ui.menu ? " open" : ""}` },
    buttonNode("Menu", () => set(!ui.menu), {
      class: "control controls-menu",
      "aria-expanded": String(ui.menu),
      "aria-controls": "controls",
    }),
    h(
      "div",
      { id: "controls", class: "controls-list", onclick: () => ui.menu && set(false) },
      h(
        "div",
        { class: "controls-play" },
        PLAY_CONTROLS.map((control) => control(page)),
      ),
      h(
        "div",
        { class: "controls-seat" },
        SEAT_CONTROLS.map((control) => control(page)),
      ),
    ),
  );
}

/** Opens the panels where the screen has no room for them beside the felt. @param {Page} page */
function panelsControl(page) {
  return buttonNode("Pays and log", () => page.togglePanel("pays"), {
    key: "panels",
    class: "control more",
    "aria-label": "Pay tables, coach, log, rounds and text",
  });
}

/** @param {Page} page */
function helpControl(page) {
  return buttonNode("?", () => page.togglePanel("help"), {
    key: "help",
    class: "control help",
    "aria-label": "Help",
    "aria-pressed": String(page.ui.panel === "help"),
  });
}

/**
 * @param {Page} page
 * @param {string} command
 * @param {string} label
 * @param {string | undefined} title
 * @param {(seat: number) => unknown} go
 */
function seatControl(page, command, label, title, go) {
  const seat = ownSeat(page.state);
  return seat && ownOption(page.state, command)
    ? buttonNode(label, () => void go(seat.number), { key: command, class: "control", title })
    : null;
}
