"""`crossfelt round`: scripted rounds, played on the real table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from crossfelt.cards import enc_hook
from crossfelt.cli.output import data, messages
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.loading import read_file, read_text
from crossfelt.table.events import Event
from crossfelt.table.results import RoundResult
from crossfelt.table.scripted import Played, Runner

EXIT_BAD_INPUT = 2


class WithEvents(RoundResult, frozen=True, kw_only=True):
    """A result, and everything that happened."""

    events: tuple[Event, ...]


def round_command(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A round in .toml or .json, many in .jsonl (one a line); - reads stdin."),
    ],
    with_events: Annotated[bool, typer.Option("--events", help="Add everything that happened.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the JSON on one line.")] = False,
) -> None:
    """Play a scripted round and print what it came to, as JSON.

    Of a .jsonl file each round gives one line. A round that cannot be played is told on stderr with the number of its
    line, the others are played all the same, and the command then exits with 2.
    """
    where, given = ("stdin", from_stdin(sys.stdin.buffer.read())) if file == "-" else (file, from_file(Path(file)))
    runner = Runner(Path() if file == "-" else Path(file).parent)
    if isinstance(given, Iterator):
        _print_lines(runner.play_lines(given, where=where), with_events=with_events)
    else:
        text = encoded(runner.play(given, where=where), with_events=with_events)
        data((text if as_json else msgspec.json.format(text, indent=2)).decode())


def from_file(path: Path) -> Any:
    """One round as plain data, or an iterator over the lines of a file that holds many."""
    if path.suffix == ".jsonl":
        return _lines_of(path)
    return read_file(path)


def from_stdin(text: bytes) -> Any:
    """The same for text whose kind nobody has told: several lines that begin with a brace are several rounds.

    >>> from_stdin(b'rulebook = "md-criss-cross"')
    {'rulebook': 'md-criss-cross'}
    >>> from_stdin(b'{"rulebook": "md-criss-cross"}')
    {'rulebook': 'md-criss-cross'}
    >>> len(list(from_stdin(b'{"seed": 1}\\n{"seed": 2}')))
    2
    """
    lines = text.split(b"\n")
    if sum(line.startswith(b"{") for line in lines) > 1:
        return iter(lines)
    return read_text(text, "JSON" if text.lstrip().startswith(b"{") else "TOML", where="stdin")


def encoded(played: Played, *, with_events: bool) -> bytes:
    """The JSON of a round."""
    result = played.result
    if with_events:
        result = WithEvents(**msgspec.structs.asdict(result), events=played.events)
    return msgspec.json.encode(result, enc_hook=enc_hook)


def _lines_of(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as lines:
            yield from lines
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(path))) from None


def _print_lines(played: Iterable[Played | BadInput], *, with_events: bool) -> None:
    """Each result as soon as it is there; what is wrong with the others goes to stderr."""
    code = 0
    for one in played:
        if isinstance(one, BadInput):
            code = EXIT_BAD_INPUT
            messages(one.problems)
        else:
            sys.stdout.write(encoded(one, with_events=with_events).decode() + "\n")
    raise typer.Exit(code)
