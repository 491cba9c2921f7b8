"""Review of a player's decisions: the cost of each, and the reason for the best choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt.analysis.advice import Advice, SettingAdvice
from crossfelt.analysis.solver.api import advise
from crossfelt.cards import Card, parse_cards
from crossfelt.cards.notation import format_cards
from crossfelt.games.criss_cross import CrissCross
from crossfelt.hands.rank import HandRank, plural
from crossfelt.rulebooks.game import Game

OUTS_OF_A_RANK: Final = 3
"""Remaining cards of a rank of which the player holds one."""
STANDARD: Final = 52


def reason(game: Game, advice: Advice, seen: Mapping[str, str]) -> str:
    """Give the reason for an advice in one sentence; `seen` has the visible cards as `advise` takes them.

    >>> from crossfelt.analysis import advise
    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> def why(**seen): return reason(game, advise(game, **seen), seen)
    >>> why(hole="As Qd")
    '6 cards would give you a pair that pays, on each line.'
    >>> why(hole="Ks 9s")
    '3 cards would give you a pair that pays; 3 would give one that pushes, on each line; your cards are suited.'
    >>> why(hole="9s 9d")
    'The pair of nines in your hand pushes on both lines already.'
    """
    if isinstance(advice, SettingAdvice):
        return _of_setting(advice)
    if game.book.game == "double_cross":
        return _of_line(advice)
    cards = {name: parse_cards(text) for name, text in seen.items()}
    return {"across": _of_hole, "down": _of_across, "middle": _of_both}[advice.decision](CrissCross(game), game, cards)


def _of_hole(rules: CrissCross, game: Game, cards: Mapping[str, Sequence[Card]]) -> str:
    first, second = cards["hole"]
    if first.rank == second.rank:
        already = {"pays": "pays on", "pushes": "pushes on", "": "does not pay on"}[_pair_does(rules, first.rank)]
        return f"The pair of {plural(first.rank)} in your hand {already} both lines already."
    does = [_pair_does(rules, card.rank) for card in (first, second)]
    pays, pushes = (OUTS_OF_A_RANK * does.count(what) for what in ("pays", "pushes"))
    paying = f"{pays} cards would give you a pair that pays" if pays else "No card would give you a pair that pays"
    pushing = f"; {pushes} would give one that pushes" if pushes else ""
    suited = "; your cards are suited" if first.suit == second.suit else ""
    return f"{paying}{pushing}, on each line{suited}."


def _pair_does(rules: CrissCross, rank: int) -> str:
    pay = rules.pay("bets", HandRank("five_card", "pair", (rank,)))
    return "pays" if pay.wins else "pushes" if pay.pushes else ""


def _of_across(rules: CrissCross, game: Game, cards: Mapping[str, Sequence[Card]]) -> str:
    """Count the middle cards with which the across hand wins or pushes."""
    places = _places(cards)
    left = _left(cards)
    pays = [rules.pay("bets", rules.hand("across", {**places, "middle": card})) for card in left]
    return _counted(sum(pay.wins for pay in pays), sum(pay.pushes for pay in pays), len(left), "the across bet")


def _of_both(rules: CrissCross, game: Game, cards: Mapping[str, Sequence[Card]]) -> str:
    places, left, lines = _places(cards), _left(cards), game.wager("middle").better_of
    pays = [
        rules.deciding([rules.pay("bets", rules.hand(line, {**places, "middle": card})) for line in lines])
        for card in left
    ]
    return _counted(sum(pay.wins for pay in pays), sum(pay.pushes for pay in pays), len(left), "the middle bet")


def _counted(wins: int, pushes: int, of: int, what: str) -> str:
    """
    >>> _counted(8, 3, 46, "the middle bet")
    '8 of 46 cards in the middle win the middle bet, 3 push.'
    """
    if wins == of:
        return f"Every card in the middle wins {what}."
    push = f", {pushes} push" if pushes else ""
    return f"{wins or 'None'} of {of} cards in the middle win {what}{push}."


def _of_line(advice: Advice) -> str:
    fold, vertical, horizontal = (advice.actions[name] for name in ("fold", "vertical", "horizontal"))
    better, worse = ("vertical", "horizontal") if vertical >= horizontal else ("horizontal", "vertical")
    gap = abs(float(vertical - horizontal))
    if advice.best == "fold":
        return f"Even the {better} line loses more than the ante on average: {float(advice.actions[better]):+.2f}."
    return f"The {better} line is worth {gap:.2f} antes more than the {worse}; a fold costs {float(-fold):g}."


def _of_setting(advice: SettingAdvice) -> str:
    best = advice.settings[0]
    shares = f"wins {float(100 * best.win):.0f} % of the time and pushes {float(100 * best.push):.0f} %"
    house = next((setting for setting in advice.settings if setting.house_way), best)
    cost = float(advice.cost(format_cards(house.low)))
    beside = "it is the house way" if house is best else f"the house way costs {cost:.3f} wagers"
    return f"This setting {shares}; {beside}."


def _places(cards: Mapping[str, Sequence[Card]]) -> dict[str, Card]:
    names = {
        "hole": ("hole_1", "hole_2"),
        "across": ("across_left", "across_right"),
        "down": ("down_far", "down_near"),
    }
    return {place: card for name, held in cards.items() for place, card in zip(names[name], held, strict=True)}


def _left(cards: Mapping[str, Sequence[Card]]) -> list[Card]:
    seen = {card for held in cards.values() for card in held}
    return [card for card in map(Card, range(STANDARD)) if card not in seen]


# --- costs of decisions ---

GRADES: Final = ((0.5, "blunder"), (0.1, "mistake"), (0.0, "inaccuracy"))
"""Grades of a decision by its cost, in antes."""
BEST: Final = "best"
FOUL: Final = Fraction(-1)
"""Value of a foul hand, in main wagers."""
SEEN: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "criss_cross": {"across": ("across_left", "across_right"), "down": ("down_far", "down_near")},
    "double_cross": {"top": ("down_far",), "right": ("across_right",)},
}
"""Places of the layout by the names that `advise` uses."""
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


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions of a player, and their total cost."""

    decisions: tuple[Decision, ...]
    nets_cents: dict[int, int]
    """Net result of the player by round."""
    lost_cents: int
    grades: dict[str, int]


def review(game: Game, events: Iterable[EventData], seat: int) -> Review:
    """Review a player's decisions from the events of closed rounds, as that player may see them.

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
        self.nets: dict[int, int] = {}
        self._round = 0
        self._start()

    def _start(self) -> None:
        self._placed: dict[str, int] = {}
        self._cards: tuple[str, ...] = ()
        self._layout: dict[str, str] = {}

    def apply(self, event: EventData) -> Iterator[Decision]:
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

    def _own(self, kind: str, event: EventData) -> Iterator[Decision]:
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
        value = _value(advice, name)
        cost = float(advice.actions[advice.best] - value)
        yield Decision(
            round=self._round,
            decision=advice.decision,
            seen=seen,
            chosen=name,
            best=advice.best,
            actions={choice: float(ev) for choice, ev in advice.actions.items()} | {name: float(value)},
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
