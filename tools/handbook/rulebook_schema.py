"""The JSON Schema of a rulebook file, for editors: ``rulebook.schema.json`` in the package, made from the model."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from crossfelt.money import Odds
from crossfelt.rulebooks import citations, hand_forms, model, script, settle_forms

MODEL: Final = (model, script, hand_forms, settle_forms, citations)
NAMING: Final = frozenset({"id", "path", "wager", "letter", "says", "rule", "step"})
"""Fields that a file which extends another states as well: they name what it changes."""


def schema() -> bytes:
    """Return the JSON Schema of a rulebook file."""
    made: Any = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(model.Rulebook, schema_hook=_odds),
    }
    for name, part in made["$defs"].items():
        _describe(part, next(getattr(module, name) for module in MODEL if hasattr(module, name)))
    _relax(made["$defs"])
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def _describe(part: dict[str, Any], kind: type[Any]) -> None:
    """Add the meaning of each field, for the editor to show."""
    said = field_docs(kind)
    for field in msgspec.structs.fields(kind):
        if meaning := said.get(field.name):
            part["properties"][field.encode_name]["description"] = meaning


def field_docs(kind: type[Any]) -> Mapping[str, str]:
    """Return the docstring after each field of a class, those of its bases included."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("crossfelt"):
            body = ast.parse(inspect.getsource(each)).body[0]
            assert isinstance(body, ast.ClassDef)
            for node, after in zip(body.body, body.body[1:], strict=False):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    text = after.value.value if isinstance(after, ast.Expr) and hasattr(after.value, "value") else ""
                    found[node.target.id] = " ".join(str(text).split()).replace("``", "`")
    return found


def _relax(defs: dict[str, Any]) -> None:
    """Ask for names only in the sections of a file, as one that extends another states no more than what differs."""
    whole = defs["Rulebook"]
    whole["required"] = ["schema", "id", "version", "title"]
    for part in (defs[name] for name in re.findall(r"#/\$defs/(\w+)", str(whole["properties"]))):
        part["required"] = [name for name in part.get("required", ()) if name in NAMING]
        if "step" in part["properties"]:
            told = "In a rulebook that extends another: the step before which this one is put."
            part["properties"]["before"] = {"type": "string", "description": told}


def _odds(kind: type) -> dict[str, str]:
    if kind is Odds:
        return {"type": "string", "pattern": r"^(push|\d+ (to|for) \d+)$"}
    raise NotImplementedError(kind)
