// @ts-check
/** The lobby: the games with a first hand to learn them, and their tables by jurisdiction. One press seats a guest. */

import { go } from "../main.js";
import { ensureAccount, errorText, request, requestCached } from "../shared/api.js";
import { cardNode } from "../shared/card.js";
import { buttonNode, draw, fact, h, quietText } from "../shared/dom.js";
import { capital, dollars } from "../shared/format.js";
import { invite } from "../shared/invitation.js";
import { BasePage } from "../shared/page.js";
import { shortcutOf } from "../shared/step_keys.js";

const REFRESH_MS = 10000;
const START_CENTS = 100000;

class Lobby extends BasePage {
  heading = "lobby";
  /** @type {any[] | null} */
  tables = null;
  /** @type {any} */
  me = null;
  busy = "";
  help = false;
  /** The rulebook whose text is open, and the drawn text. */
  reading = "";
  /** @type {any} */
  text = null;

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
      const [lobby, me] = await Promise.all([request("/lobby"), request("/me")]);
      Object.assign(this, { tables: lobby.tables, me, problem: "" });
    } catch {
      this.problem = "The server does not answer. This page tries again every 10 seconds.";
    }
    this.show();
  }

  /** Runs a request of a button; the button waits meanwhile. @param {string} busy @param {() => Promise<unknown>} run */
  async run(busy, run) {
    this.busy = busy;
    this.show();
    try {
      await run();
    } catch (error) {
      this.busy = "";
      this.problem = errorText(error);
      this.show();
    }
  }

  /** @param {any} table */
  async sit(table) {
    await ensureAccount();
    go(`/table/${table.id}?sit`);
  }

  /** Opens a private table with bots. @param {string} rulebook */
  async practise(rulebook) {
    await ensureAccount();
    const { id } = await request("/tables", "POST", { rulebook, pace: "practice", bots: 2 });
    go(`/table/${id}?sit`);
  }

  /** @param {string} rulebook */
  async learn(rulebook) {
    await (await import("./how_to_play.js")).openLesson(rulebook);
  }

  /** Opens or closes the text of a game. @param {string} rulebook */
  async read(rulebook) {
    this.text = null;
    this.reading = this.reading === rulebook ? "" : rulebook;
    if (this.reading) {
      const [{ howToPlay }, text] = await Promise.all([
        import("./how_to_play.js"),
        requestCached(`/games/${encodeURIComponent(rulebook)}/how-to-play`),
      ]);
      this.text = howToPlay(text, "h4");
    }
    this.busy = "";
    this.show();
  }

  /** Moves the focus between tables with the arrow keys. @param {KeyboardEvent} event */
  key(event) {
    const key = shortcutOf(event);
    if (key === "?") {
      this.toggleHelp();
      return;
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
    if (!step) return;
    const all = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(".sit")]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[(at + step + all.length) % all.length]?.focus();
    event.preventDefault();
  }

  toggleHelp() {
    this.help = !this.help;
    this.show();
  }

  show() {
    /** @type {any[]} */
    const tables = [...(this.tables ?? [])].sort(byOrder);
    /** @type {Map<string, any[]>} */
    const games = new Map();
    for (const table of tables) games.set(table.game, [...(games.get(table.game) ?? []), table]);
    draw(
      this,
      h(
        "section",
        { class: "lobby" },
        this.welcome(tables),
        h(
          "div",
          { key: "friends", class: "friends" },
          h("cf-player-name", { key: "name" }),
          buttonNode("Invite friends", () => void invite(), { key: "invite" }),
        ),
        this.help && this.helpText(),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.tables === null && !this.problem && quietText("Loading tables…"),
        tables.filter((table) => table.seated).map((table) => this.continueNode(table)),
        [...games.values()].map((of) => this.game(of)),
        quietText(h("a", { href: "/console" }, "Console"), " for staff."),
      ),
    );
  }

  /** @param {any[]} tables */
  welcome(tables) {
    const seated = tables.some((table) => table.seated);
    const played = seated || tables.some((table) => table.yours);
    const money = this.me?.name ? this.me.balance_cents : START_CENTS;
    return h(
      "div",
      { class: "welcome" },
      h(
        "div",
        null,
        h("h1", null, "Take a seat"),
        h(
          "p",
          null,
          played
            ? "Pick a table and play. Play money only."
            : "New here? Play your first hand: two minutes, a guide at your side, play money only.",
        ),
      ),
      this.tables !== null &&
        h(
          "p",
          { class: "bankroll" },
          h("span", null, !this.me?.name ? "You start with" : seated ? "Beside your chips in play" : "Your bankroll"),
          h("strong", null, dollars(money)),
        ),
      buttonNode(["Help", h("kbd", { "aria-hidden": "true" }, "?")], () => this.toggleHelp(), {
        class: "button quiet lobby-help",
        "aria-expanded": String(this.help),
      }),
    );
  }

  helpText() {
    return h(
      "p",
      { class: "help-text", role: "status" },
      "“Play your first hand” deals a guided hand at a table of your own. “How to play” shows the game in pictures. “Sit down” joins a public table. “Private table” opens one of your own with two bots. ",
      h(
        "span",
        { class: "with-keys" },
        "The arrow keys move between tables, Enter sits down, Tab reaches everything else.",
      ),
    );
  }

  /** A table where the player sits. @param {any} table */
  continueNode(table) {
    return h(
      "p",
      { key: `continue-${table.id}`, class: "continue" },
      h(
        "span",
        null,
        `You sit at ${table.about.name}, ${table.jurisdiction}${table.in_hand ? ", with a hand in play" : ""}.`,
      ),
      h("a", { class: "button main", href: `/table/${table.id}` }, "Continue"),
    );
  }

  /** One game: its sign, and its tables. @param {any[]} tables */
  game(tables) {
    const [first] = tables.filter((table) => !table.yours).concat(tables);
    const { about, rulebook } = first;
    const listed = tables.filter((table) => !table.lesson);
    const open = this.reading === rulebook;
    return h(
      "section",
      { key: first.game, class: "game", "aria-label": about.name },
      h(
        "div",
        { class: `game-sign tint-${about.tint}` },
        h(
          "div",
          { class: "sign-cards", "aria-hidden": "true" },
          about.cards.map((/** @type {string} */ card) => cardNode(card, { key: card })),
        ),
        h("h2", null, about.name),
        h("p", null, about.line),
        h(
          "div",
          { class: "game-buttons" },
          buttonNode("Play your first hand", () => void this.run(`lesson-${rulebook}`, () => this.learn(rulebook)), {
            class: "button first-hand",
            disabled: Boolean(this.busy),
            "aria-label": `Play your first hand of ${about.name}, guided`,
          }),
          buttonNode("How to play", () => void this.run("", () => this.read(rulebook)), {
            class: "button on-felt",
            "aria-expanded": String(open),
            "aria-label": `How to play ${about.name}`,
          }),
        ),
      ),
      h(
        "ul",
        { class: "tables" },
        listed.map((table) => this.table(table)),
      ),
      open &&
        this.text &&
        h(
          "div",
          { class: "game-how" },
          this.text,
          h("p", null, h("a", { href: `/rules/${rulebook}` }, "What each bet does, all rules and the odds")),
        ),
    );
  }

  /** @param {any} table */
  table(table) {
    const { about } = table;
    const open = table.seats - table.taken;
    const whose = table.yours ? "Your" : table.owner && `${table.owner}’s`;
    const title = whose ? `${whose} private table: ${about.name}` : about.name;
    const physical = table.dealt_by === "physical";
    const state = STATES[table.phase];
    return h(
      "li",
      { key: table.id, class: "sign" },
      h(
        "div",
        { class: "sign-text" },
        h("h3", null, whose ? `${whose} table, ${table.jurisdiction}` : table.jurisdiction),
        about.differs && h("p", null, about.differs),
        table.departure && h("p", null, table.departure),
        quietText(
          [
            `Bets from ${dollars(table.first_bet.min)} to ${dollars(table.first_bet.max)}`,
            open ? `${open} of ${table.seats} seats free` : "full",
            ...DEALT_BY[table.dealt_by],
            ...(state ? [state] : []),
            ...Object.values(table.meters ?? {}).map(
              (meter) => `${meter.title ?? "Jackpot"} ${dollars(meter.amount_cents)}`,
            ),
          ].join(" · "),
        ),
        h(
          "details",
          { class: "sign-details" },
          h("summary", null, "Details"),
          h(
            "dl",
            { class: "facts" },
            fact("Pace", capital(table.pace)),
            fact("Rules", h("a", { href: `/rules/${table.rulebook}` }, `${table.title}, version ${table.version}`)),
          ),
        ),
      ),
      h(
        "div",
        { class: "sign-buttons" },
        buttonNode(
          this.busy === table.id ? "Sitting down…" : "Sit down",
          () => void this.run(table.id, () => this.sit(table)),
          {
            class: "button main sit",
            disabled: Boolean(this.busy) || (!open && !table.seated) || physical,
            title: physical ? "The players sit at a physical table. You can watch it here." : undefined,
            "aria-label": `Sit down at ${title}, ${table.jurisdiction}`,
          },
        ),
        !table.yours &&
          buttonNode("Private table", () => void this.run(table.rulebook, () => this.practise(table.rulebook)), {
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

/** Sorts by rulebook, dealer and id. @param {any} a @param {any} b */
function byOrder(a, b) {
  return (
    a.about.tint - b.about.tint ||
    Number(a.yours) - Number(b.yours) ||
    a.jurisdiction.localeCompare(b.jurisdiction) ||
    DEALERS.indexOf(a.dealt_by) - DEALERS.indexOf(b.dealt_by) ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}

/** The kinds of dealer that a player is told of; automatic tables are listed first. @type {Record<string, string[]>} */
const DEALT_BY = { automatic: [], dealer: ["dealt by a person"], physical: ["live, at a physical table"] };
const DEALERS = Object.keys(DEALT_BY);
/** @type {Record<string, string>} */
const STATES = { moving: "opens in a moment", held: "stopped by the floor" };

customElements.define("cf-lobby", Lobby);
