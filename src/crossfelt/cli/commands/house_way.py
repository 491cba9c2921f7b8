"""`crossfelt house-way`: list and show the published house ways of setting two hands, set a hand, count hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards import format_cards, parse_cards
from crossfelt.cli.options import AsJson, argument, command_group
from crossfelt.cli.output import answer, heading
from crossfelt.games.house_way import HandSetter
from crossfelt.games.split_hands import set_hand
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.house_ways import GUARD, HouseWay, house_way_as_data, load_house_way
from crossfelt.text_layout import columns, paragraph

app = command_group("List, show, apply or count the house ways of setting two hands.")

Which = Annotated[str, argument("ID", "House way id, or path of a .toml or .json file.")]
CONFIDENCE = {"read": "in full", "read_in_part": "in part"}


class HouseWayRow(msgspec.Struct, frozen=True, kw_only=True):
    """One house way in `crossfelt house-way list --json`."""

    id: str
    name: str
    confidence: str
    rules: int
    assumed: int
    """Number of rules that are not in the publication."""
    house_rule: str


class SetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `crossfelt house-way set --json`."""

    house_way: str
    low: str
    high: str
    low_name: str
    high_name: str
    rule: str
    trace: tuple[str, ...]


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """One house way in `crossfelt house-way count --json`: hands by the kind of rule that sets them."""

    house_way: str
    published: int
    assumed: int
    guard: int
    rules: dict[str, int]


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the house ways that ship with Crossfelt."""
    rows = [_row(load_house_way(name)) for name in house_way_ids()]
    cells = [("house way", "name", "published", "rules", "assumed")]
    cells += [(row.id, row.name, CONFIDENCE[row.confidence], str(row.rules), str(row.assumed)) for row in rows]
    first, *others = columns(cells, right=[3, 4])
    answer(rows, [heading(first), *others], as_json=as_json)


def _row(way: HouseWay) -> HouseWayRow:
    counts = {"rules": len(way.rules), "assumed": sum(bool(rule.assumed) for rule in way.rules)}
    return HouseWayRow(**shared_fields(way, HouseWayRow) | counts)


@app.command("show")
def show_command(which: Which, as_json: AsJson = False) -> None:
    """Show the rules of a house way, in order."""
    way = load_house_way(which)
    lines = [heading(f"{way.name} ({way.id})"), *paragraph(f"HOUSE RULE: {way.house_rule}"), ""]
    for place, rule in enumerate(way.rules, start=1):
        assumed = f"  [ASSUMED: {rule.assumed}]" if rule.assumed else ""
        lines += paragraph(f"{rule.says}{assumed}  ({rule.id})", indent=4, first=f"{place:>2}")
    lines += ["", *paragraph(f"{GUARD}: a hand that no rule sets gets the highest front that is not a foul.")]
    answer(house_way_as_data(way), lines, as_json=as_json)


@app.command("set")
def set_command(
    which: Annotated[str, argument("ID", 'House way id or file, or "all".')],
    cards: Annotated[str, argument("CARDS", 'Seven cards, e.g. "9c 9d 3h 3s Kc 8d 2h"; the joker is Jk.')],
    as_json: AsJson = False,
) -> None:
    """Set seven cards by a house way. The answer names the rule; "all" applies every house way."""
    names = house_way_ids() if which == "all" else (which,)
    answers = [set_answer(load_house_way(name), cards, where="cards") for name in names]
    if which == "all":
        rows = [(it.house_way, it.low, f"{it.high} ({it.high_name})", it.rule) for it in answers]
        answer(answers, columns([("house way", "in front", "behind", "rule"), *rows]), as_json=as_json)
    else:
        answer(answers[0], set_lines(answers[0]), as_json=as_json)


def set_answer(way: HouseWay, text: str, *, where: str) -> SetAnswer:
    cards = parse_cards(text, count=7, joker=True, where=where)
    made = HandSetter(way).set(cards)
    hands = set_hand(cards, made.low)
    return SetAnswer(
        house_way=way.id,
        low=format_cards(made.low),
        high=format_cards(made.high),
        low_name=hands.low.name,
        high_name=hands.high.name,
        rule=made.rule,
        trace=made.trace,
    )


def set_lines(found: SetAnswer) -> Iterator[str]:
    """Render both hands and the trace of rules."""
    yield f"in front  {found.low} ({found.low_name})"
    yield f"behind    {found.high} ({found.high_name})"
    for line in found.trace:
        yield from paragraph(line, indent=10, hanging=2)


@app.command("count")
def count_command(
    which: Annotated[str | None, argument("ID", "House way to count rule by rule; default: all, in total.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count the hands that each rule sets.

    All 154,143,080 hands are set by published rules, assumed rules, or the guard.
    """
    counted = [_counted(load_house_way(name)) for name in ([which] if which else house_way_ids())]
    cells = [("house way", "published", "assumed", "guard")]
    cells += [(one.house_way, f"{one.published:,}", f"{one.assumed:,}", f"{one.guard:,}") for one in counted]
    first, *others = columns(cells, right=[1, 2, 3])
    rules = columns([(rule, f"{hands:,}") for rule, hands in counted[0].rules.items()], indent=2, right=[1])
    lines = [heading(first), *others, *(["", *rules] if which else [])]
    answer(counted[0] if which else counted, lines, as_json=as_json)


def _counted(way: HouseWay) -> Counted:
    # Numba takes a while to load.
    from crossfelt.kernels.house_way.batch import rule_counts

    counts = rule_counts(way)
    assumed = sum(counts[rule.id] for rule in way.rules if rule.assumed)
    guard = counts.pop(GUARD)
    published = sum(counts.values()) - assumed
    return Counted(house_way=way.id, published=published, assumed=assumed, guard=guard, rules=counts)
