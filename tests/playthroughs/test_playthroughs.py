"""Whole rounds, event by event, as they stand in the golden files beside this test."""

from __future__ import annotations

import pytest
from playthroughs.golden import FOLDER, golden_files
from playthroughs.scenarios import RULEBOOKS


@pytest.fixture(scope="module")
def played() -> dict[str, str]:
    return dict(golden_files())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_round_goes_as_it_is_written(rulebook: str, played: dict[str, str]) -> None:
    kept = {str(path.relative_to(FOLDER)): path.read_text("utf-8") for path in FOLDER.glob(f"{rulebook}/*.txt")}
    now = {name: text for name, text in played.items() if name.startswith(f"{rulebook}/")}
    again = "run `make playthroughs` and read what changed"
    assert sorted(kept) == sorted(now), again
    for name, text in now.items():
        assert text == kept[name], f"{name}: {again}"


def test_every_irregularity_of_every_rulebook_is_played(played: dict[str, str]) -> None:
    from crossfelt.rulebooks.loading import load

    missing = {
        f"{rulebook}/irregular_{kind}.txt"
        for rulebook in RULEBOOKS
        for kind in load(rulebook).irregularities
        if kind != "shuffler_count_wrong"  # shown by the device before a round, not in one
    } - set(played)
    assert not missing
