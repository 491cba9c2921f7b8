"""The server's signing key: made at the first start, readable by its owner alone."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Final

from crossfelt._util.atomic_files import new_private_file, write_atomically
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import SigningKey, VerifyingKey

PRIVATE: Final = "crossfelt.key"
PUBLIC: Final = "crossfelt.pub"
SIGNING: Final = "heads"
"""The lease of the process that signs, and the property that holds its public key."""
PUT_BACK: Final = f"the key from a backup; for a new key, move {PUBLIC} away first"
ITS_OWN: Final = "the data directory of the server"


def signing_key(directory: Path) -> SigningKey:
    """Return the key in a data directory, or make one with its public half beside it.

    If there is a public half without a key, the key was lost, and no new one is made. Auditors who hold the old public
    key could not check heads that a new key signs.
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
        raise BadInput.at(str(directory), "key.file", what) from None
    return key


def kept_key(directory: Path) -> SigningKey:
    """Return the key in a data directory; `BadInput` if there is none, or it does not fit its public half."""
    path, public = directory / PRIVATE, directory / PUBLIC
    try:
        key = SigningKey.from_pem(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        allowed = PUT_BACK if os.path.exists(public) else ITS_OWN
        raise BadInput.at(str(path), "key.lost", "is missing", allowed=allowed) from None
    except OSError as error:
        raise BadInput.at(str(path), "key.file", f"cannot be used: {error.strerror}") from None
    except ValueError:
        raise BadInput.at(str(path), "key.shape", "not an Ed25519 private key") from None
    if public.exists() and VerifyingKey.read(public).text != key.public.text:
        raise BadInput.at(str(path), "key.other", f"is not the private key of {PUBLIC}", allowed=PUT_BACK)
    return key


def _make(path: Path) -> None:
    """Write a new key whole or not at all, because half a key stops the server from starting. Of several processes that
    start together, the first one wins."""
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with new_private_file(partial) as file:
        file.write(SigningKey.new().pem)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(partial, path)
    finally:
        partial.unlink()
