"""Submissions for tests: from a table's form, proposed, and approved by two people."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from crossfelt.client import Client
from crossfelt.server.journal.events import TableChanging
from crossfelt.server.pit.pit import Pit


def filed(form: dict[str, Any]) -> dict[str, Any]:
    """Return the submission of a form as it is opened."""
    stated: dict[str, Any] = {}
    for field in form["fields"]:
        if field["stated"]:
            *tables, name = field["path"].split(".")
            place = stated
            for table in tables:
                place = place.setdefault(table, {})
            place[name] = field["value"]
    return stated


async def proposed(client: Client, submission: dict[str, Any]) -> dict[str, Any]:
    asked = {
        "kind": "submission",
        "subject": "ma-criss-cross-1",
        "details": {"submission": json.dumps(submission)},
        "reason": "a higher minimum",
    }
    told: dict[str, Any] = await client.post("/api/proposals", asked)
    return told


async def change_rules(pit: Pit, table: str, submission: dict[str, Any], link: str | None = None) -> bool:
    """Approve another submission by two people; return whether the successor of the table is open."""
    settings = msgspec.to_builtins(pit.settings[table].successor(submission, link))
    changing = TableChanging(
        by="Ann and Bob", at=0, proposed_by="Ann", approved_by="Bob", table=table, settings=settings
    )
    await pit._journal.note(changing)
    return await pit.change_rules(changing)
