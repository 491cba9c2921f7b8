"""Irregularities at a rate: faults with the cards of a round, when they are found, and their consequences.

In a given number of a million rounds one fault with the cards is found. Each kind with a fixed consequence in the
rulebook is equally likely, and so is each case, seat and step. Decisions of the floor, conduct of players and failures
of devices between rounds are not simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.payoffs import LimitedPayment, Prices, WagerRounds
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.simulation.ranked_hands import shared_places
from crossfelt.games.settlement import Settlement
from crossfelt.kernels.random_deals import draws
from crossfelt.play.scripted.checks import stakes_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Irregularity
from crossfelt.rulebooks.script import Deal, Decide, Reveal, SetHands, Step

Where = NDArray[np.bool_]
Places = NDArray[np.intp]

MILLION: Final = 10**6
NEVER: Final = 1 << 30
"""Later than any step of a script."""
AT_THE_DEAL: Final = ("face_up_card", "card_in_error", "shoe_jam")
WHILE_DECIDING: Final = ("wrong_card_count", "community_exposed")
HARMLESS: Final = frozenset(("discard_card", "continue", "use_as_next_card"))
"""Consequences after which the round continues unchanged."""


class IrregularityCase(NamedTuple):
    """One possible fault."""

    kind: str
    case: str
    place: int
    """Index of its step in the script."""
    fields: Mapping[str, Any]
    """Fields of the fault in a script."""
    void: bool


class Wrong(NamedTuple):
    """The faults in the rounds of a block."""

    rounds: Places
    found: tuple[IrregularityCase, ...]
    """Fault by affected round."""
    void_at: Places
    """Index of the step at which a round is void, `NEVER` if it is not; by round."""

    @property
    def void(self) -> Where:
        return self.void_at < NEVER

    @property
    def counts(self) -> dict[str, int]:
        """The number of faults by kind and case."""
        return dict(Counter(f"{mishap.kind}.{mishap.case}" for mishap in self.found))


class IrregularityModel:
    """The faults that are possible at a table with these seats."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._rate = plan.mishaps_per_million
        self._steps = [step.id for step in game.book.script]
        self._by_kind = [
            mishaps
            for kind, cases in game.book.irregularities.items()
            if (mishaps := [one for case, told in cases.items() for one in _cases(game, plan, kind, case, told)])
        ]

    def draw(self, stream: str, rounds: int, asked: Mapping[int, Sequence[Where]]) -> Wrong:
        """Draw the faults of many rounds.

        `asked` has the rounds in which each seat decides at a step, for steps that some rounds do not reach. A
        fault is found only at a step with a decision, and only in the hand of a seat that decides there.
        """
        void_at: Places = np.full(rounds, NEVER, dtype=np.intp)
        if not self._rate:
            return Wrong(np.empty(0, dtype=np.intp), (), void_at)
        rows = np.flatnonzero(draws(f"{stream}/mishap", rounds, MILLION) < self._rate)
        drawn = draws(f"{stream}/mishap/which", 2 * len(rows), 1 << 31).reshape(-1, 2).tolist()
        found = []
        for row, (kind, which) in zip(rows.tolist(), drawn, strict=True):
            some = self._by_kind[kind % len(self._by_kind)]
            found.append(self._at_a_step(some[which % len(some)], row, asked))
            if found[-1].void:
                void_at[row] = found[-1].place
        return Wrong(rows, tuple(found), void_at)

    @staticmethod
    def _at_a_step(mishap: IrregularityCase, row: int, asked: Mapping[int, Sequence[Where]]) -> IrregularityCase:
        """Return the fault at its step, or at the next step to it at which the seat decides."""
        if mishap.place not in asked:
            return mishap
        seat = mishap.fields.get("seat")
        decides = [
            place
            for place, seats in asked.items()
            if (seats[seat - 1][row] if seat else any(one[row] for one in seats))
        ]
        earlier = [place for place in decides if place <= mishap.place]
        return mishap._replace(place=max(earlier) if earlier else min(decides, default=mishap.place))

    def script(self, wrong: Wrong, row: int) -> dict[str, Any]:
        """Return the fault of a round as a script writes it."""
        place = int(np.searchsorted(wrong.rounds, row))
        if place == len(wrong.rounds) or wrong.rounds[place] != row:
            return {}
        mishap = wrong.found[place]
        return {"irregularities": [{"kind": mishap.kind, "step": self._steps[mishap.place], **mishap.fields}]}

    def put_right(self, payments: Sequence[LimitedPayment], wrong: Wrong) -> list[LimitedPayment]:
        """Return the payments with void rounds included; the operator chooses if settled wagers stand (AMB-8c)."""
        if not wrong.rounds.size:
            return list(payments)
        keeps = self._game.settings["void_keeps_settled"]
        steps = enumerate(self._game.book.script) if keeps else ()
        settled = {wager: place for place, step in steps for wager in getattr(step, "wagers", ())}
        right = []
        for payment in payments:
            rounds = np.flatnonzero(wrong.void_at <= settled.get(payment.wager, NEVER - 1))
            right.append(payment._replace(wagered=_returned(payment.wagered, rounds)))
        return right


def _returned(wagered: WagerRounds, rounds: Places) -> WagerRounds:
    """Return a wager that is returned in some rounds; an award without a stake is not paid."""
    prices = wagered.prices
    stakes, place_of = np.unique(prices.stake, return_inverse=True)
    back = [Prices.of(int(stake), [Settlement(result="returned", returned=int(stake))]) for stake in stakes]
    first = len(prices.stake)
    made = (prices.result >= 0) & (prices.stake > 0)
    outcome_then = np.where(made, first + 1 + place_of, first)
    outcomes = wagered.outcomes.copy()
    outcomes[rounds] = outcome_then.take(outcomes[rounds])
    return wagered._replace(prices=Prices.joined(prices, Prices.not_made(1), *back), outcomes=outcomes)


def _cases(game: Game, plan: SimulationPlan, kind: str, case: str, told: Irregularity) -> Iterator[IrregularityCase]:
    """Yield the faults of one case; none if the rulebook leaves the case to the floor."""
    void = "void" in told.then
    if not void and not HARMLESS.issuperset(told.then):
        return
    deal = next(place for place, step in enumerate(game.book.script) if isinstance(step, Deal))
    if kind in AT_THE_DEAL and (kind != "shoe_jam" or game.choices["dealing.method"] == "automated_shoe"):
        yield IrregularityCase(kind, case, deal, {"count": 2} if case == "several" else {}, void)
    elif kind in WHILE_DECIDING:
        placed = {wager for seat in plan.seats for wager in stakes_of(game, seat.wagers)}
        for place in (place for place, step in enumerate(game.book.script) if _asks(game, placed, step)):
            for fields in _where(game, plan, kind, case, place):
                yield IrregularityCase(kind, case, place, fields, void)


def _where(game: Game, plan: SimulationPlan, kind: str, case: str, step: int) -> Iterator[dict[str, Any]]:
    if kind == "community_exposed":
        # The card that is turned up last, while it is hidden.
        last = shared_places(game)[-1]
        names = {last, *(group.id for group in game.book.groups if last in group.names)}
        reveals = (later for later in game.book.script[step:] if isinstance(later, Reveal))
        if any(names.intersection(name.partition(".")[0] for name in later.cards) for later in reveals):
            yield {"place": last}
    elif case == "player":
        yield from ({"seat": number} for number in range(1, len(plan.seats) + 1))
    else:
        yield {"place": case}


def _asks(game: Game, placed: Container[str], step: Step) -> bool:
    """Return whether a step asks any seat; a decision about an optional wager asks only seats that placed it."""
    if isinstance(step, Decide):
        return step.wager not in game.opening_wagers or step.wager in placed
    return isinstance(step, SetHands) and step.who == "players"
