"""Accessibility faults that axe finds, at several widths and in both colour schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, get_args

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Scheme = Literal["light", "dark"]
WIDTHS: Final = (320, 360, 768, 1280, 1920)
COLOURS_AT: Final[dict[int, Scheme]] = {360: "dark", 1280: "light"}
"""Colours depend only on the scheme and on narrow or wide. Comparing them takes most of the time, so each scheme is
checked once, and at each width in the long tests."""
NARROW_AND_WIDE: Final = (*COLOURS_AT,)
CONTRAST: Final = "color-contrast"
OF_COLOURS: Final = (CONTRAST, "link-in-text-block")
"""The rules that depend on the colour scheme."""


def violations(page: Page, where: str, **options: Any) -> Iterator[str]:
    """Yield the violations of a page in its current state."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **options})
    for one in found["violations"]:
        yield f"{where}: {one['id']}: {one['help']}: {[node['html'][:140] for node in one['nodes'][:3]]}"


class Faults:
    """The fixture `faults`: all faults of a page, `faults(page, "lobby")`. By default axe checks it narrow and wide
    and its width is measured at all of `WIDTHS`; in the long tests axe checks each width. Colours are compared in both
    schemes, with a screenshot of each."""

    def __init__(self, shoot: Callable[..., None], *, whole: bool) -> None:
        self._shoot = shoot
        self._whole = whole

    def __call__(self, page: Page, where: str, widths: tuple[int, ...] | None = None) -> list[str]:
        found: list[str] = []
        measured = WIDTHS if self._whole or widths is None else widths
        examined = WIDTHS if self._whole else widths or NARROW_AND_WIDE
        both = self._whole or not set(COLOURS_AT).issubset(examined)
        for width in measured:
            page.set_viewport_size({"width": width, "height": 740 if width < 600 else 800})
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            found += [f"{where} is {wide} px wide at {width} px"] if wide > width else []
            if width not in examined:
                continue
            found += violations(page, f"{where} at {width} px", rules={CONTRAST: {"enabled": False}})
            for scheme in get_args(Scheme) if self._whole or width in COLOURS_AT else ():
                page.emulate_media(color_scheme=scheme)
                if both or COLOURS_AT[width] == scheme:
                    found += violations(page, f"{where} at {width} px, {scheme}", runOnly=OF_COLOURS)
                self._shoot(page, f"{where}-{width}-{scheme}")
        return found
