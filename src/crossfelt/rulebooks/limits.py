"""Whether a submission's payout limit is one that the regulation allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.rulebooks.model import PayoutLimit

if TYPE_CHECKING:
    from crossfelt.rulebooks.game import Game

PATH = "payout_limit.amount_cents"
PREVIOUS = "payout_limit.previous_amount_cents"
NOTICE = ("payout_limit.notice_posted_at", "payout_limit.notice_posted_by")


def problems(game: Game, where: str) -> Iterator[Problem]:
    """A limit below, above or beside the figure, and a decrease that nobody was told of."""
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
        yield Problem(
            code="limit.amount",
            where=f"{where}: {PATH}",
            what="payout limit not allowed",
            value=stated,
            allowed=f"{word} {figure}, that is {dollars(figure)}",
            clauses=limit.clauses,
            readings=limit.readings,
            house_rule=limit.house_rule,
        )


def _decrease(game: Game, limit: PayoutLimit, where: str) -> Iterator[Problem]:
    previous = game.choices.get(PREVIOUS)
    if not limit.notice_of_decrease or not isinstance(previous, int):
        return
    now = game.limit_cents(limit)
    if now is None or now >= previous or game.choices.get("payout_limit.on_layout"):
        return
    missing = [path for path in NOTICE if not game.choices.get(path)]
    if missing:
        yield Problem(
            code="limit.notice",
            where=f"{where}: {missing[0]}",
            what=f"the payout limit falls from {dollars(previous)} to {dollars(now)} without a notice",
            allowed=" and ".join(missing),
            clauses=limit.clauses,
            readings=limit.readings,
            house_rule=limit.house_rule,
        )
