"""Error drill: a genuine round with one planted error that the second settlement detects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import enc_hook
from crossfelt.cards.shuffle import Chance
from crossfelt.games.rules import rules_of
from crossfelt.money import Odds
from crossfelt.play.narration import narrate
from crossfelt.proof.resettle import Resettlement
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, Settle
from crossfelt.table.events import Event, HandFolded, HandShown, RoundOpened, WagerSettled
from crossfelt.training.drills.payout_order import played_round
from crossfelt.training.hand_generator import HandNotFound
from crossfelt.training.question import Choose, QuestionContent, basis_of, explained

TRIES: Final = 200


def planted(error: str, game: Game, event: Event, chance: Chance) -> Event | None:
    """Return an event with an error of this name; None where the event has no room for it."""
    match error, event:
        case "wrong_odds", WagerSettled(result="win", source="", limited=0, commission=0, bank=0) if (
            "," not in event.odds and (other := _other_odds(game, event))
        ):
            odds = other[chance.below(len(other))]
            return replace(event, odds=str(odds), paid=odds.paid(event.stake))
        case "wrong_sum", WagerSettled(result="win", source="", limited=0):  # the right odds are multiplied wrongly
            short = chance.below(2) and event.paid > 2 * event.stake
            return replace(event, paid=event.paid + (-event.stake if short else event.stake))
        case "push_taken", WagerSettled(result="push"):
            return replace(event, result="lose", returned=0, line="", odds="")
        case "loser_pushed", WagerSettled(result="lose") if event.hand:
            return replace(event, result="push", returned=event.stake, odds="push")
        case "winner_taken", WagerSettled(result="win", source=""):
            return replace(event, result="lose", returned=0, paid=0, commission=0, line="", odds="", limited=0)
        case "no_commission", WagerSettled(result="win", source="") if event.commission:
            return replace(event, commission=0)
        case "misread", HandShown() if len(set(event.hands.values())) > 1:  # one hand is called by the other's name
            first, second, *_ = event.hands
            return replace(event, hands={**event.hands, first: event.hands[second]})
        case "fold_spared", HandFolded() if len(event.forfeits) > 1:  # a wager that a fold forfeits is left out
            return replace(event, forfeits=event.forfeits[:-1])
    return None


def _other_odds(game: Game, event: WagerSettled) -> list[Odds]:
    """Return the odds of the other lines of a wager's pay table."""
    wager = game.wager(event.wager)
    lines = game.pays[wager.pays].lines if wager.pays else ()
    found = {str(line.odds): line.odds for line in lines if line.odds and not line.odds.is_push}
    odds = [*found.values(), *([] if len(found) > 1 else [Odds("2 to 1")])]
    return [each for each in odds if str(each) != event.odds]


def subjects(game: Game) -> tuple[str, ...]:
    """List the errors that a dealer of this game can make and the second settlement detects.

    >>> "no_commission" in subjects(compile_game("nj-pai-gow")), "misread" in subjects(compile_game("nj-pai-gow"))
    (True, False)
    """
    return tuple(name for name, can_happen in ERRORS.items() if can_happen(game))


def _pushes(game: Game) -> bool:
    """Return whether pushes are common: a pay line or a rule of its own makes them, not equal hands alone."""
    lines = (line for pays in game.pays.values() for line in pays.lines)
    rules = (rule for wager in game.wagers for rule in wager.settle)
    by_rule = any("push" in (rule.odds, *rule.by_wins) for rule in rules)
    return by_rule or any(line.odds is not None and line.odds.is_push for line in lines)


def _decisions(game: Game) -> list[Decide]:
    return [step for step in game.book.script if isinstance(step, Decide)]


def _shows_two_hands(game: Game) -> bool:
    """Return whether a player's hand is read in two ways, neither of them chosen."""
    settled = [wager for step in game.book.script if isinstance(step, Settle) for wager in step.wagers]
    chosen = any(action.choose for step in _decisions(game) for action in step.actions)
    return not chosen and not game.book.splits and len(rules_of(game).hands_shown(settled, {})) > 1


ERRORS: Final[Mapping[str, Callable[[Game], bool]]] = {
    "wrong_odds": lambda _: True,
    "wrong_sum": lambda _: True,
    "push_taken": _pushes,
    "loser_pushed": lambda _: True,
    "winner_taken": lambda _: True,
    "no_commission": lambda game: any(rules_of(game).commission(wager, 1_000_00) for wager in game.wagers),
    "misread": _shows_two_hands,
    "fold_spared": lambda game: any(len(game.fold_forfeits(step)) > 1 for step in _decisions(game)),
}
"""Errors by name, with the games that allow them."""


class Planted(NamedTuple):
    """A genuine round, and a false event in place of one of its events."""

    events: tuple[Event, ...]
    place: int
    event: Event


def plant(game: Game, subject: str, chance: Chance) -> Planted:
    """Play rounds until one has an event to falsify that the second settlement detects."""
    for _ in range(TRIES):
        events = played_round(game, chance)
        for place in chance.shuffled(range(len(events))):
            event = planted(subject, game, events[place], chance)
            if event is not None and is_found(game, events, place, event):
                return Planted(events, place, event)
    raise HandNotFound(f"{game.book.id}: no round has room for {subject}")


def is_found(game: Game, events: Sequence[Event], place: int, false: Event) -> bool:
    """Return whether the second settlement complains of the planted event and of none before it."""
    again = Resettlement(game.as_data())
    data = [msgspec.to_builtins(event, enc_hook=enc_hook) for event in (*events[:place], false)]
    return not any(complaint for event in data[:-1] for complaint in again.see(event)) and any(again.see(data[-1]))


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    events, place, false = plant(game, subject, chance)
    lines = list(_narrated(game, [*events[:place], false, *events[place + 1 :]]))
    number = next(number for number, (_, event) in enumerate(lines, start=1) if event is false)
    right = narrate(events[place], game)
    return QuestionContent(
        asks="One line of this round is wrong. Which one?",
        answer=Choose(options=tuple(line for line, _ in lines)),
        right=(str(number),),
        explanation=explained(f"Line {number} should read “{right}”.", game, basis_of(events[place])),
    )


def _narrated(game: Game, events: Sequence[Event]) -> Iterator[tuple[str, Event]]:
    opened = max(place for place, event in enumerate(events) if isinstance(event, RoundOpened))
    for event in events[opened:]:
        if line := narrate(event, game):
            yield line, event
