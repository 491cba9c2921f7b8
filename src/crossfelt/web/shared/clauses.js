// @ts-check
/** Clauses beside what they cause: to be pressed, read, and compared with what the others say. */

import { askOnce } from "./api.js";
import { h } from "./dom.js";
import { capital, plain } from "./format.js";

/** @typedef {import("./dom.js").Some} Some */
/** @typedef {{what?: string, where?: string, value?: any, allowed?: string | null, clauses?: string[], readings?: string[]}} Problem */
/** A page on which clauses can be read. @typedef {{ui: {clause: any}, clause: (id: string) => unknown, show: () => void}} Reader */

/** Opens a clause on a page. @param {Reader} page @param {string} id */
export async function readClause(page, id) {
  page.ui.clause = { id };
  page.show();
  page.ui.clause = await askOnce(`/clauses/${encodeURIComponent(id)}`).catch((error) => ({
    id,
    failed: error.message,
  }));
  page.show();
}

/** Clauses to press. @param {string[]} ids @param {Reader} page */
export function cites(ids, page) {
  return (
    ids.length > 0 &&
    h(
      "span",
      { class: "cites" },
      ids.map((id) => h("button", { key: id, type: "button", class: "cite", onclick: () => void page.clause(id) }, id)),
    )
  );
}

/** A problem in one sentence, with its clauses. @param {Problem} problem @param {Reader} page @returns {Some[]} */
export function problemLine(problem, page) {
  const value =
    problem.value === undefined || problem.value === null || problem.value === "" ? "" : `: ${problem.value}`;
  const allowed = problem.allowed ? ` Allowed: ${problem.allowed}.` : "";
  return [
    `${capital(problem.what ?? "not possible")}${value}.${allowed} `,
    cites([...(problem.clauses ?? []), ...(problem.readings ?? [])], page),
  ];
}

/** @param {Problem[]} problems @param {Reader} page */
export function problemList(problems, page) {
  return h(
    "div",
    { key: "problems", role: "alert" },
    problems.length > 0 &&
      h(
        "ul",
        { class: "notice problems" },
        problems.map((problem, at) => h("li", { key: at }, problemLine(problem, page))),
      ),
  );
}

/** The clause that was asked for, and what the others say. @param {Reader} page */
export function clauseRibbon(page) {
  const { clause } = page.ui;
  return h(
    "section",
    { class: "ribbon", "aria-label": `Clause ${clause.id}`, key: "ribbon" },
    h("button", { type: "button", class: "close", "aria-label": "Close the clause", onclick: () => shut(page) }, "×"),
    h("h3", null, clause.id, clause.citation && h("span", { class: "citation" }, clause.citation)),
    clause.failed && h("p", null, clause.failed),
    clause.says && h("p", null, clause.says),
    clause.elsewhere?.length > 0 && h("h4", null, "Elsewhere"),
    clause.elsewhere?.length > 0 &&
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
  );
}

/** @param {Reader} page */
function shut(page) {
  page.ui.clause = null;
  page.show();
}
