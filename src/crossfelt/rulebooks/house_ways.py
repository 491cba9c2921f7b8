"""House ways as data: ordered rules by which the dealer sets seven cards, for a casino to read and change.

The rules of a file are tried from the first to the last. A rule applies if the seven cards meet its ``when``, the
joker counted as an ace:

- ``holds``: the cards by equal ranks, one of `PATTERNS`;
- ``pair``, ``second_pair``, ``three``, ``four``: the ranks allowed for the higher pair, the lower pair, the (higher)
  three and the four, such as ``"7-10"`` or ``"A"``;
- ``makes``: a five-card hand that some five of the cards must make, such as ``"straight or better"``.

Its plays are then tried in order. A play names the hands allowed in ``front``, such as ``"king high or better"``, and
``behind``, such as ``"two pair"``. Of all lawful settings that fit, the one with the highest front hand is set; of
these, the one with the highest hand behind. If none fits, the next play applies, and then the next rule. So "lower pair
in front" is just ``"a pair"``: with the higher pair in front the hand would be foul.

The file names its publication; a rule that the publication lacks names what it is ``assumed`` from. No house way is
law: each is a house rule.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Self, get_args

import msgspec
from msgspec import field

from crossfelt.cards.card import RANK_NAMES, RANKS
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.hands.rank import JOKER_CATEGORIES, HandRank
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.citations import Name, Text
from crossfelt.rulebooks.loader import read_file
from crossfelt.rulebooks.struct_decoder import decode

Pattern = Literal[
    "no pair", "one pair", "two pair", "three pair", "three of a kind", "two threes", "full house",
    "full house and pair", "four of a kind", "four and pair", "four and three", "five aces",
]  # fmt: skip
"""Seven cards by the sizes of their groups of equal rank; ``five aces`` with any two other cards."""

PATTERNS: Final[tuple[Pattern, ...]] = get_args(Pattern)

GROUPS: Final[Mapping[str, frozenset[Pattern]]] = MappingProxyType(
    {
        "pair": frozenset(("one pair", "two pair", "three pair", "full house", "full house and pair", "four and pair")),
        "second_pair": frozenset(("two pair", "three pair", "full house and pair")),
        "three": frozenset(("three of a kind", "two threes", "full house", "full house and pair", "four and three")),
        "four": frozenset(("four of a kind", "four and pair", "four and three")),
    }
)
"""The patterns that contain each group, for conditions on its rank."""

GUARD: Final = "guard"
"""The id of the fallback that sets a hand where no rule does."""

_RANK = r"(10|[2-9TJQKA])"
_SPAN = re.compile(rf"{_RANK}(?:-{_RANK})?")


class RankSpan(str):
    """A range of ranks, or one rank: ``2-6``, ``7-10``, ``A``.

    >>> RankSpan("7-10").low, RankSpan("7-10").high, RankSpan("A").allows(12)
    (5, 8, True)
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        match = _SPAN.fullmatch(text)
        if match is None or _rank(match[1]) > _rank(match[2] or match[1]):
            raise BadInput.at("", "house_way.span", "not a range of ranks, lowest first", text, '"2-6", "7-10", "A"')
        return super().__new__(cls, text)

    @property
    def low(self) -> int:
        return _rank(self.partition("-")[0])

    @property
    def high(self) -> int:
        return _rank(self.rpartition("-")[2])

    def allows(self, rank: int) -> bool:
        return self.low <= rank <= self.high


class FrontHands(str):
    """The two-card hands allowed in front: ``king high or better``, ``ace-king``, ``a pair``, ``anything``.

    >>> wanted = FrontHands("ace-jack or better")
    >>> [wanted.allows(HandRank("two_card", "high_card", ranks)) for ranks in ((12, 8), (12, 9), (12, 11))]
    [False, True, True]
    >>> wanted.allows(HandRank("two_card", "pair", (0,)))
    True
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if text not in _front_spans():
            allowed = '"anything", "ace high", "king high or better", "ace-king", "a pair", "pair of tens or better"'
            raise BadInput.at("", "house_way.front", "not a hand in front", text, allowed)
        return super().__new__(cls, text)

    def allows(self, low: HandRank) -> bool:
        least, most = _front_spans()[self]
        return least <= low <= most


class BehindHands(str):
    """The five-card hands allowed behind: ``two pair``, or ``straight or better``.

    >>> BehindHands("two pair").allows("straight"), BehindHands("straight or better").allows("full_house")
    (False, True)
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if text.removesuffix(_OR_BETTER) not in _BEHIND:
            allowed = f'{", ".join(_BEHIND)}; each may have "{_OR_BETTER.strip()}" after it'
            raise BadInput.at("", "house_way.behind", "not a hand behind", text, allowed)
        return super().__new__(cls, text)

    def allows(self, category: str) -> bool:
        """Say if a category of `crossfelt.hands.rank` is allowed."""
        return category in _behind_categories(self)


_OR_BETTER: Final = " or better"
_BEHIND: Final = tuple(category.replace("_", " ") for category in JOKER_CATEGORIES)


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The condition under which a rule applies to seven cards."""

    holds: tuple[Pattern, ...]
    """One of these."""
    pair: RankSpan | None = None
    second_pair: RankSpan | None = None
    three: RankSpan | None = None
    four: RankSpan | None = None
    makes: tuple[BehindHands, ...] = ()
    """Some five of the seven cards make one of these; empty for any hand."""


class Play(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hands allowed in front and behind."""

    front: FrontHands
    behind: tuple[BehindHands, ...] = ()
    """One of these; empty for any hand."""

    def __str__(self) -> str:
        return f"{self.front} in front, {' or '.join(self.behind) or 'anything'} behind"


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of a house way."""

    id: Name
    says: Text
    """The rule in our own words, for a dealer."""
    when: When
    plays: tuple[Play, ...] = field(name="play")
    assumed: str = ""
    """The source of the assumption; empty where the publication has the rule."""


class HouseWay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A casino's rules for setting the dealer's hand.

    >>> way = load_house_way("trump_plaza")
    >>> way.name, len(way.rules) > 20
    ('Trump Plaza, Atlantic City', True)
    """

    id: Name
    name: Text
    house_rule: Text
    """Its publication."""
    confidence: Literal["read", "read_in_part"]
    """``read``: the published text covers every hand; ``read_in_part``: it has gaps."""
    rules: tuple[Rule, ...] = field(name="rule")


def load_house_way(name: str) -> HouseWay:
    """Load a house way by the id of one in the package, or by the path of a .toml or .json file."""
    if name in house_way_ids():
        return _shipped(name)
    if not name.endswith((".toml", ".json")):
        allowed = f"{', '.join(house_way_ids())}, or the path of a .toml or .json file"
        raise BadInput.at("", "house_way.unknown", "no such house way", name, allowed)
    return house_way_from_data(read_file(Path(name)), where=name)


def house_way_from_data(data: Any, *, where: str) -> HouseWay:
    """Read a house way from plain data, check it, and refuse it with every problem.

    >>> house_way_from_data({"id": "ours", "name": "Ours", "house_rule": "ours", "confidence": "read"}, where="ours")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: ours: rule: missing
    """
    way = decode(HouseWay, data, where=where, dec_hook=_dec_hook)
    require_none(_problems(way, where))
    return way


def house_way_as_data(way: HouseWay) -> dict[str, Any]:
    """Return the plain data of a house way, from which `house_way_from_data` makes the same one."""
    data: dict[str, Any] = msgspec.to_builtins(way, enc_hook=str)
    return data


@cache
def two_card_ladder() -> tuple[HandRank, ...]:
    ranks = range(len(RANKS))
    unpaired = [HandRank("two_card", "high_card", (high, low)) for low, high in combinations(ranks, 2)]
    return (*sorted(unpaired), *(HandRank("two_card", "pair", (rank,)) for rank in ranks))


@cache
def _front_spans() -> Mapping[str, tuple[HandRank, HandRank]]:
    """Return every phrase for a front hand, with the lowest and the highest hand that it allows."""
    ladder = two_card_ladder()
    lowest, highest = ladder[0], ladder[-1]
    spans = {"anything": (lowest, highest), "a pair": (HandRank("two_card", "pair", (0,)), highest)}
    spans |= {hand.name: (hand, hand) for hand in ladder}
    for rank, name in enumerate(RANK_NAMES[1:], start=1):
        least, most = (HandRank("two_card", "high_card", (rank, low)) for low in (0, rank - 1))
        spans[f"{name} high"] = (least, most)
    or_better = {text + _OR_BETTER: (least, highest) for text, (least, _) in spans.items() if text not in _OPEN}
    return MappingProxyType(spans | or_better)


@cache
def _behind_categories(text: str) -> frozenset[str]:
    """Return the categories that a phrase for a five-card hand allows."""
    place = _BEHIND.index(text.removesuffix(_OR_BETTER))
    return frozenset(JOKER_CATEGORIES[place:] if text.endswith(_OR_BETTER) else JOKER_CATEGORIES[place : place + 1])


_OPEN: Final = ("anything", "a pair")


@cache
def _shipped(name: str) -> HouseWay:
    text = files("crossfelt.rulebooks").joinpath("house_ways", f"{name}.toml").read_text("utf-8")
    return house_way_from_data(tomllib.loads(text), where=f"{name}.toml")


def _dec_hook(kind: type, value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError("not text")
    try:
        return kind(value)
    except BadInput as error:
        # msgspec keeps only the text of an error.
        problem = error.problems[0]
        raise ValueError(f"{problem.what} (allowed: {problem.allowed})") from None


def _problems(way: HouseWay, where: str) -> Iterator[Problem]:
    if not way.rules:
        yield Problem.at(f"{where}: rule", "house_way.empty", "the house way has no rules")
    for rule_id, times in Counter(rule.id for rule in way.rules).items():
        if times > 1:
            yield Problem.at(f"{where}: rule", "rule.repeated", f"appears {times} times", rule_id)
    for place, rule in enumerate(way.rules):
        yield from (problem.inside(f"{where}: rule[{place}] ({rule.id})") for problem in _problems_of_rule(rule))


def _problems_of_rule(rule: Rule) -> Iterator[Problem]:
    if rule.id == GUARD:
        yield Problem.at("id", "rule.guard", "this id is reserved for hands that no rule sets", GUARD)
    if not rule.plays:
        yield Problem.at("play", "rule.empty", "the rule has no plays")
    if not rule.when.holds:
        yield Problem.at("when.holds", "rule.empty", "names no pattern", allowed=", ".join(PATTERNS))
    for group, having in GROUPS.items():
        lacking = [pattern for pattern in rule.when.holds if pattern not in having]
        if lacking and getattr(rule.when, group) is not None:
            what = f"{' and '.join(lacking)} has no such group"
            yield Problem.at(f"when.{group}", "rule.group", what, allowed=", ".join(sorted(having)))


def _rank(text: str) -> int:
    return RANKS.index(text.replace("10", "T"))
