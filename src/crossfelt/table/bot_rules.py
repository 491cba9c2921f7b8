"""Ways of deciding: rules that a person can remember, in order, each with its reason.

Ways add up, and the first that has an answer decides: ``careful + always(1)`` bets once wherever `careful` has
nothing to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

import msgspec

from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.table.moves import Move, at_most, take
from crossfelt.table.sight import HANDS, THE_BANK, Sight

ACE: Final = RANKS.index("A")
KING: Final = RANKS.index("K")


class Decider(msgspec.Struct, frozen=True):
    """A way of deciding."""

    def move(self, sight: Sight) -> Move | None:
        """What to do; None to leave it to the next way that was added."""
        raise NotImplementedError

    def __add__(self, other: Decider) -> Decider:
        return Several((self, other))


class Several(Decider, frozen=True):
    """Ways of deciding, asked one after the other."""

    deciders: tuple[Decider, ...]

    def move(self, sight: Sight) -> Move | None:
        return next((move for decider in self.deciders if (move := decider.move(sight)) is not None), None)


class Rule(msgspec.Struct, frozen=True):
    """One line of advice."""

    wager: str
    """The decision it speaks of."""
    name: str
    action: str
    """``3x``, ``fold``, ``set_house_way``, ``decline_bank``, or the name of a choice."""
    when: Callable[[Sight], bool]
    reason: str


class Rules(Decider, frozen=True):
    """An ordered list of rules: the first that applies decides."""

    rules: tuple[Rule, ...]

    def rule(self, sight: Sight) -> Rule | None:
        """The line of advice that applies."""
        return next((rule for rule in self.rules if rule.wager == sight.asked and rule.when(sight)), None)

    def move(self, sight: Sight) -> Move | None:
        rule = self.rule(sight)
        return None if rule is None else carry_out(sight, rule.action)


def carry_out(sight: Sight, action: str) -> Move | None:
    """The move that an action comes to; None where it is not open."""
    if match := re.fullmatch(r"(\d)x", action):
        return times_base(sight, int(match[1]))
    if action in ("fold", "set_house_way", "decline_bank"):
        return next(map(take, sight.options.get(action, ())), None)
    choices = (option for option in sight.options.get("choose", ()) if option.fields["choice"] == action)
    return next(map(take, choices), None)


def times_base(sight: Sight, times: int) -> Move | None:
    """A bet of so many times the ante, or as much of it as the chips allow."""
    option = sight.option("bet")
    if option is None:
        return None
    return take(option, cents=at_most(option.ranges["cents"], times * sight.base_cents))


# --- reading cards --------------------------------------------------------------------------------------------------


def groups(cards: Iterable[Card]) -> list[tuple[int, int]]:
    """How many of which rank, the largest group first.

    >>> from crossfelt.cards import parse_cards
    >>> groups(parse_cards("Ks Kd 2c"))
    [(2, 11), (1, 0)]
    """
    ranks = [card.rank for card in cards]
    return sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)


def made(game: Game, cards: Iterable[Card]) -> str:
    """What some cards of a hand have come to by the table of the bets: it wins, pushes, or is a small pair.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("md-criss-cross")
    >>> [made(game, parse_cards(text)) for text in ("Ks Kd", "9s 9d 2c", "2s 2d", "2s 2d 4c 4d", "As Kd")]
    ['wins', 'pushes', 'small pair', 'wins', '']
    """
    found = groups(cards)
    match [size for size, _ in found]:
        case [1, *_] | []:
            return ""
        case [2, 2, *_]:
            category = "two_pair"
        case [2, *_]:
            category = "pair"
        case [3, *_]:
            category = "three_of_a_kind"
        case _:
            category = "four_of_a_kind"
    return _worth(game, category, found[0][1]) or "small pair"


def worths(game: Game) -> tuple[str, ...]:
    """All that the rules for Criss Cross Poker read of the table of the bets."""
    return tuple(_worth(game, category, rank) for category in _MADE for rank in range(len(RANKS)))


_MADE: Final = ("pair", "two_pair", "three_of_a_kind", "four_of_a_kind")


@cache
def _worth(game: Game, category: str, rank: int) -> str:
    odds = game.pays["bets"].odds_for(HandRank("five_card", category, (rank,)))
    if odds is None:
        return ""
    return "pushes" if odds.is_push else "wins"


def points(game: Game, cards: Iterable[Card]) -> int:
    """Two for a card that would win as a pair, one for a card that would push.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> points(compile_game("md-criss-cross"), parse_cards("Js 6d 5c"))
    3
    """
    worth = {"wins": 2, "pushes": 1, "": 0}
    return sum(worth[_worth(game, "pair", card.rank)] for card in cards)


def draws(cards: Sequence[Card]) -> bool:
    """Four cards that one more makes a flush, or a straight at either end.

    >>> from crossfelt.cards import parse_cards
    >>> [draws(parse_cards(text)) for text in ("2s 9s Ks 4s", "8s 9d Tc Jh", "As Kd Qc Jh", "8s 9d Tc")]
    [True, True, False, False]
    """
    if len(cards) != 4:
        return False
    ranks = sorted({card.rank for card in cards})
    open_ended = len(ranks) == 4 and ranks[-1] - ranks[0] == 3 and ranks[-1] < ACE
    return open_ended or len({card.suit for card in cards}) == 1


# --- Criss Cross Poker ----------------------------------------------------------------------------------------------
# At the printed odds the rule loses 0.1390 of an ante in a round, best play 0.0866, betting once on everything 1.2498,
# betting three times on everything 2.0497: exact figures of `crossfelt strategy costs`.


def _safe_pair(sight: Sight) -> bool:
    return made(sight.game, sight.hole) in ("wins", "pushes")


def _any_pair(sight: Sight) -> bool:
    return bool(made(sight.game, sight.hole))


def _one_suit(sight: Sight) -> bool:
    return len({card.suit for card in sight.hole}) == 1


def _has_points(least: int) -> Callable[[Sight], bool]:
    return lambda sight: points(sight.game, sight.hole) >= least


def _a_line_has(*found: str) -> Callable[[Sight], bool]:
    return lambda sight: any(made(sight.game, sight.line(line)) in found for line in ("across", "down"))


def _a_line_draws(sight: Sight) -> bool:
    return any(draws(sight.line(line)) for line in ("across", "down"))


def _otherwise(_: Sight) -> bool:
    return True


CRISS_CROSS: Final = (
    Rule("across", "a pair that cannot lose", "3x", _safe_pair, "it pushes or wins on both lines, whatever comes"),
    Rule("across", "a small pair", "1x", _any_pair, "two pair or three of a kind may come, on two lines"),
    Rule("across", "two points", "1x", _has_points(2), "there are two lines in which to pair a good card"),
    Rule("across", "one suit", "1x", _one_suit, "a flush pays well on either line"),
    Rule("across", "nothing", "fold", _otherwise, "the antes cost less than three more bets on nothing"),
    Rule("down", "a pair that cannot lose", "3x", _safe_pair, "the down line has it too"),
    Rule("down", "a pair across", "1x", _a_line_has("wins", "pushes", "small pair"), "there is something to defend"),
    Rule("down", "a draw across", "1x", _a_line_draws, "the middle card may complete it"),
    Rule("down", "one point", "1x", _has_points(1), "three more cards may pair it"),
    Rule("down", "nothing", "fold", _otherwise, "neither line has anything, and two bets are still to come"),
    Rule("middle", "a line that cannot lose", "3x", _a_line_has("wins", "pushes"), "it loses only if both lines lose"),
    Rule("middle", "a draw", "3x", _a_line_draws, "a flush or a straight pays more than it misses"),
    Rule("middle", "a small pair", "1x", _a_line_has("small pair"), "the middle card may improve it"),
    Rule("middle", "anything else", "1x", _otherwise, "two cards or more can be paired, and save the earlier bets"),
)
"""Points go by what the bets' table gives for a pair: two where it wins (jacks), one where it pushes (sixes)."""


# --- Double Cross Poker ---------------------------------------------------------------------------------------------
# Loses about 0.12 of an ante in a round, raising on everything about 0.25 (60,000 simulated rounds).


def _three_card_pays(sight: Sight) -> bool:
    line = next(line for line in sight.game.book.lines if line.id == "three_card")
    hand = KINDS[line.hand].classify(sight.line(line.id))
    return sight.game.pays["three_card"].line_for(hand) is not None


def _worth_raising(better: str, other: str) -> Callable[[Sight], bool]:
    """The line is at least as good as the other, and has a pair, an ace or a king."""

    def when(sight: Sight) -> bool:
        best = groups(sight.line(better))
        return best >= groups(sight.line(other)) and best[0] >= (1, KING)

    return when


_RAISE: Final = "a pair, an ace or a king beats the dealer's better line often enough"
DOUBLE_CROSS: Final = (
    Rule("three_card", "it pays", "expose", _three_card_pays, "a hand that is not shown loses"),
    Rule("three_card", "it loses", "decline", _otherwise, "there is nothing to show"),
    Rule("raise", "king-high or better down", "vertical", _worth_raising("vertical", "horizontal"), _RAISE),
    Rule("raise", "king-high or better across", "horizontal", _worth_raising("horizontal", "vertical"), _RAISE),
    Rule("raise", "nothing", "fold", _otherwise, "the ante costs less than two raises on nothing"),
)


# --- Pai Gow Poker --------------------------------------------------------------------------------------------------

PAI_GOW: Final = (
    Rule(THE_BANK, "any offer", "decline_bank", _otherwise, "a bank risks as much as everybody else together"),
    Rule(HANDS, "any hand", "set_house_way", _otherwise, "the house sets its own cards like this"),
)

simple_rule: Final = Rules(CRISS_CROSS + DOUBLE_CROSS + PAI_GOW)
"""What a careful visitor could play from memory."""
