"""The data of a rulebook in words for regulators and dealers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from crossfelt.cards.card import RANKS
from crossfelt.hands.rank import plural
from crossfelt.money import Odds, dollars
from crossfelt.rulebooks.choices import allowed_text
from crossfelt.rulebooks.model import (
    Choice,
    Must,
    PayLine,
    PayoutLimit,
    Requirement,
    SettingValue,
    Slice,
    Stake,
    Wager,
    Wheel,
)
from crossfelt.rulebooks.script import Delivery
from crossfelt.rulebooks.settings import SettingRule

_NAME: Final = re.compile(r"[a-z0-9_]+")

OUTCOMES: Final[Mapping[str, str]] = {
    "continue": "the round continues",
    "cover_or_sign_device": "the device is covered or marked out of order before another method is used",
    "discard_card": "the card is discarded",
    "floor_decides": "the floor decides",
    "forfeit_all": "every wager of that player is forfeited",
    "remove_deck": "the deck is removed",
    "remove_device": "the device is removed before another method is used",
    "reshuffle": "the cards are reshuffled",
    "return_wagers": "the wagers are returned",
    "use_as_next_card": "the card is used as the next card",
    "void": "the round is void",
    "wagers_may_be_lost": "the wagers may be treated as lost",
}

IRREGULARITIES: Final[Mapping[str, str]] = {
    "face_up_card": "A card is found face up",
    "card_in_error": "A card is drawn in error and not exposed",
    "wrong_card_count": "A wrong number of cards",
    "community_exposed": "A community card is exposed early",
    "shuffler_jam": "The shuffler jams",
    "shoe_jam": "The automated shoe jams",
    "device_out_of_order": "A device is out of order",
    "stub_count_wrong": "The stub count is wrong",
    "shuffler_count_wrong": "The shuffler reports a wrong count",
    "player_leaves": "A player leaves during the round",
    "conduct_breach": "A player breaches the rules of conduct",
    "no_answer": "A player does not answer in time",
    "axis_disagreement": "The line a player names and the chips disagree",
}

CASES: Final[Mapping[str, str]] = {
    "one": "one card",
    "several": "several cards",
    "community": "community area",
    "misdealt_and_wrong_total": "misdealt, and not a full deck",
}

KINDS_OF_HAND: Final[Mapping[str, str]] = {
    "five_card": "five-card hand",
    "three_card": "three-card hand",
    "two_card": "two-card hand",
    "joker_five": "five-card hand, joker included",
    "joker_seven": "best five of seven cards",
    "joker_high_card": "seven cards without a pair",
    "progressive_seven": "best hand in seven cards",
    "seven_card_bonus": "best hand in seven cards",
    "random_award": "random award",
}

LABELS: Final[Mapping[str, str]] = {
    "Layout.optional": "Areas present only where the wager is offered",
    "PayoutLimit.optional": "The limit is optional",
    "Lock.also": "With the announcement",
    "also_pays": "Further pay tables",
    "amount_cents": "Amount",
    "amounts_cents": "Community amounts, spinner's and other bettors'",
    "at_a_time": "Cards at a time",
    "by": "Done by",
    "collect_folds": "Forfeits collected",
    "community_labels": "Labels of the community cards",
    "covers": "Wagers inside the limit",
    "deliver": "Cards dealt",
    "group": "Group of equal wagers placed together",
    "hand": "Kind of hand",
    "illustrative_weights": "Weights of the slices (illustrative)",
    "items": "Attached to the table",
    "letter": "Pay table",
    "losers_first": "Every losing wager is collected before a winner is paid",
    "max": "At most",
    "min": "At least",
    "must": "Then",
    "must_state": "Must be stated in a filed submission",
    "notice_of_decrease": "Notice of a decrease required",
    "odds": "A win pays",
    "odds_are": "The odds are",
    "of": "One of",
    "only_if": "Applies only if",
    "outside": "Wagers outside the limit",
    "parts": "Paid in parts",
    "pays": "Pay table",
    "places": "Cards from",
    "rows": "Betting areas of a seat, nearest the dealer first",
    "rule": "The limit is",
    "shows": "The layout shows",
    "shows_hands": "Hands are shown",
    "stake_cents": "Stake",
    "top": "Top prize",
    "who": "By",
}


CITING: Final = frozenset({"clauses", "readings", "house_rule", "topic"})
"""Fields that say why, and not what."""


def as_words(name: str) -> str:
    """Return a name as words, other text unchanged.

    >>> as_words("ante_across"), as_words("Down"), as_words("5 Card_Bonus")
    ('ante across', 'Down', '5 Card_Bonus')
    """
    return name.replace("_", " ") if _NAME.fullmatch(name) else name


def joined(names: Iterable[Any], none: str = "none") -> str:
    return ", ".join(as_words(str(name)) for name in names) or none


def wagers_in_words(wagers: Sequence[str], titles: Mapping[str, str]) -> str:
    """List wagers by their titles inside a sentence.

    >>> titles = {"across": "Across bet", "middle": "Middle bet", "bonus_spin": "Bonus Spin"}
    >>> wagers_in_words(["across", "middle", "bonus_spin"], titles)
    'across bet, middle bet and Bonus Spin'
    """
    *first, last = [in_sentence(titles.get(wager, as_words(wager))) for wager in wagers] or ["none"]
    return f"{', '.join(first)} and {last}" if first else last


def the(title: str) -> str:
    """Return a title inside a sentence with its article; a numbered one has none.

    >>> the("raise"), the("bet 2")
    ('the raise', 'bet 2')
    """
    return title if title[-1:].isdigit() else f"the {title}"


def a(name: str) -> str:
    """Return a name with its indefinite article.

    >>> a("bet"), a("ante"), a("eight-high straight")
    ('a bet', 'an ante', 'an eight-high straight')
    """
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


@lru_cache(maxsize=256)
def in_sentence(title: str) -> str:
    """Return a title inside a sentence; proper names keep their capitals.

    >>> in_sentence("Across bet"), in_sentence("Five Card Bonus")
    ('across bet', 'Five Card Bonus')
    """
    proper = any(word[0].isupper() for word in title.split()[1:])
    return title if proper else title[:1].lower() + title[1:]


def label_of(field: str, owner: object = None) -> str:
    """Return the heading of a field of a rulebook."""
    special = LABELS.get(f"{type(owner).__name__}.{field}")
    return special or LABELS.get(field, as_words(field).capitalize())


def value_words(field: str, value: Any) -> str:
    """Return the value of any field of a rulebook in words.

    >>> value_words("amount_cents", 5_000_000), value_words("needs", ("ante",)), value_words("required", True)
    ('$50,000', 'ante', 'yes')
    """
    match value:
        case None:
            return "not stated"
        case bool():
            return "yes" if value else "no"
        case int():
            return dollars(value) if field.endswith("cents") else f"{value:,}"
        case Stake():
            return stake_words(value)
        case Must():
            return must_words(value)
        case Delivery():
            return delivery_words(value)
        case str() if field == "hand":
            return KINDS_OF_HAND.get(value, as_words(value))
        case str() | Odds():
            return as_words(str(value))
        case Mapping():
            either = {path: items if isinstance(items, tuple) else (items,) for path, items in value.items()}
            return (
                " and ".join(
                    f"{path} is {' or '.join(value_words(path, item) for item in items)}"
                    for path, items in either.items()
                )
                or "always"
            )
        case tuple():
            between = "; " if any(isinstance(item, tuple | msgspec.Struct) for item in value) else ", "
            return between.join(_in_a_row(field, item) for item in value) or "none"
        case msgspec.Struct():
            stated = [
                (name, item) for name, item in msgspec.structs.asdict(value).items() if name not in CITING and item
            ]
            return ", ".join(
                as_words(name) if item is True else f"{as_words(name)} {value_words(name, item)}"
                for name, item in stated
            )
        case _:
            return str(value)


def kind_words(order: str) -> str:
    """Return the hands of an order of hands in words.

    >>> kind_words("five_card"), kind_words("four_card")
    ('five-card hand', 'four-card hand')
    """
    return KINDS_OF_HAND.get(order) or f"{order.replace('_', '-')} hand"


def _in_a_row(field: str, value: Any) -> str:
    """Return one value of a list; a number has no thousands separator there."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and not field.endswith("cents")
    return str(value) if is_count else value_words(field, value)


def stake_words(stake: Stake) -> str:
    if stake.of is not None:
        times = f"{stake.min}" if stake.min == stake.max else f"{stake.min} to {stake.max}"
        times = " or ".join(map(str, stake.times)) or times
        words = f"{times} times the {as_words(stake.of)}" + (", whole multiples only" if stake.whole else "")
    elif stake.cents:
        words = " or ".join(dollars(cents) for cents in stake.cents)
    elif stake.by_paytable:
        words = "the amount that its pay table states"
    else:
        words = "within the posted limits"
    if stake.within_cents:
        low, high = stake.within_cents
        words += f", which lie between {dollars(low)} and {dollars(high)}"
    return words


def must_words(must: Must) -> str:
    parts = []
    if must.in_ is not None:
        parts.append(" or ".join(value_words("", item) for item in must.in_))
    if must.at_least is not None:
        parts.append(f"at least {must.at_least:,}")
    if must.at_most is not None:
        parts.append(f"at most {must.at_most:,}")
    if must.stated:
        parts.append("stated")
    return ", ".join(parts)


def requirement_words(requirement: Requirement) -> str:
    """Return a requirement in words, with the paths of the submission.

    >>> must = {"shuffler": Must(stated=True)}
    >>> requirement_words(Requirement(says="two decks", when={"decks": (2,)}, must=must))
    'when decks is 2: shuffler must be stated'
    """
    conditions = [f"{path} is {must_words(Must(in_=values))}" for path, values in requirement.when.items()]
    when = " and ".join([*conditions, *(f"{path} is stated" for path in requirement.when_stated)])
    must = " and ".join(f"{path} must be {_amount_words(path, rule)}" for path, rule in requirement.must.items())
    return f"when {when}: {must}" if when else must


def _amount_words(path: str, must: Must) -> str:
    if path.endswith("_cents") and must.at_least is not None and must.in_ is None and must.at_most is None:
        return f"at least {dollars(must.at_least)}"
    return must_words(must)


def limit_words(limit: PayoutLimit) -> str:
    figure = f"the greater of {dollars(limit.amount_cents)} and the most one patron could win"
    return f"{as_words(limit.rule)} {figure} in a round at the minimum wager"


def delivery_words(delivery: Delivery) -> str:
    """Return a delivery in words.

    >>> delivery_words(Delivery(to="hole", at_a_time=2, methods=("hand", "manual_shoe")))
    'the hole cards, 2 at a time (hand, manual shoe)'
    """
    order = f", in the order {joined(delivery.places)}" if delivery.places else ""
    methods = f" ({joined(delivery.methods)})" if delivery.methods else ""
    cards = f"{as_words(delivery.to).removesuffix('cards')} cards".strip()
    return f"the {cards}, {delivery.at_a_time} at a time{order}{methods}"


def pay_words(line: PayLine) -> str:
    """Return the pay of a line of a pay table.

    >>> pay_words(PayLine(hand="flush", odds=Odds("8 to 1")))
    '8 to 1'
    >>> pay_words(PayLine(hand="five_aces", meter_percent=10))
    '10 % of the meter'
    """
    if line.odds is not None:
        return str(line.odds)
    if line.meter_percent is not None:
        return f"{line.meter_percent} % of the meter"
    return dollars(line.amount_cents or 0)


def line_title(line: PayLine) -> str:
    """Return the hand of a pay line in words.

    >>> line_title(PayLine(id="pair_6s_through_10s", hand="pair", low="6", high="T"))
    'pair of sixes to tens'
    """
    if line.hand != "pair" or (line.low is None and line.high is None):
        return as_words(line.name)
    low, high = (plural(RANKS.index(rank)) for rank in (line.low or "2", line.high or "A"))
    if low == high:
        return f"pair of {low}"
    return f"pair of {low} or better" if line.high in ("A", None) else f"pair of {low} to {high}"


def slice_words(slice_: Slice) -> str:
    """Return the pay of a slice of a wheel.

    >>> slice_words(Slice(pays_cents=12_000, community=1)), slice_words(Slice())
    ('$120 + community 1', 'top prize')
    """
    words = "top prize" if slice_.pays_cents is None else dollars(slice_.pays_cents)
    return words + (f" + community {slice_.community}" if slice_.community else "")


def wager_words(wager: Wager, settled: Iterable[str]) -> str:
    """Describe a wager in one sentence; `settled` are the rules of its settlement in words."""
    parts = ["required" if wager.required else "", f"stake: {stake_words(wager.stake)}"]
    parts.append(f"in {as_words(wager.unit)}" if wager.unit != "cents" else "")
    parts.append(f"paid in {wager.parts} equal parts" if wager.parts > 1 else "")
    parts.append(f"placed in equal amounts with every {as_words(wager.group)}" if wager.group else "")
    parts.append("a match play coupon may be placed beside it" if wager.match_play else "")
    parts.append(f"requires {joined(wager.needs)}" if wager.needs else "")
    parts += settled
    parts.append(f"awards by pay table {joined(wager.also_pays)}" if wager.also_pays else "")
    return "; ".join(part for part in parts if part)


def wheel_words(wheel: Wheel) -> str:
    """Describe a whole wheel in one line."""
    top = "" if wheel.top == "none" else f", {wheel.top} top prize"
    slices = ", ".join(slice_words(slice_) for slice_ in wheel.slices)
    return f"table {wheel.letter}, {dollars(wheel.stake_cents)} stake{top}: {slices}"


def community_words(amounts_cents: Iterable[tuple[int, int]]) -> str:
    """
    >>> community_words([(10_000, 2_000), (5_000, 1_000)])
    '1: $100 / $20, 2: $50 / $10'
    """
    pairs = enumerate(amounts_cents, start=1)
    return ", ".join(f"{place}: {dollars(own)} / {dollars(others)}" for place, (own, others) in pairs)


def irregularity_title(kind: str, case: str) -> str:
    """
    >>> irregularity_title("wrong_card_count", "community"), irregularity_title("shoe_jam", "any")
    ('A wrong number of cards (community area)', 'The automated shoe jams')
    """
    title = IRREGULARITIES.get(kind, as_words(kind).capitalize())
    return title if case == "any" else f"{title} ({CASES.get(case, as_words(case))})"


def outcome_words(then: Iterable[str]) -> str:
    return "; ".join(OUTCOMES[outcome] for outcome in then)


def amount_words(choice: Choice, value: Any) -> str:
    """Return a value of an operator's choice, in the unit of the choice.

    >>> amount_words(Choice(path="rate", title="Rate", kind="rate"), 70_000)
    '7 %'
    """
    if choice.kind == "weights" and value == "wheel":
        return "the weights of the chosen wheel"
    if choice.kind == "rate" and isinstance(value, int):
        return f"{value / 10_000:g} %"
    return value_words(choice.kind, value)


def bounds_words(choice: Choice) -> str:
    """Return the allowed values of a choice, amounts in dollars and rates in percent.

    >>> bounds_words(Choice(path="ante.min_cents", title="Smallest ante", kind="cents", min=100, max=10_000))
    'at least $1, at most $100'
    """
    match choice.kind:
        case "flag":
            return "yes or no"
        case "one_of":
            return f"one of {joined(choice.of)}"
        case "many_of":
            return f"any of {joined(choice.of)}"
        case "whole" | "text" | "weights":
            return allowed_text(choice)
    bounds = [f"at least {amount_words(choice, choice.min)}"] if choice.min is not None else []
    bounds += [f"at most {amount_words(choice, choice.max)}"] if choice.max is not None else []
    return ", ".join(bounds) or ("an amount" if choice.kind == "cents" else "a rate")


def choice_words(choice: Choice) -> str:
    """Return the bounds, the default and the conditions of an operator's choice.

    >>> choice_words(Choice(path="decks", title="Decks", kind="whole", min=1, max=2, must_state=True))
    'a whole number, at least 1, at most 2; must be stated in a filed submission'
    """
    parts = [bounds_words(choice)]
    if choice.default is not None:
        parts.append(f"default: {amount_words(choice, choice.default)}")
    if choice.must_state:
        parts.append("must be stated in a filed submission")
    if choice.only_if:
        parts.append(f"applies only if {value_words('', choice.only_if)}")
    return "; ".join(parts)


def setting_words(rule: SettingRule, value: SettingValue) -> str:
    """Return the meaning of a setting's value.

    >>> from crossfelt.rulebooks.settings import setting_rules
    >>> setting_words(setting_rules()["deck_change_hours_hand"], 0)
    'no such rule'
    """
    if rule.kind == "number" and value == 0 and "no such rule" in rule.unit:
        return "no such rule"
    if rule.unit == "cents" and isinstance(value, int):
        return dollars(value)
    return rule.meaning(value)
