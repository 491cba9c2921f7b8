"""A table in the terminal: events as lines, a prompt for the player in turn, and the `help` text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from crossfelt.cards.card import dec_hook
from crossfelt.cards.notation import format_cards
from crossfelt.cli.render import felt
from crossfelt.cli.render.advice import Coach
from crossfelt.cli.terminal import Terminal
from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.money.ledger import chips_of
from crossfelt.play import command_parser
from crossfelt.play.careful_player import multiples
from crossfelt.play.deck_narration import HANDLING, Handling, narrate_together
from crossfelt.play.narration import narrate
from crossfelt.play.player_view import BANK, player_view_of
from crossfelt.play.posted_notice import limit_texts, posted_notice, spin_lines
from crossfelt.play.round_result import result_of
from crossfelt.play.session import AppliedCommand, TableSession
from crossfelt.play.text import amounts_words, short_name, signed, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, OfferBank, OpenBets, SetHands, Step
from crossfelt.table import events as e
from crossfelt.table.act import Move
from crossfelt.table.acts.decisions import choice_rule, on_timeout, timeout_rule
from crossfelt.table.engine import Refused
from crossfelt.table.state import Seat, TableState, step_of
from crossfelt.table.views import Viewer, project, view

WIDTH = 22


def typing_help_lines(table: TableState) -> Sequence[str]:
    """List the input that this game accepts, for `help`.

    >>> typing_help_lines(new_table(compile_game("md-criss-cross")))[1]
    'ante 10 bonus 5       with an optional wager; bonus 0 removes it'
    """
    return [f"{typed:<{WIDTH}}{does}" for typed, does in (*_wagers(table), *_decisions(table), *_ALWAYS)]


_ALWAYS = (
    ("coach", "coach on or off: values before a choice, a verdict after"),
    ("cards, pays", "show your cards; show the pay tables"),
    ("balance", "show chips, wagers and net"),
    ("why, why 7", "the proof of the last line, or of line 7 of the log"),
    ("log, log 40", "show the last lines, numbered for why"),
    ("buy 100, leave", "buy chips; leave the seat between rounds"),
    ("quit", "leave and close the table"),
)


def _wagers(table: TableState) -> Iterator[tuple[str, str]]:
    wagers = table.game.opening_wagers.values()
    names = {wager.id: wager.group or short_name(wager.id, [other.id for other in wagers]) for wager in wagers}
    required = [names[wager.id] for wager in wagers if wager.required]
    first = next(iter(required or names.values()))
    others = sorted((w for w in wagers if not w.required), key=lambda w: w.unit == "credits")
    optional = [names[wager.id] for wager in others if names[wager.id] != first]
    each = "place the {0}s, this amount on each" if len(required) > 1 else "place the {0} wager"
    yield f"{first} 10", each.format(first)
    if optional:
        yield f"{first} 10 {optional[0]} 5", f"with an optional wager; {optional[0]} 0 removes it"
    in_credits = [names[wager.id] for wager in wagers if wager.unit == "credits"]
    if in_credits:
        typed = " ".join(f"{name} {number}" for number, name in enumerate(in_credits, start=1))
        yield typed, "bet credits on your hand, the dealer's hand, or both"
    yield "rebet, clear", "repeat your last wagers; remove your wagers"
    yield "deal, or Enter", "close the betting and deal"
    yield "pass", "sit this round out"


def _decisions(table: TableState) -> Iterator[tuple[str, str]]:
    game, script = table.game, table.game.book.script
    steps = [step for step in script if isinstance(step, Decide)]
    options = {option for step in steps for option in game.options(step)}
    for step in [step for step in steps if "bet" in game.options(step)][:1]:
        most, base = max(multiples(game, step)), game.wager(step.wager).stake.of
        yield f"bet {most}, {most}x, {most}", f"bet {f'{most} times' if most > 1 else 'as much as'} the {base}"
        if not (step.bet and step.bet.times) and not game.wager(step.wager).stake.times:
            yield "bet $25", "bet an amount"
    if "check" in options:
        yield "check", "stay in without a bet"
    if "withdraw" in options:
        yield "withdraw", "take the wager of this decision back"
    if "expose" in options:
        yield "expose, decline", "show your hand for its wager, or decline"
    for step in steps:
        if step.bet is not None and step.bet.choose is not None:
            hands = [option for option in game.options(step) if option not in ("fold", "check")]
            yield ", ".join(hands).replace("_", " "), f"play this hand, and place the {title_of(step.wager, game)}"
    if any(isinstance(step, OfferBank) for step in script):
        yield "bank, co-bank, pass", "take the bank, alone or with the house; decline it"
        yield "give back", "return the bank before the deal"
    if any(isinstance(step, SetHands) for step in script):
        yield "set Kd Qs, set kk", "put these two in front, by card or by rank"
        yield "ask, house way", "show the house way for your cards; set them by it"
        yield "surrender", "surrender the hand under the rules"
    if "fold" in options:
        yield "fold", "fold the hand and lose the wagers that the rules name"


SHORT_LOG: Final = 20
FOUL: Final = "set.foul"
"""Code of a foul setting: refused once, accepted when the player insists."""


class TerminalTable:
    """Show a session to the players at one keyboard, and read their input.

    One player sees the lines of that seat. Several players see the public lines; each sees the own cards in turn.
    """

    def __init__(
        self, session: TableSession, terminal: Terminal, *, clauses: bool = False, coach: bool = False
    ) -> None:
        self._session = session
        self._terminal = terminal
        self._clauses = clauses
        self._coach = Coach(on=coach)
        self._log: list[e.Event] = []
        """Events as the players here may see them."""
        self._round_began = 0
        self._handled: list[Handling] = []
        self._bought: dict[int, int] = {}
        self._left: dict[int, int] = {}
        """Cents each seat bought chips for, and left with."""
        self._last: dict[int, dict[str, int]] = {}
        """The wagers of each seat in its last round."""
        self._answered: set[int] = set()
        """Seats that have bet in this round, or passed."""
        self._asked: tuple[int, str, int] | None = None
        self._leaving = False
        self._rounds = 0

    def run(self) -> None:
        """Run the table from the first shuffle until it closes."""
        people = self._session.people
        running = True
        while running:
            self.show(self._session.advance())
            running = bool(self._session.waits_for) and self._turn()
        self.show(self._session.close())
        for seat in people:
            rounds = "1 round" if self._rounds == 1 else f"{self._rounds} rounds"
            self._terminal.say(f"Seat {seat}: {rounds}, {signed(self._left[seat] - self._bought[seat])}")

    def show(self, happenings: Iterable[AppliedCommand]) -> None:
        """Print one line for each event; the handling of a deck is one line."""
        people = self._session.people
        for happened in happenings:
            alone = Viewer("player", happened.after.seat(people[0]).player) if len(people) == 1 else Viewer("spectator")
            for event in happened.events:
                seen = msgspec.convert(project(event, alone, happened.before), type(event), dec_hook=dec_hook)
                self._show_event(seen)
        self._show_handling()

    def _show_event(self, event: e.Event) -> None:
        self._log.append(event)
        self._note(event)
        if isinstance(event, HANDLING):
            self._handled.append(event)
            return
        line = narrate(event, self._session.table.game)
        if not line:
            return
        self._show_handling()
        opens = isinstance(event, e.RoundOpened)
        if opens:
            self._terminal.say()
        net = ""
        if isinstance(event, e.RoundClosed):
            result = result_of(self._session.table.game, self._log[self._round_began :])
            net = ": " + ", ".join(f"seat {seat} {signed(of_seat.net)}" for seat, of_seat in result.seats.items())
        cited = felt.cited(event) if isinstance(event, e.IrregularityReported) else self._cited(event)
        self._terminal.say(line + net + cited, style="bold" if opens else "")
        if opens:
            for meter, cents in self._session.meters.amounts.items():
                self._terminal.say(f"{self._session.table.game.meter(meter).title}: {dollars(cents)}")

    def _show_handling(self) -> None:
        for deck in dict.fromkeys(event.deck for event in self._handled):
            events = [event for event in self._handled if event.deck == deck]
            self._terminal.say(narrate_together(events) + self._cited(*events))
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
                self._answered.clear()
            case e.RoundClosed():
                self._rounds += 1

    def _turn(self) -> bool:
        """Read one line from the player in turn; return False when the table closes."""
        waits_for = self._session.waits_for
        silent = [seat for seat in waits_for if seat not in self._answered]
        table = self._session.table
        bettors = [seat for seat in waits_for if table.plays(table.seat(seat))]
        seat = next(iter(silent or bettors or waits_for))
        self._show_standing(seat)
        chips = dollars(self._session.table.balances.get(chips_of(seat), 0))
        line = self._terminal.ask(f"Seat {seat}, {chips} › ")
        if line is None:
            self._terminal.say("End of input: the table closes.")
            return False
        return self._obey(line, seat)

    def _show_standing(self, seat: int) -> None:
        """Print the cards and options of a player, once for each decision."""
        table = self._session.table
        question = (table.round, f"{table.step} {bool(table.seat(seat).wagers)} {table.banks(seat)}", seat)
        if question == self._asked:
            return
        self._asked = question
        sight = player_view_of(table, seat)
        if sight.asked == BANK:
            self._terminal.say(f"Seat {seat} may take the bank and play against all other players.", indent=2)
        elif sight.asked:
            seen = view(table, Viewer("player", table.seat(seat).player))
            self._terminal.say(felt.standing(seen, seen.seats[seat - 1], table.game), indent=2)
            if not self._session.table.banks(sight.seat):
                for line in self._coach.before(sight):
                    self._terminal.say(line, indent=2)
        self._terminal.say(command_parser.in_words(sight, self._last.get(seat, {})), style="dim", indent=2)

    def _obey(self, line: str, seat: int) -> bool:
        """Carry out a typed line; return False when the table closes."""
        leaving, self._leaving = self._leaving, False
        meant = command_parser.parse_command(line, player_view_of(self._session.table, seat), self._last.get(seat, {}))
        match meant:
            case Problem():
                self._terminal.say(str(meant))
            case Move():
                self._move(meant, seat)
            case command_parser.TypedQuestion(what="deal"):
                self._deal(seat, in_words=bool(line.strip()))
            case command_parser.TypedQuestion(what="pass"):
                self._pass(seat)
            case command_parser.TypedQuestion(what="quit"):
                return not self._quit(leaving)
            case _:
                self._answer(meant, seat)
        return True

    def _move(self, move: Move, seat: int) -> None:
        sight = player_view_of(self._session.table, seat)
        answer = self._session.ask(move, self._session.table.seat(seat).player)
        if isinstance(answer, Refused):
            self._terminal.say(str(answer.problem))
            if answer.problem.code == FOUL:
                self._terminal.say(f"To set it anyway, type: set {format_cards(move.fields['low'])} anyway", indent=2)
            return
        if move.name == "place_wagers":
            (self._answered.add if move.fields["wagers"] else self._answered.discard)(seat)
        elif not self._session.table.banks(seat) and (verdict := self._coach.after(sight, move)):
            self._terminal.say(verdict, style="bold")
        self.show([answer])

    def _deal(self, seat: int, *, in_words: bool) -> None:
        """Close the betting. Enter alone, without a wager, is taken for a slip and refused."""
        if not in_words and not self._session.table.plays(self._session.table.seat(seat)):
            self._nothing_bet("You have not bet", seat)
            return
        for other in self._session.people:
            if wagers := self._session.table.seat(other).wagers:
                self._last[other] = dict(wagers)
        answer = self._session.lock()
        if isinstance(answer, Refused):
            self._answered.discard(seat)
            self._nothing_bet("No seat has bet", seat)
            return
        self.show([answer])

    def _nothing_bet(self, what: str, seat: int) -> None:
        sight = player_view_of(self._session.table, seat)
        self._terminal.say(f"{what}: {command_parser.in_words(sight, self._last.get(seat, {}))}")

    def _pass(self, seat: int) -> None:
        self._answered.add(seat)
        people = self._session.people
        if self._answered.issuperset(people) and not any(self._session.table.seat(other).wagers for other in people):
            self._deal(seat, in_words=True)

    def _quit(self, leaving: bool) -> bool:
        """Quit at once between rounds; during a round print the cost and ask again."""
        table = self._session.table
        step = step_of(table)
        if leaving or step is None or isinstance(step, OfferBank | OpenBets):
            return True
        self._leaving = True
        playing = [table.seat(seat) for seat in self._session.people if table.seat(seat).status == "in"]
        for seat in playing:
            self._terminal.say(self._cost_of_leaving(seat, step))
        self._terminal.say("Type quit again to leave anyway.")
        return False

    def _cost_of_leaving(self, seat: Seat, step: Step) -> str:
        game, rules = self._session.table.game, list(timeout_rule(self._session.table).clauses)
        if not isinstance(step, Decide):
            effect = "its hand is set the house way"
        elif (way := step.silent or game.choices["play.on_timeout"]) in ("bet", "smallest_bet"):
            effect = "the smallest bets are made for it"
        elif way == "withdraw":
            effect = f"its {title_of(step.wager, game)} is taken back"
        elif way == "check" or (way == "check_or_fold" and "check" in game.options(step)):
            effect = "it checks, and folds where it cannot check"
        else:
            shown = {"expose": "shows its hand, ", "decline": "does not show its hand, "}
            table = self._session.table
            first = shown.get(on_timeout(table), "") if seat.number in table.turn else ""
            effect = f"it {first}{_cost_of_folding(seat, step, game)}"
            rules += choice_rule(game, "play.on_timeout").clauses
        cited = ", ".join(dict.fromkeys(rules)) or "house rule"
        return f"If seat {seat.number} leaves during the round, {effect}  [{cited}]"

    def _answer(self, asked: command_parser.TypedQuestion, seat: int) -> None:
        table = self._session.table
        seen = view(table, Viewer("player", table.seat(seat).player))
        match asked.what:
            case "cards":
                shown = [other.number for other in seen.seats if other.number == seat or other.shown]
                self._terminal.show(felt.cards_lines(seen, shown, table.game))
            case "ask":
                first, *reasons = felt.house_way_lines(seen.seats[seat - 1], table.game)
                self._terminal.say(first)
                for reason in reasons:
                    self._terminal.say(reason, indent=2)
            case "coach":
                self._coach.on = not self._coach.on
                self._terminal.say(f"The coach is {'on' if self._coach.on else 'off'}.")
                self._asked = None
            case "pays":
                self._show_pays(table.game)
            case "balance":
                cover = table.bank.cover if table.bank is not None and table.banks(seat) else 0
                self._terminal.say(felt.balance_line(seen.seats[seat - 1], self._bought[seat], table.game, cover))
            case "log":
                self._show_log(asked.number)
            case "why":
                self._show_proof(asked.number or 1)
            case _:
                self._terminal.show(f"  {line}" for line in typing_help_lines(table))
                self._asked = None

    def _show_pays(self, game: Game) -> None:
        """Print the posted notice, with the pay tables side by side."""
        notice = posted_notice(game)
        self._terminal.show(felt.pays_lines(game, self._wagers_here()))
        for text in (*map(str, notice.odds), *(f"{pays.title}: {pays.mark}" for pays in notice.pays if pays.mark)):
            self._terminal.say(text)
        for line in spin_lines(notice):
            self._terminal.say(line, hanging=4)
        for text in (*map(str, notice.awards), *limit_texts(notice)):
            self._terminal.say(text)

    def _wagers_here(self) -> list[str]:
        """List every wager of the table: required ones, those during the round, then optional ones."""
        table = self._session.table
        opening = table.game.opening_wagers.values()
        later = [step.wager for step in table.game.book.script if isinstance(step, Decide)]
        required, others = ([wager.id for wager in opening if wager.required is want] for want in (True, False))
        return list(dict.fromkeys([*required, *later, *others]))

    def _narrated(self) -> list[e.Event]:
        """List the narrated events, latest first."""
        return [event for event in reversed(self._log) if narrate(event, self._session.table.game)]

    def _show_log(self, number: int | None) -> None:
        latest = list(enumerate(self._narrated()[: number or SHORT_LOG], start=1))
        for place, event in reversed(latest):
            line = f"{place:>3}  {narrate(event, self._session.table.game)}{felt.cited(event)}"
            self._terminal.say(line, indent=2, hanging=7)

    def _show_proof(self, number: int) -> None:
        narrated = self._narrated()
        if number > len(narrated):
            self._terminal.say(f"why: the log has no line {number} (allowed: 1 to {len(narrated)})")
            return
        event, game = narrated[number - 1], self._session.table.game
        place = next(place for place, one in enumerate(self._log) if one is event)
        steps = [one.step for one in self._log[:place] if isinstance(one, e.StepEntered)]
        self._terminal.say(narrate(event, game))
        for line in felt.proof_lines(event, game, steps[-1] if steps else "") or ("No clause applies to this line.",):
            self._terminal.say(line, indent=2)


def _cost_of_folding(seat: Seat, step: Decide, game: Game) -> str:
    """Describe what a seat loses at the next decision with a fold."""
    place, _ = game.steps[step.id]
    to_come = game.book.script[place:]
    fold = next(later for later in to_come if isinstance(later, Decide) and later.fold is not None)
    lost = {wager: cents for wager, cents in seat.wagers.items() if wager in game.fold_forfeits(fold)}
    kept = {wager: cents for wager, cents in seat.wagers.items() if wager in game.fold_keeps(fold)}
    keeps = f"; {amounts_words(kept, game)} stays in play" if kept else ""
    return f"folds and forfeits {amounts_words(lost, game)}{keeps}"
