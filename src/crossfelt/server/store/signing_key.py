"""The key that a house signs with: made at the first start, readable by nobody else."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Final

from crossfelt._util.atomic_files import new_private_file, write_atomically
from crossfelt.errors import BadInput, Problem
from crossfelt.proof.signed_heads import SigningKey, VerifyingKey

PRIVATE: Final = "crossfelt.key"
PUBLIC: Final = "crossfelt.pub"
SIGNING: Final = "heads"
"""The lease of the process that signs; the fact of that name is the public key it signs with."""
PUT_BACK: Final = f"the key from a backup, or a new one once {PUBLIC} is put away"
ITS_OWN: Final = "the data directory of the house"


def signing_key(directory: Path) -> SigningKey:
    """The key in a data directory; made where there was none, with its public half beside it.

    Where the public half shows that there was another one, none is made: a house that signs with a new key by accident
    has heads that nobody can check with the old one.
    """
    path, public = directory / PRIVATE, directory / PUBLIC
    try:
        if not path.exists() and not public.exists():
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            _make(path)
        key = kept_key(directory)
        if not public.exists():
            write_atomically(public, key.public.pem)
    except OSError as error:
        what = "not a directory" if os.path.isfile(directory) else f"cannot be used: {error.strerror}"
        raise BadInput(Problem(code="key.file", what=what, where=str(directory))) from None
    return key


def kept_key(directory: Path) -> SigningKey:
    """The key in a data directory that has one."""
    path, public = directory / PRIVATE, directory / PUBLIC
    try:
        key = SigningKey.from_pem(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        allowed = PUT_BACK if os.path.exists(public) else ITS_OWN
        raise BadInput(Problem(code="key.lost", what="is missing", where=str(path), allowed=allowed)) from None
    except OSError as error:
        what = f"cannot be used: {error.strerror}"
        raise BadInput(Problem(code="key.file", what=what, where=str(path))) from None
    except ValueError:
        raise BadInput(Problem(code="key.shape", what="not an Ed25519 private key", where=str(path))) from None
    if public.exists() and VerifyingKey.read(public).text != key.public.text:
        what = f"is not the one that {PUBLIC} belongs to"
        raise BadInput(Problem(code="key.other", what=what, where=str(path), allowed=PUT_BACK))
    return key


def _make(path: Path) -> None:
    """Written whole or not at all, since half a key would keep the house from starting; and by one process alone,
    where several start at once."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with new_private_file(beside) as file:
        file.write(SigningKey.new().pem)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()
