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
        self._files = {out: (holds, width)}
        if raw:
            self._files[out.with_name(out.name + ".seeds")] = ("seeds", SEED_BYTES)
            self._files[out.with_name(out.name + ".stream")] = ("random stream", BLOCK_BYTES)
        self._digests = [hashlib.sha256() for _ in self._files]
        self.paths = tuple(self._files)

    def write(self, shuffles: int) -> Generator[int, None, None]:
        """Write the shuffles, and yield the number in each batch."""
        parts = [path.with_name(path.name + ".part") for path in self._files]
        with ExitStack() as stack:
            for part in parts:
                stack.callback(part.unlink, missing_ok=True)  # unless it is published
            streams_out = [stack.enter_context(part.open("wb")) for part in parts]
            for seeds in self._shipped.seeds(shuffles):
                orders = self._shipped.shuffled(seeds)
                rows = [orders.tobytes() if self._binary else _lines(orders)]
                if len(self._files) > 1:
                    rows += [seeds, streams(seeds, self._shipped.cards).tobytes()]
                for out, digest, content in zip(streams_out, self._digests, rows, strict=True):
                    out.write(content)
                    digest.update(content)
                self._shuffles += len(orders)
                yield len(orders)
            for out in streams_out:
                out.close()
            for part, path in zip(parts, self._files, strict=True):
                part.replace(path)

    def manifest(self) -> Manifest:
        """Return the present content of the files."""
        run_seed = self._shipped.run_seed
        return Manifest(
            cards=self._shipped.cards,
            shuffles=self._shuffles,
            run_seed=run_seed.hex() if run_seed is not None else None,
            deck=format_cards(deck_of(self._shipped.cards)),
            files=tuple(
                ExportedFile(file=str(path), holds=holds, bytes_per_shuffle=width, sha256=digest.hexdigest())
                for (path, (holds, width)), digest in zip(self._files.items(), self._digests, strict=True)
            ),
        )


def _lines(orders: Bytes) -> bytes:
    texts = "".join(f"{card.text} " for card in deck_of(orders.shape[1])).encode()
    table = np.frombuffer(texts, np.uint8).reshape(-1, 3)
    text = table[orders]
    text[:, -1, -1] = ord("\n")
    return text.tobytes()
