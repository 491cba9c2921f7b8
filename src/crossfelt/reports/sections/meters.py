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
from crossfelt.reports.document import Block, Column, Plot, Section, Series, Table, Text
from crossfelt.reports.number_format import NONE, count, left, money, number, one_in, row, share
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
    titles = {wager.id: wager.title for wager in game.wagers}
    others = game.book.table.seats - 1
    for (wheel, alone), (_, full) in zip(wheel_returns(game), wheel_returns(game, others), strict=True):
        title = f"{titles[wheel.wager]}, {dollars(wheel.stake_cents)}"
        yield from _alone_and_full(title, others, alone, full)
    for (wager, alone), (_, full) in zip(progressive_returns(game), progressive_returns(game, others), strict=True):
        yield from _alone_and_full(wager.title, others, alone, full)


def _alone_and_full(title: str, others: int, alone: WagerReturn, full: WagerReturn) -> Iterator[MeterCase]:
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
        body.append(
            row(
                f"stop {place}",
                count(weight),
                share(chance, 6),
                one_in(chance),
                pays,
                contribution,
                money(shared) if shared else NONE,
            )
        )
    if game.settings["spin_stake_returned"]:
        body.append(
            row("stake returned", NONE, share(trigger, 6), one_in(trigger), money(stake), number(trigger), NONE)
        )
    fixed = wheel_return(game, wheel)
    assert fixed is not None
    whole_row = row(
        "All but the meter",
        count(whole),
        share(trigger, 6),
        one_in(trigger),
        NONE,
        number(fixed.fixed),
        NONE,
        total=True,
    )
    return Table(
        id=f"spin-{wheel.wager.replace('_', '-')}-{wheel.letter.lower()}",
        caption=f"The wheel of {game.wager(wheel.wager).title}, table {wheel.letter}, {dollars(stake)} stake",
        columns=(
            left("Stop"),
            Column(title="Weight"),
            Column(title="Probability", unit="of wagers"),
            Column(title="One in", unit="wagers"),
            Column(title="Pays"),
            Column(title="Contribution", unit="stakes"),
            Column(title="Pays other players", unit="each"),
        ),
        rows=(*body, whole_row),
        method=FROM_WEIGHTS,
        notes=(f"{trigger_words(game, wheel.wager)} One round in {float(1 / trigger):,.6g}.",),
    )


def _credit_table(game: Game) -> Table:
    """List the hands that pay a credit, from a census of all hands."""
    from crossfelt.analysis.solver.progressive_wager import HANDS, ORDER
    from crossfelt.kernels.seven_cards.kinds import by_category, counted

    counts, body = by_category(counted(), ORDER), []
    pays = next(str(game.wager(wager).pays) for wager in game.credit_wagers)
    for line in game.pays[pays].lines:
        deals = counts[line.hand]
        chance = Fraction(deals, HANDS)
        contribution = number(chance * line.odds.ratio) if line.odds else NONE
        body.append(
            row(as_words(line.name), pay_words(line), count(deals), share(chance, 6), one_in(chance), contribution)
        )
    return Table(
        id="credits",
        caption="Hands that pay a credit",
        columns=(
            left("Hand"),
            Column(title="Pays"),
            Column(title="Hands"),
            Column(title="Probability", unit="of seven cards"),
            Column(title="One in", unit="hands"),
            Column(title="Contribution", unit="credits"),
        ),
        rows=tuple(body),
        method=f"exact, a census of {HANDS:,} hands",
        notes=("Contributions count the odds only. The tables below add shares of the meter and random awards.",),
    )


def _returns(game: Game, cases: list[MeterCase]) -> Table:
    body = []
    for title, found in cases:
        average, even, cycle = found.average_meter_cents, found.break_even_cents, found.cycle
        body.append(
            row(
                title,
                share(found.fixed),
                number(found.slope * 100_000, 6) if found.slope else NONE,
                money(Fraction(round(even))) if even is not None else NONE,
                number(cycle, 0) if cycle is not None else NONE,
                money(Fraction(round(average))) if average is not None else NONE,
                share(found.long_run),
                share(1 - found.long_run),
            )
        )
    return Table(
        id="meter-returns",
        caption="Returns of the wagers",
        columns=(
            left("Wager"),
            Column(title="Return without the meter", unit="of the stake"),
            Column(title="Each $1,000 on the meter adds", unit="stakes"),
            Column(title="Break-even", unit="meter"),
            Column(title="Top prize, one in", unit="wagers"),
            Column(title="Average meter", unit="at a claim"),
            Column(title="Return in the long run", unit="of the stake"),
            Column(title="House edge in the long run", unit="of the stake"),
        ),
        rows=tuple(body),
        method=FROM_WEIGHTS,
        notes=tuple(filter(None, (BOUND if any(case.found.is_bound for case in cases) else "", fold_note(game)))),
    )


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
        columns=(Column(title="Meter", unit="dollars"), *(Column(title=case.title, unit="return") for case in cases)),
        rows=tuple(row(money(cents), *(share(case.found.at(cents), 2) for case in cases)) for cents in _amounts(cases)),
        method=FROM_WEIGHTS,
    )
