"""Signed heads: a statement has one spelling, and every other one is refused."""

from __future__ import annotations

from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import HeadStatement, SigningKey, decode_head


def test_no_bit_of_a_signed_head_can_be_flipped() -> None:
    key = SigningKey.new()
    streams = (("table/a", 3, "ab" * 32), ("table/b", 1, "cd" * 32))
    signed = key.sign(HeadStatement(server_id="h", number=1, at=5, previous="", streams=streams))
    assert key.public.fits(decode_head(signed.body))
    kept = []
    for place in range(len(signed.body)):
        for bit in range(8):
            body = bytearray(signed.body)
            body[place] ^= 1 << bit
            try:
                head = decode_head(bytes(body))
            except BadInput:
                continue
            kept += [(place, bit)] if key.public.fits(head) else []
    assert not kept
