"""The trainer over HTTP: no question contains its answer, each answer is graded once, missed questions return."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from crossfelt.cli.main import app
from crossfelt.client import Client
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.store.interface import Record
from crossfelt.server.workers.drills import APART, KIND, Posed, Practice
from crossfelt.training.progress import PACE_FROM, PACE_SECONDS, DrillProgress, TopicProgress
from crossfelt.training.question import DRILLS, Question
from crossfelt.training.question_set import find, kinds_of, subjects, topic_of
from server.served import Served, refused_with, run


async def kept(served: Served, account: str) -> Practice:
    record = await served.server.store.record(KIND, account)
    assert record is not None
    return msgspec.json.decode(record.body, type=Practice)


async def keep(served: Served, record: Record) -> None:
    await served.server.store.commit([], lambda transaction: transaction.put(record))


async def pending(served: Served, account: str) -> Question:
    """Return the pending question with its answer, from the store."""
    practice = await kept(served, account)
    assert practice.pending is not None
    return find(compile_game(practice.pending.question.partition("/")[0]), practice.pending.question)


async def pose(client: Client, **wanted: str) -> dict[str, Any]:
    posed: dict[str, Any] = await client.post("/api/training/questions", wanted)
    return posed


async def answer(client: Client, ticket: str, text: str | None) -> dict[str, Any]:
    verdict: dict[str, Any] = await client.post("/api/training/answers", {"question": ticket, "answer": text})
    return verdict


def typed(question: Question) -> str:
    """Return the right answer as a person types it."""
    right = question.right[0]
    return f"{int(right) / 100:.2f}" if question.kind == "pay" else right


def test_every_drill_of_every_rulebook_is_offered_and_nothing_else(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        reply = await ann.get("/api/training")
        games = {game["rulebook"]: game["topics"] for game in reply["games"]}
        for rulebook in rulebook_ids():
            game = compile_game(rulebook)
            assert games[rulebook] == {kind: len(subjects(game, kind)) for kind in kinds_of(game)}
        assert reply["drills"] == DRILLS
        assert reply["tallies"] == []
        with refused_with("rulebook.unknown"):
            await pose(ann, rulebook="/etc/passwd")
        with refused_with("practice.none"):
            await pose(ann, rulebook="nj-criss-cross", kind="set")
        with refused_with("policy.log_in"):
            await Client(served.address).get("/api/training")

    run(tmp_path, story)


def test_a_question_is_sent_without_its_answer_and_graded_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, bob = await served.guest("Ann"), await served.guest("Bob")
        for kind in DRILLS:
            posed = await pose(ann, rulebook="nj-pai-gow", kind=kind)
            question = await pending(served, "ann")
            assert (posed["kind"], posed["rulebook"]) == (kind, "nj-pai-gow")
            on_the_wire = json.dumps(posed)
            assert posed.keys() == set(Posed.__struct_fields__)
            assert question.topic not in on_the_wire, "the topic names what is right"
            assert question.explanation.text not in on_the_wire
            with refused_with("question.unknown"):
                await answer(bob, posed["question"], "1")
            with refused_with("answer" if kind != "set" else "card.unknown"):
                await answer(ann, posed["question"], "what?")
            verdict = await answer(ann, posed["question"], typed(question))
            assert verdict["right"] is True
            assert verdict["answers"] == list(question.right)
            assert verdict["explanation"]["text"] == question.explanation.text
            assert all(clause["citation"] for clause in verdict["explanation"].get("clauses", ()))
            with refused_with("question.unknown"):
                await answer(ann, posed["question"], typed(question))
        tallies = (await ann.get("/api/training"))["tallies"]
        assert {tally["kind"]: (tally["asked"], tally["right"]) for tally in tallies} == dict.fromkeys(DRILLS, (1, 1))

    run(tmp_path, story)


def test_a_missed_question_returns_after_a_few_others(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        posed = await pose(ann, rulebook="md-criss-cross", kind="read")
        topics = [(await pending(served, "ann")).topic]
        verdict = await answer(ann, posed["question"], None)
        assert (verdict["right"], verdict["given"], verdict["tallies"][0]["missed"]) == (False, None, 1)
        for _ in range(APART + 1):
            posed = await pose(ann, rulebook="md-criss-cross", kind="read")
            question = await pending(served, "ann")
            assert posed["again"] is (question.topic in topics)
            topics.append(question.topic)
            verdict = await answer(ann, posed["question"], typed(question))
        assert len(set(topics[:-1])) == APART + 1
        assert topics[-1] == topics[0]
        assert verdict["tallies"][0]["missed"] == 0

    run(tmp_path, story)


def test_pace_is_reported_once_accuracy_holds(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        game = compile_game("nj-pai-gow")
        for in_a_row in (PACE_FROM - 1, PACE_FROM):
            standing = TopicProgress(asked=in_a_row, right=in_a_row, in_a_row=in_a_row)
            topics = {topic_of(game, "order", subject): standing for subject in subjects(game, "order")}
            body = msgspec.json.encode(Practice(progress=DrillProgress(topics=topics)))
            await keep(served, Record(kind=KIND, key="ann", body=body))
            posed = await pose(ann, rulebook="nj-pai-gow", kind="order")
            verdict = await answer(ann, posed["question"], typed(await pending(served, "ann")))
            assert verdict["right"] is True
            if in_a_row < PACE_FROM:
                assert verdict["pace"] is None
            else:
                assert verdict["pace"]["seconds"] == PACE_SECONDS["order"]
                assert verdict["pace"]["in_pace"] is True

    run(tmp_path, story)


def test_terminal_and_browser_share_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topic, other = "nj-criss-cross/pay/across.flush", "nj-pai-gow/read/joker_five.flush"
    local = tmp_path / "training.json"
    DrillProgress().answered(topic, right=True, at=1, millis=900).write(local)
    monkeypatch.setenv("CROSSFELT_PASSWORD", "correct horse battery")

    async def story(served: Served) -> None:
        dora = Client(served.address)
        told = await dora.post("/api/accounts", {"name": "Dora", "password": "correct horse battery"})
        dora = Client(served.address, told["token"])
        browser = DrillProgress().answered(other, right=False, at=2, millis=800)
        await dora.put("/api/training/progress", msgspec.to_builtins(browser))
        options = ["train", "--standing", "--server", served.address, "--name", "Dora", "--progress", str(local)]
        shown = await asyncio.to_thread(CliRunner().invoke, app, options)
        assert shown.exit_code == 0, shown.output
        assert DrillProgress.read(local).topics.keys() == {topic, other}
        assert (await dora.get("/api/training/progress"))["topics"].keys() == {topic, other}
        tallies = (await dora.get("/api/training"))["tallies"]
        assert {(it["kind"], it["asked"]) for it in tallies} == {("pay", 1), ("read", 1)}
        with refused_with("progress"):
            await dora.put("/api/training/progress", {"schema": 1, "topics": {"nonsense": {}}})

    run(tmp_path / "data", story)
