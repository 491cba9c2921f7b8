"""The reducer: a table after each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.money.ledger import post
from crossfelt.progressive.meter import posted
from crossfelt.table import events as e
from crossfelt.table.bank import BANKED
from crossfelt.table.invariants import CARD_EVENTS, check_cards, check_money
from crossfelt.table.postings import postings
from crossfelt.table.rack import hand_entry, stub_entry
from crossfelt.table.state import (
    ENVIES,
    Award,
    Bank,
    Claim,
    Deck,
    Drawn,
    Pending,
    Seat,
    Spin,
    TableState,
    with_deck,
    with_seat,
)


def _deck_prepared(table: TableState, event: e.DeckPrepared) -> TableState:
    deck = table.decks.get(event.deck) or Deck(id=event.deck, back=event.back)
    done = (*deck.prepared, event.act)
    stage = "prepared" if event.act == "stack" else "new"
    return replace(table, decks=with_deck(table, replace(deck, prepared=done, stage=stage)))


def _deck_shuffled(table: TableState, event: e.DeckShuffled) -> TableState:
    deck = table.decks[event.deck]
    stage = "shuffled" if event.needs_cut else "ready"
    deck = replace(deck, cards=event.cards, next=0, skipped=(), stage=stage, cut=False)
    return replace(table, decks=with_deck(table, deck))


def _deck_cut(table: TableState, event: e.DeckCut) -> TableState:
    """The cards above the cut go to the bottom; where the cover card ends up makes no difference to the order."""
    deck = table.decks[event.deck]
    cards = deck.cards[event.depth :] + deck.cards[: event.depth]
    return replace(table, decks=with_deck(table, replace(deck, cards=cards, stage="ready", cut=True)))


def _recut_ordered(table: TableState, event: e.RecutOrdered) -> TableState:
    return replace(table, decks=with_deck(table, replace(table.decks[event.deck], stage="shuffled")))


def _shuffle_ordered(table: TableState, event: e.ShuffleOrdered) -> TableState:
    return replace(table, decks=with_deck(table, replace(table.decks[event.deck], stage="used")))


def _deck_loaded(table: TableState, event: e.DeckLoaded) -> TableState:
    deck = table.decks[event.deck]
    since = event.at if deck.since is None else deck.since
    deck = replace(deck, stage="in_play", since=since)
    return replace(table, decks=with_deck(table, deck), in_play=event.deck)


def _deck_spread(table: TableState, event: e.DeckSpreadIdle) -> TableState:
    """An idle deck is shown, washed and stacked again before it is shuffled."""
    deck = table.decks[event.deck]
    kept = tuple(act for act in deck.prepared if act not in ("show", "wash", "stack"))
    deck = replace(deck, stage="idle", prepared=kept, cards=(), next=0)
    return replace(table, decks=with_deck(table, deck), step="", turn=())


def _deck_removed(table: TableState, event: e.DeckRemoved) -> TableState:
    """Remove a deck. The deck in play ends its round; another deck does not."""
    decks = {name: deck for name, deck in table.decks.items() if name != event.deck}
    leaves = "" if table.remove_deck == event.deck else table.remove_deck
    if event.deck != table.in_play:
        return replace(table, decks=decks, remove_deck=leaves)
    return replace(table, decks=decks, in_play="", remove_deck=leaves, step="", turn=())


DECK_CHANGES: Mapping[type, Callable[[TableState, Any], TableState]] = {
    e.DeckPrepared: _deck_prepared,
    e.DeckShuffled: _deck_shuffled,
    e.DeckCut: _deck_cut,
    e.RecutOrdered: _recut_ordered,
    e.ShuffleOrdered: _shuffle_ordered,
    e.DeckLoaded: _deck_loaded,
    e.DeckSpreadIdle: _deck_spread,
    e.DeckRemoved: _deck_removed,
}


# --- wheels and meters ------------------------------------------------------------------------------------------------


def _contributed(table: TableState, event: e.ContributionMade) -> TableState:
    return replace(
        _residue(table, event.meter, event.micros),
        contributed={**table.contributed, event.meter: event.micros},
    )


def _reversed(table: TableState, event: e.ContributionReversed) -> TableState:
    left = {meter: micros for meter, micros in table.contributed.items() if meter != event.meter}
    return replace(_residue(table, event.meter, -event.micros), contributed=left)


def _residue(table: TableState, meter: str, micros: int) -> TableState:
    _, residue = posted(table.residues.get(meter, 0), micros)
    return replace(table, residues={**table.residues, meter: residue})


def _spun(table: TableState, event: e.WheelSpun) -> TableState:
    seats = with_seat(table, replace(table.seat(event.seat), dealt=event.cards))
    return replace(table, seats=seats, spin=Spin(wager=event.wager, seat=event.seat, index=event.index))


def _xtreme_spun(table: TableState, event: e.XtremeSpun) -> TableState:
    spin = Spin(wager=event.wager, seat=event.hot_spot, index=event.prize, community=event.community)
    return replace(table, spin=spin)


def _claimed(table: TableState, event: e.AwardClaimed) -> TableState:
    claim = Claim(
        number=event.claim,
        meter=event.meter,
        wager=event.wager,
        percent=event.percent,
        cents=event.cents,
        seats=tuple(seat for seat, _ in event.winners),
        at_most_cents=event.at_most_cents,
        award=event.award,
    )
    return replace(table, claims=(*table.claims, claim), claimed=event.claim)


def _granted(table: TableState, event: e.AwardGranted) -> TableState:
    name = event.award or event.wager
    shares = {**table.granted.get(name, {}), **dict(event.shares)}
    table = _residue(table, event.meter, event.seeded_micros)
    return replace(
        table,
        claims=tuple(claim for claim in table.claims if claim.number != event.claim),
        granted={**table.granted, name: shares},
        meter_paid=table.meter_paid or any(cents for _, cents in event.shares),
    )


def paid_by_meter(table: TableState, seat: int, wager: str, name: str) -> TableState:
    """Mark what the meter answered for an award as paid; where it paid a part, the cards stay for the documents."""
    if seat not in table.granted.get(name, {}):
        return table
    left = {number: cents for number, cents in table.granted[name].items() if number != seat}
    granted = {**table.granted, name: left}
    held_for = table.game.listed("cards_held_for_papers") if "cards_held_for_papers" in table.game.settings else ()
    holds = table.granted[name][seat] and wager in held_for and seat not in table.papers
    papers = (*table.papers, seat) if holds else table.papers
    return replace(table, granted={name: shares for name, shares in granted.items() if shares}, papers=papers)


def _drawn(table: TableState, event: e.AwardsDrawn) -> TableState:
    drawn = Drawn(magic_card=event.magic_card, lucky_seat=event.lucky_seat, lucky_dealer=event.lucky_dealer)
    return replace(table, drawn=drawn)


def _won(table: TableState, event: e.AwardWon) -> TableState:
    award = Award(seat=event.seat, award=event.award, wager=event.wager, hand=event.hand, cents=event.cents)
    return replace(table, awards=(*table.awards, award))


def _verified(table: TableState, event: e.AwardVerified) -> TableState:
    seat = table.seat(event.seat)
    return replace(table, seats=with_seat(table, replace(seat, verified=(*seat.verified, event.wager))))


def _validated(table: TableState, event: e.AwardValidated) -> TableState:
    seat = table.seat(event.seat)
    return replace(table, seats=with_seat(table, replace(seat, validated=(*seat.validated, event.wager))))


def _documented(table: TableState, event: e.DocumentsCompleted) -> TableState:
    return replace(table, papers=tuple(seat for seat in table.papers if seat != event.seat))


def _paid(table: TableState, event: e.AwardPaid) -> TableState:
    paid = (event.seat, event.award, event.of_seat)
    left = tuple(award for award in table.awards if (award.seat, award.award, award.of_seat) != paid)
    table = replace(table, awards=left)
    table = paid_by_meter(table, event.seat, event.wager, event.award)
    if event.wager not in table.game.limited_wagers:
        return replace(table, short_cents=0)
    seat = table.seat(event.seat)
    seat = replace(seat, won_cents=seat.won_cents + event.cents)
    return replace(table, seats=with_seat(table, seat), short_cents=0)


def lit_wagers(table: TableState, seat: Seat) -> tuple[str, ...]:
    """The wagers of a seat that light its sensor when bets are locked."""
    return tuple(wager for wager in seat.wagers if table.game.wager(wager).paid_by == "wheel")


AWARD_CHANGES: Mapping[type, Callable[[TableState, Any], TableState]] = {
    e.ContributionMade: _contributed,
    e.ContributionReversed: _reversed,
    e.WheelSpun: _spun,
    e.XtremeSpun: _xtreme_spun,
    e.AwardClaimed: _claimed,
    e.AwardGranted: _granted,
    e.AwardPaid: _paid,
    e.AwardsDrawn: _drawn,
    e.AwardWon: _won,
    e.AwardVerified: _verified,
    e.AwardValidated: _validated,
    e.DocumentsCompleted: _documented,
}


# --- seats and rounds -------------------------------------------------------------------------------------------------


_SETTLEMENTS: Final = frozenset(get_args(e.Settlement))


def evolve(table: TableState, event: e.Event) -> TableState:
    """The table after an event, with its invariants checked."""
    kind = type(event)
    moves = postings(table, event)
    change = _CHANGES.get(kind)
    after = change(table, event) if change else table
    if kind in _SETTLEMENTS:
        after = replace(after, settlements=(*after.settlements, event))
    if moves:
        after = replace(after, balances=post(after.balances, moves))
        check_money(after, event)
    elif kind in CARD_EVENTS:
        check_cards(after)
    return after


def _turn_without(table: TableState, seat: int) -> tuple[int, ...]:
    """The turn once a seat has had its own."""
    turn = table.turn
    if seat not in turn:
        return turn
    place = turn.index(seat)
    return turn[:place] + turn[place + 1 :]


# --- the table's life ------------------------------------------------------------------------------------------


def _table_opened(table: TableState, event: e.TableOpened) -> TableState:
    return replace(table, phase="open")


def _table_closed(table: TableState, event: e.TableClosed) -> TableState:
    table = replace(table, phase="closed", decks={}, in_play="", remove_deck="", step="", turn=())
    return replace(table, last_bank=0)


def _seat_taken(table: TableState, event: e.SeatTaken) -> TableState:
    seat = replace(table.seat(event.seat), player=event.player, status="out")
    return replace(table, seats=with_seat(table, seat))


def _seat_left(table: TableState, event: e.SeatLeft) -> TableState:
    """Empty a seat. Its cards stay until the dealer collects them, where every position gets cards."""
    seat = Seat(number=event.seat, cards=table.seat(event.seat).cards)
    return replace(table, seats=with_seat(table, seat))


def _device_marked(table: TableState, event: e.DeviceMarked) -> TableState:
    return replace(table, devices={**table.devices, event.device: event.how})


def _method_changed(table: TableState, event: e.MethodChanged) -> TableState:
    return replace(table, dealing=event.dealing, shuffling=event.shuffling)


# --- the round ----------------------------------------------------------------------------------------------------


def _round_opened(table: TableState, event: e.RoundOpened) -> TableState:
    seats = tuple(
        Seat(
            number=seat.number,
            player=seat.player,
            status="out" if seat.player else "empty",
            last_main=seat.last_main,
        )
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


def _bank_taken(table: TableState, event: e.BankTaken) -> TableState:
    bank = Bank(seat=event.seat, co_bank=event.co_bank, house_wager=event.house_wager)
    return replace(table, bank=bank, turn=())


def _bank_declined(table: TableState, event: e.BankDeclined) -> TableState:
    return replace(table, turn=_turn_without(table, event.seat), asked_at=event.at)


def _bank_returned(table: TableState, event: e.BankReturned) -> TableState:
    return replace(table, bank=None)


def _bank_covered(table: TableState, event: e.BankCovered) -> TableState:
    assert table.bank is not None
    bank = replace(table.bank, cover=event.cents, house_cover=event.house_cents, house_wager=event.house_wager)
    return replace(table, bank=bank)


def _house_settled(table: TableState, event: e.HouseWagerSettled) -> TableState:
    assert table.bank is not None
    return replace(table, bank=replace(table.bank, house_wager=0))


def _bank_settled(table: TableState, event: e.BankSettled | e.BankReleased) -> TableState:
    assert table.bank is not None
    return replace(table, bank=replace(table.bank, cover=0, house_cover=0, house_wager=0))


def _wagers_placed(table: TableState, event: e.WagersPlaced) -> TableState:
    seat = replace(
        table.seat(event.seat),
        wagers=event.wagers,
        placed=event.wagers,
        instrument=event.instrument,
        coupon_cents=event.coupon_cents,
    )
    return replace(table, seats=with_seat(table, seat))


def _step_entered(table: TableState, event: e.StepEntered) -> TableState:
    return replace(table, step=event.step, turn=event.turn, asked_at=event.at)


def _bets_locked(table: TableState, event: e.BetsLocked) -> TableState:
    seats = tuple(
        replace(seat, status="in", lights=lit_wagers(table, seat)) if seat.number in event.seats else seat
        for seat in table.seats
    )
    return replace(table, seats=seats)


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
    deck = replace(table.deck, next=table.deck.next + len(event.cards))
    return replace(table, community=community, seats=seats, decks=with_deck(table, deck))


def _stub_counted(table: TableState, event: e.StubCounted) -> TableState:
    return replace(table, rounds_since_count=0)


def _stub_discarded(table: TableState, event: e.StubDiscarded) -> TableState:
    return replace(table, stub_gone=True, pile=(*table.pile, stub_entry(event.count)))


def _bet_placed(table: TableState, event: e.BetPlaced) -> TableState:
    seat = table.seat(event.seat)
    seat = replace(
        seat,
        wagers={**seat.wagers, event.wager: event.cents},
        placed={**seat.placed, event.wager: event.cents},
    )
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn, asked_at=event.at)


def _hand_folded(table: TableState, event: e.HandFolded) -> TableState:
    seat = table.seat(event.seat)
    lights = tuple(wager for wager in seat.lights if wager not in event.forfeits)
    seat = replace(seat, status="folded", to_collect=event.forfeits, lights=lights)
    return replace(table, seats=with_seat(table, seat), turn=table.turn[1:], asked_at=event.at)


def _choice_made(table: TableState, event: e.ChoiceMade) -> TableState:
    seat = table.seat(event.seat)
    seat = replace(seat, choices={**seat.choices, event.wager: event.choice}, cards=event.cards or seat.cards)
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn, asked_at=event.at)


def _first_hand_chosen(table: TableState, event: e.FirstHandChosen) -> TableState:
    return replace(table, first_position=event.position)


def _empty_collected(table: TableState, event: e.EmptyPositionsCollected) -> TableState:
    pile = tuple(hand_entry(f"seat{number}", table.seat(number).cards) for number in event.seats)
    seats = tuple(replace(seat, cards=()) if seat.number in event.seats else seat for seat in table.seats)
    return replace(table, seats=seats, pile=table.pile + pile)


def _hand_set(table: TableState, event: e.HandSet) -> TableState:
    seat = table.seat(event.seat)
    seat = replace(seat, low=event.low, cards=event.cards or seat.cards)
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn)


def _hand_surrendered(table: TableState, event: e.HandSurrendered) -> TableState:
    seat = table.seat(event.seat)
    if not event.collects:
        return table
    turn = _turn_without(table, event.seat)
    pile = (*table.pile, hand_entry(f"seat{seat.number}", seat.cards))
    seat = replace(seat, status="folded", cards=())
    return replace(table, seats=with_seat(table, seat), turn=turn, pile=pile)


def _dealer_set(table: TableState, event: e.DealerHandsSet) -> TableState:
    places = table.game.dealer_places
    community = {**table.community, **dict(zip(places, event.cards, strict=True))}
    return replace(table, community=community, dealer_low=event.low, revealed=table.revealed.union(places))


def _hands_exposed(table: TableState, event: e.HandsExposed) -> TableState:
    seat = replace(table.seat(event.seat), cards=event.cards, low=event.low, shown=True)
    envy = tuple(
        Award(
            seat=number,
            award=f"{ENVIES}_envy",
            wager=ENVIES,
            of_seat=event.seat,
            hand=event.envy_hand,
            cents=event.envy_cents,
        )
        for number in event.envy_to
    )
    return replace(table, seats=with_seat(table, seat), awards=table.awards + envy)


def _fold_collected(table: TableState, event: e.FoldCollected) -> TableState:
    seat = table.seat(event.seat)
    left = {wager: cents for wager, cents in seat.wagers.items() if wager not in event.wagers}
    pile = table.pile
    cards = seat.cards
    if not event.cards_stay:
        pile = (*pile, hand_entry(f"seat{seat.number}", seat.cards))
        cards = ()
    coupon = 0 if table.game.coupon_wager in event.wagers else seat.coupon_cents
    seat = replace(seat, wagers=left, forfeited=event.wagers, to_collect=(), cards=cards, coupon_cents=coupon)
    return replace(table, seats=with_seat(table, seat), pile=pile)


def _revealed(table: TableState, event: e.CommunityCardsRevealed) -> TableState:
    community = {**table.community, **dict(zip(event.places, event.cards, strict=True))}
    return replace(table, community=community, revealed=table.revealed.union(event.places))


def _exposed(table: TableState, event: e.CommunityCardExposed) -> TableState:
    community = {**table.community, event.place: event.card}
    return replace(table, community=community, revealed=table.revealed | {event.place})


def _misnamed(table: TableState, event: e.CardMisnamed) -> TableState:
    return replace(table, community={**table.community, event.place: HIDDEN}, revealed=table.revealed - {event.place})


def _hand_shown(table: TableState, event: e.HandShown) -> TableState:
    seat = replace(table.seat(event.seat), cards=event.cards, dealt=event.cards, shown=True)
    return replace(table, seats=with_seat(table, seat))


def _wager_settled(table: TableState, event: e.WagerSettled) -> TableState:
    seat = table.seat(event.seat)
    left = dict(seat.wagers)
    left.pop(event.wager, None)
    outside = event.source and not table.game.settings.get("limit_covers_progressive")
    covered = event.wager in table.game.limited_wagers and not outside
    won = seat.won_cents + event.paid if covered else seat.won_cents
    table = replace(table, seats=with_seat(table, replace(seat, wagers=left, won_cents=won)), short_cents=0)
    return paid_by_meter(table, event.seat, event.wager, event.wager)


def _coupon_settled(table: TableState, event: e.CouponSettled) -> TableState:
    seat = table.seat(event.seat)
    covered = event.wager in table.game.limited_wagers
    won = seat.won_cents + event.paid if covered else seat.won_cents
    return replace(table, seats=with_seat(table, replace(seat, coupon_cents=0, won_cents=won)), short_cents=0)


def _payment_halted(table: TableState, event: e.PaymentHalted) -> TableState:
    return replace(table, short_cents=event.short_cents)


def _inventory_filled(table: TableState, event: e.InventoryFilled) -> TableState:
    return replace(table, short_cents=0)


def _seat_settled(table: TableState, event: e.SeatSettled) -> TableState:
    turn = _turn_without(table, event.seat)
    if not event.collects:
        shared = turn and table.spin is not None and table.spin.community is not None
        return replace(table, turn=turn, spin=table.spin if shared else None)
    seat = table.seat(event.seat)
    pile = (*table.pile, hand_entry(f"seat{seat.number}", seat.cards))
    seat = replace(seat, cards=(), status="done")
    return replace(table, seats=with_seat(table, seat), pile=pile, turn=turn)


def _cards_discarded(table: TableState, event: e.CardsDiscarded) -> TableState:
    seats = tuple(replace(seat, cards=()) if seat.cards else seat for seat in table.seats)
    return replace(table, pile=event.pile, seats=seats, community={}, revealed=frozenset(), stub_gone=True)


def _round_closed(table: TableState, event: e.RoundClosed) -> TableState:
    deck = replace(table.deck, stage="used")
    table = replace(table, decks=with_deck(table, deck), rounds_since_count=table.rounds_since_count + 1, turn=())
    return table if event.outcome == "void" else _bank_goes_on(table)


def _bank_goes_on(table: TableState) -> TableState:
    """Keep the wagers that decide the right to bank next. A void round leaves them unchanged."""
    if BANKED not in table.game.opening_wagers:
        return table
    bank = table.bank
    seats = tuple(replace(seat, last_main=0 if bank else seat.placed.get(BANKED, 0)) for seat in table.seats)
    return replace(table, seats=seats, last_bank=bank.seat if bank else table.last_bank)


def _round_abandoned(table: TableState, event: e.RoundAbandoned) -> TableState:
    return replace(table, step="", turn=(), bank=None)


# --- what goes wrong ----------------------------------------------------------------------------------------------


def _irregularity(table: TableState, event: e.IrregularityReported) -> TableState:
    if event.kind == "device_out_of_order" and event.place:
        table = replace(table, devices={**table.devices, event.place: "broken"})
    if event.kind == "shuffler_count_wrong":
        table = replace(table, remove_deck=event.place or "")
    if "floor_decides" not in event.then:
        return table
    pending = Pending(kind=event.kind, case=event.case, seat=event.seat, place=event.place)
    return replace(table, pending=pending)


def _face_up(table: TableState, event: e.FaceUpCardDiscarded) -> TableState:
    deck = table.deck
    deck = replace(deck, skipped=(*deck.skipped, deck.next + event.ahead))
    pile = (*table.pile, hand_entry("face up", (event.card,)))
    return replace(table, face_up_cards=table.face_up_cards + 1, decks=with_deck(table, deck), pile=pile)


def _floor_ruled(table: TableState, event: e.FloorRuled) -> TableState:
    """Restart the clock of the player in turn. The table does not wait for a player who left."""
    table = replace(table, pending=None, asked_at=event.at)
    if event.kind != "player_leaves" or event.seat is None:
        return table
    return replace(table, seats=with_seat(table, replace(table.seat(event.seat), away=True)))


def _round_voided(table: TableState, event: e.RoundVoided) -> TableState:
    remove = "remove_deck" in event.then
    leaves = table.in_play if remove else table.remove_deck
    return replace(table, voided=event.kind, remove_deck=leaves, turn=(), short_cents=0, awards=())


def _settlement_reversed(table: TableState, event: e.SettlementReversed) -> TableState:
    settled = event.settled
    table = replace(table, settlements=tuple(one for one in table.settlements if one != settled))
    if isinstance(settled, e.HouseWagerSettled | e.BankSettled):
        assert table.bank is not None
        restored = (
            replace(table.bank, house_wager=settled.stake)
            if isinstance(settled, e.HouseWagerSettled)
            else replace(table.bank, cover=settled.stake, house_cover=settled.house_stake)
        )
        return replace(table, bank=restored)
    seat = table.seat(event.seat)
    paid = settled.cents if isinstance(settled, e.AwardPaid) else settled.paid
    if settled.wager in table.game.limited_wagers:
        seat = replace(seat, won_cents=seat.won_cents - paid)
    if isinstance(settled, e.WagerSettled):
        seat = replace(seat, wagers={**seat.wagers, settled.wager: settled.stake})
    elif isinstance(settled, e.CouponSettled):
        seat = replace(seat, coupon_cents=settled.face_cents)
    return replace(table, seats=with_seat(table, seat))


def _wagers_gone(table: TableState, event: e.WagersReturned | e.WagersForfeited) -> TableState:
    seat = replace(table.seat(event.seat), wagers={}, forfeited={}, to_collect=(), coupon_cents=0, lights=())
    if isinstance(event, e.WagersForfeited):
        seat = replace(seat, status="folded")
        table = replace(table, short_cents=0)
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn, asked_at=event.at)


_CHANGES: Mapping[type, Callable[[TableState, Any], TableState]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.InventoryFilled: _inventory_filled,
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.DeviceMarked: _device_marked,
    e.MethodChanged: _method_changed,
    e.RoundOpened: _round_opened,
    e.BankTaken: _bank_taken,
    e.BankDeclined: _bank_declined,
    e.BankReturned: _bank_returned,
    e.BankCovered: _bank_covered,
    e.HouseWagerSettled: _house_settled,
    e.BankSettled: _bank_settled,
    e.BankReleased: _bank_settled,
    e.WagersPlaced: _wagers_placed,
    e.StepEntered: _step_entered,
    e.BetsLocked: _bets_locked,
    e.CardsDealt: _cards_dealt,
    e.StubCounted: _stub_counted,
    e.StubDiscarded: _stub_discarded,
    e.BetPlaced: _bet_placed,
    e.HandFolded: _hand_folded,
    e.ChoiceMade: _choice_made,
    e.FirstHandChosen: _first_hand_chosen,
    e.EmptyPositionsCollected: _empty_collected,
    e.HandSet: _hand_set,
    e.HandSurrendered: _hand_surrendered,
    e.DealerHandsSet: _dealer_set,
    e.HandsExposed: _hands_exposed,
    e.FoldCollected: _fold_collected,
    e.CommunityCardsRevealed: _revealed,
    e.CommunityCardExposed: _exposed,
    e.CardMisnamed: _misnamed,
    e.HandShown: _hand_shown,
    e.WagerSettled: _wager_settled,
    e.CouponSettled: _coupon_settled,
    e.PaymentHalted: _payment_halted,
    e.SeatSettled: _seat_settled,
    e.CardsDiscarded: _cards_discarded,
    e.RoundClosed: _round_closed,
    e.RoundAbandoned: _round_abandoned,
    e.IrregularityReported: _irregularity,
    e.FaceUpCardDiscarded: _face_up,
    e.FloorRuled: _floor_ruled,
    e.RoundVoided: _round_voided,
    e.SettlementReversed: _settlement_reversed,
    e.WagersReturned: _wagers_gone,
    e.WagersForfeited: _wagers_gone,
    **AWARD_CHANGES,
    **DECK_CHANGES,
}
