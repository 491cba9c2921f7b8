"""`crossfelt shuffle`: test the shuffle of the tables, or export shuffles for a laboratory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final

from crossfelt.cards import deck_of
from crossfelt.cards.shuffle import read_seed
from crossfelt.cli.options import AsJson, command_group, flag, option
from crossfelt.cli.output import answer, message, require_sound, unwritable
from crossfelt.cli.progress import progress, until_interrupted
from crossfelt.errors import BadInput, Problem

if TYPE_CHECKING:
    from crossfelt.proof.shuffle_tests.battery import BatteryReport, BatteryVerdict
    from crossfelt.proof.shuffle_tests.export import Manifest
    from crossfelt.proof.shuffle_tests.result import ShuffleTestResult

app = command_group("Test the shuffle, or export shuffles for a laboratory.")

_EXIT_CONFIDENCE: Final = 0.99
_MOST_SHUFFLES: Final = 10**11
_SIGNS: Final = {"chi-square": "χ²", "z": "z", "pairs": "pairs", "decks": "decks"}

Shuffles = Annotated[int, option("N", "Number of shuffles; 1_000_000 is a million.")]
Cards = Annotated[int, option("N", "Size of the deck: 52, or 53 with the joker.")]
Seed = Annotated[
    str | None, option("HEX", "Repeat a run: 96 hexadecimal digits or a whole number. Default: fresh random seeds")
]


@app.command("test")
def run_battery(shuffles: Shuffles = 1_000_000, cards: Cards = 52, seed: Seed = None, as_json: AsJson = False) -> None:
    """Run statistical tests on the shuffle. Exits with 1 if the tests together reject it at 99% confidence.

    Press Ctrl-C to end a long run early and see its results so far; the exit code is then 130.
    """
    run_seed = _checked(shuffles, cards, seed)
    with _needs_the_laboratory():
        from crossfelt.proof.shuffle_tests.batch_shuffle import ShippedShuffles
        from crossfelt.proof.shuffle_tests.battery import FEWEST_SHUFFLES, Battery
    _require(shuffles, FEWEST_SHUFFLES)
    started = perf_counter()
    battery, shipped = Battery(cards), ShippedShuffles(cards, run_seed)
    with progress("shuffling", shuffles) as advance, until_interrupted() as interrupted:
        for orders in shipped.batches(shuffles):
            battery.add(orders)
            advance(len(orders))
            if interrupted():
                break
    report = battery.report()
    stopped = report.shuffles < shuffles
    found = {
        "report": report,
        "run_seed": run_seed.hex() if run_seed is not None else None,
        "recomputed": shipped.recomputed,
        "interrupted": stopped,
        "seconds": round(perf_counter() - started, 3),
    }
    answer(found, report_text(report, run_seed, shipped.recomputed, asked=shuffles), as_json=as_json)
    if stopped:
        raise KeyboardInterrupt
    require_sound(not report.rejected_at(_EXIT_CONFIDENCE))


@app.command("export")
def export_shuffles(
    out: Annotated[Path, option("FILE", "File to write the shuffles to.")],
    shuffles: Shuffles = 1_000_000,
    cards: Cards = 52,
    seed: Seed = None,
    raw: Annotated[bool, flag("--raw", "Also write FILE.seeds and FILE.stream, the source of the shuffles.")] = False,
    binary: Annotated[bool, flag("--binary", "Write bytes, one row per shuffle, instead of text.")] = False,
    force: Annotated[bool, flag("--force", "Overwrite existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Export shuffles for a laboratory's own tools.

    The text has one line per shuffle, top card first. With --binary each card is one byte: its position in a new deck,
    from 0. FILE.seeds has 48 bytes per shuffle. FILE.stream has 136 bytes per shuffle: the SHAKE-256 output of the
    seed, read from the left. Row n of each file belongs to the same shuffle.
    """
    run_seed = _checked(shuffles, cards, seed)
    with _needs_the_laboratory():
        from crossfelt.proof.shuffle_tests.batch_shuffle import ShippedShuffles
        from crossfelt.proof.shuffle_tests.export import Export
    export = Export(out, ShippedShuffles(cards, run_seed), binary=binary, raw=raw)
    _require_free(export.paths, force=force)
    try:
        with progress("writing", shuffles) as advance:
            for written in export.write(shuffles):
                advance(written)
    except OSError as error:
        raise unwritable(out, error.strerror or str(error)) from None
    except KeyboardInterrupt:
        message("Interrupted; no file was written.")
        raise
    manifest = export.manifest()
    answer(manifest, manifest_text(manifest), as_json=as_json)


def report_text(report: BatteryReport, run_seed: bytes | None, recomputed: int, asked: int) -> Iterator[str]:
    asked_for = "" if report.shuffles == asked else f" of {asked:,} (interrupted)"
    yield f"Shuffle of {report.cards} cards: {report.shuffles:,}{asked_for} shuffles, {_source(run_seed)}."
    yield f"The function that the tables use recomputed {recomputed:,} of them with the same result."
    yield ""
    yield f"{'test':<24}{'sample':>14}{'statistic':>21}{'expected':>17}{'df':>6}  {'tails':<5}{'p-value':>9}"
    yield from (_line(finding) for finding in report.findings)
    yield ""
    yield from (f"{finding.test}: {finding.measures}" for finding in report.findings)
    yield ""
    yield from (_verdict_text(verdict, report.smallest_p_value) for verdict in report.verdicts)
    made = sum(finding.p_value is not None for finding in report.findings)
    few = f"{report.below_five_percent} of {made} have a p-value below 0.05"
    yield f"Each test alone: {few}; {made * 0.05:.1f} are expected by chance."


def manifest_text(manifest: Manifest) -> Iterator[str]:
    run_seed = bytes.fromhex(manifest.run_seed) if manifest.run_seed is not None else None
    yield f"{manifest.shuffles:,} shuffles of {manifest.cards} cards, {_source(run_seed)}."
    yield f"Cards by number, from 0: {manifest.deck}"
    for file in manifest.files:
        yield f"{file.file}: {file.holds}, {file.bytes_per_shuffle} bytes each, SHA-256 {file.sha256}"


def _line(finding: ShuffleTestResult) -> str:
    head = f"{finding.test:<24}{finding.sample:>14,}"
    if finding.statistic is None or finding.p_value is None:
        return head + f"  {f'needs {finding.needs:,} shuffles' if finding.needs else 'too few':>19}"
    counted = finding.kind in ("pairs", "decks")
    number = f"{finding.statistic:,.0f}" if counted else f"{finding.statistic:,.3f}"
    statistic = f"{_SIGNS[finding.kind]} {number}"
    expected = ""
    if (value := finding.expected) is not None:
        expected = f"{value:,.1f}" if value == 0 or value >= 0.1 else f"{value:.1e}"
    free = finding.degrees_of_freedom or ""
    return f"{head}{statistic:>21}{expected:>17}{free:>6}  {finding.tails:<5}{_p_text(finding.p_value):>9}"


def _p_text(p_value: float) -> str:
    return f"{p_value:.4f}" if p_value >= 0.001 else f"{p_value:.1e}"


def _verdict_text(verdict: BatteryVerdict, smallest: float) -> str:
    said = f"REJECTED by {', '.join(verdict.by)}" if verdict.rejected else "not rejected"
    return (
        f"All tests together at {verdict.confidence:.0%}: {said} "
        f"(smallest p-value {_p_text(smallest)}, threshold {verdict.threshold:.2e})."
    )


def _source(run_seed: bytes | None) -> str:
    if run_seed is None:
        return "each from 384 fresh bits of the operating system"
    return f"from run seed {run_seed.hex()}"


def _checked(shuffles: int, cards: int, seed: str | None) -> bytes | None:
    deck_of(cards)
    _require(shuffles, 1)
    return None if seed is None else read_seed(seed, where="--seed")


def _require(shuffles: int, fewest: int) -> None:
    if not fewest <= shuffles <= _MOST_SHUFFLES:
        what, allowed = "number of shuffles out of range", f"{fewest:,} to {_MOST_SHUFFLES:,}"
        raise BadInput.at("--shuffles", "shuffles", what, shuffles, allowed)


def _require_free(paths: Iterable[Path], *, force: bool) -> None:
    """Refuse to replace an existing file without `force`, and a directory, device or link always."""
    there = [path for path in paths if os.path.lexists(path)]
    strange = [path for path in there if path.is_symlink() or not path.is_file()]
    if strange:
        what, allowed = "not an ordinary file, cannot be replaced; use another name", "an ordinary file"
        raise BadInput(*(Problem.at(str(path), "file.kind", what, allowed=allowed) for path in strange))
    if there and not force:
        what, allowed = "file exists", "another name, or --force to overwrite it"
        raise BadInput(*(Problem.at(str(path), "file.exists", what, allowed=allowed) for path in there))


@contextmanager
def _needs_the_laboratory() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise BadInput.missing(error, extra="lab", where="shuffle") from None
