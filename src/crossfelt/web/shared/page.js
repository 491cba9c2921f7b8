// @ts-check
/** The base class of the players' pages: title, keys and loading. */

export class BasePage extends HTMLElement {
  heading = "";
  problem = "";
  #onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);

  /** The id in the page's address. */
  get subject() {
    return this.getAttribute("of") ?? "";
  }

  connectedCallback() {
    document.title = `Crossfelt: ${this.heading}`;
    document.addEventListener("keydown", this.#onKey);
    this.show();
    void this.load();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
  }

  /** Loads what the page shows. */
  async load() {}

  /** Handles a key. @param {KeyboardEvent} _event */
  key(_event) {}

  /** Draws the page. */
  show() {}
}
