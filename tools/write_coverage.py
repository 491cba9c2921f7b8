"""Write which tests prove which clause, as shipped in ``src/crossfelt/rulebooks/law/coverage.json``.

    python tools/write_coverage.py                 write it, and print the changes
    python tools/write_coverage.py --allow-loss    also when a clause loses its last proof
    python tools/write_coverage.py --check         write nothing; exit 1 when it is stale

Exit 0 done, 1 stale or refused, 2 the tests could not be collected.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

BEHAVIOUR = "behaviour"
ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "src" / "crossfelt" / "rulebooks" / "law" / "coverage.json"

Coverage = dict[str, dict[str, list[str]]]
"""The tests of each clause, by what they look at: ``behaviour`` proves it, ``data`` alone does not."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    before = _read(options.file)
    after = collect(options.tests)
    if after is None:
        return 2
    changes = differences(before, after)
    lost = sorted(_proved(before) - _proved(after))
    _say(changes or ["no change"])
    if options.check:
        return _checked(changes, lost)
    if lost and not options.allow_loss:
        _say([f"refused: {', '.join(lost)} would lose every proof; --allow-loss writes the file anyway"])
        return 1
    _write(options.file, after)
    tests = {test for kinds in after.values() for test in kinds.get(BEHAVIOUR, ())}
    _say([f"{len(_proved(after))} clauses proved by {len(tests)} tests"])
    return 0


def collect(tests: Sequence[str]) -> Coverage | None:
    """Collect the proofs of the default run; return None, with pytest's output on stderr, if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
        run = subprocess.run(
            [*command, "--clause-coverage", str(found), *(tests or ["tests"])],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            print(run.stdout + run.stderr, file=sys.stderr)
            return None
        return _read(found)


def differences(before: Coverage, after: Coverage) -> list[str]:
    """List clauses that lost their last proof, then removed and added proofs."""
    old, new = _rows(before), _rows(after)
    return [
        *(f"{clause} lost its proof" for clause in sorted(_proved(before) - _proved(after))),
        *(f"- {' '.join(row)}" for row in sorted(old - new)),
        *(f"+ {' '.join(row)}" for row in sorted(new - old)),
    ]


def _rows(coverage: Coverage) -> set[tuple[str, str, str]]:
    return {
        (clause, kind, test) for clause, kinds in coverage.items() for kind, tests in kinds.items() for test in tests
    }


def _proved(coverage: Coverage) -> set[str]:
    return {clause for clause, kinds in coverage.items() if kinds.get(BEHAVIOUR)}


def _checked(changes: Sequence[str], lost: Sequence[str]) -> int:
    if not changes:
        return 0
    remedy = "add a test for each lost clause" if lost else "run `make coverage`"
    _say([f"coverage.json is stale: {remedy}" + (f" ({', '.join(lost)})" if lost else "")])
    return 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write which tests prove which clause.")
    parser.add_argument("tests", nargs="*", default=["tests"], help="tests to collect (default: all)")
    parser.add_argument("--file", type=Path, default=SHIPPED, help="list to compare with and to write")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the list is stale")
    parser.add_argument(
        "--allow-loss", action="store_true", help="write the list even if a clause loses its last proof"
    )
    return parser.parse_args(arguments)


def _read(file: Path) -> Coverage:
    if not file.exists():
        return {}
    found: Coverage = json.loads(file.read_text("utf-8"))
    return found


def _write(file: Path, proofs: Coverage) -> None:
    file.write_text(json.dumps(proofs, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _say(lines: Sequence[str]) -> None:
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
