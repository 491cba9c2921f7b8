"""Wagers before the cards, and the announcement that closes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crossfelt.errors import Problem
from crossfelt.money.ledger import chips_of
from crossfelt.progressive.wheels import stakes
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Lock, OpenBets
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, Range, joined, one_of, refuse, together
from crossfelt.table.acts.player_seeds import hash_problem
from crossfelt.table.acts.seats import seats_of
from crossfelt.table.bank import cover_bank, most_covered
from crossfelt.table.credits import draw_due
from crossfelt.table.decks import shoe_problem, too_old, use_ends
from crossfelt.table.flow import enter_next
from crossfelt.table.meter_claims import contribute
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, first_step, step_of


def stake_range(table: TableState, wager: Wager, seat: int | None = None) -> Range:
    """Return the stakes of a wager in cents: the posted limits, or the stakes of its wheels.

    For a seat, the player's bank limits them further. Credits are staked at their price.
    """
    if wager.spins:
        return one_of(stakes(table.game, wager.id))
    if wager.stake.cents:
        return one_of(wager.stake.cents)
    assert wager.stake.posted is not None
    limits = table.game.limits(wager.stake.posted)
    if wager.unit == "credits":
        credit = table.game.credit_cents(wager)
        return Range(limits.min * credit, limits.max * credit, limits.step * credit)
    if seat is None or table.bank is None or wager.id != table.game.banked_wager:
        return Range(limits.min, limits.max, limits.step)
    most = min(limits.max, most_covered(table, seat))
    return Range(limits.min, most - (most - limits.min) % limits.step, limits.step)


def wagering(table: TableState, seat: int) -> Option | None:
    """Return a seat's option to place wagers; None where it banks, or the bank does not cover them."""
    ranges = {wager.id: stake_range(table, wager, seat) for wager in table.game.opening_wagers.values()}
    optional = tuple(wager.id for wager in table.game.opening_wagers.values() if not wager.required)
    covered = all(amounts.min <= amounts.max for wager, amounts in ranges.items() if wager not in optional)
    if table.banks(seat) or not covered:
        return None
    return Option(
        command="place_wagers",
        seat=seat,
        ranges=ranges,
        optional=optional,
        equal=_groups(table),
        most_in_all=purse(table, seat),
        choices={"instrument": table.game.listed("instruments")},
    )


class PlaceWagersAct(Act[c.PlaceWagers], roles=("player",), steps=(OpenBets,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in seats_of(table, who):
            if seat.wagers:
                yield Option(command=self.name, seat=seat.number, fields={"wagers": {}})
            option = wagering(table, seat.number)
            if option is not None and self._least(table, option) <= purse(table, seat.number):
                yield option

    @staticmethod
    def _least(table: TableState, option: Option) -> int:
        """Return the least that a seat can stake: the required wagers, or the smallest that stands alone."""
        required = [amounts.min for wager, amounts in option.ranges.items() if wager not in option.optional]
        alone = (amounts.min for wager, amounts in option.ranges.items() if not table.game.wager(wager).needs)
        return sum(required) or min(alone, default=0)

    def why_not(self, table: TableState, command: c.PlaceWagers) -> Problem | None:
        return (
            _closed(table, command)
            or _banking(table, command.seat)
            or _instrument(table, command.instrument)
            or hash_problem(table, command.seed_hash)
            or _unknown(table, command.wagers)
            or _amounts(table, command.seat, command.wagers)
            or _together(table, command.seat, command.wagers)
            or _balance(table, command)
        )

    def perform(self, recorder: EventRecorder, command: c.PlaceWagers) -> None:
        table = recorder.table
        rules = [wager for wager in table.game.opening_wagers.values() if wager.id in command.wagers]
        coupon = table.game.coupon_wager if command.instrument == "match_play" else None
        recorder.emit(
            e.WagersPlaced,
            None,
            command,
            wagers=dict(command.wagers),
            coupon_cents=command.wagers.get(coupon, 0) if coupon else 0,
            clauses=together(*(wager.clauses for wager in rules)),
            readings=together(*(wager.readings for wager in rules)),
        )


def _groups(table: TableState) -> tuple[tuple[str, ...], ...]:
    groups: dict[str, list[str]] = {}
    for wager in table.game.opening_wagers.values():
        if wager.group:
            groups.setdefault(wager.group, []).append(wager.id)
    return tuple(tuple(wagers) for wagers in groups.values())


def purse(table: TableState, seat: int) -> int:
    """Return the chips that a seat can stake: those in front of it, and those on the layout."""
    return table.balances.get(chips_of(seat), 0) + sum(table.seat(seat).wagers.values())


def _closed(table: TableState, command: c.PlaceWagers) -> Problem | None:
    if isinstance(step_of(table), OpenBets):
        return None
    rule = table.rule("after_lock_refused")
    act = _what_it_would_do(table, command)
    silent = act not in table.game.listed("after_lock_refused")
    what = f"it is too late to {act} a wager"
    note = " (the document forbids new wagers; the house refuses other changes too)" if silent else ""
    wagers = ", ".join(f"{wager} {cents:,}" for wager, cents in command.wagers.items()) or "none"
    cited = Cited(house_rule=rule.house_rule) if silent else Cited(clauses=rule.clauses, readings=rule.readings)
    return refuse("bets.closed", what + note, wagers, "in the next round", cited)


def _banking(table: TableState, seat: int) -> Problem | None:
    if not table.banks(seat):
        return None
    return refuse("bank.wagers", "the bank cannot place wagers", seat, "decline the bank first", where="seat")


def _what_it_would_do(table: TableState, command: c.PlaceWagers) -> str:
    before = table.seat(command.seat).placed
    if not before:
        return "make"
    more = any(cents > before.get(wager, 0) for wager, cents in command.wagers.items())
    return "increase" if more else "withdraw"


def _instrument(table: TableState, instrument: str) -> Problem | None:
    accepted = table.game.listed("instruments")
    if instrument in accepted:
        return None
    allowed = ", ".join(accepted)
    if instrument == "verbal_cash":
        verbal = table.rule("verbal_cash_refused")
        return refuse("instrument.verbal", "a spoken wager with cash is not accepted", instrument, allowed, verbal)
    what, clauses = "the table does not accept this instrument", table.rule("instruments").clauses
    return refuse("instrument", what, instrument, allowed, clauses, where="instrument")


def _unknown(table: TableState, wagers: Mapping[str, int]) -> Problem | None:
    known = table.game.opening_wagers
    for wager in wagers:
        if wager not in known:
            path = f"wagers.{wager}.offered"
            rule = next((choice for choice in table.game.book.choices if choice.path == path), Cited())
            return refuse("wager.unknown", "no such wager at this table", wager, ", ".join(sorted(known)), rule)
    return None


def _amounts(table: TableState, seat: int, wagers: Mapping[str, int]) -> Problem | None:
    for wager in table.game.opening_wagers.values():
        cents = wagers.get(wager.id)
        if cents is None:
            continue
        amounts = stake_range(table, wager)
        covered = stake_range(table, wager, seat)
        if cents in amounts and cents not in covered:
            rule = table.rule("bank_covers")
            allowed = f"at most {max(0, covered.max):,} cents" if covered.max >= covered.min else "no wager"
            what = "the bank does not cover this wager"
            return refuse("bank.cover", what, cents, allowed, rule.clauses, where=wager.id)
        if cents not in amounts:
            value, allowed = _in_words(table, wager, cents, amounts)
            what, readings = "this stake is not allowed", _stake_readings(table, wager)
            return refuse("wager.amount", what, value, allowed, wager.clauses, where=wager.id, readings=readings)
    return None


def _stake_readings(table: TableState, wager: Wager) -> tuple[str, ...]:
    """Return the reading by which the pay table sets the stake, against the amount that the document names (AMB-12)."""
    if wager.stake.by_paytable and table.game.settings.get("spin_stake_by_paytable"):
        return table.rule("spin_stake_by_paytable").readings
    return ()


def _in_words(table: TableState, wager: Wager, cents: int, amounts: Range) -> tuple[int, str]:
    """Return a stake and the allowed stakes, in the wager's own unit where that divides the stake."""
    credit = table.game.credit_cents(wager)
    if credit > 1 and cents % credit == 0:
        return cents // credit, f"{amounts.min // credit:,} to {amounts.max // credit:,} credits of {credit:,} cents"
    return cents, amounts.in_cents()


def _together(table: TableState, seat: int, wagers: Mapping[str, int]) -> Problem | None:
    """Refuse a missing required wager, unequal wagers of a group, or a withdrawal without a wager."""
    if not wagers:
        lies = table.seat(seat).wagers
        return None if lies else refuse("wager.none", "there is no wager to take back", where="wagers")
    groups: dict[str, set[int]] = {}
    for wager in table.game.opening_wagers.values():
        if wager.required and wager.id not in wagers:
            rule = table.game.asking_for(wager, wagers)
            return refuse("wager.missing", "a required wager is missing", wager.id, "place it with the others", rule)
        if wager.group and wager.id in wagers:
            amounts = groups.setdefault(wager.group, set())
            amounts.add(wagers[wager.id])
            if len(amounts) > 1:
                shown = ", ".join(f"{cents:,}" for cents in sorted(amounts))
                return refuse("wager.unequal", f"each {wager.group} must be equal", shown, "equal amounts", wager)
    return None


def _balance(table: TableState, command: c.PlaceWagers) -> Problem | None:
    total, held = sum(command.wagers.values()), purse(table, command.seat)
    if total <= held:
        return None
    return refuse("wager.balance", "the wagers exceed the player's chips", total, f"{held:,} cents", where="wagers")


class NoMoreBetsAct(Act[c.NoMoreBets], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if self._problem(table) is None:
            yield Option(command=self.name, clauses=first_step(table, Lock).clauses, before=use_ends(table, table.deck))

    def why_not(self, table: TableState, command: c.NoMoreBets) -> Problem | None:
        return self._problem(table) or too_old(table, table.deck, command.at)

    def _problem(self, table: TableState) -> Problem | None:
        clauses = first_step(table, Lock).clauses
        if not isinstance(step_of(table), OpenBets):
            return refuse("lock.step", "bets are not open", table.step, "", clauses)
        dealer_plays = table.bank is not None and table.bank.house_wager
        if not dealer_plays and not any(seat.wagers for seat in table.seats):
            return refuse("lock.empty", "no player has placed a wager", clauses=clauses)
        if table.deck.stage != "in_play":
            return refuse("lock.deck", "the deck is not ready", table.deck.stage, "", clauses)
        return shoe_problem(table)

    @staticmethod
    def _devices(table: TableState, lock: Lock) -> tuple[str, ...]:
        """Name the devices to lock or start: those on which a player has a wager."""
        if not lock.also:
            return ()
        placed = [table.game.wager(wager) for seat in table.seats for wager in seat.wagers]
        used = {
            "lock_out": any(wager.spins for wager in placed),
            "start_button": any(wager.unit == "credits" for wager in placed),
        }
        return tuple(device for device in lock.also if used[device])

    def perform(self, recorder: EventRecorder, command: c.NoMoreBets) -> None:
        lock = first_step(recorder.table, Lock)
        seats = tuple(seat.number for seat in recorder.table.seats if recorder.table.plays(seat))
        recorder.emit(e.StepEntered, lock, step=lock.id)
        also = self._devices(recorder.table, lock)
        rule = joined(lock, lock.device_rule if also else None)
        recorder.emit(e.BetsLocked, rule, announcement=lock.announces, seats=seats, also=also)
        cover_bank(recorder)
        contribute(recorder)
        if not draw_due(recorder.table):
            enter_next(recorder)
