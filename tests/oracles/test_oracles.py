"""The oracles stand alone, and their counts are those that others have published."""

from __future__ import annotations

import ast
from math import comb
from pathlib import Path

import pytest

from oracles import classes, counts, seven_card

ORACLES = sorted(path for path in Path(__file__).parent.glob("*.py") if not path.name.startswith("test_"))


def imported_by(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("__import__", "import_module"):
            modules.add("an import made by a call")
    return modules


@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.name)
def test_an_oracle_imports_nothing_of_what_it_proves(path: Path) -> None:
    allowed = {
        "__future__",
        "collections",
        "functools",
        "itertools",
        "math",
        "typing",
        "fractions",
        "oracles",
        # For the one that goes through ten billion deals.
        "numba",
        "numpy",
    }
    assert {module.split(".")[0] for module in imported_by(path)} <= allowed


def test_the_scan_would_notice_an_import(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def late():\n    from crossfelt.hands import KINDS\n", encoding="utf-8")
    assert imported_by(bad) == {"crossfelt.hands"}


@pytest.mark.parametrize(
    ("counted", "hands"),
    [
        (counts.five_card_counts(), comb(52, 5)),
        (counts.three_card_counts(), comb(52, 3)),
        (counts.two_card_counts(), comb(53, 2)),
        (counts.joker_five_card_counts(), comb(52, 4)),
    ],
)
def test_the_categories_account_for_every_hand(counted: dict[str, int], hands: int) -> None:
    assert sum(counted.values()) == hands


@pytest.mark.parametrize(("size", "expected"), [(1, 13), (2, 169), (3, 1755), (4, 16432)])
def test_suit_classes_are_as_many_as_is_known_and_stand_for_every_hand(size: int, expected: int) -> None:
    weights = [weight for _, weight in classes.suit_classes(size)]
    assert len(weights) == expected
    assert sum(weights) == comb(52, size)


def test_seven_card_counts_are_those_published_and_those_counted_by_hand() -> None:
    # wizardofodds.com, pai gow poker, appendix 5. There seven-card straight flushes are counted as what they
    # contain, and three of a kind and straights in the order of the seven-card bonus.
    ranked = counts.seven_card_counts(seven_card.PAI_GOW_HIGH_TO_LOW)
    assert sum(ranked.values()) == comb(53, 7) == 154_143_080
    assert ranked["five_aces"] == 1_128
    assert ranked["royal_flush"] == 26_132
    assert ranked["straight_flush"] == 184_832
    assert ranked["four_of_a_kind"] == 307_472
    assert ranked["full_house"] == 4_188_528
    assert ranked["flush"] == 6_172_088
    bonus = counts.seven_card_counts(seven_card.BONUS_HIGH_TO_LOW)
    assert bonus["three_of_a_kind"] == 7_672_500
    assert bonus["straight"] == 11_034_204
    assert bonus["natural_seven_card_straight_flush"] == 4 * 8
    # Six of the seven in each of eight runs, less those six in a row that lie in two runs.
    assert bonus["seven_card_straight_flush_with_joker"] == 4 * (8 * 7 - 7)
    assert bonus["royal_flush_and_royal_match"] == 4 * 3 + 4 * 5 * 3


def test_a_class_is_a_hand_of_that_class() -> None:
    for pattern, suited, _ in list(classes.flush_classes(6, 4))[::997]:
        hand = classes.hand_of(pattern, suited)
        by_suit = {suit: {card[0] for card in hand if card[1] == suit} for suit in classes.SUITS}
        largest = max(by_suit.values(), key=len)
        assert len(set(hand)) == 6
        assert (len(largest) >= 4) == (suited is not None)
        if suited is not None:
            assert largest == {classes.FACES[rank] for rank in suited}
