"""The consequence of an irregularity, read from the events of the table engine.

The report is tried on a copy of the table, and the automated dealer continues from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.narration import ruling_words
from crossfelt.play.sources import ShuffledSource
from crossfelt.play.text import capital
from crossfelt.rulebooks.render.phrases import irregularity_title
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import events as e
from crossfelt.table.acts.dealing import coming_cards
from crossfelt.table.acts.floor import OUT_OF_USE, rulings
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, DecideFloor
from crossfelt.table.decks import between_rounds
from crossfelt.table.engine import Accepted, allowed, run
from crossfelt.table.state import TableState, step_of

MOST_STEPS: Final = 80


class Situation(NamedTuple):
    """A table, and the commands that report an irregularity at it."""

    table: TableState
    commands: tuple[Command, ...]
    fields: Mapping[str, Any]


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
    """The rulings among which the floor decides, in words."""
    device: tuple[str, ...] = ()
    """Ways to put a device out of use."""

    def words(self) -> str:
        """Describe the consequence in a sentence.

        >>> Consequence(void=True, returned=True, deck="removed").words()
        'The round is void and every wager is returned; the deck is removed from the table'
        >>> Consequence(void=True, returned=True, settled="stands").words()
        'The round is void and every open wager is returned; wagers already settled stand'
        """
        return capital("; ".join(self._parts()) or "the round continues")

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
            yield "the floor decides whether " + " or ".join(self.rulings)
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
    """Describe an irregularity in one sentence."""
    return TITLES.get(f"{kind}.{case}") or irregularity_title(kind, case)


_SETTLED: Final = {"undone": "wagers already settled are undone", "stands": "wagers already settled stand"}
_CARD: Final = {
    "out": "the card is discarded, and the round continues",
    "next": "the card is used as the next card, and the round continues",
}
_DECK: Final = {"shuffled": "the cards are reshuffled", "removed": "the deck is removed from the table"}
_DEVICE: Final = {"covered": "covered", "signed": "marked with a sign", "removed": "removed"}


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
    marks = (option.fields for option in allowed(table, "dealer", "dealer") if option.command == "mark_device")
    ways = {fields["how"] for fields in marks if fields["device"] in broken}
    stands = any(isinstance(event, e.RoundVoided) and event.keeps_settled for event in reported)
    return Consequence(
        void=void,
        returned=_any(reported, e.WagersReturned),
        forfeited=_any(reported, e.WagersForfeited),
        settled="undone" if _any(reported, e.SettlementReversed) else "stands" if stands else "",
        card="" if void else _card(before, reported, happened),
        deck=_deck(happened, at_rest=void or (between_rounds(before) and not broken)),
        rulings=tuple(ruling_words(ruling, table.game) for ruling in pending),
        device=tuple(how for how in OUT_OF_USE if how in ways),
    )


def ruled_void(table: TableState, at: int) -> Consequence:
    """Return the consequence if the floor rules now that the round is void."""
    ruling = DecideFloor(id="tried", who="floor", role="floor", at=at, ruling="void")
    return consequence_of(Situation(table, (ruling,), {}))


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
