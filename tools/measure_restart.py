"""Times how long a house takes to serve again after a kill, by the length of its history.

python tools/measure_restart.py --events 1000000
"""

from __future__ import annotations

import argparse
import sys

from crossfelt.benchmarks.machine import machine
from crossfelt.benchmarks.restart import run
from crossfelt.benchmarks.telling import lines

INTERRUPTED = 130


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000, metavar="N", help="how many to play first")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="starts, of which the quickest counts")
    arguments = parser.parse_args()
    print(*lines(machine(), list(run(arguments.repeats, arguments.events))), sep="\n")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
