// @ts-check
/** The parts around the replay: the record, the payments with the second settlement, the report. */

import { clauseButtons, eventSource, proofButton } from "../shared/clauses.js";
import { buttonRow, fact, h, quietText } from "../shared/dom.js";
import { capital, countText, dollars, signed, timeText } from "../shared/format.js";
import { selectNode } from "../shared/forms.js";
import { rowsTable } from "./page_parts.js";
import { recordFacts } from "./table_status.js";

/** The integrity of the record, and the result of the second settlement. @param {import("./dispute.js").Dispute} page */
export function verdicts(page) {
  const { identity, rows, verdict, verdict_words, nets, players, earlier, later } = page.data;
  const other = (/** @type {number | null} */ round, /** @type {string} */ title) =>
    round !== null &&
    h(
      "a",
      {
        key: title,
        class: "button small",
        href: `/console/rounds/${page.table}/${round}`,
      },
      title,
    );
  return h(
    "section",
    { key: "verdicts", class: "card", "aria-label": "The record and the second settlement" },
    h(
      "dl",
      { class: "known" },
      fact(
        "Record",
        h("span", { class: `tag ${rows.finding ? "bad" : "good"}` }, rows.finding ? "Broken" : "Intact"),
        rows.finding || `rows ${countText(rows.first)} to ${countText(rows.last)} of ${rows.stream}`,
      ),
      fact(
        "Signed",
        rows.signed ? `by head ${countText(rows.signed.head)}` : h("span", { class: "tag" }, "Not signed"),
        rows.signed ? `${timeText(rows.signed.at)}, which names row ${countText(rows.signed.row)}` : rows.unsigned,
      ),
      fact(
        "Second settlement",
        h(
          "span",
          { class: `tag ${verdict.complaints.length ? "bad" : "good"}` },
          verdict.complaints.length ? "Different" : verdict.unsettled.length ? "Equal in part" : "Equal",
        ),
        verdict_words,
      ),
      fact(
        "Rules",
        `${identity.rulebook} ${identity.version}`,
        h("code", { title: `Game ${identity.game_hash}` }, identity.game_hash.slice(0, 16)),
      ),
      fact("Played", capital(identity.outcome), `${timeText(identity.closed_at)}, Crossfelt ${identity.written_by}`),
      fact(
        "Net result",
        Object.keys(nets).length ? "" : "No wagers",
        h(
          "ul",
          { class: "nets" },
          Object.entries(nets).map(([seat, cents]) =>
            h(
              "li",
              { key: seat },
              `${seat} ${players[seat] ?? ""} `,
              h("strong", { class: cents > 0 ? "up" : cents < 0 ? "down" : "" }, signed(cents)),
            ),
          ),
        ),
      ),
    ),
    verdict.complaints.length > 0 &&
      h(
        "ul",
        { class: "notice findings" },
        verdict.complaints.map((/** @type {string} */ one, /** @type {number} */ at) =>
          h("li", { key: at }, capital(one)),
        ),
      ),
    buttonRow(
      other(earlier, "Previous round"),
      other(later, "Next round"),
      h(
        "a",
        {
          class: "button small",
          href: `/console/rounds/${page.table}`,
        },
        "All rounds",
      ),
    ),
  );
}

/** Each payment beside its second settlement. @param {import("./dispute.js").Dispute} page */
export function payments(page) {
  const paid = page.data.seen.steps
    .filter((/** @type {any} */ step) => step.payment)
    .map((/** @type {any} */ step) => step.payment);
  return h(
    "section",
    { key: "payments", class: "card", "aria-labelledby": "payments-title" },
    h("h2", { id: "payments-title" }, "Payments and second settlement"),
    quietText(
      "The second settlement is a separate program. It reads the data of the rulebook and ranks the hands itself.",
    ),
    rowsTable({
      caption: "Payments in order",
      hidden: true,
      columns: [
        { title: "Seat", cell: (one) => one.seat },
        {
          title: "Wager",
          cell: (one) => proofButton(capital(one.title), eventSource(page.table, { seq: one.seq, n: one.number })),
        },
        {
          title: "Arithmetic",
          cell: (one) => [one.arithmetic.join(" "), " ", clauseButtons([...one.clauses, ...one.readings])],
          wide: true,
        },
        { title: "Stake", cell: (one) => dollars(one.stake), number: true },
        {
          title: "Recorded",
          cell: (one) => outcome(one.result, one.returned, one.paid - one.commission),
          number: true,
        },
        {
          title: "Second settlement",
          cell: (one) => [
            one.again.result !== undefined &&
              outcome(one.again.result, one.again.returned, one.again.paid - one.again.commission),
            " ",
            agreement(one),
          ],
          number: true,
        },
      ],
      rows: paid,
      key: (one) => `${one.seq} ${one.seat} ${one.title}`,
      none: "This round has no payments.",
    }),
  );
}

/** The printable report on the round or one of its seats. @param {import("./dispute.js").Dispute} page */
export function report(page) {
  const { players } = page.data;
  const query = new URLSearchParams(page.about ? { seat: page.about } : {});
  const address = (/** @type {string} */ more) =>
    `/api${page.address}/dispute?${new URLSearchParams([...query, ...(more ? [[more, "true"]] : [])])}`;
  return h(
    "section",
    { key: "report", class: "card", "aria-labelledby": "report-title" },
    h("h2", { id: "report-title" }, "Dispute report"),
    h(
      "p",
      null,
      "One A4 page: the events with their clauses, the arithmetic of each payment, the visible cards at each decision, the second settlement, and how to check the record. A report on a seat names only cards that its player could see.",
    ),
    buttonRow(
      selectNode(
        "about",
        "About",
        [["", "The whole round"], ...Object.keys(players).map((seat) => [seat, `Seat ${seat}, ${players[seat]}`])],
        page.about,
        (seat) => {
          page.about = seat;
          page.show();
        },
      ),
      h("a", { class: "button main", href: address(""), target: "_blank", rel: "noopener" }, "Open printable report"),
      h("a", { class: "button quiet", href: address("download"), download: true }, "Download"),
      h(
        "a",
        {
          class: "button quiet",
          href: `/api/audit/evidence?${new URLSearchParams({ table: page.table, round: String(page.number) })}`,
          download: true,
        },
        "Evidence pack",
      ),
    ),
  );
}

/** @param {string} result @param {number} returned @param {number} paid */
const outcome = (result, returned, paid) =>
  result === "reversed"
    ? `undone${paid ? `, ${dollars(-paid)} goes back` : ""}`
    : `${{ win: "wins", push: "pushes", lose: "loses", forfeit: "forfeited", returned: "returned" }[result] ?? result}${paid ? ` ${dollars(paid)}` : ""}${returned ? `, ${dollars(returned)} returned` : ""}`;

/** The result of the second settlement for a payment. @param {any} payment */
export function agreement(payment) {
  return payment.equal
    ? h("span", { class: "tag good" }, "equal")
    : [h("span", { class: "tag bad" }, "different"), " ", payment.complaints.join("; ")];
}

/** The check of the fittings and the deck of the round. @param {import("./dispute.js").Dispute} page */
export function tableRecords(page) {
  return h(
    "section",
    { key: "records", class: "card records" },
    h("h2", null, "Table and deck"),
    recordFacts(page.data.records),
  );
}
