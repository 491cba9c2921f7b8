// @ts-check
/** One table, looked after by the floor: the live felt, and what the floor may do now, as the table offers it. */

import { ask } from "../shared/api.js";
import "./floor_felt.js";
import { h } from "../shared/dom.js";
import { recordFacts, tableFacts } from "./table_status.js";
import { cites, rowsTable, StaffPage, wear } from "./staff_page.js";
import { capital, dollars, plain } from "../shared/format.js";

/** @typedef {import("../table/state.js").Option} Option */

/** What the floor does, by where it belongs. @type {[string, string[]][]} */
const GROUPS = [
  ["Table and tray", ["open_table", "record_fill", "record_credit", "close_table"]],
  ["Decks", ["prepare_deck", "remove_deck", "order_recut", "order_shuffle"]],
  ["Devices and methods", ["check_fittings", "mark_device", "change_method"]],
  ["Awards", ["validate_award", "complete_documents"]],
  ["A card that was named wrongly", ["correct_card"]],
];
/** @type {Record<string, string>} */
const LABELS = {
  open_table: "Open the table",
  close_table: "Close the table",
  record_fill: "Fill: chips to the tray",
  record_credit: "Credit: chips from the tray",
  check_fittings: "Check the fittings",
  prepare_deck: "Prepare",
  remove_deck: "Remove",
  order_recut: "Order a recut",
  order_shuffle: "Order a shuffle",
  mark_device: "Mark",
  change_method: "Change to",
  validate_award: "Validate the award",
  complete_documents: "Documents are complete",
  correct_card: "Put right (two people)",
};
const AMOUNTS = ["cents", "inventory_cents"];
const DOLLARS = /^\$?(\d{1,10})(?:\.(\d{2}))?$/;
const LOOK_EVERY = 4000;
const LOOK_AFTER = 300;

class FloorTable extends StaffPage {
  heading = "Table";
  /** @type {any} */
  about = null;
  now = 0;
  /** @type {any[]} */
  mishaps = [];
  /** The check of the fittings, and the life of the decks. @type {any} */
  records = null;
  /** @type {any} */
  felt = null;
  /** The irregularity that somebody is about to report, by its place in the list. */
  chosen = "";
  at = "";

  get id_() {
    return this.getAttribute("of") ?? "";
  }

  async open() {
    this.heading = `Table ${this.id_}`;
    document.title = `Crossfelt: ${this.heading}`;
    await wear("console/console.css");
    this.mishaps = await ask(`/tables/${this.id_}/irregularities`);
    await this.look();
    this.timer = setInterval(() => void this.look().then(() => this.show()), LOOK_EVERY);
  }

  close() {
    clearInterval(this.timer);
  }

  async look() {
    const [floor, mishaps, records] = await Promise.all([
      ask("/floor").catch(() => null),
      ask(`/tables/${this.id_}/irregularities`).catch(() => this.mishaps),
      ask(`/tables/${this.id_}/records`).catch(() => this.records),
    ]);
    [this.mishaps, this.records] = [mishaps, records];
    if (!floor) return;
    this.now = floor.now;
    this.about = floor.tables.find((/** @type {any} */ table) => table.id === this.id_) ?? null;
    if (!this.proposed) return;
    const waiting = await ask("/proposals").catch(() => [this.proposed]);
    if (!waiting.some((/** @type {any} */ one) => one.number === this.proposed.number)) this.proposed = null;
  }

  /** What may be done now. @returns {Option[]} */
  get allowed() {
    return this.felt?.state.allowed ?? [];
  }

  /** Asks the table for something, in the role of the floor. @param {Record<string, any>} command @param {string} done */
  async give(command, done) {
    await this.attempt(async () => {
      const answer = await this.felt.line.send({ type: "command", command, round: this.felt.state.view.round });
      if (answer.type === "refused") this.refused = answer.problem;
      await this.look();
    }, done);
    if (!this.refused) return;
    [this.problems, this.done, this.refused] = [[this.refused], "", null];
    this.show();
  }

  /** @type {any} */
  refused = null;

  /** Another card lies there than the dealer has named. @param {Option} option */
  async correct(option) {
    const { place } = option.fields ?? {};
    const { round, layout } = this.felt.state.view;
    const given = await this.ask({
      title: `Propose another card: ${plain(place)}?`,
      says: h(
        "p",
        null,
        `${layout[place]} was named there. What lies on the table counts: a second person must have seen it too, and agree. It can be put right until something is settled on it.`,
      ),
      label: "Propose",
      fields: [
        { name: "card", title: "The card that lies there", hint: "As Kd, Ts or Jk" },
        { name: "note", title: "Why" },
      ],
    });
    if (!given) return;
    await this.attempt(async () => {
      this.proposed = await ask("/proposals", "POST", {
        kind: "card_correction",
        subject: this.id_,
        details: { round, place, card: given.card.trim() },
        reason: given.note,
      });
    }, "Proposed. It waits for a second person.");
  }

  /** @param {Option} option */
  async act(option) {
    if (option.command === "correct_card") return this.correct(option);
    const amount = Object.keys(option.ranges ?? {}).find((name) => AMOUNTS.includes(name));
    const bounds = amount ? option.ranges?.[amount] : undefined;
    const label = labelOf(option);
    const given = await this.ask({
      title: `${label}?`,
      says: option.clauses?.length ? h("p", null, cites(option.clauses, this)) : undefined,
      label,
      fields: [
        ...(amount && bounds
          ? [{ name: amount, title: "Dollars", hint: `From ${dollars(bounds.min)} to ${dollars(bounds.max)}` }]
          : []),
        ...(option.texts ?? []).map((name) => ({ name, title: capital(plain(name)) })),
      ],
    });
    if (!given) return;
    /** @type {Record<string, any>} */
    const command = { command: option.command, ...(option.seat ? { seat: option.seat } : {}), ...option.fields };
    for (const [name, words] of Object.entries(option.choices ?? {})) command[name] ??= words[0];
    for (const name of option.texts ?? []) command[name] = given[name];
    if (amount) {
      const match = DOLLARS.exec(given[amount].replaceAll(",", ""));
      if (!match) {
        this.problems = [{ what: "not an amount: write dollars, as 500 or 17.50", value: given[amount] }];
        this.show();
        return;
      }
      command[amount] = Number(match[1]) * 100 + Number(match[2] ?? 0);
    }
    await this.give(command, `${label}: done.`);
  }

  /** @param {string} ruling */
  async rule(ruling) {
    const { waits, round } = { waits: this.about?.waits, round: this.felt.state.view.round };
    const isVoid = ruling === "void";
    const given = await this.ask({
      title: isVoid ? `Propose that round ${round} is void?` : `Rule: ${plain(ruling)}?`,
      says: [
        waits && h("p", null, `${waits.title}. `, cites(waits.clauses, this)),
        isVoid &&
          h(
            "p",
            null,
            "A void takes two people: a second one must agree. Every wager then goes back to its player, and the cards are shuffled again.",
          ),
      ],
      label: isVoid ? "Propose" : capital(plain(ruling)),
      danger: isVoid,
      fields: [{ name: "note", title: isVoid ? "Why" : "Note", optional: !isVoid }],
    });
    if (!given) return;
    if (!isVoid) {
      await this.give({ command: "decide_floor", ruling, note: given.note }, `Ruled: ${plain(ruling)}.`);
      return;
    }
    await this.propose({ round }, given.note);
  }

  /** That a round is void, or what was found in it. @param {Record<string, any>} details @param {string} reason */
  async propose(details, reason) {
    await this.attempt(async () => {
      this.proposed = await ask("/proposals", "POST", { kind: "void", subject: this.id_, details, reason });
    }, "Proposed. It waits for a second person.");
  }

  /** @type {any} */
  proposed = null;

  /** What follows is asked for anew: it depends on where the round is. @param {any} mishap @param {any} report */
  async report(mishap, report) {
    const known = await this.attempt(async () => {
      this.mishaps = await ask(`/tables/${this.id_}/irregularities`);
    });
    if (!known) return;
    mishap = this.mishaps.find(({ kind, case: which }) => kind === mishap.kind && which === mishap.case) ?? mishap;
    const { round } = this.felt.state.view;
    const two = mishap.two_people;
    const given = await this.ask({
      title: `${two ? "Propose" : "Report"}: ${mishap.title}?`,
      says: [
        h(
          "p",
          null,
          h("strong", null, "What follows: "),
          `${capital(mishap.follows)}. `,
          cites([...mishap.clauses, ...mishap.readings], this),
        ),
        mishap.house_rule && h("p", { class: "quiet" }, `House rule: ${mishap.house_rule}`),
        h("p", null, `Where: ${whereOf(report)}.`),
        two &&
          h(
            "p",
            null,
            "Nobody voids a round alone, or shows a card before its time: a second one must agree while the round is being played.",
          ),
      ],
      label: two ? "Propose" : "Report",
      danger: true,
      fields: [
        ...(mishap.counts ? [{ name: "count", title: "Cards counted", type: "number", min: 0, step: "1" }] : []),
        { name: "note", title: two ? "Why" : "Note", optional: !two },
      ],
    });
    if (!given) return;
    this.chosen = "";
    const counted = mishap.counts ? { count: Number(given.count) } : {};
    if (two) await this.propose({ round, ...report, ...counted }, given.note);
    else await this.give({ ...report, note: given.note }, `Reported: ${mishap.title}.`);
  }

  async retire() {
    const given = await this.ask({
      title: `Close ${this.id_} for good?`,
      says: h("p", null, "Its history stays. Players must have left it."),
      label: "Close for good",
      danger: true,
    });
    if (!given) return;
    const closed = await this.attempt(async () => {
      await ask(`/tables/${this.id_}`, "DELETE");
    });
    if (closed) (await import("../main.js")).go("/console");
  }

  body() {
    const role = ["floor", "dealer", "auditor"].find((one) => this.has(one)) ?? "spectator";
    const pending = this.allowed.find((option) => option.command === "decide_floor");
    return h(
      "div",
      { class: "floor-table" },
      h(
        "p",
        { class: "floor-links" },
        this.has("floor", "auditor", "owner") && [
          h("a", { href: `/console/submission/${this.id_}` }, "Rules Submission"),
          h("a", { href: `/console/figures?table=${this.id_}` }, "Figures"),
        ],
        this.has("auditor", "owner") && h("a", { href: `/console/rounds/${this.id_}` }, "Rounds"),
        h("a", { href: "/console" }, "All tables"),
      ),
      h("cf-floor-felt", {
        key: `felt ${this.id_}`,
        of: this.id_,
        as: role,
        ontold: (/** @type {any} */ event) => this.hear(event.currentTarget),
      }),
      h(
        "div",
        { class: "cards floor-acts" },
        this.waits(pending),
        this.about &&
          h("section", { key: "facts", class: "card" }, h("h2", null, "State"), tableFacts(this.about, this.now)),
        this.records &&
          h("section", { key: "records", class: "card records" }, h("h2", null, "Records"), recordFacts(this.records)),
        role === "floor" && GROUPS.map(([title, commands]) => this.group(title, commands)),
        this.irregularities(),
      ),
    );
  }

  /** @param {any} felt */
  hear(felt) {
    this.felt = felt;
    const told = JSON.stringify([felt.state.allowed, felt.state.view?.pending]);
    if (told === this.told) return;
    this.told = told;
    this.looking ??= setTimeout(() => {
      this.looking = undefined;
      void this.look().then(() => this.show());
    }, LOOK_AFTER);
    this.show();
  }

  /** A table that is quick tells much at once: the house is asked once for all of it. @type {number | undefined} */
  looking = undefined;

  told = "";

  /** @param {Option | undefined} option */
  waits(option) {
    const waits = this.about?.waits;
    if (!waits && !this.proposed) return null;
    return h(
      "section",
      { key: "waits", class: "card waits" },
      h("h2", null, waits ? "The floor decides" : "Proposed"),
      waits &&
        h(
          "p",
          null,
          h("strong", null, waits.title),
          waits.seat ? `, seat ${waits.seat}` : "",
          waits.place ? `, ${plain(waits.place)}` : "",
          `. ${capital(waits.follows)}. `,
          cites(waits.clauses, this),
        ),
      waits &&
        option &&
        h(
          "div",
          { class: "buttons" },
          (option.choices?.ruling ?? []).map((ruling) =>
            h(
              "button",
              {
                key: ruling,
                type: "button",
                class: `button ${ruling === "void" ? "danger" : "main"}`,
                disabled: this.busy,
                onclick: () => void this.rule(ruling),
              },
              ruling === "void" ? "Void (two people)" : capital(plain(ruling)),
            ),
          ),
        ),
      this.proposed &&
        h(
          "p",
          null,
          `Proposal ${this.proposed.number} waits for a second person. `,
          h("a", { href: "/console/proposals" }, "To the proposals"),
        ),
    );
  }

  /** @param {string} title @param {string[]} commands */
  group(title, commands) {
    const options = this.allowed.filter((option) => commands.includes(option.command));
    const first = title === GROUPS[0][0];
    if (!options.length && !first) return null;
    return h(
      "section",
      { key: title, class: "card" },
      h("h2", null, title),
      h(
        "div",
        { class: "buttons" },
        options.map((option) =>
          h(
            "button",
            {
              key: JSON.stringify([option.command, option.seat, option.fields, option.texts]),
              type: "button",
              class: "button small",
              disabled: this.busy,
              onclick: () => void this.act(option),
            },
            labelOf(option),
          ),
        ),
        first &&
          h(
            "button",
            { type: "button", class: "button small danger", disabled: this.busy, onclick: () => void this.retire() },
            "Close for good",
          ),
      ),
      first &&
        !options.some((option) => option.command === "close_table") &&
        this.about?.phase === "open" &&
        h("p", { class: "quiet" }, "A table is closed between rounds, when nobody sits at it."),
    );
  }

  /** A report names the round it is about: there is none to make before the felt has told. */
  irregularities() {
    if (!this.felt?.state.view) return null;
    const options = this.allowed.filter((option) => option.command === "report_irregularity");
    const proposes = this.has("floor", "owner");
    const all = this.mishaps.map((mishap) => ({
      ...mishap,
      at: mishap.two_people
        ? mishap.wheres.filter(() => proposes).map((/** @type {any} */ where) => where.command)
        : options
            .map(({ command, fields }) => /** @type {any} */ ({ command, ...fields }))
            .filter((report) => report.kind === mishap.kind && report.case === mishap.case),
    }));
    const [now, later] = [all.filter(({ at }) => at.length), all.filter(({ at }) => !at.length)];
    return h(
      "section",
      { key: "irregularities", class: "card irregularities" },
      h("h2", null, "Irregularities"),
      this.mishapRows("What can go wrong now, and what follows", now, "Nothing can go wrong at this point."),
      later.length > 0 &&
        h(
          "details",
          { class: "folded" },
          h("summary", null, `What cannot happen at this point (${later.length})`),
          this.mishapRows("What cannot happen at this point, and what would follow", later, ""),
        ),
    );
  }

  /** @param {string} caption @param {any[]} rows @param {string} none */
  mishapRows(caption, rows, none) {
    return rowsTable({
      caption,
      hidden: true,
      rows,
      none,
      key: (mishap) => `${mishap.kind} ${mishap.case}`,
      columns: [
        { title: "What", cell: (mishap) => h("strong", null, mishap.title) },
        {
          title: "What follows",
          cell: (mishap) => [`${capital(mishap.follows)}. `, cites([...mishap.clauses, ...mishap.readings], this)],
        },
        ...(rows[0]?.at.length
          ? [{ title: "Report", cell: (/** @type {any} */ mishap) => this.reporting(mishap) }]
          : []),
      ],
    });
  }

  /** @param {any} mishap */
  reporting(mishap) {
    const key = `${mishap.kind} ${mishap.case}`;
    const many = mishap.at.length > 1;
    const at = this.chosen === key ? Number(this.at || 0) : 0;
    return h(
      "div",
      { class: "reporting" },
      many &&
        h(
          "select",
          {
            "aria-label": `Where: ${mishap.title}`,
            "prop:value": String(at),
            onchange: (/** @type {any} */ event) => {
              [this.chosen, this.at] = [key, event.target.value];
              this.show();
            },
          },
          mishap.at.map((/** @type {any} */ report, /** @type {number} */ place) =>
            h("option", { key: place, value: place }, capital(whereOf(report))),
          ),
        ),
      h(
        "button",
        {
          type: "button",
          class: "button small",
          disabled: this.busy,
          "aria-label": `Report: ${mishap.title}`,
          onclick: () => void this.report(mishap, mishap.at[at] ?? mishap.at[0]),
        },
        "Report",
      ),
    );
  }
}

/** @param {Option} option */
function labelOf(option) {
  const said = Object.entries(option.fields ?? {}).flatMap(([name, value]) =>
    name === "cards" ? [] : [plain(String(value))],
  );
  const seat = option.seat ? `, seat ${option.seat}` : "";
  if (option.texts?.includes("variance")) said.push("one at another approved place");
  return `${LABELS[option.command] ?? capital(plain(option.command))}${said.length ? `: ${said.join(", ")}` : ""}${seat}`;
}

/** @param {{command: string, seat?: number, place?: string}} report */
function whereOf({ command, seat, place }) {
  if (command === "count_stub") return "the stub";
  return [seat && `seat ${seat}`, place && plain(place)].filter(Boolean).join(", ") || "the next card or the table";
}

customElements.define("cf-floor-table", FloorTable);
