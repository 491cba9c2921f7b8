"""Exact value of each choice in a position of Criss Cross Poker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import RulesIdentity
from crossfelt.analysis.solver.criss_cross.induction import FOLD, best, best_ends, folded, induce
from crossfelt.analysis.solver.criss_cross.payoffs import BETS, Counts, CrissCrossPayoffs, terms_of
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.cards import parse_cards
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.kernels.criss_cross.continuations import RANKS, continuations, layout, line_groups
from crossfelt.kernels.criss_cross.induction import chosen_prospect_sums, kind_sums, prospect_sums, reached
from crossfelt.rulebooks.game import Game


def type_of(hole: Sequence[Card], card: Card) -> int:
    """Return the type of a card beside the hole cards: its rank, or its index among the ranks left in their one suit.

    >>> from crossfelt.cards import parse_cards
    >>> hole = parse_cards("Ks 3s")
    >>> [type_of(hole, card) for card in parse_cards("2c 2s 4s As")]
    [0, 13, 14, 23]
    """
    if not hole[0].suit == hole[1].suit == card.suit:
        return card.rank
    return RANKS + card.rank - sum(held.rank < card.rank for held in hole)


def pair_of(hole: Sequence[Card], cards: Sequence[Card]) -> int:
    """Return the number of two cards among the pairs of types of their starting hand."""
    one, two = sorted(type_of(hole, card) for card in cards)
    return _pair_numbers(hole[0].suit == hole[1].suit)[one, two]


@cache
def _pair_numbers(suited: bool) -> dict[tuple[int, int], int]:
    # All suited starting hands have the same pairs of types, and so do all others.
    hand = next(hand for hand in STARTING_HANDS if hand.suited == suited)
    return {(one, two): number for number, (one, two) in enumerate(layout(hand).pairs.tolist())}


def outcomes_of(terms: CrissCrossPayoffs, hole: Sequence[Card], across: Sequence[Card], down: Sequence[Card]) -> Counts:
    """Count the middle cards by the two groups they make, as `CrissCrossPayoffs` numbers them."""
    hand = STARTING_HANDS[starting_hand(hole)]
    types = layout(hand, terms.grouping.ranks)
    left = types.left.copy()
    made = []
    for cards in (across, down):
        one, two = (type_of(hole, card) for card in cards)
        left[[one]] -= 1
        left[[two]] -= 1
        flush = types.in_suit & types.in_suit[one] & types.in_suit[two]
        lines = line_groups(terms.grouping)
        made.append(lines[flush.astype(int), hand.high, hand.low, types.rank[one], types.rank[two], types.rank])
    both = made[0].astype(np.int64) * terms.groups + made[1]
    counts = np.zeros(terms.groups**2, dtype=np.int64)
    np.add.at(counts, both, left)
    return counts


# --- advice ---

CARDS: Final = ("hole", "across", "down")
"""Cards that a player has seen, in order."""
_FINEST: Final = 1_000_000
Given = Mapping[str, int | str | Fraction]


class Position(NamedTuple):
    """The visible cards, and the bets before this decision in antes."""

    cards: tuple[tuple[Card, ...], ...]
    bets: tuple[Fraction, ...]

    @property
    def decision(self) -> str:
        return BETS[len(self.bets)]


def advise(game: Game, *, pay: Pay, bets: Given, cards: Mapping[str, str], exact: bool = True) -> Advice:
    """Return every choice with the expected net result of the round under best play afterwards; always exact."""
    asked = with_pay(game, pay)
    terms = terms_of(asked)
    position = read_position(asked, terms, cards, bets)
    values = position_values(terms, position)
    # In the order of the stakes, so that of equal values the last stakes most.
    chosen = max(reversed(values), key=lambda name: values[name])
    rules = RulesIdentity.of(game, pay=pay_texts(asked, pay))
    return Advice(rules=rules, decision=position.decision, best=chosen, actions=values)


def position_values(terms: CrissCrossPayoffs, position: Position) -> dict[str, Fraction]:
    """Return the value of a fold and of each whole multiple of the ante, in antes."""
    low, high = terms.stakes[len(position.bets)]
    times = range(low, high + 1)
    by_bet = {"across": _across, "down": _down, "middle": _middle}[position.decision](terms, position, times)
    fold = Fraction(folded(terms, ()), terms.scale) - sum(position.bets)
    return {FOLD: fold, **{f"{bet}x": value for bet, value in by_bet.items()}}


def _middle(terms: CrissCrossPayoffs, position: Position, times: range) -> dict[int, Fraction]:
    counts = outcomes_of(terms, *position.cards)
    antes, across, down, middle = (int(sum_) for sum_ in terms.values @ counts)
    x, y = position.bets
    so_far = antes + x * across + y * down
    return {z: Fraction(so_far + z * middle) / (terms.deals.middle * terms.scale) for z in times}


def _down(terms: CrissCrossPayoffs, position: Position, times: range) -> dict[int, Fraction]:
    hole, across = position.cards
    of = continuations(terms.grouping)
    kind = of.row_kind[of.row_start[starting_hand(hole)] + pair_of(hole, across)]
    entries = slice(of.entry_start[kind], of.entry_start[kind + 1])
    (x,) = position.bets
    unit = x.denominator
    sums = chosen_prospect_sums(of, terms.values, of.entry_prospect[entries])
    values, _ = best_ends(terms, sums, [(int(x * unit), y * unit) for y in times], unit=unit)
    totals = of.entry_ways[entries] @ values
    deals = terms.deals.down * terms.deals.middle
    return {y: Fraction(int(total), unit * deals * terms.scale) for y, total in zip(times, totals, strict=True)}


def _across(terms: CrissCrossPayoffs, position: Position, times: range) -> dict[int, Fraction]:
    (hole,) = position.cards
    of = continuations(terms.grouping)
    number = starting_hand(hole)
    rows = slice(of.row_start[number], of.row_start[number + 1])
    bets = [(x, y) for x in times for y in terms.stakes[1]]
    ahead = reached(of, rows)
    ends, _ = best_ends(terms, chosen_prospect_sums(of, terms.values, ahead.prospects), bets)
    sums = ahead.row_sums(ends).reshape(rows.stop - rows.start, len(times), -1)
    deals = terms.deals
    values = {}
    for place, x in enumerate(times):
        fold = folded(terms, (x,)) * deals.down * deals.middle
        _, row_best = best({0: fold, **dict(zip(terms.stakes[1], sums[:, place].T, strict=True))}, len(sums))
        total = int((of.row_ways[rows] * row_best).sum())
        values[x] = Fraction(total, deals.across * deals.down * deals.middle * terms.scale)
    return values


def choices_by_hole(
    game: Game, *, bets: Given, cards: Mapping[str, str]
) -> Callable[[Sequence[Card]], tuple[str, Mapping[str, Fraction]]]:
    """Return a function from hole cards to the best choice and the values, beside the open across and down cards."""
    terms = terms_of(game)
    seen = [parse_cards(cards[name], count=(2,), where=name) for name in CARDS[1:] if cards.get(name)]
    made = read_bets(game, terms, bets, BETS[: len(seen)])
    of_hole = (_first_of_each, _down_of_each, _middle_of_each)[len(seen)](terms, seen, made)
    fold = Fraction(folded(terms, ()), terms.scale) - sum(made)
    known: dict[tuple[int, ...], tuple[str, Mapping[str, Fraction]]] = {}

    def choice(hole: Sequence[Card]) -> tuple[str, Mapping[str, Fraction]]:
        alike = (starting_hand(hole), *(type_of(hole, card) for two in seen for card in two))
        if alike not in known:
            values = {FOLD: fold, **{f"{bet}x": value for bet, value in of_hole(hole).items()}}
            known[alike] = max(reversed(values), key=lambda name: values[name]), values
        return known[alike]

    return choice


OfHole = Callable[[Sequence[Card]], Mapping[int, Fraction]]


def _first_of_each(terms: CrissCrossPayoffs, seen: Sequence[Sequence[Card]], made: Sequence[Fraction]) -> OfHole:
    values, deals = induce(terms).hole_values, terms.deals
    after = deals.across * deals.down * deals.middle * terms.scale
    return lambda hole: {
        bet: Fraction(int(value), after)
        for bet, value in zip(terms.stakes[0], values[starting_hand(hole)], strict=True)
    }


def _down_of_each(terms: CrissCrossPayoffs, seen: Sequence[Sequence[Card]], made: Sequence[Fraction]) -> OfHole:
    of, (across,), (x,) = continuations(terms.grouping), seen, made
    bets = [(x.numerator, y * x.denominator) for y in terms.stakes[1]]
    ends, _ = best_ends(terms, prospect_sums(of, terms.values), bets, unit=x.denominator)
    sums = kind_sums(of, ends)
    after = x.denominator * terms.deals.down * terms.deals.middle * terms.scale

    def values(hole: Sequence[Card]) -> Mapping[int, Fraction]:
        kind = of.row_kind[of.row_start[starting_hand(hole)] + pair_of(hole, across)]
        return {bet: Fraction(int(total), after) for bet, total in zip(terms.stakes[1], sums[kind], strict=True)}

    return values


def _middle_of_each(terms: CrissCrossPayoffs, seen: Sequence[Sequence[Card]], made: Sequence[Fraction]) -> OfHole:
    low, high = terms.stakes[2]
    two = tuple(map(tuple, seen))
    return lambda hole: _middle(terms, Position((tuple(hole), *two), tuple(made)), range(low, high + 1))


# --- parsing ---------------------------------------------------------------------------------------------------------


def read_position(game: Game, terms: CrissCrossPayoffs, cards: Mapping[str, str], bets: Given) -> Position:
    """Parse a position; report all its problems at once."""
    seen, problems = _read_cards(cards)
    if problems:
        raise BadInput.of(problems)
    return Position(seen, read_bets(game, terms, bets, BETS[: len(seen) - 1]))


def _read_cards(cards: Mapping[str, str]) -> tuple[tuple[tuple[Card, ...], ...], list[Problem]]:
    problems = [_unknown_cards(name) for name in cards if name not in CARDS]
    given = [name for name in CARDS if cards.get(name)]
    if given != list(CARDS[: max(1, len(given))]):
        missing = next(name for name in CARDS if name not in given)
        what = "missing; a player sees these cards first"
        problems.append(Problem(code="advise.cards", where=missing, what=what, allowed="two cards"))
    seen = []
    for name in given:
        try:
            seen.append(parse_cards(cards[name], count=(2,), where=name))
        except BadInput as bad:
            problems += bad.problems
    dealt: list[Card] = []
    for name, two in zip(given, seen, strict=False):
        problems += [
            Problem(code="card.repeated", where=name, what="card given more than once", value=card.text)
            for card in two
            if card in dealt
        ]
        dealt += two
    return tuple(seen), problems


def _unknown_cards(name: str) -> Problem:
    if name == "middle":
        what = "no decision is left once the middle card is seen"
        return Problem(code="advise.decision", where=name, what=what, allowed=", ".join(CARDS))
    return Problem(code="advise.cards", where=name, what="this game has no such cards", allowed=", ".join(CARDS))


def read_bets(game: Game, terms: CrissCrossPayoffs, bets: Given, wanted: Sequence[str]) -> tuple[Fraction, ...]:
    """Parse earlier bets in antes; report all their problems at once."""
    problems = []
    for name in bets:
        if name not in BETS:
            problems.append(_bad_bet("bets", "no such bet", value=name, allowed=_list(BETS)))
        elif name not in wanted:
            what = "this bet comes after these cards"
            problems.append(_bad_bet(f"bets.{name}", what, allowed=_list(wanted)))
    made = []
    for name, (low, high) in zip(wanted, terms.stakes, strict=False):
        if name not in bets:
            what = "the bet before these cards is missing"
            example = f"--bets {','.join(f'{bet}={low}' for bet in wanted)}"
            problems.append(_bad_bet(f"bets.{name}", what, allowed=example))
            continue
        bet = _as_multiple(bets[name])
        finest = 1 if game.settings.get("whole_multiples_only") else _FINEST
        if bet is None or not low <= bet <= high or bet.denominator > finest:
            value, allowed, clauses = str(bets[name]), f"{low} … {high} antes", game.wager(name).clauses
            problems.append(_bad_bet(f"bets.{name}", "no such bet", value=value, allowed=allowed, clauses=clauses))
            continue
        made.append(bet)
    if problems:
        raise BadInput.of(problems)
    return tuple(made)


def _bad_bet(where: str, what: str, **told: Any) -> Problem:
    return Problem(code="advise.bets", where=where, what=what, **told)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _as_multiple(value: int | str | Fraction) -> Fraction | None:
    """Parse a bet as a multiple of the ante: ``3``, ``3x``, ``1.5``, ``3/2``."""
    try:
        return Fraction(value.strip().removesuffix("x") if isinstance(value, str) else value)
    except (ValueError, ZeroDivisionError):
        return None
