"""How checks tell what they find."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crossfelt.problems import Problem


def unknown(code: str, where: str, what: str, value: Any, allowed: Iterable[str]) -> Problem:
    return Problem(code=code, where=where, what=what, value=value, allowed=", ".join(sorted(allowed)))
