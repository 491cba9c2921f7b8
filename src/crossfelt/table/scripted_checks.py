"""A scripted round against the game it is for: what can be told before anything is played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from crossfelt.problems import Problem
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import FirstHand, OfferBank, OpenBets
from crossfelt.table.acts_dealing import MISDEALT, deliveries
from crossfelt.table.acts_setting import POSITIONS
from crossfelt.table.banking import BANKED
from crossfelt.table.scripted_chance import chance_problems, meter_problems
from crossfelt.table.scripted_decisions import decision_problems
from crossfelt.table.scripted_file import ChanceScript, GoesWrong, Script, SeatScript
from crossfelt.table.sources import deal_of
from crossfelt.table.state import new_table

NO_ANSWER = "no_answer"
"""A clock that runs out, in every game; what comes of it is chosen in the submission."""
COUNTED = ("stub_count_wrong", "shuffler_count_wrong")
"""Irregularities that are a wrong count."""


def problems_in(script: Script, game: Game, where: str) -> Iterator[Problem]:
    """Everything in a script that this game has no room for."""
    yield from _first_hand_problems(game, script.chance, f"{where}: chance")
    yield from _bank_problems(game, script, where)
    yield from chance_problems(game, script, f"{where}: chance")
    yield from meter_problems(game, script.meters, f"{where}: meters")
    if not script.seats:
        yield Problem(code="seats.none", what="nobody plays", where=f"{where}: seats")
    yield from _seat_problems(game, [seat.seat for seat in script.seats], where)
    for seat in script.seats:
        at = f"{where}: seat {seat.seat}"
        if seat.wagers or seat.seat != script.bank:
            yield from _wager_problems(game, seat, at)
        yield from decision_problems(game, seat, at)
    for place, wrong in enumerate(script.irregularities):
        yield from _irregularity_problems(game, wrong, f"{where}: irregularities[{place}]")


def _seat_problems(game: Game, seats: Sequence[int], where: str) -> Iterator[Problem]:
    """Each seat is one of the table's, and nobody else sits there."""
    rule = game.book.table
    for place, number in enumerate(seats):
        if not 1 <= number <= rule.seats:
            what, allowed = "no such seat", f"1 to {rule.seats}"
            yield Problem(
                code="seat.unknown",
                what=what,
                where=f"{where}: seats[{place}].seat",
                value=number,
                allowed=allowed,
                clauses=rule.clauses,
            )
        elif number in seats[:place]:
            what = "the seat is taken"
            yield Problem(code="seat.taken", what=what, where=f"{where}: seats[{place}].seat", value=number)


def _first_hand_problems(game: Game, chance: ChanceScript, at: str) -> Iterator[Problem]:
    """Three dice or a random number, whichever this table uses; neither where the cards do not go round by it."""
    chosen = any(isinstance(step, FirstHand) for step in game.book.script)
    by = game.settings["first_hand_by"] if chosen else ""
    clauses = game.book.settings["first_hand_by"].clauses if chosen else ()
    ways = {
        "dice": ("dice", chance.dice, len(chance.dice) == 3 and all(1 <= die <= 6 for die in chance.dice)),
        "random_number": ("number", chance.number, chance.number in range(1, POSITIONS + 1)),
    }
    allowed = {"dice": "three numbers from 1 to 6", "random_number": f"a number from 1 to {POSITIONS}"}
    for way, (name, value, fits) in ways.items():
        if value in ((), None) or (way == by and fits):
            continue
        what = "not what they can show" if way == by else "is not how the first hand is chosen here"
        shown = value if isinstance(value, int) else " ".join(map(str, value or ()))
        yield Problem(
            code=f"chance.{name}",
            what=what,
            where=f"{at}.{name}",
            value=shown,
            allowed=allowed.get(str(by), "neither dice nor number"),
            clauses=clauses,
        )


def _bank_problems(game: Game, script: Script, where: str) -> Iterator[Problem]:
    """Who banks plays, and stakes nothing: the main wager written for it is its last one against the house."""
    name = "bank" if script.bank is not None else "co_bank"
    if script.bank is None and not script.co_bank:
        return
    if not any(isinstance(step, OfferBank) for step in game.book.script):
        what = "not possible here: no player can bank this game"
        yield Problem(code="bank.unplayable", what=what, where=f"{where}: {name}")
        return
    banker = next((seat for seat in script.seats if seat.seat == script.bank), None)
    if banker is None:
        allowed = ", ".join(str(seat.seat) for seat in script.seats)
        what = "this seat does not play" if script.bank is not None else "missing: the seat that banks with the house"
        yield Problem(code="bank.seat", what=what, where=f"{where}: bank", value=script.bank, allowed=allowed)
        return
    at, rule = f"{where}: seat {banker.seat}: wagers", game.book.settings["dealer_wager_against_bank"]
    what, allowed = "who banks places no wager", f"{BANKED}, the last wager against the house"
    for wager in (wager for wager in banker.wagers if wager != BANKED):
        yield Problem(code="bank.wager", what=what, where=f"{at}.{wager}", allowed=allowed, clauses=rule.clauses)


# --- wagers -----------------------------------------------------------------------------------------------------------


def _opening(game: Game) -> tuple[Wager, ...]:
    step = next(step for step in game.book.script if isinstance(step, OpenBets))
    return tuple(wager for wager in game.wagers if wager.id in step.wagers)


@lru_cache(maxsize=64)
def _members(game: Game) -> Mapping[str, tuple[str, ...]]:
    """Wagers by the name a script gives them: its own, or that of its group."""
    members: dict[str, tuple[str, ...]] = {}
    for wager in _opening(game):
        members[wager.id] = (wager.id,)
        if wager.group:
            members[wager.group] = (*members.get(wager.group, ()), wager.id)
    return members


def stakes_of(game: Game, written: Mapping[str, int]) -> dict[str, int]:
    """The stake of each wager in cents: `ante` is the amount of each ante, and credits are what they cost.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> stakes_of(compile_game("md-criss-cross"), {"ante": 1000, "five_card_bonus": 500})
    {'ante_across': 1000, 'ante_down': 1000, 'five_card_bonus': 500}
    >>> stakes_of(compile_game("nj-pai-gow"), {"main": 1000, "progressive_dealer": 3})
    {'main': 1000, 'progressive_dealer': 300}
    """
    staked = ((wager, amount) for name, amount in written.items() for wager in _members(game)[name])
    return {wager: amount * game.credit_cents(game.wager(wager)) for wager, amount in staked}


def written_name(game: Game, written: Mapping[str, int], wager: str) -> str | None:
    """The name under which a script has a wager."""
    members = _members(game)
    return next((name for name in written if wager in members[name]), None)


def _wager_problems(game: Game, seat: SeatScript, at: str) -> Iterator[Problem]:
    members = _members(game)
    if not seat.wagers:
        what = "no wager: a seat that does not play is left out"
        yield Problem(code="wager.none", what=what, where=f"{at}: wagers")
    placed: set[str] = set()
    for name, cents in seat.wagers.items():
        where = f"{at}: wagers.{name}"
        if name not in members:
            rule = game.book.settings["optional_wagers"]
            names = dict.fromkeys(wager.group or wager.id for wager in _opening(game))
            allowed = ", ".join(names)
            what = "no such wager at this table"
            yield Problem(code="wager.unknown", what=what, where=where, allowed=allowed, clauses=rule.clauses)
        elif placed.intersection(members[name]):
            yield Problem(code="wager.twice", what="this wager is given already", where=where, value=cents)
        placed.update(members.get(name, ()))


# --- irregularities ---------------------------------------------------------------------------------------------------


def _irregularity_problems(game: Game, wrong: GoesWrong, at: str) -> Iterator[Problem]:
    kinds = dict.fromkeys((*game.book.irregularities, NO_ANSWER))
    if wrong.kind not in kinds:
        what, allowed = "no such irregularity", ", ".join(kinds)
        yield Problem(code="irregularity.kind", what=what, where=f"{at}.kind", value=wrong.kind, allowed=allowed)
        return
    if wrong.step not in game.steps:
        what, allowed = "no such step in this game", ", ".join(game.steps)
        yield Problem(code="irregularity.step", what=what, where=f"{at}.step", value=wrong.step, allowed=allowed)
    yield from _count_problems(game, wrong, at)
    if wrong.kind == NO_ANSWER:
        if wrong.seat is None:
            yield Problem(code="key.missing", what="missing", where=f"{at}.seat", allowed="who does not answer")
        return
    yield from _area_problems(game, wrong, at)
    if wrong.kind == "face_up_card":
        yield from _face_up_problems(game, wrong, at)


def _count_problems(game: Game, wrong: GoesWrong, at: str) -> Iterator[Problem]:
    """Counts and findings stand where the kind needs them, and nowhere else."""
    if wrong.kind in COUNTED and wrong.count is None:
        yield Problem(code="key.missing", what="missing", where=f"{at}.count", allowed="the cards counted")
    if wrong.kind == "face_up_card" and wrong.count == 0:
        yield Problem(code="value.low", what="too small", where=f"{at}.count", value=0, allowed="at least 1")
    if wrong.kind == "stub_count_wrong" and not wrong.finding:
        outcomes = game.book.irregularities[wrong.kind]
        clauses = tuple(dict.fromkeys(clause for outcome in outcomes.values() for clause in outcome.clauses))
        allowed = ", ".join(outcomes)
        yield Problem(code="key.missing", what="missing", where=f"{at}.finding", allowed=allowed, clauses=clauses)
    counted = wrong.kind in COUNTED and wrong.finding not in MISDEALT
    unused = {
        "count": wrong.count is not None and wrong.kind not in (*COUNTED, "face_up_card"),
        "finding": wrong.finding and wrong.kind != "stub_count_wrong",
        "seat": wrong.seat is not None and counted,
        "place": wrong.place is not None and counted,
    }
    for name in (name for name, given in unused.items() if given):
        yield Problem(code="key.unused", what=f"means nothing for {wrong.kind}", where=f"{at}.{name}")


def _area_problems(game: Game, wrong: GoesWrong, at: str) -> Iterator[Problem]:
    """Where the cases of a kind are areas of the table, one is named: a seat for a player's, or the place."""
    cases = game.book.irregularities[wrong.kind]
    if "player" in cases and (wrong.seat is None) == (wrong.place is None or wrong.place not in cases):
        allowed = " or ".join("a seat" if case == "player" else f'place = "{case}"' for case in cases)
        yield Problem(
            code="irregularity.where", what="say where", where=f"{at}.place", value=wrong.place, allowed=allowed
        )


def _face_up_problems(game: Game, wrong: GoesWrong, at: str) -> Iterator[Problem]:
    """A card found face up was on its way to a place that gets cards."""
    everybody = range(1, game.book.table.seats + 1)
    places = {place for _, place in deliveries(new_table(game), deal_of(game), everybody)}
    if wrong.place is not None and wrong.place not in places:
        allowed = ", ".join(sorted(places))
        yield Problem(
            code="irregularity.place",
            what="no cards lie there",
            where=f"{at}.place",
            value=wrong.place,
            allowed=allowed,
        )
