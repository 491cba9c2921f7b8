"""What takes two people: one proposes, another agrees, and only then does it happen, in the same commit."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

from crossfelt.house.accounts.account import Role
from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.audit import events as e
from crossfelt.house.audit.journal import HOUSE, Journal, Proposal
from crossfelt.house.store.port import Store, Transaction
from crossfelt.problems import BadInput, Problem

T = TypeVar("T")

MAY: Final[dict[e.ProposalKind, tuple[Role, ...]]] = {
    "void": ("floor", "owner"),
    "card_correction": ("floor", "owner"),
    "meter_change": ("floor", "owner"),
    "correction": ("floor", "owner"),
    "submission": ("floor", "owner"),
}
"""Who may propose and who may agree; never the same person twice."""


class Approvals:
    """Proposals that wait for a second person."""

    def __init__(self, store: Store, journal: Journal, clock: Callable[[], int]) -> None:
        self._store = store
        self._journal = journal
        self._clock = clock

    async def waiting(self) -> list[Proposal]:
        return [*(await self._journal.now()).waiting.values()]

    async def subject(self, number: int) -> str:
        """What a proposal that waits is about; nothing where it does not wait."""
        proposal = (await self._journal.now()).waiting.get(number)
        return "" if proposal is None else proposal.subject

    async def propose(
        self, by: Identity, kind: e.ProposalKind, subject: str, details: dict[str, str | int], reason: str
    ) -> Proposal:
        """Puts something on the list."""
        _check_role(by, kind)

        def work(transaction: Transaction) -> Proposal:
            number = self._journal.at(transaction).proposed + 1
            proposed = e.Proposed(
                by=by.account,
                at=self._clock(),
                proposal=number,
                kind=kind,
                subject=subject,
                details=details,
                reason=reason,
            )
            self._journal.write(transaction, proposed)
            return self._journal.at(transaction).waiting[number]

        return await self._store.commit([HOUSE], work)

    async def approve(
        self,
        by: Identity,
        number: int,
        streams: Collection[str],
        effect: Callable[[Transaction, Proposal], T],
    ) -> T:
        """A second person agrees, and the effect on the streams that are named is committed with it."""

        def work(transaction: Transaction) -> T:
            return effect(transaction, self.agree(transaction, by, number))

        return await self._store.commit({HOUSE, *streams}, work)

    def agree(self, transaction: Transaction, by: Identity, number: int) -> Proposal:
        """A second person agrees, in a commit that has the effect as well, and names the stream of the house."""
        proposal = self._proposal(transaction, number)
        _check_role(by, proposal.kind)
        if proposal.by == by.account:
            what = "whoever proposed it cannot agree to it as well"
            raise BadInput(Problem(code="approval.same_person", what=what, value=by.name, allowed="another person"))
        approved = e.Approved(by=by.account, at=self._clock(), proposal=number, proposed_by=proposal.by)
        self._journal.write(transaction, approved)
        return proposal

    async def decline(self, by: Identity, number: int, reason: str = "") -> None:
        """Takes something off the list."""

        def work(transaction: Transaction) -> None:
            _check_role(by, self._proposal(transaction, number).kind)
            declined = e.Declined(by=by.account, at=self._clock(), proposal=number, reason=reason)
            self._journal.write(transaction, declined)

        await self._store.commit([HOUSE], work)

    def _proposal(self, transaction: Transaction, number: int) -> Proposal:
        proposal = self._journal.at(transaction).waiting.get(number)
        if proposal is None:
            raise BadInput(Problem(code="approval.unknown", what="no such proposal waits", value=number))
        return proposal


def _check_role(by: Identity, kind: e.ProposalKind) -> None:
    if not set(MAY[kind]).intersection(by.roles):
        allowed = " or ".join(MAY[kind])
        raise BadInput(Problem(code="policy.role", what=f"{kind} is not for this role", value=by.name, allowed=allowed))
