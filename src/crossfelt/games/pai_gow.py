"""Pai Gow Poker: seven cards set as a high hand of five and a low hand of two, against the dealer or a bank.

A player wins if both hands beat the other side's. One win and one loss is a push. Equal hands (copies) go to the
dealer or bank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from crossfelt.cards.card import Card
from crossfelt.games.progressive_wager import LUCKY, RandomAward, random_awards, settle_credits
from crossfelt.games.settlement import LinePay, Places, Settlement, Spot, settle_at_odds
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.pai_gow import best_of_seven, rank_pai_gow_five
from crossfelt.hands.poker import rank_two
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager

Outcome = Literal["win", "push", "lose"]


class HighLowHand(msgspec.Struct, frozen=True, kw_only=True):
    """Seven cards set as two hands."""

    high: HandRank
    low: HandRank

    @property
    def foul(self) -> bool:
        """The low hand ranks above the high hand.

        Equal rank is not a foul: with the same pair, or the same two top cards, the high hand has further cards.
        """
        return _standing(self.low) > _standing(self.high)


def _standing(rank: HandRank) -> tuple[int, tuple[int, ...]]:
    """Return a key that compares two-card and five-card hands: pair or no pair, and the leading ranks."""
    if rank.category == "high_card":
        return 0, rank.ranks[:2]
    if rank.category == "pair":
        return 1, rank.ranks[:1]
    return 2, ()


def set_hand(seven: Sequence[Card], low: Sequence[Card], *, wheel_second: bool = True) -> HighLowHand:
    """Set seven cards with these two in front.

    >>> from crossfelt.cards import parse_cards
    >>> made = set_hand(parse_cards("Ks Kd Qs Qd 7h 5c 2d"), parse_cards("Qs Qd"))
    >>> made.high.name, made.low.name, made.foul
    ('pair of kings', 'pair of queens', False)
    >>> set_hand(parse_cards("Ks Kd Qs Jd 7h 5c 2d"), parse_cards("Ks Kd")).foul
    True
    """
    high = [card for card in seven if card not in low]
    return HighLowHand(high=rank_pai_gow_five(high, wheel_second=wheel_second), low=rank_two(low))


def compare(player: HighLowHand, bank: HighLowHand) -> Outcome:
    """Return the result of the main wager: two higher hands win, none loses, one is a push; the bank wins copies.

    A foul hand loses; if both are foul, the player loses.

    >>> from crossfelt.cards import parse_cards
    >>> kings = set_hand(parse_cards("Ks Kd Qs Jd 7h 5c 2d"), parse_cards("Qs Jd"))
    >>> compare(kings, kings)
    'lose'
    """
    if player.foul:
        return "lose"
    if bank.foul:
        return "win"
    beaten = (player.high > bank.high) + (player.low > bank.low)
    return ("lose", "push", "win")[beaten]


def commission(won_cents: int, per_mille: int, rounding: str) -> int:
    """Return the commission on a win: to the cent, with a half cent rounded up, or up to the next quarter.

    >>> commission(1000, 50, "exact"), commission(1010, 50, "exact"), commission(1010, 50, "up_to_25c")
    (50, 51, 75)
    """
    if rounding == "exact":
        return (won_cents * per_mille + 500) // 1000
    return -(-won_cents * per_mille // 25_000) * 25


class PaiGow:
    """The rules of one compiled game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._wheel_second = bool(game.settings["wheel_second_highest"])
        self._ez = bool(game.settings["ez_variation"])

    def set(self, seven: Sequence[Card], low: Sequence[Card]) -> HighLowHand:
        """Set seven cards with these two in front, by this game's order of straights."""
        return _set(tuple(seven), tuple(low), self._wheel_second)

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """Settle one wager on the set hands."""
        match wager.id:
            case "main":
                return self._settle_main(wager, stake, spot)
            case "queens_dragon":
                return self._settle_queens_dragon(wager, stake, spot)
            case "imperial":
                return self._settle_imperial(stake, spot)
            case "progressive_player" | "progressive_dealer":
                return settle_credits(self._game, wager, stake, spot, self._credit_pay(wager, spot))
            case _:
                assert wager.pays is not None
                return settle_at_odds(self._pay(wager.pays, own_cards(spot)), stake)

    def _settle_main(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        player, bank = self.set(own_cards(spot), spot.low), self.set(spot.bank, spot.bank_low)
        hand = f"{player.high.name}; {player.low.name}"
        if player.foul:
            return Settlement(result="lose", hand=f"foul: {hand}", decided_by="foul_hand_loses")
        if self._ez and is_queen_high(spot.bank):
            return Settlement(result="push", returned=stake, hand=hand, decided_by="ez_variation")
        outcome = compare(player, bank)
        if outcome != "win":
            return Settlement(result=outcome, returned=stake if outcome == "push" else 0, hand=hand)
        assert wager.odds is not None
        paid = wager.odds.paid(stake)
        kept, rule = (0, "ez_variation") if self._ez else (self.commission(paid), "")
        odds = str(wager.odds)
        return Settlement(
            result="win", returned=stake, paid=paid, hand=hand, odds=odds, commission=kept, decided_by=rule
        )

    def commission(self, won_cents: int) -> int:
        """Return the commission on a win, rounded as in this game."""
        rounding = str(self._game.settings["commission_rounding"])
        return commission(won_cents, self._game.number("commission_per_mille"), rounding)

    def bank_commission(self, won_cents: int) -> int:
        """Return the commission on a player's bank's net win in a round."""
        return 0 if self._ez else self.commission(won_cents)

    def _settle_queens_dragon(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        assert wager.odds is not None
        rank = _rank("pai_gow_high_card", dealer_cards(spot), self._wheel_second)
        if rank.category != "queen_high":
            return Settlement(result="lose", hand=rank.name)
        return Settlement(
            result="win", returned=stake, paid=wager.odds.paid(stake), hand=rank.name, odds=str(wager.odds)
        )

    def _settle_imperial(self, stake: int, spot: Spot) -> Settlement:
        """Settle both parts of the wager: the player's best hand, and a low hand of the dealer."""
        banker = spot.bank if self._game.settings["imperial_banker_hand"] == "bank" else dealer_cards(spot)
        parts = [self._pay("imperial_player", own_cards(spot)), self._pay("imperial_banker", banker)]
        won = [settle_at_odds(part, stake) for part in parts if part.wins]
        if not won:
            return Settlement(result="lose", hand=parts[0].rank.name)
        return Settlement(
            result="win",
            returned=stake,
            paid=sum(part.paid for part in won),
            hand="; ".join(part.hand for part in won),
            line=", ".join(part.line for part in won),
            odds=", ".join(part.odds for part in won),
        )

    def random_awards(self, wager: Wager, stake: int, spot: Spot) -> tuple[RandomAward, ...]:
        """Return the random awards of a wager; none for wagers in chips."""
        if wager.id not in LUCKY:
            return ()
        pay, cards = self._credit_pay(wager, spot), _examined(wager, spot)
        return tuple(random_awards(self._game, wager, stake, spot, pay, cards))

    def _credit_pay(self, wager: Wager, spot: Spot) -> LinePay:
        assert wager.pays is not None
        return self._pay(wager.pays, _examined(wager, spot))

    def _pay(self, table: str, cards: Sequence[Card]) -> LinePay:
        pays = self._game.pays[table]
        rank = _rank(pays.table.hand, tuple(cards), self._wheel_second)
        line = pays.line_for(rank)
        return LinePay(rank=rank, line=line, odds=line.odds if line else None)

    def envy(self, seven: Sequence[Card]) -> tuple[str, int]:
        """Return the hand and the cents that seven cards bring every other player whose bonus wager earns envy."""
        pay = self._pay("seven_card_envy", seven)
        return pay.rank.name, (pay.line.amount_cents or 0) if pay.line else 0

    def hand(self, line: str, cards: Places) -> HandRank:
        raise LookupError("players set the hands of Pai Gow Poker; they are not formed from places on the layout")

    def lines_shown(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        return ()

    def dealer_hand(self, cards: Places) -> tuple[str, HandRank]:
        raise LookupError("the dealer of Pai Gow Poker sets two hands")


# The same cards are ranked when hands are exposed, collected and paid, and the dealer's for every seat.


@lru_cache(maxsize=256)
def _set(seven: tuple[Card, ...], low: tuple[Card, ...], wheel_second: bool) -> HighLowHand:
    return set_hand(seven, low, wheel_second=wheel_second)


@lru_cache(maxsize=256)
def _rank(kind: str, seven: tuple[Card, ...], wheel_second: bool) -> HandRank:
    """Rank seven cards as one kind of hand; only one kind depends on the place of A-2-3-4-5."""
    if kind == "pai_gow_seven":
        return best_of_seven(seven, wheel_second=wheel_second)
    return KINDS[kind].classify(seven)


def own_cards(spot: Spot) -> tuple[Card, ...]:
    """Return the player's seven cards."""
    return tuple(spot.cards[f"card_{number}"] for number in range(1, 8))


def dealer_cards(spot: Spot) -> tuple[Card, ...]:
    """Return the dealer's seven cards, even if a player banks."""
    return tuple(spot.cards[f"dealer_card_{number}"] for number in range(1, 8))


def _examined(wager: Wager, spot: Spot) -> tuple[Card, ...]:
    """Return the seven cards on which credits are staked: the player's, or the dealer's even if a player banks."""
    return dealer_cards(spot) if wager.id == "progressive_dealer" else own_cards(spot)


def is_queen_high(seven: Sequence[Card]) -> bool:
    """Say if seven cards are queen-high: no pair, straight or flush, and no higher card."""
    return _rank("pai_gow_high_card", tuple(seven), True).category == "queen_high"
