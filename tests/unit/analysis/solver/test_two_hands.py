"""Seven cards set as two hands: published figures, all hands of the dealer, simulation, and a stranger's rules."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import count_two_hands
from benchmarks.every_hand import every_hand
from crossfelt.analysis import SeatPlan, advise, simulate, solve
from crossfelt.analysis.advice import SettingAdvice
from crossfelt.analysis.solution import OPTIMAL, Distribution
from crossfelt.analysis.solver import two_hands
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.split_rules import split_rules
from crossfelt.analysis.solver.two_hands import TwoHandsSolution, WayResult, side_bets
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.errors import BadInput
from crossfelt.games.house_way import house_way
from crossfelt.games.split_hands import HighLowHand, set_hand
from crossfelt.hands.joker import rank_no_pair
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import set_strengths
from crossfelt.kernels.random_deals import deals
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import as_data, from_data, load
from crossfelt.rulebooks.model import Rulebook

HANDS = ("Ks Kd Qs Qd 7h 5c Jk", "As 9d 8c 7h 5s 3d 2c", "2c 3c 4c 5c 6c 6d 6h", "Ac Ad Ah As Jk 9d 9h")
EZ = {
    "settings": {"ez_variation": True},
    "wagers": {"queens_dragon": {"offered": True}},
}
SAMPLES = 400
RANDOM_HANDS = 60


def shares(result: WayResult) -> tuple[float, float, float]:
    """Shares of wins, pushes and losses."""
    found = Distribution.of(result.counts)
    lose, push, win = (float(found.probability(outcome)) for outcome in found.outcomes)
    return win, push, lose


def found_for(game: Game | str) -> TwoHandsSolution:
    found = solve(game)
    assert isinstance(found, TwoHandsSolution)
    return found


# --- published figures ---


def test_the_house_way_against_itself_has_the_published_shares() -> None:
    """Widely quoted where player and dealer both use this way: 28.61 %, 41.48 % and 29.91 %, an edge of 2.73 %."""
    result = found_for("nj-pai-gow").house_ways["trump_plaza"]
    assert [round(100 * share, 2) for share in shares(result)] == [28.61, 41.48, 29.91]
    assert round(float(result.ev), 4) == -0.0273


@pytest.mark.soak
def test_a_strangers_push_on_the_dealers_low_hand_has_the_published_shares() -> None:
    """Published for this house way, no commission and a push on a nine-high low hand: an edge of 2.51 %."""
    result = found_for(Game(stranger(), {})).house_ways["trump_plaza"]
    assert shares(result) == pytest.approx((0.273726, 0.427453, 0.298822), abs=3e-5)


# --- what is shipped, and what is counted ---


def test_every_question_of_the_shipped_games_is_answered_at_once() -> None:
    shipped = two_hands.shipped_counts()
    ways = {two_hands.way_key(house_way(name).way) for name in house_way_ids()}
    asked = list(count_two_hands.questions())
    assert len(asked) == len(shipped) == 15
    for _, rules, bank in asked:
        found = shipped[two_hands.question_key(rules, bank=bank)]
        assert sum(found.pairs) == comb(53, 7) * comb(46, 7)
        assert found.ways.keys() == {*ways, OPTIMAL}


@pytest.mark.soak
def test_the_shipped_counts_are_counted_again() -> None:
    shipped = two_hands.shipped_counts()
    ways = {two_hands.way_key(way): way for way in (house_way(name).way for name in house_way_ids())}
    for _, rules, bank in count_two_hands.questions():
        assert two_hands.count_against(rules, ways, bank=bank) == shipped[two_hands.question_key(rules, bank=bank)]


def test_a_banker_wins_what_the_other_side_loses() -> None:
    """With the same way on both sides, a bank's hands that win or tie are the player's hands that do not win."""
    found = found_for("nj-pai-gow")
    player, bank = found.house_ways["trump_plaza"], found.banking["trump_plaza"]
    assert shares(bank) == pytest.approx(tuple(reversed(shares(player))), abs=1e-15)
    assert max(found.banking.values(), key=lambda way: way.ev) == found.banking[OPTIMAL]


@pytest.mark.parametrize("ez", [False, True])
def test_best_play_is_at_least_as_good_as_every_house_way(ez: bool) -> None:
    found = found_for(compile_game("nj-pai-gow", EZ if ez else {}))
    assert found.ev == found.house_ways[OPTIMAL].ev == -found.house_edge.per_ante
    for name, way in found.house_ways.items():
        assert way.cost == found.ev - way.ev
        assert (way.cost > 0) == (way.improved > 0) == (name != OPTIMAL)
    assert bool(found.banking) == (not ez)


def test_house_ways_return_what_a_simulation_finds() -> None:
    found = found_for("nj-pai-gow")
    ways = house_way_ids()
    seats = [SeatPlan(wagers={"main": 1000}, strategy=name) for name in ways]
    for name, seat in zip(ways, simulate("nj-pai-gow", rounds=200_000, seats=seats, seed="ways").seats, strict=True):
        edge = seat.wagers["main"].house_edge
        assert edge is not None
        assert abs(edge.value + float(found.house_ways[name].ev)) < 4.5 * edge.standard_error


def test_hands_dealt_at_random_win_as_often_as_all_hands() -> None:
    """The counts of single hands, which do not use those of all pairs, average to them."""
    exact = found_for("nj-pai-gow")
    best, house = [], []
    for hand in deals("two hands", RANDOM_HANDS, 7, 53).tolist():
        advice = advise("nj-pai-gow", cards=format_cards(Card(card) for card in hand))
        assert isinstance(advice, SettingAdvice)
        best.append(float(advice.settings[0].ev))
        house.append(next(float(setting.ev) for setting in advice.settings if setting.house_way))
    for values, result in ((best, exact.house_ways[OPTIMAL]), (house, exact.house_ways["trump_plaza"])):
        assert abs(np.mean(values) - float(result.ev)) < 4.5 * np.std(values) / RANDOM_HANDS**0.5


# --- one hand ---


def compare(player: HighLowHand, bank: HighLowHand) -> str:
    """Two higher hands win, one is a push, none loses; an equal hand is not higher."""
    return ("lose", "push", "win")[(player.high > bank.high) + (player.low > bank.low)]


@pytest.mark.parametrize("text", HANDS)
@pytest.mark.parametrize("ez", [False, True])
def test_settings_are_worth_what_the_plain_rules_say(text: str, ez: bool) -> None:
    """A sample of the dealer's hands, set and compared by the plain rules, agrees with the exact shares."""
    game = compile_game("nj-pai-gow", EZ if ez else {})
    seven = parse_cards(text, joker=True)
    found = advise(game, cards=text)
    assert isinstance(found, SettingAdvice)
    left = [card for card in range(53) if Card(card) not in seven]
    dealers = [tuple(Card(card) for card in row) for row in deals(f"sample of {text}", SAMPLES, 7, left).tolist()]
    banks = [set_hand(dealer, house_way("trump_plaza").set(dealer).low) for dealer in dealers]
    pushes = [ez and rank_no_pair(dealer).category == "queen_high" for dealer in dealers]
    for setting in found.settings:
        player = set_hand(seven, setting.low)
        results = ["push" if push else compare(player, bank) for push, bank in zip(pushes, banks, strict=True)]
        for result, share in (("win", setting.win), ("push", setting.push), ("lose", setting.lose)):
            spread = float(share * (1 - share) / SAMPLES) ** 0.5
            assert abs(results.count(result) / SAMPLES - float(share)) <= 4.5 * spread + 3 / SAMPLES
        assert setting.win + setting.push + setting.lose == 1
        assert setting.ev == (1 if ez else Fraction(19, 20)) * setting.win - setting.lose


@pytest.mark.soak
@pytest.mark.parametrize("text", HANDS)
def test_values_are_those_of_every_hand_of_the_dealer(text: str) -> None:
    seven = parse_cards(text, joker=True)
    found = advise("nj-pai-gow", cards=text)
    assert isinstance(found, SettingAdvice)
    fronts = np.array([setting.low for setting in found.settings], dtype=np.uint8)
    own = set_strengths(np.tile(np.array(seven, dtype=np.uint8), (len(fronts), 1)), fronts)
    won = np.zeros((len(fronts), 3), dtype=np.int64)
    for hands in every_hand(7, [card for card in range(53) if Card(card) not in seven]):
        bank = set_strengths(hands, set_hands("trump_plaza", hands).low)
        for row in range(len(fronts)):
            beaten = (own.high[row] > bank.high).astype(np.intp) + (own.low[row] > bank.low)
            won[row] += np.bincount(beaten, minlength=3)
    assert found.dealer_hands == comb(46, 7)
    for setting, counts in zip(found.settings, won.tolist(), strict=True):
        assert [setting.lose, setting.push, setting.win] == [Fraction(count, comb(46, 7)) for count in counts]


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


def test_every_hand_is_dealt_once() -> None:
    hands = [tuple(hand) for part in every_hand(4, range(9)) for hand in part.tolist()]
    assert len(hands) == len(set(hands)) == comb(9, 4)
    assert hands == sorted(hands)


# --- side bets ---


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
        assert abs(edge.value - float(exact.house_edge)) < 4.5 * edge.standard_error
        hits = seat.wagers["imperial"].results["win"].value
        rate = float(exact.hit_rate)
        assert abs(hits - rate) < 4.5 * (rate * (1 - rate) / found.rounds) ** 0.5


# --- a stranger's rules ---


def stranger() -> Rulebook:
    """A game by another name, without commission, in which a dealer's nine-high low hand pushes."""
    data = as_data(load("nj-pai-gow"))
    data["id"], data["game"] = "strangers", "strangers"
    low = next(hand for hand in data["hand"] if hand["id"] == "low")
    low["marks"] = {"nine": {"is": {"hand": "high_card", "low": "9", "high": "9"}, "house_rule": "ours"}}
    main = next(wager for wager in data["wager"] if wager["id"] == "main")
    main["settle"] = [{"when": {"bank.low": "nine"}, "odds": "push", "house_rule": "ours"}, main["settle"][-1]]
    main.pop("commission")
    for name in ("commission_per_mille", "commission_rounding"):
        data["settings"].pop(name)
    return from_data(data, where="strangers.toml")


def test_a_strangers_hand_is_advised_by_its_own_rules() -> None:
    found = advise(Game(stranger(), {}), cards=HANDS[0])
    assert isinstance(found, SettingAdvice)
    seven = parse_cards(HANDS[0], joker=True)
    left = [card for card in range(53) if Card(card) not in seven]
    dealers = [tuple(Card(card) for card in row) for row in deals("strangers", 1_000, 7, left).tolist()]
    banks = [set_hand(dealer, house_way("trump_plaza").set(dealer).low) for dealer in dealers]
    player = set_hand(seven, found.settings[0].low)
    results = ["push" if bank.low.name.startswith("nine-") else compare(player, bank) for bank in banks]
    for result, share in (("win", found.settings[0].win), ("push", found.settings[0].push)):
        assert abs(results.count(result) / 1_000 - float(share)) < 4.5 * float(share * (1 - share) / 1_000) ** 0.5


def test_a_rule_that_is_not_covered_is_named() -> None:
    data = as_data(stranger())
    main = next(wager for wager in data["wager"] if wager["id"] == "main")
    main["settle"] = [{"when": {"unpaired": "queen_high"}, "odds": "push", "house_rule": "ours"}, main["settle"][-1]]
    with pytest.raises(Unreachable, match="a rule of main looks at more than the dealer's low hand"):
        split_rules(Game(from_data(data, where="strangers.toml"), {}))


BAD: tuple[tuple[dict[str, str], str], ...] = (
    ({}, "cards: missing"),
    ({"cards": "As"}, "cards: wrong number of cards: 1"),
    ({"cards": "As As Ks Qs Js Ts 9s"}, "card given more than once: 'As'"),
    ({"hole": "As Ks"}, "hole: this game has no such cards"),
)


@pytest.mark.parametrize(("cards", "told"), BAD)
def test_invalid_hands_are_refused(cards: dict[str, str], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        two_hands.advise(compile_game("nj-pai-gow"), pay={}, bets={}, cards=cards)


def test_there_are_no_bets_no_known_cards_and_no_other_strategies() -> None:
    with pytest.raises(BadInput, match="this game has no bets after the deal"):
        advise("nj-pai-gow", bets={"across": 1}, cards=HANDS[0])
    with pytest.raises(BadInput, match="this game shows no card before"):
        solve("nj-pai-gow", known="middle")
    with pytest.raises(BadInput, match="no such strategy: 'bold'"):
        solve("nj-pai-gow", strategy="bold")
    assert solve("nj-pai-gow", strategy="house-way").strategy == "trump_plaza"
