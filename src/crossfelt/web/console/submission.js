// @ts-check
/**
 * The Rules Submission of a table: a form made from its rulebook, checked by the house while somebody types; what every
 * wager would return beside what it returns now; then proposed to a second person.
 */

import { ask } from "../shared/api.js";
import { h, say } from "../shared/dom.js";
import { draftOf, fieldKeys, inputNode, shownValue } from "./submission_fields.js";
import { returnsTable } from "./returns.js";
import { cites, problemLine, problemsOf, StaffPage, wear } from "./staff_page.js";
import { capital } from "../shared/format.js";

const CHECK_AFTER = 250;
const LOOK_EVERY = 300;

class Submission extends StaffPage {
  heading = "Rules Submission";
  roles = ["floor", "auditor", "owner"];
  /** @type {any} */
  form = null;
  /** What is typed, by path; what is not there is not stated. @type {Record<string, any>} */
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
  asked = 0;
  /** Sections that were opened stay open. @type {Set<string>} */
  opened = new Set();

  async open() {
    await wear("console/console.css");
    await this.load();
  }

  async load() {
    this.form = await ask(`/tables/${this.getAttribute("of")}/submission`);
    this.typed = Object.fromEntries(
      this.form.fields
        .filter((/** @type {any} */ field) => field.stated)
        .map((/** @type {any} */ field) => [field.path, shownValue(field, field.value)]),
    );
    [this.study, this.studied, this.checked] = [null, "", null];
    for (const field of this.form.fields) if (field.path.startsWith("wagers.")) this.opened.add(field.section);
    this.heading = `Rules Submission: ${this.form.table}`;
    document.title = `Crossfelt: ${this.heading}`;
    if (this.mayWrite) await this.check();
  }

  close() {
    clearTimeout(this.waiting);
    clearTimeout(this.looking);
  }

  get mayWrite() {
    return this.has("floor", "owner");
  }

  get draft() {
    return draftOf(this.form.fields, this.typed);
  }

  /** @param {string} path @param {any} value undefined where nothing is stated */
  type(path, value) {
    if (value === undefined) delete this.typed[path];
    else this.typed[path] = value;
    this.proposed = null;
    this.checking = true;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.check(), CHECK_AFTER);
    this.show();
  }

  async check() {
    const asked = (this.asked += 1);
    try {
      const checked = await ask(`/tables/${this.form.table}/submission/check`, "POST", { submission: this.draft });
      if (asked !== this.asked) return;
      const before = this.checked?.problems.length ?? 0;
      this.checked = checked;
      if (checked.problems.length !== before)
        say(checked.problems.length ? `${counted(checked.problems.length)} now.` : "The rulebook permits this.");
    } catch (error) {
      this.problems = problemsOf(error);
    }
    this.checking = false;
    this.show();
  }

  // --- what it returns ------------------------------------------------------------------------------------------------

  async compare() {
    const { draft } = this;
    await this.attempt(async () => {
      this.study = await ask(`/tables/${this.form.table}/submission/figures`, "POST", { submission: draft });
      this.studied = JSON.stringify(draft);
    });
    this.look();
  }

  look() {
    const { study } = this;
    if (!study || study.finished || study.cancelled || !this.isConnected) return;
    this.looking = setTimeout(async () => {
      try {
        this.study = await ask(`/studies/${study.study}`);
      } catch (error) {
        [this.study, this.problems] = [null, problemsOf(error)];
      }
      if (this.study?.finished) say("Every wager is worked out.");
      this.show();
      this.look();
    }, LOOK_EVERY);
  }

  async cancel() {
    clearTimeout(this.looking);
    await this.attempt(async () => {
      this.study = await ask(`/studies/${this.study.study}`, "DELETE");
    }, "Stopped. Nothing was saved.");
  }

  async propose() {
    const given = await this.ask({
      title: "Propose this submission?",
      says: [
        h(
          "p",
          null,
          "A second person must agree. It is then in force from the next round, and never in the middle of one.",
        ),
        this.changesNode(),
      ],
      label: "Propose",
      fields: [{ name: "reason", title: "Why" }],
    });
    if (!given) return;
    await this.attempt(async () => {
      this.proposed = await ask("/proposals", "POST", {
        kind: "submission",
        subject: this.form.table,
        details: { submission: JSON.stringify(this.draft) },
        reason: given.reason,
      });
    }, "Proposed. It waits for a second person.");
  }

  // --- what is shown --------------------------------------------------------------------------------------------------

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
        { class: "submission-of" },
        `${this.form.title}, rulebook ${this.form.rulebook} ${this.form.version}. `,
        h("a", { href: `/rules/${this.form.rulebook}` }, "The rulebook"),
      ),
      this.form.coming &&
        h(
          "p",
          { class: "done" },
          `${capital(this.form.coming)} agreed to another submission: this table closes after the round, and a new table opens with it.`,
        ),
      h(
        "div",
        { class: "submission-fields" },
        [...sections].map(([title, fields]) => this.section(title, fields, problems)),
        this.mayWrite &&
          h(
            "p",
            { class: "verdict-bar" },
            h(
              "button",
              { type: "button", class: "link", onclick: () => this.querySelector(".verdict-of")?.scrollIntoView() },
              problems.length
                ? counted(problems.length)
                : this.checked?.changes.length
                  ? "Permitted: check and propose"
                  : "Nothing changed yet",
            ),
          ),
      ),
      h(
        "aside",
        { class: "card verdict-of", "aria-label": "Check and returns" },
        this.mayWrite
          ? [this.permitted(problems), this.changesNode(), this.doors(), this.returns()]
          : h("p", { class: "quiet" }, "The floor writes submissions; you may read this one."),
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
        wrong > 0 && h("span", { class: "tag bad" }, counted(wrong)),
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
    return now !== undefined ? String(now) !== String(shownValue(field, field.value)) : field.stated;
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
        type: (value) => this.type(field.path, value),
      }),
      h(
        "div",
        { id: hint, class: "hint" },
        h(
          "p",
          { class: "quiet" },
          `${capital(field.allowed)}. In force: ${field.words}.`,
          field.must_state && " Must be stated.",
          warned.length > 0 &&
            h("span", { class: "tag" }, warned[0][1].code === "requirement" ? "not approved yet" : "illustrative"),
          " ",
          cites([...field.clauses, ...field.readings], this),
          field.house_rule && h("small", null, ` House rule: ${field.house_rule}`),
        ),
        field.notes.length > 0 &&
          h(
            "p",
            { class: "quiet" },
            field.notes.map((/** @type {string} */ note) => `${capital(note)}. `),
          ),
        wrong.map((problem, at) => h("p", { key: at, class: "wrong" }, problemLine(problem, this))),
      ),
      changed &&
        this.mayWrite &&
        h(
          "button",
          {
            type: "button",
            class: "link",
            "aria-label": `Back to what is in force: ${field.title}`,
            onclick: () => this.type(field.path, field.stated ? shownValue(field, field.value) : undefined),
          },
          "Back to what is in force",
        ),
      h("span", { class: "sr", id: `${id}-path` }, field.path),
    );
  }

  /** @param {[string, any][]} problems */
  permitted(problems) {
    if (!this.checked) return h("p", { class: "quiet" }, "Checking…");
    const known = new Set(this.form.fields.map((/** @type {any} */ field) => field.path));
    const elsewhere = problems.filter(([path]) => !known.has(path));
    return h(
      "section",
      { class: "permitted", "aria-busy": String(this.checking) },
      h("h2", null, "Check"),
      problems.length
        ? [
            h("p", { class: "notice" }, `${counted(problems.length)}. Nothing can be proposed before they are gone.`),
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
                    h(
                      "button",
                      { type: "button", class: "link", onclick: () => this.goTo(path) },
                      `${field.section}: ${field.title}`,
                    ),
                    h("span", { class: "quiet" }, ` ${problem.what} `),
                    cites([...(problem.clauses ?? []), ...(problem.readings ?? [])], this),
                  );
                }),
              elsewhere.map(([path, problem]) => h("li", { key: path }, `${path}: `, problemLine(problem, this))),
            ),
          ]
        : h("p", { class: "done" }, "The rulebook permits this."),
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
        : h("p", { class: "quiet" }, "None yet."),
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
      h("h3", null, "What every wager returns"),
      running &&
        h(
          "div",
          { class: "working" },
          h("progress", { max: study.steps.length, value: study.done, "aria-label": "Parts worked out" }),
          h("p", { class: "quiet" }, `${study.done} of ${study.steps.length} parts${next ? `: ${next}` : ""}…`),
          h("button", { type: "button", class: "button small", onclick: () => void this.cancel() }, "Stop"),
        ),
      study.problems.map((/** @type {any} */ problem, /** @type {number} */ at) =>
        h("p", { key: at, class: "wrong" }, problemLine(problem, this)),
      ),
      study.cancelled && h("p", { class: "quiet" }, "Stopped."),
      study.finished && returnsTable(study.wagers),
      study.finished &&
        this.studied !== JSON.stringify(this.draft) &&
        h("p", { class: "notice" }, "The draft has changed since: work it out again."),
    );
  }

  doors() {
    const ok = this.checked?.ok && !this.checking;
    const changed = (this.checked?.changes ?? []).length > 0;
    const known = this.study?.finished && !this.study.problems.length && this.studied === JSON.stringify(this.draft);
    const running = this.study && !this.study.finished && !this.study.cancelled;
    return [
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            class: `button ${known ? "" : "main"}`,
            disabled: !ok || !changed || running || this.busy,
            onclick: () => void this.compare(),
          },
          "Work out returns",
        ),
        h(
          "button",
          {
            type: "button",
            class: `button ${known ? "main" : ""}`,
            disabled: !ok || !known || this.busy || Boolean(this.proposed),
            onclick: () => void this.propose(),
          },
          "Propose",
        ),
        h(
          "button",
          {
            type: "button",
            class: "button quiet",
            disabled: this.busy || !this.form.fields.some((/** @type {any} */ field) => this.changed(field)),
            onclick: () => void this.attempt(() => this.load()),
          },
          "Start again",
        ),
      ),
      this.proposed &&
        h(
          "p",
          { class: "done" },
          `Proposal ${this.proposed.number}. `,
          h("a", { href: "/console/proposals" }, "To the proposals"),
        ),
      !known &&
        h(
          "p",
          { class: "quiet" },
          "A submission can be proposed once the rulebook permits it and every wager is worked out.",
        ),
    ];
  }
}

/** @param {number} number */
const counted = (number) => (number === 1 ? "1 violation" : `${number} violations`);

customElements.define("cf-submission", Submission);
