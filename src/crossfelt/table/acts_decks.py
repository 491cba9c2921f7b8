"""The cards before a round: received, inspected, spread, shown, washed, stacked, shuffled and cut."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.problems import Problem
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts import Act, Option, Range, refuse
from crossfelt.table.commands import Role
from crossfelt.table.decks import (
    count_clauses,
    deck_names,
    needs_cut,
    next_act,
    one_too_many,
    opening_step,
    too_old,
    use_ends,
    wrong_method,
)
from crossfelt.table.stage import Stage
from crossfelt.table.state import Table


class PrepareDeck(Act[c.PrepareDeck]):
    command = c.PrepareDeck
    roles = ("dealer", "floor", "player")

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for name in table.decks if role == "player" else deck_names(table):
            deck = table.decks.get(name)
            if deck is not None and deck.stage == "in_play":
                continue
            act = next_act(table, deck) if deck else "receive"
            if act is None or table.phase != "open" or not _may(table, act, role, who):
                continue
            fields = {"deck": name, "act": act}
            if act == "receive":
                yield Option(command=self.name, fields={**fields, "back": _free_back(table)})
            else:
                yield Option(command=self.name, fields=fields, clauses=opening_step(table, act).clauses)

    def why_not(self, table: Table, command: c.PrepareDeck) -> Problem | None:
        if table.phase != "open":
            return refuse("table.closed", "the table is not open")
        names = deck_names(table)
        clauses = table.game.book.deck.clauses
        if command.deck not in names:
            what = "the table does not play with this deck"
            return refuse("deck.unknown", what, command.deck, ", ".join(names), clauses, where="deck")
        deck = table.decks.get(command.deck)
        due = next_act(table, deck) if deck else "receive"
        step = opening_step(table, command.act)
        if command.act != due:
            return refuse("deck.order", "is not the next thing to do", command.act, due or "none", step.clauses)
        if not _may(table, command.act, command.role, command.who):
            return refuse("deck.by", "is not for this role", command.role, step.by, step.clauses)
        if due == "receive" and any(other.back == command.back for other in table.decks.values()):
            what = "the decks need backs of different colours"
            return refuse("deck.back", what, command.back, "another colour", clauses, where="back")
        if due == "receive" and not command.back:
            return refuse("deck.back", "the colour of the backs is recorded", where="back", clauses=clauses)
        return None

    def perform(self, stage: Stage, command: c.PrepareDeck) -> None:
        step = opening_step(stage.table, command.act)
        stage.emit(e.DeckPrepared, step, deck=command.deck, act=command.act, back=command.back)


def _may(table: Table, act: str, role: Role, who: str) -> bool:
    """Dealer's work is the dealer's, the floor verifies, and a deck is shown once there is a player to see it."""
    by = opening_step(table, act).by
    if act == "show":
        seated = {seat.player for seat in table.seats if seat.player}
        return who in seated if role == "player" else role == "dealer" and bool(seated)
    return role == ("dealer" if by == "device" else by)


def _free_back(table: Table) -> str:
    taken = {deck.back for deck in table.decks.values()}
    return next(colour for colour in ("red", "blue") if colour not in taken)


class ShuffleDeck(Act[c.ShuffleDeck]):
    command = c.ShuffleDeck
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
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
                        before=use_ends(table, deck),
                        clauses=opening_step(table, "shuffle").clauses,
                    )

    def why_not(self, table: Table, command: c.ShuffleDeck) -> Problem | None:
        if (problem := self._problem(table, command.deck, command.method, command.at)) is not None:
            return problem
        size = table.game.book.deck.cards
        if command.cards and (len(command.cards) != size or set(command.cards) != set(range(size))):
            found = len(set(command.cards).intersection(range(size)))
            return refuse("deck.cards", "is not a full deck", found, f"{size} different cards", where="cards")
        if command.counted is None or (_device_counts(table, command.method) and command.counted in _counts(table)):
            return None
        what, clauses = "is not what a device shows here", count_clauses(table)
        return refuse("shuffle.count", what, command.counted, "the count of a counting shuffler", clauses, "counted")

    @staticmethod
    def _problem(table: Table, name: str, method: str, at: int | None) -> Problem | None:
        rule = opening_step(table, "shuffle")
        deck = table.decks.get(name)
        if deck is None:
            return refuse("deck.unknown", "no such deck at the table", name, ", ".join(table.decks), rule.clauses)
        if table.remove_deck == name:
            what = "the deck must leave the table"
            return refuse("deck.remove", what, name, "remove_deck", count_clauses(table))
        if deck.stage == "new" and next_act(table, deck) is not None:
            return refuse("deck.order", "the deck is not ready to be shuffled", name, next_act(table, deck) or "")
        if deck.stage == "idle" or deck.stage not in ("prepared", "used", "new"):
            return refuse(
                "deck.stage", "the deck is not to be shuffled now", deck.stage, "prepared or used", rule.clauses
            )
        if at is not None and (problem := too_old(table, deck, at)) is not None:
            return problem
        return one_too_many(table) or wrong_method(table, deck, method, rule)

    def perform(self, stage: Stage, command: c.ShuffleDeck) -> None:
        table = stage.table
        rule = opening_step(table, "shuffle")
        size = table.game.book.deck.cards
        if command.counted is not None and command.counted != size:
            outcome = table.game.book.irregularities["shuffler_count_wrong"]["any"]
            stage.emit(
                e.IrregularityReported,
                outcome,
                kind="shuffler_count_wrong",
                case="any",
                step=table.step,
                then=outcome.then,
                place=command.deck,
                note=f"the device counts {command.counted} cards",
            )
            return
        cut = needs_cut(table, command.method)
        stage.emit(e.DeckShuffled, rule, deck=command.deck, method=command.method, cards=command.cards, needs_cut=cut)


def _device_counts(table: Table, method: str) -> bool:
    return method == "device" and table.game.choices["dealing.shuffler"] == "counting"


def _counts(table: Table) -> Range:
    """What a counting shuffler may show: too few cards, or two decks in one."""
    return Range(0, 2 * table.game.book.deck.cards)


class CutDeck(Act[c.CutDeck]):
    command = c.CutDeck
    roles = ("dealer",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for deck in table.decks.values():
            if deck.stage == "shuffled":
                least, most, clauses = self._bounds(table)
                ranges = {"depth": Range(least, most)}
                yield Option(command=self.name, fields={"deck": deck.id}, ranges=ranges, clauses=clauses)

    def why_not(self, table: Table, command: c.CutDeck) -> Problem | None:
        deck = table.decks.get(command.deck)
        least, most, clauses = self._bounds(table)
        if deck is None or deck.stage != "shuffled":
            what = "no cut is due for this deck"
            return refuse("cut.stage", what, command.deck, "", opening_step(table, "cut").clauses)
        if not least <= command.depth <= most:
            what = "is not a cut that is allowed"
            return refuse("cut.depth", what, command.depth, f"{least} to {most} cards", clauses, where="depth")
        return None

    @staticmethod
    def _bounds(table: Table) -> tuple[int, int, tuple[str, ...]]:
        clauses = table.game.book.settings["cut_min_cards"].clauses
        return table.game.number("cut_min_cards"), table.game.book.deck.cards - 1, clauses

    def perform(self, stage: Stage, command: c.CutDeck) -> None:
        method = stage.table.game.book.settings["cut_method"]
        stage.emit(e.DeckCut, method, deck=command.deck, depth=command.depth)


ACTS = (PrepareDeck, ShuffleDeck, CutDeck)
