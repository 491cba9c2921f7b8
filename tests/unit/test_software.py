"""The hash that says which software runs."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from crossfelt._util.software_hash import check_manifest, hash_of


def test_any_file_makes_it_other_software_but_what_python_compiles_does_not(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.toml").write_text("odds = 6")
    before = hash_of(tmp_path)
    (tmp_path / "rules" / "a.pyc").write_text("compiled")
    assert hash_of(tmp_path) == before
    (tmp_path / "rules" / "a.toml").rename(tmp_path / "rules" / "b.toml")
    moved = hash_of(tmp_path)
    (tmp_path / "rules" / "b.toml").write_text("odds = 7")
    assert len({before, moved, hash_of(tmp_path)}) == 3


def test_the_manifest_finds_a_changed_and_a_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, info = tmp_path / "crossfelt_sample", tmp_path / "crossfelt_sample-1.dist-info"
    package.mkdir()
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crossfelt-sample\nVersion: 1\n")
    (package / "same.py").write_text("1\n")
    (package / "changed.py").write_text("1\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"1\n").digest()).rstrip(b"=").decode()
    names = ("same.py", "changed.py", "gone.py")
    (info / "RECORD").write_text("".join(f"crossfelt_sample/{name},sha256={digest},2\n" for name in names))
    (package / "changed.py").write_text("2\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = check_manifest("crossfelt-sample")
    assert found.files == 3
    assert [fault.partition(": ")[2] for fault in found.faults] == [
        "crossfelt_sample/changed.py was changed after the installation",
        "crossfelt_sample/gone.py is missing",
    ]
