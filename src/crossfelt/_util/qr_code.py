"""QR codes of links, for a terminal and for a page."""

from __future__ import annotations

import io
from typing import Any

import msgspec


class QrCode(msgspec.Struct, frozen=True, kw_only=True):
    """A QR code as an SVG path of dark squares, each of size 1, in a square of `size` with its quiet zone."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """Return the QR code of a text.

    >>> code = qr_code("http://192.0.2.7:8000/#code=ab12cd34")
    >>> code.size, code.path[:12]
    (37, 'M4 4h7v1h-7z')
    """
    rows = [bytes(row) for row in _symbol(text).matrix_iter(border=4)]
    runs = [run for y, row in enumerate(rows) for run in _runs(row, y)]
    return QrCode(size=len(rows), path="".join(f"M{x} {y}h{width}v1h-{width}z" for x, y, width in runs))


def _runs(row: bytes, y: int) -> list[tuple[int, int, int]]:
    """Return the runs of dark squares in a row, each with its place and width."""
    runs: list[tuple[int, int, int]] = []
    for x, dark in enumerate(row):
        if dark and runs and runs[-1][0] + runs[-1][2] == x:
            runs[-1] = (runs[-1][0], y, runs[-1][2] + 1)
        elif dark:
            runs.append((x, y, 1))
    return runs


def qr_code_in_terminal(text: str) -> str:
    """Return the QR code of a text as lines of half blocks."""
    out = io.StringIO()
    _symbol(text).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def _symbol(text: str) -> Any:
    import segno  # only hosts who invite need it

    return segno.make_qr(text, error="m", boost_error=False)
