"""The player's view as text."""

from __future__ import annotations

from crossfelt.cli.render.felt import pay_marks, pays_lines
from crossfelt.games.progressive_wager import drawn_awards
from crossfelt.rulebooks.game import compile_game

EZ = {"settings": {"ez_variation": True}, "wagers": {"queens_dragon": {"offered": True}}}


def test_ez_pai_gow_prints_the_rule_that_replaces_the_commission() -> None:
    game = compile_game("nj-pai-gow", EZ)
    assert pays_lines(game, ["main", "queens_dragon"]) == [
        "Pai gow poker wager: a win pays 1 to 1, no commission; the dealer's queen-high pai gow pushes the main wager",
        "Queen's Dragon: a win pays 50 to 1",
    ]


def test_every_pai_gow_table_that_no_document_prints_is_marked() -> None:
    game = compile_game("nj-pai-gow", EZ)
    marks = pay_marks(game, [wager.id for wager in game.wagers])
    ours = [table.id for table in game.book.paytables if table.house_rule]
    ours += [wager.id for wager in game.wagers if wager.odds and wager.house_rule]
    ours += drawn_awards(game)
    assert sorted(map(_of, marks)) == sorted(ours)
    assert {_of(mark) for mark in marks if "ILLUSTRATIVE" in mark} == {"seven_card_envy", *drawn_awards(game)}


def _of(mark: str) -> str:
    """Return the table, wager or award of a mark."""
    return mark.partition(":")[0].replace(" ", "_")


def test_a_printed_pay_table_is_not_marked() -> None:
    game = compile_game("nj-criss-cross")
    assert pay_marks(game, [wager.id for wager in game.wagers]) == []
