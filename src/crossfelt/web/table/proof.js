// @ts-check
/**
 * The proof panel: what happened, the arithmetic, the line of the rulebook, the clause with its tests, the second
 * settlement and the house edge. It opens over any page, and has a page of its own for each event.
 */

import { ensureAccount, errorText, request, requestCached } from "../shared/api.js";
import { announce, buttonNode, draw, h, loadStylesheet, quietText } from "../shared/dom.js";
import { capital, plain, problemSentence, sentence, signed, timeText } from "../shared/format.js";
import { BasePage } from "../shared/page.js";

await loadStylesheet("table/proof.css");

/** @typedef {import("../shared/clauses.js").ProofSource} ProofSource */
/** An open proof: `data` is the server's answer. @typedef {{source: ProofSource, data: any, edge: any, failed: string, copied: string, redraw: () => void}} Shown */

/** Opens the proof over the page. @param {ProofSource} source */
export async function openProof(source) {
  const opener = document.activeElement;
  const dialog = document.createElement("dialog");
  dialog.className = "proof";
  dialog.setAttribute("aria-labelledby", "proof-title");
  // The page below has keys of its own.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    const back = opener?.isConnected ? opener : document.getElementById("main");
    /** @type {HTMLElement | null} */ (back)?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  const close = buttonNode("×", () => dialog.close(), {
    key: "close",
    class: "close",
    "aria-label": "Close the proof",
  });
  await present(source, (shown) => {
    draw(dialog, h("div", { key: "head", class: "proof-top" }, headNodes(shown), close), bodyNodes(shown));
    if (!dialog.open && dialog.isConnected) dialog.showModal();
  });
}

/** Loads a proof and draws it; the house edge follows. @param {ProofSource} source @param {(shown: Shown) => void} show */
async function present(source, show) {
  /** @type {Shown} */
  const shown = { source, data: null, edge: null, failed: "", copied: "", redraw: () => show(shown) };
  const { redraw } = shown;
  redraw();
  try {
    shown.data = await load(source);
  } catch (error) {
    shown.failed = errorText(error);
  }
  redraw();
  const { wager } = shown.data ?? {};
  if (!wager) return;
  shown.edge = { waiting: true };
  redraw();
  const path = `/tables/${encodeURIComponent(source.table ?? "")}/edge/${encodeURIComponent(wager)}`;
  shown.edge = await requestCached(path).catch((error) => ({ failed: errorText(error) }));
  redraw();
}

/** @param {ProofSource} source @returns {Promise<any>} */
async function load({ table, event, problem, cites = [] }) {
  const at = `/tables/${encodeURIComponent(table ?? "")}`;
  if (event) return request(`${at}/proof/${event}`);
  const cited = problem ? [...(problem.clauses ?? []), ...(problem.readings ?? [])] : cites;
  const house_rule = problem?.house_rule ?? "";
  if (table) return requestCached(`${at}/rules?${new URLSearchParams({ cites: cited.join(), house_rule })}`);
  const clauses = await Promise.all(cited.map((id) => requestCached(`/clauses/${encodeURIComponent(id)}`)));
  return { lines: [], clauses, house_rule };
}

// --- the head: what happened -------------------------------------------------------------------------------------------

/** @param {Shown} shown @param {"p" | "h1"} [kind] the heading of a page */
function headNodes({ source, data }, kind = "p") {
  const { problem, event, cites = [] } = source;
  if (problem)
    return h(
      "header",
      { key: "title", class: "proof-head refused" },
      h("p", { class: "proof-kind" }, "Refused"),
      h("h2", { id: "proof-title" }, problemSentence(problem)),
    );
  if (!event)
    return h(
      "header",
      { key: "title", class: "proof-head" },
      h("p", { class: "proof-kind" }, "Clause"),
      h("h2", { id: "proof-title" }, cites.join(", ")),
    );
  const { payment, net } = data ?? {};
  const way = net > 0 ? "up" : net < 0 ? "down" : "";
  return h(
    "header",
    { key: "title", class: "proof-head" },
    h(
      kind,
      { class: "proof-kind" },
      "Proof",
      data && h("span", null, [data.round && `round ${data.round}`, data.title].filter(Boolean).join(" · ")),
    ),
    h("h2", { id: "proof-title" }, data ? sentence(data.says) : "Looking it up…"),
    payment &&
      h("p", { class: `proof-sum ${way}` }, h("strong", null, signed(net)), h("span", null, capital(payment.title))),
  );
}

// --- the body: why it is right -----------------------------------------------------------------------------------------

/** @param {Shown} shown */
function bodyNodes(shown) {
  const { data, failed } = shown;
  if (failed) return h("p", { key: "failed", class: "notice", role: "alert" }, failed);
  if (!data) return h("p", { key: "waiting", class: "quiet", role: "status" }, "One moment.");
  return h(
    "div",
    { key: "body", class: "proof-body" },
    data.payment && arithmetic(data.payment),
    data.lines.length > 0 && rulebookLines(data),
    (data.clauses.length > 0 || data.house_rule) && law(data),
    data.second && secondSettlement(data.second),
    shown.edge && houseEdge(shown.edge),
    toolbar(shown),
  );
}

/** @param {string} name @param {string} title @param {...import("../shared/dom.js").Content} content */
const part = (name, title, ...content) =>
  h(
    "section",
    { key: name, class: `proof-part proof-${name}`, "aria-labelledby": `proof-${name}` },
    h("h3", { id: `proof-${name}` }, title),
    content,
  );

/** @param {any} payment */
const arithmetic = (payment) =>
  part(
    "arithmetic",
    "The arithmetic",
    h(
      "ol",
      null,
      payment.steps.map((/** @type {string} */ step, /** @type {number} */ at) =>
        step.includes(" × ")
          ? h("li", { key: at, class: "equation" }, step.replace(/\.$/, ""))
          : h("li", { key: at }, step),
      ),
    ),
  );

/** @param {any} second */
const secondSettlement = (second) =>
  part(
    "second",
    "Settled a second time",
    h(
      "p",
      null,
      h("span", { class: `proof-seal ${second.equal ? "" : "bad"}` }, second.equal ? "✓ Equal" : "Different"),
      ` A second program, written apart from the table, ${second.says}.`,
    ),
    !second.equal &&
      h(
        "ul",
        { class: "notice" },
        (second.complaints.length ? second.complaints : ["Send this proof to the auditor of the table."]).map(
          (/** @type {string} */ one, /** @type {number} */ at) => h("li", { key: at }, sentence(one)),
        ),
      ),
  );

/** @param {any} data */
const rulebookLines = ({ lines, rulebook, version }) =>
  part(
    "rulebook",
    "The line of the rulebook",
    lineNode(lines[0]),
    lines.length > 1 &&
      h(
        "details",
        { key: "more" },
        h("summary", null, lines.length > 2 ? `${lines.length - 1} more lines` : "One more line"),
        lines.slice(1).map(lineNode),
      ),
    rulebook && h("p", { key: "version", class: "quiet" }, `Rulebook ${rulebook}, version ${version}`),
  );

/** One datum of the rulebook: in words, its path, and as printed. @param {any} line */
const lineNode = (line) =>
  h(
    "figure",
    { key: line.path, class: "proof-line" },
    h("figcaption", null, h("strong", null, line.title), h("span", null, capital(line.says))),
    h("code", { class: "proof-path" }, line.path),
    h("pre", null, line.text),
    line.in_force && [quietText("In force at this table, by its submission:"), h("pre", null, line.in_force)],
  );

/** @param {any} data */
const law = (data) =>
  part(
    "law",
    "The law",
    data.clauses.map((/** @type {any} */ clause) => clauseNode(clause)),
    data.house_rule && h("p", { key: "house rule", class: "proof-house" }, `House rule: ${sentence(data.house_rule)}`),
  );

/** A clause with its tests and the rules of other jurisdictions. @param {any} clause */
function clauseNode(clause) {
  return h(
    "article",
    { key: clause.id, class: "proof-clause" },
    h("h4", null, h("b", null, clause.id), h("span", { class: "citation" }, clause.citation)),
    h("p", null, clause.says),
    clause.tests.length > 0 &&
      h(
        "details",
        { key: "tests" },
        h("summary", null, `Proved by ${clause.tests.length} test${clause.tests.length > 1 ? "s" : ""}`),
        h(
          "ul",
          { class: "proof-tests" },
          groupedTests(clause.tests).map(({ test, file, says, number }) =>
            h(
              "li",
              { key: test },
              h("span", null, says, number > 1 && h("small", null, ` ${number} cases`)),
              h("code", null, file),
            ),
          ),
        ),
      ),
    clause.elsewhere.length > 0 &&
      h(
        "details",
        { key: "elsewhere" },
        h("summary", null, "Other jurisdictions"),
        h(
          "dl",
          null,
          clause.elsewhere.map((/** @type {any} */ other, /** @type {number} */ at) =>
            h(
              "div",
              { key: at },
              h(
                "dt",
                null,
                `${other.jurisdiction}, ${plain(other.rulebook.replace(/^[a-z]+-/, "").replaceAll("-", " "))}`,
                h("span", { class: "citation" }, other.topic),
              ),
              h("dd", null, other.says),
            ),
          ),
        ),
      ),
  );
}

/** Groups the cases of each test: its name as a sentence, its file, and the number of cases. @param {string[]} tests */
function groupedTests(tests) {
  /** @type {Map<string, number>} */
  const cases = new Map();
  for (const test of tests) {
    const name = test.replace(/\[.*/, "");
    cases.set(name, (cases.get(name) ?? 0) + 1);
  }
  return [...cases].map(([test, number]) => {
    const [file, name = ""] = test.split("::");
    return { test, file, says: capital(plain(name.replace(/^test_/, ""))), number };
  });
}

/** @param {any} edge */
function houseEdge(edge) {
  return part(
    "edge",
    "The house edge",
    edge.waiting && h("p", { class: "quiet", role: "status" }, "Computing the exact figure…"),
    edge.failed && quietText(`Not available: ${edge.failed}`),
    !edge.waiting &&
      !edge.failed && [
        edge.wager && edgeNode("wager", edge.wager),
        edge.whole && edgeNode("whole", edge.whole),
        !edge.wager && !edge.whole && quietText("No solver has a figure for this wager."),
        edge.wager &&
          edge.whole &&
          h(
            "p",
            { key: "note", class: "quiet" },
            "The bets of the game belong together, and a later bet is made when it is worth more: judge the game by its whole edge.",
          ),
      ],
  );
}

/** @param {string} key @param {any} edge */
function edgeNode(key, edge) {
  const fraction = `${edge.numerator} / ${edge.denominator}`;
  return h(
    "div",
    { key, class: "proof-figure" },
    h("strong", null, `${edge.percent.toFixed(6).replace("-", "−")} %`),
    h("span", null, `${edge.title}, ${edge.method}`),
    edge.method.startsWith("exact") && fraction.length < 80 && h("code", null, fraction),
  );
}

// --- sending it on ---------------------------------------------------------------------------------------------------

/** @param {ProofSource} source */
const addressOf = ({ table, event }) => `/proof/${encodeURIComponent(table ?? "")}/${event}`;

/** @param {Shown} shown */
function toolbar(shown) {
  const { source, data } = shown;
  const link = source.event && addressOf(source);
  const printed =
    link &&
    h(
      "p",
      { key: "printed", class: "proof-printed" },
      `Table ${data.table}, ${timeText(data.at)}. ${location.origin}${link}`,
    );
  const tools = h(
    "footer",
    { key: "tools", class: "proof-tools buttons" },
    link &&
      buttonNode("Copy link", () => copy(shown, location.origin + link, "Link copied"), { class: "button small" }),
    buttonNode("Copy as text", () => copy(shown, textOf(shown), "Text copied"), { class: "button small" }),
    buttonNode("Print", () => print(), { class: "button small quiet" }),
    link && location.pathname !== link && h("a", { class: "quiet", href: link }, "Page of this proof"),
    h("span", { role: "status", class: "quiet" }, shown.copied),
  );
  return [tools, printed];
}

/** @param {Shown} shown @param {string} text @param {string} done */
async function copy(shown, text, done) {
  try {
    await navigator.clipboard.writeText(text);
    shown.copied = done;
  } catch {
    shown.copied = "The browser does not allow copying here.";
  }
  announce(shown.copied);
  shown.redraw();
}

/** The proof as plain text, for a letter or a ticket. @param {Shown} shown */
function textOf({ source, data, edge }) {
  const lines = [source.problem ? problemSentence(source.problem) : data.says ? sentence(data.says) : ""];
  if (data.table) lines.push(`${data.title}, table ${data.table}, round ${data.round}, ${timeText(data.at)}`);
  if (data.payment) lines.push("", "Arithmetic", ...data.payment.steps, `Net ${signed(data.net)}`);
  if (data.second)
    lines.push("", `Second settlement, ${data.second.equal ? "equal" : "different"}: ${data.second.says}.`);
  for (const line of data.lines) lines.push("", `Rulebook, ${line.path}`, line.in_force || line.text);
  for (const clause of data.clauses)
    lines.push(
      "",
      `${clause.id}, ${clause.citation}`,
      clause.says,
      ...groupedTests(clause.tests).map(({ test, number }) => `  ${test}${number > 1 ? `, ${number} cases` : ""}`),
    );
  if (data.house_rule) lines.push("", `House rule: ${data.house_rule}`);
  for (const one of [edge?.wager, edge?.whole])
    if (one) lines.push("", `House edge of ${one.title}: ${one.percent.toFixed(6)} % (${one.method})`);
  if (source.event) lines.push("", location.origin + addressOf(source));
  return lines.join("\n").trim();
}

// --- the page of one proof -------------------------------------------------------------------------------------------

class ProofPage extends BasePage {
  heading = "proof";
  /** @type {Shown | null} */
  shown = null;

  async load() {
    const [table, event] = this.subject.split("/");
    try {
      await ensureAccount();
    } catch (error) {
      this.problem = errorText(error);
      this.show();
      return;
    }
    await present({ table, event }, (shown) => {
      this.shown = shown;
      this.show();
    });
  }

  show() {
    draw(
      this,
      h(
        "section",
        { class: "sheet proof proof-page" },
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        this.shown && [h("div", { class: "proof-top" }, headNodes(this.shown, "h1")), bodyNodes(this.shown)],
      ),
    );
  }
}

customElements.define("cf-proof", ProofPage);
