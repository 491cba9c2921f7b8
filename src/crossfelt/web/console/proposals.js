// @ts-check
/** What waits for a second person: what would be other than it is, who wants it and why. */

import { ask } from "../shared/api.js";
import { returnsTable } from "./returns.js";
import { h } from "../shared/dom.js";
import { rowsTable, StaffPage, wear, when } from "./staff_page.js";
import { capital, dollars, plain, signed } from "../shared/format.js";

const LOOK_EVERY = 5000;
/** @type {Record<string, string>} */
const KINDS = {
  void: "Void a round",
  card_correction: "A card that was named wrongly",
  submission: "Another Rules Submission",
  meter_change: "Change a meter",
  correction: "Correction",
};

class Proposals extends StaffPage {
  heading = "Proposals";
  roles = ["floor", "auditor", "owner"];
  /** @type {any[] | null} */
  waiting = null;
  /** @type {Record<string, any>} */
  meters = {};

  async open() {
    await wear("console/console.css");
    await this.load();
    this.timer = setInterval(() => void this.look(), LOOK_EVERY);
  }

  close() {
    clearInterval(this.timer);
  }

  async load() {
    const [waiting, meters] = await Promise.all([ask("/proposals"), ask("/meters")]);
    this.waiting = waiting;
    this.meters = Object.fromEntries(meters.map((/** @type {any} */ meter) => [meter.meter, meter]));
  }

  /** Looks again, unless somebody is at it. */
  async look() {
    if (this.busy || this.question) return;
    await this.load().catch(() => null);
    this.show();
  }

  /** @param {any} proposal */
  async approve(proposal) {
    const agreed = await this.ask({
      title: `Agree to proposal ${proposal.number}?`,
      says: h(
        "p",
        null,
        `${titleOf(proposal)}: ${proposal.subject}. It takes effect in the names of ${proposal.by} and you.`,
      ),
      label: "Agree",
      danger: proposal.kind === "void",
    });
    if (!agreed) return;
    let said = "";
    await this.attempt(async () => {
      const told = await ask(`/proposals/${proposal.number}/approval`, "POST", {});
      said = effect(proposal, told);
      await this.load();
    });
    if (said) this.done = said;
    this.show();
  }

  /** @param {any} proposal */
  async withdraw(proposal) {
    const own = proposal.by === this.me?.account;
    const sure = await this.ask({
      title: `${own ? "Withdraw" : "Decline"} proposal ${proposal.number}?`,
      label: own ? "Withdraw" : "Decline",
      danger: true,
    });
    if (!sure) return;
    await this.attempt(async () => {
      await ask(`/proposals/${proposal.number}`, "DELETE");
      await this.load();
    }, `Proposal ${proposal.number} is off the list.`);
  }

  body() {
    const { waiting } = this;
    if (!waiting) return null;
    if (!waiting.length)
      return h(
        "section",
        { class: "card" },
        h("p", null, "Nothing waits for a second person."),
        h(
          "p",
          { class: "quiet" },
          "A void, a report that voids a round or shows a card early, a card that was named wrongly, a submission, a change or correction of a meter, and a correction of an account take two.",
        ),
      );
    return h(
      "ul",
      { class: "proposals" },
      waiting.map((proposal) => this.proposal(proposal)),
    );
  }

  /** @param {any} proposal */
  proposal(proposal) {
    const own = proposal.by === this.me?.account;
    const others = own ? "You proposed it" : this.isMine(proposal) ? "It is your account" : null;
    const may = this.has("floor", "owner");
    return h(
      "li",
      { key: proposal.number, class: "card proposal", "data-proposal": proposal.number },
      h(
        "header",
        null,
        h("h2", null, `${titleOf(proposal)}: ${proposal.subject.replace(/^account\//, "")}`),
        h("span", { class: "tag" }, `Proposal ${proposal.number}`),
      ),
      h("p", null, `“${proposal.reason}”`, h("span", { class: "quiet" }, ` ${proposal.by}, ${when(proposal.at)}`)),
      this.what(proposal),
      may &&
        h(
          "div",
          { class: "buttons" },
          h(
            "button",
            {
              type: "button",
              class: "button main",
              disabled: others !== null || this.busy,
              "aria-describedby": others ? `others-${proposal.number}` : undefined,
              onclick: () => void this.approve(proposal),
            },
            "Agree",
          ),
          h(
            "button",
            { type: "button", class: "button quiet", disabled: this.busy, onclick: () => void this.withdraw(proposal) },
            own ? "Withdraw" : "Decline",
          ),
          others &&
            h("p", { id: `others-${proposal.number}`, class: "quiet" }, `${others}: another person must agree.`),
        ),
    );
  }

  /** Whether it corrects the account of who looks. @param {any} proposal */
  isMine(proposal) {
    return proposal.subject.toLowerCase() === `account/${this.me?.account}`;
  }

  /** What would be other than it is. @param {any} proposal */
  what(proposal) {
    const { details } = proposal;
    if (proposal.kind === "submission") {
      const changes = JSON.parse(details.changes ?? "[]");
      const returns = JSON.parse(details.returns ?? "[]");
      return [
        beforeAfter(changes.map((/** @type {any} */ it) => [it.title, it.before, it.after])),
        returns.length > 0 &&
          h(
            "details",
            { class: "folded" },
            h("summary", null, "What every wager returns, before and after"),
            returnsTable(returns),
          ),
        h("p", null, h("a", { href: `/console/submission/${proposal.subject}` }, "The submission in force")),
      ];
    }
    if (proposal.kind === "void")
      return h(
        "p",
        null,
        `Round ${details.round}${found(details)}. ${details.follows}. `,
        h("a", { href: `/console/table/${proposal.subject}` }, "To the table"),
      );
    if (proposal.kind === "card_correction")
      return h(
        "p",
        null,
        `Round ${details.round}, ${plain(details.place)}: ${details.card} lies there. `,
        h("a", { href: `/console/table/${proposal.subject}` }, "To the table"),
      );
    if (proposal.subject.startsWith("account/")) return beforeAfter([["Balance", "as it is", signed(details.cents)]]);
    const meter = this.meters[proposal.subject];
    if (proposal.kind === "correction")
      return beforeAfter([
        ["Amount", meter ? dollars(meter.amount_cents) : "as it is", `${signed(details.micros / 1e6)}`],
      ]);
    return beforeAfter(
      Object.entries(details).map(([name, value]) => [
        capital(plain(name.replace("_cents", ""))),
        meter?.[name] === null || meter?.[name] === undefined ? "none" : dollars(meter[name]),
        dollars(Number(value)),
      ]),
    );
  }
}

/** What it is, in a few words. @param {any} proposal */
function titleOf({ kind, details }) {
  return kind === "void" && details.command ? "A report that takes two people" : KINDS[kind];
}

/** What was found in a round, and where. @param {Record<string, any>} details */
function found({ kind, finding, seat, place }) {
  const where = [seat && `seat ${seat}`, place && plain(place)].filter(Boolean).join(", ");
  const what = kind ?? finding;
  return what ? `, ${plain(what)}${where ? ` (${where})` : ""}` : "";
}

/** @param {string[][]} rows title, before, after */
function beforeAfter(rows) {
  return rowsTable({
    caption: "Before and after",
    hidden: true,
    rows,
    key: (row) => row[0],
    columns: [
      { title: "What", cell: (row) => row[0] },
      { title: "Before", number: true, cell: (row) => row[1] },
      { title: "After", number: true, cell: (row) => h("strong", null, row[2]) },
    ],
  });
}

/** What came of it, in a sentence. @param {any} proposal @param {any} told */
function effect(proposal, told) {
  if (proposal.kind === "submission")
    return told.in_force
      ? `${proposal.subject} has closed. ${told.table} is open with the new submission.`
      : `Agreed. ${proposal.subject} closes after the round, and ${told.table} opens with the new submission. If an account cannot take its chips back, the floor's page says so.`;
  if (proposal.kind === "void") return `Agreed. ${proposal.details.follows}.`;
  if (proposal.kind === "card_correction") return "The card is put right.";
  return "Done.";
}

customElements.define("cf-proposals", Proposals);
