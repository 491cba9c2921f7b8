"""The reducer: the table after each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.player_seeds import mix_of, mixed_order
from crossfelt.money.ledger import post
from crossfelt.progressive.meter import posted
from crossfelt.table import events as e
from crossfelt.table.invariants import CARD_EVENTS, check_cards, check_money
from crossfelt.table.postings import postings
from crossfelt.table.rack import hand_entry, stub_entry
from crossfelt.table.state import Award, Bank, Deck, DeckAct, Fittings, Pending, Seat, Spin, TableState

_SETTLEMENTS: Final = frozenset(get_args(e.Settlement))
_TAKING_BACK: Final = (e.EntryTakenBack, e.ContributionReversed)
"""The events of taking an entry back, which is no entry."""
_FINAL: Final = (
    *(*_SETTLEMENTS, e.FoldCollected, e.AwardClaimed, e.AwardGranted, e.InventoryFilled, e.InventoryCredited),
    *(e.SeatLeft, e.IrregularityReported, e.FloorRuled, e.CardMisnamed, e.RoundVoided, e.ChipsCorrected),
    *(e.RoundOpened, e.RoundClosed, e.RoundAbandoned, e.DeckRemoved, e.TableClosed, e.StubCounted),
)
"""The events after which no earlier entry is taken back: payments, and acts of others than the dealer."""


def evolve(table: TableState, event: e.Event) -> TableState:
    """Return the table after an event, with its invariants checked."""
    kind = type(event)
    moves = postings(table, event)
    change = _CHANGES.get(kind)
    after = change(table, event) if change else table
    if moves:
        settlements = (*after.settlements, event) if kind in _SETTLEMENTS else after.settlements
        after = replace(after, balances=post(after.balances, moves), settlements=settlements)
        check_money(after, event)
    elif kind in CARD_EVENTS:
        check_cards(after)
    return _entered(table, event, after) if table.physical else after


def _entered(table: TableState, event: e.Event, after: TableState) -> TableState:
    """Remember the table of a physical deck before each entry, until something is paid on it.

    All events of an entry have its person and time.
    """
    if type(event) in _TAKING_BACK:
        return after
    entry = (event.by, event.at)
    if type(event) in _FINAL:
        return replace(after, back=None, entry=entry)
    return after if entry == table.entry else replace(after, back=table, entry=entry)


def _taken_back(table: TableState, event: e.EntryTakenBack) -> TableState:
    assert table.back is not None
    return table.back


def _with_seat(table: TableState, number: int, changes: Mapping[str, Any], **others: Any) -> TableState:
    """Return a table with one seat changed, and what else changes with it."""
    seats = list(table.seats)
    seats[number - 1] = replace(seats[number - 1], **changes)
    return replace(table, seats=tuple(seats), **others)


def _with_deck(table: TableState, name: str, **changes: Any) -> dict[str, Deck]:
    """Return the decks of a table with one deck changed."""
    return {**table.decks, name: replace(table.decks[name], **changes)}


def _turn_without(table: TableState, seat: int) -> tuple[int, ...]:
    """Return the turn after a seat has acted once; a bank with wagers of its own has a second turn."""
    turn = table.turn
    if seat not in turn:
        return turn
    place = turn.index(seat)
    return turn[:place] + turn[place + 1 :]


def _collected(table: TableState, seat: int) -> str:
    """Return the rack's entry for the cards of a seat."""
    return hand_entry(f"seat{seat}", table.seat(seat).cards)


def _seat_left(table: TableState, event: e.SeatLeft) -> TableState:
    """Empty a seat. Its cards stay until the dealer collects them, where every position gets cards."""
    seats = list(table.seats)
    seats[event.seat - 1] = Seat(number=event.seat, cards=table.seat(event.seat).cards)
    return replace(table, seats=tuple(seats))


# --- decks ------------------------------------------------------------------------------------------------------------


REMOVED_KEPT = 12
"""Removed decks that the table remembers."""


def _did(deck: Deck, act: str, event: e.Event, note: str = "") -> tuple[DeckAct, ...]:
    """Return the life of a deck with one more act."""
    return (*deck.life, DeckAct(act, event.by, event.at, note))


def _deck_prepared(table: TableState, event: e.DeckPrepared) -> TableState:
    deck = table.decks.get(event.deck)
    if deck is None:
        deck = Deck(id=event.deck, back=event.back, cover=event.cover)
        slot, _, number = event.deck.partition("-")
        table = replace(table, decks_received={**table.decks_received, slot: int(number)})
    stage = "prepared" if event.act == "stack" else "new"
    deck = replace(deck, prepared=(*deck.prepared, event.act), stage=stage, life=_did(deck, event.act, event))
    return replace(table, decks={**table.decks, deck.id: deck})


def _deck_shuffled(table: TableState, event: e.DeckShuffled) -> TableState:
    stage = "shuffled" if event.needs_cut else "ready"
    decks = _with_deck(
        table,
        event.deck,
        cards=event.cards,
        next=0,
        skipped=(),
        stage=stage,
        cut=False,
        shuffles=table.decks[event.deck].shuffles + 1,
        shuffled=DeckAct(event.method, event.by, event.at, event.device),
    )
    return replace(table, decks=decks)


def _deck_cut(table: TableState, event: e.DeckCut) -> TableState:
    """Move the cards above the cut to the bottom. The cover card makes no difference to the order."""
    cards = table.decks[event.deck].cards
    cards = cards[event.depth :] + cards[: event.depth]
    return replace(table, decks=_with_deck(table, event.deck, cards=cards, stage="ready", cut=True))


def _deck_loaded(table: TableState, event: e.DeckLoaded) -> TableState:
    deck = table.decks[event.deck]
    note = ", ".join(word for word in (event.shoe, event.place, f"by the {event.loader}") if word)
    changes: dict[str, Any] = {"stage": "in_play", "loaded": DeckAct(event.method, event.by, event.at, note)}
    if deck.since is None:
        changes |= {"since": event.at, "life": _did(deck, "use", event)}
    decks = _with_deck(table, event.deck, **changes)
    return replace(table, decks=decks, in_play=event.deck, physical=not deck.cards)


def _deck_spread(table: TableState, event: e.DeckSpreadIdle) -> TableState:
    """Spread an idle deck, which must be shown, washed and stacked again before its shuffle."""
    deck = table.decks[event.deck]
    kept = tuple(act for act in deck.prepared if act not in ("show", "wash", "stack"))
    life = _did(deck, "idle", event, f"face {event.face}")
    decks = _with_deck(table, event.deck, stage="idle", prepared=kept, cards=(), next=0, life=life)
    return replace(table, decks=decks, step="", turn=())


def _deck_removed(table: TableState, event: e.DeckRemoved) -> TableState:
    """Remove a deck. The deck in play ends its round; another deck does not."""
    decks = {name: deck for name, deck in table.decks.items() if name != event.deck}
    table = replace(table, decks_removed=_gone(table, event, event.reason, event.deck))
    leaves = "" if table.remove_deck == event.deck else table.remove_deck
    if event.deck != table.in_play:
        return replace(table, decks=decks, remove_deck=leaves)
    return replace(table, decks=decks, in_play="", remove_deck=leaves, step="", turn=())


def _gone(table: TableState, event: e.Event, reason: str, *names: str) -> tuple[Deck, ...]:
    """Return the decks that left the table last, these included."""
    left = tuple(
        replace(deck, cards=(), next=0, skipped=(), life=_did(deck, "remove", event, reason))
        for deck in map(table.decks.__getitem__, names)
    )
    return (*table.decks_removed, *left)[-REMOVED_KEPT:]


def _table_closed(table: TableState, event: e.TableClosed) -> TableState:
    return replace(
        table,
        phase="closed",
        decks_removed=_gone(table, event, "the table closes", *table.decks),
        decks={},
        in_play="",
        remove_deck="",
        step="",
        turn=(),
        last_bank=0,
        fittings=None,
    )


# --- fittings and devices ---------------------------------------------------------------------------------------------


def _without_names(table: TableState, *devices: str) -> Fittings | None:
    """Return the check of the fittings without the names of devices that are no longer the same."""
    names = {name: "" for device in devices for name in (device, f"{device}_place")}
    return None if table.fittings is None else replace(table.fittings, **names)


def _device_marked(table: TableState, event: e.DeviceMarked) -> TableState:
    """Mark a device. A device that is put into use has to be named again: it may be another one."""
    fittings = _without_names(table, event.device) if event.how == "in_use" else table.fittings
    return replace(table, devices={**table.devices, event.device: event.how}, fittings=fittings)


def _method_changed(table: TableState, event: e.MethodChanged) -> TableState:
    changed = {"shoe": event.dealing != table.dealing, "shuffler": event.shuffling != table.shuffling}
    fittings = _without_names(table, *(device for device, is_changed in changed.items() if is_changed))
    return replace(table, dealing=event.dealing, shuffling=event.shuffling, fittings=fittings)


# --- wheels and meters ------------------------------------------------------------------------------------------------


def _residue(table: TableState, meter: str, micros: int) -> dict[str, int]:
    _, residue = posted(table.residues.get(meter, 0), micros)
    return {**table.residues, meter: residue}


def _contributed(table: TableState, event: e.ContributionMade) -> TableState:
    contributed = {**table.contributed, event.meter: event.micros}
    return replace(table, contributed=contributed, residues=_residue(table, event.meter, event.micros))


def _reversed(table: TableState, event: e.ContributionReversed) -> TableState:
    left = {meter: micros for meter, micros in table.contributed.items() if meter != event.meter}
    return replace(table, contributed=left, residues=_residue(table, event.meter, -event.micros))


def _spun(table: TableState, event: e.WheelSpun) -> TableState:
    spin = Spin(wager=event.wager, seat=event.seat, index=event.index)
    return _with_seat(table, event.seat, {"dealt": event.cards}, spin=spin)


def _granted(table: TableState, event: e.AwardGranted) -> TableState:
    name = event.award or event.wager
    shares = {**table.granted.get(name, {}), **dict(event.shares)}
    return replace(
        table,
        claims=tuple(claim for claim in table.claims if claim.claim != event.claim),
        granted={**table.granted, name: shares},
        residues=_residue(table, event.meter, event.seeded_micros),
        meter_paid=table.meter_paid or any(cents for _, cents in event.shares),
    )


def _paid_by_meter(table: TableState, seat: int, wager: str, name: str) -> TableState:
    """Mark the meter's answer for an award as paid; if it paid a part, the seat's cards stay for the documents."""
    if seat not in table.granted.get(name, {}):
        return table
    left = {number: cents for number, cents in table.granted[name].items() if number != seat}
    granted = {**table.granted, name: left}
    held_for = table.game.listed("cards_held_for_papers") if "cards_held_for_papers" in table.game.settings else ()
    holds = table.granted[name][seat] and wager in held_for and seat not in table.papers
    papers = (*table.papers, seat) if holds else table.papers
    return replace(table, granted={name: shares for name, shares in granted.items() if shares}, papers=papers)


def _award_paid(table: TableState, event: e.AwardPaid) -> TableState:
    paid = (event.seat, event.award, event.of_seat)
    left = tuple(award for award in table.awards if (award.seat, award.award, award.of_seat) != paid)
    table = replace(table, awards=left, short_cents=0)
    table = _paid_by_meter(table, event.seat, event.wager, event.award)
    if event.wager not in table.game.limited_wagers:
        return table
    return _with_seat(table, event.seat, {"won_cents": table.seat(event.seat).won_cents + event.cents})


# --- the round --------------------------------------------------------------------------------------------------------


def _round_opened(table: TableState, event: e.RoundOpened) -> TableState:
    seats = tuple(
        Seat(number=seat.number, player=seat.player, status="out" if seat.player else "empty", last_main=seat.last_main)
        for seat in table.seats
    )
    return replace(
        table,
        round=event.round,
        seats=seats,
        community={},
        revealed=frozenset(),
        dealer_low=(),
        first_position=None,
        bank=None,
        awards=(),
        face_up_cards=0,
        pile=(),
        stub_gone=False,
        voided="",
        spin=None,
        granted={},
        contributed={},
        settlements=(),
        meter_paid=False,
        drawn=None,
        papers=(),
    )


def _with_bank(table: TableState, **changes: Any) -> TableState:
    assert table.bank is not None
    return replace(table, bank=replace(table.bank, **changes))


def _wagers_placed(table: TableState, event: e.WagersPlaced) -> TableState:
    changes = {
        "wagers": event.wagers,
        "placed": event.wagers,
        "instrument": event.instrument,
        "coupon_cents": event.coupon_cents,
        "seed_hash": (event.seed_hash or table.seat(event.seat).seed_hash) if event.wagers else "",
    }
    return _with_seat(table, event.seat, changes)


def _bets_locked(table: TableState, event: e.BetsLocked) -> TableState:
    spins = {wager.id for wager in table.game.wagers if wager.spins}
    seats = tuple(
        replace(seat, status="in", lights=tuple(w for w in seat.wagers if w in spins))
        if seat.number in event.seats
        else seat
        for seat in table.seats
    )
    due = tuple(seat.number for seat in seats if seat.seed_hash) if table.deck.cards else ()
    return replace(table, seats=seats, seeds_due=due)


def _deck_mixed(table: TableState, event: e.DeckMixed) -> TableState:
    """Permute the deck. No cut follows: whoever chose its depth would choose the cards."""
    cards = mixed_order(table.decks[event.deck].cards, mix_of(event.round_id, event.seeds))
    return replace(table, decks=_with_deck(table, event.deck, cards=cards, cut=False), seeds_due=())


def _cards_dealt(table: TableState, event: e.CardsDealt) -> TableState:
    community = dict(table.community)
    hands: dict[int, list[Card]] = {}
    for dealt in event.cards:
        if dealt.seat == 0:
            community[dealt.place] = dealt.card
        else:
            hands.setdefault(dealt.seat, []).append(dealt.card)
    seats = tuple(
        replace(seat, cards=(cards := tuple(hands[seat.number])), dealt=cards) if seat.number in hands else seat
        for seat in table.seats
    )
    decks = _with_deck(table, table.in_play, next=table.deck.next + len(event.cards))
    return replace(table, community=community, seats=seats, decks=decks)


def _bet_placed(table: TableState, event: e.BetPlaced) -> TableState:
    seat, bet = table.seat(event.seat), {event.wager: event.cents}
    stakes = {"wagers": {**seat.wagers, **bet}, "placed": {**seat.placed, **bet}}
    return _with_seat(table, event.seat, stakes, turn=_turn_without(table, event.seat), asked_at=event.at)


def _hand_folded(table: TableState, event: e.HandFolded) -> TableState:
    lights = tuple(wager for wager in table.seat(event.seat).lights if wager not in event.forfeits)
    folded = {"status": "folded", "to_collect": event.forfeits, "lights": lights}
    return _with_seat(table, event.seat, folded, turn=table.turn[1:], asked_at=event.at)


def _choice_made(table: TableState, event: e.ChoiceMade) -> TableState:
    seat = table.seat(event.seat)
    changes: dict[str, Any] = {"choices": {**seat.choices, event.wager: event.choice}}
    changes["cards"] = event.cards or seat.cards
    if event.cents:
        changes["wagers"] = {wager: cents for wager, cents in seat.wagers.items() if wager != event.wager}
    return _with_seat(table, event.seat, changes, turn=_turn_without(table, event.seat), asked_at=event.at)


def _empty_collected(table: TableState, event: e.EmptyPositionsCollected) -> TableState:
    pile = tuple(_collected(table, number) for number in event.seats)
    seats = tuple(replace(seat, cards=()) if seat.number in event.seats else seat for seat in table.seats)
    return replace(table, seats=seats, pile=table.pile + pile)


def _hand_set(table: TableState, event: e.HandSet) -> TableState:
    hand = {"low": event.low, "cards": event.cards or table.seat(event.seat).cards}
    return _with_seat(table, event.seat, hand, turn=_turn_without(table, event.seat))


def _hand_surrendered(table: TableState, event: e.HandSurrendered) -> TableState:
    if not event.collects:
        return table
    turn, pile = _turn_without(table, event.seat), (*table.pile, _collected(table, event.seat))
    return _with_seat(table, event.seat, {"status": "folded", "cards": ()}, turn=turn, pile=pile)


def _hands_exposed(table: TableState, event: e.HandsExposed) -> TableState:
    hand = {"cards": event.cards, "low": event.low, "shown": True}
    envy = tuple(
        Award(
            seat=number,
            award=table.game.wager(table.game.envy_wager).also_pays[0],
            wager=table.game.envy_wager,
            of_seat=event.seat,
            hand=event.envy_hand,
            cents=event.envy_cents,
        )
        for number in event.envy_to
    )
    return _with_seat(table, event.seat, hand, awards=table.awards + envy)


def _fold_collected(table: TableState, event: e.FoldCollected) -> TableState:
    seat = table.seat(event.seat)
    left = {wager: cents for wager, cents in seat.wagers.items() if wager not in event.wagers}
    changes: dict[str, Any] = {"wagers": left, "forfeited": event.wagers, "to_collect": ()}
    if table.game.coupon_wager in event.wagers:
        changes["coupon_cents"] = 0
    if event.cards_stay:
        return _with_seat(table, event.seat, changes)
    return _with_seat(table, event.seat, changes | {"cards": ()}, pile=(*table.pile, _collected(table, event.seat)))


def _revealed(table: TableState, places: tuple[str, ...], cards: tuple[Card, ...]) -> TableState:
    community = {**table.community, **dict(zip(places, cards, strict=True))}
    return replace(table, community=community, revealed=table.revealed.union(places))


def _wager_settled(table: TableState, event: e.WagerSettled) -> TableState:
    seat = table.seat(event.seat)
    left = dict(seat.wagers)
    left.pop(event.wager, None)
    outside = event.source and not table.game.settings.get("limit_covers_progressive")
    covered = event.wager in table.game.limited_wagers and not outside
    won = seat.won_cents + event.paid if covered else seat.won_cents
    table = _with_seat(table, event.seat, {"wagers": left, "won_cents": won}, short_cents=0)
    return _paid_by_meter(table, event.seat, event.wager, event.wager)


def _coupon_settled(table: TableState, event: e.CouponSettled) -> TableState:
    won = table.seat(event.seat).won_cents + (event.paid if event.wager in table.game.limited_wagers else 0)
    return _with_seat(table, event.seat, {"coupon_cents": 0, "won_cents": won}, short_cents=0)


def _seat_settled(table: TableState, event: e.SeatSettled) -> TableState:
    turn = _turn_without(table, event.seat)
    if not event.collects:
        shared = turn and table.spin is not None and table.spin.community is not None
        return replace(table, turn=turn, spin=table.spin if shared else None)
    pile = (*table.pile, _collected(table, event.seat))
    return _with_seat(table, event.seat, {"cards": (), "status": "done"}, pile=pile, turn=turn)


def _cards_discarded(table: TableState, event: e.CardsDiscarded) -> TableState:
    seats = tuple(replace(seat, cards=()) if seat.cards else seat for seat in table.seats)
    return replace(table, pile=event.pile, seats=seats, community={}, revealed=frozenset(), stub_gone=True)


def _round_closed(table: TableState, event: e.RoundClosed) -> TableState:
    """Close the round, and keep the wagers that decide the right to bank next. A void round leaves them unchanged."""
    decks = _with_deck(table, table.in_play, stage="used")
    table = replace(table, decks=decks, rounds_since_count=table.rounds_since_count + 1, turn=())
    if event.outcome == "void" or table.game.banked_wager not in table.game.opening_wagers:
        return table
    bank = table.bank
    banked = table.game.banked_wager
    seats = tuple(replace(seat, last_main=0 if bank else seat.placed.get(banked, 0)) for seat in table.seats)
    return replace(table, seats=seats, last_bank=bank.seat if bank else table.last_bank)


# --- what goes wrong --------------------------------------------------------------------------------------------------


def _irregularity(table: TableState, event: e.IrregularityReported) -> TableState:
    if event.kind == "device_out_of_order" and event.place:
        table = replace(table, devices={**table.devices, event.place: "broken"})
    if event.kind == "shuffler_count_wrong":
        table = replace(table, remove_deck=event.place or "", removed_by=event.clauses)
    if "floor_decides" not in event.then:
        return table
    return replace(table, pending=Pending(kind=event.kind, case=event.case, seat=event.seat, place=event.place))


def _face_up(table: TableState, event: e.FaceUpCardDiscarded) -> TableState:
    deck = table.deck
    decks = _with_deck(table, deck.id, skipped=(*deck.skipped, deck.next + event.ahead))
    pile = (*table.pile, hand_entry("face up", (event.card,)))
    return replace(table, face_up_cards=table.face_up_cards + 1, decks=decks, pile=pile)


def _floor_ruled(table: TableState, event: e.FloorRuled) -> TableState:
    """Restart the clock of the player in turn. The table does not wait for a player who left."""
    table = replace(table, pending=None, asked_at=event.at)
    if event.kind != "player_leaves" or event.seat is None:
        return table
    return _with_seat(table, event.seat, {"away": True})


def _round_voided(table: TableState, event: e.RoundVoided) -> TableState:
    if "remove_deck" in event.then:
        table = replace(table, remove_deck=table.in_play, removed_by=event.clauses)
    return replace(table, voided=event.kind, turn=(), short_cents=0, awards=(), seeds_due=())


def _settlement_reversed(table: TableState, event: e.SettlementReversed) -> TableState:
    """Put the stake of a settlement on the layout again, and restore the bank that it settled."""
    settled = event.settled
    table = replace(table, settlements=tuple(one for one in table.settlements if one != settled))
    if isinstance(settled, e.HouseWagerSettled):
        return _with_bank(table, house_wager=settled.stake)
    if isinstance(settled, e.BankSettled):
        return _with_bank(table, cover=settled.stake, house_cover=settled.house_stake)
    seat = table.seat(event.seat)
    changes: dict[str, Any] = {}
    if settled.wager in table.game.limited_wagers:
        paid = settled.cents if isinstance(settled, e.AwardPaid) else settled.paid
        changes["won_cents"] = seat.won_cents - paid
    if isinstance(settled, e.WagerSettled):
        changes["wagers"] = {**seat.wagers, settled.wager: settled.stake}
    elif isinstance(settled, e.CouponSettled):
        changes["coupon_cents"] = settled.face_cents
    return _with_seat(table, event.seat, changes)


def _wagers_gone(table: TableState, event: e.WagersReturned | e.WagersForfeited) -> TableState:
    changes: dict[str, Any] = {"wagers": {}, "forfeited": {}, "to_collect": (), "coupon_cents": 0, "lights": ()}
    others: dict[str, Any] = {"turn": _turn_without(table, event.seat), "asked_at": event.at}
    if isinstance(event, e.WagersForfeited):
        changes["status"], others["short_cents"] = "folded", 0
    return _with_seat(table, event.seat, changes, **others)


_CHANGES: Mapping[type, Callable[[TableState, Any], TableState]] = {
    # the table's life
    e.TableOpened: lambda table, event: replace(table, phase="open"),
    e.TableClosed: _table_closed,
    e.InventoryFilled: lambda table, event: replace(table, short_cents=0),
    e.SeatTaken: lambda table, event: _with_seat(table, event.seat, {"player": event.player, "status": "out"}),
    e.SeatLeft: _seat_left,
    e.FittingsChecked: lambda table, event: replace(table, fittings=Fittings(**shared_fields(event, Fittings))),
    e.DeviceMarked: _device_marked,
    e.MethodChanged: _method_changed,
    # decks
    e.DeckPrepared: _deck_prepared,
    e.DeckShuffled: _deck_shuffled,
    e.DeckCut: _deck_cut,
    e.RecutOrdered: lambda table, event: replace(table, decks=_with_deck(table, event.deck, stage="shuffled")),
    e.ShuffleOrdered: lambda table, event: replace(table, decks=_with_deck(table, event.deck, stage="used")),
    e.DeckLoaded: _deck_loaded,
    e.DeckSpreadIdle: _deck_spread,
    e.DeckRemoved: _deck_removed,
    # the round
    e.RoundOpened: _round_opened,
    e.BankTaken: lambda table, event: replace(table, bank=Bank(**shared_fields(event, Bank)), turn=()),
    e.BankDeclined: lambda table, event: replace(table, turn=_turn_without(table, event.seat), asked_at=event.at),
    e.BankReturned: lambda table, event: replace(table, bank=None),
    e.BankCovered: lambda table, event: _with_bank(
        table, cover=event.cents, house_cover=event.house_cents, house_wager=event.house_wager
    ),
    e.HouseWagerSettled: lambda table, event: _with_bank(table, house_wager=0),
    e.BankSettled: lambda table, event: _with_bank(table, cover=0, house_cover=0, house_wager=0),
    e.BankReleased: lambda table, event: _with_bank(table, cover=0, house_cover=0, house_wager=0),
    e.WagersPlaced: _wagers_placed,
    e.StepEntered: lambda table, event: replace(table, step=event.step, turn=event.turn, asked_at=event.at),
    e.BetsLocked: _bets_locked,
    e.DeckMixed: _deck_mixed,
    e.CardsDealt: _cards_dealt,
    e.StubCounted: lambda table, event: replace(table, rounds_since_count=0),
    e.StubDiscarded: lambda table, event: replace(table, stub_gone=True, pile=(*table.pile, stub_entry(event.count))),
    e.BetPlaced: _bet_placed,
    e.HandFolded: _hand_folded,
    e.ChoiceMade: _choice_made,
    e.FirstHandChosen: lambda table, event: replace(table, first_position=event.position),
    e.EmptyPositionsCollected: _empty_collected,
    e.HandSet: _hand_set,
    e.HandSurrendered: _hand_surrendered,
    e.DealerHandsSet: lambda table, event: replace(
        _revealed(table, table.game.dealer_places, event.cards), dealer_low=event.low
    ),
    e.HandsExposed: _hands_exposed,
    e.FoldCollected: _fold_collected,
    e.CommunityCardsRevealed: lambda table, event: _revealed(table, event.places, event.cards),
    e.CommunityCardExposed: lambda table, event: _revealed(table, (event.place,), (event.card,)),
    e.CardMisnamed: lambda table, event: replace(
        table, community={**table.community, event.place: HIDDEN}, revealed=table.revealed - {event.place}
    ),
    e.EntryTakenBack: _taken_back,
    e.HandShown: lambda table, event: _with_seat(
        table, event.seat, {"cards": event.cards, "dealt": event.cards, "shown": True}
    ),
    e.WagerSettled: _wager_settled,
    e.CouponSettled: _coupon_settled,
    e.PaymentHalted: lambda table, event: replace(table, short_cents=event.short_cents),
    e.SeatSettled: _seat_settled,
    e.CardsDiscarded: _cards_discarded,
    e.RoundClosed: _round_closed,
    e.RoundAbandoned: lambda table, event: replace(table, step="", turn=(), bank=None, seeds_due=()),
    # wheels and meters
    e.ContributionMade: _contributed,
    e.ContributionReversed: _reversed,
    e.WheelSpun: _spun,
    e.XtremeSpun: lambda table, event: replace(
        table, spin=Spin(wager=event.wager, seat=event.hot_spot, index=event.prize, community=event.community)
    ),
    e.AwardClaimed: lambda table, event: replace(table, claims=(*table.claims, event), claimed=event.claim),
    e.AwardGranted: _granted,
    e.AwardPaid: _award_paid,
    e.AwardsDrawn: lambda table, event: replace(table, drawn=event),
    e.AwardWon: lambda table, event: replace(table, awards=(*table.awards, Award(**shared_fields(event, Award)))),
    e.AwardVerified: lambda table, event: _with_seat(
        table, event.seat, {"verified": {**table.seat(event.seat).verified, event.wager: event.by}}
    ),
    e.AwardValidated: lambda table, event: _with_seat(
        table, event.seat, {"validated": (*table.seat(event.seat).validated, event.wager)}
    ),
    e.DocumentsCompleted: lambda table, event: replace(
        table, papers=tuple(seat for seat in table.papers if seat != event.seat)
    ),
    # what goes wrong
    e.IrregularityReported: _irregularity,
    e.FaceUpCardDiscarded: _face_up,
    e.FloorRuled: _floor_ruled,
    e.RoundVoided: _round_voided,
    e.SettlementReversed: _settlement_reversed,
    e.WagersReturned: _wagers_gone,
    e.WagersForfeited: _wagers_gone,
}
"""The change that each kind of event makes; an event that is not listed moves money, or changes nothing."""
