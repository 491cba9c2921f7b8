// @ts-check
/** Accounts: who there is, what they have, which roles the owner gives them; play money for somebody. */

import { ask } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { count, inWords, rowsTable, StaffPage, wear } from "./staff_page.js";
import { dollars } from "../shared/format.js";

const ROLES = ["player", "dealer", "floor", "auditor", "owner"];
const AT_A_TIME = 100;
const DOLLARS = /^(-?)\$?(\d{1,9})(?:\.(\d{2}))?$/;

class Accounts extends StaffPage {
  heading = "Accounts";
  roles = ["floor", "auditor", "owner"];
  /** Those that were read, in the order of their names. @type {any[]} */
  accounts = [];
  /** Whether those are all there are. */
  all = false;
  /** How many are to be found among them before nobody reads on. */
  enough = 1;
  wanted = "";
  guests = false;

  async open() {
    await wear("console/console.css");
    [this.accounts, this.all] = [[], false];
    await this.read();
  }

  async enter() {
    await super.enter();
    await this.look();
  }

  async read() {
    const after = encodeURIComponent(this.accounts.at(-1)?.account ?? "");
    /** @type {any[]} */
    const page = await ask(`/accounts?limit=${AT_A_TIME}&after=${after}`);
    this.accounts.push(...page);
    this.all = page.length < AT_A_TIME;
  }

  /** Reads on until so many are found, whatever is looked for meanwhile; everybody who is found is shown at once. */
  async look(enough = 1) {
    this.enough = enough;
    const lacking = () => !this.all && this.found().length < this.enough;
    if (this.busy || !this.mayEnter || !lacking()) return;
    await this.attempt(async () => {
      while (lacking()) {
        await this.read();
        this.show();
      }
    });
  }

  found() {
    const words = this.wanted.trim().toLowerCase();
    return this.accounts.filter(
      (account) => (this.guests || !account.guest) && (!words || account.name.toLowerCase().includes(words)),
    );
  }

  /** @param {any} line an account as it is now */
  replace(line) {
    this.accounts = this.accounts.map((account) => (account.account === line.account ? line : account));
  }

  /** @param {any} account @param {string} role @param {boolean} has */
  async give(account, role, has) {
    const roles = ROLES.filter((one) => (one === role ? has : account.roles.includes(one)));
    const sure = await this.ask({
      title: `${has ? "Give" : "Take"} ${account.name} the role ${role}?`,
      says: h("p", null, `Then ${account.name} is ${inWords(roles) || "without a role"}.`),
      label: has ? "Give it" : "Take it away",
      danger: !has,
    });
    if (!sure) {
      this.show();
      return;
    }
    await this.attempt(
      async () => {
        this.replace(await ask(`/accounts/${encodeURIComponent(account.account)}/roles`, "PUT", { roles }));
      },
      `${account.name}: ${inWords(roles) || "no role"}.`,
    );
  }

  /** @param {any} account @param {"deposit" | "correct"} how */
  async money(account, how) {
    const given = await this.ask({
      title: how === "deposit" ? `Play money for ${account.name}` : `Correct the balance of ${account.name}`,
      says: how === "correct" ? h("p", null, "A correction takes two people; less than nothing takes out.") : undefined,
      label: how === "deposit" ? "Put in" : "Propose",
      fields: [
        {
          name: "amount",
          title: "Dollars",
          hint: how === "correct" ? "As 25, or -25 to take out." : "At most $100,000.",
        },
        { name: "reason", title: "Why", optional: how === "deposit" },
      ],
    });
    if (!given) return;
    const match = DOLLARS.exec(given.amount.replaceAll(",", ""));
    if (!match) {
      this.problems = [{ what: "not an amount", value: given.amount, allowed: "dollars, as 250 or 12.50" }];
      this.show();
      return;
    }
    const cents = (match[1] ? -1 : 1) * (Number(match[2]) * 100 + Number(match[3] ?? 0));
    await this.attempt(
      async () => {
        if (how === "deposit") {
          const asked = { cents, reason: given.reason };
          this.replace(await ask(`/accounts/${encodeURIComponent(account.account)}/deposits`, "POST", asked));
        } else
          await ask("/proposals", "POST", {
            kind: "correction",
            subject: `account/${account.account}`,
            details: { cents },
            reason: given.reason,
          });
      },
      how === "deposit" ? `${dollars(cents)} for ${account.name}.` : "Proposed. It waits for a second person.",
    );
  }

  body() {
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
          h("label", { for: "accounts-find" }, "Find"),
          h("input", {
            id: "accounts-find",
            type: "search",
            autocomplete: "off",
            "prop:value": this.wanted,
            oninput: (/** @type {any} */ event) => {
              this.wanted = event.target.value;
              this.show();
              void this.look();
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
              void this.look();
            },
          }),
          "Guests too",
        ),
      ),
      rowsTable({
        caption: "Accounts",
        hidden: true,
        rows: found,
        key: (account) => account.account,
        none: this.all ? "Nobody like that." : "Nobody like that yet.",
        columns: [
          {
            title: "Name",
            cell: (account) => [
              h("strong", null, account.name),
              account.guest && h("span", { class: "tag" }, "guest"),
              account.unreadable && h("span", { class: "tag" }, "cannot be read"),
            ],
          },
          { title: "Balance", number: true, cell: (account) => !account.unreadable && dollars(account.balance_cents) },
          {
            title: "At tables",
            cell: (account) =>
              Object.entries(account.at_tables).map(([table, cents]) =>
                h("small", { key: table, class: "under" }, `${table}: ${dollars(Number(cents))}`),
              ),
          },
          { title: "Roles", wide: true, cell: (account) => this.rolesOf(account) },
          {
            title: "Money",
            cell: (account) =>
              this.has("floor", "owner") &&
              !account.unreadable &&
              h(
                "span",
                { class: "buttons" },
                h(
                  "button",
                  {
                    type: "button",
                    class: "button small",
                    disabled: this.busy,
                    "aria-label": `Deposit for ${account.name}`,
                    onclick: () => void this.money(account, "deposit"),
                  },
                  "Deposit",
                ),
                account.account !== this.me?.account &&
                  h(
                    "button",
                    {
                      type: "button",
                      class: "button small quiet",
                      disabled: this.busy,
                      "aria-label": `Correct the balance of ${account.name}`,
                      onclick: () => void this.money(account, "correct"),
                    },
                    "Correct",
                  ),
              ),
          },
        ],
      }),
      h(
        "div",
        { class: "buttons" },
        !this.all &&
          h(
            "button",
            {
              type: "button",
              class: "button",
              disabled: this.busy,
              onclick: () => void this.look(found.length + 1),
            },
            "More accounts",
          ),
        h(
          "span",
          { class: "quiet", role: "status" },
          `${count(found.length)} found among ${this.all ? "all" : "the first"} ${count(this.accounts.length)}.`,
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
            onchange: (/** @type {any} */ event) => void this.give(account, role, event.target.checked),
          }),
          role,
        ),
      ),
    );
  }
}

customElements.define("cf-accounts", Accounts);
