"""The replay of a table's stream, and of one closed round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy, deepcopy
from typing import NamedTuple

import msgspec

from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput
from crossfelt.proof.history import Header
from crossfelt.proof.resettle import Data, Resettlement
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, new_table

Ended = e.RoundClosed | e.RoundAbandoned
_ASTRAY = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError)
"""The errors that altered rows can cause."""


class ReplayedEvent(NamedTuple):
    """One event of a round."""

    seq: int
    """The row of the event."""
    number: int
    """The number of the event in its row, from 1."""
    event: e.Event
    before: TableState
    after: TableState
    complaints: tuple[str, ...]
    """The faults that the second settlement finds."""
    due: Data
    """The second settlement's result for a wager, where it has one."""


class StreamReplay:
    """A point in a table's stream: the table there, and the second settlement beside it."""

    def __init__(self, header: Header) -> None:
        self.game = header.compile()
        self.table = new_table(self.game)
        self.seq = 0
        self._data = header.game
        self._again = Resettlement(header.game)
        self.unsettled = self._again.unsettled
        """The figures that the second settlement does not work out."""

    def copy(self) -> StreamReplay:
        """Return a copy of the same point; the game itself is shared."""
        other = copy(self)
        other._again = deepcopy(self._again, {id(self._data): self._data})
        return other

    def follow(self, seq: int, events: Iterable[e.Event]) -> list[ReplayedEvent]:
        """Follow the events of a row."""
        steps = []
        for number, event in enumerate(events, start=1):
            before = self.table
            self.table = evolve(before, event)
            complaints = tuple(self._again.see(msgspec.to_builtins(event, enc_hook=enc_hook)))
            steps.append(ReplayedEvent(seq, number, event, before, self.table, complaints, self._again.due))
        self.seq = seq
        return steps


class ReplayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over."""

    round: int
    steps: tuple[ReplayedEvent, ...]
    unsettled: tuple[str, ...]
    """The figures that the second settlement did not work out."""
    broken: str = ""
    """The reason why the rows could not be followed to the end, if any."""

    @property
    def game(self) -> Game:
        return self.steps[0].after.game

    @property
    def first(self) -> int:
        return self.steps[0].seq

    @property
    def last(self) -> int:
        return self.steps[-1].seq

    @property
    def outcome(self) -> str:
        """``settled``, ``void`` or ``abandoned``; ``broken`` where the rows cannot be read to the end."""
        ended = round_ended(self.events)
        if ended is None:
            return "broken"
        return ended.outcome if isinstance(ended, e.RoundClosed) else "abandoned"

    @property
    def events(self) -> list[e.Event]:
        return [step.event for step in self.steps]

    @property
    def players(self) -> dict[int, str]:
        """Return the players by seat, those included who left before the round was over."""
        found: dict[int, str] = {}
        wagered: set[int] = set()
        for step in self.steps:
            for seat in step.before.seats:
                if seat.player and seat.number not in wagered:
                    found[seat.number] = seat.player
                    wagered.update([seat.number] if seat.placed else [])
        return dict(sorted(found.items()))


def round_opened(events: Iterable[e.Event]) -> int | None:
    """Return the number of the round that these events open."""
    return next((event.round for event in events if isinstance(event, e.RoundOpened)), None)


def round_ended(events: Iterable[e.Event]) -> Ended | None:
    """Return the event that ended a round, if it is among these."""
    return next((event for event in events if isinstance(event, Ended)), None)


def replay_round(
    standing: StreamReplay, number: int, rows: Iterable[tuple[int, Sequence[e.Event]]]
) -> ReplayedRound | None:
    """Follow rows until a round is over; return None where they do not contain its end.

    Altered rows can cause any error: it is recorded, and the round ends there.
    """
    steps: list[ReplayedEvent] = []
    inside, broken = False, ""
    try:
        for seq, events in rows:
            inside = inside or round_opened(events) == number
            followed = standing.follow(seq, events)
            if not inside:
                continue
            steps += followed
            if round_ended(events) is not None:
                break
        else:
            return None
    except BadInput as bad:
        broken = str(bad.problems[0])
    except _ASTRAY as error:
        broken = f"row {standing.seq + 1} does not follow from the rows before it: {type(error).__name__}"
    if not steps:
        raise BadInput.at("round", "round.broken", broken, number)
    return ReplayedRound(round=number, steps=tuple(steps), unsettled=standing.unsettled, broken=broken)
