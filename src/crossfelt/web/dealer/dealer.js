// @ts-check
/**
 * The dealer's console: a round step by step. What may be done, in which order, what it pays and what a typed line means
 * all come from the house; the page shows it and passes on keys. Enter is always the next regular thing.
 */

import { ask } from "../shared/api.js";
import { Connection } from "../table/connection.js";
import { deskView } from "./dealer_view.js";
import { say, wear } from "../shared/dom.js";
import { settings } from "../shared/preferences.js";
import { StaffPage } from "../console/staff_page.js";
import { firstState, reduce } from "../table/state.js";
import { problemWords } from "../shared/format.js";

/** @typedef {{field: string, asks: string, count?: number, places?: string[], front?: number, stops?: Record<string, number>}} Need */
/** @typedef {{id: string, key: string, label: string, command: any, needs?: Need[], seat?: number, regular?: boolean, after?: number, clauses?: string[]}} Act */
/** @typedef {{id: string, seat: number, way: string, title: string, cents: number, chips?: any[], stake_cents?: number, hand?: string, line?: string, odds?: string, words?: string, clauses?: string[], readings?: string[]}} Movement */
/** @typedef {{id: string, title: string, words: string[], clauses: string[], readings: string[], house_rule: string}} Step */
/** @typedef {{seq: number, live: boolean, round: number, step: string, steps: Step[], acts: Act[], keys: Record<string, string>, waits: string, movements: Movement[], house_way: string, stub: {expected: number, due: boolean, every: number, rounds: number, gone: boolean}}} Desk */
/** @typedef {{command?: any, act?: string, cards?: string[], missing?: number, says?: string, problem?: any}} Line */
/** @typedef {{id: string, title: string, follows: string, wheres: {label: string, command: any}[], counts: boolean, clauses: string[], readings: string[], house_rule: string, two_people: boolean}} Trouble */

// The cloth and its chips are those of the trainer, the colours of each game those of its table.
await Promise.all(["console/staff_page.css", "table/felt.css", "trainer/trainer.css", "dealer/dealer.css"].map(wear));
const TICKS = "crossfelt.ticks";

export class Dealing extends StaffPage {
  heading = "Dealing";
  roles = ["dealer"];
  state = firstState();
  /** @type {Desk | null} */
  desk = null;
  /** What is typed, and what the house makes of it so far. */
  text = "";
  /** @type {Line | null} */
  line = null;
  /** The act that waits for something to be typed, where it is not the regular one. */
  chosen = "";
  /** @type {any} */
  refusal = null;
  /** @type {Trouble[] | null} */
  troubles = null;
  trouble = "";
  sending = false;
  /** Whether it is a table of one's own, to which no floor comes. */
  own = false;
  #asked = 0;
  #working = 0;
  #run = 0;
  #work = Promise.resolve();
  #looking = false;
  #again = false;
  /** @type {{round: string, ids: string[]}} */
  #ticked = { round: "", ids: [] };

  get table() {
    return this.getAttribute("of") ?? "";
  }

  async enter() {
    const found = (await ask("/lobby").catch(() => ({ tables: [] }))).tables.find(
      (/** @type {any} */ one) => one.id === this.table,
    );
    this.own = Boolean(found?.yours);
    if (this.own) this.roles = ["dealer", "player"];
    this.heading = `Dealing: ${this.table}`;
    await super.enter();
  }

  async open() {
    const [game, desk] = await Promise.all([ask(`/tables/${this.table}/game`), ask(`/tables/${this.table}/desk`)]);
    this.desk = desk;
    this.reduce({ type: "game", game });
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.ticking = setInterval(() => this.state.deadline && this.show(), 1000);
    this.connection = new Connection(
      this.table,
      (message) => this.heard(message),
      (line, why, successor) => this.reduce({ type: "line", line, why, successor }),
      "dealer",
    );
  }

  close() {
    if (this.keys) document.removeEventListener("keydown", this.keys);
    clearInterval(this.ticking);
    this.connection?.close();
  }

  /** @param {any} message */
  reduce(message) {
    this.state = reduce(this.state, message);
    this.show();
  }

  /** @param {any} message */
  heard(message) {
    this.reduce(message);
    const told = message.events
      ?.filter((/** @type {any} */ event) => event.tells)
      .map((/** @type {any} */ event) => event.tells);
    if (told?.length) say(told.slice(-3).join(". "));
    if (["welcome", "happened"].includes(message.type)) void this.look();
  }

  /** Asks for the desk as it is now; while one question is on its way another waits. */
  async look() {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    do {
      this.#again = false;
      const desk = await ask(`/tables/${this.table}/desk`).catch(() => null);
      if (desk) this.desk = desk;
    } while (this.#again);
    this.#looking = false;
    if (this.text) void this.preview();
    this.show();
    this.rest();
  }

  /** Whether what is shown is what the table is, and nothing is on its way. */
  get settled() {
    return Boolean(
      this.desk && this.state.view && !this.#working && !this.#looking && this.desk.seq >= (this.connection?.seq ?? 0),
    );
  }

  // --- take and pay -----------------------------------------------------------------------------------------------------

  /** What was ticked off in this round, also after the page was loaded again. */
  get ticked() {
    const round = `${this.table} ${this.desk?.round}`;
    if (this.#ticked.round !== round) {
      const kept = JSON.parse(sessionStorage.getItem(TICKS) ?? "{}");
      this.#ticked = kept.round === round ? kept : { round, ids: [] };
    }
    return this.#ticked;
  }

  /** The next chips to move. @returns {Movement | undefined} */
  get due() {
    const done = new Set(this.ticked.ids);
    return this.desk?.movements.find((movement) => !done.has(movement.id));
  }

  tick() {
    const { due } = this;
    if (!due) return;
    this.#ticked = { round: this.ticked.round, ids: [...this.ticked.ids, due.id] };
    sessionStorage.setItem(TICKS, JSON.stringify(this.#ticked));
    say(this.due ? "" : "All chips are moved.");
    this.show();
    this.querySelector(".movement.is-due")?.scrollIntoView({ block: "nearest" });
  }

  // --- acts ---------------------------------------------------------------------------------------------------------------

  /** @returns {Act | undefined} */
  get act() {
    return this.desk?.acts.find((act) => act.id === this.chosen) ?? this.desk?.acts.find((act) => act.regular);
  }

  /** An act was pressed: it is done, or waits for what has to be named. @param {Act} act */
  press(act) {
    this.refusal = null;
    if (!act.needs?.length) return this.queue(() => this.give(act.command));
    this.wait(act.id);
  }

  /** An act waits for what has to be named with it. @param {string} act */
  wait(act) {
    this.chosen = act;
    this.type("");
    this.focusLine();
  }

  /**
   * Enter: what is typed, else chips that wait to be moved, else the next regular act. A line is taken at once, so that the
   * next can be typed while it is on its way; Enter alone waits until everything before it is done.
   */
  next() {
    const text = this.text.trim();
    if (!text && !this.settled) return;
    if (!text && this.due) return this.tick();
    this.type("");
    this.queue(() => this.carry(text));
  }

  /** One thing after the other; what was refused also stops what was typed after it. @param {() => Promise<void>} work */
  queue(work) {
    const run = this.#run;
    this.#working += 1;
    this.show();
    this.#work = this.#work
      .then(() => (run === this.#run ? work() : undefined))
      .finally(() => {
        this.#working -= 1;
        this.show();
      });
  }

  /** Reads a line and does what it says. @param {string} text */
  async carry(text) {
    const line = await this.read(text);
    if (line?.command) await this.give(line.command, text);
    else if (line?.problem) this.refuse(line.problem, text);
    else if (line?.act && (line.act !== this.act?.id || !text)) this.wait(line.act);
    else {
      this.type(text);
      say(line?.says ?? "");
    }
  }

  /** @param {any} command @param {string} [text] what was typed for it */
  async give(command, text = "") {
    this.sending = true;
    this.show();
    const answer = await this.connection?.send({ type: "command", command });
    this.sending = false;
    if (answer?.type === "refused") return this.refuse(answer.problem, text);
    [this.chosen, this.refusal] = ["", null];
    await this.look();
  }

  /** @param {any} problem @param {string} text comes back, so that it can be put right */
  refuse(problem, text) {
    this.#run += 1;
    this.type(this.text || text);
    this.refusal = problem;
    say(problemWords(problem));
    this.show();
  }

  // --- the line -----------------------------------------------------------------------------------------------------------

  /** @param {string} text */
  type(text) {
    this.text = text;
    this.refusal = null;
    this.#asked += 1;
    if (text.trim()) void this.preview();
    else this.line = null;
    this.show();
  }

  /** What the house makes of what is typed; an answer to what was typed before is not listened to. */
  async preview() {
    const asked = (this.#asked += 1);
    const line = await this.read(this.text);
    if (asked !== this.#asked) return;
    this.line = line;
    this.show();
  }

  /** @param {string} text @returns {Promise<Line | null>} */
  read(text) {
    return ask(`/tables/${this.table}/desk/line`, "POST", { text: text.slice(0, 200), act: this.chosen }).catch(
      () => null,
    );
  }

  /** The line stands where a player's act is entered. @param {number} seat */
  forSeat(seat) {
    this.type(`${seat} `);
    this.focusLine();
  }

  focusLine() {
    const input = /** @type {HTMLInputElement | null} */ (this.querySelector("#line"));
    input?.focus({ preventScroll: true });
    input?.setSelectionRange(input.value.length, input.value.length);
  }

  /** Where the hands rest: at a live table on the line, wherever there is something to be typed. */
  rest() {
    const free =
      document.activeElement === document.body ||
      this.contains(document.activeElement) ||
      document.activeElement?.id === "main";
    const types = this.desk?.live || this.act?.needs?.length;
    // On a screen that is touched the keyboard would come up over the felt.
    if (types && free && !this.question && !this.troubles && matchMedia("(hover: hover)").matches) this.focusLine();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || this.question) return;
    if (event.key === "Escape") {
      [this.chosen, this.troubles, this.refusal] = ["", null, null];
      this.type("");
      return;
    }
    if (target.closest("input, select, textarea, dialog")) return;
    if (event.key === "Enter") {
      if (target.closest("button, a, summary")) return;
      event.preventDefault();
      this.next();
    } else if (event.key.length === 1 && this.desk) this.letter(event);
  }

  /** A key beside the line: an act by its letter, in its turn or not; anything else is typed. @param {KeyboardEvent} event */
  letter(event) {
    const key = event.key.toLowerCase();
    const act = this.desk?.acts.find((one) => one.key === key);
    if (key === "!" && settings.shortcuts) void this.wrong();
    else if (this.desk?.live || this.act?.needs?.length) this.focusLine();
    else if (!settings.shortcuts || !this.settled) return;
    else if (act || this.desk?.keys[key]) {
      event.preventDefault();
      this.refusal = null;
      this.queue(() => this.carry(key));
    }
  }

  // --- what goes wrong ----------------------------------------------------------------------------------------------------

  async wrong() {
    if (this.troubles) this.troubles = null;
    else await this.attempt(async () => void (this.troubles = await ask(`/tables/${this.table}/desk/troubles`)));
    this.trouble = "";
    this.show();
    /** @type {HTMLElement | null} */ (this.querySelector(".troubles h2"))?.focus();
  }

  /** Says what would follow, and reports it when that is confirmed. @param {Trouble} trouble @param {any} command @param {any} says */
  async report(trouble, command, says) {
    const fields = [
      ...(trouble.counts ? [{ name: "count", title: "Cards counted", type: "number", min: 0, step: "1" }] : []),
      { name: "note", title: "Note for the record", optional: true },
    ];
    const given = await this.ask({
      title: trouble.title,
      says,
      label: "Report it",
      danger: true,
      fields: command.command === "report_irregularity" ? fields : fields.slice(0, -1),
    });
    if (!given) return;
    this.troubles = null;
    const counted = trouble.counts
      ? { [command.command === "count_stub" ? "count" : "counted"]: Number(given.count) }
      : {};
    this.queue(() => this.give({ ...command, ...counted, ...(given.note && { note: given.note }) }));
  }

  body() {
    return this.desk && this.state.view && deskView(this);
  }
}

customElements.define("cf-dealing", Dealing);
