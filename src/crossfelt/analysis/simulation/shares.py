"""A simulation cut into shares that can be played anywhere, in any order: their sums add up to the whole, exactly.

Rounds hang on nothing but game, seed and the number of their block, so a share is a stretch of whole blocks. A meter
goes on from round to round; it is therefore followed through a history of so many rounds and then opened anew, and
where one runs a share is a stretch of whole histories. Shares at the end may be empty.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from crossfelt.analysis.simulation.plan import Plan
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game


class Share(NamedTuple):
    """One of so many parts of a simulation; the first is number 1."""

    number: int = 1
    of: int = 1

    def span(self, game: Game, plan: Plan, rounds: int) -> range:
        """Its rounds, counted from 0.

        >>> from crossfelt.rulebooks.game import compile_game
        >>> game = compile_game("nj-double-cross")
        >>> [Share(number, 3).span(game, Plan(), 70_000) for number in (1, 2, 3)]
        [range(0, 32600), range(32600, 65200), range(65200, 70000)]
        """
        unit = plan.unit_rounds(game)
        units = -(-rounds // unit)
        first, end = (units * place // self.of * unit for place in (self.number - 1, self.number))
        return range(min(first, rounds), min(end, rounds))


WHOLE: Final = Share()


def share_named(text: str) -> Share:
    """A share as it is written: ``3/100``.

    >>> share_named("3/100")
    Share(number=3, of=100)
    """
    number, _, of = text.partition("/")
    if all(part.isascii() and part.isdigit() for part in (number, of)) and 1 <= int(number) <= int(of):
        return Share(int(number), int(of))
    allowed = "NUMBER/OF, as 3/100, from 1/OF to OF/OF"
    raise BadInput(Problem(code="simulation.share", what="no such share", value=text, allowed=allowed))
