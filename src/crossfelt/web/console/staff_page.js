// @ts-check
/**
 * The base class of the console's pages: log-in, roles, navigation, problems with their clauses, and dialogs. The server
 * decides what each role may do; a page only shows it.
 */

import { request, ServerError } from "../shared/api.js";
import { problemList } from "../shared/clauses.js";
import { announce, buttonNode, buttonRow, draw, h, loadStylesheet, quietText } from "../shared/dom.js";
import { listText } from "../shared/format.js";
import { fieldNode, formValues } from "../shared/forms.js";

/** @typedef {import("../shared/dom.js").Content} Some */
/** @typedef {import("../shared/clauses.js").Problem} Problem */
/** @typedef {import("../shared/forms.js").Field} Field */
/** @typedef {{name: string | null, account: string, guest: boolean, roles: string[], balance_cents: number, must_set_password: boolean}} Me */
/**
 * A dialog before an action. The answer holds the values of its `fields` by name.
 * @typedef {{title: string, says?: Some, label: string, danger?: boolean, fields?: Field[]}} Dialog
 */

/** The time without use after which a page logs out. */
const IDLE_MS = 30 * 60 * 1000;
const USES = ["pointerdown", "keydown"];
/** The message after a proposal. */
export const PROPOSED = "Proposed. A second person must approve it.";
export const STAFF = ["dealer", "floor", "auditor", "owner"];
/** The pages of the console and the roles that may open them. @type {[string, string, string[]][]} */
const CONSOLE_PAGES = [
  ["/console", "Floor", STAFF],
  ["/console/proposals", "Proposals", ["floor", "auditor", "owner"]],
  ["/console/meters", "Meters", ["floor", "auditor", "owner"]],
  ["/console/figures", "Revenue", ["floor", "auditor", "owner"]],
  ["/console/accounts", "Accounts", ["floor", "auditor", "owner"]],
  ["/console/audit", "Audit", ["auditor", "owner"]],
  ["/console/deal", "Dealing", ["dealer", "floor", "owner"]],
];
const UNANSWERED = { what: "the server does not answer. Check your connection and try again" };

export class StaffPage extends HTMLElement {
  heading = "Console";
  /** The roles that may open the page. */
  roles = STAFF;
  /** Milliseconds between two refreshes of the page; 0 for none. */
  refreshMs = 0;
  /** @type {Me | null} */
  me = null;
  busy = false;
  /** @type {Problem[]} */
  problems = [];
  /** The message of the last successful action. */
  done = "";
  /** @type {(Dialog & {answer: (given: Record<string, string> | null) => void}) | null} */
  dialog = null;
  /** The one-time password of this log-in. */
  #oneTimePassword = "";
  #opened = false;
  /** The link of the current page. @type {Element | null} */
  #currentLink = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** True when the page has loaded. */
  #ready = false;

  /** Loads what the page shows, once the user has a permitted role. */
  async open() {}

  /** Frees what `open` has started. */
  close() {}

  /** The content of the page. @returns {Some} */
  body() {
    return null;
  }

  connectedCallback() {
    document.title = `Crossfelt: ${this.heading}`;
    for (const kind of USES) document.addEventListener(kind, this.#use);
    this.#use();
    this.show();
    void loadStylesheet("console/staff_page.css").then(() => this.enter());
  }

  disconnectedCallback() {
    for (const kind of USES) document.removeEventListener(kind, this.#use);
    clearTimeout(this.#idle);
    this.#leave();
  }

  /** Logs out a page that nobody uses: it refreshes itself, so its session would not end. */
  #use = () => {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.mayEnter && void this.#logOut(), IDLE_MS);
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;

  #leave() {
    clearInterval(this.#timer);
    if (this.#opened) this.close();
    this.#opened = this.#ready = false;
  }

  /** Loads the page again, unless a request runs or a dialog is open. */
  async #refresh() {
    if (this.busy || this.dialog) return;
    await this.open().catch(() => null);
    this.show();
  }

  get mayEnter() {
    return Boolean(this.me?.name && !this.me.must_set_password && this.has(...this.roles));
  }

  /** Returns true when the user has one of these roles. @param {...string} roles */
  has(...roles) {
    return roles.some((role) => this.me?.roles.includes(role));
  }

  /** Loads the user's account, and the page when a role permits it. */
  async enter() {
    await this.attempt(async () => {
      this.me = await request("/me");
    });
    if (!this.mayEnter) return;
    this.#opened = true;
    await this.attempt(async () => {
      await this.open();
      this.#ready = true;
      if (this.refreshMs) this.#timer = setInterval(() => void this.#refresh(), this.refreshMs);
    });
  }

  /**
   * Runs a request and shows its problems with their clauses. Returns true when it succeeded.
   * @param {() => Promise<void>} work
   * @param {string} [done] the message after success
   */
  async attempt(work, done = "") {
    [this.busy, this.problems, this.done] = [true, [], ""];
    this.show();
    try {
      await work();
      this.done = done;
      announce(done);
      return true;
    } catch (error) {
      this.problems = problemsOf(error);
      return false;
    } finally {
      this.busy = false;
      this.show();
    }
  }

  /** Opens a dialog and returns its values, or null when it is cancelled. @param {Dialog} dialog @returns {Promise<Record<string, string> | null>} */
  openDialog(dialog) {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    return new Promise((settle) => {
      const answer = (/** @type {Record<string, string> | null} */ given) => {
        if (opener?.isConnected) opener.focus();
        settle(given);
      };
      this.dialog = { ...dialog, answer };
      this.show();
    });
  }

  /**
   * Returns the cents of an amount in dollars; null, with a problem on the page, when the text is no amount.
   * @param {string} text
   */
  dollarsFrom(text) {
    const match = /^(-?)\$?(\d{1,12})(?:\.(\d{2}))?$/.exec(text.replaceAll(",", ""));
    if (match) return (match[1] ? -1 : 1) * (Number(match[2]) * 100 + Number(match[3] ?? 0));
    this.problems = [{ what: "this is not an amount", value: text, allowed: "dollars, such as 250 or 12.50" }];
    this.show();
    return null;
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
        h("div", { class: "messages", role: "status" }, this.done && h("p", { class: "done" }, this.done)),
        problemList(this.problems),
        this.me !== null && !this.mayEnter
          ? this.#entrance()
          : this.#ready
            ? this.body()
            : !this.problems.length && quietText("Loading…"),
        this.dialog && this.#dialogNode(this.dialog),
      ),
    );
    const [here, dialog] = [this.querySelector(".stations [aria-current]"), this.querySelector("dialog")];
    if (here && here !== this.#currentLink) here.scrollIntoView({ inline: "center", block: "nearest" });
    this.#currentLink = here;
    if (dialog && !dialog.open) dialog.showModal();
  }

  #navigation() {
    return h(
      "nav",
      { class: "stations", "aria-label": "Console" },
      h(
        "ul",
        null,
        CONSOLE_PAGES.filter(([, , roles]) => this.has(...roles)).map(([path, title]) =>
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
        buttonNode("Log out", () => void this.#logOut(), { class: "link" }),
      ),
    );
  }

  // --- log-in -------------------------------------------------------------------------------------------------------

  #entrance() {
    const { me } = this;
    if (me?.name && me.must_set_password) return this.#passwordForm();
    return [
      me?.name &&
        h(
          "section",
          { key: "refused", class: "card refused" },
          h("h2", null, "No permission"),
          h(
            "p",
            null,
            `This page is for the roles ${listText(this.roles)}. You are logged in as ${me.name} (${me.guest ? "guest" : me.roles.join(", ") || "no role"}).`,
          ),
          h("p", null, h("a", { href: "/" }, "Back to the lobby")),
        ),
      this.#logInForm(),
    ];
  }

  #logInForm() {
    return h(
      "form",
      {
        key: "log-in",
        class: "card entrance",
        onsubmit: (/** @type {SubmitEvent} */ event) => void this.#logIn(event),
      },
      h("h2", null, this.me?.name ? "Log in with another account" : "Log in"),
      fieldNode({ name: "name", title: "Name" }, { autocomplete: "username", maxlength: 64 }),
      fieldNode(
        { name: "password", title: "Password", type: "password" },
        { autocomplete: "current-password", maxlength: 256 },
      ),
      buttonRow(h("button", { class: "button main", disabled: this.busy }, "Log in")),
      quietText("The owner creates accounts for staff."),
    );
  }

  /** @param {SubmitEvent} event */
  async #logIn(event) {
    const { name, password } = formValues(event);
    await this.attempt(async () => {
      this.me = await request("/session", "POST", { name, password });
      this.#oneTimePassword = this.me?.must_set_password ? password : "";
    });
    if (this.mayEnter) await this.enter();
  }

  #passwordForm() {
    return h(
      "form",
      {
        key: "password",
        class: "card entrance",
        onsubmit: (/** @type {SubmitEvent} */ event) => void this.#setPassword(event),
      },
      h("h2", null, "Set your own password"),
      h("p", null, "You logged in with a one-time password. Choose a new one."),
      !this.#oneTimePassword &&
        fieldNode({ name: "old", title: "Current password", type: "password" }, { autocomplete: "current-password" }),
      fieldNode(
        { name: "new", title: "New password", type: "password" },
        { autocomplete: "new-password", maxlength: 256 },
      ),
      fieldNode(
        { name: "again", title: "Repeat new password", type: "password" },
        { autocomplete: "new-password", maxlength: 256 },
      ),
      buttonRow(h("button", { class: "button main", disabled: this.busy }, "Set password")),
    );
  }

  /** @param {SubmitEvent} event */
  async #setPassword(event) {
    const given = formValues(event);
    if (given.new !== given.again) {
      this.problems = [{ what: "the two passwords differ. Enter the same password twice" }];
      this.show();
      return;
    }
    await this.attempt(async () => {
      this.me = await request("/me/password", "PUT", { old: this.#oneTimePassword || given.old, new: given.new });
      this.#oneTimePassword = "";
    });
    if (this.mayEnter) await this.enter();
  }

  async #logOut() {
    await this.attempt(async () => {
      await request("/session", "DELETE");
      this.#leave();
      this.me = await request("/me");
    });
  }

  // --- dialogs ------------------------------------------------------------------------------------------------------

  /** @param {Dialog & {answer: (given: Record<string, string> | null) => void}} question */
  #dialogNode({ title, says, label, danger, fields = [], answer }) {
    const end = (/** @type {Record<string, string> | null} */ given) => {
      this.dialog = null;
      this.show();
      answer(given);
    };
    return h(
      "dialog",
      { key: "question", class: "dialog", "aria-labelledby": "dialog-title", oncancel: () => end(null) },
      h(
        "form",
        { onsubmit: (/** @type {SubmitEvent} */ event) => end(formValues(event)) },
        h("h2", { id: "dialog-title" }, title),
        says && h("div", { class: "dialog-text" }, says),
        fields.map((field) => fieldNode(field)),
        buttonRow(
          h("button", { class: `button ${danger ? "danger" : "main"}` }, label),
          buttonNode("Cancel", () => end(null), { class: "button quiet" }),
        ),
      ),
    );
  }
}

/** Returns the problems of a failed request. @param {unknown} error @returns {Problem[]} */
export function problemsOf(error) {
  if (!(error instanceof ServerError)) return [UNANSWERED];
  return error.problems.length ? error.problems : [{ what: error.message }];
}
