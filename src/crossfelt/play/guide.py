"""The captions of a guided hand: short steps that point at the felt, composed from the rulebook.

A caption belongs to a step of the script. It waits for Next, or for the player's own act.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from crossfelt.play.bet_words import required_text, short_bet_text, side_bet_text, stake_text
from crossfelt.play.game_words import (
    counted_of,
    decisions,
    hand_name,
    hands_deciding,
    line_text,
    made_of,
    names_a_line,
    played_lines,
    shared_card,
)
from crossfelt.play.how_to_play import (
    bank_text,
    decision_text,
    fold_text,
    idea,
    joker_text,
    setting_text,
    settlement_text,
)
from crossfelt.play.text import joined_with_and, number, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Line, Wager
from crossfelt.rulebooks.script import Decide, OpenBets, SetHands

END: Final = "end"


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """A move for one step of a lesson's fixed hand, with its reason."""

    move: str
    reason: str

    def __str__(self) -> str:
        return f"Here, press {self.move}: {self.reason}."


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """One caption on the felt."""

    id: str
    at: str
    """The step of the script at which it is shown; `end` after the round."""
    text: str
    points: tuple[str, ...] = ()
    """The subject: `wager:ID`, `line:ID`, `own` cards, `actions` or `action:ID`."""
    waits: Literal["next", "wagers", "act"] = "next"
    """The caption goes with Next, when the required wagers lie, or when the table moves on."""
    advice: str = ""
    """A move for a lesson's fixed hand."""


def guide_of(game: Game, advice: Mapping[str, Advice] | None = None) -> tuple[Caption, ...]:
    """Return the captions of a hand in order; `advice` names a move for steps of a fixed hand.

    >>> for caption in guide_of(compile_game("nj-double-cross"))[:2]:
    ...     print(caption.text)
    You get two cards. With the cross on the table they make two hands at once: your vertical hand and your horizontal \
hand. You choose one of them. It must beat the dealer's hand.
    Place your ante: $5 to $500. Press the lit area to add a chip.
    """
    return tuple(_captions(game, advice or {}))


def tried_wager(game: Game) -> Wager | None:
    """Return the optional wager that a lesson tries: the first one that a pay table pays in chips."""
    opening = game.opening_wagers.values()
    return next((one for one in opening if one not in game.first_wagers and one.pays and one.unit == "cents"), None)


def _captions(game: Game, advice: Mapping[str, Advice]) -> Iterator[Caption]:
    lines = played_lines(game)
    cross = tuple(f"line:{line.id}" for line in lines) or ("own",)
    for step in game.book.script:
        if isinstance(step, OpenBets):
            yield Caption(id="idea", at=step.id, text=" ".join(idea(game)), points=cross)
            yield from _betting(game, step)
        elif isinstance(step, SetHands) and step.who == "players":
            yield from _setting(game, step, advice)
        elif isinstance(step, Decide) and game.offers(step.wager):
            yield from _deciding(game, step, lines, advice)
    bank = f" {bank_text(game)[0]}" if bank_text(game) else ""
    yield Caption(id=END, at=END, text=" ".join(settlement_text(game)) + bank)


def _betting(game: Game, step: OpenBets) -> Iterator[Caption]:
    required = game.first_wagers
    press = "Press the lit area to add a chip." if len(required) == 1 else "Press a lit area to add a chip."
    yield Caption(
        id="required",
        at=step.id,
        text=f"{required_text(game)} {press}",
        points=tuple(f"wager:{wager.id}" for wager in required),
        waits="wagers",
    )
    tried = tried_wager(game)
    if tried is None:
        yield Caption(id="deal", at=step.id, text="Press Deal.", points=("action:deal",), waits="act")
        return
    yield from _other_bets(game, step, tried)
    yield Caption(
        id="optional",
        at=step.id,
        text=f"{tried.title} is optional: try it. {side_bet_text(game, tried)} Then press Deal.",
        points=(f"wager:{tried.id}", "action:deal"),
        waits="act",
    )


def _other_bets(game: Game, step: OpenBets, tried: Wager) -> Iterator[Caption]:
    """Say when the optional wagers that the lesson does not try win; explain a single one."""
    others = [wager for wager in game.opening_wagers.values() if wager not in (*game.first_wagers, tried)]
    if not others:
        return
    if len(others) == 1:
        (other,) = others
        told = f"{stake_text(game, other)}. {side_bet_text(game, other)}"
        text = f"{other.title} is an optional bet: {told} Leave it out this time."
    else:
        told = " ".join(short_bet_text(game, wager) for wager in others)
        text = f"{number(len(others)).capitalize()} more bets are optional. {told} Leave them out this time."
    points = tuple(f"wager:{wager.id}" for wager in others)
    yield Caption(id="others", at=step.id, text=text, points=points)


def _setting(game: Game, step: SetHands, advice: Mapping[str, Advice]) -> Iterator[Caption]:
    own = number(len(game.hand_places))
    how, *more = setting_text(game)
    joker = "".join(f"{told} " for told in joker_text(game))
    foul = f" {more[0]}" if more else ""
    yield Caption(
        id=f"{step.id}_cards", at=step.id, text=f"These {own} cards are yours. {joker}{how}{foul}", points=("own",)
    )
    text = " ".join([*more[1:], "Set hands confirms your two hands."])
    yield Caption(
        id=step.id, at=step.id, text=text, points=("actions", "own"), waits="act", advice=str(advice.get(step.id, ""))
    )


def _deciding(game: Game, step: Decide, lines: Sequence[Line], advice: Mapping[str, Advice]) -> Iterator[Caption]:
    wager = game.wager(step.wager)
    made = [line.id for line in hands_deciding(game, wager)]
    of = [line for line in lines if line.id in (*made, *game.options(step))]
    points = tuple(f"line:{line.id}" for line in of) or ("own",)
    main = wager in game.first_wagers or wager.stake.of is not None
    first = main and step is next((one for one in decisions(game) if game.wager(one.wager).stake.of is not None), None)
    if first and of:
        yield Caption(id=f"{step.id}_hand", at=step.id, text=_hand_text(game, of), points=points)
    told = decision_text(game, step) if first or not main else (decision_text(game, step)[0], _short_fold(game, step))
    text = [*([] if first or not main else _before(game, lines, of, wager)), *told]
    yield Caption(
        id=step.id,
        at=step.id,
        text=" ".join(text),
        points=("actions", f"wager:{wager.id}", *points),
        waits="act",
        advice=str(advice.get(step.id, "")),
    )


def _short_fold(game: Game, step: Decide) -> str:
    """Return what a later fold costs; a fold that loses every main bet so far in few words."""
    lost = set(game.fold_forfeits(step))
    before = [one.wager for one in decisions(game)[: decisions(game).index(step)]]
    so_far = {wager.id for wager in game.first_wagers} | set(before)
    if not so_far <= lost:
        return next(fold_text(game, step), "")
    also = [title_of(wager, game) for wager in game.fold_forfeits(step) if wager not in so_far and game.offers(wager)]
    return f"Fold and you lose your bets so far{f', and {joined_with_and(also)}' if also else ''}."


def _hand_text(game: Game, lines: Sequence[Line]) -> str:
    """Return which cards make the hand of the first decision."""
    if names_a_line(game) or len(lines) > 1:
        return " ".join(line_text(game, line) for line in lines) + " The lit cards belong to them."
    (line,) = lines
    count, name = number(len(line.places)), hand_name(game, line)
    counted = counted_of(game, line)
    these = f"The {counted} of these {count} cards" if counted else f"These {count} cards"
    if set(line.places) <= set(game.hand_places):
        return f"{these} are your {name}."
    return f"{these} make your {name}: {made_of(game, line)}. Cards face down are turned up later."


def _before(game: Game, lines: Sequence[Line], of: Sequence[Line], wager: Wager) -> Iterator[str]:
    """Say which cards count for a later bet, and that a shared card counts for each hand."""
    if len(of) == 1 and len(lines) > 1:
        yield line_text(game, of[0])
    elif wager.line is not None and len(lines) > 1:
        yield from shared_card(game, lines)
