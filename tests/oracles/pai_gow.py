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
    MANY,
    ONE,
    SUITS,
    Chance,
    Entries,
    Entry,
    Odds,
    amount_of,
    options_of,
    pay,
    result_of,
)
from oracles.criss_cross import name_of as natural_name
from oracles.pai_gow_credits import WAGERS as CREDIT_WAGERS
from oracles.pai_gow_credits import Credits

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
    """What the options say."""

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
    """What the bank won or lost over all main wagers; half of it where it is shared, odd cents to the house's good."""
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
    """Whether the two cards rank above the five; with the same pair or the same two top cards they do not."""
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


# Hands in the dealer's words.


def high_name(high: Sequence[str], *, wheel_second: bool) -> str:
    """Five cards, with the joker as what it stands for.

    >>> high_name("Ac 2d 3h Jk 5s".split(), wheel_second=True), high_name("7c 7d 7h Jk 2s".split(), wheel_second=True)
    ('ace-to-five straight', 'three sevens')
    """
    if set(high) == {"As", "Ah", "Ad", "Ac", "Jk"}:
        return "five aces"
    hand = pai_gow_hands.stands_for(high, wheel_second=wheel_second)
    name = natural_name(hand)
    is_wheel = {card[0] for card in hand} == set("A2345")
    return name.replace("five-high", "ace-to-five") if wheel_second and is_wheel else name


def low_name(low: Sequence[str]) -> str:
    """Two cards, the joker an ace.

    >>> low_name(["Qs", "Kd"]), low_name(["Jk", "Ah"])
    ('king-queen', 'pair of aces')
    """
    faces = house_ways.faces_of(low)
    return f"pair of {MANY[faces[0]]}" if faces[0] == faces[1] else f"{ONE[faces[0]]}-{ONE[faces[1]]}"


def best_name(seven: Sequence[str], *, wheel_second: bool) -> str:
    """The best five of seven cards."""
    fives = combinations(seven, 5)
    best = max(fives, key=lambda five: pai_gow_hands.key_of(five, wheel_second=wheel_second))
    return high_name(best, wheel_second=wheel_second)


def bonus_name(seven: list[str], category: str) -> str:
    """The hand of the seven-card bonus, in which A-2-3-4-5 is the lowest straight."""
    if category == "royal_flush_and_royal_match":
        return "royal flush and royal match"
    if "seven_card" in category:
        held = {card[0] for card in seven if card != "Jk"}
        top = [run[-1] for run in seven_card.SEVEN_RUNS if held <= set(run)][-1]
        run = f"{ONE[top]}-high seven-card straight flush"
        return f"natural {run}" if "natural" in category else f"{run} with the joker"
    level = pai_gow_hands.LOW_TO_HIGH.index(category)
    fives = [(pai_gow_hands.key_of(five, wheel_second=False), five) for five in combinations(seven, 5)]
    best = max(((key, five) for key, five in fives if key[0] == level), key=lambda pair: pair[0])[1]
    return high_name(best, wheel_second=False)


# Rounds to settle.


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
        scripted["meters"] = {
            "pai_gow": rng.choice([0, 7, 2_500_000, 2_599_999, 123_456_789][: 4 if letter == "C" else 5])
        }
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
