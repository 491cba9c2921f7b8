"""The flow of a round: from one step of its script to the next."""

from __future__ import annotations

from functools import lru_cache

from crossfelt.cards.card import HIDDEN
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.rulebooks import script as s
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.table import events as e
from crossfelt.table.bank import offered_to
from crossfelt.table.decks import between_rounds
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import spot_of
from crossfelt.table.state import Seat, TableState, first_step, seats_in_order, step_of
from crossfelt.table.wheel import collect_unspun, spinners


def open_round(recorder: EventRecorder) -> None:
    """Open the next round with a loaded deck: offer the bank where players may bank, then open the bets."""
    table = recorder.table
    step = first_step(table, s.OpenBets)
    recorder.emit(e.RoundOpened, step, round=table.round + 1, deck=table.in_play)
    script = table.game.dealt_by(table.dealing).script
    offer = next((step for step in script if isinstance(step, s.OfferBank)), None)
    if offer is not None and (turn := offered_to(recorder.table, offer)):
        recorder.emit(e.StepEntered, offer, step=offer.id, turn=turn)
    else:
        open_bets(recorder)


def open_bets(recorder: EventRecorder) -> None:
    """Open the bets, against the house or a player's bank."""
    step = first_step(recorder.table, s.OpenBets)
    recorder.emit(e.StepEntered, step, step=step.id)


def give_up_bank(recorder: EventRecorder, number: int, *, timed_out: bool = False) -> None:
    """Decline the bank or give it back for a seat; the house banks once every seat has declined."""
    settings = recorder.table.game.book.settings
    if recorder.table.banks(number):
        recorder.emit(e.BankReturned, settings["bank_turns"], seat=number)
    elif isinstance(step_of(recorder.table), s.OfferBank) and number in recorder.table.turn:
        recorder.emit(e.BankDeclined, settings["bank_turns"], seat=number, timed_out=timed_out)
        if not recorder.table.turn:
            open_bets(recorder)


def enter_next(recorder: EventRecorder) -> None:
    """Enter the next step that has something to do."""
    table = recorder.table
    script = table.game.dealt_by(table.dealing).script
    place = table.game.steps[table.step][0] + 1
    alive = table.bank_covered or bool(table.awards) or any(seat.wagers for seat in table.seats)
    for step in script[place:]:
        if not alive and not isinstance(step, s.Discard | s.Shuffle):
            continue
        turn = turn_of(table, step)
        if turn is None:
            name_dealer_hand(recorder, step)
            if isinstance(step, s.Spin):
                collect_unspun(recorder, step, ())
            continue
        recorder.emit(e.StepEntered, step, step=step.id, turn=turn)
        if isinstance(step, s.Spin):
            collect_unspun(recorder, step, turn)
        return


def name_dealer_hand(recorder: EventRecorder, step: s.Step | None) -> None:
    """Announce the dealer's hands whose last cards the step turns up, even if they were exposed early."""
    table = recorder.table
    rules, spot = rules_of(table.game), Spot(cards=table.community)
    for name in table.game.dealer_hands:
        if isinstance(step, s.Reveal) and step.id == _completed_by(table.game, name):
            line, hand = rules.dealer_hand(name, table.community)
            marks = {mark: rules.has(name, mark, spot) for mark in table.game.marks_asked(name)}
            recorder.emit(e.DealerHandMade, step, line=line, hand=hand.name, marks=marks)


@lru_cache(maxsize=256)
def _completed_by(game: Game, name: str) -> str:
    """Return the step that turns up the last cards of a dealer's hand."""
    side, own = side_of(name)
    hand = next(hand for hand in game.book.hands if hand.id == own)
    parts = [f"{side}.{part}" if side else part for part in hand.parts or (own,)]
    places = {place for part in parts for place in rules_of(game).places(part)}
    reveals = (step for step in game.book.script if isinstance(step, s.Reveal))
    return next((step.id for step in reversed(tuple(reveals)) if not places.isdisjoint(step.cards)), "")


def turn_of(table: TableState, step: s.Step) -> tuple[int, ...] | None:
    """Return the seats of a step, in order; None if the step has nothing to do."""
    match step:
        case s.Decide():
            return tuple(seat.number for seat in seats_in_order(table, step.order) if _asked(table, step, seat)) or None
        case s.Settle():
            seats = [seat for seat in seats_in_order(table, step.order) if _to_settle(table, step, seat)]
            if step.losers_first:
                seats.sort(key=lambda seat: _wins(table, step, seat))
            return (*(seat.number for seat in seats), *_bank_in(table, step)) or None
        case s.Spin():
            return spinners(table, step) or None
        case s.Compare():
            seats = [seat for seat in seats_in_order(table, step.order) if seat.wagers]
            return (*_bank_in(table, step), *(seat.number for seat in seats)) or None
        case s.SetHands(who="players"):
            return tuple(seat.number for seat in table.seats if table.plays(seat))
        case s.Reveal():
            return None if table.revealed.issuperset(step.cards) else ()
        case _:
            return ()


def _to_settle(table: TableState, step: s.Settle, seat: Seat) -> bool:
    """Say if a seat has a wager of this step, or an award that is paid with one."""
    owed = any(award.seat == seat.number and award.wager in step.wagers for award in table.awards)
    return owed or not seat.wagers.keys().isdisjoint(step.wagers)


def _bank_in(table: TableState, step: s.Compare | s.Settle) -> tuple[int, ...]:
    """Return the bank's own turn: its hands are exposed before all others, and it is settled after them."""
    return (table.bank.seat,) if table.bank is not None and table.game.banked_wager in step.wagers else ()


def _asked(table: TableState, step: s.Decide, seat: Seat) -> bool:
    """Say if a seat must decide: it is still in, and has the wagers and marks of the decision, and none that rule it
    out. Marks of cards that the table does not know exclude no player.
    """
    return (
        seat.status == "in"
        and all(wager in seat.wagers for wager in step.with_)
        and not any(wager in seat.placed for wager in step.without)
        and (HIDDEN in seat.cards or rules_of(table.game).applies(step, spot_of(table, seat)))
    )


def _wins(table: TableState, step: s.Settle, seat: Seat) -> bool:
    rules, spot = rules_of(table.game), spot_of(table, seat)
    results = (
        rules.settle(table.game.wager(wager), stake, spot).result
        for wager, stake in seat.wagers.items()
        if wager in step.wagers
    )
    return any(result == "win" for result in results)


def awaiting_collection(table: TableState) -> tuple[Seat, ...]:
    """Return the folded seats whose forfeited wagers the dealer has not collected."""
    return tuple(seat for seat in table.seats if seat.to_collect)


def in_round(table: TableState) -> bool:
    """Say if a round is not over: it has wagers, or its bets are closed."""
    return not between_rounds(table)
