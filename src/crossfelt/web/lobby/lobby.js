// @ts-check
/** The lobby: tables by jurisdiction, with limits and free seats. One press seats a guest. */

import { go } from "../main.js";
import { ensureAccount, errorText, request } from "../shared/api.js";
import { cardNode } from "../shared/card.js";
import { buttonNode, draw, fact, h } from "../shared/dom.js";
import { capital, dollars } from "../shared/format.js";
import { BasePage } from "../shared/page.js";
import { shortcutOf } from "../shared/step_keys.js";

const REFRESH_MS = 10000;
/** The cards and the summary of each game. @type {Record<string, {cards: string[], line: string}>} */
const SIGNS = {
  criss_cross: {
    cards: ["Kd", "As", "Kh"],
    line: "Two hands on one cross of five cards. You bet three times and see more cards each time.",
  },
  double_cross: {
    cards: ["Qs", "Jh", "Tc"],
    line: "Choose the vertical or the horizontal line and beat the dealer’s hand.",
  },
  pai_gow: { cards: ["Jk", "Ah", "Kc"], line: "Seven cards, two hands. Set them yourself or the house way." },
};

class Lobby extends BasePage {
  heading = "lobby";
  /** @type {any[] | null} */
  tables = null;
  busy = "";
  help = false;

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => void this.load(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  async load() {
    try {
      this.tables = (await request("/lobby")).tables;
      this.problem = "";
    } catch {
      this.problem = "The server does not answer. This page tries again every 10 seconds.";
    }
    this.show();
  }

  /** @param {any} table */
  async sit(table) {
    this.busy = table.id;
    this.show();
    try {
      await ensureAccount();
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
      await ensureAccount();
      const { id } = await request("/tables", "POST", { rulebook, pace: "practice", bots: 2 });
      go(`/table/${id}?sit`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.busy = "";
    this.problem = errorText(error);
    this.show();
  }

  /** Moves the focus between tables with the arrow keys. @param {KeyboardEvent} event */
  key(event) {
    const key = shortcutOf(event);
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
    for (const table of [...tables].sort(byOrder))
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
          h("p", null, "Casino table games, dealt by their regulations. Play money only: a guest starts with $1,000."),
        ),
        h(
          "p",
          { class: "quiet", role: "status" },
          this.help
            ? "Use the arrow keys to move between tables, Enter to sit down and Tab to reach everything else. “Sit down” joins a public table. “Private table” opens a table of your own with two bots."
            : ["Press ", h("kbd", null, "?"), " for help."],
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.tables === null && !this.problem && h("p", { class: "quiet" }, "Loading tables…"),
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
        h("p", { class: "quiet" }, h("a", { href: "/console" }, "Console"), " for staff."),
      ),
    );
  }

  /** @param {any} table */
  sign(table) {
    const game = table.game ?? table.rulebook.replace(/^[^-]+-/, "").replaceAll("-", "_");
    const { cards, line } = SIGNS[game] ?? { cards: [], line: "" };
    const name = table.title.replace(/, [^,]+$/, "");
    const title = table.yours ? `Your private table: ${name}` : name;
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
        { class: "sign-text" },
        h("h3", null, title),
        h("p", null, line),
        h(
          "dl",
          { class: "facts" },
          fact("Limits", limitsText(table)),
          table.phase === "moving" && fact("State", "moving to another server, opens in a moment"),
          table.phase === "held" && fact("State", "held by the floor"),
          fact("Seats", open ? `${open} of ${table.seats} free` : "full"),
          fact("Dealer", DEALT_BY[table.dealt_by]),
          fact("Pace", capital(table.pace)),
          meters.map((meter) => fact(meter.title ?? "Jackpot", dollars(meter.amount_cents))),
          fact("Rulebook", h("a", { href: `/rules/${table.rulebook}` }, `${table.rulebook} ${table.version}`)),
        ),
      ),
      h(
        "div",
        { class: "sign-buttons" },
        buttonNode(this.busy === table.id ? "Sitting down…" : "Sit down", () => void this.sit(table), {
          class: "button main sit",
          disabled: Boolean(this.busy) || !open || table.dealt_by === "physical",
          title:
            table.dealt_by === "physical" ? "The players sit at a physical table. You can watch it here." : undefined,
          "aria-label": `Sit down at ${title}, ${table.jurisdiction}`,
        }),
        !table.yours &&
          buttonNode("Private table", () => void this.practise(table.rulebook), {
            disabled: Boolean(this.busy),
            "aria-label": `Private table of ${title}, ${table.jurisdiction}, with bots`,
          }),
        h(
          "a",
          { class: "watch", href: `/table/${table.id}`, "aria-label": `Watch ${title}, ${table.jurisdiction}` },
          "Watch",
        ),
      ),
    );
  }
}

/** Sorts New Jersey first, then by rulebook, dealer and id. @param {any} a @param {any} b */
function byOrder(a, b) {
  return (
    Number(b.rulebook.startsWith("nj-")) - Number(a.rulebook.startsWith("nj-")) ||
    a.rulebook.localeCompare(b.rulebook) ||
    DEALERS.indexOf(a.dealt_by) - DEALERS.indexOf(b.dealt_by) ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}

/** The kinds of dealer; automatic tables are listed first. @type {Record<string, string>} */
const DEALT_BY = { automatic: "Automatic", dealer: "A person", physical: "Live, at a physical table" };
const DEALERS = Object.keys(DEALT_BY);

/** The limits of the required wager. @param {any} table */
function limitsText(table) {
  const posted = table.limits.ante ?? table.limits.main ?? Object.values(table.limits)[0];
  return posted ? `${dollars(posted.min)} to ${dollars(posted.max)}` : "posted";
}

customElements.define("cf-lobby", Lobby);
