"""Build the documentation without a network: `python tools/build_docs.py [FOLDER]`; default: site/."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from handbook.markdown import ROOT
from handbook.site import BrokenLink, build


def main() -> int:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    try:
        pages = build(out)
    except BrokenLink as broken:
        print(f"broken link: {broken}", file=sys.stderr)
        return 1
    print(f"{len(pages)} pages in {out}; open {out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
