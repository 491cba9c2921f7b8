"""Bots: ordered rules that a person can remember, each with its reason.

Ways to decide add up, and the first with an answer decides: ``careful + always(1)`` bets once wherever `careful` has no
answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import msgspec

from crossfelt.cards.card import RANKS, Card
from crossfelt.cards.shuffle import Chance
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.rank import HandRank
from crossfelt.play.player_view import BANK, HANDS, PlayerView, base_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide
from crossfelt.table.act import Move, Option, Range, fill_in, largest_at_most

ACE: Final = RANKS.index("A")
KING: Final = RANKS.index("K")


class Decider(msgspec.Struct, frozen=True):
    """A way of deciding."""

    def move(self, view: PlayerView) -> Move | None:
        """Return a move; None to leave it to the next bot in the sum."""
        raise NotImplementedError

    def __add__(self, other: Decider) -> Decider:
        return DeciderChain((self, other))


class DeciderChain(Decider, frozen=True):
    """Ways to decide, tried in order."""

    deciders: tuple[Decider, ...]

    def move(self, view: PlayerView) -> Move | None:
        return next((move for decider in self.deciders if (move := decider.move(view)) is not None), None)


class DecisionRule(msgspec.Struct, frozen=True):
    """One line of advice."""

    wager: str
    """The decision that it is about."""
    name: str
    action: str
    """``3x``, ``fold``, ``set_house_way``, ``decline_bank``, or the name of a choice."""
    when: Callable[[PlayerView], bool]
    reason: str


class RuleList(Decider, frozen=True):
    """An ordered list of rules: the first that applies decides."""

    rules: tuple[DecisionRule, ...]

    def rule(self, view: PlayerView) -> DecisionRule | None:
        """Return the line of advice that applies."""
        return next((rule for rule in self.rules if rule.wager == view.asked and rule.when(view)), None)

    def move(self, view: PlayerView) -> Move | None:
        rule = self.rule(view)
        return None if rule is None else carry_out(view, rule.action)


def carry_out(view: PlayerView, action: str) -> Move | None:
    """Return the move of an action; None where it is not open."""
    if match := re.fullmatch(r"(\d)x", action):
        return times_base(view, int(match[1]))
    if action in ("fold", "set_house_way", "decline_bank"):
        return next(map(fill_in, view.options.get(action, ())), None)
    choices = (option for option in view.options.get("choose", ()) if option.fields["choice"] == action)
    return next(map(fill_in, choices), None)


def times_base(view: PlayerView, times: int) -> Move | None:
    """Return a bet of `times` the ante, or as much of it as the chips allow."""
    option = view.option("bet")
    if option is None:
        return None
    return fill_in(option, cents=largest_at_most(option.ranges["cents"], times * view.base_cents))


# --- reading cards --------------------------------------------------------------------------------------------------


def groups(cards: Iterable[Card]) -> list[tuple[int, int]]:
    """Return the counts and ranks of equal cards, the largest group first.

    >>> from crossfelt.cards import parse_cards
    >>> groups(parse_cards("Ks Kd 2c"))
    [(2, 11), (1, 0)]
    """
    ranks = [card.rank for card in cards]
    return sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)


def made(game: Game, cards: Iterable[Card]) -> str:
    """Return the present result of a hand's visible cards by the bets' pay table: a win, a push or a small pair.

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
    """The facts of the bets' pay table that the rules for Criss Cross Poker use."""
    return tuple(_worth(game, category, rank) for category in _MADE for rank in range(len(RANKS)))


_MADE: Final = ("pair", "two_pair", "three_of_a_kind", "four_of_a_kind")


@cache
def _worth(game: Game, category: str, rank: int) -> str:
    odds = game.pays["bets"].odds_for(HandRank("five_card", category, (rank,)))
    if odds is None:
        return ""
    return "pushes" if odds.is_push else "wins"


def points(game: Game, cards: Iterable[Card]) -> int:
    """Return two for a card that would win as a pair, one for a card that would push.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> points(compile_game("md-criss-cross"), parse_cards("Js 6d 5c"))
    3
    """
    worth = {"wins": 2, "pushes": 1, "": 0}
    return sum(worth[_worth(game, "pair", card.rank)] for card in cards)


def draws(cards: Sequence[Card]) -> bool:
    """Say if one more card completes a flush, or a straight at either end.

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


def _safe_pair(view: PlayerView) -> bool:
    return made(view.game, view.hole) in ("wins", "pushes")


def _any_pair(view: PlayerView) -> bool:
    return bool(made(view.game, view.hole))


def _one_suit(view: PlayerView) -> bool:
    return len({card.suit for card in view.hole}) == 1


def _has_points(least: int) -> Callable[[PlayerView], bool]:
    return lambda view: points(view.game, view.hole) >= least


def _a_line_has(*found: str) -> Callable[[PlayerView], bool]:
    return lambda view: any(made(view.game, view.line(line)) in found for line in ("across", "down"))


def _a_line_draws(view: PlayerView) -> bool:
    return any(draws(view.line(line)) for line in ("across", "down"))


def _otherwise(_: PlayerView) -> bool:
    return True


CRISS_CROSS: Final = (
    DecisionRule(
        "across", "a pair that cannot lose", "3x", _safe_pair, "it pushes or wins on both lines, whatever comes"
    ),
    DecisionRule("across", "a small pair", "1x", _any_pair, "two pair or three of a kind may come, on two lines"),
    DecisionRule("across", "two points", "1x", _has_points(2), "there are two lines in which to pair a good card"),
    DecisionRule("across", "one suit", "1x", _one_suit, "a flush pays well on either line"),
    DecisionRule("across", "nothing", "fold", _otherwise, "the antes cost less than three more bets on nothing"),
    DecisionRule("down", "a pair that cannot lose", "3x", _safe_pair, "the down line has it too"),
    DecisionRule(
        "down", "a pair across", "1x", _a_line_has("wins", "pushes", "small pair"), "there is something to defend"
    ),
    DecisionRule("down", "a draw across", "1x", _a_line_draws, "the middle card may complete it"),
    DecisionRule("down", "one point", "1x", _has_points(1), "three more cards may pair it"),
    DecisionRule("down", "nothing", "fold", _otherwise, "neither line has anything, and two bets are still to come"),
    DecisionRule(
        "middle", "a line that cannot lose", "3x", _a_line_has("wins", "pushes"), "it loses only if both lines lose"
    ),
    DecisionRule("middle", "a draw", "3x", _a_line_draws, "a flush or a straight pays more than it misses"),
    DecisionRule("middle", "a small pair", "1x", _a_line_has("small pair"), "the middle card may improve it"),
    DecisionRule(
        "middle", "anything else", "1x", _otherwise, "two cards or more can be paired, and save the earlier bets"
    ),
)
"""The points of a card by the pay of its pair: two where it wins (jacks), one where it pushes (sixes)."""


# --- Double Cross Poker ---------------------------------------------------------------------------------------------
# Loses about 0.12 of an ante in a round, raising on everything about 0.25 (60,000 simulated rounds).


def _three_card_pays(view: PlayerView) -> bool:
    line = next(line for line in view.game.book.lines if line.id == "three_card")
    hand = KINDS[line.hand].classify(view.line(line.id))
    return view.game.pays["three_card"].line_for(hand) is not None


def _worth_raising(better: str, other: str) -> Callable[[PlayerView], bool]:
    """Say if the line is at least as good as the other, and has a pair, an ace or a king."""

    def when(view: PlayerView) -> bool:
        best = groups(view.line(better))
        return best >= groups(view.line(other)) and best[0] >= (1, KING)

    return when


_RAISE: Final = "a pair, an ace or a king beats the dealer's better line often enough"
DOUBLE_CROSS: Final = (
    DecisionRule("three_card", "it pays", "expose", _three_card_pays, "a hand that is not shown loses"),
    DecisionRule("three_card", "it loses", "decline", _otherwise, "there is nothing to show"),
    DecisionRule("raise", "king-high or better down", "vertical", _worth_raising("vertical", "horizontal"), _RAISE),
    DecisionRule("raise", "king-high or better across", "horizontal", _worth_raising("horizontal", "vertical"), _RAISE),
    DecisionRule("raise", "nothing", "fold", _otherwise, "the ante costs less than two raises on nothing"),
)


# --- Pai Gow Poker --------------------------------------------------------------------------------------------------

PAI_GOW: Final = (
    DecisionRule(BANK, "any offer", "decline_bank", _otherwise, "a bank risks as much as all other players together"),
    DecisionRule(HANDS, "any hand", "set_house_way", _otherwise, "the house sets its own cards like this"),
)

simple_rule: Final = RuleList(CRISS_CROSS + DOUBLE_CROSS + PAI_GOW)
"""A strategy that a careful visitor could play from memory."""


# --- bots: a way to wager plus a way to decide ------------------------------------------------------------------------


SHORT_NAMES: Final[Mapping[str, str]] = {
    "bonus": "five_card_bonus",
    "spin": "bonus_spin",
    "xtreme": "bonus_spin_xtreme",
    "three": "three_card",
    "player": "progressive_player",
    "dealer": "progressive_dealer",
}
"""Wagers as people say and type them."""


# --- how much -------------------------------------------------------------------------------------------------------


class Bets(msgspec.Struct, frozen=True):
    """The same wagers in every round, in cents; wagers that the table does not offer are left out."""

    ante_cents: int
    sides_cents: Mapping[str, int]

    def __add__(self, decides: Decider) -> Bot:
        return Bot(self, decides)

    def wagers(self, option: Option) -> dict[str, int]:
        """Return stakes that the table takes: within its limits, as near as possible to the wanted amounts."""
        required = (wager for wager in option.ranges if wager not in option.optional)
        sides = {wager: cents for wager, cents in self.sides_cents.items() if cents and wager in option.optional}
        wanted = {**dict.fromkeys(required, self.ante_cents), **sides}
        return {wager: largest_at_most(option.ranges[wager], cents) for wager, cents in wanted.items()}

    def whole_round_cents(self, game: Game, option: Option) -> int:
        """Return the largest cost of a round: a bot should not have to fold for want of chips."""
        wagers = self.wagers(option)
        steps = (step for step in game.book.script if isinstance(step, Decide))
        asked = [game.wager(step.wager) for step in steps if game.offers(step.wager)]
        bets_to_come = sum(wager.stake.max * base_of(game, wager.id, wagers) for wager in asked)
        return sum(wagers.values()) + bets_to_come


def bets(ante: int, **sides: int) -> Bets:
    """Stake some dollars on each required wager, and on others by name.

    >>> bets(10, bonus=5)
    Bets(ante_cents=1000, sides_cents={'five_card_bonus': 500})
    """
    return Bets(ante * 100, {SHORT_NAMES.get(wager, wager): dollars * 100 for wager, dollars in sides.items()})


# --- how it decides -------------------------------------------------------------------------------------------------


class Always(Decider, frozen=True):
    """The same multiple of the ante with any cards; the first line or hand on offer where one is named."""

    times: int

    def move(self, view: PlayerView) -> Move | None:
        return times_base(view, self.times) or next(map(fill_in, view.options.get("choose", ())), None)


def always(times: int) -> Always:
    """Bet `times` the ante in every decision.

    >>> bets(10) + always(3)
    Bot(bets=Bets(ante_cents=1000, sides_cents={}), decides=Always(times=3))
    """
    return Always(times)


class AtRandom(Decider, frozen=True):
    """Play any allowed move. The draws depend on seed, seat, round and step alone."""

    seed: bytes

    def move(self, view: PlayerView) -> Move | None:
        chance = Chance(self.seed, f"bot/{view.seat}/{view.round}/{view.step}")
        options = [option for name in DECISIONS for option in view.options.get(name, ())]
        if not options:
            return None
        option = options[chance.below(len(options))]
        if option.command == "set_hand":
            return fill_in(option, low=chance.shuffled(view.hole)[:2], insists=True)
        return fill_in(option, **{name: _drawn(chance, amounts) for name, amounts in option.ranges.items()})


DECISIONS: Final = (
    *("bet", "fold", "choose", "set_hand", "set_house_way", "surrender"),
    *("take_bank", "decline_bank"),
)
"""The decisions of a player after the cards, and before the wagers."""


def _drawn(chance: Chance, amounts: Range) -> int:
    if amounts.of:
        return amounts.of[chance.below(len(amounts.of))]
    return amounts.min + amounts.step * chance.below((amounts.max - amounts.min) // amounts.step + 1)


def at_random(seed: bytes) -> AtRandom:
    """A random choice among the options, for tests in which everything should happen.

    >>> from crossfelt.cards.shuffle import repeatable_seed
    >>> (bets(10) + at_random(repeatable_seed(7))).bets.ante_cents
    1000
    """
    return AtRandom(seed)


# --- a whole bot ----------------------------------------------------------------------------------------------------


class Bot(msgspec.Struct, frozen=True):
    """A player without a person: it bets and decides."""

    bets: Bets
    decides: Decider

    def wagers(self, option: Option) -> Move:
        """Return the wagers before the cards."""
        return fill_in(option, wagers=self.bets.wagers(option))

    def decide(self, view: PlayerView) -> Move:
        """Return the decision. Without one it folds, has its hand set, declines the bank, or takes the last choice."""
        passing = (carry_out(view, action) for action in ("fold", "set_house_way", "decline_bank"))
        move = self.decides.move(view) or next(filter(None, passing), None)
        return move or fill_in(view.options["choose"][-1])


Ways = Mapping[str, Callable[[bytes], Decider]]
"""Ways to decide by name; some draw from the seed."""
BOTS: Final[Ways] = {
    "simple": lambda _: simple_rule,
    "always-1": lambda _: always(1),
    "always-2": lambda _: always(2),
    "always-3": lambda _: always(3),
    "random": at_random,
}
"""Ways that need only the table; `crossfelt.analysis.best_play_bot` has best play."""
DEFAULT_BETS: Final = bets(10)
_FORM: Final = re.compile(r"(?P<name>[a-z0-9-]+?)(?::(?P<ante>\d{1,6})(?P<sides>(?:\+(?:[a-z_]+=)?\d{1,6})*))?")
_SIDES: Final = (*SHORT_NAMES, *SHORT_NAMES.values(), "imperial", "seven_card", "queens_dragon")
_BONUSES: Final = ("bonus", "three")
"""The wagers of a bare amount, wherever they are offered."""


def bot_named(text: str, seed: bytes, *, ways: Ways = BOTS, where: str = "bots") -> Bot:
    """Return a bot by its name, with bets in dollars where they are not the usual: ``simple``, ``always-3:25+5``.

    >>> from crossfelt.cards.shuffle import repeatable_seed
    >>> bot_named("always-3:25+5", repeatable_seed(0)) == bets(25, bonus=5, three=5) + always(3)
    True
    >>> bot_named("simple:10+spin=5", repeatable_seed(0)).bets
    Bets(ante_cents=1000, sides_cents={'bonus_spin': 500})
    >>> bot_named("clever", repeatable_seed(0))
    Traceback (most recent call last):
    crossfelt.errors.BadInput: bots: no such bot: 'clever' (allowed: simple, always-1, always-2, always-3, random, \
each also as NAME:ANTE, NAME:ANTE+BONUS or NAME:ANTE+WAGER=AMOUNT)
    """
    match = _FORM.fullmatch(text)
    if match is None or match["name"] not in ways:
        allowed = f"{', '.join(ways)}, each also as NAME:ANTE, NAME:ANTE+BONUS or NAME:ANTE+WAGER=AMOUNT"
        raise BadInput(Problem(code="bot.unknown", what="no such bot", where=where, value=text, allowed=allowed))
    if not match["ante"]:
        return DEFAULT_BETS + ways[match["name"]](seed)
    return bets(int(match["ante"]), **_sides(match["sides"], where)) + ways[match["name"]](seed)


def _sides(text: str, where: str) -> dict[str, int]:
    """Return the optional wagers of a bot by name, in dollars."""
    sides: dict[str, int] = {}
    for part in text.split("+")[1:]:
        name, named, amount = part.rpartition("=")
        if named and name not in _SIDES:
            allowed = ", ".join(dict.fromkeys(_SIDES))
            raise BadInput(Problem(code="bot.wager", what="no such wager", where=where, value=name, allowed=allowed))
        sides |= {name: int(amount)} if named else dict.fromkeys(_BONUSES, int(amount))
    return sides
