"""Migrations of the store's tables to the schema of this version.

Alembic is imported only if there is something to alter: the check takes one query, and an empty database gets the
tables of the metadata. Alembic and what it imports take a tenth of the server's memory.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from crossfelt.errors import BadInput, Problem
from crossfelt.server.store import statements as sql
from crossfelt.server.store.statements import metadata

MIGRATIONS: Final = Path(__file__).parent / "migrations"
LATEST: Final = "0001"
"""The last file in `migrations/versions`."""
_MIGRATION_LOCK: Final = 0x63726F73
"""The advisory lock of a migration on PostgreSQL, for processes that start together."""


def migrate(engine: sa.Engine) -> str:
    """Make or alter the tables, in one transaction; return the server's id."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        revision = _revision(connection)
        if revision is None:  # an empty database
            metadata.create_all(connection, checkfirst=False)
            connection.execute(sa.text("create table alembic_version (version_num varchar(32) not null primary key)"))
            connection.execute(sa.text("insert into alembic_version values (:latest)"), {"latest": LATEST})
        elif revision != LATEST:
            _upgrade(connection)
        return _server_id(connection)


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("select version_num from alembic_version")).scalar()


def _upgrade(connection: sa.Connection) -> None:
    """Run the migrations that this database has not had."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    steps = EnvironmentContext(config, scripts, fn=lambda revision, _: scripts._upgrade_revs(LATEST, revision))
    try:
        with steps:
            steps.configure(connection=connection, target_metadata=metadata)
            steps.run_migrations()
    except CommandError:
        what = "the database was made by a newer version of Crossfelt: upgrade Crossfelt"
        problem = Problem(code="store.newer", what=what, value=_revision(connection), allowed=LATEST)
        raise BadInput(problem) from None


def _server_id(connection: sa.Connection) -> str:
    known = connection.execute(sql.property_of, {"of": sql.SERVER_ID}).scalar()
    if known is not None:
        return str(known)
    drawn = secrets.token_hex(8)
    connection.execute(sql.put(connection.dialect.name, sql.properties), {"name": sql.SERVER_ID, "value": drawn})
    return drawn
