// @ts-check
/**
 * The line to one table. It says hello with the last number it has heard, so that nothing is lost or told twice; a
 * command that was not answered when the line broke is sent again under the same id, and the house carries it out once.
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PING = 15000;

/** @typedef {{type: string, [field: string]: any}} Message */
/** @typedef {{message: Message, settle: (answer: Message) => void}} Waiting */

export class Connection {
  /**
   * @param {string} table
   * @param {(message: Message) => void} heard
   * @param {(state: "joining" | "live" | "lost" | "gone", why?: string, successor?: string) => void} changed
   * @param {string} [role] in which somebody looks on
   */
  constructor(table, heard, changed, role = "player") {
    this.table = table;
    this.role = role;
    this.heard = heard;
    this.changed = changed;
    /** @type {number | null} */
    this.seq = null;
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    this.wait = FIRST_WAIT;
    this.number = 0;
    /** What the house said when the line was last lost. */
    this.said = "";
    this.open();
  }

  open() {
    this.changed(this.seq === null ? "joining" : "lost", this.said);
    this.said = "";
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(
      `${scheme}//${location.host}/api/tables/${encodeURIComponent(this.table)}/live?as=${this.role}`,
      "crossfelt.1",
    );
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", after: this.seq }));
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = (event) => this.lose(event.reason);
  }

  /** @param {Message} message */
  hear(message) {
    if (message.type === "accepted" || message.type === "refused") {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      waiting?.settle(message);
    } else if (message.type === "bye" && message.successor) this.end(message.why, message.successor);
    else if (message.type === "bye") this.changed("lost", (this.said = message.why));
    else {
      if (message.type === "welcome" || message.type === "resumed") this.resume();
      if (typeof message.seq === "number") this.seq = message.seq;
      this.heard(message);
    }
  }

  resume() {
    this.wait = FIRST_WAIT;
    this.changed("live");
    for (const { message } of this.waiting.values()) this.put(message);
    clearInterval(this.pinging);
    this.pinging = setInterval(() => this.put({ type: "ping", n: (this.number += 1) }), PING);
  }

  /** @param {string} [why] */
  lose(why) {
    clearInterval(this.pinging);
    if (this.closed) return;
    this.said = why || this.said;
    this.changed("lost", this.said);
    this.again = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** The table has closed, and another has taken its place. @param {string} why @param {string} successor */
  end(why, successor) {
    this.close();
    for (const { settle } of this.waiting.values()) settle({ type: "refused", problem: { what: why } });
    this.waiting.clear();
    this.changed("gone", why, successor);
  }

  /** @param {Message} message */
  put(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Sends something that is answered, once. @param {Message} message @returns {Promise<Message>} */
  send(message) {
    const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const whole = { ...message, id };
    return new Promise((settle) => {
      this.waiting.set(id, { message: whole, settle });
      this.put(whole);
    });
  }

  close() {
    this.closed = true;
    clearInterval(this.pinging);
    clearTimeout(this.again);
    this.socket?.close();
  }
}
