"""What happened to a meter. Replaying these events gives the meter; nothing else changes it."""

from __future__ import annotations

import msgspec

from crossfelt.naming import snake_case
from crossfelt.progressive.sharing import BySeat


class Parameters(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What governs a meter; changed only by a decision of two people."""

    reset_cents: int
    """What the house puts in when the whole meter has been paid."""
    rate_per_million: int
    """Rate of progression: millionths of each wager that go to the meter."""
    limit_cents: int | None = None
    """The most that is shown and paid; contributions beyond it wait for the next jackpot."""
    unreasonable_cents: int | None = None
    """A contribution of one round above this is not believed."""


class MeterEvent(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="event",
    tag=snake_case,
):
    """What every event carries: who did it and when."""

    by: str
    at: int


class MeterOpened(MeterEvent, frozen=True, kw_only=True):
    """The house put in the initial amount."""

    meter: str
    title: str
    initial_cents: int
    parameters: Parameters


class Contributed(MeterEvent, frozen=True, kw_only=True):
    """What the wagers of one round at one table added, when they were locked."""

    table: str
    round: int
    stake_cents: int
    micros: int


class ContributionReversed(MeterEvent, frozen=True, kw_only=True):
    """A void round took its contribution back. What had been won away in between, the house covers."""

    table: str
    round: int
    micros: int
    covered_micros: int = 0


class AwardGranted(MeterEvent, frozen=True, kw_only=True):
    """A claim met the meter as it stood. Awards are numbered in the order in which they were granted."""

    table: str
    round: int
    claim: int
    number: int
    percent: int = 0
    """Of the amount shown; 0 where the award is an amount in cents."""
    shares: BySeat
    """Seats with their cents."""
    odd_cents: int = 0
    odd_cents_to: int = 0
    before_micros: int
    """The pool before; after it, what was not paid and what the house put in."""
    seeded_micros: int = 0
    """What the house put in: the reset amount after a full award, and what a pool could not cover."""
    after_micros: int
    cut: bool = False
    """A payout limit of the table kept it below the full award."""

    @property
    def paid_cents(self) -> int:
        return sum(cents for _, cents in self.shares)


class ChangeProposed(MeterEvent, frozen=True, kw_only=True):
    """One person wants other parameters."""

    proposal: int
    parameters: Parameters
    reason: str


class CorrectionProposed(MeterEvent, frozen=True, kw_only=True):
    """One person wants a mistake corrected by so many millionths of a cent, up or down."""

    proposal: int
    micros: int
    reason: str


class ProposalDeclined(MeterEvent, frozen=True, kw_only=True):
    proposal: int
    reason: str = ""


class ParametersChanged(MeterEvent, frozen=True, kw_only=True):
    """A second person agreed."""

    proposal: int
    proposed_by: str
    before: Parameters
    after: Parameters


class MeterCorrected(MeterEvent, frozen=True, kw_only=True):
    """A second person agreed."""

    proposal: int
    proposed_by: str
    micros: int
    reason: str


AnyMeterEvent = (
    MeterOpened | Contributed | ContributionReversed | AwardGranted | ChangeProposed | CorrectionProposed
    | ProposalDeclined | ParametersChanged | MeterCorrected
)  # fmt: skip
