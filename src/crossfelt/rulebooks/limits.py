"""The check of a submission's payout limit against the regulation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import PayoutLimit

if TYPE_CHECKING:
    from crossfelt.rulebooks.game import Game

PATH = "payout_limit.amount_cents"
PREVIOUS = "payout_limit.previous_amount_cents"
NOTICE = ("payout_limit.notice_posted_at", "payout_limit.notice_posted_by")


def problems(game: Game, where: str) -> Iterator[Problem]:
    """Report a limit that the regulation does not allow, and a decrease without a notice."""
    for limit in game.book.payout_limits:
        stated = game.choices.get(PATH)
        if isinstance(stated, int):
            yield from _against_figure(game, limit, stated, where)
        yield from _decrease(game, limit, where)


def _against_figure(game: Game, limit: PayoutLimit, stated: int, where: str) -> Iterator[Problem]:
    figure = game.limit_figure(limit)
    fits, word = {
        "exactly": (stated == figure, "exactly"),
        "at_least": (stated >= figure, "at least"),
        "at_most": (stated <= figure, "at most"),
    }[limit.rule]
    if not fits:
        what = f"the payout limit must be {word} {dollars(figure)}"
        yield limit.problem(f"{where}: {PATH}", "limit.amount", what, stated, f"{word} {figure:,}")


def _decrease(game: Game, limit: PayoutLimit, where: str) -> Iterator[Problem]:
    previous = game.choices.get(PREVIOUS)
    if not limit.notice_of_decrease or not isinstance(previous, int):
        return
    now = game.limit_cents(limit)
    if now is None or now >= previous or game.choices.get("payout_limit.on_layout"):
        return
    missing = [path for path in NOTICE if not game.choices.get(path)]
    if missing:
        what = f"the payout limit falls from {dollars(previous)} to {dollars(now)} without a notice"
        allowed = f"state {' and '.join(missing)}"
        rule: Cited = next((choice for choice in game.book.choices if choice.path == missing[0]), limit)
        yield rule.problem(f"{where}: {missing[0]}", "limit.notice", what, allowed=allowed)
