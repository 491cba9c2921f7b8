"""An event or a refusal cites its own rule and no more: the wager, the pay table, the setting, the irregularity.

The tables below say, independently of the acts, which data of a rulebook each event and each refusal rests on. Rounds
are played at random with every kind of command, and what is cited must be among what those data cite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest

from crossfelt.cards.deck import deck_of
from crossfelt.errors import Problem
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.model import PayTable
from crossfelt.rulebooks.script import (
    Compare,
    Deal,
    Decide,
    Discard,
    FirstHand,
    Lock,
    OpenBets,
    Reveal,
    SetHands,
    Settle,
    Spin,
    Stub,
)
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts.corrections import ENTRY_RULE, REVERSAL_RULE
from crossfelt.table.acts.corrections import HOUSE_RULE as MISNAMED
from crossfelt.table.acts.player_seeds import HOUSE_RULE as MIXED
from crossfelt.table.acts.settlement import COUPON
from crossfelt.table.commands import Command
from crossfelt.table.engine import ACTS, Refused, run
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, clauses_of, step_of
from unit.table.command_values import some
from unit.table.manual_table import Play, only
from unit.table.random_table import ALL_GAMES, Driver

Rule = Cited | None


class Moment:
    """A table before an event, with the names of its data."""

    def __init__(self, table: TableState, before: e.Event | None = None) -> None:
        self.table = table
        self.before = before
        """The event before this one in the same command."""
        self.game = table.game
        self.book = table.game.book
        self.procedure = table.game.dealt_by(table.dealing) if table.dealing else None

    @property
    def step(self) -> Rule:
        return step_of(self.table)

    def named(self, step: str) -> Cited:
        assert self.procedure is not None
        return self.procedure.steps[step]

    def of_kind(self, kind: type) -> Any:
        assert self.procedure is not None
        return next(step for step in self.procedure.script if isinstance(step, kind))

    def opening(self, act: str) -> Any:
        assert self.procedure is not None
        return self.procedure.opening[act]

    def setting(self, name: str) -> Rule:
        return self.book.settings.get(name)

    def only_readings(self, name: str) -> Rule:
        rule = self.setting(name)
        return Cited(readings=rule.readings) if rule is not None else None

    def irregularity(self, kind: str) -> Iterator[Cited]:
        yield from self.book.irregularities.get(kind, {}).values()

    def choice(self, path: str) -> Iterator[Cited]:
        return (choice for choice in self.book.choices if choice.path.startswith(path))

    def timed_out(self, event: Any) -> Iterator[Cited]:
        return self.choice("play.on_timeout") if event.timed_out else iter(())

    def spins(self, wagers: Iterable[str]) -> Rule:
        spun = any(self.game.wager(wager).spins for wager in wagers)
        return self.only_readings("spin_after_fold") if spun else None

    def after_fold(self, seat: int) -> Rule:
        folded = self.table.seat(seat).status == "folded"
        return self.setting("spin_after_fold") if folded else None

    def wheels(self, wager: str, ring: str = "") -> Iterator[Cited]:
        return (wheel for wheel in self.game.wheels if wheel.wager == wager and ring in ("", wheel.ring))

    def limits(self, event: Any) -> Iterator[Cited]:
        return iter(self.book.payout_limits if event.limited else ())


def pays(table: PayTable, *lines: str) -> Iterator[Cited]:
    yield table
    for line in table.lines:
        if line.name in lines:
            yield Cited(clauses=line.clauses, readings=line.readings)


# --- what an event rests on -------------------------------------------------------------------------------------------


def _removed(now: Moment, event: Any) -> Iterator[Rule]:
    if now.table.remove_deck == event.deck:
        yield from now.irregularity("shuffler_count_wrong")
        yield from now.irregularity("stub_count_wrong")
    yield from (rule for rule in now.book.requirements if "dealing.decks" in rule.when)
    yield now.setting("deck_change_hours_hand")
    yield now.setting("deck_change_hours_shoe")


def _fittings(now: Moment, event: Any) -> list[Rule]:
    return [now.book.table.fixtures, now.opening("load"), now.opening("shuffle")]


def _cover(now: Moment, event: Any) -> list[Rule]:
    return [now.book.deck, now.setting("cover_card"), now.setting("cover_card_with_automated_shoe")]


def _dealt(now: Moment, event: Any) -> Iterator[Rule]:
    deal: Deal = now.of_kind(Deal)
    yield Cited(readings=deal.readings, house_rule=deal.house_rule)
    yield from (delivery for delivery in deal.deliver if not delivery.methods or now.table.dealing in delivery.methods)


def _stub(now: Moment, event: Any) -> Iterator[Rule]:
    stub: Stub = now.of_kind(Stub)
    yield stub
    if isinstance(now.before, e.StubCounted):
        yield stub.count_rule
    elif now.game.choices["dealing.shuffler"] == "counting":
        yield now.setting("counting_shuffler_exempts")


def _collected(now: Moment, event: Any) -> Iterator[Rule]:
    yield now.step
    yield now.spins(event.wagers)
    if event.cards_stay:
        yield now.only_readings("folder_cards_stay")


def _settled(now: Moment, event: Any) -> Iterator[Rule]:
    wager = now.game.wager(event.wager)
    if event.result == "forfeit":
        yield now.setting("surrender_refund_per_mille" if event.wager == "main" else "surrender_keeps")
        return
    yield Cited(clauses=wager.rule.clauses, readings=wager.rule.readings, house_rule=wager.house_rule)
    yield from now.limits(event)
    if event.result == "push":
        yield Cited(readings=wager.rule.tie_readings)
    if event.result == "win" and wager.spins:
        yield from now.wheels(wager.id)
    if wager.spins:
        yield now.after_fold(event.seat)
    if event.result == "win" and wager.unit == "credits":
        yield from pays(now.game.pays[wager.pays or ""], event.line)
        yield now.setting("odds_paid_from") if event.odds else None
    if event.result == "lose" and isinstance(now.step, Compare):
        yield now.step.losers_rule
    if event.wager == "main":
        decided = ("foul_hand_loses", "ez_variation", "commission_per_mille", "copies_go_to")
        yield from (now.setting(name) for name in decided)


def _done_with(now: Moment, event: Any) -> Iterator[Rule]:
    yield now.step
    if isinstance(now.step, Compare):
        yield now.step.losers_rule if event.collects else now.setting("winning_bonus_keeps_cards")


def _spun(now: Moment, event: Any) -> Iterator[Rule]:
    (wheel,) = [wheel for wheel in now.game.wheels if wheel.name == event.wheel]
    yield from (now.step, now.setting("spin_trigger"), wheel, Cited(readings=wheel.slices[event.index].readings))
    yield now.after_fold(event.seat)
    if event.community:
        yield now.setting("spinner_gets")


def _drawn(now: Moment, event: Any) -> Iterator[Rule]:
    drawn = {"magic_card": event.magic_card, "lucky_player": event.lucky_seat, "lucky_dealer": event.lucky_dealer}
    yield now.of_kind(Lock)
    yield from pays(now.game.pays["progressive_bonus"], *(award for award, value in drawn.items() if value))


def _claimed(now: Moment, wager: str, percent: int) -> Rule:
    meter = meter_of(now.game, wager)
    return (meter.paid_rule or meter) if percent else now.setting("odds_paid_from")


def _claim(now: Moment, event: Any) -> Iterator[Rule]:
    yield _claimed(now, event.wager, event.percent)
    if event.percent and event.wager == "progressive_dealer":
        yield now.setting("share_method_dealer")
    elif len(event.winners) > 1:
        yield now.setting("share_method")


def _granted(now: Moment, event: Any) -> Iterator[Rule]:
    (waiting,) = [claim for claim in now.table.claims if claim.claim == event.claim]
    yield _claimed(now, waiting.wager, waiting.percent)
    if event.odd_cents:
        yield now.setting("odd_cents_go_to")


def _award(now: Moment, event: Any) -> Iterator[Rule]:
    yield from now.limits(event)
    if event.of_seat is not None:
        yield now.game.pays[event.award]
    elif event.award.endswith("_community"):
        yield now.setting("community_paid_by")
        yield from now.wheels(event.wager, "community")
        yield now.after_fold(event.seat)
        yield now.only_readings("hot_spot_also_community")
    else:
        yield from pays(now.game.pays["progressive_bonus"], event.award)
        yield now.setting("odds_paid_from")


def _voided(now: Moment, event: Any) -> Iterator[Rule]:
    yield from now.irregularity(event.kind)
    yield from (now.setting("void_returns_wagers"), now.setting("void_keeps_settled"))


def _returned(now: Moment, event: Any) -> Iterator[Rule]:
    kind = now.table.voided
    yield from now.irregularity(kind) if kind else iter((now.setting("idle_spread"),))
    yield now.setting("void_returns_wagers")


def _method(now: Moment, event: Any) -> Iterator[Rule]:
    yield now.game.dealt_by(event.dealing).opening["load"]
    if set(now.table.devices.values()) - {"in_use"}:
        yield from now.irregularity("device_out_of_order")


def _no_rule(now: Moment, event: Any) -> Iterator[Rule]:
    return iter(())


def _of_kind(now: Moment, event: Any) -> Iterator[Rule]:
    return now.irregularity(event.kind)


def _a_step(now: Moment, event: Any) -> Iterator[Rule]:
    return iter((now.step,))


def _a_setting(*names: str) -> Callable[[Moment, Any], Iterator[Rule]]:
    return lambda now, event: (now.setting(name) for name in names)


def _an_irregularity(*kinds: str) -> Callable[[Moment, Any], Iterator[Rule]]:
    return lambda now, event: (rule for kind in kinds for rule in now.irregularity(kind))


EVENTS: Final[Mapping[str, Callable[[Moment, Any], Iterable[Rule]]]] = {
    **dict.fromkeys(
        (
            *("table_opened", "table_closed", "inventory_filled", "inventory_credited", "seat_taken", "seat_left"),
            *("chips_bought", "payment_halted"),
        ),
        _no_rule,
    ),
    "fittings_checked": lambda now, event: _fittings(now, event),
    "deck_prepared": lambda now, event: [
        now.opening(event.act),
        *(_cover(now, event) if event.act == "receive" else ()),
    ],
    "deck_shuffled": lambda now, event: [now.opening("shuffle")],
    "deck_cut": _a_setting("cut_method"),
    "recut_ordered": lambda now, event: [now.opening("cut").recut_rule or now.opening("cut")],
    "shuffle_ordered": lambda now, event: (
        now.irregularity("shuffler_jam") if event.reason == "shuffler_jam" else [now.setting("shuffle_on_floor_order")]
    ),
    "deck_loaded": lambda now, event: [now.opening("load")],
    "deck_spread_idle": _a_setting("idle_spread"),
    "deck_removed": _removed,
    "round_opened": lambda now, event: [now.of_kind(OpenBets)],
    "round_abandoned": lambda now, event: [now.setting("idle_spread") if event.why == "idle" else None],
    "bank_taken": lambda now, event: [now.setting("co_bank_share_per_mille" if event.co_bank else "bank_open_to")],
    "bank_declined": _a_setting("bank_turns"),
    "bank_returned": _a_setting("bank_turns"),
    "bank_covered": _a_setting("bank_covers"),
    "house_wager_settled": _a_setting("dealer_wager_against_bank"),
    "bank_settled": _a_setting("bank_covers", "bank_commission_on"),
    "bank_released": _a_setting("void_returns_wagers"),
    "wagers_placed": lambda now, event: [now.game.wager(wager) for wager in event.wagers],
    "step_entered": lambda now, event: [now.named(event.step)],
    "bets_locked": lambda now, event: [now.of_kind(Lock), now.of_kind(Lock).device_rule if event.also else None],
    "cards_dealt": _dealt,
    "stub_counted": lambda now, event: [now.of_kind(Stub).count_rule or now.of_kind(Stub)],
    "stub_discarded": _stub,
    "bet_placed": lambda now, event: [now.game.wager(event.wager), *now.timed_out(event)],
    "hand_folded": lambda now, event: [
        now.step,
        now.spins(now.table.seat(event.seat).wagers),
        *now.timed_out(event),
    ],
    "choice_made": lambda now, event: [
        *((now.irregularity("axis_disagreement")) if isinstance(now.before, e.FloorRuled) else [now.step]),
        *now.timed_out(event),
    ],
    **dict.fromkeys(
        ("first_hand_chosen", "empty_positions_collected", "hand_set", "hands_exposed", "hand_shown"), _a_step
    ),
    "hand_surrendered": _a_setting("surrender_until"),
    "fold_collected": _collected,
    "community_cards_revealed": lambda now, event: [
        step
        for step in now.game.dealt_by(now.table.dealing).script
        if isinstance(step, Reveal) and set(event.places) <= set(step.cards)
    ],
    "dealer_hands_set": lambda now, event: [now.named("set_dealer")],
    "dealer_hand_made": lambda now, event: [
        step
        for step in now.game.dealt_by(now.table.dealing).script
        if isinstance(step, Reveal) and set(now.game.dealer_places) & set(step.cards)
    ],
    "wager_settled": _settled,
    "coupon_settled": lambda now, event: [
        Cited(clauses=(now.setting("instruments") or Cited()).clauses, house_rule=COUPON)
    ],
    "seat_settled": _done_with,
    "cards_discarded": _a_step,
    "round_closed": _a_step,
    "contribution_made": lambda now, event: [meter for meter in now.book.meters if meter.id == event.meter],
    "contribution_reversed": lambda now, event: [now.setting("void_contributions"), Cited(house_rule=ENTRY_RULE)],
    "wheel_spun": _spun,
    "xtreme_spun": lambda now, event: [now.step, *now.wheels(event.wager)],
    "awards_drawn": _drawn,
    "award_won": lambda now, event: pays(now.game.pays["progressive_bonus"], event.award),
    "award_verified": _a_setting("award_checks"),
    "award_validated": _a_setting("award_checks"),
    "documents_completed": _a_setting("cards_held_for_papers"),
    "award_claimed": _claim,
    "award_granted": _granted,
    "award_paid": _award,
    "irregularity_reported": _of_kind,
    "floor_ruled": _of_kind,
    "round_voided": _voided,
    "face_up_card_discarded": _an_irregularity("face_up_card"),
    "community_card_exposed": _an_irregularity("community_exposed"),
    "card_misnamed": lambda now, event: [Cited(house_rule=MISNAMED)],
    "entry_taken_back": lambda now, event: [Cited(house_rule=ENTRY_RULE)],
    "chips_corrected": lambda now, event: [Cited(house_rule=REVERSAL_RULE)],
    "deck_mixed": lambda now, event: [Cited(house_rule=MIXED)],
    "settlement_reversed": lambda now, event: [
        now.setting("void_keeps_settled"),
        *(rule for kind in ("player_leaves", "conduct_breach") for rule in now.irregularity(kind)),
    ],
    "wagers_returned": _returned,
    "wagers_forfeited": _an_irregularity("player_leaves", "conduct_breach"),
    "device_marked": _an_irregularity("device_out_of_order"),
    "method_changed": _method,
}
"""The data that each event rests on, at the table before it."""


# --- what a refusal rests on ------------------------------------------------------------------------------------------


def _next(*kinds: type) -> Callable[[Moment, Any], Iterable[Rule]]:
    """Return the rule of the next step of these kinds, or of the last."""
    return lambda now, command: [now.step, *(Cited(clauses=clauses_of(now.table, kind)) for kind in kinds)]


def _wager_of(now: Moment, command: Any) -> Iterable[Rule]:
    step = now.step
    return [now.game.wager(step.wager), step] if isinstance(step, Decide) else []


def _missing(now: Moment, command: Any) -> Iterator[Rule]:
    """A wager that needs the missing one is refused by its own rule; otherwise the missing one's counts."""
    placed = [wager for wager in now.game.wagers if wager.id in command.wagers]
    needing = [wager for wager in placed if wager.needs]
    yield from needing or [wager for wager in now.game.wagers if wager.required]


def _act_of(act: str) -> Callable[[Moment, Any], Iterable[Rule]]:
    return lambda now, command: [now.opening(act)]


def _removal(now: Moment, command: Any) -> Iterator[Rule]:
    yield from now.irregularity("shuffler_count_wrong")
    yield from now.irregularity("stub_count_wrong")


def _deck(now: Moment, command: Any) -> list[Rule]:
    return [now.book.deck, now.book.deck.second_rule, now.opening("shuffle")]


def _requirement(path: str) -> Callable[[Moment, Any], Iterable[Rule]]:
    return lambda now, command: [rule for rule in now.book.requirements if path in rule.when]


REFUSALS: Final[Mapping[str, Callable[[Moment, Any], Iterable[Rule]]]] = {
    "bank.cover": _a_setting("bank_covers"),
    "bet": _wager_of,
    "bets.closed": _a_setting("after_lock_refused"),
    "cards": lambda now, command: [now.step],
    "choice.cards": lambda now, command: [now.step],
    "collect": _next(Decide),
    "correct": lambda now, command: [Cited(house_rule=MISNAMED)],
    "back": lambda now, command: [Cited(house_rule=ENTRY_RULE)],
    "seed": lambda now, command: [Cited(house_rule=MIXED)],
    "seeds": lambda now, command: [Cited(house_rule=MIXED)],
    "cut.depth": _a_setting("cut_min_cards"),
    "cut.recut": lambda now, command: [now.opening("cut").recut_rule or now.opening("cut")],
    "cut.stage": _act_of("cut"),
    "deal": _next(Deal),
    "deck.back": _deck,
    "deck.by": lambda now, command: [now.opening(command.act)],
    "deck.cover": _cover,
    "deck.old": _a_setting("deck_change_hours_hand", "deck_change_hours_shoe"),
    "deck.order": lambda now, command: [now.opening(getattr(command, "act", "shuffle"))],
    "deck.remove": _removal,
    "deck.second": _requirement("dealing.decks"),
    "deck.stage": _act_of("shuffle"),
    "deck.unknown": _deck,
    "device": _an_irregularity("device_out_of_order"),
    "discard.papers": _a_setting("cards_held_for_papers"),
    "discard.step": _next(Discard),
    "documents": _a_setting("cards_held_for_papers"),
    "draw": lambda now, command: (
        [*_next(Lock)(now, command), now.game.pays["progressive_bonus"]] if "progressive_bonus" in now.game.pays else []
    ),
    "expose": _next(Compare),
    "fittings": _fittings,
    "fittings.device": lambda now, command: [now.opening("load"), now.opening("shuffle")],
    "fittings.variance": lambda now, command: (
        [now.book.table.fixtures] if now.book.table.fixtures else _fittings(now, command)
    ),
    "fittings.items": lambda now, command: (
        [now.book.table.fixtures] if now.book.table.fixtures else _fittings(now, command)
    ),
    "first_hand.by": _a_setting("first_hand_by"),
    "first_hand.step": _next(FirstHand),
    "idle": _a_setting("idle_spread"),
    "instrument": _a_setting("instruments"),
    "instrument.verbal": _a_setting("verbal_cash_refused"),
    "irregularity.by": _an_irregularity("conduct_breach"),
    "irregularity.meter": _a_setting("void_keeps_settled"),
    "load.hand": _act_of("load"),
    "load.loader": _act_of("load"),
    "load.round": _act_of("load"),
    "load.stage": _act_of("load"),
    "load.turn": lambda now, command: [now.book.deck.second_rule or now.book.deck],
    "lock": _next(Lock),
    "method.device": _an_irregularity("device_out_of_order"),
    "method.hand": _requirement("dealing.method"),
    "reveal": _next(Reveal),
    "ruling": lambda now, command: now.irregularity(now.table.pending.kind if now.table.pending else ""),
    "same_person": lambda now, command: [
        now.opening(command.act) if isinstance(command, c.PrepareDeck) else now.setting("award_checks")
    ],
    "seat.in_round": _a_setting("leaving_mid_round"),
    "seat.second": _a_setting("one_position_per_player"),
    "seat.unknown": lambda now, command: [now.book.table],
    "set.co_bank": _a_setting("co_bank_set_by"),
    "set.done": _next(SetHands),
    "set.foul": _a_setting("foul_hand_loses"),
    "set.step": _next(SetHands),
    "settle": _next(Settle),
    "settle.unvalidated": _a_setting("award_checks"),
    "shuffle.count": _an_irregularity("shuffler_count_wrong"),
    "shuffle.device": _act_of("shuffle"),
    "shuffle.method": _act_of("shuffle"),
    "shuffle.order": _a_setting("shuffle_on_floor_order"),
    "spin": _next(Spin),
    "spin.hot_spot": _a_setting("xtreme_hot_spot_among"),
    "spin.pair": _a_setting("spin_trigger"),
    "spin.stop": lambda now, command: now.book.wheels,
    "stub.due": _a_setting("stub_count_every"),
    "stub.step": _next(Stub),
    "stub.where": _a_setting("misdeal_areas"),
    "stub": lambda now, command: [now.of_kind(Stub).count_rule or now.of_kind(Stub)],
    "surrender": _a_setting("surrender_until"),
    "surrender.barred": _a_setting("surrender_barred_by"),
    "timeout": lambda now, command: now.choice("play.decision_seconds"),
    "turn.option": lambda now, command: [now.step],
    "turn.order": _a_setting("decision_order"),
    "turn.step": _next(Decide),
    "validate": _a_setting("award_checks"),
    "wager.amount": lambda now, command: [now.game.wager(wager) for wager in command.wagers],
    "wager.missing": _missing,
    "wager.unequal": lambda now, command: [wager for wager in now.game.wagers if wager.group],
    "wager.unknown": lambda now, command: [
        rule for wager in command.wagers for rule in now.choice(f"wagers.{wager}.offered")
    ],
}
"""The data that a refusal rests on, by its code or the first part of it."""


# --- played at random -------------------------------------------------------------------------------------------------


def beyond(cites: e.Event | Problem, rules: Iterable[Rule]) -> set[str]:
    """Return what is cited that none of the rules cites."""
    known = [rule for rule in rules if rule is not None]
    allowed = {name for rule in known for name in (*rule.clauses, *rule.readings, rule.house_rule)}
    return {*cites.clauses, *cites.readings, *filter(None, (cites.house_rule,))} - allowed


def overreaching(table: TableState, events: Iterable[e.Event]) -> Iterator[str]:
    before: e.Event | None = None
    for event in events:
        kind = str(event.__struct_config__.tag)
        if more := beyond(event, EVENTS[kind](Moment(table, before), event)):
            yield f"{kind} at {table.step or 'no step'} cites {sorted(more)}"
        table, before = evolve(table, event), event


def refusals(table: TableState, at: int, rng: Random) -> Iterator[tuple[Command, Problem]]:
    """Yield a refused command of every kind, with plausible values; the seat in turn is tried most."""
    common = set(Command.__struct_fields__)
    for act in ACTS:
        fields = [field.name for field in msgspec.structs.fields(act.command) if field.name not in common]
        given: dict[str, Any] = {name: some(act.command, name, rng) for name in fields}
        if "seat" in given and table.turn and rng.random() < 0.7:
            given["seat"] = table.turn[0]
        role = rng.choice(act.roles)
        seat = given.get("seat") or 0
        player = table.seat(seat).player if seat in range(1, 7) else ""
        command = act.command(id="try", who=player or role if role == "player" else role, role=role, at=at, **given)
        answer = run(table, command)
        if isinstance(answer, Refused):
            yield command, answer.problem


def rules_of_refusal(now: Moment, command: Command, problem: Problem) -> Iterable[Rule]:
    family = problem.code.partition(".")[0]
    found = REFUSALS.get(problem.code) or REFUSALS.get(family)
    return found(now, command) if found is not None else ()


def test_every_kind_of_event_has_its_rule() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(e.AnyEvent)}
    assert sorted(kinds - EVENTS.keys()) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(len(ALL_GAMES)))
@pytest.mark.parametrize("physical", [False, True])
def test_events_cite_their_own_rule_and_no_more(number: int, physical: bool) -> None:
    book, choices = ALL_GAMES[number]
    for seed in range(3):
        driver = Driver(compile_game(book, choices), seed, trouble=0.15, physical=physical, seeds=True)
        driver.play(rounds=6)
        found = [wrong for lived in driver.lived for wrong in overreaching(lived.before, lived.events)]
        assert found == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("acts", [50, pytest.param(1_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("number", range(len(ALL_GAMES)))
def test_refusals_cite_the_rule_that_is_broken_and_no_more(number: int, acts: int) -> None:
    book, choices = ALL_GAMES[number]
    driver, rng = Driver(compile_game(book, choices), number, trouble=0.15), Random(number)
    for _ in range(acts):
        driver.act()
        now = Moment(driver.table)
        for command, problem in refusals(driver.table, 1_700_000_000_000, rng):
            more = beyond(problem, rules_of_refusal(now, command, problem))
            assert not more, f"{problem.code} at {driver.table.step or 'no step'} cites {sorted(more)}: {problem}"


# --- one by one -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "wagers", "clauses"),
    [
        pytest.param(
            "nj-pai-gow",
            {"progressive_player": 1_00},
            ("PGP-6", "PGP-14"),
            id="progressive without main",
            marks=pytest.mark.clause("PGP-6", "PGP-14"),
        ),
        pytest.param(
            "ma-criss-cross",
            {"five_card_bonus": 5_00},
            ("MAC-20",),
            id="bonus without antes",
            marks=pytest.mark.clause("MAC-20"),
        ),
        pytest.param(
            "nj-criss-cross",
            {"ante_across": 5_00},
            ("NJC-8", "NJC-25"),
            id="one ante of two",
            marks=pytest.mark.clause("NJC-8", "NJC-25"),
        ),
        pytest.param(
            "nj-double-cross",
            {"three_card": 5_00},
            ("DCP-15",),
            id="three-card wager without ante",
            marks=pytest.mark.clause("DCP-15"),
        ),
    ],
)
def test_a_wager_without_the_one_it_needs_is_refused_by_its_own_rule(
    book: str, wagers: dict[str, int], clauses: tuple[str, ...]
) -> None:
    cards = deck_of(53 if book == "nj-pai-gow" else 52)
    problem = Play(book, cards=cards).open_for_bets(1).refusal(c.PlaceWagers, seat=1, wagers=wagers)
    assert (problem.code, problem.clauses) == ("wager.missing", clauses)


@pytest.mark.parametrize(("bet", "clause"), [("across", "NJC-41"), ("down", "NJC-42"), ("middle", "NJC-43")])
def test_a_folded_hand_cites_the_decision_and_not_the_conduct_of_players_or_the_bonus(bet: str, clause: str) -> None:
    play = Play("nj-criss-cross").open_for_bets(1, 2)
    play.bet(1, 2, bonus=5_00)
    play.advance(until="settle", choose={(1, bet): "fold"})
    assert play.last(e.HandFolded).clauses == play.last(e.FoldCollected).clauses == (clause,)
    assert play.last(e.HandFolded).readings == ()


def test_a_stub_cites_the_count_only_where_it_was_counted() -> None:
    play = Play("nj-criss-cross").open_for_bets(1)
    for _ in range(5):
        play.play_round(1)
    *uncounted, counted = play.all(e.StubDiscarded)
    assert {stub.clauses for stub in uncounted} == {("NJC-12",)}
    assert counted.clauses == ("NJC-12", "NJC-33", "NJC-34")
    play = Play("nj-criss-cross", {"dealing": {"shuffler": "counting"}}).open_for_bets(1)
    play.play_round(1)
    assert play.last(e.StubDiscarded).clauses == ("NJC-12", "NJC-35")


FILLS_A_GAP: Final = (
    *("deck_prepared", "deck_shuffled", "deck_cut", "deck_loaded", "round_opened", "bank_declined", "bank_taken"),
    *("bank_settled", "first_hand_chosen", "cards_dealt", "stub_counted", "stub_discarded", "hand_set"),
)
PRINTED: Final = ("bets_locked", "hands_exposed", "award_verified", "award_validated", "documents_completed")


@pytest.mark.clause("PGP-28")
def test_what_fills_a_gap_of_the_pai_gow_document_is_marked_as_a_house_rule() -> None:
    """Deck, dice, deal, stub, setting, commission and bank are not printed; what is printed claims no house rule."""
    seen = set()
    for seed in range(12):
        driver = Driver(compile_game("nj-pai-gow"), seed, players=4, trouble=0)
        driver.play(3)
        for event in driver.events:
            name = str(event.__struct_config__.tag)
            if name in FILLS_A_GAP:
                assert (event.clauses, bool(event.house_rule)) == ((), True), event
            elif name in PRINTED:
                assert (bool(event.clauses), event.house_rule) == (True, ""), event
            elif isinstance(event, e.WagerSettled) and event.commission:
                assert ("PGP-11" in event.clauses, "commission" in event.house_rule) == (True, True)
                name = "commission"
            seen.add(name)
    assert seen >= {*FILLS_A_GAP, *PRINTED, "commission"}


@pytest.mark.clause("PGP-9", "PGP-10")
def test_a_losing_hand_with_a_winning_imperial_bonus_stays_by_a_reading() -> None:
    """Three of a kind wins the bonus and loses to aces full and a pair in front; the other loser is collected."""
    wagers = {"main": 10_00, "imperial": 5_00}
    played = ScriptRunner().play(
        {
            "rulebook": "nj-pai-gow",
            "cards": {
                "seat1": "8s 8d 8c Jd 6h 4c 2d",
                "seat2": "Qs Jc 9d 7h 5c 3d 2s",
                "dealer": "As Ad Ac Ks Kd Tc Th",
            },
            "seats": [{"seat": seat, "wagers": wagers, "decisions": {"set": "house-way"}} for seat in (1, 2)],
        },
        where="round",
    )
    done = {event.seat: event for event in reversed(played.events) if isinstance(event, e.SeatSettled)}
    assert (done[1].collects, done[1].clauses, done[1].readings) == (False, ("PGP-9", "PGP-10"), ("AMB-31",))
    assert (done[2].collects, done[2].clauses, done[2].readings) == (True, ("PGP-9",), ())
    lost = [event for event in played.events if isinstance(event, e.WagerSettled) and event.result == "lose"]
    assert [(event.seat, event.wager, event.clauses) for event in lost] == [
        (2, "main", ("PGP-11", "PGP-9")),
        (2, "imperial", ("PGP-8", "PGP-9")),
        (1, "main", ("PGP-11", "PGP-9")),
    ]


@pytest.mark.parametrize("book", ["nj-criss-cross", "md-criss-cross"])
def test_devices_are_cited_only_where_a_player_has_a_wager_on_them(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    plain = only(play.do(c.NoMoreBets), e.BetsLocked)
    play.advance(until="shuffle").serve()
    play.do(c.PlaceWagers, seat=1, wagers={"ante_across": 5_00, "ante_down": 5_00, "bonus_spin": 5_00})
    lit = only(play.do(c.NoMoreBets), e.BetsLocked)
    assert (plain.also, plain.house_rule) == ((), "")
    assert lit.also == ("lock_out",)
    assert ("MDC-6" in lit.clauses, bool(lit.house_rule)) == (book == "md-criss-cross", book == "nj-criss-cross")
    assert "MDC-6" not in plain.clauses
