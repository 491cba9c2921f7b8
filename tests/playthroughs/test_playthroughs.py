"""Whole rounds, event by event, as they stand in the golden files beside this test."""

from __future__ import annotations

import pytest

from crossfelt.rulebooks.loader import load
from playthroughs.golden import FOLDER, golden_files
from playthroughs.scenarios import RULEBOOKS

NOT_REPORTED = ("shuffler_count_wrong",)
"""A wrong count shown by the device: nobody reports it in the middle of a round."""


@pytest.fixture(scope="module")
def played() -> dict[str, str]:
    return dict(golden_files())


@pytest.mark.exhaustive
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_round_goes_as_it_is_written(rulebook: str, played: dict[str, str]) -> None:
    kept = {str(path.relative_to(FOLDER)): path.read_text("utf-8") for path in FOLDER.glob(f"{rulebook}/*.txt")}
    now = {name: text for name, text in played.items() if name.startswith(f"{rulebook}/")}
    again = "run `make playthroughs` and read what changed"
    assert sorted(kept) == sorted(now), again
    for name, text in now.items():
        assert text == kept[name], f"{name}: {again}"


def test_every_irregularity_of_every_rulebook_is_played(played: dict[str, str]) -> None:
    missing = {
        f"{rulebook}/irregular_{kind}.txt"
        for rulebook in RULEBOOKS
        for kind in load(rulebook).irregularities
        if kind not in NOT_REPORTED
    } - set(played)
    assert not missing
