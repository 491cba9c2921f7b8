"""A careful player of any game: of what may be done now, the act with the best mean over sampled deals.

The player knows the own cards and those face up. The unseen cards are sampled, and the game's rules settle each deal.
The decisions to come are taken in the same way, from fewer deals each.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.deck import deck_of
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.money import dollars
from crossfelt.play.areas import areas_of
from crossfelt.play.player_view import PlayerView, base_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide, Reveal
from crossfelt.table.act import Range

PARTS: Final = ((60,), (16, 10), (10, 6, 5), (6, 4, 4, 4))
"""By the number of decisions to come: how often cards are tried before each, and the deals in each half at the end."""
FOLD: Final = "fold"
UNIT: Final = 1_000_00
"""The stake at which a result is settled, in cents."""


Chosen = tuple[tuple[str, str], ...]
"""Choices by wager."""


class Act(NamedTuple):
    """Something that a player may do at a decision."""

    name: str
    """``3x``, ``fold``, or the name of a choice."""
    wager: str = ""
    cents: int = 0
    forfeits: tuple[str, ...] = ()
    chosen: Chosen = ()
    """The wager and the choice, where the act has a name of its own."""
    back: str = ""
    """The wager that is taken back."""


class Choice(NamedTuple):
    """The best act, and the mean result of every act in cents."""

    action: str
    values: Mapping[str, float] = MappingProxyType({})
    why: str = ""
    """The reason where no values are compared."""

    @property
    def reason(self) -> str:
        """The reason in words.

        >>> Choice("1x", {"1x": -250.0, "fold": -1000.0}).reason
        'on average it loses $2.50 from here, and a fold loses $10'
        """
        others = {name: value for name, value in self.values.items() if name != self.action}
        if self.why:
            return self.why
        best = _result(self.values[self.action])
        if not others:
            return f"on average it {best} from here"
        other = max(others, key=lambda name: others[name])
        words = "a fold" if other == FOLD else re.sub(r"(\d)x$", r"\1×", other).replace("_", " ")
        return f"on average it {best} from here, and {words} {_result(others[other])}"


def _result(cents: float) -> str:
    return f"{'wins' if cents > 0 else 'loses'} {dollars(abs(round(cents)))}"


class Question(NamedTuple):
    """A decision on a wager, as `careful_answer` takes it. The suits are named in the order in which they are seen."""

    game: Game
    step: str
    acts: tuple[Act, ...]
    hole: tuple[Card, ...]
    up: tuple[tuple[str, Card], ...]
    """The cards face up, by place."""
    placed: tuple[tuple[str, int], ...]
    chosen: Chosen


def careful_choice(view: PlayerView) -> Choice | None:
    """Return the best act at a decision by sampled deals; None where no decision on a wager is due.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.table.act import Option, Range
    >>> choose = tuple(Option(command="choose", fields={"choice": name}) for name in ("vertical", "horizontal"))
    >>> view = PlayerView(
    ...     game=compile_game("nj-double-cross"), seat=1, round=1, step="decide_play", asked="raise",
    ...     hole=parse_cards("As Ad"), face_up=dict(zip(("down_far", "across_right"), parse_cards("2c Ah"))),
    ...     placed={"ante": 1000}, options={"choose": choose, "fold": (Option(command="fold"),)},
    ... )
    >>> careful_choice(view).action
    'horizontal'
    """
    question = question_at(view)
    return None if question is None else careful_answer(question)


def question_at(view: PlayerView) -> Question | None:
    """Return the question of a decision; None where no decision on a wager is due."""
    found = view.game.steps.get(view.step)
    if found is None or not isinstance(found[1], Decide):
        return None
    acts = tuple(_acts_now(view, found[1]))
    if not acts:
        return None
    names: dict[int, int] = {}
    return Question(
        game=view.game,
        step=view.step,
        acts=acts,
        hole=tuple(_renamed(card, names) for card in view.hole),
        up=tuple((place, _renamed(card, names)) for place, card in sorted(view.face_up.items())),
        placed=tuple(sorted(view.placed.items())),
        chosen=tuple(sorted(view.choices.items())),
    )


def _renamed(card: Card, names: dict[int, int]) -> Card:
    """Name the suits in the order in which they are seen: equal positions are thought through once."""
    return card if card >= JOKER else Card(4 * card.rank + names.setdefault(card.suit, len(names)))


@lru_cache(maxsize=8192)
def careful_answer(question: Question) -> Choice:
    """Return the best act, in up to 50 ms of a processor."""
    game, placed, chosen = question.game, dict(question.placed), dict(question.chosen)
    seen = {**dict(zip(game.hand_places, question.hole, strict=False)), **dict(question.up)}
    position = _Position(game, game.steps[question.step][0], seen, placed)
    values = {act.name: position.value(act, placed, chosen) for act in question.acts}
    return Choice(max(values, key=lambda name: values[name]), values)


# --- acts -----------------------------------------------------------------------------------------------------------


def _acts_now(view: PlayerView, step: Decide) -> Iterator[Act]:
    """Yield what the table allows now, in the order of the rulebook, the larger bet first."""
    amounts = next((option.ranges["cents"] for option in view.options.get("bet", ())), NOTHING)
    choices = {str(option.fields["choice"]) for option in view.options.get("choose", ())}
    for act in acts_at(view.game, step, view.placed, amounts):
        if act.name in choices if act.chosen else act.name != FOLD or FOLD in view.options:
            yield act


NOTHING: Final = Range(1, 0)
"""The amounts of a bet that is not open."""


def acts_at(game: Game, step: Decide, placed: Mapping[str, int], amounts: Range | None = None) -> Iterator[Act]:
    """Yield what a rulebook allows at a decision; of the bets the largest and the smallest, as between is between.

    `amounts` are those that the table allows now. Without them, a ceiling that depends on the hand is the lowest.

    >>> game = compile_game("nj-criss-cross")
    >>> placed = {"ante_across": 1000, "ante_down": 1000}
    >>> [act.name for act in acts_at(game, game.steps["decide_across"][1], placed)]
    ['3x', '1x', 'fold']
    """
    for action in step.actions:
        if action.fold:
            yield Act(FOLD, forfeits=game.fold_forfeits(step))
        elif action.forfeit:
            yield Act("decline", forfeits=action.forfeit, chosen=((step.wager, "decline"),))
        elif action.bet is not None and game.offers(action.bet):
            base, times = base_of(game, action.bet, placed), multiples(game, step)
            if amounts is None:
                times = tuple(n for n in times if n <= min((c.times for c in action.most), default=n)) or times[:1]
            bets: list[tuple[str, int, Chosen]]
            if action.choose is not None:
                hands = next(hand.chosen_of for hand in game.book.hands if hand.id == action.choose)
                bets = [(hand, min(times), ((action.bet, hand),)) for hand in hands]
            else:
                times = tuple(n for n in times if amounts is None or n * base in amounts)
                bets = [(f"{n}x", n, ()) for n in dict.fromkeys((max(times), min(times)))] if times else []
            yield from (Act(name, action.bet, n * base, chosen=chosen) for name, n, chosen in bets)
        elif action.bet is None:
            name = action.forms[0]
            yield Act(name, chosen=((step.wager, name),), back=action.withdraw or "")


def multiples(game: Game, step: Decide) -> tuple[int, ...]:
    """Return the multiples of its base that a bet may have at a decision."""
    stake = game.wager(step.wager).stake
    own = step.bet.times if step.bet is not None else ()
    return own or stake.times or tuple(range(stake.min, stake.max + 1))


# --- values ---------------------------------------------------------------------------------------------------------


class _Node:
    """A point of the round: the points that may follow, by the cards that are turned up, or the deals at the end."""

    def __init__(self, parts: Sequence[_Node] = (), deals: Sequence[Spot] = ()) -> None:
        self.parts = parts
        self.deals = deals
        self.gains: dict[tuple[str, Chosen], float] = {}
        """The mean gain for each cent of a stake, by wager and choices."""


class _Stand(NamedTuple):
    """A player's stakes and choices after an act."""

    stakes: dict[str, int]
    choices: dict[str, str]
    lost: tuple[str, ...] = ()
    """The wagers that the player has given up, and those taken back."""
    back: tuple[str, ...] = ()
    folded: bool = False

    def after(self, act: Act) -> _Stand:
        stakes = {**self.stakes, act.wager: act.cents} if act.wager else self.stakes
        choices, back = {**self.choices, **dict(act.chosen)}, (*self.back, act.back)
        return _Stand(stakes, choices, self.lost + act.forfeits, back, act.name == FOLD)


class _Position:
    """The cards that a player sees at a decision, and sampled deals of the others."""

    def __init__(self, game: Game, at: int, seen: Mapping[str, Card], placed: Mapping[str, int]) -> None:
        self._game = game
        self._rules = rules_of(game)
        self._chance = random.Random(repr(sorted(seen.items())))
        self._hidden = [place for area in areas_of(game) for place in area.places if place not in seen]
        self._to_come: list[Decide] = []
        self._turned_up: list[list[str]] = [[]]
        """The places that are turned up before each decision to come."""
        for step in game.book.script[at + 1 :]:
            if isinstance(step, Decide):
                self._to_come.append(step)
                self._turned_up.append([])
            elif isinstance(step, Reveal):
                self._turned_up[-1] += [place for place in step.cards if place in self._hidden]
        now = game.book.script[at]
        steps = [step for step in (now, *self._to_come) if isinstance(step, Decide)]
        wagers = [game.wager(name) for name in (*placed, *(step.wager for step in steps)) if game.offers(name)]
        named = [(*wager.hands, *(bonus.on for bonus in wager.bonus)) for wager in wagers if wager.unit == "cents"]
        self._hands = self._rules.hands_of_cards(chain.from_iterable(named))
        own = [name for name in self._hands if seen.keys() >= set(rules_of(game).places(name))]
        self._known = {name: self._rules.hand(name, seen) for name in own}
        """The hands of which every card is seen."""
        self._parts = PARTS[min(len(self._to_come), len(PARTS) - 1)]
        self._root = self._sampled(seen, 0)

    @property
    def _levels(self) -> int:
        """The number of decisions to come that are thought through."""
        return len(self._parts) - 1

    def _sampled(self, seen: Mapping[str, Card], level: int) -> _Node:
        unseen = [card for card in deck_of(self._game.book.deck.cards) if card not in seen.values()]
        hidden = [place for place in self._hidden if place not in seen]
        if level < self._levels:
            places = [place for place in self._turned_up[level] if place not in seen]
            drawn = [self._drawn(places, unseen) for _ in range(self._parts[level])]
            return _Node([self._sampled({**seen, **cards}, level + 1) for cards in drawn])
        if not self._levels and len(hidden) <= 1:
            return _Node(deals=[self._deal({**seen, **dict.fromkeys(hidden, card)}) for card in unseen])
        deals = [self._deal({**seen, **self._drawn(hidden, unseen)}) for _ in range(2 * self._parts[-1])]
        halves = (deals[::2], deals[1::2])
        return _Node([_Node(deals=half) for half in halves])

    def _deal(self, cards: Mapping[str, Card]) -> Spot:
        """Rank the hands of a deal once for all wagers."""
        ranks = {name: self._known.get(name) or self._rules.hand(name, cards) for name in self._hands}
        if not self._game.book.splits:
            return Spot(cards=cards, ranks=ranks)
        own, bank = ([cards[p] for p in places] for places in (self._game.hand_places, self._game.dealer_places))
        low, bank_low = (house_way_of(self._game).set(held).low for held in (own, bank))
        return Spot(cards=cards, ranks=ranks, low=low, bank=tuple(bank), bank_low=bank_low)

    def _drawn(self, places: Sequence[str], unseen: Sequence[Card]) -> dict[str, Card]:
        return dict(zip(places, self._chance.sample(unseen, len(places)), strict=True))

    def value(self, act: Act, placed: Mapping[str, int], chosen: Mapping[str, str]) -> float:
        """Return the mean result of an act in cents."""
        earlier = tuple(wager for wager, choice in chosen.items() if choice == "withdraw")
        stand = _Stand(dict(placed), dict(chosen), back=earlier).after(act)
        return self._over(self._root.parts if self._levels else (self._root,), stand, 0)

    def _over(self, nodes: Sequence[_Node], stand: _Stand, level: int) -> float:
        """Return the mean result over points of the round at which one of the decisions to come is due."""
        asked = [step for step in self._to_come[level:] if not stand.folded and _asks(step, stand)]
        if level < self._levels and asked:
            return sum(self._at(node, stand, level) for node in nodes) / len(nodes)
        for step in asked:  # beyond what is thought through, the cheapest act that is no fold
            acts = [act for act in acts_at(self._game, step, stand.stakes) if act.name != FOLD]
            stand = (
                stand.after(min(acts, key=lambda act: (len(act.forfeits), act.cents))) if _asks(step, stand) else stand
            )
        return sum(self._mean(node, stand) for node in nodes) / len(nodes)

    def _at(self, node: _Node, stand: _Stand, level: int) -> float:
        """Return the value of a decision from some samples.

        The best of several sampled means is too high. A choice by one half of the samples, valued by the other half, is
        too low, because it is made in half the light. The truth lies between.
        """
        if not _asks(self._to_come[level], stand):
            return self._over(node.parts, stand, level + 1)
        acts = [stand.after(act) for act in acts_at(self._game, self._to_come[level], stand.stakes)]
        one, other = ([self._over(node.parts[half::2], act, level + 1) for act in acts] for half in range(2))
        high = max(map(sum, zip(one, other, strict=True)))
        low = other[one.index(max(one))] + one[other.index(max(other))]
        return (high + low) / 4

    def _mean(self, node: _Node, stand: _Stand) -> float:
        chosen = tuple(sorted(stand.choices.items()))
        stakes = {wager: cents for wager, cents in stand.stakes.items() if wager not in stand.back}
        lost = sum(cents for wager, cents in stakes.items() if wager in stand.lost)
        kept = ((wager, cents) for wager, cents in stakes.items() if wager not in stand.lost)
        return sum(cents * self._gain(node, wager, chosen) for wager, cents in kept) - lost

    def _gain(self, node: _Node, wager_id: str, chosen: Chosen) -> float:
        """Return the mean gain for each cent of a wager; a wheel and a meter are left out."""
        found = node.gains.get((wager_id, chosen))
        if found is None:
            wager = self._game.wager(wager_id)
            if wager.spins or wager.unit == "credits":
                found = 0.0
            elif node.parts:
                found = sum(self._gain(part, wager_id, chosen) for part in node.parts) / len(node.parts)
            else:
                found = sum(self._settled(wager, deal, chosen) for deal in node.deals) / len(node.deals)
            node.gains[wager_id, chosen] = found
        return found

    def _settled(self, wager: Wager, deal: Spot, chosen: Chosen) -> float:
        spot = replace(deal, choices=dict(chosen)) if chosen else deal
        settled = self._rules.settle(wager, UNIT, spot)
        bonus = sum(also.paid for _, also in self._rules.bonuses(wager, UNIT, spot))
        return (settled.returned + settled.paid + bonus - settled.commission) / UNIT - 1


def _asks(step: Decide, stand: _Stand) -> bool:
    """Say if a decision is asked of a player with these stakes."""
    has = all(wager in stand.stakes for wager in step.with_)
    return has and not any(wager in stand.stakes for wager in step.without)
