"""Events of a meter. Replaying them gives the meter; nothing else changes it."""

from __future__ import annotations

import msgspec

from crossfelt._util.base_messages import BaseEvent
from crossfelt.progressive.split import BySeat


class Parameters(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The parameters of a meter; two people decide on a change."""

    reset_cents: int
    """The house's deposit after the whole meter has been paid."""
    rate_per_million: int
    """Rate of progression: millionths of each wager that go to the meter."""
    limit_cents: int | None = None
    """The most that is shown and paid; contributions beyond it wait for the next jackpot."""
    unreasonable_cents: int | None = None
    """A larger contribution of one round is refused as unreasonable."""


class MeterEvent(BaseEvent, frozen=True, kw_only=True):
    """A fact about a meter."""


class MeterOpened(MeterEvent, frozen=True, kw_only=True):
    """The house put in the initial amount."""

    meter: str
    title: str
    initial_cents: int
    parameters: Parameters


class Contributed(MeterEvent, frozen=True, kw_only=True):
    """The contribution of the locked wagers of one round at one table."""

    table: str
    round: int
    stake_cents: int
    micros: int


class ContributionReversed(MeterEvent, frozen=True, kw_only=True):
    """A void round's contribution was reversed. The house covers the part that had been won in the meantime."""

    table: str
    round: int
    micros: int
    covered_micros: int = 0


class AwardGranted(MeterEvent, frozen=True, kw_only=True):
    """A claim was granted at the amount of that moment. Awards are numbered in the order of their grant."""

    table: str
    round: int
    claim: int
    number: int
    percent: int = 0
    """The percentage of the displayed amount; 0 for an award in cents."""
    shares: BySeat
    """Seats with the cents that the meter pays."""
    odd_cents: int = 0
    odd_cents_to: int = 0
    before_micros: int
    """The pool before the award; afterwards it is the unpaid rest and the house's deposit."""
    seeded_micros: int = 0
    """The house's deposit: the reset amount after a full award; after another, what the pool lacks to it."""
    after_micros: int
    reset_cents: int = 0
    """The reset amount in force."""
    from_inventory: int = 0
    """The rest of an amount that was claimed: the pool pays only what it holds above its reset amount (AMB-23)."""
    cut: bool = False
    """A payout limit of the table reduced the award."""

    @property
    def paid_cents(self) -> int:
        return sum(cents for _, cents in self.shares)


class ParametersChanged(MeterEvent, frozen=True, kw_only=True):
    """New parameters, approved by the second person."""

    proposed_by: str
    reason: str
    before: Parameters
    after: Parameters
    seeded_micros: int = 0
    """The house's deposit: what the pool lacks to a higher reset amount."""


class MeterCorrected(MeterEvent, frozen=True, kw_only=True):
    """A correction, approved by the second person."""

    proposed_by: str
    reason: str
    micros: int


class MeterRetired(MeterEvent, frozen=True, kw_only=True):
    """The end of a meter, approved by the second person."""

    proposed_by: str
    reason: str
    micros: int
    """The amount that left it."""
    to: str = ""
    """The meter that received it; empty for the house."""


AnyMeterEvent = (
    MeterOpened | Contributed | ContributionReversed | AwardGranted | ParametersChanged | MeterCorrected | MeterRetired
)
