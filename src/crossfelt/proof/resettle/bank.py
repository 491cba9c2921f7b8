"""A player's bank counted again: what covers it, what it wins or loses, and how that is divided; and commissions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from crossfelt.proof.resettle.plain_game import Data
from crossfelt.proof.resettle.round_state import Round, amounts, differences


class BankWatch:
    """Follows the bank of a round; where no player holds it the house banks."""

    def __init__(self, round_: Round) -> None:
        self._round, self._game = round_, round_.game
        self.wager = next((name for name, wager in self._game.wagers.items() if _meets_bank(wager)), "")
        """The wager that is played against the bank."""
        self._last: dict[int, int] = {}
        """Those wagers of the round before, where the house banked it."""
        self.on_round_opened({})

    def on_round_opened(self, event: Data) -> None:
        self._round.bank_seat = 0
        self._shared = False
        self._house_wager = self._cover = self._house_cover = 0
        self._gained = 0
        """The surplus of the escrow over the cover of the bank."""

    on_bank_returned = on_round_opened

    def on_seat_left(self, event: Data) -> None:
        self._last.pop(event["seat"], None)

    def on_bank_taken(self, event: Data) -> Iterator[str]:
        """Only a player who has just wagered against the house; the dealer stakes as much, but not in a co-bank."""
        self._round.bank_seat, self._shared = event["seat"], event.get("co_bank", False)
        self._house_wager, last = event.get("house_wager", 0), self._last.get(event["seat"], 0)
        if not last:
            yield "banks, but did not wager against the house in the round before"
        if self._house_wager > (0 if self._shared else last):
            yield f"the dealer stakes {self._house_wager:,} cents against the bank; the last wager was {last:,}"

    def on_bank_covered(self, event: Data) -> Iterator[str]:
        """The cover is what the bank would lose if everybody won."""
        needed = self._house_wager + sum(seat.layout.get(self.wager, 0) for seat in self._round.seats.values())
        house = self._part(needed)
        self._cover, self._house_cover = event["cents"], event.get("house_cents", 0)
        told = {"bank": self._cover, "house": self._house_cover, "dealer": event.get("house_wager", 0)}
        due = {"bank": needed - house, "house": house, "dealer": self._house_wager}
        if event["seat"] != self._round.bank_seat or told != due:
            yield f"the escrow of seat {event['seat']} holds {amounts(told)}; it should be {amounts(due)}"

    def on_wager_settled(self, event: Data) -> None:
        if event["wager"] == self.wager or event["event"] == "house_wager_settled":
            self._gained += event["stake"] - event.get("returned", 0) - event.get("paid", 0)

    def on_house_wager_settled(self, event: Data) -> Iterator[str]:
        """The dealer's wager is settled as a player's is, without commission."""
        wager, stake = self._game.wagers[self.wager], self._house_wager
        due = self._round.settler.settle(wager, stake, self._round.spot(self._round.dealer))
        wanted = {"stake": stake, "result": due.result, "returned": due.returned, "paid": due.paid, "hand": due.hand}
        self._round.due = wanted
        yield from differences(event, "the dealer's wager", wanted)
        self.on_wager_settled({**event, "wager": self.wager})
        self._house_wager = 0

    def on_bank_settled(self, event: Data) -> Iterator[str]:
        if self._house_wager or any(self.wager in seat.layout for seat in self._round.seats.values()):
            yield "the bank is settled before all wagers against it"
        lost, gain, house = self._divided()
        hands = self._round.settler.set_hands(self._round.seat(event)).values()
        due: dict[str, Any] = {
            "stake": self._cover,
            "result": "win" if gain else "lose" if lost else "push",
            "returned": self._cover - lost,
            "paid": gain,
            "commission": self.commission(self._game.wagers[self.wager], gain),
            "hand": "; ".join(hand.name for hand in hands),
        }
        self._round.due = due
        yield from differences(event, "bank", due)
        if event.get("house_cents", 0) != house:
            yield f"the house gets {event.get('house_cents', 0):,} cents of the bank; it should be {house:,}"
        self._cover = self._house_cover = self._gained = 0

    def on_bank_released(self, event: Data) -> Iterator[str]:
        """A void round gives all of it back; what was played before, such as a surrender, is divided as ever."""
        if not self._round.void:
            yield "the escrow is given back, but the round is not void"
        lost, gain, house = self._divided()
        told = {"bank": event["cents"], "house": event.get("house_cents", 0), "dealer": event.get("house_wager", 0)}
        due = {"bank": self._cover - lost + gain, "house": house, "dealer": self._house_wager}
        if told != due:
            yield f"the escrow gives back {amounts(told)}; it should be {amounts(due)}"
        self._cover = self._house_cover = self._gained = 0

    def on_settlement_reversed(self, event: Data) -> None:
        """The escrow holds again what it held."""
        settled = event["settled"]
        if settled["event"] == "bank_settled":
            self._cover, self._house_cover = settled["stake"], settled.get("house_stake", 0)
            held = settled["returned"] + settled.get("paid", 0) + settled.get("house_cents", 0)
            self._gained = held - self._cover - self._house_cover
        elif settled["event"] == "house_wager_settled" or settled.get("wager") == self.wager:
            self._gained -= settled["stake"] - settled.get("returned", 0) - settled.get("paid", 0)
            if settled["event"] == "house_wager_settled":
                self._house_wager = settled["stake"]

    def on_round_closed(self, event: Data) -> Iterator[str]:
        if self._cover:
            yield "the round is closed, and chips of the bank are still in escrow"
        if not self._round.void:
            mains = {number: seat.placed.get(self.wager, 0) for number, seat in self._round.seats.items()}
            self._last = {} if self._round.bank_seat else mains

    def _divided(self) -> tuple[int, int, int]:
        """Return what the banker loses and wins, and what the house gets back; half a cent stays with the house."""
        gained, lost = max(0, self._gained), max(0, -self._gained)
        own_loss, own_gain = lost - self._part(lost), gained + self._part(-gained)
        return own_loss, own_gain, self._house_cover + (gained - own_gain) - (lost - own_loss)

    def _part(self, cents: int) -> int:
        """Return the house's part of a co-bank."""
        share: int = self._game.setting("co_bank_share_per_mille", 500)
        return cents * share // 1000 if self._shared else 0

    def commission(self, wager: Data, gain: int) -> int:
        """Return the commission on what a wager or a bank wins: a half cent up, or up to the next quarter."""
        if not self._game.reads(wager.get("commission")):
            return 0
        thousandths: int = gain * self._game.setting("commission_per_mille", 0)
        if self._game.setting("commission_rounding", "exact") == "exact":
            return thousandths // 1000 + (thousandths % 1000 >= 500)
        return 25 * (thousandths // 25_000 + (thousandths % 25_000 > 0))


def _meets_bank(wager: Data) -> bool:
    pairs = chain.from_iterable((*rule.get("versus_each", ()), rule.get("versus", ())) for rule in wager["settle"])
    return any(name.startswith("bank.") for pair in pairs for name in pair)
