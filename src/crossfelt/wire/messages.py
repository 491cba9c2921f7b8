"""The messages of the live protocol, version 1, as `docs/protocol.md` has them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import enc_hook
from crossfelt.errors import Problem
from crossfelt.proof.commitment import Commitment

PROTOCOL: Final = 1
SUBPROTOCOL: Final = "crossfelt.1"
LONGEST_FRAME: Final = 16_384
LONGEST_ID: Final = 64


class Message(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What clients send."""


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """The first message; `after` is the last seq a client has, where it comes back."""

    after: int | None = None


class CommandMessage(Message, frozen=True, kw_only=True, tag="command"):
    """A command; who asks, in which role and when is the server's to say."""

    id: str
    command: dict[str, Any]
    round: int | None = None
    step: str | None = None
    ready: bool = False
    """Wagers with the word that they are all: the dealer need not wait for more of this player."""


class ReadyMessage(Message, frozen=True, kw_only=True, tag="ready"):
    """The player has bet enough, or sits this round out."""

    id: str
    round: int | None = None


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    n: int = 0


Incoming = Hello | CommandMessage | ReadyMessage | Ping
_INCOMING: Final[msgspec.json.Decoder[Incoming]] = msgspec.json.Decoder(Incoming)


def read_message(text: str) -> Incoming:
    """Return the message of a client's frame."""
    return _INCOMING.decode(bounded(text.encode()))


class Outgoing(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="type"):
    """What the server sends."""


class Welcome(Outgoing, frozen=True, kw_only=True, omit_defaults=False, tag="welcome"):
    """Everything a screen needs to begin with."""

    protocol: int = PROTOCOL
    seq: int
    you: dict[str, Any]
    table: dict[str, Any]
    view: Any
    allowed: Any
    meters: Any
    deadline: int | None
    ready: tuple[int, ...]
    held: bool
    commitment: Commitment | None
    now: int


class Resumed(Outgoing, frozen=True, kw_only=True, tag="resumed"):
    """Nothing was missed, or what was missed has just been sent."""

    seq: int
    now: int


class Update(Outgoing, frozen=True, kw_only=True, tag="happened"):
    """What a row did, and what it changed for this viewer; what did not change is left out."""

    seq: int
    events: tuple[msgspec.Raw, ...]
    patch: dict[str, Any]
    allowed: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    meters: Any = msgspec.UNSET
    deadline: int | msgspec.UnsetType | None = msgspec.UNSET
    ready: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    held: bool | msgspec.UnsetType = msgspec.UNSET
    commitment: Commitment | msgspec.UnsetType | None = msgspec.UNSET
    now: int


class Reveal(Outgoing, frozen=True, kw_only=True, tag="opened"):
    """After a round: the proofs of what this viewer saw."""

    round: int
    openings: tuple[msgspec.Raw, ...]
    """Each is an `Opening` of a commitment, encoded."""
    commitment: Commitment


class AcceptedMessage(Outgoing, frozen=True, kw_only=True, tag="accepted"):
    id: str
    seq: int


class RefusedMessage(Outgoing, frozen=True, kw_only=True, tag="refused"):
    id: str
    problem: Problem


class Pong(Outgoing, frozen=True, kw_only=True, omit_defaults=False, tag="pong"):
    n: int
    now: int


class Goodbye(Outgoing, frozen=True, kw_only=True, tag="bye"):
    """The last message; `successor` is the table to join where a change of rules has closed this one."""

    why: str
    successor: str = ""


_ENCODER: Final = msgspec.json.Encoder(enc_hook=enc_hook)


def encode(message: Any) -> bytes:
    return _ENCODER.encode(message)


def as_text(message: Any) -> str:
    """A message as it goes over the wire.

    >>> as_text(Pong(n=1, now=5))
    '{"type":"pong","n":1,"now":5}'
    """
    return _ENCODER.encode(message).decode()
