"""Signed heads: the server's statements, under its key, of the length of its streams.

A statement lists streams with the seq and the hash of their last lines, names the hash of the statement before it, and
carries an Ed25519 signature over its canonical JSON without the field ``signature``. With the public key and a
statement from outside the server, an auditor can verify that a history is the one of that time. A file of statements is
JSON lines, oldest first.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.errors import BadInput
from crossfelt.proof.hash_chain import decode_exactly, encode, sha256

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_PURPOSE: Final = b"crossfelt head\n"
"""Signed with every statement, so that a signature under this key can mean nothing else."""
_LONGEST_KEY: Final = 10_000
_SIGNATURE: Final = re.compile("[0-9a-f]{128}")
"""One spelling only: `bytes.fromhex` would also take capitals and spaces."""

NamedHead = tuple[str, int, str]
"""A stream, a seq, and the hash of the line there."""


class HeadStatement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The lengths of the streams at one time."""

    server_id: str
    number: int
    at: int
    previous: str
    """The hash of the statement before; empty in the first."""
    streams: tuple[NamedHead, ...]
    """Those that have moved since, by name."""
    signature: str = ""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A statement as it was written, and its hash."""

    statement: HeadStatement
    body: bytes
    hash: str


_STATEMENT: Final = msgspec.json.Decoder(HeadStatement)


class SigningKey:
    """The server's private key."""

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

    @cached_property
    def public(self) -> VerifyingKey:
        return VerifyingKey(self._key.public_key())

    def secret(self, purpose: str) -> bytes:
        """Derive another secret, for another purpose, from this key."""
        return hmac.digest(self._key.private_bytes_raw(), f"crossfelt {purpose}".encode(), "sha256")

    def signature(self, signed: bytes) -> str:
        """Return the signature of some bytes, which begin with their purpose."""
        return self._key.sign(signed).hex()

    def sign(self, statement: HeadStatement) -> Head:
        """Return the statement with its signature."""
        signature = self.signature(_signed_bytes(statement))
        return _head(msgspec.structs.replace(statement, signature=signature))


class VerifyingKey:
    """The server's public key."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self._key = key

    @classmethod
    def read(cls, path: Path) -> VerifyingKey:
        """Load a key from a PEM file of the server, or from a file of 64 hexadecimal digits."""
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
            raise BadInput.at(str(path), "file.unreadable", f"cannot be read: {error.strerror}") from None
        except (ValueError, UnsupportedAlgorithm):
            raise _no_key(path) from None
        if not isinstance(key, Ed25519PublicKey):
            raise _no_key(path)
        return cls(key)

    @property
    def pem(self) -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    @cached_property
    def text(self) -> str:
        """64 hexadecimal digits."""
        return self._key.public_bytes_raw().hex()

    def fits(self, head: Head) -> bool:
        """Verify the signature of the statement."""
        return self.signed(_signed_bytes(head.statement), head.statement.signature)

    def signed(self, signed: bytes, signature: str) -> bool:
        """Verify a signature of some bytes."""
        from cryptography.exceptions import InvalidSignature

        if not _SIGNATURE.fullmatch(signature):
            return False
        try:
            self._key.verify(bytes.fromhex(signature), signed)
        except InvalidSignature:
            return False
        return True


def decode_head(body: bytes) -> Head:
    """Return a statement from its canonical bytes; raise BadInput if the bytes hold no statement."""
    return _head(decode_exactly(_STATEMENT, body, "a signed head"))


def read_heads(path: Path) -> Sequence[Head]:
    """Return the statements of a file; raise BadInput at the first line without one."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput.at(str(path), "file.unreadable", f"cannot be read: {error.strerror}") from None
    heads = []
    for number, line in enumerate(lines, start=1):
        try:
            heads.append(decode_head(line))
        except BadInput as bad:
            raise BadInput(msgspec.structs.replace(bad.problems[0], where=f"{path}: line {number}")) from None
    if not heads:
        raise BadInput.at(str(path), "head.none", "the file holds no signed head")
    return heads


def head_faults(heads: Iterable[Head], key: VerifyingKey, before: Head | None = None) -> Iterator[tuple[int, str]]:
    """Yield the faults of a run of statements, with the number of each; `before` is the statement before the run."""
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


def _head(statement: HeadStatement) -> Head:
    body = encode(statement)
    return Head(statement=statement, body=body, hash=sha256(body))


def _signed_bytes(statement: HeadStatement) -> bytes:
    return _PURPOSE + encode(msgspec.structs.replace(statement, signature=""))


def _no_key(path: Path) -> BadInput:
    allowed = "an Ed25519 public key, as PEM or 64 hexadecimal digits"
    return BadInput.at(str(path), "key.shape", "not a key", allowed=allowed)


# --- the origin of a history ------------------------------------------------------------------------------------------

CONSISTENT: Final = "consistent, origin unproved"
NOT_YET: Final = f"{CONSISTENT}: these heads do not name it yet"
SIGNED: Final = "consistent, signed by the server"
INCONSISTENT: Final = "inconsistent"


class SignedLine(msgspec.Struct, frozen=True):
    """A line that a signed head names."""

    stream: str
    seq: int
    at: int
    """The time of the signature, in milliseconds."""


class Origin:
    """Compares lines, in order, with signed heads."""

    def __init__(self, heads: Sequence[Head], key: VerifyingKey) -> None:
        self._forged = next((what for _, what in head_faults(heads, key)), None)
        self._lines: dict[tuple[int, str], SignedLine] = {}
        self._named: dict[str, list[int]] = {}
        """The rows of each stream that heads name."""
        for head in heads:
            for stream, seq, digest in head.statement.streams:
                self._lines[seq, digest] = SignedLine(stream, seq, head.statement.at)
                self._named.setdefault(stream, []).append(seq)
        self.found: SignedLine | None = None
        """The last line seen that was signed."""

    def see(self, seq: int, digest: str) -> None:
        self.found = self._lines.get((seq, digest), self.found)

    @property
    def signed(self) -> tuple[int | None, int | None]:
        """The last line seen that was signed, and the time of its signature."""
        return (self.found.seq, self.found.at) if self.found is not None else (None, None)

    def verdict(self, rows: int, stream: str, *, goes_on: bool = False) -> tuple[str, str | None]:
        """Return the heads' verdict on a history of `rows` rows, and its fault, if any.

        The history names its stream: heads that do not name that stream prove nothing about it. A table that was opened
        a moment ago is not forged; but neither is it proved, and a caller that needs a proof (`found`) has none.

        The history of a running table `goes_on`: rows beyond its end that heads name are not missing. The verdict then
        states its length, so that it is not mistaken for the whole.
        """
        if (fault := self._fault(rows, stream, rows if goes_on else None)) is not None:
            return INCONSISTENT, fault
        if self.found is None:
            return NOT_YET, None
        verdict = SIGNED if self.found.seq == rows else f"{SIGNED} up to row {self.found.seq} of {rows}"
        last = max(self._named[self.found.stream])
        return (f"{verdict}; it continues to row {last} at least" if last > rows else verdict), None

    def _fault(self, rows: int, stream: str, until: int | None) -> str | None:
        if self._forged is not None:
            return self._forged
        if self.found is None:
            named = stream in self._named and self._last(stream, until) is not None
            return "no signed head names a line of this history, and they name others of it" if named else None
        signed = self._last(self.found.stream, until)
        assert signed is not None
        if signed > rows:
            return f"rows are missing: the server has signed row {signed} of {self.found.stream}"
        if signed > self.found.seq:
            return f"row {signed} is not the one that the server has signed in {self.found.stream}"
        return None

    def _last(self, stream: str, until: int | None) -> int | None:
        """Return the last row of a stream that a head names, up to a limit."""
        return max((seq for seq in self._named[stream] if until is None or seq <= until), default=None)
