"""Low hands of pai gow poker."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

from crossfelt.cards import joker_deck, parse_cards, standard_deck
from crossfelt.hands.poker import rank_two
from oracles import counts, two_card
from oracles.agreement import disagreement


def test_all_1378_hands_are_ranked_as_the_oracle_ranks_them() -> None:
    ranked = [(rank_two(hand), [card.text for card in hand]) for hand in combinations(joker_deck(), 2)]
    assert [pair for pair in ranked if pair[0].category != two_card.category_of(pair[1])] == []
    assert disagreement((hand, two_card.key_of(texts)) for hand, texts in ranked) == ""
    assert Counter(hand.category for hand, _ in ranked) == counts.two_card_counts()


def test_without_the_joker_there_are_1326_hands_and_78_pairs() -> None:
    categories = Counter(rank_two(hand).category for hand in combinations(standard_deck(), 2))
    assert categories == {"pair": 13 * comb(4, 2), "high_card": comb(13, 2) * 16}
    assert categories.total() == 1326


def test_the_joker_is_an_ace() -> None:
    def rank(text: str) -> object:
        return rank_two(parse_cards(text, joker=True))

    assert rank("Jk Kd") == rank("As Kd")
    assert rank("Jk As") == rank("Ac Ad")
