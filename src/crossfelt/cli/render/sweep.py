"""Ranking of a sweep: its options, its table, and its output as text, JSON or a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from crossfelt.analysis.sweep.api import Ranking, read_bounds, varying_figures
from crossfelt.analysis.sweep.files import as_csv, as_parquet
from crossfelt.analysis.sweep.grid import ALIASES, SweepGrid, Value, VariantResult, row_data
from crossfelt.cli.options import flag, option, option_problem
from crossfelt.cli.output import data, data_as_json, heading, message, require_writable, write
from crossfelt.errors import BadInput, require_none
from crossfelt.rulebooks.loader import content_hash, from_data
from crossfelt.text_layout import columns

SHARES: Final = ("house_edge", "hit_rate", "return", "long_run", "placed")
"""Figures shown in percent, by the last part of their names."""
LONGEST_VALUE: Final = 24
PERMITTED: Final = "–"


def ranking_lines(asked: SweepGrid, rows: Sequence[VariantResult], figures: Sequence[str]) -> Iterator[str]:
    """Render the ranking, one line for each set of rules."""
    if not rows:
        return
    forbidden = any(row.forbidden for row in rows)
    last = ("forbidden_by",) if forbidden else ()
    head = ("rank", *asked.titles, *(figure.removeprefix("house_edge.") for figure in figures), *last)
    lines = [head]
    for rank, row in enumerate(rows, start=1):
        values = asked.variant(row.number).values
        cells = [_value(values[title]) for title in asked.titles]
        cells += [shown(figure, row.figure(figure)) for figure in figures]
        lines.append((f"{rank:,}", *cells, *((row.forbidden_by or PERMITTED,) if forbidden else ())))
    first, *others = columns(lines, right=range(len(head)))
    yield heading(first)
    yield from others


def _value(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    if isinstance(value, bool):
        text = text.lower()
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def shown(name: str, value: Value) -> str:
    """Format a figure.

    >>> shown("edge", 0.0625), shown("volatility", 4.5), shown("bonus_spin.cycle", 680000.0)
    ('6.2500 %', '4.5000', '680,000')
    """
    if value is None:
        return "–"
    parts = ALIASES.get(name, name).split(".")
    number = float(value)
    if parts[0] in ("house_edge", "decisions") or parts[-1] in SHARES:
        return f"{100 * number:.4f} %"
    if parts[-1] in ("break_even_cents", "average_meter_cents", "cycle"):
        return f"{number:,.0f}"
    return f"{number:.4f}" if abs(number) >= 1 else f"{number:.6f}"


SHOWN: Final = 20
FORMATS: Final = (".json", ".csv", ".parquet")

Where = Annotated[
    list[str] | None,
    option("BOUND", 'Keep only rows inside a bound: "edge between 3% and 5%", "volatility below 6"; repeatable.'),
]
Rank = Annotated[str, option("FIGURE", "Figure to rank by; `crossfelt sweep ID --figures` lists them.")]
Highest = Annotated[bool, flag("--highest", "Rank the highest first; default: the lowest.")]
Show = Annotated[list[str] | None, option("FIGURE", "Show a further figure as a column; repeatable.")]
Top = Annotated[int | None, option("N", f"Show only the first N. Default: {SHOWN} in text, all in files and JSON")]
Permitted = Annotated[bool, flag("--permitted", "Rank only odds that the regulation permits.")]

problem = partial(option_problem, "sweep")


class RankingOptions(NamedTuple):
    """Options of a ranking: order, bounds, columns, length and output."""

    ranking: Ranking
    show: tuple[str, ...]
    top: int | None
    out: Path | None
    force: bool
    as_json: bool

    @property
    def figures(self) -> set[str]:
        """All named figures, by their full names."""
        return self.ranking.figures | {ALIASES.get(name, name) for name in self.show}


def read_wanted(
    where: Sequence[str] | None,
    rank: str,
    highest: bool,
    permitted: bool,
    show: Sequence[str] | None,
    top: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> RankingOptions:
    """Read the options of a ranking; reject unusable ones before the work."""
    problems = []
    if top is not None and top < 1:
        problems.append(problem("--top", "not a number of rows", top, "1 or more"))
    if out is not None and out.suffix not in FORMATS:
        problems.append(problem("--out", "unknown file type", out.suffix or str(out), ", ".join(FORMATS)))
    require_none(problems)
    if out is not None:
        require_writable(out, force=force)
        if out.suffix == ".parquet":
            try:
                import pyarrow  # noqa: F401
            except ImportError as error:
                raise BadInput.missing(error, extra="cluster", where="--out") from None
    bounds = tuple(bound for text in where or () for bound in read_bounds(text))
    ranking = Ranking(by=rank, highest=highest, bounds=bounds, permitted=permitted)
    return RankingOptions(ranking, tuple(show or ()), top, out, force, as_json)


def print_ranking(asked: SweepGrid, wanted: RankingOptions, rows: Sequence[VariantResult], seconds: float) -> None:
    """Print the ranking as text or JSON, and write it to a file."""
    allowed = [row for row in rows if not row.refused]
    ranking = wanted.ranking.resolved(allowed)
    ranked = ranking.of(allowed)
    kept = ranked[: wanted.top or len(ranked)]
    found = {
        **_about(asked),
        "solved": len(allowed),
        "inside_bounds": len(ranked),
        "rank": ranking.by,
        "highest_first": ranking.highest,
        "where": [msgspec.to_builtins(bound, enc_hook=str) for bound in ranking.bounds],
        "permitted_only": ranking.permitted,
        "rows": [row_data(row, asked.variant(row.number).values) for row in kept],
        "refused": [
            {"number": row.number, "values": asked.variant(row.number).values, "why": row.refused}
            for row in rows
            if row.refused
        ],
        "seconds": round(seconds, 3),
    }
    if wanted.out is not None:
        write(wanted.out, _encoded(asked, kept, found, wanted.out.suffix), force=wanted.force)
    if wanted.as_json:
        data_as_json(found)
        return
    listed = ranked[: wanted.top or SHOWN]
    columns = dict.fromkeys([ranking.by, *varying_figures(allowed), *wanted.show])
    data(ranking_lines(asked, listed, list(columns)))
    order = "highest" if ranking.highest else "lowest"
    inside = f"{len(ranked):,} inside the bounds, {order} {ranking.by} first"
    message(f"{len(rows):,} combinations in {seconds:.1f} s; {inside}.")
    if len(listed) < len(ranked):
        message(f"Showing the first {len(listed):,}. --top N shows more; --out FILE writes all.")
    forbidden = [row for row in allowed if row.forbidden]
    if forbidden:
        message(f"{len(forbidden):,} use odds that are not permitted; the first: {forbidden[0].forbidden}")
    if refused := found["refused"]:
        message(f"{len(refused):,} are invalid and were not solved; the first: {refused[0]['why']}")
    if wanted.out is not None:
        message(f"{wanted.out}: written")


def _about(asked: SweepGrid) -> dict[str, Any]:
    book = from_data(asked.rulebook, where="sweep")
    return {
        "rulebook": book.id,
        "version": book.version,
        "rulebook_hash": content_hash(book),
        "varied": {axis.title: list(axis.values) for axis in asked.axes},
        "submissions": {one.name: one.stated for one in asked.submissions if one.name},
        "combinations": asked.count,
    }


def _encoded(asked: SweepGrid, rows: Sequence[VariantResult], found: dict[str, Any], suffix: str) -> bytes:
    if suffix == ".json":
        return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    return as_csv(asked, rows) if suffix == ".csv" else as_parquet(asked, rows)
