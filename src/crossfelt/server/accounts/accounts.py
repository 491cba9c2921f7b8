"""Accounts: opening, logging in and out, roles, and money to the tables and back."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from crossfelt.errors import BadInput, Problem
from crossfelt.money import dollars
from crossfelt.proof.history import StreamHeader
from crossfelt.server.accounts import account as a
from crossfelt.server.accounts import login_attempts, passwords, revocation, sessions
from crossfelt.server.accounts.login_attempts import NEW_ACCOUNTS, PER_SESSION, Limit, charge
from crossfelt.server.accounts.passwords import Passwords
from crossfelt.server.accounts.revocation import Revoked
from crossfelt.server.accounts.sessions import Identity, LoginSession, SessionToken
from crossfelt.server.accounts.usernames import account_key, account_stream, guest_name, shown_name
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.store.interface import NOTHING, Store, Transaction, new_row
from crossfelt.server.store.projection import BrokenChain, Projection

START_CENTS: Final = 1_000_00
"""The play money of a new account."""
OWNER: Final = "owner"
CASHIER: Final = "cashier"
"""The author of the first deposit."""
SERVER: Final = "server"
"""The author of acts of the server itself."""


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
        self._projection: Projection[a.Account] = Projection(a.AccountCommand, a.AnyAccountEvent, a.Account(), a.evolve)

    # --- opening ------------------------------------------------------------------------------------------------

    async def first_owner(self) -> str | None:
        """Open the owner's account if there is none, and return its one-time password.

        Until the owner has set a password, each start makes a new one-time password: an earlier start may have ended
        before it was shown.
        """
        exists = (await self._store.head(account_stream(OWNER))).seq != NOTHING
        known = passwords.secret_of(await self._store.record(passwords.KIND, OWNER))
        if exists and (known is None or not known.one_time or known.asked_for):
            return None
        password = passwords.one_time_password()
        secret = await self._passwords.secret(password, one_time=True)

        def work(transaction: Transaction) -> bool:
            if passwords.secret_of(transaction.record(passwords.KIND, OWNER)) != known:
                return False  # another process was first, or the owner has set a password
            if transaction.head(account_stream(OWNER)).seq == NOTHING:
                self._open(transaction, OWNER, OWNER, roles=("owner", "auditor", "player"), secret=secret)
            else:
                self._reset_owner(transaction, secret)
            return True

        return password if await self._store.commit([account_stream(OWNER)], work) else None

    async def readmit_owner(self) -> str:
        """Return a one-time password for an owner who is locked out; clear waits, and restore the role.

        No request leads here: it takes access to the data directory.
        """
        now, password = self._clock(), passwords.one_time_password()
        hashed = await self._passwords.secret(password, one_time=True)
        secret = msgspec.structs.replace(hashed, asked_for=True)
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
                self._change_roles(transaction, OWNER, SERVER, _roles((*roles, "owner")))
            for key in attempts:
                login_attempts.clear_attempts(transaction, key)
            revocation.note(transaction, Revoked(account=OWNER), now)

        await self._store.commit([JOURNAL_STREAM, account_stream(OWNER)], work)
        return password

    def _reset_owner(self, transaction: Transaction, secret: passwords.Secret) -> None:
        transaction.put(passwords.record_of(OWNER, secret))
        self._note(transaction, OWNER, SERVER, a.PasswordSet(by=SERVER, at=self._clock(), one_time=True))

    async def guest(self, name: str | None = None, address: str = "") -> SessionToken:
        """Open a guest's account with play money and log in; without a name, a random one is used."""
        shown = shown_name(name or guest_name())
        await self._count_new_account(address)
        return await self._open_and_log_in(shown, address, guest=True)

    async def register(self, name: str, password: str, address: str = "") -> SessionToken:
        """Open a player's account with a password and log in."""
        shown = shown_name(name)
        passwords.check_length(password)
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
            if transaction.head(account_stream(key)).seq != NOTHING:
                raise _taken(shown)
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
            _check_rename(before)
            if transaction.head(account_stream(key)).seq != NOTHING:
                raise _taken(shown)
            money = before.balance_cents
            self._open(transaction, key, shown, guest=True, cents=money, reason=f"from the account {before.name}")
            for table in before.invited_to:
                self._note(transaction, key, shown, a.InvitationAccepted(by=shown, at=now, table=table))
            if money:
                moved = a.Withdrawn(by=before.name, at=now, cents=money, reason=f"to the account {shown}")
                self._note(transaction, old, before.name, moved)
            sessions.end(transaction, token)
            revocation.note(transaction, revoked, now)
            return self._begin(transaction, LoginSession(account=key, since=now, address=address))

        begun = await self._store.commit([account_stream(old), account_stream(key)], work)
        await self._on_revoked(revoked)
        return begun

    def _open(
        self,
        transaction: Transaction,
        key: str,
        shown: str,
        *,
        guest: bool = False,
        roles: tuple[a.Role, ...] = ("player",),
        secret: passwords.Secret | None = None,
        cents: int = START_CENTS,
        reason: str = "play money to begin with",
    ) -> None:
        now, stream = self._clock(), account_stream(key)
        transaction.open(stream, StreamHeader(stream=stream), now)
        opened: list[a.AccountEvent] = [a.AccountOpened(by=shown, at=now, name=shown, guest=guest, roles=roles)]
        if cents:
            opened.append(a.Deposited(by=CASHIER, at=now, cents=cents, reason=reason))
        if secret is not None:
            opened.append(a.PasswordSet(by=shown, at=now, one_time=secret.one_time))
            transaction.put(passwords.record_of(key, secret))
        self._write(transaction, key, secrets.token_hex(8), shown, now, opened)

    # --- logging in and out -------------------------------------------------------------------------------------

    async def log_in(self, name: str, password: str, address: str = "") -> SessionToken:
        """Begin a session for a name and password; the refusal does not say whether the name exists.

        A password that is replaced while it is checked is wrong.
        """
        key, now = account_key(name), self._clock()
        attempt = await self._store.commit(
            [JOURNAL_STREAM], lambda transaction: self._count_login(transaction, key, address, now)
        )
        secret = passwords.secret_of(await self._store.record(passwords.KIND, key))
        if not await self._passwords.verify(secret, password):
            raise _wrong("the name or the password is wrong")
        assert secret is not None
        session = LoginSession(account=key, since=now, address=address, one_time=secret.one_time)

        def work(transaction: Transaction) -> SessionToken:
            if passwords.secret_of(transaction.record(passwords.KIND, key)) != secret:
                raise _wrong("the name or the password is wrong")
            login_attempts.login_succeeded(transaction, attempt, now)
            return self._begin(transaction, session)

        return await self._store.commit([JOURNAL_STREAM, account_stream(key)], work)

    async def identify(self, token: str) -> Identity | None:
        """Return the account of a session token, with its present roles; None if the session has ended."""
        session = await sessions.find(self._store, token, self._clock())
        if session is None:
            return None
        account = await self.account(session.account)
        return _identity(account, session) if session.passwords == account.passwords else None

    async def log_out(self, token: str) -> None:
        """End a session and every connection that was made in it."""

        def work(transaction: Transaction) -> Revoked:
            sessions.end(transaction, token)
            return revocation.note(transaction, Revoked(sessions=(sessions.key_of(token),)), self._clock())

        await self._on_revoked(await self._store.commit([], work))

    async def _on_revoked(self, revoked: Revoked) -> None:
        if self._revoked is not None:
            await self._revoked(revoked)

    async def set_password(self, identity: Identity, old: str, new: str, *, token: str = "") -> SessionToken:
        """Replace the password, given the old one; end all sessions, and return a new one.

        Attempts are counted for the session of the token, so that failed log-ins of other clients cause no wait here.
        """
        key, now = identity.account, self._clock()
        session = f"session:{sessions.key_of(token)} {key}"
        secret = passwords.secret_of(await self._store.record(passwords.KIND, key))

        def count(transaction: Transaction) -> None:
            self._note_wait(transaction, key, "", charge(transaction, session, PER_SESSION, now).until, now)

        await self._store.commit([JOURNAL_STREAM], count)
        if not await self._passwords.verify(secret, old):
            raise _wrong("the old password is wrong")
        if old == new:
            raise BadInput(Problem(code="account.password", where="password", what="is the same as the old one"))
        replacing = await self._passwords.secret(new)
        revoked = Revoked(account=key)

        def work(transaction: Transaction) -> SessionToken:
            if passwords.secret_of(transaction.record(passwords.KIND, key)) != secret:
                raise _wrong("the old password is wrong")
            login_attempts.clear_attempts(transaction, session)
            transaction.put(passwords.record_of(key, replacing))
            revocation.note(transaction, revoked, now)
            self._note(transaction, key, identity.name, a.PasswordSet(by=identity.name, at=now))
            return self._begin(transaction, LoginSession(account=key, since=now))

        begun = await self._store.commit([account_stream(key)], work)
        await self._on_revoked(revoked)
        return begun

    def _count_login(self, transaction: Transaction, key: str, address: str, now: int) -> login_attempts.LoginAttempt:
        attempt = login_attempts.count_login(transaction, key, address, now)
        self._note_wait(transaction, key, address, attempt.until, now)
        return attempt

    def _note_wait(self, transaction: Transaction, key: str, address: str, until: int, now: int) -> None:
        """Note the attempt that begins a lock-out."""
        if until > now:
            self._journal.write(transaction, e.LockedOut(by=key, at=now, account=key, address=address, until=until))

    def _begin(self, transaction: Transaction, session: LoginSession) -> SessionToken:
        account = self._state(transaction, session.account)
        session = msgspec.structs.replace(session, passwords=account.passwords)
        token, until = sessions.begin(transaction, session)
        return SessionToken(token=token, until=until, identity=_identity(account, session))

    # --- roles --------------------------------------------------------------------------------------------------

    async def set_roles(self, by: Identity, name: str, roles: Iterable[str]) -> a.Account:
        """Set the roles of another account; only an owner may.

        The commit checks that the acting account is an owner, and that it is not the account that changes. So a server
        never loses its last owner.
        """
        key, now = account_key(name), self._clock()
        after = _roles(roles)
        revoked = Revoked(account=key)

        def work(transaction: Transaction) -> a.Account:
            if "owner" not in self.at(transaction, by.account).roles:
                raise BadInput(Problem(code="policy.role", what="only the owner sets roles", value=by.name))
            if key == by.account:
                raise BadInput(
                    Problem(code="account.own_roles", what="an owner cannot change their own roles", value=by.name)
                )
            before = self.at(transaction, key)
            if before.guest and after != ("player",):
                raise BadInput(Problem(code="account.guest", what="a guest can only be a player", value=before.name))
            self._change_roles(transaction, key, by.name, after)
            revocation.note(transaction, revoked, now)
            return self.at(transaction, key)

        changed = await self._store.commit([JOURNAL_STREAM, account_stream(by.account), account_stream(key)], work)
        await self._on_revoked(revoked)
        return changed

    def _change_roles(self, transaction: Transaction, key: str, by: str, after: tuple[a.Role, ...]) -> None:
        before, now = self.at(transaction, key).roles, self._clock()
        self._note(transaction, key, by, a.RolesSet(by=by, at=now, before=before, after=after))
        changed = e.RolesChanged(by=by, at=now, account=key, before=before, after=after)
        self._journal.write(transaction, changed)

    async def accept_invitation(self, identity: Identity, table: str) -> None:
        """Note that an account may play at a private table of another player."""

        def work(transaction: Transaction) -> None:
            if table not in self.at(transaction, identity.account).invited_to:
                accepted = a.InvitationAccepted(by=identity.name, at=self._clock(), table=table)
                self._note(transaction, identity.account, identity.name, accepted)

        await self._store.commit([account_stream(identity.account)], work)

    # --- money --------------------------------------------------------------------------------------------------

    async def account(self, key: str) -> a.Account:
        """Return an account as it is stored; `BadInput` if there is none, or its rows were changed."""
        with _readable(key):
            return _existing(await self._projection.now(self._store, account_stream(key)), key)

    def at(self, transaction: Transaction, key: str) -> a.Account:
        """Return an account in a commit that names its stream."""
        return _existing(self._state(transaction, key), key)

    def _state(self, transaction: Transaction, key: str) -> a.Account:
        with _readable(key):
            return self._projection.at(transaction, account_stream(key))

    async def keep_snapshots(self) -> int:
        """Store snapshots of long accounts, for a quick start; return their number."""
        return await self._projection.keep_snapshots(self._store)

    async def deposit(self, by: Identity, name: str, cents: int, reason: str = "") -> a.Account:
        """Add play money to an account."""
        key, now = account_key(name), self._clock()
        _check_amount(cents)

        def work(transaction: Transaction) -> a.Account:
            before = self.at(transaction, key)
            _check_room(before, cents)
            self._note(transaction, key, by.name, a.Deposited(by=by.name, at=now, cents=cents, reason=reason))
            return self.at(transaction, key)

        return await self._store.commit([account_stream(key)], work)

    def correct(self, transaction: Transaction, key: str, cents: int, *, reason: str, by: str) -> None:
        """Correct a balance by an entry of its own, which two people have approved."""
        _check_correction(self.at(transaction, key), cents)
        kind = a.Deposited if cents > 0 else a.Withdrawn
        self._note(transaction, key, by, kind(by=by, at=self._clock(), cents=abs(cents), reason=reason))

    async def check_correction(self, key: str, cents: int) -> None:
        """Refuse a correction of an unknown account, or one that its balance does not allow."""
        _check_correction(await self.account(key), cents)

    def take_to_table(
        self, transaction: Transaction, identity: Identity, cents: int, table: str, seat: int, command_id: str
    ) -> None:
        """Turn money into chips at a seat, in the commit of the table's row."""
        _check_amount(cents)
        account = self.at(transaction, identity.account)
        if cents > account.balance_cents:
            raise _amount(cents, f"at most {dollars(account.balance_cents)}", "more than the account holds")
        taken = a.TakenToTable(by=identity.name, at=self._clock(), cents=cents, table=table, seat=seat)
        self._write(transaction, identity.account, f"{table}:{command_id}", identity.name, taken.at, [taken])

    def bring_back(
        self, transaction: Transaction, account: str, cents: int, table: str, seat: int, command_id: str, by: str
    ) -> None:
        """Turn chips into money, in the commit of the table's row."""
        brought = a.BroughtBack(by=by, at=self._clock(), cents=cents, table=table, seat=seat)
        self._write(transaction, account, f"{table}:{command_id}", by, brought.at, [brought])

    def _note(self, transaction: Transaction, key: str, by: str, event: a.AccountEvent) -> None:
        self._write(transaction, key, secrets.token_hex(8), by, event.at, [event])

    def _write(
        self, transaction: Transaction, key: str, command_id: str, by: str, at: int, events: list[a.AccountEvent]
    ) -> None:
        """Append one row; `Unbalanced` if the ledger refuses an event."""
        account = self._state(transaction, key)
        for event in events:
            account = a.evolve(account, event)
        transaction.append(account_stream(key), new_row(a.AccountCommand(id=command_id, who=by, at=at), events))


@contextmanager
def _readable(key: str) -> Iterator[None]:
    """Turn a broken account into a refusal, so that the table does not stop for all other players."""
    try:
        yield
    except BrokenChain as broken:
        raise BadInput(Problem(code="account.unreadable", what=str(broken), value=key)) from broken


def _wrong(what: str) -> BadInput:
    return BadInput(Problem(code="account.credentials", what=what))


def _identity(account: a.Account, session: LoginSession) -> Identity:
    return Identity(
        account=session.account,
        name=account.name,
        roles=account.roles,
        guest=account.guest,
        invited_to=account.invited_to,
        must_set_password=session.one_time,
    )


def _existing(account: a.Account, key: str) -> a.Account:
    if not account.name:
        raise BadInput(Problem(code="account.unknown", what="there is no such account", value=key))
    return account


def _roles(roles: Iterable[str]) -> tuple[a.Role, ...]:
    wanted = set(roles)
    if unknown := wanted.difference(a.ROLES):
        value, allowed = sorted(unknown)[0], ", ".join(a.ROLES)
        raise BadInput(Problem(code="account.role", where="roles", what="not a role", value=value, allowed=allowed))
    return tuple(role for role in a.ROLES if role in wanted)


def _taken(shown: str) -> BadInput:
    return BadInput(Problem(code="account.taken", where="name", what="is taken", value=shown))


def _check_rename(account: a.Account) -> None:
    if not account.guest:
        raise BadInput(Problem(code="account.guest", what="only a guest can change the name", value=account.name))
    if account.at_tables:
        raise BadInput(Problem(code="account.seated", what="you have a seat at a table: leave it first"))


def _check_correction(account: a.Account, cents: int) -> None:
    _check_amount(abs(cents))
    if account.balance_cents + cents < 0:
        raise _amount(cents, f"at most {dollars(account.balance_cents)}", "more than the account holds")
    _check_room(account, cents)


def _check_room(account: a.Account, cents: int) -> None:
    """Refuse a deposit beyond the limit of an account. Only winnings may exceed it."""
    room = max(0, a.MOST_CENTS - account.balance_cents)
    if cents > room:
        raise _amount(cents, f"at most {dollars(room)}", "more than the account can hold")


def _check_amount(cents: int) -> None:
    if not 0 < cents <= a.MOST_CENTS:
        raise _amount(cents, f"$0.01 to {dollars(a.MOST_CENTS)}")


def _amount(cents: int, allowed: str, what: str = "is not a valid amount") -> BadInput:
    return BadInput(Problem(code="account.amount", where="cents", what=what, value=cents, allowed=allowed))
