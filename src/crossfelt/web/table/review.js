// @ts-check
/** The review of a session: the cost of each decision against best play on the same cards, as a graph and a table. */

import { ensureAccount, errorText, request } from "../shared/api.js";
import { draw, h, quietText, tableHead } from "../shared/dom.js";
import { axisTicks, capital, cardSymbol, choiceText, dollars, plain, signed } from "../shared/format.js";
import { BasePage } from "../shared/page.js";
import { shortcutOf, stepTo } from "../shared/step_keys.js";

const [WIDTH, HEIGHT, EDGE, FOOT] = [640, 240, 64, 30];
/** @type {Record<string, string>} */
const JUMPS = { b: "blunder", m: "mistake", i: "inaccuracy" };

class Review extends BasePage {
  heading = "review";
  /** @type {any} */
  review = null;
  at = 0;

  /** @param {number} [seat] without it, the last seat */
  async load(seat = 0) {
    try {
      await ensureAccount();
      const review = await request(`/tables/${encodeURIComponent(this.subject)}/review?seat=${seat}`);
      this.review = review;
      this.at = 0;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const all = this.review?.decisions ?? [];
    let to = stepTo(event, this.at, all.length - 1);
    const grade = JUMPS[shortcutOf(event)];
    if (grade) {
      const later = all.findIndex(
        (/** @type {any} */ decision, /** @type {number} */ at) => at > this.at && decision.grade === grade,
      );
      to = later >= 0 ? later : all.findIndex((/** @type {any} */ decision) => decision.grade === grade);
    }
    if (to === undefined || to < 0) return;
    event.preventDefault();
    this.select(to);
    this.querySelector(".decisions .here")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} at */
  select(at) {
    this.at = at;
    this.show();
  }

  show() {
    const { review } = this;
    draw(
      this,
      h(
        "section",
        { class: "sheet book" },
        h("h1", null, "Review"),
        quietText(
          h("a", { href: `/table/${this.subject}` }, "Back to the table"),
          h(
            "span",
            { class: "with-keys" },
            " · J and K: next and previous decision · B, M and I: next blunder, mistake or inaccuracy",
          ),
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        !review && !this.problem && quietText("Reviewing your decisions…"),
        review?.seats.length > 1 && this.seats(),
        review &&
          !review.decisions.length &&
          h("p", null, "You have made no decisions at this table yet. Play a round first."),
        review?.decisions.length > 0 && this.summary(),
      ),
    );
  }

  /** The list of seats, for a player who had several. */
  seats() {
    return h(
      "p",
      null,
      h("label", { for: "seat" }, "Seat "),
      h(
        "select",
        {
          id: "seat",
          "prop:value": String(this.review.seat),
          onchange: (/** @type {any} */ event) => void this.load(Number(event.target.value)),
        },
        this.review.seats.map((/** @type {number} */ seat) =>
          h("option", { key: seat, value: seat, selected: seat === this.review.seat }, seat),
        ),
      ),
    );
  }

  summary() {
    const { review } = this;
    return [
      h(
        "dl",
        { class: "grades" },
        Object.entries(review.grades).map(([grade, count]) =>
          h(
            "div",
            { key: grade, class: `grade-${grade}` },
            h("dt", null, capital(grade)),
            h("dd", null, String(count)),
          ),
        ),
      ),
      h(
        "p",
        null,
        "Compared with best play on the same cards, these decisions cost you ",
        h("strong", null, dollars(review.lost_cents)),
        " on average.",
      ),
      this.graph(),
      this.decisionNode(review.decisions[this.at]),
      h(
        "table",
        { class: "pays decisions" },
        tableHead(["Round", "Decision", "Yours", "Best", "Cost"]),
        h(
          "tbody",
          null,
          review.decisions.map((/** @type {any} */ decision, /** @type {number} */ at) =>
            h(
              "tr",
              {
                key: at,
                class: `${at === this.at ? "here" : ""} grade-${decision.grade}`,
                onclick: () => this.select(at),
              },
              h("th", { scope: "row" }, decision.round),
              h("td", null, plain(decision.decision)),
              h("td", null, madeText(decision, decision.chosen)),
              h("td", null, madeText(decision, decision.best)),
              h(
                "td",
                null,
                decision.cost_cents ? dollars(decision.cost_cents) : decision.cost > 0 ? "under 1¢" : "best",
              ),
            ),
          ),
        ),
      ),
    ];
  }

  /** @param {any} decision */
  decisionNode(decision) {
    return h(
      "div",
      { class: `decision grade-${decision.grade}`, role: "status" },
      h(
        "p",
        null,
        h(
          "strong",
          null,
          `Round ${decision.round}, ${plain(decision.decision)}: ${madeText(decision, decision.chosen)}`,
        ),
        decision.grade === "best"
          ? ", the best choice."
          : `, ${decision.grade === "inaccuracy" ? "an" : "a"} ${decision.grade}. The best choice was ${madeText(decision, decision.best)}.`,
      ),
      h(
        "p",
        null,
        Object.entries(decision.seen)
          .map(
            ([name, cards], at) =>
              `${at ? capital(plain(name)) : "Your cards"} ${String(cards).split(" ").map(cardSymbol).join(" ")}`,
          )
          .join(" · "),
      ),
      h("p", { class: "reason" }, decision.reason),
    );
  }

  /** The player's net result, and the same without the cost of the decisions. */
  graph() {
    const { review } = this;
    const rounds = Object.keys(review.nets_cents)
      .map(Number)
      .sort((a, b) => a - b);
    let [yours, lost] = [0, 0];
    const points = rounds.map((round) => {
      yours += review.nets_cents[round];
      lost += review.decisions
        .filter((/** @type {any} */ decision) => decision.round === round)
        .reduce((/** @type {number} */ sum, /** @type {any} */ decision) => sum + decision.cost_cents, 0);
      return { round, yours, perfect: yours + lost };
    });
    const all = points.flatMap((point) => [point.yours, point.perfect, 0]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const ticks = axisTicks(low, high, 4, 100);
    const x = (/** @type {number} */ at) => EDGE + 12 + ((WIDTH - EDGE - 36) * at) / Math.max(1, points.length - 1);
    const y = (/** @type {number} */ cents) =>
      HEIGHT - FOOT - ((HEIGHT - FOOT - 16) * (cents - low)) / Math.max(1, high - low);
    const line = (/** @type {"yours" | "perfect"} */ which) =>
      points.map((point, at) => `${x(at)},${y(point[which])}`).join(" ");
    return h(
      "figure",
      { class: "graph" },
      h(
        "svg",
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          role: "img",
          "aria-label": `Net result over ${points.length} rounds: yours is ${signed(yours)}; with best play, ${signed(yours + lost)} on average`,
        },
        ticks.map((cents) =>
          h(
            "g",
            { key: cents },
            h("line", { x1: EDGE, x2: WIDTH - 12, y1: y(cents), y2: y(cents), class: cents ? "tick" : "zero" }),
            h("text", { x: EDGE - 8, y: y(cents) + 4, "text-anchor": "end", class: "graph-text" }, signed(cents)),
          ),
        ),
        h("polyline", { points: line("perfect"), class: "perfect" }),
        h("polyline", { points: line("yours"), class: "yours" }),
        points.map((point, at) =>
          h("circle", { key: point.round, cx: x(at), cy: y(point.yours), r: 3.2, class: "dot" }),
        ),
        points
          .filter((_, at) => points.length < 16 || at % Math.ceil(points.length / 12) === 0)
          .map((point) =>
            h(
              "text",
              {
                key: `round${point.round}`,
                x: x(points.indexOf(point)),
                y: HEIGHT - 8,
                "text-anchor": "middle",
                class: "graph-text",
              },
              point.round,
            ),
          ),
      ),
      h(
        "figcaption",
        { class: "quiet" },
        h("i", { class: "key-yours" }),
        " your net result · ",
        h("i", { class: "key-perfect" }),
        " best play on the same cards, on average",
      ),
    );
  }
}

/** Returns a choice as its button has it, or the low hand. @param {any} decision @param {string} choice */
const madeText = (decision, choice) =>
  /^[2-9TJQKA][shdc] |^Jk /.test(choice)
    ? choice.split(" ").map(cardSymbol).join(" ")
    : choiceText(choice, decision.titles);

customElements.define("cf-review", Review);
