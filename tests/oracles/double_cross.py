"""Double Cross Poker settled a second time, straight from N.J.A.C. 19:47-25 (today 13:69F-25).

Input, output and bad input are as in `oracles.criss_cross`. Options: `minimum_ante` and `payout_limit` in
cents, and `odds`, whole tables ``raise`` and ``three_card`` in place of the printed minimums (25.11(b), (c):
"at no less than"; the oracle pays what it is given).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles import five_card, three_card
from oracles.criss_cross import (
    MANY,
    ONE,
    Chance,
    Entries,
    Odds,
    Spot,
    amount_of,
    cut,
    dealt,
    forfeited,
    lost,
    named_cards,
    net_of,
    options_of,
    pay,
    pushed,
    rare_cards,
    result_of,
    table_of,
    won,
)

# 25.11(b).
RAISES: Odds = {
    "royal_flush": (300, 1),
    "straight_flush": (50, 1),
    "four_of_a_kind": (15, 1),
    "full_house": (7, 1),
    "flush": (6, 1),
    "straight": (5, 1),
    "three_of_a_kind": (3, 1),
    "two_pair": (3, 2),
    "pair": (1, 1),
    "high_card": (1, 1),
}

# 25.11(c).
THREE_CARD: Odds = {
    "straight_flush": (40, 1),
    "three_of_a_kind": (30, 1),
    "straight": (6, 1),
    "flush": (4, 1),
    "pair": (1, 1),
}


def settle(scripted: dict[str, Any]) -> dict[str, Any]:
    """The result of a scripted round of Double Cross Poker."""
    if scripted["rulebook"] != "nj-double-cross":
        raise ValueError(f"not the rulebook of double cross poker: {scripted['rulebook']!r}")
    options = options_of(scripted, {"minimum_ante", "payout_limit", "odds"})
    raises = table_of(options, "raise", RAISES)
    three_cards = table_of(options, "three_card", THREE_CARD)
    minimum = options.get("minimum_ante", 500)
    limit = options.get("payout_limit")
    # 25.11(d): "may establish … at least". AMB-6: ante 1 to 1 and two raises at the best odds.
    least = max(6_000_000, minimum + 2 * max(pay(minimum, odds) for odds in raises.values()))
    if limit is not None and limit < least:
        raise ValueError(f"25.11(d) allows no limit below {least}: {limit}")

    cards = cross_of(scripted)
    # 25.10(e): the dealer takes the alignment that yields the higher ranking hand.
    dealer_vertical = cards["dealer"] + cards["vertical"]
    dealer_horizontal = cards["dealer"] + cards["horizontal"]
    if five_card.key_of(dealer_vertical) >= five_card.key_of(dealer_horizontal):
        dealer_hand = dealer_vertical
    else:
        dealer_hand = dealer_horizontal

    seats = {}
    for place in scripted["seats"]:
        entries = settle_seat(place, cards, dealer_hand, minimum, raises, three_cards)
        # 25.11(d): "notwithstanding the minimum payout odds required in (b)", the raises' (AMB-18).
        cut(entries, ["raise"], limit)
        seats[str(place["seat"])] = {"net": net_of(entries), "wagers": entries}
    return result_of("nj-double-cross", seats)


def settle_seat(
    place: dict[str, Any],
    cards: dict[str, list[str]],
    dealer_hand: list[str],
    minimum: int,
    raises: Odds,
    three_cards: Odds,
) -> Entries:
    """25.10 and 25.11 for one player."""
    hole = cards[f"seat{place['seat']}"]
    wagers = place["wagers"]
    decisions = dict(place["decisions"])
    if not {"ante"} <= set(wagers) <= {"ante", "three_card"}:
        raise ValueError(f"wagers are ante and perhaps three_card, not {sorted(wagers)}")
    ante = amount_of("ante", wagers["ante"], minimum)
    play = decisions.pop("play", None)
    entries: Entries = {}
    if play == "fold":
        # 25.10(c)1: the player loses the ante.
        entries["ante"] = forfeited(ante)
    elif play in ("vertical", "horizontal"):
        # 25.10(c)2: two additional wagers, both equal to the ante; 25.10(g)1: the designated alignment.
        hand = hole + cards[play]
        player_key = five_card.key_of(hand)
        dealer_key = five_card.key_of(dealer_hand)
        if player_key < dealer_key:
            # 25.10(g)2: all three wagers are lost.
            entries["ante"] = lost(ante, hand)
            entries["raise"] = lost(ante + ante, hand)
        elif player_key > dealer_key:
            # 25.10(g)3: 1 to 1 on the ante, each raise by 25.11(b) and rounded by itself.
            entries["ante"] = won(ante, (1, 1), hand)
            entries["raise"] = won(ante + ante, (1, 1), hand)
            each = pay(ante, raises[five_card.category_of(hand)])
            entries["raise"]["paid"] = each + each
        else:
            # 25.10(g)3, "tie hand": a push, of all three wagers (AMB-18e).
            entries["ante"] = pushed(ante, hand)
            entries["raise"] = pushed(ante + ante, hand)
    else:
        raise ValueError(f"play is vertical, horizontal or fold, not {play!r}")
    if "three_card" in wagers:
        # 25.6(d): $1.00 to $100.00.
        stake = amount_of("three_card", wagers["three_card"], 100, 10_000)
        choice = decisions.pop("three_card", None)
        if choice == "decline":
            # 25.10(a): collected from players who elect not to expose their two cards; no hand was seen.
            entries["three_card"] = {"stake": stake, "result": "lose", "returned": 0, "paid": 0}
        elif choice == "expose":
            # 25.1, 25.10(a): two cards and the community card farthest from the dealer.
            three = [*hole, cards["vertical"][0]]
            category = three_card.category_of(three)
            entry = {
                "stake": stake,
                "result": "lose",
                "returned": 0,
                "paid": 0,
                "hand": three_card_name(three),
            }
            if category != "high_card":
                entry["result"] = "win"
                entry["returned"] = stake
                entry["paid"] = pay(stake, three_cards[category])
            entries["three_card"] = entry
        else:
            raise ValueError(f"three_card is expose or decline, not {choice!r}")
    if decisions:
        raise ValueError(f"seat {place['seat']} decides what is not asked: {decisions}")
    return entries


def three_card_name(three: Sequence[str]) -> str:
    """Three cards in the dealer's words.

    >>> [three_card_name(three.split()) for three in ("As 2s 3s", "Ks As 2d", "6s 6d 2d")]
    ['three-high straight flush', 'ace-high', 'pair of sixes']
    """
    faces = [card[0] for card in three]
    ranked = sorted(set(faces), key=lambda face: (faces.count(face), five_card.FACES.index(face)), reverse=True)
    category = three_card.category_of(three)
    if category in ("straight_flush", "straight"):
        top = "3" if set(faces) == set("A23") else ranked[0]
        return f"{ONE[top]}-high {category.replace('_', ' ')}"
    if category == "three_of_a_kind":
        return f"three {MANY[ranked[0]]}"
    if category == "flush":
        return f"{ONE[ranked[0]]}-high flush"
    if category == "pair":
        return f"pair of {MANY[ranked[0]]}"
    return f"{ONE[ranked[0]]}-high"


def cross_of(scripted: dict[str, Any]) -> dict[str, list[str]]:
    """The cards of each place, the cross as `vertical` (top first) and `horizontal`, three cards each."""
    places = dict(scripted["cards"])
    holders = ["dealer", *(f"seat{place['seat']}" for place in scripted["seats"])]
    if "vertical" in places and "horizontal" in places:
        top, centre, bottom = places.pop("vertical").split()
        left, same, right = places.pop("horizontal").split()
        if centre != same:
            raise ValueError(f"the centre is one card, not {centre} and {same}")
        if set(places) & {"across", "down", "middle"}:
            raise ValueError("the cross is named twice")
        places |= {"across": f"{left} {right}", "down": f"{top} {bottom}", "middle": centre}
    cards = named_cards(places, {"across": 2, "down": 2, "middle": 1}, holders)
    # 25.7(c)3 with AMB-18f: top is the far card, the first of `down`.
    cards["vertical"] = [cards["down"][0], cards["middle"][0], cards["down"][1]]
    cards["horizontal"] = [cards["across"][0], cards["middle"][0], cards["across"][1]]
    return cards


def random_round(rng: Chance, rulebook: str = "nj-double-cross") -> dict[str, Any]:
    """A complete round: every card named, often with a rare hand, a tie or a three-card hand."""
    seats = sorted(rng.sample(range(1, 7), rng.randint(1, 6)))
    players = [f"seat{seat}" for seat in seats]
    minimum = rng.choice([5, 5, 5, 25, 100])
    options: dict[str, Any] = {"minimum_ante": minimum * 100, "payout_limit": None}
    best = 300
    if rng.randint(1, 4) == 1:
        options["odds"] = better_odds(rng)
        best = options["odds"]["raise"]["royal_flush"][0]
    if rng.randint(1, 2) == 1:
        figure = max(6_000_000, minimum * 100 * (1 + 2 * best))
        options["payout_limit"] = figure + 100 * rng.choice([0, 0, 1, 5_000])
    roll = rng.randint(1, 10)
    if roll <= 6:
        chosen = rare_cards(rng, [*players, "dealer"])
    elif roll <= 8:
        chosen = same_ranks(rng, rng.choice(players))
    else:
        chosen = rare_three(rng, rng.choice(players))
    cards = dealt(rng, [*players, "dealer"], chosen)
    if rng.randint(1, 2) == 1:
        left, right = cards.pop("across").split()
        top, bottom = cards.pop("down").split()
        centre = cards.pop("middle")
        cards |= {"vertical": f"{top} {centre} {bottom}", "horizontal": f"{left} {centre} {right}"}
    return {
        "rulebook": rulebook,
        "options": options,
        "cards": cards,
        "seats": [random_seat(rng, seat, minimum) for seat in seats],
    }


def random_seat(rng: Chance, seat: int, minimum: int) -> dict[str, Any]:
    wagers = {"ante": rng.randint(minimum, 500) * 100}
    decisions: dict[str, str] = {}
    if rng.randint(1, 2) == 1:
        wagers["three_card"] = rng.randint(1, 100) * 100
        decisions["three_card"] = rng.choice(["expose", "expose", "expose", "decline"])
    decisions["play"] = rng.choice(["vertical", "horizontal", "vertical", "horizontal", "fold"])
    return {"seat": seat, "wagers": wagers, "decisions": decisions}


def better_odds(rng: Chance) -> dict[str, dict[str, list[int]]]:
    """Tables at or above the minimums, the royal flush still leading."""
    raises = {line: [to + one * rng.randint(0, 1), one] for line, (to, one) in RAISES.items()}
    threes = {line: [to + one * rng.randint(0, 1), one] for line, (to, one) in THREE_CARD.items()}
    raises["royal_flush"] = [300 + 100 * rng.randint(0, 2), 1]
    return {"raise": raises, "three_card": threes}


def same_ranks(rng: Chance, player: str) -> dict[Spot, str]:
    """A player and the dealer with the same two ranks, who often tie."""
    suits = rng.sample("shdc", 4)
    first, second = rng.choice(five_card.FACES), rng.choice(five_card.FACES)
    return {
        (player, 0): first + suits[0],
        (player, 1): second + suits[1],
        ("dealer", 0): first + suits[2],
        ("dealer", 1): second + suits[3],
    }


def rare_three(rng: Chance, player: str) -> dict[Spot, str]:
    """A three-card hand that is paid, in a player's two cards and the far card."""
    suit = rng.choice("shdc")
    face = rng.choice(five_card.FACES)
    if rng.randint(1, 2) == 1:
        three = [card + suit for card in rng.choice(three_card.RUNS)]
    else:
        three = [face + each for each in rng.sample("shdc", 3)]
    rng.shuffle(three)
    return {(player, 0): three[0], (player, 1): three[1], ("down", 0): three[2]}
