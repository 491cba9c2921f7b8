// @ts-check
/** What stands around the replay of a round: the record, the payments with the second settlement, the report. */

import { h } from "../shared/dom.js";
import { chosen, fact } from "./audit_parts.js";
import { cites, count, rowsTable, when } from "./staff_page.js";
import { capital, dollars, signed } from "../shared/format.js";

/** Whether the record is whole, and whether a second settlement pays the same. @param {import("./dispute.js").Dispute} page */
export function verdicts(page) {
  const { identity, rows, verdict, verdict_words, nets, players, earlier, later } = page.told;
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
        rows.finding || `rows ${count(rows.first)} to ${count(rows.last)} of ${rows.stream}`,
      ),
      fact(
        "Signed",
        rows.signed ? `by head ${count(rows.signed.head)}` : h("span", { class: "tag" }, "Not signed"),
        rows.signed ? `${when(rows.signed.at)}, which names row ${count(rows.signed.row)}` : rows.unsigned,
      ),
      fact(
        "Settled again",
        h(
          "span",
          { class: `tag ${verdict.complaints.length ? "bad" : "good"}` },
          verdict.complaints.length ? "Not equal" : verdict.settled_again ? "Equal" : "Not done",
        ),
        verdict_words,
      ),
      fact(
        "Rules",
        `${identity.rulebook} ${identity.version}`,
        h("code", { title: `Game ${identity.game_hash}` }, identity.game_hash.slice(0, 16)),
      ),
      fact("Played", capital(identity.outcome), `${when(identity.closed_at)}, Crossfelt ${identity.written_by}`),
      fact(
        "What it brought",
        Object.keys(nets).length ? "" : "Nothing",
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
    h(
      "div",
      { class: "buttons" },
      other(earlier, "Earlier round"),
      other(later, "Later round"),
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

/** Every payment beside what the second settlement has worked out. @param {import("./dispute.js").Dispute} page */
export function payments(page) {
  const paid = page.told.seen.steps
    .filter((/** @type {any} */ step) => step.payment)
    .map((/** @type {any} */ step) => step.payment);
  return h(
    "section",
    { key: "payments", class: "card", "aria-labelledby": "payments-title" },
    h("h2", { id: "payments-title" }, "Payments, and the second settlement"),
    h(
      "p",
      { class: "quiet" },
      "The second settlement is written from the documents and shares nothing with the table but the ranking of hands.",
    ),
    rowsTable({
      caption: "Payments in order",
      hidden: true,
      columns: [
        { title: "Seat", cell: (one) => one.seat },
        { title: "Wager", cell: (one) => capital(one.title) },
        {
          title: "How it was worked out",
          cell: (one) => [one.arithmetic.join(" "), " ", cites([...one.clauses, ...one.readings], page)],
          wide: true,
        },
        { title: "Stake", cell: (one) => dollars(one.stake), number: true },
        {
          title: "Recorded",
          cell: (one) => outcome(one.result, one.returned, one.paid - one.commission),
          number: true,
        },
        {
          title: "Settled again",
          cell: (one) => [
            one.again.result !== undefined &&
              outcome(one.again.result, one.again.returned, one.again.paid - one.again.commission),
            " ",
            again(one),
          ],
          number: true,
        },
      ],
      rows: paid,
      key: (one) => `${one.seq} ${one.seat} ${one.title}`,
      none: "Nothing was paid, returned or lost.",
    }),
  );
}

/** One page to print, about the round or a seat in it. @param {import("./dispute.js").Dispute} page */
export function report(page) {
  const { players } = page.told;
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
      "One page of A4: which round, what happened by which clause, the arithmetic of each payment of the seat, what could be seen at each decision, the second settlement, the record and how to check it. About a seat it names no card that its player could not see.",
    ),
    h(
      "div",
      { class: "buttons" },
      chosen(
        "about",
        "About",
        ["", ...Object.keys(players)],
        page.about,
        (seat) => (seat ? `Seat ${seat}, ${players[seat]}` : "The whole round"),
        (seat) => {
          page.about = seat;
          page.show();
        },
      ),
      h("a", { class: "button main", href: address(""), target: "_blank", rel: "noopener" }, "Open to print"),
      h("a", { class: "button quiet", href: address("download"), download: true }, "Save"),
    ),
  );
}

/** @param {string} result @param {number} returned @param {number} paid */
const outcome = (result, returned, paid) =>
  `${{ win: "wins", push: "pushes", lose: "loses", forfeit: "given up", returned: "returned" }[result] ?? result}${paid ? ` ${dollars(paid)}` : ""}${returned ? `, ${dollars(returned)} back` : ""}`;

/** Whether the second settlement agrees. @param {any} payment */
export function again(payment) {
  if (payment.equal === null) return h("span", { class: "tag" }, "not settled again");
  return payment.equal
    ? h("span", { class: "tag good" }, "equal")
    : [h("span", { class: "tag bad" }, "not equal"), " ", payment.complaints.join("; ")];
}
