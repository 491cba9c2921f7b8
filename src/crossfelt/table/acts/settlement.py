"""Settlement seat by seat: hands are shown, wagers paid or collected, and the cards picked up."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.cards.card import HIDDEN
from crossfelt.errors import Problem
from crossfelt.games.rules import Rules, rules_of
from crossfelt.games.settlement import Settlement, Spot
from crossfelt.money.ledger import BANK, TRAY
from crossfelt.rulebooks.model import PayoutLimit, Wager
from crossfelt.rulebooks.script import Discard, Settle
from crossfelt.rulebooks.settle_forms import Bonus
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, PlainAct, joined, not_next, out_of_turn, refuse
from crossfelt.table.acts.dealing import named_cards
from crossfelt.table.bank import banked_by, settle_bank
from crossfelt.table.credits import awaiting_validation, pay_credits
from crossfelt.table.flow import enter_next
from crossfelt.table.rack import cards_in, hand_entry, layout_entry, stub_entry
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import spot_of
from crossfelt.table.state import Seat, TableState, step_as, step_of
from crossfelt.table.void_round import owed_by_void


class SettleSeatAct(Act[c.SettleSeat], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = step_of(table)
        waits = table.halted or awaiting_validation(table) is not None
        if isinstance(step, Settle) and table.turn and not waits:
            seat = table.seat(table.turn[0])
            fields = {"cards": len(seat.cards)} if _must_name(table, step, seat) else {}
            yield Option(command=self.name, seat=seat.number, fields=fields, clauses=step.clauses)

    def why_not(self, table: TableState, command: c.SettleSeat) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Settle) or not table.turn:
            return out_of_turn(table, "settle.step", "no wager is due to be settled now", Settle)
        if (problem := not_next(table, "settle.order", command.seat)) is not None:
            return problem
        if table.halted:
            return refuse("settle.halted", "the tray cannot pay", None, "record a fill first")
        if (waiting := awaiting_validation(table)) is not None:
            rule, title = table.rule("award_checks"), table.game.settings["supervisor_title"]
            what = f"a {title} must first validate the award of seat {waiting[0]}"
            return refuse("settle.unvalidated", what, waiting[1], "validate the award", rule.clauses)
        seat = table.seat(command.seat)
        count = len(seat.cards) if _must_name(table, step, seat) else 0
        return named_cards(table, "settle.cards", command.cards, count)

    def perform(self, recorder: EventRecorder, command: c.SettleSeat) -> None:
        step = step_as(recorder.table, Settle)
        rules = rules_of(recorder.table.game)
        number = command.seat
        seat = recorder.table.seat(number)
        spot = spot_of(recorder.table, seat, cards=command.cards)
        shown = _is_shown(recorder.table, step, seat)
        if shown and not seat.shown:
            wagers = [wager for wager in step.wagers if wager in seat.wagers]
            hands = {line: rules.hand(line, spot.cards).name for line in rules.hands_shown(wagers, seat.choices)}
            recorder.emit(e.HandShown, step, seat=seat.number, cards=command.cards or seat.cards, hands=hands)
        if recorder.table.banks(number):
            settle_bank(recorder)
        beside = seat.coupon_cents and recorder.table.game.coupon_wager in step.wagers
        if beside and not _settle_coupon(recorder, rules, spot, seat):
            return
        for wager_id in step.wagers:
            if wager_id in recorder.table.game.jackpot_wagers:
                is_paid = pay_credits(recorder, number, wager_id)
            else:
                not_placed = wager_id not in recorder.table.seat(number).wagers
                is_paid = not_placed or _settle(recorder, rules, spot, number, wager_id)
            if not is_paid:
                return
        if recorder.table.game.envy_wager in step.wagers and not _pay_envy(recorder, number):
            return
        won = any(isinstance(event, e.WagerSettled) and event.result == "win" for event in recorder.events)
        stays = step.winners_stay and won
        recorder.emit(e.SeatSettled, step, seat=number, collects=shown and not stays)
        if not recorder.table.turn:
            enter_next(recorder)


def _is_shown(table: TableState, step: Settle, seat: Seat) -> bool:
    """Say if a hand is turned up: one still in play, or one that was folded and that a wager still needs."""
    if not step.shows_hands or not seat.cards:
        return False
    due = [wager for wager in step.wagers if wager in seat.wagers]
    return seat.status == "in" or (seat.status == "folded" and rules_of(table.game).needs_own_cards(due))


def _must_name(table: TableState, step: Settle, seat: Seat) -> bool:
    """Say if the dealer must name the cards: at a physical table, when they are turned up."""
    return HIDDEN in seat.cards and _is_shown(table, step, seat)


def _settle(recorder: EventRecorder, rules: Rules, spot: Spot, number: int, wager_id: str) -> bool:
    """Settle one wager; return False where the tray cannot pay it."""
    table = recorder.table
    seat, wager = table.seat(number), table.game.wager(wager_id)
    stake = seat.wagers[wager_id]
    settled = rules.settle(wager, stake, spot)
    limited, limit = over_limit(table, seat, wager, settled.paid)
    paid = settled.paid - limited
    bonuses = tuple(rules.bonuses(wager, stake, spot)) if wager.bonus else ()
    due = paid + sum(bonus.paid for _, bonus in bonuses)
    bank = banked_by(table, wager_id)
    # Stakes of folded hands stay in the tray until the round is over: a void round gives them back.
    owed = owed_by_void(table) if due and not bank else 0
    tray = table.balances.get(BANK if bank else TRAY, 0) + stake - settled.returned - owed
    if due > tray:
        recorder.emit(e.PaymentHalted, seat=number, wager=wager_id, short_cents=due - tray)
        return False
    recorder.emit(
        e.WagerSettled,
        joined(settled.under, limit) if limit is not None else settled.under,
        seat=number,
        wager=wager_id,
        stake=stake,
        result=settled.result,
        returned=settled.returned,
        paid=paid,
        hand=settled.hand,
        line=settled.line,
        odds=settled.odds,
        limited=limited,
        commission=settled.commission,
        bank=bank,
    )
    for rule, bonus in bonuses:
        _pay_bonus(recorder, number, wager, rule, bonus)
    return True


def _pay_bonus(recorder: EventRecorder, number: int, wager: Wager, rule: Bonus, settled: Settlement) -> None:
    """Pay what a wager wins beside its own result."""
    limited, limit = over_limit(recorder.table, recorder.table.seat(number), wager, settled.paid)
    recorder.emit(
        e.AwardPaid,
        joined(rule if rule.basis else wager, limit),
        settled,
        seat=number,
        award=rule.pay,
        cents=settled.paid - limited,
        limited=limited,
        wager=wager.id,
    )


def _pay_envy(recorder: EventRecorder, number: int) -> bool:
    """Pay a seat its envy awards after its own wagers; return False where the tray cannot pay."""
    wager = recorder.table.game.envy_wager
    for award in recorder.table.awards:
        if (award.seat, award.wager) != (number, wager):
            continue
        pays = recorder.table.game.pays[award.award]
        tray = recorder.table.balances.get(TRAY, 0)
        if award.cents > tray:
            recorder.emit(e.PaymentHalted, seat=number, wager=wager, short_cents=award.cents - tray)
            return False
        recorder.emit(
            e.AwardPaid,
            pays,
            seat=number,
            award=pays.id,
            cents=award.cents,
            hand=award.hand,
            of_seat=award.of_seat,
            illustrative=pays.illustrative,
        )
    return True


COUPON = "a match play coupon wins what the chips beside it win, and is never cashed"


def _settle_coupon(recorder: EventRecorder, rules: Rules, spot: Spot, seat: Seat) -> bool:
    """Settle the coupon before the chips beside it; return False where the tray cannot pay it."""
    table = recorder.table
    wager = table.game.wager(table.game.coupon_wager or "")
    settled = rules.settle(wager, seat.coupon_cents, spot)
    limited, _ = over_limit(table, seat, wager, settled.paid)
    paid = settled.paid - limited
    tray = table.balances.get(TRAY, 0) - owed_by_void(table)
    if paid > max(tray, 0):
        recorder.emit(e.PaymentHalted, seat=seat.number, wager=wager.id, short_cents=paid - tray)
        return False
    rule = table.rule("instruments")
    recorder.emit(
        e.CouponSettled,
        seat=seat.number,
        wager=wager.id,
        face_cents=seat.coupon_cents,
        result=settled.result,
        paid=paid,
        limited=limited,
        clauses=rule.clauses,
        house_rule=COUPON,
    )
    return True


def over_limit(table: TableState, seat: Seat, wager: Wager, paid: int) -> tuple[int, PayoutLimit | None]:
    """Return the cents of a payment above the payout limit, and the limit. Wagers are cut last-paid first."""
    if not paid:
        return 0, None
    for limit in table.game.book.payout_limits:
        if wager.id not in table.game.covered_by(limit):
            continue
        stated = "payout_limit.amount_cents" in table.game.choices  # otherwise the printed amount is the lowest
        if seat.won_cents + paid <= limit.amount_cents and not stated:
            continue
        most = table.game.limit_cents(limit)
        if most is not None and seat.won_cents + paid > most:
            return min(paid, seat.won_cents + paid - most), limit
    return 0, None


class DiscardCardsAct(PlainAct[c.DiscardCards], roles=("dealer",)):
    def problem(self, table: TableState) -> Problem | None:
        if not isinstance(step_of(table), Discard):
            return out_of_turn(table, "discard.step", "the cards are still in play", Discard)
        if table.papers:
            rule = table.rule("cards_held_for_papers")
            what = "the cards stay until the documents of the award are complete"
            held = ", ".join(f"seat {seat}" for seat in table.papers)
            return refuse("discard.papers", what, held, "complete the documents", rule.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.DiscardCards) -> None:
        table = recorder.table
        step = step_of(table)
        outcome = "void" if table.voided else "settled"
        recorder.emit(e.CardsDiscarded, step, pile=_whole_pile(table))
        recorder.emit(e.RoundClosed, step, round=table.round, outcome=outcome)
        enter_next(recorder)


def _whole_pile(table: TableState) -> tuple[str, ...]:
    """Return the rack with the table's remaining cards on top: hands from the right, the layout, the stub."""
    pile = list(table.pile)
    pile += [hand_entry(f"seat{seat.number}", seat.cards) for seat in table.seats[::-1] if seat.cards]
    if table.community:
        pile.append(layout_entry(table.community))
    if not table.stub_gone:
        pile.append(stub_entry(table.game.book.deck.cards - len(list(cards_in(pile)))))
    return tuple(pile)
