// @ts-check
/** The laboratory: change odds, weights and offered wagers, and see the return and the best strategy. */

import { go } from "../main.js";
import { ensureAccount, errorText, request, requestCached } from "../shared/api.js";
import { problemLine } from "../shared/clauses.js";
import { draw, h, loadStylesheet, quietText } from "../shared/dom.js";
import { percent } from "../shared/format.js";
import { BasePage } from "../shared/page.js";
import { optionList, payControls, weightsName, wheelControls } from "./controls.js";
import { labButtons, LabReport } from "./downloads.js";
import { changeText, decisions, figuresTable, headline, headlineUnit, holdsTo } from "./figures.js";
import { chart } from "./strategy_chart.js";

await loadStylesheet("lab/lab.css");

/** The delay after the last change before the game is solved. */
const SOLVE_DELAY_MS = 60;

/**
 * The differences from the rulebook: odds by `table.hand`, weights by `wager.name`, other choices by their path.
 * @typedef {{pay: Record<string, string>, weights: Record<string, number[]>, chosen: Record<string, any>}} Changes
 * @typedef {{title: string, result: any, changes: Changes}} Setting
 */

/** @returns {Changes} */
const noChanges = () => ({ pay: {}, weights: {}, chosen: {} });

export class Laboratory extends BasePage {
  heading = "laboratory";
  book = "";
  /** All rulebooks. @type {{rulebook: string, title: string, jurisdiction: string}[]} */
  books = [];
  changes = noChanges();
  /** The server's result for the changed game. @type {any} */
  result = null;
  /** The game as printed in the rulebook. @type {Setting | null} */
  printed = null;
  /** The setting kept for comparison. @type {Setting | null} */
  kept = null;
  busy = false;
  requestNumber = 0;
  /** The starting hand that the strategy grid explains. */
  cell = "";
  report = new LabReport(this);

  connectedCallback() {
    this.book = this.getAttribute("of") ?? "";
    super.connectedCallback();
  }

  async load() {
    try {
      this.books = await requestCached("/games");
      this.book ||= this.books[0].rulebook;
      const { pays, wheels } = await requestCached(`/games/${encodeURIComponent(this.book)}`);
      this.game = { pays, wheels };
      this.show();
      await ensureAccount();
    } catch (error) {
      this.problem = errorText(error);
      this.show();
      return;
    }
    await this.solve();
    if (this.result) this.printed = { title: "As printed", result: this.result, changes: noChanges() };
    this.show();
  }

  get changed() {
    return Object.values(this.changes).some((part) => Object.keys(part).length);
  }

  /** The request to the server. */
  get labRequest() {
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
    const number = (this.requestNumber += 1);
    this.show();
    try {
      const result = await request("/laboratory", "POST", this.labRequest);
      if (number !== this.requestNumber) return;
      this.result = result;
      this.game = result.game;
      this.problem = "";
    } catch (error) {
      if (number !== this.requestNumber) return;
      this.problem = errorText(error);
    }
    this.busy = false;
    this.show();
  }

  solveSoon() {
    this.report.reset();
    this.busy = true;
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.solve(), SOLVE_DELAY_MS);
  }

  /** @param {string} path @param {string} odds @param {string} printed */
  setOdds(path, odds, printed) {
    if (odds === printed) delete this.changes.pay[path];
    else this.changes.pay[path] = odds;
    this.solveSoon();
  }

  /** @param {any} wheel @param {number} at @param {number} weight */
  setWeight(wheel, at, weight) {
    const path = weightsName(wheel);
    const weights = [...(this.changes.weights[path] ?? wheel.weights)];
    weights[at] = Math.max(1, Math.round(weight));
    this.changes.weights[path] = weights;
    this.solveSoon();
  }

  /** Changes a choice and drops the weights of its wheel. @param {string} path @param {any} value */
  choose(path, value) {
    const wager = path.slice(0, path.lastIndexOf("."));
    for (const name of Object.keys(this.changes.weights))
      if (name.startsWith(`${wager}.`)) delete this.changes.weights[name];
    const first = this.printed?.result.options.find((/** @type {any} */ option) => option.path === path)?.value;
    if (value === first) delete this.changes.chosen[path];
    else this.changes.chosen[path] = value;
    this.solveSoon();
  }

  /** Returns the result of the current setting, once it is known. */
  async latestResult() {
    while (this.busy) await this.solve();
    return this.result;
  }

  /** @param {Changes} changes */
  restore(changes) {
    this.changes = structuredClone(changes);
    this.report.reset();
    void this.solve();
  }

  keep() {
    const title = this.changed ? "Kept" : "As printed";
    this.kept = this.kept ? null : { title, result: this.result, changes: structuredClone(this.changes) };
    this.show();
  }

  /** Swaps the current setting and the kept one. */
  exchange() {
    const { kept } = this;
    if (!kept) return;
    this.kept = { title: "Kept", result: this.result, changes: structuredClone(this.changes) };
    this.restore(kept.changes);
  }

  /** The setting that the figures are compared with. @returns {Setting | null} */
  get comparison() {
    return this.kept ?? (this.changed ? this.printed : null);
  }

  show() {
    const { game, result } = this;
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
            result && optionList(this, result.options),
          ),
        h(
          "div",
          { class: "lab-right" },
          this.strip(),
          result &&
            h(
              "div",
              { class: "lab-aside", "aria-busy": String(this.busy) },
              chart(this),
              h(
                "section",
                { class: "card lab-figures", "aria-label": "Figures" },
                figuresTable(result, this.comparison),
                result.solution.payout_limit.says && quietText(result.solution.payout_limit.says),
                decisions(result),
                labButtons(this),
              ),
            ),
        ),
      ),
    );
  }

  head() {
    return h(
      "div",
      { class: "lab-head" },
      h("h1", null, "Laboratory"),
      quietText(
        "Drag the sliders to change odds and weights. The return is solved again, exactly where the game allows it.",
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

  /** The headline figures, which stay in view. */
  strip() {
    const { result, comparison } = this;
    if (!result) return h("div", { class: "lab-strip" }, !this.problem && h("p", null, "Computing the exact figures…"));
    const by = comparison ? headline(result.solution) - headline(comparison.result.solution) : 0;
    return h(
      "div",
      { class: "lab-strip" },
      h(
        "p",
        { class: "edge", role: "status" },
        h("strong", null, percent(headline(result.solution), 3)),
        h("span", null, `house edge, ${headlineUnit(result.solution)}${holdsTo(result.solution)}`),
        comparison &&
          h(
            "span",
            { class: "moved" },
            changeText(by, (edge) => percent(edge, 3)),
          ),
      ),
      this.permitted(),
    );
  }

  permitted() {
    const { problems } = this.result;
    if (!problems.length) return h("p", { class: "fair" }, "The rulebook permits this game.");
    return h(
      "div",
      { class: "refused" },
      h("strong", null, "The rulebook does not permit this game:"),
      h(
        "ul",
        null,
        problems.map((/** @type {any} */ problem, /** @type {number} */ at) =>
          h("li", { key: at }, `${problem.where.replace("submission: ", "")}: `, problemLine(problem)),
        ),
      ),
    );
  }
}

customElements.define("cf-laboratory", Laboratory);
