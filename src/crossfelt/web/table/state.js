// @ts-check
/**
 * The reducer: turns the server's messages into the state of the page. Nothing else changes that state.
 *
 * @typedef {{name: string, known: number, complete: boolean, pays?: string}} Hand
 * @typedef {{number: number, player: string, yours: boolean, status: string, seed_hash: string, chips_cents: number, wagers: Record<string, number>, placed: Record<string, number>,
 *   to_collect: string[], cards: string[], low: string[], shown: boolean, hands: Record<string, Hand>, choices: Record<string, string>, lights: string[], forfeited: Record<string, number>}} Seat
 * @typedef {{command: string, seat?: number, fields?: Record<string, any>, ranges?: Record<string, Range>, choices?: Record<string, string[]>, texts?: string[], optional?: string[], equal?: string[][], most_in_all?: number, clauses?: string[]}} Option
 * @typedef {{min: number, max: number, step?: number, of?: number[]}} Range
 * @typedef {{event: string, seq: number, n: number, tells: string, spoken?: string, clauses?: string[], readings?: string[], house_rule?: string, [field: string]: any}} Event_
 * @typedef {{wager: string, result: string, stake: number, returned: number, paid: number, commission: number, limited: number, hand: string, odds: string, source: string, seq: number, n: number}} Result
 * @typedef {{number: number, results: Record<number, Record<string, Result>>, awards: {seat: number, award: string, cents: number, limited: number, hand: string}[], layout: Record<string, string>,
 *   cards: Record<number, string[]>, low: Record<number, string[]>, hands: Record<number, Record<string, string>>, dealer: string, outcome: string, spins: Event_[]}} Round
 * @typedef {{rulebook: string, phase: string, round: number, step: string, turn: number[], seats: Seat[], layout: Record<string, string>, hands: Record<string, Hand>, dealer_low: string[],
 *   pile: string[], dealing: string, deck: string, decks: {id: string, back: string}[], stub_cards: number, tray_cents: number, pending: any, halted: boolean, voided: string, spin: any, bank: any, first_position: number | null}} View
 * @typedef {{seat: number, until: number | null, skip_at: number | null, gone: boolean}} Wait
 * @typedef {{connection: "joining" | "live" | "lost" | "gone", why: string, successor: string, game: any, view: View | null, you: {name: string, role: string, seats: number[]}, table: any, allowed: Option[],
 *   meters: Record<string, {amount_cents: number, title?: string}>, deadline: number | null, waiting: Wait[], held: boolean, clockSkew: number, log: Event_[], told: Event_[], round: Round, last: Round | null, commitment: any,
 *   boughtCents: number, since: number}} State
 */

import { dollars, plain } from "../shared/format.js";
import { placesOf } from "./places.js";

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
  connection: "joining",
  why: "",
  successor: "",
  game: null,
  view: null,
  you: { name: "", role: "spectator", seats: [] },
  table: {},
  allowed: [],
  meters: {},
  deadline: null,
  waiting: [],
  held: false,
  clockSkew: 0,
  log: [],
  told: [],
  round: newRound(0),
  last: null,
  commitment: null,
  boughtCents: 0,
  since: Date.now(),
});

/** @param {State} state @param {{type: string, [field: string]: any}} message @returns {State} */
export function reduce(state, message) {
  switch (message.type) {
    case "connection":
      return { ...state, connection: message.status, why: message.why ?? "", successor: message.successor ?? "" };
    case "game":
      return { ...state, game: message.game };
    case "welcome":
      return applyWelcome(state, message);
    case "happened":
      return applyUpdate(state, message);
    default:
      return state;
  }
}

/** @param {State} state @param {any} message @returns {State} */
function applyWelcome(state, message) {
  const same = state.round.number === message.view.round;
  return {
    ...state,
    view: message.view,
    you: message.you,
    table: message.table,
    allowed: message.allowed ?? [],
    meters: message.meters ?? {},
    deadline: message.deadline ?? null,
    waiting: message.waiting ?? [],
    held: message.held ?? false,
    clockSkew: message.now ? message.now - Date.now() : 0,
    commitment: message.commitment ?? message.table?.commitment ?? state.commitment,
    round: same ? state.round : newRound(message.view.round),
  };
}

/** @param {State} state @param {any} message @returns {State} */
function applyUpdate(state, message) {
  if (!state.view) return state;
  const { seats, ...rest } = message.patch ?? {};
  const view = { ...state.view, ...rest, seats: state.view.seats.map((seat) => seats?.[seat.number] ?? seat) };
  const recorded = /** @type {State} */ (message.events.reduce(applyEvent, state));
  const own = view.seats
    .filter((/** @type {Seat} */ seat) => seat.yours)
    .map((/** @type {Seat} */ seat) => seat.number);
  const told = tellUpdate(state, { ...recorded, view }, own, message.events);
  return {
    ...recorded,
    view,
    told,
    you: { ...state.you, seats: own },
    allowed: message.allowed ?? state.allowed,
    meters: message.meters ? { ...state.meters, ...message.meters } : state.meters,
    deadline: "deadline" in message ? message.deadline : state.deadline,
    waiting: message.waiting ?? state.waiting,
    held: message.held ?? state.held,
    clockSkew: message.now ? message.now - Date.now() : state.clockSkew,
    commitment: message.commitment ?? state.commitment,
    log: [...state.log, ...told.filter((event) => event.tells)].slice(-LOG_KEPT),
  };
}

// --- narration ---------------------------------------------------------------------------------------------------

/**
 * Returns an event in words for one player: “you” for the player's own seats, the other players by name.
 * @param {any} event
 * @param {number[]} own
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function tellTo(event, own, nameOf) {
  const called = (/** @type {number} */ seat, first = false) =>
    own.includes(seat) ? (first ? "You" : "you") : nameOf(seat) || `${first ? "Seat" : "seat"} ${seat}`;
  if (event.event === "seat_taken")
    return `${called(event.seat, true)} ${own.includes(event.seat) ? "take" : "takes"} seat ${event.seat} with ${dollars(event.chips_cents)} in chips`;
  return (event.spoken ?? event.tells)
    .replace(/\{(\d+)~([^~}]*)~([^}]*)\}/g, (/** @type {string[]} */ ...[, seat, others, you]) =>
      own.includes(Number(seat)) ? you : others,
    )
    .replace(/\bseats (\d+(?:(?:, | and )\d+)+)/g, (/** @type {string[]} */ ...[, seats]) =>
      LIST.format((seats.match(/\d+/g) ?? []).map((seat) => called(Number(seat)))),
    )
    .replace(/\b([Ss])eat (\d+)\b/g, (/** @type {string[]} */ ...[, first, seat]) =>
      called(Number(seat), first === "S"),
    );
}

/**
 * Returns the events of an update in words for this player. The end of a round states the player's result.
 * @param {State} before
 * @param {State} after
 * @param {number[]} own the player's seats after the update
 * @param {Event_[]} events
 */
function tellUpdate(before, after, own, events) {
  const seats = [...new Set([...own, ...before.you.seats])];
  const nameOf = (/** @type {number} */ seat) =>
    shortName(after.view?.seats[seat - 1]?.player || before.view?.seats[seat - 1]?.player || "");
  return events.map((event) => {
    if (!event.tells) return event;
    const played = event.event === "round_closed" && event.outcome !== "void" && after.last;
    const result = played && seats.filter((seat) => after.last?.results[seat]).map((seat) => netOf(played, seat));
    const net = result && result.length ? result.reduce((sum, one) => sum + one, 0) : null;
    const tells = tellTo(event, seats, nameOf);
    return { ...event, tells: net === null ? tells : `${tells}: ${netText(net)}` };
  });
}

/** @param {number} net */
const netText = (net) =>
  net > 0 ? `you win ${dollars(net)}` : net < 0 ? `you lose ${dollars(-net)}` : "you break even";

/**
 * Records an event in the round, for the result at its end.
 * @param {State} state
 * @param {Event_} event
 * @returns {State}
 */
function applyEvent(state, event) {
  const { round } = state;
  switch (event.event) {
    case "round_opened":
      return { ...state, round: newRound(event.round) };
    case "seat_taken":
      return event.player === state.you.name
        ? { ...state, boughtCents: state.boughtCents + event.chips_cents, since: Date.now() }
        : state;
    case "chips_bought":
      return state.you.seats.includes(event.seat) ? { ...state, boughtCents: state.boughtCents + event.cents } : state;
    case "seat_left":
      return state.you.seats.includes(event.seat)
        ? { ...state, boughtCents: state.boughtCents - event.chips_cents }
        : state;
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
      return { ...state, round: { ...round, dealer: [event.hand, ...marksInWords(event.marks ?? {})].join(", ") } };
    case "dealer_hands_set": {
      const places = placesOf(state.game, "dealer");
      const layout = Object.fromEntries(places.map((place, at) => [place, event.cards[at]]));
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
      return recordResult(state, event, event.wager, event);
    case "fold_collected":
      return Object.entries(event.wagers).reduce(
        (now, [wager, stake]) => recordResult(now, event, wager, { stake, result: "forfeit" }),
        state,
      );
    case "wagers_returned":
      return Object.entries(event.wagers).reduce(
        (now, [wager, stake]) => recordResult(now, event, wager, { stake, result: "returned", returned: stake }),
        state,
      );
    case "award_paid":
      return {
        ...state,
        round: {
          ...round,
          awards: [
            ...round.awards,
            {
              seat: event.seat,
              award: event.award,
              cents: event.cents,
              limited: event.limited ?? 0,
              hand: event.hand ?? "",
            },
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

/** Says whether a hand has each mark, such as "does not qualify". @param {Record<string, boolean>} marks */
const marksInWords = (marks) =>
  Object.entries(marks).map(([mark, has]) => {
    const words = plain(mark);
    if (!/[^s]s$/.test(words)) return `${has ? "" : "not "}${words}`;
    return has ? words : `does not ${words.replace(/ies$/, "y").replace(/s$/, "")}`;
  });

/** @param {[number, string, string][]} dealt @returns {Record<number, string[]>} */
function grouped(dealt) {
  /** @type {Record<number, string[]>} */
  const cards = {};
  for (const [seat, , card] of dealt) if (seat) cards[seat] = [...(cards[seat] ?? []), card];
  return cards;
}

/** @param {State} state @param {Event_} event @param {string} wager @param {any} fields @returns {State} */
function recordResult(state, event, wager, fields) {
  const { round } = state;
  const result = {
    wager,
    result: fields.result,
    stake: fields.stake,
    returned: fields.returned ?? 0,
    paid: fields.paid ?? 0,
    commission: fields.commission ?? 0,
    limited: fields.limited ?? 0,
    hand: fields.hand ?? "",
    odds: fields.odds ?? "",
    source: fields.source ?? "",
    seq: event.seq,
    n: event.n,
  };
  const ofSeat = { ...(round.results[event.seat] ?? {}), [wager]: result };
  return { ...state, round: { ...round, results: { ...round.results, [event.seat]: ofSeat } } };
}

/**
 * Returns a finished round of a game, from its events.
 * @param {any} game
 * @param {number} number
 * @param {Event_[]} events
 * @returns {Round}
 */
export function roundFromEvents(game, number, events) {
  const { round, last } = events.reduce(applyEvent, { ...firstState(), game, round: newRound(number) });
  return last ?? round;
}

// --- derived values ------------------------------------------------------------------------------------------

/**
 * Returns the player's own seat; with several seats, the one whose turn it is.
 * @param {State} state
 * @returns {Seat | null}
 */
export function ownSeat(state) {
  const own = state.view?.seats.filter((seat) => seat.yours) ?? [];
  return own.find((seat) => state.view?.turn.includes(seat.number)) ?? own[0] ?? null;
}

/** @param {State} state @param {string} command @returns {Option | undefined} */
export const ownOption = (state, command) =>
  state.allowed.find((one) => one.command === command && one.seat === ownSeat(state)?.number);

/** Returns the option to place wagers while bets are open. @param {State} state @returns {Option | undefined} */
export const bettingOption = (state) =>
  state.allowed.find(
    (one) =>
      one.command === "place_wagers" &&
      one.ranges &&
      Object.keys(one.ranges).length > 0 &&
      one.seat === ownSeat(state)?.number,
  );

/** @param {State} state @param {string} wager */
export const wagerOf = (state, wager) => state.game?.wagers.find((/** @type {any} */ one) => one.id === wager);

/**
 * Returns the title of a wager as its area prints it: without "bet" or "wager", and without the name of the game.
 * @param {any} game
 * @param {any} wager
 * @returns {string}
 */
export function shortTitle(game, wager) {
  const name = game.title.replace(/, [^,]*$/, "").toLowerCase();
  if (wager.title.toLowerCase().startsWith(name)) return "Main";
  const words = new RegExp(` ${name.replace(/ \w+$/, "")}\\b`, "gi");
  return wager.title
    .replace("Progressive wager on the ", "Progressive: ")
    .replace(words, "")
    .replace(/ (bet|wager)$/, "");
}

/** Returns the number of cards of the hand that a player sets in front. @param {State} state @returns {number} */
export const frontCards = (state) => state.game.splits[0].into[1].cards;

/** Returns the total of a seat's wagers, in cents. @param {Seat} seat */
export const totalBet = (seat) => Object.values(seat.wagers).reduce((sum, stake) => sum + stake, 0);

/** A stake in the unit of its wager. @param {State} state @param {string} wager @param {number} stake */
export function stakeText(state, wager, stake) {
  const credit = wagerOf(state, wager)?.credit_cents;
  if (!credit) return dollars(stake);
  return `${stake / credit} credit${stake === credit ? "" : "s"}`;
}

/**
 * Returns the cards of a seat. After the dealer has picked them up, returns the cards it showed in this round.
 * @param {State} state
 * @param {Seat} seat
 * @returns {string[]}
 */
export function cardsOf(state, seat) {
  const { round, view } = state;
  const shown = seat.cards.length === 0 && seat.status === "done" && view?.round === round.number;
  return shown ? (round.cards[seat.number] ?? []) : seat.cards;
}

/** Returns the net result of a round for a seat. @param {Round} round @param {number} seat */
export function netOf(round, seat) {
  const results = Object.values(round.results[seat] ?? {}).reduce(
    (sum, one) => sum + one.returned + one.paid - one.commission - one.stake,
    0,
  );
  return round.awards.filter((award) => award.seat === seat).reduce((sum, award) => sum + award.cents, results);
}

/** Returns true when the table waits for this player. @param {State} state */
export const isAwaited = (state) => state.waiting.some((wait) => state.you.seats.includes(wait.seat));

/** Returns true when another person sits at the table. @param {State} state */
export const hasCompany = (state) =>
  state.view?.seats.some((seat) => seat.player && !seat.yours && !BOT.test(seat.player)) ?? false;

/** The name of a bot. */
const BOT = /^.* bot (\d)$/;

/** Returns the players for whom this player waits. @param {State} state @returns {Wait[]} */
export const othersAwaited = (state) => state.waiting.filter((wait) => !state.you.seats.includes(wait.seat));

/** Returns the whole seconds until a time of the server. @param {State} state @param {number} at */
export const secondsLeft = (state, at) => Math.max(0, Math.ceil((at - (Date.now() + state.clockSkew)) / 1000));

/**
 * Returns the time at which the table goes on: without this player at their turn, otherwise without the others.
 * @param {State} state
 * @returns {number | null}
 */
export function deadlineOf(state) {
  const own = state.waiting.find((wait) => state.you.seats.includes(wait.seat));
  const times = (own ? [own] : state.waiting).flatMap(({ until }) => until ?? []);
  return times.length ? Math.min(...times) : state.deadline;
}

/** Returns the name of a seat's player. @param {State} state @param {number} number */
export const nameAt = (state, number) => shortName(state.view?.seats[number - 1]?.player ?? "") || `seat ${number}`;

/** Returns whom the player waits for, as text; empty if the player waits for nobody. @param {State} state */
function waitText(state) {
  const names = othersAwaited(state).map(({ seat, gone }) => `${nameAt(state, seat)}${gone ? ", who is offline" : ""}`);
  return names.length ? `Waiting for ${LIST.format(names)}` : "";
}

const LIST = new Intl.ListFormat("en");
const ANY_OF = new Intl.ListFormat("en", { type: "disjunction" });

/**
 * Returns what the table waits for, as text.
 * @param {State} state
 * @param {boolean} [ready] true when the player has finished betting
 */
export function statusText(state, ready = false) {
  const { view } = state;
  if (!view) return "Connecting to the table";
  if (view.phase !== "open") return "The table is closed";
  if (view.pending) return `The floor decides: ${plain(String(view.pending.kind))}`;
  const own = ownSeat(state);
  if (ready) return waitText(state) || "Your bets are placed";
  if (bettingOption(state))
    return own && Object.keys(own.wagers).length ? "Press Deal when you are ready" : "Place your bets";
  const asked = state.allowed.filter(
    (one) =>
      one.seat === own?.number &&
      ["bet", "fold", "choose", "set_hand", "take_bank", "decline_bank"].includes(one.command),
  );
  if (own && asked.length) return `Your turn: ${decisionText(state, asked)}`;
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === view.step);
  if (view.turn.length && ["decide", "offer_bank"].includes(step?.step))
    return waitText(state) || `${nameAt(state, view.turn[0])} decides`;
  if (view.turn.length && step?.step === "set_hands") return waitText(state) || "The other players set their hands";
  return STEP_TEXT[step?.step] ?? "The dealer prepares the cards";
}

/** @type {Record<string, string>} */
const STEP_TEXT = {
  open_bets: "Bets are open",
  lock: "No more bets",
  deal: "The dealer deals",
  stub: "The dealer counts the stub",
  reveal: "The dealer turns up cards",
  settle: "The dealer settles",
  compare: "The dealer compares the hands",
  spin: "The wheel spins",
  discard: "The dealer picks up the cards",
  shuffle: "The dealer shuffles the cards",
  first_hand: "The dealer shakes the dice",
  set_hands: "The dealer sets the hands",
};

/** @param {State} state @param {Option[]} asked */
function decisionText(state, asked) {
  const commands = asked.map((one) => one.command);
  if (commands.includes("set_hand")) return "set your two hands";
  if (commands.includes("decline_bank")) return "take the bank or decline it";
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const wager = wagerOf(state, step?.wager)?.title?.toLowerCase() ?? "decide";
  if (commands.includes("bet")) {
    const other = asked.filter((one) => one.command === "choose").map((one) => choiceText(state, one));
    return ANY_OF.format([wager, ...other, ...(commands.includes("fold") ? ["fold"] : [])]);
  }
  if (!commands.includes("choose")) return "you have too few chips to bet. Buy chips or fold";
  const choices = asked.filter((one) => one.command === "choose").map((one) => choiceText(state, one));
  if (choices.includes("expose")) return `show your hand for the ${wager}, or keep it hidden`;
  return ANY_OF.format([...choices, ...(commands.includes("fold") ? ["fold"] : [])]);
}

/** A choice in words; the wager that it takes back is named. @param {State} state @param {Option} option */
function choiceText(state, option) {
  const choice = String(option.fields?.choice);
  const step = state.game?.script.find((/** @type {any} */ one) => one.id === state.view?.step);
  const form = step?.actions.find((/** @type {any} */ one) => one.form === choice);
  if (form?.title) return form.title[0].toLowerCase() + form.title.slice(1);
  return choice === "withdraw"
    ? `take back ${wagerOf(state, form?.wager)?.title.toLowerCase()}`
    : (handTitle(state.game, choice) ?? plain(choice));
}

/** Returns the title of a hand in a sentence. @param {any} game @param {string} id @returns {string | undefined} */
export const handTitle = (game, id) =>
  game.hands
    .find((/** @type {any} */ hand) => hand.id === id)
    ?.title.replace(/ hand$/i, "")
    .toLowerCase();

/** Returns the back colour of the deck in play. @param {{state: State}} page */
export const cardBack = ({ state: { view } }) => view?.decks.find((deck) => deck.id === view.deck)?.back ?? "red";

/** Returns the name of a player; a bot is named by its seat. @param {string} player */
export const shortName = (player) => player.replace(BOT, "Bot $1");
