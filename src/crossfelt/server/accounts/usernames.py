"""Names of people: how they are shown, and which are the same."""

from __future__ import annotations

import re
import secrets
import unicodedata
from typing import Final

from crossfelt.errors import BadInput, Problem

SHORTEST: Final = 2
LONGEST: Final = 24
RESERVED: Final = frozenset(
    (
        *("dealer", "house", "server", "floor", "auditor", "spectator", "player", "owner", "stranger"),
        *("bank", "cashier", "meter", "crossfelt", "system", "everybody"),
    )
)
"""Names that logs use for somebody else."""
TWO_PEOPLE: Final = " and "
"""Stands between two who did something together, and so in nobody's name."""
ALIKE: Final = frozenset(
    (
        *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC"),
        *("CHEROKEE", "LISU", "DESERET", "OSAGE", "CANADIAN"),
    )
)
"""Alphabets with letters that look the same, as Unicode calls them: a name has letters of one of them."""
UNSEEN: Final = ("FILLER", "BLANK")
"""How letters are called that show nothing: beside them a name looks like another, or like none."""
_SHAPE: Final = re.compile(r"[^\W_](?:[\w .'-]*[^\W_])?")


def account_key(name: str) -> str:
    """What a name is filed under: two that look alike are one, and signs that cannot be seen are none.

    >>> account_key(" Zoë "), account_key("ZO\\0Ë")
    ('zoë', 'zoë')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(filter(str.isprintable, " ".join(folded.split())))


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
    crossfelt.errors.BadInput: name: cannot be used: '<b>' (allowed: 2 to 24 letters and digits, . ' - between them)
    """
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    seen = not any(unicodedata.name(sign, "").endswith(UNSEEN) for sign in shown)
    if not SHORTEST <= len(shown) <= LONGEST or not _SHAPE.fullmatch(shown) or not seen:
        allowed = f"{SHORTEST} to {LONGEST} letters and digits, . ' - between them"
        raise BadInput(Problem(code="account.name", where="name", what="cannot be used", value=name, allowed=allowed))
    key = account_key(shown)
    if key in RESERVED or TWO_PEOPLE in key:
        raise BadInput(Problem(code="account.reserved", where="name", what="is kept for the house", value=shown))
    if len(alphabets := _alphabets(shown)) > 1:
        what, allowed = f"mixes letters that look alike: {', '.join(sorted(alphabets))}", "those of one alphabet"
        raise BadInput(Problem(code="account.name", where="name", what=what, value=shown, allowed=allowed))
    return shown


def _alphabets(name: str) -> frozenset[str]:
    """Those of the alphabets with such letters that a name has letters of.

    >>> sorted(_alphabets("Owner")), sorted(_alphabets("Own\N{CYRILLIC SMALL LETTER IE}r"))
    (['LATIN'], ['CYRILLIC', 'LATIN'])
    """
    return ALIKE.intersection(unicodedata.name(sign, "").partition(" ")[0] for sign in name)


def guest_name() -> str:
    """A name for somebody who gave none."""
    return f"Guest {secrets.randbelow(900_000) + 100_000}"
