"""The nearest thing a peer has to a round at our table: a hand of hold'em in PokerKit, dealt and settled by itself."""

from __future__ import annotations

from collections.abc import Callable


def hands_of_holdem(seats: int, hands: int) -> Callable[[], None]:
    """Plays so many hands in which everybody calls; ImportError where PokerKit is not installed."""
    from pokerkit import Automation, NoLimitTexasHoldem

    everything = tuple(Automation)

    def play() -> None:
        for _ in range(hands):
            state = NoLimitTexasHoldem.create_state(everything, True, 0, (5, 10), 10, 1000, seats)
            while state.status:
                state.check_or_call()

    return play
