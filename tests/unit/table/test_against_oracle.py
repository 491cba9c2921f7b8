"""The table and the oracle settle the same random rounds alike, to the cent and to the name of the hand.

The oracles are written from the regulations, and that of Pai Gow Poker from what fills the gaps of its document; they
share no code with the package.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from crossfelt.play.round_result import RoundResult
from crossfelt.play.scripted.runner import ScriptRunner
from oracles import criss_cross, double_cross, pai_gow, pai_gow_rounds
from soak_length import Progress, Recorded, scaled

ORACLES = {
    "nj-criss-cross": criss_cross,
    "ma-criss-cross": criss_cross,
    "md-criss-cross": criss_cross,
    "nj-double-cross": double_cross,
    "nj-pai-gow": pai_gow,
}
ROUNDS = {**ORACLES, "nj-pai-gow": pai_gow_rounds}
"""The modules that generate the rounds."""
ROUNDS_AT_A_TIME = 50
"""300 rounds of each game come from six seeds; the long version plays a million."""
SOAK_SEEDS = range(1000, 1020)
ROUNDS_SOAK = 1_000_000
"""Of each game, by all seeds together."""
RUNNER = ScriptRunner()

PROVED = {
    "nj-criss-cross": "NJC-41 NJC-42 NJC-43 NJC-45 NJC-46 NJC-50 NJC-51 NJC-52 NJC-56",
    "ma-criss-cross": "MAC-29 MAC-31 MAC-32 MAC-34 MAC-35 MAC-38 MAC-39 MAC-40 MAC-41",
    "md-criss-cross": "MDC-31 MDC-32 MDC-36 MDC-38 MDC-39 MDC-40",
    "nj-double-cross": "DCP-2 DCP-3 DCP-21 DCP-23 DCP-25 DCP-28 DCP-29 DCP-30",
    "nj-pai-gow": "PGP-7 PGP-11 PGP-16 PGP-17 PGP-18 PGP-19 PGP-22 PGP-23 PGP-24 PGP-25 PGP-26 PGP-27 PGP-28",
}
CRISS_CROSS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")


def batches(rulebook: str, seeds: range) -> list[Any]:
    marks = pytest.mark.clause(*PROVED[rulebook].split())
    return [pytest.param(rulebook, seed, marks=marks, id=f"{rulebook}-{seed}") for seed in seeds]


def submission_of(rulebook: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of an oracle as a submission."""
    submission: dict[str, Any] = {}
    if options.get("payout_limit") is not None:
        submission["payout_limit"] = {"amount_cents": options["payout_limit"]}
    if rulebook == "nj-pai-gow":
        return submission | pai_gow_submission(options)
    submission["wagers"] = {"ante": {"min_cents": options["minimum_ante"]}}
    if options.get("md_antes_at_table"):
        submission["settings"] = {"md_antes_at_table": True}
    if "odds" in options:
        submission["pays"] = {table: odds_of(lines) for table, lines in options["odds"].items()}
    return submission


PAI_GOW_SETTINGS = {
    "wheel_second": "wheel_second_highest",
    "rounding": "commission_rounding",
    "ez": "ez_variation",
    "refund_per_mille": "surrender_refund_per_mille",
}


CREDIT_SETTINGS = {
    "from_tray": ("odds_paid_from", "inventory"),
    "whole_award": ("credit_returned_on_win", False),
    "lucky_returns": ("lucky_stake_follows_hand", False),
    "made_hand": ("magic_card_in", "made_hand"),
    "by_credits": ("share_method", "by_credits"),
    "dealer_by_credits": ("share_method_dealer", "by_credits"),
}


def pai_gow_submission(options: dict[str, Any]) -> dict[str, Any]:
    """Wagers in single cents, so that every rounding is met."""
    settings = {setting: options[name] for name, setting in PAI_GOW_SETTINGS.items() if name in options}
    wagers: dict[str, Any] = {"main": {"step_cents": 1}, "queens_dragon": {"offered": options.get("ez", False)}}
    stated = {"house_way": options.get("house_way", "trump_plaza"), "wagers": wagers, "settings": settings}
    in_credits = options.get("credits", {})
    wagers["progressive"] = {"paytable": in_credits.get("letter", "A"), "credit_cents": in_credits.get("price", 100)}
    settings |= {setting: value for name, (setting, value) in CREDIT_SETTINGS.items() if in_credits.get(name)}
    if "limit" in in_credits:
        stated["meters"] = {"pai_gow": {"limit_cents": in_credits["limit"]}}
    return stated


def odds_of(lines: dict[str, list[int]]) -> dict[str, str]:
    return {"one_pair" if line == "pair" else line: f"{to} to {one}" for line, (to, one) in lines.items()}


def scripted(given: dict[str, Any]) -> dict[str, Any]:
    script = {key: value for key, value in given.items() if key != "options"}
    return {**script, "submission": submission_of(given["rulebook"], given["options"])}


def uncited(result: RoundResult) -> dict[str, Any]:
    """Return a result in the oracle's form: without clauses."""
    found: dict[str, Any] = msgspec.to_builtins(result)
    for seat in found["seats"].values():
        for wager in seat["wagers"].values():
            for name in ("clauses", "readings", "house_rule", "illustrative"):
                wager.pop(name, None)
    return found


def compare(rulebook: str, seed: int, rounds: int, found: Callable[[int], None] = lambda done: None) -> None:
    rng = Random(f"{rulebook} {seed}")
    for done in range(rounds):
        found(done)
        given = ROUNDS[rulebook].random_round(rng, rulebook)
        played = RUNNER.play(scripted(given), where="round")
        assert uncited(played.result) == ORACLES[rulebook].settle(given), given


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("rulebook", "seed"),
    [
        *batches("nj-criss-cross", range(2)),
        *batches("ma-criss-cross", range(2)),
        *batches("md-criss-cross", range(2)),
        *batches("nj-double-cross", range(6)),
        *batches("nj-pai-gow", range(6)),
    ],
)
def test_the_table_settles_as_the_oracle_does(rulebook: str, seed: int) -> None:
    compare(rulebook, seed, ROUNDS_AT_A_TIME)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SOAK_SEEDS)
@pytest.mark.parametrize("game", ["criss-cross", "double-cross", "pai-gow"])
def test_a_million_rounds_are_settled_as_the_oracle_does(
    game: str, seed: int, record_property: Recorded, progress: Progress
) -> None:
    rulebook = CRISS_CROSS[seed % 3] if game == "criss-cross" else f"nj-{game}"
    rounds = -(-scaled(ROUNDS_SOAK) // len(SOAK_SEEDS))
    compare(rulebook, seed, rounds, lambda done: progress(done, rounds))
    record_property("figure", f"{rounds:,} rounds of {rulebook}: settled as the oracle does")
