"""Export of every wager of every round to a Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from crossfelt.analysis.simulation.payoffs import RESULTS, WagerRounds
from crossfelt.analysis.simulation.plan import Block, SimulationPlan
from crossfelt.rulebooks.game import Game

_NAMES = pa.dictionary(pa.int8(), pa.string())
SCHEMA = pa.schema(
    [
        ("round", pa.int64()),
        ("seat", pa.int8()),
        ("wager", _NAMES),
        ("result", _NAMES),
        *((name, pa.int64()) for name in ("stake", "returned", "paid", "commission", "limited")),
    ]
)
"""Columns of the file; money in cents. Each placed wager is a row, and the wagers of a block are contiguous."""


@contextmanager
def raw_file(path: Path, game: Game, plan: SimulationPlan) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes a block; the file gets its name when it is complete."""
    partial = path.with_name(f".{path.name}.partial")
    about = {"rulebook": game.book.id, "game_hash": game.hash, "seed": plan.seed, "unit": "cents"}
    try:
        with parquet.ParquetWriter(partial, SCHEMA.with_metadata(about), compression="zstd") as writer:
            yield writer.write_table
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def as_table(first_round: int, block: Block) -> Any:
    """Convert the wagers of a block to rows; rounds are numbered from 1."""
    parts = [
        _rows(first_round, seat, name, wagered)
        for seat, wagers in enumerate(block.wagers, start=1)
        for name, wagered in wagers.items()
    ]
    return pa.concat_tables(parts).unify_dictionaries()


def _rows(first_round: int, seat: int, name: str, wagered: WagerRounds) -> Any:
    prices, outcomes = wagered.prices, wagered.outcomes
    placed = np.flatnonzero(prices.result.take(outcomes) >= 0)
    cut = np.zeros(len(outcomes), dtype=np.int64)
    np.add.at(cut, wagered.cut_rounds, wagered.cut_cents)
    paid = (wagered.paid - cut)[placed]
    came = outcomes[placed]
    results = pa.DictionaryArray.from_arrays(prices.result.take(came), list(RESULTS))
    wager = pa.DictionaryArray.from_arrays(np.zeros(len(placed), dtype=np.int8), [name])
    columns = [placed + first_round + 1, np.full(len(placed), seat, dtype=np.int8), wager, results]
    columns += [prices.stake.take(came), prices.returned.take(came), paid]
    columns += [prices.commission.take(came), cut[placed]]
    return pa.table(columns, schema=SCHEMA)
