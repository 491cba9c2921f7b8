"""`crossfelt rulebook`: list, show and diff, for shipped rulebooks and an own file."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crossfelt.rulebooks.loader import as_data, content_hash, load, rulebook_ids
from crossfelt.rulebooks.settings import setting_rules

Crossfelt = Callable[..., Any]


def own_file(folder: Path, **changes: Any) -> Path:
    """Write Massachusetts as an own file, with some keys changed."""
    file = folder / "own.json"
    file.write_text(json.dumps({**as_data(load("ma-criss-cross")), "id": "own", **changes}))
    return file


# --- list ----------------------------------------------------------------------------------------------------


def test_the_list_has_a_line_for_each_rulebook_and_next_steps(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "list")
    head, *rows = outcome.out.splitlines()
    assert head.split() == ["rulebook", "title", "version", "hash", "wagers", "clauses"]
    assert [row.split()[0] for row in rows] == list(rulebook_ids())
    assert max(map(len, [head, *rows])) <= 100
    assert "Play money only." in outcome.err
    assert sum(line.startswith("  crossfelt ") for line in outcome.errors) == 3


def test_every_hint_of_the_list_works(crossfelt: Crossfelt) -> None:
    hints = [line.split("    ")[0] for line in crossfelt("rulebook", "list").errors if "  crossfelt" in line]
    for hint in hints:
        assert crossfelt(*shlex.split(hint)[1:]).code == 0


def test_the_list_as_json(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "list", "--json")
    assert outcome.err == ""
    assert [row["id"] for row in outcome.json] == list(rulebook_ids())
    maryland = outcome.json[1]
    assert maryland == {
        "id": "md-criss-cross",
        "title": "Criss Cross Poker, Maryland",
        "jurisdiction": "Maryland",
        "game": "criss_cross",
        "version": load("md-criss-cross").version,
        "hash": content_hash(load("md-criss-cross")),
        "wagers": 8,
        "clauses": 58,
    }


# --- show ----------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", rulebook_ids())
def test_a_rulebook_shown_as_json_is_a_rulebook_file(crossfelt: Crossfelt, tmp_path: Path, name: str) -> None:
    file = tmp_path / "copy.json"
    file.write_text(crossfelt("rulebook", "show", name, "--json").out)
    assert content_hash(load(str(file))) == content_hash(load(name))
    assert crossfelt("rulebook", "show", file).out == crossfelt("rulebook", "show", name).out


def test_show_prints_one_section_on_request(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "show", "ma-criss-cross", "--section", "pays")
    assert outcome.out.startswith("Pay tables\n")
    assert "royal flush                           500 to 1" in outcome.out
    assert "The round" not in outcome.out


@pytest.mark.clause("NJC-5", "NJC-53", "NJC-56")
def test_show_prints_the_notice_at_the_table_with_wheels_in_printed_positions(crossfelt: Crossfelt) -> None:
    posted = crossfelt("rulebook", "show", "nj-criss-cross", "--section", "posted").out
    assert "Payout limit $50,000, posted at the table." in posted
    assert "Odds and amounts printed on the layout:" in posted
    wheels = crossfelt("rulebook", "show", "nj-criss-cross", "--section", "wheels").out
    assert "    stop 8      $1,000     $200     $250\n" in wheels


def test_an_unknown_section_is_refused_with_the_known_ones(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "show", "ma-criss-cross", "--section", "wheels")
    assert outcome.code == 2
    assert outcome.errors[0].startswith("unknown section of ma-criss-cross: 'wheels' (allowed: identity, table, ")


def test_a_section_as_json_is_refused(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "show", "ma-criss-cross", "--section", "pays", "--json")
    assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)
    assert outcome.errors[0].startswith("--section: cannot be combined with --json")


def test_settings_are_selectable_where_a_submission_may_choose_them(crossfelt: Crossfelt, tmp_path: Path) -> None:
    shown = crossfelt("rulebook", "show", "nj-criss-cross", "--section", "settings").out
    rules = {name: (setting_rules()[name], setting) for name, setting in load("nj-criss-cross").settings.items()}
    open_here = {name for name, (rule, setting) in rules.items() if rule.open_in(setting)}
    assert open_here < {name for name, (rule, _) in rules.items() if rule.selectable}
    assert shown.count("SELECTABLE") == len(open_here)


def test_a_submission_to_a_file_with_any_name_is_toml(
    crossfelt: Crossfelt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = 'a"b\\c.json'
    own_file(tmp_path).rename(tmp_path / name)
    assert tomllib.loads(crossfelt("submission", "new", name).out)["rulebook"] == name
    assert crossfelt("submission", "new", name, "--out", "a b.toml").errors[-1].endswith("check 'a b.toml'")
    assert crossfelt("submission", "check", "a b.toml").code == 0


def test_an_own_file_is_shown_with_its_own_clauses(crossfelt: Crossfelt, tmp_path: Path) -> None:
    clause = {"id": "NVC-1", "citation": "Nev. Rules § 1", "says": "Six seats."}
    own = {"schema": 2, "id": "own", "version": "1.0.0", "title": "Own", "extends": "ma-criss-cross"}
    file = tmp_path / "own.json"
    file.write_text(json.dumps({**own, "document": "Nevada's rules of the game", "clause": [clause]}))
    shown = crossfelt("rulebook", "show", file)
    assert shown.code == 0
    assert "document  Nevada's rules of the game" in shown.out
    assert "NVC-1    Nev. Rules § 1: Six seats." in shown.out


def test_odds_that_do_not_follow_rank_are_shown_with_a_warning(crossfelt: Crossfelt, tmp_path: Path) -> None:
    data = as_data(load("ma-criss-cross"))
    table = next(table for table in data["paytable"] if table["id"] == "bets")
    next(line for line in table["lines"] if line["hand"] == "straight")["odds"] = "9 to 1"
    outcome = crossfelt("rulebook", "show", own_file(tmp_path, paytable=data["paytable"]))
    assert outcome.code == 0
    assert outcome.errors == [
        (
            "warning: own: paytable (bets): straight ranks below flush but pays more: '9 to 1 against 8 to 1' "
            "(allowed: higher odds above, or in_order = false if the game means it so)"
        )
    ]


def test_a_rulebook_without_a_choice_that_its_wagers_need_is_refused(crossfelt: Crossfelt, tmp_path: Path) -> None:
    data = as_data(load("ma-criss-cross"))
    choices = [choice for choice in data["choice"] if choice["path"] != "wagers.ante.min_cents"]
    outcome = crossfelt("rulebook", "show", own_file(tmp_path, choice=choices), "--section", "limits")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.errors[0].endswith("missing choice: 'wagers.ante.min_cents' (allowed: kind = \"cents\")")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("gone.toml", None, "cannot be read: No such file or directory"),
        ("bad.toml", "id = ", "not TOML: "),
        ("bad.json", "{", "not JSON: "),
        ("list.json", "[]", "not a table"),
    ],
)
def test_an_unreadable_file_is_one_line(
    crossfelt: Crossfelt, tmp_path: Path, name: str, text: str | None, problem: str
) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    for arguments in (("show", file), ("diff", "nj-criss-cross", file)):
        outcome = crossfelt("rulebook", *arguments)
        assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)
        assert outcome.errors[0].startswith(f"{file}: {problem}")


def test_every_problem_of_a_file_has_its_line(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = own_file(tmp_path, colour="green", version="one")
    outcome = crossfelt("rulebook", "show", file)
    assert outcome.code == 2
    assert [line.split(": ")[1] for line in outcome.errors] == ["version", "colour"]


# --- diff ----------------------------------------------------------------------------------------------------


def test_the_difference_between_new_jersey_and_maryland_in_words(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "diff", "nj-criss-cross", "md-criss-cross")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 100
    text = " ".join(outcome.out.split())
    for told in (
        "D7 How to cut nj-criss-cross At least ten cards are lifted onto the cover card",
        "[NJC-22: N.J.A.C. 13:69F-40.5(c)]",
        "[the document is silent; MDC-16: Md. Standard Rules, Criss Cross Poker, ch. 6]",
        "adopted reading AMB-11: It is the lowest straight",
        "A device is out of order: in both, the device is covered or marked out of order before another method is used",
        "nj-criss-cross [the document is silent] house rule: as in Massachusetts and Maryland",
        "slice 3 $500 + community 1 $600 + community 1",
        "nj-criss-cross settle → settle bonus",
        "Bonus Spin Xtreme: stake: $1 or $2 or $5; requires ante; the player spins a wheel",
        "Topics without differences: D10 Order of the deal;",
    ):
        assert told in text
    assert lines[-1].endswith("equal entries are not shown.")


def test_the_difference_as_json(crossfelt: Crossfelt) -> None:
    found = crossfelt("rulebook", "diff", "nj-criss-cross", "md-criss-cross", "--json").json
    assert list(found) == ["a", "b", "topics", "differences", "equal"]
    assert found["a"]["hash"] == content_hash(load("nj-criss-cross"))
    cut = next(each for each in found["differences"] if each["key"] == "settings.cut_method")
    assert cut["topic"] == "D7"
    assert cut["a"] == {
        "value": "lift_onto_cover_card",
        "says": "with one hand: the top packet is lifted onto the cover card, the rest is placed on top, and the cover "
        "card goes to the discard rack",
        "clauses": [{"id": "NJC-22", "citation": "N.J.A.C. 13:69F-40.5(c)"}],
        "readings": [],
        "house_rule": "",
        "silent": False,
        "illustrative": False,
    }


def test_a_copy_with_one_change_differs_in_that_alone(crossfelt: Crossfelt, tmp_path: Path) -> None:
    data = as_data(load("ma-criss-cross"))
    data["settings"]["cut_min_cards"]["value"] = 12
    file = own_file(tmp_path, settings=data["settings"])
    outcome = crossfelt("rulebook", "diff", "ma-criss-cross", file)
    assert "Fewest cards in the top packet of a cut" in outcome.out
    assert "ma-criss-cross  10 cards" in outcome.out
    assert "own             12 cards" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("1 difference;")


def test_a_rulebook_does_not_differ_from_itself(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "diff", "nj-pai-gow", "nj-pai-gow")
    assert outcome.code == 0
    assert "nj-pai-gow (A)" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("No differences;")


def test_rulebooks_of_different_games_can_be_compared(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "diff", "nj-double-cross", "nj-pai-gow")
    assert outcome.code == 0
    assert "nj-double-cross  double cross" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 100
