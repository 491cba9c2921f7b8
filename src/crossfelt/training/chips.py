"""Chips: their values and colours, and the breakdown of an amount into chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crossfelt.training.question import Chips

COLOURS: Final[Mapping[int, str]] = {
    5_000_00: "grey",
    1_000_00: "orange",
    500_00: "purple",
    100_00: "black",
    25_00: "green",
    5_00: "red",
    1_00: "white",
    50: "blue",
    25: "pink",
    10: "dime",
    5: "nickel",
    1: "cent",
}
"""By value in cents. Below a quarter there are no chips, and a table pays in coins."""


def chips_of(cents: int) -> tuple[Chips, ...]:
    """Break an amount into the fewest chips, the highest first.

    >>> [(chips.count, chips.colour) for chips in chips_of(137_50)]
    [(1, 'black'), (1, 'green'), (2, 'red'), (2, 'white'), (1, 'blue')]
    """
    made = []
    for value, colour in COLOURS.items():
        count, cents = divmod(cents, value)
        if count:
            made.append(Chips(cents=value, count=count, colour=colour))
    return tuple(made)
