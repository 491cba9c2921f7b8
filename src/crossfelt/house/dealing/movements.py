"""Take and pay: every movement of chips of a round, in the order in which the table made it, with its arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from crossfelt.house.tables.rows import Row
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.reckoning import arithmetic
from crossfelt.table.telling import tell
from crossfelt.table.telling_words import title_of
from crossfelt.training.chips import chips_of
from crossfelt.training.question import Chips

Way = Literal["take", "pay", "give back", "leave", "meter"]
"""To the tray; from the tray; the player's own chips back; nothing, a push; paid by the meter and not by the tray."""

_AtOnce = e.FoldCollected | e.WagersForfeited | e.WagersReturned
"""Several wagers of a seat at once."""


class Movement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips that a dealer moves once: from a betting area to the tray, or from the tray to a player."""

    id: str
    seat: int
    way: Way
    title: str
    cents: int
    chips: tuple[Chips, ...] = ()
    stake_cents: int = 0
    hand: str = ""
    line: str = ""
    """The line of the pay table that pays."""
    odds: str = ""
    words: str = ""
    """The arithmetic behind it."""
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


def movements(rows: Iterable[Row]) -> tuple[Movement, ...]:
    """All movements of some rows, first to last."""
    made = []
    for row in rows:
        for place, event in enumerate(row.events):
            for number, movement in enumerate(_moves(event, row.before.game)):
                name = f"{row.seq}.{place}.{number}"
                made.append(msgspec.structs.replace(movement, id=name, chips=chips_of(movement.cents)))
    return tuple(made)


def _moves(event: e.Event, game: Game) -> Iterator[Movement]:
    match event:
        case e.WagerSettled():
            yield from _settled(event, game)
        case e.FoldCollected() | e.WagersForfeited():
            yield from _each(event, "take", event.wagers, game)
        case e.WagersReturned():
            yield from _each(event, "give back", {**event.wagers, **event.forfeited}, game)
        case e.CouponSettled() if event.paid:
            yield _told(event, "pay", f"Match play on the {title_of(event.wager, game)}", event.paid, game)
        case e.AwardPaid() if event.cents and not event.source:
            yield _told(event, "pay", _award_title(event, game), event.cents, game)
        case e.AwardPaid() if event.cents:
            yield _told(event, "meter", _award_title(event, game), event.cents, game)
        case e.BankSettled():
            yield from _bank(event, game)
        case e.BankReleased() if event.cents:
            yield _told(event, "give back", "The bank's cover", event.cents, game)


def _settled(event: e.WagerSettled, game: Game) -> Iterator[Movement]:
    """A stake that is taken, and what is paid on it; a push is left where it lies."""
    won = event.paid - event.commission
    moves: list[tuple[Way, int]] = [("take", event.stake - event.returned)] if event.stake > event.returned else []
    if won > 0:
        moves.append(("meter" if event.source else "pay", won))
    elif event.returned:
        moves.append(("give back", event.returned) if moves else ("leave", 0))
    for way, cents in moves:
        yield Movement(
            id="",
            seat=event.seat,
            way=way,
            title=_title(event.wager, game),
            cents=cents,
            stake_cents=event.stake,
            hand=event.hand,
            line=event.line.replace("_", " "),
            odds=event.odds,
            words=arithmetic(event, game),
            clauses=event.clauses,
            readings=event.readings,
        )


def _title(wager: str, game: Game) -> str:
    title = title_of(wager, game)
    return title[0].upper() + title[1:]


def _each(event: _AtOnce, way: Way, wagers: dict[str, int], game: Game) -> Iterator[Movement]:
    for wager, cents in wagers.items():
        yield _told(event, way, _title(wager, game), cents, game)


def _bank(event: e.BankSettled, game: Game) -> Iterator[Movement]:
    yield _told(event, "pay", "The bank", event.returned + event.paid - event.commission, game)


def _told(
    event: _AtOnce | e.CouponSettled | e.AwardPaid | e.BankSettled | e.BankReleased,
    way: Way,
    title: str,
    cents: int,
    game: Game,
) -> Movement:
    return Movement(
        id="",
        seat=event.seat,
        way=way,
        title=title,
        cents=cents,
        words=tell(event, game),
        clauses=event.clauses,
        readings=event.readings,
    )


def _award_title(event: e.AwardPaid, game: Game) -> str:
    return (
        game.pays[event.award].table.title if event.award in game.pays else event.award.replace("_", " ").capitalize()
    )
