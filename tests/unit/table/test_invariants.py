"""Events that cannot have happened: the table stops at the first of them, in production too."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.deck import standard_deck
from crossfelt.money.ledger import Unbalanced
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.invariants import CardsAstray
from crossfelt.table.reduce import evolve
from unit.table.manual_table import Play

SETTLED: dict[str, Any] = {"seat": 1, "wager": "ante_across", "stake": 10_00}


@pytest.fixture
def play() -> Play:
    """Ann at her first decision, with two antes of 10 dollars on the layout."""
    play = Play("md-criss-cross")
    play.open_for_bets(1)
    play.bet(1, ante=10_00)
    play.advance(until="decide_across")
    return play


def after(play: Play, kind: type[e.Event], **fields: Any) -> None:
    evolve(play.table, kind(by="a fault", at=play.at, **fields))


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (e.BetPlaced, {"seat": 1, "wager": "across", "cents": 10**12}, "chips:1 would fall to"),
        (e.BetPlaced, {"seat": 1, "wager": "across", "cents": -1}, "a posting of -1 cents"),
        (e.BetPlaced, {"seat": 1, "wager": "ante_down", "cents": 10_00}, "2000 cents on the layout, 3000 at risk"),
        (e.WagerSettled, SETTLED | {"result": "win", "returned": 10_00, "paid": 10**12}, "tray would fall to"),
        (e.WagerSettled, SETTLED | {"result": "lose", "stake": 9_00}, "1000 cents on the layout, 1100 at risk"),
        (e.WagerSettled, SETTLED | {"result": "push", "returned": 11_00}, "a posting of -100 cents"),
        (e.WagerSettled, SETTLED | {"result": "lose", "wager": "down"}, "2000 cents on the layout, 1000 at risk"),
        (e.FoldCollected, {"seat": 1, "wagers": {"ante_across": 30_00}}, "risk:1 would fall to -1000"),
        (e.WagersReturned, {"seat": 1, "wagers": {"ante_across": 10_00}}, "0 cents on the layout, 1000 at risk"),
        (e.AwardPaid, {"seat": 1, "award": "envy", "cents": 10**12}, "tray would fall to"),
        (e.InventoryCredited, {"cents": 10**12}, "tray would fall to"),
    ],
)
def test_money_that_does_not_add_up_stops_the_table(
    play: Play, kind: type[e.Event], fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(Unbalanced, match=message):
        after(play, kind, **fields)


def test_what_did_happen_passes(play: Play) -> None:
    after(play, e.WagerSettled, **SETTLED, result="win", returned=10_00, paid=10_00)
    after(play, e.BetPlaced, seat=1, wager="across", cents=10_00)


@pytest.mark.parametrize("cards", [standard_deck()[1:], (*standard_deck()[1:], Card("As")), (Card("Jk"),) * 52])
def test_a_deck_that_is_not_whole_stops_the_table(play: Play, cards: tuple[Card, ...]) -> None:
    with pytest.raises(CardsAstray, match="each of its 52 cards once"):
        after(play, e.DeckShuffled, deck="A-1", method="manual", cards=cards, needs_cut=True)


@pytest.mark.parametrize("seat", [0, 2])
def test_a_card_in_two_places_stops_the_table(seat: int) -> None:
    play = Play("md-criss-cross")
    play.open_for_bets(1, 2)
    play.bet(1, ante=10_00)
    play.do(c.NoMoreBets)
    twice = tuple(e.Dealt(where, "hole_1", Card("As")) for where in (1, seat))
    with pytest.raises(CardsAstray, match="two places"):
        after(play, e.CardsDealt, cards=twice, method="manual")
