"""What takes two people: one proposes, another agrees, and only then does it happen, in the same commit."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeVar

from crossfelt.house.accounts.account import Role
from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.accounts.naming import account_stream
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
    """Proposals that wait for a second person. Who may do what is looked at in the commit: a role may have been taken
    away since somebody asked, or since they proposed it."""

    def __init__(self, store: Store, journal: Journal, accounts: Accounts, clock: Callable[[], int]) -> None:
        self._store = store
        self._journal = journal
        self._accounts = accounts
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

        def work(transaction: Transaction) -> Proposal:
            self._check_role(transaction, by, kind)
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

        return await self._store.commit([HOUSE, account_stream(by.account)], work)

    async def approve(
        self,
        by: Identity,
        proposal: Proposal,
        streams: Collection[str],
        effect: Callable[[Transaction, Proposal], T],
    ) -> T:
        """A second person agrees, and the effect on the streams that are named is committed with it."""

        def work(transaction: Transaction) -> T:
            return effect(transaction, self.agree(transaction, by, proposal.number))

        return await self._store.commit({*self.streams(by, proposal), *streams}, work)

    @staticmethod
    def streams(by: Identity, proposal: Proposal) -> set[str]:
        """Those that a commit names in which somebody agrees."""
        return {HOUSE, account_stream(by.account), account_stream(proposal.by)}

    def agree(self, transaction: Transaction, by: Identity, number: int) -> Proposal:
        """A second person agrees, in a commit that has the effect as well, and names the streams that it takes."""
        proposal = self._proposal(transaction, number)
        self._check_role(transaction, by, proposal.kind)
        if proposal.by == by.account:
            what = "whoever proposed it cannot agree to it as well"
            raise BadInput(Problem(code="approval.same_person", what=what, value=by.name, allowed="another person"))
        if not self._may(transaction, proposal.by, proposal.kind):
            what = "whoever proposed it may not do so any more: decline it, or propose it anew"
            raise BadInput(
                Problem(code="late", where="by", what=what, value=proposal.by, allowed=_allowed(proposal.kind))
            )
        approved = e.Approved(by=by.account, at=self._clock(), proposal=number, proposed_by=proposal.by)
        self._journal.write(transaction, approved)
        return proposal

    async def decline(self, by: Identity, number: int, reason: str = "") -> None:
        """Takes something off the list."""

        def work(transaction: Transaction) -> None:
            self._check_role(transaction, by, self._proposal(transaction, number).kind)
            declined = e.Declined(by=by.account, at=self._clock(), proposal=number, reason=reason)
            self._journal.write(transaction, declined)

        await self._store.commit([HOUSE, account_stream(by.account)], work)

    def _proposal(self, transaction: Transaction, number: int) -> Proposal:
        proposal = self._journal.at(transaction).waiting.get(number)
        if proposal is None:
            raise BadInput(Problem(code="approval.unknown", what="no such proposal waits", value=number))
        return proposal

    def _check_role(self, transaction: Transaction, by: Identity, kind: e.ProposalKind) -> None:
        if not self._may(transaction, by.account, kind):
            what = f"{kind} is not for this role"
            raise BadInput(Problem(code="policy.role", what=what, value=by.name, allowed=_allowed(kind)))

    def _may(self, transaction: Transaction, account: str, kind: e.ProposalKind) -> bool:
        return bool(set(MAY[kind]).intersection(self._accounts.at(transaction, account).roles))


def _allowed(kind: e.ProposalKind) -> str:
    return " or ".join(MAY[kind])
