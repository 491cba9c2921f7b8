"""One answer of a sweep: figures by name, exact where they can be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.analysis.solution import exact

Value = Fraction | float | None
"""An exact fraction, a float for a root or estimate, or None if the figure does not exist."""

ALIASES: Final[Mapping[str, str]] = {
    "edge": "house_edge.per_initial_wagers",
    "volatility": "standard_deviation",
}
"""Short names for the command line."""


class FigureBasis(msgspec.Struct, frozen=True, kw_only=True):
    """Method, unit and strategy of the figures of a solution."""

    method: str = ""
    unit: str = ""
    strategy: str = ""
    tie_rule: str = ""


class VariantResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one combination."""

    number: int
    figures: dict[str, Fraction | float | None] = msgspec.field(default_factory=dict)
    basis: FigureBasis = FigureBasis()
    forbidden: str = ""
    """Rule that forbids the odds, which can be solved nevertheless; empty if they are permitted."""
    forbidden_by: str = ""
    """Clauses, readings and house rules that forbid the odds."""
    refused: str = ""
    """Reason why this combination cannot be solved."""

    def figure(self, name: str) -> Value:
        return self.figures.get(ALIASES.get(name, name))


def row_data(row: VariantResult, values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a row to JSON data for ``crossfelt sweep --json``."""
    figures = {name: exact(value) if isinstance(value, Fraction) else value for name, value in row.figures.items()}
    return {
        "number": row.number,
        "values": dict(values),
        "permitted": not row.forbidden,
        "forbidden": row.forbidden or None,
        **msgspec.to_builtins(row.basis),
        "figures": figures,
    }


def encode_rows(rows: list[VariantResult]) -> bytes:
    """Encode rows for files and workers, with fractions as text.

    >>> encode_rows([VariantResult(number=1, figures={"ev": Fraction(-1, 3)})])
    b'[{"number":1,"figures":{"ev":"-1/3"}}]'
    """
    return msgspec.json.encode(rows, enc_hook=str)


class _StoredResult(VariantResult, frozen=True, kw_only=True):
    """A decoded row whose fractions are still text."""

    figures: dict[str, str | float | None] = msgspec.field(default_factory=dict)  # type: ignore[assignment]


_ROWS: Final = msgspec.json.Decoder(list[_StoredResult])


def decode_rows(data: bytes) -> list[VariantResult]:
    """Decode rows of `encode_rows`.

    >>> decode_rows(b'[{"number":1,"figures":{"ev":"-1/3","standard_deviation":2.5}}]')[0].figures
    {'ev': Fraction(-1, 3), 'standard_deviation': 2.5}
    """
    return [_read(kept) for kept in _ROWS.decode(bounded(data))]


def _read(kept: _StoredResult) -> VariantResult:
    fields = {name: getattr(kept, name) for name in VariantResult.__struct_fields__}
    figures = {name: Fraction(value) if isinstance(value, str) else value for name, value in kept.figures.items()}
    return VariantResult(**fields | {"figures": figures})
