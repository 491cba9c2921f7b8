"""`crossfelt submission`: a new submission, and every violation with its clause."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import as_data, content_hash, load, rulebook_ids
from crossfelt.rulebooks.render.template import template

Crossfelt = Callable[..., Any]
Faults = Mapping[str, Any]
Expected = set[tuple[str, str]]


def submission_file(folder: Path, rulebook: str, faults: Faults) -> Path:
    """Write the defaults of a rulebook with values changed by path; None leaves one out."""
    stated = tomllib.loads(template(load(rulebook)))
    for path, value in faults.items():
        *tables, key = path.split(".")
        table = stated
        for name in tables:
            table = table.setdefault(name, {})
        if value is None:
            del table[key]
        else:
            table[key] = value
    file = folder / "submission.json"
    file.write_text(json.dumps(stated))
    return file


def violations(crossfelt: Crossfelt, file: Path) -> list[tuple[str, str]]:
    """Return path and first clause of each violation."""
    outcome = crossfelt("submission", "check", file, "--json")
    assert outcome.code == (1 if outcome.json["problems"] else 0)
    told = outcome.json["problems"]
    return [(each["where"].removeprefix(f"{file}: "), "".join(each["clauses"][:1])) for each in told]


# --- planted faults ------------------------------------------------------------------------------------------


MARYLAND: tuple[Faults, Expected] = (
    {
        "dealing.method": "hand",
        "dealing.decks": 2,
        "wagers.super_bonus.offered": True,
        "wagers.bonus_spin_xtreme.offered": True,
        "wagers.bonus_spin.weights": None,
        "meters.bonus_spin.initial_cents": 4_999_99,
        "meters.bonus_spin.reset_cents": 1_000_00,
        "meters.xtreme.reset_cents": 999_99,
        "payout_limit.amount_cents": 50_000_01,
        "pays.bets.flush": "7 to 1",
        "settings.cut_min_cards": 5,
    },
    {
        ("dealing.shuffler", "MDC-26"),
        ("dealing.shuffler", "MDC-8"),
        ("wagers.super_bonus", "MDC-4"),
        ("wagers.bonus_spin_xtreme.offered", "MDC-4"),
        ("wagers.bonus_spin.weights", "MDC-45"),
        ("meters.bonus_spin.initial_cents", "MDC-46"),
        ("meters.bonus_spin.reset_cents", "MDC-46"),
        ("meters.xtreme.reset_cents", "MDC-50"),
        ("payout_limit.amount_cents", "MDC-39"),
        ("pays.bets.flush", "MDC-38"),
        ("settings.cut_min_cards", "MDC-13"),
    },
)
NEW_JERSEY: tuple[Faults, Expected] = (
    {
        "dealing.method": "hand",
        "dealing.decks": 2,
        "wagers.bonus_spin_xtreme.offered": True,
        "wagers.bonus_spin.paytable": "4",
        "wagers.bonus_spin.weights": [0] * 12,
        "approvals.progressive_system": "some other hardware",
        "payout_limit.amount_cents": 49_000_00,
        "payout_limit.previous_amount_cents": 50_000_00,
        "pays.five_card_bonus.royal_flush": "200 to 1",
        "wagers.ante.max_cents": 1_00,
    },
    {
        ("dealing.shuffler", "NJC-36"),
        ("dealing.shuffler", "NJC-14"),
        ("wagers.bonus_spin_xtreme", "NJC-3"),
        ("wagers.bonus_spin.top_prize", "NJC-54"),
        ("wagers.bonus_spin.weights", "NJC-53"),
        ("approvals.progressive_system", "NJC-7"),
        ("payout_limit.amount_cents", "NJC-56"),
        ("payout_limit.notice_posted_at", "NJC-57"),
        ("pays.five_card_bonus.royal_flush", "NJC-52"),
        ("wagers.ante.min_cents", "NJC-25"),
    },
)
MASSACHUSETTS: tuple[Faults, Expected] = (
    {
        "dealing.method": "hand",
        "wagers.bonus_spin.offered": True,
        "payout_limit.amount_cents": 49_999_99,
        "pays.bets.royal_flush": "501 to 1",
    },
    {
        ("dealing.shuffler", "MAC-26"),
        ("wagers.bonus_spin", "MAC-20"),
        ("payout_limit.amount_cents", "MAC-41"),
        ("pays.bets.royal_flush", "MAC-39"),
    },
)
DOUBLE_CROSS: tuple[Faults, Expected] = (
    {
        "dealing.method": "hand",
        "wagers.five_card_bonus.offered": True,
        "wagers.three_card.max_cents": 100_01,
        "wagers.ante.min_cents": 100_00,
        "payout_limit.amount_cents": 60_099_99,
        "payout_limit.previous_amount_cents": 70_000_00,
        "pays.raise.flush": "5 to 1",
        "pays.three_card.straight": "6 for 1",
    },
    {
        ("dealing.shuffler", "DCP-18"),
        ("wagers.five_card_bonus", "DCP-15"),
        ("wagers.three_card.max_cents", "DCP-15"),
        ("payout_limit.amount_cents", "DCP-30"),
        ("payout_limit.notice_posted_at", "DCP-30"),
        ("pays.raise.flush", "DCP-28"),
        ("pays.three_card.straight", "DCP-27"),
    },
)
PAI_GOW: tuple[Faults, Expected] = (
    {
        "meters.pai_gow.rate_per_million": None,
        "wagers.progressive_dealer.offered": False,
        "wagers.queens_dragon.offered": True,
        "wagers.progressive.paytable": "D",
        "payout_limit.amount_cents": 39_999_99,
    },
    {
        ("meters.pai_gow.rate_per_million", "PGP-27"),
        ("wagers.progressive_dealer.offered", "PGP-6"),
        ("settings.ez_variation", ""),
        ("payout_limit.amount_cents", ""),
        ("wagers.progressive.paytable", "PGP-16"),
    },
)


@pytest.mark.parametrize(
    ("rulebook", "planted"),
    [
        pytest.param("md-criss-cross", MARYLAND, marks=pytest.mark.clause("MDC-26", "MDC-39", "MDC-46")),
        pytest.param("nj-criss-cross", NEW_JERSEY, marks=pytest.mark.clause("NJC-36", "NJC-56", "NJC-57")),
        pytest.param("ma-criss-cross", MASSACHUSETTS, marks=pytest.mark.clause("MAC-26", "MAC-41")),
        pytest.param("nj-double-cross", DOUBLE_CROSS, marks=pytest.mark.clause("DCP-18", "DCP-27", "DCP-28", "DCP-30")),
        pytest.param("nj-pai-gow", PAI_GOW, marks=pytest.mark.clause("PGP-6", "PGP-27")),
    ],
)
def test_every_planted_fault_is_reported_with_its_clause(
    crossfelt: Crossfelt, tmp_path: Path, rulebook: str, planted: tuple[Faults, Expected]
) -> None:
    faults, expected = planted
    found = violations(crossfelt, submission_file(tmp_path, rulebook, faults))
    assert set(found) >= expected
    assert {path for path, _ in found} == {path for path, _ in expected}


def test_each_violation_is_a_line_of_text_that_names_the_field_the_value_and_the_clause(
    crossfelt: Crossfelt, tmp_path: Path
) -> None:
    file = submission_file(tmp_path, "md-criss-cross", MARYLAND[0])
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 1
    assert len(outcome.out.splitlines()) == len(MARYLAND[1])
    assert (
        f"{file}: payout_limit.amount_cents: the payout limit must be at least $5,510 and at most $50,000: 5000001 "
        "(allowed: at least 551,000 and at most 5,000,000) [MDC-39, AMB-5c, AMB-6, AMB-10b]" in outcome.out
    )
    assert outcome.errors[-1].startswith("11 violations. To read a clause, run: crossfelt clauses MDC-")


@pytest.mark.clause("MDC-3", "MDC-6", "MDC-24")
def test_a_filed_submission_names_every_approval(crossfelt: Crossfelt, tmp_path: Path) -> None:
    approvals = {
        "layout.approval": "MDC-3",
        "approvals.manual_shoe_location": "MDC-24",
        "approvals.progressive_system": "MDC-6",
    }
    draft = crossfelt("submission", "check", submission_file(tmp_path, "md-criss-cross", {}))
    assert draft.code == 0
    filed = crossfelt("submission", "check", submission_file(tmp_path, "md-criss-cross", {"status": "filed"}))
    assert filed.code == 1
    for path, clause in approvals.items():
        said = f"'illustrative' (allowed: a reference, and no placeholder) [{clause}]"
        assert any(line.startswith("warning: ") and path in line and line.endswith(said) for line in draft.errors)
        assert any(path in line and line.endswith(said) for line in filed.out.splitlines())
    assert len(filed.out.splitlines()) == len(approvals)
    stated = {"status": "filed", **dict.fromkeys(approvals, "2026/17")}
    assert crossfelt("submission", "check", submission_file(tmp_path, "md-criss-cross", stated)).code == 0


@pytest.mark.clause("NJC-56")
def test_a_fixed_prize_above_the_payout_limit_is_refused(crossfelt: Crossfelt, tmp_path: Path) -> None:
    prize = "wagers.bonus_spin.fixed_prize_cents"
    fixed = {"wagers.bonus_spin.paytable": "4", "wagers.bonus_spin.top_prize": "fixed"}
    file = submission_file(tmp_path, "nj-criss-cross", {**fixed, prize: 100_000_00})
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 1
    (line,) = outcome.out.splitlines()
    assert line == (
        f"{file}: {prize}: the fixed prize of $100,000 is above the payout limit of $50,000: 10000000 "
        "(allowed: at most 5,000,000) [NJC-56, AMB-5]"
    )
    at_limit = submission_file(tmp_path, "nj-criss-cross", {**fixed, prize: 50_000_00})
    assert crossfelt("submission", "check", at_limit).code == 0


@pytest.mark.clause("PGP-27")
def test_a_rate_of_progression_below_seventy_percent_is_refused(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = submission_file(tmp_path, "nj-pai-gow", {"meters.pai_gow.rate_per_million": 699_999})
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 1
    assert "meters.pai_gow.rate_per_million: out of bounds: 699999" in outcome.out
    assert "[PGP-27, AMB-23]" in outcome.out


# --- a submission that passes ----------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_new_submission_passes_the_check_as_it_stands(crossfelt: Crossfelt, tmp_path: Path, rulebook: str) -> None:
    file = tmp_path / "new.toml"
    assert crossfelt("submission", "new", rulebook, "--out", file).code == 0
    assert file.read_text() == crossfelt("submission", "new", rulebook).out == template(load(rulebook))
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 0
    first, game, most, limit, *returns = outcome.out.splitlines()
    assert first.startswith(f"{file}: meets {load(rulebook).title} ({rulebook} ")
    assert len(game.removeprefix("game ")) == 64
    assert most.startswith("the most one patron could win at the minimum wager is $")
    assert limit.startswith("payout limit: ")
    game_of = compile_game(rulebook)
    assert bool(returns) == bool(game_of.wheels or game_of.book.game == "pai_gow")
    told = [line for line in outcome.errors if not line.startswith("crossfelt: compiling")]
    assert all(line.startswith(f"warning: {file}: ") for line in told)


def test_a_wheel_that_returns_more_than_the_stake_is_warned_of(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "generous.toml"
    text = template(load("nj-criss-cross"))
    generous = re.sub(r"(?m)^weights = .*$", f"weights = {[1] * 12}", text)
    assert generous != text
    file.write_text(generous)
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 0
    told = [line for line in outcome.errors if "returns more than the stake" in line]
    assert len(told) == 1
    assert "wheel bonus_spin.3: returns more than the stake with 0 other bettors" in told[0]
    assert "[NJC-53]" in told[0]


@pytest.mark.parametrize(
    ("book", "stated", "told"),
    [
        ("nj-criss-cross", f"[wagers.bonus_spin]\nweights = {[1] * 12}\n", "wheel bonus_spin.3: returns more"),
        (
            "nj-pai-gow",
            "[wagers.progressive]\nlucky_player_per_million = 1000000\nlucky_dealer_per_million = 1000000\n",
            "progressive_player: returns more than the stake",
        ),
    ],
)
def test_an_unstated_choice_does_not_hide_a_return_above_the_stake(
    crossfelt: Crossfelt, tmp_path: Path, book: str, stated: str, told: str
) -> None:
    file = tmp_path / "unfinished.toml"
    file.write_text(f'rulebook = "{book}"\n{stated}')
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 1
    assert any(told in line for line in outcome.errors)


METERS = (
    ({"meters.pai_gow.initial_cents": 0}, "the meter opens at its reset amount: '$0' (allowed: at least $25,000)", 1),
    ({"meters.pai_gow.initial_cents": 20_000_00}, "the meter opens at its reset amount: '$20,000'", 1),
    ({"wagers.progressive_player.max_credits": 100}, "one win at the highest odds is $50,000, more than", 1),
)


@pytest.mark.clause("PGP-27")
@pytest.mark.parametrize(("stated", "said", "times"), METERS)
def test_a_meter_that_could_leave_a_winner_with_little_is_a_warning(
    crossfelt: Crossfelt, tmp_path: Path, stated: Faults, said: str, times: int
) -> None:
    outcome = crossfelt("submission", "check", submission_file(tmp_path, "nj-pai-gow", stated))
    assert outcome.code == 0
    assert len([line for line in outcome.errors if said in line]) == times


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ('[pays.raise]\nflush = "90 to 1"\n', "returns more than the stakes: '123.23 %'"),
        ('[pays.three_card]\none_pair = "2 to 1"\n', "Three-card wager returns more than the stakes"),
    ],
)
def test_a_wager_that_returns_more_than_it_costs_is_a_warning(
    crossfelt: Crossfelt, tmp_path: Path, stated: str, told: str
) -> None:
    file = tmp_path / "generous.toml"
    file.write_text(f'rulebook = "nj-double-cross"\n{stated}')
    warnings = [line for line in crossfelt("submission", "check", file).errors if "returns more" in line]
    assert len(warnings) == 1
    assert told in warnings[0]


@pytest.mark.exhaustive
def test_odds_that_the_meter_does_not_pay_make_the_progressive_wager_return_too_much(
    crossfelt: Crossfelt, tmp_path: Path
) -> None:
    file = tmp_path / "inventory.toml"
    text = template(load("nj-pai-gow"))
    file.write_text(text.replace("[settings]\n", '[settings]\nodds_paid_from = "inventory"\n'))
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 0
    told = [line for line in outcome.errors if "returns more than the stake" in line]
    assert len(told) == 2
    for wager, line in zip(("progressive_player", "progressive_dealer"), told, strict=True):
        assert f"{wager}: returns more than the stake" in line
        assert "AMB-23" in line


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-27")
def test_the_check_prints_the_return_of_the_progressive_wager(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "usual.toml"
    file.write_text(template(load("nj-pai-gow")))
    told = crossfelt("submission", "check", file).out
    assert "odds and random awards return 62.31 %, paid from the meter's pool" in told
    assert "70.00 % of each credit goes to the meter" in told


def test_the_check_as_json(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text('rulebook = "ma-criss-cross"\n[wagers]\nante.min_cents = 10_000\nfive_card_bonus.offered = true\n')
    outcome = crossfelt("submission", "check", file, "--json")
    assert outcome.err == ""
    told = outcome.json
    assert {key: told[key] for key in ("file", "rulebook", "ok", "problems")} == {
        "file": str(file),
        "rulebook": "ma-criss-cross",
        "ok": True,
        "problems": [],
    }
    assert told["rulebook_hash"] == content_hash(load("ma-criss-cross"))
    stated = {"wagers": {"ante": {"min_cents": 10_000}, "five_card_bonus": {"offered": True}}}
    game = compile_game("ma-criss-cross", stated)
    assert told["game_hash"] == game.hash
    assert told["most_at_minimum"]["cents"] == 1102 * 10_000
    assert told["payout_limits"] == [{"rule": "at_least", "figure_cents": 11_020_000, "limit_cents": None}]


def test_a_problem_as_json_has_every_field(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = submission_file(tmp_path, "ma-criss-cross", {"colour": "green"})
    outcome = crossfelt("submission", "check", file, "--json")
    assert outcome.json["problems"] == [
        {
            "code": "choice.unknown",
            "where": f"{file}: colour",
            "what": "no such choice",
            "value": None,
            "allowed": "the choices that `crossfelt submission new` lists",
            "clauses": [],
            "readings": [],
            "house_rule": "",
        }
    ]
    assert outcome.json["game_hash"] is None


# --- files -----------------------------------------------------------------------------------------------------


def test_a_file_is_overwritten_only_with_force(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine")
    refused = crossfelt("submission", "new", "ma-criss-cross", "--out", file)
    assert (refused.code, file.read_text()) == (2, "mine")
    assert refused.errors == [f"{file}: file exists (allowed: another name, or --force to overwrite it)"]
    assert crossfelt("submission", "new", "ma-criss-cross", "--out", file, "--force").code == 0
    assert file.read_text().startswith("# Rules Submission")


def test_an_unwritable_file_is_reported(crossfelt: Crossfelt, tmp_path: Path) -> None:
    outcome = crossfelt("submission", "new", "ma-criss-cross", "--out", tmp_path / "no" / "such.toml")
    assert outcome.code == 2
    assert outcome.errors[0].endswith("cannot be written: No such file or directory")


def test_a_submission_may_be_for_an_own_rulebook(
    crossfelt: Crossfelt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "law").mkdir()
    (tmp_path / "filed").mkdir()
    book = tmp_path / "law" / "own.json"
    book.write_text(json.dumps({**as_data(load("ma-criss-cross")), "id": "own"}))
    file = tmp_path / "filed" / "own.toml"
    monkeypatch.chdir(tmp_path)
    assert crossfelt("submission", "new", "law/own.json", "--out", "filed/own.toml").code == 0
    assert 'rulebook = "../law/own.json"' in file.read_text()
    assert crossfelt("submission", "check", "filed/own.toml").code == 0
    assert 'rulebook = "law/own.json"' in crossfelt("submission", "new", "law/own.json").out


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("gone.toml", None, ": cannot be read: No such file or directory"),
        ("bad.toml", "rulebook =", ": not TOML: "),
        ("bad.json", "{", ": not JSON: "),
        ("list.json", "[1]", ": a submission must be a table of choices"),
        ("nameless.toml", "[wagers]", ": rulebook: the submission names no rulebook (allowed: ma-criss-cross, "),
        ("number.toml", "rulebook = 7", ": rulebook: the submission names no rulebook"),
    ],
)
def test_an_unusable_file_is_bad_input(
    crossfelt: Crossfelt, tmp_path: Path, name: str, text: str | None, problem: str
) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    outcome = crossfelt("submission", "check", file)
    assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)
    assert outcome.errors[0].startswith(f"{file}{problem}")


def test_a_submission_for_an_unknown_rulebook_is_bad_input(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "nevada.toml"
    file.write_text('rulebook = "nv-criss-cross"')
    outcome = crossfelt("submission", "check", file)
    assert outcome.code == 2
    assert outcome.errors[0].startswith("no such rulebook: 'nv-criss-cross'")
    assert crossfelt("submission", "new", "nv-criss-cross").code == 2


@pytest.mark.parametrize(
    ("book", "path"),
    [
        pytest.param("nj-criss-cross", "layout.filing", marks=pytest.mark.clause("NJC-2")),
        pytest.param("md-criss-cross", "layout.approval", marks=pytest.mark.clause("MDC-3")),
    ],
)
def test_a_layout_that_was_not_lodged_or_approved_is_named_until_it_is(
    crossfelt: Crossfelt, tmp_path: Path, book: str, path: str
) -> None:
    file, key = tmp_path / "layout.toml", path.partition(".")[2]
    text = template(load(book))
    file.write_text(text)
    assert any(path in line for line in crossfelt("submission", "check", file).errors)
    stated = re.sub(rf"(?m)^{key} = .*$", f'{key} = "L-17, lodged 2026-03-02"', text)
    assert stated != text
    file.write_text(stated)
    outcome = crossfelt("submission", "check", file)
    assert not any(path in line for line in outcome.errors)
    assert outcome.code == 0
