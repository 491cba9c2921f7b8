"""Pai Gow Poker settled again: by the document where it speaks, and by what fills its gaps where it does not.

Written in long-hand on purpose: where it and the table agree, two readings agree. How a house way sets seven cards is
not worked out again; whatever is set must be two of them, and the dealer's no foul.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.hands.pai_gow import best_of_seven, rank_pai_gow_five, rank_pai_gow_high_card, rank_seven_card_bonus
from crossfelt.hands.poker import rank_two
from crossfelt.hands.rank import HandRank
from crossfelt.proof.resettle.bank import BankChecker
from crossfelt.proof.resettle.credits import RANDOM, CreditsChecker
from crossfelt.proof.resettle.round import Data, Due, Player, RoundChecker, amounts_words, cards_words, choice, setting

IMPERIAL_PLAYER: Final = {
    "five_aces": 1000,
    "royal_flush": 200,
    "straight_flush": 50,
    "four_of_a_kind": 25,
    "full_house": 5,
    "flush": 4,
    "straight": 2,
    "three_of_a_kind": 2,
}
"""N.J.A.C. 13:69F-11.20, to one: the best five of the player's seven cards."""

IMPERIAL_BANKER: Final = {"nine_high": 100, "ten_high": 20, "jack_high": 5}
"""The same section: seven cards of the banker without a pair, straight or flush."""

SEVEN_CARD: Final = {
    "natural_seven_card_straight_flush": 8000,
    "royal_flush_and_royal_match": 2000,
    "seven_card_straight_flush_with_joker": 1000,
    "five_aces": 400,
    "royal_flush": 150,
    "straight_flush": 50,
    "four_of_a_kind": 25,
    "full_house": 5,
    "flush": 4,
    "three_of_a_kind": 3,
    "straight": 2,
}
"""To one, as casinos print it."""

QUEENS_DRAGON: Final = 50
WAGERS: Final = ("main", "imperial", "seven_card", "queens_dragon")
BARS_SURRENDER: Final = ("seven_card",)
"""PGP-7. The imperial bonus and Queen's Dragon do not, and stay in play."""
LEAST_LIMIT: Final = 40_000_00
"""Section 11.20: of the imperial bonus; or the most that could be won at the minimum wager."""
POSITIONS: Final = 7
DEALER: Final = 0


class PaiGowChecker(RoundChecker):
    """Sees the events of a table and works out what each wager should have come to."""

    def __init__(self, game: Data) -> None:
        super().__init__(WAGERS, game)
        self._wheel_second = bool(setting(game, "wheel_second_highest"))
        self._ez = bool(setting(game, "ez_variation"))
        self._per_mille = int(setting(game, "commission_per_mille"))
        self._to_the_quarter = setting(game, "commission_rounding") == "up_to_25c"
        self._refund_per_mille = int(setting(game, "surrender_refund_per_mille"))
        self._surrender_keeps = tuple(setting(game, "surrender_keeps"))
        self._imperial_meets_bank = setting(game, "imperial_banker_hand") == "bank"
        self._clockwise = setting(game, "stacks_delivered") == "clockwise"
        self._limit = game["submission"].get("payout_limit", {}).get("amount_cents")
        most = int(choice(game, "wagers.imperial.min_cents")) * (1000 + 100)
        self._least_limit = max(LEAST_LIMIT, most)
        self._share_per_mille = int(setting(game, "co_bank_share_per_mille"))
        self._envy = _envy_amounts(game)
        self._envy_least = int(choice(game, "wagers.seven_card.envy_min_cents"))
        self._beside = (CreditsChecker(game),)
        self._names: dict[int, str] = {}
        """Who sits where."""
        self._last_mains: dict[int, int] = {}
        """The main wagers of the round before, where the house banked it."""
        self._start()

    def _start(self) -> None:
        self._first = DEALER
        self._bank = BankChecker(self._share_per_mille)
        self._awards: list[tuple[int, int, int, str]] = []
        """What is announced and not paid yet: to which seat, for which seat's hand, cents, the hand."""
        self._dealer_low: tuple[Card, ...] = ()
        self._lows: dict[int, tuple[Card, ...]] = {}
        self._surrendered: set[int] = set()
        self._exposed: list[int] = []

    # --- the round ----------------------------------------------------------------------------------------------

    def _round_opened(self, event: Data) -> Iterator[str]:
        yield from super()._round_opened(event)
        self._start()
        if self._limit is not None and self._limit < self._least_limit:
            yield f"the payout limit is {self._limit:,} cents; it must be at least {self._least_limit:,}"

    def _wagers_placed(self, event: Data) -> Iterator[str]:
        """PGP-6: other wagers go with a main wager. Placing again replaces what lay there."""
        wagers = self._ours(event["wagers"])
        self._players[event["seat"]] = Player(placed=wagers, layout=dict(wagers))
        if wagers and "main" not in wagers:
            yield f"{amounts_words(wagers)} without a main wager"
        if "queens_dragon" in wagers and not self._ez:
            yield "a Queen's Dragon wager, which belongs to EZ pai gow"
        if wagers and event["seat"] == self._bank.seat:
            yield f"{amounts_words(wagers)} by the seat that banks"

    def _seat_taken(self, event: Data) -> Iterator[str]:
        self._names[event["seat"]] = event["player"]
        yield from ()

    def _seat_left(self, event: Data) -> Iterator[str]:
        self._last_mains.pop(event["seat"], None)
        yield from ()

    def _bank_taken(self, event: Data) -> Iterator[str]:
        yield from self._bank.take(event, self._last_mains)

    def _bank_returned(self, event: Data) -> Iterator[str]:
        self._bank = BankChecker(self._share_per_mille)
        yield from ()

    def _bank_covered(self, event: Data) -> Iterator[str]:
        mains = sum(player.layout.get("main", 0) for player in self._players.values())
        yield from self._bank.cover(event, mains)

    def _first_hand_chosen(self, event: Data) -> Iterator[str]:
        """Counted counter-clockwise from the dealer, or the bank, who is one: from the dealer seat 6 is two."""
        dice = event.get("dice", ())
        if dice and sum(dice) != event["number"]:
            yield f"the dice total {sum(dice)}, not {event['number']}"
        self._first = (self._bank.seat - (event["number"] - 1)) % POSITIONS
        if event["position"] != self._first:
            yield f"{event['number']} points at position {event['position']}; it should be {self._first}"

    def _cards_dealt(self, event: Data) -> Iterator[str]:
        """Seven to every position from the first on: one at a time, or as stacks from an automated shoe."""
        hands: dict[int, list[Card]] = {}
        for seat, _, text in event["cards"]:
            hands.setdefault(seat, []).append(Card(text))
        for seat, cards in hands.items():
            if seat == DEALER:
                self._community = {f"dealer_card_{place}": card for place, card in enumerate(cards, start=1)}
            else:
                self._players.setdefault(seat, Player()).hole = tuple(cards)
        onward = 1 if self._clockwise else -1
        round_the_table = [(self._first + onward * place) % POSITIONS for place in range(POSITIONS)]
        wanted = [seat for seat in round_the_table for _ in range(7)]
        if event["method"] != "automated_shoe":
            wanted = round_the_table * 7
        if [seat for seat, *_ in event["cards"]] != wanted:
            yield "the cards were not dealt in the order of the game"
        known = [card for cards in hands.values() for card in cards if card != HIDDEN]
        if len(known) != len(set(known)):
            yield "a card was dealt twice"

    def _hand_set(self, event: Data) -> Iterator[str]:
        low = tuple(map(Card, event["low"]))
        self._lows[event["seat"]] = low
        yield from self._two_of(self._player(event).hole, low)
        if HIDDEN not in low and bool(event.get("foul")) != self._is_foul(self._player(event).hole, low):
            yield f"{cards_words(low)} in front is {'called' if event.get('foul') else 'not called'} a foul"

    def _hand_surrendered(self, event: Data) -> Iterator[str]:
        """PGP-7: until the hand is exposed, and not with a wager that bars it."""
        barred = [wager for wager in BARS_SURRENDER if wager in self._player(event).layout]
        if barred or event["seat"] in self._exposed:
            yield f"a surrender, which {barred[0] if barred else 'the exposed hand'} bars"
        self._surrendered.add(event["seat"])

    def _dealer_hands_set(self, event: Data) -> Iterator[str]:
        cards, low = tuple(map(Card, event["cards"])), tuple(map(Card, event["low"]))
        for place, card in zip(self._community, cards, strict=True):
            yield from self._turn_up(place, card)
        self._dealer_low = low
        yield from self._two_of(cards, low)
        yield from self._named(event, cards, low)
        if self._is_foul(cards, low):
            yield f"the dealer's {cards_words(low)} in front is a foul"

    def _hands_exposed(self, event: Data) -> Iterator[str]:
        """PGP-8: from the dealer's right, which is counter-clockwise; a bank, which all are compared with, first."""
        seat, player = event["seat"], self._player(event)
        cards, low = tuple(map(Card, event["cards"])), tuple(map(Card, event["low"]))
        if self._exposed and seat > self._exposed[-1]:
            yield f"is exposed after seat {self._exposed[-1]}: not from the right"
        if HIDDEN not in player.hole and cards != player.hole:
            yield f"shows {cards_words(cards)}, but {cards_words(player.hole)} was dealt"
        if HIDDEN not in self._lows.get(seat, low) and low != self._lows.get(seat, low):
            yield f"shows {cards_words(low)} in front, but {cards_words(self._lows[seat])} was set"
        player.hole, self._lows[seat] = cards, low
        if seat != self._bank.seat:
            self._exposed.append(seat)
        yield from self._two_of(cards, low)
        yield from self._named(event, cards, low)
        due = {wager: self._due(wager, stake, seat).result for wager, stake in player.layout.items()}
        announced = {wager: result for wager, result in event["results"].items() if wager in WAGERS}
        if announced != due:
            yield f"the results are announced as {announced}; they should be {due}"
        self._announce_envy(seat, cards)

    def _announce_envy(self, seat: int, cards: tuple[Card, ...]) -> None:
        """For every other player with enough on their own seven cards, whatever becomes of those."""
        rank = rank_seven_card_bonus(cards)
        cents = self._envy.get(rank.category, 0)
        for other, player in self._players.items():
            envies = player.placed.get("seven_card", 0) >= self._envy_least
            if cents and envies and self._names.get(other) != self._names.get(seat):
                self._awards.append((other, seat, cents, rank.name))

    def _award_paid(self, event: Data) -> Iterator[str]:
        paid = (event["seat"], event.get("of_seat"), event["cents"], event.get("hand", ""))
        if event["award"] in RANDOM:
            return
        if paid not in self._awards:
            yield f"{event['cents']:,} cents are paid for {paid[3]}, which nobody owes"
        else:
            self._awards.remove(paid)

    def _two_of(self, cards: tuple[Card, ...], low: tuple[Card, ...]) -> Iterator[str]:
        if len(set(low)) != 2 and HIDDEN not in low:
            yield f"{cards_words(low)} is no low hand"
        elif HIDDEN not in cards and not set(low) <= {*cards, HIDDEN}:
            yield f"{cards_words(low)} is set in front, but is not in the hand"

    def _named(self, event: Data, cards: tuple[Card, ...], low: tuple[Card, ...]) -> Iterator[str]:
        high, front = self._set(cards, low)
        if (event["high_name"], event["low_name"]) != (high.name, front.name):
            yield f"the hands are called {event['high_name']} and {event['low_name']}; {high.name} and {front.name}"

    # --- the settlement -----------------------------------------------------------------------------------------

    def _wager_settled(self, event: Data) -> Iterator[str]:
        seat, player, wager = event["seat"], self._player(event), event["wager"]
        if wager not in WAGERS:
            return
        stake = player.layout.pop(wager, 0)
        if not stake or self._void:
            yield f"{wager} is settled, but does not lie on the layout"
            return
        player.settled.append(wager)
        if wager == "main":
            yield from self._bank.play(event)
        if seat in self._surrendered and wager not in self._surrender_keeps:
            back = stake * self._refund_per_mille // 1000 if wager == "main" else 0
            yield from self._compare(event, wager, stake, Due("forfeit", back, 0, ""), 0)
            return
        due = self._due(wager, stake, seat)
        cut = max(0, due.paid - int(self._limit)) if wager == "imperial" and self._limit is not None else 0
        yield from self._in_order(wager, due, player)
        yield from self._compare(event, wager, stake, due, cut)

    def _in_order(self, wager: str, due: Due, player: Player) -> Iterator[str]:
        """PGP-9, PGP-10: losers at once; winners when all hands are exposed, the main wager first."""
        if due.result == "lose":
            return
        hidden = [seat for seat, other in self._players.items() if other.layout and seat not in self._exposed]
        if hidden:
            yield f"{wager} is paid before the hands of seat {hidden[0]} are exposed"
        if wager != "main" and "main" in player.layout:
            yield f"{wager} is paid before the main wager"

    def _due(self, wager: str, stake: int, seat: int) -> Due:
        seven = self._players[seat].hole
        match wager:
            case "main":
                return self._main(stake, seven, self._lows[seat])
            case "imperial":
                return self._imperial(stake, seven)
            case "seven_card":
                rank = rank_seven_card_bonus(seven)
                odds = SEVEN_CARD.get(rank.category, 0)
                return Due("win", stake, stake * odds, rank) if odds else Due("lose", 0, 0, rank)
            case _:
                rank = rank_pai_gow_high_card(self._dealer)
                wins = rank.category == "queen_high"
                return Due("win", stake, stake * QUEENS_DRAGON, rank) if wins else Due("lose", 0, 0, rank)

    def _main(self, stake: int, seven: tuple[Card, ...], low: tuple[Card, ...]) -> Due:
        """PGP-11: both hands higher; copies are not. One higher is a push, a foul loses whatever it meets."""
        bank, bank_low = self._banker, self._lows[self._bank.seat] if self._bank.seat else self._dealer_low
        high, front = self._set(seven, low)
        name = f"{high.name}; {front.name}"
        if self._is_foul(seven, low):
            return Due("lose", 0, 0, f"foul: {name}")
        if self._ez and rank_pai_gow_high_card(bank).category == "queen_high":
            return Due("push", stake, 0, name)
        bank_high, bank_front = self._set(bank, bank_low)
        beaten = [True] * 2 if self._is_foul(bank, bank_low) else [high > bank_high, front > bank_front]
        if not any(beaten):
            return Due("lose", 0, 0, name)
        if not all(beaten):
            return Due("push", stake, 0, name)
        return Due("win", stake, stake, name, self._commission(stake))

    def _house_wager_settled(self, event: Data) -> Iterator[str]:
        due = self._main(self._bank.house_wager, self._dealer, self._dealer_low)
        yield from self._bank.play_house_wager(event, due)

    def _bank_settled(self, event: Data) -> Iterator[str]:
        """After every wager against it."""
        if any("main" in player.layout for player in self._players.values()):
            yield "the bank is settled before all wagers against it"
        high, front = self._set(self._player(event).hole, self._lows[event["seat"]])
        yield from self._bank.settle(event, f"{high.name}; {front.name}", self._commission)

    def _counts_toward_limit(self, wager: str) -> bool:
        """The limit of the imperial bonus is for each wager alone."""
        return False

    def _settlement_reversed(self, event: Data) -> Iterator[str]:
        yield from super()._settlement_reversed(event)
        self._bank.undo(event["settled"])

    def _bank_released(self, event: Data) -> Iterator[str]:
        if not self._void:
            yield "the escrow is given back, but the round is not void"
        yield from self._bank.release(event)

    def _round_closed(self, event: Data) -> Iterator[str]:
        yield from super()._round_closed(event)
        if self._bank.is_open:
            yield "the round is closed, and chips of the bank are still in escrow"
        for seat, _, cents, hand in () if self._void else self._awards:
            yield f"the round is closed, and seat {seat} was not paid {cents:,} cents for {hand}"
        if not self._void:
            banked = bool(self._bank.seat)
            mains = {seat: player.placed.get("main", 0) for seat, player in self._players.items()}
            self._last_mains = {} if banked else mains

    def _commission(self, won: int) -> int:
        """Of the amount won, by a player or by a bank in all: a half cent up, or up to the next quarter."""
        if self._ez:
            return 0
        thousandths = won * self._per_mille
        if self._to_the_quarter:
            return 25 * (thousandths // 25_000 + (thousandths % 25_000 > 0))
        return thousandths // 1000 + (thousandths % 1000 >= 500)

    def _imperial(self, stake: int, seven: tuple[Card, ...]) -> Due:
        """Section 11.20: the player's hand and the banker's add up. By default that is the dealer, whoever banks."""
        own = best_of_seven(seven, wheel_second=self._wheel_second)
        banker = rank_pai_gow_high_card(self._banker if self._imperial_meets_bank else self._dealer)
        parts = {own: IMPERIAL_PLAYER.get(own.category, 0), banker: IMPERIAL_BANKER.get(banker.category, 0)}
        won = {rank: odds for rank, odds in parts.items() if odds}
        if not won:
            return Due("lose", 0, 0, own)
        return Due("win", stake, stake * sum(won.values()), "; ".join(rank.name for rank in won))

    @property
    def _dealer(self) -> tuple[Card, ...]:
        return tuple(self._community.values())

    @property
    def _banker(self) -> tuple[Card, ...]:
        """The seven cards that main wagers meet."""
        return self._players[self._bank.seat].hole if self._bank.seat else self._dealer

    def _set(self, seven: tuple[Card, ...], low: tuple[Card, ...]) -> tuple[HandRank, HandRank]:
        behind = [card for card in seven if card not in low]
        return rank_pai_gow_five(behind, wheel_second=self._wheel_second), rank_two(low)

    def _is_foul(self, seven: tuple[Card, ...], low: tuple[Card, ...]) -> bool:
        """The two in front rank above the five behind; with the same pair, or the same two top cards, they do not."""
        high, front = self._set(seven, low)
        if front.category == "pair":
            return high.category == "high_card" or (high.category == "pair" and front.ranks[0] > high.ranks[0])
        return high.category == "high_card" and front.ranks > high.ranks[:2]

    # --- what goes wrong ----------------------------------------------------------------------------------------

    def _wagers_forfeited(self, event: Data) -> Iterator[str]:
        yield "wagers are forfeited, for which no rule gives a ground"


def _envy_amounts(game: Data) -> dict[str, int]:
    """The amounts of the rulebook, which are its own: no source prints any."""
    tables = (table for table in game["rulebook"]["paytable"] if table["id"] == "seven_card_envy")
    return {line["hand"]: line["amount_cents"] for table in tables for line in table["lines"]}
