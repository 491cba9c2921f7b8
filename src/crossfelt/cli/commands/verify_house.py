"""`crossfelt verify --house`: a whole server from its backup, added up and verified stream by stream."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.proof.verify import verify
from crossfelt.server.audit.export import export_stream
from crossfelt.server.audit.house import HouseReport, add_up, exact_dollars
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.store.backup import restore
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.signing_key import signing_key
from crossfelt.server.store.sql_store import Store


class HouseVerification(msgspec.Struct, kw_only=True):
    """The record of a server, its tables decided and settled again, and its money added up."""

    streams: int
    lines: int
    heads: int
    rounds: int
    """The rounds that were settled a second time."""
    house: HouseReport
    findings: list[str]

    @property
    def sound(self) -> bool:
        return not self.findings


def verify_house(backup: Path) -> HouseVerification:
    """Verify a backup. It is restored into a directory that is deleted again."""
    with TemporaryDirectory(prefix="crossfelt-house-") as name:
        directory = Path(name) / "data"
        restore(backup, directory, None)
        return asyncio.run(_verified(directory))


async def _verified(directory: Path) -> HouseVerification:
    async with open_store(directory) as store:
        checked = await IntegrityChecker(store, signing_key(directory).public).everything()
        house = await add_up(store)
        findings = [*map(str, checked.findings), *house.findings]
        known = shared_fields(checked, HouseVerification) | {"findings": findings}
        found = HouseVerification(**known, rounds=0, house=house)
        for head in await store.streams("table/"):
            await _verify_table(store, head.stream, directory / "table.jsonl", found)
        return found


async def _verify_table(store: Store, stream: str, path: Path, found: HouseVerification) -> None:
    with path.open("wb") as file:
        await export_stream(store, stream, file)
    report = await asyncio.to_thread(verify, path)
    found.rounds += report.resettled_rounds
    if report.fault is not None:
        found.findings.append(f"{stream}: {report.fault}")


def house_lines(found: HouseVerification, name: str) -> Iterator[str]:
    yield f"{name}: {found.streams:,} streams, {found.lines:,} lines, {found.heads:,} signed heads"
    yield f"rounds     {found.rounds:,} settled a second time"
    house = found.house
    counts = f"{house.accounts:,} accounts, {house.tables:,} tables, {house.meters:,} meters"
    yield f"house      {counts}, {house.awards:,} awards granted"
    for title, side in (("came from", house.sources), ("lies in", house.places)):
        yield f"{title:10} {exact_dollars(sum(side.values()))}"
        width = max(map(len, side))
        yield from (f"  {what:{width}}  {exact_dollars(micros):>20}" for what, micros in side.items() if micros)
    yield from (f"{name}: {finding}" for finding in found.findings)
    yield "the house adds up, and every award paid was granted" if found.sound else "inconsistent"
