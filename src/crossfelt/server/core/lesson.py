"""A lesson: the guided first hand of a game, from a seed that shows what matters.

The seed is searched, not typed in: a careful player's hand must win, push somewhere and win the side bet, as far as a
few hundred seeds allow. A new rulebook therefore has a lesson at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.bots import Bets, Decider, always, careful_player
from crossfelt.play.careful_player import FOLD
from crossfelt.play.guide import Advice, tried_wager
from crossfelt.play.player_view import PlayerView
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.step_phrases import choice_title, choice_titles
from crossfelt.rulebooks.script import Decide
from crossfelt.server.core.rng import TableRng
from crossfelt.table import events as e
from crossfelt.table.act import Move

MOST_SEEDS: Final = 400
CHIPS_CENTS: Final = 1_000_00


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """The seed of a lesson, and a careful player's moves in its first hand."""

    seed: int
    advice: dict[str, Advice]
    """Moves by step of the script."""


class _Noting(Decider, frozen=True):
    """A careful player who notes each move with its reason."""

    notes: dict[str, Advice]

    def move(self, view: PlayerView) -> Move | None:
        rule = careful_player.choice(view)
        if rule is not None:
            move = _button(view, rule.action)
            # A caption has room for the value of the move alone; a loss needs the reason to bet at all.
            value = rule.reason.partition(" from here")[0]
            worse = ", less than a fold" if "loses" in value and rule.action != FOLD and FOLD in rule.values else ""
            self.notes[view.step] = Advice(move=move, reason=value + worse)
        return careful_player.move(view)


def _button(view: PlayerView, action: str) -> str:
    """Return a choice as its button has it."""
    step = next(step for step in view.game.book.script if step.id == view.step)
    return choice_title(action, choice_titles(view.game, step)) if isinstance(step, Decide) else "House way"


@lru_cache(maxsize=32)
def lesson_of(game: Game) -> Lesson:
    """Return the lesson of a game: the first seed whose hand shows the most."""
    # A hand against the dealer that wins does not push as well.
    enough = WINS + SIDE_WINS + PUSHES * (not game.dealer_places)
    best, most = Lesson(seed=1, advice={}), -1
    for seed in range(1, MOST_SEEDS + 1):
        if _value(game, settled_in(game, seed, always(1))) <= most:  # a quick look: the careful player takes longer
            continue
        notes: dict[str, Advice] = {}
        if (value := _value(game, settled_in(game, seed, _Noting(notes)))) > most:
            best, most = Lesson(seed=seed, advice=notes), value
        if most == enough:
            break
    return best


def seat_of(game: Game) -> int:
    """Return the seat that a lesson is dealt to: the one that the page takes at an empty table."""
    return game.book.table.seats // 2 + 1


def settled_in(game: Game, seed: int, player: Decider) -> list[e.WagerSettled]:
    """Play a lesson's hand, and return its settled wagers; none if the player folds."""
    source = TableRng(lesson_seed=seed, devices=repeatable_seed(seed))
    session = TableSession(game, source, at=TickingClock())
    session.open()
    smallest = min(game.limits(wager.stake.posted).min for wager in game.opening_wagers.values() if wager.stake.posted)
    tried = tried_wager(game)
    sides = {} if tried is None else {tried.id: smallest}
    session.sit(seat_of(game), "lesson", CHIPS_CENTS, Bets(smallest, sides) + (player + always(1)))
    events = [event for happened in session.play(rounds=1) for event in happened.events]
    if any(isinstance(event, e.HandFolded) for event in events):
        return []
    return [event for event in events if isinstance(event, e.WagerSettled)]


WINS: Final = 4
SIDE_WINS: Final = 2
PUSHES: Final = 1


def _value(game: Game, settled: list[e.WagerSettled]) -> int:
    """Return how much a hand shows: a required bet that wins, a side bet that wins, and a push."""
    tried = tried_wager(game)
    gain = sum(event.returned + event.paid - event.stake for event in settled)
    wins = gain > 0 and any(game.wager(event.wager) in game.first_wagers and event.result == "win" for event in settled)
    side = tried is None or any(event.wager == tried.id and event.result == "win" for event in settled)
    pushes = any(event.result == "push" for event in settled)
    return WINS * wins + SIDE_WINS * side + PUSHES * pushes
