"""What a house is told: defaults, then a file, then the environment, then flags; each wins over those before it."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
import msgspec.inspect

from crossfelt._util.bounded_input import bounded_toml
from crossfelt.errors import BadInput, Problem
from crossfelt.server.accounts.login_attempts import NEW_ACCOUNTS

PREFIX: Final = "CROSSFELT_"
FILE: Final = "crossfelt.toml"
SLIP: Final = 0.7
"""How near a name must be to that of a setting to be a slip of the pen: other programs may have names like ours."""
Address = Annotated[
    str, msgspec.Meta(pattern=r"^[!-~]+\Z", description="an address of this machine, as 127.0.0.1 or ::1")
]
Directory = Annotated[str, msgspec.Meta(pattern=r"^[^\0]+\Z", description="a path")]
HostName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])\Z",
        description="names, as tables.example, 10.0.0.5 or [fd00::5], without scheme or port",
    ),
]
"""As a browser names a host; what has more to it would never be asked for."""


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    host: Address = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8000
    data: Directory = "crossfelt-data"
    """Where everything is kept: the embedded store, and the key that heads are signed with."""
    database: Annotated[str, msgspec.Meta(pattern=r"^(postgres(ql)?://.+)?$", description="postgresql://…")] = ""
    """postgresql://… where several processes share a house."""
    heads: Annotated[str, msgspec.Meta(pattern=r"^[^\0]*\Z", description="a path, none, or nothing")] = ""
    """Where signed heads are copied to, outside the data directory; empty for the usual place, none for nowhere."""
    hosts: tuple[HostName, ...] = ()
    """Names under which the house is asked for, beside this machine's own."""
    lan: bool = False
    """Listen to other machines of the network, with a code to come in."""
    url: Annotated[str, msgspec.Meta(pattern=r"^(https?://[^/?#@\s\0]+)?$", description="http://HOST:PORT")] = ""
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
    lease_seconds: Annotated[float, msgspec.Meta(ge=1, le=3600)] = 10.0
    """How long tables of a process that died wait for another one of the house."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "text"] = "json"
    advice: bool = True
    """Whether the process for advice is started and warmed at once; else with the first question."""


SETTINGS: Final[Mapping[str, Any]] = {field.name: field.type for field in msgspec.structs.fields(Config)}
"""Every setting, and what it can be."""


def read_config(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Config:
    """The configuration from all its sources.

    >>> read_config({"port": 9000}, environment={"CROSSFELT_PORT": "8500", "CROSSFELT_LAN": "true"}).port
    9000
    """
    given = {name: value for name, value in flags.items() if value is not None}
    around = _from_environment(environment)
    path = file or Path(str(given.get("data", around.get("data", Config().data)))) / FILE
    where = "--data" if "data" in given else PREFIX + "DATA" if "data" in around else "data"
    stated = _read(path) if file is not None or _is_there(path, where) else {}
    problems = [
        *(_wrong(name, value, f"{path}: {name}") for name, value in stated.items()),
        *(_wrong(name, value, PREFIX + name.upper()) for name, value in around.items()),
        *(_wrong(name, value, f"--{name.replace('_', '-')}") for name, value in given.items()),
    ]
    if found := [problem for problem in problems if problem is not None]:
        raise BadInput(*found)
    return msgspec.convert({**stated, **around, **given}, Config, strict=False)


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Variables by the names of the fields, or nearly; lists are separated by commas."""
    found: dict[str, Any] = {}
    for variable, value in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or (
            name not in SETTINGS and not difflib.get_close_matches(name, SETTINGS, 1, SLIP)
        ):
            continue
        found[name] = tuple(part.strip() for part in value.split(",") if value) if name == "hosts" else value
    return found


def _wrong(name: str, value: Any, where: str) -> Problem | None:
    """What is wrong with a setting; None where nothing is. An address is not repeated: it may hold a password."""
    if name not in SETTINGS:
        near = difflib.get_close_matches(name, SETTINGS, 1)
        allowed = f"did you mean {near[0]}?" if near else ", ".join(SETTINGS)
        return Problem(code="config.unknown", what="no such setting", where=where, allowed=allowed)
    try:
        _look_into(name, msgspec.convert(value, SETTINGS[name], strict=False))
    except (msgspec.ValidationError, ValueError):
        shown = None if name == "database" else value if isinstance(value, str | int) else str(value)
        allowed = _allowed(msgspec.inspect.type_info(SETTINGS[name]))
        return Problem(
            code="config.value", what="not a value of this setting", where=where, value=shown, allowed=allowed
        )
    return None


def _look_into(name: str, value: Any) -> None:
    """`ValueError` for an address that looks like one, and cannot be taken apart."""
    if name == "url" and value:
        parts = urlsplit(value)
        if not parts.hostname or parts.port == 0:
            raise ValueError("no host, or no port that anybody listens at")
    if name == "database" and value:
        from sqlalchemy import exc, make_url

        try:
            make_url(value)
        except exc.ArgumentError as error:
            raise ValueError("no address") from error


def _allowed(kind: msgspec.inspect.Type) -> str:
    """What a setting can be, in words.

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
            return f"{number} from {kind.ge:g} on" if kind.le is None else f"{number} from {kind.ge:g} to {kind.le:g}"
        case msgspec.inspect.VarTupleType():
            return f"a list of {_allowed(kind.item_type)}"
        case _:
            return "a text"


def _is_there(path: Path, where: str) -> bool:
    """Whether a data directory has a file of settings; `BadInput` for one that cannot be looked into."""
    try:
        return path.is_file()
    except OSError as error:
        what, value = f"cannot be used: {error.strerror}", str(path.parent)
        raise BadInput(Problem(code="config.data", what=what, where=where, value=value)) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return bounded_toml(path.read_text("utf-8"))
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(path))) from None
    except ValueError as error:
        raise BadInput(Problem(code="file.toml", what=f"not TOML: {error}", where=str(path))) from None
