"""Commands of a table. The table accepts a command and records events, or refuses it and changes nothing.

Every command carries the person who asks, the role and the time. An answer also carries the round and the step that it
answers.
"""

from __future__ import annotations

from typing import Literal

from crossfelt._util.base_messages import BaseCommand
from crossfelt.cards.card import Card
from crossfelt.progressive.split import BySeat
from crossfelt.table.events import Loader, Ruling, ShuffleMethod

Role = Literal["player", "dealer", "floor", "auditor", "spectator"]
Device = Literal["shuffler", "shoe"]


class Command(BaseCommand, frozen=True, gc=False, kw_only=True):
    """A request to the table."""

    role: Role
    round: int | None = None
    step: str | None = None
    """The step it answers. The table refuses the command as late once that round or step has closed."""
    entered_by: str = ""
    """The dealer who entered it for a player at a physical table."""


class SeatCommand(Command, frozen=True, kw_only=True):
    """A request for one seat."""

    seat: int


class DeckCommand(Command, frozen=True, kw_only=True):
    """A request about one deck."""

    deck: str


# --- the table's life -------------------------------------------------------------------------------------------------


class OpenTable(Command, frozen=True, kw_only=True):
    """The floor opens the table with an inventory of chips."""

    inventory_cents: int


class CloseTable(Command, frozen=True, kw_only=True):
    """The floor closes the table between rounds."""


class RecordFill(Command, frozen=True, kw_only=True):
    """Chips are brought to the tray."""

    cents: int


class RecordCredit(Command, frozen=True, kw_only=True):
    """Chips are taken from the tray."""

    cents: int


class CheckFittings(Command, frozen=True, kw_only=True):
    """The floor has checked that the fittings of the table are in place, and names its shoe and shuffler."""

    items: tuple[str, ...] = ()
    shoe: str = ""
    """The id of the shoe; empty where the cards are dealt from the hand."""
    shoe_place: str = ""
    shuffler: str = ""
    """The id of the shuffler; empty where the cards are shuffled by hand."""
    shuffler_place: str = ""
    variance: str = ""
    """Another place of a fitting, and its approval; empty where all are in their places."""


class PrepareDeck(DeckCommand, frozen=True, kw_only=True):
    """One act of opening a deck: received, inspected, verified, spread, shown, washed, stacked."""

    act: Literal["receive", "inspect", "verify", "spread", "show", "wash", "stack"]
    back: str = ""
    """Colour of the backs, when the deck is received."""
    cover: str = ""
    """Colour of its cover card, when the deck is received."""


class ShuffleDeck(DeckCommand, frozen=True, kw_only=True):
    """The cards are mixed. The order is chance: it comes from a source, never from the table."""

    method: ShuffleMethod
    cards: tuple[Card, ...] = ()
    """The order from the top; empty where it is unknown (a physical deck)."""
    counted: int | None = None
    """The count that a counting shuffler shows."""


class CutDeck(DeckCommand, frozen=True, kw_only=True):
    """The cards are cut at a depth from the top."""

    depth: int


class OrderRecut(Command, frozen=True, kw_only=True):
    """A supervisor has the cards cut again before any is dealt."""

    reason: str


class OrderShuffle(Command, frozen=True, kw_only=True):
    """The floor has the cards shuffled again between rounds."""

    reason: str


class LoadDeck(DeckCommand, frozen=True, kw_only=True):
    """The stack goes into the shoe, or into the hand that will hold it all round."""

    hand: Literal["left", "right", ""] = ""
    loader: Loader = "dealer"
    """The dealer, or the shuffler that puts the stack into the shoe."""


class SpreadIdle(Command, frozen=True, kw_only=True):
    """The table is idle: the cards are spread on it."""

    face: Literal["up", "down"]
    asked: bool = False
    """A player asked for it."""


class RemoveDeck(DeckCommand, frozen=True, kw_only=True):
    """A deck leaves the table."""

    reason: str


# --- seats and wagers -------------------------------------------------------------------------------------------------


class TakeSeat(SeatCommand, frozen=True, kw_only=True):
    """A player sits down with chips."""

    chips_cents: int


class LeaveSeat(SeatCommand, frozen=True, kw_only=True):
    """A player gets up between rounds."""


class BuyChips(SeatCommand, frozen=True, kw_only=True):
    """A seated player buys more chips."""

    cents: int


class TakeBank(SeatCommand, frozen=True, kw_only=True):
    """A player to whom the bank is offered holds it this round, alone or together with the house."""

    co_bank: bool = False


class DeclineBank(SeatCommand, frozen=True, kw_only=True):
    """A player declines the bank, or gives it back before no more bets."""


class PlaceWagers(SeatCommand, frozen=True, kw_only=True):
    """All wagers of a seat before the cards. They replace its earlier wagers; an empty set takes them back."""

    wagers: dict[str, int]
    instrument: str = "chips"
    seed_hash: str = ""
    """The SHA-256 of the player's seed for the shuffle of this round; empty leaves it as it is."""


# --- the round --------------------------------------------------------------------------------------------------------


class NoMoreBets(Command, frozen=True, kw_only=True):
    """The dealer announces “no more bets”; wagers are locked."""


class MixDeck(Command, frozen=True, kw_only=True):
    """The players' seeds permute the order of the cards, after no more bets and before anything is drawn or dealt."""

    round_id: str
    """The table and the number of the round, so that the same seeds give another order in another round."""
    seeds: tuple[tuple[int, str], ...] = ()
    """The seeds that have arrived, by seat. The hash takes the place of each other one."""


class DrawAwards(Command, frozen=True, kw_only=True):
    """The draws of the progressive system after its start button. They are chance: they come from a source."""

    magic_card: Card | None = None
    lucky_seat: int = 0
    """The Lucky Player; 0 for none."""
    lucky_dealer: bool = False


class DealCards(Command, frozen=True, kw_only=True):
    """The dealer deals the round."""


class CountStub(Command, frozen=True, kw_only=True):
    """The dealer counts the stub and, if the count is wrong, names the finding."""

    count: int
    finding: Literal["misdealt", "not_misdealt", "misdealt_and_wrong_total", ""] = ""
    seat: int | None = None
    place: str | None = None
    """The area of a misdeal, ``community`` or ``dealer``, where it is not at a seat."""


class DiscardStub(Command, frozen=True, kw_only=True):
    """The stub goes to the discard rack without a count."""


class Bet(SeatCommand, frozen=True, kw_only=True):
    """A player in turn bets."""

    cents: int


class Fold(SeatCommand, frozen=True, kw_only=True):
    """A player in turn gives up."""


class Choose(SeatCommand, frozen=True, kw_only=True):
    """A player in turn chooses by name: a line to play, or to show a hand or not.

    At a physical table the cards of a hand that is shown are named.
    """

    choice: str
    cards: tuple[Card, ...] = ()


class ChooseFirstHand(Command, frozen=True, kw_only=True):
    """Three dice, or a random number, choose the position of the first stack."""

    dice: tuple[int, int, int] | None = None
    number: int | None = None


class SetHand(SeatCommand, frozen=True, kw_only=True):
    """A player sets the seven cards: these two in front. A foul is refused unless the player insists."""

    low: tuple[Card, Card]
    insists: bool = False


class SetHouseWay(SeatCommand, frozen=True, kw_only=True):
    """A player has the hand set the house way."""


class Surrender(SeatCommand, frozen=True, kw_only=True):
    """A player gives up the main wager before the dealer exposes the hand."""


class SetDealerHand(Command, frozen=True, kw_only=True):
    """The dealer turns up seven cards and sets them the house way; at a physical table, the dealer names them."""

    cards: tuple[Card, ...] = ()


class ExposeSeat(SeatCommand, frozen=True, kw_only=True):
    """The dealer exposes the next player's hands, announces every wager and collects the losing wagers."""

    cards: tuple[Card, ...] = ()
    low: tuple[Card, ...] = ()


class TimeOut(SeatCommand, frozen=True, kw_only=True):
    """The clock of the player in turn has run out. A hand that is then shown at a physical table is named."""

    cards: tuple[Card, ...] = ()


class CollectFolds(Command, frozen=True, kw_only=True):
    """The dealer collects the forfeited wagers of folded hands."""


class TurnUp(Command, frozen=True, kw_only=True):
    """The dealer turns up the community cards of this step; at a physical table, the dealer names them."""

    cards: tuple[Card, ...] = ()


class SettleSeat(SeatCommand, frozen=True, kw_only=True):
    """The dealer shows the next hand and settles its wagers; at a physical table, the dealer names its cards."""

    cards: tuple[Card, ...] = ()


class SpinWheel(SeatCommand, frozen=True, kw_only=True):
    """The wheel is spun for a player. Its stop is chance: the index of the slice comes from a source.

    At a physical table the pair of a folded hand is named.
    """

    stop: int
    cards: tuple[Card, ...] = ()


class PassSpin(SeatCommand, frozen=True, kw_only=True):
    """At a physical table: an unseen folded hand was no pair."""


class SpinXtreme(Command, frozen=True, kw_only=True):
    """The wheels are spun for all bettors: two indexes and the seat of the hot spot, from a source."""

    community: int
    hot_spot: int
    prize: int


class GrantAward(Command, frozen=True, kw_only=True):
    """The meter answers a claim. It enters the table as chance does."""

    claim: int
    number: int
    shares: BySeat
    before_micros: int
    after_micros: int
    seeded_micros: int = 0
    reset_cents: int = 0
    from_inventory: int = 0
    odd_cents: int = 0
    odd_cents_to: int = 0


class ValidateAward(SeatCommand, frozen=True, kw_only=True):
    """A supervisor validates an award that the dealer has verified."""

    wager: str


class CompleteDocuments(SeatCommand, frozen=True, kw_only=True):
    """The floor completes the documents of an award that the tray did not pay; the player's cards may go."""

    document: str


class PaySpin(SeatCommand, frozen=True, kw_only=True):
    """The dealer pays the result of the wheel."""


class DiscardCards(Command, frozen=True, kw_only=True):
    """The dealer picks up the remaining cards, in order."""


# --- what goes wrong --------------------------------------------------------------------------------------------------


class ReportIrregularity(Command, frozen=True, kw_only=True):
    """Dealer or floor reports an irregularity."""

    kind: str
    case: str = "any"
    seat: int | None = None
    place: str | None = None
    note: str = ""


class DecideFloor(Command, frozen=True, kw_only=True):
    """The floor rules on an irregularity where the document leaves it the choice."""

    ruling: Ruling
    note: str = ""


class CorrectCard(Command, frozen=True, kw_only=True):
    """The floor corrects the card at a place of a physical table where the dealer named a wrong card."""

    place: str
    cards: tuple[Card, ...]
    """The card that lies at the place."""
    note: str = ""


class TakeBack(Command, frozen=True, kw_only=True):
    """The dealer of a physical table takes the last entry back, to type it again."""


class ReverseRound(Command, frozen=True, kw_only=True):
    """The floor reverses the result of a round that was paid."""

    of_round: int
    seats: BySeat = ()
    """Seats with the cents that their players get; below 0 if they give them back."""
    cage_cents: int = 0
    """The cents that the tray sends to the cage for players who have left; below 0 if it receives them."""
    note: str = ""


class MarkDevice(Command, frozen=True, kw_only=True):
    """A device that does not work is covered, signed or removed, or put back into use."""

    device: Device
    how: Literal["covered", "signed", "removed", "in_use"]


class ChangeMethod(Command, frozen=True, kw_only=True):
    """Another way of dealing or shuffling is used from the next round."""

    dealing: Literal["manual_shoe", "hand", "automated_shoe"] | None = None
    shuffling: Literal["manual", "device"] | None = None


AnyCommand = (
    OpenTable | CloseTable | RecordFill | RecordCredit | CheckFittings | PrepareDeck | ShuffleDeck | CutDeck
    | OrderRecut | OrderShuffle | LoadDeck | SpreadIdle | RemoveDeck | TakeSeat | LeaveSeat | BuyChips | TakeBank
    | DeclineBank | PlaceWagers | NoMoreBets | MixDeck
    | DealCards | CountStub | DiscardStub | Bet | Fold | Choose | ChooseFirstHand | SetHand | SetHouseWay | Surrender
    | SetDealerHand | ExposeSeat | TimeOut | CollectFolds | TurnUp | SettleSeat | SpinWheel | PassSpin | SpinXtreme
    | GrantAward | PaySpin | DiscardCards | ReportIrregularity | DecideFloor | MarkDevice | ChangeMethod | DrawAwards
    | ValidateAward | CompleteDocuments | CorrectCard | TakeBack | ReverseRound
)  # fmt: skip
