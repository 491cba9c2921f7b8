// @ts-check
/** The door of a house on a network: whoever was told its code comes in, by a name that the others see. */

import { ask, ServerError } from "./api.js";
import { draw, h } from "./dom.js";
import { problemWords } from "./format.js";

/** @type {Promise<any> | null} */
let asking = null;

/** Asks for the code, once for everybody who waits; says who came in. @returns {Promise<any>} */
export function comeIn() {
  asking ??= new Promise(knock).finally(() => {
    asking = null;
  });
  return asking;
}

/** @param {(me: any) => void} open @param {(why: Error) => void} stay */
function knock(open, stay) {
  const dialog = document.createElement("dialog");
  dialog.className = "door-dialog";
  dialog.setAttribute("aria-labelledby", "door-title");
  let problem = "";
  const leave = () => {
    dialog.remove();
    stay(new Error("Only those come in who know the code of this house."));
  };
  const enter = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const [code, name] = ["code", "name"].map((field) => String(given.get(field) ?? "").trim());
    try {
      const me = await ask("/guests", "POST", { code, ...(name && { name }) });
      dialog.remove();
      open(me);
    } catch (error) {
      problem = wordsOf(error);
      show();
    }
  };
  const show = () =>
    draw(
      dialog,
      h(
        "form",
        { onsubmit: (/** @type {SubmitEvent} */ event) => void enter(event) },
        h("h2", { id: "door-title" }, "Come in"),
        h("p", null, "Whoever started this house was shown a code, and can tell you."),
        h("div", { role: "alert" }, problem && h("p", { class: "notice" }, problem)),
        field("code", "Code", { required: true, autofocus: true }),
        field("name", "Your name at the table", { placeholder: "a guest", maxlength: 32 }),
        h(
          "div",
          { class: "buttons" },
          h("button", { class: "button main" }, "Come in"),
          h("button", { type: "button", class: "button quiet", onclick: leave }, "Not now"),
        ),
      ),
    );
  show();
  dialog.addEventListener("cancel", leave);
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {unknown} error */
function wordsOf(error) {
  if (!(error instanceof ServerError)) return "The house does not answer.";
  return error.problem.code === "lan.code" ? "That is not the code of this house." : problemWords(error.problem);
}

/** @param {string} name @param {string} title @param {Record<string, any>} more */
const field = (name, title, more) =>
  h(
    "div",
    { key: name, class: "door-field" },
    h("label", { for: `door-${name}` }, title),
    h("input", { id: `door-${name}`, name, autocomplete: "off", spellcheck: "false", ...more }),
  );
