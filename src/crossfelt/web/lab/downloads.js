// @ts-check
/** What can be taken away from the laboratory: a submission, and the report that the house writes on it. */

import { ServerError } from "../shared/api.js";
import { h } from "../shared/dom.js";
import { save } from "../shared/download.js";
import { problemWords } from "../shared/format.js";

/** @typedef {import("./lab.js").Laboratory} Page */

/** The report on the setting in hand: asked for once, then there to be opened and saved. */
export class Sheet {
  /** Addresses of a report that is written, by kind. @type {Record<string, string> | null} */
  written = null;
  writing = false;
  problem = "";

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** What was changed is not what the report is about. */
  forget() {
    Object.assign(this, { written: null, writing: false, problem: "" });
  }

  async write() {
    this.forget();
    this.writing = true;
    this.page.show();
    const question = encodeURIComponent(JSON.stringify(this.page.question));
    const address = (/** @type {string} */ kind) => `/api/laboratory/report?kind=${kind}&question=${question}`;
    try {
      const answer = await fetch(address("html"), { credentials: "same-origin" });
      if (!answer.ok) throw new ServerError(answer.status, await answer.json());
      await answer.text();
      if (this.writing) this.written = { html: address("html"), json: address("json") };
    } catch (error) {
      const { problem, message } = /** @type {any} */ (error);
      if (this.writing) this.problem = problem?.what ? problemWords(problem) : message;
    }
    this.writing = false;
    this.page.show();
  }
}

/** @param {Page} page */
export function doors(page) {
  const { sheet } = page;
  const button = (/** @type {string} */ label, /** @type {() => unknown} */ press, /** @type {any} */ more = {}) =>
    h("button", { key: label, type: "button", class: "button", onclick: () => void press(), ...more }, label);
  return h(
    "div",
    { class: "lab-doors" },
    h(
      "div",
      { class: "buttons" },
      button("Back to print", () => page.restore({ pay: {}, weights: {}, chosen: {} }), { disabled: !page.changed }),
      button(page.kept ? "Stop comparing" : "Keep to compare", () => page.keep(), {
        key: "keep",
        "aria-pressed": String(Boolean(page.kept)),
      }),
      page.kept && button("Exchange", () => page.exchange()),
    ),
    h(
      "div",
      { class: "buttons" },
      button("Save as submission", () => saveSubmission(page), { class: "button main" }),
      button(sheet.writing ? "Writing the report…" : "Write a report", () => sheet.write(), {
        key: "report",
        disabled: sheet.writing,
      }),
    ),
    h(
      "p",
      { class: "lab-sheet", role: "status" },
      sheet.writing && "Solved again line by line and checked by simulation: some seconds.",
      sheet.problem,
      sheet.written && [
        "The report is ready: ",
        h("a", { href: sheet.written.html, target: "_blank", rel: "noopener" }, "open it"),
        ", ",
        h("a", { href: sheet.written.html, download: `${page.book}-report.html` }, "save it"),
        " or ",
        h("a", { href: sheet.written.json, download: `${page.book}-report.json` }, "save its data"),
        ".",
      ],
    ),
  );
}

/** @param {Page} page */
async function saveSubmission(page) {
  const told = await page.settled();
  save(`${page.book}-submission.toml`, submissionText(page.book, told));
}

/** The changes as a submission file. @param {string} book @param {any} told */
function submissionText(book, told) {
  const lines = [
    "# A Rules Submission from the laboratory. Check it with: crossfelt submission check FILE",
    `rulebook = "${book}"`,
    ...sections(told.submission, []),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * What a submission states, as TOML: the values of a section first, then the sections inside it.
 * @param {Record<string, any>} stated
 * @param {string[]} path
 * @returns {string[]}
 */
function sections(stated, path) {
  const inside = Object.entries(stated).filter(([, value]) => isSection(value));
  const values = Object.entries(stated).filter(([, value]) => !isSection(value));
  return [
    ...(path.length && values.length ? ["", `[${path.join(".")}]`] : []),
    ...values.map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ...inside.flatMap(([name, value]) => sections(value, [...path, name])),
  ];
}

/** @param {any} value */
const isSection = (value) => typeof value === "object" && !Array.isArray(value);
