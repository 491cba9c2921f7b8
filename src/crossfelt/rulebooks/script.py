"""The steps of a round, and of opening a table, as a rulebook lists them.

A step names an act, its wagers or cards, and the order round the table. Seat 1 is farthest to the dealer's left:
clockwise runs from seat 1 to the last seat, counter-clockwise from the last seat to seat 1.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from crossfelt.rulebooks.citations import Cited, Name, Text
from crossfelt.rulebooks.hand_forms import CardsName, HandName

DealingMethod = Literal["manual_shoe", "hand", "automated_shoe"]
Order = Literal["clockwise", "counter_clockwise"]


class OpeningStep(Cited, frozen=True, kw_only=True):
    """One act between the arrival of a deck and the first round."""

    step: Literal["receive", "inspect", "verify", "spread", "show", "wash", "stack", "shuffle", "cut", "load"]
    """The act."""
    by: Literal["dealer", "floor", "player", "device"]
    """The person or device that performs it."""
    other_than: Literal["inspect"] | None = None
    """An earlier step; the person who did it may not do this one."""
    recut_rule: Cited | None = None
    """The rule of a new cut, beside that of the cut."""


class OfferBank(Cited, tag_field="step", tag="offer_bank", frozen=True, kw_only=True):
    """Players who may bank are asked in turn; if none accepts, the house banks."""

    id: Name
    order: Order = "counter_clockwise"
    """The order round the table."""


class OpenBets(Cited, tag_field="step", tag="open_bets", frozen=True, kw_only=True):
    """Players may place, change and withdraw wagers."""

    id: Name
    wagers: tuple[Name, ...]
    """The wagers that may be placed before the cards."""


class Lock(Cited, tag_field="step", tag="lock", frozen=True, kw_only=True):
    """The announcement that closes the bets; devices lock with it."""

    id: Name
    announces: Text
    """The dealer's words."""
    also: tuple[Literal["lock_out", "start_button"], ...] = ()
    """Devices that lock with the announcement."""
    device_rule: Cited | None = None
    """The rule of these devices, where it is not that of the announcement."""


class FirstHand(Cited, tag_field="step", tag="first_hand", frozen=True, kw_only=True):
    """Dice or a random number choose the position that gets the first stack."""

    id: Name


class Delivery(Cited, frozen=True, kw_only=True):
    """The cards of one group, dealt a number at a time: to the layout, or round the table and to the dealer last."""

    to: Name
    """The group."""
    places: tuple[Name, ...] = ()
    """The order in which its places are filled, where it is not that of the group."""
    at_a_time: Annotated[int, Meta(ge=1, le=1000)] = 1
    """The number of cards that a position gets at a time."""
    methods: tuple[DealingMethod, ...] = ()
    """The ways of dealing to which this applies; every way if empty."""

    def applies_to(self, method: str) -> bool:
        return not self.methods or method in self.methods


class Deal(Cited, tag_field="step", tag="deal", frozen=True, kw_only=True):
    """Cards leave the deck, face down."""

    id: Name
    deliver: tuple[Delivery, ...]
    """The deliveries, in order."""


class Stub(Cited, tag_field="step", tag="stub", frozen=True, kw_only=True):
    """The stub goes to the discard rack, counted when a count is due."""

    id: Name
    count_rule: Cited | None = None
    """The rule of the count, where it is not that of the stub."""


class Ceiling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The largest multiple of a bet, for a player whose hands have some marks."""

    when: dict[Name, Name] = msgspec.field(default_factory=dict)
    """Marks that the player's hands must have; any hand if empty."""
    times: Annotated[int, Meta(ge=1, le=1000)]
    """The largest multiple."""


class Action(Cited, frozen=True, kw_only=True):
    """One thing that a player may do at a decision, in exactly one form."""

    title: str = ""
    """The words for it, where those of the form do not do."""
    bet: Name | None = None
    """Place this wager."""
    times: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] = ()
    """The multiples that this decision allows, where they are not those of the wager."""
    most: tuple[Ceiling, ...] = ()
    """The largest multiple by the player's own hands; the first ceiling that applies."""
    choose: Name | None = None
    """The hand for which the player names one of several with the bet, which then has one stake only."""
    check: bool = False
    """Do nothing, and stay in the round."""
    fold: bool = False
    """Leave the round."""
    forfeits: tuple[Name, ...] = ()
    """The wagers that a fold gives up."""
    keeps: tuple[Name, ...] = ()
    """The wagers that stay in play after a fold."""
    expose: Name | None = None
    """Show the cards of this group."""
    forfeit: tuple[Name, ...] = ()
    """Give up these wagers and stay in the round."""
    withdraw: Name | None = None
    """Take this wager back."""

    @property
    def name(self) -> str:
        """The name by which a player chooses the action."""
        return "decline" if self.forfeit else self.forms[0]

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that the action uses; a sound action uses one."""
        used = {
            "bet": self.bet,
            "check": self.check,
            "fold": self.fold,
            "expose": self.expose,
            "forfeit": self.forfeit,
            "withdraw": self.withdraw,
        }
        return tuple(name for name, value in used.items() if value)


class Decide(Cited, tag_field="step", tag="decide", frozen=True, kw_only=True, dict=True):
    """Each player still in the round decides in turn."""

    id: Name
    actions: tuple[Action, ...]
    """The acts that a player may choose from, the preferred first."""
    with_: tuple[Name, ...] = msgspec.field(default=(), name="with")
    """Only players with all of these wagers decide."""
    without: tuple[Name, ...] = ()
    """Players who have placed one of these wagers are passed over."""
    when: dict[HandName, Name] = msgspec.field(default_factory=dict)
    """Marks that these hands must have, or the player is passed over. Every card of the hands is one that the player
    sees. At a table of real cards, where the dealer does not know them, every player is asked."""
    unless: dict[HandName, Name] = msgspec.field(default_factory=dict)
    """Marks that these hands must not have, or the player is passed over."""
    order: Order = "clockwise"
    """The order round the table."""
    collect_folds: Literal["at_once", "before_reveal", "after_reveal"] = "at_once"
    """The time at which the forfeited wagers and the cards are collected."""
    silent: Literal["bet", "check", "fold", "expose", "decline", "withdraw"] | None = None
    """The act for a player who does not answer; the operator's choice where the file says nothing. A ``bet`` is the
    smallest; ``decline`` gives up the wagers of ``forfeit``."""

    @property
    def name(self) -> str:
        """The name of the decision in figures, advice and scripted rounds.

        >>> Decide(id="decide_across", actions=()).name
        'across'
        """
        return self.id.removeprefix("decide_")

    @cached_property
    def wager(self) -> str:
        """The wager of the decision: the wager that it places or takes back, or whose holders decide."""
        named = [action.bet or action.withdraw for action in self.actions]
        return next(filter(None, (*named, *self.with_)), "")

    @cached_property
    def bet(self) -> Action | None:
        return next((action for action in self.actions if action.bet is not None), None)

    @cached_property
    def fold(self) -> Action | None:
        return next((action for action in self.actions if action.fold), None)

    @cached_property
    def shows(self) -> bool:
        """The player may show the own cards."""
        return any(action.expose for action in self.actions)


class Reveal(Cited, tag_field="step", tag="reveal", frozen=True, kw_only=True):
    """Cards on the layout, or the dealer's, are turned face up."""

    id: Name
    cards: tuple[CardsName, ...]
    """Groups and single cards, as in a hand. A group that lies open in part is turned up as to the rest."""


class SetHands(Cited, tag_field="step", tag="set_hands", frozen=True, kw_only=True):
    """Seven cards become a high and a low hand."""

    id: Name
    who: Literal["players", "dealer"]
    """The side that sets its hands."""


class Compare(Cited, tag_field="step", tag="compare", frozen=True, kw_only=True):
    """Hands are exposed and compared in turn; losing wagers are collected at once. A later ``settle`` pays."""

    id: Name
    wagers: tuple[Name, ...]
    """The wagers that the comparison decides."""
    order: Order = "counter_clockwise"
    """The order round the table."""
    losers_rule: Cited | None = None
    """The rule of losing wagers and hands, where it is not that of the comparison."""


class Settle(Cited, tag_field="step", tag="settle", frozen=True, kw_only=True):
    """Player by player: hands shown, losing wagers collected, winning wagers paid in the listed order."""

    id: Name
    wagers: tuple[Name, ...]
    """The wagers, in the order of their settlement."""
    order: Order = "counter_clockwise"
    """The order round the table."""
    shows_hands: bool = True
    """The dealer shows each player's hand first."""
    losers_first: bool = False
    """Every losing wager at the table is collected before the first winner is paid."""
    winners_stay: bool = False
    """Winning hands stay face up until every winner is paid."""


class Spin(Cited, tag_field="step", tag="spin", frozen=True, kw_only=True):
    """The players entitled to a spin take it."""

    id: Name
    wagers: tuple[Name, ...]
    """The wagers that a wheel pays."""
    order: Order = "counter_clockwise"
    """The order round the table."""


class Discard(Cited, tag_field="step", tag="discard", frozen=True, kw_only=True):
    """The cards are picked up in an order from which every hand can be reconstructed."""

    id: Name


class Shuffle(Cited, tag_field="step", tag="shuffle", frozen=True, kw_only=True):
    """The cards are shuffled for the next round, and cut where a cut is required."""

    id: Name


Step = (
    OfferBank | OpenBets | Lock | FirstHand | Deal | Stub | Decide | Reveal | SetHands | Compare | Settle | Spin
    | Discard | Shuffle
)  # fmt: skip


def step_kind(step: Step) -> str:
    """Return the name of a step in a rulebook file."""
    return str(step.__struct_config__.tag)
