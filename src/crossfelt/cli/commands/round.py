"""`crossfelt round`: play scripted rounds on the table engine."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from crossfelt.cards import enc_hook
from crossfelt.cli.options import argument, flag
from crossfelt.cli.output import EXIT_BAD_INPUT, data, messages, unreadable
from crossfelt.errors import BadInput
from crossfelt.play.round_result import RoundResult
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.rulebooks.loader import read_file, read_text
from crossfelt.table.events import Event


class WithEvents(RoundResult, frozen=True, kw_only=True):
    """A result with its events."""

    events: tuple[Event, ...]


def round_command(
    file: Annotated[str, argument("FILE", "One round in .toml or .json, or one per line in .jsonl; - reads stdin.")],
    with_events: Annotated[bool, flag("--events", "Include every event of the round.")] = False,
    as_json: Annotated[bool, flag("--json", "Print the JSON on one line.")] = False,
) -> None:
    """Play a scripted round and print its result as JSON.

    A .jsonl file gives one line of output per round. A round that cannot be played is reported on stderr with its line
    number; the other rounds are still played, and the command exits with 2.
    """
    if file == "-":
        where, given, folder = "stdin", from_stdin(sys.stdin.buffer.read()), Path()
    else:
        path = Path(file)
        where, folder = file, path.parent
        given = _lines_of(path) if path.suffix == ".jsonl" else read_file(path)
    runner = ScriptRunner(folder)
    if isinstance(given, Iterator):
        _print_lines(runner.play_lines(given, where=where), with_events=with_events)
    else:
        text = encoded(runner.play(given, where=where), with_events=with_events)
        data((text if as_json else msgspec.json.format(text, indent=2)).decode())


def from_stdin(text: bytes) -> Any:
    """Read one round, or iterate over lines; several lines that begin with a brace are several rounds."""
    lines = text.split(b"\n")
    if sum(line.startswith(b"{") for line in lines) > 1:
        return iter(lines)
    return read_text(text, "JSON" if text.lstrip().startswith(b"{") else "TOML", where="stdin")


def encoded(played: PlayedRound, *, with_events: bool) -> bytes:
    result = played.result
    if with_events:
        result = WithEvents(**msgspec.structs.asdict(result), events=played.events)
    return msgspec.json.encode(result, enc_hook=enc_hook)


def _lines_of(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as lines:
            yield from lines
    except OSError as error:
        raise unreadable(path, error) from None


def _print_lines(played: Iterable[PlayedRound | BadInput], *, with_events: bool) -> None:
    """Print each result as soon as it is ready, and the problems of the others to stderr."""
    code = 0
    for one in played:
        if isinstance(one, BadInput):
            code = EXIT_BAD_INPUT
            messages(one.problems)
        else:
            sys.stdout.write(encoded(one, with_events=with_events).decode() + "\n")
    raise typer.Exit(code)
