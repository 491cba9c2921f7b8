"""`crossfelt bench`."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from crossfelt.benchmarks import BENCHMARKS, measuring, page
from crossfelt.benchmarks.result import Disagreement, Figure, Result


def test_every_benchmark_is_there(crossfelt: Any) -> None:
    listed = crossfelt("bench", "--list").out
    for name in BENCHMARKS:
        assert name in listed
        assert callable(import_module(f"crossfelt.benchmarks.{name}").run)


def test_one_run_prints_ratios_and_writes_figures_and_a_plot(crossfelt: Any, tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    found = crossfelt("bench", "shuffle", "--quick", "--out", out)
    assert found.code == 0
    assert "times the fastest peer" in found.out
    assert "processor" in found.out
    written = json.loads(out.read_text())
    [shuffles] = written["results"]
    rates = {figure["who"]: figure["value"] for figure in shuffles["figures"]}
    peer = rates.pop("random.SystemRandom().shuffle")
    assert shuffles["ratios"]["crossfelt"] == rates["crossfelt"] / peer
    assert written["repeats"] == 1
    picture = out.with_suffix(".svg").read_text()
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert "secure shuffles" in picture
    for told in (found.out, out.read_text(), picture):
        assert str(Path.home()) not in told
        assert str(Path(__file__).parents[2]) not in told
        assert platform.node() not in told
    assert crossfelt("bench", "shuffle", "--quick", "--out", out).code == 2


def test_contenders_that_differ_are_no_figures(crossfelt: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def differ(names: list[str], repeats: int) -> Iterator[Result]:
        raise Disagreement("two ways do not agree")

    monkeypatch.setattr(measuring, "measured", differ)
    found = crossfelt("bench", "census")
    assert (found.code, found.out, found.errors) == (1, "", ["no figures: two ways do not agree"])


def test_an_interrupted_run_tells_what_it_has(crossfelt: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(names: list[str], repeats: int) -> Iterator[Result]:
        yield Result(name="census, counted", unit="ms", figures=(Figure(who="crossfelt", value=8.0, ours=True),))
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "measured", interrupted)
    found = crossfelt("bench", "census", "shuffle", "--json")
    assert found.code == 130
    assert [result["name"] for result in found.json["results"]] == ["census, counted"]
    assert "load at the end" in found.json["machine"]
    assert "interrupted: these are the figures so far" in found.errors


def test_a_browser_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSFELT_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr(page, "house", lambda: nullcontext("http://127.0.0.1:1"))
    [found] = page.run(1)
    assert found.figures == ()
    assert found.skipped[0].startswith("page: ")


def test_a_benchmark_whose_package_is_missing_is_told(crossfelt: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError("no scipy", name="scipy")

    monkeypatch.setattr(measuring, "import_module", missing)
    found = crossfelt("bench", "shuffle", "--json").json
    assert found["results"][0]["skipped"] == ["shuffle: needs scipy, which is not installed"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["luck"], "NAME: no such benchmark: 'luck'"),
        (["--repeats", "0"], "--repeats: nothing would be timed: 0"),
        (["--repeats", "3", "--quick"], "--repeats: not with --quick"),
        (["--out", "x.txt"], "--out: no such format: 'x.txt'"),
        (["--out", "nowhere/x.json"], "nowhere/x.json: cannot be written"),
    ],
)
def test_bad_input_is_one_line(crossfelt: Any, options: list[str], told: str) -> None:
    found = crossfelt("bench", *options)
    assert (found.code, found.out) == (2, "")
    assert told in found.err
    assert len(found.errors) == 1
