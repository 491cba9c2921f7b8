// @ts-check
/**
 * Rules and odds, generated from the rulebook: what is played, what it pays, what it returns, what happens when the line breaks.
 */

import { ask, askOnce, asSomebody } from "../shared/api.js";
import { cites, clauseRibbon, readClause } from "../shared/clauses.js";
import { draw, h } from "../shared/dom.js";
import { figuresTable } from "../lab/figures.js";
import { groupedPays } from "../table/panels.js";
import { capital, dollars, percent, plain } from "../shared/format.js";

class Rules extends HTMLElement {
  /** @type {any} */
  game = null;
  /** @type {any} */
  solution = null;
  problem = "";
  search = "";
  ui = { clause: null };

  connectedCallback() {
    this.book = this.getAttribute("of") ?? "";
    document.title = "Crossfelt: rules and odds";
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.show();
    void this.load();
  }

  disconnectedCallback() {
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "/" || /** @type {Element} */ (event.target).closest("input")) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (this.querySelector("#search"))?.focus();
  }

  async load() {
    try {
      if (this.book) this.game = await askOnce(`/games/${encodeURIComponent(this.book)}`);
      else this.games = await askOnce("/games");
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
    this.show();
    if (!this.game) return;
    try {
      await asSomebody();
      this.solution = await ask("/laboratory", "POST", { rulebook: this.book });
    } catch (error) {
      this.solution = { failed: /** @type {Error} */ (error).message };
    }
    this.show();
  }

  show() {
    if (this.problem)
      draw(this, h("section", { class: "sheet" }, h("p", { class: "notice", role: "alert" }, this.problem)));
    else if (!this.book) draw(this, this.list());
    else draw(this, this.game ? this.rules() : h("p", { class: "opening" }, "Opening the book…"));
  }

  list() {
    /** @type {any[]} */
    const games = this.games ?? [];
    return h(
      "section",
      { class: "sheet" },
      h("h1", null, "Rules and odds"),
      h("p", { class: "quiet" }, "Every page is generated from the rulebook that a table opens with."),
      h(
        "ul",
        { class: "books" },
        games.map((/** @type {any} */ game) =>
          h(
            "li",
            { key: game.rulebook },
            h("a", { href: `/rules/${game.rulebook}` }, game.title),
            h("span", { class: "quiet" }, ` ${game.citation}, version ${game.version}`),
          ),
        ),
      ),
    );
  }

  /** Whether something fits what is searched. @param {...string} texts */
  fits(...texts) {
    return texts.join(" ").toLowerCase().includes(this.search.toLowerCase());
  }

  rules() {
    const { game } = this;
    return h(
      "article",
      { class: "sheet book" },
      h("h1", null, game.title),
      h(
        "p",
        { class: "quiet" },
        `${game.document}. ${game.citation}. Version ${game.version}, hash ${game.hash.slice(0, 12)}.`,
      ),
      h(
        "p",
        null,
        h("label", { for: "search" }, "Find "),
        h("input", {
          id: "search",
          type: "search",
          "prop:value": this.search,
          oninput: (/** @type {any} */ event) => this.find(event.target.value),
        }),
        " ",
        h("kbd", null, "/"),
      ),
      h("h2", null, "What it returns"),
      this.odds(),
      h("h2", null, "The round"),
      h(
        "ol",
        { class: "script" },
        game.script
          .filter((/** @type {any} */ step) => this.fits(...step.words, step.id))
          .map((/** @type {any} */ step) =>
            h(
              "li",
              { key: step.id },
              step.words.map((/** @type {string} */ line, /** @type {number} */ at) =>
                h("p", { key: at }, capital(line)),
              ),
              cites(step.clauses, this),
            ),
          ),
      ),
      h("h2", null, "Wagers"),
      h(
        "dl",
        { class: "wager-list" },
        game.wagers
          .filter((/** @type {any} */ wager) => this.fits(wager.title, wager.says))
          .map((/** @type {any} */ wager) =>
            h(
              "div",
              { key: wager.id },
              h("dt", null, wager.title),
              h(
                "dd",
                null,
                capital(wager.says),
                wager.limits && wager.unit === "cents"
                  ? `; here ${dollars(wager.limits.min)} to ${dollars(wager.limits.max)}`
                  : "",
                ". ",
                cites(wager.clauses, this),
              ),
            ),
          ),
      ),
      h("h2", null, "Pay tables"),
      groupedPays(game).map((group) => this.pays(group)),
      game.wheels.length > 0 && h("h2", null, "Wheels"),
      game.wheels.map((/** @type {any} */ wheel) => this.wheel(wheel)),
      h("h2", null, "When the line breaks"),
      h(
        "p",
        null,
        "A bet that the house has accepted stands, and is carried out once. Come back, and the table goes on where you left it: in the middle of a decision it waits for you. Where a clock runs and has run out, ",
        timeout(game),
        " A round that cannot go on is void, and every wager goes back.",
      ),
      h("p", null, h("a", { href: `/laboratory/${game.rulebook}` }, "Change the odds in the laboratory")),
      this.ui.clause && clauseRibbon(this),
    );
  }

  /** @param {string} id */
  async clause(id) {
    await readClause(this, id);
  }

  /** @param {string} text */
  find(text) {
    this.search = text;
    this.show();
  }

  odds() {
    const { solution } = this;
    if (!solution) return h("p", { class: "quiet" }, "Counting every deal…");
    if (solution.failed) return h("p", { class: "quiet" }, solution.failed);
    return [figuresTable(solution, null), h("p", { class: "quiet" }, `Method: ${solution.solution.method}.`)];
  }

  /** @param {any[]} group */
  pays(group) {
    const lines = group[0].lines.filter((/** @type {any} */ line) => this.fits(line.title, group[0].title));
    return h(
      "table",
      { key: group[0].id, class: "pays" },
      h(
        "caption",
        null,
        group.map((pay) => pay.title).join(" · "),
        " ",
        cites([...new Set(group.flatMap((pay) => pay.clauses))], this),
      ),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "Hand"),
          group.map((pay) => h("th", { key: pay.id, scope: "col" }, capital(plain(pay.id)))),
        ),
      ),
      h(
        "tbody",
        null,
        lines.map((/** @type {any} */ line) =>
          h(
            "tr",
            { key: line.id },
            h("th", { scope: "row" }, capital(line.title)),
            group.map((pay) =>
              h("td", { key: pay.id }, pay.lines.find((/** @type {any} */ one) => one.id === line.id)?.pays),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {any} wheel */
  wheel(wheel) {
    const all = wheel.weights.reduce((/** @type {number} */ sum, /** @type {number} */ weight) => sum + weight, 0);
    return h(
      "table",
      { key: wheel.name, class: "pays" },
      h(
        "caption",
        null,
        `${capital(plain(wheel.wager))}, table ${wheel.letter}${wheel.ring === "spin" ? "" : `, ${plain(wheel.ring)}`}`,
        wheel.illustrative && h("small", null, " weights illustrative: no document prints them"),
      ),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "Stop"),
          h("th", { scope: "col" }, "Pays"),
          h("th", { scope: "col" }, "Chance"),
        ),
      ),
      h(
        "tbody",
        null,
        wheel.slices.map((/** @type {any} */ slice, /** @type {number} */ at) =>
          h(
            "tr",
            { key: at },
            h("th", { scope: "row" }, slice.position ?? at),
            h(
              "td",
              null,
              slice.pays_cents ? dollars(slice.pays_cents) : "top prize",
              slice.community ? `, community ${slice.community}` : "",
            ),
            h("td", null, percent(wheel.weights[at] / all, 3)),
          ),
        ),
      ),
    );
  }
}

/** @param {any} game */
function timeout(game) {
  const how = game.choices["play.on_timeout"];
  return how ? `the house answers for you: ${plain(String(how))}.` : "the hand is set the house way.";
}

customElements.define("cf-rules", Rules);
