// @ts-check
/** The proposals that wait for a second person: the change, the proposer and the reason. */

import { request } from "../shared/api.js";
import { buttonNode, buttonRow, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, dollars, plain, sentence, signed, timeText } from "../shared/format.js";
import { decisionsTable, proposalTitle, returnsTable, rowsTable } from "./page_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/console.css");

class Proposals extends StaffPage {
  heading = "Proposals";
  refreshMs = 5000;
  roles = ["floor", "auditor", "owner"];
  /** @type {any[] | null} */
  proposals = null;
  /** @type {any[]} */
  decided = [];
  /** @type {Record<string, any>} */
  meters = {};

  async open() {
    const [proposals, decided, meters] = await Promise.all([
      request("/proposals"),
      request("/proposals/decided"),
      request("/meters"),
    ]);
    [this.proposals, this.decided] = [proposals, decided];
    this.meters = Object.fromEntries(meters.map((/** @type {any} */ meter) => [meter.meter, meter]));
  }

  /** @param {any} proposal */
  async approve(proposal) {
    const confirmed = await this.openDialog({
      title: `Approve proposal ${proposal.number}?`,
      says: h(
        "p",
        null,
        `${proposalTitle(proposal)}: ${proposal.subject}. It takes effect in the names of ${proposal.by} and you.`,
      ),
      label: "Approve",
      danger: proposal.kind === "void",
    });
    if (!confirmed) return;
    let result = "";
    await this.attempt(async () => {
      const answer = await request(`/proposals/${proposal.number}/approval`, "POST", {});
      result = effectText(proposal, answer);
      await this.open();
    });
    if (result) this.done = result;
    this.show();
  }

  /** @param {any} proposal */
  async withdraw(proposal) {
    const own = proposal.by === this.me?.account;
    const confirmed = await this.openDialog({
      title: `${own ? "Withdraw" : "Decline"} proposal ${proposal.number}?`,
      label: own ? "Withdraw" : "Decline",
      danger: true,
    });
    if (!confirmed) return;
    await this.attempt(
      async () => {
        await request(`/proposals/${proposal.number}`, "DELETE");
        await this.open();
      },
      `Proposal ${proposal.number} is ${own ? "withdrawn" : "declined"}.`,
    );
  }

  body() {
    const { proposals } = this;
    if (!proposals) return null;
    return [
      proposals.length
        ? h(
            "ul",
            { class: "proposals" },
            proposals.map((proposal) => this.proposal(proposal)),
          )
        : h(
            "section",
            { class: "card" },
            h("p", null, "No proposal waits for a second person."),
            quietText(
              "These acts need two people: a void, a report that voids a round or exposes a card early, a reversal, the correction of a card, a meter or an account, an award from a typed reading, a Rules Submission, a link of meters, a large fill or deposit, and the role of floor or owner. Neither person plays at the table or holds the account.",
            ),
          ),
      h("section", { class: "card" }, decisionsTable(this.decided)),
    ];
  }

  /** @param {any} proposal */
  proposal(proposal) {
    const own = proposal.by === this.me?.account;
    const reason = own ? "You made this proposal" : this.isOwnAccount(proposal) ? "This is your account" : null;
    const may = this.has("floor", "owner");
    return h(
      "li",
      { key: proposal.number, class: "card proposal", "data-proposal": proposal.number },
      h(
        "header",
        null,
        h("h2", null, `${proposalTitle(proposal)}: ${proposal.subject.replace(/^account\//, "")}`),
        h("span", { class: "tag" }, `Proposal ${proposal.number}`),
      ),
      h("p", null, `“${proposal.reason}”`, h("span", { class: "quiet" }, ` ${proposal.by}, ${timeText(proposal.at)}`)),
      this.detailsNode(proposal),
      may &&
        buttonRow(
          buttonNode("Approve", () => void this.approve(proposal), {
            class: "button main",
            disabled: reason !== null || this.busy,
            "aria-describedby": reason ? `others-${proposal.number}` : undefined,
          }),
          buttonNode(own ? "Withdraw" : "Decline", () => void this.withdraw(proposal), {
            class: "button quiet",
            disabled: this.busy,
          }),
          reason &&
            h("p", { id: `others-${proposal.number}`, class: "quiet" }, `${reason}. Another person must approve.`),
        ),
    );
  }

  /** Returns true when a proposal corrects the viewer's own account. @param {any} proposal */
  isOwnAccount(proposal) {
    return proposal.subject.toLowerCase() === `account/${this.me?.account}`;
  }

  /** The change that a proposal makes. @param {any} proposal */
  detailsNode(proposal) {
    const { details } = proposal;
    if (proposal.kind === "roles") return beforeAfter([["Roles", details.before || "none", details.roles || "none"]]);
    if (["submission", "opening"].includes(proposal.kind)) {
      const changes = JSON.parse(details.changes ?? "[]");
      const returns = JSON.parse(details.returns ?? "[]");
      return [
        beforeAfter(changes.map((/** @type {any} */ it) => [it.title, it.before, it.after])),
        returns.length > 0 &&
          h(
            "details",
            { class: "folded" },
            h("summary", null, "Return of each wager, before and after"),
            returnsTable(returns),
          ),
        details.link !== undefined &&
          h(
            "p",
            null,
            details.link ? `Joins the meters of ${details.link}.` : "Leaves its link for meters of its own.",
          ),
        proposal.kind === "submission"
          ? h("p", null, h("a", { href: `/console/submission/${proposal.subject}` }, "Submission in force"))
          : h("p", null, `Rulebook ${details.rulebook}, ${plain(details.dealt_by ?? "automatic")} dealer.`),
      ];
    }
    if (["void", "reversal", "award", "fill"].includes(proposal.kind))
      return h(
        "p",
        null,
        `${details.round ? `Round ${details.round}${findingText(details)}. ` : ""}${sentence(details.follows)} `,
        h("a", { href: `/console/table/${proposal.subject}` }, "Open table"),
      );
    if (proposal.kind === "card_correction")
      return h(
        "p",
        null,
        `Round ${details.round}, ${plain(details.place)}: the card on the table is ${details.card}. `,
        h("a", { href: `/console/table/${proposal.subject}` }, "Open table"),
      );
    if (proposal.subject.startsWith("account/")) return beforeAfter([["Balance", "current", signed(details.cents)]]);
    const meter = this.meters[proposal.subject];
    if (proposal.kind === "meter_retirement")
      return h(
        "p",
        null,
        `${meter ? dollars(meter.amount_cents) : "The amount"} goes to ${details.to || "the house"}, and the meter ends.`,
      );
    if (proposal.kind === "correction")
      return beforeAfter([["Amount", meter ? dollars(meter.amount_cents) : "current", signed(details.micros / 1e6)]]);
    return beforeAfter(
      Object.entries(details).map(([name, value]) => [
        capital(plain(name.replace("_cents", ""))),
        meter?.[name] === null || meter?.[name] === undefined ? "none" : dollars(meter[name]),
        dollars(Number(value)),
      ]),
    );
  }
}

/** The reported irregularity and its place. @param {Record<string, any>} details */
function findingText({ kind, finding, seat, place }) {
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
      { title: "Change", cell: (row) => row[0] },
      { title: "Before", number: true, cell: (row) => row[1] },
      { title: "After", number: true, cell: (row) => h("strong", null, row[2]) },
    ],
  });
}

/** The effect of an approval as text. @param {any} proposal @param {any} answer */
function effectText(proposal, answer) {
  if (proposal.kind === "opening") return `Approved. ${answer.table} is open.`;
  if (proposal.kind === "submission")
    return answer.in_force
      ? `${proposal.subject} has closed. ${answer.table} is open with the new submission.`
      : `Approved. ${proposal.subject} closes after this round and ${answer.table} opens with the new submission. The floor page shows whether any chips could not be returned.`;
  if (proposal.kind === "void") return `Approved. ${sentence(proposal.details.follows)}`;
  if (proposal.kind === "card_correction") return "Approved. The card is corrected.";
  return "Approved.";
}

customElements.define("cf-proposals", Proposals);
