"""A player's bank in Pai Gow Poker, counted again: what covers it, what it won or lost, and how that is divided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from crossfelt.proof.resettle.round import Data, Due, amounts_words, differences


class BankChecker:
    """The bank of one round; with nobody in it the house banks."""

    def __init__(self, share_per_mille: int) -> None:
        self.seat = 0
        self._share_per_mille = share_per_mille
        self._shared = False
        self.house_wager = 0
        self._cover = self._house_cover = 0
        self._gained = 0
        """What the escrow has more than covers the bank."""

    @property
    def is_open(self) -> bool:
        """Whether chips lie in escrow."""
        return bool(self._cover)

    def take(self, event: Data, last_mains: Mapping[int, int]) -> Iterator[str]:
        """Only who wagered against the house the round before; the dealer stakes as much, but not in a co-bank."""
        self.seat, self._shared = event["seat"], event.get("co_bank", False)
        self.house_wager = event.get("house_wager", 0)
        last = last_mains.get(self.seat, 0)
        if not last:
            yield "banks, but did not wager against the house in the round before"
        if self.house_wager > (0 if self._shared else last):
            yield f"the dealer stakes {self.house_wager:,} cents against the bank; the last wager was {last:,}"

    def cover(self, event: Data, mains: int) -> Iterator[str]:
        """What it would lose if everybody won, and no more."""
        needed = mains + self.house_wager
        house = self._part(needed)
        due = {"bank": needed - house, "house": house, "dealer": self.house_wager}
        self._cover, self._house_cover = event["cents"], event.get("house_cents", 0)
        told = {"bank": self._cover, "house": self._house_cover, "dealer": event.get("house_wager", 0)}
        if event["seat"] != self.seat or told != due:
            yield f"the escrow of seat {event['seat']} holds {amounts_words(told)}; it should be {amounts_words(due)}"

    def play(self, event: Data) -> Iterator[str]:
        """One main wager against it: what is lost goes in, what is won comes out."""
        if event.get("bank", 0) != self.seat:
            yield f"the main wager is played against seat {event.get('bank', 0)}; it should be {self.seat}"
        self._gained += event["stake"] - event.get("returned", 0) - event.get("paid", 0)

    def play_house_wager(self, event: Data, due: Due) -> Iterator[str]:
        """The dealer's wager: settled as a player's is, without commission."""
        yield from differences(event, "the dealer's wager", self.house_wager, due._replace(commission=0), 0)
        yield from self.play(event)
        self.house_wager = 0

    def settle(self, event: Data, hand: str, commission: Callable[[int], int]) -> Iterator[str]:
        own_loss, own_win, house = self._divided()
        result = "win" if own_win else "lose" if own_loss else "push"
        due = Due(result, self._cover - own_loss, own_win, hand, commission(own_win))
        yield from differences(event, "bank", self._cover, due, 0)
        if event.get("house_cents", 0) != house:
            yield f"the house gets {event.get('house_cents', 0):,} cents of the bank; it should be {house:,}"
        if self.house_wager:
            yield "the bank is settled before the dealer's wager"
        self._close()

    def undo(self, settled: Data) -> None:
        """A settlement is undone, the last first: the escrow holds again what it held."""
        if settled["event"] == "bank_settled":
            self._cover, self._house_cover = settled["stake"], settled.get("house_stake", 0)
            held = settled["returned"] + settled.get("paid", 0) + settled.get("house_cents", 0)
            self._gained = held - self._cover - self._house_cover
        elif settled["event"] == "house_wager_settled" or settled.get("wager") == "main":
            self._gained -= settled["stake"] - settled.get("returned", 0) - settled.get("paid", 0)
            if settled["event"] == "house_wager_settled":
                self.house_wager = settled["stake"]

    def release(self, event: Data) -> Iterator[str]:
        """A void round gives all of it back; what was played before, such as a surrender, is divided as ever."""
        told = {"bank": event["cents"], "house": event.get("house_cents", 0), "dealer": event.get("house_wager", 0)}
        own_loss, own_win, house = self._divided()
        due = {"bank": self._cover - own_loss + own_win, "house": house, "dealer": self.house_wager}
        if told != due:
            yield f"the escrow gives back {amounts_words(told)}; it should be {amounts_words(due)}"
        self._close()

    def _divided(self) -> tuple[int, int, int]:
        """What the banker loses and wins, and what the house gets back; halves of an odd cent are the banker's to lose
        and the house's to win."""
        won, lost = max(0, self._gained), max(0, -self._gained)
        own_loss, own_win = lost - self._part(lost), self._rest(won)
        return own_loss, own_win, self._house_cover + (won - own_win) - (lost - own_loss)

    def _close(self) -> None:
        self._cover = self._house_cover = self._gained = self.house_wager = 0

    def _part(self, cents: int) -> int:
        """The house's part of a cover or a loss."""
        return cents * self._share_per_mille // 1000 if self._shared else 0

    def _rest(self, cents: int) -> int:
        """The banker's part of a win."""
        return cents * (1000 - self._share_per_mille) // 1000 if self._shared else cents
