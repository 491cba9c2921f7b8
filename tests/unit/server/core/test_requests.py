"""A malformed command is refused in one line: the field, the value that was sent, and what the field takes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.accounts.policy import SERVER_ONLY
from crossfelt.server.core.requests import SERVER_FIELDS, CommandRequest, command_of
from crossfelt.server.core.rng import TableRng
from crossfelt.table.act import COMMANDS_BY_NAME
from crossfelt.table.state import new_table

WRONG: tuple[Any, ...] = ([{}], -0.5)
BY_CHANCE, BY_TWO = ("choose_first_hand", "shuffle_deck"), ("correct_card", "reverse_round")
"""Commands whose fields the server draws, and those that need a second person first."""
TABLE = new_table(compile_game("nj-pai-gow"))


def refusal(**fields: Any) -> list[str]:
    request = CommandRequest(id="1", who="Ann", role="dealer", fields=fields)
    with pytest.raises(BadInput) as refused:
        command_of(request, "1", TABLE, TableRng(), 0)
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"command": "check_fittings", "shoe": 7}, "check_fittings.shoe: wrong type: 7 (allowed: text)"),
        ({"command": "check_fittings", "items": "rack"}, "check_fittings.items: wrong type: 'rack' (allowed: a list)"),
        (
            {"command": "check_fittings", "items": ["rack", 5]},
            "check_fittings.items[1]: wrong type: 5 (allowed: text)",
        ),
        ({"command": "record_fill", "cents": "5"}, "record_fill.cents: wrong type: '5' (allowed: a whole number)"),
        ({"command": "record_fill", "cents": None}, "record_fill.cents: wrong type: 'null' (allowed: a whole number)"),
        ({"command": "record_fill"}, "record_fill.cents: missing"),
        ({"command": "record_fill", "cents": 5, "chips": 1}, "record_fill.chips: no such field (allowed: cents)"),
        ({"command": "deal_cards", "seat": 1}, "deal_cards.seat: no such field (allowed: no fields)"),
        ({"command": "spread_idle", "face": "side"}, "spread_idle.face: unknown value: 'side' (allowed: down, up)"),
        (
            {"command": "turn_up", "cards": [5]},
            "turn_up.cards[0]: a card is sent as text: '5' (allowed: 2c … As, Jk (joker), ?? (face down))",
        ),
    ],
    ids=str,
)
def test_a_wrong_field_is_named_with_its_value_and_what_it_takes(fields: dict[str, Any], line: str) -> None:
    assert refusal(**fields) == [line]


@pytest.mark.parametrize("kind", sorted(COMMANDS_BY_NAME.keys() - {*SERVER_ONLY, *BY_CHANCE, *BY_TWO}))
def test_no_field_of_any_command_is_refused_in_the_words_of_a_library(kind: str) -> None:
    for field in msgspec.structs.fields(COMMANDS_BY_NAME[kind]):
        if field.name not in SERVER_FIELDS:
            for value in WRONG:
                lines = refusal(command=kind, **{field.name: value})
                assert any(line.startswith(f"{kind}.{field.name}") for line in lines), lines
                assert not any("`" in line or "\n" in line for line in lines)


def test_an_unknown_command_is_answered_with_those_of_the_role() -> None:
    (line,) = refusal(command="fly")
    assert line.startswith("command: no such command: 'fly' (allowed: ")
    assert "deal_cards" in line
    assert "place_wagers" not in line
