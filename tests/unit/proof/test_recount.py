"""The second books agree with the ledger, and complain where it differs."""

from __future__ import annotations

import msgspec
import pytest

from crossfelt.cards.card import enc_hook
from crossfelt.proof.recount import Recount
from crossfelt.rulebooks.game import compile_game
from unit.table.random_table import ALL_GAMES, Driver


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(40))
def test_the_second_books_agree_with_the_ledger(seed: int) -> None:
    driver = Driver(compile_game(*ALL_GAMES[seed % len(ALL_GAMES)]), seed, players=1 + seed % 6, trouble=0.1)
    driver.play(2)
    books = Recount()
    for row in driver.lived:
        for event in row.events:
            books.see(msgspec.to_builtins(event, enc_hook=enc_hook))
        assert list(books.differences(row.after.balances)) == []
    assert books.tray == driver.table.balances.get("tray", 0)
    assert books.money.staked - books.money.returned - books.money.lost == sum(books.layout.values())


def test_the_books_complain_of_a_ledger_that_differs() -> None:
    books = Recount()
    books.see({"event": "table_opened", "inventory_cents": 500})
    assert list(books.differences({"cage": -500, "tray": 500})) == []
    assert list(books.differences({"cage": -400, "tray": 400})) == [
        "tray stands at 400 cents in the ledger; counted again it is 500"
    ]
    assert list(books.differences({"tray": 500})) == ["the accounts sum to 500 cents, not to nothing"]
    books.see({"event": "inventory_credited", "cents": 600})
    assert "tray is overdrawn: -100 cents" in list(books.differences({}))
