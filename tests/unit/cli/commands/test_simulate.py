"""`crossfelt simulate`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from crossfelt._util.software_hash import software_hash
from crossfelt.analysis import solve
from crossfelt.analysis.risk import sessions
from crossfelt.analysis.simulation import exact_values
from crossfelt.analysis.simulation.result import METER_SHARES, Quantiles
from crossfelt.analysis.solver.api import at_antes
from crossfelt.cli.commands.simulate import _quantile_table
from crossfelt.cli.main import run
from crossfelt.rulebooks.game import compile_game

QUICK = ["simulate", "nj-double-cross", "--rounds", "2000", "--check", "5"]


@pytest.mark.exhaustive
def test_json_names_its_rules_and_repeats_itself(capfd: pytest.CaptureFixture[str]) -> None:
    told = []
    for workers in ("1", "2"):
        assert run([*QUICK, "--json", "--workers", workers]) == 0
        told.append(json.loads(capfd.readouterr().out))
    for one in told:
        assert one.pop("seconds") > 0
    assert told[0] == told[1]
    assert (told[0]["rulebook"], told[0]["rounds"], told[0]["method"]) == ("nj-double-cross", 2000, "simulation")
    assert len(told[0]["game_hash"]) == 64
    assert told[0]["checked_at_the_table"] == 5


def test_text_lists_every_seat_and_wager(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*QUICK, "--seat", "always-vertical", "--seat", "always-horizontal:ante=25"]) == 0
    out = capfd.readouterr().out
    assert "Seat 1, always-vertical: ante $10, three_card $1" in out
    assert "Seat 2, always-horizontal: ante $25" in out
    assert "all agree to the cent" in out


def test_the_house_edge_leaves_out_optional_wagers(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*QUICK, "--json"]) == 0
    (seat,) = json.loads(capfd.readouterr().out)["seats"]
    assert run([*QUICK, "--json", "--seat", "optimal:ante=10"]) == 0
    (alone,) = json.loads(capfd.readouterr().out)["seats"]
    assert seat["stakes"].keys() - alone["stakes"] == {"three_card"}
    assert seat["house_edge_per_base"] == alone["house_edge_per_base"] == alone["loss_per_base"]
    lost = -sum(wager["net"] for wager in seat["wagers"].values())
    assert seat["loss_per_base"]["value"] == pytest.approx(lost / 2000 / 1000)
    assert run(QUICK) == 0
    out = capfd.readouterr().out
    assert f"house edge on the base wager   {seat['house_edge_per_base']['value']:.4%} ±" in out
    assert f"loss of all wagers             {seat['loss_per_base']['value']:.4%} ±" in out
    assert "decisions, in percent of the times that each was made" in out
    assert run([*QUICK, "--seat", "optimal:ante=10"]) == 0
    assert "loss of all wagers" not in capfd.readouterr().out


def test_awards_beside_optional_wagers_are_no_part_of_the_house_edge(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "nj-pai-gow", *QUICK[2:], "--json"]) == 0
    (seat,) = json.loads(capfd.readouterr().out)["seats"]
    assert "lucky_player" in seat["wagers"]
    assert seat["house_edge_per_base"]["value"] == pytest.approx(seat["wagers"]["main"]["house_edge"]["value"])


FACTS = {"confidence", "seconds", "contributed", "put_in"}
"""Numbers of the run itself."""
EXACT = {"expected_net_per_round", "long_run_cents", "exact"}
COMPARISONS = {"z_score", "standard_error"}


WITH_INTERVAL = re.compile(r"[-\d.]+% (± [\d.]+%|\([-\d.]+% to [-\d.]+%\))")


def bare_numbers(data: Any, name: str = "") -> Iterator[str]:
    """Yield the names of fractional numbers that stand without an interval."""
    if isinstance(data, dict):
        for key, value in data.items():
            if not (key == "value" and {"low", "high"} <= data.keys()):
                yield from bare_numbers(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from bare_numbers(value, name)
    elif isinstance(data, float) and name not in {"low", "high"}:
        yield name


@pytest.mark.parametrize("book", ["nj-pai-gow", "nj-criss-cross"])
def test_no_sampled_figure_stands_without_its_interval(book: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", book, *QUICK[2:], "--json"]) == 0
    assert set(bare_numbers(json.loads(capfd.readouterr().out))) <= FACTS | EXACT | COMPARISONS
    assert run(["simulate", book, *QUICK[2:]]) == 0
    for line in capfd.readouterr().out.splitlines():
        alone = WITH_INTERVAL.sub("", line)
        assert "exact" in line or "confidence" in line or not re.search(r"\d\.\d+%(?!$)", alone), line


def test_exact_figures_stand_where_sampled_ones_would(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*QUICK, "--seat", "optimal:ante=10"]) == 0
    lines = capfd.readouterr().out.splitlines()
    exact = solve("nj-double-cross")
    (session,) = sessions(exact.distribution, [200], [0.05])
    (deviation,) = (line for line in lines if "standard deviation" in line)
    assert deviation.endswith(f"${10 * exact.standard_deviation:,.2f}, exact")
    (title,) = (line for line in lines if "a session of 200 rounds" in line)
    assert "net, exact" in title
    assert "drawdown, exact" not in title
    (low,) = (line for line in lines if line.startswith("  5% "))
    assert low.split()[1] == f"-${-10 * float(session.quantiles[0.05]):,.2f}"


def test_a_cut_payment_is_compared_at_its_ante(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["simulate", "md-criss-cross", "--rounds", "60000", "--check", "0", "--seat", "optimal:ante=500"]
    assert run(command) == 0
    assert "13 figures agree with their exact values" in capfd.readouterr().out
    # Without the limit some results lie out of reach of chance.
    monkeypatch.setattr(exact_values, "may_be_cut", lambda *about: False)
    assert run([*command, "--rounds", "2000000"]) == 1


def test_exact_figures_are_those_under_the_limit_whatever_the_sample(capfd: pytest.CaptureFixture[str]) -> None:
    """No payment of so few rounds is cut, but a rarer one would be."""
    command = ["simulate", "nj-criss-cross", "--rounds", "400", "--workers", "1", "--json"]
    exact = []
    for seat in ("optimal:ante=10", "optimal:ante=100", "optimal:ante=100,five_card_bonus=5"):
        assert run([*command, "--seat", seat]) == 0
        (found,) = json.loads(capfd.readouterr().out)["seats"]
        assert not any(wager["limited"] for wager in found["wagers"].values())
        bonus = found["wagers"].get("five_card_bonus", {}).get("house_edge", {})
        exact.append((found["house_edge_per_base"].get("exact"), bonus.get("exact")))
    under_limit = at_antes(compile_game("nj-criss-cross"), solve("nj-criss-cross"), [100_00]).at_antes[0]
    assert exact == [
        (float(solve("nj-criss-cross").house_edge.per_ante), None),
        (float(-under_limit.same_play.mean), None),
        (None, None),
    ]


def test_one_round_has_no_interval(capfd: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "nj-double-cross", "--rounds", "1"]
    assert run(command) == 0
    out = capfd.readouterr().out
    assert "), 1 round, seed 0." in out
    assert "1 of the rounds was replayed on the table engine: it agrees to the cent." in out
    assert "%, no interval" in out
    assert "±" not in out
    assert "inf" not in out
    assert run([*command, "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["checked_at_the_table"] == 1
    assert told["seats"][0]["house_edge_per_base"]["low"] is None


def test_a_run_resumes_from_its_state(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    command = ["simulate", "nj-double-cross", "--check", "0", "--json"]
    assert run([*command, "--rounds", "65200", "--state", str(state)]) == 0
    capfd.readouterr()
    assert run([*command, "--rounds", "70000", "--state", str(state)]) == 0
    resumed = json.loads(capfd.readouterr().out)
    assert run([*command, "--rounds", "70000"]) == 0
    whole = json.loads(capfd.readouterr().out)
    assert resumed["seats"] == whole["seats"]


def test_a_state_of_another_run_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    assert run([*QUICK[:2], "--rounds", "32600", "--check", "0", "--state", str(state)]) == 0
    before = state.read_bytes()
    assert run([*QUICK, "--seed", "9", "--state", str(state)]) == 2
    assert "belongs to another simulation" in capfd.readouterr().err
    assert state.read_bytes() == before
    state.write_text("{")
    assert run([*QUICK, "--state", str(state)]) == 2
    assert "not a progress file of a simulation" in capfd.readouterr().err


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", ["nj-double-cross", "nj-criss-cross", "nj-pai-gow"])
def test_raw_results_add_up(book: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    raw = tmp_path / "raw.parquet"
    command = ["simulate", book, *QUICK[2:], "--irregularities", "50000"]
    assert run([*command, "--json", "--raw", str(raw)]) == 0
    told = json.loads(capfd.readouterr().out)["seats"][0]["wagers"]
    rows = pyarrow.parquet.read_table(raw).to_pylist()
    for name, figures in told.items():
        mine = [row for row in rows if row["wager"] == name]
        assert len(mine) == figures["placed"]
        assert sum(row["stake"] for row in mine) == figures["stake"]
        net = sum(row["returned"] + row["paid"] - row["commission"] - row["stake"] for row in mine)
        assert net == figures["net"]
    assert {row["round"] for row in rows} == set(range(1, 2001))
    assert list(tmp_path.iterdir()) == [raw]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--rounds", "0"], "--rounds: number of rounds out of range: 0"),
        (["--confidence", "100"], "--confidence: not a confidence level"),
        (["--workers", "0"], "--workers: too few worker processes"),
        (["--seat", "always-vertical:ante=ten"], "--seat: not an amount in dollars: 'ante=ten'"),
        (["--seat", "best"], "no such strategy: 'best'"),
        (["--seat", "always-vertical:ante=1"], "this stake is not allowed"),
        (["--seat", "card-99"], "always-vertical, card-1 … card-"),
        (["--bank", "1"], "no player can bank this game: 1"),
        (["--irregularities", "-1"], "not a number of rounds in a million: -1"),
        (["--submission", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_bad_input_is_one_line(options: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "nj-double-cross", *options]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert told in captured.err
    assert len(captured.err.splitlines()) == 1


@pytest.mark.exhaustive
def test_a_bank_and_irregularities_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "nj-pai-gow", "--rounds", "3000", "--check", "20", "--bank", "1", "--co-bank"]
    assert run([*command, "--seat", "house-way", "--seat", "mgm:main=25", "--irregularities", "20000"]) == 0
    out = capfd.readouterr().out
    assert "Seat 1, house-way: main $10" in out
    assert "rounds were void. Irregularities: " in out
    assert "\n  bank " in out
    assert "returned" in out


@pytest.mark.exhaustive
def test_meters_are_listed_with_the_exact_expectation(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "often.toml"
    weights = [900, 5, 50, 75, 100, 675, 200, 99, 99, 99, 99, 9]
    file.write_text(
        f'rulebook = "nj-criss-cross"\n[wagers.bonus_spin]\nweights = {weights}\n[settings]\nspin_after_fold = "kept"\n'
    )
    state = tmp_path / "state.json"
    seats = ["--seat", "always-1", "--seat", "optimal"]
    command = ["simulate", "nj-criss-cross", "--submission", str(file), "--check", "30", *seats, "--json"]
    assert run([*command, "--rounds", "32600", "--state", str(state)]) == 0
    capfd.readouterr()
    assert run([*command, "--rounds", "70000", "--state", str(state)]) == 0
    resumed = json.loads(capfd.readouterr().out)
    assert run([*command, "--rounds", "70000"]) == 0
    whole = json.loads(capfd.readouterr().out)
    assert resumed["meters"] == whole["meters"]
    assert resumed["seats"] == whole["seats"]
    meter = whole["meters"]["bonus_spin"]
    assert meter["jackpots"] > 500
    assert abs(meter["z_score"]) < 4.5
    assert meter["rounds_between"]["lowest"] >= 0
    for seat in whole["seats"]:
        assert abs(seat["wagers"]["bonus_spin"]["z_score"]) < 4.5
    assert run([*command[:-1], "--rounds", "3000"]) == 0
    out = capfd.readouterr().out
    for told in ("rounds to the next jackpot", "long-run average shown", "added by the house"):
        assert told in out


def test_a_submission_of_another_rulebook_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.toml"
    file.write_text('rulebook = "nj-pai-gow"\n')
    assert run([*QUICK, "--submission", str(file)]) == 2
    assert "the submission is for another rulebook: 'nj-pai-gow'" in capfd.readouterr().err


def test_a_submission_changes_the_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.toml"
    file.write_text('rulebook = "nj-double-cross"\n[pays.raise]\nflush = "50 to 1"\n')
    nets = []
    for more in ([], ["--submission", str(file)]):
        assert run([*QUICK, "--json", "--seed", "3", *more]) == 0
        nets.append(json.loads(capfd.readouterr().out)["game_hash"])
    assert nets[0] != nets[1]


@pytest.mark.exhaustive
def test_shards_add_up_to_the_whole(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "nj-double-cross", "--rounds", "100000", "--check", "0"]
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, start=1):
        assert run([*asked, "--shard", f"{number}/3", "--out", str(part)]) == 0
    assert run([*asked, "--json"]) == 0
    whole = json.loads(capfd.readouterr().out)
    assert run(["merge", *map(str, reversed(parts)), "--json"]) == 0
    merged = json.loads(capfd.readouterr().out)
    assert merged["checked_at_the_table"] == 100
    assert merged | {"seconds": 0} == whole | {"seconds": 0, "checked_at_the_table": 100}
    assert run(["merge", str(parts[0]), str(parts[0]), str(parts[2])]) == 1
    assert "1 shards are missing, the first is number 2" in capfd.readouterr().err
    assert run([*asked, "--shard", "1/3", "--out", str(parts[0])]) == 2
    assert "file exists" in capfd.readouterr().err


@pytest.mark.exhaustive
def test_shards_of_different_simulations_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / seed for seed in ("1", "2", "forged")]
    for file, seed in zip(files, "12", strict=False):
        assert run([*QUICK, "--seed", seed, "--shard", "1/1", "--out", str(file)]) == 0
    files[2].write_text(files[0].read_text().replace('"placed":2000', '"placed":1999'))
    files.append(tmp_path / "newer")
    files[3].write_text(files[0].read_text().replace(software_hash(), "0" * 64))
    files.append(tmp_path / "halves")
    assert run([*QUICK, "--seed", "1", "--shard", "1/2", "--out", str(files[4])]) == 0
    for other, told in (
        (1, "another simulation"),
        (2, "contradicts an earlier file"),
        (3, "another version of Crossfelt"),
        (4, "another number of shares"),
    ):
        assert run(["merge", str(files[0]), str(files[other])]) == 2
        assert told in capfd.readouterr().err
    assert run(["merge", str(files[0]), str(files[0])]) == 0
    assert "it is counted once" in capfd.readouterr().err
    files[2].write_text('{"file":"crossfelt simulation"}')
    for options in (["merge", str(files[2])], ["merge", str(files[0]), "--rank", "edge"]):
        assert run(options) == 2
        assert len(capfd.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--shard", "1/2"], "--out: missing; --shard needs a file"),
        (["--out", "x"], "--out: only a shard is written to a file; add --shard: 'x'"),
        (["--shard", "0/2", "--out", "x"], "no such share: '0/2'"),
        (["--shard", "1/2", "--out", "x", "--raw", "y"], "--raw: cannot be combined with --shard"),
        (["--cluster", "local", "--raw", "x"], "--raw: cannot be combined with --cluster"),
        (
            ["--cluster", "tcp://127.0.0.1:1", "--workers", "2"],
            "--workers: the Dask scheduler sets the number of workers",
        ),
        (["--cluster", "nowhere"], "--cluster: not the address of a scheduler: 'nowhere'"),
    ],
)
def test_impossible_shards_are_refused(
    options: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*QUICK, *options]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert told in captured.err
    assert len(captured.err.splitlines()) == 1


def test_a_table_without_any_figure_has_no_heading() -> None:
    few = Quantiles.of({20_000: 1}, METER_SHARES, 0.95)
    assert few is not None
    assert list(_quantile_table("complete waits", ("rounds", few, str))) == []
    many = Quantiles.of(dict.fromkeys(range(1, 200), 1), METER_SHARES, 0.95)
    assert many is not None
    assert next(_quantile_table("complete waits", ("rounds", many, str))).split() == ["complete", "waits", "rounds"]
