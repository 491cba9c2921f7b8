"""A loaded game and its questions: solve, advise, simulate, sweep, report; and hands, scripted rounds, verification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import OPTIMAL, Solution
from crossfelt.analysis.solver import api
from crossfelt.analysis.what_if import Pay
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.hands.kinds import read_hand
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds, dollars
from crossfelt.play.round_result import RoundResult
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.player_rounds import PlayerRoundsReport
from crossfelt.proof.verify import ChainReport, VerificationReport, verify_file
from crossfelt.rulebooks import game as rulebook_game
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.model import Rulebook, Wager
from crossfelt.tabular import Record, Tabular

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.result import Simulation
    from crossfelt.analysis.sweep.api import SweepResult
    from crossfelt.rulebooks.house_ways import HouseWay


class Game(rulebook_game.Game, Tabular):
    """A rulebook with a submission, compiled, and its questions; `load` makes one.

    >>> game = load("nj-criss-cross")
    >>> game
    <Game: Criss Cross Poker, New Jersey (nj-criss-cross), 7 wagers>
    >>> game.advise(hole="As Ah").best
    '3x'
    """

    def __init__(
        self,
        book: Rulebook,
        stated: Mapping[str, Any],
        house_way: HouseWay | None = None,
        *,
        named: str = "",
        submission_file: str = "",
    ) -> None:
        super().__init__(book, stated, house_way)
        self._named = named or book.id
        self._submission_file = submission_file

    def solve(
        self, *, pay: Pay | None = None, known: str = "", strategy: str = OPTIMAL, antes: Sequence[int] = ()
    ) -> Solution:
        """Solve the game exactly, under best play or another strategy.

        `pay` changes odds for this question, and `known` names a card that the player has seen before the first
        decision, by its place on the layout. `antes` are stakes in cents; `at_antes` of the solution has the return at
        each of them with the payout limit in force.

        >>> game = load("nj-criss-cross")
        >>> game.solve()
        <ExactSolution: nj-criss-cross, optimal play: house edge 4.329 % of the initial wagers, up to an ante of $16.11>
        >>> game.solve(pay={"bets.flush": 7}).house_edge.per_ante > game.solve().house_edge.per_ante
        True
        """
        return api.solve(self, pay=pay, known=known, strategy=strategy, antes=antes)

    def advise(
        self, *, bets: Mapping[str, int | str | Fraction] | None = None, pay: Pay | None = None, **cards: str
    ) -> Advice:
        """Value every choice of a decision: the expected net of the whole round, in antes, with best play after it.

        Name the visible cards as ``crossfelt advise`` does: the player's own, and those face up. `bets` are the earlier
        bets, as multiples of the ante.

        >>> load("nj-criss-cross").advise(hole="As Kd", across="Ah 2c", bets={"across": 1})
        <Advice: down: 1x, worth +5.4902>
        """
        return api.advise(self, pay=pay, bets=bets, **cards)

    def simulate(
        self,
        *,
        rounds: int = 1_000_000,
        strategy: str | Callable[..., Any] = "",
        seats: Sequence[str] = (),
        seed: int | str = 0,
        confidence: float = 0.95,
        workers: int | None = None,
    ) -> Simulation:
        """Play many rounds and estimate the results; the same seed gives the same figures on any machine.

        One player uses `strategy`, or several are listed in `seats`. Each is the name of a strategy, with wagers in
        dollars or credits where they differ from the usual: ``optimal``, ``always-1:ante=10``, ``mine.py:play``.
        `strategy` may also be a function of what a seat sees.

        >>> load("nj-double-cross").simulate(rounds=2_000, strategy="always-vertical:ante=10").rounds
        2000
        """
        from crossfelt.analysis.simulation.api import simulate
        from crossfelt.analysis.simulation.plan_builder import seat_named, usual_seat
        from crossfelt.analysis.simulation.strategies import OwnStrategy

        if strategy and seats:
            what, allowed = "give a strategy or seats, not both", "strategy or seats"
            raise BadInput.at("strategy", "simulate.option", what, str(strategy), allowed)
        if callable(strategy):
            plans = [usual_seat(self, OwnStrategy.of(strategy))]
        else:
            plans = [seat_named(self, text) for text in seats or ([strategy] if strategy else [])]
        return simulate(self, rounds=rounds, seats=plans, seed=seed, confidence=confidence, workers=workers)

    def sweep(
        self,
        *,
        pay: Mapping[str, Iterable[int | str | Fraction | Odds]] | None = None,
        choices: Mapping[str, Iterable[Any]] | None = None,
        meters: Mapping[str, Iterable[int]] | None = None,
        strategies: Iterable[str] = (),
        known: Iterable[str] = (),
        where: Iterable[str] = (),
        rank: str = "",
        highest: bool = False,
        permitted: bool = False,
        workers: int = 1,
    ) -> SweepResult:
        """Solve every combination of odds, choices, meters, strategies and known cards exactly, and rank them.

        `where` keeps rows inside bounds (``"edge below 5%"``), `permitted` those whose odds the regulation permits.

        >>> load("nj-criss-cross").sweep(pay={"bets.flush": [7, 8]}).headline()
        '2 of 2 combinations: house edge 4.329 % to 5.114 %'
        """
        from crossfelt.analysis.sweep.api import sweep

        _require_lists({**(pay or {}), **(choices or {}), **(meters or {})})
        return sweep(
            self,
            pay=pay,
            choices=choices,
            meters=meters,
            strategies=strategies,
            known=known,
            where=where,
            rank=rank,
            highest=highest,
            permitted=permitted,
            workers=workers,
        )

    def report(
        self,
        path: str | Path,
        *,
        pay: Mapping[str, str] | None = None,
        rounds: int = 2_000_000,
        seed: int | str = 0,
        quick: bool = False,
        workers: int | None = None,
    ) -> Path:
        """Write the PAR sheet as .html, .pdf or .json and return its path; an existing file is replaced.

        `rounds` and `seed` are those of the simulation that confirms it; `quick` leaves out the slowest sections. HTML
        and PDF need ``pip install "crossfelt[report]"``.
        """
        from crossfelt.reports.par_sheet import par_sheet
        from crossfelt.reports.render import format_of, render, require_renderer
        from crossfelt.reports.study import ReportRequest, study

        out = Path(path)
        kind = format_of(out)
        require_renderer(kind)
        if not out.parent.is_dir():
            raise BadInput.at(str(out), "file.unwritable", "cannot be written: no such directory")
        asked = ReportRequest(
            game=self,
            named=self._named,
            submission=self._submission_file,
            rounds=rounds,
            seed=str(seed),
            quick=quick,
            workers=workers,
        )
        out.write_bytes(render(par_sheet(study(asked.at_odds(pay or {}))), kind))
        return out

    __repr__ = Tabular.__repr__

    def __dir__(self) -> list[str]:
        """List the names for users; the rest is the engine's."""
        return [*(name for name in super().__dir__() if name.startswith("_")), *_FOR_USERS]

    def headline(self) -> str:
        own = ", own submission" if self.stated else ""
        return f"{self.book.title} ({self.book.id}), {len(self.wagers)} wagers{own}"

    def records(self) -> list[Record]:
        return [
            {
                "wager": wager.id,
                "title": wager.title,
                "required": wager.required,
                "stake": self._stake_words(wager),
                "clauses": ", ".join(wager.clauses),
            }
            for wager in self.wagers
        ]

    def _stake_words(self, wager: Wager) -> str:
        stake = wager.stake
        if stake.of is not None:
            return f"{stake.min}–{stake.max} × {stake.of}" if stake.min != stake.max else f"{stake.max} × {stake.of}"
        try:
            limits = self.limits(wager.group or wager.id)
        except KeyError:  # a stake that a wheel or a pay table fixes
            return ""
        if wager.unit == "credits":
            return f"{limits.min}–{limits.max} credits"
        return f"{dollars(limits.min)}–{dollars(limits.max)}"


_FOR_USERS: Final = (
    *("advise", "report", "simulate", "solve", "sweep"),
    *("book", "choices", "exposure", "hash", "limits", "pays", "settings", "stated", "wager", "wagers"),
    *("as_data", "headline", "records", "to_frame", "to_json"),
)


def _require_lists(varied: Mapping[str, Any]) -> None:
    """Refuse a sweep over single values: a text would be taken for a list of its letters."""
    require_none(
        Problem.at(name, "sweep.values", "give a list of values", str(value), f"[{value!r}, …]")
        for name, value in varied.items()
        if isinstance(value, str) or not isinstance(value, Iterable)
    )


def list_games() -> tuple[str, ...]:
    """List the rulebooks that come with Crossfelt, by the id that `load` takes.

    >>> list_games()
    ('ma-criss-cross', 'md-criss-cross', 'nj-criss-cross', 'nj-double-cross', 'nj-pai-gow')
    """
    return loader.rulebook_ids()


def load(id_or_path: str | Path, submission: Mapping[str, Any] | str | Path | None = None) -> Game:
    """Load a rulebook by its id or from a .toml or .json file, with a submission over its defaults.

    The submission is a mapping or a file. `BadInput` names everything that the regulation does not allow.

    >>> load("nj-criss-cross", {"wagers": {"ante": {"min_cents": 1000}}}).limits("ante").min
    1000
    """
    book = loader.load(str(id_or_path))
    if isinstance(submission, str | Path):
        _, stated = loader.read_submission(Path(submission), of=book)
        file = where = str(submission)
    else:
        stated, where = dict(submission or {}), "submission"
        file = "submission.toml" if stated else ""
    compiled = compile_game(book, stated, where=where)
    return Game(compiled.book, compiled.stated, named=str(id_or_path), submission_file=file)


class Hand(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """A hand of cards and its rank; `hand` makes one. Ranks of one order can be compared."""

    cards: tuple[Card, ...]
    rank: HandRank

    @property
    def name(self) -> str:
        """The hand as a dealer names it."""
        return self.rank.name

    @property
    def category(self) -> str:
        """The category that pay tables list: ``two_pair``."""
        return self.rank.category

    def headline(self) -> str:
        return f"{self.name} ({format_cards(self.cards)})"

    def records(self) -> list[Record]:
        return [{"cards": format_cards(self.cards), "name": self.name, "category": self.category}]

    def as_data(self) -> Any:
        return self.records()[0]


def hand(cards: str | Iterable[Card | str]) -> Hand:
    """Rank two, three, five or seven cards; the joker is ``Jk``.

    >>> hand("Ks Kd 9c 9h 2s").name
    'kings and nines'
    >>> hand([Card("As"), Card("Ah")]).rank > hand("Ks Kh").rank
    True
    """
    given, kind = read_hand(cards if isinstance(cards, str) else " ".join(map(str, cards)))
    return Hand(cards=given, rank=kind.classify(given))


def play_round(scripted: str | Path | Mapping[str, Any]) -> RoundResult:
    """Play a scripted round, from a .toml or .json file or from a mapping with the same fields.

    >>> seat = {"seat": 1, "wagers": {"ante": 1000}, "decisions": {"across": "fold"}}
    >>> play_round({"rulebook": "md-criss-cross", "seats": [seat]})
    <RoundResult: md-criss-cross, settled: seat 1 −$20; house +$20>
    """
    if isinstance(scripted, Mapping):
        return ScriptRunner().play(scripted, where="round").result
    path = Path(scripted)
    return ScriptRunner(path.parent).play(loader.read_file(path), where=str(path)).result


def verify(path: str | Path) -> VerificationReport | ChainReport | PlayerRoundsReport:
    """Check an exported history: its chain, every command decided again, the money, and a second settlement.

    The report has a `verdict`, and `fault` names the first fault. Only the command ``crossfelt verify --key --head``
    also proves which server wrote it.

    >>> import tempfile
    >>> from crossfelt import Table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     verify(Table("md-criss-cross", seed=7).save(Path(folder) / "table.jsonl"))
    <VerificationReport: table, md-criss-cross, 0 rounds: consistent, origin unproved>
    """
    return verify_file(Path(path))
