"""A check of linearizability: the answers that several processes got fit one order of events.

A stream is a log whose rows have unique commands, so its own order is the only possible one. Two conditions suffice:
each answer is in the stream where it claims to be, and no row comes before a row that was acknowledged before the
request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crossfelt.server.store.interface import Stored
from server.store_writers import Done


def contradictions(told: Iterable[Done], rows: Sequence[Stored]) -> Iterator[str]:
    """Yield the contradictions in the answers about one stream."""
    known = [done for done in told if done.seq >= 0]
    at = {row.seq: row for row in rows}
    for done in known:
        row = at.get(done.seq)
        if row is None or row.hash != done.hash or (not done.read and row.command_id != done.command_id):
            yield f"{done} is not in the stream"
    if len({row.command_id for row in rows}) != len(rows):
        yield "a command was carried out twice"
    yield from _out_of_order(known)


def _out_of_order(known: list[Done]) -> Iterator[str]:
    """Sweep through time: a request after an answer must see at least as far, and a write must go beyond it."""
    moments = [(done.asked, 1, done) for done in known] + [(done.answered, 0, done) for done in known]
    moments.sort(key=lambda moment: moment[:2])
    furthest, seen_when_asked = -1, {}
    for _, asked, done in moments:
        if asked:
            seen_when_asked[id(done)] = furthest
        else:
            before = seen_when_asked[id(done)]
            if done.seq < before or (done.seq == before and not done.read):
                yield f"{done} comes before {before}, which was answered before it was asked for"
            furthest = max(furthest, done.seq)
