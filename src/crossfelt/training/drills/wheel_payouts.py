"""Payouts of a wheel: to the spinner, and to the other players with the wager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crossfelt.cards.card import JOKER
from crossfelt.cards.notation import format_cards
from crossfelt.cards.shuffle import Chance
from crossfelt.games.rules import ranker_of
from crossfelt.hands.kinds import KINDS
from crossfelt.money import dollars
from crossfelt.play.scripted.runner import PlayedRound
from crossfelt.progressive.wheels import stakes, wheel_for
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager, Wheel
from crossfelt.table.events import AwardPaid, WagerSettled
from crossfelt.training.drill_rounds import LARGEST_SEED, chips_shown, decisions, play, texts
from crossfelt.training.drill_rounds import stakes as placed_before_cards
from crossfelt.training.hand_generator import hand_of
from crossfelt.training.question import Amount, CardsShown, Note, QuestionContent, Rests, explained

SPINNER: Final = "spinner"
OTHERS: Final = "others"
_ORDER: Final = ("", "first", "second", "third")


def subjects(game: Game) -> Iterator[str]:
    """List the payouts of each wheel: to the spinner, and to other players if it has community slices.

    >>> list(subjects(compile_game("nj-criss-cross"))), list(subjects(compile_game("ma-criss-cross")))
    (['bonus_spin.spinner', 'bonus_spin.others'], [])
    """
    for wager in game.wagers:
        wheels = [wheel for wheel in game.wheels if (wheel.wager, wheel.ring) == (wager.id, "spin")]
        if wheels:
            yield f"{wager.id}.{SPINNER}"
        if any(slice_.community for wheel in wheels for slice_ in wheel.slices):
            yield f"{wager.id}.{OTHERS}"


def ask(game: Game, wager: Wager, whose: str, chance: Chance) -> QuestionContent:
    """Play a round in which a pair spins the wheel, and the wheel stops at an amount."""
    amounts = stakes(game, wager.id)
    stake = amounts[chance.below(len(amounts))]
    wheel = wheel_for(game, wager.id, stake)
    index = _slice(wheel, whose, chance)
    spinner, other = chance.shuffled(range(1, game.book.table.seats + 1))[:2]
    two, rank = KINDS["two_card"], ranker_of(game, "two_card")
    pair = hand_of(two, "pair", chance, rank, without=[JOKER])
    others = hand_of(two, "high_card", chance, rank, without=[JOKER, *pair])
    script = {
        "seats": [_seat(game, seat, {wager.id: stake}, chance) for seat in sorted((spinner, other))],
        "cards": {f"seat{spinner}": format_cards(pair), f"seat{other}": format_cards(others)},
        "chance": {"wheel": {f"seat{spinner}": wheel.places[index]}},
        "seed": chance.below(LARGEST_SEED),
    }
    asked_seat, stops = (spinner if whose == SPINNER else other), _stops(wheel, index)
    paid = _payment(play(game, script), asked_seat, wager.id)
    if isinstance(paid, AwardPaid):
        cents, why = paid.cents, f"Every other player with the wager is paid {dollars(paid.cents)}."
    else:
        kept = "The stake is returned." if paid.returned else "The stake is not returned."
        cents, why = paid.paid, f"The spinner is paid {dollars(paid.paid)}. {kept}"
    return QuestionContent(
        asks=f"What do you pay seat {asked_seat} for the {wager.title}?",
        shown=(
            CardsShown(place=f"seat{spinner}", label=f"Seat {spinner}", cards=texts(pair)),
            *(chips_shown(game, seat, wager.id, stake) for seat in sorted((spinner, other))),
            Note(text=f"Seat {spinner} spins the wheel of table {wheel.letter}. It stops {stops}."),
        ),
        answer=Amount(),
        right=(str(cents),),
        explanation=explained(f"The wheel stops {stops}. {why}", game, Rests.on(paid)),
    )


def _seat(game: Game, seat: int, spins: dict[str, int], chance: Chance) -> dict[str, Any]:
    placed = {**placed_before_cards(game, chance), **spins}
    return {"seat": seat, "wagers": placed, "decisions": decisions(game, chance, placed)}


def _payment(played: PlayedRound, seat: int, wager: str) -> AwardPaid | WagerSettled:
    """Return the wheel's payment to a seat, for its own spin or that of another seat."""
    own = [event for event in played.events if isinstance(event, WagerSettled) and event.wager == wager]
    awards = [event for event in played.events if isinstance(event, AwardPaid) and event.seat == seat]
    return awards[0] if awards else next(event for event in own if event.seat == seat)


def _slice(wheel: Wheel, whose: str, chance: Chance) -> int:
    fitting = [
        index
        for index, slice_ in enumerate(wheel.slices)
        if slice_.pays_cents is not None and (whose == SPINNER or slice_.community)
    ]
    return fitting[chance.below(len(fitting))]


def _stops(wheel: Wheel, index: int) -> str:
    slice_ = wheel.slices[index]
    amount = dollars(slice_.pays_cents or 0)
    return f"at {amount}" + (f", the {_ORDER[slice_.community]} slice with community pay" if slice_.community else "")
