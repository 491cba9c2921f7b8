"""Golden files as text: each value that differs from run to run is named by its kind; long JSON is broken up."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any, Final

WIDTH: Final = 116
DIGITS: Final = 12
"""Significant digits of a float that are compared: processors may differ in the last ones."""
A_DAY_MS: Final = 24 * 3600 * 1000
VOLATILE: Final = frozenset(
    {"hash", "previous", "rulebook_hash", "game_hash", "seconds", "software", "crossfelt", "checked_by", "written_by"}
)
"""Fields of text or floats that depend on the version, the machine or the clock, or are a digest of the rest."""
_HEX: Final = re.compile(r"\b[0-9a-f]{24,}\b")


def normal(value: Any, names: Mapping[str, str] | None = None) -> Any:
    """Return JSON data without its volatile values; `names` holds strings to replace wherever they occur."""
    match value:
        case dict():
            return {key: _named(key, item) or normal(item, names) for key, item in value.items()}
        case list():
            return [normal(item, names) for item in value]
        case float():
            return float(f"{value:.{DIGITS}g}")
        case str():
            for name, kind in (names or {}).items():
                value = value.replace(name, kind)
            return _HEX.sub("<hex>", value)
        case int() if abs(value - time.time() * 1000) < A_DAY_MS:
            return "<time>"
    return value


def _named(key: str, item: Any) -> str:
    return f"<{key}>" if key in VOLATILE and isinstance(item, str | float) else ""


def written(value: Any) -> str:
    """Return JSON with sorted keys, in which whatever fits on a line stands on one."""
    return "\n".join(_lines(value, "", "")) + "\n"


def _lines(value: Any, indent: str, label: str) -> list[str]:
    line = indent + label + json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return [line]
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return [indent + label + "[", *_filled(value, indent + " "), indent + "]"]
    if isinstance(value, dict):
        opening, closing = "{}"
        items = [(f"{json.dumps(key, ensure_ascii=False)}: ", item) for key, item in sorted(value.items())]
    else:
        opening, closing = "[]"
        items = [("", item) for item in value]
    lines = [indent + label + opening]
    for name, item in items:
        lines += _lines(item, indent + " ", name)
        lines[-1] += ","
    lines[-1] = lines[-1][:-1]
    return [*lines, indent + closing]


def _filled(values: list[Any], indent: str) -> list[str]:
    """Plain values, as many to a line as fit."""
    lines = [indent]
    for place, value in enumerate(values, 1):
        word = json.dumps(value, ensure_ascii=False) + ("," if place < len(values) else "")
        if len(lines[-1]) + len(word) >= WIDTH and lines[-1].strip():
            lines.append(indent)
        lines[-1] += word if lines[-1] == indent else f" {word}"
    return lines
