"""The approval of a proposal by a second person."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from crossfelt.server.accounts.usernames import TWO_PEOPLE
from crossfelt.server.store.interface import Transaction


class Approval(NamedTuple):
    """An approval that is written in the same commit as its effect, so that a crash leaves both or neither."""

    proposed_by: str
    approved_by: str
    streams: Collection[str]
    """The streams that the commit has to name besides those of the effect."""
    note: Callable[[Transaction], None]
    """Writes the approval, or refuses it, in the commit."""

    @property
    def who(self) -> str:
        """Both accounts, as the author of the effect."""
        return TWO_PEOPLE.join((self.proposed_by, self.approved_by))
