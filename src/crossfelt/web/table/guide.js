// @ts-check
/**
 * The guided first hand: the server's captions, each beside the part of the felt that it talks about. A caption waits for
 * Next or for the player's own act; the guide can be skipped at any time.
 */

import { betTexts, howToPlay, openLesson } from "../lobby/how_to_play.js";
import { errorText, request, requestCached } from "../shared/api.js";
import { eventSource, proofButton } from "../shared/clauses.js";
import { announce, buttonNode, h, loadStylesheet, quietText } from "../shared/dom.js";
import { dollars, resultText } from "../shared/format.js";
import { missingWagers } from "./bets.js";
import { bettingOption, netOf, ownSeat, wagerOf } from "./state.js";

await loadStylesheet("table/guide.css");

/** @typedef {import("./table.js").TablePage} Page */
/** @typedef {{id: string, at: string, text: string, points: string[], waits: "next" | "wagers" | "act", advice: string}} Caption */
/** @typedef {{captions: Caption[], done: Set<string>, shown: string, round: number, follow: AbortController}} Guide */

const DECISIONS = ["bet", "fold", "choose", "set_hand"];
/** The gap between a caption and the edges, in px. */
const GAP = 8;

/** Starts the guide at a lesson, in its first round. @param {Page} page */
export async function startGuide(page) {
  const { table, view } = page.state;
  if (!table.lesson_seed || page.ui.guide || (view?.round ?? 0) > 1 || skippedBefore(page)) return;
  const follow = new AbortController();
  page.ui.guide = { captions: [], done: new Set(), shown: "", round: 1, follow };
  for (const moved of ["scroll", "resize"])
    addEventListener(moved, () => placeGuide(page), { signal: follow.signal, passive: true });
  page.ui.guide.captions = await request(`/tables/${encodeURIComponent(page.id_ ?? "")}/guide`).catch(() => []);
  page.show();
}

/** @param {Page} page */
const skippedBefore = (page) => sessionStorage.getItem(`crossfelt.guided.${page.id_}`) !== null;

/** @param {Page} page */
function endGuide(page) {
  page.ui.guide?.follow.abort();
  page.ui.guide = null;
  sessionStorage.setItem(`crossfelt.guided.${page.id_}`, "1");
  page.show();
}

/** Returns the step of the script that the player is at; empty while the dealer acts. @param {Page} page */
function stepNow(page) {
  const { state, ui } = page;
  const seat = ownSeat(state);
  const { last } = state;
  if (ui.result || (last && ui.guide && last.number >= ui.guide.round)) return "end";
  const asked = state.allowed.some((one) => one.seat === seat?.number && DECISIONS.includes(one.command));
  return seat && (bettingOption(state) ? !ui.ready : asked) ? (state.view?.step ?? "") : "";
}

/** Returns the caption to show. @param {Page} page @returns {Caption | undefined} */
function captionOf(page) {
  const { guide } = page.ui;
  if (!guide) return undefined;
  const here = guide.captions.filter((one) => one.at === stepNow(page));
  const met = here.findLastIndex((one) => one.waits === "wagers" && hasWagers(page));
  return here.slice(met + 1).find((one) => !guide.done.has(one.id));
}

/** Returns true when the required wagers lie. @param {Page} page */
function hasWagers(page) {
  const betting = bettingOption(page.state);
  const seat = ownSeat(page.state);
  return Boolean(betting && seat && !missingWagers(betting, page.ui.draft ?? seat.wagers).length);
}

/** The caption on the felt. @param {Page} page */
export function guideNode(page) {
  const caption = captionOf(page);
  const { guide } = page.ui;
  if (!caption || !guide) return null;
  const end = caption.at === "end";
  const place = guide.captions.indexOf(caption) + 1;
  const next = () => {
    guide.done.add(caption.id);
    page.show();
  };
  return h(
    "section",
    { key: "guide", class: `guide${end ? " guide-end" : ""}`, "aria-label": "Guide" },
    end && resultNodes(page),
    h("p", { class: "guide-text" }, caption.text),
    caption.advice && h("p", { key: "advice", class: "guide-advice" }, caption.advice),
    h(
      "div",
      { class: "guide-buttons" },
      !end && h("span", { key: "step", class: "guide-step" }, `Step ${place} of ${guide.captions.length}`),
      !end && buttonNode("Skip", () => endGuide(page), { key: "skip", class: "link", "aria-label": "Skip the guide" }),
      end && h("a", { key: "rules", class: "link", href: `/rules/${page.state.game.rulebook}` }, "What each bet does"),
      end && buttonNode("Play on", () => endGuide(page), { key: "on", class: "button main" }),
      caption.waits === "next" &&
        !end &&
        buttonNode(["Next", h("kbd", { "aria-hidden": "true" }, "N")], next, { key: "next", class: "button main" }),
      caption.waits !== "next" && h("span", { key: "wait", class: "guide-wait" }, "Your move"),
    ),
  );
}

/** The result of the hand, bet by bet. @param {Page} page */
function resultNodes(page) {
  const last = page.ui.result ? page.state.round : page.state.last;
  const seat = ownSeat(page.state);
  if (!last || !seat) return null;
  const net = netOf(last, seat.number);
  return [
    h(
      "p",
      { key: "net", class: `guide-net ${net > 0 ? "up" : net < 0 ? "down" : ""}` },
      net > 0 ? `You won ${dollars(net)}.` : net < 0 ? `You lost ${dollars(-net)}.` : "You broke even.",
    ),
    h(
      "dl",
      { key: "results", class: "guide-results" },
      Object.values(last.results[seat.number] ?? {}).map((one) =>
        h(
          "div",
          { key: one.wager },
          h(
            "dt",
            null,
            wagerOf(page.state, one.wager)?.title ?? one.wager,
            one.hand && h("small", null, ` ${one.hand}`),
          ),
          h("dd", null, proofButton(resultText(one), eventSource(page.id_, one))),
        ),
      ),
    ),
  ];
}

/**
 * Carries out a key of the guide: N or Enter for Next, Escape to skip.
 * @param {Page} page
 * @param {KeyboardEvent} event
 * @returns {boolean} true when the guide has taken the key
 */
export function guideKey(page, event) {
  const caption = captionOf(page);
  const { guide } = page.ui;
  if (!caption || !guide) return false;
  if (event.key === "Escape" && !page.ui.panel && !page.ui.spun) {
    endGuide(page);
    return true;
  }
  const onButton = event.key === "Enter" && /** @type {Element} */ (event.target).closest?.("button, a, summary");
  if (!["n", "N", "Enter"].includes(event.key) || event.repeat || onButton || caption.waits !== "next") return false;
  if (caption.at === "end") endGuide(page);
  else guide.done.add(caption.id);
  page.show();
  event.preventDefault();
  return true;
}

// --- what a caption points at ------------------------------------------------------------------------------------------

/** Lights what the caption talks about, announces a new caption and puts it where it covers none of it. @param {Page} page */
export function placeGuide(page) {
  const caption = captionOf(page);
  const box = /** @type {HTMLElement | null} */ (page.querySelector(".guide"));
  const lit = new Set(caption ? caption.points.flatMap((point) => elementsAt(page, point)) : []);
  for (const element of page.querySelectorAll("[data-guided]"))
    if (!lit.has(element)) element.removeAttribute("data-guided");
  for (const element of lit) element.setAttribute("data-guided", "");
  if (!caption || !box || !page.ui.guide) return;
  if (page.ui.guide.shown !== caption.id) {
    page.ui.guide.shown = caption.id;
    announce(`Guide: ${caption.text} ${caption.advice}`);
    const hidden = [...lit].find((one) => !isInView(page, one));
    hidden?.scrollIntoView({ block: "center", behavior: "instant" });
  }
  putBeside(box, [...lit], page);
}

/** @param {Page} page @param {string} point @returns {Element[]} */
function elementsAt(page, point) {
  const [kind, id] = point.split(":");
  const all = (/** @type {string} */ selector) => [...page.querySelectorAll(selector)];
  const own = () => all(".place [data-place^='seat']");
  if (kind === "wager") return all(`[data-wager='${id}']`);
  if (kind === "action") return all(`[data-action='${id}']`);
  if (kind === "actions") return all(".rail .buttons");
  if (kind === "own") return own();
  /** @type {string[]} */
  const places = page.state.game.hands.find((/** @type {any} */ hand) => hand.id === id)?.places ?? [];
  const cards = places.flatMap((place) => all(`.board [data-place='${place}']`));
  const boxes = cards.length ? [] : places.flatMap((place) => all(`[data-box='${place}']`));
  return [...cards, ...boxes, ...own()];
}

/** Returns true when neither the window nor the rail below the felt cuts an element. @param {Page} page @param {Element} element */
function isInView(page, element) {
  const { top, bottom, right } = element.getBoundingClientRect();
  const rail = page.querySelector("section.rail")?.getBoundingClientRect();
  const below = rail && rail.left < right && !element.closest(".rail") ? rail.top : innerHeight;
  return top >= 0 && bottom <= below;
}

/**
 * Puts the caption where it covers least of what it talks about, of what can be pressed and of what can be read, then
 * nearest to its subject.
 * @param {HTMLElement} box
 * @param {Element[]} lit
 * @param {Page} page
 */
function putBeside(box, lit, page) {
  const { width, height } = box.getBoundingClientRect();
  const subjects = lit.map((one) => one.getBoundingClientRect());
  const [pressed, read] = [
    ".rail, .rail .button, .area.takes, .to-set button",
    ".area, .lines, .tray-name, cf-card",
  ].map((all) => [...page.querySelectorAll(all)].map((one) => one.getBoundingClientRect()));
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  const centre = middleOf(subjects);
  let best = { cost: Infinity, left: GAP, top: GAP };
  const lastLeft = Math.max(GAP, innerWidth - width - GAP);
  const lastTop = Math.max(GAP, innerHeight - height - GAP);
  for (let across = 0; across <= 8; across += 1)
    for (let top = Math.min(lastTop, Math.max(GAP, bar + GAP)); top <= lastTop; top += 12) {
      const left = GAP + ((lastLeft - GAP) * across) / 8;
      const at = { left, top, right: left + width, bottom: top + height };
      const far = Math.hypot(left + width / 2 - centre.x, top + height / 2 - centre.y);
      const cost = 100 * covered(at, subjects) + 20 * covered(at, pressed) + covered(at, read) + far;
      if (cost < best.cost) best = { cost, left, top };
    }
  box.style.setProperty("left", `${Math.round(best.left)}px`);
  box.style.setProperty("top", `${Math.round(best.top)}px`);
}

/** @param {DOMRect[]} rects */
function middleOf(rects) {
  if (!rects.length) return { x: innerWidth / 2, y: innerHeight / 2 };
  const left = Math.min(...rects.map((one) => one.left));
  const right = Math.max(...rects.map((one) => one.right));
  const top = Math.min(...rects.map((one) => one.top));
  const bottom = Math.max(...rects.map((one) => one.bottom));
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** The area of the rectangles that a box covers. @param {{left: number, top: number, right: number, bottom: number}} box @param {DOMRect[]} rects */
function covered(box, rects) {
  let area = 0;
  for (const one of rects) {
    const wide = Math.min(box.right, one.right) - Math.max(box.left, one.left);
    const high = Math.min(box.bottom, one.bottom) - Math.max(box.top, one.top);
    if (wide > 0 && high > 0) area += wide * high;
  }
  return area;
}

// --- under ? at the table ----------------------------------------------------------------------------------------------

/** The section “How to play” of the help panel. @param {Page} page */
export function guideHelp(page) {
  const { ui, state } = page;
  if (!ui.howTo) void loadHowTo(page);
  return [
    h("h2", { key: "how-title" }, "How to play"),
    ui.howTo
      ? [howToPlay(ui.howTo), h("h3", { key: "bets-title" }, "What each bet does"), betTexts(ui.howTo)]
      : quietText("Loading…"),
    h(
      "p",
      { key: "lesson", class: "guide-buttons" },
      buttonNode("Play a guided hand", () => void learn(page), { class: "button" }),
      h("a", { href: `/rules/${state.game.rulebook}` }, "Rules and odds"),
    ),
  ];
}

/** @param {Page} page */
async function loadHowTo(page) {
  page.ui.howTo = await requestCached(`/tables/${encodeURIComponent(page.id_ ?? "")}/how-to-play`).catch(() => null);
  if (page.ui.howTo) page.show();
}

/** @param {Page} page */
async function learn(page) {
  try {
    await openLesson(page.state.game.rulebook);
  } catch (error) {
    page.notify(errorText(error));
  }
}
