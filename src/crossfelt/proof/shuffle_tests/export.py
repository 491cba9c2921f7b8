"""Shuffles in plain files, for a laboratory's own tools.

The outcomes are text, a line for each shuffle with its cards from the top, or bytes, a row for each shuffle
with each card's number in a new deck. With them may go the seeds, a row of 48 bytes for each shuffle, and the
random stream, a row of 136 bytes: what SHAKE-256 made of the seed, of which the shuffle takes as many bytes as
it needs, from the left. Row n of all files belongs to the same shuffle, and nothing but rows is in them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np

from crossfelt.cards import deck_of, format_cards
from crossfelt.cards.shuffle import BLOCK_BYTES, SEED_BYTES
from crossfelt.proof.shuffle_tests.batch_shuffle import Bytes, ShippedShuffles, streams


class ExportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file, and what is in it."""

    file: str
    holds: str
    bytes_per_shuffle: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The exported files."""

    cards: int
    shuffles: int
    run_seed: str | None
    """None when each shuffle had a fresh seed of its own."""
    deck: str
    """A new deck: the first card is number 0."""
    files: tuple[ExportedFile, ...]


class Export:
    """Writes shuffles to `out`; nothing stands there before all of it is written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     file = Path(directory, "shuffles.txt")
    ...     export = Export(file, ShippedShuffles(52, repeatable_seed(7)))
    ...     list(export.write(2)), file.read_text()[:30]
    ([2], '7d 6h 2s 5c Jh Ac 8d Th 2h Ks ')
    """

    def __init__(self, out: Path, shipped: ShippedShuffles, *, binary: bool = False, raw: bool = False) -> None:
        self._shipped = shipped
        self._binary = binary
        self._shuffles = 0
        width = shipped.cards if binary else 3 * shipped.cards
        holds = "outcomes, one byte for each card" if binary else "outcomes, one line for each shuffle"
        self._files = [_File(out, holds, width)]
        if raw:
            self._files.append(_File(out.with_name(out.name + ".seeds"), "seeds", SEED_BYTES))
            self._files.append(_File(out.with_name(out.name + ".stream"), "random stream", BLOCK_BYTES))

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(file.path for file in self._files)

    def write(self, shuffles: int) -> Generator[int, None, None]:
        """Write the shuffles, and yield the number in each batch."""
        with ExitStack() as stack:
            for file in self._files:
                stack.enter_context(file)
            for seeds in self._shipped.seeds(shuffles):
                orders = self._shipped.shuffled(seeds)
                rows = [orders.tobytes() if self._binary else _lines(orders)]
                if len(self._files) > 1:
                    rows += [seeds, streams(seeds, self._shipped.cards).tobytes()]
                for file, content in zip(self._files, rows, strict=True):
                    file.write(content)
                self._shuffles += len(orders)
                yield len(orders)
        for file in self._files:
            file.publish()

    def manifest(self) -> Manifest:
        """Return the present content of the files."""
        run_seed = self._shipped.run_seed
        return Manifest(
            cards=self._shipped.cards,
            shuffles=self._shuffles,
            run_seed=run_seed.hex() if run_seed is not None else None,
            deck=format_cards(deck_of(self._shipped.cards)),
            files=tuple(file.described() for file in self._files),
        )


class _File:
    def __init__(self, path: Path, holds: str, width: int) -> None:
        self.path = path
        self._part = path.with_name(path.name + ".part")
        self._holds = holds
        self._width = width
        self._digest = hashlib.sha256()
        self._stream: BinaryIO | None = None

    def __enter__(self) -> None:
        self._stream = self._part.open("wb")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()
        if kind is not None:
            self._part.unlink(missing_ok=True)

    def write(self, content: bytes) -> None:
        assert self._stream is not None
        self._stream.write(content)
        self._digest.update(content)

    def publish(self) -> None:
        self._part.replace(self.path)

    def described(self) -> ExportedFile:
        return ExportedFile(
            file=str(self.path),
            holds=self._holds,
            bytes_per_shuffle=self._width,
            sha256=self._digest.hexdigest(),
        )


def _lines(orders: Bytes) -> bytes:
    texts = "".join(f"{card.text} " for card in deck_of(orders.shape[1])).encode()
    table = np.frombuffer(texts, np.uint8).reshape(-1, 3)
    text = table[orders]
    text[:, -1, -1] = ord("\n")
    return text.tobytes()
