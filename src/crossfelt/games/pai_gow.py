"""Pai Gow Poker: seven cards set as a high hand of five and a low hand of two, against the dealer or a bank.

Both hands must beat the other side's; one of each is a push; equal hands, copies, go to the dealer or bank.
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
    """Seven cards as they are set."""

    high: HandRank
    low: HandRank

    @property
    def foul(self) -> bool:
        """The low hand ranks above the high hand.

        Equal rank is no foul: with the same pair, or the same two top cards, the high hand still has its other
        cards.
        """
        return _standing(self.low) > _standing(self.high)


def _standing(rank: HandRank) -> tuple[int, tuple[int, ...]]:
    """What a two-card and a five-card hand can be compared by: pair or no pair, and the cards that show."""
    if rank.category == "high_card":
        return 0, rank.ranks[:2]
    if rank.category == "pair":
        return 1, rank.ranks[:1]
    return 2, ()


def set_hand(seven: Sequence[Card], low: Sequence[Card], *, wheel_second: bool = True) -> HighLowHand:
    """Seven cards with these two in front.

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
    """The main wager: both hands higher wins, neither loses, one of each is a push; copies are the bank's.

    A foul loses, a player's before the bank's.

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
    """What is taken from a win: exact to the cent, a half cent up, or up to the next quarter.

    >>> commission(1000, 50, "exact"), commission(1010, 50, "exact"), commission(1010, 50, "up_to_25c")
    (50, 51, 75)
    """
    if rounding == "exact":
        return (won_cents * per_mille + 500) // 1000
    return -(-won_cents * per_mille // 25_000) * 25


class PaiGow:
    """The rules of one compiled game, ready to settle."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._wheel_second = bool(game.settings["wheel_second_highest"])
        self._ez = bool(game.settings["ez_variation"])

    def set(self, seven: Sequence[Card], low: Sequence[Card]) -> HighLowHand:
        """Seven cards with these two in front, by this game's order of straights."""
        return _set(tuple(seven), tuple(low), self._wheel_second)

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """One wager on the cards as they are set."""
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
        """The commission on a win, as this game rounds it."""
        rounding = str(self._game.settings["commission_rounding"])
        return commission(won_cents, self._game.number("commission_per_mille"), rounding)

    def bank_commission(self, won_cents: int) -> int:
        """The commission on what a player's bank has won in a round, after all payments."""
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
        """Two chances in one wager: the player's best hand, and a dealer who has next to nothing."""
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
        """What the progressive system pays beside the hand of a wager; nothing for wagers in chips."""
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
        """What a player's seven cards bring every other player whose bonus wager earns envy: hand and cents."""
        pay = self._pay("seven_card_envy", seven)
        return pay.rank.name, (pay.line.amount_cents or 0) if pay.line else 0

    def hand(self, line: str, cards: Places) -> HandRank:
        raise LookupError("hands of Pai Gow Poker are set by the players, not by places on the layout")

    def lines_shown(self, choices: Mapping[str, str]) -> tuple[str, ...]:
        return ()

    def dealer_hand(self, cards: Places) -> tuple[str, HandRank]:
        raise LookupError("the dealer of Pai Gow Poker sets two hands")


# The cards of a round are asked about again and again: when hands are exposed, collected and paid, the dealer's for
# every seat.


@lru_cache(maxsize=256)
def _set(seven: tuple[Card, ...], low: tuple[Card, ...], wheel_second: bool) -> HighLowHand:
    return set_hand(seven, low, wheel_second=wheel_second)


@lru_cache(maxsize=256)
def _rank(kind: str, seven: tuple[Card, ...], wheel_second: bool) -> HandRank:
    """Seven cards as one kind of hand; the place of A-2-3-4-5 matters to one of them."""
    if kind == "pai_gow_seven":
        return best_of_seven(seven, wheel_second=wheel_second)
    return KINDS[kind].classify(seven)


def own_cards(spot: Spot) -> tuple[Card, ...]:
    """The player's seven cards."""
    return tuple(spot.cards[f"card_{number}"] for number in range(1, 8))


def dealer_cards(spot: Spot) -> tuple[Card, ...]:
    """The dealer's seven cards, whoever banks."""
    return tuple(spot.cards[f"dealer_card_{number}"] for number in range(1, 8))


def _examined(wager: Wager, spot: Spot) -> tuple[Card, ...]:
    """The seven cards that credits are staked on: the player's, or the dealer's, whoever banks."""
    return dealer_cards(spot) if wager.id == "progressive_dealer" else own_cards(spot)


def is_queen_high(seven: Sequence[Card]) -> bool:
    """No pair, straight or flush, and nothing above a queen."""
    return _rank("pai_gow_high_card", tuple(seven), True).category == "queen_high"
