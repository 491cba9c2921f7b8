"""The players' part in a shuffle: the house fixes an order, and the players' seeds permute it. Nobody chooses it alone.

A player's seed is a text. The player sends its SHA-256 before the bets close, and the text after. If the text does not
arrive, its hash takes its place. The seed of the mix is the first 48 bytes of::

    SHAKE-256("crossfelt mix 1" ‖ round's id ‖ for each seat in order: seat, 1 byte ‖ the player's seed)

Each text is UTF-8 after its length in 2 bytes; numbers are big-endian. The order that is dealt is the house's order,
shuffled by Fisher and Yates with the stream ``deck`` of that seed (`crossfelt.cards.shuffle`). A wheel, the dice and
each draw take their streams from the house's seed of the round XOR the seed of the mix.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import msgspec

from crossfelt.cards.shuffle import SEED_BYTES, Chance

T = TypeVar("T")
LEAST, MOST = 16, 128
"""Characters of a player's seed."""
NO_MIX: Final = bytes(SEED_BYTES)
"""The seed of the mix where no player takes part."""
_VERSION: Final = b"crossfelt mix 1"


class PlayerSeed(msgspec.Struct, frozen=True, gc=False):
    """The seed of one seat's player."""

    seat: int
    player: str
    hash: str
    """The SHA-256 of the seed, as sent before the bets closed."""
    seed: str = ""
    """Empty where it did not arrive in time."""


def seed_hash(seed: str) -> str:
    """Return the hash that a player sends before the bets close."""
    return hashlib.sha256(seed.encode()).hexdigest()


def is_seed(text: str) -> bool:
    """Say if a text may be a seed."""
    return LEAST <= len(text) <= MOST and text.isprintable()


def mix_of(round_id: str, seeds: Iterable[PlayerSeed]) -> bytes:
    """Return the seed of the mix.

    >>> ann, bob = PlayerSeed(1, "Ann", "aa", "sixteen letters!"), PlayerSeed(2, "Bob", "bb")
    >>> mix_of("main/7", [ann, bob]) == mix_of("main/7", [bob, ann]) != mix_of("main/8", [ann, bob])
    True
    """
    parts = [_VERSION, _sized(round_id)]
    for one in sorted(seeds, key=lambda one: one.seat):
        parts += [bytes([one.seat]), _sized(one.seed or one.hash)]
    return hashlib.shake_256(b"".join(parts)).digest(SEED_BYTES)


def mixed_order(order: Sequence[T], mix: bytes) -> tuple[T, ...]:
    """Return the order that is dealt.

    >>> mixed_order("abc", NO_MIX) != mixed_order("abc", mix_of("main/7", [PlayerSeed(1, "Ann", "aa")]))
    True
    """
    return Chance(mix, "deck").shuffled(order)


def mixed_seed(house: bytes, mix: bytes) -> bytes:
    """Return the seed of wheels, dice and draws; without a mix it is the house's.

    >>> mixed_seed(b"h" * 48, NO_MIX) == b"h" * 48
    True
    """
    return bytes(one ^ other for one, other in zip(house, mix, strict=True))


def _sized(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(2, "big") + encoded
