// @ts-check
/**
 * Applies the server's messages one after the other, in the dealer's order, and animates them. The state changes first,
 * so an animation can be skipped at any time.
 */

import { cardNode } from "../shared/card.js";
import { chipsNode } from "../shared/chips.js";
import { draw } from "../shared/dom.js";
import { HIDDEN } from "../shared/format.js";
import { motionAllowed } from "../shared/preferences.js";
import { paceFactor, setsPace } from "./pace.js";
import { cardPlace, placesOf } from "./places.js";
import { playSound } from "./sound.js";
import { cardBack, ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{type: string, [field: string]: any}} Message */

/** The most messages that wait where the dealer sets the pace. A page with more shows them at once. */
const LONG_QUEUE = 14;
/** The longest time that the result stands while other people wait. */
const SHARED_RESULT_MS = 5000;
const WHEEL_PAUSE_MS = 1600;
const SHORTEST_PAUSE_MS = 40;
const EASING = "cubic-bezier(.2,.7,.25,1)";
/** The time for which an event stands before the next, where the dealer makes no pauses. @type {Record<string, number>} */
const SEEN_MS = {
  cards_dealt: 150,
  bet_placed: 120,
  hand_folded: 120,
  choice_made: 120,
  community_cards_revealed: 300,
  dealer_hands_set: 600,
  hands_exposed: 300,
  seat_settled: 250,
  award_granted: 1500,
  awards_drawn: 900,
};

const TURN_MS = 380;
/** The wheel is a moment: even at the fast pace it takes this part of its time. */
const SHORTEST_SPIN = 0.4;

/** @param {Animation[]} animations @param {number} factor */
function setPace(animations, factor) {
  for (const animation of animations) animation.updatePlaybackRate(1 / factor);
}

/** @param {any[]} events */
const seenMs = (events) => Math.max(0, ...events.map(({ event }) => SEEN_MS[event] ?? 0));

/** A half turn. @param {number} from degrees @param {number} to */
const turned = (from, to) =>
  [from, to].map((degrees) => ({
    transform: `perspective(600px) rotateY(${degrees}deg) scale(${degrees ? 1.08 : 1})`,
  }));

export class Animator {
  /** @param {Page} page @param {(message: Message) => void} apply */
  constructor(page, apply) {
    this.page = page;
    this.apply = apply;
    /** @type {Message[]} */
    this.queue = [];
    /** @type {Animation[]} */
    this.running = [];
    this.playing = false;
    this.skipping = false;
    /** Counts the fresh starts, after which a message in hand is outdated. */
    this.starts = 0;
  }

  /** @param {Message} message */
  enqueue(message) {
    if (message.type === "welcome") {
      this.clear();
      this.apply(message);
      return;
    }
    this.queue.push(message);
    if (!this.playing) void this.play();
  }

  get skipsMotion() {
    const behind = this.queue.length > LONG_QUEUE && !setsPace(this.page.state);
    return this.skipping || !motionAllowed() || document.hidden || behind;
  }

  async play() {
    this.playing = true;
    for (let message = this.queue.shift(); message; message = this.queue.shift()) await this.playMessage(message);
    this.skipping = false;
    this.playing = false;
  }

  /** @param {Message} message */
  async playMessage(message) {
    const events = message.type === "happened" ? message.events : [];
    const start = this.starts;
    await this.holdResult(events);
    const spun = events.find((/** @type {any} */ { event }) => event === "wheel_spun" || event === "xtreme_spun");
    if (spun && !this.skipsMotion) await this.spin(spun);
    if (start !== this.starts) return;
    const before = this.skipsMotion ? null : this.chipPositions(events);
    const faceDown = this.facesDown();
    this.apply(message);
    if (!this.skipsMotion) await this.animate(events, before ?? new Map(), faceDown);
    if (spun && !this.skipsMotion) await this.pause(WHEEL_PAUSE_MS);
    if (!this.skipsMotion && setsPace(this.page.state)) await this.pause(seenMs(events));
  }

  /** Finishes all running animations and pauses, up to the result or the next decision. */
  finishNow() {
    if (!this.playing) return;
    this.skipping = true;
    for (const animation of this.running) animation.finish();
    this.endPause?.();
  }

  clear() {
    this.queue.length = 0;
    this.starts += 1;
    this.endHold?.();
    this.finishNow();
  }

  /** True while the result waits for the player. */
  get holding() {
    return Boolean(this.endHold);
  }

  /** Waits for the player before the dealer picks up the cards; for a bounded time if other people play. @param {any[]} events */
  async holdResult(events) {
    const { page } = this;
    const seat = ownSeat(page.state);
    const over = events.some((event) => event.event === "cards_discarded" || event.event === "round_closed");
    if (!over || !seat || !page.state.round.results[seat.number] || page.state.table.pace === "instant") return;
    this.skipping = false;
    page.showResult(true);
    await new Promise((done) => {
      const timer = setsPace(page.state) ? 0 : setTimeout(() => this.endHold?.(), SHARED_RESULT_MS);
      this.endHold = () => {
        clearTimeout(timer);
        this.endHold = undefined;
        done(undefined);
      };
    });
    page.showResult(false);
  }

  /** @param {number} ms at the normal pace */
  pause(ms) {
    if (ms * paceFactor() < SHORTEST_PAUSE_MS) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, ms * paceFactor());
      this.endPause = () => {
        clearTimeout(timer);
        done(undefined);
      };
    });
  }

  /**
   * Returns the positions of the chips that the events move.
   * @param {any[]} events
   * @returns {Map<string, {box: DOMRect, cents: number}>}
   */
  chipPositions(events) {
    /** @type {Map<string, {box: DOMRect, cents: number}>} */
    const found = new Map();
    const own = ownSeat(this.page.state)?.number;
    for (const event of events) {
      if (!["wager_settled", "fold_collected", "wagers_returned"].includes(event.event)) continue;
      const wagers = event.wager ? [event.wager] : Object.keys(event.wagers ?? {});
      for (const wager of wagers) {
        const at = this.page.querySelector(
          event.seat === own ? `[data-chips="${wager}"]` : `[data-bets="${event.seat}"]`,
        );
        if (at)
          found.set(`${event.seat}/${wager}`, {
            box: at.getBoundingClientRect(),
            cents: event.stake ?? event.wagers?.[wager] ?? 0,
          });
      }
    }
    return found;
  }

  /** Returns the places of the cards that lie face down. @returns {Set<string>} */
  facesDown() {
    const backs = this.page.querySelectorAll("[data-place]:has(.face-down)");
    return new Set([...backs].map((card) => card.getAttribute("data-place") ?? ""));
  }

  /** @param {any[]} events @param {Map<string, {box: DOMRect, cents: number}>} before @param {Set<string>} faceDown */
  async animate(events, before, faceDown) {
    /** @type {Animation[]} */
    const all = [];
    for (const event of events) {
      if (event.event === "cards_dealt") all.push(...this.deal(event.cards));
      else if (event.event === "community_cards_revealed") all.push(...this.turn(event.places, faceDown));
      else if (event.event === "dealer_hands_set")
        all.push(...this.turn(placesOf(this.page.state.game, "dealer"), faceDown, 40));
      else if (
        // The player's own cards lie open already.
        ["hand_shown", "hands_exposed"].includes(event.event) &&
        event.seat !== ownSeat(this.page.state)?.number
      )
        all.push(
          ...this.turn(
            event.cards.map((/** @type {string} */ _, /** @type {number} */ at) => `seat${event.seat}-${at}`),
            faceDown,
            40,
          ),
        );
    }
    all.push(...this.chips(events, before));
    setPace(all, paceFactor());
    // The dealer's work at other seats goes on while the next event is shown.
    const own = ownSeat(this.page.state)?.number;
    if (!events.some(({ seat }) => seat && seat !== own)) await this.finished(all);
  }

  /** @param {Animation[]} all */
  async finished(all) {
    if (!all.length) return;
    this.running = all;
    await Promise.allSettled(all.map((animation) => animation.finished));
    this.running = [];
  }

  /** Deals cards from the shoe in their order. @param {[number, string, string][]} dealt */
  deal(dealt) {
    const from = this.rectOf("shoe");
    const apart = dealt.length > 20 ? 26 : 70;
    playSound("card", Math.min(dealt.length, 14), apart * paceFactor());
    return dealt.flatMap(([seat, place], at) => {
      const onPage = seat ? cardPlace(this.page.state.game, place, seat) : place;
      const card = this.page.querySelector(`[data-place="${onPage}"]`);
      if (!card || !from) return [];
      const to = card.getBoundingClientRect();
      const way = `translate(${from.left - to.left}px, ${from.top - to.top}px) rotate(-24deg) scale(.6)`;
      return [
        card.animate(
          [
            { transform: way, opacity: 0 },
            { opacity: 1, offset: 0.12 },
            { transform: "none", opacity: 1 },
          ],
          { duration: 340, delay: at * apart, easing: EASING, fill: "backwards" },
        ),
      ];
    });
  }

  /** Turns cards over: first the back is seen to turn, then the face. @param {string[]} places @param {Set<string>} faceDown @param {number} [apart] */
  turn(places, faceDown, apart = 130) {
    return places
      .filter((place) => faceDown.has(place))
      .flatMap((place, at) => {
        const card = this.page.querySelector(`[data-place="${place}"]`);
        if (!card) return [];
        const half = { duration: TURN_MS / 2, delay: at * apart };
        const back = this.backOver(card).animate(turned(0, 90), { ...half, easing: "ease-in", fill: "both" });
        back.onfinish = back.oncancel = () => /** @type {KeyframeEffect} */ (back.effect).target?.remove();
        const timing = {
          ...half,
          delay: half.delay + half.duration,
          easing: "ease-out",
          fill: /** @type {const} */ ("backwards"),
        };
        return [back, card.animate(turned(-90, 0), timing)];
      });
  }

  /** Returns a card's back that lies over the card. @param {Element} card */
  backOver(card) {
    const { left, top, width } = card.getBoundingClientRect();
    const holder = document.createElement("div");
    draw(holder, cardNode(HIDDEN, { back: cardBack(this.page) }));
    for (const [name, size] of Object.entries({ left, top, width })) holder.style.setProperty(name, `${size}px`);
    this.page.querySelector(".flying")?.append(holder);
    return holder;
  }

  /**
   * Moves lost chips to the tray and winnings from it, one wager after the other.
   * @param {any[]} events
   * @param {Map<string, {box: DOMRect, cents: number}>} before
   */
  chips(events, before) {
    const tray = this.rectOf("tray");
    const own = ownSeat(this.page.state)?.number;
    const purse = this.page.querySelector(".purse .balance")?.getBoundingClientRect();
    if (!tray) return [];
    /** @type {Animation[]} */
    const all = [];
    let turn = 0;
    for (const event of events) {
      const wagers = event.wager ? [event.wager] : Object.keys(event.wagers ?? {});
      for (const wager of wagers) {
        const lay = before.get(`${event.seat}/${wager}`);
        if (!lay) continue;
        const apart = event.seat === own ? 130 : 50;
        const back = event.seat === own && purse ? purse : lay.box;
        if (event.result === "win" || event.result === "push" || event.event === "wagers_returned") {
          if (event.paid)
            all.push(
              this.fly(event.paid, tray, lay.box, turn * apart),
              this.fly(event.paid + lay.cents, lay.box, back, turn * apart + 360),
            );
          else all.push(this.fly(lay.cents, lay.box, back, turn * apart));
        } else all.push(this.fly(lay.cents, lay.box, tray, turn * apart));
        turn += 1;
      }
    }
    return all;
  }

  /** @param {number} cents @param {DOMRect} from @param {DOMRect} to @param {number} delay */
  fly(cents, from, to, delay) {
    const layer = /** @type {HTMLElement} */ (this.page.querySelector(".flying"));
    const holder = document.createElement("div");
    draw(holder, chipsNode(cents));
    layer.append(holder);
    const start = `translate(${from.left + from.width / 2 - 18}px, ${from.top + from.height / 2 - 18}px)`;
    const end = `translate(${to.left + to.width / 2 - 18}px, ${to.top + to.height / 2 - 18}px)`;
    const flight = holder.animate(
      [
        { transform: start, opacity: 1 },
        { transform: end, opacity: 1, offset: 0.9 },
        { transform: end, opacity: 0 },
      ],
      { duration: 400, delay, easing: EASING, fill: "both" },
    );
    flight.onfinish = () => holder.remove();
    flight.oncancel = () => holder.remove();
    return flight;
  }

  /** Spins the wheel. The page gets the message with the result only after the stop. @param {any} spun */
  async spin(spun) {
    this.page.showSpin(spun);
    const wheels = /** @type {import("./wheel.js").Wheel[]} */ ([...this.page.querySelectorAll("cf-wheel")]);
    const spins = wheels.flatMap((wheel) => wheel.spin() ?? []);
    setPace(spins, Math.max(SHORTEST_SPIN, paceFactor()));
    await this.finished(spins);
  }

  /** @param {string} name @returns {DOMRect | undefined} */
  rectOf(name) {
    return this.page.querySelector(`[data-home="${name}"]`)?.getBoundingClientRect();
  }
}
