// @ts-check
/** The log-in dialog of a server on a local network: an access code, and the name that other players see. */

import { errorText, request, ServerError } from "./api.js";
import { buttonNode, draw, h } from "./dom.js";
import { fieldNode, formValues } from "./forms.js";

/** @type {Promise<any> | null} */
let pending = null;

/** Asks for the access code and returns the account. Requests that wait share one dialog. @returns {Promise<any>} */
export function logInWithCode() {
  pending ??= new Promise(showDialog).finally(() => {
    pending = null;
  });
  return pending;
}

/** @param {(me: any) => void} succeed @param {(why: Error) => void} fail */
function showDialog(succeed, fail) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "login-title");
  let problem = "";
  const leave = () => {
    dialog.remove();
    fail(new Error("The server needs an access code. Ask the person who started it."));
  };
  const enter = async (/** @type {SubmitEvent} */ event) => {
    const { code, name } = formValues(event);
    try {
      const me = await request("/guests", "POST", { code, ...(name && { name }) });
      dialog.remove();
      succeed(me);
    } catch (error) {
      problem =
        error instanceof ServerError && error.problem.code === "door.code"
          ? "This access code is wrong. Check it and try again."
          : errorText(error);
      show();
    }
  };
  const show = () =>
    draw(
      dialog,
      h(
        "form",
        { onsubmit: (/** @type {SubmitEvent} */ event) => void enter(event) },
        h("h2", { id: "login-title" }, "Log in"),
        h("p", null, "Ask the person who started this server for the access code."),
        h("div", { role: "alert" }, problem && h("p", { class: "notice" }, problem)),
        fieldNode({ name: "code", title: "Access code" }, { autofocus: true }),
        fieldNode(
          { name: "name", title: "Your name at the table", optional: true },
          { placeholder: "Guest", maxlength: 32 },
        ),
        h(
          "div",
          { class: "buttons" },
          h("button", { class: "button main" }, "Log in"),
          buttonNode("Cancel", leave, { class: "button quiet" }),
        ),
      ),
    );
  show();
  dialog.addEventListener("cancel", leave);
  document.body.append(dialog);
  dialog.showModal();
}
