"""Sweeps: every result equals that of `solve`, independent of workers and pieces."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

from crossfelt._util.software_hash import software_hash
from crossfelt.analysis import solve
from crossfelt.analysis.runners import ProcessRunner, run_in_process
from crossfelt.analysis.solver.api import wheel_returns
from crossfelt.analysis.solver.progressive_wager import progressive_return
from crossfelt.analysis.sweep import api
from crossfelt.analysis.sweep.api import Bound, Ranking, encode, read_bounds, solve_sample, solved_piece, sweep
from crossfelt.analysis.sweep.evaluate import Variants
from crossfelt.analysis.sweep.files import SweepFile, columns_of, read_parts
from crossfelt.analysis.sweep.grid import (
    Axis,
    FigureBasis,
    Submission,
    SweepGrid,
    VariantResult,
    decode_rows,
    encode_rows,
)
from crossfelt.errors import BadInput
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import compile_game
from properties import given, st

ODDS: dict[str, dict[str, list[int | str]]] = {
    "nj-criss-cross": {"bets.flush": [6, 8], "bets.straight": ["9 to 2", 5], "five_card_bonus.flush": [5, 6]},
    "ma-criss-cross": {"bets.two_pair": [2, "5 to 2"], "bets.full_house": [10, 12]},
    "md-criss-cross": {"bets.flush": [7, 8], "ante.pair_jacks_or_better": [1, "3 to 2"]},
    "nj-double-cross": {"raise.flush": [5, "13 to 2"], "three_card.flush": [3, 4]},
    "nj-pai-gow": {"seven_card.five_aces": [300, 400], "imperial_player.flush": [2, 3]},
}


def exact_figures(found: dict[str, Any]) -> Iterator[tuple[str, Fraction]]:
    """Return every fraction in the output of `crossfelt solve --json`, by its path."""
    for name, value in found.items():
        if isinstance(value, dict) and set(value) == {"numerator", "denominator", "value"}:
            yield name, Fraction(int(value["numerator"]), int(value["denominator"]))
        elif isinstance(value, dict):
            yield from ((f"{name}.{path}", fraction) for path, fraction in exact_figures(value))


@pytest.mark.parametrize("book", ODDS)
def test_every_figure_is_a_fresh_solutions_fraction(book: str) -> None:
    found = sweep(book, pay=ODDS[book])
    assert [row.values for row in sorted(found.rows, key=lambda row: row.number)] == [
        dict(zip(ODDS[book], values, strict=True)) for values in itertools.product(*ODDS[book].values())
    ]
    for row in found.rows:
        fresh = solve(compile_game(book), pay=row.values)
        told = fresh.as_data()
        for path, fraction in exact_figures(told.get("exact", {})):
            assert row.figures[path] == fraction, path
        assert row.figures["ev"] == fresh.ev
        assert row.figures["hit_rate"] == fresh.hit_rate
        assert row.figures["standard_deviation"] == told["standard_deviation"]
        for name, bet in fresh.side_bets.items():
            assert row.figures[f"side_bets.{name}.house_edge"] == -bet.ev
            assert row.figures[f"side_bets.{name}.hit_rate"] == bet.hit_rate
            assert row.figures[f"side_bets.{name}.standard_deviation"] == told["side_bets"][name]["standard_deviation"]
    assert len({row.figures["ev"] for row in found.rows}) > 1 or book == "nj-pai-gow"


def test_wagers_strategies_and_known_cards_are_those_of_a_fresh_solution() -> None:
    found = sweep("nj-double-cross", strategies=["optimal", "never-fold"], rank="wagers.raise.house_edge")
    for row in found.rows:
        fresh = solve("nj-double-cross", strategy=row.values["strategy"]).by_wager()
        for name, wager in fresh.items():
            assert row.figures[f"wagers.{name}.ev"] == wager.ev
            assert row.figures[f"wagers.{name}.house_edge"] == wager.house_edge
    known = sweep("nj-criss-cross", known=["middle"], pay={"bets.flush": [7, 8]})
    assert [row.figures["ev"] for row in known.rows] == [
        solve("nj-criss-cross", known="middle", pay={"bets.flush": odds}).ev for odds in (8, 7)
    ]


def test_antes_are_those_of_a_fresh_solution_under_the_payout_limit() -> None:
    odds = {"bets.flush": 7}
    found = sweep(
        "nj-criss-cross", pay={"bets.flush": [7, 8]}, antes=[500, 100_00], rank="at_ante.same_play.house_edge"
    )
    assert found.rows[-1].values == {**odds, "ante": 100_00}
    fresh = solve("nj-criss-cross", pay=odds, antes=[100_00])
    assert found.rows[-1].figures["at_ante.best_play.house_edge"] == fresh.edge_at(fresh.at_antes[0].best_play)
    assert found.rows[-1].figures["at_ante.holds_to_cents"] == fresh.holds_to_cents
    with pytest.raises(BadInput, match="not an ante in cents"):
        sweep("nj-criss-cross", antes=[0, 500])


def test_wheels_and_meters_are_those_of_the_compiled_game() -> None:
    path = "wagers.bonus_spin.weights[8]"
    found = sweep("nj-criss-cross", choices={path: [1, 40]}, meters={"bonus_spin": [0, 5_000_000]}, others=[0, 3])
    assert len({row.figures["bonus_spin.return"] for row in found.rows}) == found.count == 8
    for row in found.rows:
        weights = list(compile_game("nj-criss-cross").weights(compile_game("nj-criss-cross").wheels[0]))
        weights[2] = row.values[path]  # printed position 8 is the third of the pay table
        game = compile_game("nj-criss-cross", {"wagers": {"bonus_spin": {"weights": weights}}})
        _, expected = next(wheel_returns(game, row.values["others"]))
        assert row.figures["bonus_spin.return"] == expected.at(row.values["meter.bonus_spin"])
        assert row.figures["bonus_spin.long_run"] == expected.long_run
        assert row.figures["bonus_spin.break_even_cents"] == expected.break_even_cents


def test_whole_wheels_of_several_stakes_have_their_own_figures() -> None:
    wagers = {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, "paytable_1": "A"}}
    game = compile_game("md-criss-cross", {"wagers": wagers})
    found = sweep(game, others=[0, 5])
    stakes = sorted({wheel.stake_cents for wheel in game.wheels})
    assert len(stakes) > 1
    for row, stake in itertools.product(found.rows, stakes):
        expected = {wheel.stake_cents: each for wheel, each in wheel_returns(game, row.values["others"])}[stake]
        assert row.figures[f"bonus_spin_xtreme.{stake}.long_run"] == expected.long_run


@pytest.mark.clause("MDC-48")
def test_a_sweep_over_the_community_pay_table_follows_the_designation() -> None:
    game = compile_game("md-criss-cross", {"wagers": {"bonus_spin": {"paytable": "A"}}})
    found = sweep(game, choices={"wagers.bonus_spin.community_paytable_1": ["as_paytable", "A", "B"]}, others=[3])
    returns = [row.figures["bonus_spin.return"] for row in found.rows]
    stated = [{"paytable": "A", **more} for more in ({}, {"community_paytable_1": "A"}, {"community_paytable_1": "B"})]
    games = [compile_game("md-criss-cross", {"wagers": {"bonus_spin": spin}}) for spin in stated]
    assert returns == [next(wheel_returns(game, 3))[1].fixed for game in games]
    assert len(set(returns)) == 2


def test_progressive_wagers_follow_odds_and_meter() -> None:
    found = sweep("nj-pai-gow", pay={"progressive.full_house": [4, 5]}, meters={"pai_gow": [0, 10_000_000]})
    for row in found.rows:
        from crossfelt.analysis import with_pay

        game = with_pay(compile_game("nj-pai-gow"), {"progressive.full_house": row.values["progressive.full_house"]})
        expected = progressive_return(game)
        assert expected is not None
        assert row.figures["progressive_player.return"] == expected.at(row.values["meter.pai_gow"])
    assert len({row.figures["progressive_player.return"] for row in found.rows}) == 4


def test_house_ways_and_submissions_are_compiled_as_they_are_stated() -> None:
    stated = {"low": {"house_way": "foxwoods"}, "high": {"house_way": "mgm"}}
    by_file = sweep("nj-pai-gow", submissions=stated)
    by_choice = sweep("nj-pai-gow", choices={"house_way": ["foxwoods", "mgm"]})
    assert {row.values["submission"]: row.figures["ev"] for row in by_file.rows} == {
        name: solve(compile_game("nj-pai-gow", stated[name])).ev for name in stated
    }
    assert [row.figures for row in by_file.rows] == [row.figures for row in by_choice.rows]


@pytest.mark.clause("MDC-26")
def test_forbidden_combinations_have_a_reason() -> None:
    found = sweep(
        "md-criss-cross",
        choices={"dealing.method": ["manual_shoe", "hand"], "dealing.shuffler": ["none", "automatic"]},
    )
    assert len(found.rows) == 3
    [why] = found.refused.values()
    assert "must come from an automated shuffler" in why
    assert "[MDC-26]" in why


@pytest.mark.clause("NJC-51", "DCP-28")
def test_forbidden_odds_cite_their_clause() -> None:
    odds: dict[str, list[int | str]] = {"bets.flush": [7, 8], "bets.straight": [5, "lose"]}
    found = sweep("nj-criss-cross", pay=odds, rank="edge")
    permitted = {tuple(row.values.values()): not row.forbidden for row in found.rows}
    assert permitted == {(7, 5): False, (8, 5): True, (7, "lose"): False, (8, "lose"): False}
    assert all("[NJC-51" in row.forbidden for row in found.rows if row.forbidden)
    [only] = sweep("nj-criss-cross", pay=odds, permitted=True).rows
    assert only.values == {"bets.flush": 8, "bets.straight": 5}
    # Double Cross prints minima: better odds are permitted, worse ones are not.
    least = {
        row.values["raise.flush"]: row.forbidden for row in sweep("nj-double-cross", pay={"raise.flush": [5, 9]}).rows
    }
    assert least[9] == ""
    assert "[DCP-" in least[5]


def test_figures_that_only_some_combinations_have_can_be_ranked() -> None:
    found = sweep(
        "nj-double-cross",
        choices={"wagers.three_card.offered": [False, True]},
        pay={"raise.flush": [5, 6, 7, 8]},
        rank="side_bets.three_card.house_edge",
    )
    assert [row.values["wagers.three_card.offered"] for row in found.rows] == [True] * 4 + [False] * 4


def test_the_sample_is_spread_over_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "TRIED_SECONDS", inf)
    pay = Axis(kind="pay", name="bets.flush", values=tuple(range(1, 41)))
    meter = Axis(kind="meter", name="bonus_spin", values=tuple(range(0, 50_000, 1_000)))
    asked = SweepGrid.of(loader.as_data(loader.load("nj-criss-cross")), (Submission(),), (meter, pay))
    begun = solve_sample(Variants(asked), range(asked.count))
    assert asked.alike == 50
    assert {asked.variant(row.number).of("pay")["bets.flush"] for row in begun.rows} == {1, 21, 11, 12}
    assert sorted([row.number for row in begun.rows] + begun.left) == list(range(asked.count))


def test_a_slow_game_is_estimated_from_its_first_combination(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "TRIED_SECONDS", 0.0)
    asked, told = asked_of(flush=[5, 6, 7, 8]), list[int]()
    begun = solve_sample(Variants(asked), range(asked.count), told.append)
    assert ([row.number for row in begun.rows], begun.left, told) == ([0], [1, 2, 3], [1])
    assert begun.seconds_each > 0


def asked_of(**pay: list[int]) -> SweepGrid:
    axes = tuple(Axis(kind="pay", name=f"bets.{line}", values=tuple(odds)) for line, odds in pay.items())
    return SweepGrid.of(loader.as_data(loader.load("nj-criss-cross")), (Submission(),), axes)


def pieces(asked: SweepGrid) -> list[tuple[bytes, list[int]]]:
    return [(encode(asked), [number]) for number in range(asked.count)]


def test_processes_give_the_same_rows_also_when_one_is_killed() -> None:
    asked = asked_of(flush=[5, 6, 7, 8], straight=[3, 4, 5, 6], full_house=[10, 11])
    here = sorted(run_in_process(solved_piece, pieces(asked)))
    coming = ProcessRunner(2)(solved_piece, pieces(asked))
    found = [next(coming)]
    killed = multiprocessing.active_children()[0]
    killed.kill()
    found += coming
    assert killed.exitcode == -signal.SIGKILL
    assert sorted(found) == here


@given(st.lists(st.integers(min_value=1, max_value=5), max_size=4), st.integers(min_value=1, max_value=3))
def test_numbers_and_combinations_are_the_same_thing(sizes: list[int], submissions: int) -> None:
    axes = tuple(
        Axis(kind="pay", name=f"line{place}", values=tuple(range(1, size + 1))) for place, size in enumerate(sizes)
    )
    asked = SweepGrid(rulebook={}, axes=axes, submissions=tuple(Submission(name=str(n)) for n in range(submissions)))
    every = [tuple(asked.variant(number).values.values()) for number in range(asked.count)]
    assert every == list(itertools.product(map(str, range(submissions)), *(axis.values for axis in axes)))


@given(
    st.dictionaries(
        st.text(), st.fractions() | st.floats(allow_nan=False, allow_infinity=False) | st.none(), max_size=5
    )
)
def test_rows_survive_encoding(figures: dict[str, Any]) -> None:
    row = VariantResult(number=3, figures=figures)
    assert decode_rows(encode_rows([row])) == [row]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("edge between 3% and 5%", [("edge", Fraction(3, 100), Fraction(5, 100), False)]),
        ("edge between 3 and 5 %", [("edge", Fraction(3, 100), Fraction(5, 100), False)]),
        ("edge 3%..5%", [("edge", Fraction(3, 100), Fraction(5, 100), False)]),
        ("hit_rate >= 1/3", [("hit_rate", Fraction(1, 3), None, False)]),
        ("volatility below 6", [("volatility", None, Fraction(6), True)]),
        (
            "side_bets.five_card_bonus.house_edge<4.5%",
            [("side_bets.five_card_bonus.house_edge", None, Fraction(9, 200), True)],
        ),
        ("ev at least -0.1", [("ev", Fraction(-1, 10), None, False)]),
        ("others = 3", [("others", Fraction(3), Fraction(3), False)]),
        (
            "edge above 3% with volatility at most 9.5",
            [
                ("edge", Fraction(3, 100), None, True),
                ("volatility", None, Fraction(19, 2), False),
            ],
        ),
    ],
)
def test_bounds_are_read_as_people_type_them(text: str, bounds: list[tuple[Any, ...]]) -> None:
    expected = [Bound(figure=name, low=low, high=high, strict=strict) for name, low, high, strict in bounds]
    assert read_bounds(text) == expected


@pytest.mark.parametrize(
    "text", ["", "edge", "edge below", "edge between 5% and 3%", "below 3", "edge < 1/0", "edge ~ 3"]
)
def test_invalid_bounds_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_bounds(text)


@given(st.lists(st.none() | st.fractions(), max_size=8), st.fractions(), st.booleans())
def test_a_ranking_is_in_order_inside_its_bounds(values: list[Fraction | None], low: Fraction, highest: bool) -> None:
    rows = [VariantResult(number=number, figures={"ev": value}) for number, value in enumerate(values)]
    ranked = Ranking(by="ev", highest=highest, bounds=(Bound(figure="ev", low=low),)).of(rows)
    found = [row.figures["ev"] for row in ranked]
    assert found == sorted((value for value in values if value is not None and value >= low), reverse=highest)
    every = Ranking(by="ev", highest=highest).of(rows)
    assert len(every) == len(rows)
    assert [row.figures["ev"] for row in every[len(rows) - values.count(None) :]] == [None] * values.count(None)


def test_a_cut_file_resumes(tmp_path: Path) -> None:
    asked, path = asked_of(flush=[6, 7, 8]), tmp_path / "sweep"
    rows = [row for piece in run_in_process(solved_piece, pieces(asked)) for row in decode_rows(piece)]
    with SweepFile(path, asked) as file:
        for row in rows:
            file.add_rows([row])
    whole = path.read_bytes()
    first_line = whole.index(b"\n") + 1
    for cut in (0, *range(first_line, len(whole), 97)):
        path.write_bytes(whole[:cut])
        with SweepFile(path, asked) as file:
            kept = len(file.rows)
            assert file.rows == rows[:kept]
            for row in rows[kept:]:
                file.add_rows([row])
        assert path.read_bytes() == whole
    assert read_parts([path, path]) == (asked, rows, [path])


def test_parts_of_different_sweeps_are_not_mixed(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for path, asked in ((one, asked_of(flush=[6, 7])), (other, asked_of(flush=[6, 8]))):
        with SweepFile(path, asked) as file:
            file.add_rows([VariantResult(number=0, figures={"ev": Fraction(1, 3)})])
    with pytest.raises(BadInput, match="another sweep"):
        read_parts([one, other])
    with pytest.raises(BadInput, match="another sweep"):
        SweepFile(one, asked_of(flush=[6, 8]))
    something = tmp_path / "something"
    something.write_text("not ours")
    with pytest.raises(BadInput, match="not a sweep file"):
        SweepFile(something, asked_of(flush=[6, 8]))
    assert something.read_text() == "not ours"
    newer = tmp_path / "newer"
    newer.write_bytes(one.read_bytes().replace(software_hash().encode(), b"0" * 64))
    with pytest.raises(BadInput, match="another version of Crossfelt"):
        read_parts([one, newer])
    with pytest.raises(BadInput, match="another version of Crossfelt"):
        SweepFile(newer, asked_of(flush=[6, 7]))
    forged = tmp_path / "forged"
    forged.write_bytes(one.read_bytes().replace(b"1/3", b"2/3"))
    with pytest.raises(BadInput, match="contradicts an earlier file"):
        read_parts([one, forged])


def test_tables_keep_the_fraction_beside_the_number() -> None:
    asked = asked_of(flush=[6, 7])
    basis = FigureBasis(method="exact", unit="one ante", strategy="optimal", tie_rule="raise")
    figures: dict[str, Fraction | float | None] = {"ev": Fraction(-1, 3), "standard_deviation": 2.5}
    rows = [
        VariantResult(number=1, figures=figures, basis=basis, forbidden="not 7 to 1 [NJC-51]", forbidden_by="NJC-51")
    ]
    assert columns_of(asked, rows) == {
        "rank": [1],
        "number": [1],
        "bets.flush": [7],
        "permitted": [False],
        "forbidden_by": ["NJC-51"],
        "ev": [-1 / 3],
        "ev_exact": ["-1/3"],
        "standard_deviation": [2.5],
        "rulebook": ["nj-criss-cross"],
        "rulebook_hash": [compile_game("nj-criss-cross").rulebook_hash],
        "method": ["exact"],
        "unit": ["one ante"],
        "strategy": ["optimal"],
        "tie_rule": ["raise"],
    }


@pytest.mark.parametrize(
    ("varied", "told"),
    [
        ({"pay": {"bets.flush": [6]}}, "nothing is varied"),
        ({"pay": {"bets.flush": [6, 6]}}, "a value is repeated"),
        ({"pay": {"bets.flush": []}}, "no values"),
        ({"pay": {"bets.flash": [6, 7]}}, "no such pay line"),
        ({"pay": {"bets.flush": [6, 0]}}, "not odds"),
        ({"choices": {"house_way": ["mgm", "foxwoods"]}}, "no such choice"),
        ({"choices": {"wagers.bonus_spin.paytable": ["3", "9"]}}, "not one of the choices"),
        ({"choices": {"wagers.bonus_spin.weights[99]": [1, 2]}}, r"no such slice: 99 \(allowed: 0, 1, 2, "),
        ({"choices": {"wagers.ante.min_cents[1]": [1, 2]}}, "not the weights of a wheel"),
        ({"choices": {"settings.nothing": [True, False]}}, "no such setting"),
        ({"meters": {"pai_gow": [1, 2]}}, "no such meter"),
        ({"meters": {"bonus_spin": [-1, 2]}}, "out of bounds"),
        ({"others": [0, 6]}, "out of bounds"),
        ({"strategies": ["optimal", "luck"]}, "luck"),
        ({"known": ["middle", "top"]}, "no such hidden card"),
        ({"pay": {"bets.flush": [6, 7]}, "rank": "eddge"}, "no such figure"),
        ({"pay": {"bets.flush": [6, 7]}, "where": ["volatillity < 3"]}, "no such figure"),
        ({"pay": {"bets.flush": range(1, 1000), "bets.straight": range(1, 1000)}}, "too many combinations"),
    ],
)
def test_invalid_sweeps_are_refused_before_the_work(varied: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        sweep("nj-criss-cross", **varied)
