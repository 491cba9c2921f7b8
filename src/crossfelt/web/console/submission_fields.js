// @ts-check
/**
 * The fields of a submission: inputs for each kind of choice, and the stated values. Amounts are typed in dollars, rates
 * in percent. Text that is not a value is sent as typed, and the server reports the problem.
 */

import { h } from "../shared/dom.js";

/** @typedef {{path: string, title: string, kind: string, value: any, permitted: {value: any, title: string}[], default: any}} Field */
/** @typedef {{wrong: boolean, disabled: boolean, type: (value: any) => void}} InputContext */

const DOLLARS = /^\$?(\d{1,12})(?:\.(\d{1,2}))?$/;
const PERCENT = /^(\d{1,3})(?:\.(\d{1,4}))?\s*%?$/;
const WHOLE = /^-?\d{1,15}$/;
const CENTS = 2;
const MILLIONTHS = 4;

/** @param {Field} field */
export const fieldKeys = (field) => ({ id: `f-${field.path}`, hint: `f-${field.path}-hint` });

/** Returns the input text of a value. @param {Field} field @param {any} value @returns {any} */
export function inputText(field, value) {
  if (value === null || value === undefined) return "";
  if (field.kind === "cents") return decimals(value, CENTS);
  if (field.kind === "rate") return decimals(value, MILLIONTHS);
  if (field.kind === "weights") return value.join(" ");
  if (field.kind === "many_of") return [...value];
  return field.kind === "flag" ? value : String(value);
}

/** Returns a whole number of small units as a decimal number. @param {number} value @param {number} places */
function decimals(value, places) {
  const [whole, rest] = [Math.floor(value / 10 ** places), value % 10 ** places];
  const part = String(rest).padStart(places, "0");
  return rest ? `${whole}.${places === CENTS ? part : part.replace(/0+$/, "")}` : String(whole);
}

/** Returns the stated value of an input. @param {Field} field @param {any} typed @returns {any} */
function statedValue(field, typed) {
  if (typeof typed !== "string") return typed;
  const text = typed.trim().replaceAll(",", "");
  if (field.kind === "cents") return scaled(DOLLARS.exec(text), CENTS) ?? typed;
  if (field.kind === "rate") return scaled(PERCENT.exec(text), MILLIONTHS) ?? typed;
  if (field.kind === "whole") return WHOLE.test(text) ? Number(text) : typed;
  if (field.kind === "weights")
    return typed
      .trim()
      .split(/[\s,;]+/)
      .map((word) => (WHOLE.test(word) ? Number(word) : word));
  if (field.kind === "one_of") return field.permitted.find((one) => String(one.value) === typed)?.value ?? typed;
  return typed.trim();
}

/** @param {RegExpExecArray | null} match @param {number} places */
function scaled(match, places) {
  return match ? Number(match[1]) * 10 ** places + Number((match[2] ?? "").padEnd(places, "0")) : undefined;
}

/** Returns the stated values as nested tables. @param {Field[]} fields @param {Record<string, any>} typed */
export function draftOf(fields, typed) {
  /** @type {Record<string, any>} */
  const draft = {};
  for (const field of fields) {
    const value = typed[field.path];
    if (value === undefined || value === "") continue;
    const parts = field.path.split(".");
    const name = /** @type {string} */ (parts.pop());
    let place = draft;
    for (const part of parts) place = place[part] ??= {};
    place[name] = statedValue(field, value);
  }
  return draft;
}

/** @param {Field} field @param {any} typed @param {InputContext} context */
export function inputNode(field, typed, context) {
  const { id, hint } = fieldKeys(field);
  const shared = { id, "aria-describedby": hint, "aria-invalid": String(context.wrong), disabled: context.disabled };
  const typing = (/** @type {any} */ event) => context.type(event.target.value);
  const label = h("label", { for: id }, field.title);
  if (field.kind === "flag")
    return h(
      "div",
      { class: "switch" },
      h("input", {
        ...shared,
        type: "checkbox",
        "prop:checked": typed === true,
        onchange: (/** @type {any} */ event) => context.type(event.target.checked),
      }),
      label,
    );
  if (field.kind === "many_of") return manyNode(field, typed ?? [], context);
  if (field.kind === "one_of" || (field.kind === "whole" && field.permitted.length))
    return [label, oneNode(field, typed, shared, typing)];
  if (field.kind === "weights")
    return [
      label,
      h("textarea", {
        ...shared,
        spellcheck: "false",
        placeholder: "in the order of the wheel",
        "prop:value": typed ?? "",
        oninput: typing,
      }),
    ];
  const unit = field.kind === "cents" ? "$" : field.kind === "rate" ? "%" : "";
  const input = h("input", {
    ...shared,
    type: "text",
    inputmode: field.kind === "text" || field.kind === "odds" ? "text" : "decimal",
    autocomplete: "off",
    maxlength: 200,
    "prop:value": typed ?? "",
    placeholder: "not stated",
    oninput: typing,
  });
  return [
    label,
    unit
      ? h(
          "span",
          { class: `with-unit ${unit === "%" ? "after" : ""}` },
          h("span", { "aria-hidden": "true" }, unit),
          input,
        )
      : input,
  ];
}

/** @param {Field} field @param {any} typed @param {Record<string, any>} shared @param {(event: any) => void} typing */
function oneNode(field, typed, shared, typing) {
  return h(
    "select",
    { ...shared, "prop:value": String(typed ?? ""), onchange: typing },
    (field.value === null || typed === undefined) &&
      h("option", { value: "", selected: typed === undefined || typed === "" }, "not stated"),
    field.permitted.map((one) =>
      h(
        "option",
        { key: one.value, value: String(one.value), selected: String(one.value) === String(typed) },
        one.title.replaceAll("_", " "),
      ),
    ),
  );
}

/** @param {Field} field @param {any[]} chosen @param {InputContext} context */
function manyNode(field, chosen, context) {
  const { id, hint } = fieldKeys(field);
  return h(
    "fieldset",
    { id, class: "many", "aria-describedby": hint, disabled: context.disabled },
    h("legend", { class: "label" }, field.title),
    field.permitted.map((one) =>
      h(
        "label",
        { key: one.value, class: "switch" },
        h("input", {
          type: "checkbox",
          "prop:checked": chosen.includes(one.value),
          onchange: (/** @type {any} */ event) =>
            context.type(event.target.checked ? [...chosen, one.value] : chosen.filter((value) => value !== one.value)),
        }),
        h("span", null, one.title),
      ),
    ),
  );
}
