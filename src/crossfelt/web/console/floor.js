// @ts-check
/** The floor: every table of the house with its decks and devices, what waits for somebody, and new tables. */

import { ask } from "../shared/api.js";
import { deckWords } from "./table_status.js";
import { h } from "../shared/dom.js";
import { count, fieldNode, rowsTable, selectNode, StaffPage, wear, written } from "./staff_page.js";
import { capital, dollars, plain } from "../shared/format.js";

const LOOK_EVERY = 5000;
const PACES = ["practice", "regulated", "instant"];
/** @type {Record<string, string>} */
const DEALT_BY = { automatic: "The house", dealer: "A dealer, virtual cards", physical: "A dealer, physical cards" };

class Floor extends StaffPage {
  heading = "Floor";
  /** @type {any} */
  floor = null;

  async open() {
    await wear("console/console.css");
    this.floor = await ask("/floor");
    this.timer = setInterval(() => void this.look(), LOOK_EVERY);
  }

  close() {
    clearInterval(this.timer);
  }

  async look() {
    if (this.busy) return;
    this.floor = (await ask("/floor").catch(() => null)) ?? this.floor;
    this.show();
  }

  /** @param {SubmitEvent} event */
  async openTable(event) {
    const { rulebook, id, pace, dealt_by: dealtBy } = written(event);
    await this.attempt(async () => {
      await ask("/tables", "POST", { rulebook, pace, dealt_by: dealtBy, public: true, ...(id && { id }) });
      this.floor = await ask("/floor");
    }, "The table is open.");
  }

  body() {
    const { floor } = this;
    const waits = floor.tables.filter((/** @type {any} */ table) => attention(table, floor.now).length);
    return h(
      "div",
      { class: "floor" },
      h(
        "section",
        { class: "card" },
        h("h2", null, "Needs somebody"),
        waits.length
          ? h(
              "ul",
              { class: "needs" },
              waits.map((/** @type {any} */ table) =>
                h(
                  "li",
                  { key: table.id },
                  h("a", { href: `/console/table/${table.id}` }, table.id),
                  attention(table, floor.now).map((words) => h("span", { key: words, class: "tag bad" }, words)),
                ),
              ),
            )
          : h("p", { class: "quiet" }, "Nothing waits for the floor."),
        floor.shut.length > 0 &&
          h("p", { class: "notice" }, `Cannot be read, and stays shut: ${floor.shut.join(", ")}.`),
        floor.outdated.length > 0 &&
          h(
            "p",
            { class: "notice" },
            "Opened under rules that this version does not have. Close each to return its chips to the accounts: ",
            floor.outdated.map((/** @type {string} */ table) =>
              h(
                "button",
                {
                  key: table,
                  type: "button",
                  class: "button small",
                  onclick: () => void this.attempt(() => ask(`/tables/${table}`, "DELETE")),
                },
                `Close ${table}`,
              ),
            ),
          ),
      ),
      h("section", { class: "card" }, this.tables(floor)),
      this.has("floor", "owner") && this.newTable(floor),
    );
  }

  /** @param {any} floor */
  tables(floor) {
    return [
      rowsTable({
        caption: "Tables",
        rows: /** @type {any[]} */ (floor.tables),
        key: (table) => table.id,
        none: "No table is open.",
        columns: [
          {
            title: "Table",
            cell: (table) => [
              h("a", { href: `/console/table/${table.id}` }, table.id),
              h(
                "small",
                { class: "quiet under" },
                `${table.title}; ${DEALT_BY[table.dealt_by].toLowerCase()} deals, ${table.pace} pace`,
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
                table.round ? `Round ${count(table.round)}: ${table.doing}` : capital(table.doing),
              ),
              table.coming &&
                h("small", { class: "quiet under" }, `Closes after the round: new rules (${table.coming})`),
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
                h("small", { key: deck.id, class: "under" }, deckWords(deck, table, floor.now)),
              ),
          },
          { title: "Tray", number: true, cell: (table) => dollars(table.tray_cents) },
          {
            title: "Go to",
            cell: (table) =>
              h(
                "span",
                { class: "row-links" },
                h("a", { href: `/console/table/${table.id}` }, "Floor view"),
                this.has("floor", "auditor", "owner") &&
                  h("a", { href: `/console/submission/${table.id}` }, "Submission"),
                this.has("dealer") &&
                  table.dealt_by !== "automatic" &&
                  h("a", { href: `/console/deal/${table.id}` }, "Deal"),
              ),
          },
        ],
      }),
      floor.private > 0 &&
        h(
          "p",
          { class: "quiet" },
          `Beside these, guests have ${count(floor.private)} private ${floor.private === 1 ? "table" : "tables"} for practice.`,
        ),
    ];
  }

  /** @param {any} floor */
  newTable(floor) {
    return h(
      "form",
      { class: "card new-table", onsubmit: (/** @type {SubmitEvent} */ event) => void this.openTable(event) },
      h("h2", null, "Open another table"),
      selectNode("rulebook", "Rulebook", Object.entries(floor.rulebooks)),
      fieldNode(
        {
          name: "id",
          title: "Name",
          optional: true,
          hint: "Small letters, digits and hyphens; found by itself where you give none.",
        },
        { maxlength: 60 },
      ),
      selectNode(
        "pace",
        "Pace",
        PACES.map((pace) => [pace, capital(pace)]),
      ),
      selectNode("dealt_by", "Dealt by", Object.entries(DEALT_BY)),
      h("div", { class: "buttons" }, h("button", { class: "button main", disabled: this.busy }, "Open the table")),
    );
  }
}

/** The limits of the wager that must be placed. @param {any} table */
function limitsOf(table) {
  const [name, limit] = Object.entries(table.limits).find(([posted]) => ["ante", "main"].includes(posted)) ?? [
    "",
    null,
  ];
  return limit ? `${capital(plain(name))} ${dollars(limit.min)} to ${dollars(limit.max)}` : "posted";
}

/** What a table wants from somebody, in a few words each. @param {any} table @param {number} now @returns {string[]} */
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
    table.papers.length > 0 && "documents of an award",
  ].filter(Boolean);
}

customElements.define("cf-floor", Floor);
