"""Decisions of the players in turn: bet, fold, or choose by name; and the collection of folded hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.errors import Problem
from crossfelt.games.rules import rules_of
from crossfelt.money.ledger import chips_of
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Compare, Decide, OfferBank, SetHands, Settle, Spin, Step
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, PlainAct, Range, joined, one_of, out_of_turn, refuse, step_clauses
from crossfelt.table.acts.dealing import enterable, turned_up
from crossfelt.table.flow import awaiting_collection, enter_next, name_dealer_hand
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import spot_of
from crossfelt.table.state import Seat, TableState, step_as, step_of


def bet_range(table: TableState, step: Decide, seat: Seat) -> Range | None:
    """Return the amounts that the player may bet now; None where the chips do not cover the smallest."""
    wager = table.game.wager(step.wager)
    of = table.game.base(wager)
    base = seat.placed[of.id]
    chips = table.balances.get(chips_of(seat.number), 0)
    ceiling = _ceiling(table, step, seat)
    if times := (step.bet.times if step.bet is not None else ()) or wager.stake.times:
        amounts = [base * each for each in times if base * each <= chips and each <= ceiling]
        return one_of(amounts) if amounts else None
    whole = wager.stake.whole or table.game.settings.get("whole_multiples_only")
    unit = base if whole else table.game.bet_step(wager)
    least, most = base * wager.stake.min, min(base * min(wager.stake.max, ceiling), chips)
    if most < least:
        return None
    return Range(least, most - (most - least) % unit, unit)


def _ceiling(table: TableState, step: Decide, seat: Seat) -> int:
    """Return the largest multiple that the player's hands allow; without the cards, the largest of all."""
    most = step.bet.most if step.bet is not None else ()
    if not most or HIDDEN in seat.cards:
        return max((ceiling.times for ceiling in most), default=NO_CEILING)
    rules, spot = rules_of(table.game), spot_of(table, seat)
    fits = (each.times for each in most if all(rules.has(hand, mark, spot) for hand, mark in each.when.items()))
    return next(fits, 0)


NO_CEILING: Final = 10**6


def _asked(table: TableState, who: str) -> Decide | None:
    """Return the decision that is due from this player; None if none is."""
    is_next = table.turn and table.seat(table.turn[0]).player == who
    return step_as(table, Decide) if is_next else None


def _no_option(table: TableState, option: str) -> Problem | None:
    return None if option in table.game.options(step_as(table, Decide)) else _closed_option(table, option)


def _closed_option(table: TableState, option: str) -> Problem:
    step = step_as(table, Decide)
    allowed = ", ".join(table.game.options(step))
    return refuse("turn.option", "this choice is not open now", option, allowed, step.clauses)


class BetAct(Act[c.Bet], roles=("player",), steps=(Decide,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = _asked(table, who)
        if step is not None and "bet" in table.game.options(step):
            amounts = bet_range(table, step, table.seat(table.turn[0]))
            if amounts is not None:
                wager = table.game.wager(step.wager)
                yield Option(command=self.name, seat=table.turn[0], ranges={"cents": amounts}, clauses=wager.clauses)

    def why_not(self, table: TableState, command: c.Bet) -> Problem | None:
        if (problem := not_their_turn(table, command.seat) or _no_option(table, "bet")) is not None:
            return problem
        step = step_as(table, Decide)
        wager = table.game.wager(step.wager)
        amounts = bet_range(table, step, table.seat(command.seat))
        if amounts is None:
            what = "the player's chips do not cover the smallest bet"
            return refuse("bet.balance", what, command.cents, "fold", wager)
        if command.cents not in amounts:
            what = f"this amount is not allowed as {wager.title.lower()}"
            return refuse("bet.amount", what, command.cents, amounts.in_cents(), wager, where="cents")
        return None

    def perform(self, recorder: EventRecorder, command: c.Bet) -> None:
        place_bet(recorder, command.seat, command.cents, timed_out=False)


class FoldAct(Act[c.Fold], roles=("player",), steps=(Decide,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = _asked(table, who)
        if step is not None and step.fold is not None:
            yield Option(command=self.name, seat=table.turn[0], clauses=step.clauses)

    def why_not(self, table: TableState, command: c.Fold) -> Problem | None:
        return not_their_turn(table, command.seat) or _no_option(table, "fold")

    def perform(self, recorder: EventRecorder, command: c.Fold) -> None:
        fold_hand(recorder, command.seat, timed_out=False)


def _by_name(table: TableState, step: Decide) -> tuple[str, ...]:
    """Return the options that are chosen by their name."""
    return tuple(option for option in table.game.options(step) if option not in ("bet", "fold"))


def _names_hand(step: Decide, choice: str) -> bool:
    """Say if a choice names a hand and places the bet on it."""
    by_name = step.bet is not None and step.bet.choose is not None
    return by_name and choice not in ("expose", "decline", "check", "withdraw")


class ChooseAct(Act[c.Choose], roles=("player",), steps=(Decide,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = _asked(table, who)
        if step is None:
            return
        for choice in _by_name(table, step):
            if self._unaffordable(table, table.turn[0], choice) is None:
                fields = {"choice": choice, **to_name(table.seat(table.turn[0]), choice)}
                yield Option(command=self.name, seat=table.turn[0], fields=fields, clauses=step.clauses)

    def why_not(self, table: TableState, command: c.Choose) -> Problem | None:
        if (problem := not_their_turn(table, command.seat)) is not None:
            return problem
        if command.choice not in _by_name(table, step_as(table, Decide)):
            return _closed_option(table, command.choice)
        return self._unaffordable(table, command.seat, command.choice) or named_problem(table, command, command.choice)

    @staticmethod
    def _unaffordable(table: TableState, number: int, choice: str) -> Problem | None:
        """Refuse a line whose raise the player's chips do not cover."""
        step = step_as(table, Decide)
        if not _names_hand(step, choice) or bet_range(table, step, table.seat(number)) is not None:
            return None
        return refuse("bet.balance", "the player's chips do not cover the raise", choice, "fold", step.clauses)

    def perform(self, recorder: EventRecorder, command: c.Choose) -> None:
        choose(recorder, command.seat, command.choice, command.cards, timed_out=False)


def to_name(seat: Seat, choice: str) -> dict[str, int]:
    """Ask for the cards of a hand that is shown or set at a physical table, where the table does not know them."""
    return {"cards": len(seat.cards)} if choice in ("expose", "house_way") and HIDDEN in seat.cards else {}


def named_problem(table: TableState, command: c.Choose | c.TimeOut, choice: str) -> Problem | None:
    """Refuse missing, superfluous or impossible cards of a command."""
    clauses = step_clauses(table)
    if count := to_name(table.seat(command.seat), choice):
        return enterable(table, command.cards, count["cards"], clauses)
    if command.cards:
        return refuse("choice.cards", "name no cards here", str(command.cards), "none", clauses, where="cards")
    return None


def on_timeout(table: TableState) -> str:
    """Return what is done for a player who does not answer at this step: what the decision says, or the submission's
    choice. An offer of the bank passes."""
    step = step_of(table)
    if isinstance(step, Decide) and step.silent is not None:
        return step.silent
    return "pass" if isinstance(step, OfferBank) else str(table.game.choices[timeout_path(step)])


def timeout_path(step: Step | None) -> str:
    """Return the path of the timeout choice; a hand to be shown for a wager has its own."""
    if isinstance(step, Decide) and step.shows:
        return f"play.on_timeout_{step.wager}"
    return "play.on_timeout"


def timeout_rule(table: TableState) -> Cited:
    """Return the timeout rule at the current step: that of the decision, or a choice of the submission."""
    step = step_of(table)
    if isinstance(step, Decide) and step.silent is not None:
        return step
    return choice_rule(table.game, timeout_path(step))


def choice_rule(game: Game, path: str) -> Cited:
    """Return the rule behind a choice of the submission."""
    return next(choice for choice in game.book.choices if choice.path == path)


def _rule(table: TableState, own: Cited, *, timed_out: bool) -> Cited:
    return joined(own, timeout_rule(table)) if timed_out else own


def place_bet(recorder: EventRecorder, seat: int, cents: int, *, timed_out: bool) -> None:
    step = step_as(recorder.table, Decide)
    rule = _rule(recorder.table, recorder.table.game.wager(step.wager), timed_out=timed_out)
    recorder.emit(e.BetPlaced, rule, seat=seat, wager=step.wager, cents=cents, timed_out=timed_out)
    if not recorder.table.turn:
        end_of_decisions(recorder)


def choose(recorder: EventRecorder, number: int, choice: str, named: tuple[Card, ...] = (), *, timed_out: bool) -> None:
    """Show or keep a hand, or name a line and place its raise."""
    table = recorder.table
    step = step_as(table, Decide)
    seat = table.seat(number)
    rule = _rule(table, step, timed_out=timed_out)
    cards = (named or seat.cards) if choice == "expose" else ()
    taken_back = seat.wagers.get(step.wager, 0) if choice == "withdraw" else 0
    if _names_hand(step, choice):
        amounts = bet_range(table, step, seat)
        assert amounts is not None
        raised = _rule(table, table.game.wager(step.wager), timed_out=timed_out)
        recorder.emit(e.BetPlaced, raised, seat=number, wager=step.wager, cents=amounts.min, timed_out=timed_out)
    recorder.emit(
        e.ChoiceMade,
        rule,
        seat=number,
        wager=step.wager,
        choice=choice,
        cents=taken_back,
        cards=cards,
        timed_out=timed_out,
    )
    if not recorder.table.turn:
        end_of_decisions(recorder)


def fold_hand(recorder: EventRecorder, seat: int, *, timed_out: bool) -> None:
    table = recorder.table
    step = step_as(table, Decide)
    forfeits = tuple(wager for wager in table.game.fold_forfeits(step) if wager in table.seat(seat).wagers)
    rule = joined(_rule(table, step, timed_out=timed_out), spin_rule(table, table.seat(seat).wagers))
    recorder.emit(e.HandFolded, rule, seat=seat, wager=step.wager, forfeits=forfeits, timed_out=timed_out)
    if step.collect_folds == "at_once":
        collect(recorder, recorder.table.seat(seat))
    if not recorder.table.turn:
        end_of_decisions(recorder)


def spin_rule(table: TableState, wagers: Iterable[str]) -> Cited | None:
    """Return the rule that keeps or forfeits a folder's spin wager, if it is one of these."""
    spins = any(table.game.wager(wager).spins for wager in wagers)
    return Cited(readings=table.rule("spin_after_fold").readings) if spins else None


def end_of_decisions(recorder: EventRecorder) -> None:
    """Leave the step after the last player, unless folds must be collected first.

    Folds that are collected after a reveal count too, if its cards were exposed early.
    """
    table = recorder.table
    place, step = table.game.steps[table.step]
    assert isinstance(step, Decide)
    first = step.collect_folds == "before_reveal" or turned_up(table, table.game.book.script[place + 1])
    if not (first and awaiting_collection(table)):
        enter_next(recorder)


def move_on(recorder: EventRecorder) -> None:
    """Leave a step whose last player, fold or card no longer holds it open."""
    step = step_of(recorder.table)
    sets = isinstance(step, SetHands) and step.who == "players"
    if isinstance(step, Decide) and not recorder.table.turn:
        end_of_decisions(recorder)
    elif (sets or isinstance(step, Settle | Compare | Spin)) and not recorder.table.turn:
        enter_next(recorder)
    elif turned_up(recorder.table, step) and not awaiting_collection(recorder.table):
        name_dealer_hand(recorder, step)
        enter_next(recorder)


def collect(recorder: EventRecorder, seat: Seat) -> None:
    """Collect the forfeited wagers of a seat; its cards stay for a wager that is still to be settled on them."""
    table = recorder.table
    rule = table.game.book.settings.get("folder_cards_stay")
    kept = [name for name in seat.wagers if name not in seat.to_collect and not table.game.wager(name).spins]
    stays = bool(rule and rule.value and kept)
    needed = bool(rules_of(table.game).hands_shown(kept, seat.choices))
    wagers = {wager: seat.wagers[wager] for wager in seat.to_collect}
    staying = Cited(readings=rule.readings) if stays and rule is not None else None
    recorder.emit(
        e.FoldCollected,
        joined(step_of(table), staying, spin_rule(table, wagers)),
        seat=seat.number,
        wagers=wagers,
        cards_stay=stays or needed,
    )


class CollectFoldsAct(PlainAct[c.CollectFolds], roles=("dealer",)):
    def problem(self, table: TableState) -> Problem | None:
        if not awaiting_collection(table):
            return out_of_turn(table, "collect.none", "no folded hand is waiting to be collected", Decide)
        step = step_of(table)
        waiting = not table.turn if isinstance(step, Decide) else turned_up(table, step)
        if not waiting:
            return refuse("collect.early", "folded hands are collected later", table.step, "", step_clauses(table))
        return None

    def perform(self, recorder: EventRecorder, command: c.CollectFolds) -> None:
        for seat in awaiting_collection(recorder.table):
            collect(recorder, seat)
        enter_next(recorder)


def not_their_turn(table: TableState, number: int) -> Problem | None:
    """Refuse a decision of a seat that is not in turn."""
    step = step_of(table)
    if not isinstance(step, Decide) or not table.turn:
        return out_of_turn(table, "turn.step", "no decision is due now", Decide, where="step")
    if table.turn[0] != number:
        rule = table.rule("decision_order")
        own = tuple(clause for clause in rule.clauses if clause in step.clauses)
        cited = Cited(clauses=own) if own else rule
        return refuse("turn.order", "it is another player's turn", number, f"seat {table.turn[0]}", cited)
    return None
