// @ts-check
/**
 * The Rules Submission of a table: a form generated from its rulebook and checked while the user types, the return of
 * each wager before and after, and the proposal to a second person.
 */

import { request } from "../shared/api.js";
import { clauseButtons, problemLine } from "../shared/clauses.js";
import { announce, buttonNode, buttonRow, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, sentence, withStop } from "../shared/format.js";
import { returnsTable } from "./page_parts.js";
import { problemsOf, PROPOSED, StaffPage } from "./staff_page.js";
import { draftOf, fieldKeys, inputNode, inputText } from "./submission_fields.js";

await loadStylesheet("console/console.css");

const CHECK_DELAY_MS = 250;
const POLL_MS = 300;

class Submission extends StaffPage {
  heading = "Rules Submission";
  roles = ["floor", "auditor", "owner"];
  /** @type {any} */
  form = null;
  /** The typed values by path; an absent value is not stated. @type {Record<string, any>} */
  typed = {};
  /** @type {any} */
  checked = null;
  checking = false;
  /** @type {any} */
  study = null;
  /** The draft that the study is about. */
  studied = "";
  /** @type {any} */
  proposed = null;
  checkNumber = 0;
  /** The open sections. @type {Set<string>} */
  opened = new Set();

  async open() {
    await this.load();
  }

  async load() {
    this.form = await request(`/tables/${this.getAttribute("of")}/submission`);
    this.typed = Object.fromEntries(
      this.form.fields
        .filter((/** @type {any} */ field) => field.stated)
        .map((/** @type {any} */ field) => [field.path, inputText(field, field.value)]),
    );
    [this.study, this.studied, this.checked] = [null, "", null];
    for (const field of this.form.fields) if (field.path.startsWith("wagers.")) this.opened.add(field.section);
    this.heading = `Rules Submission: ${this.form.table}`;
    document.title = `Crossfelt: ${this.heading}`;
    if (this.mayWrite) await this.check();
  }

  close() {
    clearTimeout(this.waiting);
    clearTimeout(this.pollTimer);
  }

  get mayWrite() {
    return this.has("floor", "owner");
  }

  get draft() {
    return draftOf(this.form.fields, this.typed);
  }

  /** @param {string} path @param {any} value undefined when it is not stated */
  setField(path, value) {
    if (value === undefined) delete this.typed[path];
    else this.typed[path] = value;
    this.proposed = null;
    this.checking = true;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.check(), CHECK_DELAY_MS);
    this.show();
  }

  async check() {
    const checkNumber = (this.checkNumber += 1);
    try {
      const checked = await request(`/tables/${this.form.table}/submission/check`, "POST", { submission: this.draft });
      if (checkNumber !== this.checkNumber) return;
      const before = this.checked?.problems.length ?? 0;
      this.checked = checked;
      if (checked.problems.length !== before)
        announce(
          checked.problems.length
            ? `${violationText(checked.problems.length)} now.`
            : "The rulebook permits this submission.",
        );
    } catch (error) {
      this.problems = problemsOf(error);
    }
    this.checking = false;
    this.show();
  }

  // --- returns ------------------------------------------------------------------------------------------------

  async computeReturns() {
    const { draft } = this;
    await this.attempt(async () => {
      this.study = await request(`/tables/${this.form.table}/submission/figures`, "POST", { submission: draft });
      this.studied = JSON.stringify(draft);
    });
    this.pollReturns();
  }

  pollReturns() {
    const { study } = this;
    if (!study || study.finished || study.cancelled || !this.isConnected) return;
    this.pollTimer = setTimeout(async () => {
      try {
        this.study = await request(`/studies/${study.study}`);
      } catch (error) {
        [this.study, this.problems] = [null, problemsOf(error)];
      }
      if (this.study?.finished) announce("The returns are computed.");
      this.show();
      this.pollReturns();
    }, POLL_MS);
  }

  async cancel() {
    clearTimeout(this.pollTimer);
    await this.attempt(async () => {
      this.study = await request(`/studies/${this.study.study}`, "DELETE");
    }, "Stopped. No returns were saved.");
  }

  async propose() {
    const given = await this.openDialog({
      title: "Propose this submission?",
      says: [
        h("p", null, "A second person must approve. The submission takes effect after the current round."),
        this.changesNode(),
      ],
      label: "Propose",
      fields: [{ name: "reason", title: "Reason" }],
    });
    if (!given) return;
    await this.attempt(async () => {
      this.proposed = await request("/proposals", "POST", {
        kind: "submission",
        subject: this.form.table,
        details: { submission: JSON.stringify(this.draft) },
        reason: given.reason,
      });
    }, PROPOSED);
  }

  // --- content --------------------------------------------------------------------------------------------------

  body() {
    if (!this.form) return null;
    /** @type {Map<string, any[]>} */
    const sections = new Map();
    for (const field of this.form.fields) sections.set(field.section, [...(sections.get(field.section) ?? []), field]);
    const problems = this.checked?.problems ?? [];
    return h(
      "div",
      { class: "submission" },
      h(
        "p",
        { class: "submission-title" },
        `${this.form.title}, rulebook ${this.form.rulebook} ${this.form.version}. `,
        h("a", { href: `/rules/${this.form.rulebook}` }, "Open the rulebook"),
      ),
      this.form.coming &&
        h(
          "p",
          { class: "done" },
          `${capital(this.form.coming)} approved a new submission. This table closes after the round, and a new table opens with it.`,
        ),
      h(
        "div",
        { class: "submission-fields" },
        [...sections].map(([title, fields]) => this.section(title, fields, problems)),
        this.mayWrite &&
          h(
            "p",
            { class: "verdict-bar" },
            buttonNode(
              problems.length
                ? violationText(problems.length)
                : this.checked?.changes.length
                  ? "Permitted. Compute returns and propose"
                  : "No changes yet",
              () => this.querySelector(".submission-check")?.scrollIntoView(),
              { class: "link" },
            ),
          ),
      ),
      h(
        "aside",
        { class: "card submission-check", "aria-label": "Check and returns" },
        this.mayWrite
          ? [this.checkSection(problems), this.changesNode(), this.actionButtons(), this.returns()]
          : quietText("You can read this submission. Only the floor and the owner can change it."),
      ),
    );
  }

  /** @param {string} title @param {any[]} fields @param {[string, any][]} problems */
  section(title, fields, problems) {
    const wrong = problems.filter(([path]) => fields.some((field) => field.path === path)).length;
    const changed = fields.some((field) => this.changed(field));
    if (wrong || changed) this.opened.add(title);
    return h(
      "details",
      { key: title, class: "card section", open: this.opened.has(title) },
      h(
        "summary",
        null,
        h("h2", null, title),
        wrong > 0 && h("span", { class: "tag bad" }, violationText(wrong)),
        changed && h("span", { class: "tag" }, "changed"),
      ),
      h(
        "div",
        { class: "section-fields" },
        fields.map((field) => this.field(field, problems)),
      ),
    );
  }

  /** @param {any} field */
  changed(field) {
    const now = this.typed[field.path];
    return now !== undefined ? String(now) !== String(inputText(field, field.value)) : field.stated;
  }

  /** @param {any} field @param {[string, any][]} problems */
  field(field, problems) {
    const { id, hint } = fieldKeys(field);
    const wrong = problems.filter(([path]) => path === field.path).map(([, problem]) => problem);
    const warned = (this.checked?.warnings ?? []).filter((/** @type {[string, any]} */ [path]) => path === field.path);
    const changed = this.changed(field);
    return h(
      "div",
      { key: field.path, class: `field ${changed ? "is-changed" : ""}`, "data-path": field.path },
      inputNode(field, this.typed[field.path], {
        wrong: wrong.length > 0,
        disabled: !this.mayWrite,
        type: (value) => this.setField(field.path, value),
      }),
      h(
        "div",
        { id: hint, class: "hint" },
        quietText(
          `${sentence(field.allowed)} In force: ${withStop(field.words)}`,
          field.must_state && " Required.",
          warned.length > 0 &&
            h("span", { class: "tag" }, warned[0][1].code === "requirement" ? "not approved yet" : "illustrative"),
          " ",
          clauseButtons([...field.clauses, ...field.readings]),
          field.house_rule && h("small", null, ` House rule: ${withStop(field.house_rule)}`),
        ),
        field.notes.length > 0 && quietText(field.notes.map((/** @type {string} */ note) => `${sentence(note)} `)),
        wrong.map((problem, at) => h("p", { key: at, class: "wrong" }, problemLine(problem))),
      ),
      changed &&
        this.mayWrite &&
        buttonNode(
          "Restore the value in force",
          () => this.setField(field.path, field.stated ? inputText(field, field.value) : undefined),
          { class: "link", "aria-label": `Restore the value in force: ${field.title}` },
        ),
      h("span", { class: "sr", id: `${id}-path` }, field.path),
    );
  }

  /** @param {[string, any][]} problems */
  checkSection(problems) {
    if (!this.checked) return quietText("Checking…");
    const known = new Set(this.form.fields.map((/** @type {any} */ field) => field.path));
    const elsewhere = problems.filter(([path]) => !known.has(path));
    return h(
      "section",
      { class: "permitted", "aria-busy": String(this.checking) },
      h("h2", null, "Check"),
      problems.length
        ? [
            h(
              "p",
              { class: "notice" },
              `${violationText(problems.length)}. Correct each one before you propose the submission.`,
            ),
            h(
              "ul",
              { class: "jumps" },
              problems
                .filter(([path]) => known.has(path))
                .map(([path, problem]) => {
                  const field = this.form.fields.find((/** @type {any} */ one) => one.path === path);
                  return h(
                    "li",
                    { key: `${path} ${problem.what}` },
                    buttonNode(`${field.section}: ${field.title}`, () => this.goTo(path), { class: "link" }),
                    h("span", { class: "quiet" }, ` ${problem.what} `),
                    clauseButtons([...(problem.clauses ?? []), ...(problem.readings ?? [])]),
                  );
                }),
              elsewhere.map(([path, problem]) => h("li", { key: path }, `${path}: `, problemLine(problem))),
            ),
          ]
        : h("p", { class: "done" }, "The rulebook permits this submission."),
    );
  }

  /** @param {string} path */
  goTo(path) {
    const place = this.querySelector(`[data-path="${path}"]`);
    const section = /** @type {HTMLDetailsElement | null} */ (place?.closest("details"));
    if (section) section.open = true;
    const input = /** @type {HTMLElement | null | undefined} */ (place?.querySelector("input, select, textarea"));
    input?.focus();
    place?.scrollIntoView({ block: "center" });
  }

  changesNode() {
    const changes = this.checked?.changes ?? [];
    return h(
      "section",
      { class: "changes" },
      h("h3", null, "Changes"),
      changes.length
        ? h(
            "ul",
            null,
            changes.map((/** @type {any} */ change) =>
              h(
                "li",
                { key: change.path },
                h("span", null, change.title),
                h("span", { class: "from-to" }, h("s", null, change.before), " ", h("strong", null, change.after)),
              ),
            ),
          )
        : quietText("No changes yet."),
    );
  }

  returns() {
    const { study } = this;
    if (!study) return null;
    const running = !study.finished && !study.cancelled;
    const next = study.steps[study.done];
    return h(
      "section",
      { class: "returns" },
      h("h3", null, "Return of each wager"),
      running &&
        h(
          "div",
          { class: "working" },
          h("progress", { max: study.steps.length, value: study.done, "aria-label": "Parts computed" }),
          quietText(`${study.done} of ${study.steps.length} parts${next ? `: ${next}` : ""}…`),
          buttonNode("Stop", () => void this.cancel(), { class: "button small" }),
        ),
      study.problems.map((/** @type {any} */ problem, /** @type {number} */ at) =>
        h("p", { key: at, class: "wrong" }, problemLine(problem)),
      ),
      study.cancelled && quietText("Stopped."),
      study.finished && returnsTable(study.wagers),
      study.finished &&
        this.studied !== JSON.stringify(this.draft) &&
        h("p", { class: "notice" }, "The draft has changed. Compute the returns again."),
    );
  }

  actionButtons() {
    const ok = this.checked?.ok && !this.checking;
    const changed = (this.checked?.changes ?? []).length > 0;
    const known = this.study?.finished && !this.study.problems.length && this.studied === JSON.stringify(this.draft);
    const running = this.study && !this.study.finished && !this.study.cancelled;
    return [
      buttonRow(
        buttonNode("Compute returns", () => void this.computeReturns(), {
          class: `button ${known ? "" : "main"}`,
          disabled: !ok || !changed || running || this.busy,
        }),
        buttonNode("Propose", () => void this.propose(), {
          class: `button ${known ? "main" : ""}`,
          disabled: !ok || !known || this.busy || Boolean(this.proposed),
        }),
        buttonNode("Discard changes", () => void this.attempt(() => this.load()), {
          class: "button quiet",
          disabled: this.busy || !this.form.fields.some((/** @type {any} */ field) => this.changed(field)),
        }),
      ),
      this.proposed &&
        h(
          "p",
          { class: "done" },
          `Proposal ${this.proposed.number}. `,
          h("a", { href: "/console/proposals" }, "Open proposals"),
        ),
      !known && quietText("You can propose a submission when the rulebook permits it and its returns are computed."),
    ];
  }
}

/** @param {number} number */
const violationText = (number) => (number === 1 ? "1 violation" : `${number} violations`);

customElements.define("cf-submission", Submission);
