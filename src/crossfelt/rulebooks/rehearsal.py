"""A rehearsal: the script of a rulebook is run without cards or players, to find out if it can be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from crossfelt.errors import Problem, unknown
from crossfelt.rulebooks import script as s
from crossfelt.rulebooks.hand_forms import Group, side_of
from crossfelt.rulebooks.model import Rulebook

METHODS: tuple[str, ...] = get_args(s.DealingMethod)


def rehearse(book: Rulebook) -> Iterator[Problem]:
    """Report everything that would stop the script, or leave a wager or a card behind."""
    return _Rehearsal(book).problems()


class _Rehearsal:
    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._wagers = {wager.id: wager for wager in book.wagers}
        self._locked = False
        self._placed: list[str] = []
        """Wagers on the table, in the order in which they were placed."""
        self._resolved: set[str] = set()
        self._dealt: set[str] = set()
        self._revealed: set[str] = set()
        self._named: set[str] = set()
        """Hands that a player names with a bet."""
        self._hands = {hand.id: hand for hand in book.hands}
        self._groups = {group.id: group for group in book.groups}
        self._shared = {place for group in book.groups if group.owner == "community" for place in group.names}
        others = (group for group in book.groups if group.owner in ("positions", "dealer"))
        self._dealers = {f"dealer_{place}" for group in others for place in group.names}

    def problems(self) -> Iterator[Problem]:
        seen: set[str] = set()
        for place, step in enumerate(self._book.script):
            path = f"script[{place}] ({step.id})"
            if step.id in seen:
                yield Problem.at(path, "script.repeated", "two steps have this id", step.id)
            seen.add(step.id)
            yield from self._play(step, path)
        yield from self._ending()

    def _play(self, step: s.Step, path: str) -> Iterator[Problem]:
        if isinstance(step, s.OfferBank | s.FirstHand | s.SetHands | s.Compare) and not self._book.splits:
            what = "this step needs cards that are split into two hands"
            yield Problem.at(path, "script.split", what, allowed="split")
        match step:
            case s.OfferBank():
                if self._placed:
                    yield Problem.at(path, "script.order", "the bank is offered after the bets have opened")
            case s.OpenBets():
                yield from self._place(step.wagers, f"{path}.wagers")
                for wager in (w for w in step.wagers if w in self._wagers and self._wagers[w].stake.of):
                    what = "a multiple of another wager is no stake before the cards; a group has equal ones"
                    yield Problem.at(f"{path}.wagers", "stake.opening", what, wager, "posted, cents, by_paytable")
            case s.Lock():
                if not self._placed:
                    yield Problem.at(path, "script.order", "the bets close before they open")
                self._locked = True
            case s.Deal():
                yield from self._deal(step, path)
            case s.Decide():
                yield from self._decide(step, path)
            case s.Reveal():
                yield from self._reveal(step.cards, f"{path}.cards")
            case s.Settle() | s.Spin():
                yield from self._resolve(step, path)
            case s.Compare():
                for wager in step.wagers:  # a later step pays, and resolves all of them
                    if wager not in self._placed:
                        yield Problem.at(f"{path}.wagers", "script.wager", "compared but never placed", wager)
            case s.SetHands() | s.FirstHand() | s.Stub():
                if not self._locked:
                    yield Problem.at(path, "script.order", "this step comes before the bets close")
                if isinstance(step, s.SetHands) and step.who == "dealer":
                    self._revealed |= self._dealers
            case s.Discard() | s.Shuffle():
                pass

    def _place(self, wagers: tuple[str, ...], path: str) -> Iterator[Problem]:
        for wager in wagers:
            if wager not in self._wagers:
                yield Problem.at(path, "script.wager", "no such wager", wager, ", ".join(self._wagers))
            elif wager in self._placed:
                yield Problem.at(path, "script.wager", "placed twice", wager)
            else:
                self._placed.append(wager)

    def _deal(self, step: s.Deal, path: str) -> Iterator[Problem]:
        if not self._locked:
            yield Problem.at(path, "script.order", "cards are dealt before the bets close")
        for place, delivery in enumerate(step.deliver):
            yield from self._delivery(delivery, f"{path}.deliver[{place}]")
        known = [delivery for delivery in step.deliver if delivery.to in self._groups]
        by_method = {method: [each.to for each in known if each.applies_to(method)] for method in METHODS}
        if len(set(map(frozenset, by_method.values()))) > 1:
            counts = "; ".join(f"{method}: {', '.join(groups) or 'none'}" for method, groups in by_method.items())
            yield Problem.at(path, "script.deal", "dealing methods deal different groups", counts)
        for method, groups in by_method.items():
            if len(groups) != len(set(groups)):
                yield Problem.at(path, "script.deal", "a group is dealt to twice", method)
            seats = self._book.table.seats
            times = {"community": 1, "dealer": 1, "seat": seats, "positions": seats + 1}
            needed = sum(times[self._groups[name].owner] * self._groups[name].cards for name in groups)
            if needed > self._book.deck.cards:
                allowed = f"at most {self._book.deck.cards}"
                yield Problem.at(path, "script.deal", "a full table needs too many cards", needed, allowed)
            self._dealt.update(place for name in groups for place in self._dealt_to(self._groups[name]))

    def _delivery(self, delivery: s.Delivery, path: str) -> Iterator[Problem]:
        group = self._groups.get(delivery.to)
        if group is None:
            yield Problem.at(f"{path}.to", "script.group", "no such group", delivery.to, ", ".join(self._groups))
            return
        if delivery.places and sorted(delivery.places) != sorted(group.names):
            what = "does not list the places of the group, each once"
            yield Problem.at(f"{path}.places", "script.deal", what, str(list(delivery.places)), ", ".join(group.names))
        if group.cards % delivery.at_a_time:
            what = "the number of cards is not a multiple of at_a_time"
            yield Problem.at(f"{path}.at_a_time", "script.deal", what, delivery.at_a_time)

    @staticmethod
    def _dealt_to(group: Group) -> Iterator[str]:
        """Yield the places of a group on the table; those of the dealer's cards have a prefix."""
        if group.owner != "dealer":
            yield from group.names
        if group.owner in ("dealer", "positions"):
            yield from (f"dealer_{place}" for place in group.names)

    def _decide(self, step: s.Decide, path: str) -> Iterator[Problem]:
        if not self._dealt:
            yield Problem.at(path, "script.order", "a decision comes before the cards are dealt")
        if not step.actions:
            yield Problem.at(f"{path}.actions", "script.action", "a decision without actions")
        open_wagers = [wager for wager in self._placed if wager not in self._resolved and wager not in step.without]
        yield from unknown((*step.with_, *step.without), self._wagers, path, "script.wager", "no such wager")
        for kind in ("bet", "withdraw"):
            named = {name for action in step.actions if (name := getattr(action, kind)) is not None}
            if len(named) > 1:
                what = f"a decision can {kind} one wager only"
                yield Problem.at(f"{path}.actions", "script.action", what, ", ".join(sorted(named)))
        yield from self._marks(step.when, f"{path}.when")
        yield from self._marks(step.unless, f"{path}.unless")
        for place, action in enumerate(step.actions):
            yield from self._action(step, action, open_wagers, f"{path}.actions[{place}]")
        known = [action.name for action in step.actions if action.forms and action.choose is None]
        if step.silent is not None:
            what = "no such action of this decision, or one that names a hand"
            yield from unknown([step.silent], known, f"{path}.silent", "script.silent", what)

    def _action(self, step: s.Decide, action: s.Action, open_wagers: list[str], path: str) -> Iterator[Problem]:
        if len(action.forms) != 1:
            given, allowed = ", ".join(action.forms) or None, "bet, check, fold, expose, forfeit, withdraw"
            yield Problem.at(path, "script.action", "needs exactly one form", given, allowed)
        elif action.bet is not None:
            yield from self._bet(step, action, path)
        elif action.fold:
            yield from _partition((*action.forfeits, *action.keeps), open_wagers, path)
        what = f"{'takes back' if action.withdraw else 'gives up'} a wager that is not on the table"
        given_up = (*action.forfeit, *filter(None, (action.withdraw,)))
        yield from unknown(given_up, open_wagers, path, "script.wager", what)
        own = [group.id for group in self._groups.values() if group.owner in ("seat", "positions")]
        if action.expose is not None:
            yield from unknown([action.expose], own, path, "script.group", "not a group of the player's own cards")

    def _bet(self, step: s.Decide, action: s.Action, path: str) -> Iterator[Problem]:
        assert action.bet is not None
        if action.bet not in self._placed:
            yield from self._place((action.bet,), path)
        elif action.bet not in step.without:
            what = "may be placed twice, as players who have it decide again"
            yield Problem.at(path, "script.wager", what, action.bet, f'without = ["{action.bet}"]')
        if action.bet in self._wagers and self._wagers[action.bet].stake.of is None:
            yield Problem.at(f"{path}.bet", "stake.bet", "a bet is a multiple of another wager", action.bet, "of")
        if list(action.times) != sorted(set(action.times)):
            yield Problem.at(f"{path}.times", "script.times", "not in rising order, each once", str(list(action.times)))
        for place, ceiling in enumerate(action.most):
            yield from self._marks(ceiling.when, f"{path}.most[{place}].when")
        if action.choose is not None and not (action.choose in self._hands and self._hands[action.choose].chosen_of):
            chosen = [hand.id for hand in self._hands.values() if hand.chosen_of]
            yield Problem.at(f"{path}.choose", "script.hand", "no hand that a player names", action.choose, chosen)
        elif action.choose is not None:
            self._named.add(action.choose)
            stake = self._wagers[action.bet].stake if action.bet in self._wagers else None
            times = stake and (action.times or stake.times or (stake.min, stake.max))
            if times and len(set(times)) > 1:
                what = "a bet that names a hand has one stake only"
                yield Problem.at(path, "script.choose", what, " or ".join(map(str, times)), "min and max alike")

    def _marks(self, marks: Mapping[str, str], path: str) -> Iterator[Problem]:
        """Report a condition that names no mark of a hand, or a hand that the player cannot see."""
        for name, mark in marks.items():
            side, own = side_of(name)
            hand = self._hands.get(own)
            if hand is None:
                yield Problem.at(path, "script.hand", "no such hand", name, ", ".join(self._hands))
            elif mark not in hand.marks:
                allowed = ", ".join(hand.marks) or "none"
                yield Problem.at(path, "script.mark", f"{name} has no such mark", mark, allowed)
            elif side == "bank" or hand.split or (hand.chosen_of and own not in self._named):
                yield Problem.at(path, "script.hand", "this hand is not known when the player decides", name)
            else:
                for card in self._places_of(name):
                    if card in (self._shared | self._dealers) - self._revealed:
                        what = f"{name} has a card that the player does not see yet"
                        yield Problem.at(path, "script.order", what, card)

    def _reveal(self, cards: tuple[str, ...], path: str) -> Iterator[Problem]:
        if not cards:
            yield Problem.at(path, "script.reveal", "turns up no card that still lies face down")
        for card in cards:
            start, _, number = card.rpartition(".")
            if number.isdigit():
                group = self._groups.get(start.rpartition(".")[2])
                allowed = f"{start}.1 to {start}.{group.cards}" if group is not None else ", ".join(self._groups)
                yield Problem.at(path, "script.reveal", "no such card of a group", card, allowed)
            elif card not in self._dealt:
                yield Problem.at(path, "script.reveal", "no card is dealt to this place", card, self._dealt)
            elif card in self._revealed:
                yield Problem.at(path, "script.reveal", "turned up twice", card)
            self._revealed.add(card)

    def _resolve(self, step: s.Settle | s.Spin, path: str) -> Iterator[Problem]:
        for wager in step.wagers:
            if wager not in self._placed:
                yield Problem.at(f"{path}.wagers", "script.wager", "settled but never placed", wager)
                continue
            if wager in self._resolved:
                yield Problem.at(f"{path}.wagers", "script.wager", "settled twice", wager)
            self._resolved.add(wager)
            bonuses = (it for bonus in self._wagers[wager].bonus for it in (bonus.on, *bonus.when, *bonus.unless))
            places = (place for name in (*self._wagers[wager].hands, *bonuses) for place in self._places_of(name))
            for place in dict.fromkeys(places):
                if place in (self._shared | self._dealers) - self._revealed:
                    yield Problem.at(path, "script.order", f"{wager} is settled before this card is turned up", place)

    def _places_of(self, name: str) -> Iterator[str]:
        side, own = side_of(name)
        hand = self._hands.get(own)
        if hand is None:
            return
        for part in hand.parts:
            if part in self._hands and not self._hands[part].parts:  # otherwise it is reported already
                yield from self._places_of(f"{side}.{part}" if side else part)
        for of in hand.of:
            part, name = side_of(of)
            group = self._groups.get(name)
            for place in group.names if group else (name,):
                of_dealer = (side or part or (group and group.owner == "dealer")) and place not in self._shared
                yield f"dealer_{place}" if of_dealer else place

    def _ending(self) -> Iterator[Problem]:
        for wager in self._wagers:
            if wager not in self._placed:
                yield Problem.at("script", "script.wager", "no step places this wager", wager)
            elif wager not in self._resolved:
                yield Problem.at("script", "script.wager", "no step settles this wager", wager)
        for hand in self._hands.values():
            if hand.chosen_of and hand.id not in self._named:
                yield Problem.at("script", "script.hand", "no action names the hand that is played", hand.id)
        kinds = [type(step) for step in self._book.script]
        for kind in (s.OpenBets, s.Lock, s.Deal, s.Discard, s.Shuffle):
            if kinds.count(kind) != 1:
                what = f"wrong number of steps {kind.__struct_config__.tag!r}"
                yield Problem.at("script", "script.steps", what, kinds.count(kind), ONCE.get(kind, "one"))
        if kinds and kinds[-1] is not s.Shuffle:
            yield Problem.at("script", "script.order", "the script must end with the shuffle", self._book.script[-1].id)


ONCE: Final[Mapping[type[s.Step], str]] = {
    s.Deal: "one that deals all cards; later steps reveal those of the board or the dealer"
}
"""Words for the steps that a script has once, where they need more than the number."""


def _partition(named: tuple[str, ...], open_wagers: list[str], path: str) -> Iterator[Problem]:
    """Report wagers that a fold names twice or not at all, and those that are not on the table."""
    for wager in named:
        if wager not in open_wagers:
            what = "a fold names a wager that is not on the table"
            yield Problem.at(path, "script.fold", what, wager, ", ".join(open_wagers))
        elif named.count(wager) > 1:
            yield Problem.at(path, "script.fold", "a fold names a wager twice", wager)
    for wager in open_wagers:
        if wager not in named:
            yield Problem.at(path, "script.fold", "a fold neither forfeits nor keeps this wager", wager)
