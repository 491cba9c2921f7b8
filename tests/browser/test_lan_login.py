"""Players on a local network log in with an access code and a name, and share a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from browser.conftest import NewPage, Served, Shoot


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("network") / "data", "--lan")
    yield served
    served.stop()


def _code(server: Served) -> str:
    found = re.search(r"with the code (\w+)", server.log.read_text())
    assert found is not None
    return found[1]


def test_two_players_log_in_with_the_code_and_share_a_table(new_page: NewPage, server: Served, shoot: Shoot) -> None:
    for name in ("Ann", "Ben"):
        page = new_page(360, 740, color_scheme="light")
        page.get_by_label("Sit down at Double Cross Poker, New Jersey").click()
        page.get_by_label("Code").fill("not this one")
        page.get_by_label("Your name at the table").fill(name)
        page.keyboard.press("Enter")
        page.get_by_text("This access code is wrong").wait_for()
        shoot(page, "login-360")
        page.get_by_label("Code").fill(_code(server))
        page.keyboard.press("Enter")
        page.wait_for_selector(".area.takes")
    assert page.locator(".pod-name[title='Ann']").count() == 1
    new_page.errors.clear()  # type: ignore[attr-defined]  # the browser logs the refused code
