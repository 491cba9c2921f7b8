"""Postings: the money that each event moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from crossfelt.money.ledger import BANK, CAGE, HOUSE_RISK, TRAY, Posting, chips_of, meter_account, risk_of
from crossfelt.progressive.wheels import meter_of
from crossfelt.table import events as e
from crossfelt.table.state import TableState


def postings(table: TableState, event: e.Event) -> tuple[Posting, ...]:
    """The balanced movements an event makes on a table as it stood before."""
    rule = _RULES.get(type(event))
    return rule(table, event) if rule else ()


def _opened(_: TableState, event: e.TableOpened) -> tuple[Posting, ...]:
    return (Posting(CAGE, TRAY, event.inventory_cents),)


def _closed(_: TableState, event: e.TableClosed) -> tuple[Posting, ...]:
    return (Posting(TRAY, CAGE, event.inventory_cents),)


def _filled(_: TableState, event: e.InventoryFilled) -> tuple[Posting, ...]:
    return (Posting(CAGE, TRAY, event.cents),)


def _credited(_: TableState, event: e.InventoryCredited) -> tuple[Posting, ...]:
    return (Posting(TRAY, CAGE, event.cents),)


def _bought(_: TableState, event: e.ChipsBought) -> tuple[Posting, ...]:
    return (Posting(CAGE, chips_of(event.seat), event.cents),)


def _taken(_: TableState, event: e.SeatTaken) -> tuple[Posting, ...]:
    return (Posting(CAGE, chips_of(event.seat), event.chips_cents),)


def _left(_: TableState, event: e.SeatLeft) -> tuple[Posting, ...]:
    return (Posting(chips_of(event.seat), CAGE, event.chips_cents),)


def _placed(table: TableState, event: e.WagersPlaced) -> tuple[Posting, ...]:
    chips, risk = chips_of(event.seat), risk_of(event.seat)
    before, now = sum(table.seat(event.seat).wagers.values()), sum(event.wagers.values())
    return (Posting(risk, chips, before), Posting(chips, risk, now))


def _bet(_: TableState, event: e.BetPlaced) -> tuple[Posting, ...]:
    return (Posting(chips_of(event.seat), risk_of(event.seat), event.cents),)


def _settled(table: TableState, event: e.WagerSettled) -> tuple[Posting, ...]:
    risk, chips = risk_of(event.seat), chips_of(event.seat)
    banker = BANK if event.bank else TRAY
    payer = meter_account(meter_of(table.game, event.wager).id) if event.source else banker
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


def _coupon(_: TableState, event: e.CouponSettled) -> tuple[Posting, ...]:
    """The coupon itself is not money: only what it wins moves."""
    return (Posting(TRAY, chips_of(event.seat), event.paid),)


def _award(table: TableState, event: e.AwardPaid) -> tuple[Posting, ...]:
    payer = meter_account(meter_of(table.game, event.wager).id) if event.source else TRAY
    chips = chips_of(event.seat)
    return (
        Posting(payer, chips, event.cents - event.from_inventory),
        Posting(TRAY, chips, event.from_inventory),
    )


def _contribution(_: TableState, event: e.ContributionMade | e.AwardGranted) -> tuple[Posting, ...]:
    """The house keeps the whole stake in the tray, and feeds the meter, or puts in its reset amount, from the cage."""
    return (Posting(CAGE, meter_account(event.meter), event.cents),)


def _reversal(_: TableState, event: e.ContributionReversed) -> tuple[Posting, ...]:
    return (Posting(meter_account(event.meter), CAGE, event.cents),)


def _lost(_: TableState, event: e.FoldCollected | e.WagersForfeited) -> tuple[Posting, ...]:
    return (Posting(risk_of(event.seat), TRAY, sum(event.wagers.values())),)


def _reversed(table: TableState, event: e.SettlementReversed) -> tuple[Posting, ...]:
    return tuple(Posting(one.target, one.source, one.cents) for one in postings(table, event.settled))


def _returned(_: TableState, event: e.WagersReturned) -> tuple[Posting, ...]:
    chips = chips_of(event.seat)
    return (
        Posting(risk_of(event.seat), chips, sum(event.wagers.values())),
        Posting(TRAY, chips, sum(event.forfeited.values())),
    )


_RULES: Mapping[type, Callable[[TableState, Any], tuple[Posting, ...]]] = {
    e.TableOpened: _opened,
    e.TableClosed: _closed,
    e.InventoryFilled: _filled,
    e.InventoryCredited: _credited,
    e.ChipsBought: _bought,
    e.SeatTaken: _taken,
    e.SeatLeft: _left,
    e.WagersPlaced: _placed,
    e.BetPlaced: _bet,
    e.WagerSettled: _settled,
    e.BankCovered: _covered,
    e.HouseWagerSettled: _house_settled,
    e.BankSettled: _bank_settled,
    e.BankReleased: _bank_released,
    e.AwardPaid: _award,
    e.CouponSettled: _coupon,
    e.FoldCollected: _lost,
    e.WagersForfeited: _lost,
    e.SettlementReversed: _reversed,
    e.WagersReturned: _returned,
    e.ContributionMade: _contribution,
    e.ContributionReversed: _reversal,
    e.AwardGranted: _contribution,
}
