"""Returns of wheels and progressive wagers at a game's weights and meters, as tables and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.progressive.returns import WagerReturn, fold_note, wheel_return
from crossfelt.progressive.wheels import no_spin_return
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.text_layout import columns

MOST_OTHERS: Final = 5


def spun_wheels(game: Game) -> Iterator[tuple[Wheel, tuple[WagerReturn, ...]]]:
    """Yield each wheel with its returns for a bettor alone and with up to five others."""
    for wheel in game.wheels:
        returns = (wheel_return(game, wheel, others) for others in range(MOST_OTHERS + 1))
        if found := tuple(each for each in returns if each is not None):
            yield wheel, found


def percent(value: Fraction) -> str:
    """Format a return.

    >>> percent(Fraction(2, 3))
    '66.67 %'
    """
    return f"{float(100 * value):.2f} %"


def return_lines(game: Game) -> Iterator[str]:
    """Render the return of every wheel, alone and with others, with the effect of its meter.

    >>> print("\\n".join(return_lines(compile_game("nj-criss-cross"))))
    other bettors                    0        1        2        3        4        5
    bonus_spin.3, reset meter  69.18 %  71.89 %  74.61 %  77.32 %  80.03 %  82.75 %
    bonus_spin.3, long run     76.18 %  78.89 %  81.61 %  84.32 %  87.03 %  89.75 %
    bonus_spin.3 alone: break-even at a meter of $1,057,860; one jackpot per 680,000 wagers, $248,000 on average
    A fold at down or middle gives up the spin wager; the returns are those of players who do not fold there.
    """
    wheels = list(spun_wheels(game))
    known = {wheel.wager for wheel, _ in wheels}
    yield from dict.fromkeys(no_spin_return(game, wheel) for wheel in game.wheels if wheel.wager not in known)
    if not wheels:
        return
    rows = [("other bettors", *map(str, range(MOST_OTHERS + 1)))]
    for wheel, returns in wheels:
        if returns[0].awards:
            rows.append((f"{wheel.name}, reset meter", *(percent(r.at(r.reset_cents)) for r in returns)))
            rows.append((f"{wheel.name}, long run", *(percent(r.long_run) for r in returns)))
        else:
            rows.append((wheel.name, *(percent(r.fixed) for r in returns)))
    yield from columns(rows, right=range(1, MOST_OTHERS + 2))
    for wheel, returns in wheels:
        if returns[0].awards:
            yield f"{wheel.name} alone: {_meter_words(returns[0])}"
    if note := fold_note(game):
        yield note


def progressive_lines(game: Game) -> Iterator[str]:
    """Render the wagers in credits: exact return per credit, and the flow of its meter."""
    found = _progressive(game)
    if not found:
        if game.credit_wagers:
            yield "wager in credits: no exact return for its pay table, or for a magic card that counts in the hand"
        return
    rows = [("other bettors on the same hand", *map(str, range(MOST_OTHERS + 1)))]
    for wager, returns in found.items():
        rows.append((f"{wager}, reset meter", *(percent(r.at(r.reset_cents)) for r in returns)))
        bound = ", at least" if returns[0].is_bound else ""
        rows.append((f"{wager}, long run{bound}", *(percent(r.long_run) for r in returns)))
    yield from columns(rows, right=range(1, MOST_OTHERS + 2))
    meter = "the meter's pool above its reset amount, then the chip tray"
    pool = meter if game.settings["odds_paid_from"] == "meter" else "the chip tray"
    for wager, (alone, *_) in found.items():
        fed, drawn = (percent(cents / alone.stake_cents) for cents in (alone.contribution_cents, alone.drawn_cents))
        yield f"{wager} alone, a credit of {dollars(alone.stake_cents)}:"
        yield f"  odds and random awards return {percent(alone.fixed)}, paid from {pool}"
        yield f"  {fed} of each credit goes to the meter; odds and random awards take up to {drawn} from it"
        yield f"  {_meter_words(alone)}"


def _progressive(game: Game) -> dict[str, tuple[WagerReturn, ...]]:
    """Compute the return of each wager in credits, alone and with up to five others on the same hand.

    The census of all hands needs the kernels, which are imported only for a game with such a wager.
    """
    if not game.credit_wagers:
        return {}
    from crossfelt.analysis.solver.progressive_wager import progressive_return

    found = {}
    for wager in game.credit_wagers:
        returns = (progressive_return(game, others, wager=wager) for others in range(MOST_OTHERS + 1))
        found[wager] = tuple(each for each in returns if each is not None)
    return {wager: returns for wager, returns in found.items() if returns}


def _meter_words(found: WagerReturn) -> str:
    even, cycle, mean = found.break_even_cents, found.cycle, found.average_meter_cents
    assert cycle is not None
    assert mean is not None
    at = f"break-even at a meter of {dollars(-(-even.numerator // even.denominator))}; " if even is not None else ""
    least = "at least " if found.is_bound else ""
    return f"{at}one jackpot per {round(cycle):,} wagers, {least}{dollars(round(mean))} on average"


def return_warnings(game: Game, *, where: str) -> Iterator[Problem]:
    """Warn of wagers that return more than the stake, at the reset amount or in the long run."""
    for wager, (alone, *_) in _progressive(game).items():
        if (highest := max(alone.at(alone.reset_cents), alone.long_run)) > 1:
            rule = game.book.settings["odds_paid_from"]
            what, name = "returns more than the stake", f"{where}: {wager}"
            yield Problem(
                code="return.above_stake",
                where=name,
                what=what,
                value=percent(highest),
                clauses=rule.clauses,
                readings=rule.readings,
            )
    for wheel, returns in spun_wheels(game):
        for others, found in enumerate(returns):
            highest = max(found.at(found.reset_cents), found.long_run)
            if highest > 1:
                what = f"returns more than the stake with {others} other bettors"
                name = f"{where}: wheel {wheel.name}"
                yield Problem.at(name, "return.above_stake", what, percent(highest), clauses=wheel.clauses)
                break
