// @ts-check
/** The audit page: the journal with before and after, the integrity of the record, downloads. */

import { request } from "../shared/api.js";
import { proofButton } from "../shared/clauses.js";
import { buttonNode, buttonRow, fact, h, loadStylesheet, quietText, saveFile } from "../shared/dom.js";
import { capital, countText, plain, timeText } from "../shared/format.js";
import { fieldNode, formValues, selectNode } from "../shared/forms.js";
import { focusSearch, rowsTable, shortened } from "./page_parts.js";
import { StaffPage } from "./staff_page.js";

await loadStylesheet("console/audit.css");

/** @typedef {{stream: string, who: string, kind: string, table: string, text: string, since: string, until: string, rounds: string}} Filter */

/** The name under which all streams are searched. */
const EVERY = "*";
/** Kinds of entries whose `table` field names a table. */
const ABOUT_TABLES = new Set(["table_created", "table_changing", "dispute_reported"]);
const SHOWN = 50;
const SEARCH_DELAY_MS = 250;
const PROGRESS_EVERY_MS = 400;
/** @returns {Filter} */
const noFilter = () => ({ stream: EVERY, who: "", kind: "", table: "", text: "", since: "", until: "", rounds: "" });

/** The parts of a sum, each with its amount. @param {string} title @param {Record<string, string>} parts */
const moneyList = (title, parts) => [
  h("p", { key: title }, h("strong", null, title)),
  h(
    "ul",
    { key: `${title} list` },
    Object.entries(parts).map(([what, amount]) => h("li", { key: what }, `${capital(what)}: ${amount}`)),
  ),
];

class Audit extends StaffPage {
  heading = "Audit";
  roles = ["auditor", "owner"];
  /** @type {any} */
  status = null;
  /** @type {any[]} */
  streams = [];
  /** The table names that match the search. @type {string[]} */
  tableNames = [];
  tableSearch = "";
  /** @type {any} */
  found = null;
  /** @type {any[]} */
  entries = [];
  /** The last sample that was drawn. @type {any} */
  sample = null;
  filter = noFilter();
  /** The progress of a running check. @type {{lines: number, expected: number} | null} */
  checking = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;
  /** The number of the newest request; older answers are dropped. */
  requestNumber = 0;

  async open() {
    this.keys = (/** @type {KeyboardEvent} */ event) => focusSearch(this, event);
    document.addEventListener("keydown", this.keys);
    const given = new URLSearchParams(location.search);
    for (const name of /** @type {(keyof Filter)[]} */ (Object.keys(this.filter)))
      this.filter[name] = given.get(name) ?? this.filter[name];
    [this.status, this.streams] = await Promise.all([request("/audit/status"), request("/audit/streams")]);
    await Promise.all([this.search(), this.findTables("")]);
  }

  close() {
    clearTimeout(this.waiting);
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  // --- search --------------------------------------------------------------------------------------------------------

  /** The filter as a query string. */
  get query() {
    const { since, until, rounds, stream, ...words } = this.filter;
    const times = { since: since && String(Date.parse(since)), until: until && String(Date.parse(until) + 59_999) };
    const routine = stream === EVERY && !rounds ? "false" : "";
    return new URLSearchParams(
      Object.entries({ stream: stream || EVERY, ...words, ...times, rounds: routine }).filter(([, value]) => value),
    );
  }

  /** Loads the newest entries, or those before a row. @param {number | null} [before] */
  async search(before = null) {
    const requestNumber = ++this.requestNumber;
    const query = this.query;
    query.set("limit", String(SHOWN));
    if (before !== null) query.set("before", String(before));
    const found = await request(`/audit/entries?${query}`);
    if (requestNumber !== this.requestNumber) return;
    this.found = found;
    this.entries = before === null ? found.entries : [...this.entries, ...found.entries];
    this.show();
  }

  /** @param {Partial<Filter>} change */
  changeFilter(change) {
    this.filter = { ...this.filter, ...change };
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.attempt(() => this.search()), SEARCH_DELAY_MS);
    const kept = new URLSearchParams(
      Object.entries(this.filter).filter(
        ([name, value]) => value && value !== noFilter()[/** @type {keyof Filter} */ (name)],
      ),
    );
    history.replaceState(null, "", `${location.pathname}${kept.size ? `?${kept}` : ""}`);
  }

  // --- the record -----------------------------------------------------------------------------------------------------

  /** Has the server check every row, and shows the progress. */
  async verify() {
    const watch = setInterval(async () => {
      this.checking = (await request("/audit/status").catch(() => null))?.checking ?? this.checking;
      this.show();
    }, PROGRESS_EVERY_MS);
    this.checking = { lines: 0, expected: this.status.lines };
    await this.attempt(async () => {
      await request("/audit/verify", "POST", {});
      this.status = await request("/audit/status");
    }, "The check is complete.");
    clearInterval(watch);
    this.checking = null;
    this.show();
  }

  body() {
    return [
      this.status && this.record(),
      this.found && this.journal(),
      this.status && this.evidence(),
      this.status && this.tables(),
    ];
  }

  record() {
    const { checked, checked_at, head, key, software, version, streams, lines, unsigned, house } = this.status;
    const sound = checked?.sound;
    const findings = [...(checked?.findings ?? []), ...(house?.findings ?? [])];
    return h(
      "section",
      { key: "record", class: "card record", "aria-labelledby": "record-title" },
      h("h2", { id: "record-title" }, "The record"),
      h(
        "dl",
        { class: "known" },
        fact(
          "Hash chains",
          h(
            "span",
            { class: `tag ${sound ? "good" : "bad"}` },
            sound ? "Intact" : checked ? "Broken" : "Not checked yet",
          ),
          checked &&
            `${countText(checked.lines)} rows in ${countText(checked.streams)} streams, ${countText(checked.heads)} signed heads${checked_at ? `, checked ${timeText(checked_at)}` : ""}`,
        ),
        fact(
          "Last signed head",
          head ? `No. ${countText(head.number)}` : "None yet",
          head &&
            `${timeText(head.at)}; ${unsigned ? `${countText(unsigned)} of ${countText(streams)} streams have new rows since` : "no new rows since"}`,
        ),
        house &&
          fact(
            "Money of the house",
            h(
              "span",
              { class: `tag ${house.findings.length ? "bad" : "good"}` },
              house.findings.length ? "Does not add up" : "Adds up",
            ),
            h(
              "details",
              null,
              h("summary", null, house.sum),
              moneyList("It came from", house.sources),
              moneyList("It lies in", house.places),
            ),
          ),
        fact("Size", `${countText(lines)} rows`, `in ${countText(streams)} streams`),
        fact("Software", `Crossfelt ${version}`, software ? h("code", null, software) : "The hash is being computed."),
        fact("Key", "Ed25519", h("code", null, key)),
      ),
      findings.length > 0 &&
        h(
          "ul",
          { class: "notice findings" },
          findings.map((finding) => h("li", { key: finding }, capital(finding))),
        ),
      this.status.stopped.length > 0 &&
        h(
          "p",
          { class: "notice" },
          `These tables are stopped, because their record was altered: ${this.status.stopped.join(", ")}. Restore the record from a backup to open them again.`,
        ),
      this.status.changed_files.length > 0 &&
        h(
          "p",
          { class: "notice" },
          `The software departs from the manifest of its installation: ${this.status.changed_files.join("; ")}.`,
        ),
      buttonRow(
        buttonNode("Check now", () => void this.verify(), { class: "button main", disabled: Boolean(this.checking) }),
        h("a", { class: "button quiet", href: "/api/audit/heads", download: "heads.jsonl" }, "Signed heads"),
        buttonNode("Public key", () => saveFile("crossfelt.pub", `${key}\n`), { class: "button quiet" }),
        this.checking &&
          h(
            "label",
            { class: "check-progress" },
            `${countText(this.checking.lines)} of ${countText(this.checking.expected)} rows `,
            h("progress", { max: Math.max(1, this.checking.expected), value: this.checking.lines }),
          ),
      ),
    );
  }

  journal() {
    const { filter, found } = this;
    const copy = (/** @type {string} */ kind) => `/api/audit/entries.${kind}?${this.query}`;
    return h(
      "section",
      { key: "journal", class: "card entries", "aria-labelledby": "journal-title" },
      h("h2", { id: "journal-title" }, "Who did what"),
      this.filters(),
      rowsTable({
        caption: filter.stream === EVERY ? "Entries of all streams" : `Entries of the stream ${filter.stream}`,
        hidden: true,
        columns: [
          {
            title: "When",
            cell: (entry) => h("time", { datetime: new Date(entry.at).toISOString() }, timeText(entry.at)),
          },
          { title: "Who", cell: (entry) => entry.who },
          {
            title: "What",
            cell: (entry) => [
              entry.number
                ? proofButton(capital(entry.what), {
                    table: entry.table,
                    event: `${entry.seq}.${entry.number}`,
                  })
                : shortened(capital(entry.what)),
              entry.table && entry.kind !== "unreadable" && this.roundsLink(entry),
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
                filter.stream === EVERY ? `${entry.stream} ${countText(entry.seq)}` : countText(entry.seq),
                h("code", { class: "short" }, entry.hash.slice(0, 8)),
              ),
            number: true,
          },
        ],
        rows: this.entries,
        key: (entry) => `${entry.stream} ${entry.seq} ${entry.kind} ${entry.what}`,
        none: "No entry matches this filter.",
      }),
      buttonRow(
        found.next !== null &&
          buttonNode(
            this.entries.length ? "Older entries" : "Search further back",
            () => void this.attempt(() => this.search(found.next)),
          ),
        h("a", { class: "button quiet", href: copy("csv"), download: true }, "Download as CSV"),
        h("a", { class: "button quiet", href: copy("json"), download: true }, "Download as JSON"),
        filter.stream !== EVERY &&
          h(
            "a",
            {
              class: "button quiet",
              href: streamPath(filter.stream),
              download: `${filter.stream.replaceAll("/", "-")}.jsonl`,
            },
            "Download the whole stream",
          ),
        h(
          "span",
          { class: "quiet", role: "status" },
          found.next === null
            ? `${countText(this.entries.length)} entries. These are all.`
            : `${countText(this.entries.length)} entries, back to ${found.reached ? timeText(found.reached) : "the beginning"}.`,
        ),
      ),
    );
  }

  filters() {
    const { filter } = this;
    const field = (
      /** @type {keyof Filter} */ name,
      /** @type {string} */ title,
      /** @type {Record<string, any>} */ more = {},
    ) =>
      fieldNode(
        { name, title, optional: true, value: filter[name], ...more },
        { oninput: (/** @type {any} */ event) => this.changeFilter({ [name]: event.target.value }), ...more },
      );
    return h(
      "form",
      { class: "filters", role: "search", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      field("text", "Search", { type: "search", placeholder: "press / to search" }),
      field("who", "Person"),
      selectNode(
        "kind",
        "Kind of entry",
        [["", "Any"], ...this.found.kinds.map((/** @type {string} */ kind) => [kind, capital(plain(kind))])],
        filter.kind,
        (kind) => this.changeFilter({ kind }),
      ),
      field("table", "Table"),
      field("since", "From", { type: "datetime-local" }),
      field("until", "To", { type: "datetime-local" }),
      field("stream", "Stream", { list: "streams", hint: "* for all streams" }),
      h(
        "datalist",
        { id: "streams" },
        this.streams.map((stream) => h("option", { key: stream.stream, value: stream.stream })),
      ),
      filter.stream === EVERY &&
        h(
          "label",
          { class: "check" },
          h("input", {
            type: "checkbox",
            checked: Boolean(filter.rounds),
            onchange: (/** @type {any} */ event) => this.changeFilter({ rounds: event.target.checked ? "true" : "" }),
          }),
          " Every step of every round",
        ),
    );
  }

  /** Finds tables by the beginning of their names. @param {string} name */
  async findTables(name) {
    this.tableSearch = name;
    const found = await request(`/audit/streams?text=${encodeURIComponent(`table/${name}`)}`);
    if (name !== this.tableSearch) return;
    this.tableNames = [
      ...new Set(/** @type {string[]} */ (found.map((/** @type {any} */ one) => one.stream.split("/")[1]))),
    ];
    this.show();
  }

  /** A link to the rounds of a table. @param {any} entry */
  roundsLink(entry) {
    const known =
      /^[a-z0-9-]+$/.test(entry.table) && (ABOUT_TABLES.has(entry.kind) || this.tableNames.includes(entry.table));
    const path = `/console/rounds/${entry.table}${entry.kind === "dispute_reported" ? `/${/round (\d+)/.exec(entry.what)?.[1]}` : ""}`;
    return known && [" ", h("a", { href: path }, "Rounds")];
  }

  /** Draws a sample of rounds. @param {SubmitEvent} event */
  async drawSample(event) {
    const { seed, size, first, last } = formValues(event);
    const wanted = new URLSearchParams({ seed, size, ...period(first, last) });
    await this.attempt(async () => {
      this.sample = await request(`/audit/sample?${wanted}`);
    });
  }

  evidence() {
    const { sample } = this;
    return h(
      "section",
      { key: "evidence", class: "card", "aria-labelledby": "evidence-title" },
      h("h2", { id: "evidence-title" }, "Evidence and samples"),
      h(
        "form",
        {
          class: "filters",
          onsubmit: (/** @type {SubmitEvent} */ event) => {
            const { day } = formValues(event);
            location.assign(`/api/audit/evidence?${new URLSearchParams(period(day, day))}`);
          },
        },
        fieldNode({ name: "day", title: "Day", type: "date", value: today() }),
        h("button", { class: "button" }, "Download evidence pack"),
      ),
      quietText(
        "The pack holds every stream of the day, the signed heads and the key. Check it elsewhere with ",
        h("code", null, "crossfelt verify FILE.zip"),
        ". A round's own pack is on the page of its replay.",
      ),
      h(
        "form",
        { class: "filters", onsubmit: (/** @type {SubmitEvent} */ event) => void this.drawSample(event) },
        fieldNode({ name: "seed", title: "Seed", hint: "The same seed and days draw the same rounds." }),
        fieldNode({ name: "size", title: "Rounds", type: "number", value: "25", min: 1 }, { max: 200 }),
        fieldNode({ name: "first", title: "First day", type: "date", value: today() }),
        fieldNode({ name: "last", title: "Last day", type: "date", value: today() }),
        h("button", { class: "button", disabled: this.busy }, "Draw a sample"),
      ),
      sample &&
        rowsTable({
          caption: `Sample “${sample.seed}”: ${countText(sample.rounds.length)} of ${countText(sample.population)} rounds`,
          columns: [
            {
              title: "Round",
              cell: (round) =>
                h(
                  "a",
                  { href: `/console/rounds/${round.table}/${round.round}` },
                  `${round.table}, ${countText(round.round)}`,
                ),
            },
            { title: "Ended", cell: (round) => timeText(round.at) },
            { title: "Outcome", cell: (round) => capital(plain(round.outcome)) },
          ],
          rows: sample.rounds,
          key: (round) => `${round.table} ${round.round}`,
          none: "No round was closed on these days.",
        }),
    );
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
          { name: "sought", title: "Table", type: "search", optional: true, value: this.tableSearch },
          {
            placeholder: "first letters of its name",
            oninput: (/** @type {any} */ event) => void this.attempt(() => this.findTables(event.target.value.trim())),
          },
        ),
      ),
      h(
        "ul",
        { class: "table-links" },
        this.tableNames.map((name) => h("li", { key: name }, h("a", { href: `/console/rounds/${name}` }, name))),
      ),
    );
  }
}

/** The first and last moment of days in the browser's zone. @param {string} first @param {string} last */
function period(first, last) {
  const end = new Date(`${last}T00:00`);
  end.setDate(end.getDate() + 1);
  return { since: String(Date.parse(`${first}T00:00`)), until: String(end.getTime() - 1) };
}

/** Today as a date field has it. */
function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** @param {string} stream */
function streamPath(stream) {
  const [kind, table] = stream.split("/");
  return kind === "table" ? `/api/tables/${table}/history` : `/api/streams/${stream}`;
}

customElements.define("cf-audit", Audit);
