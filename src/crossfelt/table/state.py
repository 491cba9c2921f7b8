"""The state of a table: the sum of its events.

Frozen structs without cycles need no garbage collector (`gc=False`). Every table has thousands of them, and a pass over
the new ones would stop all tables for a twentieth of a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec

from crossfelt.cards.card import Card
from crossfelt.money.ledger import Balances
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Setting
from crossfelt.rulebooks.script import Order, Step
from crossfelt.table.events import AwardClaimed, AwardsDrawn, Settlement

S = TypeVar("S", bound=Step)
SeatStatus = Literal["empty", "out", "in", "folded", "done"]


class Seat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One betting position."""

    number: int
    player: str = ""
    status: SeatStatus = "empty"
    """Empty; seated but not in the round; in it; folded; hand settled and collected."""
    wagers: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Stakes on the layout, by wager."""
    placed: Mapping[str, int] = msgspec.field(default_factory=dict)
    """All stakes of this round, settled or not."""
    cards: tuple[Card, ...] = ()
    choices: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The player's choices by wager: the line played, a hand shown or kept."""
    low: tuple[Card, ...] = ()
    """The two cards set in front, in a game of two hands."""
    shown: bool = False
    to_collect: tuple[str, ...] = ()
    """Forfeited wagers that the dealer has not collected yet."""
    forfeited: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Wagers that a fold forfeited and the dealer collected; a void round gives them back."""
    won_cents: int = 0
    """Winnings of the round that count toward the payout limit."""
    last_main: int = 0
    """The main wager of the last round, where the house banked it: it gives the right to bank."""
    instrument: str = "chips"
    coupon_cents: int = 0
    """The value of the match play coupon on the layout."""
    away: bool = False
    """The player has left the table. The round continues without an answer."""
    dealt: tuple[Card, ...] = ()
    """The cards of the round, even after the dealer collected them: they decide if a wheel spins."""
    lights: tuple[str, ...] = ()
    """Wagers on the seat's sensor, lit from the lock until they are given up."""
    verified: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Wagers whose win the dealer has verified, with that person, and those that a supervisor has validated."""
    validated: tuple[str, ...] = ()
    seed_hash: str = ""
    """The hash of the player's seed for the shuffle of this round."""

    @property
    def takes_part(self) -> bool:
        """Say if the player is in the round, or was until the hand was decided. Other positions stay hidden."""
        return self.status in ("in", "folded", "done")


class Bank(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player's bank of a round: the main wagers are played against that seat's hands."""

    seat: int
    co_bank: bool = False
    """Together with the house, each for its part; the hands are then set the house way."""
    house_wager: int = 0
    """Cents that the dealer stakes against the bank."""
    cover: int = 0
    """Cents of the banker's chips in escrow, from no more bets on; and of the house's in a co-bank."""
    house_cover: int = 0


class Award(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A payment due to a seat beside its wagers: for another player's hand, or as a random award."""

    seat: int
    award: str
    wager: str
    """The wager it is paid with."""
    of_seat: int | None = None
    """The seat whose hand brought it, where it is another's."""
    hand: str = ""
    cents: int


class DeckAct(msgspec.Struct, frozen=True, gc=False):
    """One act in the life of a deck, with its person and time."""

    act: str
    by: str
    at: int
    note: str = ""
    """The reason of a removal, or the device, its place and what loaded it."""


class Deck(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One physical deck."""

    id: str
    back: str = ""
    cover: str = ""
    """Colours of its backs and of its cover card."""
    life: tuple[DeckAct, ...] = ()
    """Its opening, its first round, its spreads at an idle table, its removal."""
    shuffles: int = 0
    shuffled: DeckAct | None = None
    loaded: DeckAct | None = None
    """Its last shuffle and its last loading."""
    stage: Literal["new", "prepared", "shuffled", "ready", "in_play", "used", "idle"] = "new"
    prepared: tuple[str, ...] = ()
    """The acts of opening that are done."""
    cards: tuple[Card, ...] = ()
    """The order from the top; empty where it is unknown."""
    next: int = 0
    """The number of cards that have left the deck."""
    skipped: tuple[int, ...] = ()
    """Places in the order of cards found face up, which are not used."""
    cut: bool = False
    """The deck has been cut since its shuffle."""
    since: int | None = None
    """The time it came into use, in milliseconds."""

    def done_by(self, act: str) -> str:
        """Return the person who last did an act of its life; empty if it was not done."""
        return next((one.by for one in reversed(self.life) if one.act == act), "")


class Fittings(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The last check of the table's fittings; a device that has been changed since has no name."""

    by: str
    at: int
    items: tuple[str, ...] = ()
    variance: str = ""
    shoe: str = ""
    shoe_place: str = ""
    shuffler: str = ""
    shuffler_place: str = ""


class Pending(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An irregularity that the floor must rule on before the round continues."""

    kind: str
    case: str
    seat: int | None = None
    place: str | None = None


class Spin(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A wheel that has stopped and is being paid."""

    wager: str
    seat: int
    """The seat that spins, or the hot spot."""
    index: int
    """The stop of the wheel: the spinner's, or the hot spot's."""
    community: int | None = None
    """The stop of the community wheel, where there is one."""


class TableState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The whole state of a table."""

    game: Game
    phase: Literal["closed", "open"] = "closed"
    round: int = 0
    step: str = ""
    """The step of the script that the round is in; empty between rounds."""
    turn: tuple[int, ...] = ()
    asked_at: int = 0
    """The time at which the player in turn was asked, in milliseconds."""
    seats: tuple[Seat, ...]
    physical: bool = False
    """True if the deck in play is physical: its cards are typed."""
    entry: tuple[str, int] = ("", 0)
    """The person and the time of the last entry at a physical table."""
    back: TableState | None = None
    """The table before the last entry at a physical table; None once it is paid."""
    community: Mapping[str, Card] = msgspec.field(default_factory=dict)
    """Cards on the layout by place: the community cards and, where there is one, the dealer's hand."""
    revealed: frozenset[str] = frozenset()
    dealer_low: tuple[Card, ...] = ()
    first_position: int | None = None
    """The position of the first stack: a seat, or 0 for the dealer."""
    bank: Bank | None = None
    """The player's bank of this round; None where the house banks."""
    awards: tuple[Award, ...] = ()
    """Announced and not paid yet."""
    last_bank: int = 0
    """The seat that banked last. The next offer begins after it."""
    decks: Mapping[str, Deck] = msgspec.field(default_factory=dict)
    in_play: str = ""
    """The deck of this round, or of the next."""
    decks_received: Mapping[str, int] = msgspec.field(default_factory=dict)
    """The number of decks received as the first and as the second: it names the next one."""
    decks_removed: tuple[Deck, ...] = ()
    """The last decks that left the table, without their cards; the history has them all."""
    fittings: Fittings | None = None
    """The check of the fittings; None before the first since the table was opened."""
    balances: Balances = msgspec.field(default_factory=dict)
    seeds_due: tuple[int, ...] = ()
    """Seats whose players' seeds the shuffle waits for, from no more bets on."""
    rounds_since_count: int = 1
    """Rounds since the last count of the stub, the present round included."""
    face_up_cards: int = 0
    pile: tuple[str, ...] = ()
    """The discard rack of this round, bottom first."""
    stub_gone: bool = False
    pending: Pending | None = None
    voided: str = ""
    """The irregularity that made the round void."""
    remove_deck: str = ""
    """The deck that must leave the table: its count was wrong."""
    removed_by: tuple[str, ...] = ()
    """The clauses that make it leave."""
    dealing: str = ""
    shuffling: str = ""
    devices: Mapping[str, str] = msgspec.field(default_factory=dict)
    short_cents: int = 0
    """The deficit of the tray for the payment that waits for a fill."""
    spin: Spin | None = None
    claims: tuple[AwardClaimed, ...] = ()
    """The claims that meters have yet to answer. The table waits for them."""
    claimed: int = 0
    """The number of the last claim."""
    settlements: tuple[Settlement, ...] = ()
    """The settlements of this round so far: a void round undoes them."""
    meter_paid: bool = False
    """A meter has paid an award of this round."""
    granted: Mapping[str, Mapping[int, int]] = msgspec.field(default_factory=dict)
    """Meter awards granted and not yet paid, by wager or random award and by seat, in cents."""
    drawn: AwardsDrawn | None = None
    """The draws of the start button; None where the game draws nothing."""
    papers: tuple[int, ...] = ()
    """Seats whose cards stay until the documents of an award are done."""
    contributed: Mapping[str, int] = msgspec.field(default_factory=dict)
    """This round's contributions to each meter, in millionths of a cent."""
    residues: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Millionths of a cent that the ledger has yet to move to each meter."""

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def rule(self, setting: str) -> Setting:
        """Return a setting of the rulebook, for its clauses."""
        return self.game.book.settings[setting]

    def banks(self, number: int) -> bool:
        """Say if a seat holds the bank of this round."""
        return self.bank is not None and self.bank.seat == number

    @property
    def halted(self) -> bool:
        """Say if the tray cannot pay: the settlement waits for a fill."""
        return self.short_cents > 0

    @property
    def bank_covered(self) -> bool:
        """Say if a player's bank has its cover in escrow: from no more bets until its settlement."""
        return self.bank is not None and self.bank.cover > 0

    def plays(self, seat: Seat) -> bool:
        """Say if a seat takes part in this round: with a wager on the layout, or with the bank."""
        return bool(seat.wagers) or self.banks(seat.number)

    @property
    def deck(self) -> Deck:
        return self.decks[self.in_play]


def new_table(game: Game) -> TableState:
    """Return a closed table of a game."""
    dealing, shuffler = str(game.choices["dealing.method"]), game.choices["dealing.shuffler"] != "none"
    devices = {"shuffler": shuffler, "shoe": dealing == "automated_shoe"}
    return TableState(
        game=game,
        seats=tuple(Seat(number=number + 1) for number in range(game.book.table.seats)),
        dealing=dealing,
        shuffling="device" if shuffler else "manual",
        devices={device: "in_use" for device, is_used in devices.items() if is_used},
    )


def seats_in_order(table: TableState, order: Order) -> tuple[Seat, ...]:
    """Return the seats in an order; clockwise begins at the dealer's left, with seat 1."""
    return table.seats if order == "clockwise" else table.seats[::-1]


def step_of(table: TableState) -> Step | None:
    """Return the step of the script that the round is in; None between rounds."""
    return table.game.dealt_by(table.dealing).steps.get(table.step)


def first_step(table: TableState, kind: type[S]) -> S:
    """Return the first step of a kind in the script of the present way of dealing."""
    return next(step for step in table.game.dealt_by(table.dealing).script if isinstance(step, kind))


def step_as(table: TableState, kind: type[S]) -> S:
    """Return the present step, which the caller knows to be of this kind."""
    step = step_of(table)
    assert isinstance(step, kind)
    return step


def clauses_of(table: TableState, kind: type[Step]) -> tuple[str, ...]:
    """Return the clauses of the next step of a kind, or of the last one, for the refusal of a command out of turn.

    >>> from crossfelt.rulebooks.script import Deal
    >>> clauses_of(new_table(compile_game("md-criss-cross")), Deal)
    ('MDC-24',)
    """
    script = table.game.dealt_by(table.dealing).script
    now = table.game.steps[table.step][0] if table.step else 0
    from_here = (*script[now:], *reversed(script[:now]))
    return next((step.clauses for step in from_here if isinstance(step, kind)), ())
