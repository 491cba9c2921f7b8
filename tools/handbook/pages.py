"""Pages with generated parts: what stands between two comments is written anew, the rest is left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from handbook.games import GAMES, part

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
_PART: Final = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def game_pages() -> Iterator[tuple[Path, str]]:
    """Each page on a game, as it should be."""
    for name in GAMES:
        path = DOCS / "games" / f"{name}.md"
        yield path, filled(path.read_text("utf-8"), name)


def filled(text: str, page: str) -> str:
    """A page with its generated parts written anew."""

    def written(match: re.Match[str]) -> str:
        lines = "\n".join(part(page, match[2])).strip("\n")
        return f"{match[1]}\n{lines}\n\n{match[4]}"

    return _PART.sub(written, text)
