"""How each event changes a table. Nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.money.ledger import post
from crossfelt.table import events as e
from crossfelt.table import evolving_awards, evolving_decks
from crossfelt.table.banking import BANKED
from crossfelt.table.invariants import CARD_EVENTS, check_cards, check_money
from crossfelt.table.postings import postings
from crossfelt.table.rack import hand_entry, stub_entry
from crossfelt.table.state import ENVIES, Award, Bank, Pending, Seat, Table, with_deck, with_seat


def evolve(table: Table, event: e.Event) -> Table:
    """The table after an event, with its invariants checked."""
    kind = type(event)
    moves = postings(table, event)
    change = _CHANGES.get(kind)
    after = change(table, event) if change else table
    if moves:
        after = replace(after, balances=post(after.balances, moves))
        check_money(after, event)
    elif kind in CARD_EVENTS:
        check_cards(after)
    return after


def _turn_without(table: Table, seat: int) -> tuple[int, ...]:
    """The turn once a seat has had its own."""
    turn = table.turn
    if seat not in turn:
        return turn
    place = turn.index(seat)
    return turn[:place] + turn[place + 1 :]


# --- the table's life ------------------------------------------------------------------------------------------


def _table_opened(table: Table, event: e.TableOpened) -> Table:
    return replace(table, phase="open")


def _table_closed(table: Table, event: e.TableClosed) -> Table:
    table = replace(table, phase="closed", decks={}, in_play="", remove_deck="", step="", turn=())
    return replace(table, last_bank=0)


def _seat_taken(table: Table, event: e.SeatTaken) -> Table:
    seat = replace(table.seat(event.seat), player=event.player, status="out")
    return replace(table, seats=with_seat(table, seat))


def _seat_left(table: Table, event: e.SeatLeft) -> Table:
    """Where every position gets cards, those of one who sits the round out stay until they are collected."""
    seat = Seat(number=event.seat, cards=table.seat(event.seat).cards)
    return replace(table, seats=with_seat(table, seat))


def _device_marked(table: Table, event: e.DeviceMarked) -> Table:
    return replace(table, devices={**table.devices, event.device: event.how})


def _method_changed(table: Table, event: e.MethodChanged) -> Table:
    return replace(table, dealing=event.dealing, shuffling=event.shuffling)


# --- the round ----------------------------------------------------------------------------------------------------


def _round_opened(table: Table, event: e.RoundOpened) -> Table:
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
        drawn=None,
        papers=(),
    )


def _bank_taken(table: Table, event: e.BankTaken) -> Table:
    bank = Bank(seat=event.seat, co_bank=event.co_bank, house_wager=event.house_wager)
    return replace(table, bank=bank, turn=())


def _bank_declined(table: Table, event: e.BankDeclined) -> Table:
    return replace(table, turn=_turn_without(table, event.seat), asked_at=event.at)


def _bank_returned(table: Table, event: e.BankReturned) -> Table:
    return replace(table, bank=None)


def _bank_covered(table: Table, event: e.BankCovered) -> Table:
    assert table.bank is not None
    bank = replace(table.bank, cover=event.cents, house_cover=event.house_cents, house_wager=event.house_wager)
    return replace(table, bank=bank)


def _house_settled(table: Table, event: e.HouseWagerSettled) -> Table:
    assert table.bank is not None
    return replace(table, bank=replace(table.bank, house_wager=0))


def _bank_settled(table: Table, event: e.BankSettled | e.BankReleased) -> Table:
    assert table.bank is not None
    return replace(table, bank=replace(table.bank, cover=0, house_cover=0, house_wager=0))


def _wagers_placed(table: Table, event: e.WagersPlaced) -> Table:
    seat = replace(
        table.seat(event.seat),
        wagers=event.wagers,
        placed=event.wagers,
        instrument=event.instrument,
        coupon_cents=event.coupon_cents,
    )
    return replace(table, seats=with_seat(table, seat))


def _step_entered(table: Table, event: e.StepEntered) -> Table:
    return replace(table, step=event.step, turn=event.turn, asked_at=event.at)


def _bets_locked(table: Table, event: e.BetsLocked) -> Table:
    seats = tuple(
        replace(seat, status="in", lights=evolving_awards.lit(table, seat)) if seat.number in event.seats else seat
        for seat in table.seats
    )
    return replace(table, seats=seats)


def _cards_dealt(table: Table, event: e.CardsDealt) -> Table:
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


def _stub_counted(table: Table, event: e.StubCounted) -> Table:
    return replace(table, rounds_since_count=0)


def _stub_discarded(table: Table, event: e.StubDiscarded) -> Table:
    return replace(table, stub_gone=True, pile=(*table.pile, stub_entry(event.count)))


def _bet_placed(table: Table, event: e.BetPlaced) -> Table:
    seat = table.seat(event.seat)
    seat = replace(
        seat,
        wagers={**seat.wagers, event.wager: event.cents},
        placed={**seat.placed, event.wager: event.cents},
    )
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn, asked_at=event.at)


def _hand_folded(table: Table, event: e.HandFolded) -> Table:
    seat = table.seat(event.seat)
    lights = tuple(wager for wager in seat.lights if wager not in event.forfeits)
    seat = replace(seat, status="folded", to_collect=event.forfeits, lights=lights)
    return replace(table, seats=with_seat(table, seat), turn=table.turn[1:], asked_at=event.at)


def _choice_made(table: Table, event: e.ChoiceMade) -> Table:
    seat = table.seat(event.seat)
    seat = replace(seat, choices={**seat.choices, event.wager: event.choice}, cards=event.cards or seat.cards)
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn, asked_at=event.at)


def _first_hand_chosen(table: Table, event: e.FirstHandChosen) -> Table:
    return replace(table, first_position=event.position)


def _empty_collected(table: Table, event: e.EmptyPositionsCollected) -> Table:
    pile = tuple(hand_entry(f"seat{number}", table.seat(number).cards) for number in event.seats)
    seats = tuple(replace(seat, cards=()) if seat.number in event.seats else seat for seat in table.seats)
    return replace(table, seats=seats, pile=table.pile + pile)


def _hand_set(table: Table, event: e.HandSet) -> Table:
    seat = table.seat(event.seat)
    seat = replace(seat, low=event.low, cards=event.cards or seat.cards)
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn)


def _hand_surrendered(table: Table, event: e.HandSurrendered) -> Table:
    seat = table.seat(event.seat)
    if not event.collects:
        return table
    turn = _turn_without(table, event.seat)
    pile = (*table.pile, hand_entry(f"seat{seat.number}", seat.cards))
    seat = replace(seat, status="folded", cards=())
    return replace(table, seats=with_seat(table, seat), turn=turn, pile=pile)


def _dealer_set(table: Table, event: e.DealerHandsSet) -> Table:
    places = table.game.dealer_places
    community = {**table.community, **dict(zip(places, event.cards, strict=True))}
    return replace(table, community=community, dealer_low=event.low, revealed=table.revealed.union(places))


def _hands_exposed(table: Table, event: e.HandsExposed) -> Table:
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


def _fold_collected(table: Table, event: e.FoldCollected) -> Table:
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


def _revealed(table: Table, event: e.CommunityCardsRevealed) -> Table:
    community = {**table.community, **dict(zip(event.places, event.cards, strict=True))}
    return replace(table, community=community, revealed=table.revealed.union(event.places))


def _exposed(table: Table, event: e.CommunityCardExposed) -> Table:
    community = {**table.community, event.place: event.card}
    return replace(table, community=community, revealed=table.revealed | {event.place})


def _misnamed(table: Table, event: e.CardMisnamed) -> Table:
    return replace(table, community={**table.community, event.place: HIDDEN}, revealed=table.revealed - {event.place})


def _hand_shown(table: Table, event: e.HandShown) -> Table:
    seat = replace(table.seat(event.seat), cards=event.cards, dealt=event.cards, shown=True)
    return replace(table, seats=with_seat(table, seat))


def _wager_settled(table: Table, event: e.WagerSettled) -> Table:
    seat = table.seat(event.seat)
    left = dict(seat.wagers)
    left.pop(event.wager, None)
    outside = event.source and not table.game.settings.get("limit_covers_progressive")
    covered = event.wager in table.game.limited_wagers and not outside
    won = seat.won_cents + event.paid if covered else seat.won_cents
    table = replace(table, seats=with_seat(table, replace(seat, wagers=left, won_cents=won)), short_cents=0)
    return evolving_awards.paid_by_meter(table, event.seat, event.wager, event.wager) if event.source else table


def _coupon_settled(table: Table, event: e.CouponSettled) -> Table:
    seat = table.seat(event.seat)
    covered = event.wager in table.game.limited_wagers
    won = seat.won_cents + event.paid if covered else seat.won_cents
    return replace(table, seats=with_seat(table, replace(seat, coupon_cents=0, won_cents=won)), short_cents=0)


def _payment_halted(table: Table, event: e.PaymentHalted) -> Table:
    return replace(table, short_cents=event.short_cents)


def _inventory_filled(table: Table, event: e.InventoryFilled) -> Table:
    return replace(table, short_cents=0)


def _seat_settled(table: Table, event: e.SeatSettled) -> Table:
    turn = _turn_without(table, event.seat)
    if not event.collects:
        shared = turn and table.spin is not None and table.spin.community is not None
        return replace(table, turn=turn, spin=table.spin if shared else None)
    seat = table.seat(event.seat)
    pile = (*table.pile, hand_entry(f"seat{seat.number}", seat.cards))
    seat = replace(seat, cards=(), status="done")
    return replace(table, seats=with_seat(table, seat), pile=pile, turn=turn)


def _cards_discarded(table: Table, event: e.CardsDiscarded) -> Table:
    seats = tuple(replace(seat, cards=()) if seat.cards else seat for seat in table.seats)
    return replace(table, pile=event.pile, seats=seats, community={}, revealed=frozenset(), stub_gone=True)


def _round_closed(table: Table, event: e.RoundClosed) -> Table:
    deck = replace(table.deck, stage="used")
    table = replace(table, decks=with_deck(table, deck), rounds_since_count=table.rounds_since_count + 1, turn=())
    return table if event.outcome == "void" else _bank_goes_on(table)


def _bank_goes_on(table: Table) -> Table:
    """What decides who may bank next. A void round leaves it as it was."""
    if BANKED not in table.game.opening_wagers:
        return table
    bank = table.bank
    seats = tuple(replace(seat, last_main=0 if bank else seat.placed.get(BANKED, 0)) for seat in table.seats)
    return replace(table, seats=seats, last_bank=bank.seat if bank else table.last_bank)


def _round_abandoned(table: Table, event: e.RoundAbandoned) -> Table:
    return replace(table, step="", turn=(), bank=None)


# --- what goes wrong ----------------------------------------------------------------------------------------------


def _irregularity(table: Table, event: e.IrregularityReported) -> Table:
    if event.kind == "device_out_of_order" and event.place:
        table = replace(table, devices={**table.devices, event.place: "broken"})
    if event.kind == "shuffler_count_wrong":
        table = replace(table, remove_deck=event.place or "")
    if "floor_decides" not in event.then:
        return table
    pending = Pending(kind=event.kind, case=event.case, seat=event.seat, place=event.place)
    return replace(table, pending=pending)


def _face_up(table: Table, event: e.FaceUpCardDiscarded) -> Table:
    deck = table.deck
    deck = replace(deck, skipped=(*deck.skipped, deck.next + event.ahead))
    pile = (*table.pile, hand_entry("face up", (event.card,)))
    return replace(table, face_up_cards=table.face_up_cards + 1, decks=with_deck(table, deck), pile=pile)


def _floor_ruled(table: Table, event: e.FloorRuled) -> Table:
    """The clock of whoever is asked starts again; a player who left is not waited for."""
    table = replace(table, pending=None, asked_at=event.at)
    if event.kind != "player_leaves" or event.seat is None:
        return table
    return replace(table, seats=with_seat(table, replace(table.seat(event.seat), away=True)))


def _round_voided(table: Table, event: e.RoundVoided) -> Table:
    remove = "remove_deck" in event.then
    leaves = table.in_play if remove else table.remove_deck
    return replace(table, voided=event.kind, remove_deck=leaves, turn=(), short_cents=0, awards=())


def _wagers_gone(table: Table, event: e.WagersReturned | e.WagersForfeited) -> Table:
    seat = replace(table.seat(event.seat), wagers={}, forfeited={}, to_collect=(), coupon_cents=0, lights=())
    if isinstance(event, e.WagersForfeited):
        seat = replace(seat, status="folded")
        table = replace(table, short_cents=0)
    turn = _turn_without(table, event.seat)
    return replace(table, seats=with_seat(table, seat), turn=turn, asked_at=event.at)


_CHANGES: Mapping[type, Callable[[Table, Any], Table]] = {
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
    e.WagersReturned: _wagers_gone,
    e.WagersForfeited: _wagers_gone,
    **evolving_awards.CHANGES,
    **evolving_decks.CHANGES,
}
