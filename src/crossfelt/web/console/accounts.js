// @ts-check
/** The accounts page: balances, roles, deposits and corrections. */

import { request } from "../shared/api.js";
import { buttonNode, buttonRow, h, loadStylesheet } from "../shared/dom.js";
import { countText, dollars, listText, sentence, timeText } from "../shared/format.js";
import { decisionsTable, rowsTable } from "./page_parts.js";
import { PROPOSED, STAFF, StaffPage } from "./staff_page.js";

await loadStylesheet("console/console.css");

const ROLES = ["player", "dealer", "floor", "auditor", "owner"];
const AT_A_TIME = 100;
/** The code of a refusal that only a second person's approval solves. */
const TWO_PEOPLE = "floor.two_people";
/** @param {any} account */
const pathOf = (account) => `/accounts/${encodeURIComponent(account.account)}`;

class Accounts extends StaffPage {
  heading = "Accounts";
  roles = ["floor", "auditor", "owner"];
  /** The accounts read so far, in the order of their names. @type {any[]} */
  accounts = [];
  /** True when all accounts have been read. */
  all = false;
  /** The number of matches to find before reading stops. */
  needed = 1;
  search = "";
  /** The one-time password that was just made. @type {any} */
  oneTime = null;
  guests = false;
  /** The account whose decisions and sessions are shown. @type {any} */
  detailed = null;

  async open() {
    [this.accounts, this.all] = [[], false];
    await this.readNext();
  }

  async enter() {
    await super.enter();
    await this.readUntilFound();
  }

  async readNext() {
    const after = encodeURIComponent(this.accounts.at(-1)?.account ?? "");
    /** @type {any[]} */
    const page = await request(`/accounts?limit=${AT_A_TIME}&after=${after}`);
    this.accounts.push(...page);
    this.all = page.length < AT_A_TIME;
  }

  /** Reads more accounts until enough match the search. The search may change meanwhile; matches are shown at once. */
  async readUntilFound(needed = 1) {
    this.needed = needed;
    const missing = () => !this.all && this.found().length < this.needed;
    if (this.busy || !this.mayEnter || !missing()) return;
    await this.attempt(async () => {
      while (missing()) {
        await this.readNext();
        this.show();
      }
    });
  }

  found() {
    const words = this.search.trim().toLowerCase();
    return this.accounts.filter(
      (account) => (this.guests || !account.guest) && (!words || account.name.toLowerCase().includes(words)),
    );
  }

  /** @param {any} line the new state of an account */
  replace(line) {
    this.accounts = this.accounts.map((account) => (account.account === line.account ? line : account));
  }

  /** @param {any} account @param {string} role @param {boolean} has */
  async changeRole(account, role, has) {
    const roles = ROLES.filter((one) => (one === role ? has : account.roles.includes(one)));
    const sure = await this.openDialog({
      title: has ? `Give ${account.name} the role ${role}?` : `Take the role ${role} from ${account.name}?`,
      says: h(
        "p",
        null,
        roles.length
          ? `${account.name} will have these roles: ${listText(roles)}.`
          : `${account.name} will have no role.`,
      ),
      label: has ? "Give role" : "Take role",
      danger: !has,
    });
    if (!sure) {
      this.show();
      return;
    }
    await this.orPropose(
      async () => {
        this.replace(await request(`${pathOf(account)}/roles`, "PUT", { roles }));
      },
      `Roles of ${account.name}: ${listText(roles) || "none"}.`,
      { kind: "roles", subject: `account/${account.account}`, details: { roles: roles.join(", ") } },
    );
  }

  /**
   * Performs an act, or proposes it with a reason where it needs a second person.
   * @param {() => Promise<void>} work @param {string} done @param {Record<string, any>} proposal
   */
  async orPropose(work, done, proposal) {
    await this.attempt(work, done);
    if (this.problems[0]?.code !== TWO_PEOPLE) return;
    const what = this.problems[0].what ?? "";
    this.problems = [];
    const given = await this.openDialog({
      title: "This needs a second person",
      says: h("p", null, sentence(what)),
      label: "Propose",
      fields: [{ name: "reason", title: "Reason" }],
    });
    if (given) await this.attempt(() => request("/proposals", "POST", { ...proposal, reason: given.reason }), PROPOSED);
  }

  async createStaff() {
    const given = await this.openDialog({
      title: "New staff account",
      says: h("p", null, "Create it for a person by name. You then give the roles."),
      label: "Create",
      fields: [{ name: "name", title: "Name" }],
    });
    if (!given) return;
    await this.attempt(async () => {
      this.oneTime = await request("/staff", "POST", { name: given.name });
      await this.open();
    });
    this.search = given.name;
    this.show();
  }

  /** @param {any} account */
  async resetPassword(account) {
    const sure = await this.openDialog({
      title: `New one-time password for ${account.name}?`,
      says: h("p", null, "The old password and all sessions of this account end."),
      label: "Make a one-time password",
      danger: true,
    });
    if (!sure) return;
    await this.attempt(async () => {
      this.oneTime = await request(`${pathOf(account)}/password`, "POST", {});
    });
  }

  /** Shows the decisions about an account, and to the owner its sessions. @param {any} account */
  async openDetails(account) {
    await this.attempt(async () => {
      const [decided, sessions] = await Promise.all([
        request(`/proposals/decided?subject=${encodeURIComponent(`account/${account.account}`)}`),
        this.has("owner") ? request(`${pathOf(account)}/sessions`) : [],
      ]);
      this.detailed = { account, decided, sessions };
    });
    /** @type {HTMLElement | null} */ (this.querySelector("#account-details"))?.focus();
  }

  /** @param {any} account @param {string} session */
  async endSession(account, session) {
    const ended = await this.attempt(() => request(`${pathOf(account)}/sessions/${session}`, "DELETE"));
    if (ended) await this.openDetails(account);
  }

  details() {
    const { account, decided, sessions } = this.detailed;
    return h(
      "section",
      { class: "card" },
      h("h2", { id: "account-details", tabindex: "-1" }, account.name),
      decisionsTable(decided),
      this.has("owner") &&
        rowsTable({
          caption: "Sessions",
          rows: /** @type {any[]} */ (sessions),
          key: (it) => it.id,
          none: "Not logged in.",
          columns: [
            { title: "Since", cell: (it) => timeText(it.since) },
            { title: "From", cell: (it) => it.address },
            {
              title: "Acts",
              cell: (it) =>
                buttonNode("End session", () => void this.endSession(account, it.id), {
                  class: "button small",
                  disabled: this.busy,
                }),
            },
          ],
        }),
      buttonRow(
        buttonNode("Close", () => {
          this.detailed = null;
          this.show();
        }),
      ),
    );
  }

  /** @param {any} account */
  async suspend(account) {
    const lifts = account.suspended_until > 0;
    const given = await this.openDialog({
      title: lifts ? `Lift the suspension of ${account.name}?` : `Suspend ${account.name}`,
      says: lifts
        ? h("p", null, account.suspended_why)
        : h("p", null, "The account cannot log in. Its sessions end, and its seat is given up after the round."),
      label: lifts ? "Lift" : "Suspend",
      danger: !lifts,
      fields: [...(lifts ? [] : [{ name: "days", title: "Days", value: "30" }]), { name: "reason", title: "Reason" }],
    });
    if (!given) return;
    const asked = lifts ? { reason: given.reason } : { days: Number(given.days), reason: given.reason };
    await this.attempt(
      async () => this.replace(await request(`${pathOf(account)}/suspension`, lifts ? "DELETE" : "POST", asked)),
      lifts ? `The suspension of ${account.name} by staff is lifted.` : `${account.name} is suspended.`,
    );
  }

  /** @param {any} account @param {"deposit" | "correct"} how */
  async changeBalance(account, how) {
    const given = await this.openDialog({
      title: how === "deposit" ? `Deposit play money for ${account.name}` : `Correct the balance of ${account.name}`,
      says:
        how === "correct"
          ? h("p", null, "A correction needs the approval of a second person. A negative amount lowers the balance.")
          : undefined,
      label: how === "deposit" ? "Deposit" : "Propose",
      fields: [
        {
          name: "amount",
          title: "Amount in dollars",
          hint:
            how === "correct"
              ? "For example 25, or -25 to lower the balance."
              : "Above $10,000 a day a second person must approve.",
        },
        ...(how === "correct"
          ? [
              { name: "table", title: "Table", optional: true, hint: "If the correction belongs to a round." },
              { name: "round", title: "Round", optional: true },
            ]
          : []),
        { name: "reason", title: "Reason", optional: how === "deposit" },
      ],
    });
    if (!given) return;
    const cents = this.dollarsFrom(given.amount);
    if (cents === null) return;
    const proposal = { subject: `account/${account.account}`, details: { cents } };
    if (how === "correct") {
      const { table, round, reason } = given;
      const details = { cents, ...(table && { table }), ...(round && { round: Number(round) }) };
      const asked = { ...proposal, kind: "correction", details, reason };
      await this.attempt(async () => void (await request("/proposals", "POST", asked)), PROPOSED);
      return;
    }
    await this.orPropose(
      async () => this.replace(await request(`${pathOf(account)}/deposits`, "POST", { cents, reason: given.reason })),
      `Deposited ${dollars(cents)} for ${account.name}.`,
      { ...proposal, kind: "deposit" },
    );
  }

  body() {
    return [this.detailed && this.details(), this.list()];
  }

  list() {
    const found = this.found();
    return h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "figures-head" },
        h(
          "div",
          { class: "field" },
          h("label", { for: "accounts-find" }, "Search by name"),
          h("input", {
            id: "accounts-find",
            type: "search",
            autocomplete: "off",
            "prop:value": this.search,
            oninput: (/** @type {any} */ event) => {
              this.search = event.target.value;
              this.show();
              void this.readUntilFound();
            },
          }),
        ),
        h(
          "label",
          { class: "switch" },
          h("input", {
            type: "checkbox",
            "prop:checked": this.guests,
            onchange: (/** @type {any} */ event) => {
              this.guests = event.target.checked;
              this.show();
              void this.readUntilFound();
            },
          }),
          "Show guests",
        ),
        this.has("owner") &&
          buttonNode("New staff account", () => void this.createStaff(), { class: "button", disabled: this.busy }),
      ),
      this.oneTime &&
        h(
          "p",
          { class: "done", role: "status" },
          `One-time password for ${this.oneTime.account}: `,
          h("code", null, this.oneTime.password),
          ". It is shown only once. The person sets a password of their own at the first log-in.",
        ),
      rowsTable({
        caption: "Accounts",
        hidden: true,
        rows: found,
        key: (account) => account.account,
        none: this.all
          ? "No account matches this search. Change the name, or show guests."
          : "No match so far. Reading more accounts…",
        columns: [
          {
            title: "Name",
            cell: (account) => [
              h("strong", null, account.name),
              account.guest && h("span", { class: "tag" }, "guest"),
              account.unreadable && h("span", { class: "tag" }, "unreadable"),
              account.suspended_until > 0 &&
                h("small", { class: "under" }, `suspended until ${timeText(account.suspended_until)}`),
            ],
          },
          { title: "Balance", number: true, cell: (account) => !account.unreadable && dollars(account.balance_cents) },
          {
            title: "Chips at tables",
            cell: (account) =>
              Object.entries(account.at_tables).map(([table, cents]) =>
                h("small", { key: table, class: "under" }, `${table}: ${dollars(Number(cents))}`),
              ),
          },
          { title: "Roles", wide: true, cell: (account) => this.rolesOf(account) },
          {
            title: "Acts",
            cell: (account) =>
              !account.unreadable &&
              h(
                "span",
                { class: "buttons" },
                !account.guest &&
                  buttonNode("Details", () => void this.openDetails(account), {
                    class: "button small quiet",
                    disabled: this.busy,
                    "aria-label": `Details of ${account.name}`,
                  }),
                this.has("floor", "owner") && [
                  account.account !== this.me?.account &&
                    buttonNode("Deposit", () => void this.changeBalance(account, "deposit"), {
                      class: "button small",
                      disabled: this.busy,
                      "aria-label": `Deposit for ${account.name}`,
                    }),
                  account.account !== this.me?.account &&
                    !account.roles.includes("owner") &&
                    (this.has("owner") ||
                      !(account.suspended_until || STAFF.some((role) => account.roles.includes(role)))) &&
                    buttonNode(account.suspended_until ? "Lift" : "Suspend", () => void this.suspend(account), {
                      class: "button small quiet",
                      disabled: this.busy,
                      "aria-label": `${account.suspended_until ? "Lift the suspension of" : "Suspend"} ${account.name}`,
                    }),
                  this.has("owner") &&
                    !account.guest &&
                    account.account !== this.me?.account &&
                    buttonNode("New password", () => void this.resetPassword(account), {
                      class: "button small quiet",
                      disabled: this.busy,
                      "aria-label": `New one-time password for ${account.name}`,
                    }),
                  account.account !== this.me?.account &&
                    buttonNode("Correct", () => void this.changeBalance(account, "correct"), {
                      class: "button small quiet",
                      disabled: this.busy,
                      "aria-label": `Correct the balance of ${account.name}`,
                    }),
                ],
              ),
          },
        ],
      }),
      buttonRow(
        !this.all && buttonNode("Show more", () => void this.readUntilFound(found.length + 1), { disabled: this.busy }),
        h(
          "span",
          { class: "quiet", role: "status" },
          `${countText(found.length)} of ${this.all ? "all" : "the first"} ${countText(this.accounts.length)} accounts match.`,
        ),
      ),
    );
  }

  /** @param {any} account */
  rolesOf(account) {
    if (!this.has("owner") || account.guest || account.unreadable || account.account === this.me?.account)
      return account.roles.map((/** @type {string} */ role) => h("span", { key: role, class: "tag" }, role));
    return h(
      "fieldset",
      { class: "many roles" },
      h("legend", { class: "sr" }, `Roles of ${account.name}`),
      ROLES.map((role) =>
        h(
          "label",
          { key: role, class: "switch" },
          h("input", {
            type: "checkbox",
            disabled: this.busy,
            "prop:checked": account.roles.includes(role),
            onchange: (/** @type {any} */ event) => void this.changeRole(account, role, event.target.checked),
          }),
          role,
        ),
      ),
    );
  }
}

customElements.define("cf-accounts", Accounts);
