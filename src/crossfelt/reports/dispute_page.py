"""The dispute report: one page on one round, with events, payments, visible cards and the checks of the record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from math import ceil
from typing import Final

import msgspec

from crossfelt import __version__
from crossfelt.money import dollars
from crossfelt.play.text import signed
from crossfelt.proof.dispute import Case, NarratedEvent, Payment
from crossfelt.reports.render import page
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.table.records import TableRecords

PAYING: Final = frozenset(
    (
        *("wager_settled", "award_paid", "coupon_settled", "fold_collected", "wagers_forfeited", "wagers_returned"),
        *("bank_settled", "bank_released"),
    )
)
"""Events that are listed among the payments."""
BEFORE_THE_BETS: Final = frozenset(("deck_prepared", "deck_shuffled", "deck_cut", "deck_loaded"))
SIZES: Final = (8.4, 8.0, 7.6, 7.2, 6.8, 6.4, 6.0, 5.6)
"""Type sizes in points; the report uses the largest that fits one page."""
HEIGHT: Final = 791.0
WIDTH: Final = 538.0
"""Size of the type area on A4, in points."""
SIGN: Final = 0.6
LINE: Final = 1.34
"""Width of a character and height of a line, relative to the type size; real typefaces are narrower."""


class SeatTotal(msgspec.Struct, frozen=True, kw_only=True):
    """Totals of one seat in a round."""

    seat: int
    player: str
    staked: int
    returned: int
    paid: int
    commission: int
    net: int
    equal: str


class DisputePage(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of the page."""

    case: Case
    player: str
    happened: tuple[NarratedEvent, ...]
    left_out: int
    """Number of events of other seats, which are not printed."""
    payments: tuple[Payment, ...]
    totals: tuple[SeatTotal, ...]
    records: tuple[tuple[str, str], ...]
    """The check of the fittings and the life of the deck, each with its heading."""
    cited: tuple[tuple[str, str], ...]
    """Clauses and readings on the page, with their citations."""
    size: float
    """Type size, in points."""
    made_by: str = f"Crossfelt {__version__}"


def dispute_report(case: Case) -> bytes:
    """Render the page as one self-contained HTML file; the same case gives the same bytes."""
    filters = {"dollars": dollars, "signed": signed, "time": time_words, "clock": clock_words}
    return page("dispute", filters, page=page_of(case))


def page_of(case: Case) -> DisputePage:
    """Collect the page of a round, or of one seat in it."""
    seat = case.seat
    payments = tuple(it for it in case.payments if it.seat == seat)
    events = [it for it in case.happened if it.event not in PAYING and it.event not in BEFORE_THE_BETS]
    happened = tuple(it for it in events if seat is None or it.seat in (None, seat))
    contents = DisputePage(
        case=case,
        player=case.players.get(seat, "") if seat is not None else "",
        happened=happened,
        left_out=len(events) - len(happened),
        payments=payments,
        totals=tuple(_totals(case)),
        records=tuple(_records(case.records)),
        cited=tuple(_citations([*happened, *(payments or case.payments)])),
        size=SIZES[-1],
    )
    fits = (size for size in SIZES if _height(contents, size) <= HEIGHT)
    return msgspec.structs.replace(contents, size=next(fits, SIZES[-1]))


def _totals(case: Case) -> Iterable[SeatTotal]:
    for seat, player in sorted(case.players.items()):
        own = [payment for payment in case.payments if payment.seat == seat]
        if own:
            yield SeatTotal(
                seat=seat,
                player=player,
                staked=sum(it.stake for it in own),
                returned=sum(it.returned for it in own),
                paid=sum(it.paid for it in own),
                commission=sum(it.commission for it in own),
                net=case.nets[seat],
                equal="equal" if all(payment.equal for payment in own) else "differs",
            )


def _records(records: TableRecords) -> Iterable[tuple[str, str]]:
    """Yield the check of the fittings and the life of each deck, with persons and times."""
    if (checked := records.fittings) is not None:
        found = [as_words(item) for item in checked.items]
        found += [f"elsewhere: {checked.variance}"] if checked.variance else []
        found += [f"shoe {checked.shoe} {checked.shoe_place}"] if checked.shoe else []
        found += [f"shuffler {checked.shuffler} {checked.shuffler_place}"] if checked.shuffler else []
        yield "Fittings", f"{', '.join(found)}; checked by {checked.by}, {time_words(checked.at)}"
    for deck in records.decks:
        cover = f", {deck.cover} cover card" if deck.cover else ""
        acts = ((act, f" ({act.note})" if act.note else "") for act in (*deck.life, *deck.last))
        life = "; ".join(f"{act.did}{note} {clock_words(act.at)} {act.by}" for act, note in acts)
        yield f"Deck {deck.id}", f"{deck.back} backs{cover}; {life}; shuffles so far: {deck.shuffles}"


def _citations(cited: Iterable[NarratedEvent | Payment]) -> Iterable[tuple[str, str]]:
    """Yield the cited clauses and readings, each once, in the order of the catalogue."""
    clauses = {clause for it in cited for clause in it.clauses}
    readings = {reading for it in cited for reading in it.readings}
    for known in law.clauses().values():
        if known.id in clauses:
            yield known.id, known.citation
    for reading in law.readings().values():
        if reading.id in readings:
            of = f" of {', '.join(reading.clauses)}" if reading.clauses else ""
            yield reading.id, f"adopted reading{of}"


def _height(page: DisputePage, size: float) -> float:
    """Estimate the greatest height of the page at a type size, in points, counting wrapped lines."""

    def lines(signs: int, share: float = 1.0) -> int:
        return max(1, ceil(signs * SIGN * size / (WIDTH * share)))

    def cited(it: NarratedEvent | Payment) -> int:
        return sum(len(each) + 1 for each in (*it.clauses, *it.readings))

    case = page.case
    text = 1.0 + 1.5 * lines(2 * (len(case.identity.title) + len(page.player) + 30)) + 2
    text += 2 * lines(len(case.verdict.words) + len(case.rows.finding) + 60)
    text += 6 + 6 + 2 + 2  # identity, record, commands, a sentence
    text += sum(lines(len(words), 0.8) for _, words in page.records)
    text += sum(lines(len(words), 0.8) for words in case.identity.decisions)
    text += 0.5 * sum(lines(len(it.tells) + cited(it) + 5, 0.46) for it in page.happened) + 1
    rows = [lines(sum(map(len, it.arithmetic)), 0.36) for it in page.payments]
    rows += [lines(len(it.own), 0.42) for it in case.sights if case.seat]
    rows += [1] * (len(page.totals) if case.seat is None else 4)
    text += sum(rows) + sum(lines(len(each)) for each in case.verdict.complaints)
    text += lines(sum(len(clause) + len(citation) + 3 for clause, citation in page.cited)) + 2
    headings = 5 + bool(case.seat) + bool(case.verdict.complaints)
    return size * (LINE * text + 3.2 * headings + 0.4 * len(rows) + 4) + 0.5 * len(rows)


def time_words(milliseconds: int) -> str:
    """Format a time with its date.

    >>> time_words(1_700_000_000_123)
    '2023-11-14 22:13:20.123 UTC'
    """
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{milliseconds % 1000:03} UTC"


def clock_words(milliseconds: int) -> str:
    """Format a time without its date.

    >>> clock_words(1_700_000_000_123)
    '22:13:20 UTC'
    """
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%H:%M:%S} UTC"
