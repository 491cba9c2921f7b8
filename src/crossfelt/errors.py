"""Problems with input: what is wrong, where, the value, the allowed values, and the clause.

Bad input is rejected with the list of all its problems.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from typing import Final

import msgspec

LONGEST_VALUE: Final = 120
Value = str | int | float | bool | None


class Problem(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One problem of an input.

    >>> print(Problem(code="card.unknown", what="not a card", where="hand", value="1s", allowed="As … 2c, Jk"))
    hand: not a card: '1s' (allowed: As … 2c, Jk)
    """

    code: str
    """Stable code for programs, from general to special: ``card.unknown``."""
    what: str
    where: str = ""
    """File, path or option in which to find the problem."""
    value: Value = None
    allowed: str = ""
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Adopted readings that apply beside the clauses."""
    house_rule: str = ""
    """House rule that applies where no document does."""

    @classmethod
    def at(
        cls,
        where: str,
        code: str,
        what: str,
        value: Value = None,
        allowed: str | Iterable[str] = "",
        clauses: tuple[str, ...] = (),
    ) -> Problem:
        """Make a problem at a place; a collection of allowed values is listed in alphabetical order."""
        listed = allowed if isinstance(allowed, str) else ", ".join(sorted(allowed))
        return cls(code=code, where=where, what=what, value=value, allowed=listed, clauses=clauses)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.value is not None:
            text += f": {_shown(self.value)}"
        if self.allowed:
            text += f" (allowed: {self.allowed})"
        if basis := self.basis:
            text += f" [{basis}]"
        return one_line(text)

    def inside(self, where: str) -> Problem:
        """Return the problem with its place inside a file or a section.

        >>> print(Problem.at("ante", "stake", "too low").inside("submission.toml"))
        submission.toml: ante: too low
        """
        return msgspec.structs.replace(self, where=": ".join(filter(None, (where, self.where))))

    @property
    def basis(self) -> str:
        """Clauses, readings and house rule in one line."""
        return basis_text(self.clauses, self.readings, self.house_rule)


def basis_text(clauses: Iterable[str], readings: Iterable[str], house_rule: str) -> str:
    """Join clauses, readings and house rule in one line.

    >>> basis_text(["MDC-38"], ["AMB-10"], "as in New Jersey")
    'MDC-38, AMB-10, house rule: as in New Jersey'
    """
    return ", ".join([*clauses, *readings, *([f"house rule: {house_rule}"] if house_rule else [])])


def _shown(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if len(text) > LONGEST_VALUE:
        text = text[: LONGEST_VALUE - 1] + "…"
    return repr(text) if isinstance(value, str) else text


def one_line(text: str) -> str:
    r"""Escape unprintable characters, so the text fits one line and cannot control a terminal.

    >>> print(one_line("an\nte"))
    an\nte
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


class BadInput(ValueError):
    """Input that cannot be used, with all its problems."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    @classmethod
    def missing(cls, error: ImportError, *, extra: str, where: str) -> BadInput:
        """Make the error for a missing package, with the command that installs it.

        >>> print(BadInput.missing(ModuleNotFoundError(name="dask"), extra="cluster", where="--cluster"))
        --cluster: needs dask, which is not installed; run: pip install "crossfelt[cluster]"
        """
        what = f'needs {error.name}, which is not installed; run: pip install "crossfelt[{extra}]"'
        return cls(Problem(code=f"install.{extra}", where=where, what=what))

    @classmethod
    def at(cls, where: str, code: str, what: str, value: Value = None, allowed: str | Iterable[str] = "") -> BadInput:
        """Make the error of one problem at a place."""
        return cls(Problem.at(where, code, what, value, allowed))


def unknown(names: Iterable[str], known: Collection[str], where: str, code: str, what: str) -> Iterator[Problem]:
    """Report each name that is not known. A set of known names is listed in alphabetical order.

    >>> [str(problem) for problem in unknown(["ante", "bet"], {"ante", "antes"}, "wager", "wager.of", "no such wager")]
    ["wager: no such wager: 'bet' (allowed: ante, antes)"]
    """
    allowed = known if isinstance(known, Set) else ", ".join(known)
    return (Problem.at(where, code, what, name, allowed) for name in names if name not in known)


def require_none(problems: Iterable[Problem]) -> None:
    """Raise `BadInput` if there are problems."""
    if found := tuple(problems):
        raise BadInput(*found)


class InSentences(BaseException):
    """An end of some work, with what is known so far in sentences."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class StoppedEarly(InSentences, KeyboardInterrupt):
    """Long work was interrupted."""


class CheckFailed(InSentences, Exception):
    """A check of the program's own figures failed."""
