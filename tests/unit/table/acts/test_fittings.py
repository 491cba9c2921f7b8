"""Records of the table: its fittings, its shoe and shuffler, the cover card, and the life of each deck."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.play.narration import narrate
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.decks import opening_step
from unit.table.manual_table import CODE, Play, clause, in_each, only

DEVICE = {"dealing": {"shuffler": "automatic"}}
HAND = {"dealing": {"method": "hand", "shuffler": "automatic"}}
AUTOMATED = {"dealing": {"method": "automated_shoe"}, "approvals": {"automated_shoe": "AS-1"}}
SHOE = {"shoe": "MS-12", "shoe_place": "left of the chip tray"}
FITTINGS = [
    pytest.param("nj-criss-cross", ("drop_box", "tip_box"), ("NJC-6", "NJC-30"), marks=clause("NJC-6", "NJC-30")),
    pytest.param("ma-criss-cross", (), ("MAC-22",), marks=clause("MAC-22")),
    pytest.param(
        "md-criss-cross", ("drop_box", "tip_box", "discard_rack"), ("MDC-7", "MDC-24"), marks=clause("MDC-7", "MDC-24")
    ),
    pytest.param(
        "nj-double-cross",
        ("chip_tray", "discard_rack", "community_area"),
        ("DCP-2a", "DCP-9", "DCP-19a"),
        marks=clause("DCP-2a", "DCP-19a"),
    ),
]


def unchecked(book: str, stated: dict[str, Any] | None = None) -> Play:
    """A table that the floor has opened, and nothing else."""
    play = Play(book, stated)
    play.do(c.OpenTable, inventory_cents=1_000_000_00)
    return play


# --- the check of the fittings ---


@pytest.mark.parametrize(("book", "items", "cited"), FITTINGS)
def test_the_check_of_the_fittings_names_its_person_and_time_and_the_shoe(
    book: str, items: tuple[str, ...], cited: tuple[str, ...]
) -> None:
    play = unchecked(book)
    checked = only(play.do(c.CheckFittings, items=items, who="flo", **SHOE), e.FittingsChecked)
    assert (checked.by, checked.at, checked.items) == ("flo", play.at, items)
    assert (checked.shoe, checked.shoe_place, checked.shuffler) == ("MS-12", "left of the chip tray", "")
    assert checked.clauses == cited
    said = narrate(checked, play.game)
    assert all(item.replace("_", " ") in said for item in items)
    assert "shoe MS-12 left of the chip tray" in said
    assert play.refusal(c.CheckFittings, items=items, **SHOE).code == "fittings.done"


@pytest.mark.parametrize(("book", "items", "cited"), FITTINGS)
def test_no_card_is_shuffled_before_the_fittings_are_checked(
    book: str, items: tuple[str, ...], cited: tuple[str, ...]
) -> None:
    play = unchecked(book)
    play.do(c.TakeSeat, seat=1, chips_cents=1000_00)
    for act in ("receive", "inspect", "verify", "spread", "show", "wash", "stack"):
        play.do(c.PrepareDeck, deck="A-1", act=act, back="red" if act == "receive" else "")
    problem = play.refusal(c.ShuffleDeck, deck="A-1", method="manual")
    assert (problem.code, problem.clauses) == ("fittings.due", cited)
    assert "shuffle_deck" not in play.may("dealer")
    play.do(c.CheckFittings, items=items, **SHOE)
    play.do(c.ShuffleDeck, deck="A-1", method="manual")


@pytest.mark.parametrize(("book", "items", "cited"), FITTINGS)
def test_a_check_leaves_out_no_fitting_and_no_name(book: str, items: tuple[str, ...], cited: tuple[str, ...]) -> None:
    """Each refusal names its field and the rule of that field alone: the fittings, the shoe, or the shuffler."""
    play = unchecked(book)
    fixtures, load, shuffle = (
        play.game.book.table.fixtures,
        *(opening_step(play.table, it) for it in ("load", "shuffle")),
    )
    wrong: dict[str, Any] = {
        "items": ((*items, "moon"), fixtures or load),
        "shoe": ("", load),
        "shoe_place": (" ", load),
        "shuffler": ("S-1", shuffle),
    }
    if items:
        assert play.refusal(c.CheckFittings, items=items[1:], **SHOE).where == "items"
    for where, (value, rule) in wrong.items():
        problem = play.refusal(c.CheckFittings, **{"items": items, **SHOE, where: value})
        assert (problem.where, problem.clauses) == (where, rule.clauses)
    assert play.refusal(c.CheckFittings, items=items, role="dealer", **SHOE).code == "role"


@clause("MDC-7")
def test_only_maryland_may_approve_another_place_of_the_tip_box() -> None:
    variance = "tip box right of the shuffler, approval V-3"
    play = unchecked("md-criss-cross")
    assert [option.texts[-1] for option in play.options("floor") if option.command == "check_fittings"] == [
        "shoe_place",
        "variance",
    ]
    items = ("drop_box", "tip_box", "discard_rack")
    checked = only(play.do(c.CheckFittings, items=items, variance=variance, **SHOE), e.FittingsChecked)
    assert checked.variance == variance
    assert variance in narrate(checked, play.game)
    elsewhere = unchecked("nj-criss-cross")
    problem = elsewhere.refusal(c.CheckFittings, items=("drop_box", "tip_box"), variance=variance, **SHOE)
    assert (problem.code, problem.clauses) == ("fittings.variance", ("NJC-6",))


UNFIT = pytest.mark.parametrize("text", ["", " \t", "x" * 101, "two\nlines"])


@UNFIT
@pytest.mark.parametrize("book", CODE)
def test_colours_names_places_and_reasons_are_one_short_line(book: str, text: str) -> None:
    play = unchecked(book)
    option = next(option for option in play.options("floor") if option.command == "check_fittings")
    named = {**option.fields, **dict.fromkeys(option.texts, "MS-12")}
    received = {"deck": "A-1", "act": "receive", "back": "red", "cover": "yellow"}
    refused = [play.refusal(c.CheckFittings, **{**named, field: text}) for field in option.texts]
    refused += [play.refusal(c.PrepareDeck, **{**received, field: text}) for field in ("back", "cover")]
    play.do(c.PrepareDeck, **received)
    refused.append(play.refusal(c.RemoveDeck, deck="A-1", reason=text))
    assert [problem.where for problem in refused] == [*option.texts, "back", "cover", "reason"]
    assert {problem.allowed for problem in refused} == {"1 to 100 characters in one line"}
    assert all("\n" not in str(problem) for problem in refused)
    assert all(problem.basis for problem in refused[:-1])


@clause("MDC-7")
@pytest.mark.parametrize("text", [" ", "x" * 101])
def test_another_place_of_the_tip_box_is_named(text: str) -> None:
    items = ("drop_box", "tip_box", "discard_rack")
    problem = unchecked("md-criss-cross").refusal(c.CheckFittings, items=items, variance=text, **SHOE)
    assert (problem.code, problem.clauses) == ("fittings.variance", ("MDC-7",))


@clause("DCP-4")
def test_a_colour_is_the_same_however_it_is_written() -> None:
    play = unchecked("nj-double-cross", DEVICE | {"dealing": {"shuffler": "automatic", "decks": 2}})
    assert play.refusal(c.PrepareDeck, deck="A-1", act="receive", back="red", cover=" Red").where == "cover"
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="red")
    assert play.refusal(c.PrepareDeck, deck="B-1", act="receive", back="RED ").where == "back"


# --- shoe and shuffler ---


@in_each("NJC-20", "MAC-7", "MDC-11")
def test_a_shuffle_by_device_names_the_device_and_one_by_hand_names_none(book: str) -> None:
    play = Play(book, DEVICE).open(1)
    play.serve()
    assert play.table.fittings is not None
    assert play.last(e.DeckShuffled).device == play.table.fittings.shuffler == "shuffler 1"
    assert "Shuffler shuffler 1 mixes deck A-1" in narrate(play.last(e.DeckShuffled), play.game)
    by_hand = Play(book).open_for_bets(1)
    assert (by_hand.last(e.DeckShuffled).method, by_hand.last(e.DeckShuffled).device) == ("manual", "")


@clause("DCP-7")
def test_double_cross_names_the_device_of_a_shuffle_too() -> None:
    play = Play("nj-double-cross", DEVICE).open(1)
    play.serve()
    assert (play.last(e.DeckShuffled).device, play.last(e.DeckShuffled).clauses) == ("shuffler 1", ("DCP-7",))


@in_each("NJC-30", "MAC-22", "MDC-24")
def test_the_dealer_or_the_shuffler_loads_a_shoe_that_has_a_name_and_a_place(book: str) -> None:
    by_dealer = Play(book).open_for_bets(1).last(e.DeckLoaded)
    assert (by_dealer.loader, by_dealer.shoe, by_dealer.place) == ("dealer", "shoe 1", "shoe 1")
    play = Play(book, DEVICE).open(1)
    play.serve(before=c.LoadDeck)
    (option,) = [option for option in play.options("dealer") if option.command == "load_deck"]
    assert option.choices == {"loader": ("dealer", "shuffler")}
    loaded = only(play.do(c.LoadDeck, deck="A-1", loader="shuffler"), e.DeckLoaded)
    assert (loaded.loader, loaded.clauses) == ("shuffler", by_dealer.clauses)
    assert narrate(loaded, play.game).endswith("filled by the shuffler")


@in_each("NJC-30", "MAC-22", "MDC-24")
def test_no_shuffler_loads_cards_that_it_has_not_mixed(book: str) -> None:
    play = Play(book).open(1)
    play.serve(before=c.LoadDeck)
    problem = play.refusal(c.LoadDeck, deck="A-1", loader="shuffler")
    assert (problem.code, problem.value, problem.allowed) == ("load.loader", "shuffler", "dealer")
    by_hand = Play(book, HAND).open(1)
    by_hand.serve(before=c.LoadDeck)
    assert by_hand.refusal(c.LoadDeck, deck="A-1", hand="left", loader="shuffler").code == "load.loader"


def test_a_device_that_was_changed_is_named_again_before_cards_are_loaded() -> None:
    play = Play("md-criss-cross", DEVICE).open_for_bets(1)
    play.do(c.ReportIrregularity, kind="device_out_of_order", place="shuffler")
    play.do(c.MarkDevice, device="shuffler", how="covered")
    play.do(c.MarkDevice, device="shuffler", how="in_use")
    play.bet(1)
    play.advance(until="shuffle")
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device").code == "fittings.due"
    items = ("drop_box", "tip_box", "discard_rack")
    play.do(c.CheckFittings, items=items, shuffler="SH-2", shuffler_place="right", **SHOE)
    play.serve()
    assert play.last(e.DeckShuffled).device == "SH-2"


# --- the cover card ---


@in_each("NJC-13", "MAC-2", "MDC-8")
def test_a_deck_is_received_with_the_colours_of_its_backs_and_its_cover_card(book: str) -> None:
    play = Play(book).open(1)
    problem = play.refusal(c.PrepareDeck, deck="A-1", act="receive", back="red", cover="")
    required = {"NJC": "NJC-13", "MAC": "MAC-2", "MDC": "MDC-8"}[play.code]
    assert (problem.code, problem.where, problem.clauses) == ("deck.cover", "cover", (required,))
    received = only(play.do(c.PrepareDeck, deck="A-1", act="receive", back="red", cover="green"), e.DeckPrepared)
    assert (received.back, received.cover) == ("red", "green")
    assert required in received.clauses
    assert narrate(received, play.game).endswith("red backs, green cover card")


@clause("DCP-4")
def test_the_cover_card_of_double_cross_does_not_look_like_the_backs() -> None:
    play = Play("nj-double-cross").open(1)
    problem = play.refusal(c.PrepareDeck, deck="A-1", act="receive", back="red", cover="red")
    assert (problem.code, problem.value, problem.clauses) == ("deck.cover", "red", ("DCP-4",))
    received = only(play.do(c.PrepareDeck, deck="A-1", act="receive", back="red", cover="yellow"), e.DeckPrepared)
    assert "DCP-4" in received.clauses


@clause("NJC-15")
def test_new_jersey_wants_a_cover_card_with_an_automated_shoe_too() -> None:
    play = Play("nj-criss-cross", AUTOMATED).open(1)
    problem = play.refusal(c.PrepareDeck, deck="A-1", act="receive", back="red", cover="")
    assert problem.clauses == ("NJC-13", "NJC-15")
    received = only(play.do(c.PrepareDeck, deck="A-1", act="receive", back="red"), e.DeckPrepared)
    assert (received.clauses, received.readings) == (("NJC-17", "NJC-13", "NJC-15"), ("AMB-8",))
    elsewhere = Play("ma-criss-cross", {"dealing": {"method": "automated_shoe"}}).open(1)
    assert elsewhere.do(c.PrepareDeck, deck="A-1", act="receive", back="red", cover="")


# --- two people ---


@in_each("NJC-17", "MAC-5", "MDC-10")
def test_the_person_who_inspected_a_deck_cannot_verify_it(book: str) -> None:
    _inspected_and_verified_by_one(Play(book).open(1), {"NJC": "NJC-17", "MAC": "MAC-5", "MDC": "MDC-10"})


@clause("DCP-6")
def test_nor_can_one_person_do_both_in_double_cross() -> None:
    _inspected_and_verified_by_one(Play("nj-double-cross").open(1), {"DCP": "DCP-6"})


def test_nor_at_pai_gow_by_its_house_rule() -> None:
    _inspected_and_verified_by_one(Play("nj-pai-gow").open(1), {})


def _inspected_and_verified_by_one(play: Play, cited: dict[str, str]) -> None:
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="red", who="dora")
    play.do(c.PrepareDeck, deck="A-1", act="inspect", who="dora")
    problem = play.refusal(c.PrepareDeck, deck="A-1", act="verify", who="dora")
    assert (problem.code, problem.where, problem.value) == ("same_person", "who", "dora")
    assert problem.clauses == ((cited[play.code],) if cited else ())
    assert "prepare_deck" not in play.may("floor", "dora")
    assert "prepare_deck" in play.may("floor", "flo")
    play.do(c.PrepareDeck, deck="A-1", act="verify", who="flo")


# --- the life of a deck ---


@in_each("NJC-17", "MAC-5", "MDC-10")
def test_a_deck_has_an_id_of_its_own_and_keeps_its_whole_life(book: str) -> None:
    play = Play(book).open_for_bets(1)
    since = play.last(e.DeckLoaded).at
    play.play_round(1)
    play.do(c.RemoveDeck, deck="A-1", reason="a marked card", who="flo")
    play.serve()
    old, new = play.table.decks_removed[0], play.table.decks["A-2"]
    assert (old.id, old.back, old.cover, old.shuffles, old.since) == ("A-1", "red", "yellow", 2, since)
    acts = ["receive", "inspect", "verify", "spread", "show", "wash", "stack", "use", "remove"]
    assert [act.act for act in old.life] == acts
    assert [act.by for act in old.life if act.act in ("inspect", "verify", "remove")] == ["dealer", "floor", "flo"]
    assert (old.life[-1].note, old.cards) == ("a marked card", ())
    assert [act.act for act in new.life] == acts[:-1]
    assert [event.deck for event in play.all(e.RoundOpened)] == ["A-1", "A-1", "A-2"]


def test_a_table_that_closes_and_opens_again_gets_new_decks_and_a_new_check() -> None:
    play = Play("md-criss-cross").open_for_bets(1)
    play.do(c.LeaveSeat, seat=1)
    play.do(c.CloseTable)
    assert play.table.fittings is None
    assert [(deck.id, deck.life[-1].note) for deck in play.table.decks_removed] == [("A-1", "the table closes")]
    play.open_for_bets(1)
    assert len(play.all(e.FittingsChecked)) == 2
    assert play.table.in_play == "A-2"
