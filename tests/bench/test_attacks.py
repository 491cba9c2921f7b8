"""The attacks on a server: a share of each quick class holds, and the documents have a row for every class."""

from __future__ import annotations

from pathlib import Path

from benchmarks.attacks.__main__ import ATTACKS, SLOW, attack

SHARE = 0.01
SECURITY = Path(__file__).parents[2] / "docs" / "security.md"


def test_a_share_of_the_attacks_holds() -> None:
    rows = list(attack(SHARE))
    assert [row.name for row in rows] == [name for name in ATTACKS if name not in SLOW]
    assert {row.name: row.broke for row in rows if row.broke} == {}
    assert sum(row.tried for row in rows) > 300


def test_the_documents_have_a_row_for_every_class_of_attack() -> None:
    lines = SECURITY.read_text("utf-8").splitlines()
    for name, tries in ATTACKS.items():
        what = (tries.__doc__ or "").strip().rstrip(".")
        assert any(line.startswith(f"| {name} | {what} |") for line in lines), name
