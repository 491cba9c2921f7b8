// @ts-check
/** The floor: every table of the house, and where to go from it. */

import { ask } from "./api.js";
import { h } from "./dom.js";
import { rowsTable, StaffPage } from "./staff.js";
import { capital } from "./words.js";

class Floor extends StaffPage {
  heading = "Floor";
  /** @type {any[]} */
  tables = [];

  async open() {
    this.tables = (await ask("/lobby")).tables;
  }

  body() {
    return h(
      "section",
      { class: "card" },
      rowsTable({
        caption: "Tables",
        rows: this.tables,
        key: (table) => table.id,
        none: "No table is open.",
        columns: [
          { title: "Table", cell: (table) => h("a", { href: `/table/${table.id}` }, table.id) },
          { title: "Game", cell: (table) => table.title },
          { title: "Phase", cell: (table) => capital(table.phase.replaceAll("_", " ")) },
          { title: "Round", number: true, cell: (table) => table.round },
          { title: "Seats", number: true, cell: (table) => `${table.taken} of ${table.seats}` },
        ],
      }),
    );
  }
}

customElements.define("cf-floor", Floor);
