"""Streams and their lines, records, leases, snapshots, signed heads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "streams",
        sa.Column("id", number, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("signed", sa.BigInteger, nullable=False, comment="the seq that the last signed head names"),
    )
    unsigned = sa.text("signed < seq")
    op.create_index("streams_to_sign", "streams", ["id"], postgresql_where=unsigned, sqlite_where=unsigned)
    op.create_table(
        "lines",
        sa.Column("position", number, primary_key=True, autoincrement=False),
        sa.Column("stream", number, sa.ForeignKey("streams.id"), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("stream", "seq", name="one_line_for_each_seq"),
        sa.UniqueConstraint("stream", "command_id", name="one_line_for_each_command"),
    )
    op.create_table(
        "records",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("stream", number, sa.ForeignKey("streams.id"), primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "heads",
        sa.Column("number", number, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
