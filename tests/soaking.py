"""How long the long runs are: as long as RELIABILITY asks for, or a part of it.

`CROSSFELT_SOAK=0.001 make soak` runs a thousandth of each, to see that it works.
"""

from __future__ import annotations

import os
from collections.abc import Callable

Recorded = Callable[[str, object], None]
"""`record_property`: a `figure` is printed when all tests are over."""


def scaled(full: int) -> int:
    """So many, or the part of them that the environment asks for."""
    return max(1, round(full * float(os.environ.get("CROSSFELT_SOAK", "1"))))
