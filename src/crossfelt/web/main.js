// @ts-check
/** Opens the page of the current address. Each page is a custom element, loaded on first use. */

import { ensureAccount } from "./shared/api.js";
import { buttonNode, draw, h } from "./shared/dom.js";
import { invitation } from "./shared/invitation.js";
import { applySettings } from "./shared/preferences.js";

applySettings();

/** @type {[RegExp, string, () => Promise<unknown>][]} */
const PAGES = [
  [/^\/(?:lobby)?$/, "cf-lobby", () => import("./lobby/lobby.js")],
  [/^\/table\/([^/]+)$/, "cf-table", () => import("./table/table.js")],
  [/^\/history\/([^/]+)$/, "cf-history", () => import("./table/history.js")],
  [/^\/proof\/([^/]+\/\d+\.\d+)$/, "cf-proof", () => import("./table/proof.js")],
  [/^\/review\/([^/]+)$/, "cf-review", () => import("./table/review.js")],
  [/^\/rules(?:\/([^/]+))?$/, "cf-rules", () => import("./lobby/rules.js")],
  [/^\/laboratory(?:\/([^/]+))?$/, "cf-laboratory", () => import("./lab/lab.js")],
  [/^\/train$/, "cf-train", () => import("./trainer/trainer.js")],
  [/^\/console\/deal$/, "cf-dealer-lobby", () => import("./dealer/dealer_lobby.js")],
  [/^\/console\/deal\/([^/]+)$/, "cf-dealer-desk", () => import("./dealer/dealer.js")],
  [/^\/console$/, "cf-floor", () => import("./console/floor.js")],
  [/^\/console\/table\/([^/]+)$/, "cf-floor-table", () => import("./console/floor_table.js")],
  [/^\/console\/meters$/, "cf-meters", () => import("./console/meters.js")],
  [/^\/console\/day$/, "cf-day-figures", () => import("./console/day_figures.js")],
  [/^\/console\/statistics\/([^/]+)$/, "cf-statistics", () => import("./console/statistics.js")],
  [/^\/console\/figures$/, "cf-revenue", () => import("./console/revenue.js")],
  [/^\/console\/accounts$/, "cf-accounts", () => import("./console/accounts.js")],
  [/^\/console\/proposals$/, "cf-proposals", () => import("./console/proposals.js")],
  [/^\/console\/submission\/([^/]+)$/, "cf-submission", () => import("./console/submission.js")],
  [/^\/console\/audit$/, "cf-audit", () => import("./console/audit.js")],
  [/^\/console\/rounds\/([^/]+)$/, "cf-round-list", () => import("./console/round_list.js")],
  [/^\/console\/rounds\/([^/]+\/\d+)$/, "cf-dispute", () => import("./console/dispute.js")],
  [/^\/settings$/, "cf-settings", () => import("./lobby/settings.js")],
];
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const where = /** @type {HTMLElement} */ (document.getElementById("where"));

async function show() {
  const path = decodeURI(location.pathname);
  const found = PAGES.find(([pattern]) => pattern.test(path));
  draw(where);
  if (!found) {
    showMessage("Page not found", "There is no page at this address. ", h("a", { href: "/" }, "Back to the lobby"));
    return;
  }
  const [pattern, tag, load] = found;
  try {
    await load();
  } catch {
    // A newer version of the server has other files: a reload fetches them.
    const reload = buttonNode("Reload", () => location.reload(), { class: "link" });
    showMessage("This page did not load", "The server does not answer, or it was updated. ", reload);
    return;
  }
  const [, of] = pattern.exec(path) ?? [];
  draw(main, h(tag, { key: path, of }));
  for (const link of document.querySelectorAll("#menu a")) {
    const href = link.getAttribute("href") ?? "";
    if (href === path || (href !== "/" && path.startsWith(href))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {string} title @param {...import("./shared/dom.js").Content} content */
function showMessage(title, ...content) {
  draw(main, h("section", { class: "sheet" }, h("h1", null, title), h("p", null, content)));
}

/** Goes to another page. @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  void show().then(() => main.focus({ preventScroll: true }));
  scrollTo(0, 0);
}

addEventListener("popstate", () => void show());
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href^='/']");
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    link.hasAttribute("download")
  )
    return;
  const path = link.getAttribute("href") ?? "/";
  if (path.startsWith("/api/")) return;
  event.preventDefault();
  go(path);
});
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", applySettings);
void show().then(() => invitation() && ensureAccount().catch(() => {}));
