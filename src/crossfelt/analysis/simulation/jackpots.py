"""Simulation of wagers that a meter pays a share to, and of the random awards of credits beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.irregularities import MILLION, Wrong
from crossfelt.analysis.simulation.meters import contributions
from crossfelt.analysis.simulation.payoffs import FORFEIT, Cents, LimitedPayment, Prices, WagerRounds, award
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.simulation.ranked_hands import DEALER, DealtCards
from crossfelt.analysis.simulation.rule_codes import Codes, Made, codes_of
from crossfelt.cards.card import Card
from crossfelt.games.progressive_wager import (
    LUCKY_DEALER,
    LUCKY_PLAYER,
    MAGIC,
    award_cents,
    award_rate,
    drawn_awards,
    in_credits,
    lucky_award,
    random_awards,
)
from crossfelt.games.rules import ranker_of, rules_of
from crossfelt.games.settlement import Settlement, Spot
from crossfelt.kernels.meters import NO_LIMIT, Claims, Integers
from crossfelt.kernels.random_deals import draws
from crossfelt.play.scripted.checks import NO_CARD, stakes_of
from crossfelt.progressive.split import ShareMethod, split_award
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import PayLine
from crossfelt.rulebooks.script import Settle

Where = NDArray[np.bool_]
Placed = tuple[str, int]
"""A wager and the seat that placed it."""
NOBODY: Final = 0
LUCKY: Final = (LUCKY_PLAYER, LUCKY_DEALER)


class Luck(NamedTuple):
    """The draws of the progressive system by round."""

    seat: Integers
    """Seat of the Lucky Player, `NOBODY` for none."""
    dealer: Where
    magic: Integers
    """Magic card, -1 for none."""


class Staked(NamedTuple):
    """One wager of one seat over the rounds of a block."""

    wager: str
    seat: int
    lines: Codes
    """The code of the pay line that brings a share of a meter, 0 for none."""
    shares: Mapping[int, PayLine]
    """The pay lines of these codes."""
    wagered: WagerRounds
    awards: Mapping[str, Cents]
    """Amounts of the random awards."""


class Jackpots:
    """The wagers of a plan that meters pay, played in blocks."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._codes = codes_of(game)
        self.wagers = game.jackpot_wagers
        stakes = {number: stakes_of(game, seat.wagers) for number, seat in enumerate(plan.seats, start=1)}
        self._stakes: dict[Placed, int] = {
            (wager, number): staked[wager]
            for wager in game.jackpot_wagers
            for number, staked in stakes.items()
            if wager in staked
        }
        self.placed: tuple[Placed, ...] = tuple(self._in_order())
        """The wagers and their seats, in the order of payment."""
        self._seats = plan.seats
        self._fed = plan.fed(game)
        self.pays_odds = game.settings.get("odds_paid_from") == "meter"

    def _in_order(self) -> Iterator[Placed]:
        for step in (step for step in self._game.book.script if isinstance(step, Settle)):
            seats = sorted({number for _, number in self._stakes}, reverse=step.order == "counter_clockwise")
            yield from ((w, number) for number in seats for w in step.wagers if (w, number) in self._stakes)

    def play(
        self, stream: str, dealt: DealtCards, hands: Sequence[Made], open_: Mapping[Placed, Where], wrong: Wrong
    ) -> PlayedJackpots:
        """Play the wagers of a block; `open_` says where each is still open."""
        luck = self._luck(stream, dealt.rounds)
        staked = [self._staked(placed, luck, dealt, hands[placed[1] - 1], open_[placed]) for placed in self.placed]
        return PlayedJackpots(self, luck, staked, wrong)

    # --- draws -------------------------------------------------------------------------------------------------------

    def _luck(self, stream: str, rounds: int) -> Luck | None:
        """Draw the awards: whether there is one, and for which seat or card; None where there are none."""
        staked = [(wager, number) for wager, number in self.placed if wager in self._game.credit_wagers]
        awards = drawn_awards(self._game)
        if not staked or not awards:
            return None
        bet = {lucky_award(self._game, wager) for wager, _ in staked}
        own = sorted({number for wager, number in staked if not self._game.credit_wagers[wager]})
        anywhere = self._game.settings["lucky_player_goes_to"] == "all_seats"
        seats = np.array(range(1, self._game.book.table.seats + 1) if anywhere else own or [NOBODY])
        never = np.zeros(rounds, dtype=np.bool_)
        falls = {
            name: draws(f"{stream}/{name}", rounds, MILLION) < award_rate(self._game, name) if name in awards else never
            for name in (*LUCKY, MAGIC)
        }
        which = seats.take(draws(f"{stream}/lucky seat", rounds, len(seats)))
        card = draws(f"{stream}/magic", rounds, self._game.number("magic_card_from"))
        return Luck(
            np.where(falls[LUCKY_PLAYER] & (LUCKY_PLAYER in bet), which, NOBODY),
            falls[LUCKY_DEALER] & (LUCKY_DEALER in bet),
            np.where(falls[MAGIC], card, -1),
        )

    # --- payments ----------------------------------------------------------------------------------------------------

    def _staked(self, placed: Placed, luck: Luck | None, dealt: DealtCards, made: Made, open_: Where) -> Staked:
        """Return the wins of a wager without the meter."""
        (wager, number), stake = placed, self._stakes[placed]
        rules = self._codes[wager]
        codes, size = rules.codes(made, dealt.rounds), len(rules.results)
        lucky = np.zeros(dealt.rounds, dtype=np.bool_)
        awards: dict[str, Cents] = {}
        if luck is not None and wager in self._game.credit_wagers:
            on_dealer = self._game.credit_wagers[wager]
            lucky = (luck.dealer if on_dealer else luck.seat == number) & open_
            magic = self._magic(luck, wager, dealt, number, (codes > 0) & open_)
            for name, falls in ((lucky_award(self._game, wager), lucky), (MAGIC, magic)):
                awards[name] = falls * np.int64(award_cents(self._game, name, stake) if falls.any() else 0)
        parts = [Prices.of(stake, self._settled(wager, stake, is_lucky=is_lucky)) for is_lucky in (False, True)]
        prices = Prices.joined(*parts, Prices.of(stake, [FORFEIT] * size))
        wagered = WagerRounds(prices, codes + size * np.where(open_, lucky, 2))
        shares = rules.meter_lines()
        lines = np.where(open_ & np.isin(codes, list(shares)), codes, 0)
        return Staked(wager, number, lines, shares, wagered, awards)

    def _settled(self, wager: str, stake: int, *, is_lucky: bool) -> list[Settlement]:
        bet, settled = self._game.wager(wager), self._codes[wager].settled(stake)
        if bet.unit != "credits":
            return settled
        spot = Spot(cards={}, lucky=(wager,) if is_lucky else ())
        return [in_credits(self._game, bet, stake, spot, each) for each in settled]

    def _magic(self, luck: Luck, wager: str, dealt: DealtCards, number: int, wins: Where) -> Where:
        """Return where the magic card is in a winning hand, or among the cards that make it."""
        side, own = side_of(self._game.wager(wager).deciding[0])
        cards = dealt.of(DEALER if side else number, rules_of(self._game).places(own))
        found: Where = wins & (cards == luck.magic[:, None]).any(axis=1)
        if self._game.settings["magic_card_in"] != "all_seven":
            bet, rules = self._game.wager(wager), rules_of(self._game)
            rank = ranker_of(self._game, next(str(hand.order) for hand in self._game.book.hands if hand.id == own))
            for row in np.flatnonzero(found).tolist():
                held = [Card(int(card)) for card in cards[row]]
                spot = Spot(cards={}, magic_card=Card(int(luck.magic[row])))
                pay = rules.pay(bet.pays or "", rank(held))
                found[row] = any(won.award == MAGIC for won in random_awards(self._game, bet, 1, spot, pay, held))
        return found

    # --- contributions and shares of the meters ---------------------------------------------------------------------

    def contributed(self, meter: str, void: Where) -> Integers:
        """Return the contribution of each round, in millionths of a cent."""
        return contributions(self._game, meter, self._fed, void)

    def meter(self, wager: str, line: PayLine | None = None) -> str:
        """Return the meter that a pay line names, otherwise the meter of the wager."""
        return (line.meter if line is not None else None) or meter_of(self._game, wager).id

    def divided(self, wager: str, cents: int, seats: Sequence[int]) -> dict[int, int]:
        """Divide an award among seats, which are in the order of payment."""
        on_dealer = self._game.wager(wager).deciding[0].startswith("dealer.")
        named = self._game.settings.get("share_method_dealer" if on_dealer else "share_method")
        method: ShareMethod = "by_credits" if named == "by_credits" else "equally"
        return split_award(cents, {seat: self._seats[seat - 1].wagers[wager] for seat in seats}, method).shares


class Claim(NamedTuple):
    """The claims of one wager of one seat on a meter, in the rounds of a block."""

    meter: str
    rounds: Integers
    percent: int
    """The claimed share, or 0 for cents."""
    cents: Integers
    wager: str = ""
    """The wager whose seats share what is paid; empty for cents, whose price the wager has already."""
    line: int = 0


class PlayedJackpots:
    """The wagers of a block: claims on the meters, and payments after the meters have paid."""

    def __init__(self, rules: Jackpots, luck: Luck | None, staked: Sequence[Staked], wrong: Wrong) -> None:
        self._rules = rules
        self._luck = luck
        self._staked = staked
        self._wrong = wrong
        self._asked = [claim for place in range(len(staked)) for claim in self._asked_for(place)]
        self._order = {meter: self._in_order(meter) for meter in dict.fromkeys(self._meters())}

    def _meters(self) -> Iterator[str]:
        yield from (self._rules.meter(one.wager) for one in self._staked)
        yield from (claim.meter for claim in self._asked)

    def _asked_for(self, place: int) -> Iterator[Claim]:
        """Yield the claims of one wager, its hand first. The first seat claims a share for all with the same line."""
        one, ahead = self._staked[place], self._staked[:place]
        claimed = [other.lines == one.lines for other in ahead if other.wager == one.wager]
        first = ~np.logical_or.reduce([self._wrong.void, *claimed])
        for code, line in one.shares.items():
            assert line.meter_percent is not None
            rows = np.flatnonzero((one.lines == code) & first)
            nothing = np.zeros(len(rows), dtype=np.int64)
            yield Claim(self._rules.meter(one.wager, line), rows, line.meter_percent, nothing, one.wager, code)
        odds = one.wagered.prices.paid.take(one.wagered.outcomes)
        for cents in (odds, *one.awards.values()) if self._rules.pays_odds else ():
            rows = np.flatnonzero((cents > 0) & ~self._wrong.void)
            yield Claim(self._rules.meter(one.wager), rows, 0, cents[rows])

    def _in_order(self, meter: str) -> list[tuple[int, Claim, int]]:
        """Return the claims on a meter by round, each as a round, its claim and the place there."""
        own = [claim for claim in self._asked if claim.meter == meter]
        every = [(int(row), claim, place) for claim in own for place, row in enumerate(claim.rounds)]
        return sorted(every, key=lambda each: each[0])

    @property
    def claims(self) -> dict[str, Claims]:
        return {meter: self._claims(meter, asked) for meter, asked in self._order.items()}

    def _claims(self, meter: str, asked: Sequence[tuple[int, Claim, int]]) -> Claims:
        rows = [(row, claim.percent, int(claim.cents[place]), NO_LIMIT) for row, claim, place in asked]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return Claims(self._rules.contributed(meter, self._wrong.void), *np.ascontiguousarray(columns))

    def chance(self, row: int) -> dict[str, Any]:
        """Return the draws of a round as a script writes them."""
        if self._luck is None:
            return {}
        card = int(self._luck.magic[row])
        return {
            "lucky_seat": int(self._luck.seat[row]),
            "lucky_dealer": bool(self._luck.dealer[row]),
            "magic_card": str(Card(card)) if card >= 0 else NO_CARD,
        }

    def payments(self, granted: Mapping[str, Cents]) -> dict[int, list[LimitedPayment]]:
        """Return the payments to each seat, including awards of the meters."""
        shares = self._shares(granted)
        paid: dict[int, list[LimitedPayment]] = {}
        for one in self._staked:
            rounds, cents = (np.array(some, dtype=np.int64) for some in shares.get((one.wager, one.seat), ([], [])))
            won = one.wagered._replace(meter_rounds=rounds, meter_cents=cents)
            entries = [(one.wager, won), *((name, award(amounts)) for name, amounts in one.awards.items())]
            paid.setdefault(one.seat, []).extend(LimitedPayment(name, one.wager, each) for name, each in entries)
        return paid

    def _shares(self, granted: Mapping[str, Cents]) -> dict[Placed, tuple[list[int], list[int]]]:
        """Return rounds and cents that the meters pay for each wager of each seat; an award may cover several."""
        shares: dict[Placed, tuple[list[int], list[int]]] = {}
        for meter, asked in self._order.items():
            for (row, claim, _), cents in zip(asked, granted[meter].tolist(), strict=True):
                if not claim.percent:
                    continue
                own = [one for one in self._staked if one.wager == claim.wager and one.lines[row] == claim.line]
                for seat, part in self._rules.divided(claim.wager, cents, [one.seat for one in own]).items():
                    rounds, amounts = shares.setdefault((claim.wager, seat), ([], []))
                    rounds.append(row)
                    amounts.append(part)
        return shares
