"""One answer of a sweep: figures by name, exact where they can be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt.analysis.solution import exact

Value = Fraction | float | None
"""Exact, or a root or an estimate; None where a figure does not exist."""

ALIASES: Final[Mapping[str, str]] = {
    "edge": "house_edge.per_initial_wagers",
    "volatility": "standard_deviation",
}
"""Short names that people type."""


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one combination comes to."""

    number: int
    figures: dict[str, Fraction | float | None] = msgspec.field(default_factory=dict)
    refused: str = ""
    """Why this combination cannot be asked: what the regulation does not allow together."""

    def figure(self, name: str) -> Value:
        return self.figures.get(ALIASES.get(name, name))


def row_data(row: Row, values: Mapping[str, Any]) -> dict[str, Any]:
    """A row as ``crossfelt sweep --json`` prints it."""
    told = {name: exact(value) if isinstance(value, Fraction) else value for name, value in row.figures.items()}
    return {"number": row.number, "values": dict(values), "figures": told}


def encode_rows(rows: list[Row]) -> bytes:
    """Rows as they travel and are kept: fractions as text.

    >>> encode_rows([Row(number=1, figures={"ev": Fraction(-1, 3)})])
    b'[{"number":1,"figures":{"ev":"-1/3"}}]'
    """
    return msgspec.json.encode(rows, enc_hook=str)


class _Kept(msgspec.Struct, frozen=True):
    number: int
    figures: dict[str, str | float | None] = msgspec.field(default_factory=dict)
    refused: str = ""


_ROWS: Final = msgspec.json.Decoder(list[_Kept])


def decode_rows(data: bytes) -> list[Row]:
    """
    >>> decode_rows(b'[{"number":1,"figures":{"ev":"-1/3","standard_deviation":2.5}}]')[0].figures
    {'ev': Fraction(-1, 3), 'standard_deviation': 2.5}
    """
    return [
        Row(
            number=kept.number,
            figures={
                name: Fraction(value) if isinstance(value, str) else value for name, value in kept.figures.items()
            },
            refused=kept.refused,
        )
        for kept in _ROWS.decode(data)
    ]
