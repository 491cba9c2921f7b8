"""Options that several commands share, and the functions that read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crossfelt.cli.output import message
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.server.config import read_config
from crossfelt.server.store.interface import StoreError

if TYPE_CHECKING:
    from crossfelt.analysis.cluster import ClusterRunner


def argument(metavar: str, help_text: str) -> Any:
    """Make an argument of a command."""
    return typer.Argument(metavar=metavar, help=help_text)


def option(metavar: str, help_text: str, **others: Any) -> Any:
    """Make an option of a command, which is called like its parameter."""
    return typer.Option(metavar=metavar, help=help_text, **others)


def flag(name: str, help_text: str) -> Any:
    """Make an option without a value."""
    return typer.Option(name, help=help_text)


Which = Annotated[str, argument("ID", "Rulebook id, or path of a .toml or .json file.")]
SubmissionFile = Annotated[Path | None, option("FILE", "Apply an operator's Rules Submission.")]
PayOptions = Annotated[
    list[str] | None, option("TABLE.LINE=ODDS", "Change the odds of one line, e.g. bets.flush=7; repeatable.")
]
AsJson = Annotated[bool, flag("--json", "Print JSON.")]
Force = Annotated[bool, flag("--force", "Overwrite the file.")]
StateFile = Annotated[Path | None, option("FILE", "Save progress here, and resume from it next time.")]
Confidence = Annotated[float, option("P", "Confidence level of a simulation's intervals, in percent.")]
PublicKey = Annotated[Path | None, option("PUB", "Public key of the server; needs --head.")]
SignedHeads = Annotated[Path | None, option("FILE", "Signed heads of the server, one per line; needs --key.")]
Workers = Annotated[int | None, option("N", "Worker processes to use; default: one per processor.")]
MOST_WORKERS = 256
"""On one machine; more would only compete for its processors."""


def command_group(help_text: str) -> typer.Typer:
    """Make a command that consists of subcommands."""
    return typer.Typer(help=help_text, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def read_game(which: str, submission: Path | None) -> Game:
    if submission is None:
        return compile_game(which)
    _, stated = loader.read_submission(submission, of=(book := loader.load(which)))
    return compile_game(book, stated, where=str(submission))


def option_problem(command: str, where: str, what: str, value: int | str | None, allowed: str) -> Problem:
    """Make the problem of one option of a command."""
    return Problem.at(where, f"{command}.option", what, value, allowed)


def worker_problems(command: str, workers: int | None) -> list[Problem]:
    """Check `--workers`.

    >>> [str(problem) for problem in worker_problems("sweep", 0)]
    ['--workers: too few worker processes: 0 (allowed: 1 to 256)']
    """
    if workers is None or 1 <= workers <= MOST_WORKERS:
        return []
    what = f"too {'few' if workers < 1 else 'many'} worker processes"
    return [option_problem(command, "--workers", what, workers, f"1 to {MOST_WORKERS}")]


def read_pay(given: Sequence[str] | None) -> dict[str, str]:
    """Read `--pay`: odds by pay table and line.

    >>> read_pay(["bets.flush=7", "bets.straight = 9 to 2"])
    {'bets.flush': '7', 'bets.straight': '9 to 2'}
    """
    return read_pairs(given or (), where="--pay", allowed="TABLE.LINE=ODDS, e.g. bets.flush=7")


def read_pairs(given: Sequence[str], *, where: str, allowed: str) -> dict[str, str]:
    """Read NAME=VALUE pairs; reject a name that occurs twice."""
    pairs: dict[str, str] = {}
    problems = []
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            problems.append(Problem.at(where, "option.form", "not NAME=VALUE", text, allowed))
        elif name in pairs:
            problems.append(Problem.at(where, "option.twice", "given twice; give it once", name))
        pairs[name] = value
    require_none(problems)
    return pairs


Cluster = Annotated[str, option("ADDRESS", "Compute on a Dask cluster: tcp://HOST:PORT, or 'local'.")]

Shard = Annotated[str, option("N/OF", "Compute shard N of OF into --out FILE; combine with `crossfelt merge`.")]


@contextmanager
def on_cluster(address: str, workers: int | None) -> Iterator[ClusterRunner]:
    """Connect to a Dask cluster; if it fails, print one line and exit with 1."""
    try:
        from crossfelt.analysis.cluster import LOCAL, ClusterFailed, ClusterRunner
    except ImportError as error:
        raise BadInput.missing(error, extra="cluster", where="--cluster") from None
    if workers is not None and address != LOCAL:
        what = "the Dask scheduler sets the number of workers; leave this option out"
        raise BadInput.at("--workers", "cluster.workers", what, workers, "only with --cluster local")
    try:
        with ClusterRunner(address, workers=workers) as cluster:
            yield cluster
    except ClusterFailed as failed:
        message(f"{address}: {failed}")
        raise typer.Exit(1) from None


Data = Annotated[str | None, option("DIR", "Data directory of the server. Default: ./crossfelt-data")]
Database = Annotated[str | None, option("URL", "PostgreSQL database, postgresql://…, instead of SQLite in DIR.")]
Settings = Annotated[Path | None, option("FILE", "Settings file in TOML. Default: crossfelt.toml in DIR")]


def place_of(data: str | None, database: str | None, config: Path | None) -> tuple[Path, str | None]:
    """Find the data directory and the database of a server as `crossfelt serve` would."""
    settings = read_config({"data": data, "database": database}, config)
    return Path(settings.data), settings.database or None


@contextmanager
def answering(data: Path, database: str | None) -> Iterator[None]:
    """Turn an error of the store into bad input of one line."""
    try:
        yield
    except StoreError as error:
        where = str(data) if database is None else "database"
        raise BadInput.at(where, "store.unreadable", " ".join(str(error).split())) from None
