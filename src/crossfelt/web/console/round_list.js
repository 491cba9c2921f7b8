// @ts-check
/** Every round of a table that is over: what came of it, and the way to open it again. */

import { ask } from "../shared/api.js";
import { h, wear } from "../shared/dom.js";
import { chosen, toWords } from "./audit_parts.js";
import { count, fieldNode, rowsTable, StaffPage, when } from "./staff_page.js";
import { capital, signed } from "../shared/format.js";

await wear("console/audit.css");

const SHOWN = 50;
const PATIENCE_MS = 250;
const OUTCOMES = ["", "settled", "void", "abandoned"];

class Cases extends StaffPage {
  roles = ["auditor", "owner"];
  /** @type {any} */
  told = null;
  /** @type {any[]} */
  rounds = [];
  asked = { text: "", outcome: "" };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;
  turn = 0;

  connectedCallback() {
    this.heading = `Rounds of ${this.getAttribute("of")}`;
    super.connectedCallback();
  }

  async open() {
    this.keys = (/** @type {KeyboardEvent} */ event) => toWords(this, event);
    document.addEventListener("keydown", this.keys);
    await this.look();
  }

  close() {
    clearTimeout(this.waiting);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  /** @param {number | null} [before] */
  async look(before = null) {
    const turn = ++this.turn;
    const query = new URLSearchParams(
      Object.entries({ ...this.asked, limit: String(SHOWN), before: before === null ? "" : String(before) }).filter(
        ([, value]) => value,
      ),
    );
    const told = await ask(`/tables/${encodeURIComponent(this.getAttribute("of") ?? "")}/cases?${query}`);
    if (turn !== this.turn) return;
    this.told = told;
    this.rounds = before === null ? told.rounds : [...this.rounds, ...told.rounds];
    this.show();
  }

  /** @param {Partial<Cases["asked"]>} change */
  want(change) {
    this.asked = { ...this.asked, ...change };
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.attempt(() => this.look()), PATIENCE_MS);
  }

  body() {
    const { told } = this;
    if (!told) return !this.problems.length && h("p", { class: "quiet" }, "Following the table from its opening…");
    return h(
      "section",
      { class: "card", "aria-label": "Rounds" },
      h(
        "p",
        { class: "quiet" },
        `${told.title}: ${told.in_all === 1 ? "one round is" : `${count(told.in_all)} rounds are`} over.`,
      ),
      told.broken && h("p", { class: "notice", role: "alert" }, `The record is broken: ${told.broken}.`),
      this.filters(),
      rowsTable({
        caption: `Rounds of ${told.table}`,
        hidden: true,
        columns: [
          { title: "Round", cell: (round) => h("a", { href: this.path(round.round) }, `Round ${count(round.round)}`) },
          { title: "Over at", cell: (round) => when(round.at) },
          {
            title: "Outcome",
            cell: (round) =>
              h("span", { class: `tag ${round.outcome === "settled" ? "" : "bad"}` }, capital(round.outcome)),
          },
          { title: "Who played, and what it brought", cell: (round) => seats(round), wide: true },
        ],
        rows: this.rounds,
        key: (round) => round.round,
        none: "No such round.",
      }),
      h(
        "div",
        { class: "buttons" },
        this.rounds.length < told.matching &&
          h(
            "button",
            {
              type: "button",
              class: "button",
              onclick: () => void this.attempt(() => this.look(this.rounds[this.rounds.length - 1].round)),
            },
            "Older",
          ),
        h(
          "a",
          {
            class: "button quiet",
            href: `/api/tables/${told.table}/history`,
            download: `${told.table}.jsonl`,
          },
          "Whole history, to verify",
        ),
        h("a", { class: "button quiet", href: "/console/audit" }, "Audit"),
        h("span", { class: "quiet", role: "status" }, `${count(this.rounds.length)} of ${count(told.matching)} shown.`),
      ),
    );
  }

  filters() {
    const { asked } = this;
    return h(
      "form",
      { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      fieldNode(
        { name: "text", title: "Player, seat or round", type: "search", optional: true, value: asked.text },
        {
          placeholder: "press / to come here",
          oninput: (/** @type {any} */ event) => this.want({ text: event.target.value }),
        },
      ),
      chosen(
        "outcome",
        "Outcome",
        OUTCOMES,
        asked.outcome,
        (outcome) => (outcome ? capital(outcome) : "Any"),
        (outcome) => this.want({ outcome }),
      ),
    );
  }

  /** @param {number} round */
  path(round) {
    return `/console/rounds/${this.told.table}/${round}`;
  }
}

/** @param {any} round */
function seats(round) {
  return h(
    "ul",
    { class: "nets" },
    Object.entries(round.players).map(([seat, player]) => {
      const cents = round.net_cents[seat];
      return h(
        "li",
        { key: seat },
        h("span", { class: "quiet" }, `${seat} ${player} `),
        cents === undefined ? "–" : h("strong", { class: cents > 0 ? "up" : cents < 0 ? "down" : "" }, signed(cents)),
      );
    }),
  );
}

customElements.define("cf-cases", Cases);
