"""The house that a command is about: where it is kept, and what its store does not answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.house.config import read_config
from crossfelt.house.store.port import StoreError
from crossfelt.problems import BadInput, Problem

Data = Annotated[
    str | None, typer.Option("--data", metavar="DIR", help="Where the house keeps everything: ./crossfelt-data.")
]
Database = Annotated[
    str | None, typer.Option("--database", metavar="URL", help="A PostgreSQL database instead: postgresql://…")
]
Settings = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings as TOML; also crossfelt.toml in DIR.")
]


def place_of(data: str | None, database: str | None, config: Path | None) -> tuple[Path, str | None]:
    """The data directory and the database of a house, as `crossfelt serve` would find them."""
    settings = read_config({"data": data, "database": database}, config)
    return Path(settings.data), settings.database or None


@contextmanager
def answering(data: Path, database: str | None) -> Iterator[None]:
    """What a store that is asked does not answer, in one line."""
    try:
        yield
    except StoreError as error:
        where, what = str(data) if database is None else "database", " ".join(str(error).split())
        raise BadInput(Problem(code="store.unreadable", what=what, where=where)) from None
