"""The kinds of proposals: voids, card corrections, changes of rules, changes of meters, corrections of accounts."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.play.consequences import Situation, consequence_of, ruled_void
from crossfelt.progressive import commands as c
from crossfelt.progressive import handle
from crossfelt.progressive.events import Parameters
from crossfelt.rulebooks.submission_form import changes, with_previous_limit
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.policy import sees_everything, sees_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import account_key, account_stream
from crossfelt.server.core.errors import NoSuchTable
from crossfelt.server.core.meters import PREFIX, require_plausible
from crossfelt.server.core.requests import CommandRequest, command_of
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.dual_control import Approval, Details, DualControl, ProposalHandler
from crossfelt.server.dual_control.rule import voids_or_exposes
from crossfelt.server.journal.events import TableChanging
from crossfelt.server.journal.stream import Journal, JournalState, Proposal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.interface import Transaction
from crossfelt.server.workers.returns import Studies
from crossfelt.table.acts.floor import rulings
from crossfelt.table.commands import Command, CorrectCard, Role
from crossfelt.table.decks import round_open
from crossfelt.table.engine import Refused, run

ACCOUNT: Final = "account/"
"""The prefix of a subject that is an account."""
ROUND: Final = "round"
FOLLOWS: Final = "follows"
"""The consequence of a void or a report, in words, at the time of the proposal."""
REPORTS: Final[dict[str, Role]] = {"report_irregularity": "floor", "count_stub": "dealer"}
"""Commands that can void a round, or show a card early, each with the role that gives it."""


def register_handlers(
    dual_control: DualControl,
    pit: Pit,
    *,
    journal: Journal,
    accounts: Accounts,
    studies: Studies,
    now: Callable[[], int],
) -> None:
    """Register the handler of each kind."""
    dual_control.register("void", VoidHandler(pit))
    dual_control.register("card_correction", CardCorrectionHandler(pit))
    dual_control.register("submission", RuleChangeHandler(pit, journal, studies, now))
    dual_control.register("meter_change", MeterChangeHandler(pit, now))
    dual_control.register("correction", MeterCorrectionHandler(pit, now))
    dual_control.register("correction", AccountCorrectionHandler(pit, accounts), ACCOUNT)


# --- tables -----------------------------------------------------------------------------------------------------------


class TableProposalHandler(ProposalHandler):
    """A proposal about a table, for accounts that may see the table."""

    required: ClassVar[tuple[str, ...]]
    """The details that it needs."""

    def __init__(self, pit: Pit) -> None:
        self._pit = pit

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        if not sees_table_of(self._pit.find(subject).settings.owner, by):
            raise NoSuchTable(subject)
        for name in self.required:
            if name not in details:
                raise _wrong("details", f"{name} is missing", ", ".join(self.required))

    def is_visible(self, journal: JournalState, by: Identity, proposal: Proposal) -> bool:
        """Return whether an account may see the table. A table that the journal does not keep was private."""
        table = journal.tables.get(proposal.subject) or journal.closed.get(proposal.subject)
        if table is None:
            return sees_everything(by)
        return sees_table_of(str(table.settings.get("owner", "")), by)

    def is_over(self, journal: JournalState, proposal: Proposal) -> bool:
        return proposal.subject not in journal.tables


class RoundProposalHandler(TableProposalHandler):
    """A ruling about the round that is being played."""

    ends_with_round = True

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        number, table = details[ROUND], self._pit.find(subject).table
        if not isinstance(number, int):
            raise _wrong("details.round", "is not the number of a round", "a whole number")
        if number != table.round:
            what, allowed = "that round is not being played", str(table.round)
            raise BadInput(Problem(code="late", where="details.round", what=what, value=number, allowed=allowed))

    def is_over(self, journal: JournalState, proposal: Proposal) -> bool:
        if super().is_over(journal, proposal):
            return True
        actor = self._pit.actors.get(proposal.subject)
        if actor is None:
            return False
        table = actor.table
        return proposal.details[ROUND] != table.round or bool(table.voided) or not round_open(table)

    async def _rule(self, proposal: Proposal, approval: Approval, role: Role, fields: dict[str, Any]) -> dict[str, Any]:
        """Give a command to the table in the names of both people."""
        if fields["command"] != "count_stub":  # this command has no note: the reason is in the journal alone
            fields = {**fields, "note": proposal.reason}
        request = CommandRequest(
            id=f"proposal-{proposal.number}-{secrets.token_hex(4)}",
            who=approval.who,
            role=role,
            fields=fields,
            round=int(proposal.details[ROUND]),
            approval=approval,
        )
        answer = await self._pit.find(proposal.subject).ask(request)
        if answer.problem is not None:
            raise BadInput(answer.problem)
        return {"seq": answer.seq}


class VoidHandler(RoundProposalHandler):
    """The floor's ruling that a round is void, or the report of an irregularity that voids it or shows a card early."""

    required = (ROUND,)

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        table = self._pit.find(subject).table
        if "command" not in details:
            open_here = () if table.pending is None else rulings(table)
            if "void" not in open_here:
                what = "the floor cannot call this round void: report an irregularity first"
                allowed = ", ".join(open_here)
                raise BadInput(Problem(code="ruling", where="details", what=what, value="void", allowed=allowed))
            return
        if details["command"] not in REPORTS:
            raise _wrong("details.command", "is not a report", ", ".join(REPORTS))
        answer = run(table, self._report(subject, details))
        if isinstance(answer, Refused):
            raise BadInput(answer.problem)
        if not voids_or_exposes(table, answer):
            what = "this voids no round and shows no card early: report it at the table"
            raise _wrong("details", what, "a report that voids the round, or shows a card early")

    async def describe(self, subject: str, details: Details) -> Details:
        return {**details, FOLLOWS: self._consequence(subject, details)}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        follows, read = self._consequence(proposal.subject, proposal.details), str(proposal.details[FOLLOWS])
        if follows != read:
            what = "the consequence has changed since: propose it again"
            raise BadInput(Problem(code="late", where="details.follows", what=what, value=read, allowed=follows))
        return await self._rule(proposal, approval, _role(proposal.details), _fields(proposal.details))

    def _report(self, name: str, details: Details) -> Command:
        """Return the report as a command that is only tried."""
        actor = self._pit.find(name)
        request = CommandRequest(id="tried", who="floor", role=_role(details), fields=_fields(details))
        return command_of(request, request.id, actor.table, None, actor.now())

    def _consequence(self, name: str, details: Details) -> str:
        actor = self._pit.find(name)
        if "command" not in details:
            return ruled_void(actor.table, actor.now()).words()
        return consequence_of(Situation(actor.table, (self._report(name, details),), details)).words()


def _fields(details: Details) -> dict[str, Any]:
    """Return the fields of the command that voids the round."""
    found = {name: value for name, value in details.items() if name not in (ROUND, FOLLOWS)}
    return found if "command" in found else {"command": "decide_floor", "ruling": "void"}


def _role(details: Details) -> Role:
    return REPORTS.get(str(details.get("command")), "floor")


class CardCorrectionHandler(RoundProposalHandler):
    """The correction of a card that was named wrongly."""

    required = (ROUND, "place", "card")

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        actor = self._pit.find(subject)
        place, card = str(details["place"]), Card(str(details["card"]))
        tried = CorrectCard(id="tried", who="floor", role="floor", at=actor.now(), place=place, cards=(card,))
        answer = run(actor.table, tried)
        if isinstance(answer, Refused):
            raise BadInput(answer.problem)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        place, card = proposal.details["place"], proposal.details["card"]
        fields = {"command": "correct_card", "place": place, "cards": [card]}
        return await self._rule(proposal, approval, "floor", fields)


class RuleChangeHandler(TableProposalHandler):
    """Another submission: the table closes after its round, and a new table opens."""

    required = ("submission",)

    def __init__(self, pit: Pit, journal: Journal, studies: Studies, now: Callable[[], int]) -> None:
        super().__init__(pit)
        self._journal = journal
        self._studies = studies
        self._now = now

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        settings = self._successor(subject, details)
        self._pit.meters.linked(settings, settings.compile(self._pit.rulebooks)).check(self._pit.find(subject).meters)

    async def describe(self, subject: str, details: Details) -> Details:
        """Add the changes, and the return of every wager before and after."""
        before = self._pit.find(subject).table.game
        after = self._successor(subject, details).compile(self._pit.rulebooks)
        returns = await self._studies.compare(before, after)
        return {
            "submission": details["submission"],
            "changes": msgspec.json.encode(changes(before, after)).decode(),
            "returns": msgspec.json.encode(returns).decode(),
        }

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        settings = self._successor(proposal.subject, proposal.details)
        change = TableChanging(
            by=approval.who,
            at=self._now(),
            proposed_by=approval.proposed_by,
            approved_by=approval.approved_by,
            table=proposal.subject,
            settings=msgspec.to_builtins(settings),
        )

        def write(tx: Transaction) -> None:
            approval.note(tx)
            self._require_unchanged(tx, proposal.subject)
            self._journal.write(tx, change)

        await self._pit.store.commit(approval.streams, write)
        return {"table": settings.id, "in_force": await self._pit.change_rules(change)}

    def _require_unchanged(self, tx: Transaction, table: str) -> None:
        """Refuse a second change of rules at a table: it closes after the first."""
        journal = self._journal.at(tx)
        if table in journal.coming:
            what = "another submission was approved before: the table closes after this round"
            allowed = "propose it for the new table"
            raise BadInput(Problem(code="submission.coming", where="subject", what=what, value=table, allowed=allowed))
        if table not in journal.tables:
            raise NoSuchTable(table)

    def _successor(self, table: str, details: Details) -> TableSettings:
        """Return the settings of the new table; refuse a submission that does not compile."""
        actor = self._pit.find(table)
        try:
            submission = msgspec.json.decode(bounded(str(details["submission"]).encode()))
        except (msgspec.MsgspecError, ValueError):
            raise _wrong("details.submission", "is not JSON", "submission") from None
        if not isinstance(submission, dict):
            raise _wrong("details.submission", "is not a JSON object", "submission")
        settings = actor.settings.successor(with_previous_limit(actor.table.game, submission))
        settings.compile(self._pit.rulebooks)
        return settings


# --- money ------------------------------------------------------------------------------------------------------------


class MeterChangeHandler(ProposalHandler):
    """Other parameters of a meter."""

    def __init__(self, pit: Pit, now: Callable[[], int]) -> None:
        self._pit = pit
        self._now = now

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        """Refuse a change that the meter, as this process last read it, would refuse."""
        stream = f"{PREFIX}{subject}"
        if stream not in self._pit.meters.seen.keys() & self._pit.meter_registry.known().keys():
            allowed = ", ".join(sorted(it.removeprefix(PREFIX) for it in self._pit.meter_registry.known()))
            what = "no such meter"
            raise BadInput(Problem(code="meter.unknown", where="subject", what=what, value=subject, allowed=allowed))
        meter = self._pit.meters.seen[stream]
        names = {"id": "tried", "who": "floor", "approved_by": "tried", "reason": "tried"}
        tried = self._command(meter.parameters, details, at=self._now(), **names)
        if isinstance(tried, c.ChangeParameters):
            require_plausible(tried.parameters, self._pit.meter_registry.most_in_a_round(stream))
            self._pit.meter_registry.require_allowed(stream, tried.parameters)
        answer = handle.handle(meter, tried)
        if isinstance(answer, Problem):
            raise BadInput(answer)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        stream, meters = f"{PREFIX}{proposal.subject}", self._pit.meters

        def write(tx: Transaction) -> int:
            approval.note(tx)
            # Parameters that the proposal does not name keep the values that they have in this commit.
            command = self._command(
                meters.at(tx, stream).parameters,
                proposal.details,
                id=f"proposal-{proposal.number}",
                who=approval.proposed_by,
                approved_by=approval.approved_by,
                at=self._now(),
                reason=proposal.reason,
            )
            meters.carry_out(tx, stream, command)
            return meters.at(tx, stream).amount_cents

        amount = await self._pit.store.commit({*approval.streams, stream}, write)
        await self._pit.meter_registry.refresh_and_publish([stream])
        return {"amount_cents": amount}

    def _command(self, parameters: Parameters, details: Details, **common: Any) -> c.MeterCommand:
        before = msgspec.structs.asdict(parameters)
        changeable = {name: value for name, value in before.items() if name != "rate_per_million"}
        if not details or not set(details).issubset(changeable):
            what = "the submission sets the rate; propose only these parameters"
            raise _wrong("details", what, ", ".join(changeable), ", ".join(details))
        for name, value in details.items():
            _whole_number(name, value, "an amount in cents")
        return c.ChangeParameters(parameters=msgspec.convert({**before, **details}, Parameters), **common)


class MeterCorrectionHandler(MeterChangeHandler):
    """A correction of the amount on a meter."""

    def _command(self, parameters: Parameters, details: Details, **common: Any) -> c.MeterCommand:
        micros = _whole_number("micros", details.get("micros", ""), "millionths of a cent, below 0 to take out")
        return c.CorrectMeter(micros=micros, **common)


class AccountCorrectionHandler(ProposalHandler):
    """A correction of the balance of an account, by two people who do not hold it."""

    def __init__(self, pit: Pit, accounts: Accounts) -> None:
        self._pit = pit
        self._accounts = accounts

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        if _key(subject) == by.account:
            what, allowed = "two other people have to correct your account", "another person"
            raise BadInput(
                Problem(code="approval.own_account", where="subject", what=what, value=by.name, allowed=allowed)
            )
        cents = _whole_number("cents", details.get("cents", ""), "an amount in cents, below 0 to take out")
        await self._accounts.check_correction(_key(subject), cents)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        key, cents = _key(proposal.subject), int(proposal.details["cents"])

        def write(tx: Transaction) -> int:
            approval.note(tx)
            self._accounts.correct(tx, key, cents, reason=proposal.reason, by=approval.who)
            return self._accounts.at(tx, key).balance_cents

        return {"balance_cents": await self._pit.store.commit({*approval.streams, account_stream(key)}, write)}


def _key(subject: str) -> str:
    return account_key(subject.removeprefix(ACCOUNT))


def _whole_number(name: str, value: str | int, allowed: str) -> int:
    if isinstance(value, int):
        return value
    raise _wrong(f"details.{name}", "not a whole number", allowed, value)


def _wrong(where: str, what: str, allowed: str, value: str | None = None) -> BadInput:
    return BadInput(Problem(code="proposal.details", where=where, what=what, allowed=allowed, value=value))
