"""The house that a command is about, where it is not running there itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crossfelt.house.store.port import StoreError
from crossfelt.problems import BadInput, Problem


@contextmanager
def answering(data: Path, database: str | None) -> Iterator[None]:
    """What a store that is asked does not answer, in one line."""
    try:
        yield
    except StoreError as error:
        where, what = str(data) if database is None else "database", " ".join(str(error).split())
        raise BadInput(Problem(code="store.unreadable", what=what, where=where)) from None
