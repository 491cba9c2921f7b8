// @ts-check
/** The posted notice of a table, as the server words it: payout limit, wheels, fixed odds and random awards. */

import { clauseButtons } from "../shared/clauses.js";
import { buttonNode, h, tableHead } from "../shared/dom.js";
import { percent } from "../shared/format.js";

/** The payout limit: its amount, its cover and its clauses. @param {any} game */
export function limitNotices(game) {
  return game.posted.limits.map((/** @type {any} */ limit) =>
    h(
      "p",
      { key: limit.title, class: "posted-limit" },
      h("strong", null, `${limit.title}.`),
      ` ${limit.on === "layout" ? "Printed on the layout." : "Posted at the table."} ${limit.says} `,
      clauseButtons([...limit.clauses, ...limit.readings]),
      limit.house_rule && h("span", { class: "house-rule", title: limit.house_rule }, "house rule"),
    ),
  );
}

/**
 * The trigger and the wheels of each spin wager.
 * @param {any} game
 * @param {boolean} [cites] with clauses
 * @param {(wheel: string) => unknown} [tryIt] spins a wheel without money
 */
export function spinNotices(game, cites = false, tryIt) {
  return game.posted.spins.map((/** @type {any} */ spin) => [
    h("p", { key: spin.wager, class: "posted-trigger" }, h("strong", null, `${spin.title}. `), spin.trigger),
    spin.wheels.map((/** @type {any} */ wheel) => [
      wheelTable(wheel, cites),
      tryIt &&
        buttonNode("Try the wheel", () => tryIt(wheel.name), { key: `try ${wheel.name}`, class: "button try-wheel" }),
    ]),
  ]);
}

/** @param {any} wheel @param {boolean} cites */
function wheelTable(wheel, cites) {
  const all = wheel.slices.reduce((/** @type {number} */ sum, /** @type {any} */ slice) => sum + slice.weight, 0);
  return h(
    "table",
    { key: wheel.name, class: "pays posted-wheel" },
    h("caption", null, wheel.title, " ", cites && clauseButtons(wheel.clauses)),
    tableHead(["Stop", "Pays", "Chance"]),
    h(
      "tbody",
      null,
      wheel.slices.map((/** @type {any} */ slice) =>
        h(
          "tr",
          { key: slice.place },
          h("th", { scope: "row" }, slice.place),
          h("td", null, slice.text),
          h("td", null, percent(slice.weight / all, 3)),
        ),
      ),
    ),
    wheel.mark && h("tfoot", null, h("tr", null, h("td", { colspan: 3 }, h("small", null, wheel.mark)))),
  );
}

/** The origin of a pay table's figures that no document prints. @param {any} game @param {any[]} group */
export function payMarks(game, group) {
  const ids = group.map((pay) => pay.id);
  return game.posted.pays
    .filter((/** @type {any} */ pay) => markText(pay) && ids.includes(pay.id))
    .map((/** @type {any} */ pay) => h("small", { key: pay.id, class: "pay-mark" }, pay.title, markText(pay)));
}

/** The mark of figures that no document prints. @param {{illustrative: boolean, house_rule: string}} line */
function markText({ illustrative, house_rule }) {
  const marks = [illustrative && "illustrative", house_rule && `house rule, ${house_rule}`].filter(Boolean);
  return marks.length ? ` (${marks.join(", ")})` : "";
}

/** Fixed odds and the frequency of random awards. @param {any} game */
export function otherNotices(game) {
  return [...game.posted.odds, ...game.posted.awards].map((line) =>
    h("p", { key: line.id, class: "quiet posted-odds" }, `${line.title}: ${line.text}`, markText(line), "."),
  );
}

/** The limit at the dealer's side: lettering on the layout, or a plate. @param {any} game @param {() => void} open */
export function limitPlates(game, open) {
  return game.posted.limits.map((/** @type {any} */ limit) =>
    buttonNode([h("span", null, "Payout limit"), h("b", null, limit.amount)], open, {
      key: limit.title,
      class: `limit-plate on-${limit.on}`,
      title: limit.says,
      "aria-label": `${limit.title}. ${limit.says}`,
    }),
  );
}

/** The trigger of each wheel, printed on the felt; a press tries the wheel. @param {any} game @param {(wheel: string) => unknown} tryIt */
export function spinPrints(game, tryIt) {
  return game.posted.spins.map((/** @type {any} */ spin) =>
    buttonNode(
      [h("b", null, `${spin.title}: `), `${spin.trigger.split(". ")[0].replace(/\.$/, "")}.`],
      () => tryIt(spin.wheels[0].name),
      {
        key: `print ${spin.wager}`,
        class: "spin-print",
        title: "Try the wheel, without money",
      },
    ),
  );
}

/** The odds in print on the felt, where the submission has them on the layout. @param {any} game */
export function feltPrint(game) {
  const { posted } = game;
  if (posted.odds_on !== "layout") return null;
  const lines = [...posted.pays, ...posted.odds, ...posted.awards].map((line) => [
    line.title,
    line.text + (line.illustrative ? " (illustrative)" : ""),
  ]);
  const wheels = posted.spins.flatMap((/** @type {any} */ spin) =>
    spin.wheels.map((/** @type {any} */ wheel, /** @type {number} */ at) => [
      wheel.title,
      [
        at === 0 ? spin.trigger : "",
        `${wheel.slices.map((/** @type {any} */ slice) => `${slice.place}: ${slice.text}`).join(" · ")}.`,
        wheel.mark,
      ].join(" "),
    ]),
  );
  return h(
    "dl",
    { class: "felt-print", "aria-label": "Odds printed on the layout" },
    [...lines, ...wheels].map(([title, text]) =>
      h("div", { key: title }, h("dt", null, title.replace(/ \(Table \d+\)/, "")), h("dd", null, text)),
    ),
  );
}
