"""Who was refused what, in the journal: the first time at once, and then how often within some time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.account import ROLES, Role
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import Journal
from crossfelt.server.store.interface import StoreError

LONGEST_PATH: Final = 200
STRANGER: Final = "stranger"
"""Who has not come in, in the journal."""
NOTED_MILLISECONDS: Final = 60_000
"""What somebody is refused is noted at once, and how often they were refused it since after this time."""


class Denials:
    """Those of each person and act are noted together, and so are those of all strangers: whoever asks without end, and
    a guest has come in by asking for it, could fill the journal."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self._journal = journal
        self._clock = clock
        self._gathered: dict[tuple[str, str], _Gathered] = {}

    async def note(self, identity: Identity | None, act: str, why: str, address: str, path: str = "") -> None:
        """One more, at a path that says of what. Where the store is away it is noted later; who was refused is told so
        all the same."""
        by, roles = (identity.account, identity.roles) if identity else (STRANGER, ())
        gathered = self._gathered.setdefault((by, act), _Gathered())
        address, path = "" if identity else address, path[:LONGEST_PATH]
        gathered.count(e.Withheld(by=by, at=0, act=act, path=path, roles=roles, why=why, address=address))
        with suppress(StoreError):
            await self._note(gathered)

    async def note_gathered(self, *, at_last: bool = False) -> None:
        """Notes those of whom it is time, also where nobody has come since; or all of them."""
        now = self._clock()
        # People and tables come and go: of what nobody asks for any more there would be ever more.
        self._gathered = {key: it for key, it in self._gathered.items() if not it.forgotten(now)}
        for gathered in list(self._gathered.values()):
            await self._note(gathered, at_last=at_last)

    async def _note(self, gathered: _Gathered, *, at_last: bool = False) -> None:
        now = self._clock()
        if noted := gathered.due(now, at_last=at_last):
            try:
                await self._journal.note(noted)
            except BaseException:  # who asked may also have gone
                gathered.take_back(noted)
                raise


class _Gathered:
    """How often somebody was refused one thing."""

    def __init__(self) -> None:
        self._last: e.Withheld | None = None
        self._times = 0
        self._next = 0

    def count(self, refused: e.Withheld) -> None:
        """One more."""
        self._last = refused
        self._times += 1

    def forgotten(self, now: int) -> bool:
        """Whether the next time would be the first again."""
        return not self._times and now >= self._next

    def due(self, now: int, *, at_last: bool) -> e.Withheld | None:
        """What is to be noted now, as the last of them was."""
        if self._last is None or not self._times or (now < self._next and not at_last):
            return None
        times, self._times, self._next = self._times, 0, now + NOTED_MILLISECONDS
        return replace(self._last, at=now, times=times)

    def take_back(self, noted: e.Withheld) -> None:
        """What could not be noted is due again."""
        self._times += noted.times
        self._next = 0


# --- Who may do what: one table for every route and every command. What is not in it is allowed to nobody.


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """Who an act is open to."""

    roles: tuple[Role, ...] = ()
    public: bool = False
    """Open to whoever comes, logged in or not."""
    with_one_time_password: bool = False
    """Open also to who must set a password first."""

    @property
    def privileged(self) -> bool:
        """Not for players: that somebody was refused it is noted."""
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
"""The house does it by itself; from outside it is always refused."""

WHOLE: Final[tuple[Role, ...]] = ("auditor", "owner")
"""Who sees every card of a round that is over, and what is on record of every table."""

ROUTES: Final[Mapping[str, Policy]] = {
    **dict.fromkeys(("GET /", "GET /lobby", "GET /table/{rest}", "GET /rules", "GET /rules/{rest}"), ANYBODY),
    **dict.fromkeys(("GET /laboratory", "GET /laboratory/{rest}", "GET /settings"), ANYBODY),
    **dict.fromkeys(("GET /review/{rest}", "GET /history/{rest}"), ANYBODY),
    **dict.fromkeys(("GET /train", "GET /console", "GET /console/{rest}"), ANYBODY),
    **dict.fromkeys(("GET /web/{path}", "GET /favicon.ico", "GET /api"), ANYBODY),
    "GET /healthz": ANYBODY,
    "GET /readyz": ANYBODY,
    "GET /metrics": ANYBODY,
    "GET /api/openapi.json": ANYBODY,
    "GET /api/games": ANYBODY,
    "GET /api/games/{rulebook}": ANYBODY,
    "GET /api/lobby": ANYBODY,
    "POST /api/guests": ANYBODY,
    "POST /api/accounts": ANYBODY,
    "POST /api/session": ANYBODY,
    "DELETE /api/session": ALWAYS,
    "GET /api/me": ANYBODY,
    "PUT /api/me/password": ALWAYS,
    "POST /api/me/deposits": PLAYERS,
    "GET /api/accounts": STAFF,
    "PUT /api/accounts/{name}/roles": OWNER,
    "POST /api/accounts/{name}/deposits": FLOOR,
    "POST /api/tables": LOGGED_IN,
    "DELETE /api/tables/{table}": FLOOR,
    "POST /api/tables/{table}/bots": LOGGED_IN,
    "DELETE /api/tables/{table}/bots/{seat}": LOGGED_IN,
    "GET /api/tables/{table}/live": ANYBODY,
    "GET /api/tables/{table}/game": ANYBODY,
    "GET /api/tables/{table}/desk": LOGGED_IN,
    "POST /api/tables/{table}/desk/line": LOGGED_IN,
    "GET /api/tables/{table}/desk/troubles": LOGGED_IN,
    "GET /api/tables/{table}/settings": LOGGED_IN,
    "GET /api/tables/{table}/review": LOGGED_IN,
    "GET /api/tables/{table}/rounds": LOGGED_IN,
    "GET /api/tables/{table}/rounds/{number}": LOGGED_IN,
    "GET /api/tables/{table}/history": AUDIT,
    "GET /api/floor": BEHIND_THE_FELT,
    "GET /api/floor/meters": STAFF,
    "GET /api/figures": STAFF,
    "GET /api/tables/{table}/figures": STAFF,
    "GET /api/tables/{table}/irregularities": BEHIND_THE_FELT,
    "GET /api/tables/{table}/submission": STAFF,
    "POST /api/tables/{table}/submission/check": FLOOR,
    "POST /api/tables/{table}/submission/figures": FLOOR,
    "GET /api/studies/{study}": FLOOR,
    "DELETE /api/studies/{study}": FLOOR,
    "GET /api/tables/{table}/cases": AUDIT,
    "GET /api/tables/{table}/rounds/{number}/replay": AUDIT,
    "GET /api/tables/{table}/rounds/{number}/dispute": AUDIT,
    "GET /api/clauses/{clause}": ANYBODY,
    "POST /api/advice": LOGGED_IN,
    "POST /api/laboratory": LOGGED_IN,
    "GET /api/laboratory/report": LOGGED_IN,
    "POST /api/type": LOGGED_IN,
    "GET /api/training": LOGGED_IN,
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
    "POST /api/audit/verify": AUDIT,
    "GET /api/streams/{stream}": AUDIT,
    "GET /api/proposals": STAFF,
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
    **dict.fromkeys(("report_irregularity", "mark_device", "draw_awards"), DEALERS),
    **dict.fromkeys(("open_table", "close_table", "record_fill", "record_credit"), FLOOR),
    **dict.fromkeys(("validate_award", "complete_documents", "correct_card"), FLOOR),
    **dict.fromkeys(("order_recut", "order_shuffle", "remove_deck", "decide_floor", "change_method"), FLOOR),
    "grant_award": NOBODY,
}
"""Every command of a table that may come from outside, by its tag. In which role somebody acts, they choose among
those that they have; what a role may do at a table, the table says as well."""


def problem(policy: Policy, identity: Identity | None, act: str) -> Problem | None:
    """Why an act is refused; None where it is allowed.

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
        value = ", ".join(identity.roles) or "no role"
        return Problem(code="policy.role", where=act, what="not for this role", value=value, allowed=allowed)
    return None


def sees_table_of(owner: str, identity: Identity | None) -> bool:
    """Whether somebody may see what is on record of a table: of a private one its owner, and who sees everything."""
    return comes_to_table_of(owner, identity) or sees_everything(identity)


def sees_everything(identity: Identity | None) -> bool:
    """Whether somebody may see what is on record of every table, whoever has it."""
    return identity is not None and bool(set(WHOLE).intersection(identity.roles))


def comes_to_table_of(owner: str, identity: Identity | None) -> bool:
    """Whether somebody may come to a table, to look on or more: to a private one nobody but its owner."""
    return not owner or (identity is not None and identity.name == owner)


class Guard:
    """Lets through or refuses, and notes who was refused what they should not have asked for."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self.refusals = Denials(journal, clock)

    async def check_route(self, identity: Identity | None, route: str, address: str = "", path: str = "") -> None:
        policy = ROUTES.get(route, NOBODY)
        refused = problem(policy, identity, route)
        if refused is None:
            return
        if policy.privileged:
            await self.refusals.note(identity, route, refused.code, address, path)
        raise BadInput(refused)
