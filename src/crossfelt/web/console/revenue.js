// @ts-check
/** The revenue page: handle, hold and theoretical win of each table and wager, with bands of standard deviations. */

import { request } from "../shared/api.js";
import { h, loadStylesheet } from "../shared/dom.js";
import { axisTicks, countText, dollars, listText, percent, signed, timeText } from "../shared/format.js";
import { rowsTable, tile } from "./page_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/console.css");

class Revenue extends StaffPage {
  heading = "Revenue";
  roles = ["floor", "auditor", "owner"];
  /** @type {any[]} */
  tables = [];
  /** @type {any} */
  figures = null;
  table = "";
  loading = false;

  async open() {
    this.tables = (await request("/floor")).known;
    this.table = new URLSearchParams(location.search).get("table") ?? this.tables[0]?.id ?? "";
    if (this.table) void this.load();
  }

  async load() {
    this.loading = true;
    await this.attempt(async () => {
      this.figures = await request(`/tables/${this.table}/figures`);
    });
    this.loading = false;
    this.show();
  }

  /** @param {string} table */
  choose(table) {
    [this.table, this.figures] = [table, null];
    history.replaceState(null, "", `/console/figures?table=${table}`);
    void this.load();
  }

  body() {
    const { figures } = this;
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
        this.table && h("a", { class: "button", href: `/console/statistics/${this.table}` }, "Statistics"),
        h("a", { class: "button", href: "/console/day" }, "By day and shift"),
        h("a", { class: "button", href: "/api/figures", download: "crossfelt-figures.csv" }, "All tables as CSV"),
      ),
      this.loading &&
        h("p", { class: "quiet", role: "status" }, "Counting rounds and computing the return of each wager…"),
      !this.table && h("p", null, "No table has been opened yet. Open one on the floor page."),
      figures && this.figuresNode(figures),
    );
  }

  /** @param {any} figures */
  figuresNode(figures) {
    const { whole } = figures;
    if (!figures.rounds)
      return h("section", { class: "card" }, h("p", null, `No round has been settled at ${figures.table} yet.`));
    return [
      h(
        "section",
        { key: "whole", class: "card" },
        h(
          "h2",
          null,
          `${figures.table}: ${figures.rounds === 1 ? "1 round" : `${countText(figures.rounds)} rounds`} since ${timeText(figures.since)}`,
        ),
        h(
          "dl",
          { class: "tiles" },
          tile("Handle", dollars(whole.handle_cents)),
          tile("Hold", signed(whole.hold_cents), share(whole.hold_cents, whole.handle_cents)),
          whole.theory_cents === null
            ? tile("Theoretical win", "Unknown", "This game has no solution.")
            : [
                tile(
                  "Theoretical win",
                  signed(Math.round(whole.theory_cents)),
                  share(whole.theory_cents, whole.handle_cents),
                ),
                tile("Deviation", offBy(whole), verdict(whole, figures.bands)),
              ],
        ),
        whole.theory_cents < 0 &&
          h("p", { class: "notice" }, "By these rules the players win in the long run. Check the Rules Submission."),
        figures.limited && h("p", { class: "notice" }, figures.limited),
        whole.theory_cents !== null && coursePlot(figures),
      ),
      h("section", { key: "wagers", class: "card" }, this.wagers(figures)),
      h(
        "section",
        { key: "notes", class: "card" },
        h("h2", null, "How to read this"),
        h(
          "ul",
          { class: "notes" },
          figures.notes.map((/** @type {string} */ note) => h("li", { key: note }, note)),
        ),
      ),
    ];
  }

  /** @param {any} figures */
  wagers(figures) {
    return rowsTable({
      caption: "Wagers",
      rows: /** @type {any[]} */ (figures.wagers),
      key: (wager) => wager.wager,
      columns: [
        { title: "Wager", cell: (wager) => wager.title },
        { title: "Bets", number: true, cell: (wager) => countText(wager.bets) },
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
              ? "unknown"
              : [
                  signed(Math.round(wager.theory_cents)),
                  h("small", { class: "quiet under" }, share(wager.theory_cents, wager.handle_cents)),
                ],
        },
        {
          title: "Deviation",
          wide: true,
          cell: (wager) =>
            wager.theory_cents === null || !wager.bets
              ? h("span", { class: "quiet" }, wager.bets ? "" : "no bets")
              : [
                  bandPlot(wager, figures.bands),
                  h("small", { class: "quiet under" }, `${offBy(wager)} ${verdict(wager, figures.bands)}`),
                ],
        },
      ],
    });
  }
}

/** @param {number} part @param {number} whole */
const share = (part, whole) => (whole ? percent(part / whole, 2) : "");

/** Returns the distance of the hold from theory, in standard deviations. @param {any} of */
const deviations = (of) => (of.deviation_cents ? (of.hold_cents - of.theory_cents) / of.deviation_cents : 0);

/** @param {any} of */
const offBy = (of) => `${deviations(of) < 0 ? "−" : "+"}${Math.abs(deviations(of)).toFixed(2)} SD`;

/** @param {any} of @param {number[]} bands */
function verdict(of, bands) {
  const band = bands.find((wide) => Math.abs(deviations(of)) <= wide);
  return band ? `within ${band} SD` : `beyond ${bands[bands.length - 1]} SD: investigate`;
}

const WIDE = 900;
const HIGH = 320;
const LEFT = 104;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 34;
const TICKS = 5;

/** A plot of the hold after each round, with theory and its bands. @param {any} figures */
function coursePlot(figures) {
  const nothing = { round: 0, hold_cents: 0, theory_cents: 0, deviation_cents: 0 };
  const course = [nothing, ...figures.course];
  const widest = figures.bands[figures.bands.length - 1];
  const edges = course.flatMap((at) => [
    at.hold_cents,
    at.theory_cents - widest * at.deviation_cents,
    at.theory_cents + widest * at.deviation_cents,
  ]);
  const [low, high] = [Math.min(...edges), Math.max(...edges)];
  const last = course[course.length - 1];
  const x = (/** @type {number} */ round) => LEFT + ((WIDE - LEFT - RIGHT) * round) / (last.round || 1);
  const y = (/** @type {number} */ cents) => TOP + ((HIGH - TOP - BOTTOM) * (high - cents)) / (high - low || 1);
  const line = (/** @type {(at: any) => number} */ of) =>
    course.map((at) => `${x(at.round).toFixed(1)},${y(of(at)).toFixed(1)}`);
  const band = (/** @type {number} */ wide) =>
    [
      ...line((at) => at.theory_cents + wide * at.deviation_cents),
      ...line((at) => at.theory_cents - wide * at.deviation_cents).reverse(),
    ].join(" ");
  const description = `After ${countText(last.round)} rounds the hold is ${signed(last.hold_cents)}. Theory: ${signed(Math.round(last.theory_cents))}, standard deviation ${dollars(Math.round(last.deviation_cents))}.`;
  return h(
    "figure",
    { class: "plot" },
    h(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": description },
      [...figures.bands]
        .reverse()
        .map((/** @type {number} */ wide) =>
          h("polygon", { key: `band ${wide}`, class: `band band-${wide}`, points: band(wide) }),
        ),
      axisTicks(low, high, TICKS).map((at) => [
        h("line", { key: `y ${at}`, class: at ? "tick" : "zero", x1: LEFT, x2: WIDE - RIGHT, y1: y(at), y2: y(at) }),
        h("text", { key: `t ${at}`, class: "plot-text", x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, dollars(at)),
      ]),
      axisTicks(0, last.round, TICKS)
        .filter(Number.isInteger)
        .map((at) =>
          h(
            "text",
            { key: `x ${at}`, class: "plot-text", x: x(at), y: HIGH - 12, "text-anchor": "middle" },
            countText(at),
          ),
        ),
      h("polyline", { class: "theory", points: line((at) => at.theory_cents).join(" ") }),
      h("polyline", { class: "hold", points: line((at) => at.hold_cents).join(" ") }),
    ),
    h(
      "figcaption",
      { class: "plot-keys" },
      h("span", { class: "key key-hold" }, "Hold"),
      h("span", { class: "key key-theory" }, "Theory, best play"),
      h("span", { class: "key key-band" }, `${listText(figures.bands.map(String))} standard deviations`),
      h("span", { class: "quiet" }, description),
    ),
  );
}

/** A strip with the hold of a wager in the bands around its theory. @param {any} wager @param {number[]} bands */
function bandPlot(wager, bands) {
  const widest = bands[bands.length - 1];
  const reach = Math.max(
    widest * 1.15,
    Math.abs((wager.hold_cents - wager.theory_cents) / (wager.deviation_cents || 1)) * 1.1,
  );
  const x = (/** @type {number} */ deviations) => 110 + (100 * deviations) / reach;
  const at = (wager.hold_cents - wager.theory_cents) / (wager.deviation_cents || 1);
  const description = `Hold ${signed(wager.hold_cents)}, theory ${signed(Math.round(wager.theory_cents))}, standard deviation ${dollars(Math.round(wager.deviation_cents))}`;
  return h(
    "svg",
    { class: "strip", viewBox: "0 0 220 26", role: "img", "aria-label": description },
    [...bands].reverse().map((wide) =>
      h("rect", {
        key: wide,
        class: `band band-${wide}`,
        x: x(-wide),
        y: 6,
        width: x(wide) - x(-wide),
        height: 14,
        rx: 3,
      }),
    ),
    h("line", { class: "theory", x1: x(0), x2: x(0), y1: 3, y2: 23 }),
    h("circle", { class: Math.abs(at) > widest ? "stray" : "spot", cx: x(at), cy: 13, r: 5 }),
  );
}

customElements.define("cf-revenue", Revenue);
