"""A terminal to play at: lines out, lines in, colour only on a terminal."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterable
from types import FrameType
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


class DeferredInterrupt:
    """Ctrl-C takes effect between two commands and at the prompt, never in the middle of a command."""

    def __init__(self) -> None:
        self.pending = False
        self.reading = False
        self._before: Any = None

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.pending = True
        if self.reading:
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)


class Terminal:
    """Standard input and output. Without a terminal each input line is echoed, so the transcript is complete."""

    def __init__(self, interrupt: DeferredInterrupt, *, color: bool = True) -> None:
        self.own: tuple[int, ...] = ()
        """Seats of the players at this keyboard; their lines stand out."""
        self._interrupt = interrupt
        self.is_tty = sys.stdin.isatty() and sys.stdout.isatty()
        self._color = color and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._signs = _can_write_signs(sys.stdout.encoding)

    @property
    def width(self) -> int:
        if not sys.stdout.isatty():
            return NARROW
        return max(40, min(shutil.get_terminal_size((NARROW, 24)).columns, WIDEST))

    def say(self, text: str = "", *, style: str = "", indent: int = 0, hanging: int = 2) -> None:
        """Print one line, wrapped to the width."""
        start, further = " " * indent, " " * (indent + hanging)
        lines = textwrap.wrap(text, self.width, initial_indent=start, subsequent_indent=further, break_on_hyphens=False)
        for line in lines or [""]:
            self._write(self._painted(line, style))

    def show(self, lines: Iterable[str]) -> None:
        """Print lines that are laid out already."""
        for line in lines:
            self._write(self._painted(line, ""))

    def ask(self, prompt: str) -> str | None:
        """Read one typed line; return None at the end of the input or after an interrupt."""
        self._interrupt.reading = True
        try:
            return None if self._interrupt.pending else self._read(prompt)
        except (EOFError, KeyboardInterrupt):
            self._write("")
            return None
        finally:
            self._interrupt.reading = False

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
    """Put text between the codes of a style; for the line editor, mark the codes as taking no room."""
    start, end = f"\x1b[{_STYLES[style]}m", "\x1b[0m"
    return f"\x01{start}\x02{text}\x01{end}\x02" if for_input else f"{start}{text}{end}"


def _has_line_editor() -> bool:
    """Import readline, which makes `input` offer line editing and a history."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return False
    return True


def _can_write_signs(encoding: str | None) -> bool:
    """Return whether the encoding has suits and box lines; without them cards are printed as Kd, 10s."""
    try:
        "♠▒┌›".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
