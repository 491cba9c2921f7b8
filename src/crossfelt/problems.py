"""What is wrong, where, with which value, what would be allowed, and by which clause.

Every refusal of bad input in Crossfelt is a list of problems, so that all of them can be shown at once.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong.

    >>> print(Problem(code="card.unknown", what="not a card", where="hand", value="1s", allowed="As … 2c, Jk"))
    hand: not a card: '1s' (allowed: As … 2c, Jk)
    """

    code: str
    """Stable and machine-readable, from general to special: ``card.unknown``."""
    what: str
    where: str = ""
    """File, path or argument: whatever a person needs to find the place."""
    value: str | int | float | bool | None = None
    allowed: str = ""
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Adopted readings the refusal rests on, beside the clauses."""
    house_rule: str = ""
    """What it rests on where no document says anything."""

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.value is not None:
            text += f": {str(self.value).lower() if isinstance(self.value, bool) else repr(self.value)}"
        if self.allowed:
            text += f" (allowed: {self.allowed})"
        if basis := self.basis:
            text += f" [{basis}]"
        return text

    @property
    def basis(self) -> str:
        """Clauses, readings and house rule in one line."""
        return ", ".join(
            [*self.clauses, *self.readings, *([f"house rule: {self.house_rule}"] if self.house_rule else [])]
        )


class BadInput(ValueError):
    """Input that cannot be used; carries every problem that was found in it."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> BadInput:
        return cls(*problems)
