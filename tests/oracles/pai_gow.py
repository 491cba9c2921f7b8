"""Pai Gow Poker settled a second time: the document where it speaks (N.J.A.C. 13:69F-11 with 11.14A), and what
fills its gaps where it does not.

Input, output and bad input are as in `oracles.criss_cross`. What changes money stands under `options`:

- `house_way`: ``trump_plaza`` (where nothing is stated) or ``foxwoods``;
- `wheel_second`: whether A-2-3-4-5 is the second-highest straight, as it is where nothing is stated;
- `rounding`: of the commission, ``exact`` or ``up_to_25c``;
- `ez`: the variation without commission; only it has the Queen's Dragon wager;
- `refund_per_mille`: what a surrender gives back;
- `payout_limit`: of the imperial bonus, in cents; None (or absent) where none is stated;
- `credits`: of the progressive wager, as `oracles.pai_gow_credits` has them.

With ``bank`` a seat banks: its `main` is what it last wagered against the house, which the dealer now stakes against
it. With ``co_bank`` the house has half of that bank, and stakes nothing against it.

The dice decide which stack goes where, never what a hand brings: with every card named they do not matter here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from oracles import five_card, house_ways, pai_gow_hands, seven_card, two_card
from oracles.criss_cross import (
    Entries,
    Entry,
    Odds,
    amount_of,
    options_of,
    pay,
    result_of,
)
from oracles.pai_gow_credits import WAGERS as CREDIT_WAGERS
from oracles.pai_gow_credits import Credits
from oracles.pai_gow_names import best_name, bonus_name, high_name, low_name

# 11.20: the player's seven cards, highest qualifying hand only.
IMPERIAL_PLAYER: Odds = {
    "five_aces": (1000, 1),
    "royal_flush": (200, 1),
    "straight_flush": (50, 1),
    "four_of_a_kind": (25, 1),
    "full_house": (5, 1),
    "flush": (4, 1),
    "straight": (2, 1),
    "three_of_a_kind": (2, 1),
}

# 11.20: the banker's seven cards.
IMPERIAL_BANKER: Odds = {"nine_high": (100, 1), "ten_high": (20, 1), "jack_high": (5, 1)}

# What another player's hand pays to those with $5 or more on their own seven cards: the hands are casinos', the
# amounts (in cents) nobody's.
ENVY = {
    "natural_seven_card_straight_flush": 500_000,
    "royal_flush_and_royal_match": 100_000,
    "seven_card_straight_flush_with_joker": 50_000,
    "five_aces": 25_000,
    "royal_flush": 5_000,
    "straight_flush": 2_000,
    "four_of_a_kind": 500,
}
ENVY_MINIMUM = 500

# The seven-card bonus as casinos print it: 11.17 was not to be had.
SEVEN_CARD: Odds = {
    "natural_seven_card_straight_flush": (8000, 1),
    "royal_flush_and_royal_match": (2000, 1),
    "seven_card_straight_flush_with_joker": (1000, 1),
    "five_aces": (400, 1),
    "royal_flush": (150, 1),
    "straight_flush": (50, 1),
    "four_of_a_kind": (25, 1),
    "full_house": (5, 1),
    "flush": (4, 1),
    "three_of_a_kind": (3, 1),
    "straight": (2, 1),
}

KNOWN_OPTIONS = {"house_way", "wheel_second", "rounding", "ez", "refund_per_mille", "payout_limit", "credits"}
KNOWN_CHANCE = {"dice", "magic_card", "lucky_seat", "lucky_dealer"}
SIDE_WAGERS = {"imperial", "seven_card", "queens_dragon"}
LEAST_LIMIT = 4_000_000
QUEEN_HIGH = (50, 1)


class Rules:
    """The options of a round."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.house_way = house_ways.HOUSE_WAYS[options.get("house_way", "trump_plaza")]
        self.wheel_second = options.get("wheel_second", True)
        self.rounding = options.get("rounding", "exact")
        self.ez = options.get("ez", False)
        self.refund_per_mille = options.get("refund_per_mille", 0)
        self.payout_limit = options.get("payout_limit")
        if self.payout_limit is not None and self.payout_limit < LEAST_LIMIT:
            raise ValueError(f"11.20 allows no limit below {LEAST_LIMIT}: {self.payout_limit}")


def settle(scripted: dict[str, Any]) -> dict[str, Any]:
    """The result of a scripted round of Pai Gow Poker."""
    if scripted["rulebook"] != "nj-pai-gow":
        raise ValueError(f"not the rulebook of pai gow poker: {scripted['rulebook']!r}")
    if set(scripted.get("chance", {})) - KNOWN_CHANCE:
        raise ValueError(f"the oracle knows of {sorted(KNOWN_CHANCE)} alone: {scripted['chance']}")
    rules = Rules(options_of({**scripted, "chance": {}, "meters": {}}, KNOWN_OPTIONS))
    cards = seven_each(scripted)
    dealer = Hands(cards["dealer"], set_the_house_way(cards["dealer"], rules))
    players = {place["seat"]: player_of(place, cards, rules) for place in scripted["seats"]}
    banker = scripted.get("bank")
    bank = dealer
    if banker is not None:
        bank = players[banker].hands
        if scripted.get("co_bank") and bank.low != set_the_house_way(bank.seven, rules):
            raise ValueError("a co-banked hand is set the house way")
    progressive = Credits(scripted, cards)
    fed = progressive.settle()
    seats: dict[str, Any] = {}
    for seat, player in players.items():
        if seat != banker:
            entries = settle_seat(player, bank, dealer, rules) | progressive.entries[seat]
            if envied := envy(player, [other for _, other in in_order_of_exposure(players, banker)]):
                entries["seven_card_envy"] = envied
            seats[str(seat)] = {"net": net_of(entries), "wagers": entries}
    if banker is not None:
        mains = [seat["wagers"]["main"] for seat in seats.values()]
        if not scripted.get("co_bank"):
            mains.append(main_wager(players[banker].stakes["main"], dealer, bank, rules))
        entry = bank_entry(mains, bank, rules, shared=bool(scripted.get("co_bank")))
        seats[str(banker)] = {"net": net_of({"bank": entry}), "wagers": {"bank": entry}}
    result = result_of("nj-pai-gow", seats)
    return result if fed is None else {**result, "house_net": result["house_net"] - fed, "meters": {"pai_gow": fed}}


class Hands(NamedTuple):
    """Seven cards as they are set."""

    seven: list[str]
    low: list[str]

    @property
    def high(self) -> list[str]:
        return behind(self.seven, self.low)


class Player(NamedTuple):
    """One seat: stakes in cents, the hands, and whether they are given up."""

    seat: int
    stakes: dict[str, int]
    hands: Hands
    surrenders: bool


def player_of(place: dict[str, Any], cards: dict[str, list[str]], rules: Rules) -> Player:
    in_credits = {wager for wager in place["wagers"] if wager in CREDIT_WAGERS}
    wagers = {wager: amount for wager, amount in place["wagers"].items() if wager not in CREDIT_WAGERS}
    if not {"main"} <= set(wagers) <= {"main"} | SIDE_WAGERS:
        raise ValueError(f"wagers are main and perhaps {sorted(SIDE_WAGERS)}, not {sorted(wagers)}")
    if "queens_dragon" in wagers and not rules.ez:
        raise ValueError("Queen's Dragon belongs to EZ pai gow")
    stakes = {wager: amount_of(wager, amount, 1) for wager, amount in wagers.items()}
    seven = cards[f"seat{place['seat']}"]
    low = low_of(place, seven, rules)
    # 11.9(e): refused to whoever has an 11.17 or an 11.14A wager.
    if low is None and ("seven_card" in wagers or in_credits):
        raise ValueError("a seven-card bonus or progressive wager bars a surrender")
    return Player(place["seat"], stakes, Hands(seven, low or []), low is None)


def in_order_of_exposure(players: dict[int, Player], banker: int | None) -> list[tuple[int, Player]]:
    """11.9(f): from the dealer's right; the bank's hands before all others."""
    return sorted(players.items(), key=lambda player: (player[0] != banker, -player[0]))


def envy(player: Player, exposed: list[Player]) -> Entry | None:
    """For hands of other players: those that are seen, which a surrendered one is only for another wager's sake."""
    if player.stakes.get("seven_card", 0) < ENVY_MINIMUM:
        return None
    hands = {
        other.seat: bonus_category(other.hands.seven)
        for other in exposed
        if other.seat != player.seat and (not other.surrenders or len(other.stakes) > 1)
    }
    paid = sum(ENVY.get(category, 0) for category in hands.values())
    sevens = {other.seat: other.hands.seven for other in exposed}
    names = [bonus_name(sevens[seat], category) for seat, category in hands.items() if category in ENVY]
    return {"stake": 0, "result": "win", "returned": 0, "paid": paid, "hand": "; ".join(names)} if paid else None


def bank_entry(mains: list[Entry], bank: Hands, rules: Rules, *, shared: bool) -> Entry:
    """Return the bank's result over all main wagers; half of a co-bank, with odd cents in favour of the house."""
    cover = sum(main["stake"] for main in mains)
    stake = cover - cover // 2 if shared else cover
    net = sum(main["stake"] - main["returned"] - main["paid"] for main in mains)
    name = f"{high_name(bank.high, wheel_second=rules.wheel_second)}; {low_name(bank.low)}"
    won = max(0, net) // 2 if shared else max(0, net)
    lost = (max(0, -net) + 1) // 2 if shared else max(0, -net)
    result = "win" if net > 0 else "lose" if net < 0 else "push"
    entry = {"stake": stake, "result": result, "returned": stake - lost, "paid": won, "hand": name}
    kept = 0 if rules.ez else commission(won, rules.rounding)
    return {**entry, "commission": kept} if kept else entry


def settle_seat(player: Player, bank: Hands, dealer: Hands, rules: Rules) -> Entries:
    """One player's wagers: the main wager meets the bank, the others the house."""
    stakes, entries = player.stakes, {}
    if player.surrenders:
        # 11.9(e). Imperial and Queen's Dragon do not block it, and stay.
        back = stakes["main"] * rules.refund_per_mille // 1000
        entries["main"] = {"stake": stakes["main"], "result": "forfeit", "returned": back, "paid": 0}
    else:
        entries["main"] = main_wager(stakes["main"], player.hands, bank, rules)
    if "imperial" in stakes:
        entries["imperial"] = imperial(stakes["imperial"], player.hands.seven, dealer.seven, rules)
    if "seven_card" in stakes:
        entries["seven_card"] = seven_card_bonus(stakes["seven_card"], player.hands.seven)
    if "queens_dragon" in stakes:
        entries["queens_dragon"] = queens_dragon(stakes["queens_dragon"], dealer.seven)
    return entries


def low_of(place: dict[str, Any], seven: list[str], rules: Rules) -> list[str] | None:
    """The two cards in front; None for a hand that is surrendered."""
    decisions = place["decisions"]
    if decisions == {"surrender": True}:
        return None
    if decisions == {"set": "house-way"}:
        return set_the_house_way(seven, rules)
    if set(decisions) == {"set"} and set(decisions["set"]) == {"low"}:
        low: list[str] = decisions["set"]["low"].split()
        if len(set(low)) == 2 and set(low) <= set(seven):
            return low
    raise ValueError(f"not how a hand is set: {decisions}")


def set_the_house_way(seven: list[str], rules: Rules) -> list[str]:
    """Two cards with the faces that the house way puts in front, such that the best hand stays behind."""
    faces = rules.house_way(seven)
    fronts = [list(front) for front in combinations(seven, 2) if house_ways.faces_of(front) == faces]
    return max(fronts, key=lambda front: strength(behind(seven, front), rules))


def behind(seven: Sequence[str], low: Sequence[str]) -> list[str]:
    return [card for card in seven if card not in low]


def is_foul(high: list[str], low: list[str]) -> bool:
    """Return whether the two cards rank above the five; with the same pair or the same two top cards they do not."""
    pairs = [face for face in five_card.FACES if sum(house_ways.face_of(card) == face for card in high) == 2]
    if pai_gow_hands.key_of(high) >= (pai_gow_hands.LOW_TO_HIGH.index("two_pair"), 0):
        return False
    faces = sorted((house_ways.face_of(card) for card in high), key=five_card.FACES.index)
    rung = two_card.LADDER.index(2 * pairs[0] if pairs else faces[-1] + faces[-2])
    return two_card.key_of(low) > rung


def main_wager(stake: int, player: Hands, bank: Hands, rules: Rules) -> Entry:
    name = f"{high_name(player.high, wheel_second=rules.wheel_second)}; {low_name(player.low)}"
    if is_foul(player.high, player.low):
        return {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": f"foul: {name}"}
    # EZ pai gow: a queen-high pai gow of the hand that is played against pushes.
    if rules.ez and seven_card.high_card_of(bank.seven) == "queen_high":
        return {"stake": stake, "result": "push", "returned": stake, "paid": 0, "hand": name}
    # 11.9(i): higher, so that copies are no win. A bank that fouls loses to whoever does not.
    high_wins = low_wins = is_foul(bank.high, bank.low)
    if not high_wins:
        high_wins = strength(player.high, rules) > strength(bank.high, rules)
        low_wins = two_card.key_of(player.low) > two_card.key_of(bank.low)
    if high_wins and low_wins:
        entry = {"stake": stake, "result": "win", "returned": stake, "paid": stake, "hand": name}
        kept = 0 if rules.ez else commission(stake, rules.rounding)
        return {**entry, "commission": kept} if kept else entry
    if high_wins or low_wins:
        return {"stake": stake, "result": "push", "returned": stake, "paid": 0, "hand": name}
    return {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": name}


def strength(high: list[str], rules: Rules) -> tuple[int, int]:
    return pai_gow_hands.key_of(high, wheel_second=rules.wheel_second)


def commission(won: int, rounding: str) -> int:
    """Five per cent of the amount won.

    >>> [commission(won, "exact") for won in (1010, 1009)], [commission(won, "up_to_25c") for won in (1000, 1001)]
    ([51, 50], [50, 75])
    """
    if rounding == "exact":
        return won // 20 + (won % 20 >= 10)
    # A twentieth of $5 is a quarter.
    return 25 * (won // 500 + (won % 500 > 0))


def imperial(stake: int, seven: list[str], dealer: list[str], rules: Rules) -> Entry:
    """11.20: both parts of one wager; a limit holds for their sum."""
    category = seven_card.highest(seven_card.held_in(seven), seven_card.PAI_GOW_HIGH_TO_LOW)
    own = best_name(seven, wheel_second=rules.wheel_second)
    banker = seven_card.high_card_of(dealer)
    paid = 0
    hands = []
    if category in IMPERIAL_PLAYER:
        paid = paid + pay(stake, IMPERIAL_PLAYER[category])
        hands.append(own)
    if banker in IMPERIAL_BANKER:
        paid = paid + pay(stake, IMPERIAL_BANKER[banker])
        hands.append(banker.replace("_", "-"))
    if not hands:
        return {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": own}
    entry = {"stake": stake, "result": "win", "returned": stake, "paid": paid, "hand": "; ".join(hands)}
    if rules.payout_limit is not None and paid > rules.payout_limit:
        entry |= {"paid": rules.payout_limit, "limited": paid - rules.payout_limit}
    return entry


def seven_card_bonus(stake: int, seven: list[str]) -> Entry:
    category = bonus_category(seven)
    if category == "nothing":
        return {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": "no qualifying hand"}
    return {
        "stake": stake,
        "result": "win",
        "returned": stake,
        "paid": pay(stake, SEVEN_CARD[category]),
        "hand": bonus_name(seven, category),
    }


def bonus_category(seven: list[str]) -> str:
    return seven_card.highest(seven_card.held_in(seven), seven_card.BONUS_HIGH_TO_LOW)


def queens_dragon(stake: int, dealer: list[str]) -> Entry:
    held = seven_card.high_card_of(dealer)
    name = "no qualifying hand" if held == "nothing" else held.replace("_", "-")
    if held != "queen_high":
        return {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": name}
    return {"stake": stake, "result": "win", "returned": stake, "paid": pay(stake, QUEEN_HIGH), "hand": name}


def net_of(entries: Entries) -> int:
    net = 0
    for entry in entries.values():
        net = net + entry["returned"] + entry["paid"] - entry.get("commission", 0) - entry["stake"]
    return net


def seven_each(scripted: dict[str, Any]) -> dict[str, list[str]]:
    """Seven cards for the dealer and each player, no card twice."""
    holders = ["dealer", *(f"seat{place['seat']}" for place in scripted["seats"])]
    cards = {place: text.split() for place, text in scripted["cards"].items()}
    dealt = [card for held in cards.values() for card in held]
    if set(cards) != set(holders) or any(len(held) != 7 for held in cards.values()):
        raise ValueError(f"seven cards must be named for each of {holders}")
    if len(set(dealt)) != len(dealt) or not set(dealt) <= {*pai_gow_hands.DECK, "Jk"}:
        raise ValueError(f"not distinct cards of one deck: {dealt}")
    return cards
