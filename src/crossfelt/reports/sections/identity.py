"""Identity section: the rules of a report, their hashes, and the command that reproduces it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt import __version__
from crossfelt.analysis.what_if import violations_of
from crossfelt.reports.document import ROUNDS, SEED, Block, Code, Identity, Section, Text
from crossfelt.reports.number_format import listing
from crossfelt.reports.study import ReportRequest, Study
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loader import content_hash
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.rulebook_law import document_of

SOFTWARE: Final = f"Crossfelt {__version__}"
STATEMENT: Final = (
    "Play money only. Crossfelt takes no stakes and pays no prizes. This sheet is not an approval by any regulator or "
    "test laboratory."
)


def identity_of(game: Game) -> Identity:
    book = game.book
    return Identity(
        rulebook=book.id,
        title=book.title,
        version=book.version,
        rulebook_hash=content_hash(book),
        game_hash=game.hash,
        submission=dict(game.stated),
    )


def command_of(asked: ReportRequest) -> str:
    """Return the command that reproduces the report, without the name of its file.

    >>> game = compile_game("md-criss-cross")
    >>> command_of(ReportRequest(game=game, named="md-criss-cross", submission="my rules.toml"))
    "crossfelt report md-criss-cross --submission 'my rules.toml'"
    """
    parts = ["crossfelt", "report", asked.named]
    if asked.submission:
        parts += ["--submission", asked.submission]
    parts += [part for path, odds in asked.pay.items() for part in ("--pay", f"{path}={odds}")]
    return shlex.join([*parts, *simulation_options(asked), *(["--quick"] if asked.quick else [])])


def simulation_options(asked: ReportRequest) -> list[str]:
    """Return the options that differ from their defaults."""
    from crossfelt.analysis.simulation.plan_builder import usual_rounds

    usual = usual_rounds(asked.game, ROUNDS)
    rounds = ["--rounds", str(asked.rounds)] if asked.rounds != usual else []
    seed = ["--seed", asked.seed] if asked.seed != SEED else []
    return [*rounds, *seed]


def identity_section(study: Study) -> Section:
    rules = listing("identity", "Rules of this sheet", ("Item", "Value"), identity_rows(study.game))
    how = (
        "Each hash is the SHA-256 of canonical JSON. The first covers the rulebook, the second rulebook and "
        "submission. The same rules, software version and command reproduce this file byte for byte. It contains no "
        "date or time."
    )
    command = Code(caption="Command that reproduces this sheet", text=command_of(study.asked))
    blocks: tuple[Block, ...] = (*_changed_odds(study.asked), rules, command, Text(paragraphs=(how,)))
    return Section(id="identity", title="Identity", blocks=blocks)


def _changed_odds(asked: ReportRequest) -> Iterator[Text]:
    """Yield the odds changed for this sheet, and the rules they violate."""
    if asked.printed is None:
        return
    changed = ", ".join(f"{path} = {odds}" for path, odds in asked.pay.items())
    yield Text(paragraphs=(f"Odds changed for this sheet: {changed}. The hashes are those of the changed rules.",))
    refused = [str(problem) for problem in violations_of(asked.printed, asked.pay)]
    if refused:
        yield Text(paragraphs=("The rulebook does not permit this game:", *refused), warning=True)


def identity_rows(game: Game) -> Iterator[tuple[str, str]]:
    book = game.book
    document = document_of(book)
    yield "Game", as_words(book.game).title()
    yield "Rulebook", f"{book.id}, version {book.version}"
    yield "Hash of the rulebook", content_hash(book)
    yield "Document", f"{document.title}, {document.authority}"
    if document.citation:
        yield "Citation", document.citation
    if document.status:
        yield "Status of the document", f"{document.status}; dates: {document.dates}"
    stated = list(flat(game.stated))
    yield (
        "Rules Submission",
        f"{len(stated)} values stated" if stated else "the rulebook's default submission, unchanged",
    )
    yield from stated
    yield "Hash of rulebook and submission", game.hash
    yield "Software", SOFTWARE


def flat(stated: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values that a submission states, by path.

    >>> list(flat({"wagers": {"ante": {"min_cents": 1000}}}))
    [('wagers.ante.min_cents', '1000')]
    """
    for name, value in stated.items():
        path = f"{before}{name}"
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}.")
        else:
            yield path, value if isinstance(value, str) else msgspec.json.encode(value).decode()
