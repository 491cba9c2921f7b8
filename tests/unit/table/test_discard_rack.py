"""Every hand can be rebuilt from the discard rack."""

from __future__ import annotations

import pytest

from crossfelt.cards.card import Card
from crossfelt.hands.poker import rank_five
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e
from unit.table.random_table import Driver


def rebuilt(pile: tuple[str, ...]) -> tuple[dict[int, list[Card]], dict[str, Card], list[Card]]:
    """Each seat's cards, the community cards by place, and cards found face up, from the discard rack alone."""
    hands: dict[int, list[Card]] = {}
    community: dict[str, Card] = {}
    loose: list[Card] = []
    for entry in pile:
        label, _, rest = entry.partition(": ")
        if label.startswith("seat"):
            hands[int(label.removeprefix("seat"))] = [Card(text) for text in rest.split()]
        elif label == "community":
            community = {place: Card(text) for place, text in (item.split() for item in rest.split(", "))}
        elif label != "stub":
            loose += [Card(text) for text in rest.split()]
    return hands, community, loose


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "book",
    [
        pytest.param("nj-criss-cross", marks=pytest.mark.clause("NJC-49")),
        pytest.param("ma-criss-cross", marks=pytest.mark.clause("MAC-37")),
        pytest.param("md-criss-cross", marks=pytest.mark.clause("MDC-37")),
    ],
)
def test_each_hand_can_be_rebuilt_from_the_discard_rack(book: str) -> None:
    lines = {"across": ("across_left", "middle", "across_right"), "down": ("down_far", "middle", "down_near")}
    shown = folded = 0
    for seed in range(40):
        driver = Driver(compile_game(book), seed, players=1 + seed % 6, trouble=0.05)
        driver.play(2)
        dealt: dict[int, list[Card]] = {}
        hands: dict[int, dict[str, str]] = {}
        for event in driver.events:
            if isinstance(event, e.RoundOpened):
                dealt, hands = {}, {}
            elif isinstance(event, e.CardsDealt):
                for card in event.cards:
                    dealt.setdefault(card.seat, []).append(card.card)
            elif isinstance(event, e.HandShown):
                hands[event.seat] = event.hands
            elif isinstance(event, e.CardsDiscarded):
                seats, community, loose = rebuilt(event.pile)
                assert seats == {seat: cards for seat, cards in dealt.items() if seat}
                assert list(community.values()) == dealt.get(0, [])
                for seat, names in hands.items():
                    for line, name in names.items():
                        assert rank_five([*seats[seat], *(community[place] for place in lines[line])]).name == name
                (stub,) = (int(entry.split()[1]) for entry in event.pile if entry.startswith("stub: "))
                together = [*(card for cards in seats.values() for card in cards), *community.values(), *loose]
                assert len(together) + stub == 52
                assert len(together) == len(set(together))
                shown += len(hands)
                folded += len(seats) - len(hands)
    assert shown > 20
    assert folded > 20
