"""The cards of many rounds by place, and the hands that they form, ranked by table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.orders import order_of
from crossfelt.analysis.solver.round_plan import is_by_suits
from crossfelt.errors import BadInput, Problem
from crossfelt.games.rules import rules_of
from crossfelt.hands.rank import FIVE_CARD_CATEGORIES, HandRank
from crossfelt.kernels.house_way.strengths import set_strengths
from crossfelt.kernels.random_deals import Hands, deals
from crossfelt.kernels.seven_cards.kinds import KINDS, kinds
from crossfelt.kernels.solver.card_sets import classes_of
from crossfelt.kernels.solver.hand_tables import DECK, MOST_CARDS
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.script import Reveal

Classes = NDArray[np.intp]
DEALER: Final = 0
"""The position of the dealer; seats are numbered from 1."""
SEVEN: Final = 7


class NotVectorised(BadInput):
    """The vectorised engine does not know a form of the game."""

    def __init__(self, game: Game, why: str) -> None:
        super().__init__(Problem.at(game.book.id, "simulation.form", why))


class HandForm(NamedTuple):
    """The ranking of one hand of a game."""

    places: tuple[str, ...]
    ranks: tuple[HandRank, ...]
    """The rank of each class."""
    ordered: bool
    """A higher class is a better hand."""
    classify: Callable[[Hands], NDArray[np.integer]]


@lru_cache(maxsize=256)
def form_of(game: Game, name: str) -> HandForm:
    """Return the ranking of a hand that is formed directly of cards.

    >>> len(form_of(compile_game("nj-criss-cross"), "across").ranks)
    7462
    """
    hand = next(hand for hand in game.book.hands if hand.id == name)
    assert hand.order is not None
    places, kind = rules_of(game).places(name), kinds_of(game.book)[hand.order]
    by_table = set(kind.categories) <= set(FIVE_CARD_CATEGORIES) or is_by_suits(game, hand.order)
    if game.book.deck.cards == DECK and len(places) <= MOST_CARDS and by_table:
        order = order_of(game, hand.order)
        table, nothing = order.best_of(len(places)), np.empty(0, dtype=np.uint8)
        # In an order by suits, hands of no category are one class.
        total = order.ranks_every(len(places))
        return HandForm(places, order.classes, total, lambda cards: classes_of(cards, table, nothing))
    if len(places) == SEVEN and hand.best is None and (ranks := ranks_of_kinds(hand.order)):
        return HandForm(places, ranks, False, kinds)
    raise NotVectorised(game, f"no table ranks the hand {name}, {len(places)} cards in the order {hand.order}")


def ranks_of_kinds(order: str) -> tuple[HandRank, ...]:
    """Return the rank of each kind of seven cards in an order; none in an order that the kinds do not tell apart.

    >>> ranks_of_kinds("progressive_seven")[-1].category
    'seven_card_straight_flush'
    """
    field = "joker_five" if order == "joker_seven" else order
    if field not in KINDS[0]._fields or (field == order == "joker_five"):
        return ()
    return tuple(HandRank(field, getattr(kind, field), ()) for kind in KINDS)


class MadeHand(NamedTuple):
    """A hand in each round, as a number of its class."""

    name: str
    classes: Classes
    ranks: tuple[HandRank, ...]
    """The rank of each class; empty for a hand that is only compared."""
    ordered: bool


def shared_places(game: Game) -> tuple[str, ...]:
    """Return the places of the community cards, in the order in which they are turned up.

    >>> shared_places(compile_game("nj-criss-cross"))
    ('across_left', 'across_right', 'down_far', 'down_near', 'middle')
    """
    groups = {group.id: group.names for group in game.book.groups if group.owner == "community"}
    every = [place for names in groups.values() for place in names]
    turned: list[str] = []
    for name in (name for step in game.book.script if isinstance(step, Reveal) for name in step.cards):
        group, _, number = name.partition(".")
        names = groups.get(group, (name,) if name in every else ())
        turned += names[int(number) - 1 : int(number)] if number else names
    return tuple(dict.fromkeys((*turned, *every)))


class DealtCards:
    """The cards of the rounds of a block, and their hands."""

    def __init__(self, game: Game, seats: int, stream: str, rounds: int, bank: int = DEALER) -> None:
        """`bank` is the position whose hands are the bank's."""
        self._game = game
        # Community cards, in front of the dealer, the dealer's own, then those of each seat.
        drawn = [(DEALER, place) for place in (*shared_places(game), *game.dealer_places)]
        drawn += [(seat, place) for seat in range(1, seats + 1) for place in game.hand_places]
        self._columns = {spot: column for column, spot in enumerate(drawn)}
        self.cards = deals(stream, rounds, len(self._columns), game.book.deck.cards)
        self.rounds = rounds
        self._bank = bank
        self._made: dict[tuple[str, int], MadeHand] = {}
        self._hands = {hand.id: hand for hand in game.book.hands}

    def card(self, position: int, place: str) -> NDArray[np.uint8]:
        """Return the card at a place of a position."""
        return self.cards[:, self._column(position, place)]

    def _column(self, position: int, place: str) -> int:
        for spot in ((DEALER, place), (position, place), (DEALER, f"dealer_{place}")):
            if spot in self._columns:
                return self._columns[spot]
        raise KeyError(place)

    def of(self, position: int, places: Sequence[str]) -> Hands:
        """Return some cards of a position, a row for each round."""
        return np.ascontiguousarray(self.cards[:, [self._column(position, place) for place in places]])

    def own(self, position: int) -> Hands:
        """Return all own cards of a position."""
        return self.of(position, self._game.hand_places)

    def set(self, position: int, low: Hands) -> None:
        """Set the hands of a position with these cards in front."""
        (split,) = self._game.book.splits
        wheel_second = bool(self._game.settings["wheel_second_highest"])
        made = set_strengths(self.own(position), low, wheel_second=wheel_second)
        for name, classes in zip(split.into, made, strict=True):
            self._made[name, position] = MadeHand(name, classes.astype(np.intp), (), True)

    def made(self, name: str, seat: int, named: Mapping[str, Classes]) -> MadeHand:
        """Return a hand of a seat, of the dealer or of the bank; `named` has the place of the hand that the player
        named, for each hand that is one of several."""
        side, own = side_of(name)
        hand = self._hands[own]
        position = {"": seat, "dealer": DEALER, "bank": self._bank}[side]
        if not hand.parts and hand.split is None:
            shared = all((DEALER, place) in self._columns for place in form_of(self._game, own).places)
            position = DEALER if shared else position
        if (own, position) in self._made:
            return self._made[own, position]
        if hand.parts:
            prefix = f"{side}." if side else ""
            parts = [self.made(prefix + part, seat, named) for part in hand.parts]
            classes = [part.classes for part in parts]
            if any(part.ranks != parts[0].ranks or not part.ordered for part in parts):
                raise NotVectorised(self._game, f"the hand {own} is one of several in different orders")
            if hand.chosen_of:
                return parts[0]._replace(name=own, classes=np.choose(named[own], classes))
            found = np.maximum.reduce(classes) if hand.highest_of else np.minimum.reduce(classes)
            made = parts[0]._replace(name=own, classes=found)
        elif hand.split is not None:
            raise NotVectorised(self._game, f"the hand {own} is set, and no position has set it")
        else:
            form = form_of(self._game, own)
            cards = self.of(position, form.places)
            made = MadeHand(own, form.classify(cards).astype(np.intp), form.ranks, form.ordered)
        self._made[own, position] = made
        return made
