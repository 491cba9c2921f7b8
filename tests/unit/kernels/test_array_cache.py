"""Arrays on disk: computed once, found again, and computed again if they cannot be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crossfelt.kernels import array_cache as module
from crossfelt.kernels.array_cache import cached_arrays


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "array_directory", lambda: tmp_path)
    return tmp_path


def made(calls: list[int]) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    calls.append(1)
    return [np.arange(3), np.zeros((2, 2), dtype=np.int64)]


def test_arrays_are_made_once(folder: Path) -> None:
    calls: list[int] = []
    first = cached_arrays(("name", 1), lambda: made(calls))
    again = cached_arrays(("name", 1), lambda: made(calls))
    assert len(calls) == 1
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))
    assert [path.suffix for path in folder.iterdir()] == [".arrays"]


def test_another_key_is_another_file(folder: Path) -> None:
    calls: list[int] = []
    cached_arrays(("name", 1), lambda: made(calls))
    cached_arrays(("name", 2), lambda: made(calls))
    assert len(calls) == 2
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("left", [0, 1, 90, -1])
def test_a_file_that_is_cut_short_is_made_again(folder: Path, left: int) -> None:
    calls: list[int] = []
    cached_arrays(("name", 1), lambda: made(calls))
    [path] = folder.iterdir()
    path.write_bytes(path.read_bytes()[:left])
    assert [array.tolist() for array in cached_arrays(("name", 1), lambda: made(calls))] == [
        [0, 1, 2],
        [[0, 0], [0, 0]],
    ]
    assert len(calls) == 2
    cached_arrays(("name", 1), lambda: made(calls))
    assert len(calls) == 2


def test_a_folder_that_cannot_be_written_does_no_harm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "array_directory", lambda: folder / "missing")
    assert len(cached_arrays(("name", 1), lambda: made([]))) == 2
