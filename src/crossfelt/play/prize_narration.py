"""Wheels, meters and random awards in a dealer's words."""

from __future__ import annotations

from crossfelt.money import dollars
from crossfelt.play.listener import does, then_does, to_seat, verb_of, whose
from crossfelt.play.posted_notice import other_bettors_get
from crossfelt.play.text import card_words, joined_with_and, seats_words, title_of
from crossfelt.progressive.meter import MICROS, in_cents
from crossfelt.progressive.wheels import Ring, stakes, wheel_for
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.table import events as e


def exact_dollars(micros: int) -> str:
    """Return millionths of a cent as dollars, with as many decimals as needed.

    >>> exact_dollars(35_000_000), exact_dollars(7_123_400), exact_dollars(100_000_000)
    ('$0.35', '$0.071234', '$1')
    """
    whole, part = divmod(micros, MICROS)
    if not part:
        return dollars(whole)
    return f"${whole // 100:,}.{whole % 100:02}{part:06}".rstrip("0")


def prize_words(event: e.Event, game: Game) -> str:
    """Narrate what wheels, meters and random awards do; return nothing for another event."""
    match event:
        case e.WheelSpun(seat=seat):
            prize = f"the {game.meter(event.meter).title}" if event.meter else dollars(event.prize_cents)
            others = f"; {other_bettors_get(game, event.wager, event.community)}" if event.community else ""
            spins = f"{does(seat, 'shows')} {card_words(event.cards)} and {verb_of(seat, 'spins')} the wheel"
            return f"{spins}: {event.place}, {prize}{others}"
        case e.XtremeSpun():
            shared = _by_stake(game, event.wager, "community", event.community)
            top = f"the {game.meter(event.meter).title}" if event.meter else ""
            prize = top or _by_stake(game, event.wager, "hot_spot", event.prize)
            hot = then_does(event.hot_spot, "is")
            return f"The wheels stop: {shared} to every bettor; {hot} the hot spot: {prize}"
        case e.AwardsDrawn():
            parts = [f"{card_words([event.magic_card])} is the magic card"] if event.magic_card is not None else []
            parts += [f"{then_does(event.lucky_seat, 'is')} the Lucky Player"] if event.lucky_seat else []
            parts += ["the dealer is the Lucky Dealer"] if event.lucky_dealer else []
            return f"The progressive system draws: {joined_with_and(parts) if parts else 'no award'}"
        case e.AwardWon():
            hand = f" in {event.hand}" if event.hand else ""
            return f"{does(event.seat, 'wins')} the {as_words(event.award)} award{hand}: {dollars(event.cents)}"
        case e.AwardVerified():
            won = [*([event.hand] if event.hand else []), *map(as_words, event.awards)]
            return f"Dealer verifies {whose(event.seat)} {title_of(event.wager, game)}: {joined_with_and(won)}"
        case e.AwardValidated():
            return f"A {game.settings['supervisor_title']} validates it for seat {event.seat}"
        case e.DocumentsCompleted():
            complete = f"The documents of {whose(event.seat)} award are complete ({event.document})"
            return f"{complete}; {to_seat(event.seat, 'its', 'your')} cards may be collected"
        case e.AwardClaimed():
            seats = seats_words([seat for seat, _ in event.winners]).capitalize()
            part = f"{event.percent} percent of " if event.percent else f"{dollars(event.cents)} from "
            what = "" if event.percent == 100 else part
            claims = "claims" if len(event.winners) == 1 else "claim"
            return f"{seats} {claims} {what}the {game.meter(event.meter).title}"
        case e.AwardGranted():
            paid, left = dollars(sum(cents for _, cents in event.shares)), dollars(in_cents(event.after_micros))
            odd_cents = "1 odd cent" if event.odd_cents == 1 else f"{event.odd_cents} odd cents"
            odd = f" ({odd_cents} to seat {event.odd_cents_to})" if event.odd_cents else ""
            rest = f", the table inventory pays {dollars(event.from_inventory)}" if event.from_inventory else ""
            return f"The {game.meter(event.meter).title} grants {paid}{odd} and stands at {left}{rest}"
        case e.ContributionMade():
            return f"The wagers add {exact_dollars(event.micros)} to the {game.meter(event.meter).title}"
        case e.ContributionReversed():
            return f"The void round takes {exact_dollars(event.micros)} back from the {game.meter(event.meter).title}"
    return ""


def _by_stake(game: Game, wager_id: str, ring: Ring, index: int) -> str:
    """Return the pay of a slice for each possible stake."""
    wheels = [wheel_for(game, wager_id, stake, ring) for stake in stakes(game, wager_id)]
    paid = {dollars(wheel.stake_cents): wheel.slices[index].pays_cents for wheel in wheels}
    parts = [
        f"{dollars(cents)} for {stake}" if len(paid) > 1 else dollars(cents) for stake, cents in paid.items() if cents
    ]
    return joined_with_and(parts) if parts else "the top prize"
