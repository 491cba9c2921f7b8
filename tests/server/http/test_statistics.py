"""Live statistics of a table over REST: tests of its outcomes, and its win against what the players did."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossfelt.errors import BadInput, Problem
from crossfelt.server.workers.returns import Studies
from server.served import Served, owner_of, play_round, run

TABLE = "nj-double-cross-1"


def test_the_win_is_compared_with_the_play_as_it_was(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        async with ann.table(TABLE) as table:
            await table.give("take_seat", seat=1, chips_cents=500_00)
            for _ in range(2):
                await play_round(table, 1)
        found = await owner.get(f"/api/tables/{TABLE}/statistics")
        played, figures = found["played"], await owner.get(f"/api/tables/{TABLE}/figures")
        assert (played["rounds"], played["hands"]) == (2, 2)
        assert played["win_cents"] == figures["whole"]["hold_cents"]
        assert played["best_play_cents"] == pytest.approx(figures["whole"]["theory_cents"])
        assert played["errors_cents"] >= 0
        assert played["theory_cents"] == played["best_play_cents"] + played["errors_cents"]
        assert played["p_value"] is None, "two hands are too few for a test"
        assert found["report"]["verdict"] == "Too few rounds for any test."
        reviewed = await ann.get(f"/api/tables/{TABLE}/review")
        assert played["errors_cents"] == reviewed["lost_cents"]

    run(tmp_path, story)


def test_a_game_without_a_solution_has_figures_without_theory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unsolved(self: Studies, *_: object) -> list[dict[str, object]]:
        raise BadInput(Problem(code="solve.none", what="no solver"))

    monkeypatch.setattr(Studies, "_part", unsolved)

    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        async with ann.table(TABLE) as table:
            await table.give("take_seat", seat=1, chips_cents=500_00)
            await play_round(table, 1)
        figures = await owner.get(f"/api/tables/{TABLE}/figures")
        assert figures["whole"]["theory_cents"] is None
        total = (await owner.get("/api/figures/day"))["whole"]["total"]
        assert (total["rounds"], total["theory_cents"]) == (1, None)
        assert total["win_cents"] == figures["whole"]["hold_cents"]
        found = await owner.get(f"/api/tables/{TABLE}/statistics")
        assert found["played"] is None
        assert found["not_played"].endswith(": no solver.")

    run(tmp_path, story)
