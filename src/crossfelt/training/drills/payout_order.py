"""Order drill: take and pay in the order of the table engine, and the steps of a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from crossfelt.cards.shuffle import Chance
from crossfelt.play.text import seats_words, title_of
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.step_phrases import step_words
from crossfelt.rulebooks.script import Compare, Decide, Settle, Shuffle, Step
from crossfelt.table.events import AwardPaid, Event, FoldCollected, StepEntered, WagerSettled
from crossfelt.training.drill_rounds import decisions, play, stakes
from crossfelt.training.hand_generator import HandNotFound
from crossfelt.training.question import Arrange, Note, QuestionContent, basis_of, explained

ONE_SEAT: Final = "one_seat"
SEATS: Final = "seats"
TABLE: Final = "table"
ROUND: Final = "round"
MOST: Final = 5
LEAST: Final = 3
LEAST_OF_ALL: Final = 2
"""Fewest acts, for seats with only two wagers."""
PLAYERS: Final = 4
TRIES: Final = 50
_DONE: Final = {"win": ("pay", "wins"), "lose": ("take", "loses"), "forfeit": ("take", "forfeited")}
"""Act and reason by result; a push stays on the layout."""


def subjects(game: Game) -> tuple[str, ...]:
    """List the subjects: wagers of one seat, one wager of all seats, the whole table, the steps of a round."""
    return (ONE_SEAT, SEATS, TABLE, ROUND)


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    """Play a round and shuffle some of its acts."""
    for tried in range(TRIES):
        events = played_round(game, chance)
        acts = _acts(game, events, subject, chance)
        if len(acts) >= (LEAST if tried < TRIES // 2 else LEAST_OF_ALL):
            return _question(game, subject, acts, events, chance)
    raise HandNotFound(f"{game.book.id}: no round shows {subject}")


def played_round(game: Game, chance: Chance) -> tuple[Event, ...]:
    """Return the events of a round with four players, of whom one folds if the game has folds."""
    numbers = sorted(chance.shuffled(range(1, game.book.table.seats + 1))[:PLAYERS])
    seats = [_seat(game, number, chance, folds=place == 0) for place, number in enumerate(numbers)]
    return play(game, chance, {"seats": seats}).events


def _seat(game: Game, number: int, chance: Chance, *, folds: bool) -> dict[str, Any]:
    optional = [wager.id for wager in game.opening_wagers.values() if not wager.required and chance.below(2)]
    placed = stakes(game, chance, also=optional)
    decided = decisions(game, chance, placed)
    foldable = [step for step in game.book.script if isinstance(step, Decide) and step.fold is not None]
    if folds and foldable:
        decided[foldable[chance.below(len(foldable))].name] = "fold"
    return {"seat": number, "wagers": placed, "decisions": decided}


Act = tuple[str, Any]
"""An act in words, and its event or step."""


def _acts(game: Game, events: Sequence[Event], subject: str, chance: Chance) -> list[Act]:
    if subject == ROUND:
        return _some(list(_steps(game, events)), chance)
    done = list(_taken_and_paid(game, events))
    if subject == SEATS:
        return _of_one_wager(done, chance)
    if subject == ONE_SEAT:
        numbers = sorted({event.seat for _, event in done if isinstance(event, WagerSettled)})
        seat = numbers[chance.below(len(numbers))] if numbers else 0
        done = [act for act in done if act[1].seat == seat]
    return _some(done, chance)


def _taken_and_paid(game: Game, events: Sequence[Event]) -> Iterator[Act]:
    for event in events:
        match event:
            case WagerSettled() if event.result in _DONE:
                verb, why = _DONE[event.result]
                yield f"{verb} seat {event.seat}'s {title_of(event.wager, game)} ({why})", event
            case FoldCollected():
                yield f"collect the folded wagers of seat {event.seat}", event
            case AwardPaid(award=award):
                yield f"pay seat {event.seat} its {award.replace('_', ' ')}", event


def _of_one_wager(done: Sequence[Act], chance: Chance) -> list[Act]:
    """Choose a wager that most seats have."""
    by_wager: dict[str, list[Act]] = {}
    for act in done:
        if isinstance(act[1], WagerSettled):
            by_wager.setdefault(act[1].wager, []).append(act)
    common = [acts for acts in by_wager.values() if len(acts) >= LEAST]
    return common[chance.below(len(common))] if common else []


def _steps(game: Game, events: Sequence[Event]) -> Iterator[Act]:
    steps = {step.id: step for step in game.book.script}
    for event in events:
        if isinstance(event, StepEntered) and not isinstance(steps[event.step], Shuffle):
            words = " ".join(step_words(steps[event.step], game.book)[:1]).rstrip(":.")
            yield words, steps[event.step]


def _some(acts: Sequence[Act], chance: Chance) -> list[Act]:
    """Choose at most MOST different acts, in the order in which they happened."""
    once = list({words: (words, event) for words, event in acts}.values())
    chosen = sorted(chance.shuffled(range(len(once)))[:MOST])
    return [once[place] for place in chosen]


_ASKS: Final = {
    ONE_SEAT: "In which order does the dealer take and pay this player's wagers?",
    SEATS: "In which order does the dealer take and pay this wager, seat by seat?",
    TABLE: "In which order does the dealer take and pay these wagers?",
    ROUND: "In which order do these steps of a round happen?",
}


def _question(
    game: Game, subject: str, acts: Sequence[Act], events: Sequence[Event], chance: Chance
) -> QuestionContent:
    order = chance.shuffled(range(len(acts)))
    right = " ".join(str(order.index(place) + 1) for place in range(len(acts)))
    listed = "; ".join(words for words, _ in acts)
    playing = sorted({event.seat for event in events if isinstance(event, WagerSettled)})
    note = () if subject == ROUND else (Note(text=f"The dealer settles the wagers of {seats_words(playing)}."),)
    return QuestionContent(
        asks=_ASKS[subject],
        shown=note,
        answer=Arrange(items=tuple(acts[place][0] for place in order)),
        right=(right,),
        explanation=explained(f"{listed[0].upper()}{listed[1:]}.", game, _basis(game, subject, acts, events)),
    )


def _basis(game: Game, subject: str, acts: Sequence[Act], events: Sequence[Event]) -> Cited:
    """Combine the citations of the steps, or of the steps that settle wagers."""
    if subject == ROUND:
        return basis_of(*(step for _, step in acts))
    entered = {event.step for event in events if isinstance(event, StepEntered)}
    steps: list[Step] = [step for step in game.book.script if isinstance(step, Compare | Settle) and step.id in entered]
    return basis_of(*steps)
