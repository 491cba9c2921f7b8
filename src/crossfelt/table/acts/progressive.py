"""The progressive wager at the table: the start button, the supervisor's validation, the documents."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.cards.card import JOKER
from crossfelt.errors import Problem
from crossfelt.games.progressive_wager import MAGIC, bonus_table
from crossfelt.rulebooks.script import Lock
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, joined, one_of, refuse, same_person, text_problem
from crossfelt.table.credits import awaiting_validation, bonus_rule, claim_credits, draw_due, drawable, lucky_seats
from crossfelt.table.flow import enter_next
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, clauses_of, step_as


class DrawAwardsAct(Act[c.DrawAwards], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        """List the possible draws; a magic card of 1 is a card to be named."""
        if not draw_due(table):
            return
        for lucky_dealer in (False, True) if "lucky_dealer" in drawable(table) else (False,):
            for magic_card in (None, 1) if MAGIC in drawable(table) else (None,):
                yield Option(
                    command=self.name,
                    fields={"lucky_dealer": lucky_dealer, "magic_card": magic_card},
                    ranges={"lucky_seat": one_of((0, *lucky_seats(table)))},
                    clauses=bonus_rule(table).clauses,
                )

    def why_not(self, table: TableState, command: c.DrawAwards) -> Problem | None:
        if not draw_due(table):
            clauses = clauses_of(table, Lock) if bonus_table(table.game) else ()
            return refuse("draw.step", "the progressive system does not draw now", table.step, "", clauses)
        clauses = bonus_rule(table).clauses
        if command.lucky_seat and command.lucky_seat not in lucky_seats(table):
            allowed = ", ".join(map(str, (0, *lucky_seats(table))))
            what = "this seat cannot win the Lucky Player award"
            return refuse("draw.lucky_seat", what, command.lucky_seat, allowed, clauses, where="lucky_seat")
        if command.lucky_dealer and "lucky_dealer" not in drawable(table):
            what = "this game draws no Lucky Dealer award"
            return refuse("draw.lucky_dealer", what, True, "false", clauses, "lucky_dealer")
        card = command.magic_card
        if card is None:
            return None
        if MAGIC not in drawable(table):
            return refuse("draw.magic_card", "this game draws no magic card", card.text, "none", clauses, where=MAGIC)
        cards = table.game.number("magic_card_from")
        if card >= cards:
            allowed = "a card of the deck" if cards > JOKER else "a card of the deck, not the joker"
            what = "this card cannot be the magic card"
            return refuse("draw.magic_card", what, card.text, allowed, clauses, where=MAGIC)
        return None

    def perform(self, recorder: EventRecorder, command: c.DrawAwards) -> None:
        lock = step_as(recorder.table, Lock)
        drawn = {MAGIC: command.magic_card, "lucky_player": command.lucky_seat, "lucky_dealer": command.lucky_dealer}
        won = bonus_rule(recorder.table, *(award for award, value in drawn.items() if value))
        recorder.emit(e.AwardsDrawn, joined(lock, won), command)
        enter_next(recorder)


class ValidateAwardAct(Act[c.ValidateAward], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        waiting = awaiting_validation(table)
        if waiting is not None and table.seat(waiting[0]).verified[waiting[1]] != who:
            seat, wager = waiting
            clauses = table.rule("award_checks").clauses
            yield Option(command=self.name, seat=seat, fields={"wager": wager}, clauses=clauses)

    def why_not(self, table: TableState, command: c.ValidateAward) -> Problem | None:
        waiting = awaiting_validation(table)
        if waiting is None:
            return refuse("validate.none", "no award waits for validation", command.seat, where="seat")
        seat, wager = waiting
        rule = table.rule("award_checks")
        if (command.seat, command.wager) != waiting:
            value, allowed = f"seat {command.seat}, {command.wager}", f"seat {seat}, {wager}"
            return refuse("validate.other", "another award must be validated first", value, allowed, rule.clauses)
        what = "the person who verified the award cannot validate it"
        return same_person(table.seat(seat).verified[wager], command.who, what, rule)

    def perform(self, recorder: EventRecorder, command: c.ValidateAward) -> None:
        recorder.emit(e.AwardValidated, recorder.table.rule("award_checks"), command)
        claim_credits(recorder, command.seat, command.wager)


class CompleteDocumentsAct(Act[c.CompleteDocuments], roles=("floor",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in table.papers:
            clauses = table.rule("cards_held_for_papers").clauses
            yield Option(command=self.name, seat=seat, texts=("document",), clauses=clauses)

    def why_not(self, table: TableState, command: c.CompleteDocuments) -> Problem | None:
        if command.seat not in table.papers:
            allowed = ", ".join(map(str, table.papers)) or "none"
            return refuse("documents.none", "no documents are due for this seat", command.seat, allowed, where="seat")
        rule = table.rule("cards_held_for_papers")
        return text_problem("documents.id", "document", command.document, "the number of the document", rule)

    def perform(self, recorder: EventRecorder, command: c.CompleteDocuments) -> None:
        recorder.emit(e.DocumentsCompleted, recorder.table.rule("cards_held_for_papers"), command)
