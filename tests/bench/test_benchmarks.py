"""Benchmarks: ratios, files, and runs that end early."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from benchmarks import __main__ as command
from benchmarks import page
from benchmarks.kernels import require_agreement
from benchmarks.timing import Disagreement, Result, our_result

HIGH_CARD, PAIR = (0, 5, 10, 15, 20), (0, 1, 10, 15, 20)


@pytest.mark.parametrize("name", command.BENCHMARKS)
def test_every_benchmark_has_its_function(name: str) -> None:
    module, _ = command.BENCHMARKS[name]
    assert callable(getattr(import_module(f"benchmarks.{module}"), name))


def test_a_run_prints_ratios_and_writes_figures_and_a_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bench.json"
    assert command.main(["shuffle", "--quick", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "times the fastest peer" in printed
    written = json.loads(out.read_text())
    [shuffles] = written["results"]
    rates = {figure["who"]: figure["value"] for figure in shuffles["figures"]}
    assert shuffles["ratios"]["crossfelt"] == rates["crossfelt"] / rates["random.SystemRandom().shuffle"]
    assert written["repeats"] == 1
    picture = out.with_suffix(".svg").read_text()
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert "secure shuffles" in picture
    for text in (printed, out.read_text(), picture):
        assert str(Path.home()) not in text
        assert platform.node() not in text


def test_contenders_that_disagree_have_no_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def differ(names: list[str], repeats: int) -> Iterator[Result]:
        require_agreement("peer", [HIGH_CARD, PAIR], [2, 1])
        yield our_result("census, counted", "ms", 8.0)

    monkeypatch.setattr(command, "measured", differ)
    assert command.main(["census"]) == 1
    assert capsys.readouterr() == ("", "no figures: peer and crossfelt do not rank the same hands alike\n")


def test_peers_must_tie_equal_hands() -> None:
    require_agreement("peer", [HIGH_CARD, PAIR], [1, 2])
    with pytest.raises(Disagreement):
        require_agreement("peer", [HIGH_CARD, HIGH_CARD, PAIR], [1, 2, 3])


def test_an_interrupted_run_prints_the_figures_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(names: list[str], repeats: int) -> Iterator[Result]:
        yield our_result("census, counted", "ms", 8.0)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "measured", interrupted)
    assert command.main(["census"]) == command.EXIT_INTERRUPTED
    assert "census, counted" in capsys.readouterr().out


def test_a_missing_browser_is_the_reason_to_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSFELT_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr(page, "new_server", lambda: nullcontext(SimpleNamespace(address="http://127.0.0.1:1")))
    [found] = page.page(1)
    assert found.figures == ()
    assert found.skipped[0].startswith("page: ")


def test_a_missing_package_is_the_reason_to_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError("no scipy", name="scipy")

    monkeypatch.setattr(command, "import_module", missing)
    [found] = command.measured(["shuffle"], 1)
    assert found.skipped == ("shuffle: needs scipy, which is not installed",)


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["luck"])
    assert "no such benchmark: luck" in capsys.readouterr().err
