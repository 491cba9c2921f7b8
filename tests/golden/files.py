"""All golden files, by the part of the program that produces them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from golden.cli import RULEBOOKS, command_files, computed_files, history_files, par_file
from golden.server import server_files

FOLDER: Final = Path(__file__).parent
Producer = Callable[[Path], Iterator[tuple[str, str]]]
"""Given a directory for its own files, yields the path of each golden file below this folder, and its text."""
PRODUCERS: Final[Mapping[str, Producer]] = {
    "histories": history_files,
    "commands": command_files,
    "computed": computed_files,
    "server": server_files,
    **{f"par-{book}": partial(par_file, book) for book in RULEBOOKS},
}
KINDS: Final = ("*.json", "*/*.json", "*/*.jsonl")


def stored() -> dict[str, str]:
    """Return the golden files as they are stored."""
    return {str(path.relative_to(FOLDER)): path.read_text("utf-8") for kind in KINDS for path in FOLDER.glob(kind)}
