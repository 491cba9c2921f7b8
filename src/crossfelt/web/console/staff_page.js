// @ts-check
/**
 * What every page of the console shares: who may come in, the way from page to page, problems with their clauses,
 * questions before something is done, tables of rows. The house decides who may do what; a page only says so kindly.
 */

import { ask, ServerError } from "../shared/api.js";
import { clauseRibbon, problemList, readClause } from "../shared/clauses.js";
import { draw, h, say, wear } from "../shared/dom.js";
import { fieldNode, written } from "./staff_fields.js";

export { cites, problemLine, problemList } from "../shared/clauses.js";
export { wear } from "../shared/dom.js";
export { fieldNode, selectNode, written } from "./staff_fields.js";

/** @typedef {import("../shared/dom.js").Some} Some */
/** @typedef {import("../shared/clauses.js").Problem} Problem */
/** @typedef {import("./staff_fields.js").Field} Field */
/** @typedef {{name: string | null, account: string, guest: boolean, roles: string[], balance_cents: number, must_set_password: boolean, code_needed: boolean}} Me */
/**
 * A question before something is done. `fields` are asked for, each by its name; the answer has what was written.
 * @typedef {{title: string, says?: Some, label: string, danger?: boolean, fields?: Field[]}} Question
 */
/** @template T @typedef {{title: string, cell: (row: T) => Some, number?: boolean, wide?: boolean}} Column */

export const STAFF = ["dealer", "floor", "auditor", "owner"];
/** The pages of the console, and who they are for. @type {[string, string, string[]][]} */
const STATIONS = [
  ["/console", "Floor", STAFF],
  ["/console/proposals", "Proposals", ["floor", "auditor", "owner"]],
  ["/console/meters", "Meters", ["floor", "auditor", "owner"]],
  ["/console/figures", "Figures", ["floor", "auditor", "owner"]],
  ["/console/accounts", "Accounts", ["floor", "auditor", "owner"]],
  ["/console/audit", "Audit", ["auditor", "owner"]],
  ["/console/deal", "Dealing", ["dealer", "floor", "owner"]],
];
const UNANSWERED = { what: "the house does not answer; try again" };

export class StaffPage extends HTMLElement {
  heading = "Console";
  /** Who the page is for. */
  roles = STAFF;
  /** @type {Me | null} */
  me = null;
  busy = false;
  /** @type {Problem[]} */
  problems = [];
  /** What was done last. */
  done = "";
  /** @type {{clause: any}} */
  ui = { clause: null };
  /** @type {(Question & {answer: (given: Record<string, string> | null) => void}) | null} */
  question = null;
  /** The one-time password that somebody came in with. */
  #first = "";
  #inside = false;
  /** The page we are on, in the line of all of them. @type {Element | null} */
  #here = null;
  /** Whether the page has what it shows. */
  #ready = false;

  /** Once somebody is here whom the page is for: asks for what it shows. */
  async open() {}

  /** When the page is left. */
  close() {}

  /** What the page shows to those it is for. @returns {Some} */
  body() {
    return null;
  }

  connectedCallback() {
    document.title = `Crossfelt: ${this.heading}`;
    this.show();
    void wear("console/staff_page.css").then(() => this.enter());
  }

  disconnectedCallback() {
    this.#leave();
  }

  #leave() {
    if (this.#inside) this.close();
    this.#inside = this.#ready = false;
  }

  get mayEnter() {
    return Boolean(this.me?.name && !this.me.must_set_password && this.has(...this.roles));
  }

  /** Whether whoever is here has one of these roles. @param {...string} roles */
  has(...roles) {
    return roles.some((role) => this.me?.roles.includes(role));
  }

  /** Looks who is here, and opens the page to those it is for. */
  async enter() {
    await this.attempt(async () => {
      this.me = await ask("/me");
    });
    if (!this.mayEnter) return;
    this.#inside = true;
    await this.attempt(async () => {
      await this.open();
      this.#ready = true;
    });
  }

  /**
   * Asks the house for something; what it refuses is shown with its clauses. Says whether it was done.
   * @param {() => Promise<void>} work
   * @param {string} [done] what to say afterwards
   */
  async attempt(work, done = "") {
    [this.busy, this.problems, this.done] = [true, [], ""];
    this.show();
    try {
      await work();
      this.done = done;
      say(done);
      return true;
    } catch (error) {
      this.problems = problemsOf(error);
      return false;
    } finally {
      this.busy = false;
      this.show();
    }
  }

  /** Asks before something is done: what was written, or null. @param {Question} question @returns {Promise<Record<string, string> | null>} */
  ask(question) {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    return new Promise((settle) => {
      const answer = (/** @type {Record<string, string> | null} */ given) => {
        if (opener?.isConnected) opener.focus();
        settle(given);
      };
      this.question = { ...question, answer };
      this.show();
    });
  }

  /** @param {string} id */
  async clause(id) {
    await readClause(this, id);
  }

  show() {
    if (!this.isConnected) return;
    draw(
      this,
      h(
        "div",
        { class: "console", "aria-busy": String(this.busy) },
        this.mayEnter && this.#navigation(),
        h("h1", null, this.heading),
        h("div", { class: "told", role: "status" }, this.done && h("p", { class: "done" }, this.done)),
        problemList(this.problems, this),
        this.me !== null && !this.mayEnter
          ? this.#door()
          : this.#ready
            ? this.body()
            : !this.problems.length && h("p", { class: "quiet" }, "One moment…"),
        this.ui.clause && !this.question && clauseRibbon(/** @type {any} */ (this)),
        this.question && this.#asked(this.question),
      ),
    );
    const [here, dialog] = [this.querySelector(".stations [aria-current]"), this.querySelector("dialog")];
    if (here && here !== this.#here) here.scrollIntoView({ inline: "center", block: "nearest" });
    this.#here = here;
    if (dialog && !dialog.open) dialog.showModal();
  }

  #navigation() {
    return h(
      "nav",
      { class: "stations", "aria-label": "Console" },
      h(
        "ul",
        null,
        STATIONS.filter(([, , roles]) => this.has(...roles)).map(([path, title]) =>
          h(
            "li",
            { key: path },
            h("a", { href: path, "aria-current": location.pathname === path ? "page" : undefined }, title),
          ),
        ),
      ),
      h(
        "p",
        { class: "badge" },
        h("strong", null, this.me?.name ?? ""),
        h("span", { class: "quiet" }, this.me?.roles.filter((role) => STAFF.includes(role)).join(", ") ?? ""),
        h("button", { type: "button", class: "link", onclick: () => void this.#logOut() }, "Log out"),
      ),
    );
  }

  // --- the door -------------------------------------------------------------------------------------------------------

  #door() {
    const { me } = this;
    if (me?.name && me.must_set_password) return this.#newPassword();
    const stranger = !me?.name || me.guest;
    return [
      me?.name &&
        h(
          "section",
          { key: "refused", class: "card refused" },
          h("h2", null, "Not for this role"),
          h(
            "p",
            null,
            `This page is for ${inWords(this.roles)}. You are here as ${me.name}${me.guest ? ", a guest" : `, ${me.roles.join(", ") || "without a role"}`}.`,
          ),
          !stranger && h("p", null, "The owner of the house gives roles."),
          h("p", null, h("a", { href: "/" }, "Back to the lobby")),
        ),
      this.#logIn(),
    ];
  }

  #logIn() {
    return h(
      "form",
      {
        key: "log-in",
        class: "card entrance",
        onsubmit: (/** @type {SubmitEvent} */ event) => void this.#comeIn(event),
      },
      h("h2", null, this.me?.name ? "Come in as somebody else" : "Log in"),
      fieldNode({ name: "name", title: "Name" }, { autocomplete: "username", maxlength: 64 }),
      fieldNode(
        { name: "password", title: "Password", type: "password" },
        { autocomplete: "current-password", maxlength: 256 },
      ),
      this.me?.code_needed &&
        fieldNode({ name: "code", title: "Code of the house", optional: true, hint: "Only to open an account." }),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "button main", value: "log in", disabled: this.busy }, "Log in"),
        h("button", { class: "button quiet", value: "register", disabled: this.busy }, "Open an account"),
      ),
      h("p", { class: "quiet" }, "Who has just opened an account asks the owner for a role."),
    );
  }

  /** @param {SubmitEvent} event */
  async #comeIn(event) {
    const given = written(event);
    const register = /** @type {HTMLButtonElement | null} */ (event.submitter)?.value === "register";
    const { name, password, code } = given;
    const asked = register ? { name, password, ...(code && { code }) } : { name, password };
    await this.attempt(async () => {
      this.me = await ask(register ? "/accounts" : "/session", "POST", asked);
      this.#first = this.me?.must_set_password ? password : "";
    });
    if (this.mayEnter) await this.enter();
  }

  #newPassword() {
    return h(
      "form",
      {
        key: "password",
        class: "card entrance",
        onsubmit: (/** @type {SubmitEvent} */ event) => void this.#setPassword(event),
      },
      h("h2", null, "A password of your own"),
      h("p", null, "You came in with a password that is good only once. Choose one that nobody else knows."),
      !this.#first &&
        fieldNode({ name: "old", title: "The one you have", type: "password" }, { autocomplete: "current-password" }),
      fieldNode(
        { name: "new", title: "New password", type: "password" },
        { autocomplete: "new-password", maxlength: 256 },
      ),
      fieldNode(
        { name: "again", title: "The same again", type: "password" },
        { autocomplete: "new-password", maxlength: 256 },
      ),
      h("div", { class: "buttons" }, h("button", { class: "button main", disabled: this.busy }, "Set password")),
    );
  }

  /** @param {SubmitEvent} event */
  async #setPassword(event) {
    const given = written(event);
    if (given.new !== given.again) {
      this.problems = [{ what: "the two are not the same" }];
      this.show();
      return;
    }
    await this.attempt(async () => {
      this.me = await ask("/me/password", "PUT", { old: this.#first || given.old, new: given.new });
      this.#first = "";
    });
    if (this.mayEnter) await this.enter();
  }

  async #logOut() {
    await this.attempt(async () => {
      await ask("/session", "DELETE");
      this.#leave();
      this.me = await ask("/me");
    });
  }

  // --- questions ------------------------------------------------------------------------------------------------------

  /** @param {Question & {answer: (given: Record<string, string> | null) => void}} question */
  #asked({ title, says, label, danger, fields = [], answer }) {
    const end = (/** @type {Record<string, string> | null} */ given) => {
      this.question = null;
      this.show();
      answer(given);
    };
    return h(
      "dialog",
      { key: "question", class: "asks", "aria-labelledby": "asks-title", oncancel: () => end(null) },
      h(
        "form",
        { onsubmit: (/** @type {SubmitEvent} */ event) => end(written(event)) },
        h("h2", { id: "asks-title" }, title),
        says && h("div", { class: "asks-says" }, says),
        fields.map((field) => fieldNode(field)),
        h(
          "div",
          { class: "buttons" },
          h("button", { class: `button ${danger ? "danger" : "main"}` }, label),
          h("button", { type: "button", class: "button quiet", onclick: () => end(null) }, "Not now"),
        ),
        // A modal question hides what lies behind it: a clause that is pressed in it is read in it.
        this.ui.clause && clauseRibbon(/** @type {any} */ (this)),
      ),
    );
  }
}

// --- pieces of pages ---------------------------------------------------------------------------------------------------

/** Everything that the house said against it. @param {unknown} error @returns {Problem[]} */
export function problemsOf(error) {
  if (!(error instanceof ServerError)) return [UNANSWERED];
  return error.problems.length ? error.problems : [{ what: error.message }];
}

/**
 * Rows under headings; on a narrow screen each row is a card of its own, its cells named.
 * @template T
 * @param {{caption: string, columns: Column<T>[], rows: T[], key: (row: T) => string | number, none?: string, hidden?: boolean, narrow?: boolean}} of `hidden`: the caption is for screen readers only; `narrow`: it fits as it is
 */
export function rowsTable({ caption, columns, rows, key, none = "Nothing.", hidden = false, narrow = false }) {
  if (!rows.length)
    return h("div", { class: "rows-of" }, !hidden && h("h3", null, caption), h("p", { class: "quiet" }, none));
  return h(
    "div",
    { class: "rows-of" },
    h(
      "table",
      { class: narrow ? "rows" : "rows stacks", role: "table" },
      h("caption", { class: hidden ? "sr" : undefined }, caption),
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          columns.map(({ title, number }) =>
            h("th", { key: title, scope: "col", role: "columnheader", class: number ? "number" : undefined }, title),
          ),
        ),
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        rows.map((row) =>
          h(
            "tr",
            { key: key(row), role: "row" },
            columns.map(({ title, cell, number, wide }) =>
              h(
                "td",
                {
                  key: title,
                  role: "cell",
                  class: [number && "number", wide && "wide"].filter(Boolean).join(" ") || undefined,
                  "data-title": title,
                },
                h("div", null, cell(row)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A moment, as a clock on the wall shows it. @param {number} ms */
export const when = (ms) =>
  new Date(ms).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });

/** @param {number} number */
export const count = (number) => number.toLocaleString("en-US");

/** @param {string[]} names */
export const inWords = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
