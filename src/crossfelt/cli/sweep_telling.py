"""How the answer to a sweep is asked for and told: ranked, bounded, as text, JSON or a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import msgspec
import typer

from crossfelt.cli.asking import option_problem
from crossfelt.cli.output import data, data_as_json, message
from crossfelt.cli.writing import require_writable, write
from crossfelt.problems import BadInput

if TYPE_CHECKING:
    from crossfelt.analysis.sweeping.asked import Asked
    from crossfelt.analysis.sweeping.row import Row
    from crossfelt.analysis.sweeping.sweeping import Ranking

SHOWN: Final = 20
FORMATS: Final = (".json", ".csv", ".parquet")

Where = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="BOUND", help='What is wanted: "edge between 3% and 5%", "volatility below 6".'),
]
Rank = Annotated[str, typer.Option("--rank", metavar="FIGURE", help="Rank by this figure; see --figures.")]
Highest = Annotated[bool, typer.Option("--highest", help="Highest first, not lowest.")]
Show = Annotated[list[str] | None, typer.Option("--show", metavar="FIGURE", help="A further column; repeatable.")]
Top = Annotated[
    int | None, typer.Option("--top", metavar="N", help=f"Only the first so many; as text {SHOWN} unless told.")
]
Permitted = Annotated[bool, typer.Option("--permitted", help="Only odds that the regulation permits.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]

problem = partial(option_problem, "sweep")


class Wanted(NamedTuple):
    """What is to be told of a sweep, and where."""

    ranking: Ranking
    show: tuple[str, ...]
    top: int | None
    out: Path | None
    force: bool
    as_json: bool

    @property
    def figures(self) -> set[str]:
        """All figures that are named, by their full names."""
        from crossfelt.analysis.sweeping.row import ALIASES

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
) -> Wanted:
    """What is wanted, with everything that can be wrong about it before the work."""
    from crossfelt.analysis.sweeping.bounds import read_bounds
    from crossfelt.analysis.sweeping.sweeping import Ranking

    problems = []
    if top is not None and top < 1:
        problems.append(problem("--top", "nothing would be told", top, "1 or more"))
    if out is not None and out.suffix not in FORMATS:
        problems.append(problem("--out", "no such format", out.suffix or str(out), ", ".join(FORMATS)))
    if problems:
        raise BadInput(*problems)
    if out is not None:
        require_writable(out, force=force)
        if out.suffix == ".parquet":
            _require_parquet()
    bounds = tuple(bound for text in where or () for bound in read_bounds(text))
    ranking = Ranking(by=rank, highest=highest, bounds=bounds, permitted=permitted)
    return Wanted(ranking, tuple(show or ()), top, out, force, as_json)


def _require_parquet() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise BadInput.missing(error, extra="cluster", where="--out") from None


def tell(asked: Asked, wanted: Wanted, rows: Sequence[Row], seconds: float) -> None:
    """The ranking as text or JSON, and in a file."""
    from crossfelt.analysis.sweeping.sweeping import telling
    from crossfelt.cli.sweep_text import ranking_lines

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
        "rows": _rows(asked, kept),
        "refused": _refused(asked, rows),
        "seconds": round(seconds, 3),
    }
    if wanted.out is not None:
        write(wanted.out, _encoded(asked, kept, found, wanted.out.suffix), force=wanted.force)
    if wanted.as_json:
        data_as_json(found)
        return
    listed = ranked[: wanted.top or SHOWN]
    columns = dict.fromkeys([ranking.by, *telling(allowed), *wanted.show])
    data(ranking_lines(asked, listed, list(columns)))
    order = "highest" if ranking.highest else "lowest"
    inside = f"{len(ranked):,} inside the bounds, {order} {ranking.by} first"
    message(f"{len(rows):,} combinations in {seconds:.1f} s; {inside}")
    if len(listed) < len(ranked):
        message(f"shown: the first {len(listed):,}; --top N shows others, --out FILE has all")
    forbidden = [row for row in allowed if row.forbidden]
    if forbidden:
        message(f"at odds that are not permitted: {len(forbidden):,}; the first: {forbidden[0].forbidden}")
    if refused := found["refused"]:
        message(f"not allowed, and not solved: {len(refused):,}; the first: {refused[0]['why']}")
    if wanted.out is not None:
        message(f"{wanted.out}: written")


def _about(asked: Asked) -> dict[str, Any]:
    """What was asked, as JSON has it."""
    from crossfelt.rulebooks.loading import content_hash, from_data

    book = from_data(asked.rulebook, where="sweep")
    return {
        "rulebook": book.id,
        "version": book.version,
        "rulebook_hash": content_hash(book),
        "varied": {axis.title: list(axis.values) for axis in asked.axes},
        "submissions": {one.name: one.stated for one in asked.submissions if one.name},
        "combinations": asked.count,
    }


def _rows(asked: Asked, rows: Sequence[Row]) -> list[dict[str, Any]]:
    from crossfelt.analysis.sweeping.row import row_data

    return [row_data(row, asked.variant(row.number).values) for row in rows]


def _refused(asked: Asked, rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [
        {"number": row.number, "values": asked.variant(row.number).values, "why": row.refused}
        for row in rows
        if row.refused
    ]


def _encoded(asked: Asked, rows: Sequence[Row], found: dict[str, Any], suffix: str) -> bytes:
    from crossfelt.analysis.sweeping.tables import as_csv, as_parquet

    if suffix == ".json":
        return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
    return as_csv(asked, rows) if suffix == ".csv" else as_parquet(asked, rows)
