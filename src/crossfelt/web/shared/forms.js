// @ts-check
/** Form fields, and the values of a form. */

import { h } from "./dom.js";

/** @typedef {{name: string, title: string, type?: string, value?: string, optional?: boolean, hint?: string, min?: number, step?: string}} Field */

/** Returns the values of a form by name. @param {SubmitEvent} event @returns {Record<string, string>} */
export function formValues(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

/** A labelled form field. @param {Field} field @param {Record<string, any>} [more] */
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

/**
 * A labelled drop-down list. Without `onpick` the form reads its value.
 * @param {string} name
 * @param {string} title
 * @param {string[][]} options each value and its text
 * @param {string} [value] the selected value
 * @param {(value: string) => void} [onpick]
 */
export function selectNode(name, title, options, value, onpick) {
  const id = `field-${name}`;
  return h(
    "div",
    { key: name, class: "field" },
    h("label", { for: id }, title),
    h(
      "select",
      { id, name, onchange: onpick && ((/** @type {any} */ event) => onpick(event.target.value)) },
      options.map(([option, text]) =>
        h("option", { key: option, value: option, "prop:selected": onpick && option === value }, text),
      ),
    ),
  );
}
