"""Double Cross Poker settled again, clause by clause.

Written from the document and in long-hand on purpose: where it and the table agree, two readings agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.hands.poker import rank_five, rank_three
from crossfelt.hands.rank import HandRank
from crossfelt.proof.resettle.round import Data, Due, Player, RoundChecker, amounts_words, choice, list_words, setting

RAISE: Final = {
    "royal_flush": (300, 1),
    "straight_flush": (50, 1),
    "four_of_a_kind": (15, 1),
    "full_house": (7, 1),
    "flush": (6, 1),
    "straight": (5, 1),
    "three_of_a_kind": (3, 1),
    "two_pair": (3, 2),
    "pair": (1, 1),
    "high_card": (1, 1),
}
"""DCP-28: so many to so many, at the least."""

THREE_CARD: Final = {
    "straight_flush": (40, 1),
    "three_of_a_kind": (30, 1),
    "straight": (6, 1),
    "flush": (4, 1),
    "pair": (1, 1),
}
"""DCP-29, at the least; a hand that is not in it loses."""

CALLED: Final = {"pair": "one_pair"}
"""Where a submission names a line of the raises otherwise than the hand is named."""
WAGERS: Final = ("ante", "raise", "three_card")
CROSS: Final = {
    "vertical": ("down_far", "middle", "down_near"),
    "horizontal": ("across_left", "middle", "across_right"),
}
LEAST_LIMIT: Final = 60_000_00
"""DCP-30: a limit is at least the greater of this and the most that could be won at the minimum wager."""


class DoubleCrossChecker(RoundChecker):
    """Sees the events of a table and works out what each wager should have come to."""

    def __init__(self, game: Data) -> None:
        super().__init__(WAGERS, game)
        self._raise = _odds(game, "raise", RAISE)
        self._three_card = _odds(game, "three_card", THREE_CARD)
        self._limit = game["submission"].get("payout_limit", {}).get("amount_cents")
        self._under_limit = WAGERS if setting(game, "limit_covers_all_wagers") else ("raise",)
        self._least_limit = max(LEAST_LIMIT, self._most_at_minimum(game))

    def _most_at_minimum(self, game: Data) -> int:
        """AMB-6: the ante even, two raises on a royal flush or whatever pays better."""
        ante = int(choice(game, "wagers.ante.min_cents"))
        return ante + 2 * max(_paid(ante, odds) for odds in self._raise.values())

    # --- the round ----------------------------------------------------------------------------------------------

    def _round_opened(self, event: Data) -> Iterator[str]:
        yield from super()._round_opened(event)
        if self._limit is not None and self._limit < self._least_limit:
            yield f"the payout limit is {self._limit:,} cents; it must be at least {self._least_limit:,}"

    def _wagers_placed(self, event: Data) -> Iterator[str]:
        """DCP-1, DCP-15: an ante, and with it a three-card wager of $1 to $100; what is placed later replaces it."""
        wagers = self._ours(event["wagers"])
        self._players[event["seat"]] = Player(placed=wagers, layout=dict(wagers))
        three = wagers.get("three_card")
        if wagers and "ante" not in wagers:
            yield f"{amounts_words(wagers)} without an ante"
        if three is not None and not 1_00 <= three <= 100_00:
            yield f"a three-card wager of {three:,} cents: $1 to $100 is allowed"

    def _cards_dealt(self, event: Data) -> Iterator[str]:
        """DCP-16: two cards to each player who wagers, two to the dealer, five to the cross, in this order."""
        for seat, place, card in event["cards"]:
            if seat == 0:
                self._community[place] = Card(card)
            else:
                player = self._players.setdefault(seat, Player())
                player.hole = (*player.hole, Card(card))
        playing = sorted(seat for seat, player in self._players.items() if player.layout)
        wanted = [(seat, place) for seat in playing for place in ("hole_1", "hole_2")]
        wanted += [(0, place) for place in ("dealer_hole_1", "dealer_hole_2", *CROSS["horizontal"])]
        wanted += [(0, "down_far"), (0, "down_near")]
        if [(seat, place) for seat, place, _ in event["cards"]] != wanted:
            yield "the cards were not dealt in the order of the document"
        known = [Card(card) for _, _, card in event["cards"] if Card(card) != HIDDEN]
        if len(known) != len(set(known)):
            yield "a card was dealt twice"

    def _choice_made(self, event: Data) -> Iterator[str]:
        """DCP-21, DCP-23: a hand is shown or kept; a line is named. The floor may correct the line (AMB-18c)."""
        player, wager, chosen = self._player(event), event["wager"], event["choice"]
        player.choices[wager] = chosen
        if chosen not in (CROSS if wager == "raise" else ("expose", "decline")):
            yield f"{chosen} is no choice for the {wager} wager"
        if wager not in player.layout or player.folded:
            yield f"a choice for the {wager} wager, which does not lie on the layout"
        if cards := tuple(map(Card, event.get("cards", ()))):
            if HIDDEN not in player.hole and cards != player.hole:
                yield "exposes other cards than were dealt"
            player.hole = cards

    def _bet_placed(self, event: Data) -> Iterator[str]:
        """DCP-23: two raises, each equal to the ante, as one stake."""
        player, ante = self._player(event), self._player(event).placed.get("ante", 0)
        if event["wager"] != "raise" or player.folded or "raise" in player.placed:
            yield f"a {event['wager']} bet that was not due"
        if event["cents"] != 2 * ante:
            yield f"raises of {event['cents']:,} cents on an ante of {ante:,}: each must be equal to it"
        player.placed["raise"] = player.layout["raise"] = event["cents"]

    def _hand_folded(self, event: Data) -> Iterator[str]:
        """DCP-23: who folds loses the ante."""
        player = self._player(event)
        if player.folded or "raise" in player.placed:
            yield "a fold that was not due"
        player.folded = True
        if list(event["forfeits"]) != ["ante"]:
            yield f"the fold forfeits {list_words(event['forfeits'])}; it should be ante"

    def _fold_collected(self, event: Data) -> Iterator[str]:
        player, taken = self._player(event), self._ours(event["wagers"])
        due = {"ante": player.placed.get("ante", 0)} if player.folded else {}
        if taken != due:
            yield f"the fold cost {amounts_words(taken)}; it should be {amounts_words(due)}"
        for wager in taken:
            player.layout.pop(wager, None)
        player.collected = taken

    def _dealer_hand_made(self, event: Data) -> Iterator[str]:
        """DCP-24: the line that makes the higher hand."""
        hand = self._dealer(event["line"])
        if hand != self._dealers_best() or event["hand"] != hand.name:
            yield f"the dealer takes {event['hand']}; it should be {self._dealers_best().name}"

    # --- the settlement -----------------------------------------------------------------------------------------

    def _wager_settled(self, event: Data) -> Iterator[str]:
        player, wager = self._player(event), event["wager"]
        stake = player.layout.pop(wager, 0)
        if not stake or self._void:
            yield f"{wager} is settled, but does not lie on the layout"
            return
        if wager == "three_card" and "raise" in player.placed:
            yield "the three-card wager is settled after the decision to play: not in the order of the document"
        player.settled.append(wager)
        due = self._three(stake, player) if wager == "three_card" else self._against_dealer(wager, stake, player)
        cut = self._over_limit(wager, due.paid, player)
        if self._counts_toward_limit(wager):
            player.won += due.paid - cut
        yield from self._compare(event, wager, stake, due, cut)

    def _counts_toward_limit(self, wager: str) -> bool:
        return wager in self._under_limit

    def _coupon_due(self, wager: str, face: int, player: Player) -> Due:
        return self._against_dealer(wager, face, player)

    def _three(self, stake: int, player: Player) -> Due:
        """DCP-3, DCP-21: two cards and the vertical card farthest from the dealer; unshown it loses, whatever it is."""
        if player.choices.get("three_card") != "expose":
            return Due("lose", 0, 0, None)
        hand = rank_three([*player.hole, self._community["down_far"]])
        if hand.category not in self._three_card:
            return Due("lose", 0, 0, hand)
        return Due("win", stake, _paid(stake, self._three_card[hand.category]), hand)

    def _against_dealer(self, wager: str, stake: int, player: Player) -> Due:
        """DCP-25: lower loses all three wagers, equal pushes all three (AMB-18e), higher is paid."""
        hand, dealer = self._line(player.choices["raise"], player), self._dealers_best()
        if hand < dealer:
            return Due("lose", 0, 0, hand)
        if hand == dealer:
            return Due("push", stake, 0, hand)
        if wager == "ante":
            return Due("win", stake, stake, hand)
        # Two wagers, each paid by itself and each rounded down to the cent.
        return Due("win", stake, 2 * _paid(stake // 2, self._raise[hand.category]), hand)

    def _line(self, line: str, player: Player) -> HandRank:
        """DCP-2: the player's two cards and three of one axis."""
        return rank_five([*player.hole, *(self._community[place] for place in CROSS[line])])

    def _dealer(self, line: str) -> HandRank:
        places = ("dealer_hole_1", "dealer_hole_2", *CROSS[line])
        return rank_five([self._community[place] for place in places])

    def _dealers_best(self) -> HandRank:
        return max(self._dealer("vertical"), self._dealer("horizontal"))

    def _over_limit(self, wager: str, paid: int, player: Player) -> int:
        """DCP-30 with AMB-18: the raises alone unless the setting says all; what is paid last is cut (AMB-5c)."""
        if self._limit is None or wager not in self._under_limit:
            return 0
        return min(paid, max(0, player.won + paid - int(self._limit)))

    # --- what goes wrong ----------------------------------------------------------------------------------------

    def _wagers_forfeited(self, event: Data) -> Iterator[str]:
        yield "wagers are forfeited, for which the document gives no ground"


def _odds(game: Data, table: str, least: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """The odds of the submission where it betters the least ones."""
    stated: Any = game["submission"].get("pays", {}).get(table, {})
    odds = dict(least)
    for hand in least:
        text = stated.get(CALLED.get(hand, hand))
        if text is not None:
            to, one = (int(number) for number in str(text).split(" to "))
            odds[hand] = (to, one)
    return odds


def _paid(stake: int, odds: tuple[int, int]) -> int:
    """Down to the cent: a part of a cent stays with the house."""
    to, one = odds
    return stake * to // one
