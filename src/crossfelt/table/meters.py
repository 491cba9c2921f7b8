"""Meters in memory, for tables that have no house: what the tables say they hear, what they claim they answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from crossfelt.problems import BadInput, Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import deciding
from crossfelt.progressive import events as m
from crossfelt.progressive.meter import Meter
from crossfelt.progressive.wheels import live_meters
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.state import Table

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
            opening = self._opening(game, meter, (amounts_cents or {}).get(meter))
            self.meters[meter], self.events[meter] = Meter(), []
            self._give(meter, opening)

    def _opening(self, game: Game, meter: str, cents: int | None) -> c.OpenMeter:
        path = f"meters.{meter}"
        parameters = m.Parameters(
            reset_cents=game.whole(f"{path}.reset_cents"),
            rate_per_million=game.whole(f"{path}.rate_per_million"),
        )
        return c.OpenMeter(
            id=self._next_id(),
            who=HOUSE,
            at=0,
            meter=meter,
            title=next(rule.title for rule in game.book.meters if rule.id == meter),
            initial_cents=game.whole(f"{path}.initial_cents") if cents is None else cents,
            parameters=parameters,
        )

    @property
    def amounts(self) -> dict[str, int]:
        """What each meter shows, in whole cents."""
        return {name: meter.amount_cents for name, meter in self.meters.items()}

    def hear(self, table: Table, events: Iterable[e.Event], name: str = "table") -> Iterator[dict[str, Any]]:
        """Takes note of what happened at a table; gives the fields of a `GrantAward` for each claim."""
        for event in events:
            match event:
                case e.ContributionMade():
                    told = {"table": name, "round": table.round, "stake_cents": event.stake_cents}
                    self._give(event.meter, self._command(c.Contribute, name, event, micros=event.micros, **told))
                case e.ContributionReversed():
                    command = self._command(c.ReverseContribution, name, event, table=name, round=table.round)
                    self._give(event.meter, command)
                case e.AwardClaimed():
                    yield self._grant(table, event, name)

    def _grant(self, table: Table, event: e.AwardClaimed, name: str) -> dict[str, Any]:
        command = self._command(
            c.Claim,
            name,
            event,
            table=name,
            round=table.round,
            claim=event.claim,
            percent=event.percent,
            cents=event.cents,
            winners=event.winners,
            method=event.method,
            at_most_cents=event.at_most_cents,
        )
        (award,) = self._give(event.meter, command)
        assert isinstance(award, m.AwardGranted)
        return {
            "claim": award.claim,
            "number": award.number,
            "shares": award.shares,
            "before_micros": award.before_micros,
            "after_micros": award.after_micros,
            "seeded_micros": award.seeded_micros,
            "odd_cents": award.odd_cents,
            "odd_cents_to": award.odd_cents_to,
        }

    def _give(self, meter: str, command: c.MeterCommand) -> tuple[m.MeterEvent, ...]:
        """A refusal means that what was asked for cannot be: an amount no meter can have, or a fault here."""
        answer = deciding.run(self.meters[meter], command)
        if isinstance(answer, Problem):
            raise BadInput(answer)
        happened, self.meters[meter] = answer
        self.events[meter] += happened
        return happened

    def _command(self, kind: type[c.MeterCommand], who: str, event: e.Event, **fields: Any) -> c.MeterCommand:
        return kind(id=self._next_id(), who=who, at=event.at, **fields)

    def _next_id(self) -> str:
        self._given += 1
        return f"meters-{self._given}"
