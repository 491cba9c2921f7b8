// @ts-check
/** The action buttons and their keys, built only from the options that the server sends. */

import { choiceText, dollars, plain } from "../shared/format.js";
import { missingWagers } from "./bets.js";
import {
  bettingOption,
  frontCards,
  handTitle,
  nameAt,
  othersAwaited,
  ownOption,
  ownSeat,
  secondsLeft,
  shortTitle,
  totalBet,
  wagerOf,
} from "./state.js";

/** @typedef {import("./state.js").State} State */
/**
 * @typedef {{id: string, label: string, note?: string, key: string, keyLabel: string, kind: "main" | "plain" | "danger" | "quiet", disabled?: boolean, command?: any, seat?: number}} Action
 */

/** The key of each choice that names no hand. @type {Record<string, string>} */
const KEYS = { check: "k", expose: "e", decline: "d", withdraw: "w" };

/**
 * @param {State} state
 * @param {{draft: Record<string, number> | null, past: any[], low: string[], ready: boolean, lastWagers: Record<string, number>}} ui
 * @returns {Action[]}
 */
export function actionsOf(state, ui) {
  const seat = ownSeat(state);
  if (!seat) return seatActions(state);
  const betting = bettingOption(state);
  if (betting) return [...goOnActions(state), ...bettingActions(state, betting, ui, seat)];
  return [
    ...goOnActions(state),
    ...betActions(state, seat),
    ...choiceActions(state, seat),
    ...handActions(state, ui),
    ...bankActions(state, seat),
  ];
}

/** Offers to go on without players who have kept the others waiting for long enough. @param {State} state @returns {Action[]} */
function goOnActions(state) {
  const due = othersAwaited(state).filter((wait) => wait.skip_at !== null && !secondsLeft(state, wait.skip_at));
  return due.map(({ seat }, at) => ({
    id: `go-on-${seat}`,
    label: `Go on without ${nameAt(state, seat)}`,
    key: at ? "" : "o",
    keyLabel: at ? "" : "O",
    kind: "plain",
    seat,
  }));
}

/** @param {State} state @returns {Action[]} */
function seatActions(state) {
  const free = state.allowed.filter((one) => one.command === "take_seat");
  if (!free.length) return [];
  return [
    {
      id: "sit",
      label: "Take a seat",
      note: `${free.length} free`,
      key: "Enter",
      keyLabel: "Enter",
      kind: "main",
      command: { command: "take_seat", seat: free[0].seat },
    },
  ];
}

/**
 * @param {State} state
 * @param {import("./state.js").Option} betting
 * @param {any} ui
 * @param {import("./state.js").Seat} seat
 * @returns {Action[]}
 */
function bettingActions(state, betting, ui, seat) {
  const stakes = ui.draft ?? seat.wagers;
  const some = Object.keys(stakes).length > 0;
  const whole = some && missingWagers(betting, stakes).length === 0;
  const last = Object.keys(ui.lastWagers).length > 0;
  return [
    {
      id: "deal",
      label: ui.ready ? "Waiting" : "Deal",
      key: "Enter",
      keyLabel: "Enter",
      kind: "main",
      disabled: !whole || ui.ready,
      note: ui.ready ? "for other players" : whole ? undefined : `${requiredWagerName(state, betting)} first`,
    },
    { id: "rebet", label: "Rebet", key: "r", keyLabel: "R", kind: "plain", disabled: !last },
    { id: "double", label: "Double", key: "x", keyLabel: "X", kind: "plain", disabled: !some },
    { id: "undo", label: "Undo", key: "u", keyLabel: "U", kind: "quiet", disabled: !ui.past.length },
    { id: "clear", label: "Clear", key: "c", keyLabel: "C", kind: "quiet", disabled: !some },
  ];
}

/** Returns the name of the required wager, or of the first one. @param {State} state @param {import("./state.js").Option} before */
function requiredWagerName(state, before) {
  const first = missingWagers(before, {})[0] ?? Object.keys(before.ranges ?? {})[0] ?? "";
  return plain(wagerOf(state, first)?.group || first);
}

/** Returns the step of the round. @param {State} state @returns {any} */
const stepOf = (state) => state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);

/** Returns what the step says of one form of action. @param {State} state @param {string} form @returns {any} */
const formOf = (state, form) => stepOf(state)?.actions.find((/** @type {any} */ one) => one.form === form);

/** Offers every multiple that the decision allows; a single one is named by its wager. @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function betActions(state, seat) {
  const bet = ownOption(state, "bet");
  if (!bet) return foldActions(state, seat);
  const step = stepOf(state);
  const wager = wagerOf(state, step?.wager);
  const range = bet.ranges?.cents ?? { min: 0, max: 0 };
  const base = baseStake(state, seat, wager) || range.min || 1;
  const action = formOf(state, "bet");
  const listed = action?.times.length ? action.times : timesBetween(range, base);
  const times = listed.filter((/** @type {number} */ one) => isAllowed(range, one * base));
  const all = times.map((/** @type {number} */ one) => ({
    id: `bet-${one}`,
    label: choiceText(`${one}x`, step.titles),
    note: !step.titles.bet || one === 1 ? dollars(one * base) : `${one}×, ${dollars(one * base)}`,
    key: one < 10 ? String(one) : "",
    keyLabel: one < 10 ? String(one) : "",
    kind: /** @type {const} */ ("main"),
    command: { command: "bet", seat: seat.number, cents: one * base },
  }));
  return [...foldActions(state, seat), ...all];
}

/** @param {import("./state.js").Range} range @param {number} cents */
const isAllowed = (range, cents) =>
  range.of?.length
    ? range.of.includes(cents)
    : cents >= range.min && cents <= range.max && (cents - range.min) % (range.step ?? 1) === 0;

/** Returns the whole multiples of a stake within a range. @param {import("./state.js").Range} range @param {number} base */
function timesBetween(range, base) {
  const [first, last] = [Math.ceil(range.min / base), Math.floor(range.max / base)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/**
 * Returns the stake that a bet is a multiple of.
 * @param {State} state
 * @param {import("./state.js").Seat} seat
 * @param {any} wager
 */
function baseStake(state, seat, wager) {
  const of = wager?.stake?.of;
  if (!of) return 0;
  const base = state.game.wagers.find(
    (/** @type {any} */ one) => (one.group === of || one.id === of) && one.id in seat.placed,
  );
  return base ? seat.placed[base.id] : 0;
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function foldActions(state, seat) {
  if (!ownOption(state, "fold")) return [];
  const forfeits = /** @type {string[]} */ (stepOf(state)?.forfeits ?? []);
  const cost = forfeits.length ? forfeits.reduce((sum, wager) => sum + (seat.wagers[wager] ?? 0), 0) : totalBet(seat);
  return [
    {
      id: "fold",
      label: choiceText("fold", stepOf(state)?.titles),
      note: `forfeits ${dollars(cost)}`,
      key: "f",
      keyLabel: "F",
      kind: "danger",
      command: { command: "fold", seat: seat.number },
    },
  ];
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function choiceActions(state, seat) {
  const all = state.allowed.filter((one) => one.command === "choose" && one.seat === seat.number);
  return all.map((one, at) => {
    const choice = one.fields?.choice;
    const hand = handTitle(state.game, choice);
    const form = formOf(state, choice);
    const taken = choice === "withdraw" ? wagerOf(state, form?.wager) : undefined;
    const key = KEYS[choice] ?? (hand ? hand[0] : String(at + 1));
    return {
      id: `choose-${choice}`,
      label: choiceText(choice, stepOf(state).titles),
      key,
      keyLabel: key.toUpperCase(),
      kind: hand || choice === "expose" ? "main" : "plain",
      note: hand ? raiseNote(state, seat) : taken ? dollars(seat.wagers[taken.id] ?? 0) : undefined,
      command: { command: "choose", seat: seat.number, choice },
    };
  });
}

/** The stake that a named hand takes. @param {State} state @param {import("./state.js").Seat} seat */
function raiseNote(state, seat) {
  const wager = wagerOf(state, stepOf(state)?.wager);
  const base = baseStake(state, seat, wager);
  if (!base) return undefined;
  const times = formOf(state, "bet")?.times[0] ?? wager.stake.times?.[0] ?? wager.stake.min ?? 1;
  return `${plain(shortTitle(state.game, wager)).toLowerCase()} ${dollars(base * times)}`;
}

/** @param {State} state @param {any} ui @returns {Action[]} */
function handActions(state, ui) {
  /** @type {Action[]} */
  const all = [];
  if (ownOption(state, "set_hand"))
    all.push({
      id: "set",
      label: "Set hands",
      note:
        ui.low.length === frontCards(state)
          ? undefined
          : `choose the ${state.game.splits[0].into[1].title.toLowerCase()}`,
      key: "Enter",
      keyLabel: "Enter",
      kind: "main",
      disabled: ui.low.length !== frontCards(state),
    });
  if (ownOption(state, "set_house_way"))
    all.push({ id: "house-way", label: "House way", key: "w", keyLabel: "W", kind: "plain" });
  return all;
}

/** @param {State} state @param {import("./state.js").Seat} seat @returns {Action[]} */
function bankActions(state, seat) {
  if (bettingOption(state)) return [];
  /** @type {Action[]} */
  const all = [];
  for (const one of state.allowed.filter((given) => given.command === "take_bank" && given.seat === seat.number)) {
    const together = one.fields?.co_bank;
    all.push({
      id: together ? "co-bank" : "bank",
      label: together ? "Co-bank with the house" : "Take the bank",
      key: together ? "2" : "1",
      keyLabel: together ? "2" : "1",
      kind: "plain",
      command: { command: "take_bank", seat: seat.number, co_bank: Boolean(together) },
    });
  }
  if (ownOption(state, "decline_bank"))
    all.push({
      id: "pass",
      label: "Decline the bank",
      key: "Enter",
      keyLabel: "Enter",
      kind: "main",
      command: { command: "decline_bank", seat: seat.number },
    });
  return all;
}
