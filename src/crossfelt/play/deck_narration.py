"""The handling of decks and fittings in a dealer's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from crossfelt.play.text import capital, joined_with_and
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.table import events as e

OPENING: Final[Mapping[str, str]] = {
    "receive": "{by} receives deck {deck}, {back} backs{cover}",
    "inspect": "{by} inspects deck {deck}",
    "verify": "{by} verifies the inspection of deck {deck}",
    "spread": "{by} spreads deck {deck} face up",
    "show": "{by} shows deck {deck} to the first player",
    "wash": "{by} turns deck {deck} face down and washes it",
    "stack": "{by} stacks deck {deck}",
}
_LOADED: Final[Mapping[str, str]] = {
    "manual_shoe": "into the shoe",
    "automated_shoe": "into the automated shoe",
    "hand": "into the dealer's {hand} hand",
}
SHUFFLED: Final[Mapping[str, str]] = {
    "manual": "Dealer shuffles deck {deck}",
    "device": "Shuffler{device} mixes deck {deck}",
    "preshuffled": "Deck {deck} comes shuffled",
}
_DONE: Final[Mapping[str, str]] = {
    "receive": "received",
    "inspect": "inspected",
    "verify": "verified by the floor",
    "spread": "spread face up",
    "show": "shown to the first player",
    "wash": "washed",
    "stack": "stacked",
}
_MIXED: Final[Mapping[str, str]] = {
    "manual": "shuffled",
    "device": "mixed by the shuffler",
    "preshuffled": "shuffled on arrival",
}


Handling = e.DeckPrepared | e.DeckShuffled | e.DeckCut | e.DeckLoaded
"""An event about a deck between rounds; a run of them makes one line."""
HANDLING: Final = get_args(Handling)


def narrate_together(events: Sequence[Handling]) -> str:
    """Narrate the handling of one deck between rounds in one line.

    >>> acts = [e.DeckPrepared(by="dealer", at=0, deck="A", act=act, back="red") for act in ("receive", "inspect")]
    >>> narrate_together([*acts, e.DeckCut(by="dealer", at=0, deck="A", depth=20)])
    'Deck A (red backs): received, inspected and cut'
    """
    backs = [f" ({event.back} backs)" for event in events if isinstance(event, e.DeckPrepared) and event.back]
    return f"Deck {events[0].deck}{''.join(backs[:1])}: {joined_with_and([_done(event) for event in events])}"


def _done(event: Handling) -> str:
    match event:
        case e.DeckPrepared():
            return _DONE[event.act]
        case e.DeckShuffled():
            return _MIXED[event.method]
        case e.DeckCut():
            return "cut"
        case e.DeckLoaded():
            return f"put {_LOADED[event.method].format(hand=event.hand)}"


def deck_loaded(event: e.DeckLoaded, game: Game) -> str:
    shoe = f" {event.shoe} {event.place}" if event.shoe else ""
    by = ", filled by the shuffler" if event.loader == "shuffler" else ""
    return f"Deck {event.deck} goes {_LOADED[event.method].format(hand=event.hand)}{shoe}{by}"


def fittings_checked(event: e.FittingsChecked, game: Game) -> str:
    items = ", ".join(as_words(item) for item in event.items)
    moved = f" (elsewhere: {event.variance})" if event.variance else ""
    devices = (("shoe", event.shoe, event.shoe_place), ("shuffler", event.shuffler, event.shuffler_place))
    named = [f"{device} {name} {place}" for device, name, place in devices if name]
    found = "; ".join([*([f"{items}{moved}"] if items else []), *named])
    return f"{capital(event.by)} checks the fittings of the table: {found}"
