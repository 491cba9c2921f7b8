// @ts-check
/** The log-in dialog of a guest: the name that other players see, and the access code unless a link carried it. */

import { errorText, request, ServerError } from "./api.js";
import { buttonNode, buttonRow, draw, h } from "./dom.js";
import { fieldNode, formValues } from "./forms.js";
import { dropInvitation, invitation } from "./invitation.js";
import { chosenName, keepName } from "./player_name.js";

/** @type {Promise<any> | null} */
let pending = null;

/**
 * Asks for a name, perhaps for the access code, and returns the account. Requests that wait share one dialog.
 * @param {boolean} codeNeeded
 * @param {string} [problem] why the name was refused before
 * @returns {Promise<any>}
 */
export function logIn(codeNeeded, problem = "") {
  pending ??= new Promise((succeed, fail) => showDialog(codeNeeded, problem, succeed, fail)).finally(() => {
    pending = null;
  });
  return pending;
}

/** @param {boolean} codeNeeded @param {string} problem @param {(me: any) => void} succeed @param {(why: Error) => void} fail */
function showDialog(codeNeeded, problem, succeed, fail) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "login-title");
  const invited = invitation();
  const toTable = invited?.path.startsWith("/table/") ?? false;
  let asksCode = codeNeeded && !invited?.code;
  const leave = () => {
    dialog.remove();
    fail(new Error("You need a name to play. Reload the page to enter one."));
  };
  const enter = async (/** @type {SubmitEvent} */ event) => {
    const { code = invited?.code ?? "", name } = formValues(event);
    try {
      const me = await request("/guests", "POST", { code, name });
      keepName(name);
      if (!toTable) dropInvitation();
      dialog.remove();
      succeed({ ...me, sits: toTable });
    } catch (error) {
      const wrongCode = error instanceof ServerError && error.problem.code === "lan.code";
      asksCode ||= wrongCode;
      problem = wrongCode ? "This access code is wrong. Check it and try again." : nameProblem(error, name);
      show();
    }
  };
  const show = () =>
    draw(
      dialog,
      h(
        "form",
        { onsubmit: (/** @type {SubmitEvent} */ event) => void enter(event) },
        h("h2", { id: "login-title" }, toTable ? "You are invited to a table" : "Welcome to Crossfelt"),
        h(
          "p",
          null,
          asksCode
            ? "Ask the person who started this server for the access code."
            : "Everybody plays with play money. You start with $1,000.",
        ),
        h("div", { role: "alert" }, problem && h("p", { class: "notice" }, problem)),
        fieldNode(
          { name: "name", title: "Your name at the table", value: chosenName() },
          { autofocus: !asksCode, minlength: 2, maxlength: 24, autocomplete: "nickname" },
        ),
        asksCode && fieldNode({ name: "code", title: "Access code" }, { autofocus: true }),
        buttonRow(
          h("button", { class: "button main" }, toTable ? "Sit down" : "Play"),
          buttonNode("Cancel", leave, { class: "button quiet" }),
        ),
      ),
    );
  show();
  dialog.addEventListener("cancel", leave);
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {unknown} error @param {string} name */
export function nameProblem(error, name) {
  const code = error instanceof ServerError ? error.problem.code : "";
  if (code === "account.taken") return `“${name}” is taken. Choose another name, such as “${name} 2”.`;
  if (code === "account.reserved") return `“${name}” is reserved. Choose another name.`;
  return errorText(error);
}
