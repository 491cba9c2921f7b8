"""The areas of a layout: the community's and the dealer's groups of cards, and the words for their places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from crossfelt.cards.card import Card
from crossfelt.play.text import card_words, joined_with_and
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Group
from crossfelt.rulebooks.render.phrases import as_words


class Area(NamedTuple):
    """The cards of one group in front of the dealer."""

    group: Group
    whose: Literal["community", "dealer"]
    places: tuple[str, ...]
    """The names of its places on the layout, in the order of the group."""

    @property
    def title(self) -> str:
        return "dealer" if self.whose == "dealer" else as_words(self.group.id)


@lru_cache(maxsize=64)
def areas_of(game: Game) -> tuple[Area, ...]:
    """Return the areas of a layout, the community's first.

    >>> [(area.title, len(area.places)) for area in areas_of(compile_game("nj-double-cross"))]
    [('cross', 5), ('dealer', 2)]
    """
    shared = [Area(group, "community", group.names) for group in game.book.groups if group.owner == "community"]
    dealt = game.dealer_places
    for group in game.book.groups:
        places = tuple(place for place in (f"dealer_{name}" for name in group.names) if place in dealt)
        shared += [Area(group, "dealer", places)] if places else []
    return tuple(shared)


@lru_cache(maxsize=64)
def community_places(game: Game) -> tuple[str, ...]:
    """Return the places of all community cards."""
    return tuple(place for area in areas_of(game) if area.whose == "community" for place in area.places)


def place_label(game: Game, place: str) -> str:
    """Return the label of a place: as the rulebook prints it, or its name without what tells it from its neighbours.

    >>> [place_label(compile_game("nj-double-cross"), place) for place in ("down_far", "middle", "dealer_hole_1")]
    ['down', 'middle', "dealer's"]
    """
    for area in areas_of(game):
        if place in area.places:
            if area.whose == "dealer":
                return "dealer's"
            if area.group.labels:
                return area.group.labels[area.places.index(place)].lower()
    return as_words(line_of(place))


def line_of(place: str) -> str:
    """Return the name that a place shares with its neighbours."""
    return place.rpartition("_")[0] or place


def places_words(game: Game, places: Sequence[str]) -> str:
    """Return the words for some cards of the layout, which hold for the dealer and for the players opposite.

    >>> game = compile_game("nj-double-cross")
    >>> places_words(game, ("across_left", "across_right")), places_words(game, ("down_far", "across_right"))
    ('the across cards', 'the down card and the across card')
    >>> places_words(game, ("dealer_hole_1", "dealer_hole_2")), places_words(game, ("middle",))
    ("the dealer's cards", 'the middle card')
    """
    return joined_with_and([_noun(label, len(found)) for label, found in _by_label(game, places).items()])


def cards_up_words(game: Game, places: Sequence[str], cards: Sequence[Card]) -> str:
    """Return the words for cards that are turned up, with their places.

    >>> cards_up_words(compile_game("nj-double-cross"), ("down_far", "across_right"), (Card("Kd"), Card("4s")))
    'the down card K♦ and the across card 4♠'
    """
    at = dict(zip(places, cards, strict=True))
    return joined_with_and(
        [
            f"{_noun(label, len(found))} {card_words(at[place] for place in found)}"
            for label, found in _by_label(game, places).items()
        ]
    )


def _by_label(game: Game, places: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place in places:
        found.setdefault(place_label(game, place), []).append(place)
    return found


def _noun(label: str, count: int) -> str:
    return f"the {label} card{'s' if count > 1 else ''}"
