"""Deeply nested input is refused at every border, before it is decoded."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crossfelt._util import bounded_input
from crossfelt._util.bounded_input import MOST_LEVELS, InputTooLarge, bounded
from crossfelt.analysis.simulation.shards import SimulationProgress as SimulationProgress
from crossfelt.cli.commands import fair
from crossfelt.errors import BadInput
from crossfelt.progressive.commands import AnyMeterCommand
from crossfelt.progressive.events import AnyMeterEvent
from crossfelt.progressive.meter import Meter, evolve
from crossfelt.proof.history import History, read_stream
from crossfelt.proof.signed_heads import decode_head
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import read_file
from crossfelt.server.audit.integrity import line_fault
from crossfelt.server.audit.search import entries_of
from crossfelt.server.config import read_config
from crossfelt.server.core.recovery import read_seal, readable_header, readable_row
from crossfelt.server.http.middleware.proxy import _table_in
from crossfelt.server.store.backup import Backup
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.projection import BrokenChain, Projection
from crossfelt.training.progress import DrillProgress as TrainingProgress
from crossfelt.wire import read_message
from server.served import serving

LIST = 100_000 * b"[" + 100_000 * b"]"
DEEP = b'{"x":' + LIST + b"}"
DEEP_TOML = b"port = " + LIST
DOTTED_TOML = b".".join([b"a"] * (MOST_LEVELS + 1)) + b" = 1"


def row(body: bytes = DEEP) -> Stored:
    return Stored(position=2, stream="table/1/1", seq=1, command_id="", at=0, body=body, hash="", fence=0)


def file(directory: Path, name: str, content: bytes = DEEP) -> Path:
    path = directory / name
    path.write_bytes(content)
    return path


BORDERS: dict[str, Callable[[Path], object]] = {
    "history": lambda _: History(io.BytesIO(DEEP)),
    "signed head": lambda _: decode_head(DEEP),
    "first row of a table": lambda _: readable_header(row()),
    "row of a table": lambda _: readable_row(row()),
    "row of a meter": lambda _: Projection(AnyMeterCommand, AnyMeterEvent, Meter(), evolve).events(row()),
    "row of the audit log": lambda _: list(entries_of(row())),
    "seal of a round": lambda _: read_seal(row()),
    "WebSocket message": lambda _: read_message(DEEP),
    "file of JSON": lambda here: read_file(file(here, "a.json")),
    "file of TOML": lambda here: read_file(file(here, "a.toml", DEEP_TOML)),
    "dotted keys of TOML": lambda here: read_file(file(here, "a.toml", DOTTED_TOML)),
    "settings of the server": lambda here: read_config({}, file(here, "a.toml", DEEP_TOML), {}),
    "backup": lambda here: Backup(file(here, "a.gz", gzip.compress(DEEP))),
    "opened round": lambda here: fair._read(file(here, "a.json")),
    "progress of training": lambda here: TrainingProgress.read(file(here, "a.json")),
    "progress of a simulation": lambda here: SimulationProgress.read(
        file(here, "a.json"),
        compile_game("nj-criss-cross"),
        None,  # type: ignore[arg-type]
    ),
}


def causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.mark.exhaustive
@pytest.mark.parametrize("border", BORDERS)
def test_every_border_refuses_deeply_nested_input(border: str, tmp_path: Path) -> None:
    with pytest.raises((BadInput, BrokenChain, InputTooLarge)) as refused:
        BORDERS[border](tmp_path)
    assert any(isinstance(error, InputTooLarge) for error in causes(refused.value))
    assert len(str(refused.value).splitlines()) == 1


def test_some_borders_answer_instead_of_refusing(tmp_path: Path) -> None:
    assert line_fault(row(), None) == "is not a row"
    assert read_stream(file(tmp_path, "a.jsonl")) is None
    assert _table_in(DEEP, "x") == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("path", "field"), [("/api/tables", "submission"), ("/api/advice", "position")], ids=["tables", "advice"]
)
def test_a_deeply_nested_http_body_is_refused(path: str, field: str, tmp_path: Path) -> None:
    nested = json.loads(MOST_LEVELS * b"[" + MOST_LEVELS * b"]")

    async def ask() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            with pytest.raises(BadInput, match="nested too deeply") as refused:
                await guest.post(path, {"rulebook": "nj-criss-cross", field: {"a": nested}})
            assert refused.value.problems[0].code == "http.400"

    asyncio.run(ask())


ESCAPED = rb'["\\", "\"", "]"'


@pytest.mark.parametrize(
    "fits",
    [
        MOST_LEVELS * b"[" + MOST_LEVELS * b"]",
        MOST_LEVELS // 2 * b'{"a":[' + MOST_LEVELS // 2 * b"]}",
        b"[" + 1000 * b"{}," + b"[]]",
        b'{"text": "' + 1000 * b"[" + b'"}',
        b'{"text": "\\"' + 1000 * b"[" + b'\\\\"}',
        b"[" + 100 * (ESCAPED + b"],") + b"[]]",
        100 * b"[] " + b"[[",  # malformed, which the decoder reports
    ],
)
def test_input_within_the_limits_passes_unchanged(fits: bytes) -> None:
    assert bounded(fits) is fits


@pytest.mark.parametrize(
    "deep",
    [
        (MOST_LEVELS + 1) * b"[" + (MOST_LEVELS + 1) * b"]",
        (MOST_LEVELS // 2 + 1) * b'{"a":[' + (MOST_LEVELS // 2 + 1) * b"]}",
        b"[" + 1000 * b"{}," + (MOST_LEVELS + 1) * b"[",
        1000 * b'["]",' + 1000 * b"]",
        1000 * (ESCAPED + b",") + 1000 * b"]",
        1000 * b'{"]":',
        DEEP,
    ],
)
def test_deep_nesting_is_found_despite_brackets_in_strings(deep: bytes) -> None:
    with pytest.raises(InputTooLarge, match=f"nested too deeply: more than {MOST_LEVELS} levels"):
        bounded(deep)


def test_too_long_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_input, "MOST_BYTES", 3)
    assert bounded(b"123") == b"123"
    with pytest.raises(InputTooLarge, match="too long: more than 3 bytes"):
        bounded(b"1234")


def test_the_limit_leaves_room_for_recursion() -> None:
    assert sys.getrecursionlimit() > 8 * MOST_LEVELS
