"""Golden playthroughs as text: the scripted round, then one line for each event with its clauses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from crossfelt.play.narration import narrate
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.rulebooks.game import Game
from crossfelt.table.events import BetsLocked, Event, StepEntered
from playthroughs.credits import credit_files
from playthroughs.scenarios import RULEBOOKS, Script, irregular_rounds, scenarios
from playthroughs.spins import spin_files

FOLDER = Path(__file__).parent


def golden_files() -> Iterator[tuple[str, str]]:
    """Yield the path of every golden file, below this folder, and its text."""
    runner = ScriptRunner()
    for rulebook in RULEBOOKS:
        for name, script in scenarios(rulebook):
            yield f"{rulebook}/{name}.txt", _text(rulebook, name, [(name, script, runner.play(script, where=name))])
        for name, rounds_of_file in (*spin_files(rulebook), *credit_files(rulebook)):
            rounds_played = [(what, script, runner.play(script, where=what)) for what, script in rounds_of_file]
            yield f"{rulebook}/{name}.txt", _text(rulebook, name, rounds_played)
        by_kind: dict[str, list[tuple[str, Script, PlayedRound]]] = {}
        for kind, what, script, played in irregular_rounds(rulebook, runner):
            by_kind.setdefault(kind, []).append((what, script, played))
        for kind, rounds in by_kind.items():
            yield f"{rulebook}/irregular_{kind}.txt", _text(rulebook, kind, rounds)


def _text(rulebook: str, name: str, rounds: list[tuple[str, Script, PlayedRound]]) -> str:
    """Return the text of a file: the opening and the wagers once, further rounds from the close of the bets."""
    lines = [f"{rulebook}: {name.replace('_', ' ')}"]
    for place, (what, script, played) in enumerate(rounds):
        lines += ["", f"== {what} =="]
        first = rounds[0][1]
        keys = [key for key in script if key != "rulebook" and (place == 0 or script[key] != first.get(key))]
        lines += [f"> {key}: {json.dumps(script[key])}" for key in keys]
        lines += _lines(played, since_lock=place > 0)
        lines.append(_result(played))
    return "\n".join(lines) + "\n"


def _lines(played: PlayedRound, *, since_lock: bool) -> list[str]:
    events = list(played.events)
    if since_lock:
        locked = [place for place, event in enumerate(events) if isinstance(event, BetsLocked)]
        events = events[locked[0] :] if locked else events
    return [line for event in events if (line := _line(event, played.table.game))]


def _line(event: Event, game: Game) -> str:
    """Return the narration and the rules behind it; steps are headings."""
    if isinstance(event, StepEntered):
        return f"-- {event.step}" + (f": seats {', '.join(map(str, event.turn))}" if event.turn else "")
    text = narrate(event, game)
    if not text:
        return ""
    cited = ", ".join([*event.clauses, *event.readings] + (["house rule"] if event.house_rule else []))
    return f"   {text}  [{cited}]" if cited else f"   {text}"


def _result(played: PlayedRound) -> str:
    nets = ", ".join(f"seat {seat} {result.net:+d}" for seat, result in played.result.seats.items())
    meters = "".join(f"; meter {name} {change:+d}" for name, change in played.result.meters.items())
    return f"= {played.result.outcome}: {nets}; house {played.result.house_net:+d}{meters}"
