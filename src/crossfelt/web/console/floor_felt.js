// @ts-check
/** `<cf-floor-felt of="ID" as="floor">`: the live felt as the floor sees it. Cards that the floor may not see are not sent. */

import { draw, h, quietText } from "../shared/dom.js";
import { felt } from "../table/felt.js";
import { Animator } from "../table/motion.js";
import { TablePage } from "../table/table.js";

class FloorFelt extends TablePage {
  connectedCallback() {
    this.id_ = this.getAttribute("of") ?? "";
    this.role_ = this.getAttribute("as") ?? "floor";
    this.animator = new Animator(this, (message) => this.dispatch(message));
    this.show();
    void this.join();
  }

  disconnectedCallback() {
    this.connection?.close();
    this.animator?.clear();
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
        : quietText(state.why || "Connecting to the table…"),
    );
    this.dispatchEvent(new CustomEvent("update"));
  }
}

customElements.define("cf-floor-felt", FloorFelt);
