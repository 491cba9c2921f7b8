"""Spots: the cards, choices and rules that settle the wagers of a seat."""

from __future__ import annotations

from msgspec.structs import replace

from crossfelt.cards.card import Card
from crossfelt.games.settlement import Spot
from crossfelt.table.state import Seat, TableState


def places_of(table: TableState, cards: tuple[Card, ...]) -> dict[str, Card]:
    """Return the cards of one player's hands, by place."""
    places = dict(table.community)
    places.update(zip(table.game.hand_places, cards, strict=False))
    return places


def spot_of(table: TableState, seat: Seat, *, cards: tuple[Card, ...] = (), low: tuple[Card, ...] = ()) -> Spot:
    """Return the cards and choices that settle a seat's wagers; `cards` are those that a command names."""
    bank, bank_low = dealer_seven(table), table.dealer_low
    if table.bank is not None:
        bank, bank_low = table.seat(table.bank.seat).cards, table.seat(table.bank.seat).low
    return Spot(
        cards=places_of(table, cards or seat.cards or seat.dealt),
        choices=seat.choices,
        low=low or seat.low,
        bank=bank,
        bank_low=bank_low,
        lucky=_lucky(table, seat.number) if table.drawn is not None else (),
        magic_card=table.drawn.magic_card if table.drawn is not None else None,
    )


def _lucky(table: TableState, seat: int) -> tuple[str, ...]:
    """Return the wagers of one seat that the lucky awards of this round fall on."""
    if (drawn := table.drawn) is None:
        return ()
    wagers = table.game.credit_wagers.items()
    return tuple(w for w, on_dealer in wagers if (drawn.lucky_dealer if on_dealer else drawn.lucky_seat == seat))


def dealer_spot(table: TableState) -> Spot:
    """Return the cards that settle the dealer's wager against a player's bank."""
    assert table.bank is not None
    spot = spot_of(table, table.seat(table.bank.seat))
    own = dict(zip(table.game.hand_places, dealer_seven(table), strict=True))
    return replace(spot, cards={**spot.cards, **own}, low=table.dealer_low)


def dealer_seven(table: TableState) -> tuple[Card, ...]:
    """Return the dealer's cards, in the order of the deal."""
    community = table.community
    return tuple([community[place] for place in table.game.dealer_places if place in community])
