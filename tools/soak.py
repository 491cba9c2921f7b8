"""Run the long tests one by one: on this machine, one shard of them, or on a Dask cluster.

Each test is one job, ``pytest`` in a new process. On a cluster it runs in the clone in which ``dask worker`` was
started; see docs/scaling.md.

    python tools/soak.py --workers 2
    python tools/soak.py --shard 3/10
    python tools/soak.py --cluster tcp://HOST:8786 -k shuffle
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from crossfelt.analysis.runners import ProcessRunner, Runner, run_in_process
from crossfelt.analysis.simulation.plan import share_named
from crossfelt.cli.progress import progress
from crossfelt.errors import BadInput
from crossfelt.kernels.threads import share_of

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "soak")
NOTHING_COLLECTED = 5
INTERRUPTED = 130
TOLD_LINES = 40


def collected(more: Sequence[str]) -> list[str]:
    """Return the ids of all long tests."""
    found = subprocess.run(
        [sys.executable, *PYTEST, "--collect-only", *more], capture_output=True, text=True, check=False
    )
    if found.returncode not in (0, NOTHING_COLLECTED):
        raise SystemExit(found.stdout + found.stderr)
    return [line for line in found.stdout.splitlines() if "::" in line]


def run_test(name: str) -> bytes:
    """Run one test in a new process; return its figures, or its output if it fails."""
    started = perf_counter()
    found = subprocess.run([sys.executable, *PYTEST, name], capture_output=True, text=True, check=False)
    passed, told = found.returncode == 0, (found.stdout + found.stderr).splitlines()
    figures = [line.removeprefix(f"{name}: ") for line in told if line.startswith(f"{name}: ")]
    answer = {"test": name, "passed": passed, "seconds": perf_counter() - started}
    return json.dumps(answer | {"told": figures if passed else told[-TOLD_LINES:]}).encode()


@contextmanager
def runner(arguments: argparse.Namespace) -> Iterator[Runner]:
    if not arguments.cluster:
        yield ProcessRunner(arguments.workers) if arguments.workers > 1 else run_in_process
        return
    from crossfelt.analysis.cluster import LOCAL, ClusterFailed, ClusterRunner

    local = arguments.cluster == LOCAL
    try:
        with ClusterRunner(arguments.cluster, workers=arguments.workers if local else None) as cluster:
            yield cluster
    except ClusterFailed as failed:
        raise SystemExit(f"{arguments.cluster}: {failed}") from None


def main() -> None:
    arguments, more = _arguments()
    try:
        share = share_named(arguments.shard)
        tests = collected(more)
        tests = tests[share_of(len(tests), share.number - 1, share.of)]
        failed = 0
        with runner(arguments) as run, progress("soaking", len(tests)) as advance:
            for answer in run(run_test, [(test,) for test in tests]):
                found = json.loads(answer)
                failed += not found["passed"]
                verdict = "passed" if found["passed"] else "FAILED"
                print(f"{verdict} {found['seconds']:8.1f} s  {found['test']}", flush=True)
                print(*found["told"], sep="\n", end="\n" if found["told"] else "")
                advance(1)
    except BadInput as bad:
        raise SystemExit(str(bad)) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(bool(failed))


def _arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Other options are passed to pytest.",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes on this machine")
    parser.add_argument("--shard", default="1/1", metavar="N/OF", help="run only this shard of the tests")
    parser.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="tcp://HOST:PORT of a Dask scheduler, or local"
    )
    return parser.parse_known_args()


if __name__ == "__main__":
    main()
