"""Irregularity drill: every irregularity of a rulebook, and its consequence according to the table engine.

Bots play at a table with every device. At each point, every possible fault (`crossfelt.play.faults`) is reported on a
copy of the table; `crossfelt.play.consequences` tells the consequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import bot_named
from crossfelt.play.consequences import Consequence, Situation, consequence_of, describe
from crossfelt.play.faults import Fault, possible_faults
from crossfelt.play.narration import RULINGS
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.play.text import seats_words
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Irregularity
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.render.step_phrases import step_words
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import TableState, step_of
from crossfelt.training.drill_rounds import laid_out
from crossfelt.training.hand_generator import HandNotFound
from crossfelt.training.question import Choose, Note, QuestionContent, Shown, explained

ROUNDS: Final = 3
MOST_SITUATIONS: Final = 6
OPTIONS: Final = 5
SEATED: Final = ("careful", "always-1", "careful")
AFTER: Final = 3_600_000
"""An hour later every clock has run out."""
DEVICES: Final[Mapping[str, Any]] = {
    "dealing.method": "automated_shoe",
    "dealing.shuffler": "counting",
    "approvals.automated_shoe": "training",
    "play.on_timeout": "floor_decides",
    "play.decision_seconds": 1,
}
"""A submission with every device, so that each can fail, and a floor decision when a player does not answer."""
OTHERS: Final = (
    Consequence(void=True, returned=True, deck="shuffled"),
    Consequence(void=True, returned=True, deck="removed"),
    Consequence(card="out"),
    Consequence(card="next"),
    Consequence(forfeited=True),
    *(Consequence(rulings=(RULINGS["continue"], RULINGS[other])) for other in ("void", "abandon", "fold")),
    Consequence(rulings=(RULINGS["continue"],)),
    Consequence(deck="shuffled"),
    Consequence(deck="removed"),
    Consequence(device=("covered", "signed")),
    Consequence(device=("removed",)),
)
"""Consequences in any of the documents, from which the wrong answers are drawn."""


def subjects(game: Game) -> tuple[str, ...]:
    """List every kind and case of irregularity in the rulebook."""
    return tuple(f"{kind}.{case}" for kind, cases in sorted(game.book.irregularities.items()) for case in cases)


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    found = situations(game)[subject]
    if not found:
        raise HandNotFound(f"{game.book.id}: {subject} never happens")
    situation = found[chance.below(len(found))]
    right = consequence_of(situation)
    kind, _, case = subject.partition(".")
    others = [other for other in chance.shuffled(OTHERS) if other != right._replace(settled="")]
    if right.void and right.settled:
        others.insert(0, right._replace(settled="stands" if right.settled == "undone" else "undone"))
    options = chance.shuffled([right.words(), *(other.words() for other in others[: OPTIONS - 1])])
    outcome = game.book.irregularities[kind][case]
    return QuestionContent(
        asks=f"{describe(kind, case)}{_where(situation)}. What happens now?",
        shown=_shown(situation),
        answer=Choose(options=options),
        right=(str(options.index(right.words()) + 1),),
        explanation=explained(
            f"{right.words()}.{_settled_before(game, right)}{_elsewhere(game, outcome)}", game, outcome
        ),
    )


# --- situations -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def situations(game: Game) -> Mapping[str, tuple[Situation, ...]]:
    """Find a few situations for each subject."""
    found: dict[str, list[Situation]] = {subject: [] for subject in subjects(game)}
    for variant in (equipped(game), game):
        for table, at in _points(variant):
            for fault in possible_faults(table, at + AFTER):
                for subject, situation in _situations(table, fault, at + AFTER):
                    kept = found[subject]
                    known = any((it.table.step, it.fields) == (table.step, situation.fields) for it in kept)
                    if known or not _is_irregular(situation):
                        continue
                    if len(kept) < MOST_SITUATIONS:
                        kept.append(situation)
                    elif table.settlements and not any(other.table.settlements for other in kept):
                        kept[-1] = situation
        if all(found.values()):
            break
    return {subject: tuple(kept) for subject, kept in found.items()}


def equipped(game: Game) -> Game:
    """Return the same game with every device of its rulebook."""
    stated = dict(game.stated)
    known = {choice.path: choice for choice in game.book.choices}
    for path, value in DEVICES.items():
        if path in known and (not known[path].of or value in known[path].of):
            group, _, name = path.partition(".")
            stated[group] = {**stated.get(group, {}), name: value}
    try:
        return compile_game(game.book, stated)
    except BadInput:  # a user's own rulebook may not allow these devices
        return game


def _points(game: Game) -> Iterator[tuple[TableState, int]]:
    """Yield every state of a table in some rounds, with its time."""
    clock = TickingClock(step=1_000)
    session = TableSession(game, ShuffledSource(repeatable_seed(1)), at=clock)
    session.open()
    for seat, style in enumerate(SEATED, start=1):
        session.sit(seat, f"player {seat}", 1_000_00, bot_named(style, repeatable_seed(seat)))
    happened: AppliedCommand
    for happened in session.play(ROUNDS):
        yield happened.before, happened.command.at
    yield session.table, clock()


def _situations(table: TableState, fault: Fault, at: int) -> Iterator[tuple[str, Situation]]:
    """Yield the fault, and, for a card found face up, the same fault reported twice."""
    case = fault.fields.get("case") or fault.fields.get("finding") or "any"

    def command(number: int) -> Command:
        return fault.command(id=f"mishap-{number}", who=fault.role, role=fault.role, at=at, **fault.fields)

    yield f"{fault.kind}.{case}", Situation(table, (command(1),), fault.fields)
    if fault.kind == "face_up_card":
        yield f"{fault.kind}.several", Situation(table, (command(1), command(2)), fault.fields)


def _is_irregular(situation: Situation) -> bool:
    """Return whether the table treats it as an irregularity. A timeout at the offer of the bank does not count."""
    answer = run(situation.table, situation.commands[0])
    events = answer.events if isinstance(answer, Accepted) else ()
    return any(isinstance(event, e.IrregularityReported | e.RoundVoided) for event in events)


# --- texts ------------------------------------------------------------------------------------------------------------


def _where(situation: Situation) -> str:
    fields = situation.fields
    parts = [f"seat {fields['seat']}"] if fields.get("seat") else []
    parts += [as_words(fields["place"])] if fields.get("place") else []
    return f" ({', '.join(parts)})" if parts else ""


def _shown(situation: Situation) -> tuple[Shown, ...]:
    table = situation.table
    step = step_of(table)
    stands = f"Step of the round: {step_words(step, table.game.book)[0].rstrip(':.')}." if step else "No round is open."
    playing = [seat.number for seat in table.seats if seat.wagers]
    wagers = f" Wagers lie at {seats_words(playing)}." if playing else ""
    seen = {place: card for place, card in table.community.items() if place in table.revealed}
    return (Note(text=stands + wagers), *laid_out(table.game, seen))


def _settled_before(game: Game, right: Consequence) -> str:
    """Say which reading holds for wagers that were settled before the round was found void (AMB-8c)."""
    if not right.void:
        return ""
    name = "void_keeps_settled"
    rule, value = setting_rules()[name], game.settings[name]
    chosen = ", as the submission chooses" if value != game.book.settings[name].value else ""
    return f" {rule.title} {rule.values['yes' if value else 'no']}{chosen}."


def _elsewhere(game: Game, outcome: Irregularity) -> str:
    """Quote the other documents on the same point."""
    topic = law.topics().get(outcome.topic)
    if topic is None:
        return ""
    said = [f"[{book}] {statement.says}" for book, statement in topic.rulebooks.items() if book != game.book.id]
    return f" Other rulebooks, on {topic.title[0].lower()}{topic.title[1:]}: {' '.join(said)}" if said else ""
