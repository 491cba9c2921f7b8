"""Rulebooks that have the right shape and yet could not run: refused when they are read, all problems at once."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks import checks
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import as_data, from_data, load, read_file, rulebook_ids
from unit.rulebooks.planted_faults import Data, one, sound_data

CRISS, DOUBLE, PAI_GOW = "md-criss-cross", "nj-double-cross", "nj-pai-gow"
Plant = Callable[[Data], object]


def lines(data: Any) -> list[str]:
    with pytest.raises(BadInput) as refused:
        from_data(data, where="mine")
    return [str(problem) for problem in refused.value.problems]


def choice(data: Data, path: str) -> Data:
    return one(data["choice"], path=path)


def drop_choice(path: str) -> Plant:
    return lambda d: d["choice"].remove(choice(d, path))


def new_choice(path: str, kind: str, default: object) -> Plant:
    made = {"path": path, "kind": kind, "default": default, "title": "new", "house_rule": "ours"}
    return lambda d: d["choice"].append(made)


def bind(must: Data, **when: object) -> Plant:
    made = {"says": "it must", "when": when, "must": must, "house_rule": "ours"}
    return lambda d: d["requirement"].append(made)


FAULTS: dict[str, tuple[str, Plant, str]] = {
    "an unknown irregularity": (
        CRISS,
        lambda d: d["irregularities"].update(fire={"any": {"then": ["void"], "house_rule": "ours"}}),
        "irregularities: not an irregularity of this game: 'fire'",
    ),
    "another game's irregularity": (
        CRISS,
        lambda d: d["irregularities"].update(axis_disagreement={"any": {"then": ["void"], "house_rule": "ours"}}),
        "irregularities: not an irregularity of this game: 'axis_disagreement'",
    ),
    "a missing irregularity": (
        PAI_GOW,
        lambda d: d["irregularities"].pop("device_out_of_order"),
        "irregularities: missing irregularity: 'device_out_of_order'",
    ),
    "a missing case": (
        CRISS,
        lambda d: d["irregularities"]["face_up_card"].pop("several"),
        "irregularities.face_up_card: missing case: 'several'",
    ),
    "an unknown case": (
        CRISS,
        lambda d: d["irregularities"]["shoe_jam"].update(bad=d["irregularities"]["shoe_jam"]["any"]),
        "irregularities.shoe_jam: no such case: 'bad' (allowed: any)",
    ),
    "nothing that follows": (
        CRISS,
        lambda d: d["irregularities"]["shoe_jam"]["any"].update(then=[]),
        "irregularities.shoe_jam.any.then: has no outcome",
    ),
    "void and yet continued": (
        CRISS,
        lambda d: d["irregularities"]["shoe_jam"]["any"].update(then=["void", "continue"]),
        "irregularities.shoe_jam.any.then: the round cannot both be void and continue",
    ),
    "a jam that forfeits": (
        CRISS,
        lambda d: d["irregularities"]["shoe_jam"]["any"].update(then=["forfeit_all"]),
        "irregularities.shoe_jam.any.then: impossible outcome of this irregularity: 'forfeit_all'",
    ),
    "no dealing method": (CRISS, drop_choice("dealing.method"), "choice: missing choice: 'dealing.method'"),
    "no shuffler": (CRISS, drop_choice("dealing.shuffler"), "choice: missing choice: 'dealing.shuffler'"),
    "no number of decks": (CRISS, drop_choice("dealing.decks"), "choice: missing choice: 'dealing.decks'"),
    "no rule for silence": (CRISS, drop_choice("play.on_timeout"), "choice: missing choice: 'play.on_timeout'"),
    "no rule for silence at three cards": (
        DOUBLE,
        drop_choice("play.on_timeout_three_card"),
        "choice: missing choice: 'play.on_timeout_three_card'",
    ),
    "no step": (CRISS, drop_choice("wagers.ante.step_cents"), "choice: missing choice: 'wagers.ante.step_cents'"),
    "no most credits": (
        PAI_GOW,
        drop_choice("wagers.progressive_player.max_credits"),
        "choice: missing choice: 'wagers.progressive_player.max_credits'",
    ),
    "no weights": (
        CRISS,
        drop_choice("wagers.bonus_spin.weights"),
        "choice: missing choice: 'wagers.bonus_spin.weights'",
    ),
    "no house way": (PAI_GOW, drop_choice("house_way"), "choice: missing choice: 'house_way'"),
    "an ante in words": (
        CRISS,
        lambda d: choice(d, "wagers.ante.max_cents").update(kind="text", default="much"),
        "choice (wagers.ante.max_cents): wrong kind of choice: 'text' (allowed: cents)",
    ),
    "an ante without a default": (
        CRISS,
        lambda d: choice(d, "wagers.ante.max_cents").pop("default"),
        "choice (wagers.ante.max_cents): missing default",
    ),
    "silence that sings": (
        CRISS,
        lambda d: choice(d, "play.on_timeout")["of"].append("sing"),
        "choice (play.on_timeout): the game does not support this value: 'sing'",
    ),
    "a wheel that is not there": (
        CRISS,
        lambda d: choice(d, "wagers.bonus_spin.paytable")["of"].append("Z"),
        "choice (wagers.bonus_spin.paytable): no such wheel: 'Z'",
    ),
    "weights of nothing": (
        CRISS,
        new_choice("weights", "weights", "wheel"),
        "choice (weights): no wheel has these weights: 'weights'",
    ),
    "weights too deep": (
        CRISS,
        new_choice("a.b.c.d", "weights", "wheel"),
        "choice (a.b.c.d): no wheel has these weights: 'a.b.c.d'",
    ),
    "a choice over others": (
        CRISS,
        new_choice("wagers.ante", "flag", True),
        "choice (wagers.ante): contains another choice: 'wagers.ante.min_cents'",
    ),
    "a choice among the settings": (
        CRISS,
        new_choice("settings.mine", "flag", True),
        "choice (settings.mine): a choice cannot have this path: 'settings.mine'",
    ),
    "an offer in words": (
        CRISS,
        lambda d: choice(d, "wagers.five_card_bonus.offered").update(kind="text", default="yes"),
        "choice (wagers.five_card_bonus.offered): must be of kind flag: 'text'",
    ),
    "a method of at least five": (
        CRISS,
        bind({"dealing.method": {"at_least": 5}}),
        "at_least and at_most apply to numbers only: 'dealing.method'",
    ),
    "a condition that cannot be": (
        CRISS,
        bind({"operator": {"stated": True}}, **{"dealing.method": ["drone"]}),
        ".dealing.method: not one of the choices: 'drone'",
    ),
    "a setting that cannot be": (
        CRISS,
        bind({"settings.cut_min_cards": {"in": ["ten"]}}),
        ".settings.cut_min_cards: value not allowed: 'ten'",
    ),
    "a community pay table of another stake": (
        CRISS,
        lambda d: one(d["choice"], path="wagers.bonus_spin.community_paytable_1")["of"].append("C"),
        "choice (wagers.bonus_spin.community_paytable_1): no such community pay table: 'C' (allowed: A, B",
    ),
    "community pay tables with other slices": (
        CRISS,
        lambda d: one(d["wheel"], ring="community", letter="B")["slices"].pop(),
        "choice (wagers.bonus_spin_xtreme.community_paytable_1): the community pay tables differ in their number of",
    ),
    "cards from the hand without a rule": (
        CRISS,
        lambda d: d["requirement"].pop(0),
        "requirement: no requirement names the shufflers for dealing from the hand",
    ),
    "a card that counts twice": (
        CRISS,
        lambda d: d["hand"][0].update(of=["hole_1", "hole_1", "across_left", "middle", "across_right"]),
        "hand (across): names a card 2 times: 'hole_1'",
    ),
    "a card that is not dealt": (
        CRISS,
        lambda d: one(d["script"], id="deal").update(deliver=one(d["script"], id="deal")["deliver"][:2]),
        "group (hole): no card is dealt to this group: 'hole'",
    ),
    "a joker among five cards": (
        CRISS,
        lambda d: d["deck"].update(cards=53),
        "hand (across): five_card hands have no joker: 53 (allowed: 52 cards)",
    ),
    "a bet on no hand": (
        CRISS,
        lambda d: one(d["wager"], id="across")["settle"][0].pop("on"),
        "wager (across).settle[0]: a pay table needs the hand that it pays (allowed: pay and on)",
    ),
    "one of a single hand": (
        CRISS,
        lambda d: one(d["hand"], id="better").update(highest_of=["across"]),
        "hand (better): is one of at least two whole hands: 1",
    ),
    "five cards paid as three": (
        DOUBLE,
        lambda d: one(d["wager"], id="three_card")["settle"][0].update(on="vertical"),
        "wager (three_card).settle[0]: the pay table is for three_card, but the hand is five_card",
    ),
    "no line named": (
        DOUBLE,
        lambda d: one(d["script"], id="decide_play")["actions"][0].pop("choose"),
        "script: no action names the hand that is played: 'played'",
    ),
    "an unknown group shown": (
        DOUBLE,
        lambda d: one(d["script"], id="decide_three_card")["actions"][0].update(expose="sleeve"),
        "(decide_three_card).actions[0]: not a group of the player's own cards: 'sleeve' (allowed: hole)",
    ),
    "a wager given up that is not there": (
        DOUBLE,
        lambda d: one(d["script"], id="decide_three_card")["actions"][1].update(forfeit=["raise"]),
        "(decide_three_card).actions[1]: gives up a wager that is not on the table: 'raise'",
    ),
    "nothing for a high card": (
        DOUBLE,
        lambda d: one(d["paytable"], id="raise")["lines"].pop(),
        "paytable (raise): no pay line for a hand that may beat the dealer's, and no else: 'high_card'",
    ),
    "a clause twice": (
        CRISS,
        lambda d: d.update(clause=[{"id": "ZZ-1", "citation": "x", "says": "y"}] * 2),
        "clause: appears 2 times: 'ZZ-1'",
    ),
    "a clause that is somebody else's": (
        CRISS,
        lambda d: d.update(clause=[{"id": "MDC-1", "citation": "x", "says": "y"}]),
        "clause: the package already has this clause: 'MDC-1'",
    ),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", FAULTS)
def test_a_rulebook_that_could_not_run_is_refused_when_loaded(name: str) -> None:
    book, plant, says = FAULTS[name]
    data = sound_data(book)
    plant(data)
    assert any(says in line for line in lines(data)), lines(data)


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_shipped_rulebook_is_consistent(book: str) -> None:
    assert list(checks.problems(load(book))) == []


SHAPES: dict[str, Plant] = {
    "version: not allowed": lambda d: d.update(version="1"),
    "frob: unknown key": lambda d: d.update(frob=1),
    "opening: missing": lambda d: d.pop("opening"),
    "paytable (ante).title: missing": lambda d: d["paytable"][0].pop("title"),
    "settings.cut_method.value: not allowed": lambda d: d["settings"]["cut_method"].update(value=None),
    "table.seats: too small": lambda d: d["table"].update(seats=0),
    "methods: not a table": lambda d: d.update(methods=[]),
}
SENSES: dict[str, Plant] = {
    "paytable (bets): this hand has no line, but lower hands pay: 'flush'": lambda d: d["paytable"][1]["lines"].pop(4),
    "settings.cut_min_cards: value not allowed: -4": lambda d: d["settings"]["cut_min_cards"].update(value=-4),
    "irregularities: missing irregularity: 'shoe_jam'": lambda d: d["irregularities"].pop("shoe_jam"),
    "weights and slices differ in number": lambda d: d["wheel"][0]["illustrative_weights"].pop(),
    "choice: missing choice: 'dealing.decks'": drop_choice("dealing.decks"),
    "deck: no such clause: 'MDC-999'": lambda d: d["deck"].update(clauses=["MDC-999"]),
    "hand (across): names a card 2 times": lambda d: d["hand"][0]["of"].__setitem__(1, "hole_1"),
}


def test_faults_of_shape_hide_no_inconsistencies() -> None:
    data = sound_data(CRISS)
    for plant in (*SHAPES.values(), *SENSES.values()):
        plant(data)
    found = lines(data)
    assert [says for says in (*SHAPES, *SENSES) if not any(says in line for line in found)] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("says", SHAPES)
def test_a_fault_of_shape_alone_causes_no_other_problem(says: str) -> None:
    data = sound_data(CRISS)
    SHAPES[says](data)
    assert len(lines(data)) == 1
    assert says in lines(data)[0]


@pytest.mark.exhaustive
@pytest.mark.parametrize("section", sorted(as_data(load(CRISS))))
@pytest.mark.parametrize("instead", [None, 5, "text", [], {}, [5], {"a": 5}], ids=str)
def test_any_wrong_value_of_a_section_is_refused(section: str, instead: object) -> None:
    data = sound_data(CRISS)
    data[section] = instead
    with contextlib.suppress(BadInput):
        from_data(data, where="mine")


@pytest.mark.exhaustive
def test_the_order_of_problems_is_independent_of_the_hash_seed() -> None:
    program = (
        "from crossfelt.rulebooks.loader import *; d = as_data(load('md-criss-cross'))\n"
        "d['table']['layout'].update(rows=[], optional=[]); d['payout_limit'][0].update(covers=[], outside=[])\n"
        "try: from_data(d, where='mine')\nexcept ValueError as error: print(error)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1
    assert printed.pop().count("\n") > 10


# --- files ---


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"a": 1, "b": {"odds": 1, "odds": 2}}', "the key 'odds' appears twice in one table"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": [-Infinity]}', "-Infinity is not a number"),
    ],
)
def test_json_beyond_the_standard_is_refused_in_one_line(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(BadInput) as refused:
        read_file(file)
    assert str(refused.value) == f"{file}: not JSON: {says}"


@pytest.mark.parametrize("name", ["mine.json", "MINE.JSON"])
def test_a_byte_order_mark_and_capitals_do_no_harm(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(json.dumps(sound_data(CRISS)), "utf-8-sig")
    assert load(str(file)) == load(CRISS)


def test_toml_in_capitals_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    file = tmp_path / "MINE.TOML"
    file.write_text("a = 1\n", "utf-8-sig")
    assert read_file(file) == {"a": 1}
    with pytest.raises(BadInput, match="schema: missing"):
        load(str(file))


# --- the most at the minimum wager ---


def exposure(change: Plant, book: str = CRISS) -> int:
    data = sound_data(book)
    change(data)
    return compile_game(from_data(data, where="mine")).exposure.cents // 500


def thrice(data: Data) -> None:
    for wager in ("across", "down", "middle"):
        one(data["wager"], id=wager)["stake"]["min"] = 3


def paid_apart(wager: str, royal: int) -> Plant:
    def change(data: Data) -> None:
        table = json.loads(json.dumps(one(data["paytable"], id="bets"))) | {"id": "other"}
        one(table["lines"], hand="royal_flush")["odds"] = f"{royal} to 1"
        data["paytable"].append(table)
        for rule in one(data["wager"], id=wager)["settle"]:
            rule["pay"] = "other"

    return change


@pytest.mark.parametrize(
    ("change", "antes"),
    [
        (thrice, 3_302),
        (paid_apart("across", 5_000), 2 + 5_000 + 500 + 100),
        (paid_apart("down", 5_000), 2 + 5_000 + 500 + 100),
        (paid_apart("middle", 5_000), 2 + 5_000 + 500 + 100),
        # Two royals cannot be: the other line makes the royal flush, this one the straight flush.
        (paid_apart("down", 1), 2 + 500 + 500 + 100),
    ],
)
def test_every_bet_counts_at_its_own_table_and_multiple(change: Plant, antes: int) -> None:
    assert exposure(change) == antes


def test_a_raise_counts_at_its_own_multiple() -> None:
    def four(data: Data) -> None:
        one(data["wager"], id="raise")["stake"].update(min=4, max=4)

    assert exposure(four, DOUBLE) == 1 + 4 * 300
