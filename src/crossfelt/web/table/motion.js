// @ts-check
/**
 * Applies the server's messages one after the other, in the dealer's order, and animates them. The state changes first,
 * so an animation can be skipped at any time.
 */

import { chipsNode } from "../shared/chips.js";
import { draw } from "../shared/dom.js";
import { motionAllowed } from "../shared/preferences.js";
import { ownSeat } from "./state.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{type: string, [field: string]: any}} Message */

const LONG_QUEUE = 14;
const RESULT_PAUSE_MS = 1300;
const EASING = "cubic-bezier(.2,.7,.25,1)";

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
    return this.skipping || !motionAllowed() || document.hidden || this.queue.length > LONG_QUEUE;
  }

  async play() {
    this.playing = true;
    for (let message = this.queue.shift(); message; message = this.queue.shift()) {
      const events = message.type === "happened" ? message.events : [];
      if (!this.skipsMotion) await this.pauseOnResult(events);
      const before = this.skipsMotion ? null : this.chipPositions(events);
      this.apply(message);
      if (!this.skipsMotion) await this.animate(events, before ?? new Map());
    }
    this.skipping = false;
    this.playing = false;
  }

  /** Finishes all running animations. */
  finishNow() {
    if (!this.playing) return;
    this.skipping = true;
    for (const animation of this.running) animation.finish();
    this.endPause?.();
  }

  clear() {
    this.queue.length = 0;
    this.finishNow();
  }

  /** Pauses on the result before the dealer picks up the cards. @param {any[]} events */
  async pauseOnResult(events) {
    const seat = ownSeat(this.page.state);
    const over = events.some((event) => event.event === "cards_discarded");
    if (over && seat && this.page.state.round.results[seat.number]) await this.pause(RESULT_PAUSE_MS);
  }

  /** @param {number} ms */
  pause(ms) {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
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

  /** @param {any[]} events @param {Map<string, {box: DOMRect, cents: number}>} before */
  async animate(events, before) {
    /** @type {Animation[]} */
    const all = [];
    for (const event of events) {
      if (event.event === "cards_dealt") all.push(...this.deal(event.cards));
      else if (event.event === "community_cards_revealed") all.push(...this.turn(event.places));
      else if (event.event === "dealer_hands_set")
        all.push(
          ...this.turn(
            event.cards.map((/** @type {string} */ _, /** @type {number} */ at) => `dealer_card_${at + 1}`),
            40,
          ),
        );
      else if (
        // The player's own cards lie open already.
        ["hand_shown", "hands_exposed"].includes(event.event) &&
        event.seat !== ownSeat(this.page.state)?.number
      )
        all.push(
          ...this.turn(
            event.cards.map((/** @type {string} */ _, /** @type {number} */ at) => `seat${event.seat}-${at}`),
            40,
          ),
        );
      else if (event.event === "wheel_spun" || event.event === "xtreme_spun") await this.spin();
    }
    all.push(...this.chips(events, before));
    await this.finished(all);
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
    const apart = dealt.length > 20 ? 26 : 95;
    return dealt.flatMap(([seat, place], at) => {
      const number = Number(/_(\d+)$/.exec(place)?.[1] ?? 1) - 1;
      const card = this.page.querySelector(`[data-place="${seat ? `seat${seat}-${number}` : place}"]`);
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

  /** Turns cards over. @param {string[]} places @param {number} [apart] */
  turn(places, apart = 170) {
    return places.flatMap((place, at) => {
      const card = this.page.querySelector(`[data-place="${place}"]`);
      if (!card) return [];
      return [
        card.animate(
          [
            { transform: "perspective(600px) rotateY(92deg) scale(1.06)" },
            { transform: "perspective(600px) rotateY(0) scale(1)" },
          ],
          { duration: 360, delay: at * apart, easing: EASING, fill: "backwards" },
        ),
      ];
    });
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
        const apart = event.seat === own ? 230 : 60;
        const back = event.seat === own && purse ? purse : lay.box;
        if (event.result === "win" || event.result === "push" || event.event === "wagers_returned") {
          if (event.paid)
            all.push(
              this.fly(event.paid, tray, lay.box, turn * apart),
              this.fly(event.paid + lay.cents, lay.box, back, turn * apart + 480),
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
      { duration: 460, delay, easing: EASING, fill: "both" },
    );
    flight.onfinish = () => holder.remove();
    flight.oncancel = () => holder.remove();
    return flight;
  }

  /** Spins the wheel to its stop. */
  async spin() {
    const wheels = /** @type {import("./wheel.js").Wheel[]} */ ([...this.page.querySelectorAll("cf-wheel")]);
    await this.finished(wheels.flatMap((wheel) => wheel.spin() ?? []));
    if (!this.skipsMotion) await this.pause(1600);
  }

  /** @param {string} name @returns {DOMRect | undefined} */
  rectOf(name) {
    return this.page.querySelector(`[data-home="${name}"]`)?.getBoundingClientRect();
  }
}
