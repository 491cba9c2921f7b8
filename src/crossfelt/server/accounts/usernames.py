"""Names of accounts: their form, and the key under which look-alike names are the same."""

from __future__ import annotations

import re
import secrets
import unicodedata
from typing import Final

from crossfelt.errors import BadInput

SHORTEST: Final = 2
LONGEST: Final = 24
RESERVED: Final = frozenset(
    (
        *("dealer", "house", "server", "floor", "auditor", "spectator", "player", "owner", "stranger", "you"),
        *("bank", "cashier", "meter", "crossfelt", "system", "everybody", "admin", "administrator", "guest", "staff"),
    )
)
"""Names of roles and of the server, as the logs or a newcomer may use them, and what pages call their reader."""
STRANGER: Final = "stranger"
"""The name of clients that are not logged in, in the journal."""
_READ_AS: Final = str.maketrans("01345i", "oleasl")
"""Signs that are read as another letter."""
TWO_PEOPLE: Final = " and "
"""Joins the names of two people who acted together, so no name may contain it."""
LOOK_ALIKE: Final = frozenset(
    (
        *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC"),
        *("CHEROKEE", "LISU", "DESERET", "OSAGE", "CANADIAN"),
    )
)
"""Unicode names of alphabets with look-alike letters: a name may use only one of them."""
INVISIBLE: Final = ("FILLER", "BLANK")
"""Ends of the Unicode names of invisible letters, which would make two names look alike."""
COLOURS: Final = (
    *("Amber", "Azure", "Coral", "Copper", "Crimson", "Golden", "Indigo", "Ivory", "Jade", "Lilac"),
    *("Mint", "Olive", "Pearl", "Plum", "Ruby", "Rust", "Sage", "Silver", "Teal", "Violet"),
)
ANIMALS: Final = (
    *("Badger", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Hare", "Heron", "Ibex", "Lark"),
    *("Lynx", "Marten", "Otter", "Owl", "Panda", "Raven", "Robin", "Seal", "Swan", "Wren"),
)
"""The words of a guest's name, 3,600,000 of them with a number."""
_SHAPE: Final = re.compile(r"[^\W_](?:[\w .'-]*[^\W_])?")


def account_key(name: str) -> str:
    """Return the key of a name: case, spacing, Unicode variants and invisible characters do not count.

    >>> account_key(" Zoë "), account_key("ZO\\0Ë")
    ('zoë', 'zoë')
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(filter(str.isprintable, " ".join(folded.split())))


def account_stream(key: str) -> str:
    """Return the name of the stream of an account."""
    return f"account/{key}"


def shown_name(name: str) -> str:
    """Return a name in its shown form; `BadInput` if it cannot be used.

    >>> shown_name("  Mary   Ann ")
    'Mary Ann'
    >>> shown_name("<b>")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: name: cannot be used: '<b>' (allowed: 2 to 24 letters and digits, . ' - between them)
    """
    shown = " ".join(unicodedata.normalize("NFKC", name).split())
    has_invisible = any(unicodedata.name(sign, "").endswith(INVISIBLE) for sign in shown)
    if not SHORTEST <= len(shown) <= LONGEST or not _SHAPE.fullmatch(shown) or has_invisible:
        allowed = f"{SHORTEST} to {LONGEST} letters and digits, . ' - between them"
        raise BadInput.at("name", "account.name", "cannot be used", name, allowed)
    key = account_key(shown)
    if _reads_as_role(key) or TWO_PEOPLE in key:
        raise BadInput.at("name", "account.reserved", "is reserved", shown)
    if len(alphabets := _alphabets(shown)) > 1:
        what, allowed = f"mixes alphabets that look alike: {', '.join(sorted(alphabets))}", "letters of one alphabet"
        raise BadInput.at("name", "account.name", what, shown, allowed)
    return shown


def _reads_as_role(key: str) -> bool:
    """Return whether a name reads as a reserved one, perhaps with a number.

    >>> names = ("0wner", "floor 2", "dealer-1", "adm1n", "dealér", "floored", "marian", "zoë")
    >>> [name for name in names if _reads_as_role(name)]
    ['0wner', 'floor 2', 'dealer-1', 'adm1n', 'dealér']
    """
    return any(_letters(part) in map(_letters, RESERVED) for part in (key, key.rstrip("0123456789 .'-")))


def _letters(name: str) -> str:
    """Return a name as it reads at a glance: letters without marks, and one letter for those that look alike."""
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKD", name).translate(_READ_AS)))


def _alphabets(name: str) -> frozenset[str]:
    """Return the look-alike alphabets that a name has letters of.

    >>> sorted(_alphabets("Owner")), sorted(_alphabets("Own\N{CYRILLIC SMALL LETTER IE}r"))
    (['LATIN'], ['CYRILLIC', 'LATIN'])
    """
    return LOOK_ALIKE.intersection(unicodedata.name(sign, "").partition(" ")[0] for sign in name)


def guest_name() -> str:
    """Return a random name for a guest, such as "Amber Otter 4821"."""
    return f"{secrets.choice(COLOURS)} {secrets.choice(ANIMALS)} {secrets.randbelow(9_000) + 1_000}"
