// @ts-check
/**
 * Rules and odds, generated from the rulebook: how to play first, then returns, clauses, pay tables and disconnections.
 */

import { figuresTable } from "../lab/figures.js";
import { ensureAccount, errorText, request, requestCached } from "../shared/api.js";
import { clauseButtons } from "../shared/clauses.js";
import { buttonNode, draw, h, quietText, tableHead } from "../shared/dom.js";
import { capital, dollars, plain } from "../shared/format.js";
import { BasePage } from "../shared/page.js";
import { betTexts, howToPlay, openLesson } from "./how_to_play.js";
import { groupedPays } from "../table/panels.js";
import { limitNotices, otherNotices, payMarks, spinNotices } from "../table/posted.js";

class Rules extends BasePage {
  heading = "rules and odds";
  /** @type {any} */
  game = null;
  /** @type {any} */
  text = null;
  /** @type {any} */
  solution = null;
  search = "";

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "/" || /** @type {Element} */ (event.target).closest("input")) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (this.querySelector("#search"))?.focus();
  }

  async load() {
    try {
      const path = `/games/${encodeURIComponent(this.subject)}`;
      if (this.subject)
        [this.game, this.text] = await Promise.all([requestCached(path), requestCached(`${path}/how-to-play`)]);
      else this.games = await requestCached("/games");
    } catch (error) {
      this.problem = errorText(error);
    }
    this.show();
    if (!this.game) return;
    try {
      await ensureAccount();
      this.solution = await request("/laboratory", "POST", { rulebook: this.subject });
    } catch (error) {
      this.solution = { failed: errorText(error) };
    }
    this.show();
  }

  show() {
    if (this.problem)
      draw(
        this,
        h(
          "section",
          { class: "sheet" },
          h("p", { class: "notice", role: "alert" }, this.problem),
          h("p", null, h("a", { href: "/rules" }, "All rulebooks")),
        ),
      );
    else if (!this.subject) draw(this, this.list());
    else draw(this, this.game ? this.rules() : h("p", { class: "opening" }, "Loading the rulebook…"));
  }

  list() {
    /** @type {any[]} */
    const games = this.games ?? [];
    return h(
      "section",
      { class: "sheet" },
      h("h1", null, "Rules and odds"),
      quietText("How to play each game, what every bet pays, and the whole rulebook behind it."),
      h(
        "ul",
        { class: "books" },
        games.map((/** @type {any} */ game) =>
          h(
            "li",
            { key: game.rulebook },
            h("a", { href: `/rules/${game.rulebook}` }, game.title),
            h("span", { class: "quiet" }, ` ${game.citation}`),
          ),
        ),
      ),
    );
  }

  /** Returns true when a text matches the search. @param {...string} texts */
  matches(...texts) {
    return texts.join(" ").toLowerCase().includes(this.search.toLowerCase());
  }

  rules() {
    const { game } = this;
    return h(
      "article",
      { class: "sheet book" },
      h("h1", null, game.title),
      h("h2", null, "How to play"),
      howToPlay(this.text),
      h(
        "p",
        null,
        buttonNode("Play your first hand", () => void this.learn(), { class: "button main" }),
        " A guided hand at a table of your own.",
      ),
      h("h2", null, "What each bet does"),
      betTexts(this.text),
      h("h2", null, "House edge"),
      this.odds(),
      h("h2", null, "The rulebook"),
      quietText(
        `${game.document}. ${capital(game.citation)}. Version ${game.version}, hash ${game.hash.slice(0, 12)}. Each rule names the clause it comes from.`,
      ),
      h(
        "p",
        null,
        h("label", { for: "search" }, "Search "),
        h("input", {
          id: "search",
          type: "search",
          "prop:value": this.search,
          oninput: (/** @type {any} */ event) => this.filter(event.target.value),
        }),
        " ",
        h("kbd", null, "/"),
      ),
      h("h3", null, "The round"),
      h(
        "ol",
        { class: "script" },
        game.script
          .filter((/** @type {any} */ step) => this.matches(...step.words, step.id))
          .map((/** @type {any} */ step) =>
            h(
              "li",
              { key: step.id },
              step.words.map((/** @type {string} */ line, /** @type {number} */ at) =>
                h("p", { key: at }, capital(line)),
              ),
              clauseButtons(step.clauses),
            ),
          ),
      ),
      h("h3", null, "Wagers"),
      h(
        "dl",
        { class: "wager-list" },
        game.wagers
          .filter((/** @type {any} */ wager) => this.matches(wager.title, wager.says))
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
                clauseButtons(wager.clauses),
              ),
            ),
          ),
      ),
      h("h3", null, "Pay tables"),
      groupedPays(game).map((group) => this.pays(group)),
      otherNotices(game),
      game.posted.spins.length > 0 && h("h3", null, "Wheels"),
      spinNotices(game, true),
      h("h3", null, "Payout limit"),
      game.posted.limits.length > 0
        ? limitNotices(game)
        : h("p", null, "No payout limit is in force by default. A table that has one posts it."),
      h("h3", null, "If the connection breaks"),
      h(
        "p",
        null,
        "A bet that the table has accepted stands and counts once. When you reconnect, the table continues where you left it and waits for your decision. At a table with a time limit, ",
        timeout(game),
        " If a round cannot be finished, it is void and every wager is returned.",
      ),
      h("p", null, h("a", { href: `/laboratory/${game.rulebook}` }, "Change the odds in the laboratory")),
    );
  }

  async learn() {
    try {
      await openLesson(this.subject);
    } catch (error) {
      this.problem = errorText(error);
      this.show();
    }
  }

  /** @param {string} text */
  filter(text) {
    this.search = text;
    this.show();
  }

  odds() {
    const { solution } = this;
    if (!solution) return quietText("Computing the exact figures…");
    if (solution.failed) return quietText(solution.failed);
    return [figuresTable(solution, null), quietText(`Method: ${solution.solution.method}.`)];
  }

  /** @param {any[]} group */
  pays(group) {
    const lines = group[0].lines.filter((/** @type {any} */ line) => this.matches(line.title, group[0].title));
    return h(
      "table",
      { key: group[0].id, class: "pays" },
      h(
        "caption",
        null,
        group.map((pay) => pay.title).join(" · "),
        " ",
        payMarks(this.game, group),
        clauseButtons([...new Set(group.flatMap((pay) => pay.clauses))]),
      ),
      tableHead(["Hand", ...group.map((pay) => capital(plain(pay.id)))]),
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
}

/** @param {any} game */
function timeout(game) {
  /** @type {string | undefined} */
  const how = game.choices["play.on_timeout"];
  const action = how
    ? (/** @type {Record<string, string>} */ ({
        fold: "folds",
        smallest_bet: "makes the smallest bet",
        check_or_fold: "checks, or folds where no check is open",
      })[how] ?? plain(how))
    : "";
  return `a player who does not answer in time ${action || "has the hand set the house way"}.`;
}

customElements.define("cf-rules", Rules);
