// @ts-check
/** Meters: what is shown, what went in and was paid, that the two agree; other parameters take two people. */

import { ask } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { count, rowsTable, StaffPage, wear, when } from "./staff_page.js";
import { capital, dollars, plain } from "../shared/format.js";

const LOOK_EVERY = 5000;
const DOLLARS = /^\$?(\d{1,12})(?:\.(\d{2}))?$/;
/** What may be changed, and how it is called. @type {[string, string, string][]} */
const CHANGEABLE = [
  ["reset_cents", "Reset amount", "What the house puts in after a full award."],
  ["limit_cents", "Limit", "The most that is shown and paid; what goes beyond waits for the next jackpot."],
  [
    "unreasonable_cents",
    "Not believed above",
    "A contribution of one round above this is refused, and the table held.",
  ],
];

class Meters extends StaffPage {
  heading = "Meters";
  roles = ["floor", "auditor", "owner"];
  /** @type {any[]} */
  meters = [];

  async open() {
    await wear("console/console.css");
    this.meters = await ask("/floor/meters");
    this.timer = setInterval(() => void this.look(), LOOK_EVERY);
  }

  close() {
    clearInterval(this.timer);
  }

  async look() {
    if (this.busy || this.question) return;
    this.meters = (await ask("/floor/meters").catch(() => null)) ?? this.meters;
    this.show();
  }

  /** @param {any} meter */
  async change(meter) {
    const given = await this.ask({
      title: `Change ${meter.title}`,
      says: h(
        "p",
        null,
        "The rate of progression is the submission's. What stays empty stays as it is; a second person must agree.",
      ),
      label: "Propose",
      fields: [
        ...CHANGEABLE.map(([name, title, hint]) => ({
          name,
          title: `${title}, dollars`,
          hint: `${hint} Now: ${amount(meter.parameters[name])}.`,
          optional: true,
        })),
        { name: "reason", title: "Why" },
      ],
    });
    if (!given) return;
    /** @type {Record<string, any>} */
    const details = {};
    for (const [name, title] of CHANGEABLE) {
      if (!given[name]) continue;
      const match = DOLLARS.exec(given[name].replaceAll(",", ""));
      if (!match) {
        this.problems = [{ what: `${title}: not an amount`, value: given[name], allowed: "dollars, as 5000 or 12.50" }];
        this.show();
        return;
      }
      details[name] = Number(match[1]) * 100 + Number(match[2] ?? 0);
    }
    await this.propose({ kind: "meter_change", subject: meter.meter, details, reason: given.reason });
  }

  /** @param {any} meter */
  async correct(meter) {
    const given = await this.ask({
      title: `Correct ${meter.title}`,
      says: h("p", null, "A mistake is put right by an entry of its own, up or down. A second person must agree."),
      label: "Propose",
      fields: [
        { name: "by", title: "By so many cents", hint: "As 125, or -125 to take out." },
        { name: "reason", title: "Why" },
      ],
    });
    if (!given) return;
    if (!/^-?\d{1,12}$/.test(given.by)) {
      this.problems = [{ what: "not a number of cents", value: given.by, allowed: "a whole number" }];
      this.show();
      return;
    }
    await this.propose({
      kind: "correction",
      subject: meter.meter,
      details: { micros: Number(given.by) * 1e6 },
      reason: given.reason,
    });
  }

  /** @param {any} proposal */
  async propose(proposal) {
    await this.attempt(async () => {
      await ask("/proposals", "POST", proposal);
    }, "Proposed. It waits for a second person.");
  }

  body() {
    if (!this.meters.length) return h("section", { class: "card" }, h("p", null, "No table has a meter."));
    return h(
      "div",
      { class: "meters" },
      this.meters.map((meter) => this.meter(meter)),
    );
  }

  /** @param {any} meter */
  meter(meter) {
    const { parameters } = meter;
    return h(
      "section",
      { key: meter.meter, class: "card meter", "aria-label": meter.meter },
      h(
        "header",
        null,
        h(
          "div",
          null,
          h("h2", null, meter.title),
          h("p", { class: "quiet" }, `${meter.meter}, at ${meter.tables.join(", ") || "no table any more"}`),
        ),
        h("p", { class: "sign-amount" }, dollars(meter.amount_cents)),
      ),
      h(
        "dl",
        { class: "facts floor-facts" },
        fact("Rate", `${Number((parameters.rate_per_million / 1e4).toFixed(4))} % of each wager`),
        fact("Reset", amount(parameters.reset_cents)),
        fact("Limit", amount(parameters.limit_cents)),
        fact("Hits of the whole meter", count(meter.hits)),
        fact("Winners paid", count(meter.wins)),
        fact(
          "Pending awards",
          meter.pending.length ? h("span", { class: "tag bad" }, meter.pending.join("; ")) : "none",
        ),
      ),
      rowsTable({
        caption: "Account",
        narrow: true,
        rows: [...meter.postings, { title: "In the meter now", dollars: meter.pool, is: "sum" }],
        key: (posting) => posting.title,
        columns: [
          { title: "Entry", cell: (posting) => (posting.is ? h("strong", null, posting.title) : posting.title) },
          {
            title: "Amount",
            number: true,
            cell: (posting) =>
              posting.is ? h("strong", null, posting.dollars) : `${posting.minus ? "− " : "+ "}${posting.dollars}`,
          },
        ],
      }),
      h(
        "p",
        { class: meter.reconciled ? "done" : "notice" },
        meter.reconciled
          ? "Reconciled: what went in is what was paid and what is there."
          : "Not reconciled: what went in is not what was paid and what is there.",
      ),
      meter.overflow !== "$0.00" &&
        h("p", { class: "quiet" }, `Of this ${meter.overflow} is above the limit, and waits for the next jackpot.`),
      rowsTable({
        caption: "Latest awards",
        rows: /** @type {any[]} */ (meter.latest),
        key: (award) => award.number,
        none: "None in the last thousand entries.",
        columns: [
          { title: "Award", cell: (award) => `${award.number}, ${when(award.at)}` },
          {
            title: "Where",
            cell: (award) =>
              `${award.table}, round ${award.round}, ${award.seats.length > 1 ? "seats" : "seat"} ${award.seats.join(", ")}`,
          },
          { title: "Of the meter", number: true, cell: (award) => (award.percent ? `${award.percent} %` : "amount") },
          { title: "Paid", number: true, cell: (award) => dollars(award.paid_cents) },
        ],
      }),
      this.has("floor", "owner") &&
        h(
          "div",
          { class: "buttons" },
          h(
            "button",
            { type: "button", class: "button small", disabled: this.busy, onclick: () => void this.change(meter) },
            "Propose other parameters",
          ),
          h(
            "button",
            { type: "button", class: "button small", disabled: this.busy, onclick: () => void this.correct(meter) },
            "Propose a correction",
          ),
        ),
    );
  }
}

/** @param {string} name @param {any} value */
const fact = (name, value) => h("div", { key: name }, h("dt", null, capital(plain(name))), h("dd", null, value));

/** @param {number | null | undefined} cents */
const amount = (cents) => (cents === null || cents === undefined ? "none" : dollars(cents));

customElements.define("cf-meters", Meters);
