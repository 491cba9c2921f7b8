"""Criss Cross Poker settled a second time, straight from the three regulations.

Written from the texts alone: N.J.A.C. 13:69F-40 (New Jersey), "Criss-Cross Poker" sections 1 to 12
(Massachusetts), Standard Rules chapters 1 to 13 (Maryland). Each state has a function of its own that follows
its own text clause by clause, with the printed odds typed in once for each state, so that an error made in
one place shows against the others. What a text leaves open follows part 7 of the catalogue (AMB-…).

`settle` takes a scripted round as plain data, every card named, and returns the result without `clauses` and
`readings`. What changes money stands under `options`:

- `minimum_ante`: the posted minimum in cents, 500 if not stated;
- `payout_limit`: what the operator states, in cents; None (or absent) where it states none;
- `md_antes_at_table`: Maryland's literal reading of chapter 12A (AMB-10);
- `odds`: whole tables in place of the printed ones, ``{"bets": {line: [to, one]}, "five_card_bonus": …}``.

No wheels, meters or irregularities: a round that has them is refused with ValueError, as is all bad input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from oracles import five_card

T = TypeVar("T")
Odds = dict[str, tuple[int, int]]
Entry = dict[str, Any]
Entries = dict[str, Entry]
Spot = tuple[str, int]

SUITS = "shdc"
RULEBOOKS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")

# In a player's turn the dealer pays in this order, and a limit cuts what is paid last.
ANTES_AND_BETS = ["ante_across", "across", "ante_down", "down", "middle"]

# New Jersey 40.11(a), Table 1.
NJ_TABLE_1: Odds = {
    "royal_flush": (500, 1),
    "straight_flush": (100, 1),
    "four_of_a_kind": (40, 1),
    "full_house": (12, 1),
    "flush": (8, 1),
    "straight": (5, 1),
    "three_of_a_kind": (3, 1),
    "two_pair": (2, 1),
    "pair_jacks_or_better": (1, 1),
}

# New Jersey 40.11(b), Table 2. The second and third lines run together in the text (AMB-8b).
NJ_TABLE_2: Odds = {
    "royal_flush": (250, 1),
    "straight_flush": (100, 1),
    "four_of_a_kind": (40, 1),
    "full_house": (15, 1),
    "flush": (10, 1),
    "straight": (6, 1),
    "three_of_a_kind": (4, 1),
    "two_pair": (3, 1),
    "pair_sixes_or_better": (1, 1),
}

# Massachusetts 11(b).
MA_11_B: Odds = {
    "royal_flush": (500, 1),
    "straight_flush": (100, 1),
    "four_of_a_kind": (40, 1),
    "full_house": (12, 1),
    "flush": (8, 1),
    "straight": (5, 1),
    "three_of_a_kind": (3, 1),
    "two_pair": (2, 1),
    "pair_jacks_or_better": (1, 1),
}

# Massachusetts 11(c).
MA_11_C: Odds = {
    "royal_flush": (250, 1),
    "straight_flush": (100, 1),
    "four_of_a_kind": (40, 1),
    "full_house": (15, 1),
    "flush": (10, 1),
    "straight": (6, 1),
    "three_of_a_kind": (4, 1),
    "two_pair": (3, 1),
    "pair_sixes_or_better": (1, 1),
}

# Maryland chapter 12, A(1) to A(9).
MD_12_A: Odds = {
    "royal_flush": (500, 1),
    "straight_flush": (100, 1),
    "four_of_a_kind": (40, 1),
    "full_house": (12, 1),
    "flush": (8, 1),
    "straight": (5, 1),
    "three_of_a_kind": (3, 1),
    "two_pair": (2, 1),
    "pair_jacks_or_better": (1, 1),
}

# Maryland chapter 12, C(1) to C(9).
MD_12_C: Odds = {
    "royal_flush": (250, 1),
    "straight_flush": (100, 1),
    "four_of_a_kind": (40, 1),
    "full_house": (15, 1),
    "flush": (10, 1),
    "straight": (6, 1),
    "three_of_a_kind": (4, 1),
    "two_pair": (3, 1),
    "pair_sixes_or_better": (1, 1),
}


class Player(NamedTuple):
    """One seat: stakes in cents, None for what was not bet, and the three hands."""

    ante: int
    bonus: int | None
    across: int | None
    down: int | None
    middle: int | None
    across_hand: list[str]
    down_hand: list[str]
    community: list[str]


def settle(scripted: dict[str, Any]) -> dict[str, Any]:
    """The result of a scripted round of Criss Cross Poker."""
    rulebook = scripted["rulebook"]
    if rulebook not in RULEBOOKS:
        raise ValueError(f"not a rulebook of criss cross poker: {rulebook!r}")
    options = options_of(scripted, {"minimum_ante", "payout_limit", "md_antes_at_table", "odds"})
    literal_antes = options.get("md_antes_at_table", False)
    if literal_antes and rulebook != "md-criss-cross":
        raise ValueError("md_antes_at_table is a reading of Maryland's text")
    if rulebook == "nj-criss-cross":
        bets, bonus = NJ_TABLE_1, NJ_TABLE_2
    elif rulebook == "ma-criss-cross":
        bets, bonus = MA_11_B, MA_11_C
    else:
        bets, bonus = MD_12_A, MD_12_C
    bets = table_of(options, "bets", bets)
    bonus = table_of(options, "five_card_bonus", bonus)

    minimum = options.get("minimum_ante", 500)
    limit = limit_of(rulebook, options.get("payout_limit"), most_of(minimum, bets, literal_antes))
    holders = [f"seat{place['seat']}" for place in scripted["seats"]]
    cards = named_cards(scripted["cards"], {"across": 2, "down": 2, "middle": 1}, holders)

    seats = {}
    for place in scripted["seats"]:
        player = player_of(place, cards, minimum)
        if rulebook == "nj-criss-cross":
            entries = new_jersey(player, bets, bonus)
            # 40.11(d) with AMB-5: antes, bets and the bonus. 40.11(b): the bonus is paid at the end.
            cut(entries, [*ANTES_AND_BETS, "five_card_bonus"], limit)
        elif rulebook == "ma-criss-cross":
            entries = massachusetts(player, bets, bonus)
            # 11(d): "the payout odds in subsections (a)—(c)". 10(h)(5): the bonus is paid last.
            cut(entries, [*ANTES_AND_BETS, "five_card_bonus"], limit)
        else:
            entries = maryland(player, bets, bonus, literal_antes)
            # 12B: "notwithstanding the payout odds in §A"; the bonus, paid first (11H), is in §C.
            cut(entries, ANTES_AND_BETS, limit)
        seats[str(place["seat"])] = {"net": net_of(entries), "wagers": entries}
    return result_of(rulebook, seats)


def new_jersey(player: Player, bets: Odds, bonus: Odds) -> Entries:
    """N.J.A.C. 13:69F-40.10 and 40.11."""
    entries: Entries = {}
    if player.across is None:
        # 40.10(c): the Across bet, or forfeit the ante wagers.
        entries["ante_across"] = forfeited(player.ante)
        entries["ante_down"] = forfeited(player.ante)
    elif player.down is None:
        # 40.10(e): the Down bet, or forfeit all previous wagers.
        entries["ante_across"] = forfeited(player.ante)
        entries["across"] = forfeited(player.across)
        entries["ante_down"] = forfeited(player.ante)
    elif player.middle is None:
        # 40.10(g): the Middle bet, or forfeit all previous wagers.
        entries["ante_across"] = forfeited(player.ante)
        entries["across"] = forfeited(player.across)
        entries["ante_down"] = forfeited(player.ante)
        entries["down"] = forfeited(player.down)
    else:
        across_line = bet_line(player.across_hand)
        down_line = bet_line(player.down_hand)
        # 40.11(a): antes even money on a pair of jacks or better, for their respective hand; 6s to 10s push;
        # "all other outcomes forfeit the antes", which is a loss and not a fold.
        if across_line == "nothing":
            entries["ante_across"] = lost(player.ante, player.across_hand)
        elif across_line == "pair_sixes_to_tens":
            entries["ante_across"] = pushed(player.ante, player.across_hand)
        else:
            entries["ante_across"] = won(player.ante, (1, 1), player.across_hand)
        # Table 1, on the Across hand of 40.10(i)2.
        if across_line == "nothing":
            entries["across"] = lost(player.across, player.across_hand)
        elif across_line == "pair_sixes_to_tens":
            entries["across"] = pushed(player.across, player.across_hand)
        else:
            entries["across"] = won(player.across, bets[across_line], player.across_hand)
        # 40.11(a), on the Down hand.
        if down_line == "nothing":
            entries["ante_down"] = lost(player.ante, player.down_hand)
        elif down_line == "pair_sixes_to_tens":
            entries["ante_down"] = pushed(player.ante, player.down_hand)
        else:
            entries["ante_down"] = won(player.ante, (1, 1), player.down_hand)
        # Table 1, on the Down hand.
        if down_line == "nothing":
            entries["down"] = lost(player.down, player.down_hand)
        elif down_line == "pair_sixes_to_tens":
            entries["down"] = pushed(player.down, player.down_hand)
        else:
            entries["down"] = won(player.down, bets[down_line], player.down_hand)
        # 40.10(i)2: the Middle bet.
        across_result = entries["across"]["result"]
        down_result = entries["down"]["result"]
        highest = higher_of(player.across_hand, player.down_hand)
        if across_result == "win" or down_result == "win":
            # "paid if either the Across or Down bet qualify as a win", at the highest ranking hand's odds
            entries["middle"] = won(player.middle, bets[bet_line(highest)], highest)
        elif across_result == "push" and down_result == "lose":
            # "If the Across bet is a push and the Down bet loses"
            entries["middle"] = pushed(player.middle, highest)
        elif across_result == "lose" and down_result == "push":
            # "if the Across bet loses and the Down bet is a push"
            entries["middle"] = pushed(player.middle, highest)
        elif across_result == "push" and down_result == "push":
            # "If both the Across bet and Down bet push"
            entries["middle"] = pushed(player.middle, highest)
        else:
            # "only loses if both the Across and Down Bets lose"
            entries["middle"] = lost(player.middle, highest)
    # 40.11(b): at the end of the game, regardless of player fold decisions.
    if player.bonus is not None:
        line = bonus_line(player.community)
        if line == "nothing":
            entries["five_card_bonus"] = lost(player.bonus, player.community)
        else:
            entries["five_card_bonus"] = won(player.bonus, bonus[line], player.community)
    return entries


def massachusetts(player: Player, bets: Odds, bonus: Odds) -> Entries:
    """Sections 10 and 11."""
    entries: Entries = {}
    if player.across is None:
        # 10(b): both antes collected, the Five Card Bonus remains.
        entries["ante_across"] = forfeited(player.ante)
        entries["ante_down"] = forfeited(player.ante)
    elif player.down is None:
        # 10(d): both antes and the Across Bet collected, the Five Card Bonus remains.
        entries["ante_across"] = forfeited(player.ante)
        entries["across"] = forfeited(player.across)
        entries["ante_down"] = forfeited(player.ante)
    elif player.middle is None:
        # 10(f): both antes, the Across Bet and the Down Bet collected, the Five Card Bonus remains.
        entries["ante_across"] = forfeited(player.ante)
        entries["across"] = forfeited(player.across)
        entries["ante_down"] = forfeited(player.ante)
        entries["down"] = forfeited(player.down)
    else:
        across_line = bet_line(player.across_hand)
        down_line = bet_line(player.down_hand)
        if across_line == "nothing":
            # 10(h)(1)(i): less than a pair of 6s.
            entries["ante_across"] = lost(player.ante, player.across_hand)
            entries["across"] = lost(player.across, player.across_hand)
        elif across_line == "pair_sixes_to_tens":
            # 10(h)(1)(ii): returned, 11(a) and 11(b) last lines.
            entries["ante_across"] = pushed(player.ante, player.across_hand)
            entries["across"] = pushed(player.across, player.across_hand)
        else:
            # 10(h)(1)(ii): paid, the ante by 11(a) and the bet by 11(b).
            entries["ante_across"] = won(player.ante, (1, 1), player.across_hand)
            entries["across"] = won(player.across, bets[across_line], player.across_hand)
        if down_line == "nothing":
            # 10(h)(2)(i).
            entries["ante_down"] = lost(player.ante, player.down_hand)
            entries["down"] = lost(player.down, player.down_hand)
        elif down_line == "pair_sixes_to_tens":
            # 10(h)(2)(ii), returned.
            entries["ante_down"] = pushed(player.ante, player.down_hand)
            entries["down"] = pushed(player.down, player.down_hand)
        else:
            # 10(h)(2)(ii), paid.
            entries["ante_down"] = won(player.ante, (1, 1), player.down_hand)
            entries["down"] = won(player.down, bets[down_line], player.down_hand)
        higher = higher_of(player.across_hand, player.down_hand)
        if across_line == "nothing" and down_line == "nothing":
            # 10(h)(3): neither hand contains a pair of 6s or better.
            entries["middle"] = lost(player.middle, higher)
        elif bet_line(higher) == "pair_sixes_to_tens":
            # 10(h)(4) and the last line of 11(b).
            entries["middle"] = pushed(player.middle, higher)
        else:
            # 10(h)(4): based on the higher ranking Across Hand or Down Hand.
            entries["middle"] = won(player.middle, bets[bet_line(higher)], higher)
    # 10(h)(5): after the player's other wagers. A losing one is collected (AMB-19).
    if player.bonus is not None:
        line = bonus_line(player.community)
        if line == "nothing":
            entries["five_card_bonus"] = lost(player.bonus, player.community)
        else:
            entries["five_card_bonus"] = won(player.bonus, bonus[line], player.community)
    return entries


def maryland(player: Player, bets: Odds, bonus: Odds, literal_antes: bool) -> Entries:
    """Chapters 11 and 12."""
    entries: Entries = {}
    if player.across is None:
        # 11B(2): the antes are collected.
        entries["ante_across"] = forfeited(player.ante)
        entries["ante_down"] = forfeited(player.ante)
    elif player.down is None:
        # 11D(1): the antes and the Across Wager.
        entries["ante_across"] = forfeited(player.ante)
        entries["across"] = forfeited(player.across)
        entries["ante_down"] = forfeited(player.ante)
    elif player.middle is None:
        # 11F(1): the antes, the Across and Down Wagers.
        entries["ante_across"] = forfeited(player.ante)
        entries["across"] = forfeited(player.across)
        entries["ante_down"] = forfeited(player.ante)
        entries["down"] = forfeited(player.down)
    else:
        across_line = bet_line(player.across_hand)
        down_line = bet_line(player.down_hand)
        # 11I(3)(a) and (e), 12A.
        if across_line == "nothing":
            entries["ante_across"] = lost(player.ante, player.across_hand)
            entries["across"] = lost(player.across, player.across_hand)
        elif across_line == "pair_sixes_to_tens":
            # 12A(10).
            entries["ante_across"] = pushed(player.ante, player.across_hand)
            entries["across"] = pushed(player.across, player.across_hand)
        elif literal_antes:
            # AMB-10, literally: "each winning Criss Cross Poker wager", of which 7E(1) counts the antes.
            entries["ante_across"] = won(player.ante, bets[across_line], player.across_hand)
            entries["across"] = won(player.across, bets[across_line], player.across_hand)
        else:
            # AMB-10, as read: antes 1 to 1.
            entries["ante_across"] = won(player.ante, (1, 1), player.across_hand)
            entries["across"] = won(player.across, bets[across_line], player.across_hand)
        if down_line == "nothing":
            entries["ante_down"] = lost(player.ante, player.down_hand)
            entries["down"] = lost(player.down, player.down_hand)
        elif down_line == "pair_sixes_to_tens":
            entries["ante_down"] = pushed(player.ante, player.down_hand)
            entries["down"] = pushed(player.down, player.down_hand)
        elif literal_antes:
            entries["ante_down"] = won(player.ante, bets[down_line], player.down_hand)
            entries["down"] = won(player.down, bets[down_line], player.down_hand)
        else:
            entries["ante_down"] = won(player.ante, (1, 1), player.down_hand)
            entries["down"] = won(player.down, bets[down_line], player.down_hand)
        across_result = entries["across"]["result"]
        down_result = entries["down"]["result"]
        higher = higher_of(player.across_hand, player.down_hand)
        if across_result == "push" and down_result == "lose":
            # 11I(3)(b).
            entries["middle"] = pushed(player.middle, higher)
        elif down_result == "push" and across_result == "lose":
            # 11I(3)(c).
            entries["middle"] = pushed(player.middle, higher)
        elif across_result == "lose" and down_result == "lose":
            # 11I(3)(d).
            entries["middle"] = lost(player.middle, higher)
        elif across_result == "push" and down_result == "push":
            # Not written; AMB-15, as New Jersey.
            entries["middle"] = pushed(player.middle, higher)
        else:
            # 11I(3)(e). Which hand sets the odds is not written; AMB-15, as New Jersey.
            entries["middle"] = won(player.middle, bets[bet_line(higher)], higher)
    # 11H, before the hands are opened; also for those who folded (11B(3), 11D(2), 11F(2)).
    if player.bonus is not None:
        line = bonus_line(player.community)
        if line == "nothing":
            entries["five_card_bonus"] = lost(player.bonus, player.community)
        else:
            entries["five_card_bonus"] = won(player.bonus, bonus[line], player.community)
    return entries


def figure_of(minimum: int, bets: Odds, literal_antes: bool) -> int:
    """The greater of $50,000 and the most that one player could win in a round at the minimum wager."""
    return max(5_000_000, most_of(minimum, bets, literal_antes))


def most_of(minimum: int, bets: Odds, literal_antes: bool) -> int:
    """The most that one player could win in a round at the minimum wager: antes and bets, no optional wager."""
    royal = bets["royal_flush"]
    straight = bets["straight_flush"]
    if any(over(odds, straight) for line, odds in bets.items() if line != "royal_flush") or over(straight, royal):
        raise ValueError("which hands win most is known only where the royal flush and straight flush lead")
    # AMB-6: two royal flushes are impossible, so it is a royal flush on one line and a straight flush on the
    # other, with bets of one ante each. Across 500, down 100, middle 500 …
    most = pay(minimum, royal) + pay(minimum, straight) + pay(minimum, royal)
    # … and antes 1 + 1, which makes 1,102; with antes at the table 500 + 100, which makes 1,700.
    most = most + pay(minimum, royal if literal_antes else (1, 1))
    return most + pay(minimum, straight if literal_antes else (1, 1))


def limit_of(rulebook: str, stated: int | None, most: int) -> int | None:
    """The payout limit of one player's round in cents, or None where there is none."""
    figure = max(5_000_000, most)
    if rulebook == "nj-criss-cross":
        # 40.11(d): "shall be".
        if stated is not None and stated != figure:
            raise ValueError(f"40.11(d) fixes the limit at {figure}, not {stated}")
        return figure
    if rulebook == "ma-criss-cross":
        # 11(d): "may establish … may not be less than".
        if stated is not None and stated < figure:
            raise ValueError(f"11(d) allows no limit below {figure}: {stated}")
        return stated
    # 12B: "may not exceed"; where none is stated it is the figure. 12A pays each winning wager, so the limit is not
    # below what the least wager can win (AMB-10b).
    if stated is None:
        return figure
    if not most <= stated <= figure:
        raise ValueError(f"12A and 12B allow no limit below {most} or above {figure}: {stated}")
    return stated


def over(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] * other[1] > other[0] * one[1]


def bet_line(hand: Sequence[str]) -> str:
    """The line of the bets' table that five cards fall on, or "nothing".

    >>> [bet_line([face + "s", face + "d", "2c", "3c", "4c"]) for face in "JT65"]
    ['pair_jacks_or_better', 'pair_sixes_to_tens', 'pair_sixes_to_tens', 'nothing']
    """
    category = five_card.category_of(hand)
    if category == "high_card":
        return "nothing"
    if category == "pair":
        if paired_face(hand) in "JQKA":
            return "pair_jacks_or_better"
        if paired_face(hand) in "6789T":
            return "pair_sixes_to_tens"
        return "nothing"
    return category


def bonus_line(community: Sequence[str]) -> str:
    """The line of the Five Card Bonus that the community cards fall on, or "nothing"."""
    category = five_card.category_of(community)
    if category == "high_card":
        return "nothing"
    if category == "pair":
        if paired_face(community) in "6789TJQKA":
            return "pair_sixes_or_better"
        return "nothing"
    return category


def paired_face(hand: Sequence[str]) -> str:
    return Counter(card[0] for card in hand).most_common(1)[0][0]


def higher_of(across_hand: list[str], down_hand: list[str]) -> list[str]:
    if five_card.key_of(across_hand) >= five_card.key_of(down_hand):
        return across_hand
    return down_hand


# What both games share: entries, the limit, names, input.


def pay(stake: int, odds: tuple[int, int]) -> int:
    """Return the win of a stake at odds `to, one`; a fraction of a cent stays with the house.

    >>> pay(505, (3, 2))
    757
    """
    return stake * odds[0] // odds[1]


def won(stake: int, odds: tuple[int, int], hand: Sequence[str]) -> Entry:
    return {
        "stake": stake,
        "result": "win",
        "returned": stake,
        "paid": pay(stake, odds),
        "hand": name_of(hand),
    }


def pushed(stake: int, hand: Sequence[str]) -> Entry:
    return {"stake": stake, "result": "push", "returned": stake, "paid": 0, "hand": name_of(hand)}


def lost(stake: int, hand: Sequence[str]) -> Entry:
    return {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": name_of(hand)}


def forfeited(stake: int) -> Entry:
    """A folded wager: the player's cards are discarded unseen, so there is no hand to name."""
    return {"stake": stake, "result": "forfeit", "returned": 0, "paid": 0}


def cut(entries: Entries, order_of_payment: Sequence[str], limit: int | None) -> None:
    """Winnings up to the limit are paid in order; so it is the wagers paid last that are cut (AMB-5c)."""
    if limit is None:
        return
    left = limit
    for wager in order_of_payment:
        if wager in entries:
            due = entries[wager]["paid"]
            if due > left:
                entries[wager]["paid"] = left
                entries[wager]["limited"] = due - left
            left = left - entries[wager]["paid"]


def net_of(entries: Entries) -> int:
    net = 0
    for entry in entries.values():
        net = net + entry["returned"] + entry["paid"] - entry["stake"]
    return net


def result_of(rulebook: str, seats: dict[str, Any]) -> dict[str, Any]:
    house = 0
    for seat in seats.values():
        house = house - seat["net"]
    return {"rulebook": rulebook, "outcome": "settled", "seats": seats, "house_net": house, "meters": {}}


ONE = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
MANY = {face: f"{word}s" for face, word in ONE.items()} | {"6": "sixes"}


def name_of(hand: Sequence[str]) -> str:
    """A hand in the dealer's words.

    >>> [name_of(hand.split()) for hand in ("Ks Kc Kd 4s 2d", "As 2c 3d 4s 5d", "9s 7s 4s 3s 2s")]
    ['three kings', 'five-high straight', 'nine-high flush']
    """
    faces = [card[0] for card in hand]
    # Faces by how many there are of each, then by rank.
    ranked = sorted(set(faces), key=lambda face: (faces.count(face), five_card.FACES.index(face)), reverse=True)
    category = five_card.category_of(hand)
    if category == "royal_flush":
        return "royal flush"
    if category in ("straight_flush", "straight"):
        top = "5" if set(faces) == set("A2345") else ranked[0]
        return f"{ONE[top]}-high {category.replace('_', ' ')}"
    if category == "four_of_a_kind":
        return f"four {MANY[ranked[0]]}"
    if category == "full_house":
        return f"{MANY[ranked[0]]} full of {MANY[ranked[1]]}"
    if category == "flush":
        return f"{ONE[ranked[0]]}-high flush"
    if category == "three_of_a_kind":
        return f"three {MANY[ranked[0]]}"
    if category == "two_pair":
        return f"{MANY[ranked[0]]} and {MANY[ranked[1]]}"
    if category == "pair":
        return f"pair of {MANY[ranked[0]]}"
    return f"{ONE[ranked[0]]}-high"


def options_of(scripted: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """The options, after refusing what this oracle knows nothing of."""
    for field in ("submission", "chance", "meters", "irregularities"):
        if scripted.get(field):
            raise ValueError(f"the oracle takes no {field!r}; settings that change money go under 'options'")
    options: dict[str, Any] = scripted.get("options", {})
    if set(options) - known:
        raise ValueError(f"unknown options: {sorted(set(options) - known)}")
    return options


def table_of(options: dict[str, Any], name: str, printed: Odds) -> Odds:
    """The printed table, or the whole table that replaces it."""
    if name not in options.get("odds", {}):
        return printed
    table = {line: (odds[0], odds[1]) for line, odds in options["odds"][name].items()}
    if set(table) != set(printed):
        raise ValueError(f"odds for {name!r} must name exactly {sorted(printed)}")
    return table


def named_cards(places: dict[str, str], board: dict[str, int], holders: list[str]) -> dict[str, list[str]]:
    """The cards of each place: every place named, and no card twice."""
    wanted = board | dict.fromkeys(holders, 2)
    if len(set(holders)) != len(holders) or set(places) != set(wanted):
        raise ValueError(f"cards must be named for {sorted(wanted)}, and are for {sorted(places)}")
    cards = {place: text.split() for place, text in places.items()}
    dealt = [card for held in cards.values() for card in held]
    if any(len(cards[place]) != count for place, count in wanted.items()):
        raise ValueError(f"wrong number of cards: {places}")
    if len(set(dealt)) != len(dealt) or not set(dealt) <= set(full_deck()):
        raise ValueError(f"not distinct cards of one deck: {dealt}")
    return cards


def amount_of(name: str, amount: object, least: int, most: int | None = None) -> int:
    """A stake in cents within its bounds; True is no amount."""
    if type(amount) is not int or amount < least or (most is not None and amount > most):
        raise ValueError(f"{name}: {amount!r} is not an amount from {least} to {most}")
    return amount


def player_of(place: dict[str, Any], cards: dict[str, list[str]], minimum: int) -> Player:
    """One seat of a scripted round. Decisions end with the first fold."""
    wagers = place["wagers"]
    if not {"ante"} <= set(wagers) <= {"ante", "five_card_bonus"}:
        raise ValueError(f"wagers are ante and perhaps five_card_bonus, not {sorted(wagers)}")
    ante = amount_of("ante", wagers["ante"], minimum)
    bonus = None
    if "five_card_bonus" in wagers:
        bonus = amount_of("five_card_bonus", wagers["five_card_bonus"], 1)
    decisions = dict(place["decisions"])
    bets: dict[str, int | None] = {"across": None, "down": None, "middle": None}
    for bet in bets:
        if bet not in decisions:
            raise ValueError(f"seat {place['seat']} has not decided on {bet}")
        decision = decisions.pop(bet)
        if decision == "fold":
            break
        # 40.1, 10(b), (d), (f), 1B(4): one to three times the ante; any amount between (AMB-3).
        bets[bet] = amount_of(bet, decision, ante, 3 * ante)
    if decisions:
        raise ValueError(f"seat {place['seat']} decides after folding: {decisions}")
    hole = cards[f"seat{place['seat']}"]
    return Player(
        ante=ante,
        bonus=bonus,
        across=bets["across"],
        down=bets["down"],
        middle=bets["middle"],
        across_hand=hole + cards["across"] + cards["middle"],
        down_hand=hole + cards["down"] + cards["middle"],
        community=cards["across"] + cards["down"] + cards["middle"],
    )


# Rounds to settle.


class Chance(Protocol):
    """The methods of random.Random in use."""

    def randint(self, a: int, b: int, /) -> int: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...
    def shuffle(self, x: list[Any], /) -> None: ...


KINDS = [
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"),
    *("three_of_a_kind", "two_pair", "pair_jacks_or_better", "pair_sixes_to_tens", "pair_below_sixes"),
]


def random_round(rng: Chance, rulebook: str) -> dict[str, Any]:
    """A complete round within the default submission: every card named, often with a rare hand."""
    seats = sorted(rng.sample(range(1, 7), rng.randint(1, 6)))
    holders = [f"seat{seat}" for seat in seats]
    minimum = rng.choice([5, 5, 5, 25, 50, 100])
    options: dict[str, Any] = {"minimum_ante": minimum * 100, "payout_limit": None}
    literal_antes = rulebook == "md-criss-cross" and rng.randint(1, 4) == 1
    if rulebook == "md-criss-cross":
        options["md_antes_at_table"] = literal_antes
    if rng.randint(1, 2) == 1:
        figure, most = figure_of(minimum * 100, MD_12_A, literal_antes), most_of(minimum * 100, MD_12_A, literal_antes)
        if rulebook == "nj-criss-cross":
            options["payout_limit"] = figure
        elif rulebook == "ma-criss-cross":
            options["payout_limit"] = figure + 100 * rng.choice([0, 0, 1, 10_000])
        else:
            options["payout_limit"] = rng.choice([figure, (most + figure) // 2, most, most])
    return {
        "rulebook": rulebook,
        "options": options,
        "cards": dealt(rng, holders, rare_cards(rng, holders)),
        "seats": [random_seat(rng, seat, minimum) for seat in seats],
    }


def random_seat(rng: Chance, seat: int, minimum: int) -> dict[str, Any]:
    ante = rng.randint(minimum, 500)
    wagers = {"ante": ante * 100}
    if rng.randint(1, 2) == 1:
        wagers["five_card_bonus"] = rng.randint(1, 100) * 100
    decisions: dict[str, int | str] = {}
    for bet in ("across", "down", "middle"):
        if rng.randint(1, 12) == 1:
            decisions[bet] = "fold"
            break
        decisions[bet] = rng.choice([ante, 2 * ante, 3 * ante, rng.randint(ante, 3 * ante)]) * 100
    return {"seat": seat, "wagers": wagers, "decisions": decisions}


def full_deck() -> list[str]:
    return [face + suit for suit in SUITS for face in five_card.FACES]


def dealt(rng: Chance, holders: Sequence[str], chosen: dict[Spot, str]) -> dict[str, str]:
    """Cards for the cross and each holder, the chosen ones in their spots and the rest at random."""
    stub = [card for card in full_deck() if card not in chosen.values()]
    rng.shuffle(stub)
    places = {"across": 2, "down": 2, "middle": 1} | dict.fromkeys(holders, 2)
    return {
        place: " ".join(chosen.get((place, index)) or stub.pop() for index in range(count))
        for place, count in places.items()
    }


def rare_cards(rng: Chance, holders: Sequence[str]) -> dict[Spot, str]:
    """Nothing for four rounds in ten, else cards that give some holder or the cross a chosen hand."""
    holder = rng.choice(holders)
    hole = [(holder, 0), (holder, 1)]
    across = [("across", 0), ("across", 1)]
    down = [("down", 0), ("down", 1)]
    middle = [("middle", 0)]
    roll = rng.randint(1, 10)
    if roll <= 4:
        return {}
    if roll <= 7:
        return placed(rng, hole + rng.choice([across, down]) + middle, five_of(rng, rng.choice(KINDS)))
    if roll == 8:
        return placed(rng, across + down + middle, five_of(rng, rng.choice(KINDS)))
    if roll == 9:
        face = rng.choice(five_card.FACES)
        return placed(rng, hole, [face + suit for suit in rng.sample(SUITS, 2)])
    # AMB-6, the most there is to win: a royal flush and a straight flush at once.
    suit = rng.choice(SUITS)
    lines = rng.choice([across + down, down + across])
    return placed(rng, hole, ["T" + suit, "J" + suit]) | dict(
        zip(middle + lines, [face + suit for face in "QAK98"], strict=True)
    )


def placed(rng: Chance, spots: Sequence[Spot], cards: list[str]) -> dict[Spot, str]:
    rng.shuffle(cards)
    return dict(zip(spots, cards, strict=True))


def five_of(rng: Chance, kind: str) -> list[str]:
    """Five cards of a kind, at random."""
    suit = rng.choice(SUITS)
    suits = rng.sample(SUITS, 4)
    first, second, third, fourth, fifth = rng.sample(five_card.FACES, 5)
    if kind == "royal_flush":
        return [face + suit for face in "TJQKA"]
    if kind == "straight_flush":
        return [face + suit for face in rng.choice(five_card.RUNS[:-1])]
    if kind == "four_of_a_kind":
        return [*(first + each for each in SUITS), second + suit]
    if kind == "full_house":
        return [*(first + each for each in suits[:3]), *(second + each for each in rng.sample(SUITS, 2))]
    if kind == "flush":
        hand = [face + suit for face in (first, second, third, fourth, fifth)]
        return hand if five_card.category_of(hand) == "flush" else five_of(rng, kind)
    if kind == "straight":
        run = rng.choice(five_card.RUNS)
        return [run[0] + suits[0], run[1] + suits[1], *(face + rng.choice(SUITS) for face in run[2:])]
    if kind == "three_of_a_kind":
        return [*(first + each for each in suits[:3]), second + suit, third + rng.choice(SUITS)]
    if kind == "two_pair":
        pairs = [*(first + each for each in suits[:2]), *(second + each for each in rng.sample(SUITS, 2))]
        return [*pairs, third + suit]
    if kind == "pair_jacks_or_better":
        face = rng.choice("JQKA")
    elif kind == "pair_sixes_to_tens":
        face = rng.choice("6789T")
    else:
        face = rng.choice("2345")
    others = rng.sample([other for other in five_card.FACES if other != face], 3)
    return [*(face + each for each in suits[:2]), *(other + rng.choice(SUITS) for other in others)]
