"""The command handler of a meter: events, or the reason of a refusal.

A meter answers one command at a time. Tables that win at once are paid in the order of their claims, each from the
meter's amount at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import events as e
from crossfelt.progressive.meter import MICROS, Fed, Meter, evolve, in_cents
from crossfelt.progressive.split import split_award

Decided = tuple[e.MeterEvent, ...] | Problem
MOST_MICROS = 10**9 * 100 * MICROS
"""The largest pool, a thousand million dollars: a larger amount is a typing error."""


def decide(meter: Meter, command: c.MeterCommand) -> Decided:
    """Return the events that follow from a command, or the reason of a refusal.

    >>> parameters = e.Parameters(reset_cents=100_00, rate_per_million=70_000)
    >>> opens = c.OpenMeter(id="1", who="Ann", at=0, meter="m", title="M", initial_cents=-5, parameters=parameters)
    >>> print(decide(Meter(), opens))
    initial_cents: a meter opens at its reset amount or above: -5 (allowed: 10,000 to 100,000,000,000)
    """
    if bool(meter.id) == isinstance(command, c.OpenMeter):
        what = "the meter is open already" if meter.id else "the meter is not open"
        return Problem.at("", "meter.open", what, meter.id or None)
    if meter.retired:
        return Problem.at("", "meter.retired", "this meter was retired", meter.id)
    return _RULES[type(command)](meter, command)


def handle(meter: Meter, command: c.MeterCommand) -> tuple[tuple[e.MeterEvent, ...], Meter] | Problem:
    """Carry out a command: return its events and the meter after them, or the reason of a refusal."""
    answer = decide(meter, command)
    if isinstance(answer, Problem):
        return answer
    for event in answer:
        meter = evolve(meter, event)
    return answer, meter


def _record(kind: type[e.MeterEvent], command: c.MeterCommand, **fields: Any) -> tuple[e.MeterEvent]:
    """Return the event of an accepted command, which repeats the command's fields unless `fields` say otherwise."""
    fields = shared_fields(command, kind) | fields | {"by": command.who}
    if isinstance(command, c.ApprovedCommand):
        fields |= {"by": command.approved_by, "proposed_by": command.who}
    return (kind(**fields),)


# --- parameters -------------------------------------------------------------------------------------------------------


def _open(_: Meter, command: c.OpenMeter) -> Decided:
    least, initial = command.parameters.reset_cents, command.initial_cents
    if (problem := _unfit(command.parameters, shown_micros=initial * MICROS)) is not None:
        return problem
    if not least <= initial <= in_cents(MOST_MICROS):
        what, allowed = "a meter opens at its reset amount or above", f"{least:,} to {in_cents(MOST_MICROS):,}"
        return Problem.at("initial_cents", "meter.initial", what, initial, allowed)
    return _record(e.MeterOpened, command)


def _unfit(parameters: e.Parameters, *, shown_micros: int) -> Problem | None:
    """Refuse parameters that do not fit a meter that shows `shown_micros`."""
    if not 0 <= parameters.rate_per_million <= MICROS:
        value, what = parameters.rate_per_million, "this rate is not allowed"
        return Problem.at("rate_per_million", "meter.rate", what, value, "0 to 1,000,000")
    most = in_cents(MOST_MICROS)
    for name, least in (("reset_cents", 0), ("limit_cents", 0), ("unreasonable_cents", 1)):
        cents = getattr(parameters, name)
        if cents is not None and not least <= cents <= most:
            code = f"meter.{name.removesuffix('_cents')}"
            return Problem.at(name, code, "this amount is not allowed", cents, f"{least} to {most:,}")
    limit = parameters.limit_cents
    if limit is not None and limit * MICROS < max(shown_micros, parameters.reset_cents * MICROS):
        floor = max(-(-shown_micros // MICROS), parameters.reset_cents)
        what = "the limit is below the amount that the meter shows or resets to"
        return Problem.at("limit_cents", "meter.limit", what, limit, f"at least {floor:,}")
    return None


def _change(meter: Meter, command: c.ChangeParameters) -> Decided:
    problem = _unapproved(command) or _unfit(command.parameters, shown_micros=meter.amount_micros)
    if problem is not None:
        return problem
    seeded = max(0, command.parameters.reset_cents * MICROS - meter.pool_micros)
    return _record(
        e.ParametersChanged, command, before=meter.parameters, after=command.parameters, seeded_micros=seeded
    )


def _correct(meter: Meter, command: c.CorrectMeter) -> Decided:
    if (problem := _unapproved(command)) is not None:
        return problem
    if command.micros and meter.floor_micros <= meter.pool_micros + command.micros <= MOST_MICROS:
        return _record(e.MeterCorrected, command)
    # A meter never shows less than its reset amount (AMB-23).
    lowest = meter.floor_micros - meter.pool_micros
    allowed = f"{lowest or 1:,} to {MOST_MICROS - meter.pool_micros:,}"
    return Problem.at("micros", "meter.correction", "this correction is not allowed", command.micros, allowed)


def _retire(meter: Meter, command: c.RetireMeter) -> Decided:
    return _unapproved(command) or _record(e.MeterRetired, command, micros=meter.pool_micros)


def _unapproved(command: c.ApprovedCommand) -> Problem | None:
    if not command.reason.strip():
        return Problem.at("reason", "meter.reason", "state a reason")
    if command.approved_by == command.who:
        what, allowed = "a second person must approve this", f"a person other than {command.who}"
        return Problem.at("approved_by", "meter.two_people", what, command.who, allowed)
    return None


# --- contributions ----------------------------------------------------------------------------------------------------


def _contribute(meter: Meter, command: c.Contribute) -> Decided:
    last = meter.fed.get(command.table, Fed(0, 0))
    if command.round < last.round or (command.round == last.round and not last.reversed):
        what = "this round has contributed already"
        return Problem.at("round", "meter.round", what, command.round, f"after {last.round}")
    due, most = command.stake_cents * meter.parameters.rate_per_million, meter.parameters.unreasonable_cents
    if command.micros != due:
        what = "the contribution does not match the meter's rate"
        return Problem.at("micros", "meter.rate", what, command.micros, f"{due:,}")
    if most is not None and command.micros > most * MICROS:
        what, allowed = "the contribution is unreasonably large", f"at most {most * MICROS:,}"
        return Problem.at("micros", "meter.unreasonable", what, command.micros, allowed)
    return _record(e.Contributed, command)


def _reverse(meter: Meter, command: c.ReverseContribution) -> Decided:
    last = meter.fed.get(command.table)
    if last is None or last.round != command.round or last.reversed:
        what, allowed = "this round has no contribution to reverse", str(last.round) if last else "none"
        return Problem.at("round", "meter.reversal", what, command.round, allowed)
    covered = max(0, last.micros - (meter.pool_micros - meter.floor_micros))
    return _record(e.ContributionReversed, command, micros=last.micros, covered_micros=covered)


# --- awards -----------------------------------------------------------------------------------------------------------


def _claim(meter: Meter, command: c.Claim) -> Decided:
    if (problem := _unfounded(meter, command)) is not None:
        return problem
    full = in_cents(meter.amount_micros * command.percent // 100) if command.percent else command.cents
    due = full if command.at_most_cents is None else min(full, command.at_most_cents)
    paid = due if command.percent else min(due, in_cents(meter.pool_micros - meter.floor_micros))
    division = split_award(paid, dict(command.winners), command.method)
    left = meter.pool_micros - paid * MICROS
    seeded = meter.floor_micros if command.percent == 100 else max(0, meter.floor_micros - left)
    return _record(
        e.AwardGranted,
        command,
        number=meter.awards + 1,
        shares=tuple(division.shares.items()),
        odd_cents=division.odd_cents,
        odd_cents_to=division.odd_cents_to,
        before_micros=meter.pool_micros,
        seeded_micros=seeded,
        after_micros=left + seeded,
        reset_cents=meter.parameters.reset_cents,
        from_inventory=due - paid,
        cut=due < full,
    )


def _unfounded(meter: Meter, command: c.Claim) -> Problem | None:
    last = meter.answered.get(command.table, 0)
    if command.claim <= last:
        return Problem.at("claim", "meter.claim", "this claim has been granted already", command.claim, f"after {last}")
    if not command.winners or any(held < 1 for _, held in command.winners):
        return Problem.at("winners", "meter.winners", "every winner needs a stake in the wager")
    if not 0 <= command.percent <= 100 or bool(command.percent) == bool(command.cents) or command.cents < 0:
        what, allowed = "this award is not allowed", "a percentage up to 100, or cents"
        value = f"{command.percent} percent, {command.cents} cents"
        return Problem.at("percent", "meter.award", what, value, allowed)
    return None


_RULES: Mapping[type, Callable[[Meter, Any], Decided]] = {
    c.OpenMeter: _open,
    c.Contribute: _contribute,
    c.ReverseContribution: _reverse,
    c.Claim: _claim,
    c.ChangeParameters: _change,
    c.CorrectMeter: _correct,
    c.RetireMeter: _retire,
}
