"""The games that the solvers and the vectorised simulation know, told by their rules and never by their label.

A game belongs to a family if its cards, hands, settlements and steps are those of a rulebook of the package. Pay
tables, multiples, limits, settings and forfeits are free: solver and simulation read them. A wager less is no other
game; a wager more, or another rule, is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loader import load, rulebook_ids
from crossfelt.rulebooks.model import Rulebook, Stake, Wager
from crossfelt.rulebooks.script import Compare, Decide, Reveal, SetHands, Settle, Spin, Step, step_kind

WORDS: Final = frozenset(
    ("clauses", "readings", "tie_readings", "house_rule", "illustrative", "topic", "title", "labels", "shape")
)
"""Fields of a rulebook that decide nothing."""
NO_SOLUTION: Final = "no exact solution yet"


@lru_cache(maxsize=256)
def family_of(game: Game) -> str | None:
    """Return the family of a game; None where no solver and no vectorised simulation knows it.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> family_of(compile_game("md-criss-cross"))
    'criss_cross'
    """
    shipped = (load(name) for name in rulebook_ids())
    return next((known.game for known in shipped if _is_like(game.book, known)), None)


def _is_like(book: Rulebook, known: Rulebook) -> bool:
    offered, theirs = {wager.id for wager in book.wagers}, {wager.id: wager for wager in known.wagers}
    needed = {wager.id for wager in known.wagers if wager.required or wager.stake.of}
    hands = {hand.id: plain(hand) for hand in known.hands}
    return (
        needed <= offered <= theirs.keys()
        and book.deck.cards == known.deck.cards
        and [plain(group) for group in book.groups] == [plain(group) for group in known.groups]
        and [plain(split) for split in book.splits] == [plain(split) for split in known.splits]
        and all(plain(hand) == hands.get(hand.id) for hand in book.hands)
        and all(_settlement(wager) == _settlement(theirs[wager.id]) for wager in book.wagers)
        and _steps(book, offered) == _steps(known, offered)
    )


def _settlement(wager: Wager) -> Any:
    stake = wager.stake
    kind = (stake.posted, stake.of, bool(stake.cents), stake.by_paytable)
    rest = (wager.required, wager.group, wager.unit, wager.parts, wager.also_pays, wager.needs, kind)
    return *rest, plain(wager.settle), plain(wager.bonus), plain(wager.commission)


def _steps(book: Rulebook, offered: Collection[str]) -> list[Any]:
    return [found for step in book.script if (found := _step(step, offered)) is not None]


def _step(step: Step, offered: Collection[str]) -> Any:
    """Return what a step decides, without the wagers that are not offered; None for a step of the dealer's routine."""
    if isinstance(step, Decide):
        actions = [(action.bet, action.choose, action.check, action.fold, action.expose) for action in step.actions]
        return ("decide", actions, step.with_, step.without, step.order) if step.wager in offered else None
    if isinstance(step, Reveal):
        return ("reveal", frozenset(step.cards))
    if isinstance(step, SetHands):
        return ("set", step.who)
    if isinstance(step, Settle | Spin | Compare):
        wagers = [wager for wager in step.wagers if wager in offered]
        return (step_kind(step), wagers, step.order) if wagers else None
    return None


def plain(value: Any) -> Any:
    """Return data without titles and citations."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items() if key not in WORDS}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def multiples(stake: Stake) -> tuple[int, ...]:
    """Return the whole multiples of another wager that a stake allows.

    >>> multiples(Stake(of="ante", min=1, max=5)), multiples(Stake(of="ante", times=(2, 4)))
    ((1, 2, 3, 4, 5), (2, 4))
    """
    return stake.times or tuple(range(stake.min, stake.max + 1))
