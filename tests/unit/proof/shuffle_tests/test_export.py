"""An export holds seeds, stream and outcomes from which a laboratory can follow every shuffle."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from crossfelt.cards import deck_of, format_cards, parse_cards
from crossfelt.cards.shuffle import BLOCK_BYTES, SEED_BYTES, Chance, arrange, repeatable_seed, shuffled
from crossfelt.proof.shuffle_tests.batch_shuffle import BATCH, ShippedShuffles
from crossfelt.proof.shuffle_tests.export import Export, Manifest

SHUFFLES = BATCH + 100


def rows_of(content: bytes, width: int) -> list[bytes]:
    return [content[at : at + width] for at in range(0, len(content), width)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("cards", [52, 53])
def test_seeds_stream_and_outcomes_belong_together(tmp_path: Path, cards: int) -> None:
    deck = deck_of(cards)
    text, binary = tmp_path / "shuffles.txt", tmp_path / "shuffles.bin"
    list(Export(text, ShippedShuffles(cards, repeatable_seed(7)), raw=True).write(SHUFFLES))
    list(Export(binary, ShippedShuffles(cards, repeatable_seed(7)), binary=True).write(SHUFFLES))
    lines = text.read_text(encoding="ascii").splitlines()
    numbers = rows_of(binary.read_bytes(), cards)
    seeds = rows_of((tmp_path / "shuffles.txt.seeds").read_bytes(), SEED_BYTES)
    streams = rows_of((tmp_path / "shuffles.txt.stream").read_bytes(), BLOCK_BYTES)
    assert len(lines) == len(numbers) == len(seeds) == len(streams) == SHUFFLES
    for row in range(0, SHUFFLES, 97):
        order = shuffled(deck, seeds[row])
        assert parse_cards(lines[row], joker=True) == order
        assert tuple(deck[number] for number in numbers[row]) == order
        assert Chance(seeds[row], f"shuffle/{cards}").take(BLOCK_BYTES) == streams[row]
        again = list(deck)
        arrange(again, iter(streams[row]))
        assert tuple(again) == order


def test_the_manifest_describes_each_file(tmp_path: Path) -> None:
    export = Export(tmp_path / "shuffles.txt", ShippedShuffles(52, repeatable_seed(7)), raw=True)
    assert sum(export.write(1_000)) == 1_000
    manifest = export.manifest()
    assert (manifest.cards, manifest.shuffles) == (52, 1_000)
    assert manifest.run_seed == repeatable_seed(7).hex()
    assert manifest.deck == format_cards(deck_of(52))
    assert [Path(file.file).name for file in manifest.files] == [
        "shuffles.txt",
        "shuffles.txt.seeds",
        "shuffles.txt.stream",
    ]
    for file in manifest.files:
        content = Path(file.file).read_bytes()
        assert len(content) == 1_000 * file.bytes_per_shuffle
        assert hashlib.sha256(content).hexdigest() == file.sha256
    assert msgspec.json.decode(msgspec.json.encode(manifest), type=Manifest) == manifest


def test_an_export_that_is_broken_off_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "shuffles.txt"
    out.write_text("earlier")
    writing = Export(out, ShippedShuffles(52), raw=True).write(3 * BATCH)
    next(writing)
    assert len(list(tmp_path.iterdir())) == 4
    writing.close()
    assert [file.name for file in tmp_path.iterdir()] == ["shuffles.txt"]
    assert out.read_text() == "earlier"
