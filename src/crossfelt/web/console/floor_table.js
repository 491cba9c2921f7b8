// @ts-check
/** One table on the floor: the live felt, and the actions that the table offers to the floor. */

import { request } from "../shared/api.js";
import { clauseButtons } from "../shared/clauses.js";
import { buttonNode, buttonRow, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, dollars, plain, sentence, withStop } from "../shared/format.js";
import "./floor_felt.js";
import { decisionsTable, rowsTable } from "./page_parts.js";
import { PROPOSED, StaffPage } from "./staff_page.js";
import { recordFacts, tableFacts } from "./table_status.js";

await loadStylesheet("console/console.css");

/** @typedef {import("../table/state.js").Option} Option */

/** The floor's commands by subject. @type {[string, string[]][]} */
const GROUPS = [
  ["Table and tray", ["open_table", "record_fill", "record_credit", "close_table"]],
  ["Decks", ["prepare_deck", "remove_deck", "order_recut", "order_shuffle"]],
  ["Devices and methods", ["check_fittings", "mark_device", "change_method"]],
  ["Awards", ["validate_award", "complete_documents"]],
  ["Misnamed card", ["correct_card"]],
];
/** @type {Record<string, string>} */
const LABELS = {
  open_table: "Open the table",
  close_table: "Close the table",
  record_fill: "Record a fill (chips to the tray)",
  record_credit: "Record a credit (chips from the tray)",
  check_fittings: "Check the fittings",
  prepare_deck: "Prepare deck",
  remove_deck: "Remove deck",
  order_recut: "Order a recut",
  order_shuffle: "Order a shuffle",
  mark_device: "Mark device",
  change_method: "Change to",
  validate_award: "Validate the award",
  complete_documents: "Complete the documents",
  correct_card: "Correct card (two people)",
};
const AMOUNTS = ["cents", "inventory_cents"];
const REFRESH_MS = 4000;
const UPDATE_DELAY_MS = 300;

class FloorTable extends StaffPage {
  heading = "Table";
  /** @type {any} */
  about = null;
  now = 0;
  /** @type {any[]} */
  irregularities = [];
  /** The check of the fittings, and the life of the decks. @type {any} */
  records = null;
  /** @type {any} */
  felt = null;
  /** The irregularity with a chosen place, by kind and case. */
  chosen = "";
  chosenPlace = "";

  get id_() {
    return this.getAttribute("of") ?? "";
  }

  async open() {
    this.heading = `Table ${this.id_}`;
    document.title = `Crossfelt: ${this.heading}`;
    this.irregularities = await request(`/tables/${this.id_}/irregularities`);
    await this.refresh();
    this.timer = setInterval(() => void this.refresh().then(() => this.show()), REFRESH_MS);
  }

  close() {
    clearInterval(this.timer);
  }

  async refresh() {
    const gone = this.felt?.state.connection === "gone";
    const [floor, decided, irregularities, records] = await Promise.all([
      request("/floor").catch(() => null),
      request(`/proposals/decided?subject=${this.id_}`).catch(() => this.decided),
      // A closed table has no irregularities to report.
      gone ? [] : request(`/tables/${this.id_}/irregularities`).catch(() => this.irregularities),
      gone ? this.records : request(`/tables/${this.id_}/records`).catch(() => this.records),
    ]);
    [this.decided, this.irregularities, this.records] = [decided, irregularities, records];
    if (!floor) return;
    this.now = floor.now;
    this.about = floor.tables.find((/** @type {any} */ table) => table.id === this.id_) ?? null;
    if (!this.proposed) return;
    const waiting = await request("/proposals").catch(() => [this.proposed]);
    if (!waiting.some((/** @type {any} */ one) => one.number === this.proposed.number)) this.proposed = null;
  }

  /** The options of the floor. @returns {Option[]} */
  get allowed() {
    return this.felt?.state.allowed ?? [];
  }

  /** Sends a command as the floor. @param {Record<string, any>} command @param {string} done */
  async sendCommand(command, done) {
    await this.attempt(async () => {
      const answer = await this.felt.connection.send({ type: "command", command, round: this.felt.state.view.round });
      if (answer.type === "refused") this.refusal = answer.problem;
      await this.refresh();
    }, done);
    if (!this.refusal) return;
    if (this.refusal.code === "floor.two_people" && command.command === "record_fill")
      return void (await this.fill(command));
    [this.problems, this.done, this.refusal] = [[this.refusal], "", null];
    this.show();
  }

  /** @type {any} */
  refusal = null;

  /** Proposes a fill that one person may not record. @param {Record<string, any>} command */
  async fill(command) {
    const what = this.refusal.what;
    [this.done, this.refusal] = ["", null];
    const given = await this.openDialog({
      title: "This fill needs a second person",
      says: h("p", null, sentence(what)),
      label: "Propose",
      fields: [{ name: "reason", title: "Reason" }],
    });
    if (!given) return;
    const details = { command: JSON.stringify(command) };
    const asked = { kind: "fill", subject: this.id_, details, reason: given.reason };
    await this.attempt(async () => void (await request("/proposals", "POST", asked)), PROPOSED);
  }

  /** Proposes the correction of a card that the dealer misnamed. @param {Option} option */
  async correct(option) {
    const { place } = option.fields ?? {};
    const { round, layout } = this.felt.state.view;
    const given = await this.openDialog({
      title: `Correct the card at ${plain(place)}?`,
      says: h(
        "p",
        null,
        `The dealer named ${layout[place]}. The card on the table counts. A second person must have seen it and approve. The card can be corrected until a wager is settled on it.`,
      ),
      label: "Propose",
      fields: [
        { name: "card", title: "Card on the table", hint: "For example Kd, Ts or Jk" },
        { name: "note", title: "Reason" },
      ],
    });
    if (!given) return;
    await this.attempt(async () => {
      this.proposed = await request("/proposals", "POST", {
        kind: "card_correction",
        subject: this.id_,
        details: { round, place, card: given.card.trim() },
        reason: given.note,
      });
    }, PROPOSED);
  }

  /** @param {Option} option */
  async act(option) {
    if (option.command === "correct_card") return this.correct(option);
    const amount = Object.keys(option.ranges ?? {}).find((name) => AMOUNTS.includes(name));
    const bounds = amount ? option.ranges?.[amount] : undefined;
    const label = labelOf(option);
    const given = await this.openDialog({
      title: `${label}?`,
      says: option.clauses?.length ? h("p", null, clauseButtons(option.clauses)) : undefined,
      label,
      fields: [
        ...(amount && bounds
          ? [
              {
                name: amount,
                title: "Amount in dollars",
                hint: `From ${dollars(bounds.min)} to ${dollars(bounds.max)}`,
              },
            ]
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
      const cents = this.dollarsFrom(given[amount]);
      if (cents === null) return;
      command[amount] = cents;
    }
    await this.sendCommand(command, `${label}: done.`);
  }

  /** @param {string} ruling */
  async rule(ruling) {
    const { waits: pending, round } = { waits: this.about?.waits, round: this.felt.state.view.round };
    const isVoid = ruling === "void";
    const given = await this.openDialog({
      title: isVoid ? `Propose to void round ${round}?` : `Rule “${plain(ruling)}”?`,
      says: [
        pending && h("p", null, `${sentence(pending.title)} `, clauseButtons(pending.clauses)),
        isVoid && h("p", null, `A second person must approve. ${sentence(pending?.void ?? "")}`),
      ],
      label: isVoid ? "Propose" : capital(plain(ruling)),
      danger: isVoid,
      fields: [{ name: "note", title: isVoid ? "Reason" : "Note", optional: !isVoid }],
    });
    if (!given) return;
    if (!isVoid) {
      await this.sendCommand({ command: "decide_floor", ruling, note: given.note }, `Ruled: ${plain(ruling)}.`);
      return;
    }
    await this.propose({ round }, given.note);
  }

  /** Proposes a void, or a report that needs two people. @param {Record<string, any>} details @param {string} reason */
  async propose(details, reason) {
    await this.attempt(async () => {
      this.proposed = await request("/proposals", "POST", { kind: "void", subject: this.id_, details, reason });
    }, PROPOSED);
  }

  /** @type {any} */
  proposed = null;

  /** Reports an irregularity. The consequence depends on the step, so it is loaded again. @param {any} irregularity @param {any} report */
  async report(irregularity, report) {
    const known = await this.attempt(async () => {
      this.irregularities = await request(`/tables/${this.id_}/irregularities`);
    });
    if (!known) return;
    irregularity =
      this.irregularities.find(({ kind, case: which }) => kind === irregularity.kind && which === irregularity.case) ??
      irregularity;
    const { round } = this.felt.state.view;
    const two = irregularity.two_people;
    const given = await this.openDialog({
      title: `${two ? "Propose" : "Report"}: ${irregularity.title}?`,
      says: [
        h(
          "p",
          null,
          h("strong", null, "Consequence: "),
          `${sentence(irregularity.follows)} `,
          clauseButtons([...irregularity.clauses, ...irregularity.readings]),
        ),
        irregularity.house_rule && quietText(`House rule: ${withStop(irregularity.house_rule)}`),
        h("p", null, `Place: ${whereOf(report)}.`),
        two &&
          h(
            "p",
            null,
            "A void round or an early exposed card needs two people. The table stops until a second person decides.",
          ),
      ],
      label: two ? "Propose" : "Report",
      danger: true,
      fields: [
        ...(irregularity.counts ? [{ name: "count", title: "Cards counted", type: "number", min: 0, step: "1" }] : []),
        { name: "note", title: two ? "Reason" : "Note", optional: !two },
      ],
    });
    if (!given) return;
    this.chosen = "";
    const counted = irregularity.counts ? { count: Number(given.count) } : {};
    if (two) await this.propose({ round, ...report, ...counted }, given.note);
    else await this.sendCommand({ ...report, note: given.note }, `Reported: ${irregularity.title}.`);
  }

  async closeForGood() {
    const given = await this.openDialog({
      title: `Close ${this.id_} permanently?`,
      says: h(
        "p",
        null,
        this.about?.people.length
          ? "The round is played to its end. Then the players get their chips back, and the table closes. Its history is kept."
          : "The table closes. Its history is kept.",
      ),
      label: "Close permanently",
      danger: true,
    });
    if (!given) return;
    const closed = await this.attempt(async () => {
      await request(`/tables/${this.id_}`, "DELETE");
    });
    if (closed) (await import("../main.js")).go("/console");
  }

  /** Removes a player after the round. @param {number} seat @param {string} player */
  async removePlayer(seat, player) {
    const given = await this.openDialog({
      title: `Remove ${player} from seat ${seat}?`,
      says: h("p", null, "The player finishes the round, gets the chips back and cannot sit down at this table again."),
      label: "Remove",
      danger: true,
      fields: [{ name: "reason", title: "Reason" }],
    });
    if (!given) return;
    await this.attempt(async () => {
      await request(`/tables/${this.id_}/seats/${seat}/removal`, "POST", given);
      await this.refresh();
    }, `${player} leaves after this round.`);
  }

  /** The players of a table that the server or a dealer of virtual cards deals. */
  playersCard() {
    const people = this.about?.people ?? [];
    const seats = (this.felt?.state.view?.seats ?? []).filter((/** @type {any} */ seat) =>
      people.includes(seat.player),
    );
    return (
      seats.length > 0 &&
      this.about.dealt_by !== "physical" &&
      h(
        "section",
        { key: "players", class: "card" },
        h("h2", null, "Players"),
        h(
          "ul",
          { class: "needs" },
          seats.map((/** @type {any} */ { number, player }) =>
            h(
              "li",
              { key: number },
              h("span", null, `Seat ${number}: ${player}`),
              buttonNode("Remove", () => void this.removePlayer(number, player), {
                class: "button small",
                "aria-label": `Remove ${player}`,
              }),
            ),
          ),
        ),
      )
    );
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
          h("a", { href: `/console/figures?table=${this.id_}` }, "Revenue"),
          h("a", { href: `/console/rounds/${this.id_}` }, "Last rounds"),
        ],
        h("a", { href: "/console" }, "All tables"),
      ),
      h("cf-floor-felt", {
        key: `felt ${this.id_}`,
        of: this.id_,
        as: role,
        onupdate: (/** @type {any} */ event) => this.onFeltUpdate(event.currentTarget),
      }),
      h(
        "div",
        { class: "cards floor-acts" },
        this.pendingCard(pending),
        this.about &&
          h("section", { key: "facts", class: "card" }, h("h2", null, "State"), tableFacts(this.about, this.now)),
        this.records &&
          h("section", { key: "records", class: "card records" }, h("h2", null, "Records"), recordFacts(this.records)),
        this.has("floor", "owner") && this.playersCard(),
        role === "floor" && GROUPS.map(([title, commands]) => this.group(title, commands)),
        this.irregularitiesCard(),
        h(
          "section",
          { key: "decisions", class: "card" },
          decisionsTable(this.decided),
          this.has("floor", "owner") &&
            buttonRow(
              buttonNode("Propose to reverse a round", () => void this.reverse(), {
                class: "button small",
                disabled: this.busy,
              }),
            ),
        ),
      ),
    );
  }

  /** Proposes the reversal of a round that was paid. */
  async reverse() {
    const given = await this.openDialog({
      title: "Reverse a round",
      says: h(
        "p",
        null,
        "Each result of the round goes back: at the seat, or through the account of a player who has left. A second person must approve. An award from a meter goes to the tray; correct the meter too.",
      ),
      label: "Propose",
      danger: true,
      fields: [
        { name: "round", title: "Round" },
        { name: "seat", title: "Seat", optional: true, hint: "Empty for every seat." },
        { name: "reason", title: "Reason" },
      ],
    });
    if (!given) return;
    const details = { round: Number(given.round), ...(given.seat && { seat: Number(given.seat) }) };
    const asked = { kind: "reversal", subject: this.id_, details, reason: given.reason };
    await this.attempt(async () => void (await request("/proposals", "POST", asked)), PROPOSED);
  }

  /** The decisions of two people about this table. @type {any[]} */
  decided = [];

  /** @param {any} felt */
  onFeltUpdate(felt) {
    this.felt = felt;
    const offered = JSON.stringify([felt.state.allowed, felt.state.view?.pending]);
    if (offered === this.lastOffered) return;
    this.lastOffered = offered;
    this.refreshTimer ??= setTimeout(() => {
      this.refreshTimer = undefined;
      void this.refresh().then(() => this.show());
    }, UPDATE_DELAY_MS);
    this.show();
  }

  /** Collects the updates of a fast table into one request. @type {number | undefined} */
  refreshTimer = undefined;

  lastOffered = "";

  /** @param {Option | undefined} option */
  pendingCard(option) {
    const pending = this.about?.waits;
    if (!pending && !this.proposed) return null;
    return h(
      "section",
      { key: "waits", class: "card waits" },
      h("h2", null, pending ? "Decision needed" : "Proposed"),
      pending &&
        h(
          "p",
          null,
          h("strong", null, pending.title),
          pending.seat ? `, seat ${pending.seat}` : "",
          pending.place ? `, ${plain(pending.place)}` : "",
          `. ${sentence(pending.follows)} `,
          clauseButtons(pending.clauses),
        ),
      pending &&
        option &&
        buttonRow(
          (option.choices?.ruling ?? []).map((ruling) =>
            buttonNode(ruling === "void" ? "Void (two people)" : capital(plain(ruling)), () => void this.rule(ruling), {
              key: ruling,
              class: `button ${ruling === "void" ? "danger" : "main"}`,
              disabled: this.busy,
            }),
          ),
        ),
      this.proposed &&
        h(
          "p",
          null,
          `Proposal ${this.proposed.number} waits for a second person. `,
          h("a", { href: "/console/proposals" }, "Open proposals"),
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
      buttonRow(
        options.map((option) =>
          buttonNode(labelOf(option), () => void this.act(option), {
            key: JSON.stringify([option.command, option.seat, option.fields, option.texts]),
            class: "button small",
            disabled: this.busy,
          }),
        ),
        first &&
          buttonNode("Close permanently", () => void this.closeForGood(), {
            class: "button small danger",
            disabled: this.busy,
          }),
      ),
      first &&
        !options.some((option) => option.command === "close_table") &&
        this.about?.phase === "open" &&
        quietText("A table can be closed between rounds, when all seats are empty."),
    );
  }

  /** A report names its round, so reports are possible only after the felt has loaded. */
  irregularitiesCard() {
    if (!this.felt?.state.view) return null;
    const options = this.allowed.filter((option) => option.command === "report_irregularity");
    const proposes = this.has("floor", "owner");
    const all = this.irregularities.map((irregularity) => ({
      ...irregularity,
      at: irregularity.two_people
        ? irregularity.wheres.filter(() => proposes).map((/** @type {any} */ where) => where.command)
        : options
            .map(({ command, fields }) => /** @type {any} */ ({ command, ...fields }))
            .filter((report) => report.kind === irregularity.kind && report.case === irregularity.case),
    }));
    const [now, later] = [all.filter(({ at }) => at.length), all.filter(({ at }) => !at.length)];
    return h(
      "section",
      { key: "irregularities", class: "card irregularities" },
      h("h2", null, "Irregularities"),
      this.irregularityRows(
        "Irregularities that can be reported now",
        now,
        "No irregularity can be reported at this step.",
      ),
      later.length > 0 &&
        h(
          "details",
          { class: "folded" },
          h("summary", null, `Not possible at this step (${later.length})`),
          this.irregularityRows("Irregularities that are not possible at this step", later, ""),
        ),
    );
  }

  /** @param {string} caption @param {any[]} rows @param {string} none */
  irregularityRows(caption, rows, none) {
    return rowsTable({
      caption,
      hidden: true,
      rows,
      none,
      key: (irregularity) => `${irregularity.kind} ${irregularity.case}`,
      columns: [
        { title: "Irregularity", cell: (irregularity) => h("strong", null, irregularity.title) },
        {
          title: "Consequence",
          cell: (irregularity) => [
            `${sentence(irregularity.follows)} `,
            clauseButtons([...irregularity.clauses, ...irregularity.readings]),
          ],
        },
        ...(rows[0]?.at.length
          ? [{ title: "Report", cell: (/** @type {any} */ irregularity) => this.reportControls(irregularity) }]
          : []),
      ],
    });
  }

  /** @param {any} irregularity */
  reportControls(irregularity) {
    const key = `${irregularity.kind} ${irregularity.case}`;
    const many = irregularity.at.length > 1;
    const place = this.chosen === key ? Number(this.chosenPlace || 0) : 0;
    return h(
      "div",
      { class: "reporting" },
      many &&
        h(
          "select",
          {
            "aria-label": `Place: ${irregularity.title}`,
            "prop:value": String(place),
            onchange: (/** @type {any} */ event) => {
              [this.chosen, this.chosenPlace] = [key, event.target.value];
              this.show();
            },
          },
          irregularity.at.map((/** @type {any} */ report, /** @type {number} */ number) =>
            h("option", { key: number, value: number }, capital(whereOf(report))),
          ),
        ),
      buttonNode("Report", () => void this.report(irregularity, irregularity.at[place] ?? irregularity.at[0]), {
        class: "button small",
        disabled: this.busy,
        "aria-label": `Report: ${irregularity.title}`,
      }),
    );
  }
}

/** @param {Option} option */
function labelOf(option) {
  const parts = Object.entries(option.fields ?? {}).flatMap(([name, value]) =>
    name === "cards" ? [] : [plain(String(value))],
  );
  const seat = option.seat ? `, seat ${option.seat}` : "";
  if (option.texts?.includes("variance")) parts.push("one at another approved place");
  return `${LABELS[option.command] ?? capital(plain(option.command))}${parts.length ? `: ${parts.join(", ")}` : ""}${seat}`;
}

/** @param {{command: string, seat?: number, place?: string}} report */
function whereOf({ command, seat, place }) {
  if (command === "count_stub") return "the stub";
  return [seat && `seat ${seat}`, place && plain(place)].filter(Boolean).join(", ") || "the next card or the table";
}

customElements.define("cf-floor-table", FloorTable);
