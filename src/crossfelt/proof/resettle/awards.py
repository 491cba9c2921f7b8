"""Awards beside a wager, settled again: draws of a progressive system, credits, and envy for the hands of others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from crossfelt.proof.resettle.hand_rank import ACE, JOKER, RANKS
from crossfelt.proof.resettle.plain_game import Data, won
from crossfelt.proof.resettle.prizes import MeterWatch
from crossfelt.proof.resettle.round_state import Round, Seat, figure
from crossfelt.proof.resettle.wagers import Due, Position

DECK = [f"{rank}{suit}" for rank in RANKS for suit in "cdhs"] + [JOKER]


class AwardWatch:
    """Follows the awards of a round."""

    def __init__(self, round_: Round, meters: MeterWatch) -> None:
        self._round, self._game, self._meters = round_, round_.game, meters
        beside = [(wager, table) for wager in self._game.wagers.values() for table in wager.get("also_pays", ())]
        self._credits = self._game.jackpots
        drawn = [table for wager, table in beside if wager.get("unit") == "credits"]
        lines = [line for table in drawn for line in self._game.pays[table]]
        self._odds = {line["hand"]: line["odds"] for line in lines}
        """The odds of each random award."""
        self._envy = {table: wager["id"] for wager, table in beside if table not in drawn}
        """Pay tables for the hands of others, with the wager that earns them."""
        self._orders = {table["id"]: table["order"] for table in self._game.book.get("paytable", ())}
        self.on_round_opened({})

    def on_round_opened(self, event: Data) -> None:
        self._drawn: Data = {}
        self._owed: dict[tuple[int, str, str], int] = {}
        """Random awards by seat, wager and name, not paid yet."""
        self._envied: list[tuple[int, int, int, str]] = []
        """Envy not paid yet: to which seat, for which seat's hand, cents, the hand."""

    def _on_dealer(self, wager: str) -> bool:
        return any(rule.get("on", "").startswith("dealer.") for rule in self._game.wagers[wager]["settle"])

    def _lucky(self, wager: str) -> str:
        return "lucky_dealer" if self._on_dealer(wager) else "lucky_player"

    def knows(self, award: str) -> bool:
        return award in self._odds or award in self._envy

    def on_awards_drawn(self, event: Data) -> Iterator[str]:
        """Only what the pay table has is drawn, for the seats that have the wager."""
        self._drawn = event
        seats = self._round.seats.items()
        bet = {self._lucky(wager): [n for n, seat in seats if wager in seat.placed] for wager in self._credits}
        anywhere = self._game.setting("lucky_player_goes_to") == "all_seats"
        lucky, magic = event.get("lucky_seat", 0), event.get("magic_card")
        if lucky and ("lucky_player" not in self._odds or not (anywhere or lucky in bet["lucky_player"])):
            yield f"seat {lucky} is drawn as the Lucky Player, and cannot be"
        if event.get("lucky_dealer") and ("lucky_dealer" not in self._odds or not bet["lucky_dealer"]):
            yield "the Lucky Dealer is drawn for nobody"
        cards = DECK[: self._game.setting("magic_card_from", 52)]
        if magic is not None and ("magic_card" not in self._odds or magic not in cards):
            yield f"{magic} is drawn as the magic card, and cannot be"

    def _is_lucky(self, number: int, wager: str) -> bool:
        drawn = self._drawn
        return bool(drawn.get("lucky_dealer") if self._on_dealer(wager) else drawn.get("lucky_seat") == number)

    def worth(self, number: int, name: str, stake: int) -> Due:
        """Return the worth of credits: a win may keep the stake, and a lucky award may return it."""
        due = self._round.settler.settle(self._credits[name], stake, self._round.spot(self._round.seats[number]))
        if self._credits[name].get("unit") != "credits":
            return due
        back = due.returned if self._game.setting("credit_returned_on_win", True) else 0
        if self._is_lucky(number, name) and not self._game.setting("lucky_stake_follows_hand", True):
            back = stake
        return due._replace(result="push" if due.result == "lose" and back else due.result, returned=back)

    def on_hands_exposed(self, event: Data) -> None:
        """Random awards come with the hand, and envy for every other player who staked enough."""
        number, seat = event["seat"], self._round.seat(event)
        for wager in self._credits.keys() & seat.layout:
            for award in self._awards(number, seat, wager):
                self._owed[number, wager, award] = won(self._odds[award], seat.layout[wager])
        for table, wager in self._envy.items():
            hand = self._round.settler.rank(tuple(seat.cards.values()), self._orders[table])
            line = self._round.settler.line(table, hand)
            least = max(1, self._game.choice(f"wagers.{wager}.envy_min_cents", 1))
            for other, bettor in self._round.seats.items() if line is not None else ():
                stranger = self._round.names.get(other) != self._round.names.get(number)
                if line is not None and stranger and bettor.placed.get(wager, 0) >= least:
                    self._envied.append((other, number, line["amount_cents"], hand.name))

    def _awards(self, number: int, seat: Seat, wager: str) -> Iterator[str]:
        if self._is_lucky(number, wager):
            yield self._lucky(wager)
        position = self._round.dealer if self._on_dealer(wager) else seat
        wins = self._round.settler.settle(self._credits[wager], 1, self._round.spot(seat)).result == "win"
        if wins and self._drawn.get("magic_card") in self._counting(position, wager):
            yield "magic_card"

    def _counting(self, position: Position, wager: str) -> set[str]:
        """Return the cards in which a magic card counts: all, or those without which the hand would be another."""
        cards, settler = tuple(position.cards.values()), self._round.settler
        order = self._game.hands[self._credits[wager]["settle"][0]["on"].rpartition(".")[2]]["order"]
        hand = settler.rank(cards, order)
        if self._game.setting("magic_card_in", "all_seven") == "all_seven" or "seven_card" in hand.category:
            return set(cards)
        making = {card for five in combinations(cards, 5) if settler.rank(five, order) == hand for card in five}
        if hand.category != "four_of_a_kind":
            return making
        return {card for card in making if (ACE if card == JOKER else RANKS.index(card[0])) == hand.ties[0]}

    def on_award_won(self, event: Data) -> Iterator[str]:
        due = self._owed.get((event["seat"], event["wager"], event["award"]), 0)
        if due != event["cents"]:
            yield f"{event['award']} of {event['cents']:,} cents is announced; it should be {due:,}"

    def on_award_claimed(self, event: Data) -> Iterator[str]:
        """A part of the meter is for all who share it, from the dealer's right; odds are for one."""
        wager, award, winners = event["wager"], event.get("award", ""), dict(event["winners"])
        if wager not in self._credits:
            return
        seats, first, unit = self._round.seats, next(iter(winners)), self._game.credit(self._credits[wager])
        won_by = {
            number: self.worth(number, wager, seats[number].layout[wager])
            for number in sorted(seats, reverse=True)
            if wager in seats[number].layout
        }
        due, method = won_by.get(first, Due("lose")), "equally"
        sharing = [first]
        if due.percent and not award:
            sharing = [number for number, other in won_by.items() if other.line == due.line]
            method = self._game.setting("share_method_dealer" if self._on_dealer(wager) else "share_method", "equally")
        cents = self._owed.get((first, wager, award), 0) if award else due.paid
        meter = due.meter or self._game.meters_of(wager)[0]
        held = {number: seats[number].placed[wager] // unit for number in sharing}
        wanted = (0 if award else due.percent, cents, meter, held, method)
        claimed = (
            event.get("percent", 0),
            event.get("cents", 0),
            event["meter"],
            winners,
            event.get("method", "equally"),
        )
        if claimed != wanted:
            words = "{} percent, or {:,} cents, of {} for {} {}"
            yield f"{wager}: {words.format(*claimed)} is claimed; it should be {words.format(*wanted)}"

    def on_award_paid(self, event: Data) -> Iterator[str]:
        number, award, cents = event["seat"], event["award"], event["cents"]
        if award in self._odds:
            due = self._owed.pop((number, event["wager"], award), 0)
            from_meter = self._game.setting("odds_paid_from", "meter") == "meter"
            granted = self._meters.granted.pop((number, award), -1) if from_meter else 0
            told = (cents, event.get("from_inventory", 0), event.get("source", ""))
            wanted = (due, due - granted, "meter" if granted else "")
            self._round.due = {"paid": due}
            if told != wanted:
                words = "{:,} cents, {:,} of it from the inventory {}"
                yield f"{award}: {words.format(*told).rstrip()} is paid; it should be {words.format(*wanted).rstrip()}"
        elif award in self._envy:
            paid = (number, event.get("of_seat", 0), cents, event.get("hand", ""))
            if paid in self._envied:
                self._envied.remove(paid)
                self._round.due = {"paid": cents}
            else:
                yield f"{figure(cents)} cents are paid for {paid[3]}, which nobody owes"

    def on_round_voided(self, event: Data) -> None:
        self._owed, self._envied = {}, []

    def on_round_closed(self, event: Data) -> Iterator[str]:
        for seat, _, award in self._owed:
            yield f"the round is closed, and seat {seat} was not paid its {award} award"
        for seat, _, cents, hand in self._envied:
            yield f"the round is closed, and seat {seat} was not paid {cents:,} cents for {hand}"
