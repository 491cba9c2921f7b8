// @ts-check
/** What a person likes: deck, motion, sound, text size, keys, theme. Kept in this browser only. */

import { cardNode } from "../shared/card.js";
import { draw, h } from "../shared/dom.js";
import { change, settings } from "../shared/preferences.js";

/** @type {{name: keyof import("../shared/preferences.js").Settings, title: string, note: string, of: [any, string][]}[]} */
const CHOICES = [
  {
    name: "deck",
    title: "Deck",
    note: "Four colours tell clubs and diamonds apart at a glance.",
    of: [
      ["two", "Two colours"],
      ["four", "Four colours"],
    ],
  },
  {
    name: "theme",
    title: "Theme",
    note: "As the system says, or as you like it.",
    of: [
      ["auto", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  },
  {
    name: "motion",
    title: "Motion",
    note: "Cards and chips move as the dealer moves them. Off, everything is there at once.",
    of: [
      ["auto", "As the system"],
      ["on", "On"],
      ["off", "Off"],
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
    title: "Single keys",
    note: "1 2 3 to bet, F to fold and the others. Off, only Tab, Enter and Space do anything.",
    of: [
      [true, "On"],
      [false, "Off"],
    ],
  },
  {
    name: "sound",
    title: "Sound",
    note: "Cards on felt, chips on chips.",
    of: [
      [false, "Off"],
      [true, "On"],
    ],
  },
];

class SettingsPage extends HTMLElement {
  connectedCallback() {
    document.title = "Crossfelt: settings";
    this.show();
  }

  show() {
    draw(
      this,
      h(
        "section",
        { class: "sheet" },
        h("h1", null, "Settings"),
        h("p", { class: "quiet" }, "They stay in this browser."),
        h(
          "div",
          { class: "sample", "aria-hidden": "true" },
          ["As", "Kh", "Qd", "Jc"].map((card) => cardNode(card, { key: card })),
        ),
        CHOICES.map((choice) => this.choice(choice)),
      ),
    );
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
      note && h("p", { class: "quiet" }, note),
    );
  }

  /** @param {string} name @param {any} value */
  choose(name, value) {
    change({ [name]: value });
    this.show();
  }
}

customElements.define("cf-settings", SettingsPage);
