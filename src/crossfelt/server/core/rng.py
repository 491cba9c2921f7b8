"""Random outcomes at a virtual table, and the commitment to them before the bets of a round close.

Each shuffle takes 384 fresh bits from the operating system. When a deck is loaded, the server draws a seed for every
device of the round and seals it together with the order of the deck. It publishes the root before any player can bet on
the round. The same commit stores the seal and the row that loads the deck, so that a restarted server opens the
outcomes it had fixed. After the bets the players' seeds permute the deck and change the seed of the devices
(`crossfelt.cards.player_seeds`).

The first round of a lesson is the exception: its deck and its devices come from a seed that the table's settings name,
and no player's seed changes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Self

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import NO_MIX, mix_of, mixed_seed
from crossfelt.cards.shuffle import Chance, fresh_seed, repeatable_seed, shuffled
from crossfelt.games.progressive_wager import MAGIC
from crossfelt.proof.commitment import Commitment, LeafOpening, Sealed, deck_leaves
from crossfelt.proof.fair_round import DEVICES, DeviceWeights
from crossfelt.table import events as e
from crossfelt.table.acts.wheel import hot_spots, wheel_due, xtreme_due
from crossfelt.table.credits import LUCKY_DEALER, LUCKY_SEAT, awards_by, draw_due, draw_weights
from crossfelt.table.state import TableState


class CommitRound(msgspec.Struct, frozen=True, kw_only=True, tag_field="command", tag="seal_round"):
    """The deck and the outcomes that are fixed for a round. They are secret until the round is over."""

    id: str
    at: int
    round: int
    deck: str
    salt: str
    """The seed of the salts, in hexadecimal digits."""
    cards: tuple[Card, ...]
    """The deck from the top, after the cut."""
    devices: str
    """The seed of wheels, dice and draws, in hexadecimal digits."""


class RoundCommitted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="round_sealed"):
    """The root of the round's outcomes is published."""

    round: int
    root: str


class TableRng(msgspec.Struct, frozen=True):
    """The `CardSource` of a virtual table. A draw changes nothing: `after` counts the draws that events show.

    >>> table = new_table(compile_game("nj-pai-gow"))
    >>> rng = TableRng(devices=repeatable_seed(7))
    >>> rng.dice(table), rng.dice(table), replace(rng, mix=repeatable_seed(8)).dice(table)
    ((2, 1, 4), (2, 1, 4), (6, 5, 1))
    """

    entropy: Callable[[], bytes] = fresh_seed
    devices: bytes = b""
    """The house's seed of this round's devices."""
    mix: bytes = NO_MIX
    """The seed that the players' seeds make in this round."""
    given: Mapping[str, int] = MappingProxyType({})
    """The number of draws from each device in this round, by label."""
    lesson_seed: int = 0
    """The seed of the first deck and the first round's devices; 0 for none."""

    def commit_round(self, table: TableState, *, at: int, seq: int, again: bool) -> tuple[CommitRound, Self]:
        """Fix the round that a loaded deck has opened. With `again` only the deck is new and the devices keep their
        seed."""
        rng = self
        if not again or not self.devices:
            rng = replace(self, devices=self._entropy_of(table, rounds=1)(), mix=NO_MIX, given={})
        sealed = CommitRound(
            id=f"seal-{seq}",
            at=at,
            round=table.round,
            deck=table.in_play,
            salt=self.entropy().hex(),
            cards=table.deck.cards,
            devices=rng.devices.hex(),
        )
        return sealed, rng

    def resumed(self, sealed: CommitRound, events: Iterable[e.Event]) -> Self:
        """Continue a round that was fixed before the server stopped, after the events of the round so far."""
        return replace(self, devices=bytes.fromhex(sealed.devices), mix=NO_MIX, given={}).after(events)

    def after(self, events: Iterable[e.Event]) -> Self:
        """Count the draws that these events show, and take the players' seeds in."""
        events = tuple(events)
        shown = Counter(label for event in events for label in devices_in(event))
        mixed = next((event for event in reversed(events) if isinstance(event, e.DeckMixed)), None)
        rng = self if mixed is None else replace(self, mix=mix_of(mixed.round_id, mixed.seeds))
        return replace(rng, given=Counter(rng.given) + shown) if shown else rng

    def fields_of(self, command: str, fields: Mapping[str, Any], table: TableState) -> dict[str, Any]:
        """Return the random fields of a command from a person who deals from a virtual deck."""
        match command:
            case "shuffle_deck":
                return {"cards": [card.text for card in self.order(table, str(fields.get("deck", "")))]}
            case "choose_first_hand":
                by_dice = table.game.settings.get("first_hand_by") == "dice"
                return {"dice": self.dice(table)} if by_dice else {"number": self.position(table)}
            case "spin_wheel" if (wheel := wheel_due(table)) is not None:
                return {"stop": self.stop(table, f"wheel seat{table.turn[0]}", table.game.weights(wheel))}
            case "spin_xtreme" if (rings := xtreme_due(table)) is not None:
                seats = [int(seat.number in hot_spots(table)) for seat in table.seats]
                return {
                    "community": self.stop(table, "xtreme community", table.game.weights(rings.community)),
                    "hot_spot": 1 + self.stop(table, "xtreme hot_spot", seats),
                    "prize": self.stop(table, "xtreme prize", table.game.weights(rings.hot_spot)),
                }
            case "draw_awards" if draw_due(table):
                drawn = awards_by(table, self.stop) or {}
                return {**drawn, "magic_card": card.text if (card := drawn.get("magic_card")) is not None else None}
        return {}

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        return shuffled(deck_of(table.game.book.deck.cards), self._entropy_of(table, rounds=0)())

    def cut(self, table: TableState, least: int, most: int) -> int:
        return Chance(self._entropy_of(table, rounds=0)(), "cut").between(least, most)

    def _entropy_of(self, table: TableState, *, rounds: int) -> Callable[[], bytes]:
        """Return the source of seeds: the lesson's seed until `rounds` rounds have begun, then the operating system."""
        if self.lesson_seed and table.round <= rounds:
            return lambda: repeatable_seed(self.lesson_seed)
        return self.entropy

    def dice(self, table: TableState) -> tuple[int, int, int]:
        chance = self._chance("dice")
        return chance.between(1, 6), chance.between(1, 6), chance.between(1, 6)

    def position(self, table: TableState) -> int:
        return self._chance("number").between(1, 7)

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> int:
        return self._chance(device.replace(" ", "/")).weighted(weights)

    def _chance(self, label: str) -> Chance:
        """Return the stream of the next draw from a device."""
        seed = mixed_seed(self.devices or self.entropy(), self.mix)
        return Chance(seed, f"{label}/{self.given.get(label, 0) + 1}")


AWARDS: Final = (LUCKY_SEAT, LUCKY_DEALER, MAGIC)


class RoundCommitment(msgspec.Struct, frozen=True):
    """The fixed outcomes of one round, as a tree of leaves to be opened one by one."""

    round: int
    tree: Sealed
    deck: tuple[Card, ...]

    @classmethod
    def of(cls, seal: CommitRound) -> RoundCommitment:
        tree = Sealed({**deck_leaves(seal.cards), DEVICES: seal.devices}, bytes.fromhex(seal.salt))
        return cls(seal.round, tree, seal.cards)

    @property
    def commitment(self) -> Commitment:
        return self.tree.commitment

    def openings(self, seen: Iterable[e.Event]) -> tuple[LeafOpening, ...]:
        """Return the proofs for the events of the round as one viewer saw them."""
        return tuple(map(self.tree.opening, self.in_order(self.found(seen))))

    def found(self, seen: Iterable[e.Event]) -> set[Card | str]:
        """Return the cards that these events show, and the label of the devices' seed if they show a draw."""
        found: set[Card | str] = set()
        for event in seen:
            found.update(cards_in(event))
            if devices_in(event):
                found.add(DEVICES)
        return found

    def in_order(self, found: Collection[Card | str]) -> tuple[str, ...]:
        """Return the labels of the fixed cards among `found` in the order of the deck, then of the devices."""
        cards = [f"card/{place:02}" for place, card in enumerate(self.deck, start=1) if card in found]
        return (*cards, *((DEVICES,) if DEVICES in found else ()))


def cards_in(event: e.Event) -> Iterator[Card]:
    """Yield every card that an event shows. A player's name may look like a card, and does not count."""
    for name in _fields_of_cards(type(event)):
        value = getattr(event, name)
        for card in value if isinstance(value, tuple) else (value,):
            found = card.card if isinstance(card, e.Dealt) else card
            if isinstance(found, Card) and found is not HIDDEN:
                yield found


@cache
def _fields_of_cards(kind: type[e.Event]) -> tuple[str, ...]:
    return tuple(name for name in ("cards", "low", "card") if name in kind.__struct_fields__)


@cache
def shows_outcome(kind: type[e.Event]) -> bool:
    """Return whether events of a kind can show a card, or the outcome of a device."""
    return kind in DRAWN or bool(_fields_of_cards(kind))


def devices_in(event: e.Event) -> tuple[str, ...]:
    """Return the labels of the devices whose outcome an event shows."""
    if type(event) not in DRAWN:
        return ()
    match event:
        case e.FirstHandChosen():
            return ("dice",) if event.dice else ("number",)
        case e.WheelSpun():
            return (f"wheel/seat{event.seat}",)
        case e.XtremeSpun():
            return ("xtreme/community", "xtreme/hot_spot", "xtreme/prize")
    return AWARDS


def weights_in(name: str, event: e.Event, table: TableState) -> Iterator[DeviceWeights]:
    """Yield the weights of the draws that an event shows, for the check of the round.

    `name` is the row of the event and its number there, and `table` is as it was before the command.
    """
    for field, weights in _weights(event, table):
        yield DeviceWeights(event=name, field=field, weights=tuple(weights))


def _weights(event: e.Event, table: TableState) -> Iterator[tuple[str, Sequence[int]]]:
    game = table.game
    match event:
        case e.WheelSpun() if (wheel := wheel_due(table)) is not None:
            yield "index", game.weights(wheel)
        case e.XtremeSpun() if (rings := xtreme_due(table)) is not None:
            yield "community", game.weights(rings.community)
            yield "prize", game.weights(rings.hot_spot)
            yield "hot_spot", tuple(int(seat.number in hot_spots(table)) for seat in table.seats)
        case e.AwardsDrawn():
            yield from draw_weights(table).items()


DRAWN: Final = frozenset((e.FirstHandChosen, e.WheelSpun, e.XtremeSpun, e.AwardsDrawn))
CHANGES_CHANCE: Final = DRAWN | {e.DeckMixed}
"""The events after which the next draw is another."""
