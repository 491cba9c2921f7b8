// @ts-check
/** Fields of the console's forms, and what was written in them. */

import { h } from "../shared/dom.js";

/** @typedef {{name: string, title: string, type?: string, value?: string, optional?: boolean, hint?: string, min?: number, step?: string}} Field */

/** What is written in a form, by name. @param {SubmitEvent} event @returns {Record<string, string>} */
export function written(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

/** A labelled field of a form. @param {Field} field @param {Record<string, any>} [more] */
export function fieldNode({ name, title, type = "text", value, optional, hint, ...bounds }, more = {}) {
  const id = `field-${name}`;
  const hinted = hint ? `${id}-hint` : undefined;
  return h(
    "div",
    { key: name, class: "field" },
    h("label", { for: id }, title),
    h("input", {
      id,
      name,
      type,
      value,
      required: !optional,
      "aria-describedby": hinted,
      autocomplete: "off",
      ...bounds,
      ...more,
    }),
    hint && h("small", { id: hinted, class: "quiet" }, hint),
  );
}

/** A labelled choice: values and their words. @param {string} name @param {string} title @param {string[][]} options */
export function selectNode(name, title, options) {
  const id = `field-${name}`;
  return h(
    "div",
    { key: name, class: "field" },
    h("label", { for: id }, title),
    h(
      "select",
      { id, name },
      options.map(([value, words]) => h("option", { key: value, value }, words)),
    ),
  );
}
