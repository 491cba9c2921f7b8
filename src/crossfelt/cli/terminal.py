"""A terminal to play at: lines out, lines in, colour only where a person looks on."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Iterable
from types import FrameType, TracebackType
from typing import Any, Final, Self

NARROW: Final = 80
WIDEST: Final = 100
_SEAT: Final = re.compile(r"^Seat (\d)\b")
_RED_CARD: Final = re.compile(r"(?<![\w♦♥])(?:10|[2-9JQKA])[♦♥]")
_GOOD: Final = re.compile(r"\bwins \$[\d,.]+|\+\$[\d,.]+")
_BAD: Final = re.compile(r"\bloses\b|−\$[\d,.]+")
_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "cyan": "36"}
_PLAIN: Final = str.maketrans({
    "♣": "c", "♦": "d", "♥": "h", "♠": "s", "▒": "#", "│": "|", "─": "-", "┌": "+", "┐": "+", "└": "+", "┘": "+",
    "—": "-", "–": "-", "−": "-", "“": '"', "”": '"', "·": "|", "›": ">", "…": "...",
})  # fmt: skip


class Patience:
    """Ctrl-C is heard between two commands and while somebody types, never in the middle of a command."""

    def __init__(self) -> None:
        self.heard = False
        self.reading = False
        self._before: Any = None
        self._works = threading.current_thread() is threading.main_thread()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True
        if self.reading:
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        if self._works:
            self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._works:
            signal.signal(signal.SIGINT, self._before)


class Terminal:
    """Standard input and output. Without a terminal every typed line is echoed, so that the whole can be read."""

    def __init__(self, patience: Patience, *, color: bool = True) -> None:
        self.own: tuple[int, ...] = ()
        """Seats of the people here, whose lines stand out."""
        self._patience = patience
        self.is_tty = sys.stdin.isatty() and sys.stdout.isatty()
        self._color = color and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._signs = _can_write_signs(sys.stdout.encoding)

    @property
    def width(self) -> int:
        if not sys.stdout.isatty():
            return NARROW
        return max(40, min(shutil.get_terminal_size((NARROW, 24)).columns, WIDEST))

    def say(self, text: str = "", *, style: str = "", indent: int = 0, hanging: int = 2) -> None:
        """One line, wrapped where it must be."""
        start, further = " " * indent, " " * (indent + hanging)
        lines = textwrap.wrap(text, self.width, initial_indent=start, subsequent_indent=further, break_on_hyphens=False)
        for line in lines or [""]:
            self._write(self._painted(line, style))

    def show(self, lines: Iterable[str], *, style: str = "") -> None:
        """Lines that are laid out already."""
        for line in lines:
            self._write(self._painted(line, style))

    def ask(self, prompt: str) -> str | None:
        """What somebody types; None at the end of the input, or when it is interrupted."""
        self._patience.reading = True
        try:
            return None if self._patience.heard else self._read(prompt)
        except (EOFError, KeyboardInterrupt):
            self._write("")
            return None
        finally:
            self._patience.reading = False

    def _read(self, prompt: str) -> str | None:
        edits = self.is_tty and _has_line_editor()
        shown = self._plain(self._painted(prompt, "cyan", for_input=edits))
        if edits:
            return input(shown)
        # Without a line editor `input` would write the prompt to stderr.
        sys.stdout.write(shown)
        sys.stdout.flush()
        if self.is_tty:
            return input()
        line = sys.stdin.readline()
        self._write(line.rstrip("\n"))
        return line.rstrip("\n") if line else None

    def _write(self, text: str) -> None:
        sys.stdout.write(self._plain(text).rstrip() + "\n")

    def _plain(self, text: str) -> str:
        return text if self._signs else text.translate(_PLAIN)

    def _painted(self, line: str, style: str, *, for_input: bool = False) -> str:
        if not self._color:
            return line
        if style:
            return _paint(line, style, for_input=for_input)
        line = _SEAT.sub(lambda seat: _paint(seat[0], "bold") if int(seat[1]) in self.own else seat[0], line)
        line = _RED_CARD.sub(lambda card: _paint(card[0], "red"), line)
        line = _GOOD.sub(lambda good: _paint(good[0], "green"), line)
        return _BAD.sub(lambda bad: _paint(bad[0], "dim"), line)


def _paint(text: str, style: str, *, for_input: bool = False) -> str:
    """Text between the codes of a style; the line editor must be told that they take no room.

    >>> _paint("K♦", "red")
    '\\x1b[31mK♦\\x1b[0m'
    """
    start, end = f"\x1b[{_STYLES[style]}m", "\x1b[0m"
    return f"\x01{start}\x02{text}\x01{end}\x02" if for_input else f"{start}{text}{end}"


def _has_line_editor() -> bool:
    """Importing it is what makes `input` use it: arrows edit the line and bring back earlier ones."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return False
    return True


def _can_write_signs(encoding: str | None) -> bool:
    """Whether suits and lines can be written; without them cards are K d, 10 s.

    >>> _can_write_signs("utf-8"), _can_write_signs("latin-1")
    (True, False)
    """
    try:
        "♠▒┌›".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
