"""The page on the rulebook file: every table and key, from the docstrings of the model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect as types

from crossfelt.hands.kinds import KINDS
from crossfelt.hands.own_order import CATEGORIES
from crossfelt.rulebooks import citations, hand_forms, model, script, settle_forms
from crossfelt.rulebooks.citations import data_of
from crossfelt.rulebooks.loader import load, rulebook_ids
from crossfelt.rulebooks.settings import setting_rules
from handbook.markdown import DOCS, ROOT, table
from handbook.rulebook_examples import EXAMPLES
from handbook.rulebook_schema import field_docs
from handbook.site import slug

PAGE: Final = DOCS / "rulebook.md"
HEAD: Final = """\
# The rulebook file

A game is one TOML file (JSON with the same keys works as well). This page lists every table and key, generated from the
model that reads it; [Your own game](tutorials/own_game.md) leads from an empty file to a table in the browser.

- `crossfelt rulebook check FILE` reports everything that is wrong with a file at once, each with its place.
- `crossfelt rulebook show FILE` prints the whole rulebook with everything that rests on a default.
- `crossfelt rulebook schema > rulebook.schema.json` writes a JSON Schema, for the completion of an editor. Name it in
  the first line of the file: `#:schema rulebook.schema.json`, a path beside it. Taplo and Even Better TOML read it.

Amounts are whole cents. Names consist of small letters, digits and underscores. Conditions are never written out: a
hand gives names to its marks, and rules refer to the name. Odds are `"3 to 1"` (the stake comes back), `"3 for 1"` (it
does not) or `"push"`; a result may also be `"lose"`.

Every table may also have `clauses` and `readings` (ids that the file defines), `house_rule`, `topic`, and
`illustrative = true` for a placeholder. A table without any of them rests on the document as a whole. A file with a
`document` of its own cites no clause and no reading of the package.

A form that only one rulebook of the package and of `examples/rulebooks` uses is marked so. It works in any game that
has what it needs.

## A file that extends another

`extends = "ID"`, or the path of a file, takes over another rulebook. Tables with the same id (a `path`, `letter` or
`wager` where they have none) are merged, and other lists are replaced. `[drop]` lists what is left out, by section.
`before` puts a new step before another.

```toml
extends = "river-stud.toml"

[drop]
wager = ["pocket_pair"]

[[wager]]
id = "raise"
stake = { of = "ante", min = 1, max = 5 }
```

## Games that need another language

A file that looks for one of these forms is refused with its name: cards that are drawn or exchanged, wild cards other
than the one joker, a match of suits or of a single card, a part of a wager back at a fold, totals of cards, pots among
players. Nor is there a form for a decision after hands have been compared (to go to war), for a dealer's hand that
differs by seat, for a split into three hands, or for a shoe that is carried over rounds. A round has one deal: a card
that players see later belongs to the board or the dealer, and a `reveal` turns it up. Players see all their own cards
at once.

## Choices that a form brings

A file needs no `[[choice]]`. Each form brings the choices that a table needs, with a default; state one of the same
`path` to change its default or its bounds.

| form | choices |
|---|---|
| every game | `dealing.method`, `dealing.shuffler`, `dealing.decks`, `play.on_timeout` |
| `stake = { posted = "NAME" }` | `wagers.NAME.min_cents`, `.max_cents`, `.step_cents` |
| the same in credits | `wagers.NAME.min_credits`, `.max_credits` |
| `needs` of a wager before the cards | `wagers.ID.offered` |
| `expose` | `play.on_timeout_WAGER` |
| a pay table with a `letter` | `wagers.TABLE.paytable` |
| a wheel | `wagers.ID.paytable`, `wagers.ID.weights`; `wagers.ID.fixed_prize_cents` for a fixed top prize |
| wheels with a `hot_spot` ring | `wagers.ID.hot_spot_weights`, `.community_weights`, `.qualifying_hand` |
| a meter | `meters.ID.initial_cents`, `.reset_cents`, `.rate_per_million` |
| `unit = "credits"` | `wagers.TABLE.credit_cents`, and `.AWARD_per_million` for each random award |
| a split | the `house_way` of the split |
"""
TABLES: Final[Mapping[type[Any], str]] = {
    model.Rulebook: "The file",
    model.OwnDocument: "`[document]`",
    model.OwnClause: "`[[clause]]`",
    model.OwnReading: "`[[reading]]`",
    model.OwnTopic: "`[[topic]]`",
    model.Deck: "`[deck]`",
    model.TableEquipment: "`[table]`",
    model.Layout: "`[table.layout]`",
    model.Fixtures: "`[table.fixtures]`",
    hand_forms.Group: "`[[group]]`",
    hand_forms.OrderRule: "`[[order]]`",
    hand_forms.Hand: "`[[hand]]`",
    hand_forms.Mark: "A mark",
    hand_forms.Match: "A match",
    hand_forms.Split: "`[[split]]`",
    model.Wager: "`[[wager]]`",
    model.Stake: "A stake",
    settle_forms.Rule: "A rule of settlement",
    settle_forms.PayOn: "A pay table as a result",
    settle_forms.Bonus: "A bonus",
    settle_forms.Commission: "A commission",
    model.PayTable: "`[[paytable]]`",
    model.PayLine: "A pay line",
    model.Instead: "Another reading",
    model.Wheel: "`[[wheel]]`",
    model.Slice: "A slice",
    model.CommunityPay: "`[[community_pay]]`",
    model.MeterRule: "`[[meter]]`",
    model.PayoutLimit: "`[[payout_limit]]`",
    model.Setting: "`[settings]`",
    model.Irregularity: "`[irregularities]`",
    model.Opening: "`[opening]`",
    script.OpeningStep: "An act of the opening",
    model.Choice: "`[[choice]]`",
    model.Requirement: "`[[requirement]]`",
    model.Must: "A condition of a choice",
}
STEPS: Final[Mapping[type[Any], str]] = {
    script.OfferBank: "`offer_bank`",
    script.OpenBets: "`open_bets`",
    script.Lock: "`lock`",
    script.FirstHand: "`first_hand`",
    script.Deal: "`deal`",
    script.Delivery: "A delivery",
    script.Stub: "`stub`",
    script.Decide: "`decide`",
    script.Action: "An action",
    script.Ceiling: "A ceiling",
    script.Reveal: "`reveal`",
    script.SetHands: "`set_hands`",
    script.Compare: "`compare`",
    script.Settle: "`settle`",
    script.Spin: "`spin`",
    script.Discard: "`discard`",
    script.Shuffle: "`shuffle`",
}
SECTIONS: Final = {**TABLES, **STEPS}
LATER: Final = ("clauses", "readings", "house_rule", "illustrative", "topic")
COMMON: Final = {"id": "The name by which the rest of the file refers to it."}
STEPS_TITLE: Final = "Steps of a round"


def rulebook_page() -> tuple[Path, str]:
    """Return the path of the page and its text."""
    return PAGE, "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield HEAD
    for kind, title in TABLES.items():
        yield from _table(title, kind)
    yield f"## {STEPS_TITLE}"
    yield ""
    yield "Each is a `[[script]]` table with `step` and `id`, in the order of the round. A script that leaves out"
    yield "`lock`, `stub`, `discard` and `shuffle` has them in their usual places."
    yield ""
    for kind, title in STEPS.items():
        yield from _table(title, kind, level=3)
    yield from _orders()
    yield from _settings()


def _table(title: str, kind: type[Any], level: int = 2) -> Iterator[str]:
    yield f"{'#' * level} {title}"
    yield ""
    yield _sentence(inspect.getdoc(kind) or "")
    if books := _only_in(kind):
        yield f"Used by one rulebook so far: {books}."
    yield ""
    rows = [
        (f"`{field.encode_name}`", value, "yes" if field.required else "", meaning)
        for field, value, meaning in keys_of(kind)
    ]
    if rows:
        yield from table(["key", "value", "required", "meaning"], rows)
        yield ""
    if kind in EXAMPLES:
        yield "```toml"
        yield example_of(kind)
        yield "```"
        yield ""


def example_of(kind: type[Any]) -> str:
    """Return the example of a section, with the header of its table where it is one."""
    title = SECTIONS[kind].strip("`")
    tag = kind.__struct_config__.tag
    header = "[[script]]" if tag else title if title.startswith("[") else ""
    step = f'step = "{tag}"' if tag else ""
    return "\n".join(filter(None, (header, step, EXAMPLES[kind].strip())))


def keys_of(kind: type[Any]) -> Iterator[tuple[Any, str, str]]:
    """Yield each key of a table with its value and its meaning, in words."""
    said, shapes = field_docs(kind), {field.name: field.type for field in _shape(kind).fields}
    for field in msgspec.structs.fields(kind):
        if field.name in LATER and kind is not model.Rulebook:
            continue
        meaning = said.get(field.name, "").replace("|", "\\|") or COMMON.get(field.name, "")
        if books := _only_in(kind, field.name):
            meaning += f" Used by one rulebook so far: {books}."
        yield field, value_words(shapes[field.name]), meaning


def _shape(kind: type[Any]) -> types.StructType:
    shape = types.type_info(kind)
    assert isinstance(shape, types.StructType)
    return shape


# --- forms of one rulebook ------------------------------------------------------------------------------------------

FORMS: Final = {
    settle_forms.Rule: ("odds", "pay", "versus", "versus_each", "pays", "spin", "only"),
    script.Action: ("bet", "check", "fold", "expose", "forfeit", "withdraw", "most", "choose"),
    hand_forms.Hand: ("of", "best", "highest_of", "lowest_of", "chosen_of", "split"),
    model.Stake: ("posted", "of", "times", "cents", "by_paytable"),
}
"""Keys that are a form of their own."""


@cache
def _uses() -> Mapping[tuple[type[Any], str], tuple[str, ...]]:
    """Return the titles of the rulebooks, shipped and examples, that use each table and each form."""
    found: dict[tuple[type[Any], str], dict[str, None]] = {}
    examples = sorted((ROOT / "examples" / "rulebooks").glob("*.toml"))
    for book in map(load, (*rulebook_ids(), *map(str, examples))):
        for _, datum in data_of(book):
            used = [name for name in FORMS.get(type(datum), ()) if getattr(datum, name)]
            for name in ("", *used):
                found.setdefault((type(datum), name), {})[book.title] = None
    return {key: tuple(titles) for key, titles in found.items()}


def _only_in(kind: type[Any], form: str = "") -> str:
    """Return the title of the one rulebook that uses a table or a form; nothing if several do."""
    titles = _uses().get((kind, form), ())
    return titles[0] if len(titles) == 1 else ""


# --- values in words ------------------------------------------------------------------------------------------------

WORDS: Final = (
    (citations.Name, "name"),
    (citations.Text, "text"),
    (hand_forms.HandName, "hand"),
    (hand_forms.CardsName, "group or card"),
    (hand_forms.Rank, "rank"),
    (hand_forms.Ranks, "ranks"),
    (settle_forms.PlainResult, "result"),
    (settle_forms.NextOrResult, "result, or `next`"),
    (model.RuleId, "id such as `RS-1`"),
)
MANY: Final = {
    "name": "names",
    "text": "texts",
    "hand": "hands",
    "group or card": "groups and cards",
    "ranks": "list of ranks",
    "result": "results",
    "whole number": "whole numbers",
    "id such as `RS-1`": "ids",
}
ONE: Final = {
    "settings": "setting",
    "irregularities": "irregularity",
    "paytable": "pay table",
    "Another reading": "reading",
}
PLAIN: Final = {types.StrType: "text", types.BoolType: "true or false", types.CustomType: "odds"}
LARGEST_SHOWN: Final = 1000


def value_words(shape: types.Type) -> str:
    """Return the type of a value in words, with a link where it is a table of its own.

    >>> value_words(types.type_info(tuple[settle_forms.HandName, settle_forms.HandName]))
    'two hands'
    >>> value_words(types.type_info(tuple[hand_forms.Group, ...]))
    'list, each a [group](#group)'
    """
    for kind, words in WORDS:
        if shape == types.type_info(kind):
            return words
    match shape:
        case types.Metadata():
            return value_words(shape.type)
        case types.StructType():
            return _link(shape.cls)
        case types.UnionType():
            return _union_words(shape)
        case types.VarTupleType():
            return _many(shape.item_type)
        case types.TupleType():
            return f"two {_many(shape.item_types[0])}"
        case types.DictType():
            return _dict_words(shape)
        case types.LiteralType():
            return ", ".join(f"`{value}`" for value in shape.values)
        case types.IntType():
            return _number_words(shape)
    return PLAIN[type(shape)]


def _union_words(shape: types.UnionType) -> str:
    kinds = [kind for kind in shape.types if not isinstance(kind, types.NoneType)]
    if all(isinstance(kind, types.StructType) and kind.tag for kind in kinds):
        return f"[step](#{slug(STEPS_TITLE)})"
    if any(isinstance(kind, types.BoolType) for kind in kinds):
        return "value"
    return " or ".join(dict.fromkeys(map(value_words, kinds)))


def _number_words(shape: types.IntType) -> str:
    if shape.ge is None or shape.le is None or shape.le > LARGEST_SHOWN:
        return "whole number"
    return f"whole number, {shape.ge} to {shape.le}"


def _dict_words(shape: types.DictType) -> str:
    if isinstance(shape.value_type, types.DictType):
        return f"{value_words(shape.value_type.value_type)} for each kind and case"
    key = (
        "name"
        if isinstance(shape.key_type, types.StrType) and not shape.key_type.pattern
        else value_words(shape.key_type)
    )
    if shape.value_type == types.type_info(citations.Name):
        return "mark for each hand"
    return f"{value_words(shape.value_type)} for each {key}"


def _many(shape: types.Type) -> str:
    words = value_words(shape)
    if words.startswith("["):
        return f"list, each a{'n' if words[1] in 'aeiou' else ''} {words}"
    if isinstance(shape, types.IntType | types.Metadata) and words.startswith("whole number"):
        return words.replace("number", "numbers", 1)
    return MANY.get(words, f"lists of {words}" if isinstance(shape, types.VarTupleType) else f"list of {words}")


def _link(kind: type[Any]) -> str:
    if kind is citations.Cited:
        return "table with `clauses`, `readings` or `house_rule`"
    title = SECTIONS[kind]
    name = title.strip("`[]").removeprefix("A ").removeprefix("An ").removeprefix("table.").replace("_", " ")
    return f"[{ONE.get(name, name)}](#{slug(title)})"


def _sentence(text: str) -> str:
    return " ".join(inspect.cleandoc(text).split(">>>")[0].split()).replace("``", "`").replace("|", "\\|")


def _orders() -> Iterator[str]:
    yield "## Orders of hands"
    yield ""
    yield "Orders of the package, highest category first. `[[order]]` states another; a new category is code. All cards"
    yield "of a hand are part of a `flush`, `straight` or `straight_flush`. The categories with a number look for that"
    yield "number of cards of one suit; an order of these alone, without `high_card`, is solved exactly."
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
