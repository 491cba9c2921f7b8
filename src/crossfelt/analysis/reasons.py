"""Why a choice is best, in one sentence a player can check at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.setting_advice import SettingAdvice
from crossfelt.cards import Card, parse_cards
from crossfelt.cards.notation import format_cards
from crossfelt.games.criss_cross import CrissCross
from crossfelt.hands.names import plural
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game

OUTS_OF_A_RANK: Final = 3
"""Cards left of a rank of which one is held."""
STANDARD: Final = 52


def reason(game: Game, advice: Advice, seen: Mapping[str, str]) -> str:
    """One sentence for an advice; `seen` are the cards in sight by name, as `advise` takes them.

    >>> from crossfelt.analysis import advise
    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> def why(**seen): return reason(game, advise(game, **seen), seen)
    >>> why(hole="As Qd")
    '6 cards would give you a pair that pays, on each line.'
    >>> why(hole="Ks 9s")
    '3 cards would give you a pair that pays; 3 would give one that pushes, on each line; your cards are of one suit.'
    >>> why(hole="9s 9d")
    'The pair of nines in your hand pushes on both lines already.'
    """
    if isinstance(advice, SettingAdvice):
        return _of_setting(advice)
    if game.book.game == "double_cross":
        return _of_line(advice)
    cards = {name: parse_cards(text) for name, text in seen.items()}
    return {"across": _of_hole, "down": _of_across, "middle": _of_both}[advice.decision](CrissCross(game), game, cards)


def _of_hole(rules: CrissCross, game: Game, cards: Mapping[str, Sequence[Card]]) -> str:
    first, second = cards["hole"]
    if first.rank == second.rank:
        already = {"pays": "pays on", "pushes": "pushes on", "": "makes nothing yet on"}[_pair_does(rules, first.rank)]
        return f"The pair of {plural(first.rank)} in your hand {already} both lines already."
    does = [_pair_does(rules, card.rank) for card in (first, second)]
    pays, pushes = (OUTS_OF_A_RANK * does.count(what) for what in ("pays", "pushes"))
    paying = f"{pays} cards would give you a pair that pays" if pays else "No card would give you a pair that pays"
    pushing = f"; {pushes} would give one that pushes" if pushes else ""
    suited = "; your cards are of one suit" if first.suit == second.suit else ""
    return f"{paying}{pushing}, on each line{suited}."


def _pair_does(rules: CrissCross, rank: int) -> str:
    pay = rules.pay("bets", HandRank("five_card", "pair", (rank,)))
    return "pays" if pay.wins else "pushes" if pay.pushes else ""


def _of_across(rules: CrissCross, game: Game, cards: Mapping[str, Sequence[Card]]) -> str:
    """What the middle card can make of the across hand."""
    places = _places(cards)
    left = _left(cards)
    pays = [rules.pay("bets", rules.hand("across", {**places, "middle": card})) for card in left]
    return _counted(sum(pay.wins for pay in pays), sum(pay.pushes for pay in pays), len(left), "the across hand")


def _of_both(rules: CrissCross, game: Game, cards: Mapping[str, Sequence[Card]]) -> str:
    places, left, lines = _places(cards), _left(cards), game.wager("middle").better_of
    pays = [
        rules.deciding([rules.pay("bets", rules.hand(line, {**places, "middle": card})) for line in lines])
        for card in left
    ]
    return _counted(sum(pay.wins for pay in pays), sum(pay.pushes for pay in pays), len(left), "the middle bet")


def _counted(wins: int, pushes: int, of: int, what: str) -> str:
    """
    >>> _counted(8, 3, 46, "the middle bet")
    '8 of 46 cards in the middle win for the middle bet, 3 push.'
    """
    if wins == of:
        return f"Whatever lies in the middle, {what} wins."
    push = f", {pushes} push" if pushes else ""
    return f"{wins or 'None'} of {of} cards in the middle win for {what}{push}."


def _of_line(advice: Advice) -> str:
    fold, vertical, horizontal = (advice.actions[name] for name in ("fold", "vertical", "horizontal"))
    better, worse = ("vertical", "horizontal") if vertical >= horizontal else ("horizontal", "vertical")
    gap = abs(float(vertical - horizontal))
    if advice.best == "fold":
        return f"Even the {better} line loses more than the ante on average: {float(advice.actions[better]):+.2f}."
    return f"The {better} line is worth {gap:.2f} antes more than the {worse}; folding costs {float(-fold):g}."


def _of_setting(advice: SettingAdvice) -> str:
    best = advice.settings[0]
    shares = f"wins both hands {float(100 * best.win):.0f} % of the time and pushes {float(100 * best.push):.0f} %"
    house = next((setting for setting in advice.settings if setting.house_way), best)
    cost = float(advice.cost(format_cards(house.low)))
    beside = "this is the house way" if house is best else f"the house way would cost {cost:.3f}"
    return f"It {shares}; {beside}."


def _places(cards: Mapping[str, Sequence[Card]]) -> dict[str, Card]:
    names = {
        "hole": ("hole_1", "hole_2"),
        "across": ("across_left", "across_right"),
        "down": ("down_far", "down_near"),
    }
    return {place: card for name, held in cards.items() for place, card in zip(names[name], held, strict=True)}


def _left(cards: Mapping[str, Sequence[Card]]) -> list[Card]:
    seen = {card for held in cards.values() for card in held}
    return [card for card in map(Card, range(STANDARD)) if card not in seen]
