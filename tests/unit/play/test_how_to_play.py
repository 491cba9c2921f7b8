"""The beginner's text follows the rulebook: every number in it comes from the data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from crossfelt.money import Odds
from crossfelt.play.game_summary import differences, summary_of
from crossfelt.play.guide import guide_of
from crossfelt.play.how_to_play import how_to_play
from crossfelt.play.posted_notice import posted_notice
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import load, load_shipped, rulebook_ids
from crossfelt.rulebooks.model import PayTable, Rulebook
from crossfelt.rulebooks.script import Action

FOUR_CARD_POKER: Final = Path(__file__).parents[3] / "examples" / "rulebooks" / "four-card-poker.toml"


def texts(game: Game) -> str:
    """Return everything that a beginner reads."""
    return " ".join([_plain(how_to_play(game)), *(caption.text for caption in guide_of(game))])


def _plain(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value))


def with_wager(book: Rulebook, wager_id: str, **stake: Any) -> Rulebook:
    wagers = [
        replace(wager, stake=replace(wager.stake, **stake)) if wager.id == wager_id else wager for wager in book.wagers
    ]
    return replace(book, wagers=tuple(wagers))


def with_table(book: Rulebook, name: str, change: Any) -> Rulebook:
    tables = [change(table) if table.id == name else table for table in book.paytables]
    return replace(book, paytables=tuple(tables))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_wager_on_offer_is_explained_with_its_stake_and_its_pay(rulebook: str) -> None:
    game = compile_game(rulebook)
    text = how_to_play(game)
    assert [bet.id for bet in text.bets] == [wager.id for wager in game.wagers]
    for wager, bet in zip(game.wagers, text.bets, strict=True):
        said = " ".join(bet.text)
        assert len(bet.text) >= 2, said
        if wager.pays is not None:
            best = game.pays[wager.pays].lines[0]
            assert str(best.odds if best.odds is not None else f"{best.meter_percent} %") in said
        if wager.odds is not None:
            assert str(wager.odds) in said


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_guided_hand_has_six_to_nine_short_captions(rulebook: str) -> None:
    captions = guide_of(compile_game(rulebook))
    assert 6 <= len(captions) <= 9
    assert captions[0].at == "open_bets"
    assert captions[-1].at == "end"
    for caption in captions:
        assert len(caption.text) <= 340, caption.text
        assert "_" not in caption.text


def test_a_bet_on_the_dealers_cards_says_so() -> None:
    told = {bet.id: " ".join(bet.text) for bet in how_to_play(compile_game("nj-pai-gow")).bets}
    assert "paid on the best hand in your seven cards." in told["progressive_player"]
    assert "paid on the best hand in the dealer's seven cards." in told["progressive_dealer"]
    assert "It also wins on the dealer's seven cards without a pair: jack high pays 5 to 1" in told["imperial"]


def test_a_game_against_the_dealer_says_what_its_hands_win() -> None:
    captions = guide_of(compile_game(load(str(FOUR_CARD_POKER))))
    assert "Your hand must beat the dealer's." in captions[0].text
    assert captions[-1].text.endswith("Equal hands pay 1 to 1.")


def test_other_multiples_change_the_text() -> None:
    book = with_wager(load_shipped("nj-criss-cross"), "across", max=5)
    before, after = texts(compile_game("nj-criss-cross")), texts(compile_game(book))
    assert "Across bet: 1 to 3 times your ante" in before
    assert "Across bet: 1 to 5 times your ante" in after
    assert "Across bet: 1 to 3 times" not in after


def test_another_push_and_other_odds_change_the_text() -> None:
    def change(table: PayTable) -> PayTable:
        *wins, jacks, push = table.lines
        first, *others = wins
        lines = (
            replace(first, odds=Odds("700 to 1")),
            *others,
            replace(jacks, low="T"),
            replace(push, low="5", high="9"),
        )
        return replace(table, lines=lines)

    after = texts(compile_game(with_table(load_shipped("nj-criss-cross"), "bets", change)))
    assert "A pair of tens or better pays 1 to 1, and up to 700 to 1 for a royal flush." in after
    assert "A pair of fives to nines pushes" in after


def test_the_limits_of_the_table_change_the_text() -> None:
    stated = {"wagers": {"ante": {"min_cents": 25_00, "max_cents": 100_00}}}
    assert "$25 to $100 each" in texts(compile_game("md-criss-cross", stated))


def test_folding_costs_what_the_step_says() -> None:
    book = load_shipped("nj-criss-cross")
    fold = Action(fold=True, forfeits=("ante_across", "ante_down", "five_card_bonus"), keeps=("bonus_spin",))
    script = [
        replace(step, actions=(Action(bet="across"), fold)) if step.id == "decide_across" else step
        for step in book.script
    ]
    after = texts(compile_game(replace(book, script=tuple(script))))
    assert "Fold and you lose your antes, and your 5 Card Bonus if you placed it." in after
    assert "Your Bonus Spin stays in play if you placed it." in after


def test_another_raise_changes_the_choice_of_a_line() -> None:
    after = texts(compile_game(with_wager(load_shipped("nj-double-cross"), "raise", min=4, max=4)))
    assert "The choice bets 4 times your ante: your raise." in after


def test_another_commission_changes_the_text_of_two_hands() -> None:
    book = load_shipped("nj-pai-gow")
    settings = {**book.settings, "commission_per_mille": replace(book.settings["commission_per_mille"], value=40)}
    assert "less 4 % commission" in texts(compile_game(replace(book, settings=settings)))
    assert "less 5 % commission" in texts(compile_game(book))


def test_a_table_without_a_wager_does_not_mention_it() -> None:
    stated = {"wagers": {"five_card_bonus": {"offered": False}}}
    game = compile_game("nj-criss-cross", stated)
    assert "5 Card Bonus" not in texts(game)
    assert "5 Card Bonus" in texts(compile_game("nj-criss-cross"))


def family_of(game: Game) -> tuple[Game, ...]:
    shipped = map(compile_game, rulebook_ids())
    return tuple(other for other in shipped if other.book.game == game.book.game)


def test_jurisdictions_of_one_game_differ_in_one_line_each() -> None:
    told = {name: summary_of(compile_game(name), family_of(compile_game(name))).differs for name in rulebook_ids()}
    assert told["ma-criss-cross"] == "No Bonus Spin. No limit on wins."
    assert "kept when you fold" in told["md-criss-cross"]
    assert "lost when you fold after the first bet" in told["nj-criss-cross"]
    assert told["nj-double-cross"] == told["nj-pai-gow"] == ""


def test_another_pay_of_one_jurisdiction_is_said_in_its_line() -> None:
    def change(table: PayTable) -> PayTable:
        return replace(
            table,
            lines=tuple(replace(line, odds=Odds("9 to 1")) if line.hand == "flush" else line for line in table.lines),
        )

    game = compile_game(with_table(load_shipped("md-criss-cross"), "bets", change))
    told = list(differences(game, family_of(game)))
    assert "Across, down and middle bets: flush 9 to 1." in told
    assert not any("straight" in sentence for sentence in told)


def test_each_decision_states_its_own_stakes_and_a_bonus_is_posted() -> None:
    examples = FOUR_CARD_POKER.parent
    holdem = texts(compile_game(load(str(examples / "ultimate-texas-holdem.toml"))))
    assert "Play: 3 or 4 times your ante" in holdem
    assert "Play: 2 times your ante" in holdem
    assert "Play: as much as your ante" in holdem
    assert "base" not in holdem
    assert "a straight pays 1 to 1, and up to 500 to 1" in holdem
    ride = texts(compile_game(load(str(examples / "let-it-ride.toml"))))
    assert "take it back, or “let it ride”" in ride
    assert "the dealer has" not in ride
    three = compile_game(load(str(examples / "three-card-poker.toml")))
    assert "ante_bonus" in {line.id for line in posted_notice(three).pays}


def test_odds_and_a_bonus_that_depend_on_marks_say_so(tmp_path: Path) -> None:
    text = (FOUR_CARD_POKER.parent / "three-card-poker.toml").read_text("utf-8")
    strong = text.replace("marks = { ", 'marks = { strong = { at_least = { hand = "pair" } }, ')
    plain = '{ versus = ["three", "dealer.three"], win = "1 to 1", tie = "push" },'
    paid = plain.replace("{ versus", '{ when = { "dealer.three" = "strong" }, versus').replace("1 to 1", "2 to 1")
    bonus = '{ pay = "ante_bonus", on = "three" }'
    strong = strong.replace(plain, f"{paid}\n{plain}", 1)
    strong = strong.replace(bonus, bonus.replace(" }", ', unless = { "dealer.three" = "qualifies" } }'))
    own = tmp_path / "strong.toml"
    own.write_text(strong, "utf-8")
    told = texts(compile_game(load(str(own))))
    assert "your ante pays 2 to 1 if the dealer is strong, your ante pays 1 to 1 otherwise" in told
    assert "A win pays 1 to 1 or 2 to 1." in told
    assert "Beside it, if the dealer does not qualify: " in told
    assert "Strong: a pair or better." in told


@pytest.mark.parametrize(
    ("rulebook", "said"),
    [
        ("let-it-ride", "Place bet 1, bet 2 and bet 3: "),
        ("four-card-poker", "A pair of aces or better pays "),
        ("four-card-poker", "You get five cards. The best four count. "),
        ("four-card-poker", "The best four of these five cards are your hand."),
        ("ultimate-texas-holdem", "The best five of these seven cards make your hand: "),
        ("ultimate-texas-holdem", "1 to 4 times your ante"),
        ("caribbean-stud", "your raise pays by the pay table, and 1 to 1 for any other hand"),
        ("mississippi-stud", "When you see your cards, the 3rd card and the 4th card: "),
    ],
)
def test_games_of_other_forms_are_told_in_plain_sentences(rulebook: str, said: str) -> None:
    game = compile_game(str(FOUR_CARD_POKER.with_stem(rulebook)))
    sections = " ".join(" ".join(section.text) for section in how_to_play(game).sections)
    bets = " ".join(" ".join(bet.text) for bet in how_to_play(game).bets)
    assert said in f"{sections} {bets} {' '.join(caption.text for caption in guide_of(game))}"
