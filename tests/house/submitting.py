"""A table's form as a submission, one that is proposed, and one that was agreed to."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec.structs import replace

from crossfelt.client import HouseClient
from crossfelt.house.audit.events import TableChanging
from crossfelt.house.tables.pit import Pit


def filed(form: dict[str, Any]) -> dict[str, Any]:
    """What a form states as it is opened."""
    stated: dict[str, Any] = {}
    for field in form["fields"]:
        if field["stated"]:
            *tables, name = field["path"].split(".")
            place = stated
            for table in tables:
                place = place.setdefault(table, {})
            place[name] = field["value"]
    return stated


async def proposed(client: HouseClient, submission: dict[str, Any]) -> dict[str, Any]:
    asked = {
        "kind": "submission",
        "subject": "ma-criss-cross-1",
        "details": {"submission": json.dumps(submission)},
        "reason": "a higher minimum",
    }
    told: dict[str, Any] = await client.post("/api/proposals", asked)
    return told


def changing_to(pit: Pit, name: str, opening: int) -> TableChanging:
    settings = replace(pit.settings[name], opening=opening)
    return TableChanging(by="Ann and Bob", at=0, table=name, settings=msgspec.to_builtins(settings))
