// @ts-check
/** The lobby: games by jurisdiction, what they cost, where a seat is free. One press sits a guest down. */

import { ask, asSomebody, ServerError } from "../shared/api.js";
import { draw, h } from "../shared/dom.js";
import { capital, dollars, problemWords } from "../shared/format.js";
import { cardNode } from "../shared/card.js";
import { go } from "../main.js";
import { pressed } from "../shared/step_keys.js";

/** The cards on the sign of each game. @type {Record<string, {cards: string[], line: string}>} */
const SIGNS = {
  criss_cross: {
    cards: ["Kd", "As", "Kh"],
    line: "Two hands on one cross of five cards. Three bets, each after you have seen more.",
  },
  double_cross: {
    cards: ["Qs", "Jh", "Tc"],
    line: "Choose the vertical or the horizontal line, and beat the dealer with it.",
  },
  pai_gow: { cards: ["Jk", "Ah", "Kc"], line: "Seven cards, two hands. Set them yourself, or the house way." },
};

class Lobby extends HTMLElement {
  /** @type {any[] | null} */
  tables = null;
  problem = "";
  busy = "";
  help = false;

  connectedCallback() {
    document.title = "Crossfelt: the lobby";
    this.show();
    void this.load();
    this.timer = setInterval(() => void this.load(), 10000);
    this.keys = (/** @type {KeyboardEvent} */ event) => this.move(event);
    document.addEventListener("keydown", this.keys);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  async load() {
    try {
      const answer = await ask("/lobby");
      this.tables = answer.tables ?? answer;
      this.problem = "";
    } catch {
      this.problem = "The house does not answer. This page tries again by itself.";
    }
    this.show();
  }

  /** @param {any} table */
  async sit(table) {
    this.busy = table.id;
    this.show();
    try {
      await asSomebody();
      go(`/table/${table.id}?sit`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {string} rulebook */
  async practise(rulebook) {
    this.busy = rulebook;
    this.show();
    try {
      await asSomebody();
      const { id } = await ask("/tables", "POST", { rulebook, pace: "practice", bots: 2 });
      go(`/table/${id}?sit`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.busy = "";
    this.problem = error instanceof ServerError ? problemWords(error.problem) : "The house does not answer.";
    this.show();
  }

  /** Arrows go from table to table. @param {KeyboardEvent} event */
  move(event) {
    const key = pressed(event);
    if (key === "?") {
      this.help = !this.help;
      this.show();
      return;
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
    if (!step) return;
    const all = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(".sit")]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[(at + step + all.length) % all.length]?.focus();
    event.preventDefault();
  }

  show() {
    /** @type {any[]} */
    const tables = this.tables ?? [];
    /** @type {Map<string, any[]>} */
    const places = new Map();
    for (const table of [...tables].sort(inOrder))
      places.set(table.jurisdiction, [...(places.get(table.jurisdiction) ?? []), table]);
    draw(
      this,
      h(
        "section",
        { class: "lobby" },
        h(
          "div",
          { class: "welcome" },
          h("h1", null, "Take a seat"),
          h("p", null, "Table games as their regulations lay them out. Play money only: a guest starts with $1,000."),
        ),
        h(
          "p",
          { class: "quiet", role: "status" },
          this.help
            ? "Arrows go from table to table, Enter sits down, Tab reaches everything else. “Sit down” joins a table of the house, where others may sit too; a private table is yours, with two bots."
            : ["Press ", h("kbd", null, "?"), " for help."],
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.tables === null && !this.problem && h("p", { class: "quiet" }, "Looking for tables…"),
        h(
          "div",
          { class: "jurisdictions" },
          [...places].map(([place, of]) =>
            h(
              "section",
              { key: place, class: `jurisdiction${of.length > 1 ? " large" : ""}`, "aria-label": place },
              h("h2", null, place),
              h(
                "ul",
                { class: "signs" },
                of.map((table) => this.sign(table)),
              ),
            ),
          ),
        ),
        h("p", { class: "quiet" }, h("a", { href: "/console" }, "Console"), " for those who run the house."),
      ),
    );
  }

  /** @param {any} table */
  sign(table) {
    const game = table.game ?? table.rulebook.replace(/^[^-]+-/, "").replaceAll("-", "_");
    const { cards, line } = SIGNS[game] ?? { cards: [], line: "" };
    const name = table.title.replace(/, [^,]+$/, "");
    const title = table.yours ? `Your table of ${name}` : name;
    const open = table.seats - table.taken;
    const meters = Object.values(table.meters ?? {});
    return h(
      "li",
      { key: table.id, class: `sign sign-${game}` },
      h(
        "div",
        { class: "sign-cards", "aria-hidden": "true" },
        cards.map((card) => cardNode(card, { key: card })),
      ),
      h(
        "div",
        { class: "sign-words" },
        h("h3", null, title),
        h("p", null, line),
        h(
          "dl",
          { class: "facts" },
          fact("Limits", limitsOf(table)),
          table.phase === "moving" && fact("State", "moving: it opens in a moment"),
          table.phase === "held" && fact("State", "held: it waits for the floor"),
          fact("Seats", open ? `${open} of ${table.seats} free` : "full"),
          fact("Dealer", DEALT[table.dealt_by] ?? table.dealt_by),
          fact("Pace", capital(table.pace)),
          meters.map((meter) => fact(meter.title ?? "Jackpot", dollars(meter.amount_cents))),
          fact("Rulebook", h("a", { href: `/rules/${table.rulebook}` }, `${table.rulebook} ${table.version}`)),
        ),
      ),
      h(
        "div",
        { class: "sign-doors" },
        h(
          "button",
          {
            class: "button main sit",
            type: "button",
            disabled: Boolean(this.busy) || !open || table.dealt_by === "physical",
            title:
              table.dealt_by === "physical" ? "Its players sit at the table itself; here it can be watched" : undefined,
            onclick: () => void this.sit(table),
            "aria-label": `Sit down at ${title}, ${table.jurisdiction}`,
          },
          this.busy === table.id ? "Sitting down…" : "Sit down",
        ),
        !table.yours &&
          h(
            "button",
            {
              class: "button",
              type: "button",
              disabled: Boolean(this.busy),
              onclick: () => void this.practise(table.rulebook),
              "aria-label": `Private table of ${title}, ${table.jurisdiction}, with bots`,
            },
            "Private table",
          ),
        h(
          "a",
          { class: "watch", href: `/table/${table.id}`, "aria-label": `Watch ${title}, ${table.jurisdiction}` },
          "Watch",
        ),
      ),
    );
  }
}

/** New Jersey, where the game comes from, first; then by name. @param {any} a @param {any} b */
function inOrder(a, b) {
  return (
    Number(b.rulebook.startsWith("nj-")) - Number(a.rulebook.startsWith("nj-")) ||
    a.rulebook.localeCompare(b.rulebook) ||
    WHO.indexOf(a.dealt_by) - WHO.indexOf(b.dealt_by) ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}

/** Who deals, in words. @type {Record<string, string>} */
const DEALT = { automatic: "Automatic", dealer: "A person", physical: "Live, at a real table" };

/** Where a stranger can play at once comes first. */
const WHO = Object.keys(DEALT);

/** The limits of the wager that must be placed. @param {any} table */
function limitsOf(table) {
  const posted = table.limits.ante ?? table.limits.main ?? Object.values(table.limits)[0];
  return posted ? `${dollars(posted.min)} to ${dollars(posted.max)}` : "posted";
}

/** @param {string} name @param {any} value */
const fact = (name, value) => h("div", null, h("dt", null, name), h("dd", null, value));

customElements.define("cf-lobby", Lobby);
