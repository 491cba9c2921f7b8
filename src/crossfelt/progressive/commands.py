"""What somebody asks of a meter. It is accepted, and then events follow, or it is refused and nothing changes."""

from __future__ import annotations

import msgspec

from crossfelt.naming import snake_case
from crossfelt.progressive.events import Parameters
from crossfelt.progressive.sharing import BySeat, ShareMethod


class MeterCommand(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="command",
    tag=snake_case,
):
    """What every command carries: a table, or a person by name, and when."""

    id: str
    who: str
    at: int


class OpenMeter(MeterCommand, frozen=True, kw_only=True):
    """The house puts in the initial amount."""

    meter: str
    title: str
    initial_cents: int
    parameters: Parameters


class Contribute(MeterCommand, frozen=True, kw_only=True):
    """A table has locked wagers that feed the meter."""

    table: str
    round: int
    stake_cents: int
    micros: int


class ReverseContribution(MeterCommand, frozen=True, kw_only=True):
    """That round was void, and its contribution is taken back."""

    table: str
    round: int


class Claim(MeterCommand, frozen=True, kw_only=True):
    """A table claims an award: a percentage of the meter, or an amount that the meter's pool pays."""

    table: str
    round: int
    claim: int
    """The number of the claim at its table."""
    percent: int = 0
    cents: int = 0
    winners: BySeat
    """Seats with what each staked."""
    method: ShareMethod = "equally"
    at_most_cents: int | None = None
    """What a payout limit of the table leaves."""


class ProposeChange(MeterCommand, frozen=True, kw_only=True):
    parameters: Parameters
    reason: str


class ProposeCorrection(MeterCommand, frozen=True, kw_only=True):
    micros: int
    reason: str


class Agree(MeterCommand, frozen=True, kw_only=True):
    """A second person agrees, and it takes effect."""

    proposal: int


class Decline(MeterCommand, frozen=True, kw_only=True):
    """Anybody concerned takes a proposal off the list."""

    proposal: int
    reason: str = ""


AnyMeterCommand = (
    OpenMeter | Contribute | ReverseContribution | Claim | ProposeChange | ProposeCorrection | Agree | Decline
)
