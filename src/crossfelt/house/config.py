"""What a house is told: defaults, then a file, then the environment, then flags; each wins over those before it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from crossfelt.house.accounts.throttle import NEW_ACCOUNTS
from crossfelt.problems import BadInput, Problem

PREFIX: Final = "CROSSFELT_"
FILE: Final = "crossfelt.toml"


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8000
    data: str = "crossfelt-data"
    """Where everything is kept: the embedded store, and the key that heads are signed with."""
    database: str = ""
    """postgresql://… where several processes share a house."""
    heads: str = ""
    """Where signed heads are copied to, outside the data directory; empty for the usual place, none for nowhere."""
    hosts: tuple[str, ...] = ()
    """Names under which the house is asked for, beside this machine's own."""
    lan: bool = False
    """Listen to other machines of the network, with a code to come in."""
    url: Annotated[str, msgspec.Meta(pattern=r"^(https?://[^/?#@\s]+)?$")] = ""
    """Where other processes of the house find this one; its own address where it is not said."""
    proxied: bool = False
    """Behind a proxy on this machine, whose word on address and scheme is taken."""
    requests_a_second: Annotated[int, msgspec.Meta(ge=1)] = 50
    """What one person may ask for, with ten seconds' worth at once; ten times as much comes from one address."""
    new_accounts: Annotated[int, msgspec.Meta(ge=1)] = NEW_ACCOUNTS.free
    """How many guests and accounts may come from one address before it waits; a network of many players needs more."""
    connections: Annotated[int, msgspec.Meta(ge=1)] = 20_000
    """How many may be connected to this process at once; each takes some 20 kB, and a file."""
    connections_per_address: Annotated[int, msgspec.Meta(ge=1)] = 2_000
    """Of these from one address, which a whole network may share."""
    herald: bool = False
    """Whether a second process does the writing to viewers: for more tables than one core can tell of."""
    lease_seconds: Annotated[float, msgspec.Meta(ge=1)] = 10.0
    """How long tables of a process that died wait for another one of the house."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "text"] = "json"
    advice: bool = True
    """Whether the process for advice is started and warmed at once; else with the first question."""


def read_config(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Config:
    """The configuration from all its sources.

    >>> read_config({"port": 9000}, environment={"CROSSFELT_PORT": "8500", "CROSSFELT_LAN": "true"}).port
    9000
    """
    given = {name: value for name, value in flags.items() if value is not None}
    told = {**_from_environment(environment), **given}
    data = Path(str(told.get("data", Config().data)))
    path = file or data / FILE
    stated = _read(path) if file is not None or path.is_file() else {}
    try:
        return msgspec.convert({**stated, **told}, Config, strict=False)
    except msgspec.ValidationError as error:
        fields = ", ".join(Config.__struct_fields__)
        raise BadInput(Problem(code="config", what=f"not a configuration: {error}", allowed=fields)) from None


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Variables by the names of the fields; lists are separated by commas."""
    found: dict[str, Any] = {}
    for name in Config.__struct_fields__:
        value = environment.get(PREFIX + name.upper())
        if value is not None:
            found[name] = tuple(part.strip() for part in value.split(",")) if name == "hosts" else value
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(path))) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(Problem(code="file.toml", what=f"not TOML: {error}", where=str(path))) from None
