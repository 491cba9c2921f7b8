"""Write the golden files, and print those that changed."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from golden.files import FOLDER, PRODUCERS, stored


def main() -> None:
    before, written = stored(), set[str]()
    for part, produce in PRODUCERS.items():
        print(f"{part} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            for name, text in produce(Path(scratch)):
                written.add(name)
                if before.get(name) != text:
                    path = FOLDER / name
                    path.parent.mkdir(exist_ok=True)
                    path.write_text(text, "utf-8")
                    print(f"wrote {name}")
    for name in sorted(before.keys() - written):
        (FOLDER / name).unlink()
        print(f"removed {name}")
    print(f"{len(written)} golden files")


if __name__ == "__main__":
    main()
