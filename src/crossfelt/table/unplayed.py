"""Which orders of decks may still be played: until then nobody may read what says them."""

from __future__ import annotations

from crossfelt.table import events as e


class Unplayed:
    """Sees a table's events, and knows where the orders stand of decks whose cards are still to come.

    >>> orders = Unplayed()
    >>> orders.see(7, e.DeckShuffled(by="dealer", at=0, deck="A", method="manual", cards=(), needs_cut=True))
    >>> orders.see(8, e.DeckLoaded(by="dealer", at=0, deck="A", method="hand"))
    >>> list(orders.places), orders.see(9, e.RoundClosed(by="dealer", at=0, round=1, outcome="settled")), orders.places
    ([7], None, [])
    """

    def __init__(self) -> None:
        self._orders: dict[str, int] = {}
        self._in_play = ""

    @property
    def places(self) -> list[int]:
        """Where the events stand, as they were numbered."""
        return list(self._orders.values())

    def see(self, place: int, event: e.Event) -> None:
        match event:
            case e.DeckShuffled():
                self._orders[event.deck] = place
            case e.DeckRemoved() | e.DeckSpreadIdle() | e.ShuffleOrdered():
                self._orders.pop(event.deck, None)
            case e.DeckLoaded():
                self._in_play = event.deck
            case e.RoundClosed():
                self._orders.pop(self._in_play, None)
            case e.TableClosed():
                self._orders.clear()
