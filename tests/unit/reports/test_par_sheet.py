"""The contents of a PAR sheet: every figure is the solution's, with its unit and method."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from crossfelt.analysis import solve
from crossfelt.analysis.flashed_cards import share_hands
from crossfelt.analysis.strategies.cards import LINES, cards_of
from crossfelt.analysis.strategies.named import strategies_of
from crossfelt.reports.comparison import comparison
from crossfelt.reports.document import (
    Block,
    Figure,
    Figures,
    Plot,
    Report,
    Section,
    Square,
    Table,
    Text,
    as_json,
    from_json,
    schema,
)
from crossfelt.reports.par_sheet import par_sheet
from crossfelt.reports.sections.identity import command_of
from crossfelt.reports.sections.returns import outcome_table
from crossfelt.reports.sections.rules import _paid_wagers
from crossfelt.reports.sections.simulation_check import checked
from crossfelt.reports.study import ReportRequest, Study, _wagers, study
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import content_hash, rulebook_ids

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
BOOKS = rulebook_ids()
EXAMPLES = {path.stem: path for path in sorted((ROOT / "examples" / "rulebooks").glob("*.toml"))}


def blocks(report: Report) -> Iterator[Block]:
    for section in report.sections:
        yield from section.blocks


def tables(report: Report) -> dict[str, Table]:
    return {block.id: block for block in blocks(report) if isinstance(block, Table)}


def figures(report: Report) -> dict[str, Figure]:
    found = [block for block in blocks(report) if isinstance(block, Figures)]
    return {figure.id: figure for block in found for figure in block.figures}


def exact_column(table: Table, title: str) -> list[Fraction]:
    """Return the exact values of a column without the total."""
    place = next(place for place, column in enumerate(table.columns) if column.title == title)
    cells = [row.cells[place] for row in table.rows if not row.total]
    return [Fraction(cell.exact) for cell in cells if cell.exact]


def total(table: Table, title: str) -> Fraction:
    place = next(place for place, column in enumerate(table.columns) if column.title == title)
    return Fraction(next(row for row in table.rows if row.total).cells[place].exact)


# --- sums -----------------------------------------------------------------------------------------------------------


def test_the_return_is_the_solution(criss_cross: Study) -> None:
    solution = criss_cross.solution
    assert solution is not None
    found = figures(par_sheet(criss_cross))
    edge = solution.house_edge
    wanted = {
        "ev": solution.ev,
        "edge-base": edge.per_ante,
        "edge-initial": edge.per_initial_wagers,
        "edge-total": edge.per_total_wagered,
        "wagered": solution.average_total_wagered,
        "variance": solution.variance,
        "hit-rate": solution.hit_rate,
    }
    assert {name: Fraction(found[name].value.exact) for name in wanted} == wanted
    assert found["skewness"].value.number == pytest.approx(solution.distribution.skewness)
    assert found["kurtosis"].value.number == pytest.approx(solution.distribution.kurtosis)


@pytest.mark.parametrize("fixture", ["criss_cross", "maryland", "double_cross"])
def test_the_outcomes_of_every_wager_add_up(fixture: str, request: pytest.FixtureRequest) -> None:
    found: Study = request.getfixturevalue(fixture)
    solution = found.solution
    assert solution is not None
    told = tables(par_sheet(found))
    brought = Fraction(0)
    for name, wager in found.wagers.items():
        table = told[f"outcomes-{name.replace('_', '-')}"]
        assert sum(exact_column(table, "Deals")) == total(table, "Deals") == solution.distribution.deals
        assert sum(exact_column(table, "Probability")) == 1
        assert sum(exact_column(table, "Contribution")) == total(table, "Contribution") == wager.ev
        brought += wager.ev
    assert brought == solution.ev == total(told["wager-summary"], "Contribution")
    assert total(told["wager-summary"], "Average stake") == solution.average_total_wagered


@pytest.mark.parametrize("fixture", ["criss_cross", "double_cross", "pai_gow"])
def test_the_outcomes_of_every_side_bet_add_up(fixture: str, request: pytest.FixtureRequest) -> None:
    found: Study = request.getfixturevalue(fixture)
    told = tables(par_sheet(found))
    assert found.side_bets
    for name, bet in found.side_bets.items():
        table = told[f"side-bet-{name.replace('_', '-')}"]
        assert sum(exact_column(table, "Deals")) == total(table, "Deals") == bet.deals
        assert sum(exact_column(table, "Contribution")) == total(table, "Contribution") == bet.ev


def test_every_result_is_listed_and_averages_to_the_value(criss_cross: Study) -> None:
    solution = criss_cross.solution
    assert solution is not None
    told = tables(par_sheet(criss_cross))
    whole = told["all-results"]
    nets, deals = exact_column(whole, "Player's net"), exact_column(whole, "Deals")
    assert sum(net * count for net, count in zip(nets, deals, strict=True)) / sum(deals) == solution.ev
    assert sum(exact_column(told["results"], "Deals")) == solution.distribution.deals


def test_the_curve_under_the_payout_limit_is_the_solution_at_each_ante(criss_cross: Study, double_cross: Study) -> None:
    assert criss_cross.solution is not None
    report = par_sheet(criss_cross)
    assert "up to an ante of $16.11" in report.headline[0].note
    found = tables(report)["under-limit-antes"]
    antes = [int(100 * ante) for ante in exact_column(found, "Ante")]
    assert (antes[0], antes[-1]) == (5_00, 500_00)
    assert criss_cross.solution.holds_to_cents in antes
    edges = exact_column(found, "Best play at the ante")
    for ante, edge in ((antes[0], edges[0]), (antes[-1], edges[-1])):
        (at,) = solve("nj-criss-cross", antes=[ante]).at_antes
        assert at.best_play is not None
        assert edge == -at.best_play.mean / 2
    assert exact_column(found, "The strategy above")[0] == edges[0] < edges[-1]
    assert "under-limit-antes" not in tables(par_sheet(double_cross))


def test_the_contributions_of_a_wheel_are_its_return(criss_cross: Study) -> None:
    from crossfelt.analysis.solver.api import wheel_returns

    _, found = next(wheel_returns(criss_cross.game))
    table = tables(par_sheet(criss_cross))["spin-bonus-spin-3"]
    assert sum(exact_column(table, "Contribution")) == found.fixed


@pytest.mark.clause("NJC-48", "NJC-53")
def test_a_sheet_lists_wheels_by_printed_position_with_the_pay_of_each_receiver(criss_cross: Study) -> None:
    told = tables(par_sheet(criss_cross))
    wheel = [[cell.text for cell in row.cells] for row in told["wheel-bonus-spin-3"].rows]
    assert [int(cells[0]) for cells in wheel] == list(range(12))
    assert wheel[3][2] == "the spinner keeps $500; each other Bonus Spin bettor gets $100"
    spun = [row.cells[0].text for row in told["spin-bonus-spin-3"].rows]
    assert spun[:12] == [f"stop {place}" for place in range(12)]


def test_the_square_has_every_starting_hand_and_its_best_choice(criss_cross: Study) -> None:
    [square] = [block for block in blocks(par_sheet(criss_cross)) if isinstance(block, Square)]
    assert len({cell.hand for cell in square.cells}) == 169
    for cell in square.cells:
        best = max(Fraction(value.exact) for value in cell.choices.values())
        assert Fraction(cell.choices[cell.best].exact) == best == Fraction(cell.value.exact)


# --- every game -----------------------------------------------------------------------------------------------------


STUDIED = {
    "nj-criss-cross": "criss_cross",
    "md-criss-cross": "maryland",
    "nj-double-cross": "double_cross",
    "nj-pai-gow": "pai_gow",
}
"""Rulebooks that other tests study as well, and their fixtures."""
SLOW = {"caribbean-stud", "four-card-poker", "ultimate-texas-holdem"}
"""Games that take seconds to solve."""


@pytest.mark.parametrize(
    "book", [pytest.param(book, marks=[pytest.mark.soak] if book in SLOW else []) for book in (*BOOKS, *EXAMPLES)]
)
def test_every_game_has_a_sheet_with_an_exact_headline(book: str, request: pytest.FixtureRequest) -> None:
    if book in STUDIED:
        found: Study = request.getfixturevalue(STUDIED[book])
    else:
        game = compile_game(book if book in BOOKS else str(EXAMPLES[book]))
        found = study(ReportRequest(game=game, named=book, rounds=200, seed="7", quick=True, workers=1))
    report = par_sheet(found)
    solution = found.solution
    assert solution is not None
    assert report.games[0].rulebook_hash == content_hash(found.game.book)
    assert all(figure.unit and "exact" in figure.method for figure in report.headline)
    shown = {figure.id: figure.value for figure in report.headline}
    edge = solution.house_edge
    first = "edge-initial" if "edge-initial" in shown else "edge-base"
    assert Fraction(shown[first].exact) == edge.per_initial_wagers
    assert Fraction(shown["edge-total"].exact) == edge.per_total_wagered
    assert Fraction(shown["hit-rate"].exact) == solution.hit_rate
    [text] = [block for section in report.sections if section.id == "return" for block in section.blocks][1:2]
    assert isinstance(text, Text)
    assert f"Rule for choices of equal value: {solution.tie_rule}." in text.paragraphs[0]


# --- strategies -----------------------------------------------------------------------------------------------------


def test_no_other_strategy_is_better(double_cross: Study) -> None:
    game = double_cross.game
    found = replace(double_cross, ways={name: solve(game, strategy=name) for name in strategies_of(game)})
    table = tables(par_sheet(found))["ways"]
    costs = exact_column(table, "Cost")
    assert table.rows[0].cells[0].text == "optimal"
    assert costs[0] == 0
    assert costs == sorted(costs)
    assert {row.cells[0].text for row in table.rows} == {"optimal", *found.ways}


def test_a_card_is_printed_with_its_cost(double_cross: Study) -> None:
    cards = cards_of(double_cross.game)
    told = tables(par_sheet(replace(double_cross, cards=cards)))
    assert exact_column(told["frontier"], "Cost") == [card.cost for card in cards]
    printed = [tuple(cell.text for cell in row.cells) for row in told["card"].rows]
    longest = max((card for card in cards if len(card.lines) <= LINES), key=lambda card: len(card.lines))
    assert printed == [(line.decision.replace("_", " "), line.when, line.do) for line in longest.lines]
    assert printed[-1] == ("decide play", "otherwise", "fold")


def test_house_ways_have_their_exact_cost(pai_gow: Study) -> None:
    told = tables(par_sheet(pai_gow))
    for table in (told["house-ways"], told["banking"]):
        assert [row.cells[0].text for row in table.rows][:2] == ["best play", "foxwoods"]
        assert exact_column(table, "Cost")[0] == 0 < min(exact_column(table, "Cost")[1:])
        assert table.method == "exact"


def test_shared_hands_have_an_interval(criss_cross: Study) -> None:
    shared = share_hands(criss_cross.game, players=2, rounds=2, seed="7")
    assert shared is not None
    told = figures(par_sheet(replace(criss_cross, shared=shared)))
    assert told["shared-gain"].value.number == pytest.approx(shared.gain.value)
    assert "95 % confidence" in told["shared-gain"].note


@pytest.mark.soak
def test_a_whole_sheet_has_a_card_and_shared_hands() -> None:
    found = study(ReportRequest(game=compile_game("nj-criss-cross"), named="nj-criss-cross", rounds=400))
    assert found.cards
    assert found.shared is not None
    assert {"card", "frontier"} <= set(tables(par_sheet(found)))


# --- requirements of every report -----------------------------------------------------------------------------------


def test_every_figure_has_unit_and_method(sheet: Report) -> None:
    for figure in (*sheet.headline, *figures(sheet).values()):
        assert all((figure.unit, figure.method)), figure.id
        assert figure.value.number is not None
    for table in tables(sheet).values():
        counted = any(cell.number is not None for row in table.rows for cell in row.cells)
        assert bool(table.method) == counted, table.id
    for block in blocks(sheet):
        if isinstance(block, Square):
            assert all((block.unit, block.method))
        if isinstance(block, Plot):
            assert all((block.value_label, block.alt))


def test_tables_are_whole_and_ids_are_unique(sheet: Report) -> None:
    ids = [block.id for block in blocks(sheet) if not hasattr(block, "paragraphs") and hasattr(block, "id")]
    assert len(ids) == len(set(ids))
    for table in tables(sheet).values():
        assert table.rows, table.id
        assert {len(row.cells) for row in table.rows} == {len(table.columns)}, table.id
    for block in blocks(sheet):
        if isinstance(block, Plot):
            assert {len(series.values) for series in block.series} == {len(block.across)}, block.id


def test_rules_stand_beside_their_clauses(sheet: Report) -> None:
    told = tables(sheet)
    cited = {row.cells[0].text for row in told["clauses"].rows}
    for table in (told["rules-wagers"], told["rules-round"]):
        for row in table.rows:
            told_basis = row.cells[-1].text
            named = {part.strip() for part in told_basis.replace(";", ",").split(",")}
            assert named & cited or told_basis.startswith(("HOUSE RULE", "AMB-")), row.cells[0].text


def test_the_pay_table_of_a_bonus_names_its_wager() -> None:
    made = compile_game(str(EXAMPLES["three-card-poker"]))
    assert _paid_wagers(made, "ante_bonus") == "Wagers: Ante."


def test_an_outcome_with_a_bonus_names_the_result_of_the_wager() -> None:
    made = compile_game(str(EXAMPLES["three-card-poker"]))
    ante = _wagers(made, solve(made))["ante"]
    names = [row.cells[0].text for row in outcome_table(ante, "antes").rows]
    assert ante.title == "Ante with its bonus"
    assert {"straight, wins", "straight, loses"} <= set(names)
    assert len(names) == len(set(names))


def test_illustrative_figures_are_marked(criss_cross: Study) -> None:
    told = tables(par_sheet(criss_cross))["illustrative"]
    assert {row.cells[1].text for row in told.rows} >= set(criss_cross.game.illustrative)


def test_play_money_is_stated(sheet: Report) -> None:
    assert sheet.statement.startswith("Play money only.")


def test_json_holds_the_whole_report(sheet: Report) -> None:
    assert from_json(as_json(sheet)) == sheet


def test_the_schema_that_is_documented_is_the_schema() -> None:
    assert (DOCS / "report.schema.json").read_bytes() == schema(), "run `make schema`"


# --- verification -----------------------------------------------------------------------------------------------------


def test_the_simulation_agrees_with_the_exact_figures(criss_cross: Study) -> None:
    found = checked(criss_cross)
    assert len(found) > 15
    assert max(abs(each.z_score) for each in found) < 4.5


def test_hands_set_by_the_house_way_have_exact_figures(pai_gow: Study) -> None:
    main = solve("nj-pai-gow", strategy="house-way")
    sheet = par_sheet(pai_gow)
    found = tables(sheet)
    assert "wagers-simulated" not in found
    assert exact_column(found["wager-summary"], "House edge") == [main.house_edge.per_ante]
    assert exact_column(found["outcomes-main"], "Probability") == [
        main.distribution.probability(outcome) for outcome in main.distribution.outcomes
    ]
    checks = {row.cells[0].text: row.cells for row in found["z-scores"].rows}
    assert Fraction(checks["Pai gow poker wager: house edge"][2].exact) == main.house_edge.per_ante


def test_a_wrong_exact_figure_would_show(criss_cross: Study) -> None:
    edge = next(each for each in checked(criss_cross) if each.title == "Rounds won")
    assert abs(edge._replace(exact=edge.exact + Fraction(1, 20)).z_score) > 4.5


# --- submissions and comparisons ------------------------------------------------------------------------------------


def test_a_submission_changes_its_values_and_is_listed() -> None:
    stated = {"wagers": {"five_card_bonus": {"offered": False}, "ante": {"max_cents": 20_000}}}
    game = compile_game("ma-criss-cross", stated)
    asked = ReportRequest(game=game, named="ma-criss-cross", submission="mine.toml", rounds=400, quick=True, workers=1)
    found = study(asked)
    sheet = par_sheet(found)
    assert not found.side_bets
    assert sheet.games[0].submission == stated
    told = {row.cells[0].text: row.cells[1].text for row in tables(sheet)["identity"].rows}
    assert told["wagers.ante.max_cents"] == "20000"
    chosen = {row.cells[1].text: row for row in tables(sheet)["rules-choices"].rows}
    assert chosen["wagers.ante.max_cents"].cells[3].text == "submission"
    assert command_of(asked) == "crossfelt report ma-criss-cross --submission mine.toml --rounds 400 --quick"


def test_a_comparison_subtracts_the_first_from_the_second(criss_cross: Study) -> None:
    game = compile_game("md-criss-cross", {"settings": {"md_antes_at_table": True}})
    other = study(ReportRequest(game=game, named="mine.toml", rounds=400, seed="7", quick=True, workers=1))
    report = comparison(criss_cross, other)
    assert criss_cross.solution is not None
    assert other.solution is not None
    rows = {row.cells[0].text: row.cells for row in tables(report)["returns"].rows}
    ev = rows["Expected value of a round"]
    assert [Fraction(cell.exact) for cell in ev[2:]] == [
        criss_cross.solution.ev,
        other.solution.ev,
        other.solution.ev - criss_cross.solution.ev,
    ]
    assert report.kind == "comparison"
    assert [game.rulebook for game in report.games] == ["nj-criss-cross", "md-criss-cross"]
    differing = {row.cells[0].text for row in tables(report)["choices"].rows}
    assert "settings.md_antes_at_table" in differing
    assert tables(report)["differences"].rows


def test_equal_games_have_no_differences(criss_cross: Study) -> None:
    report = comparison(criss_cross, criss_cross)
    assert not {"choices", "differences"} & set(tables(report))
    assert not any(name.startswith("pays-") for name in tables(report))
    sections: dict[str, Section] = {section.id: section for section in report.sections}
    assert "play" in sections
