"""The rounds whose course is kept as golden files: what they are, by rulebook.

An irregularity is tried at every step of the script; the rounds that are kept are those in which it can happen there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from crossfelt.errors import BadInput
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.script import Reveal
from playthroughs import pai_gow

Script = dict[str, Any]

CRISS_CROSS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")
PAI_GOW = "nj-pai-gow"
RULEBOOKS = (*CRISS_CROSS, "nj-double-cross", PAI_GOW)

DEVICES: Mapping[str, Any] = {
    "dealing": {"method": "automated_shoe", "shuffler": "counting"},
    "approvals": {"automated_shoe": "approved"},
}
"""A submission under which every device is at the table."""


def scenarios(rulebook: str) -> Iterator[tuple[str, Script]]:
    """Every ordinary round of a rulebook by its name."""
    rounds = _criss_cross() if rulebook in CRISS_CROSS else _double_cross()
    if rulebook == PAI_GOW:
        rounds = pai_gow.rounds()
    for name, script in rounds.items():
        yield name, {"rulebook": rulebook, **script}


def irregular_rounds(rulebook: str, runner: ScriptRunner) -> Iterator[tuple[str, str, Script, PlayedRound]]:
    """Every irregularity at every step where it can happen: its kind, what exactly, the round, and how it went."""
    for kind, cases in load(rulebook).irregularities.items():
        done: set[tuple[str, str]] = set()
        for wrong in _attempts(rulebook, kind, tuple(cases)):
            exposed = (wrong["step"], wrong.get("ruling", ""))
            if kind == "community_exposed" and exposed in done:
                continue  # one card for each step: another would tell the same story
            script = {"rulebook": rulebook, **_base(rulebook), "irregularities": [wrong]}
            if kind in ("shuffler_jam", "shoe_jam", "device_out_of_order"):
                script["submission"] = _devices(rulebook)
            if kind == "no_answer":
                script["submission"] = {"play": {"decision_seconds": 30, "on_timeout": "floor_decides"}}
            try:
                played = runner.play(script, where="playthrough")
            except BadInput:
                continue
            done.add(exposed)
            yield kind, ", ".join(f"{key} {value}" for key, value in wrong.items() if key != "kind"), script, played


def _attempts(rulebook: str, kind: str, cases: tuple[str, ...]) -> Iterator[Script]:
    """Every way in which an irregularity might be reported at every step."""
    script = load(rulebook).script
    places = [place for step in script if isinstance(step, Reveal) for place in step.cards]
    details: list[Script] = [{}]
    match kind:
        case "face_up_card":
            details = [{}, {"count": 2}]
        case "wrong_card_count":
            details = [{"seat": 2} if case == "player" else {"place": case} for case in cases]
        case "community_exposed":
            details = [{"place": place} for place in places]
            details += [{"place": place, "ruling": ruling} for place, ruling in product(places, ("continue", "void"))]
        case "stub_count_wrong":
            areas = load(rulebook).settings["misdeal_areas"].value
            assert isinstance(areas, tuple)
            misdealt: list[Script] = [{"seat": 2} if area == "player" else {"place": area} for area in areas]
            details = [
                {"count": 40, "finding": case, **where}
                for case in cases
                for where in ([{}] if case == "not_misdealt" else misdealt)
            ]
        case "device_out_of_order":
            details = [{"place": device} for device in ("shuffler", "shoe")]
        case "player_leaves" | "conduct_breach":
            details = [{"seat": 2, **ruling} for ruling in ({}, {"ruling": "continue"}, {"ruling": "abandon"})]
        case "no_answer":
            details = [{"seat": 2, "ruling": ruling} for ruling in ("continue", "fold", "house_way")]
        case "axis_disagreement":
            details = [{"seat": 1, "ruling": ruling} for ruling in ("vertical", "horizontal")]
    for step, detail in product(script, details):
        yield {"kind": kind, "step": step.id, **detail}


def _devices(rulebook: str) -> dict[str, Any]:
    paths = {choice.path for choice in load(rulebook).choices}
    return {
        section: {key: value for key, value in values.items() if f"{section}.{key}" in paths}
        for section, values in DEVICES.items()
        if any(path.startswith(f"{section}.") for path in paths)
    }


def _base(rulebook: str) -> Script:
    """An ordinary round with two players, one of whom folds late: something goes wrong in it."""
    if rulebook in CRISS_CROSS:
        return {
            "cards": {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc", "seat1": "Ks 2d", "seat2": "Qh 7d"},
            "seats": [_seat(1, 10_00, bonus=5_00), _seat(2, 20_00, bets=("20", "20", "fold"))],
        }
    return pai_gow.base() if rulebook == PAI_GOW else _double_cross()["ordinary"]


def _seat(number: int, ante: int, bets: tuple[str, str, str] = ("10", "10", "10"), bonus: int = 0) -> Script:
    wagers = {"ante": ante} | ({"five_card_bonus": bonus} if bonus else {})
    said = [bet if bet == "fold" else int(bet) * 100 for bet in bets]
    return {"seat": number, "wagers": wagers, "decisions": dict(zip(("across", "down", "middle"), said, strict=True))}


def _lines(hole: str, across: str, down: str, middle: str) -> Script:
    cards = {"seat1": hole, "across": across, "down": down, "middle": middle}
    return {"cards": cards, "seats": [_seat(1, 10_00, ("30", "20", "10"), bonus=5_00)]}


def _criss_cross() -> dict[str, Script]:
    folds = ("fold", "fold", "fold")
    return {
        "ordinary": {
            "cards": {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc", "seat1": "Ks 2d", "seat4": "Qh 7d"},
            "seats": [_seat(1, 10_00, ("30", "10", "10"), bonus=5_00), _seat(4, 5_00, ("5", "15", "5"))],
        },
        "folds_at_each_decision": {
            "seed": 11,
            "seats": [
                _seat(1, 10_00, folds, bonus=5_00),
                _seat(2, 10_00, ("10", "fold", "fold"), bonus=5_00),
                _seat(3, 10_00, ("10", "10", "fold")),
                _seat(5, 10_00),
            ],
        },
        "all_fold_without_a_bonus": {"seats": [_seat(1, 10_00, folds), _seat(6, 10_00, folds)]},
        "all_fold_with_a_bonus": {"seats": [_seat(1, 10_00, folds, bonus=1_00), _seat(6, 10_00, folds)]},
        "middle_both_lose": _lines("2c 7d", "9h Js", "4s Kh", "Tc"),
        "middle_across_pushes_down_loses": _lines("2c 7d", "7h Js", "4s Kh", "Tc"),
        "middle_across_loses_down_pushes": _lines("2c 7d", "9h Js", "7s Kh", "Tc"),
        "middle_both_push": _lines("2c 7d", "7h Js", "7s Kh", "Tc"),
        "middle_one_wins_one_loses": _lines("2c Kd", "9h Js", "4s Kh", "Tc"),
        "middle_one_wins_one_pushes": _lines("7c Kd", "7h Js", "4s Kh", "Tc"),
        "middle_both_win": _lines("Kc Kd", "9h Js", "4s Kh", "Tc"),
        "payout_limit_reached": {
            "cards": {"seat1": "Ts Js", "across": "As Ks", "down": "9s 8s", "middle": "Qs"},
            "submission": {"payout_limit": {"amount_cents": 50_000_00}},
            "seats": [_seat(1, 100_00, ("300", "300", "300"), bonus=100_00)],
        },
    }


def _double(number: int, play: str, three_card: str = "", ante: int = 10_00) -> Script:
    wagers = {"ante": ante} | ({"three_card": 5_00} if three_card else {})
    decisions = {"play": play} | ({"three_card": three_card} if three_card else {})
    return {"seat": number, "wagers": wagers, "decisions": decisions}


def _cross(vertical: str, horizontal: str, dealer: str, **seats: str) -> dict[str, str]:
    return {"vertical": vertical, "horizontal": horizontal, "dealer": dealer, **seats}


def _double_cross() -> dict[str, Script]:
    return {
        "ordinary": {
            "cards": _cross("As Kd 2c", "3h Kd 9s", "2h 7d", seat1="Kh Ks", seat2="4c 8h"),
            "seats": [_double(1, "vertical", "expose"), _double(2, "horizontal", "decline")],
        },
        "fold": {
            "cards": _cross("As Kd 2c", "3h Kd 9s", "2h 7d", seat1="Kh Ks", seat3="4c 8h"),
            "seats": [_double(1, "horizontal"), _double(3, "fold", "expose")],
        },
        "all_fold": {"seats": [_double(1, "fold"), _double(6, "fold", "decline")]},
        "lower_hands_lose": {
            "cards": _cross("As Kd Qc", "Jh Kd Ts", "Ah 3d", seat1="2c 3s", seat2="Kh 4d"),
            "seats": [_double(1, "vertical", "expose"), _double(2, "horizontal")],
        },
        "high_card_wins": {
            "cards": _cross("9s 7d 2c", "3h 7d 4s", "Qh Jd", seat1="Ac 5s"),
            "seats": [_double(1, "vertical")],
        },
        "each_three_card_hand": {
            "cards": {
                **_cross("As 4h 8h", "5h 4h 6h", "Th 9h", seat1="Qs Ks", seat2="Ac Ad", seat3="Qc Kd"),
                "seat4": "2s 9s",
                "seat5": "Ah 5d",
                "seat6": "7c 9d",
            },
            "seats": [_double(number, "fold", "expose") for number in range(1, 7)],
        },
        "three_card_hand_not_shown": {
            "cards": _cross("As 4h 8h", "5h 4h 6h", "Th 9h", seat1="Qs Ks"),
            "seats": [_double(1, "vertical", "decline")],
        },
        "raises_from_high_card_to_royal_flush": {
            "cards": {
                **_cross("Ks Qs Js", "4h Qs 5d", "2h 3d", seat1="As Ts", seat2="9d Td", seat3="2s 3s"),
                "seat4": "Kc Kd",
                "seat5": "Kh 2d",
                "seat6": "7c 8d",
            },
            "seats": [_double(number, "vertical") for number in range(1, 7)],
        },
        "raises_from_pair_to_four_of_a_kind": {
            "cards": {
                **_cross("8s 8d 9c", "4h 8d 5d", "2h 3d", seat1="8h 8c", seat2="9d 9h"),
                "seat3": "9s 2d",
                "seat4": "Ah 2c",
            },
            "seats": [_double(number, "vertical") for number in range(1, 5)],
        },
        "straight_flush": {
            "cards": _cross("Ks Qs Js", "4h Qs 5d", "2h 3d", seat1="9s Ts"),
            "seats": [_double(1, "vertical", "expose")],
        },
        "better_odds": {
            "cards": _cross("As Kd Ac", "4h Kd 9s", "2h 3d", seat1="Kh 7c", seat2="Ad 2c"),
            "submission": {"pays": {"raise": {"two_pair": "2 to 1"}, "three_card": {"one_pair": "2 to 1"}}},
            "seats": [_double(1, "vertical", "decline"), _double(2, "horizontal", "expose")],
        },
        "payout_limit_on_all_wagers": {
            "cards": _cross("Qs Js Ts", "4h Js 9d", "2h 3d", seat1="As Ks"),
            "submission": {
                "payout_limit": {"amount_cents": 60_000_00},
                "settings": {"limit_covers_all_wagers": True},
            },
            "seats": [_double(1, "vertical", "expose", ante=500_00)],
        },
        "equal_hands_push": {
            "cards": _cross("As Kd Qc", "Jh Kd Ts", "2h 3d", seat1="2c 3s"),
            "seats": [_double(1, "vertical", "expose")],
        },
        "two_pair_at_three_to_two": {
            "cards": _cross("As Kd Ac", "4h Kd 9s", "2h 3d", seat1="Kh 7c"),
            "submission": {"wagers": {"ante": {"min_cents": 5_05, "max_cents": 500_00, "step_cents": 5}}},
            "seats": [_double(1, "vertical", ante=5_05)],
        },
        "payout_limit_reached": {
            "cards": _cross("As Qs Ts", "4h Qs 9d", "2h 3d", seat1="Ks Js"),
            "submission": {"payout_limit": {"amount_cents": 60_000_00}},
            "seats": [_double(1, "vertical", "expose", ante=500_00)],
        },
    }
