"""Simulation of the progressive wager of Pai Gow Poker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.irregularities import MILLION, Wrong
from crossfelt.analysis.simulation.meters import Claims
from crossfelt.analysis.simulation.payoffs import Cents, LimitedPayment, Outcomes, Prices, WagerRounds, award
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.cards.card import Card
from crossfelt.games.progressive_wager import (
    LUCKY_DEALER,
    LUCKY_PLAYER,
    MAGIC,
    award_cents,
    cards_making,
    drawn_awards,
    in_credits,
)
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import LinePay, Settlement, Spot
from crossfelt.hands.joker import rank_progressive_seven
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.meters import NO_LIMIT, Integers
from crossfelt.kernels.random_deals import draws
from crossfelt.kernels.seven_cards.kinds import KINDS
from crossfelt.play.scripted.checks import NO_CARD
from crossfelt.progressive.split import ShareMethod, split_award
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Settle

ORDER_OF: Final = {"joker_seven": "joker_five"} | {name: name for name in KINDS[0]._fields}
"""Order of hands by a pay table's kind of hand."""


def ranks_of_kinds(hand: str) -> list[HandRank]:
    """Return the rank of each of `KINDS` in a pay table's kind of hand.

    >>> ranks_of_kinds("progressive_seven")[-1].category
    'seven_card_straight_flush'
    """
    order = ORDER_OF[hand]
    return [HandRank(order, getattr(kind, order), ()) for kind in KINDS]


# --- credits ---

Where = NDArray[np.bool_]

PLAYER, DEALER = "progressive_player", "progressive_dealer"
LUCKY = {PLAYER: LUCKY_PLAYER, DEALER: LUCKY_DEALER}
NOBODY: Final = 0


class Luck(NamedTuple):
    """The draws of the progressive system by round."""

    seat: Integers
    """Seat of the Lucky Player, `NOBODY` for none."""
    dealer: Where
    magic: Integers
    """Magic card, -1 for none."""

    def falls(self, wager: str, number: int) -> Where:
        """Return whether a lucky award falls on a seat's wager."""
        return self.seat == number if wager == PLAYER else self.dealer


class Staked(NamedTuple):
    """One wager of one seat over the rounds of a block."""

    wager: str
    seat: int
    percents: Integers
    """Percentage of the meter that the hand wins."""
    wagered: WagerRounds
    lucky: Cents
    """Amount of the lucky award."""
    magic: Cents


class Credits:
    """The credits of the seats of a plan, played in blocks."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._stakes = {
            wager: {
                number: seat.wagers[wager] * game.credit_cents(game.wager(wager))
                for number, seat in enumerate(plan.seats, start=1)
                if wager in seat.wagers
            }
            for wager in LUCKY
        }
        self._bet = [wager for wager, stakes in self._stakes.items() if stakes]
        if not self._bet:
            return
        pays = game.pays["progressive"]
        lines = [(rank, pays.line_for(rank)) for rank in ranks_of_kinds(pays.table.order)]
        self._pays = [
            LinePay(rank=rank, line=line, odds=line.odds if line else None, name=rank.category) for rank, line in lines
        ]
        self._wins = np.array([line is not None for _, line in lines])
        percents = [(line.meter_percent or 0) if line else 0 for _, line in lines]
        self._rules = MeterRules(game, plan, np.array(percents, dtype=np.int64))
        self._prices = {(wager, number): self._prices_of(wager, cents) for wager, number, cents in self._each()}

    def __bool__(self) -> bool:
        return bool(self._bet)

    def _each(self) -> list[tuple[str, int, int]]:
        """List wagers, seats and stakes in the order of payment."""
        steps = [step for step in self._game.book.script if isinstance(step, Settle)]
        orders = {wager: step.order for step in steps for wager in step.wagers}
        return [
            (wager, number, self._stakes[wager][number])
            for wager in self._bet
            for number in sorted(self._stakes[wager], reverse=orders[wager] == "counter_clockwise")
        ]

    def _prices_of(self, wager: str, stake: int) -> Prices:
        """Return the prices by kind of hand, without and then with the lucky award."""
        bet, settled = self._game.wager(wager), list[Settlement]()
        paid = [rules_of(self._game).on_line(bet, pay, stake) for pay in self._pays]
        for lucky in ((), (wager,)):
            spot = Spot(cards={}, lucky=lucky)
            settled += [in_credits(self._game, bet, stake, spot, each) for each in paid]
        return Prices.of(stake, settled)

    def play(self, stream: str, hands: Sequence[Hands], held: Sequence[Outcomes], wrong: Wrong) -> PlayedCredits:
        """Play the credits of a block; `hands` are the dealer's, then those of each seat."""
        luck = self._luck(stream, len(held[0]))
        return PlayedCredits(self._rules, luck, self._staked(luck, hands, held), wrong)

    # --- draws -------------------------------------------------------------------------------------------------------

    def _luck(self, stream: str, rounds: int) -> Luck:
        """Draw the awards: whether there is one, and for which seat or card."""
        awards = drawn_awards(self._game)
        on_player = "lucky_player" in awards and PLAYER in self._bet
        anywhere = self._game.settings["lucky_player_goes_to"] == "all_seats"
        seats = np.array(range(1, self._game.book.table.seats + 1) if anywhere else sorted(self._stakes[PLAYER]) or [0])
        lucky = self._falls(stream, rounds, "lucky_player") & on_player
        which = seats.take(draws(f"{stream}/lucky seat", rounds, len(seats)))
        magic = self._falls(stream, rounds, MAGIC) & (MAGIC in awards)
        card = draws(f"{stream}/magic", rounds, self._game.number("magic_card_from"))
        dealer = self._falls(stream, rounds, "lucky_dealer") & ("lucky_dealer" in awards and DEALER in self._bet)
        return Luck(np.where(lucky, which, NOBODY), dealer, np.where(magic, card, -1))

    def _falls(self, stream: str, rounds: int, award: str) -> Where:
        rate = self._game.whole(f"wagers.progressive.{award}_per_million")
        return draws(f"{stream}/{award}", rounds, MILLION) < rate

    # --- payments ----------------------------------------------------------------------------------------------------

    def _staked(self, luck: Luck, hands: Sequence[Hands], held: Sequence[Outcomes]) -> list[Staked]:
        """Return the wins of all credits without the meter, in the order of payment."""
        found = []
        for wager, number, stake in self._each():
            hand = number if wager == PLAYER else 0
            lucky, kinds = luck.falls(wager, number), held[hand]
            wagered = WagerRounds(self._prices[wager, number], lucky * len(KINDS) + kinds)
            magic = self._magic(luck, hands[hand], self._wins.take(kinds))
            amounts = [
                falls * np.int64(award_cents(self._game, name, stake) if falls.any() else 0)
                for name, falls in ((LUCKY[wager], lucky), (MAGIC, magic))
            ]
            found.append(Staked(wager, number, self._rules.percents.take(kinds), wagered, *amounts))
        return found

    def _magic(self, luck: Luck, hands: Hands, wins: Where) -> Where:
        """Return where the magic card is in a winning hand, or among the cards that make it."""
        found: Where = wins & (hands == luck.magic[:, None]).any(axis=1)
        if self._game.settings["magic_card_in"] != "all_seven":
            for row in np.flatnonzero(found).tolist():
                seven = [Card(int(card)) for card in hands[row]]
                found[row] = Card(int(luck.magic[row])) in cards_making(seven, rank_progressive_seven(seven))
        return found


class MeterRules:
    """The contributions and shares of a meter."""

    def __init__(self, game: Game, plan: SimulationPlan, percents: Integers) -> None:
        self.percents = percents
        """Percentages by kind of hand."""
        self.meter = meter_of(game, PLAYER).id
        self.fed_micros = plan.fed(game)[self.meter] * game.whole(f"meters.{self.meter}.rate_per_million")
        """Contribution of a round."""
        self.taken_back = game.settings["void_contributions"] == "reversed"
        self.pays_odds = game.settings["odds_paid_from"] == "meter"
        self._credits = {
            (wager, number): seat.wagers[wager]
            for number, seat in enumerate(plan.seats, start=1)
            for wager in LUCKY
            if wager in seat.wagers
        }
        self._methods = {PLAYER: game.settings["share_method"], DEALER: game.settings["share_method_dealer"]}

    def divided(self, wager: str, cents: int, seats: Sequence[int]) -> dict[int, int]:
        """Divide an award among seats, which are in the order of payment."""
        method: ShareMethod = "by_credits" if self._methods[wager] == "by_credits" else "equally"
        return split_award(cents, {seat: self._credits[wager, seat] for seat in seats}, method).shares


class PlayedCredits:
    """The credits of a block: claims on the meter, and payments after the meter has paid."""

    def __init__(self, rules: MeterRules, luck: Luck, staked: Sequence[Staked], wrong: Wrong) -> None:
        self._rules = rules
        self._luck = luck
        self._staked = staked
        self._claims, self._claimed_for = self._asked(wrong)

    @property
    def claims(self) -> dict[str, Claims]:
        return {self._rules.meter: self._claims}

    def chance(self, row: int) -> dict[str, Any]:
        """Return the draws of a round as a script writes them."""
        card = int(self._luck.magic[row])
        return {
            "lucky_seat": int(self._luck.seat[row]),
            "lucky_dealer": bool(self._luck.dealer[row]),
            "magic_card": str(Card(card)) if card >= 0 else NO_CARD,
        }

    def _asked(self, wrong: Wrong) -> tuple[Claims, tuple[str, ...]]:
        """Return the claims in order, with their wagers: players' hands in turn, then the dealer's.

        The first seat claims a percentage for all that share it. Odds are claimed if the pool pays them.
        """
        parts = [part for place in range(len(self._staked)) for part in self._asked_for(place, wrong)]
        rounds, percents, amounts = (np.concatenate([part[place] for part in parts]) for place in range(3))
        wagers = [wager for rows, _, _, wager in parts for _ in rows]
        order = np.argsort(rounds, kind="stable")
        contributed = np.full(len(wrong.void), self._rules.fed_micros, dtype=np.int64)
        if self._rules.taken_back:
            contributed[wrong.void] = 0
        at_most = np.full(len(rounds), NO_LIMIT, dtype=np.int64)
        claims = Claims(contributed, rounds[order], percents[order], amounts[order], at_most)
        return claims, tuple(wagers[place] for place in order.tolist())

    def _asked_for(self, place: int, wrong: Wrong) -> Iterator[tuple[Integers, Integers, Integers, str]]:
        """Return the rounds, percentages and cents that one wager claims, its hand first."""
        one, ahead = self._staked[place], self._staked[:place]
        claimed = [other.percents == one.percents for other in ahead if other.wager == one.wager]
        first = ~np.logical_or.reduce([np.zeros_like(wrong.void), *claimed])
        rows = np.flatnonzero((one.percents > 0) & first & ~wrong.void)
        yield rows, one.percents[rows], np.zeros(len(rows), dtype=np.int64), one.wager
        odds = one.wagered.prices.paid.take(one.wagered.outcomes)
        for cents in (odds, one.lucky, one.magic) if self._rules.pays_odds else ():
            rows = np.flatnonzero((cents > 0) & ~wrong.void)
            yield rows, np.zeros(len(rows), dtype=np.int64), cents[rows], one.wager

    def payments(self, granted: Mapping[str, Cents]) -> dict[int, list[LimitedPayment]]:
        """Return the payments to each seat, including awards of the meter."""
        shares = self._shares(granted[self._rules.meter])
        paid: dict[int, list[LimitedPayment]] = {}
        for one in self._staked:
            rounds, cents = (np.array(some, dtype=np.int64) for some in shares.get((one.wager, one.seat), ([], [])))
            won = one.wagered._replace(meter_rounds=rounds, meter_cents=cents)
            paid.setdefault(one.seat, []).extend(
                (
                    LimitedPayment(one.wager, one.wager, won),
                    LimitedPayment(LUCKY[one.wager], one.wager, award(one.lucky)),
                    LimitedPayment(MAGIC, one.wager, award(one.magic)),
                )
            )
        return paid

    def _shares(self, granted: Cents) -> dict[tuple[str, int], tuple[list[int], list[int]]]:
        """Return rounds and cents that the meter pays for each wager of each seat; an award may cover several."""
        shares: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
        for claim in np.flatnonzero(self._claims.percents).tolist():
            wager, row = self._claimed_for[claim], int(self._claims.rounds[claim])
            percent = self._claims.percents[claim]
            seats = [one.seat for one in self._staked if one.wager == wager and one.percents[row] == percent]
            for seat, cents in self._rules.divided(wager, int(granted[claim]), seats).items():
                rounds, amounts = shares.setdefault((wager, seat), ([], []))
                rounds.append(row)
                amounts.append(cents)
        return shares
