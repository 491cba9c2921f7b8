"""Bots: a way to wager, and a way to decide.

Ways to decide add up, and the first with an answer decides: ``careful + always(1)`` bets once wherever `careful` has no
answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from crossfelt.cards.shuffle import Chance
from crossfelt.errors import BadInput
from crossfelt.play.careful_player import Choice, careful_choice, multiples
from crossfelt.play.player_view import BANK, HANDS, PlayerView, base_of
from crossfelt.play.text import wager_called
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide
from crossfelt.table.act import Move, Option, Range, fill_in, largest_at_most


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


def carry_out(view: PlayerView, action: str) -> Move | None:
    """Return the move of an action; None where it is not open."""
    if match := re.fullmatch(r"(\d+)x", action):
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


class Bets(msgspec.Struct, frozen=True):
    """The same wagers in every round, in cents; wagers that the table does not offer are left out."""

    ante_cents: int
    sides_cents: Mapping[str, int]
    """By name; without a name, the first optional wager of the table."""

    def __add__(self, decides: Decider) -> Bot:
        return Bot(self, decides)

    def wagers(self, option: Option) -> dict[str, int]:
        """Return stakes that the table takes: within its limits, as near as possible to the wanted amounts."""
        first = [wager for wager in option.ranges if wager not in option.optional] or list(option.ranges)[:1]
        optional = [wager for wager in option.ranges if wager not in first]
        wanted = dict.fromkeys(first, self.ante_cents)
        for name, cents in self.sides_cents.items():
            wager = wager_called(name, optional) if name else next(iter(optional), None)
            if cents and wager is not None:
                wanted.setdefault(wager, cents)
        return {wager: largest_at_most(option.ranges[wager], cents) for wager, cents in wanted.items()}

    def whole_round_cents(self, game: Game, option: Option) -> int:
        """Return the largest cost of a round: a bot should not have to fold for want of chips."""
        wagers = self.wagers(option)
        steps = [step for step in game.book.script if isinstance(step, Decide) and step.bet is not None]
        asked = [step for step in steps if game.offers(step.wager)]
        to_come = {step.wager: 0 for step in asked}
        for step in asked:
            most = max(multiples(game, step)) * base_of(game, step.wager, wagers)
            to_come[step.wager] = max(to_come[step.wager], most)
        return sum(wagers.values()) + sum(to_come.values())


def bets(ante: int, **sides: int) -> Bets:
    """Stake some dollars on each required wager, and on others by name."""
    return Bets(ante * 100, {wager: dollars * 100 for wager, dollars in sides.items()})


class CarefulPlayer(Decider, frozen=True):
    """A careful visitor: the best mean over sampled deals, hands set the house way, and no bank."""

    def choice(self, view: PlayerView) -> Choice | None:
        """Return the act that the player takes, with its reason."""
        if view.asked == BANK:
            return Choice("decline_bank", why="a bank risks as much as all other players together")
        if view.asked == HANDS:
            return Choice("set_house_way", why="the house sets its own cards like this")
        return careful_choice(view)

    def move(self, view: PlayerView) -> Move | None:
        choice = self.choice(view)
        return None if choice is None else carry_out(view, choice.action)


careful_player: Final = CarefulPlayer()


class Always(Decider, frozen=True):
    """The same multiple of the ante with any cards; the first line or hand on offer where one is named.

    >>> bets(10) + always(3)
    Bot(bets=Bets(ante_cents=1000, sides_cents={}), decides=Always(times=3))
    """

    times: int

    def move(self, view: PlayerView) -> Move | None:
        return times_base(view, self.times) or next(map(fill_in, view.options.get("choose", ())), None)


always: Final = Always


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


at_random: Final = AtRandom


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
    "careful": lambda _: careful_player,
    "always-1": lambda _: always(1),
    "always-2": lambda _: always(2),
    "always-3": lambda _: always(3),
    "random": at_random,
}
"""Ways that need only the table; `crossfelt.analysis.best_play_bot` has best play."""
DEFAULT_BETS: Final = bets(10)
_FORM: Final = re.compile(r"(?P<name>[a-z0-9-]+?)(?::(?P<ante>\d{1,6})(?P<sides>(?:\+(?:[a-z_]+=)?\d{1,6})*))?")


def bot_named(text: str, seed: bytes, *, ways: Ways = BOTS, game: Game | None = None, where: str = "bots") -> Bot:
    """Return a bot by its name, with bets in dollars where they are not the usual: ``careful``, ``always-3:25+5``.

    With `game`, a wager that the table does not offer is refused.

    >>> bot_named("always-3:25+5", repeatable_seed(0)).bets
    Bets(ante_cents=2500, sides_cents={'': 500})
    >>> bot_named("careful:10+spin=5", repeatable_seed(0)).bets
    Bets(ante_cents=1000, sides_cents={'spin': 500})
    >>> bot_named("clever", repeatable_seed(0))
    Traceback (most recent call last):
    crossfelt.errors.BadInput: bots: no such bot: 'clever' (allowed: careful, always-1, always-2, always-3, random, \
each also as NAME:ANTE, NAME:ANTE+BONUS or NAME:ANTE+WAGER=AMOUNT)
    """
    match = _FORM.fullmatch(text)
    if match is None or match["name"] not in ways:
        allowed = f"{', '.join(ways)}, each also as NAME:ANTE, NAME:ANTE+BONUS or NAME:ANTE+WAGER=AMOUNT"
        raise BadInput.at(where, "bot.unknown", "no such bot", text, allowed)
    if not match["ante"]:
        return DEFAULT_BETS + ways[match["name"]](seed)
    sides: dict[str, int] = {}
    optional = [wager.id for wager in game.opening_wagers.values() if not wager.required] if game is not None else []
    for part in match["sides"].split("+")[1:]:
        name, _, amount = part.rpartition("=")
        if name and game is not None and wager_called(name, optional) is None:
            raise BadInput.at(where, "bot.wager", "no such wager", name, ", ".join(optional) or "none")
        sides[name] = int(amount)
    return bets(int(match["ante"]), **sides) + ways[match["name"]](seed)
