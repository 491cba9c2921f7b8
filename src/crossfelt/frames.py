"""Messages of text as they go over a WebSocket (RFC 6455, 5.2): the house and its client cut and write them alike."""

from __future__ import annotations

from typing import Final

TEXT: Final = b"\x81"
"""The first byte of a whole message of text."""
MASKED, MASK_BYTES = 0x80, 4
"""A client masks everything, a server nothing; the mask comes before the content."""
_SIZE: Final = 0x7F
_MEDIUM, _LONG = 126, 127
"""What stands for the size where it follows in two bytes, or in eight."""


def frame(data: bytes) -> bytes:
    """A message of text as a server sends it.

    >>> frame(b"Hello")
    b'\\x81\\x05Hello'
    >>> frame(300 * b".")[:4]
    b'\\x81~\\x01,'
    """
    size = len(data)
    if size < _MEDIUM:
        return b"%b%c%b" % (TEXT, size, data)
    if size < 1 << 16:
        return b"%b%c%b%b" % (TEXT, _MEDIUM, size.to_bytes(2, "big"), data)
    return b"%b%c%b%b" % (TEXT, _LONG, size.to_bytes(8, "big"), data)


def content_of(data: bytes, start: int) -> slice | None:
    """Where the content of the frame lies that starts there, which may not have come in whole; None where too little
    has come in to say.

    >>> content_of(b"\\x81\\x05Hello\\x81", 0), content_of(b"\\x81\\x05Hello\\x81", 7)
    (slice(2, 7, None), None)
    """
    begin = start + 2
    if len(data) < begin:
        return None
    masked, size = data[start + 1] & MASKED, data[start + 1] & _SIZE
    if size >= _MEDIUM:
        first, begin = begin, begin + (2 if size == _MEDIUM else 8)
        if len(data) < begin:
            return None
        size = int.from_bytes(data[first:begin], "big")
    begin += MASK_BYTES if masked else 0
    return slice(begin, begin + size)
