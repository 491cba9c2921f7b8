"""Chips and money: what a table's row moves is written into the account of its player, in the same commit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import account_key, account_stream
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.scheduler import bot_style
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.store.interface import Transaction
from crossfelt.table import events as e


class _Moved(NamedTuple):
    player: str
    seat: int
    cents: int
    """To the table; less than nothing where they come back."""


class AccountCashier:
    """Moves play money of accounts; bots bring their own."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def streams(self, rows: Collection[TableEntry]) -> Collection[str]:
        return {account_stream(account_key(moved.player)) for row in rows if row.moves_chips for moved in _moves(row)}

    def move(self, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        if not row.moves_chips:
            return
        table, command_id = settings.id, row.command.id
        for moved in _moves(row):
            key = account_key(moved.player)
            if moved.cents > 0:
                identity = Identity(account=key, name=moved.player, roles=("player",))
                self._accounts.take_to_table(tx, identity, moved.cents, table, moved.seat, command_id)
            else:
                self._accounts.bring_back(tx, key, -moved.cents, table, moved.seat, command_id, row.command.who)


def _moves(row: TableEntry) -> Iterator[_Moved]:
    for event in row.events:
        match event:
            case e.SeatTaken() if bot_style(event.player) is None:
                yield _Moved(event.player, event.seat, event.chips_cents)
            case e.ChipsBought():
                player = row.before.seat(event.seat).player
                if bot_style(player) is None:
                    yield _Moved(player, event.seat, event.cents)
            case e.SeatLeft():
                player = row.before.seat(event.seat).player
                if bot_style(player) is None:
                    yield _Moved(player, event.seat, -event.chips_cents)
