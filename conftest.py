"""Names that the examples in docstrings use without an import."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True, scope="session")
def _names_in_examples(doctest_namespace: dict[str, Any]) -> None:
    from crossfelt.cards.shuffle import repeatable_seed
    from crossfelt.rulebooks.game import compile_game
    from crossfelt.table.state import new_table

    for name in (compile_game, new_table, repeatable_seed):
        doctest_namespace[name.__name__] = name
