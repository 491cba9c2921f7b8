"""Games that do not ship as documents: one short file each, with defaults, refusals, extensions and own orders."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crossfelt.cards import parse_cards
from crossfelt.cards.deck import deck_of
from crossfelt.errors import BadInput
from crossfelt.games.rules import ranker_of
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.own_order import own_kind
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.resettle.plain_game import PlainGame
from crossfelt.proof.resettle.wagers import WagerSettler
from crossfelt.rulebooks.defaults import BY_DEFAULT
from crossfelt.rulebooks.forms import forms_of
from crossfelt.rulebooks.game import compile_game, problems
from crossfelt.rulebooks.loader import as_data, content_hash, from_data, load, rulebook_ids
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.text import render_text
from crossfelt.rulebooks.script import Decide
from crossfelt.rulebooks.settings import setting_rules
from handbook.rulebook_schema import schema

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples" / "rulebooks").glob("*.toml"))
OTHER_STATE = ROOT / "tests" / "data" / "rulebooks" / "other-state.toml"
Data = dict[str, Any]
every_example = pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)


def one(items: list[Data], **wanted: str) -> Data:
    return next(item for item in items if all(item.get(key) == value for key, value in wanted.items()))


def lines_of(data: Data) -> list[str]:
    with pytest.raises(BadInput) as refused:
        from_data(data, where="own.toml")
    return [str(problem) for problem in refused.value.problems]


# --- what a short file gives


@every_example
def test_a_game_of_one_short_file_is_whole(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= 160
    game = compile_game(str(file))
    book = game.book
    assert from_data(as_data(book), where="again") == book
    assert all(step.basis for step in book.script)
    needed = {
        rule.id for rule in setting_rules().values() if rule.default is not None and rule.belongs_to(forms_of(book))
    }
    assert needed <= set(book.settings)


def test_a_document_of_the_package_rests_on_no_default() -> None:
    for name in rulebook_ids():
        assert BY_DEFAULT not in str(as_data(load(name))), name


def test_a_label_decides_nothing() -> None:
    data = tomllib.loads(EXAMPLES[0].read_text())
    labels = ("criss_cross", "double_cross", "pai_gow", "anything")
    made = [as_data(from_data({**data, "game": label}, where="own.toml")) for label in labels]
    assert all({**each, "game": ""} == {**made[0], "game": ""} for each in made)


def test_games_without_a_label_have_labels_of_their_own() -> None:
    data = tomllib.loads(EXAMPLES[0].read_text())
    del data["game"]
    assert from_data({**data, "id": "my-stud"}, where="").game == "my_stud"
    assert len(lines_of({**data, "id": "My Stud"})) == 1


def test_settings_and_irregularities_follow_from_the_forms() -> None:
    stud, three = (
        load(str(ROOT / "examples/rulebooks" / f"{name}.toml")) for name in ("mississippi-stud", "three-card-poker")
    )
    assert "community_exposed" in stud.irregularities
    assert "community_exposed" not in three.irregularities
    assert set(three.irregularities["wrong_card_count"]) == {"player", "dealer"}
    assert ("community_area" in stud.settings, "community_area" in three.settings) == (True, False)
    assert ("kickers" in stud.settings, "kickers" in three.settings) == (False, True)


# --- what is refused, with its place

MUTATIONS: dict[str, tuple[str, Callable[[Data], Any], str]] = {
    "a wager left out of a fold": (
        "mississippi-stud",
        lambda d: one(d["script"], id="fourth")["actions"][1]["forfeits"].remove("third"),
        "script[6] (fourth).actions[1]: a fold neither forfeits nor keeps this wager: 'third'",
    ),
    "an unknown mark": (
        "three-card-poker",
        lambda d: one(d["wager"], id="ante")["settle"][0].update(unless={"dealer.three": "strong"}),
        "wager (ante).settle[0]: dealer.three has no such mark: 'strong' (allowed: qualifies)",
    ),
    "a hand not yet open": (
        "three-card-poker",
        lambda d: d["script"].remove(one(d["script"], id="reveal_dealer")),
        "script[5] (settle): ante is settled before this card is turned up: 'dealer_hole_1'",
    ),
    "another order's pay table": (
        "mississippi-stud",
        lambda d: one(d["wager"], id="three_card")["settle"][0].update(pay="main"),
        "wager (three_card).settle[0]: the pay table is for five_card, but the hand is three_card: 'main'",
    ),
    "a bonus on an unknown hand": (
        "three-card-poker",
        lambda d: one(d["wager"], id="ante")["bonus"][0].update(on="four"),
        "wager (ante).bonus[0]: no such hand: 'four' (allowed: three, six)",
    ),
    "a wager taken back that is not there": (
        "let-it-ride",
        lambda d: one(d["script"], id="first")["actions"][0].update(withdraw="bet_4"),
        "takes back a wager that is not on the table: 'bet_4'",
    ),
    "a card that the group does not have": (
        "mississippi-stud",
        lambda d: one(d["script"], id="reveal_fifth").update(cards=["street.4"]),
        "reveal_fifth).cards: no such card of a group: 'street.4' (allowed: street.1 to street.3)",
    ),
    "a category that does not exist": (
        "four-card-poker",
        lambda d: d["order"][0]["categories"].append("four_to_a_flush"),
        "order (four_card): no such category: 'four_to_a_flush' (allowed: royal_flush, ",
    ),
    "too many cards for the table": (
        "four-card-poker",
        lambda d: d["group"][1].update(cards=40),
        "group (house).cards: too large: 40 (allowed: at most 13)",
    ),
    "a meter that nobody feeds": (
        "caribbean-stud",
        lambda d: d["meter"][0].update(fed_by=["ante"]),
        "wager (progressive): is paid a share of a meter, but feeds none: 'progressive'",
    ),
    "a result of a comparison that is none": (
        "three-card-poker",
        lambda d: one(d["wager"], id="ante")["settle"][0].update(lose="push"),
        "wager (ante).settle[0].lose: only a comparison has this (allowed: versus)",
    ),
    "the best of one pay table": (
        "three-card-poker",
        lambda d: one(d["wager"], id="pair_plus")["settle"][0].update(take="best"),
        "wager (pair_plus).settle[0].take: chooses among several pay tables (allowed: pays)",
    ),
    "the best of a meter and odds": (
        "caribbean-stud",
        lambda d: one(d["wager"], id="progressive").update(
            settle=[{"pays": [{"pay": pay, "on": "five"} for pay in ("progressive", "raise")], "take": "best"}]
        ),
        "settle[0].take: cannot compare a share of a meter with what another pay table pays: 'progressive' (",
    ),
    "silence that does what no player may": (
        "three-card-poker",
        lambda d: one(d["script"], step="decide").update(silent="check"),
        "silent: no such action of this decision, or one that names a hand: 'check' (allowed: bet, fold)",
    ),
    "a decision by a mark that is none": (
        "three-card-poker",
        lambda d: one(d["script"], step="decide").update(unless={"three": "good"}),
        ".unless: three has no such mark: 'good'",
    ),
    "a decision by cards that the player does not see": (
        "three-card-poker",
        lambda d: one(d["script"], step="decide").update(when={"dealer.three": "qualifies"}),
        ".when: dealer.three has a card that the player does not see yet: 'dealer_hole_1'",
    ),
    "a bet that may be placed again": (
        "ultimate-texas-holdem",
        lambda d: one(d["script"], id="on_flop").pop("without"),
        "may be placed twice, as players who have it decide again: 'play' (allowed: without = [\"play\"])",
    ),
}


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_file_that_makes_no_sense_is_refused_with_the_place(what: str) -> None:
    name, mutate, says = MUTATIONS[what]
    data = tomllib.loads((ROOT / "examples" / "rulebooks" / f"{name}.toml").read_text())
    mutate(data)
    found = lines_of(data)
    assert any(says in line for line in found), found


@pytest.mark.parametrize(
    ("table", "key", "says"),
    [
        ("hand", "wild", "no form makes cards wild"),
        ("paytable", "suited", "a match asks for no suits"),
        ("wager", "award", "a wager names pay tables of awards in also_pays"),
        ("script", "draw", "no form draws or exchanges cards"),
    ],
)
def test_a_form_that_the_language_lacks_is_refused_by_name(table: str, key: str, says: str) -> None:
    data = tomllib.loads((ROOT / "examples" / "rulebooks" / "mississippi-stud.toml").read_text("utf-8"))
    data[table][0][key] = True
    (line,) = lines_of(data)
    assert line.startswith(f"own.toml: {table} ({data[table][0]['id']}).{key}: ")
    assert says in line


def test_a_missing_list_is_reported_once() -> None:
    data = tomllib.loads(EXAMPLES[0].read_text())
    del data["wager"]
    assert [line for line in lines_of(data) if "wager" in line] == ["own.toml: wager: missing"]


def test_an_empty_file_lacks_what_makes_a_game() -> None:
    found = lines_of({})
    wanted = ("id", "version", "title", "group", "hand", "wager", "script")
    assert found == ["own.toml: schema: missing (allowed: 2)", *(f"own.toml: {key}: missing" for key in wanted)]


# --- a state that plays another state's game


def test_what_is_inherited_cites_the_other_rulebook_and_none_of_its_law() -> None:
    book = load(str(OTHER_STATE))
    cited = str(as_data(book))
    assert "NJC-" not in cited
    assert "AMB-" not in cited
    assert one(as_data(book)["wager"], id="ante_across")["house_rule"] == "as in nj-criss-cross"
    assert one(as_data(book)["wager"], id="across")["clauses"] == ("OSC-1",)


def test_a_dropped_wager_takes_everything_with_it() -> None:
    data = as_data(load(str(OTHER_STATE)))
    assert "bonus_spin" not in str(data)
    assert "wheel" not in data
    assert not any(name.startswith(("spin", "several_spins")) for name in data["settings"] if name != "spin_trigger")


def test_what_goes_with_a_wager_may_be_dropped_by_name_too(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    also = 'meter = ["bonus_spin"]\nscript = ["spins"]\nwheel = ["bonus_spin.3"]'
    own.write_text(OTHER_STATE.read_text().replace("[drop]", f"[drop]\n{also}"))
    assert load(str(own)) == load(str(OTHER_STATE))


def test_the_rest_is_that_of_the_other_rulebook() -> None:
    mine, theirs = load(str(OTHER_STATE)), load("nj-criss-cross")
    assert [wager.stake.max for wager in mine.wagers if wager.stake.of] == [5, 5, 5]
    assert [group.names for group in mine.groups] == [group.names for group in theirs.groups]
    assert mine.irregularities["face_up_card"]["one"].then == ("discard_card", "continue")
    assert mine.irregularities["shoe_jam"]["any"].then == theirs.irregularities["shoe_jam"]["any"].then
    assert content_hash(mine) != content_hash(theirs)


def test_a_step_is_inserted_before_another(tmp_path: Path) -> None:
    text = OTHER_STATE.read_text() + '\n[[script]]\nstep = "settle"\nid = "antes"\nbefore = "settle"\nwagers = []\n'
    (tmp_path / "own.toml").write_text(text)
    steps = [step.id for step in load(str(tmp_path / "own.toml")).script]
    assert steps.index("antes") == steps.index("settle") - 1


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('extends = "nv-criss-cross"', "no such rulebook: 'nv-criss-cross'"),
        ('extends = "own.toml"', "a rulebook cannot extend itself: 'own.toml'"),
        (
            'extends = "nj-criss-cross"\ndrop = { wager = ["spin"] }',
            "drop.wager: the other rulebook has no such item: 'spin'",
        ),
    ],
)
def test_an_extension_of_nothing_is_refused(tmp_path: Path, more: str, says: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(f'schema = 2\nid = "own"\nversion = "1.0.0"\ntitle = "Own"\n{more}\n')
    with pytest.raises(BadInput, match=re.escape(says)):
        load(str(file))


def test_a_state_takes_over_a_wheel_whose_slices_cite_readings(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    own = 'schema = 2\nid = "own"\nversion = "1.0.0"\ntitle = "Own"\nextends = "md-criss-cross"\n'
    file.write_text(own + '[drop]\nwager = ["bonus_spin_xtreme"]\n')
    mine, theirs = load(str(file)), load("md-criss-cross")
    wanted = [wheel for wheel in theirs.wheels if wheel.wager == "bonus_spin"]
    assert [[each.pays_cents for each in wheel.slices] for wheel in mine.wheels] == [
        [each.pays_cents for each in wheel.slices] for wheel in wanted
    ]
    assert "AMB-" not in str(as_data(mine))


def test_a_document_of_its_own_cites_none_of_the_package(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OTHER_STATE.read_text().replace('clauses = ["OSC-1"]', 'clauses = ["NJC-1"]', 1))
    says = "wager (across): is of another document, and this rulebook has a document of its own: 'NJC-1'"
    with pytest.raises(BadInput, match=re.escape(says)):
        load(str(file))


# --- forms that no example has

SECOND_CHANCE = ROOT / "tests" / "data" / "rulebooks" / "second-chance.toml"


def shown(file: Path, section: str) -> str:
    """Return a section of a rulebook as it is shown, on one line."""
    return next(" ".join(" ".join(each.lines).split()) for each in render_text(load(str(file))) if each.id == section)


def test_a_lower_hand_that_is_not_lost_is_shown() -> None:
    words = shown(SECOND_CHANCE, "wagers")
    assert "a win pays 1 to 1, a tie pays 3 to 2, a loss pays by pay table chance on the three cards" in words
    assert "a win pays 2 to 1, a tie pushes" in words


def test_what_is_done_for_a_silent_player_is_shown() -> None:
    assert "A player who does not answer makes the smallest bet." in shown(SECOND_CHANCE, "round")


def test_the_hands_that_a_decision_passes_over_are_shown() -> None:
    words = shown(SECOND_CHANCE.with_name("good-hands.toml"), "round")
    assert "A player is passed over unless the mark “good” fits the three hand." in words
    assert "A player is passed over if the mark “high” fits the first hand." in words


def test_the_best_of_several_pay_tables_is_shown() -> None:
    says = "either paid by pay table chance on the three cards or paid by pay table theirs on the dealer's three cards"
    assert f"{says}, whichever pays more" in shown(SECOND_CHANCE, "wagers")


def mutated(name: str, mutate: Callable[[Data], Any]) -> Rulebook:
    data = tomllib.loads((ROOT / "examples" / "rulebooks" / f"{name}.toml").read_text())
    mutate(data)
    return from_data(data, where="own.toml")


def test_one_of_several_hands_has_marks_of_their_order() -> None:
    def lower_of_two(data: Data) -> None:
        data["group"].append({"id": "second", "owner": "dealer", "cards": 6})
        data["script"][1]["deliver"].append({"to": "second"})
        one(data["script"], id="reveal_dealer")["cards"].append("second")
        data["hand"].append({"id": "other", "of": ["second"], "best": 4, "order": "four_card"})
        mark = {"at_least": {"hand": "pair", "low": "T"}}
        data["hand"].append({"id": "weak", "lowest_of": ["dealer", "other"], "marks": {"plays": mark}})
        one(data["wager"], id="play")["settle"].insert(0, {"unless": {"weak": "plays"}, "odds": "push"})

    book = mutated("four-card-poker", lower_of_two)
    shown = {section.id: " ".join(" ".join(section.lines).split()) for section in render_text(book)}
    assert "the mark “plays” fits pair of tens or better" in shown["hands"]


def test_a_bet_that_names_a_hand_has_one_stake() -> None:
    data = as_data(load("nj-double-cross"))
    one(data["wager"], id="raise")["stake"] = {"of": "ante", "min": 1, "max": 3}
    with pytest.raises(BadInput, match="a bet that names a hand has one stake only: '1 or 3'"):
        from_data(data, where="own.toml")


@pytest.mark.parametrize(("ace_low", "name"), [(True, "five-high straight"), (False, "ace-high")])
def test_the_lowest_straight_of_an_own_order_follows_the_setting(ace_low: bool, name: str) -> None:
    def own_order(data: Data) -> None:
        data["order"] = [{"id": "short", "cards": 5, "categories": ["flush", "straight", "pair", "high_card"]}]

    game = compile_game(mutated("mississippi-stud", own_order), {"settings": {"ace_low_straight": ace_low}})
    cards = "As 2d 3c 4h 5s"
    assert ranker_of(game, "short")(parse_cards(cards)).name == name
    again = WagerSettler(PlainGame(game.as_data())).rank(tuple(cards.split()), "short")
    assert again.name == name


def test_a_game_without_pay_tables_is_shown() -> None:
    def no_tables(data: Data) -> None:
        del data["paytable"]
        del one(data["wager"], id="ante")["bonus"]
        one(data["wager"], id="aces_up")["settle"] = [{"versus": ["player", "dealer"], "win": "1 to 1"}]

    assert "pays" not in {section.id for section in render_text(mutated("four-card-poker", no_tables))}


def test_credits_and_a_wheel_need_no_choices_of_the_file() -> None:
    def spin(data: Data) -> None:
        wager = one(data["wager"], id="progressive")
        wager.update(unit="credits", stake={"posted": "progressive"})
        slices = [{}, {"pays_cents": 50_00}]
        data["wager"].append(
            {"id": "wheel", "needs": ["ante"], "stake": {"cents": [5_00]}, "settle": [{"spin": "own"}]}
        )
        data["wheel"] = [
            {
                "wager": "wheel",
                "letter": "A",
                "stake_cents": 5_00,
                "top": "fixed",
                "slices": slices,
                "illustrative_weights": [1, 9],
            }
        ]
        one(data["script"], id="open_bets")["wagers"].append("wheel")
        one(data["script"], id="raise")["actions"][1]["keeps"].append("wheel")
        data["script"].append({"step": "spin", "id": "spin", "wagers": ["wheel"]})

    choices = {choice.path: choice.default for choice in mutated("caribbean-stud", spin).choices}
    assert choices["wagers.progressive.credit_cents"] == 1_00
    assert choices["wagers.progressive.max_credits"] == 5
    assert (choices["wagers.wheel.paytable"], choices["wagers.wheel.weights"]) == ("A", "wheel")
    assert choices["wagers.wheel.fixed_prize_cents"] == 10_000_00


# --- orders of their own


@pytest.mark.exhaustive
def test_an_own_order_with_the_categories_of_the_package_ranks_alike() -> None:
    """Every three-card hand, and many of five."""
    three = own_kind("mine", 3, KINDS["three_card"].categories)
    for cards in combinations(deck_of(52), 3):
        mine, theirs = three.classify(cards), KINDS["three_card"].classify(cards)
        assert (mine.category, mine.ranks) == (theirs.category, theirs.ranks), cards
    five, rng = own_kind("mine", 5, KINDS["five_card"].categories), Random(7)
    for _ in range(20_000):
        drawn = tuple(rng.sample(deck_of(52), 5))
        mine, theirs = five.classify(drawn), KINDS["five_card"].classify(drawn)
        assert (mine.category, mine.ranks) == (theirs.category, theirs.ranks), cards


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2h 5h 9h Kh 3s 4d 7c", "king-high four-card flush"),
        ("2h 3h 4h Kc Ks 9d 9c", "four-high three-card straight flush"),
        ("Ah 2h 3h 9h Ks 9d 9c", "ace-high four-card flush"),
    ],
)
def test_an_order_by_length_of_suit(text: str, name: str) -> None:
    from crossfelt.cards import parse_cards

    categories = ["four_card_straight_flush", "four_card_flush", "three_card_straight_flush", "three_card_flush"]
    assert own_kind("suits", 7, categories).classify(parse_cards(text)).name == name


# --- the schema for editors


def test_the_shipped_schema_is_that_of_the_model() -> None:
    shipped = files("crossfelt.rulebooks").joinpath("rulebook.schema.json").read_text("utf-8")
    assert shipped == schema().decode(), "run `make schema`"


def test_own_clauses_readings_and_topics_may_be_cited() -> None:
    data = copy.deepcopy(tomllib.loads(EXAMPLES[0].read_text()))
    data["clause"] = [{"id": "OWN-1", "citation": "Rule 1", "says": "The ante comes first."}]
    data["reading"] = [{"id": "OWN-2", "about": "Ties.", "reading": "Equal hands push."}]
    data["topic"] = [{"id": "D1", "says": "One betting area.", "clauses": ["OWN-1"]}]
    data["wager"][0] |= {"clauses": ["OWN-1"], "readings": ["OWN-2"], "topic": "D1"}
    book = from_data(data, where="own.toml")
    assert (book.wagers[0].clauses, book.wagers[0].house_rule) == (("OWN-1",), "")
    data["wager"][0]["clauses"] = ["OWN-9"]
    assert any("no such clause: 'OWN-9'" in line for line in lines_of(data))


def test_an_unknown_wager_of_a_submission_or_a_script_is_refused() -> None:
    file = str(ROOT / "examples" / "rulebooks" / "three-card-poker.toml")
    (wrong,) = problems(load(file), {"wagers": {"tip": {"offered": True}}}, where="own")
    assert str(wrong).startswith("own: wagers.tip: Three Card Poker has no such wager (allowed: ante, pair_plus")
    with pytest.raises(BadInput, match=r"wagers.tip: no such wager at this table \(allowed: ante, pair_plus"):
        ScriptRunner().play({"rulebook": file, "seats": [{"seat": 1, "wagers": {"tip": 5}}]}, where="own")


def test_a_settlement_cites_the_clauses_of_its_wager_where_its_rule_has_none() -> None:
    data = as_data(load(str(ROOT / "examples" / "rulebooks" / "mississippi-stud.toml")))
    data |= {"clause": [{"id": "OWN-1", "citation": "1", "says": "The pay table pays the ante."}]}
    ante = one(data["wager"], id="ante")
    ante |= {"clauses": ["OWN-1"], "house_rule": ""}
    for rule in ante["settle"]:
        rule |= {"clauses": [], "house_rule": ""}
    game = compile_game(from_data(data, where="own.toml"))
    decisions = {step.id: 500 for step in game.book.script if isinstance(step, Decide)}
    seat = {"seat": 1, "wagers": {"ante": 500}, "decisions": decisions}
    played = ScriptRunner(game=game).play({"rulebook": "own", "seats": [seat]}, where="own")
    assert played.result.seats["1"].wagers["ante"].clauses == ("OWN-1",)
