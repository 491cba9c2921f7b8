"""Permissions: one table with every route and every command, and the roles that may use it.

A route or command that is not in the table is refused to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.account import ROLES, Role
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import STRANGER
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import Journal
from crossfelt.server.store.interface import StoreError
from crossfelt.table.engine import ACTS

LONGEST_PATH: Final = 200
INTERVAL_MS: Final = 60_000


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """The roles that may perform an act."""

    roles: tuple[Role, ...] = ()
    public: bool = False
    """Also for clients that are not logged in."""
    with_one_time_password: bool = False
    """Also for an account that still has its one-time password."""

    @property
    def privileged(self) -> bool:
        """True for acts that are not for players. Their denials are noted."""
        return not self.public and "player" not in self.roles


ANYBODY: Final = Policy(public=True, with_one_time_password=True)
LOGGED_IN: Final = Policy(roles=ROLES)
ALWAYS: Final = Policy(roles=ROLES, with_one_time_password=True)
PLAYERS: Final = Policy(roles=("player",))
DEALERS: Final = Policy(roles=("dealer", "floor"))
FLOOR: Final = Policy(roles=("floor", "owner"))
AUDIT: Final = Policy(roles=("auditor", "owner"))
STAFF: Final = Policy(roles=("floor", "auditor", "owner"))
BEHIND_THE_FELT: Final = Policy(roles=("dealer", "floor", "auditor", "owner"))
OWNER: Final = Policy(roles=("owner",))
NOBODY: Final = Policy()
"""Only the server performs these acts; every client is refused."""

WHOLE: Final[tuple[Role, ...]] = ("auditor", "owner")
"""The roles that see every card of a finished round, and the records of every table."""

ROUTES: Final[Mapping[str, Policy]] = {
    **dict.fromkeys(("GET /", "GET /lobby", "GET /table/{rest}", "GET /rules", "GET /rules/{rest}"), ANYBODY),
    **dict.fromkeys(("GET /laboratory", "GET /laboratory/{rest}", "GET /settings"), ANYBODY),
    **dict.fromkeys(("GET /review/{rest}", "GET /history/{rest}", "GET /proof/{rest}"), ANYBODY),
    **dict.fromkeys(("GET /train", "GET /console", "GET /console/{rest}"), ANYBODY),
    **dict.fromkeys(("GET /web/{path}", "GET /favicon.ico", "GET /api"), ANYBODY),
    "GET /healthz": ANYBODY,
    "GET /readyz": ANYBODY,
    "GET /metrics": ANYBODY,
    "GET /api/openapi.json": ANYBODY,
    "GET /api/games": ANYBODY,
    "GET /api/games/{rulebook}": ANYBODY,
    "GET /api/games/{rulebook}/how-to-play": ANYBODY,
    "GET /api/lobby": ANYBODY,
    "POST /api/guests": ANYBODY,
    "POST /api/accounts": ANYBODY,
    "POST /api/session": ANYBODY,
    "DELETE /api/session": ALWAYS,
    "GET /api/me": ANYBODY,
    "DELETE /api/me": PLAYERS,
    "PUT /api/me/password": ALWAYS,
    "PUT /api/me/name": PLAYERS,
    "POST /api/me/deposits": PLAYERS,
    "POST /api/me/suspension": PLAYERS,
    "GET /api/me/sessions": LOGGED_IN,
    "DELETE /api/me/sessions/{session}": LOGGED_IN,
    "POST /api/staff": OWNER,
    "POST /api/accounts/{name}/password": OWNER,
    "POST /api/accounts/{name}/suspension": FLOOR,
    "DELETE /api/accounts/{name}/suspension": OWNER,
    "GET /api/accounts/{name}/sessions": OWNER,
    "DELETE /api/accounts/{name}/sessions/{session}": OWNER,
    "GET /api/invitation": LOGGED_IN,
    "GET /api/tables/{table}/invitation": LOGGED_IN,
    "POST /api/tables/{table}/guests": PLAYERS,
    "GET /api/accounts": STAFF,
    "PUT /api/accounts/{name}/roles": OWNER,
    "POST /api/accounts/{name}/deposits": FLOOR,
    "POST /api/tables": LOGGED_IN,
    "DELETE /api/tables/{table}": FLOOR,
    "POST /api/tables/{table}/seats/{seat}/removal": FLOOR,
    "POST /api/tables/{table}/bots": LOGGED_IN,
    "DELETE /api/tables/{table}/bots/{seat}": LOGGED_IN,
    "GET /api/tables/{table}/live": ANYBODY,
    "GET /api/tables/{table}/game": ANYBODY,
    "GET /api/tables/{table}/guide": ANYBODY,
    "GET /api/tables/{table}/how-to-play": ANYBODY,
    "GET /api/tables/{table}/desk": LOGGED_IN,
    "POST /api/tables/{table}/desk/line": LOGGED_IN,
    "POST /api/tables/{table}/desk/exam": LOGGED_IN,
    "POST /api/tables/{table}/desk/exam/answers": LOGGED_IN,
    "DELETE /api/tables/{table}/desk/exam": LOGGED_IN,
    "GET /api/tables/{table}/desk/troubles": LOGGED_IN,
    "POST /api/tables/{table}/desk/award": LOGGED_IN,
    "GET /api/tables/{table}/settings": LOGGED_IN,
    "GET /api/tables/{table}/review": LOGGED_IN,
    "GET /api/tables/{table}/rounds": LOGGED_IN,
    "GET /api/tables/{table}/rounds/{number}": LOGGED_IN,
    "GET /api/tables/{table}/history": AUDIT,
    "GET /api/tables/{table}/own-rounds": LOGGED_IN,
    "GET /api/tables/{table}/own-rounds.csv": LOGGED_IN,
    "GET /api/floor": BEHIND_THE_FELT,
    "GET /api/floor/meters": STAFF,
    "GET /api/floor/alarms": BEHIND_THE_FELT,
    "POST /api/floor/alarms/acknowledgement": FLOOR,
    "GET /api/figures": STAFF,
    "GET /api/figures/day": STAFF,
    "GET /api/figures/day.csv": STAFF,
    "GET /api/tables/{table}/figures": STAFF,
    "GET /api/tables/{table}/statistics": STAFF,
    "GET /api/tables/{table}/irregularities": BEHIND_THE_FELT,
    "GET /api/tables/{table}/records": BEHIND_THE_FELT,
    "GET /api/tables/{table}/submission": STAFF,
    "POST /api/tables/{table}/submission/check": FLOOR,
    "POST /api/tables/{table}/submission/figures": FLOOR,
    "GET /api/studies/{study}": FLOOR,
    "DELETE /api/studies/{study}": FLOOR,
    "GET /api/tables/{table}/cases": STAFF,
    "GET /api/tables/{table}/rounds/{number}/replay": STAFF,
    "GET /api/tables/{table}/rounds/{number}/dispute": AUDIT,
    "GET /api/tables/{table}/proof/{event}": LOGGED_IN,
    "GET /api/tables/{table}/rules": ANYBODY,
    "GET /api/tables/{table}/edge/{wager}": LOGGED_IN,
    "GET /api/clauses/{clause}": ANYBODY,
    "POST /api/advice": LOGGED_IN,
    "POST /api/laboratory": LOGGED_IN,
    "GET /api/laboratory/report": LOGGED_IN,
    "POST /api/type": LOGGED_IN,
    "GET /api/training": LOGGED_IN,
    "GET /api/training/progress": LOGGED_IN,
    "PUT /api/training/progress": LOGGED_IN,
    "POST /api/training/questions": LOGGED_IN,
    "POST /api/training/answers": LOGGED_IN,
    "GET /api/meters": ANYBODY,
    "GET /api/audit": AUDIT,
    "GET /api/audit/heads": AUDIT,
    "GET /api/audit/status": AUDIT,
    "GET /api/audit/streams": AUDIT,
    "GET /api/audit/entries": AUDIT,
    "GET /api/audit/entries.csv": AUDIT,
    "GET /api/audit/entries.json": AUDIT,
    "GET /api/audit/sample": AUDIT,
    "GET /api/audit/evidence": AUDIT,
    "POST /api/audit/verify": AUDIT,
    "GET /api/streams/{stream}": AUDIT,
    "GET /api/proposals": STAFF,
    "GET /api/proposals/decided": STAFF,
    "POST /api/proposals": FLOOR,
    "POST /api/proposals/{number}/approval": FLOOR,
    "DELETE /api/proposals/{number}": FLOOR,
}

SERVER_ONLY: Final = ("grant_award", "mix_deck")
"""Commands that no client may give."""
COMMANDS: Final[Mapping[str, Policy]] = {
    act.name: PLAYERS if act.roles == ("player",) else DEALERS if "dealer" in act.roles else FLOOR for act in ACTS
} | dict.fromkeys(SERVER_ONLY, NOBODY)
"""Every command of a table by its tag. A client chooses one of its account's roles for each connection, and the table
checks that role too."""


def problem(policy: Policy, identity: Identity | None, act: str) -> Problem | None:
    """Return the reason to refuse an act; None if it is allowed.

    >>> print(problem(OWNER, None, "PUT /api/accounts/{name}/roles"))
    PUT /api/accounts/{name}/roles: log in first (allowed: owner)
    """
    if policy.public:
        return None
    allowed = ", ".join(policy.roles) or "nobody"
    if identity is None:
        return Problem(code="policy.log_in", where=act, what="log in first", allowed=allowed)
    if identity.must_set_password and not policy.with_one_time_password:
        return Problem(code="policy.password", where=act, what="set a password of your own first")
    if not set(policy.roles).intersection(identity.roles):
        return Problem.at(act, "policy.role", "not for this role", ", ".join(identity.roles) or "no role", allowed)
    return None


def sees_table_of(owner: str, identity: Identity | None, table: str = "") -> bool:
    """Return whether an account may read the records of a table: its players and auditors may."""
    return comes_to_table_of(owner, identity, table) or sees_everything(identity)


def sees_everything(identity: Identity | None) -> bool:
    """Return whether an account may read the records of every table."""
    return identity is not None and bool(set(WHOLE).intersection(identity.roles))


def comes_to_table_of(owner: str, identity: Identity | None, table: str = "") -> bool:
    """Return whether an account may watch or play at a table: at a private one its owner and invited players may.

    `table` is the table's first id.
    """
    return not owner or (identity is not None and (identity.name == owner or table in identity.invited_to))


# --- denials ----------------------------------------------------------------------------------------------------------


class _Tally(msgspec.Struct):
    """The denials of one account and act since the last entry."""

    last: e.Withheld | None = None
    times: int = 0
    next: int = 0


class Guard:
    """Checks requests against the table of routes, and notes denials of privileged acts in the journal.

    The first denial of an account and act is noted at once, later ones once a minute with their count. Otherwise a
    guest could fill the journal with endless requests. All clients that are not logged in count as one.
    """

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self._journal = journal
        self._clock = clock
        self._tallies: dict[tuple[str, str], _Tally] = {}

    async def check_route(self, identity: Identity | None, route: str, address: str = "", path: str = "") -> None:
        policy = ROUTES.get(route, NOBODY)
        refused = problem(policy, identity, route)
        if refused is None:
            return
        if policy.privileged:
            await self.note(identity, route, refused.code, address, path)
        raise BadInput(refused)

    async def note(self, identity: Identity | None, act: str, why: str, address: str, path: str = "") -> None:
        """Count a denial, and note it if it is due; during an outage of the store it is noted later."""
        by, roles = (identity.account, identity.roles) if identity else (STRANGER, ())
        tally = self._tallies.setdefault((by, act), _Tally())
        address, path = "" if identity else address, path[:LONGEST_PATH]
        tally.last = e.Withheld(by=by, at=0, act=act, path=path, roles=roles, why=why, address=address)
        tally.times += 1
        with suppress(StoreError):
            await self._write(tally)

    async def flush(self, *, everything: bool = False) -> None:
        """Note the denials that are due, or everything at a shutdown, and drop tallies that are no longer needed."""
        now = self._clock()
        self._tallies = {key: tally for key, tally in self._tallies.items() if tally.times or now < tally.next}
        for tally in list(self._tallies.values()):
            await self._write(tally, everything=everything)

    async def _write(self, tally: _Tally, *, everything: bool = False) -> None:
        now = self._clock()
        if tally.last is None or not tally.times or (now < tally.next and not everything):
            return
        times, tally.times, tally.next = tally.times, 0, now + INTERVAL_MS
        try:
            await self._journal.note(replace(tally.last, at=now, times=times))
        except BaseException:  # also where the request was cancelled
            tally.times += times
            tally.next = 0
            raise
