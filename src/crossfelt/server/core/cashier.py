"""Moves chips between players' accounts and a table, in the commit of the table's row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import account_key, account_stream
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.store.interface import Transaction
from crossfelt.table import events as e


class AccountCashier:
    """Moves the play money of accounts. Bots bring their own."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def streams(self, rows: Collection[TableEntry]) -> Collection[str]:
        return {account_stream(account_key(move.player)) for row in rows for move in _moves(row)}

    def move(self, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        table, command_id = settings.id, row.command.id
        for move in _moves(row):
            key = account_key(move.player)
            if move.cents > 0:
                if not settings.owner:
                    self._accounts.require_player(tx, key)
                identity = Identity(account=key, name=move.player, roles=("player",))
                self._accounts.take_to_table(tx, identity, move.cents, table, move.seat, command_id)
            else:
                self._accounts.bring_back(tx, key, -move.cents, table, move.seat, command_id, row.command.who)


class PracticeCashier:
    """The cashier of a table without accounts: a physical one, or one with chips for practice."""

    def streams(self, rows: Collection[TableEntry]) -> Collection[str]:
        return ()

    def move(self, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        pass


class _Move(NamedTuple):
    player: str
    seat: int
    cents: int
    """To the table; negative if the chips go back to the account."""


def _moves(row: TableEntry) -> Iterator[_Move]:
    for event in row.events:
        match event:
            case e.SeatTaken():
                move = _Move(event.player, event.seat, event.chips_cents)
            case e.ChipsBought():
                move = _Move(row.before.seat(event.seat).player, event.seat, event.cents)
            case e.SeatLeft():
                move = _Move(row.before.seat(event.seat).player, event.seat, -event.chips_cents)
            case _:
                continue
        if bot_style(move.player) is None:
            yield move
