"""Accounts: opening, logging in and out, roles, and money to the tables and back."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final, NoReturn, TypeVar

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput, Problem
from crossfelt.money import dollars
from crossfelt.proof.history import StreamHeader
from crossfelt.server.accounts import account as a
from crossfelt.server.accounts import login_attempts, passwords, revocation, sessions
from crossfelt.server.accounts.login_attempts import NEW_ACCOUNTS, PER_SESSION, Limit, charge
from crossfelt.server.accounts.passwords import Passwords
from crossfelt.server.accounts.revocation import Revoked
from crossfelt.server.accounts.sessions import Identity, LoginSession, SessionToken
from crossfelt.server.accounts.usernames import (
    STRANGER,
    TWO_PEOPLE,
    account_key,
    account_stream,
    guest_name,
    shown_name,
)
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.store.interface import NOTHING
from crossfelt.server.store.projection import BrokenChain, Projection
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction

T = TypeVar("T")

START_CENTS: Final = 1_000_00
DAY_CENTS: Final = 10_000_00
"""The most that an account takes in a day, unless two people approve more."""
DAY_LIMIT: Final = "account.day_limit"
"""The code of a deposit above it."""
OWNER: Final = "owner"
CASHIER: Final = "cashier"
"""The author of the first deposit."""
SERVER: Final = "server"
"""The author of acts of the server itself."""
CLOSED: Final = "closed by the player"
OWN_RECORDS: Final = (passwords.KIND, login_attempts.KNOWN_KIND, "practice", "exam")
"""The kinds of records of one person, beside the streams."""


class Accounts:
    """The accounts of a server.

    A method with a transaction is part of its caller's commit, which must name the stream of the account
    (`account_stream`).
    """

    def __init__(
        self,
        store: Store,
        journal: Journal,
        *,
        clock: Callable[[], int],
        new_accounts: Limit = NEW_ACCOUNTS,
        revoked: Callable[[Revoked], Awaitable[None]] | None = None,
    ) -> None:
        """`new_accounts` limits the accounts from one address; load tests need more. `revoked` is called after a
        session ends, or an account's roles or password change."""
        self._store = store
        self._journal = journal
        self._passwords = Passwords()
        self._new_accounts = new_accounts
        self._revoked = revoked
        self._clock = clock
        self.projection: Projection[a.Account] = Projection(a.AccountCommand, a.AnyAccountEvent, a.Account(), a.evolve)

    # --- opening ------------------------------------------------------------------------------------------------

    async def first_owner(self) -> str | None:
        """Open the owner's account if there is none, and return its one-time password.

        Until the owner has set a password, each start makes a new one-time password: an earlier start may have ended
        before it was shown.
        """
        exists = (await self._store.head(account_stream(OWNER))).seq != NOTHING
        known = passwords.secret_of(await self._store.record(passwords.KIND, OWNER))
        if exists and (known is None or not known.one_time or (known.asked_for and known.until > self._clock())):
            return None
        password, secret = await self._passwords.one_time(self._clock())

        def work(transaction: Transaction) -> bool:
            if passwords.secret_of(transaction.record(passwords.KIND, OWNER)) != known:
                return False  # another process was first, or the owner has set a password
            if transaction.head(account_stream(OWNER)).seq == NOTHING:
                self._open(transaction, OWNER, OWNER, roles=("owner",), staff=True, secret=secret, cents=0)
            else:
                self._reset_owner(transaction, secret)
            return True

        return password if await self._store.commit([account_stream(OWNER)], work) else None

    async def owner_has_one_time_password(self) -> bool:
        """Return whether the owner can still log in with a one-time password."""
        known = passwords.secret_of(await self._store.record(passwords.KIND, OWNER))
        return known is not None and known.one_time and known.until > self._clock()

    async def readmit_owner(self) -> str:
        """Return a one-time password for an owner who is locked out; clear waits, and restore the role.

        No request leads here: it takes access to the data directory.
        """
        now = self._clock()
        password, secret = await self._passwords.one_time(now, asked_for=True)
        attempts = [
            it.key
            for it in await self._store.records(login_attempts.ATTEMPTS_KIND)
            if login_attempts.is_about(it.key, OWNER)
        ]

        def work(transaction: Transaction) -> None:
            roles = self.at(transaction, OWNER).roles
            self._journal.write(transaction, e.OwnerReadmitted(by=SERVER, at=now))
            self._reset_owner(transaction, secret)
            if "owner" not in roles:
                self._change_roles(transaction, OWNER, SERVER, ("owner",))
            for key in attempts:
                login_attempts.clear_attempts(transaction, key)

        await self._revoke(Revoked(account=OWNER), [JOURNAL_STREAM, account_stream(OWNER)], work)
        return password

    def _reset_owner(self, transaction: Transaction, secret: passwords.Secret) -> None:
        transaction.put(passwords.record_of(OWNER, secret))
        self._write(transaction, OWNER, _password_set(SERVER, self._clock(), secret))

    async def guest(self, name: str | None = None, address: str = "") -> SessionToken:
        """Open a guest's account with play money and log in; without a name, a random one is used."""
        shown = shown_name(name or guest_name())
        await self._count_new_account(address)
        return await self._open_and_log_in(shown, address, guest=True)

    async def register(self, name: str, password: str, address: str = "") -> SessionToken:
        """Open a player's account with a password and log in."""
        shown = shown_name(name)
        passwords.check_password(password)
        await self._count_new_account(address)
        return await self._open_and_log_in(shown, address, secret=await self._passwords.secret(password))

    async def _count_new_account(self, address: str) -> None:
        """Count an account before it is opened: a refusal must cost no hashing, and leave no stream behind."""
        if address:
            limit, now = self._new_accounts, self._clock()
            await self._store.commit([], lambda transaction: charge(transaction, f"new:{address}", limit, now))

    async def _open_and_log_in(
        self, shown: str, address: str, *, guest: bool = False, secret: passwords.Secret | None = None
    ) -> SessionToken:
        key, now = account_key(shown), self._clock()

        def work(transaction: Transaction) -> SessionToken:
            self._open(transaction, key, shown, guest=guest, secret=secret)
            if secret is not None:
                login_attempts.remember_address(transaction, key, address, now)
            return self._begin(transaction, LoginSession(account=key, since=now, address=address))

        return await self._store.commit([account_stream(key)], work)

    async def rename_guest(self, identity: Identity, name: str, *, token: str = "", address: str = "") -> SessionToken:
        """Move a guest's play money and invitations to a new account; end the session, and return one of the new name.

        Tables know players by their names, so a guest with a seat is refused. Rounds stay with the old name.
        """
        shown, now = shown_name(name), self._clock()
        key, old = account_key(shown), identity.account
        await self._count_new_account(address)
        revoked = Revoked(sessions=(sessions.key_of(token),))

        def work(transaction: Transaction) -> SessionToken:
            before = self.at(transaction, old)
            if not before.guest:
                raise BadInput.at("", "account.guest", "only a guest can change the name", before.name)
            if before.at_tables:
                raise BadInput(Problem(code="account.seated", what="you have a seat at a table: leave it first"))
            money = before.balance_cents
            self._open(transaction, key, shown, guest=True, cents=money, reason=f"from the account {before.name}")
            for table in before.invited_to:
                self._write(transaction, key, a.InvitationAccepted(by=shown, at=now, table=table))
            if money:
                moved = a.Withdrawn(by=before.name, at=now, cents=money, reason=f"to the account {shown}")
                self._write(transaction, old, moved)
            sessions.end(transaction, token)
            return self._begin(transaction, LoginSession(account=key, since=now, address=address))

        return await self._revoke(revoked, [account_stream(old), account_stream(key)], work)

    def _open(
        self,
        transaction: Transaction,
        key: str,
        shown: str,
        *,
        guest: bool = False,
        roles: tuple[a.Role, ...] = ("player",),
        staff: bool = False,
        secret: passwords.Secret | None = None,
        cents: int = START_CENTS,
        reason: str = "play money to begin with",
    ) -> None:
        now, stream = self._clock(), account_stream(key)
        if transaction.head(stream).seq != NOTHING:
            raise BadInput.at("name", "account.taken", "is taken", shown)
        transaction.open(stream, StreamHeader(stream=stream), now)
        first = a.AccountOpened(by=shown, at=now, name=shown, guest=guest, roles=roles, staff=staff)
        opened: list[a.AccountEvent] = [first]
        if cents:
            opened.append(a.Deposited(by=CASHIER, at=now, cents=cents, reason=reason))
        if secret is not None:
            opened.append(_password_set(shown, now, secret))
            transaction.put(passwords.record_of(key, secret))
        self._write(transaction, key, *opened)

    # --- logging in and out -------------------------------------------------------------------------------------

    async def log_in(self, name: str, password: str, address: str = "") -> SessionToken:
        """Begin a session for a name and password; the refusal does not say whether the name exists.

        A password that is replaced while it is checked is wrong.
        """
        key, now = account_key(name), self._clock()

        def count(transaction: Transaction) -> login_attempts.LoginAttempt:
            attempt = login_attempts.count_login(transaction, key, address, now)
            self._note_wait(transaction, key, address, attempt.until, now)
            return attempt

        attempt = await self._store.commit([JOURNAL_STREAM], count)
        secret = passwords.secret_of(await self._store.record(passwords.KIND, key))
        if not await self._passwords.verify(secret, password):
            await self._refuse_login(key, address, "wrong password", _wrong("the name or the password is wrong"))
        assert secret is not None
        account = await self.account(key)
        if account.password_digest != passwords.digest_of(secret):
            what = "the record of this password was altered: ask the owner for a new one"
            await self._refuse_login(key, address, "password record altered", _wrong(what))
        if secret.one_time and secret.until <= now:
            what = "this one-time password has expired: ask the owner for a new one"
            await self._refuse_login(key, address, "one-time password expired", _wrong(what))
        if (suspension := account.suspension(now)) is not None:
            await self._refuse_login(key, address, "suspended", _suspended(suspension))
        session = LoginSession(account=key, since=now, address=address, one_time=secret.one_time)

        def work(transaction: Transaction) -> SessionToken:
            if passwords.secret_of(transaction.record(passwords.KIND, key)) != secret:
                raise _wrong("the name or the password is wrong")
            login_attempts.login_succeeded(transaction, attempt, now)
            self._journal.write(transaction, e.LoggedIn(by=key, at=now, address=address))
            return self._begin(transaction, session)

        return await self._store.commit([JOURNAL_STREAM, account_stream(key)], work)

    async def _refuse_login(self, key: str, address: str, why: str, refusal: BadInput) -> NoReturn:
        """Note a failed log-in, and refuse it. A name without an account is not noted: it may be a password."""
        exists = (await self._store.head(account_stream(key))).seq != NOTHING
        by = key if exists else STRANGER
        await self._journal.note(e.LoginFailed(by=by, at=self._clock(), address=address, why=why))
        raise refusal

    async def identify(self, token: str) -> Identity | None:
        """Return the account of a session token, with its present roles; None if the session has ended."""
        session = await sessions.find(self._store, token, self._clock())
        if session is None:
            return None
        account = await self.account(session.account)
        if session.passwords != account.passwords or account.suspension(self._clock()) is not None:
            return None
        return _identity(account, session)

    async def log_out(self, token: str) -> None:
        """End a session and every connection that was made in it."""

        revoked = Revoked(sessions=(sessions.key_of(token),))
        await self._revoke(revoked, [], lambda transaction: sessions.end(transaction, token))

    async def sessions_of(self, key: str) -> list[sessions.OpenSession]:
        """Return the open sessions of an account, the newest first."""
        return await sessions.open_sessions(self._store, key, (await self.account(key)).passwords, self._clock())

    async def end_session(self, by: Identity, key: str, session: str) -> None:
        """End a session of an account, and every connection that was made in it."""
        if session not in {it.id for it in await self.sessions_of(key)}:
            raise BadInput(Problem(code="session.unknown", what="no such session is open", value=session))

        def work(transaction: Transaction) -> None:
            transaction.drop(sessions.KIND, session)
            self._journal.write(transaction, e.LoggedOut(by=by.account, at=self._clock(), account=key))

        await self._revoke(Revoked(sessions=(session,)), [JOURNAL_STREAM], work)

    async def _revoke(self, revoked: Revoked, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        """Do work in a commit that revokes sessions, here and in other processes."""

        def whole(transaction: Transaction) -> T:
            done = work(transaction)
            revocation.note(transaction, revoked, self._clock())
            return done

        done = await self._store.commit(streams, whole)
        if self._revoked is not None:
            await self._revoked(revoked)
        return done

    async def set_password(
        self, identity: Identity, old: str, new: str, *, token: str = "", address: str = ""
    ) -> SessionToken:
        """Replace the password, given the old one; end all sessions, and return a new one.

        Attempts are counted for the session of the token, so that failed log-ins of other clients cause no wait here.
        """
        key, now = identity.account, self._clock()
        session = f"session:{sessions.key_of(token)} {key}"
        secret = passwords.secret_of(await self._store.record(passwords.KIND, key))

        def count(transaction: Transaction) -> None:
            self._note_wait(transaction, key, address, charge(transaction, session, PER_SESSION, now).until, now)

        await self._store.commit([JOURNAL_STREAM], count)
        if not await self._passwords.verify(secret, old):
            raise _wrong("the old password is wrong")
        if old == new:
            raise BadInput.at("password", "account.password", "is the same as the old one")
        replacing = await self._passwords.secret(new)

        def work(transaction: Transaction) -> SessionToken:
            if passwords.secret_of(transaction.record(passwords.KIND, key)) != secret:
                raise _wrong("the old password is wrong")
            login_attempts.clear_attempts(transaction, session)
            transaction.put(passwords.record_of(key, replacing))
            self._write(transaction, key, _password_set(identity.name, now, replacing))
            return self._begin(transaction, LoginSession(account=key, since=now, address=address))

        return await self._revoke(Revoked(account=key), [account_stream(key)], work)

    def _note_wait(self, transaction: Transaction, key: str, address: str, until: int, now: int) -> None:
        """Note the attempt that begins a lock-out."""
        if until > now:
            self._journal.write(transaction, e.LockedOut(by=key, at=now, account=key, address=address, until=until))

    def _begin(self, transaction: Transaction, session: LoginSession) -> SessionToken:
        account = self._state(transaction, session.account)
        if (suspension := account.suspension(session.since)) is not None:
            raise _suspended(suspension)
        session = msgspec.structs.replace(session, passwords=account.passwords)
        token, until = sessions.begin(transaction, session)
        return SessionToken(token=token, until=until, identity=_identity(account, session))

    # --- people -------------------------------------------------------------------------------------------------

    async def create_staff(self, by: Identity, name: str) -> str:
        """Open an account for a named person, without money, and return its one-time password."""
        shown, key = shown_name(name), account_key(name)
        password, secret = await self._passwords.one_time(self._clock())

        def work(transaction: Transaction) -> None:
            self._open(transaction, key, shown, staff=True, secret=secret, cents=0)
            self._journal.write(transaction, e.PasswordReset(by=by.account, at=self._clock(), account=key))

        await self._store.commit([JOURNAL_STREAM, account_stream(key)], work)
        return password

    async def reset_password(self, by: Identity, name: str) -> str:
        """Return a one-time password for an account whose holder has lost theirs; its sessions end."""
        key = account_key(name)
        password, secret = await self._passwords.one_time(self._clock())

        def work(transaction: Transaction) -> None:
            before, now = self.at(transaction, key), self._clock()
            _check_open(before)
            if before.guest or key == by.account:
                what = "a guest has no password" if before.guest else "change your own password in the settings"
                raise BadInput.at("name", "account.password", what, before.name)
            transaction.put(passwords.record_of(key, secret))
            self._write(transaction, key, _password_set(by.name, now, secret))
            self._journal.write(transaction, e.PasswordReset(by=by.account, at=now, account=key))

        await self._revoke(Revoked(account=key), [JOURNAL_STREAM, account_stream(key)], work)
        return password

    async def suspend(self, by: Identity, name: str, days: int, reason: str) -> a.Account:
        """Keep an account from logging in for some days; its sessions end, and its seat is given up after the round.

        A suspension by staff leaves the player's own one as it is. Only the owner suspends staff.
        """
        key = account_key(name)

        def work(transaction: Transaction) -> a.Account:
            before, now = self.at(transaction, key), self._clock()
            if "owner" in before.roles:
                raise BadInput(Problem(code="account.owner", what="an owner cannot be suspended", value=before.name))
            _check_open(before)
            own = key == by.account
            if not (own or "owner" in by.roles or a.STAFF.isdisjoint(before.roles)):
                raise BadInput(Problem(code="policy.role", what="only the owner suspends staff", value=before.name))
            earlier = before.own_suspension if own else before.suspended
            until = max(now + days * a.DAY_MS, earlier.until if earlier else 0)
            self._suspend(transaction, by, key, until, reason)
            return self.at(transaction, key)

        return await self._revoke(Revoked(account=key), [JOURNAL_STREAM, account_stream(key)], work)

    def _suspend(self, transaction: Transaction, by: Identity, key: str, until: int, reason: str) -> None:
        now = self._clock()
        self._write(transaction, key, a.Suspended(by=by.name, at=now, until=until, reason=reason))
        suspended = e.AccountSuspended(by=by.account, at=now, account=key, until=until, reason=reason)
        self._journal.write(transaction, suspended)
        sessions.end_all(transaction, key)

    async def close_own(self, by: Identity) -> None:
        """Close a player's own account for good: its money goes back, and what no stream holds is deleted.

        The name stays taken, and the record of play stays whole.
        """
        key, now = by.account, self._clock()

        def work(transaction: Transaction) -> None:
            before = self.at(transaction, key)
            if before.at_tables:
                raise BadInput(Problem(code="account.seated", what="leave your seats first", value=before.name))
            if before.balance_cents:
                paid = a.Withdrawn(by=by.name, at=now, cents=before.balance_cents, reason=CLOSED)
                self._write(transaction, key, paid)
            self._suspend(transaction, by, key, a.FOR_GOOD, CLOSED)
            for kind in OWN_RECORDS:
                transaction.drop(kind, key)

        await self._revoke(Revoked(account=key), [JOURNAL_STREAM, account_stream(key)], work)

    async def reinstate(self, by: Identity, name: str, reason: str) -> a.Account:
        """Lift the suspension by staff; one that the player asked for stays."""
        key = account_key(name)

        def work(transaction: Transaction) -> a.Account:
            before, now = self.at(transaction, key), self._clock()
            _check_open(before)
            if before.suspended is None or before.suspended.until <= now:
                own = before.suspension(now) is not None
                what = "the player asked for this suspension, and it lasts until its end" if own else "is not suspended"
                raise BadInput(Problem(code="account.suspended", what=what, value=before.name))
            self._write(transaction, key, a.Reinstated(by=by.name, at=now, reason=reason))
            self._journal.write(transaction, e.AccountReinstated(by=by.account, at=now, account=key, reason=reason))
            return self.at(transaction, key)

        return await self._store.commit([JOURNAL_STREAM, account_stream(key)], work)

    # --- roles --------------------------------------------------------------------------------------------------

    async def check_roles(self, name: str, roles: Iterable[str]) -> tuple[a.Account, tuple[a.Role, ...]]:
        """Return an account, and the roles that it may be given; `BadInput` if they go badly together."""
        account, after = await self.account(account_key(name)), _roles(roles)
        _check_roles(account, after)
        return account, after

    async def set_roles(
        self,
        by: Identity,
        name: str,
        roles: Iterable[str],
        *,
        streams: Collection[str] = (),
        note: Callable[[Transaction], None] | None = None,
        who: str = "",
    ) -> a.Account:
        """Set the roles of another account; only an owner may.

        The commit checks that the acting account is an owner, and that it is not the account that changes. So a server
        never loses its last owner. `note` writes the approval of a second person to `streams`, and `who` names both.
        """
        key, after = account_key(name), _roles(roles)

        def work(transaction: Transaction) -> a.Account:
            if note is not None:
                note(transaction)
            if "owner" not in self.at(transaction, by.account).roles:
                raise BadInput(Problem(code="policy.role", what="only the owner sets roles", value=by.name))
            if key == by.account:
                raise BadInput.at("", "account.own_roles", "an owner cannot change their own roles", by.name)
            before = self.at(transaction, key)
            _check_roles(before, after)
            self._change_roles(transaction, key, who or by.name, after)
            return self.at(transaction, key)

        named = {JOURNAL_STREAM, account_stream(by.account), account_stream(key), *streams}
        return await self._revoke(Revoked(account=key), named, work)

    def _change_roles(self, transaction: Transaction, key: str, by: str, after: tuple[a.Role, ...]) -> None:
        before, now = self.at(transaction, key).roles, self._clock()
        self._write(transaction, key, a.RolesSet(by=by, at=now, before=before, after=after))
        changed = e.RolesChanged(by=by, at=now, account=key, before=before, after=after)
        self._journal.write(transaction, changed)

    async def accept_invitation(self, identity: Identity, table: str) -> None:
        """Note that an account may play at a private table of another player."""

        def work(transaction: Transaction) -> None:
            if table not in self.at(transaction, identity.account).invited_to:
                accepted = a.InvitationAccepted(by=identity.name, at=self._clock(), table=table)
                self._write(transaction, identity.account, accepted)

        await self._store.commit([account_stream(identity.account)], work)

    # --- money --------------------------------------------------------------------------------------------------

    async def account(self, key: str) -> a.Account:
        """Return an account as it is stored; `BadInput` if there is none, or its rows were changed."""
        with _readable(key):
            return _existing(await self.projection.now(self._store, account_stream(key)), key)

    def at(self, transaction: Transaction, key: str) -> a.Account:
        """Return an account in a commit that names its stream."""
        return _existing(self._state(transaction, key), key)

    def _state(self, transaction: Transaction, key: str) -> a.Account:
        with _readable(key):
            return self.projection.at(transaction, account_stream(key))

    async def deposit(self, by: Identity, name: str, cents: int, reason: str = "") -> a.Account:
        """Add play money to an account, up to the most that it takes in a day."""
        key, now = account_key(name), self._clock()
        _check_amount(cents)

        def work(transaction: Transaction) -> a.Account:
            before = self.at(transaction, key)
            _check_room(before, cents)
            if cents > (left := max(0, DAY_CENTS - before.day_total(now))):
                what = f"an account takes at most {dollars(DAY_CENTS)} a day"
                raise BadInput.at("cents", DAY_LIMIT, what, cents, f"{dollars(left)} today")
            deposited = a.Deposited(by=by.name, at=now, cents=cents, reason=reason, counts=True)
            self._write(transaction, key, deposited)
            return self.at(transaction, key)

        return await self._store.commit([account_stream(key)], work)

    def deposit_by_two(self, transaction: Transaction, key: str, cents: int, *, reason: str, by: str) -> None:
        """Add play money above the day's limit, which two people have approved."""
        _check_room(self.at(transaction, key), cents)
        self._write(transaction, key, a.Deposited(by=by, at=self._clock(), cents=cents, reason=reason))

    def correct(
        self,
        transaction: Transaction,
        key: str,
        cents: int,
        *,
        reason: str,
        people: tuple[str, str],
        table: str = "",
        round_number: int = 0,
    ) -> None:
        """Correct a balance by an entry of its own kind, in the names of the two people who decided it."""
        before = self.at(transaction, key)
        _check_correction(before, cents)
        proposed_by, approved_by = people
        corrected = a.Corrected(
            by=TWO_PEOPLE.join(people),
            at=self._clock(),
            proposed_by=proposed_by,
            approved_by=approved_by,
            cents=cents,
            before_cents=before.balance_cents,
            after_cents=before.balance_cents + cents,
            reason=reason,
            table=table,
            round=round_number,
        )
        self._write(transaction, key, corrected)

    async def check_correction(self, key: str, cents: int) -> None:
        """Refuse a correction of an unknown account, or one that its balance does not allow."""
        _check_correction(await self.account(key), cents)

    def require_player(self, transaction: Transaction, key: str) -> None:
        """Refuse a seat at a public table to its staff, and to a suspended account."""
        account = self.at(transaction, key)
        if not a.STAFF.isdisjoint(account.roles):
            what = "staff do not play at public tables: play at a private table, or with an account that is a player's"
            raise BadInput(Problem(code="account.staff", what=what, value=account.name, allowed="player"))
        if (suspension := account.suspension(self._clock())) is not None:
            raise _suspended(suspension)

    def take_to_table(
        self, transaction: Transaction, account: str, cents: int, table: str, seat: int, command_id: str, by: str
    ) -> None:
        """Turn money into chips at a seat, in the commit of the table's row."""
        _check_amount(cents)
        if cents > (held := self.at(transaction, account).balance_cents):
            raise _amount(cents, f"at most {dollars(held)}", "more than the account holds")
        taken = a.TakenToTable(by=by, at=self._clock(), cents=cents, table=table, seat=seat)
        self._write(transaction, account, taken, command_id=f"{table}:{command_id}")

    def bring_back(
        self, transaction: Transaction, account: str, cents: int, table: str, seat: int, command_id: str, by: str
    ) -> None:
        """Turn chips into money, in the commit of the table's row."""
        brought = a.BroughtBack(by=by, at=self._clock(), cents=cents, table=table, seat=seat)
        self._write(transaction, account, brought, command_id=f"{table}:{command_id}")

    def _write(self, transaction: Transaction, key: str, *events: a.AccountEvent, command_id: str = "") -> None:
        """Append one row, in the name of the author of its events; `Unbalanced` if the ledger refuses an event."""
        account, first = self._state(transaction, key), events[0]
        for event in events:
            account = a.evolve(account, event)
        command = a.AccountCommand(id=command_id or secrets.token_hex(8), who=first.by, at=first.at)
        transaction.append(account_stream(key), command, events)


@contextmanager
def _readable(key: str) -> Iterator[None]:
    """Turn a broken account into a refusal, so that the table does not stop for all other players."""
    try:
        yield
    except BrokenChain as broken:
        raise BadInput(Problem(code="account.unreadable", what=str(broken), value=key)) from broken


def _password_set(by: str, at: int, secret: passwords.Secret) -> a.PasswordSet:
    return a.PasswordSet(by=by, at=at, one_time=secret.one_time, digest=passwords.digest_of(secret))


def _suspended(suspension: a.Suspended) -> BadInput:
    until = datetime.fromtimestamp(suspension.until / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    what = f"this account is suspended until {until}: {suspension.reason}"
    return BadInput(Problem(code="account.suspended", what=what))


def _check_open(account: a.Account) -> None:
    if account.closed:
        what = "the player has closed this account, and it stays closed"
        raise BadInput(Problem(code="account.closed", what=what, value=account.name))


def _check_roles(account: a.Account, after: tuple[a.Role, ...]) -> None:
    if account.guest and after != ("player",):
        raise BadInput(Problem(code="account.guest", what="a guest can only be a player", value=account.name))
    alone = next((role for role in a.ALONE if role in after and len(after) > 1), None)
    if alone is not None:
        what = f"{alone} goes with no other role: these people audit what the others do"
        raise BadInput.at("roles", "account.roles", what, ", ".join(after), alone)
    hired = a.STAFF.intersection(after).difference(account.roles)
    if hired and not account.staff:
        what = "is a player's own account; staff need an account that the owner creates for them by name"
        raise BadInput.at("roles", "account.staff", what, account.name)
    if hired and account.at_tables:
        what = "has a seat at a table, and staff do not play: they must leave it first"
        raise BadInput.at("roles", "account.seated", what, account.name)


def _wrong(what: str) -> BadInput:
    return BadInput(Problem(code="account.credentials", what=what))


def _identity(account: a.Account, session: LoginSession) -> Identity:
    return Identity(**shared_fields(account, Identity), account=session.account, must_set_password=session.one_time)


def _existing(account: a.Account, key: str) -> a.Account:
    if not account.name:
        raise BadInput(Problem(code="account.unknown", what="there is no such account", value=key))
    return account


def _roles(roles: Iterable[str]) -> tuple[a.Role, ...]:
    wanted = set(roles)
    if unknown := wanted.difference(a.ROLES):
        raise BadInput.at("roles", "account.role", "not a role", sorted(unknown)[0], ", ".join(a.ROLES))
    return tuple(role for role in a.ROLES if role in wanted)


def _check_correction(account: a.Account, cents: int) -> None:
    _check_amount(abs(cents))
    if account.balance_cents + cents < 0:
        raise _amount(cents, f"at most {dollars(account.balance_cents)}", "more than the account holds")
    _check_room(account, cents)


def _check_room(account: a.Account, cents: int) -> None:
    """Refuse a deposit to a closed account, or beyond the limit of an account. Only winnings may exceed it."""
    _check_open(account)
    room = max(0, a.MOST_CENTS - account.balance_cents)
    if cents > room:
        raise _amount(cents, f"at most {dollars(room)}", "more than the account can hold")


def _check_amount(cents: int) -> None:
    if not 0 < cents <= a.MOST_CENTS:
        raise _amount(cents, f"$0.01 to {dollars(a.MOST_CENTS)}")


def _amount(cents: int, allowed: str, what: str = "is not a valid amount") -> BadInput:
    return BadInput.at("cents", "account.amount", what, cents, allowed)
