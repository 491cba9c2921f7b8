"""The messages of the WebSocket protocol, version 1, shared by server and client (`docs/protocol.md`)."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import enc_hook
from crossfelt.errors import Problem
from crossfelt.proof.commitment import Commitment, LeafOpening, WholeOpening
from crossfelt.proof.receipt import Receipt

PROTOCOL: Final = 1
SUBPROTOCOL: Final = "crossfelt.1"
LONGEST_FRAME: Final = 16_384
LONGEST_ID: Final = 64
GOING_AWAY: Final = 1001
POLICY_VIOLATION: Final = 1008
TRY_AGAIN: Final = 1013
"""WebSocket close codes (RFC 6455, 7.4, and the IANA registry)."""


class Message(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A message from a client."""


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """The first message. A client that reconnects names the last seq it has as `after`."""

    after: int | None = None


class CommandMessage(Message, frozen=True, kw_only=True, tag="command"):
    """A command. The server adds the player, the role and the time."""

    id: str
    command: dict[str, Any]
    round: int | None = None
    step: str | None = None
    ready: bool = False
    """Set with the player's last wagers: the dealer need not wait for more of this player."""


class ReadyMessage(Message, frozen=True, kw_only=True, tag="ready"):
    """The player places no more wagers in this round."""

    id: str
    round: int | None = None


class GoOnMessage(Message, frozen=True, kw_only=True, tag="go_on"):
    """The player does not want to wait longer for the player of a seat."""

    id: str
    seat: int


class PausesMessage(Message, frozen=True, kw_only=True, tag="pauses"):
    """The dealer's pauses, on or off. A player alone with bots may turn them off and show events at their own speed."""

    id: str
    on: bool


class SeedMessage(Message, frozen=True, kw_only=True, tag="seed"):
    """The player's seed, after no more bets: the text whose hash came with the wagers."""

    id: str
    round: int
    seat: int
    seed: str


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    n: int = 0


Incoming = Hello | CommandMessage | ReadyMessage | SeedMessage | GoOnMessage | PausesMessage | Ping
_INCOMING: Final[msgspec.json.Decoder[Incoming]] = msgspec.json.Decoder(Incoming)


def read_message(data: bytes) -> Incoming:
    """Decode the message of a client's frame."""
    return _INCOMING.decode(bounded(data))


class Outgoing(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="type"):
    """A message from the server."""


class Welcome(Outgoing, frozen=True, kw_only=True, omit_defaults=False, tag="welcome"):
    """The complete view that a client begins with."""

    protocol: int = PROTOCOL
    seq: int
    you: dict[str, Any]
    table: dict[str, Any]
    view: Any
    allowed: Any
    meters: Any
    deadline: int | None
    ready: tuple[int, ...]
    waiting: Any
    held: bool
    commitment: Commitment | None
    now: int


class Resumed(Outgoing, frozen=True, kw_only=True, tag="resumed"):
    """The client has all updates: none was missed, or the missed ones have just been sent."""

    seq: int
    now: int


class Update(Outgoing, frozen=True, kw_only=True, tag="happened"):
    """The events of a row, and what they changed for this viewer; unchanged fields are left out."""

    seq: int
    events: tuple[msgspec.Raw, ...]
    patch: dict[str, Any]
    allowed: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    meters: Any = msgspec.UNSET
    deadline: int | msgspec.UnsetType | None = msgspec.UNSET
    ready: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    waiting: Any = msgspec.UNSET
    held: bool | msgspec.UnsetType = msgspec.UNSET
    commitment: Commitment | msgspec.UnsetType | None = msgspec.UNSET
    now: int


class Reveal(Outgoing, frozen=True, kw_only=True, tag="opened"):
    """The proofs of a round, sent after it: of the whole deck to its players, of what they saw to other viewers."""

    round: int
    openings: tuple[LeafOpening, ...] = ()
    opened: WholeOpening | None = None
    commitment: Commitment


class AcceptedMessage(Outgoing, frozen=True, kw_only=True, tag="accepted"):
    id: str
    seq: int
    receipt: Receipt | None = None
    """For wagers with the hash of a seed: the house's signature under the commitment of the round."""


class RefusedMessage(Outgoing, frozen=True, kw_only=True, tag="refused"):
    id: str
    problem: Problem


class Pong(Outgoing, frozen=True, kw_only=True, omit_defaults=False, tag="pong"):
    n: int
    now: int


class Goodbye(Outgoing, frozen=True, kw_only=True, tag="bye"):
    """The last message. After a change of rules `successor` is the table to join instead."""

    why: str
    successor: str = ""


_ENCODER: Final = msgspec.json.Encoder(enc_hook=enc_hook)


def encode(message: Any) -> bytes:
    return _ENCODER.encode(message)


def as_text(message: Any) -> str:
    """Encode a message as text.

    >>> as_text(Pong(n=1, now=5))
    '{"type":"pong","n":1,"now":5}'
    """
    return encode(message).decode()
