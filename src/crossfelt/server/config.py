"""Settings of a server: defaults, then a file, then the environment, then flags. Each wins over those before it."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
import msgspec.inspect

from crossfelt._util.bounded_input import bounded_toml
from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.login_attempts import NEW_ACCOUNTS
from crossfelt.server.runtime.shifts import Shifts

PREFIX: Final = "CROSSFELT_"
LISTS: Final = ("hosts", "shifts")
FILE: Final = "crossfelt.toml"
MISSPELT: Final = 0.7
"""The similarity to a setting from which a variable counts as misspelt; others may belong to other programs."""
Address = Annotated[
    str, msgspec.Meta(pattern=r"^[!-~]+\Z", description="an address of this machine, such as 127.0.0.1 or ::1")
]
Directory = Annotated[str, msgspec.Meta(pattern=r"^[^\0]+\Z", description="a path")]
HostName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])\Z",
        description="host names, such as tables.example, 10.0.0.5 or [fd00::5], without scheme or port",
    ),
]
ClockTime = Annotated[
    str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):(00|15|30|45)\Z", description="times in order, such as 06:00")
]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings."""

    host: Address = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8000
    data: Directory = "crossfelt-data"
    """The directory of the embedded store and of the signing key."""
    database: Annotated[str, msgspec.Meta(pattern=r"^(postgres(ql)?://.+)?$", description="postgresql://…")] = ""
    """postgresql://… for several processes that share tables and accounts."""
    rulebooks: Annotated[str, msgspec.Meta(pattern=r"^[^\0]*\Z", description="a path, or empty")] = ""
    """The directory of the operator's own rulebooks, read at the start."""
    heads: Annotated[str, msgspec.Meta(pattern=r"^[^\0]*\Z", description="a path, none, or empty")] = ""
    """The file for copies of signed heads, outside the data directory. Empty: the default file; none: no copies."""
    hosts: tuple[HostName, ...] = ()
    """Allowed Host headers beside the names of this machine."""
    lan: bool = False
    """Accept other machines of the local network. New players then need a code."""
    url: Annotated[str, msgspec.Meta(pattern=r"^(https?://[^/?#@\s\0]+)?$", description="http://HOST:PORT")] = ""
    """The URL at which other processes reach this one; default: its own address."""
    proxied: bool = False
    """Trust the client address and scheme that a proxy on this machine reports."""
    requests_a_second: Annotated[int, msgspec.Meta(ge=1)] = 50
    """Requests a second of one account, with bursts of ten seconds' worth. An address may send ten times as many."""
    new_accounts: Annotated[int, msgspec.Meta(ge=1)] = NEW_ACCOUNTS.free
    """Guests and accounts that one address may create before it has to wait. Large shared networks need more."""
    connections: Annotated[int, msgspec.Meta(ge=1)] = 20_000
    """Most connections to this process at once. Each takes some 20 kB and a file descriptor."""
    connections_per_address: Annotated[int, msgspec.Meta(ge=1)] = 2_000
    """Most connections from one address, which a whole network may share."""
    lease_seconds: Annotated[float, msgspec.Meta(ge=1, le=3600)] = 10.0
    """The time after which another process takes over the tables of a process that died."""
    time_zone: Annotated[
        str, msgspec.Meta(pattern=r"^[A-Za-z0-9_+/-]+\Z", description="a time zone, such as UTC or America/New_York")
    ] = Shifts().zone
    """The zone in which days and shifts begin."""
    shifts: tuple[ClockTime, ...] = Shifts().starts
    """The times at which shifts begin, in order; the day begins with the first."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "text"] = "json"
    advice: bool = True
    """Start the advice process with the server, not with the first question."""


SETTINGS: Final[Mapping[str, Any]] = {field.name: field.type for field in msgspec.structs.fields(Config)}


def read_config(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Config:
    """Read the settings from all sources, or report every problem.

    >>> read_config({"port": 9000}, environment={"CROSSFELT_PORT": "8500", "CROSSFELT_LAN": "true"}).port
    9000
    """
    given = {name: value for name, value in flags.items() if value is not None}
    variables = _from_environment(environment)
    path = file or Path(str(given.get("data", variables.get("data", Config().data)))) / FILE
    where = "--data" if "data" in given else PREFIX + "DATA" if "data" in variables else "data"
    stated = _read(path) if file is not None or _has_file(path, where) else {}
    problems = [
        *(_wrong(name, value, f"{path}: {name}") for name, value in stated.items()),
        *(_wrong(name, value, PREFIX + name.upper()) for name, value in variables.items()),
        *(_wrong(name, value, f"--{name.replace('_', '-')}") for name, value in given.items()),
    ]
    if found := [problem for problem in problems if problem is not None]:
        raise BadInput(*found)
    return msgspec.convert({**stated, **variables, **given}, Config, strict=False)


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the variables whose names are those of settings, or misspelt. Commas separate the items of a list."""
    found: dict[str, Any] = {}
    for variable, value in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or (
            name not in SETTINGS and not difflib.get_close_matches(name, SETTINGS, 1, MISSPELT)
        ):
            continue
        found[name] = tuple(part.strip() for part in value.split(",") if value) if name in LISTS else value
    return found


def _wrong(name: str, value: Any, where: str) -> Problem | None:
    """Return the problem of a setting, or None. The value of `database` is not repeated: it may hold a password."""
    if name not in SETTINGS:
        near = difflib.get_close_matches(name, SETTINGS, 1)
        allowed = f"did you mean {near[0]}?" if near else ", ".join(SETTINGS)
        return Problem(code="config.unknown", what="unknown setting", where=where, allowed=allowed)
    try:
        _check_value(name, msgspec.convert(value, SETTINGS[name], strict=False))
    except (msgspec.ValidationError, ValueError):
        shown = None if name == "database" else value if isinstance(value, str | int) else str(value)
        allowed = _allowed(msgspec.inspect.type_info(SETTINGS[name]))
        return Problem(code="config.value", what="invalid value", where=where, value=shown, allowed=allowed)
    return None


def _check_value(name: str, value: Any) -> None:
    """Raise `ValueError` for a value that matches its pattern but cannot be used."""
    if name == "shifts" and (not value or list(value) != sorted(set(value))):
        raise ValueError("not in order")
    if name == "time_zone":
        try:
            ZoneInfo(value)
        except (KeyError, OSError) as error:
            raise ValueError("no such zone") from error
    if name == "url" and value:
        parts = urlsplit(value)
        if not parts.hostname or parts.port == 0:
            raise ValueError("no host, or port 0")
    if name == "database" and value:
        from sqlalchemy import exc, make_url

        try:
            make_url(value)
        except exc.ArgumentError as error:
            raise ValueError("not a URL") from error


def _allowed(kind: msgspec.inspect.Type) -> str:
    """Return the allowed values of a setting in words.

    >>> _allowed(msgspec.inspect.type_info(SETTINGS["port"]))
    'a whole number from 0 to 65535'
    """
    match kind:
        case msgspec.inspect.Metadata():
            return str((kind.extra_json_schema or {}).get("description") or _allowed(kind.type))
        case msgspec.inspect.LiteralType():
            return ", ".join(map(str, kind.values))
        case msgspec.inspect.BoolType():
            return "true, false"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            number = "a whole number" if isinstance(kind, msgspec.inspect.IntType) else "a number"
            return (
                f"{number} of at least {kind.ge:g}" if kind.le is None else f"{number} from {kind.ge:g} to {kind.le:g}"
            )
        case msgspec.inspect.VarTupleType():
            return f"a list of {_allowed(kind.item_type)}"
        case _:
            return "text"


def _has_file(path: Path, where: str) -> bool:
    """Return whether a data directory has a settings file; refuse a directory that cannot be read."""
    try:
        return path.is_file()
    except OSError as error:
        raise BadInput.at(where, "config.data", f"cannot be used: {error.strerror}", str(path.parent)) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return bounded_toml(path.read_text("utf-8"))
    except OSError as error:
        raise BadInput.at(str(path), "file.unreadable", f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput.at(str(path), "file.toml", f"not TOML: {error}") from None
