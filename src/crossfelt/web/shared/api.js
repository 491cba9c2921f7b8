// @ts-check
/** Requests to the server's HTTP API. The live table has its own WebSocket connection. */

import { problemText } from "./format.js";
import { invitation } from "./invitation.js";
import { chosenName } from "./player_name.js";

export class ServerError extends Error {
  /** @param {number} status @param {any} payload one problem, or a list of problems */
  constructor(status, payload) {
    const problems = payload?.problems ?? (payload ? [payload.problem ?? payload] : []);
    super(problems[0]?.what ?? `The server answered with status ${status}. Try again.`);
    this.status = status;
    this.problems = problems;
    this.problem = problems[0] ?? {};
  }
}

/** @param {string} path @param {string} [method] @param {any} [body] @returns {Promise<any>} */
export async function request(path, method = "GET", body = undefined) {
  const response = await fetch(`/api${path}`, {
    method,
    headers:
      body === undefined
        ? { accept: "application/json" }
        : { accept: "application/json", "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
  });
  const text = await response.text();
  const data = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
  if (!response.ok) throw new ServerError(response.status, data);
  return data;
}

/** @type {Map<string, Promise<any>>} */
const cached = new Map();

/**
 * Returns an answer that does not change while the page is open, such as a game's rules or a clause.
 * @param {string} path
 * @returns {Promise<any>}
 */
export function requestCached(path) {
  let answer = cached.get(path);
  if (!answer) {
    answer = request(path);
    cached.set(path, answer);
    answer.catch(() => cached.delete(path));
  }
  return answer;
}

/** Returns the account of this session; without one, creates a guest account. A guest of another player states a name. */
export async function ensureAccount() {
  const me = await request("/me");
  if (me.name) return me;
  if (me.code_needed || invitation()) return (await import("./lan_login.js")).logIn(me.code_needed);
  const name = chosenName();
  try {
    return await request("/guests", "POST", name ? { name } : {});
  } catch (error) {
    if (!(error instanceof ServerError) || !error.problem.code?.startsWith("account.")) throw error;
    const { logIn, nameProblem } = await import("./lan_login.js");
    return logIn(false, nameProblem(error, name));
  }
}

/** Returns the account, with at least this much play money. @param {number} cents */
export async function ensureBalance(cents) {
  const me = await ensureAccount();
  return me.balance_cents >= cents ? me : request("/me/deposits", "POST", { cents, reason: "chips at a table" });
}

/** Returns a failed request as text for the user. @param {unknown} error */
export function errorText(error) {
  if (error instanceof TypeError) return "The server does not answer. Check your connection and try again.";
  if (!(error instanceof ServerError)) return /** @type {Error} */ (error).message;
  if (error.problem.code === "table.unknown")
    return "This table does not exist or has closed. Choose one in the lobby.";
  return error.problem.what ? problemText(error.problem) : error.message;
}
