"""Meters in memory, for tables that have no house: what the tables say they hear, what they claim they answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self

from msgspec.structs import replace

from crossfelt.problems import BadInput, Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import deciding
from crossfelt.progressive import events as m
from crossfelt.progressive.meter import Meter
from crossfelt.progressive.wheels import live_meters
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.acts_betting import stake_range
from crossfelt.table.state import Table, new_table

HOUSE = "house"


class Meters:
    """The meters of one game, open. Several tables may be linked to them; each is known by a name.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> Meters(compile_game("nj-criss-cross")).amounts
    {'bonus_spin': 1000000}
    """

    def __init__(self, game: Game, amounts_cents: Mapping[str, int] | None = None) -> None:
        """Each meter opens with its initial amount, or with the one given."""
        self.meters: dict[str, Meter] = {}
        self.events: dict[str, list[m.MeterEvent]] = {}
        self._given = 0
        for meter in live_meters(game):
            self.meters[meter], self.events[meter] = Meter(), []
            self._give(meter, opening(game, meter, self._next_id(), cents=(amounts_cents or {}).get(meter)))

    @classmethod
    def standing(cls, game: Game, pools_micros: Mapping[str, int]) -> Self:
        """Meters that stand at so many millionths of a cent.

        >>> from crossfelt.rulebooks.game import compile_game
        >>> Meters.standing(compile_game("nj-criss-cross"), {"bonus_spin": 7_500_000}).amounts
        {'bonus_spin': 7}
        """
        made = cls(game)
        for meter, micros in pools_micros.items():
            made.meters[meter] = replace(made.meters[meter], pool_micros=micros, initial_micros=micros)
        return made

    @property
    def amounts(self) -> dict[str, int]:
        """What each meter shows, in whole cents."""
        return {name: meter.amount_cents for name, meter in self.meters.items()}

    def hear(self, table: Table, events: Iterable[e.Event], name: str = "table") -> Iterator[dict[str, Any]]:
        """Takes note of what happened at a table; gives the fields of a `GrantAward` for each claim."""
        for event in events:
            told = told_by(event, name, table.round, f"meters-{self._given + 1}")
            if told is None:
                continue
            meter, command = told
            self._given += 1
            for answer in self._give(meter, command):
                if isinstance(answer, m.AwardGranted):
                    yield grant(answer)

    def _give(self, meter: str, command: c.MeterCommand) -> tuple[m.MeterEvent, ...]:
        """A refusal means that what was asked for cannot be: an amount no meter can have, or a fault here."""
        answer = deciding.run(self.meters[meter], command)
        if isinstance(answer, Problem):
            raise BadInput(answer)
        happened, self.meters[meter] = answer
        self.events[meter] += happened
        return happened

    def _next_id(self) -> str:
        self._given += 1
        return f"meters-{self._given}"


def opening(game: Game, meter: str, command_id: str, *, at: int = 0, cents: int | None = None) -> c.OpenMeter:
    """The command that opens a meter of a game, with its initial amount or with the one given.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> opening(compile_game("nj-criss-cross"), "bonus_spin", "1").initial_cents
    1000000
    """
    path = f"meters.{meter}"
    parameters = m.Parameters(
        reset_cents=game.whole(f"{path}.reset_cents"),
        rate_per_million=game.whole(f"{path}.rate_per_million"),
        limit_cents=game.stated_whole(f"{path}.limit_cents"),
    )
    return c.OpenMeter(
        id=command_id,
        who=HOUSE,
        at=at,
        meter=meter,
        title=next(rule.title for rule in game.book.meters if rule.id == meter),
        initial_cents=game.whole(f"{path}.initial_cents") if cents is None else cents,
        parameters=parameters,
    )


def most_fed(game: Game, meter: str) -> int:
    """The most that one round can add to a meter, in millionths of a cent: every seat stakes all it may.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> most_fed(compile_game("nj-criss-cross"), "bonus_spin") == 6 * 500 * 70_000
    True
    """
    table = new_table(game)
    stakes = sum(stake_range(table, game.wager(wager)).max for wager in live_meters(game)[meter])
    return len(table.seats) * stakes * game.whole(f"meters.{meter}.rate_per_million")


SPEAKING: Final = frozenset((e.ContributionMade, e.ContributionReversed, e.AwardClaimed))
"""Events of a table that say something to a meter."""


def told_by(event: e.Event, table: str, number: int, command_id: str) -> tuple[str, c.MeterCommand] | None:
    """What an event of a table says to a meter: which meter, and the command; None where it says nothing."""
    match event:
        case e.ContributionMade():
            kind: type[c.MeterCommand] = c.Contribute
            fields: dict[str, Any] = {"stake_cents": event.stake_cents, "micros": event.micros}
        case e.ContributionReversed():
            kind, fields = c.ReverseContribution, {}
        case e.AwardClaimed():
            names = ("claim", "percent", "cents", "winners", "method", "at_most_cents")
            kind, fields = c.Claim, {name: getattr(event, name) for name in names}
        case _:
            return None
    return event.meter, kind(id=command_id, who=table, at=event.at, table=table, round=number, **fields)  # type: ignore[call-arg]


def grant(award: m.AwardGranted) -> dict[str, Any]:
    """The fields of the `GrantAward` that tells a table of its award."""
    names = (
        *("claim", "number", "shares", "before_micros", "after_micros"),
        *("seeded_micros", "odd_cents", "odd_cents_to"),
    )
    return {name: getattr(award, name) for name in names}
