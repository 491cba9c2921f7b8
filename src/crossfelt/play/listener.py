"""Narration for every listener at once: words that depend on the seat of the player who hears them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_YOU: Final[Mapping[str, str]] = {"has": "have", "is": "are", "does": "do"}


def to_seat(seat: int, others: str, you: str) -> str:
    """Mark words: `others` about the player of a seat, `you` to that player."""
    return f"{{{seat}~{others}~{you}}}"


def verb_of(seat: int, verb: str) -> str:
    """Mark a verb whose subject is the player of a seat."""
    return to_seat(seat, verb, _YOU.get(verb, verb.removesuffix("s")))


def does(seat: int, verb: str) -> str:
    """Mark the subject and the verb at the beginning of a sentence."""
    return to_seat(seat, f"Seat {seat} {verb}", f"You {_YOU.get(verb, verb.removesuffix('s'))}")


def then_does(seat: int, verb: str) -> str:
    """Mark the subject and the verb within a sentence."""
    return to_seat(seat, f"seat {seat} {verb}", f"you {_YOU.get(verb, verb.removesuffix('s'))}")


def whose(seat: int) -> str:
    return to_seat(seat, f"seat {seat}'s", "your")


def addressed(marked: str, you: int = 0) -> str:
    """Return a marked narration as the player of seat `you` hears it; for 0, as everybody else does.

    >>> addressed("{3~Seat 3 folds~You fold} and {3~gives~give} up ante", 3), addressed("{3~Seat 3 folds~You fold}")
    ('You fold and give up ante', 'Seat 3 folds')
    """
    spoken = _MARK.sub(lambda mark: mark[3] if int(mark[1]) == you else mark[2], marked)
    return re.sub(rf"\b([Ss])eat {you}\b", lambda seat: "You" if seat[1] == "S" else "you", spoken) if you else spoken


_MARK: Final = re.compile(r"\{(\d+)~([^~}]*)~([^}]*)\}")
