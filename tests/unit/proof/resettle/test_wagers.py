"""The second settlement knows every form in which a rulebook can state a hand or a payment."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from crossfelt.proof.resettle.plain_game import PlainGame
from crossfelt.proof.resettle.wagers import Due, Position, Spot, WagerSettler
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.hand_forms import Hand, Mark, Match
from crossfelt.rulebooks.model import PayLine, Stake, Wager
from crossfelt.rulebooks.script import Action
from crossfelt.rulebooks.settle_forms import Bonus, Commission, PayOn, Rule

FORMS: Final[dict[type[msgspec.Struct], str]] = {
    Rule: "when unless where odds pay on else only versus win tie lose versus_each by_wins pays take spin tie_readings",
    PayOn: "pay on else",
    Bonus: "pay on when unless",
    Commission: "where",
    Hand: "id title of best order highest_of lowest_of chosen_of split marks",
    Mark: "is at_least",
    Match: "hand low high ranks",
    PayLine: "hand low high ranks id odds meter meter_percent amount_cents clauses readings",
    Wager: "id title required match_play group stake unit parts settle bonus commission also_pays needs",
    Stake: "posted of min max whole times cents by_paytable within_cents",
    Action: "title bet times most choose check fold forfeits keeps expose forfeit withdraw",
}
"""The fields that `resettle` reads. A form that is new here must be settled there."""


@pytest.mark.parametrize("kind", FORMS, ids=lambda kind: kind.__name__)
def test_every_form_of_the_schema_is_known(kind: type[msgspec.Struct]) -> None:
    cited = {field.encode_name for field in msgspec.structs.fields(Cited)}
    fields = {field.encode_name for field in msgspec.structs.fields(kind)}
    assert fields - cited - set(FORMS[kind].split()) == set()


LINES: Final = [{"hand": "pair", "low": "J", "odds": "3 to 2"}, {"hand": "pair", "odds": "push"}]
CARDS: Final = {"hole_1": "Ks", "hole_2": "Kd"}


def settled(
    settle: list[dict[str, Any]], stake: int = 1_001, dealer: tuple[str, str] = ("Qs", "Qd"), **wager: Any
) -> Due:
    """Settle two kings against the dealer's two cards by some rules."""
    marks = {
        "queens": {"is": {"hand": "pair", "low": "Q", "high": "Q"}},
        "plays": {"at_least": {"hand": "high_card", "ranks": ["Q"]}},
    }
    book: dict[str, Any] = {
        "group": [{"id": "hole", "owner": "positions", "cards": 2}],
        "hand": [{"id": "two", "of": ["hole"], "order": "two_card", "marks": marks}],
        "wager": [{"id": "main", "stake": {"posted": "main"}, "settle": settle, **wager}],
        "paytable": [{"id": "pays", "order": "two_card", "lines": LINES}],
        "choice": [{"path": f"wagers.main.{end}_cents", "default": 1_00} for end in ("min", "max", "step")],
        "script": [],
    }
    settler = WagerSettler(PlainGame({"rulebook": book, "submission": {}}))
    against = Position(cards=dict(zip(CARDS, dealer, strict=True)))
    return settler.settle(book["wager"][0], stake, Spot(Position(cards=CARDS), against, against, {}))


KINGS: Final = "pair of kings"


@pytest.mark.parametrize(
    ("settle", "due"),
    [
        ([{"odds": "3 to 2"}], ("win", 1_001, 1_501)),
        ([{"odds": "3 for 2"}], ("win", 0, 1_501)),
        ([{"pay": "pays", "on": "two"}], ("win", 1_001, 1_501)),
        ([{"pay": "pays", "on": "dealer.two", "only": "push"}, {"odds": "5 to 1"}], ("win", 1_001, 5_005)),
        ([{"when": {"dealer.two": "queens"}, "odds": "push"}, {"odds": "1 to 1"}], ("push", 1_001, 0)),
        ([{"unless": {"dealer.two": "plays"}, "odds": "push"}, {"odds": "1 to 1"}], ("win", 1_001, 1_001)),
        ([{"versus": ["two", "dealer.two"], "win": {"pay": "pays", "on": "two"}}], ("win", 1_001, 1_501)),
        ([{"versus": ["dealer.two", "two"], "win": "1 to 1"}], ("lose", 0, 0)),
        ([{"versus": ["two", "two"], "win": "1 to 1"}], ("push", 1_001, 0)),
        ([{"versus": ["two", "two"], "win": "1 to 1", "tie": "2 to 1"}], ("win", 1_001, 2_002)),
        ([{"versus": ["dealer.two", "two"], "win": "1 to 1", "lose": "2 for 1"}], ("win", 0, 2_002)),
        ([{"versus_each": [["two", "dealer.two"], ["two", "two"]], "by_wins": ["lose", "1 to 2", "9 to 1"]}],
         ("win", 1_001, 500)),
        ([{"pays": [{"pay": "pays", "on": "two"}, {"pay": "pays", "on": "dealer.two"}]}], ("win", 1_001, 3_002)),
        ([{"pays": [{"pay": "pays", "on": "two"}, {"pay": "pays", "on": "dealer.two"}], "take": "best"}],
         ("win", 1_001, 1_501)),
        ([{"where": {"on_sundays": True}, "odds": "9 to 1"}], ("lose", 0, 0)),
    ],
)  # fmt: skip
def test_a_rule_settles_as_it_says(settle: list[dict[str, Any]], due: tuple[str, int, int]) -> None:
    assert settled(settle)[:3] == due


def test_a_stake_in_parts_is_paid_part_by_part() -> None:
    assert settled([{"odds": "3 to 2"}], 1_002, parts=2)[:3] == ("win", 1_002, 2 * 751)


def test_the_pay_line_and_the_hand_are_named() -> None:
    assert settled([{"pay": "pays", "on": "two"}])[3:5] == (KINGS, "pair")
