"""A test says which clauses it proves: ``@pytest.mark.clause("NJC-41")``, on a function or one of its params.

A test that only compares a rulebook's data with the document says ``@pytest.mark.clause_data("NJC-41")``: it does not
prove what the software does. A mark that names no existing clause is a collection error, and so is one on a test that a
mark skips or lets fail.
``--clause-coverage FILE`` writes which tests prove which clause; ``tools/write_coverage.py`` keeps the shipped list
with it.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest

from crossfelt.rulebooks.clauses import clauses
from soak_length import Progress

Proofs = dict[str, dict[str, list[str]]]
"""The tests of each clause, by what they look at: behaviour or data."""
ROOT = Path(__file__).parents[1]
MARKS = {
    "src/crossfelt/analysis/solver": ("exhaustive",),
    "src/crossfelt/kernels/house_way": ("exhaustive",),
    "tests/bench": ("exhaustive",),
    "tests/browser": ("browser", "server"),
    "tests/golden": ("exhaustive", "server"),
    "tests/oracles": ("exhaustive",),
    "tests/playthroughs": ("exhaustive",),
    "tests/server": ("server",),
    "tests/unit/analysis": ("exhaustive",),
    "tests/unit/kernels": ("exhaustive",),
    "tests/unit/oracles": ("exhaustive",),
    "tests/unit/reports": ("exhaustive",),
    "tests/unit/tools": ("exhaustive",),
}
"""Marks of all tests in a folder."""
PROOFS = {"clause": "behaviour", "clause_data": "data"}
"""The marks of proofs, and what they look at."""
NO_PROOF = ("skip", "skipif", "xfail")
"""Marks of tests that may pass without having proved anything."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--clause-coverage",
        metavar="FILE",
        type=Path,
        help="write {clause: {behaviour: [tests], data: [tests]}} of what was collected",
    )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    wrong = {complaint for node in report.result if isinstance(node, pytest.Item) for complaint in _complaints(node)}
    if wrong:
        report.outcome = "failed"
        report.longrepr = "\n".join(sorted(wrong))
        report.result = []
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests and examples for their folders, before `-m` is looked at."""
    for item in items:
        for mark in _marks_of(item.path.parent):
            item.add_marker(mark)


@cache
def _marks_of(folder: Path) -> tuple[str, ...]:
    """The marks of a folder, given to it or to one that it is in."""
    return next((marks for named, marks in MARKS.items() if folder.is_relative_to(ROOT / named)), ())


def pytest_collection_finish(session: pytest.Session) -> None:
    file: Path | None = session.config.getoption("--clause-coverage")
    if file is not None:
        file.write_text(json.dumps(_collected(session), indent=1) + "\n", encoding="utf-8")
    # Ten thousand tests stay until the end: to look for waste among them again and again takes a sixth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def proofs(request: pytest.FixtureRequest) -> Proofs | None:
    """Which tests prove which clause, where everything is collected that runs by default; None where it is not."""
    config = request.config
    everything = [Path(part).name for part in config.args] == config.getini("testpaths")
    chosen = config.option.keyword or config.option.deselect or config.option.markexpr != "not soak"
    return _collected(request.session) if everything and not chosen else None


@pytest.fixture
def progress(request: pytest.FixtureRequest) -> Progress:
    """Long runs say how far they are, though what tests print is captured."""
    captured = request.config.pluginmanager.getplugin("capturemanager")
    return Progress(request.node.name, captured.global_and_fixture_disabled if captured is not None else nullcontext)


def _collected(session: pytest.Session) -> Proofs:
    proofs: dict[str, dict[str, set[str]]] = {}
    for item in session.items:
        for clause, test, kind in _proofs(item):
            proofs.setdefault(str(clause), {}).setdefault(kind, set()).add(test)
    return {
        clause: {kind: sorted(tests) for kind, tests in sorted(kinds.items())}
        for clause, kinds in sorted(proofs.items())
    }


def _complaints(item: pytest.Item) -> Iterator[str]:
    for clause, test, _ in _proofs(item):
        if clause not in clauses():
            yield f"{test}: clause {clause!r} does not exist; `crossfelt clauses` lists those that do"
    if any(not mark.args for name in PROOFS for mark in item.iter_markers(name)):
        yield f"{item.nodeid}: a clause mark names no clause"
    unsure = next((mark.name for mark in item.iter_markers() if mark.name in NO_PROOF), None)
    for _, test, _ in _proofs(item):
        if unsure:
            yield f"{test}: a test with the mark {unsure!r} proves no clause; take one of the two marks away"


def _proofs(item: pytest.Item) -> Iterator[tuple[object, str, str]]:
    """Each clause with the test and what it looks at: the whole function, unless the mark is on a param."""
    call = getattr(item, "callspec", None)
    function = item.nodeid.removesuffix(f"[{call.id}]") if call else item.nodeid
    of_param = call.marks if call else []
    for name, kind in PROOFS.items():
        for mark in item.iter_markers(name):
            test = item.nodeid if any(mark is own for own in of_param) else function
            for clause in mark.args:
                yield clause, test, kind


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Long runs say what they ran: ``record_property("figure", "10,000 kills")``."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, told in getattr(report, "user_properties", ()):
                if name == "figure" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {told}")
