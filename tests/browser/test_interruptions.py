"""A decision that the clock makes for a player has a sentence and a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from browser.axe import violations
from browser.conftest import Shoot
from browser.table_page import TableDriver

SIZES: Final[dict[str, dict[str, Any]]] = {
    "phone": {"width": 390, "height": 844, "touch": True, "color_scheme": "light"},
    "desktop": {},
}
QUICK: Final = {"play": {"decision_seconds": 5}}


@pytest.mark.parametrize("size", SIZES)
def test_a_late_decision_counts_as_a_fold(private_table: Callable[..., TableDriver], shoot: Shoot, size: str) -> None:
    driver = private_table("md-criss-cross", bots=0, submission=QUICK, **SIZES[size])
    page = driver.page
    for key in ("1", "Enter"):
        driver.key(key)
    late = page.get_by_text("You did not act in time. The rules count that as a fold.")
    late.wait_for()
    shoot(page, f"late-{size}")
    assert list(violations(page, "a late decision")) == []
    page.locator(".situation").get_by_role("button", name="OK").click()
    late.wait_for(state="detached")
