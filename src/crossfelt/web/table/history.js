// @ts-check
/**
 * The round history of a table: each round step by step, with its clauses and the fairness check.
 */

import { ensureAccount, errorText, request, requestCached } from "../shared/api.js";
import { cardNode } from "../shared/card.js";
import { draw, h, quietText } from "../shared/dom.js";
import { capital, HIDDEN, signed } from "../shared/format.js";
import { BasePage } from "../shared/page.js";
import { shortcutOf, stepTo } from "../shared/step_keys.js";
import { fairnessSection } from "./fairness.js";
import { logEntry } from "./panels.js";
import { placeName, placesOf } from "./places.js";
import { shortName, tellTo } from "./state.js";

class History extends BasePage {
  heading = "round history";
  /** @type {any[] | null} */
  rounds = null;
  /** @type {any} */
  round = null;
  /** @type {any} */
  game = null;
  name = "";
  at = 0;
  step = 0;

  async load() {
    try {
      this.name = (await ensureAccount()).name;
      this.game = await requestCached(`/tables/${encodeURIComponent(this.subject)}/game`);
      /** @type {any[]} */
      const list = await request(`/tables/${encodeURIComponent(this.subject)}/rounds?last=100`);
      this.rounds = list.sort((a, b) => b.round - a.round);
    } catch (error) {
      this.problem = errorText(error);
    }
    this.show();
    await this.open(0);
  }

  /** @param {number} at */
  async open(at) {
    if (!this.rounds?.[at]) return;
    this.at = at;
    this.problem = "";
    const path = `/tables/${encodeURIComponent(this.subject)}/rounds/${this.rounds[at].round}`;
    try {
      this.round = this.told(await requestCached(path), this.rounds[at].players);
      this.step = this.narrated.length - 1;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.show();
  }

  /** Returns a round in words for this player. @param {any} round @param {Record<string, string>} players by seat */
  told(round, players) {
    const own = Object.keys(players).filter((seat) => players[seat] === this.name);
    const nameOf = (/** @type {number} */ seat) => shortName(players[seat] ?? "");
    const tell = (/** @type {any} */ event) => event.tells && tellTo(event, own.map(Number), nameOf);
    return { ...round, events: round.events.map((/** @type {any} */ event) => ({ ...event, tells: tell(event) })) };
  }

  /** Returns "You", or the name of the player of a seat. @param {string} seat @param {Record<string, string>} players */
  playerAt(seat, players) {
    const player = players[seat];
    return player === this.name ? "You" : player ? shortName(player) : `Seat ${seat}`;
  }

  /** Returns the net results of a round. @param {any} round */
  netText({ net_cents: nets, players }) {
    const all = Object.entries(nets ?? {});
    return all
      .map(([seat, cents]) => `${all.length > 1 ? `${this.playerAt(seat, players)} ` : ""}${signed(Number(cents))}`)
      .join(" · ");
  }

  /** The events with a text. @returns {any[]} */
  get narrated() {
    return (this.round?.events ?? []).filter((/** @type {any} */ event) => event.tells);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const to = stepTo(event, this.step, this.narrated.length - 1);
    if (to !== undefined) {
      this.step = to;
      event.preventDefault();
      this.show();
    }
    const other = { ArrowLeft: this.at + 1, ArrowRight: this.at - 1 }[shortcutOf(event)];
    if (other !== undefined) void this.open(other);
  }

  /** Returns the visible cards after the current step. */
  visibleCards() {
    /** @type {Record<string, string>} */
    const seen = {};
    const places = { seat: placesOf(this.game, "seat"), dealer: placesOf(this.game, "dealer") };
    for (const event of this.narrated.slice(0, this.step + 1)) {
      if (event.event === "cards_dealt")
        for (const [seat, place, card] of event.cards) seen[seat ? `seat ${seat} ${place}` : place] = card;
      if (event.event === "community_cards_revealed")
        event.places.forEach(
          (/** @type {string} */ place, /** @type {number} */ at) => (seen[place] = event.cards[at]),
        );
      if (event.event === "hand_shown" || event.event === "hands_exposed")
        event.cards.forEach(
          (/** @type {string} */ card, /** @type {number} */ at) =>
            (seen[`seat ${event.seat} ${places.seat[at]}`] = card),
        );
      if (event.event === "dealer_hands_set")
        event.cards.forEach((/** @type {string} */ card, /** @type {number} */ at) => (seen[places.dealer[at]] = card));
    }
    return seen;
  }

  /** Returns the visible cards by their holder. @returns {Map<string, [string, string][]>} */
  hands() {
    /** @type {Map<string, [string, string][]>} */
    const hands = new Map();
    for (const [place, card] of Object.entries(this.visibleCards())) {
      if (card === HIDDEN) continue;
      const seat = /^seat (\d)/.exec(place)?.[1];
      const player = seat && this.playerAt(seat, this.rounds?.[this.at]?.players ?? {});
      const whose = player ?? (placesOf(this.game, "dealer").includes(place) ? "dealer" : "community cards");
      hands.set(capital(whose), [...(hands.get(capital(whose)) ?? []), [place, card]]);
    }
    return hands;
  }

  show() {
    draw(
      this,
      h(
        "section",
        { class: "sheet history" },
        h("h1", null, "Round history"),
        quietText(
          h("a", { href: `/table/${this.subject}` }, "Back to the table"),
          h("span", { class: "with-keys" }, " · J and K: next and previous step · left and right arrow: other rounds"),
          " · Export your rounds: ",
          h("a", { href: `/api/tables/${this.subject}/own-rounds`, download: true }, "for crossfelt verify"),
          ", ",
          h("a", { href: `/api/tables/${this.subject}/own-rounds.csv`, download: true }, "as a spreadsheet"),
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.rounds && !this.rounds.length && h("p", null, "No round has ended yet. Play a round first."),
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
                    h("span", null, this.netText(one)),
                  ),
                ),
              ),
          ),
        this.round && this.recall(),
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
        [...this.hands()].map(([whose, visibleCards]) =>
          h(
            "figure",
            { key: whose },
            h(
              "div",
              { class: "recall-cards" },
              visibleCards.map(([place, card]) =>
                h(
                  "div",
                  { key: place, title: capital(placeName(this.game, place.replace(/^seat \d+ /, ""))) },
                  cardNode(card),
                ),
              ),
            ),
            h("figcaption", null, whose),
          ),
        ),
      ),
      h(
        "ol",
        { class: "log steps" },
        this.narrated.map((event, at) =>
          h(
            "li",
            {
              key: at,
              class: at === this.step ? "here" : at > this.step ? "later" : "",
              onclick: () => this.goToStep(at),
            },
            logEntry(this.subject, event),
          ),
        ),
      ),
      fairnessSection(this.subject, this.round.round, this.round.lesson_seed, () => this.show()),
    );
  }

  /** @param {number} at */
  goToStep(at) {
    this.step = at;
    this.show();
  }
}

customElements.define("cf-history", History);
