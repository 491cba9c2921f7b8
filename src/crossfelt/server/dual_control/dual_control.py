"""Proposals that take two people: one person proposes, another approves, and the effect is in the same commit.

A handler for each kind of proposal checks it and carries it out; `rule` knows who the two people may be.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.account import Role
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import TWO_PEOPLE, account_stream
from crossfelt.server.dual_control.rule import PAIRS, roles_problem
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal, JournalState, Proposal
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction

Details = Mapping[str, str | int]
MOST_DECIDED: Final = 100


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

    def interest(self, by: Identity, subject: str, details: Details) -> str:
        """Return a person's interest in the proposal, which keeps them out of it; empty if there is none."""
        return ""

    async def hold(self, subject: str, key: str) -> None:
        """Stop the table that the proposal is about, until `release` with the same key."""

    def release(self, subject: str, key: str) -> None:
        """Let the table continue."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        """Refuse a proposal that could not be carried out now; called before it waits, and before it is approved."""
        raise NotImplementedError

    async def describe(self, subject: str, details: Details) -> Details:
        """Return the details to store, with the consequences that the second person reads."""
        return details

    def is_visible(self, journal: JournalState, by: Identity, proposal: Proposal) -> bool:
        return True

    def is_over(self, journal: JournalState, proposal: Proposal) -> bool:
        """Return whether the proposal can no longer be carried out."""
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
        self.handlers: dict[tuple[e.ProposalKind, str], ProposalHandler] = {}
        """The handler of each kind of proposal, and of the subjects with each prefix."""

    def handler(self, kind: e.ProposalKind, subject: str) -> ProposalHandler:
        """Return the handler with the longest prefix of the subject."""
        found = [it for known, it in self.handlers if known == kind and subject.startswith(it)]
        if not found:
            allowed = ", ".join(f"{prefix}…" for known, prefix in self.handlers if known == kind)
            raise BadInput.at("subject", "proposal.subject", "is not a subject of this kind", subject, allowed)
        return self.handlers[kind, max(found, key=len)]

    async def propose(
        self, by: Identity, kind: e.ProposalKind, subject: str, details: Details, reason: str, address: str = ""
    ) -> Proposal:
        """Let a proposal wait for a second person, if it could be carried out now.

        A proposal about a round stops the table first, so that the round cannot end before the decision.
        """
        handler, key = self.handler(kind, subject), secrets.token_hex(4)
        await handler.hold(subject, key)
        try:
            _require_no_interest(handler, by, subject, details)
            await handler.check(by, subject, details)
            described = await handler.describe(subject, details)
            proposal = await self._record(by, kind, subject, described, reason, address)
            await handler.hold(subject, str(proposal.number))
        finally:
            handler.release(subject, key)
        return proposal

    async def waiting(self, by: Identity) -> list[Proposal]:
        """Return the waiting proposals that an account may see."""
        await self.expire()
        return await self._visible(by)

    async def expire(self) -> None:
        """Let proposals expire that can no longer be carried out. Each is an alarm for its proposer and the floor."""
        journal = await self._journal.now()
        for number in [it.number for it in journal.waiting.values() if self._of(it).is_over(journal, it)]:
            expired = e.Expired(by="server", at=self._clock(), proposal=number)
            await self._journal.note_once(f"expired-{number}", expired)

    async def decided(self, by: Identity, subject: str = "") -> list[Proposal]:
        """Return the last proposals that were decided or expired, of one subject or of all.

        A table has the decisions of the tables that it succeeds.
        """
        journal = await self._journal.now()
        before, subjects = {after: table for table, after in journal.successors.items()}, [subject]
        while subjects[-1] in before:
            subjects.append(before[subjects[-1]])
        found = (it for it in journal.decided if not subject or it.subject in subjects)
        seen = (it for it in found if it.by == by.account or self._of(it).is_visible(journal, by, it))
        return list(islice(seen, MOST_DECIDED))

    async def roles_problem(
        self, by: Identity, account: str, before: Iterable[Role], after: Iterable[Role]
    ) -> Problem | None:
        """Return the reason why a second person must approve the roles of an account; None if no other account could
        approve them yet.
        """
        held = (await self._journal.now()).roles
        others = {key for key, roles in held.items() if not set(PAIRS["roles"].approver).isdisjoint(roles)}
        return roles_problem(before, after, others=bool(others - {by.account, account}))

    async def subject(self, number: int) -> str:
        """Return the subject of a waiting proposal; nothing if it does not wait."""
        proposal = (await self._journal.now()).waiting.get(number)
        return "" if proposal is None else proposal.subject

    async def approve(self, by: Identity, number: int, address: str = "") -> dict[str, Any]:
        """Carry out a proposal in the names of two people."""
        proposal = await self._find(by, number)
        handler = self._of(proposal)
        _require_no_interest(handler, by, proposal.subject, proposal.details)
        await handler.check(by, proposal.subject, proposal.details)
        streams = {JOURNAL_STREAM, account_stream(by.account), account_stream(proposal.by)}
        approval = Approval(proposal.by, by.account, streams, lambda tx: self._note_approval(tx, by, number, address))
        answer = await handler.apply(proposal, approval)
        handler.release(proposal.subject, str(number))
        return answer

    async def decline(self, by: Identity, number: int, address: str = "") -> None:
        """Decline a proposal, or withdraw one's own; the table that it stopped continues."""
        handler = self._of(proposal := await self._find(by, number))
        if proposal.by != by.account:
            _require_no_interest(handler, by, proposal.subject, proposal.details)

        def work(transaction: Transaction) -> None:
            proposal = self._proposal(transaction, number)
            pair = PAIRS[proposal.kind]
            roles = pair.proposer if proposal.by == by.account else pair.approver
            self._check_role(transaction, by, proposal.kind, roles)
            declined = e.Declined(by=by.account, at=self._clock(), proposal=number, address=address)
            self._journal.write(transaction, declined)

        await self._store.commit([JOURNAL_STREAM, account_stream(by.account)], work)
        handler.release(proposal.subject, str(number))

    async def _record(
        self, by: Identity, kind: e.ProposalKind, subject: str, details: Details, reason: str, address: str = ""
    ) -> Proposal:
        def work(transaction: Transaction) -> Proposal:
            self._check_role(transaction, by, kind, PAIRS[kind].proposer)
            number = self._journal.at(transaction).proposed + 1
            proposed = e.Proposed(
                by=by.account,
                at=self._clock(),
                proposal=number,
                kind=kind,
                subject=subject,
                details=dict(details),
                reason=reason,
                address=address,
            )
            self._journal.write(transaction, proposed)
            return self._journal.at(transaction).waiting[number]

        return await self._store.commit([JOURNAL_STREAM, account_stream(by.account)], work)

    def _note_approval(self, transaction: Transaction, by: Identity, number: int, address: str) -> None:
        """Write the approval in the commit of its effect."""
        proposal = self._proposal(transaction, number)
        pair = PAIRS[proposal.kind]
        self._check_role(transaction, by, proposal.kind, pair.approver)
        if proposal.by == by.account:
            what = "the person who proposed it cannot approve it"
            raise BadInput(Problem(code="approval.same_person", what=what, value=by.name, allowed="another person"))
        if not self._has(transaction, proposal.by, pair.proposer):
            what = "the person who proposed it has lost the role: decline it, or propose it again"
            raise BadInput.at("by", "late", what, proposal.by, " or ".join(pair.proposer))
        approved = e.Approved(
            by=by.account, at=self._clock(), proposal=number, proposed_by=proposal.by, address=address
        )
        self._journal.write(transaction, approved)

    def _of(self, proposal: Proposal) -> ProposalHandler:
        return self.handler(proposal.kind, proposal.subject)

    async def _visible(self, by: Identity) -> list[Proposal]:
        journal = await self._journal.now()
        waiting = journal.waiting.values()
        return [it for it in waiting if it.by == by.account or self._of(it).is_visible(journal, by, it)]

    async def _find(self, by: Identity, number: int) -> Proposal:
        found = next((it for it in await self._visible(by) if it.number == number), None)
        if found is None:
            raise _unknown(number)
        return found

    def _proposal(self, transaction: Transaction, number: int) -> Proposal:
        proposal = self._journal.at(transaction).waiting.get(number)
        if proposal is None:
            raise _unknown(number)
        return proposal

    def _check_role(
        self, transaction: Transaction, by: Identity, kind: e.ProposalKind, roles: tuple[Role, ...]
    ) -> None:
        if not self._has(transaction, by.account, roles):
            what = f"{kind} is not for this role"
            raise BadInput(Problem(code="policy.role", what=what, value=by.name, allowed=" or ".join(roles)))

    def _has(self, transaction: Transaction, account: str, roles: Collection[Role]) -> bool:
        return not set(roles).isdisjoint(self._accounts.at(transaction, account).roles)


def _require_no_interest(handler: ProposalHandler, by: Identity, subject: str, details: Details) -> None:
    if why := handler.interest(by, subject, details):
        raise BadInput.at("subject", "approval.interest", why, by.name, "another person")


def _unknown(number: int) -> BadInput:
    return BadInput(Problem(code="approval.unknown", what="no proposal with this number waits", value=number))
