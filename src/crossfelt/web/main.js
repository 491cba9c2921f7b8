// @ts-check
/** Opens the page that the address names. Every page is a custom element that is loaded when it is needed. */

import { apply } from "./shared/preferences.js";
import { draw, h } from "./shared/dom.js";

apply();

/** @type {[RegExp, string, () => Promise<unknown>][]} */
const PAGES = [
  [/^\/(?:lobby)?$/, "cf-lobby", () => import("./lobby/lobby.js")],
  [/^\/table\/([^/]+)$/, "cf-table", () => import("./table/table.js")],
  [/^\/history\/([^/]+)$/, "cf-history", () => import("./table/history.js")],
  [/^\/review\/([^/]+)$/, "cf-review", () => import("./table/review.js")],
  [/^\/rules(?:\/([^/]+))?$/, "cf-rules", () => import("./lobby/rules.js")],
  [/^\/laboratory(?:\/([^/]+))?$/, "cf-laboratory", () => import("./lab/lab.js")],
  [/^\/train$/, "cf-train", () => import("./trainer/trainer.js")],
  [/^\/console\/deal$/, "cf-deals", () => import("./dealer/dealer_lobby.js")],
  [/^\/console\/deal\/([^/]+)$/, "cf-dealing", () => import("./dealer/dealer.js")],
  [/^\/console$/, "cf-floor", () => import("./console/floor.js")],
  [/^\/console\/table\/([^/]+)$/, "cf-floor-table", () => import("./console/floor_table.js")],
  [/^\/console\/meters$/, "cf-meters", () => import("./console/meters.js")],
  [/^\/console\/figures$/, "cf-figures", () => import("./console/revenue.js")],
  [/^\/console\/accounts$/, "cf-accounts", () => import("./console/accounts.js")],
  [/^\/console\/proposals$/, "cf-proposals", () => import("./console/proposals.js")],
  [/^\/console\/submission\/([^/]+)$/, "cf-submission", () => import("./console/submission.js")],
  [/^\/console\/audit$/, "cf-audit", () => import("./console/audit.js")],
  [/^\/console\/rounds\/([^/]+)$/, "cf-cases", () => import("./console/round_list.js")],
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
    draw(
      main,
      h(
        "section",
        { class: "sheet" },
        h("h1", null, "No such room"),
        h("p", null, "This house has no page at this address. ", h("a", { href: "/" }, "To the lobby")),
      ),
    );
    return;
  }
  const [pattern, tag, load] = found;
  await load();
  const [, of] = pattern.exec(path) ?? [];
  draw(main, h(tag, { key: path, of }));
  for (const link of document.querySelectorAll("#menu a")) {
    const here =
      link.getAttribute("href") === path ||
      (link.getAttribute("href") !== "/" && path.startsWith(link.getAttribute("href") ?? "?"));
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Goes to another page of the house. @param {string} path */
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
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", apply);
void show();
