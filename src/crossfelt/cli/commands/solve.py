"""`crossfelt solve`: the exact return of a game, its optimal strategy, decisions, results and side bets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

from crossfelt.analysis import solve
from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import LEFT_OUT, OPTIMAL, SideBet, Solution
from crossfelt.cards.card import RANKS
from crossfelt.cli.commands.sweep import plain_values
from crossfelt.cli.options import AsJson, PayOptions, SubmissionFile, Which, option, read_game, read_pay
from crossfelt.cli.output import answer, heading, styled
from crossfelt.cli.progress import open_progress
from crossfelt.cli.render.wheel_returns import return_lines
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.text_layout import columns, paragraph

if TYPE_CHECKING:
    from crossfelt.analysis.solver.two_hands import WayResult

SHORT_HASH: Final = 12
_COLOURS: Final = {"fold": "red", "1x": "yellow", "2x": "cyan", "3x": "green"}


def solution_lines(game: Game, solution: Solution) -> Iterator[str]:
    rules = solution.rules
    yield heading(game.book.title)
    yield f"{rules.rulebook} {rules.version}, hash {rules.rulebook_hash[:SHORT_HASH]}"
    for path, odds in rules.pay.items():
        yield f"changed odds: {path.replace('.', ', ')} {odds}"
    if rules.known:
        yield f"for a player who sees one {rules.known} card before the first decision"
    yield ""
    yield from _return(solution)
    if solution.limit_words():
        yield f"  {solution.limit_words()}"
    yield ""
    if solution.at_antes:
        yield from _at_antes(solution)
        yield ""
    if solution.decisions:
        yield from _decisions(solution)
        yield ""
    yield from _results(solution)
    yield from _by_house_way(solution)
    first: Mapping[str, Advice] = getattr(solution, "first_decision", dict)()
    if first:
        yield ""
        yield from starting_hand_square(first)
    for bet in solution.side_bets.values():
        yield ""
        yield from side_bet_lines(bet)
    unsolved: Mapping[str, str] = getattr(solution, "unsolved_bets", {})
    for name, why in unsolved.items():
        yield f"{game.wager(name).title}: no exact figure, because {why}."
    if wheels := list(return_lines(game)):
        yield ""
        yield heading("Wheels, return of the stake")
        yield from (f"  {line}" for line in wheels)
    yield ""
    method = f"Method: {solution.method}, {as_words(solution.strategy)} strategy; ties: {solution.tie_rule}."
    yield from paragraph(f"{method} Not included: {' and '.join(LEFT_OUT)}. Computed in {solution.seconds:.2f} s.")


def _by_house_way(solution: Solution) -> Iterator[str]:
    """Render the values of other house ways and of banking."""
    dealer = as_words(getattr(solution, "dealer_way", ""))
    title = f"The dealer sets hands by {dealer}, the player by best play or a house way, in percent of {solution.unit}"
    tables: tuple[tuple[str, Mapping[str, WayResult]], ...] = (
        (title, getattr(solution, "house_ways", {})),
        ("The same when the player banks against the house alone", getattr(solution, "banking", {})),
    )
    for title, ways in tables:
        if not ways:
            continue
        yield ""
        yield heading(title)
        rows = [("", "value", "cost", "hands that best play sets better")]
        for name, found in sorted(ways.items(), key=lambda way: way[1].cost):
            called = "best play" if name == OPTIMAL else as_words(name)
            rows.append((called, f"{float(100 * found.ev):+.4f}", percent(found.cost), percent(found.improved, 2)))
        yield from columns(rows, indent=2, right=[1, 2, 3])


def percent(value: Fraction, digits: int = 4) -> str:
    return f"{float(100 * value):.{digits}f} %"


def _return(solution: Solution) -> Iterator[str]:
    edge = solution.house_edge
    unit = solution.base
    yield heading(f"Return, in {unit}s")
    yield from columns(
        [
            ("expected value of a round", f"{float(solution.ev):+.6f}", str(solution.ev)),
            ("house edge", percent(edge.per_ante), f"of {solution.unit}"),
            *_other_edges(solution),
            ("wagered per round", f"{float(solution.average_total_wagered):.4f}", "on average"),
            ("standard deviation", f"{solution.standard_deviation:.4f}", ""),
            ("skewness", f"{solution.distribution.skewness:.2f}", "a normal distribution has 0"),
            ("kurtosis", f"{solution.distribution.kurtosis:.2f}", "a normal distribution has 3"),
            ("rounds won", percent(solution.hit_rate, 2), ""),
        ],
        indent=2,
        right=[1],
    )


def _other_edges(solution: Solution) -> Iterator[tuple[str, str, str]]:
    """Yield the house edge by other denominators, where they differ."""
    edge = solution.house_edge
    if solution.initial_wagers != 1:
        before = f"of the {solution.initial_wagers} {solution.units} wagered before the cards"
        yield "", percent(edge.per_initial_wagers), before
    if solution.average_total_wagered != 1:
        yield "", percent(edge.per_total_wagered), "of the total wagered"


def _at_antes(solution: Solution) -> Iterator[str]:
    limit = f"the payout limit of {dollars(solution.limit_cents)}" if solution.limit_cents else "no payout limit"
    yield heading(f"House edge by {solution.base}, in percent of the initial wagers, with {limit}")
    rows = [(solution.base, f"{as_words(solution.strategy)} play", f"best play at this {solution.base}", "gain")]
    for at in solution.at_antes:
        same, best = solution.edge_at(at.same_play), solution.edge_at(at.best_play)
        assert same is not None
        better = ("–", "–") if best is None else (percent(best), percent(same - best))
        rows.append((dollars(at.ante_cents), percent(same), *better))
    yield from columns(rows, indent=2, right=range(4))
    if solution.strategy == OPTIMAL and any(at.best_play is None for at in solution.at_antes):
        yield "  Best play under a limit is not computed where the dealer and the players share a board."


def _decisions(solution: Solution) -> Iterator[str]:
    every = {choice for rates in solution.decisions.values() for choice in rates}
    choices = sorted(every, key=lambda choice: (choice != "fold", choice))
    yield heading("Decisions, in percent of all rounds")
    rows = [("", *choices)]
    for decision, rates in solution.decisions.items():
        rows.append((as_words(decision), *(percent(rates[c], 2) if c in rates else "–" for c in choices)))
    yield from columns(rows, indent=2, right=range(1, len(choices) + 1))


def _results(solution: Solution) -> Iterator[str]:
    deals = solution.distribution.deals
    yield heading(f"Result of a round, in {solution.units}")
    rows = [("net", "probability", "one in")]
    for low, high, count in solution.distribution.rows():
        share = Fraction(count, deals)
        rows.append((_span(low, high), percent(share), f"{float(1 / share):,.1f}"))
    yield from columns(rows, indent=2, right=[0, 1, 2])


def _span(low: Fraction, high: Fraction) -> str:
    def text(net: Fraction) -> str:
        return f"{float(net):+g}" if net else "0"

    return text(low) if low == high else f"{text(low)} to {text(high)}"


def starting_hand_square(first: Mapping[str, Advice]) -> Iterator[str]:
    """Render the best first decision with each starting hand as a square of ranks."""
    size = len(RANKS)
    yield heading("First decision: suited above the diagonal, offsuit below")
    yield "       " + " ".join(f"{rank:>4}" for rank in reversed(RANKS))
    for row in range(size):
        hands = STARTING_HANDS[size * row : size * (row + 1)]
        best = [first[hand.name].best for hand in hands]
        cells = " ".join(styled(f"{choice:>4}", fg=_COLOURS.get(choice)) for choice in best)
        yield f"     {RANKS[size - 1 - row]} {cells}"


def side_bet_lines(bet: SideBet) -> Iterator[str]:
    """Render a side bet with all its outcomes."""
    yield heading(bet.title)
    figures = (percent(bet.house_edge), percent(bet.hit_rate, 2))
    yield f"  house edge {figures[0]} of the stake, paid in {figures[1]} of rounds"
    rows: list[Sequence[str]] = [("", "pays", "deals", "probability", "contribution")]
    rows += [
        (
            ", ".join(map(as_words, outcome.line.split(", "))) if outcome.line else "nothing",
            outcome.pays or "lost",
            f"{outcome.count:,}",
            percent(bet.probability(outcome)),
            f"{float(bet.contribution(outcome)):+.6f}",
        )
        for outcome in bet.outcomes
    ]
    rows.append(("total", "", f"{bet.deals:,}", percent(Fraction(1)), f"{float(bet.ev):+.6f}"))
    yield from columns(rows, indent=2, right=[1, 2, 3, 4])
    if bet.note:
        yield f"  {bet.note}"


def solve_command(
    which: Which,
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    known: Annotated[
        str, option("CARD", "For a player who sees one hidden card at the start, by its place, e.g. middle or dealer.")
    ] = "",
    strategy: Annotated[
        str,
        option(
            "NAME|FILE",
            "Another strategy: simple, card-8, never-fold, always-1; mine.py:play; house-way, or the id of one.",
        ),
    ] = OPTIMAL,
    ante: Annotated[
        str,
        option("CENTS,…", "Also the return at these antes, cut at the payout limit, e.g. 500,2500 or 500..5000:500."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Solve a game: its exact return under the optimal strategy, as fractions of the ante."""
    game = read_game(which, submission)
    antes = plain_values(ante) if ante else ()
    with open_progress("counting") as done:
        solution = solve(game, pay=read_pay(pay), known=known, strategy=strategy, antes=antes, done=done)
    answer(solution.as_data(), solution_lines(game, solution), as_json=as_json)
