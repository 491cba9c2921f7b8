"""A position of a round: the cards that a seat has seen, and the stakes of its decisions so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.round_plan import DEALER, RoundPlan
from crossfelt.cards import parse_cards
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.rulebooks.script import Decide

Given = Mapping[str, int | str | Fraction]
_FINEST = 1_000_000


class Position(NamedTuple):
    """The knowledge of a seat at a decision."""

    plan: RoundPlan
    seen: Mapping[str, Card]
    """Cards by place: those that are open, and any that were flashed."""
    moment: int
    """The number of the moment whose cards are all open."""
    courses: Courses
    """The courses that can follow."""

    @property
    def decision(self) -> Decide:
        return self.courses.decisions[0]

    @property
    def decided_here(self) -> int:
        """The number of decisions of this moment that are still to be made."""
        later = sum(len(moment.decisions) for moment in self.plan.moments[self.moment + 1 :])
        return len(self.courses.decisions) - later


def read_position(plan: RoundPlan, cards: Mapping[str, str], bets: Given) -> Position:
    """Read cards by the names of groups and places, and bets by wager in units; report every problem."""
    seen = read_cards(plan, cards)
    open_moments = 0
    while open_moments < len(plan.moments) and seen.keys() >= set(plan.moments[open_moments].places):
        open_moments += 1
    if open_moments == 0:
        missing = Counter(plan.group_of(place) for place in plan.moments[0].places if place not in seen)
        more = " and ".join(f"{count} {'card' if count == 1 else 'cards'} of {name}" for name, count in missing.items())
        what = f"a player sees more cards before the first decision; add {more}"
        raise BadInput.at("cards", "advise.cards", what)
    while not plan.moments[open_moments - 1].decisions:
        open_moments -= 1
        if open_moments == 0:
            raise BadInput.at("cards", "advise.cards", "no decision follows these cards")
    return _with_bets(plan, seen, open_moments - 1, bets)


def read_cards(plan: RoundPlan, cards: Mapping[str, str]) -> dict[str, Card]:
    """Read cards by the names of groups and places; return them by place."""
    order = [place for moment in plan.moments for place in moment.places]
    seen: dict[str, Card] = {}
    for name, text in cards.items():
        places = _places_named(plan, name)
        if not places:
            allowed = ", ".join(dict.fromkeys(group.id for group in plan.game.book.groups))
            raise BadInput.at(name, "advise.cards", "no such cards", allowed=allowed)
        free = sorted((place for place in places if place not in seen), key=order.index)
        for place, card in zip(free, parse_cards(text, count=tuple(range(1, len(free) + 1)), where=name), strict=False):
            if card in seen.values():
                raise BadInput.at(name, "card.repeated", "card given more than once", card.text)
            seen[place] = card
    return seen


def _places_named(plan: RoundPlan, name: str) -> tuple[str, ...]:
    """Return the places of a group, a place, the dealer's cards, or places that begin with a name."""
    every = (*plan.own, *plan.hidden)
    if name == DEALER.removesuffix("."):
        return plan.theirs
    if plan.has_cards(name):
        return plan.places_of(name)
    return tuple(place for place in every if place.removeprefix(DEALER).startswith(f"{name}_"))


def _with_bets(plan: RoundPlan, seen: dict[str, Card], moment: int, bets: Given) -> Position:
    stated = {name: _times(name, times) for name, times in bets.items()}
    unknown = [name for name in stated if name not in plan.main]
    if unknown:
        raise BadInput.at("bets", "bets.name", "no such bet", unknown[0], ", ".join(plan.main))
    unit = lcm(*(times.denominator for times in stated.values()))
    courses = Courses(plan, unit=unit)
    before = [courses.opening]
    done = sum(len(earlier.decisions) for earlier in plan.moments[:moment])
    for step in courses.every_decision[:done]:
        before.append(_after(courses, step, before[-1], stated))
    for step in plan.moments[moment].decisions[:-1]:
        if not any((action.bet or action.withdraw) in stated for action in step.actions):
            break
        before.append(_after(courses, step, before[-1], stated))
    while not courses.asked(courses.every_decision[len(before) - 1], before[-1]):
        if len(before) == done + len(plan.moments[moment].decisions):
            raise BadInput.at("bets", "advise.bets", "no decision is left after these bets")
        before.append(before[-1])
    return Position(plan, seen, moment, Courses(plan, before, unit))


def _times(name: str, given: int | str | Fraction) -> Fraction:
    try:
        times = Fraction(given)
        if times >= 0 and times.denominator <= _FINEST:
            return times
    except (ValueError, ZeroDivisionError):
        pass
    what, allowed = "not a multiple of the first wager", "a number such as 1, 2 or 3/2"
    raise BadInput.at(name, "bets.times", what, str(given), allowed)


def _after(courses: Courses, step: Decide, stakes: Stakes, stated: Mapping[str, Fraction]) -> Stakes:
    """Return the stakes after an earlier decision: the stated bet, a withdrawn wager, or else a check."""
    if not courses.asked(step, stakes):
        return stakes
    for action in step.actions:
        if action.bet and stated.get(action.bet):
            allowed, times = courses.multiples(action), stated[action.bet]
            if not min(allowed) <= times <= max(allowed):
                limits = f"{min(allowed)} … {max(allowed)} times its base"
                raise BadInput.at(f"bets.{action.bet}", "bets.times", "no such bet", str(times), limits)
            return courses.with_bet(stakes, action.bet, times)
        if action.withdraw and stated.get(action.withdraw) == 0:
            return courses.withdrawn(stakes, action.withdraw)
    if any(action.check for action in step.actions):
        return stakes
    bet = next((action.bet for action in step.actions if action.bet), step.id)
    raise BadInput.at("bets", "bets.missing", "an earlier bet is missing", bet)
