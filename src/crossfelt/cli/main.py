"""The `crossfelt` command: what people type.

Commands live in modules of their own and are imported when they are called, so that help and the small commands
start at once. Whatever goes wrong with the input is told here, one line for each problem, and exits with 2; output
that cannot be written is told in one line, and exits with 1.
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
from crossfelt.cli.output import message, messages
from crossfelt.problems import BadInput

PROGRAM: Final = "crossfelt"
EXIT_NO_OUTPUT: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_INTERRUPTED: Final = 130

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "rulebook": ("rulebook:app", "Rulebooks: list them, show one, compare two."),
    "submission": ("submission:app", "An operator's Rules Submission: write one, check one."),
    "clauses": ("clauses:clauses_command", "List the clauses of the law, and which tests prove them."),
    "hand": ("hand:hand", "Rank and name a hand, and say what it pays."),
    "house-way": ("house_way:app", "House ways of Pai Gow Poker: list, show, set a hand, count all hands."),
    "play": ("play:play", "Play at a table in the terminal, with people and bots."),
    "fair": ("fair:fair", "Check what the house fixed before the bets of a round, from what it opened."),
    "serve": ("serve:serve", "Run the house: many tables in a browser, with accounts and histories."),
    "owner": ("owner:owner", "Make a one-time password for the owner of a house who cannot log in."),
    "backup": ("backup:backup", "Copy everything a house keeps into one file, while it runs."),
    "restore": ("backup:restore", "Make a house from a backup."),
    "export": ("export:export", "Copy a stream or the signed heads of a house, to be verified elsewhere."),
    "round": ("round:round_command", "Play a scripted round, or a file of them, and print what it came to."),
    "simulate": ("simulate:simulate", "Play many rounds, with confidence intervals."),
    "solve": ("solve:solve_command", "The exact return of a game, and its best strategy."),
    "advise": ("advise:advise_command", "What each choice is worth, here and now."),
    "strategy": ("strategy:app", "Other ways to play: their exact cost, a card to follow, best play written out."),
    "sweep": ("sweep:sweep_command", "Many sets of rules solved at once, and ranked by any figure."),
    "merge": ("merge:merge_command", "Put shares together that were worked out apart."),
    "exposure": ("exposure:exposure_command", "What a flashed card or shared hands are worth to players."),
    "report": ("report:report_command", "The PAR sheet of a game, as one HTML, PDF or JSON file."),
    "train": ("train:train", "Drills for a dealer: hands, payments, order, irregularities, house way, errors."),
    "shuffle": ("shuffle:app", "Test the shuffle that ships, and export it for a laboratory."),
    "bench": ("bench:bench_command", "Measure the speed of everything, beside peers."),
    "dispute": ("dispute:dispute", "Open a round of a history again, and print one page about it."),
    "verify": ("verify:verify", "Check a history: chain, replay and re-settlement."),
}
"""Where each command is, as module:name in this package, and what help says of it."""


class LazyCommands(Mapping[str, Any]):
    """The commands by name; a module is imported when its command is asked for."""

    def __getitem__(self, name: str) -> Any:
        module, _, attribute = COMMANDS[name][0].partition(":")
        found = getattr(import_module(f"crossfelt.cli.{module}"), attribute)
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
    """A group that knows its commands' names and help without importing them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LazyCommands()  # type: ignore[assignment]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in COMMANDS.items()])


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Casino table games from the regulation that defines them, with proof that the two agree.",
    epilog="Play money only. Exit codes: 0 done, 1 a check failed, 2 bad input.",
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
    """The entry point."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run(arguments))


def _open_closed_streams() -> None:
    """A stream that was closed before we began has nothing to read, and refuses what is written to it."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull)  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def run(arguments: Sequence[str] | None = None) -> int:
    """Carries out one command line; returns its exit code."""
    command = typer.main.get_command(app)
    try:
        code = command.main(arguments, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except BadInput as bad:
        messages(bad.problems)
        return EXIT_BAD_INPUT
    except typer.TyperException as error:
        _tell_usage(error, sys.argv[1:] if arguments is None else arguments)
        return EXIT_BAD_INPUT
    except (typer.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return EXIT_NO_OUTPUT
    except OSError as error:
        _drop_output()
        with suppress(OSError):
            message(f"{error.filename or 'the output'}: cannot be written or read: {error.strerror or error}")
        return EXIT_NO_OUTPUT
    return code if isinstance(code, int) else 0


def _drop_output() -> None:
    """What is still to be written goes nowhere: otherwise the interpreter would try again, and complain, at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _tell_usage(error: typer.TyperException, arguments: Sequence[str]) -> None:
    """One line, and where to look further; a group that was called without a command shows its help."""
    told = error.format_message()
    if told.startswith("Usage:"):
        message(told)
        return
    context = getattr(error, "ctx", None)
    message(" ".join(told.split()))
    path = context.command_path if context else " ".join([PROGRAM, *_named(arguments)])
    message(f"Try '{path} --help'.")


def _named(arguments: Sequence[str]) -> Iterator[str]:
    """The command and subcommand that a command line begins with, where the error does not say."""
    commands: Any = LazyCommands()
    for argument in arguments:
        if argument not in commands:
            return
        yield argument
        commands = getattr(commands[argument], "commands", {})


if __name__ == "__main__":
    main()
