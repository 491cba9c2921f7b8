"""Card sources: the shipped shuffle, a script, or a physical deck of unknown order.

Each is a `CardSource` of `crossfelt.table.automation`. The table itself never draws a card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.notation import parse_cards
from crossfelt.cards.shuffle import SEED_BYTES, Chance, shuffled
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.play.areas import line_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Deal, FirstHand
from crossfelt.table.acts.dealing import deliveries, place_in_deal
from crossfelt.table.acts.set_hands import position_of
from crossfelt.table.decks import needs_cut, shuffle_due, slot_of
from crossfelt.table.state import TableState, new_table

Spot = tuple[int, str]
"""Seat and place of a card, as the deal names them; seat 0 is the area in front of the dealer."""


class ShuffledSource:
    """The shipped shuffle. Each shuffle, cut and throw has its own draws from one seed.

    >>> table = new_table(compile_game("md-criss-cross"))
    >>> source = ShuffledSource(repeatable_seed(7))
    >>> first, second = source.order(table, "A"), source.order(table, "A")
    >>> first == second, ShuffledSource(repeatable_seed(7)).order(table, "A") == first
    (False, True)
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._drawn: Counter[str] = Counter()

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        seed = self._chance(f"deck {slot_of(deck)}").take(SEED_BYTES)
        return shuffled(deck_of(table.game.book.deck.cards), seed)

    def cut(self, table: TableState, least: int, most: int) -> int:
        return self._chance("cut").between(least, most)

    def dice(self, table: TableState) -> tuple[int, int, int]:
        chance = self._chance("dice")
        return chance.between(1, 6), chance.between(1, 6), chance.between(1, 6)

    def position(self, table: TableState) -> int:
        return self._chance("position").between(1, 7)

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> int:
        return self._chance(device).weighted(weights)

    def _chance(self, what: str) -> Chance:
        """Return the draws for the next shuffle of a deck, cut or throw."""
        self._drawn[what] += 1
        return Chance(self._seed, f"table/{what}/{self._drawn[what]}")


class ScriptedSource:
    """A script's cards at the places it names; a seed draws the others.

    Cards are named by place, by the common beginning of several places, by group or by hand (its community cards), and
    those of a position by `seat1` … or `dealer`; ``??`` leaves one to the seed. They lie there after the cut, and after
    a card that is found face up and not used. A script that names no cards gets those of `ShuffledSource`.

    >>> game = compile_game("md-criss-cross")
    >>> ScriptedSource(game, {"middle": "Kx", "across": "Kd Kd", "seat2": "2c 3c"}, [1], repeatable_seed(0))
    Traceback (most recent call last):
    crossfelt.errors.BadInput: cards.middle: not a card: 'Kx' (allowed: 2c … As, Jk (joker), ?? (face down))
    cards.across: card given more than once: 'Kd'
    cards.seat2: this seat does not play (allowed: seat1)
    """

    def __init__(
        self,
        game: Game,
        cards: Mapping[str, str],
        seats: Collection[int],
        seed: bytes,
        *,
        face_up: Sequence[tuple[int | None, str | None]] = (),
        dice: tuple[int, int, int] | None = None,
        number: int | None = None,
        bank: int = 0,
        stops: Mapping[str, int] | None = None,
        where: str = "cards",
    ) -> None:
        """Prepare the source. `seats` get cards; `face_up` lists the seats or places of cards found face up.

        `dice` or `number` choose the position of the first hand, counted from the seat that will `bank` (0 for the
        house). `stops` are the stops of random devices, by index. The seed draws what is missing.
        """
        self._playing = tuple(sorted(seats))
        self._deal = deal_of(game)
        self._named = named_cards(game, cards, self._playing, where=where)
        self._face_up = tuple(face_up)
        self._rest = ShuffledSource(seed)
        self._depth: int | None = None
        self._dice = dice
        self._number = number
        self._bank = bank
        self._stops = dict(stops or {})
        self._by_position = any(isinstance(step, FirstHand) for step in game.book.script)

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        """Return the order before the cut; the cut brings each card to its place."""
        drawn = self._rest.order(table, deck)
        if not needs_cut(table, shuffle_due(table, table.decks[deck])):
            return self._placed(table, drawn)
        depth = self._rest.cut(table, table.game.number("cut_min_cards"), len(drawn) - 1)
        placed = self._placed(table, drawn[depth:] + drawn[:depth])
        self._depth = depth
        return placed[-depth:] + placed[:-depth]

    def cut(self, table: TableState, least: int, most: int) -> int:
        """Return the planned cut; a recut is drawn, and moves the named cards."""
        depth, self._depth = self._depth, None
        return self._rest.cut(table, least, most) if depth is None else depth

    def dice(self, table: TableState) -> tuple[int, int, int]:
        """Return the planned throw; a further throw is drawn."""
        thrown, self._dice = self._dice or self._rest.dice(table), None
        return thrown

    def position(self, table: TableState) -> int:
        shown, self._number = self._number or self._rest.position(table), None
        return shown

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> int:
        named = self._stops.get(device)
        return self._rest.stop(table, device, weights) if named is None else named

    def _first_position(self, table: TableState) -> int:
        """Return the position of the first hand, drawn early: the order of the deck depends on it."""
        if table.game.settings["first_hand_by"] == "dice":
            self._dice = self._dice or self._rest.dice(table)
            return position_of(sum(self._dice), first=self._bank)
        self._number = self._number or self._rest.position(table)
        return position_of(self._number, first=self._bank)

    def _placed(self, table: TableState, drawn: tuple[Card, ...]) -> tuple[Card, ...]:
        named = set(self._named.values())
        rest = (card for card in drawn if card not in named)
        dealt = [self._named.get(spot) or next(rest) for spot in self._spots(table)]
        return (*dealt, *rest)

    def _spots(self, table: TableState) -> list[Spot]:
        """Return the destinations of the cards from the top; none for those found face up."""
        if self._by_position:
            table = replace(table, first_position=self._first_position(table))
        spots = list(deliveries(table, self._deal, self._playing))
        room = table.game.book.deck.cards - len(spots)
        for seat, place in reversed(self._face_up[:room]):
            spots.insert(place_in_deal(spots, seat, place), (0, "face up"))
        return spots


class PhysicalSource:
    """A deck on a physical table: its order is unknown, and the dealer names cards, dice and wheels."""

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        return ()

    def cut(self, table: TableState, least: int, most: int) -> int:
        """Return the least depth: at a physical table only the fact of a valid cut is recorded."""
        return least

    def dice(self, table: TableState) -> None:
        """Return None: the dealer reads dice, numbers and wheels and enters them."""

    def position(self, table: TableState) -> None:
        pass

    def stop(self, table: TableState, device: str, weights: Sequence[int]) -> None:
        pass


def deal_of(game: Game) -> Deal:
    """Return the step that deals."""
    return next(step for step in game.book.script if isinstance(step, Deal))


def named_cards(game: Game, cards: Mapping[str, str], seats: Sequence[int], *, where: str) -> dict[Spot, Card]:
    """Return a script's cards by seat and place; raise BadInput with every problem."""
    places = _places(game, tuple(seats))
    named: dict[Spot, Card] = {}
    problems: list[Problem] = []
    for name, text in cards.items():
        at = f"{where}.{name}"
        if (spots := places.get(name)) is None:
            problems.append(_no_such_place(name, game, tuple(places), at))
            continue
        try:
            given = parse_cards(text, count=len(spots), joker=game.book.deck.cards == 53, hidden=True, where=at)
        except BadInput as bad:
            problems += bad.problems
            continue
        for spot, card in zip(spots, given, strict=True):
            if card is not HIDDEN:
                problems += _doubled(named, spot, card, at)
                named[spot] = card
    require_none(problems)
    return named


@lru_cache(maxsize=256)
def _places(game: Game, seats: tuple[int, ...]) -> Mapping[str, tuple[Spot, ...]]:
    """Return the spots of each name of a script, as far as this deal has them."""
    dealt = tuple(deliveries(new_table(game), deal_of(game), seats))
    places = {name: tuple((0, place) for place in names) for name, names in community_names(game).items()}
    places["dealer"] = tuple((0, place) for place in game.dealer_places)
    places |= {f"seat{seat}": tuple(spot for spot in dealt if spot[0] == seat) for seat in seats}
    return {name: spots for name, spots in places.items() if spots}


@lru_cache(maxsize=64)
def community_names(game: Game) -> Mapping[str, tuple[str, ...]]:
    """Return the places that each name of community cards stands for in a script.

    >>> names = community_names(compile_game("nj-double-cross"))
    >>> {name: len(names[name]) for name in ("down", "middle", "down_far", "cross", "vertical")}
    {'down': 2, 'middle': 1, 'down_far': 1, 'cross': 5, 'vertical': 3}
    """
    groups = [group for group in game.book.groups if group.owner == "community"]
    members = {group.id: group.names for group in groups}
    shared = [place for group in groups for place in group.names]
    named: dict[str, tuple[str, ...]] = {}
    for place in shared:
        named[line_of(place)] = (*named.get(line_of(place), ()), place)
    named |= {place: (place,) for place in shared} | members
    for hand in game.book.hands:
        own = (place for name in hand.of for place in members.get(name, (name,)) if place in shared)
        named.setdefault(hand.id, tuple(own))
    return {name: places for name, places in named.items() if places}


def _no_such_place(name: str, game: Game, places: Sequence[str], at: str) -> Problem:
    if name in {f"seat{number}" for number in range(1, game.book.table.seats + 1)}:
        allowed = ", ".join(place for place in places if place.startswith("seat"))
        return Problem(code="cards.seat", what="this seat does not play", where=at, allowed=allowed)
    return Problem(code="cards.place", what="this place gets no cards", where=at, allowed=", ".join(places))


def _doubled(named: Mapping[Spot, Card], spot: Spot, card: Card, at: str) -> Iterator[Problem]:
    """Yield a problem for each place with two cards, and each card in two places."""
    if named.get(spot, card) is not card:
        yield Problem.at(at, "cards.place", f"this place has another card, {named[spot]}", str(card))
    elif spot not in named and card in named.values():
        yield Problem(code="card.repeated", what="card given more than once", where=at, value=str(card))
