"""The escrow of a player's bank: covered at no more bets, divided at the settlement, released by a void round."""

from __future__ import annotations

from crossfelt.money.ledger import BANK
from crossfelt.table import events as e
from crossfelt.table.bank import BANKED, at_stake, house_part
from crossfelt.table.flow import dealer_spot, pai_gow
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import Bank, TableState


def cover_bank(recorder: EventRecorder) -> None:
    """At no more bets what the bank could lose goes into escrow."""
    table = recorder.table
    if table.bank is None:
        return
    needed = at_stake(table)
    house = house_part(table, needed)
    recorder.emit(
        e.BankCovered,
        table.game.book.settings["bank_covers"],
        seat=table.bank.seat,
        cents=needed - house,
        house_cents=house,
        house_wager=table.bank.house_wager,
    )


def settle_bank(recorder: EventRecorder) -> None:
    """The dealer's wager first, then the bank: what it won or lost over all main wagers, less the commission."""
    _settle_house_wager(recorder)
    table = recorder.table
    bank = table.bank
    assert bank is not None
    seat, rules = table.seat(bank.seat), pai_gow(table)
    made = rules.set(seat.cards, seat.low)
    lost, won = _lost_and_won(table, bank)
    rule = table.game.book.settings["bank_commission_on"]
    recorder.emit(
        e.BankSettled,
        seat=bank.seat,
        stake=bank.cover,
        result="win" if won else "lose" if lost else "push",
        returned=bank.cover - lost,
        paid=won,
        commission=rules.bank_commission(won),
        house_cents=table.balances.get(BANK, 0) - bank.cover + lost - won,
        house_stake=bank.house_cover,
        hand=f"{made.high.name}; {made.low.name}",
        clauses=table.game.book.settings["bank_covers"].clauses,
        house_rule=rule.house_rule,
    )


def _lost_and_won(table: TableState, bank: Bank) -> tuple[int, int]:
    """The banker's part of what the escrow has lost and won; part of a cent stays with the house either way."""
    net = table.balances.get(BANK, 0) - bank.cover - bank.house_cover
    lost, won = max(0, -net), max(0, net)
    return lost - house_part(table, lost), won + house_part(table, -won)


def _settle_house_wager(recorder: EventRecorder) -> None:
    table = recorder.table
    assert table.bank is not None
    stake = table.bank.house_wager
    if not stake:
        return
    settled = pai_gow(table).settle(table.game.wager(BANKED), stake, dealer_spot(table))
    recorder.emit(
        e.HouseWagerSettled,
        table.game.book.settings["dealer_wager_against_bank"],
        bank=table.bank.seat,
        stake=stake,
        result=settled.result,
        returned=settled.returned,
        paid=settled.paid,
        hand=settled.hand,
    )


def release_bank(recorder: EventRecorder) -> None:
    """Give back what covers the bank, and the dealer's wager, after a void round."""
    table = recorder.table
    bank = table.bank
    if bank is None or not table.bank_covered:
        return
    lost, won = _lost_and_won(table, bank)
    recorder.emit(
        e.BankReleased,
        table.game.book.settings["void_returns_wagers"],
        seat=bank.seat,
        stake=bank.cover,
        cents=bank.cover - lost + won,
        house_stake=bank.house_cover,
        house_cents=table.balances.get(BANK, 0) - bank.cover + lost - won,
        house_wager=bank.house_wager,
    )
