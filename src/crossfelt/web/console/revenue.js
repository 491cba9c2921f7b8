// @ts-check
/** Handle, hold and theoretical win of each table and wager, with the band that chance stays in, drawn and as values. */

import { ask } from "../shared/api.js";
import { bandPlot, coursePlot } from "./revenue_plots.js";
import { h } from "../shared/dom.js";
import { count, rowsTable, StaffPage, wear, when } from "./staff_page.js";
import { dollars, percent, signed } from "../shared/format.js";

class Figures extends StaffPage {
  heading = "Figures";
  roles = ["floor", "auditor", "owner"];
  /** @type {any[]} */
  tables = [];
  /** @type {any} */
  told = null;
  table = "";
  loading = false;

  async open() {
    await wear("console/console.css");
    this.tables = (await ask("/floor")).known;
    this.table = new URLSearchParams(location.search).get("table") ?? this.tables[0]?.id ?? "";
    void this.load();
  }

  async load() {
    this.loading = true;
    await this.attempt(async () => {
      this.told = await ask(`/tables/${this.table}/figures`);
    });
    this.loading = false;
    this.show();
  }

  /** @param {string} table */
  choose(table) {
    [this.table, this.told] = [table, null];
    history.replaceState(null, "", `/console/figures?table=${table}`);
    void this.load();
  }

  body() {
    const { told } = this;
    return h(
      "div",
      { class: "console-figures" },
      h(
        "div",
        { class: "figures-head" },
        h(
          "div",
          { class: "field" },
          h("label", { for: "figures-table" }, "Table"),
          h(
            "select",
            {
              id: "figures-table",
              "prop:value": this.table,
              onchange: (/** @type {any} */ event) => this.choose(event.target.value),
            },
            this.tables.map((table) =>
              h(
                "option",
                { key: table.id, value: table.id, selected: table.id === this.table },
                `${table.id}: ${table.title}${table.state === "closed" ? ", closed" : ""}`,
              ),
            ),
          ),
        ),
        h("a", { class: "button", href: "/api/figures", download: "crossfelt-figures.csv" }, "All tables as CSV"),
      ),
      this.loading &&
        h("p", { class: "quiet", role: "status" }, "Counting rounds, and working out what every wager returns…"),
      told && this.figures(told),
    );
  }

  /** @param {any} told */
  figures(told) {
    const { whole } = told;
    if (!told.rounds)
      return h(
        "section",
        { class: "card" },
        h("p", null, `No round has been settled at ${told.table} since it opened.`),
      );
    return [
      h(
        "section",
        { key: "whole", class: "card" },
        h("h2", null, `${told.table}: ${count(told.rounds)} rounds since ${when(told.since)}`),
        h(
          "dl",
          { class: "tiles" },
          tile("Handle", dollars(whole.handle_cents)),
          tile("Hold", signed(whole.hold_cents), share(whole.hold_cents, whole.handle_cents)),
          tile(
            "Theoretical win",
            signed(Math.round(whole.theory_cents)),
            share(whole.theory_cents, whole.handle_cents),
          ),
          tile("Off by", offBy(whole), verdict(whole, told.bands)),
        ),
        coursePlot(told),
      ),
      h("section", { key: "wagers", class: "card" }, this.wagers(told)),
      h(
        "section",
        { key: "notes", class: "card" },
        h("h2", null, "How to read this"),
        h(
          "ul",
          { class: "notes" },
          told.notes.map((/** @type {string} */ note) => h("li", { key: note }, note)),
        ),
      ),
    ];
  }

  /** @param {any} told */
  wagers(told) {
    return rowsTable({
      caption: "Wagers",
      rows: /** @type {any[]} */ (told.wagers),
      key: (wager) => wager.wager,
      columns: [
        { title: "Wager", cell: (wager) => wager.title },
        { title: "Bets", number: true, cell: (wager) => count(wager.bets) },
        { title: "Handle", number: true, cell: (wager) => dollars(wager.handle_cents) },
        {
          title: "Hold",
          number: true,
          cell: (wager) => [
            signed(wager.hold_cents),
            h("small", { class: "quiet under" }, share(wager.hold_cents, wager.handle_cents)),
          ],
        },
        {
          title: "Theory",
          number: true,
          cell: (wager) =>
            wager.theory_cents === null
              ? "not known"
              : [
                  signed(Math.round(wager.theory_cents)),
                  h("small", { class: "quiet under" }, share(wager.theory_cents, wager.handle_cents)),
                ],
        },
        {
          title: "Within the band",
          wide: true,
          cell: (wager) =>
            wager.theory_cents === null || !wager.bets
              ? h("span", { class: "quiet" }, wager.bets ? "" : "no bets")
              : [
                  bandPlot(wager, told.bands),
                  h("small", { class: "quiet under" }, `${offBy(wager)} ${verdict(wager, told.bands)}`),
                ],
        },
      ],
    });
  }
}

/** @param {string} name @param {any} value @param {any} [note] */
const tile = (name, value, note) =>
  h(
    "div",
    { key: name },
    h("dt", null, name),
    h("dd", null, value, note && h("small", { class: "quiet under" }, note)),
  );

/** @param {number} part @param {number} whole */
const share = (part, whole) => (whole ? percent(part / whole, 2) : "");

/** How many standard deviations the hold is from theory. @param {any} of */
const deviations = (of) => (of.deviation_cents ? (of.hold_cents - of.theory_cents) / of.deviation_cents : 0);

/** @param {any} of */
const offBy = (of) => `${deviations(of) < 0 ? "−" : "+"}${Math.abs(deviations(of)).toFixed(2)} SD`;

/** @param {any} of @param {number[]} bands */
function verdict(of, bands) {
  const band = bands.find((wide) => Math.abs(deviations(of)) <= wide);
  return band ? `within ${band} SD` : `beyond ${bands[bands.length - 1]} SD: look into it`;
}

customElements.define("cf-figures", Figures);
