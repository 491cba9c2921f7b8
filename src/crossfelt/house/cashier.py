"""Chips and money: what a table's row moves is written into the account of its player, in the same commit."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.accounts.naming import account_key, account_stream
from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.store.port import Transaction
from crossfelt.house.tables.playing import bot_style
from crossfelt.house.tables.rows import Row, is_personal
from crossfelt.house.tables.settings import TableSettings
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

    def streams(self, rows: Collection[Row]) -> Collection[str]:
        return {account_stream(account_key(moved.player)) for row in rows if row.moves_chips for moved in _moves(row)}

    def move(self, tx: Transaction, settings: TableSettings, row: Row) -> None:
        if not row.moves_chips:
            return
        # A person's ids are good for all openings of a table, what the house does by itself is numbered anew in each.
        # No name has a colon in it.
        table, asked = settings.id, row.command.id
        command_id = asked if is_personal(asked) else f"{settings.opening}:{asked}"
        for moved in _moves(row):
            key = account_key(moved.player)
            if moved.cents > 0:
                identity = Identity(account=key, name=moved.player, roles=("player",))
                self._accounts.take_to_table(tx, identity, moved.cents, table, moved.seat, command_id)
            else:
                self._accounts.bring_back(tx, key, -moved.cents, table, moved.seat, command_id, row.command.who)


def _moves(row: Row) -> Iterator[_Moved]:
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
