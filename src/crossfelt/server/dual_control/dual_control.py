"""Proposals that take two people: one person proposes, another approves, and the effect is in the same commit.

A handler for each kind of proposal says who may propose it, checks it, and carries it out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.account import Role
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import TWO_PEOPLE, account_stream
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal, JournalState, Proposal
from crossfelt.server.store.interface import Store, Transaction

Details = Mapping[str, str | int]


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


class ProposalHandler:
    """One kind of proposal."""

    roles: tuple[Role, ...] = ("floor", "owner")
    """Accounts with one of these roles may propose, approve and decline it."""
    ends_with_round = False
    """True if it ends with the round, which only the table's own process knows."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        """Refuse a proposal that could not be carried out now; called before it waits, and before it is approved."""
        raise NotImplementedError

    async def describe(self, subject: str, details: Details) -> Details:
        """Return the details to store, with the consequences that the second person reads."""
        return details

    def is_visible(self, journal: JournalState, by: Identity, proposal: Proposal) -> bool:
        return True

    def is_over(self, journal: JournalState, proposal: Proposal) -> bool:
        """Return whether the proposal can no longer be carried out, as far as this process knows."""
        return False

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        """Carry out an approved proposal, in one commit with the approval; return the answer for the second person."""
        raise NotImplementedError


class DualControl:
    """The proposals that wait for a second person.

    Roles are checked in the commit: an account may have lost one since it asked, or since it proposed.
    """

    def __init__(self, store: Store, journal: Journal, accounts: Accounts, clock: Callable[[], int]) -> None:
        self._store = store
        self._journal = journal
        self._accounts = accounts
        self._clock = clock
        self._handlers: dict[tuple[e.ProposalKind, str], ProposalHandler] = {}

    def register(self, kind: e.ProposalKind, handler: ProposalHandler, subjects: str = "") -> None:
        """Add the handler of a kind of proposal; `subjects` is the prefix of the subjects that it handles."""
        self._handlers[kind, subjects] = handler

    def handler(self, kind: e.ProposalKind, subject: str) -> ProposalHandler:
        """Return the handler with the longest prefix of the subject."""
        prefix = max((it for known, it in self._handlers if known == kind and subject.startswith(it)), key=len)
        return self._handlers[kind, prefix]

    async def propose(
        self, by: Identity, kind: e.ProposalKind, subject: str, details: Details, reason: str
    ) -> Proposal:
        """Let a proposal wait for a second person, if it could be carried out now."""
        handler = self.handler(kind, subject)
        await handler.check(by, subject, details)
        return await self._record(by, kind, subject, await handler.describe(subject, details), reason)

    async def waiting(self, by: Identity) -> list[Proposal]:
        """Return the waiting proposals that an account may see; proposals that are over stay on record only."""
        journal = await self._journal.now()
        return [it for it in self._visible(journal, by) if not self._of(it).is_over(journal, it)]

    async def subject(self, number: int) -> str:
        """Return the subject of a waiting proposal; nothing if it does not wait."""
        proposal = (await self._journal.now()).waiting.get(number)
        return "" if proposal is None else proposal.subject

    async def approve(self, by: Identity, number: int) -> dict[str, Any]:
        """Carry out a proposal in the names of two people."""
        proposal = await self._find(by, number)
        handler = self._of(proposal)
        await handler.check(by, proposal.subject, proposal.details)
        streams = {JOURNAL_STREAM, account_stream(by.account), account_stream(proposal.by)}
        approval = Approval(proposal.by, by.account, streams, lambda tx: self._note_approval(tx, by, number))
        return await handler.apply(proposal, approval)

    async def decline(self, by: Identity, number: int) -> None:
        """Withdraw a proposal."""
        await self._find(by, number)

        def work(transaction: Transaction) -> None:
            proposal = self._proposal(transaction, number)
            self._check_role(transaction, by, proposal.kind, proposal.subject)
            self._journal.write(transaction, e.Declined(by=by.account, at=self._clock(), proposal=number))

        await self._store.commit([JOURNAL_STREAM, account_stream(by.account)], work)

    async def _record(
        self, by: Identity, kind: e.ProposalKind, subject: str, details: Details, reason: str
    ) -> Proposal:
        def work(transaction: Transaction) -> Proposal:
            self._check_role(transaction, by, kind, subject)
            number = self._journal.at(transaction).proposed + 1
            proposed = e.Proposed(
                by=by.account,
                at=self._clock(),
                proposal=number,
                kind=kind,
                subject=subject,
                details=dict(details),
                reason=reason,
            )
            self._journal.write(transaction, proposed)
            return self._journal.at(transaction).waiting[number]

        return await self._store.commit([JOURNAL_STREAM, account_stream(by.account)], work)

    def _note_approval(self, transaction: Transaction, by: Identity, number: int) -> None:
        """Write the approval in the commit of its effect."""
        proposal = self._proposal(transaction, number)
        self._check_role(transaction, by, proposal.kind, proposal.subject)
        if proposal.by == by.account:
            what = "the person who proposed it cannot approve it"
            raise BadInput(Problem(code="approval.same_person", what=what, value=by.name, allowed="another person"))
        roles = self._of(proposal).roles
        if not self._has(transaction, proposal.by, roles):
            what = "the person who proposed it has lost the role: decline it, or propose it again"
            raise BadInput(Problem(code="late", where="by", what=what, value=proposal.by, allowed=" or ".join(roles)))
        approved = e.Approved(by=by.account, at=self._clock(), proposal=number, proposed_by=proposal.by)
        self._journal.write(transaction, approved)

    def _of(self, proposal: Proposal) -> ProposalHandler:
        return self.handler(proposal.kind, proposal.subject)

    def _visible(self, journal: JournalState, by: Identity) -> list[Proposal]:
        waiting = journal.waiting.values()
        return [it for it in waiting if it.by == by.account or self._of(it).is_visible(journal, by, it)]

    async def _find(self, by: Identity, number: int) -> Proposal:
        for proposal in self._visible(await self._journal.now(), by):
            if proposal.number == number:
                return proposal
        raise _unknown(number)

    def _proposal(self, transaction: Transaction, number: int) -> Proposal:
        proposal = self._journal.at(transaction).waiting.get(number)
        if proposal is None:
            raise _unknown(number)
        return proposal

    def _check_role(self, transaction: Transaction, by: Identity, kind: e.ProposalKind, subject: str) -> None:
        roles = self.handler(kind, subject).roles
        if not self._has(transaction, by.account, roles):
            what = f"{kind} is not for this role"
            raise BadInput(Problem(code="policy.role", what=what, value=by.name, allowed=" or ".join(roles)))

    def _has(self, transaction: Transaction, account: str, roles: Collection[Role]) -> bool:
        return not set(roles).isdisjoint(self._accounts.at(transaction, account).roles)


def _unknown(number: int) -> BadInput:
    return BadInput(Problem(code="approval.unknown", what="no proposal with this number waits", value=number))
