"""The wheels of a game: the wheel of a stake, the prizes of its slices, and the triggers of a spin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Literal

import msgspec

from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.poker import rank_five
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Match
from crossfelt.rulebooks.model import MeterRule, Wheel

_RANKS, _SUITS = len(RANKS), len(SUITS)
Ring = Literal["spin", "hot_spot", "community"]
Top = Literal["fixed", "progressive", "none"]


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """The prize of a slice for the spinner."""

    cents: int = 0
    meter: str = ""
    """The meter whose whole amount is the prize; empty for an amount in cents."""


def stakes(game: Game, wager_id: str) -> tuple[int, ...]:
    """Return the allowed stakes of a spin wager, in cents; each has its own pay table.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> stakes(compile_game("nj-criss-cross"), "bonus_spin")
    (500,)
    """
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


def paid_cents(game: Game, wager_id: str, cents: int) -> int:
    """Return what is paid of a prize in cents: a payout limit may cut it."""
    most = game.limit_on(wager_id)
    return cents if most is None else min(cents, most)


def community_cents(game: Game, wager_id: str, stake_cents: int, order: int) -> int:
    """Return the pay of another bettor from the first, second or third community slice, by that bettor's stake
    (AMB-12b) and the table that the operator designates for it (AMB-9b).

    >>> from crossfelt.rulebooks.game import compile_game
    >>> [community_cents(compile_game("nj-criss-cross"), "bonus_spin", 500, order) for order in (0, 1, 2, 3)]
    [0, 10000, 5000, 1500]
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
    lines = (each for name in game.wager(wager_id).tables for each in game.pays[name].table.lines if each.name == line)
    return next((each.meter for each in lines if each.meter is not None), meter_of(game, wager_id).id)


def live_meters(game: Game) -> Mapping[str, tuple[str, ...]]:
    """Return the meters in use at this table, each with the wagers that feed it.

    >>> from crossfelt.rulebooks.game import compile_game
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


def slice_at(wheel: Wheel, place: int) -> int | None:
    """Return the index of a slice by its printed position, which is the index where none is printed."""
    return wheel.places.index(place) if place in wheel.places else None


def place_of(wheel: Wheel, index: int) -> int:
    """Return the printed position of a slice, or its index where none is printed."""
    return wheel.places[index]


# --- triggers: a pair in the player's two cards, or an event among the community cards ----


def is_pair(cards: Sequence[Card]) -> bool:
    """Say if two cards are a pair: the trigger of a Bonus Spin (NJC-10, MDC-22)."""
    return len(cards) == 2 and cards[0].rank == cards[1].rank


def is_for_a_pair(game: Game, wager_id: str) -> bool:
    """Say if a pair in the player's two cards triggers the wheel of a wager; only such a spin has exact returns.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> is_for_a_pair(compile_game("md-criss-cross"), "bonus_spin")
    True
    """
    hands = {hand.id: hand for hand in game.book.hands}
    asked = [(hands[hand], mark) for hand, mark in game.wager(wager_id).rule.when.items()]
    pair = Match(hand="pair")
    return len(asked) == 1 and all(hand.order == "two_card" and hand.marks[mark].is_ == pair for hand, mark in asked)


def pair_chance() -> Fraction:
    """Return the probability of a pair in two cards."""
    return Fraction(_RANKS * comb(_SUITS, 2), comb(_RANKS * _SUITS, 2))


def event_occurs(game: Game, community: Sequence[Card]) -> bool:
    """Say if the five community cards are the event that spins the Xtreme wheels (MDC-23, AMB-13)."""
    hand = rank_five(community, ace_low_straight=bool(game.settings["ace_low_straight"]))
    return hand.category in event_categories(game)


def event_chance(game: Game) -> Fraction:
    """Return the probability of the event.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> float(event_chance(compile_game("md-criss-cross")))         # three of a kind or better
    0.028714562748176194
    """
    counts = five_card_counts(ace_low=bool(game.settings["ace_low_straight"]))
    return Fraction(sum(counts[category] for category in event_categories(game)), comb(_RANKS * _SUITS, 5))


def event_categories(game: Game) -> tuple[str, ...]:
    """The categories that are the event, best first."""
    least = str(game.choices["wagers.bonus_spin_xtreme.qualifying_hand"])
    categories = KINDS["five_card"].categories
    return categories[: categories.index(least) + 1]


def five_card_counts(*, ace_low: bool = True) -> dict[str, int]:
    """Count the five-card hands of each category above a high card."""
    runs = _RANKS - 4 + ace_low
    others = _RANKS - 1
    return {
        "royal_flush": _SUITS,
        "straight_flush": _SUITS * (runs - 1),
        "four_of_a_kind": _RANKS * others * _SUITS,
        "full_house": _RANKS * comb(_SUITS, 3) * others * comb(_SUITS, 2),
        "flush": _SUITS * (comb(_RANKS, 5) - runs),
        "straight": runs * (_SUITS**5 - _SUITS),
        "three_of_a_kind": _RANKS * comb(_SUITS, 3) * comb(others, 2) * _SUITS**2,
        "two_pair": comb(_RANKS, 2) * comb(_SUITS, 2) ** 2 * (_RANKS - 2) * _SUITS,
        "pair": _RANKS * comb(_SUITS, 2) * comb(others, 3) * _SUITS**3,
    }
