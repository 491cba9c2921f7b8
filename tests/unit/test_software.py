"""The hash that says which software runs."""

from __future__ import annotations

from pathlib import Path

from crossfelt._util.software_hash import hash_of


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
