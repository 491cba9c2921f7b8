"""Meters section: returns of wagers paid by a wheel or a meter, and their dependence on the meter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from crossfelt.money import dollars
from crossfelt.progressive.returns import WagerReturn, fold_note, spin_return, xtreme_return
from crossfelt.progressive.triggers import pair_chance
from crossfelt.progressive.wheels import community_cents, prize_of
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
CREDITS: Final = ("progressive_player", "progressive_dealer")
"""Wagers in credits that a meter pays (11.14A)."""
NOTE: Final = (
    "The return is the average amount paid per stake, including the stake where it is returned. The long-run return "
    "uses the average meter at a claim. Payout limits are not included."
)
POINTS: Final = 9
"""Number of meter amounts shown, from the reset to twice the break-even."""


class MeterCase(NamedTuple):
    """A wager with the number of other players on it."""

    title: str
    others: int
    found: WagerReturn


def meters_section(game: Game) -> Section | None:
    blocks: list[Block] = [_slices(game, wheel) for wheel in game.wheels if wheel.ring == "spin"]
    if any(wager.id in CREDITS for wager in game.wagers):
        blocks.append(_credit_table(game))
    cases = list(cases_of(game))
    if not cases:
        return None
    blocks.append(_returns(game, cases))
    followed = [case for case in cases if case.found.slope]
    if followed:
        blocks += [_against_meter(followed), _follow_table(followed)]
    blocks.append(Text(paragraphs=(NOTE,)))
    return Section(id="progressive", title="Wheels and progressive wagers", blocks=tuple(blocks))


def cases_of(game: Game) -> Iterator[MeterCase]:
    """Yield every wager paid by a wheel or a meter, alone and at a full table."""
    titles = {wager.id: wager.title for wager in game.wagers}
    companies = (0, game.book.table.seats - 1)
    for wheel in game.wheels:
        title = f"{titles[wheel.wager]}, {dollars(wheel.stake_cents)}"
        for others in companies:
            if wheel.ring == "spin":
                yield MeterCase(_with(title, others), others, spin_return(game, wheel, others))
            elif wheel.ring == "hot_spot":
                yield MeterCase(_with(title, others), others, xtreme_return(game, wheel.stake_cents, others))
    yield from _credit_cases(game, titles, companies)


def _credit_cases(game: Game, titles: Mapping[str, str], companies: tuple[int, ...]) -> Iterator[MeterCase]:
    offered = [wager for wager in CREDITS if wager in titles]
    if not offered:
        return
    from crossfelt.analysis.solver.progressive_wager import progressive_return

    for wager in offered:
        for others in companies:
            found = progressive_return(game, others, wager=wager)
            if found is not None:
                yield MeterCase(_with(titles[wager], others), others, found)


def _with(title: str, others: int) -> str:
    return f"{title}, with {others} others" if others else f"{title}, alone"


def _slices(game: Game, wheel: Wheel) -> Table:
    """List the slices of a wheel with their probabilities and contributions."""
    weights, whole, stake = game.weights(wheel), sum(game.weights(wheel)), wheel.stake_cents
    trigger = pair_chance()
    told = []
    for place, (weight, each) in enumerate(zip(weights, wheel.slices, strict=True)):
        prize, chance = prize_of(game, wheel, place), trigger * Fraction(weight, whole)
        pays = "the meter" if prize.meter else money(prize.cents)
        brought = NONE if prize.meter else number(chance * prize.cents / stake)
        shared = community_cents(game, wheel.wager, stake, each.community)
        told.append(
            row(
                f"slice {place}",
                count(weight),
                share(chance, 6),
                one_in(chance),
                pays,
                brought,
                money(shared) if shared else NONE,
            )
        )
    if game.settings["spin_stake_returned"]:
        told.append(
            row("stake returned", NONE, share(trigger, 6), one_in(trigger), money(stake), number(trigger), NONE)
        )
    whole_row = row(
        "All but the meter",
        count(whole),
        share(trigger, 6),
        one_in(trigger),
        NONE,
        number(spin_return(game, wheel).fixed),
        NONE,
        total=True,
    )
    return Table(
        id=f"spin-{wheel.wager.replace('_', '-')}-{wheel.letter.lower()}",
        caption=f"The wheel of {game.wager(wheel.wager).title}, table {wheel.letter}, {dollars(stake)} stake",
        columns=(
            left("Slice"),
            Column(title="Weight"),
            Column(title="Probability", unit="of wagers"),
            Column(title="One in", unit="wagers"),
            Column(title="Pays"),
            Column(title="Contribution", unit="stakes"),
            Column(title="Pays others", unit="each"),
        ),
        rows=(*told, whole_row),
        method=FROM_WEIGHTS,
        notes=(f"A pair in the player's two cards spins the wheel: one round in {1 / trigger}.",),
    )


def _credit_table(game: Game) -> Table:
    """List the hands that pay a credit, from a census of all hands."""
    from crossfelt.analysis.solver.progressive_wager import HANDS, ORDER
    from crossfelt.kernels.pai_gow.census import by_category, counted

    counts, told = by_category(counted(), ORDER), []
    for line in game.pays["progressive"].table.lines:
        deals = counts[line.hand]
        chance = Fraction(deals, HANDS)
        brought = number(chance * line.odds.ratio) if line.odds else NONE
        told.append(row(as_words(line.name), pay_words(line), count(deals), share(chance, 6), one_in(chance), brought))
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
        rows=tuple(told),
        method=f"exact, a census of {HANDS:,} hands",
        notes=("Contributions are of odds alone. Shares of the meter and random awards are in the tables below.",),
    )


def _returns(game: Game, cases: list[MeterCase]) -> Table:
    told = []
    for title, _, found in cases:
        average, even, cycle = found.average_meter_cents, found.break_even_cents, found.cycle
        told.append(
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
        rows=tuple(told),
        method=FROM_WEIGHTS,
        notes=tuple(filter(None, (BOUND if any(found.is_bound for _, _, found in cases) else "", fold_note(game)))),
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
    told = "; ".join(
        f"{case.title} breaks even at {money(Fraction(round(even))).text}"
        for case, even in zip(cases, evens, strict=True)
        if even
    )
    return Plot(
        id="meter-plot",
        kind="lines",
        title="Return against the meter",
        alt=f"A rising line for each case: the return as the meter grows, with a level line at 100 %. {told}.",
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
