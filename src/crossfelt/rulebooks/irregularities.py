"""What can go wrong at a table, as the table engine knows it, and whether a rulebook answers all of it.

The kinds and cases are those that ``crossfelt.table`` can report or find (``acts_floor``, ``acts_dealing``,
``acts_decks``, ``acts_clock``). A rulebook whose document is silent on one gives the adopted reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from crossfelt.errors import Problem
from crossfelt.rulebooks.model import Irregularity

Cases = Mapping[str, tuple[str, ...]]

EVERY_GAME: Final[dict[str, tuple[str, ...]]] = {
    "face_up_card": ("one", "several"),
    "card_in_error": ("any",),
    "shuffler_jam": ("any",),
    "shoe_jam": ("any",),
    "device_out_of_order": ("any",),
    "stub_count_wrong": ("misdealt", "not_misdealt", "misdealt_and_wrong_total"),
    "shuffler_count_wrong": ("any",),
    "player_leaves": ("any",),
    "conduct_breach": ("any",),
}
CASES: Final[Mapping[str, Cases]] = {
    "criss_cross": EVERY_GAME | {"wrong_card_count": ("player", "community"), "community_exposed": ("any",)},
    "double_cross": EVERY_GAME
    | {
        "wrong_card_count": ("player", "community", "dealer"),
        "community_exposed": ("any",),
        "no_answer": ("any",),
        "axis_disagreement": ("any",),
    },
    "pai_gow": EVERY_GAME | {"wrong_card_count": ("player", "dealer"), "no_answer": ("any",)},
}
"""By game and kind; every one of them must be answered."""

OF_A_PLAYER: Final = ("player_leaves", "conduct_breach")
ONLY_FOR: Final[Cases] = {
    "discard_card": ("face_up_card",),
    "use_as_next_card": ("card_in_error",),
    "forfeit_all": OF_A_PLAYER,
    "wagers_may_be_lost": OF_A_PLAYER,
}
"""Outcomes that need the card, or the player, of a certain kind of irregularity."""


def unknown(game: str, given: Mapping[str, Mapping[str, Irregularity]]) -> Iterator[Problem]:
    """Kinds and cases that no table of this game could meet, and outcomes that say nothing or cannot be."""
    known = CASES[game]
    for kind, cases in given.items():
        where = f"irregularities.{kind}"
        if kind not in known:
            allowed = ", ".join(sorted(known))
            yield _problem("irregularity.kind", "irregularities", f"no irregularity of {game}", kind, allowed)
            continue
        for case, irregularity in cases.items():
            if case not in known[kind]:
                yield _problem("irregularity.case", where, "no such case", case, ", ".join(known[kind]))
            yield from _outcome(kind, irregularity, f"{where}.{case}.then")


def missing(game: str, given: Mapping[str, Mapping[str, Irregularity]]) -> Iterator[Problem]:
    """Kinds and cases that a table of this game may meet and the rulebook says nothing of."""
    for kind, cases in sorted(CASES[game].items()):
        if kind not in given:
            yield _problem("irregularity.missing", "irregularities", "irregularity missing", kind)
            continue
        for case in cases:
            if case not in given[kind]:
                yield _problem("irregularity.missing", f"irregularities.{kind}", "case missing", case)


def _outcome(kind: str, irregularity: Irregularity, where: str) -> Iterator[Problem]:
    if not irregularity.then:
        yield _problem("irregularity.then", where, "says nothing of what follows")
    for outcome, times in Counter(irregularity.then).items():
        if times > 1:
            yield _problem("irregularity.then", where, f"stands {times} times", outcome)
        if kind not in ONLY_FOR.get(outcome, (kind,)):
            allowed = f"only for {', '.join(ONLY_FOR[outcome])}"
            yield _problem("irregularity.then", where, "cannot follow from this", outcome, allowed)
    if {"void", "continue"} <= set(irregularity.then):
        yield _problem("irregularity.then", where, "the round cannot be void and continue")


def _problem(code: str, where: str, what: str, value: str | None = None, allowed: str = "") -> Problem:
    return Problem(code=code, where=where, what=what, value=value, allowed=allowed)
