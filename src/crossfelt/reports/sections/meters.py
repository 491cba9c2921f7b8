"""Meters section: returns of wagers paid by a wheel or a meter, and their dependence on the meter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from crossfelt.analysis.solver.api import progressive_returns, wheel_returns
from crossfelt.money import dollars
from crossfelt.play.posted_notice import trigger_words
from crossfelt.progressive.returns import WagerReturn, fold_note, wheel_return
from crossfelt.progressive.wheels import community_cents, no_spin_return, paid_cents, prize_of, spin_chance
from crossfelt.reports.document import Block, Plot, Section, Series, Table, Text, Value
from crossfelt.reports.number_format import NONE, count, left, money, number, one_in, right, row, share, table
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.rulebooks.render.phrases import as_words, pay_words

BOUND: Final = (
    "Odds of the progressive wager are charged to the pool only above its reset amount: its average meter and its "
    "long-run return are lower bounds, and its house edge is an upper bound."
)
FROM_WEIGHTS: Final = "exact, from the weights and rates in force"
NOTE: Final = (
    "The return is the average amount paid for each stake, including a stake that is returned. The return in the long "
    "run uses the average meter at a claim. Payout limits are not included."
)
POINTS: Final = 9
"""Number of meter amounts shown, from the reset to twice the break-even."""


class MeterCase(NamedTuple):
    """The return of a wager, alone or at a full table."""

    title: str
    found: WagerReturn


def meters_section(game: Game) -> Section | None:
    chances = [(wheel, spin_chance(game, wheel.wager)) for wheel in game.wheels if wheel.ring == "spin"]
    blocks: list[Block] = [_slices(game, wheel, chance) for wheel, chance in chances if chance is not None]
    unknown = dict.fromkeys(no_spin_return(game, wheel) for wheel, chance in chances if chance is None)
    if game.credit_wagers:
        blocks.append(_credit_table(game))
    cases = list(cases_of(game))
    if not cases and not unknown:
        return None
    blocks += [_returns(game, cases)] if cases else []
    followed = [case for case in cases if case.found.slope]
    if followed:
        blocks += [_against_meter(followed), _follow_table(followed)]
    blocks.append(Text(paragraphs=(*unknown, *([NOTE] if cases else []))))
    return Section(id="progressive", title="Wheels and progressive wagers", blocks=tuple(blocks))


def cases_of(game: Game) -> Iterator[MeterCase]:
    """Yield every wager paid by a wheel or a meter, alone and at a full table."""
    others = game.book.table.seats - 1

    def returns(others: int) -> Iterator[tuple[str, WagerReturn]]:
        for wheel, found in wheel_returns(game, others):
            yield f"{game.wager(wheel.wager).title}, {dollars(wheel.stake_cents)}", found
        yield from ((wager.title, found) for wager, found in progressive_returns(game, others))

    for (title, alone), (_, full) in zip(returns(0), returns(others), strict=True):
        yield MeterCase(f"{title}, alone", alone)
        yield MeterCase(f"{title}, with {others} other players", full)


def _slices(game: Game, wheel: Wheel, trigger: Fraction) -> Table:
    """List the slices of a wheel with their probabilities and contributions."""
    weights, whole, stake = game.weights(wheel), sum(game.weights(wheel)), wheel.stake_cents
    body = []
    for place, index in sorted((place, index) for index, place in enumerate(wheel.places)):
        weight, each = weights[index], wheel.slices[index]
        prize, chance = prize_of(game, wheel, index), trigger * Fraction(weight, whole)
        pays = "the meter" if prize.meter else money(prize.cents)
        contribution = NONE if prize.meter else number(chance * paid_cents(game, wheel.wager, prize.cents) / stake)
        shared = community_cents(game, wheel.wager, stake, each.community)
        others = money(shared) if shared else NONE
        body.append(row(f"stop {place}", count(weight), share(chance, 6), one_in(chance), pays, contribution, others))
    if game.settings["spin_stake_returned"]:
        body.append(
            row("stake returned", NONE, share(trigger, 6), one_in(trigger), money(stake), number(trigger), NONE)
        )
    fixed = wheel_return(game, wheel)
    assert fixed is not None
    sums = (count(whole), share(trigger, 6), one_in(trigger), NONE, number(fixed.fixed), NONE)
    whole_row = row("All but the meter", *sums, total=True)
    return Table(
        id=f"spin-{wheel.wager.replace('_', '-')}-{wheel.letter.lower()}",
        caption=f"The wheel of {game.wager(wheel.wager).title}, table {wheel.letter}, {dollars(stake)} stake",
        columns=(
            left("Stop"),
            right("Weight"),
            right("Probability", "of wagers"),
            right("One in", "wagers"),
            right("Pays"),
            right("Contribution", "stakes"),
            right("Pays other players", "each"),
        ),
        rows=(*body, whole_row),
        method=FROM_WEIGHTS,
        notes=(f"{trigger_words(game, wheel.wager)} One round in {float(1 / trigger):,.6g}.",),
    )


def _credit_table(game: Game) -> Table:
    """List the hands that pay a credit, from a census of all hands."""
    from crossfelt.analysis.solver.progressive_wager import HANDS, ORDER
    from crossfelt.kernels.seven_cards.kinds import by_category, counted

    counts = by_category(counted(), ORDER)
    pays = next(str(game.wager(wager).pays) for wager in game.credit_wagers)
    chances = {line.name: Fraction(counts[line.hand], HANDS) for line in game.pays[pays].lines}
    return table(
        "credits",
        "Hands that pay a credit",
        game.pays[pays].lines,
        {
            left("Hand"): lambda line: as_words(line.name),
            right("Pays"): pay_words,
            right("Hands"): lambda line: count(counts[line.hand]),
            right("Probability", "of seven cards"): lambda line: share(chances[line.name], 6),
            right("One in", "hands"): lambda line: one_in(chances[line.name]),
            right("Contribution", "credits"): lambda line: (
                number(chances[line.name] * line.odds.ratio) if line.odds else NONE
            ),
        },
        method=f"exact, a census of {HANDS:,} hands",
        notes=("Contributions count the odds only. The tables below add shares of the meter and random awards.",),
    )


def _returns(game: Game, cases: list[MeterCase]) -> Table:
    return table(
        "meter-returns",
        "Returns of the wagers",
        cases,
        {
            left("Wager"): lambda case: case.title,
            right("Return without the meter", "of the stake"): lambda case: share(case.found.fixed),
            right("Each $1,000 on the meter adds", "stakes"): lambda case: (
                number(case.found.slope * 100_000, 6) if case.found.slope else NONE
            ),
            right("Break-even", "meter"): lambda case: rounded(case.found.break_even_cents),
            right("Top prize, one in", "wagers"): lambda case: (
                NONE if case.found.cycle is None else number(case.found.cycle, 0)
            ),
            right("Average meter", "at a claim"): lambda case: rounded(case.found.average_meter_cents),
            right("Return in the long run", "of the stake"): lambda case: share(case.found.long_run),
            right("House edge in the long run", "of the stake"): lambda case: share(1 - case.found.long_run),
        },
        method=FROM_WEIGHTS,
        notes=filter(None, (BOUND if any(case.found.is_bound for case in cases) else "", fold_note(game))),
    )


def rounded(cents: Fraction | None) -> Value:
    """Format an amount in whole cents, where there is one."""
    return NONE if cents is None else money(Fraction(round(cents)))


def _amounts(cases: list[MeterCase]) -> list[int]:
    """Choose round meter amounts from the lowest reset to twice the highest break-even."""
    low = min(case.found.reset_cents for case in cases)
    evens = [case.found.break_even_cents for case in cases]
    high = max([2 * even for even in evens if even is not None] or [Fraction(10 * max(low, 100_00))])
    step = (high - low) / (POINTS - 1)
    return [low + int(place * step) // 100_00 * 100_00 for place in range(POINTS)]


def _against_meter(cases: list[MeterCase]) -> Plot:
    amounts = _amounts(cases)
    evens = [case.found.break_even_cents for case in cases]
    break_evens = "; ".join(
        f"{case.title} breaks even at {money(Fraction(round(even))).text}"
        for case, even in zip(cases, evens, strict=True)
        if even
    )
    return Plot(
        id="meter-plot",
        kind="lines",
        title="Return against the meter",
        alt=f"A rising line for each case shows the return by meter. A level line marks 100 %. {break_evens}.",
        across=tuple(cents / 100 for cents in amounts),
        series=(
            *(
                Series(name=case.title, values=tuple(float(100 * case.found.at(cents)) for cents in amounts))
                for case in cases
            ),
            Series(name="100 % of the stake", values=tuple(100.0 for _ in amounts)),
        ),
        across_label="meter, dollars",
        value_label="return, % of the stake",
    )


def _follow_table(cases: list[MeterCase]) -> Table:
    return Table(
        id="meter-table",
        caption="Return against the meter",
        columns=(right("Meter", "dollars"), *(right(case.title, "return") for case in cases)),
        rows=tuple(row(money(cents), *(share(case.found.at(cents), 2) for case in cases)) for cents in _amounts(cases)),
        method=FROM_WEIGHTS,
    )
