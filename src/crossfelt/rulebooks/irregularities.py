"""The irregularities of a table, and the check that a rulebook covers each of them.

The kinds and cases are those that ``crossfelt.table.acts`` can report or find. If its document is silent, a rulebook
states the adopted reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from crossfelt.errors import Problem, unknown
from crossfelt.rulebooks.forms import forms_of
from crossfelt.rulebooks.model import Irregularity, Rulebook

Cases = Mapping[str, tuple[str, ...]]

EVERY_GAME: Final[Cases] = {
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


def cases_of(book: Rulebook) -> Cases:
    """Return the cases that a rulebook must cover, by kind; they follow from its forms and choices."""
    forms = forms_of(book)
    areas = ("player", *(area for area in ("community", "dealer") if area in forms))
    cases = {**EVERY_GAME, "wrong_card_count": areas}
    if "community" in forms:
        cases["community_exposed"] = ("any",)
    if "choose" in forms:
        cases["axis_disagreement"] = ("any",)
    if any(choice.path == "play.on_timeout" and "floor_decides" in choice.of for choice in book.choices):
        cases["no_answer"] = ("any",)
    return cases


OF_A_PLAYER: Final = ("player_leaves", "conduct_breach")
ONLY_FOR: Final[Cases] = {
    "discard_card": ("face_up_card",),
    "use_as_next_card": ("card_in_error",),
    "forfeit_all": OF_A_PLAYER,
    "wagers_may_be_lost": OF_A_PLAYER,
}
"""Outcomes that need a card or a player, and the kinds of irregularity that have one."""


def unknown_irregularities(book: Rulebook) -> Iterator[Problem]:
    """Report unknown kinds and cases, and outcomes that are empty or impossible."""
    known = cases_of(book)
    for kind, cases in book.irregularities.items():
        where = f"irregularities.{kind}"
        if kind not in known:
            allowed = ", ".join(sorted(known))
            yield Problem.at("irregularities", "irregularity.kind", "not an irregularity of this game", kind, allowed)
            continue
        for case, irregularity in cases.items():
            yield from unknown([case], known[kind], where, "irregularity.case", "no such case")
            yield from _outcome(kind, irregularity, f"{where}.{case}.then")


def missing_irregularities(book: Rulebook) -> Iterator[Problem]:
    """Report kinds and cases that the rulebook does not cover."""
    if not book.irregularities:
        return  # reported as a whole
    for kind, cases in sorted(cases_of(book).items()):
        if kind not in book.irregularities:
            yield Problem.at("irregularities", "irregularity.missing", "missing irregularity", kind)
            continue
        for case in cases:
            if case not in book.irregularities[kind]:
                yield Problem.at(f"irregularities.{kind}", "irregularity.missing", "missing case", case)


def _outcome(kind: str, irregularity: Irregularity, where: str) -> Iterator[Problem]:
    if not irregularity.then:
        yield Problem.at(where, "irregularity.then", "has no outcome")
    for outcome, times in Counter(irregularity.then).items():
        if times > 1:
            yield Problem.at(where, "irregularity.then", f"appears {times} times", outcome)
        if kind not in ONLY_FOR.get(outcome, (kind,)):
            allowed = f"only for {', '.join(ONLY_FOR[outcome])}"
            yield Problem.at(where, "irregularity.then", "impossible outcome of this irregularity", outcome, allowed)
    if {"void", "continue"} <= set(irregularity.then):
        yield Problem.at(where, "irregularity.then", "the round cannot both be void and continue")
