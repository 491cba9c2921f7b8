"""Simulation of Pai Gow Poker: hands set by house ways, side wagers, and a player's bank.

A player banks every simulated round. The rules require the house to bank the rounds in between, which are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from crossfelt.analysis.simulation.irregularities import IrregularityModel
from crossfelt.analysis.simulation.pai_gow_credits import Credits, ranks_of_kinds
from crossfelt.analysis.simulation.payoffs import (
    LOSE,
    LOST,
    PUSH,
    WIN,
    Cents,
    LimitedPayment,
    Outcomes,
    PaidLines,
    Prices,
    WagerRounds,
    award,
    cut_at_limit,
    pushed,
    settled_in_order,
)
from crossfelt.analysis.simulation.plan import Drawn, SeatPlan, SimulationPlan
from crossfelt.cards.card import Card
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Settlement
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import SetStrengths, set_strengths
from crossfelt.kernels.random_deals import deals
from crossfelt.kernels.seven_cards.kinds import KINDS, kinds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import HouseWay, house_way_ids

MAIN = "main"


class PlayersBank:
    """The bank of one seat, including the house's half of a co-bank."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._rules = rules_of(game)
        self._share = game.number("co_bank_share_per_mille") if plan.co_bank else 0
        last = plan.seats[plan.bank - 1].wagers[MAIN]
        self.house_wager = 0 if plan.co_bank else last
        """Stake of the dealer: the banker's last wager against the house, or 0 against a co-bank."""
        odds = game.wager(MAIN).odds
        assert odds is not None
        self._odds = odds
        others = [seat.wagers[MAIN] for number, seat in enumerate(plan.seats, start=1) if number != plan.bank]
        at_stake = sum(map(odds.paid, (*others, self.house_wager)))
        self._cover = at_stake - self._house_part(at_stake)

    def _house_part(self, cents: int) -> int:
        """Return the house's part of an amount that the bank covers, loses or wins, rounded down."""
        return cents * self._share // 1000

    def net_of(self, stake: int, outcomes: Outcomes) -> Cents:
        """Return the result of a wager against the bank, for the bank."""
        by_outcome = np.zeros(3, dtype=np.int64)
        by_outcome[LOSE], by_outcome[WIN] = stake, -self._odds.paid(stake)
        return by_outcome.take(outcomes)

    def wagered(self, nets: Cents) -> WagerRounds:
        """Return the bank as a wager of its seat, from the results of all wagers against it."""
        different, outcomes = np.unique(nets, return_inverse=True)
        return WagerRounds(Prices.of(self._cover, [self._settled(int(net)) for net in different]), outcomes)

    def _settled(self, net: int) -> Settlement:
        lost, won = max(0, -net), max(0, net)
        lost, won = lost - self._house_part(lost), won + self._house_part(-won)
        return Settlement(
            result="win" if won else "lose" if lost else "push",
            returned=self._cover - lost,
            paid=won,
            commission=self._rules.commission(self._game.wager(MAIN), won),
        )


# --- rounds ---

DECK: Final = 53
CARDS: Final = 7
HOUSE_WAY: Final = "house-way"


def strategies() -> tuple[str, ...]:
    """List the strategies of a seat: the table's house way, or another one."""
    return (HOUSE_WAY, *house_way_ids())


class PaiGowRounds:
    """One game and plan, played in blocks."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._rules = rules_of(game)
        self._plan = plan
        assert game.house_way is not None
        self._house_way = game.house_way
        self._wheel_second = bool(game.settings["wheel_second_highest"])
        self._ez = bool(game.settings["ez_variation"])
        self._imperial_bank = game.settings["imperial_banker_hand"] == "bank"
        self._queen_high = np.array([kind.joker_high_card == "queen_high" for kind in KINDS])
        self._prices = [self._prices_of(seat) for seat in plan.seats]
        self._mishaps = IrregularityModel(game, plan)
        self._credits = Credits(game, plan)
        self._bank = PlayersBank(game, plan) if plan.bank else None

    def draw(self, block: int, rounds: int) -> Drawn:
        """Draw the dealer's seven cards, then those of each seat."""
        hands_dealt, stream = 1 + len(self._plan.seats), self._plan.stream(self._game, block)
        cards = deals(stream, rounds, CARDS * hands_dealt, DECK)
        wrong = self._mishaps.draw(stream, rounds, {})
        hands = [np.ascontiguousarray(cards[:, CARDS * hand : CARDS * (hand + 1)]) for hand in range(hands_dealt)]
        ways = [self._house_way, *map(self._way, self._plan.seats)]
        lows, made = zip(*(self._set(hand, way) for hand, way in zip(hands, ways, strict=True)), strict=True)
        held = [kinds(hand).astype(np.intp) for hand in hands]
        bank = self._plan.bank
        mains = [self._outcomes(player, made[bank], held[bank]) for player in made]
        payments = []
        for number, (seat, prices) in enumerate(zip(self._plan.seats, self._prices, strict=True), start=1):
            settled = self._banked(mains) if number == bank else []
            if number != bank:
                banker = held[bank if self._imperial_bank else 0]
                settled = self._settle(prices, mains[number], held[number], held[0], banker)
                settled += self._envy(seat, [kind for other, kind in enumerate(held) if other not in (0, number)])
            payments.append(settled)
        credit = self._credits.play(stream, hands, held, wrong) if self._credits else None

        def settle(granted: Mapping[str, Cents]) -> tuple[dict[str, WagerRounds], ...]:
            more = credit.payments(granted) if credit else {}
            return tuple(
                cut_at_limit(self._game, self._mishaps.put_right([*paid, *more.get(number, ())], wrong))
                for number, paid in enumerate(payments, start=1)
            )

        def script(row: int) -> dict[str, Any]:
            played = self._script([hand[row] for hand in hands], [low[row] for low in lows[1:]])
            drawn = {"chance": credit.chance(row)} if credit else {}
            return {**played, **drawn, **self._mishaps.script(wrong, row)}

        decisions: tuple[dict[str, dict[str, int]], ...] = tuple({} for _ in self._plan.seats)
        return Drawn(decisions, credit.claims if credit else {}, wrong.trouble, settle, script)

    def _banked(self, mains: Sequence[Outcomes]) -> list[LimitedPayment]:
        """Settle the bank of a player against the other main wagers and the dealer's."""
        assert self._bank is not None
        stakes = [self._bank.house_wager, *(seat.wagers["main"] for seat in self._plan.seats)]
        others = [number for number in range(len(mains)) if number != self._plan.bank]
        nets = np.sum([self._bank.net_of(stakes[number], mains[number]) for number in others], axis=0)
        return [LimitedPayment("bank", "bank", self._bank.wagered(nets))]

    def _way(self, seat: SeatPlan) -> HouseWay | str:
        return self._house_way if seat.strategy == HOUSE_WAY else seat.strategy

    def _set(self, hands: Hands, way: HouseWay | str) -> tuple[Hands, SetStrengths]:
        low = set_hands(way, hands).low
        return low, set_strengths(hands, low, wheel_second=self._wheel_second)

    def _outcomes(self, player: SetStrengths, bank: SetStrengths, bank_kinds: Outcomes) -> Outcomes:
        """Count the hands that beat the bank's; copies do not. In the EZ variation a queen-high bank pushes."""
        beaten = (player.high > bank.high).astype(np.intp) + (player.low > bank.low)
        return np.where(self._queen_high.take(bank_kinds), PUSH, beaten) if self._ez else beaten

    # --- prices -----------------------------------------------------------------------------------------------------

    def _prices_of(self, seat: SeatPlan) -> dict[str, Prices]:
        """Return the prices of the main wager by outcome, and of other wagers by kinds of hands."""
        prices = {}
        for wager, stake in seat.wagers.items():
            if self._game.wager(wager).unit == "credits":
                continue
            match wager:
                case "main":
                    settled = self._main(stake)
                case "queens_dragon":
                    settled = [self._won(wager, stake) if queen_high else LOST for queen_high in self._queen_high]
                case "imperial":
                    settled = self._imperial(stake)
                case _:
                    settled = self._by_kind(str(self._game.wager(wager).pays), stake)
            prices[wager] = Prices.of(stake, settled)
        return prices

    def _won(self, wager: str, stake: int) -> Settlement:
        odds = self._game.wager(wager).odds
        assert odds is not None
        return Settlement(result="win", returned=stake, paid=odds.paid(stake))

    def _main(self, stake: int) -> list[Settlement]:
        won = self._won("main", stake)
        kept = self._rules.commission(self._game.wager(MAIN), won.paid)
        return [LOST, pushed(stake), replace(won, commission=kept)]

    def _imperial(self, stake: int) -> list[Settlement]:
        """Return the settlements of the imperial bonus, by kind of the dealer's hand and then of the player's."""
        settled = []
        for dealer in self._by_kind("imperial_banker", stake):
            for player in self._by_kind("imperial_player", stake):
                won = [part for part in (player, dealer) if part.result == "win"]
                paid = sum(part.paid for part in won)
                settled.append(Settlement(result="win", returned=stake, paid=paid) if won else LOST)
        return settled

    def _by_kind(self, table: str, stake: int) -> list[Settlement]:
        pays = self._game.pays[table]
        return PaidLines(pays, ranks_of_kinds(pays.table.order)).settled(stake)

    def _settle(
        self, prices: dict[str, Prices], main: Outcomes, own: Outcomes, dealer: Outcomes, banker: Outcomes
    ) -> list[LimitedPayment]:
        outcomes = {"main": main, "queens_dragon": dealer, "imperial": len(KINDS) * banker + own}
        placed = [wager for wager in settled_in_order(self._game) if wager in prices]
        return [LimitedPayment(wager, wager, WagerRounds(prices[wager], outcomes.get(wager, own))) for wager in placed]

    def _envy(self, seat: SeatPlan, others: list[Outcomes]) -> list[LimitedPayment]:
        """Return the envy awards from other seats' hands, if the seat's own stake is large enough."""
        least = self._game.choices.get(f"wagers.{ENVIES}.envy_min_cents")
        if not others or not isinstance(least, int) or seat.wagers.get(ENVIES, 0) < least:
            return []
        envy = self._game.pays[f"{ENVIES}_envy"]
        lines = [envy.line_for(rank) for rank in ranks_of_kinds(envy.table.order)]
        cents = np.array([(line.amount_cents or 0) if line else 0 for line in lines], dtype=np.int64)
        brought = np.sum([cents.take(kind) for kind in others], axis=0)
        return [LimitedPayment(envy.table.id, envy.table.id, award(brought))]

    # --- one round in full ------------------------------------------------------------------------------------------

    def _script(self, hands: list[NDArray[np.uint8]], lows: list[NDArray[np.uint8]]) -> dict[str, Any]:
        cards = {f"seat{number}": _text(hand) for number, hand in enumerate(hands) if number}
        banked = {"bank": self._plan.bank, "co_bank": self._plan.co_bank} if self._plan.bank else {}
        return {
            "rulebook": self._game.book.id,
            "submission": dict(self._game.stated),
            **banked,
            "cards": {**cards, "dealer": _text(hands[0])},
            "seats": [
                {"seat": number, "wagers": dict(seat.wagers), "decisions": {"set": self._set_by(seat, low)}}
                for number, (seat, low) in enumerate(zip(self._plan.seats, lows, strict=True), start=1)
            ],
        }

    @staticmethod
    def _set_by(seat: SeatPlan, low: NDArray[np.uint8]) -> str | dict[str, str]:
        """Return the setting of a hand for a script; the table applies the house way itself."""
        return HOUSE_WAY if seat.strategy == HOUSE_WAY else {"low": _text(low)}


ENVIES: Final = "seven_card"
"""Wager with an envy award."""


def _text(cards: NDArray[np.uint8]) -> str:
    return " ".join(str(Card(int(card))) for card in cards)
