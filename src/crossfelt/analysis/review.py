"""Review of a player's decisions: the cost of each, and the reason for the best choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.best_play_bot import position_of
from crossfelt.analysis.reasons import Explanation, explain
from crossfelt.analysis.solver.api import advise, require_solver
from crossfelt.cards.card import Card
from crossfelt.play.player_view import HANDS, PlayerView, base_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.step_phrases import choice_title
from crossfelt.rulebooks.script import Decide

GRADES: Final = ((0.5, "blunder"), (0.1, "mistake"), (0.0, "inaccuracy"))
"""Grades of a decision by its cost, in antes."""
BEST: Final = "best"
FOUL: Final = Fraction(-1)
"""Value of a foul hand, in main wagers."""
EventData = Mapping[str, Any]


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision with the value of every choice."""

    round: int
    decision: str
    seen: dict[str, str]
    chosen: str
    best: str
    actions: dict[str, float]
    """Values by choice, in antes or main wagers."""
    cost: float
    cost_cents: int
    grade: str
    reason: str
    titles: dict[str, str]
    """The choices as their buttons have them."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions of a player, and their total cost."""

    decisions: tuple[Decision, ...]
    nets_cents: dict[int, int]
    """Net result of the player by round."""
    lost_cents: int
    grades: dict[str, int]


def review(game: Game, events: Iterable[EventData], seat: int) -> Review:
    """Review a player's decisions from the events of closed rounds, as that player may see them.

    >>> dealt = {"event": "cards_dealt", "cards": [[1, "hole_1", "As"], [1, "hole_2", "Ad"]]}
    >>> rounds = [
    ...     {"event": "round_opened", "round": 1},
    ...     {"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500}}, dealt,
    ...     {"event": "step_entered", "step": "decide_across"},
    ...     {"event": "bet_placed", "seat": 1, "wager": "across", "cents": 500},
    ... ]
    >>> told = review(compile_game("nj-criss-cross"), rounds, 1)
    >>> [(d.chosen, d.best, d.grade) for d in told.decisions]
    [('1x', '3x', 'blunder')]
    """
    seen = _Seat(game, seat)
    decisions = tuple(decision for event in events for decision in seen.apply(event))
    grades = {name: sum(d.grade == name for d in decisions) for name in (BEST, *(name for _, name in GRADES))}
    lost = sum(decision.cost_cents for decision in decisions)
    return Review(decisions=decisions, nets_cents=seen.nets, lost_cents=lost, grades=grades)


class _Seat:
    """The visible cards and wagers of one seat during a round."""

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self._seat = seat
        decisions = (step for step in game.book.script if isinstance(step, Decide) and step.bet is not None)
        self._named_bets = {step.wager for step in decisions if step.bet is not None and step.bet.choose is not None}
        self.nets: dict[int, int] = {}
        self._round = 0
        self._start()

    def _start(self) -> None:
        self._placed: dict[str, int] = {}
        self._cards: tuple[str, ...] = ()
        self._layout: dict[str, str] = {}
        self._choices: dict[str, str] = {}
        self._step = ""

    def apply(self, event: EventData) -> Iterator[Decision]:
        kind = event["event"]
        if kind == "round_opened":
            self._round = event["round"]
            self._start()
        elif kind == "step_entered":
            self._step = event["step"]
        elif kind == "cards_dealt":
            self._cards = tuple(card for seat, _, card in event["cards"] if seat == self._seat)
        elif kind == "community_cards_revealed":
            self._layout |= dict(zip(event["places"], event["cards"], strict=True))
        elif event.get("seat") == self._seat:
            yield from self._own(kind, event)

    def _own(self, kind: str, event: EventData) -> Iterator[Decision]:
        if kind == "wagers_placed":
            self._placed = dict(event["wagers"])
        elif kind == "bet_placed":
            if event["wager"] not in self._named_bets:  # with a bet that names a hand, the choice is the decision
                base = base_of(self._game, event["wager"], self._placed)
                yield from self._decided(event["wager"], f"{_times(event['cents'], base)}x")
            self._placed[event["wager"]] = event["cents"]
        elif kind == "hand_folded":
            yield from self._decided(event["wager"], "fold")
        elif kind == "choice_made":
            yield from self._decided(event["wager"], event["choice"])
            self._choices[event["wager"]] = event["choice"]
        elif kind == "hand_set" and event.get("low"):
            yield from self._decided(HANDS, frozenset(event["low"]))
        elif kind in ("wager_settled", "fold_collected", "award_paid"):
            self.nets[self._round] = self.nets.get(self._round, 0) + _net(event)

    def _decided(self, asked: str, chosen: str | frozenset[str]) -> Iterator[Decision]:
        view = PlayerView(
            game=self._game,
            seat=self._seat,
            round=self._round,
            step=self._step,
            asked=asked,
            hole=tuple(map(Card, self._cards)),
            face_up={place: Card(card) for place, card in self._layout.items()},
            placed=self._placed,
            options={},
            choices=self._choices,
        )
        require_solver(self._game)
        position = position_of(view)
        if position is None:
            return
        bets = position.pop("bets", {})
        advice = advise(self._game, pay=None, bets=bets, **position)
        told = explain(self._game, advice, position)
        name = chosen if isinstance(chosen, str) else _setting(advice, chosen)
        value = _value(advice, name)
        cost = float(advice.actions[advice.best] - value)
        yield Decision(
            round=self._round,
            decision=advice.decision,
            seen=position,
            chosen=name,
            best=advice.best,
            actions={choice: float(ev) for choice, ev in advice.actions.items()} | {name: float(value)},
            cost=cost,
            cost_cents=round(cost * view.unit_cents),
            grade=grade_of(cost),
            reason=" ".join(told.cards) or _plain_reason(advice, name, told),
            titles=told.titles,
        )


def _plain_reason(advice: Advice, chosen: str, told: Explanation) -> str:
    """Compare the best choice with the one taken, or with the next best, by their values alone."""
    others = {name: value for name, value in advice.actions.items() if name != advice.best}
    other = chosen if chosen in others else max(others, key=lambda name: others[name], default="")
    title = choice_title(advice.best, told.titles)
    best = f"{title} is worth {float(advice.actions[advice.best]):+.2f} {told.units} on average"
    return f"{best}, {choice_title(other, told.titles)} {float(others[other]):+.2f}." if other else f"{best}."


def grade_of(cost: float) -> str:
    """Return the grade of a decision by its cost in antes.

    >>> [grade_of(cost) for cost in (0.0, 0.02, 0.3, 2.0)]
    ['best', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((name for least, name in GRADES if cost > least), BEST)


def _setting(advice: Advice, front: frozenset[str]) -> str:
    """Return the name of a setting in the advice, or the two cards if it is foul."""
    return next((low for low in advice.actions if set(low.split()) == front), " ".join(sorted(front)))


def _times(cents: int, base: int) -> str:
    return f"{float(Fraction(cents, base)):g}"


def _value(advice: Advice, name: str) -> Fraction:
    """Return the value of a choice; a bet between whole multiples is interpolated, which never understates it."""
    if name in advice.actions:
        return advice.actions[name]
    if not name.endswith("x"):
        return FOUL
    times = Fraction(name.removesuffix("x"))
    low, high = (advice.actions[f"{whole}x"] for whole in (int(times), int(times) + 1))
    return low + (high - low) * (times - int(times))


def _net(event: EventData) -> int:
    if event["event"] == "award_paid":
        return int(event["cents"])
    if event["event"] == "fold_collected":
        return -sum(map(int, event["wagers"].values()))
    return int(event.get("returned", 0) + event.get("paid", 0) - event.get("commission", 0) - event["stake"])
