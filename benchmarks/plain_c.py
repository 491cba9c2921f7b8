"""Programs in plain C, compiled where there is a compiler: contenders, and a second way to the same figures."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from benchmarks.timing import Figure, say

NO_COMPILER: Final = ("plain C: no compiler",)


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def in_c(source: Path, *arguments: str) -> tuple[Figure, list[int]]:
    """Compile and run a program; return its time in one thread, and the numbers that it prints."""
    with TemporaryDirectory() as folder:
        program = str(Path(folder, source.stem))
        subprocess.run([str(compiler()), "-O3", "-march=native", "-o", program, str(source)], check=True)
        say("the same in C ...")
        start = perf_counter()
        told = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
        seconds = perf_counter() - start
    return Figure(who="plain C, one thread", value=seconds), [int(line) for line in told.split()]
