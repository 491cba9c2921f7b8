"""What a herald does, in a process of its own: it writes to viewers' sockets what the house tells it.

The file is run by its path, and imports next to nothing, so that the process is small and there at once. It has two
sockets to the house. Over one go records, both ways: a head with the number of a viewer and a size, and so many
bytes; a size below nought is a word instead. Over the other come the descriptors of viewers, one for each `TAKE`.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import struct
import sys

HEAD = struct.Struct("<qi")
"""The number of a viewer, which no other one ever gets, and a size or a word."""
TAKE, END, FORGET, SAME = -1, -2, -3, -4
"""The house: here is another viewer; close when everything has gone out; close at once; what the last one got."""
READY, FULL, FREE, ENDED, LOST = -1, -2, -3, -4, -5
"""The herald: it listens; too much waits for a viewer, not any more; closed as told; the viewer is gone."""
HIGH_WATER, LOW_WATER = 1 << 16, 1 << 14
"""Bytes that wait for a viewer when the house is told `FULL`, and then `FREE`: those of asyncio."""
LARGEST = 1 << 18
"""Bytes of a record; what is larger comes in several."""
_ROOM = 4 * LARGEST


class Viewer:
    """A duplicate of a viewer's socket, and what the viewer has not taken yet."""

    __slots__ = ("ending", "full", "number", "socket", "waiting")

    def __init__(self, number: int, viewer: socket.socket) -> None:
        self.number = number
        self.socket = viewer
        self.waiting = bytearray()
        self.full = False
        self.ending = False


class Heralding:
    """All viewers of one house."""

    def __init__(self, house: socket.socket, descriptors: socket.socket) -> None:
        self._house = house
        self._descriptors = descriptors
        self._viewers: dict[int, Viewer] = {}
        self._last: memoryview | bytes = b""
        """What was last said to anybody."""
        self._behind = 0
        """For how many viewers something waits."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(house, selectors.EVENT_READ)

    def run(self) -> None:
        """Until the house ends."""
        room = bytearray(_ROOM)
        view, filled = memoryview(room), 0
        self._report(0, READY)
        while True:
            if self._behind and not self._catch_up():
                continue
            read = self._house.recv_into(view[filled:])
            if not read:
                return
            filled += read
            done = self._obey(view, filled)
            filled -= done
            view[:filled] = view[done : done + filled]

    def _obey(self, view: memoryview, filled: int) -> int:
        """Does what whole records say, and returns where they end. What there is for a viewer goes out at once."""
        start, unpack = 0, HEAD.unpack_from
        said: dict[int, list[memoryview | bytes]] = {}
        while filled - start >= HEAD.size:
            number, size = unpack(view, start)
            begin = start + HEAD.size
            end = begin + max(size, 0)
            if end > filled:
                break
            start = end
            if size < 0 and size != SAME:
                self._tell_all(said)  # first what was said before
                self._do(size, number)
                continue
            if size >= 0:
                self._last = view[begin:end]
            if number in said:
                said[number].append(self._last)
            else:
                said[number] = [self._last]
        self._tell_all(said)
        self._last = bytes(self._last)  # what lies in the view now is written over
        return start

    def _tell_all(self, said: dict[int, list[memoryview | bytes]]) -> None:
        for number, parts in said.items():
            viewer = self._viewers.get(number)
            if viewer is not None:  # who is lost may not be known to be so yet
                self._tell(viewer, parts[0] if len(parts) == 1 else b"".join(parts))
        said.clear()

    def _do(self, word: int, number: int) -> None:
        if word == TAKE:
            self._take(number)
            return
        viewer = self._viewers.get(number)
        if viewer is None:
            return
        if word == FORGET:
            self._close(viewer)
        elif viewer.waiting:
            viewer.ending = True
        else:
            self._close(viewer)
            self._report(number, ENDED)

    def _take(self, number: int) -> None:
        _, found, _, _ = socket.recv_fds(self._descriptors, 1, 1)
        if not found:  # there are as many as this process may have
            self._report(number, LOST)
            return
        try:
            viewer = socket.socket(fileno=found[0])
        except OSError:  # some systems say nothing of a connection that is gone
            os.close(found[0])
            self._report(number, LOST)
            return
        viewer.setblocking(False)
        self._viewers[number] = Viewer(number, viewer)

    def _tell(self, viewer: Viewer, data: memoryview | bytes) -> None:
        if viewer.waiting:
            viewer.waiting += data
        else:
            try:
                sent = viewer.socket.send(data)
            except BlockingIOError:
                sent = 0
            except OSError:
                self._lose(viewer)
                return
            if sent == len(data):
                return
            viewer.waiting += data[sent:]
            self._behind += 1
            self._selector.register(viewer.socket, selectors.EVENT_WRITE, viewer)
        if not viewer.full and len(viewer.waiting) > HIGH_WATER:
            viewer.full = True
            self._report(viewer.number, FULL)

    def _catch_up(self) -> bool:
        """Waits until some can take more, or the house has more to say, which it returns."""
        more = False
        for key, _ in self._selector.select():
            if key.data is None:
                more = True
            else:
                self._send_waiting(key.data)
        return more

    def _send_waiting(self, viewer: Viewer) -> None:
        try:
            sent = viewer.socket.send(viewer.waiting)
        except BlockingIOError:
            return
        except OSError:
            self._lose(viewer)
            return
        del viewer.waiting[:sent]
        if viewer.full and len(viewer.waiting) <= LOW_WATER:
            viewer.full = False
            self._report(viewer.number, FREE)
        if not viewer.waiting:
            self._behind -= 1
            self._selector.unregister(viewer.socket)
            if viewer.ending:
                self._close(viewer)
                self._report(viewer.number, ENDED)

    def _lose(self, viewer: Viewer) -> None:
        self._close(viewer)
        self._report(viewer.number, LOST)

    def _close(self, viewer: Viewer) -> None:
        if viewer.waiting:
            self._behind -= 1
            self._selector.unregister(viewer.socket)
        viewer.socket.close()
        del self._viewers[viewer.number]

    def _report(self, number: int, word: int) -> None:
        self._house.sendall(HEAD.pack(number, word))


def main() -> None:
    """The numbers of the two descriptors are the arguments."""
    # It ends when the house does. Ctrl-C, and what ends a service, reach every process: the house has more to say then.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    house, descriptors = (socket.socket(fileno=int(number)) for number in sys.argv[1:])
    try:
        Heralding(house, descriptors).run()
    except (BrokenPipeError, ConnectionResetError):  # killed in the middle of a sentence
        return


if __name__ == "__main__":
    main()
