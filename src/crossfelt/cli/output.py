"""Output of the commands: data to stdout, messages to stderr, colour only on a terminal, files only with consent."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
import typer

from crossfelt.errors import BadInput, Problem

EXIT_CHECK_FAILED: Final = 1
EXIT_BAD_INPUT: Final = 2


def data(lines: Iterable[str] | str) -> None:
    """Print the result of a command to stdout."""
    typer.echo(lines if isinstance(lines, str) else "\n".join(lines))


def data_as_json(value: Any) -> None:
    """Print JSON; escape characters that the encoding of stdout lacks."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text), indent=2)
    typer.echo(text)


def answer(value: Any, lines: Iterable[str] | str, *, as_json: bool) -> None:
    """Print the result of a command, as JSON or as text."""
    if as_json:
        data_as_json(value)
    else:
        data(lines)


def require_sound(sound: bool) -> None:
    """End the command with the exit code of a failed check, unless what it has checked is sound."""
    if not sound:
        raise typer.Exit(EXIT_CHECK_FAILED)


def message(text: str = "") -> None:
    typer.echo(text, err=True)


def messages(problems: Iterable[Problem], prefix: str = "") -> None:
    for problem in problems:
        message(prefix + str(problem))


def heading(text: str) -> str:
    """Make text bold on a terminal."""
    return styled(text, bold=True)


def styled(text: str, **style: Any) -> str:
    """Add colour or weight to text on a terminal, unless ``NO_COLOR`` is set."""
    plain = not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    return text if plain else typer.style(text, **style)


def require_writable(out: Path, *, force: bool) -> None:
    """Refuse, before the work, an output file that cannot be written after it."""
    if out.exists() and not force:
        raise _exists(out)
    if out.is_dir():
        raise unwritable(out, "it is a directory; name a file")
    if not out.parent.is_dir():
        raise unwritable(out, "its directory does not exist; create it first")


def write(out: Path, data: bytes, *, force: bool) -> None:
    """Write a file; overwrite an existing one only with `force`."""
    try:
        with out.open("wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError:
        raise _exists(out) from None
    except OSError as error:
        raise unwritable(out, error.strerror or str(error)) from None


def unreadable(path: Path, error: OSError) -> BadInput:
    return BadInput.at(str(path), "file.unreadable", f"cannot be read: {error.strerror or error}")


def unwritable(out: Path, why: str) -> BadInput:
    return BadInput.at(str(out), "file.unwritable", f"cannot be written: {why}")


def _exists(out: Path) -> BadInput:
    return BadInput.at(str(out), "file.exists", "file exists", allowed="another name, or --force to overwrite it")
