"""A herald: a small second process that does the writing to viewers, so that the one core of a house has less to do.

Accepting, reading, limits and closing stay with the house. What a connection writes goes through a transport that
hands it to the herald: all of it in order, with a few writes to the herald for all viewers in a turn of the loop.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from typing import Any, Final

from crossfelt.house.live import heralding
from crossfelt.house.live.heralding import END, ENDED, FORGET, FREE, FULL, HEAD, LARGEST, LOST, READY, SAME, TAKE

log = logging.getLogger(__name__)
POSSIBLE: Final = hasattr(socket, "send_fds")
"""Whether this system hands a socket to another process."""
MOST_RECORDS: Final = 64
"""So many go out at once, before the turn of the loop is over: a turn can take long."""
MOST_WAITING: Final = 1 << 26
"""Bytes that may wait for a herald; one that has more to do is taken for broken."""
STOP_SECONDS: Final = 5.0
AGAIN_SECONDS: Final = 60.0
"""After one that did not even start, until another is tried."""
_READ_BYTES: Final = 1 << 16


class Line:
    """What the house and one herald say to each other."""

    def __init__(self, pair: socket.socket, heard: Callable[[int, int], None], ended: Callable[[str], None]) -> None:
        """`heard` gets the number of a viewer and the word about it; `ended` is told why there is no herald more."""
        self.records: list[bytes] = []
        """For the end of this turn, or until there are many. Whoever adds the first one calls `send_soon`."""
        self.last: bytes | None = None
        """What was last said to a viewer: to the next one it is only named."""
        self._pair = pair
        self._heard = heard
        self._ended = ended
        self._waiting = bytearray()
        self._begun = b""
        self._open = True
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(pair, self._hear)

    @property
    def waiting_bytes(self) -> int:
        return len(self._waiting)

    def say(self, number: int, word: int) -> None:
        if not self.records:
            self.send_soon()
        self.records.append(HEAD.pack(number, word))

    def send_soon(self) -> None:
        self._loop.call_soon(self.send)

    def send(self) -> None:
        """Sends what there is so far."""
        data = b"".join(self.records)
        self.records.clear()
        if not self._open or not data:
            return
        sent = 0
        if not self._waiting:
            sent = self._sent(data)
            if sent == len(data):
                return
            self._loop.add_writer(self._pair, self._send_waiting)
        self._waiting += memoryview(data)[sent:]
        if len(self._waiting) > MOST_WAITING:
            self._ended("it does not keep up")

    def _send_waiting(self) -> None:
        del self._waiting[: self._sent(self._waiting)]
        if not self._waiting:
            self._loop.remove_writer(self._pair)

    def _sent(self, data: bytes | bytearray) -> int:
        """How much was taken. That there is nobody to take it is for `_hear` to find."""
        try:
            return self._pair.send(data)
        except OSError:
            return 0

    def _hear(self) -> None:
        try:
            data = self._begun + self._pair.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = self._begun
        if data == self._begun:
            self._ended("it is gone")
            return
        whole = len(data) - len(data) % HEAD.size
        self._begun = data[whole:]
        for number, word in HEAD.iter_unpack(data[:whole]):
            self._heard(number, word)

    def close(self) -> None:
        """Nothing more is said; by that a herald knows that it is to end."""
        self._open = False
        self._loop.remove_reader(self._pair)
        self._loop.remove_writer(self._pair)
        self._pair.close()
        self._waiting.clear()


class HeraldedTransport(asyncio.Transport):
    """The connection of a viewer, written to by a herald; everything else is done by the `real` one."""

    __slots__ = ("_closing", "_herald", "_line", "_number", "_protocol", "_real")

    def __init__(self, number: int, herald: Herald, line: Line, protocol: asyncio.Protocol, real: Any) -> None:
        super().__init__()
        self._number = number
        self._herald: Herald | None = herald
        self._line = line
        self._protocol: asyncio.Protocol | None = protocol
        self._real = real
        self._closing = False

    def write(self, data: Any) -> None:
        if self._closing or not data:
            return
        records = self._line.records
        if not records:
            self._line.send_soon()
        if data is self._line.last:
            records.append(HEAD.pack(self._number, SAME))
        elif len(data) > LARGEST:
            self._line.last = None
            for start in range(0, len(data), LARGEST):
                part = data[start : start + LARGEST]
                records += (HEAD.pack(self._number, len(part)), part)
        else:
            self._line.last = data
            records += (HEAD.pack(self._number, len(data)), data)
        if len(records) >= MOST_RECORDS:
            self._line.send()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._real.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._real.pause_reading()

    def resume_reading(self) -> None:
        if not self._closing:
            self._real.resume_reading()

    def is_closing(self) -> bool:
        return self._closing or self._real.is_closing()

    def close(self) -> None:
        """When everything has gone out, or cannot; nothing is read from now on. Who will not wait aborts it."""
        if self._closing or self._herald is None:
            return
        self._closing = True
        self._real.pause_reading()
        self._line.say(self._number, END)

    def abort(self) -> None:
        if self._herald is not None:
            self._line.say(self._number, FORGET)
            self._leave()
        self._real.abort()

    def hear(self, word: int) -> None:
        """What the herald says of this viewer."""
        if word == ENDED:
            self._leave()
            self._real.close()
        elif word == LOST:
            self._leave()
            self._real.abort()
        elif word == FULL and self._protocol is not None:
            self._protocol.pause_writing()
        elif word == FREE and self._protocol is not None:
            self._protocol.resume_writing()

    def _leave(self) -> None:
        """The herald has nothing of it any more; nor is anything kept that would refer to this."""
        assert self._herald is not None
        self._herald.viewers.pop(self._number, None)
        self._closing, self._herald, self._protocol = True, None, None


class Herald:
    """The process, started again where it dies."""

    def __init__(self) -> None:
        self.viewers: dict[int, HeraldedTransport] = {}
        """Whom it writes to, by number; nobody gets a number that another one had."""
        self.process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        self._line: Line | None = None
        self._descriptors: socket.socket | None = None
        self._ready = asyncio.Event()
        """Whether it listens. Until then, and where it never does, the house writes by itself."""
        self._again: asyncio.TimerHandle | None = None
        self._ends: list[asyncio.Future[int]] = []

    @property
    def waiting_bytes(self) -> int:
        """What the process has not taken yet."""
        return self._line.waiting_bytes if self._line is not None else 0

    async def open(self) -> None:
        """Starts it, and waits until it listens."""
        self._start()
        if self._line is None:
            return
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._ready.wait()
        except TimeoutError:
            log.warning("the herald is slow to start: the house writes by itself until then")

    def take(self, protocol: asyncio.Protocol, real: asyncio.Transport) -> asyncio.Transport:
        """From now on the herald writes to this viewer, by the transport that is returned. It is the `real` one still
        where there is no herald, where it has not written everything itself, or what it writes is encrypted."""
        if self._line is None or self._descriptors is None or not self._ready.is_set():
            return real
        if real.get_write_buffer_size() or real.get_extra_info("sslcontext") is not None:
            return real
        try:
            socket.send_fds(self._descriptors, [b"\0"], [real.get_extra_info("socket").fileno()])
        except OSError:  # as many wait to be taken as the system lets
            return real
        number = next(self._numbers)
        self._line.say(number, TAKE)
        self.viewers[number] = HeraldedTransport(number, self, self._line, protocol, real)
        return self.viewers[number]

    def _start(self) -> None:
        self._again = None
        with ExitStack() as opened:
            try:
                ours, theirs = map(opened.enter_context, socket.socketpair())
                giving, taking = map(opened.enter_context, socket.socketpair())
                self.process = _process(theirs.fileno(), taking.fileno())
            except OSError as error:  # there may be as many files as this process may have
                self._try_again(str(error.strerror))
                return
            opened.pop_all()
        theirs.close()
        taking.close()
        ours.setblocking(False)
        giving.setblocking(False)
        self._descriptors = giving
        self._line = Line(ours, self._hear, self._died)

    def _try_again(self, why: str) -> None:
        log.error("there is no herald: the house writes by itself", extra={"why": why})
        self._again = asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._start)

    def _hear(self, number: int, word: int) -> None:
        if word == READY:
            self._ready.set()
        elif (viewer := self.viewers.get(number)) is not None:
            viewer.hear(word)

    def _died(self, why: str) -> None:
        """Whom it wrote to has half a message, perhaps: they are cut off, come back and resume."""
        started, cut_off = self._ready.is_set(), len(self.viewers)
        if self.process is not None:
            self.process.kill()
        self._end()
        if started:
            log.error("the herald has ended, and another one begins", extra={"why": why, "cut_off": cut_off})
            self._start()
        else:
            self._try_again(why)

    def _end(self) -> None:
        """Says nothing more to it, cuts off whom it wrote to, and has it waited for."""
        self._ready.clear()
        if self._line is None or self._descriptors is None or self.process is None:
            return
        self._line.close()
        self._descriptors.close()
        for viewer in list(self.viewers.values()):
            viewer.abort()
        self._ends.append(asyncio.get_running_loop().run_in_executor(None, _wait, self.process))
        self.process = self._line = self._descriptors = None

    async def close(self) -> None:
        """Ends it, when nobody is connected any more."""
        if self._again is not None:
            self._again.cancel()
        self._end()
        await asyncio.gather(*self._ends)


def _process(*descriptors: int) -> subprocess.Popen[bytes]:
    # Isolated: neither what else is installed nor the files beside it, one called `socket`, are what it imports.
    command = [sys.executable, "-I", "-S", heralding.__file__, *map(str, descriptors)]
    return subprocess.Popen(command, pass_fds=descriptors, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _wait(process: subprocess.Popen[bytes]) -> int:
    try:
        return process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
