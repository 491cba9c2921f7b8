// @ts-check
/** `<cf-table of="ID">`: one table. It hears the house, keeps the state, and turns presses and keys into commands. */

import { ask, askOnce, asSomebody, withMoney } from "../shared/api.js";
import { actionsOf } from "./actions.js";
import { add, again, double, missing, same, takeOff } from "./bets.js";
import { readClause } from "../shared/clauses.js";
import { Connection } from "./connection.js";
import { draw, say } from "../shared/dom.js";
import { CHIPS } from "../shared/chips.js";
import { Stage } from "./motion.js";
import { firstState, mine, option, reduce, wagerOf, wagering } from "./state.js";
import { advise, earlierRounds } from "./house_queries.js";
import { onChange, settings } from "../shared/preferences.js";
import { keyOf, typing } from "./keys.js";
import { tablePage, whereAmI } from "./table_view.js";
import { problemWords } from "../shared/format.js";
import { sound } from "./sound.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./actions.js").Action} Action */

const ROUNDS_KEPT = 20;
/** Cents that a player buys chips for, and sits down with at most. */
const BUY_IN = 50000;
const MOST_BUY_IN = 100000;

/** What belongs to this screen alone: chips in hand, an open panel, a sentence for the player.
 * @returns {{chip: number, draft: Record<string, number> | null, past: Record<string, number>[], lastWagers: Record<string, number>, ready: boolean, busy: string, notice: string, noticeKind: string, panel: string,
 *   low: string[], ways: any, advice: any, clause: any, recall: number, spun: any, insists: boolean, recalling: boolean}} */
const firstUi = () => ({
  chip: 1,
  draft: null,
  past: [],
  lastWagers: {},
  ready: false,
  busy: "",
  notice: "",
  noticeKind: "",
  panel: "",
  low: [],
  ways: null,
  advice: null,
  clause: null,
  recall: 0,
  spun: null,
  insists: false,
  recalling: false,
});

export class TablePage extends HTMLElement {
  state = firstState();
  ui = firstUi();
  sending = false;
  /** The last number that is on the screen, and the one that the last accepted command has. */
  seen = -1;
  answered = 0;
  /** Rounds that are over, the newest first. @type {import("./state.js").Round[]} */
  rounds = [];
  /** What was checked here, by the message that opened it: another one of that round is another thing to check.
   * @type {WeakMap<object, import("./fairness.js").Checked>} */
  checks = new WeakMap();

  connectedCallback() {
    this.id_ = this.getAttribute("of") ?? "";
    this.role_ = this.getAttribute("as") ?? "player";
    this.sits = new URLSearchParams(location.search).has("sit");
    if (this.sits) history.replaceState(null, "", location.pathname);
    document.title = "Crossfelt: a table";
    document.body.classList.add("at-table");
    this.stage = new Stage(this, (message) => this.take(message));
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.unsettle = onChange(() => this.show());
    this.ticking = setInterval(() => this.tick(), 1000);
    this.show();
    void this.join();
  }

  disconnectedCallback() {
    document.body.classList.remove("at-table");
    if (this.keys) document.removeEventListener("keydown", this.keys);
    this.unsettle?.();
    clearInterval(this.ticking);
    this.line?.close();
    this.stage?.clear();
  }

  /** In which role somebody is here. */
  role_ = "player";

  async join() {
    try {
      if (this.role_ === "player") await asSomebody();
      const game = await askOnce(`/tables/${encodeURIComponent(this.id_ ?? "")}/game`);
      this.take({ type: "game", game });
    } catch (error) {
      const { status, message, problem } = /** @type {any} */ (error);
      this.take({
        type: "line",
        line: "gone",
        why: status === 404 ? "There is no such table in this house." : message,
        successor: problem?.code === "table.replaced" ? problem.allowed : "",
      });
      return;
    }
    const line = new Connection(
      this.id_ ?? "",
      (message) => this.stage?.hear(message),
      (is, why, successor) => this.take({ type: "line", line: is, why, successor }),
      this.role_,
    );
    this.line = line;
  }

  /**
   * Changes the state and draws it; what only this screen knows follows.
   * @param {{type: string, [field: string]: any}} message
   */
  take(message) {
    const before = this.state;
    this.state = reduce(before, message);
    if (typeof message.seq === "number") this.seen = message.seq;
    if (this.answered && this.seen >= this.answered) {
      this.answered = 0;
      this.ui.busy = "";
    }
    if (message.type === "welcome") this.welcomed(before, message.ready ?? []);
    // A house that was started again has forgotten who is ready.
    if (message.type === "resumed" && this.ui.ready) void this.deal();
    if (message.type === "happened") this.follow(before, message);
    this.show();
    if (message.type === "happened" || message.type === "welcome") void this.afterwards(before);
  }

  /** @param {State} before @param {number[]} ready the seats that wait for the cards */
  welcomed(before, ready) {
    const kept = JSON.parse(sessionStorage.getItem(`crossfelt.${this.id_}`) ?? "null");
    const seat = mine(this.state);
    if (seat && !this.state.bought) {
      const lies = Object.values(seat.wagers).reduce((sum, stake) => sum + stake, 0);
      this.state = { ...this.state, bought: kept?.bought ?? seat.chips_cents + lies, since: kept?.since ?? Date.now() };
    }
    if (kept?.last && seat) this.ui.lastWagers = kept.last;
    this.ui.draft = null;
    this.ui.ready = Boolean(seat && ready.includes(seat.number));
    document.title = `Crossfelt: ${this.state.game?.title ?? "a table"}`;
    if (this.sits && !seat && this.state.allowed.some((one) => one.command === "take_seat")) {
      this.sits = false;
      void this.sit();
    }
  }

  /** @param {State} before @param {any} message */
  follow(before, message) {
    const names = new Set(message.events.map((/** @type {any} */ event) => event.event));
    const seat = mine(this.state);
    if (names.has("bets_locked") && seat && Object.keys(seat.placed).length) this.ui.lastWagers = { ...seat.placed };
    if (names.has("bets_locked") || names.has("round_opened"))
      Object.assign(this.ui, { draft: null, past: [], ready: false, low: [], ways: null, spun: null, insists: false });
    if (this.state.view?.step !== before.view?.step) Object.assign(this.ui, { advice: null, notice: "" });
    if (this.ui.draft && seat && same(this.ui.draft, seat.wagers)) this.ui.draft = null;
    if (names.has("round_closed") && this.state.last)
      this.rounds = [this.state.last, ...this.rounds].slice(0, ROUNDS_KEPT);
    const spun = message.events.find(
      (/** @type {any} */ event) => event.event === "wheel_spun" || event.event === "xtreme_spun",
    );
    // The stakes are kept with it: the wheel is still looked at when the next round has begun.
    if (spun)
      this.ui.spun = {
        ...spun,
        stakes: Object.fromEntries(
          (before.view?.seats ?? []).map(({ number, placed }) => [number, placed[spun.wager] ?? 0]),
        ),
      };
    sessionStorage.setItem(
      `crossfelt.${this.id_}`,
      JSON.stringify({ bought: this.state.bought, since: this.state.since, last: this.ui.lastWagers }),
    );
    say(
      message.events
        .map((/** @type {any} */ event) => event.tells)
        .filter(Boolean)
        .join(". "),
    );
    sound(names);
  }

  /** Questions that a new state raises. @param {State} before */
  async afterwards(before) {
    const seat = mine(this.state);
    if (option(this.state, "set_hand") && seat && !this.ui.ways) {
      this.ui.ways = {};
      try {
        this.ui.ways = await ask(`/tables/${encodeURIComponent(this.id_ ?? "")}/settings?seat=${seat.number}`);
      } catch {
        this.ui.ways = null;
      }
      this.show();
    }
    if (this.ui.panel === "coach" && this.state.view?.step !== before.view?.step) await advise(this);
  }

  tick() {
    if (this.state.deadline || this.state.line === "live") this.show();
  }

  show() {
    const where = document.getElementById("where");
    if (where) draw(where, whereAmI(this));
    draw(this, tablePage(this));
    // An open panel stands on the rail, whatever the rail holds: what may be done stays in reach.
    const rail = this.ui.panel && this.querySelector("section.rail");
    if (rail) this.style.setProperty("--rail", `${rail.getBoundingClientRect().height}px`);
  }

  get actions() {
    return actionsOf(this.state, this.ui);
  }

  // --- what the player does ---------------------------------------------------------------------------------------

  /**
   * A sentence for the player: a refusal, or a piece of information.
   * @param {string} text
   * @param {"" | "info"} [kind]
   */
  tell(text, kind = "") {
    this.ui.notice = text;
    this.ui.noticeKind = kind;
    say(text);
    this.show();
  }

  /** Sends a command for the step that is on the screen. @param {any} command @returns {Promise<boolean>} */
  async command(command) {
    const { view } = this.state;
    if (!view || !this.line) return false;
    this.stage?.hurry();
    this.ui.busy = command.command;
    this.ui.notice = "";
    this.show();
    const answersStep = !["take_seat", "leave_seat", "buy_chips"].includes(command.command);
    const answer = await this.line.send({
      type: "command",
      ...(answersStep ? { round: view.round, step: view.step } : {}),
      command,
    });
    // What was accepted may not have been played yet: until then the buttons of the step before are not for pressing.
    if (answer.type === "accepted" && answer.seq > this.seen) this.answered = answer.seq;
    else this.ui.busy = "";
    if (answer.type === "refused") this.tell(problemWords(answer.problem));
    else this.show();
    return answer.type === "accepted";
  }

  /** @param {number} [number] */
  async sit(number) {
    const me = await withMoney(BUY_IN);
    const free = this.state.allowed.filter((one) => one.command === "take_seat");
    const seat = free.find((one) => one.seat === number) ?? free[Math.floor(free.length / 2)];
    if (seat)
      await this.command({
        command: "take_seat",
        seat: seat.seat,
        chips_cents: Math.min(me.balance_cents, MOST_BUY_IN),
      });
  }

  /** More chips for a seat; play money for them is never short. @param {number} seat */
  async buy(seat) {
    await withMoney(BUY_IN);
    await this.command({ command: "buy_chips", seat, cents: BUY_IN });
  }

  /** A chip on a betting area. @param {string} wager @param {boolean} [off] takes it away instead */
  press(wager, off = false) {
    const before = wagering(this.state);
    const seat = mine(this.state);
    if (!before || !seat || !before.ranges?.[wager]) return;
    const lies = this.ui.draft ?? seat.wagers;
    const credit = wagerOf(this.state, wager)?.credit_cents;
    const next = off ? takeOff(before, lies, wager) : add(before, lies, wager, credit ?? CHIPS[this.ui.chip].cents);
    this.layMore(next, lies);
  }

  /** @param {Record<string, number>} wagers @param {Record<string, number>} lies what lay there before */
  layMore(wagers, lies) {
    if (same(wagers, lies)) this.tell("That is the most the table takes there.");
    else this.lay(wagers);
  }

  /** @param {Record<string, number>} wagers */
  lay(wagers) {
    const seat = mine(this.state);
    if (!seat) return;
    this.ui.past.push(this.ui.draft ?? seat.wagers);
    this.ui.draft = wagers;
    this.ui.notice = "";
    sound(new Set(["chip"]));
    this.show();
    void this.send();
  }

  /** The table hears the newest wagers, one message after the other. */
  async send() {
    const before = wagering(this.state);
    const seat = mine(this.state);
    if (this.sending || !before || !seat || !this.ui.draft) return;
    const wagers = this.ui.draft;
    const lacks = missing(before, wagers);
    if (Object.keys(wagers).length && lacks.length) {
      const titles = lacks.map(
        (wager) => this.state.game.wagers.find((/** @type {any} */ one) => one.id === wager)?.title ?? wager,
      );
      this.tell(`${titles.join(" and ")} first: without it the other wagers do not stand.`);
      if (!Object.keys(seat.wagers).length) return;
    }
    if (lacks.length && Object.keys(wagers).length) return;
    if (same(wagers, seat.wagers)) return;
    this.sending = true;
    const taken = await this.command({ command: "place_wagers", seat: seat.number, wagers });
    this.sending = false;
    if (!taken) Object.assign(this.ui, { draft: null, ready: false });
    else if (this.ui.draft && !same(this.ui.draft, wagers)) await this.send();
    else if (this.ui.ready) await this.deal();
    this.show();
  }

  /** @param {Action} action */
  async act(action) {
    if (action.off || (this.ui.busy && this.ui.busy !== "place_wagers")) return;
    const before = wagering(this.state);
    const seat = mine(this.state);
    const lies = this.ui.draft ?? seat?.wagers ?? {};
    if (action.id === "sit") await this.sit();
    else if (action.id === "deal") await this.deal();
    else if (before && action.id === "rebet") this.lay(again(before, this.ui.lastWagers));
    else if (before && action.id === "double") this.layMore(double(before, lies), lies);
    else if (action.id === "clear") this.lay({});
    else if (action.id === "undo") this.undo();
    else if (action.id === "set" && seat) await this.set(seat);
    else if (action.id === "house-way" && seat) await this.houseWay(seat);
    else if (action.command) await this.command(action.command);
  }

  undo() {
    const earlier = this.ui.past.pop();
    if (!earlier) return;
    this.ui.draft = earlier;
    this.show();
    void this.send();
  }

  async deal() {
    const { view } = this.state;
    if (!view || !this.line) return;
    this.stage?.hurry();
    this.ui.ready = true;
    this.show();
    if (this.sending) return; // it is said when the wagers that are on their way have arrived
    const answer = await this.line.send({ type: "ready", round: view.round });
    if (answer.type === "refused") {
      this.ui.ready = false;
      this.tell(problemWords(answer.problem));
    }
  }

  // --- setting two hands ------------------------------------------------------------------------------------------

  /** A card goes to the front or back again; a third one replaces the first. @param {string} card */
  choose(card) {
    const { low } = this.ui;
    this.ui.low = low.includes(card) ? low.filter((one) => one !== card) : [...low, card].slice(-2);
    this.ui.insists = false;
    this.ui.notice = "";
    this.show();
    this.reveal();
  }

  /** On a small screen the rail may lie over the two cards in front: they are moved into sight. */
  reveal() {
    const [tray, rail] = [this.querySelector(".tray-two"), this.querySelector("section.rail")].map((one) =>
      one?.getBoundingClientRect(),
    );
    if (tray && rail && tray.bottom > rail.top) scrollBy({ top: tray.bottom - rail.top + 8, behavior: "instant" });
  }

  /** @param {import("./state.js").Seat} seat */
  async set(seat) {
    if (this.way?.foul && !this.ui.insists) {
      this.ui.insists = true;
      this.tell("Set like this, the hand is foul and loses. Set again to insist.");
      this.reveal();
      return;
    }
    await this.command({
      command: "set_hand",
      seat: seat.number,
      low: this.ui.low,
      ...(this.ui.insists ? { insists: true } : {}),
    });
  }

  /** Shows how the house would set it; a second press has it done. @param {import("./state.js").Seat} seat */
  async houseWay(seat) {
    const house = this.ui.ways?.house_way;
    const shown =
      house && house.length === 2 && house.every((/** @type {string} */ card) => this.ui.low.includes(card));
    if (house && !shown) {
      this.ui.low = [...house];
      this.tell("This is how the house would set it. Press again to have it set.", "info");
      this.reveal();
    } else await this.command({ command: "set_house_way", seat: seat.number });
  }

  /** What the two cards in front make of the hand. */
  get way() {
    const { low, ways } = this.ui;
    return ways?.ways?.find(
      (/** @type {any} */ one) =>
        one.low.length === low.length && one.low.every((/** @type {string} */ card) => low.includes(card)),
    );
  }

  // --- panels -----------------------------------------------------------------------------------------------------

  /** @param {string} panel */
  open(panel) {
    this.ui.panel = this.ui.panel === panel ? "" : panel;
    this.ui.recalling = this.ui.panel === "rounds";
    this.show();
    if (this.ui.recalling) void earlierRounds(this);
    if (this.ui.panel === "coach") void advise(this);
    const covers = matchMedia("(max-width: 1239px)").matches;
    if (this.ui.panel && covers)
      /** @type {HTMLElement | null} */ (this.querySelector(".panel"))?.focus({ preventScroll: true });
  }

  /** @param {string} id */
  async clause(id) {
    await readClause(this, id);
  }

  async leave() {
    const seat = mine(this.state);
    if (seat && (await this.command({ command: "leave_seat", seat: seat.number })))
      sessionStorage.removeItem(`crossfelt.${this.id_}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape") {
      Object.assign(this.ui, { panel: "", clause: null, spun: null });
      this.show();
      return;
    }
    // Enter that is held down would press the button in focus again and again, through decisions yet to come.
    if (event.repeat && event.key === "Enter") event.preventDefault();
    if (!settings.shortcuts || typing(event)) return;
    if (keyOf(this, event)) event.preventDefault();
  }
}

customElements.define("cf-table", TablePage);
