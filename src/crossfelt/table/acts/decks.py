"""Decks: their opening, shuffle, cut and loading, the spread at an idle table, and their removal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from crossfelt.errors import Problem
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.table import commands as c
from crossfelt.table import decks
from crossfelt.table import events as e
from crossfelt.table.act import (
    Act,
    Option,
    PlainAct,
    Range,
    joined,
    refuse,
    report,
    same_person,
    table_not_open,
    text_problem,
)
from crossfelt.table.acts.player_seeds import RULE
from crossfelt.table.decks import opening_step
from crossfelt.table.flow import open_round
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import Deck, TableState, step_of
from crossfelt.table.void_round import abandon_round


class PrepareDeckAct(Act[c.PrepareDeck], roles=("dealer", "floor", "player")):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for name in table.decks if role == "player" else decks.deck_names(table):
            deck = table.decks.get(name)
            if deck is not None and deck.stage == "in_play":
                continue
            act = decks.next_act(table, deck) if deck else "receive"
            if act is None or table.phase != "open" or not _may(table, act, role, who):
                continue
            if self._second_person(table, deck, act, who) is not None:
                continue
            fields, clauses = {"deck": name, "act": act}, opening_step(table, act).clauses
            choices = {"back": free_backs(table), "cover": COVERS} if act == "receive" else {}
            yield Option(command=self.name, fields=fields, choices=choices, clauses=clauses)

    def why_not(self, table: TableState, command: c.PrepareDeck) -> Problem | None:
        if (problem := table_not_open(table)) is not None:
            return problem
        names = decks.deck_names(table)
        clauses = table.game.book.deck.clauses
        if command.deck not in names:
            what = "the table does not play with this deck"
            return refuse("deck.unknown", what, command.deck, ", ".join(names), clauses, where="deck")
        deck = table.decks.get(command.deck)
        due = decks.next_act(table, deck) if deck else "receive"
        step = opening_step(table, command.act)
        if command.act != due:
            what = "this is not the next step of opening the deck"
            return refuse("deck.order", what, command.act, due or "none", step.clauses)
        if not _may(table, command.act, command.role, command.who):
            return refuse("deck.by", "another role must do this", command.role, step.by, step.clauses)
        if due == "receive":
            return self._colour_problem(table, command)
        return self._second_person(table, deck, command.act, command.who)

    @staticmethod
    def _second_person(table: TableState, deck: Deck | None, act: str, who: str) -> Problem | None:
        """Refuse a step to the person whose work it checks."""
        step = opening_step(table, act)
        if step.other_than is None or deck is None:
            return None
        what = f"the person who {step.other_than}ed the deck cannot {act} it"
        return same_person(deck.done_by(step.other_than), who, what, step)

    @staticmethod
    def _colour_problem(table: TableState, command: c.PrepareDeck) -> Problem | None:
        what, rule = "the colour of the backs", Cited(clauses=table.game.book.deck.clauses)
        if (problem := text_problem("deck.back", "back", command.back, what, rule)) is not None:
            return problem
        if any(_alike(other.back, command.back) for other in table.decks.values()):
            what = "the decks need backs of different colours"
            return refuse("deck.back", what, command.back, "another colour", decks.second_deck(table), where="back")
        rules = cover_card_rules(table)
        if rules or command.cover:
            what, rule = "the colour of the cover card", joined(*rules or [table.rule("cover_card")])
            if (problem := text_problem("deck.cover", "cover", command.cover, what, rule)) is not None:
                return problem
        if _alike(command.cover, command.back) and table.game.settings["cover_card"] == "unlike_the_backs":
            what = "the cover card must differ from the backs of the cards"
            return refuse("deck.cover", what, command.cover, "another colour", table.rule("cover_card"), where="cover")
        return None

    def perform(self, recorder: EventRecorder, command: c.PrepareDeck) -> None:
        cited: list[Cited] = [opening_step(recorder.table, command.act)]
        if command.cover:
            cited += cover_card_rules(recorder.table)
        colours = {} if command.act == "receive" else {"back": "", "cover": ""}
        recorder.emit(e.DeckPrepared, joined(*cited), command, **colours)


BACKS = ("red", "blue", "green")
COVERS = ("yellow", "black")
"""Usual colours of backs and cover cards; a deck may have others."""


def _alike(one: str, other: str) -> bool:
    """Say if two colours are one, however they are written."""
    return one.strip().lower() == other.strip().lower()


def _may(table: TableState, act: str, role: c.Role, who: str) -> bool:
    """Say if a role may do an act of opening. The dealer works, the floor verifies, and a seated player must see the
    show."""
    by = opening_step(table, act).by
    if act == "show":
        seated = {seat.player for seat in table.seats if seat.player}
        return who in seated if role == "player" else role == "dealer" and bool(seated)
    return role == ("dealer" if by == "device" else by)


def free_backs(table: TableState) -> tuple[str, ...]:
    """Return the usual colours of backs that no deck of the table has."""
    taken = {deck.back for deck in table.decks.values()}
    return tuple(colour for colour in BACKS if colour not in taken)


def cover_card_rules(table: TableState) -> list[Cited]:
    """Return the rules that require a cover card with the present way of dealing."""
    settings = table.game.book.settings
    shoe = settings.get("cover_card_with_automated_shoe") if table.dealing == "automated_shoe" else None
    return [settings["cover_card"]] if shoe is None else [settings["cover_card"], shoe] if shoe.value else []


class ShuffleDeckAct(Act[c.ShuffleDeck], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for deck in table.decks.values():
            for method in ("manual", "device", "preshuffled"):
                if self._problem(table, deck.id, method, None) is None:
                    fields = {"deck": deck.id, "method": method}
                    counted = {"counted": _counts(table)} if _device_counts(table, method) else {}
                    yield Option(
                        command=self.name,
                        fields=fields,
                        ranges=counted,
                        optional=tuple(counted),
                        before=decks.use_ends(table, deck),
                        clauses=opening_step(table, "shuffle").clauses,
                    )

    def why_not(self, table: TableState, command: c.ShuffleDeck) -> Problem | None:
        if (problem := self._problem(table, command.deck, command.method, command.at)) is not None:
            return problem
        size = table.game.book.deck.cards
        if command.cards and (len(command.cards) != size or set(command.cards) != set(range(size))):
            found = len(set(command.cards).intersection(range(size)))
            what, allowed = "the cards are not a full deck", f"{size} different cards"
            return refuse("deck.cards", what, found, allowed, where="cards")
        if command.counted is None or (_device_counts(table, command.method) and command.counted in _counts(table)):
            return None
        clauses = table.game.book.irregularities["shuffler_count_wrong"]["any"].clauses
        what, allowed = "no counting shuffler shows a count here", "the count of a counting shuffler"
        return refuse("shuffle.count", what, command.counted, allowed, clauses, where="counted")

    @staticmethod
    def _problem(table: TableState, name: str, method: str, at: int | None) -> Problem | None:
        rule = opening_step(table, "shuffle")
        deck = table.decks.get(name)
        if deck is None:
            allowed = ", ".join(table.decks) or "receive a deck first"
            return refuse("deck.unknown", "no such deck at the table", name, allowed, rule, where="deck")
        if table.remove_deck == name:
            return refuse("deck.remove", "the deck must leave the table", name, "remove the deck", table.removed_by)
        if deck.stage == "new" and decks.next_act(table, deck) is not None:
            return refuse("deck.order", "the deck is not ready to be shuffled", name, decks.next_act(table, deck) or "")
        if deck.stage not in ("prepared", "used", "new"):
            return refuse("deck.stage", "the deck cannot be shuffled now", deck.stage, "prepared or used", rule.clauses)
        if at is not None and (problem := decks.too_old(table, deck, at)) is not None:
            return problem
        return (
            decks.one_too_many(table) or decks.wrong_method(table, deck, method, rule) or decks.fittings_problem(table)
        )

    def perform(self, recorder: EventRecorder, command: c.ShuffleDeck) -> None:
        table = recorder.table
        rule = opening_step(table, "shuffle")
        size = table.game.book.deck.cards
        if command.counted is not None and command.counted != size:
            note = f"the device counts {command.counted} cards"
            report(recorder, "shuffler_count_wrong", "any", place=command.deck, note=note)
            return
        device = table.fittings.shuffler if table.fittings and command.method == "device" else ""
        recorder.emit(e.DeckShuffled, rule, command, needs_cut=decks.needs_cut(table, command.method), device=device)


def _device_counts(table: TableState, method: str) -> bool:
    return method == "device" and table.game.choices["dealing.shuffler"] == "counting"


def _counts(table: TableState) -> Range:
    """Return the counts that a counting shuffler may show: too few cards, or two decks in one."""
    return Range(0, 2 * table.game.book.deck.cards)


class CutDeckAct(Act[c.CutDeck], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for deck in table.decks.values():
            if deck.stage == "shuffled":
                least, most, clauses = self._bounds(table)
                ranges = {"depth": Range(least, most)}
                yield Option(command=self.name, fields={"deck": deck.id}, ranges=ranges, clauses=clauses)

    def why_not(self, table: TableState, command: c.CutDeck) -> Problem | None:
        deck = table.decks.get(command.deck)
        least, most, clauses = self._bounds(table)
        if deck is None or deck.stage != "shuffled":
            what = "no cut is due for this deck"
            return refuse("cut.stage", what, command.deck, "", opening_step(table, "cut").clauses)
        if not least <= command.depth <= most:
            what = "the cut is too shallow or too deep"
            return refuse("cut.depth", what, command.depth, f"{least} to {most} cards", clauses, where="depth")
        return None

    @staticmethod
    def _bounds(table: TableState) -> tuple[int, int, tuple[str, ...]]:
        return table.game.number("cut_min_cards"), table.game.book.deck.cards - 1, table.rule("cut_min_cards").clauses

    def perform(self, recorder: EventRecorder, command: c.CutDeck) -> None:
        recorder.emit(e.DeckCut, recorder.table.rule("cut_method"), command)


# --- decks in play ----------------------------------------------------------------------------------------------------


class OrderRecutAct(PlainAct[c.OrderRecut], roles=("floor",), texts=("reason",)):
    def clauses(self, table: TableState) -> tuple[str, ...]:
        return decks.recut_rule(table).clauses

    def problem(self, table: TableState) -> Problem | None:
        deck = _lately_cut(table)
        if deck is None:
            what = "a recut is possible only after a cut and before the deal"
            return refuse("cut.recut", what, clauses=self.clauses(table))
        if deck.id == table.in_play and any(seat.seed_hash for seat in table.seats):
            what = "the receipts of players name this deck: order a recut before they bet"
            return refuse("cut.recut", what, clauses=RULE)
        return None

    def perform(self, recorder: EventRecorder, command: c.OrderRecut) -> None:
        deck = _lately_cut(recorder.table)
        assert deck is not None
        recorder.emit(e.RecutOrdered, decks.recut_rule(recorder.table), deck=deck.id, reason=command.reason)


def _lately_cut(table: TableState) -> Deck | None:
    """Return the deck that was cut and not yet dealt from: the deck in play before a waiting deck."""
    found = sorted(table.decks.values(), key=lambda deck: deck.id != table.in_play)
    cut = (deck for deck in found if deck.cut and deck.stage in ("ready", "in_play") and decks.no_card_dealt(deck))
    return next(cut, None)


class OrderShuffleAct(PlainAct[c.OrderShuffle], roles=("floor",), texts=("reason",)):
    def clauses(self, table: TableState) -> tuple[str, ...]:
        return table.rule("shuffle_on_floor_order").clauses

    def problem(self, table: TableState) -> Problem | None:
        rule = table.rule("shuffle_on_floor_order")
        if not rule.value:
            return refuse("shuffle.order", "the floor may not order a shuffle here", clauses=rule.clauses)
        deck = table.decks.get(table.in_play)
        if deck is None or deck.stage != "in_play" or not decks.no_card_dealt(deck) or not decks.between_rounds(table):
            return refuse("shuffle.order", "the floor can order a shuffle only between rounds", clauses=rule.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.OrderShuffle) -> None:
        rule = recorder.table.rule("shuffle_on_floor_order")
        recorder.emit(e.ShuffleOrdered, rule, deck=recorder.table.in_play, reason=command.reason)


class LoadDeckAct(Act[c.LoadDeck], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for deck in table.decks.values():
            if self._problem(table, deck.id) is None:
                choices: dict[str, tuple[str, ...]] = {"loader": loaders(table, deck)}
                if table.dealing == "hand":
                    choices = {"hand": ("left", "right")}
                before = None if decks.bets_closed(table) else decks.use_ends(table, deck)
                yield Option(command=self.name, fields={"deck": deck.id}, choices=choices, before=before)

    def why_not(self, table: TableState, command: c.LoadDeck) -> Problem | None:
        if (problem := self._problem(table, command.deck)) is not None:
            return problem
        rule = opening_step(table, "load")
        if (table.dealing == "hand") != bool(command.hand):
            by_hand = table.dealing == "hand"
            what = "name the hand that holds the cards" if by_hand else "the cards are not dealt by hand"
            allowed = "left or right" if by_hand else "name no hand"
            return refuse("load.hand", what, command.hand, allowed, rule, where="hand")
        if command.loader not in (able := loaders(table, table.decks[command.deck])):
            what = "a shuffler loads only a shoe, with cards that it has mixed"
            return refuse("load.loader", what, command.loader, " or ".join(able), rule, where="loader")
        if decks.bets_closed(table):
            return None
        return decks.too_old(table, table.decks[command.deck], command.at)

    @staticmethod
    def _problem(table: TableState, name: str) -> Problem | None:
        rule = opening_step(table, "load")
        deck = table.decks.get(name)
        if deck is None or deck.stage != "ready":
            allowed = "a deck that is shuffled and cut"
            return refuse("load.stage", "the deck is not ready", name, allowed, rule, where="deck")
        if name != table.in_play and not decks.between_rounds(table):
            return refuse("load.round", "a round is in progress", name, "after the round", rule, where="deck")
        if decks.round_open(table) and name != table.in_play:
            what = "another deck is loaded for this round"
            return refuse("load.turn", what, name, table.in_play, decks.second_deck(table).clauses)
        if isinstance(step_of(table), Shuffle) and name == table.in_play and _other_in_use(table, name):
            what = "the decks take turns: load the other one"
            return refuse("load.turn", what, name, _other(table, name), decks.second_deck(table).clauses)
        return decks.one_too_many(table) or decks.shoe_problem(table) or decks.fittings_problem(table)

    def perform(self, recorder: EventRecorder, command: c.LoadDeck) -> None:
        table = recorder.table
        shoe = table.fittings if table.dealing != "hand" else None
        named = {"shoe": shoe.shoe, "place": shoe.shoe_place} if shoe else {}
        recorder.emit(e.DeckLoaded, opening_step(table, "load"), command, method=table.dealing, **named)
        if not decks.round_open(table):
            open_round(recorder)


def loaders(table: TableState, deck: Deck) -> tuple[e.Loader, ...]:
    """Return who or what may load a deck: the dealer, or a shuffler that fills the shoe with what it has mixed."""
    mixed = deck.shuffled is not None and deck.shuffled.act == "device" and not deck.cut
    return ("dealer", "shuffler") if mixed and table.dealing != "hand" else ("dealer",)


def _other(table: TableState, name: str) -> str:
    return next(other for other in table.decks if other != name)


def _other_in_use(table: TableState, name: str) -> bool:
    """Say if a second deck is ready or can be shuffled now."""
    if len(table.decks) < 2:
        return False
    other = table.decks[_other(table, name)]
    if other.stage in ("prepared", "used"):
        return decks.wrong_method(table, other, decks.shuffle_due(table, other), opening_step(table, "shuffle")) is None
    return other.stage in ("shuffled", "ready")


class SpreadIdleAct(Act[c.SpreadIdle], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        rule = table.rule("idle_spread")
        for face, asked in product(("up", "down"), (False, True)):
            if self._problem(table, face, asked=asked) is None:
                yield Option(command=self.name, fields={"face": face, "asked": asked}, clauses=rule.clauses)

    def why_not(self, table: TableState, command: c.SpreadIdle) -> Problem | None:
        return self._problem(table, command.face, asked=command.asked)

    @staticmethod
    def _problem(table: TableState, face: str, *, asked: bool) -> Problem | None:
        rule = table.rule("idle_spread")
        deck = table.decks.get(table.in_play)
        if deck is None or deck.stage != "in_play" or not isinstance(step_of(table), OfferBank | OpenBets):
            return refuse("idle.stage", "cards are spread only while the table is open and idle", clauses=rule.clauses)
        if not decks.between_rounds(table):
            return refuse("idle.wagers", "wagers are on the layout", clauses=rule.clauses)
        if decks.waives_cut(table):
            return refuse("idle.device", "the reshuffling device makes this unnecessary", clauses=rule.clauses)
        if face == "up" and not asked and rule.value == "face_down_unless_asked":
            what = "the cards stay face down unless a player asks to see them"
            return refuse("idle.face", what, face, "down", rule.clauses, where="face")
        return None

    def perform(self, recorder: EventRecorder, command: c.SpreadIdle) -> None:
        rule = recorder.table.rule("idle_spread")
        abandon_round(recorder, "idle", rule)
        recorder.emit(e.DeckSpreadIdle, rule, deck=recorder.table.in_play, face=command.face)


class RemoveDeckAct(Act[c.RemoveDeck], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for name in table.decks:
            if self._problem(table, name) is None:
                clauses = _leaves_by(table, name)
                yield Option(command=self.name, fields={"deck": name}, texts=("reason",), clauses=clauses)

    def why_not(self, table: TableState, command: c.RemoveDeck) -> Problem | None:
        rule = Cited(clauses=_leaves_by(table, command.deck))
        reason = text_problem("deck.reason", "reason", command.reason, "the reason", rule)
        return self._problem(table, command.deck) or reason

    @staticmethod
    def _problem(table: TableState, name: str) -> Problem | None:
        deck = table.decks.get(name)
        if deck is None:
            allowed, clauses = ", ".join(table.decks) or "none: the table has no deck", table.game.book.deck.clauses
            return refuse("deck.unknown", "no such deck at the table", name, allowed, clauses, where="deck")
        if name == table.in_play and decks.bets_closed(table):
            return refuse("deck.in_play", "the deck is in play", name, "after the round", where="deck")
        return None

    def perform(self, recorder: EventRecorder, command: c.RemoveDeck) -> None:
        table = recorder.table
        clauses = _leaves_by(table, command.deck)
        if (problem := decks.too_old(table, table.decks[command.deck], command.at)) is not None:
            clauses += problem.clauses
        if command.deck == table.in_play:
            abandon_round(recorder, "deck_removed")
        recorder.emit(e.DeckRemoved, None, command, clauses=clauses)


def _leaves_by(table: TableState, name: str) -> tuple[str, ...]:
    """Return the clauses that make a deck leave: a wrong count, or a second deck without a shuffler."""
    if table.remove_deck == name:
        return table.removed_by
    problem = decks.one_too_many(table)
    return problem.clauses if problem is not None else ()
