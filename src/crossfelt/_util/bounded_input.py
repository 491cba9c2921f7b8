"""The one check of size and depth for bytes from outside, before they are decoded.

JSON within these limits can be decoded, walked and encoded again without reaching Python's limit of recursion. Every
border applies it: HTTP bodies, WebSocket messages, stored rows, histories, files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any, Final

import msgspec

MOST_BYTES: Final = 1 << 28
"""The longest line of a backup. Some borders have lower limits of their own, to save memory."""
MOST_LEVELS: Final = 64
"""A compiled game, which is the deepest of our data, has 7."""
_SQUARE: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


class InputTooLarge(msgspec.DecodeError, ValueError):
    """Input that is not decoded, because it is too long or nested too deeply."""


def bounded(data: bytes) -> bytes:
    """Return JSON unchanged, if its size and its depth are within the limits.

    >>> bounded(b'{"hand": ["As", "[[["]}')
    b'{"hand": ["As", "[[["]}'
    >>> bounded(b"[" * 65 + b"]" * 65)
    Traceback (most recent call last):
    crossfelt._util.bounded_input.InputTooLarge: nested too deeply: more than 64 levels
    """
    if len(data) > MOST_BYTES:
        raise InputTooLarge(f"too long: more than {MOST_BYTES:,} bytes")
    if data.count(b"[") + data.count(b"{") > MOST_LEVELS and _is_too_deep(data):
        raise _too_deep()
    return data


def _is_too_deep(data: bytes) -> bool:
    """Remove strings, then the innermost pairs of brackets, level by level.

    Brackets without a partner stay: the decoder refuses a few of them better than this function.
    """
    outside_strings = data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2]
    brackets = b"".join(outside_strings).translate(_SQUARE, _NO_BRACKETS)
    for _ in range(MOST_LEVELS):
        if b"[]" not in brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return len(brackets) > MOST_LEVELS or b"[]" in brackets


def bounded_toml(text: str) -> dict[str, Any]:
    """Return the data of a TOML text, if its depth is within the limit: dotted keys nest without brackets.

    >>> bounded_toml("seats = [1, 2]")
    {'seats': [1, 2]}
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise _too_deep() from None
    level: list[Any] = [data]
    for _ in range(MOST_LEVELS):
        level = [one for value in level for one in _inside(value)]
    if level:
        raise _too_deep()
    return data


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _too_deep() -> InputTooLarge:
    return InputTooLarge(f"nested too deeply: more than {MOST_LEVELS} levels")
