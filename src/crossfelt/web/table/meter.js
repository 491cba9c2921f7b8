// @ts-check
/** `<cf-meter cents="1000035">`: an amount that counts up to where it is; what was won falls at once. */

import { moves } from "../shared/preferences.js";
import { dollars } from "../shared/format.js";

const CLIMB = 900;

export class Meter extends HTMLElement {
  static observedAttributes = ["cents"];
  #shown = 0;
  #frame = 0;

  /** @param {string} _ @param {string | null} before @param {string | null} now */
  attributeChangedCallback(_, before, now) {
    cancelAnimationFrame(this.#frame);
    const to = Number(now);
    if (before === null || to < this.#shown || !moves() || document.hidden) this.#tell(to);
    else this.#climb(this.#shown, to, performance.now());
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
  }

  /** @param {number} from @param {number} to @param {number} since */
  #climb(from, to, since) {
    this.#frame = requestAnimationFrame((now) => {
      const part = Math.min(1, Math.max(0, (now - since) / CLIMB));
      this.#tell(part < 1 ? Math.round(from + (to - from) * part) : to);
      if (part < 1) this.#climb(from, to, since);
    });
  }

  /** @param {number} cents */
  #tell(cents) {
    this.#shown = cents;
    this.textContent = dollars(cents);
  }
}

customElements.define("cf-meter", Meter);
