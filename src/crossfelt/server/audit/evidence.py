"""Evidence packs: a period or a round as one file, which `crossfelt verify` checks without the server.

A pack is a ZIP file with the streams that belong to the case, the signed heads, the public key, a list of what happened
in words, and the signed hash of each file. A stream is whole up to the last row that a head names. The stream of an
open table ends before any deck that is still to be played.
"""

from __future__ import annotations

import asyncio
import hashlib
import zipfile
from collections.abc import Collection, Iterable, Mapping
from typing import IO, Final

from crossfelt import __version__
from crossfelt.proof.evidence import HEADS, KEY, PURPOSE, README, SIGNATURE, STREAMS, SUMS
from crossfelt.proof.signed_heads import SigningKey, decode_head
from crossfelt.server.audit.casebook import Casebook
from crossfelt.server.audit.export import pages_of, pages_of_heads
from crossfelt.server.audit.search import TABLES
from crossfelt.server.store.sql_store import Store

_README: Final = """Evidence from a Crossfelt server: {about}.
Written by Crossfelt {version}, server {server}.

Verify it with:  crossfelt verify FILE.zip
Add --key with the server's public key, if you have it from another source than this file.

{heads}      the signed heads
{key}      the public key that they are signed with
{streams}          the streams: tables, accounts, meters and the journal, each a chain of hashes
{sums}        the hash of each file
{signature}    the server's signature of that list

A table's stream contains the order of every deck that was played. Give this file to auditors only.
"""


async def write_evidence(
    store: Store,
    file: IO[bytes],
    *,
    key: SigningKey,
    casebook: Casebook,
    about: str,
    streams: Collection[str],
    open_tables: Collection[str],
    others: Mapping[str, bytes],
) -> int:
    """Write a pack; return the number of its streams. `others` are further files by name."""
    heads, signed = list[bytes](), dict[str, int]()
    async for page in pages_of_heads(store):
        heads.append(page)
        for line in page.splitlines():
            signed |= {stream: seq for stream, seq, _ in decode_head(line).statement.streams}
    facts = {"about": about, "version": __version__, "server": store.server_id}
    words = _README.format(**facts, heads=HEADS, key=KEY, streams=STREAMS, sums=SUMS, signature=SIGNATURE)
    written, hashes = sorted(signed.keys() & set(streams)), list[str]()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:

        async def add(name: str, *pages: bytes) -> None:
            hashes.append(f"{await asyncio.to_thread(_write, pack, name, pages)}  {name}\n")

        await add(README, words.encode())
        await add(KEY, f"{key.public.text}\n".encode())
        await add(HEADS, *heads)
        for name, content in others.items():
            await add(name, content)
        for stream in written:
            last, goes_on = signed[stream], False
            if stream.removeprefix(TABLES) in open_tables and stream.startswith(TABLES):
                last, goes_on = min(last, (await casebook.volume(stream)).exportable_until), True
            pages = [page async for page in pages_of(store, stream, last, goes_on=goes_on)]
            await add(f"{STREAMS}{stream}.jsonl", *pages)
        sums = "".join(hashes).encode()
        await add(SUMS, sums)
        await add(SIGNATURE, f"{key.signature(PURPOSE + sums)}\n".encode())
    return len(written)


def _write(pack: zipfile.ZipFile, name: str, pages: Iterable[bytes]) -> str:
    """Write a file of a pack; return its hash."""
    total = hashlib.sha256()
    # A fixed time, so that the same evidence gives the same bytes.
    with pack.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
        for page in pages:
            total.update(page)
            member.write(page)
    return total.hexdigest()
