"""Carries a round from one step of its script to the next."""

from __future__ import annotations

from crossfelt.cards.card import Card
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.rulebooks.script import (
    Compare,
    Decide,
    Discard,
    OpenBets,
    Order,
    Reveal,
    SetHands,
    Settle,
    Shuffle,
    Step,
)
from crossfelt.table import events as e
from crossfelt.table.stage import Stage
from crossfelt.table.state import Seat, Table


def seats_in_order(table: Table, order: Order) -> tuple[Seat, ...]:
    """Clockwise begins at the dealer's left, with seat 1."""
    return table.seats if order == "clockwise" else table.seats[::-1]


def open_round(stage: Stage) -> None:
    """A loaded deck opens the next round for bets."""
    table = stage.table
    step = next(step for step in table.game.dealt_by(table.dealing).script if isinstance(step, OpenBets))
    stage.emit(e.RoundOpened, step, round=table.round + 1, deck=table.in_play)
    stage.emit(e.StepEntered, step, step=step.id)


def enter_next(stage: Stage) -> None:
    """The next step in which there is anything to do."""
    table = stage.table
    script = table.game.dealt_by(table.dealing).script
    place = table.game.steps[table.step][0] + 1
    alive = any(seat.wagers for seat in table.seats)
    for step in script[place:]:
        if not alive and not isinstance(step, Discard | Shuffle):
            continue
        turn = turn_of(table, step)
        if turn is None:
            name_dealer_hand(stage, step)
            continue
        stage.emit(e.StepEntered, step, step=step.id, turn=turn)
        return


def name_dealer_hand(stage: Stage, step: Step | None) -> None:
    """The dealer takes a line once the cards of the step lie face up, even if they were seen before their time."""
    table = stage.table
    if isinstance(step, Reveal) and any(place.startswith("dealer_") for place in step.cards):
        line, hand = rules_of(table.game).dealer_hand(table.community)
        stage.emit(e.DealerHandMade, step, line=line, hand=hand.name)


def go_to(stage: Stage, kind: type[Step]) -> None:
    """Straight to the step of a kind, when a void round leaves nothing in between to do."""
    script = stage.table.game.dealt_by(stage.table.dealing).script
    step = next(step for step in script if isinstance(step, kind))
    stage.emit(e.StepEntered, step, step=step.id)


def turn_of(table: Table, step: Step) -> tuple[int, ...] | None:
    """The seats a step goes through, in order; None where it has nothing to do."""
    match step:
        case Decide():
            return tuple(seat.number for seat in seats_in_order(table, step.order) if _asked(table, step, seat)) or None
        case Settle():
            seats = [seat for seat in seats_in_order(table, step.order) if has_stake(seat, step.wagers)]
            if step.losers_first:
                seats.sort(key=lambda seat: _wins(table, step, seat))
            return tuple(seat.number for seat in seats) or None
        case Compare():
            return tuple(seat.number for seat in seats_in_order(table, step.order) if seat.wagers) or None
        case SetHands(who="players"):
            return tuple(seat.number for seat in table.seats if seat.wagers)
        case Reveal():
            return None if table.revealed.issuperset(step.cards) else ()
        case _:
            return ()


def _asked(table: Table, step: Decide, seat: Seat) -> bool:
    """Whoever is still in is asked; about a wager that lies there already, only who placed it."""
    placed_before = step.wager in table.game.opening_wagers
    return seat.status == "in" and (not placed_before or step.wager in seat.wagers)


def _wins(table: Table, step: Settle, seat: Seat) -> bool:
    rules, spot = rules_of(table.game), spot_of(table, seat)
    results = (
        rules.settle(table.game.wager(wager), stake, spot).result
        for wager, stake in seat.wagers.items()
        if wager in step.wagers
    )
    return any(result == "win" for result in results)


def places_of(table: Table, cards: tuple[Card, ...]) -> dict[str, Card]:
    """Every card that one player's hands are made of, by its place."""
    places = dict(table.community)
    places.update(zip(table.game.hand_places, cards, strict=False))
    return places


def spot_of(table: Table, seat: Seat, *, cards: tuple[Card, ...] = (), low: tuple[Card, ...] = ()) -> Spot:
    """What a seat's wagers are settled on, as the table stands; the cards may just be being named."""
    bank = tuple(card for place, card in table.community.items() if place.startswith("dealer_"))
    return Spot(
        cards=places_of(table, cards or seat.cards),
        choices=seat.choices,
        low=low or seat.low,
        bank=bank,
        bank_low=table.dealer_low,
    )


def has_stake(seat: Seat, wagers: tuple[str, ...]) -> bool:
    return any(wager in seat.wagers for wager in wagers)


def awaiting_collection(table: Table) -> tuple[Seat, ...]:
    """Folded seats whose forfeited wagers the dealer has not collected."""
    return tuple(seat for seat in table.seats if seat.to_collect)
