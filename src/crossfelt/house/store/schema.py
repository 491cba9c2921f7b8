"""The tables of the store, alike on SQLite and PostgreSQL."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

_NUMBER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""SQLite numbers rows by itself only in a column of exactly this type."""

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
"""The head of each stream, and the row that is locked to write to it. One that has no lines yet has seq -1."""

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
"""Every line of every stream. Nothing is ever changed here, or taken away, so that a position never comes again."""

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
"""A lease that was given back stays, so that its fencing number never falls."""

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
"""What the house has signed, in a chain of its own."""

facts: Final = sa.Table(
    "facts",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""Which house this is, and what the store must remember of itself."""
