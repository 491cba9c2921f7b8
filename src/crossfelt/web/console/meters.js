// @ts-check
/** The meters page: amounts, postings and their reconciliation; changes need two people. */

import { request } from "../shared/api.js";
import { buttonNode, buttonRow, fact, h, loadStylesheet, quietText } from "../shared/dom.js";
import { countText, dollars, timeText } from "../shared/format.js";
import { fieldNode, formValues, selectNode } from "../shared/forms.js";
import { decisionsTable, rowsTable } from "./page_parts.js";
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

const OWN = "own";

class Meters extends StaffPage {
  heading = "Meters";
  refreshMs = 5000;
  roles = ["floor", "auditor", "owner"];
  /** @type {any[]} */
  meters = [];
  /** The decisions about meters and links. @type {any[]} */
  decided = [];

  async open() {
    const [meters, decided] = await Promise.all([request("/floor/meters"), request("/proposals/decided")]);
    this.meters = meters;
    this.decided = decided.filter(
      (/** @type {any} */ it) =>
        it.kind.startsWith("meter") || /^(?!account\/).+\//.test(it.subject) || it.details.link !== undefined,
    );
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

  /** @param {any} meter */
  async retire(meter) {
    const others = this.meters.filter((it) => it.meter !== meter.meter && it.title === meter.title);
    const given = await this.openDialog({
      title: `Retire ${meter.meter}`,
      says: h(
        "p",
        null,
        `Its ${dollars(meter.amount_cents)} goes to another meter, or to the house. It cannot be undone.`,
      ),
      label: "Propose",
      danger: true,
      fields: [
        {
          name: "to",
          title: "Meter that takes the amount",
          optional: true,
          hint: `Empty for the house. ${others.length ? `For example ${others[0].meter}.` : ""}`,
        },
        { name: "reason", title: "Reason" },
      ],
    });
    if (!given) return;
    const { to, reason } = given;
    await this.propose({ kind: "meter_retirement", subject: meter.meter, details: to ? { to } : {}, reason });
  }

  /** @param {SubmitEvent} event */
  async link(event) {
    const { table, link, reason } = formValues(event);
    const details = { link: link === OWN ? "" : link };
    await this.propose({ kind: "submission", subject: table, details, reason });
  }

  linkForm() {
    const tables = [...new Set(this.meters.flatMap((meter) => meter.tables))].sort();
    const links = [...new Set(this.meters.map((meter) => meter.meter.split("/")[0]))].sort();
    return h(
      "form",
      { class: "card new-table", onsubmit: (/** @type {SubmitEvent} */ event) => void this.link(event) },
      h("h2", null, "Link a table"),
      quietText(
        "Tables on one link share their meters and have the same odds and contributions. A physical table has meters of its own. The table closes after its round and opens again on the link.",
      ),
      selectNode(
        "table",
        "Table",
        tables.map((it) => [it, it]),
      ),
      selectNode("link", "Link", [[OWN, "Meters of its own"], ...links.map((it) => [it, it])]),
      fieldNode({ name: "reason", title: "Reason" }),
      buttonRow(h("button", { class: "button main", disabled: this.busy }, "Propose")),
    );
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
      { class: "meter-cards" },
      this.meters.map((meter) => this.meter(meter)),
      this.has("floor", "owner") && this.linkForm(),
      h("section", { key: "decisions", class: "card" }, decisionsTable(this.decided)),
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
          quietText(`${meter.meter}, ${meter.tables.length ? `at ${meter.tables.join(", ")}` : "at no open table"}`),
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
        { class: meter.findings.length ? "notice" : "done" },
        meter.findings.length
          ? `Not reconciled: ${meter.findings.join("; ")}. Check the record on the audit page.`
          : `Reconciled: the tables claimed ${countText(meter.claimed)} awards, the meter granted ${dollars(meter.granted_cents)}, and the tables paid ${dollars(meter.paid_cents)}.`,
      ),
      meter.overflow !== "$0.00" &&
        quietText(`${meter.overflow} of this is above the limit and is kept for the next jackpot.`),
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
        buttonRow(
          !meter.tables.length &&
            buttonNode("Propose to retire it", () => void this.retire(meter), {
              class: "button small",
              disabled: this.busy,
            }),
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
