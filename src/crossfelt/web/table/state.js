// @ts-check
/**
 * One reducer turns what the house says into what is on the screen. Nothing else changes the state of a table.
 *
 * @typedef {{name: string, known: number, complete: boolean, pays?: string}} Hand
 * @typedef {{number: number, player: string, yours: boolean, status: string, chips_cents: number, wagers: Record<string, number>, placed: Record<string, number>,
 *   to_collect: string[], cards: string[], low: string[], shown: boolean, hands: Record<string, Hand>, choices: Record<string, string>, lights: string[], forfeited: Record<string, number>}} Seat
 * @typedef {{command: string, seat?: number, fields?: Record<string, any>, ranges?: Record<string, Range>, choices?: Record<string, string[]>, texts?: string[], optional?: string[], equal?: string[][], most_in_all?: number, clauses?: string[]}} Option
 * @typedef {{min: number, max: number, step?: number, of?: number[]}} Range
 * @typedef {{event: string, seq: number, tells: string, clauses?: string[], readings?: string[], house_rule?: string, [field: string]: any}} Event_
 * @typedef {{wager: string, result: string, stake: number, returned: number, paid: number, commission: number, hand: string, odds: string, source: string}} Result
 * @typedef {{number: number, results: Record<number, Record<string, Result>>, awards: {seat: number, award: string, cents: number, hand: string}[], layout: Record<string, string>,
 *   cards: Record<number, string[]>, low: Record<number, string[]>, hands: Record<number, Record<string, string>>, dealer: string, outcome: string, spins: Event_[]}} Round
 * @typedef {{rulebook: string, phase: string, round: number, step: string, turn: number[], seats: Seat[], layout: Record<string, string>, hands: Record<string, Hand>, dealer_low: string[],
 *   pile: string[], dealing: string, deck: string, decks: {id: string, back: string}[], stub_cards: number, tray_cents: number, pending: any, halted: boolean, voided: string, spin: any, bank: any, first_position: number | null}} View
 * @typedef {{line: "joining" | "live" | "lost" | "gone", why: string, successor: string, game: any, view: View | null, you: {name: string, role: string, seats: number[]}, table: any, allowed: Option[],
 *   meters: Record<string, {amount_cents: number, title?: string}>, deadline: number | null, held: boolean, skew: number, log: Event_[], round: Round, last: Round | null, commitment: any,
 *   opened: Record<number, any>, bought: number, since: number}} State
 */

import { dollars } from "../shared/format.js";

const LOG_KEPT = 400;

/** @param {number} number @returns {Round} */
const newRound = (number) => ({
  number,
  results: {},
  awards: [],
  layout: {},
  cards: {},
  low: {},
  hands: {},
  dealer: "",
  outcome: "",
  spins: [],
});

/** @returns {State} */
export const firstState = () => ({
  line: "joining",
  why: "",
  successor: "",
  game: null,
  view: null,
  you: { name: "", role: "spectator", seats: [] },
  table: {},
  allowed: [],
  meters: {},
  deadline: null,
  held: false,
  skew: 0,
  log: [],
  round: newRound(0),
  last: null,
  commitment: null,
  opened: {},
  bought: 0,
  since: Date.now(),
});

/** @param {State} state @param {{type: string, [field: string]: any}} message @returns {State} */
export function reduce(state, message) {
  switch (message.type) {
    case "line":
      return { ...state, line: message.line, why: message.why ?? "", successor: message.successor ?? "" };
    case "game":
      return { ...state, game: message.game };
    case "welcome":
      return welcomed(state, message);
    case "happened":
      return happened(state, message);
    case "opened":
      return { ...state, opened: { ...state.opened, [message.round]: message } };
    default:
      return state;
  }
}

/** @param {State} state @param {any} message @returns {State} */
function welcomed(state, message) {
  const same = state.round.number === message.view.round;
  return {
    ...state,
    view: message.view,
    you: message.you,
    table: message.table,
    allowed: message.allowed ?? [],
    meters: message.meters ?? {},
    deadline: message.deadline ?? null,
    held: message.held ?? false,
    skew: message.now ? message.now - Date.now() : 0,
    commitment: message.commitment ?? message.table?.commitment ?? state.commitment,
    round: same ? state.round : newRound(message.view.round),
  };
}

/** @param {State} state @param {any} message @returns {State} */
function happened(state, message) {
  if (!state.view) return state;
  const { seats, ...rest } = message.patch ?? {};
  const view = { ...state.view, ...rest, seats: state.view.seats.map((seat) => seats?.[seat.number] ?? seat) };
  const told = /** @type {State} */ (message.events.reduce(remember, state));
  return {
    ...told,
    view,
    you: {
      ...state.you,
      seats: view.seats.filter((/** @type {Seat} */ seat) => seat.yours).map((/** @type {Seat} */ seat) => seat.number),
    },
    allowed: message.allowed ?? state.allowed,
    meters: message.meters ? { ...state.meters, ...message.meters } : state.meters,
    deadline: "deadline" in message ? message.deadline : state.deadline,
    held: message.held ?? state.held,
    skew: message.now ? message.now - Date.now() : state.skew,
    commitment: message.commitment ?? state.commitment,
    log: [...state.log, ...message.events.filter((/** @type {Event_} */ event) => event.tells)].slice(-LOG_KEPT),
  };
}

/**
 * What a round's end should still be able to say, from its events.
 * @param {State} state
 * @param {Event_} event
 * @returns {State}
 */
function remember(state, event) {
  const { round } = state;
  switch (event.event) {
    case "round_opened":
      return { ...state, round: newRound(event.round) };
    case "seat_taken":
      return event.player === state.you.name
        ? { ...state, bought: state.bought + event.chips_cents, since: Date.now() }
        : state;
    case "chips_bought":
      return state.you.seats.includes(event.seat) ? { ...state, bought: state.bought + event.cents } : state;
    case "seat_left":
      return state.you.seats.includes(event.seat) ? { ...state, bought: state.bought - event.chips_cents } : state;
    case "cards_dealt":
      return {
        ...state,
        round: {
          ...round,
          layout: Object.fromEntries(
            event.cards
              .filter((/** @type {any} */ dealt) => dealt[0] === 0)
              .map((/** @type {any} */ dealt) => [dealt[1], dealt[2]]),
          ),
          cards: grouped(event.cards),
        },
      };
    case "community_cards_revealed": {
      const shown = Object.fromEntries(
        event.places.map((/** @type {string} */ place, /** @type {number} */ at) => [place, event.cards[at]]),
      );
      return { ...state, round: { ...round, layout: { ...round.layout, ...shown } } };
    }
    case "hand_shown":
      return {
        ...state,
        round: {
          ...round,
          cards: { ...round.cards, [event.seat]: event.cards },
          hands: { ...round.hands, [event.seat]: event.hands },
        },
      };
    case "hands_exposed": {
      const hands = { high: event.high_name, low: event.low_name };
      return {
        ...state,
        round: {
          ...round,
          cards: { ...round.cards, [event.seat]: event.cards },
          low: { ...round.low, [event.seat]: event.low },
          hands: { ...round.hands, [event.seat]: hands },
        },
      };
    }
    case "dealer_hand_made":
      return { ...state, round: { ...round, dealer: event.hand } };
    case "dealer_hands_set": {
      const layout = Object.fromEntries(
        event.cards.map((/** @type {string} */ card, /** @type {number} */ at) => [`dealer_card_${at + 1}`, card]),
      );
      return {
        ...state,
        round: {
          ...round,
          layout,
          dealer: `${event.high_name}; ${event.low_name}`,
          low: { ...round.low, 0: event.low },
        },
      };
    }
    case "wager_settled":
      return settled(state, event, event.wager, event);
    case "fold_collected":
      return Object.entries(event.wagers).reduce(
        (now, [wager, stake]) => settled(now, event, wager, { stake, result: "forfeit" }),
        state,
      );
    case "wagers_returned":
      return Object.entries(event.wagers).reduce(
        (now, [wager, stake]) => settled(now, event, wager, { stake, result: "returned", returned: stake }),
        state,
      );
    case "award_paid":
      return {
        ...state,
        round: {
          ...round,
          awards: [
            ...round.awards,
            { seat: event.seat, award: event.award, cents: event.cents, hand: event.hand ?? "" },
          ],
        },
      };
    case "wheel_spun":
    case "xtreme_spun":
      return { ...state, round: { ...round, spins: [...round.spins, event] } };
    case "round_closed":
      return { ...state, last: { ...round, outcome: event.outcome } };
    default:
      return state;
  }
}

/** @param {[number, string, string][]} dealt @returns {Record<number, string[]>} */
function grouped(dealt) {
  /** @type {Record<number, string[]>} */
  const cards = {};
  for (const [seat, , card] of dealt) if (seat) cards[seat] = [...(cards[seat] ?? []), card];
  return cards;
}

/** @param {State} state @param {Event_} event @param {string} wager @param {any} told @returns {State} */
function settled(state, event, wager, told) {
  const { round } = state;
  const result = {
    wager,
    result: told.result,
    stake: told.stake,
    returned: told.returned ?? 0,
    paid: told.paid ?? 0,
    commission: told.commission ?? 0,
    hand: told.hand ?? "",
    odds: told.odds ?? "",
    source: told.source ?? "",
  };
  const ofSeat = { ...(round.results[event.seat] ?? {}), [wager]: result };
  return { ...state, round: { ...round, results: { ...round.results, [event.seat]: ofSeat } } };
}

/** A round that is over, from its events. @param {number} number @param {Event_[]} events @returns {Round} */
export function roundOf(number, events) {
  const { round, last } = events.reduce(remember, { ...firstState(), round: newRound(number) });
  return last ?? round;
}

// --- what follows from it ------------------------------------------------------------------------------------------

/**
 * The seat this person plays now: the one in turn where several are held.
 * @param {State} state
 * @returns {Seat | null}
 */
export function mine(state) {
  const own = state.view?.seats.filter((seat) => seat.yours) ?? [];
  return own.find((seat) => state.view?.turn.includes(seat.number)) ?? own[0] ?? null;
}

/** @param {State} state @param {string} command @returns {Option | undefined} */
export const option = (state, command) =>
  state.allowed.find((one) => one.command === command && one.seat === mine(state)?.number);

/** The way to place wagers, where bets are open. @param {State} state @returns {Option | undefined} */
export const wagering = (state) =>
  state.allowed.find(
    (one) =>
      one.command === "place_wagers" &&
      one.ranges &&
      Object.keys(one.ranges).length > 0 &&
      one.seat === mine(state)?.number,
  );

/** @param {State} state @param {string} wager */
export const wagerOf = (state, wager) => state.game?.wagers.find((/** @type {any} */ one) => one.id === wager);

/** What a seat has on the layout, in cents. @param {Seat} seat */
export const atRisk = (seat) => Object.values(seat.wagers).reduce((sum, stake) => sum + stake, 0);

/** A stake in the unit of its wager. @param {State} state @param {string} wager @param {number} stake */
export function stakeWords(state, wager, stake) {
  const credit = wagerOf(state, wager)?.credit_cents;
  if (!credit) return dollars(stake);
  return `${stake / credit} credit${stake === credit ? "" : "s"}`;
}

/**
 * The cards of a seat: those it has, or those it showed before the dealer picked them up, as long as the round lasts.
 * @param {State} state
 * @param {Seat} seat
 * @returns {string[]}
 */
export function cardsOf(state, seat) {
  const { round, view } = state;
  const shown = seat.cards.length === 0 && seat.status === "done" && view?.round === round.number;
  return shown ? (round.cards[seat.number] ?? []) : seat.cards;
}

/** What a round brought a seat. @param {Round} round @param {number} seat */
export function netOf(round, seat) {
  const results = Object.values(round.results[seat] ?? {}).reduce(
    (sum, one) => sum + one.returned + one.paid - one.commission - one.stake,
    0,
  );
  return round.awards.filter((award) => award.seat === seat).reduce((sum, award) => sum + award.cents, results);
}

/** What the table waits for, in words. @param {State} state */
export function nowWords(state) {
  const { view } = state;
  if (!view) return "Finding the table";
  if (view.phase !== "open") return "The table is closed";
  if (view.pending) return `The floor decides about ${String(view.pending.kind).replaceAll("_", " ")}`;
  const own = mine(state);
  if (wagering(state))
    return own && Object.keys(own.wagers).length ? "Your bets are down. Deal when you are ready" : "Place your bets";
  const asked = state.allowed.filter(
    (one) =>
      one.seat === own?.number &&
      ["bet", "fold", "choose", "set_hand", "take_bank", "decline_bank"].includes(one.command),
  );
  if (own && asked.length) return `Your turn: ${askedWords(state, asked)}`;
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === view.step);
  if (view.turn.length && ["decide", "offer_bank"].includes(step?.step))
    return `Seat ${view.turn[0]}, ${view.seats[view.turn[0] - 1].player}, decides`;
  if (view.turn.length && step?.step === "set_hands") return "The others set their hands";
  return STEP_WORDS[step?.step] ?? "The dealer gets the cards ready";
}

/** @type {Record<string, string>} */
const STEP_WORDS = {
  open_bets: "Bets are open",
  lock: "No more bets",
  deal: "The dealer deals",
  stub: "The dealer counts the stub",
  reveal: "The dealer turns up cards",
  settle: "The dealer settles",
  compare: "Hands are compared",
  spin: "The wheel spins",
  discard: "The dealer picks up the cards",
  shuffle: "The cards are shuffled",
  first_hand: "The dice are shaken",
  set_hands: "The dealer sets the hands",
};

/** @param {State} state @param {Option[]} asked */
function askedWords(state, asked) {
  const commands = asked.map((one) => one.command);
  if (commands.includes("set_hand")) return "set your two hands";
  if (commands.includes("decline_bank")) return "will you hold the bank?";
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const wager = wagerOf(state, step?.wager)?.title?.toLowerCase() ?? "decide";
  if (commands.includes("bet")) return `${wager}, or fold`;
  if (!commands.includes("choose")) return "too few chips to go on: buy in, or fold";
  return asked.some((one) => one.fields?.choice === "expose")
    ? "show your hand for the three-card wager, or keep it"
    : "vertical, horizontal or fold";
}

/** The colour of the backs of the cards in play. @param {{state: State}} page */
export const backOf = ({ state: { view } }) => view?.decks.find((deck) => deck.id === view.deck)?.back ?? "red";
