// @ts-check
/** The floor: all public tables with their decks and devices, what needs attention, and new tables. */

import { request } from "../shared/api.js";
import { buttonNode, buttonRow, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, countText, dollars, plain, timeText } from "../shared/format.js";
import { fieldNode, formValues, selectNode } from "../shared/forms.js";
import { rowsTable } from "./page_parts.js";
import { PROPOSED, StaffPage } from "./staff_page.js";
import { deckText } from "./table_status.js";

await loadStylesheet("console/console.css");

const PACES = ["practice", "regulated", "instant"];
/** @type {Record<string, string>} */
const DEALT_BY = { automatic: "Automatic dealer", dealer: "Dealer, virtual cards", physical: "Dealer, physical cards" };

/** @type {Record<string, string>} */
const ALARMS = {
  record: "Record broken",
  meter: "Meter mismatch",
  award: "Large award",
  odds: "Odds changed",
  log_in: "Log-ins",
  software: "Software changed",
  proposal: "Proposal",
};

class Floor extends StaffPage {
  heading = "Floor";
  refreshMs = 5000;
  /** @type {any} */
  floor = null;
  /** @type {any[]} */
  alarms = [];

  async open() {
    [this.floor, this.alarms] = await Promise.all([request("/floor"), request("/floor/alarms")]);
  }

  async acknowledge() {
    const until = Math.max(...this.alarms.map(({ at }) => at ?? 0));
    await this.attempt(async () => {
      this.alarms = await request("/floor/alarms/acknowledgement", "POST", { until });
    }, "The alarms are noted as seen.");
  }

  /** @param {SubmitEvent} event */
  async openTable(event) {
    const { rulebook, id, pace, dealt_by: dealtBy, link, reason } = formValues(event);
    if (link) {
      const details = { rulebook, pace, dealt_by: dealtBy, link: rulebook };
      const asked = { kind: "opening", subject: id, details, reason: reason || "a table on the shared meters" };
      await this.attempt(async () => void (await request("/proposals", "POST", asked)), PROPOSED);
      return;
    }
    await this.attempt(async () => {
      await request("/tables", "POST", { rulebook, pace, dealt_by: dealtBy, public: true, ...(id && { id }) });
      this.floor = await request("/floor");
    }, "The table is open.");
  }

  body() {
    const { floor } = this;
    const waiting = floor.tables.filter((/** @type {any} */ table) => attention(table, floor.now).length);
    return h(
      "div",
      { class: "floor" },
      this.alarms.length > 0 && this.alarmList(),
      h(
        "section",
        { class: "card" },
        h("h2", null, "Needs attention"),
        waiting.length
          ? h(
              "ul",
              { class: "needs" },
              waiting.map((/** @type {any} */ table) =>
                h(
                  "li",
                  { key: table.id },
                  h("a", { href: `/console/table/${table.id}` }, table.id),
                  attention(table, floor.now).map((words) => h("span", { key: words, class: "tag bad" }, words)),
                ),
              ),
            )
          : quietText("No table needs attention."),
        floor.shut.length > 0 &&
          h(
            "p",
            { class: "notice" },
            `The records of these tables cannot be read, so they stay closed: ${floor.shut.join(", ")}. Check the record on the audit page.`,
          ),
        floor.tables
          .filter((/** @type {any} */ table) => table.departure)
          .map((/** @type {any} */ table) =>
            h("p", { key: table.id, class: "notice info" }, `${table.id}: ${table.departure}`),
          ),
        floor.outdated.length > 0 &&
          h(
            "p",
            { class: "notice" },
            "These tables use rules that this version does not have. Close each one to return its chips to the accounts: ",
            floor.outdated.map((/** @type {string} */ table) =>
              buttonNode(`Close ${table}`, () => void this.attempt(() => request(`/tables/${table}`, "DELETE")), {
                key: table,
                class: "button small",
              }),
            ),
          ),
      ),
      h("section", { class: "card" }, this.tables(floor)),
      this.has("floor", "owner") && this.newTable(floor),
    );
  }

  alarmList() {
    return h(
      "section",
      { class: "card alarms", "aria-labelledby": "alarms-title" },
      h("h2", { id: "alarms-title" }, "Alarms"),
      h(
        "ul",
        { class: "needs" },
        this.alarms.map(({ kind, what, at, subject }, number) =>
          h(
            "li",
            { key: `${number} ${at} ${what}` },
            h("span", { class: "tag bad" }, ALARMS[kind]),
            subject && h("strong", null, `${subject}:`),
            h("span", null, what),
            at && h("time", { class: "quiet", datetime: new Date(at).toISOString() }, timeText(at)),
          ),
        ),
      ),
      this.has("floor", "owner") &&
        this.alarms.some(({ at, by }) => at && by !== this.me?.account) &&
        buttonRow(buttonNode("Mark as seen", () => void this.acknowledge(), { class: "button" })),
    );
  }

  /** @param {any} floor */
  tables(floor) {
    return [
      rowsTable({
        caption: "Tables",
        rows: /** @type {any[]} */ (floor.tables),
        key: (table) => table.id,
        none: "No table is open. Open one below.",
        columns: [
          {
            title: "Table",
            cell: (table) => [
              h("a", { href: `/console/table/${table.id}` }, table.id),
              h(
                "small",
                { class: "quiet under" },
                `${table.title}; ${DEALT_BY[table.dealt_by].toLowerCase()}, ${table.pace} pace`,
              ),
            ],
          },
          {
            title: "State",
            cell: (table) => [
              h("span", { class: `tag ${table.phase === "open" ? "good" : ""}` }, capital(plain(table.phase))),
              h(
                "small",
                { class: "quiet under" },
                table.round ? `Round ${countText(table.round)}: ${table.doing}` : capital(table.doing),
              ),
              table.coming &&
                h("small", { class: "quiet under" }, `Closes after this round for new rules (${table.coming})`),
              table.closing &&
                h("small", { class: "quiet under" }, `Closes for good after this round (${table.closing})`),
            ],
          },
          {
            title: "Players",
            cell: (table) => [
              `${table.people.length + table.bots} of ${table.seats}`,
              h(
                "small",
                { class: "quiet under" },
                [table.people.join(", "), table.bots && `${table.bots} ${table.bots === 1 ? "bot" : "bots"}`]
                  .filter(Boolean)
                  .join("; "),
              ),
            ],
          },
          { title: "Limits", cell: limitsOf },
          {
            title: "Decks",
            cell: (table) =>
              table.decks.map((/** @type {any} */ deck) =>
                h("small", { key: deck.id, class: "under" }, deckText(deck, table, floor.now)),
              ),
          },
          { title: "Tray", number: true, cell: (table) => dollars(table.tray_cents) },
          {
            title: "Pages",
            cell: (table) =>
              h(
                "span",
                { class: "row-links" },
                h("a", { href: `/console/table/${table.id}` }, "Floor"),
                this.has("floor", "auditor", "owner") && [
                  h("a", { key: "rounds", href: `/console/rounds/${table.id}` }, "Last rounds"),
                  h("a", { key: "submission", href: `/console/submission/${table.id}` }, "Submission"),
                ],
                this.has("dealer") &&
                  table.dealt_by !== "automatic" &&
                  h("a", { href: `/console/deal/${table.id}` }, "Deal"),
              ),
          },
        ],
      }),
      floor.private > 0 &&
        quietText(
          `Guests also have ${countText(floor.private)} private practice ${floor.private === 1 ? "table" : "tables"}.`,
        ),
    ];
  }

  /** @param {any} floor */
  newTable(floor) {
    return h(
      "form",
      { class: "card new-table", onsubmit: (/** @type {SubmitEvent} */ event) => void this.openTable(event) },
      h("h2", null, "Open a table"),
      selectNode("rulebook", "Rulebook", Object.entries(floor.rulebooks)),
      fieldNode(
        {
          name: "id",
          title: "Name",
          optional: true,
          hint: "Lower-case letters, digits and hyphens. Leave it empty for an automatic name.",
        },
        { maxlength: 60 },
      ),
      selectNode(
        "pace",
        "Pace",
        PACES.map((pace) => [pace, capital(pace)]),
      ),
      selectNode("dealt_by", "Dealt by", Object.entries(DEALT_BY)),
      selectNode("link", "Meters", [
        ["", "Meters of its own"],
        ["rulebook", "Shared with its rulebook (two people, needs a name)"],
      ]),
      buttonRow(h("button", { class: "button main", disabled: this.busy }, "Open the table")),
    );
  }
}

/** Returns the limits of the wager that a hand begins with. @param {any} table */
function limitsOf(table) {
  const [name, limit] = Object.entries(table.limits)[0] ?? [];
  return limit ? `${capital(plain(name))} ${dollars(limit.min)} to ${dollars(limit.max)}` : "posted";
}

/** Returns the matters of a table that need attention. @param {any} table @param {number} now @returns {string[]} */
function attention(table, now) {
  return [
    table.waits && table.waits.title,
    table.halted && "a fill is due",
    table.held && `held: ${table.held}`,
    ...table.postponed,
    table.count_due && table.dealt_by !== "automatic" && "stub count due",
    ...table.decks
      .filter((/** @type {any} */ deck) => deck.change_due_at && deck.change_due_at <= now)
      .map((/** @type {any} */ deck) => `deck ${deck.id}: change due`),
    ...Object.entries(table.devices)
      .filter(([, state]) => state !== "in_use")
      .map(([device, state]) => `${plain(device)} ${plain(String(state))}`),
    table.papers.length > 0 && "award documents due",
  ].filter(Boolean);
}

customElements.define("cf-floor", Floor);
