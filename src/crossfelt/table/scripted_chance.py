"""What random devices and meters give in a scripted round: against the game, and as the table will ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import asdict, replace

from crossfelt.cards.card import CARD_PATTERN, JOKER, Card
from crossfelt.cards.notation import parse_cards
from crossfelt.games.progressive_wager import BONUS, LUCKY, MAGIC, drawn_awards
from crossfelt.problems import BadInput, Problem
from crossfelt.progressive.wheels import live_meters, place_of, slice_at, stakes, wheel_for
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.table.meters import Meters
from crossfelt.table.scripted_file import ChanceScript, MetersScript, Script, SeatScript

NO_CARD: Final = "none"
"""How a script says that no magic card is drawn."""


def stops_of(script: Script, game: Game) -> dict[str, int]:
    """Where the devices that a script names will stop, by index. The script is free of problems."""
    seats = {f"seat{seat.seat}": seat for seat in script.seats}
    stops = {}
    for name, place in script.chance.wheel.items():
        wheel = _wheel(game, seats.get(name))
        if wheel is not None and (index := slice_at(wheel, place)) is not None:
            stops[f"wheel {name}"] = index
    if (xtreme := script.chance.xtreme) is not None:
        named = {"community": xtreme.community, "prize": xtreme.prize}
        stops |= {f"xtreme {name}": index for name, index in named.items() if index is not None}
        if xtreme.hot_spot is not None:
            stops["xtreme hot_spot"] = xtreme.hot_spot - 1
    return stops | _drawn(script.chance)


def _drawn(chance: ChanceScript) -> dict[str, int]:
    """What the progressive system will draw; the first outcome of each draw is no award."""
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
    """The wheel that is spun for a seat, by what it staked."""
    stake = seat.wagers.get("bonus_spin") if seat is not None else None
    if stake not in stakes(game, "bonus_spin"):
        return None
    return wheel_for(game, "bonus_spin", stake)


def chance_problems(game: Game, script: Script, at: str) -> Iterator[Problem]:
    """Wheels of seats that have none, and slices that do not exist."""
    seats = {f"seat{seat.seat}": seat for seat in script.seats}
    for name, place in script.chance.wheel.items():
        wheel = _wheel(game, seats.get(name))
        if wheel is None:
            bettors = ", ".join(other for other, seat in seats.items() if _wheel(game, seat) is not None)
            what = "no wheel is spun for this seat"
            yield Problem(code="chance.wheel", what=what, where=f"{at}.wheel.{name}", allowed=bettors or "none")
        elif slice_at(wheel, place) is None:
            places = sorted(place_of(wheel, index) for index in range(len(wheel.slices)))
            yield _no_slice(wheel, f"{at}.wheel.{name}", place, f"{places[0]} to {places[-1]}")
    yield from _xtreme_problems(game, script, f"{at}.xtreme")
    yield from _draw_problems(game, script, at)


def _xtreme_problems(game: Game, script: Script, at: str) -> Iterator[Problem]:
    xtreme = script.chance.xtreme
    if xtreme is None:
        return
    wheels = {wheel.ring: wheel for wheel in game.wheels if wheel.wager == "bonus_spin_xtreme"}
    if not wheels:
        yield Problem(code="chance.xtreme", what="no such wheels at this table", where=at)
        return
    named = (("community", wheels["community"], xtreme.community), ("prize", wheels["hot_spot"], xtreme.prize))
    for name, wheel, index in named:
        if index is not None and not 0 <= index < len(wheel.slices):
            yield _no_slice(wheel, f"{at}.{name}", index, f"0 to {len(wheel.slices) - 1}")
    anywhere = game.settings["xtreme_hot_spot_among"] == "all_seats"
    bettors = [seat.seat for seat in script.seats if "bonus_spin_xtreme" in seat.wagers]
    seats = range(1, game.book.table.seats + 1) if anywhere else bettors
    if xtreme.hot_spot is not None and xtreme.hot_spot not in seats:
        rule = game.book.settings["xtreme_hot_spot_among"]
        yield Problem(
            code="chance.hot_spot",
            what="the hot spot does not fall on this seat",
            where=f"{at}.hot_spot",
            value=xtreme.hot_spot,
            allowed=", ".join(map(str, seats)) or "none",
            clauses=rule.clauses,
            readings=rule.readings,
        )


def _no_slice(wheel: Wheel, where: str, value: int, allowed: str) -> Problem:
    what = f"no such slice of wheel {wheel.name}"
    return Problem(code="chance.slice", what=what, where=where, value=value, allowed=allowed, clauses=wheel.clauses)


def _draw_problems(game: Game, script: Script, at: str) -> Iterator[Problem]:
    """Random awards that the pay table does not have, or that can fall on nobody here."""
    chance, awards = script.chance, drawn_awards(game)
    bets = {wager: [seat.seat for seat in script.seats if wager in seat.wagers] for wager in LUCKY}
    on_player, on_dealer = bets.values()
    anywhere = game.settings.get("lucky_player_goes_to") == "all_seats"
    seats = list(range(1, game.book.table.seats + 1)) if anywhere and on_player else on_player
    clauses = game.pays[BONUS].table.clauses if BONUS in game.pays else ()
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
            what = "this award falls on nobody here"
            yield Problem(
                code=f"chance.{name}", what=what, where=f"{at}.{name}", value=value, allowed=allowed, clauses=clauses
            )
        elif name == MAGIC:
            yield from _card_problems(game, str(value), f"{at}.{name}")


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def _card_problems(game: Game, text: str, where: str) -> Iterator[Problem]:
    try:
        parse_cards(text, count=1, joker=game.number("magic_card_from") > JOKER, where=where)
    except BadInput as bad:
        yield from bad.problems


def meter_problems(game: Game, meters: MetersScript, at: str) -> Iterator[Problem]:
    """Meters that do not run at this table."""
    live = live_meters(game)
    for name, cents in asdict(meters).items():
        if cents is not None and name not in live:
            what, allowed = "no such meter runs at this table", ", ".join(live) or "none"
            yield Problem(code="meter.unknown", what=what, where=f"{at}.{name}", value=cents, allowed=allowed)


def open_meters(game: Game, meters: MetersScript, at: str) -> Meters:
    """The meters before the round: with the amounts of the script, or those of the submission."""
    amounts = {name: cents for name, cents in asdict(meters).items() if cents is not None}
    try:
        return Meters(game, amounts)
    except BadInput as bad:
        raise BadInput(*(replace(problem, where=at) for problem in bad.problems)) from None
