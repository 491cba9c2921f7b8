"""Views: the table and its events as each viewer may see them, and the decks whose order is still secret."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN, Card, enc_hook
from crossfelt.money.ledger import TRAY, chips_of
from crossfelt.table import events as e
from crossfelt.table.acts.dealing import count_due, deal_order, stub_size
from crossfelt.table.commands import Role
from crossfelt.table.decks import use_ends
from crossfelt.table.rack import face_down
from crossfelt.table.state import Award, Bank, Pending, Seat, Spin, TableState
from crossfelt.table.visible_hands import HandView, hands_of_layout, own_hands
from crossfelt.tabular import Record, Tabular


class SecretDecks:
    """The places in a stream of the deck orders that are still secret, from the events of a table.

    >>> orders = SecretDecks()
    >>> orders.see(7, e.DeckShuffled(by="dealer", at=0, deck="A", method="manual", cards=(), needs_cut=True))
    >>> orders.see(8, e.DeckLoaded(by="dealer", at=0, deck="A", method="hand"))
    >>> list(orders.places), orders.see(9, e.RoundClosed(by="dealer", at=0, round=1, outcome="settled")), orders.places
    ([7], None, [])
    """

    def __init__(self) -> None:
        self._orders: dict[str, int] = {}
        self._in_play = ""

    @property
    def places(self) -> list[int]:
        """The sequence numbers of the events."""
        return list(self._orders.values())

    def see(self, place: int, event: e.Event) -> None:
        match event:
            case e.DeckShuffled():
                self._orders[event.deck] = place
            case e.DeckRemoved() | e.DeckSpreadIdle() | e.ShuffleOrdered():
                self._orders.pop(event.deck, None)
            case e.DeckLoaded():
                self._in_play = event.deck
            case e.RoundClosed():
                self._orders.pop(self._in_play, None)
            case e.TableClosed():
                self._orders.clear()


# --- views ------------------------------------------------------------------------------------------------------------

FACE_DOWN = HIDDEN.text


class Viewer(msgspec.Struct, frozen=True):
    """A viewer. A player sees the cards of every seat that is the player's own."""

    role: Role
    name: str = ""

    def owns(self, seat: Seat) -> bool:
        return self.role == "player" and bool(self.name) and seat.player == self.name

    def holds(self, seat: Seat) -> bool:
        return self.owns(seat) and seat.takes_part


class SeatView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    number: int
    player: str
    yours: bool
    status: str
    chips_cents: int
    wagers: Mapping[str, int]
    placed: Mapping[str, int]
    to_collect: tuple[str, ...]
    forfeited: Mapping[str, int]
    won_cents: int
    instrument: str
    coupon_cents: int
    choices: Mapping[str, str]
    lights: tuple[str, ...]
    """Wagers on the seat's sensor that can still win."""
    verified: tuple[str, ...]
    """Wagers whose win the dealer has verified, and those that a supervisor has validated."""
    validated: tuple[str, ...]
    cards: tuple[str, ...]
    low: tuple[str, ...]
    """The two cards set in front, in a game of two hands."""
    shown: bool
    hands: Mapping[str, HandView]
    seed_hash: str
    """The hash of the player's seed for the shuffle of this round; empty where the player sends none."""


class DeckView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    id: str
    back: str
    stage: str
    prepared: tuple[str, ...]
    in_use_since: int | None
    change_due_at: int | None
    """The time by which the jurisdiction wants it changed, in milliseconds; None without a limit."""


class DrawnView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The display of the progressive system."""

    magic_card: str
    """Empty where none is drawn."""
    lucky_seat: int
    lucky_dealer: bool


class TableView(Tabular, msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table as a viewer sees it, complete for a screen."""

    rulebook: str
    game_hash: str
    role: str
    phase: str
    round: int
    step: str
    turn: tuple[int, ...]
    """The seats of this step that have yet to act, the next first."""
    seats: tuple[SeatView, ...]
    layout: Mapping[str, str]
    """Cards on the layout by place: the community cards and, where there is one, the dealer's hand."""
    hands: Mapping[str, HandView]
    """Hands of the layout alone."""
    dealer_low: tuple[str, ...]
    """The two cards the dealer has set in front."""
    first_position: int | None
    """The position of the first stack, where it is drawn: a seat, or 0 for the dealer."""
    bank: Bank | None
    """The player's bank of this round; None where the house banks."""
    pile: tuple[str, ...]
    """The discard rack, bottom first, as it lies: face down."""
    tray_cents: int
    deck: str
    """The deck in play."""
    decks: tuple[DeckView, ...]
    stub_cards: int
    stub_gone: bool
    count_due: bool
    """This round's stub must be counted."""
    dealing: str
    shuffling: str
    devices: Mapping[str, str]
    pending: Pending | None
    """The irregularity that the floor must rule on first."""
    halted: bool
    """The tray could not pay: a fill must come first."""
    voided: str
    spin: Spin | None
    """The wheel that has stopped and is being paid."""
    awaiting_meter: str
    """The meter that must answer before the table continues."""
    drawn: DrawnView | None
    """The draws of the progressive system for this round."""
    awards: tuple[Award, ...]
    """Announced and not paid yet: envy, lucky and magic awards."""
    papers: tuple[int, ...]
    """Seats whose cards stay until the documents of an award are done."""
    seeds_due: tuple[int, ...]
    """Seats whose players' seeds the shuffle waits for."""
    deal_order: tuple[tuple[int, str], ...]
    """The seat and place of each card to come, while seeds are due. The house cannot change it once it knows them."""

    def headline(self) -> str:
        layout = " ".join(self.layout.values())
        turn = f", seat {self.turn[0]} to act" if self.turn else ""
        return f"{self.rulebook}, round {self.round}, {self.step or self.phase}{turn}" + (layout and f": {layout}")

    def records(self) -> list[Record]:
        return [
            {
                "seat": seat.number,
                "player": seat.player,
                "status": seat.status,
                "chips_cents": seat.chips_cents,
                "wagers_cents": sum(seat.wagers.values()),
                "cards": " ".join(seat.cards),
                "hands": ", ".join(f"{line}: {hand.name}" for line, hand in seat.hands.items()),
            }
            for seat in self.seats
            if seat.player
        ]


class PreviousView(NamedTuple):
    """A viewer's last view of a table, and the seats that have changed since; None where all may have."""

    table: TableState
    seen: TableView
    changed: set[int] | None


def view(table: TableState, viewer: Viewer, last: PreviousView | None = None) -> TableView:
    """Return a viewer's view of the table; unchanged parts are taken from the viewer's `last` view.

    >>> seen = view(new_table(compile_game("md-criss-cross")), Viewer("spectator"))
    >>> seen.phase, len(seen.seats), seen.seats[0].status
    ('closed', 6, 'empty')
    """
    layout = {place: card for place, card in table.community.items() if place in table.revealed}
    if last is not None and (changed := last.changed) is not None:
        laid_out, hands = last.seen.layout, last.seen.hands
        seats = [
            _seat(table, table.seat(it.number), viewer, layout) if it.number in changed else it
            for it in last.seen.seats
        ]
    else:
        laid_out = {place: layout[place].text if place in layout else FACE_DOWN for place in table.community}
        hands = hands_of_layout(table, layout)
        seats = [_seat(table, seat, viewer, layout) for seat in table.seats]
    return TableView(
        rulebook=table.game.book.id,
        game_hash=table.game.hash,
        role=viewer.role,
        phase=table.phase,
        round=table.round,
        step=table.step,
        turn=table.turn,
        seats=tuple(seats),
        layout=laid_out,
        hands=hands,
        dealer_low=tuple([card.text for card in table.dealer_low]),
        first_position=table.first_position,
        bank=table.bank,
        pile=last.seen.pile if last and last.table.pile is table.pile else tuple(map(face_down, table.pile)),
        tray_cents=table.balances.get(TRAY, 0),
        deck=table.in_play,
        decks=_decks(table, last),
        stub_cards=stub_size(table),
        stub_gone=table.stub_gone,
        count_due=count_due(table),
        dealing=table.dealing,
        shuffling=table.shuffling,
        devices=table.devices,
        pending=table.pending,
        halted=table.halted,
        voided=table.voided,
        spin=table.spin,
        awaiting_meter=table.claims[0].meter if table.claims else "",
        drawn=_drawn(table.drawn) if table.drawn is not None else None,
        awards=table.awards,
        papers=table.papers,
        seeds_due=table.seeds_due,
        deal_order=deal_order(table) if table.seeds_due else (),
    )


def changed_seats(before: TableState, after: TableState) -> set[int] | None:
    """Return the seats that have changed, or whose chips have; None where the layout has changed, which may change
    every seat."""
    if not unchanged(before, after):
        return None
    changed = {seat.number for was, seat in zip(before.seats, after.seats, strict=True) if seat is not was}
    if before.balances is not after.balances:
        was, now = before.balances.get, after.balances.get
        changed.update([it.number for it in after.seats if was(chips_of(it.number)) != now(chips_of(it.number))])
    return changed


def unchanged(before: TableState, after: TableState) -> bool:
    """Say if the layout is unchanged."""
    return before.community is after.community and before.revealed is after.revealed


def own_seats(
    table: TableState, viewer: Viewer, seen: TableView, last: tuple[TableState, Mapping[int, SeatView]] | None = None
) -> dict[int, SeatView]:
    """Return the seats as their player sees them; `seen` is the view of all others.

    Hand names come from the `last` view where the cards are unchanged.
    """
    if not viewer.name or viewer.role != "player":
        return {}
    before, views = last if last is not None and unchanged(last[0], table) else (None, {})
    own: dict[int, SeatView] = {}
    for seat in table.seats:
        if seat.player == viewer.name:
            was = None if before is None or before.seat(seat.number).cards is not seat.cards else views.get(seat.number)
            own[seat.number] = _own_seat(table, seat, viewer, seen.seats[seat.number - 1], was)
    return own


def _own_seat(table: TableState, seat: Seat, viewer: Viewer, seen: SeatView, was: SeatView | None) -> SeatView:
    """Return a seat as others see it, with its cards if the player may see them; `was` is the last view of the same
    cards."""
    if not seat.cards or _turned_up(seat) or not viewer.holds(seat):
        return replace(seen, yours=True)
    if was is not None and FACE_DOWN not in was.cards:
        cards, hands = was.cards, was.hands
    else:
        layout = {place: card for place, card in table.community.items() if place in table.revealed}
        cards, hands = tuple([card.text for card in seat.cards]), own_hands(table, seat, layout)
    return replace(seen, yours=True, cards=cards, low=tuple([card.text for card in seat.low]), hands=hands)


def _seat(table: TableState, seat: Seat, viewer: Viewer, layout: Mapping[str, Card]) -> SeatView:
    sees = bool(seat.cards) and (viewer.holds(seat) or _turned_up(seat))
    return SeatView(
        number=seat.number,
        player=seat.player,
        yours=viewer.owns(seat),
        status=seat.status,
        chips_cents=table.balances.get(chips_of(seat.number), 0),
        wagers=seat.wagers,
        placed=seat.placed,
        to_collect=seat.to_collect,
        forfeited=seat.forfeited,
        won_cents=seat.won_cents,
        instrument=seat.instrument,
        coupon_cents=seat.coupon_cents,
        choices=seat.choices,
        lights=seat.lights,
        verified=tuple(seat.verified),
        validated=seat.validated,
        cards=tuple([card.text if sees else FACE_DOWN for card in seat.cards]),
        low=tuple([card.text if sees else FACE_DOWN for card in seat.low]),
        shown=seat.shown,
        hands=own_hands(table, seat, layout) if sees else {},
        seed_hash=seat.seed_hash,
    )


def _drawn(drawn: e.AwardsDrawn) -> DrawnView:
    card = drawn.magic_card.text if drawn.magic_card is not None else ""
    return DrawnView(magic_card=card, lucky_seat=drawn.lucky_seat, lucky_dealer=drawn.lucky_dealer)


def _turned_up(seat: Seat) -> bool:
    """Say if the cards lie face up: at the settlement, or for an open wager for which the player shows them."""
    return seat.shown or any(choice == "expose" and wager in seat.wagers for wager, choice in seat.choices.items())


def _decks(table: TableState, last: PreviousView | None) -> tuple[DeckView, ...]:
    if last is not None and last.table.decks is table.decks and last.table.dealing == table.dealing:
        return last.seen.decks
    return tuple(
        DeckView(
            id=deck.id,
            back=deck.back,
            stage=deck.stage,
            prepared=deck.prepared,
            in_use_since=deck.since,
            change_due_at=use_ends(table, deck),
        )
        for deck in table.decks.values()
    )


# --- events -------------------------------------------------------------------------------------------------------


def project(event: e.Event, viewer: Viewer, before: TableState) -> dict[str, Any]:
    """Return an event as a viewer may see it; `before` is the table before the event.

    >>> table = new_table(compile_game("md-criss-cross"))
    >>> dealt = e.CardsDealt(by="Ann", at=0, cards=(e.Dealt(0, "middle", Card("As")),), method="hand")
    >>> project(dealt, Viewer("auditor"), table)["cards"]
    ([0, 'middle', '??'],)
    """
    plain: dict[str, Any] = msgspec.to_builtins(seen_by(event, viewer, before), enc_hook=enc_hook)
    return plain


def seen_by(event: e.Event, viewer: Viewer, before: TableState) -> e.Event:
    """Return an event without the fields that a viewer may not see, or with ``??`` for them."""
    if type(event) not in OWNERS_SEE_MORE or viewer.role != "player":
        return masked(event, ())
    return masked(event, {seat.number for seat in before.seats if viewer.holds(seat)})


def masked(event: e.Event, own: Collection[int]) -> e.Event:
    """Return an event as the player of some seats may see it; without seats, as the public may."""
    mask = MASKS.get(type(event))
    return mask(event, own) if mask else event


def _dealt(event: e.CardsDealt, own: Collection[int]) -> e.Event:
    cards = (dealt if dealt.seat in own else replace(dealt, card=HIDDEN) for dealt in event.cards)
    return replace(event, cards=tuple(cards))


def _hand_set(event: e.HandSet, own: Collection[int]) -> e.Event:
    """Hide the setting of a hand: only the fact is public, since the rule of the house way reveals cards."""
    if event.seat in own:
        return event
    return replace(event, low=(HIDDEN,) * len(event.low), cards=(), house_way="", foul=False)


MASKS: Mapping[type, Callable[[Any, Collection[int]], e.Event]] = {
    e.DeckShuffled: lambda event, own: replace(event, cards=()),
    e.CardsDealt: _dealt,
    e.HandSet: _hand_set,
    e.CardsDiscarded: lambda event, own: replace(event, pile=tuple(map(face_down, event.pile))),
}
"""The events with cards that are not public; all others are public."""
OWNERS_SEE_MORE = frozenset((e.CardsDealt, e.HandSet))
"""The events among them that show players their own cards; the others look the same to every viewer."""
