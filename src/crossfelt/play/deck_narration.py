"""The handling of decks and fittings in a dealer's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from crossfelt.play.listener import to_seat
from crossfelt.play.text import capital, joined_with_and, seats_words
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.table import events as e

_OPENING: Final[Mapping[str, tuple[str, str]]] = {
    "receive": ("{by} receives deck {deck}, {back} backs{cover}", "received"),
    "inspect": ("{by} inspects deck {deck}", "inspected"),
    "verify": ("{by} verifies the inspection of deck {deck}", "verified by the floor"),
    "spread": ("{by} spreads deck {deck} face up", "spread face up"),
    "show": ("{by} shows deck {deck} to the first player", "shown to the first player"),
    "wash": ("{by} turns deck {deck} face down and washes it", "washed"),
    "stack": ("{by} stacks deck {deck}", "stacked"),
}
"""Each act of the opening in a line of its own, and in a list."""
_SHUFFLED: Final[Mapping[str, tuple[str, str]]] = {
    "manual": ("Dealer shuffles deck {deck}", "shuffled"),
    "device": ("Shuffler{device} mixes deck {deck}", "mixed by the shuffler"),
    "preshuffled": ("Deck {deck} comes shuffled", "shuffled on arrival"),
}
_LOADED: Final[Mapping[str, str]] = {
    "manual_shoe": "into the shoe",
    "automated_shoe": "into the automated shoe",
    "hand": "into the dealer's {hand} hand",
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
            return _OPENING[event.act][1]
        case e.DeckShuffled():
            return _SHUFFLED[event.method][1]
        case e.DeckCut():
            return "cut"
        case e.DeckLoaded():
            return f"put {_LOADED[event.method].format(hand=event.hand)}"


def deck_words(event: e.Event) -> str:
    """Narrate what is done to decks, devices and fittings; return nothing for another event."""
    match event:
        case e.FittingsChecked():
            items = ", ".join(as_words(item) for item in event.items)
            moved = f" (elsewhere: {event.variance})" if event.variance else ""
            devices = (("shoe", event.shoe, event.shoe_place), ("shuffler", event.shuffler, event.shuffler_place))
            named = [f"{device} {name} {place}" for device, name, place in devices if name]
            found = "; ".join([*([f"{items}{moved}"] if items else []), *named])
            return f"{capital(event.by)} checks the fittings of the table: {found}"
        case e.DeckPrepared():
            cover = f", {event.cover} cover card" if event.cover else ""
            return _OPENING[event.act][0].format(by=capital(event.by), deck=event.deck, back=event.back, cover=cover)
        case e.DeckShuffled():
            device = f" {event.device}" if event.device else ""
            return _SHUFFLED[event.method][0].format(deck=event.deck, device=device)
        case e.DeckCut():
            return f"Dealer has deck {event.deck} cut, {event.depth} cards deep"
        case e.DeckMixed():
            late = f"; no seed came from {seats_words([one.seat for one in event.missing])}" if event.missing else ""
            seats = [one.seat for one in event.seeds]
            if len(seats) == 1:
                seeds = to_seat(seats[0], f"The seed of seat {seats[0]} permutes", "Your seed permutes")
            else:
                seeds = f"The seeds of {seats_words(seats)} permute"
            return f"{seeds} the cards of deck {event.deck}{late}"
        case e.RecutOrdered():
            return f"Floor has deck {event.deck} cut again: {as_words(event.reason)}"
        case e.ShuffleOrdered():
            return f"Floor has deck {event.deck} shuffled again: {as_words(event.reason)}"
        case e.DeckLoaded():
            shoe = f" {event.shoe} {event.place}" if event.shoe else ""
            by = ", filled by the shuffler" if event.loader == "shuffler" else ""
            return f"Deck {event.deck} goes {_LOADED[event.method].format(hand=event.hand)}{shoe}{by}"
        case e.DeckSpreadIdle():
            return f"Dealer spreads deck {event.deck} face {event.face} on the idle table"
        case e.DeckRemoved():
            return f"Floor takes deck {event.deck} off the table: {as_words(event.reason)}"
        case e.DeviceMarked():
            return f"The {event.device} is {as_words(event.how)}"
        case e.MethodChanged():
            return f"From now on: dealt by {as_words(event.dealing)}, shuffled by {event.shuffling}"
    return ""
