"""Hand-reading drill: name the hand of a line, or of a set Pai Gow Poker hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import Chance
from crossfelt.games.house_way import Holding
from crossfelt.games.rules import ranker_of, rules_of
from crossfelt.hands.kinds import KINDS
from crossfelt.play.sources import LINES
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Line
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.training.hand_generator import hand_of
from crossfelt.training.question import CardsShown, Choose, QuestionContent, Rests, Shown, explained

SET_HANDS: Final = {"pai_gow_five": ("behind", "Hand behind"), "two_card": ("front", "Hand in front")}
"""Places and titles of the hands that players set."""
RANKED_BY: Final = ("ace_low_straight", "kickers", "wheel_second_highest", "joker_is")
"""Settings of the ranking of hands."""
LAWFUL: Final = ("Yes", "No, the hand is foul: the hand in front is higher than the hand behind")
MEETINGS: Final = ("across", "down", "middle")


def subjects(game: Game) -> tuple[str, ...]:
    """List each category of each kind of hand, and fouls where players set hands.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> subjects(compile_game("nj-double-cross"))[-1], subjects(compile_game("nj-pai-gow"))[-1]
    ('three_card.high_card', 'foul.foul')
    """
    kinds = dict.fromkeys(line.hand for line in game.book.lines) or SET_HANDS
    made = [f"{kind}.{category}" for kind in kinds for category in KINDS[kind].categories]
    return (*made, *(("foul.lawful", "foul.foul") if not game.book.lines else ()))


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    kind, _, category = subject.partition(".")
    if kind == "foul":
        return _foul(game, category, chance)
    hand = hand_of(KINDS[kind], category, chance, ranker_of(game, kind))
    lines = [line for line in game.book.lines if line.hand == kind]
    if not lines:
        return _set_hand(game, kind, hand)
    return _on_line(game, lines[chance.below(len(lines))], hand, chance)


def _on_line(game: Game, line: Line, hand: Sequence[Card], chance: Chance) -> QuestionContent:
    """Show the hand on its line, with random cards in the other places."""
    places = dict(zip(line.places, hand, strict=True))
    others = dict.fromkeys(place for other in game.book.lines for place in other.places if place not in places)
    rest = (card for card in chance.shuffled(deck_of(game.book.deck.cards)) if card not in hand)
    places |= dict(zip(others, rest, strict=False))
    rank = rules_of(game).hand(line.id, places)
    return _question(
        game,
        asks=_asks(line.title),
        kind=line.hand,
        category=rank.category,
        text=f"{' '.join(places[place].text for place in line.places)}: {rank.name}.",
        shown=laid_out(places),
        rests=Rests.on(line, *_ranking(game)),
    )


def laid_out(places: dict[str, Card]) -> tuple[Shown, ...]:
    """Show the known cards of the cross, the player and the dealer."""
    own = tuple(places[place].text for place in ("hole_1", "hole_2") if place in places)
    dealers = tuple(card.text for place, card in places.items() if place.startswith("dealer_"))
    cross = tuple(
        CardsShown(place=name, label=name.capitalize(), cards=tuple(places[place].text for place in LINES[name]))
        for name in MEETINGS
        if set(LINES[name]) <= places.keys()
    )
    player = (CardsShown(place="player", label="The player's cards", cards=own),) if own else ()
    dealer = (CardsShown(place="dealer", label="The dealer's cards", cards=dealers),) if dealers else ()
    return (*cross, *player, *dealer)


def _set_hand(game: Game, kind: str, hand: Sequence[Card]) -> QuestionContent:
    rank = ranker_of(game, kind)(hand)
    place, label = SET_HANDS[kind]
    cards = tuple(card.text for card in hand)
    return _question(
        game,
        asks=_asks(label),
        kind=kind,
        category=rank.category,
        text=f"{' '.join(cards)}: {rank.name}.",
        shown=(CardsShown(place=place, label=label, cards=cards),),
        rests=Rests.on(*_ranking(game)),
    )


def _asks(title: str) -> str:
    return f"Read the {title[0].lower()}{title[1:]}."


def _question(
    game: Game, *, asks: str, kind: str, category: str, text: str, shown: tuple[Shown, ...], rests: Rests
) -> QuestionContent:
    categories = KINDS[kind].categories
    return QuestionContent(
        asks=asks,
        shown=shown,
        answer=Choose(options=tuple(as_words(name) for name in categories)),
        right=(str(categories.index(category) + 1),),
        explanation=explained(text, game, rests),
    )


def _ranking(game: Game) -> list[Rests]:
    settings = game.book.settings
    return [Rests.on(settings[name]) for name in RANKED_BY if name in settings]


def _foul(game: Game, wanted: str, chance: Chance) -> QuestionContent:
    """Show seven cards set into two hands, lawfully or not."""
    rules = rules_of(game)
    while True:
        seven = chance.shuffled(deck_of(game.book.deck.cards))[:7]
        low = chance.shuffled(seven)[:2] if wanted == "foul" else _a_lawful_front(seven, chance)
        made = rules.set(seven, low)
        if made.foul == (wanted == "foul"):
            break
    behind = tuple(card.text for card in seven if card not in low)
    higher = "higher" if made.foul else "not higher"
    return QuestionContent(
        asks="A player has set these hands. Are they set lawfully?",
        shown=(
            CardsShown(place="front", label="In front", cards=tuple(card.text for card in low)),
            CardsShown(place="behind", label="Behind", cards=behind),
        ),
        answer=Choose(options=LAWFUL),
        right=("2" if made.foul else "1",),
        explanation=explained(
            f"The hand in front, {made.low.name}, is {higher} than the hand behind, {made.high.name}.",
            game,
            Rests.on(game.book.settings["foul_hand_loses"]),
        ),
    )


def _a_lawful_front(seven: Sequence[Card], chance: Chance) -> tuple[Card, ...]:
    options = Holding(seven).options
    return options[chance.below(len(options))].front
