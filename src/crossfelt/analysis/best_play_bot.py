"""A bot that asks the solver of its game at each decision.

It maximises the value of the game's own wagers, without side wagers, on the cards that a player sees by the rules. It
ignores cards that were exposed by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from crossfelt.analysis.advice import Advice, SettingAdvice
from crossfelt.analysis.reasons import FOUL, SURRENDER
from crossfelt.analysis.solution import OPTIMAL, SIMPLE
from crossfelt.analysis.solver.api import advise, require_solver
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.bots import BOTS, Decider, Ways, bets, careful_player, carry_out
from crossfelt.play.player_view import HANDS, PlayerView
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide
from crossfelt.table.act import Move, fill_in

CHIPS_CENTS: Final = 100_000_00


class BestPlayBot(Decider, frozen=True):
    """Plays the solver's advice; decides nothing that is not solved, such as the offer of a bank."""

    def move(self, view: PlayerView) -> Move | None:
        position = position_of(view)
        return None if position is None else act_on(view, best_choice(view.game, position, may_surrender(view)))


class CardBot(Decider, frozen=True):
    """Plays the best short card that the search finds, as ``simple`` does in a simulation; decides nothing else."""

    def move(self, view: PlayerView) -> Move | None:
        position = position_of(view)
        return None if position is None else carry_out(view, card_choice(view.game, position))


def card_play(game: Game) -> Decider:
    """Return a bot that plays the best short card; the search takes up to half a minute, once in a process."""
    from crossfelt.analysis.strategies.named import strategy_named

    strategy_named(game, SIMPLE)
    return CardBot() + careful_player


def card_choice(game: Game, position: Mapping[str, Any]) -> str:
    """Return the choice of the best short card in a position."""
    import numpy as np

    from crossfelt.analysis.solver.position import read_position
    from crossfelt.analysis.strategies.named import strategy_named
    from crossfelt.analysis.strategies.seen import Seen

    cards = {name: text for name, text in position.items() if name != "bets"}
    at = read_position(RoundPlan(game), cards, position["bets"])
    places = {place: np.array([card], dtype=np.uint8) for place, card in at.seen.items()}
    seen = Seen.at(at.courses, at.decision, at.courses.first, places)
    return seen.options[int(strategy_named(game, SIMPLE).play(seen)[0])]


def best_play(game: Game) -> Decider:
    """Return a bot with best play and the careful player for the rest; raise BadInput if the game has no solver.

    >>> best_play(compile_game("nj-criss-cross")) == BestPlayBot() + careful_player
    True
    """
    require_solver(game)
    return BestPlayBot() + careful_player


def ways_to_decide(game: Game) -> Ways:
    """Return the bots of any table, and those of this game: its best short card, where it has one, and best play."""
    card: Ways = {} if game.book.splits else {SIMPLE: lambda _: card_play(game)}
    return {**BOTS, **card, OPTIMAL: lambda _: best_play(game)}


def position_of(view: PlayerView) -> dict[str, Any] | None:
    """Return the position as `advise` takes it, cards by name and bets in antes; None where no solver knows it.

    >>> from crossfelt.cards import parse_cards
    >>> view = PlayerView(
    ...     game=compile_game("nj-criss-cross"), seat=1, round=1, step="decide_across", asked="across",
    ...     hole=parse_cards("As Kd"), face_up={}, placed={"ante_across": 1000}, options={},
    ... )
    >>> position_of(view)
    {'hole': 'As Kd', 'bets': {}}
    """
    if view.asked == HANDS:
        return {"cards": format_cards(view.hole)}
    _, step = view.game.steps.get(view.step, (0, None))
    if not isinstance(step, Decide) or not view.asked or not view.hole:
        return None
    try:
        plan = RoundPlan(view.game)
    except Unreachable:
        return None
    if not plan.asks(step):
        return None
    own = next(group.id for group in view.game.book.groups if plan.own[0] in group.names)
    unit = next(view.placed[wager] for wager in plan.opening if wager in view.placed)
    bets = {w: str(Fraction(view.placed[w], unit)) for w in plan.main if w in view.placed and w not in plan.opening}
    withdrawn = (wager for wager, choice in view.choices.items() if choice == "withdraw")
    taken_back = {wager: "0" for wager in withdrawn if wager in plan.main}
    shown = {place: format_cards([card]) for place, card in view.face_up.items()}
    return {own: format_cards(view.hole), **shown, "bets": {**bets, **taken_back}}


def may_surrender(view: PlayerView) -> bool:
    return view.option(SURRENDER) is not None


def best_choice(game: Game, position: Mapping[str, Any], may_surrender: bool = False) -> str:
    """Return the best choice in a position by the solver's name, or to surrender if that loses less.

    >>> best_choice(compile_game("nj-criss-cross"), {"hole": "As Ad", "bets": {}})
    '3x'
    """
    advice = advise(game, **position)
    surrendered = Fraction(game.number("surrender_refund_per_mille"), 1000) - 1 if may_surrender else None
    return SURRENDER if surrendered is not None and advice.actions[advice.best] < surrendered else advice.best


def act_on(view: PlayerView, best: str) -> Move | None:
    """Convert the solver's choice to a move."""
    if view.asked != HANDS:
        return carry_out(view, best)
    option = view.option(SURRENDER if best == SURRENDER else "set_hand")
    if option is None or best == SURRENDER:
        return None if option is None else fill_in(option)
    return fill_in(option, low=parse_cards(best, joker=True))


def choice_made(view: PlayerView, move: Move, advice: Advice) -> str:
    """Return the solver's name of a move at a decision; `foul` for a setting that loses both hands.

    >>> from crossfelt.cards import parse_cards
    >>> view = PlayerView(
    ...     game=compile_game("nj-criss-cross"), seat=1, round=1, step="decide_across", asked="across",
    ...     hole=parse_cards("As Kd"), face_up={}, placed={"ante_across": 1000}, options={},
    ... )
    >>> choice_made(view, Move("bet", {"seat": 1, "cents": 3000}), advise(view.game, hole="As Kd"))
    '3x'
    """
    if move.name == "bet":
        return f"{Fraction(move.fields['cents'], view.base_cents)}x"
    if move.name == "choose":
        return str(move.fields["choice"])
    if not isinstance(advice, SettingAdvice) or move.name == SURRENDER:
        return move.name
    if move.name == "set_house_way":
        return next(format_cards(it.low) for it in advice.settings if it.house_way)
    front = set(move.fields["low"])
    return next((format_cards(it.low) for it in advice.settings if set(it.low) == front), FOUL)


def play_alone(game: Game, rounds: int = 1) -> None:
    """Let a solver play some rounds alone, which compiles what advice needs."""
    session = TableSession(game, ShuffledSource(repeatable_seed(1)), at=TickingClock())
    session.open()
    session.sit(1, "solver", CHIPS_CENTS, bets(10) + best_play(game))
    for _ in session.play(rounds=rounds):
        pass
