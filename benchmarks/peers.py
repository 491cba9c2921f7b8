"""Other libraries: evaluators of five-card hands, each called in the fastest way it offers, and PokerKit's table.

Cards are parsed before the clock starts: the clock times the evaluation alone.
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
    """Return a value for each hand: the higher the better."""


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

    # The public method joins two lists and then calls this one.
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
    """Return the peers that can take part, and the reasons of those that cannot."""
    ready: dict[str, Ready] = {}
    skipped: list[str] = []
    for name, prepare in PEERS.items():
        try:
            ready[name] = prepare(hands)
        except Exception as error:  # any failure of a peer is the reason to skip it
            skipped.append(f"{name}: {type(error).__name__}: {error}")
    return ready, tuple(skipped)


def hands_of_holdem(seats: int, hands: int) -> Callable[[], None]:
    """Return a function that plays hands of hold'em in PokerKit, in which every player calls.

    It is the nearest thing that a peer has to a round at our table. ImportError where PokerKit is not installed.
    """
    from pokerkit import Automation, NoLimitTexasHoldem

    everything = tuple(Automation)

    def play() -> None:
        for _ in range(hands):
            state = NoLimitTexasHoldem.create_state(everything, True, 0, (5, 10), 10, 1000, seats)
            while state.status:
                state.check_or_call()

    return play
