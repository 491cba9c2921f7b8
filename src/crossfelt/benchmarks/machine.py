"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from crossfelt import __version__
from crossfelt.kernels.threads import processors

PACKAGES = ("numba", "numpy", "eval7", "phevaluator", "pokerkit", "treys")


def machine() -> dict[str, str]:
    """Processor, system and versions."""
    return {
        "crossfelt": __version__,
        "processor": _processor(),
        "processors": str(processors()),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{package: _version(package) for package in PACKAGES},
    }


def busy() -> str:
    """How much work waited for the processors in the last minute, where the system tells."""
    if not hasattr(os, "getloadavg"):
        return "not told"
    load = os.getloadavg()[0]
    other = ": busy with other work, figures would be better without" if load > processors() / 2 else ""
    return f"{load:.2f}{other}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
