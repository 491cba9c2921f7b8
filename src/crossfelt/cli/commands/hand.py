"""`crossfelt hand`: rank and name a hand; with a game, show what it pays in each pay table that ranks it.

Wagers at fixed odds that are won by beating another hand are left out, since one hand alone does not decide them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from crossfelt.cards import Card, format_cards, parse_cards
from crossfelt.cli.commands.house_way import SetAnswer, set_answer, set_lines
from crossfelt.cli.options import AsJson, argument, option, read_game
from crossfelt.cli.output import answer, bad_input
from crossfelt.games.rules import ranker_of
from crossfelt.hands import KINDS, HandKind, HandRank
from crossfelt.hands.joker import is_queen_high
from crossfelt.hands.kinds import read_hand
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words, pay_words
from crossfelt.rulebooks.script import SetHands
from crossfelt.text_layout import columns

SET_HANDS = ("joker_five", "two_card")
"""Kinds of hand in a game in which players set their hands."""
SET_CARDS: Final = 7

WON_BY_ONE_HAND: Final[Mapping[str, tuple[int, Callable[[Sequence[Card]], bool], str, str]]] = {
    "queens_dragon": (7, is_queen_high, "queen_high", "the dealer's"),
}
"""Wagers at fixed odds that one hand decides: number of cards, winning test, its name, and whose hand."""


class Paid(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The payment by one pay table or wager; `line` is null for a hand that it does not pay."""

    line: str | None
    odds: str | None
    hand: str
    """The hand as it is ranked there."""
    meter_percent: int | None = None
    amount_cents: int | None = None


class HandAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `crossfelt hand --json`."""

    cards: str
    category: str
    name: str
    ranks: tuple[int, ...]


class GameAnswer(HandAnswer, frozen=True, kw_only=True):
    """The answer of `crossfelt hand --game ID --json`."""

    game: str
    pays: dict[str, Paid]
    house_way: SetAnswer | msgspec.UnsetType = msgspec.UNSET
    """The house way's setting of the cards, in games where hands are set."""


def answer_in(game: Game, text: str) -> tuple[GameAnswer, list[str]]:
    """Describe a hand in a game, as data and as lines of text."""
    kinds = _kinds(game)
    joker = game.book.deck.cards == 53
    allowed = "2c … As, Jk (joker)" if joker else "2c … As"
    cards = parse_cards(text, count={kind.cards for kind in kinds}, joker=joker, where="hand", allowed=allowed)
    fitting = {kind.id: kind for kind in kinds if kind.cards == len(cards)}
    rank = ranker_of(game, next(iter(fitting)))(cards)
    ranks = {name: ranker_of(game, name)(cards) for name in fitting}
    way = game.house_way if len(cards) == SET_CARDS else None
    setting = set_answer(way, text, where="hand") if way is not None else msgspec.UNSET
    found = GameAnswer(
        cards=format_cards(cards),
        category=rank.category,
        name=rank.name,
        ranks=rank.ranks,
        game=game.book.id,
        pays={
            **{name: _paid(game, name, ranks) for name, table in game.pays.items() if table.table.order in ranks},
            **dict(_fixed(game, cards, rank)),
        },
        house_way=setting,
    )
    lines = [f"{rank.name} ({rank.category})", *_table(game, found)]
    if isinstance(setting, SetAnswer):
        lines += ["", f"The house way ({setting.house_way}):", *set_lines(setting)]
    return found, lines


def _kinds(game: Game) -> list[HandKind]:
    """List the kinds of hand of a game: those compared with another hand, then those of pay tables."""
    used = {line.hand for line in game.book.lines} | {table.table.order for table in game.pays.values()}
    if any(isinstance(step, SetHands) for step in game.book.script):
        used.update(SET_HANDS)
    return [kind for kind in KINDS.values() if kind.id in used]


def _paid(game: Game, name: str, ranks: Mapping[str, HandRank]) -> Paid:
    rank = ranks[game.pays[name].table.order]
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
            rows.append((title, as_words(paid.line) if paid.line else "–", paid.odds or "pays nothing"))
            continue
        table = game.pays[name].table
        letter = f", table {table.letter}" if table.letter else ""
        letter += " (ILLUSTRATIVE)" if table.illustrative else ""
        line = next((line for line in table.lines if line.name == paid.line), None)
        paid_words = (as_words(line.name), pay_words(line)) if line else ("–", "pays nothing")
        rows.append((table.title + letter, *paid_words))
    yield from columns(rows, indent=2) if rows else ()


def hand(
    cards: Annotated[str, argument("CARDS", 'Cards, e.g. "As Ks Qs Js Ts"; the joker is Jk.')],
    game: Annotated[str | None, option("ID", "Rulebook id or file; also shows what the hand pays there.")] = None,
    submission: Annotated[Path | None, option("FILE", "Apply an operator's Rules Submission; needs --game.")] = None,
    as_json: AsJson = False,
) -> None:
    """Rank and name a hand of two, three, five or seven cards; with --game, show what it pays."""
    if submission is not None and game is None:
        raise bad_input("hand.game", "needs a game; add --game ID", where="--submission")
    if game is not None:
        answer(*answer_in(read_game(game, submission), cards), as_json=as_json)
        return
    given, kind = read_hand(cards)
    rank = kind.classify(given)
    found = HandAnswer(cards=format_cards(given), category=rank.category, name=rank.name, ranks=rank.ranks)
    answer(found, f"{found.name} ({found.category})", as_json=as_json)
