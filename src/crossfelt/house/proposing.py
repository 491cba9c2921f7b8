"""What two people do together: a void, a report that shows a card early, a card that was named wrongly, a change or
correction of a meter, a correction of an account, a submission.

One proposes, which is looked at before it is put on the list; another agrees, and it takes effect.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.accounts.approvals import Approvals
from crossfelt.house.accounts.naming import TWO_PEOPLE, account_key, account_stream
from crossfelt.house.accounts.policy import sees_everything, sees_table_of
from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.audit.events import ProposalKind, TableChanging
from crossfelt.house.audit.journal import House, Journal, Proposal
from crossfelt.house.store.port import Transaction
from crossfelt.house.studying import Studies
from crossfelt.house.tables.absent import NoSuchTable
from crossfelt.house.tables.asked import Asked, command_of, grave
from crossfelt.house.tables.meters import PREFIX, require_believed
from crossfelt.house.tables.pit import Pit
from crossfelt.house.tables.rows import Agreed
from crossfelt.house.tables.settings import TableSettings, settings_of, usual_game
from crossfelt.problems import BadInput, Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import deciding
from crossfelt.progressive.events import Parameters
from crossfelt.rulebooks.forming import changes, following
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loading import shipped
from crossfelt.table.acts_floor import rulings
from crossfelt.table.commands import Command, CorrectCard, Role
from crossfelt.table.decks import round_open
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import Table
from crossfelt.training.mishaps import Follows, Situation, followed

ACCOUNT: Final = "account/"
ROUND: Final = "round"
OF_A_ROUND: Final[Mapping[str, tuple[str, ...]]] = {"void": (ROUND,), "card_correction": (ROUND, "place", "card")}
"""What is ruled about a round that is being played, and the details that it takes."""
REPORTS: Final[Mapping[str, Role]] = {"report_irregularity": "floor", "count_stub": "dealer"}
"""What may be found that voids a round, or shows a card early, and in whose role it is told."""
FOLLOWS: Final = "follows"
"""What comes of a void or a report, in words, as it was when it was proposed."""
VOID: Final = Follows(void=True, returned=True, deck="shuffled").words()
GAME: Final = "game_hash"
"""The game that comes of a submission, by the rulebook of when it was proposed."""
CHANGES: Final = "changes"
"""What it changes of the game that was in force then."""
OPENING: Final = "opening"
"""The opening of the table that a round belongs to: rounds are counted anew in each."""
NOT_REPORTED: Final = (ROUND, OPENING, FOLLOWS)
"""Details that are not the report's own."""


class Proposing:
    """Proposals, and what follows from them."""

    def __init__(
        self,
        approvals: Approvals,
        journal: Journal,
        accounts: Accounts,
        pit: Pit,
        studies: Studies,
        now: Callable[[], int],
    ) -> None:
        self._approvals = approvals
        self._journal = journal
        self._studies = studies
        self._accounts = accounts
        self._pit = pit
        self._now = now

    async def propose(
        self, by: Identity, kind: ProposalKind, subject: str, details: dict[str, str | int], reason: str
    ) -> Proposal:
        """Puts something on the list that could be done as it is proposed."""
        if kind in OF_A_ROUND:
            details = {**details, OPENING: self._pit.find(subject).settings.opening}
        self._look(by, kind, subject, details)
        if kind == "void":
            details = {**details, FOLLOWS: self._followed(subject, details)}
        if subject.startswith(ACCOUNT):
            await self._accounts.check_correction(_account_of(subject), int(details["cents"]))
        if kind == "submission":
            details = {"submission": details["submission"], **await self._told(subject, details)}
        return await self._approvals.propose(by, kind, subject, details, reason)

    async def _told(self, table: str, details: Mapping[str, str | int]) -> dict[str, str]:
        """What a submission changes, and what every wager returns before and after: nothing is saved without it."""
        before, after = self._games(table, details)
        returns = await self._studies.compare(before, after)
        return {
            GAME: after.hash,
            CHANGES: _in_json(changes(before, after)),
            "returns": _in_json(returns),
        }

    def _games(self, table: str, details: Mapping[str, str | int]) -> tuple[Game, Game]:
        """What a table goes by, and what it would by a submission."""
        return self._pit.find(table).table.game, self._changed(table, details).compile()

    async def waiting(self, by: Identity) -> list[Proposal]:
        """What waits for a second person, and is not about a table that who asks may not see, nor about a round that
        is over: that stays on record."""
        house = await self._journal.now()
        return [it for it in await self._seen(house, by) if not self._is_over(house, it)]

    async def _seen(self, house: House, by: Identity) -> list[Proposal]:
        return [it for it in await self._approvals.waiting() if it.by == by.account or _sees(house, by, it)]

    def _is_over(self, house: House, proposal: Proposal) -> bool:
        """Whether it is about a round that is played no more, as far as this process knows."""
        if proposal.kind not in OF_A_ROUND:
            return False
        opened = house.tables.get(proposal.subject)
        if opened is None or proposal.details.get(OPENING) != opened.opening:
            return True
        actor = self._pit.actors.get(proposal.subject)
        return actor is not None and not _is_played(actor.table, proposal.details[ROUND])

    async def decline(self, by: Identity, number: int) -> None:
        """Takes something off the list."""
        await self._waiting(by, number)
        await self._approvals.decline(by, number)

    async def _waiting(self, by: Identity, number: int) -> Proposal:
        for proposal in await self._seen(await self._journal.now(), by):
            if proposal.number == number:
                return proposal
        raise BadInput(Problem(code="approval.unknown", what="no such proposal waits", value=number))

    async def approve(self, by: Identity, number: int) -> dict[str, Any]:
        """A second person agrees."""
        proposal = await self._waiting(by, number)
        self._look(by, proposal.kind, proposal.subject, proposal.details)
        if proposal.kind == "void":
            self._look_at_what_follows(proposal)
        if proposal.kind in OF_A_ROUND:
            return await self._rule(by, proposal)
        if proposal.kind == "submission":
            return await self._submit(by, proposal)
        if proposal.subject.startswith(ACCOUNT):
            return await self._correct_account(by, proposal)
        return await self._change_meter(by, proposal)

    def _look(self, by: Identity, kind: ProposalKind, subject: str, details: Mapping[str, str | int]) -> None:
        """Whether there is such a thing, for who asks, and the details say what is to be done with it."""
        if kind in OF_A_ROUND or kind == "submission":
            if not sees_table_of(self._pit.find(subject).settings.owner, by):
                raise NoSuchTable(subject)
            wanted = OF_A_ROUND.get(kind, ("submission",))
            for name in wanted:
                if name not in details:
                    raise _wrong("details", f"{name} is missing", ", ".join(wanted))
            if kind == "submission":
                changed = self._changed(subject, details)
                self._pit.meters.linked(changed, changed.compile()).check(self._pit.find(subject).meters)
                return
            self._look_at_round(subject, details)
            if kind == "void":
                self._look_at_void(subject, details)
            else:
                self._look_at_card(subject, details)
        elif kind == "correction" and subject.startswith(ACCOUNT):
            if _account_of(subject) == by.account:
                what, allowed = "a correction of one's own account is for two other people", "another person"
                raise BadInput(
                    Problem(code="approval.own_account", where="subject", what=what, value=by.name, allowed=allowed)
                )
            if not isinstance(details.get("cents"), int):
                raise _wrong("details", "cents is missing: more than nothing to put in, less to take out", "cents")
        elif f"{PREFIX}{subject}" not in self._pit.meters.seen.keys() & self._pit.board.known().keys():
            raise BadInput(Problem(code="meter.unknown", where="subject", what="no such meter", value=subject))
        else:
            self._look_at_meter(kind, f"{PREFIX}{subject}", details)

    def _look_at_round(self, name: str, details: Mapping[str, str | int]) -> None:
        """Whether the round that is meant is being played, in the opening that is meant."""
        actor = self._pit.find(name)
        number = details[ROUND]
        if not isinstance(number, int):
            raise _wrong("details.round", "is not the number of a round", "a whole number")
        if details.get(OPENING) != actor.settings.opening or number != actor.table.round:
            what = "that round is not being played"
            allowed = f"{actor.table.round} of opening {actor.settings.opening}"
            raise BadInput(Problem(code="late", where="details.round", what=what, value=number, allowed=allowed))

    def _look_at_void(self, name: str, details: Mapping[str, str | int]) -> None:
        """Whether the round is the floor's to call void, or what was found makes it so."""
        if "command" in details:
            self._look_at_report(name, details)
            return
        table = self._pit.find(name).table
        open_here = () if table.pending is None else rulings(table)
        if "void" not in open_here:
            what = "the floor cannot call this round void: no irregularity leaves that to it"
            allowed = ", ".join(open_here)
            raise BadInput(Problem(code="ruling", where="details", what=what, value="void", allowed=allowed))

    def _look_at_report(self, name: str, details: Mapping[str, str | int]) -> None:
        """Whether what was found can be told now, and is grave: anything else takes no second person."""
        if details["command"] not in REPORTS:
            raise _wrong("details.command", "is not a report", ", ".join(REPORTS))
        table = self._pit.find(name).table
        answer = run(table, self._report(name, details))
        if isinstance(answer, Refused):
            raise BadInput(answer.problem)
        if not grave(table, answer):
            what = "this voids no round and shows no card early: report it at the table"
            raise _wrong("details", what, "what voids the round, or shows a card early")

    def _report(self, name: str, details: Mapping[str, str | int]) -> Command:
        """What was found, as a command that is only tried."""
        actor = self._pit.find(name)
        asked = Asked(id="tried", who="floor", role=_reported_as(details), fields=_reported(details))
        return command_of(asked, asked.id, actor.table, None, actor.now())

    def _followed(self, name: str, details: Mapping[str, str | int]) -> str:
        """What comes of a void or a report, for who is to agree to it."""
        if "command" not in details:
            return VOID
        return followed(Situation(self._pit.find(name).table, (self._report(name, details),), details)).words()

    def _look_at_what_follows(self, proposal: Proposal) -> None:
        """Whether what a second person agrees to still is what they have read."""
        follows = self._followed(proposal.subject, proposal.details)
        if follows != proposal.details[FOLLOWS]:
            what, told = "what follows is another thing by now: propose it again", str(proposal.details[FOLLOWS])
            raise BadInput(Problem(code="late", where="details.follows", what=what, value=told, allowed=follows))

    def _look_at_what_was_told(self, proposal: Proposal) -> None:
        """Whether the game of which a second person has read the returns still is what comes of a submission, which a
        later version's rulebook may make another; and whether it changes what was said, or undoes what has come into
        force meanwhile."""
        before, after = self._games(proposal.subject, proposal.details)
        told = proposal.details
        if told.get(GAME) != after.hash:
            what = "another game would come of it by now than the one it was told of: propose it again"
            raise BadInput(
                Problem(code="late", where=f"details.{GAME}", what=what, value=told.get(GAME), allowed=after.hash)
            )
        if told.get(CHANGES) != _in_json(changes(before, after)):
            what, allowed = "it would change other things by now than was told", "another proposal"
            raise BadInput(
                Problem(code="late", where=f"details.{CHANGES}", what=what, value=proposal.subject, allowed=allowed)
            )

    def _look_at_card(self, name: str, details: Mapping[str, str | int]) -> None:
        """Whether the card that lies there may be put right now, and can be the one that is named."""
        actor = self._pit.find(name)
        place, card = str(details["place"]), Card(str(details["card"]))
        tried = CorrectCard(id="tried", who="floor", role="floor", at=actor.now(), place=place, cards=(card,))
        answer = run(actor.table, tried)
        if isinstance(answer, Refused):
            raise BadInput(answer.problem)

    def _look_at_meter(self, kind: ProposalKind, stream: str, details: Mapping[str, str | int]) -> None:
        """Whether the meter, as it was last seen, bears what is proposed."""
        meter = self._pit.meters.seen[stream]
        tried = self._meter_command(kind, meter.parameters, details, who="floor", reason="tried")
        if isinstance(tried, c.ProposeChange):
            require_believed(tried.parameters, self._pit.board.most_in_a_round(stream))
        answer = deciding.run(meter, tried)
        if isinstance(answer, Problem):
            raise BadInput(answer)

    # --- tables -----------------------------------------------------------------------------------------------------

    async def _rule(self, by: Identity, proposal: Proposal) -> dict[str, Any]:
        """The floor rules, in the name of both; what they agreed to is in the same commit."""
        if proposal.kind == "void":
            fields = _reported(proposal.details)
        else:
            place, card = proposal.details["place"], proposal.details["card"]
            fields = {"command": "correct_card", "place": place, "cards": [card]}
        if fields["command"] != "count_stub":  # of which the reason is in the journal alone
            fields["note"] = proposal.reason
        asked = Asked(
            id=f"proposal-{proposal.number}-{secrets.token_hex(4)}",
            who=TWO_PEOPLE.join((proposal.by, by.account)),
            role=_reported_as(proposal.details),
            fields=fields,
            round=int(proposal.details[ROUND]),
            agreed=Agreed(
                self._approvals.streams(by, proposal), lambda tx: self._approvals.agree(tx, by, proposal.number)
            ),
        )
        answer = await self._pit.find(proposal.subject).ask(asked)
        if answer.problem is not None:
            raise BadInput(answer.problem)
        return {"seq": answer.seq}

    async def _submit(self, by: Identity, proposal: Proposal) -> dict[str, Any]:
        """The table opens again with another submission before its next round, never in the middle of one."""
        self._look_at_what_was_told(proposal)
        settings = self._changed(proposal.subject, proposal.details)

        def effect(tx: Transaction, agreed: Proposal) -> TableChanging:
            self._require_next(tx, settings)
            changing = TableChanging(
                by=TWO_PEOPLE.join((agreed.by, by.account)),
                at=self._now(),
                table=agreed.subject,
                settings=msgspec.to_builtins(settings),
            )
            self._journal.write(tx, changing)
            return changing

        changing = await self._approvals.approve(by, proposal, [], effect)
        return {"opening": settings.opening, "in_force": await self._pit.reopening.change(changing)}

    def _require_next(self, tx: Transaction, settings: TableSettings) -> None:
        """Only the next opening of a table can be agreed to, and only once: none takes the place of another."""
        house = self._journal.at(tx)
        coming = house.coming.get(settings.id)
        if coming is not None and usual_game(settings_of(coming)) is not None:
            what, allowed = "another submission was agreed to before", "another proposal, once it is in force"
            raise BadInput(
                Problem(code="submission.coming", where="subject", what=what, value=settings.id, allowed=allowed)
            )
        opened = house.tables.get(settings.id)
        if opened is None or settings.opening != opened.opening + 1:
            what, allowed = "the table was opened again, or closed, meanwhile", "look at it again"
            raise BadInput(Problem(code="late", where="subject", what=what, value=settings.id, allowed=allowed))

    def _changed(self, table: str, details: Mapping[str, str | int]) -> TableSettings:
        actor = self._pit.find(table)
        try:
            submission = msgspec.json.decode(str(details["submission"]))
        except (msgspec.MsgspecError, RecursionError):
            raise _wrong("details.submission", "is not JSON", "submission") from None
        if not isinstance(submission, dict):
            raise _wrong("details.submission", "is not a table of choices", "submission")
        submission = following(actor.table.game, shipped(actor.settings.rulebook), submission)
        changed = msgspec.structs.replace(actor.settings, submission=submission, opening=actor.settings.opening + 1)
        changed.compile()
        return changed

    # --- money ------------------------------------------------------------------------------------------------------

    async def _correct_account(self, by: Identity, proposal: Proposal) -> dict[str, Any]:
        key = _account_of(proposal.subject)
        cents = int(proposal.details["cents"])

        def effect(tx: Transaction, agreed: Proposal) -> int:
            if agreed.by == key:
                # Nobody may propose this any more: who agrees has done nothing that is noted.
                what, allowed = "the holder of the account has proposed it: decline it", "proposed by another person"
                raise BadInput(Problem(code="late", where="by", what=what, value=agreed.by, allowed=allowed))
            self._accounts.correct(tx, key, cents, reason=agreed.reason, by=TWO_PEOPLE.join((agreed.by, by.account)))
            return self._accounts.at(tx, key).balance_cents

        streams = [account_stream(key)]
        return {"balance_cents": await self._approvals.approve(by, proposal, streams, effect)}

    async def _change_meter(self, by: Identity, proposal: Proposal) -> dict[str, Any]:
        """The meter's own stream has both: who proposed it, and who agreed."""
        stream = f"{PREFIX}{proposal.subject}"

        def effect(tx: Transaction, agreed: Proposal) -> int:
            # What nobody changes stays as it is in this commit: two others may have agreed to something meanwhile.
            room = self._pit.meters
            before = room.at(tx, stream).parameters
            command = self._meter_command(
                agreed.kind, before, agreed.details, who=agreed.by, reason=agreed.reason, number=agreed.number
            )
            room.give(tx, stream, command)
            number = room.at(tx, stream).proposed
            room.give(tx, stream, c.Agree(id=f"agree-{agreed.number}", who=by.account, at=self._now(), proposal=number))
            return room.at(tx, stream).amount_cents

        amount = await self._approvals.approve(by, proposal, [stream], effect)
        await self._pit.board.moved([stream])
        return {"amount_cents": amount}

    def _meter_command(
        self,
        kind: ProposalKind,
        parameters: Parameters,
        details: Mapping[str, str | int],
        *,
        who: str,
        reason: str,
        number: int = 0,
    ) -> c.MeterCommand:
        told: dict[str, Any] = {"id": f"proposal-{number}", "who": who, "at": self._now(), "reason": reason}
        if kind == "correction":
            if not isinstance(details.get("micros"), int):
                raise _wrong("details", "micros is missing: millionths of a cent", "micros")
            return c.ProposeCorrection(micros=int(details["micros"]), **told)
        before = msgspec.structs.asdict(parameters)
        changeable = {name: value for name, value in before.items() if name != "rate_per_million"}
        if not details or not set(details).issubset(changeable):
            raise _wrong(
                "details", "the rate is the submission's; what else a meter has may be changed", ", ".join(changeable)
            )
        try:
            return c.ProposeChange(parameters=msgspec.convert({**before, **details}, Parameters), **told)
        except msgspec.ValidationError as error:
            raise _wrong("details", str(error), "whole numbers") from None


def _in_json(told: object) -> str:
    return msgspec.json.encode(told).decode()


def _is_played(table: Table, number: str | int) -> bool:
    """Whether a round can still be ruled upon: it is not over, nor void."""
    return number == table.round and not table.voided and round_open(table)


def _reported(details: Mapping[str, str | int]) -> dict[str, Any]:
    """What voids a round, as the table is told of it: what was found, or that the floor rules so."""
    found = {name: value for name, value in details.items() if name not in NOT_REPORTED}
    return found if "command" in found else {"command": "decide_floor", "ruling": "void"}


def _reported_as(details: Mapping[str, str | int]) -> Role:
    return REPORTS.get(str(details.get("command")), "floor")


def _sees(house: House, by: Identity, proposal: Proposal) -> bool:
    """A table that is gone without being on record was private: it is theirs alone who see everything."""
    if proposal.kind not in (*OF_A_ROUND, "submission"):
        return True
    table = house.tables.get(proposal.subject) or house.closed.get(proposal.subject)
    if table is None:
        return sees_everything(by)
    return sees_table_of(str(table.settings.get("owner", "")), by)


def _account_of(subject: str) -> str:
    return account_key(subject.removeprefix(ACCOUNT))


def _wrong(where: str, what: str, allowed: str) -> BadInput:
    return BadInput(Problem(code="proposal.details", where=where, what=what, allowed=allowed))
