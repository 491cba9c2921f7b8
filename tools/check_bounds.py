"""Test the installed package with the lowest or the newest versions of its dependencies.

python tools/check_bounds.py lowest

The script makes an environment of its own, and installs Crossfelt with its extras there: with the lowest versions that
`pyproject.toml` allows, or the newest. Then it runs `tools/smoke.py` and the tests of the two protocol classes, which
depend on internals of uvicorn and websockets. It takes about two minutes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import tomllib
import venv
from itertools import chain
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
EXTRAS: Final = ("cluster", "lab", "postgres", "report")
TESTS: Final = (
    "tests/unit/server/ws/test_protocol.py",
    "tests/server/http/test_timeouts.py",
    "tests/server/http/test_connection_limit.py",
)


def lowest(requirement: str) -> str:
    """Return a requirement for the lowest version that a requirement allows.

    >>> lowest("uvicorn>=0.52.1,<0.55"), lowest("uvloop>=0.21; sys_platform != 'win32'")
    ('uvicorn==0.52.1', "uvloop==0.21; sys_platform != 'win32'")
    """
    return re.sub(r">=\s*([^,;\s]+)[^;]*", r"==\1", requirement)


def main() -> None:
    """Read the command line, make the environment, and run the tests."""
    parser = argparse.ArgumentParser(description="Test Crossfelt with the lowest or newest versions it allows.")
    parser.add_argument("versions", choices=("lowest", "newest"))
    asked = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *chain.from_iterable(extras[extra] for extra in EXTRAS)]
    if asked.versions == "lowest":
        requirements = [lowest(requirement) for requirement in requirements]
    with tempfile.TemporaryDirectory(prefix="crossfelt-bounds-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "bin", "python"))
        subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements, "pytest", str(ROOT)], check=True)
        subprocess.run([python, "-m", "pip", "list"], check=True)
        subprocess.run([python, "tools/smoke.py"], check=True, cwd=ROOT)
        subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
