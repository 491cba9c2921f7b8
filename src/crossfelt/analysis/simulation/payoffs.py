"""Wagers over many rounds: the outcome of each round, and the price of each outcome.

An outcome is a number, such as a class of hands or a multiple of the ante with a class. The rules of the game compute
the price of each outcome once; a million rounds only look it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.games.settlement import Result, Settlement
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Settle

Cents = NDArray[np.int64]
Outcomes = NDArray[np.intp]

RESULTS: Final[tuple[str, ...]] = get_args(Result)
MONEY: Final = ("stake", "returned", "paid", "commission", "limited")

FORFEIT: Final = Settlement(result="forfeit")
LOST: Final = Settlement(result="lose")


class Prices(msgspec.Struct, frozen=True):
    """The settlement of each outcome of a wager; a result of -1 means that the wager is not made."""

    stake: Cents
    returned: Cents
    paid: Cents
    commission: Cents
    result: NDArray[np.int8]

    @property
    def net(self) -> Cents:
        return self.returned + self.paid - self.commission - self.stake

    @classmethod
    def of(cls, stake: int, settled: Sequence[Settlement]) -> Prices:
        """Make prices from the settlement of a stake by outcome."""
        return cls(
            stake=np.full(len(settled), stake, dtype=np.int64),
            returned=np.array([one.returned for one in settled], dtype=np.int64),
            paid=np.array([one.paid for one in settled], dtype=np.int64),
            commission=np.array([one.commission for one in settled], dtype=np.int64),
            result=np.array([RESULTS.index(one.result) for one in settled], dtype=np.int8),
        )

    @classmethod
    def not_made(cls, outcomes: int) -> Prices:
        nothing = np.zeros(outcomes, dtype=np.int64)
        return cls(nothing, nothing, nothing, nothing, np.full(outcomes, -1, dtype=np.int8))

    @classmethod
    def joined(cls, *parts: Prices) -> Prices:
        """Concatenate prices; outcomes are numbered part after part."""
        arrays = zip(*map(msgspec.structs.astuple, parts), strict=True)
        return cls(*(np.concatenate(of_parts) for of_parts in arrays))


class WagerRounds(NamedTuple):
    """One wager of one seat in each round."""

    prices: Prices
    outcomes: Outcomes
    cut_rounds: NDArray[np.intp] = np.empty(0, dtype=np.intp)
    """Rounds in which a payout limit cut the payment, and the amounts cut."""
    cut_cents: Cents = np.empty(0, dtype=np.int64)
    meter_rounds: NDArray[np.intp] = np.empty(0, dtype=np.intp)
    """Rounds in which a meter pays, and the amounts."""
    meter_cents: Cents = np.empty(0, dtype=np.int64)

    @property
    def net(self) -> Cents:
        net: Cents = self.prices.net.take(self.outcomes)
        np.add.at(net, self.meter_rounds, self.meter_cents)
        np.subtract.at(net, self.cut_rounds, self.cut_cents)
        return net

    @property
    def paid(self) -> Cents:
        """Payments before a payout limit."""
        paid: Cents = self.prices.paid.take(self.outcomes)
        np.add.at(paid, self.meter_rounds, self.meter_cents)
        return paid

    @property
    def most_paid(self) -> int:
        return int(self.prices.paid.max()) + int(self.meter_cents.sum())

    @property
    def stake(self) -> Cents:
        return self.prices.stake.take(self.outcomes)

    def settled(self, round_: int) -> dict[str, int | str] | None:
        """Return one round as a table settles it; None if the wager was not made."""
        outcome = self.outcomes[round_]
        if self.prices.result[outcome] < 0:
            return None
        limited = int(self.cut_cents[self.cut_rounds == round_].sum())
        granted = int(self.meter_cents[self.meter_rounds == round_].sum())
        told: dict[str, int | str] = {name: int(getattr(self.prices, name)[outcome]) for name in MONEY[:-1]}
        told["result"] = RESULTS[self.prices.result[outcome]]
        return told | {"paid": int(self.prices.paid[outcome]) + granted - limited, "limited": limited}


def award(cents: Cents, brought: NDArray[np.bool_] | None = None) -> WagerRounds:
    """Make an award without a stake: amounts by round, where it is paid."""
    rounds = np.flatnonzero(cents if brought is None else brought)
    different, places = np.unique(cents[rounds], return_inverse=True)
    outcomes: Outcomes = np.zeros(len(cents), dtype=np.intp)
    outcomes[rounds] = 1 + places
    won = [Settlement(result="win", paid=int(amount)) for amount in different]
    return WagerRounds(Prices.joined(Prices.not_made(1), Prices.of(0, won)), outcomes)


def settled_in_order(game: Game) -> tuple[str, ...]:
    """List the wagers in the order of settlement."""
    steps = [step for step in game.book.script if isinstance(step, Settle)]
    return tuple(wager for step in steps for wager in step.wagers)


class LimitedPayment(NamedTuple):
    """A payment to a seat at one point of the round."""

    entry: str
    """Name of the wager or award."""
    wager: str
    """Wager for which it is paid."""
    wagered: WagerRounds


def cut_at_limit(game: Game, payments: Sequence[LimitedPayment]) -> dict[str, WagerRounds]:
    """Return the payments of a seat in order, cut at the payout limit.

    Covered payments count as they are made, so the limit cuts the last ones. Payments of one entry are combined,
    awards after wagers.
    """
    cut = list(payments)
    for limit in game.book.payout_limits:
        most = game.limit_cents(limit)
        covered = [place for place, payment in enumerate(cut) if payment.wager in game.covered_by(limit)]
        if most is None or sum(cut[place].wagered.most_paid for place in covered) <= most:
            continue
        paid = [counted_cents(game, cut[place].wagered) for place in covered]
        rounds = np.flatnonzero(np.sum(paid, axis=0) > most)
        won: Cents = np.zeros(len(rounds), dtype=np.int64)
        for place, cents in zip(covered, paid, strict=True):
            over = np.clip(won + cents[rounds] - most, 0, cents[rounds])
            wagered = cut[place].wagered._replace(cut_rounds=rounds, cut_cents=over)
            cut[place] = cut[place]._replace(wagered=wagered)
            won += cents[rounds] - over
    entries: dict[str, WagerRounds] = {}
    for payment in sorted(cut, key=lambda payment: payment.entry != payment.wager):
        before = entries.get(payment.entry)
        entries[payment.entry] = payment.wagered if before is None else _together(before, payment.wagered)
    return entries


def counted_cents(game: Game, wagered: WagerRounds) -> Cents:
    """Return the amounts that count toward a payout limit; an award of a meter counts only if the game says so."""
    return wagered.paid if game.settings.get("limit_covers_progressive") else wagered.prices.paid.take(wagered.outcomes)


def _together(one: WagerRounds, other: WagerRounds) -> WagerRounds:
    """Combine two payments of an award."""
    made = [part.prices.result.take(part.outcomes) >= 0 for part in (one, other)]
    both = award(one.paid + other.paid, made[0] | made[1])
    return both._replace(
        cut_rounds=np.concatenate([one.cut_rounds, other.cut_rounds]),
        cut_cents=np.concatenate([one.cut_cents, other.cut_cents]),
    )
