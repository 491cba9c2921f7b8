"""The second settlement at work: it sees every event of a table and says in a sentence what it finds wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crossfelt.proof.entries import Entries
from crossfelt.proof.resettle.awards import AwardWatch
from crossfelt.proof.resettle.bank import BankWatch
from crossfelt.proof.resettle.hand_rank import UNSEEN
from crossfelt.proof.resettle.plain_game import Data, PlainGame
from crossfelt.proof.resettle.prizes import MeterWatch, SpinWatch
from crossfelt.proof.resettle.round_state import Round, Seat, amounts, differences, figure, listed
from crossfelt.proof.resettle.wagers import Due, Position

SETTLEMENTS: Final = ("wager_settled", "coupon_settled", "award_paid", "house_wager_settled", "bank_settled")
ABOVE_PRINTED: Final = "a payout limit above the printed one: the most that can be won at the least wagers"
Rule = Callable[[Data], Iterator[str] | None]


class Resettlement:
    """Follows the events of a table and works out what each wager should have come to, from a game's plain data.

    >>> again = Resettlement(compile_game("md-criss-cross").as_data())
    >>> list(again.see({"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 1000}}))[0]
    'seat 1: ante wagers of 500 and 1,000 cents: they must be equal'
    """

    def __init__(self, data: Data) -> None:
        self.rounds = 0
        """Rounds that were settled again, void ones included."""
        self._game = PlainGame(data)
        self._round = Round(self._game)
        bounds = [bound for limits in self._game.limits.values() for bound in limits]
        self.unsettled: tuple[str, ...] = (ABOVE_PRINTED,) if any(least != most for least, most in bounds) else ()
        """The figures that are not worked out again."""
        self._meters, self._spins = MeterWatch(self._round), SpinWatch(self._round)
        self._awards = AwardWatch(self._round, self._meters)
        self._bank = BankWatch(self._round)
        self._entries = Entries()
        self._rules: dict[str, list[Rule]] = {}
        for part in (self, self._meters, self._spins, self._awards, self._bank):
            for name in (name for name in dir(part) if name.startswith("on_")):
                self._rules.setdefault(name.removeprefix("on_"), []).append(getattr(part, name))

    @property
    def due(self) -> Data:
        """The fields that the last event should have, where it paid something."""
        return self._round.due

    def see(self, event: Data) -> Iterator[str]:
        """Yield what is wrong with an event, given all that were seen before."""
        parts = (self._round, self._meters, self._spins, self._awards, self._bank)
        self._entries.follow(event, *parts, keeps=(self._game, self._round.settler))
        kind, self._round.due = event["event"], {}
        where = f"seat {event['seat']}: " if event.get("seat") else ""
        for rule in self._rules.get(kind, ()):
            try:
                for complaint in rule(event) or ():
                    yield where + complaint
            except (LookupError, TypeError, ValueError) as error:
                yield f"{where}{kind} cannot be followed: {error}"
        if kind in SETTLEMENTS:
            self._round.settlements.append(event)

    # --- wagers and cards -------------------------------------------------------------------------------------------

    def on_step_entered(self, event: Data) -> None:
        self._round.step = event["step"]

    def on_seat_taken(self, event: Data) -> None:
        self._round.names[event["seat"]] = event["player"]

    def on_round_opened(self, event: Data) -> Iterator[str]:
        for number, seat in self._round.seats.items():
            if seat.layout:
                yield f"a round opens, and seat {number} still has {amounts(seat.layout)} on the layout"
        self._round.start()

    def on_wagers_placed(self, event: Data) -> Iterator[str]:
        """Wagers of one seat replace those that lay there: each allowed, and all that must lie together."""
        wagers: dict[str, int] = event["wagers"]
        self._round.seats[event["seat"]] = Seat(placed=dict(wagers), layout=dict(wagers))
        if self._round.locked or (wagers and event["seat"] == self._round.bank_seat):
            yield f"{amounts(wagers)} {'after the lock' if self._round.locked else 'by the seat that banks'}"
        for name, rules in self._game.wagers.items():
            if rules.get("required") and wagers and name not in wagers:
                yield f"{amounts(wagers)} without {name}"
        for name, cents in wagers.items():
            wager = self._game.wagers.get(name)
            if wager is None or cents not in self._game.stakes(wager):
                yield f"{name} of {cents:,} cents is no stake that the rules allow"
                continue
            equal = [wagers.get(other, 0) for other in self._game.named(wager.get("group", name))]
            if any(other != cents for other in equal):
                yield f"{wager['group']} wagers of {' and '.join(map(figure, equal))} cents: they must be equal"
            for needed in wager.get("needs", ()):
                if not wagers.keys() & self._game.named(needed):
                    yield f"{name} {cents:,} without {needed}"

    def on_bets_locked(self, event: Data) -> None:
        self._round.locked = True

    def on_cards_dealt(self, event: Data) -> Iterator[str]:
        known = [card for *_, card in event["cards"] if card != UNSEEN]
        if len(known) != len(set(known)):
            yield "a card was dealt twice"
        for number, place, card in event["cards"]:
            if number:
                self._round.seats.setdefault(number, Seat()).cards[place] = card
            else:
                yield from self._round.turn_up(place, card)

    def on_community_cards_revealed(self, event: Data) -> Iterator[str]:
        for place, card in zip(event["places"], event["cards"], strict=True):
            yield from self._round.turn_up(place, card)

    def on_community_card_exposed(self, event: Data) -> Iterator[str]:
        yield from self._round.turn_up(event["place"], event["card"])

    def on_card_misnamed(self, event: Data) -> Iterator[str]:
        """The card that lies there is turned up anew, by its right name; nothing was settled on the wrong one."""
        yield from self._round.turn_up(event["place"], event["card"])
        self._round.shared[event["place"]] = UNSEEN

    def on_hand_shown(self, event: Data) -> Iterator[str]:
        seat = self._round.seat(event)
        yield from self._round.show(seat, event["cards"])
        for hand, name in event["hands"].items():
            made = self._round.settler.hand(hand, self._round.spot(seat))
            if name != made.name:
                yield f"the {hand} hand is called {name}; it is {made.name}"

    def on_dealer_hand_made(self, event: Data) -> Iterator[str]:
        """The dealer has a hand that wagers are compared with."""
        rules = [rule for wager in self._game.wagers.values() for rule in wager["settle"] if "versus" in rule]
        spot = self._round.spot(self._round.dealer)
        made = {hand: rank.name for hand, rank in (self._round.settler.formed(r["versus"][1], spot) for r in rules)}
        if made.get(event["line"]) != event["hand"]:
            yield f"the dealer takes {event['hand']} on {event['line']}; it should be one of {made}"

    # --- decisions --------------------------------------------------------------------------------------------------

    def _actions(self, form: str, wager: str) -> list[Data]:
        """Return the actions of one form that are open, at a decision about a wager."""
        steps = [step for step in self._game.decisions(self._round.step) if wager in _about(step)]
        return [action for step in steps for action in step["actions"] if form in action]

    def _passed_over(self, seat: Seat, wager: str) -> bool:
        """Say if the marks of the hands let the decision of this step pass over a seat whose cards are known."""
        steps = [step for step in self._game.decisions(self._round.step) if wager in _about(step)]
        asked = [step for step in steps if "when" in step or "unless" in step]
        if not asked or len(asked) < len(steps) or UNSEEN in seat.cards.values():
            return False
        return not any(self._round.settler.applying(asked, self._round.spot(seat)))

    def on_bet_placed(self, event: Data) -> Iterator[str]:
        """A bet that is due, of an amount that the rulebook allows."""
        seat, wager, cents = self._round.seat(event), event["wager"], event["cents"]
        actions = [action for action in self._actions("bet", wager) if action["bet"] == wager]
        if seat.folded or wager in seat.placed or not actions or self._passed_over(seat, wager):
            yield f"a {wager} bet that was not due"
        seat.placed[wager] = seat.layout[wager] = cents
        stake = self._game.wagers[wager]["stake"]
        base = seat.placed[self._game.named(stake["of"])[0]]
        times = next((action["times"] for action in actions if "times" in action), stake.get("times"))
        whole = times or stake.get("whole") or self._game.setting("whole_multiples_only")
        times = times or range(stake.get("min", 1), stake.get("max", 1) + 1)
        if (most := self._ceiling(actions, seat)) is not None:
            times = [each for each in times if each <= most] or [0]
        if not base * min(times) <= cents <= base * max(times) or (whole and cents / base not in times):
            yield f"a {wager} bet of {cents:,} cents on {base:,}: {', '.join(map(str, times))} times is allowed"

    def _ceiling(self, actions: list[Data], seat: Seat) -> int | None:
        """Return the largest multiple that the marks of a player's hands allow; None without a ceiling."""
        if UNSEEN in seat.cards.values() or not any("most" in action for action in actions):
            return None
        spot = self._round.spot(seat)
        fits = (each for action in actions for each in self._round.settler.applying(action["most"], spot))
        return next((int(each["times"]) for each in fits), 0)

    def on_hand_folded(self, event: Data) -> Iterator[str]:
        """A fold gives up the wagers that its step names, of those that lie there."""
        seat = self._round.seat(event)
        folds = self._actions("fold", event["wager"])
        if seat.folded or not folds or self._passed_over(seat, event["wager"]):
            yield f"a fold on the {event['wager']} bet, which was not due"
            return
        seat.folded = True
        seat.forfeits = [wager for wager in self._given_up(folds[0]) if wager in seat.layout]
        if set(event["forfeits"]) != set(seat.forfeits):
            yield f"the fold forfeits {listed(event['forfeits'])}; it should be {listed(seat.forfeits)}"

    def _given_up(self, fold: Data) -> list[str]:
        """Return the wagers of a fold; a setting may decide about those that a wheel pays."""
        forfeits, rule = fold.get("forfeits", []), self._game.setting("spin_after_fold", "by_the_letter")
        if rule == "by_the_letter":
            return list(forfeits)
        return [*self._spins.wagers, *forfeits] if rule == "forfeited" else sorted({*forfeits} - self._spins.wagers)

    def on_fold_collected(self, event: Data) -> Iterator[str]:
        seat, taken = self._round.seat(event), event["wagers"]
        due = {wager: seat.layout.pop(wager) for wager in seat.forfeits if wager in seat.layout}
        if taken != due:
            yield f"the fold cost {amounts(taken)}; it should be {amounts(due)}"
        seat.collected = due

    def on_choice_made(self, event: Data) -> Iterator[str]:
        """A hand that the player shows, keeps or names. The floor may correct the name."""
        seat, wager, choice = self._round.seat(event), event["wager"], event["choice"]
        seat.choices[wager] = choice
        actions = [action for step in self._game.decisions() if wager in _about(step) for action in step["actions"]]
        names = {
            name for action in actions if "choose" in action for name in self._game.hands[action["choose"]]["chosen_of"]
        }
        names |= {word for action in actions for word in ("expose", "check", "withdraw") if word in action} | {
            "decline"
        }
        if choice not in names or (choice != "check" and wager not in seat.layout) or seat.folded:
            yield f"{choice} is no choice for the {wager} wager"
        if self._passed_over(seat, wager):
            yield f"{choice} for the {wager} wager, which was not asked of this hand"
        taken = seat.layout.pop(wager, 0) if choice == "withdraw" else 0
        if event.get("cents", 0) != taken:
            yield f"{event.get('cents', 0):,} cents of {wager} are taken back; it should be {taken:,}"
        if event.get("cards"):
            yield from self._round.show(seat, event["cards"])

    def on_hand_set(self, event: Data) -> Iterator[str]:
        seat = self._round.seat(event)
        if event.get("cards"):
            yield from self._round.show(seat, event["cards"])
        seat.low = tuple(event["low"])
        if UNSEEN not in seat.low:
            yield from self._front(seat)
            if bool(event.get("foul")) != self._round.settler.is_foul(seat):
                yield f"{' '.join(seat.low)} in front is {'called' if event.get('foul') else 'not called'} a foul"

    def on_dealer_hands_set(self, event: Data) -> Iterator[str]:
        dealer = self._round.dealer
        for place, card in zip(list(dealer.cards), event["cards"], strict=True):
            yield from self._round.turn_up(f"dealer_{place}", card)
        dealer.low = tuple(event["low"])
        yield from self._front(dealer)
        if self._round.settler.is_foul(dealer):
            yield f"the dealer's {' '.join(dealer.low)} in front is a foul"

    def on_hands_exposed(self, event: Data) -> Iterator[str]:
        seat, low = self._round.seat(event), tuple(event["low"])
        yield from self._round.show(seat, event["cards"])
        if seat.low and UNSEEN not in seat.low and low != seat.low:
            yield f"shows {' '.join(low)} in front, but {' '.join(seat.low)} was set"
        seat.low = low
        yield from self._front(seat)

    def _front(self, position: Position) -> Iterator[str]:
        if len(set(position.low)) != len(position.low) or not set(position.low) <= set(position.cards.values()):
            yield f"{' '.join(position.low)} is set in front, but is not in the hand"

    def on_hand_surrendered(self, event: Data) -> Iterator[str]:
        seat = self._round.seat(event)
        seat.surrendered = True
        for wager in self._game.setting("surrender_barred_by", ()):
            if wager in seat.layout:
                yield f"a surrender, which {wager} bars"

    # --- settlement -------------------------------------------------------------------------------------------------

    def _worth(self, number: int, wager: str, stake: int) -> Due:
        """Return what a wager of a seat comes to by the rules."""
        seat, rules = self._round.seats[number], self._game.wagers[wager]
        if wager in self._spins.wagers:
            return self._spins.worth(number, wager, stake)
        if wager in self._game.jackpots:
            return self._awards.worth(number, wager, stake)
        return self._round.settler.settle(rules, stake, self._round.spot(seat))

    def on_wager_settled(self, event: Data) -> Iterator[str]:
        number, seat, name = event["seat"], self._round.seat(event), event["wager"]
        stake = seat.layout.pop(name, 0)
        if not stake or self._round.void:
            yield f"{name} is settled, but does not lie on the layout"
            return
        rules = self._game.wagers[name]
        if seat.surrendered and name not in self._game.setting("surrender_keeps", ()):
            part = self._game.setting("surrender_refund_per_mille", 0) if rules.get("required") else 0
            due = Due("forfeit", stake * part // 1000)
        else:
            due = self._worth(number, name, stake)
            yield from self._in_order(seat, name)
        granted = self._meters.granted.pop((number, name), 0) if due.result == "win" else 0
        paid, cut = granted if due.percent else due.paid, 0
        if not due.percent or self._game.setting("limit_covers_progressive"):
            cut = self._round.pay(name, paid, seat, event.get("limited", 0))
        self._round.due = {
            "stake": stake,
            "result": due.result,
            "returned": due.returned,
            "paid": paid - cut,
            "limited": cut,
            "commission": self._bank.commission(rules, paid - cut) if due.result == "win" else 0,
            "hand": due.hand,
            "line": due.line,
            "source": "meter" if granted else "",
            "from_inventory": paid - granted if name in self._game.jackpots else 0,
            "bank": self._round.bank_seat if name == self._bank.wager else 0,
        }
        yield from differences(event, name, self._round.due)
        bonuses = self._round.settler.bonuses(rules, stake, self._round.spot(seat)) if due.result != "forfeit" else ()
        self._round.bonuses |= {(number, name, table): bonus for table, bonus in bonuses}

    def on_award_paid(self, event: Data) -> Iterator[str]:
        """A bonus beside the result of a wager, under the same payout limit."""
        number, name, table = event["seat"], event.get("wager", ""), event["award"]
        if table in [bonus["pay"] for bonus in self._game.wagers.get(name, {}).get("bonus", ())]:
            due = self._round.bonuses.pop((number, name, table), Due("lose"))
            cut = self._round.pay(name, due.paid, self._round.seat(event), event.get("limited", 0))
            told = {"cents": due.paid - cut, "limited": cut, "hand": due.hand, "line": due.line}
            self._round.due = {"paid": due.paid - cut}
            yield from differences(event, table, told)
        elif name not in self._spins.wagers and not self._awards.knows(table):
            yield f"{table} of {event['cents']:,} cents is paid, which the rulebook does not know"

    def _in_order(self, seat: Seat, wager: str) -> Iterator[str]:
        """A seat's wagers are settled in the order of the step: a payout limit cuts what is paid last."""
        step = self._game.steps.get(self._round.step, {})
        if wager in step.get("wagers", ()):
            place = step["wagers"].index(wager)
            if seat.settled > (step["id"], place) and seat.settled[0] == step["id"]:
                yield f"{wager} is settled after {step['wagers'][seat.settled[1]]}: not in the order of the step"
            seat.settled = (step["id"], place)
        elif step and wager not in self._spins.wagers:
            yield f"{wager} is settled in {step['id']}, which does not settle it"

    def on_coupon_settled(self, event: Data) -> Iterator[str]:
        """A match play coupon wins what the same amount in chips wins, and is never cashed."""
        seat, wager = self._round.seat(event), event["wager"]
        face = seat.layout.get(wager, 0)
        due = self._worth(event["seat"], wager, face)
        cut = self._round.pay(wager, due.paid, seat, event.get("limited", 0))
        wanted = {"face_cents": face, "result": due.result, "paid": due.paid - cut, "limited": cut}
        self._round.due = {"paid": due.paid - cut}
        yield from differences(event, "match play coupon", wanted)

    # --- what goes wrong --------------------------------------------------------------------------------------------

    def on_wagers_forfeited(self, event: Data) -> Iterator[str]:
        """A player loses every wager where an irregularity of the rulebook says so."""
        seat = self._round.seat(event)
        cases = [case for kinds in self._game.book.get("irregularities", {}).values() for case in kinds.values()]
        if not any({"forfeit_all", "wagers_may_be_lost"} & set(case["then"]) for case in cases):
            yield "wagers are forfeited, for which the rulebook gives no ground"
        if event["wagers"] != seat.layout:
            yield f"{amounts(event['wagers'])} is forfeited; {amounts(seat.layout)} lay on the layout"
        seat.layout, seat.collected, seat.forfeits, seat.folded = {}, {}, list(seat.placed), True

    def on_round_voided(self, event: Data) -> Iterator[str]:
        """Undo earlier settlements, unless the operator lets them stand."""
        self._round.void = True
        keeps = bool(self._game.setting("void_keeps_settled") and self._round.settlements)
        if event.get("keeps_settled", False) != keeps:
            yield "the round is void, and wagers settled before are not treated as the submission says"

    def on_round_abandoned(self, event: Data) -> None:
        self._round.void = True

    def on_settlement_reversed(self, event: Data) -> Iterator[str]:
        """A settlement is undone as it was made."""
        settled, seat = event["settled"], self._round.seat(event)
        if settled not in self._round.settlements:
            yield "a settlement is undone that was not made"
            return
        self._round.settlements.remove(settled)
        if settled["event"] == "wager_settled":
            seat.layout[settled["wager"]] = settled["stake"]
        if self._game.limits.get(settled.get("wager")):
            seat.won -= settled.get("paid", settled.get("cents", 0))

    def on_wagers_returned(self, event: Data) -> Iterator[str]:
        """A void round gives all back, also what a fold had cost."""
        seat, back, forfeited = self._round.seat(event), event["wagers"], event.get("forfeited", {})
        if not self._round.void:
            yield "wagers are returned, but the round is neither void nor called off"
        if back != seat.layout:
            yield f"{amounts(back)} is returned; {amounts(seat.layout)} lay on the layout"
        if forfeited != seat.collected:
            yield f"{amounts(forfeited)} is given back after a fold; it cost {amounts(seat.collected)}"
        seat.layout, seat.collected, seat.forfeits = {}, {}, list(seat.placed)

    def on_round_closed(self, event: Data) -> Iterator[str]:
        self.rounds += 1
        outcome = "void" if self._round.void else "settled"
        if event["outcome"] != outcome:
            yield f"the round is closed as {event['outcome']}; it was {outcome}"
        for number, seat in self._round.seats.items():
            if seat.layout:
                yield f"the round is closed, and seat {number} still has {amounts(seat.layout)} on the layout"
            if self._round.void and seat.collected:
                yield f"the round is void, and seat {number} did not get back {amounts(seat.collected)}"
        for number, wager, table in self._round.bonuses if not self._round.void else ():
            yield f"the round is closed, and seat {number} was not paid {table} of {wager}"
        undone = self._round.void and not self._game.setting("void_keeps_settled")
        for settled in self._round.settlements if undone else ():
            yield f"the round is void, and {settled['event']} of seat {settled.get('seat', 0)} is not undone"


def _about(step: Data) -> list[str]:
    """Return the wagers of a decision: the wagers that it places or takes back, or whose holders decide."""
    named = [action[form] for action in step["actions"] for form in ("bet", "withdraw") if form in action]
    return named + list(step.get("with", ()))
