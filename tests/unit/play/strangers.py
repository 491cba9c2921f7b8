"""Games that no code knows: the examples, and one that nobody deals."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from crossfelt.rulebooks.game import Game, compile_game

ROOT: Final = Path(__file__).parents[3]
STRANGERS: Final = {
    "mississippi-stud": ROOT / "examples" / "rulebooks" / "mississippi-stud.toml",
    "three-card-poker": ROOT / "examples" / "rulebooks" / "three-card-poker.toml",
    "ultimate-texas-holdem": ROOT / "examples" / "rulebooks" / "ultimate-texas-holdem.toml",
    "river-duel": ROOT / "tests" / "data" / "river-duel.toml",
}


@cache
def stranger(name: str) -> Game:
    return compile_game(str(STRANGERS[name]))
