"""Dealing: the deal, the stub and its count, and the community cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.errors import Problem
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.script import Deal, Delivery, FirstHand, Reveal, Stub
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import (
    Act,
    Option,
    PlainAct,
    Range,
    joined,
    named_where,
    out_of_turn,
    refuse,
    step_clauses,
    where_in_words,
)
from crossfelt.table.flow import awaiting_collection, enter_next, name_dealer_hand
from crossfelt.table.rack import cards_in
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, first_step, seats_in_order, step_as, step_of
from crossfelt.table.void_round import void_round

MISDEALT: Final = ("misdealt", "misdealt_and_wrong_total")
"""Findings of a wrong count that name a misdeal."""


def deliveries(table: TableState, step: Deal, playing: Sequence[int] | None = None) -> Iterator[tuple[int, str]]:
    """Yield the seat and place of each card in the order of the deal; seat 0 is the layout, with the dealer's hand.

    `playing` lists the seats that will get cards while no wager is on the layout yet.
    """
    if playing is None:
        playing = [seat.number for seat in seats_in_order(table, "clockwise") if seat.wagers]
    for delivery in step.deliver:
        if delivery.applies_to(table.dealing):
            yield from _deliver(table, delivery, playing)


def deal_order(table: TableState) -> tuple[tuple[int, str], ...]:
    """Return the seat and place of each card to come; from the dealer's, where dice choose the first position."""
    script = table.game.dealt_by(table.dealing).script
    if any(isinstance(step, FirstHand) for step in script):
        table = replace(table, first_position=0)
    return tuple(spot for step in script if isinstance(step, Deal) for spot in deliveries(table, step))


def _deliver(table: TableState, delivery: Delivery, playing: Sequence[int]) -> Iterator[tuple[int, str]]:
    group = table.game.group(delivery.to)
    places = delivery.places or group.names
    positions = _positions(table, group.owner, playing)
    for start in range(0, len(places), delivery.at_a_time):
        for position in positions:
            at_dealer = position == 0 and group.owner != "community"
            for place in places[start : start + delivery.at_a_time]:
                yield position, f"dealer_{place}" if at_dealer else place


def _positions(table: TableState, owner: str, playing: Sequence[int]) -> Sequence[int]:
    """Return the positions that get the cards of a group in turn; 0 is the layout or the dealer."""
    if owner in ("community", "dealer"):
        return (0,)
    if owner == "seat":
        return playing
    if table.first_position is None:
        return (*playing, 0)
    clockwise = table.game.settings["stacks_delivered"] == "clockwise"
    return positions_from(table.first_position, table.game.book.table.seats, clockwise=clockwise)


def positions_from(first: int, seats: int, *, clockwise: bool = True) -> tuple[int, ...]:
    """Return every position in turn from the first, with the dealer as 0.

    >>> positions_from(5, 6), positions_from(5, 6, clockwise=False)
    ((5, 6, 0, 1, 2, 3, 4), (5, 4, 3, 2, 1, 0, 6))
    """
    onward = 1 if clockwise else -1
    return tuple((first + onward * place) % (seats + 1) for place in range(seats + 1))


def place_in_deal(spots: Iterable[tuple[int, str]], seat: int | None, place: str | None) -> int:
    """Return the number of cards before the first one for a seat or place; 0 where neither is named."""
    wanted = (at for at, (of, name) in enumerate(spots) if seat in (None, of) and place in (None, name))
    return next(wanted, 0)


def coming_cards(table: TableState) -> Iterator[Card]:
    """Yield the cards of the deck from the top, without the cards found face up."""
    deck = table.deck
    if not deck.cards:
        while True:
            yield HIDDEN
    for place, card in enumerate(deck.cards[deck.next :], deck.next):
        if place not in deck.skipped:
            yield card


def stub_size(table: TableState) -> int:
    """Return the number of cards left in the deck after the deal."""
    dealt = sum([len(seat.cards) for seat in table.seats]) + len(table.community)
    return table.game.book.deck.cards - dealt - table.face_up_cards


def count_due(table: TableState) -> bool:
    """Say if this round's stub must be counted."""
    every, methods = table.game.number("stub_count_every"), table.game.listed("stub_count_methods")
    return table.dealing in methods and not counted_by_device(table) and table.rounds_since_count >= every


def counted_by_device(table: TableState) -> bool:
    """Say if the shuffler's count replaces that of the stub."""
    counting = table.game.choices["dealing.shuffler"] == "counting" and table.shuffling == "device"
    return counting and bool(table.game.settings["counting_shuffler_exempts"])


class DealCardsAct(PlainAct[c.DealCards], roles=("dealer",)):
    def problem(self, table: TableState) -> Problem | None:
        step = first_step(table, Deal)
        if table.step != step.id:
            return refuse("deal.step", "cards are dealt after no more bets", table.step, step.id, step.clauses)
        if table.deck.stage != "in_play":
            return refuse("deal.deck", "the deck is not ready", table.deck.stage, "", step.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.DealCards) -> None:
        table = recorder.table
        step = step_as(table, Deal)
        cards = coming_cards(table)
        dealt = tuple(e.Dealt(seat, place, next(cards)) for seat, place in deliveries(table, step))
        clauses = {cl: None for d in step.deliver if d.applies_to(table.dealing) for cl in d.clauses}
        recorder.emit(e.CardsDealt, step, cards=dealt, method=table.dealing, clauses=tuple(clauses))
        enter_next(recorder)


def misdeals(table: TableState) -> list[dict[str, Any]]:
    """List the seats and areas in which a wrong number of cards is a misdeal."""
    seats: list[dict[str, Any]] = [{"seat": seat.number} for seat in table.seats if seat.cards]
    areas = table.game.listed("misdeal_areas")
    return [where for area in areas for where in (seats if area == "player" else [{"place": area}])]


class CountStubAct(Act[c.CountStub], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Stub):
            right = stub_size(table)
            clauses = (step.count_rule or step).clauses
            yield Option(command=self.name, fields={"count": right}, clauses=clauses)
            for wrong in (Range(0, right - 1), Range(right + 1, table.game.book.deck.cards)):
                for where, findings in self._findings(table):
                    ranges, choices = {"count": wrong}, {"finding": findings}
                    yield Option(command=self.name, fields=where, ranges=ranges, choices=choices, clauses=clauses)

    @staticmethod
    def _findings(table: TableState) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
        """Yield the possible findings by seat or area; only a misdeal has one."""
        findings = sorted(table.game.book.irregularities["stub_count_wrong"])
        yield {}, tuple(finding for finding in findings if finding not in MISDEALT)
        for where in misdeals(table):
            yield where, tuple(finding for finding in findings if finding in MISDEALT)

    def why_not(self, table: TableState, command: c.CountStub) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Stub):
            return out_of_turn(table, "stub.step", "there is no stub to count now", Stub)
        rule = step.count_rule or step
        if not 0 <= command.count <= table.game.book.deck.cards:
            what, allowed = "this is not a possible number of cards", f"0 to {table.game.book.deck.cards}"
            return refuse("stub.count", what, command.count, allowed, rule, where="count")
        findings = sorted(table.game.book.irregularities["stub_count_wrong"])
        right = command.count == stub_size(table)
        if right and command.finding:
            return refuse("stub.finding", "the count is correct", command.finding, "no finding", rule)
        if not right and command.finding not in findings:
            what = "the count is not right: say what was found"
            return refuse("stub.finding", what, command.count, ", ".join(findings), rule, where="finding")
        return self._where_problem(table, command)

    @staticmethod
    def _where_problem(table: TableState, command: c.CountStub) -> Problem | None:
        """Refuse a misdeal outside the areas that the document names."""
        named = named_where(command.seat, command.place)
        possible = misdeals(table) if command.finding in MISDEALT else [{}]
        if named in possible:
            return None
        misdealt = command.finding in MISDEALT
        what = "name the seat or area of the misdeal" if misdealt else "only a misdeal names a seat or area"
        allowed = "; ".join(map(where_in_words, possible))
        rule = table.rule("misdeal_areas")
        return refuse("stub.where", what, where_in_words(named), allowed, rule.clauses, where="seat or place")

    def perform(self, recorder: EventRecorder, command: c.CountStub) -> None:
        table = recorder.table
        step = step_as(table, Stub)
        recorder.emit(e.StubCounted, step.count_rule or step, command, expected=stub_size(table))
        if not command.finding:
            put_stub_away(recorder, command.count, joined(step, step.count_rule))
            return
        outcome = table.game.book.irregularities["stub_count_wrong"][command.finding]
        then = outcome.then
        if command.finding == "misdealt_and_wrong_total":
            keep = table.game.settings["misdealt_and_wrong_total"] == "reshuffle"
            then = tuple("reshuffle" if act == "remove_deck" and keep else act for act in then)
        void_round(recorder, "stub_count_wrong", outcome, then)


class DiscardStubAct(PlainAct[c.DiscardStub], roles=("dealer",)):
    def problem(self, table: TableState) -> Problem | None:
        if not isinstance(step_of(table), Stub):
            return out_of_turn(table, "stub.step", "there is no stub to put away now", Stub)
        if count_due(table):
            rule = table.rule("stub_count_every")
            what = f"round {table.rounds_since_count} without a count of the stub: count it now"
            return refuse("stub.due", what, None, f"once in {rule.value} rounds", rule.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.DiscardStub) -> None:
        table = recorder.table
        exempt = table.rule("counting_shuffler_exempts") if counted_by_device(table) else None
        put_stub_away(recorder, stub_size(table), joined(step_of(table), exempt))


def put_stub_away(recorder: EventRecorder, count: int, rule: Cited) -> None:
    """Put the stub into the discard rack, and then the cards of positions without a wager."""
    step = step_of(recorder.table)
    recorder.emit(e.StubDiscarded, rule, count=count)
    table = recorder.table
    empty = tuple(s.number for s in table.seats if s.cards and not s.placed and not table.banks(s.number))
    if empty:
        recorder.emit(e.EmptyPositionsCollected, step, seats=empty)
    enter_next(recorder)


def turned_up(table: TableState, step: object) -> bool:
    return isinstance(step, Reveal) and table.revealed.issuperset(step.cards)


class TurnUpAct(Act[c.TurnUp], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Reveal) and not turned_up(table, step):
            count = self._to_name(table, step)
            yield Option(command=self.name, fields={"cards": count} if count else {}, clauses=step.clauses)

    def why_not(self, table: TableState, command: c.TurnUp) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Reveal) or turned_up(table, step):
            return out_of_turn(table, "reveal.step", "no community cards are due now", Reveal)
        return named_cards(table, "reveal.cards", command.cards, self._to_name(table, step))

    @staticmethod
    def _places(table: TableState, step: Reveal) -> tuple[str, ...]:
        return tuple(place for place in step.cards if place not in table.revealed)

    def _to_name(self, table: TableState, step: Reveal) -> int:
        """Return the number of cards that the dealer names; none where the table knows them."""
        places = self._places(table, step)
        return 0 if all(table.community[place] is not HIDDEN for place in places) else len(places)

    def perform(self, recorder: EventRecorder, command: c.TurnUp) -> None:
        table = recorder.table
        step = step_as(table, Reveal)
        places = self._places(table, step)
        cards = command.cards or tuple(table.community[place] for place in places)
        recorder.emit(e.CommunityCardsRevealed, step, places=places, cards=cards)
        name_dealer_hand(recorder, step)
        if not awaiting_collection(recorder.table):
            enter_next(recorder)


def named_cards(table: TableState, code: str, cards: tuple[Card, ...], count: int) -> Problem | None:
    """Refuse the wrong number of named cards: `count` at a physical table, none where the table knows the cards."""
    if count:
        return enterable(table, cards, count, step_clauses(table))
    if cards:
        return refuse(code, "the table knows the cards already: name none", str(cards), where="cards")
    return None


def enterable(table: TableState, cards: tuple[Card, ...], count: int, clauses: tuple[str, ...]) -> Problem | None:
    """Refuse cards that cannot lie at the place for which a dealer names them at a physical table."""
    size = table.game.book.deck.cards
    if len(cards) != count or any(card >= size for card in cards):
        return refuse("cards.count", "name the cards", len(cards), f"{count} cards", clauses, where="cards")
    for card in cards:
        where = "is named twice" if cards.count(card) > 1 else lies_at(table, card)
        if where is not None:
            return refuse("cards.repeated", f"the card {where}", str(card), "", clauses, where="cards")
    return None


def lies_at(table: TableState, card: Card) -> str | None:
    """Say where a card lies that was named before; None if this round has not shown it."""
    for place, other in table.community.items():
        if other == card:
            return "lies in the dealer's hand" if place.startswith("dealer_") else f"lies {place.replace('_', ' ')}"
    for seat in table.seats:
        if card in seat.cards:
            return f"lies at seat {seat.number}"
    return "lies in the discard rack" if card in cards_in(table.pile) else None
