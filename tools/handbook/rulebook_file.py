"""The page on the rulebook file: every table and key, from the docstrings of the model."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from crossfelt.hands.kinds import KINDS
from crossfelt.hands.own_order import CATEGORIES
from crossfelt.rulebooks import hand_forms, model, script, settle_forms
from crossfelt.rulebooks.settings import setting_rules
from handbook.markdown import DOCS, table

PAGE: Final = DOCS / "rulebook.md"
HEAD: Final = """\
# The rulebook file

A game is one TOML file (JSON with the same keys works as well). This page lists every table and key, generated from the
model that reads it; [Your own game](tutorials/own_game.md) leads from an empty file to a table in the browser.

- `crossfelt rulebook check FILE` reports everything that is wrong with a file at once, each with its place.
- `crossfelt rulebook show FILE` prints the whole rulebook with everything that rests on a default.
- `crossfelt rulebook schema` prints a JSON Schema, for the completion of an editor. Name it in the first line of the
  file: `#:schema rulebook.schema.json`.

Amounts are whole cents. Names consist of small letters, digits and underscores. Conditions are never written out: a
hand gives names to its marks, and rules refer to the name. Odds are `"3 to 1"` (the stake comes back), `"3 for 1"` (it
does not) or `"push"`; a result may also be `"lose"`.

Every table may also have `clauses` and `readings` (ids that the file or the package defines), `house_rule`, `topic`,
and `illustrative = true` for a placeholder. A table without any of them rests on the document as a whole.
"""
TABLES: Final[tuple[tuple[str, type[Any]], ...]] = (
    ("The file", model.Rulebook),
    ("`[document]`", model.OwnDocument),
    ("`[[clause]]`", model.OwnClause),
    ("`[[reading]]`", model.OwnReading),
    ("`[[topic]]`", model.OwnTopic),
    ("`[deck]`", model.Deck),
    ("`[table]`", model.TableEquipment),
    ("`[table.layout]`", model.Layout),
    ("`[[group]]`", hand_forms.Group),
    ("`[[order]]`", hand_forms.OrderRule),
    ("`[[hand]]`", hand_forms.Hand),
    ("A mark", hand_forms.Mark),
    ("A match", hand_forms.Match),
    ("`[[split]]`", hand_forms.Split),
    ("`[[wager]]`", model.Wager),
    ("`stake`", model.Stake),
    ("A rule of `settle`", settle_forms.Rule),
    ("`{ pay, on, else }`", settle_forms.PayOn),
    ("`bonus`", settle_forms.Bonus),
    ("`commission`", settle_forms.Commission),
    ("`[[paytable]]`", model.PayTable),
    ("A pay line", model.PayLine),
    ("`[[wheel]]`", model.Wheel),
    ("A slice", model.Slice),
    ("`[[community_pay]]`", model.CommunityPay),
    ("`[[meter]]`", model.MeterRule),
    ("`[[payout_limit]]`", model.PayoutLimit),
    ("`[settings]`", model.Setting),
    ("`[irregularities]`", model.Irregularity),
    ("`[[choice]]`", model.Choice),
    ("`[[requirement]]`", model.Requirement),
)
STEPS: Final = (
    script.OfferBank, script.OpenBets, script.Lock, script.FirstHand, script.Deal, script.Delivery, script.Stub,
    script.Decide, script.Action, script.Ceiling, script.Reveal, script.SetHands, script.Compare, script.Settle,
    script.Spin, script.Discard, script.Shuffle,
)  # fmt: skip
SINGLE: Final = "Serves one document of the package only: "
ONE_BOOK: Final[Mapping[Any, str]] = {
    script.OfferBank: "a player's bank of Pai Gow Poker.",
    script.FirstHand: "the dice of Pai Gow Poker.",
    script.SetHands: "the two hands of Pai Gow Poker.",
    script.Compare: "the comparison of Pai Gow Poker.",
    hand_forms.Split: "the two hands of Pai Gow Poker.",
    settle_forms.Commission: "Pai Gow Poker.",
}
LATER: Final = ("clauses", "readings", "house_rule", "illustrative", "topic")


def rulebook_page() -> tuple[Path, str]:
    """Return the path of the page and its text."""
    return PAGE, "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield HEAD
    for title, kind in TABLES:
        yield from _table(title, kind)
    yield "## Steps of a round"
    yield ""
    yield "Each is a `[[script]]` table with `step` and `id`, in the order of the round."
    yield ""
    for kind in STEPS:
        tag = kind.__struct_config__.tag
        yield from _table(f"`{tag}`" if tag else _words(kind.__name__), kind, level=3)
    yield from _orders()
    yield from _settings()


def _table(title: str, kind: type[Any], level: int = 2) -> Iterator[str]:
    yield f"{'#' * level} {title}"
    yield ""
    yield _sentence(inspect.getdoc(kind) or "")
    if kind in ONE_BOOK:
        yield f"{SINGLE}{ONE_BOOK[kind]}"
    yield ""
    said = _docs(kind)
    rows = []
    for field in msgspec.structs.fields(kind):
        if field.name in LATER and kind is not model.Rulebook:
            continue
        needed = "yes" if field.required else ""
        rows.append((f"`{field.encode_name}`", _type_of(kind, field.name), needed, said.get(field.name, "")))
    if rows:
        yield from table(["key", "value", "required", "meaning"], rows)
        yield ""


def _docs(kind: type[Any]) -> Mapping[str, str]:
    """Return the docstring after each field of a class, those of its bases included."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("crossfelt"):
            body = ast.parse(inspect.getsource(each)).body[0]
            assert isinstance(body, ast.ClassDef)
            for node, after in zip(body.body, body.body[1:], strict=False):
                if (
                    isinstance(node, ast.AnnAssign)
                    and isinstance(node.target, ast.Name)
                    and isinstance(after, ast.Expr)
                ):
                    text = getattr(after.value, "value", "")
                    found[node.target.id] = _sentence(text) if isinstance(text, str) else ""
    return found


def _type_of(kind: type[Any], name: str) -> str:
    """Return the annotation of a field in words."""
    for each in kind.__mro__:
        if name in inspect.get_annotations(each):
            return _value_words(str(inspect.get_annotations(each)[name]))
    return ""


WORDS: Final = {
    "Annotated[tuple[Name, ...], Meta(min_length=1)]": "names",
    "tuple[tuple[Name, ...], ...]": "rows of names",
    "tuple[CardsName, ...]": "groups and cards",
    "tuple[HandName, HandName]": "two hands",
    "tuple[tuple[HandName, HandName], ...]": "pairs of hands",
    "dict[HandName, Name]": "hands with marks",
    "dict[Name, Name]": "hands with marks",
    "dict[Name, Mark]": "marks by name",
    "dict[Name, Scalar]": "settings with values",
    "tuple[Name, Name]": "two names",
    "tuple[Name, ...]": "names",
    "tuple[str, ...]": "texts",
    "NextOrResult": "result, or `next`",
    "PlainResult": "result",
    "HandName": "hand",
    "Text": "text",
    "Name": "name",
    "Count": "whole number",
    "bool": "true or false",
    "Odds": "odds",
    "Ranks": "ranks",
    "Rank": "rank",
    "str": "text",
    "int": "whole number",
}


def _value_words(annotation: str) -> str:
    text = annotation.replace(" | None", "")
    if text.startswith("Literal["):
        return ", ".join("`" + part.strip().strip('"') + "`" for part in text.removeprefix("Literal[")[:-1].split(","))
    if text.startswith("Annotated["):
        return "text" if text.startswith("Annotated[str") else "whole number"
    for code, words in WORDS.items():
        text = text.replace(code, words)
    return text.replace("tuple[", "list of ").replace(", ...]", "").replace("dict[", "table of ").replace("|", "or")


def _sentence(text: str) -> str:
    return " ".join(inspect.cleandoc(text).split(">>>")[0].split()).replace("``", "`").replace("|", "\\|")


def _words(name: str) -> str:
    return {"Delivery": "A delivery", "Action": "An action", "Ceiling": "A ceiling"}.get(name, name)


def _orders() -> Iterator[str]:
    yield "## Orders of hands"
    yield ""
    yield "Orders of the package, highest category first. `[[order]]` states another; a new category is code."
    yield ""
    rows = [(f"`{name}`", str(kind.cards), ", ".join(kind.categories)) for name, kind in KINDS.items()]
    yield from table(["order", "cards", "categories"], rows)
    yield ""
    yield f"Categories for an order of your own: {', '.join(f'`{name}`' for name in CATEGORIES)}."
    yield ""


def _settings() -> Iterator[str]:
    yield "## Settings"
    yield ""
    yield "A game has those of the forms that it uses; without a default a setting stands only where a file states it."
    yield ""
    rows = []
    for rule in setting_rules().values():
        default = rule.meaning(rule.default) if rule.default is not None else ""
        rows.append((f"`{rule.id}`", rule.title, ", ".join(rule.forms) or "every game", rule.allowed, default))
    yield from table(["setting", "question", "forms", "values", "default"], rows)
