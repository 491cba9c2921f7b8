"""The six games of ``examples/rulebooks`` settled a second time, by heart: odds, qualification and ties as published.

Each function takes the player's cards, the shared cards, the dealer's cards and a stake, and returns the cents that
come back to the player: nothing for a loss, the stake for a push, stake and winnings for a win. Bonuses are apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from oracles import five_card, three_card

Cards = Sequence[str]
FACES = five_card.FACES
FOUR_CARD = [
    "high_card",
    "pair",
    "two_pair",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
]
FOUR_RUNS = ["A234", *(FACES[n : n + 4] for n in range(10))]


def paired(cards: Cards) -> int:
    """The place of the face of the only pair among the faces."""
    faces = [card[0] for card in cards]
    return next(FACES.index(face) for face in faces if faces.count(face) == 2)


def back(stake: int, odds: int | float | None) -> int:
    """Return the stake and its win at odds to one; 0 is a push, None a loss."""
    return 0 if odds is None else stake + int(stake * odds)


def best_five(cards: Cards) -> tuple[str, ...]:
    return max(combinations(cards, 5), key=five_card.key_of)


def four_category(cards: Cards) -> str:
    faces = sorted((card[0] for card in cards), key=FACES.index)
    sizes = sorted((faces.count(face) for face in set(faces)), reverse=True)
    suited = len({card[1] for card in cards}) == 1
    run = any(set(run) == set(faces) for run in FOUR_RUNS)
    if sizes[0] > 1:
        return {4: "four_of_a_kind", 3: "three_of_a_kind"}.get(sizes[0], "two_pair" if sizes == [2, 2] else "pair")
    if run and suited:
        return "straight_flush"
    return "flush" if suited else "straight" if run else "high_card"


def four_key(cards: Cards) -> tuple[int, tuple[int, ...]]:
    category = four_category(cards)
    if "straight" in category:
        return FOUR_CARD.index(category), (
            next(n for n, run in enumerate(FOUR_RUNS) if set(run) == {c[0] for c in cards}),
        )
    faces = [card[0] for card in cards]
    ranks = sorted(set(faces), key=lambda face: (faces.count(face), FACES.index(face)), reverse=True)
    return FOUR_CARD.index(category), tuple(FACES.index(face) for face in ranks)


def best_four(cards: Cards) -> tuple[str, ...]:
    return max(combinations(cards, 4), key=four_key)


# --- Mississippi Stud, Let It Ride

STUD = {
    "royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 40, "full_house": 10, "flush": 6, "straight": 4,
    "three_of_a_kind": 3, "two_pair": 2,
}  # fmt: skip
RIDE = {
    "royal_flush": 1000, "straight_flush": 200, "four_of_a_kind": 50, "full_house": 11, "flush": 8, "straight": 5,
    "three_of_a_kind": 3, "two_pair": 2,
}  # fmt: skip
THREE = {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3, "pair": 1}


def stud(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    hand = [*own, *board]
    category = five_card.category_of(hand)
    if category != "pair":
        return back(stake, STUD.get(category))
    face = paired(hand)
    return back(stake, 1 if face >= FACES.index("J") else 0 if face >= FACES.index("6") else None)


def ride(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    hand = [*own, *board]
    category = five_card.category_of(hand)
    if category != "pair":
        return back(stake, RIDE.get(category))
    return back(stake, 1 if paired(hand) >= FACES.index("T") else None)


def three_with_royal(cards: Cards, stake: int) -> int:
    category = three_card.category_of(cards)
    if category == "straight_flush" and {card[0] for card in cards} == set("AKQ"):
        return back(stake, 50)
    return back(stake, THREE.get(category))


# --- Three Card Poker


def queen_high(dealer: Cards) -> bool:
    return three_card.category_of(dealer) != "high_card" or any(card[0] in "QKA" for card in dealer)


def against(mine: object, theirs: object, stake: int) -> int:
    """Even money for the higher hand, a push for equal ones."""
    return 2 * stake if mine > theirs else stake if mine == theirs else 0  # type: ignore[operator]


def three_ante(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    return against(three_card.key_of(own), three_card.key_of(dealer), stake) if queen_high(dealer) else 2 * stake


def three_play(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    return against(three_card.key_of(own), three_card.key_of(dealer), stake) if queen_high(dealer) else stake


def six_card(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    odds = {
        "royal_flush": 1000, "straight_flush": 200, "four_of_a_kind": 50, "full_house": 25, "flush": 20,
        "straight": 10, "three_of_a_kind": 5,
    }  # fmt: skip
    return back(stake, odds.get(five_card.category_of(best_five([*own, *dealer]))))


# --- Caribbean Stud


def ace_king(dealer: Cards) -> bool:
    return five_card.category_of(dealer) != "high_card" or {"A", "K"} <= {card[0] for card in dealer}


def caribbean_ante(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    return against(five_card.key_of(own), five_card.key_of(dealer), stake) if ace_king(dealer) else 2 * stake


def caribbean_raise(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    odds = {
        "royal_flush": 100, "straight_flush": 50, "four_of_a_kind": 20, "full_house": 7, "flush": 5, "straight": 4,
        "three_of_a_kind": 3, "two_pair": 2,
    }  # fmt: skip
    mine, theirs = five_card.key_of(own), five_card.key_of(dealer)
    if not ace_king(dealer) or mine == theirs:
        return stake
    return back(stake, odds.get(five_card.category_of(own), 1)) if mine > theirs else 0


# --- Ultimate Texas Hold'em


def holdem(own: Cards, board: Cards, dealer: Cards) -> tuple[tuple[str, ...], tuple[int, int], tuple[int, int]]:
    mine, theirs = best_five([*own, *board]), best_five([*dealer, *board])
    return mine, five_card.key_of(mine), five_card.key_of(theirs)


def holdem_ante(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    _, mine, theirs = holdem(own, board, dealer)
    pair = five_card.category_of(best_five([*dealer, *board])) != "high_card"
    return against(mine, theirs, stake) if pair else stake


def holdem_blind(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    odds = {
        "royal_flush": 500, "straight_flush": 50, "four_of_a_kind": 10, "full_house": 3, "flush": 1.5, "straight": 1,
    }  # fmt: skip
    hand, mine, theirs = holdem(own, board, dealer)
    return back(stake, odds.get(five_card.category_of(hand), 0)) if mine > theirs else stake if mine == theirs else 0


def holdem_play(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    _, mine, theirs = holdem(own, board, dealer)
    return against(mine, theirs, stake)


def trips(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    odds = {
        "royal_flush": 50, "straight_flush": 40, "four_of_a_kind": 30, "full_house": 8, "flush": 6, "straight": 5,
        "three_of_a_kind": 3,
    }  # fmt: skip
    return back(stake, odds.get(five_card.category_of(best_five([*own, *board]))))


# --- Four Card Poker


def four_card(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    return 2 * stake if four_key(best_four(own)) >= four_key(best_four(dealer)) else 0


def aces_up(own: Cards, board: Cards, dealer: Cards, stake: int) -> int:
    odds = {
        "four_of_a_kind": 50, "straight_flush": 40, "three_of_a_kind": 8, "flush": 5, "straight": 4, "two_pair": 3,
    }  # fmt: skip
    best = best_four(own)
    category = four_category(best)
    if category == "pair":
        return back(stake, 1 if paired(best) == FACES.index("A") else None)
    return back(stake, odds.get(category))


Settle = Callable[[Cards, Cards, Cards, int], int]
WAGERS: Mapping[str, Mapping[str, Settle]] = {
    "mississippi-stud": {
        **dict.fromkeys(("ante", "third", "fourth", "fifth"), stud),
        "three_card": lambda own, board, dealer, stake: three_with_royal(board, stake),
    },
    "let-it-ride": {
        **dict.fromkeys(("bet_1", "bet_2", "bet_3"), ride),
        "three_card": lambda own, board, dealer, stake: three_with_royal(own, stake),
    },
    "three-card-poker": {
        "ante": three_ante,
        "play": three_play,
        "pair_plus": lambda own, board, dealer, stake: back(stake, THREE.get(three_card.category_of(own))),
        "six_card": six_card,
    },
    "caribbean-stud": {"ante": caribbean_ante, "raise": caribbean_raise},
    "ultimate-texas-holdem": {"ante": holdem_ante, "blind": holdem_blind, "play": holdem_play, "trips": trips},
    "four-card-poker": {"ante": four_card, "play": four_card, "aces_up": aces_up},
}
"""The amount that each wager returns. Caribbean Stud's progressive depends on a meter and is not here."""


def bonus(game: str, wager: str, own: Cards, stake: int) -> int:
    """Return the bonus that a wager pays whatever its result."""
    if (game, wager) == ("three-card-poker", "ante"):
        return stake * {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}.get(three_card.category_of(own), 0)
    if (game, wager) == ("four-card-poker", "ante"):
        odds = {"four_of_a_kind": 25, "straight_flush": 20, "three_of_a_kind": 2}
        return stake * odds.get(four_category(best_four(own)), 0)
    return 0
