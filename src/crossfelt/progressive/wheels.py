"""The wheels of a game: the wheel of a stake, the prizes of its slices, and the triggers of a spin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Literal

import msgspec

from crossfelt.cards.card import Card
from crossfelt.games.made_hands import LARGEST, hand_counts, hands_by_shape
from crossfelt.games.rules import ranker_of, rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.kinds import KINDS
from crossfelt.rulebooks.choices import COMMUNITY_HAND
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import MeterRule, Wheel

Ring = Literal["spin", "hot_spot", "community"]
Top = Literal["fixed", "progressive", "none"]


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """The prize of a slice for the spinner."""

    cents: int = 0
    meter: str = ""
    """The meter whose whole amount is the prize; empty for an amount in cents."""


def stakes(game: Game, wager_id: str) -> tuple[int, ...]:
    """Return the allowed stakes of a spin wager, in cents; each has its own pay table."""
    return tuple(sorted({wheel.stake_cents for wheel in game.wheels if wheel.wager == wager_id}))


def wheel_for(game: Game, wager_id: str, stake_cents: int, ring: Ring = "spin") -> Wheel:
    """Return the wheel of a stake."""
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


def paid_cents(game: Game, wager_id: str, cents: int) -> int:
    """Return what is paid of a prize in cents: a payout limit may cut it."""
    most = game.limit_on(wager_id)
    return cents if most is None else min(cents, most)


def community_cents(game: Game, wager_id: str, stake_cents: int, order: int) -> int:
    """Return the pay of another bettor from the first, second or third community slice, by that bettor's stake
    (AMB-12b) and the table that the operator designates for it (AMB-9b).
    """
    if not order:
        return 0
    pay = next(pay for pay in game.community_pays if (pay.wager, pay.stake_cents) == (wager_id, stake_cents))
    return min(pay.amounts_cents[order - 1])


def meter_of(game: Game, wager_id: str) -> MeterRule:
    """Return the meter that a wager feeds, or would feed."""
    return next(meter for meter in game.book.meters if wager_id in meter.fed_by)


def paying_meter(game: Game, wager_id: str, line: str = "") -> str:
    """Return the meter that pays a wager on a pay line: the one that the line names, or that of the wager."""
    lines = (each for name in game.wager(wager_id).tables for each in game.pays[name].lines if each.name == line)
    return next((each.meter for each in lines if each.meter is not None), meter_of(game, wager_id).id)


def live_meters(game: Game) -> Mapping[str, tuple[str, ...]]:
    """Return the meters in use at this table, each with the wagers that feed it.

    >>> live_meters(compile_game("nj-criss-cross"))
    {'bonus_spin': ('bonus_spin',)}
    >>> live_meters(compile_game("nj-criss-cross", {"wagers": {"bonus_spin": {"top_prize": "fixed"}}}))
    {}
    """
    live = {}
    for meter in game.book.meters:
        wagers = tuple(wager.id for wager in game.opening_wagers.values() if wager.id in meter.fed_by)
        tops = {top_of(game, wheel) for wheel in game.wheels if wheel.wager in wagers}
        if wagers and (not tops or "progressive" in tops):
            live[meter.id] = wagers
    return live


def feeds(game: Game, wager_id: str, stake_cents: int) -> bool:
    """Say if a stake contributes to a meter: not if its own pay table has a fixed top prize."""
    own = [wheel for wheel in game.wheels if (wheel.wager, wheel.stake_cents) == (wager_id, stake_cents)]
    return not own or any(top_of(game, wheel) == "progressive" for wheel in own)


# --- triggers: the player's own hand by the wager's rule, or an event among the community cards ----


@lru_cache(maxsize=64)
def spin_chance(game: Game, wager_id: str) -> Fraction | None:
    """Return the probability that a player's hand spins the wheel of a wager.

    None, where the trigger is not one hand of at most five cards, all of them used, of a deck without jokers.

    >>> spin_chance(compile_game("md-criss-cross"), "bonus_spin")
    Fraction(1, 17)
    """
    wager, rules = game.wager(wager_id), rules_of(game)
    if not wager.hands:
        return Fraction(1)
    hand = next((hand for hand in game.book.hands if hand.id == wager.hands[0]), None)
    if len(wager.hands) > 1 or hand is None or hand.order is None or hand.best or game.book.deck.cards != 52:
        return None
    places = rules.places(hand.id)
    if len(places) > LARGEST:
        return None
    spins = (
        ways
        for cards, ways in hands_by_shape(len(places))
        if rules.spins(wager, Spot(cards=dict(zip(places, cards, strict=True))))
    )
    return Fraction(sum(spins), comb(game.book.deck.cards, len(places)))


def no_spin_return(game: Game, wheel: Wheel) -> str:
    """Say why the return of a wheel is not computed."""
    title = game.wager(wheel.wager).title
    return f"{title}: no exact return, as its trigger is not one hand of at most five cards without jokers."


def event_occurs(game: Game, wager_id: str, community: Sequence[Card]) -> bool:
    """Say if the five community cards are the event that spins the wheels of all bettors (MDC-23, AMB-13)."""
    return ranker_of(game, COMMUNITY_HAND)(community).category in event_categories(game, wager_id)


def event_chance(game: Game, wager_id: str) -> Fraction:
    """Return the probability of the event.

    >>> game = compile_game("md-criss-cross")
    >>> float(event_chance(game, "bonus_spin_xtreme"))         # three of a kind or better
    0.028714562748176194
    """
    counts = hand_counts(ranker_of(game, COMMUNITY_HAND), KINDS[COMMUNITY_HAND].cards)
    return Fraction(sum(counts[name] for name in event_categories(game, wager_id)), sum(counts.values()))


def event_categories(game: Game, wager_id: str) -> tuple[str, ...]:
    """Return the categories that are the event, best first."""
    least = str(game.choices[f"wagers.{wager_id}.qualifying_hand"])
    categories = KINDS[COMMUNITY_HAND].categories
    return categories[: categories.index(least) + 1]
