"""The tables of the store, and its SQL statements: one wording for SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from crossfelt.server.store.interface import Lease

_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""SQLite assigns row ids only in a column declared INTEGER."""

metadata: Final = sa.MetaData()

streams: Final = sa.Table(
    "streams",
    metadata,
    sa.Column("id", _NUMBER, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("signed", sa.BigInteger, nullable=False, comment="the seq that the last signed head names"),
)
"""The head of each stream. A writer locks this row. A stream without lines has seq -1."""

_UNSIGNED: Final = streams.c.signed < streams.c.seq
sa.Index("streams_to_sign", streams.c.id, postgresql_where=_UNSIGNED, sqlite_where=_UNSIGNED)

lines: Final = sa.Table(
    "lines",
    metadata,
    sa.Column("position", _NUMBER, primary_key=True, autoincrement=False),
    sa.Column("stream", _NUMBER, sa.ForeignKey(streams.c.id), nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("command_id", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("fence", sa.BigInteger, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("stream", "seq", name="one_line_for_each_seq"),
    sa.UniqueConstraint("stream", "command_id", name="one_line_for_each_command"),
)
"""Every line of every stream. Lines are never updated or deleted, so no position is used twice."""

records: Final = sa.Table(
    "records",
    metadata,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("until", sa.BigInteger),
)

leases: Final = sa.Table(
    "leases",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("fence", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)
"""A released lease keeps its row, so that its fencing number never falls."""

snapshots: Final = sa.Table(
    "snapshots",
    metadata,
    sa.Column("stream", _NUMBER, sa.ForeignKey(streams.c.id), primary_key=True, autoincrement=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

heads: Final = sa.Table(
    "heads",
    metadata,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""The signed heads, in a hash chain of their own."""

properties: Final = sa.Table(
    "facts",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""Properties of the whole store by name: the server's id, the key it signs with, the base of its positions."""

_INSERT: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""Both databases have ``ON CONFLICT``, for which SQLAlchemy has no common construct."""

Number = int | sa.ColumnElement[int]


@cache
def put(dialect: str, table: sa.Table) -> Any:
    """Insert a row in place of the one with its key; a snapshot does not replace a later one."""
    new = _INSERT[dialect](table)
    values = {column.name: new.excluded[column.name] for column in table.columns if not column.primary_key}
    where = table.c.seq <= new.excluded.seq if table is snapshots else None
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values, where=where)


_LINE: Final = (
    *(lines.c.position, streams.c.name.label("stream"), lines.c.seq, lines.c.command_id, lines.c.at, lines.c.fence),
    lines.c.body,
)
_LINES: Final = sa.select(*_LINE).join_from(lines, streams, lines.c.stream == streams.c.id)

# --- streams and their lines ------------------------------------------------------------------------------------

insert_lines: Final = "insert into lines (position, stream, seq, command_id, at, fence, body) values {values}"
"""For many lines at once, as the two below for many streams."""
move_heads: Final = (
    "with moved (id, seq, hash) as (values {values}) update streams "
    "set seq = moved.seq, hash = moved.hash from moved where streams.id = moved.id"
)
mark_signed: Final = (
    "with named (id, seq) as (values {values}) update streams "
    "set signed = named.seq from named where streams.id = named.id"
)
line_of_command: Final = _LINES.where(
    streams.c.name == sa.bindparam("stream_name"), lines.c.command_id == sa.bindparam("command")
)
lines_after: Final = _LINES.where(
    streams.c.name == sa.bindparam("stream_name"), lines.c.seq > sa.bindparam("after")
).order_by(lines.c.seq)
lines_before: Final = _LINES.where(
    streams.c.name == sa.bindparam("stream_name"), lines.c.seq < sa.bindparam("before")
).order_by(lines.c.seq.desc())
_NOT_SECRET: Final = ~streams.c.name.startswith("seal/")
"""The secrets of rounds are in streams of their own."""
streams_between: Final = (
    sa.select(streams.c.name)
    .join_from(lines, streams, lines.c.stream == streams.c.id)
    .where(lines.c.at >= sa.bindparam("since"), lines.c.at <= sa.bindparam("until"), _NOT_SECRET)
    .distinct()
    .order_by(streams.c.name)
)
lines_before_position: Final = _LINES.where(lines.c.position < sa.bindparam("before"), _NOT_SECRET).order_by(
    lines.c.position.desc()
)
first_time_from: Final = (
    sa.select(lines.c.at).where(lines.c.position >= sa.bindparam("first")).order_by(lines.c.position).limit(1)
)
last_position: Final = sa.select(sa.func.coalesce(sa.func.max(lines.c.position), 0))
_LAST: Final = 100
"""Lines that are searched for the latest time: the clocks of two processes differ, so the last line may not have it."""
_last_times: Final = sa.select(lines.c.at).order_by(lines.c.position.desc()).limit(_LAST).subquery()
last_time: Final = sa.select(sa.func.coalesce(sa.func.max(sa.cast(_last_times.c.at, sa.BigInteger)), 0))
"""Cast to a number, because SQLite lets a tampered row hold text; the integrity check reports that row."""


@cache
def begin_streams(dialect: str) -> Any:
    """Insert the rows to lock, where they are missing."""
    return _INSERT[dialect](streams).on_conflict_do_nothing(index_elements=[streams.c.name])


def locked_heads(names: Collection[str]) -> sa.Select[Any]:
    """Lock heads in the order of their names, so that two commits cannot deadlock."""
    wanted = sa.select(streams.c.id, streams.c.name, streams.c.seq, streams.c.hash)
    return wanted.where(streams.c.name.in_(sorted(names))).order_by(streams.c.name).with_for_update()


def heads_of(prefix: str, after: str, limit: int | None) -> sa.Select[Any]:
    wanted = sa.select(streams.c.name, streams.c.seq, streams.c.hash).where(streams.c.seq >= 0)
    wanted = wanted.where(streams.c.name.startswith(prefix, autoescape=True), streams.c.name > after)
    return wanted.order_by(streams.c.name).limit(limit)


size: Final = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(streams.c.seq + 1), 0)).where(streams.c.seq >= 0)
head_of: Final = sa.select(streams.c.seq, streams.c.hash).where(streams.c.name == sa.bindparam("stream_name"))


# --- records ----------------------------------------------------------------------------------------------------

_RECORD: Final = sa.select(records.c.kind, records.c.key, records.c.body, records.c.until)
record_of: Final = _RECORD.where(records.c.kind == sa.bindparam("of_kind"), records.c.key == sa.bindparam("of_key"))
records_of: Final = _RECORD.where(records.c.kind == sa.bindparam("of_kind")).order_by(records.c.key)
drop_record: Final = sa.delete(records).where(
    records.c.kind == sa.bindparam("of_kind"), records.c.key == sa.bindparam("of_key")
)
forget_records: Final = sa.delete(records).where(records.c.until < sa.bindparam("now"))


# --- leases -----------------------------------------------------------------------------------------------------


def take_lease(dialect: str, name: str, holder: str, now: Number, milliseconds: int) -> Any:
    """Give the lease to the holder under a new fencing number, unless another holder's lease still runs.

    A running lease is only read. ``ON CONFLICT`` would lock its row, and two processes that ask for each other's leases
    while they write under their own would deadlock.
    """
    until = sa.literal(milliseconds) + now
    held = sa.exists().where(leases.c.name == name, leases.c.holder != holder, leases.c.until > now)
    wanted = sa.select(sa.literal(name), sa.literal(holder), sa.literal(1), until).where(~held)
    new = _INSERT[dialect](leases).from_select(["name", "holder", "fence", "until"], wanted)
    return new.on_conflict_do_update(
        index_elements=[leases.c.name],
        set_={"holder": holder, "fence": leases.c.fence + 1, "until": until},
        where=sa.or_(leases.c.until <= now, leases.c.holder == holder),
    ).returning(leases.c.fence)


def hold_leases(held: Iterable[Lease], until: Number) -> Any:
    """Set the end of the leases that are still held; 0 releases them."""
    wanted = [(lease.name, lease.holder, lease.fence) for lease in held]
    named = sa.tuple_(leases.c.name, leases.c.holder, leases.c.fence)
    return sa.update(leases).where(named.in_(wanted)).values(until=until)


end_all_leases: Final = sa.update(leases).values(until=0)


def running_leases(now: Number, name: str | None = None) -> sa.Select[Any]:
    wanted = sa.select(leases.c.name, leases.c.holder, leases.c.fence).where(leases.c.until > now)
    return wanted if name is None else wanted.where(leases.c.name == name)


held_leases: Final = (
    sa.select(leases.c.name, leases.c.holder, leases.c.fence)
    .where(leases.c.name.in_(sa.bindparam("names", expanding=True)))
    .order_by(leases.c.name)
    .with_for_update(read=True)
)
"""Select leases with a share lock until the commit: a process that takes one over waits for the commit."""


# --- snapshots, signed heads, properties ------------------------------------------------------------------------

snapshot_of: Final = (
    sa.select(streams.c.name.label("stream"), snapshots.c.seq, snapshots.c.hash, snapshots.c.body)
    .join_from(snapshots, streams, snapshots.c.stream == streams.c.id)
    .where(streams.c.name == sa.bindparam("stream_name"))
)
stream_id: Final = sa.select(streams.c.id).where(streams.c.name == sa.bindparam("stream_name"))


unsigned_heads: Final = (
    sa.select(streams.c.id, streams.c.name, streams.c.seq, streams.c.hash, streams.c.signed)
    .where(streams.c.signed < streams.c.seq)
    .order_by(streams.c.name)
)
insert_head: Final = sa.insert(heads)
last_head: Final = sa.select(heads.c.number, heads.c.body).order_by(heads.c.number.desc()).limit(1)


def heads_after(number: int, limit: int) -> sa.Select[Any]:
    wanted = sa.select(heads.c.number, heads.c.body).where(heads.c.number > number)
    return wanted.order_by(heads.c.number).limit(limit)


SERVER_ID: Final = "server"
"""The property that holds the server's id."""
FORMER_IDS: Final = "names_before"
"""The property that holds the ids of the servers that this one was restored from."""
property_of: Final = sa.select(properties.c.value).where(properties.c.name == sa.bindparam("of"))
