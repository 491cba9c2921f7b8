"""Checks of a scripted round against its game, before anything is played, and its chance in the table's terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from crossfelt.cards.card import CARD_PATTERN, JOKER, Card
from crossfelt.cards.notation import parse_cards
from crossfelt.errors import BadInput, Problem
from crossfelt.games.progressive_wager import MAGIC, bonus_table, drawn_awards
from crossfelt.play.meters import Meters
from crossfelt.play.scripted.file import ChanceScript, IrregularityScript, Script, SeatScript, decision_problems
from crossfelt.play.sources import deal_of
from crossfelt.progressive.wheels import live_meters
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.rulebooks.script import FirstHand, OfferBank
from crossfelt.table.acts.dealing import MISDEALT, deliveries
from crossfelt.table.acts.set_hands import POSITIONS
from crossfelt.table.state import new_table

NO_CARD: Final = "none"
"""The word of a script for a round without a magic card."""


def stops_of(script: Script, game: Game) -> dict[str, int]:
    """Return the stops of the devices that a script names, by index. The script is free of problems."""
    seats = {f"seat{seat.seat}": seat for seat in script.seats}
    stops = {}
    for name, place in script.chance.wheel.items():
        wheel = _wheel(game, seats.get(name))
        if wheel is not None and place in wheel.places:
            stops[f"wheel {name}"] = wheel.places.index(place)
    if (xtreme := script.chance.xtreme) is not None:
        named = {"community": xtreme.community, "prize": xtreme.prize}
        stops |= {f"xtreme {name}": index for name, index in named.items() if index is not None}
        if xtreme.hot_spot is not None:
            stops["xtreme hot_spot"] = xtreme.hot_spot - 1
    return stops | _drawn(script.chance)


def _drawn(chance: ChanceScript) -> dict[str, int]:
    """Return the draws of the progressive system; the first outcome of each draw is no award."""
    stops: dict[str, int] = {}
    if chance.lucky_seat is not None:
        stops["lucky_seat"] = chance.lucky_seat
    if chance.lucky_dealer is not None:
        stops["lucky_dealer"] = int(chance.lucky_dealer)
    if chance.magic_card == NO_CARD:
        stops[MAGIC] = 0
    elif chance.magic_card is not None and CARD_PATTERN.fullmatch(chance.magic_card):
        stops[MAGIC] = 1 + Card(chance.magic_card)
    return stops


def _wheel(game: Game, seat: SeatScript | None) -> Wheel | None:
    """Return the wheel of a seat, by its stake."""
    placed = seat.wagers if seat is not None else {}
    spun = (wheel for wheel in game.wheels if wheel.ring == "spin")
    return next((wheel for wheel in spun if placed.get(wheel.wager) == wheel.stake_cents), None)


def chance_problems(game: Game, script: Script, at: str) -> Iterator[Problem]:
    """Yield a problem for each wheel that a seat does not have, and each unknown slice."""
    seats = {f"seat{seat.seat}": seat for seat in script.seats}
    for name, place in script.chance.wheel.items():
        wheel = _wheel(game, seats.get(name))
        if wheel is None:
            bettors = ", ".join(other for other, seat in seats.items() if _wheel(game, seat) is not None)
            what = "no wheel is spun for this seat"
            yield Problem(code="chance.wheel", what=what, where=f"{at}.wheel.{name}", allowed=bettors or "none")
        elif place not in wheel.places:
            yield _no_slice(wheel, f"{at}.wheel.{name}", place, f"{min(wheel.places)} to {max(wheel.places)}")
    yield from _xtreme_problems(game, script, f"{at}.xtreme")
    yield from _draw_problems(game, script, at)


def _xtreme_problems(game: Game, script: Script, at: str) -> Iterator[Problem]:
    xtreme = script.chance.xtreme
    if xtreme is None:
        return
    wheels = {wheel.ring: wheel for wheel in game.wheels if wheel.ring != "spin"}
    if not wheels:
        yield Problem(code="chance.xtreme", what="no such wheels at this table", where=at)
        return
    named = (("community", wheels["community"], xtreme.community), ("prize", wheels["hot_spot"], xtreme.prize))
    for name, wheel, index in named:
        if index is not None and not 0 <= index < len(wheel.slices):
            yield _no_slice(wheel, f"{at}.{name}", index, f"0 to {len(wheel.slices) - 1}")
    anywhere = game.settings["xtreme_hot_spot_among"] == "all_seats"
    bettors = [seat.seat for seat in script.seats if wheels["community"].wager in seat.wagers]
    seats = range(1, game.book.table.seats + 1) if anywhere else bettors
    if xtreme.hot_spot is not None and xtreme.hot_spot not in seats:
        rule, what = game.book.settings["xtreme_hot_spot_among"], "the hot spot cannot fall on this seat"
        cited = Cited(clauses=rule.clauses, readings=rule.readings)
        yield cited.problem(f"{at}.hot_spot", "chance.hot_spot", what, xtreme.hot_spot, _listed(seats) or "none")


def _no_slice(wheel: Wheel, where: str, value: int, allowed: str) -> Problem:
    return Problem.at(where, "chance.slice", f"no such slice of wheel {wheel.name}", value, allowed, wheel.clauses)


def _draw_problems(game: Game, script: Script, at: str) -> Iterator[Problem]:
    """Yield a problem for each random award that the pay table lacks or that no seat can win."""
    chance, awards = script.chance, drawn_awards(game)
    on_player, on_dealer = (
        [seat.seat for seat in script.seats if any(game.credit_wagers.get(wager) is side for wager in seat.wagers)]
        for side in (False, True)
    )
    anywhere = game.settings.get("lucky_player_goes_to") == "all_seats"
    seats = list(range(1, game.book.table.seats + 1)) if anywhere and on_player else on_player
    clauses = game.pays[bonus].clauses if (bonus := bonus_table(game)) else ()
    card = None if chance.magic_card == NO_CARD else chance.magic_card
    named: tuple[tuple[str, str, str | int | bool | None, bool, str], ...] = (
        ("lucky_seat", "lucky_player", chance.lucky_seat or None, chance.lucky_seat in seats, _listed([0, *seats])),
        ("lucky_dealer", "lucky_dealer", chance.lucky_dealer or None, bool(on_dealer), "false"),
        (MAGIC, MAGIC, card, bool(on_player + on_dealer), NO_CARD),
    )
    for name, award, value, falls, allowed in named:
        if value is None:
            continue
        if award not in awards:
            what = "the pay table of this table has no such award"
            yield Problem(code=f"chance.{name}", what=what, where=f"{at}.{name}", value=value, clauses=clauses)
        elif not falls:
            what = "no seat can win this award here"
            yield Problem.at(f"{at}.{name}", f"chance.{name}", what, value, allowed, clauses)
        elif name == MAGIC:
            try:
                parse_cards(str(value), count=1, joker=game.number("magic_card_from") > JOKER, where=f"{at}.{name}")
            except BadInput as bad:
                yield from bad.problems


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def meter_problems(game: Game, meters: Mapping[str, int], at: str) -> Iterator[Problem]:
    """Yield a problem for each meter that does not run at this table, or would stand below its reset amount."""
    live = live_meters(game)
    for name, cents in meters.items():
        if name not in live:
            what, allowed = "no such meter runs at this table", ", ".join(live) or "none"
            yield Problem(code="meter.unknown", what=what, where=f"{at}.{name}", value=cents, allowed=allowed)
        elif cents < (reset := game.whole(f"meters.{name}.reset_cents")):
            what, allowed = "a meter never shows less than its reset amount", f"at least {reset:,}"
            yield game.meter(name).problem(f"{at}.{name}", "meter.initial", what, cents, allowed)


def open_meters(game: Game, meters: Mapping[str, int], at: str) -> Meters:
    """Return the meters before the round, with the amounts of the script or of the submission."""
    try:
        return Meters(game, meters)
    except BadInput as bad:
        raise BadInput(*(replace(problem, where=at) for problem in bad.problems)) from None


# --- the script against the game --------------------------------------------------------------------------------------

NO_ANSWER = "no_answer"
"""A timeout, possible in every game; the submission chooses its consequence."""
COUNTED = ("stub_count_wrong", "shuffler_count_wrong")
"""Irregularities that are a wrong count."""


def problems_in(script: Script, game: Game, where: str) -> Iterator[Problem]:
    """Yield every problem of a script that its game shows."""
    yield from _first_hand_problems(game, script.chance, f"{where}: chance")
    yield from _bank_problems(game, script, where)
    yield from chance_problems(game, script, f"{where}: chance")
    yield from meter_problems(game, script.meters, f"{where}: meters")
    if not script.seats:
        yield Problem(code="seats.none", what="no seat plays", where=f"{where}: seats")
    yield from _seat_problems(game, [seat.seat for seat in script.seats], where)
    for seat in script.seats:
        at = f"{where}: seat {seat.seat}"
        if seat.wagers or seat.seat != script.bank:
            yield from _wager_problems(game, seat, at)
        yield from decision_problems(game, seat, at)
    for place, wrong in enumerate(script.irregularities):
        yield from _irregularity_problems(game, wrong, f"{where}: irregularities[{place}]")


def _seat_problems(game: Game, seats: Sequence[int], where: str) -> Iterator[Problem]:
    """Yield a problem for each seat that the table does not have or that the script names twice."""
    rule = game.book.table
    for place, number in enumerate(seats):
        if not 1 <= number <= rule.seats:
            what, allowed = "no such seat", f"1 to {rule.seats}"
            yield Problem.at(f"{where}: seats[{place}].seat", "seat.unknown", what, number, allowed, rule.clauses)
        elif number in seats[:place]:
            yield Problem.at(f"{where}: seats[{place}].seat", "seat.taken", "the seat is taken", number)


def _first_hand_problems(game: Game, chance: ChanceScript, at: str) -> Iterator[Problem]:
    """Yield a problem for dice or a random number that this table does not use, or that are impossible."""
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
        what = "not a possible result" if way == by else "the first hand is not chosen this way here"
        shown = value if isinstance(value, int) else " ".join(map(str, value or ()))
        instead = allowed.get(str(by), "neither dice nor number")
        yield Problem.at(f"{at}.{name}", f"chance.{name}", what, shown, instead, clauses)


def _bank_problems(game: Game, script: Script, where: str) -> Iterator[Problem]:
    """Check the bank: its seat plays and stakes nothing. Its main wager in the script is its last one against the
    house."""
    name = "bank" if script.bank is not None else "co_bank"
    if script.bank is None and not script.co_bank:
        return
    if not any(isinstance(step, OfferBank) for step in game.book.script):
        yield Problem.at(f"{where}: {name}", "bank.unplayable", "no player can bank this game")
        return
    banker = next((seat for seat in script.seats if seat.seat == script.bank), None)
    if banker is None:
        allowed = ", ".join(str(seat.seat) for seat in script.seats)
        what = "this seat does not play" if script.bank is not None else "missing: the seat that banks with the house"
        yield Problem(code="bank.seat", what=what, where=f"{where}: bank", value=script.bank, allowed=allowed)
        return
    at, rule = f"{where}: seat {banker.seat}: wagers", game.book.settings["dealer_wager_against_bank"]
    what, allowed = "the bank cannot place wagers", f"{game.banked_wager}, the last wager against the house"
    for wager in (wager for wager in banker.wagers if wager != game.banked_wager):
        yield Problem(code="bank.wager", what=what, where=f"{at}.{wager}", allowed=allowed, clauses=rule.clauses)


# --- wagers -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _members(game: Game) -> Mapping[str, tuple[str, ...]]:
    """Return the wagers of each name in a script: a wager's own, or that of its group."""
    members: dict[str, tuple[str, ...]] = {}
    for wager in game.opening_wagers.values():
        members[wager.id] = (wager.id,)
        if wager.group:
            members[wager.group] = (*members.get(wager.group, ()), wager.id)
    return members


def stakes_of(game: Game, written: Mapping[str, int]) -> dict[str, int]:
    """Return the stake of each wager in cents: `ante` is the amount of each ante, and credits have their price.

    >>> stakes_of(compile_game("md-criss-cross"), {"ante": 1000, "five_card_bonus": 500})
    {'ante_across': 1000, 'ante_down': 1000, 'five_card_bonus': 500}
    >>> stakes_of(compile_game("nj-pai-gow"), {"main": 1000, "progressive_dealer": 3})
    {'main': 1000, 'progressive_dealer': 300}
    """
    staked = ((wager, amount) for name, amount in written.items() for wager in _members(game)[name])
    return {wager: amount * game.credit_cents(game.wager(wager)) for wager, amount in staked}


def written_name(game: Game, written: Mapping[str, int], wager: str) -> str | None:
    """Return the script's name of a wager."""
    members = _members(game)
    return next((name for name in written if wager in members[name]), None)


def _wager_problems(game: Game, seat: SeatScript, at: str) -> Iterator[Problem]:
    members = _members(game)
    if not seat.wagers:
        yield Problem.at(f"{at}: wagers", "wager.none", "no wager: leave out a seat that does not play")
    placed: set[str] = set()
    for name, cents in seat.wagers.items():
        where = f"{at}: wagers.{name}"
        if name not in members:
            rule = game.book.settings.get("optional_wagers")
            allowed = ", ".join(dict.fromkeys(wager.group or wager.id for wager in game.opening_wagers.values()))
            what = "no such wager at this table"
            yield Problem(
                code="wager.unknown", what=what, where=where, allowed=allowed, clauses=rule.clauses if rule else ()
            )
        elif placed.intersection(members[name]):
            yield Problem(code="wager.twice", what="the wager is named twice", where=where, value=cents)
        placed.update(members.get(name, ()))


# --- irregularities ---------------------------------------------------------------------------------------------------


def _irregularity_problems(game: Game, wrong: IrregularityScript, at: str) -> Iterator[Problem]:
    kinds = dict.fromkeys((*game.book.irregularities, NO_ANSWER))
    if wrong.kind not in kinds:
        yield Problem.at(f"{at}.kind", "irregularity.kind", "no such irregularity", wrong.kind, ", ".join(kinds))
        return
    if wrong.step not in game.steps:
        what, allowed = "no such step in this game", ", ".join(game.steps)
        yield Problem(code="irregularity.step", what=what, where=f"{at}.step", value=wrong.step, allowed=allowed)
    yield from _count_problems(game, wrong, at)
    if wrong.kind == NO_ANSWER:
        if wrong.seat is None:
            yield Problem(code="key.missing", what="missing", where=f"{at}.seat", allowed="the silent seat")
        return
    yield from _area_problems(game, wrong, at)
    if wrong.kind == "face_up_card":
        yield from _face_up_problems(game, wrong, at)


def _count_problems(game: Game, wrong: IrregularityScript, at: str) -> Iterator[Problem]:
    """Yield a problem for each count or finding that is missing, or that the kind does not use."""
    if wrong.kind in COUNTED and wrong.count is None:
        yield Problem(code="key.missing", what="missing", where=f"{at}.count", allowed="the cards counted")
    if wrong.kind == "face_up_card" and wrong.count == 0:
        yield Problem(code="value.low", what="too small", where=f"{at}.count", value=0, allowed="at least 1")
    if wrong.kind == "stub_count_wrong" and not wrong.finding:
        outcomes = game.book.irregularities[wrong.kind]
        clauses = tuple(dict.fromkeys(clause for outcome in outcomes.values() for clause in outcome.clauses))
        yield Problem.at(f"{at}.finding", "key.missing", "missing", allowed=", ".join(outcomes), clauses=clauses)
    counted = wrong.kind in COUNTED and wrong.finding not in MISDEALT
    unused = {
        "count": wrong.count is not None and wrong.kind not in (*COUNTED, "face_up_card"),
        "finding": wrong.finding and wrong.kind != "stub_count_wrong",
        "seat": wrong.seat is not None and counted,
        "place": wrong.place is not None and counted,
    }
    for name in (name for name, given in unused.items() if given):
        yield Problem(code="key.unused", what=f"does not apply to {wrong.kind}", where=f"{at}.{name}")


def _area_problems(game: Game, wrong: IrregularityScript, at: str) -> Iterator[Problem]:
    """Check the place of an irregularity whose cases are areas: a seat for a player's area, or the place."""
    cases = game.book.irregularities[wrong.kind]
    if "player" in cases and (wrong.seat is None) == (wrong.place is None or wrong.place not in cases):
        allowed = " or ".join("a seat" if case == "player" else f'place = "{case}"' for case in cases)
        what = "name the seat or place of the irregularity"
        yield Problem.at(f"{at}.place", "irregularity.where", what, wrong.place, allowed)


def _face_up_problems(game: Game, wrong: IrregularityScript, at: str) -> Iterator[Problem]:
    """Yield a problem for a face-up card at a place that gets no cards."""
    everybody = range(1, game.book.table.seats + 1)
    places = {place for _, place in deliveries(new_table(game), deal_of(game), everybody)}
    if wrong.place is not None and wrong.place not in places:
        allowed = ", ".join(sorted(places))
        yield Problem.at(f"{at}.place", "irregularity.place", "this place gets no cards", wrong.place, allowed)
