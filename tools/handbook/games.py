"""The generated parts of the pages on games: rounds, wagers and odds, differences, figures, open points.

Everything comes from the rulebooks, the law and the solver. A page marks a part with two comments,
``<!-- generated: round -->`` and ``<!-- end -->``; ``tools/write_pages.py`` writes the text between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Final

from crossfelt.analysis import Solution, solve
from crossfelt.cli.render.wheel_returns import percent, spun_wheels
from crossfelt.money import dollars
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.clauses import Statement
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import PayTable
from crossfelt.rulebooks.render.phrases import as_words, line_title, pay_words, stake_words
from crossfelt.rulebooks.render.step_phrases import step_words
from crossfelt.rulebooks.rulebook_law import document_of
from crossfelt.rulebooks.script import OpenBets
from crossfelt.rulebooks.settings import setting_rules
from handbook.markdown import DOCS, capital, table

GAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "criss-cross": ("nj-criss-cross", "ma-criss-cross", "md-criss-cross"),
    "double-cross": ("nj-double-cross",),
    "pai-gow": ("nj-pai-gow",),
}
"""The rulebooks of each page."""
HEADINGS: Final = (
    "What it is",
    "How a round goes",
    "Wagers and odds",
    "Differences between jurisdictions",
    "Figures",
    "Where the documents are silent",
)
"""The headings of every page, in order."""
_PART: Final = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


@cache
def game_of(book: str) -> Game:
    return compile_game(book)


@cache
def _solved(book: str) -> Solution:
    return solve(book)


def game_pages() -> Iterator[tuple[Path, str]]:
    """Yield the path of each page and its text with current parts."""
    for name, books in GAMES.items():
        path = DOCS / "games" / f"{name}.md"
        yield path, _PART.sub(partial(_written, [game_of(book) for book in books]), path.read_text("utf-8"))


def _written(games: Sequence[Game], match: re.Match[str]) -> str:
    lines = "\n".join(PARTS[match[2]](games)).strip("\n")
    return f"{match[1]}\n{lines}\n\n{match[4]}"


def state(game: Game) -> str:
    """Return the jurisdiction of a game."""
    return document_of(game.book).jurisdiction


# --- documents -------------------------------------------------------------------------------------------------------


def documents(games: Sequence[Game]) -> Iterator[str]:
    """List the regulations of the page."""
    rows = []
    for game in games:
        document = document_of(game.book)
        rows.append((f"`{game.book.id}`", document.title, document.citation, document.status, game.book.version))
    yield from table(["rulebook", "document", "citation", "status", "version"], rows)


# --- the round -------------------------------------------------------------------------------------------------


def rounds(games: Sequence[Game]) -> Iterator[str]:
    """List the script of each rulebook, step by step."""
    for game in games:
        if len(games) > 1:
            yield f"### {state(game)}"
            yield ""
        for number, step in enumerate(game.book.script, start=1):
            first, *further = step_words(step, game.book)
            yield f"{number}. {first} {_basis(step)}".rstrip()
            yield from (f"    - {capital(line)}" for line in further)
        yield ""


def _basis(cited: Cited) -> str:
    """Cite the basis of a datum, in brackets."""
    found = cited.basis
    return f"[{found}]" if found else ""


# --- wagers and odds --------------------------------------------------------------------------------------------------


def wagers(games: Sequence[Game]) -> Iterator[str]:
    """List the wagers, their stakes and their rulebooks."""
    names = dict.fromkeys(wager.id for game in games for wager in game.book.wagers)
    rows = []
    for name in names:
        found = {game: wager for game in games for wager in game.book.wagers if wager.id == name}
        first = next(iter(found.values()))
        need = "required" if first.required else "optional" if name in _opening(games) else "in the round"
        where = [", ".join(state(game) for game in found)] if len(games) > 1 else []
        cited = "; ".join(_basis(wager) for wager in found.values())
        rows.append((first.title, need, stake_words(first.stake), *where, cited))
    head = ["wager", "when", "stake", *(["where"] if len(games) > 1 else []), "clauses"]
    yield from table(head, rows)
    yield ""
    yield from _odds(games)


def _opening(games: Sequence[Game]) -> set[str]:
    """Return the wagers that are placed before the deal, offered by default or not."""
    steps = (step for game in games for step in game.book.script if isinstance(step, OpenBets))
    return {wager for step in steps for wager in step.wagers}


def _odds(games: Sequence[Game]) -> Iterator[str]:
    """List every default pay table; those of several documents side by side."""
    for name in dict.fromkeys(name for game in games for name in game.pays):
        having = {game: game.pays[name] for game in games if name in game.pays}
        first = next(iter(having.values()))
        yield f"**{first.title}{_marks(first)}**"
        yield ""
        lines = dict.fromkeys(line_title(line) for pays in having.values() for line in pays.lines)
        rows = [(title, *(_paid(pays, title) for pays in having.values())) for title in lines]
        head = [state(game) for game in having] if len(having) > 1 else ["pays"]
        yield from table(["hand", *head], rows, right=range(1, len(head) + 1))
        yield ""
    yield from _fixed(games)


def _marks(pays: PayTable) -> str:
    letter = f", table {pays.letter}" if pays.letter else ""
    minimum = ", at least" if pays.odds_are == "minimum" else ""
    return f"{letter}{minimum}{' (illustrative)' if pays.illustrative else ''}"


def _paid(pays: PayTable, title: str) -> str:
    return next((pay_words(line) for line in pays.lines if line_title(line) == title), "–")


def _fixed(games: Sequence[Game]) -> Iterator[str]:
    """List wagers at fixed odds, and wheels."""
    rows = {f"| {w.title} | {w.odds} | {_basis(w)} |": None for game in games for w in game.wagers if w.odds}
    if rows:
        yield from ("| wager | a win pays | clauses |", "|---|--:|---|", *rows, "")
    wheels = [(game, wheel) for game in games for wheel in game.wheels]
    if wheels:
        yield "**Wheels of the default submissions**"
        yield ""
        cells = []
        for game, wheel in wheels:
            slices = ", ".join(dollars(s.pays_cents) if s.pays_cents else "the top prize" for s in wheel.slices)
            cells.append((f"{state(game)}, {as_words(wheel.wager)}, table {wheel.letter}", slices, _basis(wheel)))
        yield from table(["wheel", "slices", "clauses"], cells)
        yield ""
        yield "The documents print no weights for the slices. The default weights are illustrative."


# --- differences ------------------------------------------------------------------------------------------------------


def differences(games: Sequence[Game]) -> Iterator[str]:
    """List the position of each document on the topics where they differ."""
    books = [game.book.id for game in games]
    topics = [topic for topic in law.topics().values() if set(books) & topic.rulebooks.keys()]
    if not topics:
        yield from _borrowed(games[0])
        return
    rows = [(f"{topic.id} {topic.title}", *(_said(topic.rulebooks.get(book)) for book in books)) for topic in topics]
    yield from table(["topic", *(state(game) for game in games)], rows)


def _said(statement: Statement | None) -> str:
    if statement is None:
        return "–"
    marks = [*statement.clauses, *(["silent"] if statement.silent else [])]
    return f"{statement.says} [{', '.join(marks)}]" if marks else statement.says


def _borrowed(game: Game) -> Iterator[str]:
    """List the rules that fill the gaps of a single document, with their sources."""
    rows = [
        (setting_rules()[name].title, setting_rules()[name].meaning(setting.value), setting.house_rule)
        for name, setting in game.book.settings.items()
        if setting.house_rule
    ]
    yield from table(["point", "adopted", "taken from"], rows)


# --- figures ----------------------------------------------------------------------------------------------------------


def figures(games: Sequence[Game]) -> Iterator[str]:
    """List the solver's figures for each rulebook, at the odds of its default submission."""
    solved = {game: _solved(game.book.id) for game in games}
    unit = next(iter(solved.values())).unit
    rows = [
        ("expected value of a round", *(_ev(solution) for solution in solved.values())),
        ("house edge, of " + unit, *(_share(solution.house_edge.per_ante) for solution in solved.values())),
        ("house edge, of the initial wagers", *(_share(s.house_edge.per_initial_wagers) for s in solved.values())),
        ("house edge, of the total wagered", *(_share(s.house_edge.per_total_wagered) for s in solved.values())),
        ("average total wagered in a round", *(f"{float(s.average_total_wagered):.4f}" for s in solved.values())),
        ("standard deviation of a round", *(f"{s.standard_deviation:.4f}" for s in solved.values())),
    ]
    head = [state(game) for game in games] if len(games) > 1 else [games[0].book.title]
    first = next(iter(solved.values()))
    yield f"In units of {unit}. Strategy: {as_words(first.strategy)}. Method: {first.method}."
    yield ""
    yield from table(["figure", *head], rows, right=range(1, len(head) + 1))
    yield ""
    yield from _decisions(solved)
    yield from _side_bets(solved)
    yield from _wheel_returns(games)


def _ev(solution: Solution) -> str:
    exact = f" ({solution.ev})" if solution.method == "exact" else ""
    return f"{float(solution.ev):.6f}{exact}"


def _share(value: Fraction) -> str:
    return f"{float(100 * value):.4f} %"


def _decisions(solved: Mapping[Game, Solution]) -> Iterator[str]:
    """List how often best play makes each choice."""
    first = next(iter(solved.values()))
    for decision, rates in first.decisions.items():
        told = ", ".join(f"{as_words(choice)} {float(100 * rate):.2f} %" for choice, rate in rates.items())
        yield f"- {capital(as_words(decision))}: {told} of all rounds."
    if first.decisions:
        yield ""


def _side_bets(solved: Mapping[Game, Solution]) -> Iterator[str]:
    rows = [
        (bet.title, state(game), _share(bet.house_edge), f"{float(100 * bet.hit_rate):.2f} %")
        for game, solution in solved.items()
        for bet in solution.side_bets.values()
    ]
    if rows:
        yield from table(["side bet", "where", "house edge", "hit rate"], rows, right=[2, 3])
        yield ""


def _wheel_returns(games: Sequence[Game]) -> Iterator[str]:
    rows = [
        (wheel.name, state(game), *(percent(value) for value in (alone.at(alone.reset_cents), alone.long_run)))
        for game in games
        for wheel, (alone, *_) in spun_wheels(game)
    ]
    if rows:
        head = ["wheel (illustrative weights)", "where", "return, meter reset", "return, long run"]
        yield from table(head, rows, right=[2, 3])
        yield ""


# --- open points ------------------------------------------------------------------------------------------------


def silent(games: Sequence[Game]) -> Iterator[str]:
    """List the adopted readings of the page's rulebooks."""
    codes = {game.book.document for game in games}
    for reading in law.readings().values():
        if not any(clause.partition("-")[0] in codes for clause in reading.clauses):
            continue
        others = f" *Alternatives:* {' '.join(reading.alternatives)}" if reading.alternatives else ""
        own = [clause for clause in reading.clauses if clause.partition("-")[0] in codes]
        yield f"- **{reading.id}** {reading.about} *Adopted:* {reading.reading}{others} [{', '.join(own)}]"
    yield ""
    for game in games:
        open_points = sum(setting.silent for setting in game.book.settings.values())
        mishaps = sum(case.silent for cases in game.book.irregularities.values() for case in cases.values())
        named = f"{open_points} of {len(game.book.settings)} named settings and {mishaps} outcomes of irregularities"
        yield f"The document of `{game.book.id}` leaves {named} open; `crossfelt rulebook show` marks each."
        yield ""


PARTS: Final[Mapping[str, Callable[[Sequence[Game]], Iterator[str]]]] = {
    "documents": documents,
    "round": rounds,
    "wagers": wagers,
    "differences": differences,
    "figures": figures,
    "silent": silent,
}
"""The generated parts by name."""
