"""The parts of one server process, and its start and stop."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from crossfelt import __version__
from crossfelt._util.software_hash import check_manifest, software_hash
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.strength import strength
from crossfelt.proof.signed_heads import SigningKey
from crossfelt.rulebooks.game import Game
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.login_attempts import NEW_ACCOUNTS
from crossfelt.server.accounts.policy import Guard
from crossfelt.server.accounts.revocation import Connections, Revocations
from crossfelt.server.audit.casebook import Casebook
from crossfelt.server.audit.house import HouseReport
from crossfelt.server.audit.integrity import IntegrityChecker, IntegrityReport
from crossfelt.server.audit.search import AuditSearch
from crossfelt.server.audit.signed_heads import EVERY_SECONDS, Signer
from crossfelt.server.config import Config
from crossfelt.server.core.revenue import Revenue
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.dealer_desk.exam import Exams
from crossfelt.server.dual_control.dual_control import DualControl
from crossfelt.server.journal.events import ServerStarted, ServerStopped
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.pit.proposal_kinds import HANDLERS
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.runtime.limits import ACCOUNTS_PER_ADDRESS, LOST, ConnectionLimiter, RateLimiter
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import repeat, start_background
from crossfelt.server.runtime.shifts import Shifts
from crossfelt.server.store.interface import StoreError, Unavailable
from crossfelt.server.store.signing_key import signing_key
from crossfelt.server.store.sql_store import Store
from crossfelt.server.workers.advice import REPORTS, AdvicePool, choose_at, whole_game
from crossfelt.server.workers.drills import Drills
from crossfelt.server.workers.returns import Studies

log = logging.getLogger(__name__)
CLEAN_UP_SECONDS = 60
REVOKED_SECONDS = 0.25
RETRY_SECONDS = 1
WATCH_SECONDS = 1
T = TypeVar("T")
DEFAULTS: Final = Config()


class Server:
    """The store, accounts, tables and background tasks of one process."""

    ready = False
    software = ""
    """The hash of the running software; empty until it is computed."""
    changed_files: tuple[str, ...] = ()
    """The files that depart from the manifest of the installation."""
    owner_password: str | None = None
    """The one-time password of the owner, until a start finds that the owner has replaced it."""
    checking: IntegrityReport | None = None
    """The progress of the running integrity check."""
    checked: IntegrityReport | None = None
    checked_at: int | None = None
    """The time of the last check of every line."""
    house: HouseReport | None = None
    """The money of the whole house at the last check that an auditor asked for."""
    _check: asyncio.Task[IntegrityReport] | None = None
    _recording: asyncio.Task[None] | None = None
    """The task that records this start in the journal."""

    def __init__(
        self,
        store: Store,
        directory: Path,
        config: Config = DEFAULTS,
        *,
        heads: Path | None = None,
        url: str = "",
        code: str = "",
        lan_url: str = "",
        warm: bool = False,
        shared: bool = False,
        rulebooks: Rulebooks | None = None,
        now: Callable[[], int] | None = None,
        rng: Callable[[], TableRng] = TableRng,
    ) -> None:
        """`directory` holds the signing key; `heads` is the copy of signed heads outside of it.

        `config` gives limits and times. Other processes reach this one at `url`. New players need the `code`, if there
        is one; their machines reach the server at `lan_url`. `warm` starts the advice process at once. `shared` is set
        if other processes use the same database. `rulebooks` are all of which tables can be opened.
        """
        self.store = store
        self.shifts = Shifts(zone=config.time_zone, starts=config.shifts)
        self.rulebooks = rulebooks or Rulebooks()
        self._clock = SteadyClock()
        self.now = now = now or self._clock
        self.metrics = Metrics()
        self.account_limits = RateLimiter(config.requests_a_second)
        self.address_limits = RateLimiter(config.requests_a_second * ACCOUNTS_PER_ADDRESS)
        self.process = f"{secrets.token_hex(8)} {url}".strip()
        self.code = code
        self.lan_url = lan_url
        self._warm = warm
        self.shared = shared
        self.signing_key = key = signing_key(directory)
        self.key = key.public
        self.peer_secret = key.secret("neighbours").hex()
        """The secret by which processes with the same database recognise one another."""
        self.invitation_secret = key.secret("invitations")
        self._checker = IntegrityChecker(store, key.public, heads)
        self._signer = Signer(store, key, heads, self.process)
        self.journal, self.casebook, self.audit_search = Journal(store), Casebook(store), AuditSearch(store)
        self.connections = Connections()
        self.connection_limiter = ConnectionLimiter(config.connections, config.connections_per_address)
        self._revocations = Revocations(store)
        newcomers = msgspec.structs.replace(NEW_ACCOUNTS, free=config.new_accounts)
        revoked = self.connections.revoke
        self.accounts = Accounts(store, self.journal, clock=now, new_accounts=newcomers, revoked=revoked)
        self.guard = Guard(self.journal, now)
        self.pit = self._pit(rng, key, config.lease_seconds)
        self.advice_pool = AdvicePool()
        self.studies = Studies()
        self.revenue = Revenue(store)
        self.dual_control = DualControl(store, self.journal, self.accounts, now)
        for (kind, subjects), handler in HANDLERS.items():
            self.dual_control.handlers[kind, subjects] = handler(self.pit, self.journal, self.accounts, self.studies)
        # Reports take some seconds each, and must not delay advice.
        self.report_pool = AdvicePool(share=REPORTS)
        self.exams = Exams(store)
        self.drills = Drills(store, self.advice_pool, self.rulebooks, now)
        self.password_file = directory / "owner-password"
        """Holds that password where the server has no terminal to show it on."""
        self._background: list[asyncio.Task[None]] = []
        self._add_gauges()

    def _pit(self, rng: Callable[[], TableRng], key: SigningKey, lease_seconds: float) -> Pit:
        return Pit(
            self.store,
            self.journal,
            self.accounts,
            rulebooks=self.rulebooks,
            now=self.now,
            holder=self.process,
            metrics=self.metrics,
            shared=self.shared,
            rng=rng,
            key=key,
            best=self._best,
            lease_seconds=lease_seconds,
        )

    def _add_gauges(self) -> None:
        gauge, limiter = self.metrics.gauge, self.connection_limiter
        gauge("tables", "Tables of this process.", lambda: len(self.pit.actors))
        shut = "Tables that stay closed: unreadable, or opened under rules of another version."
        gauge("tables_shut", shut, lambda: len(self.pit.unplayable))
        gauge(
            "seats_taken",
            "Seats with a player.",
            lambda: sum(bool(seat.player) for it in self.pit for seat in it.table.seats),
        )
        gauge("connections", "Subscribers of tables.", lambda: sum(len(it.broadcaster.subscribers) for it in self.pit))
        gauge("sockets", "WebSockets of this process, silent ones included.", lambda: limiter.connected)
        gauge("findings", "Findings of the integrity check.", lambda: len(self.checked.findings) if self.checked else 0)
        gauge("ready", "Whether the server is ready.", lambda: self.ready and self.store.takes_writing)

    async def _best(self, person: str, game: Game, position: Mapping[str, Any], surrenders: bool) -> Mapping[str, Any]:
        """Return the decision of the best-play bot; a server that starts or stops decides nothing."""
        if not self.ready:
            raise BadInput(Problem(code=LOST, what="the server is not ready"))
        return await self.advice_pool.ask(person, choose_at, whole_game(game), position, surrenders)

    async def open(self) -> None:
        """Open the tables as they were left, after an integrity check of the rows since the last signed head."""
        self._clock.begin_after(await self.store.last_time())
        started_at = self.now()
        if self.shared:
            await self._signer.claim()
        self.checked = await self._checker.since_last_head()
        await self._act_on(self.checked)
        # Signing starts before the tables open, which may take longer than the lease to sign lasts. Sound rows are
        # signed at once: a server that is killed again and again would check more rows at each start.
        signing = repeat(self._signer.sign, EVERY_SECONDS, self.metrics, at_once=self.checked.sound)
        self._start(signing, "signed heads")
        # Hashing the owner's password takes a core for a while.
        password = asyncio.create_task(self.accounts.first_owner())
        try:
            await self.pit.open()
        finally:
            self.owner_password = await password
        self._recording = self._start(self._record_start(started_at), "record of the start")
        self._start(self._check_at_start(self._recording), "check of the whole store")
        self._start(repeat(self._watch_store, WATCH_SECONDS, self.metrics), "watch of the store")
        self._start(repeat(self._clean_up, CLEAN_UP_SECONDS, self.metrics), "clean-up")
        if self.shared:
            revoke = partial(self._revocations.apply, self.connections.revoke)
            self._start(repeat(revoke, REVOKED_SECONDS, self.metrics), "revocations of other processes")
        else:  # processes that share a store write often enough when they renew their leases
            self._start(repeat(self.store.touch, WATCH_SECONDS, self.metrics), "writes to the store")
        self.ready = True
        if self._warm:
            # The solver of an own game may take long, and must not delay the questions of others.
            self.advice_pool.warm(self.rulebooks.shipped_kinds())

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        self._background.append(task := start_background(work, name, self.metrics))
        return task

    async def _record_start(self, at: int) -> None:
        """Hash the software and record it in the journal.

        The record has the time of the start: rounds may have been played before the hash was known.
        """
        await asyncio.to_thread(strength, *range(5))  # loads the tables of hand ranks before the first hand needs them
        self.software = await asyncio.to_thread(software_hash)
        started = ServerStarted(
            by="server",
            at=at,
            process=self.process,
            version=__version__,
            software=self.software,
            key=self.key.text,
        )
        event_id = secrets.token_hex(8)
        await self._retry(lambda: self.journal.note_once(event_id, started))

    async def software_at(self, at: int) -> str:
        """Return the hash of the software that ran at a time, once this start is recorded; empty if it is unknown."""
        if self._recording is not None:
            await asyncio.wait([self._recording])
        software = (await self.journal.now()).software_at(at)
        return software.hash if software is not None else ""

    async def _check_at_start(self, recording: asyncio.Task[None]) -> None:
        """Check the whole store, once the start is recorded."""
        await asyncio.wait([recording])
        checked = await self._retry(self.check_everything)
        log.info("checked", extra={"streams": checked.streams, "lines": checked.lines})
        self.changed_files = (await asyncio.to_thread(check_manifest)).faults
        for fault in self.changed_files:
            log.error("the software departs from its manifest", extra={"fault": fault})

    async def _act_on(self, report: IntegrityReport) -> None:
        """Log the findings of a check, and stop the tables whose record was altered."""
        for finding in report.findings:
            log.error("the store fails its integrity check", extra={"finding": str(finding)})
        if report.findings:
            await self.pit.stop_broken({finding.stream for finding in report.findings})

    @staticmethod
    async def _retry(work: Callable[[], Awaitable[T]]) -> T:
        """Repeat work until the store is available."""
        while True:
            with suppress(Unavailable):
                return await work()
            await asyncio.sleep(RETRY_SECONDS)

    async def _watch_store(self) -> None:
        """Have the store log that its writes are stuck, even without a request."""
        _ = self.store.takes_writing

    async def _clean_up(self) -> None:
        """Delete expired records and passwords, close expired sessions, store denials, and snapshot long streams."""
        await self.store.forget_records(self.now())
        if not await self.accounts.owner_has_one_time_password():
            self.password_file.unlink(missing_ok=True)
        await self.connections.recheck_all()
        await self.guard.flush()
        for of in (self.accounts, self.journal, self.pit.meters):
            await of.projection.keep_snapshots(self.store)

    async def check_everything(self) -> IntegrityReport:
        """Check every line of every stream and every head. A call during a check waits for its result."""
        if self._check is None:
            self._check = asyncio.create_task(self._check_all(), name="integrity check")
        return await asyncio.shield(self._check)

    async def _check_all(self) -> IntegrityReport:
        self.checking = IntegrityReport()
        try:
            self.checked = await self._checker.everything(self.checking)
            self.checked_at = self.now()
            await self._act_on(self.checked)
            return self.checked
        finally:
            self.checking = self._check = None

    async def close(self) -> None:
        """Stop the tables, sign a last head and close the store.

        A server that did not open, perhaps because of a wrong key, signs nothing and releases the lease to sign.
        """
        opened, self.ready = self.ready, False
        for workers in (self.advice_pool, self.studies, self.report_pool):
            await workers.close()
        running = [*self._background, *([self._check] if self._check is not None else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.pit.close()
        if opened:
            with suppress(StoreError):  # an unavailable store must not prevent the stop
                await self.guard.flush(everything=True)
                await self.journal.note(ServerStopped(by="server", at=self.now(), process=self.process))
                await self._signer.sign()
        with suppress(StoreError):
            await self._signer.release()
        await self.store.close()
