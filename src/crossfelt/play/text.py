"""Cards, amounts, seats and wagers as people at a table say them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from crossfelt.cards.card import Card
from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.render.phrases import as_words, in_sentence

_SUITS: Final = "♣♦♥♠"
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def card_words(cards: Iterable[Card]) -> str:
    """Return cards with the signs of their suits.

    >>> card_words([Card("Kd"), Card("Ts"), Card("Jk")])
    'K♦ 10♠ Jk'
    """
    return " ".join(card_sign(card) for card in cards)


def card_sign(card: Card) -> str:
    """Return a card as printed on its face; two question marks for its back.

    >>> card_sign(Card("Th")), card_sign(Card("??"))
    ('10♥', '??')
    """
    if card.text in ("Jk", "??"):
        return card.text
    return card.text[0].replace("T", "10") + _SUITS[card.suit]


def amounts_words(wagers: Mapping[str, int], game: Game) -> str:
    """Return the stakes by the titles of their wagers, in the rulebook's order; equal wagers of a group once.

    >>> game = compile_game("md-criss-cross")
    >>> amounts_words({"ante_across": 1000, "ante_down": 1000, "across": 3000, "five_card_bonus": 500}, game)
    'antes $10 + $10, across bet $30, Five Card Bonus $5'
    """
    grouped: dict[str, list[str]] = {}
    for wager in game.wagers:
        if wager.id in wagers:
            group = group_name(wager, game)
            whole = group and wagers.keys() >= {other.id for other in game.wagers if other.group == group}
            name = f"{group}s" if whole else title_of(wager.id, game)
            grouped.setdefault(name, []).append(stake_words(wager.id, wagers[wager.id], game))
    return ", ".join(f"{name} {' + '.join(stakes)}" for name, stakes in grouped.items())


def stake_words(wager_id: str, cents: int, game: Game) -> str:
    """Return a stake in the unit of its wager.

    >>> game = compile_game("nj-pai-gow")
    >>> stake_words("main", 1000, game), stake_words("progressive_dealer", 300, game)
    ('$10', '3 credits')
    """
    wager = game.wager(wager_id)
    if wager.unit == "cents":
        return dollars(cents)
    credit = cents // game.credit_cents(wager)
    return f"{credit:,} credit{'' if credit == 1 else 's'}"


def group_name(wager: Wager, game: Game) -> str | None:
    """Return the name of a wager's group of equal wagers, if players know it: each title of the group has it.

    >>> game = compile_game("md-criss-cross")
    >>> group_name(game.wager("ante_across"), game)
    'ante'
    """
    group = wager.group
    titles = [other.title.lower() for other in game.wagers if other.group == group]
    return group if group and all(group in title for title in titles) else None


def title_of(wager_id: str, game: Game) -> str:
    """Return the title of a wager inside a sentence; proper names keep their capitals.

    >>> [title_of(wager, compile_game("md-criss-cross")) for wager in ("across", "five_card_bonus")]
    ['across bet', 'Five Card Bonus']
    """
    return in_sentence(game.wager(wager_id).title or as_words(wager_id))


def hand_title(game: Game, hand_id: str) -> str:
    """Return the title of a hand inside a sentence."""
    title, plain = next(hand.title for hand in game.book.hands if hand.id == hand_id), as_words(hand_id)
    return f"{plain} hand" if title.lower() in ("", plain) and not plain.endswith("hand") else in_sentence(title)


def seats_words(seats: Sequence[int]) -> str:
    """Return seats as a list in words.

    >>> seats_words((2,)), seats_words((1, 2, 5))
    ('seat 2', 'seats 1, 2 and 5')
    """
    return f"{'seat' if len(seats) == 1 else 'seats'} {joined_with_and([str(seat) for seat in seats])}"


def signed(cents: int) -> str:
    """Return a win or a loss with its sign.

    >>> signed(17_500), signed(-2000), signed(0)
    ('+$175', '−$20', '$0')
    """
    return dollars(0) if not cents else ("+" if cents > 0 else "−") + dollars(abs(cents))


def paid_from(cents: int, source: str, from_inventory: int) -> str:
    """Say who pays: the meter, the table inventory in its place, or both; nothing of a wager without a meter.

    >>> paid_from(500, "meter", 0), paid_from(500, "meter", 100)
    (' from the meter', ', $4 from the meter and $1 from the table inventory')
    >>> paid_from(500, "", 500), paid_from(500, "", 0)
    (' from the table inventory', '')
    """
    if not from_inventory:
        return " from the meter" if source else ""
    if not source:
        return " from the table inventory"
    return f", {dollars(cents - from_inventory)} from the meter and {dollars(from_inventory)} from the table inventory"


def cut_words(paid: int, limited: int, wager_id: str, game: Game) -> str:
    """Describe a payment that the payout limit has cut; empty for an uncut payment.

    >>> cut_words(5_000_000, 160_200_000, "across", compile_game("nj-criss-cross"))
    'limited to $50,000 by the payout limit of $50,000 for one round; $1,602,000 is not paid'
    """
    if not limited:
        return ""
    limits = [limit for limit in game.book.payout_limits if wager_id in game.covered_by(limit)]
    most = next((cents for limit in limits if (cents := game.limit_cents(limit)) is not None), None)
    of = "" if most is None else f" of {dollars(most)} for one round"
    return f"limited to {dollars(paid)} by the payout limit{of}; {dollars(limited)} is not paid"


def capital(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def number(count: int) -> str:
    """Return a number in words, up to nine."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def joined_with_and(parts: Sequence[str]) -> str:
    """Join parts with commas and “and”.

    >>> joined_with_and(["cut"]), joined_with_and(["washed", "stacked", "cut"])
    ('cut', 'washed, stacked and cut')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def rule_words(rule_id: str, game: Game) -> str:
    """Return a rule of the house way in a dealer's words.

    >>> rule_words("three_pair", compile_game("nj-pai-gow"))
    'three pair: the highest in front'
    """
    rules = {rule.id: rule.says for rule in game.house_way.rules} if game.house_way else {}
    says = rules.get(rule_id, "no rule fits: the highest front that is no foul")
    return says[0].lower() + says[1:]


# --- wagers as people say and type them: `bonus` for `five_card_bonus` ------------------------------------------------

_NO_NAMES: Final = ("card", "hand")
"""Words that alone name no wager: the player asks for the cards with them."""


def short_name(wager_id: str, ids: Collection[str]) -> str:
    """Return one or two words that no other wager on offer has, or else the last words of the id that name it.

    >>> ids = ("ante", "five_card_bonus", "bonus_spin", "pair_plus")
    >>> [short_name(wager, ids) for wager in ids]
    ['ante', 'bonus', 'spin', 'pair plus']
    """
    words = wager_id.split("_")
    if len(words) < 3 and not any(set(words) & set(other.split("_")) for other in ids if other != wager_id):
        return " ".join(words)
    for count in range(1, len(words)):
        last = words[-count:]
        others = (other.split("_")[-count:] for other in ids if other != wager_id)
        if last not in others and last[0] not in _NO_NAMES:
            return " ".join(last)
    return " ".join(words)


def wager_called(name: str, ids: Collection[str], titles: Mapping[str, str] = MappingProxyType({})) -> str | None:
    """Return the wager of a name among those on offer: its id or title, its last words, or a word that no other has.

    >>> ids = ("ante", "five_card_bonus", "bonus_spin", "three_card")
    >>> [wager_called(name, ids) for name in ("bonus", "five card bonus", "three", "card", "insurance")]
    ['five_card_bonus', 'five_card_bonus', 'three_card', None, None]
    >>> wager_called("bonus", ("ante", "three_card"), {"three_card": "Three-card bonus"})
    'three_card'
    """
    words = _words(name)
    known = {wager: (_words(wager), _words(titles.get(wager, ""))) for wager in ids}
    word = words[0] if len(words) == 1 and words[0] not in _NO_NAMES else ""
    for fits in (
        [wager for wager, names in known.items() if words in names],
        [wager for wager in ids if short_name(wager, ids).split() == words],
        [wager for wager, names in known.items() if any(word in each for each in names)],
    ):
        if len(fits) == 1:
            return fits[0]
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
