"""Who reads gets everything at once and in order; who does not is cut off, and nothing overtakes what waits."""

from __future__ import annotations

import json
import random

from crossfelt.server.broadcast.hub import MAX_QUEUED, Subscriber


class Line:
    """A connection that keeps up, or does not, as it is told."""

    def __init__(self) -> None:
        self.watcher = Subscriber("Ann", "player")
        self.watcher.attach(self.write, self.catch_up)
        self.open = True
        self.sent: list[bytes] = []
        self.begun = 0

    def write(self, text: bytes) -> bool:
        if self.open:
            self.sent.append(text)
        return self.open

    def catch_up(self) -> None:
        self.begun += 1

    def send_one(self) -> None:
        """What the task that catches up does, once."""
        if not self.watcher.messages:
            self.watcher.behind = False
        elif (text := self.watcher.messages.pop(0)) is not None:
            self.sent.append(text)


def test_messages_arrive_in_order_however_the_connection_stops_and_goes() -> None:
    chance = random.Random(7)
    for _ in range(200):
        line, told = Line(), []
        for number in range(60):
            line.open = chance.random() < 0.7
            told.append(b"%d" % number)
            line.watcher.send(told[-1])
            if line.watcher.behind and chance.random() < 0.6:
                line.send_one()
        while line.watcher.behind:
            line.send_one()
        assert line.sent == told


def test_who_does_not_read_is_cut_off_with_a_word() -> None:
    line = Line()
    line.open = False
    for number in range(MAX_QUEUED + 1):
        assert not line.watcher.lost
        line.watcher.send(b"%d" % number)
    assert line.watcher.lost
    assert line.begun == 1
    goodbye = line.watcher.messages.pop(0)
    assert json.loads(goodbye or "")["type"] == "bye"
    assert line.watcher.messages.pop(0) is None
    line.open = True
    line.watcher.send(b"too late")
    assert not line.watcher.messages
    assert not line.sent
