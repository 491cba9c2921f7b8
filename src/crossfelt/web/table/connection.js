// @ts-check
/**
 * The WebSocket connection to one table. After a reconnect it asks for the messages after the last one it received. It
 * sends unanswered commands again under the same id, and the server carries each id out once.
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PING = 15000;
/** The close code of a connection that the server refuses: a second attempt would be refused too. */
const POLICY_VIOLATION = 1008;

/** @typedef {{type: string, [field: string]: any}} Message */
/** @typedef {{message: Message, settle: (answer: Message) => void}} PendingRequest */

export class Connection {
  /**
   * @param {string} table
   * @param {(message: Message) => void} onMessage
   * @param {(state: "joining" | "live" | "lost" | "gone", why?: string, successor?: string) => void} onStatus
   * @param {string} [role] the viewer's role
   */
  constructor(table, onMessage, onStatus, role = "player") {
    this.table = table;
    this.role = role;
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    /** @type {number | null} */
    this.seq = null;
    /** @type {Map<string, PendingRequest>} */
    this.pending = new Map();
    this.retryDelay = FIRST_WAIT;
    this.pings = 0;
    /** The server's reason for the last close. */
    this.closeReason = "";
    this.open();
  }

  open() {
    this.onStatus(this.seq === null ? "joining" : "lost", this.closeReason);
    this.closeReason = "";
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(
      `${scheme}//${location.host}/api/tables/${encodeURIComponent(this.table)}/live?as=${this.role}`,
      "crossfelt.1",
    );
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", after: this.seq }));
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) =>
      event.code === POLICY_VIOLATION && !this.closed ? this.end(event.reason, "") : this.retry(event.reason);
  }

  /** @param {Message} message */
  receive(message) {
    if (message.type === "accepted" || message.type === "refused") {
      const pending = this.pending.get(message.id);
      this.pending.delete(message.id);
      pending?.settle(message);
    } else if (message.type === "bye" && message.successor) this.end(message.why, message.successor);
    else if (message.type === "bye") this.onStatus("lost", (this.closeReason = message.why));
    else {
      if (message.type === "welcome" || message.type === "resumed") this.resume();
      if (typeof message.seq === "number") this.seq = message.seq;
      this.onMessage(message);
    }
  }

  resume() {
    this.retryDelay = FIRST_WAIT;
    this.onStatus("live");
    for (const { message } of this.pending.values()) this.transmit(message);
    clearInterval(this.pingTimer);
    this.pingTimer = setInterval(() => this.transmit({ type: "ping", n: (this.pings += 1) }), PING);
  }

  /** @param {string} [why] */
  retry(why) {
    clearInterval(this.pingTimer);
    if (this.closed) return;
    this.closeReason = why || this.closeReason;
    this.onStatus("lost", this.closeReason);
    this.retryTimer = setTimeout(() => this.open(), this.retryDelay * (0.75 + Math.random() / 2));
    this.retryDelay = Math.min(LONGEST_WAIT, this.retryDelay * 2);
  }

  /** Reconnects without waiting. */
  retryNow() {
    clearTimeout(this.retryTimer);
    if (this.socket?.readyState === WebSocket.CLOSED) this.open();
  }

  /** Ends the connection: the table has closed, perhaps for a successor, or the server refuses it. @param {string} why @param {string} successor */
  end(why, successor) {
    this.close();
    for (const { settle } of this.pending.values()) settle({ type: "refused", problem: { what: why } });
    this.pending.clear();
    this.onStatus("gone", why, successor);
  }

  /** @param {Message} message */
  transmit(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Sends a request and returns its answer. @param {Message} message @returns {Promise<Message>} */
  send(message) {
    const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const whole = { ...message, id };
    return new Promise((settle) => {
      this.pending.set(id, { message: whole, settle });
      this.transmit(whole);
    });
  }

  close() {
    this.closed = true;
    clearInterval(this.pingTimer);
    clearTimeout(this.retryTimer);
    this.socket?.close();
  }
}
