"""A house that starts: quickly, without the kernels, and with a policy for every route."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from crossfelt.cli.main import run
from crossfelt.house.accounts.policy import COMMANDS
from crossfelt.house.accounts.sessions import LASTS_MS
from crossfelt.house.config import read_config
from crossfelt.house.house import House
from crossfelt.house.http.guarding import require_policies
from crossfelt.house.store.opening import open_store
from crossfelt.problems import BadInput
from crossfelt.table.moves import KINDS

STARTED = """
import asyncio, sys
from pathlib import Path
from crossfelt.house.app import create_app
from crossfelt.house.config import Config
from crossfelt.house.opening import open_house

async def start():
    house = open_house(Config(data=sys.argv[1], heads="none", advice=False), 8000)
    create_app(lambda: house)
    await house.open()
    await house.close()

asyncio.run(start())
print(",".join(name for name in ("numba", "llvmlite", "scipy", "matplotlib") if name in sys.modules))
"""


def test_the_serving_process_never_imports_the_kernels(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(tmp_path)], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == ""


def test_a_route_without_a_policy_keeps_the_house_from_starting() -> None:
    with pytest.raises(AssertionError, match="routes without a policy: GET /api/secrets"):
        require_policies(["GET /api/lobby", "GET /api/secrets"])


def test_every_command_of_a_table_has_a_policy() -> None:
    assert set(COMMANDS) == set(KINDS)


def test_flags_win_over_the_environment_and_that_over_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('port = 1\nhost = "10.0.0.1"\nlan = true\n')
    told = read_config(
        {"port": 3, "host": None}, file, {"CROSSFELT_PORT": "2", "CROSSFELT_HOSTS": "a.example, b.example"}
    )
    assert (told.port, told.host, told.lan, told.hosts) == (3, "10.0.0.1", True, ("a.example", "b.example"))


@pytest.mark.parametrize(
    "text",
    ['port = "many"\n', "port = 65536\n", "colour = 3\n", "port = \n", 'url = "http://house:8001/"\n'],
    ids=["a wrong value", "no port", "an unknown field", "not TOML", "more than an address"],
)
def test_a_bad_configuration_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text)
    with pytest.raises(BadInput):
        read_config({}, file, {})


def test_everything_in_a_house_goes_by_its_clock(tmp_path: Path) -> None:
    """Which does not jump: who is logged in stays so, and who must wait waits no longer, when the machine's is set."""

    async def story() -> None:
        house = House(open_store(tmp_path), tmp_path, now=lambda: 5)
        session = await house.accounts.guest("Ann")
        with pytest.raises(BadInput):
            await house.guard.check_route(session.identity, "GET /api/audit")
        noted = [event.at for _, event in await house.journal.events()]
        await house.store.close()
        assert (session.until, noted) == (5 + LASTS_MS, [5])

    asyncio.run(story())


def test_a_house_that_cannot_open_says_why_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossfelt.house.logs.start_logging", lambda *_: None)
    (tmp_path / "house.sqlite").write_text("nothing that SQLite has written")
    for wrong, told in (
        ([f"--data={tmp_path}"], "house.sqlite: not a database"),
        ([f"--data={tmp_path}", "--database=mysql://owner:secret@host/house"], "not the address of a database"),
        ([f"--data={tmp_path}", "--host=192.0.2.1"], "--host: cannot listen there"),
    ):
        assert run(["serve", "--port=0", *wrong]) == 2
        said = capsys.readouterr().err
        assert told in said
        assert said.count("\n") == 1
        assert "secret" not in said


def test_nobody_else_reads_the_store_whoever_made_its_directory(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    asyncio.run(open_store(tmp_path).close())
    assert (tmp_path / "house.sqlite").stat().st_mode & 0o077 == 0
