"""`--cluster`: the same work on other machines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from crossfelt.cli.output import message
from crossfelt.problems import BadInput, Problem

if TYPE_CHECKING:
    from crossfelt.analysis.cluster import OnCluster

Cluster = Annotated[
    str,
    typer.Option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster: tcp://HOST:PORT, or local."),
]

Shard = Annotated[
    str, typer.Option("--shard", metavar="N/OF", help="Only this share, into --out FILE; see `crossfelt merge`.")
]


@contextmanager
def on_cluster(address: str, workers: int | None) -> Iterator[OnCluster]:
    """A cluster that was named, while it is used; one that fails is told in one line."""
    try:
        from crossfelt.analysis.cluster import LOCAL, ClusterFailed, OnCluster
    except ImportError as error:
        raise BadInput.missing(error, extra="cluster", where="--cluster") from None
    if workers is not None and address != LOCAL:
        what, allowed = "a scheduler has the workers that it has", "--cluster local --workers N"
        raise BadInput(Problem(code="cluster.workers", where="--workers", what=what, value=workers, allowed=allowed))
    try:
        with OnCluster(address, workers=workers) as cluster:
            yield cluster
    except ClusterFailed as failed:
        message(f"{address}: {failed}")
        raise typer.Exit(1) from None
