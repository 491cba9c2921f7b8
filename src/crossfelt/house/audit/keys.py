"""The key that a house signs with: made at the first start, readable by nobody else."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Final

from crossfelt.problems import BadInput, Problem
from crossfelt.proof.heads import SigningKey

PRIVATE: Final = "house.key"
PUBLIC: Final = "house.pub"


def house_key(directory: Path) -> SigningKey:
    """The key in a data directory; made where there is none, with its public half beside it."""
    path = directory / PRIVATE
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            _make(path)
        key = SigningKey.from_pem(path.read_bytes())
        if not (directory / PUBLIC).exists():
            (directory / PUBLIC).write_bytes(key.public.pem)
    except OSError as error:
        problem = Problem(code="key.file", what=f"cannot be used: {error.strerror}", where=str(path))
        raise BadInput(problem) from None
    except ValueError:
        raise BadInput(Problem(code="key.shape", what="not an Ed25519 private key", where=str(path))) from None
    return key


def _make(path: Path) -> None:
    """Written whole or not at all, since half a key would keep the house from starting; and by one process alone,
    where several start at once."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(SigningKey.new().pem)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()
