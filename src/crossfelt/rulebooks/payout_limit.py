"""The check of a submission's payout limit against the regulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import PayoutLimit
from crossfelt.rulebooks.submission import applies

if TYPE_CHECKING:
    from crossfelt.rulebooks.game import Game

PATH = "payout_limit.amount_cents"
PREVIOUS = "payout_limit.previous_amount_cents"
NOTICE = ("payout_limit.notice_posted_at", "payout_limit.notice_posted_by")


def problems(game: Game, where: str) -> Iterator[Problem]:
    """Report a limit that the regulation does not allow, a decrease without a notice, and a prize above the limit."""
    for limit in game.book.payout_limits:
        section = game.stated.get("payout_limit")
        stated = section.get("amount_cents") if isinstance(section, Mapping) else None
        if isinstance(stated, int) and not isinstance(stated, bool):
            yield from _against_figure(game, limit, stated, where)
        yield from _decrease(game, limit, where)
        yield from _prizes(game, limit, where)


def _against_figure(game: Game, limit: PayoutLimit, stated: int, where: str) -> Iterator[Problem]:
    figure, least = game.limit_figure(limit), game.exposure.cents
    fits, words = {
        "exactly": (stated == figure, "exactly {0}"),
        "at_least": (stated >= figure, "at least {0}"),
        # Below the exposure the least wager would not be paid at the odds (AMB-10b).
        "at_most": (least <= stated <= figure, "at least {1} and at most {0}"),
    }[limit.rule]
    if not fits:
        what = f"the payout limit must be {words.format(dollars(figure), dollars(least))}"
        yield limit.problem(f"{where}: {PATH}", "limit.amount", what, stated, words.format(f"{figure:,}", f"{least:,}"))


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


def _prizes(game: Game, limit: PayoutLimit, where: str) -> Iterator[Problem]:
    """Report a fixed prize that would be posted and not paid (AMB-5)."""
    rule = game.book.settings.get("limit_covers_progressive", limit)
    for choice in game.book.choices:
        wager, _, name = choice.path.removeprefix("wagers.").partition(".")
        prize = game.choices.get(choice.path)
        posted = name.startswith("fixed_prize") and wager in game.covered_by(limit) and applies(choice, game.choices)
        most = game.limit_cents(limit) if posted else None
        if most is not None and isinstance(prize, int) and prize > most:
            what = f"the fixed prize of {dollars(prize)} is above the payout limit of {dollars(most)}"
            yield rule.problem(f"{where}: {choice.path}", "limit.prize", what, prize, f"at most {most:,}")
