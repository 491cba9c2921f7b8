"""Write the generated parts of the pages on games and the page on the rulebook file; print the pages that changed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from handbook.games import game_pages
from handbook.markdown import ROOT
from handbook.rulebook_file import rulebook_page


def main() -> None:
    for path, text in (*game_pages(), rulebook_page()):
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
