"""Random rounds of Pai Gow Poker, to be settled by `oracles.pai_gow`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles import five_card, pai_gow_hands, seven_card
from oracles.criss_cross import SUITS, Chance
from oracles.pai_gow import LEAST_LIMIT
from oracles.pai_gow_credits import WAGERS as CREDIT_WAGERS


def random_round(rng: Chance, rulebook: str = "nj-pai-gow") -> dict[str, Any]:
    """A complete round: every card named, often with a rare hand, a queen-high dealer or copies."""
    seats = sorted(rng.sample(range(1, 7), rng.choice([1, 1, 2, 2, 3, 4, 6])))
    options = rng.choice(SUBMISSIONS)
    cards = dealt(rng, ["dealer", *(f"seat{seat}" for seat in seats)])
    scripted: dict[str, Any] = {
        "rulebook": rulebook,
        "options": options,
        "cards": {holder: " ".join(held) for holder, held in cards.items()},
        "seats": [random_seat(rng, seat, cards[f"seat{seat}"], ez=options.get("ez", False)) for seat in seats],
    }
    if rng.randint(1, 2) == 1:
        scripted["chance"] = {"dice": [rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6)]}
    if len(seats) > 1 and rng.randint(1, 4) == 1:
        scripted |= random_bank(rng, scripted["seats"])
    return with_credits(rng, scripted, cards)


CREDITS: list[dict[str, Any]] = [
    {},
    {"letter": "B", "by_credits": True, "dealer_by_credits": True},
    {"letter": "C", "from_tray": True, "limit": 2_600_000},
    {"price": 25, "lucky_returns": True, "made_hand": True},
    {"price": 333, "from_tray": True, "whole_award": True, "dealer_by_credits": True},
]


def with_credits(rng: Chance, scripted: dict[str, Any], cards: dict[str, list[str]]) -> dict[str, Any]:
    """Credits for most players, and draws that often fall on somebody; in some rounds everybody has a good hand."""
    options = rng.choice(CREDITS)
    if rng.randint(1, 4) == 1:
        return scripted
    bettors: dict[str, list[int]] = {wager: [] for wager in CREDIT_WAGERS}
    for place in scripted["seats"]:
        if place["seat"] == scripted.get("bank") or "surrender" in place["decisions"]:
            continue
        for wager in CREDIT_WAGERS:
            if rng.randint(1, 3) > 1:
                place["wagers"][wager] = rng.randint(1, 5)
                bettors[wager].append(place["seat"])
    scripted["options"] = {**scripted["options"], "credits": options}
    on_player, on_dealer = bettors.values()
    chance = scripted.setdefault("chance", {})
    letter = options.get("letter", "A")
    if letter != "C" and on_player:
        chance["lucky_seat"] = rng.choice([0, *on_player])
    if letter != "C" and on_dealer:
        chance["lucky_dealer"] = rng.randint(1, 2) == 1
    if letter == "A" and on_player + on_dealer:
        natural = [card for held in cards.values() for card in held if card != "Jk"]
        chance["magic_card"] = rng.choice([*natural, *natural, *pai_gow_hands.DECK, "none"])
    if on_player + on_dealer:
        amounts = [2_500_000, 2_500_007, 2_500_150, 2_599_999, 123_456_789]
        scripted["meters"] = {"pai_gow": rng.choice(amounts[: 4 if letter == "C" else 5])}
    return scripted


def random_bank(rng: Chance, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """One of the seats banks: it places no wager of its own, and cannot give up."""
    banker = rng.choice(seats)
    shared = rng.randint(1, 2) == 1
    banker["wagers"] = {"main": banker["wagers"]["main"]}
    if shared or "set" not in banker["decisions"]:
        banker["decisions"] = {"set": "house-way"}
    return {"bank": banker["seat"], "co_bank": shared}


SUBMISSIONS: list[dict[str, Any]] = [
    {},
    {"house_way": "foxwoods", "rounding": "up_to_25c"},
    {"wheel_second": False, "payout_limit": LEAST_LIMIT},
    {"ez": True, "payout_limit": LEAST_LIMIT},
    {"ez": True, "house_way": "foxwoods", "wheel_second": False, "refund_per_mille": 500},
    {"rounding": "up_to_25c", "refund_per_mille": 250},
]


def random_seat(rng: Chance, seat: int, seven: list[str], *, ez: bool) -> dict[str, Any]:
    wagers = {"main": rng.randint(1000, 50_000)}
    if rng.randint(1, 2) == 1:
        wagers["imperial"] = 100 * rng.choice([1, 5, 100, 100])
    if rng.randint(1, 2) == 1:
        wagers["seven_card"] = 100 * rng.choice([1, 4, 5, 100])
    if ez and rng.randint(1, 2) == 1:
        wagers["queens_dragon"] = 100 * rng.randint(1, 100)
    decisions: dict[str, Any] = {"set": {"low": " ".join(rng.sample(seven, 2))}}
    roll = rng.randint(1, 10)
    if roll <= 6:
        decisions = {"set": "house-way"}
    elif roll == 7 and "seven_card" not in wagers:
        decisions = {"surrender": True}
    return {"seat": seat, "wagers": wagers, "decisions": decisions}


def dealt(rng: Chance, holders: Sequence[str]) -> dict[str, list[str]]:
    """Seven cards each, one hand in two of a chosen kind."""
    chosen: dict[str, list[str]] = {}
    roll = rng.randint(1, 10)
    if roll <= 3:
        chosen[rng.choice(holders)] = rare_cards(rng)
    elif roll == 4:
        chosen["dealer"] = low_pai_gow(rng)
    elif roll == 5:
        chosen |= copies(rng, holders[1])
    stub = [card for card in [*pai_gow_hands.DECK, "Jk"] if all(card not in held for held in chosen.values())]
    rng.shuffle(stub)
    hands = {}
    for holder in holders:
        hands[holder] = [*chosen.get(holder, ())]
        while len(hands[holder]) < 7:
            hands[holder].append(stub.pop())
        rng.shuffle(hands[holder])
    return hands


def rare_cards(rng: Chance) -> list[str]:
    """Cards that make a hand which a bonus pays, or the most of it; often the joker is one of them."""
    suit, other = rng.sample(SUITS, 2)
    face = rng.choice(five_card.FACES)
    runs = [*seven_card.SEVEN_RUNS, *seven_card.SEVEN_RUNS]
    kinds = [
        [card + suit for card in rng.choice(runs)],
        [*(card + suit for card in "TJQKA"), "K" + other, "Q" + other],
        ["As", "Ah", "Ad", "Ac", "Jk"],
        [card + suit for card in "TJQKA"],
        [card + suit for card in rng.choice(five_card.RUNS)],
        [face + each for each in SUITS],
        [card + suit for card in rng.sample(five_card.FACES, 5)],
        [card + rng.choice(SUITS) for card in rng.choice(five_card.RUNS)],
        [face + each for each in rng.sample(SUITS, 3)],
    ]
    cards = rng.choice(kinds)
    if "Jk" not in cards and rng.randint(1, 2) == 1:
        cards[rng.randint(0, len(cards) - 1)] = "Jk"
    return cards


def low_pai_gow(rng: Chance) -> list[str]:
    """Seven cards without a pair, straight or flush, and nothing above a queen."""
    while True:
        faces = rng.sample("23456789TJQ", 7)
        seven = [face + suit for face, suit in zip(faces, rng.sample(SUITS * 2, 7), strict=True)]
        if seven_card.high_card_of(seven) != "nothing":
            return seven


def copies(rng: Chance, player: str) -> dict[str, list[str]]:
    """A player and the dealer with cards of the same ranks."""
    faces = rng.sample(five_card.FACES, 6)
    return {
        "dealer": [*(face + "s" for face in faces), faces[0] + "h"],
        player: [*(face + "d" for face in faces), faces[0] + "c"],
    }
