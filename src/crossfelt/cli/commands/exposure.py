"""`crossfelt exposure`: the gain of players who see a flashed card or share their hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

from crossfelt.analysis import solve, with_pay
from crossfelt.analysis.estimates import POSITIONS
from crossfelt.analysis.solution import Solution, exact, identity_data
from crossfelt.cli.options import AsJson, PayOptions, SubmissionFile, Which, option, option_problem, read_game, read_pay
from crossfelt.cli.output import answer, heading
from crossfelt.cli.progress import progress
from crossfelt.errors import require_none
from crossfelt.text_layout import columns, paragraph

if TYPE_CHECKING:
    from crossfelt.analysis.flashed_cards import SeenCard, SharedHands

_DEALS: Final = 64
SHARED: Final = ("players", "deals", "seed", "method", "gain", "value")
"""The figures of shared hands in JSON."""


def exposure_command(
    which: Which,
    players: Annotated[int, option("N", "Players who share their hands; 0 for every seat.")] = 0,
    deals: Annotated[int, option("N", "Random deals for shared hands, each solved exactly; 0 for none.")] = _DEALS,
    positions: Annotated[int, option("N", "Random positions, each solved exactly.")] = POSITIONS,
    seed: Annotated[str, option("S", "The same seed gives the same deals.")] = "0",
    submission: SubmissionFile = None,
    pay: PayOptions = None,
    as_json: AsJson = False,
) -> None:
    """Show what a flashed card, or hands shared between players, are worth to the players."""
    from crossfelt.analysis.flashed_cards import (
        can_share,
        hidden_cards,
        require_hole_carding,
        seen_cards,
        share_hands,
        steps_of,
    )

    game = with_pay(read_game(which, submission), read_pay(pay))
    require_hole_carding(game)
    _require_counts(players, deals, positions, seats=game.book.table.seats)
    best = solve(game)
    with progress("Flashed cards", steps_of(game, positions)) as advance:
        seen = seen_cards(game, best, positions=positions, seed=seed, advance=advance)
    shared = None
    if deals and can_share(game):
        with progress("Shared hands", deals) as advance:
            players = players or game.book.table.seats
            shared = share_hands(game, players=players, rounds=deals, seed=seed, advance=advance)
    found = {
        **identity_data(best.rules),
        "unit": best.unit,
        "ev": exact(best.ev),
        "seen_cards": [card.as_data() for card in seen],
        "shared_hands": shared and {name: getattr(shared, name) for name in SHARED},
    }
    valued = {card.place for card in seen}
    unvalued = [] if seen[0].interval else [place for place in hidden_cards(game) if place not in valued]
    answer(found, _lines(best, seen, unvalued, shared), as_json=as_json)


def _require_counts(players: int, deals: int, positions: int, *, seats: int) -> None:
    require_none(
        [
            option_problem("exposure", where, "number out of range", value, allowed)
            for where, value, allowed, fits in (
                ("--players", players, f"1 to {seats}, or 0 for every seat", 0 <= players <= seats),
                ("--deals", deals, "2 or more, or 0 for none", deals == 0 or deals >= 2),
                ("--positions", positions, "2 or more", positions >= 2),
            )
            if not fits
        ]
    )


def _amount(number: float) -> str:
    return f"{number:.4f}"


def _lines(
    best: Solution, seen: Sequence[SeenCard], unvalued: Sequence[str], shared: SharedHands | None
) -> Iterator[str]:
    units = best.units
    yield heading(f"One card seen before the first decision, in {units} per round")
    rows = [("", "gain", "", "value of a round"), ("none", "", "", f"{float(best.ev):+.6f}")]
    for card in seen:
        if card.interval and card.value_interval:
            rows.append((card.place, card.interval.text(_amount), "", card.value_interval.text(_amount)))
        else:
            rows.append((card.place, f"{float(card.gain):+.6f}", str(card.gain), f"{float(card.value):+.6f}"))
    yield from columns(rows, indent=2, right=[1, 3])
    yield from paragraph(f"  Method: {seen[0].method}; optimal play with the seen card.")
    if unvalued:
        yield f"  Not computed for: {', '.join(unvalued)}."
    if shared:
        yield ""
        yield heading(f"{shared.players} players who share their hands, in {units} per round and player")
        figures = [("gain", shared.gain), ("value of a round", shared.value)]
        yield from columns(
            [
                (name, f"{found.value:+.4f}", f"{found.low:+.4f} … {found.high:+.4f} at 95 % confidence")
                for name, found in figures
            ],
            indent=2,
            right=[1],
        )
        yield f"  Method: {shared.method}, {shared.deals} deals, seed {shared.seed}."
