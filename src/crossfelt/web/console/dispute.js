// @ts-check
/**
 * A finished round in replay: each step as any viewer saw it, with the clause and the arithmetic of each payment, the
 * integrity of the record, and the second settlement.
 */

import { request } from "../shared/api.js";
import { clauseButtons, eventSource, proofButton } from "../shared/clauses.js";
import { announce, buttonNode, h, loadStylesheet, quietText } from "../shared/dom.js";
import { countText, dollars, limitedText, signed, withStop } from "../shared/format.js";
import { shortcutOf, stepTo } from "../shared/step_keys.js";
import { felt } from "../table/felt.js";
import { firstState, reduce } from "../table/state.js";
import { describeTable } from "../table/table_text.js";
import { agreement, payments, report, tableRecords, verdicts } from "./dispute_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/audit.css");

const AUDITOR = "auditor";
/** The replay starts at the first decision, or at the end of a round without one. */
const FIRST_EVENTS = new Set([
  "bet_placed",
  "hand_folded",
  "choice_made",
  "hand_set",
  "hand_surrendered",
  "round_closed",
  "round_abandoned",
]);

export class Dispute extends StaffPage {
  roles = ["floor", "auditor", "owner"];
  /** @type {any} */
  data = null;
  table = "";
  number = 0;
  viewer = AUDITOR;
  step = 0;
  /** The state after each step, as the viewer saw it. @type {import("../table/state.js").State[]} */
  states = [];
  /** The seat that the report is about; empty for the whole round. */
  about = "";

  connectedCallback() {
    const [table, number] = (this.getAttribute("of") ?? "/").split("/");
    [this.table, this.number] = [table, Number(number)];
    this.heading = `Round ${number} at ${table}`;
    super.connectedCallback();
  }

  async open() {
    this.viewer = new URLSearchParams(location.search).get("as") ?? AUDITOR;
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    await this.load(this.viewer);
    this.step = Math.max(
      0,
      this.data.seen.steps.findIndex((/** @type {any} */ step) =>
        step.events.some((/** @type {any} */ event) => FIRST_EVENTS.has(event.event)),
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

  /** Loads the replay as a viewer saw it. @param {string} viewer */
  async load(viewer) {
    const query = new URLSearchParams({ as: viewer });
    const replay = await request(`${this.address}/replay?${query}`);
    [this.data, this.viewer] = [replay, viewer];
    const { view, you, steps } = replay.seen;
    let state = reduce(firstState(), { type: "game", game: replay.game });
    state = reduce(state, { type: "welcome", view, you, table: { pace: "regulated" }, allowed: [] });
    this.states = steps.map((/** @type {any} */ step) => (state = reduce(state, { type: "happened", ...step })));
    this.step = Math.min(this.step, steps.length - 1);
  }

  /** @param {string} viewer */
  async viewAs(viewer) {
    if (!this.data || viewer === this.viewer || !this.data.places.some((/** @type {any} */ one) => one.id === viewer))
      return;
    await this.attempt(() => this.load(viewer));
    announce(`${this.titleOf(viewer)}: ${this.data.seen.steps[this.step].events[0].tells}`);
  }

  /** @param {string} viewer */
  titleOf(viewer) {
    return this.data.places.find((/** @type {any} */ one) => one.id === viewer)?.title ?? viewer;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.data || this.dialog) return;
    const to = stepTo(event, this.step, this.states.length - 1);
    const key = shortcutOf(event);
    const places = this.data.places.map((/** @type {any} */ one) => one.id);
    if (to !== undefined) this.goToStep(to);
    else if (/^[1-6]$/.test(key)) void this.viewAs(`seat${key}`);
    else if (key === "v") void this.viewAs(places[(places.indexOf(this.viewer) + 1) % places.length]);
    else return;
    event.preventDefault();
  }

  /** @param {number} step */
  goToStep(step) {
    this.step = Math.max(0, Math.min(this.states.length - 1, step));
    this.show();
    announce(stepText(this.data.seen.steps[this.step]));
    this.querySelector(".replay .here")?.scrollIntoView({ block: "nearest" });
  }

  // --- content ---------------------------------------------------------------------------------------------------

  body() {
    if (!this.data) return !this.problems.length && quietText("Replaying the table up to this round…");
    return [
      verdicts(this),
      this.replayCard(),
      payments(this),
      tableRecords(this),
      this.has("auditor", "owner") && report(this),
    ];
  }

  replayCard() {
    const { seen, places } = this.data;
    const state = this.states[this.step];
    return h(
      "section",
      { key: "replay", class: "card replay", "aria-labelledby": "replay-title" },
      h("h2", { id: "replay-title" }, "Step by step", h("span", { class: "tag replayed" }, "REPLAY")),
      h(
        "div",
        { class: "viewers", role: "radiogroup", "aria-label": "Viewer" },
        places.map((/** @type {any} */ one) =>
          buttonNode(
            [one.title, one.id.startsWith("seat") && h("kbd", { "aria-hidden": "true" }, one.id.slice(4))],
            () => void this.viewAs(one.id),
            { key: one.id, role: "radio", class: "button small", "aria-checked": String(one.id === this.viewer) },
          ),
        ),
      ),
      h(
        "div",
        { class: "replay-layout" },
        h("div", { class: "scene", inert: true }, felt(/** @type {any} */ (this.feltPage(state)))),
        this.controls(),
        h(
          "div",
          { class: "beside" },
          this.explanation(seen.steps[this.step]),
          h(
            "details",
            { class: "as-text" },
            h("summary", null, "The table as text"),
            describeTable(state).map((line, at) => h("p", { key: at }, line)),
          ),
        ),
        h(
          "ol",
          { class: "log steps", "aria-label": "Steps", tabindex: "0" },
          seen.steps.map((/** @type {any} */ step, /** @type {number} */ at) =>
            h(
              "li",
              {
                key: at,
                class: at === this.step ? "here" : at > this.step ? "later" : "",
                "aria-current": at === this.step ? "step" : undefined,
              },
              buttonNode(
                [h("span", { class: "quiet row-number" }, countText(step.seq)), stepText(step)],
                () => this.goToStep(at),
                { class: "step" },
              ),
              clauseButtons(stepClauses(step)),
              stepHouseRule(step) && h("span", { class: "house-rule" }, "house rule"),
            ),
          ),
        ),
      ),
    );
  }

  /** The page object that the felt needs, for a table in replay. @param {import("../table/state.js").State} state */
  feltPage(state) {
    return {
      state,
      ui: { draft: null, chip: 0, panel: "", low: [] },
      actions: [],
      press() {},
      viewAs() {},
      choose() {},
    };
  }

  controls() {
    const last = this.states.length - 1;
    const button = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {number} */ to) =>
      buttonNode(sign, () => this.goToStep(to), {
        key: title,
        class: "button small",
        "aria-label": title,
        disabled: to < 0 || to > last || to === this.step,
      });
    return h(
      "div",
      { class: "controls", role: "group", "aria-label": "Step" },
      button("|◀", "First step", 0),
      button("◀", "Previous step", this.step - 1),
      h("span", { class: "step-number" }, `Step ${this.step + 1} of ${last + 1}`),
      button("▶", "Next step", this.step + 1),
      button("▶|", "Last step", last),
      h(
        "span",
        { class: "quiet key-hints" },
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
        " next viewer",
      ),
    );
  }

  /** @param {any} step */
  explanation(step) {
    const { payment } = step;
    return h(
      "div",
      { class: "explained" },
      h(
        "p",
        null,
        proofButton(h("strong", null, stepText(step)), eventSource(this.table, narratedEvent(step))),
        " ",
        clauseButtons(stepClauses(step)),
        stepHouseRule(step) && h("small", { class: "quiet" }, ` House rule: ${withStop(stepHouseRule(step))}`),
      ),
      payment && [
        h(
          "ol",
          { class: "arithmetic" },
          payment.arithmetic.map((/** @type {string} */ line, /** @type {number} */ at) => h("li", { key: at }, line)),
        ),
        quietText(
          `Stake ${dollars(payment.stake)}, returned ${dollars(payment.returned)}, paid ${dollars(payment.paid)}${payment.commission ? `, commission ${dollars(payment.commission)}` : ""}${payment.limited ? `, ${limitedText(payment)}` : ""}: net `,
          h("strong", null, signed(payment.net)),
          ". ",
          agreement(payment),
        ),
      ],
    );
  }
}

/** The event that a step is about. @param {any} step */
const narratedEvent = (step) => step.events.find((/** @type {any} */ event) => event.tells) ?? step.events[0];

/** The text of a step. @param {any} step @returns {string} */
const stepText = (step) => narratedEvent(step).tells;

/** @param {any} step @returns {string[]} */
function stepClauses(step) {
  const event = narratedEvent(step);
  return [...(event.clauses ?? []), ...(event.readings ?? [])];
}

/** The house rule of a step, where no document has a rule. @param {any} step @returns {string} */
const stepHouseRule = (step) => narratedEvent(step).house_rule ?? "";

customElements.define("cf-dispute", Dispute);
