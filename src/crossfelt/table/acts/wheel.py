"""Wheels at the end of the round: the spin, the meter's answer, and the payment of its result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crossfelt.errors import Problem
from crossfelt.games.rules import rules_of
from crossfelt.money.ledger import TRAY
from crossfelt.progressive.meter import MICROS, posted
from crossfelt.progressive.wheels import community_cents, prize_of, wheel_for
from crossfelt.rulebooks import script as s
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import PayoutLimit, Wheel
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, Range, joined, not_next, one_of, out_of_turn, refuse, step_clauses
from crossfelt.table.acts.dealing import named_cards
from crossfelt.table.acts.settlement import over_limit
from crossfelt.table.flow import enter_next
from crossfelt.table.meter_claims import award_rule, claim
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import spot_of
from crossfelt.table.state import Seat, Spin, TableState, step_as, step_of
from crossfelt.table.wheel import after_fold, bettors, lose, spun_for_all, unseen, wager_of


def wheel_due(table: TableState) -> Wheel | None:
    """Return the wheel to spin now for the next seat; None if none is due."""
    wager = _spinning(table)
    if wager is None or spun_for_all(table.game, wager):
        return None
    return wheel_for(table.game, wager, table.seat(table.turn[0]).placed[wager])


def _spinning(table: TableState) -> str | None:
    """Return the wager for which wheels are to spin now; None while none are, or one has stopped."""
    step = step_of(table)
    waits = isinstance(step, s.Spin) and table.turn and table.spin is None
    return wager_of(step, table.game) if waits and isinstance(step, s.Spin) else None


class SpinWheelAct(Act[c.SpinWheel], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        wheel = wheel_due(table)
        if wheel is not None:
            seat = table.seat(table.turn[0])
            fields = {"cards": len(seat.dealt)} if unseen(seat) else {}
            stops = {"stop": Range(0, len(wheel.slices) - 1)}
            yield Option(command=self.name, seat=seat.number, fields=fields, ranges=stops, clauses=step_clauses(table))

    def why_not(self, table: TableState, command: c.SpinWheel) -> Problem | None:
        wheel = wheel_due(table)
        if wheel is None:
            return out_of_turn(table, "spin.step", "no wheel is due to be spun now", s.Spin)
        if (problem := not_next(table, "spin.order", command.seat)) is not None:
            return problem
        if not 0 <= command.stop < len(wheel.slices):
            allowed = f"0 to {len(wheel.slices) - 1}"
            return refuse("spin.stop", "no such slice", command.stop, allowed, wheel.clauses, where="stop")
        seat, wager = table.seat(command.seat), table.game.wager(wheel.wager)
        problem = named_cards(table, "spin.cards", command.cards, len(seat.dealt) if unseen(seat) else 0)
        spot = spot_of(table, seat, cards=command.cards or seat.dealt)
        if problem is None and not rules_of(table.game).spins(wager, spot):
            what = "these cards do not spin the wheel"
            return refuse("spin.trigger", what, str(command.cards), "pass the spin", wager.rule.clauses, where="cards")
        return problem

    def perform(self, recorder: EventRecorder, command: c.SpinWheel) -> None:
        table, step, wheel = recorder.table, step_of(recorder.table), wheel_due(recorder.table)
        assert wheel is not None
        prize = prize_of(table.game, wheel, command.stop)
        settings, slice_ = table.game.book.settings, wheel.slices[command.stop]
        shared = settings["spinner_gets"] if slice_.community else None
        fold = after_fold(table, command.seat)
        recorder.emit(
            e.WheelSpun,
            joined(step, settings.get("spin_trigger"), wheel, Cited(readings=slice_.readings), shared, fold),
            seat=command.seat,
            wager=wheel.wager,
            wheel=wheel.name,
            cards=command.cards or table.seat(command.seat).dealt,
            index=command.stop,
            place=wheel.places[command.stop],
            prize_cents=prize.cents,
            meter=prize.meter,
            community=slice_.community,
        )
        if prize.meter:
            _claim_meter(recorder, wheel.wager, command.seat)


class PassSpinAct(Act[c.PassSpin], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if wheel_due(table) is not None and unseen(table.seat(table.turn[0])):
            yield Option(command=self.name, seat=table.turn[0])

    def why_not(self, table: TableState, command: c.PassSpin) -> Problem | None:
        if wheel_due(table) is None:
            return out_of_turn(table, "spin.step", "no wheel is due to be spun now", s.Spin)
        if (problem := not_next(table, "spin.order", command.seat)) is not None:
            return problem
        if not unseen(table.seat(command.seat)):
            return refuse("spin.seen", "the hand is known", command.seat, "spin the wheel")
        return None

    def perform(self, recorder: EventRecorder, command: c.PassSpin) -> None:
        wheel = wheel_due(recorder.table)
        assert wheel is not None
        lose(recorder, command.seat, wheel.wager)
        _done(recorder, command.seat)


class SpinXtremeAct(Act[c.SpinXtreme], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        rings = xtreme_due(table)
        if rings is not None:
            ranges = {
                "community": Range(0, len(rings.community.slices) - 1),
                "hot_spot": one_of(hot_spots(table)),
                "prize": Range(0, len(rings.hot_spot.slices) - 1),
            }
            yield Option(command=self.name, ranges=ranges, clauses=step_clauses(table))

    def why_not(self, table: TableState, command: c.SpinXtreme) -> Problem | None:
        rings = xtreme_due(table)
        if rings is None:
            return out_of_turn(table, "spin.step", "no wheels are due to be spun now", s.Spin)
        stops = (("community", command.community, rings.community), ("prize", command.prize, rings.hot_spot))
        for name, stop, wheel in stops:
            if not 0 <= stop < len(wheel.slices):
                allowed = f"0 to {len(wheel.slices) - 1}"
                return refuse("spin.stop", "no such slice", stop, allowed, wheel.clauses, where=name)
        if command.hot_spot not in hot_spots(table):
            rule = table.rule("xtreme_hot_spot_among")
            allowed = ", ".join(map(str, hot_spots(table)))
            what = "the hot spot cannot fall on this seat"
            return refuse("spin.hot_spot", what, command.hot_spot, allowed, rule.clauses, where="hot_spot")
        return None

    def perform(self, recorder: EventRecorder, command: c.SpinXtreme) -> None:
        table, step, rings = recorder.table, step_of(recorder.table), xtreme_due(recorder.table)
        assert rings is not None
        wager = rings.hot_spot.wager
        owner = table.seat(command.hot_spot)
        meter = ""
        if wager in owner.lights:
            own = wheel_for(table.game, wager, owner.placed[wager], "hot_spot")
            meter = prize_of(table.game, own, command.prize).meter
        recorder.emit(e.XtremeSpun, joined(step, rings.hot_spot, rings.community), command, wager=wager, meter=meter)
        if meter:
            _claim_meter(recorder, wager, command.hot_spot)


class Rings(NamedTuple):
    """The wheels that are spun together. Those of other stakes have the same slices in the same order."""

    hot_spot: Wheel
    community: Wheel


def xtreme_due(table: TableState) -> Rings | None:
    """Return the wheels to spin now for all bettors together; None where none are due."""
    wager = _spinning(table)
    if wager is None or not spun_for_all(table.game, wager):
        return None
    stake = table.seat(table.turn[0]).placed[wager]
    return Rings(wheel_for(table.game, wager, stake, "hot_spot"), wheel_for(table.game, wager, stake, "community"))


def hot_spots(table: TableState) -> tuple[int, ...]:
    """Return the seats that the hot spot may fall on, from seat 1."""
    if table.game.settings["xtreme_hot_spot_among"] == "all_seats":
        return tuple(seat.number for seat in table.seats)
    return tuple(sorted(table.turn))


def _claim_meter(recorder: EventRecorder, wager_id: str, number: int) -> None:
    """Claim the whole meter, or the rest under a payout limit that covers it."""
    table = recorder.table
    most = None
    if table.game.settings.get("limit_covers_progressive"):
        limit = table.game.limit_on(wager_id)
        most = None if limit is None else max(0, limit - table.seat(number).won_cents)
    claim(recorder, wager_id, ((number, 1),), percent=100, at_most_cents=most)


# --- the meter's answer -----------------------------------------------------------------------------------------------


class GrantAwardAct(Act[c.GrantAward], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for waiting in table.claims[:1]:
            yield Option(command=self.name, fields={"claim": waiting.claim})

    def why_not(self, table: TableState, command: c.GrantAward) -> Problem | None:
        waiting = next((waiting for waiting in table.claims[:1] if waiting.claim == command.claim), None)
        if waiting is None:
            allowed = f"{table.claims[0].claim}" if table.claims else "none"
            return refuse("award.claim", "no such claim is open", command.claim, allowed, where="claim")
        winners = [seat for seat, _ in waiting.winners]
        if [seat for seat, _ in command.shares] != winners or any(cents < 0 for _, cents in command.shares):
            allowed = f"seats {', '.join(map(str, winners))}"
            what = "the shares do not match the winners"
            return refuse("award.shares", what, str(command.shares), allowed, where="shares")
        return self._unreconciled(waiting, command)

    @staticmethod
    def _unreconciled(waiting: e.AwardClaimed, command: c.GrantAward) -> Problem | None:
        """Refuse a meter's answer that does not add up, or that is not what was claimed."""
        paid = sum(cents for _, cents in command.shares)
        if command.before_micros - paid * MICROS + command.seeded_micros != command.after_micros:
            return refuse("award.sum", "the meter's amounts do not add up", command.after_micros, where="after_micros")
        most = waiting.cents or command.before_micros * waiting.percent // (100 * MICROS)
        if waiting.at_most_cents is not None:
            most = min(most, waiting.at_most_cents)
        if paid > most:
            what, allowed = "the meter pays more than the table claimed", f"at most {most:,} cents"
            return refuse("award.more", what, paid, allowed, where="shares")
        rest = most - paid if waiting.cents else 0
        if command.from_inventory != rest:
            what, value = "the inventory's part is not the rest of the claim", command.from_inventory
            return refuse("award.rest", what, value, f"{rest:,} cents", where="from_inventory")
        return None

    def perform(self, recorder: EventRecorder, command: c.GrantAward) -> None:
        waiting = recorder.table.claims[0]
        cents, _ = posted(recorder.table.residues.get(waiting.meter, 0), command.seeded_micros)
        rule = award_rule(recorder.table.game, waiting.wager, waiting.percent)
        odd_cents_rule = recorder.table.game.book.settings.get("odd_cents_go_to") if command.odd_cents else None
        cited, claimed = joined(rule, odd_cents_rule), {"meter": waiting.meter, "wager": waiting.wager}
        recorder.emit(e.AwardGranted, cited, command, cents=cents, award=waiting.award, **claimed)


# --- paying -----------------------------------------------------------------------------------------------------------


class SpinPayment(NamedTuple):
    """A payment to one seat after a spin."""

    seat: int
    paid: int
    source: str = ""
    community: bool = False
    """Community pay; otherwise the prize of the seat's own wager."""
    limited: int = 0
    limit: PayoutLimit | None = None
    wheel: Wheel | None = None


class PaySpinAct(Act[c.PaySpin], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, s.Spin) and table.spin is not None and table.turn and not table.halted:
            yield Option(command=self.name, seat=table.turn[0], clauses=step.clauses)

    def why_not(self, table: TableState, command: c.PaySpin) -> Problem | None:
        if not isinstance(step_of(table), s.Spin) or table.spin is None:
            return out_of_turn(table, "spin.pay", "no wheel has stopped", s.Spin)
        if (problem := not_next(table, "spin.order", command.seat)) is not None:
            return problem
        if table.halted:
            return refuse("settle.halted", "the tray cannot pay", None, "record a fill first")
        return None

    def perform(self, recorder: EventRecorder, command: c.PaySpin) -> None:
        """Pay everything of the spin at once, or nothing until the tray is filled."""
        table, spin = recorder.table, recorder.table.spin
        assert spin is not None
        seat = table.seat(command.seat)
        dues = list(_dues(table, spin, seat))
        stake = seat.wagers[spin.wager]
        back = stake if table.game.settings["spin_stake_returned"] else 0
        from_tray = sum(due.paid for due in dues if not due.source)
        held = table.balances.get(TRAY, 0) + stake - back
        if from_tray > held:
            recorder.emit(e.PaymentHalted, seat=command.seat, wager=spin.wager, short_cents=from_tray - held)
            return
        own = next((due for due in dues if not due.community), None)
        if own is None:
            lose(recorder, command.seat, spin.wager)
        else:
            _settle_own(recorder, spin, own, stake, back)
        for due in dues:
            if due.community:
                _pay_community(recorder, spin, due)
        _done(recorder, command.seat)


def _dues(table: TableState, spin: Spin, seat: Seat) -> Iterator[SpinPayment]:
    """Yield the payments of a spin in the turn of a seat, the seat's own prize first."""
    game, wager = table.game, spin.wager
    if spin.community is None:
        wheel = wheel_for(game, wager, seat.placed[wager])
        yield _own_due(table, seat, wheel, spin.index)
        order = wheel.slices[spin.index].community
        for other in bettors(table, wager, step_as(table, s.Spin).order):
            if order and other.number != seat.number:
                paid = community_cents(game, wager, other.placed[wager], order)
                yield _limited(table, other, wager, SpinPayment(other.number, paid, community=True))
        return
    hot = seat.number == spin.seat
    if hot:
        yield _own_due(table, seat, wheel_for(game, wager, seat.placed[wager], "hot_spot"), spin.index)
    if not hot or game.settings["hot_spot_also_community"]:
        wheel = wheel_for(game, wager, seat.placed[wager], "community")
        paid = wheel.slices[spin.community].pays_cents or 0
        yield _limited(table, seat, wager, SpinPayment(seat.number, paid, community=True, wheel=wheel))


def _own_due(table: TableState, seat: Seat, wheel: Wheel, index: int) -> SpinPayment:
    prize = prize_of(table.game, wheel, index)
    if prize.meter:
        return SpinPayment(seat.number, table.granted[wheel.wager][seat.number], source="meter", wheel=wheel)
    return _limited(table, seat, wheel.wager, SpinPayment(seat.number, prize.cents, wheel=wheel))


def _limited(table: TableState, seat: Seat, wager: str, due: SpinPayment) -> SpinPayment:
    """Return a payment cut at the payout limit, where one covers the wager."""
    limited, limit = over_limit(table, seat, table.game.wager(wager), due.paid)
    return due._replace(paid=due.paid - limited, limited=limited, limit=limit)


def _settle_own(recorder: EventRecorder, spin: Spin, due: SpinPayment, stake: int, back: int) -> None:
    table, name = recorder.table, ""
    wager, seat = table.game.wager(spin.wager), table.seat(due.seat)
    if spin.community is None:
        name = rules_of(table.game).named(wager, spot_of(table, seat, cards=seat.dealt))
    recorder.emit(
        e.WagerSettled,
        joined(wager.rule, due.wheel, after_fold(table, due.seat), due.limit),
        seat=due.seat,
        wager=wager.id,
        stake=stake,
        result="win",
        returned=back,
        paid=due.paid,
        hand=name,
        limited=due.limited,
        source=due.source,
    )


def _pay_community(recorder: EventRecorder, spin: Spin, due: SpinPayment) -> None:
    settings = recorder.table.game.book.settings
    also = settings["hot_spot_also_community"] if due.wheel and due.seat == spin.seat else Cited()
    rule, fold = due.wheel or settings["community_paid_by"], after_fold(recorder.table, due.seat)
    recorder.emit(
        e.AwardPaid,
        joined(rule, Cited(readings=also.readings), fold, due.limit),
        seat=due.seat,
        award=f"{spin.wager}_community",
        cents=due.paid,
        limited=due.limited,
        wager=spin.wager,
    )


def _done(recorder: EventRecorder, seat: int) -> None:
    recorder.emit(e.SeatSettled, step_of(recorder.table), seat=seat)
    if not recorder.table.turn:
        enter_next(recorder)
