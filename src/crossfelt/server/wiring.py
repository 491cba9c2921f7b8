"""The house: its store, its people, its tables."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from crossfelt import __version__
from crossfelt._util.software_hash import software_hash
from crossfelt.hands.strength import strength
from crossfelt.rulebooks.game import Game
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.login_attempts import NEW_ACCOUNTS
from crossfelt.server.accounts.policy import Guard
from crossfelt.server.accounts.revocation import Connections, Revocations
from crossfelt.server.audit.attestation import Attestation
from crossfelt.server.audit.casebook import Casebook
from crossfelt.server.audit.integrity import IntegrityChecker, IntegrityReport
from crossfelt.server.audit.search import AuditSearch
from crossfelt.server.audit.signed_heads import EVERY_SECONDS, Signer
from crossfelt.server.config import Config
from crossfelt.server.core.cashier import AccountCashier
from crossfelt.server.core.revenue import Revenue
from crossfelt.server.core.rng import TableRng
from crossfelt.server.dual_control.dual_control import DualControl
from crossfelt.server.journal.events import ServerStarted, ServerStopped
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.pit.proposal_kinds import register_handlers
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.runtime.limits import AT_AN_ADDRESS, ConnectionLimiter, RateLimiter
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import repeat, start_background
from crossfelt.server.store.interface import StoreError, Unavailable
from crossfelt.server.store.signing_key import signing_key
from crossfelt.server.store.sql_store import SqlStore
from crossfelt.server.workers.advice import SHEETS_WAITING, AdvicePool, choose_at, whole_game
from crossfelt.server.workers.drills import Drills
from crossfelt.server.workers.returns import Studies

log = logging.getLogger(__name__)
TIDY_SECONDS = 60
REVOKED_SECONDS = 0.25
AGAIN_SECONDS = 1
T = TypeVar("T")


class Server:
    """Everything that one server process runs."""

    def __init__(
        self,
        store: SqlStore,
        directory: Path,
        *,
        heads: Path | None = None,
        url: str = "",
        code: str = "",
        warm: bool = False,
        shared: bool = False,
        requests_a_second: int = Config().requests_a_second,
        new_accounts: int = Config().new_accounts,
        room: ConnectionLimiter | None = None,
        lease_seconds: float = Config().lease_seconds,
        now: Callable[[], int] | None = None,
        rng: Callable[[], TableRng] = TableRng,
    ) -> None:
        """`directory` has the key that heads are signed with; `heads` is their copy outside.

        Other processes find this one at `url`; newcomers must know the `code`, where there is one; `warm` starts the
        process for advice at once; `shared` where other processes have tables of the same house; `requests_a_second`
        is what one person may ask for, `new_accounts` how many may come from one address, `room` how many may be
        connected; `lease_seconds` is how long tables of a process that died wait for one.
        """
        self.store = store
        self._clock = SteadyClock()
        self.now = now = now or self._clock
        self.metrics = Metrics()
        self.people, self.addresses = RateLimiter(requests_a_second), RateLimiter(requests_a_second * AT_AN_ADDRESS)
        self.process = f"{secrets.token_hex(8)} {url}".strip()
        self.code = code
        self._warm = warm
        self.shared = shared
        key = signing_key(directory)
        self.key = key.public
        self.neighbour = key.secret("neighbours").hex()
        """What processes of one house know one another by."""
        self._checker = IntegrityChecker(store, key.public, heads)
        self._signer = Signer(store, key, heads, self.process)
        self.journal, self.casebook, self.browser = Journal(store), Casebook(store), AuditSearch(store)
        self.speaking = Attestation(store, key.public)
        self.software = ""
        """The hash of the software that runs, once it was worked out."""
        self.connections = Connections()
        self.room = room or ConnectionLimiter(Config().connections, Config().connections_per_address)
        self._revocations = Revocations(store)
        self.accounts = self._accounts(new_accounts)
        self.guard = Guard(self.journal, now)
        self.pit = self._pit(rng, lease_seconds)
        self.advisers = AdvicePool()
        self.studies = Studies()
        self.takings = Revenue(store)
        self.dual_control = self._dual_control()
        # Reports take some seconds each: nobody who asks the coach waits behind them.
        self.presses = AdvicePool(waiting=SHEETS_WAITING)
        self.drills = Drills(store, self.advisers, now)
        self.owner_password: str | None = None
        """The one-time password of the owner, until a start finds that it was replaced."""
        self.checked: IntegrityReport | None = None
        """What the last check found, and when every line had been looked at."""
        self.checked_at: int | None = None
        self.checking: IntegrityReport | None = None
        """How far a check is, while one runs."""
        self._check: asyncio.Task[IntegrityReport] | None = None
        self.ready = False
        self._background: list[asyncio.Task[None]] = []
        self._show_gauges()

    def _accounts(self, new_accounts: int) -> Accounts:
        newcomers = msgspec.structs.replace(NEW_ACCOUNTS, free=new_accounts)
        revoked = self.connections.revoke
        return Accounts(self.store, self.journal, clock=self.now, new_accounts=newcomers, revoked=revoked)

    def _pit(self, rng: Callable[[], TableRng], lease_seconds: float) -> Pit:
        return Pit(
            self.store,
            self.journal,
            AccountCashier(self.accounts),
            now=self.now,
            holder=self.process,
            metrics=self.metrics,
            shared=self.shared,
            rng=rng,
            best=self._best,
            lease_seconds=lease_seconds,
        )

    def _dual_control(self) -> DualControl:
        journal, accounts = self.journal, self.accounts
        made = DualControl(self.store, journal, accounts, self.now)
        register_handlers(made, self.pit, journal=journal, accounts=accounts, studies=self.studies, now=self.now)
        return made

    def _show_gauges(self) -> None:
        self.metrics.gauges |= {
            "tables": ("Tables of this process.", lambda: len(self.pit.actors)),
            "tables_shut": (
                "Tables that stay closed: unreadable, or opened under other rules.",
                lambda: len(self.pit.unplayable),
            ),
            "seats_taken": ("Seats with a player.", self._seats_taken),
            "connections": ("Live connections.", lambda: sum(len(it.broadcaster.watchers) for it in self.pit)),
            "sockets": ("WebSockets of this process, also of those who say nothing.", lambda: self.room.connected),
            "findings": ("What is not as it was written.", lambda: len(self.checked.findings) if self.checked else 0),
            "ready": ("Whether the house serves.", lambda: self.ready),
        }

    async def _best(self, game: Game, position: Mapping[str, Any], surrenders: bool) -> Mapping[str, Any]:
        """What a bot that plays best does."""
        return await self.advisers.ask(choose_at, whole_game(game), position, surrenders)

    def _seats_taken(self) -> int:
        return sum(bool(seat.player) for actor in self.pit for seat in actor.table.seats)

    async def open(self) -> None:
        """Finds everything as it was left: what was written since the last signed head is checked first."""
        self._clock.begin_after(await self.store.last_time())
        if self.shared:
            await self._signer.claim()
        self.checked = await self._checker.since_last_head()
        for finding in self.checked.findings:
            log.error("the store is not what was written", extra={"finding": str(finding)})
        # From here on, so that the lease to sign is kept however long tables take to open. What was found whole is
        # signed at once, or a house that is killed again and again would check more at every start.
        signing = repeat(self._signer.sign, EVERY_SECONDS, self.metrics, at_once=self.checked.sound)
        self._beside(signing, "signed heads")
        # The owner's password takes a core for a while, of which there may be two.
        password = asyncio.create_task(self.accounts.first_owner())
        try:
            await self.pit.open()
        finally:
            self.owner_password = await password
        self._beside(self._note_start(), "what runs here")
        self._beside(repeat(self._tidy, TIDY_SECONDS, self.metrics), "tidying")
        if self.shared:
            revoking = repeat(self._revoke, REVOKED_SECONDS, self.metrics)
            self._beside(revoking, "what was taken away elsewhere")
        self.ready = True
        if self._warm:
            self.advisers.warm()

    def _beside(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._background.append(start_background(work, name, self.metrics))

    async def _note_start(self) -> None:
        """Which software runs is hashed beside serving, and noted; then the rest of the store is checked.

        Hands are ranked by tables that the first hand of a process would wait for.
        """
        await asyncio.to_thread(strength, *range(5))
        self.software = await asyncio.to_thread(software_hash)
        started = ServerStarted(
            by="server",
            at=self.now(),
            process=self.process,
            version=__version__,
            software=self.software,
            key=self.key.text,
        )
        drawn = secrets.token_hex(8)
        await self._once_there(lambda: self.journal.note_once(drawn, started))
        checked = await self._once_there(self.check_everything)
        for finding in checked.findings:
            log.error("the store is not what was written", extra={"finding": str(finding)})
        log.info("checked", extra={"streams": checked.streams, "lines": checked.lines})

    @staticmethod
    async def _once_there(work: Callable[[], Awaitable[T]]) -> T:
        """What a start leaves for later is done, also where the store is away just then."""
        while True:
            with suppress(Unavailable):
                return await work()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _revoke(self) -> None:
        """What another process has taken from somebody ends here too."""
        await self._revocations.apply(self.connections.revoke)

    async def _tidy(self) -> None:
        """What has run out is forgotten, who was refused what is noted, and long streams get a snapshot."""
        await self.store.forget_records(self.now())
        await self.connections.recheck_all()
        await self.guard.denials.flush()
        await self.accounts.keep_snapshots()
        await self.journal.keep_snapshots()
        await self.pit.meters.keep_snapshots(self.store)

    async def check_everything(self) -> IntegrityReport:
        """Every line of every stream, and every head; who asks while that is done waits for the same answer."""
        if self._check is None:
            self._check = asyncio.create_task(self._check_all(), name="every line")
        return await asyncio.shield(self._check)

    async def _check_all(self) -> IntegrityReport:
        self.checking = IntegrityReport()
        try:
            self.checked = await self._checker.everything(self.checking)
            self.checked_at = self.now()
            return self.checked
        finally:
            self.checking = self._check = None

    async def close(self) -> None:
        """Parks the tables, signs what they have written, and closes the store. A house that did not open, for another
        key perhaps, has nothing to sign, and keeps nobody else from signing."""
        opened, self.ready = self.ready, False
        await asyncio.to_thread(self.advisers.close)
        await self.studies.close()
        await asyncio.to_thread(self.presses.close)
        running = [*self._background, *([self._check] if self._check is not None else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.pit.close()
        if opened:
            with suppress(StoreError):  # what cannot be stored keeps nobody from stopping
                await self.guard.denials.flush(everything=True)
                await self.journal.note(ServerStopped(by="server", at=self.now(), process=self.process))
                await self._signer.sign()
        with suppress(StoreError):
            await self._signer.release()
        await self.store.close()
