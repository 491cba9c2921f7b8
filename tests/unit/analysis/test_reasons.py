"""Every number in a reason is counted again, card by card, from the oracle's hands; costs are those of the advice."""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis import Advice, advise, solve
from crossfelt.analysis.reasons import Explanation, explain
from crossfelt.analysis.solution import RulesIdentity
from crossfelt.analysis.strategy_grid import grid_of_decision
from crossfelt.cli.render.advice import advice_lines
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.rulebooks.game import Game, compile_game
from oracles import five_card

DECK = [face + suit for face in five_card.FACES for suit in "cdhs"]
NUMBERS = {
    word: number
    for number, word in enumerate(
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
EXAMPLES = Path(__file__).parents[3] / "examples" / "rulebooks"
CARDS = r"(\w+) cards?"
GAMES = {name: compile_game(name) for name in ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")}


def _number(word: str) -> int:
    return NUMBERS.get(word.lower(), -1) if not word.isdecimal() else int(word)


def _pair_does(face: str) -> str:
    """Return the result of a pair by every document: jacks or better win, sixes through tens push."""
    return "pays" if face in "JQKA" else "pushes" if face in "6789T" else ""


def _result(five: tuple[str, ...]) -> str:
    category = five_card.category_of(five)
    if category == "high_card":
        return "lose"
    if category != "pair":
        return "win"
    (face,) = (face for face, count in Counter(card[0] for card in five).items() if count == 2)
    return {"pays": "win", "pushes": "push", "": "lose"}[_pair_does(face)]


def _middle_result(one: tuple[str, ...], two: tuple[str, ...]) -> str:
    results = {_result(one), _result(two)}
    return "win" if "win" in results else "push" if "push" in results else "lose"


def _dealt(seed: int, number: int) -> list[str]:
    return random.Random(seed).sample(DECK, number)


def _explained(game: Game, bets: dict[str, int], **seen: Any) -> tuple[Advice, Explanation]:
    advice = advise(game, bets=bets, **seen)
    return advice, explain(game, advice, seen, 1000)


def _counted_pairs(told: Explanation) -> dict[str, int]:
    """The numbers of cards that a sentence names, by what the pair does."""
    sentence = next((one for one in told.cards if "in the deck would give you" in one), "")
    found = re.findall(CARDS + r"(?: in the deck would give you)? a pair that (pays|pushes)", sentence)
    return {does: _number(word) for word, does in found}


WORDS = {"two_pair": "two pair", "three_of_a_kind": "three of a kind", "four_of_a_kind": "four of a kind"}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("open_cards", [0, 3])
def test_a_hand_beside_a_board_names_what_it_has_and_every_card_that_improves_it(seed: int, open_cards: int) -> None:
    game = compile_game(str(EXAMPLES / "ultimate-texas-holdem.toml"))
    held = _dealt(seed, 2 + open_cards)
    seen = {"hole": " ".join(held[:2])} | ({"board": " ".join(held[2:])} if open_cards else {})
    decision = "on_flop" if open_cards else "before_flop"
    choices = {"2x": Fraction(1), "check": Fraction(0)}
    advice = Advice(rules=RulesIdentity.of(game), decision=decision, best="2x", actions=choices)
    told, *chances = explain(game, advice, seen).cards
    assert [one.partition(",")[0] for one in chances] == ["Dealt to the end"] * (open_cards > 0)
    now, better = _level(held), Counter[str]()
    for card in DECK:
        if card not in held and _level([*held, card]) > now:
            category = five_card.LOW_TO_HIGH[_level([*held, card])]
            better[WORDS.get(category, f"a {category.replace('_', ' ')}")] += 1
    assert told.startswith("You have no pair yet; " if not now else "So far you have ")
    found = re.findall(CARDS + r"(?: in the deck would give you)? ([a-z ]+?)(?=, and |\.$)", told)
    assert {hand: _number(word) for word, hand in found} == better


@pytest.mark.parametrize("seed", range(3))
def test_a_hand_beside_the_whole_board_is_compared_with_every_hand_of_the_dealer(seed: int) -> None:
    held = _dealt(seed, 7)
    seen = {"hole": " ".join(held[:2]), "board": " ".join(held[2:])}
    _, told = _explained(compile_game(str(EXAMPLES / "ultimate-texas-holdem.toml")), {}, **seen)
    own = _best_key(held)
    theirs = [_best_key([*pair, *held[2:]]) for pair in combinations([card for card in DECK if card not in held], 2)]
    wins, ties = sum(key < own for key in theirs) / len(theirs), theirs.count(own) / len(theirs)
    said = told.cards[1]
    assert said.startswith("Against every hand that the dealer may have, the play bet ")
    assert (f"wins {100 * wins:.1f} %" in said) == (wins > 0)
    assert (f"pushes {100 * ties:.1f} %" in said) == (ties > 0)


def test_values_are_told_in_the_unit_of_the_game() -> None:
    _, told = _explained(compile_game(str(EXAMPLES / "mississippi-stud.toml")), {"third": 1}, hole="6s 7d", street="8c")
    assert told.cards[0].startswith("Nine cards in the deck"), "all bets are paid on one hand, which needs no name"
    _, told = _explained(
        compile_game(str(EXAMPLES / "mississippi-stud.toml")), {"third": 1, "fourth": 1}, hole="6s 7d", street="8c 9d"
    )
    assert told.cards[0].startswith("48 cards can still be the 5th card: eight cards win the Fifth Street bet, ")
    game = compile_game(str(EXAMPLES / "let-it-ride.toml"))
    advice = advise(game, hole="As Kd 3c")
    told = explain(game, advice, {"hole": "As Kd 3c"})
    assert (
        told.choices["check"]
        == "“Let it ride” loses 0.7755 bets on average, 0.4617 bets worse than taking the bet back."
    )
    assert "Expected net of the whole round in bets, with optimal play afterwards." in advice_lines(advice, told, "bet")


def _best_key(cards: list[str]) -> tuple[int, int]:
    return max(map(five_card.key_of, combinations(cards, 5)))


def _level(cards: list[str]) -> int:
    """The category of the best five of some cards, from the lowest; of two or three cards, the least that they make."""
    if len(cards) >= 5:
        return max(five_card.key_of(five)[0] for five in combinations(cards, 5))
    return {1: 0, 2: 1, 3: 3}[max(Counter(card[0] for card in cards).values())]


@pytest.mark.parametrize("seed", range(30))
def test_cards_that_would_give_a_pair_are_counted_in_the_unseen_cards(seed: int) -> None:
    game = GAMES[sorted(GAMES)[seed % 3]]
    for decision, number in (("across", 2), ("down", 4)):
        cards = _dealt(100 * seed + number, number)
        hole, across = cards[:2], cards[2:]
        seen = {"hole": " ".join(hole)} | ({"across": " ".join(across)} if across else {})
        _, told = _explained(game, {"across": 1} if across else {}, **seen)
        faces = {card[0] for card in hole}
        left = [card for card in DECK if card not in cards]
        if len(faces) == 1:
            word = {"pays": "already pays", "pushes": "already pushes", "": "does not pay"}[_pair_does(hole[0][0])]
            assert word in told.cards[0], decision
            found = re.search(CARDS + " in the deck would give you three of a kind", " ".join(told.cards))
            counted = sum(card[0] in faces for card in left)
            assert (_number(found[1]) if found else 0) == counted
            continue
        wanted = Counter(_pair_does(card[0]) for card in left if card[0] in faces)
        shown = _counted_pairs(told)
        assert {does: wanted[does] for does in ("pays", "pushes") if wanted[does]} == {
            does: number for does, number in shown.items() if number
        }, (told.cards, cards)
        assert not re.search(r"\b\d+ would\b|\b\d+ push\b", " ".join(told.cards)), "a number without its noun"


@pytest.mark.parametrize("seed", range(30))
def test_the_last_card_is_counted_one_by_one(seed: int) -> None:
    game = GAMES[sorted(GAMES)[seed % 3]]
    cards = _dealt(seed, 6)
    hole, across, down = cards[:2], cards[2:4], cards[4:]
    seen = {"hole": " ".join(hole), "across": " ".join(across), "down": " ".join(down)}
    _, told = _explained(game, {"across": 1, "down": 1}, **seen)
    left = [card for card in DECK if card not in cards]
    results = Counter(_middle_result((*hole, *across, card), (*hole, *down, card)) for card in left)
    _assert_counted(told.cards[0], results, len(left))


@pytest.mark.parametrize("seed", range(30))
def test_the_earlier_bet_is_counted_by_its_last_card(seed: int) -> None:
    cards = _dealt(seed, 4)
    hole, across = cards[:2], cards[2:]
    _, told = _explained(GAMES["nj-criss-cross"], {"across": 1}, hole=" ".join(hole), across=" ".join(across))
    left = [card for card in DECK if card not in cards]
    results = Counter(_result((*hole, *across, card)) for card in left)
    _assert_counted(told.cards[-1], results, len(left))


def _assert_counted(sentence: str, results: Counter[str], left: int) -> None:
    if len(results) == 1:
        assert sentence.startswith("Every card that can still be the middle card "), sentence
        assert f"{next(iter(results))}s" in sentence.replace("pushes", "pushs")
        return
    assert sentence.startswith(f"{left} cards can still be the middle card: ")
    found = re.findall(CARDS + " (win|push|lose)(?:s|es)?\\b", sentence.partition(": ")[2])
    assert {what: _number(word) for word, what in found} == results


@pytest.mark.parametrize("seed", range(3))
def test_shares_of_a_hand_are_those_of_every_deal(seed: int) -> None:
    for decision, number in (("across", 2), ("down", 4)):
        cards = _dealt(seed, number)
        hole = cards[:2]
        seen = {"hole": " ".join(hole)} | ({"across": " ".join(cards[2:])} if cards[2:] else {})
        advice, told = _explained(GAMES["nj-criss-cross"], {"across": 1} if cards[2:] else {}, **seen)
        left = [card for card in DECK if card not in cards]
        results = Counter(_result((*hole, *rest)) for rest in combinations(left, 3))
        deals = results.total()
        (sentence,) = (one for one in told.cards if one.startswith("Dealt to the end"))
        assert f"the {decision} hand" in sentence
        shown = dict(re.findall(r"(win|push|lose)(?:s|es)? ([\d.]+) %", sentence))
        assert shown == {what: f"{100 * count / deals:.1f}" for what, count in results.items()}
        _assert_because(advice, told, Fraction(results["win"] - results["lose"], deals))


def _assert_because(advice: Advice, told: Explanation, ahead: Fraction) -> None:
    for choice, says in told.choices.items():
        if "loses more often than it wins" in says:
            assert ahead < 0, choice
        if "wins more often than it loses" in says:
            assert ahead > 0, choice
        if "fold it later" in says:
            assert ahead >= 0, choice
            assert advice.decision != "middle"


@pytest.mark.parametrize("seed", range(20))
def test_cards_that_would_pair_a_line_of_double_cross_are_counted(seed: int) -> None:
    cards = _dealt(seed, 4)
    hole, (top, right) = cards[:2], cards[2:]
    _, told = _explained(compile_game("nj-double-cross"), {}, hole=" ".join(hole), down_far=top, across_right=right)
    left = [card for card in DECK if card not in cards]
    for sentence, open_card in zip(told.cards, (top, right), strict=True):
        faces = [card[0] for card in (*hole, open_card)]
        single = len(set(faces)) == 3
        assert ("no pair yet" in sentence) is single
        found = {
            what: _number(word)
            for word, what in re.findall(
                CARDS + r"(?: in the deck would give you)? (a pair|two pair|three of a kind)", sentence
            )
        }
        if single:
            assert found == {"a pair": sum(card[0] in faces for card in left)}
        elif len(set(faces)) == 2:
            twice = next(face for face in faces if faces.count(face) == 2)
            wanted = {
                "two pair": sum(card[0] in faces and card[0] != twice for card in left),
                "three of a kind": sum(card[0] == twice for card in left),
            }
            assert found == {what: count for what, count in wanted.items() if count}


@pytest.mark.parametrize(
    ("rulebook", "position"),
    [
        ("nj-criss-cross", {"hole": "7s 6d"}),
        ("nj-criss-cross", {"hole": "9s 9d"}),
        ("nj-criss-cross", {"hole": "4s 3d"}),
        ("nj-criss-cross", {"hole": "Ks 3s", "across": "Kd 9c", "bets": {"across": 1}}),
        ("nj-criss-cross", {"hole": "As Kd", "across": "2c 9h", "down": "Th 3s", "bets": {"across": 1, "down": 2}}),
        ("nj-double-cross", {"hole": "As Kd", "down_far": "5h", "across_right": "9s"}),
        ("nj-pai-gow", {"cards": "As Kd Qs Jd 7h 5c 2d"}),
    ],
)
def test_a_verdict_names_the_cost_and_the_best_has_none(rulebook: str, position: dict[str, Any]) -> None:
    game = compile_game(rulebook)
    advice = advise(game, **position)
    told = explain(game, advice, {name: text for name, text in position.items() if isinstance(text, str)}, 1000)
    assert told.verdicts.keys() >= advice.actions.keys() == told.choices.keys()
    for choice in advice.actions:
        cost = round(advice.cost(choice) * 1000)
        found = re.match(r"Cost (?:about )?\$([\d,.]+): .* was best$", told.verdicts[choice])
        if choice == advice.best:
            assert told.verdicts[choice] == "Best"
        elif found:
            assert round(100 * float(found[1].replace(",", ""))) == cost
        else:
            assert told.verdicts[choice].startswith(("As good as the best", "Cost less than 1 cent"))


def test_every_setting_has_its_cost_to_the_cent() -> None:
    game = compile_game("nj-pai-gow")
    advice = advise(game, cards="As Kd Qs Jd 7h 5c 2d")
    verdicts = dict(explain(game, advice, {"cards": "As Kd Qs Jd 7h 5c 2d"}, 100_000).verdicts)
    assert verdicts.pop("foul") == f"Cost ${1000 * float(advice.actions[advice.best] + 1):,.2f}: a foul hand loses"
    assert verdicts.pop("surrender").startswith("Cost $")
    assert verdicts.keys() == advice.actions.keys()
    for setting, verdict in verdicts.items():
        cost = float(advice.cost(setting))
        assert verdict == "Best" if not cost else verdict.startswith((f"Cost ${1000 * cost:,.2f}: ", "Cost less than"))


@pytest.mark.parametrize(
    ("rulebook", "position"),
    [
        ("nj-criss-cross", {"hole": "As Kd", "bets": {}}),
        ("md-criss-cross", {"hole": "As Kd", "across": "2c 9c", "bets": {"across": "3/2"}}),
        ("nj-criss-cross", {"hole": "As Kd", "across": "2c 9c", "down": "Tc 3s", "bets": {"across": "1", "down": "3"}}),
        ("nj-double-cross", {"hole": "As Kd", "down_far": "5h", "across_right": "9h", "bets": {}}),
    ],
)
def test_a_cell_of_the_grid_is_the_average_of_the_advice(rulebook: str, position: dict[str, Any]) -> None:
    game = compile_game(rulebook)
    told = grid_of_decision(game, position)
    seen = {name: text for name, text in position.items() if name not in ("hole", "bets")}
    taken = " ".join(seen.values()).split()
    assert told["own"] == "AKo"
    assert len(told["cells"]) == 169
    own = advise(game, bets=position["bets"], **seen, hole=position["hole"])
    assert told["cells"]["AKo"].value == pytest.approx(float(own.actions[own.best]))
    assert told["cells"]["AKo"].shares == {own.best: 1.0}
    for hand in ("87s", "99", "T2o"):
        suits = [
            (a, b) for a in "cdhs" for b in "cdhs" if (a == b) == hand.endswith("s") and (hand[0] != hand[1] or a < b)
        ]
        holes = [(hand[0] + a, hand[1] + b) for a, b in suits]
        dealt = [hole for hole in holes if not set(hole) & set(taken)]
        values = [advise(game, bets=position["bets"], **seen, hole=" ".join(hole)) for hole in dealt]
        cell = told["cells"][hand]
        assert cell.shares == pytest.approx(
            {best: count / len(dealt) for best, count in Counter(one.best for one in values).items()}
        )
        assert cell.value == pytest.approx(float(sum(one.actions[one.best] for one in values)) / len(dealt))


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "nj-double-cross"])
def test_the_grid_of_a_game_adds_up_to_its_value(rulebook: str) -> None:
    solution = solve(rulebook)
    ways = {hand.name: hand.ways for hand in STARTING_HANDS}
    total = sum(ways[hand] * value.best for hand, value in solution.values_by_starting_hand().items())
    assert total / sum(ways.values()) == solution.ev
