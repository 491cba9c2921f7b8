"""The hash of the installed software: one SHA-256 over every file of the package."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def software_hash() -> str:
    """Return the hash of the package, computed at the first call."""
    return hash_of(Path(__file__).parents[1])


def hash_of(root: Path) -> str:
    """Return the SHA-256 over path and content of each file, in order, without Python's compiled files."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            total.update(path.relative_to(root).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
