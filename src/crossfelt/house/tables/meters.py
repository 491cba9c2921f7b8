"""Meters of the house: each has a stream of its own, which tables that are linked to it write to in their commits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt import __version__
from crossfelt.house.store.port import NOTHING, Stored, Transaction, new_row
from crossfelt.problems import BadInput, Problem
from crossfelt.progressive import deciding
from crossfelt.progressive import events as m
from crossfelt.progressive.commands import AnyMeterCommand, MeterCommand
from crossfelt.progressive.meter import Meter, evolve
from crossfelt.progressive.wheels import live_meters
from crossfelt.rulebooks.game import Game
from crossfelt.table.events import Event
from crossfelt.table.meters import grant, opening, told_by

HEADER: Final = 0


class MeterHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a meter's stream."""

    crossfelt: str
    meter: str


class MeterRow(msgspec.Struct, frozen=True):
    """A row of a meter's stream as it is written."""

    command: AnyMeterCommand
    events: tuple[m.AnyMeterEvent, ...]
    hash: str
    previous: str
    seq: int


class Standing(NamedTuple):
    """A meter, and the last row that made it what it is."""

    seq: int = NOTHING
    meter: Meter = Meter()


_ROW: Final = msgspec.json.Decoder(MeterRow)


def meter_stream(link: str, meter: str) -> str:
    """The stream of a meter; tables of one link share it."""
    return f"meter/{link}/{meter}"


def follow(standing: Standing, rows: Iterable[Stored]) -> Standing:
    """The meter after further rows of its stream."""
    seq, meter = standing
    for row in rows:
        if row.seq != HEADER:
            for event in _ROW.decode(row.body).events:
                meter = evolve(meter, event)
        seq = row.seq
    return Standing(seq, meter)


class LinkedMeters:
    """The meters one table is linked to, as they were last seen; what is decided is decided on what is stored."""

    def __init__(self, game: Game, link: str, table: str, seen: dict[str, Standing]) -> None:
        """`seen` is shared by the tables of a process."""
        self._streams = {meter: meter_stream(link, meter) for meter in live_meters(game)}
        self._game = game
        self._table = table
        self._seen = seen

    @property
    def streams(self) -> tuple[str, ...]:
        return tuple(self._streams.values())

    @property
    def amounts(self) -> Mapping[str, dict[str, Any]]:
        """What each meter shows."""
        standings = {meter: self._seen.get(stream, Standing()) for meter, stream in self._streams.items()}
        return {
            meter: {"amount_cents": standing.meter.amount_cents, "title": standing.meter.title}
            for meter, standing in standings.items()
        }

    def saw(self, standings: Mapping[str, Standing]) -> None:
        """What a commit has made of the meters."""
        for stream, standing in standings.items():
            if standing.seq > self._seen.get(stream, Standing()).seq:
                self._seen[stream] = standing

    def open(self, tx: Transaction, at: int) -> dict[str, Standing]:
        """Opens those that no table has opened before."""
        return {stream: self._opened(tx, meter, stream, at) for meter, stream in self._streams.items()}

    def _opened(self, tx: Transaction, meter: str, stream: str, at: int) -> Standing:
        standing = self._current(tx, stream)
        if standing.seq != NOTHING:
            return standing
        tx.open(stream, MeterHeader(crossfelt=__version__, meter=stream), at)
        command = opening(self._game, meter, "open", at=at)
        return self._give(tx, stream, Standing(HEADER), command)[1]

    def hear(
        self, tx: Transaction, events: Iterable[Event], seq: int, number: int
    ) -> tuple[list[dict[str, Any]], dict[str, Standing]]:
        """What a row of the table says to its meters, written into their streams; the fields of each grant, and what
        became of the meters."""
        grants: list[dict[str, Any]] = []
        standings: dict[str, Standing] = {}
        for place, event in enumerate(events):
            told = told_by(event, self._table, number, lambda place=place: f"{self._table}/{seq}/{place}")  # type: ignore[misc]
            if told is None:
                continue
            meter, command = told
            stream = self._streams[meter]
            answers, standings[stream] = self._give(
                tx, stream, standings.get(stream) or self._current(tx, stream), command
            )
            grants += [grant(answer) for answer in answers if isinstance(answer, m.AwardGranted)]
        return grants, standings

    def _current(self, tx: Transaction, stream: str) -> Standing:
        known = self._seen.get(stream, Standing())
        head = tx.head(stream)
        return known if head.seq == known.seq else follow(known, tx.rows(stream, after=known.seq))

    @staticmethod
    def _give(
        tx: Transaction, stream: str, standing: Standing, command: MeterCommand
    ) -> tuple[tuple[m.MeterEvent, ...], Standing]:
        answer = deciding.run(standing.meter, command)
        if isinstance(answer, Problem):
            raise BadInput(answer)
        happened, meter = answer
        stored = tx.append(stream, new_row(command, happened))
        return happened, Standing(stored.seq, meter)
