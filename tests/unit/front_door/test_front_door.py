"""The front door: `import crossfelt as cf`, its names, its results, its table."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import crossfelt as cf
from crossfelt.tabular import Tabular

CRISS_CROSS = "md-criss-cross"
RELATIVE = {"what", "who", "whose", "where", "when", "which", "that", "how", "why", "if", "it", "this", "there"}
ROUND = {
    "rulebook": CRISS_CROSS,
    "cards": {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc", "seat1": "Ks 2d"},
    "seats": [
        {"seat": 1, "wagers": {"ante": 1000}, "decisions": {"across": 3000, "down": 1000, "middle": 1000}},
    ],
}


def folded_table() -> cf.Table:
    table = cf.Table(CRISS_CROSS, seed=7)
    table.sit(1, "Ann", cents=100_000)
    table.act(1, "ante 10 bonus 5")
    table.deal()
    table.act(1, "fold")
    return table


# --- names ------------------------------------------------------------------------------------------------------------


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, crossfelt; dir(crossfelt); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "msgspec", "litestar", "typer"} & set(loaded)
    assert [name for name in loaded if name.startswith("crossfelt")] == ["crossfelt"]


@pytest.mark.parametrize("name", cf.__all__)
def test_every_public_name_exists_and_says_what_it_is(name: str) -> None:
    first = (getattr(cf, name).__doc__ or "").split()[0]
    assert first[0].isupper()
    assert first.lower() not in RELATIVE


def test_each_name_is_listed_once_and_where_it_is_defined() -> None:
    lazy = {name: module for module, names in cf._MODULES.items() for name in names}
    assert sorted(lazy) == sorted(cf.__all__)
    for name, module in lazy.items():
        assert getattr(cf, name).__module__ == module


def test_there_are_few_public_names() -> None:
    assert len(cf.__all__) == len(set(cf.__all__)) <= 25
    assert set(cf.__all__) <= set(dir(cf))
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        cf.__getattr__("lode")


@pytest.mark.exhaustive
def test_the_tour_of_the_design_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("round.json").write_text(json.dumps(ROUND))
    game = cf.load("nj-criss-cross", {"wagers": {"ante": {"min_cents": 1000}}})
    assert game.solve().house_edge.per_ante == Fraction(579091, 6689228)
    assert game.advise(hole="As Kd").best == "1x"
    assert game.simulate(rounds=1_000).rounds == 1_000
    assert len(game.sweep(pay={"bets.flush": [6, 7, 8]}).rows) == 3
    table = cf.Table(game, seed=7)
    table.sit(1, "Ann", cents=100_000)
    assert table.allowed(1).moves
    table.act(1, "ante 10")
    assert table.events
    assert table.view(1).seats[0].yours
    table.save("table.jsonl")
    assert cf.play_round("round.json").outcome == "settled"
    assert cf.verify("table.jsonl").fault is None
    assert cf.hand("Ks Kd 9c 9h 2s").name == "kings and nines"
    assert cf.Card("As").name == "ace of spades"


# --- results ----------------------------------------------------------------------------------------------------------


@cache
def results() -> dict[str, Tabular]:
    game = cf.load("nj-criss-cross")
    table = folded_table()
    return {
        "game": game,
        "solution": game.solve(),
        "edge": game.solve().house_edge,
        "advice": game.advise(hole="As Kd"),
        "setting": cf.load("nj-pai-gow").advise(cards="As Ks Qh Qd 9c 5d 2h"),
        "simulation": game.simulate(rounds=1_000, strategy="always-1"),
        "sweep": game.sweep(pay={"bets.flush": [6, 7]}),
        "round": cf.play_round(ROUND),
        "hand": cf.hand("Ks Kd 9c 9h 2s"),
        "table": table,
        "events": table.events,
        "allowed": table.allowed(1),
        "view": table.view(1),
    }


@pytest.mark.parametrize(
    "name",
    [
        *("game", "solution", "edge", "advice", "setting", "simulation", "sweep"),
        *("round", "hand", "table", "events", "allowed", "view"),
    ],
)
def test_every_result_is_shown_in_one_line_in_html_and_as_json(name: str) -> None:
    result = results()[name]
    assert repr(result).startswith(f"<{type(result).__name__}: ")
    assert "\n" not in repr(result)
    assert len(repr(result)) < 160
    page = result._repr_html_()
    assert page.startswith("<table><caption>")
    assert page.count("<tr>") > 1
    assert "http" not in page
    assert json.loads(result.to_json())


def test_a_hand_is_read_from_text_or_from_cards() -> None:
    assert cf.hand(cf.parse_cards("As Ah")).to_json() == '{"cards":"As Ah","name":"pair of aces","category":"pair"}'
    assert cf.hand(["As", "Ah"]).rank == cf.hand("As Ah").rank


def test_tab_completion_of_a_game_lists_its_questions_and_not_the_engine() -> None:
    listed = [name for name in dir(cf.load(CRISS_CROSS)) if not name.startswith("_")]
    assert {"solve", "advise", "simulate", "sweep", "report", "to_frame", "to_json", "wagers"} <= set(listed)
    assert len(listed) <= 20
    assert all(hasattr(cf.load(CRISS_CROSS), name) for name in listed)


def test_a_sweep_over_one_value_asks_for_a_list() -> None:
    game = cf.load(CRISS_CROSS)
    with pytest.raises(cf.BadInput, match=r"bets.flush: give a list of values: '7' \(allowed: \[7, …\]\)"):
        game.sweep(pay={"bets.flush": 7})  # type: ignore[dict-item]
    with pytest.raises(cf.BadInput, match="give a list of values: '7 to 1'"):
        game.sweep(pay={"bets.flush": "7 to 1"})


def test_a_history_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(cf.BadInput, match="cannot be written: No such file or directory"):
        folded_table().save(tmp_path / "missing" / "table.jsonl")


def test_html_is_escaped() -> None:
    table = cf.Table(CRISS_CROSS, seed=7)
    table.sit(1, "<b>Ann</b>")
    assert "<b>" not in table._repr_html_()
    assert "&lt;b&gt;Ann" in table._repr_html_()


def test_without_pandas_a_frame_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        cf.hand("As Ah").to_frame()


def test_a_frame_has_a_row_for_each_record(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frames:
        @staticmethod
        def DataFrame(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:  # noqa: N802
            return rows

    monkeypatch.setitem(sys.modules, "pandas", Frames)
    frame: Any = results()["sweep"].to_frame()
    assert [row["bets.flush"] for row in frame] == [7, 6]
    assert all(isinstance(row["ev"], float) for row in frame)


# --- games ------------------------------------------------------------------------------------------------------------


def test_a_game_is_loaded_with_a_submission(tmp_path: Path) -> None:
    stated = {"wagers": {"ante": {"min_cents": 1000}}}
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"rulebook": "nj-criss-cross", **stated}))
    game = cf.load("nj-criss-cross", stated)
    assert game == cf.load("nj-criss-cross", file) != cf.load("nj-criss-cross")
    assert game.hash == cf.load("nj-criss-cross", str(file)).hash
    with pytest.raises(cf.BadInput, match="another rulebook"):
        cf.load("md-criss-cross", file)


def test_bad_input_names_the_clause() -> None:
    with pytest.raises(cf.BadInput, match="MAC-26") as caught:
        cf.load("ma-criss-cross", {"dealing": {"method": "hand"}})
    assert caught.value.problems[0].clauses == ("MAC-26",)
    with pytest.raises(cf.BadInput, match="nj-criss-cross"):
        cf.load("nv-criss-cross")


def test_seats_of_a_simulation_are_named() -> None:
    found = cf.load("nj-double-cross").simulate(rounds=500, seats=["optimal", "always-vertical:ante=10"], seed=1)
    assert [seat.strategy for seat in found.seats] == ["optimal", "always-vertical"]
    with pytest.raises(cf.BadInput, match="strategy or seats"):
        cf.load("nj-double-cross").simulate(rounds=500, seats=["optimal"], strategy="optimal")


@pytest.mark.exhaustive
def test_a_report_is_written(tmp_path: Path) -> None:
    game = cf.load("nj-criss-cross", {"wagers": {"ante": {"min_cents": 1000}}})
    written = game.report(tmp_path / "par.json", rounds=1_000, quick=True)
    assert game.hash in written.read_text("utf-8")
    with pytest.raises(cf.BadInput, match="no such directory"):
        game.report(tmp_path / "nowhere" / "par.json")
    with pytest.raises(cf.BadInput, match=r"\.html"):
        game.report(tmp_path / "par.doc")


def test_a_round_is_played_from_a_file_or_a_mapping(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND))
    assert cf.play_round(file) == cf.play_round(str(file)) == cf.play_round(ROUND)
    assert cf.play_round(ROUND).house_net == -16_000


# --- the table --------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_table() -> None:
    assert folded_table().events.as_data() == folded_table().events.as_data()
    assert cf.Table(CRISS_CROSS) is not None


def test_a_round_is_played_by_typing() -> None:
    table = folded_table()
    assert table.rounds == 1
    assert table.last_result.outcome == "settled"
    assert table.records()[0]["net_cents"] == table.last_result.seats["1"].net
    assert "Seat 1 folds" in str(table.events)
    assert "rebet" in table.allowed(1).moves
    assert {option.command for option in table.allowed(1).options} == {"place_wagers", "buy_chips", "leave_seat"}


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("bet $500", r"allowed: \$10 to \$30\) \[MDC-20, MDC-31"),
        ("jump", "not understood: 'jump' .allowed: bet"),
        ("ante 20", "not now.* fold"),
        ("cards", "is a question"),
        ("deal", "not now"),
    ],
)
def test_a_refusal_says_what_is_allowed(move: str, says: str) -> None:
    table = cf.Table(CRISS_CROSS, seed=7)
    table.sit(1, "Ann")
    table.act(1, "ante 10")
    table.deal()
    before = len(table.events)
    with pytest.raises(cf.BadInput, match=says):
        table.act(1, move)
    assert len(table.events) == before


def test_a_player_sees_only_the_own_cards() -> None:
    table = cf.Table(CRISS_CROSS, seed=7)
    table.sit(1, "Ann")
    table.sit(2, "Bob", bot="always-1")
    table.act(1, "ante 10")
    table.deal()
    seats = table.view(1).seats
    assert "??" not in seats[0].cards
    assert seats[1].cards == ("??", "??")
    assert table.view().seats[0].cards == ("??", "??")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("rulebook", "bet"), [("nj-criss-cross", "ante 10"), ("nj-double-cross", "ante 10"), ("nj-pai-gow", "main 20")]
)
def test_advice_can_be_followed_to_the_end_of_a_round(rulebook: str, bet: str) -> None:
    table = cf.Table(rulebook, seed=5)
    table.sit(1, "Ann")
    table.act(1, bet)
    table.deal()
    while table.rounds == 0:
        assert table.waits_for == (1,)
        table.act(1, table.advise(1).best)
    assert table.last_result.outcome == "settled"


@pytest.mark.parametrize("rulebook", cf.list_games())
def test_bots_play_and_the_history_is_verified(rulebook: str, tmp_path: Path) -> None:
    table = cf.Table(cf.load(rulebook), seed=3)
    for seat, bot in enumerate(("careful", "always-1:25", "random"), start=1):
        table.sit(seat, f"player {seat}", bot=bot)
    table.play(5)
    assert table.rounds == 5
    report = cf.verify(table.save(tmp_path / "table.jsonl"))
    assert report.verdict == "consistent, origin unproved"
    assert "5 rounds" in repr(report)


def test_a_false_history_is_found(tmp_path: Path) -> None:
    path = folded_table().save(tmp_path / "table.jsonl")
    path.write_text(path.read_text("utf-8").replace('"ante_across":1000', '"ante_across":2000'), "utf-8")
    assert cf.verify(path).fault is not None


def test_a_table_says_why_it_cannot_continue() -> None:
    table = cf.Table(CRISS_CROSS, seed=7)
    with pytest.raises(cf.BadInput, match="no player sits here"):
        table.play()
    with pytest.raises(cf.BadInput, match="no player sits there: 1"):
        table.act(1, "ante 10")
    with pytest.raises(cf.BadInput, match="no round has closed"):
        _ = table.last_result
    with pytest.raises(cf.BadInput, match="no player sits here"):
        table.deal()
    table.sit(1, "Ann")
    with pytest.raises(cf.BadInput, match="no seat bets"):
        table.play()
    with pytest.raises(cf.BadInput, match="seat 1: faces no decision"):
        table.advise(1)
    with pytest.raises(cf.BadInput, match="no such bot"):
        table.sit(2, "Bob", bot="clever")
    with pytest.raises(cf.BadInput, match=r"MDC-"):
        table.sit(9, "Bob")
    table.act(1, "ante 10")
    with pytest.raises(cf.BadInput, match="seat 1: must act"):
        table.play()
    table.deal()
    with pytest.raises(cf.BadInput, match=r"seat 1: must act first .allowed: bet \$10"):
        table.deal()
