// @ts-check
/** The downloads of the laboratory: the submission, and the report on it. */

import { errorText, ServerError } from "../shared/api.js";
import { buttonRow, h, saveFile } from "../shared/dom.js";

/** @typedef {import("./lab.js").Laboratory} Page */

/** The report on the current setting: requested once, then open for download. */
export class LabReport {
  /** The addresses of the finished report by kind. @type {Record<string, string> | null} */
  written = null;
  writing = false;
  problem = "";

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Drops the report when the setting changes. */
  reset() {
    Object.assign(this, { written: null, writing: false, problem: "" });
  }

  async write() {
    this.reset();
    this.writing = true;
    this.page.show();
    const question = encodeURIComponent(JSON.stringify(this.page.labRequest));
    const address = (/** @type {string} */ kind) => `/api/laboratory/report?kind=${kind}&question=${question}`;
    try {
      const answer = await fetch(address("html"), { credentials: "same-origin" });
      if (!answer.ok) throw new ServerError(answer.status, await answer.json());
      await answer.text();
      if (this.writing) this.written = { html: address("html"), json: address("json") };
    } catch (error) {
      if (this.writing) this.problem = errorText(error);
    }
    this.writing = false;
    this.page.show();
  }
}

/** @param {Page} page */
export function labButtons(page) {
  const { report } = page;
  const button = (/** @type {string} */ label, /** @type {() => unknown} */ press, /** @type {any} */ more = {}) =>
    h("button", { key: label, type: "button", class: "button", onclick: () => void press(), ...more }, label);
  return h(
    "div",
    { class: "lab-buttons" },
    buttonRow(
      button("Reset to the rulebook", () => page.restore({ pay: {}, weights: {}, chosen: {} }), {
        disabled: !page.changed,
      }),
      button(page.kept ? "Stop comparing" : "Keep for comparison", () => page.keep(), {
        key: "keep",
        "aria-pressed": String(Boolean(page.kept)),
      }),
      page.kept && button("Swap", () => page.exchange()),
    ),
    buttonRow(
      button("Download as submission", () => saveSubmission(page), { class: "button main" }),
      button(report.writing ? "Writing the report…" : "Write a report", () => report.write(), {
        key: "report",
        disabled: report.writing,
      }),
    ),
    h(
      "p",
      { class: "lab-sheet", role: "status" },
      report.writing && "The report is being solved and checked by simulation. This takes some seconds.",
      report.problem,
      report.written && [
        "The report is ready: ",
        h("a", { href: report.written.html, target: "_blank", rel: "noopener" }, "open"),
        ", ",
        h("a", { href: report.written.html, download: `${page.book}-report.html` }, "download"),
        " or ",
        h("a", { href: report.written.json, download: `${page.book}-report.json` }, "download its data"),
        ".",
      ],
    ),
  );
}

/** @param {Page} page */
async function saveSubmission(page) {
  const result = await page.latestResult();
  saveFile(`${page.book}-submission.toml`, submissionText(page.book, result));
}

/** Returns the changes as a submission file. @param {string} book @param {any} result */
function submissionText(book, result) {
  const lines = [
    "# A Rules Submission from the laboratory. Check it with: crossfelt submission check FILE",
    `rulebook = "${book}"`,
    ...sections(result.submission, []),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Returns the stated values as TOML: the values of a section first, then its subsections.
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
