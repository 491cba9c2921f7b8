"""`crossfelt warm`: compile the kernels before they are needed."""

from __future__ import annotations

from time import perf_counter

from crossfelt.cli.options import AsJson
from crossfelt.cli.output import answer
from crossfelt.cli.progress import progress
from crossfelt.errors import BadInput


def warm(as_json: AsJson = False) -> None:
    """Compile everything that the mathematics needs on this machine, and keep it: for an image, or before first use.

    The directory is `crossfelt` in the user's cache directory, or the one in CROSSFELT_CACHE. Compiled code fits one
    version of the software and one kind of processor.
    """
    from crossfelt.analysis.warm_up import steps
    from crossfelt.kernels.cache import cache_directory, cache_root, compiled_kernels

    if not cache_directory().is_relative_to(cache_root()):
        raise BadInput.at(
            "CROSSFELT_CACHE", "warm.cache", "compiled code cannot be kept in this directory", str(cache_root())
        )
    started, work = perf_counter(), list(steps())
    with progress("compiling", len(work)) as advance:
        for step in work:
            step()
            advance(1)
    kernels, seconds = compiled_kernels(), perf_counter() - started
    found = {"directory": str(cache_directory()), "kernels": kernels, "seconds": seconds}
    answer(found, f"{kernels} kernels are compiled, in {cache_directory()}", as_json=as_json)
