"""What becomes of the decks, from their arrival to the day they leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from crossfelt.table import events as e
from crossfelt.table.state import Deck, Table, with_deck


def _deck_prepared(table: Table, event: e.DeckPrepared) -> Table:
    deck = table.decks.get(event.deck) or Deck(id=event.deck, back=event.back)
    done = (*deck.prepared, event.act)
    stage = "prepared" if event.act == "stack" else "new"
    return replace(table, decks=with_deck(table, replace(deck, prepared=done, stage=stage)))


def _deck_shuffled(table: Table, event: e.DeckShuffled) -> Table:
    deck = table.decks[event.deck]
    stage = "shuffled" if event.needs_cut else "ready"
    deck = replace(deck, cards=event.cards, next=0, skipped=(), stage=stage, cut=False)
    return replace(table, decks=with_deck(table, deck))


def _deck_cut(table: Table, event: e.DeckCut) -> Table:
    """The cards above the cut go to the bottom; where the cover card ends up makes no difference to the order."""
    deck = table.decks[event.deck]
    cards = deck.cards[event.depth :] + deck.cards[: event.depth]
    return replace(table, decks=with_deck(table, replace(deck, cards=cards, stage="ready", cut=True)))


def _recut_ordered(table: Table, event: e.RecutOrdered) -> Table:
    return replace(table, decks=with_deck(table, replace(table.decks[event.deck], stage="shuffled")))


def _shuffle_ordered(table: Table, event: e.ShuffleOrdered) -> Table:
    return replace(table, decks=with_deck(table, replace(table.decks[event.deck], stage="used")))


def _deck_loaded(table: Table, event: e.DeckLoaded) -> Table:
    deck = table.decks[event.deck]
    since = event.at if deck.since is None else deck.since
    deck = replace(deck, stage="in_play", since=since)
    return replace(table, decks=with_deck(table, deck), in_play=event.deck)


def _deck_spread(table: Table, event: e.DeckSpreadIdle) -> Table:
    """An idle deck is shown, washed and stacked again before it is shuffled."""
    deck = table.decks[event.deck]
    kept = tuple(act for act in deck.prepared if act not in ("show", "wash", "stack"))
    deck = replace(deck, stage="idle", prepared=kept, cards=(), next=0)
    return replace(table, decks=with_deck(table, deck), step="", turn=())


def _deck_removed(table: Table, event: e.DeckRemoved) -> Table:
    """The deck in play takes its round with it; another one leaves the round alone."""
    decks = {name: deck for name, deck in table.decks.items() if name != event.deck}
    leaves = "" if table.remove_deck == event.deck else table.remove_deck
    if event.deck != table.in_play:
        return replace(table, decks=decks, remove_deck=leaves)
    return replace(table, decks=decks, in_play="", remove_deck=leaves, step="", turn=())


CHANGES: Mapping[type, Callable[[Table, Any], Table]] = {
    e.DeckPrepared: _deck_prepared,
    e.DeckShuffled: _deck_shuffled,
    e.DeckCut: _deck_cut,
    e.RecutOrdered: _recut_ordered,
    e.ShuffleOrdered: _shuffle_ordered,
    e.DeckLoaded: _deck_loaded,
    e.DeckSpreadIdle: _deck_spread,
    e.DeckRemoved: _deck_removed,
}
