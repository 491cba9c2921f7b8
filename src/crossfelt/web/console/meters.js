// @ts-check
/** The meters page: amounts, postings and their reconciliation; changes need two people. */

import { request } from "../shared/api.js";
import { buttonNode, fact, h, loadStylesheet } from "../shared/dom.js";
import { countText, dollars, timeText } from "../shared/format.js";
import { rowsTable } from "./page_parts.js";
import { PROPOSED, StaffPage } from "./staff_page.js";

await loadStylesheet("console/console.css");

/** The parameters that may change, with title and explanation. @type {[string, string, string][]} */
const CHANGEABLE = [
  ["reset_cents", "Reset amount", "The house pays this into the meter after a full award."],
  ["limit_cents", "Limit", "The highest amount that is shown and paid. The excess is kept for the next jackpot."],
  [
    "unreasonable_cents",
    "Highest contribution",
    "A larger contribution in one round is refused and the table is held.",
  ],
];

class Meters extends StaffPage {
  heading = "Meters";
  refreshMs = 5000;
  roles = ["floor", "auditor", "owner"];
  /** @type {any[]} */
  meters = [];

  async open() {
    this.meters = await request("/floor/meters");
  }

  /** @param {any} meter */
  async change(meter) {
    const given = await this.openDialog({
      title: `Change ${meter.title}`,
      says: h(
        "p",
        null,
        "Leave a field empty to keep its value. A second person must approve. The rate of progression is part of the Rules Submission.",
      ),
      label: "Propose",
      fields: [
        ...CHANGEABLE.map(([name, title, hint]) => ({
          name,
          title: `${title}, in dollars`,
          hint: `${hint} Now: ${amountText(meter.parameters[name])}.`,
          optional: true,
        })),
        { name: "reason", title: "Reason" },
      ],
    });
    if (!given) return;
    /** @type {Record<string, any>} */
    const details = {};
    for (const [name] of CHANGEABLE) {
      if (!given[name]) continue;
      const cents = this.dollarsFrom(given[name]);
      if (cents === null) return;
      details[name] = cents;
    }
    await this.propose({ kind: "meter_change", subject: meter.meter, details, reason: given.reason });
  }

  /** @param {any} meter */
  async correct(meter) {
    const given = await this.openDialog({
      title: `Correct ${meter.title}`,
      says: h(
        "p",
        null,
        "A correction is an entry of its own. It raises or lowers the meter. A second person must approve.",
      ),
      label: "Propose",
      fields: [
        { name: "by", title: "Change in cents", hint: "For example 125, or -125 to lower the meter." },
        { name: "reason", title: "Reason" },
      ],
    });
    if (!given) return;
    if (!/^-?\d{1,12}$/.test(given.by)) {
      this.problems = [
        {
          what: "this is not a whole number of cents",
          value: given.by,
          allowed: "a whole number, such as 125 or -125",
        },
      ];
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
      await request("/proposals", "POST", proposal);
    }, PROPOSED);
  }

  body() {
    if (!this.meters.length) return h("section", { class: "card" }, h("p", null, "No open table has a meter."));
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
          h(
            "p",
            { class: "quiet" },
            `${meter.meter}, ${meter.tables.length ? `at ${meter.tables.join(", ")}` : "at no open table"}`,
          ),
        ),
        h("p", { class: "meter-amount" }, dollars(meter.amount_cents)),
      ),
      h(
        "dl",
        { class: "facts floor-facts" },
        fact("Rate", `${Number((parameters.rate_per_million / 1e4).toFixed(4))} % of each wager`),
        fact("Reset", amountText(parameters.reset_cents)),
        fact("Limit", amountText(parameters.limit_cents)),
        fact("Full awards", countText(meter.hits)),
        fact("Winners paid", countText(meter.wins)),
        fact(
          "Pending awards",
          meter.pending.length ? h("span", { class: "tag bad" }, meter.pending.join("; ")) : "none",
        ),
      ),
      rowsTable({
        caption: "Account",
        narrow: true,
        rows: [...meter.postings, { title: "Current amount", dollars: meter.pool, is: "sum" }],
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
          ? "Reconciled: the contributions equal the payments plus the current amount."
          : "Not reconciled: the contributions do not equal the payments plus the current amount. Check the record on the audit page.",
      ),
      meter.overflow !== "$0.00" &&
        h("p", { class: "quiet" }, `${meter.overflow} of this is above the limit and is kept for the next jackpot.`),
      rowsTable({
        caption: "Latest awards",
        rows: /** @type {any[]} */ (meter.latest),
        key: (award) => award.number,
        none: "No award in the last thousand entries.",
        columns: [
          { title: "Award", cell: (award) => `${award.number}, ${timeText(award.at)}` },
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
          buttonNode("Propose new parameters", () => void this.change(meter), {
            class: "button small",
            disabled: this.busy,
          }),
          buttonNode("Propose a correction", () => void this.correct(meter), {
            class: "button small",
            disabled: this.busy,
          }),
        ),
    );
  }
}

/** @param {number | null | undefined} cents */
const amountText = (cents) => (cents === null || cents === undefined ? "none" : dollars(cents));

customElements.define("cf-meters", Meters);
