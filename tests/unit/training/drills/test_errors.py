"""The round is genuine except for one event, which the oracle would have paid otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.play.narration import narrate
from crossfelt.table import events as e
from crossfelt.training.drills.errors import is_found, plant
from crossfelt.training.question import Choose
from crossfelt.training.question_set import ask, subjects
from oracles import criss_cross, double_cross, pai_gow
from unit.training.sample_questions import BOOKS, game_of

ORACLES = dict.fromkeys(BOOKS[:3], criss_cross) | {"nj-double-cross": double_cross, "nj-pai-gow": pai_gow}
OF_MONEY = ("wrong_odds", "wrong_sum", "push_taken", "loser_pushed", "winner_taken", "no_commission")


def script_of(book: str, events: tuple[e.Event, ...]) -> dict[str, Any]:
    """Return the round as the oracle takes it: cards, wagers and decisions of the events, without results."""
    seats: dict[int, dict[str, Any]] = {}
    cards: dict[str, list[str]] = {}
    for event in events:
        match event:
            case e.WagersPlaced():
                seats[event.seat] = {"seat": event.seat, "wagers": known_wagers(book, event.wagers), "decisions": {}}
            case e.CardsDealt():
                cards = dealt_to(event)
            case e.BetPlaced(wager="across" | "down" | "middle"):
                seats[event.seat]["decisions"][event.wager] = event.cents
            case e.HandFolded():
                name = "play" if event.wager == "raise" else event.wager
                seats[event.seat]["decisions"][name] = "fold"
            case e.ChoiceMade():
                name = "play" if event.wager == "raise" else event.wager
                seats[event.seat]["decisions"][name] = event.choice
            case e.HandSet():
                seats[event.seat]["decisions"]["set"] = {"low": " ".join(card.text for card in event.low)}
    playing = {f"seat{number}" for number in seats} | {"across", "down", "middle", "dealer"}
    named = {place: " ".join(found) for place, found in cards.items() if place in playing}
    options = {"payout_limit": 50_000_00} if book == "md-criss-cross" else {}
    return {"rulebook": book, "seats": list(seats.values()), "cards": named, "options": options}


def known_wagers(book: str, placed: dict[str, int]) -> dict[str, int]:
    """Return the antes as one, and credits of a dollar as credits; the oracles have no wheels."""
    if book not in BOOKS[:3]:
        return {name: cents // 100 if name.startswith("progressive") else cents for name, cents in placed.items()}
    bonus = {name: cents for name, cents in placed.items() if name == "five_card_bonus"}
    return {"ante": placed["ante_across"], **bonus}


def dealt_to(event: e.CardsDealt) -> dict[str, list[str]]:
    by_place: dict[str, dict[str, str]] = {}
    for dealt in event.cards:
        of_dealer = "dealer" if dealt.place.startswith("dealer") else dealt.place.partition("_")[0]
        holder = f"seat{dealt.seat}" if dealt.seat else of_dealer
        by_place.setdefault(holder, {})[dealt.place] = dealt.card.text
    order = ("across_left", "across_right", "down_far", "down_near")
    return {
        holder: [found[place] for place in sorted(found, key=lambda at: (order.index(at) if at in order else 0, at))]
        for holder, found in by_place.items()
    }


def entry_of(event: Any) -> tuple[Any, ...]:
    return event.result, event.returned, event.paid, event.commission


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_all_payments_but_the_planted_one_are_the_oracles(book: str) -> None:
    game = game_of(book)
    for subject in subjects(game, "spot"):
        for number in range(4):
            made = plant(game, subject, Chance(repeatable_seed(number), subject))
            due = ORACLES[book].settle(script_of(book, made.events))["seats"]
            for place, event in enumerate(made.events):
                if not isinstance(event, e.WagerSettled) or event.wager == "bonus_spin":
                    continue
                told = due[str(event.seat)]["wagers"][event.wager]
                right = (told["result"], told["returned"], told["paid"], told.get("commission", 0))
                assert entry_of(event) == right
                if place == made.place:
                    assert entry_of(made.event) != right
            assert subject not in OF_MONEY or isinstance(made.event, e.WagerSettled)


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_the_round_is_the_genuine_one_but_for_the_right_line(book: str) -> None:
    game = game_of(book)
    for subject in subjects(game, "spot"):
        question = ask(game, "spot", subject, 5)
        made = plant(game, subject, Chance(repeatable_seed(5), f"training/{question.topic}"))
        genuine = [line for event in made.events if (line := narrate(event, game))]
        assert isinstance(question.answer, Choose)
        genuine = genuine[-len(question.answer.options) :]
        differ = [
            n for n, pair in enumerate(zip(genuine, question.answer.options, strict=True), 1) if len(set(pair)) > 1
        ]
        assert question.right == tuple(map(str, differ))
        assert len(differ) == 1
        assert genuine[differ[0] - 1] in question.explanation.text


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_the_second_settlement_finds_nothing_wrong_with_the_genuine_round(book: str) -> None:
    game = game_of(book)
    for subject in subjects(game, "spot"):
        made = plant(game, subject, Chance(repeatable_seed(9), subject))
        assert is_found(game, made.events, made.place, made.event)
        assert not is_found(game, made.events, made.place, made.events[made.place])
