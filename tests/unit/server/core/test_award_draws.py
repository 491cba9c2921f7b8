"""Lucky and magic awards: fixed before the bets, and as likely as the submission says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.proof.commitment import verify
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.core.rng import AWARDS, RoundCommitment, TableRng, draw_devices
from crossfelt.table import commands as c
from crossfelt.table.credits import awards_by, draw_weights
from crossfelt.table.engine import Accepted, run
from crossfelt.table.events import AwardsDrawn
from crossfelt.table.state import TableState, new_table

PLAYER, DEALER = "progressive_player", "progressive_dealer"
ALWAYS = {f"{award}_per_million": 1_000_000 for award in ("lucky_player", "lucky_dealer", "magic_card")}


def locked(bets: dict[int, dict[str, int]], **progressive: Any) -> TableState:
    """Return a table that waits for the start button's draw."""
    game = compile_game("nj-pai-gow", {"wagers": {"progressive": progressive}})
    session = TableSession(game, TableRng(), at=TickingClock())
    session.open()
    for seat in bets:
        session.sit(seat, f"player {seat}", 100_00)
    for _ in session.advance():
        pass
    table = session.table
    for seat, wagers in bets.items():
        common: dict[str, Any] = {"id": "1", "who": f"player {seat}", "role": "player", "at": 0}
        answer = run(table, c.PlaceWagers(seat=seat, wagers={"main": 10_00, **wagers}, **common))
        assert isinstance(answer, Accepted), answer
        table = answer.table
    answer = run(table, c.NoMoreBets(id="2", who="dealer", role="dealer", at=0))
    assert isinstance(answer, Accepted), answer
    return answer.table


@pytest.mark.clause("PGP-17")
def test_each_seat_with_the_wager_is_equally_likely_to_be_lucky() -> None:
    """Exact, over every order of the six seats that could have been sealed."""
    bets = {1: {PLAYER: 1_00}, 3: {PLAYER: 1_00}, 5: {DEALER: 1_00}, 6: {PLAYER: 5_00}}
    table = locked(bets, **ALWAYS)
    found: Counter[int] = Counter()
    for order in permutations(range(1, 7)):
        rng = TableRng(draws={"lucky_seat": " ".join(map(str, order))})
        found[rng.stop(table, "lucky_seat", draw_weights(table)["lucky_seat"])] += 1
    weights = draw_weights(table)["lucky_seat"]
    assert {seat: Fraction(count, 720) for seat, count in found.items()} == {
        seat: Fraction(weight, sum(weights)) for seat, weight in enumerate(weights) if weight
    }


@pytest.mark.clause("PGP-17", "PGP-18")
@pytest.mark.parametrize("rate", [0, 250_000, 1_000_000])
def test_awards_are_sealed_as_often_as_the_submission_says(rate: int) -> None:
    game = compile_game("nj-pai-gow", {"wagers": {"progressive": dict.fromkeys(ALWAYS, rate)}})
    seeds = iter(range(10_000))
    drawn = [draw_devices(new_table(game), lambda: repeatable_seed(next(seeds))) for _ in range(400)]
    for label in AWARDS:
        fell = sum(draws[label] != "0" for draws in drawn)
        assert abs(fell - 400 * rate // 1_000_000) <= (35 if 0 < rate < 1_000_000 else 0), label
    cards = {draws["magic_card"] for draws in drawn}
    assert len(cards) > 40 or rate < 1_000_000
    assert cards <= {str(number) for number in range(53)}


def test_no_award_is_sealed_that_the_pay_table_does_not_have() -> None:
    for letter, labels in (("A", set(AWARDS)), ("B", {"lucky_seat", "lucky_dealer"}), ("C", set())):
        game = compile_game("nj-pai-gow", {"wagers": {"progressive": {"paytable": letter}}})
        assert set(draw_devices(new_table(game))) & set(AWARDS) == labels
    assert not set(draw_devices(new_table(compile_game("nj-criss-cross")))) & set(AWARDS)


@pytest.mark.clause("PGP-15", "PGP-17", "PGP-18")
def test_the_sealed_award_is_drawn_and_can_be_proved() -> None:
    table = locked({2: {PLAYER: 1_00, DEALER: 1_00}, 4: {}}, **ALWAYS)
    seal, rng = TableRng().commit_round(table, at=0, seq=1, again=False)
    fields = rng.fields_of("draw_awards", {}, table)
    assert fields == {
        "lucky_seat": 2,
        "lucky_dealer": True,
        "magic_card": Card(int(seal.draws["magic_card"]) - 1).text,
    }
    event = AwardsDrawn(by="dealer", at=0, **{**fields, "magic_card": Card(fields["magic_card"])})
    fixed = RoundCommitment.of(seal)
    opened = {opening.label: opening for opening in fixed.openings([event]) if opening.label in AWARDS}
    assert set(opened) == set(AWARDS)
    assert all(verify(fixed.commitment, opening) for opening in opened.values())
    assert opened["magic_card"].value == seal.draws["magic_card"]


def test_an_award_that_no_seat_can_win_is_not_drawn() -> None:
    table = locked({2: {DEALER: 1_00}}, **ALWAYS)
    _, rng = TableRng().commit_round(table, at=0, seq=1, again=False)
    drawn = awards_by(table, rng.stop)
    assert drawn is not None
    assert (drawn["lucky_seat"], drawn["lucky_dealer"]) == (0, True)
