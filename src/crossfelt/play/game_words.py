"""Words for what a game is: its hands, its cards on the table, its decisions, read from the rulebook."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from crossfelt.play.areas import Area, areas_of, community_places
from crossfelt.play.text import capital, group_name, hand_title, joined_with_and, number, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Line, PayLine, Wager
from crossfelt.rulebooks.render.phrases import line_title
from crossfelt.rulebooks.script import Compare, Decide, Reveal, SetHands
from crossfelt.table.visible_hands import hands_of_own_cards

ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
CROSS: Final = (
    "the card nearest to you",
    "the card on your right",
    "the middle card",
    "the card on your left",
    "the card nearest to the dealer",
)
"""The places of a cross as the player sees them, in the order of the group."""
LINES: Final[Mapping[tuple[int, ...], str]] = {
    (1, 3): "the two outer cards of the row",
    (0, 4): "the two outer cards of the column",
    (1, 2, 3): "the three cards of the row",
    (0, 2, 4): "the three cards of the column",
    (0, 1, 3, 4): "the four outer cards of the cross",
    (0, 1, 2, 3, 4): "the five cards of the cross",
}
"""Several places of a cross, by their numbers in the order of the group."""


def board_words(game: Game) -> str:
    """Return the community cards in words; empty where there are none."""
    shared = [area for area in areas_of(game) if area.whose == "community"]
    words = ["the cross" if area.group.shape == "cross" else _all_of(area) for area in shared]
    return joined_with_and(words) if words else ""


def _all_of(area: Area) -> str:
    count = len(area.places)
    if area.whose == "dealer":
        return f"the dealer's {cards_of(count)}"
    return f"the {cards_of(count, 'community ')}"


def line_text(game: Game, line: Line) -> str:
    """Return the cards that make a hand.

    >>> game = compile_game("nj-criss-cross")
    >>> [line_text(game, line) for line in game.book.lines][::2]
    ['Across hand: your two cards and the three cards of the row.', 'Community cards: the five cards of the cross.']
    """
    return f"{capital(hand_title(game, line.id))}: {made_of(game, line)}."


def made_of(game: Game, line: Line) -> str:
    """Return the cards of a hand in words."""
    own = len(set(line.places).intersection(game.hand_places))
    yours = [f"your {cards_of(own)}"] if own else []
    shared = [place for place in line.places if place not in game.hand_places]
    return joined_with_and([*yours, *([places_words(game, shared)] if shared else [])])


def shared_card(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    """Say which community card belongs to every hand of the player."""
    own = [line for line in lines if set(line.places).intersection(game.hand_places) and len(line.places) > 3]
    if len(own) > 1:
        shared = set.intersection(*(set(line.places) for line in own)).intersection(community_places(game))
        for place in shared:
            hands = "both hands" if len(own) == 2 else "every hand"
            yield f"{capital(places_words(game, [place]))} belongs to {hands}."


def places_words(game: Game, places: Collection[str]) -> str:
    """Return places of the layout as a player sees them.

    >>> game = compile_game("nj-double-cross")
    >>> places_words(game, ["down_far", "down_near"]), places_words(game, ["down_far", "across_right"])
    ('the two outer cards of the column', 'the card nearest to you and the card on your left')
    """
    parts = []
    for area in areas_of(game):
        found = tuple(at for at, place in enumerate(area.places) if place in places)
        if found:
            parts.append(_area_words(area, found))
    return joined_with_and(parts)


def _area_words(area: Area, found: tuple[int, ...]) -> str:
    """Return some places of an area, by their numbers."""
    if area.group.shape == "cross":
        return LINES.get(found) or joined_with_and([CROSS[at] for at in found])
    if len(found) == len(area.places):
        return _all_of(area)
    if area.whose == "dealer":
        return f"{number(len(found))} of the dealer's cards"
    if not area.group.labels and 1 < len(found) == found[-1] + 1:
        return f"the first {number(len(found))} community cards"
    labels = area.group.labels or tuple(f"{ORDINALS[at]} community" for at in range(len(area.places)))
    named = dict.fromkeys(labels[at] for at in found)
    counts = {label: sum(labels[at] == label for at in found) for label in named}
    return joined_with_and([f"the {label.lower()} card{'s' if count > 1 else ''}" for label, count in counts.items()])


def decisions(game: Game) -> tuple[Decide, ...]:
    """Return the steps at which a player decides."""
    return tuple(step for step in game.book.script if isinstance(step, Decide) and game.offers(step.wager))


def asked_at(game: Game, wager: Wager) -> Decide | None:
    """Return the decision about a wager."""
    return next((step for step in decisions(game) if step.wager == wager.id), None)


def known_words(game: Game, step: Decide | None) -> str:
    """Return what a player has seen at a decision.

    >>> game = compile_game("nj-criss-cross")
    >>> known_words(game, decisions(game)[-1])
    'you see your cards and the four outer cards of the cross'
    """
    seen: list[str] = []
    for one in game.book.script:
        if one is step:
            break
        if isinstance(one, Reveal):
            seen += one.cards
    if not seen:
        return "you see your cards"
    cards = places_words(game, seen)
    return f"you see your cards{',' if ' and ' in cards else ' and'} {cards}"


def sets_two_hands(game: Game) -> bool:
    """Return whether players set two hands of their cards."""
    return any(isinstance(step, SetHands | Compare) for step in game.book.script)


def plays_dealer(game: Game) -> bool:
    """Return whether a wager compares a hand with the dealer's."""
    return any(rule.versus for wager in game.wagers for rule in wager.settle)


def fixed_hands(game: Game) -> Mapping[str, Line]:
    """Return the hands with fixed places, by id: of the player's own cards, of community cards, or of both."""
    lines = (*game.book.lines, *hands_of_own_cards(game))
    return {line.id: line for line in lines}


def hands_deciding(game: Game, wager: Wager) -> tuple[Line, ...]:
    """Return the hands with fixed places by which a wager is settled."""
    parts = {hand.id: hand.parts or (hand.id,) for hand in game.book.hands}
    lines = fixed_hands(game)
    named = dict.fromkeys(part for rule in wager.settle for name in rule.deciding for part in parts.get(name, ()))
    return tuple(lines[name] for name in named if name in lines)


def names_a_line(game: Game) -> bool:
    """Return whether a player chooses one hand of several."""
    return any(fixed_hands(game).keys() & set(game.options(step)) for step in decisions(game))


def played_lines(game: Game) -> tuple[Line, ...]:
    """Return the hands that decide the main wagers, without those of side bets."""
    named = {option for step in decisions(game) for option in game.options(step)}
    main = [wager for wager in game.wagers if wager in game.first_wagers or wager.stake.of is not None]
    used = {line.id for wager in main for line in hands_deciding(game, wager)}
    return tuple(line for name, line in fixed_hands(game).items() if name in used | named)


def hand_name(game: Game, line: Line) -> str:
    """Return the name of a hand inside a sentence; a player's only hand needs none."""
    if [each.id for each in played_lines(game)] == [line.id] and "hand" not in line.title.lower():
        return "hand"
    return hand_title(game, line.id)


def counted_of(game: Game, line: Line) -> str:
    """Return how many cards of a hand count, as in "best four"; empty where all do."""
    best = next((hand.best for hand in game.book.hands if hand.id == line.id), None)
    return f"best {number(best)}" if best and best < len(line.places) else ""


def cards_of(count: int, kind: str = "") -> str:
    """Return a number of cards in words; one card has no number."""
    return f"{number(count)} {kind}cards" if count > 1 else f"{kind}card"


def pushes(line: PayLine) -> bool:
    """Say if a pay line gives the stake back."""
    return line.odds is not None and line.odds.is_push


def a_hand(line: PayLine) -> str:
    """Return the hand of a pay line with its article."""
    title = line_title(line).removeprefix("one ")
    bare = title.startswith(("four ", "three ", "five ", "two pair")) or title.endswith(" high")
    return title if bare else f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def wager_titles(game: Game, wagers: Sequence[str]) -> str:
    """List wagers by title; a whole group of equal wagers by its name."""
    named: dict[str, None] = {}
    for wager in wagers:
        group = group_name(game.wager(wager), game)
        whole = group and {other.id for other in game.wagers if other.group == group} <= set(wagers)
        named[f"your {group}s" if whole else f"your {title_of(wager, game)}"] = None
    return joined_with_and(list(named))
