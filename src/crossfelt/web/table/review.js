// @ts-check
/** After a session: what each decision cost against perfect play on the same cards, as a graph and as a table. */

import { ask, asSomebody } from "../shared/api.js";
import { actionWords } from "./coach.js";
import { draw, h } from "../shared/dom.js";
import { pressed, stepped } from "../shared/step_keys.js";
import { capital, cardSign, dollars, plain, signed } from "../shared/format.js";

const [WIDTH, HEIGHT, EDGE, FOOT] = [640, 240, 64, 30];
/** @type {Record<string, string>} */
const JUMPS = { b: "blunder", m: "mistake", i: "inaccuracy" };

class Review extends HTMLElement {
  /** @type {any} */
  told = null;
  at = 0;
  problem = "";

  connectedCallback() {
    this.table = this.getAttribute("of") ?? "";
    document.title = "Crossfelt: review";
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.show();
    void this.load();
  }

  disconnectedCallback() {
    if (this.keys) document.removeEventListener("keydown", this.keys);
  }

  /** @param {number} [seat] the last one where none is named */
  async load(seat = 0) {
    try {
      await asSomebody();
      const told = await ask(`/tables/${encodeURIComponent(this.table ?? "")}/review?seat=${seat}`);
      this.told = told;
      this.at = 0;
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
    this.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const all = this.told?.decisions ?? [];
    let to = stepped(event, this.at, all.length - 1);
    const grade = JUMPS[pressed(event)];
    if (grade) {
      const later = all.findIndex(
        (/** @type {any} */ one, /** @type {number} */ at) => at > this.at && one.grade === grade,
      );
      to = later >= 0 ? later : all.findIndex((/** @type {any} */ one) => one.grade === grade);
    }
    if (to === undefined || to < 0) return;
    event.preventDefault();
    this.go(to);
    this.querySelector(".decisions .here")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} at */
  go(at) {
    this.at = at;
    this.show();
  }

  show() {
    const { told } = this;
    draw(
      this,
      h(
        "section",
        { class: "sheet book" },
        h("h1", null, "Review"),
        h(
          "p",
          { class: "quiet" },
          h("a", { href: `/table/${this.table}` }, "Back to the table"),
          " · J and K step; B, M and I go to the next blunder, mistake, inaccuracy",
        ),
        this.problem && h("p", { class: "notice", role: "alert" }, this.problem),
        !told && !this.problem && h("p", { class: "quiet" }, "Going through your decisions…"),
        told?.seats.length > 1 && this.seats(),
        told &&
          !told.decisions.length &&
          h("p", null, "No decision of yours is on record at this table yet. Play a round first."),
        told?.decisions.length > 0 && this.whole(),
      ),
    );
  }

  /** Whoever had several seats chooses one of them. */
  seats() {
    return h(
      "p",
      null,
      h("label", { for: "seat" }, "Seat "),
      h(
        "select",
        {
          id: "seat",
          "prop:value": String(this.told.seat),
          onchange: (/** @type {any} */ event) => void this.load(Number(event.target.value)),
        },
        this.told.seats.map((/** @type {number} */ seat) =>
          h("option", { key: seat, value: seat, selected: seat === this.told.seat }, seat),
        ),
      ),
    );
  }

  whole() {
    const { told } = this;
    return [
      h(
        "dl",
        { class: "grades" },
        Object.entries(told.grades).map(([grade, count]) =>
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
        "Against perfect play on the same cards these decisions gave away ",
        h("strong", null, dollars(told.lost_cents)),
        " on average.",
      ),
      this.graph(),
      this.one(told.decisions[this.at]),
      h(
        "table",
        { class: "pays decisions" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Round", "Decision", "Yours", "Best", "Cost"].map((name) => h("th", { key: name, scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          null,
          told.decisions.map((/** @type {any} */ one, /** @type {number} */ at) =>
            h(
              "tr",
              { key: at, class: `${at === this.at ? "here" : ""} grade-${one.grade}`, onclick: () => this.go(at) },
              h("th", { scope: "row" }, one.round),
              h("td", null, plain(one.decision)),
              h("td", null, words(one.chosen)),
              h("td", null, words(one.best)),
              h("td", null, one.cost_cents ? dollars(one.cost_cents) : one.cost > 0 ? "under 1¢" : "best"),
            ),
          ),
        ),
      ),
    ];
  }

  /** @param {any} one */
  one(one) {
    return h(
      "div",
      { class: `decision grade-${one.grade}`, role: "status" },
      h(
        "p",
        null,
        h("strong", null, `Round ${one.round}, ${plain(one.decision)}: ${words(one.chosen)}`),
        one.grade === "best"
          ? ", the best there was."
          : `, ${one.grade === "inaccuracy" ? "an" : "a"} ${one.grade}. Best was ${words(one.best)}.`,
      ),
      h(
        "p",
        null,
        Object.entries(one.seen)
          .map(([name, cards]) => `${capital(name)} ${String(cards).split(" ").map(cardSign).join(" ")}`)
          .join(" · "),
      ),
      h("p", { class: "reason" }, one.reason),
    );
  }

  /** Your bankroll, and the same rounds without what the decisions gave away. */
  graph() {
    const { told } = this;
    const rounds = Object.keys(told.nets_cents)
      .map(Number)
      .sort((a, b) => a - b);
    let [yours, lost] = [0, 0];
    const points = rounds.map((round) => {
      yours += told.nets_cents[round];
      lost += told.decisions
        .filter((/** @type {any} */ one) => one.round === round)
        .reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.cost_cents, 0);
      return { round, yours, perfect: yours + lost };
    });
    const all = points.flatMap((point) => [point.yours, point.perfect, 0]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const ticks = ticksOf(low, high);
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
          "aria-label": `Bankroll over ${points.length} rounds: yours ends at ${signed(yours)}, with perfect decisions on average ${signed(yours + lost)}`,
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
        " your net · ",
        h("i", { class: "key-perfect" }),
        " perfect play on the same cards, on average",
      ),
    );
  }
}

/**
 * Round amounts from the least to the most, nought among them.
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
function ticksOf(low, high) {
  const rough = Math.max(100, (high - low) / 4);
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * ten).find((size) => size >= rough) ?? rough;
  const ticks = [];
  for (let cents = Math.ceil(low / step) * step; cents <= high; cents += step) ticks.push(cents);
  return ticks;
}

/** @param {string} choice */
const words = (choice) =>
  /^[2-9TJQKA][shdc] |^Jk /.test(choice) ? choice.split(" ").map(cardSign).join(" ") : actionWords(choice);

customElements.define("cf-review", Review);
