"""Pai Gow Poker: side bets against the census, settings against the plain rules, house ways against each other."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from crossfelt.analysis import SeatPlan, advise, simulate, solve
from crossfelt.analysis.advice import SettingAdvice
from crossfelt.analysis.pai_gow_solution import PaiGowSolution, side_bets
from crossfelt.analysis.solver.pai_gow_advice import advise as advise_settings
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.errors import BadInput
from crossfelt.games.house_way import house_way
from crossfelt.games.split_hands import HighLowHand, set_hand
from crossfelt.hands.joker import is_queen_high
from crossfelt.kernels.random_deals import deals, every_hand
from crossfelt.rulebooks.game import compile_game

SAMPLES = 150
"""Dealer's hands against which each setting is played."""
HANDS = ("Ks Kd Qs Qd 7h 5c Jk", "As 9d 8c 7h 5s 3d 2c", "2c 3c 4c 5c 6c 6d 6h", "Ac Ad Ah As Jk 9d 9h")
EZ = {
    "settings": {"ez_variation": True},
    "wagers": {"queens_dragon": {"offered": True}},
}


def compare(player: HighLowHand, bank: HighLowHand) -> str:
    """Two higher hands win, one is a push, none loses; a foul hand loses, and an equal hand is not higher."""
    if player.foul:
        return "lose"
    return ("lose", "push", "win")[(player.high > bank.high) + (player.low > bank.low)]


@pytest.mark.parametrize("text", HANDS)
@pytest.mark.parametrize("ez", [False, True])
def test_settings_are_worth_what_the_plain_rules_say(text: str, ez: bool) -> None:
    game = compile_game("nj-pai-gow", EZ if ez else {})
    seven = parse_cards(text, joker=True)
    found = advise_settings(game, pay={}, bets={}, cards={"cards": text}, samples=SAMPLES)
    left = [card for card in range(53) if Card(card) not in seven]
    stream = f"{game.hash}/0/{format_cards(sorted(seven))}"
    dealers = [tuple(Card(card) for card in row) for row in deals(stream, SAMPLES, 7, left).tolist()]
    lows = [house_way(str(game.choices["house_way"])).set(dealer).low for dealer in dealers]
    for setting in found.settings:
        player = set_hand(seven, setting.low)
        results = [
            "push" if ez and is_queen_high(dealer) else compare(player, set_hand(dealer, low))
            for dealer, low in zip(dealers, lows, strict=True)
        ]
        assert setting.win == Fraction(results.count("win"), SAMPLES)
        assert setting.push == Fraction(results.count("push"), SAMPLES)
        assert setting.ev == (1 if ez else Fraction(19, 20)) * setting.win - setting.lose


@pytest.mark.parametrize("text", HANDS)
def test_every_lawful_setting_is_there_and_the_house_way_is_marked(text: str) -> None:
    found = advise("nj-pai-gow", cards=text)
    assert isinstance(found, SettingAdvice)
    seven = parse_cards(text, joker=True)
    lawful = {
        frozenset((one, two))
        for place, one in enumerate(seven)
        for two in seven[place + 1 :]
        if not set_hand(seven, (one, two)).foul
    }
    assert {frozenset(setting.low) for setting in found.settings} == lawful
    (marked,) = (setting for setting in found.settings if setting.house_way)
    assert set(marked.low) == set(house_way("trump_plaza").set(seven).low)
    assert found.settings[0].ev == max(setting.ev for setting in found.settings)
    assert found.best == format_cards(found.settings[0].low)


def test_equal_settings_have_equal_values() -> None:
    found = advise("nj-pai-gow", cards="Ks Kd Qs Qd 7h 5c 2c")
    by_hands: dict[str, set[Fraction]] = {}
    assert isinstance(found, SettingAdvice)
    for setting in found.settings:
        by_hands.setdefault(setting.hands, set()).add(setting.ev)
    assert len(found.settings) > len(by_hands)
    assert all(len(values) == 1 for values in by_hands.values())


@pytest.mark.soak
def test_a_sample_agrees_with_all_hands_of_the_dealer() -> None:
    exact, sampled = (advise("nj-pai-gow", cards=HANDS[0], exact=exact) for exact in (True, False))
    assert isinstance(exact, SettingAdvice)
    assert isinstance(sampled, SettingAdvice)
    assert exact.dealer_hands == comb(46, 7)
    values = {setting.low: setting for setting in exact.settings}
    for setting in sampled.settings:
        assert setting.interval is not None
        assert abs(setting.interval.z_score(float(values[setting.low].ev))) < 4.5


def test_every_hand_is_dealt_once() -> None:
    hands = [tuple(hand) for part in every_hand(4, range(9), at_a_time=50) for hand in part.tolist()]
    assert len(hands) == len(set(hands)) == comb(9, 4)
    assert hands == sorted(hands)


def test_side_bets_are_exact() -> None:
    bets = side_bets(compile_game("nj-pai-gow", EZ))
    assert set(bets) == {"seven_card", "queens_dragon", "imperial"}
    hands = {"imperial": comb(53, 7) * comb(46, 7)}
    for name, bet in bets.items():
        assert bet.deals == hands.get(name, comb(53, 7))
        assert bet.ev == sum(bet.contribution(outcome) for outcome in bet.outcomes)
    # The published edge of this table of the Fortune bonus is 7.77 %.
    assert round(float(bets["seven_card"].house_edge), 4) == 0.0777


def test_the_imperial_bonus_returns_what_a_simulation_finds() -> None:
    exact = side_bets(compile_game("nj-pai-gow"))["imperial"]
    seats = [SeatPlan(wagers={"main": 1000, "imperial": 100}, strategy="house-way")] * 6
    found = simulate("nj-pai-gow", rounds=100_000, seats=seats, seed="imperial")
    for seat in found.seats:
        edge = seat.wagers["imperial"].house_edge
        assert edge is not None
        assert abs(edge.z_score(float(exact.house_edge))) < 4.5
        hits = seat.wagers["imperial"].results["win"]
        rate = float(exact.hit_rate)
        assert abs(hits - rate) < 4.5 * (rate * (1 - rate) / found.rounds) ** 0.5


def test_the_main_wager_has_its_interval() -> None:
    found = solve("nj-pai-gow")
    assert isinstance(found, PaiGowSolution)
    assert set(found.house_ways) == {"casino_real", "flamingo", "foxwoods", "mgm", "trump_plaza"}
    told = found.as_data()
    assert told["ev"]["value"] == pytest.approx(float(found.ev))
    assert "exact" not in told
    assert "simulation of 1,000,000 rounds" in told["method"]
    # Shares of win, push and loss of house way against house way are widely quoted: 28.61, 41.48 and 29.91 %.
    shares = [found.distribution.probability(outcome) for outcome in found.distribution.outcomes]
    for share, quoted in zip(shares, (0.2991, 0.4148, 0.2861), strict=True):
        assert abs(float(share) - quoted) < 0.003
    assert found.bank is not None
    assert found.bank.value == pytest.approx(0.95 * float(shares[0]) - float(shares[2]))


BAD: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "cards: missing"),
    ({"cards": "As"}, "cards: wrong number of cards: 1"),
    ({"cards": "As As Ks Qs Js Ts 9s"}, "card given more than once: 'As'"),
    ({"hole": "As Ks"}, "hole: this game has no such cards"),
)


@pytest.mark.parametrize(("cards", "told"), BAD)
def test_invalid_hands_are_refused(cards: dict[str, str], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        advise_settings(compile_game("nj-pai-gow"), pay={}, bets={}, cards=cards)


def test_there_are_no_bets_and_no_known_cards() -> None:
    with pytest.raises(BadInput, match="this game has no bets after the deal"):
        advise("nj-pai-gow", bets={"across": 1}, cards=HANDS[0])
    with pytest.raises(BadInput, match="this game shows no card before"):
        solve("nj-pai-gow", known="middle")
