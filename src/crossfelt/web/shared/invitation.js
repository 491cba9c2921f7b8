// @ts-check
/**
 * The secrets in the fragment of an invitation link: the access code, and the key of a private table. The page takes them
 * from its address at once. They stay in this tab until they are used, and no request line carries them.
 */

import { request } from "./api.js";

const STORED = "crossfelt.invitation";

/** Takes the secrets from the address. Returns true if there were any. */
function take() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has("code") && !fragment.has("invite")) return false;
  const secrets = { code: fragment.get("code") ?? "", key: fragment.get("invite") ?? "", path: location.pathname };
  sessionStorage.setItem(STORED, JSON.stringify(secrets));
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

take();
// A link to the page that is open changes only the fragment.
addEventListener("hashchange", () => take() && location.reload());

/** Returns the invitation by which this tab was opened. @returns {{code: string, key: string, path: string} | null} */
export const invitation = () => JSON.parse(sessionStorage.getItem(STORED) ?? "null");

/** Drops the invitation: it has been used, or it does not fit. */
export const dropInvitation = () => sessionStorage.removeItem(STORED);

/** Accepts the invitation to a table, if there is one. @param {string} table */
export async function acceptInvitation(table) {
  const found = invitation();
  if (!found || found.path !== `/table/${table}`) return;
  dropInvitation();
  if (found.key) await request(`/tables/${encodeURIComponent(table)}/guests`, "POST", { key: found.key });
}

/** Opens the dialog that invites friends, to a table or to the server. @param {string} [table] */
export const invite = async (table) => (await import("./invite.js")).openInvite(table);
