"""Canonical JSON: one sequence of bytes for each value, so that a hash of the bytes is a hash of the value.

Keys are sorted by code point, nothing stands between the tokens, text is UTF-8 and only the quotation mark, the
reverse solidus and control characters are escaped, numbers are integers. That is what
``json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`` gives, here written by msgspec
with ``order="sorted"``: it sorts the fields of structs together with their tag, so that moving a field in the
source changes no hash. (``order="deterministic"`` would leave them in the order of the source.)

Fields at their defaults are left out, a card travels as its text. A second spelling of the same value (another
order, a blank, a default written out) is not canonical, and `decode_command` and `decode_event` refuse it.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final, TypeVar

import msgspec

from crossfelt.cards.card import HIDDEN, Card, enc_hook
from crossfelt.problems import BadInput, Problem
from crossfelt.table.commands import AnyCommand
from crossfelt.table.events import AnyEvent

T = TypeVar("T")

_CARDS: Final = {Card(number).text: Card(number) for number in range(HIDDEN + 1)}


def dec_hook(wanted: type, value: object) -> Card:
    """A card from the one text it has in canonical JSON; reading other spellings would take ten times as long."""
    card = _CARDS.get(value) if isinstance(value, str) else None
    if card is None:
        raise ValueError(f"not a card: {value!r}")
    return card


_ENCODER: Final = msgspec.json.Encoder(order="sorted", enc_hook=enc_hook)
_COMMAND: Final[msgspec.json.Decoder[AnyCommand]] = msgspec.json.Decoder(AnyCommand, dec_hook=dec_hook)
_EVENT: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent, dec_hook=dec_hook)


def encode(value: Any) -> bytes:
    """The canonical bytes of plain data, a command, an event, or several of them.

    >>> from crossfelt.cards import Card
    >>> encode({"b": [1, True, None], "a": "Zoë", "card": Card("As")})
    b'{"a":"Zo\\xc3\\xab","b":[1,true,null],"card":"As"}'
    >>> encode({"rate": 0.5})
    Traceback (most recent call last):
    crossfelt.problems.BadInput: not canonical: a fraction of a number: 0.5 (allowed: whole numbers)
    """
    _refuse_floats(value)
    return encode_checked(value)


def encode_checked(value: Any) -> bytes:
    """The same, for what a decoder has made: it holds no floats, and is not searched for them."""
    try:
        return _ENCODER.encode(value)
    except (OverflowError, TypeError, ValueError, RecursionError, NotImplementedError) as error:
        raise _not_canonical(str(error)) from None


def sha256(data: bytes) -> str:
    """The hash of some bytes, in 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def decode_command(data: bytes) -> AnyCommand:
    """The command that some canonical bytes stand for.

    >>> decode_command(b'{"at":5,"command":"fold","id":"x","role":"player","seat":2,"who":"Ann"}').seat
    2
    >>> decode_command(b'{"command":"fly"}')
    Traceback (most recent call last):
    crossfelt.problems.BadInput: not a command: Invalid value 'fly' - at `$.command`
    """
    return decode_exactly(_COMMAND, data, "a command")


def decode_event(data: bytes) -> AnyEvent:
    """The event that some canonical bytes stand for.

    >>> decode_event(b'{"at":5,"by":"Ann","cents":100,"event":"chips_bought","seat":2}').cents
    100
    """
    return decode_exactly(_EVENT, data, "an event")


def decode_exactly(decoder: msgspec.json.Decoder[T], data: bytes, what: str) -> T:
    """What some bytes stand for, if they are its canonical bytes."""
    try:
        value = decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadInput(Problem(code="canonical.shape", what=f"not {what}: {error}")) from None
    if encode_checked(value) != data:
        raise _not_canonical(f"{what} is spelt in another way")
    return value


def _refuse_floats(value: Any) -> None:
    """A float has many spellings, and money has none; NaN would even be written as null."""
    if isinstance(value, float):
        problem = Problem(
            code="canonical.float",
            what="not canonical: a fraction of a number",
            value=value,
            allowed="whole numbers",
        )
        raise BadInput(problem)
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            _refuse_floats(getattr(value, field))
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_floats(key)
            _refuse_floats(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            _refuse_floats(item)


def _not_canonical(why: str) -> BadInput:
    return BadInput(Problem(code="canonical", what=f"not canonical: {why}"))
