"""Studies shared by several tests, computed once."""

from __future__ import annotations

import pytest

from crossfelt.reports.document import Report
from crossfelt.reports.par_sheet import par_sheet
from crossfelt.reports.render import render
from crossfelt.reports.study import ReportRequest, Study, study
from crossfelt.rulebooks.game import compile_game

ROUNDS = 4_000


def studied(rulebook: str) -> Study:
    return study(
        ReportRequest(game=compile_game(rulebook), named=rulebook, rounds=ROUNDS, seed="7", quick=True, workers=1)
    )


@pytest.fixture(scope="package")
def criss_cross() -> Study:
    return studied("nj-criss-cross")


@pytest.fixture(scope="package")
def pai_gow() -> Study:
    return studied("nj-pai-gow")


@pytest.fixture(scope="package")
def double_cross() -> Study:
    return studied("nj-double-cross")


@pytest.fixture(scope="package")
def maryland() -> Study:
    return studied("md-criss-cross")


@pytest.fixture(scope="package", params=["criss_cross", "maryland", "double_cross", "pai_gow"])
def sheet(request: pytest.FixtureRequest) -> Report:
    """The sheet of each game."""
    found: Study = request.getfixturevalue(request.param)
    return par_sheet(found)


@pytest.fixture(scope="package")
def page(sheet: Report) -> str:
    """The sheet as a page; its plots take most of the time."""
    return render(sheet, "html").decode()
