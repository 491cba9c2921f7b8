"""The basis of a datum of a rulebook."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from crossfelt.errors import Problem, Value, basis_text

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, Meta(min_length=1)]


class Cited(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clauses of the document, the adopted readings of its gaps, or the house rule that fills them."""

    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Adopted readings of the points that the document leaves open (``AMB-10``)."""
    house_rule: str = ""
    """The source of the rule where no document has it."""
    illustrative: bool = False
    """A placeholder that makes the wager playable; the sources print no value."""
    topic: str = ""
    """The row of the difference matrix this datum fills (``D13``)."""

    @property
    def basis(self) -> str:
        """Clauses, readings and house rule in one line."""
        return basis_text(self.clauses, self.readings, self.house_rule)

    def problem(self, where: str, code: str, what: str, value: Value = None, allowed: str = "") -> Problem:
        """Make a problem that cites this datum."""
        return Problem(
            code=code,
            where=where,
            what=what,
            value=value,
            allowed=allowed,
            clauses=self.clauses,
            readings=self.readings,
            house_rule=self.house_rule,
        )
