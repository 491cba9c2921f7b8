"""Cards leave the deck, players decide, folded hands are collected, community cards are turned up."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.money.ledger import chips_of
from crossfelt.problems import Problem
from crossfelt.rulebooks.script import Deal, Decide, Delivery, Reveal, Stub
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts import Act, Option, Range, refuse
from crossfelt.table.acts_house import not_yours
from crossfelt.table.commands import Role
from crossfelt.table.flow import awaiting_collection, enter_next, seats_in_order
from crossfelt.table.stage import Stage
from crossfelt.table.state import Seat, Table, step_of
from crossfelt.table.voiding import void_round


def deliveries(table: Table, step: Deal) -> Iterator[tuple[int, str]]:
    """Seat and place of each card in the order of the deal; seat 0 is the community area."""
    playing = [seat.number for seat in seats_in_order(table, "clockwise") if seat.wagers]
    for delivery in step.deliver:
        if table.dealing in delivery.methods:
            yield from _deliver(delivery, playing)


def _deliver(delivery: Delivery, playing: list[int]) -> Iterator[tuple[int, str]]:
    seats = [0] if delivery.to == "community" else playing
    for start in range(0, len(delivery.places), delivery.at_a_time):
        for seat in seats:
            for place in delivery.places[start : start + delivery.at_a_time]:
                yield seat, place


def coming_cards(table: Table) -> Iterator[Card]:
    """What the deck will give, from the top, without the cards found face up."""
    deck = table.deck
    if not deck.cards:
        while True:
            yield HIDDEN
    for place in range(deck.next, len(deck.cards)):
        if place not in deck.skipped:
            yield deck.cards[place]


def stub_size(table: Table) -> int:
    """How many cards are left in the deck after the deal."""
    dealt = sum(len(seat.cards) for seat in table.seats) + len(table.community)
    return table.game.book.deck.cards - dealt - table.face_up_cards


def count_due(table: Table) -> bool:
    """Whether this round's stub must be counted."""
    settings, choices = table.game.settings, table.game.choices
    every, methods = table.game.number("stub_count_every"), table.game.listed("stub_count_methods")
    counted_by_device = (
        choices["dealing.shuffler"] == "counting"
        and table.shuffling == "device"
        and settings["counting_shuffler_exempts"]
    )
    return table.dealing in methods and not counted_by_device and table.rounds_since_count + 1 >= every


class DealCards(Act[c.DealCards]):
    command = c.DealCards
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            step = step_of(table)
            yield Option(command=self.name, clauses=step.clauses if step else ())

    def why_not(self, table: Table, command: c.DealCards) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        step = next(step for step in table.game.book.script if isinstance(step, Deal))
        if table.step != step.id:
            return refuse("deal.step", "cards are dealt after no more bets", table.step, step.id, step.clauses)
        if table.deck.stage != "in_play":
            return refuse("deal.deck", "the deck is not ready", table.deck.stage, "", step.clauses)
        return None

    def perform(self, stage: Stage, command: c.DealCards) -> None:
        table = stage.table
        step = step_of(table)
        assert isinstance(step, Deal)
        cards = coming_cards(table)
        dealt = tuple(e.Dealt(seat, place, next(cards)) for seat, place in deliveries(table, step))
        clauses = {cl: None for d in step.deliver if table.dealing in d.methods for cl in d.clauses}
        stage.emit(e.CardsDealt, step, cards=dealt, method=table.dealing, clauses=tuple(clauses))
        enter_next(stage)


class CountStub(Act[c.CountStub]):
    command = c.CountStub
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Stub):
            yield Option(command=self.name, fields={"count": stub_size(table)}, clauses=step.clauses)
            findings = {"finding": tuple(table.game.book.irregularities["stub_count_wrong"])}
            ranges = {"count": Range(0, table.game.book.deck.cards)}
            yield Option(command=self.name, ranges=ranges, choices=findings, clauses=step.clauses)

    def why_not(self, table: Table, command: c.CountStub) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Stub):
            return refuse("stub.step", "there is no stub to count now", table.step)
        if not 0 <= command.count <= table.game.book.deck.cards:
            allowed = f"0 to {table.game.book.deck.cards}"
            return refuse("stub.count", "not a number of cards", command.count, allowed, step.clauses, where="count")
        findings = table.game.book.irregularities["stub_count_wrong"]
        right = command.count == stub_size(table)
        if right and command.finding:
            return refuse("stub.finding", "the count is right", command.finding, "no finding", step.clauses)
        if not right and command.finding not in findings:
            what = f"{stub_size(table)} cards should be left: say what was found"
            return refuse("stub.finding", what, command.count, ", ".join(findings), step.clauses, where="finding")
        return None

    def perform(self, stage: Stage, command: c.CountStub) -> None:
        table = stage.table
        step = step_of(table)
        expected = stub_size(table)
        stage.emit(e.StubCounted, step, count=command.count, expected=expected, finding=command.finding)
        if not command.finding:
            stage.emit(e.StubDiscarded, step, count=command.count)
            enter_next(stage)
            return
        outcome = table.game.book.irregularities["stub_count_wrong"][command.finding]
        then = outcome.then
        if command.finding == "misdealt_and_wrong_total":
            keep = table.game.settings["misdealt_and_wrong_total"] == "reshuffle"
            then = tuple("reshuffle" if act == "remove_deck" and keep else act for act in then)
        void_round(stage, "stub_count_wrong", outcome, then)


class DiscardStub(Act[c.DiscardStub]):
    command = c.DiscardStub
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        step = step_of(table)
        if step is not None and self._problem(table) is None:
            yield Option(command=self.name, clauses=step.clauses)

    def why_not(self, table: Table, command: c.DiscardStub) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Stub):
            return refuse("stub.step", "there is no stub to put away now", table.step)
        if count_due(table):
            rule = table.game.book.settings["stub_count_every"]
            what = f"the stub was last counted {table.rounds_since_count} rounds ago: it must be counted now"
            return refuse("stub.due", what, None, f"once in {rule.value} rounds", rule.clauses)
        return None

    def perform(self, stage: Stage, command: c.DiscardStub) -> None:
        stage.emit(e.StubDiscarded, step_of(stage.table), count=stub_size(stage.table))
        enter_next(stage)


def bet_range(table: Table, step: Decide, seat: Seat) -> Range | None:
    """What the player may bet now; None where the chips do not reach."""
    wager = table.game.wager(step.wager)
    of = next(w for w in table.game.wagers if wager.stake.of in (w.group, w.id))
    base = seat.placed[of.id]
    chips = table.balances.get(chips_of(seat.number), 0)
    unit = base if table.game.settings.get("whole_multiples_only") else _step_cents(table, of.stake.posted or of.id)
    least = base * wager.stake.min
    most = min(base * wager.stake.max, chips)
    if most < least:
        return None
    return Range(least, most - (most - least) % unit, unit)


def _step_cents(table: Table, posted: str) -> int:
    return table.game.limits(posted).step


class Bet(Act[c.Bet]):
    command = c.Bet
    roles = ("player",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Decide) and table.turn and table.seat(table.turn[0]).player == who:
            amounts = bet_range(table, step, table.seat(table.turn[0]))
            if amounts is not None:
                wager = table.game.wager(step.wager)
                ranges = {"cents": amounts}
                yield Option(command=self.name, seat=table.turn[0], ranges=ranges, clauses=wager.clauses)

    def why_not(self, table: Table, command: c.Bet) -> Problem | None:
        if (problem := not_in_turn(table, command.seat, command.who)) is not None:
            return problem
        step = step_of(table)
        assert isinstance(step, Decide)
        wager = table.game.wager(step.wager)
        amounts = bet_range(table, step, table.seat(command.seat))
        if amounts is None:
            return refuse("bet.balance", "the chips do not reach for a bet", command.cents, "fold", wager.clauses)
        if command.cents not in amounts:
            allowed = f"{amounts.min:,} to {amounts.max:,} cents in steps of {amounts.step:,}"
            what = f"not a {wager.title.lower()} that is allowed"
            return refuse("bet.amount", what, command.cents, allowed, wager.clauses, where="cents")
        return None

    def perform(self, stage: Stage, command: c.Bet) -> None:
        place_bet(stage, command.seat, command.cents, timed_out=False)


class Fold(Act[c.Fold]):
    command = c.Fold
    roles = ("player",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Decide) and table.turn and table.seat(table.turn[0]).player == who:
            yield Option(command=self.name, seat=table.turn[0], clauses=step.clauses)

    def why_not(self, table: Table, command: c.Fold) -> Problem | None:
        return not_in_turn(table, command.seat, command.who)

    def perform(self, stage: Stage, command: c.Fold) -> None:
        fold_hand(stage, command.seat, timed_out=False)


class TimeOut(Act[c.TimeOut]):
    command = c.TimeOut
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if table.turn and isinstance(step_of(table), Decide):
            yield Option(command=self.name, seat=table.turn[0])

    def why_not(self, table: Table, command: c.TimeOut) -> Problem | None:
        return _not_their_turn(table, command.seat)

    def perform(self, stage: Stage, command: c.TimeOut) -> None:
        """What happens to a player who does not answer is chosen in the submission and stated before betting."""
        table = stage.table
        step = step_of(table)
        assert isinstance(step, Decide)
        amounts = bet_range(table, step, table.seat(command.seat))
        if table.game.choices["play.on_timeout"] == "smallest_bet" and amounts is not None:
            place_bet(stage, command.seat, amounts.min, timed_out=True)
        else:
            fold_hand(stage, command.seat, timed_out=True)


def timeout_clauses(table: Table) -> tuple[str, ...]:
    return next(choice.clauses for choice in table.game.book.choices if choice.path == "play.on_timeout")


def place_bet(stage: Stage, seat: int, cents: int, *, timed_out: bool) -> None:
    step = step_of(stage.table)
    assert isinstance(step, Decide)
    clauses = step.clauses + (timeout_clauses(stage.table) if timed_out else ())
    stage.emit(e.BetPlaced, seat=seat, wager=step.wager, cents=cents, timed_out=timed_out, clauses=clauses)
    if not stage.table.turn:
        end_of_decisions(stage)


def fold_hand(stage: Stage, seat: int, *, timed_out: bool) -> None:
    table = stage.table
    step = step_of(table)
    assert isinstance(step, Decide)
    forfeits = tuple(wager for wager in step.fold_forfeits if wager in table.seat(seat).wagers)
    clauses = step.clauses + (timeout_clauses(table) if timed_out else ())
    stage.emit(
        e.HandFolded,
        seat=seat,
        wager=step.wager,
        forfeits=forfeits,
        timed_out=timed_out,
        clauses=clauses,
        readings=step.readings,
    )
    if step.collect_folds == "at_once":
        collect(stage, stage.table.seat(seat))
    if not stage.table.turn:
        end_of_decisions(stage)


def end_of_decisions(stage: Stage) -> None:
    """After the last player: folds that must be collected first keep the step open."""
    step = step_of(stage.table)
    if isinstance(step, Decide) and step.collect_folds == "before_reveal" and awaiting_collection(stage.table):
        return
    enter_next(stage)


def collect(stage: Stage, seat: Seat) -> None:
    """Forfeited wagers go to the tray. Maryland leaves the cards of a folder with a Five Card Bonus on the table."""
    table = stage.table
    rule = table.game.book.settings["folder_cards_stay"] if "folder_cards_stay" in table.game.settings else None
    stays = bool(rule and rule.value and "five_card_bonus" in seat.wagers)
    step = step_of(table)
    stage.emit(
        e.FoldCollected,
        rule if stays else step,
        seat=seat.number,
        wagers={wager: seat.wagers[wager] for wager in seat.to_collect},
        cards_stay=stays,
    )


class CollectFolds(Act[c.CollectFolds]):
    command = c.CollectFolds
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            step = step_of(table)
            yield Option(command=self.name, clauses=step.clauses if step else ())

    def why_not(self, table: Table, command: c.CollectFolds) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        if not awaiting_collection(table):
            return refuse("collect.none", "no folded hand is waiting to be collected")
        step = step_of(table)
        waiting = not table.turn if isinstance(step, Decide) else _turned_up(table, step)
        if not waiting:
            clauses = step.clauses if step else ()
            return refuse("collect.early", "folded hands are collected later", table.step, "", clauses)
        return None

    def perform(self, stage: Stage, command: c.CollectFolds) -> None:
        for seat in awaiting_collection(stage.table):
            collect(stage, seat)
        enter_next(stage)


def _turned_up(table: Table, step: object) -> bool:
    return isinstance(step, Reveal) and table.revealed.issuperset(step.cards)


class TurnUp(Act[c.TurnUp]):
    command = c.TurnUp
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Reveal) and not _turned_up(table, step):
            fields = {} if self._known(table, step) else {"cards": len(self._places(table, step))}
            yield Option(command=self.name, fields=fields, clauses=step.clauses)

    def why_not(self, table: Table, command: c.TurnUp) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Reveal) or _turned_up(table, step):
            what = "no community cards are to be turned up now"
            return refuse("reveal.step", what, table.step, "", step.clauses if step else ())
        if self._known(table, step):
            if command.cards:
                return refuse("reveal.cards", "the cards are known already", str(command.cards), where="cards")
            return None
        return enterable(table, command.cards, len(self._places(table, step)), step.clauses)

    @staticmethod
    def _places(table: Table, step: Reveal) -> tuple[str, ...]:
        return tuple(place for place in step.cards if place not in table.revealed)

    def _known(self, table: Table, step: Reveal) -> bool:
        return all(table.community[place] is not HIDDEN for place in self._places(table, step))

    def perform(self, stage: Stage, command: c.TurnUp) -> None:
        table = stage.table
        step = step_of(table)
        assert isinstance(step, Reveal)
        places = self._places(table, step)
        cards = command.cards or tuple(table.community[place] for place in places)
        stage.emit(e.CommunityCardsRevealed, step, places=places, cards=cards)
        if not awaiting_collection(stage.table):
            enter_next(stage)


def enterable(table: Table, cards: tuple[Card, ...], count: int, clauses: tuple[str, ...]) -> Problem | None:
    """Whether cards that a dealer names at a physical table can be what lies there."""
    size = table.game.book.deck.cards
    if len(cards) != count or any(card >= size for card in cards):
        return refuse("cards.count", "name the cards", len(cards), f"{count} cards", clauses, where="cards")
    known = [card for seat in table.seats for card in seat.cards] + list(table.community.values())
    seen = [card for card in cards if card in known or cards.count(card) > 1]
    if seen:
        return refuse("cards.repeated", "lies elsewhere on the table", str(seen[0]), "", clauses, where="cards")
    return None


def _not_their_turn(table: Table, number: int) -> Problem | None:
    step = step_of(table)
    if not isinstance(step, Decide) or not table.turn:
        return refuse("turn.step", "no decision is asked for", table.step, where="step")
    if table.turn[0] != number:
        rule = table.game.book.settings["decision_order"]
        return refuse("turn.order", "it is another player's turn", number, f"seat {table.turn[0]}", rule.clauses)
    return None


def not_in_turn(table: Table, number: int, who: str) -> Problem | None:
    return not_yours(table, number, who) or _not_their_turn(table, number)


ACTS = (DealCards, CountStub, DiscardStub, Bet, Fold, TimeOut, CollectFolds, TurnUp)
