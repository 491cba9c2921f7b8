"""Irregularities at a table: reports, rulings of the floor, devices out of order and changes of method."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from crossfelt.cards.card import HIDDEN
from crossfelt.errors import Problem
from crossfelt.rulebooks import script as s
from crossfelt.rulebooks.model import Irregularity
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, joined, named_where, refuse, report, table_not_open, where_in_words
from crossfelt.table.acts.dealing import coming_cards, deliveries, place_in_deal
from crossfelt.table.acts.decisions import fold_hand, move_on
from crossfelt.table.acts.set_hands import set_by_house
from crossfelt.table.decks import between_rounds
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import Seat, TableState, step_as, step_of
from crossfelt.table.void_round import take_back_payments, void_round

DURING_DEAL = ("face_up_card", "card_in_error")
CARDS_LIE = (s.Stub, s.Decide, s.Reveal, s.SetHands, s.Compare, s.Settle)
"""The steps from the deal to the last payment: hands and community cards lie on the layout."""
OF_A_PLAYER = ("player_leaves", "conduct_breach")
OF_A_DEVICE = {"shuffler_jam": ("shuffler",), "shoe_jam": ("shoe",), "device_out_of_order": ("shuffler", "shoe")}
"""The devices that each kind of report concerns."""
BY_OTHER_COMMANDS = ("stub_count_wrong", "shuffler_count_wrong", "no_answer")
"""Irregularities that the count of the stub, the shuffler or the clock finds, with commands of their own."""
OUT_OF_USE = ("covered", "signed", "removed")


def reportable_cases(table: TableState) -> Iterator[tuple[str, str]]:
    """Yield the irregularities that can be reported now, with their cases."""
    for kind, cases in sorted(table.game.book.irregularities.items()):
        for case in sorted(cases):
            elsewhere = kind in BY_OTHER_COMMANDS or (kind, case) == ("face_up_card", "several")
            if not elsewhere and when_problem(table, kind) is None:
                yield kind, case


def when_problem(table: TableState, kind: str) -> Problem | None:
    """Refuse a report that is impossible at this point of a round."""
    step = step_of(table)
    if (problem := table_not_open(table)) is not None:
        return problem
    if kind in DURING_DEAL:
        right = isinstance(step, s.Deal) and table.deck.stage == "in_play"
    elif kind == "wrong_card_count":
        if table.meter_paid:  # a void round would leave the meter's award without a winner (AMB-8c)
            rule = table.rule("void_keeps_settled")
            what, allowed = "a meter has paid an award of this round, which can no longer be void", "finish the round"
            return refuse("irregularity.meter", what, table.step, allowed, rule.clauses, readings=rule.readings)
        right = bool(table.community) and isinstance(step, CARDS_LIE)
    elif kind == "community_exposed":
        right = isinstance(step, CARDS_LIE) and not table.revealed.issuperset(table.community)
    elif kind == "axis_disagreement":
        # The choice can be cleared up until the deciding cards are face up.
        place, naming, _ = _naming(table)
        steps = (naming.id, table.game.book.script[place + 1].id)
        right = table.step in steps and any(_named_hand(table, seat) for seat in table.seats)
    elif kind in OF_A_PLAYER:
        # A breach that costs settled wagers too may be found until the cards are discarded (AMB-15c).
        later = (s.Spin, s.Discard) if _forfeits_all(table, kind) else ()
        right = isinstance(step, (s.Deal, *CARDS_LIE, *later))
    elif all(table.devices.get(device) != "in_use" for device in OF_A_DEVICE[kind]):
        return refuse("irregularity.when", f"no {' or '.join(OF_A_DEVICE[kind])} is in use", kind, where="kind")
    elif kind == "shuffler_jam":
        right = step is None or isinstance(step, s.Shuffle) or len(table.decks) > 1
    elif kind == "shoe_jam":
        right = isinstance(step, s.Deal) and table.deck.stage == "in_play"
    else:
        right = between_rounds(table)
    if right:
        return None
    when = f"in the step “{table.step.replace('_', ' ')}”" if table.step else "between rounds"
    return refuse("irregularity.when", f"“{kind.replace('_', ' ')}” cannot be reported {when}", kind, where="kind")


class ReportIrregularityAct(Act[c.ReportIrregularity], roles=("dealer", "floor")):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for kind, case in reportable_cases(table):
            outcome = table.game.book.irregularities[kind][case]
            if kind == "conduct_breach" and role != "floor":
                continue
            for place in self._where(table, kind, case):
                yield Option(command=self.name, fields={"kind": kind, "case": case, **place}, clauses=outcome.clauses)

    @staticmethod
    def _where(table: TableState, kind: str, case: str) -> list[dict[str, object]]:
        """Return the seats, places or devices that such a report can name."""
        if kind in DURING_DEAL:
            return list(_on_their_way(table))
        if kind in OF_A_PLAYER:
            settled = {one.seat for one in table.settlements if isinstance(one, e.WagerSettled)}
            may_lose = settled if kind == "conduct_breach" else ()
            seats = [one.number for one in table.seats if _in_play(table, one) or one.number in may_lose]
            return [{"seat": number} for number in seats if _cannot_forfeit(table, kind, number) is None]
        if (kind, case) == ("wrong_card_count", "player"):
            return [{"seat": seat.number} for seat in table.seats if seat.cards]
        if kind == "axis_disagreement":
            return [{"seat": seat.number} for seat in table.seats if _named_hand(table, seat)]
        if kind == "community_exposed":
            return [{"place": place} for place in table.community if place not in table.revealed]
        if kind == "device_out_of_order":
            return [{"place": device} for device, state in table.devices.items() if state == "in_use"]
        return [{}]

    def why_not(self, table: TableState, command: c.ReportIrregularity) -> Problem | None:
        book = table.game.book
        known = sorted(kind for kind in book.irregularities if kind not in BY_OTHER_COMMANDS)
        if command.kind not in known:
            return refuse("irregularity.kind", "no such irregularity", command.kind, ", ".join(known), where="kind")
        cases = sorted(case for case in book.irregularities[command.kind] if case != "several")
        if command.case not in cases:
            return refuse("irregularity.case", "no such case", command.case, ", ".join(cases), where="case")
        if (problem := when_problem(table, command.kind)) is not None:
            now = ", ".join(dict.fromkeys(kind for kind, _ in reportable_cases(table)))
            return replace(problem, allowed=problem.allowed or now or "nothing at this step")
        if command.kind == "conduct_breach" and command.role != "floor":
            clauses = book.irregularities[command.kind][command.case].clauses
            what = "only the floor can report a breach of conduct"
            return refuse("irregularity.by", what, command.role, "floor", clauses)
        return _cannot_forfeit(table, command.kind, command.seat) or self._place_problem(table, command)

    def _place_problem(self, table: TableState, command: c.ReportIrregularity) -> Problem | None:
        possible = self._where(table, command.kind, command.case)
        named = named_where(command.seat, command.place)
        if named in possible:
            return None
        allowed = "; ".join(map(where_in_words, possible)) or "none"
        what = "name the seat or place of the irregularity"
        return refuse("irregularity.where", what, where_in_words(named), allowed, where="seat or place")

    def perform(self, recorder: EventRecorder, command: c.ReportIrregularity) -> None:
        place = _chips_lie(recorder.table, command) if command.kind == "axis_disagreement" else command.place
        several = command.kind == "face_up_card" and recorder.table.face_up_cards
        outcome = report(recorder, command.kind, "several" if several else command.case, command, place=place)
        if "void" in outcome.then:
            void_round(recorder, command.kind, outcome)
        elif "discard_card" in outcome.then:
            _discard_face_up(recorder, command, outcome)
        elif "forfeit_all" in outcome.then:
            assert command.seat is not None
            forfeit_all(recorder, command.seat, outcome, "breach of conduct")
        elif command.kind == "shuffler_jam":
            for deck in recorder.table.decks.values():
                if deck.stage in ("shuffled", "ready"):
                    recorder.emit(e.ShuffleOrdered, outcome, deck=deck.id, reason="shuffler_jam")


def _forfeits_all(table: TableState, kind: str) -> Irregularity | None:
    """Return the case of an irregularity by which a player loses every wager of the round; None where it has none."""
    cases = table.game.book.irregularities[kind].values()
    return next((case for case in cases if "forfeit_all" in case.then), None)


def _cannot_forfeit(table: TableState, kind: str, seat: int | None) -> Problem | None:
    """Refuse a forfeit while other seats wait for the prizes of a wheel, or after a meter has paid the seat.

    The meter has recorded its award, and the table cannot take it back.
    """
    rule = _forfeits_all(table, kind)
    if rule is None:
        return None
    if table.spin is not None:
        what, allowed = "a wheel has stopped and is not paid yet", "pay the spin first"
        return rule.problem("kind", "irregularity.when", what, kind, allowed)
    if any(isinstance(one, e.WagerSettled) and (one.seat, one.source) == (seat, "meter") for one in table.settlements):
        what, allowed = "a meter has paid this seat, and the table cannot take it back", "another seat"
        return rule.problem("seat", "irregularity.meter", what, seat, allowed)
    return None


def _in_play(table: TableState, seat: Seat) -> bool:
    """Say if a seat has wagers to lose, or holds the bank."""
    return bool(seat.wagers.keys() - set(seat.to_collect)) or table.banks(seat.number)


def _naming(table: TableState) -> tuple[int, s.Decide, tuple[str, ...]]:
    """Return the step at which players name one of several hands, its place in the script, and the hands."""
    hands = {hand.id: hand.chosen_of for hand in table.game.book.hands}
    return next(
        (place, step, hands[action.choose])
        for place, step in enumerate(table.game.book.script)
        if isinstance(step, s.Decide)
        for action in step.actions
        if action.choose is not None
    )


def _named_hand(table: TableState, seat: Seat) -> str:
    """Return the hand that a player has named in this round; empty if none, or if the player is out."""
    return seat.choices.get(_naming(table)[1].wager, "") if seat.status == "in" else ""


def _chips_lie(table: TableState, command: c.ReportIrregularity) -> str:
    """Return the hand with the chips where it differs from the named hand: both are recorded."""
    assert command.seat is not None
    named = _named_hand(table, table.seat(command.seat))
    return next(hand for hand in _naming(table)[2] if hand != named)


def _on_their_way(table: TableState) -> Iterator[dict[str, object]]:
    """Yield the destinations of the next cards: any, a seat, a place of the layout, a place of a seat."""
    order = list(deliveries(table, step_as(table, s.Deal)))
    yield {}
    for seat in dict.fromkeys(seat for seat, _ in order if seat):
        yield {"seat": seat}
    for seat, place in order:
        yield {"seat": seat, "place": place} if seat else {"place": place}


def _discard_face_up(recorder: EventRecorder, command: c.ReportIrregularity, outcome: Irregularity) -> None:
    """Discard the card that would have gone to the named place, or the next card."""
    table = recorder.table
    ahead = place_in_deal(deliveries(table, step_as(table, s.Deal)), command.seat, command.place)
    card = next(islice(coming_cards(table), ahead, None))
    recorder.emit(e.FaceUpCardDiscarded, outcome, ahead=ahead, card=card)


def forfeit_all(recorder: EventRecorder, number: int, outcome: Irregularity, why: str) -> None:
    """Forfeit every wager of a seat, for a breach the settled ones too (AMB-15c); its hand is out of the round."""
    if "forfeit_all" in outcome.then:
        take_back_payments(recorder, outcome, number)
    wagers = dict(recorder.table.seat(number).wagers)
    recorder.emit(e.WagersForfeited, outcome, seat=number, wagers=wagers, why=why)
    move_on(recorder)


class DecideFloorAct(Act[c.DecideFloor], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if table.pending is not None:
            yield Option(command=self.name, choices={"ruling": rulings(table)}, clauses=_pending_outcome(table).clauses)

    def why_not(self, table: TableState, command: c.DecideFloor) -> Problem | None:
        if table.pending is None:
            return refuse("ruling.none", "no irregularity waits for a ruling")
        if command.ruling not in rulings(table):
            what, clauses = "the floor cannot rule this way here", _pending_outcome(table).clauses
            return refuse("ruling", what, command.ruling, ", ".join(rulings(table)), clauses, where="ruling")
        return None

    def perform(self, recorder: EventRecorder, command: c.DecideFloor) -> None:
        pending = recorder.table.pending
        assert pending is not None
        outcome = _pending_outcome(recorder.table)
        recorder.emit(e.FloorRuled, outcome, command, kind=pending.kind, seat=pending.seat)
        seat = pending.seat or 0
        match command.ruling:
            case "void":
                void_round(recorder, pending.kind, outcome, ("void", "return_wagers", "reshuffle"))
            case "abandon":
                forfeit_all(recorder, seat, outcome, "abandoned")
            case "fold":
                fold_hand(recorder, seat, timed_out=True)
            case "house_way":
                set_by_house(recorder, seat, timed_out=True)
            case hand if pending.kind == "axis_disagreement":
                wager = _naming(recorder.table)[1].wager
                recorder.emit(e.ChoiceMade, outcome, seat=seat, wager=wager, choice=hand)
            case "continue" if pending.place is not None and pending.kind == "community_exposed":
                card = recorder.table.community[pending.place]
                if card is not HIDDEN:  # at a physical table the dealer names it when its turn comes
                    recorder.emit(e.CommunityCardExposed, outcome, place=pending.place, card=card)
                    move_on(recorder)


def _pending_outcome(table: TableState) -> Irregularity:
    assert table.pending is not None
    return table.game.book.irregularities[table.pending.kind][table.pending.case]


def rulings(table: TableState) -> tuple[e.Ruling, ...]:
    """List the rulings open to the floor: continue, void, or the loss, fold or house way of an absent player's hand."""
    assert table.pending is not None
    if table.pending.kind == "community_exposed":
        return ("continue",) if table.meter_paid else ("continue", "void")
    if table.pending.kind == "axis_disagreement":
        return _naming(table)[2]
    if table.pending.kind == "no_answer":
        return ("continue", "house_way" if isinstance(step_of(table), s.SetHands) else "fold")
    if "wagers_may_be_lost" in _pending_outcome(table).then and not table.banks(table.pending.seat or 0):
        return ("continue", "abandon")
    return ("continue",)


class MarkDeviceAct(Act[c.MarkDevice], roles=("dealer", "floor")):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for device in table.devices:
            for how in ("covered", "signed", "removed", "in_use"):
                if self._problem(table, device, how) is None:
                    yield Option(command=self.name, fields={"device": device, "how": how})

    def why_not(self, table: TableState, command: c.MarkDevice) -> Problem | None:
        return self._problem(table, command.device, command.how)

    @staticmethod
    def _problem(table: TableState, device: str, how: str) -> Problem | None:
        outcome = table.game.book.irregularities["device_out_of_order"]["any"]
        state = table.devices.get(device)
        if state is None:
            return refuse("device.unknown", "no such device", device, ", ".join(table.devices) or "none")
        if not between_rounds(table):
            return refuse("device.round", "a round is in progress", device, "after the round")
        if how == "in_use":
            if state in OUT_OF_USE:
                return None
            what = "only a device that is out of use can be put back into use"
            return refuse("device.state", what, state, ", ".join(OUT_OF_USE), outcome.clauses)
        allowed = ("removed",) if "remove_device" in outcome.then else ("covered", "signed")
        if how not in allowed:
            what = "a device is not put out of use this way"
            return refuse("device.how", what, how, ", ".join(allowed), outcome.clauses)
        if state == how:
            return refuse("device.state", "the device is in that state already", state, "", outcome.clauses)
        if state == "in_use" and how != "removed":
            return refuse("device.state", "the device works", state, "report it out of order first", outcome.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.MarkDevice) -> None:
        outcome = recorder.table.game.book.irregularities["device_out_of_order"]["any"]
        recorder.emit(e.DeviceMarked, outcome, command)


class ChangeMethodAct(Act[c.ChangeMethod], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for dealing in ("manual_shoe", "hand", "automated_shoe"):
            for shuffling in ("manual", "device"):
                if self._problem(table, dealing, shuffling) is None:
                    yield Option(command=self.name, fields={"dealing": dealing, "shuffling": shuffling})

    def why_not(self, table: TableState, command: c.ChangeMethod) -> Problem | None:
        return self._problem(table, command.dealing or table.dealing, command.shuffling or table.shuffling)

    @staticmethod
    def _problem(table: TableState, dealing: str, shuffling: str) -> Problem | None:
        outcome = table.game.book.irregularities["device_out_of_order"]["any"]
        if (dealing, shuffling) == (table.dealing, table.shuffling):
            return refuse("method.same", "the table deals and shuffles this way already", f"{dealing}, {shuffling}")
        if not between_rounds(table) or isinstance(step_of(table), s.OfferBank | s.OpenBets):
            return refuse("method.round", "the method can change only between rounds", table.step)
        for device, used, still in (
            ("shuffler", table.shuffling == "device", shuffling == "device"),
            ("shoe", table.dealing == "automated_shoe", dealing == "automated_shoe"),
        ):
            state = table.devices.get(device)
            if still and state != "in_use":
                return refuse("method.device", "the device is not in use", f"{device} {state or 'missing'}")
            if used and not still and state in ("in_use", "broken"):
                what = "put the device out of use first"
                allowed = "removed" if "remove_device" in outcome.then else "covered or signed"
                return refuse("method.device", what, f"{device} {state}", allowed, outcome.clauses)
        if dealing == "hand" and shuffling != "device":
            rule = next(r for r in table.game.book.requirements if "hand" in r.when.get("dealing.method", ()))
            return refuse("method.hand", rule.says, shuffling, "device", rule.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.ChangeMethod) -> None:
        table = recorder.table
        dealing, shuffling = command.dealing or table.dealing, command.shuffling or table.shuffling
        broken = table.game.book.irregularities["device_out_of_order"]["any"]
        out_of_use = any(state in OUT_OF_USE for state in table.devices.values())
        rule = joined(table.game.dealt_by(dealing).opening["load"], broken if out_of_use else None)
        recorder.emit(e.MethodChanged, rule, dealing=dealing, shuffling=shuffling)
