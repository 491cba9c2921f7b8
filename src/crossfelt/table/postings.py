"""Postings: the money that each event moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from crossfelt.money.ledger import BANK, CAGE, HOUSE_RISK, TRAY, Posting, chips_of, meter_account, risk_of
from crossfelt.progressive.wheels import paying_meter
from crossfelt.table import events as e
from crossfelt.table.state import TableState


def postings(table: TableState, event: e.Event) -> tuple[Posting, ...]:
    """Return the balanced movements of an event; `table` is the table before it."""
    rule = _RULES.get(type(event))
    return rule(table, event) if rule else ()


def _placed(table: TableState, event: e.WagersPlaced) -> tuple[Posting, ...]:
    chips, risk = chips_of(event.seat), risk_of(event.seat)
    before, now = sum(table.seat(event.seat).wagers.values()), sum(event.wagers.values())
    return (Posting(risk, chips, before), Posting(chips, risk, now))


def _settled(table: TableState, event: e.WagerSettled) -> tuple[Posting, ...]:
    risk, chips = risk_of(event.seat), chips_of(event.seat)
    banker = BANK if event.bank else TRAY
    payer = meter_account(paying_meter(table.game, event.wager, event.line)) if event.source else banker
    return (
        Posting(risk, chips, event.returned),
        Posting(risk, banker, event.stake - event.returned),
        Posting(payer, chips, event.paid - event.from_inventory),
        Posting(TRAY, chips, event.from_inventory),
        Posting(chips, TRAY, event.commission),
    )


def _covered(_: TableState, event: e.BankCovered) -> tuple[Posting, ...]:
    return (
        Posting(chips_of(event.seat), BANK, event.cents),
        Posting(TRAY, BANK, event.house_cents),
        Posting(TRAY, HOUSE_RISK, event.house_wager),
    )


def _house_settled(_: TableState, event: e.HouseWagerSettled) -> tuple[Posting, ...]:
    return (
        Posting(HOUSE_RISK, TRAY, event.returned),
        Posting(HOUSE_RISK, BANK, event.stake - event.returned),
        Posting(BANK, TRAY, event.paid),
    )


def _bank_settled(_: TableState, event: e.BankSettled) -> tuple[Posting, ...]:
    chips = chips_of(event.seat)
    return (
        Posting(BANK, chips, event.returned + event.paid),
        Posting(BANK, TRAY, event.house_cents),
        Posting(chips, TRAY, event.commission),
    )


def _bank_released(_: TableState, event: e.BankReleased) -> tuple[Posting, ...]:
    return (
        Posting(BANK, chips_of(event.seat), event.cents),
        Posting(BANK, TRAY, event.house_cents),
        Posting(HOUSE_RISK, TRAY, event.house_wager),
    )


def _award(table: TableState, event: e.AwardPaid) -> tuple[Posting, ...]:
    payer = meter_account(paying_meter(table.game, event.wager)) if event.source else TRAY
    chips = chips_of(event.seat)
    return (Posting(payer, chips, event.cents - event.from_inventory), Posting(TRAY, chips, event.from_inventory))


def _reversed(table: TableState, event: e.SettlementReversed) -> tuple[Posting, ...]:
    return tuple(Posting(one.target, one.source, one.cents) for one in postings(table, event.settled))


def _returned(_: TableState, event: e.WagersReturned) -> tuple[Posting, ...]:
    chips = chips_of(event.seat)
    return (
        Posting(risk_of(event.seat), chips, sum(event.wagers.values())),
        Posting(TRAY, chips, sum(event.forfeited.values())),
    )


def _corrected(_: TableState, event: e.ChipsCorrected) -> tuple[Posting, ...]:
    chips, cents = chips_of(event.seat), event.after_cents - event.before_cents
    return (Posting(TRAY, chips, cents) if cents > 0 else Posting(chips, TRAY, -cents),)


_RULES: Mapping[type, Callable[[TableState, Any], tuple[Posting, ...]]] = {
    e.TableOpened: lambda _, event: (Posting(CAGE, TRAY, event.inventory_cents),),
    e.TableClosed: lambda _, event: (Posting(TRAY, CAGE, event.inventory_cents),),
    e.InventoryFilled: lambda _, event: (Posting(CAGE, TRAY, event.cents),),
    e.InventoryCredited: lambda _, event: (Posting(TRAY, CAGE, event.cents),),
    e.ChipsBought: lambda _, event: (Posting(CAGE, chips_of(event.seat), event.cents),),
    e.SeatTaken: lambda _, event: (Posting(CAGE, chips_of(event.seat), event.chips_cents),),
    e.SeatLeft: lambda _, event: (Posting(chips_of(event.seat), CAGE, event.chips_cents),),
    e.WagersPlaced: _placed,
    e.BetPlaced: lambda _, event: (Posting(chips_of(event.seat), risk_of(event.seat), event.cents),),
    e.ChoiceMade: lambda _, event: (Posting(risk_of(event.seat), chips_of(event.seat), event.cents),),
    e.WagerSettled: _settled,
    e.BankCovered: _covered,
    e.HouseWagerSettled: _house_settled,
    e.BankSettled: _bank_settled,
    e.BankReleased: _bank_released,
    e.AwardPaid: _award,
    # The coupon itself is not money: only its winnings move.
    e.CouponSettled: lambda _, event: (Posting(TRAY, chips_of(event.seat), event.paid),),
    e.FoldCollected: lambda _, event: (Posting(risk_of(event.seat), TRAY, sum(event.wagers.values())),),
    e.WagersForfeited: lambda _, event: (Posting(risk_of(event.seat), TRAY, sum(event.wagers.values())),),
    e.SettlementReversed: _reversed,
    e.WagersReturned: _returned,
    e.ChipsCorrected: _corrected,
    # The whole stake stays in the tray. The house feeds the meter, and seeds it, from the cage.
    e.ContributionMade: lambda _, event: (Posting(CAGE, meter_account(event.meter), event.cents),),
    e.ContributionReversed: lambda _, event: (Posting(meter_account(event.meter), CAGE, event.cents),),
    e.AwardGranted: lambda _, event: (Posting(CAGE, meter_account(event.meter), event.cents),),
}
