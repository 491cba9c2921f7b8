"""What wheels return at the weights and meters of a game: tables for people, and warnings above the stake."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from crossfelt.money import dollars
from crossfelt.problems import Problem
from crossfelt.progressive.returns import WagerReturn, spin_return, xtreme_return
from crossfelt.progressive.wheels import meter_of, place_of, prize_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.rulebooks.typesetting import columns

MOST_OTHERS: Final = 5


def spun_wheels(game: Game) -> Iterator[tuple[Wheel, tuple[WagerReturn, ...]]]:
    """Each wheel that a bettor spins or may be the hot spot of, with its returns alone and with up to five others."""
    for wheel in game.wheels:
        if wheel.ring == "spin":
            yield wheel, tuple(spin_return(game, wheel, others) for others in range(MOST_OTHERS + 1))
        elif wheel.ring == "hot_spot":
            stake = wheel.stake_cents
            yield wheel, tuple(xtreme_return(game, stake, others) for others in range(MOST_OTHERS + 1))


def percent(value: Fraction) -> str:
    """A return as people read it.

    >>> percent(Fraction(2, 3))
    '66.67 %'
    """
    return f"{float(100 * value):.2f} %"


def return_lines(game: Game) -> Iterator[str]:
    """The return of every wheel, alone and with others; where there is a meter, what it does to it.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> print("\\n".join(return_lines(compile_game("nj-criss-cross"))))
    other bettors                    0        1        2        3        4        5
    bonus_spin.3, reset meter  69.18 %  71.89 %  74.61 %  77.32 %  80.03 %  82.75 %
    bonus_spin.3, long run     76.18 %  78.89 %  81.61 %  84.32 %  87.03 %  89.75 %
    bonus_spin.3 alone: break-even at a meter of $1,057,860; a jackpot every 680,000 wagers, $248,000 on average
    """
    wheels = list(spun_wheels(game))
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


def progressive_lines(game: Game) -> Iterator[str]:
    """The progressive wager of Pai Gow Poker: its return per credit, exactly, and what feeds and drains its meter."""
    found = _progressive(game)
    if found is None:
        return
    pool = "the meter's pool" if game.settings["odds_paid_from"] == "meter" else "the chip tray"
    fed, drawn = (percent(cents / found.stake_cents) for cents in (found.contribution_cents, found.drawn_cents))
    reset = percent(found.at(found.reset_cents))
    yield f"progressive wager, a credit of {dollars(found.stake_cents)} on the player's hand, alone:"
    yield f"  odds and random awards return {percent(found.fixed)}, paid from {pool}"
    yield f"  with the meter at its reset amount of {dollars(found.reset_cents)}: {reset}"
    yield f"  in the long run: {percent(found.long_run)}; of each credit {fed} goes to the meter, {drawn} leaves it"
    yield f"  {_meter_words(found)}"


def _progressive(game: Game) -> WagerReturn | None:
    """It takes a census of all hands, so that kernels are imported only where there is such a wager."""
    if game.book.game != "pai_gow":
        return None
    from crossfelt.analysis.progressive_wager import progressive_return

    return progressive_return(game)


def _meter_words(found: WagerReturn) -> str:
    even, cycle, mean = found.break_even_cents, found.cycle, found.average_meter_cents
    assert cycle is not None
    assert mean is not None
    at = f"break-even at a meter of {dollars(-(-even.numerator // even.denominator))}; " if even is not None else ""
    return f"{at}a jackpot every {round(cycle):,} wagers, {dollars(round(mean))} on average"


def return_warnings(game: Game, *, where: str) -> Iterator[Problem]:
    """Wagers that give back more than was staked, at the reset amount or in the long run."""
    progressive = _progressive(game)
    if progressive is not None and (highest := max(progressive.at(progressive.reset_cents), progressive.long_run)) > 1:
        rule = game.book.settings["odds_paid_from"]
        what, name = "returns more than the stake", f"{where}: progressive wager"
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
                yield Problem(
                    code="return.above_stake", where=name, what=what, value=percent(highest), clauses=wheel.clauses
                )
                break


def wheel_lines(game: Game, wager_id: str) -> Iterator[str]:
    """The slices of a wager's wheels, as a player would want to see them."""
    for wheel in game.wheels:
        if wheel.wager != wager_id:
            continue
        weights = game.weights(wheel)
        rows = [("slice", "pays", "chance")]
        for index in range(len(wheel.slices)):
            prize = prize_of(game, wheel, index)
            pays = meter_of(game, wheel.wager).title if prize.meter else dollars(prize.cents)
            chance = f"{weights[index]:,} in {sum(weights):,}"
            rows.append((str(place_of(wheel, index)), pays, chance))
        ring = "" if wheel.ring == "spin" else f", {wheel.ring.replace('_', ' ')}"
        yield f"{game.wager(wager_id).title} for {dollars(wheel.stake_cents)}{ring}"
        yield from columns(rows, right=[0, 1, 2])
