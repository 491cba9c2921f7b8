"""A deck goes into play and out of it: recut, shuffled on order, loaded, spread while nobody plays, removed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from crossfelt.problems import Problem
from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts import Act, Option, refuse
from crossfelt.table.commands import Role
from crossfelt.table.decks import (
    bets_closed,
    between_rounds,
    count_clauses,
    no_card_dealt,
    one_too_many,
    opening_step,
    round_open,
    shoe_problem,
    shuffle_due,
    too_old,
    use_ends,
    waives_cut,
    wrong_method,
)
from crossfelt.table.flow import open_round
from crossfelt.table.stage import Stage
from crossfelt.table.state import Deck, Table, step_of
from crossfelt.table.voiding import abandon_round


class OrderRecut(Act[c.OrderRecut]):
    command = c.OrderRecut
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            yield Option(command=self.name, texts=("reason",), clauses=opening_step(table, "cut").clauses)

    def why_not(self, table: Table, command: c.OrderRecut) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        if _lately_cut(table) is None:
            clauses = opening_step(table, "cut").clauses
            return refuse("cut.recut", "a recut comes after a cut and before any card is dealt", clauses=clauses)
        return None

    def perform(self, stage: Stage, command: c.OrderRecut) -> None:
        deck = _lately_cut(stage.table)
        assert deck is not None
        stage.emit(e.RecutOrdered, opening_step(stage.table, "cut"), deck=deck.id, reason=command.reason)


def _lately_cut(table: Table) -> Deck | None:
    """The deck that has been cut and not been dealt from: the one in play before one that waits for its turn."""
    decks = sorted(table.decks.values(), key=lambda deck: deck.id != table.in_play)
    cut = (deck for deck in decks if deck.cut and deck.stage in ("ready", "in_play") and no_card_dealt(deck))
    return next(cut, None)


class OrderShuffle(Act[c.OrderShuffle]):
    command = c.OrderShuffle
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            clauses = table.game.book.settings["shuffle_on_floor_order"].clauses
            yield Option(command=self.name, texts=("reason",), clauses=clauses)

    def why_not(self, table: Table, command: c.OrderShuffle) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        rule = table.game.book.settings["shuffle_on_floor_order"]
        if not rule.value:
            return refuse("shuffle.order", "the floor may not order a shuffle here", clauses=rule.clauses)
        deck = table.decks.get(table.in_play)
        if deck is None or deck.stage != "in_play" or not no_card_dealt(deck) or not between_rounds(table):
            return refuse("shuffle.order", "a shuffle is ordered between rounds", clauses=rule.clauses)
        return None

    def perform(self, stage: Stage, command: c.OrderShuffle) -> None:
        rule = stage.table.game.book.settings["shuffle_on_floor_order"]
        stage.emit(e.ShuffleOrdered, rule, deck=stage.table.in_play, reason=command.reason)


class LoadDeck(Act[c.LoadDeck]):
    command = c.LoadDeck
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for deck in table.decks.values():
            if self._problem(table, deck.id) is None:
                choices: dict[str, tuple[str, ...]] = {"hand": ("left", "right")} if table.dealing == "hand" else {}
                before = None if bets_closed(table) else use_ends(table, deck)
                yield Option(command=self.name, fields={"deck": deck.id}, choices=choices, before=before)

    def why_not(self, table: Table, command: c.LoadDeck) -> Problem | None:
        if (problem := self._problem(table, command.deck)) is not None:
            return problem
        clauses = opening_step(table, "load").clauses
        if (table.dealing == "hand") != bool(command.hand):
            what = "the hand that holds the cards is named exactly when they are dealt from the hand"
            return refuse("load.hand", what, command.hand, "left or right", clauses, where="hand")
        if bets_closed(table):
            return None
        return too_old(table, table.decks[command.deck], command.at)

    @staticmethod
    def _problem(table: Table, name: str) -> Problem | None:
        clauses = opening_step(table, "load").clauses
        deck = table.decks.get(name)
        if deck is None or deck.stage != "ready":
            return refuse("load.stage", "the deck is not ready", name, "a deck that is shuffled and cut", clauses)
        if name != table.in_play and not between_rounds(table):
            return refuse("load.round", "a round is being played", name, "", clauses)
        if round_open(table) and name != table.in_play:
            what = "another deck is loaded for this round"
            return refuse("load.turn", what, name, table.in_play, table.game.book.deck.clauses)
        if isinstance(step_of(table), Shuffle) and name == table.in_play and _other_in_use(table, name):
            what = "two decks take turns"
            return refuse("load.turn", what, name, _other(table, name), table.game.book.deck.clauses)
        return one_too_many(table) or shoe_problem(table)

    def perform(self, stage: Stage, command: c.LoadDeck) -> None:
        table = stage.table
        stage.emit(
            e.DeckLoaded,
            opening_step(table, "load"),
            deck=command.deck,
            method=table.dealing,
            hand=command.hand,
        )
        if not round_open(table):
            open_round(stage)


def _other(table: Table, name: str) -> str:
    return next(other for other in table.decks if other != name)


def _other_in_use(table: Table, name: str) -> bool:
    """Whether there is a second deck that is ready or can be shuffled now: neither still being opened nor stuck."""
    if len(table.decks) < 2:
        return False
    other = table.decks[_other(table, name)]
    if other.stage in ("prepared", "used"):
        return wrong_method(table, other, shuffle_due(table, other), opening_step(table, "shuffle")) is None
    return other.stage in ("shuffled", "ready")


class SpreadIdle(Act[c.SpreadIdle]):
    command = c.SpreadIdle
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        rule = table.game.book.settings["idle_spread"]
        for face, asked in product(("up", "down"), (False, True)):
            if self._problem(table, face, asked=asked) is None:
                yield Option(command=self.name, fields={"face": face, "asked": asked}, clauses=rule.clauses)

    def why_not(self, table: Table, command: c.SpreadIdle) -> Problem | None:
        return self._problem(table, command.face, asked=command.asked)

    @staticmethod
    def _problem(table: Table, face: str, *, asked: bool) -> Problem | None:
        rule = table.game.book.settings["idle_spread"]
        deck = table.decks.get(table.in_play)
        if deck is None or deck.stage != "in_play" or not isinstance(step_of(table), OfferBank | OpenBets):
            return refuse("idle.stage", "cards are spread while an open table has no play", clauses=rule.clauses)
        if not between_rounds(table):
            return refuse("idle.wagers", "wagers lie on the layout", clauses=rule.clauses)
        if waives_cut(table):
            return refuse("idle.device", "the reshuffling device makes this unnecessary", clauses=rule.clauses)
        if face == "up" and not asked and rule.value == "face_down_unless_asked":
            what = "cards lie face down unless a player asks for face up"
            return refuse("idle.face", what, face, "down", rule.clauses, where="face")
        return None

    def perform(self, stage: Stage, command: c.SpreadIdle) -> None:
        rule = stage.table.game.book.settings["idle_spread"]
        abandon_round(stage, "idle", rule)
        stage.emit(e.DeckSpreadIdle, rule, deck=stage.table.in_play, face=command.face)


class RemoveDeck(Act[c.RemoveDeck]):
    command = c.RemoveDeck
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for name in table.decks:
            if self._problem(table, name) is None:
                clauses = _leaves_by(table, name)
                yield Option(command=self.name, fields={"deck": name}, texts=("reason",), clauses=clauses)

    def why_not(self, table: Table, command: c.RemoveDeck) -> Problem | None:
        return self._problem(table, command.deck)

    @staticmethod
    def _problem(table: Table, name: str) -> Problem | None:
        deck = table.decks.get(name)
        if deck is None:
            return refuse("deck.unknown", "no such deck at the table", name, ", ".join(table.decks), where="deck")
        if name == table.in_play and bets_closed(table):
            return refuse("deck.in_play", "the deck is in play", name, where="deck")
        return None

    def perform(self, stage: Stage, command: c.RemoveDeck) -> None:
        table = stage.table
        clauses = _leaves_by(table, command.deck)
        if (problem := too_old(table, table.decks[command.deck], command.at)) is not None:
            clauses += problem.clauses
        if command.deck == table.in_play:
            abandon_round(stage, "deck_removed")
        stage.emit(e.DeckRemoved, deck=command.deck, reason=command.reason, clauses=clauses)


def _leaves_by(table: Table, name: str) -> tuple[str, ...]:
    """The clauses by which a deck must go: its count was wrong, or it is a second one without a shuffler."""
    if table.remove_deck == name:
        return count_clauses(table)
    problem = one_too_many(table)
    return problem.clauses if problem is not None else ()


ACTS = (OrderRecut, OrderShuffle, LoadDeck, SpreadIdle, RemoveDeck)
