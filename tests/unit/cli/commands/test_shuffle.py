"""`crossfelt shuffle test` and `crossfelt shuffle export`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.cli import main
from crossfelt.proof.shuffle_tests import batch_shuffle


class Result(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Result:
        code = main.run(["shuffle", *arguments])
        return Result(code, *capsys.readouterr())

    return run


def test_the_table_has_every_test_with_its_sample_statistic_and_p_value(run: Run) -> None:
    result = run("test", "--shuffles", "20_000", "--seed", "7")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == f"Shuffle of 52 cards: 20,000 shuffles, from run seed {repeatable_seed(7).hex()}."
    assert lines[3].split() == ["test", "sample", "statistic", "expected", "df", "tails", "p-value"]
    assert lines[5].split() == ["card", "×", "place", "20,000", "χ²", "2,631.034", "2601", "both", "0.6715"]
    assert len({len(line) for line in lines[3:22]}) == 1
    assert any(line.startswith("All tests together at 99%: not rejected (smallest p-value") for line in lines)
    assert any(line.startswith("All tests together at 95%: not rejected") for line in lines)


def test_json_has_a_stable_schema(run: Run) -> None:
    result = run("test", "--shuffles", "1000", "--seed", "7", "--cards", "53", "--json")
    found = json.loads(result.stdout)
    assert sorted(found) == ["interrupted", "recomputed", "report", "run_seed", "seconds"]
    report = found["report"]
    assert sorted(report) == [
        "below_five_percent",
        "cards",
        "findings",
        "shuffles",
        "smallest_p_value",
        "verdicts",
    ]
    assert (report["cards"], report["shuffles"], found["interrupted"]) == (53, 1000, False)
    assert sorted(report["findings"][0]) == [
        "degrees_of_freedom",
        "expected",
        "kind",
        "measures",
        "needs",
        "p_value",
        "sample",
        "statistic",
        "tails",
        "test",
    ]
    assert [sorted(verdict) for verdict in report["verdicts"]] == 2 * [["by", "confidence", "rejected", "threshold"]]


def test_a_run_seed_repeats_the_table(run: Run) -> None:
    seed = "0f" * 48
    assert (
        run("test", "--shuffles", "1000", "--seed", seed).stdout
        == run("test", "--shuffles", "1000", "--seed", seed.upper()).stdout
    )


def test_without_a_seed_every_shuffle_is_fresh(run: Run) -> None:
    result = run("test", "--shuffles", "1000")
    assert "each from 384 fresh bits of the operating system" in result.stdout
    assert json.loads(run("test", "--shuffles", "1000", "--json").stdout)["run_seed"] is None


def test_a_rejected_shuffle_is_exit_code_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_shuffle, "shuffled", lambda deck, seed: tuple(deck))
    monkeypatch.setattr(
        batch_shuffle, "shuffle_batch", lambda seeds, cards: np.tile(np.arange(cards, dtype=np.uint8), (1000, 1))
    )
    result = run("test", "--shuffles", "1000")
    assert result.exit_code == 1
    assert "All tests together at 99%: REJECTED by card × place" in result.stdout
    assert "All tests together at 95%: REJECTED by" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["test", "--shuffles", "999"],
            "--shuffles: number of shuffles out of range: 999 (allowed: 1,000 to 100,000,000,000)",
        ),
        (["test", "--cards", "51"], "no deck of this size: 51 (allowed: 52, 53)"),
        (
            ["test", "--seed", "x"],
            "--seed: not a seed: 'x' (allowed: 96 hexadecimal digits, or a whole number)",
        ),
        (
            ["export", "--out", "x.txt", "--shuffles", "0"],
            "--shuffles: number of shuffles out of range: 0 (allowed: 1 to 100,000,000,000)",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message + "\n")


def test_a_missing_library_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "crossfelt.proof.shuffle_tests.battery", None)
    result = run("test")
    assert result.exit_code == 2
    assert 'which is not installed; run: pip install "crossfelt[lab]"' in result.stderr


def test_an_export_describes_its_files(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "shuffles.txt"
    result = run("export", "--out", str(out), "--shuffles", "500", "--raw", "--seed", "7")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == f"500 shuffles of 52 cards, from run seed {repeatable_seed(7).hex()}."
    assert lines[1].startswith("Cards by number, from 0: 2c 3c 4c")
    assert [line.partition(",")[0] for line in lines[2:]] == [
        f"{out}: outcomes",
        f"{out}.seeds: seeds",
        f"{out}.stream: random stream",
    ]
    assert len(out.read_text().splitlines()) == 500


def test_an_export_in_bytes_can_be_described_in_json(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "shuffles.bin"
    result = run("export", "--out", str(out), "--shuffles", "500", "--binary", "--cards", "53", "--json")
    found = json.loads(result.stdout)
    assert [file["bytes_per_shuffle"] for file in found["files"]] == [53]
    assert found["run_seed"] is None
    assert out.stat().st_size == 500 * 53


def test_an_unwritable_file_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "no" / "shuffles.txt")
    result = run("export", "--out", out, "--shuffles", "5")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{out}: cannot be written: No such file or directory\n"


def test_an_existing_file_is_overwritten_only_with_force(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "shuffles.txt"
    first = run("export", "--out", str(out), "--shuffles", "5", "--raw", "--seed", "7")
    again = run("export", "--out", str(out), "--shuffles", "5", "--raw", "--seed", "7")
    assert again.exit_code == 2
    assert again.stderr.splitlines() == [
        f"{out}{ending}: file exists (allowed: another name, or --force to overwrite it)"
        for ending in ("", ".seeds", ".stream")
    ]
    assert run("export", "--out", str(out), "--shuffles", "5", "--raw", "--seed", "7", "--force") == first


@pytest.mark.parametrize("kind", ["directory", "pipe", "link"])
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["asked", "forced"])
def test_only_an_ordinary_file_is_replaced(run: Run, tmp_path: Path, kind: str, force: tuple[str, ...]) -> None:
    out = tmp_path / "strange"
    match kind:
        case "directory":
            out.mkdir()
        case "pipe":
            os.mkfifo(out)
        case "link":
            out.symlink_to("nowhere")
    before = out.lstat()
    result = run("export", "--out", str(out), "--shuffles", "5", *force)
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr
        == f"{out}: not an ordinary file, cannot be replaced; use another name (allowed: an ordinary file)\n"
    )
    assert (out.lstat(), [path.name for path in tmp_path.iterdir()]) == (before, ["strange"])


def test_an_interrupted_test_prints_its_results_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made = batch_shuffle.shuffle_batch

    def interrupt(seeds: bytes, cards: int) -> batch_shuffle.Bytes:
        signal.raise_signal(signal.SIGINT)
        return made(seeds, cards)

    monkeypatch.setattr(batch_shuffle, "shuffle_batch", interrupt)
    result = run("test", "--shuffles", "100_000", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 130
    assert found["interrupted"]
    assert found["report"]["shuffles"] == batch_shuffle.BATCH
    text = run("test", "--shuffles", "100_000").stdout
    assert text.startswith("Shuffle of 52 cards: 16,384 of 100,000 (interrupted) shuffles")


def test_an_interrupted_export_writes_nothing(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(seeds: bytes, cards: int) -> batch_shuffle.Bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch_shuffle, "shuffle_batch", interrupt)
    result = run("export", "--out", str(tmp_path / "shuffles.txt"), "--shuffles", "5")
    assert (result.exit_code, result.stderr) == (130, "Interrupted; no file was written.\n")
    assert not list(tmp_path.iterdir())


def test_the_command_line_does_not_load_numpy_before_it_is_needed() -> None:
    check = "import sys, crossfelt.cli.commands.shuffle; sys.exit(bool({'numpy', 'scipy'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
