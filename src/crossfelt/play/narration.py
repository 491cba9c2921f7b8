"""Narration: each event of a table in one line of dealer's English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.games.rules import rules_of
from crossfelt.money import dollars
from crossfelt.play.areas import areas_of, cards_up_words, community_places
from crossfelt.play.deck_narration import deck_words
from crossfelt.play.listener import addressed, does, then_does, to_seat, verb_of
from crossfelt.play.prize_narration import prize_words
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
    for words in (_round_words, _hand_words, _settlement_words, prize_words, _table_words, _fault_words):
        if told := words(event, game):
            return told
    return deck_words(event)


def _table_words(event: e.Event, _: Game) -> str:
    match event:
        case e.TableOpened():
            return f"Table opens with {dollars(event.inventory_cents)} in the tray"
        case e.TableClosed():
            return f"Table closes with {dollars(event.inventory_cents)} in the tray"
        case e.InventoryFilled():
            return f"Floor brings a fill of {dollars(event.cents)}"
        case e.InventoryCredited():
            return f"Floor takes {dollars(event.cents)} from the tray"
        case e.SeatTaken():
            return f"Seat {event.seat}: {event.player}, with {dollars(event.chips_cents)} in chips"
        case e.SeatLeft():
            return f"{does(event.seat, 'leaves')} with {dollars(event.chips_cents)}"
        case e.ChipsBought():
            return f"{does(event.seat, 'buys')} chips for {dollars(event.cents)}"
        case e.BankTaken():
            if event.co_bank:
                return f"{does(event.seat, 'banks')} together with the house"
            against = f"; the dealer will play {dollars(event.house_wager)} against it" if event.house_wager else ""
            return f"{does(event.seat, 'takes')} the bank{against}"
        case e.BankDeclined():
            return f"{does(event.seat, 'declines')} the bank"
        case e.BankReturned():
            return f"{does(event.seat, 'gives')} the bank back: the house banks"
        case e.BankCovered():
            house = f", and the house {dollars(event.house_cents)}" if event.house_cents else ""
            return f"{does(event.seat, 'covers')} the bank with {dollars(event.cents)}{house}"
        case e.BankReleased():
            return f"{does(event.seat, 'gets')} back the {dollars(event.cents)} that covered the bank"
    return ""


def _round_words(event: e.Event, game: Game) -> str:
    match event:
        case e.RoundOpened():
            return f"Round {event.round}: place your bets"
        case e.WagersPlaced():
            if not event.wagers:
                return f"{does(event.seat, 'takes')} {to_seat(event.seat, 'its', 'your')} wagers back"
            by = "" if event.instrument == "chips" else f" with {as_words(event.instrument)}"
            if event.coupon_cents:
                by = f" with a match play coupon of {dollars(event.coupon_cents)}"
            return f"{does(event.seat, 'places')} {amounts_words(event.wagers, game)}{by}"
        case e.BetsLocked():
            presses = ", then presses the start button" if "start_button" in event.also else ""
            return f"Dealer: “{event.announcement}”{presses}"
        case e.FirstHandChosen():
            by = f"Dice {' '.join(map(str, event.dice))}" if event.dice else f"Number {event.number}"
            return f"{by}: the first hand goes to {f'seat {event.position}' if event.position else 'the dealer'}"
        case e.CardsDealt():
            return _dealt(event, game)
        case e.EmptyPositionsCollected():
            return f"Dealer collects the hands of empty {seats_words(event.seats)}"
        case e.CommunityCardsRevealed():
            return f"Dealer turns up {cards_up_words(game, event.places, event.cards)}"
        case e.StubCounted():
            if event.count == event.expected:
                return f"Dealer counts the stub: {event.count} cards, as it should be"
            wrong = f"{event.count} cards in the stub, not {event.expected}: {as_words(event.finding)}"
            return f"Dealer counts {wrong}{_where(event)}"
        case e.StubDiscarded():
            return f"The stub of {event.count} cards goes to the discard rack"
        case e.CardsDiscarded():
            return "Dealer picks up the cards"
        case e.RoundClosed():
            return f"Round {event.round} is {'over' if event.outcome == 'settled' else 'void'}"
        case e.RoundAbandoned():
            return f"Round {event.round} is called off: {ABANDONED[event.why]}"
    return ""


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


# --- hands ------------------------------------------------------------------------------------------------------------


def _hand_words(event: e.Event, game: Game) -> str:
    late = " (out of time)" if getattr(event, "timed_out", False) else ""
    match event:
        case e.BetPlaced(seat=seat):
            title = title_of(event.wager, game)
            if title.endswith(" bet"):
                return f"{does(seat, 'bets')} {dollars(event.cents)} {title.removesuffix(' bet')}{late}"
            return f"{does(seat, 'places')} {the(title)}, {dollars(event.cents)}{late}"
        case e.HandFolded(seat=seat):
            silent = f"{does(seat, 'does')} not answer: {to_seat(seat, 'the', 'your')} hand folds"
            folds = silent if event.timed_out else does(seat, "folds")
            given_up = ", ".join(title_of(wager, game) for wager in event.forfeits)
            gives_up = "gives up" if event.timed_out else f"{verb_of(seat, 'gives')} up"
            return f"{folds} and {gives_up} {given_up}" if given_up else folds
        case e.FoldCollected(seat=seat):
            forfeited = dollars(sum(event.wagers.values()))
            if event.cards_stay:
                stay = f"{to_seat(seat, 'its', 'your')} cards stay for the bonus"
                return f"Dealer collects {forfeited} from seat {seat}; {stay}"
            return f"Dealer collects {forfeited} and {to_seat(seat, f'the cards of seat {seat}', 'your cards')}"
        case e.ChoiceMade():
            return f"{_chosen(event, game)}{late}"
        case e.HandSet(seat=seat):
            if HIDDEN in event.low:
                return f"{does(seat, 'has')} set the hand"
            how = f", the house way ({rule_words(event.house_way, game)})" if event.house_way else ""
            return f"{does(seat, 'sets')} {card_words(event.low)} in front{how}{late}{': a foul' if event.foul else ''}"
        case e.HandSurrendered():
            return does(event.seat, "surrenders")
        case e.DealerHandsSet():
            front = f"{card_words(event.low)} in front ({event.low_name})"
            return f"Dealer turns up {card_words(event.cards)} and sets {front}, {event.high_name} behind"
        case e.HandsExposed():
            behind = card_words(card for card in event.cards if card not in event.low)
            front = f"{card_words(event.low)} in front ({event.low_name})"
            return f"{does(event.seat, 'shows')} {front}, {behind} behind ({event.high_name})"
        case e.HandShown():
            several = len(event.hands) > 1
            hands = [f"{hand} ({hand_title(game, name)})" if several else hand for name, hand in event.hands.items()]
            words = f": {', '.join(hands)}" if hands else ""
            return f"{does(event.seat, 'shows')} {card_words(event.cards)}{words}"
        case e.DealerHandMade():
            ids = {hand.id: hand for hand in game.book.hands}
            parts = {part for name in game.dealer_hands for part in ids[side_of(name)[1]].parts}
            plays = f"plays the {hand_title(game, event.line)}:" if event.line in parts else "has"
            marks = [mark_words(mark, has=has) for mark, has in event.marks.items()]
            return f"Dealer {plays} {event.hand}{' and ' if marks else ''}{joined_with_and(marks) if marks else ''}"
    return ""


def _chosen(event: e.ChoiceMade, game: Game) -> str:
    match event.choice:
        case "expose":
            cards = card_words(event.cards) or "the cards"
            return f"{does(event.seat, 'shows')} {cards} for {the(title_of(event.wager, game))}"
        case "decline":
            return f"{does(event.seat, 'does')} not show a hand for {the(title_of(event.wager, game))}"
        case "check":
            steps = (step for step in game.book.script if isinstance(step, Decide) and step.wager == event.wager)
            title = next((action.title for step in steps for action in step.actions if action.check), "")
            return f"{does(event.seat, 'says')} “{title}”" if title else does(event.seat, "checks")
        case "withdraw":
            return f"{does(event.seat, 'takes')} back {the(title_of(event.wager, game))}, {dollars(event.cents)}"
        case hand:
            return f"{does(event.seat, 'plays')} the {hand_title(game, hand)}"


def mark_words(mark: str, *, has: bool) -> str:
    """Say of a hand that it has a mark, or does not; a mark is a verb or the name of a hand.

    >>> mark_words("qualifies", has=False), mark_words("opens", has=False), mark_words("queen_high", has=True)
    ('does not qualify', 'does not open', 'is queen high')
    """
    words = as_words(mark)
    if not words.endswith("s") or words.endswith("ss"):
        return f"is {'' if has else 'not '}{words}"
    return words if has else f"does not {re.sub('ies$', 'y', words).removesuffix('s')}"


# --- settlement -------------------------------------------------------------------------------------------------------


def _settlement_words(event: e.Event, game: Game) -> str:
    match event:
        case e.WagerSettled():
            return _settled(event, game)
        case e.CouponSettled():
            won = f"wins {dollars(event.paid)} and is collected" if event.paid else "is collected"
            kept = "goes back to the player" if event.result == "push" else won
            cut = _cut(event.paid, event.limited, event.wager, game)
            return f"Seat {event.seat}: match play coupon of {dollars(event.face_cents)} {kept}{cut}"
        case e.AwardPaid():
            of = f" for {event.hand}" if event.hand else ""
            whose = f" of seat {event.of_seat}" if event.of_seat else ""
            sample = " (an illustrative amount)" if event.illustrative else ""
            source = paid_from(event.cents, event.source, event.from_inventory)
            cut = _cut(event.cents, event.limited, event.wager, game)
            award = as_words(event.award) + (f" at {event.odds}" if event.odds else "")
            return f"{does(event.seat, 'is')} paid {dollars(event.cents)}{of}{whose}: {award}{sample}{source}{cut}"
        case e.HouseWagerSettled():
            result = f"wins {dollars(event.paid)}" if event.result == "win" else _RESULTS[event.result]
            return f"Dealer: {event.hand} — wager of {dollars(event.stake)} against the bank {result}"
        case e.BankSettled():
            bank = to_seat(event.seat, f"The bank of seat {event.seat}", "Your bank")
            if event.result == "push":
                return f"{bank} comes out even"
            if event.result == "lose":
                return f"{bank} has lost {dollars(event.stake - event.returned)}"
            commission = f", less {dollars(event.commission)} commission" if event.commission else ""
            return f"{bank} has won {dollars(event.paid)}{commission}"
        case e.PaymentHalted():
            wager = the(title_of(event.wager, game))
            short = f"{dollars(event.short_cents)} short for {wager} of seat {event.seat}"
            return f"The tray is {short}: a fill is called for"
    return ""


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


# --- what goes wrong --------------------------------------------------------------------------------------------------


def _fault_words(event: e.Event, game: Game) -> str:
    match event:
        case e.IrregularityReported():
            return f"{IRREGULARITIES[event.kind]}{_where(event, event.note)}: {outcome_words(event.then)}"
        case e.FaceUpCardDiscarded():
            return f"{card_sign(event.card)} was face up and is not used"
        case e.CommunityCardExposed() | e.CardMisnamed():
            fault = "exposed early" if isinstance(event, e.CommunityCardExposed) else "named wrongly"
            return f"{capital(cards_up_words(game, (event.place,), (event.card,)))} was {fault}"
        case e.EntryTakenBack():
            return f"The last entry, by {event.entered_by}, is taken back"
        case e.ChipsCorrected():
            now = f"{does(event.seat, 'has')} {dollars(event.after_cents)} instead of {dollars(event.before_cents)}"
            return f"Round {event.of_round} is reversed: {now}"
        case e.FloorRuled():
            of = f" for seat {event.seat}" if event.seat else ""
            return f"Floor rules{of}: {ruling_words(event.ruling, game)}"
        case e.RoundVoided():
            kept = "; wagers that are settled already stand" if event.keeps_settled else ""
            return f"Dealer declares the round void: {as_words(event.kind)}{kept}"
        case e.SettlementReversed():
            return _reversed(event, game)
        case e.WagersReturned():
            return f"{does(event.seat, 'gets')} back {amounts_words({**event.wagers, **event.forfeited}, game)}"
        case e.WagersForfeited():
            return f"{does(event.seat, 'forfeits')} {amounts_words(event.wagers, game)}: {event.why}"
    return ""


def _where(event: e.IrregularityReported | e.StubCounted, note: str = "") -> str:
    where = (f"seat {event.seat}" if event.seat else "", as_words(event.place or ""), note)
    named = ", ".join(filter(None, where))
    return f" ({named})" if named else ""


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
