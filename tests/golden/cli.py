"""Golden output of the command line: histories, `--json` of every command, and PAR sheets, each with its exit code."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

from crossfelt.cli.main import run
from golden.text import normal, written

RULEBOOKS: Final = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow")
HOLE: Final = ("--hole", "As Kd")
SEVEN: Final = "As Kd Qs Jh Tc 2d Jk"
SIMULATED: Final = ("--rounds", "2000", "--workers", "1", "--check", "5", "--session", "100", "--json")
ROUNDS: Final = (
    {
        "rulebook": "nj-criss-cross",
        "seats": [
            {
                "seat": 1,
                "wagers": {"ante": 1000, "five_card_bonus": 500, "bonus_spin": 500},
                "decisions": {"across": 3000, "down": 1000, "middle": 1000},
            }
        ],
    },
    {
        "rulebook": "ma-criss-cross",
        "seed": 2,
        "seats": [{"seat": 2, "wagers": {"ante": 1000}, "decisions": {"across": 1000, "down": "fold"}}],
    },
    {
        "rulebook": "md-criss-cross",
        "seed": 7,
        "cards": {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc", "seat1": "Ks 2d"},
        "seats": [
            {
                "seat": 1,
                "wagers": {"ante": 1000, "five_card_bonus": 500},
                "decisions": {"across": 3000, "down": 1000, "middle": 1000},
            }
        ],
    },
    {
        "rulebook": "nj-double-cross",
        "seed": 4,
        "seats": [
            {
                "seat": 1,
                "wagers": {"ante": 1000, "three_card": 500},
                "decisions": {"three_card": "expose", "play": "vertical"},
            }
        ],
    },
    {
        "rulebook": "nj-pai-gow",
        "seed": 5,
        "seats": [
            {
                "seat": 1,
                "wagers": {"main": 1000, "progressive_player": 1, "imperial": 500},
                "decisions": {"set": "house-way"},
            }
        ],
    },
    {"rulebook": "nj-pai-gow", "seats": [{"seat": 1, "wagers": {"main": 1000}}]},
)
"""One round of each game, and one in which a decision is missing."""


def crossfelt(*arguments: str) -> tuple[int, str, str]:
    """Run one command line in this process; return its exit code and what it printed on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return code, out.getvalue(), err.getvalue()


def history_files(scratch: Path) -> Iterator[tuple[str, str]]:
    """Each rulebook's history of fixed seeds: three bots for three rounds, one line for each command and its events."""
    for book in RULEBOOKS:
        header, *rows = [json.loads(line) for line in history(book, scratch).read_text("utf-8").splitlines()]
        yield f"histories/{book}.header.json", written(normal(header))
        yield f"histories/{book}.jsonl", "".join(written(normal(row)) for row in rows)


def history(book: str, scratch: Path) -> Path:
    """Write the history of one rulebook, unless it is there."""
    path = scratch / f"{book}.jsonl"
    if not path.exists():
        bots = ("--seats", "3", "--bots", "careful,always-3:25+5,careful" if "criss" in book else "careful")
        code, _, err = crossfelt("play", book, "--auto", "3", *bots, "--seed", "7", "--history", str(path))
        assert code == 0, err
    return path


def command_files(scratch: Path) -> Iterator[tuple[str, str]]:
    """`--json` of every command that has it and computes little.

    Left out: `bench`, which measures times. `fair` reads a round of the server, beside the wire transcripts.
    """
    for name, arguments in _cheap(scratch):
        yield f"commands/{name}.json", answered(arguments, scratch)


def computed_files(scratch: Path) -> Iterator[tuple[str, str]]:
    """The same for the commands that compute.

    Left out for their time: `strategy card` and `house-way count`, both over ten seconds.
    """
    for name, arguments in _computed(scratch):
        yield f"commands/{name}.json", answered(arguments, scratch)


def par_file(book: str, scratch: Path) -> Iterator[tuple[str, str]]:
    """A rulebook's PAR sheet, with a short simulation."""
    path = scratch / f"par-{book}.json"
    options = ("--quick", "--rounds", "1000", "--workers", "1", "--seed", "0")
    code, _, err = crossfelt("report", book, *options, "--out", str(path))
    assert code == 0, err
    yield f"par/{book}.json", written(normal(json.loads(path.read_text("utf-8"))))


def answered(arguments: tuple[str, ...], scratch: Path) -> str:
    """Return the command line, its exit code and output; a problem it reports stands under stderr."""
    code, out, err = crossfelt(*arguments)
    names = {f"{scratch}/": "", str(scratch): ""}
    told = {"command": list(arguments), "exit": code, "stdout": _parsed(out)}
    if code == 2:
        told["stderr"] = err.splitlines()
    return written(normal(told, names))


def _parsed(out: str) -> Any:
    """JSON, or a JSON value for each line."""
    try:
        return _without_tests(json.loads(out))
    except ValueError:
        return [json.loads(line) for line in out.splitlines()]


def _without_tests(found: Any) -> Any:
    """Clauses are listed with the tests that prove them, whose names may change."""
    if not isinstance(found, list):
        return found
    return [{**row, "tests": bool(row["tests"])} if isinstance(row, dict) and "tests" in row else row for row in found]


def _cheap(scratch: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "clauses", ("clauses", "--json")
    yield "rulebook_list", ("rulebook", "list", "--json")
    for book in RULEBOOKS:
        yield f"rulebook_show_{book}", ("rulebook", "show", book, "--json")
        yield (
            f"train_{book}",
            (
                *("train", book, "--questions", "6", "--seed", "1", "--progress", str(scratch / "progress")),
                "--json",
            ),
        )
        log = str(history(book, scratch))
        yield f"verify_{book}", ("verify", log, "--json")
        yield f"dispute_{book}", ("dispute", log, "--round", "2", "--seat", "1", "--json")
    yield "train_standing", ("train", "--standing", "--progress", str(scratch / "progress"), "--json")
    yield "rulebook_diff", ("rulebook", "diff", "nj-criss-cross", "md-criss-cross", "--json")
    yield "rulebook_unknown", ("rulebook", "show", "nj-whist", "--json")
    yield "verify_altered", ("verify", str(_altered(scratch)), "--json")
    for book in RULEBOOKS:
        path = scratch / f"submission-{book}.toml"
        path.write_text(crossfelt("submission", "new", book)[1], "utf-8")
        yield f"submission_check_{book}", ("submission", "check", str(path), "--json")
    yield "submission_check_refused", ("submission", "check", str(_refused_submission(scratch)), "--json")
    yield "hand", ("hand", "As Ks Qs Js Ts", "--json")
    yield "hand_nj-criss-cross", ("hand", "As Ks Qs Js Ts", "--game", "nj-criss-cross", "--json")
    yield "hand_nj-pai-gow", ("hand", SEVEN, "--game", "nj-pai-gow", "--json")
    yield "hand_refused", ("hand", "As As Qs Js Ts", "--json")
    yield "house_way_list", ("house-way", "list", "--json")
    yield "house_way_show", ("house-way", "show", "trump_plaza", "--json")
    yield "house_way_set", ("house-way", "set", "all", SEVEN, "--json")
    rounds = scratch / "rounds.jsonl"
    rounds.write_text("".join(json.dumps(it) + "\n" for it in ROUNDS))
    yield "round", ("round", str(rounds), "--json")
    yield (
        "shuffle_export",
        (
            *("shuffle", "export", "--shuffles", "3", "--seed", "1", "--out", str(scratch / "shuffles")),
            *("--force", "--json"),
        ),
    )


def _computed(scratch: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    for book in RULEBOOKS:
        yield f"solve_{book}", ("solve", book, "--json")
        yield f"simulate_{book}", ("simulate", book, *SIMULATED)
    yield "solve_pay", ("solve", "nj-criss-cross", "--pay", "bets.flush=7", "--json")
    yield "advise_first", ("advise", "nj-criss-cross", *HOLE, "--json")
    yield (
        "advise_last",
        (
            *(
                "advise",
                "md-criss-cross",
                *HOLE,
                "--see",
                "across=2c 3d",
                "--see",
                "down=Ah 5s",
                "--bets",
                "across=1,down=3",
            ),
            "--json",
        ),
    )
    yield (
        "advise_nj-double-cross",
        ("advise", "nj-double-cross", *HOLE, "--see", "down_far=2c", "--see", "across_right=3d", "--json"),
    )
    yield "advise_nj-pai-gow", ("advise", "nj-pai-gow", "--cards", SEVEN, "--json")
    yield "strategy_book", ("strategy", "book", "nj-criss-cross", *HOLE, "--json")
    yield "strategy_costs", ("strategy", "costs", "nj-double-cross", "--json")
    yield (
        "exposure_nj-double-cross",
        (
            *("exposure", "nj-double-cross", "--deals", "2", "--positions", "2"),
            "--json",
        ),
    )
    yield "shuffle_test", ("shuffle", "test", "--shuffles", "1000", "--seed", "1", "--json")
    swept = ("sweep", "ma-criss-cross", "--pay", "bets.flush=6,7,8", "--workers", "1")
    yield "sweep", (*swept, "--rank", "edge", "--permitted", "--json")
    shares = [scratch / f"share-{number}" for number in (1, 2)]
    for number, share in enumerate(shares, 1):
        code, _, err = crossfelt(*swept, "--shard", f"{number}/2", "--out", str(share), "--force")
        assert code == 0, err
    yield "merge", ("merge", *map(str, shares), "--rank", "edge", "--json")
    yield "merge_missing", ("merge", str(shares[0]), "--json")


def _refused_submission(scratch: Path) -> Path:
    path = scratch / "submission.toml"
    path.write_text('rulebook = "nj-criss-cross"\n[wagers.ante]\nmin_cents = -5\n')
    return path


def _altered(scratch: Path) -> Path:
    """A history in which one amount was changed."""
    path = scratch / "altered.jsonl"
    lines = history("ma-criss-cross", scratch).read_text("utf-8").splitlines()
    place = next(place for place, line in enumerate(lines) if "wagers_placed" in line)
    lines[place] = lines[place].replace("1000", "1001", 1).replace("2500", "2501", 1)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
