// @ts-check
/** What may be done now, as buttons with their keys: made from `allowed` and nothing else. */

import { atRisk, mine, option, wagerOf, wagering } from "./state.js";
import { missing } from "./bets.js";
import { capital, dollars, plain } from "../shared/format.js";

/** @typedef {import("./state.js").State} State */
/**
 * @typedef {{id: string, label: string, note?: string, key: string, shows: string, kind: "main" | "plain" | "danger" | "quiet", off?: boolean, command?: any}} Action
 */

/** @type {Record<string, [string, string]>} choices by name, their key and what is said of them */
const CHOICES = {
  vertical: ["v", "Play vertical"],
  horizontal: ["h", "Play horizontal"],
  expose: ["e", "Show the hand"],
  decline: ["d", "Keep it hidden"],
};

/**
 * @param {State} state
 * @param {{draft: Record<string, number> | null, past: any[], low: string[], ready: boolean, lastWagers: Record<string, number>}} ui
 * @returns {Action[]}
 */
export function actionsOf(state, ui) {
  const seat = mine(state);
  if (!seat) return sitting(state);
  const before = wagering(state);
  if (before) return betting(state, before, ui, seat);
  return [...bets(state, seat), ...choices(state, seat), ...setting(state, ui, seat), ...banking(state, seat)];
}

/** @param {State} state @returns {Action[]} */
function sitting(state) {
  const free = state.allowed.filter((one) => one.command === "take_seat");
  if (!free.length) return [];
  return [
    {
      id: "sit",
      label: "Take a seat",
      note: `${free.length} free`,
      key: "Enter",
      shows: "Enter",
      kind: "main",
      command: { command: "take_seat", seat: free[0].seat },
    },
  ];
}

/**
 * @param {State} state
 * @param {import("./state.js").Option} before
 * @param {any} ui
 * @param {import("./state.js").Seat} seat
 * @returns {Action[]}
 */
function betting(state, before, ui, seat) {
  const lies = ui.draft ?? seat.wagers;
  const some = Object.keys(lies).length > 0;
  const whole = some && missing(before, lies).length === 0;
  const last = Object.keys(ui.lastWagers).length > 0;
  return [
    {
      id: "deal",
      label: ui.ready ? "Waiting" : "Deal",
      key: "Enter",
      shows: "Enter",
      kind: "main",
      off: !whole || ui.ready,
      note: ui.ready ? "for the others" : whole ? undefined : `${baseName(state, before)} first`,
    },
    { id: "rebet", label: "Rebet", key: "r", shows: "R", kind: "plain", off: !last },
    { id: "double", label: "Double", key: "x", shows: "X", kind: "plain", off: !some },
    { id: "undo", label: "Undo", key: "u", shows: "U", kind: "quiet", off: !ui.past.length },
    { id: "clear", label: "Clear", key: "c", shows: "C", kind: "quiet", off: !some },
  ];
}

/** What must be staked before anything else. @param {State} state @param {import("./state.js").Option} before */
function baseName(state, before) {
  const [first] = missing(before, {});
  return plain(wagerOf(state, first)?.group || first);
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function bets(state, seat) {
  const bet = option(state, "bet");
  if (!bet) return fold(state, seat);
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const wager = wagerOf(state, step?.wager);
  const base = baseOf(state, seat, wager) || bet.ranges?.cents.min || 0;
  const range = bet.ranges?.cents ?? { min: 0, max: 0 };
  /** @type {Action[]} */
  const all = [];
  for (let times = 1; times <= 9 && times * base <= range.max; times += 1) {
    if (times * base < range.min || (times * base - range.min) % (range.step ?? 1)) continue;
    all.push({
      id: `bet-${times}`,
      label: `${times}×`,
      note: dollars(times * base),
      key: String(times),
      shows: String(times),
      kind: "main",
      command: { command: "bet", seat: seat.number, cents: times * base },
    });
  }
  return [...fold(state, seat), ...all];
}

/**
 * The stake that a bet is a multiple of.
 * @param {State} state
 * @param {import("./state.js").Seat} seat
 * @param {any} wager
 */
function baseOf(state, seat, wager) {
  const of = wager?.stake?.of;
  if (!of) return 0;
  const base = state.game.wagers.find(
    (/** @type {any} */ one) => (one.group === of || one.id === of) && one.id in seat.placed,
  );
  return base ? seat.placed[base.id] : 0;
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function fold(state, seat) {
  if (!option(state, "fold")) return [];
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const forfeits = /** @type {string[]} */ (step?.forfeits ?? []);
  const cost = forfeits.length ? forfeits.reduce((sum, wager) => sum + (seat.wagers[wager] ?? 0), 0) : atRisk(seat);
  return [
    {
      id: "fold",
      label: "Fold",
      note: `gives up ${dollars(cost)}`,
      key: "f",
      shows: "F",
      kind: "danger",
      command: { command: "fold", seat: seat.number },
    },
  ];
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function choices(state, seat) {
  const all = state.allowed.filter((one) => one.command === "choose" && one.seat === seat.number);
  return all.map((one, at) => {
    const choice = one.fields?.choice;
    const [key, label] = CHOICES[choice] ?? [String(at + 1), capital(plain(choice))];
    return {
      id: `choose-${choice}`,
      label,
      key,
      shows: key.toUpperCase(),
      kind: choice === "decline" ? "plain" : "main",
      note: raiseNote(state, seat, choice),
      command: { command: "choose", seat: seat.number, choice },
    };
  });
}

/** @param {State} state @param {import("./state.js").Seat} seat @param {string} choice */
function raiseNote(state, seat, choice) {
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const wager = wagerOf(state, step?.wager);
  const base = baseOf(state, seat, wager);
  if (!base || !["vertical", "horizontal"].includes(choice)) return undefined;
  return `raise ${dollars(base * (wager.stake.min ?? 1))}`;
}

/** @param {State} state @param {any} ui @param {import("./state.js").Seat} seat @returns {Action[]} */
function setting(state, ui, seat) {
  /** @type {Action[]} */
  const all = [];
  if (option(state, "set_hand"))
    all.push({
      id: "set",
      label: "Set the hands",
      note: ui.low.length === 2 ? undefined : "choose two cards for the front",
      key: "Enter",
      shows: "Enter",
      kind: "main",
      off: ui.low.length !== 2,
    });
  if (option(state, "set_house_way"))
    all.push({ id: "house-way", label: "House way", key: "w", shows: "W", kind: "plain" });
  if (option(state, "surrender"))
    all.push({
      id: "surrender",
      label: "Surrender",
      note: "gives up the main wager",
      key: "g",
      shows: "G",
      kind: "danger",
      command: { command: "surrender", seat: seat.number },
    });
  return all;
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function banking(state, seat) {
  if (wagering(state)) return [];
  /** @type {Action[]} */
  const all = [];
  for (const one of state.allowed.filter((given) => given.command === "take_bank" && given.seat === seat.number)) {
    const together = one.fields?.co_bank;
    all.push({
      id: together ? "co-bank" : "bank",
      label: together ? "Bank with the house" : "Hold the bank",
      key: together ? "2" : "1",
      shows: together ? "2" : "1",
      kind: "plain",
      command: { command: "take_bank", seat: seat.number, co_bank: Boolean(together) },
    });
  }
  if (option(state, "decline_bank"))
    all.push({
      id: "pass",
      label: "Let it pass",
      key: "Enter",
      shows: "Enter",
      kind: "main",
      command: { command: "decline_bank", seat: seat.number },
    });
  return all;
}
