"""Where the command line writes: data to stdout, messages to stderr, colour only where a person looks on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any

import msgspec
import typer

from crossfelt.problems import Problem


def data(lines: Iterable[str] | str) -> None:
    """Print what was asked for, in one piece."""
    typer.echo(lines if isinstance(lines, str) else "\n".join(lines))


def data_as_json(value: Any) -> None:
    """Print JSON; what the encoding of stdout cannot write is escaped, so that nothing is lost."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text), indent=2)
    typer.echo(text)


def message(text: str = "") -> None:
    typer.echo(text, err=True)


def messages(problems: Iterable[Problem], prefix: str = "") -> None:
    """Each problem on one line."""
    for problem in problems:
        message(prefix + str(problem))


def heading(text: str) -> str:
    """Bold on a terminal, unless ``NO_COLOR`` asks for none."""
    plain = not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    return text if plain else typer.style(text, bold=True)
