// @ts-check
/** Live statistics of a table: cards, hands, slices, dice, draws and results against theory, judged together. */

import { request } from "../shared/api.js";
import { h, loadStylesheet, quietText } from "../shared/dom.js";
import { countText, dollars, percent, signed } from "../shared/format.js";
import { selectNode } from "../shared/forms.js";
import { rowsTable, tile } from "./page_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/console.css");

/** The titles of the kinds of tests. @type {Record<string, string>} */
const KINDS = {
  results: "Results by wager",
  hands: "Hands",
  slices: "Slices of wheels",
  dice: "Dice",
  draws: "Draws",
  cards: "Cards by place in the deal",
};
const ALARMING = 0.01;
/** Deviations of a chance for which the necessary rounds are stated. */
const SIZES = ["0.05", "0.1", "0.25"];

class Statistics extends StaffPage {
  roles = ["floor", "auditor", "owner"];
  /** @type {any} */
  found = null;
  size = "0.1";

  connectedCallback() {
    this.heading = `Statistics of ${this.getAttribute("of")}`;
    super.connectedCallback();
  }

  async open() {
    const table = encodeURIComponent(this.getAttribute("of") ?? "");
    this.found = await request(`/tables/${table}/statistics?${new URLSearchParams({ size: this.size })}`);
  }

  body() {
    const { found } = this;
    if (!found)
      return (
        !this.problems.length &&
        h("p", { class: "quiet", role: "status" }, "Counting outcomes and valuing the players’ decisions…")
      );
    const { report } = found;
    return h(
      "div",
      { class: "console-figures" },
      h(
        "section",
        { class: "card" },
        h("h2", null, `${found.title}: ${countText(report.rounds)} rounds, ${countText(report.made)} tests`),
        h(
          "p",
          { class: report.odd.length ? "notice" : undefined, role: "status" },
          !report.odd.length && report.made > 0 && h("span", { class: "tag good" }, "As expected"),
          ` ${report.verdict}`,
        ),
        quietText(
          "Each chance is corrected for the number of tests, because some of many tests look odd by chance. Below 1 % a test needs a look.",
        ),
        report.untested.map((/** @type {string} */ what) =>
          h("p", { key: what, class: "quiet" }, `Not tested: ${what}`),
        ),
        h(
          "div",
          { class: "figures-head" },
          selectNode(
            "size",
            "Deviation to detect",
            SIZES.map((size) => [size, `a chance that is off by ${percent(Number(size), 0)}`]),
            this.size,
            (size) => {
              this.size = size;
              void this.attempt(() => this.open());
            },
          ),
          h("a", { class: "button quiet", href: `/console/figures?table=${found.table}` }, "Revenue"),
        ),
      ),
      this.played(found),
      Object.entries(KINDS).map(([kind, title]) => {
        const tests = report.tests.filter((/** @type {any} */ test) => test.kind === kind);
        return tests.length > 0 && h("section", { key: kind, class: "card" }, testTable(title, tests));
      }),
    );
  }

  /** @param {any} found */
  played({ played, not_played: why }) {
    return h(
      "section",
      { key: "played", class: "card" },
      h("h2", null, "The main game, as it was played"),
      played
        ? [
            h(
              "dl",
              { key: "tiles", class: "tiles" },
              tile(
                "Win",
                signed(played.win_cents),
                `${countText(played.rounds)} rounds, ${countText(played.hands)} hands`,
              ),
              tile("From best play", signed(Math.round(played.best_play_cents))),
              tile("From the players’ errors", signed(played.errors_cents)),
              tile(
                "Theory for this play",
                signed(Math.round(played.theory_cents)),
                `± ${dollars(Math.round(played.deviation_cents))}`,
              ),
            ),
            h(
              "p",
              { key: "note", class: "quiet" },
              `The errors are the value that each decision gave away. A win that is off by 1 % of the stakes would show after about ${countText(played.rounds_needed)} rounds.`,
            ),
          ]
        : quietText(why),
    );
  }
}

/** @param {string} caption @param {any[]} tests */
const testTable = (caption, tests) =>
  rowsTable({
    caption,
    rows: tests,
    key: (test) => test.title,
    columns: [
      { title: "Test", cell: (test) => test.title },
      { title: "Outcomes", number: true, cell: (test) => countText(test.sample) },
      { title: "Chance alone", number: true, cell: (test) => chance(test.p_value) },
      {
        title: "Among all tests",
        number: true,
        cell: (test) =>
          test.corrected !== null && test.corrected < ALARMING
            ? h("span", { class: "tag bad" }, chance(test.corrected))
            : chance(test.corrected),
      },
      { title: "Rounds to detect it", number: true, cell: (test) => countText(test.rounds_needed) },
    ],
  });

/** @param {number | null} p */
const chance = (p) => (p === null ? "too few" : p < 0.0001 ? "below 0.01 %" : percent(p, 2));

customElements.define("cf-statistics", Statistics);
