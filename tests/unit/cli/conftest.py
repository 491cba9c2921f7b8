"""The command line, run inside the test."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from crossfelt.cli.main import run


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def errors(self) -> list[str]:
        return self.err.splitlines()


Crossfelt = Callable[..., Outcome]


@pytest.fixture
def crossfelt(capsys: pytest.CaptureFixture[str]) -> Crossfelt:
    """Run one command line: ``crossfelt("rulebook", "list")``."""

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
