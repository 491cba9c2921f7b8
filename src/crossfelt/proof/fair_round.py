"""The check of a round by a player: what the house had fixed, what the players added, and what was dealt.

1. The receipt, signed before the cards, names the root of the round's commitment and the hash of the player's seed.
2. The whole deck, opened after the round, gives that root and has every card once.
3. Each player's seed has the hash that was sent with the wagers; a seed that did not arrive is named. The seeds are
   those of the seats and hashes that the player's client noted before it sent its own, and so is the root.
4. The house's order, permuted by these seeds, gives the cards that lay on the table. They were dealt to the seats and
   places that the client noted at the same time, in that order.
5. Wheels, dice and draws show what the house's seed and these seeds draw. The check takes only the weights from
   the record.

Viewers who did not play get proofs of single cards instead of the whole deck, and check these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import NO_MIX, PlayerSeed, mix_of, mixed_order, mixed_seed, seed_hash
from crossfelt.cards.shuffle import Chance
from crossfelt.proof.commitment import Commitment, LeafOpening, WholeOpening, verify, verify_whole
from crossfelt.proof.receipt import Receipt
from crossfelt.proof.signed_heads import VerifyingKey
from crossfelt.table.acts.set_hands import POSITIONS, position_of

Data = Mapping[str, Any]
DEALER: Final = "dealer_"
"""The places of the dealer's hand begin with it."""
DEVICES: Final = "devices"
"""The label of the seed of wheels, dice and draws."""
DRAWN: Final = ("first_hand_chosen", "wheel_spun", "xtreme_spun", "awards_drawn")
"""The events that show a draw."""
ALONE: Final = "no player sent a seed: the house alone has chosen the order of the cards"
DECKS: Final = (
    "that each deck was fixed before the bets; where the server deals, a player's receipt or a root noted before the "
    "bets shows it (crossfelt fair)"
)
"""What a history by itself does not show, whoever wrote it."""
NOTED: Final = "those noted before your seed was sent are those that were mixed in"
NOT_NOTED: Final = "the house mixed in OTHER seats or hashes than those noted before your seed was sent"
ROOT_NOTED: Final = "as noted before your seed was sent"
ROOT_NOT_NOTED: Final = "NOT the root noted before your seed was sent"
NOT_FULL: Final = "has a card TWICE, a foreign one, or too few"
DEALT: Final = "went to the places noted before your seed was sent, in that order"
NOT_DEALT: Final = "went to OTHER places, or in another order, than noted before your seed was sent"


class DeviceWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The weights of the outcomes that one field of an event shows."""

    event: str
    """The row of the event and its number there: ``412.3``."""
    field: str
    weights: tuple[int, ...]


class FairRound(msgspec.Struct, frozen=True, kw_only=True):
    """A closed round as one viewer may see it: the answer of `/api/tables/T/rounds/N`, and the viewer's own receipt."""

    commitment: Commitment
    openings: tuple[LeafOpening, ...] = ()
    opened: WholeOpening | None = None
    events: tuple[dict[str, Any], ...] = ()
    table: str = ""
    round: int | None = None
    receipt: Receipt | None = None
    hashes: dict[int, str] | None = None
    """The hash of each seat whose seed was due, as the viewer's client noted them before it sent its own seed."""
    deal_order: tuple[tuple[int, str], ...] | None = None
    """The seat and place of each card, as the viewer's client noted them beside the hashes."""
    root: str | None = None
    """The root of the commitment, as the viewer's client noted it beside the hashes."""
    draws: tuple[DeviceWeights, ...] = ()


class Finding(NamedTuple):
    """One thing that was checked."""

    what: str
    holds: bool
    says: str


class Gap(NamedTuple):
    """A check that cannot be made, because the viewer has not kept the data that it needs."""

    what: str
    says: str
    unproved: str


def gaps(played: FairRound, *, root: str = "") -> Iterator[Gap]:
    """Yield what the checks leave open."""
    if played.receipt is None and not root:
        says = "none; compare this root with the one you noted before the bets"
        yield Gap("receipt", says, "the deck was fixed before the bets")
    named = {event["event"] for event in played.events}
    if "deck_mixed" in named and played.receipt is not None and not root and played.root is None:
        says = "not noted before the seeds were sent; the house may have fixed another deck and signed it later"
        yield Gap("root", says, "the deck was fixed before the seeds were sent")
    if "deck_mixed" in named and played.hashes is None:
        says = "not noted before the seeds were sent; the house may have added one later"
        yield Gap("hashes", says, "no seed was added later")
    if "deck_mixed" in named and "cards_dealt" in named and played.deal_order is None:
        says = "not noted before the seeds were sent; the house may have chosen who gets which card"
        yield Gap("places", says, "each card went where the rules put it")
    if "face_up_card_discarded" in named:
        says = "the house took it out as found face up, which moves all cards behind it"
        yield Gap("a card", says, "no card was taken out to move the others")
    yield from _missing_seeds(played)


def _missing_seeds(played: FairRound) -> Iterator[Gap]:
    mixed = _mixed(played)
    if mixed is None and _shows_cards(played):
        yield Gap("seeds", ALONE, "the house did not choose the cards")
    late = [f"{one.player} in seat {one.seat}" for one in _seeds_in(mixed) if not one.seed]
    if late:
        says = f"none came from {', '.join(late)}: the hash took its place"
        yield Gap("seeds", says, "no player kept a seed back to choose between two orders")


def check_round(played: FairRound, *, root: str = "", key: VerifyingKey | None = None) -> Iterator[Finding]:
    """Yield what was checked. `root` and `key` are those that the viewer has from elsewhere."""
    if root:
        same = root == played.commitment.root
        yield Finding("root", same, "as published" if same else "NOT the published root")
    if played.root is not None:
        same = played.root == played.commitment.root
        yield Finding("root", same, ROOT_NOTED if same else ROOT_NOT_NOTED)
    if played.receipt is not None:
        yield from _receipt(played, played.receipt, key)
    if played.opened is not None:
        yield from _whole(played.commitment, played.opened)
    yield from _openings(played)
    mixed = _mixed(played)
    if _shows_cards(played):
        yield from _seeds(played, mixed)
        yield from _places(played)
        yield from _cards(played, mixed)
    yield from _draws(played, mixed)


def _mixed(played: FairRound) -> Data | None:
    return next((event for event in played.events if event["event"] == "deck_mixed"), None)


def _shows_cards(played: FairRound) -> bool:
    return any(event["event"] == "cards_dealt" for event in played.events) or any(_seen(played.events))


def _receipt(played: FairRound, receipt: Receipt, key: VerifyingKey | None) -> Iterator[Finding]:
    trusted = key or _key_in(receipt)
    signed = trusted is not None and receipt.signed_by(trusted)
    whose = "the key that you gave" if key is not None else f"the key {receipt.key}"
    yield Finding("receipt", signed, f"{'signed' if signed else 'NOT signed'} with {whose}")
    same = (receipt.table, receipt.round) == (played.table, played.round) and receipt.root == played.commitment.root
    yield Finding("receipt", same, "names the root of this round" if same else "names ANOTHER root, table or round")


def _key_in(receipt: Receipt) -> VerifyingKey | None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        return VerifyingKey(Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt.key)))
    except ValueError:
        return None


def _whole(commitment: Commitment, opened: WholeOpening) -> Iterator[Finding]:
    holds = verify_whole(commitment, opened)
    yield Finding("deck", holds, "gives the root" if holds else "does NOT give the root")
    deck = [value for label, value in zip(commitment.labels, opened.values, strict=False) if label.startswith("card/")]
    full = len(deck) in (52, 53) and sorted(deck) == sorted(card.text for card in deck_of(len(deck)))
    yield Finding("deck", full, f"has each of {len(deck)} cards once" if full else NOT_FULL)


def _openings(played: FairRound) -> Iterator[Finding]:
    """Judge each opening. A label revealed twice is a fault, since the second card could hide the first."""
    once = {label: count == 1 for label, count in Counter(one.label for one in played.openings).items()}
    for one in played.openings:
        holds = verify(played.commitment, one)
        says = "DOES NOT MATCH" if not holds else "matches" if once[one.label] else "matches, but revealed TWICE"
        yield Finding(f"{one.label} = {one.value}", holds and once[one.label], says)


def _seeds(played: FairRound, mixed: Data | None) -> Iterator[Finding]:
    sent: dict[int, str] = {}
    for event in played.events:
        if event["event"] == "wagers_placed":
            kept = event.get("seed_hash") or sent.get(event["seat"], "")
            sent[event["seat"]] = kept if event["wagers"] else ""
        elif event["event"] == "bets_locked":
            break
    sent = {seat: hashed for seat, hashed in sent.items() if hashed}
    seeds = _seeds_in(mixed)
    used = sorted((one.seat, one.hash) for one in seeds)
    if used != sorted(sent.items()):
        yield Finding("seeds", False, "the house did NOT mix in the seeds whose hashes the players sent")
    if mixed is not None and mixed["round_id"] != f"{played.table}/{played.round}":
        yield Finding("seeds", False, f"were mixed for ANOTHER round: {mixed['round_id']}")
    for one in seeds:
        if one.seed:
            fits = seed_hash(one.seed) == one.hash
            says = "has the hash that was sent" if fits else "has ANOTHER hash than was sent"
            yield Finding(f"seed of seat {one.seat}, {one.player}", fits, says)
    if played.hashes is not None:
        same = used == sorted(played.hashes.items())
        yield Finding("hashes", same, NOTED if same else NOT_NOTED)
    receipt = played.receipt
    if receipt is not None and receipt.seed_hash not in [one.hash for one in seeds if one.seat == receipt.seat]:
        yield Finding("receipt", False, "names a seed that the house did NOT mix in")


def _seeds_in(mixed: Data | None) -> tuple[PlayerSeed, ...]:
    return msgspec.convert(mixed["seeds"], tuple[PlayerSeed, ...]) if mixed is not None else ()


def _places(played: FairRound) -> Iterator[Finding]:
    """Compare the order of the deal with the one noted. Dice turn it: they are thrown after the seeds."""
    if played.deal_order is None:
        return
    noted = played.deal_order
    turn = next((event["position"] for event in played.events if event["event"] == "first_hand_chosen"), 0)
    due = [_turned(*spot, len({seat for seat, _ in noted}), turn) if turn else spot for spot in noted]
    dealt = [(seat, place) for e in played.events if e["event"] == "cards_dealt" for seat, place, _ in e["cards"]]
    yield Finding("places", due == dealt, f"the cards {DEALT if due == dealt else NOT_DEALT}")


def _turned(seat: int, place: str, positions: int, turn: int) -> tuple[int, str]:
    """Return a place in a deal to every position, the dealer's as 0, that begins `turn` positions later."""
    then = (seat + turn) % positions
    return then, f"{'' if then else DEALER}{place.removeprefix(DEALER)}"


def _cards(played: FairRound, mixed: Data | None) -> Iterator[Finding]:
    """Compare the cards on the table with the order that was to be dealt."""
    seen = list(_seen(played.events))
    due = list(_due(played, mixed))
    shown_at_once = [[spot.card for spot in _seen([event])] for event in played.events]
    if len({(seat, place) for seat, place, _ in due}) < len(due) or any(len(set(it)) < len(it) for it in shown_at_once):
        yield Finding("cards", False, "one place got TWO cards, or one card was shown TWICE at once")
    wrong = [spot.card for spot in seen if not any(spot.fits(other) for other in due)]
    if wrong:
        yield Finding("cards", False, f"{', '.join(wrong)} should NOT lie there by the order fixed and mixed")
    elif seen:
        yield Finding("cards", True, f"all {len({spot.card for spot in seen})} lie where the order puts them")


def _draws(played: FairRound, mixed: Data | None) -> Iterator[Finding]:
    """Draw again what the events show, from the house's seed and those of the players."""
    if played.opened is None:
        return
    house = dict(zip(played.commitment.labels, played.opened.values, strict=False))
    mix = NO_MIX if mixed is None else mix_of(mixed["round_id"], _seeds_in(mixed))
    seed = mixed_seed(bytes.fromhex(house[DEVICES]), mix)
    weights = {(it.event, it.field): it.weights for it in played.draws}
    given = Counter[str]()
    bank = 0
    for event in played.events:
        if event["event"] in ("bank_taken", "bank_returned"):
            bank = event["seat"] if event["event"] == "bank_taken" else 0
        if event["event"] not in DRAWN:
            continue
        holds, said = event["event"] != "first_hand_chosen" or _counted(event, bank), ""
        for field, device in _devices(event).items():
            given[device] += 1
            chance = Chance(seed, f"{device}/{given[device]}")
            among = weights.get((f"{event['seq']}.{event['n']}", field), ())
            holds = holds and _shows(event.get(field), field, chance, among)
            said += f"; weights of {field.replace('_', ' ')}: {_runs(among)}" if among else ""
        says = "shows what the seeds draw" if holds else "does NOT show what the seeds draw"
        yield Finding(event["event"].replace("_", " "), holds, says + said)


def _runs(weights: Iterable[int]) -> str:
    """Return weights as text, with equal neighbours together.

    >>> _runs((0, 7, 7, 7, 2))
    '0, 3 × 7, 2'
    """
    runs = [(weight, len(list(same))) for weight, same in groupby(weights)]
    return ", ".join(f"{count} × {weight}" if count > 1 else str(weight) for weight, count in runs)


def _devices(event: Data) -> dict[str, str]:
    """Return the stream of each field that shows a draw."""
    match event["event"]:
        case "first_hand_chosen":
            return {"dice": "dice"} if event.get("dice") else {"number": "number"}
        case "wheel_spun":
            return {"index": f"wheel/seat{event['seat']}"}
        case "xtreme_spun":
            return {field: f"xtreme/{field}" for field in ("community", "hot_spot", "prize")}
    return {field: field for field in ("lucky_seat", "lucky_dealer", "magic_card")}


def _shows(shown: Any, field: str, chance: Chance, weights: tuple[int, ...]) -> bool:
    """Say if a field shows the next draw. A field without a value stands for nothing drawn."""
    if field == "dice":
        return list(shown) == [chance.between(1, 6) for _ in range(3)]
    if field == "number":
        return bool(shown == chance.between(1, POSITIONS))
    if not any(weights):
        return False
    drawn = chance.weighted(weights)
    if field == "magic_card":
        return bool(shown == (Card(drawn - 1).text if drawn else None))
    return bool((shown or 0) == drawn + (field == "hot_spot"))


def _counted(event: Data, bank: int) -> bool:
    """Say if the number follows from the dice, and the position from the number."""
    number: int = event["number"]
    return number == sum(event.get("dice") or [number]) and event["position"] == position_of(number, first=bank)


class _Spot(NamedTuple):
    """A card at a seat, 0 for the layout; the place is empty where only the seat is known."""

    seat: int
    place: str
    card: str

    def fits(self, dealt: _Spot) -> bool:
        """Say if a card lies where it was dealt. Where only the seat is known, 0 is the dealer's hand."""
        anywhere = not self.place and (self.seat > 0 or dealt.place.startswith(DEALER))
        return (self.seat, self.card) == (dealt.seat, dealt.card) and (anywhere or self.place == dealt.place)


def _due(played: FairRound, mixed: Data | None) -> Iterator[_Spot]:
    """Yield each card of the deal that the proofs open, where the order puts it."""
    labels = [label for label in played.commitment.labels if label.startswith("card/")]
    house = {one.label: one.value for one in played.openings}
    if played.opened is not None:
        house = dict(zip(played.commitment.labels, played.opened.values, strict=False))
    order = labels if mixed is None else mixed_order(labels, mix_of(mixed["round_id"], _seeds_in(mixed)))
    found = {event["card"] for event in played.events if event["event"] == "face_up_card_discarded"}
    cards = iter([card for card in (house.get(label, HIDDEN.text) for label in order) if card not in found])
    for event in played.events:
        if event["event"] == "cards_dealt":
            for (seat, place, _), card in zip(event["cards"], cards, strict=False):
                yield _Spot(seat, place, card)


def _seen(events: Iterable[Data]) -> Iterator[_Spot]:
    """Yield each card that the events show."""
    for event in events:
        match event["event"]:
            case "cards_dealt":
                spots = [_Spot(*dealt) for dealt in event["cards"]]
            case "community_cards_revealed":
                spots = [_Spot(0, *shown) for shown in zip(event["places"], event["cards"], strict=True)]
            case "community_card_exposed":
                spots = [_Spot(0, event["place"], event["card"])]
            case "hand_shown" | "hands_exposed" | "hand_set" | "choice_made":
                spots = [_Spot(event["seat"], "", card) for card in event.get("cards", ())]
            case "dealer_hands_set":
                spots = [_Spot(0, "", card) for card in event["cards"]]
            case _:
                spots = []
        yield from (spot for spot in spots if spot.card != HIDDEN.text)
