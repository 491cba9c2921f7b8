"""Logs on stderr: one JSON object a line, or plain lines.

Neither tokens, passwords nor cards are ever handed to a logger.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final

_USUAL: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "taskName"}


class JsonLines(logging.Formatter):
    """Every record is an object: when, how bad, who says so, what, and the fields it was given."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _USUAL},
        }
        if record.exc_info and record.exc_info[1] is not None:
            told["fault"] = _where(record.exc_info[1])
        return json.dumps(told, default=str, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """The same for people who read along."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        told = super().format(record)
        fields = (f"{name}={value}" for name, value in vars(record).items() if name not in _USUAL)
        return " ".join((told, *fields))

    def formatException(self, ei: Any) -> str:  # noqa: N802 (the name is logging's)
        return "\n".join(_where(ei[1]))


def _where(error: BaseException) -> list[str]:
    """A fault without its values: the kind of error and the lines it came through. Messages could name cards."""
    frames = traceback.extract_tb(error.__traceback__)
    return [type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)]


def start_logging(level: str, kind: str) -> None:
    """Has everything that is logged from now on written to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else PlainLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("crossfelt").setLevel(level.upper())
