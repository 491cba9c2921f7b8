"""Random outcomes at a virtual table, and the commitment to them before the bets of a round close.

Each shuffle takes 384 fresh bits from the operating system. When a deck is loaded, the server draws the outcomes of
every device of the round and seals them together with the order of the deck. It publishes the root before any player
can bet on the round. The same commit stores the seal and the row that loads the deck, so that a restarted server opens
the outcomes it had fixed.

The first round of a lesson is the exception: its deck and its devices come from a seed that the table's settings name.
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
from crossfelt.cards.shuffle import Chance, fresh_seed, repeatable_seed, shuffled
from crossfelt.games.progressive_wager import MAGIC, award_rate, drawn_awards
from crossfelt.progressive.meter import MICROS
from crossfelt.proof.commitment import Commitment, LeafOpening, Sealed, commit, deck_leaves
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import FirstHand
from crossfelt.table import events as e
from crossfelt.table.acts.wheel import hot_spots, wheel_due, xtreme_due
from crossfelt.table.credits import LUCKY_DEALER, LUCKY_SEAT, awards_by, draw_due
from crossfelt.table.state import TableState

OTHER: Final = "other"
"""The label of the seed for draws that have no leaf of their own."""


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
    draws: dict[str, str]
    """Outcomes of the devices, by label."""


class RoundCommitted(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="round_sealed"):
    """The root of the round's outcomes is published."""

    round: int
    root: str


class TableRng(msgspec.Struct, frozen=True):
    """The `CardSource` of a virtual table. A draw changes nothing: `after` counts the draws that events show.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> table = new_table(compile_game("nj-pai-gow"))
    >>> rng = TableRng(draws=draw_devices(table))
    >>> rng.dice(table) == rng.dice(table) == tuple(map(int, rng.draws["dice"].split()))
    True
    """

    entropy: Callable[[], bytes] = fresh_seed
    draws: Mapping[str, str] = MappingProxyType({})
    """Outcomes of the devices of this round, by label."""
    given: Mapping[str, int] = MappingProxyType({})
    """The number of draws from each device in this round, by label."""
    lesson_seed: int = 0
    """The seed of the first deck and the first round's devices; 0 for none."""

    def commit_round(self, table: TableState, *, at: int, seq: int, again: bool) -> tuple[CommitRound, Self]:
        """Fix the round that a loaded deck has opened. With `again` only the deck is new and the devices keep their
        outcomes."""
        rng = self
        if not again or not self.draws:
            rng = replace(self, draws=draw_devices(table, self._entropy_of(table, rounds=1)), given={})
        sealed = CommitRound(
            id=f"seal-{seq}",
            at=at,
            round=table.round,
            deck=table.in_play,
            salt=self.entropy().hex(),
            cards=table.deck.cards,
            draws=dict(rng.draws),
        )
        return sealed, rng

    def resumed(self, sealed: CommitRound, events: Iterable[e.Event]) -> Self:
        """Continue a round that was fixed before the server stopped, after the events of the round so far."""
        return replace(self, draws=sealed.draws, given={}).after(events)

    def after(self, events: Iterable[e.Event]) -> Self:
        """Count the draws that these events show: the first draw from each device is the sealed one."""
        shown = Counter(label for event in events for label in devices_in(event))
        return replace(self, given=Counter(self.given) + shown) if shown else self

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
        if self._first("dice"):
            first, second, third = map(int, self.draws["dice"].split())
            return first, second, third
        chance = self._chance("dice")
        return chance.between(1, 6), chance.between(1, 6), chance.between(1, 6)

    def position(self, table: TableState) -> int:
        return int(self.draws["number"]) if self._first("number") else self._chance("number").between(1, 7)

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> int:
        label = label_of(device)
        if not self._first(label):
            return self._chance(label).weighted(weights)
        if label == HOT_SPOT:
            return next(int(seat) - 1 for seat in self.draws[label].split() if weights[int(seat) - 1])
        if label in AWARDS:
            # The first seat that may have the award; 0 if it is not drawn, or no seat may have it.
            order = map(int, self.draws[label].split())
            return next((one for one in order if one < len(weights) and weights[one]), 0)
        return int(self.draws[label])

    def _first(self, label: str) -> bool:
        """Return whether the next outcome of this device is the sealed one."""
        return label in self.draws and not self.given.get(label)

    def _chance(self, label: str) -> Chance:
        seed = bytes.fromhex(self.draws[OTHER]) if OTHER in self.draws else self.entropy()
        return Chance(seed, f"{label}/{self.given.get(label, 0) + 1}")


HOT_SPOT: Final = "xtreme/hot_spot"
AWARDS: Final = (LUCKY_SEAT, LUCKY_DEALER, MAGIC)


def label_of(device: str) -> str:
    """Return the label under which a device's outcome is sealed.

    >>> label_of("wheel seat3")
    'wheel/seat3'
    """
    return device.replace(" ", "/")


def draw_devices(table: TableState, entropy: Callable[[], bytes] = fresh_seed) -> dict[str, str]:
    """Draw an outcome for every device that the round may use, whatever the wagers will be."""
    chance = Chance(entropy(), "devices")
    drawn = dict(_drawn(table, chance))
    drawn[OTHER] = entropy().hex()
    return drawn


def _drawn(table: TableState, chance: Chance) -> Iterator[tuple[str, str]]:
    game = table.game
    if any(isinstance(step, FirstHand) for step in game.book.script):
        yield "dice", " ".join(str(chance.between(1, 6)) for _ in range(3))
        yield "number", str(chance.between(1, 7))
    seats = [seat.number for seat in table.seats]
    yield from _awards(game, seats, chance)
    for wheel in {(wheel.wager, wheel.ring): wheel for wheel in game.book.wheels if game.offers(wheel.wager)}.values():
        weights = game.weights(wheel)
        if wheel.ring == "spin":
            for seat in seats:
                yield f"wheel/seat{seat}", str(chance.weighted(weights))
        else:
            name = "community" if wheel.ring == "community" else "prize"
            yield f"xtreme/{name}", str(chance.weighted(weights))
            if wheel.ring != "community":
                yield HOT_SPOT, " ".join(map(str, chance.shuffled(seats)))


def _awards(game: Game, seats: Sequence[int], chance: Chance) -> Iterator[tuple[str, str]]:
    """Draw the random awards: \"0\" for none, or the seats in the order in which they may have one."""
    outcomes = {
        LUCKY_SEAT: ("lucky_player", seats),
        LUCKY_DEALER: ("lucky_dealer", (1,)),
        MAGIC: (MAGIC, range(1, game.number("magic_card_from") + 1) if drawn_awards(game) else ()),
    }
    for label, (award, possible) in outcomes.items():
        if award in drawn_awards(game):
            rate = award_rate(game, award)
            falls = chance.weighted((MICROS - rate, rate))
            order = chance.shuffled(possible)
            yield label, " ".join(map(str, order if label == LUCKY_SEAT else order[:1])) if falls else "0"


class RoundCommitment(msgspec.Struct, frozen=True):
    """The fixed outcomes of one round, as a tree of leaves to be opened one by one."""

    round: int
    tree: Sealed
    deck: tuple[Card, ...]

    @classmethod
    def of(cls, seal: CommitRound) -> RoundCommitment:
        """Build the tree of a seal."""
        tree = commit({**deck_leaves(seal.cards), **seal.draws}, bytes.fromhex(seal.salt))
        return cls(seal.round, tree, seal.cards)

    @property
    def commitment(self) -> Commitment:
        return self.tree.commitment

    def openings(self, seen: Iterable[e.Event]) -> tuple[LeafOpening, ...]:
        """Return the proofs for the events of the round as one viewer saw them."""
        return tuple(map(self.tree.opening, self.in_order(self.found(seen))))

    def found(self, seen: Iterable[e.Event]) -> set[Card | str]:
        """Return the cards and the labels of the devices that these events show."""
        found: set[Card | str] = set()
        for event in seen:
            found.update(cards_in(event), devices_in(event))
        return found

    def in_order(self, found: Collection[Card | str]) -> tuple[str, ...]:
        """Return the labels of the fixed cards among `found` in the order of the deck, then of the devices."""
        cards = [f"card/{place:02}" for place, card in enumerate(self.deck, start=1) if card in found]
        return (*cards, *[label for label in self.commitment.labels if label in found])


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
            return ("xtreme/community", HOT_SPOT, "xtreme/prize")
    return AWARDS


DRAWN: Final = frozenset((e.FirstHandChosen, e.WheelSpun, e.XtremeSpun, e.AwardsDrawn))
"""The events that show the outcome of a device."""
