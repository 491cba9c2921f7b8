"""Commands of a meter. The meter accepts a command and records events, or refuses it and changes nothing."""

from __future__ import annotations

from crossfelt._util.base_messages import BaseCommand
from crossfelt.progressive.events import Parameters
from crossfelt.progressive.split import BySeat, ShareMethod


class MeterCommand(BaseCommand, frozen=True, kw_only=True):
    """A request to a meter, by a table or by a person."""


class OpenMeter(MeterCommand, frozen=True, kw_only=True):
    """Open the meter with the house's initial amount."""

    meter: str
    title: str
    initial_cents: int
    parameters: Parameters


class Contribute(MeterCommand, frozen=True, kw_only=True):
    """Contribute from the locked wagers of a table."""

    table: str
    round: int
    stake_cents: int
    micros: int


class ReverseContribution(MeterCommand, frozen=True, kw_only=True):
    """Reverse the contribution of a void round."""

    table: str
    round: int


class Claim(MeterCommand, frozen=True, kw_only=True):
    """Claim an award for a table: a percentage of the meter, or an amount that the meter's pool pays."""

    table: str
    round: int
    claim: int
    """The number of the claim at its table."""
    percent: int = 0
    cents: int = 0
    winners: BySeat
    """Seats with their stakes."""
    method: ShareMethod = "equally"
    at_most_cents: int | None = None
    """The largest award that a payout limit of the table allows."""


class ApprovedCommand(MeterCommand, frozen=True, kw_only=True):
    """A command by two people: `who` proposes it, another approves it."""

    approved_by: str
    reason: str


class ChangeParameters(ApprovedCommand, frozen=True, kw_only=True):
    parameters: Parameters


class CorrectMeter(ApprovedCommand, frozen=True, kw_only=True):
    """Correct a mistake by millionths of a cent, up or down."""

    micros: int


class RetireMeter(ApprovedCommand, frozen=True, kw_only=True):
    """End a meter that no table feeds. Its amount goes to another meter, or to the house."""

    to: str = ""


AnyMeterCommand = OpenMeter | Contribute | ReverseContribution | Claim | ChangeParameters | CorrectMeter | RetireMeter
