// @ts-check
/**
 * Every round of a table: the last ones a key away, step by step, marked RECALL, with the clauses and the check of fairness.
 */

import { ask, askOnce, asSomebody } from "../shared/api.js";
import { cardNode } from "../shared/card.js";
import { draw, h } from "../shared/dom.js";
import { check, verdict } from "./fairness.js";
import { clauseRibbon, readClause } from "../shared/clauses.js";
import { logWords } from "./panels.js";
import { pressed, stepped } from "../shared/step_keys.js";
import { capital, HIDDEN, plain, signed } from "../shared/format.js";

class History extends HTMLElement {
  /** @type {any[] | null} */
  rounds = null;
  /** @type {any} */
  round = null;
  at = 0;
  step = 0;
  problem = "";
  /** @type {{right: string[], wrong: string[]} | null} */
  checked = null;
  ui = { clause: null };

  connectedCallback() {
    this.table = this.getAttribute("of") ?? "";
    document.title = "Crossfelt: rounds";
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.show();
    void this.load();
  }

  disconnectedCallback() {
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  async load() {
    try {
      await asSomebody();
      const told = await ask(`/tables/${encodeURIComponent(this.table ?? "")}/rounds?last=100`);
      this.rounds = [...(told.rounds ?? told)].sort((a, b) => b.round - a.round);
      if (this.rounds.length) await this.open(0);
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
    this.show();
  }

  /** @param {number} at */
  async open(at) {
    if (!this.rounds?.[at]) return;
    this.at = at;
    this.checked = null;
    this.round = await askOnce(`/tables/${encodeURIComponent(this.table ?? "")}/rounds/${this.rounds[at].round}`);
    this.step = this.told.length - 1;
    this.show();
  }

  /** The events that say something. @returns {any[]} */
  get told() {
    return (this.round?.events ?? []).filter((/** @type {any} */ event) => event.tells);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const to = stepped(event, this.step, this.told.length - 1);
    if (to !== undefined) {
      this.step = to;
      event.preventDefault();
      this.show();
    }
    const other = { ArrowLeft: this.at + 1, ArrowRight: this.at - 1 }[pressed(event)];
    if (other !== undefined) void this.open(other);
  }

  /** @param {string} id */
  async clause(id) {
    await readClause(this, id);
  }

  /** The cards in sight after a step. */
  cards() {
    /** @type {Record<string, string>} */
    const seen = {};
    for (const event of this.told.slice(0, this.step + 1)) {
      if (event.event === "cards_dealt")
        for (const [seat, place, card] of event.cards) seen[seat ? `seat ${seat} ${place}` : place] = card;
      if (event.event === "community_cards_revealed")
        event.places.forEach(
          (/** @type {string} */ place, /** @type {number} */ at) => (seen[place] = event.cards[at]),
        );
      if (event.event === "hand_shown" || event.event === "hands_exposed")
        event.cards.forEach(
          (/** @type {string} */ card, /** @type {number} */ at) =>
            (seen[`seat ${event.seat} ${event.cards.length > 2 ? "card" : "hole"}_${at + 1}`] = card),
        );
      if (event.event === "dealer_hands_set")
        event.cards.forEach(
          (/** @type {string} */ card, /** @type {number} */ at) => (seen[`dealer_card_${at + 1}`] = card),
        );
    }
    return seen;
  }

  /** The cards in sight, by who holds them. @returns {Map<string, [string, string][]>} */
  hands() {
    /** @type {Map<string, [string, string][]>} */
    const hands = new Map();
    for (const [place, card] of Object.entries(this.cards())) {
      if (card === HIDDEN) continue;
      const whose = /^seat \d/.exec(place)?.[0] ?? (place.startsWith("dealer") ? "dealer" : "community cards");
      hands.set(capital(whose), [...(hands.get(capital(whose)) ?? []), [place, card]]);
    }
    return hands;
  }

  show() {
    const page = /** @type {any} */ (this);
    draw(
      this,
      h(
        "section",
        { class: "sheet history" },
        h("h1", null, "Rounds"),
        h(
          "p",
          { class: "quiet" },
          h("a", { href: `/table/${this.table}` }, "Back to the table"),
          " · J and K step, arrows go from round to round · ",
          h("a", { href: `/api/tables/${this.table}/history`, download: true }, "Export"),
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.rounds && !this.rounds.length && h("p", null, "No round is over yet."),
        this.rounds &&
          h(
            "ol",
            { class: "round-list" },
            this.rounds
              .slice(0, 40)
              .map((one, at) =>
                h(
                  "li",
                  { key: one.round },
                  h(
                    "button",
                    { type: "button", "aria-pressed": String(at === this.at), onclick: () => void this.open(at) },
                    `Round ${one.round}`,
                    h("span", null, nets(one)),
                  ),
                ),
              ),
          ),
        this.round && this.recall(),
        this.ui.clause && clauseRibbon(page),
      ),
    );
  }

  recall() {
    return h(
      "div",
      { class: "recall" },
      h("p", { class: "stamp" }, "RECALL"),
      h("h2", null, `Round ${this.round.round}`),
      h(
        "div",
        { class: "recall-hands" },
        [...this.hands()].map(([whose, cards]) =>
          h(
            "figure",
            { key: whose },
            h(
              "div",
              { class: "recall-cards" },
              cards.map(([place, card]) => h("div", { key: place, title: capital(plain(place)) }, cardNode(card))),
            ),
            h("figcaption", null, whose),
          ),
        ),
      ),
      h(
        "ol",
        { class: "log steps" },
        this.told.map((event, at) =>
          h(
            "li",
            { key: at, class: at === this.step ? "here" : at > this.step ? "later" : "", onclick: () => this.go(at) },
            logWords(/** @type {any} */ (this), event),
          ),
        ),
      ),
      this.round.commitment &&
        h(
          "div",
          { class: "fairness" },
          h("h3", null, "Was it fixed before the bets closed?"),
          h("p", { class: "root" }, this.round.commitment.root),
          h("button", { type: "button", class: "button", onclick: () => void this.verify() }, "Check it here"),
          this.checked && verdict(this.checked),
        ),
    );
  }

  /** @param {number} at */
  go(at) {
    this.step = at;
    this.show();
  }

  async verify() {
    const round = this.round;
    const checked = await check(round.commitment, round.openings ?? []);
    if (this.round === round) this.checked = checked; // nobody went on to another one
    this.show();
  }
}

/** @param {any} round */
function nets(round) {
  const all = Object.entries(round.net_cents ?? {});
  return all.map(([seat, cents]) => `${all.length > 1 ? `Seat ${seat} ` : ""}${signed(Number(cents))}`).join(" · ");
}

customElements.define("cf-history", History);
