// @ts-check
/** The figures of a gaming day by shift and table: drop, handle, win, hold, theoretical win, fills and credits. */

import { request } from "../shared/api.js";
import { buttonNode, h, loadStylesheet } from "../shared/dom.js";
import { countText, dollars, percent, signed, timeText } from "../shared/format.js";
import { fieldNode } from "../shared/forms.js";
import { rowsTable } from "./page_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/console.css");

class DayFigures extends StaffPage {
  heading = "Day and shifts";
  roles = ["floor", "auditor", "owner"];
  /** @type {any} */
  figures = null;
  day = new URLSearchParams(location.search).get("day") ?? "";

  async open() {
    await this.load();
  }

  async load() {
    this.figures = await request(`/figures/day?${new URLSearchParams({ day: this.day })}`);
    this.day = this.figures.day;
  }

  /** @param {string} day */
  choose(day) {
    if (!day) return;
    [this.day, this.figures] = [day, null];
    history.replaceState(null, "", `/console/day?day=${day}`);
    void this.attempt(() => this.load());
  }

  body() {
    const { figures, day } = this;
    return h(
      "div",
      { class: "console-figures day-figures" },
      h(
        "div",
        { class: "figures-head not-printed" },
        fieldNode(
          { name: "day", title: "Gaming day", type: "date", value: day },
          { onchange: (/** @type {any} */ event) => this.choose(event.target.value) },
        ),
        h("a", { class: "button", href: `/api/figures/day.csv?day=${day}`, download: true }, "Download as CSV"),
        buttonNode("Print", () => print(), { class: "button" }),
        h("a", { class: "button quiet", href: "/console/figures" }, "Revenue by wager"),
      ),
      figures
        ? [
            h(
              "p",
              { key: "made", class: "quiet" },
              `${figures.day}, times in ${figures.zone}. Made ${timeText(figures.made_at)} for ${this.me?.name}.`,
            ),
            figures.unread.length > 0 &&
              h(
                "p",
                { key: "unread", class: "notice" },
                `Not in the sums, because they cannot be read: ${figures.unread.join(", ")}.`,
              ),
            [...figures.shifts.map(inZone(figures.zone)), figures.whole].map((period) =>
              h("section", { key: period.title, class: "card" }, h("h2", null, period.title), periodTable(period)),
            ),
            h(
              "p",
              { key: "note", class: "quiet" },
              "Drop is chips bought. Hold is win as a share of the handle. Theoretical win assumes best play on the stakes that were placed, ± one standard deviation.",
            ),
          ]
        : !this.problems.length && h("p", { class: "quiet", role: "status" }, "Counting the rounds of the day…"),
    );
  }
}

/** A shift with the zone of its times in the title. @param {string} zone */
const inZone = (zone) => (/** @type {any} */ shift) => ({ ...shift, title: `${shift.title}, ${zone}` });

/** @param {any} period */
const periodTable = (period) =>
  rowsTable({
    caption: period.title,
    hidden: true,
    rows: period.tables.length ? [...period.tables, period.total] : /** @type {any[]} */ ([]),
    key: (line) => line.table,
    none: "Nothing happened.",
    columns: [
      { title: "Table", cell: (line) => (line.table === "all" ? h("strong", null, line.title) : line.table) },
      { title: "Rounds", number: true, cell: (line) => countText(line.rounds) },
      { title: "Drop", number: true, cell: (line) => dollars(line.drop_cents) },
      { title: "Handle", number: true, cell: (line) => dollars(line.handle_cents) },
      { title: "Win", number: true, cell: (line) => signed(line.win_cents) },
      {
        title: "Hold",
        number: true,
        cell: (line) => (line.handle_cents ? percent(line.win_cents / line.handle_cents, 2) : "–"),
      },
      {
        title: "Theoretical win",
        number: true,
        cell: (line) =>
          line.theory_cents === null
            ? "unknown"
            : `${signed(Math.round(line.theory_cents))} ± ${dollars(Math.round(line.deviation_cents))}`,
      },
      { title: "Fills", number: true, cell: (line) => dollars(line.fills_cents) },
      { title: "Credits", number: true, cell: (line) => dollars(line.credits_cents) },
    ],
  });

customElements.define("cf-day-figures", DayFigures);
