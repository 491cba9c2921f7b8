"""Alter each datum of each rulebook in turn, and require that a test marked with its clause fails.

    python tools/mutate_rulebooks.py                          all five rulebooks; some minutes
    python tools/mutate_rulebooks.py --rulebook md-criss-cross --only 'settings.*'
    python tools/mutate_rulebooks.py --sample 100             some mutants of each, the same ones each time

A mark claims that a test proves a clause. This program tests the marks: it alters a datum that cites a clause, and one
of its tests must fail. Data that rest on a reading or a house rule alone cite no clause; any test
of that rulebook counts for them, and they are listed apart. A mutant that the loader refuses counts as caught.

The tests are collected once. Each mutant gets a child process, which replaces the shipped rulebook by the altered one
and runs the tests until one fails.

Exit 0 all caught, 1 some were not, 2 the tests cannot be collected or fail without an alteration.
"""

from __future__ import annotations

import argparse
import fnmatch
import gc
import os
import pickle
import selectors
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from crossfelt.errors import BadInput
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.model import Rulebook

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from unit.rulebooks.mutations import Mutant, mutants, sample  # noqa: E402

Outcome = Literal["caught", "refused", "missed"]
INTERRUPTED = 130
SECONDS_FOR_ONE = 120
"""A child that takes longer is killed; its mutant counts as caught, since a hanging test does not pass."""
SECONDS_FOR_ALL = 3600
"""For one run of all the tests."""


class Verdict(NamedTuple):
    mutant: Mutant
    outcome: Outcome
    by: str
    """The test that failed."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    unknown = [name for name in options.rulebook if name not in loader.rulebook_ids()]
    if unknown:
        allowed = ", ".join(loader.rulebook_ids())
        print(f"no such rulebook: {', '.join(unknown)} (allowed: {allowed})", file=sys.stderr)
        return 2
    work = _Work(options)
    command = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-o", "addopts=", "-s"]
    command += ["--import-mode=importlib", "-m", "not soak", "-p", "no:cacheprovider", "-p", "no:terminal"]
    os.environ.pop("PYTEST_ADDOPTS", None)
    status = pytest.main([*command, *options.tests], plugins=[work])
    if work.result is None:
        print(f"the tests could not be collected (pytest: {status})", file=sys.stderr)
        return 2
    return work.result


class _Work:
    """A plugin that replaces pytest's loop over the tests."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.result: int | None = None

    @staticmethod
    def pytest_configure() -> None:
        from hypothesis import settings  # not before pytest has made ready to rewrite its assertions

        settings.register_profile("mutants", database=None, derandomize=True)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True
        chosen = list(_chosen(self._options))
        proofs = Proofs(session.items)
        failed = proofs.rehearse(chosen)
        if failed:
            print("these tests fail without an alteration:", *failed, sep="\n  ", file=sys.stderr)
            self.result = 2
            return True
        verdicts = list(_judged(chosen, proofs, self._options.jobs))
        self.result = report(verdicts, everything=self._options.all)
        return True

    @staticmethod
    def pytest_collectreport(report: pytest.CollectReport) -> None:
        if report.failed:
            print(report.longreprtext, file=sys.stderr)


# --- which mutants, which tests ---


def _chosen(options: argparse.Namespace) -> Iterator[Mutant]:
    for name in options.rulebook or loader.rulebook_ids():
        found = [m for m in mutants(loader.load(name)) if fnmatch.fnmatch(m.path, options.only)]
        yield from found if options.sample is None else sample(found, options.sample, options.seed)


class Proofs:
    """The tests that prove something, by clause and by rulebook, the quick ones first."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self._items = [item for item in items if _clauses_of(item) or _rulebook_of(item)]

    def rehearse(self, found: Iterable[Mutant]) -> list[str]:
        """Run each needed test once on the unaltered rulebooks; return the names of those that fail."""
        needed = {item for mutant in found for item in self.of(mutant)}
        self._items = [item for item in self._items if item in needed]
        seconds, failed = _Child.start(partial(_timed, self._items), SECONDS_FOR_ALL).answer()
        self._items.sort(key=lambda item: seconds[item.nodeid])
        return list(failed)

    def of(self, mutant: Mutant) -> list[pytest.Item]:
        """Return the tests that should fail."""
        wanted = set(mutant.clauses)
        if wanted:
            return [item for item in self._items if wanted & _clauses_of(item)]
        return [item for item in self._items if _rulebook_of(item) == mutant.book]


@cache
def _clauses_of(item: pytest.Item) -> frozenset[str]:
    marks = (mark for name in ("clause", "clause_data") for mark in item.iter_markers(name))
    return frozenset(str(clause) for mark in marks for clause in mark.args)


@cache
def _rulebook_of(item: pytest.Item) -> str:
    """Return the rulebook of a test module, by the module's name."""
    name = item.path.stem.removeprefix("test_").replace("_", "-")
    return name if name in loader.rulebook_ids() else ""


def _timed(items: Sequence[pytest.Item]) -> tuple[dict[str, float], list[str]]:
    """Return the time of each test and the failures, with every unaltered rulebook put in place like a mutant."""
    for name in loader.rulebook_ids():
        put_in_place(loader.from_data(_data(name), where=name))
    seconds, failed = {}, []
    for item, nextitem in zip(items, [*items[1:], None], strict=True):
        start = time.perf_counter()
        if _fails(item, nextitem):
            failed.append(item.nodeid)
        seconds[item.nodeid] = time.perf_counter() - start
    return seconds, failed


def _fails(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    return any(each.failed for each in runtestprotocol(item, log=False, nextitem=nextitem))


# --- one mutant ---


def altered(mutant: Mutant) -> Rulebook | BadInput:
    """Return the altered rulebook, or the loader's refusal."""
    try:
        return loader.from_data(mutant.applied_to(_data(mutant.book)), where=mutant.book)
    except BadInput as refusal:
        return refusal


@cache
def _data(name: str) -> Any:
    return loader.as_data(loader.load(name))


def judge(book: Rulebook, items: Sequence[pytest.Item]) -> tuple[Outcome, str]:
    """Run the tests until one fails; this process keeps the altered rulebook."""
    put_in_place(book)
    for item, nextitem in zip(items, [*items[1:], None], strict=True):
        if _fails(item, nextitem):
            return "caught", item.nodeid
    return "missed", ""


def put_in_place(book: Rulebook) -> None:
    """Replace the shipped rulebook of the same id in this process."""
    shipped = loader._shipped

    def instead(name: str) -> Rulebook:
        return book if name == book.id else shipped(name)

    loader._shipped = instead  # type: ignore[assignment]


def _judged(found: Sequence[Mutant], proofs: Proofs, jobs: int) -> Iterator[Verdict]:
    """Judge mutants: refused ones in this process, the others in up to `jobs` children at a time."""
    gc.collect()
    gc.freeze()
    running = selectors.DefaultSelector()
    with _progress() as progress:
        bar = progress.add_task("altering", total=len(found))
        for mutant in found:
            book = altered(mutant)
            if isinstance(book, BadInput):
                yield Verdict(mutant, "refused", str(book.problems[0]))
            else:
                child = _Child.start(partial(judge, book, proofs.of(mutant)))
                running.register(child.pipe, selectors.EVENT_READ, (mutant, child))
            if len(running.get_map()) >= jobs:
                yield from _answers(running)
            progress.advance(bar)
        while running.get_map():
            yield from _answers(running)


def _answers(running: selectors.BaseSelector) -> Iterator[Verdict]:
    for key, _ in running.select():
        mutant, child = key.data
        running.unregister(key.fileobj)
        yield Verdict(mutant, *(child.answer() or ("caught", f"no answer in {SECONDS_FOR_ONE} s")))


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


class _Child(NamedTuple):
    """A forked process that runs one task and sends back its result."""

    pid: int
    pipe: int

    @classmethod
    def start(cls, task: Callable[[], Any], seconds: int = SECONDS_FOR_ONE) -> _Child:
        pipe, back = os.pipe()
        pid = os.fork()
        if pid:
            os.close(back)
            return cls(pid, pipe)
        try:
            os.close(pipe)
            signal.alarm(seconds)
            gc.disable()
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            with os.fdopen(back, "wb") as stream:
                stream.write(pickle.dumps(task()))
        finally:
            os._exit(0)

    def answer(self) -> Any:
        """Return the child's result; None if it was killed."""
        with os.fdopen(self.pipe, "rb") as stream:
            text = stream.read()
        os.waitpid(self.pid, 0)
        return pickle.loads(text) if text else None


# --- the report ---


def report(verdicts: Sequence[Verdict], *, everything: bool = False) -> int:
    """Print a table of outcomes and the mutants not caught; return 1 if there are any."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    table = Table(title="Altered rulebooks")
    for heading in ("rulebook", "rests on", "mutants", "caught by tests", "refused", "NOT caught"):
        table.add_column(heading, justify="left" if heading in ("rulebook", "rests on") else "right")
    groups: dict[tuple[str, str], Counter[str]] = {}
    for verdict in verdicts:
        rests = "a clause" if verdict.mutant.clauses else "a reading or house rule"
        groups.setdefault((verdict.mutant.book, rests), Counter())[verdict.outcome] += 1
    for (book, rests), counts in sorted(groups.items()):
        numbers = [counts.total(), *(counts[outcome] for outcome in ("caught", "refused", "missed"))]
        table.add_row(book, rests, *map(str, numbers))
    console.print(table)
    missed = [verdict.mutant for verdict in verdicts if verdict.outcome == "missed"]
    for verdict in verdicts if everything else ():
        print(f"{verdict.outcome}: {_line(verdict.mutant)}: {verdict.by}")
    for mutant in missed:
        print(f"NOT caught: {_line(mutant)}")
    print(f"{len(missed)} of {len(verdicts)} mutants not caught")
    return 1 if missed else 0


def _line(mutant: Mutant) -> str:
    return f"{mutant.book}: {mutant.path}: {mutant.change} [{', '.join(mutant.clauses) or 'no clause'}]"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Alter each datum of each rulebook: does a test notice?")
    parser.add_argument("tests", nargs="*", default=[str(ROOT / "tests")], help="default: all tests")
    parser.add_argument("--rulebook", metavar="ID", action="append", default=[], help="only this one")
    parser.add_argument("--only", metavar="GLOB", default="*", help="only data whose path fits")
    parser.add_argument("--sample", metavar="N", type=int, help="N mutants of each rulebook")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="default: every processor")
    parser.add_argument("--all", action="store_true", help="also list what was caught, and by which test")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
