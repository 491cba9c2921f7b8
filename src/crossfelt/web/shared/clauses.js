// @ts-check
/** Clauses: buttons that open them, and a panel with the clause and the rules of other jurisdictions. */

import { errorText, requestCached } from "./api.js";
import { buttonNode, h } from "./dom.js";
import { plain, problemSentence } from "./format.js";

/** @typedef {import("./dom.js").Content} Some */
/** @typedef {import("./format.js").Problem} Problem */
/** A page that can open a clause. @typedef {{ui: {clause: any}, clause: (id: string) => unknown, show: () => void}} ClausePage */

/** Opens a clause on a page. @param {ClausePage} page @param {string} id */
export async function openClause(page, id) {
  page.ui.clause = { id };
  page.show();
  page.ui.clause = await requestCached(`/clauses/${encodeURIComponent(id)}`).catch((error) => ({
    id,
    failed: errorText(error),
  }));
  page.show();
}

/** Buttons that open clauses. @param {string[]} ids @param {ClausePage} page */
export function clauseButtons(ids, page) {
  return (
    ids.length > 0 &&
    h(
      "span",
      { class: "cites" },
      ids.map((id) => buttonNode(id, () => void page.clause(id), { key: id, class: "cite" })),
    )
  );
}

/** A problem as a sentence, with its clauses. @param {Problem} problem @param {ClausePage} page @returns {Some[]} */
export function problemLine(problem, page) {
  return [
    `${problemSentence(problem)} `,
    clauseButtons([...(problem.clauses ?? []), ...(problem.readings ?? [])], page),
  ];
}

/** @param {Problem[]} problems @param {ClausePage} page */
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

/** The open clause, and the rules of other jurisdictions. @param {ClausePage} page */
export function clauseRibbon(page) {
  const { clause } = page.ui;
  return h(
    "section",
    { class: "ribbon", "aria-label": `Clause ${clause.id}`, key: "ribbon" },
    buttonNode("×", () => closeClause(page), { class: "close", "aria-label": "Close the clause" }),
    h("h3", null, clause.id, clause.citation && h("span", { class: "citation" }, clause.citation)),
    clause.failed && h("p", null, clause.failed),
    clause.says && h("p", null, clause.says),
    clause.elsewhere?.length > 0 && h("h4", null, "Other jurisdictions"),
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

/** @param {ClausePage} page */
function closeClause(page) {
  page.ui.clause = null;
  page.show();
}
