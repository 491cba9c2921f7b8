"""The first schema. A new database has the tables of `statements`; later revisions alter the older ones."""

from __future__ import annotations

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing came before."""
