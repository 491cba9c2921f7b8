"""The draws of a table's devices, and their check from the opened seed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crossfelt.proof.fair_round import FairRound, check_round
from server.recorded_rounds import WEIGHTS, spun


def wrong(record: dict[str, Any]) -> list[str]:
    return [it.what for it in check_round(msgspec.convert(record, FairRound)) if not it.holds]


def test_wheels_are_drawn_again_from_the_opened_seed() -> None:
    assert wrong(spun()) == []


@pytest.mark.parametrize(
    ("event", "field"), [(0, "index"), (1, "index"), (2, "community"), (2, "hot_spot"), (2, "prize")]
)
def test_a_wheel_that_stops_elsewhere_is_found(event: int, field: str) -> None:
    record = spun()
    record["events"][event][field] = (record["events"][event][field] + 1) % len(WEIGHTS)
    assert wrong(record) == ["xtreme spun" if event == 2 else "wheel spun"]
