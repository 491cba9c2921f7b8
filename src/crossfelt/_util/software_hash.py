"""The installed software: one SHA-256 over every file of the package, and the check of its manifest.

The manifest is the `RECORD` that an installation writes for each distribution, with the hash of each of its files.
It is checked for Crossfelt and for every distribution that it needs. A checkout of the source has none of its own.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import platform
import re
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec

DISTRIBUTION = "crossfelt"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The installed files, and the differences from the files as they were installed."""

    version: str
    software: str
    """The hash of the package."""
    python: str
    packages: dict[str, str]
    """The distributions that Crossfelt needs, with their versions."""
    files: int
    """The files whose hash a manifest states."""
    recorded: bool
    """False for a checkout of the source, whose own files no manifest lists."""
    faults: tuple[str, ...]
    """The files that are missing or have another hash than the manifest states."""


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


@cache
def check_manifest(distribution: str = DISTRIBUTION) -> Manifest:
    """Compare the files of a distribution and of all that it needs with their manifests, at the first call."""
    needed = {found.metadata["Name"]: found for found in _needed(distribution)}
    checked = {name: list(_checked(found)) for name, found in needed.items()}
    return Manifest(
        version=metadata.version(distribution),
        software=software_hash(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        packages={name: found.version for name, found in sorted(needed.items()) if name != distribution},
        files=sum(map(len, checked.values())),
        recorded=any(path.startswith(f"{distribution}/") for path, _ in checked.get(distribution, ())),
        faults=tuple(f"{name}: {path} {fault}" for name in sorted(checked) for path, fault in checked[name] if fault),
    )


def _needed(distribution: str) -> Iterator[metadata.Distribution]:
    """Yield a distribution and those that it needs, each once, without their extras."""
    waiting, seen = [distribution], set[str]()
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        yield found
        needed = [it for it in found.requires or () if "extra ==" not in it]
        waiting += [required.group() for it in needed if (required := re.match(r"[\w.-]+", it))]


def _checked(distribution: metadata.Distribution) -> Iterator[tuple[str, str]]:
    """Yield each file with a stated hash, and what is wrong with it."""
    # Read here, because some versions of `importlib.metadata` leave missing files out.
    for name, stated, *_ in csv.reader((distribution.read_text("RECORD") or "").splitlines()):
        kind, _, value = stated.partition("=")
        if kind != "sha256":
            continue
        try:
            with Path(str(distribution.locate_file(name))).open("rb") as file:  # one has 170 MB
                found = hashlib.file_digest(file, "sha256").digest()
        except OSError:
            yield name, "is missing"
            continue
        digest = base64.urlsafe_b64encode(found).rstrip(b"=").decode()
        yield name, "" if digest == value else "was changed after the installation"
