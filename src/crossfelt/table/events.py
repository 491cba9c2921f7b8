"""Every event of a table. Replaying them gives the table; nothing else changes it."""

from __future__ import annotations

from typing import Literal

import msgspec

from crossfelt._util.base_messages import BaseEvent
from crossfelt.cards.card import Card
from crossfelt.cards.player_seeds import PlayerSeed
from crossfelt.games.settlement import Result
from crossfelt.progressive.split import BySeat, ShareMethod

Abandoned = Literal["idle", "deck_removed", "table_closed"]
Ruling = str
"""``continue``, ``void``, ``abandon``, ``fold``, ``house_way``, or the hand that is played."""
Loader = Literal["dealer", "shuffler"]
ShuffleMethod = Literal["manual", "device", "preshuffled"]


class Event(BaseEvent, frozen=True, gc=False, kw_only=True):
    """A fact at the table, and the rule it rests on."""

    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    house_rule: str = ""
    """The house's own rule where no document decides."""


class SeatEvent(Event, frozen=True, kw_only=True):
    """A fact about one seat."""

    seat: int


class DeckEvent(Event, frozen=True, kw_only=True):
    """A fact about one deck."""

    deck: str


# --- the table's life -------------------------------------------------------------------------------------------------


class TableOpened(Event, frozen=True, kw_only=True):
    inventory_cents: int


class TableClosed(Event, frozen=True, kw_only=True):
    inventory_cents: int


class InventoryFilled(Event, frozen=True, kw_only=True):
    cents: int


class InventoryCredited(Event, frozen=True, kw_only=True):
    cents: int


class FittingsChecked(Event, frozen=True, kw_only=True):
    """The fittings of the table are in place; its shoe and shuffler are named by id and place."""

    items: tuple[str, ...] = ()
    shoe: str = ""
    shoe_place: str = ""
    shuffler: str = ""
    shuffler_place: str = ""
    variance: str = ""
    """Another place of a fitting, and its approval."""


class DeckPrepared(DeckEvent, frozen=True, kw_only=True):
    """A deck was received, inspected, verified, spread, shown, washed or stacked."""

    act: str
    back: str = ""
    cover: str = ""
    """Colour of the cover card."""


class DeckShuffled(DeckEvent, frozen=True, kw_only=True):
    method: ShuffleMethod
    cards: tuple[Card, ...]
    """The order from the top, secret until the round closes."""
    needs_cut: bool
    device: str = ""
    """The id of the shuffler that mixed it."""


class DeckCut(DeckEvent, frozen=True, kw_only=True):
    depth: int


class RecutOrdered(DeckEvent, frozen=True, kw_only=True):
    reason: str


class ShuffleOrdered(DeckEvent, frozen=True, kw_only=True):
    reason: str


class DeckLoaded(DeckEvent, frozen=True, kw_only=True):
    method: str
    hand: str = ""
    loader: Loader = "dealer"
    shoe: str = ""
    """The id of the shoe, and its place."""
    place: str = ""


class DeckSpreadIdle(DeckEvent, frozen=True, kw_only=True):
    face: Literal["up", "down"]


class DeckRemoved(DeckEvent, frozen=True, kw_only=True):
    reason: str


class SeatTaken(SeatEvent, frozen=True, kw_only=True):
    player: str
    chips_cents: int


class SeatLeft(SeatEvent, frozen=True, kw_only=True):
    chips_cents: int


class ChipsBought(SeatEvent, frozen=True, kw_only=True):
    cents: int


# --- the round --------------------------------------------------------------------------------------------------------


class RoundOpened(Event, frozen=True, kw_only=True):
    round: int
    deck: str


class BankTaken(SeatEvent, frozen=True, kw_only=True):
    """A player holds the bank of this round; the dealer will stake `house_wager` against it."""

    co_bank: bool = False
    house_wager: int = 0


class BankDeclined(SeatEvent, frozen=True, kw_only=True):
    """A player let the bank pass."""

    timed_out: bool = False


class BankReturned(SeatEvent, frozen=True, kw_only=True):
    """A player gave the bank back before no more bets; the house banks."""


class WagersPlaced(SeatEvent, frozen=True, kw_only=True):
    """All present wagers of one seat; they replace its earlier wagers."""

    wagers: dict[str, int]
    instrument: str = "chips"
    coupon_cents: int = 0
    """The value of a match play coupon beside the wagers."""
    seed_hash: str = ""
    """The hash of the player's seed for the shuffle; empty where the seat's earlier one stays."""


class StepEntered(Event, frozen=True, kw_only=True):
    """The round came to a step of its script; `turn` are the seats it will go through, in order."""

    step: str
    turn: tuple[int, ...] = ()


class BetsLocked(Event, frozen=True, kw_only=True):
    announcement: str
    seats: tuple[int, ...]
    also: tuple[Literal["lock_out", "start_button"], ...] = ()
    """The devices that lock with the wagers, where a player has a wager on them."""


class DeckMixed(DeckEvent, frozen=True, kw_only=True):
    """The players' seeds have permuted the order of the cards; a seed that did not arrive is empty."""

    round_id: str
    seeds: tuple[PlayerSeed, ...]

    @property
    def missing(self) -> tuple[PlayerSeed, ...]:
        """The seeds that did not arrive in time."""
        return tuple(one for one in self.seeds if not one.seed)


class BankCovered(SeatEvent, frozen=True, kw_only=True):
    """Chips for every possible winner go into escrow, the house's part of a co-bank with them; the dealer stakes."""

    cents: int
    house_cents: int = 0
    house_wager: int = 0


class Dealt(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One card and where it went; seat 0 is the community area."""

    seat: int
    place: str
    card: Card


class CardsDealt(Event, frozen=True, kw_only=True):
    cards: tuple[Dealt, ...]
    """In the order in which they left the deck."""
    method: str


class StubCounted(Event, frozen=True, kw_only=True):
    count: int
    expected: int
    finding: str = ""
    """The dealer's finding where the count is wrong."""
    seat: int | None = None
    place: str | None = None
    """The area of a misdeal."""


class StubDiscarded(Event, frozen=True, kw_only=True):
    count: int


class BetPlaced(SeatEvent, frozen=True, kw_only=True):
    wager: str
    cents: int
    timed_out: bool = False


class HandFolded(SeatEvent, frozen=True, kw_only=True):
    wager: str
    """The bet that was not made."""
    forfeits: tuple[str, ...]
    timed_out: bool = False


class ChoiceMade(SeatEvent, frozen=True, kw_only=True):
    """A player chose by name: a line to play, to show a hand or keep it, to check, or to take a wager back."""

    wager: str
    choice: str
    cents: int = 0
    """The stake that was taken back."""
    cards: tuple[Card, ...] = ()
    """The hand, where it was shown."""
    timed_out: bool = False


class FirstHandChosen(Event, frozen=True, kw_only=True):
    """The position that gets the first stack: a seat, or 0 for the dealer."""

    number: int
    position: int
    dice: tuple[int, ...] = ()


class EmptyPositionsCollected(Event, frozen=True, kw_only=True):
    """Cards at positions without a wager go to the discard rack unseen."""

    seats: tuple[int, ...]


class HandSet(SeatEvent, frozen=True, kw_only=True):
    """A player set two hands. `house_way` names the rule that set them, where the player asked for it."""

    low: tuple[Card, ...]
    """Face down where the cards are unknown: at a physical table the dealer names them at the exposure."""
    cards: tuple[Card, ...] = ()
    """The hand, where the dealer looked at it at a physical table to set it."""
    house_way: str = ""
    foul: bool = False
    timed_out: bool = False


class HandSurrendered(SeatEvent, frozen=True, kw_only=True):
    """A player gave up the main wager. The cards are collected unseen unless another wager needs them."""

    collects: bool


class DealerHandsSet(Event, frozen=True, kw_only=True):
    cards: tuple[Card, ...]
    low: tuple[Card, ...]
    high_name: str
    low_name: str
    house_way: str


class HandsExposed(SeatEvent, frozen=True, kw_only=True):
    """A player's two hands are shown, and the result of every wager is announced."""

    cards: tuple[Card, ...]
    low: tuple[Card, ...]
    high_name: str
    low_name: str
    results: dict[str, Result]
    envy_cents: int = 0
    """The envy award that the hand brings each seat of `envy_to`, beside its own wagers."""
    envy_to: tuple[int, ...] = ()
    envy_hand: str = ""


class FoldCollected(SeatEvent, frozen=True, kw_only=True):
    """Forfeited wagers go to the tray, the cards to the discard rack unless they must stay."""

    wagers: dict[str, int]
    cards_stay: bool = False


class CommunityCardsRevealed(Event, frozen=True, kw_only=True):
    places: tuple[str, ...]
    cards: tuple[Card, ...]


class HandShown(SeatEvent, frozen=True, kw_only=True):
    """A player's cards are turned up and the hands they make are announced."""

    cards: tuple[Card, ...]
    hands: dict[str, str]


class DealerHandMade(Event, frozen=True, kw_only=True):
    """The dealer's hand is complete; of several hands the dealer plays the better one."""

    line: str
    hand: str
    marks: dict[str, bool] = msgspec.field(default_factory=dict)
    """The marks that settlements ask for, and whether the hand has them: the dealer qualifies, or does not."""


class WagerSettled(SeatEvent, frozen=True, kw_only=True):
    wager: str
    stake: int
    result: Result
    returned: int = 0
    paid: int = 0
    hand: str = ""
    line: str = ""
    odds: str = ""
    limited: int = 0
    """Cents by which a payout limit cut the payment."""
    commission: int = 0
    """Cents kept from the winnings."""
    bank: int = 0
    """The seat whose bank it was played against; 0 for the house."""
    source: Literal["", "meter"] = ""
    """``meter`` where the meter pays at least a part."""
    from_inventory: int = 0
    """Cents of `paid` that the table inventory pays because the meter does not bear these odds (AMB-23)."""


class HouseWagerSettled(Event, frozen=True, kw_only=True):
    """The result of the dealer's wager against a player's bank."""

    bank: int
    stake: int
    result: Result
    returned: int = 0
    paid: int = 0
    hand: str = ""


class BankSettled(SeatEvent, frozen=True, kw_only=True):
    """The escrow is divided. The banker gets the cover with the banker's part of the result, the house the rest."""

    stake: int
    """The banker's cover."""
    result: Result
    returned: int
    paid: int = 0
    commission: int = 0
    house_cents: int = 0
    """The house's return from a co-bank: its cover, and its part of the bank's result."""
    house_stake: int = 0
    hand: str = ""


class BankReleased(SeatEvent, frozen=True, kw_only=True):
    """The escrow and the dealer's wager go back after a void round."""

    stake: int
    """The banker's cover. `cents` come back of it; a co-bank has the same pair for the house."""
    cents: int
    house_stake: int = 0
    house_cents: int = 0
    house_wager: int = 0


class CouponSettled(SeatEvent, frozen=True, kw_only=True):
    """A match play coupon is settled like the chips beside it: collected unless they push, and never cashed."""

    wager: str
    face_cents: int
    result: Result
    paid: int = 0
    limited: int = 0


class PaymentHalted(SeatEvent, frozen=True, kw_only=True):
    """The tray cannot pay. The settlement waits for a fill."""

    wager: str
    short_cents: int


class SeatSettled(SeatEvent, frozen=True, kw_only=True):
    """The dealer is done with a seat in this step; its cards go to the discard rack where they were shown."""

    collects: bool = False


class CardsDiscarded(Event, frozen=True, kw_only=True):
    """The discard rack, bottom first: each hand and the community cards can be rebuilt from it."""

    pile: tuple[str, ...]


class RoundClosed(Event, frozen=True, kw_only=True):
    round: int
    outcome: Literal["settled", "void"]


class RoundAbandoned(Event, frozen=True, kw_only=True):
    """A round was called off while it was open for bets. No card was dealt."""

    round: int
    why: Abandoned


# --- wheels and meters ------------------------------------------------------------------------------------------------


class ContributionMade(Event, frozen=True, kw_only=True):
    """The locked wagers of a round added to a meter."""

    meter: str
    stake_cents: int
    micros: int
    """Millionths of a cent, exactly."""
    cents: int
    """The whole cents that the ledger moves; the rest waits as residue."""


class ContributionReversed(Event, frozen=True, kw_only=True):
    """A void round takes its contribution back, or an entry that is taken back does."""

    meter: str
    micros: int
    cents: int


class WheelSpun(SeatEvent, frozen=True, kw_only=True):
    """The wheel stopped for a player with a trigger hand."""

    wager: str
    wheel: str
    cards: tuple[Card, ...]
    index: int
    place: int
    """The name of the slice: its printed position, or its index."""
    prize_cents: int = 0
    meter: str = ""
    """The meter that is the prize, if any."""
    community: int = 0
    """1, 2 or 3 where other bettors are paid too."""


class XtremeSpun(Event, frozen=True, kw_only=True):
    """The wheels stopped for all bettors: two indexes, and the seat of the hot spot."""

    wager: str
    community: int
    hot_spot: int
    prize: int
    meter: str = ""


class AwardsDrawn(Event, frozen=True, kw_only=True):
    """The draws of the progressive system after its start button, public to all."""

    magic_card: Card | None = None
    lucky_seat: int = 0
    """The Lucky Player; 0 where there is none."""
    lucky_dealer: bool = False


class AwardWon(SeatEvent, frozen=True, kw_only=True):
    """A random award that falls to a player: announced when the hands are exposed, paid in the player's turn."""

    wager: str
    award: str
    cents: int
    hand: str = ""


class AwardVerified(SeatEvent, frozen=True, kw_only=True):
    """The dealer has verified an award of a seat. A supervisor must validate it before it is paid."""

    wager: str
    hand: str = ""
    awards: tuple[str, ...] = ()


class AwardValidated(SeatEvent, frozen=True, kw_only=True):
    """A supervisor has validated an award, under the internal controls."""

    wager: str


class DocumentsCompleted(SeatEvent, frozen=True, kw_only=True):
    """The documents of an award that the tray did not pay are complete. The player's cards may go."""

    document: str


class AwardClaimed(Event, frozen=True, kw_only=True):
    """A player has won an award from a meter: a percentage of it, or an amount that its pool pays."""

    claim: int
    """Claims of a table are numbered."""
    meter: str
    wager: str
    percent: int = 0
    cents: int = 0
    winners: BySeat
    """Seats with their stakes."""
    method: ShareMethod = "equally"
    at_most_cents: int | None = None
    """The largest award that a payout limit allows, where it covers the meter."""
    award: str = ""
    """The random award; empty where the wager's own hand or wheel won."""


class AwardGranted(Event, frozen=True, kw_only=True):
    """The meter's answer."""

    claim: int
    meter: str
    wager: str
    number: int
    """The meter's own number of the award: the order in which it paid, over all its tables."""
    shares: BySeat
    """Seats with the cents that the meter pays."""
    before_micros: int
    """The pool before and after."""
    after_micros: int
    seeded_micros: int = 0
    """The house's addition to the pool: the reset amount, or what the pool lacks to it."""
    cents: int = 0
    """The whole cents of that addition, which the ledger moves."""
    reset_cents: int = 0
    """The meter's reset amount."""
    from_inventory: int = 0
    """The rest of the claim, which the table inventory pays: the pool holds no more above its reset amount."""
    odd_cents: int = 0
    odd_cents_to: int = 0
    award: str = ""


class AwardPaid(SeatEvent, frozen=True, kw_only=True):
    """An award beside a wager's own payment: envy for another player's hand, community pay, lucky and magic awards."""

    award: str
    cents: int
    hand: str = ""
    of_seat: int | None = None
    """The seat whose hand brought it."""
    illustrative: bool = False
    """No source prints the amount."""
    limited: int = 0
    """Cents by which a payout limit cut it."""
    wager: str = ""
    """The wager that it belongs to, where that counts toward a payout limit or has a meter."""
    source: Literal["", "meter"] = ""
    from_inventory: int = 0
    """Cents of it that the table inventory pays because the meter does not bear them (AMB-23)."""
    line: str = ""
    odds: str = ""
    """The pay line and its odds, where a pay table of odds gives the award."""


# --- what goes wrong --------------------------------------------------------------------------------------------------


class IrregularityReported(Event, frozen=True, kw_only=True):
    kind: str
    case: str
    step: str
    then: tuple[str, ...]
    seat: int | None = None
    place: str | None = None
    note: str = ""


class FaceUpCardDiscarded(Event, frozen=True, kw_only=True):
    """A card found face up is not used: the card `ahead` cards from the top."""

    ahead: int
    card: Card


class CommunityCardExposed(Event, frozen=True, kw_only=True):
    """A community card was seen before its time, and the floor let the round continue."""

    place: str
    card: Card


class CardMisnamed(Event, frozen=True, kw_only=True):
    """The dealer named a wrong card at a physical table. The place is turned up again, with the right card."""

    place: str
    card: Card
    """The wrong card."""
    note: str = ""


class EntryTakenBack(Event, frozen=True, kw_only=True):
    """The dealer of a physical table took the last entry back: the table is as it was before it."""

    entered_by: str
    """The person of the entry, and the time."""
    entered_at: int
    round: int


class ChipsCorrected(SeatEvent, frozen=True, kw_only=True):
    """The result of a paid round was reversed: chips moved between the tray and a seat."""

    of_round: int
    before_cents: int
    """The chips at the seat; `after_cents` after the correction."""
    after_cents: int
    note: str = ""


class FloorRuled(Event, frozen=True, kw_only=True):
    kind: str
    ruling: Ruling
    seat: int | None = None
    note: str = ""


class RoundVoided(Event, frozen=True, kw_only=True):
    kind: str
    then: tuple[str, ...]
    keeps_settled: bool = False
    """Wagers that were settled before stand: the other reading of AMB-8c."""


Settlement = WagerSettled | CouponSettled | AwardPaid | HouseWagerSettled | BankSettled


class SettlementReversed(SeatEvent, frozen=True, kw_only=True):
    """A settlement of the round is undone: its payment goes back where it came from, its stake on the layout again."""

    settled: Settlement


class WagersReturned(SeatEvent, frozen=True, kw_only=True):
    """The wagers on the layout go back to the player; a void round also returns the wagers that folds forfeited."""

    wagers: dict[str, int]
    forfeited: dict[str, int] = msgspec.field(default_factory=dict)


class WagersForfeited(SeatEvent, frozen=True, kw_only=True):
    """A player lost every wager of the round by a finding of the floor."""

    wagers: dict[str, int]
    why: str


class DeviceMarked(Event, frozen=True, kw_only=True):
    device: str
    how: str


class MethodChanged(Event, frozen=True, kw_only=True):
    dealing: str
    shuffling: str


AnyEvent = (
    TableOpened | TableClosed | InventoryFilled | InventoryCredited | FittingsChecked | DeckPrepared | DeckShuffled
    | DeckCut | RecutOrdered | ShuffleOrdered | DeckLoaded | DeckSpreadIdle | DeckRemoved | SeatTaken | SeatLeft
    | ChipsBought | RoundOpened | BankTaken | BankDeclined | BankReturned | BankCovered | HouseWagerSettled
    | BankSettled | BankReleased | WagersPlaced | StepEntered | BetsLocked | DeckMixed | CardsDealt | StubCounted
    | StubDiscarded
    | BetPlaced | HandFolded | ChoiceMade | FirstHandChosen | EmptyPositionsCollected | HandSet | HandSurrendered
    | DealerHandsSet | HandsExposed | AwardPaid | FoldCollected | CommunityCardsRevealed | HandShown
    | DealerHandMade | WagerSettled | CouponSettled | PaymentHalted | SeatSettled | CardsDiscarded | RoundClosed
    | RoundAbandoned | IrregularityReported | FaceUpCardDiscarded | CommunityCardExposed | FloorRuled | RoundVoided
    | SettlementReversed | WagersReturned | WagersForfeited | DeviceMarked | MethodChanged | ContributionMade
    | ContributionReversed
    | WheelSpun | XtremeSpun | AwardClaimed | AwardGranted | AwardsDrawn | AwardWon | AwardVerified | AwardValidated
    | DocumentsCompleted | CardMisnamed | ChipsCorrected | EntryTakenBack
)  # fmt: skip
