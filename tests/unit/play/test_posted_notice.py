"""The posted notice states every payout, who gets it, and the payout limit."""

from __future__ import annotations

import re
from typing import Any

import pytest

from crossfelt.games.progressive_wager import drawn_awards
from crossfelt.money import dollars
from crossfelt.play.narration import narrate
from crossfelt.play.payment_explanation import arithmetic
from crossfelt.play.posted_notice import notice_lines, posted_notice
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.rulebooks.render.json import describe
from crossfelt.rulebooks.render.phrases import pay_words
from crossfelt.table.events import WagerSettled, WheelSpun

LIMIT = {"payout_limit": {"amount_cents": 60_000_00, "approval": "2026-7"}}
XTREME = {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True}}}
FOLD = {"across": "fold"}
ROYAL: dict[str, Any] = {
    "rulebook": "nj-double-cross",
    "submission": LIMIT,
    "cards": {"vertical": "As Qs Ts", "horizontal": "4h Qs 9d", "dealer": "2h 3d", "seat1": "Ks Js"},
    "seats": [{"seat": 1, "wagers": {"ante": 500_00}, "decisions": {"play": "vertical"}}],
}
EZ = {"settings": {"ez_variation": True}, "wagers": {"queens_dragon": {"offered": True}}}


def text_of(game: Game) -> str:
    """Return the printed notice in one line."""
    return re.sub(r"\s+", " ", " ".join(notice_lines(posted_notice(game))))


@pytest.mark.clause("NJC-5", "MDC-5")
@pytest.mark.parametrize("book", rulebook_ids())
def test_the_notice_prints_every_payout_of_every_wager(book: str) -> None:
    game = compile_game(book)
    printed = text_of(game)
    for wager in game.wagers:
        for name in filter(None, (wager.pays, *wager.also_pays)):
            assert all(pay_words(line) in printed for line in game.pays[name].lines), name
        if wager.odds is not None:
            assert f"{wager.title}: a win pays {wager.odds}" in printed
    for wheel in game.wheels:
        for each in wheel.slices:
            assert each.pays_cents is None or dollars(each.pays_cents) in printed
    assert "share" not in printed


@pytest.mark.clause("NJC-5", "NJC-48", "NJC-53", "NJC-54", "NJC-55", "MDC-5", "MDC-48")
@pytest.mark.parametrize(
    ("book", "letter", "community"),
    [
        ("nj-criss-cross", "3", {3: ("$500", "$100"), 6: ("$200", "$50"), 9: ("$25", "$15")}),
        ("nj-criss-cross", "4", {3: ("$100", "$20"), 6: ("$50", "$10"), 9: ("$15", "$3")}),
        ("nj-criss-cross", "5", {3: ("$100", "$20"), 6: ("$50", "$10"), 9: ("$15", "$3")}),
        ("md-criss-cross", "A", {3: ("$120", "$20"), 5: ("$60", "$10"), 8: ("$18", "$3")}),
        ("md-criss-cross", "D", {3: ("$600", "$100"), 5: ("$250", "$50"), 8: ("$40", "$15")}),
    ],
)
def test_community_pay_is_posted_by_receiver(book: str, letter: str, community: dict[int, tuple[str, str]]) -> None:
    top = {"top_prize": "fixed"} if letter == "4" else {}
    game = compile_game(book, {"wagers": {"bonus_spin": {"paytable": letter, **top}}})
    slices = {each.place: each.text for each in posted_notice(game).spins[0].wheels[0].slices}
    for place, (own, other) in community.items():
        assert slices[place] == f"the spinner keeps {own}; each other Bonus Spin bettor gets {other}"
    assert sum("bettor" in text for text in slices.values()) == len(community)
    assert list(slices) == sorted(slices)


@pytest.mark.clause("MDC-48")
def test_community_pay_names_each_stake_where_bettors_have_different_ones() -> None:
    stated = {"wagers": {"bonus_spin": {"paytable": "D", "paytable_other": "A"}}}
    printed = text_of(compile_game("md-criss-cross", stated))
    assert "each other Bonus Spin bettor gets $20 for $1 and $100 for $5" in printed


@pytest.mark.clause("NJC-10", "MDC-22", "MDC-23")
def test_the_notice_says_what_spins_a_wheel() -> None:
    for book in ("nj-criss-cross", "md-criss-cross"):
        assert "A pair in the player's two cards spins the wheel." in text_of(compile_game(book))
    event = {"wagers": {**XTREME["wagers"], "bonus_spin_xtreme": {"offered": True, "qualifying_hand": "straight"}}}
    printed = text_of(compile_game("md-criss-cross", event))
    assert "Straight or better in the five community cards spins both wheels." in printed
    assert "spins both wheels (illustrative)." in text_of(compile_game("md-criss-cross", XTREME))


@pytest.mark.clause("NJC-56", "MDC-39", "MAC-41", "DCP-30")
@pytest.mark.parametrize(
    ("book", "stated", "says"),
    [
        ("nj-criss-cross", {}, "Payout limit $50,000, posted at the table. One player's winnings in one whole round"),
        ("nj-criss-cross", {}, "5 Card Bonus and Bonus Spin. The Bonus Spin jackpot is paid in full."),
        ("md-criss-cross", {}, "It does not cover Five Card Bonus and Bonus Spin."),
        ("nj-double-cross", LIMIT, "The limit covers raise. It does not cover ante and three-card wager."),
        ("nj-pai-gow", {"payout_limit": {"amount_cents": 40_000_00}}, "The limit covers imperial pai gow bonus."),
    ],
)
def test_the_notice_says_what_the_payout_limit_covers(book: str, stated: dict[str, Any], says: str) -> None:
    assert says in text_of(compile_game(book, stated))


@pytest.mark.clause("DCP-27")
@pytest.mark.parametrize("stated", [{}, {"pays": {"raise": {"flush": "15 to 2"}, "three_card": {"one_pair": 2}}}])
def test_printed_odds_read_to_and_never_for(stated: dict[str, Any]) -> None:
    """On the notice, on the pages that the browser shows, in the log and in the explanation of a payment."""
    game = compile_game("nj-double-cross", stated)
    (one,) = ROYAL["seats"]
    shows = {"wagers": {"ante": 500_00, "three_card": 5_00}, "decisions": {"three_card": "expose", "play": "vertical"}}
    played = ScriptRunner().play({**ROYAL, "submission": stated, "seats": [{**one, **shows}]}, where="round")
    settled = [event for event in played.events if isinstance(event, WagerSettled)]
    assert [event.result for event in settled] == ["win", "win", "win"]
    told = [f"{narrate(event, game)} {arithmetic(event, game)}" for event in settled]
    for printed in (text_of(game), str(describe(game)), *told):
        assert re.search(r"\d to \d", printed), printed
        assert not re.search(r"\d for \d", printed)


@pytest.mark.clause("DCP-30")
def test_no_limit_is_posted_where_none_is_in_force() -> None:
    assert "limit" not in text_of(compile_game("nj-double-cross"))


@pytest.mark.clause("NJC-5", "NJC-57", "MDC-5", "DCP-30")
def test_the_submission_decides_where_odds_and_limit_are_posted() -> None:
    on_felt = {"payout_limit": {**LIMIT["payout_limit"], "on_layout": True}}
    notice = posted_notice(compile_game("nj-double-cross", on_felt))
    assert (notice.odds_on, notice.limits[0].on) == ("layout", "layout")
    notice = posted_notice(compile_game("nj-double-cross", {**LIMIT, "layout": {"odds_on": "sign"}}))
    assert (notice.odds_on, notice.limits[0].on) == ("sign", "sign")


CUT = "limited to $60,000 by the payout limit of $60,000 for one round; $240,000 is not paid"


@pytest.mark.clause("DCP-30")
def test_a_cut_payment_says_so_in_the_log_and_in_its_explanation() -> None:
    played = ScriptRunner().play(ROYAL, where="round")
    game = compile_game("nj-double-cross", LIMIT)
    raised = next(e for e in played.events if isinstance(e, WagerSettled) and e.wager == "raise")
    assert narrate(raised, game).endswith(f"wins $60,000 at 300 to 1, {CUT}")
    assert f"The payment is {CUT}." in arithmetic(raised, game)


@pytest.mark.clause("NJC-48")
def test_the_log_names_the_amount_of_the_other_bettors_at_a_community_slice() -> None:
    seats = [{"seat": n, "wagers": {"ante": 500, "bonus_spin": 500}, "decisions": FOLD} for n in (1, 2)]
    cards = {"seat1": "Ks Kd", "seat2": "2c 9d", "across": "3h 7s", "down": "Jh 5c", "middle": "8d"}
    stated = {"rulebook": "nj-criss-cross", "cards": cards, "seats": seats, "chance": {"wheel": {"seat1": 3}}}
    played = ScriptRunner().play(stated, where="round")
    spun = next(e for e in played.events if isinstance(e, WheelSpun))
    assert narrate(spun, compile_game("nj-criss-cross")).endswith(
        "spins the wheel: 3, $500; each other Bonus Spin bettor gets $100"
    )


def test_ez_pai_gow_prints_the_rule_that_replaces_the_commission() -> None:
    odds = [str(line) for line in posted_notice(compile_game("nj-pai-gow", EZ)).odds]
    assert odds[0].startswith(
        "Pai gow poker wager: a win pays 1 to 1, no commission; the dealer's queen-high pai gow pushes the main wager"
    )
    assert odds[1].startswith("Queen's Dragon: a win pays 50 to 1")


def test_every_pai_gow_figure_that_no_document_prints_is_marked() -> None:
    game = compile_game("nj-pai-gow", EZ)
    notice = posted_notice(game)
    assert {pays.id for pays in notice.pays if pays.mark} == {
        table.id for table in game.book.paytables if table.house_rule
    }
    assert [pays.id for pays in notice.pays if pays.illustrative] == ["seven_card_envy"]
    assert len(notice.awards) == len(drawn_awards(game))
    assert all(str(award).endswith("(illustrative)") for award in notice.awards)
    own = compile_game("nj-pai-gow", {"wagers": {"progressive": {"magic_card_per_million": 500_000}}})
    assert "Magic card: awarded in 500,000 of a million rounds" in map(str, posted_notice(own).awards)


def test_a_printed_pay_table_is_not_marked() -> None:
    assert not any(pays.mark for pays in posted_notice(compile_game("nj-criss-cross")).pays)
