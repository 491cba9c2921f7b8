"""Verification of an evidence pack: the signed hash of each file, the signed heads, and every stream."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from crossfelt import __version__
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import Head, Origin, VerifyingKey, read_heads
from crossfelt.proof.verify import VerificationReport, verify_file

README: Final = "README.txt"
KEY: Final = "crossfelt.pub"
HEADS: Final = "heads.jsonl"
STREAMS: Final = "streams/"
SUMS: Final = "SHA256SUMS"
SIGNATURE: Final = "SHA256SUMS.sig"
PURPOSE: Final = b"crossfelt evidence\n"
"""Signed with the hashes, so that the signature can mean nothing else."""
LARGEST: Final = 1 << 34
"""The most bytes that a pack is unpacked to."""


class EvidenceReport(msgspec.Struct, kw_only=True):
    """The streams of a pack with the verdict on each, and what is wrong."""

    key: str
    key_from_pack: bool
    """True if the key comes from the pack itself, which then proves no origin."""
    heads: int = 0
    streams: dict[str, str] = msgspec.field(default_factory=dict)
    rounds: int = 0
    """The rounds that were settled a second time."""
    findings: list[str] = msgspec.field(default_factory=list)
    checked_by: str = __version__

    @property
    def sound(self) -> bool:
        return not self.findings


def is_evidence(path: Path) -> bool:
    """Return whether a file is a ZIP file."""
    return path.is_file() and zipfile.is_zipfile(path)


def verify_evidence(path: Path, key: VerifyingKey | None = None) -> EvidenceReport:
    """Verify a pack with a public key, or with the one in the pack."""
    with TemporaryDirectory(prefix="crossfelt-evidence-") as name, zipfile.ZipFile(path) as pack:
        directory = Path(name)
        if sum(member.file_size for member in pack.infolist()) > LARGEST:
            raise _no_pack(path, f"holds more than {LARGEST:,} bytes")
        pack.extractall(directory)  # leaves out `..` and absolute paths
        missing = [it for it in (KEY, HEADS, SUMS, SIGNATURE) if not (directory / it).is_file()]
        if missing:
            raise _no_pack(path, f"has no {missing[0]}")
        known = key or VerifyingKey.read(directory / KEY)
        report = EvidenceReport(key=known.text, key_from_pack=key is None)
        _check_sums(directory, known, report)
        heads = read_heads(directory / HEADS)
        report.heads = len(heads)
        for file in sorted(directory.glob(f"{STREAMS}**/*.jsonl")):
            _check_stream(directory, file, heads, known, report)
        return report


def _check_sums(directory: Path, key: VerifyingKey, report: EvidenceReport) -> None:
    sums = (directory / SUMS).read_bytes()
    if not key.signed(PURPOSE + sums, (directory / SIGNATURE).read_text(errors="replace").strip()):
        report.findings.append(f"{SUMS} was not signed with this key")
    lines = (line.partition("  ") for line in sums.decode(errors="replace").splitlines())
    stated = {name: digest for digest, _, name in lines}
    there = {
        path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in directory.rglob("*")
        if path.is_file() and path not in (directory / SUMS, directory / SIGNATURE)
    }
    for name in sorted(stated.keys() | there.keys()):
        if stated.get(name) != there.get(name):
            fault = "is missing" if name not in there else "is not listed" if name not in stated else "was changed"
            report.findings.append(f"{name} {fault}")


def _check_stream(
    directory: Path, file: Path, heads: Sequence[Head], key: VerifyingKey, report: EvidenceReport
) -> None:
    stream = file.relative_to(directory / STREAMS).as_posix().removesuffix(".jsonl")
    try:
        found = verify_file(file, Origin(heads, key))
    except BadInput as bad:
        report.findings.append(f"{stream}: {bad.problems[0].what}")
        return
    report.streams[stream] = found.verdict
    if isinstance(found, VerificationReport):
        report.rounds += found.resettled_rounds
    if found.fault is not None:
        report.findings.append(f"{stream}: {found.fault}")


def _no_pack(path: Path, what: str) -> BadInput:
    return BadInput.at(str(path), "evidence.shape", f"not an evidence pack: it {what}")
