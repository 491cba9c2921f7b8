// @ts-check
/**
 * The dealer's desk: a round step by step. The server sends the actions, their order, the payments and the meaning of a
 * typed line; the page shows them and passes on keys. Enter always carries out the next regular action.
 */

import { StaffPage } from "../console/staff_page.js";
import { request } from "../shared/api.js";
import { announce, h, loadStylesheet } from "../shared/dom.js";
import { dollars, problemText, sentence } from "../shared/format.js";
import { settings } from "../shared/preferences.js";
import { Connection } from "../table/connection.js";
import { firstState, reduce } from "../table/state.js";
import { deskView, examResult } from "./dealer_view.js";

/** @typedef {{field: string, asks: string, count?: number, places?: string[], front?: number, stops?: Record<string, number>}} Need */
/** @typedef {{id: string, key: string, label: string, command: any, needs?: Need[], seat?: number, regular?: boolean, after?: number, clauses?: string[]}} Act */
/** @typedef {{id: string, seat: number, way: string, title: string, cents: number, chips?: any[], stake_cents?: number, hand?: string, line?: string, odds?: string, words?: string, clauses?: string[], readings?: string[], cards?: string[], low?: string[]}} Movement */
/** @typedef {{id: string, title: string, words: string[], clauses: string[], readings: string[], house_rule: string}} Step */
/** @typedef {{seq: number, live: boolean, round: number, step: string, steps: Step[], acts: Act[], keys: Record<string, string>, waits: string, movements: Movement[], house_way: string, stub: {nextMovement: boolean, every: number, rounds: number, gone: boolean}, exam: Exam | null}} Desk */
/** @typedef {{asked: number, right: number, millis: number, rounds: number, last: ExamMark | null, last_right: boolean, wrong: ExamMark[]}} Exam */
/** @typedef {{round: number, seat: number, title: string, given_cents: number | null, cents: number, millis: number, words: string}} ExamMark */
/** @typedef {{command?: any, act?: string, cards?: string[], missing?: number, says?: string, problem?: any}} Line */
/** @typedef {{id: string, title: string, follows: string, wheres: {label: string, command: any}[], counts: boolean, clauses: string[], readings: string[], house_rule: string, two_people: boolean}} Trouble */

// The desk shares the cloth and chips of the trainer, and the felt colours of the table.
await Promise.all(
  ["console/staff_page.css", "table/felt.css", "trainer/trainer.css", "dealer/dealer.css"].map(loadStylesheet),
);
const MOVED_KEY = "crossfelt.ticks";

export class DealerDesk extends StaffPage {
  heading = "Dealer's desk";
  roles = ["dealer"];
  state = firstState();
  /** @type {Desk | null} */
  desk = null;
  /** The typed line, and its meaning so far. */
  text = "";
  /** @type {Line | null} */
  line = null;
  /** The action that waits for input, when it is not the regular one. */
  chosen = "";
  /** @type {any} */
  refusal = null;
  /** @type {Trouble[] | null} */
  troubles = null;
  trouble = "";
  sending = false;
  /** True at a private table, which has no floor. */
  own = false;
  #previewNumber = 0;
  #working = 0;
  #run = 0;
  #work = Promise.resolve();
  #refreshing = false;
  #refreshAgain = false;
  /** @type {{round: string, ids: string[]}} */
  #ticked = { round: "", ids: [] };

  get table() {
    return this.getAttribute("of") ?? "";
  }

  async enter() {
    const found = (await request("/lobby").catch(() => ({ tables: [] }))).tables.find(
      (/** @type {any} */ one) => one.id === this.table,
    );
    this.own = Boolean(found?.yours);
    if (this.own) this.roles = ["dealer", "player"];
    this.heading = `Dealer's desk: ${this.table}`;
    await super.enter();
  }

  async open() {
    const [game, desk] = await Promise.all([
      request(`/tables/${this.table}/game`),
      request(`/tables/${this.table}/desk`),
    ]);
    this.desk = desk;
    this.reduce({ type: "game", game });
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.ticking = setInterval(() => this.state.deadline && this.show(), 1000);
    this.connection = new Connection(
      this.table,
      (message) => this.onMessage(message),
      (status, why, successor) => this.reduce({ type: "connection", status, why, successor }),
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
  onMessage(message) {
    // A table that waited for the floor continues.
    if (message.type === "happened") this.done = "";
    if (message.type === "happened" && this.refusal?.code === "table.stopped") this.refusal = null;
    this.reduce(message);
    const texts = message.events
      ?.filter((/** @type {any} */ event) => event.tells)
      .map((/** @type {any} */ event) => event.tells);
    if (texts?.length && !this.desk?.exam) announce(texts.slice(-3).map(sentence).join(" "));
    if (["welcome", "happened"].includes(message.type)) void this.refreshDesk();
  }

  /** Loads the desk again; one request at a time. */
  async refreshDesk() {
    if (this.#refreshing) {
      this.#refreshAgain = true;
      return;
    }
    this.#refreshing = true;
    do {
      this.#refreshAgain = false;
      const desk = await request(`/tables/${this.table}/desk`).catch(() => null);
      if (desk) this.desk = desk;
    } while (this.#refreshAgain);
    this.#refreshing = false;
    if (this.text) void this.preview();
    this.show();
    this.focusLineIfFree();
  }

  /** True when the page shows the current state and no request is pending. */
  get settled() {
    return Boolean(
      this.desk &&
      this.state.view &&
      !this.#working &&
      !this.#refreshing &&
      this.desk.seq >= (this.connection?.seq ?? 0),
    );
  }

  // --- take and pay -----------------------------------------------------------------------------------------------------

  /** The chip movements done in this round; they survive a reload. */
  get moved() {
    const round = `${this.table} ${this.desk?.round}`;
    if (this.#ticked.round !== round) {
      const kept = JSON.parse(sessionStorage.getItem(MOVED_KEY) ?? "{}");
      this.#ticked = kept.round === round ? kept : { round, ids: [] };
    }
    return this.#ticked;
  }

  /** The next chip movement. @returns {Movement | undefined} */
  get nextMovement() {
    const done = new Set(this.moved.ids);
    return this.desk?.movements.find((movement) => !done.has(movement.id));
  }

  markMoved() {
    const { nextMovement } = this;
    if (!nextMovement) return;
    this.#ticked = { round: this.moved.round, ids: [...this.moved.ids, nextMovement.id] };
    sessionStorage.setItem(MOVED_KEY, JSON.stringify(this.#ticked));
    announce(this.nextMovement ? "" : "All chips have been moved.");
    this.show();
    this.querySelector(".movement.is-due")?.scrollIntoView({ block: "nearest" });
  }

  // --- the exam ---------------------------------------------------------------------------------------------------------

  async beginExam() {
    const given = await this.openDialog({
      title: "Start an exam?",
      says: h(
        "p",
        null,
        "From now on hands and amounts are hidden. Type each payment in dollars, 0 if nothing is paid. Every answer is marked and timed.",
      ),
      label: "Start",
    });
    if (!given) return;
    await this.attempt(() => request(`/tables/${this.table}/desk/exam`, "POST", {}));
    await this.refreshDesk();
    this.focusLine();
  }

  async endExam() {
    /** @type {Exam | null} */
    let score = null;
    await this.attempt(async () => {
      score = await request(`/tables/${this.table}/desk/exam`, "DELETE");
    });
    await this.refreshDesk();
    if (score) await this.openDialog({ title: "The exam is over", says: examResult(score), label: "Close" });
  }

  /** Marks a typed payment. @param {string} text */
  answerExam(text) {
    const movement = this.nextMovement;
    if (!movement || !text) return announce("Type the payment in dollars, 0 if nothing is paid.");
    const cents = Math.round(Number(text.replace(/[$,]/g, "")) * 100);
    if (!Number.isInteger(cents) || cents < 0)
      return this.refuse({ what: "type the payment in dollars, such as 12.50, or 0" }, text);
    this.type("");
    this.queue(async () => {
      const done = await this.attempt(async () => {
        const score = await request(`/tables/${this.table}/desk/exam/answers`, "POST", {
          movement: movement.id,
          cents,
        });
        announce(score.last_right ? "Right." : `Wrong: ${dollars(score.last.cents)}.`);
      });
      if (done) this.markMoved();
      await this.refreshDesk();
    });
  }

  // --- actions ---------------------------------------------------------------------------------------------------------------

  /** @returns {Act | undefined} */
  get act() {
    return this.desk?.acts.find((act) => act.id === this.chosen) ?? this.desk?.acts.find((act) => act.regular);
  }

  /** Carries out a pressed action, or waits for its input. @param {Act} act */
  press(act) {
    this.refusal = null;
    if (!act.needs?.length) return this.queue(() => this.sendCommand(act.command));
    this.awaitInput(act.id);
  }

  /** Waits for the input of an action. @param {string} act */
  awaitInput(act) {
    this.chosen = act;
    this.type("");
    this.focusLine();
  }

  /**
   * Handles Enter: the typed line, else the next chip movement, else the next regular action. A line is taken at once, so
   * the dealer can type the next one meanwhile. Enter alone waits for earlier requests.
   */
  next() {
    const text = this.text.trim();
    if (!text && !this.settled) return;
    if (this.nextMovement?.way === "asked") return this.answerExam(text);
    if (!text && this.nextMovement) return this.markMoved();
    this.type("");
    this.queue(() => this.runLine(text));
  }

  /** Queues work. A refusal also cancels the lines that were typed after it. @param {() => Promise<void>} work */
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

  /** Reads a line and carries it out. @param {string} text */
  async runLine(text) {
    const line = await this.readLine(text);
    if (line?.command) await this.sendCommand(line.command, text);
    else if (line?.problem) this.refuse(line.problem, text);
    else if (line?.act && (line.act !== this.act?.id || !text)) this.awaitInput(line.act);
    else {
      this.type(text);
      announce(line?.says ?? "");
    }
  }

  /** @param {any} command @param {string} [text] the typed line */
  async sendCommand(command, text = "") {
    this.sending = true;
    this.show();
    const answer = await this.connection?.send({ type: "command", command });
    this.sending = false;
    if (answer?.type === "refused" && answer.problem.code === "floor.two_people" && this.desk?.live)
      return void (await this.callFloor(command));
    if (answer?.type === "refused" && answer.problem.code === "stub.finding") {
      await this.askFinding();
      answer.problem.allowed = ""; // the findings are buttons
    }
    if (answer?.type === "refused") return this.refuse(answer.problem, text);
    [this.chosen, this.refusal] = ["", null];
    await this.refreshDesk();
  }

  /** Calls the floor for a reading that wins from a meter. @param {any} command */
  async callFloor(command) {
    await this.attempt(
      async () => void (await request(`/tables/${this.table}/desk/award`, "POST", { command })),
      "The award waits for the floor. The table continues when a second person has approved the reading.",
    );
    [this.chosen, this.refusal] = ["", null];
    this.type("");
  }

  /** Offers the findings of a wrong count in words. */
  async askFinding() {
    /** @type {any[]} */
    const troubles = await request(`/tables/${this.table}/desk/troubles`).catch(() => []);
    this.troubles = troubles.filter((trouble) => trouble.id.startsWith("stub_count_wrong"));
    this.trouble = "";
  }

  /** @param {any} problem @param {string} text the line, restored for correction */
  refuse(problem, text) {
    this.#run += 1;
    this.type(this.text || text);
    this.refusal = problem;
    announce(problemText(problem));
    this.show();
  }

  // --- the line -----------------------------------------------------------------------------------------------------------

  /** @param {string} text */
  type(text) {
    this.text = text;
    this.refusal = null;
    this.#previewNumber += 1;
    if (text.trim() && this.nextMovement?.way !== "asked") void this.preview();
    else this.line = null;
    this.show();
  }

  /** Shows the meaning of the typed line; answers to older text are dropped. */
  async preview() {
    const number = (this.#previewNumber += 1);
    const line = await this.readLine(this.text);
    if (number !== this.#previewNumber) return;
    this.line = line;
    this.show();
  }

  /** @param {string} text @returns {Promise<Line | null>} */
  readLine(text) {
    return request(`/tables/${this.table}/desk/line`, "POST", { text: text.slice(0, 200), act: this.chosen }).catch(
      () => null,
    );
  }

  /** Starts a line for a seat. @param {number} seat */
  startLineForSeat(seat) {
    this.type(`${seat} `);
    this.focusLine();
  }

  focusLine() {
    const input = /** @type {HTMLInputElement | null} */ (this.querySelector("#line"));
    input?.focus({ preventScroll: true });
    input?.setSelectionRange(input.value.length, input.value.length);
  }

  /** Focuses the line at a live table, or when input is needed. */
  focusLineIfFree() {
    const free =
      document.activeElement === document.body ||
      this.contains(document.activeElement) ||
      document.activeElement?.id === "main";
    const types = this.desk?.live || this.act?.needs?.length || this.nextMovement?.way === "asked";
    // On a touch screen the keyboard would cover the felt.
    if (types && free && !this.dialog && !this.troubles && matchMedia("(hover: hover)").matches) this.focusLine();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog) return;
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
    } else if (event.key.length === 1 && this.desk) this.handleLetter(event);
  }

  /** Handles a letter outside the line: an action by its key; other letters go to the line. @param {KeyboardEvent} event */
  handleLetter(event) {
    const key = event.key.toLowerCase();
    const act = this.desk?.acts.find((one) => one.key === key);
    if (key === "!" && settings.shortcuts) void this.toggleTroubles();
    else if (this.desk?.live || this.act?.needs?.length || this.nextMovement?.way === "asked") this.focusLine();
    else if (!settings.shortcuts || !this.settled) return;
    else if (act || this.desk?.keys[key]) {
      event.preventDefault();
      this.refusal = null;
      this.queue(() => this.runLine(key));
    }
  }

  // --- irregularities ----------------------------------------------------------------------------------------------------

  async toggleTroubles() {
    if (this.troubles) this.troubles = null;
    else await this.attempt(async () => void (this.troubles = await request(`/tables/${this.table}/desk/troubles`)));
    this.trouble = "";
    this.show();
    /** @type {HTMLElement | null} */ (this.querySelector(".troubles h2"))?.focus();
  }

  /** Shows the consequence of an irregularity and reports it when confirmed. @param {Trouble} trouble @param {any} command @param {any} says */
  async report(trouble, command, says) {
    const fields = [
      ...(trouble.counts ? [{ name: "count", title: "Cards counted", type: "number", min: 0, step: "1" }] : []),
      { name: "note", title: "Note for the record", optional: true },
    ];
    const given = await this.openDialog({
      title: trouble.title,
      says,
      label: "Report",
      danger: true,
      fields: command.command === "report_irregularity" ? fields : fields.slice(0, -1),
    });
    if (!given) return;
    this.troubles = null;
    const counted = trouble.counts
      ? { [command.command === "count_stub" ? "count" : "counted"]: Number(given.count) }
      : {};
    this.queue(() => this.sendCommand({ ...command, ...counted, ...(given.note && { note: given.note }) }));
  }

  body() {
    return this.desk && this.state.view && deskView(this);
  }
}

customElements.define("cf-dealer-desk", DealerDesk);
