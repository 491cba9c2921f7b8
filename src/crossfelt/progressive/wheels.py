"""The wheels of a game: which wheel a stake is paid by, and what each slice is worth to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import MeterRule, Wheel

Ring = Literal["spin", "hot_spot", "community"]
Top = Literal["fixed", "progressive", "none"]


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """The prize of a slice for the player it stops for."""

    cents: int = 0
    meter: str = ""
    """The meter whose whole amount it is, where it is that."""


def stakes(game: Game, wager_id: str) -> tuple[int, ...]:
    """The stakes that a spin wager may have, in cents: each has a pay table of its own.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> stakes(compile_game("nj-criss-cross"), "bonus_spin")
    (500,)
    """
    return tuple(sorted({wheel.stake_cents for wheel in game.wheels if wheel.wager == wager_id}))


def wheel_for(game: Game, wager_id: str, stake_cents: int, ring: Ring = "spin") -> Wheel:
    """The wheel by which a stake is paid."""
    return next(
        wheel for wheel in game.wheels if (wheel.wager, wheel.ring, wheel.stake_cents) == (wager_id, ring, stake_cents)
    )


def top_of(game: Game, wheel: Wheel) -> Top:
    """Return the prize of the top slice; the operator's choice where the document leaves it open."""
    if wheel.top != "either":
        return wheel.top
    return "fixed" if game.choices[f"wagers.{wheel.wager}.top_prize"] == "fixed" else "progressive"


def prize_of(game: Game, wheel: Wheel, index: int) -> Prize:
    """Return the prize of a slice. A community slice is paid as printed (NJC-48, AMB-9).

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> wheel = wheel_for(game, "bonus_spin", 500)
    >>> prize_of(game, wheel, 0), prize_of(game, wheel, 1)
    (Prize(cents=0, meter='bonus_spin'), Prize(cents=250000, meter=''))
    """
    cents = wheel.slices[index].pays_cents
    if cents is not None:
        return Prize(cents=cents)
    if top_of(game, wheel) == "progressive":
        return Prize(meter=meter_of(game, wheel.wager).id)
    second = game.choices.get(f"wagers.{wheel.wager}.paytable_other") == wheel.letter
    return Prize(cents=game.whole(f"wagers.{wheel.wager}.fixed_prize_{'other_' if second else ''}cents"))


def community_cents(game: Game, wager_id: str, stake_cents: int, order: int) -> int:
    """Return the pay of another bettor from the first, second or third community slice, by that bettor's stake
    (AMB-12b).

    >>> from crossfelt.rulebooks.game import compile_game
    >>> [community_cents(compile_game("nj-criss-cross"), "bonus_spin", 500, order) for order in (0, 1, 2, 3)]
    [0, 10000, 5000, 1500]
    """
    if not order:
        return 0
    letter = wheel_for(game, wager_id, stake_cents).letter
    pay = next(pay for pay in game.community_pays if (pay.wager, pay.letter) == (wager_id, letter))
    return min(pay.amounts_cents[order - 1])


def meter_of(game: Game, wager_id: str) -> MeterRule:
    """The meter that a wager feeds, or would feed."""
    return next(meter for meter in game.book.meters if wager_id in (meter.wager, *meter.also))


def live_meters(game: Game) -> Mapping[str, tuple[str, ...]]:
    """The meters that run at this table, each with the wagers it takes that feed it.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> live_meters(compile_game("nj-criss-cross"))
    {'bonus_spin': ('bonus_spin',)}
    >>> live_meters(compile_game("nj-criss-cross", {"wagers": {"bonus_spin": {"top_prize": "fixed"}}}))
    {}
    """
    live = {}
    for meter in game.book.meters:
        wagers = tuple(wager.id for wager in game.opening_wagers.values() if wager.id in (meter.wager, *meter.also))
        tops = {top_of(game, wheel) for wheel in game.wheels if wheel.wager in wagers}
        if wagers and (not tops or "progressive" in tops):
            live[meter.id] = wagers
    return live


def feeds(game: Game, wager_id: str, stake_cents: int) -> bool:
    """Say if a stake contributes to a meter: not where its own pay table has a fixed prize at the top."""
    own = [wheel for wheel in game.wheels if (wheel.wager, wheel.stake_cents) == (wager_id, stake_cents)]
    return not own or any(top_of(game, wheel) == "progressive" for wheel in own)


def slice_at(wheel: Wheel, place: int) -> int | None:
    """The index of a slice by its printed position; where none is printed, the place is the index.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> wheel = compile_game("nj-criss-cross").wheels[0]
    >>> slice_at(wheel, 8), slice_at(wheel, 12)
    (2, None)
    """
    places = [index if slice_.position is None else slice_.position for index, slice_ in enumerate(wheel.slices)]
    return places.index(place) if place in places else None


def place_of(wheel: Wheel, index: int) -> int:
    """The place of a slice as people name it: its printed position, or its index."""
    position = wheel.slices[index].position
    return index if position is None else position
