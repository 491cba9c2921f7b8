"""A round as one seat goes through it: the cards it sees, in order, and its decisions, read from a compiled game.

The solver plays one seat that places the main wagers: those that a player must place, and those that bets are
multiples of. Other wagers of the opening are side bets. Money is in units of the first main wager.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.hands.rank import FIVE_CARD_CATEGORIES
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Group, side_of
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.script import Decide, OpenBets, Reveal

DEALER: Final = "dealer."


class FormedHand(NamedTuple):
    """A hand that the cards form directly, of the player or of the dealer."""

    name: str
    """The name in a settlement: ``final``, ``dealer.final``."""
    order: str
    cards: int
    """Cards that count."""
    places: tuple[str, ...]

    @property
    def of_dealer(self) -> bool:
        return any(place.startswith(DEALER) for place in self.places)


class Moment(NamedTuple):
    """Cards that the seat sees from now on, and the decisions that follow."""

    places: tuple[str, ...]
    decisions: tuple[Decide, ...]


class RoundPlan:
    """The plan of a round for one seat.

    >>> plan = RoundPlan(compile_game("nj-criss-cross"))
    >>> [(len(moment.places), [step.id for step in moment.decisions]) for moment in plan.moments]
    [(2, ['decide_across']), (2, ['decide_down']), (2, ['decide_middle']), (1, [])]
    >>> plan.opening, [hand.name for hand in plan.hands]
    (('ante_across', 'ante_down'), ['across', 'down'])
    """

    def __init__(self, game: Game, known: str = "") -> None:
        """`known` is the place of a hidden card that the seat sees before its first decision."""
        self.game = game
        self._groups = {group.id: group for group in game.book.groups}
        self._hands = {hand.id: hand for hand in game.book.hands}
        self._require_reach()
        self.known = self.place_named(known) if known else ""

    # --- wagers ---------------------------------------------------------------------------------------------------

    @cached_property
    def _opened(self) -> tuple[Wager, ...]:
        names = [name for step in self.game.book.script if isinstance(step, OpenBets) for name in step.wagers]
        return tuple(self.game.wager(name) for name in names if self.game.offers(name))

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """The main wagers that the seat places before the deal."""
        bases = {wager.stake.of for wager in self.game.wagers if wager.id in self._bets}
        return tuple(w.id for w in self._opened if w.required or {w.id, w.group} & bases)

    @cached_property
    def side_bets(self) -> tuple[str, ...]:
        """The other wagers of the opening."""
        return tuple(wager.id for wager in self._opened if wager.id not in self.opening)

    @cached_property
    def taken_back(self) -> frozenset[str]:
        """The wagers that a player may take back and stay in the round."""
        return frozenset(a.withdraw for step in self._steps for a in step.actions if a.withdraw)

    @cached_property
    def _bets(self) -> tuple[str, ...]:
        named = (action.bet for step in self._steps for action in step.actions if action.bet)
        return tuple(dict.fromkeys(name for name in named if self.game.offers(name)))

    @cached_property
    def _steps(self) -> tuple[Decide, ...]:
        return tuple(step for step in self.game.book.script if isinstance(step, Decide))

    @cached_property
    def main(self) -> tuple[str, ...]:
        """Every main wager: those of the opening, then the bets in the order of their decisions."""
        return (*self.opening, *(bet for bet in self._bets if bet not in self.opening))

    # --- cards ----------------------------------------------------------------------------------------------------

    def places_of(self, name: str, *, dealer: bool = False) -> tuple[str, ...]:
        """Return the places of a group, or one place; those of the dealer begin with `DEALER`."""
        for prefix in (DEALER, "dealer_"):
            if name not in self._places and name.startswith(prefix):
                return self.places_of(name.removeprefix(prefix), dealer=True)
        group, _, number = name.partition(".")
        if group not in self._groups:
            return (self._of(self._places[name], name, dealer=dealer),)
        found = self._groups[group]
        names = found.names if not number else (found.names[int(number) - 1],)
        return tuple(self._of(found, place, dealer=dealer) for place in names)

    def group_of(self, place: str) -> str:
        """Return the group of a place; that of the dealer's places begins with `DEALER`."""
        own = place.removeprefix(DEALER)
        return f"{DEALER if own != place else ''}{self._places[own].id}"

    def has_cards(self, name: str) -> bool:
        """Say if a name is a place or a group of the game, of the dealer or not."""
        own = name.removeprefix(DEALER).removeprefix("dealer_")
        return any(each in self._places or each.partition(".")[0] in self._groups for each in (name, own))

    @cached_property
    def _places(self) -> dict[str, Group]:
        return {place: group for group in self.game.book.groups for place in group.names}

    @staticmethod
    def _of(group: Group, place: str, *, dealer: bool) -> str:
        of_dealer = group.owner == "dealer" or (dealer and group.owner != "community")
        return f"{DEALER}{place}" if of_dealer else place

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The places of the seat's own cards."""
        groups = (group for group in self.game.book.groups if group.owner in ("seat", "positions"))
        return tuple(place for group in groups for place in group.names)

    @cached_property
    def board(self) -> tuple[str, ...]:
        """The places of the community cards."""
        return tuple(place for g in self.game.book.groups if g.owner == "community" for place in g.names)

    @cached_property
    def theirs(self) -> tuple[str, ...]:
        """The places of the dealer's cards."""
        dealt = (g.names for g in self.game.book.groups if g.owner in ("dealer", "positions"))
        return tuple(f"{DEALER}{place}" for names in dealt for place in names)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The places that the seat does not see before a reveal."""
        return (*self.board, *self.theirs)

    def place_named(self, known: str) -> str:
        """Return the place of a name that is hidden at the first decision, or the first whose name begins with it."""
        hidden = [place for place in self.hidden if place not in self._open_at_first]
        named = [(place, place.removeprefix(DEALER)) for place in hidden]
        exactly = [place for place, name in named if known in (place, name)]
        begun = [place for place, name in named if place.startswith(f"{known}.") or name.startswith(f"{known}_")]
        if not exactly and not begun:
            raise Unreachable.known(known, hidden)
        return (exactly or begun)[0]

    @cached_property
    def _open_at_first(self) -> frozenset[str]:
        """The places that are turned up before the first decision."""
        first = next((at for at, step in enumerate(self.game.book.script) if step in self._steps), 0)
        steps = [step for step in self.game.book.script[:first] if isinstance(step, Reveal)]
        return frozenset(place for step in steps for name in step.cards for place in self.places_of(name))

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The moments of a seat in order: cards seen, then a decision; the last shows the remaining cards.

        Where players decide nothing, a seat sees its own cards, then all others.
        """
        seen = [*self.own, *([self.known] if self.known else [])]
        found: list[tuple[list[str], list[Decide]]] = [(list(seen), [])]
        for step in self.game.book.script:
            if isinstance(step, Reveal) and self._steps:
                new = [place for name in step.cards for place in self.places_of(name) if place not in seen]
                if found[-1][1]:
                    found.append(([], []))
                found[-1][0].extend(new)
                seen += new
            elif isinstance(step, Decide) and self.asks(step):
                found[-1][1].append(step)
        counting = {place for hand in self.hands for place in hand.places}
        rest = [place for place in self.hidden if place not in seen and place in counting]
        if rest and (found[-1][1] or not self._steps):
            found.append(([], []))
        found[-1][0].extend(rest)
        return tuple(Moment(tuple(places), tuple(steps)) for places, steps in found)

    def asks(self, step: Decide) -> bool:
        """Say if a decision concerns a seat without side bets."""
        return step in self._steps and not set(step.with_) - set(self.main)

    # --- hands ----------------------------------------------------------------------------------------------------

    def hands_of(self, wagers: Iterable[str]) -> tuple[FormedHand, ...]:
        """Return the hands, formed directly of cards, on which some wagers are settled."""
        return tuple(dict.fromkeys(hand for name in self.names_in(wagers) for hand in self.formed(name)))

    def names_in(self, wagers: Iterable[str]) -> tuple[str, ...]:
        """Return the hands that the settlement of some wagers names, those of their bonuses last."""
        found: dict[str, None] = {}
        for wager in map(self.game.wager, wagers):
            found |= dict.fromkeys(wager.hands)
            for bonus in wager.bonus:
                found |= dict.fromkeys([bonus.on, *bonus.when, *bonus.unless])
        return tuple(found)

    @cached_property
    def hands(self) -> tuple[FormedHand, ...]:
        """The hands of the main wagers, and those that a bet's ceiling depends on."""
        of_ceilings = (hand for name, _ in self.ceiling_marks for hand in self.formed(name))
        return tuple(dict.fromkeys((*self.hands_of(self.main), *of_ceilings)))

    @cached_property
    def ceiling_marks(self) -> tuple[tuple[str, str], ...]:
        """The hands and marks on which the largest multiple of a bet depends."""
        actions = (action for step in self._steps if self.asks(step) for action in step.actions)
        every = (pair for action in actions for ceiling in action.most for pair in ceiling.when.items())
        return tuple(dict.fromkeys(every))

    def formed(self, name: str) -> Iterator[FormedHand]:
        """Yield the hand itself where it is formed of cards, otherwise each of the hands that it chooses from."""
        side, own = side_of(name)
        hand = self._hands[own]
        for part in hand.parts:
            yield from self.formed(f"{side}.{part}" if side else part)
        if hand.parts:
            return
        if hand.split is not None or side == "bank" or hand.order is None:
            raise Unreachable.form(self.game, f"the hand {own} is set by its owner")
        places = tuple(place for of in hand.of for place in self.places_of(of, dealer=side == "dealer"))
        kind = kinds_of(self.game.book)[hand.order]
        if not set(kind.categories).issubset(FIVE_CARD_CATEGORIES) and not is_by_suits(self.game, hand.order):
            other = [name for name in kind.categories if not _is_of_one_suit(name)]
            beside = " beside the cards of one suit" if len(other) < len(kind.categories) else ""
            unknown = next((name for name in other if name not in FIVE_CARD_CATEGORIES), other[0])
            why = f"the order {hand.order} ranks hands by {unknown}{beside}"
            raise Unreachable.form(self.game, why)
        yield FormedHand(name, hand.order, hand.best or kind.cards, places)

    # --- reach ----------------------------------------------------------------------------------------------------

    def _require_reach(self) -> None:
        if self.game.book.deck.cards != 52:
            raise Unreachable.form(self.game, "the deck has a joker")
        if not self._steps and not (self.opening and self.own):
            raise Unreachable.form(self.game, "the players decide nothing, and no wager or card of their own is needed")
        for step in self._steps:
            if step.when or step.unless:
                raise Unreachable.form(self.game, f"the decision {step.id} passes over some hands")
        if self._steps and not self.hidden:
            raise Unreachable.form(self.game, "no card is hidden when the players decide")


def is_by_suits(game: Game, name: str) -> bool:
    """Say if an order ranks hands by the cards of one suit, in any of the four suits: long flushes, runs in one suit.

    >>> is_by_suits(compile_game("nj-criss-cross"), "five_card")
    False
    """
    return all(map(_is_of_one_suit, kinds_of(game.book)[name].categories))


def _is_of_one_suit(category: str) -> bool:
    return category.endswith(("_card_flush", "_card_straight_flush"))
