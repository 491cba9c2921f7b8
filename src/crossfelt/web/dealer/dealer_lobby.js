// @ts-check
/** The tables with a dealer: dealers go to their desks, the floor opens tables. */

import { rowsTable } from "../console/page_parts.js";
import { StaffPage } from "../console/staff_page.js";
import { go } from "../main.js";
import { request } from "../shared/api.js";
import { buttonRow, h, loadStylesheet } from "../shared/dom.js";
import { fieldNode, formValues, selectNode } from "../shared/forms.js";

await Promise.all(["console/staff_page.css", "dealer/dealer.css"].map(loadStylesheet));
/** The kinds of dealing. @type {Record<string, string>} */
const DEALT_BY = {
  automatic: "Automatic",
  dealer: "Virtual cards",
  physical: "Live, physical cards",
};

class DealerLobby extends StaffPage {
  heading = "Dealing";
  roles = ["dealer", "floor", "owner"];
  /** @type {any[]} */
  tables = [];
  /** The titles of the rulebooks by id. @type {Record<string, string>} */
  rulebooks = {};

  async open() {
    const [lobby, floor] = await Promise.all([request("/lobby"), request("/floor")]);
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
          none: "No table has a dealer. The floor can open one.",
          columns: [
            { title: "Table", cell: (table) => h("strong", null, table.id) },
            { title: "Game", cell: (table) => table.title },
            { title: "Cards", cell: (table) => DEALT_BY[table.dealt_by] },
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
      this.has("floor", "owner") && this.newTableForm(),
    ];
  }

  newTableForm() {
    return h(
      "form",
      {
        key: "open",
        class: "card new-dealer-table",
        onsubmit: (/** @type {SubmitEvent} */ event) => void this.openTable(event),
      },
      h("h2", null, "Open a table for a dealer"),
      selectNode("rulebook", "Game", Object.entries(this.rulebooks)),
      selectNode("dealt_by", "Cards", [
        ["physical", "Live: physical cards, entered by the dealer"],
        ["dealer", "Virtual: shuffled by the server, dealt by a person"],
      ]),
      selectNode("pace", "Pace", [
        ["practice", "Practice: no time limit"],
        ["regulated", "Regulated: decisions have a time limit"],
      ]),
      fieldNode(
        { name: "id", title: "Name of the table", hint: "Lower-case letters, digits and hyphens, for example live-1." },
        { pattern: "[a-z0-9]+(-[a-z0-9]+)*", maxlength: 60 },
      ),
      buttonRow(h("button", { class: "button main", disabled: this.busy }, "Open the table")),
    );
  }

  /** @param {SubmitEvent} event */
  async openTable(event) {
    const given = formValues(event);
    await this.attempt(async () => {
      const { id } = await request("/tables", "POST", { ...given, public: true });
      if (this.has("dealer")) go(`/console/deal/${id}`);
      else await this.open();
    }, `${given.id} is open and waits for its dealer.`);
  }
}

customElements.define("cf-dealer-lobby", DealerLobby);
