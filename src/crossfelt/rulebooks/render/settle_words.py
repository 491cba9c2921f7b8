"""Hands and settlements in words for regulators and dealers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from crossfelt.rulebooks.hand_forms import Group, Hand, Mark, side_of
from crossfelt.rulebooks.model import PayLine
from crossfelt.rulebooks.render.phrases import as_words, kind_words, line_title, value_words
from crossfelt.rulebooks.settle_forms import Bonus, PayOn, Result, Rule

Titles = Mapping[str, str]
"""The names of hands inside a sentence, by id."""


def titles_of(hands: Iterable[Hand]) -> dict[str, str]:
    return {hand.id: hand.title[:1].lower() + hand.title[1:] or f"{as_words(hand.id)} hand" for hand in hands}


OWNERS: Final = {
    "seat": "of each player",
    "positions": "of each player and of the dealer",
    "dealer": "of the dealer",
    "community": "in common",
}


def group_words(group: Group) -> str:
    """Describe cards that are dealt together.

    >>> group_words(Group(id="hole", owner="seat", cards=2, shape="pair"))
    '2 cards of each player, laid as a pair'
    """
    named = f": {', '.join(as_words(place) for place in group.places)}" if group.places else ""
    count = f"{group.cards} card{'s' if group.cards > 1 else ''}"
    return f"{count} {OWNERS[group.owner]}, laid as a {group.shape}{named}"


def formation_words(hand: Hand, titles: Titles) -> str:
    """Describe the cards of a hand.

    >>> formation_words(Hand(id="across", of=("hole", "middle"), order="five_card"), {})
    'five-card hand from hole, middle'
    >>> formation_words(Hand(id="better", highest_of=("across", "down")), {"across": "across hand"})
    'the higher of across hand and down hand'
    """
    if hand.highest_of:
        return f"the higher of {' and '.join(_named(name, titles) for name in hand.highest_of)}"
    if hand.lowest_of:
        return f"the lower of {' and '.join(_named(name, titles) for name in hand.lowest_of)}"
    if hand.chosen_of:
        return f"{' or '.join(_named(name, titles) for name in hand.chosen_of)}, as the player names it"
    kind = kind_words(hand.order or "")
    if hand.split is not None:
        return f"{kind}, set by its owner"
    best = f"the best {hand.best} of " if hand.best else ""
    return f"{kind} from {best}{', '.join(map(_cards_words, hand.of))}"


def _cards_words(name: str) -> str:
    side, own = side_of(name)
    return f"the {side}'s {as_words(own)}" if side else as_words(own)


def mark_words(name: str, mark: Mark) -> str:
    """Describe the hands that have a mark.

    >>> from crossfelt.rulebooks.hand_forms import Match
    >>> mark_words("qualifies", Mark(at_least=Match(hand="high_card", ranks=("AK",))))
    'the mark “qualifies” fits high card AK or better'
    """
    return f"the mark “{as_words(name)}” fits {marked_hands(mark)}"


def marked_hands(mark: Mark) -> str:
    match = mark.at_least or mark.is_
    assert match is not None
    hand = line_title(PayLine(hand=match.hand, low=match.low, high=match.high))
    if match.ranks or (match.hand != "pair" and match.low):
        hand = f"{hand} {' or '.join(match.ranks or (match.low or '',))}"
    better = " or better" if mark.at_least and not hand.endswith(" or better") else ""
    return f"{hand}{better}"


def rule_words(rule: Rule, titles: Titles) -> str:
    """Describe one rule of a settlement.

    >>> rule_words(Rule(pay="bets", on="better", else_="next"), {"better": "higher-ranking hand"})
    'paid by pay table bets on the higher-ranking hand'
    >>> rule_words(Rule(unless={"dealer.three": "qualifies"}, odds="1 to 1"), {})
    "pays 1 to 1 unless the mark “qualifies” fits the dealer's three hand"
    """
    where = [f"where {as_words(name)} is {value_words(name, value)}" for name, value in rule.where.items()]
    return " ".join([_form_words(rule, titles), *where, *_marks_words(rule, titles)])


def bonus_words(bonus: Bonus, titles: Titles) -> str:
    """Describe a bonus that is paid beside the result of a wager.

    >>> bonus_words(Bonus(pay="ante_bonus", on="three"), {})
    'beside the result, paid by pay table ante bonus on the three hand'
    """
    paid = f"beside the result, paid by pay table {as_words(bonus.pay)} on {_the(bonus.on, titles)}"
    return " ".join([paid, *_marks_words(bonus, titles)])


def _marks_words(rule: Rule | Bonus, titles: Titles) -> Iterator[str]:
    for word, marks in (("if", rule.when), ("unless", rule.unless)):
        for hand, mark in marks.items():
            yield f"{word} the mark “{as_words(mark)}” fits {_the(hand, titles)}"


def _named(name: str, titles: Titles) -> str:
    return titles.get(name, f"{as_words(name)} hand")


def _the(name: str, titles: Titles) -> str:
    """Name a hand of the player, the dealer or the bank.

    >>> _the("named", {"named": "the line that the player names"})
    'the line that the player names'
    """
    side, own = side_of(name)
    hand = _named(own, titles).removeprefix("the ").removeprefix("your ")
    return f"the {side}'s {hand}" if side else f"the {hand}"


def _form_words(rule: Rule, titles: Titles) -> str:
    if rule.versus is not None:
        own, other = (_the(name, titles) for name in rule.versus)
        won, equal = _result_words(rule.win, titles), _result_words(rule.tie or "push", titles)
        lost = f", a loss {_result_words(rule.lose, titles)}" if rule.lose else ""
        return f"{own} against {other}: a win {won}, a tie {equal}{lost}"
    if rule.versus_each:
        pairs = " and ".join(f"{_the(own, titles)} against {_the(other, titles)}" for own, other in rule.versus_each)
        results = ", ".join(f"{won} won {_result_words(result, titles)}" for won, result in enumerate(rule.by_wins))
        return f"{pairs}: {results}"
    if rule.pays:
        either, ending = ("either ", ", whichever pays more") if rule.take == "best" else ("", "")
        joint = " or " if rule.take == "best" else " and "
        return either + joint.join(f"paid{_by_table(each, titles)}" for each in rule.pays) + ending
    if rule.pay is not None and rule.on is not None:
        only = f", if that is a {rule.only}" if rule.only else ""
        other = (
            f"; a hand without a line {_result_words(rule.else_, titles)}" if rule.else_ not in (None, "next") else ""
        )
        return f"paid{_by_table(PayOn(pay=rule.pay, on=rule.on), titles)}{only}{other}"
    if rule.spin is not None:
        return "the player spins a wheel" if rule.spin == "own" else "paid by another player's spin"
    return _result_words(rule.odds, titles)


PLAIN: Final = {"push": "pushes", "lose": "loses"}


def _result_words(result: Result | None, titles: Titles) -> str:
    """
    >>> _result_words("push", {}), _result_words("3 to 2", {}), _result_words(PayOn(pay="play", on="four"), {})
    ('pushes', 'pays 3 to 2', 'pays by pay table play on the four hand')
    """
    if not isinstance(result, PayOn):
        return PLAIN.get(result or "lose", f"pays {result}")
    other = f", and without a line {_result_words(result.else_, titles)}" if result.else_ is not None else ""
    return f"pays{_by_table(result, titles)}{other}"


def _by_table(paid: PayOn, titles: Titles) -> str:
    return f" by pay table {as_words(paid.pay)} on {_the(paid.on, titles)}"
