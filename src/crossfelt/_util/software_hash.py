"""Which software runs: one hash over every file of the package."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def software_hash() -> str:
    """The hash of the package as it is when somebody first asks."""
    return hash_of(Path(__file__).parents[1])


def hash_of(root: Path) -> str:
    """SHA-256 over the path and the content of each file, in order; what Python compiles for itself is left out."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            total.update(path.relative_to(root).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
