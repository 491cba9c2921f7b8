"""Wheels and meters settled again: what wagers add to a meter, what a slice pays, and what the meter grants.

The amount of a meter comes from the meter's own stream. A grant must be the part of the pool that was claimed, and be
divided as the submission says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crossfelt.proof.resettle.hand_rank import UNSEEN
from crossfelt.proof.resettle.plain_game import Data, first
from crossfelt.proof.resettle.round_state import Round, Seat, figure
from crossfelt.proof.resettle.wagers import Due

MICROS: Final = 1_000_000
METER: Final = -1
"""A prize whose amount the meter knows."""
COMMUNITY: Final = "five_card"
"""The order of the community cards, which spin the wheels of all bettors."""


class MeterWatch:
    """Follows the contributions and grants of a round."""

    def __init__(self, round_: Round) -> None:
        self._round = round_
        self.on_round_opened({})

    def on_round_opened(self, event: Data) -> None:
        self._fed: dict[str, int] = {}
        self._claims: dict[int, Data] = {}
        self.granted: dict[tuple[int, str], int] = {}
        """Cents by seat, and by wager or random award."""

    def on_contribution_made(self, event: Data) -> None:
        self._fed[event["meter"]] = event["micros"]

    def on_cards_dealt(self, event: Data) -> Iterator[str]:
        """Each meter has got its share of the locked wagers, in millionths of a cent."""
        due: dict[str, int] = {}
        for seat in self._round.seats.values():
            for wager, cents in seat.placed.items():
                for meter in self._round.game.meters_of(wager, cents):
                    due[meter] = due.get(meter, 0) + cents * self._round.game.choice(f"meters.{meter}.rate_per_million")
        for meter in sorted(due.keys() | self._fed):
            if due.get(meter, 0) != self._fed.get(meter, 0):
                told = f"{self._fed.get(meter, 0):,} millionths of a cent went to {meter}"
                yield f"{told}; it should be {due.get(meter, 0):,}"

    def on_contribution_reversed(self, event: Data) -> Iterator[str]:
        """A void round takes its contributions back; so does an entry that is taken back, by a house rule, and the deal
        that follows shows whether they were made again."""
        if event.get("house_rule") and not self._round.void:
            pass
        elif not self._round.void or self._round.game.setting("void_contributions", "reversed") != "reversed":
            yield f"{event['micros']:,} millionths are taken back from {event['meter']} without ground"
        if event["micros"] != self._fed.pop(event["meter"], 0):
            yield f"{event['micros']:,} millionths are taken back from {event['meter']}, which is not what went in"

    def on_award_claimed(self, event: Data) -> Iterator[str]:
        self._claims[event["claim"]] = event
        if event["meter"] not in self._round.game.meters_of(event["wager"]):
            yield f"{event['wager']} claims {event['meter']}, which is not its meter"

    def on_award_granted(self, event: Data) -> Iterator[str]:
        """The pool adds up and pays what was claimed; what does not divide goes to the first winner."""
        claim = self._claims.pop(event["claim"], None)
        if claim is None:
            yield f"claim {event['claim']} is granted, which nobody made"
            return
        paid, percent = sum(cents for _, cents in event["shares"]), claim.get("percent", 0)
        if event["before_micros"] + event.get("seeded_micros", 0) != event["after_micros"] + paid * MICROS:
            yield f"award {event['number']} of {event['meter']} does not add up"
        due, rest = event["before_micros"] * percent // (100 * MICROS), 0
        if not percent:  # the pool pays odds from what it holds above the reset amount, the inventory the rest
            due = min(claim["cents"], max(0, event["before_micros"] // MICROS - event.get("reset_cents", 0)))
            rest = claim["cents"] - due
        if claim.get("at_most_cents") is not None:
            due = min(due, claim["at_most_cents"])
        # A limit of the meter, which two people may change, keeps part of the pool back: that is in the meter's stream.
        if paid > due or (paid < due and not percent) or event.get("from_inventory", 0) != rest:
            yield f"the meter grants {paid:,} cents and the inventory the rest; it should be {due:,} and {rest:,}"
        weights = {seat: held if claim.get("method") == "by_credits" else 1 for seat, held in claim["winners"]}
        shares = {seat: paid * weight // sum(weights.values()) for seat, weight in weights.items()}
        shares[next(iter(shares))] += paid - sum(shares.values())
        if dict(event["shares"]) != shares:
            yield f"{paid:,} cents are shared as {dict(event['shares'])}; it should be {shares}"
        self.granted |= {(seat, claim.get("award") or claim["wager"]): cents for seat, cents in event["shares"]}

    def on_round_closed(self, event: Data) -> Iterator[str]:
        if self._claims:
            yield f"the round is closed, and claims {sorted(self._claims)} are open"
        for (seat, name), cents in self.granted.items():
            yield f"the round is closed, and seat {seat} was not paid {figure(cents)} cents granted for {name}"
        if self._round.void and self._round.game.setting("void_contributions", "reversed") == "reversed":
            yield from (f"the round is void, and {meter} keeps its contribution" for meter in self._fed)


class SpinWatch:
    """Follows the wheels of a round."""

    def __init__(self, round_: Round) -> None:
        self._round, self._game = round_, round_.game
        wagers = self._game.wagers.items()
        self.wagers = {name for name, wager in wagers if any("spin" in rule for rule in wager["settle"])}
        self._together = {wheel["wager"] for wheel in self._game.wheels if wheel["ring"] == "community"}
        """Wagers for which one spin counts for all bettors."""
        self.on_round_opened({})

    def on_round_opened(self, event: Data) -> None:
        self._prizes: dict[tuple[int, str], int] = {}
        """The winnings by seat and wager, in cents; `METER` where the meter pays."""
        self._shared: dict[tuple[int, str], list[int]] = {}
        """Community pay that is not paid yet."""
        self._spun: set[str] = set()

    def _bettors(self, wager: str) -> dict[int, Seat]:
        """Return the seats that a wheel may pay: those with the wager, unless a fold or the floor has forfeited it."""
        seats = self._round.seats.items()
        return {n: seat for n, seat in seats if wager in seat.placed and wager not in seat.forfeits}

    def _triggered(self, wager: str, seat: Seat) -> bool:
        """Say if a wheel is spun for a seat: its own hand, or the community cards for all bettors."""
        settler, spot = self._round.settler, self._round.spot(seat)
        rule = next(settler.applying(self._game.wagers[wager]["settle"], spot), {})
        if rule.get("spin") != "own" or wager not in self._together:
            return rule.get("spin") == "own"
        shared = (name for name, group in self._game.groups.items() if group["owner"] == "community")
        cards = tuple(spot.shared[place] for name in shared for place in self._game.places[name])
        least = self._game.choice(f"wagers.{wager}.qualifying_hand")
        return settler.reaches(settler.rank(cards, COMMUNITY).category, least, COMMUNITY)

    def _prize(self, wheel: Data, index: int) -> int:
        cents, wager = wheel["slices"][index].get("pays_cents"), f"wagers.{wheel['wager']}"
        if cents is None and not self._game.is_progressive(wheel):
            second = "other_" if self._game.choice(f"{wager}.paytable_other") == wheel["letter"] else ""
            cents = self._game.choice(f"{wager}.fixed_prize_{second}cents")
        return METER if cents is None else int(cents)

    def on_wheel_spun(self, event: Data) -> Iterator[str]:
        number, wager, seat = event["seat"], event["wager"], self._round.seat(event)
        bettors = self._bettors(wager)
        if number not in bettors:
            yield "spins without the wager"
            return
        yield from self._round.show(seat, event["cards"])
        if not self._triggered(wager, seat):
            yield "spins without the hand that the wheel is for"
        wheel = self._game.wheel(wager, seat.placed[wager])
        self._prizes[number, wager] = self._prize(wheel, event["index"])
        place = wheel["slices"][event["index"]].get("community", 0)
        for other, bettor in bettors.items() if place else ():
            letter = self._game.community_letter(self._game.wheel(wager, bettor.placed[wager]))
            pays = (pay for pay in self._game.book["community_pay"] if (pay["wager"], pay["letter"]) == (wager, letter))
            if other != number:
                self._shared.setdefault((other, wager), []).append(
                    min(first(pays, "no community pay")["amounts_cents"][place - 1])
                )

    def on_xtreme_spun(self, event: Data) -> Iterator[str]:
        wager, hot = event["wager"], event["hot_spot"]
        bettors = self._bettors(wager)
        self._spun.add(wager)
        if not all(self._triggered(wager, seat) for seat in bettors.values()):
            yield "the wheels are spun without the hand that they are for"
        if hot not in bettors and self._game.setting("xtreme_hot_spot_among", "wagered_seats") == "wagered_seats":
            yield f"the hot spot falls on seat {hot}, which has no wager"
        for number, seat in bettors.items():
            own = self._game.wheel(wager, seat.placed[wager], "hot_spot")
            if number == hot:
                self._prizes[number, wager] = self._prize(own, event["prize"])
            if number != hot or self._game.setting("hot_spot_also_community", True):
                ring = (wager, "community", self._game.community_letter(own))
                wheels = (
                    wheel for wheel in self._game.wheels if (wheel["wager"], wheel["ring"], wheel["letter"]) == ring
                )
                self._shared[number, wager] = [
                    first(wheels, "no community wheel")["slices"][event["community"]]["pays_cents"]
                ]

    def on_award_claimed(self, event: Data) -> Iterator[str]:
        """A jackpot is the whole meter, for the one seat whose wheel stopped at it."""
        wager, seats = event["wager"], [seat for seat, _ in event["winners"]]
        jackpots = [seat for (seat, name), prize in self._prizes.items() if name == wager and prize == METER]
        if wager in self.wagers and (seats != jackpots[-1:] or event.get("percent") != 100):
            yield f"{wager}: the meter is claimed for {seats} without ground"

    def worth(self, number: int, wager: str, stake: int) -> Due:
        """Return the worth of a spin wager; without a spin it loses."""
        seat, prize = self._round.seats[number], self._prizes.pop((number, wager), None)
        if prize is None:
            known = UNSEEN not in (*seat.cards.values(), *self._round.shared.values())
            bet = number in self._bettors(wager) and wager not in self._spun
            if known and bet and self._triggered(wager, seat):
                raise ValueError("no wheel was spun")
            return Due("lose")
        back = stake if self._game.setting("spin_stake_returned") else 0
        named = [hand for rule in self._game.wagers[wager]["settle"] for hand in rule.get("when", {})][:1]
        name = "".join(self._round.settler.hand(hand, self._round.spot(seat)).name for hand in named)
        return Due("win", back, max(0, prize), name, percent=100 if prize == METER else 0)

    def on_award_paid(self, event: Data) -> Iterator[str]:
        key = (event["seat"], event.get("wager", ""))
        if key[1] in self.wagers:
            due = self._shared.get(key, [])
            cents = due.pop(0) if due else 0
            cut = self._round.pay(key[1], cents, self._round.seat(event), event.get("limited", 0))
            self._round.due = {"paid": cents - cut}
            if (event["cents"], event.get("limited", 0)) != (cents - cut, cut):
                yield f"{event['award']} pays {event['cents']:,} cents; it should be {cents - cut:,}"

    def on_round_closed(self, event: Data) -> Iterator[str]:
        for number, wager in self._prizes if not self._round.void else ():
            yield f"the round is closed, and seat {number} was not paid for {wager}"
        for number, wager in (key for key, due in self._shared.items() if due and not self._round.void):
            yield f"the round is closed, and seat {number} did not get the community pay of {wager}"
