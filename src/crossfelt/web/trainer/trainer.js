// @ts-check
/** The trainer: one question after the other, marked by the server. Missed questions return. */

import { go } from "../main.js";
import { ensureAccount, errorText, request, ServerError } from "../shared/api.js";
import { announce, buttonNode, draw, h, loadStylesheet, quietText, tableHead } from "../shared/dom.js";
import { cardName, timeText } from "../shared/format.js";
import { BasePage } from "../shared/page.js";
import { settings } from "../shared/preferences.js";
import { answerNode, clothNode, verdictNode } from "./question.js";

await loadStylesheet("trainer/trainer.css");

/** @typedef {{chosen: number | null, amount: string, order: number[], picked: string[]}} Draft */

const BOTS = 3;
const MIXED = "";
const LAST = 10;
const AMOUNT = /^\$?(\d{1,3}(,\d{3})+|\d{1,15})(\.\d{1,2})?$/;
/** @returns {Draft} */
const blank = () => ({ chosen: null, amount: "", order: [], picked: [] });

const EXAMS_SHOWN = 5;

export class Trainer extends BasePage {
  heading = "trainer";
  /** @type {any} */
  offered = null;
  /** @type {any} */
  posed = null;
  /** @type {any} */
  verdict = null;
  draft = blank();
  /** The last marks of this visit. @type {boolean[]} */
  marks = [];
  busy = false;
  /** True when another page of the same account has drawn a newer question. */
  questionExpired = false;
  rulebook = MIXED;
  kind = MIXED;
  /** The first digit of a longer number: 1, where there is a 12. */
  digits = "";

  connectedCallback() {
    const asked = new URLSearchParams(location.search);
    [this.rulebook, this.kind] = [asked.get("rulebook") ?? MIXED, asked.get("kind") ?? MIXED];
    super.connectedCallback();
  }

  async load() {
    await this.attempt(async () => {
      await ensureAccount();
      this.offered = await request("/training");
    });
    if (this.offered) await this.next();
  }

  /** Runs a request and shows its problem. @param {() => Promise<void>} work @returns {Promise<boolean>} */
  async attempt(work) {
    if (this.busy) return false;
    [this.busy, this.problem] = [true, ""];
    this.show();
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = errorText(error);
      this.questionExpired = error instanceof ServerError && error.problem.code === "question.unknown";
      return false;
    } finally {
      this.busy = false;
      this.show();
    }
  }

  /** Opens a private table with bots, to deal at. */
  async deal() {
    await this.attempt(async () => {
      const asked = { rulebook: this.rulebook || this.offered.games[0].rulebook, dealt_by: "dealer", bots: BOTS };
      const { id } = await request("/tables", "POST", asked);
      go(`/console/deal/${id}`);
    });
  }

  async next() {
    const wanted = { ...(this.rulebook && { rulebook: this.rulebook }), ...(this.kind && { kind: this.kind }) };
    const succeeded = await this.attempt(async () => {
      const posed = await request("/training/questions", "POST", wanted);
      [this.posed, this.verdict, this.draft, this.digits] = [posed, null, blank(), ""];
    });
    if (!succeeded) return;
    announce(`${this.offered.drills[this.posed.kind]}, ${this.posed.title}`);
    scrollTo(0, 0);
    // On a touch screen the keyboard would cover the cards.
    const typed = matchMedia("(hover: hover)").matches && this.querySelector("#amount");
    /** @type {HTMLElement | null} */ (typed || this.querySelector("#asks"))?.focus({ preventScroll: !typed });
  }

  /** The answer as text; empty while it is incomplete. */
  get text() {
    const { chosen, amount, order, picked } = this.draft;
    const { answer } = this.posed;
    if (answer.type === "choose") return chosen ? String(chosen) : "";
    if (answer.type === "amount") return amount.trim();
    if (answer.type === "arrange") return order.length === answer.items.length ? order.join(" ") : "";
    return picked.length === answer.count ? picked.join(" ") : "";
  }

  /** @param {string | null} text null shows the answer */
  async answer(text) {
    if (!this.posed || this.verdict) return;
    const problem =
      text === ""
        ? "The answer is not complete."
        : text !== null && this.posed.answer.type === "amount" && !AMOUNT.test(text)
          ? "This is not an amount. Enter dollars, such as 175 or 17.50."
          : "";
    if (problem) {
      this.problem = problem;
      announce(this.problem);
      this.show();
      return;
    }
    const marked = await this.attempt(async () => {
      const verdict = await request("/training/answers", "POST", { question: this.posed.question, answer: text });
      this.verdict = verdict;
      this.offered = { ...this.offered, tallies: verdict.tallies };
      this.marks = [...this.marks, verdict.right].slice(-LAST);
    });
    if (marked) {
      announce(
        `${this.verdict.right ? "Right." : `The answer is ${this.verdict.words}.`} ${this.verdict.explanation.text}`,
      );
      /** @type {HTMLElement | null} */ (this.querySelector(".next"))?.focus({ preventScroll: true });
      this.querySelector(".verdict")?.scrollIntoView({ block: "nearest" });
    } else if (this.questionExpired) await this.next();
  }

  // --- input ---

  /** @param {number} number */
  choose(number) {
    this.change({ chosen: number }, `${number}: ${this.posed.answer.options[number - 1]}`);
  }

  /** @param {string} amount */
  type(amount) {
    this.change({ amount });
  }

  /** @param {number} number */
  place(number) {
    const { order } = this.draft;
    const out = order.includes(number);
    this.change(
      { order: out ? order.filter((one) => one !== number) : [...order, number] },
      `${this.posed.answer.items[number - 1]}: ${out ? "removed" : `number ${order.length + 1}`}`,
    );
  }

  /** @param {string} card */
  pick(card) {
    const { picked } = this.draft;
    const out = picked.includes(card);
    const now = out ? picked.filter((one) => one !== card) : [...picked, card].slice(-this.posed.answer.count);
    this.change({ picked: now }, `Low hand: ${now.map(cardName).join(", ") || "none"}`);
  }

  /** @param {Partial<Draft>} draft @param {string} [announcement] */
  change(draft, announcement = "") {
    this.draft = { ...this.draft, ...draft };
    this.problem = "";
    announce(announcement);
    this.show();
  }

  /** @param {string} rulebook @param {string} kind */
  chooseDrill(rulebook, kind) {
    const topics = this.offered.games.find((/** @type {any} */ game) => game.rulebook === rulebook)?.topics;
    [this.rulebook, this.kind] = [rulebook, topics && !(kind in topics) ? MIXED : kind];
    const asked = new URLSearchParams([
      ...(this.rulebook ? [["rulebook", this.rulebook]] : []),
      ...(this.kind ? [["kind", this.kind]] : []),
    ]);
    history.replaceState(null, "", `/train${asked.size ? `?${asked}` : ""}`);
    void this.next();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.("select, .choosing")) return;
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (this.handleKey(pressed, Boolean(target.closest?.("input, button, a, summary")))) event.preventDefault();
  }

  /** @param {string} pressed @param {boolean} onControl true when a control has the focus @returns {boolean} true when the key has an action */
  handleKey(pressed, onControl) {
    if (!this.posed) return false;
    if (pressed === "Enter") {
      if (!onControl) void (this.verdict ? this.next() : this.answer(this.text));
      return !onControl;
    }
    if (!settings.shortcuts) return false;
    if (pressed === "n" && this.verdict) {
      void this.next();
      return true;
    }
    if (this.verdict) return false;
    if (this.posed.answer.type === "amount") {
      // The digit itself goes into the field.
      if (!onControl && /^\d$/.test(pressed))
        /** @type {HTMLElement | null} */ (this.querySelector("#amount"))?.focus();
      return false;
    }
    if (pressed === "Backspace") {
      this.digits = "";
      this.change(
        { chosen: null, order: this.draft.order.slice(0, -1), picked: this.draft.picked.slice(0, -1) },
        "Undone",
      );
      return true;
    }
    return /^\d$/.test(pressed) && this.digit(pressed);
  }

  /** @param {string} digit */
  digit(digit) {
    const { answer } = this.posed;
    const most = (answer.options ?? answer.items ?? answer.cards).length;
    const longer = Number(this.digits + digit);
    const number = longer <= most ? longer : Number(digit);
    this.digits = answer.type === "choose" && 10 * number <= most ? String(number || "") : "";
    if (number < 1 || number > most) return false;
    if (answer.type === "choose") this.choose(number);
    else if (answer.type === "arrange") this.place(number);
    else this.pick(answer.cards[number - 1]);
    return true;
  }

  // --- content ---

  show() {
    draw(
      this,
      h(
        "div",
        { class: "trainer" },
        h(
          "header",
          { class: "trainer-head" },
          h("h1", null, "Trainer"),
          this.offered && this.choosing(),
          buttonNode("Practise dealing", () => void this.deal(), { class: "link", disabled: this.busy }),
        ),
        h(
          "div",
          { class: "lesson" },
          this.problem && h("p", { key: "problem", class: "notice", role: "alert" }, this.problem),
          this.question(),
        ),
        this.offered && this.progress(),
      ),
    );
  }

  choosing() {
    const { games, drills } = this.offered;
    const topics = games.find((/** @type {any} */ game) => game.rulebook === this.rulebook)?.topics ?? drills;
    const kinds = [[MIXED, "All drills"], ...Object.entries(drills).filter(([kind]) => kind in topics)];
    return h(
      "div",
      { class: "choosing" },
      h(
        "label",
        null,
        h("span", null, "Rulebook"),
        h(
          "select",
          { id: "rulebook", onchange: (/** @type {any} */ event) => this.chooseDrill(event.target.value, this.kind) },
          h("option", { key: "", value: MIXED, "prop:selected": !this.rulebook }, "All rulebooks"),
          games.map((/** @type {any} */ game) =>
            h(
              "option",
              { key: game.rulebook, value: game.rulebook, "prop:selected": game.rulebook === this.rulebook },
              game.title,
            ),
          ),
        ),
      ),
      h(
        "label",
        null,
        h("span", null, "Drill"),
        h(
          "select",
          { id: "kind", onchange: (/** @type {any} */ event) => this.chooseDrill(this.rulebook, event.target.value) },
          kinds.map(([kind, title]) =>
            h("option", { key: kind, value: kind, "prop:selected": kind === this.kind }, title),
          ),
        ),
      ),
    );
  }

  question() {
    const { posed, verdict } = this;
    if (!posed)
      return quietText(this.problem ? buttonNode("Try again", () => void this.load()) : "Loading a question…");
    return h(
      "form",
      {
        key: posed.question,
        class: "drill",
        "aria-busy": String(this.busy),
        onsubmit: (/** @type {Event} */ event) => this.submitted(event),
      },
      h(
        "p",
        { class: "drill-kind" },
        h("span", null, `${this.offered.drills[posed.kind]}`),
        h("span", { class: "quiet" }, posed.title),
        posed.again && h("span", { class: "again" }, "Missed earlier"),
      ),
      clothNode(posed),
      h("h2", { id: "asks", tabindex: "-1" }, posed.asks),
      answerNode(this),
      verdictNode(this),
      h(
        "div",
        { key: "buttons", class: "drill-buttons" },
        verdict
          ? h(
              "button",
              { key: "next", class: "button main next", type: "submit", disabled: this.busy },
              "Next",
              h("kbd", { "aria-hidden": "true" }, "N"),
            )
          : [
              posed.answer.type !== "choose" &&
                h(
                  "button",
                  { key: "answer", class: "button main", type: "submit", disabled: this.busy },
                  "Answer",
                  h("kbd", { "aria-hidden": "true" }, "↵"),
                ),
              buttonNode("Show the answer", () => void this.answer(null), {
                key: "show",
                class: "link",
                disabled: this.busy,
                title: "Counts as missed",
              }),
            ],
      ),
    );
  }

  /** @param {Event} event */
  submitted(event) {
    event.preventDefault();
    void (this.verdict ? this.next() : this.answer(this.text));
  }

  progress() {
    const { drills, games, tallies } = this.offered;
    const within = (/** @type {any} */ one) => !this.rulebook || one.rulebook === this.rulebook;
    const rows = Object.entries(drills).map(([kind, title]) => {
      const of = tallies.filter((/** @type {any} */ one) => within(one) && one.kind === kind);
      const sum = (/** @type {string} */ name) =>
        of.reduce((/** @type {number} */ total, /** @type {any} */ one) => total + one[name], 0);
      const topics = games
        .filter(within)
        .reduce((/** @type {number} */ total, /** @type {any} */ game) => total + (game.topics[kind] ?? 0), 0);
      return {
        kind,
        title,
        topics,
        asked: sum("asked"),
        right: sum("right"),
        missed: sum("missed"),
        known: sum("known"),
      };
    });
    return h(
      "aside",
      { class: "card progress", "aria-labelledby": "progress-title" },
      h("h2", { id: "progress-title" }, "Your progress"),
      this.marks.length > 0 &&
        h(
          "p",
          {
            class: "marks",
            role: "img",
            "aria-label": `${this.marks.filter(Boolean).length} of the last ${this.marks.length} right`,
          },
          this.marks.map((right, at) => h("i", { key: at, class: right ? "is-right" : "is-wrong" }, right ? "✓" : "✗")),
        ),
      h(
        "table",
        { class: "standing" },
        tableHead(["Drill", "Right", "Known", "Missed"]),
        h(
          "tbody",
          null,
          rows
            .filter((row) => row.topics)
            .map((row) =>
              h(
                "tr",
                { key: row.kind, class: row.kind === this.posed?.kind ? "here" : "" },
                h("th", { scope: "row" }, row.title),
                h("td", null, row.asked ? `${Math.floor((100 * row.right) / row.asked)} %` : "–"),
                h("td", null, `${row.known} of ${row.topics}`),
                h("td", { class: row.missed ? "down" : "" }, row.missed || "–"),
              ),
            ),
        ),
      ),
      this.offered.exams.length > 0 && [
        h("h3", { key: "exams" }, "Exams at the desk"),
        h(
          "ul",
          { key: "exam list" },
          this.offered.exams
            .slice(-EXAMS_SHOWN)
            .reverse()
            .map((/** @type {any} */ exam) =>
              h(
                "li",
                { key: exam.at },
                `${timeText(exam.at)}: ${exam.right} of ${exam.asked} right, ${(exam.millis / exam.asked / 1000).toFixed(1)} s each; ${exam.title}`,
              ),
            ),
        ),
      ],
      quietText(
        "A topic is known after three right answers in a row; from then on, time counts too. A missed question returns after a few others.",
      ),
      h(
        "p",
        { class: "quiet key-hints" },
        h("kbd", null, "1"),
        "–",
        h("kbd", null, "9"),
        " choose · ",
        h("kbd", null, "Enter"),
        " answer · ",
        h("kbd", null, "N"),
        " next · ",
        h("kbd", null, "⌫"),
        " undo",
      ),
    );
  }
}

customElements.define("cf-train", Trainer);
