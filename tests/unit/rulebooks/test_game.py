"""A game is a rulebook with every choice made: its defaults, what is in force, and its identity."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, Limits, compile_game
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.model import Choice
from crossfelt.rulebooks.settings import setting_rules
from unit.rulebooks.document_cases import game, nested, said, tree

BOOKS = ("ma-criss-cross", "md-criss-cross", "nj-criss-cross", "nj-double-cross", "nj-pai-gow")
clause_data = pytest.mark.clause_data

# --- defaults ---

CRISS_CROSS = ["ante_across", "ante_down", "across", "down", "middle", "five_card_bonus"]


@pytest.mark.parametrize(
    ("book", "wagers"),
    [
        ("ma-criss-cross", CRISS_CROSS),
        ("nj-criss-cross", [*CRISS_CROSS, "bonus_spin"]),
        ("md-criss-cross", [*CRISS_CROSS, "bonus_spin"]),
        ("nj-double-cross", ["ante", "raise", "three_card"]),
        ("nj-pai-gow", ["main", "progressive_player", "progressive_dealer", "imperial", "seven_card"]),
    ],
)
def test_the_default_game_offers_every_optional_wager_that_can_be_offered_at_once(book: str, wagers: list[str]) -> None:
    assert [wager.id for wager in compile_game(book).wagers] == wagers


@pytest.mark.parametrize("book", BOOKS[:4])
def test_antes_are_from_5_to_500_dollars_in_whole_dollars(book: str) -> None:
    assert compile_game(book).limits("ante") == Limits(min=5_00, max=500_00, step=1_00)


@pytest.mark.parametrize("book", BOOKS[:3])
def test_the_bonus_is_from_1_to_100_dollars_and_bets_are_of_any_amount(book: str) -> None:
    assert compile_game(book).limits("five_card_bonus") == Limits(min=1_00, max=100_00, step=1_00)
    assert compile_game(book).settings["whole_multiples_only"] is False
    assert compile_game(book).limits("ante").step == 1_00


def test_the_default_spins() -> None:
    new_jersey, maryland = compile_game("nj-criss-cross"), compile_game("md-criss-cross")
    assert [wheel.name for wheel in new_jersey.wheels] == ["bonus_spin.3"]
    assert new_jersey.choices["wagers.bonus_spin.top_prize"] == "progressive"
    assert [wheel.name for wheel in maryland.wheels] == ["bonus_spin.D"]
    assert maryland.choices["wagers.bonus_spin_xtreme.offered"] is False


def test_the_default_of_pai_gow() -> None:
    pai_gow = compile_game("nj-pai-gow")
    assert pai_gow.limits("main") == Limits(min=10_00, max=500_00, step=1_00)
    assert pai_gow.limits("progressive_player") == Limits(min=1, max=5, step=1)
    assert pai_gow.choices["wagers.progressive.paytable"] == "A"
    assert pai_gow.choices["wagers.progressive.credit_cents"] == 1_00
    assert pai_gow.choices["house_way"] == "trump_plaza"
    assert (pai_gow.settings["share_method"], pai_gow.settings["share_method_dealer"]) == ("equally", "equally")
    assert (pai_gow.settings["commission_rounding"], pai_gow.settings["ez_variation"]) == ("exact", False)


@pytest.mark.parametrize(
    ("book", "some"),
    [
        ("nj-criss-cross", {"wagers.bonus_spin.weights", "meters.bonus_spin.rate_per_million"}),
        ("md-criss-cross", {"wagers.bonus_spin.weights", "meters.bonus_spin.initial_cents"}),
        ("nj-pai-gow", {"wagers.progressive.lucky_player_per_million", "wagers.progressive.magic_card_per_million"}),
    ],
)
def test_figures_that_the_sources_lack_are_marked_illustrative(book: str, some: set[str]) -> None:
    assert some <= set(compile_game(book).illustrative)


def test_a_choice_that_does_not_apply_is_not_marked_illustrative() -> None:
    assert not any("xtreme" in path for path in compile_game("md-criss-cross").illustrative)
    without = game("nj-criss-cross", wagers__bonus_spin__offered=False)
    assert without.illustrative == ("layout.filing", "approvals.manual_shoe_location")
    by_hand = game(
        "nj-criss-cross", dealing__method="hand", dealing__shuffler="counting", wagers__bonus_spin__offered=False
    )
    assert by_hand.illustrative == ("layout.filing",)


# --- what is in force ---


@clause_data("PGP-19")
@pytest.mark.parametrize(
    ("letter", "awards"),
    [("A", ["magic_card", "lucky_player", "lucky_dealer"]), ("B", ["lucky_player", "lucky_dealer"]), ("C", [])],
)
def test_the_chosen_letter_decides_the_pay_tables(letter: str, awards: list[str]) -> None:
    pays = game("nj-pai-gow", wagers__progressive__paytable=letter).pays
    assert pays["progressive"].letter == letter
    assert [line.name for line in pays["progressive_bonus"].lines] == awards


@pytest.mark.parametrize(
    ("book", "letter", "stake_cents"),
    [
        said("NJC-53", "nj-criss-cross", "3", 5_00, name="table 3"),
        said("NJC-54", "nj-criss-cross", "4", 1_00, name="table 4"),
        said("NJC-55", "nj-criss-cross", "5", 1_00, name="table 5"),
        said("MDC-41", "md-criss-cross", "A", 1_00, name="A"),
        said("MDC-42", "md-criss-cross", "B", 1_00, name="B"),
        said("MDC-43", "md-criss-cross", "C", 5_00, name="C"),
        said("MDC-44", "md-criss-cross", "D", 5_00, name="D"),
    ],
)
def test_the_chosen_letter_decides_the_wheel_and_its_stake(book: str, letter: str, stake_cents: int) -> None:
    top = {"wagers__bonus_spin__top_prize": "fixed"} if letter == "4" else {}
    chosen = game(book, wagers__bonus_spin__paytable=letter, **top)
    (wheel,) = chosen.wheels
    assert (wheel.letter, wheel.stake_cents) == (letter, stake_cents)
    wager = chosen.wager("bonus_spin")
    assert chosen.bet_step(wager) == (stake_cents if wager.stake.by_paytable else 1_00)


@clause_data("MDC-40a", "MDC-49", "MDC-51")
def test_each_stake_of_xtreme_has_its_own_two_wheels() -> None:
    made = game(
        "md-criss-cross",
        wagers__bonus_spin__offered=False,
        wagers__bonus_spin_xtreme__offered=True,
        wagers__bonus_spin_xtreme__paytable_1="B",
        wagers__bonus_spin_xtreme__paytable_2="none",
        wagers__bonus_spin_xtreme__paytable_5="I",
    )
    assert [(wheel.ring, wheel.letter, wheel.stake_cents) for wheel in made.wheels] == [
        ("hot_spot", "B", 1_00),
        ("hot_spot", "I", 5_00),
        ("community", "B", 1_00),
        ("community", "I", 5_00),
    ]
    assert [len(made.weights(wheel)) for wheel in made.wheels] == [9, 9, 8, 8]


def test_weights_are_the_wheels_own_unless_they_are_stated() -> None:
    default = compile_game("nj-criss-cross")
    assert default.weights(default.wheels[0]) == default.wheels[0].illustrative_weights
    stated = game("nj-criss-cross", wagers__bonus_spin__weights=[2] * 12)
    assert stated.weights(stated.wheels[0]) == (2,) * 12


def test_a_wager_that_is_not_offered_is_not_in_the_game() -> None:
    without = game("nj-criss-cross", wagers__bonus_spin__offered=False, wagers__five_card_bonus__offered=False)
    assert [wager.id for wager in without.wagers] == CRISS_CROSS[:-1]
    assert (without.wheels, without.community_pays) == ((), ())


@clause_data("DCP-28")
def test_better_odds_are_in_force() -> None:
    better = game("nj-double-cross", pays={"raise": {"two_pair": "2 to 1", "flush": 7}}).pays["raise"]
    odds = {line.name: str(line.odds) for line in better.lines}
    assert (odds["two_pair"], odds["flush"], odds["full_house"]) == ("2 to 1", "7 to 1", "7 to 1")


# --- identity ---


def another(choice: Choice) -> Any:
    """A value of its kind other than the default."""
    match choice.kind:
        case "flag":
            return not choice.default
        case "one_of":
            return next((option for option in choice.of if option != choice.default), None)
        case "text":
            return "something else"
        case "weights":
            return [3] * 12
        case _:
            low = choice.min or 0
            return low + 1 if choice.default == low else low


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_any_other_choice_is_another_game_with_another_hash(book: str) -> None:
    rulebook = load(book)
    submissions = [{}, *(tree({c.path: another(c)}) for c in rulebook.choices if another(c) is not None)]
    submissions += [
        {"settings": {name: not setting.value}}
        for name, setting in rulebook.settings.items()
        if setting_rules()[name].kind == "flag" and setting_rules()[name].open_in(setting)
    ]
    hashes = [Game(rulebook, stated).hash for stated in submissions]
    assert len(set(hashes)) == len(hashes) > 10


@pytest.mark.parametrize("book", BOOKS)
def test_the_same_choices_are_the_same_game(book: str) -> None:
    paths = {"operator": "Anybody", "play.decision_seconds": 20}
    first, again = compile_game(book, tree(paths)), compile_game(book, tree(dict(reversed(paths.items()))))
    assert first == again
    assert (first.hash, hash(first)) == (again.hash, hash(again))
    assert first != compile_game(book)
    assert len({first, again, compile_game(book)}) == 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_hash_is_the_same_in_every_process(seed: str) -> None:
    script = "from crossfelt.rulebooks.game import compile_game; print(compile_game('md-criss-cross').hash)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == compile_game("md-criss-cross").hash


def test_equal_choices_under_another_rulebook_are_another_game() -> None:
    assert len({compile_game(book).hash for book in BOOKS}) == 5
    assert compile_game("nj-criss-cross") != "nj-criss-cross"


@pytest.mark.parametrize("book", BOOKS)
def test_a_game_comes_back_from_its_own_data_through_json(book: str) -> None:
    first = compile_game(book, {"operator": "Anybody"})
    again = Game.from_data(json.loads(json.dumps(first.as_data())))
    assert again == first
    assert (again.choices, again.settings) == (first.choices, first.settings)
    assert again.book == first.book


def test_a_game_is_independent_of_the_data_it_was_made_from() -> None:
    stated = nested(wagers__ante__min_cents=10_00)
    made = compile_game("nj-criss-cross", stated)
    stated["wagers"]["ante"]["min_cents"] = 20_00
    assert made == game("nj-criss-cross", wagers__ante__min_cents=10_00)
    assert made.limits("ante").min == 10_00
    with pytest.raises(TypeError):
        made.choices["wagers.ante.min_cents"] = 20_00  # type: ignore[index]


@pytest.mark.parametrize(
    "data", [{}, {"rulebook": 5, "submission": {}}, {"rulebook": {}, "submission": {}}, {"submission": {}}]
)
def test_data_that_are_not_a_game_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"game: "):
        Game.from_data(data)


def test_a_game_with_a_rulebook_of_ones_own() -> None:
    own = compile_game("nj-criss-cross").as_data()
    own["rulebook"]["id"] = "my-criss-cross"
    made = Game.from_data(own)
    assert made.book.id == "my-criss-cross"
    assert made != compile_game("nj-criss-cross")
    assert repr(made).startswith("Game('my-criss-cross', ")


def test_the_house_way_is_part_of_the_game() -> None:
    game = compile_game("nj-pai-gow")
    data = game.as_data()
    assert Game.from_data(data) == game
    data["house_way"]["rule"] = data["house_way"]["rule"][:1]
    altered = Game.from_data(data)
    assert altered.house_way is not None
    assert len(altered.house_way.rules) == 1
    assert altered.hash != game.hash
    assert compile_game("nj-pai-gow", {"house_way": "foxwoods"}).hash != game.hash
    assert "house_way" not in compile_game("nj-criss-cross").as_data()


def test_a_house_way_without_rules_is_refused() -> None:
    data = compile_game("nj-pai-gow").as_data()
    data["house_way"]["rule"] = []
    with pytest.raises(BadInput, match="house_way: rule: the house way has no rules"):
        Game.from_data(data)
