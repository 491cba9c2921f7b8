"""Bots: how much they wager and how they decide are chosen apart, and added together.

    bets(10, bonus=5) + simple_rule
    bets(25) + always(3)

A bot is asked like a person in its seat: it sees its own cards, what lies face up, and what is `allowed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from crossfelt.cards.shuffle import Chance
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide
from crossfelt.table.acts import Option, Range
from crossfelt.table.bot_rules import Decider, carry_out, simple_rule, times_base
from crossfelt.table.moves import Move, at_most, take
from crossfelt.table.sight import Sight, base_of

__all__ = ["BOTS", "Bets", "Bot", "always", "at_random", "bets", "bot_named", "simple_rule"]

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
    """The same wagers in every round, in cents; what the table does not offer is left out."""

    ante_cents: int
    sides_cents: Mapping[str, int]

    def __add__(self, decides: Decider) -> Bot:
        return Bot(self, decides)

    def wagers(self, option: Option) -> dict[str, int]:
        """Stakes that the table takes: within its limits, as near to the wanted amounts as they allow."""
        required = (wager for wager in option.ranges if wager not in option.optional)
        sides = {wager: cents for wager, cents in self.sides_cents.items() if cents and wager in option.optional}
        wanted = {**dict.fromkeys(required, self.ante_cents), **sides}
        return {wager: at_most(option.ranges[wager], cents) for wager, cents in wanted.items()}

    def whole_round_cents(self, game: Game, option: Option) -> int:
        """What a round can cost at most: nobody should have to fold for want of chips."""
        wagers = self.wagers(option)
        steps = (step for step in game.book.script if isinstance(step, Decide))
        asked = [game.wager(step.wager) for step in steps if game.offers(step.wager)]
        bets_to_come = sum(wager.stake.max * base_of(game, wager.id, wagers) for wager in asked)
        return sum(wagers.values()) + bets_to_come


def bets(ante: int, **sides: int) -> Bets:
    """So many dollars on each wager that a player must place, and on others by name.

    >>> bets(10, bonus=5)
    Bets(ante_cents=1000, sides_cents={'five_card_bonus': 500})
    """
    return Bets(ante * 100, {SHORT_NAMES.get(wager, wager): dollars * 100 for wager, dollars in sides.items()})


# --- how it decides -------------------------------------------------------------------------------------------------


class Always(Decider, frozen=True):
    """The same multiple of the ante whatever the cards; where a line or a hand is named, the first on offer."""

    times: int

    def move(self, sight: Sight) -> Move | None:
        return times_base(sight, self.times) or next(map(take, sight.options.get("choose", ())), None)


def always(times: int) -> Always:
    """Bets so many times the ante, to the end.

    >>> bets(10) + always(3)
    Bot(bets=Bets(ante_cents=1000, sides_cents={}), decides=Always(times=3))
    """
    return Always(times)


class AtRandom(Decider, frozen=True):
    """Anything that is allowed. The draws hang on seed, seat, round and step alone, not on what came before."""

    seed: bytes

    def move(self, sight: Sight) -> Move | None:
        chance = Chance(self.seed, f"bot/{sight.seat}/{sight.round}/{sight.step}")
        options = [option for name in DECISIONS for option in sight.options.get(name, ())]
        if not options:
            return None
        option = options[chance.below(len(options))]
        if option.command == "set_hand":
            return take(option, low=chance.shuffled(sight.hole)[:2], insists=True)
        return take(option, **{name: _drawn(chance, amounts) for name, amounts in option.ranges.items()})


DECISIONS: Final = (
    *("bet", "fold", "choose", "set_hand", "set_house_way", "surrender"),
    *("take_bank", "decline_bank"),
)
"""What a player can be asked for once the cards are there, and before the wagers."""


def _drawn(chance: Chance, amounts: Range) -> int:
    if amounts.of:
        return amounts.of[chance.below(len(amounts.of))]
    return amounts.min + amounts.step * chance.below((amounts.max - amounts.min) // amounts.step + 1)


def at_random(seed: bytes) -> AtRandom:
    """Does anything that is allowed, for tests in which everything should happen.

    >>> from crossfelt.cards.shuffle import repeatable_seed
    >>> (bets(10) + at_random(repeatable_seed(7))).bets.ante_cents
    1000
    """
    return AtRandom(seed)


# --- a whole bot ----------------------------------------------------------------------------------------------------


class Bot(msgspec.Struct, frozen=True):
    """A player that decides by itself."""

    bets: Bets
    decides: Decider

    def wagers(self, option: Option) -> Move:
        """Its wagers before the cards."""
        return take(option, wagers=self.bets.wagers(option))

    def decide(self, sight: Sight) -> Move:
        """Its answer. With nothing to say it folds, has its hand set, lets the bank pass, or takes the last choice."""
        passing = (carry_out(sight, action) for action in ("fold", "set_house_way", "decline_bank"))
        move = self.decides.move(sight) or next(filter(None, passing), None)
        return move or take(sight.options["choose"][-1])


Ways = Mapping[str, Callable[[bytes], Decider]]
"""Ways of deciding by name; the seed is for those that draw."""
BOTS: Final[Ways] = {
    "simple": lambda _: simple_rule,
    "always-1": lambda _: always(1),
    "always-2": lambda _: always(2),
    "always-3": lambda _: always(3),
    "random": at_random,
}
"""Ways that need nothing but the table; `crossfelt.analysis.bots` has best play."""
DEFAULT_BETS: Final = bets(10)
_FORM: Final = re.compile(r"(?P<name>[a-z0-9-]+?)(?::(?P<ante>\d{1,6})(?P<sides>(?:\+(?:[a-z_]+=)?\d{1,6})*))?")
_SIDES: Final = (*SHORT_NAMES, *SHORT_NAMES.values(), "imperial", "seven_card", "queens_dragon")
_BONUSES: Final = ("bonus", "three")
"""The wagers that a bare amount is for, wherever they are offered."""


def bot_named(text: str, seed: bytes, *, ways: Ways = BOTS, where: str = "bots") -> Bot:
    """A bot by its name, with its bets in dollars where they are not the usual ones: ``simple``, ``always-3:25+5``.

    >>> from crossfelt.cards.shuffle import repeatable_seed
    >>> bot_named("always-3:25+5", repeatable_seed(0)) == bets(25, bonus=5, three=5) + always(3)
    True
    >>> bot_named("simple:10+spin=5", repeatable_seed(0)).bets
    Bets(ante_cents=1000, sides_cents={'bonus_spin': 500})
    >>> bot_named("clever", repeatable_seed(0))
    Traceback (most recent call last):
    crossfelt.problems.BadInput: bots: no such bot: 'clever' (allowed: simple, always-1, always-2, always-3, random, \
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
    """The optional wagers of a bot, by name, in dollars."""
    sides: dict[str, int] = {}
    for part in text.split("+")[1:]:
        name, named, amount = part.rpartition("=")
        if named and name not in _SIDES:
            allowed = ", ".join(dict.fromkeys(_SIDES))
            raise BadInput(Problem(code="bot.wager", what="no such wager", where=where, value=name, allowed=allowed))
        sides |= {name: int(amount)} if named else dict.fromkeys(_BONUSES, int(amount))
    return sides
