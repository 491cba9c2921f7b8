"""Lucky and magic awards follow from a seed sealed before any bet, with the probabilities of the submission."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.player_seeds import PlayerSeed
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.proof.commitment import verify
from crossfelt.proof.fair_round import DEVICES
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.core.rng import RoundCommitment, TableRng
from crossfelt.table import commands as c
from crossfelt.table.credits import awards_by, draw_weights
from crossfelt.table.engine import Accepted, run
from crossfelt.table.events import AwardsDrawn, DeckMixed
from crossfelt.table.state import TableState

PLAYER, DEALER = "progressive_player", "progressive_dealer"
ALWAYS = {f"{award}_per_million": 1_000_000 for award in ("lucky_player", "lucky_dealer", "magic_card")}


def locked(bets: dict[int, dict[str, int]], **progressive: Any) -> TableState:
    """Return a table that waits for the draws of the start button."""
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
    bets = {1: {PLAYER: 1_00}, 3: {PLAYER: 1_00}, 5: {DEALER: 1_00}, 6: {PLAYER: 5_00}}
    table = locked(bets, **ALWAYS)
    weights = draw_weights(table)["lucky_seat"]
    assert {seat for seat, weight in enumerate(weights) if weight} == {1, 3, 6}
    assert len({weight for weight in weights if weight}) == 1
    found = {TableRng(devices=repeatable_seed(seed)).stop(table, "lucky_seat", weights) for seed in range(100)}
    assert found == {1, 3, 6}


@pytest.mark.clause("PGP-17", "PGP-18")
@pytest.mark.parametrize("rate", [0, 250_000, 1_000_000])
def test_awards_are_drawn_at_the_rate_of_the_submission(rate: int) -> None:
    table = locked({2: {PLAYER: 1_00, DEALER: 1_00}}, **dict.fromkeys(ALWAYS, rate))
    drawn = [awards_by(table, TableRng(devices=repeatable_seed(seed)).stop) or {} for seed in range(400)]
    for award in ("lucky_seat", "lucky_dealer", "magic_card"):
        fell = sum(draws[award] is not None if award == "magic_card" else bool(draws[award]) for draws in drawn)
        assert abs(fell - 400 * rate // 1_000_000) <= (35 if 0 < rate < 1_000_000 else 0), award
    assert len({draws["magic_card"] for draws in drawn}) > 40 or rate < 1_000_000


@pytest.mark.clause("PGP-15", "PGP-17", "PGP-18")
def test_the_drawn_awards_follow_from_the_sealed_seed_and_the_players_seeds() -> None:
    table = locked({2: {PLAYER: 1_00, DEALER: 1_00}, 4: {}}, **ALWAYS)
    seal, rng = TableRng().commit_round(table, at=0, seq=1, again=False)
    fields = rng.fields_of("draw_awards", {}, table)
    assert fields == TableRng().resumed(seal, ()).fields_of("draw_awards", {}, table)
    assert (fields["lucky_seat"], fields["lucky_dealer"]) == (2, True)
    event = AwardsDrawn(by="dealer", at=0, **{**fields, "magic_card": Card(fields["magic_card"])})
    fixed = RoundCommitment.of(seal)
    (opening,) = [opening for opening in fixed.openings([event]) if opening.label == DEVICES]
    assert verify(fixed.commitment, opening)
    assert opening.value == seal.devices
    seeds = [PlayerSeed(2, "Ann", "aa", f"{seed:016}") for seed in range(100)]
    mixed = [DeckMixed(by="dealer", at=0, deck="A-1", round_id="main/1", seeds=(seed,)) for seed in seeds]
    cards = {rng.after([event]).fields_of("draw_awards", {}, table)["magic_card"] for event in mixed}
    assert len(cards) > 30


def test_an_award_without_a_possible_seat_is_not_drawn() -> None:
    table = locked({2: {DEALER: 1_00}}, **ALWAYS)
    _, rng = TableRng().commit_round(table, at=0, seq=1, again=False)
    drawn = awards_by(table, rng.stop)
    assert drawn is not None
    assert (drawn["lucky_seat"], drawn["lucky_dealer"]) == (0, True)
