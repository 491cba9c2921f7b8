"""The kinds of proposals: rulings about a round, openings and changes of rules, meters, and accounts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Final, TypeVar

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.money import dollars
from crossfelt.play.consequences import Situation, consequence_of, ruled_void
from crossfelt.play.narration import narrate
from crossfelt.progressive import commands as c
from crossfelt.progressive import handler
from crossfelt.progressive.events import Parameters
from crossfelt.progressive.meter import MICROS
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.submission_form import changes, with_previous_limit
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.policy import sees_everything, sees_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import account_key, account_stream
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.errors import NoSuchTable
from crossfelt.server.core.meters import PREFIX, require_plausible
from crossfelt.server.core.recovery import RoundIndex
from crossfelt.server.core.requests import CommandRequest, command_of
from crossfelt.server.core.settings import TableSettings, require_id
from crossfelt.server.dual_control.dual_control import Approval, Details, ProposalHandler
from crossfelt.server.dual_control.rule import command_problem, voids_or_exposes
from crossfelt.server.journal.events import ProposalKind, TableChanging
from crossfelt.server.journal.stream import Journal, JournalState, Proposal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.transaction import Transaction
from crossfelt.server.workers.returns import Studies
from crossfelt.table.acts.floor import rulings
from crossfelt.table.commands import Command, CorrectCard, ReverseRound, Role
from crossfelt.table.engine import Accepted, Refused, run
from crossfelt.table.events import AwardClaimed
from crossfelt.table.state import TableState

T = TypeVar("T")

ACCOUNT: Final = "account/"
"""The prefix of a subject that is an account."""
ROUND: Final = "round"
FOLLOWS: Final = "follows"
"""The consequence of a void or a report, in words, at the time of the proposal."""
REPORTS: Final[dict[str, Role]] = {"report_irregularity": "floor", "count_stub": "dealer"}
"""Commands that can void a round, or show a card early, each with the role that gives it."""


class PitHandler(ProposalHandler):
    """A kind of proposal about the tables, meters and accounts of a pit."""

    def __init__(self, pit: Pit, journal: Journal, accounts: Accounts, studies: Studies) -> None:
        self._pit = pit
        self._journal = journal
        self._accounts = accounts
        self._studies = studies

    async def _commit(self, approval: Approval, streams: Collection[str], write: Callable[[Transaction], T]) -> T:
        """Carry out a proposal in one commit with its approval."""

        def both(tx: Transaction) -> T:
            approval.note(tx)
            return write(tx)

        return await self._pit.store.commit({*approval.streams, *streams}, both)


# --- tables -----------------------------------------------------------------------------------------------------------


class TableProposalHandler(PitHandler):
    """A proposal about a table, for accounts that may see the table."""

    required: ClassVar[tuple[str, ...]]
    """The details that it needs."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        if not sees_table_of(self._pit.find(subject).settings.owner, by):
            raise NoSuchTable(subject)
        for name in self.required:
            if name not in details:
                raise _wrong("details", f"{name} is missing", ", ".join(self.required))

    def interest(self, by: Identity, subject: str, details: Details) -> str:
        seats = self._pit.find(subject).table.seats
        return "you play at this table: two other people decide" if any(it.player == by.name for it in seats) else ""

    def is_visible(self, journal: JournalState, by: Identity, proposal: Proposal) -> bool:
        """Return whether an account may see the table. A table that the journal does not keep was private."""
        table = journal.tables.get(proposal.subject) or journal.closed.get(proposal.subject)
        if table is None:
            return sees_everything(by)
        return sees_table_of(str(table.settings.get("owner", "")), by)

    def is_over(self, journal: JournalState, proposal: Proposal) -> bool:
        return proposal.subject not in journal.tables

    async def _give(
        self, proposal: Proposal, approval: Approval, role: Role, fields: dict[str, Any], number: int | None = None
    ) -> dict[str, Any]:
        """Give a command to the table in the names of both people; `number` is the round that it is for."""
        # An id of its own each time: after a refusal the approval may be given again.
        name = f"proposal-{proposal.number}-{secrets.token_hex(4)}"
        request = CommandRequest(id=name, who=approval.who, role=role, fields=fields, round=number, approval=approval)
        answer = await self._pit.find(proposal.subject).ask(request)
        if answer.problem is not None:
            raise BadInput(answer.problem)
        return {"seq": answer.seq}


class RoundProposalHandler(TableProposalHandler):
    """A ruling about the current round. The round stops until two people have decided."""

    async def hold(self, subject: str, key: str) -> None:
        await self._pit.find(subject).stop_round(key)

    def release(self, subject: str, key: str) -> None:
        if (actor := self._pit.actors.get(subject)) is not None:
            actor.continue_round(key)

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        number, table = details[ROUND], self._pit.find(subject).table
        if not isinstance(number, int):
            raise _wrong("details.round", "is not the number of a round", "a whole number")
        if number != table.round:
            raise BadInput.at("details.round", "late", "that round is not being played", number, str(table.round))


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
                raise BadInput.at("details", "ruling", what, "void", ", ".join(open_here))
            return
        if details["command"] not in REPORTS:
            raise _wrong("details.command", "is not a report", ", ".join(REPORTS))
        if not voids_or_exposes(table, _tried(table, self._report(subject, details))):
            what = "this voids no round and shows no card early: report it at the table"
            raise _wrong("details", what, "a report that voids the round, or shows a card early")

    async def describe(self, subject: str, details: Details) -> Details:
        return {**details, FOLLOWS: self._consequence(subject, details)}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        follows, read = self._consequence(proposal.subject, proposal.details), str(proposal.details[FOLLOWS])
        if follows != read:
            what = "the consequence has changed since: propose it again"
            raise BadInput.at("details.follows", "late", what, read, follows)
        fields, number = _fields(proposal.details), int(proposal.details[ROUND])
        if fields["command"] != "count_stub":  # this command has no note: the reason is in the journal alone
            fields["note"] = proposal.reason
        return await self._give(proposal, approval, _role(proposal.details), fields, number)

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


class CommandHandler(RoundProposalHandler):
    """A command that one person may not give alone: a typed reading that wins from a meter."""

    required: ClassVar[tuple[str, ...]] = (ROUND, "command")

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        actor = self._pit.find(subject)
        given, answer = self._tried(by.name, subject, details)
        live, public = actor.settings.live, not actor.settings.owner
        if command_problem(actor.table, given, answer, people=True, live=live, public=public) is None:
            raise _wrong("details.command", "one person may give this command: give it at the table", "")

    async def describe(self, subject: str, details: Details) -> Details:
        """Add what happens, and the amount on the meter that an award comes from."""
        actor = self._pit.find(subject)
        _, answer = self._tried("tried", subject, details)
        words = [narrate(event, actor.table.game) for event in answer.events]
        meters = [it.meter for it in answer.events if isinstance(it, AwardClaimed)]
        words += [f"the meter stands at {dollars(actor.meters.amounts[it]['amount_cents'])}" for it in meters]
        return {**details, FOLLOWS: "; ".join(filter(None, words))}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        role, fields = self._given(proposal.details)
        return await self._give(proposal, approval, role, fields)

    def _given(self, details: Details) -> tuple[Role, dict[str, Any]]:
        fields = _object_of(details, "command")
        return "floor" if fields.get("command") == "record_fill" else "dealer", fields

    def _tried(self, who: str, subject: str, details: Details) -> tuple[Command, Accepted]:
        actor, (role, fields) = self._pit.find(subject), self._given(details)
        request = CommandRequest(id="tried", who=who, role=role, fields=fields)
        command = command_of(request, request.id, actor.table, None, actor.now())
        return command, _tried(actor.table, command)


class FillHandler(CommandHandler):
    """A fill above the amount that one person may record. Play goes on meanwhile."""

    required = ("command",)

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, {**details, ROUND: self._pit.find(subject).table.round})

    async def hold(self, subject: str, key: str) -> None:
        pass


class CardCorrectionHandler(RoundProposalHandler):
    """The correction of a card that was named wrongly."""

    required = (ROUND, "place", "card")

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        actor = self._pit.find(subject)
        place, card = str(details["place"]), Card(str(details["card"]))
        tried = CorrectCard(id="tried", who="floor", role="floor", at=actor.now(), place=place, cards=(card,))
        _tried(actor.table, tried)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        place, card = proposal.details["place"], proposal.details["card"]
        fields = {"command": "correct_card", "place": place, "cards": [card], "note": proposal.reason}
        return await self._give(proposal, approval, "floor", fields, int(proposal.details[ROUND]))


class ReversalHandler(TableProposalHandler):
    """The reversal of a paid round: each player's result goes back, at the seat or, if the player has left, through
    the account."""

    required = (ROUND,)

    def interest(self, by: Identity, subject: str, details: Details) -> str:
        played = self._round(subject, details).players.values()
        if by.name in played:
            return "you played in this round: two other people decide"
        return super().interest(by, subject, details)

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        number = details[ROUND]
        for it in (await self._journal.now()).decided:
            if (it.kind, it.subject, it.details.get(ROUND), it.outcome) == ("reversal", subject, number, "approved"):
                what = f"proposal {it.number} has reversed this round"
                raise BadInput.at("details.round", "reverse.again", what, number)
        actor = self._pit.find(subject)
        fields = self._fields(subject, details)
        _tried(actor.table, ReverseRound(id="tried", who="floor", role="floor", at=actor.now(), **fields))

    async def describe(self, subject: str, details: Details) -> Details:
        here, left = self._changes(subject, details)
        players, changes = self._round(subject, details).players, sorted({**here, **left}.items())
        words = [f"{players[seat]} {'gets' if it > 0 else 'gives'} back {dollars(abs(it))}" for seat, it in changes]
        return {**details, FOLLOWS: "; ".join(words)}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        table, number = proposal.subject, int(proposal.details[ROUND])
        players = self._round(table, proposal.details).players
        left = {} if self._pit.find(table).settings.live else self._changes(table, proposal.details)[1]
        keys = {account_key(players[seat]): cents for seat, cents in left.items() if bot_style(players[seat]) is None}

        def note(tx: Transaction) -> None:
            approval.note(tx)
            people = (approval.proposed_by, approval.approved_by)
            for key, cents in keys.items():
                self._accounts.correct(
                    tx, key, cents, reason=proposal.reason, people=people, table=table, round_number=number
                )

        fields = {"command": "reverse_round", **self._fields(table, proposal.details), "note": proposal.reason}
        both = approval._replace(note=note, streams={*approval.streams, *map(account_stream, keys)})
        return await self._give(proposal, both, "floor", fields)

    def _round(self, table: str, details: Details) -> RoundIndex:
        rounds = self._pit.find(table).memory.rounds
        found = next((it for it in rounds if it.round == details.get(ROUND) and it.outcome == "settled"), None)
        if found is None:
            allowed = f"a settled round among the last {len(rounds)}"
            raise _wrong("details.round", "this round cannot be reversed", allowed, str(details.get(ROUND)))
        return found

    def _changes(self, table: str, details: Details) -> tuple[dict[int, int], dict[int, int]]:
        """Return by seat the amounts that players get back, for one seat or all, including players who have left."""
        played, seats = self._round(table, details), self._pit.find(table).table.seats
        reversed_seats = [int(details["seat"])] if "seat" in details else sorted(played.nets)
        changes = {seat: -net for seat in reversed_seats if (net := played.nets.get(seat))}
        here = {it.number for it in seats if it.player == played.players.get(it.number)}.intersection(changes)
        return {seat: changes[seat] for seat in sorted(here)}, {it: changes[it] for it in changes if it not in here}

    def _fields(self, table: str, details: Details) -> dict[str, Any]:
        """Return the fields of the command that reverses the round."""
        here, left = self._changes(table, details)
        return {"of_round": int(details[ROUND]), "seats": tuple(here.items()), "cage_cents": sum(left.values())}


class OpeningHandler(PitHandler):
    """A public table with a submission, or on a link of meters."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        require_id(subject, self._pit.rulebooks)
        self._pit.check_new(self._settings(subject, details))

    async def describe(self, subject: str, details: Details) -> Details:
        """Add the changes from the default submission, and the return of every wager under both."""
        after = self._settings(subject, details).compile(self._pit.rulebooks)
        return {**details, **await _compared(self._studies, self._pit.rulebooks.game(after.book.id), after)}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        settings = self._settings(proposal.subject, proposal.details)
        await self._pit.create(settings, who=approval.who, approval=approval)
        return {"table": settings.id, "in_force": True}

    def _settings(self, table: str, details: Details) -> TableSettings:
        named = ("rulebook", "pace", "dealt_by", "link")
        stated: dict[str, Any] = {name: details[name] for name in named if name in details}
        stated |= {"id": table, "submission": _object_of({"submission": "{}", **details}, "submission")}
        try:
            return msgspec.convert(stated, TableSettings)
        except msgspec.ValidationError as error:
            raise _wrong("details", str(error), "rulebook, submission, pace, dealt_by, link") from None


async def _compared(studies: Studies, before: Game, after: Game) -> Details:
    """Return the changes from one game to another, and the return of every wager under both."""
    returns = () if before == after else await studies.compare(before, after)
    return {
        "changes": msgspec.json.encode(changes(before, after)).decode(),
        "returns": msgspec.json.encode(returns).decode(),
    }


class RuleChangeHandler(TableProposalHandler):
    """Another submission or another link: the table closes after its round, and a new table opens."""

    required = ()

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        if details.keys().isdisjoint(("submission", "link")):
            raise _wrong("details", "submission is missing", "submission, link")
        settings = self._successor(subject, details)
        game = settings.compile(self._pit.rulebooks)
        self._pit.meter_registry.require_link(settings, game, replaces=subject)
        self._pit.meters.linked(settings, game).check(self._pit.find(subject).meters)

    async def describe(self, subject: str, details: Details) -> Details:
        """Add the changes, and the return of every wager before and after."""
        before = self._pit.find(subject).table.game
        after = self._successor(subject, details).compile(self._pit.rulebooks)
        stated = {name: details[name] for name in ("submission", "link") if name in details}
        return {**stated, **await _compared(self._studies, before, after)}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        settings = self._successor(proposal.subject, proposal.details)
        change = TableChanging(
            by=approval.who,
            at=self._pit.now(),
            proposed_by=approval.proposed_by,
            approved_by=approval.approved_by,
            table=proposal.subject,
            settings=msgspec.to_builtins(settings),
        )

        def write(tx: Transaction) -> None:
            self._require_unchanged(tx, proposal.subject)
            self._journal.write(tx, change)

        await self._commit(approval, (), write)
        return {"table": settings.id, "in_force": await self._pit.change_rules(change)}

    def _require_unchanged(self, tx: Transaction, table: str) -> None:
        """Refuse a second change of rules at a table: it closes after the first."""
        journal = self._journal.at(tx)
        if table in journal.coming:
            what = "another submission was approved before: the table closes after this round"
            raise BadInput.at("subject", "submission.coming", what, table, "propose it for the new table")
        if table not in journal.tables:
            raise NoSuchTable(table)

    def _successor(self, table: str, details: Details) -> TableSettings:
        """Return the settings of the new table; refuse a submission that does not compile."""
        actor = self._pit.find(table)
        submission, link = actor.settings.submission, details.get("link")
        if "submission" in details:
            submission = with_previous_limit(actor.table.game, _object_of(details, "submission"))
        settings = actor.settings.successor(submission, None if link is None else str(link))
        settings.compile(self._pit.rulebooks)
        return settings


# --- money ------------------------------------------------------------------------------------------------------------


class MeterChangeHandler(PitHandler):
    """Other parameters of a meter."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        """Refuse a change that the meter, as this process last read it, would refuse."""
        stream = f"{PREFIX}{subject}"
        if stream not in self._pit.meters.seen.keys() & self._pit.meter_registry.known().keys():
            allowed = ", ".join(sorted(it.removeprefix(PREFIX) for it in self._pit.meter_registry.known()))
            raise BadInput.at("subject", "meter.unknown", "no such meter", subject, allowed)
        meter = self._pit.meters.seen[stream]
        names = {"id": "tried", "who": "floor", "approved_by": "tried", "reason": "tried"}
        tried = self._command(meter.parameters, details, at=self._pit.now(), **names)
        if isinstance(tried, c.ChangeParameters):
            require_plausible(tried.parameters, self._pit.meter_registry.most_in_a_round(stream))
            self._pit.meter_registry.require_allowed(stream, tried.parameters)
        answer = handler.handle(meter, tried)
        if isinstance(answer, Problem):
            raise BadInput(answer)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        stream, meters = f"{PREFIX}{proposal.subject}", self._pit.meters

        def write(tx: Transaction) -> int:
            # Parameters that the proposal does not name keep the values that they have in this commit.
            before, common = meters.at(tx, stream).parameters, self._common(proposal, approval)
            command = self._command(before, proposal.details, reason=proposal.reason, **common)
            meters.carry_out(tx, stream, command)
            return meters.at(tx, stream).amount_cents

        return await self._changed(approval, [stream], write)

    def _common(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        """Return the fields of every command that a proposal gives to a meter."""
        people = {"who": approval.proposed_by, "approved_by": approval.approved_by}
        return {"id": f"proposal-{proposal.number}", "at": self._pit.now(), **people}

    async def _changed(
        self, approval: Approval, streams: Collection[str], write: Callable[[Transaction], int]
    ) -> dict[str, Any]:
        """Carry out a change of meters, which returns an amount, and show it."""
        amount = await self._commit(approval, streams, write)
        await self._pit.meter_registry.refresh_and_publish(streams)
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


class MeterRetirementHandler(MeterChangeHandler):
    """The end of a meter that no table feeds. Its amount goes to another meter, or to the house."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await super().check(by, subject, details)
        known = self._pit.meter_registry.known()
        if tables := known[f"{PREFIX}{subject}"]:
            what = f"tables feed this meter: they leave the link first ({', '.join(tables)})"
            raise BadInput.at("subject", "meter.fed", what, subject)
        to = str(details.get("to", ""))
        if to and (to == subject or f"{PREFIX}{to}" not in known):
            raise _wrong("details.to", "no such meter", ", ".join(it.removeprefix(PREFIX) for it in known), to)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        stream, meters, to = f"{PREFIX}{proposal.subject}", self._pit.meters, str(proposal.details.get("to", ""))
        heirs = [f"{PREFIX}{to}"] if to else []

        def write(tx: Transaction) -> int:
            micros, common = meters.at(tx, stream).pool_micros, self._common(proposal, approval)
            meters.carry_out(tx, stream, c.RetireMeter(to=to, reason=proposal.reason, **common))
            for heir in heirs if micros else ():
                reason = f"from the retired meter {proposal.subject}: {proposal.reason}"
                meters.carry_out(tx, heir, c.CorrectMeter(micros=micros, reason=reason, **common))
            return micros // MICROS

        return await self._changed(approval, [stream, *heirs], write)

    def _command(self, parameters: Parameters, details: Details, **common: Any) -> c.MeterCommand:
        return c.RetireMeter(to=str(details.get("to", "")), **common)


class MeterCorrectionHandler(MeterChangeHandler):
    """A correction of the amount on a meter."""

    def _command(self, parameters: Parameters, details: Details, **common: Any) -> c.MeterCommand:
        micros = _whole_number("micros", details.get("micros", ""), "millionths of a cent, below 0 to take out")
        return c.CorrectMeter(micros=micros, **common)


class AccountHandler(PitHandler):
    """A proposal about an account, by two people who do not hold it."""

    def interest(self, by: Identity, subject: str, details: Details) -> str:
        return "this is your account: two other people decide" if _key(subject) == by.account else ""


class AccountCorrectionHandler(AccountHandler):
    """A correction of the balance of an account."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        cents = _whole_number("cents", details.get("cents", ""), "an amount in cents, below 0 to take out")
        await self._accounts.check_correction(_key(subject), cents)

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        key = _key(proposal.subject)

        def write(tx: Transaction) -> int:
            self._move(tx, key, int(proposal.details["cents"]), proposal, approval)
            return self._accounts.at(tx, key).balance_cents

        return {"balance_cents": await self._commit(approval, [account_stream(key)], write)}

    def _move(self, tx: Transaction, key: str, cents: int, proposal: Proposal, approval: Approval) -> None:
        people = (approval.proposed_by, approval.approved_by)
        table, number = str(proposal.details.get("table", "")), int(proposal.details.get("round", 0))
        self._accounts.correct(tx, key, cents, reason=proposal.reason, people=people, table=table, round_number=number)


class DepositHandler(AccountCorrectionHandler):
    """A deposit above the most that an account takes in a day."""

    def _move(self, tx: Transaction, key: str, cents: int, proposal: Proposal, approval: Approval) -> None:
        self._accounts.deposit_by_two(tx, key, cents, reason=proposal.reason, by=approval.who)


class RolesHandler(AccountHandler):
    """The role of floor or owner for a person; the owner proposes it."""

    async def check(self, by: Identity, subject: str, details: Details) -> None:
        await self._accounts.check_roles(_key(subject), self._after(details))

    async def describe(self, subject: str, details: Details) -> Details:
        return {**details, "before": ", ".join((await self._accounts.account(_key(subject))).roles)}

    async def apply(self, proposal: Proposal, approval: Approval) -> dict[str, Any]:
        owner = Identity(account=approval.proposed_by, name=approval.proposed_by, roles=("owner",))
        changed = await self._accounts.set_roles(
            owner,
            _key(proposal.subject),
            self._after(proposal.details),
            streams=approval.streams,
            note=approval.note,
            who=approval.who,
        )
        return {"roles": changed.roles}

    def _after(self, details: Details) -> list[str]:
        return str(details.get("roles", "")).split(", ")


HANDLERS: Final[Mapping[tuple[ProposalKind, str], type[PitHandler]]] = {
    ("void", ""): VoidHandler,
    ("card_correction", ""): CardCorrectionHandler,
    ("reversal", ""): ReversalHandler,
    ("award", ""): CommandHandler,
    ("fill", ""): FillHandler,
    ("opening", ""): OpeningHandler,
    ("submission", ""): RuleChangeHandler,
    ("meter_change", ""): MeterChangeHandler,
    ("meter_retirement", ""): MeterRetirementHandler,
    ("correction", ""): MeterCorrectionHandler,
    ("correction", ACCOUNT): AccountCorrectionHandler,
    ("deposit", ACCOUNT): DepositHandler,
    ("roles", ACCOUNT): RolesHandler,
}
"""The handler of each kind, and of the subjects with each prefix."""


def _tried(table: TableState, command: Command) -> Accepted:
    """Return the effect of a command that is only tried; raise the table's refusal."""
    answer = run(table, command)
    if isinstance(answer, Refused):
        raise BadInput(answer.problem)
    return answer


def _object_of(details: Details, name: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(bounded(str(details[name]).encode()))
    except (msgspec.MsgspecError, ValueError):
        raise _wrong(f"details.{name}", "is not JSON", name) from None
    if not isinstance(found, dict):
        raise _wrong(f"details.{name}", "is not a JSON object", name)
    return found


def _key(subject: str) -> str:
    return account_key(subject.removeprefix(ACCOUNT))


def _whole_number(name: str, value: str | int, allowed: str) -> int:
    if isinstance(value, int):
        return value
    raise _wrong(f"details.{name}", "not a whole number", allowed, value)


def _wrong(where: str, what: str, allowed: str, value: str | None = None) -> BadInput:
    return BadInput.at(where, "proposal.details", what, value, allowed)
