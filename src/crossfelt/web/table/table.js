// @ts-check
/** `<cf-table of="ID">`: one table. It receives the server's messages, keeps the state and turns input into commands. */

import { ensureAccount, ensureBalance, errorText, request, requestCached } from "../shared/api.js";
import { CHIPS } from "../shared/chips.js";
import { announce, draw } from "../shared/dom.js";
import { problemSentence, sentence } from "../shared/format.js";
import { acceptInvitation } from "../shared/invitation.js";
import { onSettingsChange, settings } from "../shared/preferences.js";
import { isTyping } from "../shared/step_keys.js";
import { actionsOf } from "./actions.js";
import { addChip, doubleWagers, missingWagers, removeWager, repeatWagers, sameWagers } from "./bets.js";
import { choiceOf, followDecision, judgeChoice } from "./coach.js";
import { Connection } from "./connection.js";
import { guideKey, placeGuide, startGuide } from "./guide.js";
import { handleKey } from "./keys.js";
import { Animator } from "./motion.js";
import { setsPace } from "./pace.js";
import { announceResult, markCards, resultActions } from "./result.js";
import { keepReceipt, SeedSender, withSeed } from "./seeds.js";
import { playSound } from "./sound.js";
import {
  bettingOption,
  firstState,
  frontCards,
  hasCompany,
  isAwaited,
  ownOption,
  ownSeat,
  reduce,
  statusText,
  wagerOf,
} from "./state.js";
import { missedText, seatLost } from "./situation.js";
import { loadEarlierRounds } from "./table_requests.js";
import { drawClocks, headerNodes, tablePage } from "./table_view.js";
import { closeWheel } from "./wheel.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./actions.js").Action} Action */

const ROUNDS_KEPT = 20;
/** Cents of one purchase of chips, and the most that a player sits down with. */
const BUY_IN = 50000;
const MOST_BUY_IN = 100000;

/** State of this page alone: the chip in hand, the open panel, the notice.
 * @returns {{chip: number, draft: Record<string, number> | null, past: Record<string, number>[], lastWagers: Record<string, number>, ready: boolean, busy: string, notice: string, noticeKind: string, panel: string,
 *   low: string[], ways: any, advice: import("./coach.js").Advice | null, verdict: import("./coach.js").Verdict | null, problem: import("../shared/format.js").Problem | null, recall: number, spun: any, insists: boolean, recalling: boolean, missed: string, balance: number | null, menu: boolean, guide: import("./guide.js").Guide | null, howTo: any, result: boolean, again: boolean}} */
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
  verdict: null,
  problem: null,
  recall: 0,
  spun: null,
  insists: false,
  recalling: false,
  missed: "",
  balance: null,
  menu: false,
  guide: null,
  howTo: null,
  result: false,
  again: false,
});

/** The stakes of each seat on a wager, which the wheel shows also after the next round has begun. @param {State} state @param {string} wager */
const stakesOf = (state, wager) =>
  Object.fromEntries((state.view?.seats ?? []).map(({ number, placed }) => [number, placed[wager] ?? 0]));

export class TablePage extends HTMLElement {
  state = firstState();
  ui = firstUi();
  sending = false;
  leaving = false;
  loadingBalance = false;
  /** The sequence number on the screen, and that of the last accepted command. */
  shownSeq = -1;
  awaitedSeq = 0;
  /** Finished rounds, newest first. @type {import("./state.js").Round[]} */
  rounds = [];

  connectedCallback() {
    this.id_ = this.getAttribute("of") ?? "";
    this.role_ = this.getAttribute("as") ?? "player";
    this.sitsOnLoad = new URLSearchParams(location.search).has("sit");
    if (this.sitsOnLoad) history.replaceState(null, "", location.pathname);
    document.title = "Crossfelt: a table";
    document.body.classList.add("at-table");
    this.animator = new Animator(this, (message) => this.dispatch(message));
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.stopListening = onSettingsChange(() => this.show());
    this.tickTimer = setInterval(() => drawClocks(this), 1000);
    this.show();
    void this.join();
  }

  disconnectedCallback() {
    document.body.classList.remove("at-table");
    if (this.keys) document.removeEventListener("keydown", this.keys);
    this.stopListening?.();
    clearInterval(this.tickTimer);
    this.connection?.close();
    this.animator?.clear();
  }

  /** The id of the table, and the role of the viewer. */
  id_ = "";
  role_ = "player";

  async join() {
    try {
      if (this.role_ === "player") {
        const me = await ensureAccount();
        await acceptInvitation(this.id_);
        this.sitsOnLoad ||= Boolean(me.sits);
      }
      const game = await requestCached(`/tables/${encodeURIComponent(this.id_)}/game`);
      this.dispatch({ type: "game", game });
    } catch (error) {
      const { problem } = /** @type {any} */ (error);
      this.dispatch({
        type: "connection",
        status: "gone",
        why: errorText(error),
        successor: problem?.code === "table.replaced" ? problem.allowed : "",
      });
      return;
    }
    const seeds = new SeedSender(this.id_, (message) => this.connection?.send(message));
    this.connection = new Connection(
      this.id_,
      (message) => {
        seeds.receive(message);
        this.animator?.enqueue(message);
      },
      (status, why, successor) => {
        seeds.live = status === "live";
        this.dispatch({ type: "connection", status, why, successor });
      },
      this.role_,
    );
  }

  /** Joins with a new account after the session has ended, and takes a seat. */
  async joinAgain() {
    sessionStorage.removeItem(`crossfelt.${this.id_}`);
    this.sitsOnLoad = true;
    await this.join();
  }

  /**
   * Applies a message to the state and draws the page.
   * @param {{type: string, [field: string]: any}} message
   */
  dispatch(message) {
    const before = this.state;
    this.state = reduce(before, message);
    this.passBank();
    if (typeof message.seq === "number") this.shownSeq = message.seq;
    if (this.awaitedSeq && this.shownSeq >= this.awaitedSeq) {
      this.awaitedSeq = 0;
      this.ui.busy = "";
    }
    if (message.type === "welcome") this.onWelcome(before, message.ready ?? []);
    // A restarted server has forgotten who is ready.
    if (message.type === "resumed" && this.ui.ready) void this.deal();
    if (message.type === "happened") this.onUpdate(before, message);
    this.callPlayer(before);
    this.setPauses(message.type);
    this.show();
    if (message.type === "happened" || message.type === "welcome") void this.loadFollowUps(before);
  }

  /** Declines the bank at once for a player who has not asked for it, so that nobody waits for the answer. */
  passBank() {
    const { state } = this;
    const offer = ownOption(state, "decline_bank");
    if (!offer || !state.view || settings.bank) return;
    const { round, step } = state.view;
    this.state = { ...state, allowed: state.allowed.filter(({ command }) => !/_bank$/.test(command)) };
    void this.connection?.send({
      type: "command",
      round,
      step,
      command: { command: "decline_bank", seat: offer.seat },
    });
  }

  /** True once the dealer was asked to make no pauses. */
  pausesOff = false;

  /** Asks for no pauses where this page sets the pace; a new connection asks again. @param {string} type of the message */
  setPauses(type) {
    if (type === "welcome" || type === "resumed" || !setsPace(this.state)) this.pausesOff = false;
    if (this.pausesOff || !this.connection || !setsPace(this.state)) return;
    this.pausesOff = true;
    void this.connection.send({ type: "pauses", on: false });
  }

  /** @param {State} before @param {number[]} ready the seats that are ready for the deal */
  onWelcome(before, ready) {
    const kept = JSON.parse(sessionStorage.getItem(`crossfelt.${this.id_}`) ?? "null");
    const seat = ownSeat(this.state);
    if (seat && !this.state.boughtCents) {
      const laid = Object.values(seat.wagers).reduce((sum, stake) => sum + stake, 0);
      this.state = {
        ...this.state,
        boughtCents: kept?.bought ?? seat.chips_cents + laid,
        since: kept?.since ?? Date.now(),
      };
    }
    if (kept?.last && seat) this.ui.lastWagers = kept.last;
    if (kept && !seat) {
      this.ui.missed = seatLost();
      sessionStorage.removeItem(`crossfelt.${this.id_}`);
    }
    this.ui.draft = null;
    this.ui.ready = Boolean(seat && ready.includes(seat.number));
    void startGuide(this);
    if (this.sitsOnLoad && !seat && this.state.allowed.some((one) => one.command === "take_seat")) {
      this.sitsOnLoad = false;
      void this.sit();
    }
  }

  /** @param {State} before @param {any} message */
  onUpdate(before, message) {
    const names = new Set(message.events.map((/** @type {any} */ event) => event.event));
    const seat = ownSeat(this.state);
    if (names.has("bets_locked") && seat && Object.keys(seat.placed).length) this.ui.lastWagers = { ...seat.placed };
    if (names.has("bets_locked") || names.has("round_opened"))
      Object.assign(this.ui, { draft: null, past: [], ready: false, low: [], ways: null, spun: null, insists: false });
    if (names.has("bets_locked")) this.ui.verdict = null;
    if (this.state.view?.step !== before.view?.step) this.ui.notice = "";
    if (this.ui.draft && seat && sameWagers(this.ui.draft, seat.wagers)) this.ui.draft = null;
    this.ui.missed = missedText(before, message.events, this.leaving) || this.ui.missed;
    if (names.has("round_closed") || names.has("chips_bought")) this.ui.balance = null;
    if (names.has("round_closed") && this.state.last)
      this.rounds = [this.state.last, ...this.rounds].slice(0, ROUNDS_KEPT);
    const spun = this.state.told.find(
      (/** @type {any} */ event) => event.event === "wheel_spun" || event.event === "xtreme_spun",
    );
    if (spun) this.ui.spun = { ...spun, stakes: stakesOf(before, spun.wager), stopped: true };
    if (this.ui.again && bettingOption(this.state)) this.betAgain();
    const kept = { bought: this.state.boughtCents, since: this.state.since, last: this.ui.lastWagers };
    if (seat) sessionStorage.setItem(`crossfelt.${this.id_}`, JSON.stringify(kept));
    else sessionStorage.removeItem(`crossfelt.${this.id_}`);
    announce(
      this.state.told
        .filter((event) => event.tells)
        .map((event) => sentence(event.tells))
        .join(" "),
    );
    if (names.has("bet_placed") || names.has("wager_settled")) playSound("chip");
    if (names.has("community_cards_revealed") || names.has("dealer_hands_set")) playSound("card");
  }

  /** Shows the spinning wheel, before the page has its result. @param {any} spun */
  showSpin(spun) {
    this.ui.spun = { ...spun, stakes: stakesOf(this.state, spun.wager), stopped: false };
    this.show();
  }

  // --- the result of a round --------------------------------------------------------------------------------------

  /** Shows the result until the player's next act, or ends it. @param {boolean} stands */
  showResult(stands) {
    this.ui.result = stands;
    const seat = ownSeat(this.state);
    if (stands && seat) announceResult(this.state, seat.number);
    this.show();
  }

  /** Goes on from the result. @param {boolean} [again] places the same bets and deals */
  nextHand(again = false) {
    this.ui.again = again;
    if (this.ui.spun) this.ui.spun = null;
    this.animator?.endHold?.();
  }

  betAgain() {
    const betting = bettingOption(this.state);
    this.ui.again = false;
    if (!betting) return;
    this.ui.ready = true;
    this.placeWagers(repeatWagers(betting, this.ui.lastWagers));
  }

  /** Says in the tab's title, and by a sound among other people, that the table waits for this player. @param {State} before */
  callPlayer(before) {
    const title = this.state.game?.title ?? "a table";
    const called = isAwaited(this.state);
    document.title = called ? `Your turn – ${title}` : `Crossfelt: ${title}`;
    if (!called || isAwaited(before)) return;
    announce(sentence(statusText(this.state)));
    if (document.hidden || hasCompany(this.state)) playSound("turn");
  }

  /** Loads what a new state needs: the settings of a hand, advice. @param {State} before */
  async loadFollowUps(before) {
    const seat = ownSeat(this.state);
    if (ownOption(this.state, "set_hand") && seat && !this.ui.ways) {
      this.ui.ways = {};
      try {
        this.ui.ways = await request(`/tables/${encodeURIComponent(this.id_)}/settings?seat=${seat.number}`);
      } catch {
        this.ui.ways = null;
      }
      this.show();
    }
    await followDecision(this);
  }

  show() {
    const where = document.getElementById("where");
    if (where) draw(where, headerNodes(this));
    draw(this, tablePage(this));
    markCards(this);
    // An open panel ends above the rail, so the action buttons stay in reach.
    const rail = this.ui.panel && this.querySelector("section.rail");
    if (rail) this.style.setProperty("--rail", `${rail.getBoundingClientRect().height}px`);
    placeGuide(this);
  }

  get actions() {
    return this.ui.result ? resultActions(this.ui.lastWagers) : actionsOf(this.state, this.ui);
  }

  // --- actions ---------------------------------------------------------------------------------------

  /**
   * Shows a notice to the player: a refusal or information.
   * @param {string} text
   * @param {"" | "info"} [kind]
   * @param {import("../shared/format.js").Problem | null} [problem] the refusal behind the notice
   */
  notify(text, kind = "", problem = null) {
    Object.assign(this.ui, { notice: text, noticeKind: kind, problem });
    announce(text);
    this.show();
  }

  /** Shows a refusal; its clauses are a press away. @param {import("../shared/format.js").Problem} problem */
  refuse(problem) {
    this.notify(problemSentence({ ...problem, value: undefined }), "", problem);
  }

  /** Sends a command for the step on the screen. @param {any} command @returns {Promise<boolean>} */
  async command(command) {
    const { view } = this.state;
    if (!view || !this.connection) return false;
    this.animator?.finishNow();
    const choice = choiceOf(this, command);
    this.ui.busy = command.command;
    Object.assign(this.ui, { notice: "", missed: "" });
    this.show();
    const answersStep = !["take_seat", "leave_seat", "buy_chips"].includes(command.command);
    const answer = await this.connection.send({
      type: "command",
      ...(answersStep ? { round: view.round, step: view.step } : {}),
      command: withSeed(this, command),
    });
    if (answer.receipt) keepReceipt(answer.receipt);
    // An accepted command may not be on the screen yet. Until then, the old buttons stay disabled.
    if (answer.type === "accepted" && answer.seq > this.shownSeq) this.awaitedSeq = answer.seq;
    else this.ui.busy = "";
    if (answer.type === "refused") this.refuse(answer.problem);
    else this.show();
    if (answer.type === "accepted") void judgeChoice(this, choice);
    return answer.type === "accepted";
  }

  /** @param {number} [number] */
  async sit(number) {
    const me = await ensureBalance(BUY_IN);
    const free = this.state.allowed.filter((one) => one.command === "take_seat");
    const seat = free.find((one) => one.seat === number) ?? free[Math.floor(free.length / 2)];
    if (seat)
      await this.command({
        command: "take_seat",
        seat: seat.seat,
        chips_cents: Math.min(me.balance_cents, MOST_BUY_IN),
      });
  }

  /** Buys chips for a seat; play money is added when the balance is too low. @param {number} seat */
  async buyChips(seat) {
    await ensureBalance(BUY_IN);
    await this.command({ command: "buy_chips", seat, cents: BUY_IN });
  }

  /** Buys chips with money of the account. @param {number} cents */
  async buyIn(cents) {
    const seat = ownSeat(this.state);
    if (seat) await this.command({ command: "buy_chips", seat: seat.number, cents });
  }

  /** Closes the notice. */
  dismiss() {
    if (this.ui.notice) this.ui.notice = "";
    else this.ui.missed = "";
    this.show();
  }

  /** Goes on without a player who keeps the others waiting. @param {number} seat */
  async goOnWithout(seat) {
    const answer = await this.connection?.send({ type: "go_on", seat });
    if (answer?.type === "refused") this.refuse(answer.problem);
  }

  /** Adds a chip to a betting area. @param {string} wager @param {boolean} [off] removes the wager instead */
  pressArea(wager, off = false) {
    const betting = bettingOption(this.state);
    const seat = ownSeat(this.state);
    if (!betting) return this.hintAt(wager);
    if (!seat || !betting.ranges?.[wager]) return;
    const stakes = this.ui.draft ?? seat.wagers;
    const credit = wagerOf(this.state, wager)?.credit_cents;
    const next = off
      ? removeWager(betting, stakes, wager)
      : addChip(betting, stakes, wager, credit ?? CHIPS[this.ui.chip].cents);
    this.placeMore(next, stakes);
  }

  /** Says which buttons bet on the lit area of a decision: the size of the bet is a choice. @param {string} wager */
  hintAt(wager) {
    if (!this.querySelector(`.area.asked[data-wager='${wager}']`)) return;
    const labels = this.actions.map(({ label }) => label);
    this.notify(`Choose with a button: ${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}.`, "info");
  }

  /** @param {Record<string, number>} wagers @param {Record<string, number>} stakes the wagers before */
  placeMore(wagers, stakes) {
    if (sameWagers(wagers, stakes)) this.notify("The wager is already at the table limit.");
    else this.placeWagers(wagers);
  }

  /** @param {Record<string, number>} wagers */
  placeWagers(wagers) {
    const seat = ownSeat(this.state);
    if (!seat) return;
    this.ui.past.push(this.ui.draft ?? seat.wagers);
    this.ui.draft = wagers;
    this.ui.notice = "";
    playSound("chip");
    this.show();
    void this.sendWagers();
  }

  /** Sends the newest wagers, one message at a time. */
  async sendWagers() {
    const betting = bettingOption(this.state);
    const seat = ownSeat(this.state);
    if (this.sending || !betting || !seat || !this.ui.draft) return;
    const wagers = this.ui.draft;
    const lacks = missingWagers(betting, wagers);
    if (Object.keys(wagers).length && lacks.length) {
      const titles = lacks.map(
        (wager) => this.state.game.wagers.find((/** @type {any} */ one) => one.id === wager)?.title ?? wager,
      );
      const where = lacks.length > 1 ? "one of the lit areas" : "the lit area";
      this.notify(`Place the ${titles.join(" and the ").toLowerCase()} too: press ${where}.`, "info");
      if (!Object.keys(seat.wagers).length) return;
    }
    if (lacks.length && Object.keys(wagers).length) return;
    if (sameWagers(wagers, seat.wagers)) return;
    this.sending = true;
    const taken = await this.command({ command: "place_wagers", seat: seat.number, wagers });
    this.sending = false;
    if (!taken) Object.assign(this.ui, { draft: null, ready: false });
    else if (this.ui.draft && !sameWagers(this.ui.draft, wagers)) await this.sendWagers();
    else if (this.ui.ready) await this.deal();
    this.show();
  }

  /** @param {Action} action */
  async runAction(action) {
    if (action.disabled || (this.ui.busy && this.ui.busy !== "place_wagers")) return;
    const betting = bettingOption(this.state);
    const seat = ownSeat(this.state);
    const stakes = this.ui.draft ?? seat?.wagers ?? {};
    if (action.id === "next" || action.id === "again") this.nextHand(action.id === "again");
    else if (action.id === "sit") await this.sit();
    else if (action.id === "deal") await this.deal();
    else if (action.seat) await this.goOnWithout(action.seat);
    else if (betting && action.id === "rebet") this.placeWagers(repeatWagers(betting, this.ui.lastWagers));
    else if (betting && action.id === "double") this.placeMore(doubleWagers(betting, stakes), stakes);
    else if (action.id === "clear") this.placeWagers({});
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
    void this.sendWagers();
  }

  async deal() {
    const { view } = this.state;
    if (!view || !this.connection) return;
    this.animator?.finishNow();
    this.ui.ready = true;
    this.show();
    if (this.sending) return; // sendWagers calls deal again when the wagers have arrived
    const answer = await this.connection.send({ type: "ready", round: view.round });
    if (answer.type === "refused") {
      this.ui.ready = false;
      this.refuse(answer.problem);
    }
  }

  // --- setting two hands ------------------------------------------------------------------------------------------

  /** Moves a card to the front hand or back; a card too many replaces the first. @param {string} card */
  choose(card) {
    const { low } = this.ui;
    this.ui.low = low.includes(card)
      ? low.filter((one) => one !== card)
      : [...low, card].slice(-frontCards(this.state));
    this.ui.insists = false;
    this.ui.notice = "";
    this.show();
    this.scrollToFront();
  }

  /** Scrolls the front hand into view when the rail covers it. */
  scrollToFront() {
    const [tray, rail] = [this.querySelector(".tray-front"), this.querySelector("section.rail")].map((one) =>
      one?.getBoundingClientRect(),
    );
    if (tray && rail && tray.bottom > rail.top) scrollBy({ top: tray.bottom - rail.top + 8, behavior: "instant" });
  }

  /** @param {import("./state.js").Seat} seat */
  async set(seat) {
    if (this.chosenSetting?.foul && !this.ui.insists) {
      this.ui.insists = true;
      this.notify("This hand is foul and loses. Press Set hands again to set it anyway.");
      this.scrollToFront();
      return;
    }
    await this.command({
      command: "set_hand",
      seat: seat.number,
      low: this.ui.low,
      ...(this.ui.insists ? { insists: true } : {}),
    });
  }

  /** Shows the house way; Set hands or a second press sets it. @param {import("./state.js").Seat} seat */
  async houseWay(seat) {
    const house = this.ui.ways?.house_way;
    const shown =
      house &&
      house.length === this.ui.low.length &&
      house.every((/** @type {string} */ card) => this.ui.low.includes(card));
    if (house && !shown) {
      this.ui.low = [...house];
      const way = this.chosenSetting;
      this.notify(`House way: ${way?.high_name}, and ${way?.low_name} in front. Press Set hands.`, "info");
      this.scrollToFront();
    } else await this.command({ command: "set_house_way", seat: seat.number });
  }

  /** The setting with the chosen low hand. */
  get chosenSetting() {
    const { low, ways } = this.ui;
    return ways?.ways?.find(
      (/** @type {any} */ one) =>
        one.low.length === low.length && one.low.every((/** @type {string} */ card) => low.includes(card)),
    );
  }

  // --- panels -----------------------------------------------------------------------------------------------------

  /** @param {string} panel */
  togglePanel(panel) {
    this.ui.panel = this.ui.panel === panel ? "" : panel;
    this.ui.recalling = this.ui.panel === "rounds";
    this.show();
    if (this.ui.recalling) void loadEarlierRounds(this);
    if (this.ui.panel === "coach") void followDecision(this);
    const covers = matchMedia("(max-width: 1239px)").matches;
    if (this.ui.panel && covers)
      /** @type {HTMLElement | null} */ (this.querySelector(".panel"))?.focus({ preventScroll: true });
  }

  async leave() {
    const seat = ownSeat(this.state);
    this.leaving = true;
    if (seat && (await this.command({ command: "leave_seat", seat: seat.number })))
      sessionStorage.removeItem(`crossfelt.${this.id_}`);
    this.leaving = false;
  }

  /** Skips the motion, or goes on from the wheel or the result. @returns {boolean} false if nothing was to be skipped */
  skip() {
    if (this.ui.spun) closeWheel(this);
    else if (this.ui.result) this.nextHand();
    else if (this.animator?.playing) this.animator.finishNow();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (guideKey(this, event)) return;
    if (event.key === "Escape" && this.ui.spun) return closeWheel(this);
    if (event.key === "Escape") {
      Object.assign(this.ui, { panel: "", menu: false });
      this.show();
      return;
    }
    if (event.key === " " && !event.repeat && !isTyping(event) && this.skip()) return event.preventDefault();
    // Enter held down would press the focused button again and answer later decisions.
    if (event.repeat && event.key === "Enter") event.preventDefault();
    if (!settings.shortcuts || isTyping(event)) return;
    if (handleKey(this, event)) event.preventDefault();
  }
}

customElements.define("cf-table", TablePage);
