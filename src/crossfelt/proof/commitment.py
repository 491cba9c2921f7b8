"""The commitment to a round's chance before the bets close, and its verification afterwards.

Each outcome of a round (every place of the deck, the cut, each wheel, the dice, each draw) is a leaf: a label
that is public, a value, and a salt of 256 bits. The server publishes the labels and one hash over all
leaves, and opens the leaves one by one: each viewer gets those that the viewer saw. An opening carries hashes
of other leaves, which reveal nothing, because a salt cannot be guessed.

All hashes are SHA-256 over a kind (one byte), ``crossfelt commitment 1``, and::

    0  leaf      length of label, 2 bytes ‖ label ‖ salt ‖ value
    1  node      left hash ‖ right hash
    2  filling   salt, for the leaves that make their number a power of two
    3  root      number of labels, 4 bytes ‖ each label after its length, 2 bytes ‖ hash of the whole tree

Numbers are big-endian, text is UTF-8, the leaves stand in the order of their encoded labels. The root covers
the labels, so that a label has one place in the tree, and the server cannot fix two values for it and open the
better one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from crossfelt.cards import Card
from crossfelt.cards.shuffle import Chance, first_bytes
from crossfelt.errors import BadInput

_VERSION: Final = b"crossfelt commitment 1"
_LEAF, _NODE, _FILLING, _ROOT = (bytes([kind]) + _VERSION for kind in range(4))
_SALT_BYTES: Final = 32
_HASH_TEXT: Final = re.compile("[0-9a-f]{64}")
_LONGEST_TEXT: Final = 0xFFFF


class Commitment(msgspec.Struct, frozen=True, kw_only=True):
    """The commitment that is published before the bets close."""

    root: str
    """64 hexadecimal digits."""
    labels: tuple[str, ...]
    """The committed labels, each once, in order."""


class LeafOpening(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf, with the hashes that lead to the root."""

    label: str
    value: str
    salt: str
    path: tuple[str, ...]
    """The hash beside this leaf, the hash beside the two of them, and so on up the tree."""


class WholeOpening(msgspec.Struct, frozen=True, kw_only=True):
    """Every value, with the seed of all salts: the whole tree follows from them."""

    salt: str
    """The seed of the salts, in hexadecimal digits."""
    values: tuple[str, ...]
    """In the order of the labels."""


class Sealed:
    """A commitment to a value for each label, with the salts and the tree, which the server keeps secret.

    The same leaves and salt seed give the same tree, so the server stores only these two. The salt seed is as secret as
    the values, and serves one commitment only.

    >>> sealed = Sealed({"card/1": "As", "card/2": "Kd", "cut": "17"}, repeatable_seed(7))
    >>> opening = sealed.opening("card/2")
    >>> opening.value, verify(sealed.commitment, opening)
    ('Kd', True)
    >>> verify(sealed.commitment, msgspec.structs.replace(opening, value="Ks"))
    False
    """

    def __init__(self, leaves: Mapping[str, str], salt_seed: bytes) -> None:
        if not leaves:
            raise BadInput.at("leaves", "commitment.empty", "there is nothing to commit")
        labels = tuple(sorted(leaves))  # by code point, as their UTF-8: no locale has a say in it
        self._values = dict(leaves)
        self._salt_seed = salt_seed
        self._salts = {label: first_bytes(salt_seed, f"salt/{label}", _SALT_BYTES) for label in labels}
        bottom = [_leaf(label, self._salts[label], leaves[label]) for label in labels]
        filling = Chance(salt_seed, "filling")
        bottom += [_hash(_FILLING, filling.take(_SALT_BYTES)) for _ in range(_width(len(labels)) - len(labels))]
        self._levels = [bottom]
        while len(level := self._levels[-1]) > 1:
            self._levels.append([_hash(_NODE, level[at], level[at + 1]) for at in range(0, len(level), 2)])
        self.commitment = Commitment(root=_root(labels, self._levels[-1][0]).hex(), labels=labels)

    def opening(self, label: str) -> LeafOpening:
        """Return the proof of one value, for viewers who saw it."""
        place = self.commitment.labels.index(label)
        beside = (level[(place >> height) ^ 1].hex() for height, level in enumerate(self._levels[:-1]))
        return LeafOpening(label=label, value=self._values[label], salt=self._salts[label].hex(), path=tuple(beside))

    @property
    def whole(self) -> WholeOpening:
        """The proof of every value, for players who took part, once the round is over."""
        return WholeOpening(
            salt=self._salt_seed.hex(), values=tuple(self._values[label] for label in self.commitment.labels)
        )

    def __repr__(self) -> str:
        return f"Sealed({self.commitment.root})"


def verify(commitment: Commitment, opening: LeafOpening) -> bool:
    """Verify that the opening belongs to the commitment. A malformed opening is no proof.

    >>> verify(Commitment(root="", labels=()), LeafOpening(label="cut", value="17", salt="", path=()))
    False
    """
    labels = commitment.labels
    hashes = (commitment.root, opening.salt, *opening.path)
    # One spelling only: `bytes.fromhex` would also take capitals and spaces.
    if not all(map(_HASH_TEXT.fullmatch, hashes)) or not _is_text(opening.label, opening.value, *labels):
        return False
    root, salt, *path = map(bytes.fromhex, hashes)
    if opening.label not in labels or labels != tuple(sorted(set(labels))):
        return False
    if 1 << len(path) != _width(len(labels)):
        return False
    place = labels.index(opening.label)
    top = _leaf(opening.label, salt, opening.value)
    for height, beside in enumerate(path):
        top = _hash(_NODE, beside, top) if place >> height & 1 else _hash(_NODE, top, beside)
    return hmac.compare_digest(_root(labels, top), root)


def verify_whole(commitment: Commitment, opened: WholeOpening) -> bool:
    """Verify that the values are those of the commitment.

    >>> sealed = Sealed({"card/1": "As", "card/2": "Kd"}, repeatable_seed(7))
    >>> verify_whole(sealed.commitment, sealed.whole)
    True
    >>> verify_whole(sealed.commitment, msgspec.structs.replace(sealed.whole, values=("Kd", "As")))
    False
    """
    labels = commitment.labels
    if len(opened.values) != len(labels) or len(set(labels)) != len(labels) or not _is_text(*labels, *opened.values):
        return False
    try:
        again = Sealed(dict(zip(labels, opened.values, strict=True)), bytes.fromhex(opened.salt))
    except ValueError:  # not a seed, or nothing to commit to
        return False
    return again.commitment == commitment


def deck_leaves(deck: Sequence[Card]) -> dict[str, str]:
    """Return a leaf for each place of a deck, the top card first.

    >>> from crossfelt.cards import parse_cards
    >>> deck_leaves(parse_cards("As Kd 2c"))
    {'card/01': 'As', 'card/02': 'Kd', 'card/03': '2c'}
    """
    return {f"card/{place:02}": card.text for place, card in enumerate(deck, start=1)}


def _is_text(*texts: str) -> bool:
    try:
        return all(len(text.encode()) <= _LONGEST_TEXT for text in texts)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False


def _width(leaves: int) -> int:
    return 1 << (leaves - 1).bit_length() if leaves else 0


def _leaf(label: str, salt: bytes, value: str) -> bytes:
    return _hash(_LEAF, _sized(label), salt, value.encode())


def _root(labels: Sequence[str], top: bytes) -> bytes:
    return _hash(_ROOT, len(labels).to_bytes(4, "big"), *map(_sized, labels), top)


def _sized(label: str) -> bytes:
    text = label.encode()
    return len(text).to_bytes(2, "big") + text


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
