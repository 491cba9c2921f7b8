"""The package as users get it: one wheel that carries its rulebooks, its clauses and nothing of the workshop."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"


@pytest.mark.exhaustive
def test_the_wheel_carries_every_file_of_the_package_and_no_other(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = {
        str(path.relative_to(SOURCE))
        for path in (SOURCE / "crossfelt").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert carried == ours
    assert {"crossfelt/rulebooks/books/nj-pai-gow.toml", "crossfelt/rulebooks/law/coverage.json"} <= carried


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    words = ("index" + "-url", "find" + "-links", "/" + "root/", "/" + "work/")
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for name in tracked.splitlines():
        path = ROOT / name
        if path.suffix in {".py", ".toml", ".txt", ".md", ".json"} and path.is_file():
            text = path.read_text("utf-8")
            assert not [word for word in words if word in text], name


def test_every_package_has_an_example_that_runs() -> None:
    """`make test-fast` imports every module for its examples, and so runs something of each package."""
    for package in {path.parent for path in (SOURCE / "crossfelt").glob("*/__init__.py")}:
        assert any(">>> " in module.read_text("utf-8") for module in package.rglob("*.py")), package.name
