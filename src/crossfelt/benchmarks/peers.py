"""Other evaluators of five-card hands, each called in the fastest way it offers.

Cards are made ready before the clock starts: what is timed is the evaluation, not the parsing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from crossfelt.cards.card import Card

Hand = tuple[int, ...]


class Ready(NamedTuple):
    """A peer with its hands in its own form."""

    run: Callable[[], None]
    """Evaluate all hands, one call each."""
    values: Callable[[], list[Any]]
    """What it makes of them: the higher the better."""


def eval7(hands: Sequence[Hand]) -> Ready:
    import eval7 as peer

    evaluate = peer.evaluate
    ready = [[peer.Card(Card(card).text) for card in hand] for hand in hands]

    def run() -> None:
        for hand in ready:
            evaluate(hand)

    return Ready(run, lambda: [evaluate(hand) for hand in ready])


def treys(hands: Sequence[Hand]) -> Ready:
    import treys as peer

    # The public method joins two lists and finds its way here.
    evaluate = peer.Evaluator()._five
    ready = [[peer.Card.new(Card(card).text) for card in hand] for hand in hands]

    def run() -> None:
        for hand in ready:
            evaluate(hand)

    return Ready(run, lambda: [-evaluate(hand) for hand in ready])


def phevaluator(hands: Sequence[Hand]) -> Ready:
    import phevaluator as peer

    evaluate = peer.evaluate_cards
    ready = [tuple(peer.Card(Card(card).text).id_ for card in hand) for hand in hands]

    def run() -> None:
        for a, b, c, d, e in ready:
            evaluate(a, b, c, d, e)

    return Ready(run, lambda: [-evaluate(*hand) for hand in ready])


def pokerkit(hands: Sequence[Hand]) -> Ready:
    import pokerkit as peer

    evaluate = peer.StandardLookup().get_entry
    ready = [tuple(peer.Card.parse("".join(Card(card).text for card in hand))) for hand in hands]

    def run() -> None:
        for hand in ready:
            evaluate(hand)

    return Ready(run, lambda: [evaluate(hand).index for hand in ready])


PEERS: dict[str, Callable[[Sequence[Hand]], Ready]] = {
    "eval7": eval7,
    "treys": treys,
    "phevaluator": phevaluator,
    "pokerkit": pokerkit,
}


def ready_peers(hands: Sequence[Hand]) -> tuple[dict[str, Ready], tuple[str, ...]]:
    """The peers that can take part, and those that cannot, with the reason."""
    ready: dict[str, Ready] = {}
    skipped: list[str] = []
    for name, prepare in PEERS.items():
        try:
            ready[name] = prepare(hands)
        except Exception as error:  # whatever keeps a peer from working is its own affair
            skipped.append(f"{name}: {type(error).__name__}: {error}")
    return ready, tuple(skipped)
