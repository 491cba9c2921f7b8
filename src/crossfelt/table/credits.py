"""Credits of the progressive wager: draws, winnings, validation, claims and payments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from crossfelt.cards.card import Card
from crossfelt.games.progressive_wager import LUCKY_PLAYER, MAGIC, award_rate, bonus_table, drawn_awards, lucky_award
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Settlement
from crossfelt.money.ledger import TRAY
from crossfelt.progressive.meter import MICROS
from crossfelt.progressive.split import BySeat, ShareMethod
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayTable
from crossfelt.rulebooks.script import Lock, Settle
from crossfelt.table import events as e
from crossfelt.table.act import joined, together
from crossfelt.table.meter_claims import claim
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import spot_of
from crossfelt.table.state import Award, Seat, TableState, seats_in_order, step_as, step_of

LUCKY_SEAT: Final = "lucky_seat"
LUCKY_DEALER: Final = "lucky_dealer"
"""Two of the devices that draw; the third draws the magic card."""


# --- the start button -------------------------------------------------------------------------------------------------


def draw_due(table: TableState) -> bool:
    """Say if the progressive system is about to draw: bets are locked, and a hand has credits on it."""
    return isinstance(step_of(table), Lock) and table.drawn is None and bool(drawable(table))


def drawable(table: TableState) -> frozenset[str]:
    """List the random awards that a seat can win in this round."""
    game = table.game
    bet = {wager for seat in table.seats for wager in seat.wagers if wager in game.credit_wagers}
    return drawn_awards(game) & {MAGIC, *(lucky_award(game, wager) for wager in bet)} if bet else frozenset()


def lucky_seats(table: TableState) -> tuple[int, ...]:
    """Return the seats of the Lucky Player's draw: those with the wager, or all."""
    if LUCKY_PLAYER not in drawable(table):
        return ()
    if table.game.settings["lucky_player_goes_to"] == "all_seats":
        return tuple(seat.number for seat in table.seats)
    on_own_hand = [wager for wager, on_dealer in table.game.credit_wagers.items() if not on_dealer]
    return tuple(seat.number for seat in table.seats if any(wager in seat.wagers for wager in on_own_hand))


def draw_weights(table: TableState) -> Mapping[str, tuple[int, ...]]:
    """Return the weights of each draw: no award first, then the seats by number, "yes", or the cards in order."""
    seats, awards = lucky_seats(table), drawable(table)
    cards = table.game.number("magic_card_from") if MAGIC in awards else 0
    return {
        LUCKY_SEAT: _weights(table.game, "lucky_player", [seat.number in seats for seat in table.seats]),
        LUCKY_DEALER: _weights(table.game, "lucky_dealer", ["lucky_dealer" in awards]),
        MAGIC: _weights(table.game, MAGIC, [True] * cards),
    }


Stop = Callable[[TableState, str, Sequence[int]], int | None]
"""A function that asks a source for the stop of a device."""


def awards_by(table: TableState, stop: Stop) -> dict[str, Any] | None:
    """Return the fields of a `DrawAwards` from a source of chance; None where only the dealer can read them."""
    stops = {device: stop(table, device, weights) for device, weights in draw_weights(table).items()}
    seat, dealer, card = (stops[device] for device in (LUCKY_SEAT, LUCKY_DEALER, MAGIC))
    if seat is None or dealer is None or card is None:
        return None
    return {"lucky_seat": seat, "lucky_dealer": bool(dealer), "magic_card": Card(card - 1) if card else None}


def _weights(game: Game, award: str, falls_on: Sequence[bool]) -> tuple[int, ...]:
    """Return the weights of a draw: its frequency in a million rounds, spread evenly over the outcomes that can win."""
    rate, outcomes = award_rate(game, award) if any(falls_on) else 0, sum(falls_on)
    nothing = (MICROS - rate) * outcomes if outcomes else 1
    return (nothing, *(rate if falls else 0 for falls in falls_on))


# --- what is won ------------------------------------------------------------------------------------------------------


def settled_credits(table: TableState, seat: Seat, wager_id: str) -> Settlement | None:
    """Return the settlement of a seat's credits on its hand; None where the seat has none."""
    if wager_id not in seat.wagers:
        return None
    return rules_of(table.game).settle(table.game.wager(wager_id), seat.wagers[wager_id], spot_of(table, seat))


def announce_awards(recorder: EventRecorder, number: int) -> None:
    """Announce the random awards of a seat whose hands are exposed, for its stakes on either hand."""
    table, seat = recorder.table, recorder.table.seat(number)
    if table.drawn is None:
        return
    for wager_id in table.game.credit_wagers:
        if wager_id not in seat.wagers:
            continue
        wager = table.game.wager(wager_id)
        for won in rules_of(table.game).random_awards(wager, seat.wagers[wager_id], spot_of(table, seat)):
            recorder.emit(e.AwardWon, bonus_rule(table, won.award), won, seat=number, wager=wager_id)


def bonus_rule(table: TableState, *awards: str) -> Cited:
    """Return the rule of random awards: that of their table, and those of their lines."""
    return _with_lines(table.game.pays[bonus_table(table.game)], *awards)


def _with_lines(pays: PayTable, *names: str) -> Cited:
    lines = [line for line in pays.lines if line.name in names]
    return Cited(
        clauses=together(pays.clauses, *(line.clauses for line in lines)),
        readings=together(pays.readings, *(line.readings for line in lines)),
        house_rule=pays.house_rule,
    )


def _owed(table: TableState, number: int, wager_id: str) -> tuple[Award, ...]:
    """Return the random awards of a seat that are still to be paid with a wager."""
    return tuple(award for award in table.awards if (award.seat, award.wager) == (number, wager_id))


# --- checking and claiming --------------------------------------------------------------------------------------------


def awaiting_validation(table: TableState) -> tuple[int, str] | None:
    """Return the seat and the wager whose win a supervisor must validate first."""
    if not table.turn or not isinstance(step_of(table), Settle):
        return None
    seat = table.seat(table.turn[0])
    waiting = (wager for wager in seat.verified if wager not in seat.validated)
    return next(((seat.number, wager) for wager in waiting), None)


def _verify(recorder: EventRecorder, number: int, wager_id: str) -> None:
    table, seat = recorder.table, recorder.table.seat(number)
    won = settled_credits(table, seat, wager_id)
    recorder.emit(
        e.AwardVerified,
        table.rule("award_checks"),
        seat=number,
        wager=wager_id,
        hand=won.hand if won is not None and won.result == "win" else "",
        awards=tuple(award.award for award in _owed(table, number, wager_id)),
    )


def claim_credits(recorder: EventRecorder, number: int, wager_id: str) -> None:
    """Claim a seat's awards from the meter, at its amount in the player's turn (PGP-24)."""
    table, seat = recorder.table, recorder.table.seat(number)
    units = table.game.credit_cents(table.game.wager(wager_id))
    alone = ((number, seat.placed[wager_id] // units),)
    from_meter = table.game.settings["odds_paid_from"] == "meter"
    won = settled_credits(table, seat, wager_id)
    if won is not None:
        if won.meter_percent and number not in table.granted.get(wager_id, {}):
            on_dealer = table.game.wager(wager_id).deciding[0].startswith("dealer.")
            setting = "share_method_dealer" if on_dealer else "share_method"
            method: ShareMethod = "by_credits" if table.game.settings[setting] == "by_credits" else "equally"
            winners = _sharers(table, wager_id, won)
            rule = table.rule(setting) if on_dealer or len(winners) > 1 else None
            percent, meter = won.meter_percent, won.meter
            claim(recorder, wager_id, winners, percent=percent, meter=meter, method=method, shared_by=rule)
        elif won.paid and from_meter:
            claim(recorder, wager_id, alone, cents=won.paid)
    for award in _owed(table, number, wager_id) if from_meter else ():
        claim(recorder, wager_id, alone, cents=award.cents, award=award.award)


def _sharers(table: TableState, wager_id: str, won: Settlement) -> BySeat:
    """List the seats that share a meter award, in the order of payment, with their credits (PGP-25, PGP-26)."""
    units = table.game.credit_cents(table.game.wager(wager_id))
    return tuple(
        (seat.number, seat.wagers[wager_id] // units)
        for seat in seats_in_order(table, step_as(table, Settle).order)
        if (settled := settled_credits(table, seat, wager_id)) is not None and settled.line == won.line
    )


# --- paying -----------------------------------------------------------------------------------------------------------


def pay_credits(recorder: EventRecorder, number: int, wager_id: str) -> bool:
    """Pay the winnings of a seat's credits; return False where another act must come first.

    The dealer verifies the award, a supervisor validates it, the meter grants it, and then it is paid. If the rules ask
    for no such checks, only the meter comes first.
    """
    table, seat = recorder.table, recorder.table.seat(number)
    won = settled_credits(table, seat, wager_id)
    owed = _owed(table, number, wager_id)
    if won is None and not owed:
        return True
    if won is not None and won.result != "win" and not owed:
        _settle_hand(recorder, number, wager_id, won)
        return True
    if table.game.listed("award_checks"):
        if wager_id not in seat.verified:
            _verify(recorder, number, wager_id)
            return False
    elif won is not None and won.meter_percent and number not in table.granted.get(wager_id, {}):
        claim_credits(recorder, number, wager_id)
        return False
    if (short := _short_cents(recorder.table, seat, wager_id, won, owed)) > 0:
        recorder.emit(e.PaymentHalted, seat=number, wager=wager_id, short_cents=short)
        return False
    if won is not None:
        _settle_hand(recorder, number, wager_id, won)
    for award in owed:
        rule = joined(bonus_rule(table, award.award), table.rule("odds_paid_from"))
        granted = _from_meter(recorder.table, award.award, number)
        recorder.emit(e.AwardPaid, rule, award, **_source(award.cents, granted))
    return True


def _short_cents(table: TableState, seat: Seat, wager_id: str, won: Settlement | None, owed: Sequence[Award]) -> int:
    """Return the cents that the tray lacks for its own part of the payment; the meter pays the rest."""
    from_tray = sum(award.cents - _from_meter(table, award.award, seat.number) for award in owed)
    tray = table.balances.get(TRAY, 0)
    if won is not None:
        from_tray += 0 if won.meter_percent else won.paid - _from_meter(table, wager_id, seat.number)
        tray += seat.wagers[wager_id] - won.returned
    return from_tray - tray


def _from_meter(table: TableState, name: str, seat: int) -> int:
    """Return the cents that the meter has granted a seat for its wager or random award."""
    return table.granted.get(name, {}).get(seat, 0)


def _source(paid: int, from_meter: int) -> dict[str, Any]:
    """Return the fields of a payment that say who pays it: the meter, the table inventory, or both (AMB-23)."""
    return {"source": "meter" if from_meter else "", "from_inventory": paid - from_meter}


def _settle_hand(recorder: EventRecorder, number: int, wager_id: str, won: Settlement) -> None:
    table, wager = recorder.table, recorder.table.game.wager(wager_id)
    granted = _from_meter(table, wager_id, number)
    paid = granted if won.meter_percent else won.paid
    won_by = _with_lines(table.game.pays[wager.pays or ""], won.line) if won.result == "win" else Cited()
    paid_by = table.rule("odds_paid_from") if won.paid else Cited()
    recorder.emit(
        e.WagerSettled,
        joined(wager.rule, won_by, paid_by),
        won,
        seat=number,
        wager=wager_id,
        stake=table.seat(number).wagers[wager_id],
        paid=paid,
        **_source(paid, granted),
        house_rule=wager.house_rule,
    )
