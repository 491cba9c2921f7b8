"""Smoke test of an installed Crossfelt with its extras: some commands, and a round at a server over its WebSocket.

`tools/check_bounds.py` runs it with the lowest and the newest versions of the dependencies.
"""

from __future__ import annotations

import asyncio
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from crossfelt.client import Client, TableClient

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS: Final = (
    "--version",
    "--help",
    "serve --help",
    "rulebook list",
    "rulebook show nj-criss-cross",
    "clauses",
    "hand 'As Ks Qs Js Ts'",
    "house-way list",
    "solve nj-criss-cross",
    "simulate nj-double-cross --rounds 10000 --seed 1 --raw rounds.parquet",
    "simulate nj-criss-cross --rounds 10000 --seed 1 --cluster local",
    "report nj-criss-cross --quick --rounds 10000 --out sheet.html",
    "report nj-criss-cross --quick --rounds 10000 --out sheet.pdf",
    "shuffle test --shuffles 10000 --seed 1",
)
PAGES: Final = ("/", "/healthz", "/readyz", "/metrics", "/api/openapi.json")
RULEBOOKS: Final = ("nj-criss-cross", "nj-double-cross")
DECISIONS: Final = ("bet", "fold")
INTERRUPTED: Final = 128 + signal.SIGINT
STOP_SECONDS: Final = 30.0
ROUND_SECONDS: Final = 60.0
_ADDRESS: Final = re.compile(r"Crossfelt runs at (http://\S+)")


def main() -> None:
    """Run everything; the first failure ends the program."""
    with tempfile.TemporaryDirectory(prefix="crossfelt-smoke-") as folder:
        for command in COMMANDS:
            print("crossfelt", command, flush=True)
            subprocess.run([*_program(), *shlex.split(command)], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        with _served(folder) as address:
            for page in PAGES:
                print("GET", page, flush=True)
                with urllib.request.urlopen(address + page) as answer:
                    assert answer.read(), page
            for rulebook in RULEBOOKS:
                print("a round of", rulebook, flush=True)
                asyncio.run(_play(address, rulebook))
    print("smoke test passed")


def _program() -> list[str]:
    return [sys.executable, "-m", "crossfelt"]


@contextmanager
def _served(folder: str) -> Iterator[str]:
    """Start a server; stop it as Ctrl-C does, and require that it stops cleanly."""
    command = [*_program(), "serve", "--port", "0", "--data", folder]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield _address(server)
            server.send_signal(signal.SIGINT)
            said = server.communicate(timeout=STOP_SECONDS)[1]
            assert server.returncode == INTERRUPTED, said
            assert "Traceback" not in said, said
        finally:
            server.kill()


def _address(server: subprocess.Popen[str]) -> str:
    """Return the address that the server prints when it is ready."""
    assert server.stderr is not None
    printed = []
    for line in server.stderr:
        printed.append(line)
        if found := _ADDRESS.search(line):
            return found[1]
    raise SystemExit("the server does not start:\n" + "".join(printed))


async def _play(address: str, rulebook: str) -> None:
    """Take a seat and play one round with the smallest wagers."""
    guest = await Client(address).join_as_guest()
    name = await guest.open_table(rulebook, pace="instant")
    async with asyncio.timeout(ROUND_SECONDS), guest.table(name) as table:
        assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
        await table.until(_wagers)
        answer = await table.ask(_wagers(table), ready=True)
        assert answer.accepted, answer
        while table.view["round"] == 1:
            await table.until(lambda seen: seen.view["round"] != 1 or _decision(seen))
            if (decision := _decision(table)) is not None:
                await table.ask(decision, round_number=1, step=table.view["step"])
        assert table.opened, "the server did not open its commitment"


def _wagers(table: TableClient) -> Any:
    """Return the smallest wagers that may be placed; None if betting is closed."""
    option = table.option("place_wagers")
    if option is None or not option.get("ranges"):
        return None
    optional = option.get("optional", ())
    wagers = {name: amounts["min"] for name, amounts in option["ranges"].items() if name not in optional}
    return {"command": "place_wagers", "seat": 1, "wagers": wagers}


def _decision(table: TableClient) -> Any:
    """Return the first open decision with the smallest amounts; None if the player has none."""
    for name in DECISIONS:
        if (option := table.option(name)) is not None:
            amounts = {field: limits["min"] for field, limits in option.get("ranges", {}).items()}
            return {"command": name, "seat": 1, **option.get("fields", {}), **amounts}
    return None


if __name__ == "__main__":
    main()
