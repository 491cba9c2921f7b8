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
        return Problem(code="meter.open", what=what, value=meter.id or None)
    if meter.retired:
        return Problem(code="meter.retired", what="this meter was retired", value=meter.id)
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
    parameters, initial = command.parameters, command.initial_cents
    problem = _unfit(parameters, shown_micros=initial * MICROS)
    if problem is not None:
        return problem
    if not parameters.reset_cents <= initial <= in_cents(MOST_MICROS):
        what = "a meter opens at its reset amount or above"
        allowed = f"{parameters.reset_cents:,} to {in_cents(MOST_MICROS):,}"
        return Problem(code="meter.initial", where="initial_cents", what=what, value=initial, allowed=allowed)
    return _record(e.MeterOpened, command)


def _unfit(parameters: e.Parameters, *, shown_micros: int) -> Problem | None:
    """Refuse parameters that do not fit a meter that shows `shown_micros`."""
    if not 0 <= parameters.rate_per_million <= MICROS:
        value, what = parameters.rate_per_million, "this rate is not allowed"
        return Problem.at("rate_per_million", "meter.rate", what, value, "0 to 1,000,000")
    most = in_cents(MOST_MICROS)
    least = {"reset_cents": 0, "limit_cents": 0, "unreasonable_cents": 1}
    for name, cents in ((name, getattr(parameters, name)) for name in least):
        if cents is not None and not least[name] <= cents <= most:
            code, allowed = f"meter.{name.removesuffix('_cents')}", f"{least[name]} to {most:,}"
            return Problem(code=code, where=name, what="this amount is not allowed", value=cents, allowed=allowed)
    limit = parameters.limit_cents
    if limit is not None and limit * MICROS < max(shown_micros, parameters.reset_cents * MICROS):
        floor = max(-(-shown_micros // MICROS), parameters.reset_cents)
        what, allowed = "the limit is below the amount that the meter shows or resets to", f"at least {floor:,}"
        return Problem(code="meter.limit", where="limit_cents", what=what, value=limit, allowed=allowed)
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
    return _unapproved(command) or _too_deep(meter, command.micros) or _record(e.MeterCorrected, command)


def _retire(meter: Meter, command: c.RetireMeter) -> Decided:
    return _unapproved(command) or _record(e.MeterRetired, command, micros=meter.pool_micros)


def _unapproved(command: c.ApprovedCommand) -> Problem | None:
    if not command.reason.strip():
        return Problem(code="meter.reason", where="reason", what="state a reason")
    if command.approved_by == command.who:
        what, allowed = "a second person must approve this", f"a person other than {command.who}"
        return Problem(code="meter.two_people", where="approved_by", what=what, value=command.who, allowed=allowed)
    return None


def _too_deep(meter: Meter, micros: int) -> Problem | None:
    if micros and meter.floor_micros <= meter.pool_micros + micros <= MOST_MICROS:
        return None
    # A meter never shows less than its reset amount (AMB-23).
    lowest = meter.floor_micros - meter.pool_micros
    what, allowed = "this correction is not allowed", f"{lowest or 1:,} to {MOST_MICROS - meter.pool_micros:,}"
    return Problem(code="meter.correction", where="micros", what=what, value=micros, allowed=allowed)


# --- contributions ----------------------------------------------------------------------------------------------------


def _contribute(meter: Meter, command: c.Contribute) -> Decided:
    last = meter.fed.get(command.table, Fed(0, 0))
    if command.round < last.round or (command.round == last.round and not last.reversed):
        what, allowed = "this round has contributed already", f"after {last.round}"
        return Problem(code="meter.round", where="round", what=what, value=command.round, allowed=allowed)
    rate = meter.parameters.rate_per_million
    if command.micros != command.stake_cents * rate:
        what, allowed = "the contribution does not match the meter's rate", f"{command.stake_cents * rate:,}"
        return Problem(code="meter.rate", where="micros", what=what, value=command.micros, allowed=allowed)
    most = meter.parameters.unreasonable_cents
    if most is not None and command.micros > most * MICROS:
        what, allowed = "the contribution is unreasonably large", f"at most {most * MICROS:,}"
        return Problem(code="meter.unreasonable", where="micros", what=what, value=command.micros, allowed=allowed)
    return _record(e.Contributed, command)


def _reverse(meter: Meter, command: c.ReverseContribution) -> Decided:
    last = meter.fed.get(command.table)
    if last is None or last.round != command.round or last.reversed:
        what, allowed = "this round has no contribution to reverse", str(last.round) if last else "none"
        return Problem(code="meter.reversal", where="round", what=what, value=command.round, allowed=allowed)
    covered = max(0, last.micros - (meter.pool_micros - meter.floor_micros))
    return _record(e.ContributionReversed, command, micros=last.micros, covered_micros=covered)


# --- awards -----------------------------------------------------------------------------------------------------------


def _claim(meter: Meter, command: c.Claim) -> Decided:
    problem = _unfounded(meter, command)
    if problem is not None:
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
        what, allowed = "this claim has been granted already", f"after {last}"
        return Problem(code="meter.claim", where="claim", what=what, value=command.claim, allowed=allowed)
    if not command.winners or any(held < 1 for _, held in command.winners):
        return Problem(code="meter.winners", where="winners", what="every winner needs a stake in the wager")
    if not 0 <= command.percent <= 100 or bool(command.percent) == bool(command.cents) or command.cents < 0:
        what, allowed = "this award is not allowed", "a percentage up to 100, or cents"
        value = f"{command.percent} percent, {command.cents} cents"
        return Problem(code="meter.award", where="percent", what=what, value=value, allowed=allowed)
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
