"""The page on the rulebook file: it is current, gives every key a meaning, and its examples fit the model."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from crossfelt.rulebooks import model
from crossfelt.rulebooks.loader import dec_hook
from crossfelt.rulebooks.struct_decoder import shape_problems
from handbook.rulebook_examples import EXAMPLES
from handbook.rulebook_file import SECTIONS, keys_of, rulebook_page

KEYED: dict[type[Any], tuple[str, ...]] = {
    model.Setting: ("cut_min_cards",),
    model.Irregularity: ("face_up_card", "one"),
}
"""Examples that are entries of a table, with the keys that lead to the value."""
TRIVIAL = {model.Rulebook, model.Instead, model.CommunityPay}
"""Tables without an example: the whole file, and two that other tables explain."""


def test_the_page_is_current() -> None:
    path, text = rulebook_page()
    assert path.read_text("utf-8") == text, "run `make pages`"


@pytest.mark.parametrize("kind", SECTIONS, ids=lambda kind: kind.__name__)
def test_every_key_has_a_value_in_words_and_a_meaning(kind: type[Any]) -> None:
    for field, value, meaning in keys_of(kind):
        assert meaning.endswith("."), field.name
        assert re.search(r"(?<![\]`(#])\b[A-Z][a-z]+[A-Z]|tuple|\]\]", value) is None, value


@pytest.mark.parametrize("kind", [kind for kind in SECTIONS if kind not in TRIVIAL], ids=lambda kind: kind.__name__)
def test_the_example_of_each_form_fits_the_model(kind: type[Any]) -> None:
    text = EXAMPLES[kind].strip()
    data: Any = tomllib.loads(f"value = {text}")["value"] if text.startswith("{") else tomllib.loads(text)
    for key in KEYED.get(kind, ()):
        data = data[key]
    if tag := kind.__struct_config__.tag:
        data = {**data, "step": tag}
    assert shape_problems(kind, data, dec_hook=dec_hook) == []
