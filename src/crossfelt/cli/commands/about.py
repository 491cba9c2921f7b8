"""`crossfelt about`: the version, the hash of the software, its manifest and the rulebooks."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt._util.software_hash import Manifest, check_manifest
from crossfelt.cli.options import AsJson
from crossfelt.cli.output import answer, require_sound
from crossfelt.rulebooks.loader import content_hash, load_shipped, rulebook_ids


def about(as_json: AsJson = False) -> None:
    """Print the version and the hash of the software, and check its manifest.

    The manifest is the list of files with their hashes that the installation wrote, of Crossfelt and of every package
    that it needs. Exits with 1 if a file is missing or was changed.
    """
    manifest = check_manifest()
    rulebooks = {name: content_hash(load_shipped(name)) for name in rulebook_ids()}
    answer({"manifest": manifest, "rulebooks": rulebooks}, _lines(manifest, rulebooks), as_json=as_json)
    require_sound(not manifest.faults)


def _lines(manifest: Manifest, rulebooks: dict[str, str]) -> Iterator[str]:
    yield f"Crossfelt {manifest.version}, {manifest.python}"
    yield f"software   {manifest.software}"
    yield f"manifest   {manifest_words(manifest)}"
    yield from (f"  {fault}" for fault in manifest.faults)
    yield "rulebooks"
    yield from (f"  {name:16}  {digest}" for name, digest in rulebooks.items())
    yield "packages"
    yield f"  {', '.join(f'{name} {version}' for name, version in manifest.packages.items())}"


def manifest_words(manifest: Manifest) -> str:
    """Return the result of the check in words."""
    checked = f"{manifest.files:,} files of {1 + len(manifest.packages)} packages"
    if manifest.faults:
        return f"{checked}, {len(manifest.faults):,} not as installed:"
    own = "" if manifest.recorded else "; Crossfelt runs from its source, which no manifest lists"
    return f"{checked}, all as installed{own}"
