"""What every event of a table has in common."""

from __future__ import annotations

import msgspec

from crossfelt.naming import snake_case


class Event(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="event",
    tag=snake_case,
):
    """What every event carries: who did it, when, and by which rule."""

    by: str
    at: int
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    house_rule: str = ""
    """What it rests on where no document says anything."""
