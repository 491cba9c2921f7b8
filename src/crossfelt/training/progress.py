"""A dealer's progress in the drills, stored in a file; it decides which topics come next.

Accuracy comes first. A missed topic is due at once; each right answer in a row postpones it for longer. After three
right answers in a row pace counts: a right answer slower than a dealer's pace does not postpone the topic further.
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

from crossfelt._util.atomic_files import write_atomically
from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput

_MINUTE: Final = 60_000
_DAY: Final = 24 * 60 * _MINUTE
PUT_OFF: Final = (0, 10 * _MINUTE, _DAY, 3 * _DAY, 7 * _DAY, 21 * _DAY, 60 * _DAY)
"""Milliseconds until a topic is due again, by the number of right answers in a row."""
PACE_FROM: Final = 3
"""Right answers in a row before pace counts."""
PACE_SECONDS: Final[Mapping[str, int]] = {"read": 8, "pay": 20, "order": 40, "happens": 15, "set": 25, "spot": 90}
"""A dealer's pace, by kind of drill."""

_TOPIC: Final = re.compile(rf"[^/]+/({'|'.join(PACE_SECONDS)})/[^/]+")
Count = Annotated[int, Meta(ge=0)]


class TopicProgress(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Progress in one topic."""

    asked: Count = 0
    right: Count = 0
    in_a_row: Count = 0
    """Right answers since the last miss."""
    due: int = 0
    """Time at which the topic is due again, in milliseconds."""
    fastest: Count | None = None
    """Milliseconds of the fastest right answer."""

    @property
    def missed(self) -> bool:
        """True if the last answer was wrong."""
        return self.asked > 0 and self.in_a_row == 0


class DrillProgress(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Progress in all topics asked so far.

    >>> progress = DrillProgress().answered("nj-criss-cross/pay/across.flush", right=False, at=5, millis=900)
    >>> progress.standing("nj-criss-cross/pay/across.flush").missed
    True
    """

    schema: Literal[1] = 1
    topics: dict[str, TopicProgress] = {}

    def standing(self, topic: str) -> TopicProgress:
        return self.topics.get(topic, TopicProgress())

    def answered(self, topic: str, *, right: bool, at: int, millis: int) -> Self:
        """Return the progress after one more answer, with its time and duration."""
        before = self.standing(topic)
        in_a_row = before.in_a_row + 1 if before.in_a_row < PACE_FROM or in_pace(topic, millis) else before.in_a_row
        after = replace(before, asked=before.asked + 1, in_a_row=0, due=at)
        if right:
            after = replace(
                after,
                right=before.right + 1,
                in_a_row=in_a_row,
                due=at + PUT_OFF[min(in_a_row, len(PUT_OFF) - 1)],
                fastest=millis if before.fastest is None else min(millis, before.fastest),
            )
        return replace(self, topics={**self.topics, topic: after})

    def merged(self, other: DrillProgress) -> Self:
        """Return the progress with that of another place: of each topic, the standing with more answers."""
        further = {topic: of for topic, of in other.topics.items() if of.asked > self.standing(topic).asked}
        return replace(self, topics={**self.topics, **further})

    def require_topics(self) -> None:
        """Raise `ValidationError` for a topic that no drill can have."""
        if strange := next((topic for topic in self.topics if not _TOPIC.fullmatch(topic)), None):
            raise msgspec.ValidationError(f"unknown topic: {strange!r}")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read progress from a file; empty progress without a file. Refuse a file of another kind."""
        try:
            kept = msgspec.json.decode(bounded(path.read_bytes()), type=cls)
            kept.require_topics()
            return kept
        except FileNotFoundError:
            return cls()
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            what, allowed = f"not a progress file of crossfelt train: {why}", "another file, or a new one"
            raise BadInput.at(str(path), "progress", what, allowed=allowed) from None

    def write(self, path: Path) -> None:
        """Replace the file atomically."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


class DrillTally(msgspec.Struct, frozen=True, kw_only=True):
    """Totals of one drill over all topics asked so far."""

    rulebook: str
    kind: str
    topics: int
    asked: int
    right: int
    missed: int
    """Topics whose last answer was wrong."""
    known: int
    """Topics with enough right answers in a row that pace counts."""
    fastest: int | None
    """Milliseconds of the fastest right answer."""


def tallies(progress: DrillProgress) -> Iterator[DrillTally]:
    """Yield the totals by rulebook and drill.

    >>> progress = DrillProgress().answered("nj-criss-cross/pay/across.flush", right=False, at=5, millis=900)
    >>> [(tally.kind, tally.asked, tally.missed) for tally in tallies(progress)]
    [('pay', 1, 1)]
    """
    groups: dict[tuple[str, str], list[TopicProgress]] = {}
    for topic, standing in progress.topics.items():
        book, kind, _ = topic.split("/", 2)
        groups.setdefault((book, kind), []).append(standing)
    for (book, kind), standings in sorted(groups.items()):
        yield DrillTally(
            rulebook=book,
            kind=kind,
            topics=len(standings),
            asked=sum(one.asked for one in standings),
            right=sum(one.right for one in standings),
            missed=sum(one.missed for one in standings),
            known=sum(one.in_a_row >= PACE_FROM for one in standings),
            fastest=min((one.fastest for one in standings if one.fastest is not None), default=None),
        )


def in_pace(topic: str, millis: int) -> bool:
    """Return whether an answer was within a dealer's pace.

    >>> in_pace("nj-criss-cross/read/five_card.flush", 3_000), in_pace("nj-criss-cross/read/five_card.flush", 30_000)
    (True, False)
    """
    return millis <= 1_000 * pace_seconds(topic)


def pace_seconds(topic: str) -> int:
    return PACE_SECONDS[topic.split("/")[1]]


def default_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the default progress file, in the user's data directory.

    >>> default_path({"XDG_DATA_HOME": "/data"}).as_posix()
    '/data/crossfelt/training.json'
    """
    shared = Path(environment.get("XDG_DATA_HOME", ""))
    # The XDG specification has relative paths ignored.
    return (shared if shared.is_absolute() else Path.home() / ".local" / "share") / "crossfelt" / "training.json"
