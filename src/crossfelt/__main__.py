"""`python -m crossfelt` is `crossfelt`."""

from __future__ import annotations

from crossfelt.cli.main import main

if __name__ == "__main__":
    main()
