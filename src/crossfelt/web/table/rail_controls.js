// @ts-check
/**
 * The small controls of the rail. On a wide screen they stand in the rail; on a phone one button opens them as a menu.
 * A control is a function of the page that returns a node, or nothing when it does not apply. Its buttons have the class
 * `control`; buttons of one choice stand together in a `control-group`.
 */

import { buttonNode, h } from "../shared/dom.js";
import { invite } from "../shared/invitation.js";
import { coachControl } from "./coach.js";
import { changeSettings, settings } from "../shared/preferences.js";
import { paceControl } from "./pace.js";
import { soundControl } from "./sound.js";
import { ownOption, ownSeat } from "./state.js";
import { addBot, seatForBot } from "./table_requests.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {(page: Page) => import("../shared/dom.js").Content} Control */

/** Controls of play: coach, pace, sound, help. @type {Control[]} */
const PLAY_CONTROLS = [coachControl, paceControl, soundControl, panelsControl, helpControl, settingsControl];
/** The player's seat and chips. @type {Control[]} */
const SEAT_CONTROLS = [
  botControl,
  bankControl,
  (page) => seatControl(page, "surrender", "Surrender", () => surrender(page)),
  (page) => seatControl(page, "buy_chips", "Buy chips", (seat) => page.buyChips(seat)),
  (page) =>
    ownSeat(page.state) &&
    page.state.table.pace !== "regulated" &&
    buttonNode("Invite", () => void invite(page.id_), { key: "invite", class: "control" }),
  (page) => seatControl(page, "leave_seat", "Leave seat", () => page.leave()),
];

/** Few games have a surrender, so its question is loaded when it is asked. @param {Page} page */
async function surrender(page) {
  (await import("./surrender.js")).askSurrender(page);
}

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
  return buttonNode(
    [h("span", { class: "control-sign" }, "?"), h("span", { class: "control-word" }, "Help")],
    () => page.togglePanel("help"),
    {
      key: "help",
      class: "control help",
      "aria-label": "Help",
      "aria-pressed": String(page.ui.panel === "help"),
    },
  );
}

/** Leads to the settings where the header has no room for the main menu. */
function settingsControl() {
  return h("a", { key: "settings", class: "control narrow-only", href: "/settings" }, "Settings");
}

/** Adds a bot where the screen has no room for empty seats. @param {Page} page */
function botControl(page) {
  const seat = seatForBot(page);
  return seat
    ? buttonNode("Add a bot", () => void addBot(page, seat), { key: "bot", class: "control narrow-only" })
    : null;
}

/** In games with a bank: whether the player wants to be asked to hold it. @param {Page} page */
function bankControl(page) {
  const banked = page.state.game.script.some((/** @type {any} */ one) => one.step === "offer_bank");
  return banked && ownSeat(page.state)
    ? buttonNode("Hold the bank", () => changeSettings({ bank: !settings.bank }), {
        key: "bank",
        class: "control",
        "aria-pressed": String(settings.bank),
        title: settings.bank ? "You are asked before a round" : "You are never asked. The house holds the bank",
      })
    : null;
}

/** @param {Page} page @param {string} command @param {string} label @param {(seat: number) => unknown} go */
function seatControl(page, command, label, go) {
  const seat = ownSeat(page.state);
  return seat && ownOption(page.state, command)
    ? buttonNode(label, () => void go(seat.number), { key: command, class: "control" })
    : null;
}
