"""Solutions of two games by solvers of their own, which the general solver replaced: the same fractions."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis.solver.solve import solve
from crossfelt.rulebooks.game import compile_game

BEFORE = json.loads((Path(__file__).parents[3] / "data" / "solved_before.json").read_text("utf-8"))["solutions"]


@pytest.mark.parametrize("stored", BEFORE, ids=lambda it: f"{it['rulebook']} {it['pay']} {it['known']}".strip())
def test_every_figure_is_the_same_fraction(stored: dict[str, Any]) -> None:
    found = solve(compile_game(stored["rulebook"]), pay=stored["pay"], known=stored["known"])
    deals = found.distribution.deals
    shares = [[str(outcome.net), str(Fraction(outcome.count, deals))] for outcome in found.distribution.outcomes]
    values = found.values_by_starting_hand() if stored["starting_hands"] else {}
    assert {
        "ev": str(found.ev),
        "wagered": str(found.average_total_wagered),
        "variance": str(found.variance),
        "decisions": [sorted(str(rate) for rate in rates.values() if rate) for rates in found.decisions.values()],
        "distribution": hashlib.sha256(json.dumps(shares).encode()).hexdigest(),
        "starting_hands": {hand: str(values[hand].best) for hand in stored["starting_hands"]},
        "wagers": {wager: str(outcomes.ev) for wager, outcomes in found.by_wager().items() if stored["wagers"]},
    } == {name: stored[name] for name in stored if name not in ("rulebook", "pay", "known")}
