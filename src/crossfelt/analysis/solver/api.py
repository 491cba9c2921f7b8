"""Entry points of the solver; kernels are imported when a question needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from msgspec.structs import replace

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import OPTIMAL, RulesIdentity, SideBet, Solution
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.kernels.threads import Done
from crossfelt.progressive.returns import WagerReturn, wheel_return
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Wager, Wheel

_ONE_HAND: Final = "crossfelt.analysis.solver.one_hand"
_TWO_HANDS: Final = "crossfelt.analysis.solver.two_hands"
"""Modules with `solve`, `advise` and `side_bets`: of any game, and of one whose players set two hands."""


def solve(
    game: Game | str,
    *,
    pay: Pay | None = None,
    known: str = "",
    strategy: str = OPTIMAL,
    antes: Sequence[int] = (),
    done: Done | None = None,
) -> Solution:
    """Return the exact solution of a game under its best strategy or another one.

    `game` is a compiled game, or the id or file of a rulebook. `pay` changes odds, and `known` names a card that the
    player sees before the first decision. Strategies are named as `crossfelt strategy costs` lists them. `antes` are
    stakes in cents at which the return is computed as well, with the payout limit in force. Long work calls `done` with
    the steps done and all steps.

    >>> float(round(solve("nj-criss-cross").ev, 6))
    -0.086571
    """
    compiled = _compiled(game)
    require_antes(compiled, antes)
    if compiled.book.splits:
        set_: Solution = _solver(compiled).solve(compiled, pay=pay or {}, known=known, strategy=strategy, done=done)
        return set_
    solution: Solution
    if strategy != OPTIMAL:
        asked = with_pay(compiled, pay or {})
        found = _with_strategy(asked, known, strategy, done)
        solution = replace(found, rules=RulesIdentity.of(compiled, pay=pay_texts(asked, pay or {})))
    else:
        solution = _solver(compiled).solve(compiled, pay=pay or {}, known=known, done=done)
    return at_antes(compiled, solution, antes, done) if antes else solution


def at_antes(game: Game, solution: Solution, antes: Sequence[int], done: Done | None = None) -> Solution:
    """Return the solution of a game with its return at these antes, in cents, with the payout limit in force."""
    require_antes(game, antes)
    found: Solution = _solver(game).at_antes(solution, antes, done)
    return found


def require_antes(game: Game, antes: Sequence[int]) -> None:
    """Raise BadInput for an ante at which a game has no exact return."""
    for ante in antes:
        if isinstance(ante, bool) or not isinstance(ante, int) or not 1 <= ante <= LARGEST_CENTS:
            what, allowed = "not an ante in cents", f"whole numbers from 1 to {LARGEST_CENTS:,}"
            raise BadInput.at("ante", "solve.ante", what, ante, allowed)
    if antes and game.book.splits:
        what = "no exact return at an ante: players of this game set two hands; leave out the ante"
        raise BadInput.at(game.book.id, "solve.ante", what)


def _with_strategy(game: Game, known: str, strategy: str, done: Done | None) -> Solution:
    from crossfelt.analysis.strategies.named import read_strategy, solve_named, strategies_of

    if not strategies_of(game):
        raise BadInput.at("strategy", "strategy.unknown", "this game has no other strategies", strategy, OPTIMAL)
    if known:
        what = "only best play uses a card that was seen; leave out the strategy or the card"
        raise BadInput.at("strategy", "strategy.known", what, strategy, OPTIMAL)
    return solve_named(game, read_strategy(game, strategy), done or (lambda done, of: None))


def advise(
    game: Game | str,
    *,
    pay: Pay | None = None,
    bets: Mapping[str, int | str | Fraction] | None = None,
    **cards: str,
) -> Advice:
    """Return the exact value of each choice in a position: the visible cards by name, and earlier bets in antes.

    >>> advise("nj-criss-cross", hole="As Ah").best
    '3x'
    """
    advice: Advice = _solver(game).advise(_compiled(game), pay=pay or {}, bets=bets or {}, cards=cards)
    return advice


def choices_by_hole(
    game: Game, *, bets: Mapping[str, int | str | Fraction], **cards: str
) -> Callable[[Sequence[Card]], tuple[str, Mapping[str, Fraction]]]:
    """Return a function from any two hole cards to the best choice and the value of each, beside the open cards.

    It answers the whole grid of a decision in a moment, where `advise` would answer one hand.
    """
    found: Callable[[Sequence[Card]], tuple[str, Mapping[str, Fraction]]]
    found = _solver(game).choices_by_hole(game, bets=bets, cards=cards)
    return found


def side_bets_of(game: Game) -> dict[str, SideBet]:
    """Return the exact outcomes of the wagers without decisions."""
    bets: dict[str, SideBet] = _solver(game).side_bets(game)
    return bets


def wheel_returns(game: Game, others: int = 0) -> Iterator[tuple[Wheel, WagerReturn]]:
    """Yield the return of every wheel on offer, with this number of other bettors."""
    for wheel in game.wheels:
        if (found := wheel_return(game, wheel, others)) is not None:
            yield wheel, found


def progressive_returns(game: Game, others: int = 0) -> Iterator[tuple[Wager, WagerReturn]]:
    """Yield the return of every progressive wager on offer, with this number of other bettors."""
    for wager in game.wagers:
        if wager.id in game.credit_wagers:
            from crossfelt.analysis.solver.progressive_wager import progressive_return

            found = progressive_return(game, others, wager=wager.id)
            if found is not None:
                yield wager, found


def _compiled(game: Game | str) -> Game:
    return compile_game(game) if isinstance(game, str) else game


def require_solver(game: Game) -> None:
    """Raise BadInput, with the reason, if the game has no solver."""
    _solver(game).require_reach(game)


@lru_cache(maxsize=64)
def has_solver(game: Game) -> bool:
    """Say if the game has a solver."""
    try:
        require_solver(game)
    except BadInput:
        return False
    return True


@lru_cache(maxsize=64)
def reprices_at_once(game: Game) -> bool:
    """Say if another pay table takes no longer than a moment, once the game is solved."""
    return not game.book.splits and has_solver(game) and bool(import_module(_ONE_HAND).keeps_its_counts(game))


def _solver(game: Game | str) -> Any:
    return import_module(_TWO_HANDS if _compiled(game).book.splits else _ONE_HAND)
