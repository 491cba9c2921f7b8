// @ts-check
/** `<cf-player-name>`: the name under which the visitor plays. A guest may change it. */

import { request } from "./api.js";
import { buttonNode, buttonRow, draw, h, loadStylesheet, quietText } from "./dom.js";
import { fieldNode, formValues } from "./forms.js";

const KEY = "crossfelt.name";

/** Returns the name that the visitor has chosen in this browser; empty if none. */
export const chosenName = () => localStorage.getItem(KEY) ?? "";

/** @param {string} name */
export const keepName = (name) => localStorage.setItem(KEY, name.trim());

class PlayerName extends HTMLElement {
  /** @type {any} */
  me = {};
  changing = false;
  problem = "";

  connectedCallback() {
    void this.load();
  }

  async load() {
    await loadStylesheet("shared/invite.css");
    this.me = await request("/me").catch(() => ({}));
    this.show();
  }

  show() {
    draw(this, !this.me.name ? this.field() : this.changing ? this.form() : this.shown());
  }

  shown() {
    const { name, guest } = this.me;
    return quietText(
      "You play as ",
      h("strong", null, name),
      ". ",
      guest && buttonNode("Change name", () => this.change(true), { class: "link" }),
    );
  }

  /** @param {boolean} changing */
  change(changing) {
    Object.assign(this, { changing, problem: "" });
    this.show();
    /** @type {HTMLElement | null} */ (this.querySelector(changing ? "input" : "button"))?.focus();
  }

  form() {
    return h(
      "form",
      { class: "rename", onsubmit: (/** @type {SubmitEvent} */ event) => void this.rename(event) },
      this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
      fieldNode(
        {
          name: "name",
          title: "New name",
          value: this.me.name,
          hint: "Your play money moves to the new name. Rounds and private tables stay with the old one.",
        },
        { minlength: 2, maxlength: 24, autocomplete: "nickname" },
      ),
      buttonRow(
        h("button", { class: "button main" }, "Change name"),
        buttonNode("Cancel", () => this.change(false), { class: "button" }),
      ),
    );
  }

  /** @param {SubmitEvent} event */
  async rename(event) {
    const { name } = formValues(event);
    if (name === this.me.name) return this.change(false);
    try {
      this.me = await request("/me/name", "PUT", { name });
      keepName(name);
      this.change(false);
    } catch (error) {
      this.problem = (await import("./lan_login.js")).nameProblem(error, name);
      this.show();
    }
  }

  field() {
    return h(
      "p",
      { class: "field" },
      h("label", { for: "player-name" }, "Your name at the table"),
      h("input", {
        id: "player-name",
        value: chosenName(),
        minlength: 2,
        maxlength: 24,
        autocomplete: "nickname",
        placeholder: "Any name, or none",
        oninput: (/** @type {any} */ event) => keepName(event.target.value),
      }),
    );
  }
}

customElements.define("cf-player-name", PlayerName);
