"""What a datum of a rulebook rests on."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, Meta(min_length=1)]


class Cited(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clauses of the document, the adopted readings of its gaps, or the house rule that fills them."""

    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Adopted readings of what the document leaves open (``AMB-10``)."""
    house_rule: str = ""
    """Where the rule comes from when it stands in no document."""
    illustrative: bool = False
    """The sources print no number: this one only makes the wager playable."""
    topic: str = ""
    """The row of the difference matrix this datum fills (``D13``)."""
