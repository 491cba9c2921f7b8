"""What somebody knows by now: kept in a file, and the reason for what is asked next.

Accuracy comes first. A topic that was missed is due at once; each right answer in a row puts it off for longer. Only
when it has been right three times in a row does pace count: a right answer that took longer than a dealer has does not
put it off any further.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from crossfelt.files import replace_file
from crossfelt.problems import BadInput, Problem
from crossfelt.training.question import DrillKind

_MINUTE: Final = 60_000
_DAY: Final = 24 * 60 * _MINUTE
PUT_OFF: Final = (0, 10 * _MINUTE, _DAY, 3 * _DAY, 7 * _DAY, 21 * _DAY, 60 * _DAY)
"""Milliseconds until a topic is due again, by how often in a row it was right."""
PACE_FROM: Final = 3
"""So often in a row a topic must be right before pace counts."""
PACE_SECONDS: Final[Mapping[DrillKind, int]] = {
    "read": 8,
    "pay": 20,
    "order": 40,
    "happens": 15,
    "set": 25,
    "spot": 90,
}
"""What a dealer has, by kind of drill."""

_TOPIC: Final = re.compile(rf"[^/]+/({'|'.join(PACE_SECONDS)})/[^/]+")
Count = Annotated[int, Meta(ge=0)]


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How one topic stands."""

    asked: Count = 0
    right: Count = 0
    in_a_row: Count = 0
    """Right answers since the last miss."""
    due: int = 0
    """When it is to be asked again, in milliseconds."""
    fastest: Count | None = None
    """Milliseconds of the fastest right answer."""

    @property
    def missed(self) -> bool:
        """Whether the last answer was wrong."""
        return self.asked > 0 and self.in_a_row == 0


class Progress(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How all topics stand that were ever asked.

    >>> progress = Progress().answered("nj-criss-cross/pay/across.flush", right=False, at=5, millis=900)
    >>> progress.standing("nj-criss-cross/pay/across.flush").missed
    True
    """

    schema: Literal[1] = 1
    topics: dict[str, Standing] = {}

    def standing(self, topic: str) -> Standing:
        return self.topics.get(topic, Standing())

    def answered(self, topic: str, *, right: bool, at: int, millis: int) -> Self:
        """What is known after one more answer, given at a time and after so many milliseconds."""
        return replace(self, topics={**self.topics, topic: _after(self.standing(topic), topic, right, at, millis)})

    @classmethod
    def read(cls, path: Path) -> Self:
        """What was kept; nothing yet where there is no file. A file that holds something else is refused."""
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=cls)
            if strange := next((topic for topic in kept.topics if not _TOPIC.fullmatch(topic)), None):
                raise msgspec.ValidationError(f"no topic: {strange!r}")
            return kept
        except FileNotFoundError:
            return cls()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            what, allowed = f"no progress of crossfelt train: {why}", "another file, or none"
            raise BadInput(Problem(code="progress", where=str(path), what=what, allowed=allowed)) from None

    def write(self, path: Path) -> None:
        """Replaces the file at once: it is never half written."""
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How all topics of one drill stand together that were ever asked."""

    rulebook: str
    kind: str
    topics: int
    asked: int
    right: int
    missed: int
    """Topics whose last answer was wrong: they come back."""
    known: int
    """Topics that were right so often in a row that pace counts."""
    fastest: int | None
    """Milliseconds of the fastest right answer."""


def tallies(progress: Progress) -> Iterator[Tally]:
    """How somebody stands, by rulebook and drill.

    >>> progress = Progress().answered("nj-criss-cross/pay/across.flush", right=False, at=5, millis=900)
    >>> [(tally.kind, tally.asked, tally.missed) for tally in tallies(progress)]
    [('pay', 1, 1)]
    """
    groups: dict[tuple[str, str], list[Standing]] = {}
    for topic, standing in progress.topics.items():
        book, kind, _ = topic.split("/", 2)
        groups.setdefault((book, kind), []).append(standing)
    for (book, kind), standings in sorted(groups.items()):
        yield Tally(
            rulebook=book,
            kind=kind,
            topics=len(standings),
            asked=sum(one.asked for one in standings),
            right=sum(one.right for one in standings),
            missed=sum(one.missed for one in standings),
            known=sum(one.in_a_row >= PACE_FROM for one in standings),
            fastest=min((one.fastest for one in standings if one.fastest is not None), default=None),
        )


def _after(before: Standing, topic: str, right: bool, at: int, millis: int) -> Standing:
    if not right:
        return replace(before, asked=before.asked + 1, in_a_row=0, due=at)
    in_a_row = before.in_a_row + 1
    if before.in_a_row >= PACE_FROM and not in_pace(topic, millis):
        in_a_row = before.in_a_row
    return replace(
        before,
        asked=before.asked + 1,
        right=before.right + 1,
        in_a_row=in_a_row,
        due=at + PUT_OFF[min(in_a_row, len(PUT_OFF) - 1)],
        fastest=millis if before.fastest is None else min(millis, before.fastest),
    )


def in_pace(topic: str, millis: int) -> bool:
    """Whether an answer came as fast as a dealer must be.

    >>> in_pace("nj-criss-cross/read/five_card.flush", 3_000), in_pace("nj-criss-cross/read/five_card.flush", 30_000)
    (True, False)
    """
    return millis <= 1_000 * pace_seconds(topic)


def pace_seconds(topic: str) -> int:
    """What a dealer has for a question of a topic."""
    kind = topic.split("/")[1]
    return next(seconds for name, seconds in PACE_SECONDS.items() if name == kind)


def default_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where progress is kept unless somebody says otherwise: with the user's own data.

    >>> default_path({"XDG_DATA_HOME": "/data"}).as_posix()
    '/data/crossfelt/training.json'
    """
    shared = Path(environment.get("XDG_DATA_HOME", ""))
    # The XDG specification has relative paths ignored.
    return (shared if shared.is_absolute() else Path.home() / ".local" / "share") / "crossfelt" / "training.json"
