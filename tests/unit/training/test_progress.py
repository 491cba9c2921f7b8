"""Progress: accuracy first, then pace; a missed topic is due at once; a damaged file is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crossfelt.errors import BadInput
from crossfelt.training.progress import PACE_FROM, PUT_OFF, DrillProgress, default_path

TOPIC = "nj-criss-cross/pay/across.flush"
FAST, SLOW = 2_000, 300_000


def after(*answers: tuple[bool, int], at: int = 0) -> DrillProgress:
    progress = DrillProgress()
    for right, millis in answers:
        progress = progress.answered(TOPIC, right=right, at=at, millis=millis)
    return progress


def test_each_right_answer_puts_a_topic_off_for_longer_and_a_miss_brings_it_back() -> None:
    due = [after(*[(True, FAST)] * times, at=1_000).standing(TOPIC).due - 1_000 for times in range(1, 6)]
    assert due == list(PUT_OFF[1:6])
    assert due == sorted(set(due))
    missed = after(*[(True, FAST)] * 5, (False, FAST), at=1_000).standing(TOPIC)
    assert (missed.due, missed.in_a_row, missed.missed, missed.asked, missed.right) == (1_000, 0, True, 6, 5)


def test_pace_counts_only_once_a_topic_is_known() -> None:
    slowly = after(*[(True, SLOW)] * (PACE_FROM + 3)).standing(TOPIC)
    assert slowly.in_a_row == PACE_FROM
    assert after(*[(True, FAST)] * (PACE_FROM + 3)).standing(TOPIC).in_a_row == PACE_FROM + 3
    assert not slowly.missed


def test_the_fastest_right_answer_is_kept() -> None:
    assert after((True, 5_000), (False, 100), (True, 3_000), (True, 9_000)).standing(TOPIC).fastest == 3_000


def test_progress_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "new" / "training.json"
    progress = after((True, FAST), (False, FAST))
    progress.write(file)
    assert DrillProgress.read(file) == progress
    progress.write(file)
    assert os.listdir(file.parent) == ["training.json"]


def test_nothing_is_known_without_a_file(tmp_path: Path) -> None:
    assert DrillProgress.read(tmp_path / "none.json") == DrillProgress()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"schema": 2}', '{"topics": {"a/pay/b": {"asked": -1}}}', '{"topics": {"nothing": {}}}',
     '{"topics": {"a/dance/b": {}}}', '{"other": 1}', "\udcff"],
)  # fmt: skip
def test_another_file_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "training.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = file.read_bytes()
    with pytest.raises(BadInput, match="not a progress file of crossfelt train"):
        DrillProgress.read(file)
    assert file.read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "training.json"
    after((True, FAST)).write(file)
    before = file.read_bytes()

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="No space"):
        after((False, FAST)).write(file)
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["training.json"]


def test_progress_lies_with_the_users_own_data() -> None:
    assert default_path({"XDG_DATA_HOME": "relative"}) == Path.home() / ".local/share/crossfelt/training.json"
