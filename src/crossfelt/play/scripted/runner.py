"""Scripted rounds: read, checked and played on the real table, with every automation.

The script names cards, wagers, decisions and irregularities; a seed draws every other card. Players have enough chips,
and the tray never runs dry. A decision that the round asks for must be in the script; others (after a fold, or in a
void round) are ignored. An irregularity happens when the round reaches its step, and its table is followed until the
cards are ready for the next round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.play.meters import Meters
from crossfelt.play.round_result import RoundResult, check_ledger, result_of
from crossfelt.play.scripted.checks import NO_ANSWER, open_meters, problems_in, stakes_of, stops_of, written_name
from crossfelt.play.scripted.file import IrregularityScript, Script, SeatScript, decided, options_in_words
from crossfelt.play.sources import PhysicalSource, ScriptedSource, ShuffledSource, deal_of
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.script import Decide, SetHands, Shuffle
from crossfelt.rulebooks.struct_decoder import decode
from crossfelt.table import commands as c
from crossfelt.table.act import named_where
from crossfelt.table.acts.clock import awaited, time_is_up
from crossfelt.table.acts.dealing import MISDEALT, misdeals
from crossfelt.table.acts.floor import rulings
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import Refused, run
from crossfelt.table.events import Event
from crossfelt.table.state import TableState, new_table, step_of

MOST_KEPT: Final = 256
"""Games, and prepared tables, that are remembered."""


class PlayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that was played."""

    table: TableState
    events: tuple[Event, ...]
    """Everything since the table opened."""
    result: RoundResult


def read_script(data: Any, *, where: str) -> Script:
    """Decode a scripted round from plain data; raise BadInput with every problem of its shape.

    >>> read_script({"rulebok": "md-criss-cross", "seats": [{"seat": "1", "wagers": {}}]}, where="round.toml")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: round.toml: rulebook: missing
    round.toml: seats[0].seat: not a whole number: '1'
    round.toml: rulebok: unknown key; did you mean rulebook? (allowed: ...
    """
    try:
        return msgspec.convert(data, Script, strict=True)
    except msgspec.ValidationError:
        return decode(Script, data, where=where)


class ScriptRunner:
    """Plays scripted rounds; games and tables that many rounds share are made once.

    >>> seat = {"seat": 1, "wagers": {"ante": 1000}, "decisions": {"across": "fold"}}
    >>> played = ScriptRunner().play({"rulebook": "md-criss-cross", "seats": [seat]}, where="here")
    >>> played.result.house_net, played.result.seats["1"].wagers["ante_down"].result
    (2000, 'forfeit')
    """

    def __init__(self, folder: Path = Path(), *, game: Game | None = None) -> None:
        """Prepare a runner; `folder` holds the rulebooks that rounds name by file.

        With `game` every round is one of that game, whatever rulebook it names.
        """
        self._folder = folder
        self._given = game
        self._games: dict[tuple[str, bytes], Game] = {}

    def play(self, data: Any, *, where: str, meters: Meters | None = None) -> PlayedRound:
        """Play a round given as plain data; raise BadInput with every problem found.

        With `meters` the round starts from those, whatever amounts it names.
        """
        script = read_script(data, where=where)
        game = self._game(script, where)
        source = self._source(script, game, where)
        given = meters or open_meters(game, script.meters, f"{where}: meters")
        return _Play(script, game, self._open(script, game, where), source, given, where).run()

    def play_lines(self, lines: Iterable[str | bytes], *, where: str) -> Iterator[PlayedRound | BadInput]:
        """Play one round of JSON a line, without empty lines. A bad line yields its problems, and the next follows."""
        for number, line in enumerate(lines, start=1):
            if line.strip():
                at, text = f"{where}:{number}", line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
                try:
                    yield self.play(loader.read_text(text, "JSON", where=at), where=at)
                except BadInput as bad:
                    yield bad

    def _game(self, script: Script, where: str) -> Game:
        if self._given is not None:
            return self._given
        key = (script.rulebook, msgspec.json.encode(script.submission))
        if (game := self._games.get(key)) is None:
            book = self._rulebook(script.rulebook, where)
            game = compile_game(book, script.submission, where=f"{where}: submission")
            if len(self._games) >= MOST_KEPT:
                del self._games[next(iter(self._games))]
            self._games[key] = game
        return game

    def _rulebook(self, name: str, where: str) -> Rulebook:
        is_file = name not in loader.rulebook_ids() and name.endswith((".toml", ".json"))
        try:
            return loader.load(str(self._folder / name) if is_file else name)
        except BadInput as bad:
            in_rulebook = (replace(problem, where=problem.where or f"{where}: rulebook") for problem in bad.problems)
            raise BadInput(*in_rulebook) from None

    @staticmethod
    def _source(script: Script, game: Game, where: str) -> ScriptedSource:
        """Return the source of the script's cards; raise BadInput with every problem before the first card."""
        problems = list(problems_in(script, game, where))
        seats = {seat.seat for seat in script.seats} - _out_before_cards(script, game)
        face_up = [
            (wrong.seat, wrong.place)
            for wrong in script.irregularities
            if wrong.kind == "face_up_card"
            for _ in range(wrong.count or 1)
        ]
        try:
            seed = repeatable_seed(script.seed)
            thrown = script.chance.dice if len(script.chance.dice) == 3 else None
            source = ScriptedSource(
                game,
                script.cards,
                seats,
                seed,
                face_up=face_up,
                dice=thrown,
                number=script.chance.number,
                bank=script.bank or 0,
                stops=stops_of(script, game),
                where=f"{where}: cards",
            )
        except BadInput as bad:
            problems += bad.problems
        require_none(problems)
        return source

    @staticmethod
    def _open(script: Script, game: Game, where: str) -> TableDriver:
        seats = tuple(seat.seat for seat in script.seats)
        if script.bank is None:
            return prepare_table(game, seats)
        banker = next(seat for seat in script.seats if seat.seat == script.bank)
        main = banker.wagers.get(game.banked_wager, game.limits(game.banked_wager).min)
        try:
            return prepare_table(game, seats, script.bank, main)
        except BadInput as bad:
            at = f"{where}: seat {script.bank}: wagers.{game.banked_wager}"
            raise BadInput(replace(bad.problems[0], where=at)) from None


def _out_before_cards(script: Script, game: Game) -> set[int]:
    """Return the seats that lose their wagers while the cards are dealt, and get no cards."""
    known = game.book.irregularities
    forfeits = {kind for kind in known for outcome in known[kind].values() if "forfeit_all" in outcome.then}
    return {
        wrong.seat
        for wrong in script.irregularities
        if wrong.seat is not None and wrong.step == deal_of(game).id
        if wrong.ruling == "abandon" or wrong.kind in forfeits
    }


class TableDriver:
    """Gives commands to a table and keeps what happens."""

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.events: list[Event] = []
        self.at = 0
        """The time. Only a timeout advances it."""
        self._given = 0

    def give(
        self, command: type[Command], /, *, who: str = "dealer", role: Role = "dealer", **fields: Any
    ) -> Problem | None:
        """Give a command; return the problem if the table refuses it."""
        self._given += 1
        return self._run(command(id=f"script-{self._given}", who=who, role=role, at=self.at, **fields))

    def give_for(self, seat: int, command: type[Command], /, **fields: Any) -> Problem | None:
        """Give a command of the player in a seat."""
        return self.give(command, who=f"player {seat}", role="player", seat=seat, **fields)

    def carry_out(self, command: Command) -> None:
        """Run a command of the automated dealer, which the table never refuses."""
        problem = self._run(command)
        assert problem is None, f"{command}: {problem}"

    def serve(self, dealer: Dealer) -> None:
        """Run the automated dealer until a person must act."""
        while (command := dealer.next_command(self.table, self.at)) is not None:
            self.carry_out(command)

    def _run(self, command: Command) -> Problem | None:
        answer = run(self.table, command)
        if isinstance(answer, Refused):
            return answer.problem
        self.table = answer.table
        self.events += answer.events
        return None


@lru_cache(maxsize=MOST_KEPT)
def prepare_table(game: Game, seats: tuple[int, ...], bank: int = 0, last_wager: int = 0) -> TableDriver:
    """Open a table, seat the players, and open the decks as far as no card depends on it.

    If a player banks, play a round with the house as the bank first: only a player who wagered against the house may
    bank. Raise BadInput where the banker's last wager is impossible.
    """
    hands = TableDriver(new_table(game))
    hands.give(c.OpenTable, who="floor", role="floor", inventory_cents=LARGEST_CENTS)
    for seat in seats:
        problem = hands.give_for(seat, c.TakeSeat, chips_cents=LARGEST_CENTS)
        assert problem is None, problem
    hands.serve(Dealer(PhysicalSource(), frozenset(["prepare_decks"])))
    if bank:
        problem = _house_round(hands, bank, last_wager)
        if problem is not None:
            raise BadInput(problem)
    return hands


def _house_round(hands: TableDriver, seat: int, cents: int) -> Problem | None:
    """Play the round before, which the house banks: one seat plays, and its hand is set the house way."""
    dealer = Dealer(ShuffledSource(repeatable_seed(0)))
    hands.serve(dealer)
    problem = hands.give_for(seat, c.PlaceWagers, wagers={hands.table.game.banked_wager: cents})
    if problem is not None:
        return problem
    hands.give(c.NoMoreBets)
    hands.serve(dealer)
    hands.give_for(seat, c.SetHouseWay)
    while not isinstance(step_of(hands.table), Shuffle):
        command = dealer.next_command(hands.table, hands.at)
        assert command is not None, f"no role acts at {hands.table.step}"
        hands.carry_out(command)
    return None


class _Play(TableDriver):
    """One round, played by its script."""

    def __init__(
        self, script: Script, game: Game, opened: TableDriver, source: ScriptedSource, meters: Meters, where: str
    ) -> None:
        super().__init__(opened.table)
        self._script = script
        self._game = game
        self._opened = opened
        self._where = where
        self._dealer = Dealer(source)
        self._meters = meters
        self._grants: list[dict[str, Any]] = []
        self._seats: Mapping[int, SeatScript] = {seat.seat: seat for seat in script.seats}
        self._to_come = dict(enumerate(script.irregularities))
        self._problems: list[Problem] = []

    def run(self) -> PlayedRound:
        self.serve(self._dealer)
        while self._go_wrong():
            pass
        if self._script.bank is not None:
            problem = self.give_for(self._script.bank, c.TakeBank, co_bank=self._script.co_bank)
            self._refused(problem, "co_bank" if self._script.co_bank else "bank")
            require_none(self._problems)
        self._place_wagers()
        require_none(self._problems)
        self._refused(self.give(c.NoMoreBets), self.table.step)
        require_none(self._problems)
        while not isinstance(step_of(self.table), Shuffle):
            self._advance()
        result = result_of(self._game, self.events)
        check_ledger(result, self._opened.table.balances, self.table.balances)
        self._afterwards()
        require_none(self._problems)
        for place, wrong in self._to_come.items():
            at, what = f"{self._where}: irregularities[{place}].step", "the round never reaches this step"
            self._problems.append(Problem.at(at, "irregularity.unreached", what, wrong.step))
        require_none(self._problems)
        return PlayedRound(table=self.table, events=(*self._opened.events, *self.events), result=result)

    def _refused(self, problem: Problem | None, path: str) -> bool:
        if problem is not None:
            self._problems.append(replace(problem, where=f"{self._where}: {path}"))
        return problem is not None

    def _run(self, command: c.Command) -> Problem | None:
        """Pass the new events to the meters; their answers come next."""
        before = len(self.events)
        problem = super()._run(command)
        self._grants += self._meters.receive(self.table, self.events[before:])
        return problem

    # --- the round --------------------------------------------------------------------------------------------------

    def _place_wagers(self) -> None:
        """Place the wagers of every seat but a banker's, whose main wager belongs to the round before."""
        for number, seat in self._seats.items():
            if number == self._script.bank:
                continue
            stakes = stakes_of(self._game, seat.wagers)
            problem = self.give_for(number, c.PlaceWagers, wagers=stakes)
            named = written_name(self._game, seat.wagers, problem.where) if problem else None
            self._refused(problem, f"seat {number}: wagers" + (f".{named}" if named else ""))

    def _advance(self) -> None:
        """Carry out the next act: an irregularity, the dealer's work, or a player's decision."""
        if self._go_wrong():
            return
        if self.table.halted:
            self.give(c.RecordFill, who="floor", role="floor", cents=max(LARGEST_CENTS, self.table.short_cents))
        if self._grants:
            problem = self.give(c.GrantAward, who="meter", **self._grants.pop(0))
            assert problem is None, problem
            return
        command = self._dealer.next_command(self.table, self.at)
        if command is None:
            self._decide()
        elif isinstance(command, c.SpinXtreme):
            if self._refused(self._run(command), "chance.xtreme"):
                require_none(self._problems)
        else:
            self.carry_out(command)

    def _decide(self) -> None:
        """Carry out a decision. A missing or refused one is a problem; the round continues, to find the others."""
        step = step_of(self.table)
        assert isinstance(step, Decide | SetHands), f"no role acts at {self.table.step}"
        number = self.table.turn[0]
        name, command, fields = decided(step, self._seats[number].decisions)
        problem: Problem | None
        if command is None:
            allowed = options_in_words(self._game, step)
            problem = Problem(code="decision.missing", what="missing", allowed=allowed, clauses=step.clauses)
        else:
            problem = self.give_for(number, command, **fields)
        if not self._refused(problem, f"seat {number}: decisions.{name}"):
            return
        if isinstance(step, SetHands):
            self.give_for(number, c.SetHouseWay)
        elif step.fold is not None:
            self.give_for(number, c.Fold)
        else:
            self.give_for(number, c.Choose, choice="decline")

    # --- what goes wrong --------------------------------------------------------------------------------------------

    def _go_wrong(self) -> bool:
        """Report the irregularity of this step, if the script has one; say if it has."""
        place = next((place for place, wrong in self._to_come.items() if self._happens_now(wrong)), None)
        if place is None:
            return False
        wrong = self._to_come.pop(place)
        if not self._refused(self._report(wrong), f"irregularities[{place}]"):
            self._refused(self._rule(wrong), f"irregularities[{place}].ruling")
        if self.table.pending is not None:
            raise BadInput(*self._problems)
        return True

    def _happens_now(self, wrong: IrregularityScript) -> bool:
        """Say if the round stands at the irregularity's step; a timeout also needs a seat that is awaited."""
        waits = wrong.kind != NO_ANSWER or wrong.seat in awaited(self.table)
        return wrong.step == self.table.step and waits

    def _report(self, wrong: IrregularityScript) -> Problem | None:
        """Report an irregularity, by dealer or floor."""
        if wrong.kind == NO_ANSWER:
            assert wrong.seat is not None
            self.at = max(self.at, time_is_up(self.table, wrong.seat) or 0)
            return self.give(c.TimeOut, seat=wrong.seat)
        if wrong.kind == "stub_count_wrong":
            return self.give(c.CountStub, count=wrong.count, finding=wrong.finding, **self._misdealt(wrong))
        if wrong.kind == "shuffler_count_wrong":
            return self._miscount(wrong)
        fields = {"kind": wrong.kind, "case": self._case(wrong), "seat": wrong.seat, "place": wrong.place}
        if fields["place"] == fields["case"]:
            fields["place"] = None
        role: Role = "floor" if wrong.kind == "conduct_breach" else "dealer"
        for _ in range(wrong.count or 1):
            problem = self.give(c.ReportIrregularity, who=role, role=role, **fields)
            if problem is not None or self.table.voided:
                return problem
        return None

    def _misdealt(self, wrong: IrregularityScript) -> dict[str, Any]:
        """Return the place of a misdeal: the script's, or else the first seat."""
        named = named_where(wrong.seat, wrong.place)
        if wrong.finding not in MISDEALT or named:
            return named
        return next(iter(misdeals(self.table)), {})

    def _case(self, wrong: IrregularityScript) -> str:
        cases = tuple(self._game.book.irregularities[wrong.kind])
        if "player" not in cases:
            return cases[0]
        return "player" if wrong.seat is not None else str(wrong.place)

    def _miscount(self, wrong: IrregularityScript) -> Problem | None:
        """Show a wrong count of the device at the next shuffle."""
        command = self._dealer.next_command(self.table, self.at)
        if not isinstance(command, c.ShuffleDeck) or command.counted is None:
            what = "this table has no counting shuffler"
            return Problem(code="irregularity.when", what=what, value=self.table.step)
        if wrong.count == command.counted:
            return Problem(code="irregularity.count", what="the count is correct", value=wrong.count)
        self.carry_out(replace(command, counted=wrong.count))
        return None

    def _rule(self, wrong: IrregularityScript) -> Problem | None:
        """Give the floor's ruling, if the document leaves the outcome to the floor."""
        if self.table.pending is None and wrong.ruling is None:
            return None
        if wrong.ruling is None:
            what = f"{wrong.kind} needs a ruling by the floor"
            outcome = self._game.book.irregularities[wrong.kind][self._case(wrong)]
            allowed = ", ".join(rulings(self.table))
            return Problem(code="ruling.missing", what=what, allowed=allowed, clauses=outcome.clauses)
        return self.give(c.DecideFloor, who="floor", role="floor", ruling=wrong.ruling)

    def _afterwards(self) -> None:
        """Record the irregularity until the cards are ready for the next round."""
        while self._go_wrong():
            pass
        if not self._script.irregularities:
            return
        while (command := self._dealer.next_command(self.table, self.at)) is not None:
            if isinstance(command, c.LoadDeck):
                return
            self.carry_out(command)
