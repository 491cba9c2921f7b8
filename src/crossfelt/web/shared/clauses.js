// @ts-check
/** Buttons that open the proof panel: for an event, a refusal or a clause. */

import { buttonNode, h } from "./dom.js";
import { problemSentence } from "./format.js";

/** @typedef {import("./dom.js").Content} Some */
/** @typedef {import("./format.js").Problem} Problem */
/** The subject of a proof: an event of a table, a refusal, or clauses. @typedef {{table?: string, event?: string, problem?: Problem, cites?: string[]}} ProofSource */

/** Opens the proof panel. @param {ProofSource} source */
export const showProof = async (source) => (await import("../table/proof.js")).openProof(source);

/** The proof of an event at a table. @param {string} table @param {{seq: number, n: number}} event @returns {ProofSource} */
export const eventSource = (table, { seq, n }) => ({ table, event: `${seq}.${n}` });

/** A button that opens a proof. @param {Some} text @param {ProofSource} source @param {Record<string, any>} [props] */
export const proofButton = (text, source, props) =>
  buttonNode(text, () => void showProof(source), {
    class: "proof-link",
    "aria-haspopup": "dialog",
    ...props,
  });

/** Buttons that open clauses. @param {string[]} ids */
export function clauseButtons(ids) {
  return (
    ids.length > 0 &&
    h(
      "span",
      { class: "cites" },
      ids.map((id) => proofButton(id, { cites: [id] }, { key: id, class: "cite" })),
    )
  );
}

/** A problem as a sentence, with its clauses. @param {Problem} problem @returns {Some[]} */
export function problemLine(problem) {
  return [`${problemSentence(problem)} `, clauseButtons([...(problem.clauses ?? []), ...(problem.readings ?? [])])];
}

/** @param {Problem[]} problems */
export function problemList(problems) {
  return h(
    "div",
    { key: "problems", role: "alert" },
    problems.length > 0 &&
      h(
        "ul",
        { class: "notice problems" },
        problems.map((problem, at) => h("li", { key: at }, problemLine(problem))),
      ),
  );
}
