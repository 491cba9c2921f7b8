"""The least and the greatest stakes of a round, from the wagers and decisions of a rulebook."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide


def minimum_stakes(game: Game) -> list[dict[str, int]]:
    """Return the least stakes of the wagers that open a round, with every set of bets that can follow them.

    Where a payout limit covers optional wagers only, the minimum wager is the least stake of these.
    """
    covered = [wager.id for wager in game.wagers if wager.id in game.limited_wagers]
    sets = [(*opening, *bets) for opening in opening_sets(game) for bets in bets_after(game, opening)]
    if covered and not any(set(covered).intersection(placed) for placed in sets):
        sets = [tuple(covered)]
    return [{name: least_cents(game, name) for name in placed} for placed in sets]


def opening_sets(game: Game) -> list[tuple[str, ...]]:
    """Return the wagers that open a round: the required ones, or each of those on which others build."""
    wagers = game.opening_wagers.values()
    required = tuple(wager.id for wager in wagers if wager.required)
    if required:
        return [required]
    bases = {wager.stake.of for wager in game.wagers} | {name for wager in game.wagers for name in wager.needs}
    built_on = [wager for wager in wagers if {wager.id, wager.group} & (bases - {None})]
    return [(wager.id,) for wager in built_on or wagers if not wager.needs]


def unit_of(game: Game) -> str:
    """Name the stake that results are counted in: as the limits are posted for it, or by its title.

    >>> unit_of(compile_game("nj-criss-cross"))
    'ante'
    """
    first = game.wager(opening_sets(game)[0][0])
    return (first.stake.posted or first.title).replace("_", " ").lower()


def ante_range(game: Game) -> tuple[int, int]:
    """Return the least and the greatest stake of the wager in which results are counted."""
    first = opening_sets(game)[0][0]
    return least_cents(game, first), greatest_cents(game, first)


def greatest_stakes(game: Game, opening: Sequence[str]) -> list[dict[str, int]]:
    """Return the greatest stakes of some wagers before the deal, with every set of bets that can follow them."""
    return [{name: greatest_cents(game, name) for name in (*opening, *bets)} for bets in bets_after(game, opening)]


def bets_after(game: Game, opening: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the largest sets of bets that a player can make after some wagers.

    >>> bets_after(compile_game("nj-criss-cross"), ["ante_across", "ante_down"])
    [('across', 'down', 'middle')]
    """
    made_so_far: set[tuple[str, ...]] = {()}
    for step in game.book.script:
        if isinstance(step, Decide):
            made_so_far |= {
                (*bets, action.bet)
                for bets in made_so_far
                for action in step.actions
                if action.bet is not None and action.bet not in bets
                if {*opening, *bets}.issuperset(step.with_) and {*opening, *bets}.isdisjoint(step.without)
            }
    return sorted(bets for bets in made_so_far if not any(set(bets) < set(more) for more in made_so_far))


def least_cents(game: Game, name: str) -> int:
    """Return the smallest stake on a wager: the posted minimum, or the least multiple of its base wager's."""
    wager, stake = game.wager(name), game.wager(name).stake
    if stake.of is not None:
        times = game.settings.get("minimum_wager_bets_at", 1)
        assert isinstance(times, int)
        lowest, highest = _multiples(game, wager)
        return least_cents(game, game.base(wager).id) * min(max(times, lowest), highest)
    return game.credit_cents(wager) * (min(_amounts(game, wager)) if _amounts(game, wager) else _posted(game, wager)[0])


def greatest_cents(game: Game, name: str) -> int:
    """Return the largest stake on a wager."""
    wager, stake = game.wager(name), game.wager(name).stake
    if stake.of is not None:
        return greatest_cents(game, game.base(wager).id) * _multiples(game, wager)[1]
    return game.credit_cents(wager) * (max(_amounts(game, wager)) if _amounts(game, wager) else _posted(game, wager)[1])


def _posted(game: Game, wager: Wager) -> tuple[int, int]:
    limits = game.limits(wager.stake.posted or wager.id)
    return limits.min, limits.max


def _amounts(game: Game, wager: Wager) -> list[int]:
    return [*wager.stake.cents, *(wheel.stake_cents for wheel in game.wheels if wheel.wager == wager.id)]


def _multiples(game: Game, wager: Wager) -> tuple[int, int]:
    """Return the least and the greatest multiple of a bet, over all decisions that allow it."""
    steps = [step for step in game.book.script if isinstance(step, Decide)]
    named = [times for step in steps for action in step.actions if action.bet == wager.id for times in action.times]
    named = named or [*wager.stake.times] or [wager.stake.min, wager.stake.max]
    return min(named), max(named)
