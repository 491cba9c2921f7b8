"""Set hands: the choice of the first stack, the setting of seven cards by players and dealer, and their exposure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.notation import format_cards
from crossfelt.errors import Problem
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Result
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.script import Compare, FirstHand, SetHands, Step
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, Range, not_next, out_of_turn, refuse, together
from crossfelt.table.acts.dealing import enterable, named_cards
from crossfelt.table.acts.seats import seats_of
from crossfelt.table.bank import banked_by
from crossfelt.table.credits import announce_awards
from crossfelt.table.flow import enter_next
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import dealer_seven, spot_of
from crossfelt.table.state import Seat, TableState, step_as, step_of

POSITIONS = 7
"""Six seats and the dealer."""
UNSEEN = (HIDDEN, HIDDEN)
"""Two cards in front that the table does not know, at a physical table."""


def position_of(number: int, first: int = 0) -> int:
    """Return the position of a total or a random number: counted counter-clockwise, the dealer or the bank first.

    >>> [position_of(total) for total in (8, 14, 9)]      # the dealer, the seat at the dealer's left, at the right
    [0, 1, 6]
    >>> [position_of(total, first=3) for total in (8, 9, 11)]      # the bank in seat 3, the next seat, the dealer
    [3, 2, 0]
    """
    return (first - (number - 1)) % POSITIONS


class ChooseFirstHandAct(Act[c.ChooseFirstHand], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if isinstance(step_of(table), FirstHand):
            if table.game.settings["first_hand_by"] == "dice":
                yield Option(command=self.name, fields={"dice": 3})
            else:
                yield Option(command=self.name, ranges={"number": Range(1, POSITIONS)})

    def why_not(self, table: TableState, command: c.ChooseFirstHand) -> Problem | None:
        if not isinstance(step_of(table), FirstHand):
            return out_of_turn(table, "first_hand.step", "the first hand is not due now", FirstHand)
        rule = table.rule("first_hand_by")
        by_dice = table.game.settings["first_hand_by"] == "dice"
        if by_dice != (command.dice is not None) or by_dice == (command.number is not None):
            allowed = "three dice" if by_dice else f"a number from 1 to {POSITIONS}"
            return refuse("first_hand.by", "the first hand is not chosen this way here", None, allowed, rule.clauses)
        if command.dice is not None and any(not 1 <= die <= 6 for die in command.dice):
            return refuse("first_hand.dice", "each die shows 1 to 6", str(command.dice), "1 to 6 each", where="dice")
        if command.number is not None and not 1 <= command.number <= POSITIONS:
            return refuse("first_hand.number", "no such number", command.number, f"1 to {POSITIONS}", where="number")
        return None

    def perform(self, recorder: EventRecorder, command: c.ChooseFirstHand) -> None:
        number = command.number if command.number is not None else sum(command.dice or ())
        bank = recorder.table.bank
        recorder.emit(
            e.FirstHandChosen,
            step_of(recorder.table),
            number=number,
            position=position_of(number, first=bank.seat if bank is not None else 0),
            dice=command.dice or (),
        )
        enter_next(recorder)


def _setting(table: TableState, who: str) -> Iterator[Seat]:
    """Yield the seats of a player whose hands are still to be set."""
    step = step_of(table)
    if isinstance(step, SetHands) and step.who == "players":
        yield from (table.seat(number) for number in table.turn if table.seat(number).player == who)


def _not_setting(table: TableState, number: int) -> Problem | None:
    step = step_of(table)
    if not isinstance(step, SetHands) or step.who != "players":
        return out_of_turn(table, "set.step", "hands are not set now", SetHands, where="step")
    if number not in table.turn:
        return refuse("set.done", "this hand is set already", number, "", step.clauses, where="seat")
    return None


class SetHandAct(Act[c.SetHand], roles=("player",), steps=(SetHands,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in _setting(table, who):
            if not _is_co_bank(table, seat.number):
                low = 2 if HIDDEN not in seat.cards else UNSEEN
                yield Option(command=self.name, seat=seat.number, fields={"low": low})

    def why_not(self, table: TableState, command: c.SetHand) -> Problem | None:
        if (problem := _not_setting(table, command.seat)) is not None:
            return problem
        seat = table.seat(command.seat)
        if _is_co_bank(table, command.seat):
            rule = table.rule("co_bank_set_by")
            what = "a co-banked hand is set the house way"
            return refuse("set.co_bank", what, command.seat, "set it the house way", rule.clauses, where="seat")
        if HIDDEN in seat.cards:
            what, allowed = "the table does not know the cards", "?? ??"
            return None if command.low == UNSEEN else refuse("set.low", what, str(command.low), allowed, where="low")
        if len(set(command.low)) != 2 or any(card not in seat.cards or card is HIDDEN for card in command.low):
            what, allowed = "the front needs two of the player's cards", f"two of {format_cards(seat.cards)}"
            return refuse("set.low", what, format_cards(command.low), allowed, where="low")
        made = rules_of(table.game).set(seat.cards, command.low)
        if made.foul and not command.insists:
            rule = table.rule("foul_hand_loses")
            what = f"a foul: {made.low.name} in front ranks above {made.high.name} behind, and would lose"
            return refuse("set.foul", what, format_cards(command.low), "a lower front", rule.clauses, where="low")
        return None

    def perform(self, recorder: EventRecorder, command: c.SetHand) -> None:
        seat = recorder.table.seat(command.seat)
        foul = HIDDEN not in command.low and rules_of(recorder.table.game).set(seat.cards, command.low).foul
        recorder.emit(e.HandSet, step_of(recorder.table), seat=command.seat, low=tuple(command.low), foul=foul)
        after_setting(recorder)


def set_by_house(
    recorder: EventRecorder, number: int, named: tuple[Card, ...] = (), *, timed_out: bool = False
) -> None:
    """Set a hand the house way and record the rule that applied; cards that no dealer named stay unknown."""
    table = recorder.table
    cards = named or table.seat(number).cards
    setting = None if HIDDEN in cards else house_way_of(table.game).set(cards)
    recorder.emit(
        e.HandSet,
        step_of(table),
        seat=number,
        low=setting.low if setting else UNSEEN,
        cards=named,
        house_way=setting.rule if setting else "",
        timed_out=timed_out,
    )
    after_setting(recorder)


def after_setting(recorder: EventRecorder) -> None:
    """Leave the step once the last player has set a hand, or is out of the round."""
    if isinstance(step_of(recorder.table), SetHands) and not recorder.table.turn:
        enter_next(recorder)


def _is_co_bank(table: TableState, number: int) -> bool:
    return table.banks(number) and table.bank is not None and table.bank.co_bank


class SetHouseWayAct(Act[c.SetHouseWay], roles=("player",), steps=(SetHands,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in _setting(table, who):
            if self._known(table, seat):
                yield Option(command=self.name, seat=seat.number)

    def why_not(self, table: TableState, command: c.SetHouseWay) -> Problem | None:
        if (problem := _not_setting(table, command.seat)) is not None:
            return problem
        if not self._known(table, table.seat(command.seat)):
            return refuse("set.unknown", "the table does not know the cards", command.seat, where="seat")
        return None

    @staticmethod
    def _known(table: TableState, seat: Seat) -> bool:
        """Say if the table can set the hand: it knows the cards, or a co-bank leaves them to the dealer."""
        return HIDDEN not in seat.cards or _is_co_bank(table, seat.number)

    def perform(self, recorder: EventRecorder, command: c.SetHouseWay) -> None:
        set_by_house(recorder, command.seat)


class SurrenderAct(Act[c.Surrender], roles=("player",), steps=(SetHands, Compare)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in seats_of(table, who):
            if self._problem(table, seat.number) is None:
                yield Option(command=self.name, seat=seat.number, clauses=self._rule(table).clauses)

    def why_not(self, table: TableState, command: c.Surrender) -> Problem | None:
        return self._problem(table, command.seat)

    @staticmethod
    def _rule(table: TableState) -> Cited:
        """Return the rule of surrender; an empty one where the game has none."""
        return table.game.book.settings.get("surrender_until") or Cited()

    def _problem(self, table: TableState, number: int) -> Problem | None:
        step, seat = step_of(table), table.seat(number)
        clauses = self._rule(table).clauses
        if "surrender_until" not in table.game.settings:
            return refuse("surrender.none", "the rules of this game have no surrender", table.step)
        if table.banks(number):
            return refuse("surrender.bank", "the bank has no wager to surrender", number, "", clauses, where="seat")
        open_until = isinstance(step, SetHands) or (isinstance(step, Compare) and number in table.turn)
        if not open_until or not any(table.game.wager(w).required for w in seat.wagers) or seat.shown:
            what = "a hand can be surrendered until the dealer exposes it"
            return refuse("surrender.when", what, table.step, "", clauses)
        barred = [wager for wager in table.game.listed("surrender_barred_by") if wager in seat.wagers]
        if barred:
            what, bar = "a hand with this wager cannot be surrendered", table.rule("surrender_barred_by")
            return refuse("surrender.barred", what, barred[0], "", bar.clauses)
        return None

    def perform(self, recorder: EventRecorder, command: c.Surrender) -> None:
        table = recorder.table
        seat = table.seat(command.seat)
        keeps = table.game.listed("surrender_keeps")
        given_up = [wager for wager in table.game.opening_wagers if wager in seat.wagers and wager not in keeps]
        collects = len(given_up) == len(seat.wagers)
        recorder.emit(e.HandSurrendered, self._rule(table), seat=command.seat, collects=collects)
        for wager in given_up:
            self._forfeit(recorder, seat, wager)
        step = step_of(table)
        if collects and table.turn and not recorder.table.turn:
            enter_next(recorder)
        elif not collects and isinstance(step, SetHands) and command.seat in table.turn:
            set_by_house(recorder, command.seat)

    @staticmethod
    def _forfeit(recorder: EventRecorder, seat: Seat, wager: str) -> None:
        """Settle a surrendered wager: part of a required wager may come back, an optional one is lost."""
        table, stake = recorder.table, seat.wagers[wager]
        is_main = table.game.wager(wager).required
        recorder.emit(
            e.WagerSettled,
            table.rule("surrender_refund_per_mille" if is_main else "surrender_keeps"),
            seat=seat.number,
            wager=wager,
            stake=stake,
            result="forfeit",
            returned=stake * table.game.number("surrender_refund_per_mille") // 1000 if is_main else 0,
            bank=banked_by(table, wager),
        )


class SetDealerHandAct(Act[c.SetDealerHand], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, SetHands) and step.who == "dealer":
            fields = {"cards": POSITIONS} if HIDDEN in dealer_seven(table) else {}
            yield Option(command=self.name, fields=fields, clauses=step.clauses)

    def why_not(self, table: TableState, command: c.SetDealerHand) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, SetHands) or step.who != "dealer":
            return out_of_turn(table, "set.step", "the dealer's hand is not due now", SetHands)
        count = POSITIONS if HIDDEN in dealer_seven(table) else 0
        return named_cards(table, "set.cards", command.cards, count)

    def perform(self, recorder: EventRecorder, command: c.SetDealerHand) -> None:
        set_dealer(recorder, step_of(recorder.table), command.cards or dealer_seven(recorder.table))
        enter_next(recorder)


def set_dealer(recorder: EventRecorder, step: Step | None, cards: tuple[Card, ...]) -> None:
    """Set the dealer's seven cards the house way."""
    setting = house_way_of(recorder.table.game).set(cards)
    made = rules_of(recorder.table.game).set(cards, setting.low)
    recorder.emit(
        e.DealerHandsSet,
        step,
        cards=cards,
        low=setting.low,
        high_name=made.high.name,
        low_name=made.low.name,
        house_way=setting.rule,
    )


class ExposeSeatAct(Act[c.ExposeSeat], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        step = step_of(table)
        if isinstance(step, Compare) and table.turn:
            seat = table.seat(table.turn[0])
            fields = {"cards": POSITIONS} if HIDDEN in seat.cards else {}
            fields |= {"low": 2} if fields and not _is_co_bank(table, seat.number) else {}
            yield Option(command=self.name, seat=seat.number, fields=fields, clauses=step.clauses)

    def why_not(self, table: TableState, command: c.ExposeSeat) -> Problem | None:
        step = step_of(table)
        if not isinstance(step, Compare) or not table.turn:
            return out_of_turn(table, "expose.step", "no hand is due to be exposed", Compare)
        if (problem := not_next(table, "expose.order", command.seat)) is not None:
            return problem
        if HIDDEN not in table.seat(command.seat).cards:
            return named_cards(table, "expose.cards", command.cards or command.low, 0)
        if _is_co_bank(table, command.seat):
            if command.low:
                return refuse("expose.low", "the dealer sets a co-banked hand", str(command.low), where="low")
        elif len(set(command.low)) != 2 or any(card not in command.cards for card in command.low):
            what = "name the two cards in front"
            return refuse("expose.low", what, len(command.low), "two of the seven", where="low")
        return enterable(table, command.cards, POSITIONS, step.clauses)

    def perform(self, recorder: EventRecorder, command: c.ExposeSeat) -> None:
        table, step = recorder.table, step_as(recorder.table, Compare)
        seat = table.seat(command.seat)
        cards, low = command.cards or seat.cards, command.low or seat.low
        if HIDDEN in low:
            low = house_way_of(table.game).set(cards).low
        rules, spot = rules_of(table.game), spot_of(table, seat, cards=cards, low=low)
        made, placed = rules.set(cards, low), [wager for wager in step.wagers if wager in seat.wagers]
        results = {name: rules.settle(table.game.wager(name), seat.wagers[name], spot).result for name in placed}
        recorder.emit(
            e.HandsExposed,
            step,
            seat=seat.number,
            cards=cards,
            low=low,
            high_name=made.high.name,
            low_name=made.low.name,
            results=results,
            **self._envy(table, seat, cards),
        )
        announce_awards(recorder, seat.number)
        for wager, result in results.items():
            if result == "lose":
                _collect_loser(recorder, seat.number, wager)
        collects, rule = self._collects(recorder.table, step, seat, results)
        recorder.emit(e.SeatSettled, rule, seat=seat.number, collects=collects)
        if not recorder.table.turn:
            enter_next(recorder)

    @staticmethod
    def _collects(table: TableState, step: Compare, seat: Seat, results: Mapping[str, Result]) -> tuple[bool, Cited]:
        """Say if the cards are collected, and by which rule; the bank's stay, and hands that won or pushed anything."""
        if table.banks(seat.number) or any(
            results.get(wager.id) in ("win", "push") for wager in table.game.wagers if wager.required
        ):
            return False, step
        won = {wager for wager, result in results.items() if result == "win"}
        won |= {award.wager for award in table.awards if award.seat == seat.number and award.of_seat is None}
        keeps = won.intersection(table.game.listed("winning_bonus_keeps_cards"))
        return (False, table.rule("winning_bonus_keeps_cards")) if keeps else (True, _losers(step))

    @staticmethod
    def _envy(table: TableState, seat: Seat, cards: tuple[Card, ...]) -> dict[str, object]:
        """Return the envy award that the hand brings the players who staked enough on their own seven cards."""
        if table.game.envy_wager not in table.game.opening_wagers:
            return {}
        least = table.game.whole(f"wagers.{table.game.envy_wager}.envy_min_cents")
        to = tuple(
            other.number
            for other in table.seats[::-1]
            if other.player != seat.player and other.placed.get(table.game.envy_wager, 0) >= least
        )
        hand, cents = rules_of(table.game).envy(table.game.wager(table.game.envy_wager), cards) if to else ("", 0)
        return {"envy_cents": cents, "envy_to": to, "envy_hand": hand} if cents else {}


def _losers(step: Compare) -> Cited:
    """Return the rule by which losing wagers and hands are collected."""
    return step.losers_rule or step


def _collect_loser(recorder: EventRecorder, number: int, wager_id: str) -> None:
    table = recorder.table
    seat, wager = table.seat(number), table.game.wager(wager_id)
    settled = rules_of(table.game).settle(wager, seat.wagers[wager_id], spot_of(table, seat))
    recorder.emit(
        e.WagerSettled,
        settled.under,
        settled,
        seat=number,
        wager=wager_id,
        stake=seat.wagers[wager_id],
        bank=banked_by(table, wager_id),
        clauses=together(settled.under.clauses, _losers(step_as(table, Compare)).clauses),
    )
