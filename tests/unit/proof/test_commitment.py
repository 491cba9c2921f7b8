"""A commitment fixes every value, opens one at a time, and shows any change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
import pytest

from crossfelt.cards import joker_deck
from crossfelt.cards.shuffle import SEED_BYTES, Chance, repeatable_seed, shuffled
from crossfelt.errors import BadInput
from crossfelt.proof.commitment import Commitment, LeafOpening, Sealed, deck_leaves, verify
from properties import given, st

SALTS = repeatable_seed(7)
SMALL = {"card/1": "As", "card/2": "Kd", "cut": "17"}
ROUND = {
    **deck_leaves(shuffled(joker_deck(), repeatable_seed(1))),
    "cut": "23",
    "wheel/1": "14",
    "dice": "3 5 6",
    "lucky/seat": "4",
    "magic": "Qh",
}

texts = st.text(st.characters(codec="utf-8"), max_size=20)
some_leaves = st.dictionaries(texts, texts, min_size=1, max_size=20)


def flipped(text: str) -> Iterator[str]:
    """The text with each bit of each byte changed, where that is still text."""
    content = text.encode()
    for bit in range(8 * len(content)):
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        yield changed.decode("latin1")


def tampered(commitment: Commitment, opening: LeafOpening) -> Iterator[tuple[Commitment, LeafOpening]]:
    """Every change of one bit in what was published or opened, and hashes added, dropped and exchanged."""
    replace = msgspec.structs.replace
    for root in flipped(commitment.root):
        yield replace(commitment, root=root), opening
    for index, label in enumerate(commitment.labels):
        for other in flipped(label):
            yield replace(commitment, labels=_with(commitment.labels, index, other)), opening
    for field in ("label", "value", "salt"):
        for text in flipped(getattr(opening, field)):
            yield commitment, replace(opening, **{field: text})
    for index, beside in enumerate(opening.path):
        for text in flipped(beside):
            yield commitment, replace(opening, path=_with(opening.path, index, text))
    yield commitment, replace(opening, path=opening.path[:-1])
    yield commitment, replace(opening, path=(*opening.path, opening.salt))
    yield commitment, replace(opening, path=())
    if len(opening.path) > 1:
        yield commitment, replace(opening, path=opening.path[::-1])
    yield replace(commitment, labels=commitment.labels[1:]), opening
    yield replace(commitment, labels=(*commitment.labels, "zzz")), opening
    yield replace(commitment, labels=(*commitment.labels, commitment.labels[-1])), opening


def _with(texts: tuple[str, ...], index: int, text: str) -> tuple[str, ...]:
    return (*texts[:index], text, *texts[index + 1 :])


def test_everything_that_was_fixed_can_be_opened() -> None:
    sealed = Sealed(ROUND, SALTS)
    for label, value in ROUND.items():
        opening = sealed.opening(label)
        assert (opening.label, opening.value) == (label, value)
        assert verify(sealed.commitment, opening)


@pytest.mark.exhaustive
@given(some_leaves, st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES))
def test_any_leaves_can_be_fixed_and_opened(leaves: dict[str, str], salts: bytes) -> None:
    sealed = Sealed(leaves, salts)
    for label, value in leaves.items():
        opening = sealed.opening(label)
        assert opening.value == value
        assert verify(sealed.commitment, opening)
        assert not verify(sealed.commitment, msgspec.structs.replace(opening, value=value + " "))


@pytest.mark.parametrize("label", SMALL)
def test_any_changed_bit_is_found(label: str) -> None:
    sealed = Sealed(SMALL, SALTS)
    opening = sealed.opening(label)
    changes = list(tampered(sealed.commitment, opening))
    assert len(changes) > 2000
    assert not any(verify(*change) for change in changes)


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", ["card/01", "card/32", "card/33", "card/53", "cut", "wheel/1"])
def test_any_changed_bit_is_found_in_a_whole_round(label: str) -> None:
    sealed = Sealed(ROUND, SALTS)
    assert not any(verify(*change) for change in tampered(sealed.commitment, sealed.opening(label)))


@pytest.mark.exhaustive
def test_an_opening_proves_nothing_for_another_label() -> None:
    sealed = Sealed(ROUND, SALTS)
    openings = [sealed.opening(label) for label in ROUND]
    for opening in openings:
        for other in openings:
            if other is not opening:
                assert not verify(sealed.commitment, msgspec.structs.replace(opening, label=other.label))
                mixed = msgspec.structs.replace(opening, path=other.path, salt=other.salt)
                assert not verify(sealed.commitment, mixed)


def test_a_label_has_one_place_so_the_house_cannot_fix_two_values_for_it() -> None:
    """The same label twice, or labels out of order, would let the house choose later which leaf to open."""
    sealed = Sealed(SMALL, SALTS)
    opening = sealed.opening("cut")
    twice = ("card/1", "cut", "cut")
    assert not verify(_published(twice, opening), opening)
    assert not verify(_published(("card/2", "card/1", "cut"), opening), opening)
    assert verify(_published(("card/1", "card/2", "cut"), opening), opening)


def test_a_label_has_one_height_so_the_house_cannot_hide_a_second_value_deeper_in_the_tree() -> None:
    labels, salt = ("card", "cut"), bytes(32)
    shallow, deep = (_hash(0, _sized("cut"), salt, value) for value in (b"17", b"18"))
    other = bytes(32)
    left = _hash(1, other, deep)
    root = _hash(3, (2).to_bytes(4, "big"), *map(_sized, labels), _hash(1, left, shallow))
    commitment = Commitment(root=root.hex(), labels=labels)
    honest = LeafOpening(label="cut", value="17", salt=salt.hex(), path=(left.hex(),))
    hidden = LeafOpening(label="cut", value="18", salt=salt.hex(), path=(other.hex(), shallow.hex()))
    assert verify(commitment, honest)
    assert not verify(commitment, hidden)


def _published(labels: tuple[str, ...], opening: LeafOpening) -> Commitment:
    """Return the commitment of a server that builds its tree by the rules, except for its labels."""
    place = max(index for index, label in enumerate(labels) if label == opening.label)
    top = _hash(0, _sized(opening.label), bytes.fromhex(opening.salt), opening.value.encode())
    for height, beside in enumerate(map(bytes.fromhex, opening.path)):
        top = _hash(1, beside, top) if place >> height & 1 else _hash(1, top, beside)
    root = _hash(3, len(labels).to_bytes(4, "big"), *map(_sized, labels), top)
    return Commitment(root=root.hex(), labels=labels)


def _hash(kind: int, *parts: bytes) -> bytes:
    return hashlib.sha256(bytes([kind]) + b"crossfelt commitment 1" + b"".join(parts)).digest()


def _sized(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


def test_the_root_is_what_its_description_says() -> None:
    labels = sorted(SMALL)
    salts = {label: Chance(SALTS, f"salt/{label}").take(32) for label in labels}
    leaves = [_hash(0, _sized(label), salts[label], SMALL[label].encode()) for label in labels]
    filling = _hash(2, Chance(SALTS, "filling").take(32))
    top = _hash(1, _hash(1, leaves[0], leaves[1]), _hash(1, leaves[2], filling))
    root = _hash(3, (3).to_bytes(4, "big"), *map(_sized, labels), top)
    assert Sealed(SMALL, SALTS).commitment == Commitment(root=root.hex(), labels=tuple(labels))


def test_a_node_is_not_taken_for_a_leaf_nor_a_leaf_for_a_node() -> None:
    """The confusions by which trees without kinds of hashes can be opened at the wrong height."""
    sealed = Sealed({f"card/{place}": "As" for place in range(4)}, SALTS)
    opening = sealed.opening("card/0")
    salt = bytes.fromhex(opening.salt)
    leaf = _hash(0, _sized("card/0"), salt, b"As")
    # The two hashes of a node, given out as salt and value of a leaf one level up.
    raised = msgspec.structs.replace(opening, salt=leaf.hex(), value=opening.path[0], path=opening.path[1:])
    halved = Commitment(root=sealed.commitment.root, labels=sealed.commitment.labels[:2])
    assert not verify(sealed.commitment, raised)
    assert not verify(halved, raised)
    # The top of the tree, and the root, given out as leaves of a tree of one.
    for top in (leaf.hex(), sealed.commitment.root):
        alone = Commitment(root=top, labels=("card/0",))
        assert not verify(alone, msgspec.structs.replace(opening, path=()))


def test_openings_reveal_nothing_of_other_leaves() -> None:
    """Whoever guesses a value has no salt to check the guess with."""
    sealed = Sealed(ROUND, SALTS)
    opening = sealed.opening("card/01")
    known = {opening.salt, *opening.path}
    for label, value in ROUND.items():
        if label == "card/01":
            continue
        unsalted = _hash(0, _sized(label), b"", value.encode()).hex()
        same_salt = _hash(0, _sized(label), bytes.fromhex(opening.salt), value.encode()).hex()
        assert not {unsalted, same_salt} & known
    salts = {sealed.opening(label).salt for label in ROUND}
    assert len(salts) == len(ROUND)
    assert {len(bytes.fromhex(salt)) for salt in salts} == {32}


def test_the_same_values_under_another_salt_seed_have_nothing_in_common() -> None:
    one, other = Sealed(ROUND, SALTS), Sealed(ROUND, repeatable_seed(8))
    for label in ROUND:
        first, second = one.opening(label), other.opening(label)
        assert not {first.salt, *first.path} & {second.salt, *second.path}
    assert one.commitment.labels == other.commitment.labels


def test_what_is_published_does_not_depend_on_values_but_for_the_root() -> None:
    other = dict.fromkeys(ROUND, "a much longer value than any card has")
    published = Sealed(other, SALTS).commitment
    assert published.labels == Sealed(ROUND, SALTS).commitment.labels
    assert len(published.root) == 64
    paths = {len(Sealed(leaves, SALTS).opening("cut").path) for leaves in (ROUND, other)}
    assert paths == {6}


def test_the_secret_is_not_printed() -> None:
    sealed = Sealed(SMALL, SALTS)
    assert repr(sealed) == f"Sealed({sealed.commitment.root})"
    with pytest.raises(TypeError):
        msgspec.json.encode(sealed)


def test_what_is_published_and_opened_travels_as_json() -> None:
    sealed = Sealed(ROUND, SALTS)
    published = msgspec.json.decode(msgspec.json.encode(sealed.commitment), type=Commitment)
    opening = msgspec.json.decode(msgspec.json.encode(sealed.opening("magic")), type=LeafOpening)
    assert verify(published, opening)


@given(
    st.builds(Commitment, root=texts, labels=st.lists(st.text(max_size=5), max_size=5).map(tuple)),
    st.builds(
        LeafOpening,
        label=st.text(max_size=5),
        value=st.text(max_size=5),
        salt=st.text(max_size=5),
        path=st.lists(st.text(max_size=5), max_size=5).map(tuple),
    ),
)
def test_nonsense_is_no_proof_and_no_error(commitment: Commitment, opening: LeafOpening) -> None:
    assert not verify(commitment, opening)


def test_hashes_have_one_spelling() -> None:
    sealed = Sealed(SMALL, SALTS)
    opening = sealed.opening("cut")
    for salt in (opening.salt.upper(), f" {opening.salt}", f"{opening.salt}\n", opening.salt[:-2]):
        assert not verify(sealed.commitment, msgspec.structs.replace(opening, salt=salt))


def test_half_a_surrogate_pair_is_no_proof() -> None:
    sealed = Sealed(SMALL, SALTS)
    assert not verify(sealed.commitment, msgspec.structs.replace(sealed.opening("cut"), value="\ud800"))


def test_what_was_not_fixed_cannot_be_opened() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Sealed(SMALL, SALTS).opening("dice")
    with pytest.raises(BadInput, match="there is nothing to commit"):
        Sealed({}, SALTS)
    with pytest.raises(BadInput, match="wrong size of a seed"):
        Sealed(SMALL, b"short")
