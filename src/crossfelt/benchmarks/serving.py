"""A house of its own to measure: on the loopback, with data that go when it does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from crossfelt.client.process import HouseProcess


class Serving(NamedTuple):
    """A house that has started."""

    address: str
    owner_password: str
    """Good once, as a house prints it on its first start."""


@contextmanager
def house() -> Iterator[str]:
    """Its address, as soon as it has given its first page."""
    with new_house() as serving:
        yield serving.address


@contextmanager
def new_house() -> Iterator[Serving]:
    """The same, for who comes in as its owner."""
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as data, HouseProcess(Path(data), {}) as process:
        yield Serving(process.address, process.owner_password)
