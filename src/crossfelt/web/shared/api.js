// @ts-check
/** The house's plain questions: everything that is not the live table. */

export class ServerError extends Error {
  /** @param {number} status @param {any} told one problem, or all of them */
  constructor(status, told) {
    const problems = told?.problems ?? (told ? [told.problem ?? told] : []);
    super(problems[0]?.what ?? `The house answered ${status}.`);
    this.status = status;
    this.problems = problems;
    this.problem = problems[0] ?? {};
  }
}

/** @param {string} path @param {string} [method] @param {any} [body] @returns {Promise<any>} */
export async function ask(path, method = "GET", body = undefined) {
  const answer = await fetch(`/api${path}`, {
    method,
    headers:
      body === undefined
        ? { accept: "application/json" }
        : { accept: "application/json", "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
  });
  const text = await answer.text();
  const data = text && answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
  if (!answer.ok) throw new ServerError(answer.status, data);
  return data;
}

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/**
 * A question whose answer does not change while the page is open: the rules of a game, a clause.
 * @param {string} path
 * @returns {Promise<any>}
 */
export function askOnce(path) {
  let answer = kept.get(path);
  if (!answer) {
    answer = ask(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
  }
  return answer;
}

/**
 * Who is here; sits nobody down.
 * @returns {Promise<{name: string | null, balance_cents?: number, roles?: string[], code_needed?: boolean}>}
 */
const whoAmI = () => ask("/me");

/** Makes sure that somebody is here: a guest where nobody has a name yet. */
export async function asSomebody() {
  const me = await whoAmI();
  if (me.name) return me;
  return me.code_needed ? (await import("./lan_login.js")).comeIn() : ask("/guests", "POST", {});
}

/** Whoever is here, with so much play money at least. @param {number} cents */
export async function withMoney(cents) {
  const me = await asSomebody();
  return me.balance_cents >= cents ? me : ask("/me/deposits", "POST", { cents, reason: "chips at a table" });
}
