"""Files that the command line writes: never over another without being told to."""

from __future__ import annotations

from pathlib import Path

from crossfelt.problems import BadInput, Problem


def require_writable(out: Path, *, force: bool) -> None:
    """Refuse before the work what could not be written after it."""
    if out.exists() and not force:
        raise _exists(out)
    if out.is_dir():
        raise _unwritable(out, "Is a directory")
    if not out.parent.is_dir():
        raise _unwritable(out, "No such directory")


def write(out: Path, data: bytes, *, force: bool) -> None:
    """Write a file; one that is there is kept unless by force."""
    try:
        with out.open("wb" if force else "xb") as file:
            file.write(data)
    except FileExistsError:
        raise _exists(out) from None
    except OSError as error:
        raise _unwritable(out, error.strerror or str(error)) from None


def _exists(out: Path) -> BadInput:
    what, allowed = "exists already", "another name, or --force"
    return BadInput(Problem(code="file.exists", where=str(out), what=what, allowed=allowed))


def _unwritable(out: Path, why: str) -> BadInput:
    return BadInput(Problem(code="file.unwritable", where=str(out), what=f"cannot be written: {why}"))
