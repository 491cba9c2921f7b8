"""Rounds of any game in blocks, compiled from its groups, hands, rules and actions: cards by place, hands by table,
decisions by strategies, wagers by the codes of their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from crossfelt.analysis.runners import in_order
from crossfelt.analysis.simulation.at_table import tally_blocks
from crossfelt.analysis.simulation.irregularities import IrregularityModel
from crossfelt.analysis.simulation.jackpots import Jackpots
from crossfelt.analysis.simulation.meters import MeterAnswer, MeterStanding, answers
from crossfelt.analysis.simulation.meters import opened as opening
from crossfelt.analysis.simulation.payoffs import (
    FORFEIT,
    LOST,
    Cents,
    LimitedPayment,
    Prices,
    WagerRounds,
    award,
    cut_at_limit,
)
from crossfelt.analysis.simulation.plan import BANK, Block, Drawn, SimulationPlan
from crossfelt.analysis.simulation.ranked_hands import DEALER, DealtCards, NotVectorised, form_of
from crossfelt.analysis.simulation.rule_codes import Made, Where, codes_of
from crossfelt.analysis.simulation.seat_courses import NOT_ASKED, SeatCourses, SeatRounds
from crossfelt.analysis.simulation.strategies import play_of, setter_of
from crossfelt.analysis.simulation.tally import SeatTally, SimulationTally
from crossfelt.analysis.simulation.wheels import Wheels
from crossfelt.cards.card import Card
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Settlement
from crossfelt.kernels.random_deals import Hands
from crossfelt.kernels.threads import processors
from crossfelt.play.scripted.checks import stakes_of
from crossfelt.play.scripted.file import HOUSE_WAY
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, Settle


class CompiledRounds:
    """One game and plan, played in blocks.

    Raises `NotVectorised` for a game with a form that it does not know.
    """

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._plan = plan
        self._decisions = {place: step for place, step in enumerate(game.book.script) if isinstance(step, Decide)}
        stakes = [stakes_of(game, seat.wagers) for seat in plan.seats]
        self._seats = [
            SeatCourses(game, number, staked, play_of(game, seat.strategy))
            for number, (staked, seat) in enumerate(zip(stakes, plan.seats, strict=True), start=1)
        ]
        self._codes = codes_of(game)
        ways = [HOUSE_WAY, *(seat.strategy for seat in plan.seats)] if game.book.splits else []
        self._setters = [setter_of(game, way) for way in ways]
        self._mishaps = IrregularityModel(game, plan)
        self._wheels = Wheels(game, plan)
        self._jackpots = Jackpots(game, plan)
        self._bank = PlayersBank(game, plan) if plan.bank else None
        # One round finds every code before threads share them.
        self.draw(0, 1)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def draw(self, block: int, rounds: int) -> Drawn:
        stream, seats = self._plan.stream(self._game, block), len(self._seats)
        dealt = DealtCards(self._game, seats, stream, rounds, self._plan.bank)
        lows = [lows(dealt.own(position)) for position, lows in enumerate(self._setters)]
        for position, low in enumerate(lows):
            dealt.set(position, low)
        played = [seat.decide(dealt) for seat in self._seats]
        wrong = self._mishaps.draw(stream, rounds, self._asked(played))
        for place, step in reversed(self._decisions.items()) if wrong.rounds.size else ():
            for own in played:
                own.call_off(step, wrong.void_at <= place)
        hands = [self._hands(dealt, number, played[number - 1]) for number in range(1, seats + 1)]
        given_up = {
            wager: [self._where(number, played, wager, "forfeit") for number in range(1, seats + 1)]
            for wager in self._wheels.bets
        }
        payments = [self._payments(number, played[number - 1], dealt, hands) for number in range(1, seats + 1)]
        triggers = {wager: [self._codes[wager].spins(made, rounds) for made in hands] for wager in self._wheels.bets}
        spins = self._wheels.spin(stream, dealt, triggers, given_up, payments, wrong)
        open_ = {placed: self._where(placed[1], played, placed[0], "open") for placed in self._jackpots.placed}
        credit = self._jackpots.play(stream, dealt, hands, open_, wrong)

        def settle(granted: Mapping[str, Cents]) -> tuple[dict[str, WagerRounds], ...]:
            spun, won = spins.payments(granted), credit.payments(granted)
            every = ([*paid, *spun.get(seat, ()), *won.get(seat, ())] for seat, paid in enumerate(payments, start=1))
            return tuple(cut_at_limit(self._game, self._mishaps.put_right(paid, wrong)) for paid in every)

        def script(row: int) -> dict[str, Any]:
            told = self._script(dealt, played, lows, row)
            chance = {**spins.chance(row), **credit.chance(row)}
            return {**told, **({"chance": chance} if chance else {}), **self._mishaps.script(wrong, row)}

        if spins.claims.keys() & credit.claims.keys():
            raise NotVectorised(self._game, "a wheel and a pay table pay from the same meter")
        decisions = tuple(one.counts() for one in played)
        return Drawn(decisions, {**spins.claims, **credit.claims}, wrong.counts, int(wrong.void.sum()), settle, script)

    def _asked(self, played: list[SeatRounds]) -> dict[int, list[Where]]:
        """Return the rounds in which each seat decides, by place of the step in the script."""
        if not self._plan.mishaps_per_million:
            return {}
        return {place: [own.choices[step.id] != NOT_ASKED for own in played] for place, step in self._decisions.items()}

    def _hands(self, dealt: DealtCards, number: int, played: SeatRounds) -> Made:
        """Return the hands of a seat by name."""
        named = {}
        for hand in (hand for hand in self._game.book.hands if hand.chosen_of):
            chosen = [course.stakes.named for course in played.courses]
            places = [hand.chosen_of.index(name) if name in hand.chosen_of else 0 for name in chosen]
            named[hand.id] = np.array(places).take(played.course)
        return cache(lambda name: dealt.made(name, number, named))

    # --- settlement -------------------------------------------------------------------------------------------------

    def _payments(self, number: int, played: SeatRounds, dealt: DealtCards, hands: list[Made]) -> list[LimitedPayment]:
        """Return the results of a seat's wagers in the order of settlement, without wheels and meters."""
        if number == self._plan.bank:
            return [self._banked(dealt, hands)]
        payments: list[LimitedPayment] = []
        for step in (step for step in self._game.book.script if isinstance(step, Settle)):
            for wager in step.wagers:
                if self._game.offers(wager) and wager not in self._jackpots.wagers:
                    payments += self._settled(number, played, wager, hands[number - 1], dealt.rounds)
            if self._game.envy_wager and self._game.envy_wager in step.wagers:
                payments += self._envy(number, dealt)
        return payments

    def _settled(self, number: int, played: SeatRounds, name: str, made: Made, rounds: int) -> list[LimitedPayment]:
        seat, codes = self._seats[number - 1], self._codes[name]
        standings = [seat.standing(name, course) for course in played.courses]
        if not any(standing.status for standing in standings):
            return []
        found = codes.codes(made, rounds)
        size = len(codes.results)
        parts, first = [Prices.not_made(size)], {}
        for standing in dict.fromkeys(each for each in standings if each.status):
            first[standing] = size * len(parts)
            if standing.status == "open":
                parts.append(codes.prices(standing.cents))
            else:
                lost = FORFEIT if standing.status == "forfeit" else LOST
                parts.append(Prices.of(standing.cents, [lost] * size))
        starts = np.array([first.get(standing, 0) for standing in standings])
        outcomes = found + starts.take(played.course) if len(starts) > 1 else found + starts[0]
        payments = [LimitedPayment(name, name, WagerRounds(Prices.joined(*parts), outcomes))]
        if codes.wager.bonus:
            cents = [standing.cents if standing.status == "open" else 0 for standing in standings]
            for table, paid, where in codes.bonuses(made, np.array(cents, dtype=np.int64).take(played.course)):
                payments.append(LimitedPayment(table, name, award(paid, where)))
        return payments

    def _banked(self, dealt: DealtCards, hands: list[Made]) -> LimitedPayment:
        """Settle the bank of a player against the other banked wagers and the dealer's."""
        assert self._bank is not None
        wager = self._game.banked_wager
        codes = self._codes[wager]
        stakes = {number: seat.stakes[wager] for number, seat in enumerate(self._seats, 1) if number != self._plan.bank}
        against = {}
        for number, stake in {DEALER: self._bank.house_wager, **stakes}.items():
            made = hands[number - 1] if number else lambda name: dealt.made(name, DEALER, {})
            found = codes.codes(made, dealt.rounds)
            against[number] = WagerRounds(codes.prices(stake), found)
        return LimitedPayment(BANK, BANK, self._bank.wagered(against))

    def _envy(self, number: int, dealt: DealtCards) -> list[LimitedPayment]:
        """Return the awards for other seats' hands, if the seat's own stake is large enough."""
        wager = self._game.envy_wager
        least = self._game.choices.get(f"wagers.{wager}.envy_min_cents")
        others = [other for other in range(1, len(self._seats) + 1) if other != number]
        if not others or not isinstance(least, int) or self._seats[number - 1].stakes.get(wager, 0) < least:
            return []
        table = self._game.wager(wager).also_pays[0]
        hand = next(hand.id for hand in self._game.book.hands if hand.order == self._game.pays[table].order)
        form, pays = form_of(self._game, hand), self._game.pays[table]
        lines = [pays.line_for(rank) for rank in form.ranks]
        cents = np.array([(line.amount_cents or 0) if line else 0 for line in lines], dtype=np.int64)
        brought = np.sum([cents.take(dealt.made(hand, other, {}).classes) for other in others], axis=0)
        return [LimitedPayment(table, table, award(brought))]

    def _where(self, number: int, played: list[SeatRounds], wager: str, status: str) -> Where:
        """Return the rounds in which a wager of a seat is still open, or was given up."""
        own = played[number - 1]
        found = [self._seats[number - 1].standing(wager, course).status == status for course in own.courses]
        return np.array(found).take(own.course)

    # --- one round in full ------------------------------------------------------------------------------------------

    def _script(self, dealt: DealtCards, played: list[SeatRounds], lows: list[Hands], row: int) -> dict[str, Any]:
        game, cards = self._game, {}
        for place in (place for group in game.book.groups if group.owner == "community" for place in group.names):
            cards[place] = _text(dealt.of(DEALER, [place])[row])
        if game.dealer_places:
            cards["dealer"] = _text(dealt.of(DEALER, game.dealer_places)[row])
        seats = []
        for number, (seat, plan, own) in enumerate(zip(self._seats, self._plan.seats, played, strict=True), start=1):
            cards[f"seat{number}"] = _text(dealt.own(number)[row])
            decisions = seat.script(own, row)
            if lows:
                by_table = plan.strategy == HOUSE_WAY
                decisions["set"] = HOUSE_WAY if by_table else {"low": _text(lows[number][row])}
            seats.append({"seat": number, "wagers": dict(plan.wagers), "decisions": decisions})
        banked = {"bank": self._plan.bank, "co_bank": self._plan.co_bank} if self._plan.bank else {}
        return {"rulebook": game.book.id, "submission": dict(game.stated), **banked, "cards": cards, "seats": seats}


def _text(cards: Hands) -> str:
    return " ".join(str(Card(int(card))) for card in cards)


# --- a player's bank ---


class PlayersBank:
    """The bank of one seat, including the house's half of a co-bank."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._share = game.number("co_bank_share_per_mille") if plan.co_bank else 0
        self._wager = game.wager(game.banked_wager)
        last = plan.seats[plan.bank - 1].wagers[self._wager.id]
        self.house_wager = 0 if plan.co_bank else last
        """Stake of the dealer: the banker's last wager against the house, or 0 against a co-bank."""
        odds = self._wager.odds
        assert odds is not None
        others = [seat.wagers[self._wager.id] for number, seat in enumerate(plan.seats, 1) if number != plan.bank]
        at_stake = sum(map(odds.paid, (*others, self.house_wager)))
        self._cover = at_stake - self._house_part(at_stake)

    def _house_part(self, cents: int) -> int:
        """Return the house's part of an amount that the bank covers, loses or wins, rounded down."""
        return cents * self._share // 1000

    def wagered(self, against: Mapping[int, WagerRounds]) -> WagerRounds:
        """Return the bank as a wager of its seat, from the wagers of all other positions against it."""
        prices = ((each.prices.stake - each.prices.returned - each.prices.paid, each) for each in against.values())
        nets: Cents = np.sum([net.take(each.outcomes) for net, each in prices], axis=0)
        different, outcomes = np.unique(nets, return_inverse=True)
        return WagerRounds(Prices.of(self._cover, [self._settled(int(net)) for net in different]), outcomes)

    def _settled(self, net: int) -> Settlement:
        lost, won = max(0, -net), max(0, net)
        lost, won = lost - self._house_part(lost), won + self._house_part(-won)
        return Settlement(
            result="win" if won else "lose" if lost else "push",
            returned=self._cover - lost,
            paid=won,
            commission=rules_of(self._game).commission(self._wager, won),
        )


# --- several processors ---


def block_of(game: Game, plan: SimulationPlan, block: int, rounds: int) -> Block:
    """Play the first rounds of a block, with newly opened meters."""
    drawn = CompiledRounds(game, plan).draw(block, rounds)
    return settle_block(drawn, answers(game, opened_meters(game, plan), drawn.claims)[0])


def opened_meters(game: Game, plan: SimulationPlan) -> dict[str, MeterStanding]:
    """Return the meters of a plan at the start of a history."""
    return {meter: opening(game, meter) for meter in plan.fed(game)}


def settle_block(drawn: Drawn, said: Answers) -> Block:
    """Settle the rounds of a block after the meters have paid."""
    return Block(drawn.settle({meter: answer.paid for meter, answer in said.items()}), said, drawn)


Answers = Mapping[str, MeterAnswer]


class PlayedBlock(NamedTuple):
    """A played block."""

    first_round: int
    tally: SimulationTally
    standing: Mapping[str, MeterStanding]
    """State of the meters afterwards."""
    raw: Any
    """Data that the caller extracted from the block."""


def play_blocks(
    game: Game,
    plan: SimulationPlan,
    span: range,
    *,
    standing: Mapping[str, MeterStanding] | None = None,
    workers: int | None = None,
    keep: Callable[[int, Block], Any] = lambda first_round, block: None,
) -> Iterator[PlayedBlock]:
    """Yield the blocks of a stretch of rounds in order; the stretch begins with a block.

    A stretch that begins within a history starts with the given meters. Threads draw and tally blocks in parallel;
    this thread follows the meters block by block.
    """
    if plan.at_table:
        yield from (PlayedBlock(first, tally, {}, None) for first, tally in tally_blocks(game, plan, span, workers))
        return
    playing, size, threads = CompiledRounds(game, plan), plan.block_rounds, workers or processors()
    history, standing = plan.unit_rounds(game), standing or opened_meters(game, plan)

    pool = ThreadPoolExecutor(threads)

    def draw(first: int) -> Drawn:
        return playing.draw(first // size, min(size, span.stop - first))

    def add_up(first: int, drawn: Drawn, said: Answers, stands: Mapping[str, MeterStanding]) -> PlayedBlock:
        block = settle_block(drawn, said)
        tally = tally_of(game, block, plan, min(size, span.stop - first))
        return PlayedBlock(first, tally, stands, keep(first, block))

    def adding(stands: Mapping[str, MeterStanding]) -> Iterator[Future[PlayedBlock]]:
        drawing = in_order((pool.submit(draw, first) for first in span[::size]), threads + 1)
        for first, drawn in zip(span[::size], drawing, strict=True):
            said, stands = answers(game, opened_meters(game, plan) if first % history == 0 else stands, drawn.claims)
            yield pool.submit(add_up, first, drawn, said, stands)

    try:
        yield from in_order(adding(standing), threads + 1)
    finally:
        pool.shutdown(cancel_futures=True)


def tally_of(game: Game, block: Block, plan: SimulationPlan, rounds: int) -> SimulationTally:
    """Tally the rounds of a block."""
    tallies = tuple(
        SeatTally.of(wagers, plan.sides(game, seat, wagers), decisions, plan.session_rounds)
        for seat, (wagers, decisions) in enumerate(zip(block.wagers, block.drawn.decisions, strict=True), start=1)
    )
    return SimulationTally(
        seats=tallies,
        rounds=rounds,
        meters={meter: said.tally for meter, said in block.meters.items()},
        mishaps=block.drawn.mishaps,
        void_rounds=block.drawn.void_rounds,
    )
