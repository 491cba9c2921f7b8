"""What is wrong, where, with which value, what would be allowed, and by which clause.

Every refusal of bad input in Crossfelt is a list of problems, so that all of them can be shown at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

LONGEST_VALUE: Final = 120


class Problem(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
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
            text += f": {_shown(self.value)}"
        if self.allowed:
            text += f" (allowed: {self.allowed})"
        if basis := self.basis:
            text += f" [{basis}]"
        return one_line(text)

    @property
    def basis(self) -> str:
        """Clauses, readings and house rule in one line."""
        return ", ".join(
            [*self.clauses, *self.readings, *([f"house rule: {self.house_rule}"] if self.house_rule else [])]
        )


def _shown(value: str | int | float | bool) -> str:
    """A value as it was given, cut where nobody would read on."""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if len(text) > LONGEST_VALUE:
        text = text[: LONGEST_VALUE - 1] + "…"
    return repr(text) if isinstance(value, str) else text


def one_line(text: str) -> str:
    r"""Text that neither breaks a line nor tells a terminal anything: what cannot be printed is escaped.

    >>> print(one_line("an\nte"))
    an\nte
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


class BadInput(ValueError):
    """Input that cannot be used; carries every problem that was found in it."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    @classmethod
    def missing(cls, error: ImportError, *, extra: str, where: str) -> BadInput:
        """A package that is not there, and the extra that brings it.

        >>> print(BadInput.missing(ModuleNotFoundError(name="dask"), extra="cluster", where="--cluster"))
        --cluster: needs dask, which is not installed (allowed: pip install "crossfelt[cluster]")
        """
        what, allowed = f"needs {error.name}, which is not installed", f'pip install "crossfelt[{extra}]"'
        return cls(Problem(code=f"install.{extra}", where=where, what=what, allowed=allowed))

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> BadInput:
        return cls(*problems)
