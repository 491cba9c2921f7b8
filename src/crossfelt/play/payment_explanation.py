"""The arithmetic of each payment, in words: hand, line of the pay table, stake times odds, rounding, limits.

It follows from the event and the game. If the two disagree, the explanation says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput
from crossfelt.money import Odds, dollars
from crossfelt.play.text import amounts_words, capital, cut_words, paid_from, stake_words, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayTable, Wager
from crossfelt.rulebooks.render.phrases import as_words, line_title
from crossfelt.table import events as e


class PaymentExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """The money of one seat in one event, in cents, and its arithmetic."""

    seat: int
    title: str
    stake: int
    result: str
    returned: int = 0
    paid: int = 0
    commission: int = 0
    limited: int = 0
    hand: str = ""
    steps: tuple[str, ...]
    """Sentences, in the order of the arithmetic."""

    @property
    def net(self) -> int:
        return self.returned + self.paid - self.commission - self.stake


def explain_payment(event: e.Event, game: Game) -> PaymentExplanation | None:
    """Explain a payment; None where an event pays, returns and takes nothing.

    >>> won = e.WagerSettled(by="dealer", at=0, seat=1, wager="across", stake=3000, result="win", returned=3000,
    ...     paid=9000, hand="three kings", line="three_of_a_kind", odds="3 to 1")
    >>> for step in explain_payment(won, compile_game("md-criss-cross")).steps:
    ...     print(step)
    Three kings: three of a kind pays 3 to 1 by “Across, down and middle bets”.
    $30 × 3 = $90.
    The stake of $30 comes back.
    """
    match event:
        case e.WagerSettled():
            return _explained(event, title_of(event.wager, game), _settling(event, game))
        case e.AwardPaid():
            steps = _awarded(event, game)
            return _explained(event, as_words(event.award), steps, stake=0, result="win", paid=event.cents)
        case e.CouponSettled():
            return _explained(event, "match play coupon", _coupon(event, game), stake=0)
        case e.FoldCollected() | e.WagersForfeited():
            why = f"Forfeited, {as_words(event.why)}" if isinstance(event, e.WagersForfeited) else "The hand was folded"
            names, whole = amounts_words(event.wagers, game), sum(event.wagers.values())
            lost = f"{why}: {names or 'nothing'} lost, {dollars(whole)} in all."
            return _explained(event, names or "no wager", [lost], stake=whole, result="forfeit")
        case e.WagersReturned():
            wagers = {**event.wagers, **event.forfeited}
            whole, stake = sum(wagers.values()), sum(event.wagers.values())  # the fold's forfeits were taken before
            title, back = amounts_words(wagers, game), f"The round gives back what was staked: {dollars(whole)}."
            return _explained(event, title or "no wager", [back], stake=stake, result="returned", returned=whole)
        case e.BankSettled():
            return _explained(event, "bank", _bank(event, game))
        case e.BankReleased():
            returned, paid = min(event.cents, event.stake), max(0, event.cents - event.stake)
            back = f"The round is void: {dollars(event.cents)} of the cover of {dollars(event.stake)} comes back."
            return _explained(event, "bank", [back], result="returned", returned=returned, paid=paid)
        case e.SettlementReversed():
            return _reversed(event, game)
    return None


def _explained(event: e.Event, title: str, steps: Iterable[str], **fields: Any) -> PaymentExplanation:
    """Return the explanation of an event with the amounts that the event names, and others as given."""
    named = shared_fields(event, PaymentExplanation) | fields
    return PaymentExplanation(title=title, steps=tuple(steps), **named)


def arithmetic(settled: e.WagerSettled, game: Game) -> str:
    """Explain one wager in one paragraph."""
    return " ".join(_settling(settled, game))


# --- wagers -----------------------------------------------------------------------------------------------------------


def _settling(event: e.WagerSettled, game: Game) -> Iterator[str]:
    wager, hand = game.wager(event.wager), capital(event.hand) or "The hand"
    stake = stake_words(event.wager, event.stake, game)
    match event.result:
        case "win":
            yield from _winning(event, game, wager)
            yield _stake_back(event, stake)
        case "push":
            table = table_of(event.line, game, wager)
            of_line = f" by the line “{_line_words(event.line, table)}”" if table is not None else ""
            yield f"{hand} pushes{of_line}."
            yield _stake_back(event, stake)
        case "forfeit":
            back = f"{dollars(event.returned)} of the stake of {stake} comes back" if event.returned else ""
            yield f"The wager is given up: {back or f'the stake of {stake} is lost'}."
        case _:
            alone = wager.line is not None
            why = "below every line of the pay table" if alone else "the wager loses"
            yield f"{hand}: {why}. The stake of {stake} is lost."


def _winning(event: e.WagerSettled, game: Game, wager: Wager) -> Iterator[str]:
    hand = capital(event.hand) or "The hand"
    whole, parts = 0, []
    for line, odds in lines_paid(event):
        named = "" if _line_words(line, table_of(line, game, wager)) == event.hand else f"{hand}: "
        yield capital(f"{named}{_priced(line, odds, game, wager)}.")
        price = _odds(odds)
        if price is not None:
            each = event.stake // wager.parts
            parts.append(_product(each, price, wager.parts))
            whole += wager.parts * price.paid(each)
    if parts:
        source = paid_from(event.paid, event.source, event.from_inventory)
        yield " and ".join(parts) + (f", in all {dollars(whole)}{source}." if len(parts) > 1 else f"{source}.")
        if whole != event.paid + event.limited:
            yield f"The record says {dollars(event.paid + event.limited)}, which is not the same."
    elif event.source:
        yield f"The meter grants {dollars(event.paid)}."
    else:
        yield f"{dollars(event.paid + event.limited)} is won."
    yield from _limit(event.paid, event.limited, event.wager, game)
    if event.commission:
        yield _commission(event.commission, event.paid, game)


def lines_paid(event: e.WagerSettled) -> list[tuple[str, str]]:
    """Return the pay lines of a wager with their odds: one, or two where it has two chances."""
    odds = event.odds.split(", ")
    lines = event.line.split(", ") if event.line else [""] * len(odds)
    return list(zip(lines, odds, strict=False))


def _priced(line: str, odds: str, game: Game, wager: Wager) -> str:
    """Return the pay of a line, with the title of its pay table."""
    table = table_of(line, game, wager)
    if not line:
        return f"the wager wins{f' {odds}' if _odds(odds) is not None else ''}"
    title = f" by “{table.title}”" if table is not None else ""
    words = _line_words(line, table)
    return f"{words} pays {odds}{title}" if odds else f"{words}{title}"


def _line_words(line: str, table: PayTable | None) -> str:
    """Return a pay line as the posted notice has it."""
    found = next((each for each in table.lines if each.name == line), None) if table is not None else None
    return as_words(line) if found is None else line_title(found)


def table_of(line: str, game: Game, wager: Wager) -> PayTable | None:
    """Return the pay table of a wager that has a line; None where no pay table has it."""
    for name in (*wager.tables, *wager.also_pays):
        if name in game.pays and any(each.name == line for each in game.pays[name].lines):
            return game.pays[name]
    return None


def _product(stake: int, odds: Odds, parts: int) -> str:
    """Return stake times odds, with the fraction of a cent that is not paid.

    >>> _product(3000, Odds("3 to 1"), 1), _product(501, Odds("3 to 2"), 2)
    ('$30 × 3 = $90', '$5.01 × 3 ÷ 2 = $7.515, paid down to the cent $7.51, for each of 2: $15.02')
    """
    ratio = odds.ratio
    text = f"{dollars(stake)} × {ratio.numerator}" + (f" ÷ {ratio.denominator}" if ratio.denominator > 1 else "")
    exact, paid = stake * ratio, odds.paid(stake)
    if exact != paid:
        text += f" = ${float(exact) / 100:,.4f}".rstrip("0") + f", paid down to the cent {dollars(paid)}"
    else:
        text += f" = {dollars(paid)}"
    return text if parts == 1 else f"{text}, for each of {parts}: {dollars(parts * paid)}"


def _odds(text: str) -> Odds | None:
    """Return odds as printed; None for a payment that is no multiple of the stake."""
    try:
        return Odds(text)
    except BadInput:
        return None


def _limit(paid: int, limited: int, wager_id: str, game: Game) -> Iterator[str]:
    if words := cut_words(paid, limited, wager_id, game):
        yield f"The payment is {words}."


def _commission(kept: int, won: int, game: Game) -> str:
    """Explain the commission, with this game's rounding."""
    rate = game.number("commission_per_mille")
    exact = game.settings["commission_rounding"] == "exact"
    how = "to the nearest cent" if exact else "up to the next 25 cents"
    left = dollars(won - kept)
    return f"Commission: {rate / 10:g} % of {dollars(won)}, rounded {how}, is {dollars(kept)}; {left} remains."


def _stake_back(event: e.WagerSettled, stake: str) -> str:
    if event.returned == event.stake:
        return f"The stake of {stake} comes back."
    return f"{dollars(event.returned)} of the stake of {stake} comes back." if event.returned else "The stake is kept."


# --- what else moves money --------------------------------------------------------------------------------------------


def _awarded(event: e.AwardPaid, game: Game) -> Iterator[str]:
    whose = f" of seat {event.of_seat}" if event.of_seat else ""
    hand = f" for {event.hand}{whose}" if event.hand else ""
    source = paid_from(event.cents, event.source, event.from_inventory)
    pays = f": {as_words(event.line)} pays {event.odds}," if event.odds else " pays"
    yield f"{capital(as_words(event.award))}{hand}{pays} {dollars(event.cents + event.limited)}{source}."
    yield from _limit(event.cents, event.limited, event.wager, game)
    if event.illustrative:
        yield "No document prints the amount: it is illustrative."


def _coupon(event: e.CouponSettled, game: Game) -> Iterator[str]:
    face = dollars(event.face_cents)
    yield f"A coupon of {face} beside the {title_of(event.wager, game)} wins what chips of that amount win."
    yield f"{dollars(event.paid + event.limited)} is won." if event.result == "win" else "It wins nothing."
    yield from _limit(event.paid, event.limited, event.wager, game)


def _bank(event: e.BankSettled, game: Game) -> Iterator[str]:
    yield f"The bank was covered with {dollars(event.stake)}."
    if event.result == "win":
        yield f"After all payments it has won {dollars(event.paid)}."
        if event.commission:
            yield _commission(event.commission, event.paid, game)
    elif event.result == "lose":
        yield f"After all payments it has lost {dollars(event.stake - event.returned)}."
    yield f"{dollars(event.returned)} of the cover comes back."


UNDONE: Final = "The settlement is undone."


def _reversed(event: e.SettlementReversed, game: Game) -> PaymentExplanation:
    """Explain a settlement that is undone: every amount goes the other way, and the stake is on the layout again."""
    settled = event.settled
    if isinstance(settled, e.HouseWagerSettled):
        return _explained(event, "bank", [UNDONE], stake=0, result="reversed")
    paid = settled.cents if isinstance(settled, e.AwardPaid) else settled.paid
    title = "bank" if isinstance(settled, e.BankSettled) else title_of(settled.wager, game)
    back = f" {dollars(paid)} that was paid goes back." if paid else ""
    undone = {name: -getattr(settled, name, 0) for name in ("stake", "returned", "commission")}
    return _explained(event, title, [f"{UNDONE}{back}"], result="reversed", paid=-paid, **undone)
