"""`crossfelt fair`: reveals of the server, intact and tampered with."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import repeatable_seed, shuffled
from crossfelt.cli.main import run
from crossfelt.proof.commitment import Sealed, deck_leaves


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    sealed = Sealed(deck_leaves(shuffled(deck_of(52), repeatable_seed(7))), repeatable_seed(8))
    openings = [sealed.opening(label) for label in ("card/01", "card/07")]
    file = tmp_path / "round.json"
    file.write_bytes(msgspec.json.encode({"round": 3, "commitment": sealed.commitment, "openings": openings}))
    return file


def test_a_round_that_matches_its_commitment_passes(opened: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fair", str(opened)]) == 0
    receipt, verdict = capsys.readouterr().out.splitlines()[-2:]
    assert receipt.startswith("  receipt ")
    assert receipt.endswith(" none; compare this root with the one you noted before the bets")
    assert verdict == "all 2 checks hold, but nothing here shows that the deck was fixed before the bets"


def test_another_card_or_another_root_is_found(opened: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(opened.read_text())
    assert run(["fair", str(opened), "--root", told["commitment"]["root"]]) == 0
    assert capsys.readouterr().out.endswith("all 3 checks hold\n")
    assert run(["fair", str(opened), "--root", "0" * 64]) == 1
    assert "NOT the published root" in capsys.readouterr().out
    told["openings"][1]["value"] = "As" if told["openings"][1]["value"] != "As" else "Ks"
    opened.write_text(json.dumps(told))
    assert run(["fair", str(opened)]) == 1
    assert capsys.readouterr().out.endswith("1 of 2 checks FAIL\n")


@pytest.mark.parametrize("forged_first", [True, False])
def test_a_second_card_for_a_committed_one_is_found(
    forged_first: bool, opened: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(opened.read_text())
    true = told["openings"][0]
    forged = {**true, "value": "As" if true["value"] != "As" else "Ks"}
    told["openings"][:1] = [forged, true] if forged_first else [true, forged]
    opened.write_text(json.dumps(told))
    assert run(["fair", str(opened), "--root", " ", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    says = {it["what"]: it["says"] for it in answer["findings"]}
    assert says[f"card/01 = {forged['value']}"] == "DOES NOT MATCH"
    assert says[f"card/01 = {true['value']}"] == "matches, but revealed TWICE"
    assert [it["unproved"] for it in answer["gaps"]] == ["the deck was fixed before the bets"]


def test_a_value_revealed_twice_or_not_at_all_is_a_fault(opened: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(opened.read_text())
    first = told["openings"][0]
    for openings, verdict in (([first, first], "2 of 2 checks FAIL"), ([], "nothing to check")):
        opened.write_text(json.dumps({**told, "openings": openings}))
        assert run(["fair", str(opened)]) == 1
        assert capsys.readouterr().out.endswith(f"{verdict}\n")


def test_a_round_with_physical_cards_has_nothing_to_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    file.write_text('{"round": 3, "commitment": null, "events": []}', encoding="utf-8")
    assert run(["fair", str(file)]) == 2
    assert "the cards of this round were physical" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"commitment": 3}'])
def test_a_file_without_a_round_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    file.write_text(text)
    assert run(["fair", str(file)]) == 2
    assert "not the JSON record of a round" in capsys.readouterr().err
