"""Directories of old kernels are removed, never one that a process uses."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from crossfelt.kernels.cache import UNUSED_SECONDS, claim_directory, remove_unused
from limits import WAIT_SECONDS

OLD, NEW = "kernels-00000000000000aa", "arrays-00000000000000bb"

USE_UNTIL_TOLD = """
import sys
from pathlib import Path
from crossfelt.kernels.cache import claim_directory
claim_directory(Path(sys.argv[1]))
print("in use", flush=True)
sys.stdin.read()
"""


def left_alone(directory: Path, *, seconds: float = UNUSED_SECONDS + 60) -> Path:
    """Make a directory with a file, last used this long ago."""
    (directory / "kernels_1").mkdir(parents=True)
    (directory / "kernels_1" / "one.nbi").write_bytes(b"code")
    then = time.time() - seconds
    touch([*directory.rglob("*"), directory], then)
    return directory


def touch(paths: Iterable[Path], then: float) -> None:
    for path in paths:
        os.utime(path, (then, then))


def test_a_new_directory_replaces_those_unused_for_a_month(tmp_path: Path) -> None:
    unused = [left_alone(tmp_path / OLD), left_alone(tmp_path / "arrays-00000000000000cc")]
    recent = left_alone(tmp_path / "kernels-00000000000000dd", seconds=UNUSED_SECONDS - 3600)
    claim_directory(tmp_path / NEW)
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / NEW, recent])
    assert not any(directory.exists() for directory in unused)


def test_nothing_is_removed_where_the_directory_was_there_before(tmp_path: Path) -> None:
    (tmp_path / NEW).mkdir()
    unused = left_alone(tmp_path / OLD)
    claim_directory(tmp_path / NEW)
    assert unused.exists()


def test_use_touches_a_directory(tmp_path: Path) -> None:
    used = left_alone(tmp_path / OLD)
    claim_directory(used)
    assert used.stat().st_mtime > time.time() - 3600
    remove_unused(tmp_path)
    assert used.exists()


@pytest.mark.parametrize("number", [0, 1], ids=["read", "written"])
def test_a_file_that_was_used_lately_keeps_the_directory(tmp_path: Path, number: int) -> None:
    used = left_alone(tmp_path / OLD)
    then = [time.time() - UNUSED_SECONDS - 60] * 2
    then[number] = time.time()
    os.utime(used / "kernels_1" / "one.nbi", (then[0], then[1]))
    remove_unused(tmp_path)
    assert used.exists()


def test_a_directory_stays_as_long_as_a_process_uses_it(tmp_path: Path) -> None:
    used = left_alone(tmp_path / OLD)
    command = [sys.executable, "-c", USE_UNTIL_TOLD, str(used)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == b"in use\n"
        touch([used], time.time() - UNUSED_SECONDS - 60)
        remove_unused(tmp_path)
        assert used.exists()
        user.communicate(timeout=WAIT_SECONDS)
    remove_unused(tmp_path)
    assert not used.exists()


def test_other_files_are_kept(tmp_path: Path) -> None:
    elsewhere = left_alone(tmp_path / "elsewhere" / OLD)
    root = tmp_path / "root"
    mine = left_alone(root / "kernels-of-mine")
    (root / OLD).symlink_to(elsewhere)
    file = root / "kernels-00000000000000ee"
    file.touch()
    touch([file], 0)
    remove_unused(root)
    assert sorted(root.iterdir()) == sorted([mine, root / OLD, file])
    assert elsewhere.exists()
