// @ts-check
/** `<cf-meter cents="1000035">`: an amount that counts up to its new value and drops at once after a win. */

import { dollars } from "../shared/format.js";
import { motionAllowed } from "../shared/preferences.js";

const COUNT_UP_MS = 900;

class Meter extends HTMLElement {
  static observedAttributes = ["cents"];
  #shown = 0;
  #frame = 0;

  /** @param {string} _ @param {string | null} before @param {string | null} now */
  attributeChangedCallback(_, before, now) {
    cancelAnimationFrame(this.#frame);
    const to = Number(now);
    if (before === null || to < this.#shown || !motionAllowed() || document.hidden) this.#write(to);
    else this.#countUp(this.#shown, to, performance.now());
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
  }

  /** @param {number} from @param {number} to @param {number} since */
  #countUp(from, to, since) {
    this.#frame = requestAnimationFrame((now) => {
      const part = Math.min(1, Math.max(0, (now - since) / COUNT_UP_MS));
      this.#write(part < 1 ? Math.round(from + (to - from) * part) : to);
      if (part < 1) this.#countUp(from, to, since);
    });
  }

  /** @param {number} cents */
  #write(cents) {
    this.#shown = cents;
    this.textContent = dollars(cents);
  }
}

customElements.define("cf-meter", Meter);
