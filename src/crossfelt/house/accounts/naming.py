"""Names of people: how they are shown, and which are the same."""

from __future__ import annotations

import re
import secrets
import unicodedata
from typing import Final

from crossfelt.problems import BadInput, Problem

SHORTEST: Final = 2
LONGEST: Final = 24
RESERVED: Final = frozenset(
    ("dealer", "house", "floor", "auditor", "spectator", "player", "bank", "crossfelt", "system", "everybody")
)
"""Names that the log of a table uses for somebody else."""
_SHAPE: Final = re.compile(r"[^\W_](?:[\w .'-]*[^\W_])?")


def account_key(name: str) -> str:
    """What a name is filed under: two that look alike are one.

    >>> account_key(" Zoë "), account_key("ZOË")
    ('zoë', 'zoë')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def account_stream(key: str) -> str:
    """The stream of an account.

    >>> account_stream("zoë")
    'account/zoë'
    """
    return f"account/{key}"


def shown_name(name: str) -> str:
    """A name as it will be shown; `BadInput` if it will not do.

    >>> shown_name("  Mary   Ann ")
    'Mary Ann'
    >>> shown_name("<b>")
    Traceback (most recent call last):
    crossfelt.problems.BadInput: name: cannot be used: '<b>' (allowed: 2 to 24 letters and digits, . ' - between them)
    """
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    if not SHORTEST <= len(shown) <= LONGEST or not _SHAPE.fullmatch(shown):
        allowed = f"{SHORTEST} to {LONGEST} letters and digits, . ' - between them"
        raise BadInput(Problem(code="account.name", where="name", what="cannot be used", value=name, allowed=allowed))
    if account_key(shown) in RESERVED:
        raise BadInput(Problem(code="account.reserved", where="name", what="is kept for the house", value=shown))
    return shown


def guest_name() -> str:
    """A name for somebody who gave none."""
    return f"Guest {secrets.randbelow(900_000) + 100_000}"
