// @ts-check
/** `<cf-floor-felt of="ID" as="floor">`: the live felt as the floor sees it. No card is here that the floor may not see. */

import { draw, h } from "../shared/dom.js";
import { felt } from "../table/felt.js";
import { Stage } from "../table/motion.js";
import { TablePage } from "../table/table.js";

export class FloorFelt extends TablePage {
  connectedCallback() {
    this.id_ = this.getAttribute("of") ?? "";
    this.role_ = this.getAttribute("as") ?? "floor";
    this.stage = new Stage(this, (message) => this.take(message));
    this.show();
    void this.join();
  }

  disconnectedCallback() {
    this.line?.close();
    this.stage?.clear();
  }

  show() {
    const { state } = this;
    draw(
      this,
      state.view && state.game
        ? h(
            "div",
            { class: "room floor-room" },
            h("section", { class: "table", "aria-label": "The table" }, felt(this)),
            h("div", { class: "flying", "aria-hidden": "true", key: "flying" }),
          )
        : h("p", { class: "quiet" }, "Walking to the table…"),
    );
    this.dispatchEvent(new CustomEvent("told"));
  }
}

customElements.define("cf-floor-felt", FloorFelt);
