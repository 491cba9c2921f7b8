"""Entry point of the `crossfelt` command: lists the commands, runs one and turns errors into exit codes.

Each command is a module that is imported when the command runs, so help and the small commands start at once. Bad
input prints one line for each problem and exits with 2. Output that cannot be written prints one line and exits with 1.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, Final

import typer
import typer.core
import typer.main

from crossfelt import __version__
from crossfelt.cli.output import EXIT_BAD_INPUT, EXIT_CHECK_FAILED, message, messages
from crossfelt.errors import BadInput, CheckFailed

PROGRAM: Final = "crossfelt"
EXIT_NO_OUTPUT: Final = 1
EXIT_INTERRUPTED: Final = 130

SECTIONS: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "Play and practise": {
        "play": ("play:play", "Play at a table in the terminal, against bots or with others."),
        "train": ("train:train", "Practise dealing: hands, payouts, order, irregularities, house way, errors."),
        "advise": ("advise:advise_command", "Show the expected value of each choice in a position."),
        "hand": ("hand:hand", "Rank and name a hand, and show what it pays."),
        "house-way": ("house_way:app", "List, show, apply or count the house ways of setting two hands."),
    },
    "Rules": {
        "rulebook": ("rulebook:app", "List the rulebooks, show one, or compare two."),
        "submission": ("submission:app", "Write or check an operator's Rules Submission."),
        "clauses": ("clauses:clauses_command", "List the clauses and the tests that prove them."),
        "round": ("round:round_command", "Play scripted rounds, and print the results."),
    },
    "Mathematics": {
        "solve": ("solve:solve_command", "Solve a game: its exact return and optimal strategy."),
        "strategy": ("strategy:app", "Compare strategies by their exact cost, or print a strategy card."),
        "exposure": ("exposure:exposure_command", "Show what a flashed card or shared hands are worth to players."),
        "sweep": ("sweep:sweep_command", "Solve many sets of rules and rank them by any figure."),
        "simulate": ("simulate:simulate", "Simulate many rounds, with confidence intervals."),
        "merge": ("merge:merge_command", "Combine the shards of a simulation or a sweep."),
        "warm": ("warm:warm", "Compile everything that the mathematics needs, before first use."),
        "report": ("report:report_command", "Write the PAR sheet of a game as one HTML, PDF or JSON file."),
    },
    "Server": {
        "serve": ("serve:serve", "Run the server: tables in a browser, with accounts and histories."),
        "owner": ("server_data:owner", "Create a one-time password for an owner who cannot log in."),
        "backup": ("server_data:backup", "Back up all data of a server, which may be running."),
        "restore": ("server_data:restore", "Restore a server's data from a backup, and check it."),
        "export": ("server_data:export", "Export a history or the signed heads of a server for an audit."),
    },
    "Evidence": {
        "about": ("about:about", "Print the version and hash of the software, and check its manifest."),
        "verify": ("verify:verify", "Verify a history: hash chain, replay and second settlement."),
        "dispute": ("dispute:dispute", "Reconstruct a disputed round from a history, on one page."),
        "fair": ("fair:fair", "Check the revealed cards of a round against its commitment."),
        "shuffle": ("shuffle:app", "Test the shuffle, or export shuffles for a laboratory."),
    },
}
"""The commands by section of the help: module:function in `cli.commands`, and a line of help."""
COMMANDS: Final = {name: place for commands in SECTIONS.values() for name, place in commands.items()}


class LazyCommands(Mapping[str, Any]):
    """The commands by name; looking one up imports its module."""

    def __getitem__(self, name: str) -> Any:
        module, _, attribute = COMMANDS[name][0].partition(":")
        found = getattr(import_module(f"crossfelt.cli.commands.{module}"), attribute)
        if isinstance(found, typer.Typer):
            found.rich_markup_mode = None
            command: Any = typer.main.get_group(found)
        else:
            alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            alone.command(name)(found)
            command = typer.main.get_command(alone)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(typer.core.TyperGroup):
    """A group that lists the names and help of its commands without importing them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LazyCommands()  # type: ignore[assignment]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in commands.items()])


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Casino table games built from their regulations, with tests that prove each clause.",
    epilog="Play money only. Exit codes: 0 success, 1 a check failed, 2 bad input, 130 interrupted.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run(arguments))


def _open_closed_streams() -> None:
    """Replace standard streams that were closed before the start: an empty input, outputs that reject writes."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull)  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    command = typer.main.get_command(app)
    try:
        code = command.main(arguments, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except BadInput as bad:
        messages(bad.problems)
        return EXIT_BAD_INPUT
    except CheckFailed as failed:
        for line in failed.lines:
            message(line)
        return EXIT_CHECK_FAILED
    except typer.TyperException as error:
        _print_usage_error(error, sys.argv[1:] if arguments is None else arguments)
        return EXIT_BAD_INPUT
    except (typer.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return EXIT_NO_OUTPUT
    except OSError as error:
        _drop_output()
        with suppress(OSError):
            message(f"{error.filename or 'output'}: cannot be read or written: {error.strerror or error}")
        return EXIT_NO_OUTPUT
    return code if isinstance(code, int) else 0


def _drop_output() -> None:
    """Discard pending output; otherwise the interpreter would try to write it again at exit and report an error."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _print_usage_error(error: typer.TyperException, arguments: Sequence[str]) -> None:
    """Print the error on one line and name the help to read."""
    context = getattr(error, "ctx", None)
    message(" ".join(error.format_message().split()))
    path = context.command_path if context else " ".join([PROGRAM, *_named(arguments)])
    message(f"Run '{path} --help' to see what is allowed.")


def _named(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the command and subcommand at the start of a command line."""
    commands: Any = LazyCommands()
    for argument in arguments:
        if argument not in commands:
            return
        yield argument
        commands = getattr(commands[argument], "commands", {})


if __name__ == "__main__":
    main()
