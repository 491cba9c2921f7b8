"""House ways as data: how the dealer sets seven cards, as ordered rules that a casino can read and alter.

The rules of a file are tried from the first to the last. One applies if the seven cards are what its ``when``
says, the joker counted as an ace:

- ``holds``: the cards by equal ranks, one of `PATTERNS`;
- ``pair``, ``second_pair``, ``three``, ``four``: from which rank to which the higher pair, the lower pair, the
  (higher) three and the four must be, such as ``"7-10"`` or ``"A"``;
- ``makes``: a five-card hand that some five of the cards must make, such as ``"straight or better"``.

Its plays are then tried in order. A play says which hands will do in ``front``, such as ``"king high or
better"``, and ``behind``, such as ``"two pair"``. Of all lawful settings that will do, the one with the highest
front hand is set; of these, the one with the highest hand behind. Where there is none, the next play is tried,
and then the next rule. So "lower pair in front" is just ``"a pair"``: with the higher pair in front the hand
would be foul.

The file says where the way was published; a rule that the publication lacks says what it is ``assumed`` from.
No house way is law: each is a house rule.
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
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.rank import PAI_GOW_CATEGORIES, HandRank
from crossfelt.rulebooks.cited import Name, Text
from crossfelt.rulebooks.decode import decode
from crossfelt.rulebooks.loader import read_file

Pattern = Literal[
    "no pair",
    "one pair",
    "two pair",
    "three pair",
    "three of a kind",
    "two threes",
    "full house",
    "full house and pair",
    "four of a kind",
    "four and pair",
    "four and three",
    "five aces",
]
"""Seven cards by how many of them share a rank; ``five aces`` whatever the other two cards are."""

PATTERNS: Final[tuple[Pattern, ...]] = get_args(Pattern)

GROUPS: Final[Mapping[str, frozenset[Pattern]]] = MappingProxyType(
    {
        "pair": frozenset(("one pair", "two pair", "three pair", "full house", "full house and pair", "four and pair")),
        "second_pair": frozenset(("two pair", "three pair", "full house and pair")),
        "three": frozenset(("three of a kind", "two threes", "full house", "full house and pair", "four and three")),
        "four": frozenset(("four of a kind", "four and pair", "four and three")),
    }
)
"""Which patterns have the group that a condition on its rank asks for."""

GUARD: Final = "guard"
"""Stands in place of a rule's id where no rule of a house way sets the hand."""

_RANK = r"(10|[2-9TJQKA])"
_SPAN = re.compile(rf"{_RANK}(?:-{_RANK})?")


class RankSpan(str):
    """Ranks from one to another, or one alone: ``2-6``, ``7-10``, ``A``.

    >>> RankSpan("7-10").low, RankSpan("7-10").high, RankSpan("A").allows(12)
    (5, 8, True)
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        match = _SPAN.fullmatch(text)
        if match is None or _rank(match[1]) > _rank(match[2] or match[1]):
            what = "not a span of ranks, lowest first"
            raise BadInput(Problem(code="house_way.span", what=what, value=text, allowed='"2-6", "7-10", "A"'))
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
    """Two-card hands that will do in front: ``king high or better``, ``ace-king``, ``a pair``, ``anything``.

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
            raise BadInput(Problem(code="house_way.front", what="not a hand in front", value=text, allowed=allowed))
        return super().__new__(cls, text)

    def allows(self, low: HandRank) -> bool:
        least, most = _front_spans()[self]
        return least <= low <= most


class BehindHands(str):
    """Five-card hands that will do: ``two pair``, or ``straight or better``.

    >>> BehindHands("two pair").allows("straight"), BehindHands("straight or better").allows("full_house")
    (False, True)
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        if text.removesuffix(_OR_BETTER) not in _BEHIND:
            allowed = f'{", ".join(_BEHIND)}; each may have "{_OR_BETTER.strip()}" after it'
            raise BadInput(Problem(code="house_way.behind", what="not a hand behind", value=text, allowed=allowed))
        return super().__new__(cls, text)

    def allows(self, category: str) -> bool:
        """Whether a hand of this category of `crossfelt.hands.rank` will do."""
        return category in _behind_categories(self)


_OR_BETTER: Final = " or better"
_BEHIND: Final = tuple(category.replace("_", " ") for category in PAI_GOW_CATEGORIES)


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What seven cards must be for a rule to apply."""

    holds: tuple[Pattern, ...]
    """One of these."""
    pair: RankSpan | None = None
    second_pair: RankSpan | None = None
    three: RankSpan | None = None
    four: RankSpan | None = None
    makes: tuple[BehindHands, ...] = ()
    """Some five of the seven cards make one of these; none given, no matter what they make."""


class Play(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may go in front, and what may stay behind."""

    front: FrontHands
    behind: tuple[BehindHands, ...] = ()
    """One of these; none given, any hand."""

    def __str__(self) -> str:
        return f"{self.front} in front, {' or '.join(self.behind) or 'anything'} behind"


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of a house way."""

    id: Name
    says: Text
    """The rule in our own words, as a dealer would tell it."""
    when: When
    plays: tuple[Play, ...] = field(name="play")
    assumed: str = ""
    """Empty where the publication says it; else what it is taken from."""


class HouseWay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the dealer of a casino sets the hand.

    >>> way = load_house_way("trump_plaza")
    >>> way.name, len(way.rules) > 20
    ('Trump Plaza, Atlantic City', True)
    """

    id: Name
    name: Text
    house_rule: Text
    """Where it was published."""
    confidence: Literal["read", "read_in_part"]
    """Whether a text was found that says how every hand is set, or one with gaps."""
    rules: tuple[Rule, ...] = field(name="rule")


def house_way_ids() -> tuple[str, ...]:
    """The house ways that come with the package.

    >>> house_way_ids()
    ('casino_real', 'flamingo', 'foxwoods', 'mgm', 'trump_plaza')
    """
    folder = files("crossfelt.rulebooks").joinpath("house_ways")
    return tuple(sorted(way.name.removesuffix(".toml") for way in folder.iterdir() if way.name.endswith(".toml")))


def load_house_way(name: str) -> HouseWay:
    """A house way by the id of one that comes with the package, or by the path of a .toml or .json file.

    >>> load_house_way("foxwoods").confidence
    'read'
    >>> load_house_way("no_way")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no such house way: 'no_way' (allowed: casino_real, ..., or the path of a .toml file)
    """
    if name in house_way_ids():
        return _shipped(name)
    if not name.endswith((".toml", ".json")):
        allowed = f"{', '.join(house_way_ids())}, or the path of a .toml file"
        raise BadInput(Problem(code="house_way.unknown", what="no such house way", value=name, allowed=allowed))
    return house_way_from_data(read_file(Path(name)), where=name)


def house_way_from_data(data: Any, *, where: str) -> HouseWay:
    """A house way from plain data, shape and sense checked; refused with every problem it has.

    >>> house_way_from_data({"id": "ours", "name": "Ours", "house_rule": "ours", "confidence": "read"}, where="ours")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: ours: rule: missing
    """
    way = decode(HouseWay, data, where=where, dec_hook=_dec_hook)
    found = list(_problems(way, where))
    if found:
        raise BadInput(*found)
    return way


def house_way_as_data(way: HouseWay) -> dict[str, Any]:
    """The plain data of a house way; reading it again gives the same house way.

    >>> way = load_house_way("foxwoods")
    >>> house_way_from_data(house_way_as_data(way), where="again") == way
    True
    """
    data: dict[str, Any] = msgspec.to_builtins(way, enc_hook=str)
    return data


@cache
def two_card_ladder() -> tuple[HandRank, ...]:
    """All two-card hands, lowest first.

    >>> [hand.name for hand in (two_card_ladder()[0], two_card_ladder()[-1])], len(two_card_ladder())
    (['three-two', 'pair of aces'], 91)
    """
    ranks = range(len(RANKS))
    unpaired = [HandRank("two_card", "high_card", (high, low)) for low, high in combinations(ranks, 2)]
    return (*sorted(unpaired), *(HandRank("two_card", "pair", (rank,)) for rank in ranks))


@cache
def _front_spans() -> Mapping[str, tuple[HandRank, HandRank]]:
    """Everything that can be said of a front hand, and the lowest and the highest hand it means."""
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
    """The categories that words about a five-card hand mean."""
    place = _BEHIND.index(text.removesuffix(_OR_BETTER))
    return frozenset(PAI_GOW_CATEGORIES[place:] if text.endswith(_OR_BETTER) else PAI_GOW_CATEGORIES[place : place + 1])


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
        # msgspec passes on the text of an error, and nothing else of it.
        problem = error.problems[0]
        raise ValueError(f"{problem.what} (allowed: {problem.allowed})") from None


def _problems(way: HouseWay, where: str) -> Iterator[Problem]:
    """What keeps a house way that has the right shape from making sense."""
    if not way.rules:
        yield Problem(code="house_way.empty", where=f"{where}: rule", what="there is no rule")
    for rule_id, times in Counter(rule.id for rule in way.rules).items():
        if times > 1:
            yield Problem(code="rule.repeated", where=f"{where}: rule", what=f"stands {times} times", value=rule_id)
    for place, rule in enumerate(way.rules):
        for problem in _problems_of_rule(rule):
            at = f"{where}: rule[{place}] ({rule.id}): {problem.where}"
            yield msgspec.structs.replace(problem, where=at)


def _problems_of_rule(rule: Rule) -> Iterator[Problem]:
    if rule.id == GUARD:
        yield Problem(code="rule.guard", where="id", what="is kept for hands that no rule sets", value=GUARD)
    if not rule.plays:
        yield Problem(code="rule.empty", where="play", what="there is no play")
    if not rule.when.holds:
        yield Problem(code="rule.empty", where="when.holds", what="names no pattern", allowed=", ".join(PATTERNS))
    for group, having in GROUPS.items():
        lacking = [pattern for pattern in rule.when.holds if pattern not in having]
        if lacking and getattr(rule.when, group) is not None:
            what = f"{' and '.join(lacking)} has none"
            yield Problem(code="rule.group", where=f"when.{group}", what=what, allowed=", ".join(sorted(having)))


def _rank(text: str) -> int:
    return RANKS.index(text.replace("10", "T"))
