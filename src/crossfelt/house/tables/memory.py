"""What a table keeps in mind of what is stored: for who connects again, asks about a round, or bets the same again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from crossfelt.house.tables.recovery import Recovered, RoundIndex
from crossfelt.house.tables.rows import Row
from crossfelt.table import events as e

ROWS_KEPT: Final = 64
"""Rows from which a connection can be resumed."""
ROUND_ENDS: Final = frozenset((e.RoundClosed, e.RoundAbandoned))


class Memory:
    """The last rows of a table, and the rounds that are over."""

    __slots__ = ("_last_wagers", "_recent", "round_rows", "rounds")

    def __init__(self, recovered: Recovered) -> None:
        self.rounds: deque[RoundIndex] = recovered.rounds
        self.round_rows: list[Row] = list(recovered.round_rows)
        """Of the round that is open, or was the last."""
        self._recent: deque[Row] = deque(recovered.round_rows, maxlen=ROWS_KEPT)
        self._last_wagers: dict[tuple[int, str], Mapping[str, int]] = {}

    def keep(self, row: Row) -> RoundIndex | None:
        """One row more; the round, where it ends with it."""
        self._recent.append(row)
        if e.BetsLocked in row.kinds:
            self._last_wagers |= {(seat.number, seat.player): seat.wagers for seat in row.before.seats if seat.wagers}
        if e.RoundOpened in row.kinds:
            self.round_rows.clear()
        self.round_rows.append(row)
        if ROUND_ENDS.isdisjoint(row.kinds):
            return None
        self.rounds.append(RoundIndex.of(self.round_rows))
        return self.rounds[-1]

    def missed(self, after: int, seq: int) -> list[Row] | None:
        """The rows after one up to the last, where all of them are still there; None where they are not."""
        if after > seq:
            return None
        found = [row for row in self._recent if row.seq > after]
        return found if len(found) == seq - after else None

    def last_wagers(self, seat: int, player: str) -> Mapping[str, int]:
        """What a player placed at a seat before the cards of the last round there, as far as it is known."""
        return self._last_wagers.get((seat, player), {})
