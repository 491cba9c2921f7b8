"""Chance in the house, and what the house fixes before the bets of a round close.

Each shuffle takes 384 fresh bits from the operating system. When a deck is loaded the outcomes of every device of the
round are drawn and sealed together with the order of the deck; the root is published before anybody can bet on the
round. What is sealed is stored with the row that loads the deck, so that a house that stops and starts again opens what
it fixed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.entropy import fresh_seed
from crossfelt.cards.shuffle import Chance, shuffled
from crossfelt.games.progressive_wager import MAGIC, drawn_awards
from crossfelt.naming import snake_case
from crossfelt.progressive.micros import MICROS
from crossfelt.proof.commitment import Commitment, Opening, Sealed, commit, deck_leaves
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import FirstHand
from crossfelt.table import events as e
from crossfelt.table.acts_spinning import hot_spots, wheel_due, xtreme_due
from crossfelt.table.crediting import LUCKY_DEALER, LUCKY_SEAT, awards_by, draw_due
from crossfelt.table.state import Table

OTHER: Final = "other"
"""The label of the seed for draws that have no leaf of their own."""


class SealRound(msgspec.Struct, frozen=True, kw_only=True, tag_field="command", tag=snake_case):
    """What a round is fixed with. It is secret until the round is over."""

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


class RoundSealed(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=snake_case):
    """The house has published what the round is fixed with."""

    round: int
    root: str


class HouseChance:
    """The cards and devices of a virtual table: a `CardSource`.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> table = new_table(compile_game("nj-pai-gow"))
    >>> chance = HouseChance()
    >>> chance.draws = draw_devices(table)
    >>> chance.dice(table) == tuple(map(int, chance.draws["dice"].split()))
    True
    """

    def __init__(self, entropy: Callable[[], bytes] = fresh_seed) -> None:
        self._entropy = entropy
        self._given: Mapping[str, int] = {}
        """How often each device was asked; never changed, but replaced."""
        self.draws: Mapping[str, str] = {}
        """Outcomes of the devices of this round, by label."""

    def seal(self, table: Table, *, at: int, seq: int, again: bool) -> SealRound:
        """Fixes the round that a loaded deck has opened; `again` where the deck changed and the devices stay."""
        if not again or not self.draws:
            self.draws = draw_devices(table, self._entropy)
            self._given = {}
        return SealRound(
            id=f"seal-{seq}",
            at=at,
            round=table.round,
            deck=table.in_play,
            salt=self._entropy().hex(),
            cards=table.deck.cards,
            draws=dict(self.draws),
        )

    def resume(self, seal: SealRound, seen: Iterable[e.Event]) -> None:
        """A round goes on that was fixed before the house stopped; what was drawn by then is not drawn again."""
        self.draws = seal.draws
        self._given = Counter(label for event in seen for label in devices_in(event))

    def mark(self) -> tuple[Mapping[str, str], Mapping[str, int]]:
        """What is fixed and what has been given, to come back to where nothing comes of what is drawn next."""
        return self.draws, self._given

    def back_to(self, mark: tuple[Mapping[str, str], Mapping[str, int]]) -> None:
        self.draws, self._given = mark

    def fields_of(self, command: str, fields: Mapping[str, Any], table: Table) -> dict[str, Any]:
        """What a person who deals from a virtual deck does not decide: chance enters the command here."""
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

    def order(self, table: Table, deck: str) -> tuple[Card, ...]:
        return shuffled(deck_of(table.game.book.deck.cards), self._entropy())

    def cut(self, table: Table, least: int, most: int) -> int:
        return Chance(self._entropy(), "cut").between(least, most)

    def dice(self, table: Table) -> tuple[int, int, int]:
        if self._first("dice"):
            first, second, third = map(int, self.draws["dice"].split())
            return first, second, third
        chance = self._chance("dice")
        return chance.between(1, 6), chance.between(1, 6), chance.between(1, 6)

    def position(self, table: Table) -> int:
        return int(self.draws["number"]) if self._first("number") else self._chance("number").between(1, 7)

    def stop(self, table: Table, device: str, weights: Sequence[int]) -> int:
        label = label_of(device)
        if not self._first(label):
            return self._chance(label).weighted(weights)
        if label == HOT_SPOT:
            return next(int(seat) - 1 for seat in self.draws[label].split() if weights[int(seat) - 1])
        if label in AWARDS:
            # The first that may have it; nobody, where it is not drawn or can fall on nobody here.
            order = map(int, self.draws[label].split())
            return next((one for one in order if one < len(weights) and weights[one]), 0)
        return int(self.draws[label])

    def _first(self, label: str) -> bool:
        """Whether this outcome has a leaf of its own: the first of each device has."""
        self._given = {**self._given, label: self._given.get(label, 0) + 1}
        return label in self.draws and self._given[label] == 1

    def _chance(self, label: str) -> Chance:
        seed = bytes.fromhex(self.draws[OTHER]) if OTHER in self.draws else self._entropy()
        return Chance(seed, f"{label}/{self._given[label]}")


HOT_SPOT: Final = "xtreme/hot_spot"
AWARDS: Final = (LUCKY_SEAT, LUCKY_DEALER, MAGIC)


def label_of(device: str) -> str:
    """The label under which a device's outcome is sealed.

    >>> label_of("wheel seat3")
    'wheel/seat3'
    """
    return device.replace(" ", "/")


def draw_devices(table: Table, entropy: Callable[[], bytes] = fresh_seed) -> dict[str, str]:
    """An outcome for every device that could be used in a round, whoever will bet on what."""
    chance = Chance(entropy(), "devices")
    drawn = dict(_drawn(table, chance))
    drawn[OTHER] = entropy().hex()
    return drawn


def _drawn(table: Table, chance: Chance) -> Iterator[tuple[str, str]]:
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
    """Random awards, for whoever will bet on them: nothing, or the seats in the order in which they may have one."""
    outcomes = {
        LUCKY_SEAT: ("lucky_player", seats),
        LUCKY_DEALER: ("lucky_dealer", (1,)),
        MAGIC: (MAGIC, range(1, game.number("magic_card_from") + 1) if drawn_awards(game) else ()),
    }
    for label, (award, possible) in outcomes.items():
        if award in drawn_awards(game):
            rate = game.whole(f"wagers.progressive.{award}_per_million")
            falls = chance.weighted((MICROS - rate, rate))
            order = chance.shuffled(possible)
            yield label, " ".join(map(str, order if label == LUCKY_SEAT else order[:1])) if falls else "0"


class Fixed(msgspec.Struct, frozen=True):
    """What one round is fixed with, as the house keeps it in memory."""

    round: int
    tree: Sealed
    deck: tuple[Card, ...]

    @classmethod
    def of(cls, seal: SealRound) -> Fixed:
        """The tree of a seal."""
        tree = commit({**deck_leaves(seal.cards), **seal.draws}, bytes.fromhex(seal.salt))
        return cls(seal.round, tree, seal.cards)

    @property
    def commitment(self) -> Commitment:
        return self.tree.commitment

    def openings(self, seen: Iterable[e.Event]) -> tuple[Opening, ...]:
        """The proofs of what a viewer saw: cards and devices in the events of the round as that viewer may see them."""
        return tuple(map(self.tree.opening, self.in_order(self.found(seen))))

    def found(self, seen: Iterable[e.Event]) -> set[Card | str]:
        """What these events show: cards, and the labels of devices."""
        found: set[Card | str] = set()
        for event in seen:
            found.update(cards_in(event), devices_in(event))
        return found

    def in_order(self, found: Collection[Card | str]) -> tuple[str, ...]:
        """The labels of what was found, as far as it is fixed: the cards in the order of the deck, then devices."""
        cards = [f"card/{place:02}" for place, card in enumerate(self.deck, start=1) if card in found]
        return (*cards, *[label for label in self.commitment.labels if label in found])


def cards_in(event: e.Event) -> Iterator[Card]:
    """Every card that an event shows. Names and other words that look like cards are none."""
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
    """Whether events of a kind can show a card, or the outcome of a device."""
    return kind in DRAWN or bool(_fields_of_cards(kind))


def devices_in(event: e.Event) -> tuple[str, ...]:
    """The labels of the devices whose outcome an event shows."""
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


DRAWN: Final = (e.FirstHandChosen, e.WheelSpun, e.XtremeSpun, e.AwardsDrawn)
"""The events that show the outcome of a device."""
