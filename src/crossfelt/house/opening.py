"""A house as its configuration says."""

from __future__ import annotations

from pathlib import Path

from crossfelt.house.app import LOCAL_HOSTS
from crossfelt.house.audit.signing import outside_file
from crossfelt.house.config import Config
from crossfelt.house.house import House
from crossfelt.house.http.doors import name_of
from crossfelt.house.live.herald import POSSIBLE
from crossfelt.house.live.room import Room
from crossfelt.house.store.opening import open_store
from crossfelt.problems import BadInput, Problem

NOWHERE = "none"
LOOPBACK = "127.0.0.1"


def open_house(config: Config, port: int, code: str = "") -> House:
    """The house of a data directory or a database; whoever wants to come in must know the code, where there is one."""
    if config.herald and not POSSIBLE:
        what = "this system cannot hand a connection to another process"
        raise BadInput(Problem(code="config.herald", where="herald", what=what, value=True, allowed="false"))
    if config.heads not in ("", NOWHERE):
        _require_writable(Path(config.heads))
    directory = Path(config.data)
    store = open_store(directory, config.database or None)
    heads = None if config.heads == NOWHERE else Path(config.heads) if config.heads else outside_file(store.house)
    return House(
        store,
        directory,
        heads=heads,
        url=config.url or own_address(config, port),
        code=code,
        warm=config.advice,
        shared=bool(config.database),
        requests_a_second=config.requests_a_second,
        new_accounts=config.new_accounts,
        room=Room(config.connections, config.connections_per_address),
        herald=config.herald,
        lease_seconds=config.lease_seconds,
    )


def own_address(config: Config, port: int) -> str:
    """Where the house is found on its own machine; with `lan` it listens at every IPv4 address, whatever `host` says.

    >>> own_address(Config(host="::1"), 8000), own_address(Config(host="::1", lan=True), 8000)
    ('http://[::1]:8000', 'http://127.0.0.1:8000')
    """
    return f"http://{_as_named(LOOPBACK if config.lan else config.host)}:{port}"


def names_of(config: Config) -> tuple[str, ...]:
    """Under which the house is asked for; its other processes ask for the one in `url`.

    >>> names_of(Config(host="fd00::5", hosts=("tables.example",), url="http://10.0.0.5:8001"))[3:]
    ('[fd00::5]', '10.0.0.5', 'tables.example')
    """
    here = _as_named(config.host)
    there = name_of(config.url.partition("//")[2]) or here
    return (*LOCAL_HOSTS, here, there, *config.hosts)


def _as_named(host: str) -> str:
    """A host as an address names it, before its port."""
    return f"[{host}]" if ":" in host else host


def _require_writable(heads: Path) -> None:
    """Who says where heads are to be copied to would find out too late that they are not."""
    try:
        heads.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        heads.open("ab").close()
    except OSError as error:
        what, allowed = f"cannot be written: {error.strerror}", f"a file, or {NOWHERE}"
        problem = Problem(code="config.heads", where="heads", what=what, value=str(heads), allowed=allowed)
        raise BadInput(problem) from None
