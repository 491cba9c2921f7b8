"""Wheels and meters in plain dealer's English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from crossfelt.money import dollars
from crossfelt.progressive.micros import MICROS, in_cents
from crossfelt.progressive.wheels import Ring, stakes, wheel_for
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.wording import plain
from crossfelt.table import award_events as a
from crossfelt.table.telling_words import card_words, in_a_row, seats_words, title_of


def meter_title(meter: str, game: Game) -> str:
    """What a meter is called."""
    return next(rule.title for rule in game.book.meters if rule.id == meter)


def exactly(micros: int) -> str:
    """Millionths of a cent as dollars, with as many places as it takes.

    >>> exactly(35_000_000), exactly(7_123_400), exactly(100_000_000)
    ('$0.35', '$0.071234', '$1')
    """
    whole, part = divmod(micros, MICROS)
    if not part:
        return dollars(whole)
    return f"${whole // 100:,}.{whole % 100:02}{part:06}".rstrip("0")


def _fed(event: a.ContributionMade, game: Game) -> str:
    return f"The wagers add {exactly(event.micros)} to the {meter_title(event.meter, game)}"


def _unfed(event: a.ContributionReversed, game: Game) -> str:
    return f"The void round takes {exactly(event.micros)} back from the {meter_title(event.meter, game)}"


def _spun(event: a.WheelSpun, game: Game) -> str:
    prize = f"the {meter_title(event.meter, game)}" if event.meter else dollars(event.prize_cents)
    others = ", and the others with the wager are paid too" if event.community else ""
    return f"Seat {event.seat} shows {card_words(event.cards)} and spins the wheel: {event.place}, {prize}{others}"


def _xtreme(event: a.XtremeSpun, game: Game) -> str:
    shared = _by_stake(game, event.wager, "community", event.community)
    prize = (
        f"the {meter_title(event.meter, game)}"
        if event.meter
        else _by_stake(game, event.wager, "hot_spot", event.prize)
    )
    return f"The wheels stop: {shared} to everybody with the wager; seat {event.hot_spot} is the hot spot: {prize}"


def _by_stake(game: Game, wager_id: str, ring: Ring, index: int) -> str:
    """What a slice pays for each stake that may be made."""
    wheels = [wheel_for(game, wager_id, stake, ring) for stake in stakes(game, wager_id)]
    paid = {dollars(wheel.stake_cents): wheel.slices[index].pays_cents for wheel in wheels}
    told = [
        f"{dollars(cents)} for {stake}" if len(paid) > 1 else dollars(cents) for stake, cents in paid.items() if cents
    ]
    return in_a_row(told) if told else "the top prize"


def _drawn(event: a.AwardsDrawn, _: Game) -> str:
    told = [f"{card_words([event.magic_card])} is the magic card"] if event.magic_card is not None else []
    told += [f"seat {event.lucky_seat} is the Lucky Player"] if event.lucky_seat else []
    told += ["the dealer is the Lucky Dealer"] if event.lucky_dealer else []
    return f"The progressive system draws: {in_a_row(told) if told else 'no award'}"


def _won(event: a.AwardWon, _: Game) -> str:
    hand = f" in {event.hand}" if event.hand else ""
    return f"Seat {event.seat} wins the {plain(event.award)} award{hand}: {dollars(event.cents)}"


def _verified(event: a.AwardVerified, game: Game) -> str:
    won = [*([event.hand] if event.hand else []), *map(plain, event.awards)]
    return f"Dealer verifies seat {event.seat}'s {title_of(event.wager, game)}: {in_a_row(won)}"


def _validated(event: a.AwardValidated, game: Game) -> str:
    return f"A {game.settings['supervisor_title']} validates it for seat {event.seat}"


def _documented(event: a.DocumentsCompleted, _: Game) -> str:
    return f"The documents of seat {event.seat}'s award are done ({event.document}); its cards may go"


def _claimed(event: a.AwardClaimed, game: Game) -> str:
    whose = seats_words([seat for seat, _ in event.winners]).capitalize()
    part = f"{event.percent} percent of " if event.percent else f"{dollars(event.cents)} from "
    what = "" if event.percent == 100 else part
    claims = "claims" if len(event.winners) == 1 else "claim"
    return f"{whose} {claims} {what}the {meter_title(event.meter, game)}"


def _granted(event: a.AwardGranted, game: Game) -> str:
    paid, left = dollars(sum(cents for _, cents in event.shares)), dollars(in_cents(event.after_micros))
    cents = "1 odd cent" if event.odd_cents == 1 else f"{event.odd_cents} odd cents"
    odd = f" ({cents} to seat {event.odd_cents_to})" if event.odd_cents else ""
    return f"The {meter_title(event.meter, game)} grants {paid}{odd} and stands at {left}"


AWARD_WORDS: Final[Mapping[type, Callable[[Any, Game], str]]] = {
    a.ContributionMade: _fed,
    a.ContributionReversed: _unfed,
    a.WheelSpun: _spun,
    a.XtremeSpun: _xtreme,
    a.AwardClaimed: _claimed,
    a.AwardGranted: _granted,
    a.AwardsDrawn: _drawn,
    a.AwardWon: _won,
    a.AwardVerified: _verified,
    a.AwardValidated: _validated,
    a.DocumentsCompleted: _documented,
}
