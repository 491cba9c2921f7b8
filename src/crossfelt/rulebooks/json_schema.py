"""The JSON Schema of a rulebook file, for editors: ``rulebook.schema.json`` in the package, made from the model."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

import msgspec

from crossfelt.money import Odds
from crossfelt.rulebooks.model import Rulebook

FILE: Final = "rulebook.schema.json"


def schema() -> bytes:
    """Return the JSON Schema of a rulebook file."""
    made: Any = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(Rulebook, schema_hook=_odds),
    }
    # A file that extends another states the rest only.
    made["$defs"]["Rulebook"]["required"] = ["schema", "id", "version", "title"]
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def shipped_schema() -> str:
    """Return the schema that ships with the package."""
    return files("crossfelt.rulebooks").joinpath(FILE).read_text("utf-8")


def _odds(kind: type) -> dict[str, str]:
    if kind is Odds:
        return {"type": "string", "pattern": r"^(push|\d+ (to|for) \d+)$"}
    raise NotImplementedError(kind)
