"""Rounds in which a wheel is spun: one golden file for each pay table letter, one round for each slice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crossfelt.rulebooks.loader import load

Script = dict[str, Any]
STAKES = {"bonus_spin": {"3": 5_00, "4": 1_00, "5": 1_00, "A": 1_00, "B": 1_00, "C": 5_00, "D": 5_00}}
CROSS = {"across": "Kd 4s", "down": "9c 3h", "middle": "Jc"}
XTREME = {"A": 1, "B": 1, "C": 1, "D": 2, "E": 2, "F": 2, "G": 5, "H": 5, "I": 5}


def spin_files(rulebook: str) -> Iterator[tuple[str, list[tuple[str, Script]]]]:
    """The name of every file, with its rounds."""
    for wheel in load(rulebook).wheels:
        if wheel.ring == "spin":
            places = [index if s.position is None else s.position for index, s in enumerate(wheel.slices)]
            rounds = [(f"the wheel stops at {place}", _spin(rulebook, wheel.letter, place)) for place in places]
            yield f"bonus_spin_{wheel.letter}", rounds
        elif wheel.ring == "hot_spot":
            stops = range(len(wheel.slices))
            rounds = [(f"hot spot {stop}, community {min(stop, 7)}", _xtreme(wheel.letter, stop)) for stop in stops]
            yield f"xtreme_{wheel.letter}", rounds


def _seat(number: int, across: int | str, **spin: int) -> Script:
    bets = dict.fromkeys(("across", "down", "middle"), across)
    return {"seat": number, "wagers": {"ante": 10_00, **spin}, "decisions": bets}


def _spin(rulebook: str, letter: str, place: int) -> Script:
    """A pair on the right spins, a folder without one and a player who did not bet look on."""
    stake = STAKES["bonus_spin"][letter]
    choices: Script = {"paytable": letter}
    if rulebook == "nj-criss-cross":
        choices["top_prize"] = "fixed" if letter == "4" else "progressive"
    return {
        "rulebook": rulebook,
        "submission": {"wagers": {"bonus_spin": choices}},
        "cards": {
            "across": "Kd 4s",
            "down": "9c 3h",
            "middle": "Jc",
            "seat1": "Qh 7d",
            "seat3": "2c 5d",
            "seat5": "8c 8d",
        },
        "seats": [
            _seat(1, "fold", bonus_spin=stake),
            _seat(3, 10_00),
            _seat(5, 10_00, bonus_spin=stake),
        ],
        "chance": {"wheel": {"seat5": place}},
        **({"meters": {"bonus_spin": 12_345_67}} if letter in "35BD" else {}),
    }


def _xtreme(letter: str, stop: int) -> Script:
    """Three of a kind in the cross: everybody who bet is paid, seat 2 is the hot spot."""
    stake = XTREME[letter]
    tables = {f"paytable_{other}": letter if other == stake else "none" for other in (1, 2, 5)}
    wagers = {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, **tables}}
    return {
        "rulebook": "md-criss-cross",
        "submission": {"wagers": wagers},
        "cards": {"across": "Kd Ks", "down": "9c 3h", "middle": "Kc", "seat2": "Qh 7d", "seat4": "2c 5d"},
        "seats": [_seat(2, "fold", bonus_spin_xtreme=stake * 100), _seat(4, 10_00, bonus_spin_xtreme=stake * 100)],
        "chance": {"xtreme": {"community": min(stop, 7), "hot_spot": 2, "prize": stop}},
        "meters": {"xtreme": 6_543_21},
    }
