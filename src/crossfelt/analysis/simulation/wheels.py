"""Simulation of wheels: spun by the player's own hand, or for all bettors by an event among the community cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.irregularities import Wrong
from crossfelt.analysis.simulation.meters import contributions
from crossfelt.analysis.simulation.payoffs import (
    FORFEIT,
    LOST,
    Cents,
    LimitedPayment,
    Prices,
    WagerRounds,
    award,
    counted_cents,
)
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.simulation.ranked_hands import DEALER, DealtCards, shared_places
from crossfelt.analysis.solver.orders import order_of
from crossfelt.games.settlement import Settlement
from crossfelt.kernels.meters import FULL, NO_LIMIT, Claims, Integers
from crossfelt.kernels.random_deals import draws
from crossfelt.kernels.solver.card_sets import classes_of
from crossfelt.progressive.wheels import (
    community_cents,
    event_categories,
    prize_of,
    wheel_for,
)
from crossfelt.rulebooks.choices import COMMUNITY_HAND
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.rulebooks.script import Spin
from crossfelt.table.wheel import spun_for_all

Where = NDArray[np.bool_]


class Spun(NamedTuple):
    """The results of the spins of a block; seats are numbered from 0."""

    payments: Mapping[int, Sequence[LimitedPayment]]
    """Payments by seat, in order."""
    claim_rounds: Integers
    claim_seats: Integers
    """Seats that won the meter, in the order of their claims."""
    chance: Callable[[int], dict[str, Any]]
    """Returns the stops of the wheels in a round as a script writes them."""


class SpinWager:
    """The common part of both kinds of spins: seats with the wager, and its settlement."""

    def __init__(self, game: Game, plan: SimulationPlan, step: Spin, wager: str) -> None:
        self._game = game
        self.wager = wager
        self.meter = next((meter.id for meter in game.book.meters if wager in meter.fed_by), "")
        seats = {place: seat.wagers[wager] for place, seat in enumerate(plan.seats) if wager in seat.wagers}
        reverse = step.order == "counter_clockwise"
        self.stakes = dict(sorted(seats.items(), reverse=reverse))
        """Stakes by seat, in the order of service."""

    def _own(self, wheel: Wheel, won: Where, stops: Integers, lit: Where) -> WagerRounds:
        """Settle the wager itself: lost, won on a slice, or forfeited by a fold."""
        stake = wheel.stake_cents
        back = stake if self._game.settings["spin_stake_returned"] else 0
        slices = [prize_of(self._game, wheel, index).cents for index in range(len(wheel.slices))]
        prizes = [Settlement(result="win", returned=back, paid=cents) for cents in slices]
        outcomes = np.where(lit, np.where(won, 1 + stops, 0), 1 + len(slices)).astype(np.intp)
        return WagerRounds(Prices.of(stake, [LOST, *prizes, FORFEIT]), outcomes)

    def _tops(self, wheel: Wheel) -> Where:
        """Return which slices pay the meter."""
        return np.array([bool(prize_of(self._game, wheel, index).meter) for index in range(len(wheel.slices))])

    def _stops(self, stream: str, rounds: int, wheel: Wheel) -> Integers:
        weights = np.cumsum(self._game.weights(wheel))
        return np.searchsorted(weights, draws(stream, rounds, int(weights[-1])), side="right").astype(np.int64)

    def _payment(self, wagered: WagerRounds, *, community: bool = False) -> LimitedPayment:
        return LimitedPayment(f"{self.wager}_community" if community else self.wager, self.wager, wagered)


class OwnSpins(SpinWager):
    """Every player whose hand triggers a spin spins in turn; some slices also pay the other players."""

    def spin(self, stream: str, triggers: Sequence[Where], given_up: Sequence[Where]) -> Spun:
        """Spin in many rounds: `triggers` marks the rounds in which a hand triggers a spin, `given_up` those in which a
        fold gave up the wager, by seat.
        """
        wheels = {seat: wheel_for(self._game, self.wager, stake) for seat, stake in self.stakes.items()}
        lit = {seat: ~given_up[seat] for seat in self.stakes}
        spins = {seat: triggers[seat] & lit[seat] for seat in self.stakes}
        stops = {
            seat: self._stops(f"{stream}/{self.wager}/{seat}", len(triggers[seat]), wheel)
            for seat, wheel in wheels.items()
        }
        orders = {
            seat: np.where(spins[seat], np.array([s.community for s in wheel.slices]).take(stops[seat]), 0)
            for seat, wheel in wheels.items()
        }
        payments = {}
        for seat, wheel in wheels.items():
            turns = list(self.stakes)
            earlier, later = turns[: turns.index(seat)], turns[turns.index(seat) + 1 :]
            own = self._payment(self._own(wheel, spins[seat], stops[seat], lit[seat]))
            # The limit cuts the last payments first, so the order of spins matters.
            before, after = (self._community(seat, lit[seat], [orders[o] for o in some]) for some in (earlier, later))
            payments[seat] = [*before, own, *after]

        def chance(row: int) -> dict[str, Any]:
            spinning = [seat for seat in wheels if spins[seat][row]]
            return {"wheel": {f"seat{seat + 1}": wheels[seat].places[int(stops[seat][row])] for seat in spinning}}

        won = {
            seat: np.flatnonzero(spins[seat] & self._tops(wheel).take(stops[seat])) for seat, wheel in wheels.items()
        }
        rounds = np.concatenate(list(won.values()))
        seats = np.repeat(list(won), [len(rows) for rows in won.values()])
        in_order = np.argsort(rounds, kind="stable")
        return Spun(payments, rounds[in_order], seats[in_order], chance)

    def _community(self, seat: int, lit: Where, orders: Sequence[Integers]) -> list[LimitedPayment]:
        if not orders:
            return []
        most = max(slice_.community for slice_ in wheel_for(self._game, self.wager, self.stakes[seat]).slices)
        amounts = np.array(
            [community_cents(self._game, self.wager, self.stakes[seat], order) for order in range(most + 1)]
        )
        brought = np.sum([amounts.take(order) for order in orders], axis=0)
        return [self._payment(award(np.where(lit, brought, 0)), community=True)]


class SharedSpins(SpinWager):
    """An event in the community cards spins the wheels for every player with the wager."""

    def spin(self, stream: str, event: Where, given_up: Sequence[Where]) -> Spun:
        """Spin in many rounds: `event` marks the rounds with the event, `given_up` those in which a fold gave up the
        wager, by seat.
        """
        rounds, game = len(event), self._game
        lit = {seat: ~given_up[seat] for seat in self.stakes}
        spun = event & np.logical_or.reduce(list(lit.values()))
        rings = {
            seat: tuple(wheel_for(game, self.wager, stake, ring) for ring in ("hot_spot", "community"))
            for seat, stake in self.stakes.items()
        }
        hot_wheel, community_wheel = next(iter(rings.values()))
        prize = self._stops(f"{stream}/{self.wager}/prize", rounds, hot_wheel)
        shared = self._stops(f"{stream}/{self.wager}/community", rounds, community_wheel)
        hot = self._hot_spot(f"{stream}/{self.wager}/hot_spot", rounds, lit)
        payments, won = {}, {}
        for seat, (own_wheel, own_community) in rings.items():
            is_hot = spun & lit[seat] & (hot == seat)
            own = self._own(own_wheel, is_hot, prize, lit[seat])
            gets = spun & lit[seat] & (True if game.settings["hot_spot_also_community"] else ~is_hot)
            amounts = np.array([slice_.pays_cents or 0 for slice_ in own_community.slices])
            community = award(amounts.take(shared), gets)
            payments[seat] = [self._payment(own), self._payment(community, community=True)]
            won[seat] = np.flatnonzero(is_hot & self._tops(own_wheel).take(prize))
        claim_rounds = np.sort(np.concatenate(list(won.values())))

        def chance(row: int) -> dict[str, Any]:
            if not spun[row]:
                return {}
            stops = {"community": int(shared[row]), "hot_spot": int(hot[row]) + 1, "prize": int(prize[row])}
            return {"xtreme": stops}

        return Spun(payments, claim_rounds, hot.take(claim_rounds), chance)

    def _hot_spot(self, stream: str, rounds: int, lit: Mapping[int, Where]) -> Integers:
        """Draw the seat of the hot spot: any seat of the table, or one of those with the wager."""
        seats = self._game.book.table.seats
        if self._game.settings["xtreme_hot_spot_among"] == "all_seats":
            return draws(stream, rounds, seats)
        # A number divisible by every count of seats, so that all seats are equally likely.
        drawn = draws(stream, rounds, lcm(*range(1, seats + 1)))
        among = np.stack([lit[seat] for seat in sorted(lit)])
        nth = drawn % np.maximum(among.sum(axis=0), 1)
        place = np.argmax(np.cumsum(among, axis=0) > nth, axis=0)
        hot: Integers = np.array(sorted(lit)).take(place)
        return hot


# --- all spins of a block ---


class Spins(NamedTuple):
    """The wheels of a block."""

    claims: Mapping[str, Claims]
    payments: Callable[[Mapping[str, Cents]], dict[int, list[LimitedPayment]]]
    """Returns the payments by seat, numbered from 1, given what the meters grant."""
    chance: Callable[[int], dict[str, Any]]


class Wheels:
    """The wheels on which seats of a plan have wagers."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._fed = plan.fed(game)
        steps = [(step, wager) for step in game.book.script if isinstance(step, Spin) for wager in step.wagers]
        self._wagers = [
            (SharedSpins if spun_for_all(game, wager) else OwnSpins)(game, plan, step, wager)
            for step, wager in steps
            if any(wager in seat.wagers for seat in plan.seats)
        ]
        self.bets = tuple(spins.wager for spins in self._wagers)
        """The wagers that the seats have on wheels."""

    def _event(self, wager: str, dealt: DealtCards) -> Where:
        """Say where the community cards spin the wheels for all bettors."""
        order, enough = order_of(self._game, COMMUNITY_HAND), event_categories(self._game, wager)
        community = dealt.of(DEALER, shared_places(self._game))
        is_event = np.array([rank.category in enough for rank in order.classes])
        return is_event.take(classes_of(community, order.table, np.empty(0, dtype=np.uint8)))

    def spin(
        self,
        stream: str,
        dealt: DealtCards,
        triggers: Mapping[str, Sequence[Where]],
        given_up: Mapping[str, Sequence[Where]],
        before: Sequence[Sequence[LimitedPayment]],
        wrong: Wrong,
    ) -> Spins:
        """Spin in all rounds of a block; `before` has each seat's payments for its hands."""
        spun: dict[OwnSpins | SharedSpins, Spun] = {}
        for spins in self._wagers:
            lost = given_up[spins.wager]
            if isinstance(spins, OwnSpins):
                spun[spins] = spins.spin(stream, [own & ~wrong.void for own in triggers[spins.wager]], lost)
            else:
                spun[spins] = spins.spin(stream, self._event(spins.wager, dealt) & ~wrong.void, lost)
        claims = {
            spins.meter: self._claims(spins.meter, result, before, wrong)
            for spins, result in spun.items()
            if spins.meter in self._fed
        }

        def payments(granted: Mapping[str, Cents]) -> dict[int, list[LimitedPayment]]:
            paid: dict[int, list[LimitedPayment]] = {}
            for spins, result in spun.items():
                for seat in result.payments:
                    own = _with_meter(result, seat, spins.wager, granted.get(spins.meter))
                    paid.setdefault(seat + 1, []).extend(own)
            return paid

        def chance(row: int) -> dict[str, Any]:
            stops: dict[str, Any] = {}
            for result in spun.values():
                stops |= result.chance(row)
            return stops

        return Spins(claims, payments, chance)

    def _claims(self, meter: str, spun: Spun, before: Sequence[Sequence[LimitedPayment]], wrong: Wrong) -> Claims:
        contributed = contributions(self._game, meter, self._fed, wrong.void)
        nothing = np.zeros(len(spun.claim_rounds), dtype=np.int64)
        return Claims(contributed, spun.claim_rounds, nothing + FULL, nothing, self._room(spun, before))

    def _room(self, spun: Spun, before: Sequence[Sequence[LimitedPayment]]) -> Integers:
        """Return the most that a payout limit allows for each claim, if it covers meters."""
        room = np.full(len(spun.claim_rounds), NO_LIMIT, dtype=np.int64)
        if not self._game.settings.get("limit_covers_progressive"):
            return room
        for limit in self._game.book.payout_limits:
            most, covered = self._game.limit_cents(limit), self._game.covered_by(limit)
            for seat in set(spun.claim_seats.tolist()) if most is not None else ():
                own = next(place for place, payment in enumerate(spun.payments[seat]) if payment.entry == payment.wager)
                if spun.payments[seat][own].wager not in covered:
                    continue
                earlier = [*before[seat], *spun.payments[seat][:own]]
                paid = [counted_cents(self._game, one.wagered) for one in earlier if one.wager in covered]
                here = spun.claim_seats == seat
                won = np.sum(paid, axis=0)[spun.claim_rounds[here]]
                room[here] = np.maximum(0, np.minimum(room[here], most - won))
        return room


def _with_meter(spun: Spun, seat: int, wager: str, granted: Cents | None) -> Sequence[LimitedPayment]:
    """Return a seat's payments for its spins, including the meter's."""
    payments = spun.payments.get(seat, ())
    if granted is None or not len(granted):
        return payments
    mine = spun.claim_seats == seat
    meter = {"meter_rounds": spun.claim_rounds[mine], "meter_cents": granted[mine]}
    return [one._replace(wagered=one.wagered._replace(**meter)) if one.entry == wager else one for one in payments]
