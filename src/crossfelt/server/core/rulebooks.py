"""The registry of rulebooks: those of the package, and the files of a directory. Tables are opened of no others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Rulebook

FILES: Final = (".toml", ".json")
GAMES_KEPT: Final = 128


class Rulebooks:
    """The rulebooks of one server, by id. A name from the network finds a rulebook here, and never opens a file."""

    def __init__(self, own: Mapping[str, Rulebook] | None = None) -> None:
        """`own` are the rulebooks of the operator, beside those of the package."""
        self.own: Mapping[str, Rulebook] = own or {}
        self._shipped = loader.rulebook_ids()
        self._compiled = lru_cache(maxsize=GAMES_KEPT)(self._compile)
        self.departure = lru_cache(maxsize=GAMES_KEPT)(self._departure)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        return (*self._shipped, *sorted(self.own))

    def find(self, rulebook: str) -> Rulebook:
        """Return a rulebook by its id.

        >>> Rulebooks().find("own.toml")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        crossfelt.errors.BadInput: no such rulebook: 'own.toml' (allowed: ...)
        """
        return self.own[rulebook] if rulebook in self.own else loader.load_shipped(rulebook)

    def game(self, rulebook: str, submission: Mapping[str, Any] | None = None) -> Game:
        """Return the game of a rulebook with a submission; the default one if none is stated."""
        return self._compiled(rulebook, json.dumps(submission or {}, sort_keys=True))

    def _compile(self, rulebook: str, submission: str) -> Game:
        return compile_game(self.find(rulebook), json.loads(submission))

    def games(self) -> tuple[Game, ...]:
        """Return the game of every rulebook with its default submission."""
        return tuple(map(self.game, self.ids))

    def shipped_kinds(self) -> tuple[Game, ...]:
        """Return the first game of the package with each label."""
        return tuple({game.book.game: game for game in map(self.game, reversed(self._shipped))}.values())

    def family_of(self, game: Game) -> tuple[Game, ...]:
        """Return the games with the same label, each with its default submission."""
        return tuple(self.game(name) for name in self.ids if self.find(name).game == game.book.game)

    def ships(self, rulebook: str) -> bool:
        return rulebook in self._shipped

    def _departure(self, game: Game) -> str:
        """Say how the rulebook of an open table departs from the operator's file; empty if it does not."""
        name, version = game.book.id, game.book.version
        if self.ships(name) or self.own.get(name) == game.book:
            return ""
        fault = "has changed since" if name in self.own else "is not among the rulebooks of this server"
        return f"The file of {name} {fault}: the table keeps the rules it was opened with (version {version})."


def read_rulebooks(directory: Path | None) -> Rulebooks:
    """Load and check every rulebook of a directory, or raise `BadInput` with everything wrong in its files."""
    if directory is None:
        return Rulebooks()
    found: dict[str, Path] = {}
    own: dict[str, Rulebook] = {}
    problems: list[Problem] = []
    for file in _files_in(directory):
        try:
            book = loader.load(str(file))
        except BadInput as bad:
            problems += bad.problems
            continue
        if book.id in loader.rulebook_ids() or book.id in own:
            other = found[book.id].name if book.id in own else "the package"
            what, allowed = f"{other} has a rulebook with this id", "an id of its own"
            problems.append(Problem.at(f"{file}: id", "rulebooks.id", what, book.id, allowed))
            continue
        found[book.id], own[book.id] = file, book
    if problems:
        raise BadInput(*problems)
    return Rulebooks(own)


def _files_in(directory: Path) -> list[Path]:
    try:
        return sorted(file for file in directory.iterdir() if file.suffix.lower() in FILES and file.is_file())
    except OSError as error:
        what, where = f"cannot be read: {error.strerror}", "--rulebooks"
        allowed = "a directory of .toml or .json files"
        raise BadInput(Problem.at(where, "rulebooks.directory", what, str(directory), allowed)) from None
