"""Try every class of attacks, and print how many were tried, held and broke."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.attacks.frames import frames, messages
from benchmarks.attacks.house import cheating_house
from benchmarks.attacks.http_input import (
    bad_utf8,
    content_types,
    injection,
    large,
    origins,
    scripts,
    traversal,
    wrong_types,
)
from benchmarks.attacks.money import double_spending, ids, keys
from benchmarks.attacks.people import alone, log_ins, names, private_tables, roles, sessions
from benchmarks.attacks.resources import connections, full_disk, kills, slow_peers
from benchmarks.attacks.target import Target, Try
from benchmarks.timing import say

ATTACKS: Final[Mapping[str, Callable[[Target], Iterator[Try]]]] = {
    "roles": roles,
    "private tables": private_tables,
    "two people": alone,
    "names": names,
    "sessions": sessions,
    "traversal": traversal,
    "injection": injection,
    "scripts": scripts,
    "content types": content_types,
    "UTF-8": bad_utf8,
    "types": wrong_types,
    "size": large,
    "origin and host": origins,
    "frames": frames,
    "messages": messages,
    "double spending": double_spending,
    "ids": ids,
    "idempotency keys": keys,
    "a cheating house": cheating_house,
    "sockets": connections,
    "slow peers": slow_peers,
    "kills": kills,
    "full disk": full_disk,
    "log-in": log_ins,
}
SLOW: Final = ("sessions", "messages", "slow peers", "kills", "full disk", "log-in")
"""They hash passwords, wait for time-outs or start servers, and are left out of a small share."""


class Row(NamedTuple):
    """The result of one class of attacks."""

    name: str
    what: str
    tried: int
    broke: tuple[str, ...]


def attack(share: float) -> Iterator[Row]:
    """Start a server, try every class of attacks, and yield their results."""
    with tempfile.TemporaryDirectory(prefix="crossfelt-attacks-") as folder:
        target = Target(Path(folder) / "data", share)
        try:
            target.hire()
            for name, tries in ATTACKS.items():
                if share >= 1 or name not in SLOW:
                    yield _row(target, name, tries)
        finally:
            target.server.kill()


def _row(target: Target, name: str, tries: Callable[[Target], Iterator[Try]]) -> Row:
    began, done = time.perf_counter(), list(tries(target))
    if name != "full disk":  # whose faults are faults of the machine
        done.append((f"faults of the program: {target.faults}", target.faults == 0))
    broke = tuple(what for what, held in done if not held)
    say(f"{name}: {len(done):,} tried, {len(broke):,} broke, {time.perf_counter() - began:.0f} s")
    for what in broke[:10]:
        say(f"  broke: {what}")
    return Row(name, (tries.__doc__ or "").strip().rstrip("."), len(done), broke)


def table_of(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the results as a table in Markdown."""
    yield "| attack | what was tried | tried | held | broke |"
    yield "|---|---|---|---|---|"
    for row in rows:
        broke = len(row.broke)
        yield f"| {row.name} | {row.what} | {row.tried:,} | {row.tried - broke:,} | {broke:,} |"
    tried, broke = sum(row.tried for row in rows), sum(len(row.broke) for row in rows)
    yield f"| all | | {tried:,} | {tried - broke:,} | {broke:,} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Attack a server of its own on loopback, and print a table.")
    parser.add_argument("--share", type=float, default=1.0, metavar="X", help="the share of the attacks to try")
    rows = list(attack(parser.parse_args().share))
    print(*table_of(rows), sep="\n")
    if any(row.broke for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
