// @ts-check
/** The dialog that invites friends: a link to copy, and its QR code to scan. */

import { ensureAccount, errorText, request } from "./api.js";
import { announce, buttonNode, buttonRow, draw, h, loadStylesheet } from "./dom.js";

/** Opens the dialog for the lobby, or for one table. @param {string} [table] */
export async function openInvite(table) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog invite";
  dialog.setAttribute("aria-labelledby", "invite-title");
  dialog.addEventListener("close", () => dialog.remove());
  await loadStylesheet("shared/invite.css");
  try {
    await ensureAccount();
    const path = table ? `/tables/${encodeURIComponent(table)}/invitation` : "/invitation";
    draw(dialog, content(dialog, await request(path)));
  } catch (error) {
    draw(dialog, frame(dialog, h("p", { class: "notice", role: "alert" }, errorText(error))));
  }
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {HTMLDialogElement} dialog @param {{link: string, this_machine: boolean, qr: {size: number, path: string}}} invitation */
function content(dialog, { link, this_machine: local, qr }) {
  return frame(
    dialog,
    h(
      "p",
      null,
      local
        ? [
            "This link works on this machine only. To invite friends on your network, start the server with ",
            h("code", null, "crossfelt serve --lan"),
            ".",
          ]
        : "A friend on your network scans the code or opens the link, types a name, and plays. Nothing is installed.",
    ),
    !local &&
      h(
        "svg",
        { class: "qr", viewBox: `0 0 ${qr.size} ${qr.size}`, role: "img", "aria-label": "QR code of the link" },
        h("path", { d: qr.path }),
      ),
    h("input", { class: "invite-link", readonly: true, value: link, "aria-label": "Invitation link" }),
    buttonRow(
      buttonNode("Copy link", (event) => void copy(event, link), { class: "button main", autofocus: true }),
      "share" in navigator && buttonNode("Share", () => void navigator.share({ url: link }).catch(() => {})),
      buttonNode("Close", () => dialog.close(), { class: "button quiet" }),
    ),
  );
}

/** @param {HTMLDialogElement} dialog @param {...any} nodes */
const frame = (dialog, ...nodes) =>
  h(
    "div",
    { class: "dialog-text" },
    h("h2", { id: "invite-title" }, "Invite friends"),
    nodes,
    nodes.length === 1 && buttonNode("Close", () => dialog.close()),
  );

/** Copies the link. Over plain HTTP a browser has no clipboard for pages, so the field is copied. @param {MouseEvent} event @param {string} link */
async function copy(event, link) {
  const button = /** @type {HTMLElement} */ (event.target);
  if (navigator.clipboard) await navigator.clipboard.writeText(link);
  else {
    const field = /** @type {HTMLInputElement} */ (button.closest("dialog")?.querySelector(".invite-link"));
    field.select();
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  announce("The link is copied");
}
