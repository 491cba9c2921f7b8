"""`crossfelt sweep` and `crossfelt merge`."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.sweep import api as runner
from crossfelt.cli.commands import sweep as command
from crossfelt.rulebooks.game import compile_game

ODDS = ("--pay", "bets.flush=6..8", "--pay", "bets.straight=4,9 to 2")


def test_text_ranks_and_shows_the_differences(crossfelt: Any) -> None:
    found = crossfelt("sweep", "nj-criss-cross", *ODDS, "--where", "edge between 4% and 6% with volatility below 9.6")
    assert found.code == 0
    assert found.out.splitlines() == [
        "rank  bets.flush  bets.straight      edge  per_total_wagered  volatility   hit_rate    forbidden_by",
        "   1           8         9 to 2  4.8929 %           1.6697 %      9.5710  31.7947 %  NJC-51, AMB-8b",
        "   2           8              4  5.4383 %           1.8586 %      9.5420  31.7919 %  NJC-51, AMB-8b",
        "   3           7         9 to 2  5.6782 %           1.9390 %      9.4916  31.7924 %  NJC-51, AMB-8b",
    ]
    (told,) = (line for line in found.errors if line.startswith("6 combinations in "))
    assert told.endswith("; 3 inside the bounds, lowest edge first.")


def test_json_has_exact_fractions_and_the_question(crossfelt: Any) -> None:
    found = crossfelt("sweep", "nj-criss-cross", *ODDS, "--rank", "variance", "--highest", "--json").json
    fresh = solve("nj-criss-cross", pay={"bets.flush": 8, "bets.straight": "9 to 2"})
    first = found["rows"][0]
    assert first["values"] == {"bets.flush": 8, "bets.straight": "9 to 2"}
    told = first["figures"]["ev"]
    assert Fraction(int(told["numerator"]), int(told["denominator"])) == fresh.ev
    assert (found["rulebook"], found["combinations"], found["solved"]) == ("nj-criss-cross", 6, 6)
    assert found["rulebook_hash"] == fresh.rules.rulebook_hash
    told = fresh.as_data()
    assert all(first[name] == told[name] for name in ("method", "unit", "strategy", "tie_rule"))
    assert first["permitted"] is False
    assert first["forbidden"].endswith("[NJC-51, AMB-8b]")
    assert (found["rank"], found["highest_first"]) == ("variance", True)
    variances = [row["figures"]["variance"]["value"] for row in found["rows"]]
    assert variances == sorted(variances, reverse=True)


@pytest.mark.exhaustive
def test_files_hold_the_same_ranking(crossfelt: Any, tmp_path: Path) -> None:
    told = {}
    for suffix in ("csv", "parquet", "json"):
        told[suffix] = tmp_path / f"ranking.{suffix}"
        assert crossfelt("sweep", "nj-criss-cross", *ODDS, "--out", told[suffix], "--top", 4).code == 0
    rows = list(csv.DictReader(told["csv"].read_text().splitlines()))
    table = pyarrow.parquet.read_table(told["parquet"]).to_pylist()
    assert [row["ev_exact"] for row in rows] == [row["ev_exact"] for row in table]
    assert (
        [float(row["ev"]) for row in rows]
        == [row["ev"] for row in table]
        == [float(Fraction(row["ev_exact"])) for row in rows]
    )
    assert len(rows) == 4
    refused = crossfelt("sweep", "nj-criss-cross", *ODDS, "--out", told["csv"])
    assert (refused.code, refused.out) == (2, "")
    assert "file exists" in refused.err


@pytest.mark.exhaustive
def test_choices_slices_and_meters_are_parsed(crossfelt: Any) -> None:
    found = crossfelt(
        "sweep", "nj-criss-cross", "--choose", "wagers.bonus_spin.paytable=*",
        "--choose", "wagers.bonus_spin.weights[8]=1,30", "--meter", "bonus_spin=0..2000000:1000000", "--others", "0,5",
        "--json",
    ).json  # fmt: skip
    assert found["combinations"] == 3 * 2 * 3 * 2
    assert len(found["refused"]) == 12  # pay table 4 has a fixed prize and no meter
    assert found["rank"] == "bonus_spin.return"
    assert {row["values"]["wagers.bonus_spin.paytable"] for row in found["rows"]} == {"3", "5"}


def test_weights_and_flags_are_parsed(crossfelt: Any) -> None:
    game = compile_game("nj-criss-cross")
    even = [1] * len(game.weights(game.wheels[0]))
    lists = f"{even}, {[2, *even[1:]]}"
    wheels = crossfelt("sweep", "nj-criss-cross", "--choose", f"wagers.bonus_spin.weights={lists}", "--json").json
    assert [row["values"]["wagers.bonus_spin.weights"][0] for row in wheels["rows"]] == [1, 2]
    found = crossfelt("sweep", "nj-criss-cross", "--choose", "wagers.five_card_bonus.offered=true,false", "--json").json
    assert ["side_bets.five_card_bonus.house_edge" in row["figures"] for row in found["rows"]] == [True, False]


def test_submissions_are_compared(crossfelt: Any, tmp_path: Path) -> None:
    files = []
    for flush in (8, 9):
        files.append(tmp_path / f"flush{flush}.toml")
        files[-1].write_text(f'rulebook = "nj-double-cross"\n[pays.raise]\nflush = "{flush} to 1"\n')
    found = crossfelt("sweep", "nj-double-cross", "--submission", files[0], "--submission", files[1], "--json").json
    assert [row["values"]["submission"] for row in found["rows"]] == [str(files[1]), str(files[0])]


def test_figures_are_listed(crossfelt: Any) -> None:
    names = crossfelt("sweep", "nj-double-cross", "--figures").out.split()
    assert {"ev", "house_edge.per_ante", "decisions.play.fold", "side_bets.three_card.house_edge"} <= set(names)
    assert "wagers.raise.house_edge" in names


def test_the_estimate_is_printed_without_solving(crossfelt: Any) -> None:
    found = crossfelt("sweep", "nj-criss-cross", *ODDS, "--estimate", "--workers", 2)
    assert (found.code, found.out.split(", about ")[0]) == (0, "6 combinations")
    assert found.out.endswith(" with 2 workers\n")


@pytest.mark.exhaustive
def test_a_sweep_resumes_after_an_interrupt(crossfelt: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def at_once() -> Iterator[Callable[[], bool]]:
        yield lambda: True

    state = tmp_path / "state"
    asked = ("sweep", "nj-criss-cross", "--pay", "bets.flush=1..40", "--state", state, "--json", "--workers", 1)
    with monkeypatch.context() as patched:
        patched.setattr(command, "until_interrupted", at_once)
        patched.setattr(runner, "LARGEST_PIECE", 5)
        stopped = crossfelt(*asked)
    assert stopped.code == 130
    assert "Interrupted after" in stopped.err
    solved = stopped.json["solved"]
    assert 0 < solved < 40
    monkeypatch.setattr(command, "SAVE_EVERY_SECONDS", 0.0)
    resumed = crossfelt(*asked)
    assert resumed.code == 0
    assert (
        resumed.json["rows"] == crossfelt("sweep", "nj-criss-cross", "--pay", "bets.flush=1..40", "--json").json["rows"]
    )
    again = crossfelt(*asked)
    assert again.json["rows"] == resumed.json["rows"]


@pytest.mark.exhaustive
def test_shards_add_up_to_the_whole(crossfelt: Any, tmp_path: Path) -> None:
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3, 4)]
    for number, part in enumerate(parts, start=1):
        assert crossfelt("sweep", "nj-criss-cross", *ODDS, "--shard", f"{number}/4", "--out", part).code == 0
    whole = crossfelt("sweep", "nj-criss-cross", *ODDS, "--json").json
    merged = crossfelt("merge", *reversed(parts), "--json")
    assert merged.code == 0
    assert {**merged.json, "seconds": 0} == {**whole, "seconds": 0}
    missing = crossfelt("merge", *parts[1:], "--where", "edge < 5%")
    assert missing.code == 1
    assert missing.errors[-1] == "1 of 6 combinations are missing; add the other shards"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--pay", "bets.flush"], "--pay: not NAME=VALUE: 'bets.flush'"),
        (["--pay", "bets.flush=8..6"], "begins after its end: '8..6'"),
        (["--pay", "bets.flush=6"], "nothing is varied"),
        (["--pay", "bets.flush=6,seven"], "bets.flush: not odds: 'seven'"),
        ([*ODDS, "--where", "edge about 3%"], "where: not a bound on a figure: 'edge about 3%'"),
        ([*ODDS, "--rank", "luck"], "no such figure: 'luck'"),
        ([*ODDS, "--show", "volatile"], "no such figure: 'volatile'"),
        ([*ODDS, "--top", "0"], "--top: not a number of rows"),
        ([*ODDS, "--workers", "0"], "--workers: too few worker processes"),
        ([*ODDS, "--out", "x.txt"], "--out: unknown file type: '.txt'"),
        ([*ODDS, "--shard", "3/2", "--out", "x"], "no such share: '3/2'"),
        ([*ODDS, "--shard", "1/2"], "--out: missing; --shard needs a file"),
        (["--choose", "wagers.bonus_spin.weights=1,2"], "not a sequence of lists: '1,2'"),
        (["--choose", "house_way=*"], "no such choice"),
        (["--submission", "nowhere.toml"], "nowhere.toml"),
        ([*ODDS, "--state", "nowhere/x"], "nowhere/x: cannot be written: its directory does not exist"),
        ([*ODDS, "--workers", "1000"], "--workers: too many worker processes: 1000"),
    ],
)
def test_bad_input_is_one_line(
    crossfelt: Any, options: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = crossfelt("sweep", "nj-criss-cross", *options)
    assert (found.code, found.out) == (2, "")
    assert told in found.err
    assert len(found.errors) == 1


def test_a_file_that_is_no_shard_is_refused(crossfelt: Any, tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("{}\n")
    assert crossfelt("merge", file).code == 2
    assert crossfelt("merge", tmp_path / "nowhere").code == 2
