"""Exposure section: value of a flashed card and of shared hands, payout limits, the largest win of one patron."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from crossfelt.games.exposure import Exposure, most, most_of_full_table
from crossfelt.games.round_stakes import ante_range, greatest_stakes, minimum_stakes, opening_sets
from crossfelt.money import dollars
from crossfelt.reports.document import Block, Figure, Figures, Row, Section, Table, Text, Value
from crossfelt.reports.number_format import (
    estimated,
    estimated_share,
    left,
    listing,
    measured,
    money,
    number,
    right,
    row,
    share,
)
from crossfelt.reports.sections.returns import EXACT
from crossfelt.reports.sections.rules import rests_on
from crossfelt.reports.study import Study
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayoutLimit
from crossfelt.rulebooks.render.flatten import flatten
from crossfelt.rulebooks.render.phrases import as_words, value_words
from crossfelt.rulebooks.render.text import exposure_of, exposure_words

if TYPE_CHECKING:
    from crossfelt.analysis.flashed_cards import SeenCard, SharedHands
    from crossfelt.analysis.solution import Solution

SEARCHED = "exact, search of all deals in order of payment"
BOUND = "an upper bound, search of all deals in order of payment"


def exposure_section(study: Study) -> Section:
    blocks: list[Block] = []
    if study.seen:
        blocks.append(known_table(study))
    if study.shared:
        blocks.append(_shared(study.shared, study.units))
    figures = tuple(_most(study))
    if figures:
        blocks.append(Figures(id="most", caption="The most one patron can win in a round", figures=figures))
    blocks += _limits(study.game)
    return Section(id="exposure", title="Exposure", blocks=tuple(blocks))


def known_table(study: Study) -> Table:
    """List the value of each flashed card for a player who uses it."""
    solution = study.solution
    assert solution is not None
    edge = -solution.house_edge.per_initial_wagers
    body = [row("none", number(solution.ev, plus=True), number(0, plus=True), share(edge))]
    body += [_seen_row(card, solution) for card in study.seen]
    return Table(
        id="known",
        caption="A card seen before the first decision",
        columns=(
            left("Card seen"),
            right("Expected value", f"{study.units} per round, for the player"),
            right("Gain", f"{study.units} per round"),
            right("Player's edge", "of the initial wagers"),
        ),
        rows=tuple(body),
        method=f"{study.seen[0].method}, optimal play with the seen card",
    )


def _seen_row(card: SeenCard, solution: Solution) -> Row:
    name, edge = seen_name(card.place), card.value / solution.initial_wagers
    if card.value_interval is None:
        return row(name, number(card.value, plus=True), seen_gain(card), share(edge))
    value = card.value_interval
    return row(name, estimated(value), seen_gain(card), estimated_share(value.over(float(solution.initial_wagers)), 2))


def seen_name(place: str) -> str:
    side, _, rest = place.partition(".")
    return "one of the dealer's cards" if side == "dealer" else f"the {as_words(side)} card{rest and f' {rest}'}"


def seen_gain(card: SeenCard) -> Value:
    """Format the gain of a flashed card, exact or estimated."""
    return number(card.gain, plus=True) if card.interval is None else estimated(card.interval)


def _shared(found: SharedHands, units: str) -> Figures:
    """List the gain of players who share their hands."""
    figures = tuple(
        Figure(
            id=name,
            label=label,
            value=measured(estimate.value, 4, plus=True),
            unit=f"{units} per round",
            method=f"{found.method}, {found.deals} deals, seed {found.seed}",
            note=f"{measured(estimate.low, plus=True).text} to {measured(estimate.high, plus=True).text} "
            "at 95 % confidence",
        )
        for name, label, estimate in (
            ("shared-gain", "Gain of each player", found.gain),
            ("shared-value", "Value of a round for each player", found.value),
        )
    )
    return Figures(id="shared", caption=f"{found.players} players who share their hands", figures=figures)


def _most(study: Study) -> Iterator[Figure]:
    game, exposure = study.game, exposure_of(study.game)
    if exposure is not None:
        yield _figure(game, "most-at-minimum", "At the minimum wager", exposure)
        all_stakes = [stakes for opening in opening_sets(game) for stakes in greatest_stakes(game, opening)]
        largest_wagers = max((most(game, stakes) for stakes in all_stakes), key=lambda one: one.cents)
        yield _figure(game, "most-at-any-wager", "At the largest required wagers and bets", largest_wagers)
        if not study.asked.quick:
            seats = game.book.table.seats
            together = most_of_full_table(game, minimum_stakes(game)[0])
            yield _figure(
                game, "most-of-full-table", f"All {seats} seats together, each at the minimum wager", together
            )
    if study.solution:
        highest = study.solution.distribution.outcomes[-1]
        one_in = float(study.solution.distribution.deals / highest.count)
        largest = ante_range(game)[1]
        yield Figure(
            id="most-at-maximum",
            label=f"At the largest {as_words(study.base)}, {dollars(largest)}",
            value=money(highest.net * largest),
            unit="dollars net, before any payout limit",
            method=f"{EXACT}, {study.solution.strategy} strategy",
            note=f"{highest.net} {study.units}, one round in {one_in:,.0f}",
        )
    yield from _above_limit(study)


def _figure(game: Game, figure_id: str, label: str, found: Exposure) -> Figure:
    """Show an exposure with the deal that brings it, whatever the players decide."""
    example = f"for example {found.deal}" if found.deal else ""
    if not found.exact:
        example = f"the best deal found brings {dollars(found.deal_cents)}: {found.deal}"
    missing = ", ".join(game.wager(name).title for name in found.not_counted)
    return Figure(
        id=figure_id,
        label=label,
        value=money(found.cents),
        unit="dollars, before any payout limit",
        method=SEARCHED if found.exact else BOUND,
        note=f"{example}; not counted: {missing}" if missing else example,
    )


def _above_limit(study: Study) -> Iterator[Figure]:
    """Yield the probability of reaching a payout limit at the largest stake, without side bets."""
    game = study.game
    for limit in game.book.payout_limits:
        cents = game.limit_cents(limit)
        if study.solution and cents is not None and any(wager in limit.covers for wager in study.wagers):
            largest = ante_range(game)[1]
            chance = study.solution.distribution.at_least(Fraction(cents, largest))
            yield Figure(
                id="limit-reached",
                label=f"Rounds with a net result of at least the limit, {dollars(cents)}",
                value=share(chance, 6),
                unit=f"of rounds at the largest {as_words(study.base)}, {dollars(largest)}",
                method=f"{EXACT}, {study.solution.strategy} strategy",
                note=f"one in {float(1 / chance):,.0f}" if chance else "never",
            )


def _limits(game: Game) -> Iterator[Block]:
    bases = [item.basis for item in flatten(game.book) if item.section == "limits"]
    for place, (limit, basis) in enumerate(zip(game.book.payout_limits, bases, strict=True), start=1):
        notes, told = [f"Basis: {rests_on(basis)}."], _limit_rows(game, limit)
        yield listing(f"payout-limit-{place}", "Payout limit", ("Item", "In force"), told, notes=notes)
    if not game.book.payout_limits:
        yield Text(paragraphs=("The document sets no payout limit.",))


def _limit_rows(game: Game, limit: PayoutLimit) -> Iterator[tuple[str, str]]:
    optional = "A limit is optional. If set, it is" if limit.optional else "The limit is"
    printed = f"{as_words(limit.rule)} the greater of {dollars(limit.amount_cents)}"
    yield "Rule", f"{optional} {printed} and the most one patron could win in a round at the minimum wager"
    exposure = exposure_of(game)
    if exposure is not None:
        yield "Computed", exposure_words(game, limit, exposure)
        yield "The regulation's figure", dollars(game.limit_figure(limit))
        cents = game.limit_cents(limit)
        yield "Limit in force", "none" if cents is None else dollars(cents)
    counted = f"the {as_words(limit.counts)} of one player in one {as_words(limit.scope)}"
    yield "Counted", f"{counted}; the limit cuts the last payments first"
    yield "Wagers covered", value_words("covers", game.covered_by(limit))
    yield "Wagers not covered", value_words("outside", limit.outside)
