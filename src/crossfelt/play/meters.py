"""Meters in memory, for tables without a server: they receive contributions and answer claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self

from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput, Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import events as m
from crossfelt.progressive import handler
from crossfelt.progressive.meter import Meter
from crossfelt.progressive.wheels import live_meters
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.acts.betting import stake_range
from crossfelt.table.state import TableState, new_table

HOUSE = "house"


class Meters:
    """The open meters of a game. Several tables may share them, each under its own name.

    >>> Meters(compile_game("nj-criss-cross")).amounts
    {'bonus_spin': 1000000}
    """

    def __init__(self, game: Game, amounts_cents: Mapping[str, int] | None = None) -> None:
        """Open each meter with its initial amount, or with the given amount."""
        self.meters: dict[str, Meter] = {}
        self.events: dict[str, list[m.MeterEvent]] = {}
        self._given = 0
        for meter in live_meters(game):
            self.meters[meter], self.events[meter] = Meter(), []
            self._give(meter, open_meter_command(game, meter, self._next_id(), cents=(amounts_cents or {}).get(meter)))

    @classmethod
    def standing(cls, game: Game, pools_micros: Mapping[str, int]) -> Self:
        """Return meters that stand at the given millionths of a cent.

        >>> Meters.standing(compile_game("nj-criss-cross"), {"bonus_spin": 1_000_007_500_000}).amounts
        {'bonus_spin': 1000007}
        """
        made = cls(game)
        for meter, micros in pools_micros.items():
            made.meters[meter] = replace(made.meters[meter], pool_micros=micros, initial_micros=micros)
        return made

    @property
    def amounts(self) -> dict[str, int]:
        """The amount that each meter shows, in whole cents."""
        return {name: meter.amount_cents for name, meter in self.meters.items()}

    def receive(self, table: TableState, events: Iterable[e.Event], name: str = "table") -> Iterator[dict[str, Any]]:
        """Receive the events of a table; yield the fields of a `GrantAward` for each claim."""
        for event in events:
            if (addressed := meter_command_for(event, name, table.round, self._next_id())) is not None:
                answers = self._give(*addressed)
                yield from (grant_fields(answer) for answer in answers if isinstance(answer, m.AwardGranted))

    def _give(self, meter: str, command: c.MeterCommand) -> tuple[m.MeterEvent, ...]:
        """Run a command. The meter refuses only an impossible amount, or a fault of this module."""
        answer = handler.handle(self.meters[meter], command)
        if isinstance(answer, Problem):
            raise BadInput(answer)
        happened, self.meters[meter] = answer
        self.events[meter] += happened
        return happened

    def _next_id(self) -> str:
        self._given += 1
        return f"meters-{self._given}"


def open_meter_command(
    game: Game, meter: str, command_id: str, *, at: int = 0, cents: int | None = None
) -> c.OpenMeter:
    """Return the command that opens a meter of a game, with `cents`, or with its initial amount and not less than its
    reset amount.
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
        title=game.meter(meter).title,
        initial_cents=max(game.whole(f"{path}.initial_cents"), parameters.reset_cents) if cents is None else cents,
        parameters=parameters,
    )


def largest_contribution(game: Game, meter: str) -> int:
    """Return the largest contribution of a round to a meter, in millionths of a cent: every seat stakes its maximum."""
    table = new_table(game)
    stakes = sum(stake_range(table, game.wager(wager)).max for wager in live_meters(game)[meter])
    return len(table.seats) * stakes * game.whole(f"meters.{meter}.rate_per_million")


METER_COMMANDS: Final[Mapping[type[e.Event], type[c.MeterCommand]]] = {
    e.ContributionMade: c.Contribute,
    e.ContributionReversed: c.ReverseContribution,
    e.AwardClaimed: c.Claim,
}
"""What the events of a table that concern a meter ask of it."""
METER_EVENTS: Final = frozenset(METER_COMMANDS)


def meter_command_for(event: e.Event, table: str, number: int, command_id: str) -> tuple[str, c.MeterCommand] | None:
    """Return the meter and the command that an event of a table means; None where it means none."""
    if not isinstance(event, e.ContributionMade | e.ContributionReversed | e.AwardClaimed):
        return None
    kind = METER_COMMANDS[type(event)]
    fields = shared_fields(event, kind) | {"id": command_id, "who": table, "table": table, "round": number}
    return event.meter, kind(**fields)


def grant_fields(award: m.AwardGranted) -> dict[str, Any]:
    """Return the fields of the `GrantAward` that brings an award to its table."""
    names = (
        *("claim", "number", "shares", "before_micros", "after_micros"),
        *("seeded_micros", "reset_cents", "from_inventory", "odd_cents", "odd_cents_to"),
    )
    return {name: getattr(award, name) for name in names}
