"""Signed heads: the house says, under its key, how far its streams had come.

A statement lists streams with the seq and the hash of their last lines, names the hash of the statement before it, and
carries an Ed25519 signature over its canonical JSON without the field ``signature``. Whoever has the public key and a
statement from outside the house can tell whether a history is what the house had then. A file of statements is JSON
lines, oldest first.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.problems import BadInput, Problem
from crossfelt.proof.canonical import decode_exactly, encode, sha256

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_PURPOSE: Final = b"crossfelt head\n"
"""Signed with every statement, so that a signature under this key can mean nothing else."""
_LONGEST_KEY: Final = 10_000
_SIGNATURE: Final = re.compile("[0-9a-f]{128}")
"""One spelling only: `bytes.fromhex` would also take capitals and spaces."""

NamedHead = tuple[str, int, str]
"""A stream, a seq, and the hash of the line there."""


class Statement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How far streams had come."""

    house: str
    number: int
    at: int
    previous: str
    """The hash of the statement before; empty in the first."""
    streams: tuple[NamedHead, ...]
    """Those that have moved since, by name."""
    signature: str = ""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A statement as it was written, and its hash."""

    statement: Statement
    body: bytes
    hash: str


_STATEMENT: Final = msgspec.json.Decoder(Statement)


class SigningKey:
    """The house's private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @classmethod
    def new(cls) -> SigningKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, pem: bytes) -> SigningKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        key = load_pem_private_key(pem, password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("not an Ed25519 key")
        return cls(key)

    @property
    def pem(self) -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @property
    def public(self) -> VerifyingKey:
        return VerifyingKey(self._key.public_key())

    def secret(self, purpose: str) -> bytes:
        """Another secret, for something else, that only who has this key can work out."""
        return hmac.digest(self._key.private_bytes_raw(), f"crossfelt {purpose}".encode(), "sha256")

    def sign(self, statement: Statement) -> Head:
        """The statement with its signature."""
        signature = self._key.sign(_signed_bytes(statement)).hex()
        return _head(msgspec.structs.replace(statement, signature=signature))


class VerifyingKey:
    """The house's public key."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key

    @classmethod
    def read(cls, path: Path) -> VerifyingKey:
        """From a PEM file, as the house writes it, or one that holds 64 hexadecimal digits."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key

        try:
            with path.open("rb") as file:
                text = file.read(_LONGEST_KEY)
            if b"-----" not in text:
                return cls(Ed25519PublicKey.from_public_bytes(bytes.fromhex(text.decode().strip())))
            key = load_pem_public_key(text)
        except OSError as error:
            what = f"cannot be read: {error.strerror}"
            raise BadInput(Problem(code="file.unreadable", what=what, where=str(path))) from None
        except (ValueError, UnsupportedAlgorithm):
            raise _no_key(path) from None
        if not isinstance(key, Ed25519PublicKey):
            raise _no_key(path)
        return cls(key)

    @property
    def pem(self) -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    @property
    def text(self) -> str:
        """64 hexadecimal digits."""
        return self._key.public_bytes_raw().hex()

    def fits(self, head: Head) -> bool:
        """Whether the holder of the private key has signed it."""
        from cryptography.exceptions import InvalidSignature

        signature = head.statement.signature
        if not _SIGNATURE.fullmatch(signature):
            return False
        try:
            self._key.verify(bytes.fromhex(signature), _signed_bytes(head.statement))
        except InvalidSignature:
            return False
        return True


def decode_head(body: bytes) -> Head:
    """A statement from its canonical bytes; `BadInput` if they are none."""
    decode_exactly(_STATEMENT, body, "a signed head")
    return _head(_STATEMENT.decode(body))


def read_heads(path: Path) -> Sequence[Head]:
    """The statements of a file; `BadInput` at the first line that is none."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(path))) from None
    heads = []
    for number, line in enumerate(lines, start=1):
        try:
            heads.append(decode_head(line))
        except BadInput as bad:
            raise BadInput(_at_line(bad.problems[0], path, number)) from None
    if not heads:
        raise BadInput(Problem(code="head.none", what="no signed head is in it", where=str(path)))
    return heads


def faults(heads: Iterable[Head], key: VerifyingKey, before: Head | None = None) -> Iterator[tuple[int, str]]:
    """What is wrong with a run of statements, which may go on after one: the number of each, and why."""
    for head in heads:
        number = head.statement.number
        if not key.fits(head):
            yield number, f"head {number} was not signed with this key"
        if before is not None:
            if number != before.statement.number + 1:
                yield number, f"head {number} comes after head {before.statement.number}"
            elif head.statement.previous != before.hash:
                yield number, f"head {number} does not follow from head {before.statement.number}"
        before = head


def _head(statement: Statement) -> Head:
    body = encode(statement)
    return Head(statement=statement, body=body, hash=sha256(body))


def _signed_bytes(statement: Statement) -> bytes:
    return _PURPOSE + encode(msgspec.structs.replace(statement, signature=""))


def _no_key(path: Path) -> BadInput:
    allowed = "an Ed25519 public key, as PEM or 64 hexadecimal digits"
    return BadInput(Problem(code="key.shape", what="not a key", where=str(path), allowed=allowed))


def _at_line(problem: Problem, path: Path, number: int) -> Problem:
    return msgspec.structs.replace(problem, where=f"{path}: line {number}")
