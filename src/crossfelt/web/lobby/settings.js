// @ts-check
/** The settings page: name, deck, theme, motion, text size, keys and sound. */

import { cardNode } from "../shared/card.js";
import { errorText, request } from "../shared/api.js";
import { buttonNode, buttonRow, draw, h, quietText } from "../shared/dom.js";
import { timeText } from "../shared/format.js";
import { fieldNode, formValues } from "../shared/forms.js";
import { BasePage } from "../shared/page.js";
import { changeSettings, settings } from "../shared/preferences.js";

/** @type {{name: keyof import("../shared/preferences.js").Settings, title: string, note: string, of: [any, string][]}[]} */
const CHOICES = [
  {
    name: "deck",
    title: "Deck",
    note: "With four colours, each suit has a colour of its own.",
    of: [
      ["two", "Two colours"],
      ["four", "Four colours"],
    ],
  },
  {
    name: "theme",
    title: "Theme",
    note: "",
    of: [
      ["auto", "Same as system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  },
  {
    name: "motion",
    title: "Motion",
    note: "On: cards and chips move as the dealer moves them. Off: they appear at once, and the dealer of your own table makes no pauses.",
    of: [
      ["auto", "Same as system"],
      ["on", "On"],
      ["off", "Off"],
    ],
  },
  {
    name: "pace",
    title: "Pace",
    note: "The pace of the dealer when you play alone or with bots. Space skips the motion.",
    of: [
      ["slow", "Slow"],
      ["normal", "Normal"],
      ["fast", "Fast"],
    ],
  },
  {
    name: "text",
    title: "Text size",
    note: "",
    of: [
      ["100", "Normal"],
      ["115", "Large"],
      ["130", "Larger"],
    ],
  },
  {
    name: "shortcuts",
    title: "Keyboard shortcuts",
    note: "On: single keys play, such as 1, 2 and 3 to bet and F to fold. Off: only Tab, Enter and Space work.",
    of: [
      [true, "On"],
      [false, "Off"],
    ],
  },
  {
    name: "bank",
    title: "Hold the bank",
    note: "In some games a player may bank a round: pay and collect the other players' wagers in place of the house.",
    of: [
      [false, "Never ask me"],
      [true, "Ask me"],
    ],
  },
  {
    name: "sound",
    title: "Sound",
    note: "Sounds of cards, chips, wins, the wheel and your turn. At a table, M turns them on or off.",
    of: [
      [false, "Off"],
      [true, "On"],
    ],
  },
];

class SettingsPage extends BasePage {
  heading = "settings";
  /** @type {any} */
  me = null;

  async load() {
    this.me = await request("/me").catch(() => null);
    if (this.me?.name && !this.me.guest) this.sessions = await request("/me/sessions").catch(() => []);
    this.show();
  }

  /** The sessions in which the user is logged in. @type {any[]} */
  sessions = [];

  sessionList() {
    return h(
      "section",
      { class: "preference" },
      h("h2", null, "Where you are logged in"),
      h(
        "ul",
        { class: "sessions" },
        this.sessions.map((session) =>
          h(
            "li",
            { key: session.id },
            `Since ${timeText(session.since)}${session.address ? ` from ${session.address}` : ""} `,
            buttonNode("Log out", () => void this.endSession(session.id), { class: "button small" }),
          ),
        ),
      ),
    );
  }

  /** @param {string} id */
  async endSession(id) {
    await request(`/me/sessions/${id}`, "DELETE").catch(() => null);
    this.sessions = [];
    await this.load();
  }

  show() {
    draw(
      this,
      h(
        "section",
        { class: "sheet" },
        h("h1", null, "Settings"),
        quietText("Settings are stored in this browser."),
        h(
          "div",
          { class: "sample", "aria-hidden": "true" },
          ["As", "Kh", "Qd", "Jc"].map((card) => cardNode(card, { key: card })),
        ),
        h("div", { class: "preference" }, h("cf-player-name", { key: "name" })),
        CHOICES.map((choice) => this.choice(choice)),
        this.sessions.length > 0 && this.sessionList(),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.me?.name && !this.me.guest && this.me.roles.includes("player") && this.breakForm(),
        this.me?.name && this.me.roles.includes("player") && this.closeForm(),
      ),
    );
  }

  /** The form by which players suspend their own account. */
  breakForm() {
    return h(
      "form",
      { class: "preference", onsubmit: (/** @type {SubmitEvent} */ event) => void this.takeBreak(event) },
      h("h2", null, "Take a break"),
      fieldNode(
        {
          name: "days",
          title: "Days",
          type: "number",
          hint: "You cannot log in until then, and nobody can lift it. Your seat is given up after the round.",
        },
        { min: 1, max: 3650, step: 1 },
      ),
      buttonRow(h("button", { class: "button" }, "Suspend my account")),
    );
  }

  /** The form by which players close their own account. */
  closeForm() {
    return h(
      "form",
      { class: "preference", onsubmit: (/** @type {SubmitEvent} */ event) => void this.close(event) },
      h("h2", null, "Close your account"),
      quietText(
        "Your password, sessions and training are deleted. The record of your rounds stays, and nobody can take your name.",
      ),
      h(
        "div",
        { class: "preference-row" },
        h("label", null, h("input", { type: "checkbox", required: true }), h("span", null, "This cannot be undone")),
      ),
      buttonRow(h("button", { class: "button" }, "Close my account")),
    );
  }

  /** @param {SubmitEvent} event */
  close(event) {
    event.preventDefault();
    return this.leave("/me", "DELETE");
  }

  /** @param {SubmitEvent} event */
  takeBreak(event) {
    const days = Number(formValues(event).days);
    return this.leave("/me/suspension", "POST", { days, reason: "a break, at the player's own wish" });
  }

  /** Ends this person's session for now or for good. @param {string} path @param {string} method @param {any} [body] */
  async leave(path, method, body) {
    try {
      await request(path, method, body);
      location.assign("/");
    } catch (error) {
      this.problem = errorText(error);
      this.show();
    }
  }

  /** @param {typeof CHOICES[number]} choice */
  choice({ name, title, note, of }) {
    return h(
      "fieldset",
      { key: name, class: "preference" },
      h("legend", null, title),
      h(
        "div",
        { class: "preference-row" },
        of.map(([value, label]) =>
          h(
            "label",
            { key: String(value) },
            h("input", {
              type: "radio",
              name,
              value: String(value),
              "prop:checked": settings[name] === value,
              onchange: () => this.choose(name, value),
            }),
            h("span", null, label),
          ),
        ),
      ),
      note && quietText(note),
    );
  }

  /** @param {string} name @param {any} value */
  choose(name, value) {
    changeSettings({ [name]: value });
    this.show();
  }
}

customElements.define("cf-settings", SettingsPage);
