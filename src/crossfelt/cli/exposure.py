"""`crossfelt exposure`: what players gain who see a card they should not, or who share what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer

from crossfelt.analysis import solve, with_pay
from crossfelt.analysis.exposed import (
    POSITIONS,
    SHARED,
    SeenCard,
    require_exposure,
    seen_cards,
    shared_hands,
    steps_of,
)
from crossfelt.analysis.solution import Solution, exact, identity_data
from crossfelt.cli.asking import AsJson, PayOptions, SubmissionFile, Which, read_game, read_pay
from crossfelt.cli.output import data, data_as_json, heading
from crossfelt.cli.progress import progress
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.typesetting import columns, paragraph

if TYPE_CHECKING:
    from crossfelt.analysis.criss_cross_shared import SharedHands

_DEALS: Final = 64
_PLUS_MINUS: Final = "\N{PLUS-MINUS SIGN}"


def exposure_command(
    which: Which,
    players: Annotated[
        int, typer.Option(metavar="N", help="Players who know each other's cards; 0: all the seats there are.")
    ] = 0,
    deals: Annotated[
        int, typer.Option(metavar="N", help="Deals drawn for shared hands, each solved exactly; 0: none.")
    ] = _DEALS,
    positions: Annotated[
        int, typer.Option(metavar="N", help="Double Cross: positions drawn, each gone through exactly.")
    ] = POSITIONS,
    seed: Annotated[str, typer.Option(metavar="S", help="The same seed gives the same deals.")] = "0",
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """What a flashed card, or hands that players show each other, are worth to them: a regulator's question."""
    game = with_pay(read_game(which, submission), read_pay(pay))
    require_exposure(game)
    _require_counts(players, deals, positions, seats=game.book.table.seats)
    best = solve(game)
    with progress("Flashed cards", steps_of(game, positions)) as advance:
        seen = seen_cards(game, best, positions=positions, seed=seed, advance=advance)
    shared = None
    if deals and game.book.game in SHARED:
        with progress("Shared hands", deals) as advance:
            players = players or game.book.table.seats
            shared = shared_hands(game, players=players, rounds=deals, seed=seed, advance=advance)
    if as_json:
        data_as_json(
            {
                **identity_data(best.rules),
                "unit": best.unit,
                "ev": exact(best.ev),
                "seen_cards": [card.as_data() for card in seen],
                "shared_hands": shared and _shared_data(shared),
            }
        )
    else:
        data(_lines(best, seen, shared))


def _require_counts(players: int, deals: int, positions: int, *, seats: int) -> None:
    problems = [
        Problem(code="exposure.count", where=where, what="no such number", value=value, allowed=allowed)
        for where, value, allowed, fits in (
            ("--players", players, f"1 … {seats}, or 0 for all", 0 <= players <= seats),
            ("--deals", deals, "2 …, or 0 for none", deals == 0 or deals >= 2),
            ("--positions", positions, "2 …", positions >= 2),
        )
        if not fits
    ]
    if problems:
        raise BadInput.of(problems)


def _shared_data(shared: SharedHands) -> dict[str, object]:
    figures = {"gain": msgspec.to_builtins(shared.gain), "value": msgspec.to_builtins(shared.value)}
    return {
        "players": shared.players,
        "deals": shared.deals,
        "seed": shared.seed,
        "method": shared.method,
        **figures,
    }


def _lines(best: Solution, seen: Sequence[SeenCard], shared: SharedHands | None) -> Iterator[str]:
    yield heading("One card seen before the first decision, in antes a round")
    rows = [("", "gain", "", "worth of a round"), ("none", "", "", f"{float(best.ev):+.6f}")]
    for card in seen:
        interval = card.interval
        certain = f"{_PLUS_MINUS} {interval.high - interval.value:.4f}" if interval else str(card.gain)
        digits = 4 if interval else 6
        rows.append((card.place, f"{float(card.gain):+.{digits}f}", certain, f"{float(card.value):+.{digits}f}"))
    yield from columns(rows, indent=2, right=[1, 3])
    yield from paragraph(f"  Method: {seen[0].method}; best play with what was seen.")
    if shared:
        yield ""
        yield heading(f"{shared.players} players who know each other's cards, in antes a round for each")
        told = [("gain", shared.gain), ("worth of a round", shared.value)]
        yield from columns(
            [
                (name, f"{found.value:+.4f}", f"{found.low:+.4f} … {found.high:+.4f} with 95 % confidence")
                for name, found in told
            ],
            indent=2,
            right=[1],
        )
        yield f"  Method: {shared.method}, {shared.deals} deals, seed {shared.seed}."
