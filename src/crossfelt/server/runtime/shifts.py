"""The gaming day of the house: where it begins, and its shifts."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec


class Shift(NamedTuple):
    """A shift of one day. Times are in milliseconds; `until` is not part of it."""

    title: str
    since: int
    until: int


class Shifts(msgspec.Struct, frozen=True, kw_only=True):
    """The time zone of the house, and the times at which shifts begin. The day begins with the first of them."""

    zone: str = "UTC"
    starts: tuple[str, ...] = ("06:00", "14:00", "22:00")

    def of_day(self, day: date) -> list[Shift]:
        """Return the shifts of a day.

        >>> [shift.title for shift in Shifts().of_day(date(2026, 11, 18))]
        ['06:00 to 14:00', '14:00 to 22:00', '22:00 to 06:00']
        """
        at = [self._at(day, start) for start in self.starts] + [self._at(day + timedelta(days=1), self.starts[0])]
        names = (*self.starts, self.starts[0])
        return [
            Shift(f"{names[number]} to {names[number + 1]}", since, until)
            for number, (since, until) in enumerate(pairwise(at))
        ]

    def day_of(self, at: int) -> date:
        day = datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone)).date()
        return day if at >= self._at(day, self.starts[0]) else day - timedelta(days=1)

    def _at(self, day: date, clock: str) -> int:
        return int(datetime.combine(day, time.fromisoformat(clock), ZoneInfo(self.zone)).timestamp() * 1000)
