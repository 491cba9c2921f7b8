"""Histories: canonical bytes, a chain that cannot be bent unseen, and replay that gives the same table."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.proof.hash_chain import dec_hook, decode_exactly, encode, sha256
from crossfelt.proof.history import BrokenHistory, History, HistoryWriter, read_history
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Role
from crossfelt.table.engine import allowed
from crossfelt.table.views import Viewer, view
from properties import given, settings, st
from soak_length import scaled
from unit.table.random_table import ALL_GAMES, Driver, replayed

GAMES: Final = tuple(compile_game(book, stated) for book, stated in ALL_GAMES)


def written(driver: Driver) -> bytes:
    """The history of a driven table."""
    file = io.BytesIO()
    with HistoryWriter(file, "table 1", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    return file.getvalue()


def played(seed: int = 7, rounds: int = 1, **how: Any) -> Driver:
    driver = Driver(compile_game("md-criss-cross"), seed, **how)
    driver.play(rounds)
    return driver


# --- canonical JSON -----------------------------------------------------------------------------------------------

plain_data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.exhaustive
@settings(derandomize=True, database=None)
@given(plain_data)
def test_canonical_bytes_are_those_of_the_standard_library(value: Any) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert encode(value) == text.encode()
    assert msgspec.json.decode(encode(value)) == value


@pytest.mark.parametrize("value", [0.5, float("nan"), [1.0], {"a": {"b": 2.5}}, {1.5: 1}, (1, 2.0)])
def test_fractions_are_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="a fraction of a number"):
        encode(value)


def test_a_fraction_inside_a_command_is_refused() -> None:
    command = c.Bet(id="1", who="Ann", role="player", at=0, seat=1, cents=2.5)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"a fraction of a number: 2\.5"):
        encode(command)


@pytest.mark.parametrize(
    "value", ["\ud800", object(), {"a": iter("ab")}, {(1, 2): 3}], ids=["surrogate", "object", "iterator", "key"]
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="not canonical"):
        encode(value)


def test_the_hash_of_a_game_is_the_hash_of_its_canonical_data() -> None:
    for game in GAMES:
        assert sha256(encode(game.as_data())) == game.hash


FOLD: Final = b'{"at":5,"command":"fold","id":"x","role":"player","seat":2,"who":"Ann"}'


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (FOLD.replace(b",", b", "), "spelt in another way"),
        (FOLD + b" ", "spelt in another way"),
        (b'{"command":"fold","at":5' + FOLD.partition(b'"fold"')[2], "spelt in another way"),
        (FOLD.replace(b'"who"', b'"step":null,"who"'), "spelt in another way"),
        (FOLD.replace(b'"x"', b'"\\u0078"'), "spelt in another way"),
        (FOLD.replace(b"5", b"5.0"), "not a command"),
        (FOLD.replace(b'"x"', b'"\xff"'), "not a command"),
        (FOLD.replace(b"fold", b"fly"), "not a command"),
        (FOLD.replace(b'"seat":2,', b""), "not a command"),
        (FOLD.replace(b'"seat"', b'"chair":1,"seat"'), "not a command"),
        (b"", "not a command"),
    ],
)
def test_a_command_has_one_spelling(data: bytes, complaint: str) -> None:
    decoder: msgspec.json.Decoder[c.AnyCommand] = msgspec.json.Decoder(c.AnyCommand, dec_hook=dec_hook)
    assert encode(decode_exactly(decoder, FOLD, "a command")) == FOLD
    with pytest.raises(BadInput, match=complaint) as refused:
        decode_exactly(decoder, data, "a command")
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["as", "10s", "AS", "1s", "", 51, None])
def test_a_card_has_one_spelling(text: object) -> None:
    def shown(card: object) -> bytes:
        card_text = json.dumps(card).encode()
        return b'{"at":0,"by":"Ann","card":%b,"event":"community_card_exposed","place":"middle"}' % card_text

    decoder: msgspec.json.Decoder[e.AnyEvent] = msgspec.json.Decoder(e.AnyEvent, dec_hook=dec_hook)
    event = decode_exactly(decoder, shown("As"), "an event")
    assert isinstance(event, e.CommunityCardExposed)
    assert event.card is Card("As")
    with pytest.raises(BadInput, match="not an event"):
        decode_exactly(decoder, shown(text), "an event")


# --- the file -----------------------------------------------------------------------------------------------------


def test_what_is_written_is_read(tmp_path: Path) -> None:
    driver = played(rounds=2, trouble=0.1)
    path = tmp_path / "table.jsonl"
    with HistoryWriter.create(path, "table 1", driver.table.game) as history:
        hashes = [history.append(row.command, row.events) for row in driver.lived]
    with read_history(path) as read:
        rows = list(read)
        assert (read.header.table, read.header.game_hash) == ("table 1", driver.table.game.hash)
        assert read.header.compile() == driver.table.game
        assert read.head == history.head
    assert [(row.command, row.events) for row in rows] == [(row.command, row.events) for row in driver.lived]
    assert [row.hash for row in rows] == hashes
    assert [row.seq for row in rows] == [n + 1 for n in range(len(rows))]


def test_every_line_is_canonical_and_linked_to_the_one_before() -> None:
    previous = ""
    for line in written(played()).splitlines():
        data = json.loads(line)
        assert encode(data) == line
        if previous:
            assert data["previous"] == previous
            own = data.pop("hash")
            assert sha256(encode(data)) == own
        previous = own if previous else sha256(line)


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_bytes(b"precious")
    with pytest.raises(BadInput, match=r"table\.jsonl: cannot be written: File exists"):
        HistoryWriter.create(path, "table 1", GAMES[0])
    assert path.read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "line 1: not a history: Input data was truncated"),
        (b"hello\n", "line 1: not a history: JSON is malformed"),
        (b"[]\n", "line 1: not a history: Expected `object`, got `array`"),
        (b'{"crossfelt":"0"}\n', "line 1: not a history: Object missing required field"),
        (b"\xff\xfe\n", "line 1: not a history"),
    ],
)
def test_what_is_no_history_is_refused_at_once(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_bytes(content)
    with pytest.raises(BadInput) as refused:
        read_history(path)
    assert not isinstance(refused.value, BrokenHistory)
    assert str(refused.value).startswith(f"{path}: {complaint}")


def test_a_schema_that_is_not_known_is_refused() -> None:
    with pytest.raises(BadInput, match=r"unknown history schema 2 \(allowed: 1\)"):
        History(io.BytesIO(written(played()).replace(b'"schema":1,"table"', b'"schema":2,"table"', 1)))


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.jsonl: cannot be read: No such file or directory"):
        read_history(tmp_path / "none.jsonl")


Lines = list[bytes]


def _edit(line: int, old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    def edit(lines: Lines) -> Lines:
        assert old in lines[line]
        return [*lines[:line], lines[line].replace(old, new, 1), *lines[line + 1 :]]

    return edit


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("tamper", "complaint"),
    [
        (_edit(0, b'"table 1"', b'"table 2"'), "line 2: does not follow the line before it"),
        (_edit(0, b'"game":{', b'"game": {'), "line 1: not canonical JSON"),
        (_edit(0, b'"min":1', b'"min":2'), "line 1: the game was changed: its hash differs"),
        (_edit(0, b'"min":1', b'"min":1.5'), "line 1: not canonical JSON"),
        (_edit(3, b'"seq":3', b'"seq":4'), "line 4: rows are missing or out of order: seq: 4 (allowed: 3)"),
        (_edit(3, b'"at":1', b'"at":2'), "line 4: was changed: its hash differs"),
        (_edit(3, b'"previous":"', b'"previous":"0'), "line 4: does not follow the line before it"),
        (_edit(3, b'"at":', b'"at": '), "line 4: not canonical: a row is spelt in another way"),
        (_edit(3, b'{"command":{', b'{"command":[{'), "line 4: not a row"),
        (_edit(3, b'"seq":3', b'"more":1,"seq":3'), "line 4: not a row"),
        (lambda lines: lines[:3] + lines[4:], "line 4: rows are missing or out of order: seq: 4 (allowed: 3)"),
        (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "line 4: rows are missing or out of order"),
        (lambda lines: [*lines[:4], *lines[3:]], "line 5: rows are missing or out of order: seq: 3 (allowed: 4)"),
        (lambda lines: lines[:-1], "line 23: the history ends without its last line"),
        (lambda lines: [*lines[:-2], lines[-1]], "line 22: rows are missing: the last line counts: 21 (allowed: 20)"),
        (lambda lines: [*lines, lines[-1]], "line 24: something stands after the last line"),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], "line 23: the line is cut short"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b"end", b"END")], "line 23: not a row"),
        (lambda lines: [lines[0][:-1]], "line 1: not canonical JSON"),
    ],
)
def test_tampering_is_named_with_its_line(tamper: Callable[[Lines], Lines], complaint: str) -> None:
    driver = Driver(compile_game("md-criss-cross"), seed=7, players=2)
    while len(driver.lived) < 21:
        driver.act()
    lines = tamper(written(driver).splitlines(keepends=True))
    with pytest.raises(BrokenHistory) as broken:
        list(History(io.BytesIO(b"".join(lines))))
    assert str(broken.value).startswith(complaint)
    assert len(str(broken.value).splitlines()) == 1


def test_a_line_that_never_ends_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written(played())
    first = len(whole.split(b"\n", 1)[0]) + 1
    monkeypatch.setattr("crossfelt.proof.history.LONGEST_LINE", first + 5)
    long = whole[:first] + b'{"command":' + b"1" * first
    with pytest.raises(BrokenHistory, match="line 2: the line is too long"):
        list(History(io.BytesIO(long)))


# --- replay -------------------------------------------------------------------------------------------------------


IRREGULARITIES: Final = frozenset(
    (
        *("face_up_card", "card_in_error", "wrong_card_count", "community_exposed", "shuffler_jam", "shoe_jam"),
        *("device_out_of_order", "shuffler_count_wrong", "player_leaves", "conduct_breach"),
        *("misdealt", "not_misdealt", "misdealt_and_wrong_total"),
    )
)
"""The irregularities, and the findings of a wrong count of the stub."""


def went_wrong(driver: Driver) -> set[str]:
    reported = {event.kind for event in driver.events if isinstance(event, e.IrregularityReported)}
    return reported | {event.finding for event in driver.events if isinstance(event, e.StubCounted)}


def assert_replayed(driver: Driver) -> None:
    """The history of a table gives the same table: what it is, what may be done, and what is seen."""
    history = History(io.BytesIO(written(driver)))
    table = replayed(history)
    assert table == driver.table
    roles: tuple[Role, ...] = ("dealer", "floor", "player")
    for role in roles:
        options, lived = (sorted(map(encode, allowed(t, "player1", role))) for t in (table, driver.table))
        assert options == lived
        viewer = Viewer(role, "player1")
        assert encode(view(table, viewer)) == encode(view(driver.table, viewer))


@pytest.mark.exhaustive
def test_replay_gives_the_table_that_was_lived_through() -> None:
    """Until everything that can go wrong has gone wrong."""
    happened: set[str] = set()
    for seed in range(600):
        driver = Driver(GAMES[seed % len(GAMES)], seed, players=1 + seed % 6, trouble=0.3)
        driver.play(2)
        assert_replayed(driver)
        happened |= went_wrong(driver)
        if happened >= IRREGULARITIES and seed >= 30:
            break
    assert happened >= IRREGULARITIES


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(8))
def test_replay_gives_a_physical_table_too(seed: int) -> None:
    driver = Driver(GAMES[seed], seed, players=3, trouble=0.1, physical=True)
    driver.play(2)
    assert_replayed(driver)


@pytest.mark.soak
@settings(max_examples=scaled(5_000), database=None)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32 - 1), trouble=st.sampled_from((0.0, 0.05, 0.3)))
def test_replay_in_the_long_run(game: Game, seed: int, trouble: float) -> None:
    driver = Driver(game, seed, players=1 + seed % 6, trouble=trouble)
    driver.play(3)
    assert_replayed(driver)
