"""Ports for servers under test that must be found at the same place again after a stop."""

from __future__ import annotations

import random
import socket
from typing import Final

NOT_GIVEN_AWAY: Final = range(12_000, 32_000)
"""Ports that no system gives to an outgoing connection: one stays free while its server is down."""


def free_port() -> int:
    chance = random.SystemRandom()
    while True:
        port = chance.choice(NOT_GIVEN_AWAY)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
