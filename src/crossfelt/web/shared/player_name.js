// @ts-check
/** `<cf-player-name>`: the name under which the visitor plays, to be chosen before the first seat. */

import { request } from "./api.js";
import { draw, h, loadStylesheet } from "./dom.js";

const KEY = "crossfelt.name";

/** Returns the name that the visitor has chosen in this browser; empty if none. */
export const chosenName = () => localStorage.getItem(KEY) ?? "";

/** @param {string} name */
export const keepName = (name) => localStorage.setItem(KEY, name.trim());

class PlayerName extends HTMLElement {
  connectedCallback() {
    void this.load();
  }

  async load() {
    await loadStylesheet("shared/invite.css");
    const me = await request("/me").catch(() => ({}));
    draw(this, me.name ? h("p", { class: "quiet" }, "You play as ", h("strong", null, me.name), ".") : this.field());
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
        placeholder: "Leave empty for any name",
        oninput: (/** @type {any} */ event) => keepName(event.target.value),
      }),
    );
  }
}

customElements.define("cf-player-name", PlayerName);
