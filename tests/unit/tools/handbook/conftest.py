"""The site, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from handbook import site


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "site"
    site.build(out)
    return out
