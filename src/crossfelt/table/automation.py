"""The automated dealer and floor: an explicit set of automations, all for play, none for a trainee.

An automation gives the same commands that a person would give. The cards come from a `CardSource`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol, get_args

from crossfelt.cards.card import Card
from crossfelt.rulebooks import script as s
from crossfelt.table import commands as c
from crossfelt.table import decks
from crossfelt.table.acts.dealing import count_due, stub_size
from crossfelt.table.acts.decks import COVERS, free_backs, loaders
from crossfelt.table.acts.wheel import hot_spots, wheel_due, xtreme_due
from crossfelt.table.credits import awaiting_validation, awards_by
from crossfelt.table.flow import awaiting_collection
from crossfelt.table.state import Deck, TableState, step_of
from crossfelt.table.wheel import unseen

Automation = Literal[
    "prepare_decks", "shuffle", "cut", "load", "deal", "count_stub", "collect", "reveal", "settle", "spin",
    "discard", "replace_decks", "draw", "validate",
]  # fmt: skip
ALL: frozenset[Automation] = frozenset(get_args(Automation))
PLACES: Final = {"shoe": "at the dealer's left", "shuffler": "at the dealer's right"}
"""The places of a virtual table's devices."""


class CardSource(Protocol):
    """The source of cards: shuffled, scripted, or unknown at a physical table."""

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        """Return the deck after its shuffle, from the top; empty where its order is unknown."""

    def cut(self, table: TableState, least: int, most: int) -> int:
        """Return the number of cards to cut from the top."""

    def dice(self, table: TableState) -> tuple[int, int, int] | None:
        """Return three dice; None where the dealer shakes and reads them."""

    def position(self, table: TableState) -> int | None:
        """Return a random number from 1 to 7; None where the dealer reads it."""

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> int | None:
        """Return the stop of a random device, the index of one of its weights; None where the dealer reads it."""


class Dealer:
    """The automated dealer and floor: it gives the next command, as far as that is automated."""

    def __init__(self, source: CardSource, automations: frozenset[Automation] = ALL) -> None:
        self._source = source
        self._automations = automations
        self._given = 0

    def next_command(self, table: TableState, at: int) -> c.Command | None:
        """Return the next automated command; None where a person must act."""
        if table.phase != "open" or table.pending is not None or table.halted or table.claims or table.seeds_due:
            return None
        step = step_of(table)
        if step is None or isinstance(step, s.Shuffle):
            return self._cards(table, at)
        if isinstance(step, (s.OfferBank, s.OpenBets, s.Deal)) and table.deck.stage != "in_play":
            return self._cards(table, at)
        if isinstance(step, (s.OfferBank, s.OpenBets)):
            old = decks.too_old(table, table.deck, at) is not None
            return self._remove(table, table.in_play, "time in use", at) if old else None
        return self._round(table, step, at)

    def _round(self, table: TableState, step: object, at: int) -> c.Command | None:
        match step:
            case s.Deal():
                return self._give("deal", c.DealCards, at)
            case s.Stub():
                if count_due(table):
                    return self._give("count_stub", c.CountStub, at, count=stub_size(table))
                return self._give("count_stub", c.DiscardStub, at)
            case s.Decide():
                return self._give("collect", c.CollectFolds, at) if not table.turn else None
            case s.Reveal():
                if table.revealed.issuperset(step.cards) and awaiting_collection(table):
                    return self._give("collect", c.CollectFolds, at)
                return self._give("reveal", c.TurnUp, at)
            case s.Lock():
                drawn = awards_by(table, self._source.stop) if "draw" in self._automations else None
                return None if drawn is None else self._give("draw", c.DrawAwards, at, **drawn)
            case s.Settle():
                if (waiting := awaiting_validation(table)) is not None:
                    seat, wager = waiting
                    return self._give("validate", c.ValidateAward, at, role="floor", seat=seat, wager=wager)
                return self._give("settle", c.SettleSeat, at, seat=table.turn[0])
            case s.Spin():
                return self._spin(table, at)
            case s.FirstHand():
                return self._first_hand(table, at)
            case s.SetHands(who="dealer"):
                return self._give("settle", c.SetDealerHand, at)
            case s.Compare():
                return self._give("settle", c.ExposeSeat, at, seat=table.turn[0])
            case s.Discard():
                if table.papers:
                    seat = table.papers[0]
                    document = f"round {table.round}, seat {seat}"
                    return self._give("validate", c.CompleteDocuments, at, role="floor", seat=seat, document=document)
                return self._give("discard", c.DiscardCards, at)
        return None

    def _spin(self, table: TableState, at: int) -> c.Command | None:
        """Return the command that spins the wheel, or pays its result."""
        if table.spin is not None:
            return self._give("settle", c.PaySpin, at, seat=table.turn[0])
        if "spin" not in self._automations:
            return None
        if (wheel := wheel_due(table)) is not None:
            seat = table.turn[0]
            if unseen(table.seat(seat)):
                return None
            stop = self._source.stop(table, f"wheel seat{seat}", table.game.weights(wheel))
            return self._shown("spin", c.SpinWheel, at, seat=seat, stop=stop)
        rings = xtreme_due(table)
        assert rings is not None
        seats = [int(seat.number in hot_spots(table)) for seat in table.seats]
        hot_spot = self._source.stop(table, "xtreme hot_spot", seats)
        return self._shown(
            "spin",
            c.SpinXtreme,
            at,
            community=self._source.stop(table, "xtreme community", table.game.weights(rings.community)),
            hot_spot=None if hot_spot is None else 1 + hot_spot,
            prize=self._source.stop(table, "xtreme prize", table.game.weights(rings.hot_spot)),
        )

    def _first_hand(self, table: TableState, at: int) -> c.Command | None:
        if "deal" not in self._automations:
            return None
        by_dice = table.game.settings["first_hand_by"] == "dice"
        shown = {"dice": self._source.dice(table)} if by_dice else {"number": self._source.position(table)}
        return self._shown("deal", c.ChooseFirstHand, at, **shown)

    def _cards(self, table: TableState, at: int) -> c.Command | None:
        """Return the next command from a sealed or used deck to a loaded deck."""
        if table.remove_deck:
            return self._remove(table, table.remove_deck, "wrong count", at)
        if decks.one_too_many(table) is not None:
            second = next(name for name in reversed(list(table.decks)) if name != table.in_play)
            return self._remove(table, second, "no shuffler for a second deck", at)
        if decks.fittings_due(table):
            return self._check(table, at)
        wanted = decks.deck_names(table)
        for name in wanted:
            deck = table.decks.get(name)
            if (command := self._deck(table, name, deck, at)) is not None:
                return command
        candidates = [table.in_play] if decks.round_open(table) else wanted
        ready = [name for name in candidates if self._loadable(table, name, at)]
        turn = next((name for name in ready if name != table.in_play), ready[0] if ready else None)
        if turn is None or decks.shoe_problem(table) is not None:
            return None
        hand = "right" if table.dealing == "hand" else ""
        loader = loaders(table, table.decks[turn])[-1]
        return self._give("load", c.LoadDeck, at, deck=turn, hand=hand, loader=loader)

    def _check(self, table: TableState, at: int) -> c.Command | None:
        """Return the check of the fittings; a virtual table has one shoe and one shuffler."""
        fixtures, named = table.game.book.table.fixtures, dict[str, str]()
        for device in decks.devices_used(table):
            named |= {device: "No. 1", f"{device}_place": PLACES[device]}
        items = fixtures.items if fixtures else ()
        return self._give("prepare_decks", c.CheckFittings, at, role="floor", items=items, **named)

    @staticmethod
    def _loadable(table: TableState, name: str, at: int) -> bool:
        deck = table.decks.get(name)
        if deck is None or deck.stage != "ready":
            return False
        return decks.bets_closed(table) or decks.too_old(table, deck, at) is None

    def _deck(self, table: TableState, name: str, deck: Deck | None, at: int) -> c.Command | None:
        if deck is None:
            back, cover = free_backs(table)[0], COVERS[0]
            return self._give("prepare_decks", c.PrepareDeck, at, deck=name, act="receive", back=back, cover=cover)
        if decks.too_old(table, deck, at) is not None and not decks.bets_closed(table):
            return self._remove(table, name, "time in use", at)
        act = decks.next_act(table, deck) if deck.stage in ("new", "idle") else None
        if act is not None:
            if act == "show" and not any(seat.player for seat in table.seats):
                return None
            role: c.Role = "floor" if decks.opening_step(table, act).by == "floor" else "dealer"
            return self._give("prepare_decks", c.PrepareDeck, at, role=role, deck=name, act=act)
        if deck.stage in ("prepared", "used", "new"):
            return self._shuffle(table, deck, at)
        if deck.stage == "shuffled":
            least = table.game.number("cut_min_cards")
            depth = self._source.cut(table, least, table.game.book.deck.cards - 1)
            return self._give("cut", c.CutDeck, at, deck=name, depth=depth)
        return None

    def _shuffle(self, table: TableState, deck: Deck, at: int) -> c.Command | None:
        method = decks.shuffle_due(table, deck)
        if method == "device" and table.devices.get("shuffler") != "in_use":
            return None
        cards = self._source.order(table, deck.id)
        counts = method == "device" and table.game.choices["dealing.shuffler"] == "counting"
        counted = table.game.book.deck.cards if counts else None
        return self._give("shuffle", c.ShuffleDeck, at, deck=deck.id, method=method, cards=cards, counted=counted)

    def _remove(self, table: TableState, name: str, reason: str, at: int) -> c.Command | None:
        return self._give("replace_decks", c.RemoveDeck, at, role="floor", deck=name, reason=reason)

    def _shown(self, automation: Automation, kind: type[c.Command], at: int, **fields: Any) -> c.Command | None:
        """Return a command with the result of dice or wheels; None where only the dealer can read it."""
        return None if None in fields.values() else self._give(automation, kind, at, **fields)

    def _give(
        self, automation: Automation, kind: type[c.Command], at: int, *, role: c.Role = "dealer", **fields: object
    ) -> c.Command | None:
        if automation not in self._automations:
            return None
        self._given += 1
        return kind(id=f"dealer-{self._given}", who=role, role=role, at=at, **fields)  # type: ignore[arg-type]
