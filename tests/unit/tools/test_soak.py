"""`tools/soak.py` runs long tests in shards and on a cluster."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import crossfelt

SOAK = Path(__file__).parents[3] / "tools" / "soak.py"
PLANTED = """
import pytest

@pytest.mark.soak
@pytest.mark.parametrize("number", range(3))
def test_long(number):
    assert number != 1, "planted"

def test_short():
    raise AssertionError("not a long one")
"""
FIGURE = """
def pytest_terminal_summary(terminalreporter):
    if not terminalreporter.config.option.collectonly:
        terminalreporter.write_line("test_planted.py::test_long[2]: 7 of 7")
"""


def soak(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it in a folder with planted tests."""
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = soak: long\n")
    (folder / "test_planted.py").write_text(PLANTED)
    (folder / "conftest.py").write_text(FIGURE)
    # Installed plugins take longer to load than these tests.
    package = str(Path(crossfelt.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, str(SOAK), *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def verdicts(output: str) -> dict[str, str]:
    rows = [line.split() for line in output.splitlines() if "::test_" in line and " s  " in line]
    return {row[-1].rpartition("::")[2]: row[0] for row in rows}


ALL = {"test_long[0]": "passed", "test_long[1]": "FAILED", "test_long[2]": "passed"}


def test_every_long_test_runs_on_a_cluster_and_is_reported(tmp_path: Path) -> None:
    found = soak(tmp_path, "--cluster", "local")
    assert found.returncode == 1
    assert verdicts(found.stdout) == ALL
    assert "planted" in found.stdout
    assert "7 of 7" in found.stdout.splitlines(), "the figures of a test are printed"
    assert found.stdout.splitlines()[-1] == "2 passed, 1 failed"


def test_shards_together_are_all_tests(tmp_path: Path) -> None:
    shares = [soak(tmp_path, "--shard", f"{number}/2") for number in (1, 2)]
    first, second = (verdicts(share.stdout) for share in shares)
    assert not set(first) & set(second)
    assert first | second == ALL
    assert sorted(share.returncode for share in shares) == [0, 1]


def test_an_unknown_shard_is_refused_in_one_line(tmp_path: Path) -> None:
    found = soak(tmp_path, "--shard", "3/2")
    assert found.returncode == 1
    assert found.stderr.startswith("no such share: '3/2'")
