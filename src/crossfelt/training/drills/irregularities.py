"""Irregularity drill: every irregularity of a rulebook, and its consequence according to the table engine.

Bots play at a table with every device. At each point, every possible fault (`crossfelt.play.faults`) is reported on a
copy of the table, and the automated dealer continues from there. The consequence is read from the events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import bot_named
from crossfelt.play.faults import Fault, possible_faults
from crossfelt.play.narration import RULINGS
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.play.text import seats_words
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Irregularity
from crossfelt.rulebooks.render.phrases import as_words, irregularity_title
from crossfelt.rulebooks.render.step_phrases import step_words
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import events as e
from crossfelt.table.acts.dealing import coming_cards
from crossfelt.table.acts.floor import OUT_OF_USE, rulings
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, DecideFloor
from crossfelt.table.decks import between_rounds
from crossfelt.table.engine import Accepted, allowed, run
from crossfelt.table.state import TableState, step_of
from crossfelt.training.drills.hand_names import laid_out
from crossfelt.training.hand_generator import HandNotFound
from crossfelt.training.question import Choose, Note, QuestionContent, Shown, explained

ROUNDS: Final = 3
MOST_SITUATIONS: Final = 6
MOST_STEPS: Final = 80
OPTIONS: Final = 5
SEATED: Final = ("simple", "always-1", "simple")
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


class Consequence(NamedTuple):
    """The consequence of an irregularity."""

    void: bool = False
    returned: bool = False
    forfeited: bool = False
    settled: str = ""
    """``undone`` or ``stands``: what becomes of wagers that were settled earlier in the round (AMB-8c, AMB-15c)."""
    card: str = ""
    """``out`` if the card is discarded, ``next`` if it is used as the next card."""
    deck: str = ""
    """``shuffled`` or ``removed``."""
    rulings: tuple[str, ...] = ()
    device: tuple[str, ...] = ()
    """Ways to put a device out of use."""

    def words(self) -> str:
        """Describe the consequence in a sentence.

        >>> Consequence(void=True, returned=True, deck="removed").words()
        'The round is void and every wager is returned; the deck is removed from the table'
        >>> Consequence(void=True, returned=True, settled="stands").words()
        'The round is void and every open wager is returned; wagers already settled stand'
        """
        return _sentence("; ".join(self._parts()) or "the round continues")

    def _parts(self) -> Iterator[str]:
        if self.void:
            wager = "every open wager" if self.settled == "stands" else "every wager"
            yield "the round is void" + (f" and {wager} is returned" if self.returned else "")
            if self.settled:
                yield _SETTLED[self.settled]
        if self.card:
            yield _CARD[self.card]
        if self.forfeited:
            too = ", those already settled too" if self.settled else ""
            yield f"the player loses every wager{too}; the round continues for the others"
        if len(self.rulings) > 1:
            yield "the floor decides whether " + " or ".join(RULINGS[ruling] for ruling in self.rulings)
        elif self.rulings:
            yield "the floor is notified, and the round continues"
        if self.device:
            yield f"the device is {' or '.join(_DEVICE[how] for how in self.device)} until it works again"
        if self.deck:
            yield _DECK[self.deck]


TITLES: Final = {
    "face_up_card.one": "A card is found face up during the deal",
    "face_up_card.several": "Two cards are found face up during the deal",
    "wrong_card_count.player": "A player has the wrong number of cards",
    "wrong_card_count.community": "The community area has the wrong number of cards",
    "wrong_card_count.dealer": "The dealer has the wrong number of cards",
    "stub_count_wrong.misdealt": "The stub count is wrong: a hand has too many or too few cards",
    "stub_count_wrong.not_misdealt": "The stub count is wrong, though every hand has the right number of cards",
    "stub_count_wrong.misdealt_and_wrong_total": "The stub count is wrong: a misdeal with an incomplete deck",
}
"""Descriptions of cases whose title does not suffice."""


def describe(kind: str, case: str) -> str:
    """Describe an irregularity in one sentence.

    >>> describe("wrong_card_count", "player")
    'A player has the wrong number of cards'
    """
    return TITLES.get(f"{kind}.{case}") or irregularity_title(kind, case)


_SETTLED: Final = {"undone": "wagers already settled are undone", "stands": "wagers already settled stand"}
_CARD: Final = {
    "out": "the card is discarded, and the round continues",
    "next": "the card is used as the next card, and the round continues",
}
_DECK: Final = {"shuffled": "the cards are reshuffled", "removed": "the deck is removed from the table"}
_DEVICE: Final = {"covered": "covered", "signed": "marked with a sign", "removed": "removed"}
OTHERS: Final = (
    Consequence(void=True, returned=True, deck="shuffled"),
    Consequence(void=True, returned=True, deck="removed"),
    Consequence(card="out"),
    Consequence(card="next"),
    Consequence(forfeited=True),
    Consequence(rulings=("continue", "void")),
    Consequence(rulings=("continue", "abandon")),
    Consequence(rulings=("continue", "fold")),
    Consequence(rulings=("continue",)),
    Consequence(deck="shuffled"),
    Consequence(deck="removed"),
    Consequence(device=("covered", "signed")),
    Consequence(device=("removed",)),
)
"""Consequences in any of the documents, from which the wrong answers are drawn."""


class Situation(NamedTuple):
    """A table, and the commands that report an irregularity at it."""

    table: TableState
    commands: tuple[Command, ...]
    fields: Mapping[str, Any]


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
        explanation=explained(f"{right.words()}.{_elsewhere(game, outcome)}", game, outcome),
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
                    if len(kept) < MOST_SITUATIONS and _is_new(situation, kept) and _is_irregular(situation):
                        kept.append(situation)
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


def _is_new(situation: Situation, kept: Sequence[Situation]) -> bool:
    """Return whether a situation differs from the others in step or fields."""
    key = (situation.table.step, situation.fields)
    return all(key != (other.table.step, other.fields) for other in kept)


def _is_irregular(situation: Situation) -> bool:
    """Return whether the table treats it as an irregularity; a timeout at the offer of the bank is none."""
    answer = run(situation.table, situation.commands[0])
    events = answer.events if isinstance(answer, Accepted) else ()
    return _any(events, e.IrregularityReported) or _any(events, e.RoundVoided)


# --- consequences -----------------------------------------------------------------------------------------------------


def consequence_of(situation: Situation) -> Consequence:
    """Read the consequence of a situation from the engine's events."""
    before = table = situation.table
    happened: list[e.Event] = []
    for command in situation.commands:
        answer = run(table, command)
        if table.voided and not isinstance(answer, Accepted):
            break
        assert isinstance(answer, Accepted), answer
        table = answer.table
        happened += answer.events
    reported = list(happened)
    happened += _continued(table, situation.commands[-1].at)
    void = _any(reported, e.RoundVoided)
    pending = rulings(table) if table.pending is not None else ()
    broken = [device for device, state in table.devices.items() if state == "broken"]
    return Consequence(
        void=void,
        returned=_any(reported, e.WagersReturned),
        forfeited=_any(reported, e.WagersForfeited),
        settled=_settled(reported),
        card="" if void else _card(before, reported, happened),
        deck=_deck(happened, at_rest=void or (between_rounds(before) and not broken)),
        rulings=tuple(pending),
        device=_put_out_of_use(table, broken),
    )


def ruled_void(table: TableState, at: int) -> Consequence:
    """Return the consequence if the floor rules now that the round is void."""
    ruling = DecideFloor(id="tried", who="floor", role="floor", at=at, ruling="void")
    return consequence_of(Situation(table, (ruling,), {}))


def _settled(reported: Sequence[e.Event]) -> str:
    if _any(reported, e.SettlementReversed):
        return "undone"
    return "stands" if any(isinstance(event, e.RoundVoided) and event.keeps_settled for event in reported) else ""


def _continued(table: TableState, at: int) -> Iterator[e.Event]:
    """Yield the automatic events until a player must act or the next round is open."""
    dealer = Dealer(ShuffledSource(repeatable_seed(2)))
    for _ in range(MOST_STEPS):
        command = dealer.next_command(table, at)
        if command is None or isinstance(step_of(table), OpenBets):
            return
        answer = run(table, command)
        if not isinstance(answer, Accepted):  # at a physical table the dealer names the cards
            return
        table = answer.table
        yield from answer.events


def _any(events: Sequence[e.Event], kind: type) -> bool:
    return any(isinstance(event, kind) for event in events)


def _card(before: TableState, reported: Sequence[e.Event], happened: Sequence[e.Event]) -> str:
    """Return what happens to a card that was exposed or drawn in error."""
    if _any(reported, e.FaceUpCardDiscarded):
        return "out"
    in_error = any(isinstance(event, e.IrregularityReported) and event.kind == "card_in_error" for event in reported)
    dealt = next((event for event in happened if isinstance(event, e.CardsDealt)), None)
    if dealt is None or not in_error:
        return ""
    return "next" if next(iter(coming_cards(before))) == dealt.cards[0].card else ""


def _deck(happened: Sequence[e.Event], *, at_rest: bool) -> str:
    """Return what happens to the deck because of the fault, not because the round ends."""
    if _any(happened, e.DeckRemoved):
        return "removed"
    return "shuffled" if at_rest and _any(happened, e.DeckShuffled) else ""


def _put_out_of_use(table: TableState, broken: Sequence[str]) -> tuple[str, ...]:
    offered = (option.fields for option in allowed(table, "dealer", "dealer") if option.command == "mark_device")
    ways = {fields["how"] for fields in offered if fields["device"] in broken}
    return tuple(how for how in OUT_OF_USE if how in ways)


# --- texts ------------------------------------------------------------------------------------------------------------


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _where(situation: Situation) -> str:
    fields = situation.fields
    parts = [f"seat {fields['seat']}"] if fields.get("seat") else []
    parts += [as_words(fields["place"])] if fields.get("place") else []
    return f" ({', '.join(parts)})" if parts else ""


def _shown(situation: Situation) -> tuple[Shown, ...]:
    table = situation.table
    step = step_of(table)
    titles = {wager.id: wager.title for wager in table.game.wagers}
    stands = f"Step of the round: {step_words(step, titles)[0].rstrip(':.')}." if step else "No round is open."
    playing = [seat.number for seat in table.seats if seat.wagers]
    wagers = f" Wagers lie at {seats_words(playing)}." if playing else ""
    seen = {place: card for place, card in table.community.items() if place in table.revealed}
    return (Note(text=stands + wagers), *laid_out(seen))


def _elsewhere(game: Game, outcome: Irregularity) -> str:
    """Quote the other documents on the same point."""
    topic = law.topics().get(outcome.topic)
    if topic is None:
        return ""
    said = [f"[{book}] {statement.says}" for book, statement in topic.rulebooks.items() if book != game.book.id]
    return f" Other rulebooks, on {topic.title[0].lower()}{topic.title[1:]}: {' '.join(said)}" if said else ""
