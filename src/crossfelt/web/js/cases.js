// @ts-check
/** Every round of a table that is over, of any of its openings: what came of it, and the way to open it again. */

import { ask } from "./api.js";
import { h, wear } from "./dom.js";
import { chosen, toWords } from "./record_parts.js";
import { count, fieldNode, rowsTable, StaffPage, when } from "./staff.js";
import { capital, signed } from "./words.js";

await wear("disputes.css");

const SHOWN = 50;
const PATIENCE_MS = 250;
const OUTCOMES = ["", "settled", "void", "abandoned"];

class Cases extends StaffPage {
  roles = ["auditor", "owner"];
  /** @type {any} */
  told = null;
  /** @type {any[]} */
  rounds = [];
  asked = { text: "", outcome: "", opening: "" };
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
    this.asked.opening = new URLSearchParams(location.search).get("opening") ?? "";
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
        `${told.title}, opening ${told.opening}: ${told.in_all === 1 ? "one round is" : `${count(told.in_all)} rounds are`} over.`,
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
            href: `/api/tables/${told.table}/history?opening=${told.opening}`,
            download: `${told.table}-${told.opening}.jsonl`,
          },
          "Whole history, to verify",
        ),
        h("a", { class: "button quiet", href: "/console/audit" }, "Audit"),
        h("span", { class: "quiet", role: "status" }, `${count(this.rounds.length)} of ${count(told.matching)} shown.`),
      ),
    );
  }

  filters() {
    const { asked, told } = this;
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
      told.openings.length > 1 &&
        chosen(
          "opening",
          "Opening",
          told.openings.map(String),
          String(told.opening),
          (opening) => `Opening ${opening}`,
          (opening) => this.want({ opening }),
        ),
    );
  }

  /** @param {number} round */
  path(round) {
    const { table, opening, openings } = this.told;
    return `/console/rounds/${table}/${round}${opening === openings[openings.length - 1] ? "" : `?opening=${opening}`}`;
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
