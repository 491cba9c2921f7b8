"""House-way drill: set seven cards by the house way; the explanation names the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.notation import format_cards
from crossfelt.cards.shuffle import Chance
from crossfelt.games.house_way import PATTERN_OF_SIZES, HandSetter, Holding, HouseWaySetting, house_way_of
from crossfelt.games.split_hands import set_hand
from crossfelt.hands.shape import ACE
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import Rule
from crossfelt.training.drill_rounds import texts
from crossfelt.training.hand_generator import HandNotFound, groups_of
from crossfelt.training.question import CardsShown, Pick, QuestionContent, explained

FRONT: Final = 2
TRIES: Final = 4_000
JOKER_ONE_IN: Final = 4


def subjects(game: Game) -> tuple[str, ...]:
    """List each rule of the game's house way.

    >>> subjects(compile_game("nj-pai-gow"))[:2], subjects(compile_game("nj-criss-cross"))
    (('no_pair_straight', 'no_pair'), ())
    """
    return tuple(rule.id for rule in game.house_way.rules) if game.house_way else ()


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    assert game.house_way is not None
    setter = house_way_of(game)
    rule = next(rule for rule in setter.way.rules if rule.id == subject)
    seven, made = _drawn(setter, rule, chance)
    assumed = f" Assumed: {rule.assumed}." if rule.assumed else ""
    front, behind = set_hand(seven, made.low).low.name, set_hand(seven, made.low).high.name
    text = f"{rule.says}. In front: {format_cards(made.low)}, {front}. Behind: {behind}.{assumed}"
    return QuestionContent(
        asks=f"Set this hand the house way ({setter.way.name}). Which two cards go in front?",
        shown=(CardsShown(place="hand", label="Seven cards", cards=texts(seven)),),
        answer=Pick(cards=texts(seven), count=FRONT),
        right=tuple(format_cards(sorted(low, reverse=True)) for low in _worth_the_same(seven, made)),
        explanation=explained(text, game, Cited(house_rule=f"{setter.way.name}: {setter.way.house_rule}")),
    )


def _drawn(setter: HandSetter, rule: Rule, chance: Chance) -> tuple[tuple[Card, ...], HouseWaySetting]:
    sizes = [sizes for sizes, pattern in PATTERN_OF_SIZES.items() if pattern in rule.when.holds]
    for _ in range(TRIES):
        seven = _seven(sizes[chance.below(len(sizes))], chance)
        made = setter.decide(Holding(seven))
        if made.rule == rule.id:
            return seven, made
    raise HandNotFound(f"no hand is set by {rule.id}")


def _seven(sizes: Sequence[int], chance: Chance) -> tuple[Card, ...]:
    """Draw groups of these sizes; the joker sometimes replaces an ace, and always in a group of five."""
    cards = groups_of([min(size, 4) for size in sizes], chance)
    aces = [card for card in cards if card.rank == ACE]
    if max(sizes) > 4:
        others = [card for card in chance.shuffled(deck_of(52)) if card.rank != ACE]
        pair = [card for card in others if card.rank == others[0].rank]
        cards = [*(Card(4 * ACE + suit) for suit in range(4)), JOKER, *(pair if sizes[-1] == 2 else others)[:2]]
        if sizes[-1] == 1 and cards[-1].rank == cards[-2].rank:
            cards[-1] = next(card for card in others if card.rank != cards[-2].rank)
    elif aces and chance.below(JOKER_ONE_IN) == 0:
        cards[cards.index(aces[0])] = JOKER
    return chance.shuffled(cards)


def _worth_the_same(seven: Sequence[Card], made: HouseWaySetting) -> Iterator[tuple[Card, ...]]:
    """Yield the setting of the house way, then settings that make the same two hands with other cards."""
    yield made.low
    wanted = set_hand(seven, made.low)
    for low in combinations(sorted(seven), FRONT):
        if set(low) != set(made.low) and set_hand(seven, low) == wanted:
            yield low
