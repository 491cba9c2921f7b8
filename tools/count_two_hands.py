"""Count the shipped house ways against each other and against best play, and write the file that the package ships.

    python tools/count_two_hands.py

A question is a rulebook with a split, a house way, and the settings that the settlement asks for. It takes
some minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec

from crossfelt.analysis.solver import two_hands
from crossfelt.analysis.solver.split_rules import SplitRules, split_rules
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.house_ways import load_house_way
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.rulebooks.script import OfferBank

FILE = Path(two_hands.__file__).with_suffix(".json")
METHOD = (
    "Pairs of hands from one deck that win both hands; that win the high hand, plus that win the low hand; and "
    "player's hands for which another setting is better. Counted by crossfelt.kernels.solver.two_hands, by the "
    "key of the player's house way; the key of a question covers all that its counts depend on."
)


def games() -> Iterator[tuple[str, Game]]:
    """Yield every game of the package whose hands are set, with its question in words."""
    for book in rulebook_ids():
        game = compile_game(book)
        if not game.book.splits:
            continue
        asked = sorted({name for rule in game.wager(split_rules(game).wager).settle for name in rule.where})
        for way, values in product(house_way_ids(), product((False, True), repeat=len(asked))):
            chosen = dict(zip(asked, values, strict=True))
            words = ", ".join((way, *(name for name, value in chosen.items() if value)))
            yield words, compile_game(book, {"house_way": way, "settings": chosen})


def questions() -> Iterator[tuple[str, SplitRules, bool]]:
    """Yield every question in words, its rules, and whether the player banks."""
    for words, game in games():
        rules = split_rules(game)
        yield f"against {words}", rules, False
        if not rules.exceptions and any(isinstance(step, OfferBank) for step in game.book.script):
            yield f"banking against {words}", rules, True


def main() -> None:
    ways = {two_hands.way_key(way): way for way in map(load_house_way, house_way_ids())}
    words, counts = {}, {}
    for asked, rules, bank in questions():
        print(asked, flush=True)
        key = two_hands.question_key(rules, bank=bank)
        words[key], counts[key] = asked, two_hands.count_against(rules, ways, bank=bank)
    found = two_hands.ShippedCounts(method=METHOD, questions=words, counts=counts)
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


if __name__ == "__main__":
    main()
