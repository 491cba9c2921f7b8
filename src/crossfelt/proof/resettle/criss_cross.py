"""Criss Cross Poker settled again, clause by clause, for New Jersey, Massachusetts and Maryland.

Written from the documents and in long-hand on purpose: where it and the table agree, two readings agree. Spin
wagers have a module of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import HandRank
from crossfelt.proof.resettle.round import (
    Data,
    Due,
    Player,
    RoundChecker,
    amounts_words,
    cents_words,
    choice,
    list_words,
    setting,
)
from crossfelt.proof.resettle.wheel import WheelChecker

BETS: Final = {
    "royal_flush": 500,
    "straight_flush": 100,
    "four_of_a_kind": 40,
    "full_house": 12,
    "flush": 8,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "pair": 1,
}
"""To one, on across, down and middle bets: NJC-51, MAC-39, MDC-38. A pair from jacks up wins, 6s to 10s push."""

BONUS: Final = {
    "royal_flush": 250,
    "straight_flush": 100,
    "four_of_a_kind": 40,
    "full_house": 15,
    "flush": 10,
    "straight": 6,
    "three_of_a_kind": 4,
    "two_pair": 3,
    "pair": 1,
}
"""To one, on the Five Card Bonus: NJC-52, MAC-40, MDC-40. A pair from 6s up wins."""

SIX, JACK = Card("6c").rank, Card("Jc").rank
WAGERS: Final = ("ante_across", "across", "ante_down", "down", "middle", "five_card_bonus")
PAID_IN_ORDER: Final = {
    "NJC": ("ante_across", "across", "ante_down", "down", "middle", "five_card_bonus"),  # NJC-52: at game end
    "MAC": ("ante_across", "across", "ante_down", "down", "middle", "five_card_bonus"),  # MAC-36: after the others
    "MDC": ("five_card_bonus", "ante_across", "across", "ante_down", "down", "middle"),  # MDC-33: first, for all
}
UNDER_LIMIT: Final = {
    "NJC": WAGERS,  # NJC-56 with AMB-5
    "MAC": WAGERS,  # MAC-41: (a) to (c), the bonus included
    "MDC": ("ante_across", "across", "ante_down", "down", "middle"),  # MDC-39: only against §A
}
LEAST_LIMIT: Final = 50_000_00
"""NJC-56, MAC-41, MDC-39: the greater of this and the most that could be won at the minimum wager."""


class CrissCrossChecker(RoundChecker):
    """Sees the events of a table and works out what each wager should have come to."""

    def __init__(self, game: Data) -> None:
        super().__init__(WAGERS, game)
        self._document: str = game["rulebook"]["document"]
        self._ace_low = bool(setting(game, "ace_low_straight"))
        self._antes_at_table = bool(setting(game, "md_antes_at_table"))
        self._whole_multiples = bool(setting(game, "whole_multiples_only"))
        self._limit = self._limit_of(game)
        self._beside = (WheelChecker(game, self._cut_spin),)

    def _cut_spin(self, seat: int, wager: str, paid: int) -> int:
        """AMB-5: in New Jersey fixed prizes and community pay count toward the limit."""
        if self._document != "NJC":
            return 0
        player = self._players.setdefault(seat, Player())
        cut = self._over_limit("five_card_bonus", paid, player)
        player.won += paid - cut
        return cut

    # --- the round ----------------------------------------------------------------------------------------------

    def _wagers_placed(self, event: Data) -> Iterator[str]:
        """NJC-25, MAC-18, MDC-20: two equal antes. Placing again replaces what lay there."""
        wagers = self._ours(event["wagers"])
        self._players[event["seat"]] = Player(placed=wagers, layout=dict(wagers))
        across, down = wagers.get("ante_across"), wagers.get("ante_down")
        if wagers and across != down:
            yield f"the antes are {cents_words(across)} and {cents_words(down)} cents: they must be equal"

    def _cards_dealt(self, event: Data) -> Iterator[str]:
        """NJC-32, MAC-23, MDC-24: five community cards, two to each player who wagers."""
        for seat, place, text in event["cards"]:
            if seat == 0:
                self._community[place] = Card(text)
            else:
                player = self._players.setdefault(seat, Player())
                player.hole = (*player.hole, Card(text))
        known = [card for player in self._players.values() for card in player.hole if card != HIDDEN]
        known += [card for card in self._community.values() if card != HIDDEN]
        if len(known) != len(set(known)):
            yield "a card was dealt twice"
        if len(self._community) != 5:
            yield f"{len(self._community)} community cards were dealt, not five"
        for seat, player in self._players.items():
            if len(player.hole) != (2 if player.layout else 0):
                yield f"seat {seat} with {len(player.layout)} wagers got {len(player.hole)} cards"

    def _bet_placed(self, event: Data) -> Iterator[str]:
        """NJC-41 to NJC-43, MAC-29 to MAC-32, MDC-31 and MDC-32: each bet in turn, one to three times the ante."""
        player, wager, cents = self._player(event), event["wager"], event["cents"]
        ante = player.placed.get("ante_across", 0)
        if player.folded or wager != _next_bet(player):
            yield f"a {wager} bet that was not due"
        if not ante <= cents <= 3 * ante:
            yield f"a {wager} bet of {cents:,} cents on an ante of {ante:,}: one to three times is allowed"
        elif self._whole_multiples and cents % ante:
            yield f"a {wager} bet of {cents:,} cents is no multiple of the ante of {ante:,}"
        player.placed[wager] = player.layout[wager] = cents

    def _hand_folded(self, event: Data) -> Iterator[str]:
        """The same clauses: without the bet that is due every earlier wager is lost, but not the bonus."""
        player = self._player(event)
        if player.folded or event["wager"] != _next_bet(player):
            yield f"a fold on the {event['wager']} bet, which was not due"
        player.folded = True
        forfeits = {wager for wager in event["forfeits"] if wager in WAGERS}
        if forfeits != set(_forfeits(player)):
            yield f"the fold forfeits {list_words(forfeits)}; it should be {list_words(_forfeits(player))}"

    def _fold_collected(self, event: Data) -> Iterator[str]:
        player, taken = self._player(event), self._ours(event["wagers"])
        due = {wager: cents for wager, cents in _forfeits(player).items() if wager in player.layout}
        if taken != (due if player.folded else {}):
            yield f"the fold cost {amounts_words(taken)}; it should be {amounts_words(due)}"
        for wager in taken:
            player.layout.pop(wager, None)
        player.collected = taken

    # --- the settlement -----------------------------------------------------------------------------------------

    def _wager_settled(self, event: Data) -> Iterator[str]:
        wager = event["wager"]
        if wager not in WAGERS:
            return
        player = self._player(event)
        stake = player.layout.pop(wager, 0)
        if not stake or self._void:
            yield f"{wager} is settled, but does not lie on the layout"
            return
        if any(_place(self._document, other) > _place(self._document, wager) for other in player.settled):
            yield f"{wager} is settled after {player.settled[-1]}: not in the order of the document"
        player.settled.append(wager)
        due = self._due(wager, stake, player)
        cut = self._over_limit(wager, due.paid, player)
        if self._counts_toward_limit(wager):
            player.won += due.paid - cut
        yield from self._compare(event, wager, stake, due, cut)

    def _counts_toward_limit(self, wager: str) -> bool:
        return wager in UNDER_LIMIT[self._document]

    def _coupon_due(self, wager: str, face: int, player: Player) -> Due:
        return self._due(wager, face, player)

    def _due(self, wager: str, stake: int, player: Player) -> Due:
        match wager:
            case "ante_across" | "ante_down":
                return self._ante(stake, self._line(wager.removeprefix("ante_"), player))
            case "across" | "down":
                return self._bet(stake, self._line(wager, player))
            case "middle":
                return self._middle(stake, self._line("across", player), self._line("down", player))
            case _:
                return self._bonus(stake)

    def _ante(self, stake: int, hand: HandRank) -> Due:
        """NJC-50, MAC-38: even money from jacks up, 6s to 10s push. Maryland is read alike, or literally (AMB-10)."""
        if _wins(hand):
            return Due("win", stake, stake * (BETS[hand.category] if self._antes_at_table else 1), hand)
        return Due("push", stake, 0, hand) if _pushes(hand) else Due("lose", 0, 0, hand)

    def _bet(self, stake: int, hand: HandRank) -> Due:
        if _wins(hand):
            return Due("win", stake, stake * BETS[hand.category], hand)
        return Due("push", stake, 0, hand) if _pushes(hand) else Due("lose", 0, 0, hand)

    def _middle(self, stake: int, across: HandRank, down: HandRank) -> Due:
        higher = across if across >= down else down
        if self._document == "MAC":
            # MAC-35: lost if neither hand has a pair of 6s; otherwise as the higher-ranking hand is paid.
            if _loses(across) and _loses(down):
                return Due("lose", 0, 0, higher)
            return self._bet(stake, higher)
        # NJC-46; MDC-36, which is silent where both push or one wins, is read in the same way (AMB-15).
        if _wins(across) or _wins(down):
            return Due("win", stake, stake * BETS[higher.category], higher)
        if _pushes(across) or _pushes(down):
            return Due("push", stake, 0, higher)
        return Due("lose", 0, 0, higher)

    def _bonus(self, stake: int) -> Due:
        """On the community cards alone, whether or not the player folded."""
        places = ("across_left", "middle", "across_right", "down_far", "down_near")
        hand = rank_five([self._community[place] for place in places], ace_low_straight=self._ace_low)
        if hand.category == "high_card" or (hand.category == "pair" and hand.ranks[0] < SIX):
            return Due("lose", 0, 0, hand)
        return Due("win", stake, stake * BONUS[hand.category], hand)

    def _line(self, line: str, player: Player) -> HandRank:
        """NJC-45, MDC-34: across is horizontal, down vertical; they share the player's cards and the middle one."""
        places = {"across": ("across_left", "middle", "across_right"), "down": ("down_far", "middle", "down_near")}
        cards = [*player.hole, *(self._community[place] for place in places[line])]
        return rank_five(cards, ace_low_straight=self._ace_low)

    # --- payout limits ------------------------------------------------------------------------------------------

    def _over_limit(self, wager: str, paid: int, player: Player) -> int:
        """AMB-5c: winnings of one player in one round; what is paid last is cut."""
        if self._limit is None or wager not in UNDER_LIMIT[self._document]:
            return 0
        return min(paid, max(0, player.won + paid - self._limit))

    def _limit_of(self, game: Data) -> int | None:
        stated = game["submission"].get("payout_limit", {}).get("amount_cents")
        if self._document == "MAC":
            return int(stated) if stated is not None else None  # MAC-41: optional
        if self._document == "MDC" and stated is not None:
            return int(stated)  # MDC-39: may be lower
        return max(LEAST_LIMIT, self._most_at_minimum(game))

    def _most_at_minimum(self, game: Data) -> int:
        """AMB-6: a royal flush on one line and a straight flush on the other; two royals cannot be."""
        ante = int(choice(game, "wagers.ante.min_cents"))
        bet = ante * int(setting(game, "minimum_wager_bets_at"))
        royal, straight = BETS["royal_flush"], BETS["straight_flush"]
        antes = ante * (royal + straight) if self._antes_at_table else 2 * ante
        return antes + bet * (royal + straight + royal)

    # --- what goes wrong ----------------------------------------------------------------------------------------

    def _wagers_forfeited(self, event: Data) -> Iterator[str]:
        """MDC-30 for a breach, MAC-17 and MDC-18 for who leaves. New Jersey names no such loss.

        All wagers are lost, also those that a fold had cost: a void round gives none of them back.
        """
        player, lost = self._player(event), self._ours(event["wagers"])
        if self._document == "NJC":
            yield "wagers are forfeited, for which the document gives no ground"
        if lost != player.layout:
            yield f"{amounts_words(lost)} is forfeited; {amounts_words(player.layout)} lay on the layout"
        player.layout, player.collected, player.folded = {}, {}, True


def _wins(hand: HandRank) -> bool:
    """A pair of jacks or better."""
    return hand.category != "high_card" and not (hand.category == "pair" and hand.ranks[0] < JACK)


def _pushes(hand: HandRank) -> bool:
    """A pair of 6s to 10s."""
    return hand.category == "pair" and SIX <= hand.ranks[0] < JACK


def _loses(hand: HandRank) -> bool:
    return not _wins(hand) and not _pushes(hand)


def _next_bet(player: Player) -> str:
    """The bet that is due: across, then down, then middle."""
    return next((bet for bet in ("across", "down", "middle") if bet not in player.placed), "no further")


def _forfeits(player: Player) -> dict[str, int]:
    """What a fold costs: both antes and every bet so far. The Five Card Bonus stays (NJC-52, MAC-29, MDC-31)."""
    return {wager: cents for wager, cents in player.placed.items() if wager != "five_card_bonus"}


def _place(document: str, wager: str) -> int:
    return PAID_IN_ORDER[document].index(wager)
