"""The start of a server: settings, policies, faults and the stop."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from crossfelt.cli.main import run
from crossfelt.errors import BadInput
from crossfelt.server.accounts.policy import COMMANDS
from crossfelt.server.accounts.sessions import LASTS_MS
from crossfelt.server.config import SETTINGS, read_config
from crossfelt.server.http.middleware.auth import require_policies
from crossfelt.server.journal.events import ServerStarted, ServerStopped
from crossfelt.server.journal.stream import Journal
from crossfelt.server.pit.pit import Pit
from crossfelt.server.server import Server
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Lease, Stored, Unavailable
from crossfelt.server.store.signing_key import SIGNING
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from crossfelt.table.act import COMMANDS_BY_NAME
from limits import WAIT_SECONDS
from server.served import Served, owner_of
from server.served import run as served_run

STARTED = """
import asyncio, sys
from pathlib import Path
from crossfelt.server.app import create_app
from crossfelt.server.config import Config
from crossfelt.server.app import open_server

async def start():
    server = open_server(Config(data=sys.argv[1], heads="none", advice=False), 8000)
    create_app(lambda: server)
    await server.open()
    await server.close()

asyncio.run(start())
print(",".join(name for name in ("numba", "llvmlite", "scipy", "matplotlib") if name in sys.modules))
"""


def test_the_serving_process_never_imports_the_kernels(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(tmp_path)], capture_output=True, text=True, check=True, timeout=WAIT_SECONDS
    )
    assert done.stdout.strip() == ""


ENDED = """
import signal, sys
from crossfelt.cli.main import run
from crossfelt.server.server import Server

async def ended_meanwhile(server, opens=Server.open):
    signal.raise_signal(signal.SIGTERM)
    await opens(server)

Server.open = ended_meanwhile
run(["serve", "--port=0", f"--data={sys.argv[1]}"])
"""


@pytest.mark.parametrize("terminal", [True, False])
def test_the_password_goes_to_the_terminal_or_to_a_private_file(terminal: bool, tmp_path: Path) -> None:
    """Also if the server is ended while it opens. Without a terminal its messages are a log, and name the file only."""
    settings = {**os.environ, "CROSSFELT_HEADS": "none", "CROSSFELT_ADVICE": "false"}
    command = [sys.executable, "-c", ENDED, str(tmp_path)]
    reads, writes = os.openpty() if terminal else os.pipe()
    done = subprocess.run(command, stderr=writes, check=False, timeout=WAIT_SECONDS, env=settings)
    os.close(writes)
    parts = bytearray()
    with suppress(OSError):  # the other end of the terminal is closed
        while part := os.read(reads, 4096):
            parts += part
    os.close(reads)
    said = parts.decode()
    file = tmp_path / "owner-password"
    shown = re.search(r"with this one-time password, then set your own: (\S+)", said)
    assert (shown is not None) == terminal
    assert file.exists() == (not terminal)
    if not terminal:
        assert f"Log in as owner with the one-time password in {file}, then set your own." in said
        assert file.read_text().strip() not in said
        assert file.stat().st_mode & 0o077 == 0
    assert done.returncode == -signal.SIGTERM


def test_the_file_with_the_password_is_deleted_once_the_owner_has_set_another(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        server = served.server
        server.password_file.write_text("a one-time password")
        await server._clean_up()
        assert server.password_file.exists()
        await owner_of(served)
        await server._clean_up()
        assert not server.password_file.exists()

    served_run(tmp_path, story)


PRESSED = """
import signal, sys
from crossfelt.cli.commands import serve
from crossfelt.cli.main import main

def pressed(server):
    for _ in range(int(sys.argv[2])):
        signal.raise_signal(signal.SIGINT)

serve._hand_over_password = pressed
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores the signal
main(["serve", "--port=0", f"--data={sys.argv[1]}"])
"""


@pytest.mark.parametrize(("times", "code"), [(1, 130), (2, 130), (3, -signal.SIGINT)])
def test_the_first_ctrl_c_stops_the_server_the_second_explains_and_the_third_kills(
    times: int, code: int, tmp_path: Path
) -> None:
    settings = {**os.environ, "CROSSFELT_HEADS": "none", "CROSSFELT_ADVICE": "false"}
    command = [sys.executable, "-c", PRESSED, str(tmp_path), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_SECONDS, env=settings)

    async def stopped() -> bool:
        store = open_store(tmp_path)
        events = [event for _, event in await Journal(store).events()]
        await store.close()
        return any(isinstance(event, ServerStopped) for event in events)

    assert done.returncode == code
    assert asyncio.run(stopped()) == (times < 3)
    assert ("Press Ctrl-C again to kill it at once" in done.stderr) == (times == 2)
    assert "Traceback" not in done.stderr


def test_a_route_without_a_policy_prevents_the_start() -> None:
    with pytest.raises(AssertionError, match="routes without a policy: GET /api/secrets"):
        require_policies(["GET /api/lobby", "GET /api/secrets"])


def test_every_command_of_a_table_has_a_policy() -> None:
    assert set(COMMANDS) == set(COMMANDS_BY_NAME)


def test_flags_win_over_the_environment_which_wins_over_a_file(tmp_path: Path) -> None:
    file = tmp_path / "crossfelt.toml"
    file.write_text('port = 1\nhost = "10.0.0.1"\nlan = true\n')
    result = read_config(
        {"port": 3, "host": None}, file, {"CROSSFELT_PORT": "2", "CROSSFELT_HOSTS": "a.example, b.example"}
    )
    assert (result.port, result.host, result.lan, result.hosts) == (3, "10.0.0.1", True, ("a.example", "b.example"))


def test_every_problem_of_the_settings_is_reported_with_its_source(tmp_path: Path) -> None:
    file = tmp_path / "crossfelt.toml"
    settings = (
        'port = "many"',
        "colour = 3",
        'host = ""',
        "lease_seconds = inf",
        'url = "http://house:8001/"',
        "database = 3",
    )
    file.write_text("\n".join(settings))
    around = {"CROSSFELT_PROT": "1", "CROSSFELT_LAN": "maybe", "CROSSFELT_CACHE": "of somebody else"}
    with pytest.raises(BadInput) as refused:
        read_config({"log_level": "loud", "port": 65_536}, file, around)
    result = [str(problem).removeprefix(f"{file}: ") for problem in refused.value.problems]
    assert result == [
        "port: invalid value: 'many' (allowed: a whole number from 0 to 65535)",
        f"colour: unknown setting (allowed: {', '.join(SETTINGS)})",
        "host: invalid value: '' (allowed: an address of this machine, such as 127.0.0.1 or ::1)",
        "lease_seconds: invalid value: 'inf' (allowed: a number from 1 to 3600)",
        "url: invalid value: 'http://house:8001/' (allowed: http://HOST:PORT)",
        "database: invalid value (allowed: postgresql://…)",
        "CROSSFELT_PROT: unknown setting (allowed: did you mean port?)",
        "CROSSFELT_LAN: invalid value: 'maybe' (allowed: true, false)",
        "--log-level: invalid value: 'loud' (allowed: debug, error, info, warning)",
        "--port: invalid value: 65536 (allowed: a whole number from 0 to 65535)",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("URL", url) for url in ("http://[::1", "http://x:99999", "http://x:y", "http://:80", "http://x:0")),
        *(("HOSTS", hosts) for hosts in (",,", "a.example,", "a.example:8000", "https://a.example", "fd00::5", "a b")),
        *(("DATABASE", url) for url in ("mysql://ann:secret@h/d", "postgresql://ann:secret@h:port/d")),
    ],
)
def test_an_unusable_url_is_refused_with_its_source(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=f"^CROSSFELT_{name}: invalid value") as refused:
        read_config({}, environment={f"CROSSFELT_{name}": value})
    assert "secret" not in str(refused.value)


def test_usual_spellings_of_addresses_are_accepted() -> None:
    database = "postgresql://ann@h:5432/d"
    around = {"CROSSFELT_URL": "http://[::1]:8001", "CROSSFELT_HOSTS": "Tables.example, 10.0.0.5,[fd00::5]"}
    result = read_config({"database": database}, environment=around)
    assert result.hosts == ("Tables.example", "10.0.0.5", "[fd00::5]")
    assert (result.url, result.database) == (around["CROSSFELT_URL"], database)
    assert read_config({}, environment={"CROSSFELT_HOSTS": "", "CROSSFELT_URL": ""}).hosts == ()


def test_a_settings_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "crossfelt.toml"
    file.write_text("port = \n")
    with pytest.raises(BadInput, match="not TOML"):
        read_config({}, file, {})


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *((f'{name} = "a\\u0000b"', f"{name}: invalid value") for name in ("host", "data", "heads")),
        ('url = "http://\\u0000"', "url: invalid value"),
        ('host = "ä..b"', "host: invalid value"),
        (f"port = {'1' * 5000}", "not TOML"),
    ],
)
def test_a_setting_that_would_fail_later_is_refused(tmp_path: Path, text: str, result: str) -> None:
    file = tmp_path / "crossfelt.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=f"^{file}: {result}") as refused:
        read_config({}, file, {})
    assert len(str(refused.value).splitlines()) == 1


def test_an_unusable_data_directory_is_refused_with_its_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty path comes from a variable that is not set: no data is created in the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("crossfelt.server.runtime.logs.start_logging", lambda *_: None)
    for path, result in (("x" * 300, "--data: cannot be used: File name"), ("", "--data: invalid value")):
        assert run(["serve", "--port=0", "--data", path]) == 2
        assert capsys.readouterr().err.startswith(result)
    (tmp_path / "long.toml").write_text(f"data = '{'x' * 300}'")
    assert run(["serve", "--port=0", "--config=long.toml"]) == 2
    assert "cannot be used: File name too long" in capsys.readouterr().err
    with pytest.raises(BadInput, match=r"^CROSSFELT_DATA: cannot be used: File name too long"):
        read_config({}, environment={"CROSSFELT_DATA": "x" * 300})
    assert [file.name for file in tmp_path.iterdir()] == ["long.toml"]


def test_every_part_of_a_server_uses_its_clock(tmp_path: Path) -> None:
    """It does not jump when the machine's clock is set, so sessions and waits last as long as they should."""

    async def story() -> None:
        server = Server(open_store(tmp_path), tmp_path, now=lambda: 5)
        session = await server.accounts.guest("Ann")
        with pytest.raises(BadInput):
            await server.guard.check_route(session.identity, "GET /api/audit")
        noted = [event.at for _, event in await server.journal.events()]
        await server.store.close()
        assert (session.until, noted) == (5 + LASTS_MS, [5])

    asyncio.run(story())


def test_a_server_that_did_not_open_records_and_signs_nothing(tmp_path: Path) -> None:
    """Its key may be the wrong one."""

    async def story() -> None:
        await Server(open_store(tmp_path), tmp_path).close()
        store = open_store(tmp_path)
        assert (await store.streams(), await store.last_head()) == ([], None)
        await store.close()

    asyncio.run(story())


def test_a_server_that_fails_to_open_releases_the_signing_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would hold the lease for half a minute."""

    async def fail(_: Pit) -> None:
        raise Unavailable("the database went away")

    async def story() -> None:
        server = Server(open_store(tmp_path), tmp_path, shared=True)
        released = list[str]()
        release = server.store.release

        async def noted(lease: Lease) -> None:
            released.append(lease.name)
            await release(lease)

        monkeypatch.setattr(server.store, "release", noted)
        monkeypatch.setattr(Pit, "open", fail)
        with pytest.raises(Unavailable):
            await server.open()
        await server.close()
        assert released == [SIGNING]

    asyncio.run(story())


def test_a_fault_in_a_background_task_is_logged_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> str:
        raise LookupError

    async def story() -> None:
        monkeypatch.setattr("crossfelt.server.server.software_hash", fail)
        server = Server(open_store(tmp_path), tmp_path)
        await server.open()
        async with asyncio.timeout(WAIT_SECONDS):
            while not Served(server, "").faults:
                await asyncio.sleep(0.01)
        await server.close()
        assert "fault in the background task record of the start" in caplog.text

    asyncio.run(story())


def test_signing_continues_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise heads would silently be missing."""
    again = asyncio.Event()

    async def story() -> None:
        server = Server(open_store(tmp_path), tmp_path)
        sign = server.store.sign

        async def fail_once(*asked: Any) -> Any:
            if not Served(server, "").faults:
                raise LookupError
            again.set()
            return await sign(*asked)

        monkeypatch.setattr(server.store, "sign", fail_once)
        await server.open()
        async with asyncio.timeout(WAIT_SECONDS):
            await again.wait()
        await server.close()

    monkeypatch.setattr("crossfelt.server.server.EVERY_SECONDS", 0.001)
    asyncio.run(story())


def test_a_start_signs_what_it_checked_so_that_the_next_need_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a server that is killed every few seconds would check more at each start."""

    async def started_and_killed(*, signs: bool) -> int:
        server = Server(store := open_store(tmp_path), tmp_path)
        before = await store.last_head()
        await server.open()
        assert server.checked is not None
        lines = server.checked.lines
        async with asyncio.timeout(WAIT_SECONDS):
            while server.checked_at is None or (signs and await store.last_head() == before):
                await asyncio.sleep(0.01)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await store.close()
        return lines

    monkeypatch.setattr("crossfelt.server.server.EVERY_SECONDS", 3600)
    asyncio.run(started_and_killed(signs=False))
    checked = [asyncio.run(started_and_killed(signs=True)) for _ in range(3)]
    assert 0 < max(checked[1:]) < checked[0], "the lines that opened five tables were checked once"


def test_a_start_is_recorded_once_although_the_store_failed_after_the_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, lost = open_store(tmp_path), list[Stored]()

    async def commit(streams: Collection[str], work: Callable[[Transaction], Any]) -> Any:
        done = await Store.commit(store, streams, work)
        if isinstance(done, Stored) and b"server_started" in done.body and not lost:
            lost.append(done)
            raise Unavailable("the connection broke")
        return done

    async def story() -> None:
        server = Server(store, tmp_path)
        await server.open()
        async with asyncio.timeout(WAIT_SECONDS):
            while server.checked_at is None:
                await asyncio.sleep(0.01)
        noted = [row.seq for row, event in await server.journal.events() if isinstance(event, ServerStarted)]
        await server.close()
        assert noted == [row.seq for row in lost]

    monkeypatch.setattr(store, "commit", commit)
    monkeypatch.setattr("crossfelt.server.server.RETRY_SECONDS", 0)
    asyncio.run(story())


def test_a_server_that_cannot_open_prints_the_reason_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossfelt.server.runtime.logs.start_logging", lambda *_: None)
    (tmp_path / "crossfelt.sqlite").write_text("nothing that SQLite has written")
    (tmp_path / "beside").touch()
    (tmp_path / "heads.toml").write_text(f'heads = "{tmp_path}/beside/heads"')
    for wrong, result in (
        ([f"--data={tmp_path / 'beside'}"], "beside: not a directory"),
        ([f"--data={tmp_path}", f"--config={tmp_path / 'heads.toml'}"], "heads: cannot be written: File exists"),
        ([f"--data={tmp_path}"], "crossfelt.sqlite: not a database"),
        (
            [f"--data={tmp_path}", "--database=mysql://owner:secret@host/house"],
            "--database: invalid value",
        ),
        ([f"--data={tmp_path}", "--host=192.0.2.1"], "--host: cannot listen"),
    ):
        assert run(["serve", "--port=0", *wrong]) == 2
        said = capsys.readouterr().err
        assert result in said
        assert said.count("\n") == 1
        assert "secret" not in said


def test_a_server_that_fails_to_open_prints_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full after the owner's account was created. The next start makes another one-time password."""

    async def full(_: Pit) -> None:
        raise Unavailable("the database failed: database or disk is full")

    monkeypatch.setenv("CROSSFELT_HEADS", "none")
    monkeypatch.setattr("crossfelt.server.runtime.logs.start_logging", lambda *_: None)
    monkeypatch.setattr(Pit, "open", full)
    assert run(["serve", "--port=0", f"--data={tmp_path}"]) == 2
    [why] = capsys.readouterr().err.splitlines()
    assert why == f"{tmp_path}: the server cannot open its data: the database failed: database or disk is full"
    asyncio.run(open_store(tmp_path).close())  # which no process has open any more


def test_other_users_cannot_read_the_store_whatever_its_directory_allows(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    asyncio.run(open_store(tmp_path).close())
    assert (tmp_path / "crossfelt.sqlite").stat().st_mode & 0o077 == 0
