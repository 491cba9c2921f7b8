"""Write the golden playthroughs, and print those that changed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from playthroughs.golden import FOLDER, golden_files


def main() -> None:
    wanted = dict(golden_files())
    for path in FOLDER.glob("*/*.txt"):
        if str(path.relative_to(FOLDER)) not in wanted:
            path.unlink()
            print(f"removed {path.relative_to(FOLDER)}")
    for name, text in wanted.items():
        path = FOLDER / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {name}")
    print(f"{len(wanted)} playthroughs")


if __name__ == "__main__":
    main()
