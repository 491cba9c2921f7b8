// @ts-check
/** What every wager returns, in force and proposed, side by side. */

import { h } from "../shared/dom.js";
import { rowsTable } from "./staff_page.js";
import { percent } from "../shared/format.js";

/** Each wager, before and after. @param {any[]} wagers */
export function returnsTable(wagers) {
  const share = (/** @type {any} */ figure) => (figure ? percent(figure.returned.value, 3) : "not offered");
  return h(
    "div",
    { class: "returns-of" },
    rowsTable({
      caption: "Return of each wager",
      hidden: true,
      rows: wagers,
      key: (wager) => wager.wager,
      columns: [
        {
          title: "Wager",
          cell: (wager) => [wager.title, h("small", { class: "quiet" }, ` ${(wager.after ?? wager.before).method}`)],
        },
        { title: "In force", number: true, cell: (wager) => share(wager.before) },
        { title: "Proposed", number: true, cell: (wager) => h("strong", null, share(wager.after)) },
        {
          title: "Difference",
          number: true,
          cell: ({ before, after }) => {
            const by = before && after ? after.returned.value - before.returned.value : 0;
            return before && after
              ? h(
                  "span",
                  { class: by > 0 ? "down" : by < 0 ? "up" : "quiet" },
                  by ? `${by > 0 ? "+" : "−"}${percent(Math.abs(by), 3)}` : "none",
                )
              : "";
          },
        },
      ],
    }),
  );
}
