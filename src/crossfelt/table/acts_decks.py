"""The cards before a round: received, inspected, spread, shown, washed, stacked, shuffled, cut and loaded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from crossfelt.problems import Problem
from crossfelt.rulebooks.citing import Cited
from crossfelt.rulebooks.script import OpenBets, OpeningStep, Shuffle
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts import Act, Option, Range, refuse
from crossfelt.table.commands import Role, ShuffleMethod
from crossfelt.table.flow import open_round
from crossfelt.table.stage import Stage
from crossfelt.table.state import Deck, Table, step_of

HOUR = 3_600_000
"""Milliseconds."""
DECK_NAMES = ("A", "B")
AFTER_IDLE = ("show", "wash", "stack")


def opening_step(table: Table, act: str) -> OpeningStep:
    return next(step for step in table.game.book.opening.steps if step.step == act)


def acts_due(table: Table, deck: Deck) -> tuple[str, ...]:
    """What is done with a deck before it is shuffled; pre-inspected cards skip most of it.

    A deck that lay idle is shown, washed and stacked again, however it arrived.
    """
    acts = tuple(step.step for step in table.game.book.opening.steps if step.step not in ("shuffle", "cut", "load"))
    if deck.since is not None and deck.stage in ("idle", "new"):
        return tuple(act for act in acts if act in AFTER_IDLE)
    skips = table.game.settings["preinspected_skips_opening"] and table.game.choices.get("dealing.preshuffled")
    return acts[:1] if skips else acts


def next_act(table: Table, deck: Deck) -> str | None:
    """The next act of opening a deck."""
    return next((act for act in acts_due(table, deck) if act not in deck.prepared), None)


def between_rounds(table: Table) -> bool:
    """No round is open, or one is open for bets and nobody has bet."""
    step = step_of(table)
    if step is None or isinstance(step, Shuffle):
        return True
    return isinstance(step, OpenBets) and not any(seat.wagers for seat in table.seats)


def no_card_dealt(deck: Deck) -> bool:
    """Nothing has left the deck: neither a card that was dealt nor one that was found face up."""
    return deck.next == 0 and not deck.skipped


class PrepareDeck(Act[c.PrepareDeck]):
    command = c.PrepareDeck
    roles = ("dealer", "floor", "player")

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for name in DECK_NAMES[: table.game.whole("dealing.decks")]:
            deck = table.decks.get(name)
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
        names = DECK_NAMES[: table.game.whole("dealing.decks")]
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
        what, clauses = "is not what a device shows here", _count_clauses(table)
        return refuse("shuffle.count", what, command.counted, "the count of a counting shuffler", clauses, "counted")

    @staticmethod
    def _problem(table: Table, name: str, method: str, at: int | None) -> Problem | None:
        rule = opening_step(table, "shuffle")
        deck = table.decks.get(name)
        if deck is None:
            return refuse("deck.unknown", "no such deck at the table", name, ", ".join(table.decks), rule.clauses)
        if table.remove_deck == name:
            what = "the deck must leave the table"
            return refuse("deck.remove", what, name, "remove_deck", _count_clauses(table))
        if deck.stage == "new" and next_act(table, deck) is not None:
            return refuse("deck.order", "the deck is not ready to be shuffled", name, next_act(table, deck) or "")
        if deck.stage == "idle" or deck.stage not in ("prepared", "used", "new"):
            return refuse(
                "deck.stage", "the deck is not to be shuffled now", deck.stage, "prepared or used", rule.clauses
            )
        if at is not None and (problem := _too_old(table, deck, at)) is not None:
            return problem
        return _wrong_method(table, deck, method, rule)

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


def shuffle_due(table: Table, deck: Deck) -> ShuffleMethod:
    """How a deck is mixed next."""
    if _arrives_preshuffled(table, deck):
        return "preshuffled"
    return "device" if table.shuffling == "device" else "manual"


def _arrives_preshuffled(table: Table, deck: Deck) -> bool:
    """Some cards arrive pre-shuffled and skip the first shuffle; not once they have been in use or washed again."""
    first = deck.stage in ("new", "prepared") and deck.since is None
    skips = table.game.settings["preshuffled_skips_first_shuffle"]
    return bool(first and skips and table.game.choices.get("dealing.preshuffled"))


def needs_cut(table: Table, method: ShuffleMethod) -> bool:
    """Whether a cut follows the shuffle."""
    return method in table.game.listed("cut_after") and not _waives_cut(table)


def _waives_cut(table: Table) -> bool:
    allowed = table.game.settings.get("reshuffling_device_waives_cut", False)
    return bool(allowed and table.game.choices.get("dealing.reshuffling_device"))


def _device_counts(table: Table, method: str) -> bool:
    return method == "device" and table.game.choices["dealing.shuffler"] == "counting"


def _counts(table: Table) -> Range:
    """What a counting shuffler may show: too few cards, or two decks in one."""
    return Range(0, 2 * table.game.book.deck.cards)


def _count_clauses(table: Table) -> tuple[str, ...]:
    return table.game.book.irregularities["shuffler_count_wrong"]["any"].clauses


def _wrong_method(table: Table, deck: Deck, method: str, rule: Cited) -> Problem | None:
    if method == "preshuffled":
        if not _arrives_preshuffled(table, deck):
            what = "only cards that arrive pre-shuffled skip a shuffle, and only the first"
            return refuse("shuffle.method", what, method, table.shuffling, rule.clauses)
    elif method != table.shuffling:
        what = "is not how this table shuffles"
        return refuse("shuffle.method", what, method, table.shuffling, rule.clauses)
    elif method == "device" and table.devices.get("shuffler") != "in_use":
        return refuse("shuffle.device", "the shuffler is out of use", table.devices.get("shuffler"), "", rule.clauses)
    return None


def deck_hours_allowed(table: Table) -> tuple[int, tuple[str, ...]]:
    """How long a deck may be used with this way of dealing, in hours; 0 for as long as one likes."""
    name = "deck_change_hours_hand" if table.dealing == "hand" else "deck_change_hours_shoe"
    return table.game.number(name), table.game.book.settings[name].clauses


def _too_old(table: Table, deck: Deck, at: int) -> Problem | None:
    hours, clauses = deck_hours_allowed(table)
    if not hours or deck.since is None or at - deck.since < hours * HOUR:
        return None
    used = (at - deck.since) // HOUR
    return refuse("deck.old", f"the deck has been in use for {used} hours", deck.id, f"under {hours} hours", clauses)


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


class OrderRecut(Act[c.OrderRecut]):
    command = c.OrderRecut
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            yield Option(command=self.name, clauses=opening_step(table, "cut").clauses)

    def why_not(self, table: Table, command: c.OrderRecut) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        clauses = opening_step(table, "cut").clauses
        deck = table.decks.get(table.in_play) or next(iter(table.decks.values()), None)
        cut = deck is not None and deck.stage in ("ready", "in_play") and no_card_dealt(deck)
        if not cut or table.shuffling != "manual" or not needs_cut(table, "manual"):
            return refuse("cut.recut", "a recut comes after a cut and before any card is dealt", clauses=clauses)
        return None

    def perform(self, stage: Stage, command: c.OrderRecut) -> None:
        table = stage.table
        deck = table.decks.get(table.in_play) or next(iter(table.decks.values()))
        stage.emit(e.RecutOrdered, opening_step(table, "cut"), deck=deck.id, reason=command.reason)


class OrderShuffle(Act[c.OrderShuffle]):
    command = c.OrderShuffle
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            yield Option(command=self.name, clauses=table.game.book.settings["shuffle_on_floor_order"].clauses)

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
                yield Option(command=self.name, fields={"deck": deck.id}, choices=choices)

    def why_not(self, table: Table, command: c.LoadDeck) -> Problem | None:
        if (problem := self._problem(table, command.deck)) is not None:
            return problem
        clauses = opening_step(table, "load").clauses
        if (table.dealing == "hand") != bool(command.hand):
            what = "the hand that holds the cards is named exactly when they are dealt from the hand"
            return refuse("load.hand", what, command.hand, "left or right", clauses, where="hand")
        return None

    @staticmethod
    def _problem(table: Table, name: str) -> Problem | None:
        clauses = opening_step(table, "load").clauses
        deck = table.decks.get(name)
        if deck is None or deck.stage != "ready":
            return refuse("load.stage", "the deck is not ready", name, "a deck that is shuffled and cut", clauses)
        if name != table.in_play and not between_rounds(table):
            return refuse("load.round", "a round is being played", name, "", clauses)
        if _round_open(table) and name != table.in_play:
            what = "another deck is loaded for this round"
            return refuse("load.turn", what, name, table.in_play, table.game.book.deck.clauses)
        if isinstance(step_of(table), Shuffle) and name == table.in_play and _other_in_use(table, name):
            what = "two decks take turns"
            return refuse("load.turn", what, name, _other(table, name), table.game.book.deck.clauses)
        return shoe_problem(table)

    def perform(self, stage: Stage, command: c.LoadDeck) -> None:
        table = stage.table
        stage.emit(
            e.DeckLoaded,
            opening_step(table, "load"),
            deck=command.deck,
            method=table.dealing,
            hand=command.hand,
        )
        if not _round_open(table):
            open_round(stage)


def _round_open(table: Table) -> bool:
    """A round that a recut or an ordered shuffle has interrupted goes on with the same deck."""
    step = step_of(table)
    return step is not None and not isinstance(step, Shuffle)


def _other(table: Table, name: str) -> str:
    return next(other for other in table.decks if other != name)


def _other_in_use(table: Table, name: str) -> bool:
    """Whether there is a second deck that is ready or can be shuffled now: neither still being opened nor stuck."""
    if len(table.decks) < 2:
        return False
    other = table.decks[_other(table, name)]
    if other.stage in ("prepared", "used"):
        return _wrong_method(table, other, shuffle_due(table, other), opening_step(table, "shuffle")) is None
    return other.stage in ("shuffled", "ready")


def shoe_problem(table: Table) -> Problem | None:
    """An automated shoe that is out of use gives no cards."""
    if table.dealing != "automated_shoe" or table.devices.get("shoe") == "in_use":
        return None
    outcome = table.game.book.irregularities["device_out_of_order"]["any"]
    return refuse("device.shoe", "the shoe is out of use", table.devices.get("shoe"), "change_method", outcome.clauses)


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
        if deck is None or deck.stage != "in_play" or not isinstance(step_of(table), OpenBets):
            return refuse("idle.stage", "cards are spread while an open table has no play", clauses=rule.clauses)
        if not between_rounds(table):
            return refuse("idle.wagers", "wagers lie on the layout", clauses=rule.clauses)
        if _waives_cut(table):
            return refuse("idle.device", "the reshuffling device makes this unnecessary", clauses=rule.clauses)
        if face == "up" and not asked and rule.value == "face_down_unless_asked":
            what = "cards lie face down unless a player asks for face up"
            return refuse("idle.face", what, face, "down", rule.clauses, where="face")
        return None

    def perform(self, stage: Stage, command: c.SpreadIdle) -> None:
        rule = stage.table.game.book.settings["idle_spread"]
        stage.emit(e.DeckSpreadIdle, rule, deck=stage.table.in_play, face=command.face)


class RemoveDeck(Act[c.RemoveDeck]):
    command = c.RemoveDeck
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for deck in table.decks.values():
            if self._problem(table, deck.id) is None:
                yield Option(command=self.name, fields={"deck": deck.id}, clauses=_count_clauses(table))

    def why_not(self, table: Table, command: c.RemoveDeck) -> Problem | None:
        return self._problem(table, command.deck)

    @staticmethod
    def _problem(table: Table, name: str) -> Problem | None:
        deck = table.decks.get(name)
        if deck is None:
            return refuse("deck.unknown", "no such deck at the table", name, ", ".join(table.decks), where="deck")
        if name == table.in_play and not between_rounds(table):
            return refuse("deck.in_play", "the deck is in play", name, where="deck")
        return None

    def perform(self, stage: Stage, command: c.RemoveDeck) -> None:
        clauses = (
            _count_clauses(stage.table)
            if stage.table.remove_deck == command.deck
            else deck_hours_allowed(stage.table)[1]
        )
        stage.emit(e.DeckRemoved, deck=command.deck, reason=command.reason, clauses=clauses)


ACTS = (PrepareDeck, ShuffleDeck, CutDeck, OrderRecut, OrderShuffle, LoadDeck, SpreadIdle, RemoveDeck)
