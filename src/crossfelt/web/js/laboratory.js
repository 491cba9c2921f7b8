// @ts-check
/** The laboratory: drag the odds of a pay table or the weights of a wheel, and watch what the game returns, exactly. */

import { ask, askOnce, asSomebody } from "./api.js";
import { draw, h } from "./dom.js";
import { capital, dollars, percent, plain, problemWords } from "./words.js";
import {
  decisions,
  figureRows,
  headline,
  headlineUnit,
  oddsText,
  submissionText,
  value,
} from "./laboratory_figures.js";
import { save } from "./saving.js";
import { go } from "./main.js";

/** @type {Record<string, string>} */
const BOOKS = {
  "nj-criss-cross": "Criss Cross Poker, New Jersey",
  "ma-criss-cross": "Criss-Cross Poker, Massachusetts",
  "md-criss-cross": "Criss Cross Poker, Maryland",
  "nj-double-cross": "Double Cross Poker, New Jersey",
  "nj-pai-gow": "Pai Gow Poker, New Jersey",
};
const WAIT = 120;

/** @typedef {{pay: Record<string, string>, weights: Record<string, number[]>}} Changes */

class Laboratory extends HTMLElement {
  /** @type {any} */
  game = null;
  /** @type {Changes} */
  changes = { pay: {}, weights: {} };
  /** @type {any} */
  told = null;
  /** @type {{title: string, told: any} | null} the setting to compare with */
  beside = null;
  /** @type {any} */
  printed = null;
  problem = "";
  busy = false;
  asked = 0;

  connectedCallback() {
    this.book = this.getAttribute("of") ?? Object.keys(BOOKS)[0];
    document.title = "Crossfelt: the laboratory";
    this.show();
    void this.open();
  }

  async open() {
    try {
      this.game = await askOnce(`/games/${encodeURIComponent(this.book ?? "")}`);
      this.show();
      await asSomebody();
      await this.solve();
      this.printed = this.told;
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
    this.show();
  }

  get question() {
    /** @type {Record<string, Record<string, number[]>>} */
    const wagers = {};
    for (const [path, weights] of Object.entries(this.changes.weights)) {
      const [wager, ring] = path.split("/");
      wagers[wager] = { ...wagers[wager], [ring]: weights };
    }
    return { rulebook: this.book, pay: this.changes.pay, submission: Object.keys(wagers).length ? { wagers } : {} };
  }

  async solve() {
    this.busy = true;
    const number = (this.asked += 1);
    this.show();
    try {
      const told = await ask("/laboratory", "POST", this.question);
      if (number !== this.asked) return;
      this.told = told;
      this.problem = "";
    } catch (error) {
      if (number !== this.asked) return;
      this.problem = /** @type {any} */ (error).problem?.what
        ? problemWords(/** @type {any} */ (error).problem)
        : /** @type {Error} */ (error).message;
    }
    this.busy = false;
    this.show();
  }

  soon() {
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.solve(), WAIT);
  }

  /** @param {string} path @param {string} odds @param {string} printed */
  setOdds(path, odds, printed) {
    if (odds === printed) delete this.changes.pay[path];
    else this.changes.pay[path] = odds;
    this.soon();
  }

  /** @param {any} wheel @param {number} at @param {number} weight */
  setWeight(wheel, at, weight) {
    const path = `${wheel.wager}/${wheel.ring === "spin" ? "weights" : `${wheel.ring}_weights`}`;
    const weights = [...(this.changes.weights[path] ?? wheel.weights)];
    weights[at] = Math.max(1, Math.round(weight));
    this.changes.weights[path] = weights;
    this.soon();
  }

  reset() {
    this.changes = { pay: {}, weights: {} };
    void this.solve();
  }

  compare() {
    const changed = Object.keys(this.changes.pay).length + Object.keys(this.changes.weights).length;
    this.beside = this.beside ? null : { title: changed ? "Kept setting" : "As printed", told: this.told };
    this.show();
  }

  show() {
    const { game } = this;
    draw(
      this,
      h(
        "section",
        { class: "lab" },
        h(
          "div",
          { class: "lab-head" },
          h("h1", null, "Laboratory"),
          h(
            "p",
            { class: "quiet" },
            "Drag what a hand pays. Every deal is counted again; nothing is estimated where the game can be counted.",
          ),
          h(
            "p",
            null,
            h("label", { for: "book" }, "Game "),
            h(
              "select",
              {
                id: "book",
                "prop:value": this.book,
                onchange: (/** @type {any} */ event) => go(`/laboratory/${event.target.value}`),
              },
              Object.entries(BOOKS).map(([book, title]) =>
                h("option", { key: book, value: book, selected: book === this.book }, title),
              ),
            ),
          ),
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        game &&
          h(
            "div",
            { class: "lab-tables" },
            game.pays.map((/** @type {any} */ table) => this.table(table)),
            game.wheels.map((/** @type {any} */ wheel) => this.wheel(wheel)),
          ),
        h("div", { class: "lab-figures" }, this.figures(), this.permitted(), this.doors()),
      ),
    );
  }

  /** @param {any} table */
  table(table) {
    return h(
      "table",
      { key: table.id, class: "pays lab-table" },
      h("caption", null, table.title),
      h(
        "tbody",
        null,
        table.lines
          .filter((/** @type {any} */ line) => line.odds)
          .map((/** @type {any} */ line) => this.line(table, line)),
      ),
    );
  }

  /** @param {any} table @param {any} line */
  line(table, line) {
    const path = `${table.id}.${line.id}`;
    const odds = this.changes.pay[path] ?? line.odds;
    const now = value(odds);
    const most = Math.max(10, Math.ceil(2 * value(line.odds)));
    return h(
      "tr",
      { key: line.id, class: path in this.changes.pay ? "changed" : undefined },
      h("th", { scope: "row" }, h("label", { for: `odds-${path}` }, capital(line.title))),
      h(
        "td",
        null,
        h("input", {
          id: `odds-${path}`,
          type: "range",
          min: 0,
          max: most,
          step: 1,
          "prop:value": String(now),
          "aria-valuetext": odds,
          oninput: (/** @type {any} */ event) =>
            this.setOdds(path, oddsText(Number(event.target.value), line.odds), line.odds),
        }),
      ),
      h("td", { class: "lab-odds" }, odds),
    );
  }

  /** @param {any} wheel */
  wheel(wheel) {
    const path = `${wheel.wager}/${wheel.ring === "spin" ? "weights" : `${wheel.ring}_weights`}`;
    const weights = this.changes.weights[path] ?? wheel.weights;
    const all = weights.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
    return h(
      "table",
      { key: wheel.name, class: "pays lab-table" },
      h(
        "caption",
        null,
        `Wheel: ${plain(wheel.wager)} ${wheel.letter}${wheel.ring === "spin" ? "" : `, ${plain(wheel.ring)}`}`,
        wheel.illustrative && h("small", null, " weights illustrative"),
      ),
      h(
        "tbody",
        null,
        wheel.slices.map((/** @type {any} */ slice, /** @type {number} */ at) =>
          h(
            "tr",
            { key: at, class: weights[at] !== wheel.weights[at] ? "changed" : undefined },
            h(
              "th",
              { scope: "row" },
              h("label", { for: `w-${wheel.name}-${at}` }, slice.pays_cents ? dollars(slice.pays_cents) : "Top prize"),
            ),
            h(
              "td",
              null,
              h("input", {
                id: `w-${wheel.name}-${at}`,
                type: "range",
                min: 0,
                max: 1000,
                "prop:value": String(Math.round((1000 * Math.log1p(weights[at])) / Math.log1p(all))),
                "aria-valuetext": `weight ${weights[at]}`,
                oninput: (/** @type {any} */ event) =>
                  this.setWeight(wheel, at, Math.expm1((Number(event.target.value) / 1000) * Math.log1p(all))),
              }),
            ),
            h("td", { class: "lab-odds" }, percent(weights[at] / all, 2)),
          ),
        ),
      ),
    );
  }

  figures() {
    const { told } = this;
    if (!told) return h("p", { class: "quiet" }, "Counting every deal…");
    const columns = [
      ["Now", told],
      this.beside
        ? [this.beside.title, this.beside.told]
        : this.printed && this.printed !== told
          ? ["As printed", this.printed]
          : null,
    ].filter(Boolean);
    const rows = figureRows(told.solution, told.spins).map(([name], at) => [
      name,
      ...columns.map(
        (column) =>
          figureRows(/** @type {any} */ (column)[1].solution, /** @type {any} */ (column)[1].spins)[at]?.[1] ?? "",
      ),
    ]);
    return h(
      "div",
      { class: "figures", "aria-busy": String(this.busy) },
      h(
        "p",
        { class: "edge", role: "status" },
        h("strong", null, percent(headline(told.solution), 3)),
        h("span", null, ` house edge, ${headlineUnit(told.solution)}`),
      ),
      h(
        "table",
        { class: "pays" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, "Figure"),
            columns.map((column) =>
              h("th", { key: /** @type {any} */ (column)[0], scope: "col" }, /** @type {any} */ (column)[0]),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          rows.map((row) =>
            h(
              "tr",
              { key: row[0] },
              h("th", { scope: "row" }, row[0]),
              row.slice(1).map((cell, at) => h("td", { key: at }, cell)),
            ),
          ),
        ),
      ),
      decisions(told.solution),
    );
  }

  permitted() {
    if (!this.told) return null;
    const { problems } = this.told;
    if (!problems.length) return h("p", { class: "fair" }, "The rulebook permits this.");
    return h(
      "div",
      { class: "notice" },
      h("p", null, h("strong", null, "The rulebook does not permit this:")),
      h(
        "ul",
        null,
        problems.map((/** @type {any} */ problem, /** @type {number} */ at) =>
          h("li", { key: at }, `${problem.where.replace("submission: ", "")}: ${problemWords(problem)}`),
        ),
      ),
    );
  }

  doors() {
    return h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "button", onclick: () => this.reset() }, "Back to print"),
      h(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => this.compare(),
          "aria-pressed": String(Boolean(this.beside)),
        },
        this.beside ? "Stop comparing" : "Keep to compare",
      ),
      h(
        "button",
        {
          type: "button",
          class: "button main",
          disabled: !this.told,
          onclick: () => save(`${this.book}-submission.toml`, submissionText(this.book ?? "", this.told)),
        },
        "Save as submission",
      ),
      h(
        "button",
        {
          type: "button",
          class: "button",
          disabled: !this.told,
          onclick: () =>
            save(`${this.book}-report.json`, `${JSON.stringify({ question: this.question, ...this.told }, null, 2)}\n`),
        },
        "Save as report",
      ),
    );
  }
}

customElements.define("cf-laboratory", Laboratory);
