"""The exact return of a wager with a meter, as a function of the meter and in the long run.

The return is the mean payment for a stake, including the stake itself where it is returned. A payout limit cuts each
prize separately; other wagers of the round, which may use up a part of it, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import msgspec

from crossfelt.progressive import wheels
from crossfelt.progressive.meter import MICROS
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.rulebooks.script import Decide


class MeterAward(msgspec.Struct, frozen=True):
    """An award from a meter: its percentage of the meter, and its probability for a wager."""

    percent: int
    chance: Fraction


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The mean return of a cent staked, and its square."""

    mean: Fraction
    square: Fraction

    @classmethod
    def of(cls, stake_cents: int, outcomes: Iterable[tuple[Fraction, int | Fraction]]) -> Self:
        """Combine outcomes, each with its probability and its payment for a stake in cents.

        >>> Part.of(2, [(Fraction(1, 2), 4)])
        Part(mean=Fraction(1, 1), square=Fraction(2, 1))
        """
        brought = [(chance, Fraction(cents, stake_cents)) for chance, cents in outcomes]
        mean = sum((chance * back for chance, back in brought), Fraction(0))
        return cls(mean=mean, square=sum((chance * back * back for chance, back in brought), Fraction(0)))


class WagerReturn(msgspec.Struct, frozen=True, kw_only=True):
    """The return of one wager: a part without the meter, and a part that depends on it."""

    stake_cents: int
    own: Part
    """The return of the wager itself, independent of the meter."""
    apart: Mapping[str, Part] = {}
    """The returns of awards paid beside it, by name."""
    awards: tuple[MeterAward, ...] = ()
    drawn_cents: Fraction = Fraction(0)
    """The mean cents of odds that a wager draws from the meter's pool, as far as the pool covers them."""
    rate_per_million: int = 0
    reset_cents: int = 0
    limit_cents: int | None = None
    """The most the meter pays for one jackpot; what goes beyond waits for the next."""

    @property
    def fixed(self) -> Fraction:
        """Return the mean return of a cent staked, without the meter."""
        return self.own.mean + sum((part.mean for part in self.apart.values()), Fraction(0))

    @property
    def slope(self) -> Fraction:
        """Return the addition to the return by each cent on the meter."""
        return self.meter_share / self.stake_cents

    @property
    def meter_share(self) -> Fraction:
        """The part of the meter that a wager brings on average."""
        return sum((award.chance * award.percent / 100 for award in self.awards), Fraction(0))

    def at(self, meter_cents: int | Fraction) -> Fraction:
        """Compute the return at an amount of the meter, which pays at most its limit."""
        return self.fixed + self.slope * self._shown(meter_cents)

    def _shown(self, meter_cents: int | Fraction) -> int | Fraction:
        return meter_cents if self.limit_cents is None else min(meter_cents, self.limit_cents)

    @property
    def break_even_cents(self) -> Fraction | None:
        """The meter at which the return equals the stake; None if there is no such meter."""
        if not self.slope or self.fixed > 1:
            return None
        even = (1 - self.fixed) / self.slope
        return even if self._shown(even) == even else None

    @property
    def cycle(self) -> Fraction | None:
        """The mean number of wagers from one full award to the next."""
        chance = sum((award.chance for award in self.awards if award.percent == 100), Fraction(0))
        return 1 / chance if chance else None

    @property
    def contribution_cents(self) -> Fraction:
        """A wager's contribution to the meter."""
        return Fraction(self.stake_cents * self.rate_per_million, MICROS)

    @property
    def average_meter_cents(self) -> Fraction | None:
        """The long-run mean of the meter at the moment of a claim, where deposits equal payments.

        Each wager adds its contribution, draws the odds charged to the meter, and pays its share of the meter; each
        full award adds the reset amount. If deposits exceed the payments at a limit, the meter stays at its limit. No
        award but the full one takes the pool below its reset amount (AMB-23); with such awards this is a bound.
        """
        cycle = self.cycle
        if cycle is None:
            return None
        mean = (self.contribution_cents - self.drawn_cents + self.reset_cents / cycle) / self.meter_share
        return Fraction(self._shown(max(mean, Fraction(self.reset_cents)) if self.is_bound else mean))

    @property
    def is_bound(self) -> bool:
        """Say if the average meter, and with it the long-run return, is a lower bound and not exact."""
        return self.drawn_cents > 0 or any(award.percent < 100 for award in self.awards)

    @property
    def long_run(self) -> Fraction:
        """The long-run return, with the meter at its average."""
        average = self.average_meter_cents
        return self.fixed if average is None else self.at(average)


def fold_note(game: Game) -> str:
    """Say which folds give a spin wager up: the returns of wheels are of players who stay in.

    >>> fold_note(compile_game("nj-criss-cross"))
    'A fold at down or middle gives up the spin wager; the returns are those of players who do not fold there.'
    >>> fold_note(compile_game("md-criss-cross"))
    ''
    """
    spins = {wager.id for wager in game.wagers if wager.spins}
    decides = (step for step in game.book.script if isinstance(step, Decide))
    lost = [step.wager for step in decides if spins.intersection(game.fold_forfeits(step))]
    what = "gives up the spin wager; the returns are those of players who do not fold there."
    return f"A fold at {' or '.join(lost)} {what}" if lost else ""


def wheel_return(game: Game, wheel: Wheel, others: int = 0) -> WagerReturn | None:
    """Return a wheel's return for one bettor, with `others` more bettors.

    None of a community wheel, which pays with the hot spot wheel, and where the chance of a spin is not known.

    >>> game = compile_game("nj-criss-cross")
    >>> alone, with_five = (wheel_return(game, game.wheels[0], others) for others in (0, 5))
    >>> [round(float(wager.at(10_000_00)), 4) for wager in (alone, with_five)]
    [0.6918, 0.8275]
    """
    if wheel.ring == "hot_spot":
        return _hot_spot_return(game, wheel, others)
    trigger = wheels.spin_chance(game, wheel.wager) if wheel.ring == "spin" else None
    if trigger is None:
        return None
    shared = [
        (others * trigger * chance, wheels.community_cents(game, wheel.wager, wheel.stake_cents, slice_.community))
        for chance, slice_ in zip(_chances(game, wheel), wheel.slices, strict=True)
    ]
    return _spun(game, wheel, trigger, shared)


def _hot_spot_return(game: Game, wheel: Wheel, others: int) -> WagerReturn:
    """Return the return of wheels that one event spins for all bettors; the others may have any stake."""
    community = wheels.wheel_for(game, wheel.wager, wheel.stake_cents, "community")
    among = others + 1 if game.settings["xtreme_hot_spot_among"] == "wagered_seats" else game.book.table.seats
    is_hot_spot, event = Fraction(1, among), wheels.event_chance(game, wheel.wager)
    gets = event if game.settings["hot_spot_also_community"] else event * (1 - is_hot_spot)
    shared = [
        (gets * chance, slice_.pays_cents or 0)
        for chance, slice_ in zip(_chances(game, community), community.slices, strict=True)
    ]
    return _spun(game, wheel, event * is_hot_spot, shared)


Outcomes = Sequence[tuple[Fraction, int]]


def _spun(game: Game, wheel: Wheel, trigger: Fraction, shared: Outcomes) -> WagerReturn:
    stake, chances = wheel.stake_cents, _chances(game, wheel)
    prizes = [wheels.prize_of(game, wheel, index) for index in range(len(wheel.slices))]
    back = stake if game.settings["spin_stake_returned"] else 0
    own = [
        (trigger * chance, wheels.paid_cents(game, wheel.wager, prize.cents) + back)
        for chance, prize in zip(chances, prizes, strict=True)
    ]
    jackpot = trigger * sum((chance for chance, prize in zip(chances, prizes, strict=True) if prize.meter), Fraction(0))
    parts: dict[str, Any] = {"own": Part.of(stake, own), "apart": {f"{wheel.wager}_community": Part.of(stake, shared)}}
    if wheels.top_of(game, wheel) != "progressive":
        return WagerReturn(stake_cents=stake, **parts)
    meter = f"meters.{wheels.meter_of(game, wheel.wager).id}"
    return WagerReturn(
        stake_cents=stake,
        **parts,
        awards=(MeterAward(100, jackpot),),
        rate_per_million=game.whole(f"{meter}.rate_per_million"),
        reset_cents=game.whole(f"{meter}.reset_cents"),
        limit_cents=_most_of_meter(game, wheel.wager, game.stated_whole(f"{meter}.limit_cents")),
    )


def _most_of_meter(game: Game, wager_id: str, shown_cents: int | None) -> int | None:
    """Return the most that a jackpot pays: the meter's own limit, or a payout limit that covers meters.

    Either way the rest stays in the pool for the next jackpot.
    """
    if not game.settings.get("limit_covers_progressive"):
        return shown_cents
    limits = [cents for cents in (shown_cents, game.limit_on(wager_id)) if cents is not None]
    return min(limits, default=None)


def _chances(game: Game, wheel: Wheel) -> list[Fraction]:
    """Return the probability of each slice of a wheel."""
    weights = game.weights(wheel)
    return [Fraction(weight, sum(weights)) for weight in weights]
