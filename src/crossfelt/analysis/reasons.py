"""The reasons for an advice in plain words, and the verdict on each choice.

Every number is counted: the cards that the player cannot see one by one, and the results of a hand over every deal of
them. The web page and the terminal show these sentences as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, takewhile
from typing import TYPE_CHECKING, Any, Final

import msgspec

from crossfelt.analysis.advice import Advice, Chances, SettingAdvice, SettingValue
from crossfelt.cards import Card
from crossfelt.cards.card import SUIT_NAMES
from crossfelt.cards.notation import format_cards
from crossfelt.games.round_stakes import unit_of
from crossfelt.games.rules import ranker_of, rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.rank import HandRank
from crossfelt.money import dollars
from crossfelt.play.game_words import places_words
from crossfelt.play.text import card_words, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.render.phrases import a, as_words
from crossfelt.rulebooks.render.step_phrases import choice_title, choice_titles
from crossfelt.rulebooks.script import Decide

if TYPE_CHECKING:
    from crossfelt.analysis.solver.payoffs import Payoffs
    from crossfelt.analysis.solver.round_plan import FormedHand, RoundPlan

FIVE_CARD: Final = "five_card"
FOLD: Final = "fold"
FOUL: Final = "foul"
SURRENDER: Final = "surrender"
BEST: Final = "Best"
Cards = Mapping[str, Card]
"""Visible cards by place."""


class Unit(msgspec.Struct, frozen=True):
    """The unit of an advice, its stake in cents where it is known, and the titles of the choices."""

    name: str = "ante"
    cents: int | None = None
    titles: Mapping[str, str] = {}
    """The choices as the buttons have them; a bet only where it has one multiple."""

    def amount(self, value: Fraction) -> str:
        """Return the size of a value in money, or in units.

        >>> Unit("ante", 1000).amount(Fraction(-7043, 10000)), Unit().amount(Fraction(2)), Unit().amount(Fraction(1, 3))
        ('$7.04', '2 antes', '0.3333 antes')
        """
        size = abs(value)
        if self.cents is not None:
            cents = int(size * self.cents + Fraction(1, 2))
            return "less than 1 cent" if size and not cents else dollars(cents)
        number = f"{float(size):.4f}".rstrip("0").rstrip(".")
        return f"{number} {self.name}" if size == 1 else f"{number} {self.name}s"


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """An advice in words."""

    cards: tuple[str, ...]
    """The hands that the visible cards may become."""
    reasons: tuple[str, ...]
    """Why the best choice, and not the others."""
    choices: dict[str, str]
    """A sentence about each choice."""
    verdicts: dict[str, str]
    """The verdict on each choice, once it is made."""
    units: str
    """The unit of the values, in the plural."""
    titles: dict[str, str] = {}
    """The choices as their buttons have them."""

    def as_data(self) -> dict[str, Any]:
        """Return plain data beside that of the advice."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def explain(game: Game, advice: Advice, seen: Mapping[str, str], cents: int | None = None) -> Explanation:
    """Explain an advice; `seen` has the visible cards as `advise` takes them, `cents` the stake of one unit.

    >>> from crossfelt.analysis import advise
    >>> game = compile_game("nj-criss-cross")
    >>> told = explain(game, advise(game, hole="7s 6d"), {"hole": "7s 6d"}, 1000)
    >>> print(told.cards[0])
    Six cards in the deck would give you a pair that pushes, and none a pair that pays.
    >>> told.verdicts["3x"]
    'Cost $6.37: 1× was best'
    """
    if isinstance(advice, SettingAdvice):
        return _of_setting(game, advice, Unit("main wager", cents))
    step = _step_of(game, advice)
    unit = Unit(unit_of(game), cents, choice_titles(game, step))
    found = _describe(game, step, advice, seen)
    says = {name: _says(advice, unit, name, found) for name in advice.actions}
    return Explanation(
        cards=found.sentences,
        reasons=tuple(says[name] for name in (advice.best, *_contrasts(advice))),
        choices=says,
        verdicts={name: _verdict(unit, advice.cost(name), _named_best(unit, advice.best)) for name in advice.actions}
        | {advice.best: BEST},
        units=f"{unit.name}s",
        titles=dict(unit.titles),
    )


# --- what the visible cards may become ---


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    sentences: tuple[str, ...] = ()
    bet: str = ""
    """The hand or bet that a larger stake follows."""
    chances: Chances | None = None
    """Its results, where they do not depend on the choice."""


def _step_of(game: Game, advice: Advice) -> Decide:
    return next(step for step in game.book.script if isinstance(step, Decide) and step.name == advice.decision)


def _describe(game: Game, step: Decide, advice: Advice, seen: Mapping[str, str]) -> _Found:
    """Describe the hands of the bet that is decided on."""
    from crossfelt.analysis.solver.payoffs import Payoffs
    from crossfelt.analysis.solver.position import read_cards
    from crossfelt.analysis.solver.round_plan import RoundPlan

    plan = RoundPlan(game)
    cards = read_cards(plan, {name: text for name, text in seen.items() if text})
    if advice.chances:
        return _of_compared_lines(game, plan, advice, cards)
    bets = [action.bet or action.withdraw for action in step.actions]
    bet = game.wager(next(name for name in bets if name))
    payoffs = Payoffs(plan)
    if payoffs.dealer:
        return _of_compared_hand(payoffs, bet, cards)
    return _of_paid_hands(payoffs, step, bet, cards)


def _of_paid_hands(payoffs: Payoffs, step: Decide, bet: Wager, cards: Cards) -> _Found:
    """Describe hands that a posted pay table pays: that of this bet, and those of the bets before it."""
    plan, game = payoffs.plan, payoffs.plan.game
    missing, left = _missing(plan, bet, cards), unseen(game, cards)
    chances = _chances(payoffs, bet, cards)
    title = _the_bet(game, bet)
    if chances is None or len(missing) <= 1:
        told = (_one_card(chances, len(left), places_words(game, missing), title),) if chances and missing else ()
        return _Found(sentences=told, bet=title, chances=chances)
    hands = plan.hands_of([bet.id])
    name = f"the {_title(game, hands[0].name)}" if len(hands) == 1 else title
    held = [cards[place] for place in hands[0].places if place in cards]
    decided = [
        other for other in takewhile(lambda each: each is not step, game.book.script) if isinstance(other, Decide)
    ]
    bets = (action.bet for other in decided for action in other.actions)
    before = [game.wager(earlier) for earlier in bets if earlier and game.offers(earlier)]
    others = [hand for earlier in before for hand in plan.hands_of([earlier.id]) if hand not in hands]
    sentences = [*_becomes(plan, hands[0], bet, held, left, f"For {name}, " if others else "")]
    if len({card.suit for card in held}) == 1 and len(held) + len(missing) == len(hands[0].places):
        sentences.append(f"With {NUMBERS[len(missing)]} more {SUIT_NAMES[held[0].suit]} {name} is a flush.")
    sentences.append(f"Dealt to the end, {name} {_shares(chances)}.")
    for earlier in before:
        waits, then = _missing(plan, earlier, cards), _chances(payoffs, earlier, cards)
        if len(waits) == 1 and then:
            place = places_words(game, waits)
            sentences.append(_one_card(then, len(left), place, f"your {_bet_title(game, earlier)}"))
    return _Found(sentences=tuple(sentences), bet=name, chances=chances)


def _of_compared_hand(payoffs: Payoffs, bet: Wager, cards: Cards) -> _Found:
    """Describe a hand that is compared with the dealer's."""
    game, chances = payoffs.plan.game, _chances(payoffs, bet, cards)
    title, own = _the_bet(game, bet), payoffs.own[payoffs.against("")]
    held = [cards[place] for place in own.hand.places if place in cards]
    whole, sentences = len(held) == len(own.hand.places), []
    if whole:
        sentences.append(f"You have {_named_hand(best_rank(game, own.hand.order, held))}.")
    elif own.hand.order == FIVE_CARD:
        sentences.append(_so_far(game, held, unseen(game, cards)))
    if chances is not None:
        when = "Against every hand that the dealer may have" if whole else "Dealt to the end"
        sentences.append(f"{when}, {title} {_shares(chances)}.")
    return _Found(sentences=tuple(sentences), bet=title, chances=chances)


def _so_far(game: Game, held: Sequence[Card], left: Sequence[Card]) -> str:
    """Say what some cards of a hand make already, and which unseen cards would make a better one."""

    def made_of(cards: Sequence[Card]) -> HandRank | None:
        rank = best_rank(game, FIVE_CARD, cards) if len(cards) >= kinds_of(game.book)[FIVE_CARD].cards else None
        return rank if rank and rank.category != "high_card" else certain_hand(cards)

    made = made_of(held)
    better = Counter(
        then.category for card in left if (then := made_of([*held, card])) and (not made or then.level > made.level)
    )
    words = dict(KINDS.values())
    given = [(count, words.get(category, a(as_words(category)))) for category, count in better.most_common()]
    now = f"So far you have {_named_hand(made)}" if made else "You have no pair yet"
    return f"{now}; {_given(given)}"


def _named_hand(made: HandRank) -> str:
    """Return the name of a hand, with an article where it has a singular noun.

    >>> _named_hand(HandRank("five_card", "straight", (6,))), _named_hand(HandRank("five_card", "two_pair", (12, 11)))
    ('an eight-high straight', 'aces and kings')
    """
    return a(made.name) if made.category == "pair" or made.category.endswith(("straight", "flush")) else made.name


def best_rank(game: Game, order: str, cards: Sequence[Card]) -> HandRank:
    """Return the best hand of an order that some cards make."""
    size = kinds_of(game.book)[order].cards
    rank = ranker_of(game, order)
    return max((rank(chosen) for chosen in combinations(cards, size)), key=lambda made: (made.level, made.ranks))


def _of_compared_lines(game: Game, plan: RoundPlan, advice: Advice, cards: Cards) -> _Found:
    """Describe lines of which the player names one, to be compared with the dealer's hand."""
    left, sentences = unseen(game, cards), list[str]()
    for name, chances in advice.chances.items():
        (hand,) = plan.formed(name)
        held = [cards[place] for place in hand.places if place in cards]
        made, better = certain_hand(held), better_cards(plan, hand, None, held, left)
        now = f"you have {_named_hand(made) if made else 'no pair yet'}"
        given = _given([(count, words) for (words, _), count in better.items()]).removesuffix(".")
        title = _sentence(_title(game, name))
        sentences.append(f"{title}: {now}; {given}. Against the dealer it {_shares(chances)}.")
    return _Found(sentences=tuple(sentences))


def _title(game: Game, name: str) -> str:
    return next(hand.title or hand.id for hand in game.book.hands if hand.id == name).lower()


def _bet_title(game: Game, bet: Wager) -> str:
    """Return the title of a bet inside a sentence, with its noun.

    >>> game = compile_game("nj-double-cross")
    >>> [_bet_title(game, game.wager(bet)) for bet in ("ante", "raise")]
    ['ante bet', 'raise']
    """
    title = title_of(bet.id, game)
    return title if title.endswith(("bet", "raise", "wager")) or title.startswith("bet ") else f"{title} bet"


def _the_bet(game: Game, bet: Wager) -> str:
    """Return the title of a bet with its article; a numbered bet has none."""
    title = _bet_title(game, bet)
    return title if title.startswith("bet ") else f"the {title}"


def _missing(plan: RoundPlan, wager: Wager, cards: Cards) -> list[str]:
    """List the places of a wager's hands whose cards are not visible."""
    places = [place for hand in plan.hands_of([wager.id]) for place in hand.places]
    return [place for place in dict.fromkeys(places) if place not in cards]


# --- counting ---


def unseen(game: Game, cards: Cards) -> list[Card]:
    """List the cards that the player cannot see."""
    seen = set(cards.values())
    return [card for card in map(Card, range(game.book.deck.cards)) if card not in seen]


def _chances(payoffs: Payoffs, wager: Wager, cards: Cards) -> Chances | None:
    from crossfelt.analysis.solver.advise import chances_of
    from crossfelt.analysis.solver.courses import Courses
    from crossfelt.analysis.solver.position import Position

    moments = payoffs.plan.moments
    moment = max(number for number, each in enumerate(moments) if set(each.places) <= cards.keys())
    return chances_of(payoffs, Position(payoffs.plan, cards, moment, Courses(payoffs.plan)), wager)


@lru_cache(maxsize=1 << 16)
def _result(game: Game, hand: str, wager: str, rank: HandRank) -> str:
    """Return what a wager does with a hand: win, push or lose."""
    spot = Spot(cards={}, ranks={hand: rank}, choices={})
    return rules_of(game).settle(game.wager(wager), game.wager(wager).parts, spot).result


KINDS: Final = {
    (2,): ("pair", "a pair"),
    (2, 2): ("two_pair", "two pair"),
    (3,): ("three_of_a_kind", "three of a kind"),
    (3, 2): ("full_house", "a full house"),
    (4,): ("four_of_a_kind", "four of a kind"),
}
"""Hands that cards make whatever else is dealt, by the numbers of equal cards: the category, and its words."""


def certain_hand(cards: Sequence[Card]) -> HandRank | None:
    """Return the least hand that these cards make whatever else is dealt; None without a pair.

    >>> certain_hand([Card("9s"), Card("9d"), Card("Kc")]).name
    'pair of nines'
    """
    counts = Counter(card.rank for card in cards)
    equal = sorted((rank for rank in counts if counts[rank] > 1), key=lambda rank: (-counts[rank], -rank))
    kind = KINDS.get(tuple(counts[rank] for rank in equal))
    return HandRank("five_card", kind[0], tuple(equal)) if kind else None


# --- sentences about cards ---

NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def cards_words(number: int) -> str:
    """Return a number of cards; the noun is always there, so that no number is taken for a rank.

    >>> cards_words(1), cards_words(6), cards_words(15)
    ('one card', 'six cards', '15 cards')
    """
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} card{'s' * (number != 1)}"


def better_cards(
    plan: RoundPlan, hand: FormedHand, wager: Wager | None, held: Sequence[Card], left: Sequence[Card]
) -> Counter[tuple[str, str]]:
    """Count the unseen cards that would make a better hand certain.

    A key is that hand in words, and its result for the wager.
    """
    made, better = certain_hand(held), Counter[tuple[str, str]]()
    for card in left:
        then = certain_hand([*held, card])
        if then is not None and (made is None or then.level > made.level):
            words = next(words for category, words in KINDS.values() if category == then.category)
            better[words, "" if wager is None else _result(plan.game, hand.name, wager.id, then)] += 1
    return better


def _becomes(
    plan: RoundPlan, hand: FormedHand, wager: Wager, held: Sequence[Card], left: Sequence[Card], where: str
) -> Iterator[str]:
    """Yield the hand that some cards make already, and the cards that would make one that pays or pushes."""
    if hand.order != FIVE_CARD:
        return
    made = certain_hand(held)
    result = _result(plan.game, hand.name, wager.id, made) if made else ""
    if made is not None:
        now = {"win": "already pays", "push": "already pushes", "lose": "does not pay"}
        yield f"Your {made.name} {now[result]}."
    better = better_cards(plan, hand, wager, held, left)
    pays = "" if result == "win" else " that pays"
    wins = [(count, f"{words}{pays}") for (words, then), count in better.items() if then == "win"]
    pushes = [(count, f"{words} that pushes") for (words, then), count in better.items() if then == "push"]
    if wins or pushes:
        none = [(0, "a pair that pays")] if made is None and not wins else []
        yield _sentence(where + _given([*wins, *pushes, *none]))
    elif made is None:
        yield _sentence(f"{where}no card in the deck would give you a pair that pays or pushes.")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _given(given: Sequence[tuple[int, str]]) -> str:
    """
    >>> _given([(3, "a pair that pays"), (1, "a pair that pushes")])
    'three cards in the deck would give you a pair that pays, and one card a pair that pushes.'
    """
    (count, hand), *rest = given or [(0, "a better hand")]
    first = f"{cards_words(count)} in the deck would give you {hand}"
    return ", and ".join([first, *(f"{cards_words(n) if n else 'none'} {other}" for n, other in rest)]) + "."


def _one_card(chances: Chances, left: int, place: str, bet: str) -> str:
    """
    >>> chances = Chances(win=Fraction(8, 46), push=Fraction(3, 46), lose=Fraction(35, 46))
    >>> _one_card(chances, 46, "the middle card", "the middle bet")
    '46 cards can still be the middle card: eight cards win the middle bet, three cards push it, and 35 cards lose it.'
    """
    where = f"can still be {place}"
    told: list[str] = []
    for share, one, many in (
        (chances.win, "wins", "win"),
        (chances.push, "pushes", "push"),
        (chances.lose, "loses", "lose"),
    ):
        if share == 1:
            return f"Every card that {where} {one} {bet}."
        if count := int(share * left):
            told.append(f"{cards_words(count)} {one if count == 1 else many} {'it' if told else bet}")
    return f"{left} cards {where}: {', '.join(told[:-1])}{',' * (len(told) > 2)} and {told[-1]}."


def _shares(chances: Chances) -> str:
    """
    >>> _shares(Chances(win=Fraction(1, 2), push=Fraction(0), lose=Fraction(1, 2)))
    'wins 50.0 % and loses 50.0 % of the time'
    """
    parts = [(chances.win, "wins"), (chances.push, "pushes"), (chances.lose, "loses")]
    if any(share == 1 for share, _ in parts):
        return f"always {next(does for share, does in parts if share == 1)}"
    told = [f"{does} {_percent(share)}" for share, does in parts if share]
    return f"{', '.join(told[:-1])} and {told[-1]} of the time"


def _percent(share: Fraction) -> str:
    return "less than 0.1 %" if share < Fraction(1, 2000) else f"{float(100 * share):.1f} %"


# --- sentences about choices ---


def _times(name: str) -> int:
    """Return the multiple of a bet; 0 for other choices."""
    return int(name.removesuffix("x")) if name.endswith("x") and name[:-1].isdecimal() else 0


def _named_best(unit: Unit, name: str) -> str:
    if _times(name):
        title = choice_title(name, unit.titles)
        return f"“{title}”" if "bet" in unit.titles else title
    done = "folding" if name == FOLD else _does(unit, name) if name in CHANGES else f"the {name} line"
    return done[0].lower() + done[1:]


CHANGES: Final = ("check", "withdraw")
"""Choices that stake nothing more, and name no hand."""


def _does(unit: Unit, name: str) -> str:
    if name == "withdraw":
        return "Taking the bet back"
    if name == "check":
        title = choice_title(name, unit.titles)
        return "Checking" if title == "Check" else f"“{title}”"
    return f"Betting {unit.amount(Fraction(_times(name)))}" if _times(name) else f"Playing the {name} line"


def _average(unit: Unit, value: Fraction) -> str:
    if not value:
        return "breaks even on average"
    return f"{'wins' if value > 0 else 'loses'} {unit.amount(value)} on average"


def choice_average(unit: Unit, name: str, value: Fraction) -> str:
    """Return the average result of a choice in a sentence.

    >>> choice_average(Unit(), "3x", Fraction(-1, 4)), choice_average(Unit(), "fold", Fraction(-2))
    ('Betting 3 antes loses 0.25 antes on average.', 'Folding gives up 2 antes.')
    """
    if name == FOLD:
        return f"Folding gives up {unit.amount(value)}."
    return result_words(_does(unit, name), value, unit)


def result_words(what: str, value: Fraction, unit: Unit) -> str:
    """Return an average result in a sentence."""
    return f"{what} {_average(unit, value)}."


def _contrasts(advice: Advice) -> list[str]:
    """List the choices to set against the best: the farthest bet or the other lines, then the fold."""
    others = [name for name in advice.actions if name not in (advice.best, FOLD)]
    if _times(advice.best):
        others = sorted(others, key=lambda name: -abs(_times(name) - _times(advice.best)))[:1]
    elif advice.best == FOLD:
        others = sorted(others, key=lambda name: -advice.actions[name])[:1]
    return [*others, *([FOLD] if advice.best != FOLD and FOLD in advice.actions else [])]


def _says(advice: Advice, unit: Unit, name: str, found: _Found) -> str:
    value, best = advice.actions[name], advice.actions[advice.best]
    if name == FOLD:
        return choice_average(unit, name, value)
    says = choice_average(unit, name, value).removesuffix(".")
    if _times(name) and _times(advice.best) and name != advice.best:
        return f"{says}: {_difference(advice, unit, name, found)}."
    fold = advice.actions.get(FOLD)
    if fold is not None and (name == advice.best or advice.best == FOLD):
        if value == fold:
            return f"{says}, as folding does."
        return f"{says}, {unit.amount(value - fold)} {'better' if value > fold else 'worse'} than folding."
    return f"{says}, {unit.amount(best - value)} worse than {_named(advice, unit)}." if best != value else f"{says}."


def _named(advice: Advice, unit: Unit) -> str:
    """Name the best choice beside another; a choice that names a hand is its line."""
    if advice.chances:
        return f"the {advice.best} line"
    does = _does(unit, advice.best)
    return does[0].lower() + does[1:]


def _difference(advice: Advice, unit: Unit, name: str, found: _Found) -> str:
    """Say what the difference between a bet and the best one does on average, and why."""
    apart = Fraction(_times(name) - _times(advice.best))
    gain = advice.actions[advice.best] - advice.actions[name]
    if not gain:
        return "the same on average"
    chances, why = found.chances, ""
    if apart > 0:
        if chances is not None:
            often = f"{found.bet} loses more often than it wins"
            why = f", because {often if chances.lose > chances.win else 'you would often have to fold it later'}"
        return f"the extra {unit.amount(apart)} would lose {unit.amount(gain)}{why}"
    if chances is not None:
        often = "wins more often than it loses"
        more = often if chances.win > chances.lose else "pays more when it wins than it costs when it loses"
        why = f", because {found.bet} {more}"
    return f"the other {unit.amount(apart)} would win {unit.amount(gain)} more{why}"


def _verdict(unit: Unit, cost: Fraction, best: str) -> str:
    """Say what a choice costs that is not the best one."""
    return f"Cost {unit.amount(cost)}: {best} was best" if cost else "As good as the best"


# --- settings of a hand ---


def _of_setting(game: Game, advice: SettingAdvice, unit: Unit) -> Explanation:
    best = advice.settings[0]
    front = f"{card_words(best.low)} in front"

    def costs(setting: SettingValue) -> str:
        return f"costs {unit.amount(best.ev - setting.ev) if best.ev != setting.ev else 'nothing'}"

    house = next((setting for setting in advice.settings if setting.house_way), best)
    beside = "It is the house way." if house is best else f"The house way {costs(house)}."
    second = [f"Next best: {card_words(it.low)} in front, which {costs(it)}." for it in advice.different[1:2]]
    surrendered = best.ev + 1 - Fraction(game.number("surrender_refund_per_mille"), 1000)
    says = {
        format_cards(it.low): f"{_sentence(it.hands)}: {_shares(Chances(win=it.win, push=it.push, lose=it.lose))}, "
        f"and {_average(unit, it.ev)}."
        for it in advice.settings
    }
    return Explanation(
        cards=(says[advice.best],),
        reasons=(beside, *second),
        choices=says,
        verdicts={
            **{format_cards(it.low): _verdict(unit, best.ev - it.ev, front) for it in advice.settings},
            format_cards(best.low): BEST,
            FOUL: f"Cost {unit.amount(best.ev + 1)}: a foul hand loses",
            SURRENDER: _verdict(unit, surrendered, front) if surrendered > 0 else BEST,
        },
        units=f"{unit.name}s",
    )
