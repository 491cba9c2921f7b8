"""Narration: each event of a table in one line of dealer's English."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.games.rules import rules_of
from crossfelt.money import dollars
from crossfelt.play.areas import areas_of, cards_up_words, community_places
from crossfelt.play.deck_narration import OPENING, SHUFFLED, deck_loaded, fittings_checked
from crossfelt.play.listener import addressed, does, then_does, to_seat, verb_of, whose
from crossfelt.play.prize_narration import (
    award_claimed,
    award_granted,
    award_verified,
    award_won,
    awards_drawn,
    exact_dollars,
    meter_title,
    wheel_spun,
    wheels_spun,
)
from crossfelt.play.text import (
    amounts_words,
    capital,
    card_sign,
    card_words,
    cut_words,
    hand_title,
    joined_with_and,
    number,
    paid_from,
    rule_words,
    seats_words,
    stake_words,
    title_of,
)
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Group, side_of
from crossfelt.rulebooks.render.phrases import IRREGULARITIES, as_words, outcome_words, the
from crossfelt.rulebooks.script import Decide, FirstHand
from crossfelt.table import events as e

RULINGS: Final[Mapping[str, str]] = {
    "continue": "the round continues",
    "void": "the round is void",
    "abandon": "the wagers are abandoned",
    "fold": "the hand is folded",
    "house_way": "the hand is set the house way",
}


def ruling_words(ruling: str, game: Game) -> str:
    """Return a ruling of the floor in words; a ruling that is no word of the list names the hand that is played."""
    return RULINGS.get(ruling) or f"the {hand_title(game, ruling)} is played"


_RESULTS: Final[Mapping[str, str]] = {"push": "pushes", "lose": "loses", "forfeit": "is forfeited"}


def narrate(event: e.Event, game: Game, *, you: int = 0) -> str:
    """Narrate an event in a dealer's words, to the player of seat `you`; return nothing for mere bookkeeping.

    >>> game = compile_game("md-criss-cross")
    >>> narrate(e.BetPlaced(by="Ann", at=0, seat=3, wager="across", cents=3000), game)
    'Seat 3 bets $30 across'
    >>> narrate(e.BetPlaced(by="Ann", at=0, seat=3, wager="across", cents=3000), game, you=3)
    'You bet $30 across'
    >>> narrate(e.CommunityCardsRevealed(by="dealer", at=0, places=("middle",), cards=(Card("Td"),)), game)
    'Dealer turns up the middle card 10♦'
    """
    return addressed(marked_narration(event, game), you)


def marked_narration(event: e.Event, game: Game) -> str:
    """Narrate an event for every seat at once: `{3~Seat 3 bets~You bet}` marks words that depend on the listener."""
    words = _WORDS.get(type(event))
    return words(event, game) if words else ""


# --- the round --------------------------------------------------------------------------------------------------------


def _placed(event: e.WagersPlaced, game: Game) -> str:
    if not event.wagers:
        return f"{does(event.seat, 'takes')} {to_seat(event.seat, 'its', 'your')} wagers back"
    by = "" if event.instrument == "chips" else f" with {as_words(event.instrument)}"
    if event.coupon_cents:
        by = f" with a match play coupon of {dollars(event.coupon_cents)}"
    return f"{does(event.seat, 'places')} {amounts_words(event.wagers, game)}{by}"


def _locked(event: e.BetsLocked, _: Game) -> str:
    presses = ", then presses the start button" if "start_button" in event.also else ""
    return f"Dealer: “{event.announcement}”{presses}"


def _mixed(event: e.DeckMixed, _: Game) -> str:
    seats = seats_words([one.seat for one in event.seeds])
    late = f"; no seed came from {seats_words([one.seat for one in event.missing])}" if event.missing else ""
    return f"The seeds of {seats} permute the cards of deck {event.deck}{late}"


def _dealt(event: e.CardsDealt, game: Game) -> str:
    """Narrate a deal in its order: the groups on the layout, the players' hands, the dealer's."""
    shared = {place: area.group for area in areas_of(game) if area.whose == "community" for place in area.places}
    hands: dict[int, list[Card]] = {}
    groups: dict[str, Group | None] = {}
    for dealt in event.cards:
        group = None if dealt.seat else shared.get(dealt.place)
        groups["seats" if dealt.seat else group.id if group else "dealer"] = group
        if group is None:
            hands.setdefault(dealt.seat, []).append(dealt.card)
    dealer, each = len(hands.pop(0, ())), len(next(iter(hands.values()), ()))
    to_all = any(isinstance(step, FirstHand) for step in game.book.script)
    to = "every position" if to_all else seats_words(sorted(hands)) if hands else ""
    if dealer and dealer == each:
        to, dealer = f"{to} and {'the' if to_all else 'to the'} dealer", 0
    parts = {"seats": f"{_cards(each)} to {to}", "dealer": f"{_cards(dealer)} to the dealer" if dealer else ""}
    for group in filter(None, groups.values()):
        shown = "the cross" if group.shape == "cross" else _cards(group.cards, "community ")
        parts[group.id] = f"{shown}, face down"
    words = ", and ".join(parts[name] for name in groups if parts[name])
    seen = [f"; {then_does(seat, 'holds')} {card_words(cards)}" for seat, cards in hands.items() if HIDDEN not in cards]
    return f"Dealer deals {words}{''.join(seen) if hands else '; no player holds cards'}"


def _cards(count: int, kind: str = "") -> str:
    return f"{number(count)} {kind}card{'' if count == 1 else 's'}"


def _bank_taken(event: e.BankTaken, _: Game) -> str:
    if event.co_bank:
        return f"{does(event.seat, 'banks')} together with the house"
    against = f"; the dealer will play {dollars(event.house_wager)} against it" if event.house_wager else ""
    return f"{does(event.seat, 'takes')} the bank{against}"


def _covered(event: e.BankCovered, _: Game) -> str:
    house = f", and the house {dollars(event.house_cents)}" if event.house_cents else ""
    return f"{does(event.seat, 'covers')} the bank with {dollars(event.cents)}{house}"


def _house_wager(event: e.HouseWagerSettled, _: Game) -> str:
    result = f"wins {dollars(event.paid)}" if event.result == "win" else _RESULTS[event.result]
    return f"Dealer: {event.hand} — wager of {dollars(event.stake)} against the bank {result}"


def _bank_settled(event: e.BankSettled, _: Game) -> str:
    bank = to_seat(event.seat, f"The bank of seat {event.seat}", "Your bank")
    if event.result == "push":
        return f"{bank} comes out even"
    if event.result == "lose":
        return f"{bank} has lost {dollars(event.stake - event.returned)}"
    kept = f", less {dollars(event.commission)} commission" if event.commission else ""
    return f"{bank} has won {dollars(event.paid)}{kept}"


def _first(event: e.FirstHandChosen, _: Game) -> str:
    by = f"Dice {' '.join(map(str, event.dice))}" if event.dice else f"Number {event.number}"
    return f"{by}: the first hand goes to {f'seat {event.position}' if event.position else 'the dealer'}"


def _set(event: e.HandSet, game: Game) -> str:
    if HIDDEN in event.low:
        return f"{does(event.seat, 'has')} set the hand"
    how = f", the house way ({rule_words(event.house_way, game)})" if event.house_way else ""
    late = " (out of time)" if event.timed_out else ""
    return f"{does(event.seat, 'sets')} {card_words(event.low)} in front{how}{late}{': a foul' if event.foul else ''}"


def _dealer_set(event: e.DealerHandsSet, _: Game) -> str:
    front = f"{card_words(event.low)} in front ({event.low_name})"
    return f"Dealer turns up {card_words(event.cards)} and sets {front}, {event.high_name} behind"


def _exposed(event: e.HandsExposed, _: Game) -> str:
    behind = card_words(card for card in event.cards if card not in event.low)
    front = f"{card_words(event.low)} in front ({event.low_name})"
    return f"{does(event.seat, 'shows')} {front}, {behind} behind ({event.high_name})"


def _award(event: e.AwardPaid, game: Game) -> str:
    of = f" for {event.hand}" if event.hand else ""
    whose = f" of seat {event.of_seat}" if event.of_seat else ""
    sample = " (an illustrative amount)" if event.illustrative else ""
    source = paid_from(event.cents, event.source, event.from_inventory)
    cut = _cut(event.cents, event.limited, event.wager, game)
    award = as_words(event.award) + (f" at {event.odds}" if event.odds else "")
    return f"{does(event.seat, 'is')} paid {dollars(event.cents)}{of}{whose}: {award}{sample}{source}{cut}"


def _counted(event: e.StubCounted, _: Game) -> str:
    if event.count == event.expected:
        return f"Dealer counts the stub: {event.count} cards, as it should be"
    return (
        f"Dealer counts {event.count} cards in the stub, not {event.expected}: {as_words(event.finding)}{_where(event)}"
    )


def _bet(event: e.BetPlaced, game: Game) -> str:
    title = title_of(event.wager, game)
    late = " (out of time)" if event.timed_out else ""
    if title.endswith(" bet"):
        return f"{does(event.seat, 'bets')} {dollars(event.cents)} {title.removesuffix(' bet')}{late}"
    return f"{does(event.seat, 'places')} {the(title)}, {dollars(event.cents)}{late}"


def _folded(event: e.HandFolded, game: Game) -> str:
    seat = event.seat
    late = f"{does(seat, 'does')} not answer: {to_seat(seat, 'the', 'your')} hand folds"
    folds = late if event.timed_out else does(seat, "folds")
    given_up = ", ".join(title_of(wager, game) for wager in event.forfeits)
    gives_up = "gives up" if event.timed_out else f"{verb_of(seat, 'gives')} up"
    return f"{folds} and {gives_up} {given_up}" if given_up else folds


def _chosen(event: e.ChoiceMade, game: Game) -> str:
    late = " (out of time)" if event.timed_out else ""
    match event.choice:
        case "expose":
            cards = card_words(event.cards) or "the cards"
            return f"{does(event.seat, 'shows')} {cards} for {the(title_of(event.wager, game))}{late}"
        case "decline":
            return f"{does(event.seat, 'does')} not show a hand for {the(title_of(event.wager, game))}{late}"
        case "check":
            steps = (step for step in game.book.script if isinstance(step, Decide) and step.wager == event.wager)
            title = next((action.title for step in steps for action in step.actions if action.check), "")
            return f"{does(event.seat, 'says')} “{title}”{late}" if title else f"{does(event.seat, 'checks')}{late}"
        case "withdraw":
            back = f"{the(title_of(event.wager, game))}, {dollars(event.cents)}"
            return f"{does(event.seat, 'takes')} back {back}{late}"
        case hand:
            return f"{does(event.seat, 'plays')} the {hand_title(game, hand)}{late}"


def _collected(event: e.FoldCollected, _: Game) -> str:
    forfeited = dollars(sum(event.wagers.values()))
    if event.cards_stay:
        whose = to_seat(event.seat, "its", "your")
        return f"Dealer collects {forfeited} from seat {event.seat}; {whose} cards stay for the bonus"
    return f"Dealer collects {forfeited} and {to_seat(event.seat, f'the cards of seat {event.seat}', 'your cards')}"


def _shown(event: e.HandShown, game: Game) -> str:
    several = len(event.hands) > 1
    hands = [f"{hand} ({hand_title(game, name)})" if several else hand for name, hand in event.hands.items()]
    words = f": {', '.join(hands)}" if hands else ""
    return f"{does(event.seat, 'shows')} {card_words(event.cards)}{words}"


def _dealer_made(event: e.DealerHandMade, game: Game) -> str:
    hands = {hand.id: hand for hand in game.book.hands}
    parts = {part for name in game.dealer_hands for part in hands[side_of(name)[1]].parts}
    plays = f"plays the {hand_title(game, event.line)}:" if event.line in parts else "has"
    marks = [mark_words(mark, has=has) for mark, has in event.marks.items()]
    return f"Dealer {plays} {event.hand}{' and ' if marks else ''}{joined_with_and(marks) if marks else ''}"


def mark_words(mark: str, *, has: bool) -> str:
    """Say of a hand that it has a mark, or does not; a mark is a verb or the name of a hand.

    >>> mark_words("qualifies", has=False), mark_words("opens", has=False), mark_words("queen_high", has=True)
    ('does not qualify', 'does not open', 'is queen high')
    """
    words = as_words(mark)
    if not words.endswith("s") or words.endswith("ss"):
        return f"is {'' if has else 'not '}{words}"
    return words if has else f"does not {re.sub('ies$', 'y', words).removesuffix('s')}"


def _settled(event: e.WagerSettled, game: Game) -> str:
    line = game.wager(event.wager).line
    places = rules_of(game).places(line) if line is not None else ()
    of = f" in the {hand_title(game, line)}" if line and places and set(places) <= set(community_places(game)) else ""
    hand = f"{event.hand}{of} — " if event.hand else ""
    stake = f"{title_of(event.wager, game)} {stake_words(event.wager, event.stake, game)}"
    if event.result != "win":
        back = f", {dollars(event.returned)} comes back" if event.result == "forfeit" and event.returned else ""
        return f"Seat {event.seat}: {hand}{stake} {_RESULTS[event.result]}{back}"
    cut = f", less {dollars(event.commission)} commission" if event.commission else ""
    cut += _cut(event.paid, event.limited, event.wager, game)
    at = f" at {event.odds}" if " to " in event.odds else ""
    at += paid_from(event.paid, event.source, event.from_inventory)
    return f"Seat {event.seat}: {hand}{stake} wins {dollars(event.paid)}{at}{cut}"


def _cut(paid: int, limited: int, wager: str, game: Game) -> str:
    words = cut_words(paid, limited, wager, game)
    return f", {words}" if words else ""


def _halted(event: e.PaymentHalted, game: Game) -> str:
    short = dollars(event.short_cents)
    wager = the(title_of(event.wager, game))
    return f"The tray is {short} short for {wager} of seat {event.seat}: a fill is called for"


# --- what goes wrong --------------------------------------------------------------------------------------------------


def _where(event: e.IrregularityReported | e.StubCounted, note: str = "") -> str:
    where = (f"seat {event.seat}" if event.seat else "", as_words(event.place or ""), note)
    named = ", ".join(filter(None, where))
    return f" ({named})" if named else ""


def _coupon(event: e.CouponSettled, game: Game) -> str:
    won = f"wins {dollars(event.paid)} and is collected" if event.paid else "is collected"
    kept = "goes back to the player" if event.result == "push" else won
    cut = _cut(event.paid, event.limited, event.wager, game)
    return f"Seat {event.seat}: match play coupon of {dollars(event.face_cents)} {kept}{cut}"


def _voided(event: e.RoundVoided, _: Game) -> str:
    kept = "; wagers that are settled already stand" if event.keeps_settled else ""
    return f"Dealer declares the round void: {as_words(event.kind)}{kept}"


def _reversed(event: e.SettlementReversed, game: Game) -> str:
    settled = event.settled
    match settled:
        case e.WagerSettled() | e.CouponSettled():
            what = title_of(settled.wager, game) if isinstance(settled, e.WagerSettled) else "match play coupon"
            back = f", and {dollars(settled.paid)} goes back" if settled.paid else ""
            return f"Seat {event.seat}: the settlement of {what} is undone{back}"
        case e.AwardPaid():
            return f"{does(event.seat, 'gives')} back {dollars(settled.cents)}: {as_words(settled.award)}"
        case _:
            return f"The settlement of {to_seat(event.seat, f'the bank of seat {event.seat}', 'your bank')} is undone"


ABANDONED: Final[Mapping[e.Abandoned, str]] = {
    "idle": "the table is idle",
    "deck_removed": "its deck leaves the table",
    "table_closed": "the table closes",
}

_WORDS: Final[Mapping[type, Callable[[Any, Game], str]]] = {
    e.TableOpened: lambda event, _: f"Table opens with {dollars(event.inventory_cents)} in the tray",
    e.TableClosed: lambda event, _: f"Table closes with {dollars(event.inventory_cents)} in the tray",
    e.InventoryFilled: lambda event, _: f"Floor brings a fill of {dollars(event.cents)}",
    e.InventoryCredited: lambda event, _: f"Floor takes {dollars(event.cents)} from the tray",
    e.FittingsChecked: fittings_checked,
    e.DeckPrepared: lambda event, _: OPENING[event.act].format(
        by=capital(event.by),
        deck=event.deck,
        back=event.back,
        cover=f", {event.cover} cover card" if event.cover else "",
    ),
    e.DeckShuffled: lambda event, _: SHUFFLED[event.method].format(
        deck=event.deck, device=f" {event.device}" if event.device else ""
    ),
    e.DeckCut: lambda event, _: f"Dealer has deck {event.deck} cut, {event.depth} cards deep",
    e.RecutOrdered: lambda event, _: f"Floor has deck {event.deck} cut again: {as_words(event.reason)}",
    e.ShuffleOrdered: lambda event, _: f"Floor has deck {event.deck} shuffled again: {as_words(event.reason)}",
    e.DeckLoaded: deck_loaded,
    e.DeckSpreadIdle: lambda event, _: f"Dealer spreads deck {event.deck} face {event.face} on the idle table",
    e.DeckRemoved: lambda event, _: f"Floor takes deck {event.deck} off the table: {as_words(event.reason)}",
    e.SeatTaken: lambda event, _: f"Seat {event.seat}: {event.player}, with {dollars(event.chips_cents)} in chips",
    e.SeatLeft: lambda event, _: f"{does(event.seat, 'leaves')} with {dollars(event.chips_cents)}",
    e.ChipsBought: lambda event, _: f"{does(event.seat, 'buys')} chips for {dollars(event.cents)}",
    e.RoundOpened: lambda event, _: f"Round {event.round}: place your bets",
    e.BankTaken: _bank_taken,
    e.BankDeclined: lambda event, _: f"{does(event.seat, 'declines')} the bank",
    e.BankReturned: lambda event, _: f"{does(event.seat, 'gives')} the bank back: the house banks",
    e.BankCovered: _covered,
    e.HouseWagerSettled: _house_wager,
    e.BankSettled: _bank_settled,
    e.BankReleased: lambda event, _: (
        f"{does(event.seat, 'gets')} back the {dollars(event.cents)} that covered the bank"
    ),
    e.WagersPlaced: _placed,
    e.BetsLocked: _locked,
    e.DeckMixed: _mixed,
    e.CardsDealt: _dealt,
    e.StubCounted: _counted,
    e.StubDiscarded: lambda event, _: f"The stub of {event.count} cards goes to the discard rack",
    e.BetPlaced: _bet,
    e.HandFolded: _folded,
    e.ChoiceMade: _chosen,
    e.FirstHandChosen: _first,
    e.EmptyPositionsCollected: lambda event, _: f"Dealer collects the hands of empty {seats_words(event.seats)}",
    e.HandSet: _set,
    e.HandSurrendered: lambda event, _: f"{does(event.seat, 'surrenders')}",
    e.DealerHandsSet: _dealer_set,
    e.HandsExposed: _exposed,
    e.AwardPaid: _award,
    e.FoldCollected: _collected,
    e.CommunityCardsRevealed: lambda event, game: f"Dealer turns up {cards_up_words(game, event.places, event.cards)}",
    e.HandShown: _shown,
    e.DealerHandMade: _dealer_made,
    e.WagerSettled: _settled,
    e.CouponSettled: _coupon,
    e.PaymentHalted: _halted,
    e.CardsDiscarded: lambda event, _: "Dealer picks up the cards",
    e.RoundClosed: lambda event, _: f"Round {event.round} is {'over' if event.outcome == 'settled' else 'void'}",
    e.RoundAbandoned: lambda event, _: f"Round {event.round} is called off: {ABANDONED[event.why]}",
    e.IrregularityReported: lambda event, _: (
        f"{IRREGULARITIES[event.kind]}{_where(event, event.note)}: {outcome_words(event.then)}"
    ),
    e.FaceUpCardDiscarded: lambda event, _: f"{card_sign(event.card)} was face up and is not used",
    e.CommunityCardExposed: lambda event, game: (
        f"{capital(cards_up_words(game, (event.place,), (event.card,)))} was exposed early"
    ),
    e.CardMisnamed: lambda event, game: (
        f"{capital(cards_up_words(game, (event.place,), (event.card,)))} was named wrongly"
    ),
    e.EntryTakenBack: lambda event, _: f"The last entry, by {event.entered_by}, is taken back",
    e.ChipsCorrected: lambda event, _: (
        f"Round {event.of_round} is reversed: {does(event.seat, 'has')} {dollars(event.after_cents)} "
        f"instead of {dollars(event.before_cents)}"
    ),
    e.FloorRuled: lambda event, game: (
        f"Floor rules{f' for seat {event.seat}' if event.seat else ''}: {ruling_words(event.ruling, game)}"
    ),
    e.RoundVoided: _voided,
    e.SettlementReversed: _reversed,
    e.WagersReturned: lambda event, game: (
        f"{does(event.seat, 'gets')} back {amounts_words({**event.wagers, **event.forfeited}, game)}"
    ),
    e.WagersForfeited: lambda event, game: (
        f"{does(event.seat, 'forfeits')} {amounts_words(event.wagers, game)}: {event.why}"
    ),
    e.ContributionMade: lambda event, game: (
        f"The wagers add {exact_dollars(event.micros)} to the {meter_title(event.meter, game)}"
    ),
    e.ContributionReversed: lambda event, game: (
        f"The void round takes {exact_dollars(event.micros)} back from the {meter_title(event.meter, game)}"
    ),
    e.WheelSpun: wheel_spun,
    e.XtremeSpun: wheels_spun,
    e.AwardClaimed: award_claimed,
    e.AwardGranted: award_granted,
    e.AwardsDrawn: awards_drawn,
    e.AwardWon: award_won,
    e.AwardVerified: award_verified,
    e.AwardValidated: lambda event, game: f"A {game.settings['supervisor_title']} validates it for seat {event.seat}",
    e.DocumentsCompleted: lambda event, _: (
        f"The documents of {whose(event.seat)} award are complete ({event.document}); "
        f"{to_seat(event.seat, 'its', 'your')} cards may be collected"
    ),
    e.DeviceMarked: lambda event, _: f"The {event.device} is {as_words(event.how)}",
    e.MethodChanged: lambda event, _: f"From now on: dealt by {as_words(event.dealing)}, shuffled by {event.shuffling}",
}
