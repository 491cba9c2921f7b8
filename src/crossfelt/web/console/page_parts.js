// @ts-check
/** Parts that the console's pages share: tables of rows, returns, search and hashes. */

import { h, quietText } from "../shared/dom.js";
import { percent, signed, timeText } from "../shared/format.js";
import { shortcutOf } from "../shared/step_keys.js";

/** @typedef {import("../shared/dom.js").Content} Content */
/** @template T @typedef {{title: string, cell: (row: T) => Content, number?: boolean, wide?: boolean}} Column */
/**
 * A table of rows. On a narrow screen each row becomes a card with named cells.
 * @template T
 * @param {{caption: string, columns: Column<T>[], rows: T[], key: (row: T) => string | number, none?: string, hidden?: boolean, narrow?: boolean}} of `hidden`: the caption is for screen readers only; `narrow`: the table fits a narrow screen
 */
export function rowsTable({ caption, columns, rows, key, none = "None.", hidden = false, narrow = false }) {
  if (!rows.length) return h("div", { class: "row-table" }, !hidden && h("h3", null, caption), quietText(none));
  return h(
    "div",
    { class: "row-table" },
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

/** The return of each wager, in force and proposed. @param {any[]} wagers */
export function returnsTable(wagers) {
  const share = (/** @type {any} */ figure) => (figure ? percent(figure.returned.value, 3) : "not offered");
  return h(
    "div",
    { class: "returns-table" },
    rowsTable({
      caption: "Return of each wager",
      hidden: true,
      rows: wagers,
      key: (wager) => wager.wager,
      columns: [
        {
          title: "Wager",
          cell: (wager) => [wager.title, h("small", { class: "quiet" }, ` ${(wager.after ?? wager.before).method}`)],
        },
        { title: "In force", number: true, cell: (wager) => share(wager.before) },
        { title: "Proposed", number: true, cell: (wager) => h("strong", null, share(wager.after)) },
        {
          title: "Difference",
          number: true,
          cell: ({ before, after }) => {
            const by = before && after ? after.returned.value - before.returned.value : 0;
            return before && after
              ? h(
                  "span",
                  { class: by > 0 ? "down" : by < 0 ? "up" : "quiet" },
                  by ? `${by > 0 ? "+" : "−"}${percent(Math.abs(by), 3)}` : "none",
                )
              : "";
          },
        },
      ],
    }),
  );
}

/** The kinds of proposals, in words. @type {Record<string, string>} */
const PROPOSAL_KINDS = {
  void: "Void a round",
  card_correction: "Correct a card",
  reversal: "Reverse a round",
  award: "Pay an award from a reading",
  fill: "Record a fill",
  opening: "Open a table",
  submission: "Change the Rules Submission",
  meter_change: "Change a meter",
  meter_retirement: "Retire a meter",
  correction: "Correct a balance",
  deposit: "Deposit play money",
  roles: "Change roles",
};

/** The title of a proposal. @param {any} proposal */
export function proposalTitle({ kind, details }) {
  if (kind === "void" && details.command) return "Report an irregularity";
  if (kind === "submission" && details.submission === undefined) return "Change the link of meters";
  return PROPOSAL_KINDS[kind];
}

/** Before and after of a decided proposal, in one line. @param {any} proposal */
function changeText({ details }) {
  const changes = JSON.parse(details.changes ?? "[]").map(
    (/** @type {any} */ it) => `${it.title}: ${it.before} → ${it.after}`,
  );
  return [
    details.follows,
    details.roles !== undefined && `${details.before || "no role"} → ${details.roles || "no role"}`,
    details.cents !== undefined && signed(details.cents),
    details.micros !== undefined && signed(details.micros / 1e6),
    details.link !== undefined && (details.link ? `joins the meters of ${details.link}` : "meters of its own"),
    ...changes,
  ]
    .filter(Boolean)
    .join("; ");
}

/** The decided proposals: who, when and from where. @param {any[]} decisions @param {string} [none] */
export function decisionsTable(decisions, none = "No decision of two people yet.") {
  const person = (/** @type {string} */ who, /** @type {number} */ at, /** @type {string} */ from) => [
    who,
    h("small", { class: "quiet under" }, [timeText(at), from && `from ${from}`].filter(Boolean).join(", ")),
  ];
  return rowsTable({
    caption: "Decisions of two people",
    rows: decisions,
    key: (it) => it.number,
    none,
    columns: [
      {
        title: "Decision",
        cell: (it) => [
          `${it.number}. ${proposalTitle(it)}: ${it.subject.replace(/^account\//, "")} `,
          h("span", { class: `tag ${it.outcome === "approved" ? "good" : "bad"}` }, it.outcome),
          h("small", { class: "quiet under" }, `“${it.reason}”`),
          h("small", { class: "quiet under" }, changeText(it)),
        ],
      },
      { title: "Proposed by", cell: (it) => person(it.by, it.at, it.address) },
      {
        title: "Decided by",
        cell: (it) => person(it.decided_by || "nobody in time", it.decided_at, it.decided_from),
      },
    ],
  });
}

/** Moves the focus to the search field when "/" is pressed. @param {HTMLElement} page @param {KeyboardEvent} event */
export function focusSearch(page, event) {
  if (shortcutOf(event) !== "/") return;
  event.preventDefault();
  /** @type {HTMLElement | null} */ (page.querySelector("#field-text"))?.focus();
}

/** A text with its hashes shortened. @param {string} text */
export function shortened(text) {
  return text
    .split(/\b([0-9a-f]{64})\b/)
    .map((part, at) => (at % 2 ? h("code", { key: at, title: part }, `${part.slice(0, 12)}…`) : part));
}

/** A figure with its name and a note. @param {string} name @param {any} value @param {any} [note] */
export const tile = (name, value, note) =>
  h(
    "div",
    { key: name },
    h("dt", null, name),
    h("dd", null, value, note && h("small", { class: "quiet under" }, note)),
  );
