"""Backpressure: messages arrive in order, none overtakes a queued one, and a client that does not read is closed."""

from __future__ import annotations

import json
import random

from crossfelt.server.broadcast.hub import MAX_QUEUED, Subscriber


class Line:
    """A connection that can be blocked."""

    def __init__(self) -> None:
        self.subscriber = Subscriber("Ann", "player")
        self.subscriber.attach(self.write, self.drain)
        self.open = True
        self.sent: list[bytes] = []
        self.drains = 0

    def write(self, text: bytes) -> bool:
        if self.open:
            self.sent.append(text)
        return self.open

    def drain(self) -> None:
        self.drains += 1

    def send_one(self) -> None:
        """Send one queued message, as the draining task does."""
        if not self.subscriber.messages:
            self.subscriber.behind = False
        elif (text := self.subscriber.messages.pop(0)) is not None:
            self.sent.append(text)


def test_messages_arrive_in_order_however_the_connection_blocks() -> None:
    chance = random.Random(7)
    for _ in range(200):
        line, sent = Line(), []
        for number in range(60):
            line.open = chance.random() < 0.7
            sent.append(b"%d" % number)
            line.subscriber.send(sent[-1])
            if line.subscriber.behind and chance.random() < 0.6:
                line.send_one()
        while line.subscriber.behind:
            line.send_one()
        assert line.sent == sent


def test_a_client_that_does_not_read_is_disconnected_with_a_goodbye() -> None:
    line = Line()
    line.open = False
    for number in range(MAX_QUEUED + 1):
        assert not line.subscriber.lost
        line.subscriber.send(b"%d" % number)
    assert line.subscriber.lost
    assert line.drains == 1
    goodbye = line.subscriber.messages.pop(0)
    assert json.loads(goodbye or "")["type"] == "bye"
    assert line.subscriber.messages.pop(0) is None
    line.open = True
    line.subscriber.send(b"too late")
    assert not line.subscriber.messages
    assert not line.sent
