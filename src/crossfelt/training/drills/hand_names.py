"""Hand-reading drill: name a hand that settles a wager, or a hand that a player has set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import Chance
from crossfelt.games.house_way import Holding
from crossfelt.games.rules import ranker_of, rules_of
from crossfelt.play.areas import community_places
from crossfelt.play.text import hand_title
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Hand, side_of
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.render.phrases import as_words, in_sentence
from crossfelt.training.drill_rounds import all_places, filled, laid_out, texts
from crossfelt.training.hand_generator import HandNotFound, hand_of
from crossfelt.training.question import CardsShown, Choose, QuestionContent, Shown, basis_of, explained

RANKED_BY: Final = ("ace_low_straight", "kickers", "wheel_second_highest", "joker_is")
"""Settings of the ranking of hands."""
LAWFUL: Final = ("Yes", "No, the hand is foul: the hand in front is higher than the hand behind")
SET_HANDS: Final = (("behind", "Hand behind"), ("front", "Hand in front"))
"""Place and title of the hands of a split, the higher first."""
TRIES: Final = 50


def subjects(game: Game) -> tuple[str, ...]:
    """List each category of each order of the hands that are read, and fouls where players set hands.

    >>> subjects(compile_game("nj-double-cross"))[-1], subjects(compile_game("nj-pai-gow"))[-1]
    ('three_card.high_card', 'foul.foul')
    """
    kinds = kinds_of(game.book)
    orders = dict.fromkeys(str(hand.order) for hand in _read(game))
    made = [f"{order}.{category}" for order in orders for category in kinds[order].categories]
    return (*made, *(("foul.lawful", "foul.foul") if game.book.splits else ()))


def _read(game: Game) -> tuple[Hand, ...]:
    """Return the hands that a dealer reads: those that players set, or those that are paid or compared."""
    hands = {hand.id: hand for hand in game.book.hands}
    if game.book.splits:
        return tuple(hands[name] for name in game.book.splits[0].into)
    rules = [rule for wager in game.wagers for rule in wager.settle]
    named = [side_of(name)[1] for rule in rules for name in (*rule.deciding, *(paid.on for paid in rule.paid))]
    read = {part for name in named for part in hands[name].parts or (name,)}
    return tuple(hand for hand in game.book.hands if hand.id in read and hand.order is not None)


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    order, _, category = subject.partition(".")
    if order == "foul":
        return _foul(game, category, chance)
    hands = [hand for hand in _read(game) if hand.order == order]
    hand = hands[chance.below(len(hands))]
    if game.book.splits:
        return _set_hand(game, hand, hand_of(kinds_of(game.book)[order], category, chance, ranker_of(game, order)))
    for _ in range(TRIES):
        content = _on_the_layout(game, hand, category, chance)
        if content is not None:
            return content
    raise HandNotFound(f"{game.book.id}: no cards show {subject}")


def _on_the_layout(game: Game, hand: Hand, category: str, chance: Chance) -> QuestionContent | None:
    """Show a hand at its places, with random cards in the others; None where they make it a better hand."""
    order = str(hand.order)
    made = hand_of(kinds_of(game.book)[order], category, chance, ranker_of(game, order))
    own = rules_of(game).places(hand.id)
    chosen = own if len(own) == len(made) else chance.shuffled(own)
    given = dict(zip(chosen, made, strict=False))
    seen = {*own, *game.hand_places, *community_places(game)}
    places = filled(game, chance, given, [place for place in all_places(game) if place in seen])
    rank = rules_of(game).hand(hand.id, places)
    if rank.category != category:
        return None
    return _question(
        game,
        hand,
        category=rank.category,
        text=f"{' '.join(places[place].text for place in own)}: {rank.name}.",
        shown=laid_out(game, places),
        basis=basis_of(hand, *_ranking(game)),
    )


def _set_hand(game: Game, hand: Hand, cards: Sequence[Card]) -> QuestionContent:
    rank = ranker_of(game, str(hand.order))(cards)
    place, label = SET_HANDS[game.book.splits[0].into.index(hand.id)]
    shown = texts(cards)
    return _question(
        game,
        hand,
        title=label,
        category=rank.category,
        text=f"{' '.join(shown)}: {rank.name}.",
        shown=(CardsShown(place=place, label=label, cards=shown),),
        basis=basis_of(*_ranking(game)),
    )


def _question(
    game: Game, hand: Hand, *, category: str, text: str, shown: tuple[Shown, ...], basis: Cited, title: str = ""
) -> QuestionContent:
    categories = kinds_of(game.book)[str(hand.order)].categories
    named = in_sentence(title) if title else hand_title(game, hand.id)
    best = f": the best {hand.best} of {len(rules_of(game).places(hand.id))} cards count" if hand.best else ""
    return QuestionContent(
        asks=f"Read the {named.removeprefix('the ').removeprefix('your ')}{best}.",
        shown=shown,
        answer=Choose(options=tuple(as_words(name) for name in categories)),
        right=(str(categories.index(category) + 1),),
        explanation=explained(text, game, basis),
    )


def _ranking(game: Game) -> list[Cited]:
    return [game.book.settings[name] for name in RANKED_BY if name in game.book.settings]


def _foul(game: Game, wanted: str, chance: Chance) -> QuestionContent:
    """Show cards set into two hands, lawfully or not."""
    rules, count = rules_of(game), len(game.hand_places)
    in_front = kinds_of(game.book)[str(_read(game)[1].order)].cards
    while True:
        cards = chance.shuffled(deck_of(game.book.deck.cards))[:count]
        if wanted == "foul":
            low = chance.shuffled(cards)[:in_front]
        else:
            options = Holding(cards).options
            low = options[chance.below(len(options))].front
        made = rules.set(cards, low)
        if made.foul == (wanted == "foul"):
            break
    higher = "higher" if made.foul else "not higher"
    return QuestionContent(
        asks="A player has set these hands. Are they set lawfully?",
        shown=(
            CardsShown(place="front", label="In front", cards=texts(low)),
            CardsShown(place="behind", label="Behind", cards=texts(card for card in cards if card not in low)),
        ),
        answer=Choose(options=LAWFUL),
        right=("2" if made.foul else "1",),
        explanation=explained(
            f"The hand in front, {made.low.name}, is {higher} than the hand behind, {made.high.name}.",
            game,
            basis_of(game.book.settings["foul_hand_loses"]),
        ),
    )
