"""The results of a run as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from benchmarks.timing import Result
from crossfelt.text_layout import columns

HEAD = ("benchmark", "unit", "figure", "times the fastest peer", "goal")


def lines(machine: Mapping[str, str], results: Sequence[Result]) -> Iterator[str]:
    """Yield the machine, then a row for each contender."""
    yield from columns(list(machine.items()))
    yield ""
    rows: list[tuple[str, ...]] = [HEAD]
    for result in results:
        rows += _rows(result)
    yield from columns(rows, right=[2, 3])
    notes = dict.fromkeys(f"{result.name}: {result.note}" for result in results if result.note)
    skipped = dict.fromkeys(f"not run: {line}" for result in results for line in result.skipped)
    if notes or skipped:
        yield ""
    yield from (*notes, *skipped)


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    alone = len(result.figures) == 1
    if len(result.figures) > 1:
        yield result.name, "", "", "", ""
    for place, figure in enumerate(result.figures):
        ratio = result.ratio(figure)
        name = result.name if alone else f"  {figure.who}"
        times = "" if ratio is None else f"{ratio:,.2f}"
        yield name, result.unit, amount(figure.value), times, "" if place else _goal(result)


def amount(value: float) -> str:
    """Return three digits of a small number, all of a large one.

    >>> amount(0.012345), amount(12.345), amount(123456.7)
    ('0.0123', '12.3', '123,457')
    """
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def _goal(result: Result) -> str:
    if result.goal_ratio is not None:
        wanted = f"≥ {result.goal_ratio:g} times"
    elif result.goal_value is not None:
        wanted = f"{'≥' if result.more_is_better else '≤'} {result.goal_value:,g}"
    else:
        return ""
    verdict = {True: "met", False: "missed", None: "no peer"}[result.goal_met]
    return f"{wanted}: {verdict}"


def as_json(machine: Mapping[str, str], results: Sequence[Result], repeats: int) -> bytes:
    """Return everything as JSON, with the ratios."""
    data = {"machine": machine, "repeats": repeats, "results": [_plain(result) for result in results]}
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"


def _plain(result: Result) -> dict[str, Any]:
    ratios = {figure.who: result.ratio(figure) for figure in result.figures}
    return {**msgspec.to_builtins(result), "ratios": ratios, "goal_met": result.goal_met}
