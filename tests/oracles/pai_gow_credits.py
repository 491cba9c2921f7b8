"""The progressive wager of 11.14A a second time: in dollars and fractions, award by award, as the section is read.

Credits stand under the wagers ``progressive_player`` and ``progressive_dealer``; what was drawn stands under ``chance``
(``magic_card``, a card or "none"; ``lucky_seat``, 0 for none; ``lucky_dealer``), the meter's cents before the round
under ``meters``. What changes money stands under the option `credits`:

- `letter`: of the pay table, A where nothing is stated;
- `price`: cents of one credit;
- `from_tray`: odds come from the table's chips instead of the meter's pool;
- `whole_award`: "to 1" is all that is paid, and the credit stays with the house;
- `lucky_returns`: a lucky award brings the stake back;
- `made_hand`: the magic card counts only among the cards that make the hand;
- `by_credits`, `dealer_by_credits`: how shares of the meter are divided;
- `limit`: the most the meter shows, in cents.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import floor
from typing import Any

from oracles import pai_gow_hands, seven_card
from oracles.criss_cross import ONE, Entry
from oracles.meter import CENT, PlainMeter, spread
from oracles.pai_gow_names import bonus_name

WAGERS = {"progressive_player": "lucky_player", "progressive_dealer": "lucky_dealer"}
# (c): the same for A, B and C.
PERCENT = {"seven_card_straight_flush": 100, "five_aces": 10}
TO_ONE = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 75, "full_house": 4}
# (e)
BONUS = {
    "A": {"magic_card": 20, "lucky_player": 5, "lucky_dealer": 5},
    "B": {"lucky_player": 5, "lucky_dealer": 5},
    "C": {},
}
RATE, RESET = Fraction(70, 100), Fraction(25_000)


def category_of(seven: list[str]) -> str:
    return seven_card.highest(seven_card.held_in(seven), seven_card.PROGRESSIVE_HIGH_TO_LOW)


def name_of(seven: list[str], category: str) -> str:
    """The hand in the dealer's words; A-2-3-4-5 is the lowest straight flush here."""
    if category == "nothing":
        return "no qualifying hand"
    if category == "seven_card_straight_flush":
        held = {card[0] for card in seven if card != "Jk"}
        top = [run[-1] for run in seven_card.SEVEN_RUNS if held <= set(run)][-1]
        return f"{ONE[top]}-high seven-card straight flush"
    return bonus_name(seven, category)


def cards_of_hand(seven: list[str], category: str) -> set[str]:
    """Every card that some choice of cards for the hand uses."""
    if category == "seven_card_straight_flush":
        return set(seven)
    best = pai_gow_hands.best_key_of_seven(seven, wheel_second=False)
    fives = [five for five in combinations(seven, 5) if pai_gow_hands.key_of(five, wheel_second=False) == best]
    used = {card for five in fives for card in five}
    if category == "four_of_a_kind":
        faces = ["A" if card == "Jk" else card[0] for card in seven]
        four = next(face for face in faces if faces.count(face) == 4)
        used = {card for card in used if ("A" if card == "Jk" else card[0]) == four}
    return used


class Credits:
    """One round: the stakes in credits by seat, the cards, what was drawn, the meter."""

    def __init__(self, scripted: dict[str, Any], cards: dict[str, list[str]]) -> None:
        self.options: dict[str, Any] = scripted.get("options", {}).get("credits", {})
        self.awards = BONUS[self.options.get("letter", "A")]
        self.price = self.options.get("price", 100)
        self.cards = cards
        chance = scripted.get("chance", {})
        self.magic = chance.get("magic_card", "none")
        self.lucky = {
            "progressive_player": chance.get("lucky_seat", 0),
            "progressive_dealer": chance.get("lucky_dealer"),
        }
        self.stakes = {
            place["seat"]: {wager: place["wagers"][wager] for wager in WAGERS if wager in place["wagers"]}
            for place in scripted["seats"]
        }
        initial = scripted.get("meters", {}).get("pai_gow", 2_500_000) * CENT
        limit = self.options.get("limit")
        self.meter = PlainMeter(initial, RESET, RATE, None if limit is None else limit * CENT)
        self.initial = initial
        self.entries: dict[int, dict[str, Entry]] = {seat: {} for seat in self.stakes}

    def settle(self) -> int | None:
        """Fills the entries; gives the change of the meter in cents, or None where nobody staked a credit."""
        staked = sum(sum(wagers.values()) for wagers in self.stakes.values()) * self.price
        if not staked:
            return None
        self.meter.wager(staked * CENT)
        # (f)5 and 11.9(i): players' hands from the right, and then the dealer's.
        for wager in WAGERS:
            bettors = sorted((seat for seat, wagers in self.stakes.items() if wager in wagers), reverse=True)
            shares: dict[int, Fraction] = {}
            for seat in bettors:
                self._settle(seat, wager, bettors, shares)
        posted: int = floor((self.meter.put_in - self.initial) / CENT)
        return posted - int(self.meter.paid_out / CENT)

    def seven(self, seat: int, wager: str) -> list[str]:
        return self.cards["dealer" if wager == "progressive_dealer" else f"seat{seat}"]

    def is_lucky(self, seat: int, wager: str) -> bool:
        drawn = self.lucky[wager]
        return drawn is True or (drawn is not False and drawn == seat)

    def _settle(self, seat: int, wager: str, bettors: list[int], shares: dict[int, Fraction]) -> None:
        seven, credits_ = self.seven(seat, wager), self.stakes[seat][wager]
        category, stake = category_of(seven), self.stakes[seat][wager] * self.price
        entry: Entry = {"stake": stake, "result": "lose", "returned": 0, "paid": 0, "hand": name_of(seven, category)}
        if category in PERCENT:
            if seat not in shares:
                alike = [other for other in bettors if category_of(self.seven(other, wager)) == category]
                shares |= self._share(wager, alike, PERCENT[category])
            entry |= {"result": "win", "paid": int(shares[seat] / CENT), "source": "meter"}
        elif category in TO_ONE:
            back = 0 if self.options.get("whole_award") else stake
            entry |= {"result": "win", "returned": back, "paid": TO_ONE[category] * stake} | self._paid(
                TO_ONE[category] * stake
            )
        lucky = self.is_lucky(seat, wager)
        if lucky and self.options.get("lucky_returns"):
            entry |= {"returned": stake, "result": "push" if entry["result"] == "lose" else entry["result"]}
        self.entries[seat][wager] = entry
        if lucky:
            self._bonus(seat, WAGERS[wager], stake, "")
        counts = cards_of_hand(seven, category) if self.options.get("made_hand") else set(seven)
        if category != "nothing" and self.magic in counts:
            self._bonus(seat, "magic_card", credits_ * self.price, entry["hand"])

    def _share(self, wager: str, seats: list[int], percent: int) -> dict[int, Fraction]:
        by_credits = self.options.get("dealer_by_credits" if wager == "progressive_dealer" else "by_credits", False)
        winners = [(seat, self.stakes[seat][wager]) for seat in seats]
        return spread(self.meter.award(percent), winners, by_credits)

    def _bonus(self, seat: int, award: str, stake: int, hand: str) -> None:
        paid = self.awards[award] * stake
        entry: Entry = {"stake": 0, "result": "win", "returned": 0, "paid": paid, **self._paid(paid)}
        if hand:
            entry["hand"] = hand
        self.entries[seat][award] = entry

    def _paid(self, cents: int) -> dict[str, Any]:
        """AMB-23: odds are charged to the pool above its reset amount; the table's chips pay the rest."""
        from_pool = 0 if self.options.get("from_tray") else int(self.meter.pay(cents * CENT) / CENT)
        source = {"source": "meter"} if from_pool else {}
        return {**source, **({"from_inventory": cents - from_pool} if from_pool < cents else {})}
