// @ts-check
/** The laboratory: drag odds and weights, choose what is offered, and watch what the game returns and how it is played. */

import { ask, askOnce, asSomebody } from "../shared/api.js";
import { clauseRibbon, problemLine, readClause } from "../shared/clauses.js";
import { draw, h, wear } from "../shared/dom.js";
import { chart } from "./strategy_chart.js";
import { optionList, payControls, wheelControls, weightsName } from "./controls.js";
import { decisions, figuresTable, headline, headlineUnit, moved } from "./figures.js";
import { doors, Sheet } from "./downloads.js";
import { go } from "../main.js";
import { percent, problemWords } from "../shared/format.js";

await wear("lab/lab.css");

/** What is looked at where nobody has chosen. */
const FIRST = "nj-criss-cross";
/** Milliseconds for which a hand that drags may pause before the deals are counted. */
const WAIT = 60;

/**
 * What differs from print: odds by `table.hand`, weights by `wager.name`, other choices by their path.
 * @typedef {{pay: Record<string, string>, weights: Record<string, number[]>, chosen: Record<string, any>}} Changes
 * @typedef {{title: string, told: any, changes: Changes}} Setting
 */

/** @returns {Changes} */
const nothing = () => ({ pay: {}, weights: {}, chosen: {} });

export class Laboratory extends HTMLElement {
  book = "";
  /** Every rulebook there is. @type {{rulebook: string, title: string, jurisdiction: string}[]} */
  books = [];
  changes = nothing();
  /** What the house says of the changed game. @type {any} */
  told = null;
  /** As the rulebook prints it. @type {Setting | null} */
  printed = null;
  /** The setting that was kept to compare with. @type {Setting | null} */
  kept = null;
  problem = "";
  busy = false;
  asked = 0;
  ui = { clause: null };
  sheet = new Sheet(this);

  connectedCallback() {
    this.book = this.getAttribute("of") ?? FIRST;
    document.title = "Crossfelt: the laboratory";
    this.show();
    void this.open();
  }

  async open() {
    try {
      this.books = await askOnce("/games");
      const { pays, wheels } = await askOnce(`/games/${encodeURIComponent(this.book)}`);
      this.game = { pays, wheels };
      this.show();
      await asSomebody();
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
      this.show();
      return;
    }
    await this.solve();
    if (this.told) this.printed = { title: "As printed", told: this.told, changes: nothing() };
    this.show();
  }

  get changed() {
    return Object.values(this.changes).some((part) => Object.keys(part).length);
  }

  /** What the house is asked. */
  get question() {
    /** @type {any} */
    const submission = {};
    for (const [path, value] of [...Object.entries(this.changes.chosen), ...Object.entries(this.changes.weights)]) {
      const names = path.split(".");
      const last = /** @type {string} */ (names.pop());
      names.reduce((inside, name) => (inside[name] ??= {}), submission)[last] = value;
    }
    return { rulebook: this.book, pay: this.changes.pay, submission };
  }

  async solve() {
    clearTimeout(this.timer);
    this.busy = true;
    const number = (this.asked += 1);
    this.show();
    try {
      const told = await ask("/laboratory", "POST", this.question);
      if (number !== this.asked) return;
      this.told = told;
      this.game = told.game;
      this.problem = "";
    } catch (error) {
      if (number !== this.asked) return;
      const { problem, message } = /** @type {any} */ (error);
      this.problem = problem?.what ? problemWords(problem) : message;
    }
    this.busy = false;
    this.show();
  }

  soon() {
    this.sheet.forget();
    this.busy = true;
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
    const path = weightsName(wheel);
    const weights = [...(this.changes.weights[path] ?? wheel.weights)];
    weights[at] = Math.max(1, Math.round(weight));
    this.changes.weights[path] = weights;
    this.soon();
  }

  /** Another choice: what was changed on a wheel that goes with it is forgotten. @param {string} path @param {any} value */
  choose(path, value) {
    const wager = path.slice(0, path.lastIndexOf("."));
    for (const name of Object.keys(this.changes.weights))
      if (name.startsWith(`${wager}.`)) delete this.changes.weights[name];
    const first = this.printed?.told.options.find((/** @type {any} */ option) => option.path === path)?.value;
    if (value === first) delete this.changes.chosen[path];
    else this.changes.chosen[path] = value;
    this.soon();
  }

  /** What the house says of the setting in hand, as soon as it does; the setting may change meanwhile. */
  async settled() {
    while (this.busy) await this.solve();
    return this.told;
  }

  /** @param {Changes} changes */
  restore(changes) {
    this.changes = structuredClone(changes);
    this.sheet.forget();
    void this.solve();
  }

  keep() {
    const title = this.changed ? "Kept" : "As printed";
    this.kept = this.kept ? null : { title, told: this.told, changes: structuredClone(this.changes) };
    this.show();
  }

  /** The kept setting comes to hand, and this one is kept. */
  exchange() {
    const { kept } = this;
    if (!kept) return;
    this.kept = { title: "Kept", told: this.told, changes: structuredClone(this.changes) };
    this.restore(kept.changes);
  }

  /** The setting beside this one. @returns {Setting | null} */
  get beside() {
    return this.kept ?? (this.changed ? this.printed : null);
  }

  /** @param {string} id */
  async clause(id) {
    await readClause(this, id);
  }

  show() {
    const { game, told } = this;
    draw(
      this,
      h(
        "section",
        { class: "lab" },
        this.head(),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        game &&
          h(
            "div",
            { class: "lab-tables" },
            game.pays.map((/** @type {any} */ table) => payControls(this, table)),
            game.wheels.map((/** @type {any} */ wheel) => wheelControls(this, wheel)),
            told && optionList(this, told.options),
          ),
        h(
          "div",
          { class: "lab-right" },
          this.strip(),
          told &&
            h(
              "div",
              { class: "lab-aside", "aria-busy": String(this.busy) },
              chart(told, this.beside),
              h(
                "section",
                { class: "lab-figures", "aria-label": "Figures" },
                figuresTable(told, this.beside),
                decisions(told.solution),
                doors(this),
              ),
            ),
        ),
        this.ui.clause && clauseRibbon(this),
      ),
    );
  }

  head() {
    return h(
      "div",
      { class: "lab-head" },
      h("h1", null, "Laboratory"),
      h(
        "p",
        { class: "quiet" },
        "Drag what a hand pays or how heavy a stop is. Every deal is counted again; nothing is estimated where the game can be counted.",
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
          this.books.map(({ rulebook, title }) =>
            h("option", { key: rulebook, value: rulebook, selected: rulebook === this.book }, title),
          ),
        ),
      ),
    );
  }

  /** What is watched while something is dragged: it stays in sight. */
  strip() {
    const { told, beside } = this;
    if (!told) return h("div", { class: "lab-strip" }, !this.problem && h("p", null, "Counting every deal…"));
    const by = beside ? headline(told.solution) - headline(beside.told.solution) : 0;
    return h(
      "div",
      { class: "lab-strip" },
      h(
        "p",
        { class: "edge", role: "status" },
        h("strong", null, percent(headline(told.solution), 3)),
        h("span", null, `house edge, ${headlineUnit(told.solution)}`),
        beside &&
          h(
            "span",
            { class: "moved" },
            moved(by, (edge) => percent(edge, 3)),
          ),
      ),
      this.permitted(),
    );
  }

  permitted() {
    const { problems } = this.told;
    if (!problems.length) return h("p", { class: "fair" }, "The rulebook permits this.");
    return h(
      "div",
      { class: "refused" },
      h("strong", null, "The rulebook does not permit this:"),
      h(
        "ul",
        null,
        problems.map((/** @type {any} */ problem, /** @type {number} */ at) =>
          h("li", { key: at }, `${problem.where.replace("submission: ", "")}: `, problemLine(problem, this)),
        ),
      ),
    );
  }
}

customElements.define("cf-laboratory", Laboratory);
