"""What each decision of a player cost against the best one, on the same cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.reasons import reason
from crossfelt.analysis.solving import advise
from crossfelt.rulebooks.game import Game

GRADES: Final = ((0.5, "blunder"), (0.1, "mistake"), (0.0, "inaccuracy"))
"""What a decision that gave away more than so many antes is called."""
BEST: Final = "best"
FOUL: Final = Fraction(-1)
"""What a hand that was set foul is worth, whatever the dealer has."""
SEEN: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "criss_cross": {"across": ("across_left", "across_right"), "down": ("down_far", "down_near")},
    "double_cross": {"top": ("down_far",), "right": ("across_right",)},
}
"""What `advise` calls the cards of the layout."""
Told = Mapping[str, Any]


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision, with what every choice was worth."""

    round: int
    decision: str
    seen: dict[str, str]
    chosen: str
    best: str
    actions: dict[str, float]
    """In antes, or main wagers."""
    cost: float
    cost_cents: int
    grade: str
    reason: str


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions of a player, and what they cost together."""

    decisions: tuple[Decision, ...]
    nets_cents: dict[int, int]
    """What each round brought the player."""
    lost_cents: int
    grades: dict[str, int]


def review(game: Game, events: Iterable[Told], seat: int) -> Review:
    """A player's decisions, from the events of closed rounds as that player may see them, in plain data.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> dealt = {"event": "cards_dealt", "cards": [[1, "hole_1", "As"], [1, "hole_2", "Ad"]]}
    >>> rounds = [
    ...     {"event": "round_opened", "round": 1},
    ...     {"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500}}, dealt,
    ...     {"event": "bet_placed", "seat": 1, "wager": "across", "cents": 500},
    ... ]
    >>> told = review(compile_game("nj-criss-cross"), rounds, 1)
    >>> [(d.chosen, d.best, d.grade) for d in told.decisions]
    [('1x', '3x', 'blunder')]
    """
    seats = _Seat(game, seat)
    decisions = tuple(decision for event in events for decision in seats.hear(event))
    grades = {name: sum(d.grade == name for d in decisions) for name in (BEST, *(name for _, name in GRADES))}
    lost = sum(decision.cost_cents for decision in decisions)
    return Review(decisions=decisions, nets_cents=seats.nets, lost_cents=lost, grades=grades)


class _Seat:
    """What one seat sees while a round goes on."""

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self._seat = seat
        self.nets: dict[int, int] = {}
        self._round = 0
        self._start()

    def _start(self) -> None:
        self._placed: dict[str, int] = {}
        self._cards: tuple[str, ...] = ()
        self._layout: dict[str, str] = {}

    def hear(self, event: Told) -> Iterator[Decision]:
        kind = event["event"]
        if kind == "round_opened":
            self._round = event["round"]
            self._start()
        elif kind == "cards_dealt":
            self._cards = tuple(card for seat, _, card in event["cards"] if seat == self._seat)
        elif kind == "community_cards_revealed":
            self._layout |= dict(zip(event["places"], event["cards"], strict=True))
        elif event.get("seat") == self._seat:
            yield from self._own(kind, event)

    def _own(self, kind: str, event: Told) -> Iterator[Decision]:
        if kind == "wagers_placed":
            self._placed = dict(event["wagers"])
        elif kind == "bet_placed":
            if event["wager"] != "raise":
                yield from self._decided(f"{_times(event['cents'], self._base)}x")
            self._placed[event["wager"]] = event["cents"]
        elif kind == "hand_folded":
            yield from self._decided("fold")
        elif kind == "choice_made" and event["wager"] == "raise":
            yield from self._decided(event["choice"])
        elif kind == "hand_set" and event.get("low"):
            yield from self._decided(frozenset(event["low"]))
        elif kind in ("wager_settled", "fold_collected", "award_paid"):
            self.nets[self._round] = self.nets.get(self._round, 0) + _net(event)

    @property
    def _base(self) -> int:
        return self._placed[next(wager.id for wager in self._game.wagers if wager.required)]

    def _decided(self, chosen: str | frozenset[str]) -> Iterator[Decision]:
        seen, bets = self._seen(), self._bets()
        advice = advise(self._game, pay=None, bets=bets, exact=False, **seen)
        name = chosen if isinstance(chosen, str) else _setting(advice, chosen)
        worth = _worth(advice, name)
        cost = float(advice.actions[advice.best] - worth)
        yield Decision(
            round=self._round,
            decision=advice.decision,
            seen=seen,
            chosen=name,
            best=advice.best,
            actions={choice: float(value) for choice, value in advice.actions.items()} | {name: float(worth)},
            cost=cost,
            cost_cents=round(cost * self._base),
            grade=grade_of(cost),
            reason=reason(self._game, advice, seen),
        )

    def _seen(self) -> dict[str, str]:
        if self._game.book.game == "pai_gow":
            return {"cards": " ".join(self._cards)}
        groups = SEEN[self._game.book.game]
        shown = {
            name: " ".join(self._layout[place] for place in places)
            for name, places in groups.items()
            if all(place in self._layout for place in places)
        }
        return {"hole": " ".join(self._cards), **shown}

    def _bets(self) -> dict[str, Fraction]:
        earlier = ("across", "down") if self._game.book.game == "criss_cross" else ()
        return {bet: Fraction(self._placed[bet], self._base) for bet in earlier if bet in self._placed}


def grade_of(cost: float) -> str:
    """What a decision is called by what it gave away, in antes.

    >>> [grade_of(cost) for cost in (0.0, 0.02, 0.3, 2.0)]
    ['best', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((name for least, name in GRADES if cost > least), BEST)


def _setting(advice: Advice, front: frozenset[str]) -> str:
    """Two cards in front as the advice names them; a foul is not among its choices."""
    return next((low for low in advice.actions if set(low.split()) == front), " ".join(sorted(front)))


def _times(cents: int, base: int) -> str:
    return f"{float(Fraction(cents, base)):g}"


def _worth(advice: Advice, name: str) -> Fraction:
    """What a choice was worth. Bets between whole multiples lie between their values, which is never too little."""
    if name in advice.actions:
        return advice.actions[name]
    if not name.endswith("x"):
        return FOUL
    times = Fraction(name.removesuffix("x"))
    low, high = (advice.actions[f"{whole}x"] for whole in (int(times), int(times) + 1))
    return low + (high - low) * (times - int(times))


def _net(event: Told) -> int:
    if event["event"] == "award_paid":
        return int(event["cents"])
    if event["event"] == "fold_collected":
        return -sum(map(int, event["wagers"].values()))
    return int(event.get("returned", 0) + event.get("paid", 0) - event.get("commission", 0) - event["stake"])
