"""What a wager with a meter returns: exactly, as a function of the meter, and in the long run.

The return is what comes back of a stake on average, the stake itself included where it is handed back. A payout
limit is left out of account.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from crossfelt.progressive.micros import MICROS
from crossfelt.progressive.qualifying import event_chance, pair_chance
from crossfelt.progressive.wheels import community_cents, meter_of, prize_of, top_of, wheel_for
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel


class MeterAward(msgspec.Struct, frozen=True):
    """An award out of a meter: how much of it, and how often a wager brings it."""

    percent: int
    chance: Fraction


class WagerReturn(msgspec.Struct, frozen=True, kw_only=True):
    """The return of one wager: what does not hang on the meter, and what does."""

    stake_cents: int
    fixed: Fraction
    """What comes back of a cent staked, whatever the meter shows."""
    community: Fraction = Fraction(0)
    """The part of it that wheels of other bettors, or a wheel for everybody, bring."""
    awards: tuple[MeterAward, ...] = ()
    drawn_cents: Fraction = Fraction(0)
    """What a wager draws from the meter's pool on average besides: odds that are charged to it."""
    rate_per_million: int = 0
    reset_cents: int = 0

    @property
    def slope(self) -> Fraction:
        """What each cent on the meter adds to the return."""
        return self._meter_share / self.stake_cents

    @property
    def _meter_share(self) -> Fraction:
        """The part of the meter that a wager brings on average."""
        return sum((award.chance * award.percent / 100 for award in self.awards), Fraction(0))

    def at(self, meter_cents: int | Fraction) -> Fraction:
        """The return while the meter shows so much."""
        return self.fixed + self.slope * meter_cents

    @property
    def break_even_cents(self) -> Fraction | None:
        """The meter at which the return is exactly the stake; None where no meter brings that about."""
        return (1 - self.fixed) / self.slope if self.slope and self.fixed <= 1 else None

    @property
    def cycle(self) -> Fraction | None:
        """How many wagers there are, on average, from one full award to the next."""
        chance = sum((award.chance for award in self.awards if award.percent == 100), Fraction(0))
        return 1 / chance if chance else None

    @property
    def contribution_cents(self) -> Fraction:
        """What a wager adds to the meter."""
        return Fraction(self.stake_cents * self.rate_per_million, MICROS)

    @property
    def average_meter_cents(self) -> Fraction | None:
        """The mean of the meter at the moment of a claim, over a long time: what goes in is what is paid.

        Each wager adds its contribution, draws what odds are charged, and pays its share of the meter; each full
        award brings the reset amount.
        """
        cycle = self.cycle
        if cycle is None:
            return None
        return (self.contribution_cents - self.drawn_cents + self.reset_cents / cycle) / self._meter_share

    @property
    def long_run(self) -> Fraction:
        """The return over a long time, with the meter at its average."""
        average = self.average_meter_cents
        return self.fixed if average is None else self.at(average)


def spin_return(game: Game, wheel: Wheel, others: int = 0) -> WagerReturn:
    """The Bonus Spin for one bettor, with so many others who staked the same.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> alone, with_five = (spin_return(game, game.wheels[0], others) for others in (0, 5))
    >>> [round(float(wager.at(10_000_00)), 4) for wager in (alone, with_five)]
    [0.6918, 0.8275]
    """
    weights, stake = game.weights(wheel), wheel.stake_cents
    prizes = [prize_of(game, wheel, index) for index in range(len(wheel.slices))]
    trigger, whole = pair_chance(), sum(weights)
    own = Fraction(sum(weight * prize.cents for weight, prize in zip(weights, prizes, strict=True)), whole)
    if game.settings["spin_stake_returned"]:
        own += stake
    community = _mean(weights, (community_cents(game, wheel.wager, stake, slice_.community) for slice_ in wheel.slices))
    tops = sum(weight for weight, prize in zip(weights, prizes, strict=True) if prize.meter)
    shared = trigger * others * community / stake
    fixed = trigger * own / stake + shared
    if top_of(game, wheel) != "progressive":
        return WagerReturn(stake_cents=stake, fixed=fixed, community=shared)
    return _with_meter(game, wheel, fixed, shared, trigger * Fraction(tops, whole))


def xtreme_return(game: Game, stake_cents: int, others: int = 0) -> WagerReturn:
    """Bonus Spin Xtreme for one bettor of a stake, with so many others of whatever stake."""
    hot_spot = wheel_for(game, "bonus_spin_xtreme", stake_cents, "hot_spot")
    community = wheel_for(game, "bonus_spin_xtreme", stake_cents, "community")
    among = others + 1 if game.settings["xtreme_hot_spot_among"] == "wagered_seats" else game.book.table.seats
    is_hot_spot, event = Fraction(1, among), event_chance(game)
    weights = game.weights(hot_spot)
    prizes = [prize_of(game, hot_spot, index) for index in range(len(hot_spot.slices))]
    own = _mean(weights, (prize.cents for prize in prizes))
    shared = _mean(game.weights(community), (slice_.pays_cents or 0 for slice_ in community.slices))
    if not game.settings["hot_spot_also_community"]:
        shared *= 1 - is_hot_spot
    tops = Fraction(sum(weight for weight, prize in zip(weights, prizes, strict=True) if prize.meter), sum(weights))
    if game.settings["spin_stake_returned"]:
        own += stake_cents
    for_all = event * shared / stake_cents
    fixed = for_all + event * is_hot_spot * own / stake_cents
    return _with_meter(game, hot_spot, fixed, for_all, event * is_hot_spot * tops)


def _with_meter(game: Game, wheel: Wheel, fixed: Fraction, community: Fraction, chance: Fraction) -> WagerReturn:
    meter = f"meters.{meter_of(game, wheel.wager).id}"
    return WagerReturn(
        stake_cents=wheel.stake_cents,
        fixed=fixed,
        community=community,
        awards=(MeterAward(100, chance),),
        rate_per_million=game.whole(f"{meter}.rate_per_million"),
        reset_cents=game.whole(f"{meter}.reset_cents"),
    )


def _mean(weights: Sequence[int], amounts: Iterable[int]) -> Fraction:
    total = sum(weight * amount for weight, amount in zip(weights, amounts, strict=True))
    return Fraction(total, sum(weights))
