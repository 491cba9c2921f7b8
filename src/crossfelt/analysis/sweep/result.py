"""One answer of a sweep: figures by name, exact where they can be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.analysis.solution import exact

Value = Fraction | float | None
"""Exact, or a root or an estimate; None where a figure does not exist."""

ALIASES: Final[Mapping[str, str]] = {
    "edge": "house_edge.per_initial_wagers",
    "volatility": "standard_deviation",
}
"""Short names that people type."""


class FigureBasis(msgspec.Struct, frozen=True, kw_only=True):
    """What the figures of a solution are: how they were found, in which unit, for which way to play."""

    method: str = ""
    unit: str = ""
    strategy: str = ""
    tie_rule: str = ""


class VariantResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one combination comes to."""

    number: int
    figures: dict[str, Fraction | float | None] = msgspec.field(default_factory=dict)
    basis: FigureBasis = FigureBasis()
    forbidden: str = ""
    """What the regulation says against the odds, though they can be asked for; empty where it permits them."""
    forbidden_by: str = ""
    """The clauses, readings and house rules that this rests on."""
    refused: str = ""
    """Why this combination cannot be asked: what the regulation does not allow together."""

    def figure(self, name: str) -> Value:
        return self.figures.get(ALIASES.get(name, name))


def row_data(row: VariantResult, values: Mapping[str, Any]) -> dict[str, Any]:
    """A row as ``crossfelt sweep --json`` prints it."""
    told = {name: exact(value) if isinstance(value, Fraction) else value for name, value in row.figures.items()}
    return {
        "number": row.number,
        "values": dict(values),
        "permitted": not row.forbidden,
        "forbidden": row.forbidden or None,
        **msgspec.to_builtins(row.basis),
        "figures": told,
    }


def encode_rows(rows: list[VariantResult]) -> bytes:
    """Rows as they travel and are kept: fractions as text.

    >>> encode_rows([VariantResult(number=1, figures={"ev": Fraction(-1, 3)})])
    b'[{"number":1,"figures":{"ev":"-1/3"}}]'
    """
    return msgspec.json.encode(rows, enc_hook=str)


class _StoredResult(VariantResult, frozen=True, kw_only=True):
    """A row as it is read: fractions are text still."""

    figures: dict[str, str | float | None] = msgspec.field(default_factory=dict)  # type: ignore[assignment]


_ROWS: Final = msgspec.json.Decoder(list[_StoredResult])


def decode_rows(data: bytes) -> list[VariantResult]:
    """
    >>> decode_rows(b'[{"number":1,"figures":{"ev":"-1/3","standard_deviation":2.5}}]')[0].figures
    {'ev': Fraction(-1, 3), 'standard_deviation': 2.5}
    """
    return [_read(kept) for kept in _ROWS.decode(bounded(data))]


def _read(kept: _StoredResult) -> VariantResult:
    told = {name: getattr(kept, name) for name in VariantResult.__struct_fields__}
    figures = {name: Fraction(value) if isinstance(value, str) else value for name, value in kept.figures.items()}
    return VariantResult(**told | {"figures": figures})
