"""`crossfelt hand --game`: as many cards as the game uses, and what they pay in each pay table that ranks them.

Wagers at fixed odds that are won by beating another hand are left out: one hand alone does not decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from crossfelt.cards import Card, format_cards, parse_cards
from crossfelt.cli.house_way import SetAnswer, set_answer, set_lines
from crossfelt.games.pai_gow import is_queen_high
from crossfelt.games.ranking import classifier
from crossfelt.hands import KINDS, HandKind, HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine
from crossfelt.rulebooks.script import SetHands
from crossfelt.rulebooks.typesetting import columns
from crossfelt.rulebooks.wording import pay_words, plain

SET_HANDS = ("pai_gow_five", "two_card")
"""The kinds of hand that a game uses in which players set their hands."""
SET_CARDS: Final = 7

WON_BY_ONE_HAND: Final[Mapping[str, tuple[int, Callable[[Sequence[Card]], bool], str, str]]] = {
    "queens_dragon": (7, is_queen_high, "queen_high", "the dealer's"),
}
"""Wagers at fixed odds that one hand decides: of how many cards, what wins, what that is called, and whose hand."""


class Paid(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one pay table or wager says; `line` is null for a hand that it does not pay."""

    line: str | None
    odds: str | None
    hand: str
    """The hand as it is ranked there."""
    meter_percent: int | None = None
    amount_cents: int | None = None


class GameAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What `crossfelt hand --game ID --json` prints."""

    cards: str
    category: str
    name: str
    ranks: tuple[int, ...]
    game: str
    pays: dict[str, Paid]
    house_way: SetAnswer | msgspec.UnsetType = msgspec.UNSET
    """How the house would set the cards, where hands are set."""


def answer_in(game: Game, text: str) -> tuple[GameAnswer, list[str]]:
    """What is printed of a hand in a game: as data, and as lines of text.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> answer, lines = answer_in(compile_game("nj-criss-cross"), "Kd Kc 9h 9c 2s")
    >>> answer.pays["bets"].odds, lines[0]
    ('2 to 1', 'kings and nines (two_pair)')
    """
    kinds = _kinds(game)
    joker = game.book.deck.cards == 53
    allowed = "2c … As, Jk (joker)" if joker else "2c … As"
    cards = parse_cards(text, count={kind.cards for kind in kinds}, joker=joker, where="hand", allowed=allowed)
    fitting = {kind.id: kind for kind in kinds if kind.cards == len(cards)}
    rank = classifier(game, next(iter(fitting)))(cards)
    ranks = {name: classifier(game, name)(cards) for name in fitting}
    setting = _house_way(game, text) if len(cards) == SET_CARDS else msgspec.UNSET
    answer = GameAnswer(
        cards=format_cards(cards),
        category=rank.category,
        name=rank.name,
        ranks=rank.ranks,
        game=game.book.id,
        pays={
            **{name: _paid(game, name, ranks) for name, table in game.pays.items() if table.table.hand in ranks},
            **dict(_fixed(game, cards, rank)),
        },
        house_way=setting,
    )
    lines = [f"{rank.name} ({rank.category})", *_table(game, answer)]
    if isinstance(setting, SetAnswer):
        lines += ["", f"The house way ({setting.house_way}):", *set_lines(setting)]
    return answer, lines


def _house_way(game: Game, text: str) -> SetAnswer | msgspec.UnsetType:
    return set_answer(game.house_way, text, where="hand") if game.house_way else msgspec.UNSET


def _kinds(game: Game) -> list[HandKind]:
    """The kinds of hand that a game knows, those that meet another hand before those of a pay table."""
    used = {line.hand for line in game.book.lines} | {table.table.hand for table in game.pays.values()}
    if any(isinstance(step, SetHands) for step in game.book.script):
        used.update(SET_HANDS)
    return [kind for kind in KINDS.values() if kind.id in used]


def _paid(game: Game, name: str, ranks: Mapping[str, HandRank]) -> Paid:
    rank = ranks[game.pays[name].table.hand]
    line = game.pays[name].line_for(rank)
    if line is None:
        return Paid(line=None, odds=None, hand=rank.name)
    return Paid(
        line=line.name,
        odds=str(line.odds) if line.odds else None,
        hand=rank.name,
        meter_percent=line.meter_percent,
        amount_cents=line.amount_cents,
    )


def _fixed(game: Game, cards: Sequence[Card], rank: HandRank) -> Iterator[tuple[str, Paid]]:
    for wager in game.book.wagers:
        count, wins, line, _ = WON_BY_ONE_HAND.get(wager.id, (0, bool, "", ""))
        if wager.odds and count == len(cards):
            won = wins(cards)
            yield wager.id, Paid(line=line if won else None, odds=str(wager.odds) if won else None, hand=rank.name)


def _table(game: Game, answer: GameAnswer) -> Iterator[str]:
    rows = []
    for name, paid in answer.pays.items():
        if name in WON_BY_ONE_HAND:
            wager = next(wager for wager in game.book.wagers if wager.id == name)
            title = f"{wager.title}, {WON_BY_ONE_HAND[name][-1]}" + ("" if wager in game.wagers else ", if offered")
            rows.append((title, plain(paid.line) if paid.line else "–", paid.odds or "pays nothing"))
            continue
        table = game.pays[name].table
        letter = f", table {table.letter}" if table.letter else ""
        letter += " (ILLUSTRATIVE)" if table.illustrative else ""
        line = next((line for line in table.lines if line.name == paid.line), None)
        rows.append((table.title + letter, *_words(line)))
    yield from columns(rows, indent=2) if rows else ()


def _words(line: PayLine | None) -> tuple[str, str]:
    return (plain(line.name), pay_words(line)) if line else ("–", "pays nothing")
