"""Compiled kernels are cached, found again, and never found when they are stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest
from llvmlite import binding

from crossfelt.kernels import cache
from crossfelt.kernels.cache import array_directory, cache_directory, cache_key, cache_root
from limits import WAIT_SECONDS

SOURCES = Path(cache.__file__).parent

RANK_ONE_HAND = """
import numpy as np
from crossfelt.kernels.seven_cards.kinds import kinds
print(kinds(np.array([[0, 4, 8, 12, 21, 30, 52]], dtype=np.uint8)).size)
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **environment}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCES, tmp_path / "kernels"))


def test_the_same_sources_elsewhere_have_the_same_key(sources: Path) -> None:
    assert cache_key(sources) == cache_key()


@pytest.mark.parametrize("name", sorted(path.name for path in SOURCES.glob("*.py")))
def test_a_change_in_any_source_changes_the_key(sources: Path, name: str) -> None:
    source = sources / name
    source.write_text(source.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert cache_key(sources) != cache_key()


def test_a_source_that_is_added_moved_or_removed_changes_the_key(sources: Path) -> None:
    keys = {cache_key(sources)}
    (sources / "more.py").write_text("", encoding="utf-8")
    keys.add(cache_key(sources))
    (sources / "more.py").rename(sources / "other.py")
    keys.add(cache_key(sources))
    (sources / "threads.py").unlink()
    keys.add(cache_key(sources))
    assert len(keys) == 4


def test_another_numba_or_processor_changes_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {cache_key()}
    monkeypatch.setattr(numba, "__version__", "0.0")
    keys.add(cache_key())
    monkeypatch.setattr(binding, "get_host_cpu_name", lambda: "abacus")
    keys.add(cache_key())
    assert len(keys) == 3


def test_the_place_is_the_users_cache_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CROSSFELT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_root() == Path("/home/someone/.cache/crossfelt")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert cache_root() == Path("/home/someone/.cache/crossfelt")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    assert cache_root() == Path("/var/caches/crossfelt")
    monkeypatch.setenv("CROSSFELT_CACHE", "/srv/kernels")
    assert cache_root() == Path("/srv/kernels")


def test_the_directory_is_named_by_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CROSSFELT_CACHE", str(tmp_path / "new"))
    assert cache_directory.__wrapped__() == tmp_path / "new" / f"kernels-{cache_key()}"


def test_a_kernel_is_compiled_once_and_says_so_once(tmp_path: Path) -> None:
    """Also for another copy of the package."""
    shutil.copytree(SOURCES.parent, tmp_path / "copy" / "crossfelt", ignore=shutil.ignore_patterns("__pycache__"))
    first = run(RANK_ONE_HAND, CROSSFELT_CACHE=str(tmp_path))
    second = run(RANK_ONE_HAND, CROSSFELT_CACHE=str(tmp_path), PYTHONPATH=str(tmp_path / "copy"))
    assert first.stdout == second.stdout == "1\n"
    assert first.stderr.count("compiling") == first.stderr.count("\n") == 1
    assert second.stderr == ""
    assert len(list(tmp_path.glob(f"kernels-{cache_key()}/*/*.nbi"))) == 1


def test_processes_wait_for_the_one_that_compiles(tmp_path: Path) -> None:
    told = {"CROSSFELT_CACHE": str(tmp_path), "NUMBA_DEBUG_CACHE": "1"}
    with ThreadPoolExecutor() as threads:
        both = list(threads.map(lambda _: run(RANK_ONE_HAND, **told).stdout, range(2)))
    assert sum(out.count("[cache] data saved") for out in both) == 1
    assert sum(out.count("[cache] data loaded") for out in both) == 1


@pytest.mark.parametrize(("file", "content"), [("*.nbi", b""), ("*.nbc", b"half of a file")])
def test_files_broken_by_a_power_cut_are_replaced(tmp_path: Path, file: str, content: bytes) -> None:
    told = {"CROSSFELT_CACHE": str(tmp_path)}
    run(RANK_ONE_HAND, **told)
    (broken,) = tmp_path.rglob(file)
    broken.write_bytes(content)
    assert run(RANK_ONE_HAND, **told).stdout == "1\n"
    run(RANK_ONE_HAND, **told)
    loaded = run(RANK_ONE_HAND, **told, NUMBA_DEBUG_CACHE="1").stdout
    assert "data loaded" in loaded
    assert "saved" not in loaded


def test_kernels_work_where_the_disk_is_full(tmp_path: Path) -> None:
    full = "import numba.core.caching as c\ndef _full(*_):\n    raise OSError(28, 'full')\n"
    done = run(full + "c.IndexDataCacheFile._save_data = _full\n" + RANK_ONE_HAND, CROSSFELT_CACHE=str(tmp_path))
    assert done.stdout == "1\n"


def test_a_change_in_a_function_that_a_kernel_calls_is_noticed(tmp_path: Path) -> None:
    """Numba alone would keep the compiled code, because it checks only the file of the kernel itself."""
    package = shutil.copytree(SOURCES.parent, tmp_path / "crossfelt")
    code = """
import numpy as np
from crossfelt.kernels.seven_cards.beside import _count_by_ranks
from crossfelt.kernels.seven_cards.kinds import FOUR_OF_A_KIND, FULL_HOUSE, KINDS
from crossfelt.kernels.solver.card_sets import choose_table
counts = np.zeros(len(KINDS), dtype=np.int64)
_count_by_ranks(np.array([4, 3] + [0] * 11), choose_table(), counts)
print(counts[FOUR_OF_A_KIND], counts[FULL_HOUSE])
"""
    places = {"PYTHONPATH": str(tmp_path), "CROSSFELT_CACHE": str(tmp_path / "cache")}
    before = run(code, **places)
    called = package / "kernels" / "seven_cards" / "kinds.py"
    source = called.read_text(encoding="utf-8")
    called.write_text(source.replace("else FOUR_OF_A_KIND", "else FULL_HOUSE"), encoding="utf-8")
    after = run(code, **places)
    assert (before.stdout, after.stdout) == ("4 4\n", "0 8\n")


def test_without_a_place_to_keep_them_kernels_work_and_leave_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    done = run(RANK_ONE_HAND, CROSSFELT_CACHE=str(file / "below"), TMPDIR=str(temporary))
    assert done.stdout == "1\n"
    assert done.stderr.count("compiled kernels cannot be kept") == 1
    assert list(temporary.iterdir()) == []


def test_other_users_of_numba_keep_their_own_cache() -> None:
    code = RANK_ONE_HAND + "import numba; print(repr(numba.config.CACHE_DIR))"
    assert run(code, NUMBA_CACHE_DIR="/somewhere").stdout == "1\n'/somewhere'\n"


def test_commands_without_kernels_do_not_import_numba() -> None:
    code = """
import importlib, pkgutil, sys
import crossfelt, crossfelt.kernels
for package in ("crossfelt.cards", "crossfelt.hands", "crossfelt.cli"):
    folder = importlib.import_module(package).__path__
    for module in pkgutil.walk_packages(folder, package + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            print(module.name)
print(*[module for module in ("numba", "llvmlite", "numpy") if module in sys.modules])
"""
    *imported, brought_in = run(code).stdout.split("\n")[:-1]
    assert {"crossfelt.cards.card", "crossfelt.hands.strength"} <= set(imported)
    assert brought_in == ""


def test_arrays_are_found_by_the_sources_that_compute_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "crossfelt"
    for folder in ("analysis", "games", "hands", "kernels"):
        shutil.copytree(SOURCES.parent / folder, package / folder)
    monkeypatch.setattr(cache, "SOURCES", package / "kernels")
    monkeypatch.setenv("CROSSFELT_CACHE", str(tmp_path / "cache"))
    found = {array_directory.__wrapped__()}
    monkeypatch.setattr(numba, "__version__", "0.0")
    found.add(array_directory.__wrapped__())
    assert len(found) == 1
    for name in ("kernels/solver/nodes.py", "analysis/solver/nodes.py", "hands/rank.py", "games/rules.py"):
        with (package / name).open("a", encoding="utf-8") as file:
            file.write("# changed\n")
        found.add(array_directory.__wrapped__())
    assert len(found) == 5
