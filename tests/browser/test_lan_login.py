"""Friends on the same network: whoever was told the code comes in by a name, and sits down beside the others."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from browser.conftest import NewPage, Served, Shoot


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("network") / "house", "--lan")
    yield served
    served.stop()


def _code(server: Served) -> str:
    found = re.search(r"with the code (\w+)", server.log.read_text())
    assert found is not None
    return found[1]


def test_friends_come_in_with_the_code_and_sit_at_one_table(new_page: NewPage, server: Served, shoot: Shoot) -> None:
    for name in ("Ann", "Ben"):
        page = new_page(360, 740, color_scheme="light")
        page.get_by_label("Sit down at Double Cross Poker, New Jersey").click()
        page.get_by_label("Code").fill("not this one")
        page.get_by_label("Your name at the table").fill(name)
        page.keyboard.press("Enter")
        page.get_by_text("not the code").wait_for()
        shoot(page, "door-360")
        page.get_by_label("Code").fill(_code(server))
        page.keyboard.press("Enter")
        page.wait_for_selector(".area.takes")
    assert page.locator(".pod-name[title='Ann']").count() == 1
    new_page.complaints.clear()  # type: ignore[attr-defined]  # what a browser prints of a refused code
