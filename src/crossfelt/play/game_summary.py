"""A game on a sign in the lobby: its picture, what it is in one line, and what its jurisdiction changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from crossfelt.money import dollars
from crossfelt.play.bet_words import stake_text
from crossfelt.play.game_words import board_words, cards_of, decisions, names_a_line, played_lines, sets_two_hands
from crossfelt.play.text import capital, number
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.render.json import tint_of
from crossfelt.rulebooks.render.phrases import line_title, pay_words


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a sign."""

    name: str
    """The title of the game without its jurisdiction."""
    cards: tuple[str, ...]
    tint: int
    """The number of the felt's colour."""
    line: str
    differs: str
    """The differences from the same game in other jurisdictions; empty if there is no other."""


@lru_cache(maxsize=64)
def summary_of(game: Game, family: tuple[Game, ...]) -> GameSummary:
    """Return the summary of a game; the `family` is the same game in all jurisdictions.

    >>> family = tuple(map(compile_game, ("ma-criss-cross", "md-criss-cross", "nj-criss-cross")))
    >>> for game in family[::-2]:
    ...     print(summary_of(game, family).differs)
    Bonus Spin, lost when you fold after the first bet. Wins limited to $50,000 a round, side bets included.
    No Bonus Spin. No limit on wins.
    """
    cards = {1: ("Kd", "As", "Kh"), 2: ("Qs", "Jh", "Tc"), 3: ("Jk", "Ah", "Kc")}
    return GameSummary(
        name=game.book.title.rpartition(", ")[0] or game.book.title,
        cards=cards[tint_of(game)],
        tint=tint_of(game),
        line=_line(game),
        differs=" ".join(differences(game, family)),
    )


def _line(game: Game) -> str:
    if sets_two_hands(game):
        cards = number(len(game.hand_places)).capitalize()
        return f"{cards} cards, two hands. Set them yourself or the house way, and beat both hands of the dealer."
    hands, board = number(len(played_lines(game))), board_words(game).removeprefix("the ")
    if names_a_line(game):
        return f"Choose one of {hands} lines of {board_words(game)} and beat the dealer's hand."
    beat = "Beat the dealer's hand." if game.dealer_hands else "No dealer to beat: a pay table pays you."
    own = f"{capital(cards_of(len(game.hand_places)))} of your own"
    if len(played_lines(game)) > 1:
        own = f"{hands.capitalize()} hands on one {board}{' of cards' if board == 'cross' else ''}"
    elif board:
        own += f" and {board}"
    return f"{own}.{_bets_line(game)} {beat}"


def _bets_line(game: Game) -> str:
    """Return how often a player bets after the cards, or takes a bet back."""
    asked = decisions(game)
    bets = len({step.wager for step in asked if step.bet is not None})
    times = {1: "once more", 2: "twice"}.get(bets, f"{number(bets)} times")
    more = ", and see more cards each time" if bets > 1 else ", early or late" if len(asked) > 1 else ""
    if asked and not bets:
        return " Leave your bets or take them back as cards are turned."
    return f" Bet {times}{more}." if bets else ""


def differences(game: Game, family: Sequence[Game]) -> Iterator[str]:
    """Yield what a player would notice in this game and not in every game of the family."""
    if len(family) < 2:
        return
    yield from _wagers_that_differ(game, family)
    yield from _pays_that_differ(game, family)
    limits = {_limit_words(other) for other in (*family, game)}
    if len(limits) > 1:
        yield _limit_words(game)


def _wagers_that_differ(game: Game, family: Sequence[Game]) -> Iterator[str]:
    titles = {wager.id: wager.title for other in family for wager in other.wagers}
    for wager, title in titles.items():
        offering = [other for other in family if other.offers(wager)]
        if not game.offers(wager):
            yield f"No {title}."
            continue
        parts = [
            own
            for words in (stake_text, _fold_fact)
            if len({words(other, other.wager(wager)) for other in offering}) > 1
            and (own := words(game, game.wager(wager)))
        ]
        if parts or len(offering) < len(family):
            yield f"{', '.join([game.wager(wager).title, *parts])}."


def _fold_fact(game: Game, wager: Wager) -> str:
    """Say when a fold loses an optional wager."""
    if wager.required or wager.id not in game.opening_wagers:
        return ""
    losing = [at for at, step in enumerate(decisions(game)) if wager.id in game.fold_forfeits(step)]
    if not losing:
        return "kept when you fold"
    bets = {0: "", 1: " after the first bet", 2: " after the second bet"}.get(losing[0], " at the end")
    return f"lost when you fold{bets}"


def _pays_that_differ(game: Game, family: Sequence[Game]) -> Iterator[str]:
    for name, pays in game.pays.items():
        others = [other.pays[name] for other in family if name in other.pays]
        for line in pays.lines:
            same = {pay_words(one) for table in others for one in table.lines if one.name == line.name}
            if same - {pay_words(line)}:
                yield f"{pays.title}: {line_title(line)} {pay_words(line)}."


def _limit_words(game: Game) -> str:
    limit = next((one for one in game.book.payout_limits if game.limit_cents(one) is not None), None)
    if limit is None:
        return "No limit on wins."
    sides = [wager.id for wager in game.wagers if not wager.required and wager.id in game.opening_wagers]
    covered = "included" if set(sides) <= set(game.covered_by(limit)) else "not counted"
    return f"Wins limited to {dollars(game.limit_cents(limit) or 0)} a round, side bets {covered}."
