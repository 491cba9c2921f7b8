// @ts-check
/** The auditor's room: who did what when, before and after; whether the record is whole; copies of it. */

import { ask } from "../shared/api.js";
import { h, wear } from "../shared/dom.js";
import { chosen, fact, shortened, toWords } from "./audit_parts.js";
import { save } from "../shared/download.js";
import { count, fieldNode, rowsTable, StaffPage, when } from "./staff_page.js";
import { capital, plain } from "../shared/format.js";

await wear("console/audit.css");

/** @typedef {{stream: string, who: string, kind: string, table: string, text: string, since: string, until: string}} Asked */

const JOURNAL = "journal";
/** Acts whose `table` is the name of one. */
const ABOUT_TABLES = new Set(["table_created", "table_changing", "dispute_reported"]);
const SHOWN = 50;
const PATIENCE_MS = 250;
const LOOK_AGAIN_MS = 400;
/** @returns {Asked} */
const anything = () => ({ stream: JOURNAL, who: "", kind: "", table: "", text: "", since: "", until: "" });

class Audit extends StaffPage {
  heading = "Audit";
  roles = ["auditor", "owner"];
  /** @type {any} */
  status = null;
  /** @type {any[]} */
  streams = [];
  /** Tables by name, as far as they were looked for. @type {string[]} */
  named = [];
  sought = "";
  /** @type {any} */
  found = null;
  /** @type {any[]} */
  entries = [];
  asked = anything();
  /** How far a check is, while it runs. @type {{lines: number, expected: number} | null} */
  checking = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;
  /** Answers to older questions are thrown away. */
  turn = 0;

  async open() {
    this.keys = (/** @type {KeyboardEvent} */ event) => toWords(this, event);
    document.addEventListener("keydown", this.keys);
    const given = new URLSearchParams(location.search);
    for (const name of /** @type {(keyof Asked)[]} */ (Object.keys(this.asked)))
      this.asked[name] = given.get(name) ?? this.asked[name];
    [this.status, this.streams] = await Promise.all([ask("/audit/status"), ask("/audit/streams")]);
    await Promise.all([this.look(), this.seek("")]);
  }

  close() {
    clearTimeout(this.waiting);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  // --- finding --------------------------------------------------------------------------------------------------------

  /** What is asked for, as an address has it. */
  get query() {
    const { since, until, ...words } = this.asked;
    const times = { since: since && String(Date.parse(since)), until: until && String(Date.parse(until) + 59_999) };
    return new URLSearchParams(Object.entries({ ...words, ...times }).filter(([, value]) => value));
  }

  /** Asks for the newest entries, or for those before a seq. @param {number | null} [before] */
  async look(before = null) {
    const turn = ++this.turn;
    const query = this.query;
    query.set("limit", String(SHOWN));
    if (before !== null) query.set("before", String(before));
    const found = await ask(`/audit/entries?${query}`);
    if (turn !== this.turn) return;
    this.found = found;
    this.entries = before === null ? found.entries : [...this.entries, ...found.entries];
    this.show();
  }

  /** @param {Partial<Asked>} change */
  want(change) {
    this.asked = { ...this.asked, ...change };
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.attempt(() => this.look()), PATIENCE_MS);
    const kept = new URLSearchParams(
      Object.entries(this.asked).filter(
        ([name, value]) => value && value !== anything()[/** @type {keyof Asked} */ (name)],
      ),
    );
    history.replaceState(null, "", `${location.pathname}${kept.size ? `?${kept}` : ""}`);
  }

  // --- the record -----------------------------------------------------------------------------------------------------

  /** Has every line looked at; meanwhile the house says how far it is. */
  async verify() {
    const watch = setInterval(async () => {
      this.checking = (await ask("/audit/status").catch(() => null))?.checking ?? this.checking;
      this.show();
    }, LOOK_AGAIN_MS);
    this.checking = { lines: 0, expected: this.status.lines };
    await this.attempt(async () => {
      await ask("/audit/verify", "POST", {});
      this.status = await ask("/audit/status");
    }, "Every line was looked at.");
    clearInterval(watch);
    this.checking = null;
    this.show();
  }

  body() {
    return [this.status && this.record(), this.found && this.journal(), this.status && this.tables()];
  }

  record() {
    const { checked, checked_at, head, key, software, version, streams, lines, unsigned } = this.status;
    const sound = checked?.sound;
    return h(
      "section",
      { key: "record", class: "card record", "aria-labelledby": "record-title" },
      h("h2", { id: "record-title" }, "The record"),
      h(
        "dl",
        { class: "known" },
        fact(
          "Chains",
          h(
            "span",
            { class: `tag ${sound ? "good" : "bad"}` },
            sound ? "Intact" : checked ? "Broken" : "Not looked at yet",
          ),
          checked &&
            `${count(checked.lines)} lines in ${count(checked.streams)} streams, ${count(checked.heads)} signed heads${checked_at ? `, looked at ${when(checked_at)}` : ""}`,
        ),
        fact(
          "Last signed head",
          head ? `No. ${count(head.number)}` : "None yet",
          head &&
            `${when(head.at)}; ${unsigned ? `${count(unsigned)} of ${count(streams)} streams have moved since` : "nothing has moved since"}`,
        ),
        fact("On record", `${count(lines)} lines`, `in ${count(streams)} streams`),
        fact("Software", `Crossfelt ${version}`, software ? h("code", null, software) : "being hashed"),
        fact("Key", "Ed25519", h("code", null, key)),
      ),
      checked?.findings.length > 0 &&
        h(
          "ul",
          { class: "notice findings" },
          checked.findings.map((/** @type {string} */ finding) => h("li", { key: finding }, capital(finding))),
        ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { type: "button", class: "button main", disabled: Boolean(this.checking), onclick: () => void this.verify() },
          "Verify now",
        ),
        h("a", { class: "button quiet", href: "/api/audit/heads", download: "heads.jsonl" }, "Signed heads"),
        h(
          "button",
          { type: "button", class: "button quiet", onclick: () => save("crossfelt.pub", `${key}\n`) },
          "Public key",
        ),
        this.checking &&
          h(
            "label",
            { class: "progress-of" },
            `${count(this.checking.lines)} of ${count(this.checking.expected)} lines `,
            h("progress", { max: Math.max(1, this.checking.expected), value: this.checking.lines }),
          ),
      ),
    );
  }

  journal() {
    const { asked, found } = this;
    const copy = (/** @type {string} */ kind) => `/api/audit/entries.${kind}?${this.query}`;
    return h(
      "section",
      { key: "journal", class: "card entries", "aria-labelledby": "journal-title" },
      h("h2", { id: "journal-title" }, "Who did what"),
      this.filters(),
      rowsTable({
        caption: `Entries of ${asked.stream}`,
        hidden: true,
        columns: [
          { title: "When", cell: (entry) => h("time", { datetime: new Date(entry.at).toISOString() }, when(entry.at)) },
          { title: "Who", cell: (entry) => entry.who },
          {
            title: "What",
            cell: (entry) => [
              shortened(capital(entry.what)),
              entry.table && entry.kind !== "unreadable" && this.linked(entry),
            ],
            wide: true,
          },
          { title: "Before", cell: (entry) => shortened(entry.before) },
          { title: "After", cell: (entry) => shortened(entry.after) },
          {
            title: "Row",
            cell: (entry) =>
              h(
                "span",
                { title: `Hash ${entry.hash}` },
                count(entry.seq),
                h("code", { class: "short" }, entry.hash.slice(0, 8)),
              ),
            number: true,
          },
        ],
        rows: this.entries,
        key: (entry) => `${entry.seq} ${entry.kind} ${entry.what}`,
        none: "Nothing was found.",
      }),
      h(
        "div",
        { class: "buttons" },
        found.next !== null &&
          h(
            "button",
            { type: "button", class: "button", onclick: () => void this.attempt(() => this.look(found.next)) },
            this.entries.length ? "Older" : "Look further back",
          ),
        h("a", { class: "button quiet", href: copy("csv"), download: true }, "Found, as CSV"),
        h("a", { class: "button quiet", href: copy("json"), download: true }, "Found, as JSON"),
        h(
          "a",
          {
            class: "button quiet",
            href: wholeOf(asked.stream),
            download: `${asked.stream.replaceAll("/", "-")}.jsonl`,
          },
          "The whole stream, to verify",
        ),
        h(
          "span",
          { class: "quiet", role: "status" },
          found.next === null
            ? `${count(this.entries.length)} found; that is all.`
            : `${count(this.entries.length)} found, back to ${found.reached ? when(found.reached) : "the beginning"}.`,
        ),
      ),
    );
  }

  filters() {
    const { asked } = this;
    const field = (
      /** @type {keyof Asked} */ name,
      /** @type {string} */ title,
      /** @type {Record<string, any>} */ more = {},
    ) =>
      fieldNode(
        { name, title, optional: true, value: asked[name], ...more },
        { oninput: (/** @type {any} */ event) => this.want({ [name]: event.target.value }), ...more },
      );
    return h(
      "form",
      { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      field("text", "Words", { type: "search", placeholder: "press / to come here" }),
      field("who", "Person"),
      chosen(
        "kind",
        "Kind of act",
        ["", ...this.found.kinds],
        asked.kind,
        (kind) => (kind ? capital(plain(kind)) : "Any"),
        (kind) => this.want({ kind }),
      ),
      field("table", "Table"),
      field("since", "From", { type: "datetime-local" }),
      field("until", "To", { type: "datetime-local" }),
      field("stream", "Stream", { list: "streams" }),
      h(
        "datalist",
        { id: "streams" },
        this.streams.map((stream) => h("option", { key: stream.stream, value: stream.stream })),
      ),
    );
  }

  /** Looks for tables whose names begin so. @param {string} name */
  async seek(name) {
    this.sought = name;
    const found = await ask(`/audit/streams?text=${encodeURIComponent(`table/${name}`)}`);
    if (name !== this.sought) return;
    this.named = [
      ...new Set(/** @type {string[]} */ (found.map((/** @type {any} */ one) => one.stream.split("/")[1]))),
    ];
    this.show();
  }

  /** The way to the rounds of a table. @param {any} entry */
  linked(entry) {
    const known =
      /^[a-z0-9-]+$/.test(entry.table) && (ABOUT_TABLES.has(entry.kind) || this.named.includes(entry.table));
    const path = `/console/rounds/${entry.table}${entry.kind === "dispute_reported" ? `/${/round (\d+)/.exec(entry.what)?.[1]}` : ""}`;
    return known && [" ", h("a", { href: path }, "Rounds")];
  }

  tables() {
    return h(
      "section",
      { key: "tables", class: "card", "aria-labelledby": "tables-title" },
      h("h2", { id: "tables-title" }, "Rounds and disputes"),
      h(
        "div",
        { class: "filters" },
        fieldNode(
          { name: "sought", title: "Table", type: "search", optional: true, value: this.sought },
          {
            placeholder: "its name begins with",
            oninput: (/** @type {any} */ event) => void this.attempt(() => this.seek(event.target.value.trim())),
          },
        ),
      ),
      h(
        "ul",
        { class: "tables-of" },
        this.named.map((name) => h("li", { key: name }, h("a", { href: `/console/rounds/${name}` }, name))),
      ),
    );
  }
}

/** @param {string} stream */
function wholeOf(stream) {
  const [kind, table] = stream.split("/");
  return kind === "table" ? `/api/tables/${table}/history` : `/api/streams/${stream}`;
}

customElements.define("cf-audit", Audit);
