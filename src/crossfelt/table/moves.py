"""A move: one option of `allowed` with every choice in it made. Bots choose moves, and people type them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec

from crossfelt.table import commands as c
from crossfelt.table.acts import Option, Range
from crossfelt.table.commands import Command

KINDS: Final[Mapping[str, type[Command]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(c.AnyCommand)}
"""Every kind of command by the name that options and files have for it."""


class Move(msgspec.Struct, frozen=True):
    """What somebody wants to do, before it is known who asks, when, and in which round.

    >>> Move("bet", {"seat": 1, "cents": 3000}).command(id="1", who="Ann", role="player", at=0).cents
    3000
    """

    name: str
    fields: Mapping[str, Any]

    def command(self, **asked: Any) -> Command:
        """The command that asks for it: who, in which role, when, under which id."""
        return KINDS[self.name](**asked, **self.fields)


def take(option: Option, **chosen: Any) -> Move:
    """The move that takes up an option.

    >>> take(Option(command="fold", seat=2))
    Move(name='fold', fields={'seat': 2})
    """
    seat = {} if option.seat is None else {"seat": option.seat}
    return Move(option.command, {**seat, **option.fields, **chosen})


def at_most(amounts: Range, cents: int) -> int:
    """The greatest amount of a range that is not above `cents`, or the least there is.

    >>> at_most(Range(500, 1500, 100), 1450), at_most(Range(500, 1500, 100), 10)
    (1400, 500)
    """
    if amounts.of:
        return max((amount for amount in amounts.of if amount <= cents), default=amounts.min)
    wanted = min(cents, amounts.max)
    return max(amounts.min, wanted - (wanted - amounts.min) % amounts.step)
