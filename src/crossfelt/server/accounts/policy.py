"""Permissions: one table with every route and every command, and the roles that may use it.

A route or command that is not in the table is refused to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.account import ROLES, Role
from crossfelt.server.accounts.denials import Denials
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.journal.stream import Journal


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
"""Every route, as method and path."""

COMMANDS: Final[Mapping[str, Policy]] = {
    **dict.fromkeys(("take_seat", "leave_seat", "buy_chips", "take_bank", "decline_bank", "place_wagers"), PLAYERS),
    **dict.fromkeys(("bet", "fold", "choose", "set_hand", "set_house_way", "surrender"), PLAYERS),
    **dict.fromkeys(("prepare_deck", "shuffle_deck", "cut_deck", "load_deck", "spread_idle"), DEALERS),
    **dict.fromkeys(("no_more_bets", "deal_cards", "count_stub", "discard_stub", "turn_up"), DEALERS),
    **dict.fromkeys(("collect_folds", "choose_first_hand", "set_dealer_hand", "expose_seat", "time_out"), DEALERS),
    **dict.fromkeys(("settle_seat", "discard_cards", "spin_wheel", "pass_spin", "spin_xtreme", "pay_spin"), DEALERS),
    **dict.fromkeys(("report_irregularity", "mark_device", "draw_awards", "take_back"), DEALERS),
    **dict.fromkeys(("open_table", "close_table", "record_fill", "record_credit", "check_fittings"), FLOOR),
    **dict.fromkeys(("validate_award", "complete_documents", "correct_card", "reverse_round"), FLOOR),
    **dict.fromkeys(("order_recut", "order_shuffle", "remove_deck", "decide_floor", "change_method"), FLOOR),
    **dict.fromkeys(("grant_award", "mix_deck"), NOBODY),
}
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


class Guard:
    """Checks requests against the table of routes, and notes denials of privileged routes."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self.denials = Denials(journal, clock)

    async def check_route(self, identity: Identity | None, route: str, address: str = "", path: str = "") -> None:
        policy = ROUTES.get(route, NOBODY)
        refused = problem(policy, identity, route)
        if refused is None:
            return
        if policy.privileged:
            await self.denials.note(identity, route, refused.code, address, path)
        raise BadInput(refused)
