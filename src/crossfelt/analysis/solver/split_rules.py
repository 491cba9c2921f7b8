"""The rules of a game in which seven cards are set as two hands against the dealer's, as the solver needs them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.cards.card import RANKS
from crossfelt.kernels.solver.hand_shapes import SUITS, Deck
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Match, Split, side_of
from crossfelt.rulebooks.house_ways import HouseWay
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.settle_forms import Rule

CARDS: Final = 7
HIGH_ORDER: Final = "joker_five"
LOW_ORDER: Final = "two_card"
KIND_ORDERS: Final = {"joker_seven": "joker_five", "progressive_seven": "progressive_seven",
                      "joker_high_card": "joker_high_card"}  # fmt: skip
"""Orders of seven cards whose category depends on the shape of the hand alone, with the field of its kind."""


class Excepted(NamedTuple):
    """Dealer's hands that settle the wager independent of the player's."""

    order: str
    """That of the dealer's low hand, or of all seven cards."""
    match: Match
    profit: Fraction


class SplitRules(NamedTuple):
    """A wager on two hands against the dealer's two."""

    wager: str
    house_way: HouseWay
    wheel_second: bool
    deck: Deck
    profits: tuple[Fraction, Fraction, Fraction]
    """The player's profit per unit staked with no, one and two hands won, after commission."""
    bank_profits: tuple[Fraction, Fraction, Fraction]
    """The profit of a player who banks one such wager, with no, one and two hands won."""
    exceptions: tuple[Excepted, ...]
    """The first that applies decides."""

    @property
    def cards_in_deck(self) -> int:
        return sum(self.deck)


def split_rules(game: Game) -> SplitRules:
    """Read the rules of a game with a split, or refuse it with the rule that the solver does not cover.

    >>> [str(profit) for profit in split_rules(compile_game("nj-pai-gow")).profits]
    ['-1', '0', '19/20']
    """
    book = game.book
    hands = {hand.id: hand for hand in book.hands}
    groups = {group.id: group for group in book.groups}
    (split, *more) = book.splits
    group = groups[split.of]
    if more or group.owner != "positions" or group.cards != CARDS:
        raise Unreachable.form(game, "only seven cards of each position can be set as two hands")
    orders = tuple(hands[name].order for name in split.into)
    if orders != (HIGH_ORDER, LOW_ORDER):
        stated, wanted = (" and ".join(map(str, names)) for names in (orders, (HIGH_ORDER, LOW_ORDER)))
        raise Unreachable.form(game, f"the two hands are of the orders {stated}; those of {wanted} are solved")
    if game.house_way is None:
        raise Unreachable.form(game, "the dealer has no house way")
    wager = _wager(game, split)
    *exceptions, last = (rule for rule in wager.settle if _applies(game, rule.where))
    if last.when or last.unless or _compared(last) != set(split.into) or len(last.by_wins) != 3:
        raise Unreachable.form(game, f"{wager.id} does not compare both hands with the dealer's in its last rule")
    kept = 1 - _commission(game, wager)
    profits = [_profit(result, kept) for result in last.by_wins]
    theirs = [-_profit(result, Fraction(1)) for result in reversed(last.by_wins)]
    theirs = [profit * kept if profit > 0 else profit for profit in theirs]
    return SplitRules(
        wager=wager.id,
        house_way=game.house_way,
        wheel_second=bool(game.settings["wheel_second_highest"]),
        deck=(SUITS,) * len(RANKS) + (book.deck.cards - SUITS * len(RANKS),),
        profits=(profits[0], profits[1], profits[2]),
        bank_profits=(theirs[0], theirs[1], theirs[2]),
        exceptions=tuple(_exception(game, wager, rule, kept) for rule in exceptions),
    )


def _wager(game: Game, split: Split) -> Wager:
    found = [wager for wager in game.wagers if set(split.into).intersection(wager.deciding)]
    if len(found) != 1 or not found[0].required:
        raise Unreachable.form(game, "not one required wager is settled on the two hands")
    (wager,) = found
    if wager.bonus or any(other.required for other in game.wagers if other.id != wager.id):
        raise Unreachable.form(game, "the main wager has a bonus, or is not the only one required")
    return wager


def _compared(rule: Rule) -> set[str]:
    """Return the hands that are compared with the same hands of the dealer or the bank."""
    return {own for own, other in rule.versus_each if side_of(other)[0] and side_of(other)[1] == own}


def _exception(game: Game, wager: Wager, rule: Rule, kept: Fraction) -> Excepted:
    why = f"a rule of {wager.id} looks at more than the dealer's low hand, or the kind of the dealer's seven cards"
    if rule.unless or rule.odds is None or len(rule.when) != 1:
        raise Unreachable.form(game, why)
    ((name, mark_name),) = rule.when.items()
    side, own = side_of(name)
    hand = next(hand for hand in game.book.hands if hand.id == own)
    match, order = hand.marks[mark_name].is_, str(hand.order)
    if not side or match is None or order not in (LOW_ORDER, *KIND_ORDERS):
        raise Unreachable.form(game, why)
    if order in KIND_ORDERS and (match.low or match.high or match.ranks):
        raise Unreachable.form(game, why)
    return Excepted(order, match, _profit(rule.odds, kept))


def _profit(result: str, kept: Fraction) -> Fraction:
    """Return the profit of a result per unit staked; of what is won the player keeps a part."""
    if result == "lose":
        return Fraction(-1)
    odds = Odds(result)
    return odds.ratio * kept - (0 if odds.returns_stake else 1)


def _commission(game: Game, wager: Wager) -> Fraction:
    if wager.commission is None or not _applies(game, wager.commission.where):
        return Fraction(0)
    return Fraction(game.number("commission_per_mille"), 1000)


def _applies(game: Game, where: Mapping[str, object]) -> bool:
    return all(game.settings[setting] == value for setting, value in where.items())
