"""Another version of the software finds the tables of the one before it, and goes on with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from crossfelt.analysis.question import with_pay
from crossfelt.client import HouseClient
from crossfelt.house.advising import Advisers, whole_game
from crossfelt.house.http import floor, submissions
from crossfelt.house.proposing import GAME, Proposing
from crossfelt.house.tables import board, pit, recovery
from crossfelt.house.tables import settings as opened_with
from crossfelt.house.tables.board import MeterBoard
from crossfelt.house.tables.meters import MeterRoom
from crossfelt.house.tables.recovery import RoundIndex
from crossfelt.house.tables.settings import TableSettings
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.forming import changes, following, form, under
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loading import rulebook_ids, shipped
from crossfelt.rulebooks.model import Choice, Rulebook
from crossfelt.rulebooks.paying import with_odds
from house.serving import owner_of, pit_of, play_round, refused_with, serving, staff_of
from house.submitting import filed, proposed

Forbid = Callable[[int], None]
ANTES = {"ante_across": 500, "ante_down": 500}


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch) -> Forbid:
    """A later version whose rulebooks do not allow a minimum ante of so many cents."""
    compiled = TableSettings.compile

    def forbids(cents: int) -> None:
        def allowed(settings: TableSettings) -> Game:
            if settings.submission == minimum(cents):
                raise BadInput(Problem(code="choice.range", where="wagers.ante.min_cents", what="not allowed any more"))
            return compiled(settings)

        monkeypatch.setattr(TableSettings, "compile", allowed)

    return forbids


@contextmanager
def earlier(alter: Callable[[Rulebook], Rulebook]) -> Iterator[None]:
    """An earlier version, whose rulebooks were others: tables that it opens go by them."""
    opened_with._compiled.cache_clear()
    with pytest.MonkeyPatch.context() as before:
        before.setattr(opened_with, "shipped", lambda name: alter(shipped(name)))
        yield
    opened_with._compiled.cache_clear()


def minimum(cents: int) -> dict[str, Any]:
    return {"wagers": {"ante": {"min_cents": cents}}}


def test_a_table_goes_on_under_rules_that_a_new_rulebook_does_not_allow(tmp_path: Path, forbid: Forbid) -> None:
    """Its stream has the game that it was opened with: nobody's chips are shut in for a rulebook that came later."""

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            await pit.create(TableSettings(id="one", rulebook="nj-criss-cross", submission=minimum(1000)), who="test")
        forbid(1000)
        async with pit_of(tmp_path) as pit:
            await pit.open()
            assert pit.shut == set()
            assert pit.find("one").table.game.limits("ante").min == 1000
            assert pit.find("one").meters.streams == ("meter/nj-criss-cross/bonus_spin",)
            assert "one" in pit.board.fed()["meter/nj-criss-cross/bonus_spin"]
            neighbour = MeterBoard(MeterRoom(), pit.store, actors={}, settings=pit.settings, reopening=pit.reopening)
            await neighbour.find()
            assert neighbour.fed() == pit.board.fed(), "whichever process has it"
            await pit.create(TableSettings(id="two", rulebook="nj-criss-cross", submission=minimum(2000)), who="test")
            forbid(2000)
            assert neighbour.fed() != pit.board.fed()
            await neighbour.look()
            assert neighbour.fed() == pit.board.fed(), "also one that was opened since"

    asyncio.run(story())


def test_rules_that_are_not_allowed_any_more_can_be_changed_and_stay_away_where_they_were_coming(
    tmp_path: Path, forbid: Forbid
) -> None:
    table = "ma-criss-cross-1"

    async def agreed(owner: HouseClient, ann: HouseClient, cents: int) -> Any:
        proposal = await proposed(ann, minimum(cents))
        return await owner.post(f"/api/proposals/{proposal['number']}/approval", {})

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner = await owner_of(served)
            tokens = [owner.token, (await staff_of(served, owner, "Ann", "floor")).token]
            ann, guest = HouseClient(served.address, tokens[1]), await served.guest("Paul")
            async with guest.table(table) as seat:
                assert (await seat.give("take_seat", seat=2, chips_cents=500_00)).accepted
                assert (await seat.give("place_wagers", seat=2, wagers=ANTES)).accepted
                assert not (await agreed(owner, ann, 1000))["in_force"]
        forbid(1000)
        async with serving(tmp_path) as served:
            assert served.house.pit.reopening.coming == {}
            owner, ann = (HouseClient(served.address, token) for token in tokens)
            assert (await owner.get(f"/api/tables/{table}/submission"))["coming"] == ""
            guest = HouseClient(served.address, guest.token)
            async with guest.table(table) as seat:
                assert (await seat.give("place_wagers", seat=2, wagers={})).accepted
            assert await agreed(owner, ann, 2000) == {"opening": 2, "in_force": True}
        forbid(2000)
        async with serving(tmp_path) as served:
            assert served.house.pit.find(table).table.game.limits("ante").min == 2000
            owner, ann = (HouseClient(served.address, token) for token in tokens)
            draft = {"submission": minimum(1500)}
            checked = await ann.post(f"/api/tables/{table}/submission/check", draft)
            assert ("$20", "$15") in [(change["before"], change["after"]) for change in checked["changes"]]
            assert await agreed(owner, ann, 1500) == {"opening": 3, "in_force": True}

    asyncio.run(story())


def test_a_table_is_given_a_submission_by_a_rulebook_that_asks_for_other_choices_than_its_own(tmp_path: Path) -> None:
    """A draft was compared with what is in force field by field, as if both had the same: it could not be checked."""
    table, seconds, gone = "ma-criss-cross-1", "play.decision_seconds", "play.decision_minutes"

    def altered(book: Rulebook) -> Rulebook:
        return replace(book, choices=tuple(replace(it, path=gone) if it.path == seconds else it for it in book.choices))

    async def story() -> None:
        with earlier(altered):
            async with serving(tmp_path) as served:
                owner = await owner_of(served)
                ann = await staff_of(served, owner, "Ann", "floor")
                tokens, waiting = [owner.token, ann.token], await proposed(ann, minimum(1000))
        async with serving(tmp_path) as served:
            assert gone in served.house.pit.find(table).table.game.choices
            owner, ann = (HouseClient(served.address, token) for token in tokens)
            draft = filed(await ann.get(f"/api/tables/{table}/submission"))
            assert draft["play"].keys() == {"decision_seconds", "on_timeout"}
            checked = await ann.post(f"/api/tables/{table}/submission/check", {"submission": draft})
            told = {change["path"]: (change["before"], change["after"]) for change in checked["changes"]}
            assert told == {seconds: ("not in the rulebook", "0"), gone: ("0", "not in the rulebook")}
            with pytest.raises(BadInput, match="another game would come of it by now"):
                await owner.post(f"/api/proposals/{waiting['number']}/approval", {})
            proposal = await proposed(ann, minimum(1000))
            agreed = await owner.post(f"/api/proposals/{proposal['number']}/approval", {})
            assert agreed == {"opening": 2, "in_force": True}

    asyncio.run(story())


def test_a_submission_that_was_proposed_without_its_game_is_not_agreed_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier version did not keep which game it was: nobody can say whether its returns were read."""
    told = Proposing._told

    async def without(*of: Any) -> dict[str, str]:
        return {name: value for name, value in (await told(*of)).items() if name != GAME}

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner = await owner_of(served)
            ann = await staff_of(served, owner, "Ann", "floor")
            with monkeypatch.context() as before:
                before.setattr(Proposing, "_told", without)
                waiting = await proposed(ann, minimum(1000))
            with refused_with("late"):
                await owner.post(f"/api/proposals/{waiting['number']}/approval", {})
            again = await proposed(ann, minimum(1000))
            assert (await owner.post(f"/api/proposals/{again['number']}/approval", {}))["in_force"]

    asyncio.run(story())


def test_a_form_begins_with_what_is_in_force_though_another_rulebook_has_other_defaults() -> None:
    now = compile_game("nj-double-cross", {"pays": {"raise": {"flush": "7 to 1"}}})

    def other(choice: Choice) -> Choice:
        return replace(choice, default=2500) if choice.path == "wagers.ante.min_cents" else choice

    optional = next(it for it in now.book.choices if it.default is None)
    newer = replace(now.book, choices=(*map(other, now.book.choices), replace(optional, path="play.music")))
    covers = {"limit_covers_all_wagers": replace(now.book.settings["limit_covers_all_wagers"], value=True)}
    newer = replace(newer, settings={**now.book.settings, **covers})
    assert compile_game(newer).limits("ante").min == 2500
    assert compile_game(newer).settings["limit_covers_all_wagers"]
    assert changes(now, under(newer, now)) == ()


def test_odds_in_force_are_those_of_a_form_line_by_line_wherever_another_rulebook_allows_them() -> None:
    """One line that it does not have, or has better odds for, took what was stated of all the others with it; and odds
    that nobody had stated, as they were printed, were not in force any more."""

    def printing(game: Game, **odds: str | None) -> Rulebook:
        """Its rulebook with other odds in print for some lines of a pay table, and without others."""
        (table,) = (it for it in game.book.paytables if it.id == "raise")
        lines = [line for line in table.lines if odds.get(line.name, "") is not None]
        other = with_odds(replace(table, lines=tuple(lines)), {name: it for name, it in odds.items() if it}, "raise")
        return replace(game.book, paytables=tuple(other if it is table else it for it in game.book.paytables))

    def told(game: Game, book: Rulebook) -> dict[str, tuple[str, str]]:
        return {it.path: (it.before, it.after) for it in changes(game, under(book, game))}

    now = compile_game("nj-double-cross", {"pays": {"raise": {"flush": "7 to 1", "straight": "6 to 1"}}})
    assert told(now, printing(now, straight=None)) == {"pays.raise.straight": ("6 to 1", "not in the rulebook")}
    assert told(now, printing(now, straight="8 to 1")) == {"pays.raise.straight": ("6 to 1", "8 to 1")}
    usual = compile_game("nj-double-cross")
    assert told(compile_game(printing(usual, flush="9 to 1")), usual.book) == {}


def test_a_figure_that_no_source_prints_is_told_as_such_under_another_rulebook_with_the_same() -> None:
    now = compile_game("nj-criss-cross")
    newer = replace(now.book, version="2.0.0")
    assert form(under(newer, now)) == form(now)
    wheels = tuple(replace(it, illustrative_weights=it.illustrative_weights[::-1]) for it in now.book.wheels)
    others = under(replace(newer, wheels=wheels), now)
    assert others.choices == now.choices
    assert "wagers.bonus_spin.weights" in now.illustrative
    assert "wagers.bonus_spin.weights" not in others.illustrative


def test_a_notice_is_owed_by_the_rulebook_under_which_the_limit_falls() -> None:
    """The game before it may go by an earlier one, which asked for none, or had a lower figure."""
    now = compile_game("nj-criss-cross")
    silent = tuple(it for it in now.book.choices if not it.path.startswith("payout_limit."))
    (limit,) = now.book.payout_limits
    higher = replace(limit, amount_cents=2 * limit.amount_cents, notice_of_decrease=False)
    before = compile_game(replace(now.book, choices=silent, payout_limits=(higher,)))
    told = {"payout_limit": {"previous_amount_cents": higher.amount_cents}}
    assert following(before, now.book, {}) == told
    stated = {"payout_limit": {"amount_cents": higher.amount_cents + 1}}
    assert following(before, now.book, stated) == stated, "what the one before it did not ask for"
    assert following(now, before.book, {}) == {}


def test_a_draft_and_a_proposal_owe_a_notice_where_the_limit_falls_with_the_rulebook(tmp_path: Path) -> None:
    path, asked = "/api/tables/nj-criss-cross-1/submission/check", {"kind": "submission", "reason": "as it is now"}

    def higher(book: Rulebook) -> Rulebook:
        silent = tuple(it for it in book.choices if not it.path.startswith("payout_limit."))
        limits = tuple(replace(it, amount_cents=2 * it.amount_cents) for it in book.payout_limits)
        return replace(book, choices=silent, payout_limits=limits) if book.id == "nj-criss-cross" else book

    async def story() -> None:
        with earlier(higher):
            async with serving(tmp_path) as served:
                owner = await owner_of(served)
        async with serving(tmp_path) as served:
            owner = HouseClient(served.address, owner.token)
            checked = await owner.post(path, {"submission": {}})
            assert "without a notice" in dict(checked["problems"])["payout_limit.notice_posted_at"]["what"]
            with refused_with("limit.notice"):
                details = {"submission": "{}"}
                await owner.post("/api/proposals", {**asked, "subject": "nj-criss-cross-1", "details": details})

    asyncio.run(story())


def test_a_table_keeps_its_meters_where_a_new_rulebook_has_other_parameters_for_them() -> None:
    """Those of another name were never opened: the table was held at the first wager on them."""
    now, settings = compile_game("nj-criss-cross"), TableSettings(id="one", rulebook="nj-criss-cross")
    reset = "meters.bonus_spin.reset_cents"
    before = [replace(it, default=5_000_00) if it.path == reset else it for it in now.book.choices]
    opened = compile_game(replace(now.book, choices=tuple(before)))
    assert opened.choices[reset] != now.choices[reset]
    assert settings.link(opened) == settings.link(now) == "nj-criss-cross"


def test_what_is_best_and_what_a_table_should_win_is_told_of_the_game_that_it_goes_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever odds the rulebook of this version has."""
    name, path = "nj-criss-cross-1", "/api/tables/nj-criss-cross-1"
    asked: list[tuple[str, str]] = []
    ask = Advisers.ask

    async def heard(self: Advisers, work: Callable[..., bytes], *of: Any) -> dict[str, Any]:
        asked.append((work.__name__, of[0]))
        return await ask(self, work, *of)

    def generous(book: Rulebook) -> Rulebook:
        return with_pay(compile_game(book), {"bets.flush": 60}).book if book.id == "nj-criss-cross" else book

    async def story() -> None:
        with earlier(generous):
            async with serving(tmp_path) as served:
                owner, guest = await owner_of(served), await served.guest("Paul")
                async with guest.table(name) as table:
                    assert (await table.give("take_seat", seat=3, chips_cents=500_00)).accepted
                    await guest.post(f"{path}/bots", {"seat": 5, "strategy": "optimal"})
                    await play_round(table, 3)
                before = await owner.get(f"{path}/figures")
        monkeypatch.setattr(Advisers, "ask", heard)
        async with serving(tmp_path) as served:
            game = served.house.pit.find(name).table.game
            owner, guest = (HouseClient(served.address, client.token) for client in (owner, guest))
            assert await owner.get(f"{path}/figures") == before
            async with guest.table(name) as table:
                assert (await table.give("place_wagers", seat=3, wagers=ANTES)).accepted
                await table.ready()
                await table.until(lambda seen: seen.view["step"] == "decide_across")
                assert (await guest.post("/api/advice", {"table": name, "seat": 3}))["best"] in ("fold", "1x", "3x")
                assert (await table.give("fold", seat=3)).accepted
                await table.until(lambda seen: seen.view["step"] != "decide_across")
            assert (await guest.get(f"{path}/review"))["seat"] == 3
            assert {work for work, _ in asked} == {"figures_in", "advise_at", "review_of", "choose_at"}
            assert {of for _, of in asked} == {whole_game(game)}
            study = (await owner.post(f"{path}/submission/figures", {"submission": {}}))["study"]
            async with asyncio.timeout(60):
                while not (told := await owner.get(f"/api/studies/{study}"))["finished"]:
                    await asyncio.sleep(0.05)
            wagers = {wager["wager"]: wager for wager in told["wagers"]}
            assert wagers["whole_game"]["before"]["mean"] > 0 > wagers["whole_game"]["after"]["mean"]

    asyncio.run(story())


def test_a_game_that_is_not_allowed_any_more_is_worked_out_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "nj-criss-cross-1"

    def forbidden(settings: TableSettings) -> Game:
        raise BadInput(Problem(code="choice.range", where=settings.id, what="not allowed any more"))

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner, guest = await owner_of(served), await served.guest("Paul")
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=3, chips_cents=500_00)).accepted
                await play_round(table, 3)
                monkeypatch.setattr(TableSettings, "compile", forbidden)
                assert (await owner.get(f"/api/tables/{name}/figures"))["whole"]["theory_cents"]
                assert (await table.give("place_wagers", seat=3, wagers=ANTES)).accepted
                await table.ready()
                await table.until(lambda seen: seen.view["step"] == "decide_across")
                assert (await guest.post("/api/advice", {"table": name, "seat": 3}))["best"] in ("fold", "1x", "3x")
                assert (await guest.get(f"/api/tables/{name}/review"))["seat"] == 3

    asyncio.run(story())


def test_a_rulebook_that_a_version_does_not_have_any_more_keeps_nothing_else_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One such table, though it was closed before, kept the whole floor back."""
    gone, left = "nj-double-cross", tuple(it for it in rulebook_ids() if it != "nj-double-cross")

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner = await owner_of(served)
            await owner.post("/api/tables", {"rulebook": gone, "id": "old", "public": True})
            await owner.delete("/api/tables/old")
        opened_with._compiled.cache_clear()
        for module in (loading, opened_with, pit, board, floor, submissions):
            monkeypatch.setattr(module, "rulebook_ids", lambda: left)
        async with serving(tmp_path) as served:
            owner = HouseClient(served.address, owner.token)
            told = await owner.get("/api/floor")
            assert f"{gone}-1" in [table["id"] for table in told["tables"]]
            assert {it["title"] for it in told["known"] if it["id"] in ("old", f"{gone}-1")} == {gone}
            assert told["rulebooks"].keys() == set(left)
            assert (await owner.get(f"/api/tables/{gone}-1/submission"))["fields"]
            with pytest.raises(BadInput, match="no such rulebook"):
                await owner.post(f"/api/tables/{gone}-1/submission/check", {"submission": {}})

    asyncio.run(story())


def test_a_snapshot_of_another_version_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may not have kept what this one looks for, as the seats that took part in a round."""

    async def story() -> None:
        async with serving(tmp_path) as served:
            ann = await served.guest("Ann")
            name = await ann.open_table("nj-criss-cross", pace="instant")
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                await play_round(table, 1)
                assert (await table.give("leave_seat", seat=1)).accepted
            actor = served.house.pit.find(name)
            forgotten = [RoundIndex(round=1, first=1, last=2, at=0, outcome="settled", players={}, nets={})]
            with monkeypatch.context() as before:
                before.setattr(recovery, "__version__", "0.0.1")
                actor.memory.rounds.clear()
                actor.memory.rounds.extend(forgotten)
                await served.house.pit.close()
        async with serving(tmp_path) as served:
            (told,) = served.house.pit.find(name).memory.rounds
            assert told.seats_of("Ann") == {1}

    asyncio.run(story())
