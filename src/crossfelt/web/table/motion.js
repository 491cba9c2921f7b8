// @ts-check
/**
 * What the house says is played one message after the other, in the dealer's order. The state changes first; what moves
 * then is only a picture of the way there, so that it can be hurried or left out at any time.
 */

import { moves } from "../shared/preferences.js";
import { mine } from "./state.js";
import { chipsNode } from "../shared/chips.js";
import { draw } from "../shared/dom.js";

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{type: string, [field: string]: any}} Message */

const LONG_QUEUE = 14;
const LOOK = 1300;
const CALM = "cubic-bezier(.2,.7,.25,1)";

export class Stage {
  /** @param {Page} page @param {(message: Message) => void} take */
  constructor(page, take) {
    this.page = page;
    this.take = take;
    /** @type {Message[]} */
    this.queue = [];
    /** @type {Animation[]} */
    this.running = [];
    this.playing = false;
    this.hurried = false;
  }

  /** @param {Message} message */
  hear(message) {
    if (message.type === "welcome") {
      this.clear();
      this.take(message);
      return;
    }
    this.queue.push(message);
    if (!this.playing) void this.play();
  }

  get still() {
    return this.hurried || !moves() || document.hidden || this.queue.length > LONG_QUEUE;
  }

  async play() {
    this.playing = true;
    for (let message = this.queue.shift(); message; message = this.queue.shift()) {
      const events = message.type === "happened" ? message.events : [];
      if (!this.still) await this.hold(events);
      const before = this.still ? null : this.lying(events);
      this.take(message);
      if (!this.still) await this.show(events, before ?? new Map());
    }
    this.hurried = false;
    this.playing = false;
  }

  /** Everything that is under way is shown at its end. */
  hurry() {
    if (!this.playing) return;
    this.hurried = true;
    for (const animation of this.running) animation.finish();
    this.wake?.();
  }

  clear() {
    this.queue.length = 0;
    this.hurry();
  }

  /** Time to look at the result before the cards are picked up. @param {any[]} events */
  async hold(events) {
    const seat = mine(this.page.state);
    const over = events.some((event) => event.event === "cards_discarded");
    if (over && seat && this.page.state.round.results[seat.number]) await this.pause(LOOK);
  }

  /** @param {number} ms */
  pause(ms) {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done(undefined);
      };
    });
  }

  /**
   * Where the chips lie that the events are about to move.
   * @param {any[]} events
   * @returns {Map<string, {box: DOMRect, cents: number}>}
   */
  lying(events) {
    /** @type {Map<string, {box: DOMRect, cents: number}>} */
    const found = new Map();
    const own = mine(this.page.state)?.number;
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
  async show(events, before) {
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
      else if (event.event === "hand_shown" || event.event === "hands_exposed")
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

  /** Each card comes from the shoe, in the order in which it left it. @param {[number, string, string][]} dealt */
  deal(dealt) {
    const from = this.home("shoe");
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
          { duration: 340, delay: at * apart, easing: CALM, fill: "backwards" },
        ),
      ];
    });
  }

  /** Cards are turned over where they lie. @param {string[]} places @param {number} [apart] */
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
          { duration: 360, delay: at * apart, easing: CALM, fill: "backwards" },
        ),
      ];
    });
  }

  /**
   * Lost chips go to the tray, one wager after the other; what is won comes from there.
   * @param {any[]} events
   * @param {Map<string, {box: DOMRect, cents: number}>} before
   */
  chips(events, before) {
    const tray = this.home("tray");
    const own = mine(this.page.state)?.number;
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
      { duration: 460, delay, easing: CALM, fill: "both" },
    );
    flight.onfinish = () => holder.remove();
    flight.oncancel = () => holder.remove();
    return flight;
  }

  /** The wheel turns until it stands where the house said. */
  async spin() {
    const wheels = /** @type {import("./wheel.js").Wheel[]} */ ([...this.page.querySelectorAll("cf-wheel")]);
    await this.finished(wheels.flatMap((wheel) => wheel.turn() ?? []));
    if (!this.still) await this.pause(1600);
  }

  /** @param {string} name @returns {DOMRect | undefined} */
  home(name) {
    return this.page.querySelector(`[data-home="${name}"]`)?.getBoundingClientRect();
  }
}
