"""The state of a meter, in millionths of a cent so that no rate is rounded; the ledger moves whole cents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.progressive import events as e

MICROS: Final = 1_000_000
"""Millionths in a cent. A stake in cents times a rate in millionths is a contribution in this unit."""


def in_cents(micros: int) -> int:
    """Return the whole cents of an amount, rounded down."""
    return micros // MICROS


def posted(residue_micros: int, micros: int) -> tuple[int, int]:
    """Return the whole cents that a ledger moves for a contribution or its reversal, and the residue for the next.

    >>> posted(900_000, 7_350_000), posted(250_000, -7_350_000)
    ((8, 250000), (-8, 900000))
    """
    return divmod(residue_micros + micros, MICROS)


# --- the state of a meter ---------------------------------------------------------------------------------------------


class Unreconciled(AssertionError):
    """A meter does not match its events: the software has a bug, and nothing may be committed."""


class Fed(msgspec.Struct, frozen=True):
    """One table's last contribution."""

    round: int
    micros: int
    reversed: bool = False


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state of a meter, in millionths of a cent."""

    id: str = ""
    """Empty until the meter is opened."""
    title: str = ""
    parameters: e.Parameters = e.Parameters(reset_cents=0, rate_per_million=0)
    pool_micros: int = 0
    initial_micros: int = 0
    contributed_micros: int = 0
    reversed_micros: int = 0
    seeded_micros: int = 0
    """The house's later deposits: reset amounts, and amounts that bring the pool back to the reset amount."""
    paid_micros: int = 0
    corrected_micros: int = 0
    awards: int = 0
    """The number of awards granted."""
    hits: int = 0
    """The number of full awards."""
    wins: int = 0
    """The number of winners paid."""
    retired: bool = False
    """True once two people have ended the meter: it holds nothing and takes nothing."""
    fed: Mapping[str, Fed] = msgspec.field(default_factory=dict)
    """The last contribution of each table."""
    answered: Mapping[str, int] = msgspec.field(default_factory=dict)
    """The last granted claim of each table."""

    @property
    def amount_micros(self) -> int:
        """The displayed amount: the pool up to the limit."""
        limit = self.parameters.limit_cents
        return self.pool_micros if limit is None else min(self.pool_micros, limit * MICROS)

    @property
    def overflow_micros(self) -> int:
        return self.pool_micros - self.amount_micros

    @property
    def floor_micros(self) -> int:
        """The reset amount, below which the pool never stands (AMB-23)."""
        return 0 if self.retired else self.parameters.reset_cents * MICROS

    @property
    def amount_cents(self) -> int:
        """The displayed amount, in whole cents."""
        return in_cents(self.amount_micros)


def check(meter: Meter) -> None:
    """Check that the pool is the deposits less the payments, and not below the reset amount."""
    counted = meter.initial_micros + meter.contributed_micros - meter.reversed_micros
    counted += meter.seeded_micros - meter.paid_micros + meter.corrected_micros
    if counted != meter.pool_micros:
        raise Unreconciled(f"meter {meter.id} holds {meter.pool_micros} millionths, but its events sum to {counted}")
    if meter.pool_micros < meter.floor_micros:
        raise Unreconciled(f"meter {meter.id} would stand at {meter.pool_micros} millionths, below its reset amount")


def evolve(meter: Meter, event: e.MeterEvent) -> Meter:
    """Return the meter after an event, and check its invariant."""
    after = _CHANGES[type(event)](meter, event)
    check(after)
    return after


def _opened(_: Meter, event: e.MeterOpened) -> Meter:
    micros = event.initial_cents * MICROS
    return Meter(
        id=event.meter, title=event.title, parameters=event.parameters, pool_micros=micros, initial_micros=micros
    )


def _contributed(meter: Meter, event: e.Contributed) -> Meter:
    return replace(
        meter,
        pool_micros=meter.pool_micros + event.micros,
        contributed_micros=meter.contributed_micros + event.micros,
        fed={**meter.fed, event.table: Fed(event.round, event.micros)},
    )


def _reversed(meter: Meter, event: e.ContributionReversed) -> Meter:
    return replace(
        meter,
        pool_micros=meter.pool_micros - event.micros + event.covered_micros,
        reversed_micros=meter.reversed_micros + event.micros,
        seeded_micros=meter.seeded_micros + event.covered_micros,
        fed={**meter.fed, event.table: Fed(event.round, event.micros, reversed=True)},
    )


def _granted(meter: Meter, event: e.AwardGranted) -> Meter:
    if event.before_micros != meter.pool_micros:
        raise Unreconciled(f"award {event.number} was not granted from the current state of meter {meter.id}")
    return replace(
        meter,
        pool_micros=event.after_micros,
        seeded_micros=meter.seeded_micros + event.seeded_micros,
        paid_micros=meter.paid_micros + event.paid_cents * MICROS,
        awards=event.number,
        hits=meter.hits + (event.percent == 100),
        wins=meter.wins + len(event.shares),
        answered={**meter.answered, event.table: event.claim},
    )


def _changed(meter: Meter, event: e.ParametersChanged) -> Meter:
    return replace(
        meter,
        parameters=event.after,
        pool_micros=meter.pool_micros + event.seeded_micros,
        seeded_micros=meter.seeded_micros + event.seeded_micros,
    )


def _corrected(meter: Meter, event: e.MeterCorrected) -> Meter:
    return replace(
        meter, pool_micros=meter.pool_micros + event.micros, corrected_micros=meter.corrected_micros + event.micros
    )


def _retired(meter: Meter, event: e.MeterRetired) -> Meter:
    corrected = meter.corrected_micros - event.micros
    return replace(meter, pool_micros=0, corrected_micros=corrected, retired=True)


_CHANGES: Mapping[type, Callable[[Meter, Any], Meter]] = {
    e.MeterRetired: _retired,
    e.MeterOpened: _opened,
    e.Contributed: _contributed,
    e.ContributionReversed: _reversed,
    e.AwardGranted: _granted,
    e.ParametersChanged: _changed,
    e.MeterCorrected: _corrected,
}
