"""A player's bank: the right to hold it, its cover, its escrow and its settlement.

The main wagers of a round are played against the hands of the seat that banks; everything else stays with the house. No
chip goes from player to player. The banker's cover lies in escrow from no more bets on; losing wagers go into it, and
winning wagers are paid from it. It covers every possible winner, because the table refuses a wager beyond it.
"""

from __future__ import annotations

from crossfelt.errors import Problem
from crossfelt.games.rules import rules_of
from crossfelt.money.ledger import BANK, TRAY, chips_of
from crossfelt.money.odds import Odds
from crossfelt.rulebooks.script import OfferBank
from crossfelt.table import events as e
from crossfelt.table.act import refuse
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import dealer_spot
from crossfelt.table.state import Bank, TableState


def offered_to(table: TableState, step: OfferBank) -> tuple[int, ...]:
    """Return the seats for the offer of the bank, in turn after the seat that banked last."""
    numbers = [seat.number for seat in table.seats]
    if step.order == "counter_clockwise":
        numbers.reverse()
    after = numbers.index(table.last_bank) + 1 if table.last_bank else 0
    turn = numbers[after:] + numbers[:after]
    return tuple(number for number in turn if any(why_not_bank(table, number, co) is None for co in (False, True)))


def why_not_bank(table: TableState, number: int, co_bank: bool) -> Problem | None:
    """Return the reason why a seat may not bank; None if it may.

    Only a player who wagered against the house in the last round may bank. So the house banks the first round, and the
    round after every player's bank.
    """
    settings = table.game.book.settings
    if not table.game.choices["bank.co_bank_offered" if co_bank else "bank.offered"]:
        what = "this table offers no co-bank" if co_bank else "this table does not offer the bank to players"
        return refuse("bank.offered", what, co_bank, where="co_bank")
    if not table.seat(number).last_main:
        what = "only a player who wagered against the house in the last round may bank"
        return refuse("bank.open_to", what, number, where="seat")
    bank = bank_of(table, number, co_bank)
    others = sum(bool(seat.player) for seat in table.seats if seat.number != number)
    needed, covers = _odds(table).paid(bank.house_wager) + others * _least(table), _covers(table, bank)
    if not needed:
        return refuse("bank.alone", "no other player can play against this bank", number, where="seat")
    if covers < needed:
        what, rule = "the chips do not cover the smallest wagers of the other players", settings["bank_covers"]
        return refuse("bank.cover", what, covers, f"{needed:,} cents", rule.clauses, where="seat")
    return None


def bank_of(table: TableState, number: int, co_bank: bool) -> Bank:
    """Return the bank that a seat would hold.

    The dealer stakes the banker's last wager against the house, and nothing against a co-bank, half of which is the
    house's own.
    """
    wager = 0 if co_bank else min(table.seat(number).last_main, table.balances.get(TRAY, 0))
    return Bank(seat=number, co_bank=co_bank, house_wager=wager)


def most_covered(table: TableState, number: int) -> int:
    """Return the largest main wager of a seat that the bank covers, after the smallest wagers of the players yet to
    bet."""
    bank = table.bank
    assert bank is not None
    odds = _odds(table)
    room = _covers(table, bank) - odds.paid(bank.house_wager)
    for seat in table.seats:
        if seat.player and seat.number not in (number, bank.seat):
            staked = seat.wagers.get(table.game.banked_wager)
            room -= odds.paid(staked) if staked is not None else _least(table)
    return ((room + 1) * odds.ratio.denominator - 1) // odds.ratio.numerator


def banked_by(table: TableState, wager: str) -> int:
    """Return the seat whose bank a wager is played against; 0 for the house."""
    return table.bank.seat if table.bank is not None and wager == table.game.banked_wager else 0


def at_stake(table: TableState) -> int:
    """Return the bank's loss if every player won: its cover."""
    assert table.bank is not None
    odds = _odds(table)
    mains = sum(odds.paid(seat.wagers.get(table.game.banked_wager, 0)) for seat in table.seats)
    return mains + odds.paid(table.bank.house_wager)


def house_part(table: TableState, cents: int) -> int:
    """Return the house's part of a bank's cover or loss; the rest is the banker's.

    A win is divided in the same way, from the house's side: a fraction of a cent stays with the house.
    """
    assert table.bank is not None
    return cents * table.game.number("co_bank_share_per_mille") // 1000 if table.bank.co_bank else 0


def promised(table: TableState) -> int:
    """Return the tray's reserve for a bank until no more bets: the dealer's wager, and the house's part of the
    cover."""
    bank = table.bank
    if bank is None or table.bank_covered:
        return 0
    return bank.house_wager + house_part(table, at_stake(table))


def _covers(table: TableState, bank: Bank) -> int:
    """Return the most that a bank can pay: the banker's chips and, in a co-bank, the house's part from the tray."""
    chips, tray = table.balances.get(chips_of(bank.seat), 0), table.balances.get(TRAY, 0)
    if not bank.co_bank:
        return chips
    share = table.game.number("co_bank_share_per_mille")
    return min(chips * 1000 // (1000 - share), (tray * 1000 + 999) // share)


def _least(table: TableState) -> int:
    """Return the bank's largest loss to the smallest wager."""
    return _odds(table).paid(table.game.limits(table.game.banked_wager).min)


def _odds(table: TableState) -> Odds:
    odds = table.game.wager(table.game.banked_wager).odds
    assert odds is not None
    return odds


def cover_bank(recorder: EventRecorder) -> None:
    """Move the bank's largest possible loss into escrow, at no more bets."""
    table = recorder.table
    if table.bank is None:
        return
    needed = at_stake(table)
    house = house_part(table, needed)
    recorder.emit(
        e.BankCovered,
        table.rule("bank_covers"),
        seat=table.bank.seat,
        cents=needed - house,
        house_cents=house,
        house_wager=table.bank.house_wager,
    )


def settle_bank(recorder: EventRecorder) -> None:
    """Settle the dealer's wager, then the bank: its result over all main wagers, less the commission."""
    table, rules = recorder.table, rules_of(recorder.table.game)
    bank, wager = table.bank, table.game.wager(table.game.banked_wager)
    assert bank is not None
    if bank.house_wager:
        settled = rules.settle(wager, bank.house_wager, dealer_spot(table))
        rule = table.rule("dealer_wager_against_bank")
        recorder.emit(e.HouseWagerSettled, rule, settled, bank=bank.seat, stake=bank.house_wager)
    seat = table.seat(bank.seat)
    made = rules.set(seat.cards, seat.low)
    lost, won, left = _lost_and_won(recorder.table, bank)
    recorder.emit(
        e.BankSettled,
        seat=bank.seat,
        stake=bank.cover,
        result="win" if won else "lose" if lost else "push",
        returned=bank.cover - lost,
        paid=won,
        commission=rules.commission(wager, won),
        house_cents=left,
        house_stake=bank.house_cover,
        hand=f"{made.high.name}; {made.low.name}",
        clauses=table.rule("bank_covers").clauses,
        house_rule=table.rule("bank_commission_on").house_rule,
    )


def _lost_and_won(table: TableState, bank: Bank) -> tuple[int, int, int]:
    """Return the banker's part of the escrow's loss and win, and what is left of the escrow for the house.

    A fraction of a cent stays with the house either way.
    """
    escrow = table.balances.get(BANK, 0)
    net = escrow - bank.cover - bank.house_cover
    lost, won = max(0, -net), max(0, net)
    lost, won = lost - house_part(table, lost), won + house_part(table, -won)
    return lost, won, escrow - bank.cover + lost - won


def release_bank(recorder: EventRecorder) -> None:
    """Give back the cover of the bank and the dealer's wager after a void round."""
    table = recorder.table
    bank = table.bank
    if bank is None or not table.bank_covered:
        return
    lost, won, left = _lost_and_won(table, bank)
    recorder.emit(
        e.BankReleased,
        table.rule("void_returns_wagers"),
        seat=bank.seat,
        stake=bank.cover,
        cents=bank.cover - lost + won,
        house_stake=bank.house_cover,
        house_cents=left,
        house_wager=bank.house_wager,
    )
