// @ts-check
/**
 * A round that is over, opened again: step by step from any viewer's place, as the house's own views showed it; the
 * clause and the arithmetic behind each payment, the record, and a second settlement line by line.
 */

import { ask } from "../shared/api.js";
import { again, payments, report, verdicts } from "./dispute_parts.js";
import { h, say, wear } from "../shared/dom.js";
import { felt } from "../table/felt.js";
import { firstState, reduce } from "../table/state.js";
import { cites, count, StaffPage } from "./staff_page.js";
import { statement } from "../table/table_text.js";
import { pressed, stepped } from "../shared/step_keys.js";
import { dollars, signed } from "../shared/format.js";

await wear("console/audit.css");

const AUDITOR = "auditor";
/** What a page begins with: the first thing that somebody decided, and where nobody did, the end of a round. */
const FIRST_SHOWN = new Set([
  "bet_placed",
  "hand_folded",
  "choice_made",
  "hand_set",
  "hand_surrendered",
  "round_closed",
  "round_abandoned",
]);

export class Dispute extends StaffPage {
  roles = ["auditor", "owner"];
  /** @type {any} */
  told = null;
  table = "";
  number = 0;
  place = AUDITOR;
  step = 0;
  /** The table after each step, as it looked from the place. @type {import("../table/state.js").State[]} */
  states = [];
  /** Who the report is about. */
  about = "";

  connectedCallback() {
    const [table, number] = (this.getAttribute("of") ?? "/").split("/");
    [this.table, this.number] = [table, Number(number)];
    this.heading = `Round ${number} at ${table}`;
    super.connectedCallback();
  }

  async open() {
    this.place = new URLSearchParams(location.search).get("as") ?? AUDITOR;
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    await this.look(this.place);
    this.step = Math.max(
      0,
      this.told.seen.steps.findIndex((/** @type {any} */ step) =>
        step.events.some((/** @type {any} */ event) => FIRST_SHOWN.has(event.event)),
      ),
    );
    this.show();
  }

  close() {
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  get address() {
    return `/tables/${encodeURIComponent(this.table)}/rounds/${this.number}`;
  }

  /** What was seen from a place. @param {string} place */
  async look(place) {
    const query = new URLSearchParams({ as: place });
    const told = await ask(`${this.address}/replay?${query}`);
    [this.told, this.place] = [told, place];
    const { view, you, steps } = told.seen;
    let state = reduce(firstState(), { type: "game", game: told.game });
    state = reduce(state, { type: "welcome", view, you, table: { pace: "regulated" }, allowed: [] });
    this.states = steps.map((/** @type {any} */ step) => (state = reduce(state, { type: "happened", ...step })));
    this.step = Math.min(this.step, steps.length - 1);
  }

  /** @param {string} place */
  async sit(place) {
    if (!this.told || place === this.place || !this.told.places.some((/** @type {any} */ one) => one.id === place))
      return;
    await this.attempt(() => this.look(place));
    say(`${this.titleOf(place)}: ${this.told.seen.steps[this.step].events[0].tells}`);
  }

  /** @param {string} place */
  titleOf(place) {
    return this.told.places.find((/** @type {any} */ one) => one.id === place)?.title ?? place;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.told || this.question) return;
    const to = stepped(event, this.step, this.states.length - 1);
    const key = pressed(event);
    const places = this.told.places.map((/** @type {any} */ one) => one.id);
    if (to !== undefined) this.go(to);
    else if (/^[1-6]$/.test(key)) void this.sit(`seat${key}`);
    else if (key === "v") void this.sit(places[(places.indexOf(this.place) + 1) % places.length]);
    else return;
    event.preventDefault();
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.max(0, Math.min(this.states.length - 1, step));
    this.show();
    say(words(this.told.seen.steps[this.step]));
    this.querySelector(".retraced .here")?.scrollIntoView({ block: "nearest" });
  }

  // --- how it looks ---------------------------------------------------------------------------------------------------

  body() {
    if (!this.told) return !this.problems.length && h("p", { class: "quiet" }, "Following the table up to this round…");
    return [verdicts(this), this.replay(), payments(this), report(this)];
  }

  replay() {
    const { seen, places } = this.told;
    const state = this.states[this.step];
    return h(
      "section",
      { key: "replay", class: "card retraced", "aria-labelledby": "replay-title" },
      h("h2", { id: "replay-title" }, "What was seen", h("span", { class: "tag replayed" }, "REPLAY")),
      h(
        "div",
        { class: "places-of", role: "radiogroup", "aria-label": "Seen from" },
        places.map((/** @type {any} */ one) =>
          h(
            "button",
            {
              key: one.id,
              type: "button",
              role: "radio",
              class: "button small",
              "aria-checked": String(one.id === this.place),
              onclick: () => void this.sit(one.id),
            },
            one.title,
            one.id.startsWith("seat") && h("kbd", { "aria-hidden": "true" }, one.id.slice(4)),
          ),
        ),
      ),
      h(
        "div",
        { class: "retracing" },
        h("div", { class: "scene", inert: true }, felt(/** @type {any} */ (this.stand(state)))),
        this.controls(),
        h(
          "div",
          { class: "beside" },
          this.explained(seen.steps[this.step]),
          h(
            "details",
            { class: "in-words" },
            h("summary", null, "The table in words"),
            statement(state).map((line, at) => h("p", { key: at }, line)),
          ),
        ),
        h(
          "ol",
          { class: "log steps", "aria-label": "What happened", tabindex: "0" },
          seen.steps.map((/** @type {any} */ step, /** @type {number} */ at) =>
            h(
              "li",
              {
                key: at,
                class: at === this.step ? "here" : at > this.step ? "later" : "",
                "aria-current": at === this.step ? "step" : undefined,
              },
              h(
                "button",
                { type: "button", class: "step", onclick: () => this.go(at) },
                h("span", { class: "quiet row-of" }, count(step.seq)),
                words(step),
              ),
              cites(cited(step), this),
              ruled(step) && h("span", { class: "house-rule" }, "house rule"),
            ),
          ),
        ),
      ),
    );
  }

  /** What the felt asks of a page, for a table that nobody plays at. @param {import("../table/state.js").State} state */
  stand(state) {
    return {
      state,
      ui: { draft: null, chip: 0, panel: "", chosen: [] },
      actions: [],
      press() {},
      sit() {},
      choose() {},
    };
  }

  controls() {
    const last = this.states.length - 1;
    const button = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {number} */ to) =>
      h(
        "button",
        {
          key: title,
          type: "button",
          class: "button small",
          "aria-label": title,
          disabled: to < 0 || to > last || to === this.step,
          onclick: () => this.go(to),
        },
        sign,
      );
    return h(
      "div",
      { class: "controls", role: "group", "aria-label": "Step" },
      button("|◀", "First step", 0),
      button("◀", "Step back", this.step - 1),
      h("span", { class: "where-in" }, `Step ${this.step + 1} of ${last + 1}`),
      button("▶", "Step on", this.step + 1),
      button("▶|", "Last step", last),
      h(
        "span",
        { class: "quiet keys-told" },
        h("kbd", null, "J"),
        h("kbd", null, "K"),
        " step · ",
        h("kbd", null, "Home"),
        h("kbd", null, "End"),
        " · ",
        h("kbd", null, "1"),
        "–",
        h("kbd", null, "6"),
        " seat · ",
        h("kbd", null, "V"),
        " next place",
      ),
    );
  }

  /** @param {any} step */
  explained(step) {
    const { payment } = step;
    return h(
      "div",
      { class: "explained" },
      h(
        "p",
        null,
        h("strong", null, words(step)),
        " ",
        cites(cited(step), this),
        ruled(step) && h("small", { class: "quiet" }, ` House rule: ${ruled(step)}.`),
      ),
      payment && [
        h(
          "ol",
          { class: "arithmetic" },
          payment.arithmetic.map((/** @type {string} */ line, /** @type {number} */ at) => h("li", { key: at }, line)),
        ),
        h(
          "p",
          { class: "quiet" },
          `Stake ${dollars(payment.stake)}, back ${dollars(payment.returned)}, paid ${dollars(payment.paid)}${payment.commission ? `, commission ${dollars(payment.commission)}` : ""}: net `,
          h("strong", null, signed(payment.net)),
          ". ",
          again(payment),
        ),
      ],
    );
  }
}

/** What a step says. @param {any} step @returns {string} */
const words = (step) => step.events.find((/** @type {any} */ event) => event.tells)?.tells ?? "";

/** @param {any} step @returns {string[]} */
function cited(step) {
  const event = step.events.find((/** @type {any} */ one) => one.tells) ?? step.events[0];
  return [...(event.clauses ?? []), ...(event.readings ?? [])];
}

/** The rule of the house that it rests on, where no document says anything. @param {any} step @returns {string} */
const ruled = (step) => step.events.find((/** @type {any} */ event) => event.tells)?.house_rule ?? "";

customElements.define("cf-dispute", Dispute);
