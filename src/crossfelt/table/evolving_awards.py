"""How wheels and meters change a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from crossfelt.progressive.micros import posted
from crossfelt.table import award_events as a
from crossfelt.table.state import Award, Claim, Drawn, Seat, Spin, Table, with_seat


def _contributed(table: Table, event: a.ContributionMade) -> Table:
    return replace(
        _residue(table, event.meter, event.micros),
        contributed={**table.contributed, event.meter: event.micros},
    )


def _reversed(table: Table, event: a.ContributionReversed) -> Table:
    left = {meter: micros for meter, micros in table.contributed.items() if meter != event.meter}
    return replace(_residue(table, event.meter, -event.micros), contributed=left)


def _residue(table: Table, meter: str, micros: int) -> Table:
    _, residue = posted(table.residues.get(meter, 0), micros)
    return replace(table, residues={**table.residues, meter: residue})


def _spun(table: Table, event: a.WheelSpun) -> Table:
    seats = with_seat(table, replace(table.seat(event.seat), dealt=event.cards))
    return replace(table, seats=seats, spin=Spin(wager=event.wager, seat=event.seat, index=event.index))


def _xtreme_spun(table: Table, event: a.XtremeSpun) -> Table:
    spin = Spin(wager=event.wager, seat=event.hot_spot, index=event.prize, community=event.community)
    return replace(table, spin=spin)


def _claimed(table: Table, event: a.AwardClaimed) -> Table:
    claim = Claim(
        number=event.claim,
        meter=event.meter,
        wager=event.wager,
        percent=event.percent,
        cents=event.cents,
        seats=tuple(seat for seat, _ in event.winners),
        at_most_cents=event.at_most_cents,
        award=event.award,
    )
    return replace(table, claims=(*table.claims, claim), claimed=event.claim)


def _granted(table: Table, event: a.AwardGranted) -> Table:
    name = event.award or event.wager
    shares = {**table.granted.get(name, {}), **dict(event.shares)}
    table = _residue(table, event.meter, event.seeded_micros)
    return replace(
        table,
        claims=tuple(claim for claim in table.claims if claim.number != event.claim),
        granted={**table.granted, name: shares},
    )


def paid_by_meter(table: Table, seat: int, wager: str, name: str) -> Table:
    """What a meter granted a seat has been paid; the seat's cards then stay, where documents are wanted for it."""
    left = {number: cents for number, cents in table.granted[name].items() if number != seat}
    granted = {**table.granted, name: left}
    held_for = table.game.listed("cards_held_for_papers") if "cards_held_for_papers" in table.game.settings else ()
    holds = wager in held_for and seat not in table.papers
    papers = (*table.papers, seat) if holds else table.papers
    return replace(table, granted={name: shares for name, shares in granted.items() if shares}, papers=papers)


def _drawn(table: Table, event: a.AwardsDrawn) -> Table:
    drawn = Drawn(magic_card=event.magic_card, lucky_seat=event.lucky_seat, lucky_dealer=event.lucky_dealer)
    return replace(table, drawn=drawn)


def _won(table: Table, event: a.AwardWon) -> Table:
    award = Award(seat=event.seat, award=event.award, wager=event.wager, hand=event.hand, cents=event.cents)
    return replace(table, awards=(*table.awards, award))


def _verified(table: Table, event: a.AwardVerified) -> Table:
    seat = table.seat(event.seat)
    return replace(table, seats=with_seat(table, replace(seat, verified=(*seat.verified, event.wager))))


def _validated(table: Table, event: a.AwardValidated) -> Table:
    seat = table.seat(event.seat)
    return replace(table, seats=with_seat(table, replace(seat, validated=(*seat.validated, event.wager))))


def _documented(table: Table, event: a.DocumentsCompleted) -> Table:
    return replace(table, papers=tuple(seat for seat in table.papers if seat != event.seat))


def _paid(table: Table, event: a.AwardPaid) -> Table:
    paid = (event.seat, event.award, event.of_seat)
    left = tuple(award for award in table.awards if (award.seat, award.award, award.of_seat) != paid)
    table = replace(table, awards=left)
    if event.source:
        table = paid_by_meter(table, event.seat, event.wager, event.award)
    if event.wager not in table.game.limited_wagers:
        return replace(table, short_cents=0)
    seat = table.seat(event.seat)
    seat = replace(seat, won_cents=seat.won_cents + event.cents)
    return replace(table, seats=with_seat(table, seat), short_cents=0)


def lit(table: Table, seat: Seat) -> tuple[str, ...]:
    """The wagers of a seat that light its sensor when bets are locked."""
    return tuple(wager for wager in seat.wagers if table.game.wager(wager).paid_by == "wheel")


CHANGES: Mapping[type, Callable[[Table, Any], Table]] = {
    a.ContributionMade: _contributed,
    a.ContributionReversed: _reversed,
    a.WheelSpun: _spun,
    a.XtremeSpun: _xtreme_spun,
    a.AwardClaimed: _claimed,
    a.AwardGranted: _granted,
    a.AwardPaid: _paid,
    a.AwardsDrawn: _drawn,
    a.AwardWon: _won,
    a.AwardVerified: _verified,
    a.AwardValidated: _validated,
    a.DocumentsCompleted: _documented,
}
