// @ts-check
/** The finished rounds of a table, with their outcomes and links to their replays. */

import { request } from "../shared/api.js";
import { buttonNode, buttonRow, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, countText, signed, timeText, withStop } from "../shared/format.js";
import { fieldNode, selectNode } from "../shared/forms.js";
import { focusSearch, rowsTable } from "./page_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/audit.css");

const SHOWN = 50;
const SEARCH_DELAY_MS = 250;
const OUTCOMES = ["settled", "void", "abandoned"];

class RoundList extends StaffPage {
  roles = ["floor", "auditor", "owner"];
  /** @type {any} */
  page = null;
  /** @type {any[]} */
  rounds = [];
  filter = { text: "", outcome: "" };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;
  requestNumber = 0;

  connectedCallback() {
    this.heading = `Rounds of ${this.getAttribute("of")}`;
    super.connectedCallback();
  }

  async open() {
    this.keys = (/** @type {KeyboardEvent} */ event) => focusSearch(this, event);
    document.addEventListener("keydown", this.keys);
    await this.load();
  }

  close() {
    clearTimeout(this.waiting);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  /** @param {number | null} [before] */
  async load(before = null) {
    const requestNumber = ++this.requestNumber;
    const query = new URLSearchParams(
      Object.entries({ ...this.filter, limit: String(SHOWN), before: before === null ? "" : String(before) }).filter(
        ([, value]) => value,
      ),
    );
    const page = await request(`/tables/${encodeURIComponent(this.getAttribute("of") ?? "")}/cases?${query}`);
    if (requestNumber !== this.requestNumber) return;
    this.page = page;
    this.rounds = before === null ? page.rounds : [...this.rounds, ...page.rounds];
    this.show();
  }

  /** @param {Partial<RoundList["filter"]>} change */
  changeFilter(change) {
    this.filter = { ...this.filter, ...change };
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.attempt(() => this.load()), SEARCH_DELAY_MS);
  }

  body() {
    const { page } = this;
    if (!page) return !this.problems.length && quietText("Reading the rounds of this table…");
    return h(
      "section",
      { class: "card", "aria-label": "Rounds" },
      quietText(
        `${page.title}: ${this.has("auditor", "owner") ? "" : "the floor sees the last 20, "}${page.in_all === 1 ? "one finished round" : `${countText(page.in_all)} finished rounds`}.`,
      ),
      page.broken &&
        h(
          "p",
          { class: "notice", role: "alert" },
          `The record is damaged: ${withStop(page.broken)} Check it on the audit page.`,
        ),
      this.filters(),
      rowsTable({
        caption: `Rounds of ${page.table}`,
        hidden: true,
        columns: [
          {
            title: "Round",
            cell: (round) => h("a", { href: this.path(round.round) }, `Round ${countText(round.round)}`),
          },
          { title: "Ended", cell: (round) => timeText(round.at) },
          {
            title: "Outcome",
            cell: (round) =>
              h("span", { class: `tag ${round.outcome === "settled" ? "" : "bad"}` }, capital(round.outcome)),
          },
          { title: "Players and net results", cell: (round) => seats(round), wide: true },
        ],
        rows: this.rounds,
        key: (round) => round.round,
        none: "No round matches this search.",
      }),
      buttonRow(
        this.rounds.length < page.matching &&
          buttonNode(
            "Older rounds",
            () => void this.attempt(() => this.load(this.rounds[this.rounds.length - 1].round)),
          ),
        this.has("auditor", "owner") && [
          h(
            "a",
            {
              key: "history",
              class: "button quiet",
              href: `/api/tables/${page.table}/history`,
              download: `${page.table}.jsonl`,
            },
            "Download the whole history",
          ),
          h("a", { key: "audit", class: "button quiet", href: "/console/audit" }, "Audit"),
        ],
        h(
          "span",
          { class: "quiet", role: "status" },
          `${countText(this.rounds.length)} of ${countText(page.matching)} shown.`,
        ),
      ),
    );
  }

  filters() {
    const { filter } = this;
    return h(
      "form",
      { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      fieldNode(
        { name: "text", title: "Player, seat or round", type: "search", optional: true, value: filter.text },
        {
          placeholder: "press / to search",
          oninput: (/** @type {any} */ event) => this.changeFilter({ text: event.target.value }),
        },
      ),
      selectNode(
        "outcome",
        "Outcome",
        [["", "Any"], ...OUTCOMES.map((outcome) => [outcome, capital(outcome)])],
        filter.outcome,
        (outcome) => this.changeFilter({ outcome }),
      ),
    );
  }

  /** @param {number} round */
  path(round) {
    return `/console/rounds/${this.page.table}/${round}`;
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

customElements.define("cf-round-list", RoundList);
