"""The hands that the visible cards of a table make, and the pay table's line for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from crossfelt.cards.card import JOKER, RANK_NAMES, Card
from crossfelt.games.rules import rules_of
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import grouped
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Line
from crossfelt.table.state import Seat, TableState


class HandView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The hand that the visible cards make on a line."""

    name: str
    known: int
    """The number of visible cards of the line."""
    complete: bool
    pays: str = ""
    """The line of the pay table for it; empty where it would lose now."""


def own_hands(table: TableState, seat: Seat, layout: Mapping[str, Card]) -> dict[str, HandView]:
    """Return the hands on a player's lines, from the player's cards and the visible layout."""
    places = {**layout, **dict(zip(table.game.hand_places, seat.cards, strict=False))}
    return dict(_hands(table, (*table.game.lines_of_players, *hands_of_own_cards(table.game)), places))


@lru_cache(maxsize=64)
def hands_of_own_cards(game: Game) -> tuple[Line, ...]:
    """Return the hands of the player's own cards alone by which wagers are settled; none where players set hands."""
    if game.book.splits:
        return ()
    groups = {group.id: group.names for group in game.book.groups if group.owner in ("seat", "positions")}
    rules = [rule for wager in game.wagers for rule in wager.settle]
    named = {name for rule in rules for name in (*rule.deciding, *(paid.on for paid in rule.paid))}
    return tuple(
        Line(id=hand.id, title=hand.title, hand=hand.order, places=tuple(p for name in hand.of for p in groups[name]))
        for hand in game.book.hands
        if hand.id in named and hand.order is not None and groups.keys() >= set(hand.of)
    )


def hands_of_layout(table: TableState, layout: Mapping[str, Card]) -> dict[str, HandView]:
    """Return the hands on the shared lines, from the cards face up."""
    return dict(_hands(table, table.game.lines_of_layout, layout))


def _hands(table: TableState, lines: Iterable[Line], places: Mapping[str, Card]) -> Iterator[tuple[str, HandView]]:
    """Yield the hand on each line with at least two visible cards."""
    for line in lines:
        cards = [places[place] for place in line.places if place in places and places[place] < JOKER]
        if len(cards) > 1:
            complete = len(cards) == len(line.places)
            rank = rules_of(table.game).hand(line.id, places) if complete else rank_so_far(cards)
            name = rank.name if complete else _name_so_far(rank)
            pays = table.game.pays_on_line.get(line.id)
            paid = pays.line_for(rank) if pays is not None else None
            yield line.id, HandView(name=name, known=len(cards), complete=complete, pays=paid.name if paid else "")


def _name_so_far(rank: HandRank) -> str:
    """
    >>> from crossfelt.cards import parse_cards
    >>> [_name_so_far(rank_so_far(parse_cards(text))) for text in ("Ks 2d", "Ks Kd 2c", "Ks Kd 2c 2h", "Ks Kd Kc 2h")]
    ['king-high', 'pair of kings', 'kings and twos', 'three kings']
    """
    return f"{RANK_NAMES[rank.ranks[0]]}-high" if rank.category == "high_card" else rank.name


def rank_so_far(cards: Iterable[Card]) -> HandRank:
    """Return the hand that some cards already make, by equal ranks alone."""
    return _by_ranks(tuple(sorted([card.rank for card in cards])))


@lru_cache(maxsize=4096)
def _by_ranks(ranks: tuple[int, ...]) -> HandRank:
    sizes, by_size = grouped(ranks)
    return HandRank("five_card", _BY_GROUPS[tuple(min(size, 4) for size in sizes[:2] if size > 1)], by_size)


_BY_GROUPS: Final[Mapping[tuple[int, ...], str]] = {
    (): "high_card",
    (2,): "pair",
    (2, 2): "two_pair",
    (3,): "three_of_a_kind",
    (3, 2): "full_house",
    (3, 3): "full_house",
    (4,): "four_of_a_kind",
    (4, 2): "four_of_a_kind",
    (4, 3): "four_of_a_kind",
}
"""The category of some cards by the sizes of their two largest groups of equal rank."""
