"""`crossfelt warm`: every kernel is compiled before its first use."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import crossfelt.kernels


def warm(cache: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "crossfelt", "warm", "--json"]
    return subprocess.run(
        command, env={**os.environ, "CROSSFELT_CACHE": str(cache)}, capture_output=True, text=True, check=False
    )


@pytest.mark.soak
def test_every_kernel_is_compiled(tmp_path: Path) -> None:
    sources = Path(crossfelt.kernels.__path__[0]).rglob("*.py")
    kernels = sum(len(re.findall(r"^@Kernel$", source.read_text("utf-8"), re.M)) for source in sources)
    done = warm(tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kernels"] == kernels > 30


def test_a_directory_that_takes_no_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = warm(tmp_path / "file")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("CROSSFELT_CACHE: compiled code cannot be kept in this directory: ")
