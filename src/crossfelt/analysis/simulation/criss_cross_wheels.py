"""Everything that is paid after the hands of Criss Cross Poker: wheels are spun, meters answer, limits cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crossfelt.analysis.simulation.meters import Claims
from crossfelt.analysis.simulation.mishaps import Mishaps, Wrong
from crossfelt.analysis.simulation.plan import Plan
from crossfelt.analysis.simulation.spins import BONUS_SPIN, BonusSpins, Spun, Where, XtremeSpins
from crossfelt.analysis.simulation.wagered import Cents, Outcomes, Payment, Wagered, counted_cents, cut_at_limit
from crossfelt.hands.strength import hand_classes
from crossfelt.kernels.inputs import Hands
from crossfelt.kernels.meters import NO_LIMIT, Integers
from crossfelt.progressive.qualifying import event_categories
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Spin


class Spins(NamedTuple):
    """The wheels of a block."""

    claims: Mapping[str, Claims]
    settle: Callable[[Mapping[str, Cents]], tuple[dict[str, Wagered], ...]]
    chance: Callable[[int], dict[str, Any]]


class Wheels:
    """The wheels that seats of a plan have wagers on, ready to be spun block by block."""

    def __init__(self, game: Game, plan: Plan, mishaps: Mishaps) -> None:
        self._game = game
        self._mishaps = mishaps
        self._taken_back = game.settings.get("void_contributions") == "reversed"
        self._fed = plan.fed(game)
        steps = [(step, wager) for step in game.book.script if isinstance(step, Spin) for wager in step.wagers]
        self._wagers = [
            (BonusSpins if wager == BONUS_SPIN else XtremeSpins)(game, plan, step, wager)
            for step, wager in steps
            if any(wager in seat.wagers for seat in plan.seats)
        ]
        self._event: Where = np.empty(0, dtype=bool)
        if any(isinstance(spins, XtremeSpins) for spins in self._wagers):
            enough = event_categories(game)
            classes = hand_classes(ace_low_straight=bool(game.settings["ace_low_straight"]))
            self._event = np.array([rank.category in enough for rank in classes])

    def spin(
        self,
        stream: str,
        holes: Sequence[Hands],
        community: Outcomes,
        folded: Sequence[Where],
        before: Sequence[Sequence[Payment]],
        wrong: Wrong,
    ) -> Spins:
        """All spins of a block; `before` has what each seat is paid for its hands."""
        spun: dict[BonusSpins | XtremeSpins, Spun] = {}
        for spins in self._wagers:
            if isinstance(spins, BonusSpins):
                pairs = [(hole[:, 0] >> 2 == hole[:, 1] >> 2) & ~wrong.void for hole in holes]
                spun[spins] = spins.spin(stream, pairs, folded)
            else:
                spun[spins] = spins.spin(stream, self._event.take(community) & ~wrong.void, folded)
        claims = {
            spins.meter: self._claims(spins.meter, result, before, wrong)
            for spins, result in spun.items()
            if spins.meter in self._fed
        }

        def settle(granted: Mapping[str, Cents]) -> tuple[dict[str, Wagered], ...]:
            seats = []
            for seat, payments in enumerate(before):
                paid = list(payments)
                for spins, result in spun.items():
                    paid += _with_meter(result, seat, spins.wager, granted.get(spins.meter))
                seats.append(cut_at_limit(self._game, self._mishaps.put_right(paid, wrong)))
            return tuple(seats)

        def chance(row: int) -> dict[str, Any]:
            stops: dict[str, Any] = {}
            for result in spun.values():
                stops |= result.chance(row)
            return stops

        return Spins(claims, settle, chance)

    def _claims(self, meter: str, spun: Spun, before: Sequence[Sequence[Payment]], wrong: Wrong) -> Claims:
        rate = self._game.whole(f"meters.{meter}.rate_per_million")
        fed = ~wrong.void if self._taken_back else np.ones_like(wrong.void)
        contributed = fed * np.int64(self._fed[meter] * rate)
        return Claims.of_jackpots(contributed, spun.claim_rounds, self._room(spun, before))

    def _room(self, spun: Spun, before: Sequence[Sequence[Payment]]) -> Integers:
        """What a payout limit leaves of each claim, where it covers a meter at all."""
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


def _with_meter(spun: Spun, seat: int, wager: str, granted: Cents | None) -> Sequence[Payment]:
    """What a seat is paid for its spins, with what the meter has paid."""
    payments = spun.payments.get(seat, ())
    if granted is None or not len(granted):
        return payments
    mine = spun.claim_seats == seat
    meter = {"meter_rounds": spun.claim_rounds[mine], "meter_cents": granted[mine]}
    return [one._replace(wagered=one.wagered._replace(**meter)) if one.entry == wager else one for one in payments]
