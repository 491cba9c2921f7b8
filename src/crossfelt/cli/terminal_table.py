"""A table in the terminal: events as lines, and a prompt for whoever has to say something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from crossfelt.cards.card import dec_hook
from crossfelt.cards.notation import format_cards
from crossfelt.cli import felt
from crossfelt.cli.returns_text import wheel_lines
from crossfelt.cli.terminal import Terminal
from crossfelt.cli.typing_help import help_lines
from crossfelt.money import dollars
from crossfelt.money.ledger import chips_of
from crossfelt.problems import Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, OfferBank, OpenBets, Step
from crossfelt.table import events as e
from crossfelt.table import typed
from crossfelt.table.acts_betting import opening_wagers
from crossfelt.table.acts_deciding import choice_clauses, on_timeout, timeout_clauses
from crossfelt.table.engine import Refused
from crossfelt.table.moves import Move
from crossfelt.table.results import result_of
from crossfelt.table.session import Happened, Session
from crossfelt.table.sight import THE_BANK, sight_of
from crossfelt.table.state import Seat, step_of
from crossfelt.table.telling import HANDLING, Handling, tell, tell_together
from crossfelt.table.telling_awards import meter_title
from crossfelt.table.telling_words import amounts_words, signed
from crossfelt.table.views import Viewer, project, view

SHORT_LOG: Final = 20
FOUL: Final = "set.foul"
"""Refused once; who insists may set it."""


class TerminalTable:
    """Shows a session to the people at one keyboard, and asks them.

    With one player the lines tell what that player may see; with several they tell what everybody may see, and each
    sees the own cards when it is the own turn.
    """

    def __init__(self, session: Session, terminal: Terminal, *, clauses: bool = False) -> None:
        self._session = session
        self._terminal = terminal
        self._clauses = clauses
        self._log: list[e.Event] = []
        """What has happened, as the people here may see it."""
        self._round_began = 0
        self._handled: list[Handling] = []
        self._bought: dict[int, int] = {}
        self._left: dict[int, int] = {}
        """Cents each seat bought chips for, and left with."""
        self._last: dict[int, dict[str, int]] = {}
        """The wagers of each seat in its last round."""
        self._heard: set[int] = set()
        """Who has bet in this round, or passed."""
        self._asked: tuple[int, str, int] | None = None
        self._leaving = False
        self._rounds = 0

    def run(self) -> None:
        """From the first shuffle until everybody has left."""
        people = self._session.people
        going_on = True
        while going_on:
            self.tell(self._session.go_on())
            going_on = bool(self._session.waits_for) and self._turn()
        self.tell(self._session.close())
        for seat in people:
            rounds = "1 round" if self._rounds == 1 else f"{self._rounds} rounds"
            self._terminal.say(f"Seat {seat}: {rounds}, {signed(self._left[seat] - self._bought[seat])}")

    # --- telling ------------------------------------------------------------------------------------------------------

    def tell(self, happenings: Iterable[Happened]) -> None:
        """What happened, one line for each event; the handling of decks is told together."""
        for happened in happenings:
            for event in happened.events:
                self._tell_event(self._seen(event, happened))
        self._tell_handled()

    def _seen(self, event: e.Event, happened: Happened) -> e.Event:
        """The event as the people at this keyboard may see it."""
        people = self._session.people
        alone = Viewer("player", happened.after.seat(people[0]).player) if len(people) == 1 else Viewer("spectator")
        return msgspec.convert(project(event, alone, happened.before), type(event), dec_hook=dec_hook)

    def _tell_event(self, event: e.Event) -> None:
        self._log.append(event)
        self._note(event)
        if isinstance(event, HANDLING):
            self._handled.append(event)
            return
        line = tell(event, self._session.table.game)
        if not line:
            return
        self._tell_handled()
        opens = isinstance(event, e.RoundOpened)
        if opens:
            self._terminal.say()
        net = self._nets() if isinstance(event, e.RoundClosed) else ""
        cited = felt.cited(event) if isinstance(event, e.IrregularityReported) else self._cited(event)
        self._terminal.say(line + net + cited, style="bold" if opens else "")
        if opens:
            self._show_meters()

    def _show_meters(self) -> None:
        """What the jackpots stand at, as their signs show it."""
        for meter, cents in self._session.meters.amounts.items():
            self._terminal.say(f"{meter_title(meter, self._session.table.game)}: {dollars(cents)}")

    def _tell_handled(self) -> None:
        for deck in dict.fromkeys(event.deck for event in self._handled):
            events = [event for event in self._handled if event.deck == deck]
            self._terminal.say(tell_together(events) + self._cited(*events))
        self._handled.clear()

    def _cited(self, *events: e.Event) -> str:
        return felt.cited(*events) if self._clauses else ""

    def _note(self, event: e.Event) -> None:
        match event:
            case e.SeatTaken():
                self._bought[event.seat] = event.chips_cents
            case e.ChipsBought():
                self._bought[event.seat] += event.cents
            case e.SeatLeft():
                self._left[event.seat] = event.chips_cents
            case e.RoundOpened():
                self._round_began = len(self._log) - 1
                self._heard.clear()
            case e.RoundClosed():
                self._rounds += 1

    def _nets(self) -> str:
        result = result_of(self._session.table.game, self._log[self._round_began :])
        nets = [f"seat {seat} {signed(told.net)}" for seat, told in result.seats.items()]
        return ": " + ", ".join(nets)

    # --- asking -------------------------------------------------------------------------------------------------------

    def _turn(self) -> bool:
        """One line from somebody; False when the evening is over."""
        seat = self._whose_turn()
        self._show_standing(seat)
        chips = dollars(self._session.table.balances.get(chips_of(seat), 0))
        line = self._terminal.ask(f"Seat {seat}, {chips} › ")
        if line is None:
            self._terminal.say("No more input: the table closes.")
            return False
        return self._obey(line, seat)

    def _whose_turn(self) -> int:
        """The one in turn; before the cards whoever has not spoken yet, and then one who has bet."""
        waits_for = self._session.waits_for
        silent = [seat for seat in waits_for if seat not in self._heard]
        table = self._session.table
        bettors = [seat for seat in waits_for if table.plays(table.seat(seat))]
        return next(iter(silent or bettors or waits_for))

    def _show_standing(self, seat: int) -> None:
        """What the player has and may do, once for each question that the table asks."""
        table = self._session.table
        question = (table.round, f"{table.step} {bool(table.seat(seat).wagers)} {table.banks(seat)}", seat)
        if question == self._asked:
            return
        self._asked = question
        sight = sight_of(table, seat)
        if sight.asked == THE_BANK:
            self._terminal.say(f"The bank is offered to seat {seat}: it would play against everybody.", indent=2)
        elif sight.asked:
            seen = view(table, Viewer("player", table.seat(seat).player))
            self._terminal.say(felt.standing(seen, seen.seats[seat - 1], table.game), indent=2)
        self._terminal.say(typed.in_words(sight, self._last.get(seat, {})), style="dim", indent=2)

    def _obey(self, line: str, seat: int) -> bool:
        """Does what was typed; False when the evening is over."""
        leaving, self._leaving = self._leaving, False
        meant = typed.read(line, sight_of(self._session.table, seat), self._last.get(seat, {}))
        match meant:
            case Problem():
                self._terminal.say(str(meant))
            case Move():
                self._move(meant, seat)
            case typed.Ask(what="deal"):
                self._deal(seat, in_words=bool(line.strip()))
            case typed.Ask(what="pass"):
                self._pass(seat)
            case typed.Ask(what="quit"):
                return not self._quit(leaving)
            case _:
                self._answer(meant, seat)
        return True

    def _move(self, move: Move, seat: int) -> None:
        answer = self._session.ask(move, self._session.table.seat(seat).player)
        if isinstance(answer, Refused):
            self._terminal.say(str(answer.problem))
            if answer.problem.code == FOUL:
                self._terminal.say(f"To set it all the same: set {format_cards(move.fields['low'])} anyway", indent=2)
            return
        if move.name == "place_wagers":
            (self._heard.add if move.fields["wagers"] else self._heard.discard)(seat)
        self.tell([answer])

    def _deal(self, seat: int, *, in_words: bool) -> None:
        """No more bets. Enter alone, without a wager, is more likely a slip than a wish to look on."""
        if not in_words and not self._session.table.plays(self._session.table.seat(seat)):
            self._nothing_bet("You have not bet", seat)
            return
        for other in self._session.people:
            if wagers := self._session.table.seat(other).wagers:
                self._last[other] = dict(wagers)
        answer = self._session.lock()
        if isinstance(answer, Refused):
            self._heard.discard(seat)
            self._nothing_bet("Nobody has bet", seat)
            return
        self.tell([answer])

    def _nothing_bet(self, what: str, seat: int) -> None:
        sight = sight_of(self._session.table, seat)
        self._terminal.say(f"{what}: {typed.in_words(sight, self._last.get(seat, {}))}")

    def _pass(self, seat: int) -> None:
        self._heard.add(seat)
        people = self._session.people
        if self._heard.issuperset(people) and not any(self._session.table.seat(other).wagers for other in people):
            self._deal(seat, in_words=True)

    def _quit(self, leaving: bool) -> bool:
        """Between rounds at once; in a round only when it was said again, knowing what it costs."""
        table = self._session.table
        step = step_of(table)
        if leaving or step is None or isinstance(step, OfferBank | OpenBets):
            return True
        self._leaving = True
        playing = [table.seat(seat) for seat in self._session.people if table.seat(seat).status == "in"]
        for seat in playing:
            self._terminal.say(self._cost_of_leaving(seat, step))
        self._terminal.say("Type quit once more to leave all the same.")
        return False

    def _cost_of_leaving(self, seat: Seat, step: Step) -> str:
        game, rules = self._session.table.game, list(timeout_clauses(self._session.table))
        if not isinstance(step, Decide):
            told = "its hand is set the house way"
        elif game.choices["play.on_timeout"] == "smallest_bet":
            told = "the smallest bets are made for it"
        else:
            told = f"it {self._shown_for_want_of_an_answer(seat)}{_cost_of_folding(seat, step, game)}"
            rules += choice_clauses(game, "play.on_timeout")
        cited = ", ".join(dict.fromkeys(rules)) or "house rule"
        return f"Seat {seat.number} leaves in the middle of a round: {told}  [{cited}]"

    def _shown_for_want_of_an_answer(self, seat: Seat) -> str:
        table = self._session.table
        told = {"expose": "shows its hand, ", "decline": "does not show its hand, "}
        return told.get(on_timeout(table), "") if seat.number in table.turn else ""

    # --- answering ----------------------------------------------------------------------------------------------------

    def _answer(self, asked: typed.Ask, seat: int) -> None:
        table = self._session.table
        seen = view(table, Viewer("player", table.seat(seat).player))
        match asked.what:
            case "cards":
                shown = [other.number for other in seen.seats if other.number == seat or other.shown]
                self._terminal.show(felt.cards_lines(seen, shown))
            case "ask":
                first, *reasons = felt.house_way_lines(seen.seats[seat - 1], table.game)
                self._terminal.say(first)
                for reason in reasons:
                    self._terminal.say(reason, indent=2)
            case "pays":
                self._terminal.show(felt.pays_lines(table.game, self._wagers_here()))
                for mark in felt.pay_marks(table.game, self._wagers_here()):
                    self._terminal.say(mark)
                for wager in self._wagers_here():
                    self._terminal.show(wheel_lines(table.game, wager))
            case "balance":
                cover = table.bank.cover if table.bank is not None and table.banks(seat) else 0
                self._terminal.say(felt.balance_line(seen.seats[seat - 1], self._bought[seat], table.game, cover))
            case "log":
                self._show_log(asked.number)
            case "why":
                self._show_clauses(asked.number or 1)
            case _:
                self._terminal.show(f"  {line}" for line in help_lines(table))
                self._asked = None

    def _wagers_here(self) -> list[str]:
        """Every wager this table takes: those one must place, those of the round, and then the others."""
        table = self._session.table
        opening = opening_wagers(table)
        later = [step.wager for step in table.game.book.script if isinstance(step, Decide)]
        required, others = ([wager.id for wager in opening if wager.required is want] for want in (True, False))
        return list(dict.fromkeys([*required, *later, *others]))

    def _told(self) -> list[e.Event]:
        """Everything that was told, latest first."""
        return [event for event in reversed(self._log) if tell(event, self._session.table.game)]

    def _show_log(self, number: int | None) -> None:
        latest = list(enumerate(self._told()[: number or SHORT_LOG], start=1))
        for place, event in reversed(latest):
            line = f"{place:>3}  {tell(event, self._session.table.game)}{felt.cited(event)}"
            self._terminal.say(line, indent=2, hanging=7)

    def _show_clauses(self, number: int) -> None:
        told = self._told()
        if number > len(told):
            self._terminal.say(f"why: nothing so long ago: {number} (allowed: 1 to {len(told)})")
            return
        event, game = told[number - 1], self._session.table.game
        self._terminal.say(tell(event, game))
        for line in felt.clause_lines(event, game) or ("It rests on no clause.",):
            self._terminal.say(line, indent=2)


def _cost_of_folding(seat: Seat, step: Decide, game: Game) -> str:
    """What a seat gives up at the next decision at which it can fold, this one or a later one."""
    place, _ = game.steps[step.id]
    to_come = game.book.script[place:]
    fold = next(later for later in to_come if isinstance(later, Decide) and "fold" in later.options)
    lost = {wager: cents for wager, cents in seat.wagers.items() if wager in fold.fold_forfeits}
    kept = {wager: cents for wager, cents in seat.wagers.items() if wager in fold.fold_keeps}
    keeps = f"; {amounts_words(kept, game)} stays in play" if kept else ""
    return f"folds and forfeits {amounts_words(lost, game)}{keeps}"
