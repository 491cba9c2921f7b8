"""Groups of cards, and the hands that are formed of them, as a rulebook states them.

A hand of a group that every position has is written once. ``final`` is then the player's hand, ``dealer.final`` the
dealer's, and ``bank.final`` that of the position that banks the round.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from crossfelt.cards.card import RANKS
from crossfelt.rulebooks.citations import Cited, Name

HandName = Annotated[
    str, Meta(pattern=r"^((dealer|bank)\.)?[a-z][a-z0-9_]*$", extra={"words": "a hand such as final or dealer.final"})
]
"""A hand of the player, or of the dealer or the bank."""
CardsName = Annotated[
    str,
    Meta(
        pattern=r"^(dealer\.)?[a-z][a-z0-9_]*(\.[1-9][0-9]?)?$",
        extra={"words": "hole, board.1 or dealer.hole, or the name of a place alone"},
    ),
]
"""A place, a group, or one card of a group by its number: ``street.1``; with ``dealer.``, those of the dealer."""


def side_of(name: str) -> tuple[str, str]:
    """Split the name of a hand into its side, empty for the player's own, and the id of the hand.

    >>> side_of("dealer.final"), side_of("final")
    (('dealer', 'final'), ('', 'final'))
    """
    side, _, own = name.rpartition(".")
    return side, own


class Group(Cited, frozen=True, kw_only=True):
    """Cards that are dealt together: a player's own, the dealer's, or the community's."""

    id: Name
    owner: Literal["seat", "positions", "dealer", "community"]
    """``positions`` is every seat, and the dealer."""
    cards: Annotated[int, Meta(ge=1, le=13)]
    """The number of cards; of each position, where several have the group."""
    places: tuple[Name, ...] = ()
    """The name of each card; ``street_1``, ``street_2`` … of the group ``street`` where the file has none."""
    shape: Literal["row", "cross", "pair", "fan"] = "row"
    """The shape on the felt. A cross lists its places from the far end: far, left, middle, right, near."""
    labels: tuple[str, ...] = ()
    """Words for each card on the felt."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each place."""
        return self.places or tuple(f"{self.id}_{number}" for number in range(1, self.cards + 1))


Rank = Annotated[str, Meta(pattern=r"^[2-9TJQKA]$", extra={"words": "one of 2 3 4 5 6 7 8 9 T J Q K A"})]
Ranks = Annotated[str, Meta(pattern=r"^[2-9TJQKA]{1,7}$", extra={"words": "ranks such as A or AK; T is a ten"})]


class OrderRule(Cited, frozen=True, kw_only=True):
    """An order of hands: a number of cards, and categories of the package from the highest down."""

    id: Name
    cards: Annotated[int, Meta(ge=1, le=7)]
    """The number of cards of a hand."""
    categories: Annotated[tuple[Name, ...], Meta(min_length=1)]
    """The categories, the highest first."""


class Match(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Hands of one category, or some of them."""

    hand: Name
    """The category."""
    low: Rank | None = None
    """The lowest leading rank: of the pair, of the top card of a straight. Every rank up to ``high`` fits."""
    high: Rank | None = None
    """The highest leading rank; an ace where the file says nothing."""
    ranks: tuple[Ranks, ...] = ()
    """The exact ranks with which the hand begins, the most significant first, in one of these ways: ``AK`` is ace and
    king high. In ``at_least`` the hand ranks as high as the lowest of them, or higher."""

    @property
    def beginnings(self) -> tuple[tuple[int, ...], ...]:
        """The leading ranks that are asked for, as numbers; empty for any."""
        return tuple(tuple(RANKS.index(rank) for rank in text) for text in self.ranks)

    @property
    def lowest(self) -> tuple[int, ...]:
        """The lowest leading ranks that are asked for; empty for any."""
        return min(self.beginnings, default=(RANKS.index(self.low),) if self.low is not None else ())

    def fits(self, category: str, ranks: tuple[int, ...]) -> bool:
        """Say if a hand is one of these.

        >>> Match(hand="pair", low="6", high="T").fits("pair", (4, 12, 2, 1)), Match(hand="pair").fits("flush", (4,))
        (True, False)
        """
        if category != self.hand:
            return False
        if self.low is not None or self.high is not None:
            low, high = RANKS.index(self.low or RANKS[0]), RANKS.index(self.high or RANKS[-1])
            if not low <= ranks[0] <= high:
                return False
        wanted = self.beginnings
        return not wanted or any(ranks[: len(each)] == each for each in wanted)


class Mark(Cited, frozen=True, kw_only=True):
    """A named property of a hand: it is of a category, or ranks at least as high as one."""

    is_: Match | None = field(default=None, name="is")
    """The hand is one of these."""
    at_least: Match | None = None
    """The hand ranks at least as high as the lowest of these."""


class Hand(Cited, frozen=True, kw_only=True):
    """A hand: some cards in one order of hands, a part of a split, or one of several hands."""

    id: Name
    title: str = ""
    """The name that players and dealers use."""
    of: tuple[CardsName, ...] = ()
    """Groups, and single cards by number or by place: ``street.1``, ``middle``. ``dealer.hole`` is the dealer's part
    of a group, ``dealer.hole.5`` one card of it."""
    best: Annotated[int, Meta(ge=1)] | None = None
    """The best selection of this many of the cards counts."""
    order: Name | None = None
    """The order of hands: one of the package, or of the file."""
    highest_of: tuple[Name, ...] = ()
    """The highest of these hands."""
    lowest_of: tuple[Name, ...] = ()
    """The lowest of these hands."""
    chosen_of: tuple[Name, ...] = ()
    """The player names one of these."""
    split: Name | None = None
    """The split that the hand is a part of."""
    marks: dict[Name, Mark] = field(default_factory=dict)
    """Names for what rules may ask of the hand."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The hands among which this one is found."""
        return self.highest_of or self.lowest_of or self.chosen_of


class Split(Cited, frozen=True, kw_only=True):
    """Cards that their owner divides into hands, the higher first. A setting that breaks this order loses: a foul."""

    id: Name
    of: Name
    """The group that is divided."""
    into: tuple[Name, Name]
    """The two hands, the higher first."""
    house_way: Name = "house_way"
    """The choice that names the house way."""
