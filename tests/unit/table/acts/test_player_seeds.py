"""The players' seeds permute the cards after no more bets, and before anything is drawn or dealt."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from crossfelt.cards.player_seeds import mix_of, mixed_order, seed_hash
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts.player_seeds import HOUSE_RULE
from unit.proof.test_verify import checked, fault_of, rows_of, written
from unit.table.manual_table import BOOKS, Play, only
from unit.table.random_table import ALL_GAMES, Driver

SEEDS = {1: "the seed of the first player", 2: "the seed of the second player"}


def locked(book: str) -> Play:
    """Return a table after no more bets: two players have sent a seed, and a third has not."""
    play = Play(book).open_for_bets(1, 2, 3)
    for seat in (1, 2, 3):
        play.bet(seat)
    for seat, seed in SEEDS.items():
        wagers = dict(play.seat(seat).wagers)
        play.do(c.PlaceWagers, seat=seat, wagers=wagers, seed_hash=seed_hash(seed))
    play.do(c.NoMoreBets)
    return play


@pytest.mark.parametrize("book", BOOKS)
def test_the_deal_waits_for_the_seeds_which_permute_the_deck(book: str) -> None:
    play = locked(book)
    house = play.table.deck.cards
    assert play.table.seeds_due == (1, 2)
    for kind, fields in ((c.DealCards, {}), (c.OrderRecut, {"reason": "a doubt"})):
        problem = play.refusal(kind, **fields)
        assert (problem.code, problem.house_rule) == ("seeds.due", HOUSE_RULE)
    event = only(play.do(c.MixDeck, round_id="main/1", seeds=tuple(SEEDS.items())), e.DeckMixed)
    assert [(one.seat, one.seed) for one in event.seeds] == list(SEEDS.items())
    assert (event.missing, event.house_rule, event.clauses) == ((), HOUSE_RULE, ())
    assert play.table.deck.cards == mixed_order(house, mix_of("main/1", event.seeds)) != house
    assert play.refusal(c.OrderRecut, reason="a doubt").code == "cut.recut"
    assert play.refusal(c.MixDeck, round_id="main/1").code == "seed.step"
    dealt = only(play.do(c.DealCards), e.CardsDealt)
    assert [one.card for one in dealt.cards] == list(play.table.deck.cards[: len(dealt.cards)])


@pytest.mark.parametrize("book", BOOKS)
def test_a_deck_that_a_receipt_names_is_not_cut_again(book: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1)
    recut = "order_recut" in play.may("floor")
    wagers = dict(play.seat(1).wagers)
    play.do(c.PlaceWagers, seat=1, wagers=wagers, seed_hash=seed_hash(SEEDS[1]))
    assert "order_recut" not in play.may("floor")
    problem = play.refusal(c.OrderRecut, reason="a doubt")
    assert (problem.code, problem.house_rule if recut else "") == ("cut.recut", HOUSE_RULE if recut else "")
    play.do(c.PlaceWagers, seat=1, wagers={})
    assert ("order_recut" in play.may("floor")) == recut


@pytest.mark.parametrize(
    ("seeds", "code"),
    [
        ({3: SEEDS[1]}, "seed.step"),
        ({1: SEEDS[2]}, "seed.other"),
        ({1: "short"}, "seed.text"),
        ({1: "a line\nand another line"}, "seed.text"),
    ],
)
def test_only_the_seed_whose_hash_was_sent_is_mixed_in(seeds: dict[int, str], code: str) -> None:
    play = locked(BOOKS[0])
    assert play.refusal(c.MixDeck, round_id="main/1", seeds=tuple(seeds.items())).code == code


def test_a_seed_that_did_not_arrive_is_named() -> None:
    play = locked(BOOKS[0])
    event = only(play.do(c.MixDeck, round_id="main/1", seeds=((1, SEEDS[1]),)), e.DeckMixed)
    assert [(one.seat, one.player, one.hash) for one in event.missing] == [
        (2, play.seat(2).player, seed_hash(SEEDS[2]))
    ]


def test_wagers_that_are_taken_back_take_the_seed_along() -> None:
    play = Play(BOOKS[0]).open_for_bets(1, 2)
    play.bet(1)
    play.bet(2)
    wagers = dict(play.seat(1).wagers)
    play.do(c.PlaceWagers, seat=1, wagers=wagers, seed_hash=seed_hash(SEEDS[1]))
    play.do(c.PlaceWagers, seat=1, wagers=wagers)
    assert play.seat(1).seed_hash, "another wager keeps the seed"
    assert play.refusal(c.PlaceWagers, seat=1, wagers=wagers, seed_hash="a hash").code == "seed.hash"
    play.do(c.PlaceWagers, seat=1, wagers={})
    play.do(c.NoMoreBets)
    assert (play.seat(1).seed_hash, play.table.seeds_due) == ("", ())


@pytest.mark.parametrize("number", range(0, len(ALL_GAMES), 3))
def test_rounds_with_seeds_verify_and_another_seed_does_not(number: int) -> None:
    book, choices = ALL_GAMES[number]
    driver = Driver(compile_game(book, choices), number, seeds=True)
    driver.play(4)
    rows = rows_of(driver)
    assert checked(written(driver.table.game, rows)).fault is None
    place = next(at for at, (command, _) in enumerate(rows) if isinstance(command, c.MixDeck))
    command, (event,) = rows[place]
    assert isinstance(event, e.DeckMixed)
    forged: Any = replace(event, seeds=tuple(replace(one, seed="a seed of the house") for one in event.seeds))
    rows[place] = (command, (forged,))
    assert fault_of(driver.table.game, rows).check == "event"
