"""The base of commands and events, and their names in files: `BetsLocked` travels as ``bets_locked``."""

from __future__ import annotations

import re

import msgspec


def snake_case(name: str) -> str:
    """Return the name of a class as files have it.

    >>> snake_case("CommunityCardsRevealed")
    'community_cards_revealed'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class _Message(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag=snake_case):
    """A command or an event."""


class BaseCommand(_Message, frozen=True, kw_only=True, tag_field="command"):
    """A request to a table, a meter or the journal: its id, the person or table that asks, and the time."""

    id: str
    who: str
    at: int
    """Milliseconds. Time enters a table or a meter nowhere else."""


class BaseEvent(_Message, frozen=True, kw_only=True, tag_field="event"):
    """A fact that a stream of events records: the person or table behind it, and the time."""

    by: str
    at: int
