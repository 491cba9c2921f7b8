"""`crossfelt hand`: rank and name a hand; with a game, show what it pays in each pay table that ranks it.

Wagers at fixed odds that are won by beating another hand are left out, since one hand alone does not decide them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards import Card, format_cards, parse_cards
from crossfelt.cli.commands.house_way import SetAnswer, set_answer, set_lines
from crossfelt.cli.options import AsJson, argument, option, read_game
from crossfelt.cli.output import answer
from crossfelt.errors import BadInput
from crossfelt.games.rules import has_mark, ranker_of
from crossfelt.hands.kinds import KINDS, HandKind, read_hand
from crossfelt.hands.rank import HandRank
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.render.phrases import as_words, pay_words
from crossfelt.text_layout import columns

SET_CARDS: Final = 7


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
        **shared_fields(rank, HandAnswer),
        cards=format_cards(cards),
        game=game.book.id,
        pays={
            **{name: _paid(game, name, ranks) for name, table in game.pays.items() if table.order in ranks},
            **{wager.id: _by_mark(game, wager, cards, rank) for wager in _won_by_a_mark(game, len(cards))},
        },
        house_way=setting,
    )
    lines = [f"{rank.name} ({rank.category})", *_table(game, found)]
    if isinstance(setting, SetAnswer):
        lines += ["", f"The house way ({setting.house_way}):", *set_lines(setting)]
    return found, lines


def _kinds(game: Game) -> list[HandKind]:
    """List the kinds of hand of a game: those compared with another hand, then those of pay tables."""
    used = {line.hand for line in game.book.lines} | {table.order for table in game.pays.values()}
    used |= {hand.order for hand in game.book.hands if hand.split is not None and hand.order is not None}
    return [kind for kind in KINDS.values() if kind.id in used]


def _paid(game: Game, name: str, ranks: Mapping[str, HandRank]) -> Paid:
    rank = ranks[game.pays[name].order]
    line = game.pays[name].line_for(rank)
    if line is None:
        return Paid(line=None, odds=None, hand=rank.name)
    named = {"line": line.name, "odds": str(line.odds) if line.odds else None, "hand": rank.name}
    return Paid(**shared_fields(line, Paid) | named)


def _won_by_a_mark(game: Game, count: int) -> Iterator[Wager]:
    """Yield the wagers at fixed odds that a mark of one hand of this many cards decides."""
    orders = {hand.id: hand.order for hand in game.book.hands}
    for wager in game.book.wagers:
        plain = len(wager.settle) == 1 and wager.rule.odds and len(wager.rule.when) == 1
        if plain and not (wager.rule.unless or wager.rule.where):
            order = orders[side_of(wager.hands[0])[1]]
            if order is not None and kinds_of(game.book)[order].cards == count:
                yield wager


def _by_mark(game: Game, wager: Wager, cards: Sequence[Card], rank: HandRank) -> Paid:
    ((name, mark),) = wager.rule.when.items()
    hand = next(hand for hand in game.book.hands if hand.id == side_of(name)[1])
    won = has_mark(ranker_of(game, str(hand.order))(cards), hand.marks[mark])
    return Paid(line=mark if won else None, odds=wager.rule.odds if won else None, hand=rank.name)


def _table(game: Game, answer: GameAnswer) -> Iterator[str]:
    rows = []
    by_mark = {wager.id: wager for wager in _won_by_a_mark(game, len(answer.cards.split()))}
    for name, paid in answer.pays.items():
        if (wager := by_mark.get(name)) is not None:
            side, _ = side_of(wager.hands[0])
            title = f"{wager.title}, the {side}'s" if side else wager.title
            title += "" if wager in game.wagers else ", if offered"
            rows.append((title, as_words(paid.line) if paid.line else "–", paid.odds or "pays nothing"))
            continue
        table = game.pays[name]
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
        raise BadInput.at("--submission", "hand.game", "needs a game; add --game ID")
    if game is not None:
        answer(*answer_in(read_game(game, submission), cards), as_json=as_json)
        return
    given, kind = read_hand(cards)
    rank = kind.classify(given)
    found = HandAnswer(**shared_fields(rank, HandAnswer), cards=format_cards(given))
    answer(found, f"{found.name} ({found.category})", as_json=as_json)
