// @ts-check
/** Tables that a person deals at: where a dealer goes to work, and where the floor opens one. */

import { ask } from "../shared/api.js";
import { h, wear } from "../shared/dom.js";
import { go } from "../main.js";
import { fieldNode, rowsTable, selectNode, StaffPage, written } from "../console/staff_page.js";

await Promise.all(["console/staff_page.css", "dealer/dealer.css"].map(wear));
/** Who deals, in words. @type {Record<string, string>} */
const DEALT = {
  automatic: "By the house",
  dealer: "By a dealer, virtual cards",
  physical: "Live: cards of a physical table",
};

class Deals extends StaffPage {
  heading = "Dealing";
  roles = ["dealer", "floor", "owner"];
  /** @type {any[]} */
  tables = [];
  /** What a table can be opened with, by id. @type {Record<string, string>} */
  rulebooks = {};

  async open() {
    const [lobby, floor] = await Promise.all([ask("/lobby"), ask("/floor")]);
    this.tables = lobby.tables.filter((/** @type {any} */ table) => table.dealt_by !== "automatic");
    this.rulebooks = floor.rulebooks;
  }

  body() {
    return [
      h(
        "section",
        { key: "tables", class: "card" },
        rowsTable({
          caption: "Tables with a dealer",
          rows: this.tables,
          key: (table) => table.id,
          none: "No table waits for a dealer. The floor opens one.",
          columns: [
            { title: "Table", cell: (table) => h("strong", null, table.id) },
            { title: "Game", cell: (table) => table.title },
            { title: "Dealt", cell: (table) => DEALT[table.dealt_by] },
            { title: "Round", number: true, cell: (table) => table.round },
            { title: "Seats", number: true, cell: (table) => `${table.taken} of ${table.seats}` },
            {
              title: "Desk",
              cell: (table) =>
                this.has("dealer") &&
                h(
                  "a",
                  { class: "button small", href: `/console/deal/${table.id}`, "aria-label": `Deal at ${table.id}` },
                  "Deal",
                ),
            },
          ],
        }),
      ),
      this.has("floor", "owner") && this.opening(),
    ];
  }

  opening() {
    return h(
      "form",
      {
        key: "open",
        class: "card deals-open",
        onsubmit: (/** @type {SubmitEvent} */ event) => void this.openTable(event),
      },
      h("h2", null, "Open a table for a dealer"),
      selectNode("rulebook", "Game", Object.entries(this.rulebooks)),
      selectNode("dealt_by", "Cards", [
        ["physical", "Live: those of a physical table, entered by the dealer"],
        ["dealer", "Virtual: shuffled by the house, dealt by a person"],
      ]),
      selectNode("pace", "Pace", [
        ["practice", "Practice: nobody is hurried"],
        ["regulated", "Regulated: decisions have a clock"],
      ]),
      fieldNode(
        { name: "id", title: "Name of the table", hint: "Small letters, digits and hyphens, as live-1." },
        { pattern: "[a-z0-9]+(-[a-z0-9]+)*", maxlength: 60 },
      ),
      h("div", { class: "buttons" }, h("button", { class: "button main", disabled: this.busy }, "Open the table")),
    );
  }

  /** @param {SubmitEvent} event */
  async openTable(event) {
    const given = written(event);
    await this.attempt(async () => {
      const { id } = await ask("/tables", "POST", { ...given, public: true });
      if (this.has("dealer")) go(`/console/deal/${id}`);
      else await this.open();
    }, `${given.id} is open, and waits for its dealer.`);
  }
}

customElements.define("cf-deals", Deals);
