"""The receipt of a bet: the house's signature under the commitment of the round and the hash of the player's seed.

A player gets it with the first wager of a round. With it the player can prove later what the house had fixed by then.
The signature is Ed25519, under the key that signs the heads of the server's streams, over ``crossfelt receipt`` and the
fields in order, each on a line of its own.
"""

from __future__ import annotations

from typing import Final

import msgspec

from crossfelt.proof.signed_heads import SigningKey, VerifyingKey

_PURPOSE: Final = "crossfelt receipt"
"""Signed with every receipt, so that the signature can mean nothing else."""


class Receipt(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The commitment of the house at the moment when it accepted the wagers of a seat."""

    table: str
    round: int
    root: str
    """The root of the round's commitment."""
    seat: int
    player: str
    seed_hash: str
    at: int
    """Milliseconds."""
    key: str = ""
    """The public key of the house, 64 hexadecimal digits."""
    signature: str = ""

    @property
    def _signed(self) -> bytes:
        fields = (self.table, self.round, self.root, self.seat, self.player, self.seed_hash, self.at)
        return "\n".join([_PURPOSE, *map(str, fields)]).encode()

    def sign(self, key: SigningKey) -> Receipt:
        """Return the receipt with the house's signature.

        >>> key = SigningKey.new()
        >>> receipt = Receipt(table="main", round=7, root="00", seat=1, player="Ann", seed_hash="00", at=0).sign(key)
        >>> receipt.signed_by(key.public), msgspec.structs.replace(receipt, root="01").signed_by(key.public)
        (True, False)
        """
        return msgspec.structs.replace(self, key=key.public.text, signature=key.signature(self._signed))

    def signed_by(self, key: VerifyingKey) -> bool:
        """Verify the signature. No field may hold a line break: it could pass for the end of another."""
        named = (self.table, self.root, self.player, self.seed_hash)
        return all(text.isprintable() for text in named) and key.signed(self._signed, self.signature)
